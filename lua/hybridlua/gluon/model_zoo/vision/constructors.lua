-- constructors.lua - code shared by the model families: their classes, the options of their functions, trained
-- parameters.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nn = require "hybridlua.gluon.nn"
local model_store = require "hybridlua.gluon.model_zoo.model_store"

local constructors = {}

local COMMON = { "pretrained", "ctx", "root", "classes" }
--- A class of networks that compute output(features(x)), with the arguments `names`; classes, one of them, is 1000 by
-- default. build(self, options) fills self.features, and may return the output block, by default a Dense layer.
function constructors.network(name, names, defaults, build)
  local net = HybridBlock:subclass(name)
  defaults.classes = 1000
  local read = arguments.of_block(name, names, defaults)
  function net:init(...)
    local options = read(...)
    options.classes = checks.whole(name .. ": classes", options.classes, 1)
    self.features = nn.HybridSequential { prefix = "" }
    self.output = build(self, options) or nn.Dense(options.classes)
  end
  function net:hybrid_forward(_, x) return self.output(self.features(x)) end
  return net
end

--- The function `name`, which makes a network; its arguments are `first`, the common ones, and `own`. make(options,
-- naming) returns the network and its model's name; naming has the given ones of classes, prefix and params. With
-- `pretrained` the model's parameters are loaded.
function constructors.define(name, first, own, make)
  local names = table.move(first, 1, #first, 1, {})
  table.move(COMMON, 1, #COMMON, #names + 1, names)
  table.move(own, 1, #own, #names + 1, names)
  local read = arguments.of_block(name, names, { pretrained = false })
  --- A network of the model zoo. classes: the size of its output, by default 1000. pretrained: loads the parameters in
  -- the file that model_store.get_model_file finds in the folder `root`, into the contexts `ctx`.
  return function(...)
    local options = read(...)
    checks.boolean(name .. ": pretrained", options.pretrained)
    local net, model = make(options, { classes = options.classes, prefix = options.prefix, params = options.params })
    if options.pretrained then
      net:load_parameters(model_store.get_model_file(model, { root = options.root }), { ctx = options.ctx })
    end
    return net
  end
end

--- t[key], where `key` is the value of the option `what`; errors list the keys.
function constructors.pick(what, t, key)
  if t[key] ~= nil then return t[key] end
  local keys = {}
  for known in pairs(t) do keys[#keys + 1] = known end
  table.sort(keys)
  for i, known in ipairs(keys) do keys[i] = tostring(known) end
  fail("%s: expected one of %s, got %s", what, table.concat(keys, ", "), tostring(key))
end

return constructors
