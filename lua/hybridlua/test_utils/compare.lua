-- test_utils/compare.lua - comparisons of arrays for tests: equal to the bit, or equal within a tolerance. Values are
-- NDArrays, numbers or nested tables of numbers; tables count as float64.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local compare = {}

-- MXNet's default tolerances by dtype; integers and bool must be equal.
local RTOL = { float16 = 1e-2, float32 = 1e-4, float64 = 1e-5 }
local ATOL = { float16 = 1e-1, float32 = 1e-3, float64 = 1e-20 }

local function as_array(what, x)
  if is_array(x) then return x end
  if type(x) ~= "number" and type(x) ~= "boolean" and not is_plain(x) then
    fail("%s: expected an NDArray, a number or a table of numbers, got %s", what, x == nil and "nothing" or type(x))
  end
  return nd.array(x, { dtype = "float64" })
end

-- A tolerance: the one given (a number, or a table by dtype), or the larger default of the two dtypes.
local function tolerance(what, given, defaults, a, b)
  if type(given) == "number" then return given end
  if given ~= nil and not is_plain(given) then
    fail("%s: expected a number, a table of numbers by dtype or nil, got %s", what, type(given))
  end
  local function of(dtype) return given and given[dtype] or defaults[dtype] or 0 end
  return math.max(of(a.dtype), of(b.dtype))
end

-- Both arrays as float64 with one shape.
local function together(who, a, b, same_shape)
  local x, y = a:astype "float64", b:astype("float64"):as_in_context(a.context)
  if x.shape == y.shape then return x, y end
  if same_shape then
    fail("%s: a.shape = %s and b.shape = %s are not equal", who, python.tuple(a.shape), python.tuple(b.shape))
  end
  local whole = x * 0 + y * 0
  return nd.broadcast_like(x, whole), nd.broadcast_like(y, whole)
end

-- |a - b|, 0 where both are the same, infinite too; NaN stays, or is 0 if both are NaN and equal_nan.
local function distances(x, y, equal_nan)
  local equal = x:equal(y)
  if equal_nan then equal = equal + nd.isnan(x):astype "float64" * nd.isnan(y):astype "float64" end
  return nd.where(equal, nd.zeros_like(x), (x - y):abs())
end

local function count(x) return math.tointeger(x:astype("float64"):sum():asscalar()) end

-- What differs: the number of elements beyond the tolerance, and a function that describes the worst.
local function difference(who, a, b, rtol, atol, equal_nan, same_shape)
  local x, y = together(who, a, b, same_shape)
  if x.size == 0 then return 0 end
  local distance, allowed = distances(x, y, equal_nan), y:abs() * rtol + atol
  -- Equal values are good even where the tolerance is NaN.
  local good = (distance:lesser_equal(allowed) + distance:equal(0)):not_equal(0)
  local bad = x.size - count(good)
  if bad == 0 then return 0 end
  return bad, function()
    local violation = distance / (allowed + 1e-20)
    violation = nd.where(nd.isnan(violation):astype "float64", nd.full_like(violation, { fill_value = math.huge }),
      violation):reshape { -1 }
    local at = math.tointeger(violation:argmax { axis = 0 }:asscalar())
    return violation[at]:asscalar(), at, x:reshape { -1 }[at]:asscalar(), y:reshape { -1 }[at]:asscalar(), x.shape
  end
end

-- The indices of element `at`, counted in row-major order.
local function indices(at, shape)
  local list = {}
  for i = #shape, 1, -1 do list[i], at = at % shape[i], at // shape[i] end
  return list
end

--- same(a, b): whether shape and all values are equal. NaN differs from NaN.
function compare.same(a, b)
  a, b = as_array("same: a", a), as_array("same: b", b)
  if a.shape ~= b.shape then return false end
  return a.size == 0 or nd.all(a:equal(b:as_in_context(a.context):astype(a.dtype))):asscalar()
end

--- almost_equal(a, b, rtol = 1e-5, atol = 1e-20, equal_nan = false, use_broadcast = true): whether |a - b| <= atol +
-- rtol |b| for all elements. use_broadcast = false: other shapes are an error.
function compare.almost_equal(a, b, rtol, atol, equal_nan, use_broadcast)
  a, b = as_array("almost_equal: a", a), as_array("almost_equal: b", b)
  local bad = difference("almost_equal", a, b, rtol or RTOL.float64, atol or ATOL.float64, equal_nan,
    use_broadcast == false)
  return bad == 0
end

local function assert_close(who, a, b, rtol, atol, names, equal_nan, use_broadcast)
  a, b = as_array(who .. ": a", a), as_array(who .. ": b", b)
  rtol, atol = tolerance(who .. ": rtol", rtol, RTOL, a, b), tolerance(who .. ": atol", atol, ATOL, a, b)
  if names ~= nil and not is_plain(names) then fail("%s: names: expected two names, got %s", who, type(names)) end
  local bad, worst = difference(who, a, b, rtol, atol, equal_nan, use_broadcast == false)
  if bad == 0 then return end
  local error, at, first, second, shape = worst()
  local name_a, name_b = names and names[1] or "a", names and names[2] or "b"
  fail("Error %f exceeds tolerance rtol=%e, atol=%e (mismatch %f%%).\nLocation of maximum error: %s, %s=%.8f, %s=%.8f",
    error, rtol, atol, 100 * bad / a.size, python.tuple(indices(at, shape)), name_a, first, name_b, second)
end

--- assert_almost_equal(a, b, {rtol =, atol =, names = {"a", "b"}, equal_nan = false, use_broadcast = true}): raises
-- unless |a - b| <= atol + rtol |b| for all elements. The tolerances are numbers or tables of numbers by dtype; the
-- defaults depend on the dtypes: float32 1e-4 and 1e-3, float64 1e-5 and 1e-20, integers 0. The error says how many
-- elements differ and which differs most.
function compare.assert_almost_equal(...) assert_close("assert_almost_equal", ...) end

--- assert_allclose(a, b, rtol = 1e-7, atol = 0, equal_nan = true): the same with other defaults.
function compare.assert_allclose(a, b, rtol, atol, equal_nan)
  assert_close("assert_allclose", a, b, rtol or 1e-7, atol or 0, nil, equal_nan ~= false)
end

--- assert_almost_equal_ignore_nan(a, b, {rtol =, atol =, names =}): elements that are NaN in one of the arrays are left
-- out.
function compare.assert_almost_equal_ignore_nan(a, b, rtol, atol, names)
  local who = "assert_almost_equal_ignore_nan"
  a, b = as_array(who .. ": a", a), as_array(who .. ": b", b)
  local x, y = together(who, a, b)
  local strange = nd.isnan(x):astype "float64" + nd.isnan(y):astype "float64"
  local zeros = nd.zeros_like(x)
  assert_close(who, nd.where(strange, zeros, x):astype(a.dtype), nd.where(strange, zeros, y):astype(b.dtype), rtol,
    atol,
    names)
end

--- assert_almost_equal_with_err(a, b, {rtol =, atol =, etol = 0, names =, equal_nan = false}): like
-- assert_almost_equal, but a share of etol of the elements may differ.
function compare.assert_almost_equal_with_err(a, b, rtol, atol, etol, names, equal_nan)
  local who = "assert_almost_equal_with_err"
  a, b = as_array(who .. ": a", a), as_array(who .. ": b", b)
  local bad = difference(who, a, b, tolerance(who .. ": rtol", rtol, RTOL, a, b),
    tolerance(who .. ": atol", atol, ATOL, a, b), equal_nan)
  if bad > checks.number(who .. ": etol", etol or 0, 0) * a.size then
    assert_close(who, a, b, rtol, atol, names, equal_nan)
  end
end

--- find_max_violation(a, b, rtol, atol): the indices of the element that exceeds the tolerance most, and by which
-- factor; nil if none does.
function compare.find_max_violation(a, b, rtol, atol)
  local who = "find_max_violation"
  a, b = as_array(who .. ": a", a), as_array(who .. ": b", b)
  local bad, worst = difference(who, a, b, tolerance(who .. ": rtol", rtol, RTOL, a, b),
    tolerance(who .. ": atol", atol, ATOL, a, b))
  if bad == 0 then return nil end
  local factor, at, _, _, shape = worst()
  return indices(at, shape), factor
end

local function kind_of(kind)
  if type(kind) == "table" and not is_plain(kind) and type(kind.is) == "function" then
    return function(message) return kind:is(message) end, tostring(kind)
  end
  if type(kind) == "string" then
    return function(message) return tostring(message):find(kind) ~= nil end, ("an error with '%s'"):format(kind)
  end
  fail("assert_exception: exception_type: expected hl.MXNetError, another kind of hl.base or a pattern, got %s",
    type(kind))
end

--- assert_exception(f, exception_type, ...): raises unless f(...) raises such an error: a kind of hl.base, such as
-- hl.MXNetError, or a pattern that its text must have.
function compare.assert_exception(f, exception_type, ...)
  checks.callable("assert_exception: f", f, "the arguments after exception_type")
  local is_one, name = kind_of(exception_type)
  local ok, message = pcall(f, ...)
  if ok then fail("assert_exception: expected %s, but the function raised none", name) end
  if not is_one(message) then fail("assert_exception: expected %s, got: %s", name, tostring(message)) end
end

--- retry(n)(f): a function that calls f(...) up to n times, until it raises no error; the last error is raised.
function compare.retry(n)
  n = checks.whole("retry: n", n, 1)
  return function(f)
    checks.callable("retry: f", f, "the test's arguments")
    return function(...)
      local ok, message
      for _ = 1, n do
        ok, message = pcall(f, ...)
        if ok then return end
      end
      error(message, 0)
    end
  end
end

-- ---- Tolerances ---------------------------------------------------------------------------------------------------

--- The default tolerances by dtype, as tables.
function compare.default_rtols() return { float16 = 1e-2, float32 = 1e-4, float64 = 1e-5 } end
function compare.default_atols() return { float16 = 1e-1, float32 = 1e-3, float64 = 1e-20 } end

--- The default steps of numeric gradients by dtype: powers of 2, which are exact.
function compare.default_numeric_eps() return { float16 = 2 ^ -6, float32 = 2 ^ -9, float64 = 2 ^ -14 } end

--- effective_dtype(dat): the dtype that determines tolerances: the array's own.
function compare.effective_dtype(dat) return as_array("effective_dtype: dat", dat).dtype end

--- get_tolerance(dat, tol, default_tol): tol if it is a number, else the entry of tol or default_tol for dat's dtype.
function compare.get_tolerance(dat, tol, default_tol)
  local x = as_array("get_tolerance: dat", dat)
  return tolerance("get_tolerance: tol", tol, default_tol or {}, x, x)
end

--- get_tols(x, y, rtol, atol): the tolerances for comparing x and y: those given, or the larger defaults.
function compare.get_tols(x, y, rtol, atol)
  x, y = as_array("get_tols: x", x), as_array("get_tols: y", y)
  return tolerance("get_tols: rtol", rtol, RTOL, x, y), tolerance("get_tols: atol", atol, ATOL, x, y)
end

--- get_rtol(rtol, dtype = "float64"), get_atol(atol, dtype = "float64"), get_etol(etol): the value, or the default.
function compare.get_rtol(rtol, dtype) return rtol or RTOL[dtype or "float64"] end
function compare.get_atol(atol, dtype) return atol or ATOL[dtype or "float64"] end
function compare.get_etol(etol) return etol or 0 end

--- same_array(array1, array2): whether two arrays share memory: a change of the first is one of the second. The values
-- are restored.
function compare.same_array(array1, array2)
  checks.array("same_array: array1", array1)
  checks.array("same_array: array2", array2)
  array1:add_(1)
  local both = compare.same(array1, array2)
  array1:subtract_(1)
  return both and compare.same(array1, array2)
end

--- compare_ndarray_tuple(t1, t2, rtol, atol): assert_almost_equal for arrays, or for lists of arrays; nil equals
-- anything.
function compare.compare_ndarray_tuple(t1, t2, rtol, atol)
  if t1 == nil or t2 == nil then return end
  if not (is_plain(t1) and is_array(t1[1])) then return assert_close("compare_ndarray_tuple", t1, t2, rtol, atol) end
  for i, one in ipairs(t1) do compare.compare_ndarray_tuple(one, t2[i], rtol, atol) end
end

arguments.functions(compare, "test_utils.", {
  same = "a b", almost_equal = "a b rtol atol equal_nan use_broadcast",
  assert_almost_equal = "a b rtol atol names{} equal_nan use_broadcast mismatches{}",
  assert_allclose = "a b rtol atol equal_nan", assert_almost_equal_ignore_nan = "a b rtol atol names{}",
  assert_almost_equal_with_err = "a b rtol atol etol names{} equal_nan mismatches{}",
  find_max_violation = "a b rtol atol", retry = "n", default_rtols = "", default_atols = "",
  default_numeric_eps = "", effective_dtype = "dat", get_tolerance = "dat tol default_tol{}",
  get_tols = "x y rtol atol", get_rtol = "rtol dtype", get_atol = "atol dtype", get_etol = "etol",
  same_array = "array1 array2",
  compare_ndarray_tuple = "t1 t2{} rtol atol",
})

return compare
