-- unwatched.lua - functions shared by the parts of the recorder (trace_guards.lua, read_barrier.lua,
-- watched_objects.lua): calls without the call hook, and tables that are not watched.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local is_operators = core.op.is_table

local unwatched = {}

-- While these files read tables themselves, the call hook is off.
local pause = core.trace.pause_watch

local function quiet_end(before, ...)
  pause(before)
  return ...
end

--- Calls fn(...) with the call hook off.
function unwatched.quietly(fn, ...) return quiet_end(pause(true), fn(...)) end

--- "t.k" or "t[1]"
function unwatched.key_text(what, key)
  if type(key) == "string" and string.find(key, "^[%a_][%w_]*$") then return what .. "." .. key end
  return string.format("%s[%s]", what, type(key) == "string" and string.format("%q", key) or tostring(key))
end

local own_modules = {}
for _, room in next, core do own_modules[room] = true end            -- core.array, core.trace ...

--- Records modules of hybridlua's that were loaded since the last time; they are never unloaded.
function unwatched.find_own_modules()
  for name, module in next, package.loaded do
    local own = type(name) == "string" and (name == "hybridlua" or string.find(name, "^hybridlua%."))
    if own and type(module) == "table" then own_modules[module] = true end
  end
end

--- The library of Lua's that scripts have: our own files have a copy (src/bind/host/core_module.c).
function unwatched.real(library) return getmetatable(library).__index end

local not_watched = { [unwatched.real(debug)] = true }

--- A table that does not change, or that is watched elsewhere.
function unwatched.is_own_table(t) return own_modules[t] or not_watched[t] or is_operators(t) or class.is_module(t) end

--- Tables that have proxies in a trace, and the prefixes of their entries' names.
unwatched.PROXIED = { [_G] = "global ", [package] = "package.", [package.loaded] = "package.loaded." }

return unwatched
