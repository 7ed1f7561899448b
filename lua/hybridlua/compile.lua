-- compile.lua - hl.compile(fn): a plain function fn(F, a, b, ...) compiled like a
-- hybridized block.
local fail = require "hybridlua.fail"
local HybridBlock = require "hybridlua.gluon.hybrid_block"

local CompiledFunction = HybridBlock:subclass "Function"

function CompiledFunction:init(fn)
  local store = getmetatable(self).store
  store._function = fn
  store._traced_function = fn
end

function CompiledFunction:hybrid_forward(F, ...) return self._function(F, ...) end

--- hl.compile(fn, {frozen=, max_traces=}): fn(F, ...) takes arrays (and numbers, nested tables)
-- and returns arrays; the result is called without F: f(a, b). f:explain() shows what was made.
-- fn may be a whole training step: autograd.record, backward and Trainer.step in it come after
-- each run of the program, so nothing may be computed after them.
return function(fn, options)
  if type(fn) ~= "function" then fail("hl.compile: expected a function fn(F, ...), got %s", type(fn)) end
  local block = CompiledFunction(fn)
  block:hybridize(true, options)
  return block
end
