-- test_utils/samples.lua - random arrays and shapes for tests, from the library's random stream: hl.random.seed repeats
-- them. Shapes are tables.
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

arguments.functions(samples, "test_utils.", {
  random_sample = "population[] k", rand_shape_2d = "dim0 dim1 allow_zero_size",
  rand_ndarray = "shape[] stype density dtype modifier_func shuffle_csr_indices distribution ctx",
  rand_shape_3d = "dim0 dim1 dim2 allow_zero_size", rand_shape_nd = "num_dim dim allow_zero_size",
  rand_coord_2d = "x_low x_high y_low y_high",
})

return samples
