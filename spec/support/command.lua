-- command.lua - running the program as a user does, for specs of its output and exit code.
local command = { program = os.getenv "HYBRIDLUA" or "./hybridlua" }

--- The folder of the module that was built with the program.
command.build = command.program:match "^(.*[^.])/" or "build"
-- Sanitizer builds have no module.
if not os.rename(command.build .. "/hybridlua.so", command.build .. "/hybridlua.so") then command.build = "build" end

--- Prefix of commands that receive Ctrl-C. A shell script's background jobs ignore SIGINT, and their children inherit
-- that.
command.foreground = "env --default-signal=INT,QUIT "

--- Creates a file with a text; it is removed at the end of the run.
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
command.remover = remover          -- lives until this module is freed

--- Quotes a text as one word of a shell command.
function command.quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

--- Runs a shell command; returns its output (stdout and stderr) and exit code.
function command.run(text, input)
  local from = input and command.file(input) or "/dev/null"
  local pipe = io.popen("{ " .. text .. "; } 2>&1 < " .. from)
  local output = pipe:read "a"
  local _, _, code = pipe:close()
  return output, code
end

function command.hybridlua(words, input)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = command.quote(word) end
  return command.run(command.program .. " " .. table.concat(quoted, " "), input)
end

-- The reason why the system cannot create a terminal, false if it can; nil if unknown.
local lacking
local function terminal_lacking()
  if lacking == nil then
    local said, code = command.run "build/spec/pty"
    lacking = code == 1 and said:match "no pseudo%-terminal.*%S" or false
  end
  return lacking
end

--- busted's `it` for tests with a terminal, or its `pending` if the system cannot create one.
function command.at_terminal(it, pending)
  local reason = terminal_lacking()
  return reason and function(title) pending(title .. " (" .. reason .. ")") end or it
end

--- Runs the program in a terminal with a script for spec/native/pty.c; returns all output. The history is in the folder
-- `state`; the shell command `before` runs first.
function command.terminal(script, state, arguments, before)
  return command.run(("%s; env TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 XDG_STATE_HOME=%s build/spec/pty %s %s"):format(
    before or ":", state, command.program, arguments or ""), script)
end

return command
