-- followed_control_spec.lua - a followed function returns and raises the same as without the follower, which keeps
-- track of the program counter through loops, calls, comparisons, coroutines and errors. In each case the successor of
-- some instructions depends on values. The follower compares the line at each step, and in test builds Lua's own
-- counter.
-- luacheck: ignore 113 211 213 231 311 331 512 542
local followed = require "spec.support.followed"

local function text(...)
  local t = table.pack(...)
  for i = 1, t.n do t[i] = tostring(t[i]) end
  return table.concat(t, " ")
end

-- Checks that f(...) returns or raises the same, plain and followed.
local function same(f, ...)
  local plain = table.pack(pcall(f, ...))
  local now = table.pack(pcall(followed.run, f, ...))
  if plain[1] then table.remove(now, 2) now.n = now.n - 1 end
  assert.equal(text(table.unpack(plain, 1, plain.n)), text(table.unpack(now, 1, now.n)))
  assert.is_nil(debug.gethook())
end

local cases = {}
local function case(name, f, ...) cases[#cases + 1] = { name, f, ... } end

case("loops over integers", function()
  local s = 0
  for i = 1, 10 do s = s + i end
  for i = 10, 1, -3 do s = s * 2 + i end
  for i = 1, 0 do s = -1 end
  for i = math.maxinteger - 1, math.maxinteger do s = s + 1 end
  for i = math.mininteger + 1, math.mininteger, -1 do s = s + 1 end
  for i = 1, 3.7 do s = s + i end
  for i = 3, 1e308 do s = s + 1 if i > 5 then break end end
  for i = 3, -1e308, -1 do s = s + 1 if i < 0 then break end end
  for i = 1, -math.huge do s = -1 end
  return s
end)
case("loops over floats", function()
  local s = 0
  for i = 0.5, 2.5 do s = s + i end
  for i = 2, 1, -0.25 do s = s + i end
  for i = 1.0, 0 do s = -1 end
  for i = 1, 0 / 0 do s = -1 end
  return s
end)
case("a loop over a string", function() for i = 1, "3" do return i end end)
case("generic loops", function()
  local s, t = "", { a = 1, 2, 3 }
  for k, v in pairs(t) do s = s .. tostring(k) .. v end
  for i, v in ipairs(t) do s = s .. i end
  for w in ("a b c"):gmatch "%a" do s = s .. w end
  for k in next, {} do s = "x" end
  for k in next, t, nil do if k == "a" then break end end
  return #s
end)
case("a generic loop with a closing value", function()
  local log = {}
  local function iterate()
    local n, closing = 0, { __close = function() log[#log + 1] = "closed" end }
    return function() n = n + 1 if n < 4 then return n end end, nil, nil, setmetatable({}, closing)
  end
  for i in iterate() do log[#log + 1] = i if i == 2 then break end end
  for i in iterate() do log[#log + 1] = i end
  return table.concat(log, ",")
end)
case("goto", function()
  local n = 0
  ::top::
  n = n + 1
  if n < 5 then goto top end
  for i = 1, 3 do
    for j = 1, 3 do
      if j == 2 then goto continue end
      n = n + j
      ::continue::
    end
  end
  return n
end)
case("while and repeat", function()
  local n = 0
  while true do n = n + 1 if n > 5 then break end end
  repeat local k = n n = n - 1 until k < 3
  return n
end)
case("varargs", function(...)
  local function inner(...) local a, b = ... return select("#", ...), a, b, ... end
  local t = { inner(...) }
  return #t, inner(), (inner(1)), select(-1, ...)
end, 1, nil, 3)
case("and, or, not", function()
  local function id(v) return v end
  local a, b, c = id(nil), id(false), id(0)
  local x, y = a or b or c, a and b
  local z = c and x or y
  return x, y, z, not a, not c, a == nil, b ~= nil, (a or 1) + 1
end)
case("comparisons of numbers and strings", function()
  local r = {}
  local function add(v) r[#r + 1] = v and "1" or "0" end
  for _, p in ipairs { { 1, 2 }, { 2, 1.5 }, { 1, 1.0 }, { "a", "b" }, { "b", "a" }, { 0 / 0, 1 },
                       { math.maxinteger, 2 ^ 63 }, { math.mininteger, -2 ^ 63 } } do
    local a, b = p[1], p[2]
    add(a < b) add(a <= b) add(a > b) add(a >= b) add(a == b) add(a ~= b)
    if type(a) == "number" then
      add(a < 5) add(a <= 1) add(a > 1) add(a >= 2) add(a == 1) add(a == 2) add(5 < a)
    end
    add(a == "a") add(a == 1.5)
  end
  return table.concat(r)
end)
case("comparisons by metamethods", function()
  local meta = { __eq = function(a, b) return a.v == b.v end, __le = function(a, b) return a.v <= b.v end,
                 __lt = function(a, b) if a.v < b.v then return 1 end return nil end }
  local function new(v) return setmetatable({ v = v }, meta) end
  local r = {}
  for i = 1, 3 do
    local a, b = new(i), new(2)
    if a == b then r[#r + 1] = "eq" end
    if a < b then r[#r + 1] = "lt" else r[#r + 1] = "ge" end
    if a <= b then r[#r + 1] = "le" end
    if a > b then r[#r + 1] = "gt" end
    if a ~= b then r[#r + 1] = "ne" end
  end
  local o = setmetatable({}, { __lt = function(a) return type(a) == "number" end, __le = function() return false end })
  if o < 3 then r[#r + 1] = "x" end
  if 3 < o then r[#r + 1] = "y" end
  if o > 2 then r[#r + 1] = "z" end
  if o <= 2 then r[#r + 1] = "w" end
  if o < 2.5 then r[#r + 1] = "v" end
  return table.concat(r, " ")
end)
case("comparisons in metamethods of comparisons", function()
  local meta = {}
  meta.__lt = function(a, b)
    local p = setmetatable({ a[1] }, { __lt = function(x, y) return x[1] < y[1] end })
    return p < setmetatable({ b[1] }, { __lt = function() return false end })
  end
  local a, b = setmetatable({ 1 }, meta), setmetatable({ 2 }, meta)
  if a < b then return "yes", a < b and b < a end
  return "no"
end)
case("a comparison whose metamethod raises", function()
  local o = setmetatable({}, { __lt = function() error "no order" end })
  local r = {}
  for i = 1, 2 do
    r[#r + 1] = select(2, pcall(function() if o < 1 then return 1 end return 2 end))
    r[#r + 1] = tostring(1 < i)
  end
  return table.concat(r, "|")
end)
case("<= by __lt alone", function()
  local meta = { __lt = function(a, b) return a.v < b.v end }
  local a, b = setmetatable({ v = 1 }, meta), setmetatable({ v = 2 }, meta)
  local r = {}
  r[1] = pcall(function() if a <= b then return "le" end return "gt" end)
  r[2] = select(2, pcall(function() if b <= a then return "le" end return "gt" end))
  return r[1]
end)
case("arithmetic", function()
  local a, b, c, s = 7, 2.5, 3.0, "10"
  local meta = {}
  for i, name in ipairs { "add", "band", "shl", "unm", "bnot", "idiv", "mod", "len", "sub", "mul", "div", "pow", "bor",
                          "bxor", "shr" } do
    meta["__" .. name] = function() return i end
  end
  meta.__concat = function() return "c" end
  local o = setmetatable({}, meta)
  return a + b, a - 1, a * c, a / 2, a // 2, a % 3, a ^ 2, -a, ~a, a & 3, a | 8, a ~ 1, a << 2, a >> 1, 1 << a, c & 1,
    2 ~ c, s + 1, s * "2", -s, 10 .. "", o + 1, 1 + o, o & 1, 1 & o, o << 1, 1 << o, -o, ~o, o .. 1, "x" .. o, o // 2,
    o % 2, #o, o - 1, 1 - o, o * 2.5, o / o, o ^ 2, o | 1, o ~ 1.5, o >> 1
end)
case("bitwise operators on strings and fractions", function()
  local r = {}
  for _, v in ipairs { "3", 3.0, 3.5, "x" } do
    r[#r + 1] = tostring(select(2, pcall(function() return v & 1, ~v end)))
  end
  return table.concat(r, "|")
end)
case("closures", function()
  local list = {}
  for i = 1, 3 do
    local n = i
    list[i] = function(d) n = n + (d or 0) return n + i end
  end
  return list[1](5), list[1](), list[2](), list[3](1)
end)
case("tail calls", function()
  local function loop(n, sum) if n == 0 then return sum end return loop(n - 1, sum + n) end
  local function last(s) return s:upper() end
  return loop(300, 0), last "x", (function(...) return select("#", ...) end)(1, 2)
end)
case("recursion", function()
  local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
  return fib(12)
end)
case("caught errors", function()
  local r = {}
  for i = 1, 3 do
    local s, e = pcall(function(n)
      local t = {}
      for j = 1, n do t[j] = j end
      if n == 2 then error "bad" end
      if n == 3 then local x = nil return x.y end
      return #t
    end, i)
    r[#r + 1] = tostring(s) .. tostring(e)
  end
  r[#r + 1] = tostring(select(2, pcall(error, { 1 })) ~= nil)
  r[#r + 1] = select(2, xpcall(function() error("deep", 2) end, function(m) return "handled " .. m end))
  return table.concat(r, "|")
end)
case("errors in callbacks of C", function()
  local n, t = 0, { 3, 1, 2 }
  for _ = 1, 3 do
    pcall(table.sort, t, function(a, b) n = n + 1 if n % 2 == 0 then error "x" end return a < b end)
    pcall(string.gsub, "abc", ".", function(c) n = n + 1 if c == "b" then error "y" end end)
  end
  return n
end)
case("close variables and errors", function()
  local log = {}
  local function new(name)
    return setmetatable({}, { __close = function(_, e)
      log[#log + 1] = name .. tostring(e and (tostring(e):match ": (.*)") or e)
      if name == "b" and e then error("again", 0) end
    end })
  end
  pcall(function()
    local a <close> = new "a"
    local b <close> = new "b"
    local function inside() local c <close> = new "c" error "boom" end
    inside()
  end)
  do
    local d <close> = new "d"
    log[#log + 1] = "body"
  end
  local function returns() local e <close> = new "e" return 1, 2 end
  log[#log + 1] = returns()
  return table.concat(log, ",")
end)
case("coroutines", function()
  local co = coroutine.wrap(function(...)
    local n = select("#", ...)
    for i = 1, 3 do local x = coroutine.yield(i + n) n = n + (x or 0) end
    return "end"
  end)
  local a, b, c, d = co(1, 2), co(10), co(), co()
  local other = coroutine.create(function(...)
    local _, e = pcall(function(...)
      coroutine.yield(1)
      local t = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end,
                                   __lt = function() return coroutine.yield "lt" end })
      local v = t.foo
      local w = t < t and "less" or "not"
      error(v .. w)
    end, ...)
    return e
  end)
  local r = {}
  for _, v in ipairs { 1, 2, "x", true, 5 } do
    local s, e = coroutine.resume(other, v)
    r[#r + 1] = tostring(s) .. tostring(e)
  end
  local closed = coroutine.create(function(...)
    local _ <close> = setmetatable({}, { __close = function() r[#r + 1] = "closed" end })
    coroutine.yield(...)
  end)
  coroutine.resume(closed, 1)
  coroutine.close(closed)
  return a, b, c, d, table.concat(r, " ")
end)
case("sort, gsub, load", function()
  local t = { 5, 2, 9, 1 }
  table.sort(t, function(a, b) return a > b end)
  local s = ("hello"):gsub("l", function(c) return c:upper() end)
  local f = load "local a = ... return a * 2"
  return table.concat(t, " "), s, f(4), load(function() return nil end) ~= nil
end)
case("long tables and many constants", function()
  local items, code = {}, { "local t = {}" }
  for i = 1, 53 do items[i] = i end
  for i = 1, 700 do code[#code + 1] = ("t[%d] = 'k%d' .. %d.5"):format(i, i, i) end
  code[#code + 1] = "return #t, t[700]"
  local long = load("return { " .. table.concat(items, ",") .. " }")
  return #long(), load(table.concat(code, "\n"))()
end)
case("a list of 70,000", function()
  local code = { "return #{" }
  for i = 1, 70000 do code[#code + 1] = i .. "," end
  code[#code + 1] = "}"
  return load(table.concat(code))()
end)
case("classes", function()
  local function class(parent)
    local c = {}
    c.__index = c
    c.new = function(...)
      local o = setmetatable({}, c)
      if o.init then o:init(...) end
      return o
    end
    return setmetatable(c, { __index = parent, __call = function(k, ...) return k.new(...) end })
  end
  local A = class()
  function A:init(n) self.n = n end
  function A:get() return self.n end
  local B = class(A)
  function B:get() return A.get(self) * 2 end
  return B(4):get(), A(3):get(), B(1).get == A.get
end)
case("a class library", function()
  local function declare(name, super)
    local members = {}
    members.__index = members
    local c = { name = name, static = {}, declared = {}, members = members }
    for k, v in pairs(super and super.members or {}) do if k ~= "__index" then members[k] = v end end
    setmetatable(c.static, { __index = function(_, k)
      local r = rawget(members, k)
      if r == nil and super then return super.static[k] end
      return r
    end })
    return setmetatable(c, {
      __index = c.static, __tostring = function() return "class " .. name end,
      __call = function(k, ...)
        local o = setmetatable({ class = k }, members)
        o:initialize(...)
        return o
      end,
      __newindex = function(k, n, v) k.declared[n] = v members[n] = v end,
    })
  end
  local P = declare "P"
  function P:initialize(x) self.x = x end
  function P:area() return self.x end
  local Q = declare("Q", P)
  function Q:area() return P.area(self) + 1 end
  return Q(5):area(), tostring(Q), P(2):area()
end)
case("assignments by __newindex", function()
  local log = {}
  local p = setmetatable({}, { __newindex = function(t, k, v) log[#log + 1] = k rawset(t, k, v) end })
  p.a = 1
  p.a = 2
  p.b = 3
  return #log, p.a, p.b
end)
case("multiple assignment", function()
  local a, b, c = (function() return 1, 2, 3 end)()
  a, b = b, a
  local t = { (function() return 1, 2, 3 end)() }
  return a, b, c, #t
end)
case("division", function()
  local ok, e = pcall(function() local zero = 0 return 1 // zero end)
  return ok, e, 7 // -2, -7 % 3, 5.5 // 1
end)
case("a recursion that overflows the stack", function()
  local function deep(n) return 1 + deep(n + 1) end
  local s, e = pcall(deep, 1)
  return s, (tostring(e):match "stack overflow")
end)
case("a traceback", function()
  local function inner() return debug.traceback "here" end
  local s = inner()
  return (s:match "control_spec.lua:%d+: in [^\n]*")
end)
case("a loaded module", function() return require "string" == string end)

-- Errors whose texts name variables and fields.
case("the error of a missing entry", function() local t = {} return t.x.y end)
case("the error of a missing method", function() local t = {} t:nothing() end)
case("the error of a missing global", function() return undefined_global + 1 end)
case("the error of a comparison", function() local s = "x" return s < 1 end)
case("the error of a concatenation", function() return ("x"):rep(-1, {}) .. {} end)
case("the error of a loop's limit", function() for _ = 1, {} do end end)
case("the error of a metamethod", function()
  local a = setmetatable({}, { __index = function(_, k) error("no field " .. k, 2) end })
  return a.foo
end)
case("the error of a function in C", function() string.rep() end)

describe("a followed function", function()
  for _, each in ipairs(cases) do
    it("behaves as without the follower: " .. each[1], function() same(table.unpack(each, 2, 5)) end)
  end

  it("may be stripped", function()
    local code = [[local t = ...
      local s = 0
      for i, v in ipairs(t.list) do if v > 1 then s = s + v else s = s - v end end
      for k in pairs(t) do s = s + #k end
      local g = function(a) return a + s end
      return g(t.k), t.k > 1 and "big" or "small"]]
    local f = load(string.dump(load(code), true), "=stripped", "b")
    same(f, { k = 2, list = { 1, 2, 3 } })
    assert.truthy(followed.run(f, { k = 2, list = { 1, 2, 3 } }).events > 30)
  end)

  it("has the traceback of the plain call when it raises", function()
    local function fails() local t = nil return t.x end
    local function handler(m) return (debug.traceback(m, 1):match "\n(.-control_spec.lua:%d+: in [^\n]*)\n") end
    local _, plain = xpcall(fails, handler)
    local _, now = xpcall(followed.run, handler, fails)
    assert.equal(plain:match "%d+: in.*", now:match "%d+: in.*")
  end)
end)
