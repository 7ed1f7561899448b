-- default_dtype_spec.lua - hl.set_default_dtype: the dtype of new arrays and parameters, in all modes.
local hl = require "hybridlua"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

describe("set_default_dtype", function()
  after_each(function() hl.set_default_dtype "float32" end)

  it("returns the dtype before", function()
    assert.are.equal("float32", hl.get_default_dtype())
    assert.are.equal("float32", hl.set_default_dtype "float64")
    assert.are.equal("float64", hl.get_default_dtype())
    assert.are.equal("float64", hl.set_default_dtype "float32")
  end)

  it("is the dtype of arrays made of numbers", function()
    local makers = {
      function() return nd.array { 1, 2 } end, function() return nd.array(3) end, function() return nd.zeros { 2 } end,
      function() return nd.ones({ 2 }) end, function() return nd.full({ 2 }, 7) end,
      function() return nd.arange(3) end, function() return nd.linspace(0, 1, 3) end, function() return nd.eye(2) end,
      function() return nd.identity(2) end, function() return nd.tri(2) end, function() return nd.logspace(0, 1, 3) end,
      function() return hl.random.uniform(0, 1, { 2 }) end, function() return hl.random.normal { shape = { 2 } } end,
      function() return hl.random.gamma(2, 1, { 2 }) end, function() return hl.random.laplace(0, 1, { 2 }) end,
    }
    for _, dtype in ipairs { "float64", "float32" } do
      hl.set_default_dtype(dtype)
      for i, make in ipairs(makers) do assert.are.equal(dtype, make().dtype, "maker " .. i) end
    end
  end)

  it("changes neither a given dtype nor that of operands, indices and integers", function()
    hl.set_default_dtype "float64"
    local x = nd.array({ 3, 1, 2 }, { dtype = "float32" })
    assert.are.equal("float32", x.dtype)
    assert.are.equal("float32", (x * 2 + 1).dtype)
    assert.are.equal("float32", nd.zeros_like(x).dtype)
    assert.are.equal("float16", nd.ones({ 2 }, { dtype = "float16" }).dtype)
    assert.are.equal("int32", hl.random.randint(0, 9, { 2 }).dtype)
    assert.are.equal("float32", nd.array(x).dtype)
  end)

  it("holds in Symbols and parameters", function()
    hl.set_default_dtype "float64"
    local s = sym.ones { shape = { 2 } } * 3
    local net = nn.Dense(2, { in_units = 3 })
    net:initialize()
    hl.set_default_dtype "float32"
    assert.are.equal("float64", s:eval {}[1].dtype)
    assert.are.equal("float64", net.weight:data().dtype)
    assert.are.equal("float64", net(nd.ones({ 1, 3 }, { dtype = "float64" })).dtype)
    assert.are.equal("float32", nn.Dense(2, { in_units = 3 }).weight.dtype)
  end)

  it("is part of the key of a compiled call", function()
    local f = hl.compile(function(F, x) return F.ones { shape = { 2 } } / 3, x end)
    local x = nd.ones { 2 }
    for _, dtype in ipairs { "float32", "float64", "float32", "float64" } do
      hl.set_default_dtype(dtype)
      local y = f(x)
      assert.are.equal(dtype, y.dtype)
      assert.are.equal((nd.ones { 2 } / 3):tobytes(), y:tobytes())
    end
  end)

  it("refuses other dtypes", function()
    assert.error_matches(function() hl.set_default_dtype "int32" end, "set_default_dtype: dtype: .*int32")
    assert.error_matches(function() hl.set_default_dtype() end, "set_default_dtype: dtype: ")
    assert.are.equal("float32", hl.get_default_dtype())
  end)
end)
