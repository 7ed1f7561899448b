-- cast_spec.lua - casts of floats outside the range of an integer, as defined in src/base/math/scalar_bits.h.
local hl = require "hybridlua"
local nd = hl.nd
local NAN, INF = 0 / 0, 1 / 0
local LEAST = -2147483648

-- value; its cast to int64, int32, int8, uint8, bool
local DTYPES = { "int64", "int32", "int8", "uint8", "bool" }
local rows = {
  { NAN, math.mininteger, LEAST, 0, 0, true },
  { INF, math.mininteger, LEAST, 0, 0, true },
  { -INF, math.mininteger, LEAST, 0, 0, true },
  { 1e19, math.mininteger, LEAST, 0, 0, true },
  { -1e19, math.mininteger, LEAST, 0, 0, true },
  { 2.0 ^ 63, math.mininteger, LEAST, 0, 0, true },
  { -2.0 ^ 63, math.mininteger, LEAST, 0, 0, true },
  { 2.0 ^ 31, 2147483648, LEAST, 0, 0, true },
  { -2.0 ^ 31, LEAST, LEAST, 0, 0, true },
  { 3e9, 3000000000, LEAST, 0, 0, true },
  { 2147483520.0, 2147483520, 2147483520, -128, 128, true },
  { 300.75, 300, 300, 44, 44, true },
  { 255.5, 255, 255, -1, 255, true },
  { -1.5, -1, -1, -1, 255, true },
  { -0.5, 0, 0, 0, 0, true },
  { -0.0, 0, 0, 0, 0, false },
}

describe("a cast of floats to integers", function()
  -- Elements 1 to n of the column; n is large enough for the vectorised loop and its remainder.
  local function column(k, n)
    local t = {}
    for i = 1, n do t[i] = rows[(i - 1) % #rows + 1][k] end
    return t
  end

  for k, dtype in ipairs(DTYPES) do
    for _, from in ipairs { "float32", "float64" } do
      it(("is defined for all values, eager and compiled: %s to %s"):format(from, dtype), function()
        local cast = function(F, x) return F.cast(F.identity(x), { dtype = dtype }) end
        local fused = function(F, x) return F.cast(F.abs(x) * F.sign(x), { dtype = dtype }) end
        local one, many = hl.compile(cast), hl.compile(fused)
        for _, n in ipairs { 1, #rows, 7 * #rows + 3 } do
          local x, wanted = nd.array(column(1, n), { dtype = from }), column(k + 1, n)
          for _ = 1, 3 do
            assert.same(wanted, cast(nd, x):totable())
            assert.same(wanted, one(x):totable())
            assert.same(fused(nd, x):totable(), many(x):totable())
          end
        end
      end)
    end

    it(("is equal for assigned elements: %s"):format(dtype), function()
      local x = nd.zeros({ #rows }, { dtype = dtype })
      for i, row in ipairs(rows) do x[i - 1] = row[1] end
      assert.same(column(k + 1, #rows), x:totable())
      for _, row in ipairs(rows) do
        assert.same({ row[k + 1] }, nd.array({ row[1] }, { dtype = dtype }):totable())
        assert.same({ row[k + 1] }, nd.full({ 1 }, row[1], { dtype = dtype }):totable())
      end
    end)
  end

  it("converts float16 through float32", function()
    local x = nd.array({ NAN, INF, -INF, 300, -1.5 }, { dtype = "float16" })
    assert.same({ LEAST, LEAST, LEAST, 300, -1 }, x:astype("int32"):totable())
    assert.same({ 0, 0, 0, 44, 255 }, x:astype("uint8"):totable())
  end)

  it("truncates norms of integers like other floats", function()
    local x = nd.array({ 2000000000, 2000000000 }, { dtype = "int32" })
    assert.same({ LEAST }, nd.norm(x):totable())
    assert.same({ -115 }, nd.norm(nd.array({ 100, 100 }, { dtype = "int8" })):totable())
  end)
end)
