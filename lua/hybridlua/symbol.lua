-- symbol.lua - the part of sym that is no operator: variables, groups.
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local fail = require "hybridlua.fail"
local sym = core.sym

--- A variable. Options: shape (0 or -1: unknown; with exact, 0 is an empty dimension), dtype,
-- lr_mult, wd_mult, init, attr.
function sym.var(name, options)
  options = options or {}
  local attributes = {}
  for key, value in pairs(options.attr or {}) do attributes[key] = value end
  for key, value in pairs(options) do
    if key == "lr_mult" or key == "wd_mult" then attributes["__" .. key .. "__"] = tostring(value)
    elseif key == "init" then attributes.__init__ = type(value) == "string" and value or value:dumps()
    elseif key:match "^__.*__$" then attributes[key] = tostring(value)
    elseif key ~= "shape" and key ~= "dtype" and key ~= "attr" and key ~= "exact" then
      fail("sym.var: unknown option '%s'; attributes of your own must look like __%s__", key, key)
    end
  end
  return core.symbol_var(name, options.shape, options.dtype, next(attributes) and attributes or nil, options.exact)
end

sym.Variable = sym.var

--- One Symbol with the outputs of several.
sym.Group = core.symbol_group

-- What arrays have and Symbols can do too.
local methods = core.symbol_methods
methods.context, methods.ctx = core.context(0), core.context(0)

--- The same value in the same memory, off the tape: as an array's.
function methods.detach(symbol)
  local _ <close> = autograd.pause(nil, { train_mode = autograd.is_training() })
  return sym.BlockGrad(symbol)
end

--- infer_type, which leaves false for dtypes that do not follow.
function methods.infer_type_partial(symbol, dtypes) return symbol:infer_type(dtypes) end

local function itself(symbol) return symbol end
methods.wait_to_read = itself

function methods.as_in_context(symbol, ctx)
  core.check_ctx("as_in_context: ctx", ctx)
  return symbol
end
methods.as_in_ctx = methods.as_in_context

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
