-- compiled_gradients_spec.lua - gradients through compiled calls have the bits of eager code, of all orders, for any
-- number of uses of a value, and from any of the outputs.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

-- Runs make(hybrid) eagerly and hybridized from the same seed; both return lists of arrays with the same bits.
local function same_both_ways(make, seed)
  local lists = {}
  for way, hybrid in ipairs { false, true } do
    hl.random.seed(seed or 1)
    lists[way] = make(hybrid)
  end
  assert.equal(#lists[1], #lists[2])
  assert.is_true(#lists[1] > 0)
  for i = 1, #lists[1] do assert.bits(lists[2][i], lists[1][i]) end
end

-- fn(F, ...) as eager or compiled code
local function either(hybrid, fn)
  if hybrid then return hl.compile(fn) end
  return function(...) return fn(nd, ...) end
end

local function normal(...) return nd.random.normal { shape = { ... } } end

local function with_grad(x)
  x:attach_grad()
  return x
end

describe("sums of gradients", function()
  it("have one order for a weight used by several block calls", function()
    same_both_ways(function(hybrid)
      local a = nn.Dense(1, { in_units = 1, use_bias = false })
      a:initialize(hl.init.One())
      local Net = gluon.HybridBlock:subclass "Net"
      function Net:init() self.a = a end
      function Net:hybrid_forward(_, x) return self.a(x) + self.a(x * 1e8) + self.a(x * -1e8) end
      local net = Net()
      if hybrid then net:hybridize() end
      autograd.record(function() return net(nd.ones { 1, 1 }) end):backward()
      return { a.weight:grad():copy() }
    end)
  end)

  it("have one order for a captured array used by several block calls", function()
    same_both_ways(function(hybrid)
      local w = with_grad(nd.array { 1 })
      local Times = gluon.HybridBlock:subclass "Times"
      function Times:hybrid_forward(_, x) return x * w end
      local Net = gluon.HybridBlock:subclass "Net"
      function Net:init() self.t = Times() end
      function Net:hybrid_forward(_, x) return self.t(x) + self.t(x * 1e8) + self.t(x * -1e8) end
      local net = Net()
      if hybrid then net:hybridize() end
      autograd.record(function() return net(nd.ones { 1 }) end):backward()
      return { w.grad:copy() }
    end)
  end)

  it("have one order in every call if only some outputs have a gradient", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init() self.fc = nn.Dense(4, { in_units = 3 }) end
    function Net:hybrid_forward(_, a, b, c)
      local h1 = self.fc(a)
      local h2 = self.fc(b) * h1
      local h3 = self.fc(c) * h2
      return h1 + h2 + h3, h3
    end
    for seed = 1, 6 do
      same_both_ways(function(hybrid)
        local net = Net()
        net:initialize(hl.init.Normal(1))
        if hybrid then net:hybridize() end
        local a, b, c, list = normal(7, 3), normal(7, 3), normal(7, 3), {}
        for i = 1, 4 do
          autograd.record(function() return (net(a, b, c)) end):backward()
          list[i] = net.fc.weight:grad():copy()
        end
        assert.bits(list[2], list[1])
        return list
      end, seed)
    end
  end)

  it("have one order if other code surrounds a compiled function", function()
    for seed = 1, 10 do
      same_both_ways(function(hybrid)
        local m, x, list = with_grad(normal(5)), with_grad(normal(5)), {}
        local f = either(hybrid, function(F, v) return m * v + m * 3.3 + F.tanh(m) * v end)
        local g = either(hybrid, function(F, v) local y = v * m return y, F.sin(y) + y * 0.3 end)
        local p = either(hybrid, function(_, u, v) return u * v + u / 3 + v * u * u end)
        for _ = 1, 3 do
          local z = autograd.record(function()
            local a, b = f(x), f(m * 0.7)
            local c, d = g(a)
            local e = p(c, a)
            return (a * c + b * c * c + d * c + e * p(e, e) + p(m, x)):sum()
          end)
          z:backward()
          list[#list + 1], list[#list + 2], list[#list + 3] = z, m.grad:copy(), x.grad:copy()
        end
        return list
      end, seed)
    end
  end)

  it("have one order in the first step, with deferred shapes, and later", function()
    same_both_ways(function(hybrid)
      local net = nn.Dense(4)
      net:initialize()
      if hybrid then net:hybridize() end
      local x, list = {}, {}
      for i = 1, 5 do x[i] = normal(7, 3) end
      for k = 1, 3 do
        autograd.record(function()
          local sum = 0
          for i = 1, 5 do sum = sum + net(x[i]):mean() end
          return sum
        end):backward()
        list[k] = net.weight:grad():copy()
      end
      assert.bits(list[2], list[1])
      return list
    end)
  end)
end)

describe("a value that enters a compiled function twice", function()
  local function gradients(fn, argument)
    same_both_ways(function(hybrid)
      local m = with_grad(nd.array { 1, -2 })
      local f, list = either(hybrid, fn(m)), {}
      for _ = 1, 3 do
        autograd.record(function() return (f(argument and argument(m) or m)) end):backward()
        list[#list + 1] = m.grad:copy()
      end
      return list
    end)
  end

  it("gets its gradient once if it is captured and an argument", function()
    gradients(function(m) return function(_, x) return x * m, m * 5 end end)
    gradients(function(m) return function(_, x) return (x * m):sum() end end)
  end)

  it("gets its gradient once if it is two arguments, in the order of its users", function()
    same_both_ways(function(hybrid)
      local m = with_grad(nd.array { 1 })
      local f = either(hybrid, function(_, x, y) return x * 1e8 + y + x * -1e8 end)
      autograd.record(function() return f(m * 1, m * 1) end):backward()
      local list = { m.grad:copy() }
      autograd.record(function()
        local z = m * 1
        return f(z, z:reshape { 1 })
      end):backward()
      list[2] = m.grad:copy()
      autograd.record(function() return f(m, m) end):backward()
      list[3] = m.grad:copy()
      return list
    end)
  end)

  it("gets its gradient once if its function uses the result, and another one uses it several times", function()
    same_both_ways(function(hybrid)
      local m, list = with_grad(normal(50)), {}
      local first = either(hybrid, function(F, x)
        local v = F.tanh(x)
        return v, v * 300.1
      end)
      local second = either(hybrid, function(F, v) return F.sin(v) * 987.3 + F.exp(v) * -511.7 + v * 0.3 end)
      for i = 1, 3 do
        autograd.record(function()
          local v, w = first(m)
          return second(v):sum() + w:sum()
        end):backward()
        list[i] = m.grad:copy()
      end
      return list
    end)
  end)

  it("gets its gradient once if it is an intermediate result", function()
    same_both_ways(function(hybrid)
      local m = with_grad(nd.array { 1 })
      local z
      autograd.record(function()
        z = m * 2
        return either(hybrid, function(_, x) return x * z end)(z)
      end):backward()
      return { m.grad:copy() }
    end)
  end)

  it("gets its gradient once if it is a parameter also read by data()", function()
    same_both_ways(function(hybrid)
      local Net = gluon.HybridBlock:subclass "Net"
      function Net:init() self.w = self.params:get("w", { shape = { 3 }, init = hl.init.One() }) end
      function Net:hybrid_forward(_, x, p) return (x * p.w + self.w:data() * x):sum() + p.w:sum() end
      local net, list = Net(), {}
      net:initialize()
      if hybrid then net:hybridize() end
      for i = 1, 3 do
        autograd.record(function() return net(nd.array { 1, 2, 3 }) end):backward()
        list[i] = net.w:grad():copy()
      end
      return list
    end)
  end)

  it("gets its gradient once if that is differentiated again", function()
    same_both_ways(function(hybrid)
      local m = with_grad(nd.array { 1.5 })
      local f, list = either(hybrid, function(_, x) return x * m end), {}
      for _ = 1, 2 do
        local g = autograd.record(function()
          local dm = autograd.grad(f(m), m, { create_graph = true })
          return dm * dm * dm
        end)
        g:backward()
        list[#list + 1], list[#list + 2] = g, m.grad:copy()
      end
      return list
    end)
  end)

  it("gets its gradient once in a compiled training step that copies a weight", function()
    same_both_ways(function(hybrid)
      local net = nn.Dense(1, { in_units = 1, use_bias = false })
      net:initialize(hl.init.One())
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local step = either(hybrid, function(_, x)
        local before = net.weight:data():copy()
        local loss = autograd.record(function() return net(x):sum() end)
        loss:backward()
        trainer:step(1)
        return loss, before
      end)
      local list = {}
      for _ = 1, 3 do
        list[#list + 1], list[#list + 2] = step(nd.ones { 1, 1 })
        list[#list + 1] = net.weight:data():copy()
      end
      return list
    end)
  end)
end)

describe("gradients of first and further orders together", function()
  local function network(hybrid)
    local net = nn.HybridSequential()
    net:add(nn.Dense(8, { activation = "tanh", in_units = 4 }), nn.Dense(1, { in_units = 8 }))
    net:initialize(hl.init.Normal(0.5))
    if hybrid then net:hybridize() end
    return net
  end

  local function all_gradients(net, ...)
    local list = { ... }
    for _, param in ipairs(net:collect_params():values()) do list[#list + 1] = param:grad():copy() end
    return list
  end

  it("agree for a gradient penalty with its value", function()
    same_both_ways(function(hybrid)
      local net, x = network(hybrid), with_grad(normal(16, 4))
      local z = autograd.record(function()
        local r = net(x)
        local g = autograd.grad(r, x, { create_graph = true })
        return (g * g):sum() + r:sum()
      end)
      z:backward()
      return all_gradients(net, z, x.grad:copy())
    end)
  end)

  it("agree for WGAN-GP, several calls of one net", function()
    same_both_ways(function(hybrid)
      local net, list = network(hybrid), {}
      local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
      for _ = 1, 5 do
        local real, fake, e = normal(8, 4), normal(8, 4), nd.random.uniform { shape = { 8, 1 } }
        local loss = autograd.record(function()
          local mixed = with_grad(real * e + fake * (1 - e))
          local g = autograd.grad(net(mixed), mixed, { create_graph = true })
          local norm = ((g * g):sum { axis = 1 } + 1e-12):sqrt()
          return net(fake):mean() - net(real):mean() + ((norm - 1) ^ 2):mean() * 10
        end)
        loss:backward()
        trainer:step(8)
        list[#list + 1] = loss
      end
      return all_gradients(net, table.unpack(list))
    end)
  end)

  it("agree for a training step inside another, as in MAML", function()
    same_both_ways(function(hybrid)
      local f = either(hybrid, function(F, x, w, v) return F.dot(F.tanh(F.dot(x, w)), v) end)
      local x, y, list = normal(6, 3), normal(6, 2), {}
      local w, v = with_grad(normal(3, 5)), with_grad(normal(5, 2))
      for _ = 1, 3 do
        local loss = autograd.record(function()
          local a, b = w, v
          local inner
          for _ = 1, 2 do
            inner = ((f(x, a, b) - y) ^ 2):mean()
            local g = autograd.grad(inner, { a, b }, { create_graph = true })
            a, b = a - g[1] * 0.1, b - g[2] * 0.1
          end
          return ((f(x, a, b) - y) ^ 2):mean() + inner
        end)
        loss:backward()
        list[#list + 1], list[#list + 2], list[#list + 3] = loss, w.grad:copy(), v.grad:copy()
      end
      return list
    end)
  end)

  it("agree for the third order", function()
    same_both_ways(function(hybrid)
      local net, x = network(hybrid), with_grad(normal(16, 4))
      local z = autograd.record(function()
        local r = net(x)
        local g = autograd.grad(r, x, { create_graph = true })
        local h = autograd.grad((g * g):sum() + r:sum(), x, { create_graph = true })
        return (h * h * g):sum() + r:sum()
      end)
      z:backward()
      return all_gradients(net, z, x.grad:copy())
    end)
  end)

  it("agree after random numbers were drawn and an output was overwritten", function()
    same_both_ways(function(hybrid)
      local f = either(hybrid, function(F, x) return F.Dropout(x * x * x, { p = 0.5 }), x * 2 end)
      local x = with_grad(normal(50))
      local z = autograd.record(function()
        local y, other = f(x)
        other = other:detach()
        autograd.pause(function() other[{}] = 0 end)
        local g = autograd.grad(y, x, { create_graph = true })
        return (g * y):sum() + nd.random.normal { shape = { 50 } }:sum()
      end)
      z:backward()
      return { z, x.grad:copy() }
    end)
  end)
end)

describe("the tape after a compiled call", function()
  -- Compares the logs of both ways: values as text, errors with their messages.
  local function log_both_ways(make)
    local logs = {}
    for way, hybrid in ipairs { false, true } do
      hl.random.seed(2)
      local log = {}
      local function hex(c) return ("%02x"):format(c:byte()) end
      make(hybrid, function(x) log[#log + 1] = type(x) == "string" and x or x:tobytes():gsub(".", hex) end)
      logs[way] = table.concat(log, "\n")
    end
    assert.is_true(#logs[1] > 0)
    assert.equal(logs[1], logs[2])
  end

  local function try(note, fn, ...)
    local ok, message = pcall(fn, ...)
    note(ok and "fine" or message:gsub("^[^ ]*: ", ""))
  end

  it("omits outputs that do not depend on an array with a gradient", function()
    log_both_ways(function(hybrid, note)
      local w = with_grad(nd.array { 1, 2 })
      local f = either(hybrid, function(_, x) return x:detach() * 2 + w:detach(), x * 3 end)
      local free, fixed = with_grad(nd.array { 3, 4 }), nd.array { 5, 6 }
      local a, b = autograd.record(function() return f(free) end)
      try(note, a.backward, a)
      try(note, b.backward, b)
      note(free.grad)
      a, b = autograd.record(function() return f(fixed) end)
      try(note, a.backward, a)
      try(note, b.backward, b)
    end)
    local net = nn.Dense(2, { in_units = 2 })
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init() self.a = net end
    function Net:hybrid_forward(_, x) return self.a(x):detach() * 2 end
    local n = Net()
    n:initialize()
    n:hybridize { check = 1 }
    assert.has_no.errors(function() autograd.record(function() return n(nd.ones { 1, 2 }) end) end)
  end)

  it("is freed below one output, and stays below another", function()
    log_both_ways(function(hybrid, note)
      local x = with_grad(nd.array { 1, 2 })
      local apart = either(hybrid, function(_, v) return v * v, v * 3 end)
      local shared = either(hybrid, function(_, v) local h = v * v return h * h, h * 3 end)
      for _, f in ipairs { apart, shared } do
        for _ = 1, 2 do
          local a, b = autograd.record(function() return f(x) end)
          a:backward()
          note(x.grad)
          try(note, a.backward, a)
          try(note, b.backward, b)
          note(x.grad)
          try(note, b.backward, b)
        end
      end
    end)
  end)

  it("stays below the inputs of the other output", function()
    log_both_ways(function(hybrid, note)
      local x, w = with_grad(nd.array { 1, 2 }), with_grad(nd.array { 3, 4 })
      local f = either(hybrid, function(_, u, v) return u * 2, v * 3 end)
      local u, v, a, b
      autograd.record(function()
        u, v = x * x, w * w
        a, b = f(u, v)
      end)
      a:backward()
      note(x.grad)
      note(w.grad)
      b:backward()
      note(x.grad)
      note(w.grad)
      try(note, v.backward, v)
    end)
  end)

  it("stays with retain_graph, for backward from all outputs in any order", function()
    log_both_ways(function(hybrid, note)
      local x = with_grad(nd.array { 1, 2 })
      local f = either(hybrid, function(F, v) local h = F.exp(v) return h * v, h * 3, v + 1 end)
      local y = autograd.record(function() return { f(x) } end)
      for _, i in ipairs { 1, 2, 1, 3, 2 } do
        y[i]:backward(nil, { retain_graph = true })
        note(x.grad)
      end
      autograd.backward(y)
      note(x.grad)
      try(note, y[1].backward, y[1])
    end)
  end)
end)
