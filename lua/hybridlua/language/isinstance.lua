-- isinstance.lua - hl.isinstance, and classes for arrays and Symbols: nd.NDArray, sym.Symbol.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local userdata_class = require "hybridlua.language.userdata_class"

local nd, sym = core.op.nd, core.op.sym

nd.NDArray = userdata_class("NDArray", core.array.is, core.array.methods, "nd.array, nd.zeros and the like")
sym.Symbol = userdata_class("Symbol", core.symbol.is, core.symbol.methods, "sym.var and operators")

local TYPES = { number = true, string = true, boolean = true, table = true, userdata = true, ["function"] = true,
  thread = true, ["nil"] = true }

local function is_one(x, what)
  if TYPES[what] then return type(x) == what end
  if what == "integer" or what == "float" then return math.type(x) == what end
  local meta = type(what) == "table" and getmetatable(what)
  if meta and meta.has then return meta.has(what, x) end
  if not (meta and rawget(what, "subclass")) then
    fail("isinstance: class: expected a class, one of Lua's types or a list of these, got %s", tostring(what))
  end
  return class.is_a(x, what)
end

--- isinstance(x, class): whether `x` is an instance of a class (nn.Dense, gluon.Block, nd.NDArray ...) or a subclass.
-- class may also be one of Lua's types ("number", "integer", "table"), or a list: any of them.
return function(x, what)
  if type(what) ~= "table" or getmetatable(what) then return is_one(x, what) end
  for _, one in ipairs(what) do if is_one(x, one) then return true end end
  return false
end
