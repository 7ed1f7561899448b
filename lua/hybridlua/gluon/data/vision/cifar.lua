-- data/vision/cifar.lua - CIFAR-10 and CIFAR-100: small colour images, from the files of the binary version. A record
-- is one byte per label and 3,072 bytes for an image (channels, height, width).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local Images = require "hybridlua.gluon.data.vision.images"

local nd = core.op.nd
local cifar = {}

local PIXELS = 3 * 32 * 32

local function default_root(name)
  return ("%s/datasets/%s"):format(os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet", name)
end

-- The path of a file in `root`, or in the archive's folder inside it.
local function path_of(what, root, inner, name, archive)
  for _, folder in ipairs { root, root .. "/" .. inner } do
    local path = folder .. "/" .. name
    if core.file.exists(path) then return path end
  end
  fail("%s: '%s' is not in '%s'. Put the files of %s (https://www.cs.toronto.edu/~kriz/cifar.html) there, or set " ..
    "root to another folder; nothing is downloaded.", what, name, root, archive)
end

-- The records of a file as an array (records, labels + PIXELS).
local function read_records(what, path, labels)
  local file <close> = io.open(path, "rb")
  local bytes = file and file:read "a"
  if not bytes then fail("%s: '%s' cannot be read", what, path) end
  local size = labels + PIXELS
  if #bytes == 0 or #bytes % size ~= 0 then
    fail("%s: '%s': expected records of %d bytes, got %d bytes", what, path, size, #bytes)
  end
  return nd.from_bytes(bytes, { #bytes // size, size }, "uint8")
end

-- The images (n, 32, 32, 3) of all these files, and the labels at position `place` of each record.
local function read_all(what, paths, labels, place)
  local parts = {}
  for i, path in ipairs(paths) do parts[i] = read_records(what, path, labels) end
  local records = #parts == 1 and parts[1] or nd.concat(parts, { dim = 0 })
  local pixels = nd.slice_axis(records, { axis = 1, begin = labels, ["end"] = labels + PIXELS })
  return nd.transpose(pixels:reshape { -1, 3, 32, 32 }, { axes = { 0, 2, 3, 1 } }),
    nd.slice_axis(records, { axis = 1, begin = place, ["end"] = place + 1 }):reshape { -1 }:astype "int32"
end

local function fill(self, what, spec, options, place)
  Images._check(what, options)
  local root, paths = options.root or default_root(spec.folder), {}
  for i, name in ipairs(spec[options.train]) do paths[i] = path_of(what, root, spec.inner, name, spec.archive) end
  local data, label = read_all(what, paths, spec.labels, place)
  self:fill(data, label, options.transform)
end

--- CIFAR10{root = "~/.mxnet/datasets/cifar10", train = true, transform = nil}: 50,000 or 10,000 images (32, 32, 3) of
-- 10 classes, from data_batch_1.bin to data_batch_5.bin or test_batch.bin. Errors: a missing file, with its name.
-- A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009.
cifar.CIFAR10 = Images:subclass "CIFAR10"

local TEN = { folder = "cifar10", inner = "cifar-10-batches-bin", archive = "cifar-10-binary.tar.gz", labels = 1,
              [true] = { "data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                         "data_batch_5.bin" },
              [false] = { "test_batch.bin" } }

local read_ten = arguments.new("CIFAR10", { "root", "train", "transform" }, { train = true })

function cifar.CIFAR10:init(...) fill(self, "CIFAR10", TEN, read_ten(...), 0) end

--- CIFAR100{root = "~/.mxnet/datasets/cifar100", fine_label = false, train = true, transform = nil}: 50,000 or 10,000
-- images (32, 32, 3) of 20 classes or, with fine_label, of 100, from train.bin or test.bin.
cifar.CIFAR100 = Images:subclass "CIFAR100"

local HUNDRED = { folder = "cifar100", inner = "cifar-100-binary", archive = "cifar-100-binary.tar.gz", labels = 2,
                  [true] = { "train.bin" }, [false] = { "test.bin" } }

local read_hundred = arguments.new("CIFAR100", { "root", "fine_label", "train", "transform" },
                                   { fine_label = false, train = true })

function cifar.CIFAR100:init(...)
  local options = read_hundred(...)
  checks.boolean("CIFAR100: fine_label", options.fine_label)
  fill(self, "CIFAR100", HUNDRED, options, options.fine_label and 1 or 0)
end

return cifar
