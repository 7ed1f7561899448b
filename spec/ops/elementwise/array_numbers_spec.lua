-- array_numbers_spec.lua - numbers combined with arrays: fractions and integer arrays, counts and means, numbers in
-- where, arithmetic in place.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local function ints(t, dtype) return nd.array(t, { dtype = dtype or "int32" }) end

describe("a fraction with an array of integers", function()
  local cases = {
    multiply = function(x) return x * 0.5 end, add = function(x) return 0.25 + x end,
    subtract = function(x) return x - 0.9 end, divide = function(x) return x / 0.5 end,
    modulo = function(x) return x % 1.5 end, power = function(x) return x ^ 0.5 end,
    greater = function(x) return x:greater(2.5) end, equal = function(x) return x:equal(0.5) end,
    maximum = function(x) return nd.maximum(x, 0.5) end, clip = function(x) return x:clip(0.5, 3) end,
    floor_divide = function(x) return x // 0.5 end,
  }

  for name, fn in pairs(cases) do
    it("is an error that suggests a cast: " .. name, function()
      for _, dtype in ipairs { "int32", "int64", "int8", "uint8" } do
        local pattern = ("^spec/ops/elementwise/array_numbers_spec.lua:%%d+: %s: "
                         .. ".*expected a whole number with an array of %s, got %%d%%.%%d+; cast"):format(name, dtype)
        assert.raises(function() return fn(ints({ 3, 4 }, dtype)) end, pattern)
        assert.raises(function() return hl.compile(function(_, x) return fn(x) end)(ints({ 3, 4 }, dtype)) end,
          "expected a whole number")
      end
      assert.raises(function()
        return fn(sym.var("x", { shape = { 2 }, dtype = "int32" })):eval { x = ints { 3, 4 } }
      end, "expected a whole number")
    end)
  end

  it("is accepted if it is whole or the array holds floats", function()
    assert.same({ 6, 8 }, (ints { 3, 4 } * 2.0):totable())
    assert.same({ 1, 2 }, (ints { 3, 4 } / 2):totable())
    assert.same({ 1.5, 2 }, (ints { 3, 4 }:cast "float32" * 0.5):totable())
    assert.raises(function() return ints { 3, 4 }:lesser(math.huge) end,
      "expected a whole number with an array of int32, got inf")
  end)
end)

describe("counts and means", function()
  local mask = ints({ { 1, 0, 1 }, { 1, 1, 1 } }, "bool")

  it("accept bools", function()
    local n = mask:sum()
    assert.equal("int64", n.dtype)
    assert.equal(5, n:item())
    assert.same({ 2, 1, 2 }, mask:sum { axis = 0 }:totable())
    assert.same({ 2, 3 }, mask:sum { axis = 1 }:totable())
    assert.near(5 / 6, mask:mean():item(), 1e-7)
    assert.equal(0, ints({ 0 }, "bool"):sum():item())
    assert.equal(300000, nd.ones({ 300000 }, { dtype = "bool" }):sum():item())
  end)

  it("return float32 means for integers, of all elements and along axes", function()
    for _, dtype in ipairs { "int32", "int64", "int8", "uint8" } do
      local x = ints({ { 3, 4, 9 }, { 0, 1, 0 } }, dtype)
      assert.equal("float32", x:mean().dtype)
      assert.near(17 / 6, x:mean():item(), 1e-6)
      assert.same({ 1.5, 2.5, 4.5 }, x:mean { axis = 0 }:totable())
      assert.allclose(x:mean { axis = 1, keepdims = true }, { { 16 / 3 }, { 1 / 3 } })
      assert.equal(dtype, x:sum().dtype)
    end
    local label, pred = ints { 3, 4, 5, 5 }, ints { 3, 4, 5, 6 }
    assert.equal(0.75, pred:equal(label):mean():item())
  end)

  it("are equal compiled and as a Symbol", function()
    local x = ints { 3, 4, 4 }
    for _, fn in ipairs { function(v) return v:mean() end, function(v) return v:astype "bool":sum() end,
        function(v) return v:sum() * 2 end } do
      assert.bits(fn(x), hl.compile(function(_, v) return fn(v) end)(x))
      assert.bits(fn(x), fn(sym.var "x"):eval { x = x }[1])
    end
  end)
end)

describe("where with numbers", function()
  local c, x = nd.array { 1, 0 }, nd.array { 3, 4 }

  it("accepts one or two, by position, by name and as a method", function()
    assert.same({ 3, 0 }, nd.where(c, x, 0):totable())
    assert.same({ -1, 4 }, nd.where(c, -1, x):totable())
    assert.same({ 5, 6 }, nd.where(c, 5, 6):totable())
    assert.same({ 3, -1 }, nd.where { condition = c, x = x, y = -1 }:totable())
    assert.same({ 7, 4 }, c:where(7, x):totable())
    assert.same({ { 1, 2 }, { 0, 0 } }, nd.where(c, nd.array { { 1, 2 }, { 3, 4 } }, 0):totable())       -- rows
    assert.equal("int64", nd.where(c, 9, ints({ 1, 2 }, "int64")).dtype)
    assert.raises(function() return nd.where(c, 0.5, ints { 1, 2 }) end,
      "where: x: expected a whole number with an array of int32, got 0.5; cast")
    assert.raises(function() return nd.where(c, x, 0, 1) end, "where: expected at most 3 arguments, got more")
  end)

  it("is equal in compiled functions and Symbols, with gradients", function()
    for _, fn in ipairs { function(F, a, b) return F.where(a, b, 0) end,
        function(F, a, b) return F.where { condition = a, x = -2, y = b } end } do
      local expected = fn(nd, c, x)
      assert.bits(expected, hl.compile(fn)(c, x))
      assert.bits(expected, fn(sym, sym.var "c", sym.var "x"):eval { c = c, x = x }[1])
    end
    local v = nd.array { 3, 4 }
    v:attach_grad()
    autograd.record(function() return nd.where(c, v * v, 0):sum() end):backward()
    assert.same({ 6, 0 }, v.grad:totable())
  end)
end)

describe("arithmetic in place", function()
  it("has methods named after Lua's operators, which write to the array's memory", function()
    local x = nd.array { 1, 2, 4 }
    local view = x["0:2"]
    for _, step in ipairs {
      { "mul_", 4, { 4, 8, 16 } }, { "sub_", 1, { 3, 7, 15 } }, { "div_", 2, { 1.5, 3.5, 7.5 } },
      { "pow_", 2, { 2.25, 12.25, 56.25 } }, { "mod_", 2, { 0.25, 0.25, 0.25 } },
      { "add_", nd.array { 1, 2, 3 }, { 1.25, 2.25, 3.25 } }, { "idiv_", 1, { 1, 2, 3 } },
      { "multiply_", nd.array { 2, 2, 2 }, { 2, 4, 6 } }, { "clip_", 3, 5, { 3, 4, 5 } }, { "fill_", 9, { 9, 9, 9 } },
      { "sqrt_", { 3, 3, 3 } }, { "relu_", { 3, 3, 3 } }, { "zero_", { 0, 0, 0 } }, { "exp_", { 1, 1, 1 } },
    } do
      assert.equal(x, x[step[1]](x, table.unpack(step, 2, #step - 1)))
      assert.same(step[#step], x:totable())
      assert.same({ step[#step][1], step[#step][2] }, view:totable())
    end
  end)

  it("is refused in traces and on recorded arrays", function()
    for _, name in ipairs { "mul_", "sub_", "fill_", "zero_", "relu_" } do
      assert.raises(function()
        hl.compile(function(_, x) return x[name](x, name:find "[ef]" and nil or 2) end)(nd.ones { 1 })
      end, "needs values")
    end
    local x = nd.ones { 2 }
    x:attach_grad()
    assert.raises(function() autograd.record(function() x:mul_(2) end) end, "out: .* recorded computation")
  end)
end)

describe("comparing arrays with Lua's operators", function()
  it("is an error that suggests a function, for arrays and for numbers", function()
    local x = nd.array { 3 }
    assert.raises(function() return x > 0 end,
      "array_numbers_spec.lua:%d+: arrays and symbols are not compared with Lua's < and >",
      "write a:lesser%(b%).*; or compare numbers, as in a:asscalar%(%) > 0$")
    assert.raises(function() return x <= x end, "Lua's <= and >=")
    assert.raises(function() hl.compile(function(_, v) if v > 0 then return v end return -v end)(x) end,
      "a:greater_equal%(b%)$")
  end)
end)
