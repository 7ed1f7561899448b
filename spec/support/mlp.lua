-- mlp.lua - a small network for specs: two Dense layers around a Dropout.
local nn = require("hybridlua").gluon.nn

return function()
  local net = nn.HybridSequential { prefix = "net_" }
  net:name_scope(function() net:add(nn.Dense(4, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(2)) end)
  net:initialize()
  return net
end
