-- repl.lua - the prompt: reads a line, runs it, prints its values.
--
-- The program calls start once and then step, until it returns false. Errors of a line pass through step to the
-- program, which reports them and calls step again, so interrupts need no special handling here. Locals of a line stay
-- available: see repl/locals.lua.
local core = require "hybridlua.core"
local lineedit = require "hybridlua.lineedit"
local Locals = require "hybridlua.repl.locals"
local complete = require "hybridlua.repl.complete"
local scan = require "hybridlua.repl.scan".scan_code
local show = require "hybridlua.repl.show"
local tracing, autograd_mode, mode_depth = core.trace.active, core.autograd.mode, core.autograd.mode_depth
local pop_names, seconds_now = core.name.pop, core.host.seconds

local repl = {}

local session                  -- made by start

local HELP = [[
  expression        its values are printed; a ; at its end prevents that
  ?name             documentation: ?nd.softmax, ?autograd.record
  :who              what you have defined
  :time code        runs it and prints the time
  :mem              memory in use
  :load file        runs a file
  $ command         runs a command of the system
  :help  :quit      (or Ctrl-D)
  TAB completes names, options inside the braces of a call, and in strings file names and names of optimizers.
  Ctrl-C stops what runs.]]

-- ---- Input ----------------------------------------------------------------------------------

-- A reader without a terminal: it prints prompts and reads lines.
local plain = {}

function plain:read(prompt)
  io.write(prompt)
  io.flush()
  local line = io.read "l"
  if not line then io.write "\n" end
  return line
end

function plain:remember() end

local function history_path()
  local state = os.getenv "XDG_STATE_HOME"
  local home = os.getenv "HOME"
  if state and state:sub(1, 1) == "/" then return state .. "/hybridlua/history" end
  return home and home ~= "" and home .. "/.local/state/hybridlua/history" or nil
end

local commands = {}

local function complete_line(text) return complete(text, session.locals, lineedit.files, commands) end

local function read_line(prompt)
  local line, why = session.reader:read(prompt, complete_line)
  if line and line:find "%S" then session.reader:remember(line) end
  return line, why
end

-- ---- Compiling ------------------------------------------------------------------------------

-- The text without a ; at the end, and whether there was one.
local function without_semicolon(text)
  local tokens = scan(text)
  local last = tokens[#tokens]
  if last and last.text == ";" then return text:sub(1, last.first - 1) .. text:sub(last.last + 1), true end
  return text, false
end

-- Compiles a text. Returns a function that runs it and packs its values in a table, and whether to hide them. On
-- failure: nil, the message, and whether more lines could complete the text.
local function compile(text)
  local expression = text:match "^%s*=(.*)"
  local bare, silent = without_semicolon(expression or text)
  local good, message = load("return " .. bare, "=stdin", "t")
  local unfinished = not good and message:sub(-5) == "<eof>"
  local fn
  if good then
    fn, message = session.locals:compile_expression(bare)
  elseif not expression then
    good, message = load(text, "=stdin", "t")
    unfinished = unfinished or not good and message:sub(-5) == "<eof>"
    if good then fn, message = session.locals:compile_statements(text) end
  end
  if fn then return fn, silent end
  return nil, message, unfinished
end

-- ---- Running --------------------------------------------------------------------------------

local function print_values(values)
  if values.n > 0 then io.write(show.values(values), "\n") end
end

local function run(fn)
  session.modes = table.pack(mode_depth(), autograd_mode())
  local values = fn(table.unpack(type(arg) == "table" and arg or {}))
  session.modes = nil
  return values
end

-- Restores the state after a failed line: the modes before it, no open trace or name scope.
local function recover()
  local modes = session.modes
  if not modes then return end
  session.modes = nil
  mode_depth(modes[1])
  autograd_mode(modes[2], modes[3])
  pop_names()
  if tracing() then core.trace.finish() end
end

-- ---- Commands -------------------------------------------------------------------------------

-- The value of a.b.c or a:b; nil if there is none.
local function value_at(path)
  local first, rest = path:match "^([%a_][%w_]*)(.*)$"
  if not first then return nil end
  local found, value = session.locals:get(first)
  if not found then value = _G[first] end
  for name in rest:gmatch "[.:]([%a_][%w_]*)" do
    local ok, inner = pcall(function() return value[name] end)
    if not ok then return nil end
    value = inner
  end
  return value
end

local function print_help(name)
  if not name:find "^[%a_][%w_.:]*$" then
    print("?name prints documentation: ?nd.softmax, ?x:reshape, ?nn.Dense, ?autograd.record; :help lists what else " ..
      "there is")
    return
  end
  local help = require "hybridlua.help"
  local value = value_at(name)
  local op = help.find_operator(name)
  if op and (value == nil or type(value) == "function" and debug.getinfo(value, "S").what == "C") then
    print(help.of_operator(op))
  elseif type(value) == "function" then
    print(help.of_function(value))
  elseif type(value) == "table" and rawget(value, "__name__") and rawget(value, "subclass") then
    print(help.of_class(value))
  elseif value ~= nil then
    print(show.value(value))
  else
    local _, nearest = core.op.row(name:match "[%w_]+$" or name)
    print(("nothing is called %s%s"):format(name, nearest and "; there is nd." .. nearest or ""))
  end
end

function commands.help() print(HELP) end

function commands.quit() return false end

function commands.mem()
  local memory = core.host.memory()
  local function mib(bytes) return ("%.1f MiB"):format(bytes / 2 ^ 20) end
  print(("arrays: %s live, %s at most so far, %s idle, %s pooled, %s allowed"):format(mib(memory.live),
    mib(memory.peak), mib(memory.idle), mib(memory.pooled), mib(memory.budget)))
  for _, h in ipairs(memory.held) do print(("  %s of %s, %s"):format(mib(h.bytes), h.what, h.why)) end
  print("Lua: " .. mib(collectgarbage "count" * 1024))
end

function commands.who()
  local lines = {}
  for _, name in ipairs(session.locals:names()) do
    lines[#lines + 1] = { "local " .. name, show.summary(select(2, session.locals:get(name))) }
  end
  local names = {}
  for name in next, _G do if type(name) == "string" and not session.known[name] then names[#names + 1] = name end end
  table.sort(names)
  for _, name in ipairs(names) do lines[#lines + 1] = { name, show.summary(_G[name]) } end
  for _, line in ipairs(lines) do print(("%-16s %s"):format(line[1], line[2])) end
end

function commands.time(code)
  if code == "" then print ":time code runs the code and prints the time" return end
  local fn, silent = compile(code)
  if not fn then error(silent, 0) end
  local start = seconds_now()
  local values = run(fn)
  local seconds = seconds_now() - start
  if not silent then print_values(values) end
  print(seconds < 1 and ("%.3g ms"):format(seconds * 1000) or ("%.3f s"):format(seconds))
end

function commands.load(file)
  if file == "" then print ":load file runs the file" return end
  local chunk, message = loadfile(file, "t")
  if not chunk then error(message, 0) end
  print_values(run(function(...) return table.pack(chunk(...)) end))
end

local BEGINNERS = { help = true, exit = true, quit = true }

-- help, exit() and similar commands of other prompts, unless the script has globals of these names.
local function is_beginners(line)
  local name = line:match "^%s*(%a+)%s*;?%s*$" or line:match "^%s*(%a+)%s*%(%s*%)%s*;?%s*$"
  return BEGINNERS[name] and not session.locals:get(name) and rawget(_G, name) == nil
end

local function run_command(name, rest)
  local command = commands[name]
  if command then return command(rest) end
  print((":%s is not a command; :help lists them"):format(name))
end

-- ---- The loop -------------------------------------------------------------------------------

--- Begins a session; returns texts to write before and after an error.
function repl.start()
  local known = { gluon = true, nn = true }          -- absent before the first use
  for name in next, _G do known[name] = true end
  session = { reader = lineedit.open(history_path()) or plain, locals = Locals.new(), known = known }
  io.write(("hybridlua %s, %s. :help helps, Ctrl-D quits.\n"):format(core.host.info().version, core.host.info().lua))
  if core.host.colours(2) then return "\27[31m", "\27[0m\n" end
  return "", "\n"
end

-- Reads lines until they are complete: the function and whether it is silent; nil if there is nothing to run.
local function read_chunk(text)
  while true do
    local fn, silent, unfinished = compile(text)
    if fn then return fn, silent end
    if not unfinished then error(silent, 0) end
    local line = read_line ">> "
    if not line then return nil end
    text = text .. "\n" .. line
  end
end

--- Reads and runs one statement of one or more lines. Returns false when the session ends.
function repl.step()
  recover()
  local line, why = read_line "> "
  if not line then return why ~= nil end
  local command, rest = line:match "^%s*:(%a%w*)%s*(.-)%s*$"
  local name = line:match "^%s*%?%s*(.-)%s*$"
  local shell = line:match "^%s*%$%s*(.*)$"
  if command then return run_command(command, rest) ~= false end
  if name then print_help(name) return true end
  if shell then os.execute(shell) return true end
  if is_beginners(line) then
    print "?name prints documentation, :help lists what else there is, :quit or Ctrl-D leaves"
    return true
  end
  local fn, silent = read_chunk(line)
  local values = fn and run(fn)
  if values and not silent then print_values(values) end
  return true
end

return repl
