-- modes_spec.lua - autograd.pause, train_mode, predict_mode and record inside compiled code affect the operators in
-- them as in eager code.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function with_grad(x)
  x:attach_grad()
  return x
end

-- Results and the gradient of the first one, eager and compiled, inside and outside record.
local function same_both_ways(fn, x)
  for _, recording in ipairs { true, false } do
    local got = {}
    for way, f in ipairs { function(v) return fn(nd, v) end, hl.compile(fn) } do
      for call = 1, 2 do
        hl.random.seed(11)
        local leaf = with_grad((x or nd.array { 1, 2, 3, 4, 5, 6, 7, 8 }):copy())
        local y = recording and autograd.record(function() return f(leaf) end) or f(leaf)
        local ok, message = pcall(y.backward, y)
        got[#got + 1] = { y = y, grad = leaf.grad:copy(), verdict = ok and "fine" or message:gsub("^[^ ]*: ", ""),
          what = way .. "." .. call }
      end
    end
    for i = 2, #got do
      assert.bits(got[i].y, got[1].y)
      assert.bits(got[i].grad, got[1].grad)
      assert.equal(got[1].verdict, got[i].verdict)
    end
  end
end

describe("a mode inside compiled code", function()
  it("stops gradients (pause)", function()
    same_both_ways(function(_, x) return x * x + autograd.pause(function() return x * x end) end)
    same_both_ways(function(_, x) return x * autograd.pause(function() return x * x end) end)
    same_both_ways(function(_, x) return autograd.pause(function() return x * x end) end)
    same_both_ways(function(_, x)
      local _ <close> = autograd.pause()
      return x * 2
    end)
  end)

  it("stops gradients of second order", function()
    local got = {}
    for way, f in ipairs { function(F) return function(v) return F(nd, v) end end, hl.compile } do
      local g = f(function(_, v) return v * v * autograd.pause(function() return v * v end) end)
      local x = with_grad(nd.array { 1, 2, 3 })
      local z = autograd.record(function()
        local y = g(x)
        local dx = autograd.grad(y, x, { create_graph = true })
        return (dx * dx * y):sum()
      end)
      z:backward()
      got[way] = { z, x.grad:copy() }
    end
    assert.bits(got[2][1], got[1][1])
    assert.bits(got[2][2], got[1][2])
  end)

  it("drops elements (train_mode, pause with train_mode)", function()
    same_both_ways(function(F, x) return autograd.train_mode(function() return F.Dropout(x, { p = 0.5 }) end) end)
    same_both_ways(function(F, x)
      return autograd.pause(function() return F.Dropout(x, { p = 0.5 }) end, { train_mode = true }) + x
    end)
  end)

  it("drops no elements (predict_mode)", function()
    same_both_ways(function(F, x) return autograd.predict_mode(function() return F.Dropout(x * 2, { p = 0.5 }) end) end)
    same_both_ways(function(F, x)
      return F.Dropout(x, { p = 0.5 }) + autograd.predict_mode(function() return F.Dropout(x, { p = 0.5 }) end)
    end)
  end)

  it("records in a call outside record (record)", function()
    same_both_ways(function(F, x)
      local outside = x * 3
      return autograd.record(function() return F.Dropout(x * x, { p = 0.5 }) + outside end)
    end)
    same_both_ways(function(F, x)
      return autograd.record(function() return F.Dropout(x * x, { p = 0.5 }) end, { train_mode = false })
    end)
  end)

  it("applies to children, and ends with its function", function()
    local Inner = gluon.HybridBlock:subclass "Inner"
    function Inner:init() self.drop, self.fc = nn.Dropout(0.5), nn.Dense(8, { in_units = 8 }) end
    function Inner:hybrid_forward(_, x) return self.drop(self.fc(x)) end
    local Outer = gluon.HybridBlock:subclass "Outer"
    function Outer:init() self.a, self.b = Inner(), Inner() end
    function Outer:hybrid_forward(_, x)
      local target = autograd.pause(function() return self.a(x) end)
      return (self.b(x) - target) ^ 2 + self.a(x)
    end
    local lists = {}
    for way = 1, 2 do
      hl.random.seed(4)
      local net, x, list = Outer(), nd.random.normal { shape = { 3, 8 } }, {}
      net:initialize()
      if way == 2 then net:hybridize() end
      for _ = 1, 3 do
        local y = autograd.record(function() return net(x) end)
        y:backward()
        list[#list + 1], list[#list + 2] = y, net.a.fc.weight:grad():copy()
        list[#list + 1] = net(x)
      end
      lists[way] = list
    end
    for i = 1, #lists[1] do assert.bits(lists[2][i], lists[1][i]) end
  end)

  it("applies in a compiled training step, outside its records", function()
    local lists = {}
    for way = 1, 2 do
      hl.random.seed(9)
      local net = nn.HybridSequential()
      net:add(nn.Dense(6, { in_units = 4 }), nn.Dropout(0.5), nn.Dense(2, { in_units = 6 }))
      net:initialize()
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local function step(_, x)
        local target = net(x)                                                     -- in prediction, not recorded
        local noisy = autograd.record(function() return ((net(x) - target) ^ 2):mean() end)
        local quiet = autograd.record(function() return (net(x) ^ 2):mean() end, { train_mode = false })
        autograd.backward { noisy, quiet }
        trainer:step(1)
        return noisy, quiet, target
      end
      local run = way == 2 and hl.compile(step) or function(x) return step(nd, x) end
      local list = {}
      for _ = 1, 4 do
        for _, y in ipairs { run(nd.random.normal { shape = { 5, 4 } }) } do list[#list + 1] = y end
      end
      list[#list + 1] = net[0].weight:data():copy()
      lists[way] = list
    end
    for i = 1, #lists[1] do assert.bits(lists[2][i], lists[1][i]) end
  end)

  it("is rejected by export if the file format cannot express it", function()
    local Net = gluon.HybridBlock:subclass "Always"
    function Net:hybrid_forward(F, x) return autograd.train_mode(function() return F.Dropout(x, { p = 0.5 }) end) end
    local net = Net()
    net:hybridize()
    net(nd.ones { 3 })
    assert.raises(function() net:export(os.tmpname()) end, "Dropout", "train_mode", "mode = 'always'")
  end)
end)
