-- symbol.lua - the part of sym that is no operator: variables, groups.
local core = require "hybridlua.core"
local arguments = require "hybridlua.arguments"
local autograd = require "hybridlua.autograd"
local fail = require "hybridlua.fail"
local sym = core.sym

local variance = sym.var

local function holds_symbol(t) return type(t) == "table" and (core.is_symbol(t[1]) or core.is_symbol(t.data)) end

local read_var = arguments.new("sym.var", "name attr shape lr_mult wd_mult dtype init stype exact", {}, false,
  "^__.*__$")
read_var.advice = "attributes of your own must look like __%s__"

--- var(name, {shape =, dtype =, lr_mult =, wd_mult =, init =, attr =}): a variable. shape: 0 or -1 where it is unknown;
-- with exact, 0 is an empty dimension. Attributes of one's own, in attr or among the options, look like __this__.
-- Given a Symbol: its variance, as nd.var's.
function sym.var(...)
  if core.is_symbol((...)) or holds_symbol((...)) then return variance(...) end
  local options = read_var(...)
  local attributes = {}
  if options.stype ~= nil and options.stype ~= "default" then
    fail("sym.var: stype: expected 'default', for nothing is sparse here, got '%s'", tostring(options.stype))
  end
  if options.attr ~= nil and not core.is_plain(options.attr) then
    fail("sym.var: attr: expected a table of attributes, got %s", type(options.attr))
  end
  for key, value in pairs(options.attr or {}) do attributes[key] = value end
  for key, value in pairs(options) do
    if key == "lr_mult" or key == "wd_mult" then attributes["__" .. key .. "__"] = tostring(value)
    elseif key == "init" then attributes.__init__ = type(value) == "string" and value or value:dumps()
    elseif key:match "^__.*__$" then attributes[key] = tostring(value) end
  end
  return core.symbol_var(options.name, options.shape, options.dtype, next(attributes) and attributes or nil,
    options.exact)
end

sym.Variable = sym.var

--- One Symbol with the outputs of several.
sym.Group = core.symbol_group

-- What arrays have and Symbols can do too.
local methods = core.symbol_methods

--- The same value in the same memory, off the tape: as an array's.
function methods.detach(symbol)
  local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
  return sym.BlockGrad(symbol)
end

--- infer_type, which leaves false for dtypes that do not follow.
function methods.infer_type_partial(symbol, dtypes) return symbol:infer_type(dtypes) end

-- In a trace, what comes from arrays of the script alone has values.
for _, name in ipairs { "asscalar", "item", "totable", "asnumpy", "numpy", "tolist", "tobytes" } do
  local refuse = methods[name]
  methods[name] = function(symbol, ...)
    local array = core.tracing() and require("hybridlua.gluon.trace").values(symbol)
    if array then return array[name](array, ...) end
    return refuse(symbol, ...)
  end
end

local function itself(symbol) return symbol end
methods.wait_to_read = itself

core.symbol_metatable.__concat = function(a, b) return tostring(a) .. tostring(b) end

-- Executors need gluon's machinery: loaded when the first is made.
for _, name in ipairs { "bind", "simple_bind" } do
  core.symbol_methods[name] = function(...)
    require "hybridlua.executor"
    return core.symbol_methods[name](...)
  end
end

function sym.compile(...)
  require "hybridlua.executor"
  return sym.compile(...)
end
