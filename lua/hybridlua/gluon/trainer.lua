-- trainer.lua - Trainer: applies an optimizer to parameters.
--
-- step(batch_size) divides the gradients by batch_size and updates every parameter. A gradient that no backward has
-- reached since the parameter's last update is stale: an error, because it usually means that the loss does not depend
-- on the parameter.
--
-- Gradients of parameters in several contexts are summed in the order of list_ctx(); the first copy is updated and
-- copied to the others, so that all have the same bits and the optimizer has one state per parameter. step does not
-- store the sum in the gradients; allreduce_grads stores it in all of them.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local optimizers = require "hybridlua.optimizer"
local Parameter = require "hybridlua.gluon.parameter"
local ParameterDict = require "hybridlua.gluon.parameter_dict"
local sum_of_copies = require "hybridlua.gluon.sum_of_copies"
local enter_mode, find_lost_scopes = core.autograd.enter_mode, core.autograd.find_lost_scopes

local nd = core.op.nd
local fresh_grad = core.autograd.fresh_grad
local Trainer = class.root("Trainer", class.new)
Trainer.is_machine = true             -- see gluon/hybridize/trace_guards.lua

-- ---- Making one -----------------------------------------------------------------------------------

local function sorted_values(t)
  local keys, list = {}, {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  for i, key in ipairs(keys) do list[i] = t[key] end
  return list
end

local WRONG = "First argument must be a list or dict of Parameters, got %s."

-- The parameters in order, each once, and their structural paths, if known.
local function parameter_list(params)
  local list, paths, seen = {}, {}, {}
  if class.is_a(params, ParameterDict) then
    list, paths = params:values(), params._path
  elseif type(params) ~= "table" or class.of(params) then
    local cls = class.of(params)
    local hint = cls and params.collect_params and " Write net:collect_params()." or ""
    fail(WRONG .. hint, cls and cls.__name__ or type(params))
  else
    for _, param in ipairs(#params > 0 and params or sorted_values(params)) do
      if not class.is_a(param, Parameter) then fail(WRONG, "list of " .. type(param)) end
      if not seen[param] then list[#list + 1] = param end
      seen[param] = true
    end
  end
  return list, paths
end

local function make_optimizer(optimizer, options, list)
  if options ~= nil and type(options) ~= "table" then
    fail("Trainer: optimizer_params: expected a table such as {learning_rate = 0.1}, got %s", tostring(options))
  end
  local given = options ~= nil and next(options) ~= nil
  if class.is_a(optimizer, optimizers.Optimizer) then
    if given then
      fail "Trainer: optimizer_params: expected none with an Optimizer, which has its own, got a table"
    end
    optimizer.param_dict = list
    return optimizer
  end
  local all = { param_dict = list }
  for key, value in pairs(options or {}) do all[key] = value end
  return optimizers.create(optimizer, all)
end

local read = arguments.new("Trainer",
  "params{} optimizer optimizer_params{} kvstore compression_params update_on_kvstore", { kvstore = "device" })

local STORES = { device = true, ["local"] = true }          -- both: gradients are summed in this process

-- Checks the options for exchanging gradients, which never leave this process.
local function check_store(options)
  local store, on_store = options.kvstore, options.update_on_kvstore
  if class.of(store) and class.is_a(store, require("hybridlua.kvstore").KVStore) then store = store.type end
  if store ~= nil and not STORES[store] then
    if type(store) == "string" and require("hybridlua.kvstore")._is_of_several(store) then
      fail("Trainer: kvstore: expected 'device', 'local' or nil, got '%s'; training runs in one process", store)
    end
    fail("Trainer: kvstore: expected 'device', 'local' or nil, got %s",
      type(store) == "string" and ("'%s'"):format(store) or tostring(store))
  end
  if options.compression_params ~= nil then
    fail "Trainer: compression_params: expected nil; gradients do not leave the process, so nothing is compressed"
  end
  if on_store ~= nil and type(on_store) ~= "boolean" then
    fail("Trainer: update_on_kvstore: expected true, false or nil, got %s", tostring(on_store))
  end
  if on_store and store == nil then
    fail "Trainer: update_on_kvstore: expected false or nil without a kvstore, got true"
  end
end

--- Trainer(params, optimizer, optimizer_params, {kvstore = "device", update_on_kvstore = nil}): params is the result of
-- net:collect_params(), a list of Parameters, or a table of them by name; optimizer is a name, or an Optimizer without
-- optimizer_params. kvstore: "device", "local", a KVStore or nil, which are the same here. update_on_kvstore = true:
-- only step updates; update and allreduce_grads are errors, as in MXNet. Errors: kvstores of several machines, and
-- compression_params.
function Trainer:init(...)
  local options = read(...)
  check_store(options)
  self._params, self._paths = parameter_list(options.params)
  if #self._params == 0 then
    fail "Trainer: params: expected at least one Parameter, got none; a selection such as \z
      collect_params(\".*weight\") takes a regular expression"
  end
  self._on_store = options.update_on_kvstore
  self._optimizer = make_optimizer(options.optimizer, options.optimizer_params, self._params)
  self._updater = optimizers.Updater(self._optimizer)
  self._scale = self._optimizer.rescale_grad
  -- By parameter index: the array, if the parameter takes part; fresh_grad's number at its last update; the current
  -- number. In several contexts the number is that of the copy that backward reached last.
  self._arrays, self._used, self._now = {}, {}, {}
  self._reduced = {}               -- by index: the value of _now when allreduce_grads summed
end

rawset(Trainer, "__instance", {
  __class = Trainer,
  __name = "Trainer",
  __tostring = function(self)
    return ("Trainer(%d parameters, %s)"):format(#self._params, tostring(self._optimizer))
  end,
  __index = function(self, key)
    if key == "learning_rate" then return self._optimizer.learning_rate end
    if key == "optimizer" then return rawget(self, "_optimizer") end     -- so that a trace sees the read
    return Trainer[key]
  end,
  __newindex = function(self, key, value)
    if key == "learning_rate" then
      fail("Trainer: learning_rate is read only; write trainer:set_learning_rate(%s)", tostring(value))
    end
    rawset(self, key == "optimizer" and "_optimizer" or key, value)
  end,
})

--- Sets the learning rate. Errors: a scheduler sets it.
function Trainer:set_learning_rate(lr)
  if steps.recording then
    if core.follow.is_stand_in(lr) then core.follow.refuse_stand_in(lr, "set a learning rate to it") end
    return steps.add("set_learning_rate", function() self:set_learning_rate(lr) end, true)
  end
  self._optimizer:set_learning_rate(lr)
end

-- ---- Stale gradients --------------------------------------------------------------------------------

local STALE =
  "Gradient of Parameter '%s' on context %s has not been updated by backward since the last step. This could mean a " ..
    "bug in your model that made it only use a subset of the Parameters (Blocks) for this iteration. If you are " ..
    "intentionally only using a subset, write trainer:step(batch_size, true), which ignores stale gradients: this " ..
    "warning is not given and those Parameters are not updated"

local function place_of(self, param) return self._paths[param] or param.name end

local function is_stale(self, i)
  local fresh = self._now[i]
  return fresh == 0 or fresh == self._used[i]
end

-- The most likely cause, from which gradients were reached and when.
local function likely_reason(self, i)
  local reached, stale = 0, {}
  for k, param in ipairs(self._params) do
    if self._arrays[k] then
      if is_stale(self, k) then stale[#stale + 1] = place_of(self, param) else reached = reached + 1 end
    end
  end
  if reached == 0 then
    return "No backward has reached any parameter since the last step: is loss:backward() missing, or was the loss " ..
      "computed outside autograd.record?"
  end
  local often = self._now[i] == 0 and "It was never reached from a loss" or
    "An earlier loss reached it, the last one did not"
  return ("backward reached %d of %d parameters, but not '%s'. %s: it was not used in this iteration's forward, or " ..
    "only through detach, BlockGrad, an operator without gradient, or outside autograd.record. Not reached: %s%s.")
    :format(reached, reached + #stale, place_of(self, self._params[i]), often,
            table.concat(stale, ", ", 1, math.min(5, #stale)), #stale > 5 and ", ..." or "")
end

-- The copies of a parameter with gradients newer than `used`, the greatest of their numbers, and the first context with
-- an older one.
local function new_copies(param, used)
  local new, latest, stale = {}, used, nil
  for _, data in ipairs(param._copies) do
    local fresh = fresh_grad(data) or 0
    if fresh > used then
      new[#new + 1] = data
      if fresh > latest then latest = fresh end
    else
      stale = stale or data.context
    end
  end
  return new, latest, stale
end

local function refuse_stale(self, i, ctx)
  fail("%s\n%s", STALE:format(self._params[i].name, tostring(ctx)), likely_reason(self, i))
end

-- Finds the parameters that take part, and the new gradients. Errors: a stale one, unless these are ignored.
local function look(self, ignore_stale)
  local arrays, now, used = self._arrays, self._now, self._used
  local first_stale, where
  self._several = false
  for i, param in ipairs(self._params) do
    arrays[i] = nil
    if param._grad_req ~= "null" then
      local data = param._array or param:data()
      local fresh, stale = fresh_grad(data) or 0, nil
      if #param._copies > 1 then
        self._several = true
        local _, latest, where_stale = new_copies(param, used[i] or 0)
        fresh, stale = latest, where_stale
      elseif fresh == 0 or fresh == used[i] then
        stale = true
      end
      arrays[i], now[i] = data, fresh
      if stale and not first_stale then first_stale, where = i, stale ~= true and stale or data.context end
    end
  end
  if first_stale and not ignore_stale then refuse_stale(self, first_stale, where) end
end

-- ---- Several contexts -------------------------------------------------------------------------------

-- Raises if parameters are in several contexts: a compiled function computes in one.
local function refuse_several(self, what)
  for _, param in ipairs(self._params) do
    if param._copies and #param._copies > 1 then
      fail("%s: a compiled training step computes in one context, and Parameter '%s' is in several, %s; compile " ..
        "the per-context part, and call step outside", what, param.name, Parameter._text_of_contexts(param:list_ctx()))
    end
  end
end

-- The sum of a parameter's new gradients, in the order of the contexts, in the context of its first copy.
local function sum_of_gradients(self, i)
  local param, grads = self._params[i], {}
  for k, data in ipairs((new_copies(param, self._used[i] or 0))) do grads[k] = data.grad end
  return sum_of_copies(grads, param._array.context)
end

-- The gradients at these indices for one update. Errors: gradients that were not summed, if `summed` requires it.
local function gradients_of(self, indices, summed)
  if not self._several then return nil end
  local grads = {}
  for n, i in ipairs(indices) do
    local param = self._params[i]
    if #param._copies == 1 then
      grads[n] = param._array.grad
    elseif not summed then
      grads[n] = sum_of_gradients(self, i)
    elseif self._reduced[i] ~= self._now[i] then
      fail("Trainer.update: Parameter '%s' is in several contexts, %s, and its gradients were not summed: call " ..
           "trainer:allreduce_grads() first, or trainer:step(batch_size) instead", param.name,
           Parameter._text_of_contexts(param:list_ctx()))
    else
      grads[n] = param._array.grad
    end
  end
  return grads
end

-- Copies the updated first copies to the others.
local function spread(self, indices)
  for _, i in ipairs(indices) do
    local copies = self._params[i]._copies
    for k = 2, #copies do copies[1]:copyto(copies[k]) end
  end
end

local function check_own_update(self, what)
  if not self._on_store then return end
  fail("%s when parameters are updated on kvstore is not supported. Make the Trainer with " ..
    "update_on_kvstore = false.", what)
end

--- Stores the sum over all contexts, in their order, in the gradients of every context, for scripts that change
-- gradients before update. With one context it does nothing.
function Trainer:allreduce_grads()
  check_own_update(self, "allreduce_grads()")
  if steps.recording then return refuse_several(self, "Trainer.allreduce_grads") end
  local _ <close> = enter_mode(false)
  look(self, true)
  for i, param in ipairs(self._params) do
    if self._arrays[i] and #param._copies > 1 and not is_stale(self, i) then
      local sum = sum_of_gradients(self, i)
      for _, data in ipairs(param._copies) do sum:copyto(data.grad) end
      self._reduced[i] = self._now[i]
    end
  end
end

-- ---- Steps ------------------------------------------------------------------------------------------

-- The update of all parameters with gradients as one operator, for its node in a compiled step: the operator's name,
-- the weights, their states and, if with_numbers, the numbers of the next update; nil and the reason if it is not one.
local function describe_update(self, with_numbers)
  local indices, weights, n = {}, {}, 0
  for i, param in ipairs(self._params) do
    if param._grad_req ~= "null" then
      if not param._array or #param._copies > 1 then
        return nil, ("Parameter '%s' is in several contexts, or has no value yet"):format(param.name)
      end
      n = n + 1
      indices[n], weights[n] = i, param._array
    end
  end
  return self._updater:_describe(indices, weights, with_numbers)
end

local function update(self, batch_size, ignore_stale_grad, summed)
  if type(batch_size) ~= "number" or batch_size <= 0 then
    fail("Trainer.step: batch_size: expected a positive number, got %s", tostring(batch_size))
  end
  if steps.recording then
    refuse_several(self, "Trainer.step")
    return steps.add_update("Trainer.step", function() update(self, batch_size, ignore_stale_grad, summed) end,
      function(with_numbers)
        if with_numbers then self._optimizer.rescale_grad = self._scale / batch_size end
        return describe_update(self, with_numbers)
      end)
  end
  find_lost_scopes()
  look(self, ignore_stale_grad)
  self._optimizer.rescale_grad = self._scale / batch_size
  local arrays, now, used = self._arrays, self._now, self._used
  local indices, weights, n = {}, {}, 0
  for i = 1, #self._params do
    local data, fresh = arrays[i], now[i]
    if data and fresh ~= 0 and fresh ~= used[i] then
      n = n + 1
      indices[n], weights[n] = i, data
    end
  end
  self._updater:update_all(indices, gradients_of(self, indices, summed), weights)
  if self._several then spread(self, indices) end
  for i = 1, n do used[indices[i]] = now[indices[i]] end
end

--- clip_gradients(max_norm): scales the gradients of all parameters in place so that the norm of their elements
-- together is at most max_norm, as gluon.utils.clip_global_norm; call it between backward and step, which divides by
-- the batch size afterwards. Returns the norm before that (nothing in a compiled training step).
function Trainer:clip_gradients(max_norm)
  local grads = {}
  for _, param in ipairs(self._params) do
    if param._grad_req ~= "null" then
      for _, grad in ipairs(param:list_grad()) do grads[#grads + 1] = grad end
    end
  end
  return require("hybridlua.gluon.utils").clip_global_norm(grads, max_norm)
end

--- Updates every parameter that has a gradient. Errors: a stale gradient (then nothing is updated). Options:
-- ignore_stale_grad = true skips parameters with stale gradients. Gradients in several contexts must have been summed,
-- see allreduce_grads.
function Trainer:update(batch_size, ignore_stale_grad)
  check_own_update(self, "update()")
  return update(self, batch_size, ignore_stale_grad, true)
end

--- The same, after summing the gradients of all contexts.
function Trainer:step(batch_size, ignore_stale_grad) return update(self, batch_size, ignore_stale_grad, false) end

-- ---- Saving -----------------------------------------------------------------------------------------

--- Writes the optimizer's states: momenta and the like, counts of updates, the learning rate. The file has the format
-- of nd.save and is written atomically.
function Trainer:save_states(file)
  nd.save(file, self._updater:get_states(function(i) return place_of(self, self._params[i]) end))
end

--- Loads the states written by save_states. Parameters are identified by their structural paths ("0.weight"). Errors:
-- states of another optimizer, or of other parameters or shapes; then nothing changes.
function Trainer:load_states(file)
  local index_of = {}
  for i, param in ipairs(self._params) do index_of[place_of(self, param)] = i end
  self._updater:set_states(nd.load(file), index_of, function(i) return self._params[i]._array end)
end

arguments.methods(Trainer, "Trainer.", {
  clip_gradients = "max_norm", step = "batch_size ignore_stale_grad", update = "batch_size ignore_stale_grad",
    allreduce_grads = "",
  set_learning_rate = "lr", save_states = "fname", load_states = "fname",
})
return Trainer
