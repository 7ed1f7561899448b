-- functions/stack_flip.lua - NumPy's functions that join, flip, rotate and difference arrays: stacks, append, block,
-- meshgrid, flip, rot90, diff.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local number_arrays = require "hybridlua.functions.number_arrays"
local nd = core.op.nd

local functions = {}

-- ---- At least n dimensions -----------------------------------------------------------------------------

local function to_1d(x) return x.ndim == 0 and nd.reshape(x, { shape = { 1 } }) or x end

local function to_2d(x)
  x = to_1d(x)
  return x.ndim == 1 and nd.expand_dims(x, { axis = 0 }) or x
end

local function to_3d(x)
  x = to_2d(x)
  return x.ndim == 2 and nd.expand_dims(x, { axis = 2 }) or x
end

local function each(what, change, ...)
  local results = {}
  for i, x in ipairs((operand.arrays(what, arguments.new(what, {}), ...))) do results[i] = change(x) end
  return results
end

local function one_or_all(results) return #results == 1 and results[1] or results end

--- Turns a 0-d array into a vector of one element; leaves others. Several arrays yield a table.
function functions.atleast_1d(...) return one_or_all(each("atleast_1d", to_1d, ...)) end

--- Turns a vector into a matrix of one row; leaves arrays of two or more dimensions. Several arrays yield a table.
function functions.atleast_2d(...) return one_or_all(each("atleast_2d", to_2d, ...)) end

--- Turns a vector of n into (1, n, 1) and a matrix (m, n) into (m, n, 1); leaves others. Several arrays yield a table.
function functions.atleast_3d(...) return one_or_all(each("atleast_3d", to_3d, ...)) end

-- ---- Stacks -----------------------------------------------------------------------------------------------

--- Joins arrays along axis 1; vectors along axis 0. hstack{a, b}, or hstack(a, b).
function functions.hstack(...)
  local list = each("hstack", to_1d, ...)
  return nd.Concat(list, { dim = list[1].ndim == 1 and 0 or 1 })
end

--- Joins arrays along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
function functions.vstack(...) return nd.Concat(each("vstack", to_2d, ...), { dim = 0 }) end

--- Joins arrays along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
function functions.dstack(...) return nd.Concat(each("dstack", to_3d, ...), { dim = 2 }) end

--- Joins vectors, as columns, and matrices along axis 1. column_stack{a, b}, or column_stack(a, b).
function functions.column_stack(...)
  local function column(x) return x.ndim < 2 and nd.reshape(x, { shape = { -1, 1 } }) or x end
  return nd.Concat(each("column_stack", column, ...), { dim = 1 })
end

local read_append = arguments.new("append", { "arr", "values", "axis" })

--- Joins values (an array, a number or a table of numbers) to the end of an array, along an axis; without axis, both
-- are flattened first. append(x, values, axis).
function functions.append(...)
  local o = read_append(...)
  local x = operand.check("append", "arr", o.arr)
  if o.values == nil then fail "append: values: expected an array or numbers, got nothing" end
  local values = o.values
  if not operand.is(values) then
    values = number_arrays.as_array(values, x, operand.dtype(x) or "float32")
  end
  if o.axis ~= nil then return nd.Concat(x, values, { dim = operand.integer("append", "axis", o.axis) }) end
  return nd.Concat(nd.reshape(x, { shape = { -1 } }), nd.reshape(values, { shape = { -1 } }), { dim = 0 })
end

-- The first array in nested tables.
local function first_array(nest)
  if operand.is(nest) then return nest end
  for _, item in ipairs(type(nest) == "table" and nest or {}) do
    local found = first_array(item)
    if found then return found end
  end
end

-- How deep tables are nested, the same everywhere.
local function depth_of(nest)
  if operand.is(nest) or type(nest) == "number" then return 0 end
  if type(nest) ~= "table" or #nest == 0 then
    fail("block: arrays: expected nested tables of arrays and numbers, got %s",
      type(nest) == "table" and "an empty table" or operand.got(nest))
  end
  local depth = depth_of(nest[1])
  for i = 2, #nest do
    if depth_of(nest[i]) ~= depth then
      fail "block: arrays: expected tables nested equally deep, got different depths"
    end
  end
  return depth + 1
end

-- An array with at least n axes, by axes of size 1 before the others.
local function with_axes_before(x, n)
  for _ = 1, n - x.ndim do x = nd.expand_dims(x, { axis = 0 }) end
  return x
end

local read_block = arguments.new("block", { "arrays" }, {}, true)

--- An array from blocks in nested tables, as a matrix is written: block{{A, B}, {C, D}}. The innermost tables are
-- joined along the last axis, those around them along the one before. Numbers are blocks of one element.
function functions.block(...)
  local nest = read_block(...).arrays
  local depth, like = depth_of(nest), first_array(nest)
  if not like then fail "block: arrays: expected at least one array among the blocks, got none" end
  local ndim = math.max(depth, 1)
  local function widest(x)
    if operand.is(x) then ndim = math.max(ndim, x.ndim)
    elseif type(x) == "table" then for _, item in ipairs(x) do widest(item) end end
  end
  widest(nest)
  local function joined(x, level)
    if type(x) == "number" then x = number_arrays.as_array(x, like, operand.dtype(like) or "float32") end
    if operand.is(x) then return with_axes_before(x, ndim) end
    local parts = {}
    for i, item in ipairs(x) do parts[i] = joined(item, level - 1) end
    return nd.Concat(parts, { dim = ndim - level })
  end
  return joined(nest, depth)
end

-- ---- meshgrid -----------------------------------------------------------------------------------------------

local read_mesh = arguments.new("meshgrid", { "indexing", "sparse" }, { indexing = "xy", sparse = false })

--- The coordinates of a grid's points. For n vectors it returns a table of n arrays with n axes; array i holds the
-- values of vector i along its own axis. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are
-- swapped, so that x runs along the rows of a picture) or "ij"; sparse (false): keep size 1 where values repeat.
function functions.meshgrid(...)
  local vectors, o = operand.arrays("meshgrid", read_mesh, ...)
  local n, swapped = #vectors, checks.choice("meshgrid: indexing", o.indexing, "xy", "ij") == "xy" and #vectors > 1
  local function axis_of(i) return swapped and i <= 2 and 2 - i or i - 1 end
  local grids = {}
  for i, x in ipairs(vectors) do
    local shape = {}
    for k = 1, n do shape[k] = k == axis_of(i) + 1 and -1 or 1 end
    local grid = nd.reshape(x, { shape = shape })
    for k, other in ipairs(o.sparse and {} or vectors) do
      local line = nd.reshape(other, { shape = { -1 } })
      if k ~= i then grid = nd.broadcast_like(grid, line, { lhs_axes = { axis_of(k) }, rhs_axes = { 0 } }) end
    end
    grids[i] = grid
  end
  return grids
end

-- ---- Flips and rotations --------------------------------------------------------------------------------------

local read_flip = arguments.new("flip", "data axis out name attr")

--- Reverses the elements along an axis or a table of axes (default: all). flip(x, axis). out, name and attr: as for
-- operators.
function functions.flip(...)
  local o = read_flip(...)
  local x, axes = operand.check("flip", "data", o.data), o.axis
  local ndim = operand.ndim(x)
  if axes == nil then
    axes = {}
    for axis = 0, x.ndim - 1 do axes[axis + 1] = axis end
    if #axes == 0 then return x end
  elseif ndim and type(axes) ~= "string" then             -- MXNet's files store tuples as strings
    axes = operand.axes("flip", "axis", axes, ndim)
  end
  return nd.reverse(x, { axis = axes, out = o.out, name = o.name, attr = o.attr })
end

local read_fliplr, read_flipud = arguments.new("fliplr", { "data" }), arguments.new("flipud", { "data" })

local function flip_side(what, x, axis)
  local ndim = operand.ndim(operand.check(what, "data", x))
  if ndim and ndim <= axis then
    fail("%s: data: expected %d dimension%s or more, got %d", what, axis + 1, axis == 0 and "" or "s", ndim)
  end
  return nd.reverse(x, { axis = axis })
end

--- Reverses the columns (axis 1).
function functions.fliplr(...) return flip_side("fliplr", read_fliplr(...).data, 1) end

--- Reverses the rows (axis 0).
function functions.flipud(...) return flip_side("flipud", read_flipud(...).data, 0) end

local read_rot90 = arguments.new("rot90", { "data", "k", "axes" }, { k = 1, axes = { 0, 1 } })

--- Rotates by 90 degrees, k times, in the plane of two axes, from the first towards the second.
-- rot90(x, k). Options: k (1; negative: the other way), axes ({0, 1}).
function functions.rot90(...)
  local o = read_rot90(...)
  local x = operand.check("rot90", "data", o.data)
  local k, axes = operand.integer("rot90", "k", o.k) % 4, operand.axes("rot90", "axes", o.axes, x.ndim)
  if #axes ~= 2 then fail("rot90: axes: expected two axes, got %d", #axes) end
  local function turned(y) return nd.swapaxes(y, { dim1 = axes[1], dim2 = axes[2] }) end
  if k == 0 then return nd._copy(x) end
  if k == 1 then return turned(nd.reverse(x, { axis = axes[2] })) end
  if k == 2 then return nd.reverse(x, { axis = axes }) end
  return nd.reverse(turned(x), { axis = axes[2] })
end

-- ---- Differences --------------------------------------------------------------------------------------------------

-- Above this n the shape is read, which costs a trace per shape.
local MOST_DIFFERENCES = 1000

-- The number of differences to take, at most the axis's length: then no values are left.
local function differences(x, n, axis)
  if n <= MOST_DIFFERENCES then return n end
  local shape = operand.shape(x)
  local length = shape and shape[axis + 1]
  if not length then fail("diff: n: expected at most %d for a Symbol of unknown shape, got %d", MOST_DIFFERENCES, n) end
  return math.min(n, length)
end

local read_diff = arguments.new("diff", { "data", "n", "axis", "prepend", "append" }, { n = 1, axis = -1 })

-- The values to put before or after x along an axis: an array, or a number for one position.
local function beside(param, value, x, axis)
  if type(value) == "number" then return nd.full_like(operand.part(x, axis, 0, 1), value) end
  return operand.check("diff", param, value)
end

--- The differences x[i + 1] - x[i] of neighbours along an axis, taken n times. diff(x, n, {axis = 0}).
-- Options: n (1), axis (-1), prepend, append: numbers or arrays to put before and after x first.
function functions.diff(...)
  local o = read_diff(...)
  local x, n, axis = operand.check("diff", "data", o.data), operand.integer("diff", "n", o.n, 0), o.axis
  local ndim = operand.ndim(x)
  axis = ndim and operand.axis("diff", "axis", axis, ndim) or operand.integer("diff", "axis", axis)
  if n == 0 then return x end
  if o.prepend or o.append then
    local parts = { x }
    if o.prepend then table.insert(parts, 1, beside("prepend", o.prepend, x, axis)) end
    if o.append then table.insert(parts, beside("append", o.append, x, axis)) end
    x = nd.Concat(parts, { dim = axis })
  end
  for _ = 1, differences(x, n, axis) do x = operand.part(x, axis, 1) - operand.part(x, axis, 0, -1) end
  return x
end

return { functions = functions, no_method = { block = true } }
