-- einsum_matmul_spec.lua - einsum compared with loops over every index, matmul and related functions compared with
-- their definitions, and errors for operands that do not fit.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

local function numbers(shape, seed, dtype)
  hl.random.seed(seed)
  if dtype == "int32" then return nd.random.randint(-9, 10, { shape = shape }):astype "int32" end
  return nd.random.normal { shape = shape }:astype(dtype or "float64")
end

-- The element of nested tables at the indices of these letters.
local function at(t, labels, index)
  for letter in labels:gmatch "." do t = t[index[letter]] end
  return t
end

-- einsum by definition: for each value of the output's letters, the sum of the products over the other letters.
local function by_loops(inputs, output, dims, tables)
  local letters = {}
  for letter in pairs(dims) do if not output:find(letter, 1, true) then letters[#letters + 1] = letter end end
  local index = {}
  local function sum(k)
    if k > #letters then
      local product = 1
      for i, labels in ipairs(inputs) do product = product * at(tables[i], labels, index) end
      return product
    end
    local total = 0
    for v = 1, dims[letters[k]] do
      index[letters[k]] = v
      total = total + sum(k + 1)
    end
    return total
  end
  local function fill(k)
    if k > #output then return sum(1) end
    local letter, t = output:sub(k, k), {}
    for v = 1, dims[letter] do
      index[letter] = v
      t[v] = fill(k + 1)
    end
    return t
  end
  local result = fill(1)
  return type(result) == "table" and result or { result }
end

local DIMS = { a = 2, b = 3, c = 2, d = 4, e = 1, f = 3 }

local SUBSCRIPTS = {
  "ab,bc->ac", "ab,bc->ca", "ab,cb->ac", "ba,bc->ac", "ba,cb->ac", "ab,ab->", "ab,ab->a", "ab,ab->ab", "ab,ba->",
  "a,b->ab", "a,b->ba", "a->", "aa->a", "aa->", "aba->ab", "aab,b->a", "aaa->a", "abc->cab", "abc->b", "dab,dbc->dac",
  "abd,dbc->ac", "abd,bdc->ca", "abcd,dcb->a", "abd,bd->a", "bad,cdb->acd", "ab,cd->abcd", "ab,cd->acbd", "ab,cd->",
  "ab,cd->d", "a,a,a->a", "a,a,a->", "ab,bc,cd->ad", "ab,bc,cd->da", "ab,cb,cd,d->a",
  "ab,b,bc,c->", "abc,bcd,da->", "ace,eb->abc", "eb,e->b", "fab,fa,fb->f", "dcba,dcba->dcba", "dcab,cdef->abef", "e->",
  "e,e->e", "ab,,->ab",
}

describe("einsum", function()
  for number, subscripts in ipairs(SUBSCRIPTS) do
    it("computes the sum of products: " .. subscripts, function()
      local terms, output = subscripts:match "^(.-)%->(.*)$"
      for _, dtype in ipairs { "float64", "int32" } do
        local inputs, arrays, tables, dims = {}, {}, {}, {}
        for labels in (terms .. ","):gmatch "([^,]*)," do
          local shape = {}
          for letter in labels:gmatch "." do
            shape[#shape + 1] = DIMS[letter]
            dims[letter] = DIMS[letter]
          end
          local i = #inputs + 1
          inputs[i], arrays[i] = labels,
            #shape == 0 and nd.full({ 1 }, 3, { dtype = dtype }) or numbers(shape, number + i, dtype)
          tables[i] = #shape == 0 and 3 or arrays[i]:totable()
        end
        local y = nd.einsum(subscripts, table.unpack(arrays))
        local expected = nd.array(by_loops(inputs, output, dims, tables), { dtype = dtype })
        assert.equal(dtype, y.dtype)
        assert.same(expected.shape, y.shape)
        assert.allclose(y, expected, 1e-12, 1e-12)
      end
    end)
  end

  it("orders the letters of an implicit result", function()
    local x, y = numbers({ 2, 3 }, 1), numbers({ 3, 4 }, 2)
    assert.bits(nd.einsum("ij,jk", x, y), nd.einsum("ij,jk->ik", x, y))
    assert.bits(nd.einsum("ba", x), x:transpose())
    assert.bits(nd.einsum("bA", x), x:transpose())
    assert.bits(nd.einsum(" i j -> j i ", x), x:transpose())
    assert.bits(nd.einsum("...i->i...", x), x:transpose())
  end)

  it("broadcasts the axes of the dots", function()
    local x, y = numbers({ 2, 1, 3, 4 }, 3), numbers({ 5, 4, 2 }, 4)
    assert.allclose(nd.einsum("...ij,...jk->...ik", x, y), nd.matmul(x, y), 1e-12)
    assert.allclose(nd.einsum("...ij,...jk", x, y), nd.matmul(x, y), 1e-12)
    assert.allclose(nd.einsum("i...,i...->...", numbers({ 3, 2 }, 5), numbers({ 3, 1 }, 6)),
      (numbers({ 3, 2 }, 5) * numbers({ 3, 1 }, 6)):sum { axis = 0 }, 1e-12)
    assert.same({ 2, 3, 4 }, nd.einsum("...,...->...", numbers({ 2, 3, 4 }, 7), numbers({ 3, 1 }, 8)).shape)
  end)

  it("accepts results without elements, and sums without terms", function()
    assert.same({ 0, 4 }, nd.einsum("ij,jk->ik", nd.zeros { 0, 3 }, nd.zeros { 3, 4 }).shape)
    assert.same({ { 0, 0 } }, nd.einsum("ij,jk->ik", nd.zeros { 1, 0 }, nd.zeros { 0, 2 }):totable())
  end)

  it("accepts a list, and a single table", function()
    local x, y = nd.ones { 2, 3 }, nd.ones { 3, 4 }
    local z = nd.einsum("ij,jk->ik", x, y)
    assert.bits(nd.einsum("ij,jk->ik", { x, y }), z)
    assert.bits(nd.einsum { "ij,jk->ik", x, y }, z)
    assert.bits(nd.einsum("ij,jk->ik", x, y, { optimize = true }), z)
  end)

  it("makes a trace that is valid for other dimensions", function()
    local f = hl.compile(function(F, a, b) return F.einsum("bqhd,bkhd->bhqk", a, b) end)
    for _, n in ipairs { 2, 3, 5 } do
      local a, b = numbers({ n, 4, 2, 3 }, 1), numbers({ n, 5, 2, 3 }, 2)
      assert.bits(f(a, b), nd.einsum("bqhd,bkhd->bhqk", a, b))
    end
    assert.equal(1, #f:explain({ format = "table" }).traces)
  end)

  it("rejects operands that do not fit", function()
    local a, b = nd.ones { 2, 3 }, nd.ones { 4, 5 }
    for text, fn in pairs {
      ["einsum: operands: expected 3 elements along 'j', as operand 1 has, got 4 in operand 2"] = function()
        nd.einsum("ij,jk->ik", a, b)
      end,
      ["einsum: operands: expected 2 elements along 'i', as operand 1 has, got 3 in operand 1"] = function()
        nd.einsum("ii", a)
      end,
      ["einsum: operands: expected 2, one for each term of 'ij,jk', got 1"] = function() nd.einsum("ij,jk->ik", a) end,
      ["einsum: subscripts: expected letters of the operands in the result, got 'z'"] = function()
        nd.einsum("ij->z", a)
      end,
      ["einsum: subscripts: expected each letter once in the result, got 'i' twice"] = function()
        nd.einsum("ij->ii", a)
      end,
      ["einsum: operand 1: expected 3 dimensions, one for each letter of 'ijk', got 2"] = function()
        nd.einsum("ijk->i", a)
      end,
      ["einsum: subscripts: expected letters and at most one '...' for each operand, got 'i.j'"] = function()
        nd.einsum("i.j->i", a)
      end,
      ["einsum: subscripts: expected '...' in the result too, got 'j'"] = function() nd.einsum("...j->j", a) end,
      ["einsum: subscripts: expected a string, got an array"] = function() nd.einsum(a, "ij") end,
      ["einsum: unknown option 'optimise'; did you mean 'optimize'?"] = function()
        nd.einsum("ij", a, { optimise = true })
      end,
      ["einsum: operands: expected dtype float32, as the first has, got int32 in operand 2; convert with astype"] =
        function() nd.einsum("ij,ij->", a, a:astype "int32") end,
    } do
      local ok, message = pcall(fn)
      assert.falsy(ok)
      assert.truthy(message:find(text, 1, true), message)
    end
  end)
end)

describe("matmul", function()
  for _, case in ipairs {
    { { 2, 3 }, { 3, 4 }, { 2, 4 } }, { { 3 }, { 3 }, { 1 } }, { { 3 }, { 3, 4 }, { 4 } }, { { 2, 3 }, { 3 }, { 2 } },
    { { 5, 2, 3 }, { 3, 4 }, { 5, 2, 4 } }, { { 2, 3 }, { 5, 3, 4 }, { 5, 2, 4 } },
    { { 5, 2, 3 }, { 5, 3, 4 }, { 5, 2, 4 } }, { { 6, 1, 2, 3 }, { 5, 3, 4 }, { 6, 5, 2, 4 } },
    { { 1, 5, 2, 3 }, { 6, 1, 3, 4 }, { 6, 5, 2, 4 } }, { { 3 }, { 5, 3, 4 }, { 5, 4 } },
    { { 5, 2, 3 }, { 3 }, { 5, 2 } }, { { 2, 0 }, { 0, 3 }, { 2, 3 } }, { { 0, 2, 3 }, { 3, 4 }, { 0, 2, 4 } },
  } do
    local a_shape, b_shape, shape = table.unpack(case)
    it(("is exact: (%s) and (%s)"):format(table.concat(a_shape, ","), table.concat(b_shape, ",")), function()
      for _, dtype in ipairs { "float64", "float32", "int32" } do
        local a, b = numbers(a_shape, 1, dtype), numbers(b_shape, 2, dtype)
        local y = nd.matmul(a, b)
        assert.same(shape, y.shape)
        assert.equal(dtype, y.dtype)
        -- the products of rows and columns, broadcast and summed
        local left = #a_shape == 1 and a:reshape { 1, -1 } or a
        local right = #b_shape == 1 and b:reshape { -1, 1 } or b
        local products = left:expand_dims { axis = -1 } * right:expand_dims { axis = -3 }
        assert.allclose(y:reshape { -1 }, products:sum { axis = -2 }:reshape { -1 },
          dtype == "float32" and 1e-5 or 1e-12, 1e-5)
        if #a_shape > 1 and #b_shape > 1 then
          local ta, tb = a:swapaxes { dim1 = -1, dim2 = -2 }, b:swapaxes { dim1 = -1, dim2 = -2 }
          assert.allclose(nd.matmul(ta, b, { transpose_a = true }), y, 1e-5, 1e-5)
          assert.allclose(nd.matmul(a, tb, { transpose_b = true }), y, 1e-5, 1e-5)
        end
      end
    end)
  end
  it("infers a dimension from the other operand", function()
    local s = hl.sym.matmul(hl.sym.var("a", { shape = { 2, -1 } }), hl.sym.var("b", { shape = { 3, 4 } }))
    assert.same({ 2, 4 }, select(2, s:infer_shape())[1])
  end)
  it("rejects operands that do not fit", function()
    assert.raises(function() nd.matmul(nd.ones { 2, 3 }, nd.ones { 4, 5 }) end,
      "matmul: b: expected 3 elements along axis 0 to go with a %(2, 3%)")
    assert.raises(function() nd.matmul(nd.ones { 2, 2, 3 }, nd.ones { 3, 3, 5 }) end,
      "matmul: b: expected a shape that broadcasts with %(2, 2, 3%)")
    assert.raises(function() nd.matmul(nd.ones {}, nd.ones { 3 }) end, "matmul: a: expected at least 1 dimension")
    assert.raises(function() nd.matmul(nd.ones { 3 }, nd.ones { 3 }, { transpose_a = true }) end,
      "transpose_a: expected false for a vector")
  end)
end)

describe("tensordot, inner, outer, vdot", function()
  local a, b = numbers({ 2, 3, 4 }, 1), numbers({ 4, 3, 5 }, 2)
  it("are sums over axes", function()
    assert.allclose(nd.tensordot(a, b, 1), nd.einsum("abc,cde->abde", a, b), 1e-12)
    assert.allclose(nd.tensordot(a, b, { axes = { { 2, 1 }, { 0, 1 } } }), nd.einsum("abc,cbe->ae", a, b), 1e-12)
    assert.allclose(nd.tensordot(a, b, { axes = { -1, 0 } }), nd.tensordot(a, b, 1), 1e-12)
    assert.same({ 2, 3, 4, 4, 3, 5 }, nd.tensordot(a, b, 0).shape)
    assert.allclose(nd.tensordot(a, a, 3), (a * a):sum(), 1e-12)
    assert.allclose(nd.inner(a, numbers({ 5, 4 }, 3)), nd.einsum("abc,dc->abd", a, numbers({ 5, 4 }, 3)), 1e-12)
    assert.allclose(nd.outer(a, numbers({ 2 }, 3)), a:reshape { -1, 1 } * numbers({ 2 }, 3):reshape { 1, -1 }, 1e-12)
    assert.allclose(nd.vdot(a, a), (a * a):sum(), 1e-12)
  end)
  it("reject operands that do not fit", function()
    assert.raises(function() nd.tensordot(a, b, 2) end,
      "tensordot: operands: expected 3 elements along axis 1 of a, as operand 1 has, got 4")
    assert.raises(function() nd.tensordot(a, b, 4) end,
      "tensordot: axes: expected at most 3, the dimensions of the operands, got 4")
    assert.raises(function() nd.tensordot(a, b, { axes = { { 0, 1 }, { 0 } } }) end,
      "tensordot: axes: expected as many axes of b as of a, 2, got 1")
    assert.raises(function() nd.tensordot(a, b, { axes = { { 3 }, { 0 } } }) end,
      "tensordot: axes: expected an axis from %-3 to 2")
    assert.raises(function() nd.vdot(nd.ones { 2 }, nd.ones { 3 }) end, "vdot: b: expected 2 elements, as a has, got 3")
  end)
end)

describe("kron, cross, trace", function()
  it("match their definitions", function()
    local a, b = nd.array { { 1, 2 }, { 3, 4 } }, nd.array { { 0, 5 }, { 6, 7 } }
    assert.same({ { 0, 5, 0, 10 }, { 6, 7, 12, 14 }, { 0, 15, 0, 20 }, { 18, 21, 24, 28 } }, nd.kron(a, b):totable())
    assert.same({ 3, 4, 6, 8 }, nd.kron(nd.array { 1, 2 }, nd.array { 3, 4 }):totable())
    local p, q = numbers({ 4, 3 }, 1), numbers({ 4, 3 }, 2)
    local c = nd.cross(p, q)
    assert.allclose((c * p):sum { axis = 1 }, nd.zeros({ 4 }, { dtype = "float64" }), 0, 1e-12)
    assert.allclose((c * q):sum { axis = 1 }, nd.zeros({ 4 }, { dtype = "float64" }), 0, 1e-12)
    assert.same({ -3, 6, -3 }, nd.cross(nd.array { 1, 2, 3 }, nd.array { 4, 5, 6 }):totable())
    assert.same({ -2 }, nd.cross(nd.array { 1, 2 }, nd.array { 3, 4 }):totable())
    assert.allclose(nd.cross(p:transpose(), q:transpose(), { axis = 0 }), c:transpose(), 1e-12)
    assert.same({ 5 }, nd.trace(a):totable())
    assert.same({ 2 }, nd.trace(a, 1):totable())
    assert.same({ 6, 8 }, nd.trace(nd.arange(8):reshape { 2, 2, 2 }):totable())
  end)
  it("reject operands that do not fit", function()
    assert.raises(function() nd.cross(nd.ones { 4 }, nd.ones { 3 }) end,
      "cross: a: expected 2 or 3 elements along axis 0, got 4")
    assert.raises(function() nd.trace(nd.ones { 4 }) end, "trace: data: expected two dimensions or more, got 1")
  end)
end)

it("the gradient of a product with one matrix for a batch is a matrix", function()
  local x, w = numbers({ 5, 2, 3 }, 1), numbers({ 3, 4 }, 2)
  w:attach_grad()
  autograd.record(function() return nd.matmul(x, w) end):backward()
  assert.allclose(w.grad, nd.einsum("bij->j", x):reshape { 3, 1 } * nd.ones({ 1, 4 }, { dtype = "float64" }), 1e-12)
end)

describe("a product that is too small for several threads", function()
  it("has the bits of one thread, even after the number of threads has changed", function()
    local threads <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(threads)
    -- OpenBLAS's kernels for Haswell have other bits in several threads for most of these
    for _, size in ipairs { { 32, 96, 384 }, { 32, 96, 96 }, { 48, 100, 200 }, { 128, 128, 128 }, { 96, 64, 384 } } do
      local m, k, n = table.unpack(size)
      local a, b = numbers({ m, k }, 1, "float32"), numbers({ n, k }, 2, "float32")
      core.host.threads(1)
      local alone = nd.dot(a, b, { transpose_b = true })
      core.host.threads(2)
      assert.bits(nd.dot(a, b, { transpose_b = true }), alone)
    end
  end)
end)

-- Is this build for one of these processor levels, or for this processor with all of these features?
local function built_for(levels, features)
  local march = core.host.info().march
  if march ~= "native" then return march:find(levels) ~= nil end
  for line in io.lines "/proc/cpuinfo" do
    if line:find "^flags" then
      for feature in features:gmatch "%S+" do
        if not (line .. " "):find(" " .. feature .. " ", 1, true) then return false end
      end
      return true
    end
  end
  return false
end

-- Does this build have our own vector kernels? Without them OpenBLAS also computes products with few rows.
local function has_vectors() return built_for("^x86%-64%-v[34]$", "avx2 fma") end
local function has_wide_vectors() return built_for("^x86%-64%-v4$", "avx512f fma") end

-- Numbers whose products and sums are exact in float32 in any order.
local function whole(shape, seed)
  hl.random.seed(seed)
  return nd.random.randint(-3, 4, { shape = shape }):astype "float32"
end

-- Returns a function that draws a number from 0 to n - 1.
local function drawing(state)
  return function(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n
  end
end

describe("a product with few rows", function()
  it("is exact, at any size", function()
    local draw = drawing(7)
    for case = 1, 120 do
      local m, n, k = 1 + draw(70), 1 + draw(300), 1 + draw(case % 10 == 0 and 5000 or 1500)
      local a, b, bias = whole({ m, k }, case), whole({ k, n }, case + 1), whole({ n }, case + 2)
      local bt = b:transpose():copy()
      -- OpenBLAS computes products with a transposed
      local expected = nd.dot(a:transpose():copy(), b, { transpose_a = true })
      assert.bits(nd.dot(a, b), expected)
      assert.bits(nd.dot(a, bt, { transpose_b = true }), expected)
      assert.bits(nd.FullyConnected(a, bt, bias, { num_hidden = n }), expected + bias)
      assert.bits(nd.matmul(a:astype "float64", b:astype "float64"), expected:astype "float64")
    end
  end)

  if not has_vectors() then return end
  it("has the same bits in any number of threads", function()
    local threads <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(threads)
    for _, dtype in ipairs { "float32", "float64" } do
      for _, size in ipairs { { 64, 784, 256 }, { 40, 1500, 130 }, { 23, 2500, 77 } } do
        local m, k, n = table.unpack(size)
        local a, b = numbers({ m, k }, 1, dtype), numbers({ n, k }, 2, dtype)
        core.host.threads(1)
        local alone = nd.dot(a, b, { transpose_b = true })
        core.host.threads(2)
        assert.bits(nd.dot(a, b, { transpose_b = true }), alone)
      end
    end
  end)
end)

-- float32 products use our own tiles if there are vectors of 16 floats, else OpenBLAS.
describe("a product with many rows", function()
  it("is exact, at any size and layout of its operands", function()
    local draw = drawing(11)
    for case = 1, 60 do
      local m, n, k = 65 + draw(case % 7 == 0 and 600 or 150), 1 + draw(600), 40 + draw(case % 5 == 0 and 1500 or 600)
      local a, b, bias = whole({ m, k }, case), whole({ k, n }, case + 1), whole({ n }, case + 2)
      local ta, bt = a:transpose():copy(), b:transpose():copy()
      local expected = nd.dot(a:astype "float64", b:astype "float64"):astype "float32"
      assert.bits(nd.dot(a, b), expected)
      assert.bits(nd.dot(ta, b, { transpose_a = true }), expected)
      assert.bits(nd.dot(a, bt, { transpose_b = true }), expected)
      assert.bits(nd.dot(ta, bt, { transpose_a = true, transpose_b = true }), expected)
      assert.bits(nd.FullyConnected(a, bt, bias, { num_hidden = n }), expected + bias)
    end
  end)

  it("has no more error than its roundings explain", function()
    for _, size in ipairs { { 130, 1500, 70 }, { 300, 256, 300 }, { 97, 3000, 128 } } do
      local m, k, n = table.unpack(size)
      local a, b = numbers({ m, k }, 1, "float32"), numbers({ k, n }, 2, "float32")
      local wide_a, wide_b = a:astype "float64", b:astype "float64"
      local most = nd.dot(wide_a:abs(), wide_b:abs()) * (k * 2.0 ^ -24)
      local error = (nd.dot(a, b):astype "float64" - nd.dot(wide_a, wide_b)):abs()
      assert.equal(1, nd.broadcast_lesser_equal(error, most):min():asscalar())
    end
  end)

  it("is infinite or NaN only where its terms are", function()
    local a, b = nd.ones { 100, 300 }, nd.ones { 300, 130 }
    a[{ 7, 299 }], b[{ 0, 129 }] = math.huge, 0 / 0
    local y, expected = nd.dot(a, b), nd.full({ 100, 130 }, 300)
    expected[7] = math.huge
    expected[":, 129"] = 0 / 0
    assert.bits(y, expected)
  end)

  it("has the same bits in any number of threads, unless OpenBLAS computes it", function()
    local threads <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(threads)
    if not has_wide_vectors() then return end
    for _, size in ipairs { { 100, 784, 256 }, { 300, 300, 1000 }, { 1120, 520, 320 }, { 2000, 200, 64 } } do
      local m, k, n = table.unpack(size)
      local a, ta, b = numbers({ m, k }, 1, "float32"), numbers({ k, m }, 3, "float32"), numbers({ n, k }, 2, "float32")
      local alone = {}
      for _, count in ipairs { 1, 2, 3 } do
        core.host.threads(count)
        local y = nd.dot(a, b, { transpose_b = true })
        local z = nd.dot(ta, b, { transpose_a = true, transpose_b = true })
        assert.bits(y, alone.y or y)
        assert.bits(z, alone.z or z)
        alone.y, alone.z = y, z
      end
      assert.bits(nd.dot(a["10:90"]:copy(), b, { transpose_b = true }), alone.y["10:90"])      -- 80 rows alone
    end
  end)
end)
