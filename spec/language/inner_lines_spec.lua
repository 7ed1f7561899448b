-- inner_lines_spec.lua - errors about wrong arguments: they name the script's line, never a line of the library, and
-- say what was expected. Common mistakes, and odd values for all classes and methods.
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local warn = require "hybridlua.language.warn"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local data, loss, rnn, contrib = gluon.data, gluon.loss, gluon.rnn, gluon.contrib.rnn
local vision = data.vision

local INNER = { "hybridlua/[%w_/]+%.lua:%d+", "bad argument", "attempt to", "index is nil", "%[string" }

-- The error text if it names a line of the library, or no line of this script.
local function fault(fn, ...)
  local ok, message = pcall(fn, ...)
  if ok then return nil end
  message = tostring(message)
  for _, pattern in ipairs(INNER) do if message:find(pattern) then return message end end
  return not message:find "inner_lines_spec.lua:%d+: " and message or nil
end

local function told(text, fn)
  local ok, message = pcall(fn)
  assert.is_false(ok)
  assert.truthy(message:find(text, 1, true), message)
  assert.matches("^[^\n]*inner_lines_spec.lua:%d+: ", message)
end

local x = nd.ones { 2, 3 }
local digits = vision.Digits()
local graph = sym.FullyConnected(sym.var "data", { num_hidden = 3, name = "fc" })

describe("an error about", function()
  it("a loss names the missing array or the wrong option", function()
    told("label: expected an NDArray or a Symbol, got nothing", function() return loss.KLDivLoss()(x) end)
    told("x2: expected an NDArray or a Symbol, got nothing", function() return loss.SDMLLoss()(x) end)
    for _, name in ipairs { "L2Loss", "L1Loss", "HuberLoss", "PoissonNLLLoss", "SigmoidBCELoss", "LogisticLoss",
                            "HingeLoss", "SquaredHingeLoss", "SoftmaxCELoss", "KLDivLoss" } do
      told("pred: expected an NDArray or a Symbol, got nothing", function() return loss[name]()() end)
      told("label: expected an NDArray or a Symbol, got nothing", function() return loss[name]()(x) end)
      told("label: expected an NDArray or a Symbol, got table", function() return loss[name]()(x, { 1, 2 }) end)
    end
    told("input2: expected an NDArray or a Symbol, got nothing", function() return loss.CosineEmbeddingLoss()(x) end)
    told("label: expected an NDArray or a Symbol, got nothing", function() return loss.CosineEmbeddingLoss()(x, x) end)
    told("x1: expected an NDArray or a Symbol, got nothing", function() return loss.SDMLLoss()() end)
    told("pos_weight: expected an NDArray", function() return loss.SigmoidBCELoss()(x, x, x, "a") end)
    told("SDMLLoss: smoothing_parameter: expected a number, got string",
      function() return loss.SDMLLoss { smoothing_parameter = "a" } end)
    told("HuberLoss: rho: expected a number, got table", function() return loss.HuberLoss { rho = {} } end)
  end)

  it("a cell's states gives their number", function()
    local picture = nd.ones { 1, 2, 4, 4 }
    for _, kind in ipairs { "RNN", "GRU", "LSTM" } do
      local cell = contrib[("Conv2D%sCell"):format(kind)]({ 2, 4, 4 }, 3, 3, 3, { prefix = "conv_" })
      local n = kind == "LSTM" and 2 or 1
      cell:initialize()
      told(("conv: states: expected %d, got nil"):format(n), function() return cell(picture) end)
      told(("conv: states: expected %d, got 3"):format(n), function() return cell(picture, 3) end)
      told("conv: states[1]: expected an NDArray or a Symbol, got number",
        function() return cell(picture, n == 1 and { 3 } or { 3, 4 }) end)
    end
    local projected, layer = contrib.LSTMPCell(4, 2), rnn.LSTM(4)
    projected:initialize()
    layer:initialize()
    told("states: expected 2, got nil", function() return projected(x) end)
    told("states: expected 2, got 3", function() return layer(nd.ones { 1, 2, 3 }, 3) end)
    layer:hybridize()
    told("states: expected 2, got 3", function() return layer(nd.ones { 1, 2, 3 }, 3) end)
    told("states: expected 2, got 3", function()
      rnn.BidirectionalCell(rnn.RNNCell(2), rnn.RNNCell(2)):unroll(3, nd.ones { 1, 3, 2 }, 3)
    end)
  end)

  it("datasets and samplers says what was expected", function()
    told("FilterSampler: fn: expected a function of a sample, got number",
      function() return data.FilterSampler(3, digits) end)
    told("FilterSampler: fn: expected a function of a sample, got nothing", function() return digits:filter() end)
    told("FilterSampler: dataset: expected a Dataset, a list or an NDArray, got number",
      function() return data.FilterSampler(print, 3) end)
    assert.same({ 1, 2 }, data.FilterSampler(function(n) return n > 5 end, { 5, 6, 7 }):totable())
    told("Dataset.transform: fn: expected a function of a sample's values, got 'a'",
      function() return digits:transform "a" end)
    told("Dataset.transform_first: fn: expected a function of a sample's first value, got number",
      function() return digits:transform_first(3) end)
    told("ArrayDataset: argument 2: expected an NDArray, a list or a dataset, got nil",
      function() return data.ArrayDataset(x, nil) end)
    for _, name in ipairs { "MNIST", "FashionMNIST", "CIFAR10", "CIFAR100", "Digits" } do
      told(name .. ": train: expected true or false, got x", function() return vision[name] { train = "x" } end)
      told(name .. ": transform: expected a function of data and label, got number",
        function() return vision[name] { transform = 3 } end)
    end
    told("MNIST: root: expected a folder's name, got number", function() return vision.MNIST { root = 3 } end)
    told("Digits: raw: expected true or false, got 1", function() return vision.Digits { raw = 1 } end)
  end)

  it("SymbolBlock says what was expected for outputs, inputs and params", function()
    told("SymbolBlock: outputs: expected a Symbol or a list of them, got number",
      function() return gluon.SymbolBlock(3, sym.var "data") end)
    told("SymbolBlock: outputs: expected a Symbol or a list of them, got an NDArray",
      function() return gluon.SymbolBlock(x, sym.var "data") end)
    told("SymbolBlock: outputs: expected a Symbol or a list of them, got an empty table",
      function() return gluon.SymbolBlock({}, sym.var "data") end)
    told("SymbolBlock: outputs[2]: expected a Symbol, got 'net.json'; SymbolBlock.imports reads files",
      function() return gluon.SymbolBlock({ graph, "net.json" }, sym.var "data") end)
    told("SymbolBlock: inputs: expected variables or their names, got number",
      function() return gluon.SymbolBlock(graph, 3) end)
    told("params: expected a ParameterDict", function() return gluon.SymbolBlock(graph, "data", { params = "a" }) end)
    assert.equal(1, #gluon.SymbolBlock({ graph }, { "data" })._input_names)
  end)

  it("another function names the parameter", function()
    local zoo = gluon.model_zoo.vision
    told("get_mobilenet: multiplier: expected a number above 0, got nothing; the usual ones are 1.0, 0.75",
      function() return zoo.get_mobilenet() end)
    told("get_mobilenet_v2: multiplier: expected a number above 0", function() return zoo.get_mobilenet_v2(-1) end)
    told("split_data: data: expected an NDArray", function() return gluon.utils.split_data(3, 2) end)
    told("split_data: num_slice: expected an integer of 1 or more", function() return gluon.utils.split_data(x) end)
    told("clip_global_norm: max_norm: expected a number", function() return gluon.utils.clip_global_norm({ x }) end)
    told("clip_global_norm: arrays[2]: expected an NDArray",
      function() return gluon.utils.clip_global_norm({ x, 3 }, 1) end)
    told("ParameterDict.update: other: expected a ParameterDict", function() gluon.ParameterDict "p":update(3) end)
    told("Normalize: data: expected an NDArray", function() return vision.transforms.Normalize(0, 1)() end)
    told("Activation: activation: expected a name such as 'relu'", function() return gluon.nn.Dense(2, print) end)
    told("CosineScheduler: base_lr: expected a number, got a",
      function() return hl.lr_scheduler.CosineScheduler(10, "a") end)
    told("CompositeEvalMetric: metrics: expected a list of metrics",
      function() return hl.metric.CompositeEvalMetric(3) end)
    told("sym.Group: expected a list of Symbols, got an integer", function() return sym.Group(3) end)
    told("compose: expected {variable = Symbol}, got an integer", function() return graph(3) end)
    told("init.register: expected a class", function() return hl.init.register(3) end)
    told("ParameterDict: shared: expected a ParameterDict", function() return gluon.ParameterDict("p", 3) end)
    told("ToTensor: data: expected an NDArray", function() return vision.transforms.ToTensor()() end)
    told("set_printoptions: expected options", function() nd.set_printoptions(3) end)
    told("random.choice: p: expected an NDArray or a Symbol, got 3", function() nd.random.choice(3, 2, true, 3) end)
    told("dynamic_unroll: cell: expected a function", function() contrib.dynamic_unroll("a", nd.ones { 2, 2, 2 }) end)
  end)
end)

-- ---- Odd values for everything ------------------------------------------------------------------------------------

local cell, three = rnn.LSTMCell(3), data.SequentialSampler(3)
local function silent() end              -- a function among the values; print would write
local VALUES = {
  {}, { 3 }, { -1 }, { 2.5 }, { "a" }, { {} }, { { 3 } }, { { "a" } }, { silent }, { true }, { x }, { digits },
  { 3, 4 },
  { 3, "b" }, { nil, 3 }, { 3, {}, 3 }, { 4, silent }, { { x = 3 } }, { cell }, { cell, cell }, { cell, "x" }, { x, x },
  { x, "a" }, { x, { x } }, { x, { 1 } }, { three, "a" }, { three, 2, "x" }, { silent, digits }, { silent, 3 },
  { { 2, 4, 4 }, 3, 3, 3 }, { { 2, 4 }, 3, 3, 3 }, { nd.ones { 1, 2, 4, 4 }, x }, { sym.var "a" }, { graph, "data" },
  { graph, 3 }, { "data", graph },
}

local METHODS = { "unroll", "begin_state", "state_info", "get", "transform", "transform_first", "filter", "sample",
                  "take", "shard", "random_split", "order", "totable", "update", "get_constant", "setattr" }

local function sweep(modules)
  local faults = {}
  local function try(what, fn, ...)
    local text = fault(fn, ...)
    if text then faults[#faults + 1] = what .. ": " .. text end
  end
  for _, module in ipairs(modules) do
    for name, make in pairs(module) do
      for i, values in ipairs(VALUES) do
        local what = ("%s, values %d"):format(name, i)
        local ok, made = pcall(make, table.unpack(values))
        if not ok then try(what, function() return make(table.unpack(values)) end) end
        if ok and class.of(made) then
          if made.initialize then pcall(made.initialize, made) end
          for k, others in ipairs(VALUES) do
            local with = ("%s called with values %d"):format(what, k)
            if class.is_a(made, gluon.Block) then try(with, function() made(table.unpack(others)) end) end
            for _, method in ipairs(METHODS) do
              if made[method] then
                try(with .. " " .. method, function() made[method](made, table.unpack(others)) end)
              end
            end
          end
        end
      end
    end
  end
  assert.same({}, faults)
end

local function classes(module)
  local found = {}
  for name, value in pairs(module) do if class.is_class(value) then found[name] = value end end
  return found
end

describe("no error names an inner line", function()
  local here = warn.here
  setup(function() warn.here = function() end end)
  teardown(function() warn.here = here end)

  it("in losses", function() sweep { classes(loss) } end)
  it("in recurrent layers or cells", function() sweep { classes(rnn), classes(contrib) } end)
  it("in datasets or samplers", function()
    sweep { { FilterSampler = data.FilterSampler, ListSampler = data.ListSampler, BatchSampler = data.BatchSampler,
              SequentialSampler = data.SequentialSampler, RandomSampler = data.RandomSampler,
              ArrayDataset = data.ArrayDataset, SimpleDataset = data.SimpleDataset,
              CSVDataset = data.CSVDataset, RecordFileDataset = data.RecordFileDataset, MNIST = vision.MNIST,
              CIFAR10 = vision.CIFAR10, ImageFolderDataset = vision.ImageFolderDataset } }
  end)
  it("in SymbolBlock, ParameterDict or gradient functions", function()
    sweep { { SymbolBlock = gluon.SymbolBlock, ParameterDict = gluon.ParameterDict,
              split_data = gluon.utils.split_data, split_and_load = gluon.utils.split_and_load,
              clip_global_norm = gluon.utils.clip_global_norm } }
  end)
end)
