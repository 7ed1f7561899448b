-- checkpoint_spec.lua - hybridize{remat = true}: backward recomputes values of forward, with less memory and the same
-- bits for any kind of net.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, vision = gluon.nn, gluon.model_zoo.vision

local nets = {}

function nets.dense()
  local net = nn.HybridSequential()
  for _ = 1, 12 do net:add(nn.Dense(9, { activation = "tanh" }), nn.Dropout(0.2)) end
  net:add(nn.Dense(10))
  return net, { 5, 7 }
end

function nets.deep()
  local net = nn.HybridSequential()
  for _ = 1, 16 do net:add(nn.Dense(20), nn.Swish()) end
  net:add(nn.Dense(10))
  return net, { 5, 7 }
end

function nets.residual()
  local net = vision.ResNetV1(vision.BasicBlockV1, { 2, 2 }, { 4, 4, 8 }, { classes = 10, thumbnail = true })
  return net, { 3, 3, 8, 8 }
end

function nets.residual_v2()
  local net = vision.ResNetV2(vision.BottleneckV2, { 2, 2 }, { 4, 8, 16 }, { classes = 10, thumbnail = true })
  return net, { 3, 3, 8, 8 }
end

-- Each layer reads the outputs of all earlier layers.
function nets.concatenated()
  local Net = gluon.HybridBlock:subclass "Concatenated"
  function Net:init()
    self.layers = nn.HybridSequential()
    for _ = 1, 8 do self.layers:add(nn.Conv2D(3, 3, { padding = 1 })) end
    self.norms = nn.HybridSequential()
    for _ = 1, 8 do self.norms:add(nn.BatchNormReLU()) end
    self.out = nn.Dense(10)
  end
  function Net:hybrid_forward(F, x)
    local all = { x }
    for i = 0, 7 do all[#all + 1] = self.norms[i](self.layers[i](F.concat(all, { dim = 1 }))) end
    return self.out(F.Pooling(all[#all], { kernel = { 2, 2 }, stride = { 2, 2 }, pool_type = "max" }))
  end
  return Net(), { 3, 2, 6, 6 }
end

function nets.unrolled()
  local Net = gluon.HybridBlock:subclass "Unrolled"
  function Net:init()
    self.cell, self.out = gluon.rnn.LSTMCell(6), nn.Dense(10)
  end
  function Net:hybrid_forward(F, x)
    local outputs = self.cell:unroll(7, x, { layout = "NTC", merge_outputs = true })
    return self.out(F.LayerNorm(outputs, F.ones { 6 }, F.zeros { 6 }))
  end
  return Net(), { 3, 7, 4 }
end

function nets.looped()
  local Net = gluon.HybridBlock:subclass "Looped"
  function Net:init() self.first, self.out = nn.Dense(6, { activation = "tanh" }), nn.Dense(10) end
  function Net:hybrid_forward(F, x)
    local h = self.first(x)
    local _, state = F.contrib.foreach(function(_, s) return s, F.tanh(s + h) end, F.zeros { 5, 1 }, h)
    local y = state * 2 + h
    return self.out(F.exp(F.sin(y) * F.cos(state)))
  end
  return Net(), { 4, 3 }
end

-- Three training steps: their losses and the final parameters, as bytes; the peak of additional memory; the block.
local function train(make, options, batch)
  hl.random.seed(4)
  local net, shape = make()
  net:initialize(hl.init.Xavier())
  net:hybridize(options)
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  local x = nd.random.normal { shape = { batch or shape[1], table.unpack(shape, 2) } }
  local y = nd.arange(x.shape[1]) % 10
  net(x)
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.05, momentum = 0.9 })
  collectgarbage()
  collectgarbage()
  core.host.memory_options { reset_peak = true, trim = true }      -- else arenas of other runs are reused
  local before, seen = hl.memory().live, {}
  for _ = 1, 3 do
    local loss = autograd.record(function() return loss_of(net(x), y) end)
    loss:backward()
    trainer:step(x.shape[1])
    seen[#seen + 1] = loss:tobytes()
  end
  local peak = hl.memory().peak - before
  for _, p in pairs(net:collect_params()) do seen[#seen + 1] = p:data():tobytes() end
  return seen, peak, net
end

describe("a net that recomputes values in backward", function()
  for name, make in pairs(nets) do
    it("matches the bits of one that keeps them: " .. name, function()
      local expected = train(make, { active = false })
      assert.same(expected, (train(make, { remat = true })))
      local before = core.host.debug { remat = true }
      local ok, forced = pcall(train, make, { remat = true })
      core.host.debug(before)
      assert.truthy(ok, forced)
      assert.same(expected, forced)
    end)
  end

  it("needs less memory", function()
    for name, share in pairs { deep = 0.6, residual = 0.75, concatenated = 0.7 } do
      local _, kept = train(nets[name], {}, 600)
      local _, anew = train(nets[name], { remat = true }, 600)
      assert.truthy(anew < share * kept, ("%s: %d bytes, and %d with remat"):format(name, kept, anew))
    end
  end)

  it("shows the recomputed values in explain()", function()
    local function count(options)
      local _, _, net = train(nets.residual, options, 600)
      local text, n = net:explain(), 0
      for line in text:gmatch "[^\n]+" do
        if line:find "Convolution .*backward$" and not line:find "_backward_" then n = n + 1 end
      end
      return n
    end
    assert.equal(0, count {})
    assert.truthy(count { remat = true } >= 3)
  end)

  it("can be a compiled function", function()
    local x, w = nd.random.normal { shape = { 400, 20 } }, nd.random.normal { shape = { 20, 20 } } * 0.2
    w:attach_grad()
    local function deep(F, a, b)
      for _ = 1, 12 do a = F.tanh(F.dot(a, b)) end
      return a
    end
    local grads = {}
    local function eager(...) return deep(nd, ...) end
    for i, f in ipairs { eager, hl.compile(deep), hl.compile(deep, { remat = true }) } do
      autograd.record(function() return f(x, w) end):backward()
      grads[i] = w.grad:copy()
    end
    assert.bits(grads[2], grads[1])
    assert.bits(grads[3], grads[1])
  end)

  it("accepts only true or false as remat", function()
    assert.raises(function() nn.Dense(2):hybridize { remat = 1 } end, "hybridize: remat: expected true or false, got 1")
  end)
end)
