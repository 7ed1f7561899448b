-- functions/stack_flip.lua - arrays put together, turned round and compared with their neighbours, as NumPy has it:
-- stacks, meshgrid, flip, rot90, diff.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
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

--- A 0-d array as a vector of one; others as they are. Several arrays give a table.
function functions.atleast_1d(...) return one_or_all(each("atleast_1d", to_1d, ...)) end

--- A vector as a matrix of one row; what has two dimensions or more as it is. Several arrays give a table.
function functions.atleast_2d(...) return one_or_all(each("atleast_2d", to_2d, ...)) end

--- A vector of n as (1, n, 1), a matrix (m, n) as (m, n, 1), others as they are. Several arrays give a table.
function functions.atleast_3d(...) return one_or_all(each("atleast_3d", to_3d, ...)) end

-- ---- Stacks -----------------------------------------------------------------------------------------------

--- Arrays side by side, along axis 1 (vectors: one after the other). hstack{a, b}, or hstack(a, b).
function functions.hstack(...)
  local list = each("hstack", to_1d, ...)
  return nd.Concat(list, { dim = list[1].ndim == 1 and 0 or 1 })
end

--- Arrays below each other, along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
function functions.vstack(...) return nd.Concat(each("vstack", to_2d, ...), { dim = 0 }) end

--- Arrays stacked along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
function functions.dstack(...) return nd.Concat(each("dstack", to_3d, ...), { dim = 2 }) end

--- Vectors as the columns of a matrix, beside the columns of matrices. column_stack{a, b}, or column_stack(a, b).
function functions.column_stack(...)
  local function column(x) return x.ndim < 2 and nd.reshape(x, { shape = { -1, 1 } }) or x end
  return nd.Concat(each("column_stack", column, ...), { dim = 1 })
end

-- ---- meshgrid -----------------------------------------------------------------------------------------------

local read_mesh = arguments.new("meshgrid", { "indexing", "sparse" }, { indexing = "xy", sparse = false })

--- The coordinates of a grid's points: of n vectors a table of n arrays with n axes, array i holding along its own axis
-- the values of vector i. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are swapped, so that x
-- runs along the rows of a picture) or "ij"; sparse (false): leave dimensions of 1 where values repeat.
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

-- ---- Turned round ---------------------------------------------------------------------------------------------

local read_flip = arguments.new("flip", { "data", "axis" })

--- The elements along an axis, or a table of them, in the opposite order; without one, along all. flip(x, axis).
function functions.flip(...)
  local o = read_flip(...)
  local x, axes = operand.check("flip", "data", o.data), o.axis
  local ndim = operand.ndim(x)
  if axes == nil then
    axes = {}
    for axis = 0, x.ndim - 1 do axes[axis + 1] = axis end
    if #axes == 0 then return x end
  elseif ndim and type(axes) ~= "string" then             -- MXNet's files write tuples as strings
    axes = operand.axes("flip", "axis", axes, ndim)
  end
  return nd.reverse(x, { axis = axes })
end

local read_fliplr, read_flipud = arguments.new("fliplr", { "data" }), arguments.new("flipud", { "data" })

local function flip_side(what, x, axis)
  local ndim = operand.ndim(operand.check(what, "data", x))
  if ndim and ndim <= axis then
    fail("%s: data: expected %d dimension%s or more, got %d", what, axis + 1, axis == 0 and "" or "s", ndim)
  end
  return nd.reverse(x, { axis = axis })
end

--- The columns (axis 1) in the opposite order.
function functions.fliplr(...) return flip_side("fliplr", read_fliplr(...).data, 1) end

--- The rows (axis 0) in the opposite order.
function functions.flipud(...) return flip_side("flipud", read_flipud(...).data, 0) end

local read_rot90 = arguments.new("rot90", { "data", "k", "axes" }, { k = 1, axes = { 0, 1 } })

--- Turned by 90 degrees, k times, in the plane of two axes, from the first of them towards the second.
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

-- ---- Neighbours -----------------------------------------------------------------------------------------------

-- Up to this many the shape is not read, since that would make a trace for each shape.
local MOST_DIFFERENCES = 1000

-- How many of n differences along an axis change anything: as many as the axis is long leave no values.
local function differences(x, n, axis)
  if n <= MOST_DIFFERENCES then return n end
  local shape = operand.shape(x)
  local length = shape and shape[axis + 1]
  if not length then fail("diff: n: expected at most %d for a Symbol of unknown shape, got %d", MOST_DIFFERENCES, n) end
  return math.min(n, length)
end

local read_diff = arguments.new("diff", { "data", "n", "axis", "prepend", "append" }, { n = 1, axis = -1 })

-- What is put before or after x along an axis: an array, or a number for one place.
local function beside(param, value, x, axis)
  if type(value) == "number" then return nd.full_like(operand.part(x, axis, 0, 1), value) end
  return operand.check("diff", param, value)
end

--- The differences of neighbours, x[i + 1] - x[i], along an axis, n times over. diff(x, n, {axis = 0}).
-- Options: n (1), axis (-1), prepend, append: numbers or arrays that are put before and after x first.
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

return { functions = functions }
