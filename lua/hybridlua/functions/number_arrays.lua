-- functions/number_arrays.lua - numbers and tables of numbers where functions of this folder take arrays.
local core = require "hybridlua.core"
local operand = require "hybridlua.functions.operand_checks"
local is_ndarray, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local is_array, dtype_of = operand.is, operand.dtype
local nd, sym = core.op.nd, core.op.sym

local number_arrays = {}

local function is_plain(x) return type(x) == "table" and getmetatable(x) == nil end

--- Converts numbers to an array in the context of `like`: int64 if the numbers and its elements are integers, else
-- float64; a single number gets shape (1,). In a graph that is not a trace they become constants, since arrays are not
-- values there.
function number_arrays.as_array(x, like, dtype)
  if type(x) == "number" then x = { x } end
  if not is_plain(x) then return x end
  if not dtype then
    local whole = dtype_of(like)
    dtype = whole and not whole:find "^float" and whole ~= "bool" and "int64" or "float64"
    for _, value in ipairs(x) do
      if math.type(value) == "float" and value ~= math.floor(value) then dtype = "float64" end
    end
  end
  if is_symbol(like) and not tracing() then
    local parts = {}
    for i, value in ipairs(x) do parts[i] = sym.full { shape = { 1 }, value = value, dtype = dtype } end
    return nd.concat(parts, { dim = 0 })
  end
  return nd.array(x, { dtype = dtype, ctx = is_ndarray(like) and like.context or nil })
end

--- Arrays and numbers as arrays of one dtype: the widest float among them, float64 for integers.
function number_arrays.of_one_dtype(...)
  local given, like, dtype = { ... }, nil, nil
  for _, x in ipairs(given) do
    if is_array(x) then
      local own = dtype_of(x)
      like = like or x
      if own and (not own:find "^float" or own == "float64") then dtype = "float64" end
      if not dtype and own then dtype = own end
    end
  end
  local known = dtype or like and "float32" or "float64"
  for i, x in ipairs(given) do
    local own = is_array(x) and dtype_of(x)
    if not is_array(x) then given[i] = number_arrays.as_array(x, like, known)
    elseif dtype and own and own ~= dtype then given[i] = nd.cast(x, { dtype = dtype }) end
  end
  return table.unpack(given)
end

return number_arrays
