-- scalar_functions_spec.lua - the float32 functions of src/base/math/scalar_functions.h, called by nd. Their error is
-- measured against the same operator in float64, over a million bit patterns of every kind (tools/ulp.c tries all).
-- Some values must be exact.
local nd = require("hybridlua").nd

local INF, NAN = math.huge, 0 / 0
local TOP = 2.0 ^ 128                -- what an infinite float32 counts as

--- Returns int32 elements reinterpreted as float32, and these as float64.
local function floats(bits)
  local x = nd.from_bytes(bits:tobytes(), bits.shape, "float32")
  return x, nd.array(x, { dtype = "float64" })
end

--- About n evenly spaced bit patterns, over all of float32.
local function everything(n, start)
  return nd.arange(-2147483648 + start, 2147483648, 2 * (2147483648 // n) + 1, { dtype = "int32" })
end

--- The errors of y in ulp of the true values (float64): NaN if both are NaN, infinity if one is.
local function errors(y, truth)
  local got, wanted = nd.clip(nd.array(y, { dtype = "float64" }), -TOP, TOP), nd.clip(truth, -TOP, TOP)
  local exponent = nd.maximum(nd.floor(nd.log2(nd.abs(wanted))), -126)
  local error = nd.abs(got - wanted) / nd.power(2, exponent - 23)
  local one_is_nan = nd.not_equal(nd.not_equal(got, got), nd.not_equal(wanted, wanted))
  return error, one_is_nan
end

--- Fails with the first inputs whose y is more than `bound` ulp from the true value.
local function assert_close(name, bound, y, truth, ...)
  local error, one_is_nan = errors(y, truth)
  local bad = nd.logical_or(nd.greater(error, bound), one_is_nan)
  local count = bad:sum():asscalar()
  if count == 0 then return end
  local at = math.tointeger(bad:argmax():asscalar())
  local inputs = {}
  for i, x in ipairs { ... } do inputs[i] = ("%.9g"):format(x[at]:asscalar()) end
  _G.error(("%s(%s) is %.9g, expected %.9g within %g ulp; so for %d inputs"):format(
    name, table.concat(inputs, ", "), y[at]:asscalar(), truth[at]:asscalar(), bound, count), 0)
end

-- in ulp; scalar_functions.h gives the reasons
local bounds = {
  exp = 1, expm1 = 1.5, sigmoid = 2.5, softrelu = 2, tanh = 2.5, erf = 1.5, log = 1,
  log2 = 0.51, log10 = 0.51, log1p = 0.51, sin = 0.51, cos = 0.51, tan = 0.51,
  arcsin = 0.51, arccos = 0.51, arctan = 0.51,
  sinh = 0.51, cosh = 0.51, arcsinh = 0.51, arccosh = 0.51, arctanh = 0.51, cbrt = 0.51, erfinv = 0.51,
  gamma = 0.51, gammaln = 0.51, digamma = 0.51, trigamma = 0.51, sqrt = 0.5, rsqrt = 1.5, rcbrt = 1.5, reciprocal = 0.5,
  rint = 0, round = 0, floor = 0, ceil = 0, trunc = 0, abs = 0, sign = 0,
}
local pair_bounds = { power = 0.51, hypot = 0.51, mod = 0.5, maximum = 0, minimum = 0 }

describe("float32 functions of one number", function()
  local x, wide = floats(everything(1000000, 0))
  for name, bound in pairs(bounds) do
    it(("%s is within %g ulp"):format(name, bound), function()
      assert_close(name, bound, nd[name](x), nd[name](wide), x)
    end)
  end

  it("have full precision in the smallest results", function()
    local low, low_wide = floats(nd.arange(0x42b00000, 0x42d00000, 7, { dtype = "int32" }))       -- bits of 88 to 104
    for _, name in ipairs { "exp", "sigmoid", "softrelu" } do
      assert_close(name, bounds[name], nd[name](-low), nd[name](-low_wide), low)
    end
  end)
end)

describe("float32 functions of two numbers", function()
  local n = 300000
  local a, a_wide = floats(everything(n, 0))
  local count = a.shape[1]
  local spread = nd.arange(count, { dtype = "float64" }) * 0.6180339887498949
  local function moderate(times, range)
    local fraction = spread * times
    local x = nd.array((fraction - nd.floor(fraction) - 0.5) * range, { dtype = "float32" })
    return x, nd.array(x, { dtype = "float64" })
  end
  local other_bits = nd.array(nd.arange(count, { dtype = "int32" }) * 1640531527, { dtype = "int32" })
  local samples = {
    ["all of float32"] = { a, a_wide, floats(other_bits) },
    ["numbers of moderate size"] = { moderate(1, 200) },
    ["whole exponents"] = { moderate(3, 100) },
  }
  local y, y_wide = moderate(1.4142135623730951, 40)
  samples["numbers of moderate size"][3], samples["numbers of moderate size"][4] = y, y_wide
  samples["whole exponents"][3], samples["whole exponents"][4] = nd.floor(y), nd.floor(y_wide)
  for name, bound in pairs(pair_bounds) do
    for kind, s in pairs(samples) do
      it(("%s is within %g ulp: %s"):format(name, bound, kind), function()
        assert_close(name, bound, nd[name](s[1], s[3]), nd[name](s[2], s[4]), s[1], s[3])
      end)
    end
  end

  it("agree in power of a scalar, to a scalar and of arrays", function()
    for _, s in ipairs { 2, 0.5, -2, 3.7, 0 } do
      assert.bits(nd.power(samples["whole exponents"][1] * 0 + s, y), nd.power(nd.full({ 1 }, s), y))
      assert.bits(nd.power(nd.full({ count }, s), y), s ^ y)
      assert.bits(nd.power(y, nd.full({ count }, s)), y ^ s)
    end
  end)
end)

-- name, arguments, the exact result
local LEAST, GREATEST = 2.0 ^ -149, (2 - 2.0 ^ -23) * 2.0 ^ 127
local HALF_PI = 1.57079637050628662109375        -- the float32 nearest to it
local exact = {
  { "exp", 0, 1 }, { "exp", -0.0, 1 }, { "exp", -INF, 0 }, { "exp", INF, INF }, { "exp", 89, INF },
  { "exp", -104, 0 }, { "exp", -103.5, LEAST }, { "expm1", -0.0, -0.0 }, { "expm1", LEAST, LEAST },
  { "expm1", -INF, -1 }, { "expm1", 100, INF }, { "log", 1, 0 }, { "log", 0, -INF }, { "log", -0.0, -INF },
  { "log", -1, NAN }, { "log", INF, INF }, { "log", -INF, NAN }, { "log2", LEAST, -149 }, { "log2", 8, 3 },
  { "log2", 0, -INF }, { "log10", 1000, 3 }, { "log10", 1e10, 10 }, { "log10", -1, NAN },
  { "log1p", -0.0, -0.0 }, { "log1p", -1, -INF }, { "log1p", -2, NAN }, { "log1p", LEAST, LEAST },
  { "log1p", INF, INF }, { "sigmoid", 0, 0.5 }, { "sigmoid", -INF, 0 }, { "sigmoid", INF, 1 },
  { "sigmoid", 20, 1 }, { "sigmoid", -200, 0 }, { "softrelu", -INF, 0 }, { "softrelu", INF, INF },
  { "softrelu", 100, 100 }, { "softrelu", -103.5, LEAST }, { "tanh", -0.0, -0.0 }, { "tanh", LEAST, LEAST },
  { "tanh", 9.1, 1 }, { "tanh", -INF, -1 }, { "tanh", INF, 1 }, { "erf", -0.0, -0.0 }, { "erf", 4, 1 },
  { "erf", -INF, -1 }, { "erf", INF, 1 }, { "erfinv", 1, INF }, { "erfinv", -1, -INF }, { "erfinv", 1.5, NAN },
  { "erfinv", -0.0, -0.0 }, { "sin", -0.0, -0.0 }, { "sin", INF, NAN }, { "sin", LEAST, LEAST },
  { "cos", 0, 1 }, { "cos", INF, NAN }, { "tan", -0.0, -0.0 }, { "tan", -INF, NAN }, { "arcsin", 1, HALF_PI },
  { "arcsin", -0.0, -0.0 }, { "arcsin", 1.5, NAN }, { "arccos", 1, 0 }, { "arccos", 0, HALF_PI },
  { "arccos", -1, 2 * HALF_PI }, { "arccos", -1.5, NAN }, { "arctan", INF, HALF_PI },
  { "arctan", -INF, -HALF_PI }, { "arctan", -0.0, -0.0 }, { "sinh", -0.0, -0.0 }, { "sinh", 100, INF },
  { "sinh", -INF, -INF }, { "cosh", 0, 1 }, { "cosh", -100, INF }, { "arcsinh", -0.0, -0.0 },
  { "arcsinh", -INF, -INF }, { "arccosh", 1, 0 }, { "arccosh", 0.5, NAN }, { "arccosh", -3, NAN },
  { "arccosh", INF, INF }, { "arctanh", 1, INF }, { "arctanh", -1, -INF }, { "arctanh", 2, NAN },
  { "arctanh", -0.0, -0.0 }, { "cbrt", 27, 3 }, { "cbrt", -8, -2 }, { "cbrt", -0.0, -0.0 },
  { "cbrt", -INF, -INF }, { "cbrt", 2.0 ^ -147, 2.0 ^ -49 }, { "rsqrt", 4, 0.5 }, { "rsqrt", 0, INF },
  { "sqrt", -1, NAN }, { "gamma", 5, 24 }, { "gamma", 0, INF }, { "gamma", -0.0, -INF }, { "gamma", -1, NAN },
  { "gamma", -INF, NAN }, { "gamma", INF, INF }, { "gamma", 36, INF }, { "gamma", -60.5, -0.0 }, { "gamma", -61.5, 0 },
  { "gamma", LEAST, INF }, { "gammaln", 1, 0 }, { "gammaln", 2, 0 }, { "gammaln", 0, INF }, { "gammaln", -0.0, INF },
  { "gammaln", -3, INF }, { "gammaln", -INF, INF }, { "gammaln", INF, INF }, { "digamma", 0, NAN },
  { "digamma", -2, NAN }, { "digamma", -INF, NAN }, { "digamma", INF, INF }, { "digamma", 1, -0.57721567153930664 },
  { "trigamma", 0, INF }, { "trigamma", -2, INF }, { "trigamma", INF, 0 }, { "trigamma", 1, 1.6449340581893921 },
  { "rint", 2.5, 2 }, { "rint", -2.5, -3 },
  { "round", 2.5, 3 }, { "round", -2.5, -3 }, { "round", 0.49999997, 0 }, { "sign", -0.0, -0.0 },
  { "sign", -INF, -1 }, { "power", 2, 10, 1024 }, { "power", 3, 2, 9 }, { "power", 8, -1, 0.125 },
  { "power", 9, 0.5, 3 }, { "power", -2, 3, -8 }, { "power", -2, 2, 4 }, { "power", -2, 0.5, NAN },
  { "power", 0, 0, 1 }, { "power", NAN, 0, 1 }, { "power", 1, NAN, 1 }, { "power", -1, INF, 1 },
  { "power", -1, NAN, NAN }, { "power", 0, -1, INF }, { "power", -0.0, -1, -INF }, { "power", -0.0, -2, INF },
  { "power", -0.0, 3, -0.0 }, { "power", -0.0, 0.5, 0 }, { "power", -INF, 3, -INF },
  { "power", -INF, 0.5, INF }, { "power", -INF, -3, -0.0 }, { "power", 0.5, INF, 0 }, { "power", 2, -INF, 0 },
  { "power", 2, 128, INF }, { "power", 2, -149, LEAST }, { "power", 2, -151, 0 },
  { "power", -2, 127, -2.0 ^ 127 }, { "power", INF, -1, 0 }, { "hypot", 3, 4, 5 }, { "hypot", INF, NAN, INF },
  { "hypot", NAN, -INF, INF }, { "hypot", NAN, 1, NAN }, { "hypot", GREATEST, 0, GREATEST },
  { "hypot", GREATEST, GREATEST, INF }, { "hypot", LEAST, 0, LEAST }, { "mod", 5, 3, 2 }, { "mod", -5, 3, 1 },
  { "mod", 5, -3, -1 }, { "mod", -5, -3, -2 }, { "mod", 5, 0, 0 }, { "mod", 5, INF, 5 },
  { "mod", INF, 3, NAN }, { "mod", GREATEST, LEAST, 0 }, { "mod", GREATEST, 3, 0 },
  { "mod", 2.0 ^ 127, 3 * LEAST, LEAST }, { "mod", 2.0 ^ 127, 3, 2 }, { "mod", 5.5, 0.25, 0 },
  { "maximum", NAN, 1, NAN }, { "maximum", 1, NAN, NAN }, { "minimum", NAN, 1, NAN },
  { "minimum", 1, NAN, NAN },
}

describe("float32 functions at special values", function()
  -- In the middle of 40 elements, for the vectorised loop, and alone.
  local function call(name, arguments, n, at)
    local arrays = {}
    for i, v in ipairs(arguments) do
      arrays[i] = nd.full({ n }, 0.75)
      arrays[i][at] = v
    end
    return nd[name](table.unpack(arrays))[at]:asscalar()
  end
  local function shown(v) return v ~= v and "nan" or v == 0 and 1 / v < 0 and "-0" or ("%.9g"):format(v) end

  for _, row in ipairs(exact) do
    local name, arguments, wanted = row[1], { table.unpack(row, 2, #row - 1) }, row[#row]
    local texts = {}
    for i, v in ipairs(arguments) do texts[i] = shown(v) end
    it(("%s(%s) is %s"):format(name, table.concat(texts, ", "), shown(wanted)), function()
      assert.equal(shown(wanted), shown(call(name, arguments, 40, 21)))
      assert.equal(shown(wanted), shown(call(name, arguments, 1, 0)))
    end)
  end

  it("return NaN for NaN", function()
    for name in pairs(bounds) do assert.equal("nan", shown(call(name, { NAN }, 40, 21)), name) end
  end)
end)
