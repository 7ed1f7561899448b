-- io/image_record_iter.lua - ImageRecordIter: batches of images from a record file, prepared for a network.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local image = require "hybridlua.image"
local recordio = require "hybridlua.recordio"
local DataDesc = require "hybridlua.io.batches".DataDesc
local DataIter = require "hybridlua.io.data_iter".DataIter
local DataLoader = require "hybridlua.gluon.data.dataloader"
local Dataset = require "hybridlua.gluon.data.dataset".Dataset
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd

-- ---- Options ------------------------------------------------------------------------------------------------------

-- Options that change images in ways that are not here; any value but the default is an error.
local ABSENT = {
  path_imglist = "", aug_seq = "aug_default", max_rotate_angle = 0, max_aspect_ratio = 0,
  max_shear_ratio = 0, max_crop_size = -1, min_crop_size = -1, max_random_scale = 1, min_random_scale = 1,
  max_img_size = 1e10, min_img_size = 0, brightness = 0, contrast = 0, saturation = 0, pca_noise = 0, random_h = 0,
  random_s = 0, random_l = 0, rotate = -1, pad = 0, mean_img = "", max_random_contrast = 0,
  max_random_illumination = 0, random_resized_crop = false, max_random_area = 1, min_random_area = 1,
  min_aspect_ratio = 0,
}
local DEFAULTS = {
  label_width = 1, shuffle = false, round_batch = true, preprocess_threads = 0, num_parts = 1, part_index = 0,
  resize = -1, rand_crop = false, rand_mirror = false, mirror = false, inter_method = 1, scale = 1, mean_r = 0,
  mean_g = 0, mean_b = 0, std_r = 1, std_g = 1, std_b = 1, data_name = "data", label_name = "softmax_label",
}

local NAMES = "path_imgrec path_imgidx data_shape batch_size label_width shuffle round_batch preprocess_threads " ..
  "num_parts part_index resize rand_crop rand_mirror mirror inter_method scale mean_r mean_g mean_b std_r std_g " ..
  "std_b dtype data_name label_name"
local IDLE = " prefetch_buffer ctx device_id verbose seed seed_aug shuffle_chunk_size shuffle_chunk_seed fill_value " ..
  "mean_a std_a"

local function all_names()
  local names = {}
  for name in pairs(ABSENT) do names[#names + 1] = name end
  table.sort(names)
  return NAMES .. IDLE .. " " .. table.concat(names, " ")
end

local read = arguments.new("ImageRecordIter", all_names(), DEFAULTS)

local function what(name) return "ImageRecordIter: " .. name end

local function check_options(o)
  for name, default in pairs(ABSENT) do
    if o[name] ~= nil and o[name] ~= default then
      fail("ImageRecordIter: %s is not supported; for other changes of images see gluon.data.vision.transforms", name)
    end
  end
  for _, name in ipairs { "shuffle", "round_batch", "rand_crop", "rand_mirror", "mirror" } do
    checks.boolean(what(name), o[name])
  end
  for _, name in ipairs { "scale", "mean_r", "mean_g", "mean_b", "std_r", "std_g", "std_b" } do
    checks.number(what(name), o[name])
  end
  if not is_plain(o.data_shape) or #o.data_shape ~= 3 or o.data_shape[1] ~= 1 and o.data_shape[1] ~= 3 then
    fail "ImageRecordIter: data_shape: expected {channels, height, width} with 1 or 3 channels"
  end
  checks.whole_list(what "data_shape", o.data_shape, 3, 1)
  checks.whole(what "batch_size", o.batch_size, 1)
  checks.whole(what "label_width", o.label_width, 1)
  checks.whole(what "preprocess_threads", o.preprocess_threads, 0)
  checks.whole(what "resize", o.resize)
  checks.string(what "path_imgrec", o.path_imgrec)
  return o
end

-- ---- Records ------------------------------------------------------------------------------------------------------

-- The images of a record file as a dataset: get(i) returns bytes (height, width, channels) of the wanted size, and the
-- label.
local Images = Dataset:subclass "ImageRecords"

function Images:init(options)
  self.options = options
  local idx = options.path_imgidx
  if idx and idx ~= "" then
    self.record = recordio.MXIndexedRecordIO(checks.string(what "path_imgidx", idx), options.path_imgrec, "r")
  else
    self.record = recordio._without_index(options.path_imgrec)
  end
  local keys, part, parts = self.record.keys, checks.part("ImageRecordIter", options)
  local from, to = #keys * part // parts, #keys * (part + 1) // parts
  self.keys = table.move(keys, from + 1, to, 1, {})
end

function Images:__len() return #self.keys end

local function chance() return nd.random.uniform({ shape = { 1 } }):asscalar() < 0.5 end

-- The part of the image that has the wanted size, at a random place with rand_crop, else the middle.
local function cropped(o, x, i)
  local h, w = o.data_shape[2], o.data_shape[3]
  if x.shape[1] < h or x.shape[2] < w then
    fail("ImageRecordIter: image %d: expected at least %d x %d pixels, the size in data_shape, got %d x %d; with " ..
      "resize = %d smaller ones are enlarged", i, h, w, x.shape[1], x.shape[2], math.max(h, w))
  end
  if x.shape[1] == h and x.shape[2] == w then return x end
  return (o.rand_crop and image.random_crop or image.center_crop)(x, { w, h }, { interp = o.inter_method })
end

local function label_of(o, header, i)
  local label, width = header.label, o.label_width
  local got = is_array(label) and label.size or 1
  if got ~= width then
    fail("ImageRecordIter: label_width: expected %d, the number of labels of image %d, got %d", got, i, width)
  end
  return width == 1 and is_array(label) and label:asscalar() or label
end

function Images:get(i)
  local o = self.options
  local header, bytes = recordio.unpack(self.record:read_idx(self.keys[self:check_place(i) + 1]))
  local x = image.imdecode(bytes, { flag = o.data_shape[1] == 3 and 1 or 0 })
  if o.resize > 0 then x = image.resize_short(x, o.resize, { interp = o.inter_method }) end
  x = cropped(o, x, i)
  if o.mirror ~= (o.rand_mirror and chance()) then x = x:flip { axis = 1 } end
  return x, label_of(o, header, i)
end

arguments.as_above(Images)

-- ---- The iterator -------------------------------------------------------------------------------------------------

local ImageRecordIter = DataIter:subclass "ImageRecordIter"

--- ImageRecordIter{path_imgrec =, data_shape = {channels, height, width}, batch_size =, path_imgidx = nil, label_width
-- = 1, shuffle = false, round_batch = true, preprocess_threads = 0, num_parts = 1, part_index = 0, resize = -1,
-- rand_crop = false, rand_mirror = false, mirror = false, inter_method = 1, scale = 1, mean_r = 0, mean_g = 0, mean_b
-- = 0, std_r = 1, std_g = 1, std_b = 1}: the images of a record file, as float32 (batch, channels, height, width), and
-- their labels, (batch) or (batch, label_width). Each image is resized so that its shorter side is `resize`, cropped
-- at the middle or, with rand_crop, at a random place, mirrored at random with rand_mirror; then (value - mean) / std
-- * scale. The last batch is completed with the first images, and batch.pad is their number; with round_batch the next
-- pass leaves these out. preprocess_threads: this many processes prepare batches ahead; they change no result. Random
-- numbers come from hl.random. MXNet's options for rotation, colours and random sizes are errors. Errors: images
-- smaller than data_shape; files that are missing or damaged.
function ImageRecordIter:init(...)
  local o = check_options(read(...))
  DataIter.init(self, math.tointeger(o.batch_size))
  self._options, self._images = o, Images(o)
  self.num_data, self._over = #self._images, 0
  if self.num_data == 0 then fail("ImageRecordIter: path_imgrec: '%s' has no images", o.path_imgrec) end
  local label = o.label_width > 1 and { self.batch_size, o.label_width } or { self.batch_size }
  self.provide_data = { DataDesc(o.data_name, { self.batch_size, table.unpack(o.data_shape) }) }
  self.provide_label = { DataDesc(o.label_name, label) }
  self:reset()
end

local function order_of(self)
  local order = nd.arange(self.num_data, { dtype = "int64" })
  return (self._options.shuffle and nd.random.shuffle(order) or order):totable()
end

-- Begins a pass of the loader over the batches of an order, from the images that the last pass left.
local function begin(self)
  local order, n, size, lists = order_of(self), self.num_data, self.batch_size, {}
  local at = self._over
  while at < n do
    local places = {}
    for i = 1, size do places[i] = order[(at + i - 1) % n + 1] end
    lists[#lists + 1] = places
    at = at + size
  end
  self._lists, self._at, self._last_pad = lists, 0, at - n
  local loader = DataLoader(self._images, { batch_sampler = lists, num_workers = self._options.preprocess_threads })
  self._batches = loader:batches()
end

local function finish(self)
  if self._batches then getmetatable(self._batches).__close(self._batches) end
  self._batches = nil
end

function ImageRecordIter:reset()
  finish(self)
  local ended = self._lists and self._at >= #self._lists
  self._over = self._options.round_batch and ended and self._last_pad % self.num_data or 0
  self._lists, self._at = nil, 0
end

-- Bytes (batch, height, width, channels) as numbers (batch, channels, height, width).
local function normalized(o, x)
  x = x:astype("float32"):transpose { 0, 3, 1, 2 }
  local n = o.data_shape[1]
  local function values(...) return nd.array({ table.unpack({ ... }, 1, n) }):reshape { 1, n, 1, 1 } end
  if o.mean_r ~= 0 or o.mean_g ~= 0 or o.mean_b ~= 0 then x = x - values(o.mean_r, o.mean_g, o.mean_b) end
  if o.std_r ~= 1 or o.std_g ~= 1 or o.std_b ~= 1 then x = x / values(o.std_r, o.std_g, o.std_b) end
  if o.scale ~= 1 then x = x * o.scale end
  if o.dtype and o.dtype ~= x.dtype then x = x:astype(o.dtype) end
  return x
end

function ImageRecordIter:iter_next()
  if not self._lists then begin(self) end
  if self._at >= #self._lists then
    finish(self)
    return false
  end
  local data, label = self._batches()
  self._at = self._at + 1
  self._data, self._label = normalized(self._options, data), label:astype "float32"
  return true
end

function ImageRecordIter:getdata() return { self._data } end
function ImageRecordIter:getlabel() return { self._label } end
function ImageRecordIter:getindex() return self._lists[self._at] end
function ImageRecordIter:getpad() return self._at == #self._lists and self._last_pad or 0 end

arguments.as_above(ImageRecordIter)

-- ---- MXNet's other names ------------------------------------------------------------------------------------------

local BYTES = "ImageRecordUInt8Iter"
local ImageRecordUInt8Iter = ImageRecordIter:subclass(BYTES)

local read_bytes = arguments.new(BYTES, all_names(), DEFAULTS)

--- ImageRecordUInt8Iter{path_imgrec =, data_shape =, batch_size =, ...}: ImageRecordIter with the images as they are,
-- uint8. Errors: means, deviations and scales.
function ImageRecordUInt8Iter:init(...)
  local o = read_bytes(...)
  for _, name in ipairs { "mean_r", "mean_g", "mean_b", "std_r", "std_g", "std_b", "scale" } do
    if o[name] ~= DEFAULTS[name] then
      fail("%s: %s: its images are not normalized; write ImageRecordIter", BYTES, name)
    end
  end
  o.dtype = "uint8"
  ImageRecordIter.init(self, o)
  self.provide_data[1].dtype = "uint8"
end

return { ImageRecordIter = ImageRecordIter, ImageRecordIter_v1 = ImageRecordIter,
  ImageRecordUInt8Iter = ImageRecordUInt8Iter, ImageRecordUInt8Iter_v1 = ImageRecordUInt8Iter }
