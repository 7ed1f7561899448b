-- unwatched.lua - what the recorder (trace_guards.lua) does not follow: its own calls, and hybridlua's tables and
-- objects, which do not change or are watched elsewhere.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local is_operators, is_plain, own_function = core.op.is_table, core.script.is_plain, core.script.own_function

local unwatched = {}

local pause = core.follow.pause

local function unpause(before, ...)
  pause(before)
  return ...
end

--- Calls fn(...) unfollowed: these files read the script's tables themselves.
function unwatched.quietly(fn, ...) return unpause(pause(true), fn(...)) end

--- "t.k" or "t[1]"
function unwatched.key_text(what, key)
  if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then return what .. "." .. key end
  return string.format("%s[%s]", what, type(key) == "string" and string.format("%q", key) or tostring(key))
end

--- Lua's library as scripts have it; our own files have a copy (src/bind/host/core_module.c).
function unwatched.real(library) return getmetatable(library).__index end

local own, listed = {}, {}                   -- as a set, and as a list

local function add(t)
  if own[t] then return end
  own[t] = true
  listed[#listed + 1] = t
end

for _, room in next, core do add(room) end           -- core.array, core.trace ...
add(unwatched.real(debug))
add(getmetatable(core.array.new_shape(1)))

--- The list of our tables. Modules are never unloaded.
function unwatched.tables()
  for name, module in next, package.loaded do
    if type(name) == "string" and (name == "hybridlua" or string.find(name, "^hybridlua%.")) and
        type(module) == "table" then
      add(module)
    end
  end
  return listed
end

--- Is this one of our tables, which do not change or are watched elsewhere?
function unwatched.is_own_table(t) return own[t] or is_operators(t) or class.is_module(t) end

local function has_own_function(meta)
  for _, value in next, meta do if type(value) == "function" and own_function(value) then return true end end
  return false
end

local SCRIPT, SKIPPED, ASKED = 0, 1, 2       -- as in src/bind/follow/read_record.h

--- The owner of an object's metatable.
function unwatched.owner(object)
  local meta = debug.getmetatable(object)
  if type(object) ~= "table" then return has_own_function(meta) and SKIPPED or SCRIPT end
  if class.is_module(object) then return ASKED end
  if unwatched.is_own_table(object) then return SKIPPED end
  if class.of(object) or class.is_class(object) then return ASKED end
  if is_plain(object) then return SCRIPT end         -- a shape
  for _, value in next, meta do
    if type(value) == "function" and core.script.is_lua_function(value) and own_function(value) then return SKIPPED end
  end
  return SCRIPT
end

--- Prefixes of the names of these tables' entries.
unwatched.TITLES = { [_G] = "global ", [package] = "package.", [package.loaded] = "package.loaded." }

return unwatched
