-- image/rotations.lua - rotates images (channels, height, width) or batches of them.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local uniform = require "hybridlua.image.random_numbers".uniform
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local rotations = {}

-- Width and height of the bounding box of a rotated image.
local function reach(height, width, angle)
  local cosine, sine = math.abs(core.number.cos_of(angle)), math.abs(core.number.sin_of(angle))
  return width * cosine + height * sine, height * cosine + width * sine
end

-- The sampling grid of a rotated image for BilinearSampler: (1, 2, height, width).
local function turned_grid(height, width, angle, zoom)
  local half_h, half_w = (height - 1) / 2, (width - 1) / 2
  local rows = nd.broadcast_to(nd.arange(height):reshape { height, 1 } - half_h, { shape = { height, width } })
  local columns = nd.broadcast_to(nd.arange(width):reshape { 1, width } - half_w, { shape = { height, width } })
  local cosine, sine, scale = core.number.cos_of(angle), core.number.sin_of(angle), 1
  if zoom then
    local across, down = reach(height, width, math.abs(angle))
    scale = zoom == "out" and math.max(across / width, down / height) or math.min(width / across, height / down)
  end
  return (nd.stack((columns * cosine - rows * sine) / half_w, (columns * sine + rows * cosine) / half_h,
    { axis = 0 }) * scale):expand_dims { axis = 0 }
end

--- Rotates an image (channels, height, width), or each image of a batch, by degrees(i) for the i-th, from 1. zoom:
-- "in", "out" or nil. name: the caller, in errors.
function rotations.rotate(name, x, degrees, zoom)
  if not is_array(x) or x.dtype ~= "float32" then
    fail("%s: data: expected dtype float32, got %s; use it after ToTensor", name, is_array(x) and x.dtype or type(x))
  end
  if x.ndim ~= 3 and x.ndim ~= 4 then
    fail("%s: data: expected (channels, height, width) or a batch of these, got %d dimensions", name, x.ndim)
  end
  local batch = x.ndim == 4 and x or x:expand_dims { axis = 0 }
  local shape, grids = batch.shape, {}
  if shape[3] < 2 or shape[4] < 2 then fail("%s: data: expected 2 rows and columns or more", name) end
  for i = 1, shape[1] do grids[i] = turned_grid(shape[3], shape[4], math.pi * degrees(i) / 180, zoom) end
  local turned = nd.BilinearSampler(batch, nd.concat(grids, { dim = 0 }))
  return x.ndim == 4 and turned or turned[0]
end

--- "in", "out" or nil, from two options, at most one of which is true.
function rotations.zoom_of(name, options)
  for _, key in ipairs { "zoom_in", "zoom_out" } do checks.boolean(name .. ": " .. key, options[key]) end
  if options.zoom_in and options.zoom_out then fail("%s: zoom_in, zoom_out: expected one of them, got both", name) end
  return options.zoom_in and "in" or options.zoom_out and "out" or nil
end

local DEFAULTS = { zoom_in = false, zoom_out = false }
local read_rotate = arguments.new("image.imrotate", "src rotation_degrees zoom_in zoom_out", DEFAULTS)

--- imrotate(src, rotation_degrees, {zoom_in = false, zoom_out = false}): rotates a float32 image (channels, height,
-- width), or each of a batch, about the centre; corners become 0. rotation_degrees: a number, or for a batch a list or
-- NDArray with one for each image. zoom_in: enlarges until no corner shows; zoom_out: shrinks until the whole image is
-- visible.
function rotations.imrotate(...)
  local options = read_rotate(...)
  local src, degrees = options.src, options.rotation_degrees
  local zoom = rotations.zoom_of("image.imrotate", options)
  if is_array(degrees) then degrees = degrees:reshape({ -1 }):totable() end
  if not is_plain(degrees) then
    checks.number("image.imrotate: rotation_degrees", degrees)
    return rotations.rotate("image.imrotate", src, function() return degrees end, zoom)
  end
  if not is_array(src) or src.ndim ~= 4 then
    fail "image.imrotate: rotation_degrees: expected a number for a single image, got several"
  end
  if #degrees ~= #src then
    fail("image.imrotate: rotation_degrees: expected one number for each of %d images, got %d", #src, #degrees)
  end
  return rotations.rotate("image.imrotate", src, function(i) return degrees[i] end, zoom)
end

local read_random = arguments.new("image.random_rotate", "src angle_limits[] zoom_in zoom_out", DEFAULTS)

--- random_rotate(src, {low, high}, {zoom_in = false, zoom_out = false}): imrotate by an angle between two limits, drawn
-- for each image.
function rotations.random_rotate(...)
  local options = read_random(...)
  local limits = options.angle_limits
  if not (is_plain(limits) and #limits == 2 and math.type(limits[1]) and math.type(limits[2])) then
    fail("image.random_rotate: angle_limits: expected two numbers, got %s", type(limits))
  end
  local low, high = limits[1], limits[2]
  return rotations.rotate("image.random_rotate", options.src, function() return uniform(low, high) end,
    rotations.zoom_of("image.random_rotate", options))
end

return rotations
