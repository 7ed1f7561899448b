-- written_arguments_spec.lua - side effects that a trace could lose: writing into argument tables, returning one table
-- twice, rawset of a global, calling a block with hooks, inferring shapes. Each is followed, warned about or rejected.
-- luacheck: ignore 111 112 113
local hl = require "hybridlua"
local nd, gluon, nn = hl.nd, hl.gluon, hl.gluon.nn

local x = nd.array { 1, 2 }

describe("traced code that writes into an argument table", function()
  local writes = {
    ["a new key"] = function(o) o.more = 1 end,
    ["another number"] = function(o) o.k = 5 end,
    ["an array replaced"] = function(o, a) o.array = a * 2 end,
    ["a key removed"] = function(o) o.k = nil end,
    ["an item of a list"] = function(o) o.list[#o.list + 1] = 4 end,
    ["rawset"] = function(o) rawset(o, "more", 1) end,
    ["table.insert"] = function(o, a) table.insert(o.list, a) end,
    ["a table replaced"] = function(o) o.list = 1 end,
  }
  local function fresh() return { k = 2, array = nd.ones { 2 }, list = { 1, 2, 3 } } end
  for name, write in pairs(writes) do
    it("raises an error with effects = \"error\": " .. name, function()
      local f = hl.compile(function(_, a, o) write(o, a) return a * 2 end, { effects = "error" })
      assert.raises(function() f(x, fresh()) end, "argument 2[.%w]* ?.*is written while the block is traced")
    end)
  end
  it("causes a warning otherwise", function()
    local stderr, said = io.stderr, ""
    io.stderr = { write = function(_, text) said = said .. text end }                     -- luacheck: ignore 122
    local f = hl.compile(function(_, a, o) o.k = 3 return a * 2 end)
    local ok = pcall(f, x, fresh())
    io.stderr = stderr                                                                    -- luacheck: ignore 122
    assert.is_true(ok)
    assert.matches("argument 2%.k is written while the block is traced", said)
  end)
  it("may read the table", function()
    local f = hl.compile(function(_, a, o)
      for _, v in ipairs(o.list) do a = a * v end
      for _ in pairs(o) do a = a + 1 end
      return a * o.k + o.array
    end, { effects = "error" })
    for _ = 1, 2 do assert.same({ 19, 31 }, f(x, fresh()):totable()) end
  end)
end)

describe("a table returned twice", function()
  it("is one table in compiled calls", function()
    local f = hl.compile(function(_, a)
      local t = { a * 2, inner = { a + 1 } }
      return t, t, { again = t.inner }
    end)
    for _ = 1, 3 do
      local one, two, three = f(x)
      assert.is_true(rawequal(one, two))
      assert.is_true(rawequal(one.inner, three.again))
      assert.same({ 2, 4 }, one[1]:totable())
      assert.same({ 2, 3 }, three.again[1]:totable())
    end
  end)
  it("may be equal to another one without being the same", function()
    local f = hl.compile(function(_, a) return { a }, { a } end)
    for _ = 1, 3 do
      local one, two = f(x)
      assert.is_false(rawequal(one, two))
    end
  end)
  it("cannot contain itself", function()
    local f = hl.compile(function(_, a)
      local t = { a }
      t.t = t
      return t
    end)
    assert.raises(function() f(x) end, "returned a table that contains itself")
  end)
end)

-- busted runs specs with other globals.
local function in_lua_globals(text) return assert(load("return " .. text))() end

describe("rawset of a global in traced code", function()
  it("sets it, with a warning or an error", function()
    local fn = in_lua_globals 'function(_, a) rawset(_G, "RawGlobal", 5) return a * rawget(_G, "RawGlobal") end'
    finally(function() in_lua_globals "rawset(_G, 'RawGlobal', nil)" end)
    assert.raises(function() hl.compile(fn, { effects = "error" })(x) end, "global RawGlobal is written")
    local f = hl.compile(fn, { effects = "ignore" })
    for _ = 1, 2 do assert.same({ 5, 10 }, f(x):totable()) end
    assert.equal(5, in_lua_globals "RawGlobal")
  end)
  it("is rejected if the global was read before", function()
    in_lua_globals "rawset(_G, 'RawGlobal', 1)"
    finally(function() in_lua_globals "rawset(_G, 'RawGlobal', nil)" end)
    local f = hl.compile(in_lua_globals [[function(_, a)
      rawset(_G, "RawGlobal", rawget(_G, "RawGlobal") + 1)
      return a
    end]])
    assert.raises(function() f(x) end, "global RawGlobal was read, and then written")
  end)
end)

describe("a block with hooks that is not a child", function()
  local function layer()
    local block = nn.Dense(2, { in_units = 2 })
    block:initialize()
    return block
  end
  local ways = {
    ["in an upvalue of hl.compile"] = function(block) return hl.compile(function(_, a) return block(a) end) end,
    ["in a table of a block"] = function(block)
      local Net, held = gluon.HybridBlock:subclass "Hooked", { block }
      function Net.hybrid_forward(_, _, a) return held[1](a) end
      local net = Net()
      net:hybridize()
      return net
    end,
  }
  for name, make in pairs(ways) do
    it("is rejected " .. name, function()
      local block, n = layer(), 0
      local handle = block:register_forward_hook(function() n = n + 1 end)
      local f = make(block)
      assert.raises(function() f(nd.ones { 1, 2 }) end, "the hooks of dense%d+ would not run in compiled calls")
      handle:detach()
      assert.bits(block(nd.ones { 1, 2 }), f(nd.ones { 1, 2 }))
      block:register_forward_pre_hook(function() n = n + 1 end)
      assert.raises(function() f(nd.ones { 1, 2 }) end, "the hooks of dense%d+ would not run")
    end)
  end
end)

it("traced code that infers a shape counts as reading it", function()
  local function fn(F, a)
    local s = F == nd and hl.sym.var "x" * 2 or a * 2
    if F == nd then return a * a.shape[1] end
    local _, outputs = s:infer_shape()
    return a * outputs[1][1]
  end
  local f = hl.compile(fn)
  for _, each in ipairs { nd.ones { 2 }, nd.ones { 3 }, nd.ones { 2 } } do assert.bits(fn(nd, each), f(each)) end
end)
