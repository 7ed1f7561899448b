-- functions/custom.lua - F.Custom: see hybridlua/operator.lua, which is loaded at the first call.
local functions = {}

--- Custom(inputs..., {op_type = name, ...}): applies an operator written in Lua: see hl.operator.Custom.
function functions.Custom(...) return require("hybridlua.operator").Custom(...) end

return { functions = functions, no_method = { Custom = true } }
