-- faces.lua - all public callables: functions of modules, constructors, and methods of instances of every class, found
-- by walking from require "hybridlua".
local hl = require "hybridlua"
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn, data, zoo = gluon.nn, gluon.data, gluon.model_zoo.vision

local texts = gluon.contrib.data.text

local faces = {}

-- Adds makers of convolutional cells for 1 to 3 axes.
local function conv_cells(makers)
  for axes = 1, 3 do
    for _, kind in ipairs { "RNN", "LSTM", "GRU" } do
      local name = ("Conv%dD%sCell"):format(axes, kind)
      makers[name] = function()
        return gluon.contrib.rnn[name](table.move({ 3, 3, 3, 3 }, 1, axes + 1, 1, {}), 2, 3, 3)
      end
    end
  end
end

-- ---- Instances ----------------------------------------------------------------------------------------

local function dataset() return data.SimpleDataset { 1, 2, 3 } end

local function trainer()
  local net = nn.Dense(1, { in_units = 1 })
  net:initialize()
  return gluon.Trainer(net:collect_params(), "sgd")
end

local function digits() return data.vision.Digits { file = "examples/data/digits.csv.gz" } end

-- Creates files for datasets that read them: one image and its label.
local function data_folder()
  local folder = os.tmpname()
  os.remove(folder)
  os.execute("mkdir -p " .. folder)
  for name, bytes in pairs { ["train-images-idx3-ubyte"] = string.pack(">I4I4I4I4B", 2051, 1, 1, 1, 7),
                             ["train-labels-idx1-ubyte"] = string.pack(">I4I4B", 2049, 1, 3),
                             ["wiki.train.tokens"] = "a b\n",
                             ["test_batch.bin"] = ("\3"):rep(3073), ["test.bin"] = ("\3"):rep(3074) } do
    local file <close> = io.open(folder .. "/" .. name, "wb")
    file:write(bytes)
  end
  return folder
end

local function csv_file()
  local name = os.tmpname()
  local file <close> = io.open(name, "w")
  file:write "1,2,0\n3,4,1\n"
  return name
end

local function from_folder(make)
  return function()
    local folder <const> = data_folder()
    local made = make(folder)
    os.execute("rm -r " .. folder)
    return made
  end
end

-- Creates the files of one image with one object for an iterator of hl.image.
local function image_iter(name)
  return from_folder(function(folder)
    local file = folder .. "/a.png"
    hl.image.imwrite(file, nd.ones({ 2, 2, 3 }, { dtype = "uint8" }))
    local label = name == "ImageIter" and 1 or { 2, 5, 0, 0, 0, 1, 1 }
    return hl.image[name] { batch_size = 1, data_shape = { 3, 2, 2 }, imglist = { { label, file } } }
  end)
end

-- Makers of instances of classes whose constructors need arguments.
local function embedding(make)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write "a 1 2\n"
  file:close()
  local made = make(path)
  os.remove(path)
  return made
end

local MAKERS = {
  Trainer = trainer,
  ReduceLROnPlateau = function() return hl.lr_scheduler.ReduceLROnPlateau(trainer()) end,
  Parameter = function() return gluon.Parameter("w", { shape = { 1 } }) end,
  SymbolBlock = function() return gluon.SymbolBlock(sym.var "x" * 2, sym.var "x") end,
  Dense = function() return nn.Dense(1) end,
  Dropout = function() return nn.Dropout(0.5) end,
  Embedding = function() return nn.Embedding(2, 2) end,
  RNN = function() return gluon.rnn.RNN(2) end,
  LSTM = function() return gluon.rnn.LSTM(2) end,
  GRU = function() return gluon.rnn.GRU(2) end,
  RNNCell = function() return gluon.rnn.RNNCell(2) end,
  LSTMCell = function() return gluon.rnn.LSTMCell(2) end,
  GRUCell = function() return gluon.rnn.GRUCell(2) end,
  BidirectionalCell = function() return gluon.rnn.BidirectionalCell(gluon.rnn.GRUCell(2), gluon.rnn.GRUCell(2)) end,
  DropoutCell = function() return gluon.rnn.DropoutCell(0.5) end,
  ModifierCell = function() return gluon.rnn.ModifierCell(gluon.rnn.GRUCell(2)) end,
  ZoneoutCell = function() return gluon.rnn.ZoneoutCell(gluon.rnn.GRUCell(2)) end,
  ResidualCell = function() return gluon.rnn.ResidualCell(gluon.rnn.GRUCell(2)) end,
  VariationalDropoutCell = function() return gluon.contrib.rnn.VariationalDropoutCell(gluon.rnn.GRUCell(2)) end,
  LSTMPCell = function() return gluon.contrib.rnn.LSTMPCell(2, 1) end,
  PositionalEmbedding = function() return gluon.contrib.nn.PositionalEmbedding(2, 3) end,
  MultiHeadAttention = function() return gluon.contrib.nn.MultiHeadAttention(4, 2) end,
  PositionwiseFFN = function() return gluon.contrib.nn.PositionwiseFFN(2, 3) end,
  FusedRNN = function() return hl.init.FusedRNN(nil, 2, 1, "lstm") end,
  Conv1D = function() return nn.Conv1D(1, 1) end,
  Conv2D = function() return nn.Conv2D(1, 1) end,
  DeformableConvolution = function() return gluon.contrib.cnn.DeformableConvolution(1, 1) end,
  ModulatedDeformableConvolution = function() return gluon.contrib.cnn.ModulatedDeformableConvolution(1, 1) end,
  Conv3D = function() return nn.Conv3D(1, 1) end,
  Conv1DTranspose = function() return nn.Conv1DTranspose(1, 1) end,
  Conv2DTranspose = function() return nn.Conv2DTranspose(1, 1) end,
  Conv3DTranspose = function() return nn.Conv3DTranspose(1, 1) end,
  PixelShuffle1D = function() return gluon.contrib.nn.PixelShuffle1D(2) end,
  PixelShuffle2D = function() return gluon.contrib.nn.PixelShuffle2D(2) end,
  PixelShuffle3D = function() return gluon.contrib.nn.PixelShuffle3D(2) end,
  BasicBlockV1 = function() return zoo.BasicBlockV1(1, 1) end,
  BasicBlockV2 = function() return zoo.BasicBlockV2(1, 1) end,
  BottleneckV1 = function() return zoo.BottleneckV1(4, 1) end,
  BottleneckV2 = function() return zoo.BottleneckV2(4, 1) end,
  ResNetV1 = function() return zoo.ResNetV1(zoo.BasicBlockV1, { 1 }, { 1, 1 }) end,
  ResNetV2 = function() return zoo.ResNetV2(zoo.BasicBlockV2, { 1 }, { 1, 1 }) end,
  DenseNet = function() return zoo.DenseNet(1, 1, { 1 }) end,
  SqueezeNet = function() return zoo.SqueezeNet "1.1" end,
  VGG = function() return zoo.VGG({ 1 }, { 1 }) end,
  SparseEmbedding = function() return gluon.contrib.nn.SparseEmbedding(2, 2) end,
  Activation = function() return nn.Activation "relu" end,
  LeakyReLU = function() return nn.LeakyReLU(0.1) end,
  Lambda = function() return nn.Lambda(print) end,
  HybridLambda = function() return nn.HybridLambda(print) end,
  Resize = function() return data.vision.transforms.Resize(2) end,
  CropResize = function() return data.vision.transforms.CropResize(0, 0, 1, 1) end,
  CenterCrop = function() return data.vision.transforms.CenterCrop(2) end,
  RandomResizedCrop = function() return data.vision.transforms.RandomResizedCrop(2) end,
  RandomBrightness = function() return data.vision.transforms.RandomBrightness(0.1) end,
  RandomContrast = function() return data.vision.transforms.RandomContrast(0.1) end,
  RandomSaturation = function() return data.vision.transforms.RandomSaturation(0.1) end,
  RandomHue = function() return data.vision.transforms.RandomHue(0.1) end,
  RandomLighting = function() return data.vision.transforms.RandomLighting(0.1) end,
  Rotate = function() return data.vision.transforms.Rotate(10) end,
  RandomRotation = function() return data.vision.transforms.RandomRotation { -10, 10 } end,
  RandomCrop = function() return data.vision.transforms.RandomCrop(2) end,
  HybridCompose = function() return data.vision.transforms.HybridCompose {} end,
  HybridRandomApply = function() return data.vision.transforms.HybridRandomApply {} end,
  RandomApply = function() return data.vision.transforms.RandomApply {} end,
  Compose = function() return data.vision.transforms.Compose {} end,
  SimpleDataset = dataset,
  ArrayDataset = function() return data.ArrayDataset(nd.ones { 3 }) end,
  CSVDataset = function()
    local file = csv_file()
    local made = data.CSVDataset(file)
    os.remove(file)
    return made
  end,
  Digits = digits,
  MNIST = from_folder(function(folder) return data.vision.MNIST(folder) end),
  FashionMNIST = from_folder(function(folder) return data.vision.FashionMNIST(folder) end),
  MXRecordIO = function() return hl.recordio.MXRecordIO("spec/oracle/records/records.rec", "r") end,
  MXIndexedRecordIO = function()
    return hl.recordio.MXIndexedRecordIO("spec/oracle/records/records.idx", "spec/oracle/records/records.rec", "r")
  end,
  RecordFileDataset = function() return data.RecordFileDataset "spec/oracle/records/records.rec" end,
  ImageRecordDataset = function() return data.vision.ImageRecordDataset "spec/oracle/records/pictures.rec" end,
  ImageFolderDataset = from_folder(function(folder)
    os.execute(("rm %s/*"):format(folder))
    return data.vision.ImageFolderDataset(folder)
  end),
  CIFAR10 = from_folder(function(folder) return data.vision.CIFAR10(folder, false) end),
  CIFAR100 = from_folder(function(folder) return data.vision.CIFAR100 { root = folder, train = false } end),
  DataLoader = function() return data.DataLoader(dataset(), 1) end,
  SequentialSampler = function() return data.SequentialSampler(3) end,
  RandomSampler = function() return data.RandomSampler(3) end,
  FilterSampler = function() return data.FilterSampler(function() return true end, dataset()) end,
  ListSampler = function() return data.ListSampler { 0, 1 } end,
  BatchSampler = function() return data.BatchSampler(data.SequentialSampler(3), 2) end,
  Updater = function() return hl.optimizer.Updater(hl.optimizer.SGD()) end,
  Mixed = function() return hl.init.Mixed({ ".*" }, { "zeros" }) end,
  Load = function() return hl.init.Load {} end,
  FactorScheduler = function() return hl.lr_scheduler.FactorScheduler(1) end,
  MultiFactorScheduler = function() return hl.lr_scheduler.MultiFactorScheduler { 1 } end,
  PolyScheduler = function() return hl.lr_scheduler.PolyScheduler(1) end,
  CosineScheduler = function() return hl.lr_scheduler.CosineScheduler(1) end,
  ImageIter = image_iter "ImageIter", ImageDetIter = image_iter "ImageDetIter",
  DummyIter = function() return hl.test_utils.DummyIter(hl.io.NDArrayIter(nd.ones { 2, 2 })) end,
  ResizeAug = function() return hl.image.ResizeAug(2) end,
  ForceResizeAug = function() return hl.image.ForceResizeAug { 2, 2 } end,
  RandomCropAug = function() return hl.image.RandomCropAug { 2, 2 } end,
  RandomSizedCropAug = function() return hl.image.RandomSizedCropAug({ 2, 2 }, 0.1, { 1, 1 }) end,
  CenterCropAug = function() return hl.image.CenterCropAug { 2, 2 } end,
  HorizontalFlipAug = function() return hl.image.HorizontalFlipAug(1) end,
  BrightnessJitterAug = function() return hl.image.BrightnessJitterAug(1) end,
  ContrastJitterAug = function() return hl.image.ContrastJitterAug(1) end,
  SaturationJitterAug = function() return hl.image.SaturationJitterAug(1) end,
  HueJitterAug = function() return hl.image.HueJitterAug(1) end,
  ColorJitterAug = function() return hl.image.ColorJitterAug(1, 1, 1) end,
  LightingAug = function() return hl.image.LightingAug(1, nd.ones { 3 }, nd.ones { 3, 3 }) end,
  RandomGrayAug = function() return hl.image.RandomGrayAug(1) end,
  SequentialAug = function() return hl.image.SequentialAug {} end,
  RandomOrderAug = function() return hl.image.RandomOrderAug {} end,
  DetBorrowAug = function() return hl.image.DetBorrowAug(hl.image.CastAug()) end,
  DetRandomSelectAug = function() return hl.image.DetRandomSelectAug {} end,
  DetHorizontalFlipAug = function() return hl.image.DetHorizontalFlipAug(1) end,
  IntervalSampler = function() return gluon.contrib.data.IntervalSampler(3, 1) end,
  ImageListDataset = function() return data.vision.ImageListDataset(".", {}) end,
  ZeroPad2D = function() return nn.ZeroPad2D(1) end,
  Estimator = function()
    return gluon.contrib.estimator.Estimator(nn.Dense(1, { in_units = 1 }), gluon.loss.L2Loss(),
      { trainer = trainer() })
  end,
  ValidationHandler = function() return gluon.contrib.estimator.ValidationHandler(nil, print) end,
  CheckpointHandler = function() return gluon.contrib.estimator.CheckpointHandler "/tmp" end,
  TrainingLogHandler = function() return gluon.contrib.estimator.TrainingLogHandler "run.csv" end,
  TrainingLog = function() return hl.log.TrainingLog("/dev/null", { format = "csv" }) end,
  EarlyStoppingHandler = function() return gluon.contrib.estimator.EarlyStoppingHandler(hl.metric.Accuracy()) end,
  TopKAccuracy = function() return hl.metric.TopKAccuracy(2) end,
  CustomMetric = function() return hl.metric.CustomMetric(function() return 1 end) end,
  Progress = function() return hl.progress(3) end,
  DataDesc = function() return hl.io.DataDesc("data", { 2 }) end,
  NDArrayIter = function() return hl.io.NDArrayIter(nd.ones { 2, 2 }) end,
  ResizeIter = function() return hl.io.ResizeIter(hl.io.NDArrayIter(nd.ones { 2, 2 }), 1) end,
  PrefetchingIter = function() return hl.io.PrefetchingIter(hl.io.NDArrayIter(nd.ones { 2, 2 })) end,
  CSVIter = function()
    local file = csv_file()
    local made = hl.io.CSVIter { data_csv = file, data_shape = { 3 }, batch_size = 1 }
    os.remove(file)
    return made
  end,
  MNISTIter = from_folder(function(folder)
    return hl.io.MNISTIter { image = folder .. "/train-images-idx3-ubyte", label = folder .. "/train-labels-idx1-ubyte",
                             batch_size = 1 }
  end),
  ImageRecordIter = function()
    return hl.io.ImageRecordIter { path_imgrec = "spec/oracle/records/pictures.rec", data_shape = { 3, 2, 2 },
                                   batch_size = 1 }
  end,
  Module = function() return hl.mod.Module(sym.var "data" * 2, { label_names = {} }) end,
  BucketingModule = function()
    return hl.mod.BucketingModule(function() return sym.var "data" * 2, { "data" }, {} end, 1)
  end,
  PythonModule = function() return hl.mod.PythonModule({ "data" }, {}, { "output" }) end,
  FeedForward = function() return hl.model.FeedForward(sym.var "data" * 2) end,
  Speedometer = function() return hl.callback.Speedometer(1) end,
  ProgressBar = function() return hl.callback.ProgressBar(1) end,
  Monitor = function() return hl.mon.Monitor(1) end,
  ImageRecordUInt8Iter = function()
    return hl.io.ImageRecordUInt8Iter { path_imgrec = "spec/oracle/records/pictures.rec", data_shape = { 3, 2, 2 },
                                        batch_size = 2, resize = 2 }
  end,
  DataLoaderIter = function()
    return hl.contrib.io.DataLoaderIter(data.DataLoader(data.ArrayDataset(nd.ones { 2, 1 }, nd.ones { 2 }), 2))
  end,
  Executor = function() return (sym.var "x" * 2):bind { args = { x = nd.ones { 1 } } } end,
  BucketSentenceIter = function() return hl.rnn.BucketSentenceIter({ { 1 } }, 1) end,
  FusedRNNCell = function() return hl.rnn.FusedRNNCell(1) end,
  BaseConvRNNCell = function() return hl.rnn.BaseConvRNNCell({ 2, 1, 3, 3 }, 2) end,
  ConvRNNCell = function() return hl.rnn.ConvRNNCell({ 2, 1, 3, 3 }, 2) end,
  ConvLSTMCell = function() return hl.rnn.ConvLSTMCell({ 2, 1, 3, 3 }, 2) end,
  ConvGRUCell = function() return hl.rnn.ConvGRUCell({ 2, 1, 3, 3 }, 2) end,
  WikiText2 = from_folder(function(folder) return texts.WikiText2 { root = folder, seq_len = 2 } end),
  WikiText103 = from_folder(function(folder) return texts.WikiText103 { root = folder, seq_len = 2 } end),
  CustomEmbedding = function() return embedding(hl.contrib.text.embedding.CustomEmbedding) end,
  CompositeEmbedding = function()
    local text = hl.contrib.text
    return text.embedding.CompositeEmbedding(text.vocab.Vocabulary(), embedding(text.embedding.CustomEmbedding))
  end,
  GloVe = false, FastText = false,                 -- files of hundreds of megabytes; the methods are CustomEmbedding's
}

conv_cells(MAKERS)

-- Two classes with the same name are keyed by their paths.
MAKERS["hl.gluon.Constant"] = function() return gluon.Constant("c", { 1 }) end
MAKERS["hl.init.Constant"] = function() return hl.init.Constant(1) end

-- Instances of classes that no module exports.
local HIDDEN = {
  ["Dataset part"] = function() return dataset():take(1) end,
  ["Dataset transformed"] = function() return dataset():transform(print) end,
  ["Dataset transformed first"] = function() return dataset():transform_first(print) end,
  ["compiled function"] = function() return hl.compile(function(_, x) return x end) end,
}

-- ---- Functions that need or accept special arguments ------------------------------------------------------

-- Functions that read arguments in their own way, with valid arguments up to the last.
faces.needed = {
  ["hl.gluon.model_zoo.vision.get_model"] = function() return "alexnet" end,
  ["hl.gluon.Trainer"] = function() return { gluon.Parameter("w", { shape = { 1 } }) }, "sgd", {} end,
  ["hl.init.Load"] = function() return {} end,
  ["hl.init.create"] = function() return "xavier" end,
  ["hl.optimizer.create"] = function() return "sgd" end,
  ["hl.metric.create"] = function() return "acc" end,
  ["TrainingLog:add"] = function() return { loss = 1 } end,
  ["EvalMetric:update_dict"] = function() return {}, {} end,
  ["ReduceLROnPlateau:load_state"] = function() return {} end,
  ["hl.image.CreateAugmenter"] = function() return { 3, 4, 4 } end,
  ["hl.image.CreateDetAugmenter"] = function() return { 3, 4, 4 } end,
  ["hl.image.ImageIter"] = function() return 1, { 3, 4, 4 } end,
  ["hl.image.ImageDetIter"] = function() return 1, { 3, 4, 4 } end,
  ["hl.vjp"] = function() return print end,
  ["BaseModule:forward_backward"] = function() return {} end,
  ["BaseModule:set_params"] = function() return {}, {} end,
  ["Module:set_params"] = function() return {}, {} end,
  ["KVStore:set_gradient_compression"] = function() return {} end,
  ["BaseModule:prepare"] = function() return {} end,
  ["BucketingModule:prepare"] = function() return {} end,
  ["hl.metric.check_label_shapes"] = function() return { 1 }, { 1 } end,
  ["hl.visualization.graph"] = function() return hl.compile(function(_, x) return x * 2 end), nd.ones { 1 } end,
  ["hl.visualization.print_summary"] = function() return sym.var "x" * 2, { x = { 1 } }, 100 end,
}

for _, face in ipairs { "nd", "sym" } do
  local function one() return hl[face] == nd and nd.ones { 2 } or sym.var "x" end
  for _, name in ipairs { "atleast_1d", "atleast_2d", "atleast_3d", "column_stack", "dstack", "hstack", "vstack",
      "meshgrid" } do
    faces.needed[("hl.%s.%s"):format(face, name)] = one
  end
  faces.needed[("hl.%s.einsum"):format(face)] = function() return "i->i", one() end
end

for _, name in ipairs { "Optimizer:set_lr_mult", "Optimizer:set_wd_mult" } do
  faces.needed[name] = function() return {} end
end

local INPUTS = "its arguments are the script's inputs; tables among them are nested inputs"
local PROTOCOL = "the library calls it; scripts define it"

local ANY_FUNCTION = "its arguments are those of the function that it calls"

local NO_STATES = "it passes options on to func, which is never called without states"
local BY_NAME = "its keys are the names of arrays or words"
local STATIC = "it is a function of the class, called with a dot"
local OPERATORS = "its options are those of the operator"

faces.exceptions = {
  ["hl.type"] = "it accepts any value", ["hl.isinstance"] = "it accepts any value",
  ["hl.gluon.data.dataloader.default_batchify_fn"] = PROTOCOL,
  ["hl.gluon.data.dataloader.default_mp_batchify_fn"] = PROTOCOL,
  ["hl.executor.Executor"] = "sym:bind makes it", ["hl.test_utils.check_speed"] = "its options are shapes by name",
  ["Optimizer:create_optimizer"] = STATIC, ["Optimizer:register"] = STATIC, ["DataDesc:get_list"] = STATIC,
  ["hl.io.LibSVMIter"] = "it rejects all arguments",
  ["HybridBlock:optimize_for"] = "it rejects all arguments", ["HybridBlock:infer_type"] = INPUTS,
  ["hl.test_utils.assert_exception"] = ANY_FUNCTION,
  ["hl.image.Augmenter"] = "its keys are the script's own", ["hl.image.DetAugmenter"] = "its keys are the script's own",
  ["hl.options"] = "its keys are the script's own",
  ["RecurrentCell:begin_state"] = NO_STATES, ["SequentialRNNCell:begin_state"] = NO_STATES,
  ["HybridSequentialRNNCell:begin_state"] = NO_STATES, ["BaseRNNCell:begin_state"] = NO_STATES,
  ["BaseRNNCell:pack_weights"] = BY_NAME, ["BaseRNNCell:unpack_weights"] = BY_NAME,
  ["FusedRNNCell:pack_weights"] = BY_NAME, ["FusedRNNCell:unpack_weights"] = BY_NAME,
  ["SequentialRNNCell:pack_weights"] = BY_NAME, ["SequentialRNNCell:unpack_weights"] = BY_NAME,
  ["hl.contrib.text.vocab.Vocabulary"] = BY_NAME, ["hl.gluon.functional_call"] = INPUTS,
  ["hl.nd.Custom"] = OPERATORS, ["hl.sym.Custom"] = OPERATORS, ["hl.operator.Custom"] = OPERATORS,
  ["hl.contrib.text.embedding.create"] = "it passes options on to the class",
}

-- Methods that are left out in all classes, by name, with the reason.
faces.free = {
  forward = INPUTS, hybrid_forward = INPUTS, call = INPUTS, run = INPUTS, with_hooks = INPUTS, call_compiled = INPUTS,
  infer_shape = INPUTS, compiled_for = INPUTS, trace_for = INPUTS, check_child = PROTOCOL, summary = INPUTS,
  flops = INPUTS, set_field = PROTOCOL, missing_field = PROTOCOL, alias = PROTOCOL,
  given_prefix = PROTOCOL,
  get = PROTOCOL, fill = PROTOCOL, rate = PROTOCOL, shape = PROTOCOL, update_pair = PROTOCOL, value = PROTOCOL,
  check = PROTOCOL, create_state = PROTOCOL, create_state_multi_precision = PROTOCOL, update_multi_precision = PROTOCOL,
  step = PROTOCOL, zeros = PROTOCOL, set_numbers = PROTOCOL, update_all = PROTOCOL, save_for_backward = INPUTS,
  backward = PROTOCOL, misfit = PROTOCOL, load_init = PROTOCOL, load_dict = PROTOCOL,
  postfix = "its keys are the script's own", default_batchify_fn = PROTOCOL, is_block = "it accepts any value",
  train_begin = PROTOCOL, train_end = PROTOCOL, epoch_begin = PROTOCOL, epoch_end = PROTOCOL,
  batch_begin = PROTOCOL, batch_end = PROTOCOL, augment = PROTOCOL, text_of_shape = PROTOCOL, known = PROTOCOL,
    reader = PROTOCOL,
}

-- ---- Walking ----------------------------------------------------------------------------------------------

local function is_free(name, instance)
  return faces.free[name] or name == "update" and class.is_a(instance, hl.optimizer.Optimizer)
end

local function is_class(x)
  return type(x) == "table" and rawget(x, "__name__") ~= nil and rawget(x, "subclass") ~= nil
end

local function public_keys(t)
  local keys = {}
  for key in pairs(t) do if type(key) == "string" and key:sub(1, 1) ~= "_" then keys[#keys + 1] = key end end
  table.sort(keys)
  return keys
end

-- The methods of a class and its bases, by name, each with its class.
local function methods_of(cls)
  local methods = {}
  while cls do
    for _, name in ipairs(public_keys(class.members(cls))) do
      local method = rawget(class.members(cls), name)
      if type(method) == "function" and not methods[name] and name ~= "init" then methods[name] = { method, cls } end
    end
    cls = rawget(cls, "__base")
  end
  return methods
end

local function add(all, name, fn, self, method)
  all.entries[#all.entries + 1] = { name = name, fn = fn, self = self, method = method }
end

-- Adds the methods of an instance, except those already added with a base class.
local function add_instance(all, of, instance)
  for name, found in pairs(methods_of(class.of(instance))) do
    local method, cls = found[1], found[2]
    local full = ("%s:%s"):format(cls.__name__, name)
    if not all.met[method] and name ~= "subclass" and not is_free(name, instance) then
      all.met[method] = true
      add(all, full, method, instance, true)
    end
  end
  all.instances[of] = instance
end

local function add_class(all, path, cls)
  add(all, path, cls)
  add(all, path .. ":subclass", cls.subclass, cls, true)
  local make = MAKERS[path]
  if make == nil then make = MAKERS[cls.__name__] end
  if make == false then return end
  local ok, instance = pcall(make or cls)
  if not ok then all.without_maker[#all.without_maker + 1] = ("%s: %s"):format(path, instance) return end
  add_instance(all, path, instance)
end

local function walk(all, path, module)
  if all.met[module] then return end
  all.met[module] = true
  for _, key in ipairs(public_keys(module)) do
    local value, name = module[key], path .. "." .. key
    if type(value) == "function" then add(all, name, value)
    elseif is_class(value) then
      if not all.met[value] then
        all.met[value] = true
        add_class(all, name, value)
      end
    elseif type(value) == "table" and not core.context.is(value) then walk(all, name, value) end
  end
end

local function add_methods(all, name, methods, self)
  for _, key in ipairs(public_keys(methods)) do
    if type(methods[key]) == "function" then add(all, name .. ":" .. key, methods[key], self, true) end
  end
end

--- All callables: `entries`, a list of { name =, fn =, self =, method = }, and `without_maker`, the classes that could
-- not be instantiated, with the errors.
function faces.list()
  local all = { entries = {}, without_maker = {}, instances = {}, met = {} }
  all.met[nd.NULL] = true
  walk(all, "hl.metric", hl.metric)                      -- gluon.metric is the same module
  walk(all, "hl", hl)
  for name, make in pairs(HIDDEN) do add_instance(all, name, make()) end
  add_methods(all, "NDArray", core.array.methods, nd.ones { 2, 2 })
  add_methods(all, "Symbol", core.symbol.methods, sym.var "x")
  return all
end

return faces
