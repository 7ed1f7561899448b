-- host_left_alone_spec.lua - following a function changes nothing of its host: hooks of debuggers and sandboxes run as
-- before and are set again, finalizers and other coroutines see whole tables, raw writes stay.
-- luacheck: ignore 213 231 311 331 542
local followed = require "spec.support.followed"

-- The hook of this coroutine is `hook` while fn runs; returns what fn gives.
local function hooked(hook, mask, count, fn)
  debug.sethook(hook, mask, count)
  local results = table.pack(pcall(fn))
  local now = table.pack(debug.gethook())
  debug.sethook()
  assert.same({ hook, mask, count or 0, n = 3 }, now)
  return table.unpack(results, 1, results.n)
end

local function work()
  local s = 0
  for i = 1, 100 do
    s = s + i
  end
  return s
end

describe("the host's hook", function()
  it("gets the same lines, counts and calls", function()
    local n = {}
    local function hook(event) n[event] = (n[event] or 0) + 1 end
    hooked(hook, "crl", 50, work)
    local plain = n
    n = {}
    hooked(hook, "crl", 50, function() return (followed.run(work)) end)
    assert.truthy(math.abs(n.line - plain.line) < 40, n.line .. " " .. plain.line)      -- of followed.lua, too
    assert.truthy(n.count >= plain.count)
    assert.truthy(n.call > 0)
  end)

  it("sees each line of the function as often as without", function()
    local first, last, lines = debug.getinfo(work, "S").linedefined, debug.getinfo(work, "S").lastlinedefined, {}
    local function hook(_, line)
      local where = debug.getinfo(2, "S")
      if where.source:find "host_left_alone" and line >= first and line <= last then
        lines[line] = (lines[line] or 0) + 1
      end
    end
    hooked(hook, "l", nil, work)
    local plain = lines
    lines = {}
    hooked(hook, "l", nil, function() return (followed.run(work)) end)
    assert.same(plain, lines)
  end)

  it("that limits instructions ends a followed loop", function()
    local function limit() error("limit", 0) end
    local ok, message = hooked(limit, "", 100000, function()
      return followed.run(function() local n = 0 while true do n = n + 1 end end)
    end)
    assert.is_false(ok)
    assert.equal("limit", message)
  end)

  it("may set another one", function()
    local seen = 0
    debug.sethook(function() debug.sethook(function() seen = seen + 1 end, "l") end, "l")
    followed.run(work)
    local _, mask = debug.gethook()
    debug.sethook()
    assert.truthy(seen > 50)
    assert.equal("l", mask)
  end)

  it("is set again after an error", function()
    for _, each in ipairs { { "c" }, { "r" }, { "l" }, { "crl" }, { "", 1000 }, { "cl", 77 } } do
      hooked(function() end, each[1], each[2], function() pcall(followed.run, error, "x") end)
      hooked(function() end, each[1], each[2], function() return (followed.run(work)) end)
    end
  end)

  it("is that of a coroutine, which may outlive the follower", function()
    local co
    followed.run(function()
      co = coroutine.create(function() local a = 1 coroutine.yield() return a end)
      coroutine.resume(co)
    end)
    assert.same({ true, 1 }, { coroutine.resume(co) })
    assert.is_nil(debug.gethook(co))
  end)
end)

describe("tables that are read", function()
  it("are whole for finalizers and other coroutines", function()
    local config, broken, runs = {}, 0, 0
    for i = 1, 50 do config["k" .. i] = i end
    local function look()
      runs = runs + 1
      if next(config) == nil or rawget(config, "k7") ~= 7 or getmetatable(config) then broken = broken + 1 end
    end
    local other = coroutine.wrap(function()
      while true do coroutine.yield(rawget(config, "k1") == 1 and getmetatable(config) == nil) end
    end)
    followed.run(function()
      local s = 0
      for _ = 1, 2000 do
        setmetatable({}, { __gc = look })
        s = s + config.k1
      end
      return s
    end)
    collectgarbage()
    assert.same({ 2000, 0 }, { runs, broken })
    assert.is_true(other())
  end)

  it("keep raw writes", function()
    local t = { n = 1, m = 1 }
    followed.run(function()
      local x = t.m
      rawset(t, "n", 42)
      return x
    end)
    assert.equal(42, t.n)
  end)

  it("are held no longer than the record", function()
    local weak = setmetatable({}, { __mode = "k" })
    local record
    do
      local t = { k = 1 }
      weak[t] = true
      record = followed.run(function() return t.k end)
    end
    collectgarbage()
    assert.truthy(next(weak))
    record = nil
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(weak))
  end)
end)
