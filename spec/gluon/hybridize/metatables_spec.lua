-- metatables_spec.lua - metatables in compiled code: missing ones, missing entries and those of basic types are
-- followed; so are the order of a table's keys, and rawset into blocks and modules.
local hl = require "hybridlua"
local nd, gluon, nn = hl.nd, hl.gluon, hl.gluon.nn

local x = nd.array { 1, 2 }

-- Asserts that fn(F, x) returns the same in eager and compiled code before and after a change.
local function follows(fn, change, undo)
  local compiled = hl.compile(fn)
  local before = fn(nd, x):totable()
  assert.same(before, compiled(x):totable())
  assert.same(before, compiled(x):totable())
  change()
  local ok, problem = pcall(function()
    local after = fn(nd, x):totable()
    assert.not_same(before, after)
    assert.same(after, compiled(x):totable())
    assert.same(after, compiled(x):totable())
  end)
  if undo then undo() end
  assert(ok, problem)
end

describe("a table's metatable", function()
  it("may be added later, for a missing entry", function()
    local t = {}
    follows(function(_, a) return a * (t.k or 1) end, function() setmetatable(t, { __index = { k = 5 } }) end)
    local u = {}
    follows(function(_, a) return a * (u.k or 1) end,
      function() setmetatable(u, { __index = function() return 5 end }) end)
  end)
  it("may be added later, for the length, pairs and ==", function()
    local t, u, v, w = { 1, 2 }, { k = 2 }, {}, {}
    follows(function(_, a) return a * #t end, function() setmetatable(t, { __len = function() return 5 end }) end)
    follows(function(_, a) for _, k in pairs(u) do a = a * k end return a end,
      function() setmetatable(u, { __pairs = function() return next, { k = 7 } end }) end)
    follows(function(_, a) return v == w and a or a * 2 end,
      function() setmetatable(w, { __eq = function() return true end }) end)
  end)
  it("may be removed", function()
    local t = setmetatable({}, { __index = { k = 5 } })
    follows(function(_, a) return a * (t.k or 1) end, function() setmetatable(t, nil) end)
  end)
  it("may get a missing entry", function()
    for _, each in ipairs {
      { "__index", { k = 5 } }, { "__len", function() return 5 end },
      { "__pairs", function() return next, { k = 7 } end }, { "__eq", function() return true end },
    } do
      local meta, other = {}, {}
      local t = setmetatable({}, meta)
      follows(function(_, a)
        a = a * (t.k or 1) + #t
        for _, k in pairs(t) do a = a * k end
        return t == other and a * 3 or a
      end, function() meta[each[1]] = each[2] end)
    end
  end)
  it("may get other entries", function()
    for _, each in ipairs {
      { "__index", { k = 3 }, { k = 5 } }, { "__len", function() return 2 end, function() return 5 end },
      { "__pairs", function() return next, { k = 7 } end, function() return next, { k = 8 } end },
      { "__eq", function() return true end, function() return false end },
      { "__call", function() return 2 end, function() return 4 end },
      { "__unm", function() return 2 end, function() return 4 end },
    } do
      local meta, other = { __call = function() return 1 end, __unm = function() return 1 end }, {}
      meta[each[1]] = each[2]
      local t = setmetatable({}, meta)
      follows(function(_, a)
        a = a * (t.k or 1) + #t + t() + -t
        for _, k in pairs(t) do a = a * k end
        return t == other and a * 3 or a
      end, function() meta[each[1]] = each[3] end)
    end
  end)
  it("is followed as the result of getmetatable", function()
    local meta, t = {}, {}
    setmetatable(t, meta)
    follows(function(_, a) return getmetatable(t) == meta and a or a * 2 end, function() meta.__metatable = 5 end)
    local u = {}
    follows(function(_, a) return getmetatable(u) and a or a * 2 end, function() setmetatable(u, {}) end)
  end)
  it("may have functions whose upvalues change", function()
    local k = 2
    local t = setmetatable({}, { __index = function() return k end, __len = function() return k end })
    follows(function(_, a) return a * t.far + #t end, function() k = 5 end)
  end)
  it("is followed in nested tables", function()
    local t = { inner = {} }
    follows(function(_, a) return a * (t.inner.k or 1) end,
      function() setmetatable(t.inner, { __index = { k = 5 } }) end)
  end)
  it("may have a metatable itself", function()
    local meta = {}
    local t = setmetatable({}, { __index = setmetatable({}, meta) })
    follows(function(_, a) return a * (t.k or 1) end, function() meta.__index = { k = 5 } end)
  end)
end)

describe("the metatable of a basic type", function()
  local values = { number = 1, boolean = true, ["function"] = print }
  for name, value in pairs(values) do
    it("of a " .. name .. " is followed", function()
      local before = debug.getmetatable(value)
      local function set(k) debug.setmetatable(value, { __index = function() return k end }) end
      set(2)
      local v = value
      follows(function(_, a) return a * v.mine end, function() set(5) end,
        function() debug.setmetatable(value, before) end)
    end)
  end
  it("of strings may have another __index", function()
    local meta = debug.getmetatable ""
    local before = meta.__index
    local text = "text"
    follows(function(_, a) return a * text:len() end,
      function() meta.__index = setmetatable({ len = function() return 9 end }, { __index = before }) end,
      function() meta.__index = before end)
  end)
  it("may have functions with upvalues", function()
    local before, k, fn = debug.getmetatable(print), 2, function() end
    debug.setmetatable(print, { __index = function() return k end })
    follows(function(_, a) return a * fn.mine end, function() k = 5 end,
      function() debug.setmetatable(print, before) end)
  end)
end)

describe("the order of pairs", function()
  -- Returns a * (first - 0.5 * second + ...), which depends on the order.
  local function in_order(a, t, iterate)
    local weight, sum = 1, 0
    for _, k in iterate(t) do
      sum = sum + weight * k
      weight = weight * -0.5
    end
    return a * sum
  end
  local function table_of(n)
    local t = {}
    for i = 1, n do t["key" .. i] = i end
    return t
  end
  local function shuffle(t)
    local before = {}
    for key in pairs(t) do before[#before + 1] = key end
    for round = 1, 100 do
      local values = {}
      for key, value in pairs(t) do values[key] = value end
      for key in pairs(values) do t[key] = nil end
      for i = 1, 40 do t["other" .. round .. i] = i end          -- makes Lua reallocate the table
      for i = 1, 40 do t["other" .. round .. i] = nil end
      local keys = {}
      for key in pairs(values) do keys[#keys + 1] = key end
      table.sort(keys, function(a, b) return round % 2 == 0 and a < b or round % 2 == 1 and a > b end)
      for _, key in ipairs(keys) do t[key] = values[key] end
      local i, same = 0, true
      for key in pairs(t) do
        i = i + 1
        same = same and before[i] == key
      end
      if not same then return end
    end
    error "the order is always the same"
  end
  for name, iterate in pairs { pairs = pairs, next = function(t) return next, t end } do
    it("is followed in " .. name, function()
      local t = table_of(20)
      follows(function(_, a) return in_order(a, t, iterate) end, function() shuffle(t) end)
    end)
  end
  it("is unchanged by a trace", function()
    local t, before = table_of(50), {}
    for key in pairs(t) do before[#before + 1] = key end
    hl.compile(function(_, a) return a * t.key7 end)(x)
    local i = 0
    for key in pairs(t) do
      i = i + 1
      assert.equal(before[i], key)
    end
  end)
end)

describe("rawset", function()
  it("into a block hides the field of that name", function()
    local Net = gluon.HybridBlock:subclass "RawNet"
    function Net:hybrid_forward(_, a) return a * self.k end
    local net = Net()
    net.k = 2
    net:hybridize()
    assert.bits(nd.array { 2, 4 }, net(x))
    rawset(net, "k", 5)
    assert.bits(nd.array { 5, 10 }, net(x))
    net.k = 6
    assert.bits(nd.array { 6, 12 }, net(x))
    rawset(net, "k", nil)
    assert.bits(nd.array { 2, 4 }, net(x))
    net.k = 7
    assert.bits(nd.array { 7, 14 }, net(x))
  end)
  it("works on a built-in layer", function()
    local layer = nn.Dense(1)
    rawset(layer, "mine", 2)
    follows(function(_, a) return a * layer.mine end, function() rawset(layer, "mine", 3) end)
    follows(function(_, a) return a * (layer.other or 1) end, function() layer.other = 3 end)
    follows(function(_, a) return a * (layer.third or 1) end, function() rawset(layer, "third", 3) end)
  end)
  it("works on nd", function()
    follows(function(_, a) return nd.tanh(a) end, function() rawset(nd, "tanh", nd.relu) end,
      function() rawset(nd, "tanh", nil) end)
    follows(function(_, a) return nd.linalg.sumlogdiag(nd.diag(a)) * a end,
      function() rawset(nd.linalg, "sumlogdiag", function(m) return nd.sum(m) end) end,
      function() rawset(nd.linalg, "sumlogdiag", nil) end)
  end)
  it("on nd or sym alone makes a trace reject that name in F", function()
    for name, module in pairs { nd = nd, sym = hl.sym } do
      local f = hl.compile(function(F, a) return F.tanh(a) end)
      rawset(module, "tanh", module.relu)
      finally(function() rawset(module, "tanh", nil) end)
      assert.raises(function() f(x) end,
        "metatables_spec.lua:%d+: rawset has put 'tanh' into " .. name .. ", .*; write nd.tanh = value")
      rawset(module, "tanh", nil)
      assert.bits(nd.tanh(x), f(x))
    end
  end)
end)

describe("the text of an array", function()
  it("follows nd.set_printoptions", function()
    local w = nd.array { 1 / 3, 2 / 3 }
    follows(function(_, a) return a * #tostring(w) end, function() nd.set_printoptions { precision = 3 } end,
      function() nd.set_printoptions { precision = 8 } end)
    follows(function(_, a) return a * #("%s"):format(w) end, function() nd.set_printoptions { precision = 3 } end,
      function() nd.set_printoptions { precision = 8 } end)
  end)
end)
