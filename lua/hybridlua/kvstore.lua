-- kvstore.lua - values by key which several contexts of this process share: MXNet's mx.kvstore.
--
-- A push sums the values given for a key, in their order. Without an updater the sum becomes the stored value; with one
-- (set_updater, set_optimizer) it is the gradient that changes it.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local sum_of_copies = require "hybridlua.gluon.sum_of_copies"
local is_array, is_plain, enter_mode = core.array.is, core.script.is_plain, core.autograd.enter_mode

local nd = core.op.nd
local kvstore = {}

-- An instance is made without init, which is MXNet's name for storing a first value.
local function new(cls, ...)
  local self = class.bare(cls)
  self.type, self.rank, self.num_workers, self._stored = cls.arguments(...).type, 0, 1, {}
  return self
end

--- The result of kvstore.create. Fields: type ("local" or "device"), rank (0) and num_workers (1).
local KVStore = class.root("KVStore", new, "kv")
KVStore.arguments = arguments.new("KVStore", "type", { type = "local" })
kvstore.KVStore = KVStore

function KVStore:__tostring() return ("<KVStore %s>"):format(self.type) end

-- ---- Keys and values ----------------------------------------------------------------------------------------------

local function check_key(self, what, key)
  local kind = type(key)
  if kind ~= "string" and math.type(key) ~= "integer" then
    fail("KVStore.%s: key: expected an integer or a string, got %s", what, key == nil and "nothing" or kind)
  end
  self._kind = self._kind or kind
  if self._kind ~= kind then
    fail("KVStore.%s: key: expected a %s, as the keys before, got the %s %s", what, self._kind, kind, tostring(key))
  end
  return key
end

local function stored(self, what, key)
  return self._stored[check_key(self, what, key)] or
    fail("KVStore.%s: key: '%s' has no value; call kv:init(key, value) first", what, tostring(key))
end

local function as_list(what, name, x)
  if is_array(x) then return { x } end
  if not is_plain(x) or #x == 0 then
    fail("KVStore.%s: %s: expected an NDArray or a list of them, got %s", what, name, x == nil and "nothing" or
      is_plain(x) and "an empty table" or type(x))
  end
  for i, item in ipairs(x) do
    if not is_array(item) then
      fail("KVStore.%s: %s: expected NDArrays, got %s at %d", what, name, type(item), i)
    end
  end
  return x
end

-- Calls visit(key, list of arrays) for one key and its arrays, or for a list of keys with one entry each.
local function each(what, name, key, value, visit)
  if not is_plain(key) then return visit(key, as_list(what, name, value)) end
  if not is_plain(value) or #value ~= #key then
    fail("KVStore.%s: %s: expected %d, one for each key, got %s", what, name, #key,
      is_plain(value) and #value or value == nil and "nothing" or type(value))
  end
  for i, one in ipairs(key) do visit(one, as_list(what, name, value[i])) end
end

-- ---- Values -------------------------------------------------------------------------------------------------------

--- init(key, value): stores a value for a new key, an integer or a string; or values for a list of keys. Errors: a key
-- that has a value; integers and strings mixed.
function KVStore:init(key, value)
  each("init", "value", key, value, function(one, list)
    if self._stored[check_key(self, "init", one)] then
      fail("KVStore.init: key: '%s' has a value already", tostring(one))
    end
    self._stored[one] = list[1]:copy()
  end)
end

local function sum_of(what, key, list, like)
  for _, x in ipairs(list) do
    if x.shape ~= like.shape then
      fail("KVStore.%s: key '%s': expected shape %s, got %s", what, tostring(key), tostring(like.shape),
        tostring(x.shape))
    end
  end
  return sum_of_copies(list, like.context)
end

local function push(self, what, key, value)
  local _ <close> = enter_mode(false)
  each(what, "value", key, value, function(one, list)
    local into = stored(self, what, one)
    local sum = sum_of(what, one, list, into)
    if self._updater then self._updater(one, sum, into) else into:set(sum) end
  end)
end

local function pull(self, what, key, out)
  local _ <close> = enter_mode(false)
  each(what, "out", key, out, function(one, list)
    local from = stored(self, what, one)
    for _, x in ipairs(list) do x:set(from:as_in_context(x.context)) end
  end)
end

--- push(key, value, {priority = 0}): adds up the arrays of a key, one or a list (one for each context), and stores the
-- sum or gives it to the updater; or of a list of keys. priority has no effect. Errors: a key without a value.
function KVStore:push(key, value) push(self, "push", key, value) end

--- pull(key, out, {priority = 0, ignore_sparse = true}): writes the value of a key to an array or to all arrays of a
-- list; or the values of a list of keys.
function KVStore:pull(key, out) pull(self, "pull", key, out) end

--- pushpull(key, value, out, {priority = 0}): push, then pull into out (nil: into value).
function KVStore:pushpull(key, value, out)
  push(self, "pushpull", key, value)
  pull(self, "pushpull", key, out == nil and value or out)
end

--- broadcast(key, value, out, {priority = 0}): init, then pull.
function KVStore:broadcast(key, value, out)
  self:init(key, value)
  pull(self, "broadcast", key, out)
end

--- row_sparse_pull: an error, since there are no sparse arrays.
function KVStore:row_sparse_pull()
  fail "KVStore.row_sparse_pull: sparse arrays are not supported; write kv:pull(key, out), which gives all rows"
end

-- ---- Updating -----------------------------------------------------------------------------------------------------

--- set_updater(updater): updater(key, gradient, value) changes the stored value at each push.
function KVStore:set_updater(updater)
  self._updater = checks.callable("KVStore.set_updater: updater", updater, "key, gradient and value")
end

KVStore._set_updater = KVStore.set_updater               -- MXNet's name of it

--- Waits for all machines; there is one.
function KVStore:_barrier() end

--- set_optimizer(optimizer): the same with an optimizer and its states.
function KVStore:set_optimizer(optimizer)
  local optimizers = require "hybridlua.optimizer"
  self._updater = optimizers.Updater(checks.instance("KVStore.set_optimizer: optimizer", optimizer,
    optimizers.Optimizer, "an Optimizer"))
end

--- is_capable(capability): true for "optimizer", the only one that MXNet knows.
function KVStore:is_capable(capability)
  if capability ~= "optimizer" then
    fail("KVStore.is_capable: capability: expected 'optimizer', got '%s'", tostring(capability))
  end
  return true
end

--- set_gradient_compression: an error; values do not leave the process.
function KVStore:set_gradient_compression()
  fail "KVStore.set_gradient_compression: nothing is compressed, since values do not leave the process"
end

local function updater_of(self, what)
  local updater = self._updater
  if type(updater) ~= "table" or not updater.get_states then
    fail("KVStore.%s: there is no optimizer; call kv:set_optimizer(optimizer) first", what)
  end
  return updater
end

--- save_optimizer_states(fname, {dump_optimizer = false}): writes the optimizer's states, in the format of nd.save.
-- dump_optimizer has no effect: the learning rate and the counts of updates are always written.
function KVStore:save_optimizer_states(fname)
  nd.save(fname, updater_of(self, "save_optimizer_states"):get_states())
end

--- load_optimizer_states(fname): reads them. Errors: states of another optimizer; then nothing changes.
function KVStore:load_optimizer_states(fname)
  updater_of(self, "load_optimizer_states"):set_states(nd.load(fname), nil, function(key) return self._stored[key] end)
end

arguments.methods(KVStore, "KVStore.", {
  init = "key value[]", push = "key value[] priority", pull = "key out[] priority ignore_sparse",
  pushpull = "key value[] out[] priority", broadcast = "key value[] out[] priority",
  row_sparse_pull = "key out priority row_ids", set_updater = "updater", set_optimizer = "optimizer",
    is_capable = "capability",
  set_gradient_compression = "compression_params{}", save_optimizer_states = "fname dump_optimizer",
  load_optimizer_states = "fname",
})

-- ---- Creation -----------------------------------------------------------------------------------------------------

local HERE = { ["local"] = true, device = true, local_update_cpu = true, local_allreduce_cpu = true,
               local_allreduce_device = true }
local ELSEWHERE = { nccl = true, horovod = true, byteps = true, teststore = true }

--- Whether MXNet has a store of this name that joins several processes.
function kvstore._is_of_several(name)
  return name:find "^dist" ~= nil or name:find "^p3" ~= nil or ELSEWHERE[name] == true
end

--- create(name = "local"): a KVStore. "local" and "device" are the same here: values of several contexts are summed in
-- this process. Errors: "dist_sync" and other stores of several machines.
local function create(name)
  if name == nil then name = "local" end
  checks.string("kvstore.create: name", name)
  if kvstore._is_of_several(name) then
    fail("kvstore.create: name: expected 'local' or 'device', got '%s'; training runs in one process", name)
  end
  if not HERE[name] then fail("kvstore.create: name: expected 'local' or 'device', got '%s'", name) end
  return KVStore(name)
end

kvstore.create = arguments.taking("kvstore.create", "name", create)

return require "hybridlua.language.module"(kvstore, "hybridlua.kvstore")
