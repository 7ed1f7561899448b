-- picture_files_spec.lua - hl.image reads and crops like MXNet 1.9.1 (spec/oracle/pictures), reads the files that it
-- writes, and rejects files with false claims. damage_spec.lua has truncated and damaged ones.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, image = hl.nd, hl.image

local FOLDER = "spec/oracle/pictures/"

describe("hl.image", function()
  local folder
  local stored = nd.load(FOLDER .. "pictures.params")
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local function numbers(text)
    local list = {}
    for n in text:gmatch "%S+" do list[#list + 1] = math.tointeger(n) end
    return list
  end

  it("reads and crops like MXNet", function()
    local bicubic = { ["resize_short 13 9"] = true, ["center_crop 20 9 9"] = true }
    local picture, count = image.imread(FOLDER .. "colour.png"), 0
    local calls = {
      imread = function(file, flag)
        local from_file = image.imread(FOLDER .. file, { flag = math.tointeger(flag) })
        assert.bits(from_file, image.imdecode(scratch.read(FOLDER .. file), math.tointeger(flag)))
        return from_file
      end,
      resize_short = function(...) return image.resize_short(picture, ...) end,
      imresize = function(...) return image.imresize(picture, ...) end,
      center_crop = function(w, h, interp) return (image.center_crop(picture, { w, h }, { interp = interp })) end,
      fixed_crop = function(x, y, w, h, to_w, to_h, interp)
        return image.fixed_crop(picture, x, y, w, h, { size = { to_w, to_h }, interp = interp })
      end,
      scale_down = function(sw, sh, w, h) return nd.array(image.scale_down({ sw, sh }, { w, h })) end,
    }
    for name, wanted in pairs(stored) do
      local call, rest = name:match "^(%S+) (.*)$"
      local got
      if call == "imread" then got = calls.imread(rest:match "^(%S+) (%d)$")
      else got = calls[call](table.unpack(numbers(rest))) end
      assert.same(wanted.shape, got.shape, name)
      -- OpenCV's vectorized bicubic code sometimes rounds to the other neighbour
      local far = (got:astype "float64" - wanted:astype "float64"):abs()
      assert.truthy(far:max():asscalar() <= (bicubic[name] and 1 or 0) and far:sum():asscalar() <= 1, name)
      count = count + 1
    end
    assert.equal(13 * 2 + 4 + 4 + 3 + 3 + 4, count)
  end)

  it("returns colours in the requested order", function()
    local file = FOLDER .. "colour.jpg"
    local rgb, bgr = image.imread(file), image.imread(file, { to_rgb = false })
    assert.bits(rgb:flip { axis = 2 }, bgr)
    assert.bits(bgr, image.imread(file, 1, 0))
    assert.same({ 18, 25, 1 }, image.imread(file, { flag = 0, to_rgb = false }).shape)
  end)

  it("reads the PNG files that it writes", function()
    local file = folder:file "x.png"
    for _, shape in ipairs { { 1, 1 }, { 5, 3 }, { 4, 7, 1 }, { 4, 7, 3 }, { 4, 7, 4 }, { 300, 200, 3 } } do
      local x = nd.random.randint(0, 256, { shape = shape, dtype = "int32" }):astype "uint8"
      image.imwrite(file, x)
      local channels = shape[3] or 1
      local read = image.imread(file, { flag = channels == 1 and 0 or 1 })
      local kept = channels == 4 and x[":, :, 0:3"] or x:reshape { shape[1], shape[2], channels }
      assert.bits(kept, read)
    end
    local view = nd.arange(24):astype "uint8":reshape { 4, 6 }["1:3"]
    image.imwrite { filename = file, data = view }
    assert.bits(view:reshape { 2, 6, 1 }, image.imread(file, 0))
  end)

  it("reports arrays that it cannot write, and leaves the old file", function()
    local file = folder:file "there.png"
    image.imwrite(file, nd.ones({ 2, 2 }, { dtype = "uint8" }))
    local before = scratch.read(file)
    assert.raises(function() image.imwrite(file, nd.ones { 2, 2 }) end,
      "picture_files_spec.lua:%d+: image.imwrite: data: expected dtype uint8 %(values from 0 to 255%), got float32")
    for _, shape in ipairs { { 2, 2, 2 }, { 2, 2, 5 }, { 4 }, { 1, 2, 2, 3 } } do
      assert.raises(function() image.imwrite(file, nd.ones(shape, { dtype = "uint8" })) end,
        "image.imwrite: data: expected %(height, width%) or %(height, width, channels%) with 1, 3 or 4 channels, got")
    end
    assert.raises(function() image.imwrite(file, nd.zeros({ 0, 3 }, { dtype = "uint8" })) end,
      "data: expected a height and a width from 1 to 1048576, got %(0, 3%)")
    assert.raises(function() image.imwrite(folder:file "x.jpg", nd.ones({ 2, 2 }, { dtype = "uint8" })) end,
      "image.imwrite: filename: expected the ending .png, the only format written, got .*x.jpg")
    assert.raises(function() image.imwrite(file, 3) end, "image.imwrite: data: expected an NDArray, got an integer")
    assert.raises(function() image.imwrite(folder:file "no/x.png", nd.ones({ 2, 2 }, { dtype = "uint8" })) end,
      "image.imwrite: .*no/x.png")
    assert.equal(before, scratch.read(file))
  end)

  it("reports the defect of a file", function()
    assert.raises(function() image.imread "nowhere.png" end,
      "picture_files_spec.lua:%d+: image.imread: nowhere.png: open: No such file")
    assert.raises(function() image.imread "README.md" end,
      "image.imread: README.md: expected a PNG or JPEG picture, got another kind of file")
    assert.raises(function() image.imdecode "" end,
      "image.imdecode: buffer: expected a PNG or JPEG picture, got nothing")
    assert.raises(function() image.imdecode(3) end, "image.imdecode: buf: expected a string")
    assert.raises(function() image.imread(FOLDER .. "gray.png", { flag = 2 }) end,
      "image.imread: flag: expected 0 %(gray%) or 1 %(colours%), got 2")
    assert.raises(function() image.imread(FOLDER .. "gray.png", { to_rgb = "no" }) end,
      "to_rgb: expected true or false")
    assert.raises(function() image.imread(FOLDER .. "gray.png", { rgb = true }) end, "unknown option 'rgb'")
    local png, jpeg = scratch.read(FOLDER .. "colour.png"), scratch.read(FOLDER .. "colour.jpg")
    assert.raises(function() image.imdecode(png:sub(1, -20)) end,
      "buffer: PNG: expected %d+ bytes at offset %d+, got %d+")
    assert.raises(function() image.imdecode(png:sub(1, 60) .. "?" .. png:sub(62)) end, "PNG: .*the file is damaged")
    assert.raises(function() image.imdecode(jpeg:sub(1, -40)) end, "JPEG: expected more after offset %d+")
  end)

  it("rejects sizes that are impossible for the length of the file, before it allocates", function()
    local function crc32(bytes)
      local sum = 0xFFFFFFFF
      for i = 1, #bytes do
        sum = sum ~ bytes:byte(i)
        for _ = 1, 8 do sum = sum >> 1 ~ (sum & 1) * 0xEDB88320 end
      end
      return sum ~ 0xFFFFFFFF
    end
    local function chunk(kind, data)
      return string.pack(">I4", #data) .. kind .. data .. string.pack(">I4", crc32(kind .. data))
    end
    local function png(width, height)
      return "\137PNG\r\n\26\n" .. chunk("IHDR", string.pack(">I4I4BBBBB", width, height, 8, 2, 0, 0, 0)) ..
        chunk("IDAT", ("\0"):rep(100)) .. chunk("IEND", "")
    end
    local before = hl.memory().peak
    assert.raises(function() image.imdecode(png(30000, 30000)) end,
      "size: expected a picture that fits into %d+ bytes, got 30000 x 30000 pixels")
    assert.raises(function() image.imdecode(png(1 << 20, 1 << 20)) end, "size: expected at most 1048576 pixels along")
    assert.raises(function() image.imdecode(png((1 << 31) - 1, 1)) end, "PNG: ")
    local jpeg = scratch.read(FOLDER .. "gray.jpg")
    local at = jpeg:find "\xff\xc0"
    local function sized(h, w) return jpeg:sub(1, at + 4) .. string.pack(">I2I2", h, w) .. jpeg:sub(at + 9) end
    assert.raises(function() image.imdecode(sized(60000, 60000)) end, "size: expected at most")
    assert.raises(function() image.imdecode(sized(20000, 20000)) end,
      "size: expected a picture that fits into %d+ bytes")
    assert.equal(before, hl.memory().peak)
  end)

  it("crops random parts inside the image, the same for the same seed", function()
    local x = image.imread(FOLDER .. "colour.png")
    hl.random.seed(4)
    local seen = {}
    for _ = 1, 60 do
      local part, place = image.random_crop(x, { 4, 5 })
      assert.same({ 5, 4, 3 }, part.shape)
      assert.same({ 4, 5 }, { place[3], place[4] })
      assert.bits(x[("%d:%d, %d:%d"):format(place[2], place[2] + 5, place[1], place[1] + 4)], part)
      seen[place[1] .. "," .. place[2]] = true
    end
    local places = 0
    for _ in pairs(seen) do places = places + 1 end
    assert.truthy(places > 12 and places <= 8 * 3)
    hl.random.seed(7)
    local part, place = image.random_size_crop(x, { 6, 6 }, { 0.3, 0.6 }, { 0.5, 2 })
    assert.same({ 6, 6, 3 }, part.shape)
    local area = place[3] * place[4] / (11 * 7)
    assert.truthy(area > 0.2 and area < 0.75)
    assert.truthy(place[1] + place[3] <= 11 and place[2] + place[4] <= 7)
    hl.random.seed(7)
    assert.bits(part, (image.random_size_crop(x, { 6, 6 }, { 0.3, 0.6 }, { 0.5, 2 })))
    assert.same({ 20, 20, 3 }, (image.random_crop(x, { 20, 20 }, { interp = 10 })).shape)
  end)

  it("subtracts means", function()
    local x = nd.array({ { { 10, 20, 30 } } }, { dtype = "uint8" })
    assert.same({ { { 4.5, 9, 13.5 } } }, image.color_normalize(x, { 1, 2, 3 }, nd.array { 2, 2, 2 }):totable())
    assert.same({ { { 9, 19, 29 } } }, image.color_normalize(x, 1):totable())
    assert.same({ { { 10, 20, 30 } } }, x:totable())
  end)

  it("rejects wrong arguments by name", function()
    local x = image.imread(FOLDER .. "colour.png")
    assert.raises(function() image.resize_short(x, 0) end, "image.resize_short: size: expected an integer of 1 or more")
    assert.raises(function() image.imresize(x, 3, 4, { interp = 4 }) end,
      "image.imresize: interp: expected 0 %(nearest%)")
    assert.raises(function() image.center_crop(x, 4) end, "image.center_crop: size: expected {width, height}")
    assert.raises(function() image.fixed_crop(x, 9, 0, 5, 5) end, "crop")
    assert.raises(function() image.fixed_crop(nd.ones { 3 }, 0, 0, 1, 1) end, "src: expected a picture")
    assert.raises(function() image.random_size_crop(x, { 3, 3 }, { 0.6, 0.3 }, { 1, 1 }) end,
      "area: expected two numbers")
    assert.raises(function() image.imred "x.png" end, "image has no 'imred'; did you mean 'imread'%?")
  end)

  it("rejects reading in a traced block", function()
    local net = hl.gluon.nn.HybridLambda(function(_, x) return x + image.imread(FOLDER .. "gray.png"):sum() end)
    net:hybridize()
    assert.raises(function() net(nd.ones { 1 }) end, "image.imread%(%) in a traced block")
  end)
end)
