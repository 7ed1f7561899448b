-- lu_eig_expm_spec.lua - general matrices: lu, eig, eigvals, expm, sqrtm satisfy what defines them, in stacks, in all
-- modes and in float32; errors.
local hl = require "hybridlua"
local nd, linalg = hl.nd, hl.nd.linalg
local F64 = { dtype = "float64" }

local function matrix(x) return nd.array(x, F64) end
local function normal(...) return hl.random.normal(0, 1, { ... }, F64) end
local function product(...) return linalg.multi_dot { ... } end
local function turned(x) return nd.transpose(x) end

local function assert_near(x, y, least)
  assert.are.same(x.shape, y.shape)
  local size = nd.maximum(nd.abs(y):max(), 1):asscalar()
  local off = nd.abs(x - y):max():asscalar()
  assert.is_true(off <= (least or 1e-11) * size, ("differs by %g of %g"):format(off, size))
end

-- A matrix with the given eigenvalues.
local function with_eigenvalues(w)
  local v = normal(#w, #w) + 3 * nd.eye(#w, #w, 0, F64)
  return product(v, linalg.makediag(matrix(w)), linalg.inverse(v))
end

local function bits(x) return x:tobytes() end

describe("linalg of general matrices", function()
  before_each(function() hl.random.seed(5) end)

  it("lu factors square, tall, wide and singular matrices", function()
    for _, shape in ipairs { { 5, 5 }, { 7, 3 }, { 3, 7 }, { 1, 4 }, { 30, 30 } } do
      local a = normal(table.unpack(shape))
      local p, l, u = table.unpack(linalg.lu(a))
      assert_near(product(p, l, u), a)
      assert_near(nd.tril(l), l, 0)
      assert_near(nd.triu(u), u, 0)
      assert.is_true(nd.abs(l):max():asscalar() <= 1)
      assert_near(product(p, turned(p)), nd.eye(shape[1], shape[1], 0, F64), 0)
    end
    local a = matrix { { 1, 2 }, { 2, 4 } }
    local r = linalg.lu(a)
    assert_near(product(r[1], r[2], r[3]), a, 0)
  end)

  it("eig and eigvals have the eigenvalues", function()
    for _, w in ipairs { { 3 }, { -1, 2 }, { 1, 2, 3, -4 }, { 0.5, -3, 7, 0, 11, 5, -8, 2 } } do
      local a = with_eigenvalues(w)
      local values, vectors = table.unpack(linalg.eig(a))
      assert_near(nd.dot(a, vectors), vectors * values:reshape { 1, #w }, 1e-10)
      assert_near(nd.sum(vectors ^ 2, { axis = 0 }), nd.ones({ #w }, F64))
      table.sort(w)
      assert_near(nd.sort(values), matrix(w), 1e-9)
      assert_near(nd.sort(linalg.eigvals(a)), matrix(w), 1e-9)
    end
  end)

  it("eig finds the eigenvalues of symmetric and triangular matrices", function()
    local a = normal(40, 40)
    a = a + turned(a)
    assert_near(nd.sort(linalg.eigvals(a)), linalg.eigvalsh(a), 1e-11)
    local t = nd.triu(normal(12, 12))
    assert_near(linalg.eigvals(t), linalg.extractdiag(t), 0)
  end)

  it("expm agrees with eigenvectors, and with known exponentials", function()
    local a = normal(12, 12)
    a = a + turned(a)
    local w, v = table.unpack(linalg.eigh(a))
    assert_near(linalg.expm(a), product(v, linalg.makediag(nd.exp(w)), turned(v)))
    local t = 40.5
    assert_near(linalg.expm(matrix { { 0, -t }, { t, 0 } }),
      matrix { { math.cos(t), -math.sin(t) }, { math.sin(t), math.cos(t) } }, 1e-12)
    assert_near(linalg.expm(nd.zeros({ 3, 3 }, F64)), nd.eye(3, 3, 0, F64), 0)
    assert_near(linalg.expm(matrix { { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 0 } }),
      matrix { { 1, 1, 0.5 }, { 0, 1, 1 }, { 0, 0, 1 } }, 1e-15)
  end)

  it("sqrtm's square is the matrix: symmetric, singular, with complex eigenvalues", function()
    local b = normal(9, 9)
    for _, a in ipairs { nd.dot(b, turned(b)), with_eigenvalues { 1, 4, 9, 2 }, linalg.expm(b / 3),
                         matrix { { 0, -4 }, { 4, 0 } }, nd.zeros({ 2, 2 }, F64) } do
      local x = linalg.sqrtm(a)
      assert_near(nd.dot(x, x), a, 1e-10)
    end
    local low = nd.dot(normal(6, 2), normal(2, 6))
    low = nd.dot(low, turned(low))
    local x = linalg.sqrtm(low)
    assert_near(nd.dot(x, x), low, 1e-10)
  end)

  it("works on stacks, on empty ones, and in float32", function()
    local a = normal(2, 3, 4, 4)
    for _, name in ipairs { "expm", "lu" } do
      local all, one = linalg[name](a), linalg[name](a[{ 1, 2 }])
      all, one = all[1] and type(all) == "table" and all or { all }, type(one) == "table" and one or { one }
      for i = 1, #one do assert.are.equal(bits(one[i]), bits(all[i][{ 1, 2 }])) end
    end
    assert.are.same({ 0, 3 }, linalg.eigvals(nd.zeros({ 0, 3, 3 })).shape)
    assert.are.same({ 0, 0 }, linalg.expm(nd.zeros { 0, 0 }).shape)
    assert.are.equal("float32", linalg.expm(nd.ones { 2, 2 }).dtype)
  end)

  it("has the same bits eagerly, in Symbols and compiled", function()
    local a = with_eigenvalues { 1, 2, 4, 7 }
    for _, name in ipairs { "lu", "eig", "eigvals", "expm", "sqrtm" } do
      local function last(F, x)
        local r = F.linalg[name](x)
        return name == "lu" and r[2] + r[3] or name == "eig" and r[2] or r
      end
      local x = a:copy()
      local function gradient(f)
        x:attach_grad()
        hl.autograd.record(function() return nd.sum(f(x) * f(x)) end):backward()
        return bits(x.grad)
      end
      local compiled = hl.compile(last)
      local s = last(hl.sym, hl.sym.var "x")
      assert.are.equal(bits(last(nd, a)), bits(compiled(a)), name)
      assert.are.equal(bits(last(nd, a)), bits(s:eval { x = a }[1]), name)
      assert.are.equal(gradient(function(v) return last(nd, v) end), gradient(compiled), name)
    end
  end)

  it("names matrices that have no result", function()
    local turn = matrix { { { 1, 0 }, { 0, 1 } }, { { 0, -1 }, { 1, 0 } } }
    assert.error_matches(function() linalg.eig(turn) end,
      "linalg_eig: A: expected matrices with real eigenvalues.*got one with complex eigenvalues %(number 1%)")
    assert.error_matches(function() linalg.eigvals(turn) end, "linalg_eigvals: A: .*%(number 1%)")
    assert.error_matches(function() linalg.sqrtm(matrix { { -1, 0 }, { 0, 2 } }) end,
      "linalg_sqrtm: A: expected matrices with a real square root")
    assert.error_matches(function() linalg.sqrtm(matrix { { 0, 1 }, { 0, 0 } }) end, "linalg_sqrtm: A: ")
    for _, name in ipairs { "lu", "eig", "eigvals", "expm", "sqrtm" } do
      assert.error_matches(function() linalg[name](matrix { { 0 / 0, 1 }, { 1, 1 } }) end,
        "linalg_" .. name .. ": A: expected finite numbers")
    end
    assert.error_matches(function() linalg.eig(nd.ones { 2, 3 }) end, "linalg_eig: A: expected square matrices")
  end)
end)
