-- test_utils/data_files.lua - MXNet's examples' data from local files. Nothing is downloaded: see gluon.utils.download
-- for the places where files are looked for, and for a hook that fetches them.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local downloads = require "hybridlua.gluon.utils.download"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"

local data_files = {}

--- download(url, fname = nil, dirname = nil, overwrite = false, retries = 5): the path of the file of this address, in
-- the folder dirname, by the name fname or the address's last part. Errors: like gluon.utils.download's.
function data_files.download(url, fname, dirname, overwrite, retries)
  checks.string("download: url", url)
  if retries ~= nil then checks.whole("download: retries", retries, 0) end
  local path = fname and checks.string("download: fname", fname) or folders.last_part(url)
  if dirname and dirname ~= "" then path = checks.string("download: dirname", dirname):gsub("/+$", "") .. "/" ..
    path end
  if folders.last_part(path) == "" then fail("download: fname: expected a file's name for '%s', got none", url) end
  return downloads.to("download", url, folders.expanded(path), overwrite)
end

-- ---- Trained models -----------------------------------------------------------------------------------------------

-- MXNet's models by their names: the folder at data.mxnet.io/models, and the names of the two files.
local MODELS = {
  ["imagenet1k-inception-bn"] = { "imagenet/inception-bn/Inception-BN", 126 },
  ["imagenet1k-resnext-101-64x4d"] = { "imagenet/resnext/101-layers/resnext-101-64x4d", 0 },
  ["imagenet11k-resnet-152"] = { "imagenet-11k/resnet-152/resnet-152", 0 },
  ["imagenet11k-place365ch-resnet-152"] = { "imagenet-11k-place365-ch/resnet-152", 0 },
  ["imagenet11k-place365ch-resnet-50"] = { "imagenet-11k-place365-ch/resnet-50", 0 },
}
for layers in ("18 34 50 101 152"):gmatch "%d+" do
  MODELS["imagenet1k-resnet-" .. layers] = { ("imagenet/resnet/%s-layers/resnet-%s"):format(layers, layers), 0 }
end
for layers in ("50 101"):gmatch "%d+" do
  MODELS["imagenet1k-resnext-" .. layers] = { ("imagenet/resnext/%s-layers/resnext-%s"):format(layers, layers), 0 }
end

--- download_model(model_name, dst_dir = "./", meta_info = nil): the files dst_dir/model_name-symbol.json and
-- dst_dir/model_name-0000.params of a trained network. meta_info: a table { symbol = url, params = url } by name, in
-- place of MXNet's own. Returns dst_dir/model_name and 0, for model.load_checkpoint; nil and 0 for an unknown name.
-- Errors: like gluon.utils.download's.
function data_files.download_model(model_name, dst_dir, meta_info)
  checks.string("download_model: model_name", model_name)
  local known = MODELS[model_name]
  local urls = known and { symbol = ("http://data.mxnet.io/models/%s-symbol.json"):format(known[1]),
    params = ("http://data.mxnet.io/models/%s-%04d.params"):format(known[1], known[2]) }
  if meta_info then urls = meta_info[model_name] end
  if not urls then return nil, 0 end
  if type(urls) ~= "table" or not urls.symbol or not urls.params then
    fail "download_model: meta_info: expected tables { symbol = url, params = url } by name"
  end
  local prefix = ("%s/%s"):format(((dst_dir or "."):gsub("/+$", "")), model_name)
  data_files.download(urls.symbol, prefix .. "-symbol.json")
  data_files.download(urls.params, prefix .. "-0000.params")
  return prefix, 0
end

-- ---- MNIST --------------------------------------------------------------------------------------------------------

local IMAGES, LABELS = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
local TEST_IMAGES, TEST_LABELS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"
local MNIST_URL = "http://data.mxnet.io/data/mnist/"

local function mnist_folders()
  local home = os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet"
  return { ".", "data", home .. "/datasets/mnist", os.getenv "HYBRIDLUA_DATA" }
end

-- The path of one of MNIST's files, plain or gzipped.
local function mnist_file(name)
  for _, folder in ipairs(mnist_folders()) do
    for _, ending in ipairs { "", ".gz" } do
      local path = ("%s/%s%s"):format(folder, name, ending)
      if core.file.exists(path) then return path end
    end
  end
  return data_files.download(MNIST_URL .. name .. ".gz")
end

local function read_mnist(image_name, label_name)
  local images, labels = core.file.read_idx(mnist_file(image_name)), core.file.read_idx(mnist_file(label_name))
  local shape = images.shape
  return images:reshape({ shape[1], 1, shape[2], shape[3] }):astype "float32" / 255, labels:astype "int8"
end

--- get_mnist(): MNIST's arrays, as a table: train_data and test_data, float32 (n, 1, 28, 28) from 0 to 1, and
-- train_label and test_label, int8. The four files are read from the current folder, `data` or
-- ~/.mxnet/datasets/mnist, plain or with .gz. Errors: a missing file.
function data_files.get_mnist()
  local mnist = {}
  mnist.train_data, mnist.train_label = read_mnist(IMAGES, LABELS)
  mnist.test_data, mnist.test_label = read_mnist(TEST_IMAGES, TEST_LABELS)
  return mnist
end

local function all_in(folder, names)
  for _, name in ipairs(names) do
    if not core.file.exists(folder .. "/" .. name) then return false end
  end
  return true
end

-- Unpacks a zip archive by the program unzip.
local function unpack(who, archive, folder)
  if not folders.run("unzip -oq %s -d %s 2>/dev/null", archive, folder) then
    fail("%s: '%s' cannot be unpacked by the program unzip; unpack it into '%s' yourself", who, archive, folder)
  end
end

local function archived(who, url, names)
  if all_in("data", names) then return end
  unpack(who, data_files.download(url, { dirname = "data" }), "data")
  if not all_in("data", names) then fail("%s: %s has not the files %s", who, url, table.concat(names, ", ")) end
end

--- get_mnist_ubyte(): makes sure that MNIST's four files are in the folder `data`, plain, or unpacks
-- data/mnist.zip by the program unzip. Errors: neither.
function data_files.get_mnist_ubyte()
  archived("get_mnist_ubyte", "http://data.mxnet.io/mxnet/data/mnist.zip", { IMAGES, LABELS, TEST_IMAGES, TEST_LABELS })
end

--- get_cifar10(): makes sure that data/cifar has train.rec, test.rec, train.lst and test.lst, or unpacks
-- data/cifar10.zip by the program unzip. Errors: neither.
function data_files.get_cifar10()
  archived("get_cifar10", "http://data.mxnet.io/mxnet/data/cifar10.zip",
    { "cifar/train.rec", "cifar/test.rec", "cifar/train.lst", "cifar/test.lst" })
end

--- get_zip_data(data_dir, url, data_origin_name): unpacks the archive data_origin_name of this address in the folder
-- data_dir by the program unzip, unless the archive exists.
function data_files.get_zip_data(data_dir, url, data_origin_name)
  checks.string("get_zip_data: data_dir", data_dir)
  local archive = data_dir .. "/" .. checks.string("get_zip_data: data_origin_name", data_origin_name)
  if core.file.exists(archive) then return end
  data_files.download(url, { dirname = data_dir })
  unpack("get_zip_data", archive, data_dir)
end

--- get_mnist_iterator(batch_size, input_shape, num_parts = 1, part_index = 0): hl.io.MNISTIters of the training data,
-- shuffled, and of the test data, from the folder `data`. input_shape: {784}, or {1, 28, 28} for images.
function data_files.get_mnist_iterator(batch_size, input_shape, num_parts, part_index)
  checks.whole("get_mnist_iterator: batch_size", batch_size, 1)
  if type(input_shape) ~= "table" then
    fail("get_mnist_iterator: input_shape: expected a shape, got %s", type(input_shape))
  end
  data_files.get_mnist_ubyte()
  local io = require("hybridlua").io
  local function iterator(images, labels, shuffle)
    return io.MNISTIter { image = "data/" .. images, label = "data/" .. labels, batch_size = batch_size,
      input_shape = input_shape, shuffle = shuffle, flat = #input_shape ~= 3, num_parts = num_parts or 1,
      part_index = part_index or 0 }
  end
  return iterator(IMAGES, LABELS, true), iterator(TEST_IMAGES, TEST_LABELS, false)
end

arguments.functions(data_files, "test_utils.", {
  download = "url fname dirname overwrite retries",
  download_model = "model_name dst_dir meta_info{}", get_mnist = "", get_mnist_ubyte = "", get_cifar10 = "",
  get_zip_data = "data_dir url data_origin_name",
  get_mnist_iterator = "batch_size input_shape{} num_parts part_index",
})

return data_files
