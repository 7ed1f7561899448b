-- coroutine_spec.lua - recording, modes, traces and name scopes are private to the coroutine that began them, however
-- it ends. Finalizers run outside of all of them.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "spec.support.command"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function modes() return { autograd.is_recording(), autograd.is_training() } end
local off = { false, false }

local function leaf(data)
  local x = nd.array(data)
  x:attach_grad()
  return x
end

-- Runs fn, which must raise, in a coroutine; returns the message.
local function die(fn)
  local ok, message = coroutine.resume(coroutine.create(fn))
  assert.is_false(ok)
  return message
end

local function collect() for _ = 1, 3 do collectgarbage() end end

-- Runs fn in a finalizer now; returns its results, or raises its error.
local function finalize(fn)
  local results
  do setmetatable({}, { __gc = function() results = table.pack(pcall(fn)) end }) end
  collect()
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- Checks that nothing is being traced or recorded.
local function assert_untouched()
  assert.same(off, modes())
  assert.is_false((core.trace.active()))
  assert.equal(0, core.call.scope_depth())
  assert.bits(nd.ones { 2 } + 1, nd.array { 2, 2 })
  assert.bits(hl.compile(function(_, x) return x * 3 end)(nd.ones { 2 }), nd.array { 3, 3 })
  assert.is_true(math.random() < 1)
end

describe("a mode", function()
  it("ends with the coroutine that dies of an error in it", function()
    for _, name in ipairs { "record", "pause", "train_mode", "predict_mode" } do
      assert.matches("oops", die(function() autograd[name](function() error "oops" end) end))
      assert_untouched()
      assert.matches("oops", die(function()
        local _ <close> = autograd[name]()
        error "oops"
      end))
      assert_untouched()
    end
    die(function() autograd.set_recording(true) autograd.set_training(true) error "x" end)
    assert_untouched()
  end)

  it("stays in the coroutine that yields in it, while others have theirs", function()
    local function body()
      autograd.record(function() coroutine.yield(modes()) coroutine.yield(modes()) end)
      return modes()
    end
    local first, second = coroutine.wrap(body), coroutine.wrap(body)
    assert.same({ true, true }, first())
    assert.same(off, modes())
    assert.same({ true, true }, second())
    assert.same(off, modes())
    assert.same({ true, true }, first())
    assert.same(off, first())
    assert.same({ true, true }, second())
    autograd.predict_mode(function() assert.same({ false, false }, second()) end)
    assert_untouched()
    local never = coroutine.wrap(body)
    never()
    assert_untouched()
    never = nil                      -- luacheck: ignore 311
    collect()
    assert_untouched()
  end)

  it("records in its own coroutine only", function()
    local x = leaf { 2 }
    local y
    local co = coroutine.wrap(function()
      autograd.record(function()
        y = x * x
        coroutine.yield()
        y = y * x
      end)
    end)
    co()
    assert.is_false(core.autograd.on_tape(x * 2))
    co()
    y:backward()
    assert.equal(12, x.grad[0]:asscalar())
  end)

  it("is inherited at each resume by a coroutine without its own", function()
    local see = coroutine.wrap(function() while true do coroutine.yield(modes()) end end)
    assert.same(off, see())
    assert.same({ true, true }, autograd.record(see))
    assert.same({ false, true }, autograd.train_mode(see))
    assert.same(off, see())
    local inner = coroutine.wrap(function() while true do coroutine.yield(modes()) end end)
    local outer = coroutine.wrap(function()
      coroutine.yield(inner())
      autograd.record(function() coroutine.yield(inner()) end)
      coroutine.yield(inner())
    end)
    assert.same(off, outer())
    assert.same({ true, true }, outer())
    assert.same(off, inner())
    assert.same({ false, true }, autograd.train_mode(outer))
    assert.same(off, inner())
    local first = coroutine.wrap(function()
      autograd.record(function() while true do coroutine.yield(inner()) end end)
    end)
    local second = coroutine.wrap(function()
      autograd.predict_mode(function() while true do coroutine.yield(first()) end end)
    end)
    for _ = 1, 3 do
      assert.same({ true, true }, second())
      assert.same(off, inner())
      assert.same({ true, true }, first())
      assert.same({ false, true }, autograd.train_mode(inner))
    end
  end)

  it("stays set in its coroutine when set outside any scope", function()
    local co = coroutine.wrap(function()
      autograd.set_training(true)
      while true do coroutine.yield(modes()) end
    end)
    assert.same({ false, true }, co())
    assert.same(off, modes())
    autograd.record(function() assert.same({ false, true }, co()) end)
  end)

  it("ends in its own coroutine when another one closes the scope", function()
    local scope
    local co = coroutine.wrap(function()
      scope = autograd.record()
      while true do coroutine.yield(modes()) end
    end)
    assert.same({ true, true }, co())
    scope:close()
    assert.same(off, modes())
    assert.same(off, co())
    scope = autograd.record()
    local closer = coroutine.wrap(function()
      coroutine.yield(modes())
      scope:close()
      return modes()
    end)
    assert.same({ true, true }, closer())
    assert.same(off, closer())
    assert_untouched()
  end)

  it("ends when a scope around it is closed", function()
    local outer = autograd.record()
    local inner = autograd.pause()
    outer:close()
    assert.same(off, modes())
    inner:close()
    assert.same(off, modes())
    autograd.record(function() inner = autograd.pause() end)
    assert.same(off, modes())
    inner:close()
    outer:close()
    assert_untouched()
  end)

  it("matches a reference model in random programs of coroutines", function()
    local seed = 1
    local function random(n)
      seed = (seed * 6364136223846793005 + 1442695040888963407) & 0x7fffffffffffffff
      return (seed >> 33) % n + 1
    end
    local x = leaf { 1 }
    local pool, checks, entered, body = {}, 0, { "record", "pause", "train_mode", "predict_mode" }, nil
    local function expected(me)
      if #me.scopes > 0 then return table.unpack(me.scopes[#me.scopes]) end
      if me.own then return table.unpack(me.own) end
      if me.parent then return expected(me.parent) end
      return false, false
    end
    local function check(me)
      local recording, train = expected(me)
      checks = checks + 1
      if autograd.is_recording() ~= recording or autograd.is_training() ~= train or
          core.autograd.on_tape(x * 2) ~= recording then
        error(("expected %s %s, got %s %s"):format(recording, train, autograd.is_recording(), autograd.is_training()),
          0)
      end
    end
    local function scope(me)
      local name, recording = entered[random(4)], (expected(me))
      if name == "record" then recording = true elseif name == "pause" then recording = false end
      me.scopes[#me.scopes + 1] = { recording, name == "record" or name == "train_mode" }
      local depth = #me.scopes
      if random(2) == 1 then
        autograd[name](function() body(me, 4) end)
      else
        local _ <close> = autograd[name]()
        body(me, 4)
      end
      while #me.scopes >= depth do me.scopes[#me.scopes] = nil end
    end
    local function new()
      local me = { scopes = {}, depth = 0 }
      me.co = coroutine.create(function() body(me, 30) end)
      pool[#pool + 1] = me
    end
    local function resume(me)
      local i = random(#pool + 1)
      local other = pool[i]
      if not other or coroutine.status(other.co) ~= "suspended" or me.depth > 6 then return end
      other.parent, other.depth = me, me.depth + 1
      local ok, message = coroutine.resume(other.co)
      other.parent = nil
      if not ok and message ~= "planned" then error(message, 0) end
      if coroutine.status(other.co) ~= "dead" then return end
      for k = #pool, 1, -1 do if pool[k] == other then table.remove(pool, k) end end
    end
    local function rarely(me)
      local what = random(60)
      if what == 1 and me.co then error("planned", 0) end
      if what == 2 then collectgarbage() end
      if what == 3 and me.co and #me.scopes == 0 then
        me.own = { random(2) == 1, random(2) == 1 }
        autograd.set_recording(me.own[1])
        autograd.set_training(me.own[2])
      end
      if what == 4 and #pool > 0 and coroutine.status(pool[1].co) == "suspended" then
        local one = table.remove(pool, 1)
        if random(2) == 1 then coroutine.close(one.co) end
      end
      if what == 5 then setmetatable({}, { __gc = function() autograd.record(function() return x * 3 end) end }) end
    end
    function body(me, n)
      for _ = 1, n do
        local what = random(12)
        if what <= 3 then check(me)
        elseif what == 4 and #me.scopes < 4 then scope(me)
        elseif what <= 8 then check(me) resume(me)
        elseif what == 9 and #pool < 12 then new()
        elseif what <= 11 and me.co then coroutine.yield()
        else rarely(me) end
      end
    end
    local main = { scopes = {}, depth = 0 }
    for _ = 1, 300 do
      body(main, 20)
      check(main)
    end
    assert.is_true(checks > 5000)
    assert_untouched()
  end)

  it("frees its coroutines", function()
    local function many(n)
      for _ = 1, n do
        local x
        die(function() autograd.record(function() x = nd.ones { 1000 } error "x" end) end)
        local co = coroutine.wrap(function()
          autograd.record(function() x = nd.ones { 1000 } coroutine.yield(x) end)
        end)
        co()
      end
    end
    many(10)
    collect()
    local live, lua = hl.memory().live, collectgarbage "count"
    many(300)
    nd.ones { 1 }:copy()
    collect()
    assert.is_true(hl.memory().live <= live + 20000)
    assert.is_true(collectgarbage "count" < lua + 200)
  end)

  it("applies to the backward of a Function that was called in a coroutine", function()
    local Cube = autograd.Function:subclass "Cube"
    local seen
    function Cube:forward(x) self:save_for_backward(x) return x * x * x end
    function Cube:backward(dy)
      seen = modes()
      return dy * 3 * self.saved_tensors[1] * self.saved_tensors[1]
    end
    local x = leaf { 2 }
    local co = coroutine.wrap(function()
      autograd.record(function()
        local y = Cube()(x)
        coroutine.yield()
        local dx = autograd.grad(y, x, { create_graph = true })
        assert.is_true(seen[1])
        dx:sum():backward()
        coroutine.yield(modes())
        Cube()(x):backward()
        coroutine.yield(modes())
      end)
    end)
    co()
    assert.same({ true, true }, co())
    assert.equal(12, x.grad[0]:asscalar())
    assert.same({ true, true }, co())
    assert.is_false(seen[1])
    assert.equal(12, x.grad[0]:asscalar())
    assert.same(off, modes())
  end)
end)

describe("a trace", function()
  it("ends with the coroutine that dies of an error in it", function()
    local f = hl.compile(function() error "oops" end)
    assert.matches("oops", die(function() f(nd.ones { 2 }) end))
    assert_untouched()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init() self.inner = nn.Dense(2, { in_units = 2 }) end
    function Net:hybrid_forward(_, x) return self.inner(x), error "oops" end
    local net = Net()
    net:initialize()
    net:hybridize()
    assert.matches("oops", die(function() autograd.record(function() net(nd.ones { 1, 2 }) end) end))
    assert.matches("oops", die(function() net:export("unused", 0, { data = { 1, 2 } }) end))
    assert_untouched()
    local step = hl.compile(function(_, x) autograd.record(function() error "oops" end) return x end)
    assert.matches("oops", die(function() step(nd.ones { 2 }) end))
    assert_untouched()
  end)

  it("ends with an error at a yield out of it", function()
    local f = hl.compile(function(_, x) coroutine.yield(1) return x end)
    assert.matches("coroutine_spec.lua:%d+: coroutine.yield in a traced block: a compiled call would not stop there",
      die(function() f(nd.ones { 2 }) end))
    assert_untouched()
    local yield = coroutine.yield
    local g = hl.compile(function(_, x) yield(1) return x end)
    assert.matches("coroutine.yield in a traced block", die(function() g(nd.ones { 2 }) end))
    assert.matches("coroutine.yield in a traced block", die(function() g:export("unused", 0, { data = { 1, 2 } }) end))
    assert_untouched()
    local co = coroutine.wrap(function() coroutine.yield(5) return 6 end)
    assert.same({ 5, 6 }, { co(), co() })
  end)

  it("includes coroutines that begin in it", function()
    local function fn(F, x)
      local sum = x
      local powers = coroutine.wrap(function()
        local y = x
        for _ = 1, 3 do
          y = F.sin(y * x)
          coroutine.yield(y)
        end
      end)
      for y in powers do sum = sum + y end
      return sum
    end
    local x = nd.array { 0.5, -2, 3 }
    local f = hl.compile(fn)
    for _ = 1, 3 do assert.bits(f(x), fn(nd, x)) end
    assert.equal(1, #f:explain { format = "table" }.traces)
  end)

  it("rejects a coroutine that began before it", function()
    local random = coroutine.wrap(function() while true do coroutine.yield(nd.random.uniform { shape = { 2 } }) end end)
    random()
    local f = hl.compile(function(_, x) return x + random() end)
    local ok, message = pcall(f, nd.ones { 2 })
    assert.is_false(ok)
    assert.matches("a coroutine that began outside of a hybridized block or compiled function cannot compute in it",
      message)
    assert_untouched()
    local numbers = coroutine.wrap(function() for i = 1, 10 do coroutine.yield(i) end end)
    numbers()
    assert.matches("later calls would not resume it",
                   die(function() hl.compile(function(_, x) return x * numbers() end)(nd.ones { 2 }) end))
  end)

  it("does not include a coroutine after its own end", function()
    local box = {}
    setmetatable(box, {})
    local f = hl.compile(function(_, x)
      box.co = coroutine.wrap(function()
        coroutine.yield(x * 2)
        while true do coroutine.yield(nd.ones { 2 } + 1) end
      end)
      return box.co()
    end)
    assert.bits(f(nd.ones { 2 }), nd.array { 2, 2 })
    assert.bits(box.co(), nd.array { 2, 2 })
    assert_untouched()
  end)
end)

describe("an automatic name", function()
  it("has no prefix from a dead or suspended coroutine", function()
    local function name() return hl.sym.relu(hl.sym.var "x").name end
    die(function() hl.name.Prefix("dead_", function() error "x" end) end)
    assert.not_matches("dead", name())
    local co = coroutine.wrap(function() hl.name.Prefix("waits_", function() coroutine.yield(name()) end) end)
    assert.matches("^waits_relu0", co())
    assert.not_matches("waits", name())
    hl.name.Prefix("mine_", function()
      assert.equal("mine_relu0", name())
      assert.is_nil(co())                     -- its own scope ended
      assert.equal("mine_relu1", name())
      assert.equal("mine_relu2", coroutine.wrap(name)())
    end)
    assert.not_matches("_relu", name())
  end)

  it("has no prefix from a block whose constructor failed", function()
    local Net = gluon.Block:subclass "Net"
    function Net:init() self:name_scope(function() error "x" end) end
    die(function() Net() end)
    assert.not_matches("net", nn.Dense(1).name)
  end)
end)

describe("a finalizer", function()
  it("runs outside of any trace", function()
    local block = hl.compile(function(_, x) return x * 2 end)
    local box = setmetatable({}, {})
    local f = hl.compile(function(_, x)
      box.sum, box.product, box.random = finalize(function()
        return nd.ones { 2 } + 1, block(nd.ones { 2 }), math.random()
      end)
      return x - 1
    end)
    assert.bits(f(nd.ones { 2 }), nd.array { 0, 0 })
    assert.bits(box.sum, nd.array { 2, 2 })
    assert.bits(box.product, nd.array { 2, 2 })
    assert.equal("float", math.type(box.random))
    assert.bits(f(nd.array { 3, 4 }), nd.array { 2, 3 })
    assert.bits(block(nd.ones { 3 }), nd.array { 2, 2, 2 })
  end)

  it("starts without recording, and leaves it off", function()
    local x = leaf { 3 }
    autograd.record(function()
      local seen, y = finalize(function() return modes(), x * 2 end)
      assert.same(off, seen)
      assert.is_false(core.autograd.on_tape(y))
      assert.same({ true, true }, modes())
      assert.is_true(core.autograd.on_tape(x * 2))
      assert.same({ true, false }, finalize(function() autograd.set_recording(true) return modes() end))
      assert.same({ true, true }, modes())
      assert.same(off, finalize(modes))
    end)
    finalize(function() autograd.set_recording(true) autograd.record() end)
    assert_untouched()
    assert.same(off, finalize(modes))
  end)

  it("may train", function()
    local x = leaf { 3 }
    autograd.record(function()
      finalize(function()
        local z = leaf { 2 }
        autograd.record(function() return z * z end):backward()
        assert.equal(4, z.grad[0]:asscalar())
        assert.equal(8, coroutine.wrap(function() return z.grad[0]:asscalar() * 2 end)())
      end)
      return x * x
    end):backward()
    assert.equal(6, x.grad[0]:asscalar())
  end)

  it("changes nothing when it runs between any two allocations", function()
    local running = true
    local function again()
      setmetatable({}, { __gc = function()
        if not running then return end
        local _ = (nd.ones { 3 } * 2):exp()
        again()
      end })
    end
    local function train()
      hl.random.seed(5)
      local net = nn.HybridSequential()
      net:add(nn.Dense(4, { in_units = 3, activation = "tanh" }), nn.Dropout(0.5), nn.Dense(1, { in_units = 4 }))
      net:initialize()
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local data = nd.random.uniform { shape = { 6, 3 } }
      for i = 1, 6 do
        if i == 4 then net:hybridize() end
        autograd.record(function() return (net(data) ^ 2):mean() end):backward()
        trainer:step(6)
      end
      return net(data)
    end
    local expected = train()
    for _ = 1, 5 do again() end
    local actual = train()
    running = false
    collect()
    assert.bits(actual, expected)
  end)
end)

describe("an unclosed scope", function()
  local function run(code)
    return command.hybridlua { "-e", 'local hl = require "hybridlua" local nd, autograd = hl.nd, hl.autograd ' .. code }
  end

  it("causes one warning, with the line that made it", function()
    local output =
      run "\nautograd.record()\ncollectgarbage() autograd.pause() collectgarbage() print(autograd.is_recording())"
    local _, count = output:gsub("UserWarning", "")
    assert.equal(1, count)
    assert.matches("UserWarning: autograd.record at [^\n]-:2 was never closed", output)
    assert.matches("false\n", output)
    assert.matches("autograd.train_mode at [^\n]-:1 was never closed", (run "autograd.train_mode()"))
  end)

  it("causes the warning at the first backward or step inside, before a collection", function()
    local start = "collectgarbage 'stop' local w = nd.array{2} w:attach_grad() "
    local lost = start .. "\nautograd.record() local y = w * 2 "
    local step = "local p = hl.gluon.Parameter('p', {shape = {1}}) p:initialize() " ..
      "local t = hl.gluon.Trainer({p}, 'sgd') t:step(1, true)"
    for _, within in ipairs { "y:backward()", "autograd.grad(y, w)", step } do
      local output = run(lost .. within .. " io.stderr:write 'end'")
      assert.matches("UserWarning: autograd.record at [^\n]-:2 was never closed[^\n]+\nend", output)
    end
    for _, held in ipairs { "local s = autograd.record() local y = w * 2 y:backward() s:close()",
        "local _ <close> = autograd.record() local y = w * 2 y:backward()",
        "s = autograd.record() local y = w * 2 y:backward() s:close()",
        "local t = {autograd.record()} local y = w * 2 y:backward() t[1]:close()",
        "autograd.record(function() local y = w * 2 y:backward() end)" } do
      assert.equal("end\n", (run(start .. held .. " print 'end'")))
    end
  end)

  it("causes no warning if it was closed or its coroutine is garbage", function()
    assert.equal("false\n", (run [[
      local function body() local _ <close> = autograd.record() coroutine.yield() end
      for _ = 1, 100 do coroutine.resume(coroutine.create(body)) end
      for _ = 1, 100 do
        coroutine.resume(coroutine.create(function() local _ <close> = autograd.record() error "x" end))
      end
      for _ = 1, 100 do autograd.record():close() local _ <close> = autograd.pause() end
      for _ = 1, 3 do collectgarbage() end
      held = coroutine.create(body) coroutine.resume(held)
      print(autograd.is_recording())]]))
  end)
end)

describe("autograd's functions", function()
  it("reject a colon and show the right form", function()
    local names = { "record", "pause", "train_mode", "predict_mode", "backward", "grad", "mark_variables",
      "set_recording", "set_training" }
    for _, name in ipairs(names) do
      local ok, message = pcall(autograd[name], autograd, function() end)
      assert.is_false(ok)
      assert.matches("autograd." .. name .. ": expected a dot, got a colon; write autograd." .. name .. "%(...%)",
        message)
    end
    assert_untouched()
  end)
end)
