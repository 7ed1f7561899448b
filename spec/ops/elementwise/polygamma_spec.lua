-- polygamma_spec.lua - derivatives of digamma and gammaln of higher orders, compared with mpmath.
local hl = require "hybridlua"
local nd = hl.nd

local function derivative(f) return hl.grad(function(F, x) return f(F, x):sum() end) end

local function order(name, n)
  local f = function(F, x) return F[name](x) end
  for _ = 1, n do f = derivative(f) end
  return f
end

-- { order of psi, x, value }
local values = {
  { 2, 0.5, -16.828796644234319996 }, { 2, 2.5, -0.236204051641727403 }, { 2, 13, -0.0063897979615915045325 },
  { 2, -1.7, -69.034549550114209742 }, { 2, 1e3, -1.0010004999998333335e-6 }, { 3, 0.1, 60004.512876790253384 },
  { 3, 2.5, 0.22390584881725205126 }, { 3, -7.4, 283.59827565841251469 }, { 4, 30, -7.9149413401810240419e-6 },
  { 4, -0.3, 9731.8349562335204389 },
}

describe("derivatives of digamma", function()
  for _, v in ipairs(values) do
    it(("match mpmath: order %d at %g"):format(v[1], v[2]), function()
      for name, lower in pairs { trigamma = 1, digamma = 0, gammaln = -1 } do
        local f = order(name, v[1] - lower)
        for _, fn in ipairs { f, hl.compile(f) } do
          local x = nd.array({ v[2] }, { dtype = "float64" })
          assert.near(v[3], fn(x):asscalar(), 1e-13 * math.abs(v[3]))
          local single, exact = nd.array { v[2] }, nd.array({ nd.array { v[2] }:asscalar() }, { dtype = "float64" })
          assert.equal(fn(exact):astype "float32":asscalar(), fn(single):asscalar())
        end
      end
    end)
  end

  it("have poles at 0 and below", function()
    local x = nd.array { 0, -1, -2 }
    for i, y in ipairs(order("trigamma", 1)(nd, x):totable()) do assert.is_true(y ~= y, i) end
    for _, y in ipairs(order("trigamma", 2)(nd, x):totable()) do assert.equal(1 / 0, y) end
    local far = order("trigamma", 2)(nd, nd.array { 1 / 0, 0 / 0 }):totable()
    assert.equal(0, far[1])
    assert.is_true(far[2] ~= far[2])
  end)

  it("can be trained in a gradient penalty", function()
    local x = nd.array { 0.7, 3 }
    x:attach_grad()
    hl.autograd.record(function()
      return hl.autograd.grad(nd.digamma(x):sum(), x, { create_graph = true }):sum()
    end):backward()
    assert.bits(order("trigamma", 1)(nd, x), x.grad)
  end)
end)
