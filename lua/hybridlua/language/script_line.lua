-- script_line.lua - which line of the user's script led here: the innermost that is neither C nor of
-- hybridlua's own files (src/bind/core/script_line.c).
local core = require "hybridlua.core"
local frame = core.script.frame

local script = {}

--- Is the function written in C, or hybridlua's own?
script.is_own = core.script.own_function

--- "file:line"; nil if no function of the script is running.
script.line = core.script.line

--- The lines of the script that led here, the innermost n of them, as a set.
script.lines = core.script.lines

--- Is the script that the program was started with, not a module of it, what called hybridlua?
function script.is_main()
  local level = 2
  while frame(level) and frame(level) ~= "script" do level = level + 1 end
  return frame(level) ~= nil and arg ~= nil and debug.getinfo(level, "S").source == "@" .. tostring(arg[0])
end

return script
