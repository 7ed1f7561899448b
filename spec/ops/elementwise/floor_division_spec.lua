-- floor_division_spec.lua - Lua's // on arrays and Symbols, compared with // on each pair of elements.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local VALUES = { 7.5, -7.5, 0.25, -0.25, 3, -3, 1e9, 0 }

local function both_modes(fn, ...)
  local eager, compiled = fn(nil, ...), hl.compile(fn)(...)
  assert.bits(compiled, eager)
  return eager
end

-- Every pair of values, as two lists.
local function pairs_of(values)
  local a, b = {}, {}
  for _, x in ipairs(values) do
    for _, y in ipairs(values) do
      if y ~= 0 then a[#a + 1], b[#b + 1] = x, y end
    end
  end
  return a, b
end

describe("a // b", function()
  it("matches Lua for floats", function()
    local a, b = pairs_of(VALUES)
    local want = {}
    for i = 1, #a do want[i] = a[i] // b[i] end
    local x, y = nd.array(a, { dtype = "float64" }), nd.array(b, { dtype = "float64" })
    assert.allclose(both_modes(function(_, u, v) return u // v end, x, y), want, 0, 0)
    assert.allclose(both_modes(function(_, u) return u // 2.5 end, x), (x / 2.5):floor(), 0, 0)
    assert.allclose(both_modes(function(_, v) return 2.5 // v end, y), (2.5 / y):floor(), 0, 0)
  end)

  it("matches Lua for integers of every size, and is 0 if b is 0", function()
    for _, dtype in ipairs { "int8", "int32", "int64" } do
      local a, b = pairs_of { 7, -7, 1, -1, 100, -128 }
      local want = {}
      for i = 1, #a do want[i] = a[i] // b[i] end
      local x, y = nd.array(a, { dtype = dtype }), nd.array(b, { dtype = dtype })
      local got = both_modes(function(_, u, v) return u // v end, x, y):totable()
      for i = 1, #a do
        local overflow = dtype == "int8" and a[i] == -128 and b[i] == -1
        if not overflow then assert.equal(want[i], got[i], a[i] .. " // " .. b[i]) end
      end
      assert.same({ 0, 0 }, (nd.array({ 5, -5 }, { dtype = dtype }) // nd.zeros({ 2 }, { dtype = dtype })):totable())
      assert.same({ 2, -3 }, (nd.array({ 5, -5 }, { dtype = dtype }) // 2):totable())
      assert.same({ 2, -3 }, (11 // nd.array({ 5, -4 }, { dtype = dtype })):totable())
    end
    assert.same({ 127, 2 }, (nd.array({ 255, 5 }, { dtype = "uint8" }) // 2):totable())
  end)

  it("broadcasts, and is also a function and a method", function()
    local x = nd.array { { 5, 7 }, { -5, 9 } }
    assert.allclose(both_modes(function(_, u, v) return u // v end, x, nd.array { 2, 3 }), { { 2, 2 }, { -3, 3 } })
    assert.bits(nd.floor_divide(x, x), nd.ones { 2, 2 })
    assert.bits(x:floor_divide(2), x // 2)
  end)

  it("has no gradient of any order", function()
    local x = nd.array { 7.5, -7.5 }
    x:attach_grad()
    autograd.record(function() return x // 2 * x end):backward()
    assert.allclose(x.grad, { 3, -4 })
    local g = autograd.record(function() return autograd.grad(x // 2 * x * x + 5 // x, x, { create_graph = true }) end)
    g:backward()
    assert.allclose(x.grad, { 6, -8 })
  end)
end)
