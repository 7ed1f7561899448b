-- plot/dots.lua - the terminal's canvas: lines and markers are dots of braille characters, two wide and four high per
-- character; areas are blocks; pictures are blocks in colour, or in shades without it. One colour per character.
local class = require "hybridlua.language.class"
local colors = require "hybridlua.plot.colors"

local Dots = class.root("DotsCanvas", class.new)

-- Bits of a braille character (U+2800) by column and row of the dot.
local BITS = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } }
local SHADES = { " ", "░", "▒", "▓", "█" }
local EIGHTHS = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }

--- columns x rows characters; color: whether to use colours.
function Dots:init(columns, rows, color)
  self.columns, self.rows, self.color = columns, rows, color
  self.bits, self.chars, self.inks = {}, {}, {}
end

-- Sets a dot. Fields are read once by the callers: a method's lookup would take most of the time.
local function set_dot(bits, inks, columns, rows, px, py, color)
  if px < 0 or py < 0 or px >= columns * 2 or py >= rows * 4 then return end
  local at = py // 4 * columns + px // 2
  bits[at] = (bits[at] or 0) | BITS[px % 2 + 1][py % 4 + 1]
  inks[at] = color
end

-- The part of a segment inside the canvas (Liang and Barsky's clipping), or nil.
local function inside(wide, high, x0, y0, x1, y1)
  if x0 >= 0 and x0 <= wide and x1 >= 0 and x1 <= wide and y0 >= 0 and y0 <= high and y1 >= 0 and y1 <= high then
    return x0, y0, x1, y1
  end
  local from, to, dx, dy = 0, 1, x1 - x0, y1 - y0
  for _, side in ipairs { { -dx, x0 }, { dx, wide - x0 }, { -dy, y0 }, { dy, high - y0 } } do
    local p, q = side[1], side[2]
    if p == 0 then
      if q < 0 then return nil end
    elseif p < 0 then from = math.max(from, q / p)
    else to = math.min(to, q / p) end
  end
  if from <= to then return x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy end
end

function Dots:lines(runs, style)
  local bits, inks, columns, rows = self.bits, self.inks, self.columns, self.rows
  local color, dash, floor, abs = style.color, style.dash, math.floor, math.abs
  for _, run in ipairs(runs) do
    for i = 1, #run - 3, 2 do
      local x0, y0, x1, y1 = inside(columns * 2, rows * 4, run[i], run[i + 1], run[i + 2], run[i + 3])
      if x0 then
        local dx, dy = abs(x1 - x0), abs(y1 - y0)
        local n = math.ceil(dx > dy and dx or dy > 1 and dy or 1)
        for k = 0, n do
          if not dash or k % 6 < 4 then
            set_dot(bits, inks, columns, rows, floor(x0 + (x1 - x0) * k / n), floor(y0 + (y1 - y0) * k / n), color)
          end
        end
      end
    end
  end
end

-- Bars as blocks with eighths of a line at their top, without a colour as blanks; other areas as dots.
local function bar(self, a, color)
  local x0, x1, y0, y1 = math.min(a[1], a[5]), math.max(a[1], a[5]), math.min(a[2], a[6]), math.max(a[2], a[6])
  local first = math.max(0, math.floor(x0 / 2 + 0.5))
  local last = math.min(self.columns - 1, math.max(first, math.floor(x1 / 2 + 0.5) - 1))
  for row = math.max(0, math.floor(y0 / 4)), math.min(self.rows - 1, math.ceil(y1 / 4) - 1) do
    local part = math.floor((math.min(y1, row * 4 + 4) - math.max(y0, row * 4)) * 2 + 0.5)
    for c = first, part > 0 and last or -1 do
      self.chars[row * self.columns + c] = not color and " " or y0 > row * 4 and EIGHTHS[part] or "█"
      self.inks[row * self.columns + c] = color
    end
  end
end

function Dots:areas(polygons, style)
  local bits, inks, columns, rows = self.bits, self.inks, self.columns, self.rows
  for _, a in ipairs(polygons) do
    if style.class == "bars" then bar(self, a, style.color)
    elseif style.class == "missing" then bar(self, a, nil)
    else
      local n = #a // 2
      for column = 0, columns * 2 - 1 do                            -- crossings of each column of dots
        local at = {}
        for i = 0, n - 1 do
          local x0, y0, j = a[2 * i + 1], a[2 * i + 2], (i + 1) % n
          local x1, y1, x = a[2 * j + 1], a[2 * j + 2], column + 0.5
          if (x0 <= x) ~= (x1 <= x) then at[#at + 1] = y0 + (x - x0) / (x1 - x0) * (y1 - y0) end
        end
        table.sort(at)
        for k = 1, #at - 1, 2 do
          for y = math.max(0, math.floor(at[k])), math.min(rows * 4 - 1, math.floor(at[k + 1])) do
            if (y + column) % 2 == 0 then set_dot(bits, inks, columns, rows, column, y, style.color) end
          end
        end
      end
    end
  end
end

function Dots:apart(shapes, style, filled)
  if filled then self:areas(shapes, style) else self:lines(shapes, style) end
end

function Dots:image(x, y, w, h, columns, rows, bytes)
  local function pixel(column, half)                                -- the picture at half a character, or nil
    local c, r = (column * 2 + 1 - x) / w * columns // 1, (half * 2 + 1 - y) / h * rows // 1
    if c < 0 or r < 0 or c >= columns or r >= rows then return nil end
    local at = math.tointeger((r * columns + c) * 3 + 1)
    return { bytes:byte(at, at + 2) }
  end
  for row = 0, self.rows - 1 do
    for c = 0, self.columns - 1 do
      local up, down = pixel(c, row * 2), pixel(c, row * 2 + 1)
      local at = row * self.columns + c
      if up and down and self.color then
        self.chars[at], self.inks[at] = "▀", { colors.hex(up), colors.hex(down) }
      elseif up or down then
        local p = up or down
        local gray = 0.3 * p[1] + 0.59 * p[2] + 0.11 * p[3]
        self.chars[at], self.inks[at] = SHADES[math.floor(gray / 256 * 5) + 1], nil
      end
    end
  end
end

--- A text, character by character, from the left, the middle or the end.
function Dots:text(x, y, text, style)
  local n, c = utf8.len(text) or #text, math.floor(x / 2)
  if style.anchor == "middle" then c = c - n // 2 elseif style.anchor == "end" then c = c - n end
  local row = math.floor(y / 4)
  if row < 0 or row >= self.rows then return end
  for _, code in utf8.codes(text) do
    if c >= 0 and c < self.columns then
      self.chars[row * self.columns + c], self.inks[row * self.columns + c] = utf8.char(code), style.color
    end
    c = c + 1
  end
end

function Dots:clip() end
function Dots:unclip() end

local function sgr(color, kind) return ("\27[%d;2;%d;%d;%dm"):format(kind, colors.rgb(color)) end

--- A text in a colour, if there are colours and it is not the page's.
function Dots:painted(text, ink)
  if not self.color or not ink then return text end
  if type(ink) == "table" then return sgr(ink[1], 38) .. sgr(ink[2], 48) .. text .. "\27[0m" end
  if ink:sub(1, 1) ~= "#" then return text end
  return sgr(ink, 38) .. text .. "\27[0m"
end

--- The text of each row.
function Dots:rows_text()
  local rows = {}
  for row = 0, self.rows - 1 do
    local parts, last, run = {}, nil, ""
    for c = 0, self.columns - 1 do
      local at = row * self.columns + c
      local char = self.chars[at] or self.bits[at] and utf8.char(0x2800 + self.bits[at]) or " "
      local ink = self.inks[at]
      if ink ~= last and run ~= "" then parts[#parts + 1], run = self:painted(run, last), "" end
      run, last = run .. char, ink
    end
    parts[#parts + 1] = self:painted(run, last)
    rows[row + 1] = table.concat(parts)
  end
  return rows
end

return Dots
