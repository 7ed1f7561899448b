-- random_transforms_spec.lua - RandomCrop, RandomGray, RandomErasing, HybridCompose, HybridRandomApply.
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon
local data = gluon.data
local T = data.vision.transforms

-- An image whose first two channels are each pixel's row and column from 1; no value is 0.
local function places(height, width, dtype)
  local rows = nd.broadcast_to(nd.arange(1, height + 1):reshape { height, 1 }, { shape = { height, width } })
  local columns = nd.broadcast_to(nd.arange(1, width + 1):reshape { 1, width }, { shape = { height, width } })
  return nd.stack(rows, columns, nd.ones { height, width }, { axis = 2 }):astype(dtype or "uint8")
end

local function count(list)
  local n = 0
  for _ in pairs(list) do n = n + 1 end
  return n
end

describe("RandomCrop", function()
  it("returns every part of the padded image", function()
    hl.random.seed(1)
    local x, crop, corners = places(4, 3), T.RandomCrop({ 3, 4 }, { pad = 1 }), {}
    local wide = nd.zeros({ 6, 5, 3 }, { dtype = "uint8" })
    wide["1:5, 1:4"] = x
    for _ = 1, 200 do
      local y, found = crop(x), nil
      assert.same({ 4, 3, 3 }, y.shape)
      assert.equal("uint8", y.dtype)
      for top = 0, 2 do
        for left = 0, 2 do
          local part = wide[{ { top, top + 4 }, { left, left + 3 } }]
          if nd.array_equal(part, y):asscalar() then found = top .. " " .. left end
        end
      end
      assert.truthy(found)
      corners[found] = true
    end
    assert.equal(9, count(corners))
  end)

  it("returns the image itself if it has that size", function()
    for _, dtype in ipairs { "uint8", "float32" } do
      local x = places(5, 4, dtype)
      assert.bits(x, T.RandomCrop { 4, 5 } (x))
      assert.bits(x, T.RandomCrop({ 4, 5 }, { pad = 0 })(x))
      local wide = T.RandomCrop({ 7, 8 }, { pad = { { 1, 2 }, { 3, 0 } } })(x)
      assert.bits(x, wide["1:6, 3:"])
      assert.equal(x:astype "float32":sum():asscalar(), wide:astype "float32":sum():asscalar())
      assert.bits(wide, T.RandomCrop({ 7, 8 }, { pad = { { 1, 2 }, { 3, 0 }, { 0, 0 } } })(x))
    end
  end)

  it("enlarges a smaller image as CenterCrop does", function()
    local x = places(6, 6)
    assert.bits(T.CenterCrop(12, { interpolation = 2 })(x), T.RandomCrop(12)(x))
    assert.bits(T.CenterCrop(12, { interpolation = 0 })(x), T.RandomCrop(12, { interpolation = 0 })(x))
  end)
end)

describe("RandomGray", function()
  it("matches MXNet's RandomGrayAug", function()
    local x = nd.array { { { 10, 20, 30 }, { 255, 0, 1 } } }
    assert.allclose(T.RandomGray(1)(x), { { { 18.6, 18.6, 18.6 }, { 53.62, 53.62, 53.62 } } }, 1e-6)
    assert.bits(x, T.RandomGray(0)(x))
    local bytes = T.RandomGray(1)(x:astype "uint8")
    assert.equal("uint8", bytes.dtype)
    assert.same({ 19, 19, 19, 54, 54, 54 }, bytes:reshape { -1 }:totable())
    assert.bits(nd.full({ 2, 2, 3 }, 255, { dtype = "uint8" }),
      T.RandomGray(1)(nd.full({ 2, 2, 3 }, 255, { dtype = "uint8" })))
  end)

  it("draws for each image, equally in eager and hybridized mode", function()
    local x, sums = places(3, 2), {}
    for way = 1, 2 do
      local gray = T.RandomGray(0.3)
      if way == 2 then gray:hybridize() end
      hl.random.seed(5)
      local changed = 0
      sums[way] = {}
      for i = 1, 200 do
        local y = gray(x)
        sums[way][i] = y:astype "float32":sum():asscalar()
        if not nd.array_equal(x, y):asscalar() then changed = changed + 1 end
      end
      assert.is_true(changed > 35 and changed < 90, changed)
    end
    assert.same(sums[1], sums[2])
  end)
end)

describe("RandomErasing", function()
  it("erases one rectangle of each image", function()
    hl.random.seed(2)
    local x = nd.ones { 4, 3, 20, 30 }
    local erasing, seen = T.RandomErasing(1, { scale = { 0.1, 0.2 }, ratio = { 0.5, 2 } }), {}
    for _ = 1, 10 do
      local y = erasing(x)
      for i = 0, 3 do
        local gone = 1 - y[i][0]
        local area, height, width = gone:sum():asscalar(), gone:max { axis = 1 }:sum():asscalar(),
          gone:max { axis = 0 }:sum():asscalar()
        assert.equal(area, height * width)
        assert.is_true(area > 0.08 * 600 and area < 0.23 * 600, area)
        assert.is_true(height / width > 0.4 and height / width < 2.4, height / width)
        assert.bits(y[i][0], y[i][2])
        seen[gone:argmax { axis = 1 }:max():asscalar() .. " " .. area] = true
      end
    end
    assert.is_true(count(seen) > 20, count(seen))
    assert.bits(nd.ones { 4, 3, 20, 30 }, x)                          -- the input is unchanged
  end)

  it("fills the rectangle with the given values", function()
    hl.random.seed(3)
    local x = nd.zeros { 3, 9, 9 }
    local each = T.RandomErasing(1, { value = { 1, 2, 3 } })(x)
    local area = each[0]:sum():asscalar()
    assert.is_true(area > 0)
    assert.same({ area, 2 * area, 3 * area }, each:sum { axis = { 1, 2 } }:totable())
    local random = T.RandomErasing(1, { value = "random" })(x)
    assert.is_true(random:abs():sum():asscalar() > 0)
    assert.bits(x, T.RandomErasing(0, { value = 1 })(x))
    assert.bits(x, T.RandomErasing(1, { value = 1, scale = { 1, 1 } })(x))      -- no rectangle fits
    local float64 = T.RandomErasing(1, { value = 7 })(x:astype "float64")
    assert.equal("float64", float64.dtype)
    assert.equal(7, float64:max():asscalar())
  end)
end)

describe("transforms in one HybridBlock", function()
  local x = places(6, 8)

  it("compute the same as in Compose", function()
    local function list()
      return { T.RandomFlipLeftRight(), T.RandomBrightness(0.3), T.RandomGray(0.5), T.ToTensor(), T.Normalize(0.5, 2) }
    end
    local results = {}
    for i, make in ipairs { T.Compose, T.HybridCompose, T.HybridCompose } do
      local all = make(list())
      if i == 3 then all:hybridize() end
      hl.random.seed(4)
      results[i] = { all(x), all(x), all(x) }
    end
    for i = 2, 3 do for k = 1, 3 do assert.bits(results[1][k], results[i][k]) end end
    assert.is_true(T.HybridCompose { T.ToTensor(), T.Normalize(0, 1) }.takes_batches)
    assert.is_false(T.HybridCompose(list()).takes_batches)
  end)

  it("are applied with the given probability", function()
    local sums = {}
    for way = 1, 2 do
      local apply = T.HybridRandomApply(T.RandomBrightness(0.5), { p = 0.25 })
      if way == 2 then apply:hybridize() end
      hl.random.seed(6)
      local changed = 0
      sums[way] = {}
      for i = 1, 200 do
        local y = apply(x)
        sums[way][i] = y:astype "float32":sum():asscalar()
        if not nd.array_equal(x, y):asscalar() then changed = changed + 1 end
      end
      assert.is_true(changed > 28 and changed < 75, changed)
    end
    assert.same(sums[1], sums[2])
  end)
end)

describe("new transforms", function()
  it("return the same bits in workers", function()
    hl.random.seed(8)
    local pictures = nd.random.randint(0, 256, { shape = { 12, 9, 10, 3 }, dtype = "int32" }):astype "uint8"
    local augment = T.Compose { T.RandomCrop(8, { pad = 2 }), T.RandomGray(), T.RandomFlipLeftRight(), T.ToTensor(),
                                T.RandomErasing(0.7, { value = "random" }) }
    local set = data.ArrayDataset(pictures, nd.arange(12)):transform_first(augment)
    local seen = {}
    for run, workers in ipairs { 0, 0, 2 } do
      hl.random.seed(9)
      seen[run] = {}
      for batch in data.DataLoader(set, 4, { shuffle = true, num_workers = workers }) do
        assert.same({ 4, 3, 8, 8 }, batch.shape)
        table.insert(seen[run], batch)
      end
      assert.equal(3, #seen[run])
    end
    for run = 2, 3 do for i = 1, 3 do assert.bits(seen[1][i], seen[run][i]) end end
  end)

  it("reject invalid arguments", function()
    local function fails(text, fn) assert.raises(fn, "random_transforms_spec.lua:%d+: " .. text) end
    local made
    fails("RandomCrop: size: expected an integer of 1 or more, got 0", function() made = T.RandomCrop(0) end)
    for _, pad in ipairs { { 4, 4 }, { { 1, 1 } }, { { 1, 1 }, { 1, 1 }, { 1, 1 } }, { { 1 }, { 1 } }, {} } do
      fails("RandomCrop: pad: expected a number or {{top, bottom}, {left, right}}",
        function() made = T.RandomCrop(4, { pad = pad }) end)
    end
    fails("RandomCrop: pad: expected an integer of 0 or more, got %-1",
      function() made = T.RandomCrop(4, { pad = -1 }) end)
    fails("RandomCrop: data: expected a picture %(height, width, channels%), got 2 dimensions",
      function() made = T.RandomCrop(4)(nd.ones { 2, 2 }) end)
    fails("RandomGray: p: expected a number from 0 to 1, got 2", function() made = T.RandomGray(2) end)
    fails("RandomGray: data: expected 3 channels after height and width, got shape %(2, 2, 1%)",
      function() made = T.RandomGray()(nd.ones { 2, 2, 1 }) end)
    fails("RandomErasing: data: expected floats .* got uint8 %(2, 2, 3%); use it after ToTensor",
      function() made = T.RandomErasing()(places(2, 2)) end)
    fails("RandomErasing: value: expected 3 numbers, one for each channel, got 2",
      function() made = T.RandomErasing(1, { value = { 1, 2 } })(nd.ones { 3, 5, 5 }) end)
    fails("RandomErasing: value: expected a number, a list", function() made = T.RandomErasing(1, { value = "x" }) end)
    fails("RandomErasing: scale: expected a number from 0 to 1, got 3",
      function() made = T.RandomErasing(1, { scale = { 0, 3 } }) end)
    fails("HybridCompose: transforms%[2%]: expected a HybridBlock, got RandomCrop; use Compose for other transforms",
      function() made = T.HybridCompose { T.ToTensor(), T.RandomCrop(3) } end)
    fails("HybridRandomApply: transforms: expected a list of HybridBlocks, got number",
      function() made = T.HybridRandomApply(3) end)
    assert.is_nil(made)
  end)
end)
