-- watched_objects.lua - the part of the recorder (trace_guards.lua) for our objects that the script holds: classes,
-- instances other than blocks (parameters, trainers, metrics, schedulers), and functions that ours returned
-- (hl.grad(f)). The script's functions and tables that are reached only through these existed before the trace, so
-- their reads are guarded as if the script held them itself.
--
-- All plain values of an instance are guarded. Our modules' tables and our functions' upvalues are not watched: they do
-- not change, and values that a script assigns to a module are kept separately (language/module.lua).
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local script = require "hybridlua.language.script_line"
local unwatched = require "hybridlua.gluon.hybridize.unwatched"
local read_guard, is_lua_function = core.guard.read, core.script.is_lua_function

local key_text = unwatched.key_text

local Recorder = {}                  -- the methods of this file

local SCALAR = { number = true, string = true, boolean = true, ["function"] = true, userdata = true }

local function of_script(fn) return is_lua_function(fn) and not script.is_own(fn) end

-- ---- Our functions -------------------------------------------------------------------------------------------------

local static = {}                    -- by file and line

-- Was the function created when its file was loaded? Yes if its line is not indented and has no other function.
local function is_static(fn)
  local info = debug.getinfo(fn, "S")
  local id = info.source .. info.linedefined
  if static[id] == nil then
    local n, first = 1, nil
    for line in string.gmatch(core.host.source_text(string.sub(info.source, 2)) or "", "([^\n]*)\n") do
      if n == info.linedefined then first = line break end
      n = n + 1
    end
    static[id] = first ~= nil and string.find(first, "^%S") ~= nil and
      select(2, string.gsub(first, "%f[%w]function%f[%W]", "")) == 1
  end
  return static[id]
end

--- Follows the script's values that one of our Lua functions holds: hl.grad(f) holds f.
function Recorder:follow_own(fn, what)
  if self.met[fn] or not is_lua_function(fn) or is_static(fn) then return end
  self.met[fn] = true
  for i = 1, 255 do
    local name, value = debug.getupvalue(fn, i)
    if not name then break end
    if type(value) == "function" then self:follow(value, what)
    elseif type(value) == "table" and name ~= "_ENV" then self:follow_held(value, what) end
  end
end

local function has_own_metatable(meta)
  for _, value in next, meta do if type(value) == "function" and script.is_own(value) then return true end end
  return false
end

-- Follows a table that one of our objects holds. Changes by our own code during the trace do not matter.
function Recorder:follow_held(t, what)
  if self.met[t] or unwatched.is_own_table(t) or unwatched.TITLES[t] then return end
  local meta = debug.getmetatable(t)
  if class.is_class(t) then self:watch_members(t)
  elseif class.of(t) then
    if rawget(meta, "store") == nil then self:watch_instance(t, what) end        -- blocks are watched where they run
  elseif not meta then
    self.met[t] = true
    self:guard_entries(t, what)
    self:follow(t, what)
  elseif not rawget(meta, "__mode") and not has_own_metatable(meta) then self:follow(t, what) end
end

-- ---- Classes -------------------------------------------------------------------------------------------

-- Entries of a class that are not members.
local INNER = { __base = true, __instance = true, subclass = true }

-- Follows methods written by the script, even in our classes, since they existed before the trace. Watched classes
-- (those of blocks, class.lua) report every change; members of the script's other classes are guarded.
function Recorder:watch_members(cls)
  while cls and not self.met[class.members(cls)] do
    local members, theirs, watched = class.members(cls), class.is_theirs(cls), getmetatable(cls).notice
    self.met[members] = true
    for key, value in next, members do
      if not INNER[key] then
        if theirs and not watched then
          self:guard(self.others, "entry", members, key, value, function() return key_text(cls.__name__, key) end)
        end
        if theirs or type(value) == "function" and of_script(value) then self:follow(value, cls.__name__, key) end
      end
    end
    cls = rawget(cls, "__base")
  end
end

-- ---- Instances -----------------------------------------------------------------------------------------------------

-- Guards the entries of a table; machine: our own code may change it, too.
function Recorder:guard_entries(t, what, machine)
  for key, value in next, t do
    local inner = machine and (type(key) ~= "string" or string.find(key, "^_"))
    if SCALAR[type(value)] and not inner then
      self:guard(self.others, "entry", t, key, value, function() return key_text(what, key) end)
    end
    if type(value) == "function" then self:follow(value, what, key)
    elseif type(value) == "table" and not inner then self:follow_held(value, key_text(what, key)) end
  end
  if machine then return end
  local count = self:guard(self.others, "count", t, nil, read_guard("count", t),
    function() return "the number of entries of " .. what end)
  count.quiet = true                             -- our code may add an entry in the trace
end

-- Follows the methods that the script wrote.
function Recorder:watch_metatable(meta, what)
  if self.met[meta] then return end
  self.met[meta] = true
  for _, value in next, meta do
    if type(value) == "function" and of_script(value) then self:follow(value, what) end
  end
end

--- Guards an entry of an instance that the script reads, or the value that its metatable provides: a method, or a
-- computed value such as trainer.learning_rate.
function Recorder:guard_property(t, key, value, what)
  local computes = type(getmetatable(t).__index) == "function"
  local raw = rawget(t, key)
  if raw ~= nil or not computes or type(value) == "function" then
    self:guard(self.others, "entry", t, key, raw, what)
    return
  end
  local source = class.of(t).is_machine
  source = type(source) == "table" and source[key]        -- the key of the entry that it copies
  if source then self:guard(self.others, "entry", t, source, rawget(t, source), what)
  else self:guard(self.others, "field", t, key, value, what) end
  if type(value) == "table" then self:follow_held(value, what) end
end

--- Guards an instance's plain values, and the script's values that it holds. For a machine, a class whose instances our
-- own functions read and write in traces and between calls, only names without an underscore are guarded.
function Recorder:watch_instance(t, what)
  self.met[t] = true
  self:guard_entries(t, what, class.of(t).is_machine)
  self:watch_metatable(getmetatable(t), what)
  self:watch_members(class.of(t))
end

return Recorder
