-- step_export.lua - the training steps of a compiled function as a graph of Symbols, for files and loops.
--
-- The function is traced once more. Instead of nodes for an executable (step_nodes.lua), backward builds the nodes of
-- the gradients, and an update becomes a node contrib.update_weights: it writes the weights and their states, and reads
-- the input `numbers` (src/ops/train/weights_update.c). clip_global_norm becomes a node contrib.clip_global_norm, which
-- gives the clipped gradients and their norm; zero_grad sets gradients to zeros; set_learning_rate adds nothing, since
-- learning rates are numbers. Other steps call Lua, and are refused.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"

local sym = core.op.sym

local StepExport = class.root("StepExport", class.new)

--- StepExport(name): name: that of the compiled function, for errors.
function StepExport:init(name)
  self.name = name
  self.gradients = {}            -- by the Parameter's array: a Symbol; false: zeros
  self.tokens = {}               -- the outputs of the updates
  self.norms = {}                -- those of gradients before they are clipped
  self.arrays = {}               -- by name: the states, and the numbers of each update's next call
end

local function refuse(self, format, ...)
  fail("%s: export: " .. format, self.name, ...)
end

local ADDS = "Parameter '%s' has grad_req 'add', so its gradient depends on earlier calls; call zero_grad in the \z
  step, before backward"

-- The gradient of a Parameter so far; fails with this text if there is none.
local function gradient_of(self, param, format, ...)
  local gradient = self.gradients[param._array]
  if gradient == false then return sym.zeros_like(param:var()) end
  return gradient or refuse(self, format, param.name, ...)
end

-- Adds the gradients of the heads. params: the Parameters that the trace has read.
local function add_backward(self, heads, params)
  local wanted, variables, reached = {}, {}, {}
  for _, name in ipairs(sym.Group(heads):list_arguments()) do reached[name] = true end
  for _, param in ipairs(params) do
    if param.grad_req ~= "null" and reached[param.name] then
      wanted[#wanted + 1], variables[#variables + 1] = param, param:var()
    end
  end
  if #wanted == 0 then return end
  for i, gradient in ipairs(core.symbol.grad(heads, variables)) do
    local param = wanted[i]
    if param.grad_req == "add" then gradient = gradient_of(self, param, ADDS) + gradient end
    self.gradients[param._array] = gradient
  end
end

local function parameters_of(self, weights, params, format, ...)
  local list, by_array = {}, {}
  for _, param in ipairs(params) do by_array[param._array] = param end
  for i, weight in ipairs(weights) do list[i] = by_array[weight] or refuse(self, format, ...) end
  return list
end

-- weights: false for a gradient that belongs to none.
local function add_clip(self, line, params, weights, options)
  local operands = {}
  for i, param in ipairs(parameters_of(self, weights, params, "clip_global_norm at %s: expected gradients of \z
    parameters that the function reads and whose gradients it requests (param:grad()), got others", line)) do
    operands[i] = gradient_of(self, param, "Parameter '%s' is not reached by backward before clip_global_norm at %s",
      line)
  end
  operands[#operands + 1] = { max_norm = options[1], num_arrays = #weights }
  local clipped = sym.contrib.clip_global_norm(table.unpack(operands))
  for i, weight in ipairs(weights) do self.gradients[weight] = clipped[i] end
  self.norms[#self.norms + 1] = clipped[#weights + 1]
end

local function variable(name, array) return sym.var(name, { shape = array.shape, dtype = array.dtype }) end

-- numbers: those of the next update.
local function add_update(self, what, line, params, operator, weights, states, numbers)
  local operands, n_states = {}, 0
  for i, param in ipairs(parameters_of(self, weights, params,
    "a parameter of the trainer is not used by the function")) do
    operands[#operands + 1] = param:var()
    operands[#operands + 1] =
      gradient_of(self, param, "Parameter '%s' is not reached by backward before %s at %s", what, line)
    local state = states[i]
    local list = core.array.is(state) and { state } or state or {}
    n_states = #list
    for k, array in ipairs(list) do
      local name = ("%s_state%d"):format(param.name, k - 1)
      operands[#operands + 1] = variable(name, array)
      self.arrays[name] = array
    end
  end
  local name = "numbers" .. (#self.tokens > 0 and #self.tokens or "")
  self.arrays[name] = numbers
  operands[#operands + 1] = variable(name, numbers)
  operands[#operands + 1] = { rule = operator, num_weights = #weights, states = n_states }
  self.tokens[#self.tokens + 1] = sym.contrib.update_weights(table.unpack(operands))
end

--- Adds a step of the trace: see add in step_nodes.lua. params: the Parameters that the trace has read so far.
function StepExport:add(step, harmless, params)
  if step.heads then
    if step.on_tape then refuse(self, "backward at %s has head gradients, or records its gradients", step.line) end
    return add_backward(self, step.heads, params)
  end
  if step.what == "set_learning_rate" and harmless then return end
  local found = step.describe and table.pack(step.describe(true)) or {}
  if not found[1] then
    refuse(self, "expected steps that are operators, got %s at %s, which calls Lua%s; export the network " ..
      "(net:export) and compile the step where it trains", step.what, step.line, found[2] and ": " .. found[2] or "")
  end
  if found[1] == "clip_global_norm" then return add_clip(self, step.line, params, found[2], found[3]) end
  if found[1] ~= "zero_grad" then return add_update(self, step.what, step.line, params, table.unpack(found, 1, 4)) end
  for _, weight in ipairs(found[2]) do self.gradients[weight] = false end
end

return StepExport
