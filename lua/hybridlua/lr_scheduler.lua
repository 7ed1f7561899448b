-- lr_scheduler.lua - learning rates that change with the number of updates.
--
-- scheduler(num_update) returns the rate; in training num_update counts from 1. Errors: a num_update that is negative
-- or not finite. During warmup_steps the rate grows from warmup_begin_lr to base_lr (warmup_mode "linear"), or stays at
-- warmup_begin_lr ("constant").
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local lr_scheduler = {}

local WARMUP = { "warmup_steps", "warmup_begin_lr", "warmup_mode" }
local DEFAULTS = { base_lr = 0.01, warmup_steps = 0, warmup_begin_lr = 0, warmup_mode = "linear" }

-- ---- The base ---------------------------------------------------------------------------------

--- LRScheduler(base_lr = 0.01, warmup_steps = 0, warmup_begin_lr = 0, warmup_mode = "linear"). To write your own
-- schedule, define LRScheduler:subclass "Mine" with rate(num_update).
local LRScheduler = class.root("LRScheduler", class.new, "scheduler")
lr_scheduler.LRScheduler = LRScheduler

-- The reader of a class's arguments: its own, including base_lr, then the warmup's.
local function reader(name, names, defaults, list)
  for key, value in pairs(DEFAULTS) do if defaults[key] == nil then defaults[key] = value end end
  return arguments.new(name, table.move(WARMUP, 1, #WARMUP, #names + 1, names), defaults, list)
end

LRScheduler.arguments = reader("LRScheduler", { "base_lr" }, {})

local function is_integer(x) return math.tointeger(x) ~= nil end

local NUMBERS = { "base_lr", "warmup_steps", "warmup_begin_lr", "factor", "stop_factor_lr", "max_update", "pwr",
  "final_lr" }

function LRScheduler:init(...)
  local options = self.arguments(...)
  for _, name in ipairs(NUMBERS) do
    if options[name] ~= nil then checks.number(("%s: %s"):format(class.of(self).__name__, name), options[name]) end
  end
  for name, value in pairs(options) do self[name] = value end
  self:rebase(self.base_lr)
  if not is_integer(self.warmup_steps) or self.warmup_steps < 0 then fail "Warmup steps has to be positive or 0" end
  if self.warmup_begin_lr > self.base_lr then fail "Base lr has to be higher than warmup_begin_lr" end
  if self.warmup_mode ~= "linear" and self.warmup_mode ~= "constant" then
    fail "Supports only linear and constant modes of warmup"
  end
end

--- Sets another base rate.
function LRScheduler:rebase(lr)
  self.base_lr, self.base_lr_orig, self.warmup_final_lr = lr, lr, lr
end

--- The rate during the warmup.
function LRScheduler:get_warmup_lr(num_update)
  if self.warmup_mode == "constant" then return self.warmup_begin_lr end
  return self.warmup_begin_lr + (self.warmup_final_lr - self.warmup_begin_lr) * num_update / self.warmup_steps
end

--- The rate after the warmup. Subclasses define it.
function LRScheduler:rate() fail("%s: rate is not defined", class.of(self).__name__) end

function LRScheduler:__call(num_update)
  if math.type(num_update) == nil or not (num_update >= 0 and num_update < math.huge) then
    fail("%s: num_update: expected a number of 0 or more, got %s", class.of(self).__name__, tostring(num_update))
  end
  if num_update < self.warmup_steps then return self:get_warmup_lr(num_update) end
  return self:rate(num_update)
end

-- ---- Steps ------------------------------------------------------------------------------------

--- FactorScheduler(step, factor = 1, stop_factor_lr = 1e-8, base_lr = 0.01, ...): multiplies the rate by factor every
-- `step` updates, down to stop_factor_lr.
local FactorScheduler = LRScheduler:subclass "FactorScheduler"
lr_scheduler.FactorScheduler = FactorScheduler
FactorScheduler.arguments = reader("FactorScheduler", { "step", "factor", "stop_factor_lr", "base_lr" },
  { factor = 1, stop_factor_lr = 1e-8 })

local function check_factor(factor)
  if factor > 1 then fail "Factor must be no more than 1 to make lr reduce" end
end

function FactorScheduler:init(...)
  LRScheduler.init(self, ...)
  if not is_integer(self.step) or self.step < 1 then fail "Schedule step must be greater or equal than 1 round" end
  check_factor(self.factor)
  self.count = 0
end

-- In training, the rate is multiplied by the factor once per step. For a jump over more steps than this it is
-- multiplied by a power, and may differ in the last digits.
local MOST_PRODUCTS = 100000

function FactorScheduler:rate(num_update)
  local n = (math.ceil(num_update) - self.count - 1) // self.step      -- multiples of step passed since count
  if n <= 0 then return self.base_lr end
  self.count = self.count + n * self.step
  if n > MOST_PRODUCTS then
    self.base_lr = math.max(self.base_lr * core.number.power_of(self.factor, n), self.stop_factor_lr)
  else
    for _ = 1, n do self.base_lr = math.max(self.base_lr * self.factor, self.stop_factor_lr) end
  end
  return self.base_lr
end

--- MultiFactorScheduler(step, factor = 1, base_lr = 0.01, ...): multiplies the rate by factor after each of the numbers
-- of updates in the list `step`.
local MultiFactorScheduler = LRScheduler:subclass "MultiFactorScheduler"
lr_scheduler.MultiFactorScheduler = MultiFactorScheduler
MultiFactorScheduler.arguments = reader("MultiFactorScheduler", { "step", "factor", "base_lr" }, { factor = 1 }, true)

function MultiFactorScheduler:init(...)
  LRScheduler.init(self, ...)
  if type(self.step) ~= "table" or #self.step == 0 then
    fail "MultiFactorScheduler: step: expected a list of integers"
  end
  for i, step in ipairs(self.step) do
    if not is_integer(step) or step < 1 then fail "Schedule step must be greater or equal than 1 round" end
    if i > 1 and step <= self.step[i - 1] then fail "Schedule step must be an increasing integer list" end
  end
  check_factor(self.factor)
  self.passed = 0          -- the number of steps passed
end

function MultiFactorScheduler:rate(num_update)
  while self.passed < #self.step and num_update > self.step[self.passed + 1] do
    self.passed = self.passed + 1
    self.base_lr = self.base_lr * self.factor
  end
  return self.base_lr
end

-- ---- Curves from base_lr down to final_lr -------------------------------------------------------

local Curve = LRScheduler:subclass "Curve"

function Curve:init(...)
  LRScheduler.init(self, ...)
  if not is_integer(self.max_update) or self.max_update < 1 then
    fail "maximum number of updates must be strictly positive"
  end
  self.max_steps = self.max_update - self.warmup_steps
end

-- shape(done) falls from 1 to 0 as done, the fraction of updates made, grows from 0 to 1.
function Curve:rate(num_update)
  if num_update <= self.max_update then
    local done = self.max_steps > 0 and (num_update - self.warmup_steps) / self.max_steps or 1
    self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * self:shape(done)
  end
  return self.base_lr
end

--- PolyScheduler(max_update, base_lr = 0.01, pwr = 2, final_lr = 0, ...): a power of the remaining fraction.
local PolyScheduler = Curve:subclass "PolyScheduler"
lr_scheduler.PolyScheduler = PolyScheduler
PolyScheduler.arguments = reader("PolyScheduler", { "max_update", "base_lr", "pwr", "final_lr" },
  { pwr = 2, final_lr = 0 })

function PolyScheduler:shape(done) return core.number.power_of(1 - done, self.pwr) end

--- CosineScheduler(max_update, base_lr = 0.01, final_lr = 0, ...): half a cosine wave.
local CosineScheduler = Curve:subclass "CosineScheduler"
lr_scheduler.CosineScheduler = CosineScheduler
CosineScheduler.arguments = reader("CosineScheduler", { "max_update", "base_lr", "final_lr" }, { final_lr = 0 })

function CosineScheduler:shape(done) return (1 + core.number.cos_of(math.pi * done)) / 2 end

-- ---- Plateaus -----------------------------------------------------------------------------------

local read_plateau = arguments.new("ReduceLROnPlateau",
  { "trainer", "mode", "factor", "patience", "threshold", "threshold_mode", "cooldown", "min_lr", "eps", "verbose" },
  { mode = "min", factor = 0.1, patience = 10, threshold = 1e-4, threshold_mode = "rel", cooldown = 0, min_lr = 0,
    eps = 1e-8, verbose = false })

--- ReduceLROnPlateau(trainer, {mode = "min", factor = 0.1, patience = 10, threshold = 1e-4, threshold_mode = "rel",
-- cooldown = 0, min_lr = 0, eps = 1e-8, verbose = false}): plateau:step(loss), called once per epoch, multiplies the
-- learning rate of a Trainer (or Optimizer) by factor when the loss has not improved for more than `patience` calls.
-- A loss is better if it is less ("min") or more ("max") than the best by the fraction `threshold` of it ("rel"), or by
-- threshold ("abs"). For `cooldown` calls after a reduction, bad losses do not count. The rate does not fall below
-- min_lr, and changes of less than eps are not made. It works like PyTorch's class.
local Plateau = class.root("ReduceLROnPlateau", class.new)
lr_scheduler.ReduceLROnPlateau = Plateau

function Plateau:init(...)
  for name, value in pairs(read_plateau(...)) do self[name] = value end
  local trainer = self.trainer
  if (type(trainer) ~= "table" and type(trainer) ~= "userdata") or not trainer.set_learning_rate then
    fail("ReduceLROnPlateau: trainer: expected a Trainer or an Optimizer, got %s", type(trainer))
  end
  checks.choice("ReduceLROnPlateau: mode", self.mode, "min", "max")
  checks.choice("ReduceLROnPlateau: threshold_mode", self.threshold_mode, "rel", "abs")
  if not (self.factor >= 0 and self.factor < 1) then
    fail("ReduceLROnPlateau: factor: expected a number from 0 to below 1, got %s", tostring(self.factor))
  end
  self:reset()
end

--- Resets the best value and the counts.
function Plateau:reset()
  self.best = self.mode == "min" and math.huge or -math.huge
  self.num_bad_epochs, self.cooldown_counter, self.last_epoch = 0, 0, 0
end

--- Whether `value` is better than the best so far.
function Plateau:is_better(value)
  local by = self.threshold_mode == "rel" and math.abs(self.best) * self.threshold or self.threshold
  if self.best == math.huge or self.best == -math.huge then by = 0 end
  if self.mode == "min" then return value < self.best - by end
  return value > self.best + by
end

local function reduce(self)
  local before = self.trainer.learning_rate
  local rate = math.max(before * self.factor, self.min_lr)
  if before - rate <= self.eps then return false end
  self.trainer:set_learning_rate(rate)
  if self.verbose then
    io.stderr:write(("ReduceLROnPlateau: learning rate %g -> %g at call %d\n"):format(before, rate, self.last_epoch))
  end
  return true
end

--- Processes a measured value, a number or an array of one element; returns whether the rate was reduced.
function Plateau:step(value)
  if type(value) == "userdata" and value.asscalar then value = value:asscalar() end
  if type(value) ~= "number" then fail("ReduceLROnPlateau.step: value: expected a number, got %s", type(value)) end
  self.last_epoch = self.last_epoch + 1
  if self:is_better(value) then
    self.best, self.num_bad_epochs = value, 0
  else
    self.num_bad_epochs = self.num_bad_epochs + 1
  end
  if self.cooldown_counter > 0 then self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0 end
  if self.num_bad_epochs <= self.patience then return false end
  self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
  return reduce(self)
end

local KEPT = { "best", "num_bad_epochs", "cooldown_counter", "last_epoch" }

--- The state for a later run: a table of numbers, for load_state.
function Plateau:state()
  local state = {}
  for _, name in ipairs(KEPT) do state[name] = self[name] end
  return state
end

--- Restores the result of state().
function Plateau:load_state(state)
  for _, name in ipairs(KEPT) do self[name] = checks.number("ReduceLROnPlateau.load_state: " .. name, state[name]) end
end

arguments.methods(Plateau, "ReduceLROnPlateau.",
  { step = "value", reset = "", is_better = "value", state = "", load_state = "state{}" })
arguments.methods(LRScheduler, "LRScheduler.", { rebase = "lr", get_warmup_lr = "num_update" })

return require "hybridlua.language.module"(lr_scheduler, "hybridlua.lr_scheduler")
