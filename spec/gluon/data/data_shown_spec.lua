-- data_shown_spec.lua - printing of loaders, and the errors if random_split's list is used as a dataset.
local hl = require "hybridlua"
local nd, data = hl.nd, hl.gluon.data
local DataLoader = data.DataLoader

local ds = data.ArrayDataset(nd.arange(0, 10):reshape { 5, 2 }, nd.array { 0, 1, 0, 1, 0 })

describe("a loader's text", function()
  it("shows the numbers of samples and batches and the given options", function()
    local Odd = data.Sampler:subclass "Odd"
    function Odd:iter()                                   -- luacheck: ignore 212
      local i = -1
      return function()
        i = i + 2
        return i < 5 and i or nil
      end
    end
    for text, loader in pairs {
      ["DataLoader(5 samples, batch_size 2, 3 batches)"] = DataLoader(ds, 2),
      ["DataLoader(5 samples, batch_size 2, shuffle, 3 batches)"] = DataLoader(ds, { batch_size = 2, shuffle = true }),
      ["DataLoader(5 samples, batch_size 2, last_batch discard, 2 batches)"] =
        DataLoader(ds, { batch_size = 2, last_batch = "discard" }),
      ["DataLoader(5 samples, batch_size 2, num_workers 3, 3 batches)"] =
        DataLoader(ds, { batch_size = 2, num_workers = 3 }),
      ["DataLoader(5 samples, batch_size 2, sampler ListSampler, 1 batches)"] =
        DataLoader(ds, { batch_size = 2, sampler = { 0, 4 } }),
      ["DataLoader(5 samples, batch_sampler ListSampler, 2 batches)"] =
        DataLoader(ds, { batch_sampler = { { 0 }, { 1, 2 } } }),
      ["DataLoader(5 samples, batch_size 1, sampler Odd)"] = DataLoader(ds, { batch_size = 1, sampler = Odd() }),
      ["DataLoader(3 samples, batch_size 2, 2 batches)"] = DataLoader({ 1, 2, 3 }, { batch_size = 2 }),
    } do
      assert.equal(text, tostring(loader))
    end
    local Mine = DataLoader:subclass "Mine"
    assert.equal("Mine(5 samples, batch_size 5, 1 batches)", tostring(Mine(ds, 5)))
  end)
end)

describe("random_split's list", function()
  local function parts() return ds:random_split { 0.8, 0.2 } end

  it("behaves like other lists", function()
    local list = parts()
    local train, valid = table.unpack(list)
    assert.same({ 4, 1 }, { #train, #valid })
    assert.equal(2, #list)
    assert.is_nil(list[3])
    local n = 0
    for _, part in ipairs(list) do n = n + #part end
    for _ in pairs(list) do n = n + 1 end
    assert.equal(7, n)
    assert.same({ 2, 2 }, { #list[1]:take(2), #data.random_split(ds, { 3, 2 })[2] })
  end)

  it("raises an error that explains it if used as a dataset", function()
    local train, valid = parts(), nil
    local says = "data_shown_spec.lua:%d+: random_split returns a list of 2 datasets, and this is the list; " ..
      "write local train, valid = table.unpack%(dataset:random_split{0.8, 0.2}%)"
    assert.raises(function() return train:get(0) end, says)
    assert.raises(function() return train:transform_first(function(x) return x end) end, says)
    assert.raises(function() for _ in train do error "a sample" end end, says)
    assert.raises(function() return train[0] end, "random_split: index 0: the list of 2 datasets counts from 1")
    assert.raises(function() DataLoader(train, { batch_size = 2 }) end,
      "data_shown_spec.lua:%d+: DataLoader: dataset: expected .*, got a list of 2 datasets; .* table.unpack%(list%)")
    assert.raises(function() DataLoader({ ds, ds, ds }, { batch_size = 2 }) end, "got a list of 3 datasets")
    assert.raises(function() DataLoader(valid, { batch_size = 2 }) end, "expected a Dataset, .*, got nil")
  end)
end)
