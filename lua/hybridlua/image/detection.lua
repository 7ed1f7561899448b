-- image/detection.lua - augmenters for detection: augmenter(src, label) returns the new image (height, width, channels)
-- and the new label. A label is an NDArray (objects, 5 or more): class, left, top, right, bottom, ...; positions are
-- fractions of the width and height. Formulas are those of MXNet 1.9.1's mx.image; nothing changes its arguments.
local arguments = require "hybridlua.language.arguments"
local augmenters = require "hybridlua.image.augmenters"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local image = require "hybridlua.image"
local random_numbers = require "hybridlua.image.random_numbers"
local is_array, is_plain = core.array.is, core.script.is_plain
local uniform, integer = random_numbers.uniform, random_numbers.integer

local nd = core.op.nd
local detection = {}

-- ---- Labels -------------------------------------------------------------------------------------------------------

-- A label's rows, as lists of numbers.
local function rows_of(caller, label)
  if is_plain(label) then label = nd.array(label) end
  if not is_array(label) or label.ndim ~= 2 or label.shape[2] < 5 then
    fail("%s: label: expected (objects, 5 or more), got %s", caller,
      is_array(label) and tostring(label.shape) or type(label))
  end
  return label:astype("float64"):totable()
end

local function area(left, top, right, bottom) return math.max(0, right - left) * math.max(0, bottom - top) end

local function area_of(row) return area(row[2], row[3], row[4], row[5]) end

-- ---- The base, and borrowed augmenters ----------------------------------------------------------------------------

--- DetAugmenter(options): the base class. One of your own is DetAugmenter:subclass "Mine" with augment(src, label),
-- which returns both.
local DetAugmenter = augmenters.Augmenter:subclass "DetAugmenter"
detection.DetAugmenter = DetAugmenter

local function define(name, ...)
  detection[name] = augmenters._define(DetAugmenter, name, ...)
  return detection[name]
end

local read_borrow = arguments.new("DetBorrowAug", "augmenter")

--- DetBorrowAug(augmenter): an augmenter that leaves objects where they are, such as CastAug.
local DetBorrowAug = DetAugmenter:subclass "DetBorrowAug"
detection.DetBorrowAug = DetBorrowAug

function DetBorrowAug:init(...)
  local one = read_borrow(...).augmenter
  if not class.is_a(one, augmenters.Augmenter) or class.is_a(one, DetAugmenter) then
    fail("DetBorrowAug: augmenter: expected an image.Augmenter, got %s", type(one))
  end
  DetAugmenter.init(self)
  self.augmenter = one
end

function DetBorrowAug:dumps() return { "detborrowaug", self.augmenter:dumps() } end
function DetBorrowAug:augment(src, label) return self.augmenter(src), label end

local read_select = arguments.new("DetRandomSelectAug", "aug_list[] skip_prob", { skip_prob = 0 })

--- DetRandomSelectAug(list, skip_prob = 0): applies one of the list, at random; none with probability skip_prob.
local DetRandomSelectAug = DetAugmenter:subclass "DetRandomSelectAug"
detection.DetRandomSelectAug = DetRandomSelectAug

function DetRandomSelectAug:init(...)
  local options = read_select(...)
  local list = options.aug_list
  if class.is_a(list, DetAugmenter) then list = { list } end
  if not is_plain(list) then fail("DetRandomSelectAug: aug_list: expected a list, got %s", type(list)) end
  for i, one in ipairs(list) do
    checks.instance(("DetRandomSelectAug: aug_list[%d]"):format(i), one, DetAugmenter, "a DetAugmenter")
  end
  DetAugmenter.init(self, { skip_prob = options.skip_prob })
  self.aug_list = list
  self.skip_prob = #list == 0 and 1 or checks.probability("DetRandomSelectAug: skip_prob", options.skip_prob)
end

function DetRandomSelectAug:dumps() return augmenters._described_list(self, self.aug_list) end

function DetRandomSelectAug:augment(src, label)
  if uniform(0, 1) < self.skip_prob then return src, label end
  return self.aug_list[integer(1, #self.aug_list)](src, label)
end

-- ---- Flips, crops, borders ----------------------------------------------------------------------------------------

--- DetHorizontalFlipAug(p): mirrors image and objects with probability p.
local DetHorizontalFlipAug = define("DetHorizontalFlipAug", "p", nil, augmenters._check_p)

function DetHorizontalFlipAug:augment(src, label)
  local rows = rows_of("DetHorizontalFlipAug", label)
  if uniform(0, 1) >= self.p then return src, label end
  for _, row in ipairs(rows) do row[2], row[4] = 1 - row[4], 1 - row[2] end
  return nd.flip(src, { axis = 1 }), nd.array(rows)
end

-- Two numbers, from one or from a list.
local function limits(what, x)
  if type(x) == "number" then return { x, x } end
  if not (is_plain(x) and #x == 2 and math.type(x[1]) and math.type(x[2])) then
    fail("%s: expected a number or two, got %s", what, type(x))
  end
  return x
end

-- Checks the options that crops and borders share.
local function check_common(self, name, least_area)
  self.aspect_ratio_range = limits(name .. ": aspect_ratio_range", self.aspect_ratio_range)
  self.area_range = limits(name .. ": area_range", self.area_range)
  checks.whole(name .. ": max_attempts", self.max_attempts, 0)
  local low, high = table.unpack(self.aspect_ratio_range)
  if low <= 0 or low > high then
    fail("%s: aspect_ratio_range: expected two numbers above 0, the second not less, got %s and %s", name, low, high)
  end
  low, high = table.unpack(self.area_range)
  if high <= least_area or low > high then
    fail("%s: area_range: expected numbers up to one above %s, the second not less, got %s and %s", name, least_area,
      low, high)
  end
end

local function rounded(x) return math.floor(x + 0.5) end

-- What an attempt begins with: width / height, the heights of the least and the largest area, and these areas.
local function draw_shape(self, width, height)
  local least, most = self.area_range[1] * height * width, self.area_range[2] * height * width
  local ratio = uniform(table.unpack(self.aspect_ratio_range))
  return ratio, rounded(math.sqrt(least / ratio)), rounded(math.sqrt(most / ratio)), least, most
end

-- The image and the objects of the first of max_attempts calls of attempt(rows, width, height) that succeeds; else what
-- was given.
local function attempted(self, name, src, label, attempt)
  local height, width = checks.picture(name .. ": src", src)
  local rows = rows_of(name, label)
  for _ = 1, self.max_attempts do
    local new, objects = attempt(rows, width, height)
    if new then return new, nd.array(objects) end
  end
  return src, label
end

--- DetRandomCropAug({min_object_covered = 0.1, aspect_ratio_range = {0.75, 1.33}, area_range = {0.05, 1},
-- min_eject_coverage = 0.3, max_attempts = 50}): crops a random part. It has a width / height within the first range, a
-- share of the area within the second, and more than min_object_covered of each object that it meets; objects of which
-- less than min_eject_coverage is left are dropped. If no attempt succeeds, nothing changes.
local DetRandomCropAug = define("DetRandomCropAug",
  "min_object_covered aspect_ratio_range[] area_range[] min_eject_coverage max_attempts", { min_object_covered = 0.1,
    aspect_ratio_range = { 0.75, 1.33 }, area_range = { 0.05, 1 }, min_eject_coverage = 0.3, max_attempts = 50 },
  function(self, name)
    checks.number(name .. ": min_object_covered", self.min_object_covered, 0)
    checks.number(name .. ": min_eject_coverage", self.min_eject_coverage, 0)
    check_common(self, name, 0)
  end)

-- Does the part x, y, w, h of an image contain enough of the objects that it meets?
local function covers(self, rows, x, y, w, h, width, height)
  if w * h < 2 then return false end
  local left, top, right, bottom = x / width, y / height, (x + w) / width, (y + h) / height
  local least
  for _, row in ipairs(rows) do
    local whole = area_of(row)
    if whole * width * height > 2 then
      local common = area(math.max(row[2], left), math.max(row[3], top), math.min(row[4], right),
        math.min(row[5], bottom)) / whole
      if common > 0 then least = math.min(least or common, common) end
    end
  end
  return least ~= nil and least > self.min_object_covered
end

local function clipped(x) return math.max(0, math.min(1, x)) end

-- The rows of the objects in a part of the image; nil if too little is left of all of them.
local function rows_within(self, rows, x, y, w, h, width, height)
  local left, top, wide, high, new = x / width, y / height, w / width, h / height, {}
  for _, row in ipairs(rows) do
    local moved = table.move(row, 1, #row, 1, {})
    for axis = 2, 4, 2 do
      moved[axis] = clipped((row[axis] - left) / wide)
      moved[axis + 1] = clipped((row[axis + 1] - top) / high)
    end
    local coverage = area_of(moved) * wide * high / area_of(row)
    if moved[4] > moved[2] and moved[5] > moved[3] and coverage > self.min_eject_coverage then new[#new + 1] = moved end
  end
  return #new > 0 and new or nil
end

-- One attempt: the width and height of a part; nil if it does not fit.
local function propose_crop(self, width, height)
  local ratio, h, highest, least, most = draw_shape(self, width, height)
  if rounded(highest * ratio) > width then highest = math.floor((width + 0.4999999) / ratio) end
  highest = math.min(highest, height)
  h = h < highest and integer(h, highest) or highest
  local w = rounded(h * ratio)
  if w * h < least then h = h + 1 w = rounded(h * ratio) end
  if w * h > most then h = h - 1 w = rounded(h * ratio) end
  if w * h < least or w * h > most or w > width or h > height or w < 1 or h < 1 then return nil end
  return w, h
end

function DetRandomCropAug:augment(src, label)
  return attempted(self, "DetRandomCropAug", src, label, function(rows, width, height)
    local w, h = propose_crop(self, width, height)
    if not w then return nil end
    local y, x = integer(0, height - h), integer(0, width - w)
    local new = covers(self, rows, x, y, w, h, width, height) and rows_within(self, rows, x, y, w, h, width, height)
    if new then return image.fixed_crop(src, x, y, w, h), new end
  end)
end

--- DetRandomPadAug({aspect_ratio_range = {0.75, 1.33}, area_range = {1, 3}, max_attempts = 50, pad_val = {128, 128,
-- 128}}): puts the image at a random place in a larger one of colour pad_val, a number or one per channel. The larger
-- one has a width / height within the first range, and an area within the second, as multiples of the image's.
local DetRandomPadAug = define("DetRandomPadAug", "aspect_ratio_range[] area_range[] max_attempts pad_val[]",
  { aspect_ratio_range = { 0.75, 1.33 }, area_range = { 1, 3 }, max_attempts = 50, pad_val = { 128, 128, 128 } },
  function(self, name) check_common(self, name, 1) end)

-- One attempt: the larger image's width and height; nil if it has not two more rows and columns.
local function propose_pad(self, width, height)
  local ratio, h, highest = draw_shape(self, width, height)
  if rounded(h * ratio) < width then h = math.floor((width + 0.499999) / ratio) end
  h = math.max(h, height)
  h = h < highest and integer(h, highest) or math.min(h, highest)
  local w = rounded(h * ratio)
  if h - height < 2 or w - width < 2 then return nil end
  return w, h
end

function DetRandomPadAug:augment(src, label)
  return attempted(self, "DetRandomPadAug", src, label, function(rows, width, height)
    local w, h = propose_pad(self, width, height)
    if not w then return nil end
    local y, x = integer(0, h - height), integer(0, w - width)
    for _, row in ipairs(rows) do
      for axis = 2, 4, 2 do
        row[axis] = (row[axis] * width + x) / w
        row[axis + 1] = (row[axis + 1] * height + y) / h
      end
    end
    return image.copyMakeBorder(src, y, h - y - height, x, w - x - width, { type = 0, values = self.pad_val }), rows
  end)
end

arguments.as_above(DetBorrowAug)
arguments.as_above(DetRandomSelectAug)

-- ---- Usual lists --------------------------------------------------------------------------------------------------

local CROP_NAMES = { "min_object_covered", "aspect_ratio_range", "area_range", "min_eject_coverage", "max_attempts" }
local IS_PAIR = { aspect_ratio_range = true, area_range = true }

-- The values of an option in a list, from that list or a single value.
local function values_of(name, x)
  return is_plain(x) and not (IS_PAIR[name] and type(x[1]) == "number") and x or { x }
end

local read_crops = arguments.new("CreateMultiRandCropAugmenter", "min_object_covered[] aspect_ratio_range[] " ..
  "area_range[] min_eject_coverage[] max_attempts[] skip_prob", { min_object_covered = 0.1,
    aspect_ratio_range = { 0.75, 1.33 }, area_range = { 0.05, 1 }, min_eject_coverage = 0.3, max_attempts = 50,
    skip_prob = 0 })

--- CreateMultiRandCropAugmenter({min_object_covered = 0.1, aspect_ratio_range = {0.75, 1.33}, area_range = {0.05, 1},
-- min_eject_coverage = 0.3, max_attempts = 50, skip_prob = 0}): one of several DetRandomCropAugs at random. Each option
-- may be a list, with one value for each of them.
function detection.CreateMultiRandCropAugmenter(...)
  local caller, options = "CreateMultiRandCropAugmenter", read_crops(...)
  local n, lists, list = 1, {}, {}
  for _, name in ipairs(CROP_NAMES) do
    lists[name] = values_of(name, options[name])
    n = math.max(n, #lists[name])
  end
  for _, name in ipairs(CROP_NAMES) do
    local got = #lists[name]
    if got ~= n and got ~= 1 then fail("%s: %s: expected 1 or %d values, got %d", caller, name, n, got) end
  end
  for i = 1, n do
    local one = {}
    for name, values in pairs(lists) do one[name] = values[#values == 1 and 1 or i] end
    list[i] = DetRandomCropAug(one)
  end
  return DetRandomSelectAug(list, options.skip_prob)
end

local DEFAULTS = { resize = 0, rand_crop = 0, rand_pad = 0, rand_gray = 0, rand_mirror = false, brightness = 0,
  contrast = 0, saturation = 0, pca_noise = 0, hue = 0, inter_method = 2, min_object_covered = 0.1,
  aspect_ratio_range = { 0.75, 1.33 }, area_range = { 0.05, 3 }, min_eject_coverage = 0.3, max_attempts = 50,
  pad_val = { 127, 127, 127 } }
local read_create = arguments.new("CreateDetAugmenter",
  "data_shape[] resize rand_crop rand_pad rand_gray rand_mirror " ..
  "mean std brightness contrast saturation pca_noise hue inter_method min_object_covered aspect_ratio_range " ..
  "area_range min_eject_coverage max_attempts pad_val", DEFAULTS)

--- CreateDetAugmenter(data_shape, {resize = 0, rand_crop = 0, rand_pad = 0, rand_gray = 0, rand_mirror = false, mean =,
-- std =, brightness = 0, contrast = 0, saturation = 0, pca_noise = 0, hue = 0, inter_method = 2, min_object_covered =
-- 0.1, aspect_ratio_range = {0.75, 1.33}, area_range = {0.05, 3}, min_eject_coverage = 0.3, max_attempts = 50, pad_val
-- = {127, 127, 127}}): a list of augmenters for detection that make images of data_shape, {3, height, width}. rand_crop
-- and rand_pad are probabilities; the other options are those of CreateAugmenter, DetRandomCropAug and DetRandomPadAug.
function detection.CreateDetAugmenter(...)
  local caller, options = "CreateDetAugmenter", read_create(...)
  local size, list = augmenters._size_of(caller, options.data_shape), {}
  local interp = options.inter_method
  local function add(one) list[#list + 1] = one end
  if checks.whole(caller .. ": resize", options.resize, 0) > 0 then
    add(DetBorrowAug(augmenters.ResizeAug(options.resize, interp)))
  end
  if checks.probability(caller .. ": rand_crop", options.rand_crop) > 0 then
    local crop = { skip_prob = 1 - options.rand_crop }
    for _, name in ipairs(CROP_NAMES) do crop[name] = options[name] end
    add(detection.CreateMultiRandCropAugmenter(crop))
  end
  if options.rand_mirror and options.rand_mirror ~= 0 then add(DetHorizontalFlipAug(0.5)) end
  if checks.probability(caller .. ": rand_pad", options.rand_pad) > 0 then
    local most = limits(caller .. ": area_range", options.area_range)[2]
    local pad = DetRandomPadAug { aspect_ratio_range = options.aspect_ratio_range, area_range = { 1, most },
      max_attempts = options.max_attempts, pad_val = options.pad_val }
    add(DetRandomSelectAug({ pad }, 1 - options.rand_pad))
  end
  add(DetBorrowAug(augmenters.ForceResizeAug(size, interp)))
  for _, one in ipairs(augmenters._colours(caller, options)) do add(DetBorrowAug(one)) end
  return list
end

return detection
