-- functions/creation.lua - NumPy's functions that make arrays from numbers alone: identity, tri, logspace, geomspace,
-- indices.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"

local made = {}

local read_identity = arguments.new("identity", { "n", "dtype" }, {})

--- identity(n): an n by n matrix with ones on the diagonal, as in NumPy. identity(x) with an array x: x, as in MXNet.
-- Options: dtype (of set_default_dtype).
function made.identity(F, ...)
  local first = ...
  if operand.is(first) or (type(first) == "table" and (operand.is(first[1]) or operand.is(first.data))) then
    return F._copy(...)
  end
  local o = read_identity(...)
  return F.eye(operand.integer("identity", "n", o.n, 0), { dtype = o.dtype })
end

local read_tri = arguments.new("tri", { "N", "M", "k", "dtype" }, { k = 0 })

--- Ones on and below a diagonal, zeros above. tri(N, M, k): N rows, M columns (default N), diagonal k (0 for the main
-- one, positive above it). Options: dtype (of set_default_dtype).
function made.tri(F, ...)
  local o = read_tri(...)
  local rows = operand.integer("tri", "N", o.N, 0)
  local columns = o.M == nil and rows or operand.integer("tri", "M", o.M, 0)
  return F.tril(F.ones({ rows, columns }, { dtype = o.dtype }), { k = operand.integer("tri", "k", o.k) })
end

local function numbers(what, o, ...)
  for _, param in ipairs { ... } do
    if type(o[param]) ~= "number" then fail("%s: %s: expected a number, got %s", what, param, operand.got(o[param])) end
  end
  operand.integer(what, "num", o.num, 0)
end

-- factor * base^e for num exponents e from start to stop, computed in float64.
local function powers(F, o, base, start, stop, factor)
  local exponents = F.linspace(start, stop, o.num, { endpoint = o.endpoint, dtype = "float64" })
  return F.cast(F._rpower_scalar(exponents, { scalar = base }) * factor,
    { dtype = o.dtype or core.array.default_dtype() })
end

local read_logspace = arguments.new("logspace", { "start", "stop", "num", "endpoint", "base", "dtype" },
  { num = 50, endpoint = true, base = 10 })

--- base^e for num evenly spaced exponents e. logspace(start, stop, num).
-- Options: num (50), endpoint (true: include stop), base (10), dtype (of set_default_dtype).
function made.logspace(F, ...)
  local o = read_logspace(...)
  numbers("logspace", o, "start", "stop", "base")
  return powers(F, o, o.base, o.start, o.stop, 1)
end

local read_geomspace = arguments.new("geomspace", { "start", "stop", "num", "endpoint", "dtype" },
  { num = 50, endpoint = true })

--- num numbers from start to stop with a constant ratio. geomspace(start, stop, num).
-- Options: num (50), endpoint (true: include stop), dtype (of set_default_dtype).
function made.geomspace(F, ...)
  local o = read_geomspace(...)
  numbers("geomspace", o, "start", "stop")
  if o.start * o.stop <= 0 then
    fail("geomspace: stop: expected a number of start's sign, neither being 0, got %s and %s", tostring(o.start),
      tostring(o.stop))
  end
  return powers(F, o, o.stop / o.start, 0, 1, o.start)
end

local read_indices = arguments.new("indices", { "dimensions", "dtype" }, { dtype = "int64" }, true)

--- The indices of an array's elements: indices{2, 3} has shape (2, 2, 3); its part i holds each element's index along
-- axis i. Options: dtype ("int64").
function made.indices(F, ...)
  local o = read_indices(...)
  local dims = o.dimensions
  if type(dims) ~= "table" then fail("indices: dimensions: expected a table of integers, got %s", operand.got(dims)) end
  local parts, shape = {}, {}
  for i, dim in ipairs(dims) do shape[i] = operand.integer("indices", "dimensions", dim, 0) end
  for i, dim in ipairs(shape) do
    local line = {}
    for k = 1, #shape do line[k] = k == i and dim or 1 end
    local x = F.reshape(F.arange(dim, { dtype = o.dtype }), { shape = line })
    for k = 1, #shape do if k ~= i then x = F.broadcast_axis(x, { axis = k - 1, size = shape[k] }) end end
    parts[i] = x
  end
  return F.stack(parts)
end

return { made = made }
