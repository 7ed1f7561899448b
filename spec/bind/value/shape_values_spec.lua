-- shape_values_spec.lua - shapes of arrays, Symbols in traces and parameters as values. They print like Python's
-- tuples, compare by ==, explain indexing at [0], and serve as plain tables.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

describe("a shape", function()
  it("prints as a tuple, alone and in messages", function()
    assert.equal("(2, 3)", tostring(nd.ones { 2, 3 }.shape))
    assert.equal("(3,)", tostring(nd.ones { 3 }.shape))
    assert.equal("()", tostring(nd.zeros {}.shape))
    assert.equal("shape: (2, 0, 3)!", "shape: " .. nd.ones { 2, 0, 3 }.shape .. "!")
    assert.equal("(3, 0)", tostring(nn.Dense(3).weight.shape))
    local shapes = sym.FullyConnected(sym.var "x", { num_hidden = 4, name = "fc" }):infer_shape { x = { 2, 5 } }
    assert.equal("(2, 5) (4, 5) (4,)",
      table.concat({ tostring(shapes[1]), tostring(shapes[2]), tostring(shapes[3]) }, " "))
  end)

  it("equals shapes and tables with the same numbers", function()
    local x, y = nd.ones { 2, 3 }, nd.zeros { 2, 3 }
    assert.is_true(x.shape == y.shape)
    assert.is_true(x.shape == { 2, 3 })
    assert.is_true({ 2, 3 } == x.shape)
    assert.is_false(x.shape == { 3, 2 })
    assert.is_false(x.shape == { 2 })
    assert.is_true(x.shape ~= nd.zeros { 2, 3, 1 }.shape)
    assert.is_false(x.shape == "(2, 3)")
  end)

  it("explains how Lua counts for indices of 0 and below", function()
    local x = nd.ones { 2, 3 }
    assert.raises(function() return x.shape[0] end,
      "shape_values_spec.lua:%d+: shape%[0%]: .* counts from 1: write shape%[1%] for the first dimension")
    assert.raises(function() return x.shape[-1] end, "write shape%[2%] for the last dimension")
    assert.raises(function() return x.shape[-2] end, "write shape%[1%] for the same dimension")
    assert.raises(function() return x.shape[-3] end, "this one has indices 1 to 2")
    assert.raises(function() return x.shape() end,
                  "shape_values_spec.lua:%d+: shape is a field, not a method: write x.shape")
    assert.is_nil(x.shape[3])
    assert.is_nil(x.shape.first)
  end)

  it("serves as a plain table wherever tables are accepted", function()
    local x = nd.ones { 2, 3 }
    assert.equal(2, #x.shape)
    assert.same({ 2, 3 }, { table.unpack(x.shape) })
    local seen = {}
    for i, d in ipairs(x.shape) do seen[i] = d end
    assert.same({ 2, 3 }, seen)
    assert.equal("2x3", table.concat(x.shape, "x"))
    assert.bits(nd.zeros { 2, 3 }, nd.zeros(x.shape))
    assert.same({ 2, 3 }, nd.ones(6):reshape(x.shape).shape)
    assert.same({ 2, 3 }, nd.full(x.shape, 7).shape)
    assert.same({ 2, 3 }, nd.random.normal { shape = x.shape }.shape)
    assert.same({ 2, 3 }, sym.var("s", { shape = x.shape }).shape)
    assert.same({ 2, 3 }, gluon.Parameter("w", { shape = x.shape }).shape)
    assert.equal("1x6", table.concat(nd.reshape_like(nd.ones { 1, 6 }, nd.ones { 1, 6 }).shape, "x"))
    local copy = x.shape
    copy[1] = 9                                   -- a copy each time
    assert.equal("(2, 3)", tostring(x.shape))
  end)

  it("stays a shape in traces, as an argument, an upvalue and a field", function()
    local x, shape = nd.arange(6), nd.ones { 2, 3 }.shape
    local f = hl.compile(function(_, v, s)
      assert(tostring(s) .. tostring(v.shape) == (s[1] == 2 and "(2, 3)(6,)" or "(3, 2)(6,)"))
      return v:reshape(s)
    end)
    assert.same({ 2, 3 }, f(x, shape).shape)
    assert.same({ 3, 2 }, f(x, nd.ones { 3, 2 }.shape).shape)
    local g = hl.compile(function(_, v) return v:reshape(shape) end)
    assert.same({ 2, 3 }, g(x).shape)
    shape[1], shape[2] = 3, 2
    assert.same({ 3, 2 }, g(x).shape)
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init(s) self.to = s end
    function Net:hybrid_forward(_, v) return v:reshape(self.to) end
    local net = Net(nd.ones { 6, 1 }.shape)
    net:hybridize()
    assert.same({ 6, 1 }, net(x).shape)
  end)
end)
