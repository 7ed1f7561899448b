-- monitor.lua - block:monitor: reports the results of the blocks and operators inside a block at each call.
--
-- A HybridBlock's graph is run again, operator by operator, as in register_op_hook (gluon/op_hooks.lua), so compiled
-- calls are unchanged. Each node records the block call that it was made in; the results of a block are those of its
-- values that others use. Hooks observe Blocks that are not HybridBlocks.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local op_hooks = require "hybridlua.gluon.op_hooks"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local regex = require "hybridlua.language.python_regex"
local is_array = core.array.is

local monitor = {}

local function tell_outputs(tell, name, arrays)
  for i, x in ipairs(arrays) do
    if is_array(x) then tell(#arrays == 1 and name .. "_output" or ("%s_output%d"):format(name, i - 1), x) end
  end
end

local function arrays_in(list, into)
  into = into or {}
  for _, x in ipairs(list) do
    if is_array(x) then into[#into + 1] = x
    elseif type(x) == "table" and getmetatable(x) == nil then arrays_in(x, into) end
  end
  return into
end

-- The block calls in the order of their last operators, inner ones first: { name, last = index of that operator in the
-- log, outputs = { arrays } }.
local function block_calls(log, given)
  local calls, by_id = {}, {}
  for i, record in ipairs(log) do
    for _, scope in ipairs(record.scopes) do
      local call = by_id[scope.id]
      if not call then
        call = { name = scope.name, id = scope.id, outputs = {}, depth = scope.depth, known = {} }
        by_id[scope.id], calls[#calls + 1] = call, call
      end
      call.last = i
    end
  end
  local function inside(record, id)
    for _, scope in ipairs(record.scopes) do if scope.id == id then return true end end
    return false
  end
  local function used(from, k, by)
    for _, scope in ipairs(log[from].scopes) do
      local call, key = by_id[scope.id], from .. ":" .. k
      if not call.known[key] and not (by and inside(by, scope.id)) then
        call.known[key] = true
        call.outputs[#call.outputs + 1] = { at = from, k = k, array = log[from].outputs[k] }
      end
    end
  end
  for _, record in ipairs(log) do
    for _, input in ipairs(record.inputs) do if input[3] then used(input[3], input[4], record) end end
  end
  for _, output in ipairs(given) do used(output[1], output[2]) end
  for _, call in ipairs(calls) do
    table.sort(call.outputs, function(a, b) if a.at ~= b.at then return a.at < b.at end return a.k < b.k end)
    for i, output in ipairs(call.outputs) do call.outputs[i] = output.array end
  end
  return calls
end

local function show(tell, own, log, given)
  local ending = {}
  for _, call in ipairs(block_calls(log, given)) do
    if call.name ~= own then
      ending[call.last] = ending[call.last] or {}
      table.insert(ending[call.last], call)
    end
  end
  for i, record in ipairs(log) do
    for k, name in ipairs(record.output_names) do tell(("%s_%s"):format(record.name, name), record.outputs[k]) end
    local ended = ending[i] or {}
    table.sort(ended, function(a, b) return a.depth > b.depth end)
    for _, call in ipairs(ended) do tell_outputs(tell, call.name, call.outputs) end
  end
end

local function attach(block, tell, handles)
  if block.compiled_for and not breaks.broken(block) then
    handles[#handles + 1] = op_hooks.replayed(block, function(log, given) show(tell, block.name, log, given) end)
  else
    for _, child in ipairs(block:_list_children()) do attach(child.value, tell, handles) end
  end
  handles[#handles + 1] = block:register_forward_hook(function(_, _, ...)
    tell_outputs(tell, block.name, arrays_in { ... })
  end)
end

--- Calls fn(name, array) for the outputs of all blocks and operators inside whose names match.
function monitor.register(block, fn, pattern)
  if type(fn) ~= "function" then fail("%s: monitor: fn: expected a function, got %s", block.name, type(fn)) end
  if pattern ~= nil then checks.string(block.name .. ": monitor: pattern", pattern) end
  local matches = pattern and regex.compile(pattern)
  local handles = {}
  attach(block, function(name, array) if not matches or matches(name) then fn(name, array) end end, handles)
  return { detach = arguments.method("detach", "", function()
    for _, handle in ipairs(handles) do handle:detach() end
    handles = {}
  end) }
end

return monitor
