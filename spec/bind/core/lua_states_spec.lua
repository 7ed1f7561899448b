-- lua_states_spec.lua - Lua states with hybridlua are independent: in one thread, alternating or nested, and when a
-- state moves from thread to thread.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local states = assert(package.loadlib("build/spec/states.so", "luaopen_states"))()
local nd, autograd = hl.nd, hl.autograd

local BEGIN = [[
hl = require "hybridlua"
core = require "hybridlua.core"
nd, autograd = hl.nd, hl.autograd
hl.random.seed(5)
function draw() return tostring(nd.random.uniform { shape = { 3 } }) end
function modes()
  return ("%s %s %d"):format(autograd.is_recording(), autograd.is_training(), core.autograd.mode_depth())
end
]]

-- A training run whose result depends on everything drawn and computed in it.
local TRAIN = [[
local nn = hl.gluon.nn
hl.random.seed(3)
local net = nn.HybridSequential()
net:add(nn.Dense(4, { in_units = 3 }), nn.Dropout(0.5), nn.Dense(2, { in_units = 4 }))
net:initialize(hl.init.Xavier())
net:hybridize()
local trainer = hl.gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
local x = nd.random.uniform { shape = { 5, 3 } }
function step()
  local loss = autograd.record(function() return (net(x) ^ 2):sum() end)
  loss:backward()
  trainer:step(5)
  return ("%a"):format(loss:asscalar()) .. tostring(net(x))
end
]]

local function new()
  local state = states.new()
  state:run(BEGIN)
  return state
end

describe("a second Lua state in the thread", function()
  local other

  before_each(function() other = new() end)
  after_each(function() other:close() end)

  it("records independently", function()
    autograd.record(function()
      assert.equal("false false 0", other:run "return modes()")
      assert.is_true(autograd.is_recording() and autograd.is_training())
    end)
    other:run "scope = autograd.record()"
    assert.equal("true true 1", other:run "return modes()")
    assert.is_false(autograd.is_recording() or autograd.is_training())
    assert.equal(0, core.autograd.mode_depth())
    other:run "scope:close()"
    assert.equal("false false 0", other:run "return modes()")
  end)

  it("closes its scope even if another state ran last", function()
    other:run "scope = autograd.record() close = coroutine.wrap(function() scope:close() end)"
    nd.ones { 2 }
    other:run "close()"
    assert.equal("false false 0", other:run "return modes()")
  end)

  it("traces independently, even in the middle of a trace", function()
    hl.pure(other.run)
    local f = hl.compile(function(F, x)
      assert.equal("nil", other:run "return (core.trace.active()) or nil")
      assert.equal("6.0", other:run "return hl.compile(function(F, x) return F.sum(x * 2) end)(nd.ones{3}):asscalar()")
      assert.is_true((core.trace.active()))
      return F.sum(x * 3)
    end)
    assert.equal(9, f(nd.ones { 3 }):asscalar())
  end)

  it("draws from its own stream", function()
    hl.random.seed(5)
    local mine = tostring(nd.random.uniform { shape = { 3 } })
    assert.equal(mine, other:run "return draw()")
    local second = tostring(nd.random.uniform { shape = { 3 } })
    other:run "hl.random.seed(77)"
    assert.not_equal(mine, second)
    hl.random.seed(5)
    assert.equal(mine, tostring(nd.random.uniform { shape = { 3 } }))
    assert.equal(second, tostring(nd.random.uniform { shape = { 3 } }))
  end)

  it("prints with its own options", function()
    local x = nd.array { 1 / 3 }
    local before = tostring(x)
    other:run "nd.set_printoptions { precision = 2 }"
    assert.equal(before, tostring(x))
    assert.truthy(other:run("return tostring(nd.array { 1 / 3 })"):find("0.33]", 1, true))
  end)

  it("counts and logs independently", function()
    core.host.count_flops(true)
    local before = core.host.count_flops()
    other:run "local _ = nd.ones { 4, 4 } * 2 + 1"
    assert.equal(before, core.host.count_flops())
    core.host.count_flops(false)
    core.graph.log_operators(true)
    other:run "local _ = nd.ones { 4 } + 1"
    assert.equal(0, #core.graph.log_operators(false))
  end)

  it("names its own blocks and nodes", function()
    local first = hl.sym.relu(hl.sym.var "a").name
    local number = tonumber(first:match "%d+")
    assert.equal("relu0", other:run "return hl.sym.relu(hl.sym.var 'a').name")
    assert.equal("relu" .. number + 1, hl.sym.relu(hl.sym.var "a").name)
  end)

  it("calls its own functions in backward", function()
    local Mine = autograd.Function:subclass "Mine"
    function Mine:forward(x) return x * 2 end
    function Mine:backward(dy)
      other:run [[
        local Theirs = autograd.Function:subclass "Theirs"
        function Theirs:forward(x) return x * 5 end
        function Theirs:backward(dy) return dy * 5 end
        local x = nd.ones { 2 }
        x:attach_grad()
        autograd.record(function() return Theirs()(x) end):backward()
        assert(x.grad:sum():asscalar() == 10)
      ]]
      return dy * 2
    end
    local x = nd.ones { 2 }
    x:attach_grad()
    autograd.record(function() return Mine()(x) end):backward()
    assert.equal(4, x.grad:sum():asscalar())
  end)

  it("ends while another records", function()
    autograd.record(function()
      other:run(TRAIN)
      other:run "step() core.autograd.mode(true, true) kept = nd.ones { 2 } * 2"
      other:close()
      assert.is_true(autograd.is_recording())
    end)
    assert.is_false(autograd.is_recording())
    assert.equal(2, (nd.ones { 2 }):sum():asscalar())
  end)

  it("trains to the same bits when it alternates with another", function()
    other:run(TRAIN)
    local alone = {}
    for i = 1, 6 do alone[i] = other:run "return step()" end
    local a, b = new(), new()
    a:run(TRAIN)
    b:run(TRAIN)
    -- b is two steps behind a
    for i = 1, 6 do
      assert.equal(alone[i], a:run "return step()")
      if i > 2 then assert.equal(alone[i - 2], b:run "return step()") end
    end
    a:close()
    b:close()
  end)
end)

describe("a Lua state that moves from thread to thread", function()
  it("keeps everything that it owns", function()
    local one, two = new(), new()
    one:run(TRAIN)
    two:run(TRAIN)
    for i = 1, 8 do
      local expected = one:run "return step()"
      assert.equal(expected, i % 2 == 0 and two:run "return step()" or two:run_in_thread "return step()")
    end
    one:run_in_thread "scope = autograd.record()"
    assert.equal("true true 1", one:run "return modes()")
    assert.equal("false false 0", two:run_in_thread "return modes()")
    one:run "scope:close()"
    assert.equal("false false 0", one:run_in_thread "return modes()")
    one:run_in_thread "co = coroutine.wrap(function() while true do coroutine.yield(modes()) end end) co()"
    assert.equal("false false 0", one:run "return co()")
    one:close()
    two:close()
  end)

  it("may call any function first", function()
    local one = new()
    one:run [[
      x, s = nd.array { { 1, 2 }, { 3, 4 } }, hl.sym.relu(hl.sym.var "a")
      calls = {
        function() return tostring(x) end, function() return #x:tobytes() end, function() return x.T end,
        function() return x[1] end, function() return x + x end, function() return s:tojson() end,
        function() return s(hl.sym.var "b") end, function() return hl.sym.load_json(s:tojson()) end,
        function() return s:infer_shape { a = { 2 } } end, function() return autograd.is_recording() end,
        function() return hl.memory() end, function() x:free() end
      }
    ]]
    for i = 1, 11 do one:run_in_thread("calls[" .. i .. "]()") end
    for i = 1, 12 do
      new():close()                        -- the thread is bound to no Lua state
      one:run("calls[" .. i .. "]()")
    end
    one:close()
  end)

  it("may be closed by a thread that never ran it", function()
    for _ = 1, 20 do
      local one = states.new()
      one:run_in_thread(BEGIN .. "kept = nd.ones { 2 } + 1 core.autograd.mode(true, true)")
      one:close()
      assert.equal(2, nd.ones { 2 }:sum():asscalar())
    end
  end)
end)
