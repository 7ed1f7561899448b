-- optimizer/updater.lua - an optimizer with the states of its parameters.
--
-- States are saved as arrays by name, in nd.save's format:
--   class:Adam           the rule
--   number:num_update    a number from Optimizer:get_numbers
--   count:LABEL          the number of updates of a parameter
--   state:PLACE:LABEL    its states: PLACE is "" for a single array, "2" in a list, "2.1" deeper
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local script = require "hybridlua.language.script_line"
local Optimizer = require "hybridlua.optimizer.optimizer"
local is_array, update_weights, update_numbers = core.array.is, core.autograd.update_weights,
  core.autograd.update_numbers

local nd = core.op.nd

local Updater = class.root("Updater", class.new)

-- The counts of updates before a call, and the fields that the rule counts with, which are put back if the call fails:
-- then no weight was written.
local Counts = {}
Counts.__index = Counts
local NONE = {}

function Counts:keep(optimizer, indices)
  self.optimizer, self.indices, self.total = optimizer, indices, optimizer.num_update
  local counts = optimizer._index_update_count
  for i = 1, #indices do self[i] = counts[indices[i]] or false end
  self.fields = optimizer._counted and {} or NONE
  for i, name in ipairs(optimizer._counted or NONE) do self.fields[i] = rawget(optimizer, name) end
  return self
end

function Counts:put_back()
  self.optimizer.num_update = self.total
  for i, index in ipairs(self.indices) do self.optimizer._index_update_count[index] = self[i] or nil end
  for i, name in ipairs(self.optimizer._counted or NONE) do rawset(self.optimizer, name, self.fields[i]) end
end

function Counts:__close(problem)
  if problem ~= nil then self:put_back() end
end

local read = arguments.new("Updater", "optimizer")

--- Updater(optimizer): updater(index, grad, weight) updates the weight; lists of indices, gradients and weights update
-- several weights in order.
function Updater:init(...)
  local optimizer = read(...).optimizer
  checks.instance("Updater: optimizer", optimizer, Optimizer, "an Optimizer")
  self.optimizer = optimizer
  self.states = {}
  self.known = {}              -- indices that have a state, which may be nil
  -- reused by every call: new tables took a tenth of a call's time
  self.lists = { states = {}, lr = {}, wd = {}, t = {}, counts = setmetatable({}, Counts) }
end

local function know(self, index, weight)
  if self.known[index] then return end
  self.states[index] = self.optimizer:create_state_multi_precision(index, weight)
  self.known[index] = true
end

-- Can one call of the engine replace separate updates? Not if the rule overrides a method.
local function one_call(self, indices)
  local optimizer, states = self.optimizer, self.states
  local plain = optimizer.update == Optimizer.update and
    optimizer.update_multi_precision == Optimizer.update_multi_precision
  if not (plain and optimizer.step) or optimizer.multi_precision then return false end
  local with_state = states[indices[1]] ~= nil
  for i = 2, #indices do if (states[indices[i]] ~= nil) ~= with_state then return false end end
  return true
end

-- The lists of a rule's own numbers that differ between parameters, by name.
local function lists_of(self, names)
  local lists = {}
  for _, name in ipairs(names) do lists[name] = {} end
  self.lists.own = lists
  return lists
end

-- Counts an update of these indices; returns the operator and its options, in which numbers that differ are lists.
local function begin_update(self, indices)
  local lists, optimizer = self.lists, self.optimizer
  local states, lr, wd, t = lists.states, lists.lr, lists.wd, lists.t
  local own = optimizer._differing and (lists.own or lists_of(self, optimizer._differing))
  local operator, call
  for i = 1, #indices do
    local state = self.states[indices[i]]
    states[i] = state
    operator, call = optimizer:_step(indices[i], nil, state)
    lr[i], wd[i], t[i] = call.lr, call.wd, call.t
    if own then
      for name, list in pairs(own) do list[i] = call[name] end
    end
  end
  call.out, call.lr, call.wd, call.t = nil, call.lr and lr, call.wd and wd, call.t and t
  for name, list in pairs(own or NONE) do call[name] = list end
  return operator, call
end

-- Updates all weights in one loop of the engine (src/exec/train/optimizer_update.h), or fills in the numbers of their
-- node in a compiled step.
local function update_together(self, indices, grads, weights)
  local _ <close> = self.lists.counts:keep(self.optimizer, indices)
  local operator, call = begin_update(self, indices)
  update_weights(operator, weights, grads, self.lists.states, call)
end

-- The numbers of the next update, in the form of contrib.update_weights.
local function numbers_of_next(self, indices)
  local counts = self.lists.counts:keep(self.optimizer, indices)
  local operator, call = begin_update(self, indices)
  counts:put_back()
  return update_numbers(operator, #indices, call)
end

local function is_own(fn) return fn == nil or script.is_own(class.as_written(fn)) end

-- Why an update by this optimizer is not an operator; nil if it may be one.
local function refusal_of(optimizer)
  local name = class.of(optimizer).__name__
  if not (is_own(optimizer.step) and is_own(optimizer.update) and is_own(optimizer.update_multi_precision)) then
    return ("the optimizer %s is the script's own, whose code each step runs"):format(name)
  end
  if optimizer._refusal then
    return ("the step of the optimizer %s is not an operator: %s"):format(name, optimizer._refusal)
  end
  if optimizer.multi_precision then
    return ("with multi_precision = true the optimizer %s updates one weight after another"):format(name)
  end
  return nil
end

--- What update_all does for these weights, if it is one operator of a rule of this library: the operator's name, the
-- weights, the list of their states and, if with_numbers, an array of the next update's numbers. Otherwise nil and the
-- reason, a text. It makes missing states.
function Updater:_describe(indices, weights, with_numbers)
  local optimizer, states = self.optimizer, {}
  if #indices == 0 then return nil, "no parameter has a gradient" end
  local refusal = refusal_of(optimizer)
  if refusal then return nil, refusal end
  for i, index in ipairs(indices) do know(self, index, weights[i]) end
  if not one_call(self, indices) then return nil, "some parameters have states, others none" end
  for i, index in ipairs(indices) do states[i] = self.states[index] end
  return optimizer:_operator(states[1]), weights, states, with_numbers and numbers_of_next(self, indices) or nil
end

--- Updates the weights of these indices, with the same bits as one by one. If grads is nil, each weight's own gradient
-- is used.
function Updater:update_all(indices, grads, weights)
  local n = #indices
  for i = 1, n do know(self, indices[i], weights[i]) end
  if n > 0 and one_call(self, indices) then return update_together(self, indices, grads, weights) end
  for i = 1, n do
    local grad = grads and grads[i] or weights[i].grad
    self.optimizer:update_multi_precision(indices[i], weights[i], grad, self.states[indices[i]])
  end
end

function Updater:__call(index, grad, weight)
  if type(index) == "table" then return self:update_all(index, grad, weight) end
  know(self, index, weight)
  self.optimizer:update_multi_precision(index, weight, grad, self.states[index])
end

-- ---- Saving -------------------------------------------------------------------------------------

local function scalar(x) return nd.array({ x }, { dtype = math.type(x) == "integer" and "int64" or "float64" }) end

local function each_array(state, visit, place)
  if is_array(state) then return visit(place or "", state) end
  if type(state) ~= "table" then return end
  for i, part in pairs(state) do each_array(part, visit, (place and place .. "." or "") .. i) end
end

local function same(index) return index end

--- The states as a table of arrays for nd.save. label(index) names a parameter (default: its index).
function Updater:get_states(label)
  label = label or same
  local optimizer = self.optimizer
  local arrays = { ["class:" .. class.of(optimizer).__name__] = scalar(1) }
  for name, value in pairs(optimizer:get_numbers()) do arrays["number:" .. name] = scalar(value) end
  for index, count in pairs(optimizer._index_update_count) do
    arrays[("count:%s"):format(label(index))] = scalar(count)
  end
  for index, state in pairs(self.states) do
    each_array(state, function(place, array) arrays[("state:%s:%s"):format(place, label(index))] = array end)
  end
  return arrays
end

-- ---- Loading ------------------------------------------------------------------------------------

-- Sorts arrays by their names: { class, numbers, counts, states = { label = { place = array } } }.
local function sorted_out(arrays)
  local found = { numbers = {}, counts = {}, states = {} }
  for name, array in pairs(arrays) do
    name = tostring(name)
    local kind, rest = name:match "^(%a+):(.*)$"
    if kind == "class" then found.class = rest
    elseif kind == "number" then found.numbers[rest] = array:asscalar()
    elseif kind == "count" then found.counts[rest] = array:asscalar()
    elseif kind == "state" then
      local place, label = rest:match "^([%d.]*):(.*)$"
      if not place then fail("load_states: '%s' is not the name of a state", name) end
      found.states[label] = found.states[label] or {}
      found.states[label][place] = array
    else
      fail("load_states: expected states of an optimizer, got an array named '%s'", name)
    end
  end
  return found
end

local function place_in(states, place, array)
  if place == "" then return array end
  states = states or {}
  local at, last = states, nil
  for key in place:gmatch "%d+" do
    if last then
      at[last] = at[last] or {}
      at = at[last]
    end
    last = tonumber(key)
  end
  at[last] = array
  return states
end

local function text_of(array) return ("%s of shape %s"):format(array.dtype, python.tuple(array.shape)) end

-- Fails unless the given arrays match the states that the rule makes for this weight.
local function check_state(optimizer, index, weight, label, given)
  local wanted = {}
  each_array(optimizer:create_state_multi_precision(index, weight), function(place, array) wanted[place] = array end)
  for place, array in pairs(wanted) do
    if not given[place] then fail("load_states: state '%s' of '%s' is missing", place, label) end
    if text_of(given[place]) ~= text_of(array) then
      fail("load_states: state '%s' of '%s': expected %s, got %s", place, label, text_of(array), text_of(given[place]))
    end
  end
  for place in pairs(given) do
    if not wanted[place] then
      fail("load_states: '%s' has a state '%s', which this optimizer does not have", label, place)
    end
  end
end

--- Sets states returned by get_states, or read from a file. index_of: indices by label (nil: labels are numbers);
-- weight_of(index): a weight to check against, or nil. If they do not fit, nothing changes.
function Updater:set_states(arrays, index_of, weight_of)
  local optimizer = self.optimizer
  if type(arrays) == "string" then arrays = nd.load_frombuffer(arrays) end
  local found = sorted_out(arrays)
  local name = class.of(optimizer).__name__
  if found.class ~= name then
    fail("load_states: expected states of %s, got those of %s", name, found.class or "no optimizer")
  end
  local function index(label)
    local i = index_of and index_of[label] or not index_of and (math.tointeger(tonumber(label)) or label)
    return i or fail("load_states: states of '%s', which is not a parameter here", label)
  end
  local states, known, counts = {}, {}, {}
  for label, count in pairs(found.counts) do
    local i = index(label)
    counts[i], known[i] = count, true
    local weight = weight_of and weight_of(i)
    if weight then check_state(optimizer, i, weight, label, found.states[label] or {}) end
  end
  for label, places in pairs(found.states) do
    local i = index(label)
    local weight = weight_of and weight_of(i)
    for place, array in pairs(places) do
      states[i] = place_in(states[i], place, weight and array:as_in_context(weight.context) or array)
    end
  end
  self.states, self.known = states, known
  optimizer._index_update_count = counts
  optimizer:set_numbers(found.numbers)
end

arguments.methods(Updater, "Updater.", { get_states = "label", set_states = "arrays{} index_of{} weight_of" })
return Updater
