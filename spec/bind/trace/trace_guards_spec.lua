-- trace_guards_spec.lua - a hybridized block matches eager code even if something that it reads has changed between two
-- calls: upvalues, tables, metatables, globals.
-- luacheck: ignore 111 112 113 122 142 143
local hl = require "hybridlua"
local reads = require "support.reads"
local nd, nn = hl.nd, hl.gluon.nn

local sqrt, length = math.sqrt, string.len
local ways, way = reads.new()

local function big(n, fill)
  local t = {}
  for i = 1, n do t["k" .. i] = fill end
  return t
end

-- ---- Upvalues ----
way("a number upvalue", function() local k = 2 return function(_, x) return x * k end, function() k = 3 end end)
way("an integer that becomes a float", function()
  local k = 0
  return function(_, x) return x / (math.type(k) == "float" and 2 or 3) end, function() k = 0.0 end
end)
way("0.0 that becomes -0.0",
  function() local k = 0.0 return function(_, x) return x * (1 / k > 0 and 1 or 2) end, function() k = -0.0 end end)
way("1 that becomes 1.0",
  function() local k = 1 return function(_, x) return x * #tostring(k) end, function() k = 1.0 end end)
way("a NaN",
  function() local k = 0 / 0 return function(_, x) return x * (k ~= k and 1 or 2) end, function() k = 1.0 end end)
way("a string upvalue",
  function() local act = "relu" return function(F, x) return F[act](x) end, function() act = "tanh" end end)
way("a boolean upvalue",
  function() local on = true return function(_, x) return on and x or x * 2 end, function() on = false end end)
way("true that becomes 'true'", function()
  local on = true
  return function(_, x) return x * #type(on) end, function() on = "true" end
end)
way("nil that becomes a number",
  function() local k return function(_, x) return k and x * k or x end, function() k = 5 end end)
way("a replaced function upvalue", function()
  local function act(x) return x * 2 end
  return function(_, x) return act(x) end, function() act = function(x) return x * 3 end end
end)
way("an upvalue of a function in an upvalue", function()
  local k = 2
  local function act(x) return x * k end
  return function(_, x) return act(x) end, function() k = 3 end
end)
way("an upvalue of the fifth nested function", function()
  local k = 2
  local function a(x) return x * k end
  local function b(x) return a(x) end
  local function c(x) return b(x) end
  local function d(x) return c(x) end
  local function e(x) return d(x) end
  return function(_, x) return e(x) end, function() k = 3 end
end)
way("an array upvalue written in place", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return x * w end, function() w[0] = 7 end
end)
way("a replaced array upvalue", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return x * w end, function() w = nd.array { 3, 4 } end
end)
way("an array upvalue replaced by one of another shape", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return x * w end, function() w = nd.array { 3 } end
end)
way("an array upvalue that becomes nil", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return w and x * w or x end, function() w = nil end
end)
way("one array in two upvalues that becomes two", function()
  local a = nd.array { 1, 2 }
  local b = a
  return function(_, x) return x * a + b end, function() b = nd.array { 5, 6 } end
end)
way("two arrays in upvalues that become one", function()
  local a, b = nd.array { 1, 2 }, nd.array { 3, 4 }
  return function(_, x) return x * a + b end, function() b = a end
end)
way("a replaced block upvalue", function()
  local layer = nn.HybridLambda(function(_, x) return x * 2 end)
  return function(_, x) return layer(x) end, function() layer = nn.HybridLambda(function(_, x) return x * 3 end) end
end)

-- ---- Tables ----
way("an entry of a table",
  function() local t = { k = 2 } return function(_, x) return x * t.k end, function() t.k = 3 end end)
way("a replaced table",
  function() local t = { k = 2 } return function(_, x) return x * t.k end, function() t = { k = 3 } end end)
way("a new entry",
  function() local t = {} return function(_, x) return x * (t.k or 1) end, function() t.k = 3 end end)
way("a removed entry",
  function() local t = { k = 4 } return function(_, x) return x * (t.k or 1) end, function() t.k = nil end end)
way("an entry of the fourth nested table", function()
  local t = { a = { b = { c = { k = 2 } } } }
  return function(_, x) return x * t.a.b.c.k end, function() t.a.b.c.k = 3 end
end)
way("a replaced table in a table", function()
  local t = { a = { b = { k = 2 } } }
  return function(_, x) return x * t.a.b.k end, function() t.a.b = { k = 3 } end
end)
way("one entry of ten thousand", function()
  local t = big(10000, 2)
  return function(_, x) return x * t.k77 end, function() t.k77 = 3 end
end)
way("an entry with a float key",
  function() local t = { [1.5] = 2 } return function(_, x) return x * t[1.5] end, function() t[1.5] = 3 end end)
way("an entry with a boolean key", function()
  local t = { [true] = 2, ["true"] = 5 }
  return function(_, x) return x * t[true] end, function() t[true] = 3 end
end)
way("an entry with a table key", function()
  local key = {}
  local t = { [key] = 2 }
  return function(_, x) return x * t[key] end, function() t[key] = 3 end
end)
way("an array in a table", function()
  local t = { w = nd.array { 1, 2 } }
  return function(_, x) return x * t.w end, function() t.w = nd.array { 3, 4 } end
end)
way("arrays in a list of lists", function()
  local t = { { nd.array { 1, 2 } }, { nd.array { 3, 4 } } }
  return function(_, x) return x * t[1][1] + t[2][1] end, function() t[2][1] = nd.array { 7, 8 } end
end)
way("a function in a table", function()
  local t = { act = function(x) return x * 2 end }
  return function(_, x) return t.act(x) end, function() t.act = function(x) return x * 3 end end
end)
way("a string in a list", function()
  local t = { "relu", "tanh" }
  return function(F, x) return F[t[2]](x) end, function() t[2] = "exp" end
end)
way("a shape in a table, as an operator's argument", function()
  local t = { shape = { 1, 2 } }
  return function(F, x) return F.reshape(x, { shape = t.shape }) end, function() t.shape[1], t.shape[2] = 2, 1 end
end)
way("a table of options, as an operator's argument", function()
  local t = { axis = 0, keepdims = true }
  return function(F, x) return F.sum(F.reshape(x, { 1, 2 }), t) end, function() t.keepdims = false end
end)

-- ---- Iterated lists ----
local function sum_way(name, walk)
  way("a list iterated by " .. name .. ", one item changed", function()
    local t = { 1, 2, 3 }
    return function(_, x) return x * walk(t) end, function() t[2] = 7 end
  end)
  way("a list iterated by " .. name .. ", one item added", function()
    local t = { 1, 2, 3 }
    return function(_, x) return x * walk(t) end, function() t[4] = 7 end
  end)
end
sum_way("ipairs", function(t) local s = 0 for _, v in ipairs(t) do s = s + v end return s end)
sum_way("pairs", function(t) local s = 0 for _, v in pairs(t) do s = s + v end return s end)
sum_way("next", function(t) local s = 0 for _, v in next, t do s = s + v end return s end)
sum_way("its length", function(t) local s = 0 for i = 1, #t do s = s + t[i] end return s end)
sum_way("rawget and rawlen", function(t) local s = 0 for i = 1, rawlen(t) do s = s + rawget(t, i) end return s end)
sum_way("table.unpack", function(t) local a, b, c, d = table.unpack(t) return a + b + c + (d or 0) end)
sum_way("table.concat", function(t) return #table.concat(t, ",") + tonumber(table.concat(t)) end)
sum_way("select", function(t) return select("#", table.unpack(t)) + select(2, table.unpack(t)) end)
sum_way("a sorted copy", function(t)
  local copy = table.move(t, 1, #t, 1, {})
  table.sort(copy)
  return copy[#copy]
end)
way("an iterated list of blocks", function()
  local list = { nn.HybridLambda(function(_, x) return x * 2 end) }
  return function(_, x) for _, layer in ipairs(list) do x = layer(x) end return x end,
    function() list[2] = nn.HybridLambda(function(_, x) return x + 1 end) end
end)

-- ---- Metatables ----
local Config = {}
Config.__index = Config
function Config:scale() return self.k * 2 end
Config.base = 5
way("a field of an object", function()
  local c = setmetatable({ k = 2 }, Config)
  return function(_, x) return x * c:scale() end, function() c.k = 3 end
end)
way("a field of an object's class", function()
  local Class = { base = 5 }
  Class.__index = Class
  local c = setmetatable({}, Class)
  return function(_, x) return x * c.base end, function() Class.base = 6 end
end)
way("a replaced method", function()
  local Class = {}
  Class.__index = Class
  function Class.k() return 2 end
  local c = setmetatable({}, Class)
  return function(_, x) return x * c:k() end, function() function Class.k() return 3 end end
end)
way("a field that shadows the class's", function()
  local c = setmetatable({}, Config)
  return function(_, x) return x * c.base end, function() c.base = 9 end
end)
way("a value returned by an __index function", function()
  local k = 2
  local c = setmetatable({}, { __index = function() return k end })
  return function(_, x) return x * c.anything end, function() k = 3 end
end)
way("a value found by two __index tables", function()
  local far = { k = 2 }
  local c = setmetatable({}, { __index = setmetatable({}, { __index = far }) })
  return function(_, x) return x * c.k end, function() far.k = 3 end
end)
way("a replaced metatable", function()
  local c = setmetatable({}, { __index = { k = 2 } })
  return function(_, x) return x * c.k end, function() setmetatable(c, { __index = { k = 3 } }) end
end)
way("a value that __call reads", function()
  local c = setmetatable({ k = 2 }, { __call = function(self, x) return x * self.k end })
  return function(_, x) return c(x) end, function() c.k = 3 end
end)
way("a result of __len", function()
  local n = 2
  local c = setmetatable({}, { __len = function() return n end })
  return function(_, x) return x * #c end, function() n = 3 end
end)
way("a value that __unm reads", function()
  local c = setmetatable({ k = 2 }, { __unm = function(self) return self.k end })
  return function(_, x) return x * -c end, function() c.k = 3 end
end)
way("a weak table", function()
  local t = setmetatable({ k = 2 }, { __mode = "k" })
  return function(_, x) return x * t.k end, function() t.k = 3 end
end)

-- ---- Globals and libraries ----
way("a global", function() _G.K = 2 return function(_, x) return x * K end, function() _G.K = 3 end end)
way("a global by _G", function() _G.K = 2 return function(_, x) return x * _G.K end, function() _G.K = 3 end end)
way("a global by an upvalue that holds _G", function()
  _G.K = 2
  local G = _G
  return function(_, x) return x * G["K"] end, function() G.K = 3 end
end)
way("a global by rawget",
  function() _G.K = 2 return function(_, x) return x * rawget(_G, "K") end, function() _G.K = 3 end end)
way("an entry of a global table",
  function() T = { k = 2 } return function(_, x) return x * T.k end, function() T.k = 3 end end)
way("a global function", function()
  function Act(x) return x * 2 end
  return function(_, x) return Act(x) end, function() function Act(x) return x * 3 end end
end)
way("a replaced function of Lua's library", function()
  math.sqrt = sqrt
  finally(function() math.sqrt = sqrt end)
  return function(_, x) return x * math.sqrt(4) end, function() math.sqrt = function() return 7 end end
end)
way("a value added to a library", function()
  math.k = 2
  finally(function() math.k = nil end)
  return function(_, x) return x * math.k end, function() math.k = 3 end
end)
way("a replaced string method", function()
  string.len = length
  finally(function() string.len = length end)
  return function(_, x) return x * ("abc"):len() end, function() string.len = function() return 7 end end
end)
way("a module's value", function()
  package.loaded.reads_spec_module = { k = 2 }
  finally(function() package.loaded.reads_spec_module = nil end)
  return function(_, x) return x * require "reads_spec_module".k end,
    function() package.loaded.reads_spec_module.k = 3 end
end)
way("a function with its own environment", function()
  local env = { k = 2 }
  return load("return function(_, x) return x * k end", "=chunk", "t", env)(), function() env.k = 3 end
end)

-- ---- Created in the trace ----
way("a value read by a closure created in the trace", function()
  local k = 2
  return function(_, x)
    local function act(y) return y * k end
    return act(x)
  end, function() k = 3 end
end)
way("a value read by a coroutine created in the trace", function()
  local t = { k = 2 }
  return function(_, x)
    local next_k = coroutine.wrap(function() coroutine.yield(t.k) end)
    return x * next_k()
  end, function() t.k = 3 end
end)
way("a value read by the body of foreach", function()
  local t = { k = 2 }
  return function(F, x) return (F.foreach(function(row, s) return row * t.k, s end, x, F.zeros { 1 })) end,
    function() t.k = 3 end
end)
way("a value read inside pcall", function()
  local t = { k = 2 }
  return function(_, x)
    local ok, k = pcall(function() return t.k end)
    return ok and x * k
  end, function() t.k = 3 end
end)
way("a value read by the comparison of a sort", function()
  local t = { down = false }
  return function(_, x)
    local list = { 3, 1, 2 }
    table.sort(list, function(a, b) if t.down then return a > b end return a < b end)
    return x * list[1]
  end, function() t.down = true end
end)
way("a table of arrays made by nd.array of a table", function()
  local t = { 1, 2 }
  return function(_, x) return x * nd.array(t) end, function() t[1] = 9 end
end)

-- ---- Others ----
way("a module in package.loaded", function()
  package.loaded.reads_spec_module = { k = 2 }
  finally(function() package.loaded.reads_spec_module = nil end)
  return function(_, x) return x * package.loaded.reads_spec_module.k end,
    function() package.loaded.reads_spec_module = { k = 3 } end
end)
way("a value read by a loaded chunk", function()
  _G.K = 2
  return function(_, x) return x * load "return K"() end, function() _G.K = 3 end
end)
way("a metatable's entry", function()
  local t = setmetatable({}, { k = 2 })
  return function(_, x) return x * getmetatable(t).k end, function() getmetatable(t).k = 3 end
end)
way("a result of __eq", function()
  local equal = true
  local meta = { __eq = function() return equal end }
  local a, b = setmetatable({}, meta), setmetatable({}, meta)
  return function(_, x) return a == b and x or x * 2 end, function() equal = false end
end)
way("a table that contains itself", function()
  local t = { k = 2 }
  t.self = t
  return function(_, x) return x * t.self.self.k end, function() t.k = 3 end
end)
way("a set of names", function()
  local set = { relu = true }
  return function(F, x) return set.tanh and F.tanh(x) or F.relu(x) end, function() set.tanh = true end
end)
way("values that __lt and __concat read", function()
  local meta = { __lt = function(a, b) return a.v < b.v end, __concat = function(a, b) return a.v .. b end }
  local a, b = setmetatable({ v = 1 }, meta), setmetatable({ v = 2 }, meta)
  return function(_, x) return (a < b and x or x * 2) * #(a .. "0") end, function() a.v = 50 end
end)
way("a value that __close reads", function()
  local k = 2
  return function(_, x)
    local r
    do local _ <close> = setmetatable({}, { __close = function() r = k end }) end
    return x * r
  end, function() k = 3 end
end)
way("an upvalue set by debug", function()
  local k = 1
  local function scaled(x) return x * k end
  return function(_, x) return scaled(x) end, function() debug.setupvalue(scaled, 1, 8) end
end)

reads.describe(describe, it, ways)

describe("a table with one read entry", function()
  it("needs one guard, whatever its size", function()
    local t = big(10000, 2)
    local f = hl.compile(function(_, x) return x * t.k77 end)
    f(nd.ones { 2 })
    local n = 0
    for _, guard in ipairs(f:explain { format = "table" }.traces[1].guards) do
      if guard.what:find "^upvalue t[.%[]" then n = n + 1 end
    end
    assert.equal(1, n)
  end)

  it("is unchanged after the trace, even after an error", function()
    local meta = { __index = { far = 1 } }
    local t = setmetatable({ k = 1, list = { 1, 2 } }, meta)
    local list = t.list
    local f = hl.compile(function(_, x) return x * t.k * t.list[2] * t.far end)
    f(nd.ones { 2 })
    local g = hl.compile(function() error(tostring(t.k) .. #t.list) end)
    pcall(g, nd.ones { 2 })
    assert.equal(meta, getmetatable(t))
    assert.equal(1, rawget(t, "k"))
    assert.equal(list, rawget(t, "list"))
    assert.is_nil(getmetatable(list))
    assert.same({ 1, 2 }, list)
    assert.equal(_G, select(2, debug.getupvalue(load "return x", 1)))
  end)
end)
