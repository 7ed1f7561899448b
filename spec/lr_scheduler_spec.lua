-- lr_scheduler_spec.lua - learning rates by number of updates. The numbers are MXNet 1.9.1's.
local hl = require "hybridlua"
local L = hl.lr_scheduler

local function rates(scheduler)
  local list = {}
  for i = 0, 10 do list[#list + 1] = ("%.6g"):format(scheduler(i)) end
  return table.concat(list, " ")
end

describe("a schedule", function()
  it("matches MXNet: FactorScheduler", function()
    assert.equal("1 1 1 1 0.5 0.5 0.5 0.25 0.25 0.25 0.125",
      rates(L.FactorScheduler { step = 3, factor = .5, base_lr = 1 }))
    assert.equal("1 1 1 0.5 0.5 0.3 0.3 0.3 0.3 0.3 0.3",
      rates(L.FactorScheduler { step = 2, factor = .5, stop_factor_lr = .3, base_lr = 1 }))
  end)

  it("matches MXNet: MultiFactorScheduler", function()
    assert.equal("1 1 1 1 0.1 0.1 0.1 0.01 0.01 0.01 0.01",
      rates(L.MultiFactorScheduler { step = { 3, 6 }, factor = .1, base_lr = 1 }))
    assert.equal("1 1 1 1 0.1 0.1 0.1 0.01 0.01 0.01 0.01", rates(L.MultiFactorScheduler({ 3, 6 }, .1, 1)))
    assert.equal(rates(L.MultiFactorScheduler { 3, 6, factor = .1 }), rates(L.MultiFactorScheduler({ 3, 6 }, .1)))
  end)

  it("matches MXNet: PolyScheduler", function()
    assert.equal("1 0.765625 0.5625 0.390625 0.25 0.140625 0.0625 0.015625 0 0 0",
      rates(L.PolyScheduler { max_update = 8, base_lr = 1, pwr = 2 }))
  end)

  it("matches MXNet: CosineScheduler, with and without warmup", function()
    assert.equal("1 0.965746 0.868198 0.722208 0.55 0.377792 0.231802 0.134254 0.1 0.1 0.1",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, final_lr = .1 }))
    assert.equal("0.1 0.4 0.7 1 0.904508 0.654508 0.345492 0.0954915 0 0 0",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, warmup_steps = 3, warmup_begin_lr = .1 }))
    assert.equal("0.1 0.1 0.1 1 0.904508 0.654508 0.345492 0.0954915 0 0 0",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, warmup_steps = 3, warmup_begin_lr = .1,
                   warmup_mode = "constant" }))
  end)

  it("can be a script's own class", function()
    local Halves = L.LRScheduler:subclass "Halves"
    function Halves:rate(n) return self.base_lr / 2 ^ n end
    local s = Halves { base_lr = 8, warmup_steps = 2 }
    assert.same({ 0.0, 4.0, 2.0, 1.0 }, { s(0), s(1), s(2), s(3) })
  end)

  -- MXNet's loop defines the rates.
  local function by_products(step, factor, stop, num_update)
    local count, lr = 0, 1
    while num_update > count + step do
      count = count + step
      lr = math.max(lr * factor, stop)
    end
    return lr
  end

  it("has the same bits for consecutive updates and for jumps", function()
    for _, c in ipairs { { 1, .9, 0 }, { 3, .7, 1e-8 }, { 7, 1, 0 }, { 2, .99999, 1e-8 }, { 5, 0, 0 },
        { 10, .5, 0 } } do
      local step, factor, stop = table.unpack(c)
      local s = L.FactorScheduler { step = step, factor = factor, stop_factor_lr = stop, base_lr = 1 }
      for n = 0, 500 do assert.equal(by_products(step, factor, stop, n), s(n)) end
      for _, n in ipairs { 0, 1, 2, 2.5, 3, 3.5, 10.0, 100, 12345, 12345.999, 98765 } do
        assert.equal(by_products(step, factor, stop, n),
          L.FactorScheduler { step = step, factor = factor, stop_factor_lr = stop, base_lr = 1 }(n))
      end
      assert.equal(s(499), s(5))                       -- the count never decreases
    end
  end)

  it("is fast after any number of updates", function()
    local start = os.clock()
    for _, n in ipairs { 1e9, 1e15, 2 ^ 53, 2 ^ 53 + 2, 1e17, 1e17 + 16, 1e300, 1e308, math.maxinteger,
        math.maxinteger - 1, 2 ^ 63 } do
      local s = L.FactorScheduler { step = 3, factor = .99999999, base_lr = 1 }
      local expected = math.max(.99999999 ^ ((n - 1) // 3), 1e-8)
      assert.is_true(math.abs(s(n) / expected - 1) < 1e-6)
      assert.equal(s(n), s(n))
      assert.equal(s(n), s(0))
      assert.is_true(s(1.7e308) <= s(0))
      assert.equal(1, L.FactorScheduler { step = 1, base_lr = 1 }(n))
      assert.equal(.25, L.MultiFactorScheduler { step = { 3, 6 }, factor = .5, base_lr = 1 }(n))
      for _, curve in ipairs { "PolyScheduler", "CosineScheduler" } do
        local c = L[curve] { max_update = 8, base_lr = 1, final_lr = .25, warmup_steps = 8 }
        assert.equal(.25, c(8))
        assert.equal(.25, c(n))
      end
    end
    assert.is_true(os.clock() - start < 2)
  end)

  it("rejects invalid numbers of updates", function()
    local Mine = L.LRScheduler:subclass "Mine"
    function Mine:rate() return self.base_lr end
    for name, s in pairs { FactorScheduler = L.FactorScheduler { step = 1, warmup_steps = 2 },
                           MultiFactorScheduler = L.MultiFactorScheduler { 1, 2 },
                           PolyScheduler = L.PolyScheduler { max_update = 3 },
                           CosineScheduler = L.CosineScheduler { max_update = 3 }, Mine = Mine {} } do
      for _, n in ipairs { 0 / 0, math.huge, -math.huge, -1, -1e308, "5", {}, false } do
        assert.raises(function() return s(n) end, name .. ": num_update: expected a number of 0 or more, got ")
      end
      assert.raises(function() return s() end, name .. ": num_update: expected a number of 0 or more, got nil")
      assert.equal(.01, s.base_lr)
    end
  end)

  it("rejects invalid options", function()
    assert.raises(function() L.FactorScheduler { step = 0 } end, "Schedule step must be greater or equal than 1 round")
    assert.raises(function() L.FactorScheduler { step = 1, factor = 2 } end,
      "Factor must be no more than 1 to make lr reduce")
    assert.raises(function() L.MultiFactorScheduler { step = { 6, 3 } } end,
      "Schedule step must be an increasing integer list")
    assert.raises(function() L.PolyScheduler { max_update = 0 } end,
      "maximum number of updates must be strictly positive")
    assert.raises(function() L.LRScheduler { warmup_steps = -1 } end, "Warmup steps has to be positive or 0")
    assert.raises(function() L.LRScheduler { base_lr = 1, warmup_begin_lr = 2 } end,
      "Base lr has to be higher than warmup_begin_lr")
    assert.raises(function() L.LRScheduler { warmup_mode = "sudden" } end,
      "Supports only linear and constant modes of warmup")
    assert.raises(function() L.CosineScheduler { max_updates = 3 } end,
                  "lr_scheduler_spec.lua:%d+: CosineScheduler: unknown option 'max_updates'; did you mean " ..
                    "'max_update'%?")
  end)
end)

describe("a schedule in an optimizer", function()
  it("sets the rate of each update", function()
    local optimizer = hl.optimizer.SGD { lr_scheduler = L.FactorScheduler { step = 1, factor = .5, base_lr = 1 } }
    local w, g = hl.nd.array { 0 }, hl.nd.array { 1 }
    local seen = {}
    for i = 1, 3 do
      optimizer:update(0, w, g, nil)
      seen[i] = w:asscalar()
    end
    assert.same({ -1.0, -1.5, -1.75 }, seen)
    assert.equal(.25, optimizer.learning_rate)
    assert.raises(function() optimizer:set_learning_rate(1) end,
      "LRScheduler of the optimizer has already been defined")
  end)

  it("starts from the optimizer's rate, if given", function()
    local scheduler = L.PolyScheduler { max_update = 4, base_lr = 1 }
    local stderr = io.stderr
    finally(function() io.stderr = stderr end)       -- luacheck: ignore 122
    -- luacheck: ignore 122
    io.stderr = { write = function(_, text)
      assert.truthy(text:find "has been overwritten by learning_rate of the optimizer")
    end }
    hl.optimizer.SGD { learning_rate = .5, lr_scheduler = scheduler }
    assert.equal(.125, scheduler(2))
  end)
end)

describe("ReduceLROnPlateau", function()
  local losses = { 5, 4, 4, 4, 4, 3.9999, 3.9, 4, 4, 4, 4, 4, 4, 4, 4, 4 }

  -- The rates after each call, as in PyTorch 2.13.
  local function rates_after(options)
    local trainer = hl.optimizer.SGD { learning_rate = 1. }
    local plateau, seen = L.ReduceLROnPlateau(trainer, options), {}
    for i, loss in ipairs(losses) do
      local before = trainer.learning_rate
      assert.equal(plateau:step(loss), trainer.learning_rate ~= before)
      seen[i] = trainer.learning_rate
    end
    return seen
  end

  it("lowers the rate when the loss stagnates", function()
    assert.allclose(rates_after { factor = .5, patience = 1 },
      { 1.0, 1.0, 1.0, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125, 0.0625, 0.0625, 0.03125, 0.03125, 0.015625, 0.015625 })
    assert.allclose(rates_after { factor = .1, patience = 2, threshold = .05, threshold_mode = "abs", cooldown = 2 },
      { 1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.01, 0.01, 0.01, 0.01, 0.01, 0.001, 0.001 })
    assert.allclose(rates_after { mode = "max", factor = .5, patience = 0, min_lr = .2 },
      { 1.0, 0.5, 0.25, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2 })
  end)

  it("works on a Trainer, accepts arrays, and resumes from its state", function()
    local p = hl.gluon.Parameter("w", { shape = { 1 } })
    p:initialize()
    local trainer = hl.gluon.Trainer({ p }, "sgd", { learning_rate = .5 })
    local plateau = L.ReduceLROnPlateau { trainer = trainer, patience = 0 }
    assert.is_false(plateau:step(hl.nd.array { 2 }))
    local other = L.ReduceLROnPlateau(trainer, { patience = 0 })
    other:load_state(plateau:state())
    assert.is_true(other:step(3))
    assert.near(.05, trainer.learning_rate, 1e-12)
  end)

  it("rejects invalid arguments", function()
    local sgd = hl.optimizer.SGD()
    assert.raises(function() L.ReduceLROnPlateau(3) end, "trainer: expected a Trainer or an Optimizer, got number")
    assert.raises(function() L.ReduceLROnPlateau(sgd, { mode = "least" }) end,
      "mode: expected 'min' or 'max', got 'least'")
    assert.raises(function() L.ReduceLROnPlateau(sgd, { factor = 1 }) end,
      "factor: expected a number from 0 to below 1")
    assert.raises(function() L.ReduceLROnPlateau(sgd, { pacience = 1 }) end,
      "unknown option 'pacience'; did you mean 'patience'%?")
    assert.raises(function() L.ReduceLROnPlateau(sgd):step "x" end, "value: expected a number, got string")
    assert.raises(function() L.ReduceLROnPlateau(sgd).step(3) end, "call it with a colon")
  end)
end)
