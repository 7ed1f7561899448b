-- allowed_functions.lua - the allow-list of functions that may run in a trace. The script's Lua functions may, since
-- their reads are guarded. A C function may only if it returns the same result for the same arguments: hybridlua's own,
-- Lua's library except for clocks, files, the environment and random numbers, and functions declared with hl.pure(f).
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local unwatched = require "hybridlua.gluon.hybridize.unwatched"
local c_address, is_own_code, is_watched = core.follow.c_address, core.follow.is_own_code, core.follow.watches
local note_shape_read, frame = core.trace.note_shape_read, core.script.frame

local allowed = {}

-- What further calls of a function need: nothing, or a check of their arguments.
local PASS, ASK = 1, 2

local function address(fn) return c_address(fn) end

-- ---- Lua's library, by the address of the code --------------------------------------------------------

local known, refused, asked = {}, {}, {}

local function all(library, classification, names)
  for name in names:gmatch "%S+" do
    local fn = (library or _ENV)[name]
    if type(fn) == "function" and address(fn) then known[address(fn)] = classification end
  end
end

-- src/bind/follow/library_reads.c records what these read from tables.
all(nil, PASS, "assert error ipairs pairs print rawequal select tonumber tostring type warn load next rawget rawlen " ..
    "rawset getmetatable setmetatable")
all(math, PASS, "abs acos asin atan ceil cos deg exp floor fmod log max min modf rad sin sqrt tan tointeger type " ..
                  "ult pow cosh sinh tanh log10 ldexp frexp")
all(string, PASS, "byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper")
all(getmetatable "", PASS, "__add __sub __mul __mod __pow __div __idiv __unm")
all(table, PASS, "concat insert move pack remove sort unpack")
all(utf8, PASS, "char codepoint codes len offset")
all(coroutine, PASS, "create wrap close")
all(debug, PASS, "traceback getinfo")
all(io, PASS, "write")
all(core.trace, PASS, "active")
all(core.script, PASS, "frame line own_function is_lua_function")
all(core.array, PASS, "is")
all(core.symbol, PASS, "is")
known[address(string.gmatch("", ""))] = PASS
known[address((ipairs {}))] = PASS
known[address((utf8.codes ""))] = PASS
-- Functions that Lua's library calls internally: the one that closes the buffer of a long string, which exists after
-- the first such string; and the searchers that require calls if a module of ours is first used in a trace.
do
  local _ = ("x"):rep(1 << 16)
  local box = debug.getregistry()["_UBOX*"]
  if box and box.__close and address(box.__close) then known[address(box.__close)] = PASS end
  for _, searcher in ipairs(package.searchers) do
    local at = address(searcher)
    if at and not is_own_code(searcher) then known[at] = PASS end
  end
end
for _, name in ipairs { "write", "flush", "setvbuf" } do known[address(io.stdout[name])] = PASS end

local function refuse_all(library, title, names, instead)
  for name in names:gmatch "%S+" do
    local fn = library[name]
    if type(fn) == "function" and address(fn) then refused[address(fn)] = { title .. name, instead } end
  end
end

local OUTSIDE = "call it outside of the block, and pass its result as an argument"
refuse_all(math, "math.", "random randomseed", "write F.random.uniform, or pass the number as an argument")
refuse_all(os, "os.", "time clock date difftime",
  "write hl.time() outside the block, and pass the number as an argument")
refuse_all(os, "os.", "getenv tmpname remove rename execute exit setlocale", OUTSIDE)
refuse_all(io, "io.", "open lines read popen tmpfile input output close", OUTSIDE)
refuse_all(io.stdout, "file:", "read lines seek close", OUTSIDE)
refuse_all(_ENV, "", "dofile loadfile", OUTSIDE)
refuse_all(debug, "debug.", "getlocal setlocal getupvalue setupvalue upvalueid upvaluejoin getuservalue " ..
                              "setuservalue getregistry getmetatable setmetatable gethook sethook debug", OUTSIDE)
refuse_all(unwatched.real(debug), "debug.", "setmetatable", OUTSIDE)
refuse_all(package, "package.", "searchpath loadlib", OUTSIDE)

--- Functions that are checked even if our own code calls them, since it does so on behalf of the block.
allowed.always = {}

local function refuse_here(fn, title, instead)
  refused[address(fn)] = { title, instead or OUTSIDE, anyone = true }
  allowed.always[#allowed.always + 1] = fn
end

refuse_here(core.host.seconds, "hl.time", "write hl.time() outside the block, and pass the number as an argument")
refuse_here(core.host.memory, "hl.memory")
refuse_here(core.random.state, "hl.random.state")
refuse_here(core.file.load_arrays, "nd.load")
refuse_here(core.file.parse_arrays, "nd.load_frombuffer")
refuse_here(core.file.read_csv, "nd.load")
refuse_here(core.file.read_idx, "reading a data set")
refuse_here(core.symbol.load, "sym.load")
refuse_here(core.worker.begin, "a loop over a DataLoader with num_workers")
refuse_here(core.file.load_picture, "image.imread")
refuse_here(core.file.save_picture, "image.imwrite")
do
  local made, lines = pcall(io.lines, "/dev/null")
  if made then refused[address(lines)] = { "a file's lines", OUTSIDE } end
end

-- ---- Functions allowed depending on their arguments ----------------------------------------------------

local function ask(fn, decide, script_only)
  if not fn or not address(fn) then return end
  known[address(fn)], asked[address(fn)] = ASK, decide
  if not script_only then allowed.always[#allowed.always + 1] = fn end
end

ask(require, function(_, name)
  if package.loaded[name] ~= nil then return nil end
  return ("require: module '%s' is not loaded yet, in a traced block; load it outside"):format(tostring(name))
end, true)

local IN_PROGRESS =
  "a coroutine that began outside of a hybridized block or compiled function cannot compute in it: " ..
  "later calls would not resume it; resume it outside, and pass its results as arguments"

local function resumes(_, co) return type(co) == "thread" and not is_watched(co) and IN_PROGRESS or nil end

local COUNTS = { count = true, step = true, isrunning = true, generational = true, incremental = true, stop = true,
  restart = true }

ask(collectgarbage, function(_, option)
  return COUNTS[option] and ('collectgarbage "%s" in a traced block would be frozen at its current result; %s'):format(
    option, OUTSIDE) or nil
end)

-- Whether an operator raises may depend on shapes, so a trace that catches errors holds for its shapes only. It may
-- also depend on numbers bound at run time, which operators check more strictly than in eager code.
local CATCHES = "a traced function whose numbers are bound at run time (scalars) cannot catch errors, which may " ..
  "depend on them; catch them outside, or leave the numbers out of scalars"

for _, catches in ipairs { coroutine.resume, coroutine.close } do
  ask(catches, function(recorder, co)
    note_shape_read()
    return resumes(nil, co) or recorder.numbers and CATCHES or nil
  end)
end
for _, catches in ipairs { pcall, xpcall } do
  ask(catches, function(recorder)
    note_shape_read()
    return recorder.numbers and CATCHES or nil
  end, true)
end
ask(coroutine.status, resumes)
for name in ("running isyieldable"):gmatch "%a+" do
  ask(coroutine[name], function(recorder)
    if coroutine.running() ~= recorder.traced then return nil end
    return ("coroutine.%s in a traced block: a compiled call may come from another coroutine; %s"):format(name, OUTSIDE)
  end, true)
end
ask(io.type, function(_, value)
  return io.type(value) and ("io.type of a file would be frozen at its current result; " .. OUTSIDE) or nil
end, true)
ask(coroutine.wrap(function() end), function() end)       -- judge_c checks the wrapped coroutine
ask(coroutine.yield, function(recorder)
  if coroutine.running() ~= recorder.traced then return nil end
  return "coroutine.yield in a traced block: a compiled call would not stop there; return instead, and yield " ..
    "outside of it"
end)

-- Functions that return an array's values as numbers or text.
local array_tostring = core.array.metatable.__tostring
for _, reads in ipairs { core.array.methods.totable, core.array.methods.asscalar, core.array.methods.tobytes } do
  ask(class.as_written(reads), function(recorder, array) recorder:watch_values(array) end)
end
ask(array_tostring, function(recorder, array) recorder:watch_text(array) end)
ask(core.array.metatable.__index, function(recorder, array, key)
  if key == "grad" then recorder:watch_gradient(array) end
end)

local wrapped = address(coroutine.wrap(function() end))

-- ---- Judging --------------------------------------------------------------------------------------------------

local read_pure = arguments.new("hl.pure", "fn")
local vouched = setmetatable({}, { __mode = "k" })

--- hl.pure(f): declares that f has no side effects and returns the same result for the same arguments, so it may run in
-- a trace. Returns f.
function allowed.pure(...)
  local fn = read_pure(...).fn
  if type(fn) ~= "function" then fail("hl.pure: expected a function, got %s", type(fn)) end
  vouched[fn] = true
  return fn
end

-- The script's name for a C function: that of a global, or of a module's entry.
local function name_of(fn)
  for key, value in next, _G do
    if value == fn then return tostring(key) end
  end
  for name, library in next, package.loaded do
    if type(library) == "table" and name ~= "_G" then
      for key, value in next, class.entries(library) do
        if rawequal(value, fn) then return ("%s.%s"):format(tostring(name), tostring(key)) end
      end
    end
  end
  local info = debug.getinfo(4, "n")
  return info and info.name or "a function in C"
end

-- Is the function that is about to run called by hybridlua's own code?
local function called_by_own(level) return frame(level or 5) == "own" end

local function judge_c(recorder, fn, ...)
  local at = address(fn)
  if refused[at] and (refused[at].anyone or not called_by_own()) then
    recorder:refuse("%s() in a traced block would be frozen at its current result; %s", refused[at][1], refused[at][2])
  end
  if asked[at] then
    local refusal
    if at == wrapped then refusal = resumes(recorder, (select(2, debug.getupvalue(fn, 1))))
    else refusal = asked[at](recorder, ...) end
    if refusal and not called_by_own() then recorder:refuse("%s", refusal) end
    return known[at]
  end
  local classification = refused[at] and ASK or known[at] or is_own_code(fn) and PASS
  if not classification then
    recorder:refuse("%s() in a traced block: a function in C that is not known to give the same for the same " ..
      "arguments; call it outside of the block and pass what it gives, or vouch for it with hl.pure(f)", name_of(fn))
  end
  return classification
end

--- The function that checks calls of C functions for the follower (src/bind/follow/follow.c): it raises to reject a
-- call, and returns whether further calls of the function need no check.
function allowed.new(recorder)
  return function(fn, ...)
    if vouched[fn] then return true end
    return judge_c(recorder, fn, ...) == PASS
  end
end

return allowed
