-- script.lua - which line of the user's script led here: the innermost that is neither C nor of
-- hybridlua's own files.
local script = {}

local OWN = "=hybridlua/"          -- chunk names of this layer's files begin so

--- Is the function of this debug.getinfo ("S") written in C, or hybridlua's own?
function script.is_own(info) return info.what == "C" or info.source:sub(1, #OWN) == OWN end

-- What debug.getinfo says of the innermost function of the script; nil if none is running.
local function innermost()
  local level, info = 2
  repeat
    level = level + 1
    info = debug.getinfo(level, "Sl")
  until not info or not script.is_own(info)
  return info
end

--- Is the script that the program was started with, not a module of it, what called hybridlua?
function script.is_main()
  local info = innermost()
  return info ~= nil and arg ~= nil and info.source == "@" .. tostring(arg[0])
end

--- "file:line"; nil if no function of the script is running.
function script.line()
  local info = innermost()
  return info and info.currentline > 0 and ("%s:%d"):format(info.short_src, info.currentline) or nil
end

--- The lines of the script that led here, the innermost `most` of them, as a set.
function script.lines(most)
  local lines, level, info = {}, 2
  repeat
    level = level + 1
    info = debug.getinfo(level, "Sl")
    if info and not script.is_own(info) and info.currentline > 0 then
      lines[("%s:%d"):format(info.short_src, info.currentline)] = true
      most = most - 1
    end
  until not info or most == 0
  return lines
end

return script
