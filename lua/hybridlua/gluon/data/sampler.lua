-- data/sampler.lua - samplers: the order of samples in a pass.
--
-- A sampler's order() returns an int64 array of the indices, from 0, for one pass. A custom sampler is Sampler:subclass
-- "Mine" with iter(), which returns an iterator over indices, and __len.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local passes = require "hybridlua.gluon.data.for_loops"
local is_plain = core.script.is_plain

local nd = core.op.nd
local sampler = {}

-- ---- Samples one by one -----------------------------------------------------------------------------

local Sampler = class.root("Sampler", class.new)
sampler.Sampler = Sampler

local function list_of(next_place)
  local list = {}
  for place in next_place do list[#list + 1] = place end
  return list
end

local function int64(list)
  return #list > 0 and nd.array(list, { dtype = "int64" }) or nd.zeros({ 0 }, { dtype = "int64" })
end

--- The indices of one pass as an int64 array.
function Sampler:order() return int64(list_of(self:iter())) end

--- for place in sampler:iter() do: one pass.
function Sampler:iter()
  local order, i = self:order():totable(), 0
  return function()
    i = i + 1
    return order[i]
  end
end

--- for indices in batch_sampler do: one pass of a sampler that returns tables; call iter() if it returns single
-- indices.
passes.callable(Sampler, "for place in sampler:iter() do")
function Sampler:_pass() return self:iter() end

--- for i, place in pairs(sampler) do: i counts from 0.
function Sampler:__pairs()
  local next_place, i = self:iter(), -1
  return function()
    local place = next_place()
    if place == nil then return nil end
    i = i + 1
    return i, place
  end
end

function Sampler:__item()
  fail("%s: index: indices come in order only; write for place in sampler:iter() do, or sampler:totable()[i]",
    class.of(self).__name__)
end

--- The indices of one pass as a list.
function Sampler:totable() return list_of(self:iter()) end

function Sampler:__len() fail("%s: __len is not defined", class.of(self).__name__) end

local function check_length(what, n)
  if math.type(n) ~= "integer" or n < 0 then
    fail("%s: length: expected an integer of 0 or more, got %s", what, tostring(n))
  end
  return n
end

local function counting(start, n) return nd.arange(start, start + n, { dtype = "int64" }) end

local read_sequential = arguments.new("SequentialSampler", "length start", { start = 0 })

--- SequentialSampler(length, start = 0): start, start + 1, ...
local Sequential = Sampler:subclass "SequentialSampler"
sampler.SequentialSampler = Sequential

function Sequential:init(...)
  local options = read_sequential(...)
  self.length, self.start = check_length("SequentialSampler", options.length), options.start
  if math.type(self.start) ~= "integer" then
    fail("SequentialSampler: start: expected an integer, got %s", tostring(self.start))
  end
end
function Sequential:order() return counting(self.start, self.length) end
function Sequential:__len() return self.length end

local read_random = arguments.new("RandomSampler", "length")

--- RandomSampler(length): every index once, in a new random order for each pass, from the library's random stream:
-- hl.random.seed repeats it.
local Random = Sampler:subclass "RandomSampler"
sampler.RandomSampler = Random

function Random:init(...) self.length = check_length("RandomSampler", read_random(...).length) end
function Random:order() return nd.random.shuffle(counting(0, self.length)) end
function Random:__len() return self.length end

local read_filter = arguments.new("FilterSampler", "fn dataset")

--- FilterSampler(fn, dataset): the indices of the samples for which fn(sample) is true.
local Filter = Sampler:subclass "FilterSampler"
sampler.FilterSampler = Filter

function Filter:init(...)
  local options = read_filter(...)
  local fn = checks.callable("FilterSampler: fn", options.fn, "a sample")
  local dataset = options.dataset
  if type(dataset) ~= "table" or is_plain(dataset) then           -- any other table is a dataset
    dataset = require("hybridlua.gluon.data.dataset").of(dataset, "FilterSampler")
  end
  self.places = {}
  for i = 0, #dataset - 1 do
    if fn(dataset[i]) then self.places[#self.places + 1] = i end
  end
end
function Filter:order() return int64(self.places) end
function Filter:__len() return #self.places end

local read_list = arguments.new("ListSampler", "places[]")

--- ListSampler(list): the given indices, or batches of indices.
local List = Sampler:subclass "ListSampler"
sampler.ListSampler = List

function List:init(...)
  self.places = read_list(...).places
  if type(self.places) ~= "table" then fail("ListSampler: places: expected a list, got %s", type(self.places)) end
end
function List:order() return int64(self.places) end
function List:iter()
  local i = 0
  return function()
    i = i + 1
    return self.places[i]
  end
end
function List:__len() return #self.places end

-- ---- Batches ----------------------------------------------------------------------------------------

local LAST = { keep = true, discard = true, rollover = true }

local read_batch = arguments.new("BatchSampler", "sampler batch_size last_batch", { last_batch = "keep" })

--- BatchSampler(sampler, batch_size, last_batch = "keep"): batches of indices. The remainder of a pass makes a smaller
-- batch ("keep"), is dropped ("discard"), or is put at the start of the next pass ("rollover").
local Batch = Sampler:subclass "BatchSampler"
sampler.BatchSampler = Batch

function Batch:init(...)
  local options = read_batch(...)
  local places, batch_size, last_batch = options.sampler, options.batch_size, options.last_batch
  checks.instance("BatchSampler: sampler", places, Sampler, "a Sampler")
  if not LAST[last_batch] then
    fail("last_batch must be one of 'keep', 'discard', or 'rollover', but got %s", tostring(last_batch))
  end
  if math.type(batch_size) ~= "integer" or batch_size < 1 then
    fail("BatchSampler: batch_size: expected an integer of 1 or more, got %s", tostring(batch_size))
  end
  self.sampler, self.batch_size, self.last_batch = places, batch_size, last_batch
  self.left_over = nil       -- the previous pass's remainder, with rollover
end

--- for places in batch_sampler:arrays() do: each batch of indices as an int64 array.
function Batch:arrays()
  local order, size, at = self.sampler:order(), self.batch_size, 0
  if self.left_over then
    order = nd.concat(self.left_over, order, { dim = 0 })
    self.left_over = nil
  end
  local n = #order
  return function()
    if at >= n then return nil end
    local from, to = at, math.min(at + size, n)
    at = to
    local batch = order[("%d:%d"):format(from, to)]
    if to - from == size or self.last_batch == "keep" then return batch end
    if self.last_batch == "rollover" then self.left_over = batch end
    return nil
  end
end

--- for places in batch_sampler:iter() do: each batch of indices as a list.
function Batch:iter()
  local next_array = self:arrays()
  return function()
    local places = next_array()
    return places and places:totable()
  end
end

--- The number of batches in a pass.
function Batch:__len()
  local n, size = #self.sampler, self.batch_size
  if self.last_batch == "keep" then return (n + size - 1) // size end
  if self.last_batch == "discard" then return n // size end
  return (n + (self.left_over and #self.left_over or 0)) // size
end

arguments.methods(Sampler, "Sampler.", { order = "", iter = "", totable = "" })
arguments.methods(Batch, "BatchSampler.", { arrays = "" })
for _, cls in pairs(sampler) do arguments.as_above(cls) end

return sampler
