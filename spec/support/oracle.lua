-- oracle.lua - runs the cases of spec/oracle: the calls as a script writes them, the graphs that MXNet wrote evaluated,
-- and the same bound to arrays. Each gives { outputs, grads = by input from 0, aux = by input from 0 }.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local oracle = { cases = dofile "spec/oracle/cases.lua" }
local arrays = nd.load "spec/oracle/ops.params"

local function list(x) return type(x) == "table" and x or { x } end

--- What MXNet has for NAME/in0 and the like.
function oracle.stored(case, what, i) return arrays[("%s/%s%d"):format(case.name, what, i)] end

-- Fresh copies of a case's arrays NAME/in0 ..., in order.
local function take(case, what)
  local taken = {}
  for i = 0, math.huge do
    local array = oracle.stored(case, what, i)
    if not array then return taken end
    taken[i + 1] = array:copy()
  end
end

-- The chosen inputs, by their number from 0.
local function chosen(numbers, array_of)
  local by_number = {}
  for _, i in ipairs(numbers) do by_number[i] = array_of(i) end
  return by_number
end

--- The call as a script writes it, its parameters as MXNet stores them.
function oracle.called(case)
  local inputs, heads = take(case, "in"), take(case, "head")
  for _, i in ipairs(case.grads) do inputs[i + 1]:attach_grad() end
  local arguments = { table.unpack(inputs) }
  arguments[#arguments + 1] = case.attrs
  local function call() return list(nd[case.call](table.unpack(arguments))) end
  local outputs
  if #case.grads > 0 then
    outputs = autograd.record(call, { train_mode = case.train_mode })
    autograd.backward(outputs, heads)
  else
    outputs = (case.train_mode and autograd.train_mode or autograd.predict_mode)(call)
  end
  return {
    outputs = outputs,
    grads = chosen(case.grads, function(i) return inputs[i + 1].grad end),
    aux = chosen(case.mutated, function(i) return inputs[i + 1] end),
  }
end

--- May the case's graph be evaluated? That is prediction.
function oracle.can_evaluate(case) return not (case.train_mode and core.op(case.op).train) end

--- The graph that MXNet wrote, evaluated.
function oracle.evaluated(case)
  local graph, values = sym.load_json(case.symbol), {}
  for i, x in ipairs(take(case, "in")) do values["in" .. (i - 1)] = x end
  return { outputs = graph:eval(values), grads = {}, aux = {} }
end

--- May it be bound? Its shapes must follow from those of its inputs.
function oracle.can_bind(case) return not core.op(case.op).dynamic end

--- The same graph bound to the arrays.
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

return oracle
