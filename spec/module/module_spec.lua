-- module_spec.lua - hl.mod.Module: trains Symbols. Figures of whole trainings are MXNet's 1.9.1 (spec/oracle/module,
-- made by spec/oracle/module.py).
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local ORACLE = "spec/oracle/module/"

local folder
before_each(function()
  folder = scratch.folder()
  hl.log.getLogger():setLevel(hl.log.WARNING)
end)
after_each(function()
  folder:remove()
  hl.log.getLogger():setLevel(hl.log.INFO)
end)

local function logger()
  return hl.log.getLogger("module_spec", { filename = folder:file "log", filemode = "w" })
end

local function logged() return (scratch.read(folder:file "log")) end

local function network(data)
  local x = sym.FullyConnected { data = data or sym.var "data", num_hidden = 8, name = "fc1" }
  x = sym.Activation { data = x, act_type = "relu" }
  x = sym.FullyConnected { data = x, num_hidden = 2, name = "fc2" }
  return sym.SoftmaxOutput { data = x, name = "softmax" }
end

local x = nd.array { { 1, 2 }, { -1, 1 }, { 2, -1 }, { -2, -1 }, { 1, 1 }, { -1, -2 } }
local y = (x[{ {}, 0 }] * x[{ {}, 1 }]):greater(0)

local function bound(options)
  local all = { symbol = network(), logger = logger() }
  for key, value in pairs(options or {}) do all[key] = value end
  local mod = hl.mod.Module(all)
  mod:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
  return mod
end

local BATCH = { data = { x }, label = { y } }

describe("Module.fit", function()
  it("computes what MXNet's does, and reads its checkpoints", function()
    local data = nd.load(ORACLE .. "data.params")
    local symbol, args, aux = hl.model.load_checkpoint(ORACLE .. "net", 0)
    local _, want_args, want_aux = hl.model.load_checkpoint(ORACLE .. "net", 3)
    local iter = hl.io.NDArrayIter(data.x, data.y, 4, { last_batch_handle = "roll_over" })
    local mod = hl.mod.Module(symbol, { logger = logger() })
    mod:fit(iter, { num_epoch = 3, optimizer = "sgd", arg_params = args, aux_params = aux,
                    optimizer_params = { learning_rate = 0.1, momentum = 0.9, wd = 0.01 } })
    local got_args, got_aux = mod:get_params()
    local count = 0
    for _, part in ipairs { { want_args, got_args }, { want_aux, got_aux } } do
      for name, want in pairs(part[1]) do
        assert.allclose(part[2][name], want, 1e-4, 1e-5)
        count = count + 1
      end
    end
    assert.equal(8, count)
    local loaded = hl.mod.Module.load(ORACLE .. "net", 3)
    iter = hl.io.NDArrayIter(data.x, data.y, 4)
    loaded:bind { data_shapes = iter.provide_data, label_shapes = iter.provide_label, for_training = false }
    assert.allclose(loaded:predict(iter), data.p, 1e-4, 1e-5)
  end)

  it("logs as MXNet does, and calls back", function()
    local mod, seen = bound(), {}
    local iter = hl.io.NDArrayIter(x, y, 2)
    mod:fit(iter, {
      eval_data = hl.io.NDArrayIter(x, y, 3), num_epoch = 2, eval_metric = { "acc", "ce" },
      batch_end_callback = function(param)
        seen[#seen + 1] = ("%d.%d"):format(param.epoch, param.nbatch)
        assert.equal(mod, param.locals.self)
      end,
      epoch_end_callback = { function(epoch, symbol, arg_params, aux_params)
        seen[#seen + 1] = ("end %d"):format(epoch)
        assert.equal(mod.symbol, symbol)
        assert.is_true(arg_params.fc1_weight.shape == { 8, 2 } and next(aux_params) == nil)
      end },
      eval_end_callback = function(param) seen[#seen + 1] = ("eval %d of %d"):format(param.nbatch, param.epoch) end,
    })
    assert.same({ "0.0", "0.1", "0.2", "end 0", "eval 2 of 0", "1.0", "1.1", "1.2", "end 1", "eval 2 of 1" }, seen)
    local number = "%d%.%d%d%d%d%d%d\n"
    assert.truthy(logged():find("Epoch%[1%] Train%-accuracy=" .. number .. "Epoch%[1%] Train%-cross%-entropy=" ..
      number ..
      "Epoch%[1%] Time cost=%d+%.%d%d%d\nEpoch%[1%] Validation%-accuracy=" .. number ..
      "Epoch%[1%] Validation%-cross%-entropy=" .. number .. "$"), logged())
  end)

  it("continues after a checkpoint to the bit", function()
    local function iterator() return hl.io.NDArrayIter(x, y, 3) end
    local fit = { optimizer = "adam", optimizer_params = { learning_rate = 0.1 }, begin_epoch = 0, num_epoch = 4 }
    local function made() return hl.mod.Module(network(), { logger = logger() }) end
    local whole, first, prefix = made(), made(), folder:file "net"
    hl.random.seed(1)
    whole:fit(iterator(), fit)
    hl.random.seed(1)
    fit.num_epoch, fit.epoch_end_callback = 2, hl.callback.module_checkpoint(first, prefix, 2, true)
    first:fit(iterator(), fit)
    local second = hl.mod.Module.load(prefix, 2, { load_optimizer_states = true, logger = logger() })
    fit.begin_epoch, fit.num_epoch, fit.epoch_end_callback = 2, 4, nil
    second:fit(iterator(), fit)
    for name, weight in pairs((whole:get_params())) do assert.bits(weight, (second:get_params())[name]) end
  end)

  it("refuses wrong arguments", function()
    local mod, iter = bound(), hl.io.NDArrayIter(x, y, 2)
    assert.raises(function() mod:fit(iter) end, "fit: num_epoch: expected the number of epochs, got nothing")
    assert.raises(function() mod:fit(x, { num_epoch = 1 }) end,
      "fit: train_data: expected a DataIter, got an NDArray; write hl.io.NDArrayIter%(x, y, batch_size%)")
    assert.raises(function() mod:fit(iter, { num_epoch = 1, batch_end_callback = "speed" }) end,
      "fit: batch_end_callback: expected a function or a list of them, got string")
    assert.raises(function() mod:fit(iter, { num_epochs = 1 }) end,
      "fit: unknown option 'num_epochs'; did you mean 'num_epoch'")
    for _ in iter do end
    assert.raises(function() mod:fit(iter, { num_epoch = 1 }) end,
      "fit: train_data: expected at least one batch in epoch 0, got none; call train_data:reset%(%) first")
  end)
end)

describe("Module", function()
  it("is used step by step", function()
    local mod = bound()
    mod:init_params(hl.init.Xavier())
    mod:init_optimizer { optimizer = "sgd", optimizer_params = { { "learning_rate", 0.5 } } }
    local metric, before = hl.metric.Accuracy(), mod:get_params()
    mod:forward(BATCH)
    mod:update_metric(metric, BATCH.label)
    mod:backward()
    mod:update()
    assert.equal(6, metric.num_inst)
    assert.is_true(mod:get_outputs()[1].shape == { 6, 2 })
    assert.is_true(mod:get_outputs(false)[1][1].shape == { 6, 2 })
    local after = mod:get_params()
    assert.is_true((before.fc1_weight - after.fc1_weight):abs():max():asscalar() > 0)
    assert.same({ "softmax_output", 6, 2 }, { mod.output_shapes[1][1], table.unpack(mod.output_shapes[1][2]) })
    assert.same({ "data" }, mod.data_names)
    assert.equal("DataDesc[softmax_label,(6,),float32,NCHW]", tostring(mod.label_shapes[1]))
  end)

  it("computes without labels and without training", function()
    local mod = hl.mod.Module { symbol = sym.var "data" * 2, label_names = {}, logger = logger() }
    mod:bind { data_shapes = { { "data", { 1, 2 } } }, for_training = false }
    mod:init_params()
    mod:forward { data = { nd.array { { 1, 2 } } } }
    assert.same({ { 2, 4 } }, mod:get_outputs()[1]:totable())
    mod:forward { data = { nd.ones { 3, 4 } } }                       -- another shape
    assert.is_true(mod:get_outputs()[1].shape == { 3, 4 })
    assert.raises(function() mod:backward() end, "Module.backward: the module was bound with for_training = false")
  end)

  it("keeps parameters when the batch size changes", function()
    local mod = bound()
    mod:init_params()
    mod:init_optimizer { optimizer_params = { learning_rate = 0.1, rescale_grad = 1 } }
    mod:forward(BATCH)
    local all = mod:get_outputs()[1]
    mod:forward({ data = { x["0:2"] }, label = { y["0:2"] } })
    assert.bits(all["0:2"], mod:get_outputs()[1])
    mod:backward()
    mod:update()
    local small = mod:get_params()
    mod:reshape({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
    for name, weight in pairs((mod:get_params())) do assert.bits(small[name], weight) end
    assert.raises(function() mod:forward { data = { nd.ones { 6, 3 } } } end,
      "forward: parameter fc1_weight: expected shape %(8, 2%), got %(8, 3%)")
  end)

  it("gives gradients of inputs, adds gradients, and leaves fixed parameters", function()
    local mod = hl.mod.Module(network(), { fixed_param_names = { "fc1_weight" }, logger = logger() })
    mod:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } }, { inputs_need_grad = true, grad_req = "add" })
    mod:init_params(hl.init.Xavier())
    mod:init_optimizer()
    local before = mod:get_params()
    mod:forward_backward(BATCH)
    local once = mod:get_input_grads()[1]:copy()
    assert.is_true(once:abs():max():asscalar() > 0)
    mod:forward_backward(BATCH)
    assert.allclose(mod:get_input_grads()[1], once * 2)
    mod:update()
    local after = mod:get_params()
    assert.bits(before.fc1_weight, after.fc1_weight)
    assert.is_true((before.fc2_weight - after.fc2_weight):abs():max():asscalar() > 0)
    assert.raises(function() bound():get_input_grads() end, "call mod:init_params%(%) first")
  end)

  it("takes gradients of its outputs", function()
    local mod = hl.mod.Module { symbol = sym.var "data" * 3, label_names = {}, logger = logger() }
    mod:bind { data_shapes = { { "data", { 2 } } }, inputs_need_grad = true }
    mod:init_params()
    mod:forward({ data = { nd.ones { 2 } } }, true)
    mod:backward { nd.array { 1, 10 } }
    assert.same({ 3, 30 }, mod:get_input_grads()[1]:totable())
  end)

  it("keeps states from batch to batch", function()
    local mod = hl.mod.Module { symbol = sym.var "data" + sym.var "state", label_names = {}, state_names = { "state" },
                                logger = logger() }
    mod:bind { data_shapes = { { "data", { 2 } } }, for_training = false }
    mod:init_params()
    mod:set_states { value = 5 }
    mod:forward { data = { nd.ones { 2 } } }
    assert.same({ 6, 6 }, mod:get_outputs()[1]:totable())
    mod:set_states(mod:get_outputs())
    mod:forward { data = { nd.ones { 2 } } }
    assert.same({ 7, 7 }, mod:get_outputs()[1]:totable())
    assert.same({ 6, 6 }, mod:get_states()[1]:totable())
    assert.raises(function() mod:set_states() end, "Module.set_states: expected either states or value")
  end)

  it("predicts and scores", function()
    local mod, iter = bound(), hl.io.NDArrayIter(x, y, 4)
    mod:init_params(hl.init.Xavier())
    local whole = mod:predict(iter)
    assert.allclose(whole, mod:predict(x))
    assert.is_true(whole.shape == { 6, 2 })
    assert.is_true(mod:predict(iter, { num_batch = 1 }).shape == { 4, 2 })
    local lists = mod:predict(iter, { merge_batches = false })
    assert.is_true(#lists == 2 and lists[2][1].shape == { 2, 2 })
    assert.equal(1, #mod:predict(iter, { always_output_list = true }))
    local rows = 0
    for outputs, i, batch in mod:iter_predict(iter) do
      rows = rows + #outputs[1]
      assert.equal(i == 1 and 2 or 0, batch.pad)
    end
    assert.equal(6, rows)
    local score = mod:score(hl.io.NDArrayIter(x, y, 3), { "acc", hl.metric.CrossEntropy() })
    assert.same({ "accuracy", "cross-entropy" }, { score[1][1], score[2][1] })
    local right = nd.sum(whole:argmax({ axis = 1 }):equal(y)):asscalar()
    assert.equal(right / 6, score[1][2])
    assert.raises(function() mod:score(iter) end, "score: eval_metric: expected a metric, such as 'acc', got nothing")
    assert.raises(function() mod:predict(3) end, "predict: eval_data: expected a DataIter, got number")
  end)

  it("gives a metric the outputs that it names", function()
    local data = sym.var "data"
    local copy = sym.BlockGrad { data = data, name = "copy" }
    local mod = hl.mod.Module { symbol = sym.Group { network(data), copy }, logger = logger() }
    mod:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
    mod:init_params()
    mod:forward(BATCH, false)
    local metric = hl.metric.Accuracy { output_names = { "softmax_output" }, label_names = { "softmax_label" } }
    mod:update_metric(metric, BATCH.label)
    assert.equal(6, metric.num_inst)
    local other = hl.metric.Accuracy { output_names = { "nothing" } }
    assert.raises(function() mod:update_metric(other, BATCH.label) end,
      "accuracy: output_names: there is no 'nothing' among softmax_output, copy_output")
  end)

  it("sets parameters, and says which are missing", function()
    local mod = bound()
    mod:init_params(hl.init.One())
    local args = mod:get_params()
    args.fc1_weight = args.fc1_weight * 3
    mod:set_params(args, {})
    assert.same({ 3, 3 }, (mod:get_params()).fc1_weight[0]:totable())
    mod:set_params({ fc2_bias = nd.array { 7, 8 } }, {}, { allow_missing = true })
    assert.same({ 7, 8 }, (mod:get_params()).fc2_bias:totable())
    assert.same({ 3, 3 }, (mod:get_params()).fc1_weight[0]:totable())
    assert.raises(function() mod:set_params({ fc2_bias = nd.array { 7, 8 } }, {}) end, "fc1_bias is not presented")
    assert.raises(function() mod:set_params({ other = nd.ones { 1 } }, {}, { allow_missing = true }) end,
      "set_params: arg_params: 'other' is not among the module's; allow_extra = true leaves it out")
    mod:set_params({ other = nd.ones { 1 } }, {}, { allow_missing = true, allow_extra = true })
    assert.raises(function() mod:set_params({ fc2_bias = nd.ones { 3 } }, {}, { allow_missing = true }) end,
      "set_params: fc2_bias: expected shape %(2,%), got %(3,%)")
    local file = folder:file "net.params"
    mod:save_params(file)
    local other = bound()
    other:init_params()
    other:load_params(file)
    for name, weight in pairs((mod:get_params())) do assert.bits(weight, (other:get_params())[name]) end
    nd.save(file, { weight = nd.ones { 1 } })
    assert.raises(function() other:load_params(file) end, "load_params: Invalid param file .*net.params.*got 'weight'")
  end)

  it("follows the variables' own initializers and multipliers", function()
    local weight = sym.var("w", { init = hl.init.Constant(5), lr_mult = 0 })
    local out = sym.FullyConnected { data = sym.var "data", weight = weight, num_hidden = 2, no_bias = true,
      name = "fc" }
    local mod = hl.mod.Module { symbol = sym.SoftmaxOutput { data = out, name = "softmax" }, logger = logger() }
    mod:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
    mod:init_params()
    mod:init_optimizer { optimizer_params = { learning_rate = 1 } }
    mod:forward_backward(BATCH)
    mod:update()
    assert.same({ { 5, 5 }, { 5, 5 } }, (mod:get_params()).w:totable())
  end)

  it("updates through a KVStore as without one", function()
    local mods = {}
    for i, store in ipairs { "device", hl.kv.create "local" } do
      mods[i] = bound()
      mods[i]:init_params(hl.init.One())
      mods[i]:init_optimizer { kvstore = store, optimizer = "sgd",
                               optimizer_params = { learning_rate = 0.1, momentum = 0.9, wd = 0.1 } }
      for _ = 1, 3 do
        mods[i]:forward_backward(BATCH)
        mods[i]:update()
      end
    end
    for name, weight in pairs((mods[1]:get_params())) do assert.bits(weight, (mods[2]:get_params())[name]) end
    local file = folder:file "states"
    mods[2]:save_optimizer_states(file)
    mods[2]:load_optimizer_states(file)
  end)

  it("names the forgotten call", function()
    local mod = hl.mod.Module { symbol = network(), logger = logger() }
    assert.raises(function() mod:forward(BATCH) end, "Module.forward: call mod:bind%(data_shapes, label_shapes%) first")
    assert.raises(function() mod:init_params() end, "Module.init_params: call mod:bind")
    mod:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
    assert.raises(function() mod:forward(BATCH) end, "Module.forward: call mod:init_params%(%) first")
    mod:init_params()
    mod:forward_backward(BATCH)
    assert.raises(function() mod:update() end, "Module.update: call mod:init_optimizer%(%) first")
    assert.raises(function() mod:forward(x) end,
      "forward: data_batch: expected a DataBatch, got an NDArray; write hl.io.DataBatch{data = {x}}")
    assert.raises(function() mod:forward { data = x } end,
      "forward: data_batch.data: expected a list of NDArrays, got an NDArray")
    assert.raises(function() mod:forward { data = { x, x } } end,
      "forward: data_batch.data: expected 1 NDArrays, for data, got 2")
    assert.raises(function() mod:forward { data = { x }, label = { y["0:3"] } } end,
      "forward: data_batch: softmax_label: expected shape %(6,%), got %(3,%)")
    assert.raises(function() mod.forward(BATCH) end, "Module.forward: call it with a colon, mod:forward%(...%)")
    mod:bind({ { "data", { 6, 2 } } })
    assert.equal("WARNING: Already bound, ignoring bind()\n", logged())
  end)

  it("refuses wrong symbols, names and contexts", function()
    local function made(options)
      return function() hl.mod.Module { symbol = network(), data_names = options.data_names,
        context = options.context, work_load_list = options.work_load_list } end
    end
    assert.raises(function() hl.mod.Module(3) end, "Module: symbol: expected a Symbol, got number")
    assert.raises(made { data_names = { "x" } },
      "Module%(..., data_names=%['x'%]%) but input with name 'x' is not found " ..
      ".* Did you mean one of: data, softmax_label")
    assert.raises(made { context = {} }, "Module: context: expected a context .*, got an empty table")
    assert.raises(made { context = { hl.cpu(), 3 } }, "Module: context")
    assert.raises(made { context = { hl.cpu(0), hl.cpu(1) }, work_load_list = { 1 } },
      "Module: work_load_list: expected a list of 2 numbers")
    assert.raises(made { context = "cpu" },
      "Module: context: expected a context such as hl.cpu%(%), or a list of them, got string")
    hl.mod.Module { symbol = network(), context = { hl.cpu() } }
    local mod = hl.mod.Module { symbol = network(), logger = logger() }
    assert.raises(function() mod:bind { data_shapes = { { "x", { 6, 2 } } } } end,
      "Data provided by data_shapes don't match names specified by data_names %(%['x'%] vs. %['data'%]%)")
    assert.raises(function() mod:bind({ { "data", { 6, 2 } } }, { { "label", { 6 } } }) end,
      "bind: label_shapes: the symbol has no argument 'label', its label is 'softmax_label'; write label_name = " ..
        "'softmax_label' for the iterator")
    assert.raises(function() mod:bind { data_shapes = { 6, 2 } } end,
      "data_shapes: expected a list of {name, shape}, got number")
    assert.raises(function() mod:bind { data_shapes = "data" } end,
      "data_shapes: expected a list of {name, shape}, got string")
    assert.raises(function() mod:init_optimizer() end, "call mod:bind")
  end)

  it("computes empty batches", function()
    local mod = hl.mod.Module { symbol = network(), logger = logger() }
    mod:bind({ { "data", { 0, 2 } } }, { { "softmax_label", { 0 } } })
    mod:init_params()
    mod:forward { data = { nd.zeros { 0, 2 } } }
    assert.is_true(mod:get_outputs()[1].shape == { 0, 2 })
  end)

  it("works in another context", function()
    local mod = hl.mod.Module { symbol = network(), context = hl.cpu(1), logger = logger() }
    mod:fit(hl.io.NDArrayIter(x, y, 3), { num_epoch = 1 })
    assert.equal(hl.cpu(1), mod:get_outputs()[1].context)
    assert.equal(hl.cpu(0), (mod:get_params()).fc1_weight.context)
  end)
end)

describe("a Module in several contexts", function()
  local TWO = { hl.cpu(0), hl.cpu(1) }

  it("computes what MXNet's does", function()
    local data = nd.load(ORACLE .. "data.params")
    local symbol, args, aux = hl.model.load_checkpoint(ORACLE .. "net", 0)
    local mod = hl.mod.Module(symbol, { context = TWO, work_load_list = { 1, 3 }, logger = logger() })
    local iter = hl.io.NDArrayIter(data.x, data.y, 11)
    mod:bind { data_shapes = iter.provide_data, label_shapes = iter.provide_label, inputs_need_grad = true }
    mod:init_params { arg_params = args, aux_params = aux }
    mod:init_optimizer { optimizer_params = { learning_rate = 0.1, momentum = 0.9, wd = 0.01 } }
    local metric = hl.metric.create "ce"
    for batch in iter do
      mod:forward(batch)
      mod:update_metric(metric, batch.label)
      mod:backward()
      mod:update()
    end
    for _, params in ipairs { mod:get_params() } do
      for name, got in pairs(params) do assert.allclose(got, data["two_" .. name], 1e-4, 1e-5) end
    end
    for _, params in ipairs { (select(2, mod:get_params())) } do assert.truthy(params.bn_moving_mean) end
    assert.allclose(mod:get_outputs()[1], data.two_outputs, 1e-4, 1e-5)
    assert.allclose(mod:get_input_grads()[1], data.two_input_grads, 1e-4, 1e-6)
    assert.near(data.two_metric:asscalar(), select(2, metric:get()), 1e-5)
    assert.same({ 11, 3 }, mod.output_shapes[1][2])
    local parts = mod:get_outputs { merge_multi_context = false }[1]
    assert.same({ { 3, 3 }, { 8, 3 } }, { parts[1].shape, parts[2].shape })
    assert.equal(hl.cpu(1), parts[2].context)
  end)

  it("trains as in one context, where samples do not depend on each other", function()
    local function trained(context)
      hl.random.seed(3)
      local mod = hl.mod.Module(network(), { context = context, logger = logger() })
      mod:fit(hl.io.NDArrayIter(x, y, 3), { num_epoch = 4, initializer = hl.init.Uniform(1), optimizer = "adam" })
      return mod
    end
    local one, two = trained(hl.cpu()), trained(TWO)
    for name, want in pairs((one:get_params())) do assert.allclose((two:get_params())[name], want, 1e-5, 1e-6) end
    local iter = hl.io.NDArrayIter(x, y, 4)
    assert.allclose(one:predict(iter), two:predict(iter), 1e-5, 1e-6)
    assert.equal(one:score(iter, "acc")[1][2], two:score(iter, "acc")[1][2])
    local prefix = folder:file "two"
    two:save_checkpoint(prefix, 4, true)
    local again = hl.mod.Module.load(prefix, 4, { load_optimizer_states = true, context = TWO, logger = logger() })
    again:bind({ { "data", { 6, 2 } } }, { { "softmax_label", { 6 } } })
    again:init_optimizer { optimizer = "adam" }
    again:forward(BATCH)
    assert.allclose(again:get_outputs()[1], two:predict(hl.io.NDArrayIter(x, nil, 6)), 1e-6, 1e-7)
  end)

  it("takes batches of other sizes, output gradients and states", function()
    local data = sym.elemwise_add(sym.var "data" * sym.var("weight", { shape = { 1, 2 } }), sym.var "state")
    local mod = hl.mod.Module(data, { context = TWO, label_names = {}, state_names = { "state" }, logger = logger() })
    mod:bind { data_shapes = { { "data", { 4, 2 } } }, inputs_need_grad = true }
    assert.error_matches(function() mod:init_optimizer() end, "call mod:init_params")
    mod:init_params(hl.init.One())
    mod:set_states { value = 2 }
    assert.same({ 4, 2 }, mod:get_states()[1].shape)
    mod:forward { data = { nd.arange(8):reshape { 4, 2 } } }
    assert.same({ { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8, 9 } }, mod:get_outputs()[1]:totable())
    mod:backward { nd.array { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } } }
    assert.same({ { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } }, mod:get_input_grads()[1]:totable())
    mod:set_states { states = mod:get_outputs { merge_multi_context = false } }
    assert.same({ { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8, 9 } }, mod:get_states()[1]:totable())
    mod:set_states { states = { nd.ones { 4, 2 } } }
    mod:forward { data = { nd.zeros { 4, 2 } } }
    assert.equal(8, mod:get_outputs()[1]:sum():asscalar())
    mod:forward { data = { nd.zeros { 7, 2 } } }
    assert.same({ 7, 2 }, mod:get_outputs()[1].shape)
    assert.error_matches(function() mod:forward { data = { nd.zeros { 1, 2 } } } end,
      "expected a batch of 2 samples or more, one for each context, got 1")
  end)
end)
