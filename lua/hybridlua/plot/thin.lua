-- plot/thin.lua - points of the data as points of the page, few enough to write.
--
-- A map has the page's coordinates x = ax + bx * v and y = ay + by * v, where v is the value or, if logx or logy, its
-- logarithm; left, right, top and bottom are its edges; `grain` is the width of a column of pixels.
--
-- A line keeps of each column its first, least, greatest and last point, so no peak is lost. A line that goes back and
-- forth has many short visits of columns; beyond MOST points it keeps every n-th, and its extremes.
local thin = {}

local MOST = 60000
local FAR = 1e5          -- from here on coordinates are cut off: viewers have narrow numbers
local log = math.log

local function near(p) return p > FAR and FAR or p < -FAR and -FAR or p end

--- A point on the page, or nil if it is not finite there (NaN, infinite, or not positive on a logarithmic axis).
function thin.point(map, x, y)
  if map.logx then x = x > 0 and log(x, 10) or 0 / 0 end
  if map.logy then y = y > 0 and log(y, 10) or 0 / 0 end
  local px, py = map.ax + map.bx * x, map.ay + map.by * y
  if px - px == 0 and py - py == 0 then return near(px), near(py) end
end

-- Every n-th point of long runs, with the extremes.
local function fewer(runs, total)
  local every = math.ceil(total / MOST)
  for r, run in ipairs(runs) do
    local keep = {}
    for side = 1, 2 do
      local least, most = side, side
      for i = side, #run, 2 do
        if run[i] < run[least] then least = i end
        if run[i] > run[most] then most = i end
      end
      keep[(least - side) // 2], keep[(most - side) // 2] = true, true
    end
    local kept, n = {}, 0
    for i = 0, #run // 2 - 1 do
      if i % every == 0 or keep[i] or i == #run // 2 - 1 then
        kept[n + 1], kept[n + 2] = run[2 * i + 1], run[2 * i + 2]
        n = n + 2
      end
    end
    runs[r] = kept
  end
  return runs
end

--- The runs of a line between gaps: flat lists x, y, x, y, ... A single point is a run of two equal points.
function thin.runs(xs, ys, map)
  local ax, bx, ay, by, logx, logy = map.ax, map.bx, map.ay, map.by, map.logx, map.logy
  local per = 1 / map.grain
  local runs, run, n, total = {}, nil, 0, 0
  local column, first, last, least, most, fx, fy, lx, ly, nx, ny, mx, my
  local function flush()
    if not column then return end
    run[n + 1], run[n + 2], n = fx, fy, n + 2
    local ax_, ay_, at, bx_, by_, bt = nx, ny, least, mx, my, most
    if at > bt then ax_, ay_, at, bx_, by_, bt = bx_, by_, bt, ax_, ay_, at end
    if at > first and at < last then run[n + 1], run[n + 2], n = ax_, ay_, n + 2 end
    if bt > first and bt < last and bt ~= at then run[n + 1], run[n + 2], n = bx_, by_, n + 2 end
    if last > first then run[n + 1], run[n + 2], n = lx, ly, n + 2 end
    column = nil
  end
  local function finish()
    flush()
    if not run then return end
    if n == 2 then run[3], run[4], n = run[1], run[2], 4 end
    runs[#runs + 1], total = run, total + n // 2
    run, n = nil, 0
  end
  for i = 1, #xs do
    local x, y = xs[i], ys[i]
    if logx then x = x > 0 and log(x, 10) or 0 / 0 end
    if logy then y = y > 0 and log(y, 10) or 0 / 0 end
    local px, py = ax + bx * x, ay + by * y
    if px - px == 0 and py - py == 0 then
      if px > FAR or px < -FAR then px = near(px) end
      if py > FAR or py < -FAR then py = near(py) end
      local c = px * per // 1
      if c == column then
        last, lx, ly = i, px, py
        if py < ny then least, nx, ny = i, px, py end
        if py > my then most, mx, my = i, px, py end
      else
        run = run or {}
        flush()
        column, first, last, least, most = c, i, i, i, i
        fx, lx, nx, mx, fy, ly, ny, my = px, px, px, px, py, py, py, py
      end
    else
      finish()
    end
  end
  finish()
  return total > MOST and fewer(runs, total) or runs
end

--- The points on the page as a flat list, one of each cell of the grain, and the index of each.
function thin.points(xs, ys, map)
  local points, at, n, seen, per = {}, {}, 0, {}, 1 / map.grain
  local crowded = #xs > 5000
  local l, r, t, b = map.left - 9, map.right + 9, map.top - 9, map.bottom + 9
  for i = 1, #xs do
    local px, py = thin.point(map, xs[i], ys[i])
    if px and px >= l and px <= r and py >= t and py <= b then
      local cell = crowded and          -- a factor that spreads Lua's hashes
         (px * per // 1) * 40009 + py * per // 1
      if not cell or not seen[cell] then
        if cell then seen[cell] = true end
        n = n + 1
        points[2 * n - 1], points[2 * n], at[n] = px, py, i
      end
    end
  end
  return points, at
end

return thin
