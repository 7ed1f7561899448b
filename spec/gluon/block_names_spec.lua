-- block_names_spec.lua - names of blocks and parameters, and printing of blocks, as in MXNet 1.9.1.
local hl = require "hybridlua"
local command = require "support.command"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

local function keys(dict) return table.concat(dict:keys(), " ") end

local function node_names(symbol)
  local names = {}
  for name in symbol:tojson():gmatch '"name": "([^"]*)"' do names[#names + 1] = name end
  return table.concat(names, " ")
end

-- A HybridSequential with the prefix net_, whose children are created in its scope.
local function net_of(make)
  local net = nn.HybridSequential { prefix = "net_" }
  net:name_scope(function() net:add(make()) end)
  return net
end

describe("names of blocks", function()
  it("are numbered per class in the whole process outside any scope", function()
    local output = command.hybridlua { "-e", [[
      local nn = gluon.nn
      print(nn.Dense(2).prefix, nn.Dense(2).prefix, nn.HybridSequential().prefix, nn.Dense(2, {prefix = "my_"}).prefix)
      print(nn.Dense(2).name, nn.Dense(2, {prefix = "my_"}).name, nn.Dense(2, {prefix = ""}).prefix == "")
      print(table.concat(nn.Dense(2).params:keys(), " "), nn.Dense(2).weight.name)
      local net = nn.HybridSequential()
      net:add(nn.Dense(4), nn.Dense(4))
      print(net.prefix, table.concat(net:collect_params():keys(), " "))
      print(gluon.loss.L2Loss().prefix, nn.Activation("relu").prefix, nn.Dropout(0.5).prefix) ]] }
    assert.equal(table.concat({
      "dense0_\tdense1_\thybridsequential0_\tmy_",
      "dense2\tmy\ttrue",
      "dense3_weight dense3_bias\tdense4_weight",
      "hybridsequential1_\tdense5_weight dense5_bias dense6_weight dense6_bias",
      "l2loss0_\trelu0_\tdropout0_", "" }, "\n"), output)
  end)

  it("begin with the parent's prefix and are numbered from 0 in its scope", function()
    local net = net_of(function()
      local inner = nn.HybridSequential()
      inner:name_scope(function() inner:add(nn.Dense(1), nn.Dense(2)) end)
      return nn.Dense(4), nn.Dense(4, { prefix = "out_" }), inner
    end)
    assert.equal("net_dense0_weight net_dense0_bias net_out_weight net_out_bias " ..
                 "net_hybridsequential0_dense0_weight net_hybridsequential0_dense0_bias " ..
                 "net_hybridsequential0_dense1_weight net_hybridsequential0_dense1_bias", keys(net:collect_params()))
  end)

  -- The expected names are from MXNet 1.9.1.
  it("are numbered in the surrounding scope if the block's prefix is empty", function()
    local Inner = gluon.HybridBlock:subclass "Inner"
    function Inner:init() self.a, self.b = nn.Dense(1, { in_units = 1 }), nn.Dense(1, { in_units = 1 }) end
    function Inner:hybrid_forward(_, x) return self.b(self.a(x)) + x end
    local net = net_of(function()
      local plain = nn.HybridSequential { prefix = "" }
      plain:name_scope(function() plain:add(nn.Dense(1, { in_units = 1 })) end)
      plain:add(Inner { prefix = "" })
      return plain, Inner { prefix = "" }, nn.Dense(1, { in_units = 1 })
    end)
    assert.equal("net_dense0_weight net_dense0_bias net_dense1_weight net_dense1_bias net_dense2_weight " ..
      "net_dense2_bias net_dense3_weight net_dense3_bias net_dense4_weight net_dense4_bias net_dense5_weight " ..
      "net_dense5_bias", keys(net:collect_params()))
    local names = node_names(net(sym.var "x"))
    assert.truthy(names:find("net_dense2_fwd net__plus0 ", 1, true), names)
    assert.truthy(names:find("net_dense4_fwd net__plus1 ", 1, true), names)
  end)

  it("have scopes that end with <close> or with an error", function()
    local net = nn.HybridSequential { prefix = "q_" }
    do
      local _ <close> = net:name_scope()
      net:add(nn.Dense(1))
    end
    pcall(function() net:name_scope(function() error "mine" end) end)
    net:add(nn.Dense(1))
    assert.equal("q_dense0_", net[0].prefix)
    assert.truthy(net[1].prefix:find "^dense%d+_$")
    assert.equal(7, net:name_scope(function(a, b) return a + b end, 3, 4))
  end)

  it("include the class name in a script's own class", function()
    local Net = gluon.HybridBlock:subclass "NamingNet"
    function Net:init()
      self.a = nn.Dense(3, { activation = "relu" })
      self.b = nn.Dense(2)
      self.w = self.params:get("w", { shape = { 1 } })
    end
    function Net:hybrid_forward(_, x, p) return self.b(self.a(x)) * p.w end
    local n = Net()
    assert.equal("namingnet0_", n.prefix)
    assert.equal("namingnet0_w namingnet0_dense0_weight namingnet0_dense0_bias namingnet0_dense1_weight " ..
      "namingnet0_dense1_bias",
                 keys(n:collect_params()))
    assert.equal("x_w x_dense0_weight x_dense0_bias x_dense1_weight x_dense1_bias",
      keys(Net { prefix = "x_" }:collect_params()))
    assert.equal("namingnet0_dense0_relu", n.a.act.name)
    n:initialize()
    local s = n(sym.var "data")
    assert.equal("data namingnet0_dense0_weight namingnet0_dense0_bias namingnet0_dense0_fwd " ..
      "namingnet0_dense0_relu_fwd " ..
                 "namingnet0_dense1_weight namingnet0_dense1_bias namingnet0_dense1_fwd namingnet0_w namingnet0__mul0",
                 node_names(s))
    assert.same({ "namingnet0__mul0_output" }, s:list_outputs())
    -- Keys by position in the block, as in save_parameters.
    local places = {}
    for i, entry in ipairs(n:structural_params()) do places[i] = entry[1] end
    assert.equal("w a.weight a.bias b.weight b.bias", table.concat(places, " "))
  end)

  it("number operators within the block, equally in every trace", function()
    local Net = gluon.HybridBlock:subclass "NamingOps"
    function Net:hybrid_forward(F, x) return F.relu(F.relu(x) + F.exp(x)) end
    local n = Net()
    for _ = 1, 2 do
      assert.equal("data namingops0_relu0 namingops0_exp0 namingops0__plus0 namingops0_relu1",
        node_names(n(sym.var "data")))
      n = Net { prefix = "namingops0_" }
    end
  end)
end)

describe("printing", function()
  it("shows a network's blocks as MXNet does", function()
    local net = net_of(function()
      return nn.Dense(256, { activation = "relu" }), nn.Dropout(.5), nn.Flatten(), nn.Embedding(10, 4),
        nn.LeakyReLU(.1),
             nn.Activation "tanh", nn.HybridLambda "relu", nn.Dense(10, { in_units = 8, use_bias = false }), nn.PReLU(),
             nn.Swish()
    end)
    assert.equal([[
HybridSequential(
  (0): Dense(None -> 256, Activation(relu))
  (1): Dropout(p = 0.5, axes=())
  (2): Flatten
  (3): Embedding(10 -> 4, float32)
  (4): LeakyReLU(0.1)
  (5): Activation(tanh)
  (6): HybridLambda(relu)
  (7): Dense(8 -> 10, linear)
  (8): PReLU(
__
  )
  (9): Swish(
__
  )
)]], (tostring(net):gsub("\n  \n", "\n__\n")))
  end)

  it("nests blocks and shows shapes once they are known", function()
    local inner, outer = nn.HybridSequential(), nn.HybridSequential()
    inner:add(nn.Dense(2))
    outer:add(inner, nn.Dense(1))
    assert.equal("Sequential(\n\n)", tostring(nn.Sequential()))
    assert.equal("HybridSequential(\n  (0): HybridSequential(\n    (0): Dense(None -> 2, linear)\n  )\n" ..
      "  (1): Dense(None -> 1, linear)\n)",
                 tostring(outer))
    outer:initialize()
    outer(nd.ones { 1, 3 })
    assert.equal("HybridSequential(\n  (0): HybridSequential(\n    (0): Dense(3 -> 2, linear)\n  )\n" ..
      "  (1): Dense(2 -> 1, linear)\n)",
                 tostring(outer))
    assert.equal("HybridSequential(\n  (0): Dense(2 -> 1, linear)\n)", tostring(outer["-1:"]))
    assert.equal("Dense(None -> 3, linear)", tostring(nn.Dense(3, { flatten = false })))
    assert.equal("L2Loss(batch_axis=0, w=1.0)", tostring(gluon.loss.L2Loss()))
    assert.equal("SoftmaxCrossEntropyLoss(batch_axis=0, w=None)", tostring(gluon.loss.SoftmaxCrossEntropyLoss()))
  end)

  it("shows parameters and dictionaries", function()
    local net = net_of(function() return nn.Dense(4), nn.Dense(2, { in_units = 4 }) end)
    assert.equal("net_ (\n  Parameter net_dense0_weight (shape=(4, 0), dtype=float32)\n" ..
      "  Parameter net_dense0_bias (shape=(4,), dtype=float32)\n" ..
                 "  Parameter net_dense1_weight (shape=(2, 4), dtype=float32)\n" ..
                   "  Parameter net_dense1_bias (shape=(2,), dtype=float32)\n)",
                 tostring(net:collect_params()))
    assert.equal("net_ (\n\n)", tostring(net:collect_params "weight"))
    assert.equal("net_ (\n\n)", tostring(net.params))
    assert.equal("(\n\n)", tostring(gluon.ParameterDict()))
    assert.equal("Parameter w (shape=(2, 0), dtype=float32)", tostring(gluon.Parameter("w", { shape = { 2, 0 } })))
    assert.equal("Constant c (shape=(1, 2), dtype=float32)", tostring(gluon.Constant("c", { { 1, 2 } })))
  end)

  it("shows a loaded graph and a network's Symbol", function()
    local net = net_of(function() return nn.Dense(4), nn.Dense(2, { activation = "relu" }) end)
    local y = net(sym.var "data")
    assert.equal("<Symbol net_dense1_relu_fwd>", tostring(y))
    assert.equal("SymbolBlock(\n<Symbol net_dense1_relu_fwd> : 1 -> 1\n)",
      tostring(gluon.SymbolBlock(y, sym.var "data")))
  end)
end)
