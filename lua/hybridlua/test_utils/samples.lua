-- test_utils/samples.lua - arrays and shapes for tests, random ones from the library's random stream: hl.random.seed
-- repeats them. Shapes are tables.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_plain = core.script.is_plain

local nd = core.op.nd
local samples = {}

-- A random integer of low or more and high or less.
local function integer(low, high)
  return math.tointeger(nd.random.randint(low, high + 1, { shape = { 1 }, dtype = "int64" }):asscalar())
end

local function check_shape(what, shape)
  if not is_plain(shape) then fail("%s: expected a shape, got %s", what, type(shape)) end
  for _, d in ipairs(shape) do checks.whole(what, d, 0) end
  return shape
end

local function arrays_of(who, shapes, draw)
  local arrays = {}
  for i, shape in ipairs(shapes) do arrays[i] = draw(check_shape(("%s: shape %d"):format(who, i), shape)) end
  return arrays
end

--- random_arrays(shape, ...): normally distributed float32 arrays of these shapes, as a list; for one shape the array
-- itself.
function samples.random_arrays(...)
  local first = ...
  if is_plain(first) and next(first) ~= nil and #first == 0 then
    fail("random_arrays: unknown option '%s'; it takes shapes", tostring((next(first))))
  end
  local arrays = arrays_of("random_arrays", { ... }, function(shape) return nd.random.normal { shape = shape } end)
  if #arrays == 1 then return arrays[1] end
  return arrays
end

--- random_uniform_arrays(shape, ..., {low = 0, high = 1, dtype = "float32"}): a list of uniformly distributed arrays.
function samples.random_uniform_arrays(...)
  local shapes = { ... }
  local options, given = { low = 0, high = 1, dtype = "float32" }, shapes[#shapes]
  if is_plain(given) and next(given) ~= nil and #given == 0 then
    for key, value in pairs(table.remove(shapes)) do
      if options[key] == nil then
        fail("random_uniform_arrays: unknown option '%s'; it takes low, high, dtype", tostring(key))
      end
      options[key] = value
    end
  end
  return arrays_of("random_uniform_arrays", shapes, function(shape)
    return nd.random.uniform(options.low, options.high, { shape = shape, dtype = options.dtype })
  end)
end

--- random_sample(population, k): k elements of a list, each at most once, in random order.
function samples.random_sample(population, k)
  if not is_plain(population) then
    fail("random_sample: population: expected a list, got %s", type(population))
  end
  k = checks.whole("random_sample: k", k, 0)
  if k > #population then fail("random_sample: k: expected %d or less, got %d", #population, k) end
  local list = table.move(population, 1, #population, 1, {})
  for i = 1, k do
    local at = integer(i, #list)
    list[i], list[at] = list[at], list[i]
  end
  return table.move(list, 1, k, 1, {})
end

--- rand_ndarray(shape, stype = "default", {dtype = "float32", ctx =}): a normally distributed array. Errors: a sparse
-- stype, which does not exist here.
function samples.rand_ndarray(shape, stype, _, dtype, _, _, _, ctx)
  check_shape("rand_ndarray: shape", shape)
  if stype ~= nil and stype ~= "default" then
    fail("rand_ndarray: stype: expected 'default', got '%s'; there are no sparse arrays", tostring(stype))
  end
  local x = nd.random.normal { shape = shape, ctx = ctx }
  return dtype and x:astype(dtype) or x
end

local function shape_of(who, sizes, zero)
  local shape = {}
  for i, size in ipairs(sizes) do shape[i] = integer(zero and 0 or 1, checks.whole(who, size, 1)) end
  return shape
end

--- rand_shape_2d(dim0 = 10, dim1 = 10, allow_zero_size = false): a random shape of two dimensions, each from 1 (or 0)
-- to its limit.
function samples.rand_shape_2d(dim0, dim1, allow_zero_size)
  return shape_of("rand_shape_2d", { dim0 or 10, dim1 or 10 }, allow_zero_size)
end

--- rand_shape_3d(dim0 = 10, dim1 = 10, dim2 = 10, allow_zero_size = false): the same with three dimensions.
function samples.rand_shape_3d(dim0, dim1, dim2, allow_zero_size)
  return shape_of("rand_shape_3d", { dim0 or 10, dim1 or 10, dim2 or 10 }, allow_zero_size)
end

--- rand_shape_nd(num_dim, dim = 10, allow_zero_size = false): the same with num_dim dimensions of at most `dim`.
function samples.rand_shape_nd(num_dim, dim, allow_zero_size)
  local sizes = {}
  for i = 1, checks.whole("rand_shape_nd: num_dim", num_dim, 0) do sizes[i] = dim or 10 end
  return shape_of("rand_shape_nd", sizes, allow_zero_size)
end

--- rand_coord_2d(x_low, x_high, y_low, y_high): two random integers; the upper limits are excluded.
function samples.rand_coord_2d(x_low, x_high, y_low, y_high)
  local function within(low, high)
    return integer(checks.whole("rand_coord_2d", low), checks.whole("rand_coord_2d", high) - 1)
  end
  return within(x_low, x_high), within(y_low, y_high)
end

--- create_2d_tensor(rows, columns, dtype = "int64"): row i has the number i in each column.
function samples.create_2d_tensor(rows, columns, dtype)
  return nd.broadcast_to(samples.create_vector(rows, dtype):reshape { -1, 1 }, { rows, columns })
end

--- create_vector(size, dtype = "int64"): the numbers from 0 to size - 1.
function samples.create_vector(size, dtype) return nd.arange(0, size, { dtype = dtype or "int64" }) end

-- ---- Computed arrays ----------------------------------------------------------------------------------------------

local function as_array(what, x) return is_plain(x) and nd.array(x) or checks.array(what, x) end

--- assign_each(the_input, fn): the array of fn(value) for each value of an array; fn nil: a copy.
function samples.assign_each(the_input, fn)
  local x, values = as_array("assign_each: the_input", the_input), {}
  if fn == nil then return x:copy() end
  checks.callable("assign_each: function", fn, "a number")
  for i, value in ipairs(x:reshape({ -1 }):totable()) do values[i] = fn(value) end
  return nd.array(values, { dtype = "float64" }):reshape(x.shape)
end

--- assign_each2(input1, input2, fn): the array of fn(value1, value2) for two arrays of one shape.
function samples.assign_each2(input1, input2, fn)
  local x, y, at = as_array("assign_each2: input1", input1), as_array("assign_each2: input2", input2), 0
  if x.shape ~= y.shape then
    fail("assign_each2: input2: expected shape %s, got %s", tostring(x.shape), tostring(y.shape))
  end
  local others = y:reshape({ -1 }):totable()
  return samples.assign_each(x, fn and function(value)
    at = at + 1
    return fn(value, others[at])
  end)
end

--- collapse_sum_like(a, shape): the sum of a over the axes along which an array of this shape is repeated when it is
-- broadcast to a. Errors: a shape that does not broadcast to a's.
function samples.collapse_sum_like(a, shape)
  checks.array("collapse_sum_like: a", a)
  check_shape("collapse_sum_like: shape", shape)
  local axes, more = {}, a.ndim - #shape
  for i = 1, a.ndim do
    local d = shape[i - more] or 1
    if more < 0 or d ~= 1 and d ~= a.shape[i] then
      fail("collapse_sum_like: shape: expected one that broadcasts to %s", tostring(a.shape))
    end
    if i <= more or d ~= a.shape[i] then axes[#axes + 1] = i - 1 end
  end
  return (#axes > 0 and nd.sum(a, { axis = axes }) or a):reshape(shape)
end

arguments.functions(samples, "test_utils.", {
  random_sample = "population[] k", rand_shape_2d = "dim0 dim1 allow_zero_size",
  rand_ndarray = "shape[] stype density dtype modifier_func shuffle_csr_indices distribution ctx",
  rand_shape_3d = "dim0 dim1 dim2 allow_zero_size", rand_shape_nd = "num_dim dim allow_zero_size",
  rand_coord_2d = "x_low x_high y_low y_high", create_2d_tensor = "rows columns dtype", create_vector = "size dtype",
  assign_each = "the_input function", assign_each2 = "input1 input2 function", collapse_sum_like = "a shape[]",
})

return samples
