-- integrate/runge_kutta.lua - hl.integrate.solve_ivp and odeint: ordinary differential equations by the pair of orders
-- 5 and 4 of J. Dormand, P. Prince, "A family of embedded Runge-Kutta formulae", 1980, with the interpolant of order 4
-- of L. Shampine, "Some practical Runge-Kutta formulas", 1986. Steps are chosen as in E. Hairer, S. Norsett, G. Wanner,
-- "Solving ordinary differential equations I", II.4.
--
-- The states are arrays computed by operators, so a gradient recorded around a call flows through the accepted steps,
-- whose lengths count as constants.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, tracing = core.array.is, core.script.is_plain, core.trace.active
local power = core.number.power_of
local nd = core.op.nd

local STAGES = {
  { 1 / 5 }, { 3 / 40, 9 / 40 }, { 44 / 45, -56 / 15, 32 / 9 },
  { 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729 },
  { 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656 },
  { 35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84 },          -- the solution of order 5
}
local NODES = { 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1 }
local ERROR = { -71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40 }
local INTERPOLANT = {          -- the coefficients of theta to theta^4 for each stage
  { 1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432 }, { 0, 0, 0, 0 },
  { 0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799 },
  { 0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072 },
  { 0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632 },
  { 0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844 },
  { 0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423 },
}

-- The sum of weights[i] k[i], without those of weight 0.
local function combined(k, weights)
  local sum
  for i, weight in ipairs(weights) do
    if weight ~= 0 then sum = sum and sum + k[i] * weight or k[i] * weight end
  end
  return sum
end

-- The root of the mean square, as a number.
local function rms(x) return x.size == 0 and 0 or math.sqrt(nd.mean(nd.square(x:detach())):asscalar()) end

-- The error or a length relative to the tolerances around a state.
local function scaled(x, y, o) return rms(nd.broadcast_div(x:detach(), nd.abs(y:detach()) * o.rtol + o.atol)) end

-- The length of the first step, from estimates of the first and second derivative.
local function first_step(f, t, y, f0, direction, span, o)
  local d0, d1 = scaled(y, y, o), scaled(f0, y, o)
  local h0 = (d0 < 1e-5 or d1 < 1e-5) and 1e-6 or 0.01 * d0 / d1
  h0 = math.min(h0, span)
  local f1 = f(t + direction * h0, y + f0 * (direction * h0))
  local d2 = scaled(f1 - f0, y, o) / h0
  local most = math.max(d1, d2)
  local h1 = most <= 1e-15 and math.max(1e-6, h0 * 1e-3) or power(0.01 / most, 1 / 5)
  return math.min(100 * h0, h1, span, o.max_step)
end

-- y at a time within a step, by the interpolant.
local function between(step, t)
  local theta, weights = (t - step.t) / step.h, {}
  for i, c in ipairs(INTERPOLANT) do
    weights[i] = theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * c[4])))
  end
  return step.y + combined(step.k, weights) * step.h
end

-- Integrates from t to stop; each(step) is called after each accepted step with {t =, h =, y =, k =, t_new =, y_new =},
-- and ends the integration if it returns true. Returns the message of a failure, or nil.
local function integrate(f, t, stop, y, o, each)
  local direction = stop >= t and 1 or -1
  if stop == t then return nil end
  local f0 = f(t, y)
  local h = o.first_step or first_step(f, t, y, f0, direction, math.abs(stop - t), o)
  while direction * (stop - t) > 0 do
    local least = 10 * math.max(math.abs(t), 1e-300) * 2 ^ -52
    h = math.max(math.min(h, o.max_step), least)
    local rejected = false
    while true do
      if h < least or h ~= h then return "Required step size is less than spacing between numbers." end
      local t_new = t + direction * h
      if direction * (t_new - stop) > 0 then t_new = stop end
      local length = t_new - t
      h = math.abs(length)
      local k, y_new = { f0 }, nil
      for i, weights in ipairs(STAGES) do
        y_new = y + combined(k, weights) * length
        k[i + 1] = f(i == 6 and t_new or t + NODES[i] * length, y_new)
      end
      local bound = nd.maximum(nd.abs(y:detach()), nd.abs(y_new:detach())) * o.rtol + o.atol
      local size = rms(nd.broadcast_div(combined(k, ERROR):detach() * length, bound))
      if size < 1 then
        local grow = size == 0 and 10 or math.min(10, 0.9 * power(size, -1 / 5))
        if rejected then grow = math.min(1, grow) end
        local ended = each { t = t, h = length, y = y, k = k, t_new = t_new, y_new = y_new }
        t, y, f0, h = t_new, y_new, k[7], h * grow
        if ended then return nil end
        break
      end
      h = h * (size == size and math.max(0.2, 0.9 * power(size, -1 / 5)) or 0.2)
      rejected = true
    end
  end
end

local function state_of(what, y)
  if tracing() then fail("%s: its steps depend on values, so it works outside hybridized blocks and graphs", what) end
  if type(y) == "number" then y = { y } end
  if is_plain(y) then return nd.array(y, { dtype = "float64" }) end
  if not is_array(y) then
    fail("%s: y0: expected an array, a table or a number, got %s", what, y == nil and "nothing" or type(y))
  end
  return y.dtype:find "^float" and y or y:astype "float64"
end

-- The script's function of (t, y), which returns an array, or a table of arrays of one element and numbers; counted.
local function right_side(what, fun, y0, args)
  checks.callable(what .. ": fun", fun, "t and y")
  local shape, options = { table.unpack(y0.shape) }, { dtype = y0.dtype, ctx = y0.context }
  local self = { nfev = 0 }
  function self.call(t, y)
    self.nfev = self.nfev + 1
    local d = fun(t, y, table.unpack(args or {}))
    if type(d) == "number" then d = { d } end
    if is_plain(d) then
      local parts = {}
      for i, x in ipairs(d) do
        parts[i] = is_array(x) and nd.reshape(x, { shape = { -1 } }) or
          nd.array({ checks.number(what .. ": fun: an element", x) }, options)
      end
      d = nd.reshape(nd.concat(parts, { dim = 0 }), { shape = { -1 } })
      if d.size == y0.size then d = nd.reshape(d, { shape = shape }) end
    end
    if not is_array(d) or d.shape ~= y0.shape then
      fail("%s: fun: expected it to return an array of y's shape %s, got %s", what, tostring(y0.shape),
        is_array(d) and tostring(d.shape) or d == nil and "nothing" or type(d))
    end
    return d
  end
  return self
end

local function times_of(what, param, t)
  if is_array(t) then t = nd.reshape(t, { shape = { -1 } }):totable() end
  if not is_plain(t) or #t == 0 then
    fail("%s: %s: expected times, an array or a table, got %s", what, param, t == nil and "nothing" or type(t))
  end
  for i, value in ipairs(t) do
    checks.number(("%s: %s"):format(what, param), value)
    if i > 2 and (value - t[i - 1]) * (t[2] - t[1]) <= 0 then
      fail("%s: %s: expected rising or falling times, got %g after %g", what, param, value, t[i - 1])
    end
  end
  return t
end

local function check_tolerances(what, o)
  for _, name in ipairs { "rtol", "atol", "max_step" } do checks.number(("%s: %s"):format(what, name), o[name], 0) end
  if o.first_step then checks.number(what .. ": first_step", o.first_step, 0) end
  if o.max_step == 0 then fail("%s: max_step: expected more than 0, got 0", what) end
  o.rtol = math.max(o.rtol, 100 * 2 ^ -52)
end

local equations = {}

local IVP = { "fun", "t_span", "y0", "method", "t_eval", "args", "rtol", "atol", "max_step", "first_step" }
local read_ivp = arguments.new("integrate.solve_ivp", IVP, { method = "RK45", rtol = 1e-3, atol = 1e-6,
  max_step = math.huge })

--- Solves y' = f(t, y) from y(t0) = y0: solve_ivp(f, {t0, t1}, y0). f(t, y, ...) gets a number and an array of y0's
-- shape and dtype (a table is float64), and returns an array of that shape, or a table with its elements. Options:
-- t_eval (times at which to return y; default: the steps), args (a list of further arguments of f), rtol (1e-3), atol
-- (1e-6): the error of a step is at most atol + rtol |y|; max_step, first_step; method: "RK45", the only one.
-- Returns a table: t (a vector), y (the states along the last axis, as in SciPy), nfev, status (0, or -1 if it failed),
-- success, message. Gradients recorded around the call reach y0 and what f uses.
function equations.solve_ivp(...)
  local o = read_ivp(...)
  local what = "integrate.solve_ivp"
  if o.method ~= "RK45" then fail("%s: method: expected 'RK45', got '%s'", what, tostring(o.method)) end
  check_tolerances(what, o)
  local span = times_of(what, "t_span", o.t_span)
  if #span ~= 2 then fail("%s: t_span: expected two times, got %d", what, #span) end
  local wanted = o.t_eval and times_of(what, "t_eval", o.t_eval)
  local y0 = state_of(what, o.y0)
  local side, direction = right_side(what, o.fun, y0, o.args), span[2] >= span[1] and 1 or -1
  local t, y, next_wanted = {}, {}, 1
  local function add(time, state) t[#t + 1], y[#y + 1] = time, state end
  if not wanted then add(span[1], y0) end
  for _, time in ipairs(wanted or {}) do
    if direction * (time - span[1]) < 0 or direction * (time - span[2]) > 0 then
      fail("%s: t_eval: expected times within t_span, got %g", what, time)
    end
  end
  while wanted and wanted[next_wanted] == span[1] do
    add(span[1], y0)
    next_wanted = next_wanted + 1
  end
  local failure = integrate(side.call, span[1], span[2], y0, o, function(step)
    if not wanted then return add(step.t_new, step.y_new) end
    while wanted[next_wanted] and direction * (wanted[next_wanted] - step.t_new) <= 0 do
      add(wanted[next_wanted], between(step, wanted[next_wanted]))
      next_wanted = next_wanted + 1
    end
  end)
  return { t = nd.array(t, { dtype = "float64" }), y = #y > 0 and nd.stack(y, { axis = -1 }) or nil, nfev = side.nfev,
    status = failure and -1 or 0, success = not failure,
    message = failure or "The solver successfully reached the end of the integration interval." }
end

local ODE = { "func", "y0", "t", "args", "rtol", "atol", "tfirst", "hmax", "h0" }
local read_ode = arguments.new("integrate.odeint", ODE, { rtol = 1.49012e-8, atol = 1.49012e-8, tfirst = false,
  hmax = math.huge })

--- Solves y' = f(y, t) from y(t[0]) = y0 at the times t, an array or a table: odeint(f, y0, t). The result holds the
-- state at each time along axis 0. f gets an array of y0's shape and a number, and returns an array, or a table with
-- its elements. Options: args (a list of further arguments of f), rtol, atol (1.49e-8), tfirst (true: f takes t first),
-- hmax (the longest step), h0 (the first). Gradients recorded around the call reach y0 and what f uses. Errors: it
-- fails.
function equations.odeint(...)
  local o = read_ode(...)
  local what = "integrate.odeint"
  local fun = checks.callable(what .. ": func", o.func, "y and t")
  o.max_step, o.first_step = o.hmax, o.h0
  check_tolerances(what, o)
  local times, y0 = times_of(what, "t", o.t), state_of(what, o.y0)
  local side = right_side(what, o.tfirst and fun or function(t, y, ...) return fun(y, t, ...) end, y0, o.args)
  local y, at = { y0 }, 2
  local failure = integrate(side.call, times[1], times[#times], y0, o, function(step)
    while times[at] and (times[at] - step.t_new) * step.h <= 0 do
      y[at] = between(step, times[at])
      at = at + 1
    end
  end)
  if failure then fail("%s: stopped before time %g: %s", what, times[at], failure) end
  return nd.stack(y)
end

return equations
