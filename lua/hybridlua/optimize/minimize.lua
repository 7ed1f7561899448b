-- optimize/minimize.lua - hl.optimize.minimize: BFGS, L-BFGS and Nelder-Mead. Names of options and results are SciPy's.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local bounded = require "hybridlua.optimize.bounded"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local line_search = require "hybridlua.optimize.line_search"
local functions = require "hybridlua.optimize.functions"
local nd = core.op.nd
local dot, largest = functions.dot, functions.largest

local METHOD = {}          -- by name: fn(objective, x (flat), options) -> result

local SUCCESS = "Optimization terminated successfully."
local NO_PROGRESS = "Desired error not necessarily achieved due to precision loss."
local TOO_MANY = "Maximum number of iterations has been exceeded."
local TOO_MANY_CALLS = "Maximum number of function evaluations has been exceeded."

-- ---- Descent along directions ---------------------------------------------------------------------------

-- Runs steps until the gradient is small. direction(g) returns a direction of descent; learn(s, y) gets each step and
-- the change of the gradient. first(f, slope, before, length) is the first trial of a line search.
local function descend(objective, x, o, rule)
  local f, g = objective.value_and_gradient(x)
  local nit, before, message = 0
  while true do
    if f - f ~= 0 then message = NO_PROGRESS break end
    if largest(g) <= o.gtol then message = SUCCESS break end
    if nit >= o.maxiter then message = TOO_MANY break end
    if objective.nfev >= o.maxfev then message = TOO_MANY_CALLS break end
    local d = rule.direction(g)
    local slope = dot(g, d)
    if slope >= 0 or slope ~= slope then                        -- rounding spoilt the directions
      rule.forget()
      d = -g
      slope = dot(g, d)
    end
    local function evaluate(t)
      local at = x + d * t
      local value, gradient = objective.value_and_gradient(at)
      return { f = value, g = dot(gradient, d), x = at, gradient = gradient }
    end
    local step = line_search(evaluate, { t = 0, f = f, g = slope }, rule.first(f, slope, before, d, nit), rule)
    if not step or not step.x then message = NO_PROGRESS break end
    rule.learn(step.x - x, step.gradient - g)
    before = f
    nit, x, f, g = nit + 1, step.x, step.f, step.gradient
    if o.callback then o.callback(x) end
    if rule.ended and rule.ended(before, f) then message = SUCCESS break end
  end
  return { x = x, fun = f, jac = g, nit = nit, nfev = objective.nfev, njev = objective.njev,
    success = message == SUCCESS, message = message }
end

-- BFGS keeps an approximation of the inverse Hessian (J. Nocedal, S. Wright, "Numerical optimization", 2006, 6.1).
METHOD["bfgs"] = function(objective, x, o)
  local function unit() return nd.eye(x.size, { dtype = x.dtype, ctx = x.context }) end
  local inverse = unit()
  local result = descend(objective, x, o, {
    decrease = 1e-4, slope = 0.9,
    direction = function(g) return -nd.dot(inverse, g) end,
    forget = function() inverse = unit() end,
    first = function(f, slope, before, d)
      before = before or f + math.sqrt(dot(d, d)) / 2
      local t = math.min(1, 1.01 * 2 * (f - before) / slope)
      return t > 0 and t or 1
    end,
    learn = function(s, y)
      local sy = dot(s, y)
      if sy <= 0 or sy ~= sy then return end
      local hy = nd.dot(inverse, y)
      local column = nd.reshape(s, { shape = { -1, 1 } })
      local row, cross = nd.reshape(s, { shape = { 1, -1 } }), nd.reshape(hy, { shape = { 1, -1 } })
      local outer = nd.dot(column, cross)
      inverse = inverse - (outer + outer.T) / sy + nd.dot(column, row) * ((1 + dot(y, hy) / sy) / sy)
    end,
  })
  result.hess_inv = inverse
  return result
end

-- L-BFGS keeps the last steps only (J. Nocedal, "Updating quasi-Newton matrices with limited storage", 1980).
METHOD["l-bfgs"] = function(objective, x, o)
  if o.limits then
    return bounded.minimize(objective, x, o, { success = SUCCESS, no_progress = NO_PROGRESS, too_many = TOO_MANY,
      too_many_calls = TOO_MANY_CALLS })
  end
  local steps = {}
  return descend(objective, x, o, {
    decrease = 1e-3, slope = 0.9,
    direction = function(g)
      local d, part = -g, {}
      for i = #steps, 1, -1 do
        part[i] = dot(steps[i].s, d) / steps[i].sy
        d = d - steps[i].y * part[i]
      end
      local last = steps[#steps]
      if last then d = d * (last.sy / dot(last.y, last.y)) end
      for i = 1, #steps do d = d + steps[i].s * (part[i] - dot(steps[i].y, d) / steps[i].sy) end
      return d
    end,
    forget = function() steps = {} end,
    first = function(_, _, _, d, nit) return nit == 0 and math.min(1, 1 / math.sqrt(dot(d, d))) or 1 end,
    learn = function(s, y)
      local sy = dot(s, y)
      if sy <= 2.2e-16 * dot(y, y) then return end
      steps[#steps + 1] = { s = s, y = y, sy = sy }
      if #steps > o.maxcor then table.remove(steps, 1) end
    end,
    ended = function(before, f)
      return before - f <= o.ftol * math.max(math.abs(before), math.abs(f), 1)
    end,
  })
end

-- ---- Nelder-Mead ------------------------------------------------------------------------------------------

-- The simplex method of J. Nelder, R. Mead, 1965, as in M. Wright, "Nelder, Mead, and the other simplex method", 2012:
-- it needs no gradient. Points are tables of numbers.
METHOD["nelder-mead"] = function(objective, x0, o)
  local n, options = x0.size, { dtype = x0.dtype, ctx = x0.context }
  local low, high = o.limits and o.limits.low:totable(), o.limits and o.limits.high:totable()
  local function at(x)
    for k = 1, low and n or 0 do x[k] = math.max(low[k], math.min(high[k], x[k])) end
    local f = objective.value(nd.array(x, options))
    return { x = x, f = f == f and f or math.huge }
  end
  local points, start = {}, x0:totable()
  points[1] = at(start)
  for i = 1, n do
    local x = table.move(start, 1, n, 1, {})
    x[i] = x[i] ~= 0 and x[i] * 1.05 or 0.00025
    if high and x[i] > high[i] then x[i] = 2 * high[i] - x[i] end      -- inside, not flat against the bound
    points[i + 1] = at(x)
  end
  local function sort()                          -- stable, as points of equal value keep their order
    for i = 2, n + 1 do
      local p, k = points[i], i - 1
      while k >= 1 and points[k].f > p.f do
        points[k + 1] = points[k]
        k = k - 1
      end
      points[k + 1] = p
    end
  end
  sort()
  local nit, message = 0
  while true do
    local spread, range = 0, 0
    for i = 2, n + 1 do
      for k = 1, n do spread = math.max(spread, math.abs(points[i].x[k] - points[1].x[k])) end
      range = math.max(range, math.abs(points[i].f - points[1].f))
    end
    if spread <= o.xatol and range <= o.fatol then message = SUCCESS break end
    if nit >= o.maxiter then message = TOO_MANY break end
    if objective.nfev >= o.maxfev then message = TOO_MANY_CALLS break end
    local worst, centre = points[n + 1], {}
    for k = 1, n do
      local sum = 0
      for i = 1, n do sum = sum + points[i].x[k] end
      centre[k] = sum / n
    end
    -- The point at `factor` times the way from the worst one to the centre, beyond the centre.
    local function along(factor)
      local x = {}
      for k = 1, n do x[k] = (1 + factor) * centre[k] - factor * worst.x[k] end
      return at(x)
    end
    local reflected = along(1)
    local accepted
    if reflected.f < points[1].f then
      local expanded = along(2)
      accepted = expanded.f < reflected.f and expanded or reflected
    elseif reflected.f < points[n].f then
      accepted = reflected
    elseif reflected.f < worst.f then
      local contracted = along(0.5)
      accepted = contracted.f <= reflected.f and contracted or nil
    else
      local contracted = along(-0.5)
      accepted = contracted.f < worst.f and contracted or nil
    end
    if accepted then points[n + 1] = accepted
    else
      for i = 2, n + 1 do
        local x = {}
        for k = 1, n do x[k] = points[1].x[k] + 0.5 * (points[i].x[k] - points[1].x[k]) end
        points[i] = at(x)
      end
    end
    sort()
    nit = nit + 1
    if o.callback then o.callback(nd.array(points[1].x, options)) end
  end
  return { x = nd.array(points[1].x, options), fun = points[1].f, nit = nit, nfev = objective.nfev, njev = 0,
    success = message == SUCCESS, message = message }
end

-- ---- The function ---------------------------------------------------------------------------------------------

local NAMES = { "fun", "x0", "args", "method", "jac", "tol", "callback", "maxiter", "maxfev", "gtol", "ftol", "xatol",
  "fatol", "maxcor", "bounds" }
local read = arguments.new("optimize.minimize", NAMES, { maxcor = 10 })

--- The minimum of a function of one array: minimize(f, x0, {method = "BFGS"}). f(x, ...) returns an array of one
-- element (or a number, without gradient); x has the shape and dtype of x0 (a table is float64). The gradient is
-- hl.grad's. Methods: "BFGS", "L-BFGS" (for many variables), "Nelder-Mead" (without gradients).
-- Options: args (a list of further arguments of f), jac (the gradient as a function, or true if f returns it second),
-- tol (for gtol, or xatol and fatol), callback (gets x after each iteration), maxiter (200 for each variable; L-BFGS:
-- 15000), maxfev, gtol (1e-5, of the largest element of the gradient), ftol (L-BFGS: 2.2e-9, of the relative decrease),
-- maxcor (10, the steps that L-BFGS keeps), xatol, fatol (Nelder-Mead: 1e-4), bounds (of L-BFGS, their default method,
-- and Nelder-Mead: a pair {low, high} for each variable or one for all, where nd.NULL or infinity leaves an end open).
-- Returns a table: x, fun (a number), jac (not by Nelder-Mead), nit, nfev, njev, success, message, hess_inv (BFGS).
return function(...)
  local o = read(...)
  local what = "optimize.minimize"
  checks.callable(what .. ": fun", o.fun, "an array")
  local x0 = functions.start(what, o.x0)
  o.method = o.method or o.bounds and "L-BFGS" or "BFGS"
  local name = type(o.method) == "string" and o.method:lower():gsub("^l%-bfgs%-b$", "l-bfgs") or o.method
  if not METHOD[name] then checks.choice(what .. ": method", o.method, "BFGS", "L-BFGS", "Nelder-Mead") end
  for _, option in ipairs { "tol", "gtol", "ftol", "xatol", "fatol" } do
    if o[option] then checks.number(("%s: %s"):format(what, option), o[option], 0) end
  end
  o.gtol, o.ftol = o.gtol or o.tol or 1e-5, o.ftol or o.tol or 2.220446049250313e-09
  o.xatol, o.fatol = o.xatol or o.tol or 1e-4, o.fatol or o.tol or 1e-4
  if o.bounds ~= nil then
    if name == "bfgs" then
      fail("%s: bounds: expected method \"L-BFGS\" or \"Nelder-Mead\", which keep them, got %s", what, o.method)
    end
    o.limits = bounded.limits(what, o.bounds, x0)
  end
  local n = math.max(x0.size, 1)
  o.maxiter = o.maxiter and checks.whole(what .. ": maxiter", o.maxiter, 0) or name == "l-bfgs" and 15000 or n * 200
  local most = name == "nelder-mead" and n * 200 or math.huge
  o.maxfev = o.maxfev and checks.whole(what .. ": maxfev", o.maxfev, 1) or most
  local shape = x0.shape
  if o.callback then
    local callback = checks.callable(what .. ": callback", o.callback, "an array")
    o.callback = function(x) callback(nd.reshape(x, { shape = { table.unpack(shape) } })) end
  end
  local objective = functions.objective(what, o.fun, shape, o.args, o.jac)
  local result = functions.without_recording(METHOD[name], objective, nd.reshape(x0, { shape = { -1 } }), o)
  for _, key in ipairs { "x", "jac" } do
    if result[key] then result[key] = nd.reshape(result[key], { shape = { table.unpack(shape) } }) end
  end
  return result
end
