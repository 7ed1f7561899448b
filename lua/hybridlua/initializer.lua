-- initializer.lua - placeholder until the optimizer helper lands
local init = {}
function init.Uniform() return { apply = function(_, name, a) if name:find "bias$" then a:set(0) else a:set(0.01) end end } end
function init.create(x) return x end
function init.Constant(v) return { apply = function(_, _, a) a:set(v) end } end
function init.attribute() return nil end
function init.python_number(x) return math.type(x) == "integer" and tostring(x) or ("%.1f"):format(x) end
return init
