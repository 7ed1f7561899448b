-- memory_spec.lua - memory stays bounded over temporaries, batch sizes, traces and freed graphs; freed arrays raise an
-- error wherever they are used.
local hl = require "hybridlua"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn = gluon.nn

local MIB = 1 << 20

local scratch = require "support.scratch"

local function collect() collectgarbage() collectgarbage() end

-- Under AddressSanitizer this also counts memory that its allocator holds back, so it is meaningless there.
local function resident()
  if scratch.program:find "asan" then return 0 end
  for line in io.lines "/proc/self/status" do
    local kib = line:match "^VmRSS:%s+(%d+)"
    if kib then return tonumber(kib) * 1024 end
  end
end

local function dense_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(16, { activation = "relu" }), nn.Dense(4))
  net:initialize()
  net:hybridize()
  return net
end

describe("memory", function()
  it("of temporaries is freed promptly", function()
    collect()
    local before = hl.memory().live
    local x, y = nd.ones { MIB / 4 }, nil
    local most = 0
    for i = 1, 3000 do
      y = x + i
      if i % 100 == 0 then most = math.max(most, hl.memory().live - before) end
    end
    assert.equal(3001, y[0]:asscalar())
    assert.is_true(most < 3 * 2 * MIB + MIB, ("%d bytes live"):format(most))     -- the live set is x and y
  end)

  it("of training steps is freed promptly", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(256, { activation = "relu" }), nn.Dense(10))
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
    local function step()
      local loss = autograd.record(function() return net(nd.ones { 64, 256 }):sum() end)
      loss:backward()
      trainer:step(64)
    end
    for _ = 1, 10 do step() end
    collect()
    local live, rss = hl.memory().live, resident()
    for _ = 1, 300 do step() end
    collect()
    assert.is_true(hl.memory().live <= live + MIB)
    assert.is_true(resident() < rss + 64 * MIB)
  end)

  it("of specializations stays bounded over thousands of batch sizes", function()
    local net = dense_net()
    net(nd.ones { 1, 8 })
    for n = 1, 500 do net(nd.ones { n, 8 }) end
    collect()
    local live, rss = hl.memory().live, resident()
    for n = 501, 2500 do net(nd.ones { n, 8 }) end
    collect()
    assert.is_true(hl.memory().live < live + 16 * MIB)
    assert.is_true(resident() < rss + 64 * MIB)
    local t = net:explain { format = "table" }.traces
    assert.equal(1, #t)
    assert.equal(2500, t[1].compiled.made)
    assert.is_true(#t[1].compiled.plans < 100)
  end)

  it("of traces stays bounded where the code reads shapes", function()
    local f = hl.compile(function(_, a) return a * a.shape[1] end)
    for n = 1, 300 do assert.equal(n, f(nd.ones { n })[0]:asscalar()) end
    assert.is_true(#f:explain { format = "table" }.traces <= 64)
  end)

  it("of a block's graphs is freed with the block", function()
    collect()
    local before = hl.memory().live
    do
      local net = nn.HybridSequential()
      for _ = 1, 8 do net:add(nn.Dense(128, { activation = "relu" })) end
      net:initialize()
      net:hybridize()
      for n = 1, 4 do
        local loss = autograd.record(function() return net(nd.ones { n, 128 }):sum() end)
        loss:backward()
      end
      assert.is_true(hl.memory().live > before + 8 * 128 * 128 * 4)
    end
    collect()
    assert.is_true(hl.memory().live <= before)
  end)

  it("of a block's graphs is freed when it is no longer hybridized", function()
    local net = dense_net()
    for n = 1, 20 do net(nd.ones { n * 100, 8 }) end
    collect()
    local while_there = hl.memory().live
    net:hybridize(false)
    collect()
    assert.is_true(hl.memory().live <= while_there)
    assert.equal(0, #net:explain { format = "table" }.traces)
  end)

  it("of executors and compiled Symbols is freed with them", function()
    collect()
    local before = hl.memory().live
    do
      local a = sym.var "a"
      local s = sym.exp(a) * a + 1
      local x = nd.ones { MIB / 4 }
      local ex, f = s:bind({ x }, { args_grad = { a = nd.zeros { MIB / 4 } } }),
        sym.compile { inputs = { a }, outputs = { s } }
      ex:forward { is_train = true }
      ex:backward()
      f(x)
    end
    collect()
    assert.is_true(hl.memory().live <= before)
  end)

  it("is freed at the end of a scope, and by free", function()
    collect()
    local before = hl.memory().live
    do
      local _ <close> = nd.zeros { MIB }
      assert.is_true(hl.memory().live >= before + 4 * MIB)
    end
    assert.equal(before, hl.memory().live)
    local y = nd.zeros { MIB }
    y:free()
    assert.equal(before, hl.memory().live)
  end)

  -- Objects of autograd.Function that refer back to themselves, recorded and dropped without a backward.
  local loops = {
    ["keeps its output"] = function(Own, x)
      function Own:forward(v) self.y = v * 2 return self.y end
      return Own()(x)
    end,
    ["saves its input and output"] = function(Own, x)
      function Own:forward(v) local y = v * 2 self:save_for_backward(v, y) return y end
      return Own()(x)
    end,
    ["is called by a closure over its output"] = function(Own, x)
      local y
      function Own:forward(v) return v * 2 end
      function Own:backward(dy) return dy * y end
      y = Own()(x)
      return y
    end,
    ["keeps a result computed from its output"] = function(Own, x)
      function Own:forward(v) return v * 2 end
      local object = Own()
      local y = object(x)
      object.sum = hl.compile(function(_, v) return v + 1 end)(y[0] * 3)
      return y
    end,
    ["keeps the output of another, which keeps its own"] = function(Own, x)
      function Own:forward(v) return v * 2 end
      local one, other = Own(), Own()
      local y = one(x)
      local z = other(y)
      one.held, other.held = z, y
      return z
    end,
    ["keeps a recorded gradient of itself"] = function(Own, x)
      function Own:forward(v) return v * 2 end
      function Own:backward(dy) return dy * 2 end
      local object = Own()
      object.gradient = autograd.grad((object(x) * x):sum(), x, { create_graph = true })
      return object.gradient
    end,
  }
  for name, make in pairs(loops) do
    it("of a Function's call is freed even if its object " .. name, function()
      local x = nd.ones { 1000 }
      x:attach_grad()
      local classes = setmetatable({}, { __mode = "k" })         -- held by objects
      local function call()
        local Own = autograd.Function:subclass "Own"
        function Own:backward(dy) return dy * 2 end
        classes[Own] = true
        autograd.record(function() return make(Own, x) end)
      end
      call()
      collect()
      local before = hl.memory().live
      for _ = 1, 50 do call() end
      collect()
      collect()
      assert.is_true(hl.memory().live <= before, ("%d bytes more"):format(hl.memory().live - before))
      assert.is_nil(next(classes))
    end)
  end

  it("of a Function is freed by a backward even if its result is kept", function()
    local Own = autograd.Function:subclass "Own"
    function Own:forward(v) local y = v * 2 self:save_for_backward(y) return y end
    function Own:backward(dy) return dy * 2 end
    local x = nd.ones { MIB / 4 }
    x:attach_grad()
    local losses = {}
    local function step()
      losses[#losses + 1] = autograd.record(function() return Own()(x):sum() end)
      losses[#losses]:backward()
    end
    step()
    collect()
    local before = hl.memory().live
    for _ = 1, 10 do step() end
    collect()
    assert.is_true(hl.memory().live < before + MIB)
  end)

  it("of long chains is freed without recursion", function()
    local Chain = gluon.HybridBlock:subclass "Chain"
    function Chain:hybrid_forward(F, x) for _ = 1, 10000 do x = F.tanh(x) end return x end
    local eager, chain = Chain(), Chain()
    chain:hybridize()
    assert.bits(chain(nd.ones { 4 }), eager(nd.ones { 4 }))
    assert.equal(10000, chain:explain { format = "table" }.traces[1].compiled.plans[1].eager_nodes)
  end)
end)

describe("garbage is collected before memory is refused:", function()
  local core = require "hybridlua.core"
  local KIB = 1024
  local PART = 256 * KIB                    -- bytes of garbage; a job needs an eighth of it
  local n = PART / 8 / 4

  local function vector() return nd.ones { n } end
  local function leaf(req)
    local x = vector()
    x:attach_grad(req)
    return x
  end
  local function recorded(x) return autograd.record(function() return (x * 3):sum() end) end
  local x, index = leaf(), nd.array({ 1, 0 }, { dtype = "int32" })
  local f = hl.compile(function(_, v) return v * 2 end)
  local v = sym.var "v"
  local replay = core.graph.compile("c", { v }, { v * 2 })
  local file = os.tmpname()
  nd.save(file, { x })

  -- Each returns a function that is called while memory is full of garbage.
  local jobs = {
    ["an operator"] = function() return function() return x + 1 end end,
    ["an operator with parameters"] = function() return function() return nd.concat(x, x, { dim = 0 }) end end,
    ["nd.array"] = function() return function() return nd.array(x) end end,
    ["from bytes"] = function()
      local bytes = x:tobytes()
      return function() return core.array.from_bytes(bytes, { n }, "float32") end
    end,
    ["rows by an array"] = function()
      local m = x:reshape { 2, -1 }
      return function() return m[index] end
    end,
    ["a gradient attached"] = function()
      local y = vector()
      return function() y:attach_grad() end
    end,
    ["a recorded call"] = function() return function() recorded(x) end end,
    ["backward"] = function()
      local y = recorded(leaf())
      return function() y:backward() end
    end,
    ["backward into a gradient that is added to"] = function()
      local y = recorded(leaf "add")
      return function() y:backward() end
    end,
    ["backward with create_graph"] = function()
      local y = recorded(leaf())
      return function() autograd.backward(y, nil, { create_graph = true }) end
    end,
    ["autograd.grad"] = function()
      local w = leaf()
      local y = recorded(w)
      return function() autograd.grad(y, w) end
    end,
    ["a compiled call"] = function() return function() f(x) end end,
    ["a compiled call, recorded, and its backward"] = function()
      return function() autograd.record(function() return f(x):sum() end):backward() end
    end,
    ["a Symbol evaluated"] = function() return function() (v * 2):eval { v = x } end end,
    ["a graph replayed"] = function() return function() core.graph.replay(replay, x) end end,
    ["an array loaded"] = function() return function() nd.load(file) end end,
    ["an array assigned to itself by an array"] = function()
      local big = nd.zeros({ n }, { dtype = "int32" })
      return function() big[big] = 0 end
    end,
  }
  teardown(function()
    core.host.memory_options { budget = 0 }
    os.remove(file)
  end)

  for name, prepare in pairs(jobs) do
    it(name, function()
      prepare()()                           -- makes objects that are made only once
      local job = prepare()
      nd.zeros { 4 * MIB }                  -- the collector then waits for a megabyte of new arrays
      nd.zeros { 1 }
      collect()
      core.host.memory_options { trim = true }
      local live = hl.memory().live
      do local _ = nd.zeros { PART / 4 } end
      assert.is_true(hl.memory().live > live + PART)
      core.host.memory_options { budget = live + PART + 8 * KIB }
      local ok, message = pcall(job)
      core.host.memory_options { budget = 0 }
      assert.is_true(ok, message)
    end)
  end

  it("a gradient is added only once, wherever memory runs out first", function()
    local a, b = nd.array { 1, 2 }, nd.array { 3, 4 }
    a:attach_grad "add"
    b:attach_grad "add"
    local Own = autograd.Function:subclass "Own"
    function Own:forward(u) return u * 2 end
    function Own:backward(dy) return dy * 2 end
    for _, make in ipairs {
      function() return (a * b * a):exp():sum() end,
      function() return (Own()(a) * b):sum() end,
      function() return hl.compile(function(_, p, q) return (p * q):sum() end)(a, b) end,
    } do
      local function gradients(at)
        for _, w in ipairs { a, b } do w.grad[{}] = 1 end
        local y = autograd.record(make)
        core.host.memory_options { fail_after = at }
        y:backward()
        return a.grad:tobytes() .. b.grad:tobytes(), core.host.memory_options { fail_after = 0 } == 0
      end
      local expected, failed = gradients(0), true
      local k = 0
      while failed do
        k = k + 1
        local got
        got, failed = gradients(k)
        assert.equal(expected, got, "allocation " .. k)
      end
      assert.is_true(k > 10)
    end
  end)
end)

describe("a freed array", function()
  local x = nd.ones { 2 }
  x:free()

  local function dense()
    local layer = nn.Dense(2)
    layer:initialize()
    return layer
  end

  -- Each must raise an error that the array was freed.
  local uses = {
    function() return #x end, function() return x + 1 end, function() return 1 - x end, function() return -x end,
    function() return x[0] end, function() x[0] = 1 end, function() return x.shape end, function() return x.dtype end,
    function() return x:relu() end, function() return next({ pairs(x) }) end, function() return x:totable() end,
    function() return x:tobytes() end, function() return x:asscalar() end, function() x:attach_grad() end,
    function() x:backward() end,
    function() return x:detach() .. "" end, function() return x:astype "int32" end, function() return x:copy() end,
    function() return x:copyto(nd.ones { 2 }) end, function() return nd.ones { 2 }:copyto(x) end,
    function() x:set(1) end,
    function() x:add_(1) end, function() return nd.relu(nd.ones { 2 }, { out = x }) end,
    function() return nd.array(x) .. "" end,
    function() return nd.array { x, x } .. "" end, function() return nd.ones { 3 }[x] end,
    function() nd.ones { 3 }[x] = 1 end,
    function() nd.ones { 2 }[{}] = x end, function() return nd.concat(x, x) end, function() return x.T end,
    function() return x:reshape { 2 } end,
    function() return autograd.record(function() return x * 2 end) end,
    function() return autograd.record(function() return nd.ones { 3 }[x] end) end,
    function() return nd.save(os.tmpname(), { x }) end, function() return sym.var "a":eval { a = x } end,
    function() return (sym.var "a" + 1):bind { a = x } end,
    function() return hl.compile(function(_, a) return a * 2 end)(x) end,
    function() return hl.compile(function(_, a) return a * x end)(nd.ones { 2 }) end, function() return dense()(x) end,
    function()
      local layer = dense()
      layer:hybridize()
      for _ = 1, 3 do layer(nd.ones { 1, 2 }) end
      layer.weight:data():free()
      return layer(nd.ones { 1, 2 })
    end,
    function() return nd.sgd_update(nd.ones { 2 }, x, { lr = 0.1 }) end, function() return nd.where(x, x, x) end,
  }

  it("raises wherever it is used", function()
    for i, use in ipairs(uses) do
      local ok, message = pcall(use)
      assert.is_false(ok, "use " .. i)
      assert.truthy(tostring(message):find "freed", ("use %d: %s"):format(i, tostring(message)))
    end
  end)

  it("prints as a freed array", function()
    assert.equal("<NDArray, freed>", tostring(x))
    assert.equal("x: <NDArray, freed>", "x: " .. x)
  end)

  it("leaves its views, and recorded operators that read it", function()
    local a = nd.ones { 2, 2 }
    local row = a[0]
    a:free()
    assert.allclose(row, { 1, 1 })
    local w, b = nd.ones { 2 }, nd.full({ 2 }, 3)
    w:attach_grad()
    local y = autograd.record(function() return w * b end)
    b:free()
    y:backward()
    assert.allclose(w.grad, { 3, 3 })
  end)
end)
