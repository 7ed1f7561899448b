-- language/small_bars.lua - bars of one line for tables: eighths of a character in block elements (U+2588 to U+258F).
-- Tables have them only where they can be seen: print writes to a terminal with UTF-8.
local core = require "hybridlua.core"

local bars = {}

local EIGHTHS = { [0] = "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

local function has_utf8()
  local name = os.getenv "LC_ALL" or ""
  if name == "" then name = os.getenv "LC_CTYPE" or "" end
  if name == "" then name = os.getenv "LANG" or "" end
  return name:upper():find "UTF%-?8" ~= nil and os.getenv "TERM" ~= "dumb"
end

--- Whether a table of `width` characters, with its bars, may be printed with them. A print that a script has replaced
-- may write elsewhere.
function bars.shown(width)
  return core.host.is_terminal(1) and has_utf8() and debug.getinfo(print, "S").what == "C" and
    width <= (core.host.output_columns() or 80)
end

--- A bar for a part of 1, in a column of `width` characters; the least visible one for any part above 0.
function bars.of(part, width)
  if part <= 0 or part ~= part then return (" "):rep(width) end
  local eighths = math.max(1, math.floor(math.min(part, 1) * width * 8 + 0.5))
  local bar = ("█"):rep(eighths // 8) .. EIGHTHS[eighths % 8]
  return bar .. (" "):rep(width - utf8.len(bar))
end

return bars
