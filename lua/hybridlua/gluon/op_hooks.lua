-- op_hooks.lua - register_op_hook, and the base of monitor.lua: reports the results of each operator of a block's call.
--
-- The call itself runs as usual. Then the graph traced from the block's code is run again on the same arrays, operator
-- by operator, from the same position of the random stream, to report its results.
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local random_state = core.random.state

local op_hooks = {}

local function show(log, fn, monitor_all)
  for _, record in ipairs(log) do
    for _, input in ipairs(monitor_all and record.inputs or {}) do
      fn(("%s_%s"):format(record.name, input[1]), record.op, input[2])
    end
    for k, name in ipairs(record.output_names) do
      fn(("%s_%s"):format(record.name, name), record.op, record.outputs[k])
    end
  end
end

-- The state before a call: the random stream, and copies of the parameters that are not learned, which the call may
-- write. If the call initializes such a parameter, its later state serves: only training changes it, without reading
-- it.
local function state_of(block)
  local state = { random = table.pack(random_state()), before = {} }
  for _, param in ipairs(block:collect_params():values()) do
    if param.grad_req == "null" and not param:is_deferred() then state.before[param:data()] = param:data():copy() end
  end
  return state
end

--- Calls use(log, outputs) after each call of a HybridBlock, with the results of core.graph.replay for it. The returned
--- handle's detach() ends this.
function op_hooks.replayed(block, use)
  local state
  local pre = block:register_forward_pre_hook(function() state = state_of(block) end)
  local post = block:register_forward_hook(function(_, input, ...)
    local inputs = type(input) == "table" and getmetatable(input) == nil and table.pack(table.unpack(input)) or
      table.pack(input)
    local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
    local t, arrays = block:compiled_for(table.unpack(inputs, 1, inputs.n))
    local after = state_of(block).before
    for i, x in ipairs(arrays) do arrays[i] = state.before[x] or after[x] or x end
    local now = table.pack(random_state())
    random_state(state.random[1], state.random[2])
    local log, outputs = core.graph.replay(t.compiled, table.unpack(arrays))
    random_state(now[1], now[2])
    use(log, outputs)
  end)
  return { detach = function()
    pre.detach()
    post.detach()
  end }
end

--- Calls fn(name, operator, array) for the operators of each call of a HybridBlock; the handle's detach() ends this.
function op_hooks.register(block, fn, monitor_all)
  return op_hooks.replayed(block, function(log) show(log, fn, monitor_all) end)
end

return op_hooks
