-- mistakes_spec.lua - errors of scripts with one mistake each, run by the program. An error is one sentence that
-- says what is wrong and, if possible, what to write.
local command = require "support.command"

local BEGIN = [[
local hl = require "hybridlua"
local nd, sym, autograd, gluon, nn = hl.nd, hl.sym, hl.autograd, hl.gluon, hl.gluon.nn
local x, net = nd.array { { 1, 2 }, { 3, 4 } }, nn.Dense(2, { in_units = 2 })
net:initialize()
local trainer = gluon.Trainer(net:collect_params(), "sgd")
local dataset = gluon.data.SimpleDataset { 5, 6, 7 }
local loader = gluon.data.DataLoader(dataset, { batch_size = 1 })
local function block(forward, w)
  local N = gluon.HybridBlock:subclass "N"
  function N:init() self.w = w and self.params:get("w", w) end
  N.hybrid_forward = forward
  local n = N()
  n:initialize()
  return n
end
local function hybrid(...) local n = block(...) n:hybridize() return n end
]]
local LINE = select(2, BEGIN:gsub("\n", "")) + 1

-- Scripts, one line each after BEGIN, and their errors after "file:line: ".
local mistakes = {
  ["absent names of modules"] = {
    { [[nd.Convlution(x)]], "nd has no 'Convlution'; did you mean 'Convolution'?" },
    { [[nd.softmaxx(x)]], "nd has no 'softmaxx'; did you mean 'softmax'?" },
    { [[local f = nd.reshap]], "nd has no 'reshap'; did you mean 'reshape'?" },
    { [[print(nd["Convlution"])]], "nd has no 'Convlution'; did you mean 'Convolution'?" },
    { [[nd.mm(x, x)]], "nd has no 'mm'; write nd.dot(a, b)" },
    { [[nd.ma(x)]], "nd has no 'ma'; there are no masked arrays; write nd.where(mask, x, 0)" },
    { [[nd.sparse.csr_matrix(x)]],
      "nd has no 'sparse'; there are no sparse arrays; nd.take, nd.Embedding and nd.scatter_nd work on dense " ..
        "ones" },
    { [[nd.fft.fft(x)]], "nd has no 'fft'; write nd.contrib.fft, whose complex numbers are pairs" },
    { [[print(nd.atan2(x, x))]], "nd has no 'atan2'; write nd.arctan2(y, x)" },
    { [[nd.random.rand(3)]], "nd.random has no 'rand'; write nd.random.uniform{shape = {...}}" },
    { [[nd.random.seed(1)]], "nd.random has no 'seed'; write hl.random.seed(n)" },
    { [[nd.random.norml { 2 }]], "nd.random has no 'norml'; did you mean 'normal'?" },
    { [[nd.linalg.gemm5(x, x)]], "nd.linalg has no 'gemm5'; did you mean 'gemm'?" },
    { [[nd.contrib.ROIAlgn(x)]], "nd.contrib has no 'ROIAlgn'; did you mean 'ROIAlign'?" },
    { [[sym.FullyConected(sym.var "x")]], "sym has no 'FullyConected'; did you mean 'FullyConnected'?" },
    { [[nn.Dens(3)]], "gluon.nn has no 'Dens'; did you mean 'Dense'?" },
    { [[nn.Linear(3)]], "gluon.nn has no 'Linear'; write nn.Dense(units)" },
    { [[nn.ReLU()]], "gluon.nn has no 'ReLU'; write nn.Activation \"relu\"" },
    { [[nn.CrossEntropyLoss()]], "gluon.nn has no 'CrossEntropyLoss'; write gluon.loss.SoftmaxCrossEntropyLoss()" },
    { [[local Net = nn.Module:subclass "Net"]], "gluon.nn has no 'Module'; write nn.Block or nn.HybridBlock" },
    { [[gluon.los.L2Loss()]], "gluon has no 'los'; did you mean 'loss'?" },
    { [[gluon.loss.L3Loss()]], "gluon.loss has no 'L3Loss'; did you mean 'L1Loss'?" },
    { [[gluon.HybridBlok:subclass "Net"]], "gluon has no 'HybridBlok'; did you mean 'HybridBlock'?" },
    { [[gluon.rnn.LSTMM(3)]], "gluon.rnn has no 'LSTMM'; did you mean 'LSTM'?" },
    { [[gluon.data.TensorDataset(x, x)]], "gluon.data has no 'TensorDataset'; write gluon.data.ArrayDataset(x, y)" },
    { [[gluon.data.vision.datasets.MNST()]], "gluon.data.vision has no 'MNST'; did you mean 'MNIST'?" },
    { [[gluon.data.vision.transforms.RandomCroop(4)]],
      "gluon.data.vision.transforms has no 'RandomCroop'; did you mean 'RandomCrop'?" },
    { [[gluon.contrib.estimator.Estimator(3)]], "Estimator: net: expected a gluon.Block, got number" },
    { [[gluon.utils.download "http://x/"]],
      "download: url: expected an address that ends in a file's name, or a path, got 'http://x/'" },
    { [[hl.optimzer.create "sgd"]], "hybridlua has no 'optimzer'; did you mean 'optimizer'?" },
    { [[hl.optimizer.Adm()]], "optimizer has no 'Adm'; did you mean 'Adam'?" },
    { [[hl.metric.Acuracy()]], "metric has no 'Acuracy'; did you mean 'Accuracy'?" },
    { [[hl.init.Xaver()]], "initializer has no 'Xaver'; did you mean 'Xavier'?" },
    { [[hl.lr_scheduler.CosineAnnealingLR(3)]],
      "lr_scheduler has no 'CosineAnnealingLR'; write lr_scheduler.CosineScheduler(max_update, base_lr)" },
    { [[hl.image.ImageDetIter { batch_size = 1, data_shape = { 1, 4, 4 } }]],
      "ImageDetIter: data_shape: expected 3 channels, got 1" },
    { [[hl.no_grad(print)]], "hybridlua has no 'no_grad'; write hl.autograd.pause(fn)" },
    { [[autograd.no_grad(print)]], "autograd has no 'no_grad'; write autograd.pause(fn)" },
    { [[hl.tensor { 1 }]], "hybridlua has no 'tensor'; write hl.nd.array{...}" },
    { [[hl.device "cpu"]], "hybridlua has no 'device'; write hl.cpu() or hl.gpu(i)" },
    { [[local M = hl.executor_manager M.Module(3)]],
      "hybridlua has no 'executor_manager'; write hl.mod.Module, which trains a Symbol in one context or in several" },
    { [[hl.mod.Module(3)]], "Module: symbol: expected a Symbol, got number" },
    { [[hl.kv.create "dist_sync"]],
      "kvstore.create: name: expected 'local' or 'device', got 'dist_sync'; training runs in one process" },
    { [[hl.contrib.onnx.export()]],
      "contrib has no 'onnx'; no ONNX is read or written; net:export writes MXNet's format, and nd.save .npy and " ..
        ".npz" },
    { [[hl.contrib.quantization.quantize_net(3)]], "contrib has no 'quantization'; no operator computes in int8" },
    { [[hl.operator.CustomOps()]], "operator has no 'CustomOps'; did you mean 'CustomOp'?" },
    { [[hl.np.npv(0.1, { 1 })]],
      "np has no 'npv'; NumPy removed its financial functions in 1.20, and MXNet's raises too" },
    { [[hl.npx.with_metaclass()]],
      "npx has no 'with_metaclass'; it is an inner part of MXNet's Python package" },
    { [[hl.np.arrray { 1 }]], "np has no 'arrray'; did you mean 'array'?" },
    { [[hl.compile(function(F, a) return F.mm(a, a) end)(x)]], "sym has no 'mm'; write sym.dot(a, b)" },
    { [[nn.HybridLambda(function(F, a) return F.rellu(a) end)(x)]], "nd has no 'rellu'; did you mean 'relu'?" },
    { [[local net = nn.HybridLambda(function(F, a) return F.rellu(a) end) net:hybridize() net(x)]],
      "sym has no 'rellu'; did you mean 'relu'?" },
    { [[print(pcall(hl.nd.Convlution, x))]], "nd has no 'Convlution'; did you mean 'Convolution'?" },
  },
  ["absent methods of objects"] = {
    { [[net:eval()]],
      "attempt to call a nil value (method 'eval'); a block has no modes: it trains within autograd.record(fn) " ..
        "and predicts outside; leave it out" },
    { [[net:train(true)]],
      "attempt to call a nil value (method 'train'); a block has no modes: it trains within " ..
        "autograd.record(fn) and predicts outside; leave it out" },
    { [[net:parameters()]], "attempt to call a nil value (method 'parameters'); write net:collect_params():values()" },
    { [[return net:state_dict()]],
      "attempt to call a nil value (method 'state_dict'); write net:save_parameters(file), or " ..
        "net:collect_params()" },
    { [[net:zero_grad()]],
      "attempt to call a nil value (method 'zero_grad'); each backward overwrites the gradients: leave it out " ..
        '(with grad_req "add" write net:collect_params():zero_grad())' },
    { [[net:to "cpu"]],
      "attempt to call a nil value (method 'to'); write net:reset_ctx(ctx) for a context, net:cast \"float64\" " ..
        "for a dtype" },
    { [[net:cuda()]],
      "attempt to call a nil value (method 'cuda'); there is no GPU in this build and everything is on the " ..
        "CPU; leave it out" },
    { [[net:initialise()]], "attempt to call a nil value (method 'initialise'); did you mean 'initialize'?" },
    { [[net:hybridise()]], "attempt to call a nil value (method 'hybridise'); did you mean 'hybridize'?" },
    { [[trainer:setp(1)]], "attempt to call a nil value (method 'setp'); did you mean 'step'?" },
    { [[hl.metric.Accuracy():updat(x, x)]], "attempt to call a nil value (method 'updat'); did you mean 'update'?" },
    { [[gluon.HybridBlock:subclas "N"]],
      "attempt to call a nil value (method 'subclas'); did you mean 'subclass'?" },
    { [[block(function(self, F, a) return self:activte(F, a) end)(x)]],
      "attempt to call a nil value (method 'activte')" },
    { [[trainer:zero_grad()]],
      "attempt to call a nil value (method 'zero_grad'); each backward overwrites the gradients: leave it out " ..
        '(with grad_req "add" write net:collect_params():zero_grad())' },
    { [[trainer:set_lr(1)]], "attempt to call a nil value (method 'set_lr'); write trainer:set_learning_rate(lr)" },
    { [[loader:next()]], "attempt to call a nil value (method 'next'); write for data, label in loader do" },
    { [[for batch in loader:iter() do print(batch) end]],
      "attempt to call a nil value (method 'iter'); write for data, label in loader do" },
    { [[dataset:map(print)]], "attempt to call a nil value (method 'map'); write dataset:transform(fn)" },
    { [[dataset:shuffle()]],
      "attempt to call a nil value (method 'shuffle'); write gluon.data.DataLoader(dataset, {batch_size =, " ..
        "shuffle = true})" },
    { [[net.weight:numel()]], "attempt to call a nil value (method 'numel'); write param:data().size" },
    { [[net:collect_params():named_parameters()]],
      "attempt to call a nil value (method 'named_parameters'); write for name, param in pairs(params) do" },
    { [[hl.metric.Accuracy():result()]], "attempt to call a nil value (method 'result'); write metric:get()" },
    { [[hl.optimizer.SGD():minimize(x)]],
      "attempt to call a nil value (method 'minimize'); write gluon.Trainer(net:collect_params(), optimizer) " ..
        "and trainer:step(batch_size)" },
    { [[gluon.Block:extend "A"]], "attempt to call a nil value (method 'extend'); write Base:subclass \"Name\"" },
    { [[x:size()]], "attempt to call a number value (method 'size'); it is a field: write x.size" },
    { [[x:unsqueeze(0)]],
      "index: 'unsqueeze' is not a field, a method or a slice such as \"1:3, ::2\"; write x:expand_dims{axis = " ..
        "...}" },
    { [[x:summ()]], "index: 'summ' is not a field, a method or a slice such as \"1:3, ::2\"; did you mean 'sum'?" },
    { [[print(x.foo)]], "index: 'foo' is not a field, a method or a slice such as \"1:3, ::2\"" },
    { [[sym.var "a":summ()]],
      "index: 'summ' is not a field, a method or a slice such as \"1:3, ::2\"; did you mean 'sum'?" },
    { [[sym.var "a":permute(1)]],
      "index: 'permute' is not a field, a method or a slice such as \"1:3, ::2\"; write x:transpose{...}" },
    { [[net.linear(x)]], "attempt to call a nil value (field 'linear')" },
    { [[net.body:add(x)]], "attempt to index a nil value (field 'body')" },
    { [[local t = {} t:eval()]], "attempt to call a nil value (method 'eval')" },
    { [[local t = {} t.matmul(x)]], "attempt to call a nil value (field 'matmul')" },
    { [[local function step() return net:eval() end step()]],
      "attempt to call a nil value (method 'eval'); a block has no modes: it trains within autograd.record(fn) " ..
        "and predicts outside; leave it out" },
    { [[hl.compile(function(F, a) net:eval() return a end)(x)]], "attempt to call a nil value (method 'eval')" },
    { [[block(function(self, _, a) return self:helper(a) end)(x)]], "attempt to call a nil value (method 'helper')" },
    { [[hybrid(function(self, _, a) return self:helper(a) end)(x)]], "attempt to call a nil value (method 'helper')" },
    { [[hybrid(function(self, _, a) return self.fc(a) end)(x)]], "attempt to call a nil value (field 'fc')" },
  },
  ["labels, which are numbers"] = {
    { [[local label = dataset[0] local y = label.shape]], "attempt to index a number value (field 'shape')" },
    { [[local label = dataset[0] local y = label:reshape { 1 }]], "attempt to index a number value (field 'reshape')" },
    { [[local label = dataset[0] local y = label:astype "float"]],
      "full: dtype: expected dtype float32, float64, float16, int8, int32, int64, uint8 or bool, got 'float'; " ..
        "did you mean 'float32'?" },
    { [[local label = dataset[0] local y = label[0] ]], "attempt to index a number value (field '0')" },
  },
  ["dots and colons"] = {
    { [[net.initialize()]], "Block.initialize: call it with a colon, net:initialize(...)" },
    { [[net.hybridize()]], "HybridBlock.hybridize: call it with a colon, net:hybridize(...)" },
    { [[net.collect_params()]], "Block.collect_params: call it with a colon, net:collect_params(...)" },
    { [[trainer.step(1)]], "Trainer.step: call it with a colon, trainer:step(...)" },
    { [[x.sum()]], "sum: data: expected an NDArray, got nothing" },
    { [[x.reshape { 4 }]], "Reshape: data: expected an NDArray or a Symbol, got an integer" },
    { [[x.asscalar()]], "expected an NDArray, got nothing" },
    { [[hl.metric.Accuracy().update(x, x)]], "EvalMetric.update: call it with a colon, metric:update(...)" },
    { [[net.weight.data()]], "Parameter.data: call it with a colon, parameter:data(...)" },
    { [[gluon.HybridBlock.subclass "N"]], 'subclass: call it with a colon, Base:subclass "Name"' },
    { [[nd:array { 1 }]], "nd.array: expected a dot, got a colon; write nd.array(...)" },
    { [[nd:tanh(x)]], "tanh: expected a dot, got a colon; write nd.tanh(...)" },
    { [[nn:Dense(3)]], "Dense: expected a dot, got a colon; write nn.Dense(...)" },
    { [[nd.random:normal(0, 1, { 2 })]], "normal: expected a dot, got a colon; write nd.random.normal(...)" },
    { [[gluon:Trainer(net:collect_params(), "sgd")]],
      "Trainer: expected a dot, got a colon; write gluon.Trainer(...)" },
    { [[autograd:record(print)]], "autograd.record: expected a dot, got a colon; write autograd.record(...)" },
    { [[hl:cpu(1)]], "hl.cpu: expected a dot, got a colon; write hl.cpu(...)" },
    { [[hl.context:cpu(1)]], "context.cpu: expected a dot, got a colon; write context.cpu(...)" },
    { [[hl:load "a"]], "hl.load: expected a dot, got a colon; write hl.load(...)" },
    { [[hl.metric:Accuracy()]], "Accuracy: expected a dot, got a colon; write metric.Accuracy(...)" },
  },
  ["shapes"] = {
    { [[nd.dot(x, nd.ones { 3, 3 })]],
      "dot: rhs: expected 2 elements along axis 0 to go with lhs (2, 2), got shape (3, 3)" },
    { [[print(x + nd.ones { 3 })]], "broadcast_add: rhs: expected a shape that broadcasts with (2, 2), got (3,)" },
    { [[net(nd.ones { 2, 5 })]],
      "dense0: data: expected 2 features, got 5 (FullyConnected: weight: expected shape (2, 5), got (2, 2))" },
    { [[local n = nn.Dense(2) n:initialize() n(x) n(nd.ones { 2, 7 })]],
      "dense1: data: expected 2 features, got 7 (FullyConnected: weight: expected shape (2, 7), got (2, 2))" },
    { [[x:reshape { 3, 3 }]], "Reshape: shape: expected 4 elements, as (2, 2) has, got (3, 3)" },
    { [[nd.concat(x, nd.ones { 3 })]], "Concat: arg1: expected shape (2, ?), got (3,)" },
    { [[local c = nn.Conv2D(3, 3) c:initialize() c(x)]],
      "conv0: Convolution: data: expected 4 dimensions (batch, channel, height, width), got (2, 2)" },
    { [[print(x[7])]], "index: 7 is out of range for axis 0 of shape (2, 2): expected -2 to 1" },
    { [[print(x["0:1, 0:1, 0:1"])]], "index: expected at most 2 axes for shape (2, 2), got 3" },
    { [[x:expand_dims { axis = 5 }]],
      "expand_dims: axis: expected a position from -3 to 2 for a new axis of an array with 2 dimensions, got 5" },
    { [[nd.softmax(x, { axis = 4 })]],
      "softmax: axis: expected an axis from -2 to 1 for an array with 2 dimensions, got 4" },
    { [[gluon.loss.SoftmaxCrossEntropyLoss()(x, nd.array { 1, 5 })]],
      "softmaxcrossentropyloss0: label: expected indices from 0 to 1, got 5 in row 1" },
    { [[gluon.loss.L2Loss()(x, nd.ones { 3 })]],
      "l2loss0: label: expected 4 elements, as predictions of shape (2, 2) have, got shape (3,)" },
    { [[hl.metric.Accuracy():update(nd.ones { 2, 3 }, nd.ones { 2 })]],
      "accuracy: update: labels: expected classes for predictions of shape (2,), got shape (2, 3); labels come " ..
        "first: metric:update(labels, preds)" },
    { [[net.weight:set_data(nd.ones { 9 })]], "Parameter 'dense0_weight': shape: expected (2, 2), got (9,)" },
    { [[local e = nn.Embedding(5, 2) e:initialize() e(nd.array { 7 })]],
      "embedding0: data: expected indices from 0 to 4, got 7 in row 0" },
    { [[gluon.data.ArrayDataset(x, nd.ones { 3 })]],
      "All arrays must have the same length; argument 1 has length 2 while argument 2 has 3." },
    { [[nd.zeros { 2, -1 }]], "zeros: shape: expected dimensions of 0 or more, got (2, -1)" },
    { [[x:asscalar()]], "asscalar: data: expected an array of one element, got shape (2, 2)" },
    { [[print(x.shape[0])]],
      "shape[0]: a shape is a Lua table, which counts from 1: write shape[1] for the first dimension" },
    { [[hl.compile(function(F, a) return F.dot(a, F.ones { 3, 3 }) end)(x)]],
      "dot: rhs: expected 2 elements along axis 0 to go with lhs (2, 2), got shape (3, 3)" },
  },
  ["nothing given"] = {
    { [[nd.dot(x, nil)]], "dot: rhs: expected an NDArray, got nothing" },
    { [[nd.dot(x)]], "dot: rhs: expected an NDArray, got nothing" },
    { [[nd.tanh()]], "tanh: data: expected an NDArray, got nothing" },
    { [[print(x + nil)]], "broadcast_add: expected NDArrays, Symbols or numbers, got an NDArray and nothing" },
    { [[net(nil)]], "FullyConnected: data: expected an NDArray, got nothing" },
    { [[net()]], "FullyConnected: data: expected an NDArray, got nothing" },
    { [[net:hybridize() net(nil)]], "FullyConnected: data: expected an NDArray, got nothing" },
    { [[nn.HybridSequential():add(nil)]], "hybridsequential0: add: expected Blocks, got nil" },
    { [[gluon.Trainer(nil, "sgd")]], "First argument must be a list or dict of Parameters, got nil." },
    { [[gluon.Trainer(net:collect_params())]], "optimizer: expected a name or an Optimizer, got nil" },
    { [[trainer:step()]], "Trainer.step: batch_size: expected a positive number, got nil" },
    { [[nd.array(nil)]], "nd.array: source: expected a table of numbers or an NDArray, got nothing" },
    { [[nd.zeros(nil)]],
      "zeros: shape: expected shape (integers, such as {2, 3}) (a required parameter), got nothing" },
    { [[nd.concat(nil)]], "Concat: arg0: expected an NDArray or a Symbol, got nothing" },
    { [[x:reshape(nil)]], "Reshape: shape: expected 4 elements, as (2, 2) has, got ()" },
    { [[gluon.loss.L2Loss()(x)]], "l2loss0: label: expected an NDArray or a Symbol, got nothing" },
    { [[hl.metric.Accuracy():update()]], "accuracy: update: expected labels and predictions, got nothing" },
    { [[hl.load(nil)]], "hl.load: file: expected a name, got nothing" },
    { [[net:save_parameters()]], "nd.save: file: expected a name, got nothing" },
    { [[net:export()]], "dense0: export: path: expected a string, got nil" },
    { [[hl.compile()]], "hl.compile: expected a function fn(F, ...), got nil" },
    { [[gluon.data.DataLoader()]], "DataLoader: dataset: expected a Dataset, a list or an NDArray, got nil" },
    { [[gluon.data.DataLoader(dataset)]], "batch_size must be specified unless batch_sampler is specified" },
    { [[hl.grad()]], "hl.grad: f: expected a function, got nothing" },
    { [[nn.Dense()]], "Dense: units: expected an integer of 0 or more, got nil" },
    { [[gluon.Parameter()]], "Parameter: name: expected a string, got nil" },
    { [[hl.has()]], "has: name: expected a string, such as 'nd.tanh', got nil" },
  },
  ["words"] = {
    { [[nd.softmax(x, { axs = 1 })]], "softmax: unknown option 'axs'; did you mean 'axis'?" },
    { [[nd.sum(x, { keepdim = true })]], "sum: unknown option 'keepdim'; did you mean 'keepdims'?" },
    { [[nd.zeros({ 2 }, { dtyp = "int32" })]], "zeros: unknown option 'dtyp'; did you mean 'dtype'?" },
    { [[nd.zeros({ 2 }, { dtype = "float" })]],
      "zeros: dtype: expected dtype float32, float64, float16, int8, int32, int64, uint8 or bool, got 'float'; " ..
        "did you mean 'float32'?" },
    { [[x:astype "int"]],
      "Cast: dtype: expected dtype float32, float64, float16, int8, int32, int64, uint8 or bool, got 'int'; " ..
        "did you mean 'int32'?" },
    { [[nn.Dense(3, { activaton = "relu" })]], "Dense: unknown option 'activaton'; did you mean 'activation'?" },
    { [[nn.Dense(3, { activation = "rely" })]],
      "Activation: act_type: expected {relu,sigmoid,softrelu,softsign,tanh}, got 'rely'; did you mean 'relu'?" },
    { [[nn.Dense "10"]], "Dense: units: expected an integer of 0 or more, got the string '10'" },
    { [[nn.Dense(-1)]], "Dense: units: expected an integer of 0 or more, got -1" },
    { [[nn.Dropout(1.5)]], "Dropout: rate: expected a number from 0 to 1, got 1.5" },
    { [[net:initialize("xaver", { force_reinit = true })]],
      "xaver is not registered. Please register with initializer.register first; did you mean 'xavier'?" },
    { [[gluon.Trainer(net:collect_params(), "sdg")]], "Cannot find optimizer sdg; did you mean 'sgd'?" },
    { [[gluon.Trainer(net:collect_params(), "sgd", { lr = 1 })]],
      "SGD: unknown option 'lr'; did you mean 'learning_rate'?" },
    { [[gluon.Trainer(net:collect_params(), "sgd", 0.1)]],
      "Trainer: optimizer_params: expected a table such as {learning_rate = 0.1}, got 0.1" },
    { [[gluon.Trainer(net, "sgd")]],
      "First argument must be a list or dict of Parameters, got Dense. Write net:collect_params()." },
    { [[gluon.data.DataLoader(dataset, { batch_size = 1, drop_last = true })]],
      "DataLoader: unknown option 'drop_last'; write last_batch = \"discard\"" },
    { [[gluon.data.DataLoader(dataset, { batchsize = 1 })]],
      "DataLoader: unknown option 'batchsize'; did you mean 'batch_size'?" },
    { [[hl.metric.create "acuracy"]],
      "acuracy is not registered. Please register with metric.register first; did you mean 'accuracy'?" },
    { [[net:hybridize "fast"]], "hybridize: active: expected true, false or a table of options, got fast" },
    { [[hl.Context("tpu", 0)]],
      "Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared', got 'tpu'" },
    { [[hl.cpu "0"]], "cpu: device_id: expected an integer of 0 or more, got the string '0'" },
    { [[hl.cpu { device = 1 }]], "cpu: unknown option 'device'; it takes device_id" },
    { [[nd.zeros({ 2 }, { ctx = "cpu" })]], "zeros: ctx: expected a context, such as hl.cpu(), got a string" },
    { [[nd.zeros({ 2 }, { ctx = hl.gpu(0) })]], "zeros: context gpu(0): no GPU in this build" },
    { [[nn.Lambda "tanhh"]], "Lambda: function: expected a function or the name of an operator, got tanhh" },
    { [[hl.load "no_such_file.params"]], "hl.load: no_such_file.params: open: No such file or directory" },
    { [[gluon.HybridBlock:subclass(3)]], "subclass: name: expected a string, got number" },
  },
  ["other languages"] = {
    { [[mx.nd.ones { 2 }]], "attempt to index a nil value (global 'mx'); write local mx = require \"hybridlua\"" },
    { [[for i in range(3) do print(i) end]],
      "attempt to call a nil value (global 'range'); write for i = 0, n - 1 do" },
    { [[print(len(x))]], "attempt to call a nil value (global 'len'); write #x" },
    { [[np.array { 1 }]],
      "attempt to index a nil value (global 'np'); write local np = hl.np" },
    { [[if x > 3 then print "big" end]],
      "arrays and symbols are not compared with Lua's < and >, which can only give true or false; write " ..
        "a:lesser(b), a:lesser_equal(b), a:greater(b) or a:greater_equal(b); or compare numbers, as in " ..
        "a:asscalar() > 0" },
    { [[while x:sum() > 0.1 do print "on" end]],
      "arrays and symbols are not compared with Lua's < and >, which can only give true or false; write " ..
        "a:lesser(b), a:lesser_equal(b), a:greater(b) or a:greater_equal(b); or compare numbers, as in " ..
        "a:asscalar() > 0" },
    { [[print(math.max(x, 0))]],
      "arrays and symbols are not compared with Lua's < and >, which can only give true or false; write " ..
        "a:lesser(b), a:lesser_equal(b), a:greater(b) or a:greater_equal(b); or compare numbers, as in " ..
        "a:asscalar() > 0" },
    { [[print(x[x == 3])]],
      "index: expected an integer, a slice, a table of these or an NDArray, got a boolean; Lua's == gives true " ..
        'or false; write x:equal(y):astype "bool"' },
    { [[for row in x do print(row) end]],
      "a for loop calls an array; write for i, row in pairs(x) do, which counts from 0" },
    { [[for i, row in ipairs(x) do print(row) end]],
      "ipairs begins at 1 and would leave out row 0; write for i, row in pairs(x) do" },
    { [[print(x(1, 2))]], "an NDArray is not called; its elements are read with brackets, as in x[{1, 2}], from 0" },
    { [[print({} + x)]], "broadcast_add: expected NDArrays, Symbols or numbers, got a table and an NDArray" },
    { [[print("a" + x)]], "broadcast_add: expected NDArrays, Symbols or numbers, got a string and an NDArray" },
    { [[print("a" .. nil)]], "attempt to concatenate a nil value" },
    { [[nd.round(x, 2)]],
      "round: expected at most 1 argument, got more (an integer); for decimals write nd.round(x * 100) / 100" },
    { [[nd.pad(x, 1)]],
      'Pad: mode: expected {constant,edge,reflect}, got 1; write nd.pad(x, {mode = "constant", pad_width = {0, ' ..
        "0, 0, 0, 1, 1, 1, 1}}): a number before and one behind for each axis" },
    { [[nd.where(x)]],
      "where: x: expected an NDArray, got nothing; for the places where a condition holds write " ..
        "nd.nonzero(condition)" },
  },
  ["the order of things"] = {
    { [[nn.Dense(3)(x)]],
      "Call net:initialize() first: Parameter 'dense1_weight' has not been initialized. Take parameters from " ..
        "net:collect_params(), because net.params does not include the children's" },
    { [[local n = nn.Dense(3) n:initialize() print(n.weight:data())]],
      "Parameter 'dense1_weight' has not been initialized yet because initialization was deferred. Actual " ..
        "initialization happens during the first forward pass. Please pass one batch of data through the network " ..
        "before accessing Parameters. You can also avoid deferred initialization by specifying in_units, " ..
        "num_features, etc., for network layers." },
    { [[x:backward()]],
      "backward: head: expected an array computed inside autograd.record from arrays with attached gradients, " ..
        "got one that is not on the tape" },
    { [[x:attach_grad() local y = x * 2 y:backward()]],
      "backward: head: expected an array computed inside autograd.record from arrays with attached gradients, " ..
        "got one that is not on the tape" },
    { [[x:attach_grad() local y = autograd.record(function() return x * 2 end) y:backward() y:backward()]],
      "backward: head: the tape was freed by an earlier backward; pass retain_graph=true to that one" },
    { [[trainer:step(1)]],
      "Gradient of Parameter 'dense0_weight' on context cpu(0) has not been updated by backward since the last " ..
        "step. This could mean a bug in your model that made it only use a subset of the Parameters (Blocks) for " ..
        "this iteration. If you are intentionally only using a subset, write trainer:step(batch_size, true), " ..
        "which ignores stale gradients: this warning is not given and those Parameters are not updated\nNo " ..
        "backward has reached any parameter since the last step: is loss:backward() missing, or was the loss " ..
        "computed outside autograd.record?" },
    { [[net:export "x"]],
      "dense0: export: call net:hybridize() and then net(x) once first, or give the shapes of the inputs: " ..
        "net:export(path, {data = {1, 512}})" },
    { [[print(x.grad + 1)]], "attempt to perform arithmetic on a nil value (field 'grad')" },
    { [[x:attach_grad() autograd.record(function() x[0] = 3 return x * 2 end)]],
      "assignment: an array that is part of a recorded computation cannot be written in place; do it outside " ..
        "autograd.record, or make a new array" },
    { [[nn.HybridLambda(function(a) return a * 2 end)(x)]],
      "attempt to perform arithmetic on a table value: it is F, which hybrid_forward and functions given to " ..
        "hl.compile take first: function(F, x)" },
    { [[nn.HybridLambda(function(F, a) local b = a * 2 end)(x)]],
      "hybridlambda0: hybrid_forward returned nothing; write return" },
    { [[nn.HybridSequential(nn.Dense(2))]], "HybridSequential: it accepts no blocks; write net:add(...)" },
    { [[local n = hybrid(function(self, _, a) self.n = self.n + 1 return a end) n.n = 0 n(x)]],
      "self.n of n0 was read, and then written, while the block was traced; a compiled call would not repeat " ..
        "that: return the value, and write it outside, or pass it as an argument" },
    { [[hybrid(function(self, _, a) return a * self.w end, { shape = { 2 } })(x)]],
      "n0: hybrid_forward: expected at most 0 inputs, got 1. N has parameters (w): declare p last, function " ..
        "N:hybrid_forward(F, x, p)" },
    { [[block(function(self, _, a, p) return a * self.w + p.w end, { shape = { 2 } })(x)]],
      "broadcast_mul: expected NDArrays, Symbols or numbers, got an NDArray and a Parameter; hybrid_forward " ..
        "gets a Parameter's array in its last argument, p, as p.NAME; elsewhere write parameter:data()" },
    { [[hybrid(function(self, _, a) print(self.tanh(a)) return a end)(x)]],
      "attempt to call a nil value (field 'tanh')" },
    { [[local N = setmetatable({}, { __index = gluon.HybridBlock }) N(x)]],
      "attempt to call a table value (local 'N'); this table was made with setmetatable, so it is not an instance " ..
        'of HybridBlock; write Net = HybridBlock:subclass "Net", and make instances by Net(...), which calls ' ..
        "Net:init(...)" },
    { [[local y = nd.ones({ 2, 2 }, { ctx = hl.cpu(1) }) print(x + y)]],
      "broadcast_add: lhs is in context cpu(0) and rhs in cpu(1); an operator computes where its inputs are: " ..
        "write rhs:as_in_context(lhs.context)" },
    { [[local _ <close> = hl.cpu(1) print(nd.ones { 2 })]],
      "variable '_' got a non-closable value; a context is entered by its method with: write local _ <close> = " ..
        "ctx:with()" },
    { [[local ctx = hl.cpu(1) local _ <close> = ctx print(nd.ones { 2 })]],
      "variable '_' got a non-closable value; a context is entered by its method with: write local _ <close> = " ..
        "ctx:with()" },
    { [[hl.cpu(1):with(3)]], "with: expected a function, got number; write ctx:with(function() ... end)" },
    { [[hl.cpu(1).with(print)]], "with: expected a context, got function; write ctx:with(fn)" },
    { [[hl.cpu(1):enter()]], "attempt to call a nil value (method 'enter')" },
    { [[local t = {} local _ <close> = t]], "variable '_' got a non-closable value" },
    { [[hl.cpu(1).device = 3]], "attempt to index a Context value" },
    { [[nd.NDArray.mine = print]],
      "NDArray.mine: methods of arrays and Symbols are not added or replaced: write a function of x" },
  },
}

describe("a mistake", function()
  for what, list in pairs(mistakes) do
    it("in " .. what .. " is reported in a sentence", function()
      for _, mistake in ipairs(list) do
        local code, text = mistake[1], mistake[2]
        local output, status = command.hybridlua { command.file(BEGIN .. code .. "\n") }
        assert.equal(1, status, code)
        local line, rest = output:match "^hybridlua: [^:]+:(%d+): (.*)$"
        assert.equal(tostring(LINE), line, code .. "\n" .. output)
        assert.equal(text, (rest:gsub("\nstack traceback:.*$", ""):gsub("\n$", "")), code)
      end
    end)
  end

  it("in a coroutine names the line in it", function()
    local output = command.hybridlua { command.file(BEGIN .. "coroutine.wrap(function()\n  net:eval()\nend)()\n") }
    assert.truthy(output:find((":%d: attempt to call a nil value (method 'eval'); for a block, a block has no modes")
      :format(LINE + 1), 1, true), output)
  end)

  it("in an error object is shown", function()
    local output, status = command.hybridlua { command.file(BEGIN .. "error { code = 3 }\n") }
    assert.equal("hybridlua: error object: {code = 3}\n", (output:gsub("stack traceback:.*$", "")))
    assert.equal(1, status)
  end)
end)
