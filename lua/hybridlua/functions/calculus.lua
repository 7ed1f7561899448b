-- functions/calculus.lua - NumPy's sums and differences of samples: convolve, correlate, trapz, gradient.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local number_arrays = require "hybridlua.functions.number_arrays"
local operand = require "hybridlua.functions.operand_checks"
local nd = require("hybridlua.core").op.nd

local functions = {}

-- ---- Convolutions of vectors ---------------------------------------------------------------------------

-- All sums of products of two vectors, a at least as long as v: element k is the sum over i of a[k + i - m + 1] v[i],
-- where a is 0 outside. By the operator for layers, so the order of the sum is its order.
local function full_correlation(a, v, m)
  local y = nd.Convolution(nd.reshape(a, { shape = { 1, 1, -1 } }), nd.reshape(v, { shape = { 1, 1, -1 } }),
    { kernel = { m }, pad = { m - 1 }, num_filter = 1, no_bias = true })
  return nd.reshape(y, { shape = { -1 } })
end

-- The part of a full result that a mode keeps; n >= m are the lengths.
local function kept(y, mode, n, m)
  if mode == "full" then return y end
  local first = mode == "valid" and m - 1 or (m - 1) // 2
  return operand.part(y, 0, first, first + (mode == "valid" and n - m + 1 or n))
end

local function sides(what, o)
  for _, param in ipairs { "a", "v" } do
    if o[param] == nil then fail("%s: %s: expected a vector, got nothing", what, param) end
  end
  local whole = operand.is_integer(o.a) and operand.is_integer(o.v) and operand.dtype(o.a)
  local a, v = number_arrays.of_one_dtype(o.a, o.v)
  checks.choice(what .. ": mode", o.mode, "full", "same", "valid")
  for param, x in pairs { a = a, v = v } do
    if x.ndim ~= 1 then fail("%s: %s: expected a vector, got %d dimensions", what, param, x.ndim) end
    if x.shape[1] == 0 then fail("%s: %s: expected elements, got none", what, param) end
  end
  local function finish(y) return whole and nd.cast(nd.rint(y), { dtype = whole }) or y end
  return a, v, a.shape[1], v.shape[1], finish
end

local function flipped(x) return nd.reverse(x, { axis = 0 }) end

local read_convolve = arguments.new("convolve", { "a", "v", "mode" }, { mode = "full" })
local read_correlate = arguments.new("correlate", { "a", "v", "mode" }, { mode = "valid" })

--- The convolution of two vectors: element k is the sum over i of a[k - i] v[i]. Options: mode: "full" (all n + m - 1
-- overlaps), "same" (the middle ones, as many as the longer vector has elements), "valid" (complete overlaps).
-- Integers are exact up to 2^53. Differentiable.
function functions.convolve(...)
  local o = read_convolve(...)
  local a, v, n, m, finish = sides("convolve", o)
  if m > n then a, v, n, m = v, a, m, n end
  return finish(kept(full_correlation(a, flipped(v), m), o.mode, n, m))
end

--- The correlation of two vectors: element k is the sum over i of a[k + i] v[i]. Options: mode: "valid" (complete
-- overlaps), "same", "full". Differentiable.
function functions.correlate(...)
  local o = read_correlate(...)
  local a, v, n, m, finish = sides("correlate", o)
  if m > n then return finish(flipped(kept(full_correlation(v, a, n), o.mode, m, n))) end
  return finish(kept(full_correlation(a, v, m), o.mode, n, m))
end

-- ---- Integrals ---------------------------------------------------------------------------------------------

-- The axis, counted from the front if the number of dimensions is known.
local function axis_of(what, axis, x)
  local ndim = operand.ndim(x)
  return ndim and operand.axis(what, "axis", axis, ndim) or operand.integer(what, "axis", axis)
end

-- A vector of values along an axis of x, in a shape that broadcasts with x.
local function along(v, x, axis)
  local shape = {}
  for i = 1, x.ndim do shape[i] = i == axis % x.ndim + 1 and -1 or 1 end
  return nd.reshape(v, { shape = shape })
end

local function trapz_reader(what) return arguments.new(what, { "y", "x", "dx", "axis" }, { dx = 1, axis = -1 }) end
local read_trapz, read_trapezoid = trapz_reader "trapz", trapz_reader "trapezoid"

local function trapezoids(what, o)
  local y = operand.in_floats(operand.check(what, "y", o.y))
  local axis, width = axis_of(what, o.axis, y), nil
  if o.x ~= nil then
    local x
    y, x = number_arrays.of_one_dtype(y, o.x)
    if x.ndim == 1 and y.ndim > 1 then
      width = along(nd.diff(x), y, axis)
    else
      width = nd.diff(x, { axis = axis })
    end
  end
  local pairs_of = operand.part(y, axis, 1) + operand.part(y, axis, 0, -1)
  if width then return nd.sum(nd.broadcast_mul(width, pairs_of) / 2, { axis = axis }) end
  return nd.sum(pairs_of * checks.number(what .. ": dx", o.dx) / 2, { axis = axis })
end

--- The integral of samples y along an axis by the trapezoidal rule. Options: x (where the samples are: a vector, or
-- y's shape), dx (1: the distance between samples, if there is no x), axis (-1). Differentiable.
function functions.trapz(...) return trapezoids("trapz", read_trapz(...)) end

--- trapz by NumPy 2's name.
function functions.trapezoid(...) return trapezoids("trapezoid", read_trapezoid(...)) end

-- ---- Differences of samples ----------------------------------------------------------------------------------

local piece = operand.part

-- Element i along an axis, counted from the end if negative, with the axis kept.
local function element(x, axis, i) return piece(x, axis, i, i ~= -1 and i + 1 or nil) end

-- Derivatives of equidistant samples.
local function even_gradient(f, h, axis, order)
  local function at(i) return element(f, axis, i) end
  local inner = (piece(f, axis, 2) - piece(f, axis, 0, -2)) / (2 * h)
  local first, last
  if order == 1 then
    first, last = (at(1) - at(0)) / h, (at(-1) - at(-2)) / h
  else
    first = (at(0) * -1.5 + at(1) * 2 + at(2) * -0.5) / h
    last = (at(-1) * 1.5 + at(-2) * -2 + at(-3) * 0.5) / h
  end
  return nd.concat(first, inner, last, { dim = axis })
end

-- Derivatives of samples at the places x, of second order inside (B. Fornberg, "Generation of finite difference
-- formulas on arbitrarily spaced grids", 1988).
local function uneven_gradient(f, x, axis, order)
  local d = nd.diff(x)
  local function width(i) return along(element(d, 0, i), f, axis) end
  local function at(i) return element(f, axis, i) end
  local d1, d2 = along(piece(d, 0, 0, -1), f, axis), along(piece(d, 0, 1), f, axis)
  local mul, div = nd.broadcast_mul, nd.broadcast_div
  local inner = mul(piece(f, axis, 0, -2), -d2 / (d1 * (d1 + d2))) + mul(piece(f, axis, 1, -1), (d2 - d1) / (d1 * d2)) +
    mul(piece(f, axis, 2), d1 / (d2 * (d1 + d2)))
  local first, last
  if order == 1 then
    first, last = div(at(1) - at(0), width(0)), div(at(-1) - at(-2), width(-1))
  else
    local p, q = width(0), width(1)
    first = mul(at(0), -(p * 2 + q) / (p * (p + q))) + mul(at(1), (p + q) / (p * q)) - mul(at(2), p / (q * (p + q)))
    p, q = width(-2), width(-1)
    last = mul(at(-3), q / (p * (p + q))) - mul(at(-2), (p + q) / (p * q)) + mul(at(-1), (q * 2 + p) / (q * (p + q)))
  end
  return nd.concat(first, inner, last, { dim = axis })
end

local read_gradient = arguments.new("gradient", { "axis", "edge_order" }, { edge_order = 1 })

-- Splits the arguments of a call f, spacing ..., {options}.
local function gradient_arguments(...)
  local args = table.pack(...)
  local last = args[args.n]
  local options = {}
  if type(last) == "table" and not operand.is(last) and #last == 0 then
    options, args.n = last, args.n - 1
  end
  return args, read_gradient(options)
end

local function one_gradient(f, spacing, axis, order, i)
  if type(spacing) == "number" then
    if spacing == 0 then fail("gradient: spacing %d: expected a number other than 0, got 0", i) end
    return even_gradient(f, spacing, axis, order)
  end
  local n = f.shape[axis + 1]
  f, spacing = number_arrays.of_one_dtype(f, spacing)
  if spacing.ndim ~= 1 or spacing.shape[1] ~= n then
    fail("gradient: spacing %d: expected a number, or %d places, as many as elements along axis %d, got shape %s", i, n,
      axis, tostring(spacing.shape))
  end
  return uneven_gradient(f, spacing, axis, order)
end

--- The derivatives of samples f: central differences inside, one-sided ones at the ends. gradient(f), gradient(f, h),
-- gradient(f, hx, hy): one spacing for all axes (1), or one for each, a number or the places (an array or a table).
-- Options: axis (a number or a table; all), edge_order (1; 2 for second order at the ends). Returns an array for each
-- axis, in a table if there are several. Differentiable.
function functions.gradient(...)
  local args, o = gradient_arguments(...)
  local f = operand.in_floats(operand.check("gradient", "f", args[1]))
  local axes = o.axis
  if axes == nil then
    axes = {}
    for i = 1, f.ndim do axes[i] = i - 1 end
  end
  axes = operand.axes("gradient", "axis", axes, f.ndim)
  local given = args.n - 1
  if given > 1 and given ~= #axes then
    fail("gradient: spacing: expected one, or one for each of %d axes, got %d", #axes, given)
  end
  if o.edge_order ~= 1 and o.edge_order ~= 2 then
    fail("gradient: edge_order: expected 1 or 2, got %s", operand.got(o.edge_order))
  end
  local results = {}
  for i, axis in ipairs(axes) do
    local n = f.shape[axis + 1]
    if n <= o.edge_order then
      fail("gradient: f: expected %d or more elements along axis %d, got %d", o.edge_order + 1, axis, n)
    end
    local spacing = given == 0 and 1 or given == 1 and args[2] or args[i + 1]
    results[i] = one_gradient(f, spacing, axis, o.edge_order, i - 1)
  end
  return #results == 1 and results[1] or results
end

return { functions = functions, no_method = { gradient = true } }
