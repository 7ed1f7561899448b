-- block_spec.lua - blocks: fields and children, walking, hooks, dtypes, summaries.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn, Block, HybridBlock = gluon.nn, gluon.Block, gluon.HybridBlock

local x = nd.array { { 1, -2, 3 }, { 0.5, 5, -6 } }

local function mlp()
  local net = nn.HybridSequential { prefix = "net_" }
  net:name_scope(function() net:add(nn.Dense(4, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(2)) end)
  net:initialize()
  return net
end

-- What a function prints.
local function printed(fn)
  local globals = package.loaded._G          -- not the environment that busted gives a spec
  local lines, print_ = {}, globals.print
  globals.print = function(...)
    local parts = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    lines[#lines + 1] = table.concat(parts, "\t")
  end
  local ok, message = pcall(fn)
  globals.print = print_
  assert(ok, message)
  return table.concat(lines, "\n")
end

describe("fields", function()
  it("that are blocks become children, in order of assignment; nil takes one away", function()
    local b = Block:subclass "Fields"()
    b.second = nn.Dense(1)
    b.first = nn.Dense(2)
    b.number = 3
    local names = {}
    b:apply(function(inner) names[#names + 1] = inner.name end)
    assert.same({ b.second.name, b.first.name, b.name }, names)
    b.second = nn.Dense(7, { in_units = 1 })                -- keeps its place
    assert.equal("Fields(\n  (second): Dense(1 -> 7, linear)\n  (first): Dense(None -> 2, linear)\n)", tostring(b))
    b.second = nil
    assert.equal("Fields(\n  (first): Dense(None -> 2, linear)\n)", tostring(b))
    assert.is_nil(b.second)
    assert.equal(3, b.number)
  end)

  it("keep their kind", function()
    local b = HybridBlock:subclass "Kinds"()
    b.layer = nn.Dense(1)
    assert.raises(function() b.layer = 3 end, "block_spec.lua:%d+",
                  "Changing attribute type for layer from Dense to number is not allowed")
    assert.raises(function() b.layer = nn.Dropout(0.5) end, "from Dense to Dropout")
    b.param = gluon.Parameter("p", { shape = { 1 } })
    assert.raises(function() b.param = nn.Dense(1) end, "from Parameter to Dense")
    assert.equal(1, #b.layer.params:keys() // 2)
  end)

  it("of HybridBlocks are HybridBlocks once they are hybridized", function()
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
    plain:add(nn.Dense(1), nn.Lambda "relu")                 -- the other way is fine
    assert.equal(2, #plain)
  end)

  it("that one line makes and assigns are children in the order in which they were made", function()
    local b = Block:subclass "OneLine"()
    local function dense(n) return nn.Dense(n) end
    b.a, b.b, b.c = nn.Dense(1), dense(2), nn.Dense(3)
    b.d = nn.Dense(4)
    assert.equal("OneLine(\n  (a): Dense(None -> 1, linear)\n  (b): Dense(None -> 2, linear)\n" ..
      "  (c): Dense(None -> 3, linear)\n" ..
                 "  (d): Dense(None -> 4, linear)\n)", tostring(b))
    local late, early = nn.Dense(6), nn.Dense(5)
    b = Block:subclass "Passed"()
    for name, block in pairs(nn.Sequential():add(early, late)) do b["l" .. name] = block end      -- made elsewhere
    assert.equal("Passed(\n  (l0): Dense(None -> 5, linear)\n  (l1): Dense(None -> 6, linear)\n)", tostring(b))
  end)

  it("that a class does not define are explained when they are called", function()
    assert.raises(function() Block()(x) end, "forward is not defined")
    assert.raises(function() HybridBlock()(x) end, "hybrid_forward is not defined")
  end)
end)

describe("layers", function()
  it("take options by place and by name, and tell wrong ones", function()
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
      "Dense: units: expected an integer, got the string 'two'")
    assert.raises(function() nn.Dense(-1) end, "Dense: units: expected an integer of 0 or more, got %-1")
    local none = nn.Dense(0)                                  -- which MXNet makes, and refuses when it is called
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
  it("count from 0, also from the end, and give slices of the same blocks", function()
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

  it("refuse what is outside", function()
    local net = mlp()
    assert.raises(function() return net[3] end, "block_spec.lua:%d+", "expected %-3 <= i < 3, got 3")
    assert.raises(function() return net[-4] end, "got %-4")
    assert.is_nil(net.nosuch)
  end)

  it("add several at once and one by one", function()
    local a, b = nn.HybridSequential(), nn.HybridSequential()
    a:add(nn.Dense(1), nn.Dense(2)):add(nn.Dense(3))
    b:add { nn.Dense(1), nn.Dense(2), nn.Dense(3) }
    assert.equal(tostring(a), tostring(b))
  end)
end)

describe("collect_params", function()
  it("selects by a regular expression from the names' beginnings", function()
    local net = mlp()
    local function names(select) return table.concat(net:collect_params(select):keys(), " ") end
    assert.equal("net_dense0_weight net_dense0_bias net_dense1_weight net_dense1_bias", names())
    assert.equal("net_dense0_weight net_dense1_weight", names ".*weight")
    assert.equal("net_dense0_weight net_dense1_bias", names "net_dense0_weight|net_dense1_bias")
    assert.equal("net_dense1_weight net_dense1_bias", names "net_dense1.*")
    assert.equal("net_dense0_bias", names "net_dense[0-0]_b(ia)?s$")
    assert.equal("", names "weight")
  end)

  it("knows regular expressions as Python does", function()
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

  it("shares parameters given by params", function()
    local a = nn.Dense(2, { in_units = 3 })
    local b = nn.Dense(2, { in_units = 3, params = a.params })
    a:initialize()
    assert.is_true(rawequal(a.weight, b.weight))
    assert.bits(b(x), a(x))
    local net = nn.HybridSequential()
    net:add(a, b)
    assert.equal(2, #net:collect_params())
    -- gradients of both uses add up in one array
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

  it("takes options by place and by name, and refuses unknown ones", function()
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
  it("apply goes over children first", function()
    local names = {}
    mlp():apply(function(b) names[#names + 1] = b.name end)
    assert.same({ "net_dense0_relu", "net_dense0", "net_dropout0", "net_dense1", "net" }, names)
  end)

  it("cast changes parameters and what comes out, before and after initializing", function()
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

describe("hooks", function()
  it("run before and after each call, with the same arrays, until they are detached", function()
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

  it("get several inputs as a list, several outputs one by one", function()
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

  it("may detach themselves", function()
    local layer, count, handle = nn.Activation "relu", 0, nil
    handle = layer:register_forward_hook(function() count = count + 1 handle:detach() end)
    layer:register_forward_hook(function() count = count + 10 end)
    layer(x)
    layer(x)
    assert.equal(21, count)
  end)

  it("do not run while shapes are found out or graphs are traced", function()
    local net, seen = mlp(), {}
    net[0].act:register_forward_hook(function(_, _, y) seen[#seen + 1] = y end)
    net(x)                                                      -- the first call finds the shapes
    assert.equal(1, #seen)
    assert.same({ 2, 4 }, seen[1].shape)
    local folder = scratch.folder()
    net:export(folder:file "net", { shapes = { data = { 1, 3 } } })
    folder:remove()
    assert.equal(1, #seen)
  end)
end)

describe("summary", function()
  local function rows(text)
    local list = {}
    for line in text:gmatch "[^\n]+" do list[#list + 1] = (line:gsub("%s+", " ")) end
    return list
  end

  it("is MXNet's table, with what each layer computes", function()
    local net = mlp()
    local text = printed(function() net:summary(nd.ones { 5, 3 }) end)
    assert.equal([[
------------------------------------------------------------------------------------------------
        Layer (type)                                Output Shape         Param #           FLOPs
================================================================================================
               Input                                      (5, 3)               0               0
        Activation-1                                      (5, 4)               0              20
             Dense-2                                      (5, 4)              16             140
           Dropout-3                                      (5, 4)               0               0
             Dense-4                                      (5, 2)              10              90
================================================================================================
Parameters in forward computation graph, duplicate included
   Total params: 26
   Trainable params: 26
   Non-trainable params: 0
Shared params in forward computation graph: 0
Unique parameters in model: 26
FLOPs of one forward pass: 250
------------------------------------------------------------------------------------------------]], text)
    assert.equal(text, printed(function() net:summary(nd.ones { 5, 3 }) end))      -- nothing of it stays
  end)

  it("counts shared and fixed parameters", function()
    local net = nn.HybridSequential()
    local a = nn.Dense(3, { in_units = 3, use_bias = false })
    net:add(a, nn.Dense(3, { in_units = 3, use_bias = false, params = a.params }))
    net:initialize()
    net:collect_params():setattr("grad_req", "null")
    local list = rows(printed(function() net:summary(x) end))
    assert.same({ " Total params: 18", " Trainable params: 0", " Non-trainable params: 18" },
      table.move(list, 9, 11, 1, {}))
    assert.equal("Shared params in forward computation graph: 9", list[12])
    assert.equal("Unique parameters in model: 9", list[13])
  end)

  it("shows several inputs and nested outputs", function()
    local Nest = HybridBlock:subclass "Nest"
    function Nest:hybrid_forward(_, a, b) return { a, { b, a } } end
    local list = rows(printed(function() Nest():summary(nd.ones { 1, 3 }, nd.ones { 2 }) end))
    assert.equal(" Input (1, 3), (2,) 0 0", list[4])
    assert.equal(" Nest-1 (1, 3), [(2,), (1, 3)] 0 0", list[5])
  end)

  it("knows what a loaded graph computes, and the layers of a hybridized block", function()
    local net = mlp()
    net(x)
    local graph = net(sym.var "data")
    local block = gluon.SymbolBlock(graph, sym.var "data")
    block:initialize()
    local list = rows(printed(function() block:summary(nd.ones { 5, 3 }) end))
    assert.equal(" SymbolBlock-1 (5, 2) 26 250", list[5])
    local eager = printed(function() net:summary(x) end)
    net:hybridize { full = true }
    local before = net(x)
    assert.equal(eager, printed(function() net:summary(x) end))
    assert.equal(0, require "hybridlua.core".host.count_flops())
    assert.equal(before:tobytes(), net(x):tobytes())
    assert.is_true(net:explain { format = "table" }.hybridized)
  end)

  it("counts products by their shapes", function()
    local function flops(fn)
      local Counted = Block:subclass "Counted"
      function Counted:forward() return fn() end
      return tonumber(printed(function() Counted():summary(x) end):match "forward pass: (%d+)")
    end
    assert.equal(2 * 3 * 4 * 5, flops(function() return nd.dot(nd.ones { 3, 4 }, nd.ones { 4, 5 }) end))
    assert.equal(2 * 3 * 4 * 5, flops(function()
      return nd.dot(nd.ones { 4, 3 }, nd.ones { 5, 4 }, { transpose_a = true, transpose_b = true })
    end))
    assert.equal(2 * 6 * 3 * 4 * 5, flops(function() return nd.batch_dot(nd.ones { 6, 3, 4 }, nd.ones { 6, 4, 5 }) end))
    assert.equal(2 * 6 * 3 * 4 * 5,
      flops(function() return nd.linalg_gemm2(nd.ones { 6, 4, 3 }, nd.ones { 6, 4, 5 }, { transpose_a = true }) end))
    assert.equal(12, flops(function() return nd.ones { 3, 4 }:sum() end))
    assert.equal(24, flops(function() return nd.ones { 3, 4 } * 2 + nd.ones { 3, 1 } end))
    local arrays, elements = {}, 0
    for i = 1, 40 do arrays[i], elements = nd.ones { i }, elements + i end
    arrays[41] = { num_arrays = 40 }
    -- every input counts
    assert.equal(2 * elements, flops(function() return nd.multi_sum_sq(table.unpack(arrays)) end))
    assert.equal(0, flops(function() return nd.ones { 3, 4 }:reshape { 4, 3 }:transpose():copy() end))
  end)
end)

describe("saving and loading a block", function()
  it("takes options by name and says which are unknown", function()
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
  it("takes MXNet's options, by place and by name", function()
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

  it("are children: parameters, names, printing, hybridizing", function()
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

  it("are saved and loaded by their places in the table", function()
    local a, b, file = Stack(2), Stack(2), os.tmpname()
    a:initialize(hl.init.Normal(1))
    a:save_parameters(file)
    assert.truthy(nd.load(file)["layers.2.weight"])
    b:load_parameters(file)
    os.remove(file)
    assert.bits(a(x), b(x))
  end)

  it("may be named, nested, and come later; the order is 1 to n, then keys by their text", function()
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

  it("clear what was compiled when they change", function()
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
    net.layers[2] = other                                   -- as many as before
    assert.allclose(net(v), { { 0, 0 } })
    net.layers[2] = nil
    assert.allclose(net(v), { { 9, 9 } })
  end)

  it("clear what was compiled in long tables too", function()
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

  it("must be HybridBlocks in a HybridBlock that is hybridized, and are no children twice", function()
    local net = HybridBlock:subclass "Picky"()
    net.list = { nn.Dense(1), nn.Lambda "relu" }
    assert.raises(function() net:hybridize() end, "block_spec.lua:%d+", "must also be HybridBlock, but Lambda")
    net.list = { nn.Dense(1) }
    net:hybridize()
    net.list[2] = nn.Lambda "relu"
    assert.equal("list.1.weight list.1.bias", paths(net))
    assert.raises(function() net(nd.ones { 1, 1 }) end, "block_spec.lua:%d+", "must also be HybridBlock, but Lambda")
    local b = Block:subclass "Twice"()
    b.one = nn.Dense(1)
    b.list = { b.one, b.one }
    assert.equal("one.weight one.bias", paths(b))
    local inner = Block:subclass "Inner"()
    b.inner = inner
    inner.around = { b }                                    -- no child of its child
    assert.equal("one.weight one.bias", paths(b))
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

  it("shares through deeper blocks, and in name_scope", function()
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

describe("hooks on operators", function()
  local function named_mlp()
    local net = nn.HybridSequential { prefix = "n_" }
    net:name_scope(function() net:add(nn.Dense(2, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(1)) end)
    net:initialize()
    return net
  end

  it("are shown every output, eager and hybridized, and change nothing", function()
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

  it("are shown the inputs too, and reach the HybridBlocks in a Block", function()
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
    assert.raises(function() nn.Dense(1):register_op_hook(3) end, "block_spec.lua:%d+",
      "register_op_hook: expected a function, got number")
  end)
end)

describe("infer_type", function()
  it("gives parameters the dtype of the data", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(3), nn.Dense(2))
    net:initialize()
    net:infer_type(x:astype "float64")
    for _, param in ipairs(net:collect_params():values()) do assert.equal("float64", param.dtype) end
    assert.equal("float64", net(x:astype "float64").dtype)
  end)
end)

describe("parameters in a dictionary", function()
  it("are gone over as lists, and by loops themselves", function()
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
