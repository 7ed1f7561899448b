-- other_modules_spec.lua - BucketingModule, SequentialModule, PythonLossModule and a script's own modules. Figures of
-- trainings are MXNet's 1.9.1 (spec/oracle/module).
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local oracle = nd.load "spec/oracle/module/data.params"

local folder, logger
before_each(function()
  folder = scratch.folder()
  logger = hl.log.getLogger("other_modules_spec", { filename = folder:file "log", filemode = "w" })
end)
after_each(function() folder:remove() end)

-- The arrays of the oracle whose names begin with the prefix.
local function oracle_of(prefix)
  local arrays = {}
  for name, array in pairs(oracle) do
    if name:sub(1, #prefix) == prefix then arrays[name:sub(#prefix + 1)] = array end
  end
  return arrays
end

local function check(want, got, count)
  for name, array in pairs(want) do
    assert.allclose(got[name], array, 1e-4, 1e-5)
    count = count - 1
  end
  assert.equal(0, count)
end

-- ---- Buckets ------------------------------------------------------------------------------------------------------

local function sentence_network()
  local x = sym.Embedding { data = sym.var "data", input_dim = 7, output_dim = 4, name = "embedding" }
  x = sym.FullyConnected { data = sym.sum { data = x, axis = 1, name = "sum" }, num_hidden = 3, name = "fc" }
  return sym.SoftmaxOutput { data = x, name = "softmax" }, { "data" }, { "softmax_label" }
end

local Sentences = hl.io.DataIter:subclass "Sentences"

function Sentences:init()
  hl.io.DataIter.init(self, 4)
  self.provide_data, self.provide_label = { { "data", { 4, 5 } } }, { { "softmax_label", { 4 } } }
  self.batches, self.i = {}, 0
  for i = 0, 4 do
    local words = oracle["words" .. i]
    self.batches[i + 1] = hl.io.DataBatch({ words }, { oracle["kinds" .. i] },
      { pad = 0, bucket_key = words.shape[2], provide_data = { { "data", words.shape } },
        provide_label = self.provide_label })
  end
end

function Sentences:reset() self.i = 0 end
function Sentences:next()
  self.i = self.i + 1
  return self.batches[self.i]
end

describe("BucketingModule", function()
  it("computes what MXNet's does", function()
    local mod, iter = hl.mod.BucketingModule(sentence_network, 5, { logger = logger }), Sentences()
    mod:fit(iter, { num_epoch = 3, optimizer = "adam", optimizer_params = { learning_rate = 0.05 },
                    arg_params = oracle_of "buckets_first_", eval_metric = hl.metric.Perplexity() })
    check(oracle_of "buckets_last_", (mod:get_params()), 3)
  end)

  it("switches modules with the batch, which share parameters", function()
    local mod, iter = hl.mod.BucketingModule { sym_gen = sentence_network, default_bucket_key = 5, logger = logger },
      Sentences()
    mod:bind(iter.provide_data, iter.provide_label)
    mod:init_params(hl.init.Xavier())
    mod:forward(iter.batches[2], false)
    assert.is_true(mod.data_shapes[1].shape == { 4, 3 })
    local before = mod:get_outputs()[1]
    local args = mod:get_params()
    args.fc_bias = args.fc_bias + 1
    mod:set_params(args, {})
    mod:forward(iter.batches[2], false)
    assert.allclose(before, mod:get_outputs()[1], 1e-4, 1e-5)        -- softmax ignores equal shifts
    args.fc_bias = nd.array { 5, 0, 0 }
    mod:set_params(args, {})
    mod:forward(iter.batches[1], false)
    assert.is_true(mod.data_shapes[1].shape == { 4, 5 })
    assert.is_true((mod:get_outputs()[1] - before):abs():max():asscalar() > 0.1)
    assert.equal(20, #mod:predict(iter))
  end)

  it("saves a symbol for each key, and loads them", function()
    local mod, iter, prefix = hl.mod.BucketingModule(sentence_network, 5, { logger = logger }), Sentences(),
      folder:file "net"
    mod:fit(iter, { num_epoch = 1 })
    mod:save_checkpoint(prefix, 1)
    for _, key in ipairs { 3, 4, 5 } do
      assert.same({ "softmax_output" }, sym.load(("%s-%d-symbol.json"):format(prefix, key)):list_outputs())
    end
    local loaded = hl.mod.BucketingModule.load(prefix, 1, { sym_gen = sentence_network, default_bucket_key = 5,
                                                            logger = logger })
    loaded:bind { data_shapes = iter.provide_data, label_shapes = iter.provide_label, for_training = false }
    assert.bits(mod:predict(iter), loaded:predict(iter))
    local args, aux = mod:get_params()
    local made = hl.mod.BucketingModule.load_dict { sym_dict = { [5] = (sentence_network()) },
      sym_gen = sentence_network,
      default_bucket_key = 5, arg_params = args, aux_params = aux, logger = logger }
    made:bind { data_shapes = iter.provide_data, label_shapes = iter.provide_label, for_training = false }
    assert.bits(mod:predict(iter), made:predict(iter))
  end)

  it("refuses keys whose symbols have other parameters", function()
    local function other(key)
      local x = sym.FullyConnected { data = sym.var "data", num_hidden = 2, flatten = false, name = "fc" .. key }
      return x, { "data" }, {}
    end
    local mod = hl.mod.BucketingModule(other, 2, { logger = logger })
    mod:bind { data_shapes = { { "data", { 1, 2 } } } }
    mod:init_params()
    assert.raises(function()
      mod:forward { data = { nd.ones { 1, 3 } }, bucket_key = 3, provide_data = { { "data", { 1, 3 } } } }
    end, "bind: shared_module: it has no parameter 'fc3_weight'; all symbols must have the same parameters")
    assert.raises(function() hl.mod.BucketingModule(other) end, "BucketingModule: default_bucket_key: expected a key")
    assert.raises(function() hl.mod.BucketingModule(3, 1) end,
      "BucketingModule: sym_gen: expected a function of a bucket key")
    assert.raises(function() hl.mod.BucketingModule(function() end, 1) end,
      "BucketingModule: sym_gen: expected a Symbol, data names and label names, got nil for key 1")
  end)
end)

-- ---- One after another ----------------------------------------------------------------------------------------------

local function first() return sym.FullyConnected { data = sym.var "data", num_hidden = 4, name = "a" } end

local function sequence()
  local last = sym.SoftmaxOutput { data = sym.FullyConnected { data = sym.var "d2", num_hidden = 3, name = "b" },
                                   name = "softmax" }
  local mod = hl.mod.SequentialModule { logger = logger }
  return mod:add(hl.mod.Module(first(), { label_names = {}, logger = logger }))
    :add(hl.mod.Module(last, { data_names = { "d2" }, logger = logger }), { take_labels = true, auto_wiring = true })
end

describe("SequentialModule", function()
  it("computes what MXNet's does", function()
    local mod, iter = sequence(), hl.io.NDArrayIter(oracle.x, oracle.y, 4)
    mod:bind(iter.provide_data, iter.provide_label)
    mod:init_params { arg_params = oracle_of "seq_first_" }
    mod:fit(iter, { num_epoch = 2, optimizer_params = { learning_rate = 0.1 } })
    check(oracle_of "seq_last_", (mod:get_params()), 4)
    assert.is_true(mod:predict(iter).shape == { 22, 3 })
    assert.equal("accuracy", mod:score(iter, "acc")[1][1])
    assert.same({ "data", "softmax_output" }, { mod.data_names[1], mod.output_names[1] })
  end)

  it("refuses parameters of one name in two modules, and other things than modules", function()
    local mod = hl.mod.SequentialModule { logger = logger }
    mod:add(hl.mod.Module(first(), { label_names = {} }))
    mod:add(hl.mod.Module(first(), { label_names = {} }), { auto_wiring = true })
    mod:bind { data_shapes = { { "data", { 2, 4 } } } }
    assert.raises(function() mod:init_params() end,
      'Duplicated parameter names: name "a_%a+" in layer 1 is already used in layer 0')
    assert.raises(function() mod:add(3) end, "SequentialModule.add: module: expected a module, got number")
    assert.raises(function() mod:add(hl.mod.Module(first(), { label_names = {} }), { take_label = true }) end,
      "SequentialModule.add: unknown option 'take_label'; did you mean 'take_labels'%?")
    assert.raises(function() hl.mod.SequentialModule():bind { data_shapes = { { "data", { 2, 4 } } } } end,
      "Attempting to bind an empty SequentialModule")
  end)
end)

describe("PythonLossModule", function()
  it("trains by the gradient that a function gives", function()
    local function gradient(scores, labels) return scores:softmax() - nd.one_hot(labels, 4) end
    local mod = hl.mod.SequentialModule { logger = logger }
    mod:add(hl.mod.Module(first(), { label_names = {}, logger = logger }))
    mod:add(hl.mod.PythonLossModule { grad_func = gradient, logger = logger }, { take_labels = true,
      auto_wiring = true })
    local iter = hl.io.NDArrayIter(oracle.x, oracle.y, 4)
    mod:fit(iter, { num_epoch = 40, optimizer_params = { learning_rate = 0.5 }, initializer = hl.init.Xavier() })
    assert.is_true(mod:score(iter, "acc")[1][2] > 0.9)
    local bare = hl.mod.PythonLossModule()
    bare:bind { data_shapes = { { "data", { 2, 3 } } }, label_shapes = { { "softmax_label", { 2 } } } }
    assert.is_true(bare.output_shapes[1][2] == { 2, 3 } and bare.output_shapes[1][1] == "pyloss_output")
    assert.raises(function() bare:backward() end, "PythonLossModule.backward: expected grad_func, got nothing")
  end)
end)

describe("a script's own module", function()
  it("says what it must define", function()
    local Mine = hl.mod.BaseModule:subclass "Mine"
    assert.raises(function() Mine():forward {} end, "Mine: forward is not defined; write function Mine:forward%(...%)")
    local Halve = hl.mod.PythonModule:subclass "Halve"
    assert.raises(function()
      Halve({ "data" }, {}, { "out" }):bind { data_shapes = { { "data", { 2 } } } }
    end, "Halve: _compute_output_shapes is not defined")
    function Halve:_compute_output_shapes() return { { "out", self.data_shapes[1].shape } } end
    function Halve:forward(batch) self.out = batch.data[1] / 2 end
    function Halve:get_outputs() return { self.out } end
    local mod = Halve({ "data" }, {}, { "out" })
    mod:bind { data_shapes = { { "data", { 2 } } } }
    mod:init_params()
    local iter = hl.io.NDArrayIter(nd.array { 2, 4, 6 }, nil, 2)
    assert.same({ 1, 2, 3 }, mod:predict(iter):totable())
  end)
end)
