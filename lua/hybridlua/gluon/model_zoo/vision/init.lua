-- model_zoo/vision - networks that classify images, one file per family. The names of models and parameters are those
-- of MXNet 1.9.1, so that its files can be loaded.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local nearest = require "hybridlua.language.nearest_name"

local vision = {}

for _, family in ipairs { "alexnet", "vgg", "resnet", "squeezenet", "densenet", "mobilenet", "inception" } do
  for name, member in pairs(require("hybridlua.gluon.model_zoo.vision." .. family)) do vision[name] = member end
end

-- The functions by the models' names in MXNet's files: "mobilenetv2_0.25" for mobilenet_v2_0_25.
local models = {}
for name, make in pairs(vision) do
  local model = name:gsub("^mobilenet_v2", "mobilenetv2"):gsub("^inception_v3", "inceptionv3")
  if name:find "^%l" and not name:find "^get_" then models[(model:gsub("(%d)_(%d+)$", "%1.%2"))] = make end
end

-- Further options are passed to the model's own function, which rejects unknown ones.
local read = arguments.new("get_model", { "name" }, {}, false, "^%a")

--- get_model(name, {pretrained = false, ctx =, root =, classes = 1000, ...}): a network by its model's name, such as
-- "resnet18_v1" or "mobilenet1.0", with the options of the function that makes it. pretrained: loads the parameters in
-- the file that model_store.get_model_file finds. Errors: an unknown name.
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
