-- unrolling.lua - sequences for recurrent cells: one array with an axis of steps, or a list of steps; and MXNet's rules
-- for lengths: past its length a sequence's outputs are 0, and its states are those of its last step.
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, is_plain, nd = core.array.is, core.symbol.is, core.script.is_plain, core.op.nd
local sym = core.op.sym

local unrolling = {}

--- nd for an array, sym for a Symbol.
function unrolling.F_of(x) return is_symbol(x) and sym or nd end

local F_of = unrolling.F_of

--- The arguments of unroll: the length, the axis of steps, and the layout.
function unrolling.read(self, length, layout)
  length, layout = checks.whole("unroll: length", length, 1), layout or "NTC"
  checks.choice(self.name .. ": unroll: layout", layout, "NTC", "TNC")
  return length, layout:find "T" - 1, layout
end

--- The n states of a call as a list; a single one may be given without a list.
function unrolling.states(self, states, n)
  if is_array(states) or is_symbol(states) then states = { states } end
  if type(states) ~= "table" or #states ~= n then
    fail("%s: states: expected %d, got %s", self.name, n, type(states) == "table" and #states or tostring(states))
  end
  for i = 1, n do
    if not is_array(states[i]) and not is_symbol(states[i]) then
      fail("%s: states[%d]: expected an NDArray or a Symbol, got %s", self.name, i, type(states[i]))
    end
  end
  return states
end

--- The list of steps along an axis of an array; a list is returned as it is.
function unrolling.steps_of(self, inputs, length, axis)
  if not is_plain(inputs) then
    local steps = F_of(inputs).SliceChannel(inputs, { axis = axis, num_outputs = length, squeeze_axis = true })
    return length == 1 and { steps } or steps
  end
  if #inputs ~= length then fail("%s: unroll: inputs: expected %d steps, got %d", self.name, length, #inputs) end
  return inputs
end

--- A list of steps as one array.
function unrolling.merged(inputs, axis)
  return is_plain(inputs) and F_of(inputs[1]).stack(inputs, { axis = axis }) or inputs
end

--- The steps as one array (merge = true), as a list (false), or as they are (nil).
function unrolling.formed(outputs, length, axis, merge)
  if merge == true then return unrolling.merged(outputs, axis) end
  if merge == false then return unrolling.steps_of({ name = "" }, outputs, length, axis) end
  return outputs
end

--- The sequence as one array, with 0 after each length.
function unrolling.masked(outputs, valid_length, axis)
  local merged = unrolling.merged(outputs, axis)
  return F_of(merged).SequenceMask(merged, valid_length, { use_sequence_length = true, axis = axis })
end

--- The states after each sequence's last step, from the lists of states after every step.
function unrolling.last_states(all_states, valid_length)
  local states = {}
  for i = 1, #all_states[1] do
    local each = {}
    for t, at in ipairs(all_states) do each[t] = at[i] end
    states[i] = F_of(each[1]).SequenceLast(F_of(each[1]).stack(each, { axis = 0 }), valid_length,
      { use_sequence_length = true, axis = 0 })
  end
  return states
end

--- The list of steps with each sequence reversed, up to its length.
function unrolling.reversed(steps, valid_length)
  local n, list = #steps, {}
  if not valid_length then
    for t = 1, n do list[t] = steps[n + 1 - t] end
    return list
  end
  local F = F_of(steps[1])
  local turned = F.SequenceReverse(F.stack(steps, { axis = 0 }), valid_length, { use_sequence_length = true })
  return unrolling.steps_of({ name = "" }, turned, n, 0)
end

--- States of zeros, for a step whose batch size is unknown in a trace.
function unrolling.zeros(cell, F, input)
  local states, one = {}, nil
  for i, info in ipairs(cell:state_info()) do
    one = one or F.zeros_like(F.slice_axis(F.Flatten(input), { axis = 1, begin = 0, ["end"] = 1 }))
    local lines, axes, sizes = { -1 }, {}, {}
    for d = 2, #info.shape do lines[d], axes[d - 1], sizes[d - 1] = 1, d - 1, info.shape[d] end
    states[i] = F.broadcast_axis(F.reshape(one, { shape = lines }), { axis = axes, size = sizes })
  end
  return states
end

--- The same for a whole sequence.
function unrolling.begin(cell, inputs, axis)
  local first
  if is_plain(inputs) then
    first = inputs[1]
  else
    local F = F_of(inputs)
    first = F.squeeze(F.slice_axis(inputs, { axis = axis, begin = 0, ["end"] = 1 }), { axis = axis })
  end
  return unrolling.zeros(cell, F_of(first), first)
end

return unrolling
