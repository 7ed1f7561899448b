-- augmenters_spec.lua - hl.image's augmenters, for classification and detection, borders and rotations. Figures are
-- those of MXNet 1.9.1, where its random numbers were replaced by the upper limit of their interval.
local hl = require "hybridlua"
local nd, image = hl.nd, hl.image

local function picture() return (nd.arange(18) * 10):reshape { 2, 3, 3 } end

-- Calls fn with nd.random.uniform and normal replaced.
local function with_draws(uniform, normal, fn)
  local drawn, normally = nd.random.uniform, nd.random.normal
  nd.random.uniform = function() return nd.array({ uniform }, { dtype = "float64" }) end
  if normal then nd.random.normal = function() return nd.array({ normal }, { dtype = "float64" }) end end
  local ok, message = pcall(fn)
  nd.random.uniform, nd.random.normal = drawn, normally
  if not ok then error(message, 0) end
end

describe("augmenters of colours", function()
  it("have MXNet's formulas", function()
    with_draws(1, { 0.1, -0.2, 0.3 }, function()
      local x = picture()
      local function check(augmenter, last, first)
        local y = augmenter(x)
        assert.allclose(y[1][2], last, 1e-5)
        assert.allclose(y[0][0], first, 1e-5)
        assert.allclose(x, picture())
      end
      check(image.BrightnessJitterAug(0.2), { 180, 192, 204 }, { 0, 12, 24 })
      check(image.ContrastJitterAug(0.2), { 163.37, 175.37, 187.37 }, { -16.63, -4.63, 7.37 })
      check(image.SaturationJitterAug(0.2), { 148.37, 160.37, 172.37 }, { -1.63, 10.37, 22.37 })
      check(image.HueJitterAug(0.25), { 147.9039, 163.78224, 156.01036 }, { -2.2988956, 13.83994, 6.2451954 })
      check(image.ColorNormalizeAug({ 1, 2, 3 }, { 2, 4, 8 }), { 74.5, 39.5, 20.875 }, { -0.5, 2, 2.125 })
      assert.allclose(image.LightingAug(0.1, { 55.46, 4.794, 1.148 },
        { { -0.5675, 0.7192, 0.4009 }, { -0.5808, -0.0045, -0.8140 }, { -0.5836, -0.6948, 0.4203 } })(x)[0][0],
        { -3.698854, 6.5028563, 17.57428 }, 1e-5)
    end)
    with_draws(0, nil, function()
      assert.allclose(image.RandomGrayAug(1)(picture())[1][2], { 158.6, 158.6, 158.6 }, 1e-5)
      assert.allclose(image.RandomGrayAug(1)(picture())[0][0], { 8.6, 8.6, 8.6 }, 1e-5)
      assert.allclose(image.HorizontalFlipAug(1)(picture())[0][0], { 60, 70, 80 })
    end)
  end)

  it("draw within their limits, by the seed", function()
    hl.random.seed(3)
    local augmenter, factors = image.BrightnessJitterAug(0.5), {}
    for i = 1, 50 do
      factors[i] = augmenter(nd.ones { 1, 1, 3 })[0][0][0]:asscalar()
      assert.is_true(factors[i] >= 0.5 and factors[i] <= 1.5)
    end
    assert.is_true(math.max(table.unpack(factors)) > 1.3 and math.min(table.unpack(factors)) < 0.7)
    hl.random.seed(3)
    assert.equal(factors[1], augmenter(nd.ones { 1, 1, 3 })[0][0][0]:asscalar())
  end)

  it("need floats with three channels", function()
    assert.raises(function() image.BrightnessJitterAug(0.5)(nd.ones { 2, 2, 3 }:astype "uint8") end,
      "augmenters_spec.lua:%d+: BrightnessJitterAug: src: expected floats, got uint8; put CastAug%(%) before it")
    assert.raises(function() image.HueJitterAug(0.5)(nd.ones { 2, 2, 1 }) end, "expected 3 channels, got 1")
    assert.raises(function() image.HueJitterAug(-1) end, "HueJitterAug: hue: expected a number of 0 or more, got %-1")
    assert.raises(function() image.HueJitterAug() end, "HueJitterAug: hue: expected a number")
    assert.raises(function() image.RandomGrayAug(2) end, "RandomGrayAug: p: expected a number from 0 to 1, got 2")
    assert.raises(function() image.LightingAug(0.1, { 1 }, { 1 }) end, "LightingAug: eigval: expected 3 numbers, got 1")
    assert.raises(function() image.SequentialAug { 3 } end, "ts%[1%]: expected a function of an image, got number")
  end)
end)

describe("augmenters of sizes", function()
  it("resize, crop and cast", function()
    local x = nd.ones { 6, 8, 3 }:astype "uint8"
    assert.same({ 3, 4, 3 }, image.ResizeAug(3)(x).shape)
    assert.same({ 5, 2, 3 }, image.ForceResizeAug({ 2, 5 })(x).shape)
    assert.same({ 5, 2, 3 }, image.RandomCropAug({ 2, 5 })(x).shape)
    assert.same({ 5, 2, 3 }, image.CenterCropAug({ 2, 5 }, { interp = 1 })(x).shape)
    assert.same({ 4, 4, 3 }, image.RandomSizedCropAug({ 4, 4 }, 0.2, { 3 / 4, 4 / 3 })(x).shape)
    assert.equal("float64", image.CastAug("float64")(x).dtype)
    local both = image.SequentialAug { image.CastAug(), image.ResizeAug(3) }
    assert.equal("float32", both(x).dtype)
    assert.same({ 3, 4, 3 }, image.RandomOrderAug({ image.CastAug(), image.ResizeAug(3) })(x).shape)
  end)

  it("can be the script's own", function()
    local Darker = image.Augmenter:subclass "Darker"
    function Darker:init(by)                                          -- luacheck: ignore 212
      image.Augmenter.init(self, { by = by })
      self.by = by
    end
    function Darker:augment(src) return src * self.by end
    assert.equal('["darker", {"by": 0.5}]', Darker(0.5):dumps())
    assert.allclose(image.SequentialAug({ Darker(0.5) })(nd.ones { 1, 1, 3 }), nd.full({ 1, 1, 3 }, 0.5))
    assert.raises(function() image.Augmenter()(nd.ones { 1, 1, 3 }) end, "Augmenter: augment is not defined")
  end)

  it("are listed by CreateAugmenter, described as in MXNet", function()
    local list = image.CreateAugmenter({ 3, 4, 4 }, { resize = 5, rand_crop = true, rand_mirror = true, mean = true,
      brightness = 0.1, hue = 0.1, pca_noise = 0.1, rand_gray = 0.5 })
    local texts = {}
    for i, one in ipairs(list) do texts[i] = one:dumps() end
    assert.same({ '["resizeaug", {"size": 5, "interp": 2}]', '["randomcropaug", {"size": [4, 4], "interp": 2}]',
                  '["horizontalflipaug", {"p": 0.5}]', '["castaug", {"type": "float32"}]',
                  { "colorjitteraug", { '["brightnessjitteraug", {"brightness": 0.1}]' } },
                  '["huejitteraug", {"hue": 0.1}]' }, table.move(texts, 1, 6, 1, {}))
    assert.equal(9, #list)
    assert.truthy(texts[7]:find('["lightingaug", {"alphastd": 0.1, "eigval": [55.46, 4.794, 1.148], ', 1, true))
    local x = nd.ones { 7, 9, 3 }:astype "uint8"
    for _, one in ipairs(list) do x = one(x) end
    assert.same({ 4, 4, 3 }, x.shape)
    assert.raises(function() image.CreateAugmenter({ 3, 4, 4 }, { rand_resize = true }) end,
      "rand_resize: expected rand_crop = true with it")
    assert.raises(function() image.CreateAugmenter { 3, 4 } end, "data_shape: expected an integer or a table of 3")
    assert.raises(function() image.CreateAugmenter({ 3, 4, 4 }, { mean = { 1, 2 } }) end,
      "expected true, 1 or 3 numbers")
  end)
end)

describe("augmenters for detection", function()
  local function label() return nd.array { { 1, 0.2, 0.2, 0.7, 0.8, 9 }, { 0, 0.5, 0.5, 0.6, 0.6, 8 } } end

  it("mirror objects too", function()
    with_draws(0, nil, function()
      local x, l = image.DetHorizontalFlipAug(0.5)(picture(), label())
      assert.allclose(x[0][0], { 60, 70, 80 })
      assert.allclose(l, { { 1, 0.3, 0.2, 0.8, 0.8, 9 }, { 0, 0.4, 0.5, 0.5, 0.6, 8 } })
    end)
  end)

  it("crop parts that contain enough of the objects", function()
    hl.random.seed(5)
    local crop = image.DetRandomCropAug { min_object_covered = 0.5, area_range = { 0.3, 0.9 } }
    local x = nd.zeros { 40, 50, 3 }
    x["8:32, 10:35"] = 1                             -- the first object
    local changed = 0
    for _ = 1, 20 do
      local y, l = crop(x, label())
      local h, w = y.shape[1], y.shape[2]
      local share = h * w / 2000
      if h < 40 or w < 50 then changed = changed + 1 end
      assert.is_true(share >= 0.29 and share <= 1, share)
      for _, row in ipairs(l:totable()) do
        for k = 2, 5 do assert.is_true(row[k] >= 0 and row[k] <= 1) end
        if row[1] == 1 then                           -- the object's pixels are where its label says
          local inside = y[{ { math.floor(row[3] * h + 0.5), math.floor(row[5] * h + 0.5) },
                             { math.floor(row[2] * w + 0.5), math.floor(row[4] * w + 0.5) } }]
          assert.equal(1, inside:mean():asscalar())
          assert.equal(inside:sum():asscalar(), y:sum():asscalar())
        end
      end
    end
    assert.is_true(changed > 10, changed)
  end)

  it("put images into larger ones", function()
    hl.random.seed(5)
    local pad = image.DetRandomPadAug { area_range = { 1, 3 }, pad_val = { 7, 8, 9 } }
    local y, l = pad(nd.ones { 40, 50, 3 }, label())
    local h, w = y.shape[1], y.shape[2]
    assert.is_true(h > 41 and w > 51 and h * w < 3.1 * 2000)
    local first, last = l:totable()[1], y[h - 1][w - 1]:totable()
    assert.near(0.5 * 50, (first[4] - first[2]) * w, 1e-3)
    assert.near(0.6 * 40, (first[5] - first[3]) * h, 1e-3)
    assert.equal(40 * 50, y:slice_axis({ axis = 2, begin = 0, stop = 1 }):equal(1):sum():asscalar())
    assert.is_true(last[1] == 7 and last[3] == 9 or last[1] == 1)
  end)

  it("are listed by CreateDetAugmenter, described as in MXNet", function()
    local list = image.CreateDetAugmenter({ 3, 4, 4 }, { rand_crop = 0.5, rand_pad = 0.5, rand_mirror = true })
    local texts = {}
    for i, one in ipairs(list) do texts[i] = one:dumps() end
    assert.same({ "detrandomselectaug", { '["detrandomcropaug", {"min_object_covered": 0.1, "aspect_ratio_range": ' ..
      '[0.75, 1.33], "area_range": [0.05, 3], "min_eject_coverage": 0.3, "max_attempts": 50}]' } }, texts[1])
    assert.equal('["dethorizontalflipaug", {"p": 0.5}]', texts[2])
    assert.same({ "detborrowaug", '["forceresizeaug", {"size": [4, 4], "interp": 2}]' }, texts[4])
    local several = image.CreateMultiRandCropAugmenter { min_object_covered = { 0.1, 0.5 },
      area_range = { { 0.1, 1 }, { 0.2, 1 } } }
    assert.equal(2, #several.aug_list)
    assert.equal(0.2, several.aug_list[2].area_range[1])
    assert.raises(function() image.DetBorrowAug(3) end,
      "DetBorrowAug: augmenter: expected an image.Augmenter, got number")
    assert.raises(function() image.DetRandomCropAug { area_range = { 2, 1 } } end, "area_range: expected numbers up to")
    assert.raises(function() image.DetHorizontalFlipAug(1)(picture(), nd.ones { 3 }) end,
      "label: expected %(objects, 5 or more%), got %(3,%)")
  end)
end)

describe("copyMakeBorder", function()
  it("has OpenCV's borders", function()
    local x = nd.arange(6):reshape({ 2, 3, 1 }):astype "uint8"
    local expected = {
      [0] = { { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 1, 2, 0 }, { 0, 0, 3, 4, 5, 0 }, { 0, 0, 0, 0, 0, 0 },
        { 0, 0, 0, 0, 0, 0 } },
      { { 0, 0, 0, 1, 2, 2 }, { 0, 0, 0, 1, 2, 2 }, { 3, 3, 3, 4, 5, 5 }, { 3, 3, 3, 4, 5, 5 }, { 3, 3, 3, 4, 5, 5 } },
      { { 1, 0, 0, 1, 2, 2 }, { 1, 0, 0, 1, 2, 2 }, { 4, 3, 3, 4, 5, 5 }, { 4, 3, 3, 4, 5, 5 }, { 1, 0, 0, 1, 2, 2 } },
      { { 4, 5, 3, 4, 5, 3 }, { 1, 2, 0, 1, 2, 0 }, { 4, 5, 3, 4, 5, 3 }, { 1, 2, 0, 1, 2, 0 }, { 4, 5, 3, 4, 5, 3 } },
      { { 5, 4, 3, 4, 5, 4 }, { 2, 1, 0, 1, 2, 1 }, { 5, 4, 3, 4, 5, 4 }, { 2, 1, 0, 1, 2, 1 }, { 5, 4, 3, 4, 5, 4 } },
    }
    for kind = 0, 4 do
      local y = image.copyMakeBorder(x, 1, 2, 2, 1, { type = kind })
      assert.equal("uint8", y.dtype)
      assert.allclose(y:reshape { 5, 6 }, expected[kind])
    end
    assert.allclose(image.copyMakeBorder(nd.ones { 1, 1, 3 }, 1, 0, 0, 0, { values = { 4, 5, 6 } }),
      { { { 4, 5, 6 } }, { { 1, 1, 1 } } })
    assert.raises(function() image.copyMakeBorder(x, 1, 1, 1, 1, 5) end, "type: expected 0 to 4, got 5")
    assert.raises(function() image.copyMakeBorder(x, -1, 1, 1, 1) end, "top: expected an integer of 0 or more, got %-1")
  end)
end)

describe("imrotate", function()
  it("rotates as MXNet does", function()
    local x = nd.arange(12):reshape { 1, 3, 4 }
    local expected = { { 0.2692, 1.3852, 3.9689, 4.5814 }, { 1.201, 4.067, 6.933, 9.799 },
                       { 3.1292, 7.0311, 8.3385, 3.9546 } }
    assert.allclose(image.imrotate(x, 30)[0], expected, 1e-3, 1e-3)
    local batch = image.imrotate(nd.stack(x, x), nd.array { 30, 0 })
    assert.allclose(batch[0][0], expected, 1e-3, 1e-3)
    assert.allclose(batch[1], x, 1e-5, 1e-5)
    assert.bits(image.imrotate(x, 30, { zoom_in = true }),
      hl.gluon.data.vision.transforms.Rotate(30, { zoom_in = true })(x))
    assert.same({ 1, 3, 4 }, image.random_rotate(x, { -10, 10 }).shape)
    assert.raises(function() image.imrotate(x, { 1, 2 }) end, "expected a number for a single image, got several")
    assert.raises(function() image.imrotate(nd.stack(x, x), { 1 }) end, "one number for each of 2 images, got 1")
    assert.raises(function() image.imrotate(x, 30, true, true) end, "expected one of them, got both")
    assert.raises(function() image.random_rotate(x, 3) end, "angle_limits: expected two numbers, got number")
  end)
end)
