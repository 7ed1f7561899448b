-- fail.lua - errors of the Lua layer: they carry the line of the user's script, however
-- many of hybridlua's own functions are in between.

local OWN = "=hybridlua/"          -- chunk names of this layer's files begin so

--- Raises a formatted error at the innermost line that is not hybridlua's own.
local function fail(format, ...)
  local message, level = format:format(...), 2
  while true do
    local info = debug.getinfo(level, "S")
    if not info then error(message, 0) end
    if info.what ~= "C" and info.source:sub(1, #OWN) ~= OWN then error(message, level) end
    level = level + 1
  end
end

return fail
