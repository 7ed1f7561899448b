-- guards.lua - what a trace read besides its arguments: fields of blocks, upvalues,
-- globals. A compiled call is valid while all of them have the values that the trace saw.
--
-- While a trace runs, fields of the blocks it enters are read through a recorder, and so
-- are globals; upvalues of the block's function, and small plain tables among all these, are
-- looked at before and after. Fields of blocks, methods and children among them, cannot
-- change unnoticed (every assignment raises version.now), so only the other guards are
-- checked at every call.
--
-- Finalizers that run meanwhile are no part of the trace: what they do is neither recorded nor refused.
local class = require "hybridlua.class"
local core = require "hybridlua.core"
local children = require "hybridlua.gluon.children"
local fail = require "hybridlua.fail"
local script = require "hybridlua.script"

local guards = {}

local MOST_ENTRIES = 64       -- a plain table with more entries is no configuration
local MOST_DEPTH = 2

local function is_scalar(x)
  local t = type(x)
  return t == "number" or t == "string" or t == "boolean" or t == "nil"
end

local Recorder = {}
Recorder.__index = Recorder

--- A recorder for one trace.
function guards.new()
  return setmetatable({ fields = {}, others = {}, seen = {}, undo = {} }, Recorder)
end

local function add(list, get, value, what) list[#list + 1] = { get = get, value = value, what = what } end

-- For a value that is compared by identity: a block, a parameter, a function. `final`: once it has changed, it
-- will never be the same again.
local function add_identity(list, get, change, final)
  list[#list + 1] = { get = get, value = get(), change = change, final = final }
end

local function own_chunk(fn) return script.is_own(debug.getinfo(fn, "S")) end

local function entries(t)
  local n = 0
  for _ in pairs(t) do n = n + 1 end
  return n
end

local function is_child(x) return class.of(x) ~= nil end

-- Which blocks a plain table holds, itself and in its tables, however many.
function Recorder:watch_blocks(t, what)
  children.each_in_table(t, what, is_child, function(name, _, inner, key)
    add_identity(self.others, function() return rawget(inner, key) end, name .. " was replaced")
  end)
end

-- The scalars in a small plain table, how many entries it has, the blocks and the plain tables in it.
function Recorder:watch_table(t, what, depth)
  if self.seen[t] or not core.is_plain(t) or depth > MOST_DEPTH then return end
  self.seen[t] = true
  if depth == 1 then self:watch_blocks(t, what) end
  local n = entries(t)
  if n > MOST_ENTRIES then
    if next(t) ~= nil and class.of(t[1]) then
      add(self.others, function() return #t end, #t, "the length of " .. what)
    end
    return
  end
  add(self.others, function() return entries(t) end, n, "the number of entries of " .. what)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(x, y) return tostring(x) < tostring(y) end)
  for _, key in ipairs(keys) do
    local value, name = t[key], ("%s.%s"):format(what, tostring(key))
    if type(value) == "table" then self:watch_table(value, name, depth + 1)
    elseif is_scalar(value) then add(self.others, function() return rawget(t, key) end, value, name) end
  end
end

-- A field as it is now; nil for an index that a container has no more.
local function field_of(store, key)
  local value = rawget(store, key)
  if value == nil and type(key) == "string" then value = store[key] end
  return value
end

-- What a block itself is made of (gluon/block.lua); it changes with version.now.
local PARTS = { _children = true, _slots = true, _tables = true, _reg_params = true, _structure = true, _params = true,
                params = true,
                _hooks = true, _pre_hooks = true, _scope_counts = true, prefix = true, name = true }

-- What runs when the block is called, whoever looks it up.
local RUN = { "forward", "hybrid_forward" }

function Recorder:watch_parts(store)
  if self.seen[store] then return end
  self.seen[store] = true
  add_identity(self.fields, function() return store._structure end,
    ("the children or parameters of %s changed"):format(store.name), true)
  for _, key in ipairs(RUN) do
    add_identity(self.fields, function() return store[key] end, ("%s of %s was replaced"):format(key, store.name))
  end
end

--- Records the fields of a block that are read, until undone. Tables in fields are looked
-- into where the block is the user's; hybridlua's own layers do not change theirs.
function Recorder:watch_block(block, fn)
  local meta = getmetatable(block)
  local store, before, own_layer = meta.store, meta.__index, own_chunk(fn)
  if type(before) == "function" then return function() end end       -- already watched
  local read = {}
  self:watch_parts(store)
  meta.__index = function(_, key)
    local value = store[key]
    if not read[key] and not PARTS[key] and core.tracing() then
      read[key] = true
      local what = ("self.%s of %s"):format(tostring(key), store.name)
      if is_scalar(value) then
        add(self.fields, function() return field_of(store, key) end, value, what)
      elseif type(value) == "function" or class.of(value) then
        add_identity(self.fields, function() return field_of(store, key) end, what .. " was replaced")
      elseif type(value) == "table" and not own_layer then self:watch_table(value, what, 1) end
    end
    return value
  end
  return function() meta.__index = before end
end

--- Records that a parameter's array was taken; another one raises version.now.
function Recorder:watch_array(param)
  if self.seen[param] then return end
  self.seen[param] = true
  add_identity(self.fields, function() return param._data end, ("the array of %s was replaced"):format(param.name))
end

-- "the function at train.lua:12"
local function place(fn)
  local info = debug.getinfo(fn, "S")
  return ("the function at %s:%d"):format(info.short_src, info.linedefined)
end

-- Globals read through _ENV are recorded, written ones refused.
function Recorder:watch_globals(fn, i, env)
  local read = {}
  local proxy = setmetatable({}, {
    __index = function(_, key)
      local value = env[key]
      if not read[key] and core.tracing() then
        read[key] = true
        local what = "global " .. tostring(key)
        if is_scalar(value) then add(self.others, function() return env[key] end, value, what)
        elseif type(value) == "table" then self:watch_table(value, what, 1)
        elseif type(value) == "function" then self:watch_function(value, 1) end
      end
      return value
    end,
    __newindex = function(_, key, value)
      if not core.tracing() then env[key] = value return end
      fail("the global %s was written while a block was traced; a compiled call would not repeat that: return the " ..
        "value instead",
           tostring(key))
    end,
  })
  debug.setupvalue(fn, i, proxy)
  self.undo[#self.undo + 1] = function() debug.setupvalue(fn, i, env) end
end

--- Looks at the upvalues of a function, and of the functions among them.
function Recorder:watch_function(fn, depth)
  if self.seen[fn] or own_chunk(fn) or depth > MOST_DEPTH + 1 then return end
  self.seen[fn] = true
  for i = 1, 255 do
    local name, value = debug.getupvalue(fn, i)
    if not name then break end
    if name == "_ENV" then
      if type(value) == "table" and not self.seen[value] then
        self.seen[value] = true
        self:watch_globals(fn, i, value)
      end
    elseif is_scalar(value) then
      add(self.others, function() return (select(2, debug.getupvalue(fn, i))) end, value,
        ("upvalue %s of %s"):format(name, place(fn)))
    elseif type(value) == "table" then self:watch_table(value, "upvalue " .. name, 1)
    elseif type(value) == "function" then self:watch_function(value, depth + 1) end
  end
end

-- What gives another value at every call: a trace would freeze the first.
local CHANGING = {
  { math, "random", "math.random", "F.random.uniform, or pass the number as an argument" },
  { os, "time", "os.time", "hl.time() outside the block, or pass the number as an argument" },
  { os, "clock", "os.clock", "hl.time() outside the block, or pass the number as an argument" },
}

--- Refuses functions of Lua's library whose values would be frozen, until undone.
function Recorder:refuse_changing()
  for _, entry in ipairs(CHANGING) do
    local library, key, name, instead = table.unpack(entry)
    local before = library[key]
    library[key] = function(...)
      if own_chunk(debug.getinfo(2, "f").func) or not core.tracing() then return before(...) end
      fail("%s() in a traced block would be frozen at its first value; write %s", name, instead)
    end
    self.undo[#self.undo + 1] = function() library[key] = before end
  end
  self:refuse_yield(coroutine.running())
end

--- Refuses to leave the trace for whoever resumed it; coroutines that the trace resumes may yield.
function Recorder:refuse_yield(traced)
  local before = coroutine.yield
  coroutine.yield = function(...)          -- luacheck: ignore 122
    if coroutine.running() ~= traced or not core.tracing() then return before(...) end
    fail "coroutine.yield in a traced block: a compiled call would not stop there; yield outside of it"
  end
  self.undo[#self.undo + 1] = function() coroutine.yield = before end          -- luacheck: ignore 122
end

--- Takes every recorder off again, also when an error passes through.
function Recorder:close()
  for i = #self.undo, 1, -1 do self.undo[i]() end
  self.undo = {}
end

Recorder.__close = Recorder.close

--- After the trace: what it changed itself would be lost in compiled calls.
function Recorder:check_unchanged()
  for _, guard in ipairs(self.others) do
    if guard.get() ~= guard.value then
      fail("%s changed while the block was traced (from %s to %s); a compiled call would not repeat that: pass it " ..
        "as an argument, or return it",
           guard.what, tostring(guard.value), tostring(guard.get()))
    end
  end
end

--- The first guard of a list that no longer holds, with what is there now; nil if all hold.
function guards.broken(list)
  for _, guard in ipairs(list) do
    local now = guard.get()
    if not rawequal(now, guard.value) and not (now ~= now and guard.value ~= guard.value) then return guard, now end
  end
end

return guards
