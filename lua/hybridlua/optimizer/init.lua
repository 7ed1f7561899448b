-- optimizer - update rules for parameters, by name: hl.optimizer.create("sgd", {momentum = 0.9}).
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"

local optimizer = {
  Optimizer = require "hybridlua.optimizer.optimizer",
  Updater = require "hybridlua.optimizer.updater",
}

local registry = {}

--- Lets create() find a class by its lower-case name.
function optimizer.register(cls)
  registry[cls.__name__:lower()] = cls
  return cls
end

for _, file in ipairs { "rules", "composed" } do
  for _, cls in ipairs(require("hybridlua.optimizer." .. file)) do
    arguments.as_above(cls)
    optimizer[cls.__name__] = optimizer.register(cls)
  end
end
optimizer.Optimizer.opt_registry = registry

optimizer.ccSGD = optimizer.SGD
registry.ccsgd = optimizer.SGD
optimizer.contrib = require "hybridlua.language.module"({ GroupAdaGrad = optimizer.GroupAdaGrad },
  "hybridlua.optimizer.contrib")

--- Creates an optimizer by name ("sgd", in upper or lower case) with its options; returns an Optimizer as it is.
-- Errors: an unknown name.
function optimizer.create(name, options)
  if class.is_a(name, optimizer.Optimizer) then
    if options ~= nil and next(options) ~= nil then
      fail "optimizer: options: expected none with an existing Optimizer, got some"
    end
    return name
  end
  if type(name) == "table" and rawget(name, "__name__") then
    fail("optimizer: expected a name or an Optimizer, got the %s; write '%s'", tostring(name), name.__name__:lower())
  end
  if type(name) ~= "string" then fail("optimizer: expected a name or an Optimizer, got %s", type(name)) end
  if options ~= nil and type(options) ~= "table" then
    fail("optimizer: expected a table of options, such as {learning_rate = 0.1}, got %s", tostring(options))
  end
  local cls = registry[name:lower()]
  if not cls then fail("Cannot find optimizer %s%s", name, nearest.hint(name:lower(), registry)) end
  return cls(options or {})
end

--- The same as members of the class, as in MXNet: optimizer.Optimizer.create_optimizer("sgd", {learning_rate = 0.1}).
optimizer.Optimizer.create_optimizer, optimizer.Optimizer.register = optimizer.create, optimizer.register

--- Returns a function updater(index, grad, weight), which keeps the states.
function optimizer.get_updater(rule) return optimizer.Updater(rule) end

arguments.functions(optimizer, "optimizer.",
  { register = "klass", create = "name options{}", get_updater = "optimizer" })

return require "hybridlua.language.module"(optimizer, "hybridlua.optimizer")
