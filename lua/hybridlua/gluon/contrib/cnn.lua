-- contrib/cnn.lua - MXNet's gluon.contrib.cnn: DeformableConvolution and ModulatedDeformableConvolution. A convolution
-- of the input gives the offsets, and the masks, of the second one's windows.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local python = require "hybridlua.language.python_text"
local nn = require "hybridlua.gluon.nn"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"

local cnn = {}

local NAMES = "channels kernel_size strides padding dilation groups num_deformable_group layout use_bias " ..
  "in_channels activation weight_initializer bias_initializer offset_weight_initializer offset_bias_initializer " ..
  "offset_use_bias"
local DEFAULTS = { kernel_size = 1, strides = 1, padding = 0, dilation = 1, groups = 1, num_deformable_group = 1,
                   layout = "NCHW", use_bias = true, in_channels = 0, bias_initializer = "zeros",
                   offset_weight_initializer = "zeros", offset_bias_initializer = "zeros", offset_use_bias = true }

-- `numbers` for each tap and group: 2 for offsets, 3 with a mask.
local function init(self, name, options, numbers)
  local function pair(key, least) return checks.whole_list(name .. ": " .. key, options[key], 2, least) end
  local function whole(key, least) return checks.whole(name .. ": " .. key, options[key], least) end
  local channels, groups, in_channels = whole("channels", 1), whole("groups", 1), whole("in_channels", 0)
  local deformable = whole("num_deformable_group", 1)
  if channels % groups ~= 0 then
    fail("%s: groups: expected a divisor of channels = %d, got %d", name, channels, groups)
  end
  if in_channels % groups ~= 0 then
    fail("%s: groups: expected a divisor of in_channels = %d, got %d", name, in_channels, groups)
  end
  if options.layout ~= "NCHW" then
    fail("%s: layout: expected 'NCHW', got '%s'", name, tostring(options.layout))
  end
  checks.boolean(name .. ": use_bias", options.use_bias)
  checks.boolean(name .. ": offset_use_bias", options.offset_use_bias)
  local kernel = pair("kernel_size", 1)
  local taps = kernel[1] * kernel[2] * deformable
  local window = { kernel = kernel, stride = pair("strides", 1), pad = pair("padding", 0), dilate = pair("dilation", 1),
                   num_group = groups }
  local function with(more)
    for key, value in pairs(window) do more[key] = value end
    return more
  end
  self._window, self._split = window, 2 * taps
  self._offset = with { num_filter = numbers * taps, no_bias = not options.offset_use_bias, cudnn_off = true }
  self._deformable = with { num_filter = channels, no_bias = not options.use_bias, num_deformable_group = deformable,
                            name = "fwd" }
  local function get(key, shape, initializer)
    return self.params:get(key, { shape = shape, init = initializer, allow_deferred_init = true })
  end
  local function weight_shape(filters) return { filters, in_channels // groups, kernel[1], kernel[2] } end
  self.offset_weight = get("offset_weight", weight_shape(numbers * taps), options.offset_weight_initializer)
  if options.offset_use_bias then
    self.offset_bias = get("offset_bias", { numbers * taps }, options.offset_bias_initializer)
  end
  self.deformable_conv_weight = get("deformable_conv_weight", weight_shape(channels), options.weight_initializer)
  if options.use_bias then
    self.deformable_conv_bias = get("deformable_conv_bias", { channels }, options.bias_initializer)
  end
  if options.activation then
    self.act = nn.Activation(options.activation, { prefix = tostring(options.activation) .. "_" })
  end
end

-- MXNet's text, as for Conv2D.
local function text(self, name)
  local w, shape = self._window, self.deformable_conv_weight.shape
  local parts = { ("%s -> %d"):format(shape[2] > 0 and shape[2] or "None", shape[1]),
                  "kernel_size=" .. python.tuple(w.kernel), "stride=" .. python.tuple(w.stride) }
  local function also(if_not, part) if if_not then parts[#parts + 1] = part end end
  also(w.pad[1] ~= 0 or w.pad[2] ~= 0, "padding=" .. python.tuple(w.pad))
  also(w.dilate[1] ~= 1 or w.dilate[2] ~= 1, "dilation=" .. python.tuple(w.dilate))
  also(w.num_group ~= 1, "groups=" .. w.num_group)
  also(not self.deformable_conv_bias, "bias=False")
  also(self.act, tostring(self.act))
  return ("%s(%s)"):format(name, table.concat(parts, ", "))
end

local function define(name, alias, numbers, run)
  local layer = HybridBlock:subclass(name)
  layer.arguments = arguments.of_block(name, NAMES, DEFAULTS)
  function layer.alias() return alias end
  function layer:init(...) init(self, name, self.arguments(...), numbers) end
  function layer:hybrid_forward(F, x, p)
    local y = run(self, F, x, F.Convolution(x, p.offset_weight, p.offset_bias, self._offset), p)
    return self.act and self.act(y) or y
  end
  function layer.__tostring(self) return text(self, name) end
  return layer
end

--- DeformableConvolution(channels, kernel_size = 1, {strides = 1, padding = 0, dilation = 1, groups = 1,
-- num_deformable_group = 1, use_bias = true, in_channels = 0, activation =, weight_initializer =, bias_initializer =
-- "zeros", offset_weight_initializer = "zeros", offset_bias_initializer = "zeros", offset_use_bias = true}): a
-- convolution of (batch, channel, height, width) whose windows read at learned offsets. Dai et al., 2017. Errors:
-- numbers below their least values, groups that do not divide the channels.
cnn.DeformableConvolution = define("DeformableConvolution", "deformable_conv", 2, function(self, F, x, offset, p)
  return F.contrib.DeformableConvolution(x, offset, p.deformable_conv_weight, p.deformable_conv_bias, self._deformable)
end)

--- ModulatedDeformableConvolution(channels, kernel_size = 1, {...}): DeformableConvolution with the same options, whose
-- samples are also multiplied by a learned mask, 2 sigmoid(the last third of the first convolution). Zhu et al., 2018.
cnn.ModulatedDeformableConvolution = define("ModulatedDeformableConvolution", "modulated_deformable_conv", 3,
  function(self, F, x, both, p)
    local offset = F.slice_axis(both, { axis = 1, begin = 0, stop = self._split })
    local mask = F.sigmoid(F.slice_axis(both, { axis = 1, begin = self._split, stop = self._split // 2 * 3 })) * 2
    return F.contrib.ModulatedDeformableConvolution(x, offset, mask, p.deformable_conv_weight, p.deformable_conv_bias,
      self._deformable)
  end)

return module(cnn, "hybridlua.gluon.contrib.cnn")
