-- compile.lua - hl.compile(fn): a plain function fn(F, a, b, ...) compiled like a
-- hybridized block.
local arguments = require "hybridlua.arguments"
local counted = require "hybridlua.counted"
local fail = require "hybridlua.fail"
local HybridBlock = require "hybridlua.gluon.hybrid_block"

local CompiledFunction = HybridBlock:subclass "Function"

function CompiledFunction:init(fn)
  local store = getmetatable(self).store
  store._function = fn
  store._traced_function = fn
  store._returns_nothing = true          -- a training step need not
end

-- Does fn take just the arguments of the call, and so not F before them?
local function lacks_F(fn, n_arguments)
  local info = debug.getinfo(fn, "u")
  return not info.isvararg and info.nparams == n_arguments
end

local HINT = " (the function is given F, the table of operators, before its %s: write function(F, x) ... end)"

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

local OPTIONS = table.move(arguments.reader_of(HybridBlock.hybridize).names, 1, 50, 2, { "fn" })
local read = arguments.new("hl.compile", OPTIONS)

--- hl.compile(fn, {frozen=, max_traces=, max_plans=}): fn(F, ...) takes arrays (and numbers, nested tables)
-- and returns arrays; the result is called without F: f(a, b). f:explain() shows what was made.
-- fn may be a whole training step: backward and Trainer.step in it come after each run of the
-- program, so after them only what was computed before may be used.
return function(...)
  local options = read(...)
  local fn = options.fn
  options.fn = nil
  if type(fn) ~= "function" then fail("hl.compile: expected a function fn(F, ...), got %s", type(fn)) end
  local block = CompiledFunction(fn)
  block:hybridize(options.active ~= false, options)
  return block
end
