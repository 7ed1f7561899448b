-- control.lua - foreach, while_loop and cond, on arrays and in graphs.
--
-- On arrays they are loops in Lua. For the order in which gradients are summed, each iteration and the branch of a
-- condition count as a block call (scope_enter). On Symbols and in traces the body runs once, with variables for items
-- and states; its operators are cut out of the graph and become a subgraph of one node (bind/value/symbol_control.c),
-- with the same bits.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_ndarray, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain
local tracing, nd, autograd_mode = core.trace.active, core.op.nd, core.autograd.mode
local split_rows, symbol_key, body_variable = core.array.split_rows, core.symbol.key, core.symbol.body_variable
local is_made_in_body = core.symbol.is_made_in_body
local current_context, pop_names = core.context.current, core.name.pop
local scope_attributes, enter_scope, scope_depth = core.name.attributes, core.call.enter_scope, core.call.scope_depth
local set_trace_modes = core.trace.set_modes

local control = {}

-- ---- Arguments: one array, or a list of arrays and lists ----------------------------------------------

local function is_array(x) return type(x) == "userdata" and (is_ndarray(x) or is_symbol(x)) end

local function got(x)
  if type(x) == "number" or type(x) == "string" or type(x) == "boolean" then return tostring(x) end
  return type(x)
end

-- Appends the arrays of x to `flat`; returns the form: true for one array, a list of forms for a list.
local function flatten(x, flat, where)
  if is_array(x) then
    flat[#flat + 1] = x
    return true
  end
  if type(x) ~= "table" or not is_plain(x) then
    fail("%s: expected an array, or a list of arrays, got %s", where, got(x))
  end
  for key in pairs(x) do
    local in_list = math.type(key) == "integer" and key >= 1 and key <= #x
    if not in_list then
      fail("%s: expected an array, or a list of arrays, got a table with key %s", where, tostring(key))
    end
  end
  local form = {}
  for i = 1, #x do form[i] = flatten(x[i], flat, where) end
  return form
end

-- The arrays flat[at], flat[at + 1] .. in a form; also returns where the next ones begin.
local function regroup(form, flat, at)
  at = at or 1
  if form == true then return flat[at], at + 1 end
  local list = {}
  for i = 1, #form do list[i], at = regroup(form[i], flat, at) end
  return list, at
end

local function joined(a, b)
  local all = table.move(a, 1, #a, 1, {})
  return table.move(b, 1, #b, #all + 1, all)
end

local function same_form(a, b)
  if a == true or b == true then return a == b end
  if #a ~= #b then return false end
  for i = 1, #a do if not same_form(a[i], b[i]) then return false end end
  return true
end

local function form_text(form)
  if form == true then return "an array" end
  local parts = {}
  for i = 1, #form do parts[i] = form[i] == true and "array" or form_text(form[i]) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function is_one(form) return form == true or (#form == 1 and form[1] == true) end

-- A body's results, flattened; the states must keep their form. One array and a list of one are the same, as in MXNet.
local function read_results(what, outputs, states, state_form, state_word)
  local flat, new = {}, {}
  local form = flatten(outputs == nil and {} or outputs, flat, what .. ": outputs of the body")
  local new_form = flatten(states == nil and {} or states, new, ("%s: %s of the body"):format(what, state_word))
  if not same_form(new_form, state_form) and not (is_one(new_form) and is_one(state_form)) then
    fail("%s: %s of the body: expected %s, as they were given, got %s", what, state_word, form_text(state_form),
      form_text(new_form))
  end
  return flat, form, new
end

local function check_function(what, name, fn)
  local callable = type(fn) == "function" or (type(fn) == "table" and (getmetatable(fn) or {}).__call)
  if not callable then fail("%s: %s: expected a function or a block, got %s", what, name, got(fn)) end
end

-- ---- Scopes ---------------------------------------------------------------------------------------------

local Restoring = { __close = function(self)
  scope_depth(self.depth)
  if self.modes then set_trace_modes(table.unpack(self.modes)) end
  if self.attributes then pop_names(self.attributes) end
end }

local function restoring() return setmetatable({ depth = scope_depth() }, Restoring) end

-- fn(...) as a block call.
local function call_in(name, fn, ...)
  local _ <close> = restoring()
  enter_scope(name)
  return fn(...)
end

local function in_graph(flat)
  if tracing() then return true end
  for _, x in ipairs(flat) do if is_symbol(x) then return true end end
  return false
end

-- ---- On arrays --------------------------------------------------------------------------------------------

local MOST_ROWS = 65535          -- of one call of unstack

local function rows_of(x)
  local n, rows = x.shape[1], {}
  for begin = 0, n - 1, MOST_ROWS do
    local part = split_rows(x, begin, math.min(MOST_ROWS, n - begin))
    table.move(part, 1, #part, #rows + 1, rows)
  end
  return rows
end

local function type_of(x) return ("%s %s"):format(x.dtype, tostring(x.shape)) end

local function check_type(what, x, before)
  local same = x.dtype == before.dtype and x.ndim == before.ndim
  for i, n in ipairs(x.shape) do same = same and before.shape[i] == n end
  if not same then fail("%s: expected %s, as in the iteration before, got %s", what, type_of(before), type_of(x)) end
end

local function check_arrays(what, list)
  for i, x in ipairs(list) do
    if not is_ndarray(x) then fail("%s: expected NDArrays, got a Symbol as number %d", what, i) end
  end
end

-- Stacks the rows of each output.
local function stack(rows, length)
  local outputs = {}
  for i, list in ipairs(rows) do outputs[i] = call_in("stack", core.array.join_rows, list, length)[1] end
  return outputs
end

-- One iteration: appends its outputs to rows, and replaces the states.
local function keep(what, rows, states, out, new, t)
  check_arrays(what, out)
  check_arrays(what, new)
  if t > 1 and #out ~= #rows then
    fail("%s: outputs of the body: expected %d, as in the iteration before, got %d", what, #rows, #out)
  end
  for i, x in ipairs(out) do
    rows[i] = rows[i] or {}
    if t > 1 then check_type(("%s: output %d of the body"):format(what, i - 1), x, rows[i][1]) end
    rows[i][t] = x
  end
  for i, x in ipairs(new) do
    check_type(("%s: state %d of the body"):format(what, i - 1), x, states[i])
    states[i] = x
  end
end

-- The one context for a graph of these arrays: the first that is not current, since the script chose it.
local function one_context(arrays)
  local here = current_context()
  for _, x in ipairs(arrays) do if x.context ~= here then return x.context end end
  return here
end

local function moved(x, ctx) return x.context == ctx and x or x:as_in_context(ctx) end

-- Without iterations no output has a known shape, so fn, called with a list of these arrays, runs as a graph. Returns
-- the outputs and the states, each state in its own context.
local function by_graph(fn, arrays, states, state_form)
  local ctx, together, after = one_context(arrays), {}, {}
  for i, x in ipairs(arrays) do together[i] = moved(x, ctx) end
  local hybrid_block = require "hybridlua.gluon.hybridize.hybrid_block"
  local outputs, last = hybrid_block._through_graph(function(...) return fn { ... } end, table.unpack(together))
  flatten(last, after, "")
  for i, x in ipairs(after) do after[i] = moved(x, states[i].context) end
  return outputs, (regroup(state_form, after))
end

local function length_of(data)
  local length
  for i, x in ipairs(data) do
    if x.ndim == 0 then fail("foreach: data: expected arrays with a first axis, got shape ()") end
    local n = x.shape[1]
    if length and n ~= length then
      fail("foreach: data: expected arrays of one length along axis 0, got %d and %d (array %d)", length, n, i)
    end
    length = n
  end
  return length
end

local function foreach_eager(name, body, data, data_form, states, state_form)
  local length, items, rows, form = length_of(data), {}, {}, nil
  if length == 0 then
    return by_graph(function(list)
      return control.foreach(body, regroup(data_form, list), (regroup(state_form, list, #data + 1)), name)
    end, joined(data, states), states, state_form)
  end
  for i, x in ipairs(data) do items[i] = rows_of(x) end
  states = table.move(states, 1, #states, 1, {})
  for t = 1, length do
    local item = {}
    for i, list in ipairs(items) do item[i], list[t] = list[t], false end
    local outputs, new = call_in(name, body, regroup(data_form, item), (regroup(state_form, states)))
    local out
    out, form, new = read_results("foreach", outputs, new, state_form, "states")
    keep("foreach", rows, states, out, new, t)
  end
  return (regroup(form, stack(rows, length))), (regroup(state_form, states))
end

-- ---- In graphs ---------------------------------------------------------------------------------------------

local counts = {}                -- for the names of subgraphs, counted as in MXNet

local function unique_name(name)
  local around = (scope_attributes() or {}).__subgraph_name__
  if around and around ~= "" then name = around .. "$" .. name end
  counts[name] = (counts[name] or -1) + 1
  return name .. counts[name]
end

local function symbols_of(list)
  local symbols = {}
  for i, x in ipairs(list) do symbols[i] = core.symbol.capture(x) end
  return symbols
end

-- Runs fn(places, begun) once, in its own scope; `begun` marks where the body begins. The first result of fn, the flat
-- list of outputs and states, becomes the subgraph's outputs. Returns the subgraph, its inputs, and fn's other results.
local function trace_body(name, places_of, unread, fn)
  name = unique_name(name)
  local restore <close> = restoring()
  local attributes = { __subgraph_name__ = name }
  for key, value in pairs(scope_attributes() or {}) do if attributes[key] == nil then attributes[key] = value end end
  restore.attributes = core.name.push_attributes(attributes)
  restore.modes = { set_trace_modes(autograd_mode()) }       -- iterations run in the modes around the loop
  local begun, kept = core.symbol.begin_body()
  local places = places_of()
  enter_scope(name)
  local results = table.pack(fn(places, begun))
  local outputs = symbols_of(results[1])
  local graph, sources = core.symbol.cut_subgraph(name, outputs, places, begun, kept, unread)
  return graph, sources, outputs, places, table.unpack(results, 2, results.n)
end

local function locations(list) return "[" .. table.concat(list, ", ") .. "]" end

-- A state returned unchanged by the body keeps its array.
local function last_states(results, first, new, places, states)
  local last = {}
  for i = 1, #states do
    local same = symbol_key(new[i]) == symbol_key(places[i])
    last[i] = same and states[i] or results[first + i]
  end
  return last
end

local function foreach_graph(name, body, data, data_form, states, state_form)
  data, states = symbols_of(data), symbols_of(states)
  local n, form, n_out = #data, nil, nil
  local graph, sources, all, places = trace_body(name, function()
    local list = {}
    for i, x in ipairs(data) do list[i] = body_variable(x, true) end
    for i, x in ipairs(states) do list[n + i] = body_variable(x, false) end
    return list
  end, true, function(list)
    local outputs, new = body(regroup(data_form, list), (regroup(state_form, list, n + 1)))
    local out
    out, form, new = read_results("foreach", outputs, new, state_form, "states")
    n_out = #out
    return joined(out, new)
  end)
  local data_locs, state_locs, remain_locs, inputs = {}, {}, {}, joined(data, states)
  for at, source in ipairs(sources) do
    if math.type(source) ~= "integer" then
      remain_locs[#remain_locs + 1] = at - 1
      inputs[#inputs + 1] = source
    elseif source <= n then data_locs[source] = at - 1
    else state_locs[source - n] = at - 1 end
  end
  local results = core.symbol.control_node("_foreach", nil, {
    num_args = #inputs + 1, num_outputs = #all, num_out_data = n_out, in_data_locs = locations(data_locs),
    in_state_locs = locations(state_locs), remain_locs = locations(remain_locs), _body = graph }, inputs)
  local new = table.move(all, n_out + 1, #all, 1, {})
  local last = last_states(results, n_out, new, table.move(places, n + 1, #places, 1, {}), states)
  return (regroup(form, results)), (regroup(state_form, last))
end

function control.foreach(body, data, states, name)
  check_function("foreach", "body", body)
  local flat, flat_states = {}, {}
  local data_form, state_form = flatten(data, flat, "foreach: data"), flatten(states, flat_states, "foreach: states")
  if #flat == 0 then fail("foreach: data: expected at least one array, got none") end
  local run = in_graph(joined(flat, flat_states)) and foreach_graph or foreach_eager
  return run(name or "foreach", body, flat, data_form, flat_states, state_form)
end

-- Merges the inputs of several subgraphs into those of one node. place_input[p]: the initial value of place p.
local function union(graphs, place_input)
  local inputs, at_place, at_symbol, locs = {}, {}, {}, {}
  for g, sources in ipairs(graphs) do
    locs[g] = {}
    for i, source in ipairs(sources) do
      local is_place = math.type(source) == "integer"
      local known, key = is_place and at_place or at_symbol, is_place and source or symbol_key(source)
      if not known[key] then
        inputs[#inputs + 1] = is_place and place_input[source] or source
        known[key] = #inputs - 1
      end
      locs[g][i] = known[key]
    end
  end
  return inputs, locs
end

-- ---- while_loop ------------------------------------------------------------------------------------------------

local function truth(what, x)
  if type(x) == "boolean" then return x end
  if type(x) == "number" then return x ~= 0 end
  if not is_array(x) then fail("%s: expected an array of one element, a number or a boolean, got %s", what, got(x)) end
  if is_ndarray(x) and x.size ~= 1 then fail("%s: expected one element, got shape %s", what, tostring(x.shape)) end
  return x
end

local function is_true(what, x)
  x = truth(what, x)
  if type(x) == "boolean" then return x end
  if is_symbol(x) then fail("%s: expected an NDArray, got a Symbol", what) end
  return x:asscalar() ~= 0 and x:asscalar() ~= false
end

local function while_eager(name, cond, func, vars, form, most)
  local rows, out_form, t, given = {}, nil, 0, vars
  vars = table.move(vars, 1, #vars, 1, {})
  local function call(fn)
    return fn(table.unpack(form == true and vars or regroup(form, vars), 1, form == true and 1 or #form))
  end
  while t < most and is_true("while_loop: what cond returned", call_in(name .. "_cond", call, cond)) do
    t = t + 1
    local outputs, new = call_in(name .. "_func", call, func)
    local out
    out, out_form, new = read_results("while_loop", outputs, new, form, "loop_vars")
    keep("while_loop", rows, vars, out, new, t)
  end
  if t == 0 then
    return by_graph(function(list) return control.while_loop(cond, func, (regroup(form, list)), most, name) end, given,
      given, form)
  end
  return (regroup(out_form, stack(rows, most))), (regroup(form, vars))
end

local function while_graph(name, cond, func, vars, form, most)
  vars = symbols_of(vars)
  local function places()
    local list = {}
    for i, x in ipairs(vars) do list[i] = body_variable(x, false) end
    return list
  end
  local function call(fn, list)
    return fn(table.unpack(form == true and list or regroup(form, list), 1, form == true and 1 or #form))
  end
  local cond_graph, cond_sources = trace_body(name .. "_cond", places, false, function(list)
    local x = truth("while_loop: what cond returned", call(cond, list))
    if not is_array(x) then
      fail("while_loop: what cond returned: expected an array, got %s: it would never change in a graph", tostring(x))
    end
    return { x }
  end)
  local out_form, n_out
  local func_graph, func_sources, all, func_places = trace_body(name .. "_func", places, true, function(list)
    local outputs, vars_after = call(func, list)
    local out, new
    out, out_form, new = read_results("while_loop", outputs, vars_after, form, "loop_vars")
    n_out = #out
    return joined(out, new)
  end)
  local inputs, locs = union({ cond_sources, func_sources }, vars)
  local var_locs = {}
  for at, source in ipairs(func_sources) do if math.type(source) == "integer" then var_locs[source] = at - 1 end end
  local results = core.symbol.control_node("_while_loop", nil, {
    num_args = #inputs + 2, num_outputs = #all, num_out_data = n_out, max_iterations = most,
    cond_input_locs = locations(locs[1]),
    func_input_locs = locations(locs[2]), func_var_locs = locations(var_locs), _cond = cond_graph, _func = func_graph },
    inputs)
  local last = last_states(results, n_out, table.move(all, n_out + 1, #all, 1, {}), func_places, vars)
  return (regroup(out_form, results)), (regroup(form, last))
end

function control.while_loop(cond, func, vars, most, name)
  check_function("while_loop", "cond", cond)
  check_function("while_loop", "func", func)
  local flat = {}
  local form = flatten(vars, flat, "while_loop: loop_vars")
  if #flat == 0 then fail("while_loop: loop_vars: expected at least one array, got none") end
  if most == nil then
    fail("while_loop: max_iterations: expected an integer, got nothing; write {max_iterations = n}")
  end
  if math.type(most) ~= "integer" or most < 0 then
    fail("while_loop: max_iterations: expected an integer of 0 or more, got %s", got(most))
  end
  return (in_graph(flat) and while_graph or while_eager)(name or "while_loop", cond, func, flat, form, most)
end

-- ---- cond -------------------------------------------------------------------------------------------------------

local function cond_graph(name, pred, then_func, else_func)
  pred = core.symbol.capture(pred)
  local function none() return {} end
  local graphs, sources, form, n_out = {}, {}, nil, nil
  graphs[1], sources[1] = trace_body(name .. "_pred", none, false, function() return { nd._copy(pred) } end)
  for g, fn in ipairs { then_func, else_func } do
    graphs[g + 1], sources[g + 1] = trace_body(name .. (g == 1 and "_then" or "_else"), none, false, function(_, begun)
      local flat = {}
      local given = flatten(fn(), flat, ("cond: outputs of %s"):format(g == 1 and "then_func" or "else_func"))
      if g == 2 and not same_form(given, form) then
        fail("cond: outputs of else_func: expected %s, as in then_func, got %s", form_text(form), form_text(given))
      end
      form, n_out = given, #flat
      -- eager code copies all outputs; only these copies matter for the order of gradients
      for i, x in ipairs(flat) do if not is_made_in_body(x, begun) then flat[i] = nd._copy(x) end end
      return flat
    end)
  end
  if n_out == 0 then fail("cond: outputs of then_func: expected at least one array, got none") end
  local inputs, locs = union(sources, {})
  local results = core.symbol.control_node("_cond", nil, {
    num_args = #inputs + 3, num_outputs = n_out, cond_input_locs = locations(locs[1]),
    then_input_locs = locations(locs[2]),
    else_input_locs = locations(locs[3]), _pred = graphs[1], _then = graphs[2], _else = graphs[3] }, inputs)
  return (regroup(form, results))
end

function control.cond(pred, then_func, else_func, name)
  check_function("cond", "then_func", then_func)
  check_function("cond", "else_func", else_func)
  name = name or "cond"
  pred = truth("cond: pred", pred)
  if is_array(pred) and (is_symbol(pred) or tracing()) then return cond_graph(name, pred, then_func, else_func) end
  local taken = is_true("cond: pred", pred)
  return call_in(name .. (taken and "_then" or "_else"), function()
    local flat = {}
    local form = flatten((taken and then_func or else_func)(), flat,
      ("cond: outputs of %s"):format(taken and "then_func" or "else_func"))
    -- a separate array, as from a graph, even if it existed before
    for i, x in ipairs(flat) do flat[i] = nd._copy(x) end
    return (regroup(form, flat))
  end)
end

return control
