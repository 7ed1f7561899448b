-- io/ndarray_iter.lua - NDArrayIter: batches of arrays.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local batches = require "hybridlua.io.batches"
local DataIter = require "hybridlua.io.data_iter".DataIter
local is_array, is_plain = core.array.is, core.script.is_plain
local DataBatch, DataDesc = batches.DataBatch, batches.DataDesc

local nd = core.op.nd

local NDArrayIter = DataIter:subclass "NDArrayIter"

local reader = arguments.new("NDArrayIter",
  "data{} label{} batch_size shuffle last_batch_handle data_name label_name layout",
  { batch_size = 1, shuffle = false, last_batch_handle = "pad", data_name = "data", label_name = "softmax_label",
    layout = "NCHW" })

-- Reads the arguments; the second may be the labels by name or, if a parameter is among its keys, the options.
local function read(...)
  local data, second = ...
  if select("#", ...) == 2 and data ~= nil and is_plain(second) then
    for key in pairs(second) do
      if reader.known[key] then return reader(data, nil, nil, second) end
    end
  end
  return reader(...)
end

-- ---- The sources --------------------------------------------------------------------------------------------------

local EXPECTED = "expected an NDArray, a list of them or a table of them by name"

local function as_array(what, x)
  if is_array(x) then return x end
  if type(x) ~= "table" then fail("%s: %s, got %s", what, EXPECTED, type(x)) end
  return nd.array(x)
end

-- The arrays of an argument as a list of pairs {name, array} in the order of the names. Nested tables of numbers stand
-- for NumPy's arrays.
local function sources(what, given, name, may_be_empty)
  local list = {}
  if given == nil or is_plain(given) and next(given) == nil then
    if not may_be_empty then fail("%s: %s, got %s", what, EXPECTED, given and "an empty table" or "nothing") end
    return list
  end
  if is_array(given) or is_plain(given) and #given > 0 and not is_array(given[1]) then
    given = { as_array(what, given) }
  end
  if not is_plain(given) then fail("%s: %s, got %s", what, EXPECTED, type(given)) end
  for key, x in pairs(given) do
    local called = key
    if math.type(key) == "integer" then called = #given == 1 and name or ("_%d_%s"):format(key - 1, name) end
    list[#list + 1] = { called, as_array(("%s: %s"):format(what, tostring(key)), x) }
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

local function check_lengths(self)
  local axis, first = self._axis, self.data[1]
  for _, list in ipairs { self.data, self.label } do
    for _, source in ipairs(list) do
      local n = source[2].shape[axis + 1]
      if n == nil then
        fail("NDArrayIter: %s: expected an array with axis %d, that of the batch, got shape %s", source[1], axis,
          tostring(source[2].shape))
      end
      if n ~= self.num_data then
        fail("NDArrayIter: %s: expected %d samples, as in %s, got %d", source[1], self.num_data, first[1], n)
      end
    end
  end
end

--- NDArrayIter(data, label, batch_size = 1, {shuffle = false, last_batch_handle = "pad", data_name = "data", label_name
-- = "softmax_label", layout = "NCHW"}): batches of arrays. data and label: an array, a list of arrays (named _0_data,
-- _1_data, ...), a table of arrays by name (in the order of the names), or nested tables of numbers; label may be nil.
-- shuffle: a new order for each pass. last_batch_handle: an incomplete last batch is filled with samples from the
-- beginning ("pad": batch.pad is their number), left out ("discard"), or completed in the next pass ("roll_over").
-- layout: its letter N is the axis of samples. Fields: provide_data, provide_label, num_data, data and label (lists of
-- {name, array}). Errors: arrays with different numbers of samples.
function NDArrayIter:init(...)
  local options = read(...)
  local size = checks.whole("NDArrayIter: batch_size", options.batch_size, 1)
  DataIter.init(self, size)
  self.data = sources("NDArrayIter: data", options.data, checks.string("NDArrayIter: data_name", options.data_name))
  self.label = sources("NDArrayIter: label", options.label,
    checks.string("NDArrayIter: label_name", options.label_name), true)
  self.shuffle = checks.boolean("NDArrayIter: shuffle", options.shuffle)
  self.last_batch_handle = checks.choice("NDArrayIter: last_batch_handle", options.last_batch_handle, "pad", "discard",
    "roll_over")
  self.layout = checks.string("NDArrayIter: layout", options.layout)
  self._axis = DataDesc.get_batch_axis(self.layout)
  if self._axis < 0 then fail("NDArrayIter: layout: expected a layout with the letter N, got '%s'", self.layout) end
  self.num_data = self.data[1][2].shape[self._axis + 1] or 0
  check_lengths(self)
  if self.num_data == 0 then fail "NDArrayIter: data: expected at least one sample, got none" end
  self.cursor, self._kept = -size, {}
  self.provide_data, self.provide_label = self:_provide(self.data), self:_provide(self.label)
  self:reset()
end

function NDArrayIter:_provide(list)
  local descs = {}
  for i, source in ipairs(list) do
    descs[i] = batches.description(source[1], source[2], self.batch_size, self._axis, self.layout)
  end
  return descs
end

-- ---- Passes -------------------------------------------------------------------------------------------------------

local function shuffle(self)
  local order = nd.random.shuffle(nd.arange(self.num_data, { dtype = "int64" }))
  for _, list in ipairs { self.data, self.label } do
    for _, source in ipairs(list) do source[2] = nd.take(source[2], order, { axis = self._axis }) end
  end
end

--- Begins a new pass, without samples kept by "roll_over".
function NDArrayIter:hard_reset()
  if self.shuffle then shuffle(self) end
  self.cursor, self._kept = -self.batch_size, {}
end

--- Begins a new pass, in a new order with shuffle. With "roll_over" its first batch begins with the samples left over.
function NDArrayIter:reset()
  if self.shuffle then shuffle(self) end
  local left = self.last_batch_handle == "roll_over" and self.cursor > self.num_data - self.batch_size and
    self.cursor < self.num_data
  self.cursor = left and self.cursor - self.num_data - self.batch_size or -self.batch_size
end

function NDArrayIter:iter_next()
  self.cursor = self.cursor + self.batch_size
  return self.cursor < self.num_data
end

-- The rows from `from` to before `to` of all sources, with wrapping: those after the last are the first again.
local function rows(self, list, from, to)
  local n, parts = self.num_data, {}
  repeat
    local stop = math.min(to, n)
    parts[#parts + 1] = { from, stop }
    from, to = 0, to - n
  until to <= 0
  local arrays = {}
  for i, source in ipairs(list) do
    local pieces = {}
    for k, part in ipairs(parts) do
      pieces[k] = nd.slice_axis(source[2], { axis = self._axis, begin = part[1], stop = part[2] })
    end
    arrays[i] = #pieces == 1 and pieces[1] or nd.concat(pieces, { dim = self._axis })
  end
  return arrays
end

-- The current batch of the data or the labels.
local function batch_of(self, list)
  local from, to = self.cursor, self.cursor + self.batch_size
  if from >= self.num_data or from <= -self.batch_size then
    fail "NDArrayIter: there is no current batch; call iter:reset() and iter:iter_next() first"
  end
  if from >= 0 then
    return rows(self, list, from, self.last_batch_handle == "pad" and to or math.min(to, self.num_data))
  end
  local kept, arrays = self._kept[list], rows(self, list, 0, to)
  self._kept[list] = nil
  for i, x in ipairs(kept or {}) do arrays[i] = nd.concat(x, arrays[i], { dim = self._axis }) end
  return arrays
end

function NDArrayIter:getdata() return batch_of(self, self.data) end
function NDArrayIter:getlabel() return batch_of(self, self.label) end

function NDArrayIter:getpad()
  if self.last_batch_handle == "pad" then return math.max(0, self.cursor + self.batch_size - self.num_data) end
  return self.last_batch_handle == "roll_over" and math.max(0, -self.cursor) or 0
end

function NDArrayIter:next()
  if not self:iter_next() then return nil end
  local data, label = self:getdata(), self:getlabel()
  if data[1].shape[self._axis + 1] ~= self.batch_size then
    if self.last_batch_handle == "roll_over" then self._kept = { [self.data] = data, [self.label] = label } end
    return nil
  end
  return DataBatch { data = data, label = label, pad = self:getpad() }
end

arguments.as_above(NDArrayIter)
arguments.methods(NDArrayIter, "NDArrayIter.", { hard_reset = "" })

return { NDArrayIter = NDArrayIter }
