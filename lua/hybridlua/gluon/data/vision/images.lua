-- data/vision/images.lua - what datasets of images with labels have in common.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local ArrayDataset = require "hybridlua.gluon.data.dataset".ArrayDataset

-- An ArrayDataset with transform(data, label), as MXNet's vision datasets take it.
local Images = ArrayDataset:subclass "Images"

--- Looks at the options that these datasets share, before files are read.
function Images._check(what, options)
  if options.root ~= nil and type(options.root) ~= "string" then
    fail("%s: root: expected a folder's name, got %s", what, type(options.root))
  end
  checks.boolean(what .. ": train", options.train)
  if options.transform ~= nil then checks.callable(what .. ": transform", options.transform, "data and label") end
  return options
end

function Images:fill(data, label, transform)
  ArrayDataset.init(self, data, label)
  self.transform_sample = transform
end

function Images:get(i)
  local data, label = ArrayDataset.get(self, i)
  if self.transform_sample then return self.transform_sample(data, label) end
  return data, label
end

function Images:batcher() return not self.transform_sample and ArrayDataset.batcher(self) or nil end

arguments.as_above(Images)

return Images
