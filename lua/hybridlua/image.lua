-- image.lua - reads, writes, crops and resizes images: MXNet's mx.image. Images are uint8 arrays (height, width,
-- channels), red, green, blue; sizes are {width, height}, as in MXNet. The folder image/ has augmenters and
-- iterators.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local random_numbers = require "hybridlua.image.random_numbers"
local is_plain = core.script.is_plain
local uniform, integer = random_numbers.uniform, random_numbers.integer

local nd = core.op.nd
local image = {}

-- ---- Files --------------------------------------------------------------------------------------------------------

-- Reads flag and to_rgb, which may be numbers as in MXNet: whether the image has colours, and whether blue comes first.
local function wish(what, options)
  local flag, rgb = checks.colour_flag(what .. ": flag", options.flag), options.to_rgb
  if type(rgb) ~= "boolean" and rgb ~= 0 and rgb ~= 1 then
    fail("%s: to_rgb: expected true or false, got %s", what, tostring(rgb))
  end
  return flag == 1, not rgb or rgb == 0
end

local DEFAULTS = { flag = 1, to_rgb = true }
local read_imread = arguments.new("image.imread", "filename flag to_rgb", DEFAULTS)
local read_imdecode = arguments.new("image.imdecode", "buf flag to_rgb", DEFAULTS)

--- imread(filename, {flag = 1, to_rgb = true}): the image in a PNG or JPEG file, uint8 (height, width, 3), red, green,
-- blue. With flag = 0 it is gray, (height, width, 1), 0.299 red + 0.587 green + 0.114 blue; with to_rgb = false blue,
-- green, red. As in MXNet, transparency is dropped, only the upper 8 of 16 bits are used, and the camera's orientation
-- (Exif) is ignored. Errors: another kind of file, or a damaged or truncated one; in a build without libpng or libjpeg,
-- the missing package.
function image.imread(...)
  local options = read_imread(...)
  local colour, blue_first = wish("image.imread", options)
  return core.file.load_picture(options.filename, colour, blue_first)
end

--- imdecode(buf, {flag = 1, to_rgb = true}): imread for a string with a file's content.
function image.imdecode(...)
  local options = read_imdecode(...)
  local colour, blue_first = wish("image.imdecode", options)
  return core.file.decode_picture(options.buf, colour, blue_first)
end

local read_imwrite = arguments.new("image.imwrite", "filename data")

--- imwrite(filename, data): writes a uint8 array (height, width) or (height, width, channels) as a PNG file, completely
-- or not at all: 1 channel gray, 3 red, green, blue, 4 with transparency. MXNet has no such function. Errors: an ending
-- other than .png, another dtype or shape.
function image.imwrite(...)
  local options = read_imwrite(...)
  local file = options.filename
  if type(file) == "string" and not file:lower():find "%.png$" then
    fail("image.imwrite: filename: expected the ending .png, the only format written, got '%s'", file)
  end
  core.file.save_picture(file, options.data)
end

-- ---- Sizes --------------------------------------------------------------------------------------------------------

local function pair(what, x, least)
  if not is_plain(x) or #x ~= 2 then fail("%s: expected {width, height}", what) end
  return checks.whole(what, x[1], least or 1), checks.whole(what, x[2], least or 1)
end

local function up_to(most) return integer(0, most) end

local CUBIC, AREA, LINEAR, CHOSEN, ANY = 2, 3, 1, 9, 10

-- Two more of MXNet's values: 9 chooses by the sizes, 10 at random.
local function way(what, interp, h, w, new_h, new_w)
  if interp == CHOSEN then return new_h > h and new_w > w and CUBIC or new_h < h and new_w < w and AREA or LINEAR end
  if interp == ANY then return up_to(3) end
  if math.type(interp) ~= "integer" or interp < 0 or interp > 3 then
    fail("%s: interp: expected 0 (nearest), 1 (bilinear), 2 (bicubic), 3 (area), 9 (chosen by the sizes) or 10 " ..
      "(random), got %s", what, tostring(interp))
  end
  return interp
end

local function resized(what, x, w, h, interp)
  local old_h, old_w = checks.picture(what .. ": src", x)
  return nd.image.resize(x, { size = { w, h }, interp = way(what, interp, old_h, old_w, h, w) })
end

--- imresize(src, w, h, {interp = 1}): an image in another size. interp: 0 nearest, 1 bilinear, 2 bicubic, 3 mean of the
-- area, 9 bicubic to enlarge and area to shrink, 10 a random one of the first four. Values are OpenCV's.
function image.imresize(src, w, h, interp)
  local what = "image.imresize"
  return resized(what, src, checks.whole(what .. ": w", w, 1), checks.whole(what .. ": h", h, 1), interp or 1)
end

--- resize_short(src, size, {interp = 2}): resizes so that the shorter side becomes `size`, with the same proportions.
function image.resize_short(src, size, interp)
  local h, w = checks.picture("image.resize_short: src", src)
  size = checks.whole("image.resize_short: size", size, 1)
  local new_h, new_w = size, size * w // h
  if h > w then new_h, new_w = size * h // w, size end
  return resized("image.resize_short", src, new_w, new_h, interp or 2)
end

-- Rounds toward 0, like Python's int.
local function cut_off(x) return math.tointeger(x) or math.floor(x) end

local function scaled_down(sw, sh, w, h)
  if sh < h then w, h = w * sh / h, sh end
  if sw < w then w, h = sw, h * sw / w end
  return cut_off(w), cut_off(h)
end

--- scale_down(src_size, size): `size`, or if an image of src_size is smaller, the largest size with the same
-- proportions that fits. Both are {width, height}.
function image.scale_down(src_size, size)
  local sw, sh = pair("image.scale_down: src_size", src_size, 0)
  return { scaled_down(sw, sh, pair("image.scale_down: size", size, 0)) }
end

local function crop(what, src, x0, y0, w, h, size, interp)
  local part = nd.image.crop(src, { x = x0, y = y0, width = w, height = h })
  if not size then return part end
  local new_w, new_h = pair(what .. ": size", size)
  if w == new_w and h == new_h then return part end
  return resized(what, part, new_w, new_h, interp or 2)
end

--- fixed_crop(src, x0, y0, w, h, {size = nil, interp = 2}): the part of width w and height h from column x0 and row y0,
-- resized to {width, height} if size is given. Errors: a part that is not inside.
function image.fixed_crop(src, x0, y0, w, h, size, interp)
  local what = "image.fixed_crop"
  checks.picture(what .. ": src", src)
  return crop(what, src, checks.whole(what .. ": x0", x0, 0), checks.whole(what .. ": y0", y0, 0),
    checks.whole(what .. ": w", w, 1), checks.whole(what .. ": h", h, 1), size, interp)
end

-- The largest part with the proportions of `size`, at most that large, at one of the possible positions.
local function placed_crop(what, src, size, interp, place)
  local h, w = checks.picture(what .. ": src", src)
  local new_w, new_h = scaled_down(w, h, pair(what .. ": size", size))
  if new_w < 1 or new_h < 1 then
    fail("%s: size: expected a part of at least one pixel of an image %d x %d", what, w, h)
  end
  local x0, y0 = place(w - new_w), place(h - new_h)
  return crop(what, src, x0, y0, new_w, new_h, size, interp), { x0, y0, new_w, new_h }
end

--- random_crop(src, size, {interp = 2}): a part of {width, height} at a random position; a smaller image is enlarged.
-- Returns it and {x0, y0, width, height}.
function image.random_crop(src, size, interp) return placed_crop("image.random_crop", src, size, interp, up_to) end

--- center_crop(src, size, {interp = 2}): like random_crop, from the middle.
function image.center_crop(src, size, interp)
  return placed_crop("image.center_crop", src, size, interp, function(free) return free // 2 end)
end

-- Two numbers above 0, the second not less; with `upper`, a single number x means {x, upper}.
local function range(what, x, upper)
  if type(x) == "number" and upper then x = { x, upper } end
  if is_plain(x) and #x == 2 and math.type(x[1]) and math.type(x[2]) and 0 < x[1] and x[1] <= x[2] then
    return x[1], x[2]
  end
  fail("%s: expected two numbers above 0, the second not less than the first", what)
end

local function rounded(x) return math.max(1, math.floor(x + 0.5)) end

--- random_size_crop(src, size, area, ratio, {interp = 2}): a random part, resized to {width, height}. area: its
-- fraction of the image's area, a number or {least, most}; ratio: width to height, {least, most}. If none of ten
-- attempts fits, it is the middle. Returns it and {x0, y0, width, height}.
function image.random_size_crop(src, size, area, ratio, interp)
  local what = "image.random_size_crop"
  local h, w = checks.picture(what .. ": src", src)
  local least, most = range(what .. ": area", area, 1)
  local low, high = range(what .. ": ratio", ratio)
  for _ = 1, 10 do
    local pixels = uniform(least, most) * h * w
    local proportion = core.number.exp_of(uniform(core.number.log_of(low), core.number.log_of(high)))
    local new_w, new_h = rounded(math.sqrt(pixels * proportion)), rounded(math.sqrt(pixels / proportion))
    if new_w <= w and new_h <= h then
      local x0, y0 = up_to(w - new_w), up_to(h - new_h)
      return crop(what, src, x0, y0, new_w, new_h, size, interp), { x0, y0, new_w, new_h }
    end
  end
  return placed_crop(what, src, size, interp, function(free) return free // 2 end)
end

--- color_normalize(src, mean, {std = nil}): (src - mean) / std, float32; mean and std are numbers, lists or NDArrays,
-- with one value or one for each channel. MXNet overwrites src; here the result is a new array.
function image.color_normalize(src, mean, std)
  checks.picture("image.color_normalize: src", src)
  local x = src.dtype == "uint8" and src:astype "float32" or src
  local function values(v) return is_plain(v) and nd.array(v) or v end
  if mean ~= nil then x = x - values(mean) end
  if std ~= nil then x = x / values(std) end
  return x
end

arguments.functions(image, "image.", {
  imresize = "src w h interp", resize_short = "src size interp", scale_down = "src_size[] size[]",
  fixed_crop = "src x0 y0 w h size[] interp", random_crop = "src size[] interp", center_crop = "src size[] interp",
  random_size_crop = "src size[] area ratio[] interp", color_normalize = "src mean std",
})

-- What image/ defines, loaded on first use.
local PARTS = {
  augmenters = "Augmenter SequentialAug RandomOrderAug ResizeAug ForceResizeAug RandomCropAug RandomSizedCropAug " ..
    "CenterCropAug HorizontalFlipAug CastAug BrightnessJitterAug ContrastJitterAug SaturationJitterAug HueJitterAug " ..
    "ColorJitterAug LightingAug ColorNormalizeAug RandomGrayAug CreateAugmenter",
  detection = "DetAugmenter DetBorrowAug DetRandomSelectAug DetHorizontalFlipAug DetRandomCropAug DetRandomPadAug " ..
    "CreateMultiRandCropAugmenter CreateDetAugmenter",
  rotations = "imrotate random_rotate",
}

return module(image, "hybridlua.image", require "hybridlua.language.members"("hybridlua.image", PARTS,
  { copyMakeBorder = "hybridlua.image.borders", ImageIter = "hybridlua.image.iterator",
    ImageDetIter = "hybridlua.image.detection_iterator" }))
