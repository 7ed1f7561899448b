-- gluon/data - datasets, samplers, loaders.
local module = require "hybridlua.language.module"
if require("hybridlua.core").host.in_program then require "hybridlua.language.number_methods" end

local data = {
  DataLoader = require "hybridlua.gluon.data.dataloader",
}

-- Exports the classes of a file, directly and in MXNet's submodule: data.sampler.BatchSampler.
local function classes(name)
  local members = {}
  for key, value in pairs(require("hybridlua.gluon.data." .. name)) do
    if key:find "^%u" then data[key], members[key] = value, value end
  end
  return module(members, "hybridlua.gluon.data." .. name)
end

data.random_split = require("hybridlua.gluon.data.dataset").random_split

data.dataset, data.sampler = classes "dataset", classes "sampler"
data.dataloader = module({ DataLoader = data.DataLoader, default_batchify_fn = data.DataLoader.default_batchify_fn },
                         "hybridlua.gluon.data.dataloader")

return module(data, "hybridlua.gluon.data", {
  CSVDataset = "hybridlua.gluon.data.csv",
  RecordFileDataset = "hybridlua.gluon.data.record_file",
  vision = "hybridlua.gluon.data.vision",
})
