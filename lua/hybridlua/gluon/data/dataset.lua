-- data/dataset.lua - datasets: samples by place, counted from 0.
--
-- dataset:get(i) gives a sample's values (data, label); dataset[i] the same in one value, a
-- table where there are several; #dataset is their number. A dataset of your own:
-- Dataset:subclass "Mine" with get(i) and __len.
--
-- Where all values of a batch can be had at once, dataset:batcher() gives the function for it:
-- places (an int64 array) to a list of arrays. Then no Lua runs for each sample.
local core = require "hybridlua.core"
local class = require "hybridlua.class"
local fail = require "hybridlua.fail"
local passes = require "hybridlua.gluon.data.passes"
local samplers = require "hybridlua.gluon.data.sampler"

local nd = core.nd
local dataset = {}

-- ---- The base ---------------------------------------------------------------------------------------

local Dataset = class.root("Dataset", class.new)
dataset.Dataset = Dataset

--- The values of sample i; override it.
function Dataset:get() fail("%s: get is not defined; write function %s:get(i) ... end", class.of(self).__name__, class.of(self).__name__) end

function Dataset:__len() fail("%s: __len is not defined", class.of(self).__name__) end

function Dataset:__tostring() return ("%s(%d samples)"):format(class.of(self).__name__, #self) end

--- Values as one: a table of several.
function dataset.one_value(...)
  if select("#", ...) == 1 then return (...) end
  return { ... }
end

--- Sample i in one value: a table where it has several.
function Dataset:sample_at(i) return dataset.one_value(self:get(i)) end

function Dataset:__item(i, by_ipairs)
  if by_ipairs then
    fail("%s: ipairs begins at 1 and would leave out the first sample; write for i, sample in pairs(dataset) do", class.of(self).__name__)
  end
  return self:sample_at(i)
end

--- for data, label in dataset do: the values of one sample after the other.
passes.callable(Dataset, "for i, sample in pairs(dataset) do")

function Dataset:_pass()
  local i, n = -1, #self
  return function()
    i = i + 1
    if i < n then return self:get(i) end
  end
end

--- for i, sample in pairs(dataset) do
function Dataset:__pairs()
  local n = #self
  return function(_, i)
    i = i + 1
    if i < n then return i, self[i] end
  end, self, -1
end

--- A function from places (int64 array) to a list of arrays, or nil if there is none.
function Dataset:batcher() return nil end

--- The dtypes of the values, as far as they are known: { "float32", "int32" } or nil.
function Dataset:dtypes() return nil end

--- The place i, counted from the end if negative, in range. Errors: out of range.
function Dataset:check_place(i)
  local n = #self
  if math.type(i) ~= "integer" then fail("%s: expected an integer as index, got %s", class.of(self).__name__, tostring(i)) end
  if i < -n or i >= n then fail("index %d is out of bounds for axis 0 with size %d", i, n) end
  return i < 0 and i + n or i
end

-- ---- Parts of a dataset -----------------------------------------------------------------------------

local Subset = Dataset:subclass "Subset"

function Subset:init(base, places) self.base, self.places = base, places end        -- places: a list
function Subset:__len() return #self.places end
function Subset:get(i) return self.base:get(self.places[self:check_place(i) + 1]) end
function Subset:dtypes() return self.base:dtypes() end

function Subset:batcher()
  local batch = self.base:batcher()
  if not batch or #self.places == 0 then return nil end
  local places = nd.array(self.places, { dtype = "int64" })
  return function(indices) return batch(nd.take(places, indices, { axis = 0 })) end
end

local function range(from, to)
  local places = {}
  for i = from, to - 1 do places[#places + 1] = i end
  return places
end

--- The samples for which fn(sample) is true.
function Dataset:filter(fn) return self:sample(samplers.FilterSampler(fn, self)) end

--- The samples in a sampler's order.
function Dataset:sample(sampler)
  if not class.is_a(sampler, samplers.Sampler) then
    fail("Invalid sampler type: %s; expected a Sampler, such as ListSampler{0, 2, 4}", type(sampler))
  end
  return Subset(self, sampler:totable())
end

--- The index-th of num_shards parts of almost equal size.
function Dataset:shard(num_shards, index)
  if not (index >= 0 and index < num_shards) then fail("Shard index of out bound: %d out of %d", index, num_shards) end
  local size, rest = #self // num_shards, #self % num_shards
  local from = size * index + math.min(index, rest)
  return Subset(self, range(from, from + size + (index < rest and 1 or 0)))
end

--- The first `count` samples (all, if nil or too many).
function Dataset:take(count)
  return Subset(self, range(0, math.min(count or #self, #self)))
end

-- ---- Transforms -------------------------------------------------------------------------------------

local Transformed = Dataset:subclass "Transformed"

function Transformed:init(base, fn) self.base, self.fn = base, fn end
function Transformed:__len() return #self.base end
function Transformed:get(i) return self.fn(self.base:get(i)) end
function Transformed:dtypes() return self.base:dtypes() end

local TransformedFirst = Transformed:subclass "TransformedFirst"

local function apply_first(fn, first, ...) return fn(first), ... end
function TransformedFirst:get(i) return apply_first(self.fn, self.base:get(i)) end

-- Transforms that treat every element alike take a whole batch as well as one sample.
function TransformedFirst:batcher()
  local fn, batch = self.fn, self.base:batcher()
  if not batch or type(fn) ~= "table" or not fn.takes_batches then return nil end
  return function(indices)
    local columns = batch(indices)
    columns[1] = fn(columns[1])
    return columns
  end
end

local function computed(self)
  local samples = {}
  for i = 0, #self - 1 do samples[i + 1] = self[i] end
  return dataset.SimpleDataset(samples)
end

local function is_lazy(lazy)
  if type(lazy) == "table" then lazy = lazy.lazy end
  return lazy ~= false
end

--- fn(data, label) in place of the samples, called at each access, or with {lazy = false} now.
function Dataset:transform(fn, lazy)
  local made = Transformed(self, fn)
  return is_lazy(lazy) and made or computed(made)
end

--- fn(data) in place of each sample's first value.
function Dataset:transform_first(fn, lazy)
  local made = TransformedFirst(self, fn)
  return is_lazy(lazy) and made or computed(made)
end

-- ---- Datasets of lists and arrays ---------------------------------------------------------------------

-- A list's items are samples; an item that is a plain table holds several values.
local function values_of(item)
  if type(item) == "table" and getmetatable(item) == nil then return table.unpack(item) end
  return item
end

--- SimpleDataset(list): a list's items (or an NDArray's rows).
local SimpleDataset = Dataset:subclass "SimpleDataset"
dataset.SimpleDataset = SimpleDataset

function SimpleDataset:init(data) self.data = data end
function SimpleDataset:__len() return #self.data end
function SimpleDataset:get(i)
  i = self:check_place(i)
  if core.is_array(self.data) then return self.data[i] end
  return values_of(self.data[i + 1])
end

local function is_dataset(x) return class.is_a(x, Dataset) end

--- ArrayDataset(data, label, ...): samples of one value from each NDArray, list or dataset. A
-- 1-d NDArray gives numbers. Errors: different lengths.
local ArrayDataset = Dataset:subclass "ArrayDataset"
dataset.ArrayDataset = ArrayDataset

function ArrayDataset:init(...)
  local columns = { ... }
  if #columns == 0 then fail "Needs at least 1 arrays" end
  for i, column in ipairs(columns) do
    if not core.is_array(column) and type(column) ~= "table" then
      fail("ArrayDataset: expected NDArrays, lists or datasets, got %s", type(column))
    end
    if #column ~= #columns[1] then
      fail("All arrays must have the same length; array[0] has length %d while array[%d] has %d.", #columns[1], i, #column)
    end
  end
  self.columns = columns
end

function ArrayDataset:__len() return #self.columns[1] end

local function value_at(column, i)
  if core.is_array(column) then return column.ndim == 1 and column[i]:asscalar() or column[i] end
  if is_dataset(column) then return column[i] end
  return column[i + 1]
end

function ArrayDataset:get(i)
  i = self:check_place(i)
  local columns = self.columns
  if #columns == 1 then return value_at(columns[1], i) end
  if #columns == 2 then return value_at(columns[1], i), value_at(columns[2], i) end
  local values = {}
  for k, column in ipairs(columns) do values[k] = value_at(column, i) end
  return table.unpack(values)
end

function ArrayDataset:dtypes()
  local dtypes = {}
  for k, column in ipairs(self.columns) do dtypes[k] = core.is_array(column) and column.dtype or false end
  return dtypes
end

function ArrayDataset:batcher()
  local columns = self.columns
  for _, column in ipairs(columns) do if not core.is_array(column) then return nil end end
  return function(indices)
    local batch = {}
    for k, column in ipairs(columns) do batch[k] = nd.take(column, indices, { axis = 0 }) end
    return batch
  end
end

--- A dataset of anything: itself, or a list's or NDArray's items.
function dataset.of(x)
  if is_dataset(x) then return x end
  if core.is_array(x) then return ArrayDataset(x) end
  if type(x) == "table" then return SimpleDataset(x) end
  fail("DataLoader: dataset: expected a Dataset, a list or an NDArray, got %s", type(x))
end

return dataset
