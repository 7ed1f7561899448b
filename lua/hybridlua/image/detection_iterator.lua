-- image/detection_iterator.lua - ImageDetIter: batches of images with objects, for detection.
--
-- The label of an image in its file is a flat list: the length of the header (2 or more), the length of an object (5 or
-- more), the rest of the header, then the objects: class, left, top, right, bottom, ..., positions as fractions. In a
-- batch it is (batch, objects, length), filled up with -1.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local detection = require "hybridlua.image.detection"
local fail = require "hybridlua.language.fail"
local ImageIter = require "hybridlua.image.iterator"
local io_ = require "hybridlua.io"
local is_array = core.array.is

local nd = core.op.nd

local ImageDetIter = ImageIter:subclass "ImageDetIter"

local NAMES = "batch_size data_shape path_imgrec path_imglist path_root path_imgidx shuffle part_index num_parts " ..
  "aug_list imglist data_name label_name last_batch_handle options{*}"
local read = arguments.new("ImageDetIter", NAMES, { shuffle = false, part_index = 0, num_parts = 1, data_name = "data",
  label_name = "label", last_batch_handle = "pad" })

-- The objects of a label from a file, as lists; those without area are dropped. Errors: none is left.
local function parse(self, label)
  local who = class.of(self).__name__
  if #label < 7 then fail("%s: label: expected at least 7 numbers, got %d", who, #label) end
  local head, width = math.tointeger(label[1]), math.tointeger(label[2])
  if not head or not width or head < 2 or width < 5 or (#label - head) % width ~= 0 then
    fail("%s: label: expected a header's length, an object's length (5 or more) and as many numbers, got %s, %s and " ..
      "%d numbers", who, tostring(label[1]), tostring(label[2]), #label)
  end
  local objects = {}
  for at = head + 1, #label, width do
    local object = table.move(label, at, at + width - 1, 1, {})
    if object[4] > object[2] and object[5] > object[3] then objects[#objects + 1] = object end
  end
  if #objects == 0 then fail("%s: label: expected at least one object with an area, got none", who) end
  return objects, width
end

-- The largest number of objects of an image, and the numbers per object.
local function estimate(self)
  local most, width = 0, nil
  while true do
    local label = self:next_sample()
    if label == nil then break end
    local objects, this = parse(self, label)
    if width and this ~= width then
      fail("%s: label: expected %d numbers per object, as before, got %d", class.of(self).__name__, width, this)
    end
    most, width = math.max(most, #objects), this
  end
  return most, width
end

--- ImageDetIter{batch_size =, data_shape = {3, height, width}, path_imgrec =, path_imglist =, path_root =, path_imgidx
-- =, shuffle = false, part_index = 0, num_parts = 1, aug_list =, imglist =, data_name = "data", label_name = "label",
-- last_batch_handle = "pad"}: an ImageIter for detection. An image's label is a flat list: 2 or more, the header's
-- length; the numbers per object; the rest of the header; the objects: class, left, top, right, bottom as fractions,
-- ... Batches have labels (batch, objects, numbers per object), filled up with -1. aug_list: by default
-- CreateDetAugmenter's, which gets all other options.
function ImageDetIter:init(...)
  local who, options = "ImageDetIter", read(...)
  self:_open(who, options, detection.CreateDetAugmenter)
  self:_set_augmenters(who, options, detection.CreateDetAugmenter, "CreateDetAugmenter")
  self:hard_reset()
  local count, width = estimate(self)
  if count == 0 then fail("%s: expected at least one image, got none", who) end
  self.label_shape, self._label_name = { count, width }, checks.string(who .. ": label_name", options.label_name)
  self:reshape()
  self:hard_reset()
end

--- reshape(data_shape = nil, label_shape = nil): other shapes of images, {3, height, width}, and of labels, {objects,
-- numbers per object}. Errors: fewer objects than an image may have. CreateDetAugmenter's augmenters keep their size.
function ImageDetIter:reshape(data_shape, label_shape)
  if data_shape ~= nil then self:_set_data_shape(data_shape, self.provide_data[1].name) end
  if label_shape ~= nil then
    self:check_label_shape(label_shape)
    self.label_shape = { label_shape[1], label_shape[2] }
  end
  self.provide_label = { io_.DataDesc(self._label_name, { self.batch_size, table.unpack(self.label_shape) }) }
end

--- Raises unless a label shape has room for as many objects as now, and the same numbers per object.
function ImageDetIter:check_label_shape(label_shape)
  local who = class.of(self).__name__ .. ": label_shape"
  label_shape = checks.whole_list(who, label_shape, 2, 1)
  if label_shape[1] < self.label_shape[1] then
    fail("%s: expected %d objects or more, got %d", who, self.label_shape[1], label_shape[1])
  end
  if label_shape[2] ~= self.label_shape[2] then
    fail("%s: expected %d numbers per object, got %d", who, self.label_shape[2], label_shape[2])
  end
end

--- sync_label_shape(it): gives both iterators the larger number of objects; returns `it`.
function ImageDetIter:sync_label_shape(it)
  checks.instance("ImageDetIter.sync_label_shape: it", it, ImageDetIter, "an ImageDetIter")
  local most = math.max(self.label_shape[1], it.label_shape[1])
  if most > self.label_shape[1] then self:reshape(nil, { most, self.label_shape[2] }) end
  if most > it.label_shape[1] then it:reshape(nil, { most, it.label_shape[2] }) end
  return it
end

--- The image and the label after all augmenters.
function ImageDetIter:augmentation_transform(data, label)
  for _, augmenter in ipairs(self.auglist) do data, label = augmenter(data, label) end
  return data, label
end

function ImageDetIter:_add_sample(data, labels)
  local label, bytes = self:next_sample()
  if label == nil then return false end
  local picture, objects = self:augmentation_transform(self:imdecode(bytes), nd.array((parse(self, label))))
  self:_check_made(picture)
  if not is_array(objects) or objects.ndim ~= 2 or objects.shape[1] > self.label_shape[1] or
    objects.shape[2] ~= self.label_shape[2] then
    fail("%s: label: expected at most (%d, %d) from the augmenters, got %s", class.of(self).__name__,
      self.label_shape[1], self.label_shape[2], is_array(objects) and tostring(objects.shape) or type(objects))
  end
  local all = nd.full(self.label_shape, -1)
  all[{ { 0, objects.shape[1] } }] = objects
  data[#data + 1] = self:postprocess_data(picture):astype "float32"
  labels[#labels + 1] = all
  return true
end

arguments.methods(ImageDetIter, "ImageDetIter.", {
  reshape = "data_shape[] label_shape[]", check_label_shape = "label_shape[]", sync_label_shape = "it verbose",
  augmentation_transform = "data label",
})
arguments.as_above(ImageDetIter)

return ImageDetIter
