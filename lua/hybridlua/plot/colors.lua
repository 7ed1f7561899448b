-- plot/colors.lua - colours by name and number, and colour maps. In addition to "#rrggbb" there are three colours that
-- follow the page: "ink", "paper" and "grid". The cycle of lines is tab10, matplotlib's default.
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"

local colors = {}

colors.cycle = { "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22",
                 "#17becf" }

-- The three colours of a page, by theme. `auto`, of an SVG, has both.
colors.themes = {
  light = { ink = "#000000", paper = "#ffffff", grid = "#cccccc" },
  dark = { ink = "#e6e6e6", paper = "#16181d", grid = "#44474f" },
}

local NAMES = {
  ink = "ink", black = "#000000", k = "ink", white = "#ffffff", w = "#ffffff", red = "#ff0000", r = "#ff0000",
  green = "#008000", g = "#008000", blue = "#0000ff", b = "#0000ff", cyan = "#00bfbf", c = "#00bfbf",
  magenta = "#bf00bf", m = "#bf00bf", yellow = "#bfbf00", y = "#bfbf00", orange = "#ffa500", purple = "#800080",
  brown = "#a52a2a", pink = "#ffc0cb", gray = "#808080", grey = "#808080", olive = "#808000", navy = "#000080",
  teal = "#008080",
}
for i, name in ipairs { "blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan" } do
  NAMES["tab:" .. name], NAMES["C" .. i - 1] = colors.cycle[i], colors.cycle[i]
end

--- "#rrggbb" or a colour of the page, from a name, "#rgb", "#rrggbb", or a gray from "0" to "1".
function colors.of(what, x)
  if type(x) ~= "string" then fail("%s: expected a colour such as 'red', 'C0' or '#1f77b4', got %s", what, type(x)) end
  if x:find "^#%x%x%x%x%x%x$" then return x:lower() end
  if x:find "^#%x%x%x$" then return (x:gsub("%x", "%0%0"):lower()) end
  local gray = x:find "^[01]?%.?%d*$" and tonumber(x)
  if gray and gray <= 1 then return ("#%02x%02x%02x"):format(colors.bytes(gray, gray, gray)) end
  if NAMES[x] then return NAMES[x] end
  fail("%s: unknown colour '%s'%s", what, x, nearest.hint(x, NAMES))
end

--- Bytes of three parts from 0 to 1.
function colors.bytes(r, g, b)
  return math.floor(r * 255 + 0.5), math.floor(g * 255 + 0.5), math.floor(b * 255 + 0.5)
end

--- Red, green and blue from 0 to 255 of "#rrggbb", or of a page's colour in a theme (a table of themes).
function colors.rgb(color, theme)
  local hex = theme and theme[color] or color
  local n = tonumber(hex:sub(2), 16)
  return n >> 16, n >> 8 & 255, n & 255
end

-- Colours at equal distances, between which a map is linear. viridis and plasma: sampled from matplotlib's tables at
-- tenths; RdBu: ColorBrewer's eleven.
local MAPS = {
  viridis = "440154 482475 414487 355f8d 2a788e 21918c 22a884 44bf70 7ad151 bddf26 fde725",
  plasma = "0d0887 41049d 6a00a8 8f0da4 b12a90 cc4778 e16462 f2844b fca636 fcce25 f0f921",
  RdBu = "67001f b2182b d6604d f4a582 fddbc7 f7f7f7 d1e5f0 92c5de 4393c3 2166ac 053061",
  gray = "000000 ffffff",
}
local tables = {}

--- A colour map as a table of 256 { r, g, b }, from 0, and all of them as `bytes`; a name with _r is reversed.
function colors.map(what, name)
  if tables[name] then return tables[name] end
  local base = type(name) == "string" and (name:match "^(.*)_r$" or name)
  local text = MAPS[base]
  if not text then
    fail("%s: expected viridis, plasma, gray or RdBu (or one of them with _r), got '%s'", what, tostring(name))
  end
  local stops, map = {}, {}
  for hex in text:gmatch "%x+" do stops[#stops + 1] = { colors.rgb("#" .. hex) } end
  for i = 0, 255 do
    local at = (base == name and i or 255 - i) / 255 * (#stops - 1)
    local k = math.min(math.floor(at), #stops - 2)
    local from, to, part, c = stops[k + 1], stops[k + 2], at - k, {}
    for j = 1, 3 do c[j] = math.floor(from[j] + part * (to[j] - from[j]) + 0.5) end
    map[i] = c
  end
  local bytes = {}
  for i = 0, 255 do bytes[i + 1] = string.char(table.unpack(map[i])) end
  map.bytes = table.concat(bytes)
  tables[name] = map
  return map
end

--- The colour of a value in a map, as { r, g, b }; nil for NaN.
function colors.at(map, v, lo, hi)
  if v ~= v then return nil end
  local part = hi > lo and (v - lo) / (hi - lo) or 0.5
  return map[math.floor(math.max(0, math.min(1, part)) * 255 + 0.5)]
end

function colors.hex(c) return ("#%02x%02x%02x"):format(c[1], c[2], c[3]) end

return colors
