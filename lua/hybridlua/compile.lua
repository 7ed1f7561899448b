-- compile.lua - hl.compile(fn): a plain function fn(F, a, b, ...) compiled like a
-- hybridized block.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local CompiledFunction = require "hybridlua.gluon.hybridize.compiled_function"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local OPTIONS = table.move(arguments.reader_of(HybridBlock.hybridize).names, 1, 50, 2, { "fn" })
local read = arguments.new("hl.compile", OPTIONS)

--- hl.compile(fn, {frozen=, max_traces=, max_plans=}): fn(F, ...) takes arrays (and numbers, nested tables)
-- and returns arrays; the result is called without F: f(a, b). f:explain() describes the compiled function.
-- fn may be a whole training step: its backward and Trainer.step run after the compiled function, so after them only
-- values computed before may be used. {breaks = true}: a function that reads values runs at every call, and only the
-- hybridized blocks that it calls are compiled. {scalars = {"s"}}: numbers among fn's arguments and upvalues that no
-- trace depends on.
return function(...)
  local options = read(...)
  local fn = options.fn
  options.fn = nil
  if type(fn) ~= "function" then fail("hl.compile: expected a function fn(F, ...), got %s", type(fn)) end
  local block = CompiledFunction(fn)
  block:hybridize(options.active ~= false, options)
  return block
end
