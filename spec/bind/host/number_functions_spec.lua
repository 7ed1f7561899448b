-- number_functions_spec.lua - core.number, the functions of src/base/math/double_functions.h, compared with libm (whose
-- errors are below 1 ulp) and at special values. tools/ulp.c compares them with long double.
require "hybridlua"
local number = require("hybridlua.core").number
local NAN, INF = 0 / 0, 1 / 0

-- Returns a number in [low, high] for i, the same in every run.
local function spread(i, low, high)
  local fraction = i * 0.6180339887498949 % 1
  return low + (high - low) * fraction
end

local function assert_near(got, wanted, what, ...)
  local ulp = math.max(math.abs(wanted), 2.0 ^ -1022) * 2.0 ^ -52
  if math.abs(got - wanted) <= 3 * ulp then return end
  error(("%s is %.17g, expected %.17g"):format(what:format(...), got, wanted), 0)
end

local function shown(x) return x ~= x and "nan" or x == 0 and 1 / x < 0 and "-0.0" or tostring(x) end

describe("the functions of numbers", function()
  it("agree with libm within 3 ulp", function()
    for i = 1, 20000 do
      local x, y, z = spread(i, -700, 700), 2.0 ^ spread(i + 7, -1000, 1000), spread(3 * i, -0.9, 0.9)
      assert_near(number.exp_of(x), math.exp(x), "exp(%.17g)", x)
      assert_near(number.log_of(y), math.log(y), "log(%.17g)", y)
      assert_near(number.power_of(y, z), y ^ z, "%.17g ^ %.17g", y, z)
      assert_near(number.sin_of(x), math.sin(x), "sin(%.17g)", x)
      assert_near(number.cos_of(x), math.cos(x), "cos(%.17g)", x)
      assert_near(number.sin_of(y), math.sin(y), "sin(%.17g)", y)
      assert_near(number.cos_of(y), math.cos(y), "cos(%.17g)", y)
    end
  end)

  it("return a NaN without a sign for the sine and cosine of what is not finite", function()
    for _, x in ipairs { INF, -INF, NAN, -NAN } do
      assert.equal("nan", tostring(number.sin_of(x)))
      assert.equal("nan", tostring(number.cos_of(x)))
    end
  end)

  it("return exact powers of integers", function()
    for base = 2, 9 do
      for n = 0, 16 do assert.equal(base ^ n, number.power_of(base, n)) end
    end
    assert.equal(2.0 ^ -1074, number.power_of(2, -1074))
    assert.equal(0.1, number.power_of(10, -1))
  end)

  it("return C99's special values", function()
    local values = { NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e300, -1e300, 2.0 ^ -1074 }
    for _, x in ipairs(values) do
      for _, y in ipairs(values) do
        assert.equal(shown(x ^ y), shown(number.power_of(x, y)), ("%s ^ %s"):format(shown(x), shown(y)))
      end
      assert.equal(shown(math.log(x)):gsub("-nan", "nan"), shown(number.log_of(x)):gsub("-nan", "nan"))
    end
    for _, x in ipairs { NAN, INF, -INF, 0.0, -0.0, 1000.0, -1000.0 } do
      assert.equal(shown(math.exp(x)), shown(number.exp_of(x)))
    end
    for _, x in ipairs { NAN, INF, -INF, 0.0, -0.0 } do
      assert.equal(shown(math.sin(x)), shown(number.sin_of(x)))
      assert.equal(shown(math.cos(x)), shown(number.cos_of(x)))
    end
  end)
end)
