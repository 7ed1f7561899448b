-- gluon/utils.lua - utilities: splitting batches, clipping gradients by their norm; utils/ finds files.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local of_mode = require "hybridlua.np_mode"
local python = require "hybridlua.language.python_text"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local warn = require "hybridlua.language.warn"
local is_array, is_device_value, check_contexts = core.array.is, core.context.is, core.context.check_list
local norm_and_factor = core.number.norm_and_factor

local nd = core.op.nd
local utils = {}

--- split_data(data, num_slice, batch_axis = 0, even_split = true): a list of parts along batch_axis. With even_split =
-- false the first parts have one more element each if the size is not divisible. Errors: a size that is not divisible.
function utils.split_data(data, num_slice, batch_axis, even_split)
  local axis, even = checks.whole("split_data: batch_axis", batch_axis or 0, 0), even_split ~= false
  local shape = checks.array("split_data: data", data).shape
  num_slice = checks.whole("split_data: num_slice", num_slice, 1)
  local size = shape[axis + 1] or
    fail("split_data: batch_axis: expected an axis of shape %s, got %d", python.tuple(shape), axis)
  if size < num_slice then
    fail("Too many slices for data with shape %s. Arguments are num_slice=%d and batch_axis=%d.", python.tuple(shape),
      num_slice, axis)
  end
  if even and size % num_slice ~= 0 then
    fail("data with shape %s cannot be evenly split into %d slices along axis %d. Use a batch size that's " ..
      "multiple of %d or set " ..
         "even_split = false to allow uneven partitioning of data.", python.tuple(shape), num_slice, axis, num_slice)
  end
  local parts, from = {}, 0
  for i = 1, num_slice do
    local to = from + size // num_slice + (i <= size % num_slice and 1 or 0)
    parts[i] = nd.slice_axis(data, { axis = axis, begin = from, stop = to })
    from = to
  end
  return parts
end

--- split_and_load(data, ctx_list, batch_axis = 0, even_split = true): splits the data along batch_axis and copies one
-- part into each context of the list. Errors: as for split_data.
function utils.split_and_load(data, ctx_list, batch_axis, even_split)
  if type(ctx_list) == "table" and ctx_list.ctx_list then                          -- options after the data
    ctx_list, batch_axis = ctx_list.ctx_list, ctx_list
  end
  if type(ctx_list) ~= "table" and not is_device_value(ctx_list) then
    fail("split_and_load: ctx_list: expected a list of contexts, such as {hl.cpu(0), hl.cpu(1)}, got %s",
      type(ctx_list))
  end
  local contexts = check_contexts("split_and_load: ctx_list", ctx_list)
  if not is_array(data) then data = nd.array(data, { ctx = contexts[1] }) end
  data = of_mode(data)
  if #contexts == 1 then return { data:as_in_context(contexts[1]) } end
  local parts = utils.split_data(data, #contexts, batch_axis, even_split)
  for i, ctx in ipairs(contexts) do parts[i] = parts[i]:as_in_context(ctx) end
  return parts
end

local function warn_of_norm() warn.here "nan or inf is detected. Clipping results will be undefined." end

--- clip_global_norm(arrays, max_norm, check_isfinite = true): scales the arrays in place so that the norm of all their
-- elements together is at most max_norm; returns the norm before that (a number). A norm that is not finite causes a
-- warning, and the arrays become NaN. In a compiled training step it is a node of the graph, and returns nothing.
function utils.clip_global_norm(arrays, max_norm, check_isfinite)
  if type(arrays) ~= "table" or #arrays == 0 then fail "clip_global_norm: arrays: expected a list of NDArrays" end
  if type(max_norm) ~= "number" then fail("clip_global_norm: max_norm: expected a number, got %s", type(max_norm)) end
  if steps.recording then
    local current, checks_norm = steps.current(arrays), check_isfinite ~= false
    return steps.add_clip(arrays, max_norm, checks_norm, function(only_warns)
      if only_warns then return warn_of_norm() end
      utils.clip_global_norm(current(), max_norm, checks_norm)
    end)
  end
  for i, array in ipairs(arrays) do checks.array(("clip_global_norm: arrays[%d]"):format(i), array) end
  local norms = {}
  for i, array in ipairs(arrays) do norms[i] = array:norm():asscalar() end
  local norm, scale = norm_and_factor(norms, max_norm)
  if check_isfinite ~= false and (norm ~= norm or norm == math.huge) then warn_of_norm() end
  if scale < 1 or scale ~= scale then
    for _, array in ipairs(arrays) do array:multiply_(scale) end
  end
  return norm
end

--- Is every dimension of a shape known? A dimension of 0 is unknown, and so is a shape of nil.
function utils.shape_is_known(shape)
  if shape ~= nil and type(shape) ~= "table" then
    fail("shape_is_known: shape: expected a table of integers, got %s", type(shape))
  end
  for _, d in ipairs(shape or { 0 }) do if checks.whole("shape_is_known: shape", d) <= 0 then return false end end
  return true
end

arguments.functions(utils, "", {
  split_data = "data num_slice batch_axis even_split", split_and_load = "data[] ctx_list[] batch_axis even_split",
  shape_is_known = "shape[]", clip_global_norm = "arrays[] max_norm check_isfinite",
})

-- The functions about files, loaded on first use.
local parts = {}
for name in ("download check_sha1 replace_file _get_repo_url _get_repo_file_url set_download_hook"):gmatch "%S+" do
  parts[name] = function() return require("hybridlua.gluon.utils.download")[name] end
end

return require "hybridlua.language.module"(utils, "hybridlua.gluon.utils", parts)
