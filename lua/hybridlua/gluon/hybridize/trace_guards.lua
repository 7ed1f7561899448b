-- trace_guards.lua - guards on the places that a trace read apart from its arguments, and records of those that it
-- wrote. A compiled call is valid while every place that was read (an entry of a table, a field, an upvalue, a global)
-- has the value that the trace found there.
--
-- While a trace runs, a hook follows the functions of the script instruction by instruction and records what they read
-- (src/bind/follow/follow.h). It changes nothing in the script. C functions must be on the allow-list
-- (allowed_functions.lua). hybridlua's own files are not followed: this file records what the script, and our own
-- layers, read of our objects (blocks here, others in watched_objects.lua).
--
-- Every assignment to a field of a block or class raises counters.fields, so each call checks only the other guards
-- (bind/call/call_guards.c). Finalizers that run during a trace are not part of it.
--
-- An entry has one guard, however large its value is. Objects created by the trace have no guards. A trace that catches
-- errors (pcall, coroutine.resume) holds for its shapes only, since other shapes may raise none. Arrays replaced by
-- others of the same type need no new trace (trace.rebind).
--
-- An error ends the trace before the message handler of a surrounding xpcall runs, so the handler runs without
-- restrictions. If memory runs out in a hook, nothing is raised there, because a close variable's code may be running;
-- the trace fails at its end.
--
-- spec/bind/follow/captures_spec.lua lists the ways to read, spec/bind/follow/host_left_alone_spec.lua the things that
-- tracing leaves unchanged.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local fail = require "hybridlua.language.fail"
local held = require "hybridlua.gluon.hybridize.watched_objects"
local allowed = require "hybridlua.gluon.hybridize.allowed_functions"
local known_lua = require "hybridlua.gluon.hybridize.known_lua"
local script = require "hybridlua.language.script_line"
local walked = require "hybridlua.gluon.hybridize.walked_keys"
local warn = require "hybridlua.language.warn"
local unwatched = require "hybridlua.gluon.hybridize.unwatched"
local is_ndarray, follow = core.array.is, core.follow
local read_guard, same_value, first_broken = core.guard.read, core.guard.same_value, core.guard.first_broken

local guards = {}

local quietly, key_text = unwatched.quietly, unwatched.key_text
local Recorder = {}
for name, method in next, held do Recorder[name] = method end
Recorder.__index = Recorder

--- A recorder for one trace. effects: see hybridize.
function guards.new(effects)
  local self = setmetatable({ effects = effects or "warn", fields = {}, others = {}, written = {} }, Recorder)
  self.known = setmetatable({}, { __mode = "k" })       -- by holder and key: its guard
  self.met = {}                                         -- objects that are watched already
  self.titles = {}                                      -- names of objects without a known place
  return self
end

local function is_array(x) return type(x) == "userdata" and is_ndarray(x) end

-- Raises, and again when the trace ends, in case the script's pcall caught the error.
function Recorder:refuse(format, ...)
  local ok, message = pcall(fail, format, ...)
  self.refusal = self.refusal or not ok and message
  error(message, 0)
end

-- ---- Guards ---------------------------------------------------------------------------------------------

-- Keys of guards that are not for an entry.
local COUNT = {}
local ID = { metatable = {}, length = {}, count = COUNT, fields = {}, values = {}, gradient = {}, printing = {} }

-- Adds or finds the guard of a place; what: its name, or a function that makes it.
function Recorder:guard(list, kind, holder, key, value, what)
  local of = self.known[holder]
  if not of then
    of = {}
    self.known[holder] = of
  end
  local id = ID[kind] or key
  if id == nil or id ~= id or of[id] then return of[id] end
  local array = is_array(value) or nil
  local guard = { kind = kind, holder = holder, key = key, id = id, value = value, array = array,
                  line = (what or array) and script.line() or nil,        -- explain shows it with the name
                  what = type(what) == "function" and what() or what }
  of[id] = guard
  list[#list + 1] = guard
  return guard
end

local function drop(list, guard)
  for i, g in ipairs(list) do if g == guard then table.remove(list, i) return end end
end

-- Rejects a write, or warns of it, according to `effects`. was_read: the next call would read another value.
function Recorder:note_write(what, was_read)
  if was_read and self.effects ~= "ignore" then
    self:refuse("%s was read, and then written, while the block was traced; a compiled call would not repeat that: " ..
      "return the value, and write it outside, or pass it as an argument", what)
  end
  local text =
    string.format("%s is written while the block is traced; compiled calls do not repeat that: return the value, " ..
      "and write it outside", what)
  if self.effects == "error" then self:refuse("%s", text) end
  if self.effects == "warn" and not self.written[text] then quietly(warn.here, "%s", text) end
  self.written[text] = true
end

--- Records that the trace writes a place, which may have a guard in one of the lists.
function Recorder:record_write(holder, id, what)
  local guard = (self.known[holder] or {})[id]
  if guard then
    self:note_write(what, true)
    drop(self.others, guard)
    drop(self.fields, guard)
    self.known[holder][id] = nil
  end
  self:note_write(what, false)
end

-- ---- Blocks --------------------------------------------------------------------------------------------

-- Fields that hold Block's own data (gluon/block.lua); they change with counters.fields.
local PARTS = { _children = true, _slots = true, _tables = true, _registered = true, _reg_params = true,
                _structure = true, _params = true, params = true, _hooks = true, _pre_hooks = true,
                _scope_counts = true, _unnamed = true, prefix = true, name = true }

-- Functions that run when the block is called; always guarded.
local RUN = { "forward", "hybrid_forward" }

-- Describes the change of a value that is compared by identity. `final`: once changed, it never changes back.
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

local function what_of(store, key) return string.format("self.%s of %s", tostring(key), store.name) end

function Recorder:guard_field(store, key, value)
  local what, kind = what_of(store, key), type(value)
  local guard = self:guard(self.fields, "field", store, key, value, what)
  if guard and (kind == "function" or kind == "table" or kind == "userdata") then
    guard.change = what .. " was replaced"
  end
  return guard
end

-- Guards all fields that one of our own layers may read, those that were ever assigned, with one guard.
function Recorder:watch_own_layer(store)
  local fields, n = { store._n_assigned }, 1
  for key in next, store._assigned do
    local value = rawget(store, key)
    if is_array(value) then self:guard_field(store, key, value)
    elseif not PARTS[key] and (type(value) ~= "table" or class.of(value)) then
      fields[n + 1], fields[n + 2] = key, value
      n = n + 2
    end
  end
  fields.n = n
  changes(self:guard(self.fields, "fields", store, fields, true), "a field of " .. store.name .. " changed")
end

-- Renews a guard after the layer wrote its own fields in the trace.
function Recorder:renew_fields(guard)
  drop(self.fields, guard)
  self.known[guard.holder][guard.id] = nil
  self:watch_own_layer(guard.holder)
end

-- The field whose change broke a layer's guard: its name, and its value before and now.
local function changed_field(guard)
  local store, fields = guard.holder, guard.key
  for i = 2, fields.n, 2 do
    local key = fields[i]
    local before, now = fields[i + 1], rawget(store, key)
    if not same_value(before, now) then return key, before, now end
  end
end

--- Records what a block depends on when it runs. read_object records the script's reads of its fields.
function Recorder:watch_block(block)
  if self.met[block] then return end
  self.met[block] = true
  local store = getmetatable(block).store
  local run = store._traced_function or store.hybrid_forward or store.forward
  self:watch_parts(store)
  if not run or script.is_own(run) then self:watch_own_layer(store) end
end

-- Guards hooks. Those of blocks inside do not run in compiled calls; if the block is a child, the blocks around it run
-- in segments instead.
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
  quietly(self.follow, self, block, getmetatable(block).store.name)
  quietly(self.watch_block, self, block)
  quietly(self.follow, self, fn, "what it runs")
end

local MOST_VALUES = 4096                    -- bytes that each call compares

--- Records that the script reads an array's values as numbers: the trace holds only for these.
function Recorder:watch_values(array)
  if not is_array(array) then return end
  local bytes = class.as_written(core.array.methods.tobytes)(array)
  if #bytes > MOST_VALUES then
    self:refuse("the values of an array of shape %s are read in a traced block, and would have to be compared in " ..
      "each call; write operators on it", tostring(array.shape))
  end
  self:guard(self.others, "values", array, nil, bytes, "the values of an array")
end

--- Records that the script reads an array's text.
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

--- Records that the script read `key` of the module `path`, which scripts have put, or may put, into `added`.
function Recorder:watch_extra(path, added, key)
  local title = string.format("%s.%s", path, tostring(key))
  quietly(self.guard, self, self.others, "entry", added, key, added[key], title)
  quietly(self.follow, self, added[key], title)
end

--- Records that the script reads an array's gradient, which attach_grad may replace.
function Recorder:watch_gradient(array)
  if not is_array(array) then return end
  changes(self:guard(self.others, "gradient", array, nil, read_guard("gradient", array)),
    "attach_grad() gave an array another gradient")
end

--- Records that a parameter's array was read; replacing it raises counters.fields.
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

--- Starts to record the script's reads of a value that existed before the trace, under this name.
function Recorder:follow(value, what, key)
  local kind = type(value)
  if kind ~= "table" and kind ~= "function" then return end
  self.titles[value] = self.titles[value] or key ~= nil and key_text(what, key) or what
  follow.touch(value)
end

--- Did an object that our own functions gave the script exist before the trace? Blocks are numbered; parameters and
-- classes are hardly ever created in one.
function Recorder:existed(object)
  if class.is_module(object) then return true end
  if is_block(object) then return getmetatable(object).made.serial < self.blocks_before end
  local of = class.of(object)
  return of == nil or of.is_machine ~= nil
end

-- Watches one of our objects or functions that was read, since the script's values in it existed before the trace.
function Recorder:found(value, from)
  local what = self.titles[value] or self:name(from)
  if type(value) == "function" then self:follow_own(value, what)
  elseif is_block(value) then self:watch_block(value)
  elseif class.is_class(value) then self:watch_members(value)
  elseif not class.is_module(value) and not self.met[value] then self:watch_instance(value, what) end
end

-- Guards the block's own table, which is empty, since fields are stored elsewhere: an entry added by rawset would hide
-- a field. If it has entries, guards the one with this key. Returns its value.
function Recorder:guard_raw(block, key, what)
  local value = rawget(block, key)
  if next(block) == nil then
    changes(self:guard(self.others, "count", block, nil, 0),
      "rawset put a field into " .. getmetatable(block).store.name)
  else
    self:guard(self.others, "entry", block, key, value, what)
  end
  return value
end

-- The same for a module, which also keeps its parts elsewhere; watch_extra handles what scripts assign to it. Reads of
-- F, which is sym in a trace and nd outside, have no such guard, because it would cost too much; a trace in which the
-- two differ is rejected.
function Recorder:read_module(module, key)
  local meta, value = getmetatable(module), rawget(module, key)
  local what, other = key_text(meta.name, key), meta.other_face()
  if other and string.find(meta.name, "^sym") then
    local name = getmetatable(other).name
    if (value == nil) ~= (rawget(other, key) == nil) then
      self:refuse("rawset has put '%s' into %s, which a compiled call would not repeat; write %s = value", key,
        value == nil and name or meta.name, key_text(name, key))
    end
    if value == nil then return nil, what end
  end
  self:guard(self.others, "entry", module, key, value, what)
  return value, what
end

--- Guards a field of one of our objects that the script reads; returns its value and its name.
function Recorder:read_object(object, key)
  if class.is_module(object) then return self:read_module(object, key) end
  local value = object[key]
  if is_block(object) then
    local store = getmetatable(object).store
    local what = what_of(store, key)
    if self:guard_raw(object, key, what) ~= nil then return value, what end
    if PARTS[key] then return nil, what end           -- its tables belong to us
    self:guard_field(store, key, value)
    return value, what
  end
  local what = key_text(self.titles[object] or "an object", key)
  if class.is_class(object) then
    what = key_text(object.__name__, key)
    self:guard(self.others, "field", object, key, value, what)
  else
    self:guard_property(object, key, value, what)
  end
  return value, what
end

-- ---- Names of places --------------------------------------------------------------------------------------

local name_of                        -- by kind: (recorder, place) -> its name

--- The name of a place, from its number in the follower's record.
function Recorder:name(number)
  local place = self.places and self.places[number] or not self.places and follow.place(number)
  return place and name_of[place.kind](self, place) or "a table"
end

local function holder_name(recorder, place)
  if recorder.titles[place.holder] then return recorder.titles[place.holder] end
  return place.from > 0 and recorder:name(place.from) or "a table"
end

local function upvalue_name(fn, i) return "upvalue " .. (debug.getupvalue(fn, i) or "?") end

name_of = {
  upvalue = function(_, place) return upvalue_name(place.holder, place.key) end,
  entry = function(recorder, place)
    local title = unwatched.TITLES[place.holder]
    if title then return title .. tostring(place.key) end
    return key_text(holder_name(recorder, place), place.key)
  end,
  metatable = function(recorder, place)
    if type(place.holder) ~= "table" then return "the metatable of a " .. type(place.holder) end
    return "the metatable of " .. holder_name(recorder, place)
  end,
  length = function(recorder, place) return "the length of " .. holder_name(recorder, place) end,
  next = function(recorder, place) return "the number of entries of " .. holder_name(recorder, place) end,
  object = function(_, place) return place.value end,
}

-- "the function at train.lua:12"
local function function_name(fn)
  local info = debug.getinfo(fn, "S")
  return string.format("the function at %s:%d", info.short_src, info.linedefined)
end

local function guard_of(recorder, place)
  local what, change = name_of[place.kind](recorder, place), nil
  if place.kind == "next" then
    change = string.format("the keys of %s, or their order, changed", holder_name(recorder, place))
  elseif place.kind == "upvalue" then
    what = string.format("%s of %s", what, function_name(place.holder))
    if rawequal(place.value, _G) then what, change = nil, "the globals of a function were replaced" end
  end
  return { kind = place.kind, holder = place.holder, key = place.key, id = ID[place.kind] or place.key,
           value = place.value, array = is_array(place.value) or nil, line = place.line ~= "" and place.line or nil,
           what = what, change = change }
end

-- ---- The beginning and the end -----------------------------------------------------------------------------------

--- Starts to follow the functions that are called from here on.
function Recorder:begin(fn)
  if not known_lua.is_known then
    fail "this Lua executes functions in an unexpected way; hybridlua cannot trace in it"
  end
  self.blocks_before = counters.made
  self.traced = coroutine.running()        -- it may not yield; coroutines that the trace resumes may
  follow.begin {
    unwatched = unwatched.tables(), handler = core.script.message_handler(), always = allowed.always,
    numbers = self.numbers, judge = allowed.new(self), kind = unwatched.owner,
    read = function(object, key) return self:read_object(object, key) end,
    existed = function(object) return self:existed(object) end,
    found = function(value, from) self:found(value, from) end,
    wrote = function(kind, holder, key, number, from)
      local place = { kind = kind, holder = holder, key = key, from = from }
      local what = name_of[kind](self, place)
      if kind == "upvalue" then what = string.format("%s of %s", what, function_name(holder)) end
      self:note_write(what, number > 0)
    end,
  }
  quietly(self.follow, self, fn, "the function")
end

--- Stops following, even if an error passes through.
function Recorder:close()
  if self.closed then return end
  self.closed = true
  self.places, self.ended = follow.finish()
end

Recorder.__close = Recorder.close

--- After the trace: raises what was rejected, even if the script caught it. Changes that the follower did not see
-- (written by our own code, or by another coroutine) are treated as writes, since compiled calls would lose them.
function Recorder:check_unchanged()
  local refusal = self.refusal or self.ended.refusal or core.trace.refusal()
  if refusal then error(refusal, 0) end
  if self.ended.handled then
    fail "a traced block calls the message handler of the surrounding xpcall; pass another function to xpcall"
  end
  if self.ended.starved then error("not enough memory", 0) end
  local kept = {}
  for _, place in ipairs(self.places) do
    if place.kind ~= "object" and not place.dropped then kept[#kept + 1] = place end
  end
  for _, place in ipairs(walked.merge(kept)) do self.others[#self.others + 1] = guard_of(self, place) end
  local all = table.move(self.others, 1, #self.others, 1, {})
  for _, guard in ipairs(self.fields) do if guard.kind == "fields" then all[#all + 1] = guard end end
  for _, guard in ipairs(all) do
    local now = read_guard(guard.kind, guard.holder, guard.key)
    if not same_value(now, guard.value) then
      if guard.kind == "count" then guard.value = now
      elseif guard.kind == "fields" then self:renew_fields(guard)
      else
        drop(self.others, guard)
        self:note_write(guard.what or guard.change, not guard.quiet)
      end
    end
  end
  self:seal()
end

--- Prepares the guards for the engine, which checks them in compiled calls.
function Recorder:seal()
  for _, key in ipairs { "met", "known", "titles", "places", "ended", "traced" } do self[key] = nil end
  self.others_engine, self.fields_engine = core.guard.new(self.others), core.guard.new(self.fields)
end

-- A guard that no longer holds, and the value now. For a guard of all fields of a layer: the field that changed.
local function described(guard, now)
  local key, before, current
  if guard.kind == "fields" then key, before, current = changed_field(guard) end
  if key == nil then return guard, now end
  local what, kind = what_of(guard.holder, key), type(before)
  local replaced = kind == "function" or kind == "table" or kind == "userdata"
  return { what = what, change = replaced and what .. " was replaced" or nil, value = before, holder = guard.holder },
    current
end

--- The first guard of a list that no longer holds, with the value now; nil if all hold.
function guards.broken(recorder, list)
  local i, now = first_broken(recorder[list .. "_engine"])
  if i then return described(recorder[list][i], now) end
end

--- All guards that no longer hold: path, holder, the value before and now.
function guards.all_broken(recorder)
  local found = {}
  for _, list in ipairs { recorder.others, recorder.fields } do
    for _, each in ipairs(list) do
      local value = read_guard(each.kind, each.holder, each.key)
      if not same_value(value, each.value) then
        local guard, now = described(each, value)
        local path = guard.what or guard.change
        found[#found + 1] = { path = path, before = guard.value, now = now, holder = guard.holder }
      end
    end
  end
  return found
end

return guards
