-- plot/layout.lua - draws a figure on a canvas: places the axes, so that their labels fit, then draws frames, ticks,
-- marks, legends and colour bars. Lengths are in points; sizes are matplotlib's defaults.
local font = require "hybridlua.plot.font"
local marks = require "hybridlua.plot.marks"
local thin = require "hybridlua.plot.thin"
local ticks = require "hybridlua.plot.ticks"
local values = require "hybridlua.plot.values"

local layout = {}

local SIZE, TITLE, TICK, GAP = 10, 12, 3.5, 3.5
local TURN, RISE, RUN = -35, 0.574, 0.819  -- degrees of turned labels; their sine and cosine
local BAR, BAR_GAP = 12, 10                -- a colour bar and the space to its left

--- The range of an axis ("x" or "y") of the marks: lower, upper.
function layout.limits(ax, axis)
  local set, lo, hi, tight, zero = ax[axis], nil, nil, false, false
  if set.lo and not (set.log and (set.lo <= 0 or set.hi <= 0)) then return set.lo, set.hi end
  for _, mark in ipairs(ax.marks) do
    local a, b = values.range(mark[axis .. "s"], set.log)
    if a then lo, hi = math.min(lo or a, a), math.max(hi or b, b) end
    tight = tight or mark.tight
    zero = zero or mark.zero == axis
  end
  local from, to = ticks.limits(lo, hi, set.log, tight)
  if zero and not set.log and lo then                            -- bars begin at the axis
    if lo == 0 and hi > 0 then from = 0 elseif hi == 0 and lo < 0 then to = 0 end
  end
  if set.inverted then from, to = to, from end
  return from, to
end

--- The ticks of an axis for about `most` intervals.
function layout.ticks_of(ax, axis, lo, hi, most)
  local set = ax[axis]
  if set.places then
    local places, labels, a, b = {}, {}, math.min(lo, hi), math.max(lo, hi)
    for i, v in ipairs(set.places) do
      if v >= a and v <= b then places[#places + 1], labels[#labels + 1] = v, font.clean(set.labels[i]) end
    end
    return { places = places, labels = labels, minor = {}, note = "" }
  end
  local whole = #ax.marks > 0
  for _, mark in ipairs(ax.marks) do whole = whole and mark.whole end
  return ticks.between(lo, hi, set.log, most, whole)
end

--- The map of thin.lua from ranges to a box of the page.
function layout.map(ax, x, y, box, grain)
  local map = { logx = ax.x.log, logy = ax.y.log, left = box.x, right = box.x + box.w, top = box.y,
                bottom = box.y + box.h, grain = grain }
  local x0, x1, y0, y1 = x[1], x[2], y[1], y[2]
  if map.logx then x0, x1 = math.log(x0, 10), math.log(x1, 10) end
  if map.logy then y0, y1 = math.log(y0, 10), math.log(y1, 10) end
  map.bx, map.by = box.w / (x1 - x0), -box.h / (y1 - y0)
  if x1 - x0 == math.huge then map.bx = box.w / x1 / 2 end           -- the widest ranges overflow
  if y1 - y0 == math.huge then map.by = -box.h / y1 / 2 end
  map.ax, map.ay = box.x - map.bx * x0, box.y + box.h - map.by * y0
  return map
end

local function widest(labels, size)
  local most = 0
  for _, label in ipairs(labels) do most = math.max(most, font.width(label, size)) end
  return most
end

-- Ranges, ticks and margins of axes in a cell of this size.
local function plan(ax, w, h)
  local p = { ax = ax, x = { layout.limits(ax, "x") }, y = { layout.limits(ax, "y") } }
  local room = w - 60
  for most = math.max(1, math.min(9, room // 40)), 1, -1 do
    p.xt = layout.ticks_of(ax, "x", p.x[1], p.x[2], most)
    if ax.x.places or (widest(p.xt.labels, SIZE) + 8) * #p.xt.labels <= room then break end
  end
  p.yt = layout.ticks_of(ax, "y", p.y[1], p.y[2], math.max(1, math.min(9, (h - 50) // 25)))
  for i, label in ipairs(p.xt.labels) do p.xt.labels[i] = font.fit(label, SIZE, 110) end
  for i, label in ipairs(p.yt.labels) do p.yt.labels[i] = font.fit(label, SIZE, w * 0.3) end
  local label_width = widest(p.xt.labels, SIZE)
  p.turned = ax.x.places and (label_width + 6) * #p.xt.labels > room
  p.left = TICK + GAP + widest(p.yt.labels, SIZE) + (ax.y_text and SIZE + 6 or 0) + 6
  p.below = TICK + GAP + (p.turned and SIZE * 0.6 + label_width * RISE or SIZE) + (ax.x_text and SIZE + 6 or 0) +
    (p.xt.note ~= "" and not ax.x_text and SIZE + 2 or 0) + 6
  p.above = (ax.title_text and TITLE + 8 or 0) + (p.yt.note ~= "" and SIZE + 2 or 0) + 8
  p.beside = 8
  local span = p.x[2] - p.x[1]
  for i, v in ipairs(ax.x.log and {} or p.xt.places) do             -- labels that reach beyond the box
    local width, part = font.width(p.xt.labels[i], SIZE), (v - p.x[1]) / span
    if p.turned then p.left = math.max(p.left, width * RUN - 4 - part * room)
    else p.beside = math.max(p.beside, width / 2 + 2 - (1 - part) * room) end
  end
  if ax.x.log then p.beside = math.max(8, label_width / 2 * 0.6) end
  if ax.colorbar then
    local lo, hi = ticks.limits(ax.colorbar.lo, ax.colorbar.hi, false, true)
    p.bar_range, p.bar_ticks = { lo, hi }, ticks.between(lo, hi, false, math.max(1, math.min(9, (h - 50) // 25)))
    p.beside = BAR_GAP + BAR + TICK + GAP + widest(p.bar_ticks.labels, SIZE) + 8
    if p.bar_ticks.note ~= "" then p.above = math.max(p.above, (ax.title_text and TITLE + 8 or 0) + SIZE + 10) end
  end
  return p
end

-- ---- Drawing ------------------------------------------------------------------------------------------------------

local function rectangle(x, y, w, h) return { x, y, x + w, y, x + w, y + h, x, y + h } end
local function outline(x, y, w, h) return { x, y, x + w, y, x + w, y + h, x, y + h, x, y } end

local function draw_ticks(page, p, box, map)
  local ax, minor, major, grid = p.ax, {}, {}, {}
  local bottom, angle = box.y + box.h, p.turned and TURN or 0
  local function each(places, list, length, vertical)
    for i, v in ipairs(places) do
      local x, y = thin.point(map, vertical and (map.logx and 1 or 0) or v, vertical and v or (map.logy and 1 or 0))
      if not x then goto next end
      if vertical then list[#list + 1] = { box.x - length, y, box.x, y }
      else list[#list + 1] = { x, bottom, x, bottom + length } end
      if list == major then
        grid[#grid + 1] = vertical and { box.x, y, box.x + box.w, y } or { x, box.y, x, bottom }
        if vertical then
          page:text(box.x - TICK - GAP, y + SIZE * 0.36, p.yt.labels[i], { size = SIZE, anchor = "end", class = "yt" })
        else
          page:text(x + (p.turned and 4 or 0), bottom + TICK + GAP + SIZE * 0.78, p.xt.labels[i],
            { size = SIZE, anchor = p.turned and "end" or "middle", angle = angle, class = "xt" })
        end
      end
      ::next::
    end
  end
  each(p.xt.places, major, TICK, false)
  each(p.yt.places, major, TICK, true)
  each(p.xt.minor, minor, 2, false)
  each(p.yt.minor, minor, 2, true)
  if ax.has_grid then page:lines(grid, { color = "grid", width = 0.8, class = "grid" }) end
  return function()
    page:lines(major, { color = "ink", width = 0.8, class = "ticks" })
    page:lines(minor, { color = "ink", width = 0.6, class = "minor" })
  end
end

local function draw_names(page, p, box)
  local ax, top, bottom = p.ax, box.y, box.y + box.h
  local middle = box.x + box.w / 2
  local width = math.min(middle, page.width - middle) * 2 - 8
  if p.columns > 1 then width = math.min(width, p.cell - 6) end
  if p.yt.note ~= "" then
    page:text(box.x, top - 5, p.yt.note, { size = SIZE, class = "factor" })
    top = top - SIZE - 2
  end
  if p.xt.note ~= "" then
    page:text(box.x + box.w, bottom + TICK + GAP + SIZE * 2.1, p.xt.note,
      { size = SIZE, anchor = "end", class = "factor" })
  end
  local text, size
  if ax.title_text then
    text, size = font.fit(ax.title_text, TITLE, width)
    page:text(middle, top - 7, text, { size = size, anchor = "middle", class = "title" })
  end
  if ax.x_text then
    local free = p.xt.note ~= "" and box.w - 2 * font.width(p.xt.note, SIZE) - 12 or box.w + 60
    text, size = font.fit(ax.x_text, SIZE, math.min(width, free))
    page:text(middle, bottom + p.below - 8, text, { size = size, anchor = "middle", class = "xlabel" })
  end
  if ax.y_text then
    text, size = font.fit(ax.y_text, SIZE, math.min(box.h + 40, page.height - 10))
    page:text(box.x - p.left + SIZE + 3, box.y + box.h / 2, text,
      { size = size, anchor = "middle", angle = -90, class = "ylabel" })
  end
end

local STEP = 4          -- points on the page between samples of a line

-- Places on the page that marks cover: up to about 500 points of each, those between them on a line, the tops of bars.
local function samples(ax, map)
  local points = {}
  for _, mark in ipairs(ax.marks) do
    local n, px, py = math.min(#mark.xs, #mark.ys), nil, nil
    local joined = mark.draw == marks.line and mark.linestyle ~= "" and n < 2000
    for i = 1, n, joined and 1 or math.max(1, n // 500) do
      local x, y = thin.point(map, mark.xs[i], mark.ys[i])
      if x then
        local between = joined and px and math.min(200, math.max(math.abs(x - px), math.abs(y - py)) // STEP) or 0
        for k = 1, between do
          local t = k / (between + 1)
          points[#points + 1] = { px + t * (x - px), py + t * (y - py) }
        end
        points[#points + 1] = { x, y }
      end
      px, py = x, y
    end
    local b = mark.boxes or { {} }
    for i = 1, #b[1], math.max(1, #b[1] // 500) do                -- bars hide what is below their top
      local x, y = thin.point(map, (b[1][i] + b[3][i]) / 2, (b[2][i] + b[4][i]) / 2)
      if x then points[#points + 1] = { x, y } end
    end
  end
  return points
end

-- matplotlib's places, in the order in which they are preferred: parts of the free width and height.
local PLACES = { { "upper right", 1, 0 }, { "upper left", 0, 0 }, { "lower left", 0, 1 }, { "lower right", 1, 1 },
                 { "center right", 1, 0.5 }, { "center left", 0, 0.5 }, { "lower center", 0.5, 1 },
                 { "upper center", 0.5, 0 }, { "center", 0.5, 0.5 } }
layout.LOCATIONS = { best = true }
for _, place in ipairs(PLACES) do layout.LOCATIONS[place[1]] = true end

-- The place of a legend of this size: the given one, or where it covers least.
local function legend_place(ax, box, map, w, h)
  local points = ax.legend_at == "best" and samples(ax, map) or {}
  local at, fewest = nil, math.huge
  for _, place in ipairs(PLACES) do
    local x, y = box.x + 6 + place[2] * (box.w - w - 12), box.y + 6 + place[3] * (box.h - h - 12)
    local n = 0
    for _, q in ipairs(points) do
      if q[1] > x - 3 and q[1] < x + w + 3 and q[2] > y - 3 and q[2] < y + h + 3 then n = n + 1 end
    end
    if ax.legend_at == place[1] or ax.legend_at == "best" and n < fewest then at, fewest = { x, y }, n end
  end
  return at[1], at[2]
end

-- The sample of a mark: itself, in a map whose unit is a point.
local function draw_key(page, mark, x, middle)
  local map = { ax = x, bx = 1, ay = middle, by = -1, left = x, right = x + 20, top = middle - 9, bottom = middle + 9,
                grain = 0.5 }
  local point = { xs = { 10 }, ys = { 0 }, values = false, sizes = false, class = "key" }
  if mark.key == "area" then
    page:areas({ rectangle(x, middle - 3.5, 20, 7) }, { color = mark.color, alpha = mark.alpha })
  elseif mark.key == "point" then mark.draw(setmetatable(point, { __index = mark }), page, map)
  else
    marks.line({ xs = { 0, 20 }, ys = { 0, 0 }, linestyle = mark.linestyle or "-", linewidth = mark.linewidth,
      color = mark.color, alpha = mark.alpha, class = "key" }, page, map)
    if mark.marker then
      point.linestyle = ""
      mark.draw(setmetatable(point, { __index = mark }), page, map)
    end
  end
end

local function draw_legend(page, ax, box, map)
  local entries, wide = {}, 0
  for _, mark in ipairs(ax.marks) do
    if mark.label and mark.label:sub(1, 1) ~= "_" then
      local text, size = font.fit(mark.label, SIZE, math.max(20, box.w - 50))
      entries[#entries + 1] = { mark, text, size }
      wide = math.max(wide, font.width(text, size))
    end
  end
  if #entries == 0 then return end
  local w, h = wide + 38, #entries * (SIZE + 5) + 5
  local x, y = legend_place(ax, box, map, w, h)
  page:areas({ rectangle(x, y, w, h) }, { color = "paper", alpha = 0.85, class = "legend" })
  page:lines({ outline(x, y, w, h) }, { color = "grid", width = 0.8 })
  for i, entry in ipairs(entries) do
    local middle = y + (i - 0.5) * (SIZE + 5) + 2.5
    draw_key(page, entry[1], x + 6, middle)
    page:text(x + 32, middle + SIZE * 0.36, entry[2], { size = entry[3], class = "label" })
  end
end

local function draw_colorbar(page, p, box)
  local x, map, rows = box.x + box.w + BAR_GAP, p.ax.colorbar.map, {}
  for i = 255, 0, -1 do rows[#rows + 1] = string.char(table.unpack(map[i])):rep(16) end
  page:clip(x, box.y, BAR, box.h)
  page:image(x, box.y, BAR, box.h, 16, 256, table.concat(rows))
  page:unclip()
  page:lines({ outline(x, box.y, BAR, box.h) }, { color = "ink", width = 0.8 })
  local runs, lo, hi = {}, p.bar_range[1], p.bar_range[2]
  for i, v in ipairs(p.bar_ticks.places) do
    local y = box.y + box.h * (1 - (v - lo) / (hi - lo))
    runs[i] = { x + BAR, y, x + BAR + TICK, y }
    page:text(x + BAR + TICK + GAP, y + SIZE * 0.36, p.bar_ticks.labels[i], { size = SIZE, class = "ct" })
  end
  page:lines(runs, { color = "ink", width = 0.8 })
  if p.bar_ticks.note ~= "" then page:text(x, box.y - 5, p.bar_ticks.note, { size = SIZE, class = "factor" }) end
end

local function draw_axes(page, p, box)
  local ax = p.ax
  if ax.equal then                                               -- square pixels
    local unit = math.min(box.w / math.abs(p.x[2] - p.x[1]), box.h / math.abs(p.y[2] - p.y[1]))
    local w, h = unit * math.abs(p.x[2] - p.x[1]), unit * math.abs(p.y[2] - p.y[1])
    box = { x = box.x + (box.w - w) / 2, y = box.y + (box.h - h) / 2, w = w, h = h }
  end
  local map = layout.map(ax, p.x, p.y, box, 0.5)
  local outer_ticks = draw_ticks(page, p, box, map)
  page:clip(box.x, box.y, box.w, box.h)
  for _, mark in ipairs(ax.marks) do mark:draw(page, map) end
  page:unclip()
  page:lines({ outline(box.x, box.y, box.w, box.h) }, { color = "ink", width = 0.8, class = "frame" })
  outer_ticks()
  draw_names(page, p, box)
  if ax.colorbar then draw_colorbar(page, p, box) end
  if ax.legend_at then draw_legend(page, ax, box, map) end
end

--- Draws a figure (rows and columns of axes) on a canvas of this size.
function layout.draw(figure, page, width, height)
  page.width, page.height = width, height
  page:areas({ rectangle(0, 0, width, height) }, { color = "paper", class = "page" })
  local rows, columns = figure.rows, figure.columns
  local cw, ch, plans = width / columns, height / rows, {}
  local most = { left = {}, beside = {}, above = {}, below = {} }
  for r = 1, rows do
    for c = 1, columns do
      local p = plan(figure.all[(r - 1) * columns + c], cw, ch)
      p.columns, p.cell, plans[#plans + 1] = columns, cw, p
      most.left[c], most.beside[c] = math.max(most.left[c] or 0, p.left), math.max(most.beside[c] or 0, p.beside)
      most.above[r], most.below[r] = math.max(most.above[r] or 0, p.above), math.max(most.below[r] or 0, p.below)
    end
  end
  local free_w, free_h = width - 4, height - 4
  for c = 1, columns do free_w = free_w - most.left[c] - most.beside[c] end
  for r = 1, rows do free_h = free_h - most.above[r] - most.below[r] end
  local w, h = math.max(free_w / columns, 20), math.max(free_h / rows, 20)
  local y = 2
  for r = 1, rows do
    local x = 2
    for c = 1, columns do
      draw_axes(page, plans[(r - 1) * columns + c], { x = x + most.left[c], y = y + most.above[r], w = w, h = h })
      x = x + most.left[c] + w + most.beside[c]
    end
    y = y + most.above[r] + h + most.below[r]
  end
end

return layout
