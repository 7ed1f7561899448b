-- integrate/quad.lua - hl.integrate.quad: integrals by the pair of Gauss and Kronrod with 10 and 21 nodes, which halves
-- the interval of the largest error until the sum is accurate (R. Piessens et al., "QUADPACK", 1983).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, tracing = core.array.is, core.trace.active
local nd = core.op.nd

-- Nodes above 0, from the outermost, with Kronrod's weight, and Gauss's of every second; the last is the node 0.
local NODES = { 0.995657163025808080735527280689003, 0.973906528517171720077964012084452,
  0.930157491355708226001207180059508, 0.865063366688984510732096688423493, 0.780817726586416897063717578345042,
  0.679409568299024406234327365114874, 0.562757134668604683339000099272694, 0.433395394129247190799265943165784,
  0.294392862701460198131126603103866, 0.14887433898163121088482600112972, 0 }
local KRONROD = { 0.011694638867371874278064396062192, 0.03255816230796472747881897245939,
  0.05475589657435199603138130024458, 0.07503967481091995276704314091619, 0.093125454583697605535065465083366,
  0.109387158802297641899210590325805, 0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
  0.142775938577060080797094273138717, 0.147739104901338491374841515972068, 0.149445554002916905664936468389821 }
local GAUSS = { [2] = 0.066671344308688137593568809893332, [4] = 0.149451349150580593145863397657697,
  [6] = 0.219086362515982043995534934228163, [8] = 0.269266719309996355091226921569469,
  [10] = 0.295524224714752870173815619188769 }

-- The 21 nodes on [-1, 1] and both rules' weights, as vectors.
local function rules()
  local x, k, g = {}, {}, {}
  for i = 1, 21 do
    local j = i <= 11 and i or 22 - i
    x[i], k[i], g[i] = i <= 11 and -NODES[j] or NODES[j], KRONROD[j], GAUSS[j] or 0
  end
  local options = { dtype = "float64" }
  return nd.array(x, options), nd.array(k, options), nd.array(g, options)
end

local nodes, kronrod, gauss

-- The values of f at a vector of points.
local function values_at(f, x, args, by_number)
  if not by_number then
    local y = f(x, table.unpack(args))
    if type(y) == "number" then return nd.full_like(x, y) end
    if is_array(y) and y.size == 1 then return nd.broadcast_add(nd.zeros_like(x), y:astype "float64") end
    if not is_array(y) or y.shape ~= x.shape then
      fail("integrate.quad: func: expected it to return the values at each of %d points, got %s; for a function of \z
        one number pass vectorized = false", x.size, is_array(y) and "shape " .. tostring(y.shape) or
        y == nil and "nothing" or type(y))
    end
    return y:astype "float64"
  end
  local list = {}
  for i, at in ipairs(x:totable()) do
    local y = f(at, table.unpack(args))
    list[i] = is_array(y) and nd.reshape(y, { shape = { 1 } }):astype "float64" or
      nd.array({ checks.number("integrate.quad: func: its result", y) }, { dtype = "float64" })
  end
  return nd.concat(list, { dim = 0 })
end

-- An integrand on a finite interval: infinite ones are mapped to (0, 1] by x = a + (1 - t) / t.
local function finite(f, a, b)
  local INF = math.huge
  if a > -INF and b < INF then return f, a, b end
  local function beyond(from, sign)
    return function(t) return f(from + (1 - t) / t * sign) / nd.square(t) end
  end
  if a > -INF then return beyond(a, 1), 0, 1 end
  if b < INF then return beyond(b, -1), 0, 1 end
  local up, down = beyond(0, 1), beyond(0, -1)
  return function(t) return up(t) + down(t) end, 0, 1
end

-- Both rules on an interval: { a, b, value (an array), error (a number) }.
local function estimate(f, a, b)
  local half = (b - a) / 2
  local y = f(nodes * half + (a + b) / 2)
  local value = nd.sum(y * kronrod) * half
  local values = y:detach()
  local k, g = nd.sum(values * kronrod):asscalar() * half, nd.sum(values * gauss):asscalar() * half
  local mean = k / (b - a)
  local spread = nd.sum(nd.abs(values - mean) * kronrod):asscalar() * math.abs(half)
  local size = nd.sum(nd.abs(values) * kronrod):asscalar() * math.abs(half)
  local error = math.abs(k - g)
  if spread > 0 and error > 0 then
    local ratio = 200 * error / spread
    error = spread * math.min(1, ratio * math.sqrt(ratio))
  end
  if size > 2 ^ -1022 / (50 * 2 ^ -52) then error = math.max(error, 50 * 2 ^ -52 * size) end
  return { a = a, b = b, value = value, number = k, error = error }
end

local NAMES = { "func", "a", "b", "args", "epsabs", "epsrel", "limit", "vectorized" }
local read = arguments.new("integrate.quad", NAMES, { epsabs = 1.49e-8, epsrel = 1.49e-8, limit = 200,
  vectorized = true })

--- The integral of f from a to b, which may be math.huge and -math.huge: quad(f, a, b). f(x, ...) gets a vector of
-- points and returns the values there, by operators; with vectorized = false it gets and returns numbers. Options: args
-- (a list of further arguments of f), epsabs, epsrel (1.49e-8: the error is at most the larger of epsabs and epsrel
-- times the integral), limit (200 intervals). Returns the integral, a float64 array of one element, and the estimated
-- error, a number. Gradients recorded around the call reach what f uses. Errors: values that are not finite; no
-- convergence.
return function(...)
  local o = read(...)
  local what = "integrate.quad"
  if tracing() then
    fail("%s: its intervals depend on values, so it works outside hybridized blocks and graphs", what)
  end
  local fun = checks.callable(what .. ": func", o.func, "x")
  local a, b = checks.number(what .. ": a", o.a), checks.number(what .. ": b", o.b)
  if a == b then return nd.zeros({ 1 }, { dtype = "float64" }), 0.0 end
  local sign = 1
  if a > b then a, b, sign = b, a, -1 end
  if not nodes then nodes, kronrod, gauss = rules() end
  local function at(x) return values_at(fun, x, o.args or {}, not o.vectorized) end
  local f, low, high = finite(at, a, b)
  local parts = { estimate(f, low, high) }
  while true do
    local number, error, worst = 0, 0, 1
    for i, part in ipairs(parts) do
      number, error = number + part.number, error + part.error
      if part.error > parts[worst].error then worst = i end
    end
    if number - number ~= 0 then
      fail("%s: func: expected finite values, got an integral of %s from %g to %g", what, tostring(number), a, b)
    end
    if error <= math.max(o.epsabs, o.epsrel * math.abs(number)) then
      local value
      for _, part in ipairs(parts) do value = value and value + part.value or part.value end
      return nd.reshape(value, { shape = { 1 } }) * sign, error
    end
    if #parts >= o.limit then
      fail("%s: no convergence with %d intervals: the error is about %g; pass a larger limit or epsabs", what, o.limit,
        error)
    end
    local part = parts[worst]
    local middle = (part.a + part.b) / 2
    parts[worst] = estimate(f, part.a, middle)
    table.insert(parts, worst + 1, estimate(f, middle, part.b))
  end
end
