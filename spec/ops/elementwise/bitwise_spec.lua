-- bitwise_spec.lua - Lua's bitwise operators on arrays and Symbols: bitwise on integers, logical on bools and floats.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local BITS = { int8 = 8, uint8 = 8, int32 = 32, int64 = 64 }
local VALUES = { 0, 1, 5, 6, 12, 85, 100, 127, -1, -2, -7, -128 }

local OPERATORS = {
  ["&"] = { function(a, b) return a & b end, "bitwise_and" },
  ["|"] = { function(a, b) return a | b end, "bitwise_or" },
  ["~"] = { function(a, b) return a ~ b end, "bitwise_xor" },
}

-- The value converted to the dtype.
local function wrapped(value, dtype)
  local bits = BITS[dtype]
  if bits == 64 then return value end
  value = value & (1 << bits) - 1
  return dtype ~= "uint8" and value >= 1 << bits - 1 and value - (1 << bits) or value
end

local function both_modes(fn, ...)
  local eager = fn(...)
  assert.bits(hl.compile(function(_, ...) return fn(...) end)(...), eager)
  local inputs, arrays = {}, {}
  for i, x in ipairs { ... } do
    inputs[i] = sym.var("x" .. i, { shape = x.shape, dtype = x.dtype })
    arrays["x" .. i] = x
  end
  assert.bits(fn(table.unpack(inputs)):bind(hl.cpu(), arrays):forward()[1], eager)
  return eager
end

local function each_pair(dtype)
  local a, b = {}, {}
  for _, x in ipairs(VALUES) do
    for _, y in ipairs(VALUES) do
      if dtype ~= "uint8" or x >= 0 and y >= 0 then a[#a + 1], b[#b + 1] = x, y end
    end
  end
  return a, b
end

describe("bitwise operators on integers", function()
  for name, case in pairs(OPERATORS) do
    it(("match Lua: a %s b"):format(name), function()
      local fn = case[1]
      for dtype in pairs(BITS) do
        local a, b = each_pair(dtype)
        local x, y = nd.array(a, { dtype = dtype }), nd.array(b, { dtype = dtype })
        local want, with, before = {}, {}, {}
        for i = 1, #a do want[i], with[i], before[i] = fn(a[i], b[i]), fn(a[i], 6), fn(85, b[i]) end
        local got = both_modes(fn, x, y)
        assert.equal(dtype, got.dtype)
        assert.same(want, got:totable())
        assert.same(with, both_modes(function(u) return fn(u, 6) end, x):totable())
        assert.same(with, both_modes(function(u) return fn(u, 6.0) end, x):totable())
        assert.same(before, both_modes(function(v) return fn(85, v) end, y):totable())
        assert.bits(nd[case[2]](x, y), got)
        assert.bits(x[case[2]](x, y), got)
        assert.bits(nd[case[2]](x, 6), fn(x, 6))
      end
    end)
  end

  it("match Lua: ~a", function()
    for dtype in pairs(BITS) do
      local x = nd.array({ 0, 6, 127 }, { dtype = dtype })
      local want = { ~0, ~6, ~127 }
      for i = 1, 3 do want[i] = wrapped(want[i], dtype) end
      assert.same(want, both_modes(function(u) return ~u end, x):totable())
      assert.bits(nd.bitwise_not(x), ~x)
      assert.bits(~ ~x, x)
    end
  end)

  it("use all 64 bits", function()
    local a, b = 0x123456789ABCDEF1, 0x7EDCBA9876543210
    local x, y = nd.array({ a }, { dtype = "int64" }), nd.array({ b }, { dtype = "int64" })
    for _, case in pairs(OPERATORS) do assert.same({ case[1](a, b) }, both_modes(case[1], x, y):totable()) end
    assert.same({ ~a }, (~x):totable())
    assert.same({ a & 1 << 62 }, (x & 1 << 62):totable())
    for _, fn in ipairs { function() return x & b + 1 end, function() return b + 1 | x end,
                          function() return x + (b + 1) end, function() return nd.equal(x, math.maxinteger) end } do
      assert.raises(fn, "expected a number that a double can hold beside an array of int64, got")
    end
    assert.same({ a | math.mininteger }, (x | math.mininteger):totable())
  end)

  it("broadcast, accept empty arrays, and write in place", function()
    local x = nd.array({ { 6, 5 }, { 12, 9 } }, { dtype = "int32" })
    local y = nd.array({ 3, 1 }, { dtype = "int32" })
    assert.same({ { 2, 1 }, { 0, 1 } }, both_modes(OPERATORS["&"][1], x, y):totable())
    assert.same({ 0, 3 }, both_modes(OPERATORS["|"][1], nd.zeros({ 0, 3 }, { dtype = "int8" }),
      nd.zeros({ 3 }, { dtype = "int8" })).shape)
    x:bor_(16)
    assert.same({ { 22, 21 }, { 28, 25 } }, x:totable())
  end)

  it("reject other dtypes and numbers outside the dtype", function()
    local x = nd.array({ 6 }, { dtype = "int32" })
    assert.raises(function() return x & nd.array { 1 } end, "bitwise_and: rhs: expected dtype int32, got float32")
    assert.raises(function() return nd.array({ 1 }, { dtype = "bool" }) | x end,
      "bitwise_or: rhs: expected dtype bool, got int32; convert one with astype")
    assert.raises(function() return x & 2.5 end, "expected a whole number that int32 can hold, got 2.5")
    assert.raises(function() return x ~ 2 ^ 40 end, "expected a whole number that int32 can hold, got 1099511627776")
    assert.raises(function() return nd.array({ 6 }, { dtype = "uint8" }) & -1 end,
      "expected a whole number that uint8 can hold, got")
    assert.raises(function() return hl.compile(function(_, u) return u & 0 / 0 end)(x) end,
      "expected a whole number that int32 can hold")
    assert.raises(function() return x & "3" end, "expected NDArrays, Symbols or numbers, got an NDArray and a string")
  end)
end)

describe("bitwise operators on bools and floats", function()
  it("are logical", function()
    for _, dtype in ipairs { "bool", "float32", "float64" } do
      local x, y = nd.array({ 0, 0, 1, 1 }, { dtype = dtype }), nd.array({ 0, 1, 0, 1 }, { dtype = dtype })
      for _, case in pairs(OPERATORS) do
        local got = both_modes(case[1], x, y)
        assert.equal(dtype, got.dtype)
        assert.bits(got, nd[case[2]:gsub("bitwise", "logical")](x, y))
        assert.bits(case[1](x, 3), nd[case[2]:gsub("bitwise", "logical")](x, 3))
      end
      assert.bits(both_modes(function(u) return ~u end, x), nd.logical_not(x))
    end
    assert.same({ 1, 1, 0 }, (nd.array { 0.5, -2, 0 } & nd.array { 0.25, 0 / 0, 1 }):totable())
  end)
end)

describe("a << b and a >> b", function()
  it("match NumPy", function()
    local function int(values, dtype) return nd.array(values, { dtype = dtype }) end
    local left, right = function(a, b) return a << b end, function(a, b) return a >> b end
    -- NumPy 2 computes these
    assert.same({ 12, -8, 64, -128, 0, 0, 0 },
      both_modes(left, int({ 6, -1, 1, 1, 1, 1, 1 }, "int8"), int({ 1, 3, 6, 7, 8, 100, -1 }, "int8")):totable())
    assert.same({ 3, -1, -2, -1, 0, -1, 0 },
      both_modes(right, int({ 6, -1, -8, -8, 1, -5, 5 }, "int8"), int({ 1, 3, 2, 7, 8, 100, -1 }, "int8")):totable())
    assert.same({ 127, 1, 0 }, both_modes(right, int({ 255, 255, 255 }, "uint8"), int({ 1, 7, 8 }, "uint8")):totable())
    assert.same({ math.mininteger, 0 }, both_modes(left, int({ 1, 1 }, "int64"), int({ 63, 64 }, "int64")):totable())
    assert.same({ -1, 1 << 30 }, both_modes(right, int({ -1, 1 << 62 }, "int64"), int({ 64, 32 }, "int64")):totable())
    local x = int({ 1, 2, -3 }, "int32")
    assert.same({ 4, 8, -12 }, both_modes(function(u) return u << 2 end, x):totable())
    assert.same({ 0, 1, -2 }, both_modes(function(u) return u >> 1 end, x):totable())
    assert.same({ 2, 4, 0 }, both_modes(function(u) return 1 << u end, x):totable())
    assert.same({ 32, 16, 0 }, both_modes(function(u) return 64 >> u end, x):totable())
    assert.bits(nd.left_shift(x, 2), x << 2)
    assert.bits(x:right_shift(x), x >> x)
  end)

  it("accept only integers", function()
    for _, dtype in ipairs { "float32", "float64", "bool" } do
      assert.raises(function() return nd.ones({ 2 }, { dtype = dtype }) << 1 end,
        "left_shift: data: expected dtype int8, uint8, int32 or int64, got " .. dtype)
    end
  end)
end)

describe("bitwise operators", function()
  it("have a gradient of zero", function()
    local x = nd.array { 1, 2 }
    x:attach_grad()
    autograd.record(function() return (x & 1) * x + ~x end):backward()
    assert.same({ 1, 1 }, x.grad:totable())
  end)

  it("are saved to files as MXNet's operators", function()
    local net = hl.gluon.nn.HybridLambda(function(_, x) return x:greater(1) & ~x:greater(4) | 0 end)
    net:hybridize()
    local x = nd.array { 1, 2, 5 }
    local want, folder = net(x), scratch.folder()
    finally(function() folder:remove() end)
    net:export(folder:file "masks")
    local text = sym.load(folder:file "masks-symbol.json"):tojson()
    assert.falsy(text:find '"op": "_npi')
    assert.truthy(text:find "broadcast_logical_and")
    assert.bits(sym.load_json(text):bind(hl.cpu(), { data = x }):forward()[1], want)
    local s = sym.var("a", { dtype = "int32" }) & sym.var("b", { dtype = "int32" })
    assert.truthy(s:tojson():find('"_npi_bitwise_and"', 1, true))
    assert.same({ 2 }, sym.load_json(s:tojson()):bind(hl.cpu(), { a = nd.array({ 6 }, { dtype = "int32" }),
      b = nd.array({ 3 }, { dtype = "int32" }) }):forward()[1]:totable())
  end)
end)
