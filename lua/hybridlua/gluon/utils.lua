-- gluon/utils.lua - batches in parts, the norm of gradients.
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local python = require "hybridlua.python"
local steps = require "hybridlua.steps"

local nd = core.nd
local utils = {}

local function options_of(batch_axis, even_split)
  if type(batch_axis) == "table" then batch_axis, even_split = batch_axis.batch_axis, batch_axis.even_split end
  return batch_axis or 0, even_split ~= false
end

--- split_data(data, num_slice, batch_axis = 0, even_split = true): a list of parts along batch_axis.
-- With even_split = false the last part takes what does not divide. Errors: a size that does not divide.
function utils.split_data(data, num_slice, batch_axis, even_split)
  local axis, even = options_of(batch_axis, even_split)
  local shape = data.shape
  local size = shape[axis + 1] or fail("split_data: batch_axis: expected an axis of shape %s, got %d", python.tuple(shape), axis)
  if size < num_slice then
    fail("Too many slices for data with shape %s. Arguments are num_slice=%d and batch_axis=%d.", python.tuple(shape), num_slice, axis)
  end
  if even and size % num_slice ~= 0 then
    fail("data with shape %s cannot be evenly split into %d slices along axis %d. Use a batch size that's multiple of %d or set " ..
         "even_split=False to allow uneven partitioning of data.", python.tuple(shape), num_slice, axis, num_slice)
  end
  local step, parts = size // num_slice, {}
  for i = 1, num_slice do
    parts[i] = nd.slice_axis(data, { axis = axis, begin = (i - 1) * step, stop = i < num_slice and i * step or size })
  end
  return parts
end

--- split_and_load(data, ctx_list, batch_axis = 0, even_split = true): a list of the data for each device of
-- the list; there is one, {hl.cpu()}. Errors: several, for parameters have one gradient.
function utils.split_and_load(data, ctx_list)
  if type(ctx_list) ~= "table" then fail("split_and_load: ctx_list: expected a list, {hl.cpu()}, got %s", type(ctx_list)) end
  core.check_ctx("split_and_load: ctx_list", ctx_list)
  return { core.is_array(data) and data or nd.array(data) }
end

--- clip_global_norm(arrays, max_norm, check_isfinite = true): scales the arrays in place so that the
-- norm of all their elements together is at most max_norm; gives the norm before that (a number).
-- A norm that is not finite is warned of on standard error, and leaves the arrays to become NaN. In
-- a training step that is compiled it gives nothing: it is done after each run.
function utils.clip_global_norm(arrays, max_norm, check_isfinite)
  if type(arrays) ~= "table" or #arrays == 0 then fail "clip_global_norm: arrays: expected a list of NDArrays" end
  if steps.noting then
    local current = steps.current(arrays)
    return steps.add("clip_global_norm", {}, function() utils.clip_global_norm(current(), max_norm, check_isfinite) end)
  end
  if type(check_isfinite) == "table" then check_isfinite = check_isfinite.check_isfinite end
  local norms, largest = {}, 0
  for i, array in ipairs(arrays) do
    local norm = array:norm():asscalar()
    norms[i] = norm
    if norm > largest or norm ~= norm then largest = norm end
  end
  local norm, squares = largest, 0
  if largest > 0 and largest < math.huge then
    for _, one in ipairs(norms) do squares = squares + (one / largest) ^ 2 end
    norm = largest * math.sqrt(squares)
  end
  if check_isfinite ~= false and (norm ~= norm or norm == math.huge) then
    io.stderr:write "UserWarning: nan or inf is detected. Clipping results will be undefined.\n"
  end
  local scale = max_norm / (norm + 1e-8)
  if scale < 1 or scale ~= scale then
    for _, array in ipairs(arrays) do array:multiply_(scale) end
  end
  return norm
end

--- Is every dimension of a shape known? 0 stands for an unknown one, and so does a shape that is nil.
function utils.shape_is_known(shape)
  for _, d in ipairs(shape or { 0 }) do if d <= 0 then return false end end
  return true
end

return require "hybridlua.module"(utils, "hybridlua.gluon.utils")
