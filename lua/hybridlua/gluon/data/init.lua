-- gluon/data - datasets, samplers, loaders.
local module = require "hybridlua.module"

local data = {
  DataLoader = require "hybridlua.gluon.data.dataloader",
}

for _, file in ipairs { "dataset", "sampler" } do
  for name, value in pairs(require("hybridlua.gluon.data." .. file)) do
    if name:find "^%u" then data[name] = value end
  end
end

return module(data, "hybridlua.gluon.data", {
  CSVDataset = "hybridlua.gluon.data.csv",
  vision = "hybridlua.gluon.data.vision",
})
