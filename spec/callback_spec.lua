-- callback_spec.lua - hl.callback, hl.model's checkpoints and hl.log. Texts are MXNet's 1.9.1.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

-- The lines that fn logs; the root logger is a file meanwhile.
local function logged(fn)
  local folder, logger = scratch.folder(), hl.log.getLogger()
  local before = logger.file
  hl.log.getLogger(nil, { filename = folder:file "log" })
  local ok, message = pcall(fn)
  logger.file:close()
  logger.file = before
  local text = scratch.read(folder:file "log")
  folder:remove()
  if not ok then error(message, 0) end
  return text
end

local function metric()
  local accuracy = hl.metric.Accuracy()
  accuracy:add(1, 4)
  return accuracy
end

-- Calls a callback after each of these batches.
local function batches(callback, accuracy, epoch, ...)
  for _, nbatch in ipairs { ... } do callback(hl.model.BatchEndParam(epoch, nbatch, accuracy)) end
end

describe("hl.callback", function()
  it("logs speed and metric", function()
    local accuracy = metric()
    local text = logged(function() batches(hl.callback.Speedometer(10, 2), accuracy, 3, 0, 1, 2) end)
    assert.truthy(text:find "^Epoch%[3%] Batch %[0%-2%]\tSpeed: %d+%.%d%d samples/sec\taccuracy=0%.250000\n$")
    assert.equal(0, accuracy.num_inst)
    accuracy = metric()
    text = logged(function()
      local speed = hl.callback.Speedometer { batch_size = 10, frequent = 2, auto_reset = false }
      batches(speed, accuracy, 0, 1, 2, 3, 4)
      batches(speed, accuracy, 1, 0, 1, 2)
    end)
    local numbers = {}
    for epoch, from, to in text:gmatch "Epoch%[(%d)%] Batch %[(%d)%-(%d)%]" do
      numbers[#numbers + 1] = epoch .. from .. to
    end
    assert.same({ "002", "004", "102" }, numbers)
    assert.equal(4, accuracy.num_inst)
    text = logged(function() batches(hl.callback.Speedometer(1, 1), nil, 0, 0, 1) end)
    assert.truthy(text:find "^Iter%[0%] Batch %[1%]\tSpeed: [%d.]+ samples/sec\n$")
  end)

  it("logs metrics and progress", function()
    local accuracy = metric()
    assert.equal("Iter[2] Batch[4] Train-accuracy=0.250000\n",
      logged(function() batches(hl.callback.log_train_metric(4, true), accuracy, 2, 3, 4) end))
    assert.equal(0, accuracy.num_inst)
    assert.equal("Epoch[5] Validation-accuracy=0.250000\n",
      logged(function() batches(hl.callback.LogValidationMetricsCallback(), metric(), 5, 1) end))
    assert.equal("[===-------] 34%\r\n", logged(function() batches(hl.callback.ProgressBar(9, 10), nil, 0, 3) end))
  end)

  it("saves checkpoints that load", function()
    local folder = scratch.folder()
    local prefix, symbol = folder:file "net", sym.var "data" * 2
    local args, aux = { w = nd.ones { 2 } }, { m = nd.zeros { 3 } }
    local text = logged(function()
      local callback = hl.callback.do_checkpoint(prefix, 2)
      for epoch = 0, 3 do callback(epoch, symbol, args, aux) end
    end)
    assert.equal(('Saved checkpoint to "%s-0002.params"\nSaved checkpoint to "%s-0004.params"\n'):format(prefix,
      prefix), text)
    local loaded, got_args, got_aux = hl.model.load_checkpoint(prefix, 2)
    assert.equal(symbol:tojson(), loaded:tojson())
    assert.bits(args.w, got_args.w)
    assert.bits(aux.m, got_aux.m)
    assert.same({ "arg:w", "aux:m" }, (function()
      local names = {}
      for name in pairs(nd.load(prefix .. "-0004.params")) do names[#names + 1] = name end
      table.sort(names)
      return names
    end)())
    assert.bits(args.w, (hl.model.load_params(prefix, 4)).w)
    assert.raises(function() hl.model.load_checkpoint(prefix, 3) end, "net%-0003.params")
    assert.raises(function() hl.model.save_checkpoint(prefix, 1, symbol, { w = 3 }, {}) end,
      "model.save_checkpoint: arg_params: w: expected an NDArray, got number")
    assert.raises(function() hl.model.save_checkpoint(prefix, "one", symbol, {}, {}) end,
      "model.save_checkpoint: epoch: expected an integer of 0 or more, got the string 'one'")
    folder:remove()
  end)

  it("refuses wrong arguments", function()
    assert.raises(function() hl.callback.Speedometer() end, "Speedometer: batch_size: expected a number, got nil")
    assert.raises(function() hl.callback.Speedometer(10, 0) end,
      "Speedometer: frequent: expected an integer of 1 or more, got 0")
    assert.raises(function() hl.callback.do_checkpoint(3) end,
      "callback.do_checkpoint: prefix: expected a string, got number")
    assert.raises(function() hl.callback.log_train_metric() end,
      "callback.log_train_metric: period: expected an integer")
  end)
end)

describe("hl.log", function()
  it("writes lines of a level and above", function()
    local text = logged(function()
      local logger = hl.log.getLogger()
      logger:debug "not shown"
      logger:info("%d of %d", 1, 2)
      logger:setLevel(hl.log.WARNING)
      logger:info "not shown"
      logger:warning "50% done"
      logger:setLevel(hl.log.INFO)
    end)
    assert.equal("1 of 2\nWARNING: 50% done\n", text)
    assert.equal(hl.log.getLogger "a", hl.log.getLogger "a")
    assert.raises(function() hl.log.getLogger():info(3) end, "Logger.info: msg: expected a string, got number")
    assert.raises(function() hl.log.getLogger("a", { filename = "/nowhere/log" }) end,
      "log.getLogger: filename: /nowhere/log")
    assert.raises(function() hl.mod.BaseModule { logger = 3 } end,
      "BaseModule: logger: expected a logger of hl.log.getLogger, got number")
  end)
end)
