-- functions/contrib.lua - nd.contrib.isnan and related functions, which MXNet writes on top of operators:
-- rand_zipfian, multi_adamw_update.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local control = require "hybridlua.functions.loops"
local nd = core.op.nd

local functions = {}

local function reader(name)
  local what = "contrib." .. name
  local read = arguments.new(what, { "data" })
  return function(...) return operand.check(what, "data", read(...).data) end
end

local data_of_isnan, data_of_isinf, data_of_isfinite = reader "isnan", reader "isinf", reader "isfinite"

--- 1 where an element is NaN, else 0, in data's dtype. nd.isnan returns bools.
function functions.isnan(...)
  local x = data_of_isnan(...)
  return nd.broadcast_not_equal(x, x)
end

--- 1 where an element is infinite, of either sign, else 0, in data's dtype. nd.isinf returns bools.
function functions.isinf(...) return nd.abs(data_of_isinf(...)):equal(math.huge) end

--- 1 where an element is neither infinite nor NaN, else 0, in data's dtype. nd.isfinite returns bools.
function functions.isfinite(...)
  local x = data_of_isfinite(...)
  return nd.broadcast_logical_and(nd.broadcast_equal(x, x), nd.abs(x):not_equal(math.huge))
end

-- ---- Sampled classes ----------------------------------------------------------------------------------------------

local read_zipfian = arguments.new("contrib.rand_zipfian", { "true_classes", "num_sampled", "range_max", "ctx" })

--- rand_zipfian(true_classes, num_sampled, range_max): classes drawn with replacement, class k with the probability
-- log((k + 2) / (k + 1)) / log(range_max + 1), for sampled softmax. Returns a table of three: the int64 samples,
-- (num_sampled), and the expected counts, float64, of the true classes and of the samples.
function functions.rand_zipfian(...)
  local what, o = "contrib.rand_zipfian", read_zipfian(...)
  local classes = operand.check(what, "true_classes", o.true_classes)
  local count = operand.integer(what, "num_sampled", o.num_sampled, 1)
  local range = operand.integer(what, "range_max", o.range_max, 1)
  local log_range = math.log(range + 1)
  local function expected(class) return nd.log((class + 2) / (class + 1)) / log_range * count end
  local F = core.symbol.is(classes) and core.op.sym or nd
  local drawn = F.random.uniform(0, log_range, { shape = { count }, dtype = "float64", ctx = o.ctx })
  local samples = nd.cast(nd.exp(drawn) - 1, { dtype = "int64" }) % range
  local of_true = expected(nd.cast(classes, { dtype = "float64" }))
  return { samples, of_true, expected(nd.cast(samples, { dtype = "float64" })) }
end

-- ---- AdamW of several weights -----------------------------------------------------------------------------------

local read_adamw = arguments.new("contrib.multi_adamw_update", { "weights", "grads", "mean", "var", "rescale_grad",
  "lrs", "wds", "etas", "out", "name", "size", "beta1", "beta2", "epsilon", "clip_gradient" })

--- multi_adamw_update(weights, grads, mean, var, rescale_grad, lrs, wds, etas): adamw_update of several weights in one
-- call, with lists of arrays and a number or an array of one number as rescale_grad. Options: out (a list of arrays),
-- size, beta1, beta2, epsilon, clip_gradient. Returns the new weights. Errors: lists of different lengths.
function functions.multi_adamw_update(...)
  local what, o, operands = "contrib.multi_adamw_update", read_adamw(...), {}
  if type(o.weights) ~= "table" or operand.is(o.weights) then
    fail("%s: weights: expected a list of arrays, got %s", what, operand.got(o.weights))
  end
  local n = o.size or #o.weights
  for i = 1, n do
    for _, param in ipairs { "weights", "grads", "mean", "var" } do
      local list = o[param]
      if type(list) ~= "table" or operand.is(list) then
        fail("%s: %s: expected a list of %d arrays, got %s", what, param, n, operand.got(list))
      end
      operands[#operands + 1] = operand.check(what, ("%s[%d]"):format(param, i), list[i])
    end
  end
  local scale = o.rescale_grad
  if type(scale) == "number" then
    scale = nd.full({ 1 }, scale, { dtype = operands[1].dtype, ctx = operands[1].context })
  end
  operands[#operands + 1] = operand.check(what, "rescale_grad", scale)
  local call = { num_weights = n }
  for _, param in ipairs { "lrs", "wds", "etas", "out", "name", "beta1", "beta2", "epsilon", "clip_gradient" } do
    call[param] = o[param]
  end
  operands[#operands + 1] = call
  return nd._multi_adamw_update(table.unpack(operands))
end

for name, fn in pairs(control.functions) do functions[name] = fn end

return { namespace = "contrib", functions = functions }
