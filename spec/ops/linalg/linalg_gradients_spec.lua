-- linalg_gradients_spec.lua - gradients of linear algebra, compared with differences, and equal bits in eager code,
-- compiled code and bound graphs; by LAPACK and by our own loops.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local matrices = require "support.matrices"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
local linalg = nd.linalg
local normal, turned, product, near = matrices.normal, matrices.turned, matrices.product, matrices.near
local symmetric, positive = matrices.symmetric, matrices.positive

-- Compares autograd with central differences of a weighted sum of f's results, in float64.
local function check_gradient(f, ...)
  local inputs, weights = { ... }, {}
  local function loss()
    local results, sum = f(table.unpack(inputs)), 0
    for i, y in ipairs(type(results) == "table" and results or { results }) do
      weights[i] = weights[i] or normal(y.shape)
      sum = sum + (y * weights[i]):sum()
    end
    return sum
  end
  for _, x in ipairs(inputs) do x:attach_grad() end
  autograd.record(loss):backward()
  for i, x in ipairs(inputs) do
    examples.compare_differences({ name = "gradient" }, i, x, x.grad:totable(), loss, 1e-6)
  end
end

local function gradients()
  local a, b, stack

  before_each(function() a, b, stack = normal { 3, 3 }, normal { 3, 2 }, normal { 2, 3, 3 } end)

  it("match differences: potrf, eigh, eigvalsh of symmetric matrices", function()
    check_gradient(function(x) return linalg.cholesky(positive(x)) end, stack)
    check_gradient(function(x) return linalg.eigh(symmetric(x))[1] end, stack)
    check_gradient(function(x) return linalg.eigvalsh(symmetric(x), { UPLO = "U" }) end, stack)
    check_gradient(function(x) return linalg.eigh(symmetric(x))[2] end, a)
    check_gradient(function(x) return linalg.eigh(symmetric(x), "U") end, a)
    check_gradient(function(x) return linalg.syevd(symmetric(x)) end, a)
  end)

  it("match differences: inverse, solve, slogdet, matrix_power, multi_dot", function()
    check_gradient(linalg.inv, stack)
    check_gradient(function(x) return linalg.slogdet(x)[2] end, stack)
    check_gradient(linalg.solve, a, b)
    check_gradient(linalg.solve, stack, normal { 2, 3 })
    check_gradient(linalg.solve, a, normal { 4, 3, 2 })
    check_gradient(linalg.solve, stack, normal { 1, 3, 1 })
    for n = -2, 3 do if n ~= 0 then check_gradient(function(x) return linalg.matrix_power(x, n) end, a) end end
    check_gradient(function(x, y, z) return linalg.multi_dot { x, y, z } end, a, b, normal { 2, 4 })
  end)

  it("are 0 for det and slogdet of singular matrices, as in MXNet", function()
    local x = nd.array({ { { 1, 2 }, { 2, 4 } }, { { 1, 2 }, { 3, 4 } } }, { dtype = "float64" })
    x:attach_grad()
    autograd.record(function() return linalg.det(x) end):backward()
    near(x.grad, nd.array({ { { 0, 0 }, { 0, 0 } }, { { 4, -3 }, { -2, 1 } } }, { dtype = "float64" }))
    autograd.record(function() return linalg.slogdet(x)[2] end):backward()
    near(x.grad, nd.array({ { { 0, 0 }, { 0, 0 } }, { { -2, 1.5 }, { 1, -0.5 } } }, { dtype = "float64" }))
  end)

  it("match differences: qr, in every shape and mode", function()
    for _, shape in ipairs { { 3, 3 }, { 4, 2 }, { 2, 4 }, { 2, 3, 2 } } do
      check_gradient(linalg.qr, normal(shape))
      check_gradient(function(x) return linalg.qr(x, "r") end, normal(shape))
    end
    -- one added column is determined up to its sign
    check_gradient(function(x) return linalg.qr(x, "complete") end, normal { 3, 2 })
    check_gradient(function(x)
      local q = linalg.qr(x, "complete")[1]
      return product(nd.slice_axis(q, { axis = -1, begin = 2, stop = 5 }),
        turned(nd.slice_axis(q, { axis = -1, begin = 2, stop = 5 })))
    end, normal { 5, 2 })                                                                   -- of three, only their span
  end)

  it("match differences: svd, in every shape", function()
    for _, shape in ipairs { { 3, 3 }, { 4, 2 }, { 2, 4 }, { 2, 3, 2 } } do
      check_gradient(function(x) return linalg.svd(x, { full_matrices = false }) end, normal(shape))
      check_gradient(function(x) return linalg.svd(x, { compute_uv = false }) end, normal(shape))
    end
    check_gradient(linalg.svd, normal { 3, 2 })
    check_gradient(linalg.svd, normal { 2, 3 })
    check_gradient(function(x)
      local rest = nd.slice_axis(linalg.svd(x)[1], { axis = -1, begin = 2, stop = 5 })
      return product(rest, turned(rest))
    end, normal { 5, 2 })
    local x = nd.array({ { 1, 0 }, { 0, 1 } }, { dtype = "float64" })          -- equal values, whose sum is smooth
    x:attach_grad()
    autograd.record(function() return linalg.svd(x)[2]:sum() end):backward()
    near(x.grad, nd.eye(2, { dtype = "float64" }))
  end)

  it("match differences: pinv and lstsq, of full rank and less", function()
    for _, shape in ipairs { { 3, 3 }, { 4, 2 }, { 2, 4 }, { 2, 3, 2 } } do
      check_gradient(linalg.pinv, normal(shape))
    end
    check_gradient(function(x) return linalg.pinv(product(x, turned(x)), { rcond = 1e-9 }) end, normal { 4, 2 })
    check_gradient(function(x, y) return linalg.lstsq(x, y)[1] end, normal { 5, 2 }, normal { 5, 3 })
    check_gradient(function(x, y) return linalg.lstsq(x, y)[1] end, normal { 2, 4 }, normal { 2 })
    check_gradient(function(x, y) return linalg.lstsq(product(x, turned(x)), y)[1] end, normal { 4, 2 }, normal { 4 })
    check_gradient(function(x, y) return linalg.lstsq(x, y)[1] end, normal { 2, 4, 3 }, normal { 2, 4, 1 })
  end)

  it("match differences: norm and cond", function()
    for _, ord in ipairs { "fro", "nuc", 1, -1, 2, -2, math.huge, -math.huge } do
      check_gradient(function(x) return linalg.norm(x, ord, { -2, -1 }) end, normal { 2, 3, 2 })
    end
    for _, ord in ipairs { 1, 2, 3, 0.5, -1, math.huge, -math.huge } do
      check_gradient(function(x) return linalg.norm(x, ord, 0) end, normal { 3, 2 })
    end
    check_gradient(function(x) return linalg.cond(x) end, a)
    check_gradient(function(x) return linalg.cond(x, "fro") end, a)
  end)
end

local function modes()
  local cases = {
    { "svd", function(F, x) return F.linalg.svd(x) end },
    { "svd, reduced", function(F, x) return F.linalg.svd(x, { full_matrices = false }) end },
    { "qr", function(F, x) return F.linalg.qr(x, { mode = "complete" }) end },
    { "eigh", function(F, x) return F.linalg.eigh(x) end },
    { "solve", function(F, x) return F.linalg.solve(x, x + 1) end },
    { "lstsq", function(F, x) return F.linalg.lstsq(x, x) end },
    { "pinv", function(F, x) return F.linalg.pinv(x) end },
    { "cholesky", function(F, x) return F.linalg.cholesky(F.linalg.gemm2(x, x, { transpose_b = true })) end },
    { "norm", function(F, x) return F.linalg.norm(x, "nuc", { 0, 1 }) end },
    { "rank", function(F, x) return F.linalg.matrix_rank(x) end },
    { "cond", function(F, x) return F.linalg.cond(x, 1) end },
    { "power", function(F, x) return F.linalg.matrix_power(x, -3) end },
    { "power 0", function(F, x) return F.linalg.matrix_power(x, 0) end },
    { "multi_dot", function(F, x) return F.linalg.multi_dot { x, x, x } end },
    { "tensorinv", function(F, x) return F.linalg.tensorinv(x, { ind = 1 }) end },
    { "tensorsolve", function(F, x) return F.linalg.tensorsolve(x, x[0]) end },
  }
  local function list(x) return core.array.is(x) and { x } or x end

  for _, case in ipairs(cases) do
    it("have the same bits eager, compiled, bound and reloaded: " .. case[1], function()
      for _, n in ipairs { 4, 30 } do
        local x = normal({ n, n }, "float32")
        local eager, compiled = list(case[2](nd, x)), list(hl.compile(case[2])(x))
        for i, y in ipairs(eager) do assert.bits(compiled[i], y) end
        local var = sym.var("x", { shape = { n, n }, dtype = "float32" })
        local outputs = case[2](sym, var)
        local group = core.symbol.is(outputs) and outputs or sym.Group(outputs)
        local again = sym.load_json(group:tojson())
        for _, s in ipairs { group, again } do
          local got = s:bind(hl.cpu(), { x = x }):forward()
          for i, y in ipairs(eager) do assert.bits(got[i], y) end
        end
      end
    end)
  end
end

describe("LAPACK:", function()
  describe("gradients of linear algebra", gradients)
  describe("results of linear algebra", modes)
end)

describe("our own loops:", function()
  setup(function() core.host.debug { no_lapack = true } end)
  teardown(function() core.host.debug { no_lapack = false } end)
  describe("gradients of linear algebra", gradients)
  describe("results of linear algebra", modes)
end)
