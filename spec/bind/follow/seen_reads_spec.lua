-- seen_reads_spec.lua - the places that a followed function reads. Every kind of read is recorded; places that were not
-- read, and the function's own tables and closures, are not. Then the writes that are rejected.
-- luacheck: ignore 111 113 122 211 213 231 512 542
local followed = require "spec.support.followed"

local cases = {}

-- make() returns a function, and one that changes a place which the first reads or, with `kept`, does not read.
local function sees(name, make) cases[#cases + 1] = { name = name, make = make } end
local function keeps(name, make) cases[#cases + 1] = { name = name, make = make, kept = true } end

sees("an upvalue", function() local k = 1 return function() return k end, function() k = 2 end end)
sees("1 that becomes 1.0", function() local k = 1 return function() return k end, function() k = 1.0 end end)
sees("an upvalue shared by two functions", function()
  local k = 1
  local function set(v) k = v end
  local function get() return k end
  return function() return get() end, function() set(2) end
end)
sees("an upvalue of a closure that it makes", function()
  local k = 1
  return function()
    local function inner() return function() return k end end
    return inner()()
  end, function() k = 2 end
end)
sees("a global", function() Followed = 1 return function() return Followed end, function() Followed = 2 end end)
sees("an entry", function() local t = { k = 1 } return function() return t.k end, function() t.k = 2 end end)
sees("a missing entry", function() local t = {} return function() return t.k or 1 end, function() t.k = 5 end end)
sees("a missing metatable", function()
  local t = {}
  return function() return t.k or 1 end, function() setmetatable(t, { __index = { k = 5 } }) end
end)
sees("an entry by a computed key", function()
  local t = { k1 = 1 }
  return function() return t["k" .. 1] end, function() t.k1 = 2 end
end)
sees("an entry by a long key", function()
  local name = ("long"):rep(30)
  local t = { [name] = 1 }
  return function() return t[("long"):rep(30)] end, function() t[name] = 2 end
end)
sees("an entry by 2.0", function() local t = { 1, 2 } return function() return t[2.0] end, function() t[2] = 5 end end)
sees("an entry through two __index", function()
  local far = { k = 1 }
  local t = setmetatable({}, { __index = setmetatable({}, { __index = far }) })
  return function() return t.k end, function() far.k = 2 end
end)
sees("a method", function()
  local C = { get = function() return 1 end }
  C.__index = C
  local o = setmetatable({}, C)
  return function() return o:get() end, function() C.get = function() return 2 end end
end)
sees("a method of strings", function()
  local len = string.len
  return function() return ("abc"):len() end, function()
    string.len = function() return 7 end
    finally(function() string.len = len end)
  end
end)
sees("the length of a list", function() local t = { 1 } return function() return #t end, function() t[2] = 1 end end)
sees("a list in ipairs that grows", function()
  local t = { 1 }
  return function() local s = 0 for _, v in ipairs(t) do s = s + v end return s end, function() t[2] = 1 end
end)
sees("a table in pairs with a changed value", function()
  local t = { a = 1, b = 2 }
  return function() local s = 0 for _, v in pairs(t) do s = s + v end return s end, function() t.b = 3 end
end)
sees("a table in pairs with a new key", function()
  local t = { a = 1, b = 2 }
  return function() local s = 0 for _, v in pairs(t) do s = s + v end return s end, function() t.c = 3 end
end)
sees("a table in pairs that loses a key", function()
  local t = { a = 1, b = 2 }
  return function() local s = 0 for _, v in pairs(t) do s = s + v end return s end, function() t.a = nil end
end)
sees("the emptiness of a table", function()
  local t = {}
  return function() return next(t) == nil end, function() t.k = 1 end
end)
sees("__pairs", function()
  local t = setmetatable({}, {})
  return function() for _ in pairs(t) do return 1 end end,
    function() getmetatable(t).__pairs = function() return next, { 1 } end end
end)
sees("rawget", function()
  local t = setmetatable({ k = 1 }, { __index = error })
  return function() return rawget(t, "k") end, function() t.k = 5 end
end)
sees("rawlen", function() local t = { 1 } return function() return rawlen(t) end, function() t[2] = 1 end end)
sees("table.concat", function()
  local t = { "a", "b" }
  return function() return table.concat(t) end, function() t[2] = "x" end
end)
sees("table.unpack", function()
  local t = { 1, 2 }
  return function() return (select(2, table.unpack(t))) end, function() t[2] = 5 end
end)
sees("table.move", function()
  local t = { 1, 2 }
  return function() return table.move(t, 1, 2, 1, {})[2] end, function() t[2] = 5 end
end)
sees("the table of gsub", function()
  local t = { a = "x" }
  return function() return (("abc"):gsub("%a", t)) end, function() t.b = "y" end
end)
sees("an entry in a sort's comparison", function()
  local up = { v = true }
  local function less(a, b) if up.v then return a < b end return b < a end
  return function() local t = { 1, 2, 3 } table.sort(t, less) return t[1] end, function() up.v = false end
end)
sees("an entry in a coroutine", function()
  local t = { k = 1 }
  return function()
    local c = coroutine.wrap(function() coroutine.yield() return t.k end)
    c()
    return c()
  end, function() t.k = 2 end
end)
sees("an entry in a pcall", function()
  local t = { k = 1 }
  return function() return (select(2, pcall(function() return t.k end))) end, function() t.k = 2 end
end)
sees("a loaded module", function()
  package.loaded.followed_module = 1
  finally(function() package.loaded.followed_module = nil end)
  return function() return require "followed_module" end, function() package.loaded.followed_module = 2 end
end)
sees("a metatable's entry", function()
  local t = setmetatable({}, { k = 1 })
  return function() return getmetatable(t).k end, function() getmetatable(t).k = 2 end
end)
for _, event in ipairs { "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv", "band", "bor", "bxor", "shl", "shr",
                         "bnot", "concat", "len", "eq", "lt", "le", "call", "tostring" } do
  local code = { unm = "-t", bnot = "~t", len = "#t", concat = "t .. 1", eq = "t == u", call = "t()", lt = "t < u",
                 le = "t <= u", tostring = "tostring(t)", add = "t + 1", sub = "1 - t", mul = "t * u", div = "t / 2.5",
                 mod = "u % t", pow = "t ^ 2", idiv = "t // u", band = "t & 1", bor = "1 | t", bxor = "t ~ u",
                 shl = "1 << t", shr = "t >> 1" }
  sees("__" .. event, function()
    local function one() return "1" end
    local meta = { ["__" .. event] = one }
    local t, u = setmetatable({}, meta), setmetatable({}, meta)
    local f = load("local t, u = ... return function() return " .. code[event] .. " end")(t, u)
    return f, function() meta["__" .. event] = function() return "2" end end
  end)
end
sees("a missing __le before __lt", function()
  local meta = { __lt = function(a, b) return a.v < b.v end }
  local a, b = setmetatable({ v = 1 }, meta), setmetatable({ v = 2 }, meta)
  return function() return (pcall(function() return a <= b end)) end,
    function() meta.__le = function() return false end end
end)
sees("a close variable's __close", function()
  local meta = { __close = function() end }
  local function open() return setmetatable({}, meta) end
  return function() local _ <close> = open() end, function() meta.__close = function() error "x" end end
end)
sees("the metatable of numbers", function()
  return function() return (pcall(function() return (5).k end)) end, function()
    local meta = debug.getmetatable(5)
    debug.setmetatable(5, { __index = { k = 1 } })
    finally(function() debug.setmetatable(5, meta) end)
  end
end)
sees("a table passed to a function of hybridlua", function()
  local t = { shape = { 1, 2 } }
  return function() return require "hybridlua".nd.ones(t.shape) end, function() t.shape[1] = 2 end
end)

keeps("another entry", function() local t = { k = 1 } return function() return t.k end, function() t.other = 5 end end)
keeps("another upvalue", function()
  local k, other = 1, 1
  return function() if k == 2 then return other end return k end, function() other = 2 end
end)
keeps("its own writes", function()
  local t = { k = 1 }
  return function()
    local u = { n = 0 }
    for i = 1, 3 do u.n = u.n + i end
    t.out = u.n
    return t.out
  end, function() end
end)
keeps("variables of its own closures", function()
  return function()
    local n = 0
    local function count() n = n + 1 return n end
    return count() + count()
  end, function() end
end)
keeps("an upvalue that it wrote first", function()
  local last
  return function() last = 5 return last end, function() last = 7 end
end)

describe("a followed function", function()
  for _, each in ipairs(cases) do
    it((each.kept and "does not read " or "reads ") .. each.name, function()
      local f, change = each.make()
      local record = followed.run(f)
      assert.is_nil(record:broken())
      change()
      if each.kept then assert.is_nil(record:broken()) else assert.truthy(record:broken()) end
    end)
  end

  it("reads one entry of a million-entry table without recording the others", function()
    local big = {}
    for i = 1, 1000000 do big[i] = i end
    local record = followed.run(function() return big[500000] end)
    assert.truthy(#record.list <= 3)
    assert.is_nil(record:broken())
  end)

  it("uses one place for all keys of a loop", function()
    local t = { 1, 2, 3, 4, 5 }
    local record, n = followed.run(function() for k in pairs(t) do if k == 4 then return k end end end), 0
    for _, place in ipairs(record.list) do if place.kind == "next" then n = n + 1 end end
    assert.equal(1, n)
    t[5] = nil
    assert.is_nil(record:broken())
    t[4] = nil
    assert.truthy(record:broken())
  end)

  it("records the line and the origin of the holder", function()
    local t = { a = { k = 1 } }
    local record = followed.run(function() return t.a.k end)
    assert.same({ "upvalue", "entry", "entry" }, { record.list[1].kind, record.list[2].kind, record.list[3].kind })
    assert.same({ 0, 1, 2 }, { record.list[1].from, record.list[2].from, record.list[3].from })
    assert.truthy(record.list[3].line:find "seen_reads_spec.lua:%d+")
  end)
end)

local function refused(f, options)
  local ok, message = pcall(followed.with, options or {}, f)
  assert.is_false(ok)
  assert.truthy(message:find "^[^\n]*seen_reads_spec.lua:%d+: ", message)
  assert.is_nil(debug.gethook())
  return message
end

describe("a follower rejects", function()
  it("a counter", function()
    local t, n = { n = 0 }, 0
    assert.truthy(refused(function() t.n = t.n + 1 end):find "an entry of a table was read, and then written")
    assert.truthy(refused(function() n = n + 1 end):find "an upvalue was read, and then written")
    assert.truthy(refused(function() t.n = rawget(t, "n") + 1 end):find "read, and then written")
    assert.truthy(refused(function() rawset(t, "n", t.n + 1) end):find "read, and then written")
  end)
  it("a list that grows", function()
    local t = {}
    assert.truthy(refused(function() t[#t + 1] = 1 end):find "the length of a table was read, and then written")
    assert.truthy(refused(function() table.insert(t, 1) end):find "the length of a table was read, and then written")
  end)
  it("a new key after a loop over the keys", function()
    local t = { 1, 2 }
    assert.truthy(refused(function() for _ in pairs(t) do end t.more = true end):find "read, and then written")
  end)
  it("library functions that change an outside table that they read", function()
    local t = { 3, 1, 2 }
    for _, change in ipairs { function() table.sort(t) end, function() table.remove(t) end,
                              function() table.insert(t, 1, 2) end, function() table.move(t, 1, 2, 2) end,
                              function() table.move({ 1 }, 1, 1, t[1] - 2, t) end,
                              function() if not getmetatable(t) then setmetatable(t, {}) end end } do
      assert.truthy(refused(change):find "read, and then written")
    end
    assert.same({ 3, 1, 2 }, t)
  end)
  it("a loop over more than 10,000 entries", function()
    local big = {}
    for i = 1, 20000 do big[i] = i end
    assert.truthy(refused(function() for _ in pairs(big) do end end):find "more than 10000 entries")
  end)
  it("a function that its caller rejects", function()
    local options = { judge = function(f) if f == os.time then error("os.time", 0) end return true end }
    local ok, message = pcall(followed.with, options, function() return os.time() end)
    assert.is_false(ok)
    assert.equal("os.time", message)
  end)
  it("a counter in a pcall, at the end", function()
    local n = 0
    assert.truthy(refused(function() pcall(function() n = n + 1 end) end):find "read, and then written")
  end)
end)
