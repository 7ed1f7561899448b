-- trace_guards.lua - the places that a trace read apart from its arguments, and those that it wrote. A compiled call is
-- valid while every place that was read (an entry of a table, a field, an upvalue, a global) holds what the trace found
-- there.
--
-- While a trace runs, Lua's call hook reports each function before it runs (bind/trace/call_hook.c). The upvalues of a
-- function of the script that existed before are guarded; a function in C must be on the allow-list
-- (allowed_functions.lua). A table that existed before is wrapped: its entries are in a shadow table behind its
-- metatable, so that each read and write passes through read_barrier.lua. For code that reads tables past metatables
-- (next, rawlen, functions in C) it is unwrapped: restored, with all its entries guarded. When the trace ends all is
-- restored. Fields of blocks are read through their metatables, globals through a proxy in _ENV's place.
--
-- Every assignment to a field of a block or class raises counters.fields, so only the other guards are checked in every
-- call (bind/call/call_guards.c). Finalizers that run during a trace are not part of it.
--
-- An entry is one guard, however large its value is. Functions made in the trace have upvalues of the trace's own,
-- which are not guarded. A trace that catches errors (pcall, coroutine.resume) holds for its shapes only, since other
-- shapes may raise none. Arrays that were replaced by others of the same type need no new trace (trace.rebind).
--
-- An error ends the trace before the message handler of an xpcall around it runs, so the handler sees the script as it
-- is. If memory runs out in a hook, nothing is raised there, because a close variable's code may be running; the trace
-- fails at its end.
--
-- In a trace a call of a new function costs about 1 us, a further one 0.1 us, and a read 1 us; moving a table of 10,000
-- entries to its shadow and back takes 3 to 4 ms. spec/bind/trace/trace_guards_spec.lua has the ways to read a table,
-- host_hooks_spec.lua the things that tracing leaves alone.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local held = require "hybridlua.gluon.hybridize.watched_objects"
local barrier = require "hybridlua.gluon.hybridize.read_barrier"
local allowed = require "hybridlua.gluon.hybridize.allowed_functions"
local script = require "hybridlua.language.script_line"
local warn = require "hybridlua.language.warn"
local unwatched = require "hybridlua.gluon.hybridize.unwatched"
local is_ndarray, is_plain, tracing = core.array.is, core.script.is_plain, core.trace.active
local read_guard, same_value, first_broken = core.guard.read, core.guard.same_value, core.guard.first_broken
local is_lua_function = core.script.is_lua_function

local guards = {}

local quietly, key_text, PROXIED = unwatched.quietly, unwatched.key_text, unwatched.PROXIED
local frame = core.script.frame

local Recorder = {}
for _, part in ipairs { barrier, held } do
  for name, method in next, part do Recorder[name] = method end
end
Recorder.__index = Recorder

--- A recorder for one trace. effects: see hybridize.
function guards.new(effects)
  local self = setmetatable({ effects = effects or "warn", fields = {}, others = {}, undo = {}, written = {} },
    Recorder)
  self.known = setmetatable({}, { __mode = "k" })       -- by holder and key: its guard
  self.shadows = {}                                     -- by table: its state, while it is wrapped
  self.met = {}                                         -- tables, blocks and upvalues that are watched already
  self.outside = {}                                     -- functions that existed before the trace
  self.proxies, self.proxied = {}, {}              -- by table of PROXIED its proxy, and by proxy its table
  self.methods = {}                                     -- of strings: their names
  for name, fn in next, unwatched.real(string) do self.methods[fn] = name end
  unwatched.find_own_modules()
  return self
end

local function is_array(x) return type(x) == "userdata" and is_ndarray(x) end

-- Raises, and again when the trace ends, in case a pcall of the script's caught the error.
function Recorder:refuse(format, ...)
  local ok, message = pcall(fail, format, ...)
  self.refusal = self.refusal or not ok and message
  error(message, 0)
end

-- ---- Guards ---------------------------------------------------------------------------------------------

-- Keys of guards that do not belong to an entry.
local COUNT = {}
local ID = { metatable = {}, length = {}, count = COUNT, order = COUNT, values = {}, gradient = {}, printing = {} }

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

--- The guard of this kind, not of an entry; nil if there is none.
function Recorder:guard_of(holder, kind)
  local of = self.known[holder]
  return of and of[ID[kind]]
end

local function drop(list, guard)
  for i, g in ipairs(list) do if g == guard then table.remove(list, i) return end end
end

-- Records that the trace writes a place. If it read it before, the next call would read another value.
function Recorder:record_write(holder, id, what)
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
    string.format("%s is written while the block is traced; compiled calls do not repeat that: return the value, " ..
      "and write it outside", what)
  if self.effects == "error" then self:refuse("%s", text) end
  if self.effects == "warn" and not self.written[text] then warn.here("%s", text) end
  self.written[text] = true
end

-- ---- Blocks --------------------------------------------------------------------------------------------

-- Fields in which Block keeps its own data (gluon/block.lua); they change with counters.fields.
local PARTS = { _children = true, _slots = true, _tables = true, _registered = true, _reg_params = true,
                _structure = true, _params = true, params = true, _hooks = true, _pre_hooks = true,
                _scope_counts = true, _unnamed = true, prefix = true, name = true }

-- Functions that run when the block is called; always guarded.
local RUN = { "forward", "hybrid_forward" }

-- Describes the change of a value that is compared by identity. `final`: once changed, it is never the same again.
local function changes(guard, change, final)
  if guard then guard.change, guard.final, guard.what = change, final, nil end
end

function Recorder:watch_parts(store)
  changes(self:guard(self.fields, "field", store, "_structure", store._structure),
          string.format("the children or parameters of %s changed", store.name), true)
  for _, key in ipairs(RUN) do
    changes(self:guard(self.fields, "field", store, key, store[key]),
            string.format("%s of %s was replaced", key, store.name))
  end
end

-- How a value that was read already is recognized: by ==, or by rawequal for objects, whose metatables == would call.
local PLAIN, OBJECT = 1, 2

function Recorder:read_field(store, key, value, by_own, read)
  if not tracing() then return value end
  local what = string.format("self.%s of %s", tostring(key), store.name)
  local kind = type(value)
  if by_own and kind == "table" and not class.of(value) then return value end
  local guard = self:guard(self.fields, "field", store, key, value, what)
  if guard and (kind == "function" or kind == "table" or kind == "userdata") then
    guard.change = what .. " was replaced"
  end
  if guard and by_own then guard.what = nil end             -- its change describes it
  read[key] = kind ~= "table" and kind ~= "userdata" and PLAIN or not PROXIED[value] and OBJECT
  if by_own and kind ~= "function" then return value end
  return self:follow(value, what)
end

--- Records the fields of a block that are read. Tables in them are followed where the script reads them: hybridlua's
-- own layers do not change theirs.
function Recorder:watch_block(block)
  local meta = getmetatable(block)
  local store, before = meta.store, meta.__index
  if self.met[block] or type(before) == "function" then return end
  self.met[block] = true
  local run = store._traced_function or store.hybrid_forward or store.forward
  local own_layer = not run or script.is_own(run)
  self:watch_parts(store)
  local read = {}                                 -- by key, how: values that are followed already
  meta.__index = function(_, key)
    local value = store[key]
    if PARTS[key] then return value end
    local how = read[key]
    local guard = how and self.known[store][key]
    if guard and (how == PLAIN and guard.value == value or how == OBJECT and rawequal(guard.value, value)) then
      return value
    end
    return quietly(self.read_field, self, store, key, value, own_layer and frame(2) ~= "script", read)
  end
  self.undo[#self.undo + 1] = function() meta.__index = before end
end

-- Hooks of blocks inside do not run in compiled calls; if the block is a child, the blocks around it run in segments
-- instead.
function Recorder:watch_hooks(block)
  local store = getmetatable(block).store
  for _, list in ipairs { store._hooks, store._pre_hooks } do
    if #list > 0 then self.hooked = self.hooked or block end
    changes(self:guard(self.fields, "length", list, nil, #list), string.format("hooks of %s changed", store.name))
  end
end

--- Called when a block is entered, with the function that it runs.
function Recorder:enter(block, fn)
  self.root = self.root or block
  if block ~= self.root then quietly(self.watch_hooks, self, block) end
  quietly(self.watch_block, self, block)
  quietly(self.follow, self, fn, "what it runs")
end

local MOST_VALUES = 4096                    -- bytes that each call compares

--- The script reads an array's values as numbers: the trace holds only for these.
function Recorder:watch_values(array)
  if not is_array(array) then return end
  local bytes = class.as_written(core.array.methods.tobytes)(array)
  if #bytes > MOST_VALUES then
    self:refuse("the values of an array of shape %s are read in a traced block, and would have to be compared in " ..
      "each " ..
                "call; write operators on it", tostring(array.shape))
  end
  self:guard(self.others, "values", array, nil, bytes, "the values of an array")
end

--- The script reads an array's text.
function Recorder:watch_text(array)
  self:watch_values(array)
  if not is_array(array) then return end
  changes(self:guard(self.others, "printing", array, nil, read_guard("printing", array)),
          "nd.set_printoptions was called")
end

--- watch_values for several arrays.
function Recorder:watch_sources(arrays)
  for _, array in ipairs(arrays) do quietly(self.watch_values, self, array) end
end

--- The script read `module[key]`, which a script has put there.
function Recorder:watch_extra(module, key, value)
  local title = string.format("%s.%s", string.gsub(getmetatable(module).path, "^hybridlua%.", ""), tostring(key))
  quietly(self.guard, self, self.others, "field", module, key, value, title)
  quietly(self.follow, self, value, title)
end

--- The script reads an array's gradient: attach_grad may replace it.
function Recorder:watch_gradient(array)
  if not is_array(array) then return end
  changes(self:guard(self.others, "gradient", array, nil, read_guard("gradient", array)),
    "attach_grad() gave an array another gradient")
end

--- Records that a parameter's array was taken; another one raises counters.fields.
function Recorder:watch_array(param)
  changes(quietly(self.guard, self, self.fields, "field", param, "_array", param._array),
    string.format("the array of %s was replaced", param.name))
end

--- Records `block.key = value` during a trace.
function Recorder:write_field(store, key)
  quietly(self.record_write, self, store, key, string.format("self.%s of %s", tostring(key), store.name))
end

-- ---- Values --------------------------------------------------------------------------------------------

local function is_block(x)
  local meta = getmetatable(x)
  return type(meta) == "table" and rawget(meta, "store") ~= nil
end

function Recorder:follow_table(t, what)
  if self.met[t] or unwatched.is_own_table(t) then return end
  if class.of(t) then
    if is_block(t) then self:watch_block(t) else self:watch_instance(t, what) end
    return
  end
  self.met[t] = true
  if class.is_class(t) then self:watch_class(t, what)
  elseif is_plain(t) and getmetatable(t) then self:guard_all(t, what, t, getmetatable(t))     -- a shape
  else self:wrap(t, what) end
end

--- Watches a value that the script gets from a place outside, and all that it leads to. Returns the value or its proxy.
function Recorder:follow(value, what, key)
  local kind = type(value)
  if kind == "table" then
    if PROXIED[value] then return self:proxy(value) end
    if self.proxied[value] then return value end
    if not self.met[value] then self:follow_table(value, key == nil and what or key_text(what, key)) end
  elseif kind == "function" and not self.outside[value] then
    self.outside[value] = true
    if script.is_own(value) then self:follow_own(value, what) end
  end
  return value
end

-- ---- Globals and loaded modules ---------------------------------------------------------------------------------

-- The proxy of one of these tables in the trace. All code reads them, so they are not wrapped.
function Recorder:proxy(t)
  if self.proxies[t] then return self.proxies[t] end
  local made, title = {}, PROXIED[t]
  local function read(key)
    local value = t[key]
    if not made[key] then self:guard(self.others, "field", t, key, value, title .. tostring(key)) end
    return self:follow(value, title .. tostring(key))
  end
  local function write(key, value)
    self:record_write(t, key, title .. tostring(key))
    made[key] = true
    t[key] = value
  end
  local proxy = setmetatable({}, {
    __index = function(_, key)
      if not tracing() then return t[key] end
      return quietly(read, key)
    end,
    __newindex = function(_, key, value)
      if tracing() then quietly(write, key, value) else t[key] = value end
    end,
    __pairs = function()
      local all = {}
      for key, value in next, t do all[key] = value end
      if tracing() then quietly(self.guard_all, self, t, title, all, getmetatable(t)) end
      return next, all, nil
    end,
  })
  self.proxies[t], self.proxied[proxy] = proxy, t
  return proxy
end

--- Copies a global into its table's proxy, for rawget.
function Recorder:copy_global_on_read(proxy, key)
  local t = self.proxied[proxy]
  if rawget(proxy, key) ~= nil then return end                    -- copied before
  local value, title = rawget(t, key), PROXIED[t] .. tostring(key)
  self:guard(self.others, "field", t, key, value, title)
  rawset(proxy, key, self:follow(value, title))
  self.undo[#self.undo + 1] = function()
    local now = rawget(proxy, key)
    rawset(proxy, key, nil)
    if not rawequal(now, value) and not self.proxied[now] then t[key] = now end              -- written past it
  end
end

--- Records that rawset writes into a proxy.
function Recorder:write_global(proxy, key)
  local t = self.proxied[proxy]
  self:record_write(t, key, PROXIED[t] .. tostring(key))
  self.undo[#self.undo + 1] = function()
    t[key] = rawget(proxy, key)
    rawset(proxy, key, nil)
  end
end

-- ---- Functions -------------------------------------------------------------------------------------------

-- "the function at train.lua:12"
local function place(fn)
  local info = debug.getinfo(fn, "S")
  return string.format("the function at %s:%d", info.short_src, info.linedefined)
end

function Recorder:watch_upvalue(fn, i, name, value)
  if self.proxied[value] then return end
  if PROXIED[value] then
    local proxy = self:proxy(value)
    debug.setupvalue(fn, i, proxy)
    self.undo[#self.undo + 1] = function()
      if rawequal(select(2, debug.getupvalue(fn, i)), proxy) then debug.setupvalue(fn, i, value) end
    end
    return
  end
  local id = debug.upvalueid(fn, i)
  if self.met[id] then return end
  local guard = self:guard(self.others, "upvalue", fn, i, value, string.format("upvalue %s of %s", name, place(fn)))
  self.met[id] = guard
  self:follow(value, "upvalue " .. name)
end

--- Watches the upvalues of a function that existed before the trace. Those of functions that it makes are its own.
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

--- Guards a method of strings that the script calls: Lua finds these past all watched tables.
function Recorder:watch_method(fn)
  local name, meta = self.methods[fn], debug.getmetatable ""
  self:guard(self.others, "entry", unwatched.real(string), name, fn, "string." .. tostring(name))
  if meta then self:guard(self.others, "entry", meta, "__index", meta.__index, "__index of strings") end
end

local BASIC = { "string", 0, true, assert, coroutine.create(assert), n = 6 }        -- and nil

-- The metatables of all numbers, strings, functions ...: debug.setmetatable ends all traces
-- (src/bind/trace/raw_writes.c), so only the entries that the script has put there are guarded.
function Recorder:watch_types()
  for i = 1, BASIC.n do
    local meta = debug.getmetatable(BASIC[i])
    for key, value in next, meta or {} do
      local theirs = type(value) == "function" and is_lua_function(value) and not script.is_own(value)
      if theirs or type(value) == "table" and not rawequal(value, unwatched.real(string)) then
        self:guard_metatable(meta, string.format("the metatable of a %s", type(BASIC[i])))
        local what = string.format("%s of a %s", tostring(key), type(BASIC[i]))
        if theirs then self:follow(value, what) else self:guard_metatable(value, what) end
      end
    end
  end
end

--- Begins to watch calls.
function Recorder:begin(fn)
  core.trace.watch_calls(allowed.new(self), function(t) self:unwrap(t) end, allowed.classifications(self), self.shadows,
    self.proxied)
  quietly(self.follow, self, fn, "the function")
  quietly(self.watch_types, self)
  self:watch_function(fn)
  self:refuse_yield(coroutine.running())
  self.handler = core.script.message_handler()
end

--- The message handler of the xpcall around the trace is called: an error ends the trace, and the handler runs outside
-- it, without its restrictions, and with the script's tables restored.
function Recorder:handle_error()
  self.handled = true
  self:close()
end

--- Refuses a yield of the traced coroutine itself; coroutines that the trace resumes may yield.
function Recorder:refuse_yield(traced) self.traced = traced end

-- ---- The end ---------------------------------------------------------------------------------------------

--- Restores everything, even if an error passes through.
function Recorder:close()
  if self.closed then return end
  self.closed = true
  core.trace.pause_watch(true)                -- the script's hook sees no half restored table
  for i = #self.undo, 1, -1 do self.undo[i]() end
  self.undo = {}
  self:restore_all()
  self.out_of_memory = not core.trace.end_watch()
end

Recorder.__close = Recorder.close

-- An upvalue that the trace changed: was it read before it was written?
function Recorder:check_upvalue(guard)
  local name = guard.what
  if core.trace.reads_upvalue_first(string.dump(guard.holder, true), guard.key) then
    self:record_write(guard.holder, guard.key, name)
    return
  end
  drop(self.others, guard)
  self.known[guard.holder][guard.key] = nil
  self:record_write(guard.holder, guard.key, name)
end

--- After the trace: changes that it made past the read barrier would be lost in compiled calls.
function Recorder:check_unchanged()
  local refusal = self.refusal or core.trace.refusal()
  if refusal then error(refusal, 0) end
  if self.handled then
    fail "a traced block calls the message handler of the xpcall that it runs in; pass another function to xpcall"
  end
  if self.out_of_memory then error("not enough memory", 0) end
  for _, guard in ipairs(table.move(self.others, 1, #self.others, 1, {})) do
    local now = read_guard(guard.kind, guard.holder, guard.key)
    if guard.kind == "length" then guard.value = now
    elseif not same_value(now, guard.value) then
      if guard.quiet then drop(self.others, guard)
      elseif guard.kind == "upvalue" then self:check_upvalue(guard)
      else self:record_write(guard.holder, guard.id, guard.what) end
    end
  end
  self:seal()
end

--- Makes the guards that compiled calls check, for the engine.
function Recorder:seal()
  for _, key in ipairs { "outside", "met", "known", "proxies", "proxied", "classifications", "traced", "methods" } do
    self[key] = nil
  end
  self.others_engine, self.fields_engine = core.guard.new(self.others), core.guard.new(self.fields)
end

--- The first guard of a list that no longer holds, with the value now; nil if all hold.
function guards.broken(recorder, list)
  local i, now = first_broken(recorder[list .. "_engine"])
  if i then return recorder[list][i], now end
end

--- All guards that no longer hold: path, holder, the value before and now.
function guards.all_broken(recorder)
  local found = {}
  for _, list in ipairs { recorder.others, recorder.fields } do
    for _, guard in ipairs(list) do
      local now = read_guard(guard.kind, guard.holder, guard.key)
      if not same_value(now, guard.value) then
        local path = guard.what or guard.change
        found[#found + 1] = { path = path, before = guard.value, now = now, holder = guard.holder }
      end
    end
  end
  return found
end

return guards
