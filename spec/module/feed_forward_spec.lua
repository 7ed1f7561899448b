-- feed_forward_spec.lua - hl.model.FeedForward, MXNet's first interface for training.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local function network()
  local x = sym.FullyConnected { data = sym.var "data", num_hidden = 16, name = "fc1" }
  x = sym.FullyConnected { data = sym.Activation { data = x, act_type = "relu" }, num_hidden = 2, name = "fc2" }
  return sym.SoftmaxOutput { data = x, name = "softmax" }
end

describe("FeedForward", function()
  local folder, logger, x, y
  before_each(function()
    folder = scratch.folder()
    hl.log.getLogger():setLevel(hl.log.WARNING)
    logger = hl.log.getLogger("feed_forward_spec", { filename = folder:file "log", filemode = "w" })
    hl.random.seed(1)
    x = nd.random.normal { shape = { 105, 2 } }
    y = (x[{ {}, 0 }] * x[{ {}, 1 }]):greater(0)
  end)
  after_each(function()
    folder:remove()
    hl.log.getLogger():setLevel(hl.log.INFO)
  end)

  it("trains on arrays, predicts, scores, saves and loads", function()
    local model = hl.model.FeedForward(network(), { num_epoch = 20, optimizer = "adam", learning_rate = 0.05,
                                                    numpy_batch_size = 30 })
    local ends = {}
    model:fit(x, y, { eval_data = { x, y }, logger = logger,
      eval_end_callback = function(param) ends[#ends + 1] = param end })
    assert.equal(20, #ends)
    assert.equal(4, ends[1].nbatch)
    assert.truthy(scratch.read(folder:file "log"):find "^Epoch%[0%] Resetting Data Iterator\nEpoch%[0%] Time cost=%d")
    local iter = hl.io.NDArrayIter(x, y, 30)
    assert.is_true(model:score(iter) > 0.9)
    local predictions, data, labels = model:predict(iter, { return_data = true })
    assert.bits(x, data)
    assert.bits(y, labels)
    assert.is_true(predictions.shape == { 105, 2 })
    assert.allclose(model:predict(x), predictions)
    model:save(folder:file "net")
    local loaded = hl.model.FeedForward.load(folder:file "net", 20, { num_epoch = 21, learning_rate = 0.1 })
    assert.bits(model:predict(x), loaded:predict(x))
    loaded:fit(x, y, { logger = logger })
    assert.is_true((loaded.arg_params.fc1_weight - model.arg_params.fc1_weight):abs():max():asscalar() > 0)
  end)

  it("counts batches instead of passes with epoch_size", function()
    local seen = {}
    hl.model.FeedForward.create(network(), hl.io.NDArrayIter(x, y, 35), { num_epoch = 2, epoch_size = 5,
      learning_rate = 0.1, momentum = 0.5, logger = logger,
      batch_end_callback = function(param) seen[#seen + 1] = param.nbatch end })
    assert.same({ 1, 2, 3, 4, 5, 1, 2, 3, 4, 5 }, seen)
  end)

  it("refuses wrong arguments", function()
    local function made(options) return function() hl.model.FeedForward(network(), options) end end
    assert.raises(made { lerning_rate = 0.1 }, "SGD: unknown option 'lerning_rate'; did you mean 'learning_rate'%?")
    assert.raises(made { optimizer = 3 }, "FeedForward: optimizer: expected a name or an Optimizer, got number")
    assert.raises(function() hl.model.FeedForward(network) end, "FeedForward: symbol: expected a Symbol, got function")
    local model = hl.model.FeedForward(network(), { num_epoch = 1 })
    assert.raises(function() model:fit(x) end, "fit: y: expected labels for the array X, got nothing")
    assert.raises(function() model:fit(x, y["0:3"]) end, "The numbers of data points and labels not equal: 105 and 3")
    assert.raises(function() model:predict(3) end, "predict: X: expected a DataIter, got number")
    assert.raises(function() hl.model.FeedForward(network()):fit(x, y) end, "num_epoch: expected the number of epochs")
  end)
end)
