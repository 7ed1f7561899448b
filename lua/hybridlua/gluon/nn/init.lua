-- gluon/nn - layers.
local members = require "hybridlua.language.members"
local module = require "hybridlua.language.module"
local nn = {}

for _, file in ipairs { "activations", "basic", "conv", "norm" } do
  for name, layer in pairs(require("hybridlua.gluon.nn." .. file)) do nn[name] = layer end
end

-- Layers use each other through their own file's table.
for _, file in ipairs { "basic", "conv" } do require("hybridlua.gluon.nn." .. file).Activation = nn.Activation end

-- PyTorch's layers, loaded on first use.
local FILES = {
  torch_layers = "SiLU Upsample ZeroPad2D",
  adaptive_pools = "AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool1D AdaptiveMaxPool2D " ..
    "AdaptiveMaxPool3D",
}

return module(nn, "hybridlua.gluon.nn", members("hybridlua.gluon.nn", FILES, {
  Block = "hybridlua.gluon.block",
  HybridBlock = "hybridlua.gluon.hybridize.hybrid_block",
  SymbolBlock = "hybridlua.gluon.symbol_block",
}))
