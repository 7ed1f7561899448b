-- refused_child.lua once|from no|blocks|pieces|step - trains while allocations fail, one point after another, for
-- refused_spec.lua. It is a separate process, since each failure starts with a full collection, which is slow with a
-- large heap. Prints "held: N points, M of them without an error", or the failure.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local STEPS = 2

-- Training with dropout and an operator that writes its state in place; `compiled` is "no", "blocks", "pieces" (a block
-- that reads values) or "step". Returns a function that trains and one that returns the results.
local function workload(compiled)
  hl.random.seed(3)
  local net = nn.HybridSequential()
  net:add(nn.Dense(4, { in_units = 3 }), nn.Dropout(0.5), nn.Dense(2, { in_units = 4 }))
  net:initialize(hl.init.Xavier())
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1, momentum = 0.9 })
  local momentum, weight, data, moved = nd.zeros { 5, 3 }, nd.ones { 5, 3 }, nd.random.uniform { shape = { 5, 3 } },
    nd.ones { 5, 3 }
  local seen = nd.ones { 1, 3 }
  moved:attach_grad()
  local function state(F, x) return x + F.sgd_mom_update(weight, x, momentum, { lr = 0.1, momentum = 0.5 }) end
  local function loss_of(x) return autograd.record(function() return (net(x) ^ 2):sum() end) end
  local function step(_, x)
    local loss = loss_of(x)
    loss:backward()
    trainer:step(5)
    return loss
  end
  if compiled == "pieces" then
    local Reading = gluon.HybridBlock:subclass "Reading"
    function Reading.hybrid_forward(self, F, x)
      local h = F.tanh(x) * 2 + seen + F.square(self.inner(x):sum())
      if h:max():asscalar() > 0 then h = F.relu(h) + 1 end
      seen[{ 0, 0 }] = seen[{ 0, 0 }]:asscalar() * 0.5
      return h:mean { axis = 1 } * 0.25
    end
    local inner = net
    net = Reading()
    net.inner = inner
    net:hybridize { breaks = true }
  elseif compiled == "blocks" then
    net:hybridize()
    state = hl.compile(state)
  elseif compiled == "step" then
    step = hl.compile(step)
  end
  local function state_of(x)
    if compiled == "no" or compiled == "pieces" then return state(nd, x) end
    return state(x)
  end
  local function train()
    for _ = 1, STEPS do
      if compiled == "step" then
        step(data)
      else
        step(nd, data)
        autograd.record(function() return state_of(moved):sum() end):backward()
      end
    end
  end
  local function outcome()
    local parts = { seen:tobytes(), momentum:tobytes(), moved.grad:tobytes(),
                    table.concat({ core.random.state() }, " ") }
    for _, param in ipairs(net:collect_params():values()) do parts[#parts + 1] = param:data():tobytes() end
    return table.concat(parts, "|")
  end
  return train, outcome
end

local function check(fine, ...) if not fine then error(string.format(...), 0) end end

local function check_off(n)
  check(not autograd.is_recording() and not autograd.is_training() and not (core.trace.active()),
    "a mode is on after allocation %d", n)
end

-- Fails each of the library's allocations once; the result must be the same bits or an error.
local function once(compiled)
  local train, outcome = workload(compiled)
  train()
  local expected = outcome()
  local left, n, same = 0, 0, 0
  while left == 0 do
    n = n + 1
    train, outcome = workload(compiled)
    core.host.memory_options { fail_after = n }
    local ok, message = pcall(train)
    left = core.host.memory_options { fail_after = 0 }
    if ok then same = same + 1 end
    check(not ok or outcome() == expected, "a different result when allocation %d failed", n)
    check(ok or tostring(message):find "memory", "allocation %d: %s", n, message)
    check_off(n)
  end
  return n, same
end

-- Fails all allocations from the n-th on, including Lua's; no mode may stay on. n grows by 3, or by the third argument.
local function from(compiled)
  local step = tonumber(arg[3]) or 3
  local n, done = 1 - step, false
  while not done do
    n = n + step
    local train = workload(compiled)
    core.host.fail_allocations(n)
    local ok, message = pcall(train)
    core.host.fail_allocations(0)
    check_off(n)
    check(ok or tostring(message):find "memory", "allocation %d: %s", n, message)
    done = ok
  end
  check((nd.ones { 2 } + 1):sum():asscalar() == 4, "nothing works afterwards")
  return n, 1
end

core.host.debug { jit = "off" }
local ok, n, same = pcall(arg[1] == "once" and once or from, arg[2])
print(ok and ("held: %d points, %d of them without an error"):format(n, same) or n)
