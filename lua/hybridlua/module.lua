-- module.lua - tables that are modules: hl, nd, nn, gluon.data ... They print as such, load parts when they are
-- first read, and say what they have where a name that they do not have is called. What they hold is called with a
-- dot, and says so (class.lua).
local class = require "hybridlua.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local foreign = require "hybridlua.foreign"
local nearest = require "hybridlua.nearest"

-- All names of a module, those that are not loaded yet too.
local function names_of(self)
  local names = {}
  for name in next, self do names[name] = true end
  for name in pairs(getmetatable(self).modules) do names[name] = true end
  return names
end

-- A call of self.name, which is not there.
local function missing(self, name)
  local path = getmetatable(self).path
  local short = path:gsub("^hybridlua%.", "")
  local advice = foreign.advice(path, name)
  fail("%s has no '%s'%s", short, name, advice and "; " .. advice or nearest.hint(name, names_of(self)))
end

local function tostring_of(self) return ("<module '%s'>"):format(getmetatable(self).path) end

-- What a script puts into a module is kept beside it, so that a trace sees it read (gluon/guards.lua). Our own parts
-- are in the table itself: they do not change.
local function read_extra(self, extras, key)
  if core.tracing() and core.frame(3) == "script" then
    require("hybridlua.gluon.trace").reads_module(self, key, extras[key])
  end
  return extras[key]
end

--- Makes the table `t` the module `path` ("hybridlua.nd"); t.field is require(modules[field]), or what that gives if it
-- is a function, from its first use on.
-- Reading any other name gives nil; calling it raises, naming the nearest.
return function(t, path, modules)
  modules = modules or {}
  local extras = {}
  class.module(t, path == "hybridlua" and "hl" or path:match "[^.]+$")
  local meta = getmetatable(t) or {}                 -- nd and sym have one that knows F
  meta.path, meta.modules, meta.missing, meta.__name, meta.__tostring = path, modules, missing, "module", tostring_of
  function meta.__index(self, key)
    local file = modules[key]
    if not file then
      local value = read_extra(self, extras, key)
      if value == nil then core.missed(self, key) end
      return value
    end
    local value = class.dotted(self, key, type(file) == "function" and file() or require(file))
    rawset(self, key, value)
    return value
  end
  function meta.__newindex(self, key, value)
    if core.frame(2) == "script" and not modules[key] then extras[key] = value else rawset(self, key, value) end
  end
  function meta.__pairs(self)
    for key in pairs(modules) do local _ = self[key] end
    if next(extras) == nil then return next, self, nil end
    local all = {}
    for key, value in next, self do all[key] = value end
    for key, value in next, extras do all[key] = value end
    return next, all, nil
  end
  return setmetatable(t, meta)
end
