-- print_summary.lua - viz.print_summary, MXNet's table of the layers of a Symbol.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local outputs_of = require("hybridlua.viz.drawn_graph").outputs_of
local is_symbol = core.symbol.is

local function row_text(fields, positions)
  local line = ""
  for i, field in ipairs(fields) do
    line = (line .. field):sub(1, positions[i])
    line = line .. (" "):rep(positions[i] - #line)
  end
  return line
end

local function size_of(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

-- Shapes of all values by name, inferred from those of the inputs.
local function shapes_by_name(symbol, shapes)
  local internals = symbol:get_internals()
  local _, out = internals:infer_shape(shapes)
  if not out then fail("print_summary: shape: input shape is incomplete") end
  local by_name = {}
  for i, name in ipairs(internals:list_outputs()) do by_name[name] = out[i] end
  return by_name
end

local read_summary = arguments.new("print_summary", "symbol shape{} line_length positions[]")

-- print_summary(s, {data = {1, 8}}) has shapes, print_summary(s, {shape = {data = {1, 8}}}) options.
local function named_shape(...)
  local symbol, given = ...
  local shape = select("#", ...) == 2 and type(given) == "table" and given.shape
  if type(shape) ~= "table" or #shape > 0 then return ... end
  local options = { symbol = symbol }
  for key, value in pairs(given) do options[key] = value end
  return options
end

--- Prints a table of the layers of a Symbol: name, output shape without the batch, number of parameters (elements of
-- the variables read, except inputs, labels and auxiliary states), previous layers. shape = {data = {1, 8}}.
local function print_summary(...)
  local options = read_summary(named_shape(...))
  local symbol, shape, line_length, positions = options.symbol, options.shape, options.line_length, options.positions
  if not is_symbol(symbol) then fail("print_summary: symbol: expected a Symbol, got %s", type(symbol)) end
  line_length, positions = line_length or 120, table.move(positions or { 0.44, 0.64, 0.74, 1.0 }, 1, 4, 1, {})
  local shapes = shape and shapes_by_name(symbol, shape) or {}
  if positions[#positions] <= 1 then for i, p in ipairs(positions) do positions[i] = math.floor(line_length * p) end end
  local g = core.graph.to_table(core.graph.compile("summary", core.symbol.variables(symbol), outputs_of(symbol)))
  local aux, summed, total, rows = {}, {}, 0, {}
  for _, name in ipairs(symbol:list_auxiliary_states()) do aux[name] = true end
  local function of_node(node)
    local before, n = {}, 0
    for _, input in ipairs(node.inputs) do
      local from = g.nodes[input.node + 1]
      local is_input = from.op ~= "variable" or (shape and shape[from.name]) or input.node == 0
      if is_input then before[#before + 1] = from.name
      elseif not (aux[from.name] or summed[from.name] or from.name:find "label$") then
        summed[from.name] = true
        n = n + (shapes[from.name] and size_of(shapes[from.name]) or 0)
      end
    end
    return n, before
  end
  for i, node in ipairs(g.nodes) do
    if node.op ~= "variable" or i == 1 then
      local n, before = of_node(node)
      local out = shapes[node.op == "variable" and node.name or node.name .. "_output"] or {}
      local kind = node.op == "variable" and "null" or node.op
      rows[#rows + 1] = { ("%s(%s)"):format(node.name, kind), table.concat(out, "x", 2), tostring(n), before[1] or "" }
      for k = 2, #before do rows[#rows + 1] = { "", "", "", before[k], more = true } end
      total = total + n
    end
  end
  print(("_"):rep(line_length))
  print(row_text({ "Layer (type)", "Output Shape", "Param #", "Previous Layer" }, positions))
  print(("="):rep(line_length))
  for i, row in ipairs(rows) do
    print(row_text(row, positions))
    if i == #rows then print(("="):rep(line_length))
    elseif not rows[i + 1].more then print(("_"):rep(line_length)) end
  end
  print(("Total params: %d"):format(total))
  print(("_"):rep(line_length))
end

return print_summary
