-- gluon/data - datasets, samplers, loaders.
local lazy = require "hybridlua.lazy"
require "hybridlua.numbers"

local data = {
  DataLoader = require "hybridlua.gluon.data.dataloader",
}

for _, file in ipairs { "dataset", "sampler" } do
  for name, value in pairs(require("hybridlua.gluon.data." .. file)) do
    if name:find "^%u" then data[name] = value end
  end
end

return lazy(data, {
  CSVDataset = "hybridlua.gluon.data.csv",
  vision = "hybridlua.gluon.data.vision",
})
