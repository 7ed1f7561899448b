-- contrib - MXNet's mx.contrib: text, and the operators of nd.contrib and sym.contrib by their older names.
local core = require "hybridlua.core"

local function operators(face) return function() return core.op[face].contrib end end

return require "hybridlua.language.module"({}, "hybridlua.contrib", { text = "hybridlua.contrib.text",
  nd = operators "nd", ndarray = operators "nd", sym = operators "sym", symbol = operators "sym" })
