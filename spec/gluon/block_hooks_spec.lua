-- block_hooks_spec.lua - hooks on blocks and on their operators.
local hl = require "hybridlua"
local mlp = require "support.mlp"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, HybridBlock = gluon.nn, gluon.HybridBlock

local x = nd.array { { 1, -2, 3 }, { 0.5, 5, -6 } }

describe("hooks", function()
  it("run before and after each call, with the same arrays, until detached", function()
    for _, hybridized in ipairs { false, true } do
      local layer, log = nn.Dense(2, { in_units = 3 }), setmetatable({}, {})
      layer:initialize()
      if hybridized then layer:hybridize() end
      local plain = layer(x)
      local before = layer:register_forward_pre_hook(function(b, input)
        assert(rawequal(b, layer) and rawequal(input, x))
        log[#log + 1] = "before"
      end)
      local after = layer:register_forward_hook(function(b, input, output)
        assert(rawequal(b, layer) and rawequal(input, x))
        log[#log + 1] = output
      end)
      assert.bits(layer(x), plain)
      assert.equal("before", log[1])
      assert.bits(log[2], plain)
      before:detach()
      layer(x)
      assert.equal(3, #log)
      after:detach()
      after:detach()
      layer(x)
      assert.equal(3, #log)
    end
  end)

  it("receive several inputs as a list, several outputs as arguments", function()
    local Two = HybridBlock:subclass "Two"
    function Two:hybrid_forward(_, a, b) return a + b, a - b end
    local two = Two()
    local seen
    two:register_forward_hook(function(_, inputs, sum, difference) seen = { #inputs, sum, difference } end)
    two(x, x)
    assert.equal(2, seen[1])
    assert.bits(seen[2], x + x)
    assert.bits(seen[3], x - x)
  end)

  it("can detach themselves", function()
    local layer, count, handle = nn.Activation "relu", 0, nil
    handle = layer:register_forward_hook(function() count = count + 1 handle:detach() end)
    layer:register_forward_hook(function() count = count + 10 end)
    layer(x)
    layer(x)
    assert.equal(21, count)
  end)

  it("do not run while shapes are inferred or graphs traced", function()
    local net, seen = mlp(), {}
    net[0].act:register_forward_hook(function(_, _, y) seen[#seen + 1] = y end)
    net(x)                                                      -- the first call infers the shapes
    assert.equal(1, #seen)
    assert.same({ 2, 4 }, seen[1].shape)
    local folder = scratch.folder()
    net:export(folder:file "net", { shapes = { data = { 1, 3 } } })
    folder:remove()
    assert.equal(1, #seen)
  end)
end)

describe("operator hooks", function()
  local function named_mlp()
    local net = nn.HybridSequential { prefix = "n_" }
    net:name_scope(function() net:add(nn.Dense(2, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(1)) end)
    net:initialize()
    return net
  end

  it("receive every output, eager and hybridized, and change nothing", function()
    for _, hybridized in ipairs { false, true } do
      local net, names, last = named_mlp(), {}, nil
      if hybridized then net:hybridize() end
      hl.random.seed(4)
      local expected = autograd.record(function() return net(x) + nd.random.normal(0, 1, { 2, 1 }) end)
      local handle = net:register_op_hook(function(name, op, array)
        names[#names + 1] = name .. " " .. op
        last = array
      end)
      hl.random.seed(4)
      local got, out
      autograd.record(function()
        out = net(x)
        got = out + nd.random.normal(0, 1, { 2, 1 })
      end)
      assert.same({ "n_dense0_fwd_output FullyConnected", "n_dense0_relu_fwd_output Activation",
                    "n_dropout0_fwd_output Dropout",
                    "n_dense1_fwd_output FullyConnected" }, names)
      assert.bits(expected, got)
      assert.bits(out, last)
      got:backward()
      handle:detach()
      net(x)
      assert.equal(4, #names)
    end
  end)

  it("also receive inputs, and reach the HybridBlocks in a Block", function()
    local plain, names = nn.Sequential(), {}
    plain:add(nn.Dense(2, { prefix = "d_" }))
    plain:initialize()
    local handle = plain:register_op_hook(function(name) names[#names + 1] = name end, true)
    plain(x)
    assert.same({ "d_fwd_data", "d_fwd_weight", "d_fwd_bias", "d_fwd_output" }, names)
    handle:detach()
    plain(x)
    assert.equal(4, #names)
    local two = nn.HybridSequential { prefix = "t_" }
    two:name_scope(function() two:add(nn.Dense(2), nn.Activation "relu", nn.Dropout(0.5)) end)
    two:initialize()
    names = {}
    two:register_op_hook(function(name) names[#names + 1] = name end, true)
    two(x)
    assert.same({ "t_dense0_fwd_data", "t_dense0_fwd_weight", "t_dense0_fwd_bias", "t_dense0_fwd_output",
                  "t_relu0_fwd_input0", "t_relu0_fwd_output", "t_dropout0_fwd_data", "t_dropout0_fwd_output" }, names)
    assert.raises(function() nn.Dense(1):register_op_hook(3) end, "block_hooks_spec.lua:%d+",
      "register_op_hook: expected a function, got number")
  end)
end)
