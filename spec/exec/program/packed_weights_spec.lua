-- packed_weights_spec.lua - weights that a convolution keeps packed (src/tensor/packed_weights.h) follow every write,
-- and are freed with the weights.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

-- Few positions and many weights: these are kept packed after the second call.
local function data() return nd.random.uniform(-1, 1, { shape = { 1, 40, 5, 4 } }) end
local function weights() return nd.random.uniform(-1, 1, { shape = { 70, 40, 3, 3 } }) end

local function convolve(x, w)
  return nd.Convolution(x, w, { kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = w.shape[1], no_bias = true })
end

-- Compares with a call on a copy of the weights, which are not packed; three times, so that packed weights are used.
local function is_right(x, w)
  local wanted = convolve(x, w:copy()):tobytes()
  for _ = 1, 3 do assert.is_true(wanted == convolve(x, w):tobytes()) end
end

describe("packed weights", function()
  before_each(function() hl.random.seed(7) end)

  local changes = {
    ["an assignment"] = function(w) w[{}] = weights() end,
    ["an assignment to a part"] = function(w) w[3] = 0.5 end,
    ["an operator in place"] = function(w) w:mul_(-2) end,
    ["out ="] = function(w) nd.broadcast_add(w, weights(), { out = w }) end,
    ["copyto"] = function(w) weights():copyto(w) end,
    ["a view"] = function(w) w:reshape { -1 }[{}] = 0.25 end,
    ["an optimizer's update"] = function(w) nd.sgd_update(w, weights(), { lr = 0.1, out = w }) end,
  }
  for how, change in pairs(changes) do
    it("are packed again after " .. how, function()
      local x, w = data(), weights()
      is_right(x, w)
      local before = convolve(x, w):tobytes()
      for _ = 1, 2 do
        change(w)
        is_right(x, w)
      end
      assert.is_true(before ~= convolve(x, w):tobytes())
    end)
  end

  it("are those of the given array, not of other parts or shapes of its memory", function()
    local x, all = data(), nd.random.uniform(-1, 1, { shape = { 140, 40, 3, 3 } })
    local low, high = all[{ { 0, 70 } }], all[{ { 70, 140 } }]
    local turned = all:reshape { 2, 70, 40, 3, 3 }
    local other, wide = nd.random.uniform(-1, 1, { shape = { 1, 80, 5, 4 } }), low:reshape { 35, 80, 3, 3 }
    for _ = 1, 3 do
      is_right(x, low)
      is_right(other, wide)
      is_right(x, high)
      is_right(x, turned[0])
      is_right(x, turned[1])
    end
  end)

  it("follow a trainer, and a hybridized network", function()
    local function train(hybrid)
      hl.random.seed(3)
      local net = gluon.nn.HybridSequential()
      net:add(gluon.nn.Conv2D(70, 3, { padding = 1, in_channels = 40 }))
      net:initialize()
      if hybrid then net:hybridize() end
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local x, seen = data(), {}
      for _ = 1, 3 do
        for _ = 1, 3 do seen[#seen + 1] = net(x):tobytes() end
        autograd.record(function() return (net(x) ^ 2):mean() end):backward()
        trainer:step(1)
      end
      seen[#seen + 1] = net(x):tobytes()
      local w = net[0].weight:data()
      local fresh = nd.Convolution(x, w:copy(), net[0].bias:data(),
        { kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = 70 })
      assert.is_true(fresh:tobytes() == seen[#seen])
      assert.is_true(seen[1] ~= seen[4])
      return seen
    end
    assert.is_true(table.concat(train(false)) == table.concat(train(true)))
  end)

  it("are freed with the weights", function()
    local x = data()
    local function use()
      local w = weights()
      for _ = 1, 3 do convolve(x, w) end
    end
    local function live()
      collectgarbage()
      collectgarbage()
      return hl.memory().live
    end
    use()
    local before = live()
    for _ = 1, 5 do use() end
    assert.equal(before, live())
  end)
end)
