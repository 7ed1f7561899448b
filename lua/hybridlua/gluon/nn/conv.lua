-- conv.lua - layers with a sliding window over one to three axes: Conv1D to Conv3D, their transposes, MaxPool, AvgPool
-- and the global pools; and ReflectionPad2D. Data is (batch, channel, width), (batch, channel, height, width) or
-- (batch, channel, depth, height, width); pools also accept channels last.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local warn = require "hybridlua.language.warn"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local is_plain = core.script.is_plain

local nn = {}

local LAYOUTS = { "NCW", "NCHW", "NCDHW" }               -- by the number of axes
local CHANNELS_LAST = { "NWC", "NHWC", "NDHWC" }         -- accepted by pools

local function check_layout(name, layout, axes)
  if layout == LAYOUTS[axes] then return end
  fail("%s: layout: expected '%s', channels before places, got '%s'", name, LAYOUTS[axes], tostring(layout))
end

local function all_are(list, value)
  for _, x in ipairs(list) do if x ~= value then return false end end
  return true
end

local function filled(value, axes)
  local list = {}
  for i = 1, axes do list[i] = value end
  return list
end

-- ---- Convolutions -----------------------------------------------------------------------------------------

local CONVOLUTION = "channels kernel_size strides padding%s dilation groups layout activation use_bias " ..
  "weight_initializer bias_initializer in_channels cudnn_off"

-- A transposed layer has the weight of the convolution in the opposite direction, whose filters are its input channels.
local function init_convolution(self, name, axes, options, transposed)
  local function checked(key, least) return checks.whole_list(name .. ": " .. key, options[key], axes, least) end
  local channels = checks.whole(name .. ": channels", options.channels, 1)
  local groups = checks.whole(name .. ": groups", options.groups, 1)
  local in_channels = checks.whole(name .. ": in_channels", options.in_channels, 0)
  if channels % groups ~= 0 then
    fail("%s: groups: expected a divisor of channels = %d, got %d", name, channels, groups)
  end
  if in_channels % groups ~= 0 then
    fail("%s: groups: expected a divisor of in_channels = %d, got %d", name, in_channels, groups)
  end
  check_layout(name, options.layout, axes)
  checks.boolean(name .. ": use_bias", options.use_bias)
  checks.boolean(name .. ": cudnn_off", options.cudnn_off)
  self._window = { kernel = checked("kernel_size", 1), stride = checked("strides", 1), pad = checked("padding", 0),
                   dilate = checked("dilation", 1), groups = groups, channels = channels }
  local w = self._window
  local prepared = { kernel = w.kernel, stride = w.stride, dilate = w.dilate, pad = w.pad, num_filter = channels,
                     num_group = groups, no_bias = not options.use_bias, layout = options.layout, name = "fwd",
                     cudnn_off = options.cudnn_off or nil, _check = self.name .. ": data" }
  if transposed then
    prepared.adj = checked("output_padding", 0)
    for i, n in ipairs(prepared.adj) do
      if n >= w.stride[i] then
        fail("%s: output_padding: expected less than strides = %d, got %d", name, w.stride[i], n)
      end
    end
  end
  self._prepared = core.op.prepare(transposed and "Deconvolution" or "Convolution", prepared)
  local shape = transposed and { in_channels, channels // groups } or { channels, in_channels // groups }
  table.move(w.kernel, 1, axes, 3, shape)
  self.weight = self.params:get("weight",
    { shape = shape, init = options.weight_initializer, allow_deferred_init = true })
  if options.use_bias then
    self.bias = self.params:get("bias",
      { shape = { channels }, init = options.bias_initializer, allow_deferred_init = true })
  end
  if options.activation then
    self.act = nn.Activation(options.activation, { prefix = tostring(options.activation) .. "_" })
  end
end

-- MXNet's text, which shows "channels / groups -> in_channels" even for a transposed layer.
local function convolution_text(self, name)
  local w, shape = self._window, self.weight.shape
  local parts = { ("%s -> %d"):format(shape[2] > 0 and shape[2] or "None", shape[1]),
                  "kernel_size=" .. python.tuple(w.kernel), "stride=" .. python.tuple(w.stride) }
  local function also(text) parts[#parts + 1] = text end
  if not all_are(w.pad, 0) then also("padding=" .. python.tuple(w.pad)) end
  if not all_are(w.dilate, 1) then also("dilation=" .. python.tuple(w.dilate)) end
  if w.groups ~= 1 then also("groups=" .. w.groups) end
  if not self.bias then also "bias=False" end
  if self.act then also(tostring(self.act)) end
  return ("%s(%s)"):format(name, table.concat(parts, ", "))
end

local LARGE = 11           -- AlexNet's window, the largest of the model zoo

-- Warns of PyTorch's order, (in_channels, out_channels, kernel_size), in which the second number would be taken for the
-- window. Windows that are a multiple of their stride are usual for patches and upsampling, long ones along a width.
local function warn_of_order(name, axes, transposed, channels, window, step)
  if math.type(channels) ~= "integer" or math.type(window) ~= "integer" or math.type(step) ~= "integer" then return end
  local usual = window <= LARGE or step == window or transposed and step > 1 and window % step == 0
    or axes == 1 and (step % 2 == 0 or step == 1)
  if usual then return end
  warn.here("%s(%d, %d, %d): the order is channels, kernel_size, strides: a window of %d with strides of %d; if %d " ..
    "is the number of input channels, write nn.%s(%d, %d); else name them: {strides = %d}", name, channels, window,
    step, window, step, channels, name, window, step, step)
end

local function define(axes, transposed)
  local name = ("Conv%dD%s"):format(axes, transposed and "Transpose" or "")
  local operator = transposed and "Deconvolution" or "Convolution"
  local layer = HybridBlock:subclass(name)
  layer.arguments = arguments.of_block(name, CONVOLUTION:format(transposed and " output_padding" or ""),
                                       { strides = 1, padding = 0, output_padding = transposed and 0 or nil,
                                         dilation = 1, groups = 1, layout = LAYOUTS[axes], use_bias = true,
                                         bias_initializer = "zeros", in_channels = 0, cudnn_off = false })
  function layer.alias() return "conv" end
  function layer:init(...)
    local first = ...
    if select("#", ...) > 2 then warn_of_order(name, axes, transposed, ...)
    elseif is_plain(first) then warn_of_order(name, axes, transposed, first[1], first[2], first[3]) end
    init_convolution(self, name, axes, self.arguments(...), transposed)
  end
  function layer:hybrid_forward(F, x, p)
    x = F[operator](x, p.weight, p.bias, self._prepared)
    local act = self.act
    return act and act(x) or x
  end
  function layer.__tostring(self) return convolution_text(self, name) end
  return layer
end

--- Conv1D(channels, kernel_size, {strides = 1, padding = 0, dilation = 1, groups = 1, layout = "NCW", activation =,
-- use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels = 0}): convolution of
-- (batch, channel, width) with `channels` filters. in_channels 0: set by the first batch.
nn.Conv1D = define(1)

--- Conv2D(channels, kernel_size, {strides = 1, padding = 0, dilation = 1, groups = 1, layout = "NCHW", activation =,
-- use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels = 0, cudnn_off = false}): convolution
-- of (batch, channel, height, width) with `channels` filters. Sizes are a number or {height, width}. in_channels 0: set
-- by the first batch. cudnn_off = true: computes every window by plain products, even 3x3 and 5x5 (see
-- docs/guide/vision.md).
nn.Conv2D = define(2)

--- Conv3D(channels, kernel_size, {strides = 1, padding = 0, dilation = 1, groups = 1, layout = "NCDHW", activation =,
-- use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels = 0}): convolution of
-- (batch, channel, depth, height, width) with `channels` filters. in_channels 0: set by the first batch.
nn.Conv3D = define(3)

--- Conv1DTranspose(channels, kernel_size, {strides = 1, padding = 0, output_padding = 0, dilation = 1, groups = 1,
-- layout = "NCW", activation =, use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels =
-- 0}): the gradient of Conv1D as a layer. Each input element adds its multiple of the filter to a window of the output,
-- whose width is (width - 1) strides + dilation (kernel_size - 1) + 1 - 2 padding + output_padding. output_padding is
-- less than strides. in_channels 0: set by the first batch.
nn.Conv1DTranspose = define(1, true)

--- Conv2DTranspose(channels, kernel_size, {strides = 1, padding = 0, output_padding = 0, dilation = 1, groups = 1,
-- layout = "NCHW", activation =, use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels =
-- 0, cudnn_off = false}): the gradient of Conv2D as a layer. Along each axis, n elements become (n - 1) strides +
-- dilation (kernel_size - 1) + 1 - 2 padding + output_padding. Sizes are a number or {height, width}. in_channels 0:
-- set by the first batch. cudnn_off: as for Conv2D.
nn.Conv2DTranspose = define(2, true)

--- Conv3DTranspose(channels, kernel_size, {strides = 1, padding = 0, output_padding = 0, dilation = 1, groups = 1,
-- layout = "NCDHW", activation =, use_bias = true, weight_initializer =, bias_initializer = "zeros", in_channels =
-- 0}): the gradient of Conv3D as a layer. Along each axis, n elements become (n - 1) strides + dilation (kernel_size -
-- 1) + 1 - 2 padding + output_padding. in_channels 0: set by the first batch.
nn.Conv3DTranspose = define(3, true)

-- ---- Pools ---------------------------------------------------------------------------------------------------

-- Checks a pool's options and prepares its operator.
local function init_pool(self, name, axes, options)
  checks.choice(name .. ": layout", options.layout, LAYOUTS[axes], CHANNELS_LAST[axes])
  for _, key in ipairs { "ceil_mode", "count_include_pad" } do
    if options[key] ~= nil then checks.boolean(name .. ": " .. key, options[key]) end
  end
  local function checked(key, least) return checks.whole_list(name .. ": " .. key, options[key], axes, least) end
  local size = checked("pool_size", 1)
  self._pool = { kernel = size, stride = options.strides == nil and size or checked("strides", 1),
                 pad = checked("padding", 0), global_pool = options.global, pool_type = options.pool_type,
                 pooling_convention = options.ceil_mode and "full" or "valid", layout = options.layout,
                 count_include_pad = options.count_include_pad }
  local prepared = { name = "fwd" }
  for key, value in pairs(self._pool) do prepared[key] = value end
  self._prepared = core.op.prepare("Pooling", prepared)
end

local function pool_text(self, name)
  local p = self._pool
  return ("%s(size=%s, stride=%s, padding=%s, ceil_mode=%s, global_pool=%s, pool_type=%s, layout=%s)"):format(name,
    python.tuple(p.kernel), python.tuple(p.stride), python.tuple(p.pad), python.repr(p.pooling_convention == "full"),
    python.repr(p.global_pool), p.pool_type, p.layout)
end

-- A pool over n axes; `fixed`: options that its constructor does not take.
local function define_pool(name, axes, names, defaults, fixed)
  local layer = HybridBlock:subclass(name)
  defaults.layout = LAYOUTS[axes]
  layer.arguments = arguments.of_block(name, names, defaults)
  function layer.alias() return "pool" end
  function layer:init(...)
    local options = self.arguments(...)
    for key, value in pairs(fixed) do options[key] = value end
    init_pool(self, name, axes, options)
  end
  function layer:hybrid_forward(F, x) return F.Pooling(x, self._prepared) end
  function layer.__tostring(self) return pool_text(self, name) end
  return layer
end

-- The argument orders are MXNet's.
local function max_pool(axes)
  local last = axes == 3 and { "ceil_mode", "layout" } or { "layout", "ceil_mode" }
  return define_pool(("MaxPool%dD"):format(axes), axes, { "pool_size", "strides", "padding", last[1], last[2] },
    { pool_size = 2, padding = 0, ceil_mode = false }, { global = false, pool_type = "max" })
end

local function average_pool(axes)
  local last = axes == 1 and { "layout", "ceil_mode" } or { "ceil_mode", "layout" }
  return define_pool(("AvgPool%dD"):format(axes), axes,
    { "pool_size", "strides", "padding", last[1], last[2], "count_include_pad" },
    { pool_size = 2, padding = 0, ceil_mode = false, count_include_pad = true }, { global = false, pool_type = "avg" })
end

local function global_pool(kind, axes)
  return define_pool(("Global%sPool%dD"):format(kind, axes), axes, { "layout" }, {},
    { global = true, pool_type = kind:lower(), pool_size = filled(1, axes), padding = 0, ceil_mode = true })
end

--- MaxPool1D(pool_size = 2, {strides =, padding = 0, layout = "NCW", ceil_mode = false}): the maximum of each window.
-- strides: pool_size by default. ceil_mode: keeps a last window that extends beyond the data.
nn.MaxPool1D = max_pool(1)
--- MaxPool2D(pool_size = 2, {strides =, padding = 0, layout = "NCHW", ceil_mode = false}): the maximum of each window.
-- strides: pool_size by default. ceil_mode: keeps a last window that extends beyond the data.
nn.MaxPool2D = max_pool(2)
--- MaxPool3D(pool_size = 2, {strides =, padding = 0, ceil_mode = false, layout = "NCDHW"}): the maximum of each window.
-- strides: pool_size by default. ceil_mode: keeps a last window that extends beyond the data.
nn.MaxPool3D = max_pool(3)

--- AvgPool1D(pool_size = 2, {strides =, padding = 0, layout = "NCW", ceil_mode = false, count_include_pad = true}): the
-- mean of each window. strides: pool_size by default. count_include_pad: padding counts as zeros.
nn.AvgPool1D = average_pool(1)
--- AvgPool2D(pool_size = 2, {strides =, padding = 0, ceil_mode = false, layout = "NCHW", count_include_pad = true}):
-- the mean of each window. strides: pool_size by default. count_include_pad: padding counts as zeros.
nn.AvgPool2D = average_pool(2)
--- AvgPool3D(pool_size = 2, {strides =, padding = 0, ceil_mode = false, layout = "NCDHW", count_include_pad = true}):
-- the mean of each window. strides: pool_size by default. count_include_pad: padding counts as zeros.
nn.AvgPool3D = average_pool(3)

--- GlobalMaxPool1D({layout = "NCW"}): each channel's maximum, as (batch, channel, 1).
nn.GlobalMaxPool1D = global_pool("Max", 1)
--- GlobalMaxPool2D({layout = "NCHW"}): each channel's maximum, as (batch, channel, 1, 1).
nn.GlobalMaxPool2D = global_pool("Max", 2)
--- GlobalMaxPool3D({layout = "NCDHW"}): each channel's maximum, as (batch, channel, 1, 1, 1).
nn.GlobalMaxPool3D = global_pool("Max", 3)
--- GlobalAvgPool1D({layout = "NCW"}): each channel's mean, as (batch, channel, 1).
nn.GlobalAvgPool1D = global_pool("Avg", 1)
--- GlobalAvgPool2D({layout = "NCHW"}): each channel's mean, as (batch, channel, 1, 1).
nn.GlobalAvgPool2D = global_pool("Avg", 2)
--- GlobalAvgPool3D({layout = "NCDHW"}): each channel's mean, as (batch, channel, 1, 1, 1).
nn.GlobalAvgPool3D = global_pool("Avg", 3)

-- ---- Padding -------------------------------------------------------------------------------------------------

--- ReflectionPad2D(padding = 0): pads height and width of (batch, channel, height, width) by `padding` on all four
-- sides, mirrored at the outermost row or column. padding may be the eight numbers that Pad takes.
nn.ReflectionPad2D = HybridBlock:subclass "ReflectionPad2D"

local read_reflection = arguments.of_block("ReflectionPad2D", "padding[]", { padding = 0 })

function nn.ReflectionPad2D:init(...)
  local padding, name = read_reflection(...).padding, "ReflectionPad2D: padding"
  if not is_plain(padding) then
    local n = checks.whole(name, padding, 0)
    padding = { 0, 0, 0, 0, n, n, n, n }
  end
  if #padding ~= 8 then fail("%s: expected an integer or a table of 8, got %d values", name, #padding) end
  for _, n in ipairs(padding) do checks.whole(name, n, 0) end
  self._prepared = core.op.prepare("Pad", { mode = "reflect", pad_width = padding })
end

function nn.ReflectionPad2D:hybrid_forward(F, x) return F.pad(x, self._prepared) end

return nn
