-- data/vision/images.lua - what datasets of images with labels have in common.
local arguments = require "hybridlua.arguments"
local ArrayDataset = require "hybridlua.gluon.data.dataset".ArrayDataset

-- An ArrayDataset with transform(data, label), as MXNet's vision datasets take it.
local Images = ArrayDataset:subclass "Images"

function Images:fill(data, label, transform)
  ArrayDataset.init(self, data, label)
  self.transform_sample = transform
end

function Images:get(i)
  local data, label = ArrayDataset.get(self, i)
  if self.transform_sample then return self.transform_sample(data, label) end
  return data, label
end

function Images:batcher()
  return not self.transform_sample and ArrayDataset.batcher(self) or nil
end

arguments.as_above(Images)

return Images
