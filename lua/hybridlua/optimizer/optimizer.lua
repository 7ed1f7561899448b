-- optimizer/optimizer.lua - Optimizer: the common part of all update rules.
--
-- A rule implements create_state(index, weight), which returns nothing, an array or a list of arrays, and either
-- update(index, weight, grad, state), which writes into the weight and the state, or, if it is one update operator,
-- step(call, state, index), which returns the operator's name and completes its options. The steps of many parameters
-- are then one call of the engine (updater.lua). The options of a script's own optimizer, such as
-- Lion{learning_rate = 1e-4, beta1 = 0.9}, become fields; its init, if any, gets all of them and need not call
-- Optimizer.init.
-- `index` identifies the parameter: update counts and the multipliers of learning rate and weight decay are kept by it.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local python = require "hybridlua.language.python_text"
local script = require "hybridlua.language.script_line"
local is_array, is_symbol = core.array.is, core.symbol.is

local nd = core.op.nd

local NAMES = { "learning_rate", "wd", "rescale_grad", "clip_gradient", "lr_scheduler", "begin_num_update",
                "multi_precision", "param_idx2name", "param_dict", "sym" }
local DEFAULTS = { wd = 0.0, rescale_grad = 1.0, begin_num_update = 0, multi_precision = false }

local function is_own(fn) return script.is_own(class.as_written(fn)) end

local function options_in(...)
  local last = select("#", ...) > 0 and (select(select("#", ...), ...))
  return type(last) == "table" and getmetatable(last) == nil and last or nil
end

-- A script's own init gets an optimizer that is already complete, made from the options among its arguments.
local function init_base(self, cls, ...)
  if is_own(cls.init) then return end
  local base = cls
  while not is_own(base.init) do base = rawget(base, "__base") end
  base.init(self, options_in(...) or {})
end

local being_made = setmetatable({}, { __mode = "k" })       -- optimizers whose init may still set the rate

-- learning_rate is computed when it is read; everything else comes from the class.
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
local UNSAID = { rescale_grad = true, begin_num_update = true }       -- set by the trainer

Optimizer.__tostring = function(self)
  local parts = {}
  for _, name in ipairs(self.arguments.names) do
    local value = self[name]
    if type(value) == "number" and not UNSAID[name] then parts[#parts + 1] = name .. "=" .. python.number(value) end
  end
  return ("%s(%s)"):format(class.of(self).__name__, table.concat(parts, ", "))
end

--- The reader of a rule's arguments: its own names, then the common ones.
function Optimizer.reader(name, names, defaults)
  for key, value in pairs(DEFAULTS) do if defaults[key] == nil then defaults[key] = value end end
  local all, own = table.move(names, 1, #names, 1, {}), {}
  for _, key in ipairs(names) do own[key] = true end
  for _, key in ipairs(NAMES) do if not own[key] then all[#all + 1] = key end end
  return arguments.new(name, all, defaults)
end

Optimizer.arguments = Optimizer.reader("Optimizer", {}, {})
Optimizer.default_learning_rate = 0.01

-- ---- Creation -----------------------------------------------------------------------------------

-- The rate and the scheduler: a given rate overwrites the scheduler's.
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

-- Options with a number as default, and those in NUMBERS, must be numbers.
local function check_numbers(self, options)
  for name, value in pairs(options) do
    if (NUMBERS[name] or type(self.arguments.defaults[name]) == "number") and type(value) ~= "number" then
      fail("%s: %s: expected a number, got %s", class.of(self).__name__, name,
        type(value) == "string" and ("'%s'"):format(value) or type(value))
    end
  end
end

-- The arguments without the options of a script's own class, which become fields. A name similar to a known option
-- stays, to be rejected.
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

--- Options of every rule: learning_rate; lr_scheduler, called with the number of updates; wd, the weight decay;
-- rescale_grad, a factor of the gradients; clip_gradient, their largest magnitude after that; begin_num_update;
-- multi_precision (update float16 weights in float32); param_idx2name and param_dict, names and Parameters by index.
function Optimizer:init(...)
  local options = self.arguments(take_own(self, ...))
  check_numbers(self, options)
  if options.sym ~= nil and not is_symbol(options.sym) then
    fail("%s: sym: expected a Symbol, got %s", class.of(self).__name__, type(options.sym))
  end
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

--- The current learning rate. With a scheduler it depends on the number of updates.
function Optimizer:get_learning_rate()
  local scheduler = rawget(self, "lr_scheduler")
  if scheduler then return scheduler(self.num_update) end
  return rawget(self, "lr")
end

--- Sets the learning rate. Errors: the optimizer has a scheduler.
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

-- Adds the multipliers that variables of the option sym have: sym.var(name, {lr_mult = 0}).
local function add_attributes(self, attribute, into)
  for name, attributes in pairs(self.sym and self.sym:attr_dict() or {}) do
    into[name] = tonumber(attributes[attribute]) or into[name]
  end
end

--- Sets multipliers of the learning rate, by name or index of the parameter.
function Optimizer:set_lr_mult(multipliers)
  check_multipliers("set_lr_mult", multipliers)
  self.lr_mult = {}
  add_attributes(self, "__lr_mult__", self.lr_mult)
  for key, value in pairs(multipliers) do self.lr_mult[key] = value end
end

local function decays(name) return name:find "_weight$" or name:find "_gamma$" end

--- Sets multipliers of the weight decay. Without one, a parameter named by param_idx2name decays only if it is a weight
-- or gamma.
function Optimizer:set_wd_mult(multipliers)
  check_multipliers("set_wd_mult", multipliers)
  self.wd_mult = {}
  for _, name in pairs(self.idx2name) do
    if not decays(name) then self.wd_mult[name] = 0.0 end
  end
  add_attributes(self, "__wd_mult__", self.wd_mult)
  for key, value in pairs(multipliers) do self.wd_mult[key] = value end
end

-- The multiplier of a Parameter is its own; otherwise it is looked up by index and by name.
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

--- The state of a parameter: nil, an array or a list of arrays. Rules with a state override it.
function Optimizer:create_state() return nil end

local function in_two_precisions(self, weight) return self.multi_precision and weight.dtype == "float16" end

--- Like create_state; with multi_precision a float16 weight has a float32 copy: { copy, state }.
function Optimizer:create_state_multi_precision(index, weight)
  if not in_two_precisions(self, weight) then return self:create_state(index, weight) end
  local copy = weight:astype "float32"
  return { copy, self:create_state(index, copy) }
end

--- Like update, for such states.
function Optimizer:update_multi_precision(index, weight, grad, state)
  if not in_two_precisions(self, weight) then return self:update(index, weight, grad, state) end
  self:update(index, state[1], grad:astype "float32", state[2])
  weight:set(state[1])
end

--- Counts an update and returns its learning rate and decay. It calls few methods: their lookup (see new) would be
-- noticeable in the update of a small array.
local function rates(self, index)
  count_update(self, index)
  local param = self.param_dict[index]
  local lr = rawget(self, "lr_scheduler") and self:get_learning_rate() or rawget(self, "lr")
  if param then return lr * param.lr_mult, self.wd * param.wd_mult end
  return lr * multiplier(self, index, "lr_mult"), self.wd * multiplier(self, index, "wd_mult")
end

--- For update: counts it and returns the common options of all update operators, in one table that the next call
-- reuses. Of these, lr, wd and, for operators that have it, t (the number of the update) may differ between parameters.
function Optimizer:_begin(index, weight)
  local call = self._call
  call.out = weight
  call.lr, call.wd = rates(self, index)
  call.rescale_grad, call.clip_gradient = self.rescale_grad, rawget(self, "clip_gradient")
  return call
end

--- Counts the update and returns the operator's name and options for a parameter, from step.
function Optimizer:_step(index, weight, state)
  local call = self:_begin(index, weight)
  local operator = self:step(call, state, index)
  if type(operator) ~= "string" then
    fail("%s: step: expected the name of an update operator, got %s", class.of(self).__name__, tostring(operator))
  end
  return operator, call
end

--- Changes the weight and the state. Override it, or define step.
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

--- Zeros like the weight: a list of n arrays, or one array if n is nil.
function Optimizer.zeros(weight, n)
  if not n then return nd.zeros_like(weight) end
  local list = {}
  for i = 1, n do list[i] = nd.zeros_like(weight) end
  return list
end

--- Numbers, in addition to the states, that a later run needs to continue in the same way; Updater:get_states reads
-- them, set_numbers restores them.
function Optimizer:get_numbers()
  return { num_update = self.num_update, learning_rate = not self.lr_scheduler and self.lr or nil }
end

function Optimizer:set_numbers(numbers)
  self.num_update = numbers.num_update or self.num_update
  if not self.lr_scheduler then self.lr = numbers.learning_rate or self.lr end
end

-- Returns define(name, names of options, their defaults, learning rate), which makes a rule's class and adds it to
-- `rules`.
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
