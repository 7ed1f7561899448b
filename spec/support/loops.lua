-- loops.lua - runs functions with foreach, while_loop and cond in eager and compiled code, and compares results and
-- gradients to the bit.
local assert = require "luassert"
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local loops = {}

function loops.normal(...) return nd.random.normal { shape = { ... } } end

-- The arrays in nested tables, in order.
local function flat(x, into)
  into = into or {}
  if core.array.is(x) then into[#into + 1] = x
  else for _, item in ipairs(x) do flat(item, into) end end
  return into
end

--- The results of fn(args...) and the gradients of all arguments, in training mode with a fixed seed.
function loops.values_and_gradients(fn, args)
  for _, x in ipairs(args) do x:attach_grad() end
  hl.random.seed(11)
  local outputs = autograd.record(function() return flat { fn(table.unpack(args)) } end)
  local heads = {}
  for _, x in ipairs(outputs) do if core.autograd.on_tape(x) then heads[#heads + 1] = x end end
  autograd.backward(heads)
  for _, x in ipairs(args) do outputs[#outputs + 1] = x.grad:copy() end
  return outputs
end

function loops.assert_same(expected, got)
  assert.equal(#expected, #got)
  for i = 1, #expected do assert.bits(got[i], expected[i]) end
end

--- Asserts that fn(F, args...) has the same bits eager and hybridized, with kernels of both tiers, and so does `loop`,
-- a Lua loop.
function loops.same_both_ways(args, fn, loop)
  local expected = loops.values_and_gradients(function(...) return fn(nd, ...) end, args)
  local compiled = hl.compile(fn)
  for _ = 1, 3 do loops.assert_same(expected, loops.values_and_gradients(compiled, args)) end
  if loop then loops.assert_same(expected, loops.values_and_gradients(loop, args)) end
end

--- A block that calls fn.
function loops.block(fn)
  local B = gluon.HybridBlock:subclass "Body"
  function B:hybrid_forward(F, ...) return fn(F, ...) end
  return B()
end

--- The body of a recurrent layer with the weights w.
function loops.rnn(F, w) return function(x, s) local y = F.tanh(F.dot(s, w) + x) return y, y end end

return loops
