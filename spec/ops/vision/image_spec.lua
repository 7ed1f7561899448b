-- image_spec.lua - nd.image: MXNet 1.9.1's values (spec/oracle/image.py), and the bounds of random operators.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
local image = nd.image

local function same(a, b) return nd.array_equal(a, b):asscalar() end

local picture = nd.array({ { { 1, 20, 255 }, { 40, 5, 60 }, { 7, 8, 9 } }, { { 100, 0, 3 }, { 4, 250, 6 },
                                                                            { 70, 80, 90 } } }, { dtype = "uint8" })

describe("nd.image", function()
  it("has MXNet's values", function()
    local stored, count = nd.load "spec/oracle/image.params", 0
    for name, wanted in pairs(stored) do
      local dtype, what, rest = name:match "^(%w+) (%g+) ?(.*)$"
      local x, got = stored[dtype], nil
      if what == "resize" then
        local interp, width, height = rest:match "(%d) (%d+) (%d+)"
        got = image.resize(x, { size = { math.tointeger(width), math.tointeger(height) },
                                interp = math.tointeger(interp) })
      elseif what == "adjust_lighting" then
        got = image.adjust_lighting(x, { 0.1, -0.2, 0.3 })
      elseif what then
        got = image[what](x, tonumber(rest), tonumber(rest))
      end
      if got then
        count = count + 1
        assert.equal(dtype, got.dtype)
        if dtype == "uint8" then assert.is_true(same(wanted, got), name)
        else assert.allclose(got, wanted, 1e-5, 2e-3) end
      end
    end
    assert.equal(2 * (4 * 6 + 3 * 5 + 1), count)
  end)

  it("scales to 1 and puts channels first in to_tensor, for any dtype, with gradients", function()
    local y = image.to_tensor(picture)
    assert.same({ 3, 2, 3 }, y.shape)
    assert.equal("float32", y.dtype)
    assert.bits(y, nd.transpose(picture:astype "float32" / 255, { axes = { 2, 0, 1 } }))
    local batch = nd.stack(picture, picture:flip { axis = 0 }, { axis = 0 })
    assert.bits(image.to_tensor(batch)[0], y)
    local large = nd.random.randint(0, 256, { shape = { 2, 37, 41, 3 }, dtype = "int32" })
    assert.bits(image.to_tensor(large), nd.transpose(large:astype "float32" / 255, { axes = { 0, 3, 1, 2 } }))
    local x = nd.ones { 2, 3, 4, 3 }
    x:attach_grad()
    local head = nd.random.normal { shape = { 2, 3, 3, 4 } }
    autograd.record(function() return image.to_tensor(x) end):backward(head)
    assert.bits(x.grad, nd.transpose(head, { axes = { 0, 2, 3, 1 } }) / 255)
  end)

  it("accepts one number, or one per channel, in normalize", function()
    local x = nd.array { { { 1, 2 } }, { { 3, 4 } }, { { 5, 6 } } }
    assert.same({ { { 0, 0.5 } }, { { 0.25, 0.5 } }, { { 0.25, 0.375 } } },
      image.normalize(x, { 1, 2, 3 }, { 2, 4, 8 }):totable())
    assert.same({ { { 0.5, 1 } }, { { 1.5, 2 } }, { { 2.5, 3 } } }, image.normalize(x, 0, 2):totable())
    assert.bits(image.normalize(nd.stack(x, x), { 1, 2, 3 }, 2)[1], image.normalize(x, { 1, 2, 3 }, 2))
    assert.raises(function() image.normalize(x, { 1, 2 }, 1) end,
      "normalize: mean: expected a number, or one for each of 3 channels, got 2")
    assert.raises(function() image.normalize(nd.ones { 2, 2, 2 }) end,
      "normalize: data: expected 1 or 3 channels, got %(2, 2, 2%)")
  end)

  it("accepts one size for both sides, or for the shorter, in resize", function()
    assert.same({ 4, 4, 3 }, image.resize(picture, 4).shape)
    assert.same({ 5, 4, 3 }, image.resize(picture, { 4, 5 }).shape)
    assert.same({ 4, 6, 3 }, image.resize(picture, 4, true).shape)
    assert.same({ 7, 4, 1 }, image.resize(nd.ones { 7, 4, 1 }, { size = 4, keep_ratio = true }).shape)
    local batch = nd.random.uniform { shape = { 2, 5, 6, 2 } }
    for interp = 0, 3 do
      local all = image.resize(batch, { size = { 4, 9 }, interp = interp })
      assert.bits(all[1], image.resize(batch[1], { size = { 4, 9 }, interp = interp }))
    end
    assert.same({ { 3, 2, 5, 3 } }, { select(2, sym.image.resize(sym.var "x", { size = { 5, 2 } })
      :infer_shape { x = { 3, 4, 4, 3 } })[1] })
    assert.raises(function() image.resize(picture, 0) end, "resize: size: expected 1 or more, got 0")
    assert.raises(function() image.resize(picture, 2, false, 4) end, "resize: interp: expected 0 %(nearest%)")
    assert.raises(function() image.resize(nd.ones { 2, 2 }, 2) end, "resize: data: expected 3 or 4 dimensions")
    assert.raises(function() image.resize(picture:astype "int32", 2) end,
      "resize: data: expected dtype uint8 or float32, got int32")
  end)

  it("moves elements of any dtype in crop and the flips, with gradients", function()
    assert.same({ { { 40, 5, 60 }, { 7, 8, 9 } } }, image.crop(picture, 1, 0, 2, 1):totable())
    assert.same({ { { 7, 8, 9 }, { 40, 5, 60 }, { 1, 20, 255 } }, { { 70, 80, 90 }, { 4, 250, 6 }, { 100, 0, 3 } } },
      image.flip_left_right(picture):totable())
    assert.same(picture:flip { axis = 0 }:totable(), image.flip_top_bottom(picture):totable())
    local x = nd.random.normal { shape = { 2, 4, 5, 3 }, dtype = "float64" }
    assert.bits(image.crop(x, 1, 2, 3, 2), x["0:2, 2:4, 1:4"]:copy())
    assert.bits(image.flip_left_right(x), nd.flip(x, { axis = 2 }))
    assert.raises(function() image.crop(picture, 2, 0, 2, 1) end,
      "crop: x, y, width, height: expected a part of the image %(2, 3, 3%), got x = 2, y = 0, width = 2, height = 1")
  end)

  it("changes images by random amounts within the bounds, like operators with given amounts", function()
    hl.random.seed(3)
    local seen = {}
    for _ = 1, 40 do
      local y = image.random_flip_left_right(picture)
      local flipped = same(y, image.flip_left_right(picture))
      assert.is_true(flipped or same(y, picture))
      seen[flipped] = (seen[flipped] or 0) + 1
      y = image.random_flip_top_bottom(picture)
      assert.is_true(same(y, image.flip_top_bottom(picture)) or same(y, picture))
    end
    assert.is_true(seen[true] > 8 and seen[false] > 8)
    local x = nd.ones { 2, 2, 3 } * 100
    for _ = 1, 40 do
      local bright = image.random_brightness(x, 0.5, 1.5):totable()[1][1][1]
      assert.is_true(bright >= 50 and bright <= 150)
      seen[bright] = true
    end
    -- a factor of 1 or an amount of 0 changes nothing
    assert.bits(image.random_color_jitter(picture, 0, 0, 0, 0), picture)
    assert.bits(image.random_lighting(picture, 0), picture)
    assert.bits(image.random_saturation(picture, 1, 1), picture)
    -- without saturation the channels are equal
    local gray = image.random_saturation(picture:astype "float32", 0, 0)
    assert.allclose(gray, nd.broadcast_to((picture:astype "float32" * nd.array { 0.299, 0.587, 0.114 })
      :sum { axis = 2, keepdims = true }, { shape = { 2, 3, 3 } }), 1e-5, 1e-4)
    assert.raises(function() image.random_hue(picture, -1, 1) end,
      "random_hue: min_factor: expected 0 or more, got %-1")
    assert.raises(function() image.random_hue(picture, 1, 0.5) end,
      "random_hue: max_factor: expected min_factor = 1 or more, got 0.5")
    assert.raises(function() image.random_contrast(nd.ones { 2, 2, 4 }, 1, 1) end,
      "random_contrast: data: expected 1 or 3 channels, got %(2, 2, 4%)")
  end)

  it("keeps other pixels finite if one is NaN", function()
    local x = nd.array { { { 0 / 0, 1, 2 }, { 30, 40, 50 } } }
    local y = nd.image.random_hue(x, { min_factor = 0.5, max_factor = 1.5 })
    local spoilt, kept = y[0][0]:sum():asscalar(), y[0][1]:sum():asscalar()
    assert.is_true(spoilt ~= spoilt)
    assert.is_true(kept > 0)
  end)

  it("draws the same numbers in eager, symbolic and hybridized calls", function()
    local x = nd.random.uniform { low = 0, high = 255, shape = { 4, 5, 3 } }
    local function all(F, y)
      y = F.image.random_flip_left_right(F.image.random_flip_top_bottom(y))
      y = F.image.random_brightness(y, { min_factor = 0.5, max_factor = 1.5 })
      y = F.image.random_color_jitter(y, { brightness = 0.4, contrast = 0.4, saturation = 0.4, hue = 0.4 })
      return F.image.random_lighting(y, { alpha_std = 0.5 })
    end
    hl.random.seed(9)
    local eager = all(nd, x)
    local graph = hl.compile(all)
    for _ = 1, 2 do
      hl.random.seed(9)
      assert.bits(graph(x), eager)
    end
    hl.random.seed(9)
    assert.bits(all(sym, sym.var "x"):eval { x = x }[1], eager)
    assert.is_false(same(graph(x), eager))
  end)
end)
