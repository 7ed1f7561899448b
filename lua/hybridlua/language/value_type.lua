-- value_type.lua - hl.type(x): the name of a value's type.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local is_array, is_symbol, is_device_value = core.array.is, core.symbol.is, core.context.is

--- The type of `x`: "NDArray", "Symbol", "Context"; the name of the class for a block, a Parameter, a Trainer and
-- similar objects ("Dense"); "module" for nd and other modules; "class" for a class; else Lua's type(x).
return function(x)
  if is_array(x) then return "NDArray" end
  if is_symbol(x) then return "Symbol" end
  if is_device_value(x) then return "Context" end
  local of = class.of(x)
  if of then return of.__name__ end
  if type(x) ~= "table" then return type(x) end
  local meta = getmetatable(x)
  local class_like = type(meta) == "table" and (rawget(x, "subclass") or rawget(meta, "has"))
  if rawget(x, "__name__") and class_like then return "class" end
  return type(meta) == "table" and rawget(meta, "__name") == "module" and "module" or "table"
end
