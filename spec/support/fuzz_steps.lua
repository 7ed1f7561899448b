-- fuzz_steps.lua - random trainings whose steps run eagerly and as one compiled function: every array, count and random
-- number must be the same. Then each instruction of a compiled step is made to fail before it runs
-- (base/settings/debug_switches.h), which must leave the state that the eager step has before or after the line that
-- the error names.
--
-- The step is a script of its own, one action or layer a line. Its eager form notes the state after each line. After a
-- failure the training is put back to the state before the step, so that one compiled function serves all failures.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local fuzz_steps = {}

-- ---- Choosing ---------------------------------------------------------------------------------------

-- A generator of choices: below(n) is in 0 .. n - 1. It is independent of the engine's random stream.
local function choices(seed)
  local state = (seed * 2654435761 + 12345) & 0xFFFFFFFF
  local g = {}
  function g.below(n)
    state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
    return (state >> 16) % n
  end
  function g.one(list) return list[1 + g.below(#list)] end
  function g.maybe(percent) return g.below(100) < percent end
  return g
end

local LAYERS = {
  function(g)
    return ("nn.Dense(%d, { activation = %q })"):format(2 + g.below(5), g.one { "relu", "tanh", "sigmoid" })
  end,
  function(g) return ("nn.Dense(%d, { use_bias = %s })"):format(2 + g.below(5), g.maybe(50)) end,
  function(g) return ("nn.BatchNorm { momentum = %s }"):format(g.one { "0.9", "0.5" }) end,
  function(g) return ("nn.Dropout(%s)"):format(g.one { "0.2", "0.5" }) end,
  function() return "nn.LayerNorm()" end,
}

local OPTIMIZERS = {
  { "sgd", "momentum = 0.9, wd = 0.01" }, { "sgd", "wd = 0.1" }, { "sgd", "clip_gradient = 0.01" },
  { "nag", "wd = 0.01" },
  { "adam", "" }, { "adam", "wd = 0.01, beta1 = 0.5" }, { "adamw", "" }, { "rmsprop", "centered = true" },
  { "rmsprop", "" }, { "adagrad", "" }, { "adadelta", "" }, { "ftrl", "" }, { "ftml", "" }, { "signum", "" },
  { "lamb", "" },
}

-- The lines that make a training's blocks, and those of its step.
local function describe(seed)
  local g = choices(seed)
  local n_layers, n_losses = 1 + g.below(4), g.maybe(25) and 2 or 1
  local made, lines = {}, {}
  local function line(text, ...) lines[#lines + 1] = text:format(...) end
  for i = 1, n_layers do made[i] = g.one(LAYERS)(g) end
  made[#made + 1] = "nn.Dense(3)"
  local add, zero = g.maybe(25), g.maybe(30)
  if zero then line "t.params:zero_grad()" end
  line "local loss, other = autograd.record(function()"
  line "  local h = x"
  for i = 1, #made do line("  h = t.blocks[%d](h)", i) end
  line("  local loss = t.loss(h, y)%s", g.one { "", ":mean()", ":sum()" })
  line("  return loss%s", n_losses == 2 and ", (h * h):sum() * 0.01" or "")
  line "end)"
  if n_losses == 1 then line "loss:backward()"
  elseif add then line "loss:backward({ retain_graph = true })" line "other:backward()"
  else line "autograd.backward({ loss, other })" end
  if g.maybe(15) then line "gluon.utils.clip_global_norm(t.gradients, 0.5)" end
  local trainers = g.maybe(20) and 2 or 1
  for i = 1, trainers do line("t.trainers[%d]:step(x.shape[1]%s)", i, add and ", true" or ", true") end
  if g.maybe(20) then line "loss = loss:mean() * 2" end
  line "return loss"
  local d = { seed = seed, made = made, lines = lines, add = add, trainers = {}, steps = 2 + g.below(3),
    frozen = g.maybe(20) and g.below(8) or nil, rates = g.maybe(40), smaller = g.maybe(30), jit = g.maybe(3) }
  for i = 1, trainers do
    local chosen = g.one(OPTIMIZERS)
    local schedule = g.maybe(20) and "lr_scheduler = hl.lr_scheduler.FactorScheduler { step = 2, factor = 0.5 }, " or ""
    d.trainers[i] = { chosen[1], schedule .. chosen[2] }
    if schedule ~= "" then d.rates = false end
  end
  d.multipliers = g.maybe(20)
  return d
end

-- The script of the step. noting: `at` is called after each line.
local function step_text(d, noting)
  local lines = {}
  for i, line in ipairs(d.lines) do
    local quiet = not noting or line:find "^return" or line:find "^  return" or line:find "record%(function" or
      line == "end)"
    lines[i] = quiet and line or ("%s at(%d)"):format(line, i + 1)
  end
  return "local t, at, hl, autograd, gluon = ... return function(_, x, y)\n" .. table.concat(lines, "\n") .. "\nend"
end

--- The whole training as text, for reports.
function fuzz_steps.text(d)
  local parts = { "-- seed " .. d.seed, "blocks: " .. table.concat(d.made, ", ") }
  for i, trainer in ipairs(d.trainers) do
    parts[#parts + 1] = ("trainer %d: %s {%s}"):format(i, trainer[1], trainer[2])
  end
  for _, key in ipairs { "add", "frozen", "rates", "smaller", "multipliers", "steps" } do
    parts[#parts + 1] = ("%s: %s"):format(key, tostring(d[key]))
  end
  return table.concat(parts, "\n") .. "\n" .. step_text(d)
end

-- ---- A training ---------------------------------------------------------------------------------------

local function evaluate(text)
  return assert(load("local nn, hl = ... return " .. text, "=script"))(nn, hl)
end

local function new_training(d, noting)
  hl.random.seed(d.seed)
  local t = { blocks = {}, list = {}, trainers = {}, states = {}, loss = gluon.loss.SoftmaxCrossEntropyLoss() }
  local net = nn.HybridSequential()
  for i, text in ipairs(d.made) do
    t.blocks[i] = evaluate(text)
    net:add(t.blocks[i])
  end
  net:initialize()
  t.net, t.params = net, net:collect_params()
  local h = nd.zeros { 4, 5 }
  for _, block in ipairs(t.blocks) do h = block(h) end
  for i, param in ipairs(t.params:values()) do
    t.list[i] = param
    if param.grad_req ~= "null" then
      if d.add then param.grad_req = "add" end
      if d.frozen == i then param.grad_req = "null" end
      if d.multipliers and i % 2 == 0 then param.lr_mult, param.wd_mult = 0.5, 0.0 end
    end
  end
  t.gradients = {}
  for _, param in ipairs(t.list) do
    if param.grad_req ~= "null" then t.gradients[#t.gradients + 1] = param:grad() end
  end
  for i, trainer in ipairs(d.trainers) do
    local own = {}
    for k, param in ipairs(t.list) do if k % #d.trainers == i - 1 then own[#own + 1] = param end end
    t.trainers[i] = gluon.Trainer(own, trainer[1], evaluate("{" .. trainer[2] .. "}"))
  end
  local function at(line)
    local state = fuzz_steps.state(t)
    state.line = line
    t.states[#t.states + 1] = state
  end
  local step = assert(load(step_text(d, noting), "=script"))(t, at, hl, autograd, gluon)
  t.step = noting and function(x, y) return step(nd, x, y) end or hl.compile(step)
  return t
end

local function each_state(trainer, visit)
  for i in ipairs(trainer._params) do
    local state = trainer._updater.states[i]
    if core.array.is(state) then visit(i, state)
    else for _, array in ipairs(state or {}) do visit(i, array) end end
  end
end

local function is_zero(bytes) return not bytes:find "[^\0]" end

--- All that a training consists of, as a list of { name, bytes }. States that were not made yet count as zeros.
function fuzz_steps.state(t)
  local all = { { "random stream", ("%d %d"):format(core.random.state()) } }
  local function add(name, bytes) all[#all + 1] = { name, bytes } end
  for i, param in ipairs(t.list) do
    add(("parameter %d"):format(i), param:data():tobytes())
    if param.grad_req ~= "null" then add(("gradient %d"):format(i), param:grad():tobytes()) end
  end
  for k, trainer in ipairs(t.trainers) do
    local optimizer = trainer._optimizer
    add(("updates %d"):format(k), tostring(optimizer.num_update))
    for i in ipairs(trainer._params) do
      add(("count %d.%d"):format(k, i), tostring(optimizer._index_update_count[i] or 0))
    end
    local states = {}
    each_state(trainer, function(i, array) states[i] = (states[i] or "") .. array:tobytes() end)
    for i in ipairs(trainer._params) do
      local bytes = states[i] or ""
      add(("state %d.%d"):format(k, i), is_zero(bytes) and "" or bytes)
    end
  end
  return all
end

-- The first thing that differs, or nil.
local function difference(a, b)
  for i, one in ipairs(a) do if one[2] ~= b[i][2] then return one[1] end end
end

local function copy_of(t)
  local copy = {}
  for key, value in pairs(t) do copy[key] = value end
  return copy
end

-- A function that puts a training back to its present state.
local function keeper(t)
  local arrays, tables, random = {}, {}, { core.random.state() }
  local function keep(array) arrays[#arrays + 1] = { array, array:copy() } end
  local function keep_table(one) if one then tables[#tables + 1] = { one, copy_of(one) } end end
  for _, param in ipairs(t.list) do
    keep(param:data())
    if param.grad_req ~= "null" then keep(param:grad()) end
  end
  for _, trainer in ipairs(t.trainers) do
    each_state(trainer, function(_, array) keep(array) end)
    local optimizer = trainer._optimizer
    for _, one in ipairs { trainer._used, trainer._updater.states, trainer._updater.known,
      optimizer._index_update_count, optimizer.lr_scheduler or {} } do
      keep_table(one)
    end
    keep_table(optimizer)
  end
  return function()
    for _, pair in ipairs(arrays) do pair[1]:set(pair[2]) end
    for _, pair in ipairs(tables) do
      for key in pairs(pair[1]) do if pair[2][key] == nil then rawset(pair[1], key, nil) end end
      for key, value in pairs(pair[2]) do rawset(pair[1], key, value) end
    end
    core.random.state(table.unpack(random))
  end
end

-- ---- Comparing ----------------------------------------------------------------------------------------

local KINDS = { "error", "memory" }

-- The line of the step that an error names: the one that it begins with, or that of the operator.
local function line_of(problem)
  return tonumber(problem:match "^script:(%d+):" or problem:match "%(at script:(%d+)%)")
end

-- Is `now` the state before or after the line of eager code that the error names?
local function is_of_line(states, now, line)
  local before
  for _, state in ipairs(states) do
    if (state.line or 0) < line then before = state
    elseif state.line == line then return not difference(state, now) or not difference(before, now) end
  end
  return not difference(before, now)
end

-- Runs the step with each of its instructions failing; returns what is wrong, or nil.
local function fail_everywhere(t, x, y, allowed, kind, count)
  local restore = keeper(t)
  for k = 1, math.huge do
    core.host.debug { fail_in = k, failure = kind }
    local ok, problem = pcall(t.step, x, y)
    local left = core.host.debug { fail_in = 0 }.fail_in
    if ok and left > 0 then return restore() end
    count.failures = count.failures + 1
    -- memory that ran out once is tried again
    if ok and kind ~= "memory" then return ("%s at instruction %d was not raised"):format(kind, k) end
    if not ok and not tostring(problem):find("made to fail", 1, true) then
      return ("%s at instruction %d: %s"):format(kind, k, tostring(problem))
    end
    local now, closest = fuzz_steps.state(t), nil
    for i, state in ipairs(allowed) do
      local differs = difference(state, now)
      if not differs then closest = nil break end
      closest = ("%s (compared with the state after %d lines)"):format(differs, i - 1)
      if i == #allowed then
        local all = {}
        for n, one in ipairs(allowed) do all[n] = ("%d: %s"):format(n - 1, difference(one, now)) end
        return ("%s at instruction %d left a state that no eager line has: %s\n  %s"):format(kind, k, tostring(problem),
          table.concat(all, "\n  "))
      end
    end
    local line = not ok and line_of(tostring(problem))
    if not ok and kind == "error" and not (line and is_of_line(allowed, now, line)) then
      return ("%s at instruction %d: the state is not that of the line that the error names: %s"):format(kind, k,
        tostring(problem))
    end
    restore()
    if closest then return closest end
  end
end

local function batch(d, i)
  local n = d.smaller and i % 2 == 0 and 3 or 4
  hl.random.seed(1000 * d.seed + i)
  local x = nd.random.normal { shape = { n, 5 } }
  return x, nd.random.randint(0, 3, { shape = { n } }):astype "float32"
end

-- Trains both ways; returns what differs, or nil.
local function compare(d, injected, count)
  local e, c = new_training(d, true), new_training(d, false)
  local stream = 7
  for i = 1, d.steps do
    local x, y = batch(d, i)
    for _, t in ipairs { e, c } do
      if d.rates then for _, trainer in ipairs(t.trainers) do trainer:set_learning_rate(0.1 / i) end end
    end
    hl.random.seed(stream + i)
    e.states = { fuzz_steps.state(e) }
    local eager = e.step(x, y)
    e.states[#e.states + 1] = fuzz_steps.state(e)
    e.states[#e.states].line = math.huge
    hl.random.seed(stream + i)
    if i > 1 and injected then
      for _, kind in ipairs(KINDS) do
        local wrong = fail_everywhere(c, x, y, e.states, kind, count)
        if wrong then return ("step %d: %s"):format(i, wrong) end
      end
    end
    local compiled = c.step(x, y)
    if eager:tobytes() ~= compiled:tobytes() then return ("step %d: the loss differs"):format(i) end
    local differs = difference(e.states[#e.states], fuzz_steps.state(c))
    if differs then return ("step %d: %s differs"):format(i, differs) end
  end
end

--- Trains by a random script; returns a report if something differs, and true. count: { failures = } is added to.
function fuzz_steps.one(seed, options)
  local d = describe(seed)
  local count = options and options.count or { failures = 0 }
  local before = core.host.debug { jit = d.jit and "sync" or "off" }
  local ok, wrong = pcall(compare, d, not (options and options.plain), count)
  core.host.debug { jit = before.jit, fail_in = 0 }
  if not ok then wrong = "an error: " .. tostring(wrong) end
  return wrong and fuzz_steps.text(d) .. "\n--> " .. wrong or nil, true
end

return fuzz_steps
