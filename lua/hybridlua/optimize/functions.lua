-- optimize/functions.lua - what the methods of hl.optimize share: starting points, calls of the script's function and
-- of its derivatives, counted, and results.
local core = require "hybridlua.core"
local derivatives = require "hybridlua.derivatives"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, tracing = core.array.is, core.script.is_plain, core.trace.active
local enter_mode = core.autograd.enter_mode
local nd = core.op.nd

local functions = {}

--- The starting point as an array: a number or a table in float64. Copies it.
function functions.start(what, x)
  if tracing() then fail("%s: it reads values, so it works outside hybridized blocks and compiled functions", what) end
  if type(x) == "number" then x = { x } end
  if is_plain(x) then return nd.array(x, { dtype = "float64" }) end
  if not is_array(x) then
    fail("%s: x0: expected an array, a table or a number, got %s", what, x == nil and "nothing" or type(x))
  end
  if not x.dtype:find "^float" then return x:astype "float64" end
  return x:copy():detach()
end

--- Runs fn without recording.
function functions.without_recording(fn, ...)
  local _ <close> = enter_mode(false, nil)
  return fn(...)
end

local function number_of(what, value)
  if type(value) == "number" then return value end
  if not is_array(value) or value.size ~= 1 then
    fail("%s: fun: expected it to return a number or an array of one element, got %s", what,
      is_array(value) and "shape " .. tostring(value.shape) or value == nil and "nothing" or type(value))
  end
  return value:asscalar()
end

--- An objective { value =, value_and_gradient =, nfev =, njev = }, functions of flat arrays. shape: that of the
-- script's x; args: a list of further arguments; jac: the script's gradient, or nil for hl.grad's.
function functions.objective(what, fun, shape, args, jac)
  local self = { nfev = 0, njev = 0 }
  args = args or {}
  local both = not jac and derivatives.value_and_grad(fun, { argnums = 0 })
  local function shaped(x) return nd.reshape(x, { shape = { table.unpack(shape) } }) end
  function self.value(x)
    self.nfev = self.nfev + 1
    return number_of(what, fun(shaped(x), table.unpack(args)))
  end
  function self.value_and_gradient(x)
    x = shaped(x)
    self.nfev, self.njev = self.nfev + 1, self.njev + 1
    local f, g
    if both then
      f, g = both(x, table.unpack(args))
    elseif jac == true then
      f, g = fun(x, table.unpack(args))
    else
      f, g = fun(x, table.unpack(args)), jac(x, table.unpack(args))
    end
    if is_plain(g) then g = nd.array(g, { dtype = x.dtype }) end
    if not is_array(g) or g.size ~= x.size then
      fail("%s: jac: expected a gradient of %d elements, got %s", what, x.size,
        is_array(g) and "shape " .. tostring(g.shape) or type(g))
    end
    return number_of(what, f), nd.reshape(g, { shape = { -1 } })
  end
  return self
end

--- The sum of products of two vectors, and the largest absolute value, as numbers.
function functions.dot(a, b) return nd.sum(a * b):asscalar() end
function functions.largest(x) return x.size > 0 and nd.max(nd.abs(x)):asscalar() or 0 end

return functions
