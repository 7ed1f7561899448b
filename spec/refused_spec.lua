-- refused_spec.lua - memory that is refused once, or for good: a call that succeeds at its second try
-- has done everything once, and no mode stays on.
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

local function assert_off(where)
  assert.is_false(autograd.is_recording(), where)
  assert.is_false(autograd.is_training(), where)
  assert.is_false((core.tracing()), where)
end

describe("memory that is refused", function()
  local jit
  setup(function() jit = core.debug { jit = "off" }.jit end)
  teardown(function()
    core.fail_from(0)
    core.memory_options { fail_after = 0 }
    core.debug { jit = jit }
  end)

  for _, compiled in ipairs { "no", "blocks", "step" } do
    it("once: the same bits, or an error; compiled: " .. compiled, function()
      local train, outcome = workload(compiled)
      train()
      local expected = outcome()
      local left, n, same = 0, 0, 0
      while left == 0 do
        n = n + 1
        train, outcome = workload(compiled)
        core.memory_options { fail_after = n }
        local ok, message = pcall(train)
        left = core.memory_options { fail_after = 0 }
        if ok then
          same = same + 1
          assert.is_true(outcome() == expected, "another outcome where allocation " .. n .. " was refused")
        else
          assert.matches("memory", tostring(message))
        end
        assert_off("after allocation " .. n)
      end
      assert.is_true(n > 100 and same > 50)
    end)

    it("from some point on, to Lua too, leaves no mode on; compiled: " .. compiled, function()
      local n, done = 1, false
      while not done do
        local train = workload(compiled)
        core.fail_from(n)
        local ok, message = pcall(train)
        core.fail_from(0)
        assert_off("after allocation " .. n)
        if not ok then assert.matches("memory", tostring(message)) end
        done, n = ok, n + 1
      end
      assert.is_true(n > 300)
      assert.bits(nd.ones { 2 } + 1, nd.array { 2, 2 })
    end)
  end
end)
