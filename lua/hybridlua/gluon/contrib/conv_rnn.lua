-- contrib/conv_rnn.lua - recurrent cells with convolutions in place of matrix products (X. Shi et al., 2015), from
-- Conv1DRNNCell to Conv3DGRUCell. Inputs and states are images; input_shape is an input's shape without the batch.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local base = require "hybridlua.gluon.rnn.recurrent_cell"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local unrolling = require "hybridlua.gluon.rnn.unrolling"
local is_plain = core.script.is_plain

local rnn = {}

local GATES = { RNN = 1, LSTM = 4, GRU = 3 }
local LAYOUTS = { { "NCW", "NWC" }, { "NCHW", "NHWC" }, { "NCDHW", "NDHWC" } }
local ALIASES = { RNN = "conv_rnn", LSTM = "conv_lstm", GRU = "conv_gru" }

-- One integer per axis, from one integer or a list of them.
local function each_axis(name, what, x, axes, least)
  if not is_plain(x) then x = { x } end
  if #x ~= 1 and #x ~= axes then
    fail("%s: %s: For %dD convolution, the convolution settings can only be either int or list/tuple of length %d",
      name, what, axes, axes)
  end
  local list = {}
  for i = 1, axes do list[i] = checks.whole(("%s: %s"):format(name, what), x[#x == 1 and 1 or i], least) end
  return list
end

local NAMES = "input_shape hidden_channels i2h_kernel h2h_kernel i2h_pad i2h_dilate h2h_dilate " ..
  "i2h_weight_initializer h2h_weight_initializer i2h_bias_initializer h2h_bias_initializer conv_layout activation"

-- A shape with `channels` first or last, as in the layout.
local function shaped(self, channels, places)
  local shape = table.move(places, 1, #places, 1, {})
  table.insert(shape, self._channel_axis == 1 and 1 or #shape + 1, channels)
  return shape
end

local function init(self, name, kind, axes, o)
  checks.choice(name .. ": conv_layout", o.conv_layout, table.unpack(LAYOUTS[axes]))
  self._conv_layout, self._activation = o.conv_layout, o.activation
  self._channel_axis = o.conv_layout:find "C" - 1
  self._hidden_channels = checks.whole(name .. ": hidden_channels", o.hidden_channels, 1)
  if not is_plain(o.input_shape) or #o.input_shape ~= axes + 1 then
    fail("%s: input_shape: expected a table of %d sizes", name, axes + 1)
  end
  local places = table.move(o.input_shape, 1, #o.input_shape, 1, {})
  local channels = checks.whole(name .. ": input_shape",
    table.remove(places, self._channel_axis == 1 and 1 or #places), 0)
  local function axis_list(what, least) return each_axis(name, what, o[what], axes, least) end
  local i2h_kernel, h2h_kernel = axis_list("i2h_kernel", 1), axis_list("h2h_kernel", 1)
  local i2h_pad, i2h_dilate = axis_list("i2h_pad", 0), axis_list("i2h_dilate", 1)
  local h2h_dilate = axis_list("h2h_dilate", 1)
  local rows, stride, h2h_pad, out = GATES[kind] * self._hidden_channels, {}, {}, {}
  for i = 1, axes do
    if h2h_kernel[i] % 2 == 0 then
      fail("%s: h2h_kernel: Only support odd number, get h2h_kernel= %d", name, h2h_kernel[i])
    end
    stride[i], h2h_pad[i] = 1, h2h_dilate[i] * (h2h_kernel[i] - 1) // 2
    local size = checks.whole(name .. ": input_shape", places[i], 0)
    out[i] = size > 0 and size + 2 * i2h_pad[i] - i2h_dilate[i] * (i2h_kernel[i] - 1) or 0
  end
  self._state_shape = shaped(self, self._hidden_channels, out)
  local function weight(from, kernel) return table.move(shaped(self, from, kernel), 1, axes + 1, 2, { rows }) end
  local shapes = { i2h_weight = weight(channels, i2h_kernel), h2h_weight = weight(self._hidden_channels, h2h_kernel),
                   i2h_bias = { rows }, h2h_bias = { rows } }
  for _, key in ipairs { "i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias" } do
    self[key] = self.params:get(key, { shape = shapes[key], init = o[key .. "_initializer"],
                                       allow_deferred_init = true })
  end
  local function convolution(title, kernel, dilate, pad)
    return core.op.prepare("Convolution", { num_filter = rows, kernel = kernel, stride = stride, pad = pad,
                                            dilate = dilate, layout = o.conv_layout, name = title })
  end
  self._i2h, self._h2h = convolution("i2h", i2h_kernel, i2h_dilate, i2h_pad),
    convolution("h2h", h2h_kernel, h2h_dilate, h2h_pad)
  local function slice(title)
    return core.op.prepare("SliceChannel", { num_outputs = GATES[kind], axis = self._channel_axis, name = title })
  end
  self._slice, self._i2h_slice, self._h2h_slice = slice "slice", slice "i2h_slice", slice "h2h_slice"
end

local function sums(self, F, input, state, p)
  return F.Convolution(input, p.i2h_weight, p.i2h_bias, self._i2h),
    F.Convolution(state, p.h2h_weight, p.h2h_bias, self._h2h)
end

-- Applies the activation: an operator's name, a block or a function.
local function activate(self, F, x, name)
  if type(self._activation) == "string" then return F.Activation(x, { act_type = self._activation, name = name }) end
  return self._activation(x)
end

-- Options of operators, with MXNet's names.
local NAMED = { state = core.op.prepare("broadcast_add", { name = "state" }),
                out = core.op.prepare("broadcast_mul", { name = "out" }),
                mixed = core.op.prepare("broadcast_add", { name = "out" }) }
for _, name in ipairs { "i", "f", "o", "r_act", "z_act" } do
  NAMED[name] = core.op.prepare("sigmoid", { name = name })
end

local STEPS = {}

function STEPS.RNN(self, F, input, states, p)
  local i2h, h2h = sums(self, F, input, states[1], p)
  local output = activate(self, F, i2h + h2h, "out")
  return output, { output }
end

function STEPS.LSTM(self, F, input, states, p)
  local i2h, h2h = sums(self, F, input, states[1], p)
  local gates = F.SliceChannel(i2h + h2h, self._slice)
  local enter, keep = F.sigmoid(gates[1], NAMED.i), F.sigmoid(gates[2], NAMED.f)
  local fresh, let = activate(self, F, gates[3], "c"), F.sigmoid(gates[4], NAMED.o)
  local cell = F.broadcast_add(keep * states[2], enter * fresh, NAMED.state)
  local output = F.broadcast_mul(let, activate(self, F, cell), NAMED.out)
  return output, { output, cell }
end

function STEPS.GRU(self, F, input, states, p)
  local i2h, h2h = sums(self, F, input, states[1], p)
  local x, h = F.SliceChannel(i2h, self._i2h_slice), F.SliceChannel(h2h, self._h2h_slice)
  local reset, update = F.sigmoid(x[1] + h[1], NAMED.r_act), F.sigmoid(x[2] + h[2], NAMED.z_act)
  local fresh = activate(self, F, x[3] + reset * h[3], "h_act")
  local output = F.broadcast_add((1 - update) * fresh, update * states[1], NAMED.mixed)
  return output, { output }
end

local function state_info(self, batch_size)
  local list = {}
  for i = 1, self._states do
    list[i] = { shape = table.move(self._state_shape, 1, #self._state_shape, 2, { batch_size or 0 }),
                __layout__ = self._conv_layout }
  end
  return list
end

local function text(self)
  local shape = self.i2h_weight.shape
  local channels = shape[self._channel_axis == 1 and 2 or #shape]
  return ("%s(%s -> %d, %s, %s)"):format(class.of(self).__name__, channels > 0 and channels or "None", shape[1],
    tostring(self._activation), self._conv_layout)
end

local function define(axes, kind)
  local name = ("Conv%dD%sCell"):format(axes, kind)
  local cls = base.HybridRecurrentCell:subclass(name)
  local read = arguments.of_block(name, NAMES,
    { i2h_pad = 0, i2h_dilate = 1, h2h_dilate = 1, i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros",
      conv_layout = LAYOUTS[axes][1], activation = "tanh" })
  function cls.alias() return ALIASES[kind] end
  function cls:init(...)
    self._states = kind == "LSTM" and 2 or 1
    init(self, name, kind, axes, read(...))
  end
  --- The shapes and layouts of the states for a batch size: a list of tables.
  cls.state_info = state_info
  cls._step_prefix = modifier_state.step_prefix
  function cls:hybrid_forward(F, input, states, p)
    return STEPS[kind](self, F, input, unrolling.states(self, states, self._states), p)
  end
  cls.__tostring = text
  arguments.methods(cls, "", { state_info = "batch_size" })
  return cls
end

--- Conv1DRNNCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {i2h_pad = 0, i2h_dilate = 1, h2h_dilate = 1,
-- conv_layout = "NCW", activation = "tanh", initializers}): RNNCell with convolutions over one axis, h' =
-- activation(W x + b + R h + c). Kernels over states have odd sizes and are padded, so that states keep their size.
rnn.Conv1DRNNCell = define(1, "RNN")

--- Conv1DLSTMCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {i2h_pad = 0, i2h_dilate = 1, h2h_dilate = 1,
-- conv_layout = "NCW", activation = "tanh", initializers}): LSTMCell with convolutions over one axis, gates in the
-- order in, forget, cell, out; its states are h and c. Kernels over states have odd sizes and are padded, so that
-- states keep their size.
rnn.Conv1DLSTMCell = define(1, "LSTM")

--- Conv1DGRUCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {i2h_pad = 0, i2h_dilate = 1, h2h_dilate = 1,
-- conv_layout = "NCW", activation = "tanh", initializers}): GRUCell with convolutions over one axis, gates in the order
-- reset, update, new. Kernels over states have odd sizes and are padded, so that states keep their size.
rnn.Conv1DGRUCell = define(1, "GRU")

--- Conv2DRNNCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCHW", ...}): Conv1DRNNCell over
-- two axes; kernels, pads and dilations are numbers or lists.
rnn.Conv2DRNNCell = define(2, "RNN")

--- Conv2DLSTMCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCHW", ...}): Conv1DLSTMCell
-- over two axes; kernels, pads and dilations are numbers or lists.
rnn.Conv2DLSTMCell = define(2, "LSTM")

--- Conv2DGRUCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCHW", ...}): Conv1DGRUCell over
-- two axes; kernels, pads and dilations are numbers or lists.
rnn.Conv2DGRUCell = define(2, "GRU")

--- Conv3DRNNCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCDHW", ...}): Conv1DRNNCell
-- over three axes; kernels, pads and dilations are numbers or lists.
rnn.Conv3DRNNCell = define(3, "RNN")

--- Conv3DLSTMCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCDHW", ...}): Conv1DLSTMCell
-- over three axes; kernels, pads and dilations are numbers or lists.
rnn.Conv3DLSTMCell = define(3, "LSTM")

--- Conv3DGRUCell(input_shape, hidden_channels, i2h_kernel, h2h_kernel, {conv_layout = "NCDHW", ...}): Conv1DGRUCell
-- over three axes; kernels, pads and dilations are numbers or lists.
rnn.Conv3DGRUCell = define(3, "GRU")

return rnn
