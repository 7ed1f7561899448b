-- data/dataset.lua - datasets: samples by place, counted from 0.
--
-- dataset:get(i) gives a sample's values (data, label); dataset[i] the same in one value, a
-- table where there are several; #dataset is their number. A dataset of your own:
-- Dataset:subclass "Mine" with get(i) and __len.
--
-- Where all values of a batch can be had at once, dataset:batcher() gives the function for it:
-- places (an int64 array) to a list of arrays. Then no Lua runs for each sample.
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

--- Values as one: a table of several.
function dataset.one_value(...)
  if select("#", ...) == 1 then return (...) end
  return { ... }
end

--- Sample i in one value: a table where it has several.
function Dataset:sample_at(i) return dataset.one_value(self:get(i)) end

function Dataset:__item(i, by_ipairs)
  if by_ipairs then
    fail("%s: ipairs begins at 1 and would leave out the first sample; write for i, sample in pairs(dataset) do",
      class.of(self).__name__)
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
      "ListSampler{...} for places that are given", type(sampler))
  end
  return Subset(self, sampler:totable())
end

--- The index-th of num_shards parts of almost equal size.
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

--- The first `count` samples (all, if nil or too many). Errors: a count that is not an integer of 0 or more.
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

-- The same for every script with this seed, whatever else it draws: Fisher and Yates, by a stream of its own
-- (splitmix64: G. Steele, D. Lea, C. Flood, 2014).
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

-- How many samples each part has: counts, or parts of the whole whose remainder goes to the first ones in turn.
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

-- The list of parts says so where it is taken for one of them. Its items and its length are a table's own.
local Parts = { __name = "list of datasets" }

local function refuse_list(parts)
  fail("random_split gives a list of %d datasets, and this is the list; write local train, valid = " ..
    "table.unpack(dataset:random_split{0.8, 0.2})", #parts)
end

function Parts.__index(parts, key)
  if type(key) == "string" then refuse_list(parts) end
  if key == 0 then fail("random_split: index 0: the list of %d datasets counts from 1", #parts) end
end
Parts.__call = refuse_list

local read_split = arguments.new("random_split", { "dataset", "lengths", "seed" })

--- random_split(dataset, lengths, {seed =}): a list of datasets that share out the samples at random, each
-- sample in one of them: local train, valid = table.unpack(gluon.data.random_split(dataset, {0.8, 0.2})). lengths: how
-- many each has, {50000, 10000}, or fractions, {0.8, 0.2}. The order comes from the library's random stream, or from
-- `seed` alone. Errors: numbers that do not add up to the whole.
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

--- fn(data, label) in place of the samples, called at each access, or with {lazy = false} now.
function Dataset:transform(fn, lazy)
  local made = Transformed(self, fn)
  return lazy ~= false and made or computed(made)
end

--- fn(data) in place of each sample's first value.
function Dataset:transform_first(fn, lazy)
  local made = TransformedFirst(self, fn)
  return lazy ~= false and made or computed(made)
end

-- ---- Datasets of lists and arrays ---------------------------------------------------------------------

-- A list's items are samples; an item that is a plain table holds several values.
local function values_of(item)
  if is_plain(item) then return table.unpack(item) end
  return item
end

arguments.methods(Dataset, "Dataset.", {
  transform = "fn lazy", transform_first = "fn lazy", filter = "fn", sample = "sampler[]", shard = "num_shards index",
  take = "count", sample_at = "i", check_place = "i", batcher = "", dtypes = "",
})

local read_simple = arguments.new("SimpleDataset", "data[]")

--- SimpleDataset(list): a list's items (or an NDArray's rows).
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

--- ArrayDataset(data, label, ...): samples of one value from each NDArray, list or dataset. A
-- 1-d NDArray gives numbers. Errors: different lengths.
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

--- A dataset of anything: itself, or a list's or NDArray's items. who: the caller, in errors.
function dataset.of(x, who)
  if is_dataset(x) then return x end
  if type(x) == "table" and is_dataset(rawget(x, 1)) then
    fail("%s: dataset: expected a Dataset, a list of samples or an NDArray, got a list of %d datasets; for " ..
      "those of random_split write local train, valid = table.unpack(list)", who, #x)
  end
  if is_array(x) then return ArrayDataset(x) end
  if type(x) == "table" then return SimpleDataset(x) end
  fail("%s: dataset: expected a Dataset, a list or an NDArray, got %s", who, type(x))
end

return dataset
