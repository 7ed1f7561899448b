-- image/iterator.lua - ImageIter: batches of labelled images from a record file, a list file or a list of files, for
-- classification.
--
-- A source is the order of keys (self.seq; nil for a record file without an index, which is read from its beginning)
-- and next_sample(), which returns the next label and the bytes of its image. All images are decoded and changed by the
-- augmenters when their batch is requested.
local arguments = require "hybridlua.language.arguments"
local augmenters = require "hybridlua.image.augmenters"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local image = require "hybridlua.image"
local io_ = require "hybridlua.io"
local list_lines = require "hybridlua.image.list_lines"
local recordio = require "hybridlua.recordio"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd

local ImageIter = io_.DataIter:subclass "ImageIter"

-- ---- Sources ------------------------------------------------------------------------------------------------------

local function numbers(what, list)
  for _, x in ipairs(list) do checks.number(what, x) end
  return list
end

-- The labels and files of a list file, by key, and the keys in order.
local function read_list_file(who, path)
  local items, keys = {}, {}
  for number, fields, line in list_lines(who .. ": path_imglist", path) do
    local key, label = math.tointeger(tonumber(fields[1])), {}
    for i = 2, #fields - 1 do label[i - 1] = tonumber(fields[i]) end
    if not key or #label == 0 or #label ~= #fields - 2 then
      fail("%s: %s:%d: expected a number, labels and a file with tabs between them, got '%s'", who, path, number,
        line:sub(1, 60))
    end
    items[key], keys[#keys + 1] = { label = label, file = fields[#fields] }, key
  end
  return items, keys
end

-- The same for a list of { label, file }, { label, label, ..., file } or { { label, ... }, file }.
local function read_list(who, list)
  local items, keys = {}, {}
  if not is_plain(list) then fail("%s: imglist: expected a list, got %s", who, type(list)) end
  for i, entry in ipairs(list) do
    local what = ("%s: imglist[%d]"):format(who, i)
    if not is_plain(entry) or type(entry[#entry]) ~= "string" or #entry < 2 then
      fail("%s: expected labels and a file's name, such as {0, 'a.png'}", what)
    end
    local label = is_array(entry[1]) and entry[1]:reshape({ -1 }):totable() or is_plain(entry[1]) and entry[1] or
      table.move(entry, 1, #entry - 1, 1, {})
    items[i], keys[i] = { label = numbers(what, label), file = entry[#entry] }, i
  end
  return items, keys
end

local function open_source(self, who, options)
  for _, key in ipairs { "path_imgrec", "path_imglist", "path_imgidx", "path_root" } do
    if options[key] ~= nil then checks.string(("%s: %s"):format(who, key), options[key]) end
  end
  if not options.path_imgrec and not options.path_imglist and options.imglist == nil then
    fail("%s: expected one of path_imgrec, path_imglist and imglist", who)
  end
  local part, parts = checks.part(who, options)
  local keys
  if options.path_imglist then self.imglist, keys = read_list_file(who, options.path_imglist)
  elseif options.imglist ~= nil then self.imglist, keys = read_list(who, options.imglist) end
  if not options.path_imgrec then
    self.seq = keys
  elseif options.path_imgidx then
    self.imgrec = recordio.MXIndexedRecordIO(options.path_imgidx, options.path_imgrec, "r")
    self.seq = self.imgrec.keys
  else
    self.imgrec = recordio.MXRecordIO(options.path_imgrec, "r")
    if options.shuffle or parts > 1 then
      fail("%s: path_imgidx: expected the index of '%s', which shuffle and num_parts need", who, options.path_imgrec)
    end
  end
  if self.seq then
    local size = #self.seq // parts
    self.seq = table.move(self.seq, part * size + 1, (part + 1) * size, 1, {})
    if #self.seq == 0 then fail("%s: expected at least one image, got none", who) end
  end
end

-- ---- Making one ---------------------------------------------------------------------------------------------------

local NAMES = "batch_size data_shape label_width path_imgrec path_imglist path_root path_imgidx shuffle part_index " ..
  "num_parts aug_list imglist data_name label_name dtype last_batch_handle options{*}"
local read = arguments.new("ImageIter", NAMES, { label_width = 1, shuffle = false, part_index = 0, num_parts = 1,
  data_name = "data", label_name = "softmax_label", dtype = "float32", last_batch_handle = "pad" })

--- What ImageIter and ImageDetIter share: checks the options and opens the source. create: the function that makes the
-- augmenters, whose options are in options.options.
function ImageIter:_open(who, options, create)
  arguments.reader_of(create):called(who)(options.options or {})
  io_.DataIter.init(self, checks.whole(who .. ": batch_size", options.batch_size, 1))
  self:_set_data_shape(options.data_shape, checks.string(who .. ": data_name", options.data_name))
  checks.boolean(who .. ": shuffle", options.shuffle)
  checks.choice(who .. ": last_batch_handle", options.last_batch_handle, "pad", "discard", "roll_over")
  self.path_root, self.shuffle, self.last_batch_handle = options.path_root, options.shuffle, options.last_batch_handle
  open_source(self, who, options)
end

--- Sets the shape of images, and provide_data by it. name: the data's.
function ImageIter:_set_data_shape(data_shape, name)
  self:check_data_shape(data_shape)
  self.data_shape = table.move(data_shape, 1, 3, 1, {})
  self.provide_data = { io_.DataDesc(name, { self.batch_size, table.unpack(self.data_shape) }) }
end

--- Takes the augmenters in aug_list, or makes them by `create`, which is named in errors.
function ImageIter:_set_augmenters(who, options, create, name)
  if options.aug_list ~= nil and options.options ~= nil then
    fail("%s: unknown option '%s': with aug_list there are no options for %s", who, tostring((next(options.options))),
      name)
  end
  local given = { data_shape = self.data_shape }
  for key, value in pairs(options.options or {}) do given[key] = value end
  self.auglist = options.aug_list or create(given)
  if not is_plain(self.auglist) then fail("%s: aug_list: expected a list, got %s", who, type(self.auglist)) end
end

--- ImageIter{batch_size =, data_shape = {3, height, width}, label_width = 1, path_imgrec =, path_imglist =, path_root
-- =, path_imgidx =, shuffle = false, part_index = 0, num_parts = 1, aug_list =, imglist =, data_name = "data",
-- label_name = "softmax_label", dtype = "float32", last_batch_handle = "pad"}: an hl.io.DataIter over labelled images.
-- They are in a record file (path_imgrec, with its index path_imgidx for shuffle and num_parts), or named by a list
-- file (path_imglist: number, labels, file, with tabs between) or a list (imglist: {label, file} each), relative to
-- path_root. With path_imgrec, a list only replaces the labels. aug_list: augmenters; by default CreateAugmenter's,
-- which gets all other options (rand_crop, mean ...). last_batch_handle: "pad" fills the last batch from the beginning,
-- "discard" drops it, "roll_over" keeps it for the next pass. A damaged image is an error that names it.
function ImageIter:init(...)
  local who, options = "ImageIter", read(...)
  self:_open(who, options, augmenters.CreateAugmenter)
  checks.choice(who .. ": dtype", options.dtype, "int32", "float32", "int64", "float64")
  self.label_width = checks.whole(who .. ": label_width", options.label_width, 1)
  self.provide_label = { io_.DataDesc(checks.string(who .. ": label_name", options.label_name),
    self.label_width > 1 and { self.batch_size, self.label_width } or { self.batch_size }) }
  self:_set_augmenters(who, options, augmenters.CreateAugmenter, "CreateAugmenter")
  self:hard_reset()
end

--- Raises unless data_shape is {3, height, width}.
function ImageIter:check_data_shape(data_shape)
  local who = class.of(self).__name__
  if not is_plain(data_shape) or #data_shape ~= 3 then
    fail("%s: data_shape: expected {3, height, width}, got %s", who,
      is_plain(data_shape) and #data_shape .. " values" or type(data_shape))
  end
  for _, d in ipairs(data_shape) do checks.whole(who .. ": data_shape", d, 1) end
  if data_shape[1] ~= 3 then fail("%s: data_shape: expected 3 channels, got %d", who, data_shape[1]) end
end

-- ---- Passes -------------------------------------------------------------------------------------------------------

local function rewind(self)
  if self.imgrec then self.imgrec:reset() end
  self.cur, self._ended = 0, false
end

local function begin(self)
  if self.seq and self.shuffle then self.seq = augmenters._shuffled(self.seq) end
  rewind(self)
end

--- Begins a new pass; with last_batch_handle = "roll_over" the samples left over come first.
function ImageIter:reset() begin(self) end

--- Begins a new pass and forgets samples left over.
function ImageIter:hard_reset()
  self._left = nil
  begin(self)
end

-- Where the last sample came from, for errors.
local function place_of(self)
  local key = self._key
  local item = self.imglist and self.imglist[key]
  return item and item.file and ("file '%s'"):format(item.file) or ("record %s"):format(tostring(key))
end

--- The bytes of an image's file.
function ImageIter:read_image(fname)
  local path = self.path_root and self.path_root:gsub("(.)/+$", "%1") .. "/" .. fname or fname
  local file, why = io.open(path, "rb")
  if not file then fail("%s: %s", class.of(self).__name__, why) end
  local _ <close> = file
  return file:read "a"
end

--- The label (numbers in a list) and the bytes of the next image; nil after the last one.
function ImageIter:next_sample()
  local bytes, header
  if self.seq then
    if self.cur >= #self.seq then return nil end
    self.cur = self.cur + 1
    self._key = self.seq[self.cur]
    if not self.imgrec then
      local item = self.imglist[self._key]
      return item.label, self:read_image(item.file)
    end
    bytes = self.imgrec:read_idx(self._key)
  else
    self.cur = self.cur + 1
    self._key = self.cur
    bytes = self.imgrec:read()
    if bytes == nil then return nil end
  end
  header, bytes = recordio.unpack(bytes)
  local item = self.imglist and self.imglist[self._key]
  if item then return item.label, bytes end
  local label = header.label
  return is_array(label) and label:totable() or { label }, bytes
end

--- The image (height, width, 3) of these bytes. Errors name the file or record.
function ImageIter:imdecode(s)
  local ok, result = pcall(image.imdecode, s)
  if not ok then
    fail("%s: broken image, %s: %s", class.of(self).__name__, place_of(self),
      tostring(result):gsub("^[^\n]-:%d+: ", ""))
  end
  return result
end

--- The image after all augmenters.
function ImageIter:augmentation_transform(data)
  for _, augmenter in ipairs(self.auglist) do data = augmenter(data) end
  return data
end

--- The image as it is in a batch, (channels, height, width).
function ImageIter:postprocess_data(datum) return nd.transpose(datum, { axes = { 2, 0, 1 } }) end

--- Raises unless the augmenters made an image of the right shape.
function ImageIter:_check_made(data)
  local _, h, w = table.unpack(self.data_shape)
  checks.picture(class.of(self).__name__ .. ": augmented image", data)
  if data.shape ~= { h, w, 3 } then
    fail("%s: %s: expected an image (%d, %d, 3) from the augmenters, got %s", class.of(self).__name__, place_of(self),
      h, w, tostring(data.shape))
  end
end

--- Adds the next sample to the lists of a batch; false after the last one. ImageDetIter replaces it.
function ImageIter:_add_sample(data, labels)
  local label, bytes = self:next_sample()
  if label == nil then return false end
  if #label ~= self.label_width then
    fail("%s: %s: expected label_width = %d, got %d labels", class.of(self).__name__, place_of(self), self.label_width,
      #label)
  end
  local picture = self:augmentation_transform(self:imdecode(bytes))
  self:_check_made(picture)
  data[#data + 1] = self:postprocess_data(picture):astype "float32"
  labels[#labels + 1] = nd.array(label)
  return true
end

--- The label array of a batch.
function ImageIter:_join_labels(labels) return nd.stack(labels, { axis = 0 }):reshape(self.provide_label[1].shape) end

local function fill(self, data, labels)
  while #data < self.batch_size do
    if not self:_add_sample(data, labels) then return end
  end
end

--- The next DataBatch; nil after the last one.
function ImageIter:next()
  if self._ended then return nil end
  local data, labels = {}, {}
  local left = self._left
  if left then data, labels, self._left = left.data, left.labels, nil end
  fill(self, data, labels)
  local pad = self.batch_size - #data
  if pad == self.batch_size then
    self._ended = true
    return nil
  end
  if pad > 0 then
    self._ended = true
    if self.last_batch_handle == "discard" then return nil end
    if self.last_batch_handle == "roll_over" and not left then
      self._left = { data = data, labels = labels }
      return nil
    end
    for _ = 1, pad do                                       -- a few samples may have to fill several times
      if #data == self.batch_size then break end
      rewind(self)
      fill(self, data, labels)
    end
    self._ended = true
  end
  return io_.DataBatch({ nd.stack(data, { axis = 0 }) }, { self:_join_labels(labels) }, { pad = pad,
    provide_data = self.provide_data, provide_label = self.provide_label })
end

arguments.methods(ImageIter, "ImageIter.", {
  hard_reset = "", read_image = "fname", next_sample = "", imdecode = "s", augmentation_transform = "data",
  postprocess_data = "datum", check_data_shape = "data_shape[]",
})
arguments.as_above(ImageIter)

return ImageIter
