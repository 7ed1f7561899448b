-- foreign.lua - names that people who come from PyTorch and NumPy type, and what to write here.
-- They are looked up only where a name is not there, so none of them hides a function of ours.
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

-- What MXNet's arrays and Symbols have and ours cannot.
local ABSENT = {
  handle = "arrays and Symbols have no handle of a C library here",
  to_dlpack_for_read = "there is no DLPack; x:tobytes() gives the bytes",
  to_dlpack_for_write = "there is no DLPack; x:tobytes() gives the bytes",
  as_np_ndarray = "there is no mx.np; arrays have NumPy's functions under nd",
  as_nd_ndarray = "every array is one: leave it out", writable = "every array can be written: x[{}] = value",
  get_backend_symbol = "there are no backends; net:hybridize() compiles",
  optimize_for = "there are no backends; net:hybridize() compiles",
  gradient = "MXNet has none either; bind the Symbol and call backward, or autograd.grad",
}

-- Functions of nd and sym; what is not here is looked up as a method.
local FUNCTIONS = {
  tensor = "nd.array{...}", Tensor = "nd.array{...}", as_tensor = "nd.array(x)", asarray = "nd.array(x)",
  from_numpy = "nd.load(file)", cat = "nd.concat(list, {dim = 0})", vsplit = "nd.split", hsplit = "nd.split",
  rand = "nd.random.uniform{shape = {...}}", randn = "nd.random.randn(...)",
  randint = "nd.random.randint(low, high, {shape = {...}})", randperm = "nd.random.shuffle(nd.arange(n))",
  no_grad = "autograd.pause(fn)", manual_seed = "hl.random.seed(n)", seed = "hl.random.seed(n)",
  shuffle = "nd.random.shuffle(x)", set_grad_enabled = "autograd.pause(fn)", is_tensor = 'hl.type(x) == "NDArray"',
  numel = "x.size", bernoulli = "nd.random.uniform", full_like = "nd.full(x.shape, value)",
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
  local_response_norm = "nd.LRN",
  batch_norm = "nd.BatchNorm", layer_norm = "nd.LayerNorm",
}

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
  SmoothL1Loss = "gluon.loss.HuberLoss()", Upsample = "F.UpSampling",
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
  keepdim = "keepdims", out_features = "units", in_features = "in_units", bias = "use_bias",
  num_embeddings = "input_dim", embedding_dim = "output_dim", device = "ctx", std = "sigma", mean = "loc",
  gamma = "factor",
}

local MODULES = {
  ["hybridlua.gluon.nn"] = LAYERS, ["hybridlua.gluon.loss"] = LOSSES,
  ["hybridlua.nd.random"] = { seed = "hl.random.seed(n)", rand = "nd.random.uniform{shape = {...}}" },
  ["hybridlua.autograd"] = { no_grad = "autograd.pause(fn)", enable_grad = "autograd.record(fn)",
                             tape = "autograd.record(fn)",
                             set_grad_enabled = "autograd.set_recording(flag)" },
  ["hybridlua.image"] = {
    open = "image.imread(file)", imsave = "image.imwrite(file, x)", imencode = "recordio.pack_img(header, x)",
    imrotate = "gluon.data.vision.transforms.Rotate(degrees)(x)",
    random_rotate = "gluon.data.vision.transforms.RandomRotation{low, high}(x)",
    CreateAugmenter = "gluon.data.vision.transforms.Compose{...}",
    ImageIter = "gluon.data.DataLoader of gluon.data.vision.ImageFolderDataset or ImageRecordDataset",
    copyMakeBorder = "nd.pad(x, {mode = ..., pad_width = {...}})" },
  hybridlua = { device = "hl.cpu() or hl.gpu(i)", array = "hl.nd.array{...}", tensor = "hl.nd.array{...}",
                no_grad = "hl.autograd.pause(fn)",
                manual_seed = "hl.random.seed(n)", ones = "hl.nd.ones", zeros = "hl.nd.zeros", jit = "hl.compile(fn)",
                seed = "hl.random.seed(n)" },
}

local function looks_up_functions(path) return path == "hybridlua.nd" or path == "hybridlua.sym" end

--- What to write in place of a name that the module `path` does not have ("write nd.dot(a, b)"), or nil.
function foreign.advice(path, name)
  local known = MODULES[path]
  if looks_up_functions(path) then
    local text = FUNCTIONS[name] or ARRAY[name]
    return text and "write " .. (path == "hybridlua.sym" and text:gsub("%f[%w]nd%.", "sym.") or text)
  end
  return known and known[name] and "write " .. known[name] or nil
end

--- The same for a method or field of arrays and Symbols; or why there is none.
function foreign.method(name) return ARRAY[name] and "write " .. ARRAY[name] or ABSENT[name] end

--- What an option is called here, if it is one of those that `known` has as keys; or nil.
function foreign.option(name, known) return known[OPTIONS[name]] and OPTIONS[name] or nil end

foreign.tables = { array = ARRAY, absent = ABSENT, functions = FUNCTIONS, layers = LAYERS, losses = LOSSES }

return foreign
