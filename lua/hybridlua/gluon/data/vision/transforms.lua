-- data/vision/transforms.lua - transforms from images to a network's input. Each is a block that maps one image, or a
-- batch of images with the same bits. pictures.lua has the transforms that crop, resize and colour images.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nn = require "hybridlua.gluon.nn"

local nd = core.op.nd
local transforms = {}

local AXES = { [3] = { 2, 0, 1 }, [4] = { 0, 3, 1, 2 } }

--- ToTensor(): converts images (H, W, C) or (N, H, W, C) with values from 0 to 255 to float32 (C, H, W) or (N, C, H, W)
-- with values from 0 to 1.
transforms.ToTensor = HybridBlock:subclass "ToTensor"
transforms.ToTensor.takes_batches = true

function transforms.ToTensor:hybrid_forward(F, x)
  local axes = AXES[checks.array("ToTensor: data", x).ndim]
  if not axes then fail("ToTensor: data: expected an image (H, W, C) or a batch of them, got %d dimensions", x.ndim) end
  return F.transpose(F.cast(x, { dtype = "float32" }) / 255, { axes = axes })
end

--- Normalize(mean = 0, std = 1): (x - mean) / std for (C, H, W) or (N, C, H, W); mean and std are numbers, or lists
-- with one number per channel.
transforms.Normalize = HybridBlock:subclass "Normalize"
transforms.Normalize.takes_batches = true

local function per_channel(x)
  if type(x) == "number" then return x end
  if type(x) == "table" and type(x[1]) == "number" then return nd.array(x):reshape { #x, 1, 1 } end
  fail("Normalize: expected a number or a list of numbers, got %s", type(x))
end

local read_normalize = arguments.of_block("Normalize", "mean[] std[]", { mean = 0, std = 1 })

function transforms.Normalize:init(...)
  local options = read_normalize(...)
  self.mean, self.std = per_channel(options.mean), per_channel(options.std)
end

function transforms.Normalize:hybrid_forward(_, x)
  checks.array("Normalize: data", x)
  return (x - self.mean) / self.std
end

--- Cast(dtype = "float32"): converts to another dtype.
transforms.Cast = HybridBlock:subclass "Cast"
transforms.Cast.takes_batches = true

local read_cast = arguments.of_block("Cast", "dtype", { dtype = "float32" })

function transforms.Cast:init(...) self.dtype = read_cast(...).dtype end

function transforms.Cast:hybrid_forward(F, x) return F.cast(x, { dtype = self.dtype }) end

--- Compose{transform, ...}: applies blocks and functions in turn.
transforms.Compose = nn.Sequential:subclass "Compose"

-- Compiles consecutive HybridBlocks together.
local function add_compiled(self, run)
  if #run == 0 then return end
  local together = nn.HybridSequential()
  together:add(run)
  together:hybridize()
  self:add(together)
end

local read_compose = arguments.of_block("Compose", "transforms[]")

function transforms.Compose:init(...)
  local list, run, all = read_compose(...).transforms, {}, true
  if type(list) ~= "table" then
    fail("Compose: transforms: expected a list of blocks and functions, got %s", type(list))
  end
  for _, transform in ipairs(list) do
    all = all and class.is_a(transform, HybridBlock) and transform.takes_batches or false
    if class.is_a(transform, HybridBlock) then
      run[#run + 1] = transform
    else
      add_compiled(self, run)
      run = {}
      self:add(type(transform) == "function" and nn.Lambda(transform) or transform)
    end
  end
  add_compiled(self, run)
  self.takes_batches = all
end

for name, transform in pairs(require "hybridlua.gluon.data.vision.pictures") do transforms[name] = transform end

return require "hybridlua.language.module"(transforms, "hybridlua.gluon.data.vision.transforms")
