-- graph_breaks_spec.lua - hybridize{breaks = true}: blocks that contain plain Blocks or read values run in segments.
-- Values, gradients, random numbers and the effects of Lua code must equal those of eager code, in the same order and
-- number.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local warn = require "hybridlua.language.warn"
local breaks = require "support.graph_breaks"
local nd, autograd, gluon, nn = hl.nd, hl.autograd, hl.gluon, hl.gluon.nn
local Block = gluon.Block
local same, kinds, class, note, Plain = breaks.same, breaks.kinds, breaks.class, breaks.note, breaks.Plain

local HERE = "graph_breaks_spec.lua"

local x = nd.array { { 1, -2, 3 }, { 0.5, 0.25, -4 } }
local function call(net) return net(x) end

describe("a plain Block in a HybridSequential", function()
  local function dense() return nn.Dense(3, { in_units = 3 }) end
  local function net(...)
    local blocks = { ... }
    return function()
      local list = nn.HybridSequential()
      for _, make in ipairs(blocks) do list:add(make()) end
      return list
    end
  end
  local function act() return nn.Activation "tanh" end
  local function drop() return nn.Dropout(0.5) end

  it("can be first, in the middle or last; the children between are compiled together", function()
    assert.equal("plain compiled", kinds(same(net(Plain, dense, act, dense), call)))
    assert.equal("compiled plain compiled", kinds(same(net(dense, dense, Plain, act, drop, dense), call)))
    assert.equal("compiled plain", kinds(same(net(dense, act, drop, dense, Plain), call)))
    assert.equal("plain", kinds(same(net(Plain), call)))
    assert.equal("plain compiled plain", kinds(same(net(Plain, dense, Plain), call)))
    local long = same(net(dense, drop, Plain, Plain, dense, drop, act, dense, drop, Plain, drop), call, 9)
    assert.equal("compiled plain plain compiled plain compiled", kinds(long))
  end)

  it("is in explain's list of segments, whose former name causes a warning", function()
    local data = same(net(dense, Plain), call, 1):explain "table"
    local here, shown = warn.here, nil
    warn.here = function(format, ...) shown = format:format(...) end
    local former = data.pieces
    warn.here = here
    assert.equal(data.segments, former)
    assert.equal("explain: the key pieces is deprecated; write segments", shown)
  end)

  it("is named by explain, with the compiled segments and their lines", function()
    local broken = same(net(dense, act, Plain, dense), call, 9)
    local data = broken:explain "table"
    assert.equal("compiled", data.segments[1].kind)
    assert.truthy(data.segments[1].what:find "^dense%d+, tanh%d+$", data.segments[1].what)
    assert.equal(3, #data.segments[1].explain.traces)                      -- training, recording, prediction
    assert.equal("a plain Block", data.segments[2].why)
    assert.truthy(data.segments[2].what:find "^plain%d+$")
    for _, segment in ipairs(data.segments) do assert.truthy(segment.line:find(HERE, 1, true)) end
    assert.truthy(data.broken:find "is a plain Block %(Plain%)")
    assert.equal(0, #data.traces)
    local text = broken:explain()
    for _, words in ipairs { "in segments, because plain%d+ is a plain Block %(Plain%)",
                             "segment 1, compiled: dense%d+, ",
                             "segment 2, eager, a plain Block: plain%d+  .*graph_breaks_spec.lua:%d+",
                             "FullyConnected" } do
      assert.truthy(text:find(words), words)
    end
  end)

  it("can be nested in containers of both kinds", function()
    same(net(dense, net(act, Plain, dense), drop, dense), call)
    same(net(dense, function() return nn.Sequential():add(dense(), nn.Lambda "relu", drop()) end, dense), call)
    same(net(net(net(dense, drop, dense), Plain), act, net(dense, dense)), call)
  end)

  it("works with shared layers and parameters", function()
    local function tied()
      local list, shared = nn.HybridSequential(), dense()
      list:add(shared, act(), shared, Plain(), shared, nn.Dense(3, { in_units = 3, params = shared.params }), drop(),
        shared)
      return list
    end
    same(tied, call, 9)
  end)

  it("works with layers that infer their shapes in the first call", function()
    local function late() return nn.Dense(3) end
    same(net(late, drop, Plain, late, drop, late), call)
    same(net(Plain, late, function() return nn.BatchNorm() end, late), call)
  end)

  it("works with layers added and replaced later", function()
    same(net(dense, Plain, dense), function(list, i)
      if i == 4 then
        list:add(nn.Dense(3))
        list[-1]:initialize(hl.init.One())
      end
      return list(x)
    end, 9)
    local changed = same(function()
      local Net = class(function(self, F, a) return F.tanh(self.first(self.second(a))) end,
        function(self) self.first, self.second = dense(), Block:subclass "Doubling"() end)
      local made = Net()
      function made.second.forward(_, a) return a * 2 end
      return made
    end, function(made, i)
      if i == 5 then
        made.second = nil
        made.second = nn.Dense(3, { in_units = 3 })
        made.second:initialize(hl.init.One())
        if made._active then made:hybridize { breaks = true } end
      end
      return made(x)
    end, 15)
    assert.equal("", kinds(changed))
    assert.equal(3, #changed:explain("table").traces)
  end)
end)

describe("a plain Block in a HybridBlock", function()
  it("can be called any number of times, between operators", function()
    local Net = class(function(self, F, a)
      local h = self.dense(a)
      local y = self.plain(F.tanh(h))
      y = y + self.plain(h)
      return self.dense(y) * h, { y,
        self.out(y) }
    end, function(self)
      self.dense, self.plain, self.out = nn.Dense(3, { in_units = 3 }), Plain(), nn.Dense(2)
    end)
    local net = same(Net, call, 9)
    assert.equal("compiled plain plain compiled compiled", kinds(net))
  end)

  it("can be in a table", function()
    local Net = class(function(self, _, a)
      for _, layer in ipairs(self.layers) do a = layer(a) end
      return a
    end, function(self)
      self.layers = { nn.Dense(3), nn.Lambda(function(a) return a * a end), nn.Dense(2), Plain() }
    end)
    same(Net, call)
    local Later = class(Net.hybrid_forward, function(self) self.layers = { nn.Dense(3) } end)
    same(Later, function(net, i)
      if i == 4 then net.layers[2] = Plain() end
      return net(x)
    end, 9)
  end)

  it("draws the same random numbers as eager code, as do the operators around it", function()
    local Drawing = Block:subclass "Drawing"
    function Drawing.forward(_, a) return a + nd.random.normal { shape = a.shape } end
    local Net = class(function(self, F, a)
      local h = F.Dropout(self.drop(a), { p = 0.5 }) * F.random.uniform { shape = { 2, 3 } }
      h = self.drawing(h)
      if h:sum():asscalar() > 0 then h = h * F.random.normal { shape = { 2, 3 } } end
      return self.inner(h)
    end, function(self)
      self.drop, self.drawing, self.inner = nn.Dropout(0.5), Drawing(), nn.HybridSequential()
      self.inner:add(nn.Dense(3), nn.Dropout(0.5), Drawing(), nn.Dropout(0.2), nn.Dense(2))
    end)
    same(Net, call, 12)
  end)
end)

describe("a block that reads values", function()
  it("runs its Lua code in every call; the blocks that it calls are compiled", function()
    local Net = class(function(self, F, a)
      local h = self.a(a)
      note("h", h)
      local norm = h:square():sum():sqrt():asscalar()
      if norm > 3 then return self.b(h / norm) end
      return F.relu(h) + self.a(h * 2)
    end, function(self) self.a, self.b = nn.Dense(3), nn.Dense(3, { in_units = 3 }) end)
    local net = same(Net, function(net, i) return net(x * (i % 4 - 1) * 0.3) end, 16)
    local data = net:explain "table"
    local list = {}
    for i, segment in ipairs(data.segments) do
      list[i] = segment.kind .. " " .. segment.what:gsub("net%d+_(%a+)%d", "%1")
    end
    assert.same({ "compiled dense", "read x:tobytes()", "operators square, sum, sqrt", "read x:asscalar()",
                  "compiled dense", "operators divide", "compiled dense", "operators relu, multiply",
                  "operators broadcast_add" }, list)
    assert.truthy(data.broken:find "x:tobytes%(%) needs values  .*support/graph_breaks.lua:%d+$")
    assert.equal(data.segments[1].line:match "%d+$" + 2, tonumber(data.segments[4].line:match "%d+$"))
    assert.truthy(net:explain():find("segment 4, values are read: x:asscalar()", 1, true))
  end)

  it("does not prevent the compilation of other blocks", function()
    local Gate = class(function(_, _, a) return a * (a:max():asscalar() > 1 and 1 or -1) end)
    local Part = class(function(self, F, a) return F.tanh(self.dense(a)) end,
      function(self) self.dense = nn.Dense(3) end)
    local Net = class(function(self, _, a) return self.last(self.gate(self.first(a))) end, function(self)
      self.first, self.gate, self.last = Part(), Gate(), Part()
    end)
    local net = same(Net, call, 12)
    assert.equal("compiled segments compiled", kinds(net))
    assert.equal("read", kinds(net.gate))
    assert.equal(3, #net.first:explain("table").traces)
    assert.equal(0, #net.first.dense:explain("table").traces)             -- compiled with Part
    assert.truthy(net:explain("table").broken:find "^net%d+_net%d+: x:asscalar%(%) needs values")
  end)

  it("is compiled as a whole if nothing breaks; its Lua code then runs only in the first two calls", function()
    local runs = 0
    local Net = class(function(self, F, a)
      runs = runs + (core.trace.active() and 0 or 1)
      return F.tanh(self.dense(a))
    end, function(self) self.dense = nn.Dense(3) end)
    local net = Net()
    net:initialize()
    net:hybridize { breaks = true, effects = "ignore" }
    for _ = 1, 5 do net(x) end
    assert.equal(1, runs)
    local data = net:explain "table"
    assert.equal(1, #data.traces)
    assert.equal(0, #data.segments)
    assert.is_nil(data.broken)
  end)

  it("counts and prints in the same order as eager code", function()
    local Net = class(function(self, F, a)
      self.n = (self.n or 0) + 1
      note("call", self.n)
      note("text", tostring(a))
      local y = self.dense(F.sin(a))
      self.seen = self.seen or {}
      self.seen[#self.seen + 1] = y:sum():item()
      note("sum " .. #self.seen, self.seen[#self.seen])
      return y * self.n
    end, function(self) self.dense = nn.Dense(2) end)
    same(Net, call, 7)
  end)

  for what, read in pairs {
    asscalar = function(a) return a * a:sum():asscalar() end,
    item = function(a) return a * a:sum():item() end,
    totable = function(a) return a * a:totable()[1][2] end,
    asnumpy = function(a) return a * a:asnumpy()[1][2] end,
    tolist = function(a) return a * a:tolist()[1][2] end,
    tobytes = function(a) return a * #a:tobytes() end,
    tostring = function(a) return a * #tostring(a) end,
    ["the text of an array"] = function(a) return a * #("" .. a) end,
    ["x[...] = v"] = function(a)
      local b = a:detach():copy()
      b[{}] = 2
      b["0:1"] = a:detach()[1]
      return a * b
    end,
    ["an operator in place"] = function(a) return a * a:detach():copy():add_(1) end,
    ["set, fill_ and zero_"] = function(a)
      return a * a:detach():copy():set(2) * a:detach():copy():fill_(3) + a:detach():copy():zero_()
    end,
    ["copyto"] = function(a) return a * a:detach():copyto(nd.zeros { 2, 3 }) end,
    ["out ="] = function(a, F)
      local b = nd.zeros { 2, 3 }
      F.sin(a:detach(), { out = b })
      return a * b
    end,
    ["a mask"] = function(a) return a * a[a:greater(0):astype "bool"]:sum() end,
    ["a shape that depends on values"] = function(a, F)
      return a * F.contrib.boolean_mask(a, a[{ {}, 0 }]:greater(0)):sum()
    end,
    ["rows"] = function(a)
      local s = 0
      for _, row in pairs(a) do s = row + s end
      return s
    end,
    ["gradients"] = function(a)
      local b = a:detach():copy()
      b:attach_grad()
      autograd.record(function() return (b * b):sum() end):backward()
      return a * b.grad
    end,
    ["autograd.Function"] = function(a)
      local Twice = autograd.Function:subclass "Twice"
      function Twice.forward(_, v) return v * 2 end
      function Twice.backward(_, dy) return dy * 2 end
      return Twice()(a)
    end,
    ["a file"] = function(a)
      local name = os.tmpname()
      nd.save(name, { a })
      local b = nd.load(name)[1]
      os.remove(name)
      return a * b
    end,
  } do
    it("breaks at " .. what, function()
      local Net = class(function(self, F, a)
        note "called"
        return self.out(read(self.dense(a), F))
      end, function(self) self.dense, self.out = nn.Dense(3), nn.Dense(2) end)
      local net = same(Net, call)
      assert.truthy(kinds(net):find "^compiled read.* compiled$", kinds(net))
    end)
  end

  it("breaks in the first call that takes the branch with the read", function()
    local Net = class(function(self, F, a, k)
      local h = self.dense(a)
      if k > 2 then
        note("late", k)                                                  -- noted once, too
        note("sum", F.tanh(h):sum():asscalar())
        h = h * h:max():asscalar()
      end
      return self.dense(h * k)
    end, function(self) self.dense = nn.Dense(3) end)
    local net = same(Net, function(made, i) return made(x, i > 18 and i % 4 + 1 or 1 + i % 2) end, 28)
    assert.equal("compiled read read compiled", kinds(net))
    assert.truthy(#net:explain("table").traces > 0)                      -- from earlier calls
  end)

  it("is found after a change of a field, upvalue or shape", function()
    local level = 1
    local Net = class(function(self, F, a)
      local h = self.dense(a)
      if level == 2 or self.level == 2 or a.shape[1] == 4 then
        note "late"
        note("sum", h:sum():asscalar())
      end
      return F.exp(h)
    end, function(self) self.dense, self.level = nn.Dense(3), 1 end)
    for what = 1, 3 do
      level = 1
      local net = same(Net, function(made, i)
        if what == 1 then made.level = i > 12 and 2 or 1
        elseif what == 2 then level = i > 12 and 2 or 1 end
        return made(what == 3 and i > 12 and nd.concat({ x, x }, { dim = 0 }) or x)
      end, 18)
      assert.equal("compiled read", kinds(net))
      assert.equal(3, #net:explain("table").traces)
    end
  end)

  it("runs in segments if only its trace reads values, even if it is nested", function()
    for _, read in ipairs { function(a) return a:asscalar() end, function(a) a[{}] = 1 end, tostring,
                            function(a) return a[a:greater(0):astype "bool"] end,
                            function(a) pcall(a.totable, a) end } do
      local Inner = class(function(self, F, a)
        if F ~= nd then read(a) end
        note "inner"
        return self.dense(a)
      end, function(self) self.dense = nn.Dense(3, { in_units = 3 }) end)
      local Net = class(function(self, F, a) return F.sin(self.inner(self.first(a))) end, function(self)
        self.first, self.inner = nn.Dense(3, { in_units = 3 }), Inner()
      end)
      breaks.reset_notes()
      local net = Net()
      net:initialize()
      local y = net(x)
      net:hybridize { breaks = true }
      for _ = 1, 5 do assert.bits(net(x), y) end
      assert.equal("compiled segments", kinds(net), net:explain())
      assert.truthy(net:explain("table").broken:find "^net%d+_net%d+: .* needs values  .*graph_breaks_spec.lua:%d+")
      assert.equal(6, #breaks.noted())
    end
  end)

  it("is found if nested, even if the read is printed or caught", function()
    local Inner = class(function(self, F, a, k)
      if k == 3 then note("shown", tostring(F.exp(a))) end
      if k == 4 then pcall(note, "caught", a:sum():asscalar()) end
      return self.dense(a)
    end, function(self) self.dense = nn.Dense(3) end)
    local Net = class(function(self, F, a, k) return F.sin(self.inner(self.first(a), k)) end, function(self)
      self.first, self.inner = nn.Dense(3), Inner()
    end)
    for late = 3, 4 do
      local net = same(Net, function(net, i) return net(x, i < 5 and 1 or late) end, 12)
      assert.equal("compiled segments", kinds(net), net:explain())
      assert.equal("read compiled", kinds(net.inner))
    end
  end)

  it("can be a function given to hl.compile", function()
    local function fn(F, a, w)
      local y = F.tanh(a * w)
      if y:sum():asscalar() > 0 then return y, w end
      return y * w, a
    end
    local f = hl.compile(fn, { breaks = true })
    local w = nd.array { { 0.5, 0.25, 2 } }
    for _ = 1, 3 do
      for sign = -1, 1, 2 do
        local a, b = { f(x * sign, w) }, { fn(nd, x * sign, w) }
        for i = 1, 2 do assert.bits(a[i], b[i]) end
      end
    end
    assert.equal("read", kinds(f))
  end)

  it("can be called by a function that does not hold it", function()
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate, dense = Gate(), nn.Dense(3, { in_units = 3 })
    dense:initialize()
    gate:hybridize { breaks = true }
    dense:hybridize { breaks = true }
    local plain = Plain()
    breaks.reset_notes()
    local f = hl.compile(function(F, a) return F.tanh(gate(dense(a))) end, { breaks = true })
    local g = hl.compile(function(F, a) return F.tanh(plain(dense(a))) end, { breaks = true })
    for _ = 1, 4 do
      assert.bits(f(x), nd.tanh(dense(x) * dense(x):max():asscalar()))
      local y = dense(x)
      assert.bits(g(x), nd.tanh(y * (1 + y:sum():tanh():asscalar())))
    end
    assert.equal("compiled segments", kinds(f))
    assert.equal("compiled plain", kinds(g))
    assert.equal(4, plain.calls)
  end)

  it("works in training steps given to hl.compile", function()
    local results = {}
    for k = 1, 2 do
      hl.random.seed(3)
      breaks.reset_notes()
      local net = nn.HybridSequential()
      net:add(nn.Dense(3), Plain(), nn.Dropout(0.5), nn.Dense(2))
      net:initialize()
      if k == 2 then net:hybridize { breaks = true } end
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local function step(_, a)
        local loss = autograd.record(function() return net(a):square():sum() end)
        loss:backward()
        trainer:step(2)
        return loss
      end
      local f = k == 1 and function(a) return step(nd, a) end or hl.compile(step, { breaks = true })
      local list = {}
      for i = 1, 5 do list[i] = f(x):asscalar() end
      results[k] = { list, breaks.noted(), net[0].weight:data():totable(), table.pack(core.random.state()) }
    end
    assert.same(results[1], results[2])
    -- A step without breaks is compiled as a whole.
    local dense = nn.Dense(1, { in_units = 3 })
    dense:initialize()
    local trainer = gluon.Trainer(dense:collect_params(), "sgd", { learning_rate = 0.1 })
    local f = hl.compile(function(_, a)
      local loss = autograd.record(function() return dense(a):square():sum() end)
      loss:backward()
      trainer:step(1)
      return loss
    end, { breaks = true })
    for _ = 1, 3 do f(x) end
    assert.equal(1, #f:explain("table").traces)
    assert.equal(2, #f:explain("table").traces[1].steps)
  end)
end)
