-- warn.lua - warnings of the Lua layer: on standard error, with the script's line, each text once a line.
local script = require "hybridlua.script"

local said = {}

--- Warns: "train.lua:12: UserWarning: ...".
return function(format, ...)
  local line = script.line()
  local text = ("%sUserWarning: %s\n"):format(line and line .. ": " or "", format:format(...))
  if said[text] then return end
  said[text] = true
  io.stdout:flush()
  io.stderr:write(text)
end
