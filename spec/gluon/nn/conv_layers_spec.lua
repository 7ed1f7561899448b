-- conv_layers_spec.lua - convolution and pooling layers of gluon.nn, and Pooling compared with plain loops.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn = gluon.nn

-- Attributes of the operator nodes of a block's graph, as MXNet writes them.
local function attributes(block)
  local text = block(sym.var "data"):tojson()
  local list = {}
  for op, attrs in text:gmatch '"op": "(%u%a+)".-"attrs": {(.-)}' do
    list[#list + 1] = op .. " " .. attrs:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
  end
  return list
end

local function lenet(options)
  local net = nn.HybridSequential(options)
  net:name_scope(function()
    net:add(nn.Conv2D(20, 5, { activation = "relu" }), nn.MaxPool2D(2, 2), nn.Conv2D(50, 5, { activation = "relu" }),
            nn.MaxPool2D(2, 2),
            nn.Flatten(), nn.Dense(500, { activation = "relu" }), nn.Dense(10))
  end)
  return net
end

describe("convolution and pooling layers", function()
  it("print as in MXNet", function()
    local texts = {
      [nn.Conv2D(20, 5,
        { activation = "relu" })] = "Conv2D(None -> 20, kernel_size=(5, 5), stride=(1, 1), Activation(relu))",
      [nn.Conv2D(8, 3, { padding = 1, use_bias = false, in_channels = 4 })] =
        "Conv2D(4 -> 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)",
      [nn.Conv1D(8, 3, { dilation = 2, groups = 4, in_channels = 4 })] =
        "Conv1D(1 -> 8, kernel_size=(3,), stride=(1,), dilation=(2,), groups=4)",
      [nn.Conv3D(2, { 1, 2, 3 }, 2)] = "Conv3D(None -> 2, kernel_size=(1, 2, 3), stride=(2, 2, 2))",
      [nn.MaxPool2D(2,
        2)] = "MaxPool2D(size=(2, 2), stride=(2, 2), padding=(0, 0), ceil_mode=False, global_pool=False, " ..
          "pool_type=max, layout=NCHW)",
      [nn.GlobalAvgPool2D()] =
        "GlobalAvgPool2D(size=(1, 1), stride=(1, 1), padding=(0, 0), ceil_mode=True, global_pool=True, " ..
          "pool_type=avg, layout=NCHW)",
      [nn.AvgPool1D()] =
        "AvgPool1D(size=(2,), stride=(2,), padding=(0,), ceil_mode=False, global_pool=False, pool_type=avg, " ..
          "layout=NCW)",
    }
    for block, text in pairs(texts) do assert.equal(text, tostring(block)) end
  end)

  it("write the same attributes as MXNet", function()
    assert.same({ 'Convolution "dilate": "(1, 1)", "kernel": "(3, 3)", "layout": "NCHW", "no_bias": "False", ' ..
      '"num_filter": "4", ' ..
                  '"num_group": "1", "pad": "(1, 1)", "stride": "(2, 2)"' },
      attributes(nn.Conv2D(4, 3, { strides = 2, padding = 1, groups = 1 })))
    assert.same({ 'Convolution "dilate": "(2,)", "kernel": "(3,)", "layout": "NCW", "no_bias": "True", ' ..
      '"num_filter": "2", ' ..
                  '"num_group": "1", "pad": "(0,)", "stride": "(1,)"' },
                  attributes(nn.Conv1D(2, 3, { use_bias = false, dilation = 2 })))
    assert.same({ 'Pooling "global_pool": "False", "kernel": "(2, 2)", "layout": "NCHW", "pad": "(0, 0)", ' ..
      '"pool_type": "max", ' ..
                  '"pooling_convention": "valid", "stride": "(2, 2)"' }, attributes(nn.MaxPool2D()))
    assert.same({ 'Pooling "count_include_pad": "False", "global_pool": "False", "kernel": "(3, 3)", "layout": ' ..
      '"NCHW", "pad": "(0, 0)", ' ..
                  '"pool_type": "avg", "pooling_convention": "full", "stride": "(2, 2)"' },
      attributes(nn.AvgPool2D(3, 2, { ceil_mode = true, count_include_pad = false })))
    assert.same({ 'Pooling "global_pool": "True", "kernel": "(1, 1)", "layout": "NCHW", "pad": "(0, 0)", ' ..
      '"pool_type": "avg", ' ..
                  '"pooling_convention": "full", "stride": "(1, 1)"' }, attributes(nn.GlobalAvgPool2D()))
  end)

  it("have MXNet's names and order of arguments", function()
    local net = lenet { prefix = "net_" }
    net:initialize()
    net(nd.zeros { 1, 1, 28, 28 })
    assert.same({ "net_conv0_weight", "net_conv0_bias", "net_conv1_weight", "net_conv1_bias", "net_dense0_weight",
                  "net_dense0_bias",
                  "net_dense1_weight", "net_dense1_bias" }, net:collect_params():keys())
    assert.same({ 50, 20, 5, 5 }, net[2].weight.shape)
    local pool = nn.MaxPool2D({ 3, 2 }, { 2, 1 }, { 1, 0 }, "NCHW", true)
    assert.equal("MaxPool2D(size=(3, 2), stride=(2, 1), padding=(1, 0), ceil_mode=True, global_pool=False, " ..
      "pool_type=max, layout=NCHW)",
      tostring(pool))
    assert.truthy(tostring(nn.AvgPool2D(2, 1, 0, true)):find "ceil_mode=True")
    local conv = nn.Conv2D(4, 3, 2, 1, 2, 2, "NCHW", "tanh", false)
    assert.equal("Conv2D(None -> 4, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), groups=2, " ..
      "bias=False, Activation(tanh))",
      tostring(conv))
  end)

  it("pool data with channels last", function()
    local x = nd.random.uniform { shape = { 2, 5, 6, 3 } }
    local function turned(a) return nd.transpose(a, { axes = { 0, 3, 1, 2 } }) end
    for _, pool in ipairs { nn.MaxPool2D, nn.AvgPool2D } do
      for _, hybrid in ipairs { false, true } do
        local last, first = pool(2, { layout = "NHWC", padding = 1 }), pool(2, { padding = 1 })
        if hybrid then last:hybridize() end
        assert.bits(turned(last(x)), first(turned(x)))
      end
    end
    assert.bits(turned(nn.GlobalAvgPool2D { layout = "NHWC" } (x)), nn.GlobalAvgPool2D()(turned(x)))
    assert.raises(function() nn.MaxPool2D(2, { layout = "NWC" }) end,
      "MaxPool2D: layout: expected 'NCHW' or 'NHWC', got 'NWC'")
  end)

  it("return the same shapes as MXNet", function()
    local function shape_of(block, shape)
      block:initialize()
      return block(nd.zeros(shape)).shape
    end
    assert.same({ 2, 6, 4 },
      shape_of(nn.Conv1D(6, 3, { strides = 2, padding = 1, dilation = 2, groups = 2 }), { 2, 4, 9 }))
    assert.same({ 2, 3, 4, 5, 6 }, shape_of(nn.Conv3D(3, { 1, 2, 3 }, { padding = { 0, 0, 1 } }), { 2, 2, 4, 6, 6 }))
    assert.same({ 1, 2, 3 }, shape_of(nn.MaxPool1D(3, 2), { 1, 2, 8 }))
    assert.same({ 1, 2, 4 }, shape_of(nn.MaxPool1D(3, 2, { ceil_mode = true }), { 1, 2, 8 }))
    assert.same({ 1, 2, 2, 2, 2 }, shape_of(nn.AvgPool3D(), { 1, 2, 4, 5, 4 }))
    for axes, blocks in ipairs { { nn.GlobalMaxPool1D, nn.GlobalAvgPool1D }, { nn.GlobalMaxPool2D, nn.GlobalAvgPool2D },
                                 { nn.GlobalMaxPool3D, nn.GlobalAvgPool3D } } do
      local shape, one = { 2, 3, 4, 5, 2 }, { 2, 3, 1, 1, 1 }
      for _, block in ipairs(blocks) do
        assert.same({ table.unpack(one, 1, axes + 2) }, shape_of(block(), { table.unpack(shape, 1, axes + 2) }))
      end
    end
  end)

  it("reject invalid arguments", function()
    assert.raises(function() nn.Conv2D(0, 3) end, "Conv2D: channels: expected an integer of 1 or more, got 0")
    assert.raises(function() nn.Conv2D(4, { 3, 3, 3 }) end,
      "Conv2D: kernel_size: expected an integer or a table of 2, got 3 values")
    assert.raises(function() nn.Conv2D(4, 0) end, "Conv2D: kernel_size: expected an integer of 1 or more, got 0")
    assert.raises(function() nn.Conv2D(4, 3, { groups = 3 }) end,
      "Conv2D: groups: expected a divisor of channels = 4, got 3")
    assert.raises(function() nn.Conv2D(4, 3, { groups = 2, in_channels = 3 }) end,
      "Conv2D: groups: expected a divisor of in_channels = 3, got 2")
    assert.raises(function() nn.Conv2D(4, 3, { layout = "NHWC" }) end,
      "Conv2D: layout: expected 'NCHW', channels before places, got 'NHWC'")
    assert.raises(function() nn.MaxPool2D { pool_sise = 2 } end,
      "MaxPool2D: unknown option 'pool_sise'; did you mean 'pool_size'%?")
    assert.raises(function() nn.AvgPool2D { count_include_pad = 1 } end,
      "AvgPool2D: count_include_pad: expected true or false, got 1")
    local conv = nn.Conv2D(2, 3, { in_channels = 3 })
    conv:initialize()
    for _, hybridized in ipairs { false, true } do
      conv:hybridize(hybridized)
      assert.raises(function() conv(nd.ones { 1, 4, 5, 5 }) end,
        "conv_layers_spec.lua:%d+: conv%d+: data: expected 3 channels, got 4")
      assert.raises(function() conv(nd.ones { 1, 3, 5, 5, dtype = "float64" }) end,
        "conv%d+: data: expected dtype float32, got float64")
      assert.raises(function() conv(nd.ones { 3, 3 }) end,
        "conv%d+: .*expected 4 dimensions %(batch, channel, height, width%), got %(3, 3%)")
    end
  end)

  it("save parameters under MXNet's names", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local a, b = lenet(), lenet()
    a:initialize()
    local x = nd.random.uniform { shape = { 2, 1, 28, 28 } }
    local y = a(x)
    a:save_parameters(folder:file "p.params")
    assert.truthy(nd.load(folder:file "p.params")["2.weight"])
    b:load_parameters(folder:file "p.params")
    assert.bits(b(x), y)
    a:hybridize()
    a(x)
    a:export(folder:file "net")
    local again = gluon.SymbolBlock.imports(folder:file "net-symbol.json", { "data" }, folder:file "net-0000.params")
    assert.bits(again(x), y)
  end)
end)

describe("Gluon's LeNet", function()
  it("has MXNet's outputs with MXNet's parameters", function()
    local net = lenet()
    local M = "spec/oracle/models/lenet-"
    net:initialize()
    local io, params = nd.load(M .. "io.params"), nd.load(M .. "0000.params")
    net(io.in0)
    for _, param in ipairs(net:collect_params():values()) do
      param:set_data(params["arg:" .. param.name:gsub("^hybridsequential%d+", "hybridsequential1")])
    end
    assert.allclose(net(io.in0), io.out0, 1e-3, 1e-4)
  end)

  it("reduces its loss, with the same bits in eager and hybridized mode after 20 steps", function()
    local nets, trainers, losses = {}, {}, { {}, {} }
    for i = 1, 2 do
      hl.random.seed(7)
      nets[i] = lenet()
      nets[i]:initialize(hl.init.Xavier())
      trainers[i] = gluon.Trainer(nets[i]:collect_params(), "sgd", { learning_rate = 0.05, momentum = 0.9 })
    end
    nets[2]:hybridize()
    local x, labels = nd.random.uniform { shape = { 16, 1, 28, 28 } }, nd.arange(16) % 10
    local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ = 1, 20 do
      for i, net in ipairs(nets) do
        local loss = autograd.record(function() return loss_of(net(x), labels) end)
        loss:backward()
        trainers[i]:step(16)
        losses[i][#losses[i] + 1] = loss:mean():asscalar()
      end
    end
    assert.same(losses[1], losses[2])
    assert.is_true(losses[1][20] < 0.8 * losses[1][1], table.concat(losses[1], " "))
    local eager = nets[1]:collect_params():values()
    for i, param in ipairs(nets[2]:collect_params():values()) do
      assert.bits(param:data(), eager[i]:data(), param.name)
    end
  end)
end)

-- ---- Pooling ------------------------------------------------------------------------------------------------

local below = scratch.numbers(77)
local function from(low, high) return low + below(high - low + 1) end

-- The elements that window o covers along axis a: first, last (exclusive), and their number for a mean.
local function covered(p, size, a, o)
  local start = o * p.stride[a] - p.pad[a]
  local stop = math.min(start + p.kernel[a], size + p.pad[a])
  local first, last = math.max(start, 0), math.min(stop, size)
  return first, last, p.count_include_pad == false and last - first or stop - start
end

-- Pools one plane by plain loops: a table of { value =, at = position of the maximum }.
local function pooled(p, plane)
  local out = {}
  local h, w = #plane, #plane[1]
  for i = 0, p.out[1] - 1 do
    out[i + 1] = {}
    for j = 0, p.out[2] - 1 do
      local top, bottom, tall = covered(p, h, 1, i)
      local left, right, wide = covered(p, w, 2, j)
      local sum, max, at = 0, -math.huge, nil
      for y = top, bottom - 1 do
        for x = left, right - 1 do
          local v = plane[y + 1][x + 1]
          sum = sum + (p.pool_type == "lp" and v ^ p.p_value or v)
          if v > max then max, at = v, { y, x } end
        end
      end
      local value = p.pool_type == "max" and (at and max or -0x1.fffffffffffffp+1023) or sum
      if p.pool_type == "avg" then value = sum / math.max(1, tall * wide) end
      if p.pool_type == "lp" then value = sum ^ (1 / p.p_value) end
      out[i + 1][j + 1] = { value = value, at = at }
    end
  end
  return out
end

local function draw_pool()
  local p = { kernel = { from(1, 4), from(1, 4) }, stride = { from(1, 3), from(1, 3) }, pad = { 0, 0 },
              pool_type = ({ "max", "avg", "sum", "lp" })[from(1, 4)],
              pooling_convention = ({ "valid", "full", "same" })[from(1, 3)],
              count_include_pad = ({ true, false })[from(1, 3)] }
  if p.pool_type == "lp" then p.p_value = from(1, 3) end
  local size, out = {}, {}
  for a = 1, 2 do
    if p.pooling_convention ~= "same" then p.pad[a] = below(p.kernel[a]) end
    size[a] = math.max(p.kernel[a], from(1, 80 // (below(9) + 1)))
    local left = size[a] + 2 * p.pad[a] - p.kernel[a]
    if p.pooling_convention == "same" then out[a] = -(-size[a] // p.stride[a])
    elseif p.pooling_convention == "full" then out[a] = -(-left // p.stride[a]) + 1
    else out[a] = left // p.stride[a] + 1 end
  end
  p.out = out
  return p, size
end

describe("Pooling", function()
  it("matches plain loops for random windows; the first of equal maxima receives the gradient", function()
    for _ = 1, 120 do
      local p, size = draw_pool()
      local x = nd.random.randint(-4, 5, { shape = { 2, 2, size[1], size[2] }, dtype = "int32" }):astype "float64"
      if p.pool_type == "lp" then x = x:abs() end
      x:attach_grad()
      local y = autograd.record(function()
        return nd.Pooling(x, { kernel = p.kernel, stride = p.stride, pad = p.pad, pool_type = p.pool_type,
                               p_value = p.p_value,
                               pooling_convention = p.pooling_convention, count_include_pad = p.count_include_pad })
      end)
      local g = nd.random.randint(1, 100, { shape = y.shape, dtype = "int32" }):astype "float64"
      y:backward(g)
      local values, heads, grads = x:totable(), g:totable(), nd.zeros(x.shape):totable()
      local right = y:totable()
      for n = 1, 2 do
        for c = 1, 2 do
          for i, row in ipairs(pooled(p, values[n][c])) do
            for j, cell in ipairs(row) do
              if p.pool_type == "max" then
                assert.equal(cell.value, right[n][c][i][j])
                if cell.at then
                  local line = grads[n][c][cell.at[1] + 1]
                  line[cell.at[2] + 1] = line[cell.at[2] + 1] + heads[n][c][i][j]
                end
              else
                assert.near(cell.value, right[n][c][i][j], 1e-9 * math.max(1, math.abs(cell.value)))
              end
            end
          end
        end
      end
      if p.pool_type == "max" then assert.same(grads, x.grad:totable()) end
    end
  end)

  it("propagates NaN and passes a gradient to it", function()
    local nan = 0 / 0
    local x = nd.array { { { 1, nan, 3, 4 } } }
    x:attach_grad()
    local y = autograd.record(function() return nd.Pooling(x, { kernel = { 2 }, stride = { 2 } }) end)
    y:backward()
    local row = y:totable()[1][1]
    assert.is_true(row[1] ~= row[1])
    assert.equal(4, row[2])
    assert.same({ 0, 1, 0, 1 }, x.grad:totable()[1][1])
  end)

  it("rejects arguments that do not fit", function()
    local x = nd.ones { 1, 1, 4, 4 }
    local function fails(text, options) assert.raises(function() return nd.Pooling(x, options) end, text) end
    fails("Pooling: data: expected 3 dimensions %(batch, channel, width%), got %(1, 1, 4, 4%)", { kernel = 2 })
    fails("Pooling: kernel: expected 1, 2 or 3 numbers", {})
    fails("Pooling: kernel: expected a window that fits into the padded data %(1, 1, 4, 4%), got size 5 " ..
      "along axis 3", { kernel = { 2, 5 } })
    fails("Pooling: p_value: expected 1, 2 or 3 if pool_type is lp, got nothing",
      { kernel = { 2, 2 }, pool_type = "lp" })
    fails("Pooling: pad: expected none if pooling_convention is same, got 1",
      { kernel = { 2, 2 }, pad = { 1, 1 }, pooling_convention = "same" })
    assert.raises(function() return nd.Pooling(nd.ones { 2, 3 }, { global_pool = true }) end,
      "Pooling: data: expected 3 to 5 dimensions")
  end)
end)
