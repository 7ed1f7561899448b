-- data/dataloader.lua - DataLoader: batches of a dataset.
--
--   for data, label in loader do ... end              -- or loader:batches(), a pass as a value
--   for i, batch in pairs(loader) do ... end          -- batch: { data, label }
local core = require "hybridlua.core"
local arguments = require "hybridlua.arguments"
local class = require "hybridlua.class"
local fail = require "hybridlua.fail"
local datasets = require "hybridlua.gluon.data.dataset"
local passes = require "hybridlua.gluon.data.passes"
local warn = require "hybridlua.warn"
local samplers = require "hybridlua.gluon.data.sampler"

local nd = core.nd

-- ---- Samples to batches -------------------------------------------------------------------------------

-- Numbers become an array: of the dtype that the dataset says, else int64 or float64, as NumPy would choose.
local function batch_numbers(numbers, dtype)
  local all_integers = true
  for _, x in ipairs(numbers) do
    if type(x) ~= "number" then fail("batchify: expected samples of one kind, got a number and a %s", type(x)) end
    all_integers = all_integers and math.type(x) == "integer"
  end
  local fits = dtype and (all_integers or dtype:find "^float")
  return nd.array(numbers, { dtype = fits and dtype or all_integers and "int64" or "float64" })
end

local batch_column

-- Samples of several values each: a list of batches.
local function batch_tables(samples, dtypes)
  local batches = {}
  for k = 1, #samples[1] do
    local column = {}
    for i, sample in ipairs(samples) do
      if type(sample) ~= "table" or #sample ~= #samples[1] then
        fail("batchify: expected samples of %d values, got one of %s", #samples[1],
          type(sample) == "table" and #sample or 1)
      end
      column[i] = sample[k]
    end
    batches[k] = batch_column(column, dtypes and dtypes[k])
  end
  return batches
end

local function batch_arrays(samples)
  local shape = samples[1].shape
  for i = 2, #samples do
    local other = core.is_array(samples[i]) and samples[i].shape
    if other and other ~= shape then
      fail("batchify: expected samples of one shape, got %s and %s; a function batchify_fn(samples) can pad them",
        tostring(shape), tostring(other))
    end
  end
  return nd.stack(samples, { axis = 0 })
end

function batch_column(samples, dtype)
  local first = samples[1]
  if core.is_array(first) then return batch_arrays(samples) end
  if type(first) == "number" then return batch_numbers(samples, dtype or nil) end
  if type(first) == "boolean" then return nd.array(samples, { dtype = "bool" }) end
  if type(first) == "table" and #first > 0 then return batch_tables(samples) end
  fail("batchify: expected NDArrays, numbers, booleans or tables of these, got %s", type(first))
end

-- A batch from a list of samples, as the values that a loop gets.
local function default_batchify(samples, dtypes)
  local first = samples[1]
  if core.is_plain(first) then return table.unpack(batch_tables(samples, dtypes)) end
  return batch_column(samples, dtypes and dtypes[1])
end

-- ---- The loader -----------------------------------------------------------------------------------------

local HOST = core.context "cpu"
local DataLoader = class.root("DataLoader", class.new, "loader")
DataLoader.default_batchify_fn = default_batchify

local read = arguments.new("DataLoader", {
  "dataset", "batch_size", "shuffle", "sampler", "last_batch", "batch_sampler", "batchify_fn", "num_workers",
  "pin_memory",
  "pin_device_id", "prefetch", "thread_pool", "timeout", "auto_reload" }, { shuffle = false })

-- Places, or batches of places, may be given as a list too.
local function sampler_of(x)
  return type(x) == "table" and class.of(x) == nil and samplers.ListSampler(x) or x
end

local function make_batch_sampler(options, n)
  if options.batch_sampler then
    if options.batch_size ~= nil or options.shuffle or options.sampler or options.last_batch then
      fail "batch_size, shuffle, sampler and last_batch must not be specified if batch_sampler is specified."
    end
    return sampler_of(options.batch_sampler)
  end
  if options.batch_size == nil then fail "batch_size must be specified unless batch_sampler is specified" end
  local sampler = sampler_of(options.sampler)
  if sampler and options.shuffle then fail "shuffle must not be specified if sampler is specified" end
  sampler = sampler or (options.shuffle and samplers.RandomSampler or samplers.SequentialSampler)(n)
  return samplers.BatchSampler(sampler, options.batch_size, options.last_batch)
end

-- Options that would only change speed: what they are where nothing is asked for.
local WITHOUT_EFFECT = { num_workers = 0, pin_memory = false, pin_device_id = 0, prefetch = 0, thread_pool = false,
                         timeout = 120,
                         auto_reload = false }

-- These are taken with a warning, if they are of the kind that they are to be.
local function check_speed(options)
  for name, usual in pairs(WITHOUT_EFFECT) do
    local value = options[name]
    if value ~= nil and type(value) ~= type(usual) then
      fail("DataLoader: %s: expected a %s, got %s", name, type(usual),
        type(value) == "string" and ("'%s'"):format(value) or tostring(value))
    elseif value ~= nil and type(usual) == "number" and value < 0 then
      fail("DataLoader: %s: expected a number of 0 or more, got %s", name, tostring(value))
    elseif value ~= nil and value ~= usual then
      warn.once("DataLoader: " .. name,
        "DataLoader: %s has no effect yet: batches are made in the thread that asks for them", name)
    end
  end
end

local function check_options(options)
  if options.shuffle ~= nil and type(options.shuffle) ~= "boolean" then
    fail("DataLoader: shuffle: expected true or false, got %s", tostring(options.shuffle))
  end
  local batchify = options.batchify_fn
  if batchify ~= nil and type(batchify) ~= "function" and not (getmetatable(batchify) or {}).__call then
    fail("DataLoader: batchify_fn: expected a function of a list of samples, got %s", type(batchify))
  end
  for _, name in ipairs { "sampler", "batch_sampler" } do
    local given = options[name]
    if given ~= nil and (type(given) ~= "table" or class.of(given) and not given.iter) then
      fail("DataLoader: %s: expected a Sampler or a list, got %s", name,
        class.of(given) and class.of(given).__name__ or type(given))
    end
  end
  check_speed(options)
end

--- DataLoader(dataset, batch_size, {shuffle = false, last_batch = "keep" | "discard" | "rollover", sampler,
-- batch_sampler, batchify_fn}): dataset may be a list or an NDArray too. batchify_fn(samples) gives the
-- batch, one or several values, from a list of samples. num_workers and the options after it in
-- MXNet would only change speed, and are taken with a warning. Errors: as MXNet's for options that exclude each other.
function DataLoader:init(...)
  local options = read(...)
  check_options(options)
  self.dataset = datasets.of(options.dataset)
  self.batch_sampler = make_batch_sampler(options, #self.dataset)
  self.batchify_fn = options.batchify_fn
end

--- Batches in a pass.
function DataLoader:__len() return #self.batch_sampler end

-- ---- Passes -----------------------------------------------------------------------------------------------

-- Whole batches at once, where dataset and samplers can.
local function fast_pass(self, batch)
  local next_places = self.batch_sampler:arrays()
  return function()
    local places = next_places()
    if places then return table.unpack(batch(places)) end
  end
end

local function unpacked(first, ...)
  if select("#", ...) == 0 and core.is_plain(first) then return table.unpack(first) end
  return first, ...
end

local function slow_pass(self)
  local dataset, next_places = self.dataset, self.batch_sampler:iter()
  local dtypes = dataset:dtypes()
  return function()
    local places = next_places()
    if not places then return nil end
    local samples = {}
    for i, place in ipairs(places) do samples[i] = dataset[place] end
    if self.batchify_fn then return unpacked(self.batchify_fn(samples)) end
    return default_batchify(samples, dtypes)
  end
end

-- What a for loop calls; it knows its length, for progress bars. What it makes is in cpu(0), whatever the current
-- context is; a dataset's arrays stay where they are.
local Pass = { __name = "DataLoader pass" }
Pass.__index = Pass
function Pass:__call()
  local _ <close> = core.current_context() ~= HOST and core.mode_enter(nil, nil, nil, HOST) or nil
  return self.next()
end
function Pass:__len() return self.length end

--- for data, label in loader:batches() do: one pass over the dataset.
function DataLoader:batches()
  local length = #self
  local batch = not self.batchify_fn and class.of(self.batch_sampler) == samplers.BatchSampler and
    self.dataset:batcher()
  return setmetatable({ next = batch and fast_pass(self, batch) or slow_pass(self), length = length }, Pass)
end

--- for data, label in loader do: one pass over the dataset.
passes.callable(DataLoader, "for i, batch in pairs(loader) do")
DataLoader._pass = DataLoader.batches

local function numbered(i, first, ...)
  if first == nil then return nil end
  return i, datasets.one_value(first, ...)
end

--- for i, batch in pairs(loader) do: i from 0; a batch of several values is a table, { data, label }.
function DataLoader:__pairs()
  local pass, i = self:batches(), -1
  return function()
    i = i + 1
    return numbered(i, pass())
  end
end

function DataLoader:__item()
  fail("%s: index: batches have no places; write for data, label in loader do (or loader:batches()), or for i, " ..
    "batch in pairs(loader) do",
       class.of(self).__name__)
end

arguments.methods(DataLoader, "DataLoader.", { batches = "" })
return DataLoader
