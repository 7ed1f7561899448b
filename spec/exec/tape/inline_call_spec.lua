-- inline_call_spec.lua - recorded compiled calls that are inlined because their gradients are differentiated again
-- (src/exec/tape/inline_call.c). The nodes have the call's position in the order of sums, and its types, not those of
-- the trace. Loops whose body pauses recording are not on the tape.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local function plain(f) return function(...) return f(nd, ...) end end

-- Asserts that fn's results have the same bits with f plain and compiled, for each size in turn.
local function same_in_sizes(f, sizes, fn)
  local compiled = hl.compile(f)
  for _, n in ipairs(sizes) do
    local expected, got = fn(plain(f), n), fn(compiled, n)
    assert.same(expected.shape, got.shape)
    assert.bits(expected, got)
  end
end

local function arange(n) return nd.arange(1, n + 1) / 10 end

describe("an inlined compiled call", function()
  for _, steps in ipairs { 0, 1, 3 } do
    local function loop(F, a)
      return (F.while_loop(function(i) return i:lesser(steps) end, function(i, s) return s * a, { i + 1, s * 0.3 } end,
        { F.zeros { 1 }, a }, { max_iterations = 3 }))
    end

    it(("gives a loop rows in the shape of its own argument: steps = %d"):format(steps), function()
      same_in_sizes(loop, { 7, 2, 5 }, function(f, n)
        local x = arange(n)
        x:attach_grad()
        return autograd.record(function()
          local y = f(x)
          return hl.grad(function(v) return nd.sum(v * v * y) end)(y)
        end)
      end)
    end)

    it(("gives gradients over a loop that shape: steps = %d"):format(steps), function()
      local function body(F, a)
        return hl.grad(function(v)
          local rows = loop(F, v)
          return F.sum(rows * rows)
        end)(a) * a
      end
      same_in_sizes(body, { 3, 2, 5 }, function(f, n)
        local x = arange(n)
        x:attach_grad()
        autograd.record(function()
          local y = f(x)
          local g = autograd.grad(nd.sum(y * y * x), x, { create_graph = true, retain_graph = true })
          nd.sum(g * g):backward()
        end)
        return x.grad
      end)
    end)
  end

  it("adds to gradients in the order of the call, wherever it is inlined", function()
    local function gradient(first, second)
      local m = nd.array({ 1.7061, -0.3127, 1.3373, 0.1191, -1.9, 0.77 }, { dtype = "float64" })
      m:attach_grad()
      local rows = autograd.record(function()
        local f, g = first(function(_, a) return a * m end), second(function(_, a) return a * m end)
        local y = f(m)
        return (nd.while_loop(function(i) return i:lesser(1) end, function(i, s)
          local d = s:detach()
          d:attach_grad()
          autograd.grad(nd.sum(d * s), d, { create_graph = true, retain_graph = true })
          return s * 1.3 + m + g(s) * 0.3, { i + 1, s }
        end, { nd.zeros { 1 }, y }, { max_iterations = 1 }))
      end)
      rows:backward(nd.array({ { -1.8851786646457, 0.3, 0.7, -0.11, 1.9, -0.531 } }, { dtype = "float64" }))
      return m.grad
    end
    local expected = gradient(plain, plain)
    for _, first in ipairs { plain, hl.compile } do
      for _, second in ipairs { plain, hl.compile } do assert.bits(expected, gradient(first, second)) end
    end
  end)
end)

describe("values that a loop computes while recording is paused", function()
  local Paused = gluon.HybridBlock:subclass "Paused"
  function Paused:init() self.weight = gluon.Parameter("weight", { shape = { 2 } }) end
  function Paused:hybrid_forward(F, a, p)
    local rows, state = F.foreach(function(item, s)
      local _ <close> = autograd.pause()
      return item * p.weight, s + p.weight
    end, a, a[0])
    return rows, state
  end

  it("are not on the tape, eagerly or hybridized", function()
    for _, hybrid in ipairs { false, true } do
      local net = Paused()
      net:initialize()
      if hybrid then net:hybridize() end
      local grad = net.weight:grad()
      nd.array({ 5, 7 }):copyto(grad)
      local rows, state = autograd.record(function() return net(nd.ones { 3, 2 }) end)
      for _, head in ipairs { rows, state } do
        assert.raises(function() head:backward() end, "got one that is not on the tape")
      end
      assert.same({ 5, 7 }, net.weight:grad():totable())
      local both = autograd.record(function()
        local out = net(nd.ones { 3, 2 })
        return out + net.weight:data()
      end)
      both:backward()
      assert.same({ 3, 3 }, net.weight:grad():totable())
    end
  end)
end)
