-- lr_scheduler_spec.lua - learning rates by the number of updates. The numbers are MXNet 1.9.1's.
local hl = require "hybridlua"
local L = hl.lr_scheduler

local function rates(scheduler)
  local list = {}
  for i = 0, 10 do list[#list + 1] = ("%.6g"):format(scheduler(i)) end
  return table.concat(list, " ")
end

describe("a schedule", function()
  it("FactorScheduler", function()
    assert.equal("1 1 1 1 0.5 0.5 0.5 0.25 0.25 0.25 0.125", rates(L.FactorScheduler { step = 3, factor = .5, base_lr = 1 }))
    assert.equal("1 1 1 0.5 0.5 0.3 0.3 0.3 0.3 0.3 0.3", rates(L.FactorScheduler { step = 2, factor = .5, stop_factor_lr = .3, base_lr = 1 }))
  end)

  it("MultiFactorScheduler", function()
    assert.equal("1 1 1 1 0.1 0.1 0.1 0.01 0.01 0.01 0.01", rates(L.MultiFactorScheduler { step = { 3, 6 }, factor = .1, base_lr = 1 }))
    assert.equal("1 1 1 1 0.1 0.1 0.1 0.01 0.01 0.01 0.01", rates(L.MultiFactorScheduler({ 3, 6 }, .1, 1)))
    assert.equal(rates(L.MultiFactorScheduler { 3, 6, factor = .1 }), rates(L.MultiFactorScheduler({ 3, 6 }, .1)))
  end)

  it("PolyScheduler", function()
    assert.equal("1 0.765625 0.5625 0.390625 0.25 0.140625 0.0625 0.015625 0 0 0", rates(L.PolyScheduler { max_update = 8, base_lr = 1, pwr = 2 }))
  end)

  it("CosineScheduler, with a warmup and without", function()
    assert.equal("1 0.965746 0.868198 0.722208 0.55 0.377792 0.231802 0.134254 0.1 0.1 0.1",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, final_lr = .1 }))
    assert.equal("0.1 0.4 0.7 1 0.904508 0.654508 0.345492 0.0954915 0 0 0",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, warmup_steps = 3, warmup_begin_lr = .1 }))
    assert.equal("0.1 0.1 0.1 1 0.904508 0.654508 0.345492 0.0954915 0 0 0",
                 rates(L.CosineScheduler { max_update = 8, base_lr = 1, warmup_steps = 3, warmup_begin_lr = .1, warmup_mode = "constant" }))
  end)

  it("of one's own", function()
    local Halves = L.LRScheduler:subclass "Halves"
    function Halves:rate(n) return self.base_lr / 2 ^ n end
    local s = Halves { base_lr = 8, warmup_steps = 2 }
    assert.same({ 0.0, 4.0, 2.0, 1.0 }, { s(0), s(1), s(2), s(3) })
  end)

  it("refuses what makes no sense", function()
    assert.raises(function() L.FactorScheduler { step = 0 } end, "Schedule step must be greater or equal than 1 round")
    assert.raises(function() L.FactorScheduler { step = 1, factor = 2 } end, "Factor must be no more than 1 to make lr reduce")
    assert.raises(function() L.MultiFactorScheduler { step = { 6, 3 } } end, "Schedule step must be an increasing integer list")
    assert.raises(function() L.PolyScheduler { max_update = 0 } end, "maximum number of updates must be strictly positive")
    assert.raises(function() L.LRScheduler { warmup_steps = -1 } end, "Warmup steps has to be positive or 0")
    assert.raises(function() L.LRScheduler { base_lr = 1, warmup_begin_lr = 2 } end, "Base lr has to be higher than warmup_begin_lr")
    assert.raises(function() L.LRScheduler { warmup_mode = "sudden" } end, "Supports only linear and constant modes of warmup")
    assert.raises(function() L.CosineScheduler { max_updates = 3 } end,
                  "lr_scheduler_spec.lua:%d+: CosineScheduler: unknown option 'max_updates'; did you mean 'max_update'%?")
  end)
end)

describe("a schedule in an optimizer", function()
  it("gives the rate of each update", function()
    local optimizer = hl.optimizer.SGD { lr_scheduler = L.FactorScheduler { step = 1, factor = .5, base_lr = 1 } }
    local w, g = hl.nd.array { 0 }, hl.nd.array { 1 }
    local seen = {}
    for i = 1, 3 do
      optimizer:update(0, w, g, nil)
      seen[i] = w:asscalar()
    end
    assert.same({ -1.0, -1.5, -1.75 }, seen)
    assert.equal(.25, optimizer.learning_rate)
    assert.raises(function() optimizer:set_learning_rate(1) end, "LRScheduler of the optimizer has already been defined")
  end)

  it("begins from the optimizer's rate, if there is one", function()
    local scheduler = L.PolyScheduler { max_update = 4, base_lr = 1 }
    local stderr = io.stderr
    finally(function() io.stderr = stderr end)       -- luacheck: ignore 122
    -- luacheck: ignore 122
    io.stderr = { write = function(_, text) assert.truthy(text:find "has been overwritten by ``learning_rate`` in optimizer") end }
    hl.optimizer.SGD { learning_rate = .5, lr_scheduler = scheduler }
    assert.equal(.125, scheduler(2))
  end)
end)
