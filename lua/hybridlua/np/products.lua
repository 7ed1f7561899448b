-- np/products.lua - products of vectors, matrices and tensors, and np.linalg.
local core = require "hybridlua.core"
local d = require "hybridlua.np.definitions"
local define = d.define
local nd = core.op.nd
local dtype_of, promote = core.np.dtype_of, core.np.promote

-- The operands of a product in one dtype; integers are multiplied in float64 where a row takes floats only.
local function factors(a, b, floats)
  a, b = promote(a, b)
  local dtype = dtype_of(a)
  if dtype ~= nil and (dtype == "bool" or floats and not d.is_float(dtype)) then
    a, b = nd.cast(a, { dtype = "float64" }), nd.cast(b, { dtype = "float64" })
    return a, b, dtype
  end
  return a, b
end

local function product(name, floats, multiply)
  define(name, "a* b* out", {}, function(o)
    local a, b, dtype = factors(o.a, o.b, floats)
    return d.cast(multiply(a, b, o), dtype)
  end)
end

product("dot", true, function(a, b)
  if a.ndim == 0 or b.ndim == 0 then return nd.broadcast_mul(a, b) end
  if b.ndim <= 2 then return nd.dot(a, b) end
  return nd.tensordot(a, b, { axes = { { a.ndim - 1 }, { b.ndim - 2 } } })
end)
product("matmul", false, function(a, b) return nd.matmul(a, b) end)
product("inner", true, function(a, b)
  if a.ndim == 0 or b.ndim == 0 then return nd.broadcast_mul(a, b) end
  if a.ndim == 1 and b.ndim == 1 then return nd.dot(a, b) end
  return nd.tensordot(a, b, { axes = { { a.ndim - 1 }, { b.ndim - 1 } } })
end)
product("outer", true, function(a, b)
  return nd.broadcast_mul(d.reshaped(a, { -1, 1 }), d.reshaped(b, { 1, -1 }))
end)
product("vdot", true, function(a, b) return nd.dot(d.reshaped(a, { -1 }), d.reshaped(b, { -1 })) end)
define("kron", "a* b*", {}, function(o) return nd.kron(promote(o.a, o.b)) end)
define("cross", "a* b* axisa axisb axisc axis", {}, function(o)
  local a, b = promote(o.a, o.b)
  return nd.cross(a, b, { axisa = o.axisa, axisb = o.axisb, axisc = o.axisc, axis = o.axis })
end)
define("tensordot", "a* b* axes", { axes = 2 }, function(o)
  local a, b, dtype = factors(o.a, o.b, true)
  local n = type(o.axes) == "number" and o.axes or type(o.axes[1]) == "table" and #o.axes[1] or 1
  local y = d.cast(nd.tensordot(a, b, { axes = o.axes }), dtype)
  return n * 2 == a.ndim + b.ndim and d.reshaped(y, {}) or y
end)

-- ---- np.linalg ------------------------------------------------------------------------------------------------------

local LINALG = { namespace = "linalg" }

local function linalg(name, names, defaults, fn) define(name, names, defaults, fn, LINALG) end

for _, name in ipairs { "cholesky", "inv", "det", "slogdet" } do
  linalg(name, "a*", {}, function(o) return nd.linalg[name](d.floats(o.a)) end)
end
linalg("qr", "a* mode", { mode = "reduced" }, function(o) return nd.linalg.qr(d.floats(o.a), { mode = o.mode }) end)
linalg("pinv", "a* rcond hermitian", { rcond = 1e-15, hermitian = false }, function(o)
  return nd.linalg.pinv(d.floats(o.a), { rcond = o.rcond, hermitian = o.hermitian })
end)
linalg("eigh", "a* UPLO", { UPLO = "L" }, function(o) return nd.linalg.eigh(d.floats(o.a), { UPLO = o.UPLO }) end)
linalg("eigvalsh", "a* UPLO", { UPLO = "L" }, function(o)
  return nd.linalg.eigvalsh(d.floats(o.a), { UPLO = o.UPLO })
end)
-- Without the vectors that complete a basis, as MXNet's.
linalg("svd", "a* full_matrices compute_uv", { full_matrices = false, compute_uv = true }, function(o)
  return nd.linalg.svd(d.floats(o.a), { full_matrices = o.full_matrices, compute_uv = o.compute_uv })
end)
linalg("norm", "x* ord axis keepdims", { keepdims = false }, function(o)
  return nd.linalg.norm(d.floats(o.x), { ord = o.ord, axis = o.axis, keepdims = o.keepdims })
end)
linalg("cond", "x* p", {}, function(o) return nd.linalg.cond(d.floats(o.x), { p = o.p }) end)
linalg("matrix_rank", "A* tol hermitian", { hermitian = false }, function(o)
  local tol = d.is(o.tol) and o.tol:item() or o.tol
  if o.A.ndim < 2 then return nd.cast(nd.any(o.A), { dtype = "int64" }) end
  return nd.linalg.matrix_rank(d.floats(o.A), { tol = tol, hermitian = o.hermitian })
end)
linalg("matrix_power", "a* n", {}, function(o) return nd.linalg.matrix_power(d.floats(o.a), o.n) end)
linalg("multi_dot", "arrays[] out", {}, function(o)
  local parts = d.operands("linalg.multi_dot", "arrays", o.arrays)
  for i, x in ipairs(parts) do parts[i] = d.floats(x) end
  return nd.linalg.multi_dot(parts)
end)
linalg("solve", "a* b*", {}, function(o) return nd.linalg.solve(promote(d.floats(o.a), d.floats(o.b))) end)
linalg("lstsq", "a* b* rcond", {}, function(o)
  local a, b = promote(d.floats(o.a), d.floats(o.b))
  local result = nd.linalg.lstsq(a, b, { rcond = type(o.rcond) == "number" and o.rcond or nil })
  if a.ndim == 2 then result[3] = d.reshaped(result[3], {}) end
  return result
end)
linalg("tensorinv", "a* ind", { ind = 2 }, function(o) return nd.linalg.tensorinv(d.floats(o.a), { ind = o.ind }) end)
linalg("tensorsolve", "a* b* axes", {}, function(o)
  local a, b = promote(d.floats(o.a), d.floats(o.b))
  return nd.linalg.tensorsolve(a, b, { axes = o.axes })
end)
