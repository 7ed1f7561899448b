-- contrib_layers_spec.lua - transposed convolutions, BatchNormReLU, SyncBatchNorm, ReflectionPad2D and the layers of
-- gluon.contrib.nn. Printed texts, graphs and parameters must match MXNet 1.9.1; values must match those of
-- the operators.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn, cnn = gluon.nn, gluon.contrib.nn

-- Operator nodes of a block's graph, as MXNet writes them.
local function nodes(block)
  local list = {}
  for op, attrs in block(sym.var "data"):tojson():gmatch '"op": "([%u_][%w_]+)".-"attrs": {(.-)}' do
    list[#list + 1] = op .. " " .. attrs:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
  end
  return list
end

describe("transposed convolutions", function()
  it("print as in MXNet, with the first two dimensions of their weight", function()
    assert.equal("Conv2DTranspose(3 -> 5, kernel_size=(4, 4), stride=(2, 2), padding=(1, 1))",
      tostring(nn.Conv2DTranspose(3, 4, { strides = 2, padding = 1, output_padding = 1, in_channels = 5 })))
    assert.equal("Conv2DTranspose(2 -> 6, kernel_size=(4, 4), stride=(1, 1), groups=2, bias=False, Activation(relu))",
      tostring(nn.Conv2DTranspose(4, 4, { groups = 2, in_channels = 6, use_bias = false, activation = "relu" })))
    assert.equal("Conv1DTranspose(3 -> 0, kernel_size=(4,), stride=(1,))", tostring(nn.Conv1DTranspose(3, 4)))
    assert.equal("Conv3DTranspose(4 -> 2, kernel_size=(3, 3, 3), stride=(2, 2, 2))",
      tostring(nn.Conv3DTranspose(4, 3, 2, { in_channels = 2 })))
  end)

  it("write the same attributes as MXNet", function()
    assert.same({ 'Deconvolution "adj": "(1, 1)", "dilate": "(1, 1)", "kernel": "(4, 4)", "layout": "NCHW", ' ..
      '"no_bias": "False", "num_filter": "3", "num_group": "1", "pad": "(1, 1)", "stride": "(2, 2)"' },
      nodes(nn.Conv2DTranspose(3, 4, 2, 1, 1)))
  end)

  it("infer their channels from the first batch and match the operator to the bit in every mode", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    for axes, layer in ipairs { nn.Conv1DTranspose, nn.Conv2DTranspose, nn.Conv3DTranspose } do
      local net = layer(4, 3, { strides = 2, padding = 1, output_padding = 1, groups = 2, prefix = "up_" })
      net:initialize(hl.init.Xavier())
      local x = nd.random.normal { shape = { 2, 6, table.unpack({ 3, 4, 3 }, 1, axes) } }
      local y = net(x)
      assert.same({ 2, 4, table.unpack({ 6, 8, 6 }, 1, axes) }, y.shape)
      assert.same({ 6, 2, table.unpack({ 3, 3, 3 }, 1, axes) }, net.weight.shape)
      assert.same({ "up_weight", "up_bias" }, net:collect_params():keys())
      local function all(n) return { table.unpack({ n, n, n }, 1, axes) } end
      assert.bits(y, nd.Deconvolution(x, net.weight:data(), net.bias:data(), { kernel = all(3), stride = all(2),
        pad = all(1), adj = all(1), num_filter = 4, num_group = 2, no_bias = false }))
      net:hybridize()
      assert.bits(net(x), y)
      net:export(folder:file "up")
      local again = gluon.SymbolBlock.imports(folder:file "up-symbol.json", { "data" }, folder:file "up-0000.params")
      assert.bits(again(x), y)
    end
  end)

  it("reject invalid arguments", function()
    assert.raises(function() nn.Conv2DTranspose(4, 3, { strides = 2, output_padding = 2 }) end,
      "Conv2DTranspose: output_padding: expected less than strides = 2, got 2")
    assert.raises(function() nn.Conv1DTranspose(4, { 3, 3 }) end,
      "Conv1DTranspose: kernel_size: expected an integer or a table of 1, got 2 values")
    assert.raises(function() nn.Conv3DTranspose(4, 3, { groups = 3 }) end,
      "Conv3DTranspose: groups: expected a divisor of channels = 4, got 3")
    assert.raises(function() nn.Conv2D(4, 3, { output_padding = 1 }) end, "Conv2D: unknown option 'output_padding'")
    local net = nn.Conv2DTranspose(2, 3, { in_channels = 3, prefix = "up_" })
    net:initialize()
    for _, hybridized in ipairs { false, true } do
      net:hybridize(hybridized)
      assert.raises(function() net(nd.ones { 1, 4, 5, 5 }) end, "up: data: expected 3 channels, got 4")
      assert.raises(function() net(nd.ones { 1, 3, 5, 5, dtype = "float64" }) end,
        "up: data: expected dtype float32, got float64")
    end
  end)
end)

describe("BatchNormReLU and SyncBatchNorm", function()
  it("print as in MXNet", function()
    assert.equal("BatchNormReLU(axis=1, eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, " ..
      "in_channels=3)", tostring(nn.BatchNormReLU { in_channels = 3 }))
    assert.equal("SyncBatchNorm(eps=1e-05, momentum=0.9, fix_gamma=False, use_global_stats=False, ndev=1, " ..
      "key='bn_', in_channels=4)", tostring(cnn.SyncBatchNorm { in_channels = 4, num_devices = 1, prefix = "bn_" }))
    assert.equal("batchnormrelu", (nn.BatchNormReLU().name:gsub("%d+$", "")))
    assert.equal("syncbatchnorm", (cnn.SyncBatchNorm().name:gsub("%d+$", "")))
  end)

  it("write the same attributes as MXNet", function()
    -- MXNet has _contrib_BatchNormWithReLU only in builds with oneDNN.
    assert.same({ 'BatchNorm "axis": "1", "cudnn_off": "False", "eps": "1e-05", "fix_gamma": "False", ' ..
      '"max_calib_range": "None", "min_calib_range": "None", "momentum": "0.9", "output_mean_var": "False", ' ..
      '"use_global_stats": "False"' }, nodes(nn.BatchNormReLU()))
    assert.same({ '_contrib_SyncBatchNorm "eps": "1e-05", "fix_gamma": "False", "key": "s_", "momentum": "0.9", ' ..
      '"ndev": "2", "use_global_stats": "False"' }, nodes(cnn.SyncBatchNorm { num_devices = 2, prefix = "s_" }))
  end)

  -- The outputs, gradients and states of a layer over two training steps and one prediction.
  local function run(net, norm, x, hybridized)
    net:initialize()
    net(x)                                               -- determines the channels
    norm.gamma:set_data(nd.array { 1.5, -0.5, 2 })
    norm.beta:set_data(nd.array { 0.2, 0.1, -0.3 })
    net:hybridize(hybridized)
    local found = {}
    for _ = 1, 2 do
      x:attach_grad()
      local y = autograd.record(function() return net(x) * nd.arange(#x):reshape { #x, 1, 1 } end)
      y:backward()
      for _, array in ipairs { y, x.grad, norm.gamma:grad(), norm.beta:grad(), norm.running_mean:data(),
                               norm.running_var:data() } do
        found[#found + 1] = array:copy()
      end
    end
    found[#found + 1] = net(x)
    return found
  end

  it("match BatchNorm to the bit, with relu for BatchNormReLU", function()
    local x = nd.random.normal { shape = { 4, 3, 5 } }
    for _, hybridized in ipairs { false, true } do
      local plain = nn.HybridSequential()
      plain:add(nn.BatchNorm(), nn.Activation "relu")
      local norm = nn.BatchNorm()
      for _, case in ipairs { { plain, plain[0], nn.BatchNormReLU() }, { norm, norm, cnn.SyncBatchNorm() } } do
        local wanted, found = run(case[1], case[2], x, hybridized), run(case[3], case[3], x, hybridized)
        assert.equal(13, #wanted)
        for i, array in ipairs(wanted) do assert.bits(found[i], array, i) end
      end
    end
  end)
end)

describe("BatchNormReLU in files", function()
  it("is saved as BatchNorm and relu; the former operator can still be loaded", function()
    local path, layer, x = os.tmpname(), nn.BatchNormReLU(), nd.random.normal { shape = { 4, 3, 5 } }
    layer:initialize()
    layer:hybridize()
    autograd.record(function() return layer(x) end)
    local wanted = layer(x)
    layer:export(path)
    local f <close> = assert(io.open(path .. "-symbol.json"))
    local text = f:read "a"
    assert.is_nil(text:find("WithReLU", 1, true))
    assert.truthy(text:find('"op": "relu"', 1, true))
    assert.bits(wanted, gluon.SymbolBlock.imports(path .. "-symbol.json", { "data" }, path .. "-0000.params")(x))
    local own = text:gsub('"op": "BatchNorm"', '"op": "_contrib_BatchNormWithReLU"')
    local params = {}
    for name, array in pairs(nd.load(path .. "-0000.params")) do params[name:gsub("^%a+:", "")] = array end
    params.data = x
    assert.bits(wanted, sym.load_json(own):eval(params)[1])
    for _, ending in ipairs { "", "-symbol.json", "-0000.params" } do os.remove(path .. ending) end
  end)
end)

describe("ReflectionPad2D", function()
  it("mirrors the image at its border", function()
    local layer = nn.ReflectionPad2D(1)
    assert.same({ { { { 4, 3, 4, 3 }, { 2, 1, 2, 1 }, { 4, 3, 4, 3 }, { 2, 1, 2, 1 } } } },
      layer(nd.array { { { { 1, 2 }, { 3, 4 } } } }):totable())
    assert.same({ 'Pad "mode": "reflect", "pad_width": "(0, 0, 0, 0, 2, 2, 2, 2)"' }, nodes(nn.ReflectionPad2D(2)))
    assert.same({ 1, 1, 2, 5 }, nn.ReflectionPad2D({ 0, 0, 0, 0, 0, 0, 1, 1 })(nd.ones { 1, 1, 2, 3 }).shape)
    assert.raises(function() nn.ReflectionPad2D { padding = { 1, 1 } } end,
      "ReflectionPad2D: padding: expected an integer or a table of 8, got 2 values")
    assert.raises(function() nn.ReflectionPad2D(-1) end,
      "ReflectionPad2D: padding: expected an integer of 0 or more, got %-1")
  end)
end)

describe("contrib.nn", function()
  it("concatenates the outputs of children in Concurrent and HybridConcurrent", function()
    for _, class in ipairs { cnn.Concurrent, cnn.HybridConcurrent } do
      local net = class { axis = 1, prefix = "both_" }
      net:name_scope(function() net:add(nn.Dense(2, { in_units = 3 }), cnn.Identity()) end)
      assert.same({ "both_dense0_weight", "both_dense0_bias" }, net:collect_params():keys())
      net:initialize()
      local x = nd.random.normal { shape = { 4, 3 } }
      local y = net(x)
      assert.bits(y, nd.concat(net[0](x), x, { dim = 1 }))
      if class == cnn.HybridConcurrent then
        net:hybridize()
        assert.bits(net(x), y)
        assert.equal("HybridConcurrent(\n  (0): Dense(3 -> 2, linear)\n  (1): Identity()\n)", tostring(net))
      end
    end
    assert.same({ 2, 6 }, (function()
      local net = cnn.HybridConcurrent()
      net:add(cnn.Identity(), cnn.Identity())
      return net(nd.ones { 2, 3 }).shape
    end)())
    assert.raises(function() cnn.Concurrent { prefix = "none_" } (nd.ones { 1 }) end,
      "none: expected blocks, appended by add%(...%), got none")
    assert.raises(function() cnn.Concurrent { axis = "x" } end,
      "Concurrent: axis: expected an integer, got the string 'x'")
  end)

  -- out[n, c, z1 .. ] = x[n, (c, remainders of z), quotients of z]
  local function shuffled(x, factors)
    local shape, taps = x.shape, 1
    for _, f in ipairs(factors) do taps = taps * f end
    local out, axes = { shape[1], shape[2] // taps }, #factors
    for a = 1, axes do out[a + 2] = shape[a + 2] * factors[a] end
    local values, result, place = x:reshape { -1 }:totable(), {}, {}
    local function fill(a)
      if a <= axes + 2 then
        for i = 0, out[a] - 1 do
          place[a] = i
          fill(a + 1)
        end
        return
      end
      local channel = place[2]
      for k = 1, axes do channel = channel * factors[k] + place[k + 2] % factors[k] end
      local at = place[1] * shape[2] + channel
      for k = 1, axes do at = at * shape[k + 2] + place[k + 2] // factors[k] end
      result[#result + 1] = values[at + 1]
    end
    fill(1)
    return result, out
  end

  it("moves groups of channels into blocks of neighbours in PixelShuffle", function()
    for _, case in ipairs { { cnn.PixelShuffle1D(2), { 2, 6, 3 }, { 2 }, "PixelShuffle1D(2)" },
                            { cnn.PixelShuffle2D { 2, 3 }, { 2, 12, 3, 2 }, { 2, 3 }, "PixelShuffle2D((2, 3))" },
                            { cnn.PixelShuffle2D(2), { 1, 4, 3, 2 }, { 2, 2 }, "PixelShuffle2D((2, 2))" },
                            { cnn.PixelShuffle3D { factor = { 2, 3, 2 } }, { 2, 24, 3, 2, 2 }, { 2, 3, 2 },
                              "PixelShuffle3D((2, 3, 2))" } } do
      local layer, shape, factors, text = table.unpack(case)
      assert.equal(text, tostring(layer))
      local size = 1
      for _, n in ipairs(shape) do size = size * n end
      local x = nd.arange(size):reshape(shape)
      local wanted, out = shuffled(x, factors)
      for _, hybridized in ipairs { false, true } do
        layer:hybridize(hybridized)
        local y = layer(x)
        assert.same(out, y.shape)
        assert.same(wanted, y:reshape { -1 }:totable())
      end
    end
    assert.raises(function() cnn.PixelShuffle2D { factor = { 1, 2, 3 } } end,
      "PixelShuffle2D: factor: expected an integer or a table of 2, got 3 values")
    assert.raises(function() cnn.PixelShuffle1D(0) end,
      "PixelShuffle1D: factor: expected an integer of 1 or more, got 0")
  end)

  it("has SparseEmbedding, which equals Embedding", function()
    local layer = cnn.SparseEmbedding(4, 5, { prefix = "e_" })
    assert.equal("SparseEmbedding(4 -> 5, float32)", tostring(layer))
    layer:initialize()
    assert.bits(layer(nd.array { 3, 0 }), nd.take(layer.weight:data(), nd.array { 3, 0 }))
  end)
end)
