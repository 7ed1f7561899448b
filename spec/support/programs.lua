-- programs.lua - random programs of the kind that people write: blocks with children and
-- parameters, compiled functions, and a main part that trains them, reads and writes arrays.
--
-- A program is { seed, nodes } and becomes a script by programs.script. Each draws which
-- features it has (FEATURES), so that most programs have some of them and none has all: where a
-- feature is broken, programs without it still look at the others.
local program_blocks = require "support.program_blocks"
local program_text = require "support.program_text"
local scratch = require "support.scratch"
local values = require "support.program_values"

local programs = {}

-- One in how many programs has it; `mixed` is asked for by the caller alone.
local FEATURES = {
  { "add", 4 },                -- gradients that are added up
  { "batch", 6 },              -- two sizes of batch
  { "breaks", 4 },             -- plain Blocks and values read inside, hybridize{breaks = true}
  { "calls", 2 },              -- one child called several times
  { "cancel", 3 },             -- large numbers, so that the order of a sum shows
  { "captures", 2 },           -- blocks and functions that read arrays from outside
  { "carry", 6 },              -- a state handed on from step to step
  { "check", 30 },             -- hybridize{check = 1}
  { "compiled", 3 },           -- functions given to hl.compile
  { "control", 3 },            -- foreach, while_loop, cond
  { "convolutions", 4 },       -- blocks whose weights kernels keep in an order of their own
  { "data", 3 },               -- parameters read by data() inside
  { "deferred", 3 },           -- layers that learn their shapes
  { "derivatives", 6 },        -- hl.grad of functions inside
  { "detach", 4 },             -- what has no gradient
  { "double", 2 },             -- float64
  { "early", 8 },              -- a call before initialize()
  { "flow", 3 },               -- ifs and loops
  { "heads", 2 },              -- several results
  { "held", 6 },               -- gradients that the script keeps
  { "inner", 6 },              -- blocks inside hybridized by themselves
  { "intermediate", 6 },       -- functions that capture a value on the tape
  { "losses", 4 },             -- Gluon's losses
  { "mistakes", 10 },          -- calls that are errors
  { "modes", 5 },              -- train_mode, predict_mode inside
  { "nested", 3 },             -- blocks in blocks
  { "none", 4 },               -- loops that make no step
  { "null", 7 },               -- parameters without gradient
  { "numbers", 4 },            -- numbers among the arguments
  { "own", 2 },                -- parameters of the block's own
  { "overwrite", 12 },         -- arrays written between a call and its backward
  { "pause", 5 },              -- autograd.pause inside
  { "random", 3 },             -- Dropout and random numbers
  { "replace", 8 },            -- children replaced and added, fields changed
  { "second", 4 },             -- gradients of gradients
  { "separate", 4 },           -- backward by one result, then by another
  { "steps", 7 },              -- whole training steps given to hl.compile
  { "tables", 7 },             -- tables of arrays returned
  { "tied", 6 },               -- layers that share parameters
  { "trainers", 2 },
  { "unused", 4 },             -- what is computed and not used
  { "views", 3 },              -- results that are parts of other arrays
  { "writes", 2 },             -- arrays written between calls
  { "zero", 25 },              -- arrays without elements
}

local Generator = {}
Generator.__index = Generator

function Generator:one_in(n) return self.below(n) == 0 end
function Generator:pick(list) return list[self.below(#list) + 1] end

function Generator:name(letter)
  local n = self.names[letter] or 0
  self.names[letter] = n + 1
  return letter .. n
end

-- ---- What every script begins with -------------------------------------------------------------------

local HEAD = [[
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon, nn = hl.nd, hl.autograd, hl.gluon, hl.gluon.nn
local F, hybrid, log, kept = nd, false, {}, {}    -- F: outside of blocks

local function keep(name, x)                      -- an array or a net that is looked at all the time
  kept[#kept + 1] = { name = name, x = x }
  return x
end

local function numbers(seed, shape, dtype)        -- without the random stream
  local list, n, x = {}, 1, seed * 7919 + 17
  for _, d in ipairs(shape) do n = n * d end
  for i = 1, n do
    x = x * 48271 % 2147483647
    list[i] = x / 2147483647 * 4 - 2
  end
  return n == 0 and nd.zeros(shape, { dtype = dtype }) or nd.array(list, { dtype = dtype }):reshape(shape):copy()
end

local function note(what, x)                      -- what is compared
  if type(x) == "table" then
    for i, item in ipairs(x) do note(("%s[%d]"):format(what, i), item) end
  elseif core.array.is(x) then
    log[#log + 1] = { what = what, bytes = x:tobytes(), dtype = x.dtype, dims = x.shape,
      shape = table.concat(x.shape, ",") }
  else
    log[#log + 1] = { what = what, bytes = core.symbol.is(x) and "a Symbol" or tostring(x) }
  end
end

local function note_net(what, net)
  local i = 0
  for _, param in net:collect_params():items() do
    i = i + 1
    local made, data = pcall(param.data, param)
    note(("%s: parameter %d"):format(what, i), made and data)
    if made then note(("%s: gradient of parameter %d"):format(what, i), data.grad) end
  end
end

local function note_all(what)
  for _, item in ipairs(kept) do
    local title = what .. ": " .. item.name
    if core.array.is(item.x) then
      note(title, item.x)
      note(title .. ": gradient", item.x.grad)
    else
      note_net(title, item.x)
    end
  end
end

local function try(what, fn)                      -- an error is something to compare, too
  local ok, message = pcall(fn)
  if ok then return end
  log[#log + 1] = { what = what, error = tostring(message) }
  hl.random.seed(SEED + 1)                        -- how much was drawn before it is left open
end

local function taped(list)                        -- those that have a gradient
  local heads = {}
  for _, x in ipairs(list) do if core.autograd.on_tape(x) then heads[#heads + 1] = x end end
  return heads
end

local function H(block, options)
  assert(block, "no block")
  options = options or {}
  options.breaks = BREAKS
  if hybrid then block:hybridize(options) end
  return block
end

local function compile(fn)
  if hybrid then return hl.compile(fn, { breaks = BREAKS }) end
  return function(...) return fn(nd, ...) end
end

]]

local PLAIN = [[
local Plain = gluon.Block:subclass "Plain"        -- counts its calls, and reads values
function Plain:forward(a)
  self.calls = (self.calls or 0) + 1
  note("plain " .. self.calls, a)
  return a * F.tanh(a:sum()):asscalar()
end

]]

local FILTERS = [[
local Filters = gluon.HybridBlock:subclass "Filters"   -- convolutions; the result has the shape of what is given
function Filters:init(n, dtype)
  self.spread = nn.Conv1D(16, 1, { in_channels = 1 })
  self.conv = nn.Conv1D(n, 3, { padding = 1, in_channels = 16 })
  self:cast(dtype)
end
function Filters:hybrid_forward(F, a)
  local line = F.expand_dims(F.expand_dims(F.reshape(a, { shape = { -1 } }), { axis = 0 }), { axis = 0 })
  return F.reshape_like(F.mean(self.conv(self.spread(line)), { axis = 1 }), a)
end

]]

local TAIL = [[

local function run(is_hybrid)
  hybrid, log, kept = is_hybrid, {}, {}
  hl.random.seed(SEED)
  local ok, message = pcall(program)
  if not ok then
    log[#log + 1] = { what = "the program", error = tostring(message) }
    hl.random.seed(SEED + 1)
  end
  note("random stream", ("%d %d"):format(core.random.state()))
  return log
end

if ... == "run" then return run end
core.host.debug(SWITCHES)
core.host.debug { no_packed_weights = true }
local eager = run(false)
core.host.debug { no_packed_weights = false }
local other = run(true)
for i = 1, math.max(#eager, #other) do
  local a, b = eager[i] or {}, other[i] or {}
  local function array(e) return nd.from_bytes(e.bytes, e.dims, e.dtype) end
  local same = a.bytes == b.bytes and a.shape == b.shape
  if a.dtype and b.dtype and not same then same = core.array.same(array(a), array(b)) end
  if a.what ~= b.what or not same or not a.error ~= not b.error then
    local function text(e) return e.dtype and tostring(array(e)) or e.error or e.bytes or "nothing" end
    print(("%s\n  eager: %s\n  hybridized: %s"):format(a.what or b.what, text(a), text(b)))
  end
end
]]

-- ---- Arrays --------------------------------------------------------------------------------------------

--- An array at the top of the program that functions may capture: one there is, or a new one.
function Generator:array(shape, letter)
  local list = {}
  for _, a in ipairs(self.arrays) do if values.same_shape(a.shape, shape) then list[#list + 1] = a end end
  if #list > 0 and not self:one_in(3) then return self:pick(list) end
  local a = { name = self:name(letter or "m"), shape = shape }
  self.arrays[#self.arrays + 1] = a
  local req = self:pick { '"write"', '"write"', '"write"', self.on.add and '"add"' or '"write"', "nil" }
  a.req = req ~= "nil"
  local line = ("local %s = keep(%q, numbers(%d, %s, %q))"):format(a.name, a.name, self.below(10000),
    values.shape_text(shape), self.dtype)
  if a.req then line = line .. (" %s:attach_grad(%s)"):format(a.name, req) end
  self.declared[#self.declared + 1] = { text = line }
  return a
end

-- ---- Blocks of the main part -----------------------------------------------------------------------------

local INITS = { "hl.init.Normal(1)", "hl.init.Uniform(1)", "hl.init.Normal(1)", "hl.init.One()", "nil" }

-- A net, initialised and hybridized; its lines go to `nodes`.
local function make_net(g, nodes)
  local inputs = {}
  for i = 1, 1 + g.below(3) do inputs[i] = g:one_in(4) and { 1, g.N } or { g.B, g.N } end
  inputs[1] = { g.B, g.N }
  local class = program_blocks.class(g, inputs, 2)
  local net = { expr = g:name "net", kind = "block", inputs = inputs, outputs = class.outputs, takes_k = class.takes_k,
                class = class, children = class.children, reads = class.reads }
  local function add(text, need) nodes[#nodes + 1] = { text = text, need = need } end
  for i = #g.classes, 1, -1 do table.insert(nodes, 1, table.remove(g.classes, i)) end
  add(("local %s = keep(%q, %s())"):format(net.expr, net.expr, class.name))
  local done, call = false, nil
  if g.on.early then
    local words = {}
    for i, shape in ipairs(inputs) do words[i] = g:array(shape, "x").name end
    if net.takes_k then words[#words + 1] = "2" end
    done = g:one_in(2)
    if done then add(("H(%s)"):format(net.expr)) end
    call = ('try("%%s", function() note("%%s", %s(%s)) end)'):format(net.expr, table.concat(words, ", "))
    add((call:gsub("%%s", "early")))
  end
  -- for what both share
  add(("%s:initialize(%s%s)"):format(net.expr, g:pick(INITS), #g.nets > 0 and ", {force_reinit = true}" or ""))
  if call and g:one_in(2) then add((call:gsub("%%s", "initialized"))) end
  if g.on.null then
    add(('%s:collect_params(".*%s"):setattr("grad_req", "null")'):format(net.expr, g:pick { "bias", "weight", "w1" }))
  end
  if g.on.add and g:one_in(2) then add(('%s:collect_params():setattr("grad_req", "add")'):format(net.expr)) end
  if g.on.inner and #class.children > 0 then
    local c = g:pick(class.children)
    if c.expr:find "^self" then add(("H(%s)"):format((c.expr:gsub("self", net.expr)))) end
  end
  if not done and not (g.on.inner and g:one_in(3)) then
    add(g.on.check and ("H(%s, {check = 1})"):format(net.expr) or ("H(%s)"):format(net.expr))
  end
  return net
end

local OPTIMIZERS = {
  '"sgd", {learning_rate = 0.1}', '"sgd", {learning_rate = 0.05, momentum = 0.9}', '"adam", {learning_rate = 0.01}',
  '"sgd", {learning_rate = 0.1, wd = 0.01}',
}

local function make_trainers(g, nodes)
  if not (g.on.trainers or g.on.steps) then return end
  for _, net in ipairs(g.nets) do
    local patterns = g:one_in(4) and { '".*weight"', '".*(bias|w1|w2)"' } or { "" }
    for _, pattern in ipairs(patterns) do
      local name = g:name "t"
      g.trainers[#g.trainers + 1] = name
      nodes[#nodes + 1] = { text = ("local %s = gluon.Trainer(%s:collect_params(%s), %s)"):format(name, net.expr,
        pattern, g:pick(OPTIMIZERS)) }
    end
  end
end

-- ---- Steps ---------------------------------------------------------------------------------------------

-- The lines inside a record, and the shapes of what they return.
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

-- Results as names for the script: arrays, among them those in tables.
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

-- A parameter of a net's own, or of one of its layers; nil: it has none.
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

-- Writes what the script has, and looks where that is seen.
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

-- What scripts do with gradients: keep one, set them to zero.
local function add_uses_of_gradients(g, nodes)
  local a = g:pick(g.arrays)
  if g.on.held and a.req then nodes[#nodes + 1] = { text = ('keep("gradient kept", %s.grad)'):format(a.name) } end
  if g.on.add and g:one_in(2) then
    nodes[#nodes + 1] =
      { text = ("for _, param in %s:collect_params():items() do param:zero_grad() end"):format(g:pick(g.nets).expr) }
    if a.req then nodes[#nodes + 1] = { text = ("%s.grad[{}] = 0"):format(a.name) } end
  end
end

-- The state for the next step; without detach the tape goes on, too.
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

-- A call that is not recorded.
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

-- A whole step given to hl.compile; made once, called with other arrays.
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
  b:add { text = ("return %s * 1"):format(v.expr) }          -- so that it is computed inside, whatever it is
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

-- What to differentiate by: arrays with gradient, parameters.
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

-- Steps of an inner loop written out (MAML): the array after them goes on into the same function.
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

local function event(g)
  local net = g:pick(g.nets)
  local c = #net.class.children > 0 and g:pick(net.class.children)
  local own = c and c.kind == "dense" and c.expr:find "^self" and c.expr:gsub("self", net.expr)
  local list = {}
  if own and not c.sequential then
    -- with its shape, where the block may read the weight by data() right after the layer's first call
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
  -- of a kind that brings a new trace: in an old one, an operator that no result needs is not run, and so not wrong
  local longer, integers = ("numbers(1, {%d, %d, 1}, %q)"):format(g.B, g.N + 2, g.dtype),
    ('numbers(1, {%d, %d}, "int32")'):format(g.B, g.N)
  words[g.below(#words) + 1] = g:pick { longer, integers, "nil" }
  return { { text = ('try("mistake", function() note("mistake", %s(%s)) end)'):format(net.expr,
    table.concat(words, ", ")) } }
end

-- ---- The program -----------------------------------------------------------------------------------------------

local function one_step(g, made, mixed)
  if mixed then return g:one_in(3) and inner_steps(g, made) or second_order(g, true) end
  if g.on.mistakes and g:one_in(3) then return mistake(g) end
  if g.on.steps and g:one_in(2) then return compiled_step(g, made) end
  if g.on.second and g:one_in(2) then return second_order(g, false) end
  if g:one_in(4) then return predicting(g) end
  return training(g)
end

local function draw_features(g, without, breaks)
  g.on = {}
  for _, f in ipairs(FEATURES) do g.on[f[1]] = g:one_in(f[2]) and not without:find("%f[%w]" .. f[1] .. "%f[%W]") end
  g.dtype = g.on.double and "float64" or "float32"
  g.B, g.N, g.M = 1 + g.below(4), 1 + g.below(4), 1 + g.below(5)
  if g.on.zero then g.B = 0 end
  if g.on.carry then g.on.batch = false end
  if breaks then g.on.breaks = true end
  if g.on.mistakes then g.on.deferred = false end        -- which parameters a failing call has made is left open
  if g.on.batch then g.B = 7 end
end

-- With two sizes of batch the arrays with the first give way to others in every second step.
local function other_batch(g, body)
  for _, a in ipairs(g.arrays) do
    if a.shape[1] == g.B then
      local shape = table.move(a.shape, 1, #a.shape, 1, {})
      shape[1] = 2
      local other = ("numbers(%d, %s, %q)"):format(g.below(1000), values.shape_text(shape), g.dtype)
      table.insert(body, 1, { text = ("local %s = step == 2 and %s or %s"):format(a.name, other, a.name) })
    end
  end
end

--- A program drawn from a seed. Options: mixed = true, losses that mix gradients of first and second order;
-- breaks = true, that it has this feature;
-- without = "names of features" that it is not to have.
function programs.draw(seed, options)
  local mixed = options and options.mixed
  local g = setmetatable({ below = scratch.numbers(seed * 6151 + 777), names = {}, arrays = {}, declared = {},
                           classes = {}, functions = {},
                           nets = {}, trainers = {} }, Generator)
  for _ = 1, 8 do g.below(2) end
  draw_features(g, options and options.without or "", options and options.breaks)
  g:array({ g.B, g.N }, "x")
  if g:one_in(2) then g:array({ g.B, g.N }, "x") end
  local nodes = {}
  if g:one_in(3) then
    g.shared = program_blocks.dense(g, "shared")
  end
  if g.on.compiled then
    g.functions[1] = program_blocks.compiled(g, { { g.B, g.N }, g:pick { { g.N }, { g.B, g.N } } }, nodes, {})
  end
  for i = 1, g:one_in(4) and 2 or 1 do
    local lines = {}
    g.nets[i] = make_net(g, lines)
    table.move(lines, 1, #lines, #nodes + 1, nodes)
  end
  if g.on.compiled and g:one_in(2) then
    g.functions[#g.functions + 1] = program_blocks.compiled(g, { { g.B, g.N } }, nodes, { children = { g.nets[1] } })
  end
  make_trainers(g, nodes)
  if g.on.losses then
    g.loss = { expr = "loss_of", kind = "block", inputs = { { g.B, g.N }, { g.B, g.N } }, outputs = { { g.B } } }
    nodes[#nodes + 1] = { text = ("local loss_of = H(gluon.loss.%s())"):format(g:pick { "L2Loss", "L1Loss", "HuberLoss",
      "SigmoidBCELoss" }) }
  end
  if g.on.carry then
    nodes[#nodes + 1] = { text = ("local state = numbers(%d, %s, %q)"):format(g.below(1000),
      values.shape_text { g.B, g.N }, g.dtype) }
  end
  local body = {}
  for _ = 1, 1 + g.below(3) do
    local step = one_step(g, nodes, mixed)
    if step then body[#body + 1] = { head = 'try("step", function()', body = step, tail = "end)", open = true } end
  end
  if g.on.replace then table.insert(body, 1, event(g)) end
  if g.on.batch then other_batch(g, body) end
  nodes[#nodes + 1] = { head = ("for step = 1, %d do"):format(1 + g.below(4)),
                        simpler = { "for step = 1, 1 do", "for step = 1, 2 do" }, body = body,
                        tail = "end", open = true }
  if g.shared then table.insert(nodes, 1, { text = "local shared = " .. g.shared.line() }) end
  table.move(nodes, 1, #nodes, #g.declared + 1, g.declared)
  return { seed = seed, nodes = g.declared, breaks = g.on.breaks, convolutions = g.on.convolutions }
end

--- The program as a script that runs by itself and prints what differs, with the engine's switches of a mode.
function programs.script(program, switches)
  local words = {}
  for name, value in pairs(switches or {}) do words[#words + 1] = ("%s = %q"):format(name, value) end
  table.sort(words)
  return ("local SEED, BREAKS, SWITCHES = %d, %s, {%s}\n"):format(program.seed, program.breaks and true or false,
                                                                  table.concat(words, ", "))
    .. HEAD .. (program.breaks and PLAIN or "") .. (program.convolutions and FILTERS or "")
    .. "local function program()\n" .. program_text.write(program.nodes) .. "end\n" .. TAIL
end

return programs
