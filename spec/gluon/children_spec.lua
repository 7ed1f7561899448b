-- children_spec.lua - blocks in a plain table, which are children of the block with this table as a field.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, Block, HybridBlock = gluon.nn, gluon.Block, gluon.HybridBlock

local x = nd.array { { 1, -2, 3 }, { 0.5, 5, -6 } }

describe("blocks in plain tables", function()
  local Stack = HybridBlock:subclass "Stack"
  function Stack:init(n)
    self.layers = {}
    for i = 1, n do self.layers[i] = nn.Dense(3, { in_units = 3 }) end
    self.out = nn.Dense(2, { in_units = 3 })
  end
  function Stack:hybrid_forward(_, v)
    for _, layer in ipairs(self.layers) do v = layer(v) end
    return self.out(v)
  end

  local function paths(net)
    local list = {}
    for i, entry in ipairs(net:structural_params()) do list[i] = entry[1] end
    return table.concat(list, " ")
  end

  it("count as children for parameters, names, printing and hybridizing", function()
    local net = Stack(2, { prefix = "stack_" })
    assert.equal("stack_dense0_weight stack_dense0_bias stack_dense1_weight stack_dense1_bias stack_dense2_weight " ..
      "stack_dense2_bias",
                 table.concat(net:collect_params():keys(), " "))
    assert.equal("layers.1.weight layers.1.bias layers.2.weight layers.2.bias out.weight out.bias", paths(net))
    assert.equal("Stack(\n  (layers.1): Dense(3 -> 3, linear)\n  (layers.2): Dense(3 -> 3, linear)\n" ..
      "  (out): Dense(3 -> 2, linear)\n)",
                 tostring(net))
    net:initialize()
    local eager = net(x)
    net:hybridize()
    assert.truthy(net.layers[1]._active)
    assert.bits(eager, net(x))
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.5 })
    local before = net.layers[1].weight:data():copy()
    autograd.record(function() return net(x):sum() end):backward()
    trainer:step(1)
    assert.truthy((net.layers[1].weight:data() - before):abs():sum():asscalar() > 0)
  end)

  it("are saved and loaded by their positions in the table", function()
    local a, b, file = Stack(2), Stack(2), os.tmpname()
    a:initialize(hl.init.Normal(1))
    a:save_parameters(file)
    assert.truthy(nd.load(file)["layers.2.weight"])
    b:load_parameters(file)
    os.remove(file)
    assert.bits(a(x), b(x))
  end)

  it("can be named, nested and added later; they are ordered 1 to n, then by the text of keys", function()
    local net = Block:subclass "Nested"()
    net.parts = { z = nn.Dense(1), enc = { nn.Dense(2), nn.Dense(3), last = nn.Dense(4) }, 5, nn.Dense(6) }
    net.head = nn.Dense(7)
    net.parts.a = nn.Dense(8)
    net.parts.enc[3] = nn.Dense(9)
    local list = {}
    net:apply(function(b) list[#list + 1] = b._units or "net" end)
    assert.same({ 6, 8, 2, 3, 9, 4, 1, 7, "net" }, list)
    net.parts.enc = nil
    assert.equal(8, #net:collect_params():keys())
    net.parts = nil
    assert.equal(2, #net:collect_params():keys())
  end)

  it("discard compiled code when they change", function()
    local net = Stack(1)
    net:initialize(hl.init.One())
    net:hybridize()
    local v = nd.ones { 1, 3 }
    assert.allclose(net(v), { { 9, 9 } })
    assert.allclose(net(v), { { 9, 9 } })
    local two = nn.Dense(3, { in_units = 3 })
    two:initialize(hl.init.One())
    net.layers[2] = two
    assert.allclose(net(v), { { 27, 27 } })
    local other = nn.Dense(3, { in_units = 3, use_bias = false })
    other:initialize(hl.init.Zero())
    net.layers[2] = other                                   -- the number is unchanged
    assert.allclose(net(v), { { 0, 0 } })
    net.layers[2] = nil
    assert.allclose(net(v), { { 9, 9 } })
  end)

  it("discard compiled code in long tables too", function()
    local net = Stack(70)
    net:initialize(hl.init.Constant(1 / 3))
    net:hybridize()
    local v = nd.ones { 1, 3 }
    local before = net(v)
    net.layers[70] = nil
    assert.same(nil, net.layers[70])
    net.layers[1]:initialize(hl.init.Zero(), { force_reinit = true })
    assert.allclose(net(v), { { 0, 0 } })
    local last = nn.Dense(3, { in_units = 3 })
    last:initialize(hl.init.Constant(1 / 3))
    net.layers[1] = last
    assert.allclose(net(v), before)
  end)

  it("must be HybridBlocks if the parent is hybridized, and count once", function()
    local net = HybridBlock:subclass "Picky"()
    net.list = { nn.Dense(1), nn.Lambda "relu" }
    assert.raises(function() net:hybridize() end, "children_spec.lua:%d+", "must also be HybridBlock, but Lambda")
    net.list = { nn.Dense(1) }
    net:hybridize()
    net.list[2] = nn.Lambda "relu"
    assert.equal("list.1.weight list.1.bias", paths(net))
    assert.raises(function() net(nd.ones { 1, 1 }) end, "children_spec.lua:%d+", "must also be HybridBlock, but Lambda")
    local b = Block:subclass "Twice"()
    b.one = nn.Dense(1)
    b.list = { b.one, b.one }
    assert.equal("one.weight one.bias", paths(b))
    local inner = Block:subclass "Inner"()
    b.inner = inner
    inner.around = { b }                                    -- not a child of its child
    assert.equal("one.weight one.bias", paths(b))
  end)
end)
