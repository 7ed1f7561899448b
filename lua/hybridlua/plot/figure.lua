-- plot/figure.lua - Figure: rows and columns of axes, and its four forms. Methods of axes work on a figure too: on the
-- current axes, the first ones unless fig:axes(i) chose others.
local arguments = require "hybridlua.language.arguments"
local Axes = require "hybridlua.plot.axes"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local layout = require "hybridlua.plot.layout"

local Figure = class.root("Figure", class.new, "fig")

local read = arguments.new("plot.figure", "size theme rows columns")

--- Figure{size = {6.4, 4.8}, theme = "auto"}: size in inches. theme: "light", "dark", or "auto", an SVG that follows
-- its reader's choice, light in other files.
function Figure:init(...)
  local o = read(...)
  local size = o.size or { 6.4, 4.8 }
  if type(size) ~= "table" or #size ~= 2 then fail "plot.figure: size: expected {width, height} in inches" end
  for i = 1, 2 do
    local x = checks.number("plot.figure: size", size[i])
    if not (x >= 0.5 and x <= 200) then fail("plot.figure: size: expected 0.5 to 200 inches, got %g", x) end
  end
  self.width, self.height = size[1] * 72, size[2] * 72
  self.theme = checks.choice("plot.figure: theme", o.theme or "auto", "auto", "light", "dark")
  self.rows = checks.whole("plot.subplots: rows", o.rows or 1, 1)
  self.columns = checks.whole("plot.subplots: columns", o.columns or 1, 1)
  self.all, self.current = {}, 1
  for i = 1, self.rows * self.columns do self.all[i] = Axes() end
end

local read_axes = arguments.new("plot.axes", "index")

--- The axes of this index, counted from 1 by rows; they become the current ones.
function Figure:axes(...)
  local i = checks.whole("plot.axes: index", read_axes(...).index or self.current, 1)
  if i > #self.all then fail("plot.axes: index: expected at most %d, got %d", #self.all, i) end
  self.current = i
  return self.all[i]
end

for name in Axes.METHODS:gmatch "%a+[_%a]*" do
  Figure[name] = function(self, ...)
    local ax = self.all[self.current]
    ax[name](ax, ...)
    return self
  end
end

local function drawn(self, canvas)
  layout.draw(self, canvas, self.width, self.height)
  return canvas:bytes()
end

--- The SVG's text.
function Figure:svg(...)
  arguments.new("plot.svg", {})(...)
  return drawn(self, require("hybridlua.plot.svg")(self.width, self.height, self.theme))
end

local read_save = arguments.new("plot.save", "path format dpi")

--- Writes a file; the name's end says the form: .svg, .png, .pdf, or .txt, the terminal's. dpi: a PNG's pixels per
-- inch (100).
function Figure:save(...)
  local o = read_save(...)
  local path = checks.string("plot.save: path", o.path)
  local format = o.format or path:match "%.(%a+)$"
  checks.choice("plot.save: format", format and format:lower(), "svg", "png", "pdf", "txt")
  format = format:lower()
  local dpi = checks.number("plot.save: dpi", o.dpi or 100, 1)
  if self.width * self.height / 72 / 72 * dpi * dpi > 4e8 then fail("plot.save: dpi: %g makes too many pixels", dpi) end
  local bytes
  if format == "svg" then bytes = self:svg()
  elseif format == "txt" then bytes = self:text { color = false } .. "\n"
  else
    local theme = self.theme == "dark" and "dark" or "light"
    bytes = drawn(self, require("hybridlua.plot.cairo")(format, self.width, self.height, theme, dpi))
  end
  core.file.save_text(path, bytes)
  return self
end

local read_text = arguments.new("plot.text", "columns rows color")

-- A note within the axes: text(x, y, text); without numbers the figure's own text.
local note = Figure.text

--- text{columns =, rows =, color =}: the figure as text for a terminal, of the terminal's width, else 80. Colours: if
-- standard output is a terminal and NO_COLOR is not set.
function Figure:text(...)
  if select("#", ...) > 1 then return note(self, ...) end
  local o = read_text(...)
  local color = o.color
  if color == nil then color = core.host.colours(1) end
  local columns = checks.whole("plot.text: columns", o.columns or core.host.output_columns() or 80, 12)
  local rows = o.rows and checks.whole("plot.text: rows", o.rows, 2)
  return require("hybridlua.plot.terminal").text(self, columns, rows, color)
end

function Figure:__tostring() return self:text() end

--- Prints the figure's text.
function Figure:show(...)
  arguments.new("plot.show", {})(...)
  print(self:text())
end

return Figure
