-- gluon/nn - layers.
local nn = {}

for _, file in ipairs { "activations", "basic" } do
  for name, layer in pairs(require("hybridlua.gluon.nn." .. file)) do nn[name] = layer end
end

-- Layers use each other through their own file's table.
require("hybridlua.gluon.nn.basic").Activation = nn.Activation

return require "hybridlua.module"(nn, "hybridlua.gluon.nn")
