-- sym_variables.lua - the functions of sym that are not operators: variables, groups.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local fail = require "hybridlua.language.fail"
local hl_type = require "hybridlua.language.value_type"
local warn = require "hybridlua.language.warn"
local is_symbol, is_plain, tracing, NULL = core.symbol.is, core.script.is_plain, core.trace.active, core.op.NULL
local sym = core.op.sym

local variance = sym.var

local function holds_symbol(t) return type(t) == "table" and (is_symbol(t[1]) or is_symbol(t.data)) end

local read_var = arguments.new("sym.var", "name attr shape lr_mult wd_mult dtype init stype exact", {}, false,
  "^__.*__$")
read_var.advice = "attributes of your own must look like __%s__"

-- A value in Python's notation.
local function text(value)
  if type(value) == "boolean" then return value and "True" or "False" end
  return tostring(value)
end

--- var(name, {shape =, dtype =, lr_mult =, wd_mult =, init =, attr =}): a variable. shape: 0 or -1 for unknown
-- dimensions; with exact, 0 is an empty dimension. Your own attributes, in attr or among the options, look like
-- __this__. For a Symbol: its variance, like nd.var.
function sym.var(...)
  if is_symbol((...)) or holds_symbol((...)) then return variance(...) end
  local options = read_var(...)
  local attributes = {}
  if options.stype ~= nil and options.stype ~= "default" then
    fail("sym.var: stype: expected 'default', since there are no sparse arrays, got '%s'", tostring(options.stype))
  end
  if options.attr ~= nil and not is_plain(options.attr) then
    fail("sym.var: attr: expected a table of attributes, got %s", type(options.attr))
  end
  if options.init ~= nil and type(options.init) ~= "string" and
    not (type(options.init) == "table" and options.init.dumps) then
    fail("sym.var: init: expected an initializer or its name, got %s", type(options.init))
  end
  for key, value in pairs(options.attr or {}) do attributes[key] = value end
  for key, value in pairs(options) do
    if key == "lr_mult" or key == "wd_mult" then attributes["__" .. key .. "__"] = text(value)
    elseif key == "init" then attributes.__init__ = type(value) == "string" and value or value:dumps()
    elseif key:match "^__.*__$" then attributes[key] = text(value) end
  end
  return core.symbol.new_variable(options.name, options.shape, options.dtype, next(attributes) and attributes or nil,
    options.exact)
end

sym.Variable = sym.var

--- One Symbol with the outputs of several.
sym.Group = core.symbol.group

-- Methods shared with arrays.
local methods = core.symbol.methods

--- The same value in the same memory, without gradients, as for arrays.
function methods.detach(symbol)
  local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
  return sym.BlockGrad(symbol)
end

-- The arguments of infer_shape and similar methods by name: {name = value}, or values in the order of list_arguments,
-- with nil or nd.NULL for unknown ones.
local function by_name(symbol, who, ...)
  local n, given = select("#", ...), ...
  if n <= 1 and (given == nil or rawequal(given, NULL)) then return {} end
  if n == 1 and type(given) ~= "string" and type(given) ~= "number" then
    if not is_plain(given) then fail("%s: expected {name = value}, got %s", who, hl_type(given)) end
    local first = given[1]
    if first == nil then return given end
    if next(given, #given) then fail("%s: expected values either by position or by name, got both", who) end
    if type(first) ~= "number" then return by_name(symbol, who, table.unpack(given)) end
  end
  local values, names = { ... }, symbol:list_arguments()
  if n > #names then fail("%s: expected at most %d values, for that many arguments, got %d", who, #names, n) end
  local named = {}
  for i = 1, n do
    local value = values[i]
    if value ~= nil and not rawequal(value, NULL) then named[names[i]] = value end
  end
  return named
end

local function shown(value)
  if type(value) ~= "table" then return value or "None" end
  return ("(%s%s)"):format(table.concat(value, ", "), #value == 1 and "," or "")
end

-- The arguments whose shape or dtype is unknown, at most ten, one per line.
local function unknown(symbol, values)
  local lines = {}
  for i, name in ipairs(symbol:list_arguments()) do
    local value, open = values[i], not values[i] or rawequal(values[i], NULL)
    if type(value) == "table" then
      open = #value == 0
      for _, d in ipairs(value) do open = open or d < 1 end
    end
    if open and #lines == 10 then lines[11] = "..." break end
    if open then lines[#lines + 1] = ("%s: %s"):format(name, shown(value)) end
  end
  return table.concat(lines, "\n\t")
end

--- infer_shape{x = {2, 3}}, infer_shape({2, 3}): the shapes of arguments, outputs and auxiliary states, three lists; or
-- nil and a warning if some stay unknown. In given shapes 0 and -1 are unknown; they override the variables' declared
-- shapes.
function methods.infer_shape(symbol, ...)
  local given = by_name(symbol, "infer_shape", ...)
  local arguments_, outputs, states = core.symbol.infer_shape(symbol, given)
  if not arguments_ then
    warn.here("Cannot decide shape for the following arguments (0s in shape means unknown dimensions). " ..
      "Consider providing them as input:\n\t%s", unknown(symbol, (core.symbol.infer_shape_partial(symbol, given))))
  end
  return arguments_, outputs, states
end

--- Like infer_shape, but with partial results: {} is an unknown shape, 0 an unknown dimension. If any -1 is given,
-- unknown ones are nd.NULL and -1, as in MXNet under np_shape.
function methods.infer_shape_partial(symbol, ...)
  return core.symbol.infer_shape_partial(symbol, by_name(symbol, "infer_shape_partial", ...))
end

--- infer_type{x = "float64"}: like infer_shape, for dtypes.
function methods.infer_type(symbol, ...)
  local given = by_name(symbol, "infer_type", ...)
  local arguments_, outputs, states = core.symbol.infer_type(symbol, given)
  if not arguments_ then
    warn.here("Cannot decide type for the following arguments. Consider providing them as input:\n\t%s",
      unknown(symbol, (core.symbol.infer_type_partial(symbol, given))))
  end
  return arguments_, outputs, states
end

--- Like infer_type, with false for unknown dtypes.
function methods.infer_type_partial(symbol, ...)
  return core.symbol.infer_type_partial(symbol, by_name(symbol, "infer_type_partial", ...))
end

-- In a trace, Symbols computed only from the script's arrays have values.
for _, name in ipairs { "asscalar", "item", "totable", "asnumpy", "numpy", "tolist", "tobytes", "almost_equal" } do
  local refuse = methods[name]
  methods[name] = function(symbol, ...)
    local array = tracing() and require("hybridlua.gluon.hybridize.trace").values(symbol)
    if array then return array[name](array, ...) end
    return refuse(symbol, ...)
  end
end

local function itself(symbol) return symbol end
methods.wait_to_read = itself

core.symbol.metatable.__concat = function(a, b) return tostring(a) .. tostring(b) end

-- Executors need gluon's code, which is loaded for the first one.
for _, name in ipairs { "bind", "simple_bind" } do
  core.symbol.methods[name] = function(...)
    require "hybridlua.executor"
    return core.symbol.methods[name](...)
  end
end

function sym.compile(...)
  require "hybridlua.executor"
  return sym.compile(...)
end
