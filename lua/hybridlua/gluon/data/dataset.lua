-- data/dataset.lua - datasets: samples by index, counted from 0.
--
-- dataset:get(i) returns a sample's values (data, label); dataset[i] returns them as one value, a table if there are
-- several; #dataset is the number of samples. A custom dataset is Dataset:subclass "Mine" with get(i) and __len.
--
-- dataset:batcher() returns a function that gathers a whole batch at once, from an int64 array of indices to a list of
-- arrays, so that no Lua runs for each sample; nil if the dataset cannot.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local passes = require "hybridlua.gluon.data.for_loops"
local samplers = require "hybridlua.gluon.data.sampler"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local dataset = {}

-- ---- The base ---------------------------------------------------------------------------------------

local Dataset = class.root("Dataset", class.new)
dataset.Dataset = Dataset

--- The values of sample i; override it.
function Dataset:get()
  fail("%s: get is not defined; write function %s:get(i) ... end", class.of(self).__name__, class.of(self).__name__)
end

function Dataset:__len() fail("%s: __len is not defined", class.of(self).__name__) end

function Dataset:__tostring() return ("%s(%d samples)"):format(class.of(self).__name__, #self) end

--- One value as it is; several as a table.
function dataset.one_value(...)
  if select("#", ...) == 1 then return (...) end
  return { ... }
end

--- Sample i as one value: a table if it has several.
function Dataset:sample_at(i) return dataset.one_value(self:get(i)) end

function Dataset:__item(i, by_ipairs)
  if by_ipairs then
    fail("%s: ipairs begins at 1 and would skip the first sample; write for i, sample in pairs(dataset) do",
      class.of(self).__name__)
  end
  return self:sample_at(i)
end

--- for data, label in dataset do: the values of each sample in turn.
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

--- A function from indices (an int64 array) to a list of arrays, or nil.
function Dataset:batcher() return nil end

--- The dtypes of the values, such as { "float32", "int32" }, or nil if unknown.
function Dataset:dtypes() return nil end

--- The index i as one from 0; a negative one counts from the end. Errors: out of range.
function Dataset:check_place(i)
  local n = #self
  if math.type(i) ~= "integer" then
    fail("%s: expected an integer as index, got %s", class.of(self).__name__, tostring(i))
  end
  if i < -n or i >= n then
    fail("index %d is out of bounds for axis 0 with size %d%s", i, n,
      i == n and n > 0 and ("; samples count from 0, so the last one is %d"):format(n - 1) or "")
  end
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
    fail("Invalid sampler type: %s. Expected a gluon.data.Sampler, such as SequentialSampler(length, start), or " ..
      "ListSampler{...} for given indices", type(sampler))
  end
  return Subset(self, sampler:totable())
end

--- Part number `index` of num_shards parts of almost equal size.
function Dataset:shard(num_shards, index)
  if math.type(num_shards) ~= "integer" or math.type(index) ~= "integer" then
    fail("Dataset.shard: expected integers as num_shards and index, got %s and %s", tostring(num_shards),
      tostring(index))
  end
  if not (index >= 0 and index < num_shards) then fail("Shard index of out bound: %d out of %d", index, num_shards) end
  local size, rest = #self // num_shards, #self % num_shards
  local from = size * index + math.min(index, rest)
  return Subset(self, range(from, from + size + (index < rest and 1 or 0)))
end

--- The first `count` samples (all if nil or too many). Errors: a count that is not an integer of 0 or more.
function Dataset:take(count)
  if count ~= nil and (math.type(count) ~= "integer" or count < 0) then
    fail("Dataset.take: count: expected an integer of 0 or more, or nil, got %s", tostring(count))
  end
  return Subset(self, range(0, math.min(count or #self, #self)))
end

local function shuffled(n)
  if n == 0 then return {} end
  return nd.random.shuffle(nd.arange(n, { dtype = "int64" })):totable()
end

-- A Fisher-Yates shuffle that depends on the seed alone, with its own random stream (splitmix64: G. Steele, D. Lea, C.
-- Flood, 2014).
local function shuffled_by(n, seed)
  if math.type(seed) ~= "integer" then fail("random_split: seed: expected an integer, got %s", tostring(seed)) end
  local places, state = range(0, n), seed
  for i = n, 2, -1 do
    state = state + 0x9e3779b97f4a7c15
    local z = (state ~ state >> 30) * 0xbf58476d1ce4e5b9
    z = (z ~ z >> 27) * 0x94d049bb133111eb
    local at = ((z ~ z >> 31) >> 1) % i + 1
    places[i], places[at] = places[at], places[i]
  end
  return places
end

-- The number of samples in each part, from counts, or from fractions, whose rounding remainder goes to the first parts.
local function counts_of(lengths, n)
  if type(lengths) ~= "table" or #lengths == 0 then
    fail("random_split: lengths: expected a list of numbers, got %s", type(lengths))
  end
  local total, fractions, counts = 0, false, {}
  for i, length in ipairs(lengths) do
    checks.number(("random_split: lengths[%d]"):format(i), length, 0)
    total = total + length
    fractions = fractions or math.type(length) == "float"
    counts[i] = length
  end
  if not fractions then
    if total ~= n then
      fail("random_split: lengths: expected numbers whose sum is %d, the dataset's length, got %s", n, tostring(total))
    end
    return counts
  end
  if math.abs(total - 1) > 1e-6 then
    fail("random_split: lengths: expected fractions whose sum is 1, got %s", tostring(total))
  end
  local left = n
  for i, length in ipairs(counts) do
    counts[i] = math.floor(length * n + 1e-9)
    left = left - counts[i]
  end
  for i = 1, left do counts[(i - 1) % #counts + 1] = counts[(i - 1) % #counts + 1] + 1 end
  return counts
end

-- The result of random_split: a list that raises if it is used as one of its datasets.
local Parts = { __name = "list of datasets" }

local function refuse_list(parts)
  fail("random_split returns a list of %d datasets, and this is the list; write local train, valid = " ..
    "table.unpack(dataset:random_split{0.8, 0.2})", #parts)
end

function Parts.__index(parts, key)
  if type(key) == "string" then refuse_list(parts) end
  if key == 0 then fail("random_split: index 0: the list of %d datasets counts from 1", #parts) end
end
Parts.__call = refuse_list

local read_split = arguments.new("random_split", { "dataset", "lengths", "seed" })

--- random_split(dataset, lengths, {seed =}): splits the samples at random into a list of datasets: local train, valid =
-- table.unpack(gluon.data.random_split(dataset, {0.8, 0.2})). lengths: the number of samples of each, {50000, 10000},
-- or fractions, {0.8, 0.2}. The order depends on the library's random stream, or on `seed` alone. Errors: numbers that
-- do not add up to the whole.
function dataset.random_split(...)
  local a = read_split(...)
  checks.instance("random_split: dataset", a.dataset, Dataset, "a Dataset")
  local n = #a.dataset
  local counts = counts_of(a.lengths, n)
  local places = (a.seed and shuffled_by or shuffled)(n, a.seed)
  local parts, from = {}, 0
  for i, count in ipairs(counts) do
    parts[i] = Subset(a.dataset, table.move(places, from + 1, from + count, 1, {}))
    from = from + count
  end
  return setmetatable(parts, Parts)
end

--- random_split as a method: local train, valid = table.unpack(dataset:random_split{0.8, 0.2}).
function Dataset:random_split(...) return dataset.random_split(self, ...) end

-- ---- Transforms -------------------------------------------------------------------------------------

local Transformed = Dataset:subclass "Transformed"

function Transformed:init(base, fn)
  self.base, self.fn = base, checks.callable(self._what, fn, "a sample's " .. self._takes)
end
Transformed._what, Transformed._takes = "Dataset.transform: fn", "values"
function Transformed:__len() return #self.base end
function Transformed:get(i) return self.fn(self.base:get(i)) end
function Transformed:dtypes() return self.base:dtypes() end

local TransformedFirst = Transformed:subclass "TransformedFirst"
TransformedFirst._what, TransformedFirst._takes = "Dataset.transform_first: fn", "first value"

local function apply_first(fn, first, ...) return fn(first), ... end
function TransformedFirst:get(i) return apply_first(self.fn, self.base:get(i)) end

-- Transforms with takes_batches act on every element alike, so they can be applied to a whole batch.
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

--- A dataset with fn(data, label) in place of each sample, called at each access, or now with {lazy = false}.
function Dataset:transform(fn, lazy)
  local made = Transformed(self, fn)
  return lazy ~= false and made or computed(made)
end

--- The same with fn(data) in place of each sample's first value.
function Dataset:transform_first(fn, lazy)
  local made = TransformedFirst(self, fn)
  return lazy ~= false and made or computed(made)
end

-- ---- Datasets of lists and arrays ---------------------------------------------------------------------

-- A list's items are samples; a plain table among them holds several values.
local function values_of(item)
  if is_plain(item) then return table.unpack(item) end
  return item
end

arguments.methods(Dataset, "Dataset.", {
  transform = "fn lazy", transform_first = "fn lazy", filter = "fn", sample = "sampler[]", shard = "num_shards index",
  take = "count", sample_at = "i", check_place = "i", batcher = "", dtypes = "",
})

local read_simple = arguments.new("SimpleDataset", "data[]")

--- SimpleDataset(list): the items of a list (or the rows of an NDArray).
local SimpleDataset = Dataset:subclass "SimpleDataset"
dataset.SimpleDataset = SimpleDataset

function SimpleDataset:init(...)
  self.data = read_simple(...).data
  if type(self.data) ~= "table" and not is_array(self.data) then
    fail("SimpleDataset: data: expected a list or an NDArray, got %s", type(self.data))
  end
end
function SimpleDataset:__len() return #self.data end
function SimpleDataset:get(i)
  i = self:check_place(i)
  if is_array(self.data) then return self.data[i] end
  return values_of(self.data[i + 1])
end

local function is_dataset(x) return class.is_a(x, Dataset) end

local no_options = arguments.new("ArrayDataset", {})

--- ArrayDataset(data, label, ...): samples with one value from each NDArray, list or dataset. A 1-d NDArray provides
-- numbers. Errors: different lengths.
local ArrayDataset = Dataset:subclass "ArrayDataset"
dataset.ArrayDataset = ArrayDataset

function ArrayDataset:init(...)
  local columns = { ... }
  if select("#", ...) == 0 then fail "Needs at least 1 arrays" end
  for i = 1, select("#", ...) do
    local column = columns[i]
    if type(column) == "table" and getmetatable(column) == nil then
      for key in pairs(column) do if type(key) == "string" then no_options { [key] = true } end end
    end
    if not is_array(column) and type(column) ~= "table" then
      fail("ArrayDataset: argument %d: expected an NDArray, a list or a dataset, got %s", i, type(column))
    end
    if #column ~= #columns[1] then
      fail("All arrays must have the same length; argument 1 has length %d while argument %d has %d.", #columns[1], i,
        #column)
    end
  end
  self.columns = columns
end

function ArrayDataset:__len() return #self.columns[1] end

local function value_at(column, i)
  if is_array(column) then return column.ndim == 1 and column[i]:asscalar() or column[i] end
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
  for k, column in ipairs(self.columns) do dtypes[k] = is_array(column) and column.dtype or false end
  return dtypes
end

function ArrayDataset:batcher()
  local columns = self.columns
  for _, column in ipairs(columns) do if not is_array(column) then return nil end end
  return function(indices)
    local batch = {}
    for k, column in ipairs(columns) do
      batch[k] = nd.take(column, indices:as_in_context(column.context), { axis = 0 })
    end
    return batch
  end
end

for _, cls in ipairs { Subset, Transformed, TransformedFirst, SimpleDataset, ArrayDataset } do
  arguments.as_above(cls)
end

--- Converts a list or an NDArray to a dataset; returns a dataset as it is. caller: its name in errors.
function dataset.of(x, caller)
  if is_dataset(x) then return x end
  if type(x) == "table" and is_dataset(rawget(x, 1)) then
    fail("%s: dataset: expected a Dataset, a list of samples or an NDArray, got a list of %d datasets; for " ..
      "those of random_split write local train, valid = table.unpack(list)", caller, #x)
  end
  if is_array(x) then return ArrayDataset(x) end
  if type(x) == "table" then return SimpleDataset(x) end
  fail("%s: dataset: expected a Dataset, a list or an NDArray, got %s", caller, type(x))
end

return dataset
