-- indexing.lua - brackets with arrays among the axes, x[{rows, columns}] and x[{{}, indices}], in NumPy's and
-- MXNet's meaning: the arrays broadcast against each other; their axes come where the first of them stood
-- or, where a slice or a new axis lies between two of them, first of all. A single index counts as an
-- array there. Masks stand for the indices of what they mark.
--
-- Reading is take for one array, gather_nd for several; both have gradients, and work in graphs. The rest of
-- the brackets is C (bind/index.c), which is used for the axes without arrays.
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local nd = core.nd

-- What one part of a key is: "array", "new", "rest", "slice" or "single".
local function kind_of(part)
  if core.is_array(part) or core.is_symbol(part) then return "array" end
  if part == core.NULL then return "new" end
  if type(part) == "table" then return "slice" end
  if type(part) ~= "string" then return "single" end
  local word = part:match "^%s*(.-)%s*$"
  return word == "..." and "rest" or word == "None" and "new" or word:find(":", 1, true) and "slice" or "single"
end

-- ---- Masks --------------------------------------------------------------------------------------------

-- The places that a mask marks, as one array an axis.
local function marked(x, mask, axis)
  if core.tracing() or core.is_symbol(x) or core.is_symbol(mask) then
    fail "index: a mask cannot be used on Symbols: the shape of the result depends on values; use F.where"
  end
  local shape, expected = mask.shape, {}
  for i = 1, #shape do expected[i] = x.shape[axis + i] end
  if shape ~= expected then fail("index: expected a mask of shape %s, got %s", core.shape(expected), shape) end
  local places = nd.boolean_mask(nd.arange(mask.size, { dtype = "int64" }), mask:reshape { -1 })
  local lists, step = {}, 1
  for i = #shape, 1, -1 do
    lists[i] = places // step % shape[i]
    step = step * shape[i]
  end
  return lists
end

-- ---- Keys -----------------------------------------------------------------------------------------------

-- A Symbol whose dtype is not known is taken for indices.
local function is_mask(kind, value)
  if kind ~= "array" then return false end
  local known, dtype = pcall(function() return value.dtype end)
  return known and dtype == "bool"
end

-- How many axes the parts of a key are for.
local function count_axes(key)
  local n = 0
  for _, value in ipairs(key) do
    local kind = kind_of(value)
    if is_mask(kind, value) then n = n + value.ndim
    elseif kind ~= "new" and kind ~= "rest" then n = n + 1 end
  end
  return n
end

-- The parts of a key: { kind =, value =, axis = of x (nil for new ones) }, with arrays for masks, and slices for
-- "..." and for the axes that nothing is said of.
local function parts_of(x, key)
  local parts, ndim, axes, next_axis, rest = {}, x.ndim, count_axes(key), 0, false
  if axes > ndim then fail("index: expected at most %d axes for shape %s, got %d", ndim, x.shape, axes) end
  local function add(kind, value)
    parts[#parts + 1] = { kind = kind, value = value, axis = kind ~= "new" and next_axis or nil }
    if kind ~= "new" then next_axis = next_axis + 1 end
  end
  local function add_rest()
    if rest then fail 'index: expected one "..." at most' end
    for _ = 1, ndim - axes do add("slice", {}) end
    rest = true
  end
  for _, value in ipairs(key) do
    local kind = kind_of(value)
    if kind == "rest" then add_rest()
    elseif is_mask(kind, value) then
      for _, places in ipairs(marked(x, value, next_axis)) do add("array", places) end
    else add(kind, value) end
  end
  if not rest then add_rest() end
  return parts
end

-- Where the arrays' axes go in the result: as many axes are before them.
local function place_of(parts)
  local before, state = 0, "none"
  for _, part in ipairs(parts) do
    local chooses = part.kind == "array" or part.kind == "single"
    if chooses and state == "apart" then return 0 end
    if chooses then state = "among"
    elseif state == "among" then state = "apart"
    elseif state == "none" then before = before + 1 end
  end
  return before
end

local function arrays_of(parts)
  local arrays = {}
  for _, part in ipairs(parts) do if part.kind == "array" then arrays[#arrays + 1] = part.value end end
  return arrays
end

local function broadcast_shape(arrays)
  local shape = {}
  for _, a in ipairs(arrays) do
    local s = a.shape
    for _ = #shape + 1, #s do table.insert(shape, 1, 1) end
    for i = 1, #s do
      local at = #shape - #s + i
      if shape[at] == 1 then shape[at] = s[i]
      elseif s[i] ~= 1 and s[i] ~= shape[at] then
        local texts = {}
        for k, other in ipairs(arrays) do texts[k] = tostring(other.shape) end
        fail("index: expected arrays of shapes that broadcast together, got %s", table.concat(texts, " and "))
      end
    end
  end
  return shape
end

-- A shape with axes of 1 before it, ndim in all.
local function padded(shape, ndim)
  local out = {}
  for i = 1, ndim - #shape do out[i] = 1 end
  return table.move(shape, 1, #shape, #out + 1, out)
end

-- ---- Reading ---------------------------------------------------------------------------------------------

local function transposed(x, order)
  for i, axis in ipairs(order) do if axis ~= i - 1 then return nd.transpose(x, { axes = order }) end end
  return x
end

-- The n axes from `from` on moved to `to`.
local function move_axes(x, n, from, to)
  if from == to or n == 0 then return x end
  local order, moved = {}, {}
  for i = 0, x.ndim - 1 do if i < from or i >= from + n then order[#order + 1] = i else moved[#moved + 1] = i end end
  table.move(order, to + 1, #order, to + 1 + n)
  table.move(moved, 1, n, to + 1, order)
  return transposed(x, order)
end

-- Several arrays, for the axes `axes` of x: their axes come first in the result.
local function gather(x, arrays, axes)
  local shape, indices, order, chosen = broadcast_shape(arrays), {}, table.move(axes, 1, #axes, 1, {}), {}
  for i, a in ipairs(arrays) do
    indices[i] = a:astype "int64"
    if a.shape ~= shape then indices[i] = nd.broadcast_to(indices[i]:reshape(padded(a.shape, #shape)), { shape = shape }) end
    chosen[axes[i]] = true
  end
  for i = 0, x.ndim - 1 do if not chosen[i] then order[#order + 1] = i end end
  return nd.gather_nd(transposed(x, order), nd.stack(indices, { axis = 0 })), #shape
end

local function read(x, key)
  local parts = parts_of(x, key)
  local basic, axes, arrays, at = {}, {}, arrays_of(parts), 0
  for i, part in ipairs(parts) do
    basic[i] = part.kind == "array" and {} or part.value
    if part.kind == "array" then axes[#axes + 1] = at end
    if part.kind ~= "single" then at = at + 1 end
  end
  local rest, place = x[basic], place_of(parts)
  if #arrays == 1 then
    return move_axes(nd.take(rest, arrays[1], { axis = axes[1], mode = "raise" }), arrays[1].ndim, axes[1], place)
  end
  local found, n = gather(rest, arrays, axes)
  return move_axes(found, n, 0, place)
end

-- ---- Writing ---------------------------------------------------------------------------------------------

-- Places along an axis of so many, counted from the front.
local function from_front(indices, length, axis)
  indices = indices:astype "int64"
  if indices.size == 0 then return indices end
  local least, most = indices:min():item(), indices:max():item()
  if least < -length or most >= length then
    fail("index: %d is out of range for axis %d of length %d", least < -length and least or most, axis, length)
  end
  return least < 0 and nd.where(indices:lesser(0), indices + length, indices) or indices
end

-- For each element that the key names, its place in x's memory; in the result's shape.
local function places_of(x, parts)
  local arrays, shape, place = arrays_of(parts), x.shape, place_of(parts)
  local chosen, step, places = #broadcast_shape(arrays), { [#shape] = 1 }, nil
  for i = #shape - 1, 1, -1 do step[i] = step[i + 1] * shape[i + 1] end
  local ndim, at = chosen, 0
  for _, part in ipairs(parts) do if part.kind == "slice" or part.kind == "new" then ndim = ndim + 1 end end
  for _, part in ipairs(parts) do
    if at == place then at = at + chosen end
    local length, list, last = part.axis and shape[part.axis + 1], nil, at
    if part.kind == "array" then list, last = from_front(part.value, length, part.axis), place + chosen - 1
    elseif part.kind ~= "new" then list = nd.arange(length, { dtype = "int64" })[{ part.value }] end
    if part.kind == "slice" or part.kind == "new" then at = at + 1 end
    if list then
      local form, s = {}, part.kind == "single" and {} or list.shape
      for i = 1, ndim do form[i] = i <= last + 1 and rawget(s, #s - (last + 1 - i)) or 1 end
      list = list:reshape(form) * step[part.axis + 1]
      places = places and places + list or list
    end
  end
  return places
end

-- The value for each place, in a row.
local function spread(value, shape, dtype)
  if not core.is_array(value) then value = nd.array(value, { dtype = dtype }) end
  local given, s = value.shape, value.shape
  while #s > #shape and s[1] == 1 do
    s = core.shape(table.move(s, 2, #s, 1, {}))
  end
  local fits = #s <= #shape
  for i = 1, #s do fits = fits and (s[i] == 1 or s[i] == shape[#shape - #s + i]) end
  if not fits then fail("assignment: expected a value of shape %s or one that broadcasts to it, got %s", shape, given) end
  return value:reshape(padded(s, #shape)):broadcast_to { shape = shape }:reshape { -1 }
end

local function write(x, key, value)
  local places = places_of(x, parts_of(x, key))
  if type(value) == "table" or core.is_array(value) then value = spread(value, places.shape, x.dtype) end
  x:reshape { -1 }[places:reshape { -1 }] = value
end

-- ---- New axes ------------------------------------------------------------------------------------------------

local function insert(x, places)
  for _, axis in ipairs(places) do x = nd.expand_dims(x, { axis = axis }) end
  return x
end

core.set_indexing(insert, read, write)
