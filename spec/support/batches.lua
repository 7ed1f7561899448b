-- batches.lua - a small dataset and a DataLoader's batches.
local hl = require "hybridlua"
local nd, data = hl.nd, hl.gluon.data

local batches = {}

--- Five samples: a row of two numbers, and a label.
function batches.five() return data.ArrayDataset(nd.arange(10):reshape { 5, 2 }, nd.array { 0, 1, 0, 1, 1 }) end

--- The batches of a pass, each as nested tables of its values.
function batches.of(loader)
  local list = {}
  for x, y in loader:batches() do list[#list + 1] = { x:totable(), y and y:totable() } end
  return list
end

return batches
