-- compiled_function.lua - CompiledFunction: a function fn(F, ...) as a HybridBlock, for hl.compile and layer runs
-- (gluon/hybridize/layer_runs.lua). Calling it is not a block call: the nodes that it records belong to the surrounding
-- block call.
local counted = require "hybridlua.language.plural"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local CompiledFunction = HybridBlock:subclass "Function"

function CompiledFunction:init(fn)
  local store = getmetatable(self).store
  store._function = fn
  store._traced_function = fn
  store._returns_nothing = true          -- a training step need not return anything
end

-- Does fn take only the arguments of the call, without F before them?
local function lacks_F(fn, n_arguments)
  local info = debug.getinfo(fn, "u")
  return not info.isvararg and info.nparams == n_arguments
end

local HINT = " (the function receives F, the table of operators, before its %s: write function(F, x) ... end)"

function CompiledFunction:hybrid_forward(F, ...)
  local fn, n = self._function, select("#", ...)
  if n == 0 or not lacks_F(fn, n) then return fn(F, ...) end
  local results = table.pack(pcall(fn, F, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local problem = results[2]
  if type(problem) == "string" and not problem:find("table of operators", 1, true) then
    problem = problem .. HINT:format(counted(n, "argument"))
  end
  error(problem, 0)
end

return CompiledFunction
