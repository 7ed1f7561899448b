-- plot/axes.lua - Axes: one coordinate system with its marks. Methods have matplotlib's names and return the axes.
local arguments = require "hybridlua.language.arguments"
local canvas = require "hybridlua.plot.canvas"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local colors = require "hybridlua.plot.colors"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local layout = require "hybridlua.plot.layout"
local marks = require "hybridlua.plot.marks"
local nearest = require "hybridlua.language.nearest_name"
local values = require "hybridlua.plot.values"

local Axes = class.root("Axes", class.new, "ax")

function Axes:init(...)
  arguments.new("plot.Axes", {})(...)
  self.marks, self.lines_drawn, self.x, self.y = {}, 0, {}, {}
end

local function reader(name, names) return arguments.new("plot." .. name, names) end

-- The next colour of the cycle, or the given one.
local function take_color(self, what, color)
  if color then return colors.of(what .. ": color", color) end
  self.lines_drawn = self.lines_drawn + 1
  return colors.cycle[(self.lines_drawn - 1) % #colors.cycle + 1]
end

local function one_of(what, x, known)
  if known[x] == nil then
    fail("%s: unknown value '%s'%s", what, tostring(x), nearest.hint(tostring(x), known))
  end
  return x
end

local function add(self, what, o, mark)
  mark.label = o.label and checks.string(what .. ": label", o.label)
  mark.alpha = o.alpha and checks.probability(what .. ": alpha", o.alpha) or mark.alpha
  mark.linewidth = o.linewidth and checks.number(what .. ": linewidth", o.linewidth, 0) or mark.linewidth or 1.5
  mark.linestyle = mark.linestyle or o.linestyle and one_of(what .. ": linestyle", o.linestyle, marks.DASHES) or "-"
  self.marks[#self.marks + 1] = mark
  return self
end

local read_plot = reader("plot", "x[] y[] label color linestyle marker linewidth markersize alpha")

--- A line through points, plot(x, y) or plot(y) with x = 0, 1, ... linestyle: "-", "--", "-.", ":", "" (none).
function Axes:plot(...)
  local o = read_plot(...)
  local xs, ys = values.pair("plot.plot", o.x, o.y)
  local none = o.linestyle == "" or o.linestyle == "none"
  if none then o.linestyle = nil end
  return add(self, "plot.plot", o, { draw = marks.line, xs = xs, ys = ys, key = none and "point" or "line",
    linestyle = none and "" or nil, color = take_color(self, "plot.plot", o.color),
    marker = o.marker and one_of("plot.plot: marker", o.marker, canvas.MARKERS),
    size = checks.number("plot.plot: markersize", o.markersize or 6, 0) })
end

local read_scatter = reader("scatter", "x[] y[] s c label color marker cmap vmin vmax alpha")

--- Points. s: area of the markers (36), one or one for each; c: a number for each, coloured by the map cmap.
function Axes:scatter(...)
  local o = read_scatter(...)
  if o.y == nil then fail "plot.scatter: y: expected an array or a table of numbers, got nothing" end
  local xs, ys = values.pair("plot.scatter", o.x, o.y)
  local numbers = o.c ~= nil and type(o.c) ~= "string" and values.list_of("plot.scatter: c", o.c, #xs) or nil
  local lo, hi = values.range(numbers or {})
  local sizes = o.s ~= nil and type(o.s) ~= "number" and values.list_of("plot.scatter: s", o.s, #xs) or nil
  return add(self, "plot.scatter", o, { draw = marks.points, xs = xs, ys = ys, key = "point", values = numbers,
    color = take_color(self, "plot.scatter", o.color or type(o.c) == "string" and o.c or nil),
    cmap = numbers and colors.map("plot.scatter: cmap", o.cmap or "viridis"), vmin = o.vmin or lo or 0,
    vmax = o.vmax or hi or 1, sizes = sizes, size = sizes and 6 or checks.number("plot.scatter: s", o.s or 36, 0) ^ 0.5,
    marker = one_of("plot.scatter: marker", o.marker or "o", canvas.MARKERS) })
end

-- Boxes: lists of their left, lower, right and upper ends.
local function add_boxes(self, what, o, boxes)
  local xs, ys, n = {}, {}, #boxes[1]
  table.move(boxes[1], 1, n, 1, xs)
  table.move(boxes[3], 1, n, n + 1, xs)
  table.move(boxes[2], 1, n, 1, ys)
  table.move(boxes[4], 1, n, n + 1, ys)
  return add(self, what, o, { draw = marks.boxes, boxes = boxes, xs = xs, ys = ys, key = "area", zero = "y",
    color = take_color(self, what, o.color) })
end

local read_bar = reader("bar", "x[] height[] width bottom label color alpha")

--- Bars of these heights at x, numbers or names.
function Axes:bar(...)
  local o = read_bar(...)
  if o.height == nil then fail "plot.bar: height: expected an array or a table of numbers, got nothing" end
  local x = o.x
  if type(x) == "table" and not getmetatable(x) and type(x[1]) == "string" then
    local places = {}
    for i, name in ipairs(x) do
      checks.string("plot.bar: x", name)
      places[i] = i - 1
    end
    self.x.places, self.x.labels, x = places, x, places
  end
  local xs, heights = values.pair("plot.bar", x, o.height)
  local widths = values.list_of("plot.bar: width", o.width or 0.8, #xs)
  local bottoms = values.list_of("plot.bar: bottom", o.bottom or 0, #xs)
  local left, right, top = {}, {}, {}
  for i = 1, #xs do
    left[i], right[i], top[i] = xs[i] - widths[i] / 2, xs[i] + widths[i] / 2, bottoms[i] + heights[i]
  end
  return add_boxes(self, "plot.bar", o, { left, bottoms, right, top })
end

local read_hist = reader("hist", "x[] bins range density label color alpha")

--- A histogram in `bins` (10) intervals of equal width, or between the edges of a list. NaN and infinities are not
-- counted. density: the area is 1.
function Axes:hist(...)
  local o = read_hist(...)
  local list = values.list("plot.hist: x", o.x)
  local edges
  if o.bins ~= nil and type(o.bins) ~= "number" then
    edges = values.list("plot.hist: bins", o.bins)
    if #edges < 2 then fail("plot.hist: bins: expected at least 2 edges, got %d", #edges) end
    for i = 2, #edges do
      local rises = edges[i] > edges[i - 1]                         -- false for NaN
      if not rises then fail "plot.hist: bins: expected increasing edges" end
    end
  else
    local n = checks.whole("plot.hist: bins", o.bins or 10, 1)
    local lo, hi = values.range(list)
    if o.range then lo, hi = table.unpack(values.list_of("plot.hist: range", o.range, 2)) end
    lo, hi = lo or 0, hi or 1
    local ordered = lo <= hi                                        -- false for NaN
    if not ordered then fail("plot.hist: range: expected lower <= upper, got %g and %g", lo, hi) end
    if lo == hi then lo, hi = lo - 0.5, hi + 0.5 end
    edges = {}
    for i = 0, n do edges[i + 1] = lo + (hi - lo) * i / n end
  end
  local counts, total = core.plot.bins(list, edges)
  local left, right, bottom, n = {}, {}, {}, #counts
  for i = 1, n do
    left[i], right[i], bottom[i] = edges[i], edges[i + 1], 0
    if o.density then counts[i] = total > 0 and counts[i] / total / (edges[i + 1] - edges[i]) or 0 end
  end
  return add_boxes(self, "plot.hist", o, { left, bottom, right, counts })
end

-- ---- Grids --------------------------------------------------------------------------------------------------------

local function coloured(what, o, list, channels, dtype)
  if channels then return core.plot.pixels(list, channels, dtype == "uint8" and 1 or 255) end
  local map = colors.map(what .. ": cmap", o.cmap or "viridis")
  local lo, hi = values.range(list)
  lo = o.vmin and checks.number(what .. ": vmin", o.vmin) or lo or 0
  hi = o.vmax and checks.number(what .. ": vmax", o.vmax) or hi or 1
  return core.plot.colours(list, map.bytes, lo, hi), map, lo, hi
end

-- Runs of NaN: { row, first column, last column }, counted from 0.
local function missing(list, rows, columns)
  local runs = {}
  for r = 0, rows - 1 do
    local from
    for c = 0, columns do
      local v = c < columns and list[r * columns + c + 1]
      if v and v ~= v then from = from or c
      elseif from then runs[#runs + 1], from = { r, from, c - 1 }, nil end
    end
  end
  return runs
end

local function add_image(self, what, o, upper)
  local list, rows, columns, channels, dtype = values.grid(what .. ": z", o.z, true)
  if rows * columns == 0 then fail("%s: z: expected at least one row and column, got %d x %d", what, rows, columns) end
  local pixels, map, lo, hi = coloured(what, o, list, channels, dtype)
  local e = o.extent and values.list_of(what .. ": extent", o.extent, 4) or
    { -0.5, columns - 0.5, -0.5, rows - 0.5 }
  if upper then
    self.y.inverted = true
    if not o.extent then e = { e[1], e[2], e[4], e[3] } end
  end
  self.colorbar = o.colorbar and map and { map = map, lo = lo, hi = hi } or self.colorbar
  self.equal = o.aspect ~= "auto" and upper
  local row = columns * 3
  if not upper then                                                -- the first row is the lowest
    local turned = {}
    for r = rows, 1, -1 do turned[#turned + 1] = pixels:sub((r - 1) * row + 1, r * row) end
    pixels = table.concat(turned)
  end
  return add(self, what, o, { draw = marks.image, pixels = pixels, rows = rows, columns = columns, extent = e,
    xs = { e[1], e[2] }, ys = { e[3], e[4] }, tight = true,
    whole = not o.extent, missing = not channels and missing(list, rows, columns) or {}, upper = upper })
end

local IMAGE = "z[] cmap vmin vmax extent aspect colorbar"
local read_imshow, read_heatmap = reader("imshow", IMAGE), reader("heatmap", IMAGE)

--- A picture: (rows, columns) by a colour map, or (rows, columns, 3 or 4) of uint8 or of numbers from 0 to 1. The first
-- row is the upper one.
function Axes:imshow(...) return add_image(self, "plot.imshow", read_imshow(...), true) end

--- A matrix by a colour map, with a colour bar. The first row is the lowest; cells fill the axes.
function Axes:heatmap(...)
  local o = read_heatmap(...)
  if o.colorbar == nil then o.colorbar = true end
  return add_image(self, "plot.heatmap", o, false)
end

local read_contour = reader("contour", "x[] y[] z[] levels cmap color linewidth alpha label")

--- Lines of equal height of z, at `levels` (8, or a list): contour(z) or contour(x, y, z).
function Axes:contour(...)
  local o, what = read_contour(...), "plot.contour"
  if o.z == nil and o.y == nil then o.x, o.z = nil, o.x end
  local z, rows, columns = values.grid(what .. ": z", o.z)
  local xs, ys = {}, {}
  for i = 1, columns do xs[i] = i - 1 end
  for i = 1, rows do ys[i] = i - 1 end
  if o.x ~= nil then xs, ys = values.list_of(what .. ": x", o.x, columns), values.list_of(what .. ": y", o.y, rows) end
  local lo, hi = values.range(z)
  local levels = type(o.levels) ~= "number" and o.levels ~= nil and values.list(what .. ": levels", o.levels) or nil
  if not levels then
    local n = checks.whole(what .. ": levels", o.levels or 8, 1)
    levels = {}
    for i = 1, lo and hi > lo and n or 0 do levels[i] = lo + (hi - lo) * i / (n + 1) end
  end
  local map = colors.map(what .. ": cmap", o.cmap or "viridis")
  local from, to = values.range(levels)
  local given = o.color and colors.of(what .. ": color", o.color)
  for i, level in ipairs(levels) do
    local c = colors.at(map, level, from, to)
    add(self, what, i == 1 and o or { alpha = o.alpha, linewidth = o.linewidth }, { draw = marks.contour, z = z,
      gx = xs, gy = ys, level = level, xs = { xs[1], xs[#xs] }, ys = { ys[1], ys[#ys] }, tight = true, key = "line",
      whole = o.x == nil, color = given or c and colors.hex(c) or "#7f7f7f" })
  end
  return self
end

-- ---- Errors, areas, notes -----------------------------------------------------------------------------------------

local read_errorbar = reader("errorbar", "x[] y[] yerr xerr label color marker linestyle linewidth capsize alpha")

--- A line with bars from y - yerr to y + yerr, and from x - xerr to x + xerr.
function Axes:errorbar(...)
  local o, what = read_errorbar(...), "plot.errorbar"
  local xs, ys = values.pair(what, o.x, o.y)
  local color, bars, all_x, all_y = take_color(self, what, o.color), {}, {}, {}
  for name, axis in pairs { yerr = "y", xerr = "x" } do
    local at, middle = axis == "y" and xs or ys, axis == "y" and ys or xs
    local widths = o[name] ~= nil and values.list_of(what .. ": " .. name, o[name], #xs)
    local lower, upper = {}, {}
    for i = 1, widths and #xs or 0 do
      local width = widths[i]
      if width < 0 then fail("%s: %s: expected no negative number, got %g", what, name, width) end
      lower[i], upper[i] = middle[i] - width, middle[i] + width
    end
    if widths then
      bars[axis] = { at, lower, upper }
      local along, across = axis == "y" and all_y or all_x, axis == "y" and all_x or all_y
      for _, list in ipairs { lower, upper } do
        table.move(list, 1, #xs, #along + 1, along)
        table.move(at, 1, #xs, #across + 1, across)
      end
    end
  end
  add(self, what, { linewidth = o.linewidth, alpha = o.alpha }, { draw = marks.errors, bars = bars, xs = all_x,
    ys = all_y, color = color, capsize = checks.number(what .. ": capsize", o.capsize or 3, 0) })
  return self:plot(xs, ys, { label = o.label, color = color, marker = o.marker, linestyle = o.linestyle,
    linewidth = o.linewidth, alpha = o.alpha })
end

local read_between = reader("fill_between", "x[] y1[] y2 label color alpha")

--- The area between y1 and y2 (0).
function Axes:fill_between(...)
  local o, what = read_between(...), "plot.fill_between"
  local xs, lower = values.pair(what, o.x, o.y1)
  local upper = values.list_of(what .. ": y2", o.y2 or 0, #xs)
  local all_y = table.move(upper, 1, #upper, #lower + 1, table.move(lower, 1, #lower, 1, {}))
  return add(self, what, o, { draw = marks.band, at = xs, lower = lower, upper = upper, xs = xs, ys = all_y,
    key = "area", alpha = 0.3, color = take_color(self, what, o.color) })
end

for name, axis in pairs { axhline = "y", axvline = "x" } do
  local what = "plot." .. name
  local read = reader(name, axis .. " label color linestyle linewidth alpha")
  Axes[name] = function(self, ...)
    local o = read(...)
    local value = checks.number(("%s: %s"):format(what, axis), o[axis] or 0)
    return add(self, what, o, { draw = marks.across, axis = axis, value = value, key = "line",
      xs = { axis == "x" and value or nil }, ys = { axis == "y" and value or nil },
      color = take_color(self, what, o.color) })
  end
end

local read_text = reader("text", "x y text color size anchor rotation")
local ANCHORS = { start = true, middle = true, ["end"] = true }

--- A text at a place of the data. anchor: which part of it is there, "start", "middle" or "end".
function Axes:text(...)
  local o, what = read_text(...), "plot.text"
  return add(self, what, {}, { draw = marks.text, xs = { checks.number(what .. ": x", o.x) },
    ys = { checks.number(what .. ": y", o.y) }, text = checks.string(what .. ": text", o.text),
    color = colors.of(what .. ": color", o.color or "ink"), size = checks.number(what .. ": size", o.size or 10, 1),
    anchor = one_of(what .. ": anchor", o.anchor or "start", ANCHORS),
    rotation = checks.number(what .. ": rotation", o.rotation or 0) })
end

-- ---- The axes themselves ------------------------------------------------------------------------------------------

for name, field in pairs { title = "title_text", xlabel = "x_text", ylabel = "y_text" } do
  local read = reader(name, "text")
  Axes[name] = function(self, ...)
    self[field] = checks.string(("plot.%s: text"):format(name), read(...).text)
    return self
  end
end

for _, axis in ipairs { "x", "y" } do
  local limit, scale, places = axis .. "lim", axis .. "scale", axis .. "ticks"
  local read_lim, read_scale = reader(limit, "lower upper"), reader(scale, "scale")
  Axes[limit] = function(self, ...)
    local o = read_lim(...)
    local what = "plot." .. limit
    local lo, hi = checks.number(what .. ": lower", o.lower), checks.number(what .. ": upper", o.upper)
    if lo - lo ~= 0 or hi - hi ~= 0 or lo == hi then
      fail("%s: expected two different finite numbers, got %g and %g", what, lo, hi)
    end
    self[axis].lo, self[axis].hi = lo, hi
    return self
  end
  Axes[scale] = function(self, ...)
    self[axis].log = checks.choice(("plot.%s: scale"):format(scale), read_scale(...).scale, "linear", "log") == "log"
    return self
  end
  local read_ticks = reader(places, "places[] labels[]")
  Axes[places] = function(self, ...)
    local o = read_ticks(...)
    self[axis].places = values.list(("plot.%s: places"):format(places), o.places)
    local labels = o.labels or {}
    for i, v in ipairs(self[axis].places) do if o.labels == nil then labels[i] = ("%.6g"):format(v) end end
    if #labels ~= #self[axis].places then
      fail("plot.%s: labels: expected %d, got %d", places, #self[axis].places, #labels)
    end
    for i, label in ipairs(labels) do labels[i] = tostring(label) end
    self[axis].labels = labels
    return self
  end
end

local read_legend = reader("legend", "loc")

--- Names the marks that have labels. loc: "best" (where it covers least), "upper right",
-- "center left", ...
function Axes:legend(...)
  self.legend_at = one_of("plot.legend: loc", read_legend(...).loc or "best", layout.LOCATIONS)
  return self
end

local read_grid = reader("grid", "visible")

function Axes:grid(...)
  local visible = read_grid(...).visible
  self.has_grid = visible == nil or checks.boolean("plot.grid: visible", visible)
  return self
end

Axes.METHODS =
  "plot scatter hist bar imshow heatmap contour errorbar fill_between axhline axvline text title xlabel " ..
  "ylabel xlim ylim xscale yscale xticks yticks legend grid"

return Axes
