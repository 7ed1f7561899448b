-- gluon_spec.lua - Gluon under npx.set_np(): parameters, batches, losses, metrics and states are np's.
local hl = require "hybridlua"
local np, npx, nd, autograd, gluon = hl.np, hl.npx, hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function is_np(x) return hl.isinstance(x, np.ndarray) end

describe("npx.set_np", function()
  before_each(function() npx.set_np() end)
  after_each(function() npx.reset_np() end)

  it("is a mode that can be read, and scoped", function()
    assert.is_true(npx.is_np_array() and npx.is_np_shape() and hl.util.is_np_array())
    npx.reset_np()
    assert.is_false(npx.is_np_array() or npx.is_np_shape())
    npx.set_np { array = false }
    assert.is_true(npx.is_np_shape() and not npx.is_np_array())
    assert.raises(function() npx.set_np(false, true) end, "npx.set_np: array: expected false if shape is false")
    npx.reset_np()
    do
      local _ <close> = hl.util.np_array(true)
      assert.is_true(npx.is_np_array())
    end
    assert.is_false(npx.is_np_array())
    assert.is_true(hl.util.use_np(function() return npx.is_np_array() end)())
    assert.is_false(npx.is_np_array())
    assert.raises(function() hl.compile(function() npx.set_np() return nd.ones { 1 } end)() end, "call it outside")
  end)

  it("decides for parameters and their gradients, not for nd", function()
    local net = nn.Dense(2, { in_units = 3 })
    net:initialize()
    for _, x in ipairs { net.weight:data(), net.weight:grad(), net.weight:list_data()[1], net.bias:list_grad()[1] } do
      assert.is_true(is_np(x))
    end
    assert.is_false(is_np(nd.ones { 2 }))
    local y = autograd.record(function() return (net.weight:data() * 2):sum() end)
    y:backward()
    assert.equal(2, net.weight:grad()[{ 0, 0 }]:item())
    npx.reset_np()
    assert.is_false(is_np(net.weight:data()))
  end)

  it("makes batches of np's arrays", function()
    local set = gluon.data.ArrayDataset(nd.ones { 4, 2 }, nd.array { 0, 1, 2, 3 })
    for data, label in gluon.data.DataLoader(set, 2) do assert.is_true(is_np(data) and is_np(label)) end
    assert.is_true(is_np(gluon.utils.split_and_load(nd.ones { 2 }, { hl.cpu() })[1]))
    local cell = gluon.rnn.LSTM(3)
    assert.is_true(is_np(cell:begin_state(2)[1]))
  end)

  it("trains the same numbers as nd, eager, hybridized and compiled", function()
    local function train(kind, hybridized)
      hl.random.seed(3)
      if kind == "nd" then npx.reset_np() else npx.set_np() end
      local net = nn.HybridSequential()
      net:add(nn.Dense(4, { activation = "relu" }), nn.BatchNorm(), nn.Dropout(0.2), nn.Dense(3))
      net:initialize(hl.init.Xavier())
      if hybridized then net:hybridize() end
      local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
      local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
      local x, y = nd.random.normal(0, 1, { 8, 5 }), nd.array { 0, 1, 2, 0, 1, 2, 0, 1 }
      if kind == "np" then x, y = x:as_np_ndarray(), y:as_np_ndarray() end
      local last
      for _ = 1, 4 do
        last = autograd.record(function() return loss_of(net(x), y) end)
        last:backward()
        trainer:step(8)
      end
      assert.equal(kind == "np", is_np(last))
      return net[0].weight:data():tobytes() .. last:tobytes()
    end
    local want = train("nd", false)
    for _, hybridized in ipairs { false, true } do assert.equal(want, train("np", hybridized)) end
  end)

  it("gives losses the shapes and bits of nd's", function()
    local pred, label = np.random.uniform(0.1, 0.9, { 4, 3 }), np.random.uniform(0.1, 0.9, { 4, 3 })
    local sign = np.array { 1, -1, 1, 1 }
    for name, call in pairs {
      L2Loss = { pred, label }, L1Loss = { pred, label }, SigmoidBinaryCrossEntropyLoss = { pred, label },
      SoftmaxCrossEntropyLoss = { pred, np.array { 0, 1, 2, 0 } }, KLDivLoss = { pred, label },
      HuberLoss = { pred, label }, HingeLoss = { pred, label }, SquaredHingeLoss = { pred, label },
      LogisticLoss = { pred, label }, TripletLoss = { pred, label, pred },
      PoissonNLLLoss = { pred, label }, CosineEmbeddingLoss = { pred, label, sign },
    } do
      local loss = gluon.loss[name]()
      local eager = loss(table.unpack(call))
      assert.is_true(is_np(eager), name)
      local plain = {}
      for i, x in ipairs(call) do plain[i] = x:as_nd_ndarray() end
      local want = loss(table.unpack(plain))
      assert.is_true(eager.shape == want.shape or want.shape == { 1 } and eager.shape == {}, name)
      assert.equal(want:tobytes(), eager:tobytes(), name)
      loss:hybridize()
      assert.equal(eager:tobytes(), loss(table.unpack(call)):tobytes(), name)
    end
  end)

  it("feeds every metric", function()
    local labels, pred = np.array { 0, 1, 1 }, np.array { { 0.9, 0.1 }, { 0.2, 0.8 }, { 0.6, 0.4 } }
    local function value(metric, l, p)
      local m = hl.metric.create(metric)
      m:update({ l }, { p })
      return select(2, m:get())
    end
    assert.equal(2 / 3, value("acc", labels, pred))
    for _, name in ipairs { "acc", "f1", "mcc", "ce", "loss" } do
      local want = value(name, labels:as_nd_ndarray(), pred:as_nd_ndarray())
      assert.equal(want, value(name, labels, pred), name)
    end
    for _, name in ipairs { "mae", "mse", "rmse", "pearsonr" } do
      local want = value(name, labels:as_nd_ndarray(), pred:as_nd_ndarray()[":, 1"])
      assert.equal(want, value(name, labels, pred[":, 1"]), name)
    end
    local top = hl.metric.TopKAccuracy { top_k = 2 }
    top:update({ labels }, { pred })
    assert.equal(1, select(2, top:get()))
  end)

  it("runs layers as nd does, with np's arrays", function()
    local x = np.random.normal(0, 1, { 2, 3, 8, 8 })
    for _, make in ipairs {
      function() return nn.Conv2D(4, 3) end, function() return nn.MaxPool2D(2) end,
        function() return nn.GlobalAvgPool2D() end,
      function() return nn.BatchNorm() end, function() return nn.LayerNorm() end, function() return nn.Flatten() end,
      function() return nn.GELU() end, function() return nn.PReLU() end, function() return nn.InstanceNorm() end,
    } do
      local layer = make()
      layer:initialize()
      local want = layer(x:as_nd_ndarray())
      local got = layer(x)
      assert.is_true(is_np(got))
      assert.equal(want:tobytes(), got:tobytes())
      layer:hybridize()
      got = layer(x)
      assert.is_true(is_np(got) and got.shape == want.shape)
      assert.equal(want:tobytes(), got:tobytes())
    end
    local rnn = gluon.rnn.LSTM(4)
    rnn:initialize()
    local out, states = rnn(np.ones { 3, 2, 5 }, rnn:begin_state(2))
    assert.is_true(is_np(out) and is_np(states[1]))
    local embedding = nn.Embedding(5, 2)
    embedding:initialize()
    assert.is_true(embedding(np.array { 1, 3 }).shape == { 2, 2 })
  end)
end)
