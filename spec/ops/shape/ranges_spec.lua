-- ranges_spec.lua - arange, arange_like and linspace of integers: start and step are truncated first. The expected
-- numbers are from MXNet 1.9.1.
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

local cases = {
  { { 1.3, 6.6, 1.3 }, { 1, 2, 3, 4, 5 } }, { { 0.9, 5 }, { 0, 1, 2, 3, 4 } }, { { 0, 2, 0.5 }, { 0, 0, 0, 0 } },
  { { 5.5, -1.2, -1.5 }, { 5, 4, 3, 2, 1 } }, { { 3.7 }, { 0, 1, 2, 3 } }, { { 2, 8, 2 }, { 2, 4, 6 } },
}
local DTYPES = { "int8", "uint8", "int32", "int64" }

local function with(numbers, options)
  local all = { table.unpack(numbers) }
  all[#all + 1] = options
  return table.unpack(all)
end

describe("a range of integers", function()
  for _, case in ipairs(cases) do
    it("truncates start and step: " .. table.concat(case[1], ", "), function()
      for _, dtype in ipairs(DTYPES) do
        local compiled = hl.compile(function(F, x) return F.arange(with(case[1], { dtype = dtype })) + x end)
        assert.same(case[2], nd.arange(with(case[1], { dtype = dtype })):totable())
        assert.same(case[2], sym.arange(with(case[1], { dtype = dtype })):bind {}:forward()[1]:totable())
        assert.same(case[2], compiled(nd.zeros({ 1 }, { dtype = dtype })):totable())
      end
    end)
  end

  it("repeats its numbers", function()
    local range = nd.arange(1.3, 6.6, 1.3, { ["repeat"] = 2, dtype = "int32" })
    assert.same({ 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 }, range:totable())
  end)

  it("truncates start and step in arange_like", function()
    local x = nd.zeros({ 4 }, { dtype = "int32" })
    assert.same({ 0, 1, 2, 3 }, nd.contrib.arange_like(x, { start = 0.5, step = 1.5 }):totable())
    assert.allclose(nd.contrib.arange_like(nd.zeros { 4 }, { start = 0.5, step = 1.5 }), { 0.5, 2, 3.5, 5 }, 0, 0)
  end)

  it("truncates each number in linspace", function()
    for _, dtype in ipairs(DTYPES) do
      assert.same({ 0, 2, 3, 5 }, nd.linspace(0.7, 5.2, 4, { dtype = dtype }):totable())
      assert.same({ 0, 0, 0, 0, 1 }, nd.linspace(0, 1, 5, { dtype = dtype }):totable())
      assert.same({ 5, 2, 0 }, nd.linspace(5.5, 0.3, 3, { dtype = dtype }):totable())
    end
  end)

  it("keeps fractions for float dtypes", function()
    assert.allclose(nd.arange(1.3, 6.6, 1.3), { 1.3, 2.6, 3.9, 5.2, 6.5 }, 1e-6, 0)
    assert.allclose(nd.arange(5.5, -1.2, -1.5, { dtype = "float64" }), { 5.5, 4, 2.5, 1, -0.5 }, 0, 0)
  end)
end)
