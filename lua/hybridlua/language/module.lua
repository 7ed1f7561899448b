-- module.lua - tables that are modules: hl, nd, nn, gluon.data ... They print as modules, load parts on first access,
-- and raise for a missing name, with the most similar one; hl.has "nd.name" asks without raising. Their functions raise
-- when called with a colon (class.lua). The table itself is empty. hybridlua's parts are in a second table, which is as
-- fast to read. So everything that a script assigns in a module, even to replace a part, passes through this file, and
-- compiled calls can follow it.
--
-- Replacing a part (nd.tanh = mine) ends every trace, and the part becomes a guard of traces that read it later. If a
-- script replaces a name in nd or in sym alone, F in a trace is nd's, as outside a trace.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local python_files = require "hybridlua.language.python_files"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local function foreign() return require "hybridlua.language.foreign_names" end      -- loaded for the first hint
local tracing, frame = core.trace.active, core.script.frame

-- For each module, by its path:
--   ours      parts of hybridlua that no script has replaced
--   withheld  parts that a script has replaced, here or in the module of the other kind (nd, sym)
--   replaced  the names of those replaced here
--   theirs    values that scripts have assigned here
--   modules   parts that are loaded on first access
local at_path = {}

-- All names of a module, including parts not loaded yet, but not those that a script has set to nil.
local function names_of(parts)
  local names = {}
  for name in next, parts.ours do names[name] = true end
  for name in next, parts.modules do names[name] = true end
  for name in next, parts.withheld do names[name] = not parts.replaced[name] or nil end
  for name in next, parts.theirs do names[name] = true end
  return names
end

local function raise_absent(parts, key)
  local name = tostring(key)
  local advice = foreign().advice(parts.path, name)
  fail("%s has no '%s'%s", parts.name, name, advice and "; " .. advice or nearest.hint(name, names_of(parts)))
end

local function tostring_of(self) return ("<module '%s'>"):format(getmetatable(self).path) end

-- The same module of the other kind: nd.linalg for sym.linalg.
local function other_face(parts)
  local face, rest = parts.path:match "^hybridlua%.(%a+)(.*)$"
  local other = face == "nd" and "sym" or face == "sym" and "nd"
  return other and at_path[("hybridlua.%s%s"):format(other, rest)] or nil, face
end

local function present(parts, key)
  if parts.withheld[key] ~= nil and not parts.replaced[key] then return parts.withheld[key] end
  return parts.theirs[key]
end

-- The value of a name that is not in `ours`; nil if there is none. A trace records the read. by_script: the script's
-- own code reads it, or hl.has does for the script. F is sym in a trace and nd outside; if a script has replaced a
-- function in only one of them, a trace uses nd's.
local function read(parts, key, by_script)
  if tracing() then
    local reads_module = require("hybridlua.gluon.hybridize.trace").reads_module
    local replaced = parts.withheld[key] ~= nil
    local other, face = other_face(parts)
    if replaced and face == "sym" and other and not (parts.replaced[key] and other.replaced[key]) then parts = other end
    if replaced or by_script then reads_module(parts.name, parts.theirs, key) end
  end
  return present(parts, key)
end

-- Withholds a part that a script has replaced, for both kinds, so that reading it passes through `read`.
local function settle(parts, key)
  local other = other_face(parts)
  local any = parts.replaced[key] or other and other.replaced[key]
  for _, one in ipairs { parts, other } do
    if any then
      local part = rawget(one.ours, key)
      if part ~= nil then one.ours[key], one.withheld[key] = nil, part end
    else
      if one.withheld[key] ~= nil then one.ours[key], one.withheld[key] = one.withheld[key], nil end
    end
  end
end

local function put(parts, key, value)
  local part = rawget(parts.ours, key)
  if part == nil then part = parts.withheld[key] end
  if part == nil then
    parts.theirs[key] = value
    return
  end
  local back = rawequal(value, part)
  parts.replaced[key] = not back or nil
  if back then parts.theirs[key] = nil else parts.theirs[key] = value end
  settle(parts, key)
  counters.touch_modules()
end

--- Makes the table `t` the module `path` ("hybridlua.nd"). On first access t.field becomes require(modules[field]), or
-- the result of modules[field] if that is a function.
return function(t, path, modules)
  modules = modules or {}
  class.module(t, path == "hybridlua" and "hl" or path:match "[^.]+$")
  local parts = { path = path, name = path:gsub("^hybridlua%.", ""), module = t, modules = modules, ours = {},
    withheld = {}, replaced = {}, theirs = {} }
  at_path[path] = parts
  for key, value in next, t do parts.ours[key] = value end
  for key in next, parts.ours do t[key] = nil end
  local meta = getmetatable(t) or {}                 -- nd and sym have one with F
  meta.path, meta.name, meta.ours, meta.__name, meta.__tostring = path, parts.name, parts.ours, "module", tostring_of
  function meta.other_face()
    local other = other_face(parts)
    return other and other.module
  end
  function meta.names() return names_of(parts) end
  function meta.has_name(key)
    return rawget(parts.ours, key) ~= nil or modules[key] and parts.withheld[key] == nil or
      read(parts, key, true) ~= nil or python_files.has(parts.name, key)
  end
  meta.__index = setmetatable(parts.ours, { __index = function(_, key)
    local file = modules[key]
    if not file or parts.withheld[key] ~= nil then
      local value = read(parts, key, frame(2) == "script")
      if value ~= nil then return value end
      if python_files.has(parts.name, key) then return t end
      raise_absent(parts, key)
    end
    local value = class.dotted(t, key, type(file) == "function" and file() or require(file))
    parts.ours[key] = value
    return value
  end })
  function meta.__newindex(self, key, value)
    if frame(2) ~= "own" then                   -- the script
      local _ = modules[key] and self[key]           -- load it before it is replaced
      put(parts, key, value)
    elseif parts.withheld[key] ~= nil then
      parts.withheld[key] = value
    else
      parts.ours[key] = value
    end
  end
  function meta.__pairs(self)
    local all = {}
    for key in next, names_of(parts) do all[key] = self[key] end
    return next, all, nil
  end
  return setmetatable(t, meta)
end
