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

  it("is that of np's arrays, text files and test_utils too", function()
    local np, random = hl.np, hl.np.random
    local file = os.tmpname()
    nd.savetxt(file, nd.array { { 1, 2 }, { 3, 4 } })
    local makers = {
      function() return np.array { 1, 2 } end, function() return np.array(3) end, function() return np.zeros { 2 } end,
      function() return np.ones { 2 } end, function() return np.full({ 2 }, 7) end,
      function() return np.empty { 2 } end,
      function() return np.arange(3) end, function() return np.linspace(0, 1, 3) end, function() return np.eye(2) end,
      function() return np.identity(2) end, function() return np.tri(2) end,
      function() return np.logspace(0, 1, 3) end, function() return np.geomspace(1, 8, 4) end,
      function() return np.hanning(5) end,
      function() return random.uniform(0, 1, { 2 }) end, function() return random.normal() end,
      function() return random.rand(2) end, function() return random.gamma(2, 1, { 2 }) end,
      function() return random.exponential(1, { 2 }) end, function() return random.laplace(0, 1, { 2 }) end,
      function() return nd.loadtxt(file) end, function() return nd.genfromtxt(file) end,
      function() return np.loadtxt(file) end,
    }
    for _, dtype in ipairs { "float64", "float32" } do
      hl.set_default_dtype(dtype)
      for i, make in ipairs(makers) do assert.are.equal(dtype, make().dtype, "maker " .. i) end
      assert.are.equal(dtype, hl.test_utils.default_dtype())
    end
    hl.set_default_dtype "float64"
    assert.are.equal("float32", nd.loadtxt(file, { dtype = "float32" }).dtype)
    assert.are.equal("float32", np.zeros({ 2 }, { dtype = "float32" }).dtype)
    os.remove(file)
  end)

  it("cannot be changed in hybridized code", function()
    local block = hl.gluon.HybridBlock:subclass "Changes"
    function block:hybrid_forward(_, x)
      hl.set_default_dtype "float64"
      return x
    end
    local net = block()
    net:hybridize()
    for _, call in ipairs { function() net(nd.ones { 1 }) end,
      function() hl.compile(function(_, x) hl.set_default_dtype "float64" return x end)(nd.ones { 1 }) end } do
      assert.error_matches(call, "set_default_dtype: expected a call outside of hybridized code, got one in it")
    end
    assert.are.equal("float32", hl.get_default_dtype())
  end)

  it("refuses other dtypes", function()
    assert.error_matches(function() hl.set_default_dtype "int32" end, "set_default_dtype: dtype: .*int32")
    assert.error_matches(function() hl.set_default_dtype() end, "set_default_dtype: dtype: ")
    assert.are.equal("float32", hl.get_default_dtype())
  end)
end)
