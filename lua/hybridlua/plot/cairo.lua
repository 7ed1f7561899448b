-- plot/cairo.lua - a canvas that draws by cairo (src/bind/host/cairo_page.c), as PNG or PDF.
local class = require "hybridlua.language.class"
local colors = require "hybridlua.plot.colors"
local core = require "hybridlua.core"
local font = require "hybridlua.plot.font"

local Cairo = class.root("CairoCanvas", class.new)

--- format: "png" or "pdf"; dpi: pixels per inch of a PNG.
function Cairo:init(format, width, height, theme, dpi)
  self.page = core.page.new(format, width, height, dpi / 72)
  self.theme = colors.themes[theme]
end

function Cairo:rgba(color, alpha)
  local r, g, b = colors.rgb(color, self.theme)
  return r / 255, g / 255, b / 255, alpha or 1
end

-- Strokes a long path in pieces: cairo's time grows with the square of a path's length. Each piece but the first begins
-- with the last segment of the one before, so that the joint between them is drawn.
local PIECE = 200

function Cairo:stroke(run, style)
  local r, g, b, a = self:rgba(style.color, style.alpha)
  local dash = style.dash or {}
  for from = 1, #run - 2, 2 * PIECE do
    local first = math.max(1, from - 2)
    self.page:path(run, false, first, math.min(#run, from + 2 * PIECE + 1))
    self.page:stroke(r, g, b, a, style.width or 1, style.round or false, table.unpack(dash))
  end
end

-- Draws opaquely what is then painted with the style's opacity as a whole.
local function as_one(self, style, draw)
  if (style.alpha or 1) >= 1 then return draw(style) end
  self.page:push_group()
  draw(setmetatable({ alpha = 1 }, { __index = style }))
  self.page:pop_group(style.alpha)
end

function Cairo:lines(runs, style)
  as_one(self, style, function(opaque)
    for _, run in ipairs(runs) do self:stroke(run, opaque) end
  end)
end

function Cairo:areas(polygons, style)
  for _, polygon in ipairs(polygons) do self.page:path(polygon, true) end
  self.page:fill(self:rgba(style.color, style.alpha))
end

local TOGETHER = 16      -- opaque shapes of one stroke

function Cairo:apart(shapes, style, filled)
  local r, g, b, a = self:rgba(style.color, style.alpha)
  local page, width, round = self.page, style.width or 1, style.round or false
  local together = a < 1 and 1 or TOGETHER
  for i, shape in ipairs(shapes) do
    page:path(shape, filled)
    if i % together == 0 or i == #shapes then
      if filled then page:fill(r, g, b, a) else page:stroke(r, g, b, a, width, round) end
    end
  end
end

local PARTS = { start = 0, middle = 0.5, ["end"] = 1 }

function Cairo:text(x, y, text, style)
  local r, g, b, a = self:rgba(style.color or "ink", style.alpha)
  self.page:text(x, y, font.clean(text), style.size, PARTS[style.anchor or "start"], math.rad(style.angle or 0),
    r, g, b, a, style.bold or false)
end

function Cairo:image(...) self.page:image(...) end
function Cairo:clip(...) self.page:clip_to(...) end
function Cairo:unclip() self.page:unclip() end
function Cairo:bytes() return self.page:bytes() end

return Cairo
