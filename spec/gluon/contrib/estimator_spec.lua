-- estimator_spec.lua - gluon.contrib.estimator: Estimator and its event handlers.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, gluon = hl.nd, hl.gluon
local estimator = gluon.contrib.estimator

-- 12 samples that a linear layer can separate, in batches of 4.
local function loader()
  hl.random.seed(3)
  local x = nd.random.normal { shape = { 12, 2 } }
  local y = x[":, 0"]:greater(0):astype "int32"
  return gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), 4)
end

local function make(options)
  hl.random.seed(1)
  local net = gluon.nn.Dense(2)
  net:initialize()
  options = options or {}
  options.trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.5 })
  local est = estimator.Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), options)
  local lines = {}
  est.logger.file = { write = function(_, ...) lines[#lines + 1] = table.concat { ... } end, flush = function() end }
  return est, lines
end

describe("Estimator", function()
  it("trains as a loop does", function()
    local est = make()
    est:fit(loader(), { epochs = 3 })
    local expected = make()
    local data = loader()
    for _ = 1, 3 do
      for x, y in data do
        hl.autograd.record(function() return expected.loss(expected.net(x), y) end):backward()
        expected.trainer:step(#x)
      end
    end
    assert.bits(est.net.weight:data(), expected.net.weight:data())
  end)

  it("logs and validates as MXNet does", function()
    local est, lines = make()
    est:fit(loader(), loader(), 1)
    assert.equal("Training begin: using optimizer SGD with current learning rate 0.5000 \n", lines[1])
    assert.equal("Train for 1 epochs.\n", lines[2])
    assert.equal("[Epoch 0] Begin, current learning rate: 0.5000\n", lines[3])
    assert.equal("Validation Begin\n", lines[4])
    assert.truthy(lines[5]:find "^%[Epoch 0%] Finished in %d+%.%d%d%ds, validation accuracy: %d%.%d%d%d%d, valid" and
      lines[5]:find "softmaxcrossentropyloss: %d%.%d%d%d%d\n$", lines[5])
    assert.truthy(lines[6]:find "^%[Epoch 0%] Finished in .*training accuracy: ", lines[6])
    assert.truthy(lines[7]:find "^Train finished using total %d+s with 1 epochs%. training accuracy: ", lines[7])
    local _, accuracy = est.val_metrics[1]:get()
    assert.is_true(accuracy > 0.5)
  end)

  it("logs rows of a file and live curves", function()
    local path, drawn = os.tmpname(), {}
    local est = make()
    local live = { add = function(_, row) drawn[#drawn + 1] = row end }
    est:fit(loader(), { epochs = 2, val_data = loader(), event_handlers = {
      estimator.TrainingLogHandler(path .. ".csv"),
      estimator.TrainingLogHandler(live, { log_interval = 2, metrics = est.train_metrics }) } })
    local rows = hl.log.read_training(path .. ".csv")
    assert.same({ 2, 1, 3, 2, 6, 0.5 }, { #rows, rows[1].epoch, rows[1].batch, rows[2].epoch, rows[2].batch,
      rows[2]["learning rate"] })
    local _, accuracy = est.val_metrics[1]:get()
    assert.equal(accuracy, rows[2]["validation accuracy"])
    assert.equal(3, #drawn)
    assert.is_nil(drawn[1]["validation accuracy"])
    assert.is_number(drawn[1]["training accuracy"])
    os.remove(path)
    os.remove(path .. ".csv")
    assert.raises(function() estimator.TrainingLogHandler(3) end, "TrainingLogHandler: log: expected a path")
  end)

  it("stops after a number of batches, or when a handler says so", function()
    local calls = {}
    local Note = estimator.TrainBegin:subclass "Note"
    function Note:init() self.priority = 5 end                          -- luacheck: ignore 212
    for _, event in ipairs { "train_begin", "epoch_begin", "batch_begin", "batch_end", "epoch_end", "train_end" } do
      Note[event] = function(_, est, said)
        calls[#calls + 1] = event .. (said.batch and " " .. #said.batch[1] or "")
        assert.is_true(est.net ~= nil)
        return false
      end
    end
    make():fit(loader(), { batches = 2, event_handlers = Note() })
    assert.equal("train_begin epoch_begin batch_begin 4 batch_end 4 batch_begin 4 batch_end 4 epoch_end train_end",
      table.concat(calls, " "))
    local Stop = estimator.EventHandler:subclass "Stop"
    function Stop:batch_end() return true end                            -- luacheck: ignore 212
    function Stop:epoch_end() return true end                            -- luacheck: ignore 212
    local est = make()
    est:fit(loader(), { epochs = 9, event_handlers = { Stop() } })
    assert.equal(4, est.train_metrics[1].num_inst)
  end)

  it("stops early if a metric does not improve", function()
    local est, lines = make()
    local handler = estimator.EarlyStoppingHandler(est.train_metrics[2], { patience = 2, min_delta = 100 })
    est:fit(loader(), { epochs = 20, event_handlers = { handler } })
    assert.equal(3, handler.current_epoch)
    assert.truthy(table.concat(lines):find("early stopping due to training softmaxcrossentropyloss not improving", 1,
      true))
  end)

  it("saves checkpoints and resumes from them, to the bit", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local function train(epochs, where, resume)
      local est = make()
      local handler = estimator.CheckpointHandler(where, { max_checkpoints = 2, resume_from_checkpoint = resume,
        monitor = est.train_metrics[1], save_best = true })
      est:fit(loader(), { epochs = epochs, event_handlers = handler })
      return est.net.weight:data()
    end
    local whole = train(4, folder:file "whole")
    train(3, folder:file "parts")
    assert.bits(whole, train(4, folder:file "parts", true))
    local names = scratch.run("ls " .. folder:file "parts"):gsub("\n", " ")
    assert.equal("model-best.params model-best.states model-epoch2batch9.params model-epoch2batch9.states " ..
      "model-epoch3batch12.params model-epoch3batch12.states ", names)
    assert.raises(function() train(4, folder:file "parts", true) end,
      "CheckpointHandler: found a checkpoint after 4 epochs, and training is for 4")
  end)

  it("takes a batch processor of the script's", function()
    local Mine, count = estimator.BatchProcessor:subclass "Mine", 0
    function Mine:fit_batch(est, batch, axis)
      count = count + 1
      return estimator.BatchProcessor.fit_batch(self, est, batch, axis)
    end
    make({ batch_processor = Mine() }):fit(loader(), { epochs = 2 })
    assert.equal(6, count)
  end)

  it("rejects wrong arguments", function()
    local est = make()
    assert.raises(function() est:fit(loader()) end, "estimator_spec.lua:%d+: Fit only support exactly one type")
    assert.raises(function() est:fit(loader(), { epochs = 1, batches = 1 }) end, "Fit only support exactly one type")
    assert.raises(function() est:fit({ 1 }, { epochs = 1 }) end,
      "train_data: expected a gluon.data.DataLoader, got table")
    assert.raises(function() estimator.Estimator(3) end, "net: expected a gluon.Block, got number")
    assert.raises(function() estimator.Estimator(est.net, print) end, "loss: expected a gluon.loss.Loss, got function")
    assert.raises(function() est:fit(loader(), { epochs = 1, event_handlers = { 3 } }) end,
      "event_handlers%[1%]: expected an EventHandler, got number")
    assert.raises(function() make { batch_processor = {} } end, "batch_processor: expected a BatchProcessor")
    assert.raises(function()
      est:fit(loader(), { epochs = 1, event_handlers = estimator.MetricHandler(hl.metric.Accuracy()) })
    end, "Event handler MetricHandler refers to a metric instance .* outside of the known")
    assert.raises(function() estimator.LoggingHandler "batch" end,
      "log_interval must be either an integer or string 'epoch'")
    assert.raises(function() estimator.CheckpointHandler("/tmp", { save_best = true }) end,
      "monitor: expected a metric")
    assert.raises(function() estimator.EarlyStoppingHandler(est.train_metrics[1], { mode = "most" }) end,
      "mode: expected 'auto', 'min' or 'max', got 'most'")
  end)
end)

describe("IntervalSampler", function()
  it("takes every n-th index", function()
    local Interval = gluon.contrib.data.IntervalSampler
    assert.same({ 0, 3, 6, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11 }, Interval(13, 3):totable())
    assert.same({ 0, 3, 6, 9, 12 }, Interval(13, { interval = 3, rollover = false }):totable())
    assert.same({ 13, 5 }, { #Interval(13, 3), #Interval(13, 3, false) })
    assert.raises(function() Interval(2, 3) end, "Interval 3 must be smaller than or equal to length 2")
  end)
end)

describe("ImageListDataset", function()
  it("reads the images that a list names", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    for i = 0, 1 do
      hl.image.imwrite(folder:file(i .. ".png"), nd.full({ 2, 3, 3 }, 10 * i, { dtype = "uint8" }))
    end
    scratch.write(folder:file "all.lst", "5\t1\t0.png\n6\t2\t3\t1.png\n")
    local List = gluon.data.vision.datasets.ImageListDataset
    for _, list in ipairs { folder:file "all.lst", { { 1, "0.png" }, { { 2, 3 }, "1.png" } } } do
      local set = List(folder.path, list)
      assert.equal(2, #set)
      local x, y = set:get(0)
      assert.same({ 2, 3, 3 }, x.shape)
      assert.equal(1, y)
      x, y = set:get(1)
      assert.equal(10, x:max():asscalar())
      assert.allclose(y, { 2, 3 })
    end
    scratch.write(folder:file "digits.lst", "7\t3\t007\n")
    assert.equal("007", List(folder.path, folder:file "digits.lst").items[1][1])
    assert.same({ 2, 3, 1 }, List { root = folder.path, imglist = folder:file "all.lst", flag = 0 }[0][1].shape)
    assert.raises(function() List(folder.path, 3) end, "imglist: expected a .lst file's name or a list, got number")
    assert.raises(function() List(folder.path, { { "0.png" } }) end, "imglist%[1%]: expected labels and a file's name")
    assert.raises(function() List(folder.path, folder:file "no.lst") end, "ImageListDataset: imglist: .*No such file")
  end)
end)
