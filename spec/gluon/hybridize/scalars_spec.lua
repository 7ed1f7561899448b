-- scalars_spec.lua - hybridize{scalars = {...}}: numbers bound at run time. They are read in each call, cause no trace
-- and have the bits of eager code. Operations that a compiled call could not repeat are errors.
local hl = require "hybridlua"
local nd, gluon, nn, autograd = hl.nd, hl.gluon, hl.gluon.nn, hl.autograd

local x = nd.array { 1, -2, 0.3 }

local function traces(f) return #f:explain("table").traces end

local function fails(text, fn, ...)
  local ok, problem = pcall(fn, ...)
  assert.falsy(ok, "no error; expected: " .. text)
  assert.truthy(tostring(problem):find(text, 1, true), tostring(problem) .. "\n-- expected: " .. text)
end

describe("a number bound at run time", function()
  it("can be an argument, an upvalue or a field", function()
    local rate, cfg = 2, { gain = 3 }
    local function fn(_, a, s) return a * s + rate * a - cfg.gain end
    local f = hl.compile(fn, { scalars = { "s", "rate", "cfg.gain" } })
    for i = 1, 20 do
      rate, cfg.gain = i / 3, 1 / i
      assert.bits(fn(nd, x, i * 0.1), f(x, i * 0.1))
    end
    assert.equal(1, traces(f))
    assert.equal(20 / 3, rate)
    assert.equal(1 / 20, cfg.gain)
  end)

  it("can be a field of a block or of an inner block", function()
    local Inner = gluon.HybridBlock:subclass "Inner"
    function Inner:init() self.rate = 1 end
    function Inner:hybrid_forward(_, a) return a * self.rate end
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init()
      self.inner, self.dense, self.shift, self.list = Inner(), nn.Dense(2), 0, { 1, { by = 2 } }
    end
    function Net:hybrid_forward(_, a, s) return self.dense(self.inner(a)) * s + self.shift - self.list[2].by end
    local net = Net()
    net:initialize()
    local data = nd.array { { 1, 2, 3 }, { 4, 5, 6 } }
    local function set(i)
      net.inner.rate, net.shift, net.list[2].by = i * 0.3, 1 / i, i
      return data, i / 7
    end
    local expected = {}
    for i = 1, 10 do expected[i] = net(set(i)) end
    net:hybridize { scalars = { "s", "self.inner.rate", "self.shift", "self.list.2.by" } }
    for i = 1, 10 do assert.bits(expected[i], net(set(i))) end
    assert.equal(1, traces(net))
    assert.equal(3.0, net.inner.rate)
  end)

  it("can be an argument of forward and of functions that accept F", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:forward(a, s) return a:exp() * s end
    local net = Net()
    net:hybridize { scalars = { "s" } }
    local f = hl.compile(function(F, a, s) return F.exp(a) * s end, { scalars = { "s" } })
    for i = 1, 5 do
      local expected = x:exp() * (i / 3)
      for _, each in ipairs { net, f } do assert.bits(expected, each(x, i / 3)) end
    end
    for _, each in ipairs { net, f } do assert.equal(1, traces(each)) end
  end)

  it("follows Lua's arithmetic, including integers", function()
    local values = { 3, -7, 3.0, 0.1, 2 ^ 53, math.maxinteger, -0.0, math.huge, 5 // 1, 1e308 }
    local steps = {
      function(s) return s * 2 end, function(s) return s // 1 end, function(s) return s // 2 + s % 3 end,
      function(s) return s / 3 end, function(s) return s ^ 0.5 end, function(s) return 2 ^ s end,
      function(s) return -s + 1 end, function(s) return 10 - s * s end, function(s) return (s + 1) * (s - 1) / 7 end,
      function(s) return math.floor(s / 3) end, function(s) return math.exp(-s / 1e3) end,
      function(s) return math.max(s, 4) end, function(s) return math.sqrt(s * s) + math.abs(s) end,
      function(s) return math.log(math.abs(s) + 1, 2) end, function(s) return math.cos(s) * 0.5 + 0.5 end,
    }
    for k, step in ipairs(steps) do
      local f = hl.compile(function(_, a, s) return a * step(s) end, { scalars = { "s" } })
      for _, s in ipairs(values) do
        local ok, expected = pcall(function() return x * step(s) end)
        local compiled, result = pcall(f, x, s)
        assert.equal(ok, compiled, tostring(result))
        if ok then assert.bits(expected, result, ("step %d of %s"):format(k, s)) end
      end
      assert.equal(1, traces(f))
    end
  end)

  it("raises Lua's errors with the line", function()
    local f = hl.compile(function(_, a, s) return a * (7 // s) end, { scalars = { "s" } })
    assert.bits(x * 3, f(x, 2))
    assert.bits(x * (7 // 0.0), f(x, 0.0))
    fails("attempt to perform 'n//0'", f, x, 0)
    fails("scalars_spec.lua", f, x, 0)
    local whole = hl.compile(function(_, a, s) return a * s end, { scalars = { "s" } })
    local ints = nd.array({ 1, 2 }, { dtype = "int32" })
    assert.bits(ints * 3, whole(ints, 3))
    fails("expected a whole number with an array of int32, got 0.5", whole, ints, 0.5)
    local long = nd.array({ 1, 2 }, { dtype = "int64" })
    fails("expected a number that a double can hold beside an array of int64, got 9007199254740993", whole, long,
      9007199254740993)
  end)

  it("combines with arrays in any operator that accepts a number", function()
    local function fn(F, a, s, t)
      return F.clip(a, -s, s), a:clip { a_min = 0, a_max = t }, F.maximum(a, s), s - a, F.broadcast_power(a, 2) ^ s,
        F.where(a, a, s), F.greater(a, t), 1 / (a + s)
    end
    local f = hl.compile(fn, { scalars = { "s", "t" } })
    for i = 1, 5 do
      local expected, results = { fn(nd, x, i / 3, i / 7) }, { f(x, i / 3, i / 7) }
      for k, y in ipairs(expected) do assert.bits(y, results[k], "result " .. k) end
    end
    assert.equal(1, traces(f))
  end)

  it("works for any batch size and mode, and in backward", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(8, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(4))
    net:initialize()
    local function fn(_, a, s) return (net(a) / s):log_softmax() * s end
    local f = hl.compile(fn, { scalars = { "s" } })
    for i = 1, 12 do
      local data, results = nd.random.normal { shape = { 1 + i % 4, 5 } }, {}
      for k, call in ipairs { function(...) return fn(nd, ...) end, f } do
        hl.random.seed(i)
        local y = autograd.record(function() return call(data, i / 5) end)
        y:backward()
        results[k] = { y, net[0].weight:grad():copy(), net[2].bias:grad():copy(), fn(nd, data, i / 5),
          call(data, i / 5) }
      end
      for k, y in ipairs(results[1]) do assert.bits(y, results[2][k]) end
    end
    assert.truthy(traces(f) <= 2)               -- with and without recording
  end)

  it("works in loops and training steps", function()
    local function fn(F, a, s)
      local out = F.contrib.foreach(function(row, state) return row * s + state, state * s end, a, a[0] * 0)
      return out
    end
    local f = hl.compile(fn, { scalars = { "s" } })
    local rows = nd.array { { 1, 2 }, { 3, 4 }, { 5, 6 } }
    for i = 1, 5 do assert.bits(fn(nd, rows, i / 3), f(rows, i / 3)) end
    assert.equal(1, traces(f))

    local function training(compile)
      local line = nn.Dense(1)
      line:initialize(hl.init.One())
      local trainer = gluon.Trainer(line:collect_params(), "sgd", { learning_rate = 0.1 })
      local step = compile(function(_, a, b, penalty)
        local loss = autograd.record(function() return ((line(a) - b) ^ 2):mean() + (a * penalty):sum() * 1e-3 end)
        loss:backward()
        trainer:step(1)
        return loss
      end)
      local losses = {}
      for i = 1, 6 do losses[i] = step(nd.array { { 1 }, { 2 } }, nd.array { { 2 }, { 3 } }, 1 / i) end
      return losses, step
    end
    local expected = training(function(fn_) return function(...) return fn_(nd, ...) end end)
    local losses, step = training(function(fn_) return hl.compile(fn_, { scalars = { "penalty" } }) end)
    for i, loss in ipairs(expected) do assert.bits(loss, losses[i]) end
    assert.equal(1, traces(step))
  end)

  it("remains a number in its variable, even during the trace", function()
    local s, seen = 2, nil
    local watcher = coroutine.wrap(function() while true do seen = s coroutine.yield() end end)
    watcher()
    local f = hl.compile(function(_, a)
      local y = a * s
      local inner = function(b) return b + s end
      return inner(y)
    end, { scalars = { "s" } })
    for i = 1, 4 do
      s = i
      assert.bits(x * i + i, f(x))
      watcher()
      assert.equal(i, seen)
    end
    assert.equal(1, traces(f))
  end)

  it("contributes its kind, not its value, to a call's key", function()
    local f = hl.compile(function(_, a, s, n) return a * s + n end, { scalars = { "s" } })
    for i = 1, 4 do assert.bits(x * i + 1, f(x, i, 1)) end
    assert.equal(1, traces(f))
    assert.bits(x * 3 + 2, f(x, 3, 2))
    assert.equal(2, traces(f))
    fails("scalars: s: expected a number, got a string", f, x, "2", 1)
    fails("scalars: s: expected a number, got nothing", f, x, nil, 1)
  end)

  it("must be a number in each call", function()
    local rate = 1
    local cfg = { rate = 1 }
    local f = hl.compile(function(_, a) return a * rate * cfg.rate end, { scalars = { "rate", "cfg.rate" } })
    assert.bits(x, f(x))
    rate = "1"
    fails("scalars: rate: expected a number, got a string", f, x)
    rate, cfg.rate = 1, nil
    fails("scalars: cfg.rate: expected a number, got nothing", f, x)
    cfg.rate = 2
    assert.bits(x * 2, f(x))
  end)

  it("needs a name that the function has", function()
    local cfg = { rate = 1 }
    local function compile(fn, ...) return hl.compile(fn, { scalars = { ... } }) end
    fails("'r' is neither an argument", compile(function(_, a) return a end, "r"), x)
    fails("'cfg.other' is neither an argument", compile(function(_, a) return a * cfg.rate end, "cfg.other"), x)
    fails("'o.rate' is a field of an argument", compile(function(_, a, o) return a * o.rate end, "o.rate"), x,
      { rate = 1 })
    fails("'F' is neither an argument", compile(function(F, a) return F.exp(a) end, "F"), x)
    fails("expected names such as", compile, function(_, a) return a end, "a b")
    fails("expected a list of names", hl.compile, function(_, a) return a end, { scalars = "s" })
    fails("remove one of the two options", hl.compile, function(_, a, s) return a * s end,
      { scalars = { "s" }, breaks = true })
  end)

  -- Each function must raise an error at its own line.
  local refused = {
    ["compare it"] = {
      function(_, a, s) return s > 1 and a or a * 2 end, function(_, a, s) return s == 1 and a or a * 2 end,
      function(_, a, s) return 2 <= s and a or a * 2 end, function(_, a, s, t) return s < t and a or a * 2 end,
      function(_, a, s) return s ~= a and a or a * 2 end, function(_, a, s) return s == "x" and a or a * 2 end },
    ["branch on it"] = {
      function(_, a, s) if s then return a end return a * 2 end, function(_, a, s) return a * (s or 1) end,
      function(_, a, s) return not s and a or a * 2 end },
    ["use it as a key"] = {
      function(_, a, s) return a * ({ 1, 2, 3 })[s] end,
      function(_, a, s)
        local t = {}
        t[s] = a
        return t[1]
      end },
    ["convert it to a string"] = { function(_, a, s) return a, ("n" .. s):len() end },
    ["loop up to it"] = { function(_, a, s) for _ = 1, s do a = a * 2 end return a end },
    ["pass it to type"] = { function(_, a, s) return type(s) == "number" and a or a * 2 end },
    ["pass it to tostring"] = { function(_, a, s) return a, #tostring(s) end },
    ["pass it to"] = {
      function(_, a, s) return a, ("%g"):format(s) end, function(_, a, s) return a * select(s, 1, 2) end,
      function(_, a, s) return a * math.tointeger(s) end, function(_, a, s) return a * math.random(s) end,
      function(_, a, s) return a * coroutine.wrap(function(y) coroutine.yield(y * 2) end)(s) end,
      function(_, a, s) print(s) return a end },
    ["index it"] = { function(_, a, s) return a, s.x end, function(_, a, s) return a, s:abs() end },
  }
  for what, functions in pairs(refused) do
    it("is rejected if a compiled call could not " .. what .. " again", function()
      for i, fn in ipairs(functions) do
        local info = debug.getinfo(fn, "S")
        local f = hl.compile(fn, { scalars = { "s", fn == refused["compare it"][4] and "t" or nil } })
        local ok, problem = pcall(f, x, 1, 2)
        assert.falsy(ok, what .. " " .. i)
        local line = tonumber(tostring(problem):match "scalars_spec%.lua:(%d+): [^:]+ is bound at run time")
        assert.truthy(line and line >= info.linedefined and line <= info.lastlinedefined, tostring(problem))
        assert.truthy(problem:find("cannot " .. what, 1, true), problem)
      end
    end)
  end

  it("cannot be stored outside the trace or written", function()
    local kept, cfg, n = nil, {}, 1
    local function compile(fn) return hl.compile(fn, { scalars = { "s" } }) end
    fails("cannot store it outside", compile(function(_, a, s) kept = s return a end), x, 1)
    fails("cannot store it outside", compile(function(_, a, s) cfg.s = s * 2 return a end), x, 1)
    fails("cannot pass it to", compile(function(_, a, s) rawset(cfg, "s", s) return a end), x, 1)
    fails("n is written in a traced function", hl.compile(function(_, a)
      a = a * n
      n = 2
      return a
    end, { scalars = { "n" } }), x)
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init() self.rate = 1 end
    function Net:hybrid_forward(_, a)
      self.rate = self.rate * 0.9
      return a * self.rate
    end
    local net = Net()
    net:hybridize { scalars = { "self.rate" } }
    fails("self.rate is written in a traced function", net, x)
    assert.equal(1, net.rate)
    assert.is_nil(kept)
    assert.is_nil(cfg.s)
    assert.equal(1, n)
  end)

  it("cannot set a learning rate", function()
    local line = nn.Dense(1)
    line:initialize()
    local trainer = gluon.Trainer(line:collect_params(), "sgd", { learning_rate = 0.1 })
    local step = hl.compile(function(_, a, s)
      local loss = autograd.record(function() return line(a):mean() end)
      loss:backward()
      trainer:set_learning_rate(s)
      trainer:step(1)
      return loss
    end, { scalars = { "s" } })
    fails("cannot set a learning rate to it", step, nd.ones { 2, 3 }, 0.5)
    assert.equal(0.1, trainer.learning_rate)
  end)

  it("works in another context", function()
    local f = hl.compile(function(F, a, s) return F.clip(a * s, { a_min = 0, a_max = s }) end, { scalars = { "s" } })
    local there = x:as_in_context(hl.cpu(1))
    for i = 1, 3 do
      assert.bits(nd.clip(x * i, { a_min = 0, a_max = i }), f(there, i):as_in_context(hl.cpu(0)))
    end
    assert.equal(hl.cpu(1), f(there, 4).context)
    assert.equal(1, traces(f))
  end)

  it("may be in tables created in the trace", function()
    local f = hl.compile(function(F, a, s)
      local t = { s, by = s * 2 }
      t.list = { t.by }
      table.insert(t, s + 1)
      local sum = a
      for _, each in ipairs(t) do sum = sum * each end
      return F.clip(sum, { a_min = -t.list[1], a_max = t.by })
    end, { scalars = { "s" } })
    for i = 1, 4 do
      local s = i / 3
      assert.bits(nd.clip(x * s * (s + 1), { a_min = -(s * 2), a_max = s * 2 }), f(x, s))
    end
    assert.equal(1, traces(f))
  end)

  it("is rejected, with operator and line, by parameters that the program depends on", function()
    local function compile(fn) return hl.compile(fn, { scalars = { "s" } }) end
    local m = nd.ones { 2, 2 }
    for text, fn in pairs {
      ["sum: axis"] = function(F, a, s) return F.sum(a, { axis = s }) end,
      ["Dropout: p"] = function(F, a, s) return F.Dropout(a, { p = s }) end,
      ["LeakyReLU: slope"] = function(F, a, s) return F.LeakyReLU(a, { slope = s }) end,
      ["full: value"] = function(F, a, s) return a + F.full({ 2, 2 }, s) end,
    } do
      local f = compile(fn)
      fails(text .. ": expected a number of the graph", f, m, 1)
      fails("scalars_spec.lua", f, m, 1)
    end
    fails("returns arrays and tables of arrays, got a number that is bound", compile(function(_, a, s)
      return a, s
    end), x, 1)
    fails("cannot catch errors", compile(function(_, a, s)
      return select(2, pcall(function() return a * s end))
    end), x, 1)
  end)

  it("is shown by explain and rejected by export", function()
    local f = hl.compile(function(_, a, s) return a * (1 - s) + s end, { scalars = { "s" } })
    f(x, 0.5)
    local text = f:explain()
    assert.truthy(text:find("bound at run time: s; the graph reads (1 - s), s", 1, true), text)
    assert.same({ "s" }, f:explain("table").traces[1].scalars)
    local Net = gluon.HybridBlock:subclass "Net"
    function Net.hybrid_forward(_, _, a, s) return a * s end
    local net = Net()
    net:hybridize { scalars = { "s" } }
    net(x, 2)
    fails("the graph reads numbers that are bound at run time (s)", net.export, net, os.tmpname())
  end)

  it("works with check and frozen", function()
    local f = hl.compile(function(_, a, s) return a:exp() * s end, { scalars = { "s" }, check = 2, frozen = true })
    for i = 1, 5 do assert.bits(x:exp() * (i / 3), f(x, i / 3)) end
  end)
end)
