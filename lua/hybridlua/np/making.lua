-- np/making.lua - functions of np that make arrays.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local define, mark = d.define, d.mark
local nd = core.op.nd

-- ---- From values ------------------------------------------------------------------------------------------

local function has_operand(t)
  for _, item in ipairs(t) do
    if d.is(item) or type(item) == "table" and has_operand(item) then return true end
  end
  return false
end

-- A new array; a boolean alone gives the default dtype, as all values do.
define("array", "object[] dtype ctx order ndmin", {}, function(o)
  local x = o.object
  if d.is(x) then return d.cast(nd._copy(d.operand("array", "object", x)), o.dtype) end
  if type(x) == "number" or type(x) == "boolean" then
    return mark(nd.reshape(nd.array({ x }, { dtype = o.dtype, ctx = o.ctx }), { shape = {} }))
  end
  if type(x) ~= "table" then fail("np.array: object: expected numbers or arrays, got %s", type(x)) end
  if has_operand(x) and core.trace.active() then return d.cast(d.stacked("array", "object", x), o.dtype) end
  return mark(nd.array(x, { dtype = o.dtype, ctx = o.ctx }))
end, { method = false })

local function filled(name, value)
  define(name, "shape[] dtype order ctx", {}, function(o, F)
    return mark(F.full { shape = d.shape(name, "shape", o.shape), value = value, dtype = o.dtype, ctx = o.ctx })
  end)
end
filled("zeros", 0)
filled("ones", 1)
filled("empty", 0)

define("full", "shape fill_value dtype order ctx out", {}, function(o, F)
  local shape, dtype = d.shape("full", "shape", o.shape), o.dtype
  if d.is(o.fill_value) then
    return d.cast(nd.broadcast_to(d.operand("full", "fill_value", o.fill_value), shape), dtype)
  end
  local value = o.fill_value
  if type(value) == "boolean" then value, dtype = value and 1 or 0, dtype or "bool" end
  return mark(F.full { shape = shape, value = value, dtype = dtype, ctx = o.ctx })
end)

define("full_like", "a* fill_value dtype order ctx out", {}, function(o)
  local value = o.fill_value
  if type(value) == "boolean" then value = value and 1 or 0 end
  return d.cast(nd.full_like(d.cast(o.a, o.dtype), value), o.dtype)
end)

for _, name in ipairs { "zeros_like", "ones_like" } do
  define(name, "a* dtype order ctx out", {}, function(o) return nd[name](d.cast(o.a, o.dtype)) end)
end
define("empty_like", "prototype* dtype order subok shape ctx", {}, function(o, F)
  if o.subok then fail "np.empty_like: subok: expected false, got true: there are no classes of arrays to keep" end
  if o.shape == nil then return nd.zeros_like(d.cast(o.prototype, o.dtype)) end
  local shape = d.shape("empty_like", "shape", o.shape)
  return mark(F.full { shape = shape, value = 0, dtype = o.dtype or core.np.dtype_of(o.prototype), ctx = o.ctx })
end)

-- ---- Ranges ------------------------------------------------------------------------------------------------

define("arange", "start stop step dtype ctx", { step = 1 }, function(o, F)
  local start, stop = o.start, o.stop
  if stop == nil then start, stop = 0, start end
  if type(stop) ~= "number" then
    fail("np.arange: stop: expected a number, got %s", stop == nil and "nothing" or type(stop))
  end
  return mark(F.arange { start = start, stop = stop, step = o.step, dtype = o.dtype, ctx = o.ctx })
end)

define("linspace", "start stop num endpoint retstep dtype axis ctx",
  { num = 50, endpoint = true, retstep = false }, function(o, F)
    local x = mark(F.linspace(o.start, o.stop, o.num, { endpoint = o.endpoint, dtype = o.dtype, ctx = o.ctx }))
    if not o.retstep then return x end
    local parts = o.num - (o.endpoint and 1 or 0)
    return { x, parts > 0 and (o.stop - o.start) / parts or 0 / 0 }
  end)

define("logspace", "start stop num endpoint base dtype axis ctx",
  { num = 50, endpoint = true, base = 10 }, function(o, F)
    return mark(F.logspace(o.start, o.stop, o.num,
      { endpoint = o.endpoint, base = o.base, dtype = o.dtype }))
  end)

define("geomspace", "start stop num endpoint dtype", { num = 50, endpoint = true }, function(o, F)
  return mark(F.geomspace(o.start, o.stop, o.num, { endpoint = o.endpoint, dtype = o.dtype }))
end)

define("eye", "N M k dtype ctx", { k = 0 }, function(o, F)
  return mark(F.eye(o.N, o.M or o.N, o.k, { dtype = o.dtype, ctx = o.ctx }))
end)

define("identity", "n dtype ctx", {}, function(o, F)
  return mark(F.eye(o.n, o.n, 0, { dtype = o.dtype, ctx = o.ctx }))
end)

define("tri", "N M k dtype", { k = 0 }, function(o, F)
  return mark(F.tri(o.N, o.M or o.N, o.k, { dtype = o.dtype }))
end)

define("indices", "dimensions[] dtype ctx", { dtype = "int32" }, function(o, F)
  return mark(F.indices(o.dimensions, { dtype = o.dtype }))
end)

-- Windows for spectra: sums of cosines.
local function window(name, terms)
  define(name, "M dtype ctx", {}, function(o, F)
    if math.type(o.M) ~= "integer" then fail("np.%s: M: expected an integer, got %s", name, tostring(o.M)) end
    if o.M < 1 then return mark(F.full { shape = { 0 }, value = 0, dtype = o.dtype }) end
    if o.M == 1 then return mark(F.full { shape = { 1 }, value = 1, dtype = o.dtype }) end
    local angle = F.arange { start = 0, stop = o.M, dtype = "float64" } * (2 * math.pi / (o.M - 1))
    local sum
    for i, factor in ipairs(terms) do
      local term = i == 1 and nd.ones_like(angle) * factor or nd.cos(angle * (i - 1)) * factor
      sum = sum and sum + term or term
    end
    return mark(nd.cast(sum, { dtype = o.dtype or core.array.default_dtype() }))
  end)
end
window("hanning", { 0.5, -0.5 })
window("hamming", { 0.54, -0.46 })
window("blackman", { 0.42, -0.5, 0.08 })

-- ---- Copies -------------------------------------------------------------------------------------------------

define("copy", "a* out order", {}, function(o) return nd._copy(o.a) end)
define("positive", "x* out", {}, function(o) return nd._copy(o.x) end)
define("real", "val*", {}, function(o) return o.val end)
