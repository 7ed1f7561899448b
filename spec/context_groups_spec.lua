-- context_groups_spec.lua - group2ctx: executors whose arrays are in the contexts of their groups.
local hl = require "hybridlua"
require "spec.support.helper"
local nd, sym, cpu = hl.nd, hl.sym, hl.cpu

local function network()
  local hidden = hl.AttrScope({ ctx_group = "stage1" }, function()
    local layer = sym.FullyConnected(sym.var "data", { num_hidden = 4, name = "fc1" })
    return sym.BatchNorm(layer, { name = "bn", fix_gamma = false })
  end)
  return hl.AttrScope({ ctx_group = "stage2" }, function()
    return sym.FullyConnected(hidden, { num_hidden = 3, name = "fc2" })
  end)
end

local GROUPS = { stage1 = cpu(1), stage2 = cpu(2) }

local function bound(net, options)
  options.data = { 2, 5 }
  local executor = net:simple_bind(cpu(0), options)
  hl.random.seed(3)
  for _, name in ipairs(net:list_arguments()) do
    local array = executor.arg_dict[name]
    array:set(nd.random.uniform { shape = array.shape })
  end
  return executor
end

local function here(array) return array:as_in_context(cpu(0)) end

describe("group2ctx", function()
  it("places arrays, gradients, states and outputs in simple_bind, without changing a bit", function()
    local net = network()
    local placed, plain = bound(net, { group2ctx = GROUPS }), bound(net, {})
    for name, array in pairs(placed.arg_dict) do
      local wanted = name:find "^fc2" and cpu(2) or cpu(1)
      assert.equal(wanted, array.context, name)
      assert.equal(wanted, placed.grad_dict[name].context, name)
      assert.equal(cpu(0), plain.arg_dict[name].context)
    end
    for _, array in pairs(placed.aux_dict) do assert.equal(cpu(1), array.context) end
    for _ = 1, 2 do
      local y, z = placed:forward { is_train = true }[1], plain:forward { is_train = true }[1]
      assert.equal(cpu(2), y.context)
      assert.bits(here(y), z)
      placed:backward(nd.ones({ 2, 3 }, { ctx = cpu(2) }))
      plain:backward(nd.ones { 2, 3 })
      for name, array in pairs(plain.grad_dict) do assert.bits(here(placed.grad_dict[name]), array) end
      for name, array in pairs(plain.aux_dict) do assert.bits(here(placed.aux_dict[name]), array) end
    end
    placed:backward(nd.ones { 2, 3 })                          -- from another context
    assert.is_true(plain.aux_dict.bn_moving_mean:abs():sum():asscalar() > 0)
    assert.equal(cpu(2), placed:reshape { data = { 6, 5 } }:forward()[1].context)
  end)

  it("allows other contexts in bind", function()
    local a = hl.AttrScope({ ctx_group = "stage1" }, function() return sym.var "a" end)
    local s = a + sym.var "b"
    local arrays = { a = nd.ones({ 2 }, { ctx = cpu(1) }), b = nd.ones { 2 } }
    for _, executor in ipairs { s:bind(cpu(0), arrays, { group2ctx = GROUPS }),
      s:bind { ctx = cpu(0), args = arrays, group2ctx = GROUPS } } do
      assert.same({ 2, 2 }, executor:forward()[1]:totable())
    end
    assert.raises(function() s:bind(cpu(0), arrays) end, "expected an array in context cpu%(0%)")
  end)

  it("needs a context for each group", function()
    local net = network()
    assert.raises(function() bound(net, { group2ctx = { stage1 = cpu(1) } }) end,
      "simple_bind: group2ctx: there is no context for the group 'stage2'")
    assert.raises(function() bound(net, { group2ctx = { stage1 = 1 } }) end, "group2ctx: stage1: expected a context")
    assert.raises(function() bound(net, { group2ctx = 3 }) end, "group2ctx: expected a table of contexts")
  end)
end)
