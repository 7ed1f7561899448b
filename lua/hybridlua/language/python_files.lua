-- python_files.lua - MXNet's Python files, from which programs take names too: module.base_module.BaseModule,
-- gluon.rnn.rnn_cell.LSTMCell, nd.ndarray.NDArray. Each of these names is the module itself, which has all the names.
-- They are looked up only for missing names, so pairs and completion do not list them.
local FILES = {
  ["nd"] = "ndarray op utils _internal gen_op gen__internal",
  ["nd.contrib"] = "gen_contrib", ["nd.linalg"] = "gen_linalg", ["nd.random"] = "gen_random",
  ["sym"] = "symbol op _internal gen_op gen__internal",
  ["sym.contrib"] = "gen_contrib", ["sym.linalg"] = "gen_linalg", ["sym.random"] = "gen_random",
  ["contrib.text"] = "_constants",
  ["gluon"] = "block trainer",
  ["gluon.contrib.cnn"] = "conv_layers",
  ["gluon.contrib.data"] = "sampler",
  ["gluon.contrib.estimator"] = "batch_processor estimator event_handler utils",
  ["gluon.contrib.nn"] = "basic_layers",
  ["gluon.contrib.rnn"] = "conv_rnn_cell rnn_cell",
  ["gluon.data"] = "dataset sampler",
  ["gluon.data.vision"] = "datasets",
  ["gluon.model_zoo.vision"] = "densenet inception mobilenet resnet squeezenet vgg",
  ["gluon.nn"] = "activations basic_layers conv_layers",
  ["gluon.rnn"] = "rnn_cell rnn_layer",
  ["image"] = "image detection",
  ["io"] = "io utils",
  ["kvstore"] = "base kvstore",
  ["module"] = "base_module bucketing_module executor_group module python_module sequential_module",
  ["optimizer"] = "optimizer",
  ["rnn"] = "io rnn rnn_cell",
}

local python_files = {}

--- Whether MXNet's package of this path (without "hybridlua.") has a file of this name.
function python_files.has(path, name)
  local files = FILES[path]
  return files ~= nil and type(name) == "string" and (" %s "):format(files):find(" " .. name .. " ", 1, true) ~= nil
end

return python_files
