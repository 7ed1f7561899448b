-- optimize_spec.lua - hl.optimize: minima of standard functions beside SciPy's, roots, least squares, fits, errors.
local hl = require "hybridlua"
local nd, optimize = hl.nd, hl.optimize

local sq = nd.square

local objectives = {
  rosenbrock = function(x)
    local a, b = x["0:-1"], x["1:"]
    return (100 * sq(b - sq(a)) + sq(1 - a)):sum()
  end,
  himmelblau = function(x)
    local a, b = x[0], x[1]
    return sq(a * a + b - 11) + sq(a + b * b - 7)
  end,
  beale = function(x)
    local a, b = x[0], x[1]
    return sq(1.5 - a + a * b) + sq(2.25 - a + a * b * b) + sq(2.625 - a + a * b * b * b)
  end,
  booth = function(x) return sq(x[0] + 2 * x[1] - 7) + sq(2 * x[0] + x[1] - 5) end,
  matyas = function(x) return 0.26 * (sq(x[0]) + sq(x[1])) - 0.48 * x[0] * x[1] end,
  powell = function(x)
    local a, b, c, d = x[0], x[1], x[2], x[3]
    return sq(a + 10 * b) + 5 * sq(c - d) + sq(sq(b - 2 * c)) + 10 * sq(sq(a - d))
  end,
  wood = function(x)
    local a, b, c, d = x[0], x[1], x[2], x[3]
    return 100 * sq(a * a - b) + sq(a - 1) + sq(c - 1) + 90 * sq(c * c - d) + 10.1 * (sq(b - 1) + sq(d - 1)) +
      19.8 * (b - 1) * (d - 1)
  end,
  styblinski_tang = function(x) return (sq(sq(x)) - 16 * sq(x) + 5 * x):sum() / 2 end,
  sphere = function(x) return sq(x - 1.5):sum() end,
  three_hump_camel = function(x)
    local a, b = x[0], x[1]
    return 2 * a * a - 1.05 * sq(a * a) + sq(a * a) * a * a / 6 + a * b + b * b
  end,
}

local METHODS = { "BFGS", "L-BFGS", "Nelder-Mead" }

-- Function, start, SciPy 1's evaluations by BFGS, L-BFGS-B and Nelder-Mead, and the minimum that each finds.
local cases = {
  { "rosenbrock", { -1.2, 1 }, { 39, 44, 159 }, { 0, 0, 0 } },
  { "rosenbrock", { -1.2, 1, -0.5, 2, 1.5 }, { 47, 51, 1087 }, { 0, 0, 0 } },
  { "himmelblau", { 0, 0 }, { 16, 16, 157 }, { 0, 0, 0 } },
  { "beale", { 1, 1 }, { 17, 16, 107 }, { 0, 0, 0 } },
  { "booth", { 0, 0 }, { 8, 6, 132 }, { 0, 0, 0 } },
  { "matyas", { 3, -2 }, { 12, 6, 109 }, { 0, 0, 0 } },
  { "powell", { 3, -1, 0, 1 }, { 40, 30, 305 }, { 0, 0, 0 } },
  { "wood", { -3, -1, -3, -1 }, { 104, 20, 527 }, { 0, 7.877, 0 } },
  { "styblinski_tang", { 1, -1, 2 }, { 15, 12, 148 }, { -89.23, -89.23, -89.23 } },
  { "sphere", { 3, 4, 5 }, { 4, 3, 145 }, { 0, 0, 0 } },
  { "three_hump_camel", { 2, -1.5 }, { 9, 10, 70 }, { 0.2986, 0.2986, 0.2986 } },
}

describe("minimize", function()
  for _, case in ipairs(cases) do
    local name, start, counts, minima = table.unpack(case)
    for i, method in ipairs(METHODS) do
      local from = ("%s from %d numbers by %s"):format(name, #start, method)
      it(("finds SciPy's minimum of %s, with its evaluations"):format(from), function()
        local result = optimize.minimize(objectives[name], start, { method = method, maxiter = 5000, maxfev = 5000 })
        assert.is_true(result.success, result.message)
        assert.is_true(math.abs(result.fun - minima[i]) <= 1e-4 * math.max(1, math.abs(minima[i])), result.fun)
        assert.is_true(result.nfev <= 1.1 * counts[i] + 1, ("%d evaluations"):format(result.nfev))
        assert.same({ #start }, result.x.shape)
        assert.equal("float64", result.x.dtype)
      end)
    end
  end

  -- Function, start, bounds, SciPy 1.17's minimum, and its evaluations by L-BFGS-B, whose steps are others
  -- than these; then those by Nelder-Mead, and its
  -- minimum where it is another one.
  local NONE = nd.NULL
  local bounded = {
    { "rosenbrock", { -1.2, 1 }, { { NONE, 0.5 }, { NONE, NONE } }, 0.25, 29, 119 },
    { "rosenbrock", { -1.2, 1, -0.5, 2, 1.5 }, { 0, 0.8 }, 1.148224, 23, 222, 3.76121 },
    { "himmelblau", { 0, 0 }, { { 0, 2.5 }, { 0, 4 } }, 6.5663626, 13, 142 },
    { "sphere", { 3, 4, 5 }, { { 2, NONE }, { NONE, 1 }, { 0, 9 } }, 0.5, 3, 110 },
    { "powell", { 3, -1, 0, 1 }, { { 1, 4 }, { -2, 2 }, { -1, 1 }, { 0, 3 } }, 0.9376742, 18, 299 },
    { "wood", { 0, -1, 2, 3 }, { { -4, 0.5 }, { -4, 4 }, { -4, 4 }, { -4, 4 } }, 0.57013968, 30, 167, 40.105685 },
  }
  for _, case in ipairs(bounded) do
    local name, start, bounds, minimum, count, count_without, minimum_without = table.unpack(case)
    for _, method in ipairs { "L-BFGS-B", "Nelder-Mead" } do
      it(("finds SciPy's minimum of %s of %d numbers within bounds by %s"):format(name, #start, method), function()
        local options = { method = method, bounds = bounds, maxiter = 5000, maxfev = 5000 }
        local result = optimize.minimize(objectives[name], start, options)
        local simplex = method == "Nelder-Mead"
        local want = simplex and minimum_without or minimum
        assert.is_true(result.success, result.message)
        assert.is_true(math.abs(result.fun - want) <= 1e-4 * math.max(1, want), result.fun)
        assert.is_true(result.nfev <= 2 * (simplex and count_without or count) + 1, result.nfev .. " evaluations")
        for i, x in ipairs(result.x:totable()) do
          local pair = type(bounds[1]) == "table" and bounds[i] or bounds
          assert.is_true(pair[1] == NONE or x >= pair[1])
          assert.is_true(pair[2] == NONE or x <= pair[2])
        end
      end)
    end
  end

  it("with bounds takes L-BFGS, and refuses wrong ones", function()
    local f = objectives.sphere
    assert.allclose(optimize.minimize(f, { 5, 5 }, { bounds = { 2, 9 } }).x, { 2, 2 })
    assert.allclose(optimize.minimize(f, { 5 }, { bounds = { { -math.huge, 1 } } }).x, { 1 })
    assert.raises(function() optimize.minimize(f, { 1 }, { method = "BFGS", bounds = { 0, 1 } }) end,
      'optimize.minimize: bounds: expected method "L%-BFGS" or "Nelder%-Mead", which keep them, got BFGS')
    assert.raises(function() optimize.minimize(f, { 1, 2 }, { bounds = { { 0, 1 } } }) end,
      "bounds: expected 2 pairs {low, high}, one for each variable, got 1")
    assert.raises(function() optimize.minimize(f, { 1 }, { bounds = { { 2, 1 } } }) end,
      "bounds: expected low <= high, got 2 and 1 for variable 0")
    assert.raises(function() optimize.minimize(f, { 1 }, { bounds = { "a", 1 } }) end,
      "bounds: expected numbers, got string for variable 0")
    assert.raises(function() optimize.minimize(f, { 1 }, { bounds = 3 }) end,
      "bounds: expected a table of pairs {low, high}, got number")
  end)

  it("keeps the start's shape and dtype, and takes further arguments", function()
    local function f(x, target) return nd.square(x - target):sum() end
    local target = nd.array { { 1, 2 }, { 3, 4 } }
    local result = optimize.minimize(f, nd.zeros { 2, 2 }, { args = { target }, method = "L-BFGS" })
    assert.equal("float32", result.x.dtype)
    assert.allclose(result.x, target, 1e-4)
    assert.allclose(optimize.minimize(f, 5, { 2 }).x, { 2 }, 1e-4)
  end)

  it("uses the script's gradient, or one that the function returns", function()
    local calls = 0
    local function slope(x)
      calls = calls + 1
      return 2 * (x - 3)
    end
    local function f(x) return nd.square(x - 3):sum() end
    assert.allclose(optimize.minimize(f, { 0, 1 }, { jac = slope }).x, { 3, 3 }, 1e-6)
    assert.is_true(calls > 0)
    local both = optimize.minimize(function(x) return f(x), slope(x) end, { 0, 1 }, { jac = true, method = "L-BFGS" })
    assert.allclose(both.x, { 3, 3 }, 1e-6)
  end)

  it("calls back after each iteration, and stops after maxiter", function()
    local seen = {}
    local result = optimize.minimize(objectives.rosenbrock, { -1.2, 1 },
      { maxiter = 5, callback = function(x) seen[#seen + 1] = x:totable() end })
    assert.equal(5, #seen)
    assert.equal(5, result.nit)
    assert.is_false(result.success)
    assert.equal("Maximum number of iterations has been exceeded.", result.message)
    assert.same(result.x:totable(), seen[5])
  end)

  it("minimizes functions of Lua numbers by Nelder-Mead", function()
    local result = optimize.minimize(function(x)
      local p = x:totable()
      return (p[1] - 1) ^ 2 + math.abs(p[2] + 2)
    end, { 0, 0 }, { method = "Nelder-Mead" })
    assert.allclose(result.x, { 1, -2 }, 1e-3)
  end)

  it("returns to the domain of a function whose step leaves it", function()
    local result = optimize.minimize(function(x) return (x - nd.log(x)):sum() end, { 0.01, 20 })
    assert.is_true(result.success, result.message)
    assert.allclose(result.x, { 1, 1 }, 1e-4)
  end)

  it("approximates the inverse Hessian by BFGS", function()
    local result = optimize.minimize(function(x) return 2 * sq(x[0]) + 0.5 * sq(x[1] - x[0]) end, { 3, 1 })
    assert.allclose(result.hess_inv, { { 0.25, 0.25 }, { 0.25, 1.25 } }, 2e-3)
  end)

  it("rejects wrong arguments", function()
    local f = objectives.sphere
    assert.raises(function() optimize.minimize(f, { 1 }, { method = "newton" }) end,
      "optimize.minimize: method: expected 'BFGS', 'L%-BFGS' or 'Nelder%-Mead', got 'newton'")
    assert.raises(function() optimize.minimize(f) end, "optimize.minimize: x0: expected an array, a table or a number")
    assert.raises(function() optimize.minimize(3, { 1 }) end, "optimize.minimize: fun: expected a function of an array")
    assert.raises(function() optimize.minimize(f, { 1 }, { hess = {} }) end, "unknown option 'hess'")
    assert.raises(function() optimize.minimize(function(x) return x end, { 1, 2 }, { method = "Nelder-Mead" }) end,
      "minimize: fun: expected it to return a number or an array of one element, got shape %(2,%)")
  end)
end)

describe("root", function()
  it("finds the roots of systems and of functions of one number", function()
    local result = optimize.root(function(x) return { x[0] * nd.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5 } end, { 1, 1 })
    assert.is_true(result.success)
    assert.allclose(result.x, { 6.50409711, 0.90841421 }, 1e-7)
    assert.allclose(optimize.root(function(x) return x * x - 2 end, 1).x, { math.sqrt(2) }, 1e-9)
  end)

  it("reports that there is none", function()
    local result = optimize.root(function(x) return x * x + 1 end, 1)
    assert.is_false(result.success)
    assert.equal("The iteration is not making good progress.", result.message)
  end)
end)

describe("least_squares", function()
  it("finds least sums of squares, with Jacobian and cost", function()
    local result = optimize.least_squares(function(x) return { 10 * (x[1] - x[0] * x[0]), 1 - x[0] } end, { -1.2, 1 })
    assert.is_true(result.success)
    assert.allclose(result.x, { 1, 1 }, 1e-6)
    assert.is_true(result.cost < 1e-12)
    assert.allclose(result.jac, { { -20, 10 }, { -1, 0 } }, 1e-5)
    assert.is_true(result.nfev <= 30)
  end)

  it("solves problems of deficient rank", function()
    local result = optimize.least_squares(function(x) return { x[0] + x[1] - 2, 2 * (x[0] + x[1]) - 4 } end, { 0, 0 })
    assert.is_true(result.success)
    assert.allclose(result.x[0] + result.x[1], { 2 }, 1e-6)
  end)

  it("uses the script's Jacobian", function()
    local result = optimize.least_squares(function(x) return x * x - 4 end, { 1 },
      { jac = function(x) return { { 2 * x:asscalar() } } end })
    assert.allclose(result.x, { 2 }, 1e-6)
    assert.raises(function()
      optimize.least_squares(function(x) return x * x - 4 end, { 1 }, { jac = function() return { 1, 2 } end })
    end, "least_squares: jac: expected a Jacobian of shape %(1, 1%)")
  end)
end)

describe("curve_fit", function()
  local x = nd.linspace(0, 4, 50, { dtype = "float64" })
  local y = 2.5 * nd.exp(-1.3 * x) + 0.5 + 0.1 * nd.sin(37 * x)
  local function model(t, a, b, c) return a * nd.exp(-b * t) + c end

  it("has SciPy's parameters and covariances", function()
    local p, cov = optimize.curve_fit(model, x, y)
    assert.allclose(p, { 2.50134838, 1.2993195, 0.49927433 }, 1e-6)
    assert.allclose(cov, { { 0.00193345, 0.00079144, -0.00010473 }, { 0.00079144, 0.00246725, 0.00070891 },
      { -0.00010473, 0.00070891, 0.00037943 } }, 1e-4)
  end)

  it("weighs by sigma, and starts at p0", function()
    local a, b = { 0, 1, 2, 3 }, { 1, 3.2, 4.9, 7.3 }
    local function line(t, slope, offset) return slope * t + offset end
    local p, cov = optimize.curve_fit(line, a, b, { 2, 1 }, { sigma = { 1, 2, 1, 4 }, absolute_sigma = true })
    assert.allclose(p, { 1.97289157, 1.01506024 }, 1e-6)                  -- numpy.linalg.lstsq of the weighted rows
    assert.allclose(cov, { { 0.44578313, -0.46987952 }, { -0.46987952, 0.92771084 } }, 1e-6)
  end)

  it("rejects data and functions without a fit", function()
    assert.raises(function() optimize.curve_fit(function(t, ...) return t * (...) end, x, y) end,
      "curve_fit: p0: expected starting values")
    assert.raises(function() optimize.curve_fit(model, x) end,
      "curve_fit: ydata: expected an array or a table, got nothing")
    assert.raises(function() optimize.curve_fit(function() return 1 end, x, y, { 1 }) end,
      "curve_fit: f: expected it to return an array, got number")
  end)
end)

describe("hl.optimize", function()
  it("refuses to be traced, since it reads values", function()
    assert.raises(function()
      hl.compile(function(_, v) return optimize.minimize(objectives.sphere, v).x end)(nd.ones { 2 })
    end, "optimize.minimize: it reads values, so it works outside hybridized blocks and compiled functions")
  end)
end)
