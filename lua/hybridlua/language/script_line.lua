-- script_line.lua - which line of the user's script led here: the innermost that is neither C nor of
-- hybridlua's own files (src/bind/core/script_line.c).
local core = require "hybridlua.core"

local script = {}

--- Is the function written in C, or hybridlua's own?
script.is_own = core.own_function

--- "file:line"; nil if no function of the script is running.
script.line = core.script_line

--- The lines of the script that led here, the innermost so many of them, as a set.
script.lines = core.script_lines

--- Is the script that the program was started with, not a module of it, what called hybridlua?
function script.is_main()
  local level = 2
  while core.frame(level) and core.frame(level) ~= "script" do level = level + 1 end
  return core.frame(level) ~= nil and arg ~= nil and debug.getinfo(level, "S").source == "@" .. tostring(arg[0])
end

return script
