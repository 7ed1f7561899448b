-- compile.lua - hl.compile(fn): compiles a plain function fn(F, a, b, ...) like a hybridized block.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local CompiledFunction = require "hybridlua.gluon.hybridize.compiled_function"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local OPTIONS = table.move(arguments.reader_of(HybridBlock.hybridize).names, 1, 50, 2, { "fn" })
local read = arguments.new("hl.compile", OPTIONS)

--- hl.compile(fn, {frozen=, max_traces=, max_plans=}): compiles fn(F, ...), whose arguments are arrays, numbers or
-- nested tables, and which returns arrays. The compiled function is called without F: f(a, b). f:explain() describes
-- it. fn may be a whole training step: after its backward or Trainer.step it may only use values computed before them.
-- {breaks = true}: for a function that reads values; it runs at every call, and only the hybridized blocks that it
-- calls are compiled. {scalars = {"s"}}: numbers among fn's arguments and upvalues whose values may change without a
-- new trace.
return function(...)
  local options = read(...)
  local fn = options.fn
  options.fn = nil
  if type(fn) ~= "function" then fail("hl.compile: expected a function fn(F, ...), got %s", type(fn)) end
  local block = CompiledFunction(fn)
  block:hybridize(options.active ~= false, options)
  return block
end
