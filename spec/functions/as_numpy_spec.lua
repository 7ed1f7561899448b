-- as_numpy_spec.lua - functions of np, nd, optimize and integrate: what NumPy 2 and SciPy give for random arguments
-- (spec/oracle/numpy_cases.py), gradients against finite differences, and the same bits in compiled code.
local hl = require "hybridlua"
local calls = require "support.call_cases"
local nd, np, autograd = hl.nd, hl.np, hl.autograd
local is_array, flat = calls.is_array, calls.flat

-- Of the largest element of a result.
local TOLERANCE = { float64 = 1e-11, float32 = 1e-5 }

-- ---- Functions that cases name ------------------------------------------------------------------------------------

local sq = nd.square
local functions = {
  rosenbrock = function(x) return 100 * sq(x[1] - sq(x[0])) + sq(1 - x[0]) end,
  himmelblau = function(x) return sq(sq(x[0]) + x[1] - 11) + sq(x[0] + sq(x[1]) - 7) end,
  bowl = function(x) return nd.sum(sq(x - 1.5) * nd.arange(1, x.size + 1, { dtype = "float64" })) end,
  system = function(x) return { x[0] * nd.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5 } end,
  residuals = function(x) return { 10 * (x[1] - sq(x[0])), 1 - x[0], x[0] * x[1] - 1 } end,
  decay = function(x, a, b, c) return a * nd.exp(-b * x) + c end,
  line = function(x, a, b) return a * x + b end,
  bell = function(x) return nd.exp(-sq(x)) end,
  wave = function(x) return nd.sin(x) * x end,
  root_of = function(x) return nd.sqrt(x) end,
  pendulum = function(y) return { y[1], -0.25 * y[1] - 5 * nd.sin(y[0]) } end,
  decaying = function(y, t) return -0.5 * y + math.sin(t) end,
  predator = function(_, y) return { 1.5 * y[0] - y[0] * y[1], -3 * y[1] + y[0] * y[1] } end,
}

-- What a case compares of a result that is a table.
local FIELD = { ["optimize.minimize"] = "x", ["optimize.root"] = "x", ["optimize.least_squares"] = "x",
  ["integrate.solve_ivp"] = "y" }

-- ---- Values -----------------------------------------------------------------------------------------------------

local function numbers(x) return x:as_nd_ndarray():astype("float64"):reshape { shape = { -1 } } end

local function shape_of(x) return table.move(x.shape, 1, #x.shape, 1, {}) end

-- Two arrays of the same shape, or one is nd's number of shape (1,), within a tolerance.
local function compare(what, got, want, tolerance, flags)
  if type(want) == "table" then
    assert.is_table(got, what)
    assert.equal(#want, #got, what)
    for i = 1, #want do compare(("%s, result %d"):format(what, i), got[i], want[i], tolerance, flags) end
    return
  end
  if not is_array(got) then got = np.array(got, { dtype = "float64" }) end
  if not (#want.shape == 0 and got.size == 1 and what:find "^nd" or what:find "^integrate.quad") then
    assert.same(shape_of(want), shape_of(got), what)
  end
  if want.dtype == "bool" then assert.equal("bool", got.dtype, what) end
  if want.size == 0 then return end
  local a, b = numbers(got), numbers(want)
  if flags:find "abs" then a, b = nd.abs(a), nd.abs(b) end
  if flags:find "sort" then a, b = nd.sort(a), nd.sort(b) end
  local finite = nd.where(nd.isfinite(b), b, nd.zeros_like(b))
  local scale = math.max(nd.abs(finite):max():asscalar(), 1e-3)
  assert.is_true(a:almost_equal(b, 0, tolerance * scale, { equal_nan = true }),
    ("%s: %s is not %s"):format(what, got, want))
end

-- Arguments with every float64 array as float32.
local function narrow(args)
  local out = { n = args.n }
  for key, item in pairs(args) do
    if is_array(item) then out[key] = item.dtype == "float64" and item:astype "float32" or item
    elseif type(item) == "table" then out[key] = narrow(item)
    else out[key] = item == "float64" and "float32" or item end
  end
  return out
end

-- ---- Gradients -----------------------------------------------------------------------------------------------------

-- Fixed numbers in place of random ones, like x.
local function wave_like(x, phase)
  return nd.cos(nd.arange(1, x.size + 1, { dtype = "float64" }) * 1.7 + phase):reshape { shape = shape_of(x) }
end

-- A number that depends on every element of the floats among a function's results.
local function weighed(fn, places, arrays)
  local args = calls.put_in(places, arrays)
  local total
  for i, y in ipairs(flat(fn(table.unpack(args, 1, args.n)), {})) do
    if y.dtype == "float64" then
      y = y:as_nd_ndarray()
      y = nd.where(nd.isfinite(y), y, nd.zeros_like(y))
      local part = nd.sum(y * wave_like(y, i))
      total = total and total + part or part
    end
  end
  return total
end

local function gradients(fn, places, arrays)
  for _, x in ipairs(arrays) do if x.dtype == "float64" then x:attach_grad() end end
  local y = autograd.record(function() return weighed(fn, places, arrays) end)
  y:backward()
  local list = {}
  for i, x in ipairs(arrays) do list[i] = x.dtype == "float64" and x.grad:copy() or false end
  return list
end

-- The slope of each gradient along a direction is the difference of two values. fixed: digits of the arrays without a
-- gradient; symmetric: the arrays are symmetric matrices, also after the step.
local function check_gradients(what, fn, places, arrays, fixed, symmetric)
  local H = 1e-5
  for i, g in ipairs(gradients(fn, places, arrays)) do
    if g and not fixed:find(i - 1, 1, true) then
      local x = arrays[i]
      local direction = wave_like(x, 0.5)
      if symmetric then direction = direction + nd.swapaxes(direction, -1, -2) end
      local function at(step)
        local moved = table.move(arrays, 1, #arrays, 1, {})
        local y = x:as_nd_ndarray() + direction * step
        moved[i] = hl.isinstance(x, np.ndarray) and y:as_np_ndarray() or y
        return weighed(fn, places, moved):asscalar()
      end
      local want = (at(H) - at(-H)) / (2 * H)
      local slope = g:as_nd_ndarray() * direction
      local got = nd.where(nd.isfinite(slope), slope, nd.zeros_like(slope)):sum():asscalar()
      local scale = math.max(1, math.abs(want), math.abs(at(0)))
      assert.is_true(math.abs(got - want) <= 1e-6 * scale, ("%s: gradient of operand %d: the slope is %g, its \z
        difference %g"):format(what, i - 1, got, want))
    end
  end
end

-- ---- Compiled -------------------------------------------------------------------------------------------------------

-- Shapes depend on values, or values are read: eager only, as their pages say.
local EAGER = {}
for name in ([[np.nonzero np.argwhere np.flatnonzero np.trim_zeros np.unique np.union1d np.intersect1d np.setdiff1d
  np.setxor1d np.bincount np.histogram2d np.compress np.extract np.delete np.insert np.choose np.tril_indices_from
  np.triu_indices_from np.diag_indices_from np.histogram np.histogram_bin_edges np.roots]]):gmatch "%S+" do
  EAGER[name] = true
end

local function same_bits(what, want, got)
  assert.equal(#want, #got, what)
  for i, x in ipairs(want) do
    if x then
      assert.equal(x.dtype, got[i].dtype, what)
      assert.same(shape_of(x), shape_of(got[i]), what)
      assert.is_true(x:tobytes() == got[i]:tobytes(), what .. ": other bits in compiled code")
    end
  end
end

local function check_compiled(name, what, fn, places, arrays, with_gradients)
  local compiled = hl.compile(function(_, ...)
    local now = calls.put_in(places, { ... })
    return fn(table.unpack(now, 1, now.n))
  end)
  local args = calls.put_in(places, arrays)
  local want = flat(fn(table.unpack(args, 1, args.n)), {})
  local ok, got = pcall(compiled, table.unpack(arrays))
  if not ok then
    assert.is_true(EAGER[name] ~= nil and got:find "depends on values" ~= nil, got)
    return
  end
  same_bits(what, want, flat(got, {}))
  if not with_gradients then return end
  local as_is = {}
  for i = 1, #arrays do as_is[i] = { place = i } end
  same_bits(what .. ": gradient", gradients(fn, places, arrays), gradients(compiled, as_is, arrays))
end

-- ---- The cases ------------------------------------------------------------------------------------------------------

local names, by_name = calls.open "spec/oracle/numpy_cases.txt"

describe("As NumPy 2 and SciPy, also compiled:", function()
  for _, name in ipairs(names) do
    it(name, function()
      local fn = calls.find(name)
      local field = FIELD[name]
      for number, line in ipairs(by_name[name]) do
        local what = ("%s, case %d"):format(name, number)
        local args, want, flags = calls.read(line, functions)
        local results = table.pack(fn(table.unpack(args, 1, args.n)))
        local got = field and results[1][field] or type(want) == "table" and results.n > 1 and results or results[1]
        local stated = tonumber(flags:match "1e%-%d+")
        compare(what, got, want, stated or TOLERANCE.float64, flags)
        local plain = not name:find "^optimize" and not name:find "^integrate"
        if plain and not flags:find "w" then
          local single = narrow(args)
          compare(what .. " in float32", fn(table.unpack(single, 1, single.n)), want, TOLERANCE.float32, flags)
        end
        local arrays = {}
        local places = calls.take_out(args, arrays)
        if not (plain and #arrays > 0) then goto continue end
        local fixed = flags:match "g%-?(%d*)"
        if fixed then check_gradients(what, fn, places, arrays, fixed, flags:find "sym") end
        check_compiled(name, what, fn, places, arrays, fixed ~= nil)
        ::continue::
      end
    end)
  end
end)
