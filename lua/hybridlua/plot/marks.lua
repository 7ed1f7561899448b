-- plot/marks.lua - what axes contain. A mark has
--   xs, ys     lists of the data that the axes' ranges must contain (what is drawn at a value is in both)
--   draw(mark, canvas, map)   draws it; maps are explained in thin.lua
--   color, label, key         its entry in the legend: key is "line", "point" or "area"
-- `tight`: no margin (images); zero: "x" or "y", the axis on which bars begin at 0.
local canvas = require "hybridlua.plot.canvas"
local colors = require "hybridlua.plot.colors"
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
    page:lines(thin.runs(mark.xs, mark.ys, map), { color = mark.color, width = mark.linewidth, dash = dashes(mark),
      alpha = mark.alpha, class = mark.class or "line" })
  end
  if mark.marker then
    canvas.markers(page, thin.points(mark.xs, mark.ys, map), mark.marker, mark.size,
      { color = mark.color, alpha = mark.alpha, class = "points" })
  end
end

--- Points of one colour, or each of its own by `values` in a colour map; `sizes`: areas, as in matplotlib.
function marks.points(mark, page, map)
  local points, at = thin.points(mark.xs, mark.ys, map)
  if not mark.values and not mark.sizes then
    canvas.markers(page, points, mark.marker, mark.size, { color = mark.color, alpha = mark.alpha, class = "points" })
    return
  end
  for i, index in ipairs(at) do
    local c = mark.values and colors.at(mark.cmap, mark.values[index], mark.vmin, mark.vmax)
    local size = mark.sizes and math.max(0, mark.sizes[index]) ^ 0.5 or mark.size
    if not mark.values or c then
      canvas.markers(page, { points[2 * i - 1], points[2 * i] }, mark.marker, size,
        { color = c and colors.hex(c) or mark.color, alpha = mark.alpha, class = "point" })
    end
  end
end

-- An end of a bar on the page; 0 on a logarithmic axis is its edge.
local function place(v, log, a, b, least, most)
  if log then v = v > 0 and math.log(v, 10) or v == v and -math.huge or v end
  local p = a + b * v
  if p ~= p then return nil end
  return math.max(math.min(least, most) - 9, math.min(math.max(least, most) + 9, p))
end

local function box(map, x0, y0, x1, y1)
  local a, c = place(x0, map.logx, map.ax, map.bx, map.left, map.right),
    place(x1, map.logx, map.ax, map.bx, map.left, map.right)
  local b, d = place(y0, map.logy, map.ay, map.by, map.top, map.bottom),
    place(y1, map.logy, map.ay, map.by, map.top, map.bottom)
  if a and b and c and d then return { a, b, c, b, c, d, a, d } end
end

--- Boxes { x0, y0, x1, y1 } in the data's units.
function marks.boxes(mark, page, map)
  local areas = {}
  for _, b in ipairs(mark.boxes) do areas[#areas + 1] = box(map, b[1], b[2], b[3], b[4]) end
  page:areas(areas, { color = mark.color, alpha = mark.alpha, class = "bars" })
end

--- The area between two lines; each run of finite points is a polygon.
function marks.band(mark, page, map)
  local areas, there, back = {}, {}, {}
  local function finish()
    if #there >= 4 then
      for i = #back - 1, 1, -2 do there[#there + 1], there[#there + 2] = back[i], back[i + 1] end
      areas[#areas + 1] = there
    end
    there, back = {}, {}
  end
  local every = math.max(1, #mark.at // 20000)
  for i = 1, #mark.at, every do
    local px, py = thin.point(map, mark.at[i], mark.lower[i])
    local qx, qy = thin.point(map, mark.at[i], mark.upper[i])
    if px and qx then
      there[#there + 1], there[#there + 2] = px, py
      back[#back + 1], back[#back + 2] = qx, qy
    else
      finish()
    end
  end
  finish()
  page:areas(areas, { color = mark.color, alpha = mark.alpha, class = "band" })
end

--- Lines in the data's units, flat lists; `caps` { x, y } are marked across.
function marks.segments(mark, page, map)
  local runs = {}
  for _, line in ipairs(mark.lines) do
    local run = {}
    for i = 1, #line, 2 do
      local px, py = thin.point(map, line[i], line[i + 1])
      if px then run[#run + 1], run[#run + 2] = px, py end
    end
    if #run >= 4 then runs[#runs + 1] = run end
  end
  page:lines(runs, { color = mark.color, width = mark.linewidth, alpha = mark.alpha, class = mark.class })
  for shape, at in pairs(mark.caps or {}) do
    canvas.markers(page, thin.points(at[1], at[2], map), shape, mark.capsize * 2,
      { color = mark.color, class = "caps" })
  end
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
end

function marks.text(mark, page, map)
  local x, y = thin.point(map, mark.xs[1], mark.ys[1])
  if not x then return end
  page:text(x, y, mark.text, { size = mark.size, anchor = mark.anchor, color = mark.color, class = "note",
    angle = -mark.rotation })
end

return marks
