-- contrib/io.lua - hl.contrib.io.DataLoaderIter: the batches of a gluon.data.DataLoader for a Module.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local DataDesc = require "hybridlua.io.batches".DataDesc
local DataIter = require "hybridlua.io.data_iter".DataIter
local DataLoader = require "hybridlua.gluon.data.dataloader"

local nd = core.op.nd

local DataLoaderIter = DataIter:subclass "DataLoaderIter"

local read = arguments.new("DataLoaderIter", "loader data_name label_name dtype",
  { data_name = "data", label_name = "softmax_label", dtype = "float32" })

--- DataLoaderIter(loader, {data_name = "data", label_name = "softmax_label", dtype = "float32"}): an iterator over the
-- batches {data, label} of a DataLoader, as arrays of dtype. A smaller last batch is filled with its own first samples;
-- batch.pad is their number. Errors: a loader without batches, or with batches of other than two arrays.
function DataLoaderIter:init(...)
  local o = read(...)
  self._loader = checks.instance("DataLoaderIter: loader", o.loader, DataLoader, "a DataLoader")
  self.dtype = o.dtype
  local data, label = self._loader:batches()()
  if data == nil or label == nil then
    fail("DataLoaderIter: loader: expected batches of data and labels, got %s", data and "data only" or "no batch")
  end
  DataIter.init(self, data.shape[1])
  self.provide_data = { DataDesc(checks.string("DataLoaderIter: data_name", o.data_name), data.shape,
    { dtype = o.dtype }) }
  self.provide_label = { DataDesc(checks.string("DataLoaderIter: label_name", o.label_name), label.shape,
    { dtype = o.dtype }) }
  self:reset()
end

--- Begins a new pass of the loader.
function DataLoaderIter:reset()
  if self._batches then getmetatable(self._batches).__close(self._batches) end
  self._batches, self._data = self._loader:batches(), nil
end

function DataLoaderIter:iter_next()
  self._data, self._label = self._batches()
  return self._data ~= nil
end

-- x with batch_size samples; after its own come its first ones again.
local function filled(self, x)
  local missing = self:getpad()
  x = x:astype(self.dtype)
  if missing == 0 then return x end
  local parts = { x }
  while missing > 0 do
    local n = math.min(missing, x.shape[1])
    parts[#parts + 1] = x[{ { 0, n } }]
    missing = missing - n
  end
  return nd.concat(parts, { dim = 0 })
end

function DataLoaderIter:getdata() return { filled(self, self._data) } end
function DataLoaderIter:getlabel() return { filled(self, self._label) } end
function DataLoaderIter:getpad() return self.batch_size - self._data.shape[1] end

arguments.as_above(DataLoaderIter)

return require "hybridlua.language.module"({ DataLoaderIter = DataLoaderIter }, "hybridlua.contrib.io")
