-- metric_spec.lua - metrics on fixed numbers, with MXNet 1.9.1's values.
local hl = require "hybridlua"
local nd, M = hl.nd, hl.metric

local probabilities = nd.array { { .3, .7 }, { .6, .4 }, { .2, .8 } }
local labels = nd.array { 1, 1, 1 }
local a, b = nd.array { { 1. }, { 2. }, { 3. } }, nd.array { { 1.5 }, { 2. }, { 2. } }

local function text_after(metric, label, pred)
  metric:update({ label }, { pred })
  return tostring(metric)
end

local function is_nan(x) return x ~= x end

describe("a metric", function()
  it("prints MXNet's value for classes", function()
    assert.equal("EvalMetric: {'accuracy': 0.6666666666666666}", text_after(M.Accuracy(), labels, probabilities))
    assert.equal("EvalMetric: {'top_k_accuracy_2': 1.0}", text_after(M.TopKAccuracy(2), labels, probabilities))
    assert.equal("EvalMetric: {'f1': 0.8}", text_after(M.F1(), labels, probabilities))
    assert.equal("EvalMetric: {'mcc': 0.0}", text_after(M.MCC(), labels, probabilities))
    assert.equal("EvalMetric: {'cross-entropy': 0.4987030824025472}",
      text_after(M.CrossEntropy(), labels, probabilities))
    assert.equal("EvalMetric: {'nll-loss': 0.4987030824025472}",
      text_after(M.NegativeLogLikelihood(), labels, probabilities))
    assert.equal("EvalMetric: {'perplexity': 1.6465844010423107}", text_after(M.Perplexity(nil), labels, probabilities))
  end)

  it("prints MXNet's value for numbers", function()
    assert.equal("EvalMetric: {'mae': 0.5}", text_after(M.MAE(), a, b))
    assert.equal("EvalMetric: {'mse': 0.4166666567325592}", text_after(M.MSE(), a, b))
    assert.equal("EvalMetric: {'rmse': 0.64549720287323}", text_after(M.RMSE(), a, b))
    assert.equal("EvalMetric: {'loss': 1.8333333333333333}", text_after(M.Loss(), a, b))
    local pearson = M.PearsonCorrelation()
    pearson:update({ a }, { b })
    assert.near(0.8660254037844387, select(2, pearson:get()), 1e-14)
  end)

  it("returns name and value, nan before the first batch and after a reset", function()
    local acc = M.Accuracy { name = "train" }
    local name, value = acc:get()
    assert.equal("train", name)
    assert.truthy(is_nan(value))
    assert.equal("EvalMetric: {'train': nan}", tostring(acc))
    acc:update(labels, probabilities)
    assert.same({ { "train", 2 / 3 } }, acc:get_name_value())
    acc:reset_local()
    assert.truthy(is_nan(select(2, acc:get())))
    assert.equal(2 / 3, select(2, acc:get_global()))
    acc:reset()
    assert.truthy(is_nan(select(2, acc:get_global())))
  end)

  it("accumulates over batches and lists", function()
    local acc = M.Accuracy()
    acc:update({ labels, nd.array { 0 } }, { probabilities, nd.array { { .1, .9 } } })
    acc:update(nd.array { 1, 0 }, nd.array { 1, 0 })                 -- predictions may be classes already
    assert.equal(4 / 6, select(2, acc:get()))
    local mse = M.MSE()
    mse:update(nd.array { 1, 2 }, nd.array { 1, 2 })                 -- the mean of the batches' means
    mse:update(nd.array { 0 }, nd.array { 2 })
    assert.equal(2, select(2, mse:get()))
  end)

  it("records nothing on the tape", function()
    local x = nd.array { { .3, .7 } }
    x:attach_grad()
    local loss = hl.autograd.record(function()
      local y = x * 2
      M.CrossEntropy():update(nd.array { 1 }, y)
      return y:sum()
    end)
    loss:backward()
    assert.allclose(x.grad, { { 2, 2 } })
  end)

  it("names mismatched shapes", function()
    local acc = M.Accuracy()
    assert.raises(function() acc:update({ labels }, {}) end,
      "metric_spec.lua:%d+: accuracy: update: Shape of labels 1 does not match shape of predictions 0")
    assert.raises(function() acc:update({ nd.ones { 2 } }, { probabilities }) end,
      "Shape of labels 2 does not match shape of predictions 3")
    assert.raises(function() M.MSE():update(nd.ones { 2 }, nd.ones { 3 }) end,
      "Shape of labels 2 does not match shape of predictions 3")
    assert.raises(function() M.CrossEntropy():update(nd.ones { 2 }, probabilities) end, "shape mismatch")
    assert.raises(function() M.F1():update(nd.array { 0, 2 }, nd.array { { 1, 0 }, { 0, 1 } }) end,
                  "F1 currently only supports binary classification")
    assert.raises(function() M.TopKAccuracy() end, "Please use Accuracy if top_k is no more than 1")
  end)
end)

describe("accuracy", function()
  it("works along another axis", function()
    local acc = M.Accuracy { axis = 2 }
    acc:update(nd.array { { 0, 1 } }, nd.array { { { 3, 1 }, { 4, 2 } } })
    assert.equal(.5, select(2, acc:get()))
  end)

  it("accepts integer labels", function()
    for _, dtype in ipairs { "int32", "int64", "uint8", "float64" } do
      local acc = M.Accuracy()
      acc:update(labels:astype(dtype), probabilities)
      assert.equal(2 / 3, select(2, acc:get()))
    end
  end)

  it("counts the top k", function()
    local top = M.TopKAccuracy { top_k = 2 }
    top:update(nd.array { 2, 0, 1 }, nd.array { { .1, .5, .4 }, { .2, .3, .5 }, { .1, .2, .7 } })
    assert.equal(2 / 3, select(2, top:get()))
    top:reset()
    -- ties: the first two classes count
    top:update(nd.array { 0, 1, 2 }, nd.array { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } })
    assert.equal(2 / 3, select(2, top:get()))
    top:reset()
    top:update(nd.array { 0 }, nd.array { { 0 / 0, 0 / 0, 0 / 0 } })
    assert.equal(0, select(2, top:get()))
  end)
end)

describe("scores of two classes", function()
  local truth = nd.array { 1, 0, 1, 1 }
  local guess = nd.array { { .2, .8 }, { .4, .6 }, { .9, .1 }, { .3, .7 } }       -- 1 1 0 1

  it("average over batches or samples", function()
    local macro, micro = M.F1(), M.F1 { average = "micro" }
    for _, f1 in ipairs { macro, micro } do
      f1:update(truth, guess)
      f1:update(nd.array { 0, 0 }, nd.array { { .1, .9 }, { .9, .1 } })
    end
    assert.near(1 / 3, select(2, macro:get()), 1e-12)           -- (2/3 + 0) / 2
    assert.near(4 / 7, select(2, micro:get()), 1e-12)           -- tp 2, fp 2, fn 1
    local mcc = M.MCC()
    mcc:update(truth, guess)
    assert.near(-1 / 3, select(2, mcc:get()), 1e-12)
    micro:reset()
    assert.truthy(is_nan(select(2, micro:get())))
  end)
end)

describe("perplexity", function()
  it("ignores a label", function()
    local p = M.Perplexity(1)
    p:update(nd.array { 1, 0, 1 }, probabilities)
    assert.near(1 / .6, select(2, p:get()), 1e-6)
  end)
end)

describe("correlation", function()
  it("covers the samples of all batches", function()
    local x, y = { 1, 2, 4, 3, 7 }, { 2, 1, 5, 5, 6 }
    local whole, parts = M.PearsonCorrelation(), M.PearsonCorrelation { average = "micro" }
    whole:update(nd.array(y), nd.array(x))
    parts:update(nd.array { 2, 1 }, nd.array { 1, 2 })
    parts:update(nd.array { 5, 5, 6 }, nd.array { 4, 3, 7 })
    assert.near(select(2, whole:get()), select(2, parts:get()), 1e-12)
  end)
end)

describe("several metrics", function()
  it("are updated together", function()
    local both = M.CompositeEvalMetric { M.Accuracy(), "ce" }
    both:update({ labels }, { probabilities })
    assert.same({ { "accuracy", "cross-entropy" }, { 2 / 3, 0.4987030824025472 } }, { both:get() })
    assert.equal("EvalMetric: {'accuracy': 0.6666666666666666, 'cross-entropy': 0.4987030824025472}", tostring(both))
    assert.equal("accuracy", both:get_metric(0).name)
    assert.raises(function() both:get_metric(2) end, "Metric index 2 is out of range 0 and 2")
    both:reset()
    assert.truthy(is_nan(select(2, both:get())[1]))
  end)
end)

describe("metric.create", function()
  it("accepts MXNet's names", function()
    for name, title in pairs { acc = "accuracy", ce = "cross-entropy", nll_loss = "nll-loss", f1 = "f1", mcc = "mcc",
                               mae = "mae", mse = "mse",
                               rmse = "rmse", pearsonr = "pearsonr", loss = "loss", Perplexity = "perplexity" } do
      assert.equal(title, (M.create(name):get()))
    end
    assert.equal("top_k_accuracy_3", (M.create("top_k_acc", { top_k = 3 }):get()))
    assert.same({ "accuracy", "mse" }, (M.create { "acc", "mse" }:get()))
    local mine = M.create(function(label) return label:sum():asscalar() end)
    mine:update({ labels }, { probabilities })
    assert.same({ "custom", 3.0 }, { mine:get() })
    assert.raises(function() M.create "nosuch" end,
      "nosuch is not registered%. Please register with metric%.register first")
    assert.raises(function() M.Accuracy { axes = 1 } end, "Accuracy: unknown option 'axes'; did you mean 'axis'%?")
  end)

  it("accepts custom functions and classes", function()
    local sums = M.CustomMetric(function(label, pred) return pred:sum():asscalar(), label.size end, "mine")
    sums:update({ labels, labels }, { probabilities, probabilities })
    assert.equal("mine", (sums:get()))
    assert.near(1, select(2, sums:get()), 1e-6)
    assert.raises(function() sums:update({ labels }, { labels, labels }) end,
      "Shape of labels 1 does not match shape of predictions 2")
    local Wrong = M.EvalMetric:subclass "Wrong"
    function Wrong:update_pair(label, pred) self:add((label - pred):abs():max():asscalar(), 1) end
    M.register(Wrong)
    local w = M.create "wrong"
    w:update(nd.array { 1, 2 }, nd.array { 1, 5 })
    assert.same({ "wrong", 3.0 }, { w:get() })
  end)

  it("may reset everything in a metric's own reset_local", function()
    local Mine = M.EvalMetric:subclass "Mine"
    function Mine:reset_local() self:reset() end
    local m = Mine()
    m:add(3, 1)
    m:reset_local()
    assert.is_true(is_nan(select(2, m:get_global())))
  end)
end)

describe("ConfusionMatrix", function()
  local truth, scores = nd.array { 0, 1, 2, 1 },
    nd.array { { .8, .1, .1 }, { .2, .5, .3 }, { .1, .8, .1 }, { .7, .2, .1 } }

  it("counts predictions by class", function()
    local m = M.ConfusionMatrix(3)
    m:update(truth, scores)
    local name, matrix = m:get()
    assert.equal("confusion_matrix", name)
    assert.bits(matrix, nd.array({ { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } }, { dtype = "int64" }))
    assert.equal(.5, m:accuracy())
    assert.same({ 1, .5, 0 }, m:recall())
    local precision = m:precision()
    assert.same({ .5, .5 }, { precision[1], precision[2] })
    assert.is_true(is_nan(precision[3]))
    m:update({ truth, truth }, { truth, truth })
    assert.bits(m:matrix(), nd.array({ { 3, 0, 0 }, { 1, 5, 0 }, { 0, 1, 2 } }, { dtype = "int64" }))
    m:reset_local()
    assert.bits(m:matrix(), nd.zeros({ 3, 3 }, { dtype = "int64" }))
    assert.equal(8 + 2, select(2, m:get_global()):sum():asscalar() - 2)
    m:reset()
    assert.equal(0, select(2, m:get_global()):sum():asscalar())
  end)

  it("returns fractions of rows, columns or the whole", function()
    local function of(kind)
      local m = M.create("confusion", { normalize = kind })
      m:update(truth, scores)
      return (select(2, m:get()))
    end
    assert.allclose(of "true", { { 1, 0, 0 }, { .5, .5, 0 }, { 0, 1, 0 } })
    assert.allclose(of "pred", { { .5, 0, 0 }, { .5, .5, 0 }, { 0, .5, 0 } })
    assert.allclose(of "all", { { .25, 0, 0 }, { .25, .25, 0 }, { 0, .25, 0 } })
  end)

  it("grows with new classes, and rejects invalid ones", function()
    local m = M.ConfusionMatrix()
    assert.same({ 0, 0 }, { table.unpack(m:matrix().shape) })
    m:update(nd.array { 0, 3 }, nd.array { 0, 1 })
    assert.equal(4, #m:matrix())
    assert.raises(function() m:update(nd.array { -1 }, nd.array { 0 }) end,
      "label: expected classes from 0, got %-1 in row 0")
    assert.raises(function() M.ConfusionMatrix(2):update(nd.array { 0, 2 }, nd.array { 0, 0 }) end,
                  "label: expected classes from 0 to 1, got 2 in row 1")
    assert.raises(function() M.ConfusionMatrix { normalize = "rows" } end,
      "normalize: expected 'true', 'pred', 'all' or nil, got 'rows'")
    assert.raises(function() M.ConfusionMatrix(0) end, "num_classes: expected an integer of 1 or more, got 0")
  end)
end)
