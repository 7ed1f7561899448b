-- integrate_spec.lua - hl.integrate: differential equations and integrals beside SciPy's, their gradients, errors.
local hl = require "hybridlua"
local nd, autograd, integrate = hl.nd, hl.autograd, hl.integrate

local function f64(x) return nd.array(x, { dtype = "float64" }) end

local function predator(t, y)          -- luacheck: ignore t
  local a, b = y[0], y[1]
  return { 1.5 * a - a * b, -3 * b + a * b }
end

describe("solve_ivp", function()
  it("takes SciPy's steps", function()
    local result = integrate.solve_ivp(function(_, y) return -0.5 * y end, { 0, 10 }, { 2, 4, 8 })
    assert.is_true(result.success)
    assert.equal(44, result.nfev)
    assert.allclose(result.t, { 0, 0.11487653, 1.26364188, 3.06061781, 4.81611105, 6.57445806, 8.33328988, 10 }, 1e-7)
    assert.same({ 3, 8 }, result.y.shape)
    assert.allclose(result.y[{ {}, -1 }], { 0.01350781, 0.02701561, 0.05403123 }, 1e-6)
  end)

  it("returns the states at given times, by SciPy's interpolant", function()
    local result = integrate.solve_ivp(predator, { 0, 15 }, { 10, 5 }, { rtol = 1e-6, t_eval = { 0, 3, 7.5, 15 } })
    assert.equal(1184, result.nfev)
    assert.allclose(result.y, { { 10, 2.63111578, 3.55352118, 0.71376712 }, { 5, 0.01919098, 0.01946234, 0.0754068 } },
      1e-6)
  end)

  it("goes backwards in time, and takes further arguments and bounds of steps", function()
    local result = integrate.solve_ivp(function(_, y, k) return k * y end, { 1, 0 }, { math.exp(2) },
      { args = { 2 }, rtol = 1e-8, atol = 1e-10, max_step = 0.1 })
    assert.allclose(result.y[{ 0, -1 }], { 1 }, 1e-7)
    assert.is_true(result.t.size >= 11)
  end)

  it("reports a solution that grows without bound", function()
    local result = integrate.solve_ivp(function(_, y) return y * y end, { 0, 2 }, { 1 })
    assert.is_false(result.success)
    assert.equal(-1, result.status)
  end)

  it("rejects wrong arguments", function()
    local function f(_, y) return y end
    assert.raises(function() integrate.solve_ivp(f, { 0, 1 }, { 1 }, { method = "LSODA" }) end,
      "integrate.solve_ivp: method: expected 'RK45', got 'LSODA'")
    assert.raises(function() integrate.solve_ivp(f, { 0 }, { 1 }) end, "t_span: expected two times, got 1")
    assert.raises(function() integrate.solve_ivp(f, { 0, 1 }, { 1 }, { t_eval = { 0, 2 } }) end,
      "t_eval: expected times within t_span, got 2")
    assert.raises(function() integrate.solve_ivp(function() return { 1, 2 } end, { 0, 1 }, { 1 }) end,
      "fun: expected it to return an array of y's shape %(1,%), got %(2,%)")
  end)
end)

describe("odeint", function()
  it("has SciPy's states of a pendulum, one per row", function()
    local function pendulum(y) return { y[1], -0.25 * y[1] - 5 * nd.sin(y[0]) } end
    local y = integrate.odeint(pendulum, { math.pi - 0.1, 0 }, nd.linspace(0, 10, 5, { dtype = "float64" }))
    assert.allclose(y, { { 3.04159265, 0 }, { -1.42806951, -2.20669511 }, { 1.16605155, -1.64376064 },
      { 0.83381337, 1.01953628 }, { 0.02001165, 1.56781808 } }, 1e-6)
  end)

  it("solves matrices in float32", function()
    local y = integrate.odeint(function(y) return -y end, nd.ones { 2, 2 }, { 0, 1 }, { rtol = 1e-5, atol = 1e-6 })
    assert.equal("float32", y.dtype)
    assert.same({ 2, 2, 2 }, y.shape)
    assert.allclose(y[1], nd.ones { 2, 2 } * math.exp(-1), 1e-4)
  end)

  it("passes gradients to the start and to parameters", function()
    local k, y0 = f64 { 0.7 }, f64 { 3 }
    k:attach_grad()
    y0:attach_grad()
    local function decay(y) return -k * y end
    autograd.record(function() return integrate.odeint(decay, y0, { 0, 1, 2 })[2] end):backward()
    assert.allclose(k.grad, { -6 * math.exp(-1.4) }, 1e-6)
    assert.allclose(y0.grad, { math.exp(-1.4) }, 1e-6)
  end)

  it("rejects times out of order", function()
    assert.raises(function() integrate.odeint(function(y) return y end, { 1 }, { 0, 1, 0.5 }) end,
      "integrate.odeint: t: expected rising or falling times, got 0.5 after 1")
  end)
end)

describe("quad", function()
  local function check(wanted, f, a, b, options)
    local value, error = integrate.quad(f, a, b, options)
    assert.same({ 1 }, value.shape)
    assert.is_true(math.abs(value:asscalar() - wanted) <= math.max(1e-12, error), value:asscalar())
  end

  it("integrates over finite and infinite intervals", function()
    check(1 / 3, function(x) return x * x end, 0, 1)
    check(-1 / 3, function(x) return x * x end, 1, 0)
    check(math.sqrt(math.pi), function(x) return nd.exp(-x * x) end, -math.huge, math.huge)
    check(1, function(x) return nd.exp(-x) end, 0, math.huge)
    check(1, function(x) return nd.exp(x) end, -math.huge, 0)
    check(2, function(x) return 1 / nd.sqrt(x) end, 0, 1)
    check(-1, function(x) return nd.log(x) end, 0, 1)
    check(math.sin(40) / 20, function(x, k) return nd.cos(k * x) end, -1, 1, { args = { 40 } })
    check(6, function() return 3 end, 0, 2)
    check(0, function(x) return x end, 2, 2)
  end)

  it("integrates functions of Lua numbers", function()
    check(2, math.sin, 0, math.pi, { vectorized = false })
  end)

  it("passes gradients to parameters", function()
    local k = f64 { 0.7 }
    k:attach_grad()
    autograd.record(function() return (integrate.quad(function(x) return nd.exp(-k * x) end, 0, 2)) end):backward()
    local e = math.exp(-1.4)
    assert.allclose(k.grad, { 2 * e / 0.7 - (1 - e) / 0.49 }, 1e-9)
  end)

  it("rejects what it cannot integrate", function()
    assert.raises(function() integrate.quad(function(x) return 1 / x end, 0, 1) end, "integrate.quad: no convergence")
    assert.raises(function() integrate.quad(math.sin, 0, 1) end, "number expected")
    assert.raises(function() integrate.quad(function(x) return x["0:2"] end, 0, 1) end,
      "quad: func: expected it to return the values at each of 21 points, got shape %(2,%)")
    assert.raises(function() integrate.quad(function(x) return x end, 0) end, "integrate.quad: b: expected a number")
  end)
end)
