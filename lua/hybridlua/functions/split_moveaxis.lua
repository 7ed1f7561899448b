-- split_moveaxis.lua - functions that MXNet writes on top of operators: split_v2, moveaxis, concatenate.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local nd = core.op.nd

local functions = {}

local read_split = arguments.new("split_v2", { "ary", "indices_or_sections", "axis", "squeeze_axis" },
  { axis = 0, squeeze_axis = false })

--- Splits an array into n equal parts (a number), or before each of several indices (a table): split_v2(x, {1, 3}, 0)
-- returns x["0:1"], x["1:3"], x["3:"].
-- Options: axis (0), squeeze_axis (false). Returns a table, or the part if there is only one.
function functions.split_v2(...)
  local a = read_split(...)
  if math.type(a.indices_or_sections) == "integer" then
    return nd.SliceChannel(a.ary, { num_outputs = a.indices_or_sections, axis = a.axis, squeeze_axis = a.squeeze_axis })
  elseif type(a.indices_or_sections) ~= "table" then
    fail("split_v2: indices_or_sections: expected an integer or a table of integers, got %s",
      type(a.indices_or_sections))
  end
  return nd._split_v2(a.ary,
    { indices = { 0, table.unpack(a.indices_or_sections) }, axis = a.axis, squeeze_axis = a.squeeze_axis })
end

--- Moves axes (a number or a table) to other positions; the other axes keep their order.
function functions.moveaxis(tensor, source, destination)
  operand.check("moveaxis", "tensor", tensor)
  local ndim = tensor.ndim
  local from = operand.axes("moveaxis", "source", source, ndim)
  local to = operand.axes("moveaxis", "destination", destination, ndim)
  if #from ~= #to then fail("moveaxis: destination: expected %d axes, as many as source has, got %d", #from, #to) end
  local at, order, rest, moved = {}, {}, 0, {}
  for i, axis in ipairs(to) do at[axis], moved[from[i]] = from[i], true end
  for place = 0, ndim - 1 do
    if not at[place] then
      while moved[rest] do rest = rest + 1 end
      at[place], rest = rest, rest + 1
    end
    order[place + 1] = at[place]
  end
  return nd.transpose(tensor, { axes = order })
end

--- Joins a table of arrays along an axis (0); an older name of concat.
function functions.concatenate(arrays, axis) return nd.Concat(arrays, { dim = axis or 0 }) end

arguments.functions(functions, "",
  { moveaxis = "tensor source[] destination[]", concatenate = "arrays[] axis always_copy" })

return { functions = functions, no_method = { concatenate = true } }
