-- data/vision/images.lua - the base class of datasets of labelled images.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local ArrayDataset = require "hybridlua.gluon.data.dataset".ArrayDataset

-- An ArrayDataset with the option transform(data, label), as in MXNet's vision datasets.
local Images = ArrayDataset:subclass "Images"

--- Checks the options that these datasets share, before files are read.
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
