-- plot/ticks.lua - an axis's range and ticks: places, labels, and the factor or offset that the labels share. Linear
-- steps are 1, 2, 2.5 or 5 times a power of ten; logarithmic ticks are at powers of ten.
local ticks = {}

local SUPERSCRIPTS = { ["-"] = "⁻", ["0"] = "⁰", ["1"] = "¹", ["2"] = "²", ["3"] = "³", ["4"] = "⁴", ["5"] = "⁵",
                       ["6"] = "⁶", ["7"] = "⁷", ["8"] = "⁸", ["9"] = "⁹" }

local function power_text(k) return "10" .. (tostring(k):gsub(".", SUPERSCRIPTS)) end

--- Lower and upper end of an axis from its data's range: 5 % wider on both sides unless `tight`.
function ticks.limits(lo, hi, log, tight)
  if not lo then return log and 1 or 0, log and 10 or 1 end
  if log then
    local a, b = math.log(lo, 10), math.log(hi, 10)
    if a == b then return lo / 10 ^ 0.5, hi * 10 ^ 0.5 end
    local margin = tight and 0 or (b - a) * 0.05
    return 10 ^ (a - margin), 10 ^ (b + margin)
  end
  if hi - lo <= math.max(math.abs(hi) * 1e-13, 1e-290) then       -- constant
    local wide = math.abs(lo) < 1e-290 and 0.05 or math.abs(lo) * 0.05
    return lo - wide, hi + wide
  end
  local margin = tight and 0 or hi * 0.05 - lo * 0.05           -- hi - lo may overflow
  local from, to = lo - margin, hi + margin
  if from == -math.huge or to == math.huge then return lo, hi end
  return from, to
end

-- The least step of the series that has at most n intervals; whole: an integer.
local function step_for(span, n, whole)
  local raw = span / n
  if whole and raw < 10 then return raw <= 1 and 1 or raw <= 2 and 2 or raw <= 5 and 5 or 10 end
  local power = 10 ^ math.floor(math.log(raw, 10))
  for _, factor in ipairs { 1, 2, 2.5, 5, 10 } do
    if factor * power >= raw * (1 - 1e-9) then return factor * power end
  end
  return 10 * power
end

-- Decimals that tell multiples of step apart.
local function decimals_of(step)
  for d = 0, 20 do
    local scaled = step * 10 ^ d
    if math.abs(scaled - math.floor(scaled + 0.5)) < 1e-6 * scaled then return d end
  end
  return 20
end

local function linear(lo, hi, most, whole)
  local half = hi / 2 - lo / 2
  local step = step_for(half, most / 2, whole)
  local places = {}
  for k = math.ceil(lo / step - 1e-9), math.floor(hi / step + 1e-9) do
    places[#places + 1] = k * step
    if #places > 100 then break end
  end
  local largest, offset = math.max(math.abs(lo), math.abs(hi)), 0
  if half * 2 < largest * 1e-4 and #places > 0 then               -- labels would share four digits or more
    local unit = 10 ^ math.ceil(math.log(half * 2, 10))
    offset = math.floor(lo / unit) * unit
    largest = math.max(math.abs(lo - offset), math.abs(hi - offset))
  end
  local power = math.floor(math.log(largest, 10))
  if power > -5 and power < 6 then power = 0 end
  local unit = 10.0 ^ power
  local decimals, labels = decimals_of(step / unit), {}
  for i, v in ipairs(places) do
    local text = ("%.*f"):gsub("%*", tostring(decimals)):format((v - offset) / unit)
    labels[i] = (text:find "^%-0%.?0*$" and text:sub(2) or text):gsub("^%-", "−")
  end
  local note = power ~= 0 and ("1e%d"):format(power) or ""
  if offset ~= 0 then note = note .. ("%s%.10g"):format(offset > 0 and "+" or "−", math.abs(offset)) end
  return { places = places, labels = labels, minor = {}, note = note }
end

local function logarithmic(lo, hi, most)
  local first, last = math.ceil(math.log(lo, 10) - 1e-9), math.floor(math.log(hi, 10) + 1e-9)
  local places, labels, minor = {}, {}, {}
  local every = math.max(1, math.ceil((last - first) / most))
  for k = first, last, every do
    places[#places + 1] = 10.0 ^ k
    labels[#labels + 1] = power_text(k)
  end
  if #places < 2 then                                            -- less than two decades: 2 and 5 have labels as well
    local plain = linear(lo, hi, most)
    if #places == 0 and #plain.places >= 2 then return plain end
    places, labels = {}, {}
    for k = first - 1, last do
      for _, digit in ipairs { 1, 2, 3, 5 } do
        local v = digit * 10.0 ^ k
        if v >= lo * (1 - 1e-9) and v <= hi * (1 + 1e-9) then
          places[#places + 1] = v
          labels[#labels + 1] = digit == 1 and power_text(k) or digit .. "×" .. power_text(k)
        end
      end
    end
  end
  if every == 1 then
    for k = first - 1, last do
      for digit = 2, 9 do
        local v = digit * 10.0 ^ k
        if v >= lo and v <= hi then minor[#minor + 1] = v end
      end
    end
  end
  return { places = places, labels = labels, minor = minor, note = "" }
end

--- The ticks from lo to hi, at most about `most` intervals, if `whole` at integers: { places =, labels =, minor =
-- places without labels, note = the factor and offset of all labels }.
function ticks.between(lo, hi, log, most, whole)
  if lo > hi then lo, hi = hi, lo end
  return (log and logarithmic or linear)(lo, hi, most, whole)
end

return ticks
