-- programs.lua - random programs like those that people write: blocks with children and parameters, compiled functions,
-- and a main part that trains them, and reads and writes arrays.
--
-- A program is { seed, nodes }; programs.script (program_script.lua) makes a script of it. Each has a random subset of
-- FEATURES, so that a broken feature does not prevent tests of the others.
local program_blocks = require "support.program_blocks"
local program_script = require "support.program_script"
local program_steps = require "support.program_steps"
local scratch = require "support.scratch"
local values = require "support.program_values"

local programs = { script = program_script }

-- One program in n has the feature; `mixed` only on request.
local FEATURES = {
  { "add", 4 },                -- gradients that accumulate
  { "batch", 6 },              -- two batch sizes
  { "breaks", 4 },             -- plain Blocks and values read inside, hybridize{breaks = true}
  { "calls", 2 },              -- one child called several times
  { "cancel", 3 },             -- large numbers, so that a sum's order matters
  { "captures", 2 },           -- blocks and functions that read arrays from outside
  { "carry", 6 },              -- a state passed from step to step
  { "check", 30 },             -- hybridize{check = 1}
  { "compiled", 3 },           -- functions given to hl.compile
  { "control", 3 },            -- foreach, while_loop, cond
  { "convolutions", 4 },       -- blocks for whose weights kernels keep packed forms
  { "data", 3 },               -- parameters read by data() inside
  { "deferred", 3 },           -- layers that infer their shapes
  { "derivatives", 6 },        -- hl.grad of functions inside
  { "detach", 4 },             -- values without gradients
  { "double", 2 },             -- float64
  { "early", 8 },              -- a call before initialize()
  { "flow", 3 },               -- ifs and loops
  { "heads", 2 },              -- several results
  { "held", 6 },               -- gradients that the script keeps
  { "inner", 6 },              -- inner blocks hybridized separately
  { "intermediate", 6 },       -- functions that capture a value on the tape
  { "losses", 4 },             -- Gluon's losses
  { "mistakes", 10 },          -- calls that raise errors
  { "modes", 5 },              -- train_mode, predict_mode inside
  { "nested", 3 },             -- blocks in blocks
  { "none", 4 },               -- loops of no iterations
  { "null", 7 },               -- parameters without gradient
  { "numbers", 4 },            -- numbers among the arguments
  { "own", 2 },                -- the block's own parameters
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
  { "unused", 4 },             -- unused values
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

-- ---- Arrays --------------------------------------------------------------------------------------------

--- An array at the top of the program that functions may capture, an existing or a new one.
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

-- A net, initialized and hybridized; its lines are added to `nodes`.
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
  -- for shared parameters
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

-- ---- The program -----------------------------------------------------------------------------------------------

local function draw_features(g, without, breaks)
  g.on = {}
  for _, f in ipairs(FEATURES) do g.on[f[1]] = g:one_in(f[2]) and not without:find("%f[%w]" .. f[1] .. "%f[%W]") end
  g.dtype = g.on.double and "float64" or "float32"
  g.B, g.N, g.M = 1 + g.below(4), 1 + g.below(4), 1 + g.below(5)
  if g.on.zero then g.B = 0 end
  if g.on.carry then g.on.batch = false end
  if breaks then g.on.breaks = true end
  if g.on.mistakes then g.on.deferred = false end        -- which parameters a failing call has created is unspecified
  if g.on.batch then g.B = 7 end
end

-- With two batch sizes, every second step uses arrays of the other size.
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

--- Draws a program from a seed. Options: mixed = true: losses that mix first-order and second-order gradients; breaks =
-- true: it has this feature; without = "names of features" to exclude.
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
    local step = program_steps.draw(g, nodes, mixed)
    if step then body[#body + 1] = { head = 'try("step", function()', body = step, tail = "end)", open = true } end
  end
  if g.on.replace then table.insert(body, 1, program_steps.event(g)) end
  if g.on.batch then other_batch(g, body) end
  nodes[#nodes + 1] = { head = ("for step = 1, %d do"):format(1 + g.below(4)),
                        simpler = { "for step = 1, 1 do", "for step = 1, 2 do" }, body = body,
                        tail = "end", open = true }
  if g.shared then table.insert(nodes, 1, { text = "local shared = " .. g.shared.line() }) end
  table.move(nodes, 1, #nodes, #g.declared + 1, g.declared)
  return { seed = seed, nodes = g.declared, breaks = g.on.breaks, convolutions = g.on.convolutions }
end

return programs
