-- data/vision - image datasets: MNIST and FashionMNIST, CIFAR10 and CIFAR100, Digits, images in folders and in record
-- files; transforms. Images are uint8 arrays (height, width, channels), labels int32. Nothing is downloaded.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local python = require "hybridlua.language.python_text"
local cifar = require "hybridlua.gluon.data.vision.cifar"
local Images = require "hybridlua.gluon.data.vision.images"
local nd = core.op.nd

local vision = { CIFAR10 = cifar.CIFAR10, CIFAR100 = cifar.CIFAR100,
                 ImageFolderDataset = require "hybridlua.gluon.data.vision.folder",
                 ImageListDataset = require "hybridlua.gluon.data.vision.image_list",
                 ImageRecordDataset = require "hybridlua.gluon.data.vision.image_records" }

-- ---- MNIST ----------------------------------------------------------------------------------------------

local FILES = {
  [true] = { "train-images-idx3-ubyte", "train-labels-idx1-ubyte" },
  [false] = { "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" },
}

-- MXNet's default folder for a dataset: the first of these names whose files exist, else the first name.
local function default_root(names)
  local home = os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet"
  for _, name in ipairs(names) do
    local root = ("%s/datasets/%s"):format(home, name)
    for _, file in ipairs(FILES[true]) do
      if core.file.exists(root .. "/" .. file) or core.file.exists(root .. "/" .. file .. ".gz") then return root end
    end
  end
  return ("%s/datasets/%s"):format(home, names[1])
end

-- Reads the idx file of this name in a folder, plain or gzipped.
local function read_idx(what, root, name)
  for _, ending in ipairs { "", ".gz" } do
    local file = ("%s/%s%s"):format(root, name, ending)
    if core.file.exists(file) then return core.file.read_idx(file) end
  end
  fail("%s: '%s' is not in '%s'. Put the four files train-images-idx3-ubyte, train-labels-idx1-ubyte, " ..
    "t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte there, plain or with .gz, or give another folder as root; " ..
    "nothing is downloaded.", what, name, root)
end

local function define_mnist(name, ...)
  local folders_ = { ... }
  local cls = Images:subclass(name)
  local read = arguments.new(name, { "root", "train", "transform" }, { train = true })
  function cls:init(...)
    local options = Images._check(name, read(...))
    local root, files = options.root or default_root(folders_), FILES[options.train]
    local data, label = read_idx(name, root, files[1]), read_idx(name, root, files[2])
    if data.ndim ~= 3 or label.ndim ~= 1 or #data ~= #label then
      fail("%s: expected images and the same number of labels in '%s', got shapes %s and %s", name, root,
           python.tuple(data.shape), python.tuple(label.shape))
    end
    local shape = data.shape
    self:fill(data:reshape { shape[1], shape[2], shape[3], 1 }, label:astype "int32", options.transform)
  end
  vision[name] = cls
end

--- MNIST{root = "~/.mxnet/datasets/mnist", train = true, transform = nil}: 60,000 or 10,000 images (28, 28, 1) of
-- digits. Errors: a missing file, with its name.
define_mnist("MNIST", "mnist")

--- FashionMNIST: images of clothes in MNIST's format, from "~/.mxnet/datasets/fashion-mnist" (or "fashionmnist").
define_mnist("FashionMNIST", "fashion-mnist", "fashionmnist")

-- ---- Digits ---------------------------------------------------------------------------------------------

local DIGITS = "digits.csv.gz"

-- The folders to search for data files that come with hybridlua: HYBRIDLUA_DATA; beside the script; and, for the
-- program and the module, the source folder, a built copy of it, or make install's PREFIX.
local function folders()
  local script = arg and arg[0] and (arg[0]:match "^(.*/)" or "./") or "./"
  local list, seen = { os.getenv "HYBRIDLUA_DATA" }, {}
  local function add(folder)
    if not seen[folder] then list[#list + 1] = folder end
    seen[folder] = true
  end
  for _, folder in ipairs { "data", "examples/data", "../examples/data" } do add(script .. folder) end
  add "examples/data"
  for _, own in ipairs(core.host.own_folders()) do
    add(own .. "/data")
    while own ~= "" do
      add(own .. "/examples/data")
      add(own .. "/share/hybridlua/data")
      own = own:match "^(.*)/[^/]*$" or ""
    end
  end
  add "/usr/local/share/hybridlua/data"
  add "/usr/share/hybridlua/data"
  return list
end

local function find_digits()
  local list = folders()
  for _, folder in ipairs(list) do
    local file = folder .. "/" .. DIGITS
    if core.file.exists(file) then return file end
  end
  fail("Digits: %s was not found; say where it is by Digits{file = ...} or the environment variable HYBRIDLUA_DATA " ..
    "(looked in: %s)", DIGITS, table.concat(list, ", "))
end

local EVERY = 5

-- The indices of the rows for training, or for testing: every fifth row of each digit.
local function split(labels, train)
  local seen, places = {}, {}
  for i, label in ipairs(labels) do
    seen[label] = (seen[label] or 0) + 1
    if (seen[label] % EVERY ~= 0) == train then places[#places + 1] = i - 1 end
  end
  return nd.array(places, { dtype = "int64" })
end

--- Digits{train = true, transform = nil, file = nil, raw = false}: 1,797 images (8, 8, 1) of handwritten digits, which
-- come with hybridlua (UCI Machine Learning Repository, "Optical recognition of handwritten digits", CC BY 4.0). Every
-- fifth image of each digit is in the test set (355), the others in the training set (1,442). Values from 0 to 16 are
-- scaled to 0 to 255, unless raw.
vision.Digits = Images:subclass "Digits"

local read_digits = arguments.new("Digits", { "train", "transform", "file", "raw" }, { train = true, raw = false })

function vision.Digits:init(...)
  local options = Images._check("Digits", read_digits(...))
  checks.boolean("Digits: raw", options.raw)
  local rows = core.file.read_csv(options.file or find_digits())
  local labels = rows[":, 64:65"]:reshape({ -1 }):astype "int32"
  local places = split(labels:totable(), options.train)
  local images = nd.take(rows[":, 0:64"], places, { axis = 0 }):reshape { -1, 8, 8, 1 }
  if not options.raw then images = (images * (255 / 16)):round() end
  self:fill(images:astype "uint8", nd.take(labels, places, { axis = 0 }), options.transform)
end

return module(vision, "hybridlua.gluon.data.vision", { transforms = "hybridlua.gluon.data.vision.transforms" })
