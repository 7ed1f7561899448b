-- oracle.lua - running the cases of spec/oracle: as eager calls, in a hybridized block, and as MXNet's graph evaluated,
-- bound to arrays, or saved and loaded here as a block. Each way returns { outputs, grads = by input from 0, aux = by
-- input from 0 }.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon

local oracle = { cases = dofile "spec/oracle/cases.lua" }
local arrays = nd.load "spec/oracle/ops.params"

local function list(x) return type(x) == "table" and x or { x } end

--- MXNet's array by its name, such as NAME/in0.
function oracle.stored(case, what, i) return arrays[("%s/%s%d"):format(case.name, what, i)] end

-- Correct gradients of cases whose note says that MXNet's are wrong. (Cases in which MXNet uses float32 constants in
-- float64 code have a larger tolerance instead.)
local right_gradient = {
  -- MXNet computes lambda * (alpha + y) for x < 0; the derivative is y + lambda * alpha.
  ["LeakyReLU.selu-0"] = function(x)
    local alpha, lambda = 1.6732632423543772, 1.0507009873554805
    return nd.where(x:greater(0), nd.ones_like(x) * lambda, nd.exp(x) * (alpha * lambda))
  end,
}

--- The expected value of a result: MXNet's, or the correct one if MXNet is wrong.
function oracle.expected(case, what, i)
  local right = what == "grad" and right_gradient[case.name]
  if right then return right(oracle.stored(case, "in", i)) * oracle.stored(case, "head", 0) end
  return oracle.stored(case, what, i)
end

--- Calls fn for each array of a result, such as fn(x, expected, "grad", 0).
function oracle.each(case, result, fn)
  for i, y in ipairs(result.outputs) do fn(y, oracle.expected(case, "out", i - 1), "out", i - 1) end
  for i, g in pairs(result.grads) do fn(g, oracle.expected(case, "grad", i), "grad", i) end
  for i, x in pairs(result.aux) do fn(x, oracle.expected(case, "aux", i), "aux", i) end
end

-- Fresh copies of a case's arrays NAME/in0 ..., in order.
local function take(case, what)
  local taken = {}
  for i = 0, math.huge do
    local array = oracle.stored(case, what, i)
    if not array then return taken end
    taken[i + 1] = array:copy()
  end
end

-- A table of array_of(i) for each number i.
local function chosen(numbers, array_of)
  local by_number = {}
  for _, i in ipairs(numbers) do by_number[i] = array_of(i) end
  return by_number
end

-- Runs call(inputs...) and computes the gradients that the case has.
local function run(case, call)
  local inputs, heads = take(case, "in"), take(case, "head")
  for _, i in ipairs(case.grads) do inputs[i + 1]:attach_grad() end
  local function outputs_of() return list(call(table.unpack(inputs))) end
  local outputs
  if #case.grads > 0 then
    outputs = autograd.record(outputs_of, { train_mode = case.train_mode })
    autograd.backward(outputs, heads)
  else
    outputs = (case.train_mode and autograd.train_mode or autograd.predict_mode)(outputs_of)
  end
  return {
    outputs = outputs,
    grads = chosen(case.grads, function(i) return inputs[i + 1].grad end),
    aux = chosen(case.mutated, function(i) return inputs[i + 1] end),
  }
end

-- Calls the operator in F with the parameters as MXNet stores them.
local function call_in(case, F, ...)
  local arguments = { ... }
  arguments[#arguments + 1] = case.attrs
  return F[case.call](table.unpack(arguments))
end

--- Runs a case in eager mode.
function oracle.called(case) return run(case, function(...) return call_in(case, nd, ...) end) end

--- Runs a case in a hybridized block.
function oracle.hybridized(case)
  local Case = gluon.HybridBlock:subclass "Case"
  function Case.hybrid_forward(_, F, ...) return call_in(case, F, ...) end
  local block = Case()
  block:hybridize()
  return run(case, block)
end

--- Runs MXNet's graph, saved to `file` and loaded as a block.
function oracle.reloaded(case, file)
  sym.load_json(case.symbol):save(file)
  local names = {}
  for i = 1, case.inputs do names[i] = "in" .. (i - 1) end
  return run(case, gluon.SymbolBlock.imports(file, names))
end

--- Evaluates MXNet's graph.
function oracle.evaluated(case)
  local graph, values = sym.load_json(case.symbol), {}
  for i, x in ipairs(take(case, "in")) do values["in" .. (i - 1)] = x end
  return { outputs = graph:eval(values), grads = {}, aux = {} }
end

--- Binds MXNet's graph to the arrays and runs it.
function oracle.bound(case)
  local graph, inputs = sym.load_json(case.symbol), take(case, "in")
  local args, aux, grads, is_aux = {}, {}, {}, {}
  for _, name in ipairs(graph:list_auxiliary_states()) do is_aux[name] = true end
  for i, x in ipairs(inputs) do
    local name = "in" .. (i - 1)
    if is_aux[name] then aux[name] = x else args[name] = x end
  end
  for _, i in ipairs(case.grads) do grads["in" .. i] = nd.zeros_like(inputs[i + 1]) end
  local executor = graph:bind(args, { args_grad = grads, aux_states = aux, grad_req = "write" })
  local outputs = executor:forward { is_train = case.train_mode }
  local has_backward = case.train_mode and #case.grads > 0
  if has_backward then executor:backward(take(case, "head")) end
  return {
    outputs = outputs,
    grads = chosen(has_backward and case.grads or {}, function(i) return grads["in" .. i] end),
    aux = chosen(case.mutated, function(i) return inputs[i + 1] end),
  }
end

--- The ways in which a case can run. An operator whose output shape depends on values is called only; evaluation is in
-- prediction mode.
function oracle.ways(case)
  local op = core.op.row(case.op)
  local ways = { "called" }
  if op.dynamic then return ways end
  if not (case.train_mode and op.train) then ways[2] = "evaluated" end
  return table.move({ "bound", "hybridized", "reloaded" }, 1, 3, #ways + 1, ways)
end

return oracle
