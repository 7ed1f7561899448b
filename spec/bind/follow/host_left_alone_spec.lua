-- host_left_alone_spec.lua - tracing does not disturb its host. The script's debug hook (a debugger, coverage, an
-- instruction limit) gets its events during a trace and is restored after it. Lua's collector keeps its mode.
-- Finalizers and other coroutines can read and write the tables that traced code reads.
--
-- HYBRIDLUA_TRACES: the number of traces during which finalizers check the tables, 200 by default.
local hl = require "hybridlua"
local command = require "spec.support.command"
local followed = require "spec.support.followed"
local nd = hl.nd

local TRACES = tonumber(os.getenv "HYBRIDLUA_TRACES") or 200

local x = nd.array { 1, 2 }

-- Runs fn with `hook` as the hook of this coroutine; returns its results.
local function hooked(hook, mask, count, fn)
  debug.sethook(hook, mask, count)
  local results = table.pack(pcall(fn))
  local now = table.pack(debug.gethook())
  debug.sethook()
  assert.same({ hook, mask, count or 0, n = 3 }, now)
  return table.unpack(results, 1, results.n)
end

local function traced(fn) return hl.compile(function(_, a) fn() return a * 2 end) end

describe("the script's debug hook", function()
  local config = { k = 2 }

  it("is restored after a compiled call, even one that fails", function()
    for _, each in ipairs { { "c" }, { "r" }, { "l" }, { "crl" }, { "", 1000 }, { "cl", 77 } } do
      hooked(function() end, each[1], each[2], function()
        local f = traced(function() return config.k end)
        for _ = 1, 3 do f(x) end
        pcall(traced(function() error "x" end), x)
        pcall(traced(function() return os.time() end), x)
      end)
    end
    assert.is_nil(debug.gethook())
    traced(function() return config.k end)(x)
    assert.is_nil(debug.gethook())
  end)

  it("gets the calls, returns and lines of traced code", function()
    local events = {}
    local function inner() return config.k end
    local line = debug.getinfo(inner, "S").linedefined
    local f = traced(inner)
    hooked(function(event, at)
      local info = debug.getinfo(2, "S")
      if info.linedefined == line and info.source:find "host_left_alone" then
        events[#events + 1] = event == "line" and "line " .. at - line or event
      end
    end, "crl", nil, function() f(x) end)
    local text = table.concat(events, " ")
    assert.truthy(text:find "call line 0 return", text)
  end)

  it("gets its count events during a trace", function()
    local function loop() for i = 1, 1000 do local _ = i end end
    local function counts_of(fn)
      local n = 0
      hooked(function() n = n + 1 end, "", 50, fn)
      return n
    end
    local f = traced(loop)
    local plain, now = counts_of(loop), counts_of(function() f(x) end)
    assert.truthy(plain > 30)
    assert.truthy(now >= plain, now .. " " .. plain)
  end)

  -- Counts the runs of each line of this file between two lines in fn().
  local function lines_of(first, last, fn)
    local runs = {}
    hooked(function(_, line)
      if line >= first and line <= last and debug.getinfo(2, "S").source:find "host_left_alone" then
        runs[line] = (runs[line] or 0) + 1
      end
    end, "l", nil, fn)
    return runs
  end

  it("gets each line of traced code as often as without a trace", function()
    local first = debug.getinfo(1, "l").currentline
    local Counter = {}
    Counter.__index = Counter
    Counter.__call = function(self, n)
      for i = 1, n do
        self.sum = self.sum + i
      end
      return self.sum
    end
    local function work(_, a)
      local counter = setmetatable({ sum = 0 }, Counter)
      local step = coroutine.wrap(function()
        for i = 1, 3 do
          coroutine.yield(i)
        end
      end)
      while counter(step()) < 4 do
        a = a + config.k
      end
      local ok = pcall(function()
        error "caught"
      end)
      if ok then
        a = a * 5
      else
        a = a * 3
      end
      return a
    end
    local last = debug.getinfo(1, "l").currentline
    local f = hl.compile(work)
    assert.same(lines_of(first, last, function() work(nd, x) end), lines_of(first, last, function() f(x) end))
    assert.same({}, lines_of(first, last, function() f(x) end))
  end)

  it("marks the same lines with and without hybridize", function()
    local first = debug.getinfo(1, "l").currentline
    local Net = hl.gluon.HybridBlock:subclass "Marked"
    function Net:init(n)
      self.layers = {}
      for i = 1, n do
        self.layers[i] = hl.gluon.nn.Dense(2, { in_units = 2 })
        self:register_child(self.layers[i])
      end
    end
    function Net:hybrid_forward(F, v)
      for i, layer in ipairs(self.layers) do
        if i % 2 == 0 then
          v = F.relu(layer(v))
        else
          v = layer(v) * config.k
        end
      end
      if #self.layers > 5 then
        v = F.tanh(v)
      end
      return v
    end
    local last = debug.getinfo(1, "l").currentline
    local marks = {}
    for i, hybridizes in ipairs { false, true } do
      local net = Net(3)
      net:initialize()
      if hybridizes then net:hybridize() end
      local runs = lines_of(first, last, function() net(nd.ones { 1, 2 }) end)
      marks[i] = {}
      for line in pairs(runs) do marks[i][line] = true end
    end
    assert.truthy(next(marks[1]))
    assert.same(marks[1], marks[2])
  end)

  it("can end an endless loop in traced code by an instruction limit", function()
    local left = 100
    local f = traced(function() while true do config.i = 1 end end)
    local ok, problem = hooked(function()
      left = left - 1
      if left < 0 then error("limit of instructions", 0) end
    end, "", 1000, function() f(x) end)
    assert.is_false(ok)
    assert.truthy(tostring(problem):find("limit of instructions", 1, true), tostring(problem))
    assert.equal(2, config.k)
    assert.is_nil(getmetatable(config))
    assert.is_true(collectgarbage "isrunning")
    config.i = nil
    assert.same({ 2, 4 }, traced(function() return config.k end)(x):totable())
  end)

  it("may read and write tables that traced code reads", function()
    local counts = { n = 0, k = 2 }
    local f = traced(function() return counts.k + counts.k end)
    hooked(function() counts.n = counts.n + 1 end, "l", nil, function() f(x) end)
    assert.truthy(counts.n > 10)
    assert.is_nil(getmetatable(counts))
  end)

  it("does not affect the trace when traced code catches its error", function()
    local counts, raised = { k = 2 }, false
    local f = hl.compile(function(F, a)
      local ok = pcall(function() for i = 1, 1e5 do local _ = i end end)
      return F.tanh(a) * counts.k * (ok and 1 or 3)
    end)
    local y = hooked(function()
      if raised then return end
      if not debug.getinfo(2, "S").source:find "host_left_alone" then return end
      raised = true
      error "limit"
    end, "", 1000, function() return f(x) end)
    assert.is_true(y)
    assert.is_true(raised)
    assert.equal(1, #f:explain { format = "table" }.traces)
  end)

  it("is kept per coroutine", function()
    local function hook() end
    local co = coroutine.create(function()
      debug.sethook(hook, "r")
      traced(function() return config.k end)(x)
      coroutine.yield()
      traced(function() return config.k end)(x)
    end)
    assert(coroutine.resume(co))
    assert.same({ hook, "r", 0 }, { debug.gethook(co) })
    assert.is_nil(debug.gethook())
    assert(coroutine.resume(co))
    assert.same({ hook, "r", 0 }, { debug.gethook(co) })
    assert.is_nil(debug.gethook())
  end)

  it("may replace itself while code is traced", function()
    local function other() end
    local f = traced(function() return config.k end)
    debug.sethook(function() debug.sethook(other, "r") end, "l")
    f(x)
    local now = debug.gethook()
    debug.sethook()
    assert.equal(other, now)
  end)

  it("is restored in a coroutine that outlives the trace", function()
    local co
    followed.run(function()
      co = coroutine.create(function() local a = 1 coroutine.yield() return a end)
      coroutine.resume(co)
    end)
    assert.same({ true, 1 }, { coroutine.resume(co) })
    assert.is_nil(debug.gethook(co))
  end)

  it("cannot be set by traced code", function()
    local f = traced(function() debug.sethook(print, "l") end)
    assert.raises(function() f(x) end, "host_left_alone_spec.lua:%d+: debug.sethook")
    assert.is_nil(debug.gethook())
  end)

  it("is restored after Ctrl-C", function()
    local lines = command.file(table.concat({
      "hook = function() end",
      'debug.sethook(hook, "r", 7)',
      "os.execute '{ sleep 0.3; kill -INT $PPID; } >/dev/null 2>&1 &' while true do end",
      'local now, mask, count = debug.gethook() print("put back", now == hook, mask, count)',
    }, "\n"))
    local output = command.run(("%s%s -i < %s"):format(command.foreground, command.program, lines))
    assert.truthy(output:find("interrupted", 1, true), output)
    assert.truthy(output:find("put back\ttrue\tr\t7", 1, true), output)
  end)
end)

describe("a table that a trace reads", function()
  -- Drops n objects whose finalizer is `look`.
  local function leave(n, look) for _ = 1, n do setmetatable({}, { __gc = look }) end end

  it("is complete for finalizers, and for coroutines that they resume", function()
    local config, seen, wrong = { n = 1 }, 0, 0
    for i = 1, 50 do config["k" .. i] = i end
    local function whole()
      local n = 0
      for _ in next, config do n = n + 1 end
      return n == 51 and rawget(config, "k1") == 1 and config.k50 == 50 and getmetatable(config) == nil
    end
    local other = coroutine.wrap(function() while true do coroutine.yield(whole()) end end)
    local function look()
      seen = seen + 1
      if not whole() or not other() then wrong = wrong + 1 end
    end
    local function sum(n)
      local s = 0
      for i = 1, n do
        setmetatable({}, { __gc = look })
        s = s + config["k" .. i]
      end
      return s
    end
    -- one trace with a full collection, and many during which the collector runs at its own pace
    traced(function()
      sum(50)
      collectgarbage()
      return config.k1
    end)(x)
    assert.equal(50, seen)
    for _ = 2, TRACES do traced(function() return sum(10) end)(x) end
    collectgarbage()
    assert.same({ 50 + 10 * (TRACES - 1), 0 }, { seen, wrong })
  end)

  it("keeps the values that traced code writes with rawset", function()
    local t = { n = 1, m = 1 }
    local f = hl.compile(function(_, a)
      local k = t.m
      rawset(t, "n", 42)
      return a * k
    end, { effects = "ignore" })
    f(x)
    assert.equal(42, t.n)
  end)

  it("is released with the record of its reads", function()
    local weak = setmetatable({}, { __mode = "k" })
    local record
    do
      local t = { k = 1 }
      weak[t] = true
      record = followed.run(function() return t.k end)
    end
    collectgarbage()
    assert.truthy(next(weak) and record)
    record = nil          -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)

  it("keeps the values that a finalizer writes, and later reads are recorded", function()
    local config = { n = 1, k = 2, gone = 3 }
    leave(1, function()
      rawset(config, "n", 42)
      config.other = 43
      config.gone = nil
    end)
    local f = hl.compile(function(_, a)
      local k = config.k
      collectgarbage()
      return a * k * (config.more or 1)
    end)
    assert.same({ 2, 4 }, f(x):totable())
    assert.same({ n = 42, k = 2, other = 43 }, config)
    config.more = 3
    assert.same({ 6, 12 }, f(x):totable())
  end)

end)

describe("the collector", function()
  it("keeps its mode, and stays stopped if the host stopped it", function()
    local config = { k = 2 }
    local mode = collectgarbage "incremental"
    traced(function() return config.k end)(x)
    assert.equal("incremental", collectgarbage "generational")
    traced(function() return config.k end)(x)
    assert.equal("generational", collectgarbage(mode))
    assert.is_true(collectgarbage "isrunning")
    collectgarbage "stop"
    traced(function() return config.k end)(x)
    local runs = collectgarbage "isrunning"
    collectgarbage "restart"
    assert.is_false(runs)
    pcall(traced(function() return config.k + os.time() end), x)
    assert.is_true(collectgarbage "isrunning")
  end)

  it("cannot be stopped by traced code", function()
    local config = { k = 2 }
    for _, option in ipairs { "stop", "restart" } do
      local f = traced(function() return config.k, collectgarbage(option) end)
      assert.raises(function() f(x) end, "collectgarbage \"" .. option)
    end
    assert.is_true(collectgarbage "isrunning")
  end)
end)

describe("the message handler of an xpcall around a compiled call", function()
  local config = setmetatable({ k = 2 }, { __name = "config" })

  it("gets the block's error, and may read everything", function()
    for _, fails in ipairs { function() error("mine", 0) end, function() return config.missing.entry end,
                             function(a) return nd.dot(a, a, 3, 4, 5) end } do
      local seen
      local function handler(message)
        seen = { message, debug.getmetatable(config).__name, next(config), os.time(), rawget(config, "k") }
        return message
      end
      local ok, message = xpcall(hl.compile(function(_, a) return fails(config.k and a) end), handler, x)
      assert.is_false(ok)
      assert.equal(message, seen[1])
      assert.falsy(message:find "traced block", message)
      assert.same({ "config", "k", 2 }, { seen[2], seen[3], seen[5] })
      assert.is_nil(debug.gethook())
      assert.bits(x * 2, hl.compile(function(_, a) return a * config.k end)(x))
    end
  end)

  it("is traced when the xpcall is in the block", function()
    local f = hl.compile(function(_, a)
      local _, message = xpcall(error, function() return os.time() end, "mine")
      return a * #tostring(message)
    end)
    local ok, message = pcall(f, x)
    assert.is_false(ok)
    assert.truthy(message:find("os.time() in a traced block", 1, true), message)
  end)

  it("cannot be called by the block itself", function()
    local function same(v) return v end
    local ok, message = xpcall(hl.compile(function(_, a) return same(a) end), same, x)
    assert.is_false(ok)
    assert.truthy(message:find("a traced block calls the message handler of the surrounding xpcall", 1, true), message)
  end)
end)
