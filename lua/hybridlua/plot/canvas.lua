-- plot/canvas.lua - what all canvases share. A canvas (svg.lua, cairo.lua, dots.lua of the terminal) has
--   lines(runs, style)          polylines, each a flat list; style: color, width, dash, alpha, round, class, title
--   areas(polygons, style)      filled polygons
--   apart(shapes, style, filled)   the same, each shape on its own, so that transparent ones add up
--   text(x, y, text, style)     style: size, anchor ("start", "middle", "end"), angle in degrees, color, bold
--   image(x, y, w, h, columns, rows, bytes)   red, green, blue of each pixel
--   clip(x, y, w, h), unclip()
-- in points (1/72 inch) from the upper left corner. Colours are those of colors.lua.
local canvas = {}

-- Shapes of markers within a circle of radius 1: polygons to fill, or lines.
local SHAPES = {
  s = { fill = { -0.87, -0.87, 0.87, -0.87, 0.87, 0.87, -0.87, 0.87 } },
  D = { fill = { 0, -1.15, 1.15, 0, 0, 1.15, -1.15, 0 } },
  ["^"] = { fill = { 0, -1, 1, 0.87, -1, 0.87 } },
  v = { fill = { 0, 1, 1, -0.87, -1, -0.87 } },
  x = { lines = { { -0.8, -0.8, 0.8, 0.8 }, { -0.8, 0.8, 0.8, -0.8 } } },
  ["+"] = { lines = { { -1, 0, 1, 0 }, { 0, -1, 0, 1 } } },
  ["_"] = { lines = { { -1, 0, 1, 0 } } }, ["|"] = { lines = { { 0, -1, 0, 1 } } },
}

canvas.MARKERS = { o = true, ["."] = true }
for name in pairs(SHAPES) do canvas.MARKERS[name] = true end

local function moved(shape, x, y, r)
  local to = {}
  for i = 1, #shape, 2 do to[i], to[i + 1] = x + r * shape[i], y + r * shape[i + 1] end
  return to
end

--- Markers at the points of a flat list; size: their diameter. A round one is a line without length and round ends.
function canvas.markers(self, points, marker, size, style)
  local shape, runs = SHAPES[marker], {}
  if marker == "." then size = size / 2 end
  for i = 1, #points, 2 do
    local x, y = points[i], points[i + 1]
    if not shape then runs[#runs + 1] = { x, y, x, y }
    else
      for _, part in ipairs(shape.lines or { shape.fill }) do runs[#runs + 1] = moved(part, x, y, size / 2) end
    end
  end
  local s = { color = style.color, alpha = style.alpha, class = style.class, title = style.title,
              width = shape and 1.2 or size, round = not shape }
  self:apart(runs, s, shape and shape.fill ~= nil)
end

return canvas
