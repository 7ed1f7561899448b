-- plot.lua - plots, by matplotlib's names: functions that draw in the current figure, which they return, so the prompt
-- prints it. hl.plot.figure() begins a new one; show() prints the current one and ends it.
local arguments = require "hybridlua.language.arguments"
local Axes = require "hybridlua.plot.axes"
local Figure = require "hybridlua.plot.figure"
local module = require "hybridlua.language.module"

local plot = { Figure = Figure, Axes = Axes }
local current

local function figure_now()
  current = current or Figure()
  return current
end

for name in Axes.METHODS:gmatch "%a+[_%a]*" do
  plot[name] = function(...)
    local figure = figure_now()
    local ax = figure.all[figure.current]
    ax[name](ax, ...)
    return figure
  end
end

--- plot.figure{size = {6.4, 4.8}, theme = "auto"}: a new current figure.
function plot.figure(...)
  current = Figure(...)
  return current
end

local read_subplots = arguments.new("plot.subplots", "rows columns size theme")

--- plot.subplots(rows, columns, {size =, theme =}): a new figure and its axes: axes[row][column], both from 1; one list
-- if there is one row or one column; without arguments one Axes.
function plot.subplots(...)
  local o = read_subplots(...)
  current = Figure(o)
  local list = current.all
  if #list == 1 then return current, list[1] end
  if current.rows == 1 or current.columns == 1 then return current, table.move(list, 1, #list, 1, {}) end
  local axes = {}
  for r = 1, current.rows do
    axes[r] = table.move(list, (r - 1) * current.columns + 1, r * current.columns, 1, {})
  end
  return current, axes
end

--- plot.live{title =, yscale =, ...}: curves of a training loop, drawn while it runs; see plot/live.lua.
function plot.live(...) return require "hybridlua.plot.live"(...) end

--- The current figure.
plot.gcf = arguments.taking("plot.gcf", "", figure_now)

--- Saves the current figure: save(path, {dpi = 100}).
function plot.save(...) return figure_now():save(...) end
plot.savefig = plot.save

--- Prints the current figure as text and ends it.
plot.show = arguments.taking("plot.show", "", function()
  local figure = figure_now()
  current = nil
  figure:show()
end)

--- Ends the current figure: the next function begins a new one.
plot.close = arguments.taking("plot.close", "", function() current = nil end)

return module(plot, "hybridlua.plot")
