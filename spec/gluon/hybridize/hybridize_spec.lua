-- hybridize_spec.lua - hybridize: it changes no bits, uses no outdated values, and names code that it cannot trace.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd
local HybridBlock = hl.gluon.HybridBlock

-- A block whose hybrid_forward is fn(F, ...).
local count = 0
local function block(fn)
  count = count + 1
  local Class = HybridBlock:subclass("B" .. count)
  function Class:hybrid_forward(F, ...) return fn(F, ...) end
  return Class()
end

local x = nd.array { { 1, -2, 3 }, { 4, 5, -6 } }

-- Asserts that eager and hybridized copies return the same bits.
local function same_bits(fn, ...)
  local eager, hybrid = block(fn), block(fn)
  hybrid:hybridize()
  local a, b = table.pack(eager(...)), table.pack(hybrid(...))
  assert.equal(a.n, b.n)
  for i = 1, a.n do assert.bits(b[i], a[i]) end
  local again = table.pack(hybrid(...))
  for i = 1, a.n do assert.bits(again[i], a[i]) end
  return hybrid
end

local function traces(b) return b:explain { format = "table" }.traces end

describe("a hybridized block", function()
  it("matches the eager one to the bit", function()
    same_bits(function(F, v) return F.tanh(v * 2 + 1) - v / 3 end, x)
    same_bits(function(F, v) return v * v, v + 1 end, x)
    same_bits(function(F, v, w) return F.maximum(v, w):exp() end, x, x * 2)
  end)

  it("runs its code once with Symbols and never again", function()
    local seen = {}
    local b = block(function(F, v) seen[#seen + 1] = F.__name__ .. " " .. tostring(v) return v + 1 end)
    b:hybridize { effects = "ignore" }
    for _ = 1, 3 do b(x) end
    assert.same({ "hybridlua.sym <Symbol data>" }, seen)
    b:hybridize(false)
    b(x)
    assert.equal(2, #seen)
    assert.truthy(seen[2]:find "^hybridlua.nd")
  end)

  it("has one trace for all batch sizes and one specialization for each", function()
    local b = same_bits(function(F, v) return F.tanh(v) end, x)
    for _, n in ipairs { 4, 7, 4, 7 } do b(nd.ones { n, 3 }) end
    local t = traces(b)
    assert.equal(1, #t)
    assert.equal(3, t[1].compiled.made)
  end)

  it("makes another trace for other numbers of dimensions, dtypes and modes, and reports why", function()
    local b = block(function(F, v) return F.tanh(v) end)
    b:hybridize()
    b(x)
    b(nd.ones { 3 })
    b(x:astype "float64")
    autograd.record(function() b(x) end)
    local t = traces(b)
    assert.equal(4, #t)
    assert.equal("first call", t[4].reason)
    assert.truthy(t[3].reason:find "2%-d.*1%-d", t[3].reason)
    assert.truthy(t[2].reason:find "float64", t[2].reason)
    assert.truthy(t[1].reason:find "recording", t[1].reason)
  end)

  it("is specific to a shape only if its code reads one", function()
    local b = block(function(F, v) return v:reshape { v.shape[1] * v.shape[2] } end)
    b:hybridize()
    for n = 1, 3 do assert.same({ n * 3 }, b(nd.ones { n, 3 }).shape) end
    local t = traces(b)
    assert.equal(3, #t)
    assert.truthy(t[1].reason:find "reads shapes", t[1].reason)
    local c = block(function(F, v) return v.ndim == 2 and v * 2 or v end)
    c:hybridize()
    c(nd.ones { 1, 3 })
    c(nd.ones { 2, 3 })
    assert.equal(1, #traces(c))
  end)

  it("keeps outputs of successive calls apart", function()
    local b = block(function(F, v) return v + 1 end)
    b:hybridize()
    local outputs = {}
    for i = 1, 3 do outputs[i] = b(nd.ones { 2 } * i) end
    for i = 1, 3 do assert.allclose(outputs[i], { i + 1, i + 1 }) end
    outputs[1]:set(0)
    assert.allclose(outputs[2], { 3, 3 })
  end)

  it("returns nested tables, nils, inputs and repeated values as in eager mode", function()
    local function fn(F, v, w)
      local s = v + 1
      return { s, { w and w * 2, name = v }, s }, v, s
    end
    local b = block(fn)
    b:hybridize()
    local t, same, s = b(x, nil)
    assert.bits(t[1], x + 1)
    assert.is_true(rawequal(t[1], t[3]))
    assert.is_true(rawequal(t[1], s))
    assert.is_true(rawequal(same, x))
    assert.is_true(rawequal(t[2].name, x))
    assert.is_nil(t[2][1])
    assert.bits((b(x, x))[2][1], x * 2)
  end)

  it("accepts numbers, strings, nils and tables as arguments, by value", function()
    local b = block(function(F, v, options) return options.double and v * 2 or v * options.factor end)
    b:hybridize()
    assert.bits(b(x, { double = true }), x * 2)
    assert.bits(b(x, { factor = 3 }), x * 3)
    assert.bits(b(x, { factor = 4 }), x * 4)
    assert.equal(3, #traces(b))
  end)

  it("recognizes two arguments that are one array", function()
    local b = block(function(F, v, w) return v * w end)
    b:hybridize()
    local a = nd.array { 1, 2 }
    a:attach_grad()
    autograd.record(function() return b(a, a) end):backward()
    assert.allclose(a.grad, { 2, 4 })
  end)

  it("treats missing arguments as nil, as Lua does", function()
    local b = block(function(F, v, w) return w and v + w or v * 1 end)
    b:hybridize()
    assert.bits(b(x), x)
    assert.bits(b(x, x), x + x)
  end)
end)

describe("values read by a trace", function()
  it("include fields of self", function()
    local Scale = HybridBlock:subclass "Scale"
    function Scale:init() self.factor = 2 end
    function Scale:hybrid_forward(_, v) return v * self.factor end
    local b = Scale()
    b:hybridize()
    assert.bits(b(x), x * 2)
    b.factor = 5
    assert.bits(b(x), x * 5)
    b.factor = 2
    assert.bits(b(x), x * 2)
    assert.equal(2, #traces(b))
    assert.truthy(traces(b)[1].reason ~= "")
  end)

  it("include upvalues, tables of settings and globals", function()
    local factor, settings = 2, { offset = 1, deep = { power = 2 } }
    _G.spec_global = 10
    local b = block(function(F, v)
      return (v * factor + settings.offset) ^ settings.deep.power + spec_global      -- luacheck: ignore 113
    end)
    b:hybridize()
    local function expected() return (x * factor + settings.offset) ^ settings.deep.power + _G.spec_global end
    assert.bits(b(x), expected())
    factor = 3
    assert.bits(b(x), expected())
    settings.offset = 7
    assert.bits(b(x), expected())
    settings.deep.power = 3
    assert.bits(b(x), expected())
    _G.spec_global = -1
    assert.bits(b(x), expected())
    assert.equal(5, #traces(b))
    _G.spec_global = nil
  end)

  it("include arrays of the script, without another trace", function()
    local constant = nd.array { 1, 2, 3 }
    local b = block(function(F, v) return v + constant end)
    b:hybridize()
    assert.bits(b(x), x + constant)
    constant:set(nd.array { 10, 20, 30 })
    assert.bits(b(x), x + constant)
    assert.equal(1, #traces(b))
    assert.equal(1, traces(b)[1].captured)
  end)

  it("include captured arrays, which get gradients", function()
    local w = nd.array { 1, 2, 3 }
    w:attach_grad()
    local b = block(function(F, v) return v * w end)
    b:hybridize()
    autograd.record(function() return b(x) end):backward()
    assert.allclose(w.grad, { 5, 3, -3 })
  end)

  it("include the training mode", function()
    local b = block(function(F, v) return autograd.is_training() and v * 2 or v * 3 end)
    b:hybridize()
    for _ = 1, 3 do
      assert.bits(b(x), x * 3)
      autograd.train_mode(function() assert.bits(b(x), x * 2) end)
    end
  end)
end)

describe("code that cannot be traced", function()
  local function refused(fn, ...)
    local b = block(fn)
    b:hybridize()
    local patterns = { ... }
    assert.raises(function() b(x) end, "hybridize_spec.lua:%d+", table.unpack(patterns))
    -- The trace is undone: the same array works in eager mode afterwards.
    assert.is_false(require "hybridlua.core".trace.active())
    assert.bits(x + 0, x)
  end

  it("raises an error with the line and what to write instead", function()
    refused(function(F, v) return v:totable() and v end, "totable", "return it and read it outside")
    refused(function(F, v) return v:sum():asscalar() > 0 and v or -v end, "asscalar", "F.where")
    refused(function(F, v) if v < 0 then return v end return -v end, "lesser")
    refused(function(F, v) v[0] = 1 return v end, "F.where")
    refused(function(F, v) v[{}] = 1 return v end, "F.where")
    refused(function(F, v) return v:add_(1) end, "without the underscore")
    refused(function(F, v) for _, row in pairs(v) do return row end end, "F.split")      -- luacheck: ignore 512
    refused(function(F, v) return math.max(v, 1) end, "lesser")
    refused(function(F, v) v:attach_grad() return v end, "outside")
    refused(function(F, v) return nd.add(v, v, { out = v }) end, "out")
  end)

  it("includes a function that returns a number", function()
    local b = block(function() return 3 end)
    b:hybridize()
    assert.raises(function() b(x) end, "returns arrays")
  end)

  it("includes state kept by the block", function()
    local Counter = HybridBlock:subclass "Counter"
    function Counter:init() self.n = 0 end
    function Counter:hybrid_forward(_, v) self.n = self.n + 1 return v * self.n end
    local b = Counter()
    b:hybridize()
    assert.raises(function() b(x) end, "self.n of counter%d+ was read, and then written", "hybridize_spec.lua:%d+")
    local n = 0
    local c = block(function(F, v) n = n + 1 return v * n end)
    c:hybridize()
    assert.raises(function() c(x) end, "upvalue n", "hybridize_spec.lua:%d+")
    local log = {}
    local e = block(function(F, v) log[#log + 1] = "called" return v end)
    e:hybridize()
    assert.raises(function() e(x) end, "the length of upvalue log was read, and then written")
    local d = block(function(F, v) spec_global = 1 return v end)       -- luacheck: ignore 111
    d:hybridize { effects = "error" }
    assert.raises(function() d(x) end, "spec_global")
  end)

  it("leaves the block usable after an error", function()
    local broken = true
    local b = block(function(F, v) if broken then error "mine" end return v + 1 end)
    b:hybridize()
    assert.raises(function() b(x) end, "mine")
    broken = false
    assert.bits(b(x), x + 1)
  end)
end)

describe("gradients through a hybridized block", function()
  -- The gradient of sum(weights * fn(a)) with respect to a, eager or hybridized.
  local function gradient(fn, hybridize, shape)
    local b = block(fn)
    if hybridize then b:hybridize() end
    local a = nd.random.uniform(-1, 1, { shape = shape or { 3, 4 } })
    a:attach_grad()
    local y = autograd.record(function() return b(a) end)
    y:backward(nd.random.uniform(-1, 1, { shape = y.shape }))
    return a.grad
  end

  local function same_gradient(fn, shape)
    hl.random.seed(7)
    local eager = gradient(fn, false, shape)
    hl.random.seed(7)
    assert.bits(gradient(fn, true, shape), eager)
  end

  it("match eager ones to the bit", function()
    same_gradient(function(F, v) return F.tanh(v) * v + v:exp() end)
    same_gradient(function(F, v) return v * v * v - v / (v * v + 1) end)
    same_gradient(function(F, v) local a = v * 3 return a + a:exp() + a * v end)
    same_gradient(function(F, v) return F.sum(v, { axis = 1 }) + v:sum() * v:mean{ axis = 1 } end)
  end)

  it("are summed along the tree of block calls", function()
    -- One value is used in two blocks and outside, so a flat sum would add in another order and have other bits.
    local function nested(hybridize_outer, hybridize_inner)
      hl.random.seed(3)
      local inner = block(function(F, v) return v * 0.1 + v:exp() + v * v * 3.7 end)
      local Outer = HybridBlock:subclass "Outer"
      function Outer:init() self.a = inner end
      function Outer:hybrid_forward(F, v)
        local first = v * 1.3
        local second = self.a(v)
        return first + second + self.a(v) * v + v:sin()
      end
      local outer = Outer()
      if hybridize_inner then inner:hybridize() end
      if hybridize_outer then outer:hybridize() end
      local a = nd.random.uniform(-2, 2, { shape = { 64 } })
      a:attach_grad()
      autograd.record(function() return (outer(a) * a + a * 7.77):tanh() end):backward()
      return a.grad
    end
    local eager = nested(false, false)
    assert.bits(nested(false, true), eager)
    assert.bits(nested(true, false), eager)
  end)

  it("can be added, stopped and repeated as in eager mode", function()
    local b = block(function(F, v) return v * v end)
    b:hybridize()
    local a = nd.array { 1, 2 }
    a:attach_grad "add"
    for _ = 1, 3 do autograd.record(function() return b(a) end):backward() end
    assert.allclose(a.grad, { 6, 12 })
    local y = autograd.record(function() return b(a) end)
    y:backward(nil, { retain_graph = true })
    y:backward()
    assert.allclose(a.grad, { 10, 20 })
    assert.raises(function() y:backward() end, "retain_graph")
  end)

  it("are correct if only some outputs are used, in any order of calls", function()
    local function fn(F, v) return v * 2, v:exp(), v * v end
    for used = 1, 3 do
      local b, e = block(fn), block(fn)
      b:hybridize()
      local function grad_of(net)
        local a = nd.array { 0.5, -1.5 }
        a:attach_grad()
        local out = autograd.record(function() return ({ net(a) })[used] end)
        out:backward()
        return a.grad
      end
      for _ = 1, 3 do assert.bits(grad_of(b), grad_of(e)) end
    end
  end)

  it("can be differentiated again", function()
    local function second(hybridize)
      local b = block(function(F, v) return F.tanh(v) * v end)
      if hybridize then b:hybridize() end
      local a = nd.array { 0.3, -0.7 }
      a:attach_grad()
      local g = autograd.record(function() return autograd.grad(b(a), a, { create_graph = true }) end)
      g:backward()
      return a.grad
    end
    assert.bits(second(true), second(false))
  end)

  it("are separate for two recorded calls", function()
    local b = block(function(F, v) return F.exp(v) end)
    b:hybridize()
    local a, c = nd.array { 1, 2 }, nd.array { 3, 4 }
    a:attach_grad()
    c:attach_grad()
    local y, z = autograd.record(function() return b(a), b(c) end)
    z:backward()
    y:backward()
    assert.allclose(a.grad, a:exp())
    assert.allclose(c.grad, c:exp())
  end)

  it("cannot be computed if an input was overwritten", function()
    local b = block(function(F, v) return v * v end)
    b:hybridize()
    local a = nd.array { 1, 2 }
    a:attach_grad()
    local y = autograd.record(function() return b(a) end)
    a:set(0)
    assert.raises(function() y:backward() end, "overwritten in place at .*hybridize_spec.lua:%d+")
  end)
end)

describe("options and limits", function()
  it("include frozen, which rejects another trace and says why", function()
    local b = block(function(F, v) return v + 1 end)
    b:hybridize { frozen = true }
    b(x)
    assert.raises(function() b(nd.ones { 3 }) end, "frozen", "1%-d")
    b(nd.ones { 5, 3 })
  end)

  it("include bounds on traces and specializations", function()
    local b = block(function(F, v, n) return v * n end)
    b:hybridize { max_traces = 3 }
    for n = 1, 20 do b(x, n) end
    assert.equal(3, #traces(b))
    local c = block(function(F, v) return v * 2 end)
    c:hybridize()
    collectgarbage()
    local before = hl.memory().live
    for n = 1, 2000 do c(nd.ones { n }) end
    collectgarbage()
    collectgarbage()
    assert.truthy(hl.memory().live - before < 2000000, "memory grew by " .. (hl.memory().live - before))
  end)

  it("include max_plans, which frees and reports older specializations", function()
    local c = block(function(F, v) return v * 2 end)
    c:hybridize()
    local function calls(n) for _ = 1, 2 do for i = 1, n do c(nd.ones { i }) end end end
    local function counts() local data = traces(c)[1].compiled return data.made, data.dropped end
    calls(48)
    assert.same({ 48, 0 }, { counts() })
    c:hybridize { max_plans = 5 }
    calls(6)
    assert.same({ 12, 7 }, { counts() })
    assert.truthy(c:explain():find("7 specializations freed for others: more than 5 kinds of calls alternate", 1,
      true))
    assert.raises(function() c:hybridize { max_plans = 0 } end, "max_plans: expected an integer of 1 or more, got 0")
  end)

  it("include errors for unknown options and children that are not HybridBlocks", function()
    assert.raises(function() block(function() end):hybridize { nonsense = true } end, "nonsense")
    assert.raises(function()
      local b = block(function() end)
      b.child = hl.gluon.nn.Sequential()
      b:hybridize()
    end, "Children of HybridBlock must also be HybridBlock", "HybridSequential")
  end)

  it("include hooks on a child, around which its parent runs in segments", function()
    local inner = block(function(F, v) return v + 1 end)
    local Outer = HybridBlock:subclass "Outer"
    function Outer:init() self.child = inner end
    function Outer:hybrid_forward(_, v) return self.child(v) * 2 end
    local outer = Outer()
    outer:hybridize()
    outer(x)
    local calls = 0
    local handle = inner:register_forward_hook(function() calls = calls + 1 end)
    for _ = 1, 3 do assert.bits(outer(x), (x + 1) * 2) end
    assert.equal(3, calls)
    assert.truthy(outer:explain():find "hooks on child")
    handle.detach()
    outer(x)
    assert.equal(3, calls)
  end)
end)

describe("hybridize", function()
  it("accepts only whole numbers, and no hooks with full = true", function()
    local b = block(function(_, v) return v end)
    assert.raises(function() b:hybridize { check = "all" } end, "hybridize_spec.lua:%d+",
      "check: expected an integer of 0 or more, got all")
    assert.raises(function() b:hybridize { max_traces = -1 } end, "max_traces: expected an integer")
    local net = hl.gluon.nn.HybridSequential()
    net:add(hl.gluon.nn.Activation "relu")
    net:hybridize { full = true }
    net(x)
    net[0]:register_forward_hook(function() end)
    assert.raises(function() net(x) end, "hybridize_spec.lua:%d+", "full = true", "hooks")
  end)
end)

describe("hl.compile", function()
  it("compiles a plain function", function()
    local f = hl.compile(function(F, a, b) return F.tanh(a) * b, a + b end)
    local y, z = f(x, x * 2)
    assert.bits(y, x:tanh() * (x * 2))
    assert.bits(z, x + x * 2)
    assert.truthy(f:explain():find "made because: first call")
  end)
end)
