-- oracle_spec.lua - what MXNet 1.9.1 computed, by the same calls: operators one by one (as
-- functions of nd, as graphs from JSON, bound), whole exported models, files of all ages.
-- The arrays and tolerances are those of spec/oracle; see its README.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local oracle = require "support.oracle"
local nd, sym = hl.nd, hl.sym

-- Where MXNet itself is off, by its own note: the gradient that is right. (Where it has
-- constants of float32 in float64 code, the case's tolerance says so.)
local right_gradient = {
  -- MXNet computes lambda * (alpha + y) for x < 0; the derivative is y + lambda * alpha
  ["LeakyReLU.selu-0"] = function(x)
    local alpha, lambda = 1.6732632423543772, 1.0507009873554805
    return nd.where(x:greater(0), nd.ones_like(x) * lambda, nd.exp(x) * (alpha * lambda))
  end,
}

local function check(case, what, i, actual, expected)
  expected = expected or oracle.stored(case, what, i)
  assert.equal(expected.dtype, actual.dtype, what .. i)
  assert.allclose(actual, expected, case.rtol, case.atol)
end

local function check_result(case, result)
  assert.equal(case.outputs, #result.outputs)
  for i, y in ipairs(result.outputs) do check(case, "out", i - 1, y) end
  local right = right_gradient[case.name]
  for i, g in pairs(result.grads) do
    check(case, "grad", i, g, right and right(oracle.stored(case, "in", i)) * oracle.stored(case, "head", 0))
  end
  for i, x in pairs(result.aux) do check(case, "aux", i, x) end
end

describe("MXNet 1.9.1 agrees:", function()
  local waiting, order = {}, {}
  for _, case in ipairs(oracle.cases) do
    if not core.op(case.op) then
      if not waiting[case.op] then order[#order + 1] = case.op end
      waiting[case.op] = true
    else
      it(case.name .. ", called", function() check_result(case, oracle.called(case)) end)
      if oracle.can_evaluate(case) then
        it(case.name .. ", evaluated", function() check_result(case, oracle.evaluated(case)) end)
      end
      if oracle.can_bind(case) then
        it(case.name .. ", bound", function() check_result(case, oracle.bound(case)) end)
      end
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
      -- a label, which predictions do not need
      if not values[name] then values[name] = nd.zeros { io.in0.shape[1] } end
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
    resnet_thin = { "models/resnet_thin-symbol.json", "models/resnet_thin-0000.params",
      "models/resnet_thin-io.params" },
    ["mlp, as v0.11 wrote it"] = { "legacy/mlp-v0.11-symbol.json", "models/mlp-0000.params", "models/mlp-io.params" },
    ["conv, as v0.8 wrote it"] = { "legacy/conv-v0.8-symbol.json", "legacy/conv-v0.8-0000.params",
      "legacy/conv-v0.8-io.params" },
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
