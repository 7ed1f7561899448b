-- block_spec.lua - blocks: fields, containers, parameters and their files, dtypes.
local hl = require "hybridlua"
local mlp = require "support.mlp"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, Block, HybridBlock = gluon.nn, gluon.Block, gluon.HybridBlock

local x = nd.array { { 1, -2, 3 }, { 0.5, 5, -6 } }

describe("fields", function()
  it("are children in order of assignment if they hold blocks; nil removes a child", function()
    local b = Block:subclass "Fields"()
    b.second = nn.Dense(1)
    b.first = nn.Dense(2)
    b.number = 3
    local names = {}
    b:apply(function(inner) names[#names + 1] = inner.name end)
    assert.same({ b.second.name, b.first.name, b.name }, names)
    b.second = nn.Dense(7, { in_units = 1 })                -- keeps its position
    assert.equal("Fields(\n  (second): Dense(1 -> 7, linear)\n  (first): Dense(None -> 2, linear)\n)", tostring(b))
    b.second = nil
    assert.equal("Fields(\n  (first): Dense(None -> 2, linear)\n)", tostring(b))
    assert.is_nil(b.second)
    assert.equal(3, b.number)
  end)

  it("keep their type", function()
    local b = HybridBlock:subclass "Kinds"()
    b.layer = nn.Dense(1)
    assert.raises(function() b.layer = 3 end, "block_spec.lua:%d+",
                  "Changing attribute type for layer from Dense to number is not allowed")
    assert.raises(function() b.layer = nn.Dropout(0.5) end, "from Dense to Dropout")
    b.param = gluon.Parameter("p", { shape = { 1 } })
    assert.raises(function() b.param = nn.Dense(1) end, "from Parameter to Dense")
    assert.equal(1, #b.layer.params:keys() // 2)
  end)

  it("must be HybridBlocks in a hybridized HybridBlock", function()
    local mixed = nn.HybridSequential():add(nn.Sequential())
    assert.raises(function() mixed:hybridize() end, "block_spec.lua:%d+",
                  "Children of HybridBlock must also be HybridBlock, but Sequential",
                  "please try HybridSequential instead")
    assert.raises(function() nn.HybridSequential():add(3) end, "but 3 has type number")
    local b = HybridBlock:subclass "Mixed"()
    b.inner = HybridBlock:subclass "Inner"()
    b.inner.plain = nn.Lambda "relu"
    assert.raises(function() b:hybridize() end, "block_spec.lua:%d+",
                  "Children of HybridBlock must also be HybridBlock, but Lambda", "HybridLambda")
    assert.raises(function() b:export "mixed" end, "block_spec.lua:%d+", "must also be HybridBlock, but Lambda")
    assert.raises(function() b:register_op_hook(print) end, "must also be HybridBlock, but Lambda")
    local plain = nn.Sequential()
    plain:add(nn.Dense(1), nn.Lambda "relu")                 -- a Block may have HybridBlocks
    assert.equal(2, #plain)
  end)

  it("are ordered by creation if one line creates and assigns several blocks", function()
    local b = Block:subclass "OneLine"()
    local function dense(n) return nn.Dense(n) end
    b.a, b.b, b.c = nn.Dense(1), dense(2), nn.Dense(3)
    b.d = nn.Dense(4)
    assert.equal("OneLine(\n  (a): Dense(None -> 1, linear)\n  (b): Dense(None -> 2, linear)\n" ..
      "  (c): Dense(None -> 3, linear)\n" ..
                 "  (d): Dense(None -> 4, linear)\n)", tostring(b))
    local late, early = nn.Dense(6), nn.Dense(5)
    b = Block:subclass "Passed"()
    for name, block in pairs(nn.Sequential():add(early, late)) do b["l" .. name] = block end      -- created elsewhere
    assert.equal("Passed(\n  (l0): Dense(None -> 5, linear)\n  (l1): Dense(None -> 6, linear)\n)", tostring(b))
  end)

  it("raise an error when called if the class does not define them", function()
    assert.raises(function() Block()(x) end, "forward is not defined")
    assert.raises(function() HybridBlock()(x) end, "hybrid_forward is not defined")
  end)
end)

describe("layers", function()
  it("accept options by position and by name, and reject wrong ones", function()
    local same = tostring(nn.Dense(2, { activation = "relu" }))
    assert.equal("Dense(None -> 2, Activation(relu))", same)
    assert.equal(same, tostring(nn.Dense(2, "relu")))
    assert.equal(same, tostring(nn.Dense { units = 2, activation = "relu" }))
    assert.equal(same, tostring(nn.Dense { 2, activation = "relu" }))
    assert.equal("Dropout(p = 0.3, axes=(0,))", tostring(nn.Dropout { rate = 0.3, axes = { 0 } }))
    assert.equal("Embedding(3 -> 2, float64)", tostring(nn.Embedding(3, 2, "float64")))
    assert.equal("d_weight", nn.Dense(2, { prefix = "d_" }).weight.name)
    local layer = nn.Dense { 3, use_bias = false, in_units = 3, weight_initializer = "ones" }
    layer:initialize()
    assert.bits(layer(x), nd.dot(x, nd.ones { 3, 3 }))
    assert.raises(function() nn.Dense(2, { actvation = "relu" }) end, "block_spec.lua:%d+",
                  "Dense: unknown option 'actvation'; did you mean 'activation'")
    assert.raises(function() nn.Dense "two" end, "block_spec.lua:%d+",
      "Dense: units: expected an integer of 0 or more, got the string 'two'")
    assert.raises(function() nn.Dense(-1) end, "Dense: units: expected an integer of 0 or more, got %-1")
    local none = nn.Dense(0)                                  -- MXNet too rejects it only when called
    none:initialize()
    for _ = 1, 2 do
      assert.raises(function() none(x) end, "num_hidden: expected 1 or more, got 0")
      none:hybridize()
    end
    assert.raises(function() nn.Dropout() end, "Dropout: rate: expected a number, got nil")
    assert.raises(function() nn.LeakyReLU(-1) end, "LeakyReLU: alpha: expected a number of 0 or more, got %-1")
    assert.raises(function() layer(x, x) end, "block_spec.lua:%d+", "expected at most 1 input, got 2")
  end)
end)

describe("containers", function()
  it("index from 0 or from the end, and return slices of the same blocks", function()
    local net = mlp()
    assert.equal(3, #net)
    assert.is_true(rawequal(net[0], net[-3]))
    assert.is_true(rawequal(net[2], net[-1]))
    assert.equal(2, #net["1:"])
    assert.is_true(rawequal(net["1:"][1], net[2]))
    assert.is_true(rawequal(net[{ 0, -1 }][1], net[1]))
    assert.equal(0, #net["3:9"])
    assert.bits(net["0:2"](x), net[0](x))
    local seen = {}
    for i, child in pairs(net) do seen[#seen + 1] = i .. " " .. child.name end
    assert.same({ "0 net_dense0", "1 net_dropout0", "2 net_dense1" }, seen)
  end)

  it("reject indices out of range", function()
    local net = mlp()
    assert.raises(function() return net[3] end, "block_spec.lua:%d+", "expected %-3 <= i < 3, got 3")
    assert.raises(function() return net[-4] end, "got %-4")
    assert.is_nil(net.nosuch)
  end)

  it("add several children in one call or one by one", function()
    local a, b = nn.HybridSequential(), nn.HybridSequential()
    a:add(nn.Dense(1), nn.Dense(2)):add(nn.Dense(3))
    b:add { nn.Dense(1), nn.Dense(2), nn.Dense(3) }
    assert.equal(tostring(a), tostring(b))
  end)
end)

describe("collect_params", function()
  it("selects by a regular expression from the beginning of names", function()
    local net = mlp()
    local function names(select) return table.concat(net:collect_params(select):keys(), " ") end
    assert.equal("net_dense0_weight net_dense0_bias net_dense1_weight net_dense1_bias", names())
    assert.equal("net_dense0_weight net_dense1_weight", names ".*weight")
    assert.equal("net_dense0_weight net_dense1_bias", names "net_dense0_weight|net_dense1_bias")
    assert.equal("net_dense1_weight net_dense1_bias", names "net_dense1.*")
    assert.equal("net_dense0_bias", names "net_dense[0-0]_b(ia)?s$")
    assert.equal("", names "weight")
  end)

  it("supports Python's regular expressions", function()
    local all = { "conv0_weight", "conv12_weight", "bn_running_mean", "aab", "a.c" }
    local block = Block:subclass "Names"()
    for _, name in ipairs(all) do block.params:get(name, { shape = { 1 } }) end
    local prefix = block.prefix
    for pattern, want in pairs {
      [".*conv[0-9]+_weight"] = "conv0_weight conv12_weight", [".*conv[0-9]_w(eigh)?t$"] = "conv0_weight",
      ["(?!.*running).*"] = "conv0_weight conv12_weight aab a.c", [".*a{2}b$|.*\\d\\d"] = "conv12_weight aab",
      [".*a\\.c"] = "a.c", [".*_[^w_]+_mean"] = "bn_running_mean", [".+?_(?:a+b|b\\w+)$"] = "bn_running_mean aab" } do
      local found = table.concat(block:collect_params(pattern):keys(), " "):gsub(prefix, "")
      assert.equal(want, found, pattern)
    end
    assert.raises(function() block:collect_params "a(" end, "block_spec.lua:%d+",
      "regular expression 'a%(': a %) is missing")
    assert.raises(function() block:collect_params "*a" end, "nothing to repeat at character 1")
  end)

  it("shares the parameters in params", function()
    local a = nn.Dense(2, { in_units = 3 })
    local b = nn.Dense(2, { in_units = 3, params = a.params })
    a:initialize()
    assert.is_true(rawequal(a.weight, b.weight))
    assert.bits(b(x), a(x))
    local net = nn.HybridSequential()
    net:add(a, b)
    assert.equal(2, #net:collect_params())
    -- gradients of both uses are added in one array
    local loss = autograd.record(function() return (a(x) * 2 + b(x)):sum() end)
    loss:backward()
    local twice = a.weight:grad():copy()
    autograd.record(function() return a(x):sum() end):backward()
    assert.allclose(twice, a.weight:grad() * 3)
    assert.raises(function() nn.Dense(5, { in_units = 3, params = a.params }) end,
                  "desired attribute does not match with stored for attribute 'shape'")
  end)
end)

describe("initialize", function()
  it("draws the same values in any order of first calls", function()
    local function values(hybridize, first)
      hl.random.seed(3)
      local net = nn.HybridSequential()
      net:add(nn.Dense(4), nn.Dense(2, { in_units = 4 }))
      net:initialize(hl.init.Normal(0.1))
      if hybridize then net:hybridize() end
      if first then net[1](nd.ones { 1, 4 }) end
      net(x)
      return net[0].weight:data(), net[1].weight:data()
    end
    local a, b = values(false, false)
    for _, how in ipairs { { true, false }, { false, true }, { true, true } } do
      local c, d = values(how[1], how[2])
      assert.bits(c, a)
      assert.bits(d, b)
    end
  end)

  it("accepts options by position and by name, and rejects unknown ones", function()
    local net = nn.Dense(2, { in_units = 3 })
    net:initialize(hl.init.One(), hl.cpu(), true)
    net:initialize { init = "zeros", force_reinit = true }
    assert.allclose(net.weight:data(), nd.zeros { 2, 3 })
    net:initialize("ones", { force_reinit = true, ctx = { hl.cpu() } })
    assert.allclose(net.weight:data(), nd.ones { 2, 3 })
    assert.raises(function() net:initialize { force_renit = true } end, "block_spec.lua:%d+",
      "unknown option 'force_renit'", "force_reinit")
  end)
end)

describe("apply and cast", function()
  it("visit children first", function()
    local names = {}
    mlp():apply(function(b) names[#names + 1] = b.name end)
    assert.same({ "net_dense0_relu", "net_dense0", "net_dropout0", "net_dense1", "net" }, names)
  end)

  it("convert parameters and outputs, before and after initialization", function()
    local net = mlp()
    local before = net(x)
    net:cast "float64"
    local after = net(x:astype "float64")
    assert.equal("float64", after.dtype)
    assert.allclose(after, before:astype "float64", 1e-5)
    net:hybridize()
    assert.bits(net(x:astype "float64"), after)
    net:cast "float32"
    assert.bits(net(x), before)
    local late = nn.Dense(2)
    late:cast "float64"
    late:initialize()
    assert.equal("float64", late(x:astype "float64").dtype)
    assert.raises(function() net(x:astype "float64") end, "weight: expected dtype float64, got float32")
  end)
end)

describe("saving and loading a block", function()
  it("accept options by name and reject unknown ones", function()
    local folder = scratch.folder()
    local file = folder:file "net.params"
    local net, other = mlp(), mlp()
    net(x)
    net:save_parameters(file, { deduplicate = true })
    other:load_parameters(file, hl.cpu(), { allow_missing = false })
    assert.bits(other(x), net(x))
    other:cast "float64"
    assert.raises(function() other:load_parameters(file) end, "dtype incompatible expected float64 vs saved float32")
    other:load_parameters(file, { cast_dtype = true })
    assert.equal("float64", other[0].weight.dtype)
    other:load_parameters(file, { cast_dtype = true, dtype_source = "saved" })
    assert.bits(other(x), net(x))
    assert.raises(function() net:load_parameters(file, { allow_mising = true }) end, "unknown option 'allow_mising'",
      "allow_missing")
    folder:remove()
  end)
end)

describe("hybridize", function()
  it("accepts MXNet's options by position and by name", function()
    local net = mlp()
    local plain = net(x)
    for _, how in ipairs { { true, { static_alloc = true, static_shape = true } }, { { active = true } },
        { { active = false } }, { false }, {} } do
      net:hybridize(table.unpack(how))
      assert.bits(net(x), plain)
    end
    assert.raises(function() net:hybridize { static_aloc = true } end, "block_spec.lua:%d+",
      "unknown option 'static_aloc'", "static_alloc")
  end)
end)

describe("params =", function()
  local Pair = HybridBlock:subclass "Pair"
  function Pair:init(units)
    self.fc1 = nn.Dense(units, { in_units = units })
    self.fc2 = nn.Dense(units, { in_units = units })
  end
  function Pair:hybrid_forward(_, v) return self.fc2(self.fc1(v)) end

  it("shares the children's parameters, which keep their names", function()
    local a = Pair(3, { prefix = "first_" })
    local b = Pair(3, { params = a:collect_params() })
    assert.truthy(rawequal(a.fc1.weight, b.fc1.weight))
    assert.truthy(rawequal(a.fc2.bias, b.fc2.bias))
    assert.equal("first_dense0_weight", b.fc1.weight.name)
    assert.not_equal(a.fc1.name, b.fc1.name)
    assert.same(a:collect_params():keys(), b:collect_params():keys())
    a:initialize()
    assert.bits(a(x), b(x))
  end)

  it("works through nested blocks and in name_scope", function()
    local Outer = HybridBlock:subclass "Outer"
    function Outer:init() self.pair = Pair(3) end
    function Outer:hybrid_forward(_, v) return self.pair(v) end
    local a = Outer()
    local b = Outer { params = a:collect_params() }
    assert.truthy(rawequal(a.pair.fc2.weight, b.pair.fc2.weight))
    local s = nn.HybridSequential { prefix = "s_" }
    s:name_scope(function() s:add(nn.Dense(2)) end)
    local t = nn.HybridSequential { params = s:collect_params() }
    t:name_scope(function() t:add(nn.Dense(2)) end)
    assert.truthy(rawequal(s[0].weight, t[0].weight))
    assert.falsy(rawequal(Outer().pair.fc2.weight, a.pair.fc2.weight))
  end)
end)

describe("infer_type", function()
  it("casts parameters to the dtype of the data", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(3), nn.Dense(2))
    net:initialize()
    net:infer_type(x:astype "float64")
    for _, param in ipairs(net:collect_params():values()) do assert.equal("float64", param.dtype) end
    assert.equal("float64", net(x:astype "float64").dtype)
  end)
end)

describe("parameters in a dictionary", function()
  it("can be read as lists and in loops", function()
    local params = nn.Dense(2, { in_units = 1, prefix = "d_" }):collect_params()
    local names = { "d_weight", "d_bias" }
    local function collect(...)
      local list = {}
      for a, b in ... do
        list[#list + 1] = type(a) == "number" and (b.name or b) or type(a) == "string" and a or a.name
      end
      return list
    end
    assert.same(names, collect(params:items()))
    assert.same(names, collect(pairs(params)))
    assert.same(names, collect(params:values()))
    assert.same(names, collect(ipairs(params:values())))
    assert.same(names, collect(params:keys()))
    assert.same(names, collect(ipairs(params:keys())))
    assert.equal(2, #params:values())
    gluon.Trainer(params:values(), "sgd")
  end)
end)
