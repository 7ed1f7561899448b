-- plot/font.lua - widths of texts for the layout: advance widths of DejaVu Sans in thousandths of the size. It is wider
-- than Helvetica and Arial, which an SVG's reader may use instead, so theirs fit too.
local font = {}

local WIDTHS = {}
for text in ([[
 275'`| 278ijl 295IJ 318,.  337:;\/ 352f 361- 390()[] 392t 401! 411r 460" 500_~ 521s 525z 531? 550c 557L 575F
 579k 592vxy 603P 611TY 612o 613a 615e 632E 634hnu 635bdpqgS 636{}*$0123456789 656K 684AV 685XZ 686B 695R 698C
 732U 748N 752H 770D 775G 780& 787OQ 818w 838+=<>#−× 863M 950% 974m 989W 1000@…]]):gmatch "%S+" do
  local width, letters = text:match "^(%d%d%d0?)(.*)$"
  for _, code in utf8.codes(letters) do WIDTHS[code] = tonumber(width) end
end
WIDTHS[32] = 318
for _, code in ipairs { 0xb2, 0xb3, 0xb9, 0x2070, 0x207b } do WIDTHS[code] = 401 end
for code = 0x2074, 0x2079 do WIDTHS[code] = 401 end

local OTHER = 640        -- letters with accents, Greek, Cyrillic

--- Text as valid UTF-8 without control characters: bytes that are not become U+FFFD.
function font.clean(text)
  text = text:gsub("[%z\1-\31\127]", " ")
  if utf8.len(text) then return text end
  local parts, at = {}, 1
  while at <= #text do
    local _, wrong = utf8.len(text, at)
    wrong = wrong or #text + 1
    parts[#parts + 1] = text:sub(at, wrong - 1)
    if wrong <= #text then parts[#parts + 1] = "\u{fffd}" end
    at = wrong + 1
  end
  return table.concat(parts)
end

local function width_of(code) return WIDTHS[code] or code >= 0x1100 and code < 0xfffd and 1000 or OTHER end

--- The width of a text of this size.
function font.width(text, size)
  local sum = 0
  for _, code in utf8.codes(font.clean(text)) do sum = sum + width_of(code) end
  return sum * size / 1000
end

--- The text and its size so that it fits into a width: smaller down to 70 %, then cut with an ellipsis.
function font.fit(text, size, room)
  text = font.clean(text)
  local wide = font.width(text, size)
  if wide <= room then return text, size end
  if wide * 0.7 <= room then return text, size * room / wide end
  size = size * 0.7
  local sum = width_of(utf8.codepoint "…")
  for at, code in utf8.codes(text) do
    sum = sum + width_of(code)
    if sum * size / 1000 > room then return text:sub(1, at - 1) .. "…", size end
  end
  return text .. "…", size
end

return font
