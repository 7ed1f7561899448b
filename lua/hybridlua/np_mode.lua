-- np_mode.lua - what npx.set_np() decides: whether arrays that Gluon makes from nothing (parameters, gradients,
-- batches,
-- states) are np's. Everything else follows its operands.
local core = require "hybridlua.core"
local is_array, is_np, mode, as_kind = core.array.is, core.np.is, core.np.mode, core.np.as_kind

local function converted(x)
  if is_array(x) then return is_np(x) and x or as_kind(x, true) end
  if not core.script.is_plain(x) then return x end
  local copy = {}
  for key, value in pairs(x) do copy[key] = converted(value) end
  return copy
end

--- An array, or the arrays in a table, of the kind that the mode says; as it is unless set_np was called.
return function(x)
  if select(2, mode()) then return converted(x) end
  return x
end
