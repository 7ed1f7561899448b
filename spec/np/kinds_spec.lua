-- kinds_spec.lua - np's kind of arrays and Symbols: what passes it on, and what it means.
local hl = require "hybridlua"
local np, npx, nd, sym, autograd, gluon = hl.np, hl.npx, hl.nd, hl.sym, hl.autograd, hl.gluon

local function is_np(x) return hl.isinstance(x, np.ndarray) end

local DTYPES = { "bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64" }

-- The dtype of a sum, by the dtypes' places in the list: row a, column b.
local SUM = {
  { "bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64" },
  { "uint8", "uint8", "int32", "int32", "int64", "float16", "float32", "float64" },
  { "int8", "int32", "int8", "int32", "int64", "float16", "float32", "float64" },
  { "int32", "int32", "int32", "int32", "int64", "float16", "float32", "float64" },
  { "int64", "int64", "int64", "int64", "int64", "float16", "float32", "float64" },
  { "float16", "float16", "float16", "float16", "float16", "float16", "float32", "float64" },
  { "float32", "float32", "float32", "float32", "float32", "float32", "float32", "float64" },
  { "float64", "float64", "float64", "float64", "float64", "float64", "float64", "float64" },
}

describe("np's kind", function()
  it("is passed on by operators, functions, brackets and methods", function()
    local x, y = np.array { { 1, -2 }, { 3, 4 } }, nd.ones { 2, 2 }
    for _, made in ipairs { x + 1, 1 - x, x + y, y + x, -x, x[0], x["0:1"], x.T, x:sum(), x:exp(), nd.exp(x),
      nd.dot(x, y),
                            nd.concat(y, x), nd.flip(x, { axis = 0 }), np.exp(y), np.sum(y), x:astype "int32", x:copy(),
                            x:detach(), x:copyto(hl.cpu()), nd.split(x, { num_outputs = 2 })[1], npx.relu(y) } do
      assert.is_true(is_np(made))
      assert.is_true(hl.isinstance(made, nd.NDArray))
    end
    for _, made in ipairs { y + 1, nd.exp(y), x:as_nd_ndarray() + y, nd.ones { 2 }, y[0] } do
      assert.is_false(is_np(made))
    end
  end)

  it("is that of np's functions and operators on plain arrays and numbers, of both kinds", function()
    local x, y = nd.array { 1, 2 }, np.array { 3, 4 }
    for _, z in ipairs { np.add(x, x), np.add(x, 2), np.add(2, x), np.exp(x), x + y, y + x, y * 2, 2 - y, -y } do
      assert.is_true(hl.isinstance(z, np.ndarray))
      assert.equal("float32", z.dtype)
    end
    assert.same({ -1, -2 }, (2 - y):tolist())
    assert.same({ 1, 0.5 }, np.divide(1, x):tolist())
    assert.equal("float64", (y + nd.array({ 1, 1 }, { dtype = "float64" })).dtype)
    assert.raises(function() return y + np.ones(3) end, "expected a shape that broadcasts with")
  end)

  it("shares memory and tape with nd's", function()
    local x = np.array { 1, 2 }
    x:attach_grad()
    local y = x:as_nd_ndarray()
    assert.is_true(np.shares_memory(x, y))
    y[0] = 5
    assert.equal(5, x[0]:item())
    autograd.record(function() return (y * y):sum() end):backward()
    assert.same({ 10, 4 }, x.grad:totable())
    assert.is_true(is_np(x.grad))
    assert.is_false(is_np(y.grad))
    assert.is_true(is_np(autograd.grad(autograd.record(function() return (x * 2):sum() end), x)))
  end)

  it("gives numbers shape ()", function()
    local x = np.array { { 1, 2 }, { 3, 4 } }
    for _, made in ipairs { x:sum(), x[{ 0, 1 }], np.dot(x[0], x[1]), np.linalg.det(x), np.array(3),
      np.squeeze(x[{ { 0, 1 }, { 0, 1 } }]),
                            np.random.normal(), x:max(), x:mean(), np.linalg.norm(x), x:argmax(), np.array_equal(x, x),
                            np.matmul(x[0], x[0]), np.trace(x), np.median(x), nd.sum(x) } do
      assert.is_true(made.shape == {}, tostring(made))
    end
    assert.is_true(nd.sum(x:as_nd_ndarray()).shape == { 1 })
    assert.equal(4, x[{ 1, 1 }]:item())
    x[{ 1, 1 }] = 7
    assert.equal(7, x[1][1]:item())
  end)

  it("promotes dtypes: 8 by 8", function()
    for i, a in ipairs(DTYPES) do
      for k, b in ipairs(DTYPES) do
        local x, y = np.ones({ 2 }, { dtype = a }), np.ones({ 2 }, { dtype = b })
        assert.equal(SUM[i][k], np.result_type(x, y))
        -- no operator computes in float16
        if SUM[i][k] ~= "float16" then
          local sum = x + y
          assert.equal(SUM[i][k], sum.dtype)
          assert.equal(SUM[i][k] == "bool" and 1 or 2, sum:astype("int64")[0]:item())
          local ratio = (x / y).dtype
          assert.equal(SUM[i][k]:find "^float" and SUM[i][k] or "float32", ratio)
          assert.equal("bool", np.less(x, y).dtype)
          assert.equal("bool", x:equal(y).dtype)
          assert.equal(SUM[i][k], np.where(np.array { 1, 0 }, x, y).dtype)
          assert.equal(SUM[i][k], np.concatenate({ x, y }).dtype)
        end
      end
    end
  end)

  it("lets a number take the array's dtype", function()
    local i, b = np.array({ 1, 2 }, { dtype = "int32" }), np.array({ true, false }, { dtype = "bool" })
    assert.equal("int32", (i + 1).dtype)
    assert.equal("int32", (2 * i).dtype)
    assert.equal("float32", (i / 2).dtype)
    assert.same({ 0.5, 1 }, (i / 2):totable())
    assert.equal("int64", (b + 1).dtype)
    assert.equal("float32", (b * 0.5).dtype)
    assert.same({ true, false }, i:less(1.5):totable())
    assert.raises(function() return i + 1.5 end, "expected a whole number with an array of int32, got 1.5")
    assert.same({ 1, 1.4142135381698608 }, np.sqrt(i):totable())
  end)

  it("has its own text, as NumPy's repr", function()
    assert.equal("array([1., 2.])", tostring(np.array { 1, 2 }))
    assert.equal("array(1.5)", tostring(np.array(1.5)))
    assert.equal("array(3.)", tostring(np.array(3)))
    assert.equal("array([ 3, -4], dtype=int32)", tostring(np.array({ 3, -4 }, { dtype = "int32" })))
    assert.equal("array([], shape=(0, 3))", tostring(np.zeros { 0, 3 }))
    assert.equal("array([[1., 2.],\n       [3., 4.]])", tostring(np.array { { 1, 2 }, { 3, 4 } }))
    assert.equal("array([ True, False])", tostring(np.array { 1, 2 }:less(2)))
  end)

  it("is that of Symbols, and of what they compute", function()
    local x = sym.var("x", { shape = { 2, 2 } }):as_np_ndarray()
    local y = sym.np.sum(x * 2)
    assert.is_true(y.shape == {})
    assert.equal("bool", sym.np.less(sym.var "a", sym.var "b"):astype("bool").dtype)
    local value = y:eval { x = nd.ones { 2, 2 } }[1]
    assert.equal(8, value:item())
  end)
end)

describe("np in compiled code", function()
  it("has traces of its own for each kind", function()
    local Block = gluon.HybridBlock:subclass "NpKindBlock"
    function Block:hybrid_forward(F, x) return x:sum(), F.np.mean(x, { axis = 0 }), x[0] end
    local block = Block()
    block:hybridize()
    for _ = 1, 3 do
      local s, m, first = block(np.array { { 1, 2 }, { 3, 4 } })
      assert.is_true(s.shape == {} and is_np(s) and is_np(m) and is_np(first))
      local t = block(nd.array { { 1, 2 }, { 3, 4 } })
      assert.is_true(t.shape == { 1 } and not is_np(t))
    end
  end)

  it("gives the gradients of eager code to the bit", function()
    local x = np.random.normal(0, 1, { 3, 4 })
    local function loss(v) return np.sum(np.exp(v) / np.sum(np.exp(v), { axis = 1, keepdims = true }) * v) + v[{ 1,
      2 }] end
    local compiled = hl.compile(function(_, v) return loss(v) end)
    local grads = {}
    for i, fn in ipairs { loss, compiled } do
      x:attach_grad()
      autograd.record(function() return fn(x) end):backward()
      grads[i] = x.grad:tobytes()
    end
    assert.equal(grads[1], grads[2])
  end)

  it("works in loops of graphs", function()
    local function run(F, x)
      local _, state = F.contrib.foreach(function(row, s)
        local sum = s + row:sum()
        return sum, sum
      end, x, F.np.zeros {})
      return state
    end
    local x = np.array { { 1, 2 }, { 3, 4 } }
    assert.equal(10, run(nd, x):item())
    assert.equal(10, hl.compile(run)(x):item())
  end)
end)

describe("Elementwise functions of np", function()
  it("take 0-d and empty arrays", function()
    for _, row in ipairs(require "hybridlua.np.ufuncs") do
      local fn = np[row.name]
      local binary = not pcall(fn, np.ones { 2 })
      local dtype = row.name:find "shift" and "int32" or "float32"
      for _, shape in ipairs { {}, { 0 }, { 2, 0 } } do
        local x = np.ones(shape, { dtype = dtype })
        local y = binary and fn(x, x) or fn(x)
        assert.is_true(y.shape == shape, row.name)
        assert.is_true(is_np(y), row.name)
        if binary then assert.is_true(fn(x, np.ones({}, { dtype = dtype })).shape == shape, row.name) end
      end
    end
  end)
end)
