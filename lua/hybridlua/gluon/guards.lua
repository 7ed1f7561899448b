-- guards.lua - what a trace read besides its arguments, and what it wrote. A compiled call is valid while every place
-- that was read (an entry of a table, a field, an upvalue, a global) holds what the trace found there.
--
-- How it is seen: while a trace runs, Lua's call hook tells of each function before it runs (bind/called.c). A function
-- of the script that was there before has its upvalues looked at; one in C must be known not to depend on the world. A
-- table that was there before is hollow: its entries are in a table behind its metatable, so that each read and write
-- passes through here, whoever it is by. What looks into tables past metatables (next, rawlen, functions in C) finds
-- it opened: as it is, with all its entries guarded. Everything is back in its place when the trace ends.
-- Fields of blocks are read through their metatables, globals through a table in _ENV's place.
--
-- Fields of blocks and classes cannot change unnoticed (every assignment raises version.fields), so only the other
-- guards are looked at in every call (bind/guard.c). Finalizers that run meanwhile are no part of the trace.
local class = require "hybridlua.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local judge = require "hybridlua.gluon.judge"
local script = require "hybridlua.script"
local warn = require "hybridlua.warn"

local guards = {}

local Recorder = {}
Recorder.__index = Recorder

local own_modules = {}

-- Modules of hybridlua's that were loaded since; they stay.
local function find_own_modules()
  for name, module in next, package.loaded do
    local own = type(name) == "string" and (name == "hybridlua" or name:find "^hybridlua%.")
    if own and type(module) == "table" then own_modules[module] = true end
  end
end

--- A recorder for one trace. effects: see hybridize.
function guards.new(effects)
  local self = setmetatable({ effects = effects or "warn", fields = {}, others = {}, undo = {}, written = {} },
    Recorder)
  self.known = setmetatable({}, { __mode = "k" })       -- by holder and key: its guard
  self.hollow = {}                                      -- by table: its state, while it is hollow
  self.met = {}                                         -- tables, blocks and upvalues that are watched already
  self.outside = {}                                     -- functions that were there before
  self.stand_ins, self.stands_for = {}, {}              -- by table of STAND_INS what is in its place, and back
  self.methods = {}                                     -- of strings: their names
  for name, fn in next, string do self.methods[fn] = name end
  find_own_modules()
  return self
end

-- While this file looks at tables itself, calls are nobody's business.
local pause = core.watch_pause

local function quiet_end(before, ...)
  pause(before)
  return ...
end

local function quietly(fn, ...) return quiet_end(pause(true), fn(...)) end

local function is_array(x) return type(x) == "userdata" and core.is_array(x) end

-- Raises, and again when the trace ends, in case that a pcall of the script's is in between.
function Recorder:refuse(format, ...)
  local ok, message = pcall(fail, format, ...)
  self.refusal = self.refusal or not ok and message
  error(message, 0)
end

-- ---- Guards ---------------------------------------------------------------------------------------------

-- Keys of guards that are of no entry.
local METATABLE, LENGTH, COUNT, VALUES, GRADIENT = {}, {}, {}, {}, {}
local ID = { metatable = METATABLE, length = LENGTH, count = COUNT, values = VALUES, gradient = GRADIENT }

-- The guard of a place; what: its name, or how to make it.
function Recorder:guard(list, kind, holder, key, value, what)
  local of = self.known[holder]
  if not of then
    of = {}
    self.known[holder] = of
  end
  local id = ID[kind] or key
  if id == nil or id ~= id or of[id] then return of[id] end
  local guard = { kind = kind, holder = holder, key = key, id = id, value = value, array = is_array(value) or nil,
                  line = script.line(),
                  what = type(what) == "function" and what() or what }
  of[id] = guard
  list[#list + 1] = guard
  return guard
end

local function key_text(what, key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return what .. "." .. key end
  return ("%s[%s]"):format(what, type(key) == "string" and ("%q"):format(key) or tostring(key))
end

local function drop(list, guard)
  for i, g in ipairs(list) do if g == guard then table.remove(list, i) return end end
end

-- A place that the trace writes. One that it read before would have another value in the next call.
function Recorder:note_write(holder, id, what)
  local guard = (self.known[holder] or {})[id]
  if guard and self.effects ~= "ignore" then
    self:refuse("%s was read, and then written, while the block was traced; a compiled call would not repeat " ..
      "that: return the value, and " ..
                "write it outside, or pass it as an argument", what)
  end
  if guard then
    drop(self.others, guard)
    drop(self.fields, guard)
    self.known[holder][id] = nil
  end
  local text =
    ("%s is written while the block is traced; compiled calls do not repeat that: return the value, and write it " ..
      "outside")
               :format(what)
  if self.effects == "error" then self:refuse("%s", text) end
  if self.effects == "warn" and not self.written[text] then warn.here("%s", text) end
  self.written[text] = true
end

-- ---- Tables ----------------------------------------------------------------------------------------------

-- Libraries of Lua's: hybridlua's own files read them all the time, and mean themselves.
local libraries = {}
for _, name in ipairs { "math", "string", "table", "utf8", "os", "io", "coroutine" } do libraries[_G[name]] = true end
local not_watched = { [debug] = true }
local NONE = {}

local function is_own_table(t) return own_modules[t] or not_watched[t] or core.is_operators(t) or class.is_module(t) end

-- Tables that others are put in the place of, and how their entries are called.
local STAND_INS = { [_G] = "global ", [package] = "package.", [package.loaded] = "package.loaded." }

local EXCEPT = { __index = true, __newindex = true, __len = true, __pairs = true, __gc = true, __mode = true,
  __metatable = true }

local frame = core.frame             -- whose function runs at a level

-- What stands behind the metatable for the keys that a table has not: a function, or another table.
function Recorder:read_behind(state, key)
  local index = rawget(state.meta, "__index")
  if index == nil then return nil end
  self:guard(self.others, "metatable", state.table, nil, state.meta,
    function() return "the metatable of " .. state.what end)
  self:guard(self.others, "entry", state.meta, "__index", index, function() return "__index of " .. state.what end)
  return self:follow(index, type(index) == "function" and "__index of " .. state.what or state.what)
end

-- The entry, or nil and what stands behind it.
function Recorder:read(state, key, by_own)
  local value = rawget(state.entries, key)
  local counts = core.tracing() and not by_own
  if counts and not state.made[key] then
    self:guard(self.others, "entry", state.table, key, value, function() return key_text(state.what, key) end)
  end
  if value == nil and state.meta then return nil, self:read_behind(state, key) end
  return counts and self:follow(value, state.what, key) or value
end

-- Would the write change a length that was read?
function Recorder:check_length(state, key, value)
  local length, n = self.known[state.table] and self.known[state.table][LENGTH], #state.entries
  if length and (value ~= nil and key == n + 1 or value == nil and key == n) then
    self:note_write(state.table, LENGTH, length.what)
  end
end

-- Writes an entry, or gives what stands behind the metatable for that.
function Recorder:write(state, key, value)
  local handler = state.meta and rawget(state.entries, key) == nil and rawget(state.meta, "__newindex")
  if handler then return self:follow(handler, "__newindex of " .. state.what) end
  if core.tracing() then
    self:check_length(state, key, value)
    if not state.made[key] then self:note_write(state.table, key, key_text(state.what, key)) end
    state.made[key] = true
  end
  rawset(state.entries, key, value)
end

-- The length, or nil and what tells it.
function Recorder:length(state)
  local handler = state.meta and rawget(state.meta, "__len")
  if handler then return nil, self:follow(handler, "__len of " .. state.what) end
  local n = #state.entries
  if core.tracing() then
    self:guard(self.others, "length", state.table, nil, n, function() return "the length of " .. state.what end)
  end
  return n
end

-- The entries go back, and the metatable. What rawget was shown may have been written since.
local function fill(state)
  for key in next, state.lifted do
    if not state.made[key] then state.entries[key] = rawget(state.table, key) end
  end
  debug.setmetatable(state.table, state.meta)
  for key, value in next, state.entries do rawset(state.table, key, value) end
end

function Recorder:guard_all(t, what, entries, meta)
  local n = 0
  for key, value in next, entries do
    n = n + 1
    self:guard(self.others, "entry", t, key, value, function() return key_text(what, key) end)
  end
  self:guard(self.others, "count", t, nil, n, function() return "the number of entries of " .. what end)
  self:guard(self.others, "metatable", t, nil, meta, function() return "the metatable of " .. what end)
  for key, value in next, entries do self:follow(value, what, key) end
  if meta and not core.is_plain(t) then self:follow(meta, "the metatable of " .. what) end
end

--- Puts the entries of a hollow table back for what looks past metatables, and guards them all. Tables in it, too.
function Recorder:open(t)
  local state = self.hollow[t]
  if not state then return end
  self.hollow[t] = nil
  fill(state)
  self:guard_all(t, state.what, state.entries, state.meta)
  for _, value in next, state.entries do if type(value) == "table" then self:open(value) end end
end

--- An entry of a hollow table where rawget finds it.
function Recorder:lift(t, key)
  local state = self.hollow[t]
  if not state then return end
  local value = rawget(state.entries, key)
  self:guard(self.others, "entry", t, key, value, function() return key_text(state.what, key) end)
  if value == nil then return end
  rawset(t, key, self:follow(value, state.what, key))
  state.lifted[key] = true
end

-- The metatable of a hollow table: the script's own, but that reads and writes come here.
function Recorder:watching_metatable(state)
  local meta = { __watched = state.meta == nil }          -- as core.is_plain sees it
  for key, value in next, state.meta or {} do
    if type(key) == "string" and key:find "^__" and not EXCEPT[key] then
      meta[key] = self:follow(value, key .. " of " .. state.what)
      self:guard(self.others, "entry", state.meta, key, value, function() return key .. " of " .. state.what end)
    end
  end
  local entries = state.entries
  meta.__index = function(t, key)
    local by_own, known = libraries[t] and frame(2) ~= "script", entries[key]
    if known ~= nil then
      local guard = not by_own and (self.known[t] or NONE)[key]
      if by_own or guard and rawequal(guard.value, known) and not STAND_INS[known] then return known end
    end
    local value, behind = quietly(self.read, self, state, key, by_own)
    if behind == nil then return value end
    if type(behind) == "function" then return behind(t, key) end
    return behind[key]
  end
  meta.__newindex = function(t, key, value)
    local handler = quietly(self.write, self, state, key, value)
    if type(handler) == "function" then handler(t, key, value)
    elseif handler then handler[key] = value end
  end
  meta.__len = function(t)
    local n, handler = quietly(self.length, self, state)
    return n or handler(t)
  end
  meta.__pairs = function(t)
    local handler = state.meta and rawget(state.meta, "__pairs")
    if handler then return quietly(self.follow, self, handler, "__pairs of " .. state.what)(t) end
    if not core.tracing() then return next, state.entries, nil end
    quietly(self.open, self, t)
    return next, t, nil
  end
  return meta
end

-- The table's entries move behind its metatable. A metatable stays as it is, since Lua looks into it past its own.
function Recorder:make_hollow(t, what)
  local entries, is_metatable = {}, false
  for key, value in next, t do
    entries[key] = value
    is_metatable = is_metatable or type(key) == "string" and key:find "^__" ~= nil
  end
  local meta = debug.getmetatable(t)
  if is_metatable then self:guard_all(t, what, entries, meta) return end
  if meta and rawget(meta, "__mode") then self:guard_all(t, what, entries, meta) return end
  local state = { table = t, entries = entries, meta = meta, what = what, made = {}, lifted = {} }
  local watching = self:watching_metatable(state)
  if meta then self:guard(self.others, "metatable", t, nil, meta, function() return "the metatable of " .. what end) end
  self.hollow[t] = state
  core.watch_opens()
  for key in next, entries do rawset(t, key, nil) end
  debug.setmetatable(t, watching)
end

-- ---- Classes -------------------------------------------------------------------------------------------

-- What is read of a class by its name. Members that blocks have of it are their fields.
function Recorder:watch_class(cls, what)
  local meta = getmetatable(cls)
  local before = meta.__index
  if not before then return end
  meta.__index = function(_, key)
    local value = type(before) == "function" and before(cls, key) or before[key]
    if not core.tracing() or frame(2) ~= "script" then return value end
    quietly(self.guard, self, self.others, "field", cls, key, value, key_text(what, key))
    return quietly(self.follow, self, value, what, key)
  end
  self.undo[#self.undo + 1] = function() meta.__index = before end
end

-- ---- Instances of our classes, but blocks: parameters, trainers, metrics, schedulers ------------------------

local SCALAR = { number = true, string = true, boolean = true, ["function"] = true, userdata = true }
local MOST_INSIDE = 3            -- tables in tables of an instance

-- Those of a machine, a class whose instances our own functions read and write in traces and between calls, are what
-- the script sees of it: names without an underscore.
function Recorder:guard_scalars(t, what, machine, depth)
  for key, value in next, t do
    local inner = machine and (type(key) ~= "string" or key:find "^_")
    if SCALAR[type(value)] and not inner then
      self:guard(self.others, "entry", t, key, value, function() return key_text(what, key) end)
    elseif not machine and type(value) == "table" and not debug.getmetatable(value) and depth < MOST_INSIDE then
      self:guard_scalars(value, key_text(what, key), machine, depth + 1)
    end
  end
end

-- What their metatable computes, as trainer.learning_rate.
function Recorder:watch_properties(meta, what)
  local before = meta.__index
  if self.met[meta] or type(before) ~= "function" then return end
  self.met[meta] = true
  meta.__index = function(t, key)
    local value = before(t, key)
    if not core.tracing() or type(value) == "function" or frame(2) ~= "script" then return value end
    local kept = class.of(t).is_machine
    kept = type(kept) == "table" and kept[key]              -- where what it copies is
    if kept then quietly(self.guard, self, self.others, "entry", t, kept, rawget(t, kept), key_text(what, key))
    else quietly(self.guard, self, self.others, "field", t, key, value, key_text(what, key)) end
    return value
  end
  self.undo[#self.undo + 1] = function() meta.__index = before end
end

function Recorder:watch_instance(t, what)
  self.met[t] = true
  local machine = class.of(t).is_machine
  self:guard_scalars(t, what, machine, 0)
  self:watch_properties(getmetatable(t), what)
end

-- ---- Blocks --------------------------------------------------------------------------------------------

-- What a block itself is made of (gluon/block.lua); it changes with version.fields.
local PARTS = { _children = true, _slots = true, _tables = true, _registered = true, _reg_params = true,
                _structure = true, _params = true, params = true, _hooks = true, _pre_hooks = true,
                _scope_counts = true, _unnamed = true, prefix = true, name = true }

-- What runs when the block is called, whoever looks it up.
local RUN = { "forward", "hybrid_forward" }

-- For a value that is compared by identity. `final`: once it has changed, it will never be the same again.
local function changes(guard, change, final)
  if guard then guard.change, guard.final, guard.what = change, final, nil end
end

function Recorder:watch_parts(store)
  changes(self:guard(self.fields, "field", store, "_structure", store._structure),
          ("the children or parameters of %s changed"):format(store.name), true)
  for _, key in ipairs(RUN) do
    changes(self:guard(self.fields, "field", store, key, store[key]), ("%s of %s was replaced"):format(key, store.name))
  end
end

-- How a value that was read already is known again: by ==, which asks metatables of objects.
local PLAIN, OBJECT = 1, 2

function Recorder:read_field(store, key, value, own_layer, read)
  if not core.tracing() then return value end
  local what = ("self.%s of %s"):format(tostring(key), store.name)
  local kind = type(value)
  if own_layer and kind == "table" and not class.of(value) then return value end
  local guard = self:guard(self.fields, "field", store, key, value, what)
  if guard and (kind == "function" or kind == "table" or kind == "userdata") then
    guard.change = what .. " was replaced"
  end
  if guard and own_layer then guard.what = nil end             -- told by its change
  read[key] = kind ~= "table" and kind ~= "userdata" and PLAIN or not STAND_INS[value] and OBJECT
  return own_layer and value or self:follow(value, what)
end

--- Records the fields of a block that are read. Tables in them are followed where the block is the script's;
-- hybridlua's own layers do not change theirs.
function Recorder:watch_block(block)
  local meta = getmetatable(block)
  local store, before = meta.store, meta.__index
  if self.met[block] or type(before) == "function" then return end
  self.met[block] = true
  local run = store._traced_function or store.hybrid_forward or store.forward
  local own_layer = not run or script.is_own(run)
  self:watch_parts(store)
  local read = {}                                 -- by key, how: what is behind the value is watched already
  meta.__index = function(_, key)
    local value = store[key]
    if PARTS[key] then return value end
    local how = read[key]
    local guard = how and self.known[store][key]
    if guard and (how == PLAIN and guard.value == value or how == OBJECT and rawequal(guard.value, value)) then
      return value
    end
    return quietly(self.read_field, self, store, key, value, own_layer, read)
  end
  self.undo[#self.undo + 1] = function() meta.__index = before end
end

--- Called when a block is entered, with what it runs.
function Recorder:enter(block, fn)
  quietly(self.watch_block, self, block)
  self.outside[fn] = true
end

local MOST_VALUES = 4096                    -- bytes that each call compares

--- The script takes an array's values as numbers: they are what they were, or the block is traced again.
function Recorder:watch_values(array)
  if not is_array(array) then return end
  local bytes = class.as_written(core.array_methods.tobytes)(array)
  if #bytes > MOST_VALUES then
    self:refuse("the values of an array of shape %s are read in a traced block, and would have to be compared in " ..
      "each " ..
                "call; write operators on it", tostring(array.shape))
  end
  self:guard(self.others, "values", array, nil, bytes, "the values of an array")
end

--- The same of several arrays.
function Recorder:watch_sources(arrays)
  for _, array in ipairs(arrays) do quietly(self.watch_values, self, array) end
end

--- The script read `module[key]`, which is its own.
function Recorder:watch_extra(module, key, value)
  local title = ("%s.%s"):format(getmetatable(module).path:gsub("^hybridlua%.", ""), tostring(key))
  quietly(self.guard, self, self.others, "field", module, key, value, title)
  quietly(self.follow, self, value, title)
end

--- The script takes an array's gradient: another one may come with attach_grad.
function Recorder:watch_gradient(array)
  if not is_array(array) then return end
  changes(self:guard(self.others, "gradient", array, nil, core.guard_now("gradient", array)),
    "attach_grad() gave an array another gradient")
end

--- Records that a parameter's array was taken; another one raises version.fields.
function Recorder:watch_array(param)
  changes(quietly(self.guard, self, self.fields, "field", param, "_data", param._data),
    ("the array of %s was replaced"):format(param.name))
end

--- What `block.key = value` does while a trace is under way.
function Recorder:write_field(store, key)
  quietly(self.note_write, self, store, key, ("self.%s of %s"):format(tostring(key), store.name))
end

-- ---- Values --------------------------------------------------------------------------------------------

local function is_block(x)
  local meta = getmetatable(x)
  return type(meta) == "table" and rawget(meta, "store") ~= nil
end

function Recorder:follow_table(t, what)
  if self.met[t] or is_own_table(t) then return end
  if class.of(t) then
    if is_block(t) then self:watch_block(t) else self:watch_instance(t, what) end
    return
  end
  self.met[t] = true
  if class.is_class(t) then self:watch_class(t, what)
  elseif core.is_plain(t) and getmetatable(t) then self:guard_all(t, what, t, getmetatable(t))     -- a shape
  else self:make_hollow(t, what) end
end

--- A value that the script gets from a place outside: what it leads to is watched, too. Returns what stands for it.
function Recorder:follow(value, what, key)
  local kind = type(value)
  if kind == "table" then
    if STAND_INS[value] then return self:stand_in(value) end
    if self.stands_for[value] then return value end
    if not self.met[value] then self:follow_table(value, key == nil and what or key_text(what, key)) end
  elseif kind == "function" then
    self.outside[value] = true
  end
  return value
end

-- ---- Globals, and what modules are in ---------------------------------------------------------------------------

-- What stands for one of these tables in the trace. Everybody's code reads them, so they stay as they are.
function Recorder:stand_in(t)
  if self.stand_ins[t] then return self.stand_ins[t] end
  local made, title = {}, STAND_INS[t]
  local function read(key)
    local value = t[key]
    if not made[key] then self:guard(self.others, "field", t, key, value, title .. tostring(key)) end
    return self:follow(value, title .. tostring(key))
  end
  local function write(key, value)
    self:note_write(t, key, title .. tostring(key))
    made[key] = true
    t[key] = value
  end
  local stand_in = setmetatable({}, {
    __index = function(_, key)
      if not core.tracing() then return t[key] end
      return quietly(read, key)
    end,
    __newindex = function(_, key, value)
      if core.tracing() then quietly(write, key, value) else t[key] = value end
    end,
    __pairs = function()
      local all = {}
      for key, value in next, t do all[key] = value end
      if core.tracing() then quietly(self.guard_all, self, t, title, all, getmetatable(t)) end
      return next, all, nil
    end,
  })
  self.stand_ins[t], self.stands_for[stand_in] = stand_in, t
  return stand_in
end

--- rawget of a table in another's place.
function Recorder:lift_global(stand_in, key)
  local t = self.stands_for[stand_in]
  local value, title = rawget(t, key), STAND_INS[t] .. tostring(key)
  self:guard(self.others, "field", t, key, value, title)
  rawset(stand_in, key, self:follow(value, title))
  self.undo[#self.undo + 1] = function()
    local now = rawget(stand_in, key)
    rawset(stand_in, key, nil)
    if not rawequal(now, value) and not self.stands_for[now] then t[key] = now end              -- written past it
  end
end

-- ---- Functions -------------------------------------------------------------------------------------------

-- "the function at train.lua:12"
local function place(fn)
  local info = debug.getinfo(fn, "S")
  return ("the function at %s:%d"):format(info.short_src, info.linedefined)
end

function Recorder:watch_upvalue(fn, i, name, value)
  if self.stands_for[value] then return end
  if STAND_INS[value] then
    local stand_in = self:stand_in(value)
    debug.setupvalue(fn, i, stand_in)
    self.undo[#self.undo + 1] = function()
      if rawequal(select(2, debug.getupvalue(fn, i)), stand_in) then debug.setupvalue(fn, i, value) end
    end
    return
  end
  local id = debug.upvalueid(fn, i)
  if self.met[id] then return end
  local guard = self:guard(self.others, "upvalue", fn, i, value, ("upvalue %s of %s"):format(name, place(fn)))
  self.met[id] = guard
  self:follow(value, "upvalue " .. name)
end

--- Looks at the upvalues of a function that was there before the trace. Those of functions that it makes are its own.
function Recorder:watch_function(fn)
  if self.met[fn] or script.is_own(fn) then return end
  local outside = self.outside[fn]
  self.met[fn] = outside
  for i = 1, 255 do
    local name, value = debug.getupvalue(fn, i)
    if not name then break end
    if outside or rawequal(value, _G) then self:watch_upvalue(fn, i, name, value) end        -- load gives it _G
  end
end

--- A method of strings that the script calls: these are found past all that is watched.
function Recorder:watch_method(fn)
  local name = self.methods[fn]
  self:guard(self.others, "entry", string, name, fn, "string." .. tostring(name))
end

--- Has Lua tell of calls from here on.
function Recorder:begin(fn)
  self.outside[fn] = true
  core.watch_begin(judge.new(self), function(t) self:open(t) end, judge.verdicts(self), self.hollow,
    self.stands_for)
  self:watch_function(fn)
  self:refuse_yield(coroutine.running())
end

--- Refuses to leave the trace for whoever resumed it; coroutines that the trace resumes may yield.
function Recorder:refuse_yield(traced) self.traced = traced end

-- ---- The end ---------------------------------------------------------------------------------------------

--- Puts everything back, also when an error passes through.
function Recorder:close()
  if self.closed then return end
  self.closed = true
  self.starved = not core.watch_end()
  for i = #self.undo, 1, -1 do self.undo[i]() end
  self.undo = {}
  for t, state in next, self.hollow do
    fill(state)
    self.hollow[t] = nil
  end
end

Recorder.__close = Recorder.close

-- An upvalue that the trace changed: was it read before it was written?
function Recorder:check_upvalue(guard)
  local name = guard.what
  if core.upvalue_read_first(string.dump(guard.holder, true), guard.key) then
    self:note_write(guard.holder, guard.key, name)
    return
  end
  drop(self.others, guard)
  self.known[guard.holder][guard.key] = nil
  self:note_write(guard.holder, guard.key, name)
end

--- After the trace: what it changed itself past what sees writes would be lost in compiled calls.
function Recorder:check_unchanged()
  local refusal = self.refusal or core.trace_refusal()
  if refusal then error(refusal, 0) end
  if self.starved then error("not enough memory", 0) end
  for _, guard in ipairs(table.move(self.others, 1, #self.others, 1, {})) do
    local now = core.guard_now(guard.kind, guard.holder, guard.key)
    if guard.kind == "length" then guard.value = now
    elseif not core.same_value(now, guard.value) then
      if guard.kind == "upvalue" then self:check_upvalue(guard)
      else self:note_write(guard.holder, guard.id, guard.what) end
    end
  end
  self:seal()
end

--- What compiled calls look at: { others, fields }, in the engine's form.
function Recorder:seal()
  for _, key in ipairs { "outside", "met", "known", "stand_ins", "stands_for", "verdicts", "traced", "methods" } do
    self[key] = nil
  end
  self.others_engine, self.fields_engine = core.guards(self.others), core.guards(self.fields)
end

--- The first guard of a list that no longer holds, with what is there now; nil if all hold.
function guards.broken(recorder, list)
  local i, now = core.guards_broken(recorder[list .. "_engine"])
  if i then return recorder[list][i], now end
end

return guards
