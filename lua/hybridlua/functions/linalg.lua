-- linalg.lua - linear algebra written on top of operators, in nd.linalg and sym.linalg: norm, cond, matrix_power,
-- multi_dot, lstsq, tensorinv, tensorsolve. They mean what they do in NumPy.
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local is_array = core.array.is
local nd = core.op.nd

local functions = {}

local INF = math.huge

local function check_operand(what, param, x) return operand.check("linalg." .. what, param, x) end

local shown = operand.got

local function sum_of_power(x, p, axis, keepdims)
  return nd.sum(nd.abs(x) ^ p, { axis = axis, keepdims = keepdims }) ^ (1 / p)
end

local function vector_norm(x, ord, axis, keepdims)
  local options = { axis = axis, keepdims = keepdims }
  if ord == INF then return nd.max(nd.abs(x), options)
  elseif ord == -INF then return nd.min(nd.abs(x), options)
  elseif ord == 0 then return nd.sum(nd._not_equal_scalar(x, 0), options)
  elseif ord == nil or ord == 2 then return nd.norm(x, { ord = 2, axis = axis, keepdims = keepdims })
  elseif ord == 1 then return nd.sum(nd.abs(x), options)
  elseif type(ord) ~= "number" then
    fail("linalg.norm: ord: expected a number, math.huge or -math.huge for norms of vectors, got %s", shown(ord))
  end
  return sum_of_power(x, ord, axis, keepdims)
end

-- The axes of rows and columns, counted from 0, or nil if they are the last two.
local function matrix_axes(x, row, column)
  if row == -2 and column == -1 then return nil end
  local ndim = x.ndim
  for _, axis in ipairs { row, column } do
    if math.type(axis) ~= "integer" or axis < -ndim or axis >= ndim then
      fail("linalg.norm: axis: expected axes from %d to %d, got %s", -ndim, ndim - 1, tostring(axis))
    end
  end
  row, column = row % ndim, column % ndim
  if row == column then fail("linalg.norm: axis: expected two different axes, got %d twice", row) end
  if row == ndim - 2 and column == ndim - 1 then return nil end
  return { row, column }
end

-- Applies `reduce` (a name in nd) to the singular values.
local function singular_norm(x, reduce, row, column, keepdims)
  local axes = matrix_axes(x, row, column)
  if axes then x = nd.moveaxis(x, axes, { -2, -1 }) end
  local s = nd[reduce](nd.linalg.svd(x, { compute_uv = false }), { axis = -1, keepdims = keepdims })
  if not keepdims then return s end
  s = nd.expand_dims(s, { axis = -1 })
  return axes and nd.moveaxis(s, { -2, -1 }, axes) or s
end

-- The largest or smallest of the sums of absolute values along one axis.
local function greatest_sum(x, reduce, along, row, column, keepdims)
  matrix_axes(x, row, column)
  local sums = nd.sum(nd.abs(x), { axis = along, keepdims = true })
  return nd[reduce](sums, { axis = { row, column }, keepdims = keepdims })
end

local SINGULAR = { nuc = "sum", [2] = "max", [-2] = "min" }          -- reductions of singular values, by norm

local function matrix_norm(x, ord, row, column, keepdims)
  if ord == nil or ord == "fro" or ord == "f" then
    matrix_axes(x, row, column)
    return nd.norm(x, { ord = 2, axis = { row, column }, keepdims = keepdims })
  end
  if SINGULAR[ord] then return singular_norm(x, SINGULAR[ord], row, column, keepdims) end
  local along = (ord == 1 or ord == -1) and row or (ord == INF or ord == -INF) and column
  if along then return greatest_sum(x, ord > 0 and "max" or "min", along, row, column, keepdims) end
  fail("linalg.norm: ord: expected 'fro', 'nuc', 1, -1, 2, -2, math.huge or -math.huge for norms of matrices, got %s",
    shown(ord))
end

local read_norm = arguments.new("linalg.norm", { "x", "ord", "axis", "keepdims" }, { keepdims = false })

--- The norm of vectors or matrices. axis: a number for vectors, two for matrices ({0, 1}). Without axis, x is one
-- vector or one matrix; without ord as well, any x is taken as one vector. ord: nil (2; for matrices 'fro'), a number p
-- (the p-th root of the sum of |x|^p), math.huge (the largest |x|), -math.huge (the smallest), 0 (the number of nonzero
-- elements). For matrices: 'fro' (the root of the sum of squares), 'nuc' (the sum of the singular values), 1 (the
-- largest column sum), -1, 2 (the largest singular value), -2, math.huge (the largest row sum), -math.huge. keepdims
-- (false): keep the reduced axes with size 1.
function functions.norm(...)
  local a = read_norm(...)
  local x, ord, axis, keepdims = a.x, a.ord, a.axis, a.keepdims
  check_operand("norm", "x", x)
  if ord == "inf" then ord = INF elseif ord == "-inf" then ord = -INF end
  if type(axis) == "table" and #axis == 1 then axis = axis[1] end
  if type(axis) == "table" then
    if #axis ~= 2 then fail("linalg.norm: axis: expected one axis or two, got %d", #axis) end
    return matrix_norm(x, ord, axis[1], axis[2], keepdims)
  elseif axis ~= nil then
    return vector_norm(x, ord, axis, keepdims)
  elseif ord == nil then
    return nd.norm(x, { ord = 2, keepdims = keepdims })
  end
  local ndim = x.ndim
  if ndim == 1 then return vector_norm(x, ord, 0, keepdims) end
  if ndim == 2 then return matrix_norm(x, ord, -2, -1, keepdims) end
  fail("linalg.norm: axis: expected one axis or two, as x is neither a vector nor a matrix but has %d dimensions, " ..
    "got nil", ndim)
end

local read_cond = arguments.new("linalg.cond", { "x", "p" })

--- The condition numbers of matrices: norm(x) norm(inverse of x), with the norm p ('fro', 'nuc', 1, -1, 2, -2,
-- math.huge, -math.huge; nil is 2). With 2 and -2 it uses singular values, so x need not be square.
function functions.cond(...)
  local a = read_cond(...)
  local x, p = a.x, a.p
  check_operand("cond", "x", x)
  if p == nil or p == 2 or p == -2 then
    local s = nd.linalg.svd(x, { compute_uv = false })
    local most, least = nd.max(s, { axis = -1 }), nd.min(s, { axis = -1 })
    if p == -2 then return least / most end
    return most / least
  end
  return functions.norm(x, p, { -2, -1 }) * functions.norm(nd.linalg.inverse(x), p, { -2, -1 })
end

local function product(x, y) return nd.linalg.gemm2(x, y) end

local read_power = arguments.new("linalg.matrix_power", { "a", "n" })

--- Square matrices to an integer power n; a negative n uses the inverse.
function functions.matrix_power(...)
  local a = read_power(...)
  local x, n = a.a, a.n
  check_operand("matrix_power", "a", x)
  if math.type(n) ~= "integer" then fail("linalg.matrix_power: n: expected an integer, got %s", shown(n)) end
  if n == 0 then return nd.linalg.makediag(nd.ones_like(nd.linalg.extractdiag(x))) end
  if n == math.mininteger then fail("linalg.matrix_power: n: expected a greater integer, got %d", n) end
  if n < 0 then x, n = nd.linalg.inverse(x), -n end
  local result
  while true do
    if n % 2 == 1 then result = result and product(result, x) or x end
    n = n // 2
    if n == 0 then break end
    x = product(x, x)
  end
  if result == a.a then return nd.identity(x) end
  return result
end

-- Where to split the product of matrices i to j for the fewest multiplications; matrix i is (size[i], size[i + 1]).
-- T. Cormen et al., "Introduction to Algorithms", 15.2.
local function find_splits(size)
  local n, cost, split = #size - 1, {}, {}
  for i = 1, n do cost[i], split[i] = { [i] = 0 }, {} end
  for length = 1, n - 1 do
    for i = 1, n - length do
      local j = i + length
      cost[i][j] = INF
      for k = i, j - 1 do
        local c = cost[i][k] + cost[k + 1][j] + size[i] * size[k + 1] * size[j + 1]
        if c < cost[i][j] then cost[i][j], split[i][j] = c, k end
      end
    end
  end
  return split
end

local read_multi = arguments.new("linalg.multi_dot", { "arrays" }, {}, true)

--- The product of a table of matrices, in the order with the fewest multiplications. The first may be a vector (a row),
-- and so may the last (a column).
function functions.multi_dot(...)
  local list = read_multi(...).arrays
  if type(list) ~= "table" or #list < 2 then
    fail("linalg.multi_dot: arrays: expected a table of two or more arrays")
  end
  local size, n = {}, #list
  for i, x in ipairs(list) do
    check_operand("multi_dot", "arrays", x)
    local shape = x.shape
    local least = (i == 1 or i == n) and 1 or 2
    if #shape < least or #shape > 2 then
      fail("linalg.multi_dot: arrays: expected matrices, the first and last may be vectors, got %d dimensions " ..
        "(number %d)", #shape, i)
    end
    if i == 1 then size[1] = #shape == 2 and shape[1] or 1 end
    size[i + 1] = i == n and #shape == 1 and 1 or shape[#shape]
  end
  local split = find_splits(size)
  local function multiply(i, j)
    if i == j then return list[i] end
    return nd.dot(multiply(i, split[i][j]), multiply(split[i][j] + 1, j))
  end
  return multiply(1, n)
end

-- The singular values of a, as result[4], computed on first access: they take longer than all the rest.
local function with_values(result, a)
  local function values() return nd.linalg.svd(a, { compute_uv = false }) end
  if not is_array(result[1]) or autograd.is_recording() then
    result[4] = values()
    return result
  end
  a = a:copy()
  local function complete(t)
    setmetatable(t, nil)
    t[4] = values()
    return t
  end
  return setmetatable(result, {
    __index = function(t, key) if key == 4 then return complete(t)[4] end end,
    __len = function() return 4 end,
    __pairs = function(t) return next, complete(t) end,
  })
end

local read_lstsq = arguments.new("linalg.lstsq", { "a", "b", "rcond" })

--- Least squares: the x of least |a x - b|, and among several the shortest. a is (m, n), b (m) or (m, k); leading axes
-- of both are a batch of problems. rcond: singular values up to this times the largest count as 0. Its default is the
-- precision of the dtype times max(m, n); -1 means the precision. A matrix of clearly full rank is solved by QR, any
-- other by singular values. Returns {x, residuals, rank, s}. residuals are the sums of squared residuals, (k); they are
-- empty if m <= n or, for a single problem outside graphs, if the rank is less than n. rank is int64. s, the singular
-- values of a, is computed on first access. x has a gradient.
function functions.lstsq(...)
  local o = read_lstsq(...)
  local a = o.a
  check_operand("lstsq", "a", a)
  check_operand("lstsq", "b", o.b)
  local result = nd._linalg_lstsq(a, o.b, { rcond = o.rcond })
  if is_array(result[1]) and a.ndim == 2 and result[2].size > 0 and result[3]:asscalar() < a.shape[2] then
    result[2] = result[2]["0:0"]
  end
  return with_values(result, a)
end

local function size_of(shape, first, last)
  local n = 1
  for i = first, last do n = n * shape[i] end
  return n
end

local read_tensorinv = arguments.new("linalg.tensorinv", { "a", "ind" }, { ind = 2 })

--- The inverse of an array for tensordot: the first ind (2) axes of a are the rows of a square matrix, the others its
-- columns.
function functions.tensorinv(...)
  local a = read_tensorinv(...)
  check_operand("tensorinv", "a", a.a)
  local shape, ind = a.a.shape, a.ind
  if math.type(ind) ~= "integer" or ind < 1 or ind > #shape then
    fail("linalg.tensorinv: ind: expected an integer from 1 to %d, the number of axes, got %s", #shape, shown(ind))
  end
  local rows = size_of(shape, 1, ind)
  local back = table.move(shape, 1, ind, #shape - ind + 1, table.move(shape, ind + 1, #shape, 1, {}))
  return nd.linalg.inverse(a.a:reshape { rows, size_of(shape, ind + 1, #shape) }):reshape(back)
end

local read_tensorsolve = arguments.new("linalg.tensorsolve", { "a", "b", "axes" })

--- Solves tensordot(a, x, x.ndim) = b for x: the first axes of a match those of b, the others those of x. axes: axes of
-- a to move to the end first.
function functions.tensorsolve(...)
  local o = read_tensorsolve(...)
  local a, b = o.a, o.b
  check_operand("tensorsolve", "a", a)
  check_operand("tensorsolve", "b", b)
  if o.axes then
    local places = {}
    if type(o.axes) ~= "table" then o.axes = { o.axes } end
    for i = 1, #o.axes do places[i] = i - 1 - #o.axes end
    a = nd.moveaxis(a, o.axes, places)
  end
  local shape, n = a.shape, b.ndim
  local x_shape = table.move(shape, n + 1, #shape, 1, {})
  local unknowns = size_of(shape, n + 1, #shape)
  return nd.linalg.solve(a:reshape { size_of(shape, 1, n), unknowns }, b:reshape { -1 }):reshape(x_shape)
end

return { namespace = "linalg", functions = functions }
