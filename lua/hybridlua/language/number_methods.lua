-- number_methods.lua - what a number can be asked for, as NumPy's scalars can: labels of datasets are numbers here, and
-- scripts write label:astype("float32") in their transforms.
--
-- All numbers of a Lua state share one metatable, so only the program loads this file, whose scripts are its own; the
-- module leaves a host's numbers alone. Other names are an error, as without it.
local core = require "hybridlua.core"
local nd = core.op.nd

local methods = {}

--- The number as an array without axes, of a dtype: batches of such have that dtype.
function methods.astype(x, dtype) return nd.full({ shape = {}, value = x, dtype = dtype }) end

--- The number.
function methods.asscalar(x) return x end
methods.item = methods.asscalar

local meta = debug.getmetatable(0) or {}
if meta.__index == nil then
  function meta.__index(_, key)
    local method = methods[key]
    if not method then error(("attempt to index a number value (field '%s')"):format(tostring(key)), 2) end
    return method
  end
  debug.setmetatable(0, meta)
end

return methods
