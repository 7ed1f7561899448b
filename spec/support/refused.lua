-- refused.lua - trains while memory is refused, for spec/refused_spec.lua: a process of its own, as each
-- refusal means collections of all that Lua holds. Arguments: once or from, and what is compiled.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local STEPS = 2

-- Training with dropout, and with an operator that writes its state in place; `compiled` is "no", "blocks" or
-- "step". Gives a function that trains, and one that tells what came of it.
local function workload(compiled)
  hl.random.seed(3)
  local net = nn.HybridSequential()
  net:add(nn.Dense(4, { in_units = 3 }), nn.Dropout(0.5), nn.Dense(2, { in_units = 4 }))
  net:initialize(hl.init.Xavier())
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1, momentum = 0.9 })
  local momentum, weight, data, moved = nd.zeros { 5, 3 }, nd.ones { 5, 3 }, nd.random.uniform { shape = { 5, 3 } }, nd.ones { 5, 3 }
  moved:attach_grad()
  local function state(F, x) return x + F.sgd_mom_update(weight, x, momentum, { lr = 0.1, momentum = 0.5 }) end
  local function loss_of(x) return autograd.record(function() return (net(x) ^ 2):sum() end) end
  local function step(_, x)
    local loss = loss_of(x)
    loss:backward()
    trainer:step(5)
    return loss
  end
  if compiled == "blocks" then
    net:hybridize()
    state = hl.compile(state)
  elseif compiled == "step" then
    step = hl.compile(step)
  end
  local function train()
    for _ = 1, STEPS do
      if compiled == "step" then
        step(data)
      else
        step(nd, data)
        autograd.record(function() return (compiled == "no" and state(nd, moved) or state(moved)):sum() end):backward()
      end
    end
  end
  local function outcome()
    local parts = { momentum:tobytes(), moved.grad:tobytes(), table.concat({ core.random_state() }, " ") }
    for _, param in ipairs(net:collect_params():values()) do parts[#parts + 1] = param:data():tobytes() end
    return table.concat(parts, "|")
  end
  return train, outcome
end

local function check(condition, text, n)
  if not condition then error(("allocation %d: %s"):format(n, text), 0) end
end

local function check_after(n, ok, message)
  check(ok or tostring(message):find "memory", tostring(message), n)
  check(not autograd.is_recording() and not autograd.is_training() and not core.tracing(), "a mode stayed on", n)
end

-- Every allocation of the engine is refused once, in a run of its own.
local function refuse_once(compiled)
  local train, outcome = workload(compiled)
  train()
  local expected, left, n, done = outcome(), 0, 0, 0
  while left == 0 do
    n = n + 1
    train, outcome = workload(compiled)
    core.memory_options { fail_after = n }
    local ok, message = pcall(train)
    left = core.memory_options { fail_after = 0 }
    check_after(n, ok, message)
    check(not ok or outcome() == expected, "another outcome", n)
    if ok then done = done + 1 end
  end
  return n, done
end

-- All allocations are refused from the n-th on, Lua's too; for every third n.
local function refuse_from(compiled)
  local n, ok = -2, false
  while not ok do
    local message
    n = n + 3
    local train = workload(compiled)
    core.fail_from(n)
    ok, message = pcall(train)
    core.fail_from(0)
    check_after(n, ok, message)
  end
  check((nd.ones { 2 } + 1)[0]:asscalar() == 2, "nd.ones{2} + 1 is something else", n)
  return n, 1
end

core.debug { jit = "off" }
local refuse = arg[1] == "once" and refuse_once or refuse_from
print(("%d allocations, %d runs went well"):format(refuse(arg[2])))

