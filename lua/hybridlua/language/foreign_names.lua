-- foreign_names.lua - names from PyTorch and NumPy, and what to write here instead. They are looked up only for missing
-- names, so none of them hides a function of hybridlua.
local foreign = {}

-- Methods and fields of arrays (and Symbols).
local ARRAY = {
  view = "x:reshape{...}", view_as = "x:reshape_like(y)", ravel = "x:reshape{-1}",
  unsqueeze = "x:expand_dims{axis = ...}", permute = "x:transpose{...}", t = "x.T", mT = "x:swapaxes(-1, -2)",
  mm = "nd.dot(a, b)", mv = "nd.dot(a, b)",
  bmm = "nd.batch_dot(a, b)", addmm = "nd.dot(a, b) + c", einsum = 'nd.einsum("ij,jk->ik", a, b)',
  expand = "x:broadcast_to{...}", expand_as = "x:broadcast_like(y)", chunk = "x:split{num_outputs = ...}",
  masked_fill = "nd.where(mask, value, x)", masked_fill_ = "x[mask] = value", masked_select = "x[mask]",
  index_select = "x:take(indices, {axis = ...})", gather = "x:pick(indices, {axis = ...}) or nd.gather_nd(x, indices)",
  scatter_ = "nd.scatter_nd(...) or x[indices] = value", index_put_ = "x[indices] = value",
  clamp = "x:clip(a_min, a_max)", clamp_ = "x:clip_(a_min, a_max)", mul = "x * y or x:multiply(y)",
  sub = "x - y or x:subtract(y)", div = "x / y or x:divide(y)", pow = "x ^ y or x:power(y)", neg = "-x or x:negative()",
  mod = "x % y or x:modulo(y)", eq = "x:equal(y)", ne = "x:not_equal(y)", gt = "x:greater(y)",
  ge = "x:greater_equal(y)", lt = "x:lesser(y)", le = "x:lesser_equal(y)",
  logical_not_ = "x:logical_not()", acos = "x:arccos()", asin = "x:arcsin()", atan = "x:arctan()",
  lgamma = "x:gammaln()", clone = "x:copy()", copy_ = "x:set(value)", fill = "x:set(value)", assign = "x:set(value)",
  put = "x[indices] = value", numel = "x.size", nelement = "x.size", dim = "x.ndim", ndimension = "x.ndim",
  nbytes = "#x:tobytes()", len = "#x", to = 'x:astype "float64" for a dtype, x:as_in_context(ctx) for a device',
  type = "x.dtype, or hl.type(x)", type_as = "x:astype(y.dtype)", cuda = "x:as_in_context(hl.gpu(0))",
  cpu = "x:as_in_context(hl.cpu())", gpu = "x:as_in_context(hl.gpu(0))", device = "x.context",
  is_cuda = "x.context.device_type", get_device = "x.context", get_context = "x.context",
  pin_memory = "x itself: nothing is pinned", float = 'x:astype "float32"', double = 'x:astype "float64"',
  half = 'x:astype "float16"', long = 'x:astype "int64"', int = 'x:astype "int32"', short = 'x:astype "int32"',
  char = 'x:astype "int8"', byte = 'x:astype "uint8"', bool = 'x:astype "bool"',
  contiguous = "x itself: arrays are always contiguous", is_contiguous = "true: arrays are always contiguous",
  requires_grad = "x.grad ~= nil", requires_grad_ = "x:attach_grad()", grad_fn = "hl.autograd",
  retain_grad = "x:attach_grad()", data = "x:detach()", detach_ = "x:detach()", is_leaf = "x.grad ~= nil",
  zero_grad = "x.grad:set(0)", new_zeros = "nd.zeros{...}", new_ones = "nd.ones{...}", new_tensor = "nd.array{...}",
  new_full = "nd.full({...}, value)", unbind = "x:split{num_outputs = n, squeeze_axis = true}",
  narrow = "x:slice_axis{axis =, begin =, stop =}", select = "x[i]", argwhere = "nd.nonzero(x)",
  normal_ = "nd.random.normal{loc, scale, out = x}", uniform_ = "nd.random.uniform{low, high, out = x}",
  shape_as_list = "x.shape", get_shape = "x.shape", set_shape = "x:reshape{...}",
}

-- Members of MXNet's arrays and Symbols that cannot exist here.
local ABSENT = {
  handle = "arrays and Symbols have no handle of a C library here",
  to_dlpack_for_read = "there is no DLPack; x:tobytes() gives the bytes",
  to_dlpack_for_write = "there is no DLPack; x:tobytes() gives the bytes",
  writable = "every array can be written: x[{}] = value",
  get_backend_symbol = "there are no backends; net:hybridize() compiles",
  optimize_for = "there are no backends; net:hybridize() compiles",
  gradient = "MXNet has none either; bind the Symbol and call backward, or autograd.grad",
}

-- Functions of nd and sym; other names are looked up as methods.
local FUNCTIONS = {
  tensor = "nd.array{...}", Tensor = "nd.array{...}", as_tensor = "nd.array(x)", asarray = "nd.array(x)",
  from_numpy = "nd.load(file)", onehot_encode = "nd.one_hot(indices, depth)", imdecode = "hl.image.imdecode(bytes)",
  cat = "nd.concat(list, {dim = 0})", vsplit = "nd.split", hsplit = "nd.split",
  rand = "nd.random.uniform{shape = {...}}", randn = "nd.random.randn(...)",
  randint = "nd.random.randint(low, high, {shape = {...}})", randperm = "nd.random.shuffle(nd.arange(n))",
  no_grad = "autograd.pause(fn)", manual_seed = "hl.random.seed(n)", seed = "hl.random.seed(n)",
  shuffle = "nd.random.shuffle(x)", set_grad_enabled = "autograd.pause(fn)", is_tensor = 'hl.type(x) == "NDArray"',
  numel = "x.size", bernoulli = "nd.random.bernoulli(prob, {shape = {...}})", full_like = "nd.full(x.shape, value)",
  empty_like = "nd.empty(x.shape)", identity = "nd.eye(n)", inv = "nd.linalg.inverse(x)",
  float32 = 'the string "float32"', float64 = 'the string "float64"', int32 = 'the string "int32"',
  int64 = 'the string "int64"', pad_sequence = "nd.pad",
  cross_entropy = "nd.softmax_cross_entropy or gluon.loss.SoftmaxCrossEntropyLoss()",
  mse_loss = "gluon.loss.L2Loss()", elu = 'nd.LeakyReLU(x, {act_type = "elu"})',
  selu = 'nd.LeakyReLU(x, {act_type = "selu"})', linear = "nd.FullyConnected", conv1d = "nd.Convolution",
  conv2d = "nd.Convolution", conv3d = "nd.Convolution", max_pool2d = "nd.Pooling", avg_pool2d = "nd.Pooling",
  max_pool1d = "nd.Pooling", max_pool3d = "nd.Pooling", avg_pool1d = "nd.Pooling", avg_pool3d = "nd.Pooling",
  adaptive_avg_pool2d = "nd.contrib.AdaptiveAvgPooling2D", interpolate = "nd.contrib.BilinearResize2D or nd.UpSampling",
  grid_sample = "nd.BilinearSampler", affine_grid = "nd.GridGenerator", unfold = "nd.im2col", fold = "nd.col2im",
  local_response_norm = "nd.LRN", batch_norm = "nd.BatchNorm", layer_norm = "nd.LayerNorm",
  absolute = "nd.abs(x)",
}

-- Whole sentences for names without an equivalent. Some are read from nd and then indexed (nd.sparse.zeros).
local ABSENT_FUNCTIONS = {
  sparse = "there are no sparse arrays; nd.take, nd.Embedding and nd.scatter_nd work on dense ones",
  WarpCTC = "it is a plug-in of another library; gluon.loss.CTCLoss and nd.CTCLoss compute the same loss",
  CaffeOp = "it is a plug-in of Caffe, which is not here", CaffeLoss = "it is a plug-in of Caffe, which is not here",
  cast_storage = "all arrays are dense, so there is no other storage to cast to",
  fft = "write nd.contrib.fft, whose complex numbers are pairs",
  ma = "there are no masked arrays; write nd.where(mask, x, 0)",
  atan2 = "write nd.arctan2(y, x)",
}

-- The same for operators by the beginning of their names, in nd.contrib and sym.contrib too.
local NO_SPARSE = "there are no sparse arrays"
local NO_INT8 = "no operator computes in int8, so nothing is quantized"
local ABSENT_FAMILIES = {
  quantize = NO_INT8, quantized_ = NO_INT8, dequantize = NO_INT8, requantize = NO_INT8, calibrate_entropy = NO_INT8,
  intgemm_ = NO_INT8, dgl_ = NO_SPARSE, edge_id = NO_SPARSE, getnnz = NO_SPARSE,
  SparseEmbedding = "there are no sparse gradients; nd.Embedding and gluon.contrib.nn.SparseEmbedding have dense ones",
  mp_ = "updates in mixed precision are not here, since no operator computes in float16",
  multi_mp_ = "updates in mixed precision are not here, since no operator computes in float16",
  preloaded_multi_ = "an optimizer updates all parameters in one loop anyway; nd.multi_sgd_update takes numbers",
  multi_lamb_update = "an optimizer updates all parameters in one loop anyway; write hl.optimizer.LAMB",
  amp_multicast = "there is no mixed precision; x:astype(dtype) casts",
  from_dlpack = "there is no DLPack; arrays are exchanged as .npy and .npz files",
  to_dlpack_ = "there is no DLPack; x:tobytes() gives the bytes",
  DeformablePSROIPooling = "MXNet has it on GPUs only; nd.contrib.PSROIPooling has no offsets",
  Convolution_v1 = "write nd.Convolution, which computes the same", Pooling_v1 = "write nd.Pooling",
}

local function of_family(name)
  local bare = name:gsub("^_?contrib_", ""):gsub("^_", "")
  for beginning, reason in pairs(ABSENT_FAMILIES) do
    if bare:sub(1, #beginning) == beginning then return reason end
  end
end

local LAYERS = {
  Linear = "nn.Dense(units)", Module = "nn.Block or nn.HybridBlock", ReLU = 'nn.Activation "relu"',
  Sigmoid = 'nn.Activation "sigmoid"', Tanh = 'nn.Activation "tanh"', Softplus = 'nn.Activation "softrelu"',
  Softmax = "F.softmax(x)", LogSoftmax = "F.log_softmax(x)",
  Parameter = "gluon.Parameter, or self.params:get(name, {...}) in a block",
  ModuleList = "a table of blocks, or nn.Sequential",
  ModuleDict = "a table of blocks", RNN = "gluon.rnn.RNN", LSTM = "gluon.rnn.LSTM", GRU = "gluon.rnn.GRU",
  LSTMCell = "gluon.rnn.LSTMCell", CrossEntropyLoss = "gluon.loss.SoftmaxCrossEntropyLoss()",
  MSELoss = "gluon.loss.L2Loss()", L1Loss = "gluon.loss.L1Loss()",
  BCELoss = "gluon.loss.SigmoidBinaryCrossEntropyLoss{from_sigmoid = true}",
  NLLLoss = "gluon.loss.SoftmaxCrossEntropyLoss{from_logits = true}",
  BCEWithLogitsLoss = "gluon.loss.SigmoidBinaryCrossEntropyLoss()", KLDivLoss = "gluon.loss.KLDivLoss()",
  SmoothL1Loss = "gluon.loss.HuberLoss()",
  functional = "F, the first argument of hybrid_forward", init = "hl.init",
}

local LOSSES = {
  CrossEntropyLoss = "SoftmaxCrossEntropyLoss", MSELoss = "L2Loss",
  NLLLoss = "SoftmaxCrossEntropyLoss{from_logits = true}",
  BCELoss = "SigmoidBinaryCrossEntropyLoss{from_sigmoid = true}", BCEWithLogitsLoss = "SigmoidBinaryCrossEntropyLoss",
  SmoothL1Loss = "HuberLoss", MAELoss = "L1Loss",
}

-- Options.
local OPTIONS = {
  lr = "learning_rate", weight_decay = "wd", eps = "epsilon", beta = "momentum", size = "shape", dim = "axis",
  keepdim = "keepdims", drop_last = 'last_batch = "discard"', out_features = "units", in_features = "in_units",
  bias = "use_bias",
  num_embeddings = "input_dim", embedding_dim = "output_dim", device = "ctx", std = "sigma", mean = "loc",
  gamma = "factor", inplace = "out", out_channels = "channels", stride = "strides", dilate = "dilation",
  kernel = "kernel_size", pad = "padding", p = "rate", type = "dtype", context = "ctx", affine = "scale",
  track_running_stats = "use_global_stats", batch_first = 'layout = "NTC"', workers = "num_workers",
  collate_fn = "batchify_fn", T_max = "max_update", eta_min = "final_lr", milestones = "step",
  betas = "beta1 and beta2", hidden_dim = "hidden_size", hidden_units = "hidden_size", dims = "axes",
  requires_grad = "grad_req", sections = "num_outputs", chunks = "num_outputs", embedding_size = "output_dim",
  vocab_size = "input_dim",
}

local OF_NPX = "write hl.npx.set_np"
local NO_FINANCE = "NumPy removed its financial functions in 1.20, and MXNet's raises too"
local OF_PYTHON = "it is an inner part of MXNet's Python package"
local NO_ONNX = "no ONNX is read or written; net:export writes MXNet's format, and nd.save .npy and .npz"
local NO_PLOT = "write hl.plot"
local NO_AMP = "there is no mixed precision; arrays can be kept in float16, computing is in float32 and float64"
local NO_EVENTS = "the profiler records operators and kernels only; hl.time() gives seconds"
local NO_ESTIMATOR = "write gluon.contrib.estimator"

-- Whole sentences for missing names of modules without an equivalent, by the module's path.
local ABSENT_PARTS = {
  ["hybridlua"] = {
    sparse = "there are no sparse arrays; nd.take, nd.Embedding and nd.scatter_nd work on dense ones",
    executor_manager = "write hl.mod.Module, which trains a Symbol in one context or in several",
    onnx = NO_ONNX, amp = NO_AMP, numpy = "write hl.np",
    plt = NO_PLOT, pyplot = NO_PLOT,
    signal = "there is no signal processing; nd.Convolution takes (batch, channel, width)",
    stats = "distributions are in nd.random; see docs/guide/numpy.md for statistics",
    fft = "write nd.contrib.fft, whose complex numbers are pairs", linalg = "write hl.nd.linalg",
    nn = "write hl.gluon.nn", data = "write hl.gluon.data",
    optim = "write hl.optimizer, or gluon.Trainer(net:collect_params(), \"adam\")",
    library = "it would load operators compiled against MXNet's headers, which cannot work here; \z
      hl.operator.CustomOp makes one in the script",
    rtc = "it compiles CUDA, and there is no GPU here", text = "write hl.contrib.text",
    profiler_set_config = "write hl.profiler.set_config", cuda = "there is no GPU here",
    autocast = NO_AMP, notebook = "there are no notebooks; write hl.plot", recordIO = "write hl.recordio",
    metrics = "write hl.metric",
    torch = "PyTorch's modules are not here; arrays are in hl.nd, layers in hl.gluon.nn", th = "PyTorch is not here",
    pi = "write math.pi", inf = "write math.huge", nan = "write 0 / 0", set_np = OF_NPX, utils = "write hl.gluon.utils",
  },
  ["hybridlua.np"] = { mirr = NO_FINANCE, npv = NO_FINANCE, ppmt = NO_FINANCE, pv = NO_FINANCE, rate = NO_FINANCE },
  ["hybridlua.npx"] = { check_call = OF_PYTHON, classproperty = OF_PYTHON, with_metaclass = OF_PYTHON,
    get_cuda_compute_capability = "there is no CUDA here" },
  ["hybridlua.gluon"] = { Module = "write gluon.HybridBlock", lr_scheduler = "write \z
      hl.lr_scheduler", optimizer = "write hl.optimizer", estimator = NO_ESTIMATOR, init = "write hl.init",
    DataLoader = "write gluon.data.DataLoader" },
  ["hybridlua.contrib"] = { onnx = NO_ONNX, amp = NO_AMP, quantization = "no operator computes in int8",
    svrg_optimization = "it needs a Module in two copies; write the two gradients in a loop",
    tensorboard = "nothing is logged for TensorBoard; hl.log writes lines" },
  ["hybridlua.io"] = { ImageDetRecordIter = "write hl.image.ImageDetIter, whose labels are lists of boxes",
    ImageRecordInt8Iter = "write ImageRecordUInt8Iter", MXDataIter = "write hl.io.DataIter",
    CaffeDataIter = "it is a plug-in of Caffe, which is not here" },
  ["hybridlua.kvstore"] = { KVStoreServer = "training runs in one process",
    KVStoreBase = "stores of other libraries are not here; write KVStore" },
  ["hybridlua.rnn"] = { rnn_unroll = "write cell:unroll(length, inputs)" },
  ["hybridlua.profiler"] = { profiler_set_config = "write profiler.set_config", profiler_set_state = "write \z
      profiler.set_state", dump_profile = "write profiler.dump", Domain = NO_EVENTS, Task = NO_EVENTS,
    Frame = NO_EVENTS, Event = NO_EVENTS, Counter = NO_EVENTS, Marker = NO_EVENTS },
  ["hybridlua.test_utils"] = { create_sparse_array = NO_SPARSE, create_sparse_array_zd = NO_SPARSE,
    rand_sparse_ndarray = NO_SPARSE, shuffle_csr_column_indices = NO_SPARSE,
    environment = "Lua cannot set variables of its own process; set them where the program starts",
    get_im2rec_path = "there is no im2rec; hl.recordio.MXIndexedRecordIO writes record files",
    get_mnist_pkl = "pickles are not read; write get_mnist", get_bz2_data = "write test_utils.download and unpack it" },
  ["hybridlua.util"] = {
    setenv = "Lua cannot set variables of its own process; set them where the program starts" },
  ["hybridlua.gluon.utils"] = { clip_grad_norm_ = "write gluon.utils.clip_global_norm(arrays, max_norm)" },
  ["hybridlua.gluon.data"] = { TensorDataset = "write gluon.data.ArrayDataset(x, y)", Subset = "write \z
      dataset:sample(gluon.data.ListSampler{0, 5, 7}), dataset:take(n) or dataset:random_split{...}",
    IterableDataset = "write gluon.data.Dataset:subclass, with get(i) and __len", datasets = "write \z
      gluon.data.vision", NDArrayIter = "write hl.io.NDArrayIter(x, y, batch_size)" },
  ["hybridlua.lr_scheduler"] = {
    CosineAnnealingLR = "write lr_scheduler.CosineScheduler(max_update, base_lr)", StepLR = "write \z
      lr_scheduler.FactorScheduler(step, factor)",
    MultiStepLR = "write lr_scheduler.MultiFactorScheduler(step, factor)",
    ExponentialLR = "write lr_scheduler.FactorScheduler(1, factor)", PolynomialLR = "write \z
      lr_scheduler.PolyScheduler(max_update, base_lr)", LambdaLR = "write function(num_update) .. end as lr_scheduler",
    OneCycleLR = "write lr_scheduler.CosineScheduler with warmup_steps", LinearLR = "write \z
      lr_scheduler.PolyScheduler{max_update =, base_lr =, pwr = 1}",
    CosineAnnealingWarmRestarts = "write a function(num_update) as lr_scheduler" },
}

local MODULES = {
  ["hybridlua.gluon.nn"] = LAYERS, ["hybridlua.gluon.loss"] = LOSSES,
  ["hybridlua.nd.random"] = { seed = "hl.random.seed(n)", rand = "nd.random.uniform{shape = {...}}" },
  ["hybridlua.autograd"] = { no_grad = "autograd.pause(fn)", enable_grad = "autograd.record(fn)",
                             tape = "autograd.record(fn)", set_grad_enabled = "autograd.set_recording(flag)" },
  ["hybridlua.image"] = {
    open = "image.imread(file)", imsave = "image.imwrite(file, x)", imencode = "recordio.pack_img(header, x)" },
  hybridlua = { device = "hl.cpu() or hl.gpu(i)", array = "hl.nd.array{...}", tensor = "hl.nd.array{...}",
                no_grad = "hl.autograd.pause(fn)",
                manual_seed = "hl.random.seed(n)", ones = "hl.nd.ones", zeros = "hl.nd.zeros", jit = "hl.compile(fn)",
                seed = "hl.random.seed(n)" },
}

local OPERATORS = { ["hybridlua.nd"] = true, ["hybridlua.sym"] = true, ["hybridlua.nd.contrib"] = true,
  ["hybridlua.sym.contrib"] = true }

local function looks_up_functions(path) return path == "hybridlua.nd" or path == "hybridlua.sym" end

-- nd's functions under sym.
local function as_sym(path, text) return path == "hybridlua.sym" and text:gsub("%f[%w]nd%.", "sym.") or text end

--- What to write instead of a name that the module `path` does not have ("write nd.dot(a, b)"), or why there is
-- nothing; nil if neither is known.
function foreign.advice(path, name)
  if looks_up_functions(path) then
    local text = FUNCTIONS[name] or not ABSENT_FUNCTIONS[name] and ARRAY[name]
    if text then return "write " .. as_sym(path, text) end
    if ABSENT_FUNCTIONS[name] then return as_sym(path, ABSENT_FUNCTIONS[name]) end
  end
  if OPERATORS[path] then
    local reason = of_family(name)
    if reason then return as_sym(path, reason) end
  end
  local known = MODULES[path]
  if known and known[name] then return "write " .. known[name] end
  return ABSENT_PARTS[path] and ABSENT_PARTS[path][name]
end

--- The same for a method or field of arrays and Symbols.
function foreign.method(name) return ARRAY[name] and "write " .. ARRAY[name] or ABSENT[name] end

--- What to write for an option of another library: one of the keys of `known`, or a text that begins with one; or nil.
function foreign.option(name, known)
  local text = OPTIONS[name]
  return text and known[text:match "^[%w_]+"] and text or nil
end

--- "; did you mean 'keepdims'?", or "; write last_batch = ..."; nil if nothing is known.
function foreign.option_hint(name, known)
  local text = foreign.option(name, known)
  if not text then return nil end
  return text:find "[^%w_]" and "; write " .. text or ("; did you mean '%s'?"):format(text)
end

foreign.tables = { array = ARRAY, absent = ABSENT, functions = FUNCTIONS, layers = LAYERS, losses = LOSSES,
  absent_functions = ABSENT_FUNCTIONS, absent_parts = ABSENT_PARTS }

return foreign
