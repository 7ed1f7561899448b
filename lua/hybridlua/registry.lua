-- registry.lua - registers of classes by name, for factories of a script: mx.registry.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local warn = require "hybridlua.language.warn"
local is_plain = core.script.is_plain

local registry = {}

local registries = setmetatable({}, { __mode = "k" })      -- by base class: classes by name

local function classes_of(what, base_class)
  if not class.is_class(base_class) then
    fail("%s: base_class: expected a class, got %s", what, type(base_class))
  end
  registries[base_class] = registries[base_class] or {}
  return registries[base_class]
end

--- get_registry(base_class): a copy of the table of registered classes by name.
function registry.get_registry(base_class)
  local copy = {}
  for name, cls in pairs(classes_of("registry.get_registry", base_class)) do copy[name] = cls end
  return copy
end

--- get_register_func(base_class, nickname): a function register(class, name), which registers a subclass of base_class
-- under its name in lower case, or the given one, and returns it. It warns if it replaces another.
function registry.get_register_func(base_class, nickname)
  local classes = classes_of("registry.get_register_func", base_class)
  checks.string("registry.get_register_func: nickname", nickname)
  return function(cls, name)
    if not class.is_class(cls) or not class.is_below(cls, base_class) then
      fail("Can only register subclass of %s, got %s", base_class.__name__,
        class.is_class(cls) and cls.__name__ or type(cls))
    end
    name = checks.string("register: name", name or cls.__name__):lower()
    if classes[name] and classes[name] ~= cls then
      warn.here("New %s %s registered with name %s is overriding existing %s %s", nickname, cls.__name__, name,
        nickname, classes[name].__name__)
    end
    classes[name] = cls
    return cls
  end
end

--- get_alias_func(base_class, nickname): a function alias(names...), which returns a function that registers a class
-- under all these names.
function registry.get_alias_func(base_class, nickname)
  local register = registry.get_register_func(base_class, nickname)
  return function(...)
    local names = { ... }
    return function(cls)
      for _, name in ipairs(names) do register(cls, name) end
      return cls
    end
  end
end

-- The name and the options in a JSON text: ["name", {options}] or {"nickname": "name", ...}.
local function from_json(nickname, text)
  local value, why = python.from_json(text)
  if type(value) ~= "table" then
    fail("%s: expected a name, or JSON such as [\"name\", {}], got '%s'%s", nickname, text, why and ": " .. why or "")
  end
  return value
end

--- get_create_func(base_class, nickname): a function create(name, ...), which makes an instance of the class of that
-- name. An instance is returned as it is; a table of options has the name under nickname; a text in JSON, as dumps()
-- of initializers returns, works too. Errors: an unknown name.
function registry.get_create_func(base_class, nickname)
  local classes = classes_of("registry.get_create_func", base_class)
  checks.string("registry.get_create_func: nickname", nickname)
  local function create(first, ...)
    local n = select("#", ...)
    if class.is_a(first, base_class) then
      if n > 0 then fail("%s is already an instance. Additional arguments are invalid", nickname) end
      return first
    end
    if is_plain(first) then
      local options = {}
      for key, value in pairs(first) do if key ~= nickname then options[key] = value end end
      if first[nickname] == nil then
        fail("%s: expected a name under '%s' in the table, got none", nickname, nickname)
      end
      if next(options) == nil then return create(first[nickname]) end
      return create(first[nickname], options)
    end
    if type(first) ~= "string" then fail("%s must be of string type, got %s", nickname, type(first)) end
    if first:find "^[%[{]" then
      if n > 0 then fail("%s: expected no arguments after JSON, got %d", nickname, n) end
      local value = from_json(nickname, first)
      if first:sub(1, 1) == "{" then return create(value) end
      if type(value[2]) == "table" and next(value[2]) ~= nil then return create(value[1], value[2]) end
      return create(value[1])
    end
    local cls = classes[first:lower()]
    if not cls then
      fail("%s is not registered. Please register with %s.register first", first:lower(), nickname)
    end
    return cls(...)
  end
  return create
end

arguments.functions(registry, "registry.", { get_registry = "base_class", get_register_func = "base_class nickname",
  get_alias_func = "base_class nickname", get_create_func = "base_class nickname" })

return require "hybridlua.language.module"(registry, "hybridlua.registry")
