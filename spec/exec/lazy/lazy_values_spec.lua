-- lazy_values_spec.lua - the operators of a block that reads values are lazy, and run together when a value is needed.
-- Results, gradients and errors are those of eager code.
local hl = require "hybridlua"
local breaks = require "support.graph_breaks"
local nd, autograd, nn = hl.nd, hl.autograd, hl.gluon.nn
local same, kinds, class, note = breaks.same, breaks.kinds, breaks.class, breaks.note

local HERE = "lazy_values_spec.lua"

local x = nd.array { { 1, -2, 3 }, { 0.5, 0.25, -4 } }
local function call(net) return net(x) end

describe("the operators of a block that reads values", function()
  local function segments_of(net)
    local list = {}
    for _, segment in ipairs(net:explain("table").segments) do
      if segment.kind == "operators" then list[#list + 1] = segment end
    end
    return list
  end

  local function made(fn, init)
    local net = class(fn, init)()
    net:initialize()
    net:hybridize { breaks = true }
    return net
  end

  it("are one kernel between two reads, which explain shows with their lines", function()
    local function chain(_, F, a)
      local h = a
      for _ = 1, 3 do
        h = F.tanh(h) * 0.5
        h = F.square(h) + a
      end
      local sum = h:sum():asscalar()
      return F.relu(h - 1) / 3, sum
    end
    local net = same(class(chain), call, 15)
    local before, after = table.unpack(segments_of(net))
    assert.equal(("tanh, multiply, square, broadcast_add, "):rep(3) .. "sum", before.what)
    assert.equal("subtract, relu, divide", after.what)
    assert.equal(2, #segments_of(net))
    assert.equal(14, before.runs)                                        -- the first call only recorded the reads
    local line = tonumber(before.line:match(HERE .. ":(%d+)$"))
    assert.truthy(line)
    assert.equal("square", before.operators[3].name)
    assert.truthy(before.operators[3].line:find(HERE .. ":" .. line + 1 .. "$"))
    assert.truthy(before.operators[13].line:find(HERE .. ":" .. line + 3 .. "$"))
    assert.truthy(after.line:find(HERE .. ":" .. line + 4 .. "$"))
    for _, segment in ipairs { before, after } do
      assert.is_true(#segment.compiled >= 1)
      for _, compiled in ipairs(segment.compiled) do
        for _, plan in ipairs(compiled.plans) do assert.is_true(#plan.groups >= 1 and #plan.groups <= 2) end
      end
    end
    local text = net:explain()
    for _, words in ipairs { "segment 1, operators of its own: tanh, multiply", "    tanh, multiply  ", "    sum  ",
                             "    ran 14 times", "segment 2, values are read: x:asscalar()",
                             "segment 3, operators of its own: subtract, relu, divide", "fused kernel" } do
      assert.truthy(text:find(words, 1, true), words)
    end
  end)

  it("compute values only when needed, even if arrays were written since",
     function()
    local weight, kept = nd.array { { 2, 3, 4 } }, nil
    local function fn(_, F, a, late)
      local g = F.exp(a * weight)
      local h = F.tanh(g) + a
      note("sum", h:sum():asscalar())
      if late then note("late", g) end
      kept = F.square(h) * weight
      return h + kept
    end
    local function use(net, i)
      local y = net(x, i > 8 and i % 2 == 0)
      if not autograd.is_recording() then
        weight[{}] = weight * 0.5 + 1
        note("y", y)
      end
      if i > 10 then note("kept", kept) end
      return y
    end
    for _ = 1, 2 do
      weight[{}] = nd.array { { 2, 3, 4 } }
      local start = weight:copy()
      same(class(fn), function(net, i)
        if i == 1 then weight[{}] = start end
        return use(net, i)
      end, 20)
    end
  end)

  it("ignore later writes into an argument, a view of it, a parameter, or their results", function()
    local function fn(self, F, a, how, params)
      local v = a:copy()
      local h = F.tanh(v) * 2
      local other = h + 1
      local p = params.w
      local scaled = F.exp(p) * h
      if autograd.is_recording() then return scaled + other
      elseif how == 1 then v[{}] = 7
      elseif how == 2 then v[1][{ 1 }] = 7
      elseif how == 3 then v:reshape { -1 }:add_(1)
      elseif how == 4 then h[{}] = 5
      elseif how == 5 then nd.ones { 2, 3 }:copyto(v)
      elseif how == 6 then F.square(v, { out = v })
      elseif how == 7 then p:add_(1)
      elseif how == 8 then self.w:set_data(p * 2)
      elseif how == 9 then h:reshape { -1 }[{ 0 }] = 9
      elseif how == 10 then
        local flat = other:reshape { -1 }
        note("flat", flat * 2)
        flat[{ 0 }] = 3
      elseif how == 11 then v:free()
      end
      note("scaled", scaled)
      return h + 0, other * 1, scaled - 1
    end
    local function init(self) self.w = self.params:get("w", { shape = { 1, 3 } }) end
    same(class(fn, init), function(net, i) return net(x, i % 12) end, 72)
  end)

  it("stay lazy while shapes are read, and keep random numbers and other tapes correct", function()
    local function fn(self, F, a, p)
      local h = F.tanh(a + p.w) * 2
      h = h / h.shape[2] + #h + (h.dtype == "float32" and h.ndim or 0) + h.size
      h = F.Dropout(self.drop(h), { p = 0.5 }) + F.random.uniform { shape = h.shape }
      local rest = autograd.pause(function() return F.exp(h) * 0.1 end)
      note("h", h)
      local grad = 0
      if autograd.is_recording() then grad = autograd.grad((h * h):sum(), h, { retain_graph = true })[1] end
      return (h * rest + F.sin(h)) * grad + self.dense(F.relu(h) * rest)
    end
    local net = same(class(fn, function(self)
      self.drop, self.dense, self.w = nn.Dropout(0.5), nn.Dense(3), self.params:get("w", { shape = { 1, 3 } })
    end), call, 18)
    assert.equal("broadcast_add, tanh, multiply, divide, add, add, add", segments_of(net)[1].what)
  end)

  it("raise errors eagerly on the wrong line, and lose no lazy values", function()
    local held
    local function fn(_, F, a, how)
      local h = F.tanh(a) * 2
      held = h + 1
      local ok, problem = pcall(function() return h + nd.ones { 5, 7 } end)
      note(tostring(ok) .. tostring(problem))
      if how == 1 then return F.exp(h) + nd.ones { 4, 4 } end
      if how == 2 then error "of the script" end
      note("max", h:max():asscalar())
      return F.exp(h) * held
    end
    same(class(fn), function(net, i)
      local ok, y = pcall(net, x, i % 4)
      if not ok then note(y) end
      if i > 3 then note("held", held) end
      return ok and y or held
    end, 24)
  end)

  it("can begin in a coroutine, and be materialized outside it, after the call, or never", function()
    local resume
    local function fn(_, F, a)
      local values = coroutine.wrap(function()
        local h = F.tanh(a) * 2
        coroutine.yield(h + 1)
        coroutine.yield(F.square(h) - 1)
      end)
      local first = values()
      note("first", first)
      resume = values
      return F.exp(first) * 0.5
    end
    same(class(fn), function(net)
      local y = net(x)
      local z = resume()
      collectgarbage()
      return y, z + y
    end, 12)
  end)

  it("can be any number of operators on any number of arrays", function()
    local list = {}
    for i = 1, 150 do list[i] = x * i * 0.01 end
    local function fn(_, F, a, p)
      note("a", a)
      local h = a + p.w
      for i = 1, 150 do h = F.tanh(h * 0.9) + (i % 2 == 0 and list[i] or a) end
      note("sum", h:sum():asscalar())
      return h * 2
    end
    same(class(fn, function(self) self.w = self.params:get("w", { shape = { 1, 3 } }) end), call, 9)
  end)

  it("work with a state that the block writes in each call", function()
    local function fn(self, F, a)
      if not self.state then self.state = nd.zeros { 2, 3 } end
      local h = F.tanh(a + self.state) * 0.5 + F.square(self.state)
      local peak = F.relu(h - 0.1):max():asscalar()
      self.state[{}] = h + peak
      return F.exp(h) - self.state
    end
    local net = same(class(fn), call, 30)
    assert.is_true(#segments_of(net)[1].compiled > 0)
  end)

  it("do not add a segment for each value of a number", function()
    local net = made(function(_, F, a)
      local max = a:max():asscalar()
      return F.tanh(a / (max + 0.5)) * 2
    end)
    for i = 1, 100 do
      local a = x * i
      assert.bits(net(a), nd.tanh(a / (a:max():asscalar() + 0.5)) * 2)
    end
    assert.is_true(segments_of(net)[1].kinds <= 10)
    assert.truthy(net:explain():find(", with %d+ sets of shapes and numbers"))
  end)

  -- The gradient of w is a sum whose bits depend on the order of terms.
  it("are recorded in order, even if earlier ones are unused or ran eagerly", function()
    local function fn(self, F, a, how, p)
      local large = a * -3e7
      note("large", large)
      if how == 1 then
        F.tanh(p.w)                                                      -- lazy, then garbage
        collectgarbage()
      end
      if how == 2 then self.kept = p.w * (#breaks.noted() + 0.5) end              -- different in each call
      local product = F.dot(p.w, a, { transpose_b = true })              -- not lazy
      local first = F.sin(p.w) * 1e8
      local second = F.dot(p.w, large, { transpose_b = true })
      return product:sum() + first:sum() + second:sum() + F.relu(F.square(F.exp(p.w)) + first):sum()
    end
    local function init(self) self.w = self.params:get("w", { shape = { 1, 3 } }) end
    for how = 0, 2 do same(class(fn, init), function(net) return net(x, how) end, 45) end
  end)

  it("of nested blocks are separate", function()
    local Inner = class(function(_, F, a)
      local h = F.tanh(a) + 1
      note("inner", h:sum():asscalar())
      return F.exp(h) * 2
    end)
    local Net = class(function(self, F, a, depth)
      local h = F.square(a) * 0.25
      local y = self.inner(h + 1) - h
      note("outer", y:max():asscalar())
      if depth > 0 then return self(F.sin(y) + h, depth - 1) end
      return F.relu(y) + h
    end, function(self) self.inner = Inner() end)
    local net = same(Net, function(net, i) return net(x, i % 3) end, 18)
    assert.equal("read", kinds(net.inner))
    assert.equal(2, #segments_of(net.inner))
  end)

  it("have gradients of gradients, of intermediate values, of functions, and of kept arrays", function()
    local Cube = autograd.Function:subclass "Cube"
    function Cube:forward(a)
      self:save_for_backward(a)
      return a * a * a
    end
    function Cube:backward(g)
      local a = self.saved_tensors[1]
      return g * a * a * 3
    end
    local state
    local function fn(_, F, a)
      local h = F.tanh(a) * 2
      note("h", h)
      local u = F.square(h) + h * h
      local v = Cube()(u) + u
      note("v", v:sum():asscalar())
      state = state and state + v * 0.5 or v
      return (F.exp(v * 0.01) + u) * h + state * h
    end
    local logs = {}
    for k = 1, 2 do
      breaks.reset_notes()
      state = nil
      local net, log = class(fn)(), {}
      net:initialize()
      if k == 2 then net:hybridize { breaks = true } end
      for i = 1, 6 do
        local a = x * 0.3
        a:attach_grad()
        if i == 4 then state = nil end
        local y = autograd.record(function()
          local out = net(a)
          local g = i % 2 == 0 and autograd.grad(out:sum(), a, { create_graph = true })[1] or out
          return (g * g):sum() + out:sum()
        end, { carried = "cut" })
        y:backward()
        log[i] = { y:tobytes(), a.grad:tobytes() }
      end
      logs[k] = { log, breaks.noted() }
    end
    assert.same(logs[1], logs[2])
  end)

  it("are checked, logged and shown one by one on request", function()
    local net = made(function(_, F, a)
      local h = F.log(a) * 2
      note("sum", h:sum():asscalar())
      return F.exp(h)
    end)
    breaks.reset_notes()
    for _ = 1, 3 do net(nd.ones { 2 }) end
    local _, problem = pcall(autograd.detect_anomaly, function()
      return autograd.record(function() return net(nd.array { -1, 1 }) end)
    end)
    assert.truthy(tostring(problem):find "log", tostring(problem))
    local names = {}
    hl.profiler.set_config { profile_all = true }
    hl.profiler.set_state "run"
    net(nd.ones { 2 })
    hl.profiler.set_state "stop"
    for _, row in ipairs(hl.profiler.table()) do names[row.name] = row.kind end
    hl.profiler.dumps(true)
    assert.same({ "eager", "eager", "eager", "eager" }, { names.log, names._mul_scalar, names.sum, names.exp })
    assert.bits(net(nd.array { 1, 2 }), nd.exp(nd.log(nd.array { 1, 2 }) * 2))
  end)

  it("let the script change, free and collect the block's results", function()
    local net = made(function(_, F, a)
      local h = F.tanh(a) * 2
      local s = h:sum():asscalar()
      local y = h + s
      return y, y:reshape { -1 }, F.exp(y)
    end)
    for i = 1, 5 do
      local y, flat, z = net(x)
      local want = nd.tanh(x) * 2
      want = want + want:sum():asscalar()
      if i % 2 == 0 then collectgarbage() end
      y[{ 0, 0 }] = 100
      assert.equal(100, flat[0]:asscalar())
      assert.bits(z, nd.exp(want))
      flat:free()
      assert.equal(100, y[{ 0, 0 }]:asscalar())
      assert.raises(function() return flat + 1 end, HERE, "was freed")
    end
    assert.equal("add, Reshape, exp", segments_of(net)[2].what)
  end)
end)
