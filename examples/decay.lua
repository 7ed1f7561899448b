-- decay.lua - a differential equation fitted to measurements: two substances decay, one into the other, and their rates
-- are found from noisy samples by the gradient of the solution.
--
--     ./hybridlua examples/decay.lua
local hl = require "hybridlua"
local nd, optimize, integrate = hl.nd, hl.optimize, hl.integrate

hl.random.seed(1)

-- A turns into B by the rate k[0], and B vanishes by the rate k[1].
local function rates(y, _, k) return { -k[0] * y[0], k[0] * y[0] - k[1] * y[1] } end

local times = nd.linspace(0, 5, 21, { dtype = "float64" })
local function amounts(k)
  return integrate.odeint(rates, { 1, 0 }, times, { args = { k }, rtol = 1e-6, atol = 1e-8 })
end

local truth = nd.array({ 1.2, 0.4 }, { dtype = "float64" })
local measured = amounts(truth) + nd.random.normal(0, 0.01, { 21, 2 }, "float64")

-- Rates are positive, so their logarithms are fitted.
local function error_of(log_k) return nd.square(amounts(nd.exp(log_k)) - measured):sum() end

local result = optimize.minimize(error_of, { 0, 0 }, { method = "L-BFGS" })
local k = nd.exp(result.x):totable()
print(("rates %.3f and %.3f, from %d evaluations"):format(k[1], k[2], result.nfev))

-- The amount of B that passes through: the integral of its decay.
local through = nd.trapz(amounts(nd.exp(result.x))[{ {}, 1 }] * k[2], times):asscalar()
print(("%.1f%% of A is gone through B after %g units of time"):format(100 * through, 5))
