-- viz.lua - pictures of graphs, before and after the passes, as DOT text or, with graphviz, as SVG; and MXNet's
-- print_summary.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local dot_text = require "hybridlua.viz.dot_text"
local script = require "hybridlua.language.script_line"
local drawn = require "hybridlua.viz.drawn_graph"
local is_array, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain

local compile_symbol, graphs_of = drawn.compile_symbol, drawn.graphs_of
local viz = { print_summary = require "hybridlua.viz.print_summary" }

-- ---- Files ------------------------------------------------------------------------------------------

local function write(path, text)
  if path:find("\0", 1, true) then fail("viz.graph: path: expected a name without zero bytes") end
  local file, message = io.open(path, "wb")
  if not file then fail("viz.graph: path: %s", message) end
  file:write(text)
  file:close()
end

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

local function finish(dot, options)
  local format = options.format or (options.path and options.path:match "%.(%a+)$") or "dot"
  checks.choice("viz.graph: format", format, "dot", "svg", "png", "pdf")
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

-- A Symbol's title: its name from the script, else the variables that it is computed from.
local function symbol_title(symbol)
  local name, inputs = symbol.name, symbol:list_arguments()
  if name and not name:find "^_" then return name end
  return ("a Symbol of %s%s"):format(inputs[1] or "no variables",
    #inputs > 1 and (" and %s more"):format(counted(#inputs - 1, "variable")) or "")
end

-- Nodes of hybridlua's own layers show the line where the layer was made. Theirs is that of the network's call.
local function show_layers(net, graphs)
  local lines = {}
  local function visit(block)
    local line, children = getmetatable(block).made.line, block:_list_children()
    local own = #children == 0 and script.is_own(block.hybrid_forward or block.forward)
    if own then lines[block.name] = line end
    for _, child in ipairs(children) do visit(child.value) end
  end
  visit(net)
  for _, g in ipairs(graphs) do
    for _, node in ipairs(g.nodes) do
      local name = node.block ~= "" and node.block:match "[^/]*$"
      if name and lines[name] then node.line = lines[name] end
    end
  end
  return graphs
end

-- ---- The functions -------------------------------------------------------------------------------------

--- A picture of a graph. net is a hybrid block or a function of hl.compile, called with these arguments, or a Symbol
-- with the shapes of its inputs, {data = {1, 8}} (nil: only before the passes). Options: passes = "before", "after" or
-- "both"; gradient = true (with backward); train = true; format = "dot" or, by graphviz, "svg", "png", "pdf"; path (or
-- file) = a file to write, whose ending determines the format; title; layout = "beside" or "below", for two graphs.
-- Returns the picture's text.
function viz.graph(net, ...)
  local options, args = take_options(...)
  local compiled, arrays
  local layout, title = checks.choice("viz.graph: layout", options.layout or "beside", "beside", "below"), options.title
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
  local graphs = graphs_of(compiled, arrays, options)
  if class.is_a(net, HybridBlock) then show_layers(net, graphs) end
  return finish(dot_text(graphs, title or core.graph.explain(compiled).name, nil,
    layout == "below"), options)
end

-- The variables that operators read, except the first of each graph and those in `shown`.
local function parameter_nodes(shown)
  return function(g)
    local hidden = {}
    for i, node in ipairs(g.nodes) do
      if node.op == "variable" and i > 1 and not shown[node.name] then hidden[node.id] = true end
    end
    return hidden
  end
end

-- Checks the nodes' graphviz attributes: texts, numbers or booleans by name.
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

--- MXNet's function: the graph of a Symbol without passes. Options: title, shape = {data = {1, 8}}, dtype = {data =
-- "float64"}, node_attrs = {shape = "oval"} (graphviz's attributes of operators and, except the shape, of inputs),
-- hide_weights (true: leave out inputs except the first and those in shape), format (or save_format), path.
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
  return finish(dot_text(graphs, options.title or "plot", hide, nil, attributes), options)
end

return require "hybridlua.language.module"(viz, "hybridlua.viz")
