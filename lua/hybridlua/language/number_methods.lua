-- number_methods.lua - methods of numbers, like those of NumPy's scalars: labels of datasets are numbers here, and
-- scripts write label:astype("float32") in their transforms.
--
-- All numbers of a Lua state share one metatable, so only the program loads this file; the module leaves the numbers of
-- a host program alone. Other names are errors, as usual.
local core = require "hybridlua.core"
local nd = core.op.nd

local methods = {}

--- The number as a 0-d array of a dtype: batches of these have that dtype.
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
