-- plot/terminal.lua - a figure as text: each axes with a frame, ticks outside and a legend below; axes of one row are
-- side by side.
local Dots = require "hybridlua.plot.dots"
local font = require "hybridlua.plot.font"
local layout = require "hybridlua.plot.layout"
local thin = require "hybridlua.plot.thin"

local terminal = {}

local function spaces(n) return (" "):rep(math.max(0, n)) end

local function cut(text, n)
  text = font.clean(text)
  if utf8.len(text) <= n then return text end
  return n > 1 and text:sub(1, utf8.offset(text, n) - 1) .. "…" or ""
end

local function centred(text, n)
  text = cut(text, n)
  local before = (n - utf8.len(text)) // 2
  return spaces(before) .. text .. spaces(n - before - utf8.len(text))
end

-- Writes labels into a line of n characters where they do not overlap.
local function label_line(labels, at, n)
  local line, free = "", 0
  for i, label in ipairs(labels) do
    local length = utf8.len(label)
    local from = math.max(0, math.min(n - length, at[i] - length // 2))
    if from >= free then
      line = line .. spaces(from - utf8.len(line)) .. label
      free = from + length + 1
    end
  end
  return cut(line, n) .. spaces(n - utf8.len(line))
end

local MOST = 3000        -- points of a line: a page of text has fewer dots than paper

local KEYS = { line = "⠤⠤", point = "•", area = "██" }

-- The lines of one axes, each `columns` characters wide.
local function lines_of(ax, columns, rows, color)
  local x, y = { layout.limits(ax, "x") }, { layout.limits(ax, "y") }
  local yt = layout.ticks_of(ax, "y", y[1], y[2], math.max(1, rows // 5))
  local left = 0
  for i, label in ipairs(yt.labels) do
    yt.labels[i] = cut(label, columns // 3)
    left = math.max(left, utf8.len(yt.labels[i]))
  end
  local inner = math.max(4, columns - left - 4)
  local xt = layout.ticks_of(ax, "x", x[1], x[2], math.max(1, inner // 12))
  local page = Dots(inner, rows, color)
  local map = layout.map(ax, x, y, { x = 0, y = 0, w = inner * 2 - 0.001, h = rows * 4 - 0.001 }, 1)
  map.most = MOST
  for _, mark in ipairs(ax.marks) do mark:draw(page, map) end
  local ticked, at = {}, {}
  for i, v in ipairs(yt.places) do
    local _, py = thin.point(map, ax.x.log and 1 or 0, v)
    ticked[math.max(1, math.min(rows, py // 4 + 1 | 0))] = yt.labels[i]
  end
  for i, v in ipairs(xt.places) do
    local px = thin.point(map, v, ax.y.log and 1 or 0)
    at[i] = math.max(0, math.min(inner - 1, px // 2 | 0))
  end
  local out, rule = {}, {}
  local function put(text, used) out[#out + 1] = text .. spaces(columns - used) end
  local function row_of(text) put(spaces(left + 2) .. centred(text, inner), left + 2 + inner) end
  if ax.title_text then row_of(ax.title_text) end
  local head = cut((ax.y_text and ax.y_text .. "  " or "") .. yt.note, columns)
  if head:find "%S" then put(head, utf8.len(head)) end
  put(spaces(left + 1) .. "┌" .. ("─"):rep(inner) .. "┐", left + inner + 3)
  for r, text in ipairs(page:rows_text()) do
    local label = ticked[r]
    put((label and spaces(left - utf8.len(label)) .. label or spaces(left)) .. " " .. (label and "┤" or "│") .. text ..
      "│", left + inner + 3)
  end
  for i = 1, inner do rule[i] = "─" end
  for i = 1, #xt.places do rule[at[i] + 1] = "┬" end
  put(spaces(left + 1) .. "└" .. table.concat(rule) .. "┘", left + inner + 3)
  put(spaces(left + 2) .. label_line(xt.labels, at, inner), left + 2 + inner)
  local foot = (ax.x_text or "") .. (xt.note ~= "" and "  " .. xt.note or "")
  if foot ~= "" then row_of(foot) end
  if ax.legend_at then
    for _, mark in ipairs(ax.marks) do
      if mark.label then
        local key, label = KEYS[mark.key] or "•", cut(mark.label, inner - 4)
        put(spaces(left + 2) .. page:painted(key, mark.color) .. " " .. label,
          left + 3 + utf8.len(key) + utf8.len(label))
      end
    end
  end
  if ax.colorbar then
    row_of(("colours from %.4g to %.4g"):format(ax.colorbar.lo, ax.colorbar.hi))
  end
  return out
end

--- The figure's text, of this many columns; rows: lines within each frame.
function terminal.text(figure, columns, rows, color)
  local n, out = figure.columns, {}
  local wide = math.max(12, columns // n)
  rows = rows or math.max(4, math.floor(wide / figure.width * figure.height * 0.38 * n / figure.rows + 0.5))
  for r = 1, figure.rows do
    local blocks, most = {}, 0
    for c = 1, n do
      blocks[c] = lines_of(figure.all[(r - 1) * n + c], wide, rows, color)
      most = math.max(most, #blocks[c])
    end
    for i = 1, most do
      local parts = {}
      for c = 1, n do parts[c] = blocks[c][i] or spaces(wide) end
      out[#out + 1] = table.concat(parts):gsub(" +$", "")
    end
  end
  return table.concat(out, "\n")
end

return terminal
