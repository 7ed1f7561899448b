-- viz.lua - pictures of graphs: what was traced, and what the passes made of it, as DOT text or,
-- with graphviz, as SVG; and MXNet's print_summary.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local autograd = require "hybridlua.autograd"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local is_array, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain

local nd = core.op.nd
local viz = {}

-- ---- What is drawn -----------------------------------------------------------------------------

-- In the order in which they are decided; from the columns of the operator's row.
local KINDS = {
  { name = "random", colour = "#f0d0f7", is = function(op) return op.random end },
  { name = "effect", colour = "#f8c9c4", is = function(op) return op.mutates end },
  { name = "view", colour = "#e6e6e6", is = function(op) return op.view end },
  { name = "elementwise", colour = "#cfe5fb", is = function(op) return op.fusible end },
  { name = "reduction", colour = "#fde3b8", is = function(op) return op.reduction end },
  { name = "kernel", colour = "#d3edc8", is = function() return true end },
}

local function kind_of(node)
  if node.op == "variable" or node.op == "constant" then return { name = node.op, colour = "white" } end
  local op = core.op.row(node.op) or {}
  for _, kind in ipairs(KINDS) do if kind.is(op) then return kind end end
end

local function outputs_of(symbol)
  local list = {}
  for i = 1, #symbol:list_outputs() do list[i] = symbol:output(i - 1) end
  return list
end

-- Values by the names of the arguments and the auxiliary states.
local function by_input(symbol, args, aux)
  local values = {}
  for i, name in ipairs(symbol:list_arguments()) do values[name] = args and args[i] end
  for i, name in ipairs(symbol:list_auxiliary_states()) do values[name] = aux and aux[i] end
  return values
end

-- The compiled graph of a Symbol, and zeros for its inputs if `shapes` tell theirs, in the dtypes that `dtypes` tell.
local function compile_symbol(symbol, shapes, dtypes)
  local variables = core.symbol.variables(symbol)
  local compiled = core.graph.compile(symbol.name or "symbol", variables, outputs_of(symbol))
  if not shapes then return compiled end
  local arrays, args, _, aux = {}, symbol:infer_shape(shapes)
  local by_name = by_input(symbol, args, aux)
  args, _, aux = symbol:infer_type_partial(dtypes)
  local types = by_input(symbol, args, aux)
  for i, v in ipairs(variables) do
    if not by_name[v.name] then
      fail("viz.graph: shapes: the shape of '%s' does not follow from those given", v.name)
    end
    arrays[i] = nd.zeros { shape = by_name[v.name], dtype = types[v.name] or nil }
  end
  return compiled, arrays
end

-- Instructions of a drawn graph: a group is one; inputs, constants and views are none.
local function instructions_of(g)
  local n, seen = 0, {}
  for _, node in ipairs(g.nodes) do
    local kind = kind_of(node).name
    local is_one = node.group and not seen[node.group] or
      not node.group and kind ~= "variable" and kind ~= "constant" and kind ~= "view"
    if node.group then seen[node.group] = true end
    if is_one then n = n + 1 end
  end
  return n
end

local function after_title(g, plan)
  local fused, now = #plan.groups > 0, plan.tier == 1 or #plan.groups == 0
  return ("after the passes: %s%s became %s%s%s"):format(counted(plan.eager_nodes, "operator"),
    plan.record and " with their gradients" or "",
    counted(fused and instructions_of(g) or plan.instructions, "instruction"),
    fused and ", of these " .. counted(#plan.groups, "fused kernel") or "",
    now and (", %d bytes of workspace"):format(plan.arena_bytes) or "")
end

-- Names head gradients by their outputs, and says of what each gradient that comes out is.
local function name_roles(g)
  for _, node in ipairs(g.nodes) do
    local output = node.input and g.heads[node.input - g.n_inputs + 1]
    if node.input and node.input >= g.n_inputs and output then node.name = ("gradient of output %d"):format(output) end
  end
  for i, output in ipairs(g.outputs) do
    if i > g.results then output.title = "gradient of " .. (g.gradients[i - g.results] or "an input") end
  end
end

-- { title, nodes, outputs, results (outputs that are results) }: one for each graph asked for.
local function graphs_of(compiled, arrays, options)
  local list, passes = {}, options.passes or "both"
  if passes ~= "before" and passes ~= "after" and passes ~= "both" then
    fail("viz.graph: passes: expected 'before', 'after' or 'both', got '%s'", tostring(passes))
  end
  if arrays then
    local _ <close> = options.gradient and autograd.record() or
      autograd.pause(nil, { train_mode = options.train or false })
    core.graph.specialize(compiled, table.unpack(arrays))
  end
  if passes ~= "after" then
    local g = core.graph.to_table(compiled)
    g.title, g.results = "as traced", #g.outputs
    list[#list + 1] = g
  end
  if passes ~= "before" and arrays then
    local g = core.graph.to_table(compiled, 1)
    local plan = core.graph.explain(compiled).plans[1]
    name_roles(g)
    g.title = after_title(g, plan)
    list[#list + 1] = g
  end
  return list
end

-- ---- DOT ------------------------------------------------------------------------------------------

local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"' end

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }
local function escaped(text) return (text:gsub("[&<>]", ENTITIES)) end

-- "train.lua:12" of a long path.
local function short_line(line) return line:match "([^/]*)$" end

local function label_of(node)
  local lines = { node.op == "variable" and (node.name ~= "" and node.name or "variable") or node.op }
  if node.op ~= "variable" and node.name ~= "" then lines[#lines + 1] = node.name end
  if node.params ~= "" then lines[#lines + 1] = #node.params > 60 and node.params:sub(1, 57) .. "..." or node.params end
  lines[#lines + 1] = table.concat(node.types, ", ")
  local place = {}
  if node.line ~= "" and node.op ~= "variable" then place[1] = short_line(node.line) end
  place[#place + 1] = node.place
  if #place > 0 then lines[#lines + 1] = table.concat(place, "   ") end
  for i, line in ipairs(lines) do lines[i] = i == 1 and ("<b>%s</b>"):format(escaped(line)) or escaped(line) end
  return "<" .. table.concat(lines, "<br/>") .. ">"
end

-- attributes: graphviz's by name, for all nodes; inputs keep their shape.
local function node_text(node, id, attributes)
  local kind = kind_of(node)
  local shape = node.op == "variable" and "ellipse" or node.op == "constant" and "note" or "box"
  local style = shape == "box" and "filled,rounded" or "filled"
  if node.backward then style = style .. ",dashed" end
  if not attributes then
    return ("%s [label=%s, shape=%s, style=%s, fillcolor=%s]"):format(id(node.id), label_of(node), shape, quoted(style),
      quoted(kind.colour))
  end
  local all, names, texts = { shape = shape, style = style, fillcolor = kind.colour }, {}, {}
  for name, value in pairs(attributes) do if name ~= "shape" or shape == "box" then all[name] = value end end
  for name in pairs(all) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do texts[i] = name .. "=" .. quoted(all[name]) end
  return ("%s [label=%s, %s]"):format(id(node.id), label_of(node), table.concat(texts, ", "))
end

-- Nodes of one group stand in a box; lists of nodes by group, in order of their first node.
local function groups_of(g)
  local groups, by_number = {}, {}
  for _, node in ipairs(g.nodes) do
    local number = node.group
    local group = number and by_number[number]
    if not group then
      group = { number = number, nodes = {} }
      groups[#groups + 1] = group
      if number then by_number[number] = group end
    end
    group.nodes[#group.nodes + 1] = node
  end
  return groups
end

local function add_nodes(lines, g, id, hidden, attributes)
  for _, group in ipairs(groups_of(g)) do
    if group.number then
      lines[#lines + 1] = ("    subgraph %s { label=%s; style=\"filled,rounded\"; color=\"#8aa4c8\"; "
        .. "fillcolor=\"#f2f6fc\"; fontsize=10; labeljust=l;"):format(
        quoted(("cluster_%s_%d"):format(id "", group.number)),
        quoted(("fused kernel %d: %s"):format(group.number, counted(#group.nodes, "operator"))))
    end
    for _, node in ipairs(group.nodes) do
      if not hidden[node.id] then lines[#lines + 1] = "    " .. node_text(node, id, attributes) end
    end
    if group.number then lines[#lines + 1] = "    }" end
  end
end

local function add_edges(lines, g, id, hidden)
  for _, node in ipairs(g.nodes) do
    for _, input in ipairs(node.inputs) do
      if not hidden[input.node] then
        local several = #g.nodes[input.node + 1].types > 1
        local label = several and (" [label=%d, fontsize=9]"):format(input.output) or ""
        lines[#lines + 1] = ("    %s -> %s%s"):format(id(input.node), id(node.id), label)
      end
    end
  end
  for i, output in ipairs(g.outputs) do
    local name, title = id("out" .. i), output.title or "output " .. i - 1
    lines[#lines + 1] = ("    %s [label=%s, shape=plain, fontsize=10]"):format(name, quoted(title))
    lines[#lines + 1] = ("    %s -> %s"):format(id(output.node), name)
  end
end

local function add_legend(lines, graphs)
  local used, cells = {}, {}
  for _, g in ipairs(graphs) do for _, node in ipairs(g.nodes) do used[kind_of(node).name] = true end end
  for _, kind in ipairs(KINDS) do
    if used[kind.name] then
      cells[#cells + 1] = ('<td bgcolor="%s">%s%s</td>'):format(kind.colour,
        kind.name == "kernel" and "hand-written<br/>" or "", kind.name)
    end
  end
  if #cells == 0 then return end
  lines[#lines + 1] = ('  legend [shape=plain, fontsize=9, label=<<table border="0" cellborder="1" cellspacing="3" '
    .. 'color="#999999"><tr>%s</tr></table>>]'):format(table.concat(cells))
  return "legend"
end

-- Has what nothing comes before in each of the graphs stand below a node.
local function put_below(lines, above, graphs, hidden)
  for i, g in ipairs(graphs) do
    local gone = hidden and hidden(g) or {}
    for _, node in ipairs(g.nodes) do
      local first = true
      for _, input in ipairs(node.inputs) do first = first and (gone[input.node] or false) end
      if first and not gone[node.id] then
        lines[#lines + 1] = ("  %s -> %s [style=invis]"):format(above, quoted(("g%d_%s"):format(i, node.id)))
      end
    end
  end
end

-- Has the second graph stand below the first.
local function put_after(lines, graphs, hidden)
  if not graphs[2] then return end
  lines[#lines + 1] = "  between [style=invis, shape=point]"
  for i = 1, #graphs[1].outputs do lines[#lines + 1] = ('  "g1_out%d" -> between [style=invis]'):format(i) end
  local second = {}
  put_below(second, "between", graphs, hidden)
  for _, line in ipairs(second) do if line:find('"g2_', 1, true) then lines[#lines + 1] = line end end
end

-- hidden(g) -> the ids of nodes that are left out.
local function dot_of(graphs, title, hidden, below, attributes)
  local lines = { "digraph {", ("  label=%s; labelloc=t; fontsize=14"):format(quoted(title)),
    '  graph [fontname="Helvetica", nodesep=0.3, ranksep=0.35]',
    '  node [fontname="Helvetica", fontsize=10, margin="0.2,0.08"]',
    '  edge [color="#555555", arrowsize=0.7]' }
  for i, g in ipairs(graphs) do
    local function id(node) return quoted(("g%d_%s"):format(i, node)) end
    local plain = function(node) return node == "" and "g" .. i or id(node) end
    local gone = hidden and hidden(g) or {}
    lines[#lines + 1] = ("  subgraph cluster_g%d { label=%s; color=\"#bbbbbb\"; fontsize=11;"):format(i,
      quoted(g.title))
    add_nodes(lines, g, plain, gone, attributes)
    add_edges(lines, g, id, gone)
    lines[#lines + 1] = "  }"
  end
  local legend = add_legend(lines, graphs)
  if legend then put_below(lines, legend, below and { graphs[1] } or graphs, hidden) end
  if below then put_after(lines, graphs, hidden) end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end

-- ---- Files ------------------------------------------------------------------------------------------

local function write(path, text)
  if path:find("\0", 1, true) then fail("viz.graph: path: expected a name without zero bytes") end
  local file, message = io.open(path, "wb")
  if not file then fail("viz.graph: path: %s", message) end
  file:write(text)
  file:close()
end

-- What graphviz makes of DOT text.
local function render(dot, format)
  if not os.execute "command -v dot >/dev/null 2>&1" then
    fail("viz.graph: format: '%s' needs the program dot, which was not found; install graphviz, or ask for " ..
      "{format = 'dot'}", format)
  end
  local name = os.tmpname()
  write(name, dot)
  local pipe = io.popen(("dot -T%s '%s' 2>&1"):format(format, name))
  local text = pipe:read "a"
  local ok = pipe:close()
  os.remove(name)
  if not ok then fail("viz.graph: dot failed: %s", text) end
  return text
end

local FORMATS = { dot = true, svg = true, png = true, pdf = true }

local function finish(dot, options)
  local format = options.format or (options.path and options.path:match "%.(%a+)$") or "dot"
  if not FORMATS[format] then
    fail("viz.graph: format: expected 'dot', 'svg', 'png' or 'pdf', got '%s'", tostring(format))
  end
  local text = format == "dot" and dot or render(dot, format)
  if options.path then write(options.path, text) end
  return text
end

local OPTIONS = { format = true, path = true, passes = true, gradient = true, train = true, title = true,
  layout = true, file = true }

-- `file` is another name of `path`.
local function with_path(options)
  if options.path ~= nil then fail "viz.graph: path and file are the same option: give one" end
  local copy = {}
  for key, value in pairs(options) do copy[key] = value end
  copy.path, copy.file = options.file, nil
  return copy
end

local function take_options(...)
  local args = table.pack(...)
  local last = args[args.n]
  local options = {}
  if is_plain(last) then
    local ours, named = false, next(last) ~= nil
    for key, value in pairs(last) do
      ours = ours or OPTIONS[key] or false
      named = named and type(key) == "string" and type(value) ~= "table" and not is_array(value) and
        not is_symbol(value)
    end
    if ours or named then
      options, args.n = last, args.n - 1
      for key in pairs(options) do
        if not OPTIONS[key] then
          fail("viz.graph: unknown option '%s'%s", tostring(key), nearest.hint(tostring(key), OPTIONS))
        end
      end
      if options.file ~= nil then options = with_path(options) end
    end
  end
  return options, args
end

-- A name that the script gave, else what it is computed of.
local function symbol_title(symbol)
  local name, inputs = symbol.name, symbol:list_arguments()
  if name and not name:find "^_" then return name end
  return ("a Symbol of %s%s"):format(inputs[1] or "no variables",
    #inputs > 1 and (" and %s more"):format(counted(#inputs - 1, "variable")) or "")
end

-- ---- The functions -------------------------------------------------------------------------------------

--- A picture of a graph: net is a hybrid block or a function of hl.compile, called with these
-- arguments, or a Symbol with the shapes of its inputs, {data = {1, 8}} (nil: before the passes only).
-- Options: passes = "before", "after" or "both"; gradient = true (with backward), train = true;
-- format = "dot", or what graphviz makes: "svg", "png", "pdf"; path (or file) = a file to write (its ending
-- gives the format); title; layout = "beside" or "below", how the two graphs stand. Returns the picture's text.
function viz.graph(net, ...)
  local options, args = take_options(...)
  local compiled, arrays
  local layout, title = options.layout or "beside", options.title
  if layout ~= "beside" and layout ~= "below" then
    fail("viz.graph: layout: expected 'beside' or 'below', got '%s'", tostring(layout))
  end
  if is_symbol(net) then
    compiled, arrays = compile_symbol(net, args[1])
    title = title or symbol_title(net)
  elseif class.is_a(net, HybridBlock) then
    local t
    t, arrays = net:compiled_for(table.unpack(args, 1, args.n))
    compiled = t.compiled
  else
    fail("viz.graph: net: expected a HybridBlock, a function made by hl.compile or a Symbol, got %s", type(net))
  end
  return finish(dot_of(graphs_of(compiled, arrays, options), title or core.graph.explain(compiled).name, nil,
    layout == "below"), options)
end

-- The variables that operators read but for the first of each graph and those in `shown`.
local function parameter_nodes(shown)
  return function(g)
    local hidden = {}
    for i, node in ipairs(g.nodes) do
      if node.op == "variable" and i > 1 and not shown[node.name] then hidden[node.id] = true end
    end
    return hidden
  end
end

-- What graphviz is to write of each node: names and texts, numbers or truth values.
local function check_attributes(given)
  if given ~= nil and not is_plain(given) then
    fail("plot_network: node_attrs: expected a table such as {shape = 'oval'}, got %s", type(given))
  end
  local attributes = {}
  for name, value in pairs(given or {}) do
    if type(name) ~= "string" or not name:find "^%a%w*$" then
      fail("plot_network: node_attrs: expected graphviz's names as keys, got '%s'", tostring(name))
    end
    if type(value) == "table" or type(value) == "function" then
      fail("plot_network: node_attrs: %s: expected a text, got %s", name, type(value))
    end
    attributes[name] = tostring(value)
  end
  return given and attributes
end

local read_plot = arguments.new("plot_network",
  "symbol title save_format shape{} dtype{} node_attrs{} hide_weights format path")

--- MXNet's name: the graph of a Symbol as it is. Options: title, shape = {data = {1, 8}}, dtype = {data = "float64"},
-- node_attrs = {shape = "oval"} (graphviz's attributes of operators and, except the shape, of inputs), hide_weights
-- (true: inputs but the first, and those in shape, are left out), format (save_format too), path.
function viz.plot_network(...)
  local options = read_plot(...)
  local symbol = options.symbol
  options.format = options.format or options.save_format
  if not is_symbol(symbol) then fail("plot_network: symbol: expected a Symbol, got %s", type(symbol)) end
  local attributes = check_attributes(options.node_attrs)
  if options.dtype and not symbol:get_internals():infer_type(options.dtype) then
    fail "plot_network: dtype: input type is incomplete"
  end
  local compiled, arrays = compile_symbol(symbol, options.shape, options.dtype)
  local graphs = graphs_of(compiled, arrays, { passes = "before" })
  local hide = options.hide_weights ~= false and parameter_nodes(options.shape or {}) or nil
  return finish(dot_of(graphs, options.title or "plot", hide, nil, attributes), options)
end

-- Cuts and fills fields to columns.
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

-- Shapes of all values by name, from those of the inputs.
local function shapes_by_name(symbol, shapes)
  local internals = symbol:get_internals()
  local _, out = internals:infer_shape(shapes)
  if not out then fail("print_summary: shape: input shape is incomplete") end
  local by_name = {}
  for i, name in ipairs(internals:list_outputs()) do by_name[name] = out[i] end
  return by_name
end

local read_summary = arguments.new("print_summary", "symbol shape{} line_length positions[]")

-- print_summary(s, {data = {1, 8}}) gives shapes, print_summary(s, {shape = {data = {1, 8}}}) options.
local function named_shape(...)
  local symbol, given = ...
  local shape = select("#", ...) == 2 and type(given) == "table" and given.shape
  if type(shape) ~= "table" or #shape > 0 then return ... end
  local options = { symbol = symbol }
  for key, value in pairs(given) do options[key] = value end
  return options
end

--- Prints a table of the layers of a Symbol: name, output shape without the batch, parameters
-- (elements of the variables that it reads, but inputs, labels and auxiliary states), the layers
-- before. shape = {data = {1, 8}}.
function viz.print_summary(...)
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

return require "hybridlua.language.module"(viz, "hybridlua.viz")
