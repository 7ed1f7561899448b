-- script_line.lua - the line of the user's script that is running: the innermost one outside C and hybridlua's own
-- files (src/bind/core/script_line.c).
local core = require "hybridlua.core"
local frame = core.script.frame

local script = {}

--- Whether the function is written in C, or hybridlua's own.
script.is_own = core.script.own_function

--- "file:line"; nil if no function of the script is running.
script.line = core.script.line

--- The innermost n lines of the script that are running, as a set, and the innermost one.
script.lines = core.script.lines

--- Whether hybridlua was called by the script that the program started, rather than by a module of it.
function script.is_main()
  local level = 2
  while frame(level) and frame(level) ~= "script" do level = level + 1 end
  return frame(level) ~= nil and arg ~= nil and debug.getinfo(level, "S").source == "@" .. tostring(arg[0])
end

return script
