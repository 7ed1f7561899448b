-- check.lua - hybridize{check = n}: the first n calls of each kind run both ways, and must give
-- the same bits.
--
-- The block's code runs first, operator by operator, then the compiled graph from the same
-- random numbers and states. Where a result differs, the graph's operators are computed one by
-- one and compared with what a compiled graph gives up to each, to name the first that differs;
-- if none does, the code itself took another way than it did when it was traced.
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local version = require "hybridlua.gluon.version"

local check = { eager_now = false }        -- true: hybridized blocks run their code

-- What a run may change: the place in the random stream, and arrays that are not learned.
local function remember(t)
  local key, next_ = core.random_state()
  local kept = {}
  for _, param in ipairs(t.params) do
    if param.grad_req == "null" then kept[param] = param:data():copy() end
  end
  return function()
    core.random_state(key, next_)
    for param, value in pairs(kept) do param:data():set(value) end
  end
end

local function run_eagerly(run, ...)
  local args = table.pack(...)
  local _, train = core.autograd_mode()
  local _ <close> = setmetatable({}, { __close = function() check.eager_now = false end })
  check.eager_now = true
  version.touch()                          -- blocks inside forget their short ways
  return table.pack(autograd.pause(function() return run(table.unpack(args, 1, args.n)) end, { train_mode = train }))
end

-- The path of the first difference between two results, or nil.
local function difference(a, b, path)
  if core.is_array(a) and core.is_array(b) then
    return (a.dtype ~= b.dtype or table.concat(a.shape, " ") ~= table.concat(b.shape, " ") or a:tobytes() ~= b:tobytes()) and path or nil
  end
  if type(a) ~= "table" or type(b) ~= "table" then return not rawequal(a, b) and path or nil end
  for key, value in pairs(a) do
    local found = difference(value, b[key], ("%s[%s]"):format(path, tostring(key)))
    if found then return found end
  end
end

-- The first operator whose compiled value differs from the one computed alone.
local function first_operator(t, arrays, restore)
  local bound = {}
  for i, variable in ipairs(t.inputs) do bound[variable.name] = arrays[i] end
  local graph = #t.outputs == 1 and t.outputs[1] or core.sym.Group(t.outputs)
  local internals = graph:get_internals()
  restore()
  local alone = internals:eval(bound)
  for i, name in ipairs(internals:list_outputs()) do
    local value = internals:output(i - 1)
    if not bound[name] then
      restore()
      local compiled = core.compile(t.name, t.inputs, { value }, t.kept)(table.unpack(arrays))
      if difference(alone[i], compiled, "") then return core.symbol_text(value) end
    end
  end
end

--- Runs a trace for a call both ways. run(...) runs the block's code, compiled(arrays...) the
-- graph; returns the compiled results. Errors: a difference, naming where it begins.
function check.call(name, t, arrays, compiled, run, ...)
  local restore = remember(t)
  local eager = run_eagerly(run, ...)
  restore()
  local results = table.pack(compiled())
  local where = difference(eager, results, "result") or (eager.n ~= results.n and "the number of results")
  if where then
    local operator = first_operator(t, arrays, restore)
    error(("%s: hybridize{check}: %s differs between eager and hybridized; %s"):format(name, where, operator and "first in " .. operator or
      "every operator of the trace gives the same bits alone, so the code does something else than when it was traced"), 0)
  end
  return table.unpack(results, 1, results.n)
end

return check
