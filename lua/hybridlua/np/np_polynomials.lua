-- np/np_polynomials.lua - NumPy's functions of polynomials: nd's (functions/polynomials.lua) with np's operands, and
-- poly, polydiv, roots. A polynomial is a vector of coefficients, highest power first.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define = d.define
local nd, mark = core.op.nd, core.np.mark
local dtype_of, promote = core.np.dtype_of, core.np.promote

local function vector(x) return d.reshaped(x, { -1 }) end

-- The operands in one dtype. nd's functions compute in floats, NumPy keeps integers.
local function in_dtype(y, dtype) return dtype and not d.is_float(dtype) and nd.cast(y, { dtype = dtype }) or y end

for _, name in ipairs { "polyadd", "polysub", "polymul" } do
  define(name, "a1* a2*", {}, function(o)
    local a, b = promote(vector(o.a1), vector(o.a2))
    return in_dtype(nd[name](d.floats(a), d.floats(b)), dtype_of(a))
  end)
end
define("polyval", "p* x*", {}, function(o)
  local p, x = promote(o.p, o.x)
  return in_dtype(nd.polyval(vector(d.floats(p)), d.floats(x)), dtype_of(x))
end)
define("polyint", "p* m k", { m = 1 }, function(o)
  return nd.polyint(vector(d.floats(o.p)), { m = o.m, k = d.is(o.k) and o.k:tolist() or o.k })
end)
define("polyder", "p* m", { m = 1 }, function(o) return nd.polyder(vector(d.floats(o.p)), { m = o.m }) end)
define("vander", "x* N increasing", { increasing = false }, function(o)
  if o.N == 0 then return d.reshape(nd.slice_axis(o.x, { axis = 0, begin = 0, stop = 0 }), { o.x.size, 0 }) end
  return nd.vander(d.floats(o.x), { N = o.N, increasing = o.increasing })
end)
define("polyfit", "x* y* deg rcond full w*? cov", { full = false, cov = false }, function(o)
  local x, y = promote(d.floats(o.x), d.floats(o.y))
  return mark(nd.polyfit(x, y, { deg = o.deg, rcond = o.rcond, full = o.full, w = o.w and d.floats(o.w), cov = o.cov }))
end)

-- Long division. The remainder's leading zeros are dropped where its values can be read.
define("polydiv", "u* v*", {}, function(o)
  local u, v = promote(vector(d.floats(o.u)), vector(d.floats(o.v)))
  local n, m, quotient = u.size, v.size, {}
  if n < m then return { mark(nd.zeros({ 1 }, { dtype = dtype_of(u) })), u } end
  local lead, rest = nd.slice_axis(v, { axis = 0, begin = 0, stop = 1 }), u
  for i = 0, n - m do
    local q = nd.broadcast_div(nd.slice_axis(rest, { axis = 0, begin = i, stop = i + 1 }), lead)
    quotient[#quotient + 1] = q
    local taken = nd.broadcast_mul(v, q)
    local parts = { taken }
    if i > 0 then table.insert(parts, 1, nd.zeros({ i }, { dtype = dtype_of(u) })) end
    if n - m - i > 0 then parts[#parts + 1] = nd.zeros({ n - m - i }, { dtype = dtype_of(u) }) end
    rest = nd.broadcast_sub(rest, #parts == 1 and taken or nd.concat(parts, { dim = 0 }))
  end
  local left = m == 1 and mark(nd.zeros({ 1 }, { dtype = dtype_of(u) })) or
    nd.slice_axis(rest, { axis = 0, begin = n - m + 1, stop = n })
  local values = core.array.is(left) and not core.trace.active() and left:totable()
  local first = 1
  while values and first < #values and math.abs(values[first]) < 1e-14 do first = first + 1 end
  if first > 1 then left = nd.slice_axis(left, { axis = 0, begin = first - 1, stop = left.size }) end
  return { #quotient == 1 and quotient[1] or nd.concat(quotient, { dim = 0 }), left }
end)

define("poly", "seq_of_zeros*", {}, function(o)
  local roots = d.floats(o.seq_of_zeros)
  if roots.ndim == 2 then roots = nd.linalg.eigvalsh(roots) end
  local p = mark(nd.ones({ 1 }, { dtype = dtype_of(roots) }))
  for i = 0, roots.size - 1 do
    local root = nd.slice_axis(roots, { axis = 0, begin = i, stop = i + 1 })
    p = nd.polymul(p, nd.concat(nd.ones_like(root), -root, { dim = 0 }))
  end
  return p
end)

-- The eigenvalues of the companion matrix (Horn and Johnson, Matrix Analysis, 1985, 3.3.12), in float64.
define("roots", "p*", {}, function(o)
  if o.p.ndim ~= 1 then fail("np.roots: p: expected a vector of coefficients, got %d dimensions", o.p.ndim) end
  local values, first = d.values("roots", o.p), 1
  local dtype = dtype_of(d.floats(o.p))
  local last = #values
  while first <= last and values[first] == 0 do first = first + 1 end
  while last > first and values[last] == 0 do last = last - 1 end
  local degree, zeros = last - first, {}
  for i = 1, #values - last do zeros[i] = 0 end
  if degree <= 0 then return d.constant(zeros, dtype) end
  local rows = {}
  for i = 1, degree do
    local row = {}
    for k = 1, degree do row[k] = i == 1 and -values[first + k] / values[first] or k == i - 1 and 1 or 0 end
    rows[i] = row
  end
  local found = nd.linalg.eigvals(nd.array(rows, { dtype = "float64" }))
  if #zeros > 0 then found = nd.concat(found, nd.array(zeros, { dtype = "float64" }), { dim = 0 }) end
  return mark(nd.cast(found, { dtype = dtype }))
end)
