-- symbol_block_spec.lua - SymbolBlock: parameter names in memory and in files, and deferred shapes.
local hl = require "hybridlua"
require "spec.support.helper"
local scratch = require "support.scratch"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

local function sorted(t)
  local names = {}
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- A SymbolBlock whose network has a different name prefix in every instance.
local Backbone = gluon.SymbolBlock:subclass "Backbone"
function Backbone:init()
  local net = nn.HybridSequential()
  local _ <close> = net:name_scope()
  net:add(nn.Dense(3, { in_units = 4 }), nn.BatchNorm { in_channels = 3 })
  local x = sym.var "data"
  gluon.SymbolBlock.init(self, net(x), x, { params = net:collect_params() })
end

local Outer = gluon.HybridBlock:subclass "Outer"
function Outer:init() self.backbone, self.body = Backbone(), nn.Dense(2, { in_units = 3 }) end
function Outer:hybrid_forward(_, x) return self.body(self.backbone(x)) end

describe("SymbolBlock", function()
  it("loads another instance's file, since names in files lack the common prefix", function()
    local folder = scratch.folder()
    local file = folder:file "outer.params"
    local a, b, x = Outer(), Outer(), nd.random.uniform { shape = { 1, 4 } }
    a:initialize()
    a(x)
    a:save_parameters(file)
    assert.same({ "backbone.batchnorm0_beta", "backbone.batchnorm0_gamma", "backbone.batchnorm0_running_mean",
      "backbone.batchnorm0_running_var", "backbone.dense0_bias", "backbone.dense0_weight", "body.bias", "body.weight" },
      sorted(nd.load(file)))
    b:load_parameters(file)
    assert.bits(b(x), a(x))
    b:hybridize()
    assert.bits(b(x), a(x))
    folder:remove()
  end)

  it("keeps the graph's names and shares the parameters in params", function()
    local net = nn.HybridSequential { prefix = "net_" }
    local _ <close> = net:name_scope()
    net:add(nn.Dense(3, { in_units = 2 }))
    local block = gluon.SymbolBlock(net(sym.var "data"), sym.var "data", { params = net:collect_params() })
    assert.same({ "net_dense0_weight", "net_dense0_bias" }, { table.unpack(block:collect_params():keys()) })
    assert.equal(net[0].weight, block:collect_params():get "net_dense0_weight")
    net:initialize()
    local x = nd.ones { 1, 2 }
    assert.bits(block(x), net(x))
  end)

  it("keeps the name of a single parameter", function()
    local block = gluon.SymbolBlock(sym.var "data" * sym.var("w", { shape = { 2 } }), sym.var "data")
    assert.equal("w", block:structural_params()[1][1])
  end)

  it("finishes the initialization of a network that has not received data", function()
    local function make()
      local net = nn.HybridSequential()
      net:add(nn.Dense(128, { activation = "tanh" }), nn.Dropout(0.5), nn.Dense(64, { activation = "tanh" }),
        nn.Dense(32, { in_units = 64 }), nn.Activation "relu")
      net:initialize()
      return net
    end
    local x, data = nd.ones { 16, 10 }, sym.var "data"
    local net = make()
    local inner = gluon.SymbolBlock(net(data):get_internals(), data, { params = net:collect_params() })
    local outputs = inner(x)
    assert.equal(14, #outputs)
    assert.equal(14, #inner(sym.var "other"))
    assert.bits(outputs[14], net(x))
    local Wrapper = gluon.HybridBlock:subclass "Wrapper"
    function Wrapper:init(model) self.model = model end
    function Wrapper:hybrid_forward(_, input) return self.model(input):sum() end
    net = make()
    local whole = Wrapper(gluon.SymbolBlock(net(data), data, { params = net:collect_params() }))
    whole:hybridize()
    assert.bits(whole(x), net(x):sum())
  end)
end)

describe("save_params", function()
  it("writes names without a prefix, so SymbolBlocks and equal blocks can load them", function()
    local folder = scratch.folder()
    local json, file, x = folder:file "net.json", folder:file "net.params", nd.ones { 1, 1, 8, 8 }
    local function make(prefix)
      local net = nn.HybridSequential { prefix = prefix }
      local _ <close> = net:name_scope()
      net:add(nn.Conv2D(10, { 3, 3 }, { prefix = "conv0_" }), nn.Dense(5, { prefix = "dense0_" }))
      return net
    end
    local net = make ""
    net:initialize()
    local y = net(x)
    net(sym.var "data"):save(json)
    net:save_params(file)
    assert.same({ "conv0_bias", "conv0_weight", "dense0_bias", "dense0_weight" }, sorted(nd.load(file)))
    local block = gluon.SymbolBlock(sym.load(json), sym.var "data")
    block:load_params(file, { ctx = hl.cpu() })
    assert.bits(block(x), y)
    local named, other = make "named_", make "other_"
    named:load_params(file)
    assert.bits(named(x), y)
    named:save_params(file)
    assert.same({ "conv0_bias", "conv0_weight", "dense0_bias", "dense0_weight" }, sorted(nd.load(file)))
    other:load_parameters(file)
    assert.bits(other(x), y)
    other:collect_params():save(file)
    other:load_parameters(file)
    assert.raises(function() named:load_parameters(file) end, "named_conv0_weight")
    folder:remove()
  end)
end)
