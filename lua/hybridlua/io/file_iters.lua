-- io/file_iters.lua - iterators of files that fit into memory: CSVIter and MNISTIter.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local batches = require "hybridlua.io.batches"
local DataIter = require "hybridlua.io.data_iter".DataIter
local is_plain = core.script.is_plain

local nd = core.op.nd

-- ---- What they share ----------------------------------------------------------------------------------------------

-- Batches of one data and one label array. The last batch is completed with samples from the beginning (self._round:
-- which the next pass leaves out) or left out (self._whole_only).
local FileIter = DataIter:subclass "FileIter"

-- options: the read options, of which data_name, label_name and batch_size are used here.
function FileIter:_fill(what, options, data, label)
  DataIter.init(self, checks.whole(what .. ": batch_size", options.batch_size, 1))
  self._data, self._label, self.num_data = data, label, #data
  self._at = -self.batch_size
  self.provide_data = { batches.description(options.data_name or "data", data, self.batch_size, 0) }
  self.provide_label = { batches.description(options.label_name or "softmax_label", label, self.batch_size, 0) }
end

function FileIter:reset()
  local over = self._round and self._at < self.num_data and self._at + self.batch_size - self.num_data or 0
  self._at = (over > 0 and over % self.num_data or 0) - self.batch_size
end

function FileIter:iter_next()
  self._at = self._at + self.batch_size
  local need = self._whole_only and self._at + self.batch_size or self._at + 1
  if need <= self.num_data then return true end
  if not self._whole_only and self._at >= self.num_data then self._at = self._at - self.batch_size end
  return false
end

function FileIter:getindex()
  local places = {}
  for i = 1, self.batch_size do places[i] = (self._at + i - 1) % self.num_data end
  return places
end

local function rows(self, x) return nd.take(x, nd.array(self:getindex(), { dtype = "int64" }), { axis = 0 }) end

function FileIter:getdata() return { rows(self, self._data) } end
function FileIter:getlabel() return { rows(self, self._label) } end
function FileIter:getpad() return math.max(0, self._at + self.batch_size - self.num_data) end
arguments.as_above(FileIter)

-- MXNet's options for its threads, which read ahead, are accepted.
local AHEAD = " prefetch_buffer ctx device_id"

-- ---- CSVIter ------------------------------------------------------------------------------------------------------

local CSVIter = FileIter:subclass "CSVIter"

local read_csv = arguments.new("CSVIter",
  "data_csv data_shape label_csv label_shape batch_size round_batch dtype data_name label_name" .. AHEAD,
  { label_shape = { 1 }, round_batch = true })

local function samples(what, file, shape, dtype)
  checks.string(what .. "_csv", file)
  if type(shape) == "number" then shape = { shape } end
  if not is_plain(shape) or #shape == 0 then
    fail("%s_shape: expected a shape such as {3}, got %s", what, is_plain(shape) and "an empty table" or type(shape))
  end
  local x, count = core.file.read_csv(file, { dtype = dtype == "float64" and dtype or "float32" }), 1
  for i, length in ipairs(shape) do count = count * checks.whole(("%s_shape[%d]"):format(what, i), length, 1) end
  if x.shape[2] ~= count then
    fail("%s_shape: expected %d values in a line, for shape %s, got %d in '%s'", what, count, python.tuple(shape),
      x.shape[2], file)
  end
  return x:reshape { -1, table.unpack(shape) }
end

--- CSVIter{data_csv =, data_shape =, batch_size =, label_csv = nil, label_shape = {1}, round_batch = true, dtype =
-- "float32"}: one sample per line of a file of numbers with commas, which may be gzipped; without label_csv labels are
-- 0. The last batch is completed with the first samples, and batch.pad is their number; with round_batch the next pass
-- leaves these out. Errors name the file and the line; files with different numbers of lines.
function CSVIter:init(...)
  local options = read_csv(...)
  local data = samples("CSVIter: data", options.data_csv, options.data_shape, options.dtype)
  local label
  if options.label_csv == nil or options.label_csv == "NULL" then label = nd.zeros { #data }
  else label = samples("CSVIter: label", options.label_csv, options.label_shape) end
  if label.ndim == 2 and label.shape[2] == 1 then label = label:reshape { -1 } end
  if #label ~= #data then fail("CSVIter: label_csv: expected %d lines, as in data_csv, got %d", #data, #label) end
  if options.dtype and data.dtype ~= options.dtype then data = data:astype(options.dtype) end
  self._round = checks.boolean("CSVIter: round_batch", options.round_batch)
  self:_fill("CSVIter", options, data, label)
end

-- ---- MNISTIter ----------------------------------------------------------------------------------------------------

local MNISTIter = FileIter:subclass "MNISTIter"

local read_mnist = arguments.new("MNISTIter",
  "image label batch_size shuffle flat silent seed num_parts part_index input_shape dtype data_name label_name" ..
    AHEAD,
  { image = "./train-images-idx3-ubyte", label = "./train-labels-idx1-ubyte", batch_size = 128, shuffle = true,
    flat = false, silent = false, seed = 0, num_parts = 1, part_index = 0 })

-- Reads an idx file, plain or gzipped, with or without the ending .gz in its name.
local function read_idx(what, file)
  checks.string(what, file)
  if not core.file.exists(file) and core.file.exists(file .. ".gz") then file = file .. ".gz" end
  return core.file.read_idx(file)
end

--- MNISTIter{image =, label =, batch_size = 128, shuffle = true, flat = false, num_parts = 1, part_index = 0}: images
-- and labels of two idx files, plain or gzipped, as MNIST's. Images are float32 from 0 to below 1 (bytes / 256),
-- (batch, 1, height, width), or with flat (batch, height * width). shuffle: one order for all passes, from hl.random. A
-- last incomplete batch is left out. part_index of num_parts: the part of the images to read. seed has no effect.
-- Errors: a file that is missing or of another kind; images and labels of different numbers.
function MNISTIter:init(...)
  local options = read_mnist(...)
  local data, label = read_idx("MNISTIter: image", options.image), read_idx("MNISTIter: label", options.label)
  if data.ndim ~= 3 or label.ndim ~= 1 or #data ~= #label then
    fail("MNISTIter: expected images and the same number of labels, got shapes %s and %s", tostring(data.shape),
      tostring(label.shape))
  end
  local i, parts = checks.part("MNISTIter", options)
  local n, shape = #data, data.shape
  local order = nd.arange(n * i // parts, n * (i + 1) // parts, { dtype = "int64" })
  if checks.boolean("MNISTIter: shuffle", options.shuffle) then order = nd.random.shuffle(order) end
  data = nd.take(data, order, { axis = 0 }):astype "float32" / 256
  local flat = checks.boolean("MNISTIter: flat", options.flat)
  data = data:reshape(flat and { -1, shape[2] * shape[3] } or { -1, 1, shape[2], shape[3] })
  self._whole_only = true
  self:_fill("MNISTIter", options, data, nd.take(label, order, { axis = 0 }):astype "float32")
end

--- LibSVMIter: an error, since there are no sparse arrays.
local function LibSVMIter()
  fail "LibSVMIter: sparse arrays are not supported; write the numbers as lines for CSVIter"
end

return { CSVIter = CSVIter, MNISTIter = MNISTIter, LibSVMIter = LibSVMIter }
