-- factorizations_spec.lua - factorizations, solutions and determinants: the defining properties, of stacks too, and
-- errors; by LAPACK and by our own loops, which serve if the library lacks LAPACK.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local matrices = require "support.matrices"
local nd = hl.nd
local linalg = nd.linalg
local normal, turned, product, near = matrices.normal, matrices.turned, matrices.product, matrices.near
local symmetric, positive, unit_like = matrices.symmetric, matrices.positive, matrices.unit_like

local function diagonal(x) return linalg.makediag(x) end

local function orthonormal_columns(q) local p = product(turned(q), q) near(p, unit_like(p)) end

local function ascending(w)
  local n = w.shape[w.ndim]
  if n == 1 then return true end
  local steps = nd.slice_axis(w, { axis = -1, begin = 1, stop = n }) -
    nd.slice_axis(w, { axis = -1, begin = 0, stop = n - 1 })
  return steps:min():asscalar() >= 0
end

local SQUARE = { { 1, 1 }, { 3, 3 }, { 20, 20 }, { 2, 3, 4, 4 }, { 40, 2, 2 }, { 150, 150 } }
local ANY = { { 1, 1 }, { 3, 3 }, { 5, 2 }, { 2, 5 }, { 3, 4, 2 }, { 2, 3, 2, 4 }, { 60, 40 }, { 30, 50 } }

local function each(shapes, check)
  for _, dtype in ipairs { "float32", "float64" } do
    for _, shape in ipairs(shapes) do
      local x = normal(shape, dtype)
      -- the loops are slow
      if #shape > 2 or shape[1] < 100 or core.host.info().lapack:find "^in" then check(x, dtype) end
    end
  end
end

local function defining_properties()
  it("satisfies L L' = A (potrf, cholesky), and potri inverts it", function()
    each(SQUARE, function(x)
      local a = positive(x)
      local l = linalg.cholesky(a)
      assert.bits(l, linalg.potrf(a))
      -- only the lower triangle is read
      assert.bits(l, linalg.potrf(linalg.maketrian(linalg.extracttrian(a))))
      near(linalg.gemm2(l, l, { transpose_b = true }), a)
      near(product(a, linalg.potri(l)), unit_like(a))
      near(linalg.potri(l), linalg.inverse(a))
    end)
  end)

  it("has inverse, det and slogdet that agree", function()
    each(SQUARE, function(x, dtype)
      local a = x + 3 * unit_like(x) * x.shape[#x.shape] ^ 0.5
      near(product(a, linalg.inv(a)), unit_like(a))
      assert.bits(linalg.inv(a), linalg.inverse(a))
      local sign, logarithm = table.unpack(linalg.slogdet(a))
      if x.shape[1] < 100 then
        assert.allclose(sign * logarithm:exp() / linalg.det(a), nd.ones_like(sign):totable(), 1e-3)
      end
      if dtype == "float64" then near(linalg.slogdet(product(a, a))[2], logarithm * 2) end
    end)
    assert.allclose(linalg.det(nd.array { { 0, 2, 1 }, { 1, 1, 0 }, { 3, 0, 1 } }), { -5 })
    assert.same({ 0 }, linalg.det(nd.array { { 1, 2 }, { 2, 4 } }):totable())
    assert.same({ -math.huge }, linalg.slogdet(nd.array { { 1, 2 }, { 2, 4 } })[2]:totable())
  end)

  it("solves A x = b for vectors and matrices, with stacks that broadcast", function()
    each(SQUARE, function(x)
      local a = x + 3 * unit_like(x)
      local shape = x.shape
      shape[#shape] = 3
      local b = normal(shape, x.dtype)
      near(product(a, linalg.solve(a, b)), b)
    end)
    local a, b = normal { 3, 3 }, normal { 5, 3, 2 }
    local got = linalg.solve(a, b)
    for i = 0, 4 do assert.bits(got[i], linalg.solve(a, b[i])) end
    local v = normal { 3 }
    near(nd.dot(a, linalg.solve(a, v)), v)
    local stack, vectors = normal { 4, 3, 3 }, normal { 4, 3 }
    got = linalg.solve(stack, vectors)
    for i = 0, 3 do assert.bits(got[i], linalg.solve(stack[i], vectors[i])) end
  end)

  it("solves op(A) X = alpha B and X op(A) = alpha B (trsm)", function()
    for _, lower in ipairs { true, false } do
      for _, transpose in ipairs { true, false } do
        each({ { 3, 3 }, { 70, 70 }, { 5, 4, 4 } }, function(x)
          local a, n = x * 0.1 + 2 * unit_like(x), x.shape[#x.shape]
          local options = { lower = lower, transpose = transpose, alpha = 1.5 }
          for _, rightside in ipairs { false, true } do
            local shape = x.shape
            shape[rightside and #shape - 1 or #shape] = n + 2
            local b = normal(shape, x.dtype)
            options.rightside = rightside
            local solved = linalg.trsm(a, b, options)
            options.alpha = 1
            near(linalg.trmm(a, solved, options), b * 1.5)
            options.alpha = 1.5
          end
        end)
      end
    end
  end)

  it("satisfies A = L Q with orthonormal rows of Q and LAPACK's signs (gelqf)", function()
    each({ { 1, 1 }, { 3, 3 }, { 2, 5 }, { 3, 2, 4 }, { 40, 60 } }, function(x)
      local q, l = table.unpack(linalg.gelqf(x))
      near(product(l, q), x)
      orthonormal_columns(turned(q))
      assert.bits(linalg.maketrian(linalg.extracttrian(l)), l)
    end)
    local l = linalg.gelqf(nd.array { { 3, 4 }, { -1, 2 } })[2]
    assert.allclose(l, { { -5, 0 }, { -1, 2 } }, 1e-5, 1e-6)
  end)

  it("chooses QR or singular values by the rank in lstsq, with the same result", function()
    local a, b = normal { 6, 4 }, normal { 6 }
    local u, _, vt = table.unpack(linalg.svd(a, false))
    for _, least in ipairs { 1e-3, 1e-13, 1e-15, 0 } do
      local bad = nd.dot(u * nd.array({ 3, 2, 1, least }, { dtype = "float64" }), vt)
      local x, _, rank, s = table.unpack(linalg.lstsq(bad, b, 1e-14))
      assert.same({ least > 3e-14 and 4 or 3 }, rank:totable())
      local normal_equations = nd.dot(bad, nd.dot(bad, x) - b, { transpose_a = true })
      assert.truthy(normal_equations:norm():asscalar() < 1e-13 * x:norm():asscalar() + 1e-12)
      if rank:asscalar() == 3 then near(x, nd.dot(linalg.pinv(bad, 1e-14), b)) end
      assert.allclose(s, { 3, 2, 1, least }, 1e-9, 1e-14)
    end
    local result = linalg.lstsq(a, b)
    local s = linalg.svd(a, { compute_uv = false })
    assert.equal(4, #result)
    a[0] = 0                                                  -- lazily computed values are those at the call
    near(result[4], s)
    local keys = 0
    for _ in pairs(linalg.lstsq(a, b)) do keys = keys + 1 end
    assert.equal(4, keys)
  end)

  it("satisfies A = Q R with orthonormal columns of Q, in the three modes of qr", function()
    each(ANY, function(x)
      local q, r = table.unpack(linalg.qr(x))
      near(product(q, r), x)
      orthonormal_columns(q)
      near(linalg.qr(x, "r"), r)
      local whole, tall = table.unpack(linalg.qr(x, { mode = "complete" }))
      near(product(whole, tall), x)
      orthonormal_columns(whole)
      assert.equal(x.shape[#x.shape - 1], whole.shape[#x.shape])
      assert.same(x.shape, tall.shape)
    end)
  end)

  it("satisfies A = V diag(w) V' with ascending values (syevd, eigh, eigvalsh)", function()
    each(SQUARE, function(x)
      local a = symmetric(x)
      local u, l = table.unpack(linalg.syevd(a))
      near(product(product(turned(u), diagonal(l)), u), a)
      local largest = nd.max(nd.abs(u), { axis = -1 })
      near(nd.max(u, { axis = -1 }), largest)                       -- the largest element of each vector is positive
      local w, v = table.unpack(linalg.eigh(x))
      local lower = linalg.maketrian(linalg.extracttrian(x))
      near(product(product(v, diagonal(w)), turned(v)), lower + turned(lower) - diagonal(linalg.extractdiag(x)))
      orthonormal_columns(v)
      near(linalg.eigvalsh(x), w)
      near(linalg.eigh(turned(x), "U")[1], w)
      near(linalg.eigvalsh(turned(x), { UPLO = "U" }), w)
      assert.truthy(ascending(w))
    end)
  end)

  it("satisfies A = U diag(s) V' with descending values, full and reduced (svd)", function()
    each(ANY, function(x)
      local m, n = x.shape[#x.shape - 1], x.shape[#x.shape]
      local k = math.min(m, n)
      local u, s, vt = table.unpack(linalg.svd(x, { full_matrices = false }))
      near(product(product(u, diagonal(s)), vt), x)
      orthonormal_columns(u)
      orthonormal_columns(turned(vt))
      near(linalg.svd(x, { compute_uv = false }), s)
      assert.truthy(ascending(-s))
      local all, values, rows = table.unpack(linalg.svd(x))
      near(values, s)
      orthonormal_columns(all)
      orthonormal_columns(turned(rows))
      assert.equal(m, all.shape[#x.shape])
      assert.equal(n, rows.shape[#x.shape - 1])
      all, rows = nd.slice_axis(all, { axis = -1, begin = 0, stop = k }),
        nd.slice_axis(rows, { axis = -2, begin = 0, stop = k })
      near(product(product(all, diagonal(values)), rows), x)
    end)
    -- a singular matrix also has a basis
    local u, s = table.unpack(linalg.svd(nd.array { { 1, 2 }, { 2, 4 }, { 3, 6 } }))
    orthonormal_columns(u)
    assert.allclose(s, { 70 ^ 0.5, 0 }, 1e-5, 1e-6)
    orthonormal_columns(linalg.svd(nd.zeros { 4, 3 })[1])
  end)

  it("has a residual orthogonal to A, and returns the shortest solution (lstsq)", function()
    for _, dtype in ipairs { "float32", "float64" } do
      local a, b = normal({ 7, 3 }, dtype), normal({ 7, 2 }, dtype)
      local x, residuals, rank, s = table.unpack(linalg.lstsq(a, b))
      local rest = b - nd.dot(a, x)
      near(nd.dot(a, rest, { transpose_a = true }), nd.zeros({ 3, 2 }, { dtype = dtype }))
      near(residuals, nd.sum(rest * rest, { axis = 0 }))
      assert.same({ 3 }, rank:totable())
      assert.equal("int64", rank.dtype)
      near(s, linalg.svd(a, { compute_uv = false }))
      local wide, v = normal({ 3, 7 }, dtype), normal({ 3 }, dtype)
      local shortest = linalg.lstsq(wide, v)
      near(nd.dot(wide, shortest[1]), v)
      near(shortest[1], nd.dot(linalg.pinv(wide), v))
      assert.same({ 0 }, shortest[2].shape)
      local stack = linalg.lstsq(normal({ 4, 5, 2 }, dtype), normal({ 4, 5 }, dtype))
      assert.same({ { 4, 2 }, { 4, 1 }, { 4 }, { 4, 2 } },
        { stack[1].shape, stack[2].shape, stack[3].shape, stack[4].shape })
    end
    local a = nd.array { { 1, 1 }, { 1, 1 }, { 1, 1 } }                      -- of rank 1: no residuals, as in NumPy
    local x, residuals, rank = table.unpack(linalg.lstsq(a, nd.array { 1, 2, 2 }))
    assert.allclose(x, { 5 / 6, 5 / 6 }, 1e-5)
    assert.same({ 0 }, residuals.shape)
    assert.same({ 1 }, rank:totable())
    local stack = linalg.lstsq(a:reshape { 1, 3, 2 }, nd.array { { 1, 2, 2 } })
    -- a stack has residuals even for rank 1, because its shape cannot depend on ranks
    assert.allclose(stack[2], { { 2 / 3 } }, 1e-5)
    assert.same({ 2 }, linalg.lstsq(nd.array { { 1, 0 }, { 0, 1e-3 } }, nd.array { 1, 2 })[3]:totable())
    assert.same({ 1 },
      linalg.lstsq(nd.array { { 1, 0 }, { 0, 1e-3 } }, nd.array { 1, 2 }, { rcond = 0.1 })[3]:totable())
  end)

  it("satisfies A P A = A and P A P = P with symmetric A P and P A (pinv)", function()
    each({ { 1, 1 }, { 3, 3 }, { 5, 2 }, { 2, 5 }, { 3, 4, 2 }, { 30, 20 } }, function(x)
      local p = linalg.pinv(x)
      near(product(product(x, p), x), x)
      near(product(product(p, x), p), p)
      near(product(x, p), turned(product(x, p)))
      near(product(p, x), turned(product(p, x)))
    end)
    local flat = nd.array({ { 1, 2 }, { 2, 4 } }, { dtype = "float64" })
    near(linalg.pinv(flat), flat / 25)
    near(linalg.pinv(flat, { hermitian = true, rcond = 1e-10 }), flat / 25)
    near(linalg.pinv(nd.array({ { 1, 0 }, { 0, 1e-3 } }, { dtype = "float64" }), 0.1),
      nd.array({ { 1, 0 }, { 0, 0 } }, { dtype = "float64" }))
  end)

  it("counts singular values (matrix_rank)", function()
    local a = nd.array { { 1, 2 }, { 2, 4 }, { 3, 6 } }
    assert.same({ 1 }, linalg.matrix_rank(a):totable())
    assert.equal("int64", linalg.matrix_rank(a).dtype)
    assert.same({ 2 }, linalg.matrix_rank(a, { tol = -1 }):totable())
    assert.same({ 0 }, linalg.matrix_rank(a, 100):totable())
    assert.same({ { 0, 3 } },
      linalg.matrix_rank(nd.stack { nd.zeros { 3, 3 }, nd.eye(3) }:reshape { 1, 2, 3, 3 }):totable())
    assert.same({ 1 }, linalg.matrix_rank(nd.array { { 1, 2 }, { 2, 4 } }, { hermitian = true }):totable())
  end)

  it("returns empty or identity factors for empty matrices", function()
    assert.same({ 1, 1 }, linalg.det(nd.zeros { 2, 0, 0 }):totable())
    assert.same(nd.eye(3):totable(), linalg.svd(nd.zeros { 0, 3 })[3]:totable())
    assert.same(nd.eye(3):totable(), linalg.qr(nd.zeros { 3, 0 }, { mode = "complete" })[1]:totable())
    for _, name in ipairs { "potrf", "cholesky", "potri", "inverse" } do
      assert.same({ 0, 0 }, linalg[name](nd.zeros { 0, 0 }).shape)
    end
    assert.same({ 0, 2 }, linalg.solve(nd.zeros { 0, 0 }, nd.zeros { 0, 2 }).shape)
    assert.same({ 3, 0 }, linalg.pinv(nd.zeros { 0, 3 }).shape)
    assert.same({ 0 }, linalg.eigh(nd.zeros { 0, 0 })[1].shape)
    assert.same({ 0, 3 }, linalg.gelqf(nd.zeros { 0, 3 })[1].shape)
    assert.same({ 0, 4, 4 }, linalg.inv(nd.zeros { 0, 4, 4 }).shape)
    assert.same({ 9 }, linalg.lstsq(nd.zeros { 1, 0 }, nd.array { 3 })[2]:totable())
    assert.same({ 0 }, linalg.matrix_rank(nd.zeros { 0, 3 }):totable())
  end)
end

describe("linear algebra by LAPACK", function()
  it("is available in this library", function()
    assert.equal("in OpenBLAS", core.host.info().lapack)
    assert.truthy(command.hybridlua { "--info" }:find("LAPACK      in OpenBLAS", 1, true))
  end)
  defining_properties()
end)

describe("linear algebra by our own loops", function()
  setup(function() core.host.debug { no_lapack = true } end)
  teardown(function() core.host.debug { no_lapack = false } end)
  it("is reported by --info if LAPACK is off", function()
    assert.truthy(core.host.info().lapack:find "loops of our own")
    local text = command.run("HYBRIDLUA_LAPACK=off " .. command.program .. " --info")
    assert.truthy(text:find("LAPACK      off, by HYBRIDLUA_LAPACK; loops of our own", 1, true), text)
  end)
  defining_properties()
end)

describe("errors of linear algebra", function()
  local singular = nd.array { { { 1, 0 }, { 0, 1 } }, { { 1, 2 }, { 2, 4 } } }

  it("name the operator, and the matrix of the stack", function()
    assert.raises(function() linalg.inverse(singular) end,
      "linalg_inverse: A: expected regular matrices, got a singular one %(number 1%)")
    assert.raises(function() linalg.solve(singular, nd.ones { 2, 2, 1 }) end,
      "linalg_solve: A: .*singular one %(number 1%)")
    assert.raises(function() linalg.cholesky(singular - 1) end,
      "linalg_cholesky: A: expected symmetric positive definite .*%(number 0%)")
    assert.raises(function() linalg.potri(singular * 0) end, "linalg_potri: A: .*singular one %(number 0%)")
    assert.raises(function() linalg.det(nd.ones { 2, 3 }) end,
      "linalg_det: A: expected square matrices, got shape %(2, 3%)")
    assert.raises(function() linalg.solve(nd.ones { 2, 2 }, nd.ones { 3 }) end,
      "linalg_solve: b: expected shape %(..., 2%)")
    assert.raises(function() linalg.lstsq(nd.ones { 4, 2 }, nd.ones { 3 }) end, "lstsq: b: expected A's shape")
    assert.raises(function() linalg.svd(nd.ones { 3 }) end, ": linalg_svd: A: expected at least 2 dimensions")
    assert.raises(function() linalg.eigh(nd.ones({ 2, 2 }, { dtype = "int32" })) end,
      "linalg_eigh: A: expected dtype float32 or float64")
    assert.raises(function() linalg.qr(nd.ones { 2, 2 }, { mode = "raw" }) end, "linalg_qr: mode: ")
    assert.raises(function() linalg.svd(nd.ones { 2, 2 }, { full_matrix = true }) end, "did you mean 'full_matrices'?")
    assert.raises(function() linalg.lstsq(nd.ones { 2, 2 }, nd.ones { 2 }, { rcon = 1 }) end, "unknown option 'rcon'")
  end)

  it("report NaN and infinities, for operators that cannot have them", function()
    for _, bad in ipairs { 0 / 0, math.huge, -math.huge } do
      for _, n in ipairs { 2, 200 } do
        local x = normal({ 2, n, n }, "float32")
        x[{ 1, 0, 0 }] = bad
        for _, name in ipairs { "svd", "eigh", "eigvalsh", "syevd", "pinv", "matrix_rank" } do
          assert.raises(function() linalg[name](x) end,
            "linalg_" .. name .. ": A: expected finite numbers, got NaN or an infinity")
        end
        assert.raises(function() linalg.lstsq(x, nd.ones { 2, n }) end, "expected finite numbers")
        assert.raises(function() linalg.potrf(x * 0) end, "positive definite")
        linalg.qr(x)
        pcall(linalg.inverse, x)
        local d = linalg.det(nd.array { { bad, 1 }, { 1, 1 } }):asscalar()
        assert.truthy(d ~= d or math.abs(d) == math.huge)
      end
    end
  end)

  it("stop between the matrices of a stack at an interrupt", function()
    local text, code = command.run(command.foreground .. "timeout -s INT 1 " .. command.program ..
      [[ -e 'local x = nd.random.normal{shape = {400, 150, 150}} while true do nd.linalg.svd(x) end']])
    assert.truthy(text:find "interrupted", text)
    assert.truthy(code == 130 or code == 124, tostring(code))
  end)
end)

describe("loading MXNet's names", function()
  it("finds rows for _npi_solve, _npi_cholesky, _npi_eigh, _npi_eigvalsh, _npi_qr", function()
    for _, name in ipairs { "_npi_solve", "_npi_cholesky", "_npi_eigh", "_npi_eigvalsh", "_npi_qr" } do
      assert.truthy(core.op.row(name), name)
    end
  end)
end)

describe("linalg_potrf without lower", function()
  -- MXNet 1.9.1 computes these
  it("returns the upper triangle, with its gradient, for any stack and size", function()
    local a = nd.array({ { 4, 1 }, { 1, 3 } }, { dtype = "float64" })
    a:attach_grad()
    local weights = nd.array({ { 1, 2 }, { 3, 5 } }, { dtype = "float64" })
    for lower, wanted in pairs { [true] = { 0.15672228, 0.3731109, 0.3731109, 1.5075567 },
                                 [false] = { 0.2192223, 0.1231108, 0.1231108, 1.5075567 } } do
      hl.autograd.record(function() return (nd.linalg.potrf(a, { lower = lower }) * weights):sum() end):backward()
      for i, x in ipairs(a.grad:reshape(-1):totable()) do assert.near(wanted[i], x, 1e-6) end
    end
    for _, size in ipairs { 1, 3, 40 } do
      local r = nd.random.normal { shape = { 2, size, size } }
      local s = nd.linalg.gemm2(r, r, { transpose_b = true }) + nd.eye(size)
      s = s + s:swapaxes(1, 2)
      local lower, upper = nd.linalg.potrf(s), nd.linalg.potrf(s, { lower = false })
      assert.bits(lower:swapaxes(1, 2), upper)
      assert.bits(upper, hl.compile(function(F, x) return F.linalg.potrf(x, { lower = false }) end)(s))
    end
    assert.same({ { 2, 0.5 }, { 0, 1 } },
      nd.linalg.potrf(nd.array { { 4, 1 }, { 9, 1.25 } }, { lower = false }):totable())     -- of the upper triangle
  end)
end)
