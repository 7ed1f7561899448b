-- transforms_spec.lua - image transforms, compared with MXNet 1.9.1 (spec/oracle/transforms.py), random ones by their
-- ranges; CIFAR10, CIFAR100 and ImageFolderDataset, from files that the spec writes.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, gluon = hl.nd, hl.gluon
local data = gluon.data
local vision = data.vision
local T = vision.transforms

local function same(a, b) return nd.array_equal(a, b):asscalar() end

describe("transforms", function()
  local image = (nd.arange(24) * 10):reshape { 2, 4, 3 }:astype "uint8"

  it("convert images to tensors", function()
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

  it("compose blocks and functions, and print as in MXNet", function()
    local both = T.Compose { T.ToTensor(), T.Normalize(.13, .31) }
    assert.equal("Compose(\n  (0): HybridSequential(\n    (0): ToTensor(\n    \n    )\n    (1): Normalize(\n" ..
      "    \n    )\n  )\n)", tostring(both))
    assert.allclose(both(image), (T.ToTensor()(image) - .13) / .31)
    local mixed = T.Compose { T.ToTensor(), function(x) return x + 1 end, T.Cast "float64" }
    assert.allclose(mixed(image), T.ToTensor()(image):astype "float64" + 1)
  end)

  it("return the same bits for a batch as for its images", function()
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

describe("transforms of images", function()
  local stored = nd.load "spec/oracle/transforms.params"
  local picture = stored.picture

  it("match MXNet's values", function()
    local count = 0
    for name, wanted in pairs(stored) do
      local angle, source, zoom = name:match "^Rotate (%g+) (%g+) (%g+)$"
      local width, height = name:match "^CenterCrop (%d+) (%d+)$"
      if angle then
        local options = zoom ~= "plain" and { [zoom] = true } or {}
        assert.allclose(T.Rotate(tonumber(angle), options)(stored[source]), wanted, 1e-4, 3e-6)
      elseif width then
        local size = { math.tointeger(width), math.tointeger(height) }
        assert.is_true(same(T.CenterCrop(size)(picture), wanted), name)
      elseif name == "Resize" then
        assert.is_true(same(T.Resize(6, { keep_ratio = true })(picture), wanted))
      elseif name == "CropResize" then
        assert.is_true(same(T.CropResize(2, 1, 7, 5, { 4, 6 }, 1)(picture), wanted))
      else
        count = count - 1
      end
      count = count + 1
    end
    assert.equal(3 * 2 * 3 + 4 + 2, count)
  end)

  it("crop random parts with the given areas and aspect ratios", function()
    hl.random.seed(1)
    -- the first two channels are a pixel's row and column
    local places = nd.stack(nd.broadcast_to(nd.arange(40):reshape { 40, 1 }, { shape = { 40, 60 } }),
      nd.broadcast_to(nd.arange(60):reshape { 1, 60 }, { shape = { 40, 60 } }), nd.zeros { 40, 60 }, { axis = 2 })
    local crop, corners = T.RandomResizedCrop({ 8, 8 }, { scale = { 0.2, 0.5 }, ratio = { 0.5, 2 },
                                                          interpolation = 0 }), {}
    for _ = 1, 60 do
      local y = crop(places)
      assert.same({ 8, 8, 3 }, y.shape)
      local top, left = y[0][0][0]:asscalar(), y[0][0][1]:asscalar()
      local height = (y[7][0][0]:asscalar() - top) * 8 / 7
      local width = (y[0][7][1]:asscalar() - left) * 8 / 7
      assert.is_true(height * width > 0.12 * 2400 and height * width < 0.6 * 2400, height * width)
      assert.is_true(width / height > 0.4 and width / height < 2.5, width / height)
      corners[top .. " " .. left] = true
    end
    local different = 0
    for _ in pairs(corners) do different = different + 1 end
    assert.is_true(different > 40, different)
    -- scale 1 crops the whole image; an impossible scale crops the middle
    assert.is_true(same(T.RandomResizedCrop({ 14, 9 }, { scale = { 1, 1 }, ratio = { 14 / 9, 14 / 9 } })(picture),
      picture))
    assert.is_true(same(T.RandomResizedCrop({ 5, 4 }, { scale = { 4, 5 } })(picture), T.CenterCrop { 5, 4 } (picture)))
  end)

  it("draw the same numbers in a Compose and one by one", function()
    local list = { T.Resize(12), T.CenterCrop(8), T.RandomFlipLeftRight(), T.RandomFlipTopBottom(),
                   T.RandomBrightness(0.4), T.RandomContrast(0.4), T.RandomSaturation(0.4), T.RandomHue(0.1),
                   T.RandomColorJitter(0.4, 0.4, 0.4, 0.1), T.RandomLighting(0.1), T.ToTensor(), T.Normalize(0.5, 0.5),
                   T.RandomRotation { -20, 20 } }
    local all = T.Compose(list)
    local results = {}
    for i = 1, 3 do
      hl.random.seed(i < 3 and 7 or 8)
      results[i] = all(picture)
      assert.same({ 3, 8, 8 }, results[i].shape)
    end
    assert.bits(results[2], results[1])
    assert.is_false(same(results[3], results[1]))
    hl.random.seed(7)
    local x = picture
    for _, transform in ipairs(list) do x = transform(x) end
    assert.bits(x, results[1])
  end)

  it("are applied with the given probability", function()
    hl.random.seed(2)
    local double = T.RandomApply({ function(x) return x * 2 end }, { p = 0.25 })
    local changed, x = 0, nd.ones { 2 }
    for _ = 1, 400 do changed = changed + (double(x)[0]:asscalar() - 1) end
    assert.is_true(changed > 70 and changed < 130, changed)
    assert.bits(T.RandomApply(T.RandomBrightness(0.5), { p = 0 })(picture), picture)
    assert.bits(T.RandomRotation({ 20, 30 }, { rotate_with_proba = 0 })(stored.tensor), stored.tensor)
  end)

  it("work in a DataLoader", function()
    hl.random.seed(4)
    local pictures = nd.random.randint(0, 256, { shape = { 6, 9, 14, 3 }, dtype = "int32" }):astype "uint8"
    local set = data.ArrayDataset(pictures, nd.arange(6))
      :transform_first(T.Compose { T.RandomResizedCrop(6), T.RandomFlipLeftRight(), T.ToTensor() })
    local seen = 0
    for x, y in data.DataLoader(set, 3) do
      assert.same({ 3, 3, 6, 6 }, x.shape)
      assert.same({ 3 }, y.shape)
      seen = seen + 1
    end
    assert.equal(2, seen)
  end)

  it("reject invalid arguments", function()
    local function fails(text, fn) assert.raises(fn, text) end
    fails("Resize: size: expected an integer, got 2.5", function() T.Resize(2.5) end)
    local small = nd.ones { 4, 5, 3 }                         -- invalid sizes are rejected at the call
    for text, transform in pairs { ["image_resize: size: expected 1 or more, got 0"] = T.Resize(0),
      ["image_resize: size: expected 1 or more, got %-1"] = T.Resize(-1),
      ["image_resize: size: expected 1 or more, got %-2"] = T.CropResize(0, 0, 2, 2, { size = { 3, -2 } }),
      ["image_crop: width, height: expected 1 or more, got %-1 and 2"] = T.CropResize(0, 0, -1, 2),
      ["got x = %-1, y = 0, width = 2, height = 2"] = T.CropResize(-1, 0, 2, 2) } do
      fails(text, function() transform(small) end)
      transform:hybridize()
      fails(text, function() transform(small) end)
    end
    -- MXNet 1.9.1's results
    assert.same({ { 640, 106 }, { 0, 0 }, { 3, 0 }, { 0, 3 }, { 0, 120 } },
      { hl.image.scale_down({ 640, 480 }, { 720, 120 }), hl.image.scale_down({ 0, 480 }, { 720, 120 }),
        hl.image.scale_down({ 3, 1 }, { 1000, 1 }), hl.image.scale_down({ 1, 3 }, { 1, 1000 }),
        hl.image.scale_down({ 640, 480 }, { 0, 120 }) })
    fails("CenterCrop: size: expected a number or {width, height}, got 3 values",
      function() T.CenterCrop { size = { 1, 2, 3 } } end)
    fails("CenterCrop: data: expected a picture %(height, width, channels%), got 4 dimensions",
      function() T.CenterCrop(2)(nd.ones { 1, 4, 4, 3 }) end)
    fails("RandomResizedCrop: scale: expected two numbers", function() T.RandomResizedCrop(2, { scale = { 1 } }) end)
    fails("RandomBrightness: brightness: expected a number of 0 or more, got %-1",
      function() T.RandomBrightness(-1) end)
    fails("RandomColorJitter: unknown option 'hues'; did you mean 'hue'%?",
      function() T.RandomColorJitter { hues = 1 } end)
    fails("Rotate: data: expected dtype float32, got uint8; use it after ToTensor", function() T.Rotate(3)(picture) end)
    fails("Rotate: zoom_in, zoom_out: expected one of them, got both",
      function() T.Rotate(3, { zoom_in = true, zoom_out = true }) end)
    fails("RandomRotation: angle_limits: expected two numbers", function() T.RandomRotation { 3, 1 } end)
    fails("RandomApply: p: expected a number from 0 to 1, got 2", function() T.RandomApply({}, { p = 2 }) end)
  end)
end)

describe("CIFAR", function()
  local folder
  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  -- Writes records: record i has its labels, then pixels (i + 7 channel + 3 row + column) % 256.
  local function write(name, first, count, labels)
    local parts = {}
    for i = first, first + count - 1 do
      parts[#parts + 1] = string.char(table.unpack(labels(i)))
      for channel = 0, 2 do
        for row = 0, 31 do
          local line = {}
          for column = 0, 31 do line[column + 1] = (i + 7 * channel + 3 * row + column) % 256 end
          parts[#parts + 1] = string.char(table.unpack(line))
        end
      end
    end
    local file <close> = io.open(folder:file(name), "wb")
    file:write(table.concat(parts))
  end

  local function check(set, n, label_of)
    assert.equal(n, #set)
    for i = 0, n - 1 do
      local x, y = table.unpack(set[i])
      assert.same({ 32, 32, 3 }, x.shape)
      assert.equal("uint8", x.dtype)
      assert.equal((i + 7 * 2 + 3 * 5 + 9) % 256, x[5][9][2]:asscalar())
      assert.equal((i + 3 * 31), x[31][0][0]:asscalar())
      assert.equal(label_of(i), type(y) == "number" and y or y:asscalar())
    end
  end

  it("10 reads its five training files and its test file", function()
    for k = 1, 5 do write(("data_batch_%d.bin"):format(k), 2 * k - 2, 2, function(i) return { i % 10 } end) end
    write("test_batch.bin", 0, 3, function(i) return { 9 - i } end)
    check(vision.CIFAR10 { root = folder.path }, 10, function(i) return i % 10 end)
    check(vision.CIFAR10(folder.path, false), 3, function(i) return 9 - i end)
    local set = vision.CIFAR10 { root = folder.path, transform = function(x, y) return T.ToTensor()(x), y + 1 end }
    local x, y = table.unpack(set[4])
    assert.same({ 3, 32, 32 }, x.shape)
    assert.equal(5, type(y) == "number" and y or y:asscalar())
    for batch, labels in data.DataLoader(vision.CIFAR10 { root = folder.path }, 5) do
      assert.same({ 5, 32, 32, 3 }, batch.shape)
      assert.equal("int32", labels.dtype)
    end
  end)

  it("100 has coarse or fine labels, and accepts files in the archive's folder", function()
    os.execute("mkdir " .. folder:file "cifar-100-binary")
    write("cifar-100-binary/train.bin", 0, 4, function(i) return { 19 - i, 99 - i } end)
    check(vision.CIFAR100 { root = folder.path }, 4, function(i) return 19 - i end)
    check(vision.CIFAR100 { root = folder.path, fine_label = true }, 4, function(i) return 99 - i end)
  end)

  it("names a missing or wrong file", function()
    assert.raises(function() vision.CIFAR10 { root = folder.path } end, "CIFAR10: 'data_batch_1.bin' is not in")
    assert.raises(function() vision.CIFAR100 { root = folder.path, train = false } end,
      "CIFAR100: 'test.bin' is not in .*cifar%-100%-binary.tar.gz .*nothing is downloaded")
    write("test_batch.bin", 0, 1, function() return { 1, 2 } end)
    assert.raises(function() vision.CIFAR10 { root = folder.path, train = false } end,
      "expected records of 3073 bytes, got 3074 bytes")
    assert.raises(function() vision.CIFAR10 { root = folder.path, train = 1 } end,
      "CIFAR10: train: expected true or false, got 1")
  end)
end)

describe("ImageFolderDataset", function()
  local folder

  before_each(function()
    folder = scratch.folder()
    scratch.run(("cd '%s' && mkdir b a B empty"):format(folder.path))
    for i, name in ipairs { "b/2.png", "b/10.PNG", "a/x.png", "B/y.png" } do
      hl.image.imwrite(folder:file "t.png", nd.full({ 2, 3, 3 }, i, { dtype = "uint8" }))
      os.rename(folder:file "t.png", folder:file(name))
    end
  end)
  after_each(function() folder:remove() end)

  it("labels images by folder, in the order of folder names", function()
    local set = vision.ImageFolderDataset(folder.path .. "/")
    assert.same({ "B", "a", "b", "empty" }, set.synsets)
    local items, values = {}, {}
    for i, item in ipairs(set.items) do items[i] = item[1]:sub(#folder.path + 2) .. " " .. item[2] end
    assert.same({ "B/y.png 0", "a/x.png 1", "b/10.PNG 2", "b/2.png 2" }, items)
    for data_, label in set do values[#values + 1] = ("%d %d"):format(data_[{ 1, 2, 0 }]:asscalar(), label) end
    assert.same({ "4 0", "3 1", "2 2", "1 2" }, values)
    assert.same({ 2, 3, 1 }, vision.ImageFolderDataset(folder.path, { flag = 0 })[-1][1].shape)
    local changed = vision.ImageFolderDataset(folder.path, 1, function(x, y) return x:astype "float32" / 2, y + 10 end)
    local x, y = changed:get(0)
    assert.same({ 2, 10 }, { x[{ 0, 0, 0 }]:asscalar(), y })
    for batch, labels in data.DataLoader(set, 4) do
      assert.same({ 4, 2, 3, 3 }, batch.shape)
      assert.same({ 0, 1, 2, 2 }, labels:totable())
    end
  end)

  it("skips other files with a warning, and names a broken one when it is read", function()
    scratch.write(folder:file "notes.txt", "")
    scratch.write(folder:file "a/notes.txt", "")
    scratch.write(folder:file "a/z.jpg", "no picture")
    local script = scratch.write(folder:file "s.lua", ([[
      local hl = require "hybridlua"
      local set = hl.gluon.data.vision.ImageFolderDataset "%s"
      print(#set)
      set:get(2)
    ]]):format(folder.path))
    local output = scratch.run(scratch.program .. " " .. script)
    local warning = ("s.lua:2: UserWarning: Ignoring %s/notes.txt, which is not a directory."):format(folder.path)
    assert.truthy(output:find(warning, 1, true), output)
    warning = ("Ignoring %s/a/notes.txt, which does not end in .jpg"):format(folder.path)
    assert.truthy(output:find(warning, 1, true), output)
    assert.truthy(output:find("\n5\n", 1, true), output)
    assert.truthy(output:find("a/z.jpg: expected a PNG or JPEG picture, got another kind of file", 1, true), output)
  end)

  it("rejects wrong arguments", function()
    assert.raises(function() vision.ImageFolderDataset(folder:file "nowhere") end,
      "transforms_spec.lua:%d+: ImageFolderDataset: .*nowhere: No such file or directory")
    assert.raises(function() vision.ImageFolderDataset() end, "root: expected a folder's name, got nil")
    assert.raises(function() vision.ImageFolderDataset(folder.path, { flag = -1 }) end, "flag: expected 0 %(gray%)")
    assert.raises(function() vision.ImageFolderDataset(folder.path, { transform = 3 }) end,
      "transform: expected a function of data and label, got number")
    assert.raises(function() vision.ImageFolderDataset(folder.path):get(4) end, "index 4 is out of bounds")
  end)
end)
