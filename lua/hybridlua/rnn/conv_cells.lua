-- rnn/conv_cells.lua - ConvRNNCell, ConvLSTMCell and ConvGRUCell: cells of Symbols with convolutions over images in
-- place of matrix products (X. Shi et al., "Convolutional LSTM network", 2015). Gluon's are in gluon.contrib.rnn.
local arguments = require "hybridlua.language.arguments"
local base = require "hybridlua.rnn.base_cell"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_plain = core.script.is_plain

local sym = core.op.sym
local BaseRNNCell, cells = base.BaseRNNCell, {}

local NAMES = "input_shape num_hidden h2h_kernel h2h_dilate i2h_kernel i2h_stride i2h_pad i2h_dilate " ..
  "i2h_weight_initializer h2h_weight_initializer i2h_bias_initializer h2h_bias_initializer activation prefix params " ..
  "conv_layout"

-- MXNet's default activation: a leaky ReLU.
local function leaky(x, options) return sym.LeakyReLU(x, { act_type = "leaky", slope = 0.2, name = options.name }) end

local function defaults(prefix)
  return { h2h_kernel = { 3, 3 }, h2h_dilate = { 1, 1 }, i2h_kernel = { 3, 3 }, i2h_stride = { 1, 1 },
    i2h_pad = { 1, 1 }, i2h_dilate = { 1, 1 }, i2h_bias_initializer = "zeros", h2h_bias_initializer = "zeros",
    activation = leaky, prefix = prefix, conv_layout = "NCHW" }
end

-- ---- What the three cells share ----------------------------------------------------------------------------------

--- BaseConvRNNCell: the base of the three, without a step.
local BaseConvRNNCell = BaseRNNCell:subclass "BaseConvRNNCell"
cells.BaseConvRNNCell = BaseConvRNNCell

local read_base = arguments.new("BaseConvRNNCell", NAMES, defaults "")

local function prepare(self, what, o, states, gates)
  BaseRNNCell.init(self, { prefix = o.prefix, params = o.params })
  local function pair(name, least) return checks.whole_list(("%s: %s"):format(what, name), o[name], 2, least) end
  self._num_hidden = checks.whole(what .. ": num_hidden", o.num_hidden, 1)
  self._layout, self._activation = checks.string(what .. ": conv_layout", o.conv_layout), o.activation
  local channels = self._layout:find("C", 1, true)
  self._channel_axis = channels and channels - 1 or
    fail("%s: conv_layout: expected a layout with C, such as 'NCHW', got '%s'", what, self._layout)
  if type(o.activation) ~= "string" then checks.callable(what .. ": activation", o.activation, "a Symbol") end
  local h2h_kernel, h2h_dilate, pad = pair("h2h_kernel", 1), pair("h2h_dilate", 1), {}
  for i, size in ipairs(h2h_kernel) do
    if size % 2 == 0 then
      fail("%s: Only support odd number, got h2h_kernel= (%d, %d)", what, h2h_kernel[1], h2h_kernel[2])
    end
    pad[i] = h2h_dilate[i] * (size - 1) // 2
  end
  local rows = self._num_hidden * #gates
  self._i2h = { num_filter = rows, kernel = pair("i2h_kernel", 1), stride = pair("i2h_stride", 1),
    pad = pair("i2h_pad", 0), dilate = pair("i2h_dilate", 1), layout = self._layout }
  self._h2h = { num_filter = rows, kernel = h2h_kernel, stride = { 1, 1 }, pad = pad, dilate = h2h_dilate,
    layout = self._layout }
  if not is_plain(o.input_shape) or #o.input_shape ~= 4 then
    fail("%s: input_shape: expected the shape of one step, such as {16, 3, 32, 32}", what)
  end
  local like = { num_filter = self._num_hidden }
  for key, value in pairs(self._i2h) do like[key] = like[key] or value end
  local _, shapes = sym.Convolution(sym.var "data", like):infer_shape { data = o.input_shape }
  local shape = table.move(shapes[1], 2, 4, 2, { 0 })
  for _ = 1, states do self:_add_states { { shape = shape, __layout__ = self._layout } } end
  self._gate_names = gates
  for _, name in ipairs { "i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias" } do
    self["_" .. name] = self.params:get(name, { init = o[name .. "_initializer"] })
  end
end

function BaseConvRNNCell:init(...) prepare(self, "BaseConvRNNCell", read_base(...), 2, {}) end

-- The convolutions of the input and of the first state, whose names begin with `name`.
local function convolved(self, inputs, state, name)
  local function convolution(data, which)
    local options = { data = data, weight = self[("_%s_weight"):format(which)], bias = self[("_%s_bias"):format(which)],
      name = name .. which }
    for key, value in pairs(self["_" .. which]) do options[key] = value end
    return sym.Convolution(options)
  end
  return convolution(inputs, "i2h"), convolution(state, "h2h")
end

local function activate(self, x, name)
  local act = self._activation
  if type(act) == "string" then return sym.Activation(x, { act_type = act, name = name }) end
  return act(x, { name = name })
end

local function sigmoid(x, name) return sym.Activation(x, { act_type = "sigmoid", name = name }) end

local function slices(self, x, n, name)
  return sym.SliceChannel(x, { num_outputs = n, axis = self._channel_axis, name = name })
end

local function define(name, states, gates, step)
  local cls = BaseConvRNNCell:subclass(name)
  local read = arguments.new(name, NAMES, defaults(name:gsub("Cell$", "_")))
  function cls:init(...) prepare(self, name, read(...), states, gates) end
  function cls:__call(inputs, before)
    base.check_states(class.of(self).__name__, before, states)
    return step(self, inputs, before, self:_step())
  end
  cells[name] = cls
end

-- ---- The cells ---------------------------------------------------------------------------------------------------

--- ConvRNNCell(input_shape, num_hidden, {h2h_kernel = {3, 3}, h2h_dilate = {1, 1}, i2h_kernel = {3, 3}, i2h_stride =
-- {1, 1}, i2h_pad = {1, 1}, i2h_dilate = {1, 1}, initializers, activation = a leaky ReLU, prefix = "ConvRNN_", params,
-- conv_layout = "NCHW"}): RNNCell with convolutions; input_shape: that of the input of one step, with the batch.
-- activation: a name, or a function of a Symbol and { name = }. Kernels over states have odd sizes.
define("ConvRNNCell", 1, { "" }, function(self, inputs, before, name)
  local i2h, h2h = convolved(self, inputs, before[1], name)
  local output = activate(self, i2h + h2h, name .. "out")
  return output, { output }
end)

--- ConvLSTMCell(input_shape, num_hidden, ...): LSTMCell with convolutions, gates in the order i, f, c, o; prefix
-- "ConvLSTM_", other arguments as for ConvRNNCell.
define("ConvLSTMCell", 2, { "_i", "_f", "_c", "_o" }, function(self, inputs, before, name)
  local i2h, h2h = convolved(self, inputs, before[1], name)
  local gates = slices(self, i2h + h2h, 4, name .. "slice")
  local enter, keep = sigmoid(gates[1], name .. "i"), sigmoid(gates[2], name .. "f")
  local fresh, let = activate(self, gates[3], name .. "c"), sigmoid(gates[4], name .. "o")
  local next_c = sym._plus(keep * before[2], enter * fresh, { name = name .. "state" })
  local next_h = sym._mul(let, activate(self, next_c), { name = name .. "out" })
  return next_h, { next_h, next_c }
end)

--- ConvGRUCell(input_shape, num_hidden, ...): GRUCell with convolutions, gates in the order r, z, o; prefix "ConvGRU_",
-- other arguments as for ConvRNNCell.
define("ConvGRUCell", 1, { "_r", "_z", "_o" }, function(self, inputs, before, name)
  local i2h, h2h = convolved(self, inputs, before[1], name)
  local i, h = slices(self, i2h, 3, name .. "_i2h_slice"), slices(self, h2h, 3, name .. "_h2h_slice")
  local reset, update = sigmoid(i[1] + h[1], name .. "_r_act"), sigmoid(i[2] + h[2], name .. "_z_act")
  local fresh = activate(self, i[3] + reset * h[3], name .. "_h_act")
  local next_h = sym._plus((1.0 - update) * fresh, update * before[1], { name = name .. "out" })
  return next_h, { next_h }
end)

return cells
