-- model_zoo/vision - networks that classify images, one file per family. Names of models and of all their
-- parameters are MXNet 1.9.1's, so that its files load.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local nearest = require "hybridlua.language.nearest_name"

local vision = {}

for _, family in ipairs { "alexnet", "vgg", "resnet", "squeezenet", "densenet", "mobilenet", "inception" } do
  for name, member in pairs(require("hybridlua.gluon.model_zoo.vision." .. family)) do vision[name] = member end
end

-- By a model's name, the function that makes it; most are called alike.
local models = {
  ["squeezenet1.0"] = vision.squeezenet1_0, ["squeezenet1.1"] = vision.squeezenet1_1,
  inceptionv3 = vision.inception_v3, ["mobilenet1.0"] = vision.mobilenet1_0,
  ["mobilenet0.75"] = vision.mobilenet0_75, ["mobilenet0.5"] = vision.mobilenet0_5,
  ["mobilenet0.25"] = vision.mobilenet0_25, ["mobilenetv2_1.0"] = vision.mobilenet_v2_1_0,
  ["mobilenetv2_0.75"] = vision.mobilenet_v2_0_75, ["mobilenetv2_0.5"] = vision.mobilenet_v2_0_5,
  ["mobilenetv2_0.25"] = vision.mobilenet_v2_0_25,
}

for _, name in ipairs { "alexnet", "vgg11", "vgg11_bn", "vgg13", "vgg13_bn", "vgg16", "vgg16_bn", "vgg19", "vgg19_bn",
                        "resnet18_v1", "resnet34_v1", "resnet50_v1", "resnet101_v1", "resnet152_v1", "resnet18_v2",
                        "resnet34_v2", "resnet50_v2", "resnet101_v2", "resnet152_v2", "densenet121", "densenet161",
                        "densenet169", "densenet201" } do
  models[name] = vision[name]
end

-- Whatever else is given is for the model's own function, which refuses what it does not know.
local read = arguments.new("get_model", { "name" }, {}, false, "^%a")

--- get_model(name, {pretrained = false, ctx =, root =, classes = 1000, ...}): a network by its model's name, such as
-- "resnet18_v1" or "mobilenet1.0", with the options of the function that makes it. pretrained: with the parameters
-- that model_store.get_model_file finds. Errors: a name that is not known.
function vision.get_model(...)
  local options = read(...)
  local name = type(options.name) == "string" and options.name:lower() or options.name
  local make = models[name]
  if not make then
    local names, hint = {}, nearest.hint(tostring(name), models)
    for known in pairs(models) do names[#names + 1] = known end
    table.sort(names)
    fail("Model %s is not supported%s Available options are\n\t%s", tostring(name), hint == "" and "." or hint,
      table.concat(names, "\n\t"))
  end
  options.name = nil
  return make(options)
end

return module(vision, "hybridlua.gluon.model_zoo.vision")
