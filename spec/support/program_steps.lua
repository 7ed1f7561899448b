-- program_steps.lua - the steps of random programs: training, calls without gradients, training steps given to
-- hl.compile, gradients of gradients, and events between steps.
local program_blocks = require "support.program_blocks"
local values = require "support.program_values"

local program_steps = {}

-- The lines inside a record, and the shapes of their results.
local function recorded_body(g)
  local b = program_blocks.body(g)
  for _, a in ipairs(g.arrays) do b.leaves[#b.leaves + 1] = { expr = a.name, shape = a.shape } end
  for _, net in ipairs(g.nets) do
    b.children[#b.children + 1] = net
    for _, p in ipairs(net.class.params) do
      if g.on.data then
        b.leaves[#b.leaves + 1] = { expr = ("%s.%s:data()"):format(net.expr, p.name), shape = p.shape }
      end
    end
  end
  for _, fn in ipairs(g.functions) do b.children[#b.children + 1] = fn end
  if g.loss then b.children[#b.children + 1] = g.loss end
  if g.on.carry then b.leaves[#b.leaves + 1] = { expr = "state", shape = { g.B, g.N } } end
  for _ = 1, 3 do
    local e = values.call(b)
    if e then b:add(b:local_line(e.text, e)) break end
  end
  if #b.pool == 0 then b.pool[1] = b.leaves[1] end
  if g.on.intermediate and not g.on.batch then
    b:statement()
    local v = b:operand()
    local fn = program_blocks.compiled(g, { v.shape }, b.nodes, { leaves = { v }, children = b.children })
    b.children[#b.children + 1] = fn
    local e = { text = ("%s(%s%s)"):format(fn.expr, b:operand(v.shape).expr, fn.takes_k and ", 2" or ""),
      shapes = fn.outputs }
    b:add(b:local_line(e.text, e))
  end
  b:fill(g.below(4))
  return b
end

-- Results as names for the script: arrays, including those in tables.
local function result_names(g, shapes)
  local names, results = {}, {}
  for i, shape in ipairs(shapes) do
    names[i] = g:name "r"
    if type(shape[1]) == "table" then
      for k, part in ipairs(shape) do
        results[#results + 1] = { expr = ("%s[%d]"):format(names[i], k), shape = part }
      end
    else
      results[#results + 1] = { expr = names[i], shape = shape }
    end
  end
  return names, results
end

local function add_notes(nodes, what, results)
  for i, r in ipairs(results) do
    nodes[#nodes + 1] = { text = ('note("%s: result %d", %s)'):format(what, i, r.expr) }
  end
  nodes[#nodes + 1] = { text = ('note_all("%s")'):format(what), need = #results == 0 }
end

local function head_grad(g, r)
  if g.on.batch then return ("%s:detach() * 0.7"):format(r.expr) end
  return ("numbers(%d, %s, %q)"):format(g.below(1000), values.shape_text(r.shape), g.dtype)
end

local function add_backward(g, nodes, results)
  local function add(text, ...) nodes[#nodes + 1] = { text = text, simpler = { ... } } end
  local a, b = g:one_in(2) and results[1] or g:pick(results), g:pick(results)
  local plain = g:one_in(2) and a.expr .. ":backward()" or ("autograd.backward(taped{%s})"):format(a.expr)
  if g.on.separate and g:one_in(2) then
    add(g:one_in(2) and plain or a.expr .. ":backward(nil, {retain_graph = true})", plain)
    add('note_all("first backward")')
    return add(b.expr .. ":backward()")
  end
  if g:one_in(3) then return add(plain) end
  if g:one_in(3) then return add(("%s:backward(%s)"):format(a.expr, head_grad(g, a)), plain) end
  local heads, grads = {}, {}
  for i, r in ipairs(results) do
    if g:one_in(2) or #heads == 0 and i == #results then
      heads[#heads + 1] = r.expr
      grads[#grads + 1] = head_grad(g, r)
    end
  end
  if g:one_in(3) then
    nodes[#nodes + 1] = { before = "autograd.backward({", list = heads, after = "})", least = 1 }
  elseif g:one_in(2) then
    nodes[#nodes + 1] = { before = "autograd.backward(taped{", list = heads, after = "})", least = 1 }
  else
    add(("autograd.backward({%s}, {%s})"):format(table.concat(heads, ", "), table.concat(grads, ", ")),
      ("autograd.backward({%s})"):format(table.concat(heads, ", ")), plain)
  end
end

-- A parameter of the net itself, or of one of its layers, or nil.
local function parameter_of(g, net)
  local p, list = net.class.params[1], {}
  if p then list[1] = net.expr .. "." .. p.name end
  for _, c in ipairs(net.class.children) do
    local own = c.weight and c.expr:match "^self(.*)"
    if own then list[#list + 1] = net.expr .. own .. c.weight end
  end
  return #list > 0 and g:pick(list) or nil
end

local WRITES = { "%s[{}] = 7", "%s[0] = 3", "%s:add_(1)", "%s[{}] = %s * 2", "%s:reshape{-1}:mul_(-0.5)",
  "F.square(%s, {out = %s})", "F.sgd_update(%s, %s * 0.5, {lr = 0.1, out = %s})", "(%s + 0.25):copyto(%s)" }

-- Writes to the script's arrays, and reads where that is visible.
local function add_writes(g, nodes, results)
  for _ = 1, 1 + g.below(2) do
    local target = g:one_in(2) and #results > 0 and g:pick(results) or g:pick(g.arrays)
    local name = target.expr or target.name
    local param, form = g:one_in(g.on.convolutions and 2 or 4) and parameter_of(g, g:pick(g.nets)), g:pick(WRITES)
    if param then
      name = param .. ":data()"
      if g:one_in(4) then form = param .. ":set_data(%s * 1.5)" end
    end
    nodes[#nodes + 1] = { text = ('try("write", function() %s end)'):format((form:gsub("%%s", name))) }
    add_notes(nodes, "after a write to " .. name, results)
  end
end

-- Typical uses of gradients: keeping one, setting them to zero.
local function add_uses_of_gradients(g, nodes)
  local a = g:pick(g.arrays)
  if g.on.held and a.req then nodes[#nodes + 1] = { text = ('keep("gradient kept", %s.grad)'):format(a.name) } end
  if g.on.add and g:one_in(2) then
    nodes[#nodes + 1] =
      { text = ("for _, param in %s:collect_params():items() do param:zero_grad() end"):format(g:pick(g.nets).expr) }
    if a.req then nodes[#nodes + 1] = { text = ("%s.grad[{}] = 0"):format(a.name) } end
  end
end

-- The state for the next step; without detach the tape continues, too.
local function add_carry(g, nodes, results)
  for _, r in ipairs(results) do
    if g.on.carry and values.same_shape(r.shape, { g.B, g.N }) then
      nodes[#nodes + 1] = { text = ("state = %s%s"):format(r.expr, g:one_in(6) and "" or ":detach()") }
      return
    end
  end
end

local function add_updates(g, nodes)
  if not g.on.trainers then return end
  for _, t in ipairs(g.trainers) do
    if not g:one_in(5) then
      nodes[#nodes + 1] = { text = g:one_in(6) and t .. ":step(2)" or t .. ":step(2, {ignore_stale_grad = true})" }
    end
  end
  nodes[#nodes + 1] = { text = 'note_all("after the update")' }
end

-- Record, backward, update.
local function training(g)
  local nodes, b = {}, recorded_body(g)
  local shapes = b:finish()
  local names, results = result_names(g, shapes)
  local tail = g:one_in(5) and "end, {train_mode = false})" or "end)"
  nodes[1] = { head = ("local %s = autograd.record(function()"):format(table.concat(names, ", ")), body = b.nodes,
    tail = tail }
  add_notes(nodes, "forward", results)
  if g.on.overwrite then add_writes(g, nodes, results) end
  add_backward(g, nodes, results)
  add_notes(nodes, "backward", {})
  add_updates(g, nodes)
  add_uses_of_gradients(g, nodes)
  add_carry(g, nodes, results)
  if g.on.writes then add_writes(g, nodes, results) end
  return nodes
end

-- An unrecorded call.
local function predicting(g)
  local nodes = {}
  local net = g:pick(#g.functions > 0 and g:one_in(2) and g.functions or g.nets)
  local b = program_blocks.body(g)
  for _, a in ipairs(g.arrays) do b.leaves[#b.leaves + 1] = { expr = a.name, shape = a.shape } end
  b.children[1] = net
  local e = values.call(b)
  if not e then return nil end
  local names, results = result_names(g, e.shapes)
  nodes[1] = { text = ("local %s = %s"):format(table.concat(names, ", "), e.text), simpler = {} }
  add_notes(nodes, "predicted", results)
  if g.on.writes then add_writes(g, nodes, results) end
  return nodes
end

-- A whole step given to hl.compile, compiled once and called with several arrays.
local function compiled_step(g, made)
  local net, name, b = g:pick(g.nets), g:name "step", program_blocks.body(g)
  local words = {}
  for i, shape in ipairs(net.inputs) do
    words[i] = "a" .. i - 1
    b.pool[i] = { expr = words[i], shape = shape }
  end
  b.children[1] = net
  if g.on.captures and not g.on.batch then b.leaves[1] = { expr = g.arrays[1].name, shape = g.arrays[1].shape } end
  for _, p in ipairs(net.class.params) do
    if g.on.data then
      b.leaves[#b.leaves + 1] = { expr = ("%s.%s:data()"):format(net.expr, p.name), shape = p.shape }
    end
  end
  local e = values.call(b)
  if e then b:add(b:local_line(e.text, e)) end
  b:fill(g.below(3))
  local v, copied = b.pool[#b.pool], net.class.params[1]
  b:add { text = ("return %s * 1"):format(v.expr) }          -- so that it is always computed inside
  local body = { { head = "local loss = autograd.record(function()", body = b.nodes, tail = "end)" } }
  if copied then
    table.insert(body, g:pick { 1, 2 }, { text = ("local w = %s.%s:data() * 1"):format(net.expr, copied.name) })
  end
  body[#body + 1] = { text = "loss:backward()" }
  for _, t in ipairs(g.trainers) do body[#body + 1] = { text = t .. ":step(2, {ignore_stale_grad = true})" } end
  body[#body + 1] = { before = "return ", list = { "loss", copied and "w" } }
  made[#made + 1] = { head = ("local %s = compile(function(F, %s)"):format(name, table.concat(words, ", ")),
    body = body, tail = "end)" }
  local nodes, given = {}, {}
  for i, shape in ipairs(net.inputs) do given[i] = g:array(shape, "x").name end
  for i = 1, 1 + g.below(2) do
    local r = g:name "r"
    nodes[#nodes + 1] = { text = ("local %s = { %s(%s) }"):format(r, name, table.concat(given, ", ")) }
    add_notes(nodes, "compiled step " .. i, { { expr = r } })
  end
  return nodes
end

-- ---- Gradients of gradients -------------------------------------------------------------------------------

-- Values to differentiate by: arrays with gradients, and parameters.
local function variables(g)
  local list = {}
  for _, a in ipairs(g.arrays) do if a.req and (#list == 0 or g:one_in(2)) then list[#list + 1] = a.name end end
  for _, net in ipairs(g.nets) do
    for _, p in ipairs(net.class.params) do
      if g:one_in(2) then list[#list + 1] = ("%s.%s:data()"):format(net.expr, p.name) end
    end
  end
  return list
end

local function second_order(g, mixed)
  local vars, b = variables(g), recorded_body(g)
  if #vars == 0 then return nil end
  local v, w = b.pool[#b.pool], b:operand()
  local nodes = b.nodes
  local function add(text, ...) nodes[#nodes + 1] = { text = text, simpler = { ... } } end
  add(("local h = (%s * %s):sum() + (%s * 0.5):sum()"):format(v.expr, v.expr, w.expr),
    ("local h = (%s * %s):sum()"):format(v.expr, v.expr))
  nodes[#nodes + 1] = { before = "local g = autograd.grad(h, {", list = vars, after = "}, {create_graph = true})",
    least = 1 }
  add 'note("gradients", g)'
  add "local z = (g[1] * g[1]):sum()"
  add "for i = 2, #g do z = z + (g[i] * 0.3 * g[i]):sum() end"
  if mixed then
    local kind = g:pick { "value", "penalty", "third", "inner" }
    if kind == "third" then
      add(("z = (autograd.grad(z, {%s}, {create_graph = true})[1] * 1.1):square():sum()"):format(vars[1]))
      if g:one_in(2) then add "z = z + h" end
    elseif kind == "value" then add(("z = z + h * 0.7"))
    elseif kind == "penalty" then add(("z = ((z + 1):sqrt() - 1):square() + (%s * 1.3):sum()"):format(v.expr))
    else
      add(("z = z + (%s * g[1]):sum()"):format(vars[1]))
    end
  end
  add "return z"
  local r = g:name "r"
  local out = { { head = ("local %s = autograd.record(function()"):format(r), body = nodes, tail = "end)" } }
  add_notes(out, "gradient penalty", { { expr = r } })
  out[#out + 1] = { text = r .. ":backward()" }
  add_notes(out, "second order", {})
  add_updates(g, out)
  return out
end

-- Unrolled steps of an inner loop (MAML); the updated array is passed to the same function.
local function inner_steps(g, made)
  local fn = program_blocks.compiled(g, { { g.B, g.N }, { g.N } }, made, { children = { g.nets[1] } })
  local x, w = g:array({ g.B, g.N }, "x").name, g:array { g.N }
  local tail = fn.takes_k and ", 2" or ""
  local call = ("(%s(%s, w%s))"):format(fn.expr, x, tail)
  if type(fn.outputs[1][1]) == "table" then call = call .. "[1]" end
  local r = g:name "r"
  local out = { { head = ("local %s = autograd.record(function()"):format(r), tail = "end)", body = {
    { text = ("local w = %s * 1"):format(w.name) },
    { head = ("for _ = 1, %d do"):format(1 + g.below(2)), simpler = { "for _ = 1, 1 do" }, tail = "end", open = true,
      body = {
      { text = ("w = w - 0.1 * autograd.grad(%s:sum(), w, {create_graph = true})"):format(call) } } },
    { text = ("return %s:sum()"):format(call) } } } }
  add_notes(out, "inner loop", { { expr = r } })
  out[#out + 1] = { text = r .. ":backward()" }
  add_notes(out, "second order", {})
  return out
end

-- ---- Events between steps -------------------------------------------------------------------------------------

--- A change to a net before the second step.
function program_steps.event(g)
  local net = g:pick(g.nets)
  local c = #net.class.children > 0 and g:pick(net.class.children)
  local own = c and c.kind == "dense" and c.expr:find "^self" and c.expr:gsub("self", net.expr)
  local list = {}
  if own and not c.sequential then
    -- with its shape, in case the block reads the weight by data() right after the layer's first call
    local known = (g.on.data or g.on.mistakes) and c.features and (", in_units = %d"):format(c.features) or ""
    list[1] = ("%s = nn.Dense(%d, {dtype = %q%s}) %s:initialize(hl.init.Normal(1))"):format(own, c.units, g.dtype,
      known, own)
    list[2] = ("%s.weight:set_data(%s.weight:data() * 2)"):format(own, own)
  elseif own then
    list[1] = ("%s:add(nn.Dense(%d, {dtype = %q})) %s[-1]:initialize(hl.init.Normal(1))"):format(own, c.units, g.dtype,
      own)
    list[2] = ('%s:add(nn.Activation "tanh")'):format(own)
  end
  if net.class.flag then list[#list + 1] = net.expr .. ".flag = 3" end
  if g:one_in(3) then
    list[#list + 1] = net.expr .. ".hybrid_forward = function(_, _, a0, ...) return a0 * 3, a0 + 1, a0:reshape(-1) end"
  end
  list[#list + 1] = ("H(%s)"):format(net.expr)
  list[#list + 1] = ("%s:hybridize(false)"):format(net.expr)
  return { head = "if step == 2 then", body = { { text = ('try("event", function() %s end)'):format(g:pick(list)) } },
    tail = "end", open = true }
end

local function mistake(g)
  local net = g:pick(g.nets)
  local words = {}
  for i, shape in ipairs(net.inputs) do words[i] = g:array(shape, "x").name end
  -- of a kind that causes a new trace: an old one does not run a failing operator whose result is unused
  local longer, integers = ("numbers(1, {%d, %d, 1}, %q)"):format(g.B, g.N + 2, g.dtype),
    ('numbers(1, {%d, %d}, "int32")'):format(g.B, g.N)
  words[g.below(#words) + 1] = g:pick { longer, integers, "nil" }
  return { { text = ('try("mistake", function() note("mistake", %s(%s)) end)'):format(net.expr,
    table.concat(words, ", ")) } }
end

-- ---- All of them -------------------------------------------------------------------------------------------

--- The lines of one step; nil if none of the kind drawn exists.
function program_steps.draw(g, made, mixed)
  if mixed then return g:one_in(3) and inner_steps(g, made) or second_order(g, true) end
  if g.on.mistakes and g:one_in(3) then return mistake(g) end
  if g.on.steps and g:one_in(2) then return compiled_step(g, made) end
  if g.on.second and g:one_in(2) then return second_order(g, false) end
  if g:one_in(4) then return predicting(g) end
  return training(g)
end

return program_steps
