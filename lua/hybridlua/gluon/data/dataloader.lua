-- data/dataloader.lua - DataLoader: batches of a dataset.
--
--   for data, label in loader do ... end              -- or loader:batches(), one pass as a value
--   for i, batch in pairs(loader) do ... end          -- batch: { data, label }
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local datasets = require "hybridlua.gluon.data.dataset"
local of_mode = require "hybridlua.np_mode"
local passes = require "hybridlua.gluon.data.for_loops"
local samplers = require "hybridlua.gluon.data.sampler"
local warn = require "hybridlua.language.warn"
local workers = require "hybridlua.gluon.data.workers"
local is_array, is_plain, enter_mode = core.array.is, core.script.is_plain, core.autograd.enter_mode
local current_context, random_state, derive_key = core.context.current, core.random.state, core.random.derive_key

local nd = core.op.nd

-- ---- Samples to batches -------------------------------------------------------------------------------

-- Numbers become an array, in the dataset's dtype if it has one that fits, else int64 or float64, as in NumPy.
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

-- A list of batches, from samples of several values each.
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
    local other = is_array(samples[i]) and samples[i].shape
    if other and other ~= shape then
      fail("batchify: expected samples of one shape, got %s and %s; a function batchify_fn(samples) can pad them",
        tostring(shape), tostring(other))
    end
  end
  return nd.stack(samples, { axis = 0 })
end

function batch_column(samples, dtype)
  local first = samples[1]
  if is_array(first) then return batch_arrays(samples) end
  if type(first) == "number" then return batch_numbers(samples, dtype or nil) end
  if type(first) == "boolean" then return nd.array(samples, { dtype = "bool" }) end
  if type(first) == "table" and #first > 0 then return batch_tables(samples) end
  fail("batchify: expected NDArrays, numbers, booleans or tables of these, got %s", type(first))
end

-- A batch from a list of samples, as the values of a loop.
local function default_batchify(samples, dtypes)
  local first = samples[1]
  if is_plain(first) then return table.unpack(batch_tables(samples, dtypes)) end
  return batch_column(samples, dtypes and dtypes[1])
end

-- ---- The loader -----------------------------------------------------------------------------------------

local HOST = core.context.new "cpu"
local DataLoader = class.root("DataLoader", class.new, "loader")
DataLoader.default_batchify_fn = default_batchify

-- MXNet's private function: arrays, in nested tables too, in another context.
function DataLoader._as_in_context(data, ctx)
  if is_array(data) then return data:as_in_context(ctx) end
  if not is_plain(data) then return data end
  local moved = {}
  for i, x in ipairs(data) do moved[i] = DataLoader._as_in_context(x, ctx) end
  return moved
end

local read = arguments.new("DataLoader", "dataset batch_size shuffle sampler last_batch batch_sampler batchify_fn " ..
  "num_workers pin_memory pin_device_id prefetch thread_pool timeout auto_reload", { shuffle = false })

-- Indices, or batches of indices, may also be given as a list.
local function sampler_of(x) return type(x) == "table" and class.of(x) == nil and samplers.ListSampler(x) or x end

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

local function check_kind(options, name, kind)
  local value = options[name]
  if value ~= nil and type(value) ~= kind then
    fail("DataLoader: %s: expected a %s, got %s", name, kind,
      type(value) == "string" and ("'%s'"):format(value) or tostring(value))
  end
  return value
end

-- Checks the options for workers, and those of MXNet that would change the speed only.
local function check_ahead(options)
  for _, name in ipairs { "num_workers", "prefetch", "pin_device_id" } do
    local n = check_kind(options, name, "number")
    if n and (not math.tointeger(n) or n < 0) then
      fail("DataLoader: %s: expected a number of 0 or more, got %s", name, tostring(n))
    end
  end
  local seconds = check_kind(options, "timeout", "number")
  if seconds and (seconds <= 0 or seconds ~= seconds) then
    fail("DataLoader: timeout: expected a number above 0, got %s", tostring(seconds))
  end
  for _, name in ipairs { "pin_memory", "thread_pool", "auto_reload" } do check_kind(options, name, "boolean") end
end

local function warn_of_idle(options)
  local function idle(name, why) warn.once("DataLoader: " .. name, "DataLoader: %s has no effect: %s", name, why) end
  if (options.pin_device_id or 0) ~= 0 and not options.pin_memory then
    idle("pin_device_id", "pin_memory is not set")
  end
  if options.auto_reload then idle("auto_reload", "a pass begins on request") end
  if options.thread_pool then
    idle("thread_pool", "workers are processes: Lua's functions cannot run in several threads")
  end
  if (options.num_workers or 0) > 0 then return end
  if (options.prefetch or 0) > 0 then idle("prefetch", "it applies to workers only; set num_workers") end
  if (options.timeout or 120) ~= 120 then idle("timeout", "it applies to workers only; set num_workers") end
end

local function check_options(options)
  if options.shuffle ~= nil then checks.boolean("DataLoader: shuffle", options.shuffle) end
  if options.batchify_fn ~= nil then
    checks.callable("DataLoader: batchify_fn", options.batchify_fn, "a list of samples")
  end
  for _, name in ipairs { "sampler", "batch_sampler" } do
    local given = options[name]
    if given ~= nil and (type(given) ~= "table" or class.of(given) and not given.iter) then
      fail("DataLoader: %s: expected a Sampler or a list, got %s", name,
        class.of(given) and class.of(given).__name__ or type(given))
    end
  end
  check_ahead(options)
  warn_of_idle(options)
end

--- DataLoader(dataset, batch_size, {shuffle = false, last_batch = "keep" | "discard" | "rollover", sampler,
-- batch_sampler, batchify_fn, num_workers = 0, prefetch = 2 * num_workers, timeout = 120}): dataset may also be a list
-- or an NDArray. batchify_fn(samples) returns a batch, one or several values, from a list of samples. num_workers: this
-- many processes, forked when a pass begins, make `prefetch` batches ahead. Batches, their order and their random
-- numbers do not depend on num_workers: each batch draws from its own stream. With workers, a batch may hold NDArrays,
-- numbers, strings, booleans and tables of these. timeout: seconds to wait for a batch. pin_memory: batches are in
-- cpu_pinned(pin_device_id), as in MXNet; use x:as_in_context(ctx) to compute with them. thread_pool and auto_reload
-- are accepted with a warning. Errors: MXNet's for options that exclude each other; those of a dataset or a transform,
-- with their line, in the loop; a worker that is killed or times out.
function DataLoader:init(...)
  local options = read(...)
  check_options(options)
  self.dataset = datasets.of(options.dataset, "DataLoader")
  self.batch_sampler = make_batch_sampler(options, #self.dataset)
  self.batchify_fn = options.batchify_fn
  self.num_workers = math.tointeger(options.num_workers or 0)
  self.prefetch = math.tointeger(options.prefetch or 2 * self.num_workers)
  self.timeout = options.timeout or 120
  self.pinned = options.pin_memory and core.context.new("cpu_pinned", math.tointeger(options.pin_device_id or 0)) or nil
  self.under_way = setmetatable({}, { __mode = "k" })          -- unfinished passes with workers
end

-- "DataLoader(60000 samples, batch_size 64, shuffle, 938 batches)". A custom sampler may have no length.
function DataLoader:__tostring()
  local sampler, parts = self.batch_sampler, { ("%d samples"):format(#self.dataset) }
  local function also(format, ...) parts[#parts + 1] = format:format(...) end
  if class.of(sampler) == samplers.BatchSampler then
    also("batch_size %d", sampler.batch_size)
    local order = class.of(sampler.sampler)
    if order == samplers.RandomSampler then also "shuffle"
    elseif order ~= samplers.SequentialSampler then also("sampler %s", order.__name__) end
    if sampler.last_batch ~= "keep" then also("last_batch %s", sampler.last_batch) end
  else
    also("batch_sampler %s", class.of(sampler).__name__)
  end
  if self.num_workers > 0 then also("num_workers %d", self.num_workers) end
  local known, batches = pcall(function() return #self end)
  if known then also("%d batches", batches) end
  return ("%s(%s)"):format(class.of(self).__name__, table.concat(parts, ", "))
end

--- The number of batches in a pass.
function DataLoader:__len() return #self.batch_sampler end

-- ---- Passes -----------------------------------------------------------------------------------------------

-- While open, random numbers come from the stream {key, next}; closing it saves the stream's position there and
-- restores the former stream.
local Apart = {}

local function apart(stream)
  local key, next = random_state(stream[1], stream[2])
  return setmetatable({ stream = stream, key = key, next = next }, Apart)
end

function Apart:__close() self.stream[1], self.stream[2] = random_state(self.key, self.next) end

-- The functions that return a batch's indices and make the batch, for datasets and samplers that can make it at once.
local function fast_making(self, batch)
  return self.batch_sampler:arrays(), function(_, places)
    return table.unpack(batch(places))
  end
end

local function unpacked(first, ...)
  if select("#", ...) == 0 and is_plain(first) then return table.unpack(first) end
  return first, ...
end

local function batch_of(self, places, dtypes)
  local dataset, samples = self.dataset, {}
  for i, place in ipairs(places) do samples[i] = dataset[place] end
  if self.batchify_fn then return unpacked(self.batchify_fn(samples)) end
  return default_batchify(samples, dtypes)
end

-- The same, sample by sample. The random numbers of a batch depend only on the pass and the batch's number, those of a
-- custom batch sampler only on the pass, so they are the same in any process, however early.
local function slow_making(self)
  local sampler = self.batch_sampler
  local next_places, dtypes = sampler:iter(), self.dataset:dtypes()
  local key = core.random.draw_key()
  local places_of = next_places
  if class.of(sampler) ~= samplers.BatchSampler then
    local stream = { derive_key(key, "places"), 0 }
    function places_of()
      local _ <close> = apart(stream)
      return (next_places())
    end
  end
  return places_of, function(i, places)
    local _ <close> = apart { derive_key(key, ("batch %d"):format(i)), 0 }
    return batch_of(self, places, dtypes)
  end
end

-- The batches in order, each made on request.
local function made_here(next_places, make)
  local i = -1
  return function()
    local places = next_places()
    if places == nil then return nil end
    i = i + 1
    return make(i, places)
  end
end

-- The values of a batch, with all its arrays in a context.
local function moved_to(ctx, ...)
  local n, values = select("#", ...), { ... }
  for i = 1, n do
    local x = values[i]
    if is_array(x) then
      values[i] = x:as_in_context(ctx)
    elseif is_plain(x) then
      values[i] = {}
      for key, item in pairs(x) do values[i][key] = (moved_to(ctx, item)) end
    end
  end
  return table.unpack(values, 1, n)
end

-- The values of a batch, of np's kind under npx.set_np.
local function batch_values(...)
  local n, values = select("#", ...), { ... }
  for i = 1, n do values[i] = of_mode(values[i]) end
  return table.unpack(values, 1, n)
end

-- The callable of a for loop, with a length for progress bars. New arrays are in cpu(0) or pinned, whatever the current
-- context is; the dataset's own arrays stay where they are.
local Pass = { __name = "DataLoader pass" }
Pass.__index = Pass
function Pass:__call()
  local _ <close> = current_context() ~= HOST and enter_mode(nil, nil, nil, HOST) or nil
  if self.pinned then return batch_values(moved_to(self.pinned, self.next())) end
  return batch_values(self.next())
end
function Pass:__len() return self.length end
function Pass:__close() if self.team then self.team:close() end end

-- Frees the workers of unfinished passes that are no longer referenced.
local function clear_abandoned(self)
  local open = false
  for pass in pairs(self.under_way) do
    if #pass.team > 0 then open = true else self.under_way[pass] = nil end
  end
  if open then collectgarbage() end
end

local function made_by_workers(self, pass, next_places, make)
  clear_abandoned(self)
  local function make_in_host(...)
    local _ <close> = current_context() ~= HOST and enter_mode(nil, nil, nil, HOST) or nil
    math.randomseed(random_state())
    return make(...)
  end
  local n = math.max(1, math.min(self.num_workers, pass.length))
  local team = workers.team { n = n, prefetch = self.prefetch, timeout = self.timeout, places = next_places,
                              make = make_in_host }
  pass.team, pass.next = team, function() return team:next() end
  self.under_way[pass] = true
end

--- for data, label in loader:batches() do: one pass over the dataset. Leaving the loop ends its workers at once; after
-- a loop over the loader itself they end when the collector finds them, or with the next pass.
function DataLoader:batches()
  local pass = setmetatable({ length = #self, pinned = self.pinned }, Pass)
  local batch = not self.batchify_fn and class.of(self.batch_sampler) == samplers.BatchSampler and
    self.dataset:batcher()
  local next_places, make
  if batch then next_places, make = fast_making(self, batch) else next_places, make = slow_making(self) end
  if self.num_workers == 0 then
    pass.next = made_here(next_places, make)
    return pass
  end
  made_by_workers(self, pass, next_places, make)
  return pass, nil, nil, pass
end

--- for data, label in loader do: one pass over the dataset.
passes.callable(DataLoader, "for i, batch in pairs(loader) do")
DataLoader._pass = DataLoader.batches

local function numbered(i, first, ...)
  if first == nil then return nil end
  return i, datasets.one_value(first, ...)
end

--- for i, batch in pairs(loader) do: i counts from 0; a batch of several values is a table, { data, label }.
function DataLoader:__pairs()
  local pass, i = self:batches(), -1
  return function()
    i = i + 1
    return numbered(i, pass())
  end
end

function DataLoader:__item()
  fail("%s: index: batches have no indices; write for data, label in loader do (or loader:batches()), or for i, " ..
    "batch in pairs(loader) do", class.of(self).__name__)
end

arguments.methods(DataLoader, "DataLoader.", { batches = "" })
return DataLoader
