-- torch_layers_spec.lua - layers by PyTorch's names, and other names that MXNet's programs reach for. Figures of layers
-- are PyTorch's.
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon
local nn = gluon.nn

local function both(layer, x)
  layer:initialize()
  local y = layer(x)
  layer:hybridize()
  assert.bits(y, layer(x))
  return y
end

describe("PyTorch's layers", function()
  it("compute as there, eager and hybridized", function()
    assert.allclose(both(nn.SiLU(), nd.array { -1, 0, 2 }), { -0.26894143, 0, 1.7615942 }, 1e-5)
    local x = nd.arange(12):reshape { 1, 1, 3, 4 }
    assert.allclose(both(nn.AdaptiveAvgPool2D { 2, 2 }, x), { { { { 2.5, 4.5 }, { 6.5, 8.5 } } } }, 1e-5)
    assert.same({ 1, 1, 1, 1 }, nn.AdaptiveAvgPool2D()(x).shape)
    local small = nd.array { { 1, 2 }, { 3, 4 } }:reshape { 1, 1, 2, 2 }
    assert.allclose(both(nn.Upsample(2), small),
      { { { { 1, 1, 2, 2 }, { 1, 1, 2, 2 }, { 3, 3, 4, 4 }, { 3, 3, 4, 4 } } } })
    assert.allclose(both(nn.Upsample(2, { mode = "bilinear" }), small)[0][0][0], { 1, 4 / 3, 5 / 3, 2 }, 1e-5)
    assert.allclose(both(nn.ZeroPad2D { 1, 0, 0, 1 }, small), { { { { 0, 1, 2 }, { 0, 3, 4 }, { 0, 0, 0 } } } })
    assert.same({ 1, 1, 6, 6 }, nn.ZeroPad2D(2)(small).shape)
  end)

  it("check their arguments", function()
    assert.raises(function() nn.Upsample(0) end, "scale_factor: expected an integer of 1 or more, got 0")
    assert.raises(function() nn.Upsample(2, "cubic") end, "mode: expected 'nearest' or 'bilinear', got 'cubic'")
    assert.raises(function() nn.ZeroPad2D { 1, 2 } end,
      "expected an integer or {left, right, top, bottom}, got 2 values")
    assert.raises(function() nn.AdaptiveAvgPool2D(0) end, "output_size: expected an integer of 1 or more")
  end)
end)

describe("adaptive pools", function()
  -- The parts of an axis of n elements: PyTorch's AdaptiveAvgPool takes floor(i n / size) to ceil((i + 1) n / size).
  local function parts(n, size)
    local list = {}
    for i = 0, size - 1 do list[i + 1] = { i * n // size, math.ceil((i + 1) * n / size) } end
    return list
  end

  -- The pool by its definition, part by part.
  local function pooled(x, sizes, reduce)
    local axis = #sizes + 1
    for i = #sizes, 1, -1 do
      local list = {}
      for k, part in ipairs(parts(x.shape[axis + 1], sizes[i])) do
        list[k] = reduce(nd.slice_axis(x, { axis = axis, begin = part[1], stop = part[2] }), axis)
      end
      x, axis = nd.concat(list, { dim = axis }), axis - 1
    end
    return x
  end

  local function mean(x, axis) return nd.mean(x, { axis = axis, keepdims = true }) end
  local function max(x, axis) return nd.max(x, { axis = axis, keepdims = true }) end

  it("reduce parts in one, two and three dimensions", function()
    hl.random.seed(2)
    for axes, case in ipairs { { { 7 }, { 3 } }, { { 5, 6 }, { 2, 3 } }, { { 4, 5, 3 }, { 3, 2, 5 } } } do
      local x = nd.random.normal { shape = { 2, 3, table.unpack(case[1]) } }
      for kind, reduce in pairs { Avg = mean, Max = max } do
        local layer = nn[("Adaptive%sPool%dD"):format(kind, axes)](axes == 1 and case[2][1] or case[2])
        assert.allclose(both(layer, x), pooled(x, case[2], reduce), 1e-5, 1e-6)
        assert.same({ 2, 3, table.unpack({ 1, 1, 1 }, 1, axes) },
          nn[("Adaptive%sPool%dD"):format(kind, axes)]()(x).shape)
      end
    end
  end)

  it("give the gradient of a maximum to its first element", function()
    local x = nd.zeros { 1, 1, 5 }
    x:attach_grad()
    hl.autograd.record(function() return nn.AdaptiveMaxPool1D(2)(x) end):backward()
    assert.same({ { { 1, 0, 1, 0, 0 } } }, x.grad:totable())
  end)

  it("reject other dimensions", function()
    assert.raises(function() nn.AdaptiveMaxPool2D(2)(nd.ones { 2, 3, 4 }) end,
      "AdaptiveMaxPool2D: data: expected 4 dimensions %(batch, channel and 2 more%), got 3")
    assert.raises(function() nn.AdaptiveAvgPool3D { 1, 2 } end, "AdaptiveAvgPool3D: output_size")
  end)
end)

describe("trainer:clip_gradients", function()
  it("scales all gradients, compiled too", function()
    local function train(compiled)
      hl.random.seed(2)
      local net = nn.Dense(3, { in_units = 4 })
      net:initialize()
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 1 })
      local function step(_, x)
        local loss = hl.autograd.record(function() return (net(x) ^ 2):sum() end)
        loss:backward()
        trainer:clip_gradients(0.5)
        trainer:step(1)
        return loss
      end
      local run = compiled and hl.compile(step) or function(x) return step(nd, x) end
      for _ = 1, 3 do run(nd.ones { 2, 4 }) end
      return net.weight:data()
    end
    assert.bits(train(false), train(true))
    local net = nn.Dense(3, { in_units = 4 })
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), "sgd")
    hl.autograd.record(function() return (net(nd.ones { 2, 4 }) * 100):sum() end):backward()
    assert.is_true(trainer:clip_gradients(1) > 100)
    local norm = net.weight:grad():square():sum() + net.bias:grad():square():sum()
    assert.near(1, norm:asscalar(), 1e-5)
    assert.raises(function() trainer:clip_gradients "a" end, "max_norm: expected a number, got string")
  end)
end)

describe("other names", function()
  it("are those of MXNet's modules", function()
    assert.equal(hl.metric.EvalMetric, gluon.metric.EvalMetric)
    assert.equal(0, hl.util.get_gpu_count())
    assert.is_false(hl.util.is_np_array())
    assert.same({ 3 }, hl.base._as_list(3))
    assert.same({ 3, 4 }, hl.base._as_list { 3, 4 })
    local Mine = hl.metric.EvalMetric:subclass "MineByAlias"
    hl.metric.alias("mine_alias")(Mine)
    assert.is_true(hl.isinstance(hl.metric.create "mine_alias", Mine))
  end)
end)
