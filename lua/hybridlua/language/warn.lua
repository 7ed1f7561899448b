-- warn.lua - warnings of the Lua layer on standard error, as in MXNet: "UserWarning: ...".
local script = require "hybridlua.language.script_line"

local warn, told = {}, {}

local function say(line, format, ...)
  io.stdout:flush()
  io.stderr:write(("%sUserWarning: %s\n"):format(line and line .. ": " or "", format:format(...)))
end

--- Warns with a formatted text.
function warn.now(format, ...) say(nil, format, ...) end

--- Warns once per process for each `what`.
function warn.once(what, format, ...)
  if told[what] then return end
  told[what] = true
  say(nil, format, ...)
end

--- Warns with the script's line, once for each line and text: "train.lua:12: UserWarning: ...".
function warn.here(format, ...)
  local line, text = script.line(), format:format(...)
  local key = ("%s: %s"):format(line or "", text)
  if told[key] then return end
  told[key] = true
  say(line, "%s", text)
end

return warn
