-- for_loops_spec.lua - `for` loops over loaders, datasets and samplers, with and without pairs and ipairs.
local hl = require "hybridlua"
local nd, data = hl.nd, hl.gluon.data

describe("a loop", function()
  local ds = data.ArrayDataset(nd.arange(12):reshape { 6, 2 }, nd.arange(6))

  local function labels_of(loop)
    local list = {}
    for _, y in loop do list[#list + 1] = y:totable() end
    return list
  end

  it("over a loader returns all batches each time", function()
    local loader = data.DataLoader(ds, 4)
    assert.equal(2, #loader)
    for _ = 1, 3 do assert.same({ { 0, 1, 2, 3 }, { 4, 5 } }, labels_of(loader)) end
    local n = 0
    for _ in loader do
      n = n + 1
      if n == 1 then break end
    end
    assert.equal(1, n)
    assert.same({ { 0, 1, 2, 3 }, { 4, 5 } }, labels_of(loader))       -- from the beginning
  end)

  it("over a loader may be inside another and may be left early", function()
    local loader, seen = data.DataLoader(ds, 2), {}
    for _, y in loader do
      for _, inner in loader do
        seen[#seen + 1] = y[0]:asscalar() * 10 + inner[0]:asscalar()
        if inner[0]:asscalar() == 2 then break end
      end
    end
    assert.same({ 0, 2, 20, 22, 40, 42 }, seen)
  end)

  it("over a loader shuffles and rolls over like batches()", function()
    hl.random.seed(3)
    local expected = {}
    local loader = data.DataLoader(ds, 4, { shuffle = true, last_batch = "rollover" })
    for _ = 1, 2 do for _, y in loader:batches() do expected[#expected + 1] = y:totable() end end
    hl.random.seed(3)
    local got = {}
    loader = data.DataLoader(ds, 4, { shuffle = true, last_batch = "rollover" })
    for _ = 1, 2 do for _, y in loader do got[#got + 1] = y:totable() end end
    assert.same(expected, got)
    assert.equal(3, #got)
  end)

  it("over pairs(loader) counts from 0, with a table for several values", function()
    local seen = {}
    for i, batch in pairs(data.DataLoader(ds, 4)) do seen[#seen + 1] = { i, #batch, batch[2]:totable() } end
    assert.same({ { 0, 2, { 0, 1, 2, 3 } }, { 1, 2, { 4, 5 } } }, seen)
    for i, batch in pairs(data.DataLoader(nd.arange(4), 4)) do
      assert.equal(0, i)
      assert.same({ 0, 1, 2, 3 }, batch:totable())
    end
  end)

  it("over ipairs is an error that shows what to write", function()
    local loader = data.DataLoader(ds, 4)
    assert.raises(function() for _ in ipairs(loader) do end end,
                  "for_loops_spec.lua:%d+: DataLoader: index: batches have no indices",
                  "for data, label in loader do", "loader:batches", "pairs%(loader%)")
    assert.raises(function() return loader[1] end, "for_loops_spec.lua:%d+: DataLoader: index")
    assert.raises(function() for _ in ipairs(ds) do end end, "for_loops_spec.lua:%d+: ArrayDataset: ipairs begins at 1",
      "pairs%(dataset%)")
    assert.equal(1, ds[1][2])
    assert.raises(function() for _ in ipairs(data.RandomSampler(3)) do end end, "RandomSampler: index", "sampler:iter")
    local net = hl.gluon.nn.Sequential()
    net:add(hl.gluon.nn.Dense(1))
    assert.raises(function() for _ in ipairs(net) do end end, "for_loops_spec.lua:%d+: sequential%d+: index",
      "pairs, not ipairs")
  end)

  it("over a dataset returns its values, but needs pairs for plain numbers", function()
    local seen = {}
    for x, y in ds do seen[#seen + 1] = { x[1]:asscalar(), y } end
    assert.same({ 11, 5 }, seen[6])
    assert.equal(6, #seen)
    for _, x in ipairs { data.SimpleDataset { 1, 2 }, data.RandomSampler(2) } do
      assert.raises(function() for _ in x do end end,
        "for_loops_spec.lua:%d+: %w+: a loop over it is identified by its first value", "write for ")
    end
    local sizes_ = {}
    for places in data.BatchSampler(data.SequentialSampler(5), 2) do sizes_[#sizes_ + 1] = #places end
    assert.same({ 2, 2, 1 }, sizes_)
    local order = {}
    for i, place in pairs(data.SequentialSampler(3)) do order[i] = place end
    assert.same({ [0] = 0, 1, 2 }, order)
  end)

  it("is the only code that may call a loader", function()
    local loader = data.DataLoader(ds, 4)
    assert.raises(function() loader(nd.ones { 1 }) end,
                  "for_loops_spec.lua:%d+: DataLoader: only for loops can call it")
    assert.raises(function() loader(nil, nd.ones { 1 }) end,
      "for_loops_spec.lua:%d+: DataLoader: only for loops can call it")
  end)

  it("over a loader leaves no pass alive if left early", function()
    local loader = data.DataLoader(ds, 2)
    local pass = setmetatable({}, { __mode = "k" })
    for x in loader do
      pass[x] = true
      if next(pass) then break end
    end
    collectgarbage() collectgarbage()
    assert.is_nil(next(pass))
  end)
end)
