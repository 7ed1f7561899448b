-- optimize/bounded.lua - minimize with bounds: the intervals of a call, and L-BFGS with steps that are projected into
-- them (D. Bertsekas, "Projected Newton methods for optimization problems with simple constraints", 1982).
--
-- A variable at a bound is held there while its gradient points out. The others move by L-BFGS; a step that leaves the
-- intervals is projected back, so it may bend, and is shortened until the value decreases enough.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local functions = require "hybridlua.optimize.functions"
local dot, largest = functions.dot, functions.largest
local is_plain = core.script.is_plain
local nd = core.op.nd

local bounded = {}

local DECREASE = 1e-4          -- of the slope, at least
local MOST_TRIALS = 40         -- of step lengths

-- One end of an interval; none is infinite.
local function limit(what, i, value, none)
  if value == nil or value == core.op.NULL then return none end
  if type(value) ~= "number" or value ~= value then
    fail("%s: bounds: expected numbers, got %s for variable %d", what, value ~= value and "nan" or type(value), i)
  end
  return value
end

--- The ends of the intervals of the variables as two arrays. bounds: a pair {low, high} for each variable, or one for
-- all.
-- nil, nd.NULL and infinite numbers leave that end open.
function bounded.limits(what, bounds, x)
  local n, low, high = x.size, {}, {}
  if not is_plain(bounds) then
    fail("%s: bounds: expected a table of pairs {low, high}, got %s", what, type(bounds))
  end
  local one = not is_plain(bounds[1]) and not is_plain(bounds[2])
  if not one and #bounds ~= n then
    fail("%s: bounds: expected %d pairs {low, high}, one for each variable, got %d", what, n, #bounds)
  end
  for i = 1, n do
    local pair = one and bounds or bounds[i]
    if not is_plain(pair) then fail("%s: bounds: expected pairs {low, high}, got %s", what, type(pair)) end
    low[i], high[i] = limit(what, i - 1, pair[1], -math.huge), limit(what, i - 1, pair[2], math.huge)
    if low[i] > high[i] then
      fail("%s: bounds: expected low <= high, got %g and %g for variable %d", what, low[i], high[i], i - 1)
    end
  end
  local options = { dtype = x.dtype, ctx = x.context }
  return { low = nd.array(low, options), high = nd.array(high, options) }
end

--- The nearest point within the limits.
function bounded.project(limits, x)
  return nd.broadcast_minimum(nd.broadcast_maximum(x, limits.low), limits.high)
end

-- 1 for variables that may move, 0 for those that are held at a bound.
local function free_variables(limits, x, g)
  local at_low = nd.broadcast_logical_and(nd.broadcast_lesser_equal(x, limits.low), nd.greater(g, 0))
  local at_high = nd.broadcast_logical_and(nd.broadcast_greater_equal(x, limits.high), nd.lesser(g, 0))
  return 1 - nd.broadcast_logical_or(at_low, at_high)
end

-- The direction of L-BFGS among the free variables, from the last steps.
local function direction(steps, g, free)
  local d, part, used = -g * free, {}, {}
  for _, step in ipairs(steps) do
    local s, y = step.s * free, step.y * free
    local sy, yy = dot(s, y), dot(y, y)
    if sy > 2.2e-16 * yy then used[#used + 1] = { s = s, y = y, sy = sy, yy = yy } end
  end
  for i = #used, 1, -1 do
    part[i] = dot(used[i].s, d) / used[i].sy
    d = d - used[i].y * part[i]
  end
  local last = used[#used]
  if last then d = d * (last.sy / last.yy) end
  for i = 1, #used do d = d + used[i].s * (part[i] - dot(used[i].y, d) / used[i].sy) end
  return d, last ~= nil
end

-- The accepted point along the projected direction, {x =, f =, g =}, or nil.
local function search(objective, limits, x, f, g, d, t)
  for _ = 1, MOST_TRIALS do
    local at = bounded.project(limits, x + d * t)
    local value, gradient = objective.value_and_gradient(at)
    local slope = dot(g, at - x)
    if value - value == 0 and value <= f + DECREASE * slope then return { x = at, f = value, g = gradient } end
    if slope == 0 then return nil end
    -- the minimum of the parabola through both values with the slope at the start
    local shorter = value - value == 0 and slope / (2 * (slope + f - value)) or 0.1
    t = t * math.max(0.1, math.min(0.5, shorter))
  end
  return nil
end

--- L-BFGS within limits, from the flat array x. messages: {success =, no_progress =, too_many =, too_many_calls =}.
function bounded.minimize(objective, x, o, messages)
  local limits, steps, nit = o.limits, {}, 0
  local message
  x = bounded.project(limits, x)
  local f, g = objective.value_and_gradient(x)
  while true do
    if f - f ~= 0 then message = messages.no_progress break end
    if largest(bounded.project(limits, x - g) - x) <= o.gtol then message = messages.success break end
    if nit >= o.maxiter then message = messages.too_many break end
    if objective.nfev >= o.maxfev then message = messages.too_many_calls break end
    local free = free_variables(limits, x, g)
    local d, scaled = direction(steps, g, free)
    local slope = dot(g, d)
    if slope >= 0 or slope ~= slope then                                   -- rounding spoilt the directions
      steps, d, scaled = {}, -g * free, false
    end
    local step = search(objective, limits, x, f, g, d, scaled and 1 or math.min(1, 1 / math.sqrt(dot(d, d))))
    if not step and #steps > 0 then
      steps = {}
      goto continue
    end
    if not step then message = messages.no_progress break end
    steps[#steps + 1] = { s = step.x - x, y = step.g - g }
    if #steps > o.maxcor then table.remove(steps, 1) end
    do
      local before = f
      nit, x, f, g = nit + 1, step.x, step.f, step.g
      if o.callback then o.callback(x) end
      if before - f <= o.ftol * math.max(math.abs(before), math.abs(f), 1) then message = messages.success break end
    end
    ::continue::
  end
  return { x = x, fun = f, jac = g, nit = nit, nfev = objective.nfev, njev = objective.njev,
    success = message == messages.success, message = message }
end

return bounded
