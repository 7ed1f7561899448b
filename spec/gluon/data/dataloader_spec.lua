-- dataloader_spec.lua - samplers and DataLoader: the samples of a batch, and how they are combined.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local support = require "support.batches"
local nd, data = hl.nd, hl.gluon.data
local five, batches = support.five, support.of

local function sizes(loader)
  local list = {}
  for x in loader:batches() do list[#list + 1] = #x end
  return list
end

describe("samplers", function()
  it("return indices", function()
    assert.same({ 0, 1, 2, 3 }, data.SequentialSampler(4):totable())
    assert.same({ 2, 3 }, data.SequentialSampler(2, 2):totable())
    assert.same({ 1, 3, 4 }, data.FilterSampler(function(sample) return sample[2] == 1 end, five()):totable())
    local places = data.RandomSampler(50):totable()
    local drawn = table.concat(places, " ")
    table.sort(places)
    assert.same(data.SequentialSampler(50):totable(), places)
    assert.not_equal(table.concat(places, " "), drawn)
    assert.equal(50, #data.RandomSampler(50))
    assert.same({}, data.RandomSampler(0):totable())
  end)

  it("shuffle with the library's seed", function()
    local sampler = data.RandomSampler(20)
    core.random.seed(7)
    local first, second = sampler:totable(), sampler:totable()
    assert.not_same(first, second)
    core.random.seed(7)
    assert.same(first, sampler:totable())
    assert.same(second, sampler:totable())
  end)

  it("form batches", function()
    local function lists(sampler)
      local t = {}
      for places in sampler:iter() do t[#t + 1] = places end
      return t
    end
    assert.same({ { 0, 1 }, { 2, 3 }, { 4 } }, lists(data.BatchSampler(data.SequentialSampler(5), 2, "keep")))
    assert.same({ { 0, 1 }, { 2, 3 } }, lists(data.BatchSampler(data.SequentialSampler(5), 2, "discard")))
    local roll = data.BatchSampler(data.SequentialSampler(5), 2, "rollover")
    assert.equal(2, #roll)
    assert.same({ { 0, 1 }, { 2, 3 } }, lists(roll))
    assert.equal(3, #roll)
    assert.same({ { 4, 0 }, { 1, 2 }, { 3, 4 } }, lists(roll))
    assert.same({ { 0, 1 }, { 2, 3 } }, lists(roll))
    assert.raises(function() data.BatchSampler(data.SequentialSampler(5), 0) end,
      "batch_size: expected an integer of 1 or more, got 0")
  end)
end)

describe("a loader", function()
  it("returns the same batches for all forms of its arguments", function()
    local wanted = { { { { 0, 1 }, { 2, 3 } }, { 0, 1 } }, { { { 4, 5 }, { 6, 7 } }, { 0, 1 } },
      { { { 8, 9 } }, { 1 } } }
    assert.same(wanted, batches(data.DataLoader(five(), 2)))
    local slow = five():transform(function(x, y) return x, y end)
    assert.same(wanted, batches(data.DataLoader(slow, 2)))
    assert.same(wanted, batches(data.DataLoader { dataset = five(), batch_size = 2 }))
    assert.same(wanted,
      batches(data.DataLoader(five(), { batch_sampler = data.BatchSampler(data.SequentialSampler(5), 2, "keep") })))
    assert.equal(3, #data.DataLoader(five(), 2))
    assert.equal(3, #data.DataLoader(five(), 2):batches())
  end)

  it("accepts lists of indices and of batches", function()
    assert.same({ { { { 6, 7 }, { 2, 3 } }, { 1, 1 } } }, batches(data.DataLoader(five(), 2, { sampler = { 3, 1 } })))
    local loader = data.DataLoader(five(), { batch_sampler = { { 3 }, { 1, 0 } } })
    assert.same({ { { { 6, 7 } }, { 1 } }, { { { 2, 3 }, { 0, 1 } }, { 1, 0 } } }, batches(loader))
  end)

  it("keeps, discards or rolls over an incomplete last batch", function()
    for last, wanted in pairs { keep = { { 2, 2, 1 }, { 2, 2, 1 } }, discard = { { 2, 2 }, { 2, 2 } },
        rollover = { { 2, 2 }, { 2, 2, 2 } } } do
      local loader = data.DataLoader(five(), { batch_size = 2, last_batch = last })
      assert.equal(#wanted[1], #loader)
      assert.same(wanted[1], sizes(loader))
      assert.same(wanted[2], sizes(loader))
    end
  end)

  it("shuffles rows and labels together, in a new order for each pass, by the seed", function()
    local n = 40
    local loader = data.DataLoader(data.ArrayDataset(nd.arange(n), nd.arange(n) * 2), n, { shuffle = true })
    core.random.seed(11)
    local first, second = batches(loader)[1], batches(loader)[1]
    assert.not_same(first[1], second[1])
    for i = 1, n do assert.equal(first[1][i] * 2, first[2][i]) end
    core.random.seed(11)
    assert.same(first, batches(loader)[1])
    core.random.seed(11)
    local slow = data.DataLoader(loader.dataset:transform(function(x, y) return x, y end), n, { shuffle = true })
    assert.same(first, batches(slow)[1])
    table.sort(first[1])
    assert.same(nd.arange(n):totable(), first[1])
  end)

  it("uses NumPy's dtypes for numbers and keeps the dtypes of arrays", function()
    for x, y in data.DataLoader(data.SimpleDataset { { 1.5, 2 }, { 3.5, 4 } }, 2):batches() do
      assert.allclose(x, { 1.5, 3.5 })
      assert.same({ "float64", "int64" }, { x.dtype, y.dtype })
      assert.same({ 2, 4 }, y:totable())
    end
    for x in data.DataLoader({ 1, 2, 3, 4 }, 2):batches() do assert.equal("int64", x.dtype) end
    for x in data.DataLoader({ true, false }, 2):batches() do assert.equal("bool", x.dtype) end
    local ds = data.ArrayDataset(nd.ones({ 4, 2 }, { dtype = "uint8" }), nd.arange(4, { dtype = "int32" }))
    for _, d in ipairs { ds, ds:transform_first(function(x) return x end), ds:take(4),
        ds:transform(function(x, y) return x, y end) } do
      for x, y in data.DataLoader(d, 4):batches() do assert.same({ "uint8", "int32" }, { x.dtype, y.dtype }) end
    end
    local floats = data.ArrayDataset(nd.ones { 4, 2 }, nd.ones { 4 }):transform(function(x, y) return x, y end)
    for _, y in data.DataLoader(floats, 2):batches() do assert.equal("float32", y.dtype) end
  end)

  it("returns batches that do not share the dataset's memory", function()
    local x = nd.zeros { 4, 2 }
    for batch in data.DataLoader(x, 2):batches() do batch:set(7) end
    assert.allclose(x, nd.zeros { 4, 2 })
  end)

  it("reads whole batches from parts of parts", function()
    local part = five():shard(2, 0):take(2)
    assert.truthy(part:batcher())
    assert.same({ { { { 0, 1 }, { 2, 3 } }, { 0, 1 } } }, batches(data.DataLoader(part, 5)))
  end)

  it("batches nested tables, and calls a custom batchify_fn", function()
    local ds = data.SimpleDataset { { nd.ones { 2 }, { 1, 2.5 } }, { nd.zeros { 2 }, { 3, 4.5 } } }
    for x, y in data.DataLoader(ds, 2):batches() do
      assert.same({ 2, 2 }, x.shape)
      assert.same({ 1, 3 }, y[1]:totable())
      assert.allclose(y[2], { 2.5, 4.5 })
    end
    local loader = data.DataLoader(five(), 2, { batchify_fn = function(samples) return #samples, samples[1][2] end })
    local seen = {}
    for n, label in loader:batches() do seen[#seen + 1] = { n, label } end
    assert.same({ { 2, 0 }, { 2, 0 }, { 1, 1 } }, seen)
  end)

  it("rejects options that exclude each other, and samples that cannot be batched", function()
    local ds, batch = five(), data.BatchSampler(data.SequentialSampler(5), 2)
    assert.raises(function() data.DataLoader(ds) end,
      "dataloader_spec.lua:%d+: batch_size must be specified unless batch_sampler is specified")
    assert.raises(function() data.DataLoader(ds, 2, { shuffle = true, sampler = data.SequentialSampler(5) }) end,
                  "shuffle must not be specified if sampler is specified")
    assert.raises(function() data.DataLoader(ds, 2, { last_batch = "x" }) end,
                  "last_batch must be one of 'keep', 'discard', or 'rollover', but got x")
    assert.raises(function() data.DataLoader(ds, 2, { batch_sampler = batch }) end,
                  "batch_size, shuffle, sampler and last_batch must not be specified if batch_sampler is specified%.")
    assert.raises(function() data.DataLoader(ds, 2, { num_worker = 1 }) end,
      "unknown option 'num_worker'; did you mean 'num_workers'")
    assert.raises(function() data.DataLoader(3, 2) end, "dataset: expected a Dataset, a list or an NDArray, got number")
    assert.raises(function() batches(data.DataLoader({ "a", "b" }, 2)) end,
                  "batchify: expected NDArrays, numbers, booleans or tables of these, got string")
    assert.raises(function() batches(data.DataLoader({ nd.ones { 2 }, nd.ones { 3 } }, 2)) end,
                  "batchify: expected samples of one shape, got %(2,%) and %(3,%); a function batchify_fn")
    assert.raises(function() batches(data.DataLoader({ { 1, 2 }, { 1 } }, 2)) end,
      "batchify: expected samples of 2 values, got one of 1")
    assert.raises(function() batches(data.DataLoader({ 1, "b" }, 2)) end,
      "expected samples of one kind, got a number and a string")
  end)

  it("accepts an empty dataset", function()
    assert.same({}, batches(data.DataLoader(data.SimpleDataset {}, 2)))
    assert.equal(0, #data.DataLoader(nd.zeros { 0, 3 }, 2))
  end)
end)

describe("pin_memory", function()
  it("puts batches into cpu_pinned as in MXNet, with any number of workers", function()
    for _, case in ipairs { { { pin_memory = true }, hl.cpu_pinned(0) },
                            { { pin_memory = true, pin_device_id = 1 }, hl.cpu_pinned(1) },
                            { { pin_memory = true, num_workers = 2 }, hl.cpu_pinned(0) },
                            { { pin_memory = false }, hl.cpu(0) }, { {}, hl.cpu(0) } } do
      local plain = batches(data.DataLoader(five(), 2))
      local i = 0
      for x, y in data.DataLoader(five(), 2, case[1]) do
        i = i + 1
        assert.equal(case[2], x.context)
        assert.equal(case[2], y.context)
        assert.same(plain[i], { x:totable(), y:totable() })
        assert.equal(hl.cpu(0), hl.gluon.utils.split_and_load(x, { hl.cpu(0) })[1].context)
      end
      assert.equal(3, i)
      for _, batch in pairs(data.DataLoader(five(), 2, case[1])) do assert.equal(case[2], batch[2].context) end
    end
    local nested = data.DataLoader({ 1, 2 }, 2, { pin_memory = true, batchify_fn = function(samples)
      return { x = { nd.array(samples) }, names = "two" }, 3
    end })
    for batch, three in nested do
      assert.equal(hl.cpu_pinned(0), batch.x[1].context)
      assert.same({ "two", 3 }, { batch.names, three })
    end
  end)

  it("appears in the error of a network that receives a pinned array", function()
    local net = hl.gluon.nn.Dense(2, { in_units = 2 })
    net:initialize()
    for _, hybrid in ipairs { false, true } do
      net:hybridize(hybrid)
      for x in data.DataLoader(five(), 5, { pin_memory = true }) do
        assert.raises(function() net(x) end,
          "dataloader_spec.lua:%d+: Parameter 'dense%d+_weight' was not initialized on " ..
          "context cpu_pinned%(0%)%..* Copy pinned arrays there first: write x:as_in_context%(hl%.cpu%(0%)%)")
        assert.same({ 5, 2 }, net(x:as_in_context(hl.cpu(0))).shape)
      end
    end
  end)
end)
