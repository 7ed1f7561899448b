-- rnn/base_cell.lua - BaseRNNCell and RNNParams: recurrent cells that build Symbols, step by step (MXNet 1.x, mx.rnn).
--
-- A cell has the fields prefix, params, state_info (a list of { shape =, __layout__ = }, where 0 is the batch, which is
-- inferred) and state_shape. Nodes of step t are named prefix .. "t" .. t .. "_...", as in MXNet.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain

local next_name = core.name.next

local sym, nd = core.op.sym, core.op.nd
local base = {}

-- ---- Parameters --------------------------------------------------------------------------------------------------

--- RNNParams(prefix = ""): variables that cells share, by name.
local RNNParams = class.root("RNNParams", class.new, "params")
base.RNNParams = RNNParams

local read_params = arguments.new("RNNParams", "prefix", { prefix = "" })

function RNNParams:init(...)
  self._prefix, self._params = checks.string("RNNParams: prefix", read_params(...).prefix), {}
end

--- get(name, options): the variable prefix .. name, made with these options of sym.var at the first call.
function RNNParams:get(name, options)
  name = self._prefix .. checks.string("RNNParams.get: name", name)
  if not self._params[name] then self._params[name] = sym.var(name, options or {}) end
  return self._params[name]
end

function RNNParams:_update(other)
  for name, variable in pairs(other._params) do self._params[name] = variable end
end

-- ---- Sequences ---------------------------------------------------------------------------------------------------

local function time_axis(what, layout)
  local at = checks.string(what .. ": layout", layout):find("T", 1, true)
  if not at then fail("%s: layout: expected a layout with T, such as 'NTC' or 'TNC', got '%s'", what, layout) end
  return at - 1
end

--- The steps of a sequence. merge: true for one Symbol, false for a list, nil for the form it has. Returns it and the
-- axis of time.
function base.normalize(what, length, inputs, layout, merge)
  local axis = time_axis(what, layout)
  if inputs == nil then fail("%s: inputs: expected a Symbol or a list of Symbols, got nothing", what) end
  if is_symbol(inputs) then
    if merge ~= false then return inputs, axis end
    if #inputs:list_outputs() ~= 1 then
      fail("%s: inputs: expected a Symbol with one output, got one with %d; write a list of Symbols", what,
        #inputs:list_outputs())
    end
    local steps = sym.SliceChannel(inputs, { axis = axis, num_outputs = length, squeeze_axis = true,
      name = next_name(nil, "split") })
    return is_symbol(steps) and { steps } or steps, axis
  end
  if not is_plain(inputs) then
    fail("%s: inputs: expected a Symbol or a list of Symbols, got %s", what, type(inputs))
  end
  if #inputs ~= length then fail("%s: inputs: expected %d steps, got %d", what, length, #inputs) end
  for i, x in ipairs(inputs) do
    if not is_symbol(x) then fail("%s: inputs: expected Symbols, got %s at %d", what, type(x), i) end
  end
  if not merge then return inputs, axis end
  local steps = {}
  for i, x in ipairs(inputs) do steps[i] = sym.expand_dims(x, { axis = axis }) end
  return sym.Concat(steps, { dim = axis }), axis
end

--- Checks the list of n states of a cell, and returns it.
function base.check_states(what, states, n)
  if not is_plain(states) or #states ~= n then
    fail("%s: states: expected a list of %s, got %s", what, counted(n, "Symbol"),
      is_plain(states) and #states or type(states))
  end
  return states
end

-- ---- The cell ----------------------------------------------------------------------------------------------------

--- BaseRNNCell(prefix = "", params = nil): the base of all cells. A cell of your own has the field state_info and the
-- method __call(inputs, states), which returns the output and the new states. params: an RNNParams to share weights.
local BaseRNNCell = class.root("BaseRNNCell", class.new, "cell")
base.BaseRNNCell = BaseRNNCell

local read_cell = arguments.new("BaseRNNCell", "prefix params", { prefix = "" })

function BaseRNNCell:init(...)
  local what, o = class.of(self).__name__, read_cell(...)
  local params = o.params
  self._prefix = checks.string(what .. ": prefix", o.prefix)
  if params ~= nil then checks.instance(what .. ": params", params, RNNParams, "an RNNParams") end
  self.params, self._own_params, self._modified = params or RNNParams(self._prefix), params == nil, false
  self.state_info, self.state_shape, self._gate_names = {}, {}, {}
  self:reset()
end

-- Appends states; infos: lists of { shape =, __layout__ = }.
function BaseRNNCell:_add_states(infos)
  for _, info in ipairs(infos) do
    self.state_info[#self.state_info + 1], self.state_shape[#self.state_shape + 1] = info, info.shape
  end
end

--- Counts steps from 0 again, before another unrolling.
function BaseRNNCell:reset()
  self._init_counter, self._counter = -1, -1
  for _, cell in ipairs(self._cells or {}) do cell:reset() end
end

-- The prefix of the names of the next step's nodes.
function BaseRNNCell:_step()
  self._counter = self._counter + 1
  return ("%st%d_"):format(self._prefix, self._counter)
end

--- cell(inputs, states): one step, of Symbols. Returns the output and the list of new states.
function BaseRNNCell:__call()
  fail("%s: the cell has no step; write function %s:__call(inputs, states)", class.of(self).__name__,
    class.of(self).__name__)
end

function BaseRNNCell:_refuse_modified()
  if self._modified then
    fail("After applying modifier cells (e.g. DropoutCell) the base cell cannot be called directly. Call the " ..
      "modifier cell instead.")
  end
end

local read_begin = arguments.new("begin_state", "func options{*}")

--- begin_state(func = sym.zeros, options): the list of initial states, by func{name =, shape =, __layout__ =} with the
-- options.
function BaseRNNCell:begin_state(...)
  self:_refuse_modified()
  local given, states = read_begin(...), {}
  local func = given.func or sym.zeros
  checks.callable("begin_state: func", func, "a table of options")
  for i, info in ipairs(self.state_info) do
    self._init_counter = self._init_counter + 1
    local options = { name = ("%sbegin_state_%d"):format(self._prefix, self._init_counter) }
    for _, from in ipairs { info, given.options or {} } do
      for key, value in pairs(from) do options[key] = value end
    end
    states[i] = func(options)
  end
  return states
end

local function copy_of(what, args)
  if not is_plain(args) then fail("%s: args: expected a table of arrays by name, got %s", what, type(args)) end
  local copy = {}
  for name, array in pairs(args) do copy[name] = array end
  return copy
end
base.copy_of = copy_of

-- Removes an array from a table.
local function take(what, args, name)
  local array = args[name]
  if array == nil then fail("%s: args: expected '%s', got none", what, name) end
  if not is_array(array) then fail("%s: args: %s: expected an NDArray, got %s", what, name, type(array)) end
  args[name] = nil
  return array
end
base.take = take

--- unpack_weights(args): a copy of the table of arrays in which each weight of all gates is replaced by one per gate.
function BaseRNNCell:unpack_weights(args)
  args = copy_of("unpack_weights", args)
  local h = self._num_hidden
  for _, group in ipairs(#self._gate_names > 0 and { "i2h", "h2h" } or {}) do
    for _, kind in ipairs { "weight", "bias" } do
      local packed = take("unpack_weights", args, ("%s%s_%s"):format(self._prefix, group, kind))
      for j, gate in ipairs(self._gate_names) do
        args[("%s%s%s_%s"):format(self._prefix, group, gate, kind)] = packed[{ { (j - 1) * h, j * h } }]:copy()
      end
    end
  end
  return args
end

--- pack_weights(args): the reverse of unpack_weights.
function BaseRNNCell:pack_weights(args)
  args = copy_of("pack_weights", args)
  for _, group in ipairs(#self._gate_names > 0 and { "i2h", "h2h" } or {}) do
    for _, kind in ipairs { "weight", "bias" } do
      local parts = {}
      for j, gate in ipairs(self._gate_names) do
        parts[j] = take("pack_weights", args, ("%s%s%s_%s"):format(self._prefix, group, gate, kind))
      end
      args[("%s%s_%s"):format(self._prefix, group, kind)] = nd.concat(parts, { dim = 0 })
    end
  end
  return args
end

--- unroll(length, inputs, begin_state, layout = "NTC", merge_outputs = nil): the cell over a sequence. inputs: a Symbol
-- of this layout, or a list of a Symbol per step. Returns the outputs (one Symbol if merge_outputs, a list if it is
-- false or nil) and the last states.
function BaseRNNCell:unroll(length, inputs, begin_state, layout, merge_outputs)
  length, layout = checks.whole("unroll: length", length, 1), layout or "NTC"
  self:reset()
  local steps, outputs = base.normalize("unroll", length, inputs, layout, false), {}
  local states = begin_state or self:begin_state()
  for t = 1, length do outputs[t], states = self(steps[t], states) end
  return base.normalize("unroll", length, outputs, layout, merge_outputs), states
end

arguments.methods(RNNParams, "RNNParams.", { get = "name options{*}" })
arguments.methods(BaseRNNCell, "", { unpack_weights = "args{}", pack_weights = "args{}", reset = "",
  unroll = "length inputs begin_state layout merge_outputs" })

return base
