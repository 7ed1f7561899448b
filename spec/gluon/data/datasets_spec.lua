-- datasets_spec.lua - datasets, samplers, loaders. Behaviour is MXNet 1.9.1's, counted from 0 as there.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, data = hl.nd, hl.gluon.data
local vision = data.vision

local function five() return data.ArrayDataset(nd.arange(10):reshape { 5, 2 }, nd.array { 0, 1, 0, 1, 1 }) end

-- The batches of a pass: of each the values as nested tables.
local function batches(loader)
  local list = {}
  for x, y in loader:batches() do list[#list + 1] = { x:totable(), y and y:totable() } end
  return list
end

local function sizes(loader)
  local list = {}
  for x in loader:batches() do list[#list + 1] = #x end
  return list
end

local function write(file, text)
  local handle = assert(io.open(file, "wb"))
  handle:write(text)
  handle:close()
  return file
end

describe("a dataset", function()
  it("of arrays gives rows and numbers", function()
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

  it("of a list gives its items", function()
    assert.equal(1, data.SimpleDataset { 1, 2, 3 }[0])
    local x, y = data.SimpleDataset { { 1.5, 2 }, { 3.5, 4 } }:get(1)
    assert.same({ 3.5, 4 }, { x, y })
    assert.same({ 7, "b" }, data.ArrayDataset({ 5, 7 }, { "a", "b" })[1])
  end)

  it("is gone over by pairs", function()
    local seen = {}
    for i, x in pairs(data.SimpleDataset { 5, 6 }) do seen[i] = x end
    assert.same({ [0] = 5, [1] = 6 }, seen)
  end)

  it("is transformed", function()
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

  it("is cut", function()
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

  it("of one's own needs get and a length", function()
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

describe("samplers", function()
  it("give places", function()
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

  it("shuffle by the library's seed", function()
    local sampler = data.RandomSampler(20)
    core.random.seed(7)
    local first, second = sampler:totable(), sampler:totable()
    assert.not_same(first, second)
    core.random.seed(7)
    assert.same(first, sampler:totable())
    assert.same(second, sampler:totable())
  end)

  it("make batches", function()
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
  it("gives batches in order, whichever way", function()
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

  it("takes lists of places, and of batches", function()
    assert.same({ { { { 6, 7 }, { 2, 3 } }, { 1, 1 } } }, batches(data.DataLoader(five(), 2, { sampler = { 3, 1 } })))
    local loader = data.DataLoader(five(), { batch_sampler = { { 3 }, { 1, 0 } } })
    assert.same({ { { { 6, 7 } }, { 1 } }, { { { 2, 3 }, { 0, 1 } }, { 1, 0 } } }, batches(loader))
  end)

  it("keeps, discards or rolls over what is left", function()
    for last, wanted in pairs { keep = { { 2, 2, 1 }, { 2, 2, 1 } }, discard = { { 2, 2 }, { 2, 2 } },
        rollover = { { 2, 2 }, { 2, 2, 2 } } } do
      local loader = data.DataLoader(five(), { batch_size = 2, last_batch = last })
      assert.equal(#wanted[1], #loader)
      assert.same(wanted[1], sizes(loader))
      assert.same(wanted[2], sizes(loader))
    end
  end)

  it("shuffles anew for each pass, rows and labels together, by the seed", function()
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

  it("gives numbers NumPy's dtypes, and arrays their own", function()
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

  it("gives batches that are not the dataset's memory", function()
    local x = nd.zeros { 4, 2 }
    for batch in data.DataLoader(x, 2):batches() do batch:set(7) end
    assert.allclose(x, nd.zeros { 4, 2 })
  end)

  it("takes parts of parts the fast way too", function()
    local part = five():shard(2, 0):take(2)
    assert.truthy(part:batcher())
    assert.same({ { { { 0, 1 }, { 2, 3 } }, { 0, 1 } } }, batches(data.DataLoader(part, 5)))
  end)

  it("nests tables of values, and takes one's own batchify_fn", function()
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

  it("refuses options that exclude each other, and samples that do not batch", function()
    local ds, batch = five(), data.BatchSampler(data.SequentialSampler(5), 2)
    assert.raises(function() data.DataLoader(ds) end,
      "datasets_spec.lua:%d+: batch_size must be specified unless batch_sampler is specified")
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

  it("goes over nothing", function()
    assert.same({}, batches(data.DataLoader(data.SimpleDataset {}, 2)))
    assert.equal(0, #data.DataLoader(nd.zeros { 0, 3 }, 2))
  end)
end)

describe("pin_memory", function()
  it("puts batches into cpu_pinned, as MXNet does, with any number of workers", function()
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

  it("is named by the error of a network that gets a pinned array", function()
    local net = hl.gluon.nn.Dense(2, { in_units = 2 })
    net:initialize()
    for _, hybrid in ipairs { false, true } do
      net:hybridize(hybrid)
      for x in data.DataLoader(five(), 5, { pin_memory = true }) do
        assert.raises(function() net(x) end,
          "datasets_spec.lua:%d+: Parameter 'dense%d+_weight' was not initialized on " ..
          "context cpu_pinned%(0%)%..* What is pinned is copied there first: write x:as_in_context%(hl%.cpu%(0%)%)")
        assert.same({ 5, 2 }, net(x:as_in_context(hl.cpu(0))).shape)
      end
    end
  end)
end)

describe("digits", function()
  it("come with a fixed test set", function()
    local train, test = vision.Digits(), vision.Digits { train = false }
    assert.same({ 1442, 355 }, { #train, #test })
    local x, y = train:get(0)
    assert.same({ 8, 8, 1 }, x.shape)
    assert.equal("uint8", x.dtype)
    assert.equal(0, y)
    assert.same({ 0, 0, 80, 207, 143, 16, 0, 0 }, x[0]:reshape({ -1 }):totable())
    local raw = vision.Digits { train = false, raw = true }
    assert.equal(5, raw[0][2])                      -- line 34 of the file holds the fifth 5
    assert.same({ 0, 6, 13, 5, 8, 8, 1, 0 }, raw[0][1][0]:reshape({ -1 }):totable())
    local counts = {}
    for _, sample in pairs(test) do counts[sample[2]] = (counts[sample[2]] or 0) + 1 end
    for digit = 0, 9 do assert.truthy(counts[digit] >= 34 and counts[digit] <= 36) end
    assert.equal("images", vision.Digits { transform = function() return "images" end }[3])
  end)

  it("are loaded whole batches at a time", function()
    local loader = data.DataLoader(vision.Digits():transform_first(vision.transforms.ToTensor()), 64,
      { shuffle = true })
    local n = 0
    for x, y in loader:batches() do
      n = n + #x
      assert.same({ "float32", "int32" }, { x.dtype, y.dtype })
      assert.same({ 1, 8, 8 }, { x.shape[2], x.shape[3], x.shape[4] })
    end
    assert.equal(1442, n)
  end)
end)

describe("MNIST", function()
  local folder

  -- Two images of 28x28 and their labels, in the format of the original files.
  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local images = "\0\0\8\3" .. (">I4I4I4"):pack(2, 28, 28) .. ("\1"):rep(784) .. ("\255"):rep(784)
    write(folder .. "/t10k-images-idx3-ubyte", images)
    write(folder .. "/t10k-labels-idx1-ubyte", "\0\0\8\1" .. (">I4"):pack(2) .. "\7\2")
  end)

  after_each(function() os.execute("rm -r " .. folder) end)

  it("is read from its files, plain or gzipped", function()
    for round = 1, 2 do
      local m = vision.MNIST { root = folder, train = false }
      assert.equal(2, #m)
      local x, y = m:get(0)
      assert.same({ 28, 28, 1 }, x.shape)
      assert.same({ "uint8", 7 }, { x.dtype, y })
      for images, labels in data.DataLoader(m, 2):batches() do
        assert.same({ "uint8", "int32" }, { images.dtype, labels.dtype })
        assert.equal(255, images:max():asscalar())
      end
      if round == 1 then os.execute("gzip " .. folder .. "/*") end
    end
  end)

  it("is transformed", function()
    local m = vision.MNIST { root = folder, train = false,
      transform = function(x, y) return x:astype "float32" / 255, y + 1 end }
    assert.equal(8, m[0][2])
    for x in data.DataLoader(m, 2):batches() do assert.equal(1, x:max():asscalar()) end
  end)

  it("says which files it needs, and that nothing is downloaded", function()
    os.execute(("mkfifo '%s/train-images-idx3-ubyte'"):format(folder))       -- reading it would wait for ever
    assert.raises(function() vision.MNIST { root = folder } end,
                  "datasets_spec.lua:%d+: MNIST: 'train%-images%-idx3%-ubyte' is not in", "train%-labels%-idx1%-ubyte",
                  "t10k%-images%-idx3%-ubyte", "t10k%-labels%-idx1%-ubyte", "nothing is downloaded")
    write(folder .. "/t10k-labels-idx1-ubyte", "\0\0\8\1" .. (">I4"):pack(1) .. "\7")
    assert.raises(function() vision.MNIST { root = folder, train = false } end, "expected images and as many labels")
  end)
end)

describe("FashionMNIST", function()
  it("is looked for in MXNet's folder, and in the one of its lower-case name", function()
    local folder = os.tmpname()
    os.remove(folder)
    local program = scratch.program
    for _, name in ipairs { "fashionmnist", "fashion-mnist" } do
      os.execute(("mkdir -p %s/datasets/%s"):format(folder, name))
      write(("%s/datasets/%s/train-images-idx3-ubyte"):format(folder, name),
        "\0\0\8\3" .. (">I4I4I4"):pack(#name, 1, 1) .. ("\1"):rep(#name))
      write(("%s/datasets/%s/train-labels-idx1-ubyte"):format(folder, name),
        "\0\0\8\1" .. (">I4"):pack(#name) .. ("\1"):rep(#name))
      local code = "print(#require('hybridlua').gluon.data.vision.FashionMNIST())"
      assert.equal(tostring(#name),
        (scratch.run(("MXNET_HOME=%s %s -e \"%s\""):format(folder, program, code)):gsub("%s+$", "")))
    end
    os.execute("rm -r " .. folder)
    local text = scratch.run(("MXNET_HOME=%s %s -e \"%s\""):format(folder, program,
      "require('hybridlua').gluon.data.vision.FashionMNIST()"))
    assert.truthy(text:find("datasets/fashion-mnist'", 1, true), text)
  end)
end)

describe("labels, which are numbers,", function()
  it("take astype in transforms, and then batches have that dtype", function()
    local ds = data.ArrayDataset(nd.ones { 4, 2 }, nd.array({ 3, 1, 2, 0 }, { dtype = "int32" }))
    local t = ds:transform(function(x, label) return x:astype "float32" / 2, label:astype "float32" end)
    for x, y in data.DataLoader(t, 4) do
      assert.same({ "float32", "float32" }, { x.dtype, y.dtype })
      assert.same({ 4 }, y.shape)
      assert.same({ 3, 1, 2, 0 }, y:totable())
    end
    t = ds:transform(function(x, label) return x, label == 3 and 1 or 0 end)            -- and are numbers still
    assert.equal(1, t[0][2])
    local label = ds[1][2]
    assert.same({ 1, 1 }, { label:asscalar(), label:item() })
    local as_bytes = label:astype "int8"
    assert.same({ "int8", 0, 1 }, { as_bytes.dtype, as_bytes.ndim, as_bytes:asscalar() })
    assert.raises(function() return label.shape end,
      "datasets_spec.lua:%d+: attempt to index a number value %(field 'shape'%)")
  end)
end)

describe("transforms", function()
  local T = vision.transforms
  local image = (nd.arange(24) * 10):reshape { 2, 4, 3 }:astype "uint8"

  it("turn images to tensors", function()
    local t = T.ToTensor()(image)
    assert.same({ 3, 2, 4 }, t.shape)
    assert.equal("float32", t.dtype)
    assert.near(230 / 255, t[2][1][3]:asscalar(), 1e-6)
    assert.bits(T.ToTensor()(image:reshape { 1, 2, 4, 3 })[0], t)
    assert.raises(function() T.ToTensor()(nd.ones { 2, 2 }) end, "ToTensor: data: expected an image %(H, W, C%)")
  end)

  it("normalize and cast", function()
    local x = nd.ones { 3, 2, 2 }
    assert.allclose(T.Normalize(.5, .25)(x), nd.ones { 3, 2, 2 } * 2)
    assert.allclose(T.Normalize({ 0, 1, 2 }, { 1, 2, 4 })(x)[":, 0, 0"], { 1, 0, -.25 })
    assert.bits(T.Normalize { mean = { 0, 1, 2 }, std = 2 }(nd.stack({ x, x }, { axis = 0 }))[1],
      T.Normalize({ 0, 1, 2 }, 2)(x))
    assert.equal("float64", T.Cast "float64"(x).dtype)
  end)

  it("compose, of blocks and functions, printing as MXNet's", function()
    local both = T.Compose { T.ToTensor(), T.Normalize(.13, .31) }
    assert.equal("Compose(\n  (0): HybridSequential(\n    (0): ToTensor(\n    \n    )\n    (1): Normalize(\n" ..
      "    \n    )\n  )\n)", tostring(both))
    assert.allclose(both(image), (T.ToTensor()(image) - .13) / .31)
    local mixed = T.Compose { T.ToTensor(), function(x) return x + 1 end, T.Cast "float64" }
    assert.allclose(mixed(image), T.ToTensor()(image):astype "float64" + 1)
  end)

  it("give the same bits for a batch as for its images", function()
    local compose = T.Compose { T.ToTensor(), T.Normalize({ .1, .2, .3 }, .31) }
    local ds = data.ArrayDataset(nd.stack({ image, image + 3 }, { axis = 0 }), nd.array { 0, 1 })
    local fast, slow = ds:transform_first(compose), ds:transform_first(function(x) return compose(x) end)
    assert.truthy(fast:batcher())
    assert.falsy(slow:batcher())
    for x in data.DataLoader(fast, 2):batches() do
      for y in data.DataLoader(slow, 2):batches() do assert.bits(x, y) end
    end
    assert.falsy(ds:transform_first(T.Compose { T.ToTensor(), function(x) return x end }):batcher())
  end)
end)

describe("a table of numbers in a file", function()
  it("is a dataset", function()
    local file = write(os.tmpname(), "a,b,c\n1,2,0\n3,4.5,1\n\n5,6,2\n")
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

  it("shares out every sample once", function()
    local ds = data.SimpleDataset { 10, 11, 12, 13, 14, 15, 16 }
    for _, lengths in ipairs { { 4, 3 }, { .5, .5 }, { 7 }, { 1. }, { 7, 0 }, { .2, .3, .5 } } do
      local all, parts = {}, data.random_split(ds, lengths)
      assert.equal(#lengths, #parts)
      for _, part in ipairs(parts) do table.move(values(part), 1, #part, #all + 1, all) end
      table.sort(all)
      assert.same({ 10, 11, 12, 13, 14, 15, 16 }, all)
    end
    local parts = ds:random_split { .5, .5 }
    assert.same({ 4, 3 }, { #parts[1], #parts[2] })           -- the remainder goes to the first
    parts = ds:random_split({ 3, 4 })
    assert.same({ 3, 4 }, { #parts[1], #parts[2] })
  end)

  it("draws from the library's stream, or by a seed of its own", function()
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

  it("refuses parts that are not the whole", function()
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

describe("a loop over", function()
  local ds = data.ArrayDataset(nd.arange(12):reshape { 6, 2 }, nd.arange(6))

  local function labels_of(loop)
    local list = {}
    for _, y in loop do list[#list + 1] = y:totable() end
    return list
  end

  it("a loader itself gives batches, again and again", function()
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

  it("a loader may stand in another over the same, and be left in the middle", function()
    local loader, seen = data.DataLoader(ds, 2), {}
    for _, y in loader do
      for _, inner in loader do
        seen[#seen + 1] = y[0]:asscalar() * 10 + inner[0]:asscalar()
        if inner[0]:asscalar() == 2 then break end
      end
    end
    assert.same({ 0, 2, 20, 22, 40, 42 }, seen)
  end)

  it("a loader shuffles anew and rolls over, as batches() does", function()
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

  it("pairs(loader) counts from 0, and has a batch of several values as a table", function()
    local seen = {}
    for i, batch in pairs(data.DataLoader(ds, 4)) do seen[#seen + 1] = { i, #batch, batch[2]:totable() } end
    assert.same({ { 0, 2, { 0, 1, 2, 3 } }, { 1, 2, { 4, 5 } } }, seen)
    for i, batch in pairs(data.DataLoader(nd.arange(4), 4)) do
      assert.equal(0, i)
      assert.same({ 0, 1, 2, 3 }, batch:totable())
    end
  end)

  it("ipairs is an error that says what to write", function()
    local loader = data.DataLoader(ds, 4)
    assert.raises(function() for _ in ipairs(loader) do end end,
                  "datasets_spec.lua:%d+: DataLoader: index: batches have no places",
                  "for data, label in loader do", "loader:batches", "pairs%(loader%)")
    assert.raises(function() return loader[1] end, "datasets_spec.lua:%d+: DataLoader: index")
    assert.raises(function() for _ in ipairs(ds) do end end, "datasets_spec.lua:%d+: ArrayDataset: ipairs begins at 1",
      "pairs%(dataset%)")
    assert.equal(1, ds[1][2])
    assert.raises(function() for _ in ipairs(data.RandomSampler(3)) do end end, "RandomSampler: index", "sampler:iter")
    local net = hl.gluon.nn.Sequential()
    net:add(hl.gluon.nn.Dense(1))
    assert.raises(function() for _ in ipairs(net) do end end, "datasets_spec.lua:%d+: sequential%d+: index",
      "pairs, not ipairs")
  end)

  it("a dataset gives its values; numbers alone are for pairs", function()
    local seen = {}
    for x, y in ds do seen[#seen + 1] = { x[1]:asscalar(), y } end
    assert.same({ 11, 5 }, seen[6])
    assert.equal(6, #seen)
    for _, x in ipairs { data.SimpleDataset { 1, 2 }, data.RandomSampler(2) } do
      assert.raises(function() for _ in x do end end,
        "datasets_spec.lua:%d+: %w+: a loop over it is known by its first value", "write for ")
    end
    local sizes_ = {}
    for places in data.BatchSampler(data.SequentialSampler(5), 2) do sizes_[#sizes_ + 1] = #places end
    assert.same({ 2, 2, 1 }, sizes_)
    local order = {}
    for i, place in pairs(data.SequentialSampler(3)) do order[i] = place end
    assert.same({ [0] = 0, 1, 2 }, order)
  end)

  it("what is called otherwise is an error", function()
    local loader = data.DataLoader(ds, 4)
    assert.raises(function() loader(nd.ones { 1 }) end,
                  "datasets_spec.lua:%d+: DataLoader: it is called by for loops only")
    assert.raises(function() loader(nil, nd.ones { 1 }) end,
      "datasets_spec.lua:%d+: DataLoader: it is called by for loops only")
  end)

  it("a loader keeps no pass that was left", function()
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
