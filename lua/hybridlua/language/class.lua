-- class.lua - classes as plain tables: Base:subclass "Name" makes one, with its methods in the table; a call of the
-- class makes an instance (by the root class's `new`).
--
-- A watched class keeps its members in a separate table, behind its metatable, so that every assignment is noticed,
-- even the replacement of a method.
--
-- Methods of hybridlua's own classes raise an error when called with a dot: functions assigned to such a class are
-- wrapped in a check if their first parameter is named self.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local script = require "hybridlua.language.script_line"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local frame, is_lua_function = core.script.frame, core.script.is_lua_function

local class = {}

--- Whether a class is `base` or one of its subclasses.
function class.is_below(cls, base)
  while cls do
    if cls == base then return true end
    cls = rawget(cls, "__base")
  end
  return false
end

--- Whether `x` is an instance of `cls` or of one of its subclasses.
function class.is_a(x, cls) return class.is_below(class.of(x), cls) end

--- The class of an instance; nil for anything else.
function class.of(x)
  local meta = type(x) == "table" and getmetatable(x)
  return type(meta) == "table" and rawget(meta, "__class") or nil
end

--- The table of the class's own members, followed by those of its bases: instances look names up there.
function class.members(cls) return getmetatable(cls).members or cls end

-- ---- Methods called with a dot ----------------------------------------------------------------

local written_as = setmetatable({}, { __mode = "k" })

--- The original function of one wrapped by `checked`, or the function itself.
function class.as_written(fn) return written_as[fn] or fn end

--- Records that `checked` wraps fn, and returns it: help shows fn's source.
function class.checks(checked, fn)
  written_as[checked] = class.as_written(fn)
  return checked
end

-- Unchecked, like internal methods (with a leading underscore): they run at every call of a block or make an instance.
local UNCHECKED = { init = true, call = true, run = true, forward = true, hybrid_forward = true, call_compiled = true,
                    has_hooks = true,
                    with_hooks = true, set_field = true, subclass = true }

local function is_method(name, fn)
  return type(fn) == "function" and type(name) == "string" and name:sub(1, 1) ~= "_" and not UNCHECKED[name] and
    debug.getlocal(fn, 1) == "self" and script.is_own(fn)
end

--- The class that setmetatable made a table resemble although it is not an instance; or nil.
function class.imitated(x)
  if type(x) ~= "table" or class.of(x) or class.is_class(x) then return nil end
  local meta = getmetatable(x)
  for _ = 1, 100 do                                       -- metatables may form a cycle
    if type(meta) ~= "table" then return nil end
    if class.is_class(meta) then return meta end
    local index = rawget(meta, "__index")
    if class.is_class(index) then return index end
    meta = type(index) == "table" and getmetatable(index)
  end
end

--- The error text for a table that imitates the class.
function class.imitation(cls)
  local name = cls.__name__
  return ("this table was made with setmetatable, so it is not an instance of %s; %s"):format(name,
    class.is_theirs(cls) and ("make instances by %s(...)"):format(name) or
    ('write Net = %s:subclass "Net", and make instances by Net(...), which calls Net:init(...)'):format(name))
end

--- Raises unless a method's first argument is an instance: it was called with a dot.
function class.check_self(cls, name, self)
  if not class.is_a(self, cls) then
    local imitated = class.imitated(self)
    if imitated then fail("%s.%s: %s", cls.__name__, name, class.imitation(imitated)) end
    fail("%s.%s: call it with a colon, %s:%s(...)", cls.__name__, name, getmetatable(cls).called, name)
  end
end

-- The method as stored in the class: net.hybridize() raises, with net:hybridize() as the advice.
local function checked_method(cls, name, method)
  if not is_method(name, class.as_written(method)) then return method end
  method = class.as_written(method)
  local function checked(self, ...)
    class.check_self(cls, name, self)
    return method(self, ...)
  end
  return class.checks(checked, method)
end

-- ---- Functions called with a colon --------------------------------------------------------------

local modules = setmetatable({}, { __mode = "k" })       -- tables of functions and classes: their names

local function refuse_colon(what, module, name)
  fail("%s: expected a dot, got a colon; write %s.%s(...)", what, module, name)
end

-- Operators are C and check this themselves (src/bind/value/op_functions.c).
local function is_own_lua(fn) return is_lua_function(fn) and script.is_own(fn) end

--- Wraps a function of hybridlua's own for a module: it raises if it is called with a colon.
function class.dotted(module, name, value)
  if not modules[module] or not is_own_lua(value) then return value end
  return class.checks(function(...)
    if rawequal((...), module) then refuse_colon(modules[module] .. "." .. name, modules[module], name) end
    return value(...)
  end, value)
end

--- Wraps the functions of a table, and the classes in it: module:f() raises, since module.f() is meant.
function class.module(module, name)
  if modules[module] then return end
  modules[module] = name
  for key, value in next, module do
    local dotted = class.dotted(module, key, value)
    if dotted ~= value then module[key] = dotted end
  end
end

-- ---- Classes ----------------------------------------------------------------------------------

local make

-- Python's names of methods and those here: for all classes, or by the name of an instance.
local PYTHONS = { __init__ = "init", __len__ = "__len", __repr__ = "__tostring", __str__ = "__tostring",
  __call__ = { net = "hybrid_forward forward" }, __getitem__ = { dataset = "get" } }

local function warn_of_name(cls, key)
  local names = PYTHONS[key]
  if type(names) == "table" then names = names[getmetatable(cls).called] or "" end
  local first, second = names:match "^(%S+) ?(%S*)$"
  if not first then return end
  local name = (cls[first] ~= nil or second == "") and first or second
  require("hybridlua.language.warn").here("%s.%s: nothing calls a method of this name; write function %s:%s(...)",
    cls.__name__, key, cls.__name__, name)
end

local function subclass(base, name, ...)
  if type(base) ~= "table" or not rawget(base, "__name__") then
    fail('subclass: call it with a colon, Base:subclass "Name"')
  end
  if type(name) == "table" or select("#", ...) > 0 then
    require("hybridlua.language.arguments").new("subclass", "name")(name, ...)
  end
  if type(name) ~= "string" then fail("subclass: name: expected a string, got %s", type(name)) end
  local meta, theirs = getmetatable(base), frame(2) == "script"
  local cls = make(base, name, meta.__call, meta.notice, meta.called)
  getmetatable(cls).theirs = theirs
  return cls
end

function make(base, name, new, notice, called)
  local cls = { __base = base, __name__ = name, subclass = subclass }
  local meta = { __index = base and class.members(base), __call = new, __name = "class " .. name, called = called,
                 __tostring = function() return "class " .. name end }
  local members = cls
  if notice then
    members = setmetatable({ __name__ = name, subclass = subclass }, { __index = meta.__index })
    meta.notice, meta.members, meta.__index = notice, members, members
  end
  function meta.__newindex(_, key, value)
    rawset(members, key, checked_method(cls, key, value))
    if PYTHONS[key] and meta.theirs then warn_of_name(cls, key) end
    if notice then notice()
    elseif not meta.theirs and frame(2) == "script" then counters.touch_modules() end       -- a class of ours
  end
  return setmetatable(cls, meta)
end

--- A root class; `new(cls, ...)` makes an instance when the class or one of its subclasses is called. called: the name
-- of an instance in errors (the class's name in lower case). With `notice` the classes are watched: it is called after
-- each assignment to one of them.
function class.root(name, new, called, notice)
  local function make_instance(cls, ...)
    local module = modules[(...)]
    if module then refuse_colon(cls.__name__, module, cls.__name__) end
    return new(cls, ...)
  end
  return make(nil, name, make_instance, notice, called or name:lower())
end

--- Whether a table is one of hybridlua's modules.
function class.is_module(t) return modules[t] ~= nil end

--- The table of a module's or table's entries, for next: modules of hybridlua keep them separately (module.lua).
function class.entries(t)
  local meta = getmetatable(t)
  return type(meta) == "table" and rawget(meta, "ours") or t
end

--- Whether the script made the class.
function class.is_theirs(cls) return getmetatable(cls).theirs end

--- Whether a value is a class.
function class.is_class(x) return type(x) == "table" and rawget(x, "subclass") == subclass end

local ipairs_step = ipairs {}

-- Integer keys are passed to the class's method __item, which learns the index an ipairs loop begins with.
local function with_items(cls)
  return function(self, key)
    if math.type(key) == "integer" then
      return self:__item(key, key == 1 and debug.getinfo(2, "f").func == ipairs_step)
    end
    return cls[key]
  end
end

--- An instance whose init is not called: a table whose metatable leads to its class.
function class.bare(cls)
  local meta = rawget(cls, "__instance")
  if not meta then
    meta = { __index = cls.__item and with_items(cls) or cls, __class = cls, __name = cls.__name__ }
    for _, key in ipairs { "__tostring", "__len", "__pairs", "__call", "__close" } do meta[key] = cls[key] end
    rawset(cls, "__instance", meta)
  end
  return setmetatable({}, meta)
end

--- The usual `new`: makes an instance and calls init.
function class.new(cls, ...)
  local self = class.bare(cls)
  if cls.init then cls.init(self, ...)
  elseif select("#", ...) > 0 then require("hybridlua.language.arguments").new(cls.__name__, {})(...) end
  return self
end

return class
