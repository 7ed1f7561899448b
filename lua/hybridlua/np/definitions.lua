-- np/definitions.lua - how the functions of np are written: each reads its arguments in NumPy's order, takes operands
-- of
-- both kinds, and is written on nd's operators, which give np's arrays for np's operands. So all work on arrays, on
-- Symbols and in traces.
--
--   define("trapz", "y x dx axis", { dx = 1, axis = -1 }, function(o, F) ... end)
--
-- o holds the arguments; o.y and the other names in `operands` are operands of np's kind. F is nd or sym, whichever np
-- the function was called in; functions without operands make their arrays with it.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local is_np, as_kind, mark = core.np.is, core.np.as_kind, core.np.mark
local is_plain, new_shape = core.script.is_plain, core.array.new_shape
local nd, NULL = core.op.nd, core.op.NULL

local definitions = { mark = mark, NULL = NULL }

--- The functions: a list of { name, reader, function, namespace }.
definitions.list = {}

function definitions.is(x) return is_array(x) or is_symbol(x) end

-- Is a table one of numbers, of tables of numbers, or of booleans?
local function is_data(t)
  local first = t[1]
  return #t == 0 or type(first) == "number" or type(first) == "boolean" or is_plain(first) and is_data(first)
end

local function has_operand(t)
  for _, item in ipairs(t) do
    if definitions.is(item) or type(item) == "table" and has_operand(item) then return true end
  end
  return false
end

--- An array of np's kind from a number, a boolean or nested tables; numbers have shape ().
function definitions.constant(value, dtype)
  if type(value) == "number" or type(value) == "boolean" then
    return mark(nd.reshape(nd.array({ value }, { dtype = dtype }), { shape = {} }))
  end
  return mark(nd.array(value, { dtype = dtype }))
end

--- An operand of np's kind: an array or Symbol of either kind, a number, or nested tables of numbers.
function definitions.operand(what, param, x)
  if definitions.is(x) then return is_np(x) and x or as_kind(x, true) end
  if type(x) == "number" or type(x) == "boolean" then return definitions.constant(x) end
  if is_plain(x) and (is_data(x) or has_operand(x)) then
    if has_operand(x) then return definitions.stacked(what, param, x) end
    return definitions.constant(x)
  end
  fail("np.%s: %s: expected an array, got %s", what, param, x == nil and "nothing" or type(x))
end

--- A list of arrays as one with a new first axis.
function definitions.stacked(what, param, list)
  local parts = {}
  for i, item in ipairs(list) do parts[i] = definitions.operand(what, param, item) end
  return nd.stack({ core.np.promote(table.unpack(parts)) }, { axis = 0 })
end

--- A list of operands, in their common dtype.
function definitions.operands(what, param, list)
  if definitions.is(list) then
    if is_symbol(list) then fail("np.%s: %s: expected a table of arrays, got a Symbol", what, param) end
    local rows = {}
    for i = 0, #list - 1 do rows[i + 1] = list[i] end
    list = rows
  end
  if type(list) ~= "table" or #list == 0 then
    fail("np.%s: %s: expected a table of arrays, got %s", what, param, list == nil and "nothing" or type(list))
  end
  local parts = {}
  for i, item in ipairs(list) do parts[i] = definitions.operand(what, param, item) end
  return { core.np.promote(table.unpack(parts)) }
end

local ORDERS = { C = true, K = true, A = true }

local function check_refused(what, o)
  local order = o.order
  if order ~= nil and not ORDERS[order] then
    fail("%s: order: expected 'C', got '%s': arrays are stored by rows", what, tostring(order))
  end
end

-- The names of the parameters that are operands: those with a star, "y* x*?"; a question mark allows nothing.
local function parse(names)
  local plain, operands = {}, {}
  for word in names:gmatch "%S+" do
    local name, marks = word:match "^([%w_]+)(.*)$"
    plain[#plain + 1] = name .. (marks:find("[]", 1, true) and "[]" or "")
    if marks:find("*", 1, true) then operands[#operands + 1] = { name = name, optional = marks:find "?" ~= nil } end
  end
  return table.concat(plain, " "), operands
end

--- Defines np.NAME. names: the parameters in NumPy's order; a star marks operands, "*?" those that may be nothing.
function definitions.define(name, names, defaults, fn, options)
  local plain, operands = parse(names)
  local space = options and options.namespace
  local path = (space == "npx" and "npx.random." or space and "np." .. space .. "." or "np.") .. name
  local read, who = arguments.new(path, plain, defaults), path:match "^npx?%.(.*)$"
  local function run(F, ...)
    local o = read(...)
    for _, each in ipairs(operands) do
      local value = o[each.name]
      if value ~= nil or not each.optional then
        o[each.name] = definitions.operand(who, each.name, value)
      end
    end
    check_refused(path, o)
    local result = fn(o, F)
    if o.out ~= nil then
      if not is_array(o.out) or not is_array(result) then
        fail("%s: out: expected an array, got %s", path, type(o.out))
      end
      return o.out:set(result)
    end
    return result
  end
  local item = { name = name, run = run, read = read, fn = fn, method = operands[1] and
    operands[1].name == plain:match "^%w+" }
  for key, value in pairs(options or {}) do item[key] = value end
  definitions.list[#definitions.list + 1] = item
end

--- Further names of a function defined before.
function definitions.alias(name, ...)
  for _, item in ipairs(definitions.list) do
    if item.name == name then
      for _, other in ipairs { ... } do
        local copy = {}
        for key, value in pairs(item) do copy[key] = value end
        copy.name, copy.alias = other, name
        definitions.list[#definitions.list + 1] = copy
      end
      return
    end
  end
  error("no function " .. name)
end

--- x in a dtype; x itself if dtype is nil or its own.
function definitions.cast(x, dtype)
  if dtype == nil or core.np.dtype_of(x) == dtype then return x end
  return nd.cast(x, { dtype = dtype })
end

local FLOAT = { float16 = true, float32 = true, float64 = true }

--- Whether a dtype is a float's.
function definitions.is_float(dtype) return FLOAT[dtype] or false end

--- x in float32 if its elements are integers or bools.
function definitions.floats(x)
  local dtype = core.np.dtype_of(x)
  return (dtype == nil or FLOAT[dtype]) and x or nd.cast(x, { dtype = "float32" })
end

--- A reshaped operand; the shape has at most one -1.
function definitions.reshaped(x, shape) return nd.reshape(x, { shape = shape }) end

-- The whole shape of an empty array: zeros are dimensions, and -1 stands for the rest.
local function empty_shape(shape)
  local whole, open, product = {}, nil, 1
  for i, n in ipairs(shape) do
    whole[i] = n
    if n == -1 then open = i else product = product * n end
  end
  if open then whole[open] = 0 elseif product ~= 0 then return nil end
  return whole
end

--- The same for any shape. Zeros are dimensions if x is empty, and nd's code for "the same dimension" otherwise.
function definitions.reshape(x, shape)
  local zero = false
  for _, n in ipairs(shape) do zero = zero or n == 0 end
  if not (zero and is_array(x) and x.size == 0) then return nd.reshape(x, { shape = shape }) end
  local whole = empty_shape(shape)
  if not whole then return nd.reshape(x, { shape = shape }) end
  return mark(nd.zeros(whole, { dtype = x.dtype }))
end

--- A shape from the arguments: a number is one dimension.
function definitions.shape(what, param, value)
  if type(value) == "number" then return { value } end
  if type(value) ~= "table" then
    fail("np.%s: %s: expected a table of integers, got %s", what, param, value == nil and "nothing" or type(value))
  end
  return new_shape(table.move(value, 1, #value, 1, {}))
end

--- The values of an array as a Lua table, for functions whose results' shapes depend on values.
function definitions.values(what, x)
  if not is_array(x) or tracing() then
    fail("np.%s: the shape of its result depends on values, so it works on arrays only, not in a graph", what)
  end
  return x:totable()
end

return definitions
