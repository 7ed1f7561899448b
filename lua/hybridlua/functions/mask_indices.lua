-- mask_indices.lua - masks in a key, x[{{}, mask}]: each is replaced by the indices of its true elements, one array per
-- axis. C does everything else about brackets: bind/value/brackets.c and the operators in ops/index.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, NULL, new_shape = core.array.is, core.op.NULL, core.array.new_shape
local nd = core.op.nd

local function is_mask(part) return is_array(part) and part.dtype == "bool" end

-- The number of axes that a part selects from; nil for "...".
local function axes_of(part)
  if part == NULL then return 0 end
  if is_mask(part) then return part.ndim end
  local word = type(part) == "string" and part:match "^%s*(.-)%s*$"
  if word == "..." then return nil end
  return word == "None" and 0 or 1
end

-- The indices of the true elements of a mask for the axes from `axis` on, one array per axis.
local function marked(x, mask, axis)
  local shape, expected = mask.shape, {}
  for i = 1, #shape do expected[i] = x.shape[axis + i] end
  if shape ~= expected then fail("index: expected a mask of shape %s, got %s", new_shape(expected), shape) end
  local places = nd.boolean_mask(nd.arange(mask.size, { dtype = "int64" }), mask:reshape { -1 })
  local lists, step = {}, 1
  for i = #shape, 1, -1 do
    lists[i] = places // step % shape[i]
    step = step * shape[i]
  end
  return lists
end

local function without_masks(x, key)
  local axes, axis, out = 0, 0, {}
  for _, part in ipairs(key) do axes = axes + (axes_of(part) or 0) end
  if axes > x.ndim then fail("index: expected at most %d axes for shape %s, got %d", x.ndim, x.shape, axes) end
  for _, part in ipairs(key) do
    if is_mask(part) then table.move(marked(x, part, axis), 1, part.ndim, #out + 1, out)
    else out[#out + 1] = part end
    axis = axis + (axes_of(part) or x.ndim - axes)
  end
  return out
end

core.array.set_mask_reader(without_masks)
