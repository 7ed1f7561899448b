-- optimize/line_search.lua - a step along a direction that satisfies the strong Wolfe conditions: sufficient decrease,
-- and a small enough slope (J. More, D. Thuente, "Line search algorithms with guaranteed sufficient decrease", 1994).
--
-- The interval of uncertainty has the ends `best`, with the least value so far, and `other`, each a table {t =, f =,
-- g =}: step, value, slope. Each trial is the minimizer of a cubic or quadratic through known points.

-- The minimizer of the cubic through two points, as a fraction of the way from p to q (nil: it has none).
local function cubic(p, q)
  local theta = 3 * (p.f - q.f) / (q.t - p.t) + p.g + q.g
  local s = math.max(math.abs(theta), math.abs(p.g), math.abs(q.g))
  local inside = (theta / s) * (theta / s) - (p.g / s) * (q.g / s)
  if inside < 0 then return nil end
  local gamma = s * math.sqrt(inside)
  if q.t < p.t then gamma = -gamma end
  return (gamma - p.g + theta) / (gamma - p.g + gamma + q.g), gamma
end

-- The next trial after `new`, between low and high, and whether the interval encloses a minimum.
local function next_step(best, other, new, enclosed, low, high)
  local opposite = new.g * best.g < 0
  if new.f > best.f then
    local r = cubic(best, new) or 0.5
    local by_cubic = best.t + r * (new.t - best.t)
    local by_parabola = best.t + best.g / ((best.f - new.f) / (new.t - best.t) + best.g) / 2 * (new.t - best.t)
    if math.abs(by_cubic - best.t) < math.abs(by_parabola - best.t) then return by_cubic, true end
    return by_cubic + (by_parabola - by_cubic) / 2, true
  end
  local by_secant = new.t + new.g / (new.g - best.g) * (best.t - new.t)
  if opposite then
    local r = cubic(new, best) or 0.5
    local by_cubic = new.t + r * (best.t - new.t)
    return math.abs(by_cubic - new.t) > math.abs(by_secant - new.t) and by_cubic or by_secant, true
  end
  if math.abs(new.g) < math.abs(best.g) then
    local theta = 3 * (best.f - new.f) / (new.t - best.t) + best.g + new.g
    local s = math.max(math.abs(theta), math.abs(best.g), math.abs(new.g))
    local gamma = s * math.sqrt(math.max(0, (theta / s) * (theta / s) - (best.g / s) * (new.g / s)))
    if new.t > best.t then gamma = -gamma end
    local r = (gamma - new.g + theta) / (gamma + (best.g - new.g) + gamma)
    local by_cubic = new.t > best.t and high or low
    if r < 0 and gamma ~= 0 then by_cubic = new.t + r * (best.t - new.t) end
    local cubic_is_closer = math.abs(by_cubic - new.t) < math.abs(by_secant - new.t)
    if enclosed then
      local step, bound = cubic_is_closer and by_cubic or by_secant, new.t + 0.66 * (other.t - new.t)
      return new.t > best.t and math.min(bound, step) or math.max(bound, step), true
    end
    return math.max(low, math.min(high, cubic_is_closer and by_secant or by_cubic)), false
  end
  if enclosed then
    local r = cubic(new, other) or 0.5
    return new.t + r * (other.t - new.t), true
  end
  return new.t > best.t and high or low, false
end

-- The point seen by the function minus the slope of sufficient decrease.
local function tilted(p, slope) return { t = p.t, f = p.f - p.t * slope, g = p.g - slope } end

--- Returns the accepted step, a table {t =, f =, g =} with what else `evaluate(t)` put in it, or nil if there is none.
-- start: {t = 0, f =, g =}, the value and the negative slope there. first: the first trial. options: decrease (c1),
-- slope (c2), most (the largest step), trials.
return function(evaluate, start, first, options)
  local decrease, least, most = options.decrease * start.g, options.least or 1e-100, options.most or 1e100
  local best, other, enclosed, first_stage = start, start, false, true
  local low, high, width = 0, 5 * first, most - least
  local width_before, t = 2 * width, first
  for _ = 1, options.trials or 100 do
    local new = evaluate(t)
    new.t = t
    if not (new.f - new.f == 0 and new.g - new.g == 0) then          -- outside the function's domain
      high, t = t, best.t + (t - best.t) / 10
      if t - best.t <= 1e-16 * math.max(1, best.t) then return nil end
      most = high
      goto continue
    end
    do
      local bound = start.f + t * decrease
      if first_stage and new.f <= bound and new.g >= 0 then first_stage = false end
      if new.f <= bound and math.abs(new.g) <= -options.slope * start.g then return new end
      local at_rounding = enclosed and (t <= low or t >= high or high - low <= 1e-14 * high)
      if at_rounding or t == most and new.f <= bound and new.g <= decrease then
        return new.f <= bound and new.f <= best.f and new or best.t > 0 and best.f < start.f and best or nil
      end
      if t == least then return nil end
      local step
      if first_stage and new.f <= best.f and new.f > bound then
        step, enclosed = next_step(tilted(best, decrease), tilted(other, decrease), tilted(new, decrease), enclosed,
          low, high)
        local higher = new.f - t * decrease > best.f - best.t * decrease
        if higher then other = new
        else
          if (new.g - decrease) * (best.g - decrease) < 0 then other = best end
          best = new
        end
      else
        step, enclosed = next_step(best, other, new, enclosed, low, high)
        if new.f > best.f then other = new
        else
          if new.g * best.g < 0 then other = best end
          best = new
        end
      end
      if enclosed then
        if math.abs(other.t - best.t) >= 0.66 * width_before then step = best.t + 0.5 * (other.t - best.t) end
        width_before, width = width, math.abs(other.t - best.t)
        low, high = math.min(best.t, other.t), math.max(best.t, other.t)
      else
        low, high = step + 1.1 * (step - best.t), step + 4 * (step - best.t)
      end
      t = math.max(least, math.min(most, step))
      if enclosed and (t <= low or t >= high or high - low <= 1e-14 * high) then t = best.t end
      if enclosed and t == best.t then return best.t > 0 and best.f < start.f and best or nil end
    end
    ::continue::
  end
  return best.t > 0 and best.f < start.f and best or nil
end
