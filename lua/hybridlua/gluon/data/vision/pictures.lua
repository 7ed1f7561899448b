-- data/vision/pictures.lua - transforms that crop, resize, flip, rotate and colour images, by given or random amounts.
--
-- An image is uint8 or float32, (height, width, channels); sizes are a number or {width, height}. Each call draws its
-- random numbers from the random stream, so hl.random.seed repeats them. Formulas are those of MXNet 1.9.1.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local rotations = require "hybridlua.image.rotations"
local uniform = require "hybridlua.image.random_numbers".uniform
local Block = require "hybridlua.gluon.block"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nn = require "hybridlua.gluon.nn"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local transforms = {}
local ONES = { [3] = { 1, 1, 1 }, [4] = { 1, 1, 1, 1 } }

-- ---- Common parts ---------------------------------------------------------------------------------------------

-- A size as {width, height}; any: accepts all integers; the operator checks them later.
local function size_of(what, size, any)
  local least = not any and 1 or nil
  if not is_plain(size) then return { checks.whole(what, size, least), size } end
  if #size ~= 2 then fail("%s: expected a number or {width, height}, got %d values", what, #size) end
  return { checks.whole(what, size[1], least), checks.whole(what, size[2], least) }
end

local function range_of(what, x)
  local low, high
  if is_plain(x) and #x == 2 then low, high = x[1], x[2] end
  if math.type(low) and math.type(high) and low <= high then return low, high end
  fail("%s: expected two numbers, the second not less than the first", what)
end

local function interpolation_of(name, x) return checks.whole(name .. ": interpolation", x, 0) end

local function define(name, base, names, defaults)
  local cls = base:subclass(name)
  cls.arguments = arguments.of_block(name, names, defaults)
  transforms[name] = cls
  return cls
end

-- ---- Size -----------------------------------------------------------------------------------------------------

-- Crops a part at (left, top) and resizes it, if it does not have that size already.
local function cut(x, left, top, width, height, size, interpolation)
  local part = nd.image.crop(x, left, top, width, height)
  if width == size[1] and height == size[2] then return part end
  return nd.image.resize(part, { size = size, interp = interpolation })
end

-- The largest width and height with the proportions of `size`, at most that large, that fit into an image.
local function fitting(width, height, size)
  local w, h = size[1], size[2]
  if height < h then w, h = w * height / h, height end
  if width < w then w, h = width, h * width / w end
  return math.max(1, math.floor(w)), math.max(1, math.floor(h))
end

-- Crops the centre with the proportions of `size`, at most that large, and resizes it to that size.
local function cut_centre(name, x, size, interpolation)
  local height, width = checks.picture(name .. ": data", x)
  local w, h = fitting(width, height, size)
  return cut(x, (width - w) // 2, (height - h) // 2, w, h, size, interpolation)
end

--- Resize(size, {keep_ratio = false, interpolation = 1}): resizes an image or a batch of images. keep_ratio: size, a
-- number, is that of the shorter side. interpolation: 0 nearest, 1 bilinear, 2 bicubic, 3 area mean.
local Resize = define("Resize", HybridBlock, "size[] keep_ratio interpolation",
  { keep_ratio = false, interpolation = 1 })
Resize.takes_batches = true

function Resize:init(...)
  local options = self.arguments(...)
  local size = size_of("Resize: size", options.size, true)
  checks.boolean("Resize: keep_ratio", options.keep_ratio)
  self._prepared = core.op.prepare("_image_resize", { size = is_plain(options.size) and size or size[1],
                                                      keep_ratio = options.keep_ratio,
                                                      interp = interpolation_of("Resize", options.interpolation) })
end

function Resize:hybrid_forward(F, x) return F.image.resize(x, self._prepared) end

--- CropResize(x, y, width, height, {size =, interpolation = 1}): crops an image, or a batch of images, at column x and
-- row y, and resizes the part if `size` is given.
local CropResize = define("CropResize", HybridBlock, "x y width height size[] interpolation", { interpolation = 1 })
CropResize.takes_batches = true

function CropResize:init(...)
  local options = self.arguments(...)
  local function checked(key) return checks.whole("CropResize: " .. key, options[key]) end
  self._crop = core.op.prepare("_image_crop", { x = checked "x", y = checked "y", width = checked "width",
                                                height = checked "height" })
  if options.size then
    self._resize = core.op.prepare("_image_resize", { size = size_of("CropResize: size", options.size, true),
                                                      interp = interpolation_of("CropResize", options.interpolation) })
  end
end

function CropResize:hybrid_forward(F, x)
  x = F.image.crop(x, self._crop)
  return self._resize and F.image.resize(x, self._resize) or x
end

--- CenterCrop(size, {interpolation = 1}): crops the centre of an image; a smaller image is enlarged.
local CenterCrop = define("CenterCrop", Block, "size[] interpolation", { interpolation = 1 })

function CenterCrop:init(...)
  local options = self.arguments(...)
  self._size = size_of("CenterCrop: size", options.size)
  self._interpolation = interpolation_of("CenterCrop", options.interpolation)
end

function CenterCrop:forward(x) return cut_centre("CenterCrop", x, self._size, self._interpolation) end

-- A random offset for n of `all` elements: from 0 to all - n.
local function place(all, n) return math.floor(uniform(0, all - n + 1)) end

-- The borders of zeros around an image: top, bottom, left, right.
local function borders_of(what, pad)
  if pad == nil then return { 0, 0, 0, 0 } end
  if not is_plain(pad) then
    pad = checks.whole(what, pad, 0)
    return { pad, pad, pad, pad }
  end
  local borders = {}
  for i, axis in ipairs(pad) do
    if i > 3 or not is_plain(axis) or #axis ~= 2 then break end
    for k = 1, 2 do borders[#borders + 1] = checks.whole(what, axis[k], 0) end
  end
  local none_for_channels = #borders == 4 or #borders == 6 and borders[5] + borders[6] == 0
  if not none_for_channels or #borders ~= 2 * #pad then
    fail("%s: expected a number or {{top, bottom}, {left, right}}", what)
  end
  return borders
end

--- RandomCrop(size, {pad = nil, interpolation = 2}): crops a random part of that size. pad adds a border of zeros
-- first: this many rows and columns on every side, or {{top, bottom}, {left, right}}. An image that is smaller than the
-- size is cropped to the largest part with those proportions, which is then resized.
local RandomCrop = define("RandomCrop", Block, "size[] pad[] interpolation", { interpolation = 2 })

function RandomCrop:init(...)
  local options = self.arguments(...)
  self._size = size_of("RandomCrop: size", options.size)
  self._borders = borders_of("RandomCrop: pad", options.pad)
  self._interpolation = interpolation_of("RandomCrop", options.interpolation)
end

-- The image inside a border of zeros, and its new height and width.
local function bordered(x, height, width, borders)
  local top, bottom, left, right = table.unpack(borders)
  if top + bottom + left + right == 0 then return x, height, width end
  local all = { top + height + bottom, left + width + right, x.shape[3] }
  local wide = nd.zeros(all, { dtype = x.dtype, ctx = x.context })
  wide[{ { top, top + height }, { left, left + width } }] = x
  return wide, all[1], all[2]
end

function RandomCrop:forward(x)
  local height, width = checks.picture("RandomCrop: data", x)
  x, height, width = bordered(x, height, width, self._borders)
  local w, h = fitting(width, height, self._size)
  local left = place(width, w)
  return cut(x, left, place(height, h), w, h, self._size, self._interpolation)
end

--- RandomResizedCrop(size, {scale = {0.08, 1}, ratio = {3/4, 4/3}, interpolation = 1}): crops a random part and resizes
-- it. scale: limits of its share of the image's area; ratio: limits of width / height. The centre is cropped if ten
-- attempts find no part that fits.
local RandomResizedCrop = define("RandomResizedCrop", Block, "size[] scale[] ratio[] interpolation",
  { scale = { 0.08, 1 }, ratio = { 3 / 4, 4 / 3 }, interpolation = 1 })

function RandomResizedCrop:init(...)
  local options = self.arguments(...)
  self._size = size_of("RandomResizedCrop: size", options.size)
  local scale = type(options.scale) == "number" and { options.scale, 1 } or options.scale
  self._least, self._most = range_of("RandomResizedCrop: scale", scale)
  local low, high = range_of("RandomResizedCrop: ratio", options.ratio)
  checks.number("RandomResizedCrop: scale", self._least, 0)
  if low <= 0 then fail("RandomResizedCrop: ratio: expected numbers above 0, got %s", low) end
  self._low, self._high = core.number.log_of(low), core.number.log_of(high)
  self._interpolation = interpolation_of("RandomResizedCrop", options.interpolation)
end

local function rounded(x) return math.max(1, math.floor(x + 0.5)) end

function RandomResizedCrop:forward(x)
  local height, width = checks.picture("RandomResizedCrop: data", x)
  for _ = 1, 10 do
    local area = uniform(self._least, self._most) * height * width
    local ratio = core.number.exp_of(uniform(self._low, self._high))
    local w, h = rounded(math.sqrt(area * ratio)), rounded(math.sqrt(area / ratio))
    if w <= width and h <= height then
      local left = place(width, w)
      return cut(x, left, place(height, h), w, h, self._size, self._interpolation)
    end
  end
  return cut_centre("RandomResizedCrop", x, self._size, self._interpolation)
end

-- ---- Flips and colours ----------------------------------------------------------------------------------------

--- RandomFlipLeftRight(): flips an image horizontally with probability 1/2.
local RandomFlipLeftRight = define("RandomFlipLeftRight", HybridBlock, {}, {})
function RandomFlipLeftRight:init(...) self.arguments(...) end
function RandomFlipLeftRight:hybrid_forward(F, x) return F.image.random_flip_left_right(x) end

--- RandomFlipTopBottom(): flips an image vertically with probability 1/2.
local RandomFlipTopBottom = define("RandomFlipTopBottom", HybridBlock, {}, {})
function RandomFlipTopBottom:init(...) self.arguments(...) end
function RandomFlipTopBottom:hybrid_forward(F, x) return F.image.random_flip_top_bottom(x) end

-- A transform by a random factor from max(0, 1 - amount) to 1 + amount.
local function define_factor(name, argument, operator)
  local cls = define(name, HybridBlock, { argument }, {})
  function cls:init(...)
    local amount = checks.number(name .. ": " .. argument, self.arguments(...)[argument], 0)
    self._prepared = core.op.prepare("_image_" .. operator, { min_factor = math.max(0, 1 - amount),
                                                              max_factor = 1 + amount })
  end
  function cls:hybrid_forward(F, x) return F.image[operator](x, self._prepared) end
end

--- RandomBrightness(brightness): multiplies an image by a random factor from max(0, 1 - brightness) to 1 + brightness.
define_factor("RandomBrightness", "brightness", "random_brightness")
--- RandomContrast(contrast): multiplies the difference from the mean gray by a random factor from max(0, 1 - contrast)
-- to 1 + contrast.
define_factor("RandomContrast", "contrast", "random_contrast")
--- RandomSaturation(saturation): multiplies the difference from each pixel's gray by a random factor from
-- max(0, 1 - saturation) to 1 + saturation.
define_factor("RandomSaturation", "saturation", "random_saturation")
--- RandomHue(hue): rotates the hue by 360 degrees times a random factor from max(0, 1 - hue) to 1 + hue.
define_factor("RandomHue", "hue", "random_hue")

--- RandomColorJitter{brightness = 0, contrast = 0, saturation = 0, hue = 0}: applies all four, in a random order.
local RandomColorJitter = define("RandomColorJitter", HybridBlock, "brightness contrast saturation hue",
  { brightness = 0, contrast = 0, saturation = 0, hue = 0 })

function RandomColorJitter:init(...)
  local options, amounts = self.arguments(...), {}
  for _, key in ipairs { "brightness", "contrast", "saturation", "hue" } do
    amounts[key] = checks.number("RandomColorJitter: " .. key, options[key], 0)
  end
  self._prepared = core.op.prepare("_image_random_color_jitter", amounts)
end

function RandomColorJitter:hybrid_forward(F, x) return F.image.random_color_jitter(x, self._prepared) end

--- RandomLighting(alpha): adds the main colours of ImageNet's images, each times a normal number of deviation alpha.
local RandomLighting = define("RandomLighting", HybridBlock, { "alpha" }, {})

function RandomLighting:init(...)
  local alpha = checks.number("RandomLighting: alpha", self.arguments(...).alpha, 0)
  self._prepared = core.op.prepare("_image_random_lighting", { alpha_std = alpha })
end

function RandomLighting:hybrid_forward(F, x) return F.image.random_lighting(x, self._prepared) end

--- RandomGray(p = 0.5): with probability p, replaces all three channels by 0.21 red + 0.72 green + 0.07 blue.
local RandomGray = define("RandomGray", HybridBlock, { "p" }, { p = 0.5 })

function RandomGray:init(...) self._p = checks.probability("RandomGray: p", self.arguments(...).p) end

function RandomGray:hybrid_forward(F, x)
  local dtype = checks.array("RandomGray: data", x).dtype
  if x.shape[x.ndim] ~= 3 then
    fail("RandomGray: data: expected 3 channels after height and width, got shape %s", python.tuple(x.shape))
  end
  local colours = F.SliceChannel(F.cast(x, { dtype = "float32" }), { num_outputs = 3, axis = -1 })
  local gray = colours[1] * 0.21 + colours[2] * 0.72 + colours[3] * 0.07
  if not dtype:find "^float" then gray = F.floor(gray + 0.5) end
  local drawn = F.random.uniform({ shape = { 1 } }):lesser(self._p)
  gray = F.cast(F.broadcast_like(gray, x), { dtype = dtype })
  return F.where(F.broadcast_like(F.reshape(drawn, { shape = ONES[x.ndim] }), x), gray, x)
end

-- ---- Erasing --------------------------------------------------------------------------------------------------

-- The value to erase with: a number, one per channel, or nil for random numbers.
local function value_of(what, value)
  if value == "random" then return nil end
  if type(value) == "number" then return value end
  if not is_plain(value) or #value == 0 then
    fail("%s: expected a number, a list with one for each channel, or 'random', got %s", what, tostring(value))
  end
  for _, x in ipairs(value) do
    if type(x) ~= "number" then fail("%s: expected numbers, got a %s", what, type(x)) end
  end
  return nd.array(value):reshape { -1, 1, 1 }
end

--- RandomErasing(p = 0.5, {scale = {0.02, 0.33}, ratio = {0.3, 3.3}, value = 0}): with probability p, replaces a random
-- part of a float32 image (channels, height, width), or of each image in a batch. value: a number, a list with one per
-- channel, or "random" for normal numbers (Z. Zhong et al., 2017). scale: limits of the part's share of the area;
-- ratio: limits of height / width. If ten attempts find no part that fits, nothing is replaced.
local RandomErasing = define("RandomErasing", Block, "p scale[] ratio[] value[]",
  { p = 0.5, scale = { 0.02, 0.33 }, ratio = { 0.3, 3.3 }, value = 0 })

function RandomErasing:init(...)
  local options = self.arguments(...)
  self._p = checks.probability("RandomErasing: p", options.p)
  self._least, self._most = range_of("RandomErasing: scale", options.scale)
  checks.probability("RandomErasing: scale", self._least)
  checks.probability("RandomErasing: scale", self._most)
  local low, high = range_of("RandomErasing: ratio", options.ratio)
  if low <= 0 then fail("RandomErasing: ratio: expected numbers above 0, got %s", low) end
  self._low, self._high = core.number.log_of(low), core.number.log_of(high)
  self._value = value_of("RandomErasing: value", options.value)
end

-- Replaces a part of an image (channels, height, width), in place.
local function erase(self, x)
  local channels, height, width = table.unpack(x.shape)
  if is_array(self._value) and #self._value ~= channels and #self._value ~= 1 then
    fail("RandomErasing: value: expected %d numbers, one for each channel, got %d", channels, #self._value)
  end
  for _ = 1, 10 do
    local area = uniform(self._least, self._most) * height * width
    local ratio = core.number.exp_of(uniform(self._low, self._high))
    local h, w = rounded(math.sqrt(area * ratio)), rounded(math.sqrt(area / ratio))
    if h < height and w < width then
      local left = place(width, w)
      local top, shape = place(height, h), { channels, h, w }
      x[{ {}, { top, top + h }, { left, left + w } }] = self._value or
        nd.random.normal { shape = shape, dtype = x.dtype }
      return
    end
  end
end

function RandomErasing:forward(x)
  if not is_array(x) or x.ndim ~= 3 and x.ndim ~= 4 or not x.dtype:find "^float" then
    fail("RandomErasing: data: expected floats (channels, height, width) or a batch of these, got %s; use it after " ..
      "ToTensor", is_array(x) and ("%s %s"):format(x.dtype, python.tuple(x.shape)) or type(x))
  end
  local y = x:copy()
  local pictures = x.ndim == 4 and y or y:expand_dims { axis = 0 }
  for i = 0, #pictures - 1 do
    if uniform(0, 1) < self._p then erase(self, pictures[i]) end
  end
  return y
end

-- ---- Rotation -------------------------------------------------------------------------------------------------

--- Rotate(rotation_degrees, {zoom_in = false, zoom_out = false}): rotates float32 images (channels, height, width), or
-- a batch of them, about the centre, filling the corners with 0. zoom_in: enlarges until no corner is filled; zoom_out:
-- shrinks until the whole image is visible.
local Rotate = define("Rotate", Block, { "rotation_degrees", "zoom_in", "zoom_out" },
  { zoom_in = false, zoom_out = false })

function Rotate:init(...)
  local options = self.arguments(...)
  self._degrees = checks.number("Rotate: rotation_degrees", options.rotation_degrees, -math.huge)
  self._zoom = rotations.zoom_of("Rotate", options)
end

function Rotate:forward(x) return rotations.rotate("Rotate", x, function() return self._degrees end, self._zoom) end

--- RandomRotation(angle_limits, {zoom_in = false, zoom_out = false, rotate_with_proba = 1}): with probability
-- rotate_with_proba, rotates by an angle between two limits, drawn for each image (see Rotate).
local RandomRotation = define("RandomRotation", Block, "angle_limits[] zoom_in zoom_out rotate_with_proba",
  { zoom_in = false, zoom_out = false, rotate_with_proba = 1 })

function RandomRotation:init(...)
  local options = self.arguments(...)
  self._low, self._high = range_of("RandomRotation: angle_limits", options.angle_limits)
  self._zoom = rotations.zoom_of("RandomRotation", options)
  self._probability = checks.probability("RandomRotation: rotate_with_proba", options.rotate_with_proba)
end

function RandomRotation:forward(x)
  if uniform(0, 1) >= self._probability then return x end
  return rotations.rotate("RandomRotation", x, function() return uniform(self._low, self._high) end, self._zoom)
end

-- ---- Combinations ---------------------------------------------------------------------------------------------

--- RandomApply(transforms, {p = 0.5}): with probability p, applies a transform, or a list of them in turn.
local RandomApply = define("RandomApply", nn.Sequential, "transforms[] p", { p = 0.5 })

function RandomApply:init(...)
  local options = self.arguments(...)
  local list = options.transforms
  if class.is_a(list, Block) or type(list) == "function" then list = { list } end
  if not is_plain(list) then
    fail("RandomApply: transforms: expected a transform or a list of them, got %s", type(list))
  end
  for _, transform in ipairs(list) do self:add(type(transform) == "function" and nn.Lambda(transform) or transform) end
  self._probability = checks.probability("RandomApply: p", options.p)
end

function RandomApply:forward(x)
  if uniform(0, 1) >= self._probability then return x end
  return nn.Sequential.forward(self, x)
end

-- Appends a list of HybridBlocks; returns whether all of them accept batches.
local function add_hybrid(self, name, list)
  if not is_plain(list) then fail("%s: transforms: expected a list of HybridBlocks, got %s", name, type(list)) end
  local all = true
  for i, transform in ipairs(list) do
    if not class.is_a(transform, HybridBlock) then
      local cls = class.of(transform)
      fail("%s: transforms[%d]: expected a HybridBlock, got %s; use %s for other transforms", name, i,
        cls and cls.__name__ or type(transform), name:gsub("Hybrid", ""))
    end
    all = all and transform.takes_batches or false
    self:add(transform)
  end
  return all
end

--- HybridCompose{transform, ...}: applies HybridBlocks in turn, as one HybridBlock.
local HybridCompose = define("HybridCompose", nn.HybridSequential, "transforms[]", {})

function HybridCompose:init(...)
  self.takes_batches = add_hybrid(self, "HybridCompose", self.arguments(...).transforms)
end

--- HybridRandomApply(transforms, {p = 0.5}): RandomApply for HybridBlocks that change neither shape nor dtype; it can
-- be hybridized as a whole.
local HybridRandomApply = define("HybridRandomApply", nn.HybridSequential, "transforms[] p", { p = 0.5 })

function HybridRandomApply:init(...)
  local options = self.arguments(...)
  local list = options.transforms
  if class.is_a(list, Block) then list = { list } end
  add_hybrid(self, "HybridRandomApply", list)
  self._probability = checks.probability("HybridRandomApply: p", options.p)
end

function HybridRandomApply:hybrid_forward(F, x)
  local drawn = F.random.uniform({ shape = { 1 } }):lesser(self._probability)
  return F.contrib.cond(drawn, function() return nn.HybridSequential.hybrid_forward(self, F, x) end,
    function() return x end)
end

return transforms
