-- oracle_spec.lua - comparison with results of MXNet 1.9.1 for the same calls: single operators in all forms of
-- support/oracle.lua, and exported models. Arrays and tolerances are in spec/oracle; see its README.
local hl = require "hybridlua"
local oracle = require "support.oracle"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local function check_result(case, result)
  assert.equal(case.outputs, #result.outputs)
  oracle.each(case, result, function(actual, expected, what, i)
    assert.equal(expected.dtype, actual.dtype, what .. i)
    assert.allclose(actual, expected, case.rtol, case.atol)
  end)
end

describe("MXNet 1.9.1 agrees:", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)
  for _, case in ipairs(oracle.cases) do
    for _, way in ipairs(oracle.ways(case)) do
      it(case.name .. ", " .. way, function() check_result(case, oracle[way](case, folder.path .. "/case.json")) end)
    end
  end
  it("only one operator cannot be in a graph, because its output's shape depends on values", function()
    local eager = {}
    for _, case in ipairs(oracle.cases) do
      if #oracle.ways(case) < 3 then eager[case.op] = true end
    end
    assert.same({ _contrib_boolean_mask = true }, eager)
    local mask = hl.compile(function(F, x, m) return F.contrib.boolean_mask(x, m) end)
    assert.raises(function() mask(nd.ones { 2, 2 }, nd.ones { 2 }) end,
      "boolean_mask: the shape of its output depends on values")
  end)
end)

describe("models exported by MXNet 1.9.1", function()
  -- The outputs of a graph for the inputs in NAME-io.params, from eval and from a bound executor.
  local function outputs_of(graph, params, io)
    local values = { data = io.in0 }
    for name, array in pairs(params) do values[name:gsub("^%a+:", "")] = array end
    for _, name in ipairs(graph:list_arguments()) do
      -- predictions need no label
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
    it("give the same results: " .. title, function()
      local graph, params, io = sym.load(ORACLE .. files[1]), nd.load(ORACLE .. files[2]), nd.load(ORACLE .. files[3])
      local evaluated, bound = outputs_of(graph, params, io)
      assert.allclose(evaluated, io.out0, 1e-3, 1e-4)
      assert.bits(bound, evaluated)
    end)
  end
end)
