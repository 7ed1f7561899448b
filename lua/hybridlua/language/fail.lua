-- fail.lua - errors of the Lua layer, which name the line of the user's script even if several functions of hybridlua
-- are between.
local script = require "hybridlua.language.script_line"

--- Raises a formatted error at the innermost line that is not hybridlua's own.
local function fail(format, ...)
  local message, line = format:format(...), script.line()
  error(line and line .. ": " .. message or message, 0)
end

return fail
