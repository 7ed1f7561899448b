-- plot/live.lua - hl.plot.live: curves of a training loop that are drawn while it runs:
--
--   local live = hl.plot.live{title = "training"}
--   for data, label in hl.progress(loader) do
--     ...
--     live:add{loss = l}
--   end
--   live:close()
--
-- On a terminal the curves are above the progress bar, if there is one. They are redrawn every `every` seconds, less
-- often if drawing would take more than 1.5% of the time. Elsewhere (a log file) a line of values is written instead,
-- without control codes. Both go to standard error.
local arguments = require "hybridlua.language.arguments"
local block = require "hybridlua.language.terminal_block"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local History = require "hybridlua.plot.history"
local is_array, seconds = core.array.is, core.host.seconds

local Live = class.root("LiveCurve", class.new, "live")

local EVERY, EVERY_LINE = 0.2, 1     -- seconds between drawings, and between lines of a file
local SHARE = 66                     -- drawing takes at most this part of the time
local MOST_COLUMNS = 100

local read = arguments.new("plot.live", "title xlabel yscale every rows columns color file")

--- plot.live{title = nil, xlabel = "update", yscale = "linear", every = nil, rows = 12}: curves that grow. yscale: the
-- scale of the values, "linear" or "log". every: seconds between drawings (0.2), or between lines of a file (1). rows:
-- the height of the curves.
function Live:init(...)
  local o = read(...)
  self.title = o.title and checks.string("plot.live: title", o.title)
  self.xlabel = checks.string("plot.live: xlabel", o.xlabel or "update")
  self.yscale = checks.choice("plot.live: yscale", o.yscale or "linear", "linear", "log")
  self.rows = checks.whole("plot.live: rows", o.rows or 12, 2)
  self.file = o.file or io.stderr
  if o.columns ~= nil then self.columns = o.columns else self.columns = core.host.error_columns() end
  self.every = checks.number("plot.live: every", o.every or (self.columns and EVERY or EVERY_LINE), 0)
  self.color = o.color
  if self.color == nil then self.color = core.host.colours(2) end
  self.updates, self.names, self.curves, self.values, self.next_time = 0, {}, {}, {}, -math.huge
end

local function number_of(name, x)
  if type(x) == "number" then return x end
  if is_array(x) and x.size == 1 then return x:asscalar() end
  fail("plot.live: add: %s: expected a number or an array of one element, got %s", tostring(name),
    is_array(x) and ("an array of %d"):format(x.size) or type(x))
end

local function add_value(self, name, x, value)
  local curve = self.curves[name]
  if not curve then
    if type(name) ~= "string" then
      fail("plot.live: add: expected names of values, such as {loss = 0.5}, got the key %s", tostring(name))
    end
    curve = History()
    self.curves[name], self.names[#self.names + 1] = curve, name
    table.sort(self.names)
  end
  value = number_of(name, value)
  self.values[name] = value
  curve:add(x, value)
end

--- A figure of the curves so far, to be saved or printed.
function Live:figure()
  local figure = require "hybridlua.plot.figure"()
  for _, name in ipairs(self.names) do
    local xs, ys = self.curves[name]:points()
    figure:plot(xs, ys, { label = name })
  end
  if self.title then figure:title(self.title) end
  return figure:xlabel(self.xlabel):yscale(self.yscale):legend()
end

-- The lines on the terminal; the last values are in the legend.
function Live:_lines()
  local figure = self:figure()
  for _, mark in ipairs(figure.all[1].marks) do mark.label = ("%s %.4g"):format(mark.label, self.values[mark.label]) end
  local columns = math.max(12, math.min(MOST_COLUMNS, (self.columns or 80) - 1))
  local lines = {}
  for line in (figure:text { columns = columns, rows = self.rows, color = self.color } .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

local function line_of(self)
  local parts = {}
  for i, name in ipairs(self.names) do parts[i] = ("%s %.4g"):format(name, self.values[name]) end
  local title = self.title and self.title .. ": " or ""
  return ("%s%s %s: %s\n"):format(title, self.xlabel, self.x, table.concat(parts, ", "))
end

local function show(self, now)
  self.written = self.updates
  if not self.columns then
    self.file:write(line_of(self))
    self.next_time = now + self.every
    return
  end
  if self.file == io.stderr then
    block.on.panel = self
    block.hook()
    block.draw()
  else
    self.file:write(table.concat(self:_lines(), "\n"), "\n")
  end
  local after = seconds()
  self.next_time = after + math.max(self.every, (after - now) * SHARE)
end

local read_add = arguments.new("plot.live: add", "values{} x")

--- add({loss = 0.5, ...}, {x = nil}): the next value of each curve: numbers or arrays of one element. x: the update's
-- number, from 1 unless it is given.
function Live:add(values, x)
  if type(x) == "table" then x = read_add(values, x).x end
  if type(values) ~= "table" or getmetatable(values) then
    fail("plot.live: add: expected a table such as {loss = 0.5}, got %s",
      is_array(values) and "an array" or type(values))
  end
  self.updates = self.updates + 1
  x = x == nil and self.updates or checks.number("plot.live: add: x", x)
  self.x = x
  for name, value in next, values do add_value(self, name, x, value) end
  local now = seconds()
  if now >= self.next_time and not self.closed then show(self, now) end
  return self
end

--- Draws the curves a last time and leaves them on the screen.
function Live:close()
  if self.closed then return end
  self.closed = true
  if self.updates == 0 then return end
  if self.file ~= io.stderr or not self.columns then
    if self.written ~= self.updates then show(self, seconds()) end
  elseif block.on.panel == self or not block.on.panel then
    block.on.panel = self
    block.leave_panel()
  end
end

Live.__close = Live.close
arguments.methods(Live, "plot.live: ", { close = "", figure = "" })

return Live
