-- oracle_spec.lua - what MXNet 1.9.1 computed, by the same calls: operators one by one (as
-- functions of nd, as graphs from JSON, bound), whole exported models, files of all ages.
-- The arrays and tolerances are those of spec/oracle; see its README.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local cases = dofile "spec/oracle/cases.lua"
local arrays = nd.load "spec/oracle/ops.params"

-- Where MXNet itself is off, by its own note: the gradient that is right. (Where it has
-- constants of float32 in float64 code, the case's tolerance says so.)
local right_gradient = {
  -- MXNet computes lambda * (alpha + y) for x < 0; the derivative is y + lambda * alpha
  ["LeakyReLU.selu-0"] = function(x)
    local alpha, lambda = 1.6732632423543772, 1.0507009873554805
    return nd.where(x:greater(0), nd.ones_like(x) * lambda, nd.exp(x) * (alpha * lambda))
  end,
}

local function list(x) return type(x) == "table" and x or { x } end

-- Fresh copies of a case's arrays NAME/in0 ..., in order.
local function take(case, what)
  local taken, i = {}, 0
  while arrays[("%s/%s%d"):format(case.name, what, i)] do
    taken[i + 1] = arrays[("%s/%s%d"):format(case.name, what, i)]:copy()
    i = i + 1
  end
  return taken
end

local function stored(case, what, i) return arrays[("%s/%s%d"):format(case.name, what, i)] end

local function check(case, what, i, actual)
  local expected = stored(case, what, i)
  assert.equal(expected.dtype, actual.dtype, what .. i)
  assert.allclose(actual, expected, case.rtol, case.atol)
end

local function check_outputs(case, outputs)
  assert.equal(case.outputs, #outputs)
  for i = 1, #outputs do check(case, "out", i - 1, outputs[i]) end
end

local function check_gradients(case, inputs)
  local right = right_gradient[case.name]
  for _, i in ipairs(case.grads) do
    if right then
      assert.allclose(inputs[i + 1].grad, right(stored(case, "in", i)) * stored(case, "head", 0), case.rtol, case.atol)
    else
      check(case, "grad", i, inputs[i + 1].grad)
    end
  end
end

-- The call as a script writes it, its parameters as MXNet stores them.
local function check_call(case)
  local inputs, heads = take(case, "in"), take(case, "head")
  for _, i in ipairs(case.grads) do inputs[i + 1]:attach_grad() end
  local arguments = { table.unpack(inputs) }
  arguments[#arguments + 1] = case.attrs
  local outputs
  if #case.grads > 0 then
    outputs = autograd.record(function() return list(nd[case.call](table.unpack(arguments))) end, { train_mode = case.train_mode })
    autograd.backward(outputs, heads)
  else
    local run = case.train_mode and autograd.train_mode or autograd.predict_mode
    outputs = run(function() return list(nd[case.call](table.unpack(arguments))) end)
  end
  check_outputs(case, outputs)
  check_gradients(case, inputs)
  for _, i in ipairs(case.mutated) do check(case, "aux", i, inputs[i + 1]) end
end

-- The graph that MXNet wrote, evaluated.
local function check_evaluated(case)
  local graph, values = sym.load_json(case.symbol), {}
  for i, x in ipairs(take(case, "in")) do values["in" .. (i - 1)] = x end
  check_outputs(case, graph:eval(values))
end

-- The same graph bound to the arrays.
local function check_bound(case)
  local graph, inputs = sym.load_json(case.symbol), take(case, "in")
  local args, aux, grads, is_aux = {}, {}, {}, {}
  for _, name in ipairs(graph:list_auxiliary_states()) do is_aux[name] = true end
  for i, x in ipairs(inputs) do
    local name = "in" .. (i - 1)
    if is_aux[name] then aux[name] = x else args[name] = x end
  end
  for _, i in ipairs(case.grads) do grads["in" .. i] = nd.zeros_like(inputs[i + 1]) end
  local executor = graph:bind(args, { args_grad = grads, aux_states = aux, grad_req = "write" })
  check_outputs(case, executor:forward { is_train = case.train_mode })
  if case.train_mode and #case.grads > 0 then
    executor:backward(take(case, "head"))
    for _, i in ipairs(case.grads) do inputs[i + 1] = { grad = grads["in" .. i] } end
    check_gradients(case, inputs)
  end
  for _, i in ipairs(case.mutated) do check(case, "aux", i, inputs[i + 1]) end
end

describe("MXNet 1.9.1 agrees:", function()
  local waiting, order = {}, {}
  for _, case in ipairs(cases) do
    if not core.op(case.op) then
      if not waiting[case.op] then order[#order + 1] = case.op end
      waiting[case.op] = true
    else
      it(case.name .. ", called", function() check_call(case) end)
      if not (case.train_mode and core.op(case.op).train) then it(case.name .. ", evaluated", function() check_evaluated(case) end) end
      if not core.op(case.op).dynamic then it(case.name .. ", bound", function() check_bound(case) end) end
    end
  end
  if #order > 0 then pending("operators that are not there yet: " .. table.concat(order, ", ")) end
end)

describe("models exported by MXNet 1.9.1", function()
  local function missing(file)
    for line in io.lines(file) do
      local op = line:match '"op": "([^"]+)"'
      if op and op ~= "null" and not core.op(op) then return op end
    end
  end

  -- The outputs of a graph for the inputs of NAME-io.params, by eval and by a bound executor.
  local function outputs_of(graph, params, io)
    local values = { data = io.in0 }
    for name, array in pairs(params) do values[name:gsub("^%a+:", "")] = array end
    for _, name in ipairs(graph:list_arguments()) do
      if not values[name] then values[name] = nd.zeros { io.in0.shape[1] } end             -- a label, which predictions do not need
    end
    local aux, args = {}, {}
    for _, name in ipairs(graph:list_auxiliary_states()) do aux[name] = values[name] end
    for _, name in ipairs(graph:list_arguments()) do args[name] = values[name] end
    return graph:eval(values)[1], graph:bind(args, { aux_states = aux, grad_req = "null" }):forward()[1]
  end

  local ORACLE = "spec/oracle/"
  for title, files in pairs {
    mlp = { "models/mlp-symbol.json", "models/mlp-0000.params", "models/mlp-io.params" },
    lenet = { "models/lenet-symbol.json", "models/lenet-0000.params", "models/lenet-io.params" },
    resnet_thin = { "models/resnet_thin-symbol.json", "models/resnet_thin-0000.params", "models/resnet_thin-io.params" },
    ["mlp, as v0.11 wrote it"] = { "legacy/mlp-v0.11-symbol.json", "models/mlp-0000.params", "models/mlp-io.params" },
    ["conv, as v0.8 wrote it"] = { "legacy/conv-v0.8-symbol.json", "legacy/conv-v0.8-0000.params", "legacy/conv-v0.8-io.params" },
  } do
    it("compute the same: " .. title, function()
      local lacking = missing(ORACLE .. files[1])
      if lacking then pending(title .. ": there is no " .. lacking .. " yet") return end
      local graph, params, io = sym.load(ORACLE .. files[1]), nd.load(ORACLE .. files[2]), nd.load(ORACLE .. files[3])
      local evaluated, bound = outputs_of(graph, params, io)
      assert.allclose(evaluated, io.out0, 1e-3, 1e-4)
      assert.bits(bound, evaluated)
    end)
  end
end)
