-- datasets_spec.lua - datasets, their parts and files of numbers: as in MXNet 1.9.1, with indices from 0.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local support = require "support.batches"
local nd, data = hl.nd, hl.gluon.data
local five, batches = support.five, support.of

describe("a dataset", function()
  it("of arrays returns rows and numbers", function()
    local ds = five()
    assert.equal(5, #ds)
    local x, y = ds:get(1)
    assert.allclose(x, { 2, 3 })
    assert.equal(1, y)
    assert.allclose(ds[1][1], { 2, 3 })
    assert.equal(1, ds[1][2])
    assert.equal(1, ds[-1][2])
    assert.raises(function() return ds[9] end, "datasets_spec.lua:%d+: index 9 is out of bounds for axis 0 with size 5")
    assert.raises(function() return ds[-6] end, "index %-6 is out of bounds")
    assert.raises(function() data.ArrayDataset({ 1, 2 }, { 1 }) end,
                  "All arrays must have the same length; argument 1 has length 2 while argument 2 has 1%.")
    assert.raises(function() data.ArrayDataset() end, "Needs at least 1 arrays")
    assert.equal("ArrayDataset(5 samples)", tostring(ds))
  end)

  it("of a list returns its items", function()
    assert.equal(1, data.SimpleDataset { 1, 2, 3 }[0])
    local x, y = data.SimpleDataset { { 1.5, 2 }, { 3.5, 4 } }:get(1)
    assert.same({ 3.5, 4 }, { x, y })
    assert.same({ 7, "b" }, data.ArrayDataset({ 5, 7 }, { "a", "b" })[1])
  end)

  it("works in loops with pairs", function()
    local seen = {}
    for i, x in pairs(data.SimpleDataset { 5, 6 }) do seen[i] = x end
    assert.same({ [0] = 5, [1] = 6 }, seen)
  end)

  it("applies transforms", function()
    local ds = five()
    local calls = 0
    local first = ds:transform_first(function(x) calls = calls + 1 return x * 10 end)
    assert.equal(0, calls)
    assert.allclose(first[1][1], { 20, 30 })
    assert.equal(1, first[1][2])
    assert.equal(1, ds:transform(function(_, y) return y end)[3])
    calls = 0
    local now = ds:transform_first(function(x) calls = calls + 1 return x end, { lazy = false })
    assert.equal(5, calls)
    assert.equal(5, #now)
    assert.allclose(now[2][1], { 4, 5 })
    assert.equal(5, calls)
  end)

  it("can be cut into parts", function()
    local ds = five()
    assert.equal(3, #ds:filter(function(sample) return sample[2] == 1 end))
    assert.allclose(ds:filter(function(sample) return sample[2] == 1 end)[1][1], { 6, 7 })
    assert.equal(2, #ds:take(2))
    assert.equal(5, #ds:take(9))
    assert.equal(5, #ds:take())
    assert.same({ 3, 2 }, { #ds:shard(2, 0), #ds:shard(2, 1) })
    assert.allclose(ds:shard(2, 1)[0][1], { 6, 7 })
    assert.allclose(ds:sample(data.SequentialSampler(2, 3))[1][1], { 8, 9 })
    assert.raises(function() ds:shard(2, 2) end, "Shard index of out bound: 2 out of 2")
    assert.raises(function() ds:sample(3) end, "Invalid sampler type: number. Expected a gluon.data.Sampler")
    assert.raises(function() return ds:take(2)[2] end, "index 2 is out of bounds for axis 0 with size 2")
  end)

  it("of a script's own class needs get and a length", function()
    local Squares = data.Dataset:subclass "Squares"
    function Squares:init(n) self.n = n end
    function Squares:get(i) return i * i, i end
    function Squares:__len() return self.n end
    assert.same({ 9, 3 }, Squares(4)[3])
    assert.same({ { { 0, 1 }, { 0, 1 } }, { { 4, 9 }, { 2, 3 } } }, batches(data.DataLoader(Squares(4), 2)))
    local Empty = data.Dataset:subclass "Empty"
    assert.raises(function() Empty():get(0) end, "Empty: get is not defined; write function Empty:get%(i%)")
  end)
end)

describe("a table of numbers in a file", function()
  it("is a dataset", function()
    local file = scratch.write(os.tmpname(), "a,b,c\n1,2,0\n3,4.5,1\n\n5,6,2\n")
    local ds = data.CSVDataset(file, { header = true })
    assert.equal(3, #ds)
    assert.allclose(ds[1][1], { 3, 4.5 })
    assert.equal(1, ds[1][2])
    for x, y in data.DataLoader(ds, 3):batches() do assert.same({ "float32", "int32" }, { x.dtype, y.dtype }) end
    assert.allclose(data.CSVDataset { file = file, header = true, label = 1, label_dtype = "float32" }[1][1], { 3, 1 })
    assert.equal(4.5, data.CSVDataset { file = file, header = true, label = 1, label_dtype = "float32" }[1][2])
    assert.allclose(data.CSVDataset(file, { header = true, label = 0, dtype = "float64" })[0][1], { 2, 0 })
    local whole = data.CSVDataset(file, { header = true, label = false, shape = { 3, 1 } })
    assert.same({ 3, 1 }, whole[0].shape)
    assert.raises(function() data.CSVDataset(file, { header = true, label = 3 }) end,
      "CSVDataset: label: expected a column of 3, got 3")
    os.remove(file)
    assert.raises(function() data.CSVDataset(file) end, (file:gsub("%p", "%%%0")))
  end)
end)

describe("random_split", function()
  local function values(ds)
    local list = {}
    for i = 0, #ds - 1 do list[i + 1] = ds[i] end
    return list
  end

  it("assigns every sample to one part", function()
    local ds = data.SimpleDataset { 10, 11, 12, 13, 14, 15, 16 }
    for _, lengths in ipairs { { 4, 3 }, { .5, .5 }, { 7 }, { 1. }, { 7, 0 }, { .2, .3, .5 } } do
      local all, parts = {}, data.random_split(ds, lengths)
      assert.equal(#lengths, #parts)
      for _, part in ipairs(parts) do table.move(values(part), 1, #part, #all + 1, all) end
      table.sort(all)
      assert.same({ 10, 11, 12, 13, 14, 15, 16 }, all)
    end
    local parts = ds:random_split { .5, .5 }
    assert.same({ 4, 3 }, { #parts[1], #parts[2] })           -- the remainder goes to the first part
    parts = ds:random_split({ 3, 4 })
    assert.same({ 3, 4 }, { #parts[1], #parts[2] })
  end)

  it("draws from the library's stream or by its own seed", function()
    local ds = data.SimpleDataset(nd.arange(100))
    local function first() return data.random_split(ds, { 50, 50 })[1]:sample_at(0):asscalar() end
    hl.random.seed(1)
    local a, b = first(), first()
    hl.random.seed(1)
    assert.equal(a, first())
    assert.equal(b, first())
    local function seeded(n) return data.random_split(ds, { .9, .1 }, { seed = n })[2] end
    local c = seeded(7)
    nd.random.uniform()
    local same, differs = true, false
    for i = 0, 9 do
      same = same and c[i]:asscalar() == seeded(7)[i]:asscalar()
      differs = differs or c[i]:asscalar() ~= seeded(8)[i]:asscalar()
    end
    assert.is_true(same)
    assert.is_true(differs)
  end)

  it("rejects parts that do not add up to the whole", function()
    local ds = data.SimpleDataset { 1, 2, 3 }
    assert.raises(function() data.random_split(ds, { 1, 1 }) end,
      "lengths: expected numbers whose sum is 3, the dataset's length, got 2")
    assert.raises(function() data.random_split(ds, { .5, .6 }) end,
      "lengths: expected fractions whose sum is 1, got 1.1")
    assert.raises(function() data.random_split(ds, { 4, -1 }) end,
      "lengths%[2%]: expected a number of 0 or more, got %-1")
    assert.raises(function() data.random_split(ds, 3) end, "lengths: expected a list of numbers, got number")
    assert.raises(function() data.random_split({ 1 }, { 1 }) end, "dataset: expected a Dataset, got table")
    assert.raises(function() data.random_split(ds, { 3 }, { sed = 1 }) end,
      "unknown option 'sed'; did you mean 'seed'%?")
  end)
end)
