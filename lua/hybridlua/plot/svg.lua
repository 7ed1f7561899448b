-- plot/svg.lua - a canvas that writes SVG. With the theme "auto" the page has two colour schemes, and the reader's
-- choice of light or dark decides; viewers without it show the light one. Coordinates have two decimals; those
-- in a path are relative to the previous one, in hundredths, so that errors do not add up.
local class = require "hybridlua.language.class"
local colors = require "hybridlua.plot.colors"
local font = require "hybridlua.plot.font"
local core = require "hybridlua.core"
local escaped = require "hybridlua.language.xml_text"

local Svg = class.root("SvgCanvas", class.new)

-- Hundredths as a short number: 1.5, .25, -3
local function short(n)
  if n % 100 == 0 then return ("%d"):format(n // 100) end
  local text = ("%.2f"):format(n / 100):gsub("0$", "")
  return (text:gsub("^(%-?)0%.", "%1."))
end

local function number(x) return short(math.floor(x * 100 + 0.5)) end

function Svg:init(width, height, theme)
  self.parts, self.width, self.height, self.theme, self.clips = {}, width, height, theme, 0
end

function Svg:put(format, ...) self.parts[#self.parts + 1] = format:format(...) end

-- Class and attribute of a colour. The page's colours are the light theme's, which CSS replaces by the class.
function Svg:paint(kind, style)
  local color, classes = style.color or "ink", style.class
  if color:sub(1, 1) ~= "#" then
    if self.theme == "auto" then classes = (classes and classes .. " " or "") .. kind:sub(1, 1) .. color:sub(1, 1) end
    color = colors.themes[self.theme == "dark" and "dark" or "light"][color]
  end
  return ('%s%s %s="%s"'):format(classes and (' class="%s"'):format(classes) or "",
    style.alpha and style.alpha < 1 and (' opacity="%.3g"'):format(style.alpha) or "", kind, color)
end

local path_of = core.plot.path

local function paths_of(runs, closed)
  local all = {}
  for i, run in ipairs(runs) do all[i] = path_of(run, closed) end
  return table.concat(all)
end

-- The end of an element: closed, or with the title that readers show as a hint.
local function ended(name, style)
  if not style.title then return "/>" end
  return ("><title>%s</title></%s>"):format(escaped(style.title), name)
end

local function pen_of(style)
  local dash = style.dash and (' stroke-dasharray="%s"'):format(table.concat(style.dash, " ")) or ""
  return ('fill="none" stroke-width="%s"%s%s'):format(number(style.width or 1),
    style.round and ' stroke-linecap="round"' or "", dash)
end

function Svg:lines(runs, style)
  if #runs == 0 then return end
  self:put('<path%s %s d="%s"%s', self:paint("stroke", style), pen_of(style), paths_of(runs), ended("path", style))
end

function Svg:areas(polygons, style)
  if #polygons == 0 then return end
  self:put('<path%s d="%s"%s', self:paint("fill", style), paths_of(polygons, true), ended("path", style))
end

function Svg:apart(shapes, style, filled)
  if (style.alpha or 1) >= 1 or #shapes < 2 then
    if filled then self:areas(shapes, style) else self:lines(shapes, style) end
    return
  end
  local parts = {}
  for i, shape in ipairs(shapes) do parts[i] = ('<path d="%s"/>'):format(path_of(shape, filled)) end
  local kind = filled and "fill" or "stroke"
  local paint = self:paint(kind, setmetatable({ alpha = 1 }, { __index = style }))
  self:put('<g%s %s-opacity="%.3g"%s>%s%s</g>', paint, kind, style.alpha, filled and "" or " " .. pen_of(style),
    style.title and ("<title>%s</title>"):format(escaped(style.title)) or "", table.concat(parts))
end

function Svg:text(x, y, text, style)
  local turn = style.angle and style.angle ~= 0 and
    (' transform="rotate(%s %s %s)"'):format(number(style.angle), number(x), number(y)) or ""
  self:put('<text%s x="%s" y="%s" font-size="%s"%s%s%s>%s</text>', self:paint("fill", style), number(x), number(y),
    number(style.size), style.anchor and style.anchor ~= "start" and (' text-anchor="%s"'):format(style.anchor) or "",
    style.bold and ' font-weight="bold"' or "", turn, escaped(font.clean(text)))
end

--- A picture is a PNG within the SVG. Its pixels are repeated: viewers smooth a small one.
function Svg:image(x, y, w, h, columns, rows, bytes)
  local times, lines = math.max(1, math.ceil(256 / math.max(columns, rows))), {}
  for row = 0, times > 1 and rows - 1 or -1 do
    local line = bytes:sub(row * columns * 3 + 1, (row + 1) * columns * 3)
    lines[row + 1] = line:gsub("...", function(pixel) return pixel:rep(times) end):rep(times)
  end
  if times > 1 then bytes = table.concat(lines) end
  local indices, palette = core.plot.indexed(bytes)
  local pixels = core.array.from_bytes(indices or bytes, { rows * times, columns * times, indices and 1 or 3 }, "uint8")
  self:put('<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" ' ..
    'style="image-rendering:pixelated" href="data:image/png;base64,%s"/>', number(x), number(y), number(w), number(h),
    core.plot.base64(core.file.encode_picture(pixels, palette)))
end

function Svg:clip(x, y, w, h)
  self.clips = self.clips + 1
  self:put('<clipPath id="c%d"><path d="%s"/></clipPath><g clip-path="url(#c%d)">', self.clips,
    path_of({ x, y, x + w, y, x + w, y + h, x, y + h }, true), self.clips)
end

function Svg:unclip() self:put "</g>" end

--- The whole text.
function Svg:bytes()
  local dark = colors.themes.dark
  local style = self.theme == "auto" and ("<style>@media(prefers-color-scheme:dark){.fi{fill:%s}.si{stroke:%s}" ..
    ".fp{fill:%s}.sp{stroke:%s}.sg{stroke:%s}}</style>\n"):format(dark.ink, dark.ink, dark.paper, dark.paper,
    dark.grid) or ""
  return ('<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" ' ..
    'font-family="DejaVu Sans,Verdana,Helvetica,Arial,sans-serif" stroke-linejoin="round">\n%s%s\n</svg>\n'):format(
    number(self.width * 4 / 3), number(self.height * 4 / 3), number(self.width), number(self.height), style,
    table.concat(self.parts, "\n"))
end

return Svg
