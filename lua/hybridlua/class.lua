-- class.lua - classes as plain tables: Base:subclass "Name", methods in the table,
-- calling the class makes an instance (what `new` does is the root class's affair).
--
-- A class that is watched keeps its members in a table of their own, behind its metatable, so that
-- every assignment is seen, also one that replaces a method.
local fail = require "hybridlua.fail"

local class = {}

--- Is `x` an instance of `cls` or of a class made from it?
function class.is_a(x, cls)
  local of = type(x) == "table" and class.of(x)
  while of do
    if of == cls then return true end
    of = rawget(of, "__base")
  end
  return false
end

--- The class of an instance; nil for anything else.
function class.of(x)
  local meta = type(x) == "table" and getmetatable(x)
  return type(meta) == "table" and rawget(meta, "__class") or nil
end

--- The table that the class's own members are in, and behind it those of its bases: what instances look in.
function class.members(cls) return getmetatable(cls).members or cls end

local make

local function subclass(base, name, ...)
  if type(name) == "table" or select("#", ...) > 0 then require("hybridlua.arguments").new("subclass", "name")(name, ...) end
  if type(name) ~= "string" then fail("subclass: name: expected a string, got %s", type(name)) end
  return make(base, name, getmetatable(base).__call, getmetatable(base).notice)
end

function make(base, name, new, notice)
  local cls = { __base = base, __name__ = name, subclass = subclass }
  local meta = { __index = base and class.members(base), __call = new, __name = "class " .. name,
                 __tostring = function() return "class " .. name end }
  if notice then
    local members = setmetatable({ __name__ = name, subclass = subclass }, { __index = meta.__index })
    meta.notice, meta.members, meta.__index = notice, members, members
    function meta.__newindex(_, key, value)
      members[key] = value
      notice()
    end
  end
  return setmetatable(cls, meta)
end

--- A root class; `new(cls, ...)` makes an instance when the class or one of its subclasses is
-- called. With `notice` they are watched: it is called after each assignment to one of them.
function class.root(name, new, notice) return make(nil, name, new, notice) end

-- Integer keys are the affair of the class's method __item.
local function with_items(cls)
  return function(self, key)
    if math.type(key) == "integer" then return self:__item(key) end
    return cls[key]
  end
end

--- The usual `new`: an instance is a table whose metatable leads to its class, made by init.
function class.new(cls, ...)
  local meta = rawget(cls, "__instance")
  if not meta then
    meta = { __index = cls.__item and with_items(cls) or cls, __class = cls, __name = cls.__name__ }
    for _, key in ipairs { "__tostring", "__len", "__pairs", "__call", "__close" } do meta[key] = cls[key] end
    rawset(cls, "__instance", meta)
  end
  local self = setmetatable({}, meta)
  if cls.init then cls.init(self, ...)
  elseif select("#", ...) > 0 then require("hybridlua.arguments").new(cls.__name__, {})(...) end
  return self
end

local written_as = setmetatable({}, { __mode = "k" })

--- The function as its source has it, where another one was put before it.
function class.as_written(fn) return written_as[fn] or fn end

--- Says that `checked` does what `fn` does after a check, and returns it: help shows fn's source.
function class.checks(checked, fn)
  written_as[checked] = class.as_written(fn)
  return checked
end

--- Makes methods complain of net.hybridize() where net:hybridize() is meant: each of `names` checks
-- that its first argument is an instance of `cls`. what: how an instance is called in the error.
function class.check_self(cls, what, names)
  for name in names:gmatch "%S+" do
    local members = class.members(cls)
    local method = rawget(members, name)
    local function checked(self, ...)
      if not class.is_a(self, cls) then fail("%s.%s: call it with a colon, %s:%s(...)", cls.__name__, name, what, name) end
      return method(self, ...)
    end
    rawset(members, name, class.checks(checked, method))
  end
end

return class
