-- missing_f.lua - the error for F, the table of operators, in place of an array: a function called as fn(F, x) was
-- written as function(x).
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local nd, sym = core.op.nd, core.op.sym

local missing_f = {}

missing_f.advice = "hybrid_forward and functions given to hl.compile take it first: function(F, x)"

--- Whether x is nd or sym.
function missing_f.is(x) return rawequal(x, nd) or rawequal(x, sym) end

local function refuse()
  fail("attempt to perform arithmetic on a table value: it is F, which hybrid_forward and functions given to " ..
    "hl.compile take first: function(F, x)")
end

for _, F in ipairs { core.op.nd, core.op.sym } do
  local meta = getmetatable(F) or {}
  for _, event in ipairs { "add", "sub", "mul", "div", "idiv", "mod", "pow", "unm", "lt", "le", "len" } do
    meta["__" .. event] = refuse
  end
  setmetatable(F, meta)
end

return missing_f
