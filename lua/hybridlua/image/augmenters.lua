-- image/augmenters.lua - augmenters: objects that change an image (height, width, channels), by given or random
-- amounts: augmenter(src) returns the new image. Formulas are those of MXNet 1.9.1's mx.image; random numbers are from
-- the library's random stream. Unlike in MXNet no augmenter changes its argument.
--
-- Those for colours need floats: CreateAugmenter puts CastAug before them.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local image = require "hybridlua.image"
local python = require "hybridlua.language.python_text"
local uniform = require "hybridlua.image.random_numbers".uniform
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local augmenters = {}

-- ---- The base -----------------------------------------------------------------------------------------------------

--- Augmenter(options): the base class. An augmenter of your own is Augmenter:subclass "Mine" with a method
-- augment(src), which returns the new image; dumps() describes it by its options.
local Augmenter = class.root("Augmenter", class.new, "augmenter")
augmenters.Augmenter = Augmenter

function Augmenter:init(options)
  if options ~= nil and type(options) ~= "table" then
    fail("Augmenter: options: expected a table, got %s", type(options))
  end
  self._kwargs = options or {}
end

--- The new image; subclasses define it.
function Augmenter:augment() fail("%s: augment is not defined", class.of(self).__name__) end

function Augmenter.__call(self, ...) return self:augment(...) end

-- JSON of an option: lists and NDArrays as lists.
local function json(value)
  if is_array(value) then value = value:totable() end
  return python.json(value)
end

-- '["name", {"key": value}]', with the keys in the order of `names`, or sorted.
local function described(name, options, names)
  local parts = {}
  if not names then
    names = {}
    for key in pairs(options) do names[#names + 1] = key end
    table.sort(names)
  end
  for i, key in ipairs(names) do parts[i] = ('"%s": %s'):format(key, json(options[key])) end
  return ('["%s", {%s}]'):format(name:lower(), table.concat(parts, ", "))
end

--- The augmenter as JSON: its name and its options. A sequence returns a table: its name and the descriptions of its
-- parts.
function Augmenter:dumps() return described(class.of(self).__name__, self._kwargs, self._option_names) end

--- A subclass of `base` whose options become fields; check(self, name) checks them.
function augmenters._define(base, name, names, defaults, check)
  local cls = base:subclass(name)
  local read = arguments.new(name, names, defaults)
  cls._option_names = read.names
  function cls:init(...)
    local options = read(...)
    base.init(self, options)
    for key, value in pairs(options) do self[key] = value end
    if check then check(self, name) end
  end
  return cls
end

local function define(name, ...)
  augmenters[name] = augmenters._define(Augmenter, name, ...)
  return augmenters[name]
end

-- ---- Several ------------------------------------------------------------------------------------------------------

local function check_list(self, name)
  if not is_plain(self.ts) then fail("%s: ts: expected a list of augmenters, got %s", name, type(self.ts)) end
  for i, one in ipairs(self.ts) do checks.callable(("%s: ts[%d]"):format(name, i), one, "an image") end
end

--- The description of an augmenter that applies those of a list.
function augmenters._described_list(self, list)
  local parts = {}
  for i, one in ipairs(list) do parts[i] = one:dumps() end
  return { class.of(self).__name__:lower(), parts }
end

local function dump_list(self) return augmenters._described_list(self, self.ts) end

--- SequentialAug(list): applies augmenters in turn.
local SequentialAug = define("SequentialAug", "ts[]", nil, check_list)
SequentialAug.dumps = dump_list

function SequentialAug:augment(src)
  for _, one in ipairs(self.ts) do src = one(src) end
  return src
end

--- RandomOrderAug(list): applies augmenters in a random order.
local RandomOrderAug = define("RandomOrderAug", "ts[]", nil, check_list)
RandomOrderAug.dumps = dump_list

--- A list in random order, as a new list.
function augmenters._shuffled(list)
  if #list < 2 then return list end
  local order, new = nd.random.shuffle(nd.arange(#list, { dtype = "int64" })):totable(), {}
  for i, at in ipairs(order) do new[i] = list[at + 1] end
  return new
end

function RandomOrderAug:augment(src)
  for _, one in ipairs(augmenters._shuffled(self.ts)) do src = one(src) end
  return src
end

-- ---- Sizes --------------------------------------------------------------------------------------------------------

local function check_size(self, name) checks.whole_list(name .. ": size", self.size, 2, 1) end

--- ResizeAug(size, {interp = 2}): resizes so that the shorter side becomes `size` (see image.resize_short).
local ResizeAug = define("ResizeAug", "size interp", { interp = 2 },
  function(self, name) checks.whole(name .. ": size", self.size, 1) end)
function ResizeAug:augment(src) return image.resize_short(src, self.size, self.interp) end

--- ForceResizeAug(size, {interp = 2}): resizes to {width, height}, whatever the proportions.
local ForceResizeAug = define("ForceResizeAug", "size[] interp", { interp = 2 }, check_size)
function ForceResizeAug:augment(src) return image.imresize(src, self.size[1], self.size[2], self.interp) end

--- RandomCropAug(size, {interp = 2}): image.random_crop to {width, height}.
local RandomCropAug = define("RandomCropAug", "size[] interp", { interp = 2 }, check_size)
function RandomCropAug:augment(src) return (image.random_crop(src, self.size, self.interp)) end

--- RandomSizedCropAug(size, area, ratio, {interp = 2}): image.random_size_crop to {width, height}.
local RandomSizedCropAug = define("RandomSizedCropAug", "size[] area ratio[] interp", { interp = 2 }, check_size)
function RandomSizedCropAug:augment(src)
  return (image.random_size_crop(src, self.size, self.area, self.ratio, self.interp))
end

--- CenterCropAug(size, {interp = 2}): image.center_crop to {width, height}.
local CenterCropAug = define("CenterCropAug", "size[] interp", { interp = 2 }, check_size)
function CenterCropAug:augment(src) return (image.center_crop(src, self.size, self.interp)) end

--- For augmenters with an option p.
function augmenters._check_p(self, name) checks.probability(name .. ": p", self.p) end

--- HorizontalFlipAug(p): mirrors the image with probability p.
local HorizontalFlipAug = define("HorizontalFlipAug", "p", nil, augmenters._check_p)

function HorizontalFlipAug:augment(src)
  checks.picture("HorizontalFlipAug: src", src)
  return uniform(0, 1) < self.p and nd.flip(src, { axis = 1 }) or src
end

--- CastAug(typ = "float32"): casts the image.
local CastAug = define("CastAug", "typ", { typ = "float32" })
CastAug._option_names = nil

function CastAug:augment(src) return src:astype(self.typ) end
function CastAug:dumps() return described("castaug", { type = self.typ }) end

-- ---- Colours ------------------------------------------------------------------------------------------------------

local GRAY = { 0.299, 0.587, 0.114 }

-- An image with three channels of floats.
local function coloured(name, src)
  checks.picture(name .. ": src", src)
  if src.shape[3] ~= 3 then fail("%s: src: expected 3 channels, got %d", name, src.shape[3]) end
  if not src.dtype:find "^float" then
    fail("%s: src: expected floats, got %s; put CastAug() before it", name, src.dtype)
  end
  return src
end

local function check_amount(key)
  return function(self, name) checks.number(("%s: %s"):format(name, key), self[key], 0) end
end

local function factor(amount) return 1 + uniform(-amount, amount) end

-- The gray value of each pixel, (height, width, 1).
local function gray_of(src)
  return (src * nd.array(GRAY, { dtype = src.dtype }):reshape { 1, 1, 3 }):sum { axis = 2, keepdims = true }
end

--- BrightnessJitterAug(brightness): multiplies the image by a random factor from 1 - brightness to 1 + brightness.
local BrightnessJitterAug = define("BrightnessJitterAug", "brightness", nil, check_amount "brightness")
function BrightnessJitterAug:augment(src)
  return coloured("BrightnessJitterAug", src) * factor(self.brightness)
end

--- ContrastJitterAug(contrast): multiplies the difference from the mean gray by a random factor from 1 - contrast to
-- 1 + contrast.
local ContrastJitterAug = define("ContrastJitterAug", "contrast", nil, check_amount "contrast")
function ContrastJitterAug:augment(src)
  local alpha = factor(self.contrast)
  local gray = gray_of(coloured("ContrastJitterAug", src)):mean():asscalar()
  return src * alpha + (1 - alpha) * gray
end

--- SaturationJitterAug(saturation): multiplies the difference from each pixel's gray by a random factor from
-- 1 - saturation to 1 + saturation.
local SaturationJitterAug = define("SaturationJitterAug", "saturation", nil, check_amount "saturation")
function SaturationJitterAug:augment(src)
  local alpha, gray = factor(self.saturation), gray_of(coloured("SaturationJitterAug", src))
  return src * alpha + gray * (1 - alpha)
end

-- From red, green and blue to brightness and two axes of colour, and back.
local TO_YIQ = { { 0.299, 0.587, 0.114 }, { 0.596, -0.274, -0.321 }, { 0.211, -0.523, 0.311 } }
local FROM_YIQ = { { 1, 0.956, 0.621 }, { 1, -0.272, -0.647 }, { 1, -1.107, 1.705 } }

local function matrix(rows) return nd.array(rows, { dtype = "float64" }) end

-- A product of each pixel with a matrix (3, 3).
local function mixed(src, by)
  local h, w = src.shape[1], src.shape[2]
  return nd.dot(src:reshape { h * w, 3 }, by:astype(src.dtype)):reshape { h, w, 3 }
end

--- HueJitterAug(hue): turns the hue by a random angle from -180 hue to 180 hue degrees.
local HueJitterAug = define("HueJitterAug", "hue", nil, check_amount "hue")
function HueJitterAug:augment(src)
  coloured("HueJitterAug", src)
  local angle = math.pi * uniform(-self.hue, self.hue)
  local u, w = core.number.cos_of(angle), core.number.sin_of(angle)
  local turn = matrix { { 1, 0, 0 }, { 0, u, -w }, { 0, w, u } }
  return mixed(src, nd.dot(nd.dot(matrix(FROM_YIQ), turn), matrix(TO_YIQ)).T)
end

--- ColorJitterAug(brightness, contrast, saturation): those of the three jitters whose amount is above 0, in a random
-- order.
local ColorJitterAug = RandomOrderAug:subclass "ColorJitterAug"
augmenters.ColorJitterAug = ColorJitterAug

local read_jitter = arguments.new("ColorJitterAug", "brightness contrast saturation")

function ColorJitterAug:init(...)
  local options, list = read_jitter(...), {}
  for _, key in ipairs { "brightness", "contrast", "saturation" } do
    local amount = checks.number("ColorJitterAug: " .. key, options[key], 0)
    if amount > 0 then list[#list + 1] = augmenters[key:gsub("^%l", string.upper) .. "JitterAug"](amount) end
  end
  RandomOrderAug.init(self, list)
end

local function values(what, x, n)
  local array = is_plain(x) and nd.array(x, { dtype = "float64" }) or x
  if not is_array(array) or n and array.size ~= n then
    fail("%s: expected %s numbers, got %s", what, n or "a list of", is_array(array) and array.size or type(x))
  end
  return array:astype "float64"
end

--- LightingAug(alphastd, eigval, eigvec): adds the main colours of a data set (eigvec, 3x3, a colour in each column,
-- and their weights eigval), each times a normal number of deviation alphastd.
local LightingAug = define("LightingAug", "alphastd eigval eigvec", nil, function(self, name)
  checks.number(name .. ": alphastd", self.alphastd, 0)
  self.eigval = values(name .. ": eigval", self.eigval, 3):reshape { 3 }
  self.eigvec = values(name .. ": eigvec", self.eigvec, 9):reshape { 3, 3 }
end)

function LightingAug:augment(src)
  coloured("LightingAug", src)
  local alpha = nd.random.normal(0, self.alphastd, { shape = { 1, 3 }, dtype = "float64" })
  return src + nd.dot(self.eigvec * alpha, self.eigval):astype(src.dtype):reshape { 1, 1, 3 }
end

--- ColorNormalizeAug(mean, std): (src - mean) / std, see image.color_normalize; each is nil or one value per channel.
local ColorNormalizeAug = define("ColorNormalizeAug", "mean[] std[]", nil, function(self, name)
  for _, key in ipairs { "mean", "std" } do
    if self[key] ~= nil then
      self[key] = values(("%s: %s"):format(name, key), self[key]):astype "float32"
    end
  end
end)
function ColorNormalizeAug:augment(src) return image.color_normalize(src, self.mean, self.std) end

local TO_GRAY = { { 0.21, 0.21, 0.21 }, { 0.72, 0.72, 0.72 }, { 0.07, 0.07, 0.07 } }

--- RandomGrayAug(p): with probability p, replaces all three channels by 0.21 red + 0.72 green + 0.07 blue.
local RandomGrayAug = define("RandomGrayAug", "p", nil, augmenters._check_p)

function RandomGrayAug:augment(src)
  coloured("RandomGrayAug", src)
  return uniform(0, 1) < self.p and mixed(src, matrix(TO_GRAY)) or src
end

-- ---- A usual list -------------------------------------------------------------------------------------------------

-- The mean and deviation of ImageNet's pixels, and their main colours.
local MEAN, STD = { 123.68, 116.28, 103.53 }, { 58.395, 57.12, 57.375 }
local EIGVAL = { 55.46, 4.794, 1.148 }
local EIGVEC = { { -0.5675, 0.7192, 0.4009 }, { -0.5808, -0.0045, -0.8140 }, { -0.5836, -0.6948, 0.4203 } }

local function statistics(what, given, usual)
  if given == true then return usual end
  if given == nil or given == false then return nil end
  local array = values(what, given)
  if #array ~= 1 and #array ~= 3 then fail("%s: expected true, 1 or 3 numbers, got %d", what, #array) end
  return array
end

--- The augmenters for colours that CreateAugmenter and CreateDetAugmenter share, by their options, in a list.
function augmenters._colours(caller, options)
  local list = { CastAug() }
  for _, key in ipairs { "brightness", "contrast", "saturation", "hue", "pca_noise", "rand_gray" } do
    checks.number(("%s: %s"):format(caller, key), options[key], 0)
  end
  if options.brightness + options.contrast + options.saturation > 0 then
    list[#list + 1] = ColorJitterAug(options.brightness, options.contrast, options.saturation)
  end
  if options.hue > 0 then list[#list + 1] = HueJitterAug(options.hue) end
  if options.pca_noise > 0 then list[#list + 1] = LightingAug(options.pca_noise, EIGVAL, EIGVEC) end
  if options.rand_gray > 0 then list[#list + 1] = RandomGrayAug(options.rand_gray) end
  local mean, std = statistics(caller .. ": mean", options.mean, MEAN), statistics(caller .. ": std", options.std, STD)
  if mean ~= nil or std ~= nil then list[#list + 1] = ColorNormalizeAug { mean = mean, std = std } end
  return list
end

--- The size {width, height} of a shape {channels, height, width}.
function augmenters._size_of(caller, data_shape)
  local c, h, w = table.unpack(checks.whole_list(caller .. ": data_shape", data_shape, 3, 1))
  if c ~= 3 then fail("%s: data_shape: expected {3, height, width}, got %d channels", caller, c) end
  return { w, h }
end

local DEFAULTS = { resize = 0, rand_crop = false, rand_resize = false, rand_mirror = false, brightness = 0,
  contrast = 0, saturation = 0, hue = 0, pca_noise = 0, rand_gray = 0, inter_method = 2 }
local read_create = arguments.new("CreateAugmenter",
  "data_shape[] resize rand_crop rand_resize rand_mirror mean std " ..
  "brightness contrast saturation hue pca_noise rand_gray inter_method", DEFAULTS)

local function is_on(x) return x == true or type(x) == "number" and x > 0 end

--- CreateAugmenter(data_shape, {resize = 0, rand_crop = false, rand_resize = false, rand_mirror = false, mean =, std =,
-- brightness = 0, contrast = 0, saturation = 0, hue = 0, pca_noise = 0, rand_gray = 0, inter_method = 2}): a list of
-- augmenters that make images of data_shape, {3, height, width}: resized, if resize is above 0; cropped at random, or
-- in the middle; mirrored; cast to float32; with changed colours; normalized. mean and std: true for ImageNet's, or
-- values. Errors: rand_resize without rand_crop.
function augmenters.CreateAugmenter(...)
  local caller, options = "CreateAugmenter", read_create(...)
  local size, list = augmenters._size_of(caller, options.data_shape), {}
  local resize, interp = checks.whole(caller .. ": resize", options.resize, 0), options.inter_method
  if resize > 0 then list[1] = ResizeAug(resize, interp) end
  if is_on(options.rand_resize) then
    if not is_on(options.rand_crop) then fail("%s: rand_resize: expected rand_crop = true with it", caller) end
    list[#list + 1] = RandomSizedCropAug(size, 0.08, { 3 / 4, 4 / 3 }, interp)
  elseif is_on(options.rand_crop) then
    list[#list + 1] = RandomCropAug(size, interp)
  else
    list[#list + 1] = CenterCropAug(size, interp)
  end
  if is_on(options.rand_mirror) then list[#list + 1] = HorizontalFlipAug(0.5) end
  local colours = augmenters._colours(caller, options)
  return table.move(colours, 1, #colours, #list + 1, list)
end

arguments.methods(Augmenter, "Augmenter.", { dumps = "" })
for _, cls in pairs { SequentialAug, RandomOrderAug, CastAug } do arguments.as_above(cls) end

return augmenters
