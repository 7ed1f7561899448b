-- graph_breaks_spec.lua - hybridize{breaks = true}: plain Blocks inside, and blocks that read values, run piece by
-- piece, and compute to the bit what eager code computes: values, gradients, random numbers, and what their Lua does,
-- in its order and as often.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon, nn = hl.nd, hl.autograd, hl.gluon, hl.gluon.nn
local Block, HybridBlock = gluon.Block, gluon.HybridBlock

local HERE = "graph_breaks_spec.lua"

-- What the nets of a pair note: eager ones here, the others there.
local notes

local function note(what, x)
  notes[#notes + 1] = what .. (core.array.is(x) and (": " .. x:tobytes()) or x ~= nil and ": " .. tostring(x) or "")
end

local function gradients(net, into)
  for name, param in net:collect_params():items() do
    if param.grad_req ~= "null" then into[name:gsub("^[^_]*%d+_", "")] = param:grad() end
  end
  return into
end

local function arrays_of(results)
  local list = {}
  local function visit(x)
    if core.array.is(x) then list[#list + 1] = x
    elseif type(x) == "table" then for _, item in ipairs(x) do visit(item) end end
  end
  visit(results)
  return list
end

-- use(net, i) of the net that make() makes, eagerly; then with hybridize{breaks = true}: `calls` times, in all modes by
-- turns. Both note the same, give the same bits, and leave the same gradients and random stream.
local function same(make, use, calls, options)
  local logs = {}
  for k = 1, 2 do
    hl.random.seed(7)
    notes = {}
    local net = make()
    net:initialize(hl.init.Normal(1))
    if k == 2 then
      local given = { breaks = true }
      for key, value in pairs(options or {}) do given[key] = value end
      net:hybridize(given)
    end
    local log = { net = net, notes = notes, calls = {} }
    for i = 1, calls or 6 do
      local mode = i % 3
      local call = {}
      local function run() call.results = arrays_of { use(net, i) } return call.results end
      if mode == 0 then run()
      else
        local heads = autograd.record(run, { train_mode = mode == 1 })
        local taped = {}
        for _, head in ipairs(heads) do if core.autograd.on_tape(head) then taped[#taped + 1] = head end end
        if #taped > 0 then autograd.backward(taped) end
        call.gradients = gradients(net, {})
        for _, param in net:collect_params():items() do
          if param.grad_req ~= "null" then param:set_data(param:data() - param:grad() * 0.01) end
        end
      end
      call.random = table.pack(core.random.state())
      log.calls[i] = call
    end
    logs[k] = log
  end
  local eager, broken = logs[1], logs[2]
  assert.same(eager.notes, broken.notes)
  for i, a in ipairs(eager.calls) do
    local b = broken.calls[i]
    assert.equal(#a.results, #b.results)
    for k, x in ipairs(a.results) do assert.bits(b.results[k], x) end
    for name, x in pairs(a.gradients or {}) do assert.bits(b.gradients[name], x) end
    assert.same(a.random, b.random)
  end
  return broken.net
end

-- What the code of a net does, but for its own operators.
local function kinds(net)
  local list = {}
  for _, piece in ipairs(net:explain("table").pieces) do
    if piece.kind ~= "operators" then list[#list + 1] = piece.kind end
  end
  return table.concat(list, " ")
end

local function class(fn, init)
  local Net = HybridBlock:subclass "Net"
  Net.init = init
  Net.hybrid_forward = fn
  return Net
end

local Plain = Block:subclass "Plain"
function Plain:forward(x)
  self.calls = (self.calls or 0) + 1
  note("plain " .. self.calls, x)
  return x * (1 + x:sum():tanh():asscalar())
end

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

  it("comes first, in the middle, last, and the children between are compiled together", function()
    assert.equal("plain compiled", kinds(same(net(Plain, dense, act, dense), call)))
    assert.equal("compiled plain compiled", kinds(same(net(dense, dense, Plain, act, drop, dense), call)))
    assert.equal("compiled plain", kinds(same(net(dense, act, drop, dense, Plain), call)))
    assert.equal("plain", kinds(same(net(Plain), call)))
    assert.equal("plain compiled plain", kinds(same(net(Plain, dense, Plain), call)))
    local long = same(net(dense, drop, Plain, Plain, dense, drop, act, dense, drop, Plain, drop), call, 9)
    assert.equal("compiled plain plain compiled plain compiled", kinds(long))
  end)

  it("is named by explain, with what is compiled and the lines", function()
    local broken = same(net(dense, act, Plain, dense), call, 9)
    local data = broken:explain "table"
    assert.equal("compiled", data.pieces[1].kind)
    assert.truthy(data.pieces[1].what:find "^dense%d+, tanh%d+$", data.pieces[1].what)
    assert.equal(3, #data.pieces[1].explain.traces)                      -- training, recording, predicting
    assert.equal("a plain Block", data.pieces[2].why)
    assert.truthy(data.pieces[2].what:find "^plain%d+$")
    for _, piece in ipairs(data.pieces) do assert.truthy(piece.line:find(HERE, 1, true)) end
    assert.truthy(data.broken:find "is a plain Block %(Plain%)")
    assert.equal(0, #data.traces)
    local text = broken:explain()
    for _, words in ipairs { "piece by piece, because plain%d+ is a plain Block %(Plain%)",
                             "piece 1, compiled: dense%d+, ",
                             "piece 2, at once, a plain Block: plain%d+  .*graph_breaks_spec.lua:%d+",
                             "FullyConnected" } do
      assert.truthy(text:find(words), words)
    end
  end)

  it("may be nested, in containers of both kinds", function()
    same(net(dense, net(act, Plain, dense), drop, dense), call)
    same(net(dense, function() return nn.Sequential():add(dense(), nn.Lambda "relu", drop()) end, dense), call)
    same(net(net(net(dense, drop, dense), Plain), act, net(dense, dense)), call)
  end)

  it("may be one layer, used twice, or share its parameters", function()
    local function tied()
      local list, shared = nn.HybridSequential(), dense()
      list:add(shared, act(), shared, Plain(), shared, nn.Dense(3, { in_units = 3, params = shared.params }), drop(),
        shared)
      return list
    end
    same(tied, call, 9)
  end)

  it("goes with layers that learn their shapes in the first call", function()
    local function late() return nn.Dense(3) end
    same(net(late, drop, Plain, late, drop, late), call)
    same(net(Plain, late, function() return nn.BatchNorm() end, late), call)
  end)

  it("goes with layers that are added and replaced later", function()
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
  it("may be called any number of times, in between and on both sides of operators", function()
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

  it("may stand in a table", function()
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

  it("draws random numbers on both sides of a break", function()
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
  it("runs its Lua at every call, and the blocks that it calls are compiled", function()
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
    for i, piece in ipairs(data.pieces) do list[i] = piece.kind .. " " .. piece.what:gsub("net%d+_(%a+)%d", "%1") end
    assert.same({ "compiled dense", "read x:tobytes()", "operators square, sum, sqrt", "read x:asscalar()",
                  "compiled dense", "operators divide", "compiled dense", "operators relu, multiply",
                  "operators broadcast_add" }, list)
    assert.truthy(data.broken:find "x:tobytes%(%) needs values  .*graph_breaks_spec.lua:%d+$")
    assert.equal(data.pieces[1].line:match "%d+$" + 2, tonumber(data.pieces[4].line:match "%d+$"))
    assert.truthy(net:explain():find("piece 4, values are read: x:asscalar()", 1, true))
  end)

  it("is found among the blocks inside, which alone is not compiled", function()
    local Gate = class(function(_, _, a) return a * (a:max():asscalar() > 1 and 1 or -1) end)
    local Part = class(function(self, F, a) return F.tanh(self.dense(a)) end,
      function(self) self.dense = nn.Dense(3) end)
    local Net = class(function(self, _, a) return self.last(self.gate(self.first(a))) end, function(self)
      self.first, self.gate, self.last = Part(), Gate(), Part()
    end)
    local net = same(Net, call, 12)
    assert.equal("compiled pieces compiled", kinds(net))
    assert.equal("read", kinds(net.gate))
    assert.equal(3, #net.first:explain("table").traces)
    assert.equal(0, #net.first.dense:explain("table").traces)             -- compiled with Part
    assert.truthy(net:explain("table").broken:find "^net%d+_net%d+: x:asscalar%(%) needs values")
  end)

  it("that nothing breaks is compiled as a whole, and its Lua runs in the first two calls only", function()
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
    assert.equal(0, #data.pieces)
    assert.is_nil(data.broken)
  end)

  it("counts and prints, in its order and as often", function()
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
    ["set and its kin"] = function(a)
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
    it("finds " .. what, function()
      local Net = class(function(self, F, a)
        note "called"
        return self.out(read(self.dense(a), F))
      end, function(self) self.dense, self.out = nn.Dense(3), nn.Dense(2) end)
      local net = same(Net, call)
      assert.truthy(kinds(net):find "^compiled read.* compiled$", kinds(net))
    end)
  end

  it("on a branch that the first call did not take is found by the first call that takes it", function()
    local Net = class(function(self, F, a, k)
      local h = self.dense(a)
      if k > 2 then
        note("late", k)                                                  -- once, too
        note("sum", F.tanh(h):sum():asscalar())
        h = h * h:max():asscalar()
      end
      return self.dense(h * k)
    end, function(self) self.dense = nn.Dense(3) end)
    local net = same(Net, function(made, i) return made(x, i > 18 and i % 4 + 1 or 1 + i % 2) end, 28)
    assert.equal("compiled read read compiled", kinds(net))
    assert.truthy(#net:explain("table").traces > 0)                      -- from before
  end)

  it("is followed by guards, too: a field, an upvalue, a shape", function()
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

  it("that only the trace meets is marked then, wherever it stands, and the call goes piece by piece", function()
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
      notes = {}
      local net = Net()
      net:initialize()
      local y = net(x)
      net:hybridize { breaks = true }
      for _ = 1, 5 do assert.bits(net(x), y) end
      assert.equal("compiled pieces", kinds(net), net:explain())
      assert.truthy(net:explain("table").broken:find "^net%d+_net%d+: .* needs values  .*graph_breaks_spec.lua:%d+")
      assert.equal(6, #notes)
    end
  end)

  it("is found there too if it stands inside, and if it is printed or caught there", function()
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
      assert.equal("compiled pieces", kinds(net), net:explain())
      assert.equal("read compiled", kinds(net.inner))
    end
  end)

  it("is a function given to hl.compile, too", function()
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

  it("may be one that a function calls without holding it", function()
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate, dense = Gate(), nn.Dense(3, { in_units = 3 })
    dense:initialize()
    gate:hybridize { breaks = true }
    dense:hybridize { breaks = true }
    local plain = Plain()
    notes = {}
    local f = hl.compile(function(F, a) return F.tanh(gate(dense(a))) end, { breaks = true })
    local g = hl.compile(function(F, a) return F.tanh(plain(dense(a))) end, { breaks = true })
    for _ = 1, 4 do
      assert.bits(f(x), nd.tanh(dense(x) * dense(x):max():asscalar()))
      local y = dense(x)
      assert.bits(g(x), nd.tanh(y * (1 + y:sum():tanh():asscalar())))
    end
    assert.equal("compiled pieces", kinds(f))
    assert.equal("compiled plain", kinds(g))
    assert.equal(4, plain.calls)
  end)

  it("goes with training steps given to hl.compile", function()
    local results = {}
    for k = 1, 2 do
      hl.random.seed(3)
      notes = {}
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
      results[k] = { list, notes, net[0].weight:data():totable(), table.pack(core.random.state()) }
    end
    assert.same(results[1], results[2])
    -- a step that nothing breaks is compiled as a whole
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

describe("hybridize{breaks = true} and", function()
  local function net()
    local list = nn.HybridSequential()
    list:add(nn.Dense(3, { in_units = 3 }), Plain(), nn.Dense(2, { in_units = 3 }))
    list:initialize()
    return list
  end

  before_each(function() notes = {} end)

  it("its option: true or false", function()
    assert.raises(function() net():hybridize { breaks = 1 } end, HERE, "breaks: expected true or false, got 1")
    assert.raises(function() hl.compile(function() end, { breaks = "yes" }) end, "breaks: expected true or false")
    assert.raises(function() net():hybridize { breaks = false } end, "Children of HybridBlock must also be HybridBlock")
  end)

  it("no breaks: a plain Block is refused at hybridize(), and where it comes later, in the next call", function()
    assert.raises(function() net():hybridize() end, HERE, "must also be HybridBlock, but Plain.* has type Plain")
    net():hybridize(false)
    local list = nn.HybridSequential()
    list:add(nn.Dense(3, { in_units = 3 }))
    list:initialize()
    list:hybridize()
    list(x)
    list:add(Plain())
    for _ = 1, 2 do assert.raises(function() list(x) end, HERE, "must also be HybridBlock, but Plain") end
    list:hybridize(false)
    list(x)
    local Tabled = class(function(self, _, a)
      for _, layer in ipairs(self.list) do a = layer(a) end
      return a
    end, function(self) self.list = { nn.Activation "tanh" } end)
    local tabled = Tabled()
    tabled:hybridize()
    tabled(x)
    tabled.list[2] = Plain()
    assert.raises(function() tabled(x) end, HERE, "must also be HybridBlock, but Plain")
  end)

  it("full: an error that says which block is in the way", function()
    assert.raises(function() net():hybridize { breaks = true, full = true } end, HERE,
      "hybridize{full = true}: plain%d+, inside, is a plain Block %(Plain%)")
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate = Gate()
    gate:hybridize { breaks = true, full = true }
    assert.raises(function() gate(x) end, HERE, "x:asscalar%(%) needs values")
    local outer = nn.HybridSequential()
    local inner = Gate()
    outer:add(inner)
    outer:hybridize { breaks = true, full = true }
    inner:hybridize { breaks = true }
    inner(x)
    assert.raises(function() outer(x) end, HERE, "full = true}: net%d+: x:asscalar%(%) needs values  .*" .. HERE)
  end)

  it("export, trace_for: refused, as there is no one graph", function()
    local list = net()
    list:hybridize { breaks = true }
    list(x)
    assert.raises(function() list:export "graph_breaks_spec" end, HERE, "must also be HybridBlock, but Plain")
    assert.raises(function() list:trace_for { data = { 2, 3 } } end, "must also be HybridBlock, but Plain")
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate = Gate()
    gate:hybridize { breaks = true }
    gate(x)
    assert.raises(function() gate:export "graph_breaks_spec" end, HERE, "export: the block runs piece by piece",
      "x:asscalar%(%) needs values")
  end)

  it("hooks: called as often, and what they read breaks nothing", function()
    local seen = {}
    for k = 1, 2 do
      hl.random.seed(1)
      local list = nn.HybridSequential()
      list:add(nn.Dense(3, { in_units = 3 }), nn.Dense(3, { in_units = 3 }), Plain(), nn.Dense(2, { in_units = 3 }))
      list:initialize()
      if k == 2 then list:hybridize { breaks = true } end
      local log = {}
      list[1]:register_forward_hook(function(_, _, y) log[#log + 1] = y:tobytes() end)
      list:register_forward_pre_hook(function() log[#log + 1] = "before" end)
      local handle = list[3]:register_forward_hook(function(_, _, y) log[#log + 1] = y:tobytes() end)
      for i = 1, 6 do
        if i == 4 then handle.detach() end
        log[#log + 1] = list(x):tobytes()
      end
      seen[k] = log
      if k == 2 then assert.equal("compiled compiled plain compiled", kinds(list)) end
    end
    assert.same(seen[1], seen[2])
    local dense = nn.Dense(3, { in_units = 3 })
    dense:initialize()
    dense:hybridize { breaks = true }
    local bytes
    dense:register_forward_hook(function(_, _, y) bytes = y:tobytes() end)
    for _ = 1, 3 do assert.equal(dense(x):tobytes(), bytes) end
    assert.equal(1, #dense:explain("table").traces)
  end)

  it("summary, save_parameters, load_parameters, monitor: as ever", function()
    local list, other = net(), net()
    list:hybridize { breaks = true }
    local y = list(x)
    local file = os.tmpname()
    list:save_parameters(file)
    other:hybridize { breaks = true }
    other(x)
    other:load_parameters(file)
    os.remove(file)
    for _ = 1, 3 do assert.bits(other(x), y) end
    local lines, globals = {}, package.loaded._G
    local print_ = globals.print
    globals.print = function(text) lines[#lines + 1] = text end
    local ok, problem = pcall(list.summary, list, x)
    globals.print = print_
    assert.truthy(ok, problem)
    assert.truthy(table.concat(lines, "\n"):find "Plain%-2")
    local names = {}
    local handle = list:monitor(function(name) names[#names + 1] = name:gsub("%d+", "") end)
    assert.bits(list(x), y)
    handle.detach()
    assert.same({ "dense_fwd_output", "dense_output", "plain_output", "dense_fwd_output", "dense_output",
                  "hybridsequential_output" }, names)
    assert.bits(list(x), y)
  end)

  it("errors: the block's own, in both ways, and the next call goes on", function()
    local Net = class(function(self, _, a, fails)
      local y = self.dense(a)
      note("y", y)
      if fails then error "of the script" end
      return y
    end, function(self) self.dense = nn.Dense(3, { in_units = 3 }) end)
    local made = Net()
    made:initialize()
    made:hybridize { breaks = true }
    assert.raises(function() made(x, true) end, "of the script")
    local y = made(x)
    assert.raises(function() made(x, true) end, "of the script")
    assert.raises(function() made(nd.ones { 2, 5 }) end, "net%d+_dense%d+: data")
    assert.bits(made(x), y)
    assert.equal("compiled read", kinds(made))
  end)

  it("two contexts: refused by what is compiled, as by a hybridized block", function()
    local Net = class(function(self, _, a, b)
      note("a", a)
      return self.sum(a, b)
    end, function(self) self.sum = nn.HybridLambda(function(_, a, b) return a + b end) end)
    local made = Net()
    made:hybridize { breaks = true }
    local other = x:as_in_context(hl.cpu(1))
    assert.raises(function() made(x, other) end, HERE, "cpu%(1%)")
    made(x, x)
    assert.raises(function() made(x, other) end, HERE, "several contexts in the arguments, cpu%(0%) and cpu%(1%)")
    assert.bits(made(other, other):as_in_context(hl.cpu(0)), x + x)
  end)

  it("check: the pieces are checked", function()
    local list = net()
    list:add(nn.Dropout(0.5), nn.Dense(2, { in_units = 2 }))
    list[4]:initialize()
    list:hybridize { breaks = true, check = 2 }
    local y = list(x)
    for _ = 1, 4 do assert.bits(list(x), y) end
  end)

  it("coroutines: what one reads that the code resumes is read by the code", function()
    local Net = class(function(self, F, a)
      local h = self.dense(a)
      local values = coroutine.wrap(function(v)
        for _, row in ipairs(v:totable()) do coroutine.yield(row[1]) end
      end)
      return F.tanh(h * values(h) + values())
    end, function(self) self.dense = nn.Dense(3, { in_units = 3 }) end)
    assert.equal("compiled read", kinds(same(Net, call)))
    local dense = nn.Dense(3, { in_units = 3 })
    dense:initialize()
    dense:hybridize { breaks = true }
    local resumed = coroutine.wrap(function()
      for _ = 1, 4 do coroutine.yield(dense(x)) end
    end)
    local y = resumed()
    for _ = 1, 3 do
      assert.bits(dense(x), y)
      assert.bits(resumed(), y)
    end
    assert.equal(1, #dense:explain("table").traces)
  end)

  it("another hybridize(): forgets what was learned", function()
    local reads = true
    local Net = class(function(_, F, a)
      if reads then note("a", a) end
      return F.tanh(a)
    end)
    local made = Net()
    made:hybridize { breaks = true }
    made(x)
    assert.equal("read", kinds(made))
    reads = false
    made(x)
    assert.equal("read", kinds(made))
    made:hybridize { breaks = true }
    for _ = 1, 2 do made(x) end
    assert.equal("", kinds(made))
    assert.equal(1, #made:explain("table").traces)
  end)
end)

describe("the own operators of a block that reads values", function()
  local function pieces_of(net)
    local list = {}
    for _, piece in ipairs(net:explain("table").pieces) do
      if piece.kind == "operators" then list[#list + 1] = piece end
    end
    return list
  end

  local function made(fn, init)
    local net = class(fn, init)()
    net:initialize()
    net:hybridize { breaks = true }
    return net
  end

  it("between two reads are one kernel, and explain says which, with their lines", function()
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
    local before, after = table.unpack(pieces_of(net))
    assert.equal(("tanh, multiply, square, broadcast_add, "):rep(3) .. "sum", before.what)
    assert.equal("subtract, relu, divide", after.what)
    assert.equal(2, #pieces_of(net))
    assert.equal(14, before.runs)                                        -- the first call only showed what is read
    local line = tonumber(before.line:match(HERE .. ":(%d+)$"))
    assert.truthy(line)
    assert.equal("square", before.operators[3].name)
    assert.truthy(before.operators[3].line:find(HERE .. ":" .. line + 1 .. "$"))
    assert.truthy(before.operators[13].line:find(HERE .. ":" .. line + 3 .. "$"))
    assert.truthy(after.line:find(HERE .. ":" .. line + 4 .. "$"))
    for _, piece in ipairs { before, after } do
      assert.is_true(#piece.compiled >= 1)
      for _, compiled in ipairs(piece.compiled) do
        for _, plan in ipairs(compiled.plans) do assert.is_true(#plan.groups >= 1 and #plan.groups <= 2) end
      end
    end
    local text = net:explain()
    for _, words in ipairs { "piece 1, operators of its own: tanh, multiply", "    tanh, multiply  ", "    sum  ",
                             "    ran 14 times", "piece 2, values are read: x:asscalar()",
                             "piece 3, operators of its own: subtract, relu, divide", "fused kernel" } do
      assert.truthy(text:find(words, 1, true), words)
    end
  end)

  it("give what is asked for alone, and the rest when it is asked for later, though arrays were written since",
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

  it("do not see what is written after them: an argument, a view of it, a parameter, what they gave", function()
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

  it("go on while shapes are read, and break nothing that is random or on another tape", function()
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
    assert.equal("broadcast_add, tanh, multiply, divide, add, add, add", pieces_of(net)[1].what)
  end)

  it("raise what they raise at once, on the line that is wrong, and what was put off is not lost", function()
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

  it("may begin in a coroutine, and be asked for outside of it, after the call, or never", function()
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

  it("may be any number, of any number of arrays", function()
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

  it("go with a state that the block writes at each call", function()
    local function fn(self, F, a)
      if not self.state then self.state = nd.zeros { 2, 3 } end
      local h = F.tanh(a + self.state) * 0.5 + F.square(self.state)
      local peak = F.relu(h - 0.1):max():asscalar()
      self.state[{}] = h + peak
      return F.exp(h) - self.state
    end
    local net = same(class(fn), call, 30)
    assert.is_true(#pieces_of(net)[1].compiled > 0)
  end)

  it("with a number that is another each time do not make a piece each", function()
    local net = made(function(_, F, a)
      local max = a:max():asscalar()
      return F.tanh(a / (max + 0.5)) * 2
    end)
    for i = 1, 100 do
      local a = x * i
      assert.bits(net(a), nd.tanh(a / (a:max():asscalar() + 0.5)) * 2)
    end
    assert.is_true(pieces_of(net)[1].kinds <= 10)
    assert.truthy(net:explain():find(", with %d+ sets of shapes and numbers"))
  end)

  -- The gradient of w is a sum of terms whose order shows.
  it("go onto the tape where they stand, though nobody waited for those before them, or they ran at once", function()
    local function fn(self, F, a, how, p)
      local large = a * -3e7
      note("large", large)
      if how == 1 then
        F.tanh(p.w)                                                      -- put off, and then garbage
        collectgarbage()
      end
      if how == 2 then self.kept = p.w * (#notes + 0.5) end              -- another number each time
      local product = F.dot(p.w, a, { transpose_b = true })              -- not put off
      local first = F.sin(p.w) * 1e8
      local second = F.dot(p.w, large, { transpose_b = true })
      return product:sum() + first:sum() + second:sum() + F.relu(F.square(F.exp(p.w)) + first):sum()
    end
    local function init(self) self.w = self.params:get("w", { shape = { 1, 3 } }) end
    for how = 0, 2 do same(class(fn, init), function(net) return net(x, how) end, 45) end
  end)

  it("of one block inside another: each has its own", function()
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
    assert.equal(2, #pieces_of(net.inner))
  end)

  it("lead to gradients of gradients, of what lies between, of functions, and of arrays that are kept", function()
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
      notes, state = {}, nil
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
      logs[k] = { log, notes }
    end
    assert.same(logs[1], logs[2])
  end)

  it("are watched, noted and shown one by one where that is asked for", function()
    local net = made(function(_, F, a)
      local h = F.log(a) * 2
      note("sum", h:sum():asscalar())
      return F.exp(h)
    end)
    notes = {}
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

  it("leave the block's results to be changed, freed and collected as those of any code", function()
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
    assert.equal("add, Reshape, exp", pieces_of(net)[2].what)
  end)
end)
