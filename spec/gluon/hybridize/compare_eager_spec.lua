-- compare_eager_spec.lua - hybridize{check = n} names the operator and line at which eager and compiled code
-- differ, and changes nothing.
local hl, HERE = require "hybridlua", "spec/gluon/hybridize/compare_eager_spec.lua"
local core = require "hybridlua.core"
local nd, autograd, nn = hl.nd, hl.autograd, hl.gluon.nn

local x = nd.array { { 0.1, -0.2, 0.3 }, { 0.4, 0.5, -0.6 } }

-- fn(F, ...) as a checked function.
local function checked(fn, n) return hl.compile(fn, { check = n or 1 }) end

-- Runs fn while `op` returns a wrong bit in compiled programs.
local function with_wrong(op, fn)
  local before = core.host.debug { wrong = op, jit = "off" }
  local ok, message = pcall(fn)
  core.host.debug(before)
  return ok, message
end

local function eager(F) return F.__name__ == "hybridlua.nd" end

describe("hybridize{check = n} finds", function()
  it("code that computes something else in the trace: the first operator and its line", function()
    local f = checked(function(F, a)
      local s = a + 1
      local e = F.exp(s)
      if eager(F) then e = F.sin(e) else e = F.cos(e) end
      return F.tanh(e)
    end)
    assert.raises(function() f(x) end, "compare_eager_spec.lua:%d+: function%d+: hybridize{check}: result 1 differs",
      "the first operator that differs is cos at " .. HERE ..
        ":27, which only the trace has; the eager run has sin at " .. HERE .. ":27")
  end)

  it("an operator with other parameters in the trace", function()
    local f = checked(function(F, a)
      local b = F.exp(a)
      local c = b * (eager(F) and 2 or 3)
      return { inner = { c + 1, a } }
    end)
    assert.raises(function() f(x) end, "result 1.inner.1 differs: 6 of 6 elements differ; element 0 is",
      "_mul_scalar at " .. HERE .. ":38")
  end)

  it("another shape or dtype, or a missing result", function()
    assert.raises(function()
      checked(function(F, a) return eager(F) and a:sum { axis = 0 } or a:sum { axis = 1 } end)(x)
    end,
      "float32 %(3%) in eager mode, float32 %(2%) in compiled mode")
    assert.raises(function() checked(function(F, a) return a + 1, eager(F) and a * 2 or nil end)(x) end,
      "result 2 differs: only one of the runs")
  end)

  it("a wrong executable: its first wrong operator", function()
    local ok, message = with_wrong("exp", function()
      checked(function(F, a)
        local s = F.sqrt(a * a + 1)
        local e = F.exp(s)
        return e * 4, s
      end)(x)
    end)
    assert.is_false(ok)
    assert.truthy(message:find("result 1 differs: 1 of 6 elements differ; element 0 is", 1, true), message)
    assert.truthy(message:find("the first operator that differs is exp at " ..
      "spec/gluon/hybridize/compare_eager_spec.lua:58", 1, true), message)
  end)

  it("a wrong gradient: its input, and the operator that reads it", function()
    local ok, message = with_wrong("_backward_tanh", function()
      local a = x:copy()
      a:attach_grad()
      local f = checked(function(F, v) return F.tanh(v) end)
      autograd.record(function() f(a) end)
    end)
    assert.is_false(ok)
    assert.truthy(message:find("the gradient of data, read by tanh at " ..
      "spec/gluon/hybridize/compare_eager_spec.lua:72, differs: 1 of 6", 1, true), message)
  end)

  it("different random draws", function()
    local f = checked(function(F, a)
      if eager(F) then F.random.uniform { shape = { 2 } } end
      return a + 1
    end)
    assert.raises(function() f(x) end, "random numbers were drawn")
  end)

  it("a mistake in an inner block, even a hybridized one", function()
    local Odd = hl.gluon.HybridBlock:subclass "Odd"
    function Odd:hybrid_forward(F, v) return eager(F) and v * 2 or v * 3 end
    local net = nn.HybridSequential()
    net:add(nn.Activation "tanh", Odd())
    net:hybridize()
    net(x)
    net:hybridize { check = 1 }
    assert.raises(function() net(x) end, "_mul_scalar at spec/gluon/hybridize/compare_eager_spec.lua:90")
  end)
end)

describe("hybridize{check = n}", function()
  it("does not change results, gradients and the random stream", function()
    local function train(check)
      hl.random.seed(3)
      local net = nn.HybridSequential { prefix = "checked_" }
      net:add(nn.Dense(8, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(3))
      net:initialize()
      net:hybridize { check = check }
      net:collect_params():setattr("grad_req", "add")
      local losses = {}
      for i = 1, 4 do
        local y = autograd.record(function() return (net(x * i) ^ 2):sum() end)
        y:backward()
        losses[i] = y
      end
      losses[5] = net[0].weight:grad()
      losses[6] = nd.random.uniform { shape = { 3 } }
      return losses
    end
    local plain, with_check = train(nil), train(3)
    for i = 1, #plain do assert.bits(with_check[i], plain[i]) end
  end)

  it("writes states once", function()
    local function momentum(check)
      local state = nd.array { 0.1, 0.2 }
      local f = hl.compile(function(F, w, g, m) return F.sgd_mom_update(w, g, m, { lr = 0.1, momentum = 0.9 }) end,
        { check = check })
      local w = nd.array { 1, -1 }
      for _ = 1, 3 do w = f(w, nd.array { 0.5, -2 }, state) end
      return w, state
    end
    local w1, s1 = momentum(nil)
    local w2, s2 = momentum(2)
    assert.bits(w2, w1)
    assert.bits(s2, s1)
  end)

  it("checks only the first n calls of each signature and shape", function()
    local calls = { n = 0 }
    local f = hl.compile(function(_, a) calls.n = calls.n + 1 return a + 1 end, { check = 2, effects = "ignore" })
    for _ = 1, 5 do f(x) end
    assert.equal(3, calls.n)                       -- the trace, two eager runs
    for _ = 1, 5 do f(nd.ones { 4, 3 }) end
    assert.equal(5, calls.n)
    for _ = 1, 5 do f(nd.ones { 4 }) end
    assert.equal(8, calls.n)
  end)

  it("leaves a block usable after an error in its code, with states and stream restored", function()
    local broken = true
    local f = hl.compile(function(F, a)
      local y = a + F.random.uniform { shape = { 3 } }
      if eager(F) and broken then error "mine" end
      return y
    end, { check = 1 })
    hl.random.seed(1)
    assert.raises(function() f(x) end, "mine")
    broken = false
    local y = f(x)
    hl.random.seed(1)
    assert.bits(x + nd.random.uniform { shape = { 3 } }, y)
  end)

  it("rejects other values than numbers of calls", function()
    assert.raises(function() hl.compile(function(F, a) return a end, { check = true }) end,
      "hybridize: check: expected an integer of 0 or more, got true")
  end)
end)
