-- io/batches.lua - DataDesc, the description of an input, and DataBatch, the arrays of one batch.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, new_shape = core.array.is, core.script.is_plain, core.array.new_shape

local batches = {}

-- A list of lengths as a shape, which prints and compares as x.shape does.
local function shape_of(what, list)
  if not is_plain(list) then fail("%s: expected a shape such as {32, 10}, got %s", what, type(list)) end
  local shape = {}
  for i, length in ipairs(list) do shape[i] = checks.whole(what, length, 0) end
  return new_shape(shape)
end

-- ---- DataDesc -----------------------------------------------------------------------------------------------------

local DataDesc = class.root("DataDesc", class.new, "desc")
batches.DataDesc = DataDesc

local read_desc = arguments.new("DataDesc", "name shape dtype layout", { dtype = "float32", layout = "NCHW" })

--- DataDesc(name, shape, {dtype = "float32", layout = "NCHW"}): the name, shape, dtype and layout of an input. The
-- first two are also desc[1] and desc[2], as in the pair {name, shape}.
function DataDesc:init(...)
  local options = read_desc(...)
  self.name = checks.string("DataDesc: name", options.name)
  self.shape = shape_of("DataDesc: shape", options.shape)
  self.dtype, self.layout = options.dtype, options.layout
  self[1], self[2] = self.name, self.shape
end

function DataDesc:__tostring()
  return ("DataDesc[%s,%s,%s,%s]"):format(self.name, tostring(self.shape), self.dtype, self.layout or "None")
end

local function batch_axis(layout)
  if layout == nil then return 0 end
  local at = checks.string("DataDesc.get_batch_axis: layout", layout):find("N", 1, true)
  return at and at - 1 or -1
end

--- get_batch_axis(layout): the axis of the letter N, counted from 0; -1 if there is none, 0 for nil.
DataDesc.get_batch_axis = arguments.taking("DataDesc.get_batch_axis", "layout", batch_axis)

--- get_list(shapes, types = nil): the DataDescs of a list of pairs {name, shape}, and of the dtypes in a list of pairs
-- {name, dtype}.
local function get_list(shapes, types)
  local descs = batches.descriptions("DataDesc.get_list: shapes", shapes)
  for i, desc in ipairs(types and descs or {}) do
    for _, pair in ipairs(types) do
      if pair[1] == desc.name then descs[i] = DataDesc(desc.name, desc.shape, { dtype = pair[2] }) end
    end
  end
  return descs
end
DataDesc.get_list = arguments.taking("DataDesc.get_list", "shapes[] types{}", get_list)

--- The description of batches of `size` samples of an array; axis: that of the samples, from 0; layout: nil for NCHW.
function batches.description(name, x, size, axis, layout)
  local shape = table.move(x.shape, 1, x.ndim, 1, {})
  shape[axis + 1] = size
  return DataDesc(name, shape, { dtype = x.dtype, layout = layout })
end

--- The descriptions for a list of DataDescs or pairs {name, shape}; nil is an empty list. `what` is their name in
-- errors.
function batches.descriptions(what, list)
  local descs = {}
  if list == nil then return descs end
  if not is_plain(list) then fail("%s: expected a list of {name, shape}, got %s", what, type(list)) end
  for i, item in ipairs(list) do
    if class.is_a(item, DataDesc) then
      descs[i] = item
    elseif is_plain(item) and type(item[1]) == "string" then
      descs[i] = DataDesc(item[1], item[2], { dtype = item[3], layout = item[4] })
    else
      fail("%s: expected a list of {name, shape}, got %s at %d", what, type(item) == "string" and
        ("the string '%s'"):format(item) or type(item), i)
    end
  end
  if #descs == 0 and next(list) ~= nil then
    fail("%s: expected a list of {name, shape}, got a table with the key '%s'", what, tostring((next(list))))
  end
  return descs
end

-- ---- DataBatch ----------------------------------------------------------------------------------------------------

local DataBatch = class.root("DataBatch", class.new, "batch")
batches.DataBatch = DataBatch

local read_batch = arguments.new("DataBatch", "data[] label[] pad index bucket_key provide_data[] provide_label[]")

--- Raises unless a list has arrays only.
function batches.check_arrays(what, list)
  if not is_plain(list) then
    fail("%s: expected a list of NDArrays, got %s", what, is_array(list) and "an NDArray; write {x}" or type(list))
  end
  for i, x in ipairs(list) do
    if not is_array(x) then fail("%s: expected a list of NDArrays, got %s at %d", what, type(x), i) end
  end
end

--- DataBatch(data, label, {pad = nil, index = nil, bucket_key = nil, provide_data = nil, provide_label = nil}): the
-- arrays of one batch, data and label, as lists; pad: the number of samples at the end that only fill the batch; index:
-- the samples' numbers; bucket_key: for BucketingModule. Errors: an array that is not in a list.
function DataBatch:init(...)
  for name, value in pairs(read_batch(...)) do self[name] = value end
  for _, field in ipairs { "data", "label" } do
    if self[field] ~= nil then batches.check_arrays("DataBatch: " .. field, self[field]) end
  end
end

local function shapes_of(list)
  if not list or #list == 0 then return "None" end
  local texts = {}
  for i, x in ipairs(list) do texts[i] = tostring(x.shape) end
  return "[" .. table.concat(texts, ", ") .. "]"
end

function DataBatch:__tostring()
  return ("%s: data shapes: %s label shapes: %s"):format(class.of(self).__name__, shapes_of(self.data),
    shapes_of(self.label))
end

return batches
