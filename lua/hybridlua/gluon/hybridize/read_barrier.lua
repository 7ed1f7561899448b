-- read_barrier.lua - the part of the recorder (trace_guards.lua) that watches tables. While a trace runs, a table that
-- existed before is wrapped: its entries are in a shadow table behind its metatable, so that each read and write passes
-- through here.
--
-- Guards include what a table lacks, if it would have mattered: a missing entry depends on the metatable and its
-- __index, a length on its __len, and so on, even if there is no metatable.
-- While any table is wrapped Lua's collector is stopped (core.trace.tables_emptied), so no finalizer finds one empty.
--
-- A table that serves as a metatable stays as it is, since Lua reads it directly: all its entries are guards. Values
-- that are written into a wrapped table past its metatable stay. A collectgarbage() in traced code finds all tables
-- restored. A table that cannot be restored because memory ran out continues to work through its metatable.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local unwatched = require "hybridlua.gluon.hybridize.unwatched"
local is_plain, tracing, read_guard = core.script.is_plain, core.trace.active, core.guard.read
local on_return = core.trace.on_return

local quietly, key_text, PROXIED = unwatched.quietly, unwatched.key_text, unwatched.PROXIED
local frame = core.script.frame             -- whose function runs at a level: "own", "script"

-- Lua's libraries: reads of them by hybridlua's own files are not guarded.
local libraries = {}
for _, library in ipairs { math, string, table, utf8, os, io, coroutine } do
  libraries[unwatched.real(library)] = true
end
local NONE = {}

local Recorder = {}                  -- its methods of this file

local EXCEPT = { __index = true, __newindex = true, __len = true, __pairs = true, __gc = true, __mode = true,
  __metatable = true }

-- ---- Reads and writes of a wrapped table ------------------------------------------------------------------------

-- The metatable's entry of this name; a guard, even if it is nil.
function Recorder:metamethod(state, name)
  if not tracing() then return state.meta and rawget(state.meta, name) end
  self:guard(self.others, "metatable", state.table, nil, state.meta,
    function() return "the metatable of " .. state.what end)
  if not state.meta then return nil end
  local handler = rawget(state.meta, name)
  local what = name .. " of " .. state.what
  self:guard(self.others, "entry", state.meta, name, handler, what)
  return self:follow(handler, type(handler) == "table" and state.what or what)
end

-- The entry, or nil and the script's __index: a function, or another table.
function Recorder:read(state, key, by_own)
  local value = rawget(state.entries, key)
  local counts = tracing() and not by_own
  if counts and not state.made[key] then
    self:guard(self.others, "entry", state.table, key, value, function() return key_text(state.what, key) end)
  end
  if value ~= nil then return counts and self:follow(value, state.what, key) or value end
  if by_own and not state.meta then return nil end
  return nil, self:metamethod(state, "__index")
end

-- Would the write change a length that was read?
function Recorder:check_length(state, key, value)
  local length, n = self:guard_of(state.table, "length"), #state.entries
  if length and (value ~= nil and key == n + 1 or value == nil and key == n) then
    self:record_write(state.table, length.id, length.what)
  end
end

-- Writes an entry, or returns the script's __newindex, which must write it.
function Recorder:write(state, key, value)
  local handler = rawget(state.entries, key) == nil and self:metamethod(state, "__newindex")
  if handler then return handler end
  if tracing() then
    self:check_length(state, key, value)
    if not state.made[key] then self:record_write(state.table, key, key_text(state.what, key)) end
    state.made[key] = true
  end
  rawset(state.entries, key, value)
end

-- The length, or nil and the script's __len.
function Recorder:length(state)
  local handler = self:metamethod(state, "__len")
  if handler then return nil, handler end
  local n = #state.entries
  if tracing() then
    self:guard(self.others, "length", state.table, nil, n, function() return "the length of " .. state.what end)
  end
  return n
end

-- The function that compares two tables, of which the first is wrapped.
function Recorder:comparison(state, other)
  local handler = self:metamethod(state, "__eq")
  if handler then return handler end
  local behind = self.shadows[other]
  if behind then return self:metamethod(behind, "__eq") end
  local meta = debug.getmetatable(other)
  return meta and self:follow(rawget(meta, "__eq"), "__eq")
end

-- ---- Wrap and restore --------------------------------------------------------------------------------------------

-- Puts the entries and the metatable back. Entries that the table itself has by now count: an unseen rawset wrote them,
-- or a rawget copied them.
local function restore(state)
  local t = state.table
  for key in next, state.copied do
    if not state.made[key] then state.entries[key] = rawget(t, key) end
  end
  for key, value in next, t do
    if not state.copied[key] then state.entries[key] = value end
  end
  debug.setmetatable(t, state.meta)
  for key, value in next, state.entries do rawset(t, key, value) end
end

local function empty(state)
  for key in next, state.entries do rawset(state.table, key, nil) end
  debug.setmetatable(state.table, state.watching)
end

-- Moves the entries into the shadow table, which the watching metatable reads and writes.
local function move(state)
  for key in next, state.entries do state.entries[key] = nil end
  for key, value in next, state.table do state.entries[key] = value end
  state.meta, state.copied = debug.getmetatable(state.table), {}
  empty(state)
end

--- Restores all wrapped tables while the function in C that is about to run does so: it may run finalizers.
function Recorder:restore_meanwhile()
  if next(self.shadows) == nil then return end
  for _, state in next, self.shadows do restore(state) end
  on_return(function()
    quietly(function() for _, state in next, self.shadows do move(state) end end)
  end)
end

--- Restores all wrapped tables.
function Recorder:restore_all()
  for t, state in next, self.shadows do
    restore(state)
    self.shadows[t] = nil
  end
end

--- Guards all entries of a table, and that there are no others, in their order.
function Recorder:guard_all(t, what, entries, meta)
  for key, value in next, entries do
    self:guard(self.others, "entry", t, key, value, function() return key_text(what, key) end)
  end
  local order = self:guard(self.others, "order", t, nil, read_guard("order", entries),
    function() return "the number of entries of " .. what end)
  order.change = string.format("the keys of %s, or their order, changed", what)
  self:guard(self.others, "metatable", t, nil, meta, function() return "the metatable of " .. what end)
  for key, value in next, entries do self:follow(value, what, key) end
  if meta and not is_plain(t) then self:guard_metatable(meta, "the metatable of " .. what) end
end

-- A table that serves as a metatable is never wrapped, since Lua reads it past its own metatable: all of it is guarded.
function Recorder:guard_metatable(meta, what)
  if self.shadows[meta] then return self:unwrap(meta) end
  if self.met[meta] or class.of(meta) or class.is_class(meta) then return end
  self.met[meta] = true
  if meta.__watched == nil then self:guard_all(meta, what, meta, debug.getmetatable(meta)) end
end

--- Restores a wrapped table for code that reads past metatables, and guards all its entries; tables in it, too.
function Recorder:unwrap(t)
  local state = self.shadows[t]
  if not state then return end
  self.shadows[t] = nil
  restore(state)
  self:guard_all(t, state.what, t, state.meta)
  for _, value in next, state.entries do if type(value) == "table" then self:unwrap(value) end end
end

--- Copies an entry of a wrapped table to where rawget finds it.
function Recorder:copy_on_read(t, key)
  local state = self.shadows[t]
  if not state then return end
  local value = rawget(state.entries, key)
  self:guard(self.others, "entry", t, key, value, function() return key_text(state.what, key) end)
  if value == nil then return end
  rawset(t, key, self:follow(value, state.what, key))
  state.copied[key] = true
end

-- ---- The watching metatable ----------------------------------------------------------------------------------------

-- Operators with the table, calls of it and the like are the script's own metamethods.
function Recorder:copy_metamethods(state, meta)
  for key, value in next, state.meta or {} do
    if type(key) == "string" and string.find(key, "^__") and not EXCEPT[key] then
      meta[key] = self:follow(value, key .. " of " .. state.what)
      self:guard(self.others, "entry", state.meta, key, value, function() return key .. " of " .. state.what end)
    end
  end
  meta.__eq = meta.__eq or function(t, other)
    local first = self.shadows[t] and t or other
    local handler = quietly(self.comparison, self, self.shadows[first], rawequal(first, t) and other or t)
    return handler and handler(t, other) or false
  end
end

function Recorder:index_of(state)
  local entries = state.entries
  return function(t, key)
    local by_own, known = libraries[t] and frame(2) ~= "script", entries[key]
    if known ~= nil then
      local guard = not by_own and (self.known[t] or NONE)[key]
      if by_own or guard and rawequal(guard.value, known) and not PROXIED[known] then return known end
    end
    local value, behind = quietly(self.read, self, state, key, by_own)
    if behind == nil then return value end
    if type(behind) == "function" then return behind(t, key) end
    return behind[key]
  end
end

-- The metatable of a wrapped table: the script's own, except that reads and writes come here.
function Recorder:watching_metatable(state)
  local meta = { __watched = state.meta == nil }          -- as core.script.is_plain sees it
  self:copy_metamethods(state, meta)
  meta.__index = self:index_of(state)
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
    local handler = quietly(self.metamethod, self, state, "__pairs")
    if handler then return handler(t) end
    if not tracing() then return next, state.entries, nil end
    quietly(self.unwrap, self, t)
    return next, t, nil
  end
  return meta
end

-- Wraps a table. One that serves as a metatable stays as it is.
function Recorder:wrap(t, what)
  local entries, is_metatable = {}, false
  for key, value in next, t do
    entries[key] = value
    is_metatable = is_metatable or type(key) == "string" and string.find(key, "^__") ~= nil
  end
  local meta = debug.getmetatable(t)
  if is_metatable or meta and rawget(meta, "__mode") then self:guard_all(t, what, t, meta) return end
  local state = { table = t, entries = entries, meta = meta, what = what, made = {}, copied = {} }
  state.watching = self:watching_metatable(state)
  if meta then self:guard(self.others, "metatable", t, nil, meta, function() return "the metatable of " .. what end) end
  self.shadows[t] = state
  core.trace.tables_emptied()
  empty(state)
end

return Recorder
