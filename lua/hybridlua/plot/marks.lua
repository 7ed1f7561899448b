-- plot/marks.lua - what axes contain. A mark has
--   xs, ys     lists of the data that the axes' ranges must contain (what is drawn at a value is in both)
--   draw(mark, canvas, map)   draws it; maps are explained in thin.lua
--   color, label, key         its entry in the legend: key is "line", "point" or "area"
-- `tight`: no margin (images); zero: "x" or "y", the axis on which bars begin at 0.
local canvas = require "hybridlua.plot.canvas"
local colors = require "hybridlua.plot.colors"
local core = require "hybridlua.core"
local thin = require "hybridlua.plot.thin"

local marks = {}

marks.DASHES = { ["-"] = false, ["--"] = { 3.7, 1.6 }, ["-."] = { 6.4, 1.6, 1, 1.6 }, [":"] = { 1, 1.65 } }

local function dashes(mark)
  local dash, scaled = marks.DASHES[mark.linestyle], nil
  for i, length in ipairs(dash or {}) do
    scaled = scaled or {}
    scaled[i] = length * mark.linewidth
  end
  return scaled
end

function marks.line(mark, page, map)
  if mark.linestyle ~= "" then
    local runs, said = thin.runs(mark.xs, mark.ys, map)
    page:lines(runs, { color = mark.color, width = mark.linewidth, dash = dashes(mark), alpha = mark.alpha,
      class = mark.class or "line", title = said })
  end
  if mark.marker then
    local points, _, said = thin.points(mark.xs, mark.ys, map)
    canvas.markers(page, points, mark.marker, mark.size,
      { color = mark.color, alpha = mark.alpha, class = "points", title = said })
  end
end

-- Colour, size and opacity of a marker. Thinned ones have fewer sizes and opacities, so that many have the same: a
-- marker that stands for n others is as opaque as n on top of each other.
local function look_of(mark, index, count)
  local c = mark.values and colors.at(mark.cmap, mark.values[index], mark.vmin, mark.vmax)
  local size, alpha = mark.sizes and math.max(0, mark.sizes[index]) ^ 0.5 or mark.size, mark.alpha
  if count and mark.sizes then size = math.max(0.5, math.floor(size * 2 + 0.5) / 2) end
  if count and alpha then alpha = math.min(1, math.ceil((1 - (1 - alpha) ^ count) * 20) / 20) end
  return c and colors.hex(c) or mark.color, size, alpha
end

-- Markers of one look: consecutive ones, or all of them if they were thinned.
local function groups_of(mark, points, at, counts)
  local list, known, last = {}, {}, nil
  for i = 1, #at do
    local color, size, alpha = look_of(mark, at[i], counts and counts[i])
    local key = color .. " " .. size .. " " .. (alpha or "")
    local group = counts and known[key] or last and last.key == key and last
    if not group then
      group = { key = key, color = color, size = size, alpha = alpha, points = {}, first = at[i] }
      list[#list + 1], known[key] = group, group
    end
    local n = #group.points
    group.points[n + 1], group.points[n + 2], last = points[2 * i - 1], points[2 * i], group
  end
  return list
end

--- Points of one colour, or each of its own by `values` in a colour map; `sizes`: areas, as in matplotlib. A crowd is
-- drawn large ones first and, by colour, the greatest values last.
function marks.points(mark, page, map)
  local points, at, said, counts = thin.points(mark.xs, mark.ys, map, mark.sizes, mark.values)
  local list = groups_of(mark, points, at, counts)
  if counts and (mark.values or mark.sizes) then
    table.sort(list, function(a, b)
      if a.size ~= b.size then return a.size > b.size end
      local v, w = mark.values and mark.values[a.first] or 0, mark.values and mark.values[b.first] or 0
      return v < w or v == w and a.first < b.first
    end)
  end
  local class = (mark.values or mark.sizes) and "point" or "points"
  for i, group in ipairs(list) do
    canvas.markers(page, group.points, mark.marker, group.size,
      { color = group.color, alpha = group.alpha, class = class, title = i == 1 and said or nil })
  end
end

--- Boxes in the data's units: lists of their left, lower, right and upper ends.
function marks.boxes(mark, page, map)
  local b, areas = mark.boxes, {}
  local list, merged = core.plot.bars(map, true, b[1], b[3], b[2], b[4])
  for i = 1, #list, 4 do
    local x0, y0, x1, y1 = list[i], list[i + 1], list[i + 2], list[i + 3]
    areas[#areas + 1] = { x0, y0, x1, y0, x1, y1, x0, y1 }
  end
  page:areas(areas, { color = mark.color, alpha = mark.alpha, class = "bars",
    title = merged and thin.note(#b[1], #areas, "those that touch are one, with all extremes") or nil })
end

--- The area between two lines; each run of finite points is a polygon.
function marks.band(mark, page, map)
  local areas = {}
  local runs, said = thin.indices(map, mark.at, mark.lower, mark.upper)
  for _, indices in ipairs(runs) do
    local area, n = {}, #indices
    for i, index in ipairs(indices) do
      area[2 * i - 1], area[2 * i] = thin.point(map, mark.at[index], mark.lower[index])
      local k = 2 * (2 * n - i + 1)                                -- the upper edge comes back
      area[k - 1], area[k] = thin.point(map, mark.at[index], mark.upper[index])
    end
    if n > 1 then areas[#areas + 1] = area end
  end
  page:areas(areas, { color = mark.color, alpha = mark.alpha, class = "band", title = said })
end

--- Bars of errors: mark.bars has lists { at, lower, upper } as y (vertical) and x.
function marks.errors(mark, page, map)
  for axis, shape in pairs { y = "_", x = "|" } do
    local bars, runs, caps = mark.bars[axis], {}, {}
    local list, merged = {}, false
    if bars then list, merged = core.plot.bars(map, axis == "y", bars[1], bars[1], bars[2], bars[3]) end
    for i = 1, #list, 4 do
      local x0, y0, x1, y1 = list[i], list[i + 1], list[i + 2], list[i + 3]
      if axis == "y" then x0 = (x0 + x1) / 2; x1 = x0 else y0 = (y0 + y1) / 2; y1 = y0 end
      runs[#runs + 1] = { x0, y0, x1, y1 }
      table.move({ x0, y0, x1, y1 }, 1, 4, #caps + 1, caps)
    end
    page:lines(runs, { color = mark.color, width = mark.linewidth, alpha = mark.alpha, class = "errors",
      title = merged and thin.note(#bars[1], #runs, "those that touch are one, with all extremes") or nil })
    if mark.capsize > 0 and not merged then
      canvas.markers(page, caps, shape, mark.capsize * 2, { color = mark.color, alpha = mark.alpha, class = "caps" })
    end
  end
end

--- A contour of a grid. Lines with too many points for a page lose those nearest to each other, and the shortest lines
-- are left out.
function marks.contour(mark, page, map)
  local grain, least, most = map.grain, 1, (map.most or thin.MOST) // 3
  local runs = core.plot.contour(map, grain, mark.z, mark.gx, mark.gy, mark.level, least, most)
  while not runs do
    grain, least = grain * 2, 4
    runs = core.plot.contour(map, grain, mark.z, mark.gx, mark.gy, mark.level, least, most)
  end
  page:lines(runs, { color = mark.color, width = mark.linewidth, alpha = mark.alpha, class = "contour",
    title = least > 1 and ("simplified: points nearer than %g pt left out, and lines of fewer than %d"):format(grain,
      least) or nil })
end

--- A line across the axes at a value: axis "x" is vertical.
function marks.across(mark, page, map)
  local x, y = thin.point(map, mark.axis == "x" and mark.value or map.logx and 1 or 0,
    mark.axis == "y" and mark.value or map.logy and 1 or 0)
  if not x then return end
  local run = mark.axis == "x" and { x, map.top, x, map.bottom } or { map.left, y, map.right, y }
  page:lines({ run }, { color = mark.color, width = mark.linewidth, dash = dashes(mark), alpha = mark.alpha,
    class = "across" })
end

--- A picture of rows and columns: `pixels`, three bytes each, the upper row first.
function marks.image(mark, page, map)
  local x0, y0 = thin.point(map, mark.extent[1], mark.extent[4])
  local x1, y1 = thin.point(map, mark.extent[2], mark.extent[3])
  if not x0 or not x1 then return end
  local pixels = mark.pixels
  if y0 > y1 or x0 > x1 then                                     -- an inverted axis: rows or pixels in reverse
    local rows = {}
    for r = 0, mark.rows - 1 do
      local row = pixels:sub(r * mark.columns * 3 + 1, (r + 1) * mark.columns * 3)
      if x0 > x1 then row = row:reverse():gsub("...", string.reverse) end
      rows[y0 > y1 and mark.rows - r or r + 1] = row
    end
    pixels = table.concat(rows)
  end
  page:image(math.min(x0, x1), math.min(y0, y1), math.abs(x1 - x0), math.abs(y1 - y0), mark.columns, mark.rows, pixels)
  local areas = {}
  for i, run in ipairs(mark.missing) do                          -- NaN shows the page
    local row = mark.upper and run[1] or mark.rows - 1 - run[1]
    local u, v = x0 + (x1 - x0) * run[2] / mark.columns, x0 + (x1 - x0) * (run[3] + 1) / mark.columns
    local p, q = y0 + (y1 - y0) * row / mark.rows, y0 + (y1 - y0) * (row + 1) / mark.rows
    areas[i] = { u, p, v, p, v, q, u, q }
  end
  page:areas(areas, { color = "paper", class = "missing" })
end

function marks.text(mark, page, map)
  local x, y = thin.point(map, mark.xs[1], mark.ys[1])
  if not x then return end
  page:text(x, y, mark.text, { size = mark.size, anchor = mark.anchor, color = mark.color, class = "note",
    angle = -mark.rotation })
end

return marks
