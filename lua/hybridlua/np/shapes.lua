-- np/shapes.lua - functions of np that move elements: reshape, transpose, joins, splits, flips, repeats, indexing.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define, alias, NULL = d.define, d.alias, d.NULL
local nd = core.op.nd
local dtype_of, is_array = core.np.dtype_of, core.array.is

-- ---- Shape -----------------------------------------------------------------------------------------------------

-- x:reshape(2, 3) and x:reshape{2, 3} are both possible; nd's codes (0: the same dimension) hold except for empty
-- arrays, whose zeros are dimensions.
define("reshape", "a* newshape[] order out", {}, function(o)
  local shape = type(o.newshape) == "number" and { o.newshape } or o.newshape
  if type(shape) ~= "table" then fail("np.reshape: newshape: expected a shape, got %s", type(shape)) end
  return d.reshape(o.a, shape)
end, { method = false })

define("ravel", "x* order", {}, function(o) return d.reshaped(o.x, { -1 }) end)
define("flatten", "a* order", {}, function(o) return nd._copy(d.reshaped(o.a, { -1 })) end, { method_only = true })
define("squeeze", "a* axis out", {}, function(o) return nd.squeeze(o.a, { axis = o.axis }) end)
define("expand_dims", "a* axis", {}, function(o)
  local axes = type(o.axis) == "table" and o.axis or { o.axis }
  local x, ndim = o.a, #axes > 1 and o.a.ndim + #axes
  if not ndim then return nd.expand_dims(x, { axis = axes[1] }) end
  local places = {}
  for i, axis in ipairs(axes) do places[i] = axis % ndim end
  table.sort(places)
  for _, axis in ipairs(places) do x = nd.expand_dims(x, { axis = axis }) end
  return x
end)
define("transpose", "a* axes", {}, function(o)
  return nd.transpose(o.a, { axes = o.axes or {} })
end, { method = false })
define("swapaxes", "a* axis1 axis2", {}, function(o)
  local ndim = o.a.ndim
  return nd.swapaxes(o.a, { dim1 = o.axis1 % ndim, dim2 = o.axis2 % ndim })
end)
define("moveaxis", "a* source destination", {}, function(o) return nd.moveaxis(o.a, o.source, o.destination) end)
define("rollaxis", "a* axis start", { start = 0 }, function(o)
  local ndim, axis, start = o.a.ndim, o.axis % o.a.ndim, o.start
  if start < 0 then start = start + ndim end
  if axis < start then start = start - 1 end
  return nd.moveaxis(o.a, axis, start)
end)
define("broadcast_to", "array* shape", {}, function(o)
  return nd.broadcast_to(o.array, { shape = d.shape("broadcast_to", "shape", o.shape) })
end)
define("resize", "a* new_shape", {}, function(o)
  local shape = d.shape("resize", "new_shape", o.new_shape)
  local size = 1
  for _, n in ipairs(shape) do size = size * n end
  local flat = d.reshaped(o.a, { -1 })
  local times = o.a.size > 0 and math.max(1, -(-size // o.a.size)) or 1
  if times > 1 then flat = nd.tile(flat, { reps = { times } }) end
  return d.reshape(nd.slice_axis(flat, { axis = 0, begin = 0, stop = size }), shape)
end)

local function at_least(name, shape_for)
  define(name, "a* b c d", {}, function(o)
    local function one(x)
      x = d.operand(name, "arrays", x)
      local shape = shape_for[x.ndim]
      if not shape then return x end
      local to = {}
      for i, n in ipairs(shape) do to[i] = n < 0 and x.shape[-n] or n end
      return d.reshape(x, to)
    end
    if o.b == nil then return one(o.a) end
    return { one(o.a), one(o.b), o.c and one(o.c), o.d and one(o.d) }
  end)
end
at_least("atleast_1d", { [0] = { 1 } })
at_least("atleast_2d", { [0] = { 1, 1 }, { 1, -1 } })
at_least("atleast_3d", { [0] = { 1, 1, 1 }, { 1, -1, 1 }, { -1, -2, 1 } })

-- ---- Joins --------------------------------------------------------------------------------------------------------

define("concatenate", "seq[] axis out", { axis = 0 }, function(o)
  local parts = d.operands("concatenate", "seq", o.seq)
  if o.axis ~= nil and not rawequal(o.axis, NULL) then return nd.concat(parts, { dim = o.axis }) end
  for i, x in ipairs(parts) do parts[i] = d.reshaped(x, { -1 }) end
  return nd.concat(parts, { dim = 0 })
end, { method = false })
define("stack", "arrays[] axis out", { axis = 0 }, function(o)
  return nd.stack(d.operands("stack", "arrays", o.arrays), { axis = o.axis })
end, { method = false })
for name, param in pairs { vstack = "arrays", hstack = "arrays", dstack = "arrays", column_stack = "tup" } do
  define(name, param .. "[] out", {}, function(o)
    return nd[name](d.operands(name, param, o[param]))
  end, { method = false })
end
define("append", "arr* values* axis", {}, function(o)
  local x, y = core.np.promote(o.arr, o.values)
  if o.axis == nil then return nd.concat(d.reshaped(x, { -1 }), d.reshaped(y, { -1 }), { dim = 0 }) end
  return nd.concat(x, y, { dim = o.axis })
end)

-- ---- Splits ---------------------------------------------------------------------------------------------------------

local function as_list(parts) return d.is(parts) and { parts } or parts end

local function parts_at(x, places, axis)
  local parts, n = {}, x.shape[axis % x.ndim + 1]
  local first = 0
  for i = 1, #places + 1 do
    local stop = places[i] or n
    if stop < 0 then stop = stop + n end
    stop = math.min(math.max(stop, 0), n)
    parts[i] = nd.slice_axis(x, { axis = axis, begin = math.min(first, n), stop = math.max(stop, math.min(first, n)) })
    first = stop
  end
  return parts
end

local function split(name, x, sections, axis)
  if type(sections) == "table" then return parts_at(x, sections, axis) end
  if math.type(sections) ~= "integer" or sections < 1 then
    fail("np.%s: indices_or_sections: expected a number of parts or a table of indices, got %s", name,
      tostring(sections))
  end
  local n = x.shape[axis % x.ndim + 1]
  if n % sections ~= 0 then
    fail("np.%s: indices_or_sections: expected a divisor of %d, got %d", name, n, sections)
  end
  return as_list(nd.split_v2(x, sections, axis))
end

define("split", "ary* indices_or_sections axis num_outputs squeeze_axis", { axis = 0 }, function(o)
  if o.num_outputs then          -- nd's x:split{num_outputs = 2, axis = 1}
    return nd.split(o.ary, { num_outputs = o.num_outputs, axis = o.axis, squeeze_axis = o.squeeze_axis })
  end
  return split("split", o.ary, o.indices_or_sections, o.axis)
end)
define("array_split", "ary* indices_or_sections axis", { axis = 0 }, function(o)
  local sections, places = o.indices_or_sections, {}
  if type(sections) == "table" then return parts_at(o.ary, sections, o.axis) end
  local n = o.ary.shape[o.axis % o.ary.ndim + 1]
  for i = 1, sections - 1 do places[i] = n // sections * i + math.min(i, n % sections) end
  return parts_at(o.ary, places, o.axis)
end)
for name, axis in pairs { vsplit = 0, hsplit = 1, dsplit = 2 } do
  define(name, "ary* indices_or_sections", {}, function(o)
    return split(name, o.ary, o.indices_or_sections, name == "hsplit" and o.ary.ndim == 1 and 0 or axis)
  end)
end

-- ---- Repeats, flips, rolls -----------------------------------------------------------------------------------------

define("repeat", "a* repeats axis", {}, function(o)
  if type(o.repeats) == "table" and #o.repeats == 1 then o.repeats = o.repeats[1] end
  if type(o.repeats) == "number" then return nd.repeat_(o.a, { repeats = o.repeats, axis = o.axis }) end
  local x, places = o.axis and o.a or d.reshaped(o.a, { -1 }), {}
  local counts = d.is(o.repeats) and o.repeats:totable() or o.repeats
  for i, count in ipairs(counts) do for _ = 1, count do places[#places + 1] = i - 1 end end
  return nd.take(x, nd.array(places, { dtype = "int64" }), { axis = o.axis or 0 })
end)
define("tile", "A* reps", {}, function(o)
  local reps = type(o.reps) == "number" and { o.reps } or o.reps
  if #reps == 0 then return nd._copy(o.A) end
  return nd.tile(o.A.ndim == 0 and d.reshaped(o.A, { 1 }) or o.A, { reps = reps })
end)
define("flip", "m* axis out", {}, function(o)
  if o.axis ~= nil then return nd.flip(o.m, { axis = o.axis }) end
  local axes = {}
  for i = 1, o.m.ndim do axes[i] = i - 1 end
  return #axes == 0 and nd._copy(o.m) or nd.flip(o.m, { axis = axes })
end)
define("fliplr", "m*", {}, function(o) return nd.flip(o.m, { axis = 1 }) end)
define("flipud", "m*", {}, function(o) return nd.flip(o.m, { axis = 0 }) end)
define("roll", "a* shift axis", {}, function(o) return nd.roll(o.a, { shift = o.shift, axis = o.axis }) end)
define("rot90", "m* k axes", { k = 1 }, function(o) return nd.rot90(o.m, { k = o.k, axes = o.axes or { 0, 1 } }) end)

-- ---- Diagonals and triangles --------------------------------------------------------------------------------------

define("diag", "array* k", { k = 0 }, function(o) return nd.diag(o.array, { k = o.k }) end)
define("diagflat", "array* k", { k = 0 }, function(o) return nd.diag(d.reshaped(o.array, { -1 }), { k = o.k }) end)
define("diagonal", "a* offset axis1 axis2", { offset = 0, axis1 = 0, axis2 = 1 }, function(o)
  return nd.diag(o.a, { k = o.offset, axis1 = o.axis1, axis2 = o.axis2 })
end)
define("trace", "a* offset axis1 axis2 out", { offset = 0, axis1 = 0, axis2 = 1 }, function(o)
  return nd.sum(nd.diag(o.a, { k = o.offset, axis1 = o.axis1, axis2 = o.axis2 }), { axis = -1 })
end)
for _, name in ipairs { "tril", "triu" } do
  define(name, "m* k", { k = 0 }, function(o) return nd[name](o.m, { k = o.k }) end)
end

-- ---- Choice -------------------------------------------------------------------------------------------------------

define("where", "condition* x*? y*?", {}, function(o)
  if o.x == nil and o.y == nil then return core.np.mark(nd.nonzero(o.condition)) end
  if o.x == nil or o.y == nil then fail("np.where: expected both x and y, or neither") end
  local x, y = core.np.promote(o.x, o.y)
  return nd._npi_where(o.condition, x, y)
end, { numbers_like = true })
define("clip", "a* a_min a_max out", {}, function(o)
  local x, low, high = o.a, o.a_min, o.a_max
  if d.is(low) or d.is(high) then
    if low ~= nil then x = nd.broadcast_maximum(core.np.promote(x, d.operand("clip", "a_min", low))) end
    if high ~= nil then x = nd.broadcast_minimum(core.np.promote(x, d.operand("clip", "a_max", high))) end
    return x
  end
  if low == nil and high == nil then fail("np.clip: expected a_min or a_max") end
  if low == nil then return nd.minimum(x, high) elseif high == nil then return nd.maximum(x, low) end
  return nd.clip(x, { a_min = low, a_max = high })
end)
define("select", "condlist[] choicelist default", { default = 0 }, function(o)
  local choices = d.operands("select", "choicelist", o.choicelist)
  local y = nd.full_like(choices[1], o.default)
  for i = #choices, 1, -1 do y = nd._npi_where(d.operand("select", "condlist", o.condlist[i]), choices[i], y) end
  return y
end)
define("choose", "a* choices out mode", { mode = "raise" }, function(o)
  local choices = d.operands("choose", "choices", o.choices)
  local y = choices[1]
  for i = 2, #choices do y = nd._npi_where(nd.broadcast_equal(o.a, nd.full_like(o.a, i - 1)), choices[i], y) end
  return y
end)
define("piecewise", "x* condlist funclist", {}, function(o)
  local y = nd.zeros_like(o.x)
  local conditions = d.is(o.condlist) and { o.condlist } or o.condlist
  local function value(f) return type(f) == "function" and f(o.x) or nd.full_like(o.x, f) end
  if #o.funclist == #conditions + 1 then y = value(o.funclist[#o.funclist]) end
  for i, condition in ipairs(conditions) do
    y = nd._npi_where(d.operand("piecewise", "condlist", condition), value(o.funclist[i]), y)
  end
  return y
end)
define("take", "a* indices* axis mode out", { mode = "clip" }, function(o)
  local indices = d.is_float(dtype_of(o.indices)) and nd.cast(o.indices, { dtype = "int64" }) or o.indices
  local mode = o.mode == "raise" and (core.trace.active() or not is_array(o.a)) and
    fail "np.take: mode: expected 'clip' or 'wrap' in a graph, got 'raise'" or o.mode
  local x = o.axis == nil and d.reshaped(o.a, { -1 }) or o.a
  return nd.take(x, indices, { axis = o.axis or 0, mode = mode })
end)
define("take_along_axis", "arr* indices* axis", { axis = 0 }, function(o)
  return nd.take_along_axis(o.arr, o.indices, { axis = o.axis })
end)
define("compress", "condition* a* axis out", {}, function(o)
  local a, axis = o.a, o.axis
  if axis == nil then a, axis = d.reshaped(a, { -1 }), 0 end
  local places = {}
  for i, x in ipairs(d.values("compress", o.condition)) do
    if x ~= false and x ~= 0 then places[#places + 1] = i - 1 end
  end
  return nd.take(a, nd.array(places, { dtype = "int64" }), { axis = axis })
end, { method = false })
define("extract", "condition* arr*", {}, function(o)
  local mask = nd.cast(d.reshaped(o.condition, { -1 }), { dtype = "bool" })
  return nd.boolean_mask(d.reshaped(o.arr, { -1 }), mask)
end, { method = false })

-- The places of the elements along an axis that delete and insert mean: a number, a slice {begin, stop, step}, a list.
local function places_of(what, obj, n, most)
  if d.is(obj) then obj = obj:reshape { -1 }:totable() end
  local list = type(obj) == "table" and obj or { obj }
  local places = {}
  for i, place in ipairs(list) do
    if type(place) == "boolean" then if place then places[#places + 1] = i - 1 end
    else
      if place < -n or place >= n + most then
        fail("np.%s: obj: expected places from %d to %d, got %s", what, -n, n + most - 1, tostring(place))
      end
      places[#places + 1] = math.tointeger(place < 0 and place + n or place)
    end
  end
  return places
end

define("delete", "arr* obj axis", {}, function(o)
  local x, axis = o.arr, o.axis
  if axis == nil then x, axis = d.reshaped(x, { -1 }), 0 end
  local n = x.shape[axis % x.ndim + 1]
  local gone, kept = {}, {}
  for _, place in ipairs(places_of("delete", o.obj, n, 0)) do gone[place] = true end
  for i = 0, n - 1 do if not gone[i] then kept[#kept + 1] = i end end
  return nd.take(x, nd.array(kept, { dtype = "int64" }), { axis = axis })
end)
define("insert", "arr* obj values* axis", {}, function(o)
  local x, axis = o.arr, o.axis
  if axis == nil then x, axis = d.reshaped(x, { -1 }), 0 end
  axis = axis % x.ndim
  local n, shape = x.shape[axis + 1], {}
  local single = type(o.obj) == "number"
  local places = places_of("insert", o.obj, n, 1)
  for i, m in ipairs(x.shape) do shape[i] = m end
  shape[axis + 1] = #places
  local values = d.cast(o.values, dtype_of(x))
  if single and values.ndim > 0 and x.ndim == 1 then
    shape[1] = values.size for i = 2, values.size do places[i] = places[1] end
  end
  if not single and values.ndim == 1 and x.ndim > 1 and axis == 0 and values.size == #places and
    x.shape[x.ndim] ~= #places then
    values = d.reshaped(values, { -1, 1 })
  end
  values = nd.broadcast_to(values, { shape = shape })
  -- stable: equal places keep the order of the values
  local order = {}
  for i, place in ipairs(places) do order[i] = { place = place, at = i } end
  table.sort(order, function(a, b) return a.place < b.place or a.place == b.place and a.at < b.at end)
  local all, next_one = {}, 1
  for i = 0, n do
    while order[next_one] and order[next_one].place == i do
      all[#all + 1] = n + order[next_one].at - 1
      next_one = next_one + 1
    end
    if i < n then all[#all + 1] = i end
  end
  return nd.take(nd.concat(x, values, { dim = axis }), nd.array(all, { dtype = "int64" }), { axis = axis })
end)

-- ---- Indices ------------------------------------------------------------------------------------------------------

define("unravel_index", "indices* shape order", {}, function(o)
  local rows = nd.unravel_index(d.cast(o.indices, "int64"), { shape = d.shape("unravel_index", "shape", o.shape) })
  local parts = {}
  for i = 1, #o.shape do parts[i] = rows[i - 1] end
  return parts
end)
define("ravel_multi_index", "multi_index dims mode order", {}, function(o)
  local dims, sum = d.shape("ravel_multi_index", "dims", o.dims), nil
  for i, place in ipairs(d.operands("ravel_multi_index", "multi_index", o.multi_index)) do
    sum = sum and sum * dims[i] + place or place
  end
  return sum
end)
define("diag_indices_from", "arr*", {}, function(o)
  local line = core.np.mark(nd.arange { start = 0, stop = o.arr.shape[1], dtype = "int64" })
  local parts = {}
  for i = 1, o.arr.ndim do parts[i] = line end
  return parts
end)
for name, part in pairs { tril_indices_from = "tril", triu_indices_from = "triu" } do
  define(name, "arr* k", { k = 0 }, function(o)
    return core.np.mark(nd.nonzero(nd[part](nd.ones(o.arr.shape), { k = o.k })))
  end)
end
for name, part in pairs { tril_indices = "tril", triu_indices = "triu" } do
  define(name, "n k m", { k = 0 }, function(o)
    return core.np.mark(nd.nonzero(nd[part](nd.ones { o.n, o.m or o.n }, { k = o.k })))
  end)
end
for _, name in ipairs { "nonzero", "argwhere", "flatnonzero" } do
  define(name, "a*", {}, function(o)
    return core.np.mark(nd[name](o.a.ndim == 0 and d.reshaped(o.a, { 1 }) or o.a))
  end)
end

-- ---- Padding ------------------------------------------------------------------------------------------------------

-- The places of an axis of n that padding by `before` and `after` repeats.
local PLACES = {
  edge = function(i, n) return math.min(math.max(i, 0), n - 1) end,
  wrap = function(i, n) return i % n end,
  symmetric = function(i, n)
    i = i % (2 * n)
    return i < n and i or 2 * n - 1 - i
  end,
  reflect = function(i, n)
    if n == 1 then return 0 end
    i = i % (2 * n - 2)
    return i < n and i or 2 * n - 2 - i
  end,
}

-- Values for `count` places beside an axis.
local function border(x, axis, count, mode, value)
  local shape = {}
  for i, n in ipairs(x.shape) do shape[i] = i == axis + 1 and count or n end
  if mode == "constant" then
    return nd.full_like(nd.broadcast_axis(nd.slice_axis(x, { axis = axis, begin = 0, stop = 1 }), { axis = axis,
      size = count }), value)
  end
  local top = nd[mode == "maximum" and "max" or "min"](x, { axis = axis, keepdims = true })
  return nd.broadcast_to(top, { shape = shape })
end

local function pad_axis(x, axis, before, after, mode, low, high)
  local n, places = x.shape[axis + 1], {}
  if before == 0 and after == 0 then return x end
  if PLACES[mode] then
    for i = -before, n + after - 1 do places[#places + 1] = PLACES[mode](i, n) end
    return nd.take(x, nd.array(places, { dtype = "int64" }), { axis = axis })
  end
  local parts = { x }
  if before > 0 then table.insert(parts, 1, border(x, axis, before, mode, low)) end
  if after > 0 then parts[#parts + 1] = border(x, axis, after, mode, high) end
  return nd.concat(parts, { dim = axis })
end

-- The numbers before and after each axis: a number, a pair for all axes, or a pair for each.
local function pairs_of(value, ndim)
  local list = {}
  for i = 1, ndim do
    local each = type(value) == "table" and (type(value[1]) == "table" and (value[i] or value[1]) or value) or { value }
    list[i] = { each[1], each[2] or each[1] }
  end
  return list
end

define("pad", "x* pad_width mode constant_values", { mode = "constant", constant_values = 0 }, function(o)
  local x, mode = o.x, o.mode
  if not PLACES[mode] and mode ~= "constant" and mode ~= "maximum" and mode ~= "minimum" then
    fail("np.pad: mode: expected constant, edge, reflect, symmetric, wrap, maximum or minimum, got '%s'",
      tostring(mode))
  end
  local widths, values = pairs_of(o.pad_width, x.ndim), pairs_of(o.constant_values, x.ndim)
  for axis = 0, x.ndim - 1 do
    local width, value = widths[axis + 1], values[axis + 1]
    x = pad_axis(x, axis, width[1], width[2], mode, value[1], value[2])
  end
  return x
end)

alias("vstack", "row_stack")
