-- drawn_graph.lua - graphs to draw, from a Symbol or a compiled function, before and after the passes.
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local counted = require "hybridlua.language.plural"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"

local nd = core.op.nd
local drawn = {}

--- Kinds of nodes, in the order of the tests, from the columns of the operator's row.
drawn.KINDS = {
  { name = "random", colour = "#f0d0f7", is = function(op) return op.random end },
  { name = "effect", colour = "#f8c9c4", is = function(op) return op.mutates end },
  { name = "view", colour = "#e6e6e6", is = function(op) return op.view end },
  { name = "elementwise", colour = "#cfe5fb", is = function(op) return op.fusible end },
  { name = "reduction", colour = "#fde3b8", is = function(op) return op.reduction end },
  { name = "kernel", colour = "#d3edc8", is = function() return true end },
}

--- The kind of a node: { name =, colour = }.
local function kind_of(node)
  if node.op == "variable" or node.op == "constant" then return { name = node.op, colour = "white" } end
  local op = core.op.row(node.op) or {}
  for _, kind in ipairs(drawn.KINDS) do if kind.is(op) then return kind end end
end
drawn.kind_of = kind_of

--- The outputs of a Symbol, each as a Symbol.
local function outputs_of(symbol)
  local list = {}
  for i = 1, #symbol:list_outputs() do list[i] = symbol:output(i - 1) end
  return list
end
drawn.outputs_of = outputs_of

-- Looks up values by the names of the arguments and the auxiliary states.
local function by_input(symbol, args, aux)
  local values = {}
  for i, name in ipairs(symbol:list_arguments()) do values[name] = args and args[i] end
  for i, name in ipairs(symbol:list_auxiliary_states()) do values[name] = aux and aux[i] end
  return values
end

--- The compiled function of a Symbol and, with `shapes`, zeros for its inputs, in the dtypes of `dtypes`.
function drawn.compile_symbol(symbol, shapes, dtypes)
  local variables = core.symbol.variables(symbol)
  local compiled = core.graph.compile(symbol.name or "symbol", variables, outputs_of(symbol))
  if not shapes then return compiled end
  local arrays, args, _, aux = {}, symbol:infer_shape(shapes)
  local by_name = by_input(symbol, args, aux)
  args, _, aux = symbol:infer_type_partial(dtypes)
  local types = by_input(symbol, args, aux)
  for i, v in ipairs(variables) do
    if not by_name[v.name] then
      fail("viz.graph: shapes: the shape of '%s' cannot be inferred from those given", v.name)
    end
    arrays[i] = nd.zeros { shape = by_name[v.name], dtype = types[v.name] or nil }
  end
  return compiled, arrays
end

-- The number of instructions of a drawn graph: a group counts as one; inputs, constants and views do not count.
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

-- Names head gradients by their outputs, and adds the differentiated input to each resulting gradient.
local function name_roles(g)
  for _, node in ipairs(g.nodes) do
    local output = node.input and g.heads[node.input - g.n_inputs + 1]
    if node.input and node.input >= g.n_inputs and output then node.name = ("gradient of output %d"):format(output) end
  end
  for i, output in ipairs(g.outputs) do
    if i > g.results then output.title = "gradient of " .. (g.gradients[i - g.results] or "an input") end
  end
end

--- { title, nodes, outputs, results (the number of outputs that are results) } for each graph requested.
function drawn.graphs_of(compiled, arrays, options)
  local list, passes = {}, options.passes or "both"
  checks.choice("viz.graph: passes", passes, "before", "after", "both")
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
    local g = core.graph.to_table(compiled, true)
    local plan = core.graph.explain(compiled).plans[1]
    name_roles(g)
    g.title = after_title(g, plan)
    list[#list + 1] = g
  end
  return list
end

return drawn
