-- optimize/least_squares.lua - hl.optimize.least_squares, root and curve_fit: sums of squares by the method of
-- Levenberg and Marquardt (K. Madsen, H. Nielsen, O. Tingleff, "Methods for non-linear least squares problems", 2004).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local derivatives = require "hybridlua.derivatives"
local fail = require "hybridlua.language.fail"
local functions = require "hybridlua.optimize.functions"
local is_array, is_plain = core.array.is, core.script.is_plain
local nd = core.op.nd
local dot, largest = functions.dot, functions.largest

-- The Jacobian of fn at x, (m, n), and fn's value. Column k is the derivative of the pull-back, which is linear in its
-- argument, along unit vector k (J. Townsend, "A new trick for calculating Jacobian vector products", 2017), so few
-- variables need few passes.
local function jacobian(fn, x, m)
  local n = x.size
  if m <= n then return nd.reshape(derivatives.jacobian(fn)(x), { shape = { m, n } }) end
  local function pull(u)
    local _, back = derivatives.vjp(fn, x)
    return back(u)
  end
  local _, push = derivatives.vjp(pull, nd.zeros({ m }, { dtype = x.dtype, ctx = x.context }))
  local columns = {}
  for k = 1, n do
    local unit = nd.zeros({ n }, { dtype = x.dtype, ctx = x.context })
    unit[k - 1] = 1
    columns[k] = push(unit)
  end
  return nd.stack(columns, { axis = 1 })
end

-- The script's function as one of a flat array that returns a flat array, and its Jacobian, counted.
local function residual_function(what, fun, x0, args, jac)
  local shape = { table.unpack(x0.shape) }
  local self = { nfev = 0, njev = 0 }
  local function call(x)
    local r = fun(nd.reshape(x, { shape = shape }), table.unpack(args or {}))
    if type(r) == "number" then r = { r } end
    if is_plain(r) and is_array(r[1]) then
      local parts = {}
      for i, part in ipairs(r) do parts[i] = nd.reshape(part, { shape = { -1 } }) end
      return nd.concat(parts, { dim = 0 })
    end
    if is_plain(r) then r = nd.array(r, { dtype = x0.dtype }) end
    if not is_array(r) then
      fail("%s: fun: expected it to return an array or a table, got %s", what, r == nil and "nothing" or type(r))
    end
    return nd.reshape(r, { shape = { -1 } })
  end
  function self.value(x)
    self.nfev = self.nfev + 1
    return call(x)
  end
  function self.jacobian(x, m)
    self.njev = self.njev + 1
    if not jac then return jacobian(call, x, m) end
    local j = jac(nd.reshape(x, { shape = shape }), table.unpack(args or {}))
    if is_plain(j) then j = nd.array(j, { dtype = x0.dtype }) end
    if not is_array(j) or j.size ~= m * x.size then
      fail("%s: jac: expected a Jacobian of shape (%d, %d), got %s", what, m, x.size,
        is_array(j) and "shape " .. tostring(j.shape) or type(j))
    end
    return nd.reshape(j, { shape = { m, x.size } })
  end
  return self
end

-- (j' j + lambda diag) d = -g by least squares, which keeps the digits that j' j would lose.
local function damped_step(j, r, lambda, scale)
  local rows = nd.concat(j, nd.linalg.makediag(scale * math.sqrt(lambda)), { dim = 0 })
  return nd.linalg.lstsq(rows, nd.concat(-r, nd.zeros_like(scale), { dim = 0 }))[1]
end

local MESSAGE = { [0] = "The maximum number of function evaluations is exceeded.", "`gtol` termination condition is \z
    satisfied.", "`ftol` termination condition is satisfied.", "`xtol` termination condition is satisfied." }

-- Minimizes half the sum of squares of of.value(x).
local function levenberg_marquardt(of, x, o)
  local r = of.value(x)
  local m = r.size
  local cost = dot(r, r) / 2
  local j, status, lambda, grow = of.jacobian(x, m), 0, 1e-3, 2
  local scale = nd.sqrt(nd.sum(nd.square(j), { axis = 0 }))
  scale = nd.where(nd.equal(scale, 0), nd.ones_like(scale), scale)
  local g = nd.dot(j, r, { transpose_a = true })
  while status == 0 do
    if largest(g) <= o.gtol or cost == 0 then status = 1 break end
    if of.nfev >= o.max_nfev then break end
    local d = damped_step(j, r, lambda, scale)
    local at = x + d
    local new = of.value(at)
    local new_cost = dot(new, new) / 2
    local jd = nd.dot(j, d)
    local expected = -dot(g, d) - dot(jd, jd) / 2
    local ratio = expected > 0 and (cost - new_cost) / expected or -1
    local small = math.sqrt(dot(d, d)) <= o.xtol * (o.xtol + math.sqrt(dot(x, x)))
    if new_cost == new_cost and new_cost < cost and ratio > 1e-4 then
      local decrease = cost - new_cost
      x, r, cost = at, new, new_cost
      j = of.jacobian(x, m)
      scale = nd.maximum(scale, nd.sqrt(nd.sum(nd.square(j), { axis = 0 })))
      g = nd.dot(j, r, { transpose_a = true })
      local turn = 2 * ratio - 1
      lambda, grow = lambda * math.max(1 / 10, 1 - turn * turn * turn), 2
      if largest(g) <= o.gtol then status = 1
      elseif decrease <= o.ftol * (cost + decrease) and ratio > 0.25 then status = 2
      elseif small then status = 3 end
    else
      lambda, grow = lambda * grow, grow * 2
      if small then status = 3 end
      if lambda > 1e100 then status = 3 end
    end
  end
  return { x = x, cost = cost, fun = r, jac = j, grad = g, optimality = largest(g), nfev = of.nfev, njev = of.njev,
    status = status, success = status > 0, message = MESSAGE[status] }
end

local function solve(what, fun, x0, o, args, jac)
  checks.callable(what .. ": fun", fun, "an array")
  x0 = functions.start(what, x0)
  if x0.size == 0 then fail("%s: x0: expected one or more variables, got none", what) end
  for _, name in ipairs { "ftol", "xtol", "gtol" } do checks.number(("%s: %s"):format(what, name), o[name], 0) end
  o.max_nfev = o.max_nfev and checks.whole(what .. ": max_nfev", o.max_nfev, 1) or 100 * x0.size + 100
  local of = residual_function(what, fun, x0, args, jac)
  local result = functions.without_recording(levenberg_marquardt, of, nd.reshape(x0, { shape = { -1 } }), o)
  result.x = nd.reshape(result.x, { shape = { table.unpack(x0.shape) } })
  return result
end

local optimize = {}

local LEAST = { "fun", "x0", "jac", "ftol", "xtol", "gtol", "max_nfev", "args" }
local read_least = arguments.new("optimize.least_squares", LEAST, { ftol = 1e-8, xtol = 1e-8, gtol = 1e-8 })

--- The x that minimizes half the sum of squares of f(x), an array or a table: least_squares(f, x0). x has the shape and
-- dtype of x0 (a table is float64). Options: jac (the Jacobian as a function; hl.grad's engine by default), ftol, xtol,
-- gtol (1e-8), max_nfev, args (a list of further arguments of f). Returns a table: x, cost (a number), fun (the
-- residuals), jac, grad, optimality, nfev, njev, status (0 to 3), success, message.
function optimize.least_squares(...)
  local o = read_least(...)
  return solve("optimize.least_squares", o.fun, o.x0, o, o.args, o.jac)
end

local read_root = arguments.new("optimize.root", { "fun", "x0", "args", "jac", "tol", "max_nfev" }, { tol = 1e-8 })

--- A root of a function, the x where all elements of f(x) are 0: root(f, x0). x has the shape and dtype of x0 (a table
-- is float64). Options: args (a list of further arguments of f), jac (the Jacobian as a function), tol (1e-8),
-- max_nfev. Returns a table: x, fun (f there), jac, nfev, njev, success (whether it is a root to tol), message.
function optimize.root(...)
  local o = read_root(...)
  local tol = checks.number("optimize.root: tol", o.tol, 0)
  local search = { ftol = 0, xtol = 1e-15, gtol = 0, max_nfev = o.max_nfev }
  local result = solve("optimize.root", o.fun, o.x0, search, o.args, o.jac)
  local success = largest(result.fun) <= tol
  return { x = result.x, fun = result.fun, jac = result.jac, nfev = result.nfev, njev = result.njev, success = success,
    message = success and "The solution converged." or "The iteration is not making good progress." }
end

local FIT = { "f", "xdata", "ydata", "p0", "sigma", "absolute_sigma", "jac", "max_nfev", "ftol", "xtol", "gtol" }
local read_fit = arguments.new("optimize.curve_fit", FIT, { absolute_sigma = false, ftol = 1e-8, xtol = 1e-8,
  gtol = 1e-8 })

local function data_of(what, x)
  if is_plain(x) and not is_array(x[1]) then return nd.array(x, { dtype = "float64" }) end
  if is_array(x) then return x:astype "float64" end
  if what == "xdata" then return x end                     -- any value that f takes
  fail("optimize.curve_fit: %s: expected an array or a table, got %s", what, x == nil and "nothing" or type(x))
end

-- The starting point: ones, one for each parameter of f after x.
local function starting_point(o)
  if o.p0 ~= nil then return o.p0 end
  local info = type(o.f) == "function" and debug.getinfo(o.f, "u")
  if not info or info.isvararg or info.nparams < 2 then
    fail("optimize.curve_fit: p0: expected starting values, since f does not say how many parameters it has, " ..
      "got nothing")
  end
  local ones = {}
  for i = 1, info.nparams - 1 do ones[i] = 1 end
  return ones
end

--- Fits parameters: curve_fit(f, xdata, ydata, p0) finds the p1, p2 ... for which f(xdata, p1, p2, ...) is nearest to
-- ydata, by least squares, in float64. Each parameter is an array of one element. p0: starting values (default: ones).
-- Options: sigma (the standard deviations of ydata, as weights), absolute_sigma (false: they are relative), jac, ftol,
-- xtol, gtol (1e-8), max_nfev. Returns the parameters, an array, and their covariance matrix. Error: no fit is found.
function optimize.curve_fit(...)
  local o = read_fit(...)
  local what = "optimize.curve_fit"
  checks.callable(what .. ": f", o.f, "x and parameters")
  local x, y = data_of("xdata", o.xdata), data_of("ydata", o.ydata)
  local sigma = o.sigma and data_of("sigma", o.sigma)
  local function residuals(p)
    local parts = {}
    for i = 1, p.size do parts[i] = nd.slice_axis(p, { axis = 0, begin = i - 1, stop = i }) end
    local value = o.f(x, table.unpack(parts))
    if not is_array(value) then
      fail("%s: f: expected it to return an array, got %s", what, value == nil and "nothing" or type(value))
    end
    local r = nd.broadcast_sub(value, y)
    return sigma and nd.broadcast_div(r, sigma) or r
  end
  local fit = solve(what, residuals, starting_point(o), o, nil, o.jac)
  if not fit.success then fail("%s: no fit found: %s", what, fit.message) end
  local m, n = fit.fun.size, fit.x.size
  local cov = nd.linalg.pinv(nd.dot(fit.jac, fit.jac, { transpose_a = true }))
  if not o.absolute_sigma then cov = m > n and cov * (2 * fit.cost / (m - n)) or cov * math.huge end
  return fit.x, cov
end

return optimize
