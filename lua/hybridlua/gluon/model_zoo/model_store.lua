-- model_store.lua - finds the files with the parameters of trained networks. File names are MXNet 1.9.1's: the model's
-- name and the first eight digits of the SHA-1 of its authors' file.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local module = require "hybridlua.language.module"
local nearest = require "hybridlua.language.nearest_name"

local model_store = {}

local HASHES = {
  alexnet = "44335d1f", densenet121 = "f27dbf2d", densenet161 = "b6c8a957", densenet169 = "2603f878",
  densenet201 = "1cdbc116", inceptionv3 = "ed47ec45", ["mobilenet0.25"] = "9f83e440", ["mobilenet0.5"] = "8e9d539c",
  ["mobilenet0.75"] = "529b2c7f", ["mobilenet1.0"] = "6b8c5106", ["mobilenetv2_1.0"] = "36da4ff1",
  ["mobilenetv2_0.75"] = "e2be7b72", ["mobilenetv2_0.5"] = "aabd26cd", ["mobilenetv2_0.25"] = "ae8f9392",
  resnet18_v1 = "a0666292", resnet34_v1 = "48216ba9", resnet50_v1 = "0aee57f9", resnet101_v1 = "d988c13d",
  resnet152_v1 = "671c637a", resnet18_v2 = "a81db45f", resnet34_v2 = "9d6b80bb", resnet50_v2 = "ecdde353",
  resnet101_v2 = "18e93e4f", resnet152_v2 = "f2695542", ["squeezenet1.0"] = "264ba497",
  ["squeezenet1.1"] = "33ba0f93", vgg11 = "dd221b16", vgg11_bn = "ee79a809", vgg13 = "6bc5de58",
  vgg13_bn = "7d97a06c", vgg16 = "e660d456", vgg16_bn = "7f01cf05", vgg19 = "ad2f660d", vgg19_bn = "f360b758",
}

local function default_root() return (os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet") .. "/models" end

-- MXNet's private table: programs add the hashes of their own models by _model_sha1.update{name = sha1}. Its entries
-- take precedence.
model_store._model_sha1 = {}
function model_store._model_sha1.update(hashes)
  for name, sha1 in pairs(hashes) do model_store._model_sha1[name] = sha1 end
end
class.module(model_store._model_sha1, "_model_sha1")

local read_hash = arguments.new("short_hash", { "name" })

--- short_hash(name): the eight digits in the name of a model's file. Errors: a model without a file in MXNet.
function model_store.short_hash(...)
  local name = read_hash(...).name
  local own = model_store._model_sha1[name]
  if type(own) == "string" then return own:sub(1, 8) end
  return HASHES[name] or
    fail("Pretrained model for %s is not available%s", tostring(name), nearest.hint(tostring(name), HASHES))
end

local read_file = arguments.new("get_model_file", { "name", "root" })

--- get_model_file(name, {root = "~/.mxnet/models"}): the path of the file with a trained model's parameters, such as
-- ~/.mxnet/models/resnet18_v1-a0666292.params ($MXNET_HOME/models if that variable is set). Nothing is downloaded, and
-- the hash is not checked. Errors: a missing file.
function model_store.get_model_file(...)
  local options = read_file(...)
  local file = ("%s-%s.params"):format(options.name, model_store.short_hash(options.name))
  local root = options.root or default_root()
  if type(root) ~= "string" then fail("get_model_file: root: expected a string, got %s", type(root)) end
  root = root:gsub("^~", os.getenv "HOME" or "~"):gsub("/+$", "")
  local path = root .. "/" .. file
  if core.file.exists(path) then return path end
  fail("get_model_file: '%s' is not in '%s'. Put MXNet's file of that name there, or set root to another folder; " ..
    "nothing is downloaded. MXNet 1.9.1 gets '%s' from " ..
    "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/gluon/models/%s.zip", file, root, options.name,
    file:gsub("%.params$", ""))
end

local read_purge = arguments.new("purge", { "root" })

--- purge(root = "~/.mxnet/models"): removes the files with parameters, *.params, from the folder.
function model_store.purge(...)
  local root = folders.expanded(read_purge(...).root or default_root())
  for _, name in ipairs(folders.names(root) or {}) do
    if name:find "%.params$" then os.remove(root .. "/" .. name) end
  end
end

return module(model_store, "hybridlua.gluon.model_zoo.model_store")
