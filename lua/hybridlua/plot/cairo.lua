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

function Cairo:lines(runs, style)
  for _, run in ipairs(runs) do self.page:path(run, false) end
  local r, g, b, a = self:rgba(style.color, style.alpha)
  self.page:stroke(r, g, b, a, style.width or 1, style.round or false, table.unpack(style.dash or {}))
end

function Cairo:areas(polygons, style)
  for _, polygon in ipairs(polygons) do self.page:path(polygon, true) end
  self.page:fill(self:rgba(style.color, style.alpha))
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
