-- captures.lua - generates functions that read something other than their arguments, and changes to it.
--
-- A *store* holds a number: an upvalue, an entry, a metamethod, a field of a parameter. A *way* reads a number through
-- something that the function calls: a getter, a metamethod, an iterator, a coroutine. A case is a store reached by
-- zero or more ways, as the text of a chunk, which is printed if the case fails.
--
-- In the texts, `$` is a suffix unique to each part of a case, `@v` and `@w` are the numbers before and after the
-- change, and `@e` is the expression that a way reads.
local hl = require "hybridlua"

local captures = {}

local stores, ways = {}, {}

-- setup: statements; read: an expression; change: statements; undo: those that restore Lua's state.
local function store(name, setup, read, change, undo)
  stores[#stores + 1] = { name = name, setup = setup, read = read, change = change, undo = undo }
end

-- An operation that cannot be followed: the error names the line and contains `text`.
local function refused(name, text, setup, read, change)
  store(name, setup, read, change)
  stores[#stores].refused = text
end

local function way(name, setup, read) ways[#ways + 1] = { name = name, setup = setup, read = read } end

-- The entries of a table in the order of their names, so that a seed determines the case.
local function sorted(t)
  local names, i = {}, 0
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return function()
    i = i + 1
    return names[i], t[names[i]]
  end
end

-- ---- Upvalues --------------------------------------------------------------------------------------------------

store("an upvalue", "local k$ = @v", "k$", "k$ = @w")
store("an upvalue that a setter shares", "local k$ = @v local function set$(v) k$ = v end", "k$", "set$(@w)")
store("an upvalue of three nested functions",
  "local k$ = @v local function get$() return (function() return (function() return k$ end)() end)() end", "get$()",
  "k$ = @w")
store("an upvalue that debug.setupvalue sets", "local k$ = @v local function get$() return k$ end", "get$()",
  "debug.setupvalue(get$, 1, @w)")
store("an upvalue that debug.upvaluejoin joins",
  "local k$, far$ = @v, @w local function get$() return k$ end local function other$() return far$ end", "get$()",
  "debug.upvaluejoin(get$, 1, other$, 1)")
store("an integer that becomes a float", "local k$ = @v", "#tostring(k$)", "k$ = k$ + 0.0")
store("a zero that gets a sign", "local k$ = 0.0", "(1 / k$ > 0 and @v or @w)", "k$ = -0.0")
store("nil that becomes a number", "local k$", "(k$ or @v)", "k$ = @w")
store("a number that becomes nil", "local k$ = @v", "(k$ or @w)", "k$ = nil")
store("false that becomes nil", "local k$ = false", "(k$ == nil and @w or @v)", "k$ = nil")
store("a string", "local k$ = ('x'):rep(@v)", "#k$", "k$ = ('x'):rep(@w)")
store("a long string", "local k$ = ('x'):rep(100) .. @v", "tonumber(k$:sub(101))", "k$ = ('x'):rep(100) .. @w")
store("a function that is replaced", "local function f$() return @v end", "f$()", "f$ = function() return @w end")
store("a loop's variable in a list of closures",
  "local list$ = {} for i = 1, 3 do local j = i list$[i] = function(s) if s then j = s end return j end end",
  "list$[2]()", "list$[2](@w)")
store("arguments kept by a closure",
  "local function keep$(...) local t = table.pack(...) return function() return t[2] end, t end " ..
  "local get$, t$ = keep$(0, @v)", "get$()", "t$[2] = @w")
store("the depth of a recursion",
  "local n$ = @v local function sum$(n) if n == 0 then return 0 end return n + sum$(n - 1) end", "sum$(n$)",
  "n$ = @w")
store("the step of a loop", "local step$ = 1",
  "(function() local n = 0 for _ = 1, 6, step$ do n = n + 1 end return n end)()", "step$ = 2")
store("the limit of a loop of floats", "local last$ = @v",
  "(function() local n = 0 for _ = 0.5, last$, 0.5 do n = n + 1 end return n end)()", "last$ = @w")

-- ---- Tables ----------------------------------------------------------------------------------------------------

store("an entry", "local t$ = { k = @v }", "t$.k", "t$.k = @w")
store("an entry that appears", "local t$ = {}", "(t$.k or @v)", "t$.k = @w")
store("an entry that is removed", "local t$ = { k = @v }", "(t$.k or @w)", "t$.k = nil")
store("a table that is replaced", "local t$ = { k = @v }", "t$.k", "t$ = { k = @w }")
store("an entry four tables deep", "local t$ = { a = { b = { c = { k = @v } } } }", "t$.a.b.c.k", "t$.a.b.c.k = @w")
store("a table in a table that is replaced", "local t$ = { a = { k = @v } }", "t$.a.k", "t$.a = { k = @w }")
store("an item", "local t$ = { 0, @v }", "t$[2]", "t$[2] = @w")
store("an item by 2.0", "local t$ = { 0, @v }", "t$[2.0]", "t$[2] = @w")
store("an item by a computed index", "local t$, i$ = { 0, 0, @v }, 1", "t$[i$ + 2]", "t$[3] = @w")
store("an index", "local t$, i$ = { @v, @w }, 1", "t$[i$]", "i$ = 2")
store("a key", "local t$, key$ = { a = @v, b = @w }, 'a'", "t$[key$]", "key$ = 'b'")
for name, key in sorted { ["a float"] = "1.5", ["true"] = "true", ["a long string"] = "('long'):rep(30)",
                         ["a negative number"] = "-3", ["a table"] = "nd$", ["a function"] = "print" } do
  store("an entry by " .. name, "local nd$ = {} local t$ = { [" .. key .. "] = @v }", "t$[" .. key .. "]",
    "t$[" .. key .. "] = @w")
end
store("an entry by a computed string", "local t$ = { k1 = @v }", "t$['k' .. #{ 0 }]", "t$.k1 = @w")
store("an entry that rawset writes", "local t$ = setmetatable({ k = @v }, { __newindex = error })", "t$.k",
  "rawset(t$, 'k', @w)")
store("an entry that rawget reads", "local t$ = setmetatable({ k = @v }, { __index = error })", "rawget(t$, 'k')",
  "t$.k = @w")
store("an entry of a weak table", "local t$ = setmetatable({ k = @v }, { __mode = 'v' })", "t$.k", "t$.k = @w")
store("an entry of a table that holds itself", "local t$ = { k = @v } t$.t = t$", "t$.t.t.t.k", "t$.k = @w")
store("one entry of a thousand", "local t$ = {} for i = 1, 1000 do t$['k' .. i] = @v end", "t$.k500", "t$.k500 = @w")
store("a getter in a table", "local t$ = { get = function() return @v end }", "t$.get()",
  "t$.get = function() return @w end")
store("an upvalue of a getter in a list", "local k$ = @v local t$ = { { function() return k$ end } }", "t$[1][1]()",
  "k$ = @w")
store("a list that table.insert changes", "local t$ = { @v }", "t$[1]", "table.insert(t$, 1, @w)")
store("a list that table.remove changes", "local t$ = { @v, @w }", "t$[1]", "table.remove(t$, 1)")
store("a list that table.sort changes", "local t$ = { 9, 1 }", "t$[1]", "table.sort(t$)")
store("a list that table.move changes", "local t$ = { @v, @w }", "t$[1]", "table.move(t$, 2, 2, 1)")
store("a length", "local t$ = { 1 }", "#t$", "t$[2] = 1")
store("a length by rawlen", "local t$ = { 1 }", "rawlen(t$)", "t$[2] = 1")
store("the length of a string", "local s$ = 'x'", "#s$", "s$ = 'xx'")
store("whether a table is empty", "local t$ = {}", "(next(t$) == nil and @v or @w)", "t$.k = 1")
store("the first key", "local t$ = { k = @v }", "select(2, next(t$))", "t$.k = nil t$.other = @w")
store("table.unpack", "local t$ = { 0, @v }", "select(2, table.unpack(t$))", "t$[2] = @w")
store("the number of values from table.unpack", "local t$ = { 0, 0 }", "select('#', table.unpack(t$))", "t$[3] = 0")
store("table.concat", "local t$ = { 'a', 'b' }", "#table.concat(t$)", "t$[2] = 'bcd'")
store("table.concat's end", "local t$ = { 'a', 'b' }", "#table.concat(t$, ',')", "t$[3] = 'c'")
store("table.move", "local t$ = { 0, @v }", "table.move(t$, 1, 2, 1, {})[2]", "t$[2] = @w")
store("a copy that is sorted", "local t$ = { @v + 9 }",
  "(function() local u = table.pack(table.unpack(t$)) table.sort(u) return u[1] end)()", "t$[2] = @w")
for name, loop in sorted {
  ["pairs"] = "for _, v in pairs(t$) do s = s + v end", ["ipairs"] = "for _, v in ipairs(t$) do s = s + v end",
  ["next"] = "local k, v = next(t$) while k do s = s + v k, v = next(t$, k) end",
  ["the generic for and next"] = "for _, v in next, t$ do s = s + v end",
  ["index"] = "for i = 1, #t$ do s = s + t$[i] end",
  ["while"] = "local i = 1 while t$[i] do s = s + t$[i] i = i + 1 end",
  ["repeat"] = "local i = 1 repeat s = s + (t$[i] or 0) i = i + 1 until not t$[i]",
} do
  local read = "(function() local s = 0 " .. loop .. " return s end)()"
  store("a list walked by " .. name .. ", one changed", "local t$ = { 1, @v, 3 }", read, "t$[2] = @w")
  store("a list walked by " .. name .. ", one more", "local t$ = { 1, @v, 3 }", read, "t$[4] = @w")
  store("a list walked by " .. name .. ", one less", "local t$ = { 1, @v, 3 }", read, "t$[3] = nil")
end
store("the keys of a table", "local t$ = { k = 1 }",
  "(function() local n = 0 for k in pairs(t$) do n = n + #k end return n end)()", "t$.k, t$.long = nil, 1")
-- 6 and 3 collide in a small table, where the first one comes first; in a large one 3 does
store("the order of keys", "local t$ = {} t$[6] = 2 t$[3] = 1",
  "(function() local s = 0 for _, v in pairs(t$) do s = s * 10 + v end return s end)()",
  "t$[6], t$[3] = nil for i = 100, 140 do t$[i] = 1 end for i = 100, 140 do t$[i] = nil end t$[6] = 2 t$[3] = 1")
store("a coroutine's function", "local function f$() coroutine.yield(@v) end", "coroutine.wrap(f$)()",
  "f$ = function() coroutine.yield(@w) end")
store("an array's table", "local t$ = { 1, @v }", "nd.array(t$):sum()", "t$[2] = @w")
store("a list with a metatable", "local t$ = setmetatable({ 1, @v }, {})", "nd.array(t$):sum()", "t$[2] = @w")
store("options with a metatable", "local t$ = setmetatable({ axis = 0 }, {})", "nd.ones{ 2, 3 }:sum(t$)[0]",
  "t$.axis = 1")
store("a list in a list with a metatable", "local t$ = setmetatable({ { 1 }, { @v } }, {})", "nd.array(t$):sum()",
  "t$[2][1] = @w")
store("a shape", "local t$ = { @v }", "nd.ones(t$):sum()", "t$[1] = @w")
store("a table of options", "local t$ = { axis = 0 }", "nd.reshape(nd.ones{2, 3}:sum(t$), {-1})[0]", "t$.axis = 1")

-- ---- Metatables ------------------------------------------------------------------------------------------------

store("__index's entry", "local far$ = { k = @v } local t$ = setmetatable({}, { __index = far$ })", "t$.k",
  "far$.k = @w")
store("an entry found through three __index",
  "local far$ = { k = @v } local t$ = far$ for _ = 1, 3 do t$ = setmetatable({}, { __index = t$ }) end", "t$.k",
  "far$.k = @w")
store("an entry that hides __index's", "local t$ = setmetatable({}, { __index = { k = @v } })", "t$.k", "t$.k = @w")
store("an entry half-way", "local mid$ = setmetatable({}, { __index = { k = @v } }) " ..
  "local t$ = setmetatable({}, { __index = mid$ })", "t$.k", "mid$.k = @w")
store("an upvalue of __index", "local k$ = @v local t$ = setmetatable({}, { __index = function() return k$ end })",
  "t$.k", "k$ = @w")
store("an __index that appears", "local mt$ = {} local t$ = setmetatable({}, mt$)", "(t$.k or @v)",
  "mt$.__index = { k = @w }")
store("an __index that is removed", "local mt$ = { __index = { k = @v } } local t$ = setmetatable({}, mt$)",
  "(t$.k or @w)", "mt$.__index = nil")
store("a table as __index that becomes a function",
  "local mt$ = { __index = { k = @v } } local t$ = setmetatable({}, mt$)", "t$.k",
  "mt$.__index = function() return @w end")
store("a metatable that appears", "local t$ = {}", "(t$.k or @v)", "setmetatable(t$, { __index = { k = @w } })")
store("a metatable that is removed", "local t$ = setmetatable({}, { __index = { k = @v } })", "(t$.k or @w)",
  "setmetatable(t$, nil)")
store("a metatable that is replaced", "local t$ = setmetatable({}, { __index = { k = @v } })", "t$.k",
  "setmetatable(t$, { __index = { k = @w } })")
store("a metatable's entry", "local t$ = setmetatable({}, { k = @v })", "getmetatable(t$).k", "getmetatable(t$).k = @w")
store("__metatable", "local mt$ = {} local t$ = setmetatable({}, mt$)", "(getmetatable(t$).k or @v)",
  "mt$.__metatable = { k = @w }")
store("a class's method",
  "local C$ = { get = function() return @v end } C$.__index = C$ local o$ = setmetatable({}, C$)", "o$:get()",
  "C$.get = function() return @w end")
store("an object's method that hides the class's",
  "local C$ = { get = function() return @v end } C$.__index = C$ local o$ = setmetatable({}, C$)", "o$:get()",
  "o$.get = function() return @w end")
store("a field that a class's method reads",
  "local C$ = { get = function(self) return self.k end } C$.__index = C$ local o$ = setmetatable({ k = @v }, C$)",
  "o$:get()", "o$.k = @w")
store("a base class's method", "local A$ = { get = function() return @v end } A$.__index = A$ " ..
  "local B$ = setmetatable({}, A$) B$.__index = B$ local o$ = setmetatable({}, B$)", "o$:get()",
  "A$.get = function() return @w end")
store("a base class that is replaced", "local A$ = { k = @v } A$.__index = A$ local B$ = setmetatable({}, A$) " ..
  "B$.__index = B$ local o$ = setmetatable({}, B$)", "o$.k", "setmetatable(B$, { __index = { k = @w } })")
for event, read in sorted { add = "t$ + 1", sub = "1 - t$", mul = "t$ * t$", div = "t$ / 2", mod = "3 % t$",
                           pow = "t$ ^ 2.5", unm = "-t$", idiv = "t$ // t$", band = "t$ & 1", bor = "1 | t$",
                           bxor = "t$ ~ 2.0", shl = "1 << t$", shr = "t$ >> 1", bnot = "~t$", concat = "t$ .. 'x'",
                           len = "#t$", call = "t$()", index = "t$.k",
                           eq = "(t$ == setmetatable({}, mt$) and @v or @w)", lt = "(t$ < 1 and @v or @w)",
                           le = "(1 <= t$ and @v or @w)", tostring = "(tostring(t$) == 'x' and @v or @w)" } do
  local compares = read:find "@v"
  local setup = "local mt$ = { __%s = function() return %s end } local t$ = setmetatable({}, mt$)"
  local first, second = "@v", "@w"
  if event == "tostring" then first, second = "'x'", "'y'" elseif compares then first, second = "true", "false" end
  store("__" .. event .. " that is replaced", setup:format(event, first), read,
    ("mt$.__%s = function() return %s end"):format(event, second))
  local tried = ("select(2, pcall(function() return %s end))"):format(read)
  store("__" .. event .. " that goes", setup:format(event, first), "(tonumber((" .. tried .. ")) or @w)",
    ("mt$.__%s = nil"):format(event))
  store("__" .. event .. " that appears", setup:format("other", first), "(tonumber((" .. tried .. ")) or @w)",
    ("mt$.__%s = function() return %s end"):format(event, first))
end
store("__pairs that is replaced",
  "local mt$ = { __pairs = function() return next, { @v } end } local t$ = setmetatable({}, mt$)",
  "(function() for _, v in pairs(t$) do return v end end)()", "mt$.__pairs = function() return next, { @w } end")
store("__pairs that appears", "local mt$ = {} local t$ = setmetatable({ @v }, mt$)",
  "(function() for _, v in pairs(t$) do return v end end)()", "mt$.__pairs = function() return next, { @w } end")
store("__name", "local mt$ = { __name = 'a' } local t$ = setmetatable({}, mt$)", "#(tostring(t$):match '%a+')",
  "mt$.__name = 'abc'")
store("__close that is replaced", "local n$ = {} local mt$ = { __close = function(o) o.k = @v end }",
  "(function() local o = setmetatable({}, mt$) do local _ <close> = o end return o.k end)()",
  "mt$.__close = function(o) o.k = @w end")
store("__newindex", "local mt$ = {} local function new$() return setmetatable({}, mt$) end",
  "(function() local o = new$() o.k = @v return o.k or @w end)()", "mt$.__newindex = function() end")
store("__index's __len", "local far$ = setmetatable({}, { __len = function() return @v end }) " ..
  "local t$ = setmetatable({}, { __index = { far = far$ } })", "#t$.far",
  "getmetatable(far$).__len = function() return @w end")
store("__call of __call", "local g$ = setmetatable({}, { __call = function() return @v end }) " ..
  "local t$ = setmetatable({}, { __call = g$ })", "t$()", "getmetatable(g$).__call = function() return @w end")
store("__lt that decides a sort", "local mt$ = { __lt = function(a, b) return a.k < b.k end }",
  "(function() local t = {} for i = 1, 3 do t[i] = setmetatable({ k = i }, mt$) end table.sort(t) return t[1].k end)()",
  "mt$.__lt = function(a, b) return a.k > b.k end")
store("__add of a table added to a string", "local mt$ = { __add = function() return @v end } " ..
  "local t$ = setmetatable({}, mt$)", "('1' + t$)", "mt$.__add = function() return @w end")
store("__call that pcall needs", "local mt$ = { __call = function() return @v end } local t$ = setmetatable({}, mt$)",
  "select(2, pcall(t$))", "mt$.__call = function() return @w end")
store("__call that xpcall needs", "local mt$ = {} local t$ = setmetatable({}, mt$)",
  "(xpcall(t$, type) and @w or @v)", "mt$.__call = function() end")
store("the table of gsub", "local t$ = { a = 'x' }", "#(('ab'):gsub('%a', t$))", "t$.b = 'yz'")
store("__index of the table of gsub",
  "local k$ = 'x' local t$ = setmetatable({}, { __index = function() return k$ end })", "#(('ab'):gsub('%a', t$))",
  "k$ = 'yz'")
store("a nested entry next to the table of gsub",
  "local far$ = { a = 'x' } local t$ = setmetatable({}, { __index = far$ })", "#(('ab'):gsub('%a', t$))",
  "far$.b = 'yz'")
store("__tostring that format needs", "local mt$ = { __tostring = function() return 'x' end } " ..
  "local t$ = setmetatable({}, mt$)", "#string.format('%s', t$)", "mt$.__tostring = function() return 'xy' end")
store("two tables that become one", "local t$, u$ = {}, {}", "(t$ == u$ and @w or @v)", "u$ = t$")
store("a metatable's identity", "local mt$ = {} local t$ = setmetatable({}, mt$)",
  "(getmetatable(t$) == mt$ and @v or @w)", "setmetatable(t$, {})")
store("__index that ipairs reads", "local n$ = @v local t$ = setmetatable({}, { __index = function(_, i) " ..
  "if i <= n$ then return i end end })",
  "(function() local s = 0 for _, v in ipairs(t$) do s = s + v end return s end)()", "n$ = @w")
store("__index that table.concat reads", "local s$ = 'a' " ..
  "local t$ = setmetatable({}, { __len = function() return 2 end, __index = function() return s$ end })",
  "#table.concat(t$)", "s$ = 'abc'")

-- Metatables of types.
for name, value in sorted { number = "5", ["nil"] = "nil", boolean = "true", ["function"] = "print" } do
  local read = ("select(2, pcall(function() local v = %s return v.key$ end))"):format(value)
  store("the metatable of a " .. name, "local before$ = debug.getmetatable(" .. value .. ")",
    "(tonumber((" .. read .. ")) or @v)", "debug.setmetatable(" .. value .. ", { __index = { key$ = @w } })",
    "debug.setmetatable(" .. value .. ", before$)")
end
store("__index of strings", "local before$ = getmetatable('').__index", "(('x').key$ or @v)",
  "getmetatable('').__index = setmetatable({ key$ = @w }, { __index = string })",
  "getmetatable('').__index = before$")
store("__add of strings", "local before$ = getmetatable('').__add", "('1' + 1)",
  "getmetatable('').__add = function() return 7 end", "getmetatable('').__add = before$")
store("a method of strings", "local before$ = string.len", "('abc'):len()", "string.len = function() return @w + 3 end",
  "string.len = before$")
store("__concat of nil", "", "(tonumber((select(2, pcall(function() return nil .. 'x' end)))) or @v)",
  "debug.setmetatable(nil, { __concat = function() return @w end })", "debug.setmetatable(nil, nil)")
store("__call of numbers", "local before$ = debug.getmetatable(5)",
  "(tonumber((select(2, pcall(function() local n = 5 return n() end)))) or @v)",
  "debug.setmetatable(5, { __call = function() return @w end })", "debug.setmetatable(5, before$)")
store("__lt of booleans", "", "(pcall(function() return true < false end) and @w or @v)",
  "debug.setmetatable(true, { __lt = function() return true end })", "debug.setmetatable(true, nil)")

-- ---- Globals and modules ------------------------------------------------------------------------------------------

store("a global", "_G.G$ = @v", "G$", "_G.G$ = @w", "_G.G$ = nil")
store("a global that appears", "", "(G$ or @v)", "_G.G$ = @w", "_G.G$ = nil")
store("an entry of _G", "_G.G$ = @v", "_G.G$", "_G.G$ = @w", "_G.G$ = nil")
store("a global by rawget", "_G.G$ = @v", "rawget(_G, 'G$')", "_G.G$ = @w", "_G.G$ = nil")
store("an entry of a global table", "_G.G$ = { k = @v }", "G$.k", "_G.G$.k = @w", "_G.G$ = nil")
store("a global function", "function _G.G$() return @v end", "G$()", "function _G.G$() return @w end", "_G.G$ = nil")
store("a value from _G's metatable", "local before$ = getmetatable(_G)", "(G$ or @v)",
  "setmetatable(_G, { __index = function(_, k) if k == 'G$' then return @w end end })", "setmetatable(_G, before$)")
store("an environment", "local env$ = { k = @v } local f$ = load('return k', '=env', 't', env$)", "f$()", "env$.k = @w")
store("an environment that is replaced", "local f$ = load('return k', '=env', 't', { k = @v })", "f$()",
  "debug.setupvalue(f$, 1, { k = @w })")
store("a loaded module", "package.loaded.M$ = { k = @v }", "require('M$').k", "package.loaded.M$ = { k = @w }",
  "package.loaded.M$ = nil")
store("an entry of a loaded module", "package.loaded.M$ = { k = @v }", "require('M$').k", "package.loaded.M$.k = @w",
  "package.loaded.M$ = nil")
store("package.loaded", "package.loaded.M$ = @v", "package.loaded.M$", "package.loaded.M$ = @w",
  "package.loaded.M$ = nil")
store("a function of a library", "local before$ = math.abs", "math.abs(-@v)", "math.abs = function() return @w end",
  "math.abs = before$")
store("a value put into a library", "", "(table.mine$ or @v)", "table.mine$ = @w", "table.mine$ = nil")
store("a refused function that the script replaced", "local before$ = os.time os.time = function() return @v end",
  "os.time()", "os.time = function() return @w end", "os.time = before$")
store("a number of a library", "local before$ = math.pi math.pi = @v", "math.pi", "math.pi = @w", "math.pi = before$")
store("tostring", "local before$ = tostring", "#tostring(12)", "tostring = function() return 'abcd' end",
  "tostring = before$")
store("select", "local before$ = select", "select('#', 1, 2)", "select = function() return 7 end", "select = before$")

-- ---- hybridlua's own objects -------------------------------------------------------------------------------------

store("an array's number", "local a$ = nd.array{ @v }", "a$:asscalar()", "a$[0] = @w")
store("an array's numbers", "local a$ = nd.array{ 0, @v }", "a$:totable()[2]", "a$[1] = @w")
store("an array", "local a$ = nd.array{ @v }", "a$", "a$[0] = @w")
store("an array that is replaced", "local a$ = nd.array{ @v }", "a$", "a$ = nd.array{ @w }")
store("an array that is replaced by a longer one", "local a$ = nd.array{ @v }", "a$:sum()",
  "a$ = nd.array{ @w, @w }")
store("an array's shape", "local a$ = nd.ones{ @v }", "a$.shape[1]", "a$ = nd.ones{ @w }")
store("an array's dtype", "local a$ = nd.ones{ 1 }", "#a$.dtype", "a$ = nd.ones({ 1 }, { dtype = 'int8' })")
store("an array as text", "local a$ = nd.array{ @v }", "#tostring(a$)", "a$[0] = 1000")
store("a gradient", "local a$ = nd.array{ @v } a$:attach_grad()", "a$.grad", "a$.grad[0] = @w")
store("an array in a table", "local t$ = { nd.array{ @v } }", "t$[1]", "t$[1] = nd.array{ @w }")
store("a parameter's lr_mult", "local p$ = gluon.Parameter('p', { shape = { 1 }, lr_mult = @v })", "p$.lr_mult",
  "p$.lr_mult = @w")
store("a parameter's data", "local p$ = gluon.Parameter('p', { shape = { 1 } }) p$:initialize(hl.init.Constant(@v))",
  "p$:data()", "p$:set_data(nd.array{ @w })")
store("a parameter's own field", "local p$ = gluon.Parameter('p', { shape = { 1 } }) p$.mine = { k = @v }", "p$.mine.k",
  "p$.mine.k = @w")
store("a field that a parameter gets", "local p$ = gluon.Parameter('p', { shape = { 1 } })", "(p$.mine or @v)",
  "p$.mine = @w")
store("a trainer's learning rate", "local p$ = gluon.Parameter('p', { shape = { 1 } }) p$:initialize() " ..
  "local r$ = gluon.Trainer({ p$ }, 'sgd', { learning_rate = @v })", "r$.learning_rate", "r$:set_learning_rate(@w)")
store("a function that a trainer holds", "local k$ = @v local p$ = gluon.Parameter('p', { shape = { 1 } }) " ..
  "p$:initialize() local r$ = gluon.Trainer({ p$ }, 'sgd', {}) r$.rate = function() return k$ end", "r$.rate()",
  "k$ = @w")
store("an optimizer's field", "local o$ = hl.optimizer.create('sgd', { learning_rate = @v })", "o$.lr", "o$.lr = @w")
store("a scheduler", "local s$ = hl.lr_scheduler.FactorScheduler(10, { factor = 0.5, base_lr = @v })", "s$.base_lr",
  "s$.base_lr = @w")
store("a metric", "local m$ = hl.metric.Accuracy() m$:update(nd.array{ 1 }, nd.array{ { 0, 1 } })",
  "select(2, m$:get())", "m$:update(nd.array{ 0 }, nd.array{ { 0, 1 } })")
store("a method of the script's metric", "local k$ = @v local M$ = hl.metric.EvalMetric:subclass 'M' " ..
  "function M$:get() return 'm', k$ end local m$ = M$()", "select(2, m$:get())", "k$ = @w")
store("a method of the script's optimizer", "local k$ = @v local O$ = hl.optimizer.Optimizer:subclass 'O' " ..
  "function O$:rate() return k$ end local o$ = O${}", "o$:rate()", "k$ = @w")
store("an initializer's field", "local i$ = hl.init.Constant(@v)", "i$.value", "i$.value = @w")
store("a block's field", "local b$ = nn.HybridLambda(function(_, a) return a end) b$.k = @v", "b$.k", "b$.k = @w")
store("a block's field that appears", "local b$ = nn.HybridLambda(function(_, a) return a end)", "(b$.k or @v)",
  "b$.k = @w")
store("a table in a block", "local b$ = nn.HybridLambda(function(_, a) return a end) b$.t = { k = @v }", "b$.t.k",
  "b$.t.k = @w")
store("a member of a block's class", "local B$ = gluon.HybridBlock:subclass 'B' B$.k = @v local b$ = B$()", "b$.k",
  "B$.k = @w")
store("a method of a block's class", "local B$ = gluon.HybridBlock:subclass 'B' function B$:get() return @v end " ..
  "local b$ = B$()", "b$:get()", "function B$:get() return @w end")
store("a raw entry of a block", "local b$ = nn.HybridLambda(function(_, a) return a end)", "(b$.k or @v)",
  "rawset(b$, 'k', @w)")
store("a child's field", "local b$ = nn.HybridSequential() b$:add(nn.Dense(2), nn.Dense(2)) b$[1].k = @v", "b$[1].k",
  "b$[1].k = @w")
store("a child that is added", "local b$ = nn.HybridSequential() b$:add(nn.Dense(2))", "#b$", "b$:add(nn.Dense(2))")
store("the function of a block", "local b$ = nn.HybridLambda(function(_, a) return a * @v end)", "b$(x)[0]",
  "b$ = nn.HybridLambda(function(_, a) return a * @w end)")
store("an upvalue of a block's function", "local k$ = @v local b$ = nn.HybridLambda(function(_, a) return a * k$ end)",
  "b$(x)[0]", "k$ = @w")
store("an upvalue of a function that hl.grad holds",
  "local k$ = @v local g$ = hl.grad(function(a) return (a * k$):sum() end)", "g$(x)[0]", "k$ = @w")
store("an upvalue of a function that hl.value_and_grad holds",
  "local k$ = @v local g$ = hl.value_and_grad(function(a) return (a * k$):sum() end)", "g$(x)", "k$ = @w")
store("an upvalue of a compiled function", "local k$ = @v local g$ = hl.compile(function(_, a) return a * k$ end)",
  "g$(x)[0]", "k$ = @w")
store("a value that the script puts into nd", "nd.mine$ = @v", "nd.mine$", "nd.mine$ = @w", "nd.mine$ = nil")
store("a value that the script has not yet put into hl", "",
  "(hl.has \"mine$\" and hl.mine$ or @v)", "hl.mine$ = @w", "hl.mine$ = nil")
store("a function of nd that the script replaces", "local before$ = nd.square", "nd.square(nd.ones{ 1 } + 1)",
  "nd.square = function() return nd.array{ @w } end", "nd.square = before$")
store("digits that are printed", "local a$ = nd.array{ 1.23456 }", "#tostring(a$)",
  "nd.set_printoptions{ precision = 1 }", "nd.set_printoptions{ precision = 8 }")

-- ---- Refused operations ----------------------------------------------------------------------------------------

refused("a coroutine's status", "a coroutine that began outside",
  "local c$ = coroutine.create(function() coroutine.yield() end)", "#coroutine.status(c$)",
  "coroutine.resume(c$) coroutine.resume(c$)")
refused("a coroutine from outside", "a coroutine that began outside",
  "local c$ = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end)", "c$()", "c$()")
refused("an iterator with its own state", "was read, and then written",
  "local n$ = 0 local function next$() n$ = n$ + 1 return n$ end", "next$()", "n$ = 5")
refused("a generator from outside", "was read, and then written",
  "local s$ = { n = 1 } local function step$() s$.n = s$.n + 1 return s$.n end", "step$()", "s$.n = 5")
refused("memory in use", "collectgarbage \"count\"", "", "(collectgarbage 'count' > 0 and @v or @w)", "")
refused("debug.getupvalue", "debug.getupvalue()", "local k$ = @v local function f$() return k$ end",
  "select(2, debug.getupvalue(f$, 1))", "k$ = @w")
refused("a file's state", "io.type of a file", "local f$ = io.open('/dev/null')", "#io.type(f$)", "f$:close()")
refused("the locale", "os.setlocale()", "", "#os.setlocale()", "")

-- ---- Ways to read ------------------------------------------------------------------------------------------------

way("a function", "local function w$() return @e end", "w$()")
way("a tail call", "local function w$() return @e end local function v$() return w$() end", "v$()")
way("a closure made in the trace", "", "(function() return function() return @e end end)()()")
way("a recursion", "local function w$(n) if n == 0 then return @e end return w$(n - 1) end", "w$(5)")
way("varargs", "local function w$(...) return select(select('#', ...), ...) end", "w$(nil, nil, @e)")
way("an entry of a table that the trace makes", "", "({ k = @e }).k")
way("a list that the trace makes", "", "({ 0, 0, @e })[3]")
way("an object that the trace makes", "local C$ = {} C$.__index = C$ function C$:get() return self.k end",
  "setmetatable({ k = @e }, C$):get()")
way("__index", "local t$ = setmetatable({}, { __index = function() return @e end })", "t$.k")
way("__call", "local t$ = setmetatable({}, { __call = function() return @e end })", "t$()")
way("__len", "local t$ = setmetatable({}, { __len = function() return @e end })", "#t$")
way("__unm", "local t$ = setmetatable({}, { __unm = function() return @e end })", "-t$")
way("__add", "local t$ = setmetatable({}, { __add = function() return @e end })", "(1 + t$)")
way("__concat", "local t$ = setmetatable({}, { __concat = function() return @e end })", "('a' .. t$)")
way("__pairs", "local t$ = setmetatable({}, { __pairs = function() return next, { @e } end })",
  "(function() for _, v in pairs(t$) do return v end end)()")
way("__close", "local mt$ = { __close = function(o) o.k = @e end }",
  "(function() local o = setmetatable({}, mt$) do local _ <close> = o end return o.k end)()")
way("__newindex", "local mt$ = { __newindex = function(t, k, v) rawset(t, k, v) end }",
  "(function() local o = setmetatable({}, mt$) o.k = @e return o.k end)()")
way("an iterator", "local function w$(n) return function() n = n - 1 if n >= 0 then return @e end end end",
  "(function() local s for v in w$(2) do s = v end return s end)()")
way("a return from inside a loop", "", "(function() for i = 1, 5 do if i == 3 then return @e end end end)()")
way("goto", "", "(function() local i = 0 ::top:: i = i + 1 if i < 3 then goto top end return @e end)()")
way("a coroutine", "local function w$() coroutine.yield() return @e end",
  "(function() local c = coroutine.wrap(w$) c() return c() end)()")
way("coroutine.resume", "local function w$() coroutine.yield() return @e end",
  "(function() local c = coroutine.create(w$) coroutine.resume(c) return select(2, coroutine.resume(c)) end)()")
way("a coroutine's yield", "", "coroutine.wrap(function() coroutine.yield(@e) end)()")
way("pcall", "", "select(2, pcall(function() return @e end))")
way("xpcall", "local function w$() return @e end", "select(2, xpcall(w$, print))")
way("an error", "", "select(2, pcall(function() error({ k = @e }) end)).k")
way("a message handler", "", "select(2, xpcall(error, function() return @e end))")
way("the comparison of a sort", "",
  "(function() local t, k = { 2, 1 } table.sort(t, function(a, b) k = @e return a < b end) return k end)()")
way("the function of gsub", "", "(function() local k string.gsub('a', 'a', function() k = @e end) return k end)()")
way("a loaded chunk", "local w$ = load('local f = ... return f()')", "w$(function() return @e end)")
way("table.pack and unpack", "", "table.unpack(table.pack(@e))")
way("rawset and rawget", "", "rawget(rawset({}, 'k', @e), 'k')")
way("a stripped function", "local w$ = load(string.dump(load('local f = ... return f()'), true), 'w', 'b')",
  "w$(function() return @e end)")
way("both sides of and", "", "(true and @e or 0)")
way("a method of a class", "local C$ = {} C$.__index = C$ function C$.get() return @e end " ..
  "local o$ = setmetatable({}, C$)", "o$:get()")
way("a block", "local b$ = nn.HybridLambda(function() return @e end)", "b$(x)")
way("a Lambda's closure", "local b$ = gluon.nn.Lambda(function() return @e end)", "b$(x)")
way("a method of a block", "local B$ = gluon.HybridBlock:subclass 'B' function B$.get() return @e end local b$ = B$()",
  "b$:get()")
way("an entry that __index stores", "local t$ = setmetatable({}, { __index = function(t, k) local v = @e " ..
  "return v end })", "(t$.a * 0 + t$.b)")

-- ---- Cases -----------------------------------------------------------------------------------------------------

local function fill(text, unique, values, inner)
  local filled = (text or ""):gsub("%$", unique)
  return (filled:gsub("@([vwe])", function(name) return name == "e" and inner or values[name] end))
end

-- The text of a chunk that returns fn(F, x), the change, and the undo of both.
local function text_of(held, behind, before, after)
  local values = { v = before, w = after }
  local setup = { fill(held.setup, "_0", values) }
  local expression = fill(held.read, "_0", values)
  for i, each in ipairs(behind) do
    setup[#setup + 1] = fill(each.setup, "_" .. i, values, expression)
    expression = fill(each.read, "_" .. i, values, expression)
  end
  return ("local hl, nd, gluon, nn = ...\nlocal x = nd.ones { 1 }\n%s\nlocal function read() return %s end\n" ..
    "return function(_, a) return a * read() end, function() %s end, function() %s end\n"):format(
    table.concat(setup, "\n"), expression, fill(held.change, "_0", values), fill(held.undo, "_0", values))
end

local function case(held, behind, before, after)
  local names, text = { held.name }, text_of(held, behind, before, after)
  for i, each in ipairs(behind) do names[i + 1] = each.name end
  return { name = table.concat(names, ", by "), text = text, refused = held.refused,
           make = function() return assert(load(text, "=capture"))(hl, hl.nd, hl.gluon, hl.gluon.nn) end }
end

--- Each store alone, and each way to an upvalue.
function captures.single()
  local cases = {}
  for _, held in ipairs(stores) do cases[#cases + 1] = case(held, {}, 2, 3) end
  for _, each in ipairs(ways) do cases[#cases + 1] = case(stores[1], { each }, 2, 3) end
  return cases
end

--- A store reached by one to three ways, drawn by a seed.
function captures.random(seed)
  local function below(n)
    seed = (seed * 6364136223846793005 + 1442695040888963407)
    return (seed >> 33) % n
  end
  local held, behind
  repeat held = stores[below(#stores) + 1] until not held.refused
  behind = {}
  for i = 1, 1 + below(3) do behind[i] = ways[below(#ways) + 1] end
  local before = 2 + below(3)
  return case(held, behind, before, before + 1 + below(3))
end

return captures
