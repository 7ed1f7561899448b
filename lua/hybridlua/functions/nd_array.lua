-- nd_array.lua - the functions of nd that are not operators: nd.array and related functions.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local function foreign() return require "hybridlua.language.foreign_names" end      -- loaded for the first hint
local is_device_value, new_array = core.context.is, core.array.new
local nd = core.op.nd

local OPTIONS = { dtype = true, ctx = true }

local function check_options(t)
  for key in pairs(t) do
    if type(key) == "string" and not OPTIONS[key] then
      fail("nd.array: unknown option '%s'%s", key, nearest.hint(key, OPTIONS))
    end
  end
end

--- A new array from nested tables, a number or an NDArray; float32 unless dtype is given. An NDArray keeps its dtype.
-- nd.array({{1, 2}, {3, 4}}), nd.array{1, 2, dtype = "int32"}, nd.array(x, {dtype = "float64"}).
-- It is created in the current context, or in that of the option ctx. Errors: ragged tables, values other than numbers.
function nd.array(source, options, ...)
  local dtype, ctx
  if type(source) == "table" then check_options(source) end
  if type(options) == "table" then check_options(options) end
  if type(source) == "table" then dtype, ctx = source.dtype, source.ctx end
  -- nd.array(source, ctx, dtype)
  if is_device_value(options) or type(options) == "table" and is_device_value(options[1]) then
    ctx = options
    dtype = options.dtype or ... or dtype
  elseif type(options) == "table" then
    dtype = options.dtype
    if options.ctx ~= nil then ctx = options.ctx end
  elseif type(options) == "string" then dtype = options
  elseif options ~= nil then dtype = ... end
  return new_array(source, dtype, ctx)
end

nd.from_bytes = core.array.from_bytes
nd.set_printoptions = core.array.set_printoptions

--- Does nothing, since nothing is asynchronous; for MXNet's scripts.
function nd.waitall() end

local FIELDS = { shape = true, dtype = true, ndim = true, size = true, grad = true, T = true, stype = true,
  context = true, ctx = true }

-- What to write instead of x.name, for arrays and Symbols: the name here for another library's, or the most similar
-- one.
core.array.set_field_hint(function(name)
  if not name:match "^[%a_][%w_]*$" then return end
  local advice = foreign().method(name)
  if advice then return "; " .. advice end
  local near = nearest.find(name, FIELDS) or nearest.find(name, core.array.methods)
  return near and ("; did you mean '%s'?"):format(near)
end)

core.op.set_option_hint(function(...) return foreign().option_hint(...) end)

-- The same array as one of np's kind, whose operators have NumPy's meaning (hybridlua.np).
for _, methods in ipairs { core.array.methods, core.symbol.methods } do
  function methods.as_np_ndarray(x)
    local _ = require "hybridlua.np"
    return core.np.as_kind(core.symbol.is(x) and nd._copy(x) or x, true)
  end

  function methods.as_nd_ndarray(x) return x end
end

--- Returns the array itself for "default": no array is sparse.
function core.array.methods.tostype(x, stype)
  if stype ~= "default" then
    fail("tostype: stype: expected 'default', got '%s': there are no sparse arrays", tostring(stype))
  end
  return x
end

--- Writes a value into every element: x:set(value).
function core.array.methods.fill_(x, value) return x:set(value) end

--- Writes zeros into every element.
function core.array.methods.zero_(x) return x:set(0) end
