-- optimizer/optimizer.lua - Optimizer: what every rule of updating parameters has in common.
--
-- A rule implements create_state(index, weight), which gives nothing, an array or a list of
-- arrays, and update(index, weight, grad, state), which writes into weight and the state; or, if
-- it is one update operator, step(call, state, index), which names the operator and completes its
-- options; steps of many parameters are then one call of the engine (updater.lua). An optimizer of a script's own
-- may have options of its own, which become fields: Lion{learning_rate = 1e-4, beta1 = 0.9}; its init, if it has
-- one, is given them all, and need not call this one's.
-- `index` names the parameter; what is kept by index are the counts of updates and the
-- multipliers of learning rate and weight decay.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local python = require "hybridlua.language.python_text"
local script = require "hybridlua.language.script_line"
local is_array = core.array.is

local nd = core.op.nd

local NAMES = { "learning_rate", "wd", "rescale_grad", "clip_gradient", "lr_scheduler", "begin_num_update",
                "multi_precision", "param_idx2name", "param_dict", "sym" }
local DEFAULTS = { wd = 0.0, rescale_grad = 1.0, begin_num_update = 0, multi_precision = false }

local function is_own(fn) return script.is_own(class.as_written(fn)) end

local function options_in(...)
  local last = select("#", ...) > 0 and (select(select("#", ...), ...))
  return type(last) == "table" and getmetatable(last) == nil and last or nil
end

-- An init that a script wrote is given an optimizer that is whole already, made of the options in its arguments.
local function init_base(self, cls, ...)
  if is_own(cls.init) then return end
  local base = cls
  while not is_own(base.init) do base = rawget(base, "__base") end
  base.init(self, options_in(...) or {})
end

local being_made = setmetatable({}, { __mode = "k" })       -- whose init may still set the rate

-- learning_rate is computed when it is read; everything else is found in the class.
local function new(cls, ...)
  local meta = rawget(cls, "__instance")
  if not meta then
    meta = { __class = cls, __name = cls.__name__, __tostring = cls.__tostring }
    function meta.__index(self, key)
      if key == "learning_rate" then return cls.get_learning_rate(self) end
      return cls[key]
    end
    function meta.__newindex(self, key, value)
      if key == "learning_rate" and not being_made[self] then
        fail("%s: learning_rate is read only; write optimizer:set_learning_rate(%s)", cls.__name__, tostring(value))
      end
      rawset(self, key, value)
    end
    rawset(cls, "__instance", meta)
  end
  local self = setmetatable({}, meta)
  being_made[self] = true
  init_base(self, cls, ...)
  cls.init(self, ...)
  being_made[self] = nil
  local rate = rawget(self, "learning_rate")
  if rate ~= nil then
    rawset(self, "learning_rate", nil)
    self.lr = rate
  end
  return self
end

local Optimizer = class.root("Optimizer", new)
local UNSAID = { rescale_grad = true, begin_num_update = true }       -- the trainer's affair

Optimizer.__tostring = function(self)
  local parts = {}
  for _, name in ipairs(self.arguments.names) do
    local value = self[name]
    if type(value) == "number" and not UNSAID[name] then parts[#parts + 1] = name .. "=" .. python.number(value) end
  end
  return ("%s(%s)"):format(class.of(self).__name__, table.concat(parts, ", "))
end

--- The reader of a rule's arguments: its own names, then everyone's.
function Optimizer.reader(name, names, defaults)
  for key, value in pairs(DEFAULTS) do if defaults[key] == nil then defaults[key] = value end end
  local all, own = table.move(names, 1, #names, 1, {}), {}
  for _, key in ipairs(names) do own[key] = true end
  for _, key in ipairs(NAMES) do if not own[key] then all[#all + 1] = key end end
  return arguments.new(name, all, defaults)
end

Optimizer.arguments = Optimizer.reader("Optimizer", {}, {})
Optimizer.default_learning_rate = 0.01

-- ---- Making one ---------------------------------------------------------------------------------

-- The rate and the scheduler: a rate that is given overwrites the scheduler's.
local function set_rate(self, rate, scheduler)
  self.lr_scheduler = scheduler
  self.lr = rate or (not scheduler and self.default_learning_rate) or nil
  if scheduler and rate and scheduler.base_lr ~= rate then
    io.stderr:write("UserWarning: the learning rate of lr_scheduler has been overwritten by learning_rate of the " ..
      "optimizer.\n")
    if scheduler.rebase then scheduler:rebase(rate) else scheduler.base_lr = rate end
  end
end

local NUMBERS = { learning_rate = true, clip_gradient = true }

-- Options that are numbers by default, or by their nature, must be.
local function check_numbers(self, options)
  for name, value in pairs(options) do
    if (NUMBERS[name] or type(self.arguments.defaults[name]) == "number") and type(value) ~= "number" then
      fail("%s: %s: expected a number, got %s", class.of(self).__name__, name,
        type(value) == "string" and ("'%s'"):format(value) or type(value))
    end
  end
end

-- The arguments without the options of a script's own class, which become fields. What is nearly the name of
-- a known option is left to be refused.
local function take_own(self, ...)
  local cls, given = class.of(self), options_in(...)
  if not given or cls == Optimizer or rawget(cls, "arguments") then return ... end
  local known, rest = self.arguments.known, {}
  for key, value in pairs(given) do
    if type(key) == "string" and not known[key] and nearest.hint(key, known) == "" then self[key] = value
    else rest[key] = value end
  end
  local arguments_ = table.pack(...)
  arguments_[arguments_.n] = rest
  return table.unpack(arguments_, 1, arguments_.n)
end

--- Options of every rule: learning_rate; lr_scheduler, called with the number of updates;
-- wd, the weight decay; rescale_grad, by which gradients are multiplied; clip_gradient, their
-- largest magnitude after that; begin_num_update; multi_precision (float16 weights are
-- updated in float32); param_idx2name and param_dict, names and Parameters by index.
function Optimizer:init(...)
  local options = self.arguments(take_own(self, ...))
  check_numbers(self, options)
  set_rate(self, options.learning_rate, options.lr_scheduler)
  for name, value in pairs(options) do
    if name ~= "learning_rate" and name ~= "lr_scheduler" then self[name] = value end
  end
  self.idx2name = options.param_idx2name or {}
  self.param_dict = options.param_dict or {}
  self.num_update = self.begin_num_update
  self._index_update_count = {}
  self._call = {}
  self:set_lr_mult {}
  self:set_wd_mult {}
end

-- ---- Rates and decays -----------------------------------------------------------------------------

--- The learning rate now. With a scheduler it depends on the number of updates.
function Optimizer:get_learning_rate()
  local scheduler = rawget(self, "lr_scheduler")
  if scheduler then return scheduler(self.num_update) end
  return rawget(self, "lr")
end

--- Errors where a scheduler sets the rate.
function Optimizer:set_learning_rate(lr)
  if self.lr_scheduler then
    fail("LRScheduler of the optimizer has already been defined. Note that set_learning_rate can mutate the value " ..
      "of the learning rate of the optimizer only when the LRScheduler of the optimizer is undefined.")
  end
  self.lr = lr
end

local function check_multipliers(method, multipliers)
  if type(multipliers) == "table" then return end
  fail("%s: args_%s: expected a table {parameter = multiplier}, got %s", method, method:sub(5), type(multipliers))
end

--- Multipliers of the learning rate, by name or index of the parameter.
function Optimizer:set_lr_mult(multipliers)
  check_multipliers("set_lr_mult", multipliers)
  self.lr_mult = {}
  for key, value in pairs(multipliers) do self.lr_mult[key] = value end
end

local function decays(name) return name:find "_weight$" or name:find "_gamma$" end

--- Multipliers of the weight decay. Parameters named by param_idx2name that are neither
-- weights nor gammas do not decay unless these say so.
function Optimizer:set_wd_mult(multipliers)
  check_multipliers("set_wd_mult", multipliers)
  self.wd_mult = {}
  for _, name in pairs(self.idx2name) do
    if not decays(name) then self.wd_mult[name] = 0.0 end
  end
  for key, value in pairs(multipliers) do self.wd_mult[key] = value end
end

-- A Parameter knows its multiplier; else it is looked for by index and by name.
local function multiplier(self, index, field)
  local param = self.param_dict[index]
  if param then return param[field] end
  local by = self[field]
  return by[index] or by[self.idx2name[index]] or 1
end

function Optimizer:_get_lr(index) return self:get_learning_rate() * multiplier(self, index, "lr_mult") end
function Optimizer:_get_wd(index) return self.wd * multiplier(self, index, "wd_mult") end

local function count_update(self, index)
  local counts = self._index_update_count
  local count = (counts[index] or self.begin_num_update) + 1
  counts[index] = count
  if count > self.num_update then self.num_update = count end
end

--- Counts one more update of a parameter.
Optimizer._update_count = count_update

-- ---- Updating ---------------------------------------------------------------------------------------

--- The state of a parameter: nil, an array or a list of arrays. Override it where there is one.
function Optimizer:create_state() return nil end

local function in_two_precisions(self, weight) return self.multi_precision and weight.dtype == "float16" end

--- As create_state; with multi_precision a float16 weight has a float32 copy: { copy, state }.
function Optimizer:create_state_multi_precision(index, weight)
  if not in_two_precisions(self, weight) then return self:create_state(index, weight) end
  local copy = weight:astype "float32"
  return { copy, self:create_state(index, copy) }
end

--- As update, for such states.
function Optimizer:update_multi_precision(index, weight, grad, state)
  if not in_two_precisions(self, weight) then return self:update(index, weight, grad, state) end
  self:update(index, state[1], grad:astype "float32", state[2])
  weight:set(state[1])
end

--- Counts an update and gives its learning rate and decay. Methods are found the long way (see
-- new), which the update of a small array would feel, so this calls few.
local function rates(self, index)
  count_update(self, index)
  local param = self.param_dict[index]
  local lr = rawget(self, "lr_scheduler") and self:get_learning_rate() or rawget(self, "lr")
  if param then return lr * param.lr_mult, self.wd * param.wd_mult end
  return lr * multiplier(self, index, "lr_mult"), self.wd * multiplier(self, index, "wd_mult")
end

--- For update: counts it and gives the options that all update operators take, in one table
-- that is used again at the next call. Of these lr and wd (and t, the number of the update, where
-- an operator takes it) may differ from one parameter to the next.
function Optimizer:_begin(index, weight)
  local call = self._call
  call.out = weight
  call.lr, call.wd = rates(self, index)
  call.rescale_grad, call.clip_gradient = self.rescale_grad, rawget(self, "clip_gradient")
  return call
end

--- What step says for a parameter: the operator's name and its options, counting the update.
function Optimizer:_step(index, weight, state)
  local call = self:_begin(index, weight)
  local operator = self:step(call, state, index)
  if type(operator) ~= "string" then
    fail("%s: step: expected the name of an update operator, got %s", class.of(self).__name__, tostring(operator))
  end
  return operator, call
end

--- Changes weight and state. Override it, or define step.
function Optimizer:update(index, weight, grad, state)
  if not self.step then
    fail("%s: update is not defined; write function %s:update(index, weight, grad, state) ... end",
      class.of(self).__name__, class.of(self).__name__)
  end
  local operator, call = self:_step(index, weight, state)
  if state == nil then return nd[operator](weight, grad, call) end
  if is_array(state) then return nd[operator](weight, grad, state, call) end
  local operands = table.move(state, 1, #state, 3, { weight, grad })
  operands[#operands + 1] = call
  nd[operator](table.unpack(operands))
end

--- Zeros like the weight, n of them in a list (1 where n is nil, without the list).
function Optimizer.zeros(weight, n)
  if not n then return nd.zeros_like(weight) end
  local list = {}
  for i = 1, n do list[i] = nd.zeros_like(weight) end
  return list
end

--- Numbers besides the states that a later run needs to go on the same way; read by
-- Updater:get_states, given back to set_numbers.
function Optimizer:get_numbers()
  return { num_update = self.num_update, learning_rate = not self.lr_scheduler and self.lr or nil }
end

function Optimizer:set_numbers(numbers)
  self.num_update = numbers.num_update or self.num_update
  if not self.lr_scheduler then self.lr = numbers.learning_rate or self.lr end
end

-- Gives define(name, names of options, their defaults, learning rate): a rule's class, listed in `rules`.
function Optimizer._definer(rules)
  return function(name, names, defaults, rate)
    local cls = Optimizer:subclass(name)
    cls.arguments = Optimizer.reader(name, names, defaults)
    cls.default_learning_rate = rate
    rules[#rules + 1] = cls
    return cls
  end
end

arguments.methods(Optimizer, "Optimizer.", {
  get_learning_rate = "", set_learning_rate = "lr", set_lr_mult = "args_lr_mult{}", set_wd_mult = "args_wd_mult{}",
  get_numbers = "",
})

return Optimizer
