-- adaptive_pools.lua - PyTorch's pooling layers with a given size of the output: AdaptiveAvgPool1D to 3D and
-- AdaptiveMaxPool1D to 3D, for the layouts NCW, NCHW and NCDHW. Part i of the n elements along an axis is from
-- floor(i n / size) to ceil((i + 1) n / size), so parts may overlap.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local is_array = core.array.is

local nn = {}

local function mean_2d(F, x, size) return F.contrib.AdaptiveAvgPooling2D(x, { output_size = size }) end

local function mean_1d(F, x, size)
  return F.squeeze(mean_2d(F, F.expand_dims(x, { axis = 2 }), { 1, size[1] }), { axis = 2 })
end

-- A layer over `axes` axes; pool(F, x, size) computes it, size: a list of numbers. Means in one and two dimensions do
-- without the shape, which a Symbol may not know yet.
local function define(name, axes, pool)
  local cls = HybridBlock:subclass(name)
  local read = arguments.of_block(name, "output_size[]", { output_size = 1 })
  function cls:init(...)
    self._output_size = checks.whole_list(name .. ": output_size", read(...).output_size, axes, 1)
  end
  function cls:hybrid_forward(F, x)
    checks.array(name .. ": data", x)
    local ndim = (is_array(x) or pool ~= mean_2d and pool ~= mean_1d) and x.ndim or axes + 2
    if ndim ~= axes + 2 then
      fail("%s: data: expected %d dimensions (batch, channel and %d more), got %d", name, axes + 2, axes, ndim)
    end
    return pool(F, x, self._output_size)
  end
  nn[name] = cls
end

-- ---- Means --------------------------------------------------------------------------------------------------------

--- AdaptiveAvgPool1D(output_size = 1): the mean of each of output_size parts of (batch, channel, width).
define("AdaptiveAvgPool1D", 1, mean_1d)

--- AdaptiveAvgPool2D(output_size = 1): the same for (batch, channel, height, width); output_size: a number or {height,
-- width}.
define("AdaptiveAvgPool2D", 2, mean_2d)

--- AdaptiveAvgPool3D(output_size = 1): the same for (batch, channel, depth, height, width).
define("AdaptiveAvgPool3D", 3, function(F, x, size)
  local planes = mean_2d(F, F.reshape(x, { 0, -3, 0, 0 }), { size[2], size[3] })
  local lines = F.reshape(planes, { 0, -4, -1, x.shape[3], -3 })            -- (batch, channel, depth, height * width)
  return F.reshape(mean_2d(F, lines, { size[1], size[2] * size[3] }), { 0, 0, 0, -4, size[2], size[3] })
end)

-- ---- Maxima -------------------------------------------------------------------------------------------------------

-- The maxima of parts along one axis, from 1. If several elements are the largest, the first one gets the gradient.
local function max_along(F, x, axis, size)
  local n, axes = x.shape[axis + 2], x.ndim - 2
  local function maxima(of, width)
    local kernel = {}
    for i = 1, axes do kernel[i] = i == axis and width or 1 end
    return F.Pooling(of, { kernel = kernel, stride = kernel, pool_type = "max" })
  end
  if n % size == 0 then return maxima(x, n // size) end
  local parts = {}
  for i = 0, size - 1 do
    local from, to = i * n // size, -(-(i + 1) * n // size)
    parts[i + 1] = maxima(F.slice_axis(x, { axis = axis + 1, begin = from, stop = to }), to - from)
  end
  return F.concat(parts, { dim = axis + 1 })
end

local function maxima(F, x, size)
  for axis = #size, 1, -1 do x = max_along(F, x, axis, size[axis]) end
  return x
end

--- AdaptiveMaxPool1D(output_size = 1): the maximum of each of output_size parts of (batch, channel, width).
define("AdaptiveMaxPool1D", 1, maxima)

--- AdaptiveMaxPool2D(output_size = 1): the same for (batch, channel, height, width); output_size: a number or {height,
-- width}.
define("AdaptiveMaxPool2D", 2, maxima)

--- AdaptiveMaxPool3D(output_size = 1): the same for (batch, channel, depth, height, width).
define("AdaptiveMaxPool3D", 3, maxima)

return nn
