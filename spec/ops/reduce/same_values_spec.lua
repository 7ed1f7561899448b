-- same_values_spec.lua - equality of arrays in core.array.same, assert.bits of the specs and hybridize{check}: a NaN
-- equals a NaN at the same position, and all other elements are compared by bits, including the sign of zero. Also
-- results in which compilers choose among NaNs.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd = hl.nd

local formats = {
  float16 = { pack = "<I2", zero = 0, minus_zero = 0x8000, one = 0x3C00, most = 0x7BFF, infinity = 0x7C00, nan = 0x7E00,
              others = { 0x7C01, 0x7FFF, 0xFC01, 0xFE00, 0xFFFF } },
  float32 = { pack = "<I4", zero = 0, minus_zero = 0x80000000, one = 0x3F800000, most = 0x7F7FFFFF,
              infinity = 0x7F800000, nan = 0x7FC00000,
              others = { 0x7F800001, 0x7FFFFFFF, 0xFF800001, 0xFFC00000, 0xFFFFFFFF } },
  float64 = { pack = "<i8", zero = 0, minus_zero = math.mininteger, one = 0x3FF0000000000000, most = 0x7FEFFFFFFFFFFFFF,
              infinity = 0x7FF0000000000000, nan = 0x7FF8000000000000,
              others = { 0x7FF0000000000001, math.maxinteger, -0xFFFFFFFFFFFFF, -0x8000000000000, -1 } },
}

-- n elements with equal bits, except for element `at`, counted from 0.
local function array_of(dtype, n, at, bits)
  local f = formats[dtype]
  local parts = {}
  for i = 0, n - 1 do parts[i + 1] = f.pack:pack(i == at and bits or f.one) end
  return nd.from_bytes(table.concat(parts), { n }, dtype)
end

-- Sizes within a vector, with a tail, and of several stretches; the positions to check.
local sizes = { { 1, 0 }, { 7, 6 }, { 16, 3 }, { 33, 32 }, { 5000, 0 }, { 5000, 4095 }, { 5000, 4096 }, { 5000, 4999 } }

for dtype, f in pairs(formats) do
  describe("arrays of " .. dtype, function()
    -- Are elements with these bits equal, at every position?
    local function same(a, b)
      local answer
      for _, size in ipairs(sizes) do
        local x, y = array_of(dtype, size[1], size[2], a), array_of(dtype, size[1], size[2], b)
        local found = core.array.same(x, y)
        assert.equal(found, core.array.same(y, x))
        assert.truthy(answer == nil or answer == found)
        answer = found
        local count, first = core.array.differences(x, y, 3)
        assert.equal(found and 0 or 1, count)
        assert.equal(count, #first)
        if not found then assert.equal(size[2], first[1][1]) end
      end
      return answer
    end

    it("are equal if both have a NaN, of any kind", function()
      for _, other in ipairs(f.others) do
        assert.is_true(same(f.nan, other))
        assert.is_true(same(other, f.others[1]))
      end
    end)

    it("differ where only one has a NaN", function()
      for _, number in ipairs { f.zero, f.minus_zero, f.one, f.most, f.infinity } do
        for _, nan in ipairs(f.others) do assert.is_false(same(number, nan)) end
      end
    end)

    it("differ in the sign of zero, in one bit of the last place, and in infinity", function()
      assert.is_false(same(f.zero, f.minus_zero))
      assert.is_false(same(f.one, f.one + 1))
      assert.is_false(same(f.zero, f.zero + 1))
      assert.is_false(same(f.most, f.infinity))
      assert.is_true(same(f.minus_zero, f.minus_zero))
      assert.is_true(same(f.infinity, f.infinity))
    end)

    it("differ if NaNs are at other positions", function()
      assert.is_false(core.array.same(array_of(dtype, 9, 3, f.nan), array_of(dtype, 9, 4, f.nan)))
      local count, first = core.array.differences(array_of(dtype, 9, 3, f.nan), array_of(dtype, 9, 4, f.nan), 1)
      assert.equal(2, count)
      assert.equal(1, #first)
      assert.equal(3, first[1][1])
    end)
  end)
end

describe("arrays", function()
  it("differ in any bit if the dtype has no NaN", function()
    for dtype, pack in pairs { int32 = "<i4", int64 = "<i8", int8 = "<i1", uint8 = "<I1" } do
      local a = nd.from_bytes(pack:pack(1):rep(40), { 40 }, dtype)
      assert.is_true(core.array.same(a, a:copy()))
      local b = a:copy()
      b[39] = 127
      assert.is_false(core.array.same(a, b))
    end
    -- bits that would be NaNs as float32
    local a, b = nd.array({ 0x7FC00000 }, { dtype = "int32" }), nd.array({ -4194304 }, { dtype = "int32" })
    assert.is_false(core.array.same(a, b))
    assert.is_false(core.array.same(nd.array({ true, false }, { dtype = "bool" }),
      nd.array({ true, true }, { dtype = "bool" })))
  end)

  it("differ in shape and dtype", function()
    assert.is_false(core.array.same(nd.ones { 2, 3 }, nd.ones { 3, 2 }))
    assert.is_false(core.array.same(nd.ones { 2 }, nd.ones { 2, 1 }))
    assert.is_false(core.array.same(nd.ones { 2 }, nd.ones({ 2 }, { dtype = "float64" })))
    assert.is_false(core.array.same(nd.zeros { 2 }, nd.zeros({ 2 }, { dtype = "int32" })))
    assert.is_true(core.array.same(nd.zeros { 0, 3 }, nd.zeros { 0, 3 }))
    assert.raises(function() core.array.differences(nd.ones { 2 }, nd.ones { 3 }, 1) end,
      "expected float32 %(2,%), got float32 %(3,%)")
    assert.raises(function() core.array.same(nd.ones { 2 }, 1) end, "expected an NDArray, got an integer")
  end)
end)

describe("assert.bits", function()
  local function told(a, b, ...)
    local texts = { ... }
    assert.raises(function() assert.bits(a, b) end, table.unpack(texts))
  end

  it("accepts a NaN only for a NaN, and shows the first elements that differ", function()
    local nan = 0 / 0
    assert.bits(nd.array { 1, nan, -0.0 }, nd.array { 1, -nan, -0.0 })
    told(nd.array { 1, nan, 0.0 }, nd.array { 1, nan, -0.0 },
      "bits differ in 1 of 3 elements:\n%s*%[2%] 0, expected %-0")
    told(nd.array { 1, nan }, nd.array { 1, 2 }, "%[1%] %-?nan, expected 2")
    told(nd.arange(8), nd.arange(8) + 1, "in 8 of 8 elements", "%[0%] 0, expected 1", "%[4%] 4, expected 5\n%s*%.%.%.")
    told(nd.ones { 2 }, nd.ones { 1, 2 }, "shape %(2%), expected %(1, 2%)")
    told(nd.ones { 2 }, nd.ones({ 2 }, { dtype = "int32" }), "dtype float32, expected int32")
  end)
end)

-- The operands of one addition are NaNs of both signs. The processor returns the first one, and the compiler may swap
-- them, differently in vectors and in the remainder.
describe("a sum of two NaNs", function()
  local function both(F, v) return F.log(v) + F.sqrt(v) end

  for _, dtype in ipairs { "float32", "float64" } do
    it("is equal in eager code and in generated kernels, " .. dtype, function()
      local before = core.host.debug { jit = "sync" }
      local compiled, checked = hl.compile(both), hl.compile(both, { check = 100 })
      local ok, message = pcall(function()
        for _, n in ipairs { 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 100, 1001 } do
          local x = nd.full({ n }, -2, { dtype = dtype })
          local eager = both(nd, x)
          assert.equal(n, eager:not_equal(eager):sum():asscalar())          -- all are NaNs
          assert.bits(compiled(x), eager)
          assert.bits(checked(x), eager)
          x[n - 1] = 4                                                       -- one number among NaNs
          assert.bits(compiled(x), both(nd, x))
        end
      end)
      core.host.debug(before)
      if not ok then error(message, 0) end
    end)
  end
end)
