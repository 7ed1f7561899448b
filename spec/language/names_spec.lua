-- names_spec.lua - further MXNet names that other specs do not use: submodules, classes of arrays and Symbols, kinds of
-- errors, attributes, monitors, parameter names. Each is called.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

describe("submodules", function()
  it("hold the classes of gluon", function()
    local Net = nn.HybridBlock:subclass "Net"
    function Net:hybrid_forward(F, x) return F.relu(x) end
    assert.same({ 0, 2 }, Net()(nd.array { -1, 2 }):totable())
    local Plain = nn.Block:subclass "Plain"
    function Plain:forward(x) return x * 2 end
    assert.same({ -2, 4 }, Plain()(nd.array { -1, 2 }):totable())
    local block = nn.SymbolBlock(sym.var "x" * 3, sym.var "x")
    assert.same({ -3, 6 }, block(nd.array { -1, 2 }):totable())
    for name, class in pairs { Block = gluon.Block, HybridBlock = gluon.HybridBlock,
        SymbolBlock = gluon.SymbolBlock } do
      assert.equal(class, gluon.block[name])
      assert.equal(class, nn[name])
    end
    assert.equal("Parameter w (shape=(2,), dtype=float32)", tostring(gluon.parameter.Parameter("w", { shape = { 2 } })))
    assert.equal("p_w", gluon.parameter.ParameterDict("p_"):get("w", { shape = { 1 } }).name)
    assert.same({ 7 }, gluon.parameter.Constant("c", nd.array { 7 }).value:totable())
    assert.equal(gluon.Trainer, gluon.trainer.Trainer)
    assert.equal(nn.Dense, nn.basic_layers.Dense)
    assert.same({ 0, 2 }, nn.activations.Activation "relu"(nd.array { -1, 2 }):totable())
    assert.equal(nn.Sequential, nn.basic_layers.Sequential)
  end)

  it("hold datasets, samplers and the loader", function()
    local data = gluon.data
    local set = data.dataset.ArrayDataset(nd.arange(4), nd.arange(4) * 2)
    assert.equal(4, #set)
    assert.equal(data.SimpleDataset, data.dataset.SimpleDataset)
    assert.equal(data.Dataset, data.dataset.Dataset)
    local sampler = data.sampler.BatchSampler(data.sampler.SequentialSampler(4), 2, "keep")
    assert.equal(2, #sampler)
    for _, name in ipairs { "Sampler", "RandomSampler", "SequentialSampler", "FilterSampler", "BatchSampler" } do
      assert.equal(data[name], data.sampler[name])
    end
    local loader = data.dataloader.DataLoader(set, 2)
    assert.equal(2, #loader)
    assert.same({ 1, 2 }, data.dataloader.default_batchify_fn { 1, 2 }:totable())
    assert.same({ 1, 2 }, data.dataloader.default_mp_batchify_fn { 1, 2 }:totable())
    local moved = data.dataloader._as_in_context({ nd.ones { 1 }, { nd.zeros { 1 }, "text" } }, hl.cpu(1))
    assert.same({ hl.cpu(1), "text" }, { moved[2][1].context, moved[2][2] })
  end)

  it("hold the losses' private functions", function()
    local loss = gluon.loss
    assert.same({ 3, 6 }, loss._apply_weighting(nd, nd.ones { 2 }, 3, nd.array { 1, 2 }):totable())
    assert.same({ 1, 1 }, loss._apply_weighting(nd, nd.ones { 2 }):totable())
    assert.same({ { 0 }, { 1 } }, loss._reshape_like(nd, nd.arange(2), nd.ones { 2, 1 }):totable())
    assert.raises(function() loss._apply_weighting(nd, nd.ones { 2 }, "x") end, "weight: expected a number, got string")
  end)

  it("are there for the files of MXNet's Python packages", function()
    for path, value in pairs {
      ["module.base_module.BaseModule"] = hl.mod.BaseModule, ["module.module.Module"] = hl.mod.Module,
      ["gluon.rnn.rnn_cell.LSTMCell"] = gluon.rnn.LSTMCell, ["image.image.imread"] = hl.image.imread,
      ["gluon.data.dataset.RecordFileDataset"] = gluon.data.RecordFileDataset,
      ["gluon.data.vision.datasets.MNIST"] = gluon.data.vision.MNIST, ["io.io.NDArrayIter"] = hl.io.NDArrayIter,
      ["gluon.model_zoo.vision.resnet.resnet18_v1"] = gluon.model_zoo.vision.resnet18_v1,
      ["rnn.rnn_cell.GRUCell"] = hl.rnn.GRUCell, ["nd._internal._plus_scalar"] = nd._plus_scalar,
      ["sym.op.tanh"] = sym.tanh, ["gluon.contrib.estimator.event_handler.TrainEnd"] =
        gluon.contrib.estimator.TrainEnd, ["gluon.parameter.Parameter"] = gluon.Parameter,
    } do
      assert.is_true(hl.has(path), path)
      local at = hl
      for part in path:gmatch "[^.]+" do at = at[part] end
      assert.is_true(rawequal(value, at), path)
    end
    assert.is_false(hl.has "gluon.rnn.cells")
    assert.raises(function() return hl.module.modul end, "module has no 'modul'")
    for name in pairs(hl.module) do assert.not_equal("base_module", name) end
  end)

  it("hold nd, sym and their contents", function()
    assert.equal(nd, hl.ndarray)
    assert.equal(sym, hl.symbol)
    assert.same({ 1, 2 }, nd.ndarray.array { 1, 2 }:totable())
    assert.same({ 3 }, nd.ndarray.add(nd.array { 1 }, nd.array { 2 }):totable())
    assert.equal("x", sym.symbol.var("x").name)
    assert.equal(nd.NDArray, nd.ndarray.NDArray)
    assert.equal(sym.Symbol, sym.symbol.Symbol)
    assert.equal(hl.viz, hl.visualization)
    assert.truthy(hl.__version__:find "%d")
    hl.rnd.seed(3)
    local a = hl.rnd.uniform { shape = { 2 } }
    hl.random.seed(3)
    assert.bits(a, hl.random.uniform { shape = { 2 } })
    assert.same({ 2, 3 }, hl.random.randn(2, 3).shape)
  end)
end)

describe("classes of arrays and Symbols", function()
  it("work with isinstance", function()
    local x, s = nd.ones { 1 }, sym.var "s"
    assert.is_true(hl.isinstance(x, nd.NDArray))
    assert.is_false(hl.isinstance(s, nd.NDArray))
    assert.is_true(hl.isinstance(s, sym.Symbol))
    for _, value in ipairs { x, s } do assert.is_true(hl.isinstance(value, gluon.parameter.tensor_types)) end
    assert.is_true(hl.isinstance(nn.Dense(1), nn.HybridBlock))
    assert.is_true(hl.isinstance(nn.Dense(1), { nn.Dropout, nn.Dense }))
    assert.is_false(hl.isinstance(nn.Dense(1), nn.Dropout))
    assert.is_true(hl.isinstance(3, "integer") and hl.isinstance(3, hl.base.numeric_types) and
      hl.isinstance("a", hl.base.string_types))
    assert.is_false(hl.isinstance(3.5, hl.base.integer_types))
    assert.raises(function() hl.isinstance(x, nd) end, "isinstance: class: expected a class")
  end)

  it("hold the methods and cannot be called", function()
    assert.same({ 2, 1 }, nd.NDArray.reshape(nd.ones { 2 }, { 2, 1 }).shape)
    assert.same({ "s" }, sym.Symbol.list_arguments(sym.var "s"))
    assert.equal("class NDArray class Symbol", tostring(nd.NDArray) .. " " .. tostring(sym.Symbol))
    assert.raises(function() nd.NDArray { 1 } end, "names_spec.lua:%d+: NDArray: make one with nd.array")
  end)
end)

describe("kinds of errors", function()
  it("create error texts and recognize them", function()
    assert.raises(function() error(hl.MXNetError "bad input") end, "names_spec.lua:%d+: bad input$")
    assert.equal(hl.MXNetError, hl.base.MXNetError)
    local net = nn.Dense(2)
    net:initialize()
    local _, deferred = pcall(function() return net.weight:data() end)
    local _, other = pcall(function() return nd.ones { 2 } + nd.ones { 3 } end)
    assert.is_true(gluon.parameter.DeferredInitializationError:is(deferred))
    assert.is_false(gluon.parameter.DeferredInitializationError:is(other))
    assert.is_true(hl.MXNetError:is(other))
    assert.is_true(hl.isinstance(other, hl.MXNetError))
    assert.is_false(hl.isinstance(other, gluon.parameter.DeferredInitializationError))
    assert.is_false(hl.MXNetError:is {})
    local _, refused = pcall(function() sym.var "x":asnumpy() end)
    assert.is_true(hl.base.NotImplementedForSymbol:is(refused))
  end)
end)

describe("AttrScope", function()
  it("adds its attributes to every Symbol created in it", function()
    local y = hl.AttrScope({ ctx_group = "dev1", __mine__ = "1" }, function()
      local fc = sym.FullyConnected(sym.var "x", { num_hidden = 2, name = "fc" })
      local _ <close> = hl.attribute.AttrScope { __mine__ = "2" }
      return fc + 1
    end)
    local attributes = y:attr_dict()
    for _, name in ipairs { "x", "fc_weight", "fc_bias", "fc" } do
      assert.equal("dev1 1", attributes[name].__ctx_group__ .. " " .. attributes[name].__mine__)
    end
    assert.equal("dev1 2", y:attr "__ctx_group__" .. " " .. y:attr "__mine__")
    assert.is_nil(sym.var "later":attr "__mine__")
    pcall(hl.AttrScope, { __mine__ = "3" }, function() error "left by an error" end)
    assert.is_nil(sym.var "later":attr "__mine__")
    local names = hl.name.NameManager(function()
      local made = {}
      for i = 1, 2 do
        local _ <close> = hl.AttrScope { __mine__ = "4" }
        made[i] = sym.exp(sym.var "x").name
      end
      return made
    end)
    assert.same({ "exp0", "exp1" }, names)
    assert.raises(function() hl.AttrScope { "1" } end, "AttrScope: expected names as keys, got number")
    assert.raises(function() hl.AttrScope { __mine__ = 1 } end, "AttrScope: __mine__: expected a string, got number")
  end)

  it("applies to its coroutine and to coroutines that this one resumes", function()
    local function mine() return sym.var "v":attr "__mine__" end
    local co = coroutine.create(function()
      local _ <close> = hl.AttrScope { __mine__ = "1" }
      coroutine.yield(mine())
      assert.equal("1", coroutine.wrap(mine)())
      error "it dies"
    end)
    assert.equal("1", select(2, coroutine.resume(co)))
    assert.is_nil(mine())
    local _ <close> = hl.AttrScope { __mine__ = "2" }
    assert.is_false(coroutine.resume(co))
    assert.equal("2", mine())
    local left = coroutine.wrap(function() hl.AttrScope { __mine__ = "3" } end)
    left()
    assert.equal("2", mine())
    assert.equal("2 1",
      hl.AttrScope({ __other__ = "1" }, function() return mine() .. " " .. sym.var "v":attr "__other__" end))
  end)
end)

describe("an executor", function()
  it("reports its operators' results to a monitor, with the same random numbers", function()
    local s = sym.Dropout(sym.FullyConnected(sym.var "x", { num_hidden = 3, name = "fc" }), { p = 0.5, name = "drop" })
    local e = s:simple_bind { x = { 4, 5 } }
    for _, array in pairs(e.arg_dict) do array:set(1) end
    local seen, order = {}, {}
    local function monitor(name, array) order[#order + 1], seen[name] = name, array end
    e:set_monitor_callback(monitor)
    local out = e:forward { is_train = true }[1]
    assert.same({ "fc_output", "drop_output" }, order)
    assert.bits(out, seen.drop_output)
    hl.random.seed(5)
    local watched = e:forward { is_train = true }[1]:copy()
    e:set_monitor_callback(monitor, true)
    order = {}
    e:forward()
    assert.same({ "x", "fc_data", "fc_weight", "fc_weight", "fc_bias", "fc_bias", "fc_output", "drop_data",
                  "drop_output" }, order)
    e:set_monitor_callback(nil)
    hl.random.seed(5)
    assert.bits(watched, e:forward { is_train = true }[1])        -- monitoring draws no numbers
    assert.truthy(e:debug_str():find("Op:FullyConnected, Name=fc", 1, true))
    assert.raises(function() e:set_monitor_callback(3) end,
      "set_monitor_callback: callback: expected a function, got number")
  end)

  it("names inputs and outputs as in MXNet 1.9.1, by the operator's names or input0", function()
    local d = sym.var "data"
    local cases = {
      { sym.Convolution(d, { kernel = { 2, 2 }, num_filter = 1, name = "q" }),
        "data q_data q_weight q_weight q_bias q_bias q_output" },
      { sym.Activation(d, { act_type = "relu", name = "q" }), "data q_input0 q_output" },
      { sym.identity(d, { name = "q" }), "data q_input0 q_output" },
      { sym.BatchNorm(d, { name = "q" }), "data q_data q_gamma q_gamma q_beta q_beta q_moving_mean q_moving_mean " ..
        "q_moving_var q_moving_var q_output" },
      { sym.Pooling(d, { kernel = { 2, 2 }, name = "q" }), "data q_data q_output" },
      { sym.concat(d, sym.relu(d, { name = "r" }), { name = "q" }),
        "data r_input0 r_output data q_arg0 q_arg1 q_output" },
      { sym.Group(sym.split(d, { num_outputs = 3, name = "q" })), "data q_data q_output0 q_output1 q_output2" },
      { sym.LeakyReLU(d, { name = "q" }), "data q_data q_output" },
      { sym.LeakyReLU(d, { act_type = "prelu", name = "q" }), "data q_data q_gamma q_gamma q_output" },
      { sym.Dropout(d, { name = "q" }), "data q_data q_output" },
      { sym.broadcast_add(d, d, { name = "q" }), "data q_lhs data q_rhs q_output" },
      { sym.reshape(d, { shape = { -1, 2 }, name = "q" }), "data q_input0 q_output" },
      { sym.Flatten(d, { name = "q" }), "data q_input0 q_output" },
      { sym.sum(d, { name = "q" }), "data q_input0 q_output" },
      { sym.softmax(d, { name = "q" }), "data q_data q_output" },
      { sym.log_softmax(d, { name = "q" }), "data q_data q_output" },
      { sym.softmin(d, { name = "q" }), "data q_input0 q_output" },
      { sym.transpose(d, { name = "q" }), "data q_input0 q_output" },
      { sym.cast(d, { dtype = "float64", name = "q" }), "data q_input0 q_output" },
      { sym.slice_axis(d, { axis = 0, begin = 0, stop = 1, name = "q" }), "data q_input0 q_output" },
      { sym.swapaxes(d, { dim1 = 0, dim2 = 1, name = "q" }), "data q_data q_output" },
      { sym.stack(d, d, { name = "q" }), "data q_arg0 data q_arg1 q_output" },
    }
    for _, case in ipairs(cases) do
      for _, all in ipairs { true, false } do
        local e, order = case[1]:simple_bind { data = { 2, 3, 8, 8 } }, {}
        e:set_monitor_callback(function(name, array)
          assert.truthy(array.shape)
          if all or name:find "_output" then order[#order + 1] = name end
        end, all)
        e:forward()
        local wanted = {}
        for name in case[2]:gmatch "%S+" do
          if all or name:find "_output" then wanted[#wanted + 1] = name end
        end
        assert.same(wanted, order)
      end
    end
  end)

  it("does not change auxiliary states while monitored", function()
    local e = sym.BatchNorm { data = sym.var "data", name = "bn" }:simple_bind { data = { 4, 2 } }
    local f = sym.BatchNorm { data = sym.var "data", name = "bn" }:simple_bind { data = { 4, 2 } }
    local x = nd.array { { 1, 2 }, { 3, 5 }, { 0, 1 }, { 2, 2 } }
    e:set_monitor_callback(function() end, true)
    for _ = 1, 2 do for _, ex in ipairs { e, f } do ex:forward { is_train = true, data = x } end end
    assert.bits(e.aux_dict.bn_moving_mean, f.aux_dict.bn_moving_mean)
  end)
end)

describe("metrics", function()
  local label = nd.array { 0, 1, 1, 2 }
  local pred = nd.array { { .9, .1, 0 }, { .2, .8, 0 }, { .6, .3, .1 }, { .1, .1, .8 } }

  it("include PCC, which matches MXNet", function()
    local m = hl.metric.create "pcc"
    m:update(label, pred)
    local name, value = m:get()
    assert.equal("pcc", name)
    assert.near(0.7, value, 1e-12)
    m:update(nd.array { 0, 1, 0, 2 }, pred)
    assert.near(0.8295150620062532, select(2, m:get()), 1e-12)
    m:reset_local()
    assert.is_true(select(2, m:get()) ~= select(2, m:get()))
    assert.near(0.8295150620062532, select(2, m:get_global()), 1e-12)
  end)

  it("include np, which makes a metric from a function", function()
    local m = hl.metric.np(function(l, p) return p:argmax { axis = 1 }:equal(l):mean():item() end, "hits")
    m:update(label, pred)
    assert.same({ "hits", 0.75 }, { m:get() })
  end)

  it("accept labels and predictions by name, and return their configuration", function()
    local m = hl.metric.Accuracy { output_names = { "o2" }, label_names = { "l2" } }
    m:update_dict({ l1 = pred, l2 = label }, { o1 = label, o2 = pred })
    assert.same({ "accuracy", 0.75 }, { m:get() })
    assert.raises(function() m:update_dict({ l1 = label }, { o2 = pred }) end, "update_dict: label: 'l2' is missing")
    local plain = hl.metric.Accuracy { axis = 1, name = "acc" }
    plain:update_dict({ softmax_label = label }, { softmax_output = pred })
    assert.same({ "acc", 0.75 }, { plain:get() })
    assert.same({ metric = "Accuracy", name = "acc", axis = 1 }, plain:get_config())
  end)

  it("include losses under the names of other libraries", function()
    for _, name in ipairs { "Torch", "Caffe", "Loss" } do
      local m = hl.metric[name]()
      m:update(nil, nd.array { 1, 2, 6 })
      assert.same({ name:lower(), 3 }, { m:get() })
    end
  end)

  it("check the shapes of labels against predictions", function()
    local l, p = hl.metric.check_label_shapes(label, label, true)
    assert.same({ 1, 1 }, { #l, #p })
    assert.raises(function() hl.metric.check_label_shapes({ label }, { pred, pred }) end,
      "Shape of labels 1 does not match shape of predictions 2")
    assert.raises(function() hl.metric.check_label_shapes(label, pred, false, true) end,
      "labels %(4,%) does not match shape of predictions %(4, 3%)")
  end)
end)

describe("utils", function()
  it("check whether a shape is known", function()
    assert.is_true(gluon.utils.shape_is_known(nd.ones { 2, 3 }.shape))
    assert.is_false(gluon.utils.shape_is_known(nn.Dense(3).weight.shape))
    assert.is_false(gluon.utils.shape_is_known(nil))
  end)
end)

describe("initializers", function()
  it("get further names with alias", function()
    local Threes = hl.init.Initializer:subclass "Threes"
    function Threes:_init_weight(_, array) array:set(3) end
    assert.equal(Threes, hl.init.alias("trios", "drei")(Threes))
    local p = gluon.Parameter("w", { shape = { 2 } })
    p:initialize { init = "drei" }
    assert.same({ 3, 3 }, p:data():totable())
  end)
end)

describe("further names of parameters and operators", function()
  local x = nd.array { { 1, 2 }, { 3, 4 } }

  it("are accepted in both modes", function()
    for _, case in ipairs {
      { function(F) return F.full({ 2 }, { val = 3 }) end, nd.array { 3, 3 } },
      { function(F, v) return F.clip(v, { min = 2, max = 3 }) end, nd.array { { 2, 2 }, { 3, 3 } } },
      { function(F, v) return F.concat(v, v, { axis = 0 }) end, nd.concat(x, x, { dim = 0 }) },
      { function(F, v) return F.stack(v, v, { dim = 1 }) end, nd.stack(x, x, { axis = 1 }) },
      { function(F, v) return F.khatri_rao { args = { v, v } } end, nd.khatri_rao(x, x) },
      { function(F, v) return F.multi_sum_sq { data = { v, v }, num_arrays = 2 } end, nd.array { 30, 30 } },
      { function(F, v) return F.multi_all_finite { data = { v, v }, num_arrays = 2 } end, nd.array { 1 } },
      { function(F, v) return F.concat { data = { v, v }, dim = 1 } end, nd.concat(x, x) },
      { function(F, v) return F.norm(v, { out_dtype = "float32" }) end, nd.norm(x) },
      { function(F, v) return F.contrib.quadratic(v, { a = 1, c = 2 }) end, x * x + 2 },
      { function(F, v) return F.leaky_relu(-v, { slope = 0.5 }) end, x * -0.5 },
      { function(F, v) return F.l2_normalization(v) end, nd.L2Normalization(x) },
      { function(F, v) return F.mul(v, 2) + F.sub(v, 1) + F.div(v, 2) + F.mod(v, 2) end,
        x * 2 + (x - 1) + x / 2 + x % 2 },
    } do
      assert.bits(case[2], case[1](nd, x))
      assert.bits(case[2], hl.compile(case[1])(x))
    end
    assert.raises(function() nd.norm(x, { out_dtype = "int32" }) end,
      "norm: out_dtype: expected data's, float32, got int32; cast the array first")
    assert.raises(function() nd.concat { x, data = { x } } end, "given twice")
  end)
end)

describe("errors", function()
  it("name operators as scripts do", function()
    local x = nd.ones { 2 }
    for pattern, fn in pairs {
      ["zeros: dtype: expected dtype"] = function() nd.zeros({ 2 }, { dtype = 3 }) end,
      ["ones: shape: expected dimensions of 0 or more, got %(%-1,%)"] = function() nd.ones { -1 } end,
      ["normal: loc: expected float"] = function() nd.random.normal { loc = "a" } end,
      ["add: data: this NDArray was freed"] = function() local y = nd.ones { 1 } y:free() return y + 1 end,
      ["add: expected NDArrays, Symbols or numbers, got an NDArray and a table"] = function() return x + {} end,
    } do assert.raises(fn, "^spec/language/names_spec.lua:%d+: [%w_]*" .. pattern) end
  end)
end)
