-- gluon/nn - layers.
local module = require "hybridlua.language.module"
local nn = {}

for _, file in ipairs { "activations", "basic", "conv", "norm" } do
  for name, layer in pairs(require("hybridlua.gluon.nn." .. file)) do nn[name] = layer end
end

-- Layers use each other through their own file's table.
for _, file in ipairs { "basic", "conv" } do require("hybridlua.gluon.nn." .. file).Activation = nn.Activation end

-- PyTorch's layers, loaded on first use.
local function torch_layer(name) return function() return require("hybridlua.gluon.nn.torch_layers")[name] end end

return module(nn, "hybridlua.gluon.nn", {
  SiLU = torch_layer "SiLU", AdaptiveAvgPool2D = torch_layer "AdaptiveAvgPool2D", Upsample = torch_layer "Upsample",
  ZeroPad2D = torch_layer "ZeroPad2D",
  Block = "hybridlua.gluon.block",
  HybridBlock = "hybridlua.gluon.hybridize.hybrid_block",
  SymbolBlock = "hybridlua.gluon.symbol_block",
})
