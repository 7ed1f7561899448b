-- command.lua - runs the program as a user does, for the specs of what it prints and returns.
local command = { program = os.getenv "HYBRIDLUA" or "./hybridlua" }

--- Where the module lies that was built with the program.
command.build = command.program:match "^(.*[^.])/" or "build"
-- the sanitizers' has none
if not os.rename(command.build .. "/hybridlua.so", command.build .. "/hybridlua.so") then command.build = "build" end

--- Before a command that gets Ctrl-C: the specs may run in the background of a shell script, which
--- ignores SIGINT, and what is ignored is inherited.
command.foreground = "env --default-signal=INT,QUIT "

--- A new file with a text; removed at the end of the run.
local files = {}
function command.file(text)
  local name = os.tmpname()
  local f = assert(io.open(name, "w"))
  f:write(text)
  f:close()
  files[#files + 1] = name
  return name
end

local remover = setmetatable({}, { __gc = function() for _, name in ipairs(files) do os.remove(name) end end })
command.remover = remover          -- lives as long as this module

--- A text as one word of a shell command.
function command.quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

--- Runs a shell command: what it wrote on both outputs, and its exit code.
function command.run(text, input)
  local from = input and command.file(input) or "/dev/null"
  local pipe = io.popen("{ " .. text .. "; } 2>&1 < " .. from)
  local output = pipe:read "a"
  local _, _, code = pipe:close()
  return output, code
end

--- Runs the program with some words as arguments.
function command.hybridlua(words, input)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = command.quote(word) end
  return command.run(command.program .. " " .. table.concat(quoted, " "), input)
end

-- Why the system can make no terminal; false where it can.
local lacking
local function terminal_lacking()
  if lacking == nil then
    local said, code = command.run "build/spec/pty"
    lacking = code == 1 and said:match "no pseudo%-terminal.*%S" or false
  end
  return lacking
end

--- For tests with a terminal: busted's `it`, or its `pending` where the system can make none.
function command.at_terminal(it, pending)
  local reason = terminal_lacking()
  return reason and function(title) pending(title .. " (" .. reason .. ")") end or it
end

--- Runs the program in a terminal with a script for spec/native/pty.c; returns all output.
-- The history is in the folder `state`; `before` is a shell command to be done first.
function command.terminal(script, state, arguments, before)
  return command.run(("%s; env TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 XDG_STATE_HOME=%s build/spec/pty %s %s"):format(
    before or ":", state, command.program, arguments or ""), script)
end

return command
