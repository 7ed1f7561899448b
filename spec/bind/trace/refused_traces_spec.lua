-- refused_traces_spec.lua - code that compiled calls cannot follow is refused when it is traced; writes of a trace are
-- refused, or happen once.
-- luacheck: ignore 111 113
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

local refused = {
  { "os.time", function(_, x) return x * os.time() end, "os.time" },
  { "os.clock in an upvalue", (function() local clock = os.clock return function(_, x) return x * clock() end end)(),
    "os.clock" },
  { "os.date", function(_, x) return x * #os.date() end, "os.date" },
  { "hl.time", function(_, x) return x * require "hybridlua.core".host.seconds() end, "hl.time" },
  { "hl.time", function(_, x) return x * hl.time() end, "hl.time" },
  { "hl.memory", function(_, x) return x * hl.memory().live end, "hl.memory" },
  { "the size of Lua's memory", function(_, x) return x * collectgarbage "count" end, 'collectgarbage "count"' },
  { "a file of arrays", function(_, x) return x * nd.load "/dev/null"[1] end, "nd.load" },
  { "an environment variable", function(_, x) return x * #(os.getenv "HOME" or "") end, "os.getenv" },
  { "a file", function(_, x) return x * #io.open("/dev/null"):read "a" end, "io.open" },
  { "the lines of a file", function(_, x) for _ in io.lines "/dev/null" do x = x * 2 end return x end, "io.lines" },
  { "an open file", (function() local f = io.stdin return function(_, x) return x * #(f:read(0) or "") end end)(),
    "file:read" },
  { "math.random", function(_, x) return x * math.random() end, "math.random" },
  { "math.random in an upvalue",
    (function() local random = math.random return function(_, x) return x * random() end end)(), "math.random" },
  { "a program", function(_, x) return x * #io.popen "true":read "a" end, "io.popen" },
  { "dofile", function(_, x) return x * (dofile "/dev/null" or 1) end, "dofile" },
  { "debug", function(_, x) return x * #tostring(debug.getregistry()) end, "debug.getregistry" },
  { "a coroutine in progress", (function()
      local co = coroutine.wrap(function() for i = 1, 100 do coroutine.yield(i) end end)
      co()
      return function(_, x) return x * co() end
    end)(), "coroutine" },
}

describe("a trace refuses", function()
  for _, each in ipairs(refused) do
    it(each[1], function()
      local compiled = hl.compile(each[2])
      local text = each[3]:gsub("%p", "%%%0")
      assert.raises(function() compiled(nd.ones { 2 }) end, "^[^\n]*refused_traces_spec.lua:%d+: ", text)
    end)
    it(each[1] .. " inside a pcall", function()
      local compiled = hl.compile(function(F, x)
        local ok, y = pcall(each[2], F, x)
        return ok and y or x
      end)
      assert.raises(function() compiled(nd.ones { 2 }) end, (each[3]:gsub("%p", "%%%0")))
    end)
  end

  it("a read of a Symbol's value, even inside a pcall", function()
    local compiled = hl.compile(function(_, x)
      local ok, y = pcall(function() return x:sum():asscalar() > 0 end)
      return ok and y and x or x * 2
    end)
    assert.raises(function() compiled(nd.ones { 2 }) end, "asscalar")
  end)
end)

describe("a place that a trace writes", function()
  local function counter(options)
    local n = 0
    return hl.compile(function(_, x) n = n + 1 return x * 2 end, options), function() return n end
  end

  it("is refused if it was read before: a counter", function()
    local f = counter()
    assert.raises(function() f(nd.ones { 2 }) end, "^[^\n]*: upvalue n .*was read, and then written")
    local t = { n = 0 }
    local g = hl.compile(function(_, x) t.n = t.n + 1 return x end)
    assert.raises(function() g(nd.ones { 2 }) end,
      "refused_traces_spec.lua:%d+: upvalue t.n was read, and then written")
    local list = {}
    local h = hl.compile(function(_, x) list[#list + 1] = 1 return x end)
    assert.raises(function() h(nd.ones { 2 }) end, "the length of upvalue list was read, and then written")
  end)

  it("is detected even after a raw read", function()
    local t, list = { n = 0 }, { 1, 2 }
    local f = hl.compile(function(_, x) t.n = rawget(t, "n") + 1 return x end)
    assert.raises(function() f(nd.ones { 2 }) end, "upvalue t.n was read, and then written")
    local g = hl.compile(function(_, x)
      for _, v in pairs(list) do x = x * v end
      list.more = true
      return x
    end)
    assert.raises(function() g(nd.ones { 2 }) end, "the number of entries of upvalue list was read, and then written")
    _G.Counter = 0
    local h = hl.compile(function(_, x) _G.Counter = rawget(_G, "Counter") + 1 return x end)
    assert.raises(function() h(nd.ones { 2 }) end, "global Counter was read, and then written")
    _G.Counter = nil
  end)

  it("changes once per trace with effects = \"ignore\"", function()
    local f, count = counter { effects = "ignore" }
    for _ = 1, 3 do f(nd.ones { 2 }) end
    assert.equal(1, count())
    assert.equal(1, #f:explain { format = "table" }.traces)
  end)

  it("is written once per trace if it is never read, with a warning, or is refused", function()
    local last, t = nil, {}
    local function fn(_, x)
      last = "called"
      t.seen = true
      Written = 1
      return x * 2
    end
    local f = hl.compile(fn)
    for _ = 1, 2 do f(nd.ones { 2 }) end
    assert.equal("called", last)
    assert.is_true(t.seen)
    assert.equal(1, Written)
    assert.equal(1, #f:explain { format = "table" }.traces)
    assert.raises(function() hl.compile(fn, { effects = "error" })(nd.ones { 2 }) end,
      "is written while the block is traced")
    Written = nil
  end)

  it("may be a field of the block", function()
    local Net = gluon.HybridBlock:subclass "Writer"
    function Net:hybrid_forward(_, x)
      self.mode = "called"
      return x * 2
    end
    local net = Net()
    net:hybridize { effects = "ignore" }
    for _ = 1, 2 do net(nd.ones { 2 }) end
    assert.equal("called", net.mode)
    net:hybridize { effects = "error" }
    assert.raises(function() net(nd.ones { 2 }) end, "self.mode of writer%d+ is written while the block is traced")
  end)

  it("accepts one of three words", function()
    assert.raises(function() hl.compile(function(_, x) return x end, { effects = "loud" }) end,
      'effects: expected "error", "warn" or "ignore", got loud')
  end)
end)

describe("hl.pure", function()
  it("allows a function in C", function()
    local difference = os.difftime
    local f = hl.compile(function(_, x) return x * difference(3, 2) end)
    assert.raises(function() f(nd.ones { 2 }) end, "os.difftime")
    assert.equal(difference, hl.pure(difference))
    assert.same({ 1, 1 }, f(nd.ones { 2 }):totable())
  end)
end)
