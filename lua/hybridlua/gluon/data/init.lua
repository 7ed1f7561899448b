-- gluon/data - datasets, samplers, loaders.
local module = require "hybridlua.language.module"
if require("hybridlua.core").host.in_program then require "hybridlua.language.number_methods" end

local data = {
  DataLoader = require "hybridlua.gluon.data.dataloader",
}

for _, file in ipairs { "dataset", "sampler" } do
  for name, value in pairs(require("hybridlua.gluon.data." .. file)) do
    if name:find "^%u" then data[name] = value end
  end
end
data.random_split = require("hybridlua.gluon.data.dataset").random_split

-- Workers' batches need no memory of their own kind here, so both functions of MXNet's are one.
local batchify = data.DataLoader.default_batchify_fn
data.dataloader = module({ DataLoader = data.DataLoader, default_batchify_fn = batchify,
  default_mp_batchify_fn = batchify, _as_in_context = data.DataLoader._as_in_context },
  "hybridlua.gluon.data.dataloader")

return module(data, "hybridlua.gluon.data", {
  CSVDataset = "hybridlua.gluon.data.csv",
  RecordFileDataset = "hybridlua.gluon.data.record_file",
  vision = "hybridlua.gluon.data.vision",
})
