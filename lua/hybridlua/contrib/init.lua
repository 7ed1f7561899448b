-- contrib - MXNet's mx.contrib: text, io, the older autograd, and the operators of nd.contrib and sym.contrib by their
-- older names.
local core = require "hybridlua.core"

local function operators(face) return function() return core.op[face].contrib end end

return require "hybridlua.language.module"({}, "hybridlua.contrib", { text = "hybridlua.contrib.text",
  autograd = "hybridlua.contrib.older_autograd", io = "hybridlua.contrib.io",
  nd = operators "nd", ndarray = operators "nd", sym = operators "sym", symbol = operators "sym" })
