-- call_cache_spec.lua - calls of hybridized blocks: the key distinguishes all arguments exactly, repeated kinds of
-- calls take the fast path, and every change is detected.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, gluon, nn, autograd = hl.nd, hl.gluon, hl.gluon.nn, hl.autograd

-- A hybridized block around fn(F, ...), and a function that returns the number of its slow calls.
local function counted(fn, options)
  local Net, long = gluon.HybridBlock:subclass "Net", 0
  function Net.hybrid_forward(_, F, ...) return fn(F, ...) end
  function Net:call_compiled(...)
    long = long + 1
    return gluon.HybridBlock.call_compiled(self, ...)
  end
  local net = Net()
  net:hybridize(options)
  return net, function() return long end
end

local function traces(net) return #net:explain("table").traces end

local x, y = nd.array { 1, 2 }, nd.array { 3, 4 }

describe("the key of a call", function()
  local function key(...) return (core.call.bound_key(0, ...)) end

  it("distinguishes all values that a script can distinguish", function()
    local values = { 1, 1.0, 0.0, -0.0, true, "true", false, "1", "", "\0", {}, { {} }, { 1 }, { 1.0 }, { 1, 2 },
                     { [2] = 1 }, { a = 1 }, { b = 1 }, { ["a "] = 1 }, { [true] = 1 }, { ["true"] = 1 }, { [1.5] = 1 },
                     { ["1"] = 1 }, { { a = 1 }, 2 }, { a = { 1 }, b = 2 }, x, { x }, { x, x }, { x, y },
                     nd.ones { 2, 2 }, nd.ones({ 2 }, { dtype = "float64" }), nd.ones { 2 }.shape, { 2 } }
    for i, a in ipairs(values) do
      assert.equal(key(a), key(a))
      for k, b in ipairs(values) do
        if i ~= k then assert.not_equal(key(a), key(b), ("%d and %d"):format(i, k)) end
      end
    end
    assert.not_equal(key(nil), key())
    assert.not_equal(key(x, nil), key(x))
    assert.not_equal(key(x, x), key(x, y))
    assert.not_equal(key({ 1 }, 2), key { 1, 2 })
    assert.equal(key(x, y), key(y, x))
  end)

  it("does not depend on how a table was filled", function()
    local a, b = {}, {}
    for i = 1, 60 do a["k" .. i], a[-i], a[i + 0.5] = i, i, x end
    for i = 60, 1, -1 do b[i + 0.5], b["k" .. i], b[-i] = y, i, i end
    a[true], a[false] = 1, 2
    b[false], b[true] = 2, 1
    assert.equal(key(a), key(b))
    b.k7 = 8
    assert.not_equal(key(a), key(b))
  end)

  it("finds repeated arrays among many", function()
    local list, other = {}, {}
    for i = 1, 500 do list[i], other[i] = nd.ones { 1 }, nd.ones { 1 } end
    assert.equal(key(list), key(other))
    list[500] = list[3]
    assert.not_equal(key(list), key(other))
    other[500] = other[4]
    assert.not_equal(key(list), key(other))
    other[500] = other[3]
    assert.equal(key(list), key(other))
    local _, leaves = core.call.bound_key(0, list)
    assert.equal(499, #leaves)
    assert.truthy(rawequal(list[499], leaves[499]))
  end)

  it("is equal only for equal random arguments", function()
    local state = 1
    local function draw(n)
      state = (state * 1103515245 + 12345) % 2147483648
      return state // 65536 % n
    end
    local leaf = { 0, 0.0, 1, 2.5, "a", "b", "", true, false, x, y }
    -- A random value. Its text numbers arrays in order of appearance.
    local function value(depth)
      if depth > 2 or draw(3) > 0 then return leaf[draw(#leaf) + 1] end
      local t = {}
      for i = 1, draw(4) do t[i] = value(depth + 1) end
      for _ = 1, draw(3) do t[({ "p", "q", true, 7, 0.5 })[draw(5) + 1]] = value(depth + 1) end
      return t
    end
    local function text(v, seen)
      if type(v) == "userdata" then
        seen[v] = seen[v] or seen.n
        seen.n = seen.n + 1
        return "array " .. seen[v]
      end
      if type(v) ~= "table" then return ("%s %s %s"):format(type(v), math.type(v), v) end
      local parts = {}
      for i = 1, #v do parts[i] = text(v[i], seen) end
      for _, k in ipairs { true, 0.5, 7, "p", "q" } do           -- lists have at most 3 items, so 7 is not in one
        if v[k] ~= nil then parts[#parts + 1] = tostring(k) .. "=" .. text(v[k], seen) end
      end
      return "{" .. table.concat(parts, ",") .. "}"
    end
    local by_text, by_key, different = {}, {}, 0
    for _ = 1, 4000 do
      local v = value(0)
      local t, k = text(v, { n = 1 }), key(v)
      if not by_text[t] then different = different + 1 end
      assert.equal(by_text[t] or k, k)
      assert.equal(by_key[k] or t, t)
      by_text[t], by_key[k] = k, t
    end
    assert.truthy(different > 200)
  end)
end)

describe("a repeated kind of call", function()
  it("takes the fast path with arguments of any structure", function()
    local forms = {
      { x, y }, { x }, { x, 2 }, { x, 2.5, "s", true }, { { x, y } }, { { x, { y, x } }, nil, x },
      { x, { scale = 2, list = { y, y } } }, { nil, nil, x }, { x.shape, x }, {} }
    for i, form in ipairs(forms) do
      local n = i == 2 and 1 or 4
      local net, long = counted(function(F, ...)
        local sum = F.zeros { 2 }
        local function add(v)
          if type(v) == "table" then for k = 1, #v do add(v[k]) end end
          if type(v) == "table" and v.list then add(v.list) end
          if v ~= nil and type(v) == "userdata" then sum = sum * 2 + v end
        end
        for k = 1, select("#", ...) do add((select(k, ...))) end
        return sum
      end)
      local first = net(table.unpack(form, 1, n))
      for _ = 1, 3 do assert.same(first:totable(), net(table.unpack(form, 1, n)):totable()) end
      assert.equal(1, long(), "form " .. i)
    end
  end)

  it("takes the fast path with very many arrays", function()
    local net, long = counted(function(_, list)
      local sum = list[1]
      for i = 2, #list do sum = sum + list[i] end
      return sum
    end)
    local list = {}
    for i = 1, 600 do list[i] = nd.full({ 1 }, i) end
    for _ = 1, 3 do assert.equal(180300, net(list):asscalar()) end
    assert.equal(1, long())
  end)

  it("returns results of any structure", function()
    local given = nd.array { 9 }
    local net, long = counted(function(_, a, b)
      return { sum = a + b, parts = { a * 1, b, { deep = given } }, [3] = a }, nil, b, given
    end)
    for _ = 1, 3 do
      local t, none, b, g = net(x, y)
      assert.same({ 4, 6 }, t.sum:totable())
      assert.same({ 1, 2 }, t.parts[1]:totable())
      assert.truthy(rawequal(y, t.parts[2]) and rawequal(x, t[3]) and rawequal(y, b))
      assert.truthy(rawequal(given, g) and rawequal(given, t.parts[3].deep))
      assert.equal(nil, none)
    end
    assert.equal(1, long())
    given = nd.array { 10 }
    local t, _, _, g = net(x, y)
    assert.truthy(rawequal(given, g) and rawequal(given, t.parts[3].deep))
  end)

  it("does not accumulate replaced arrays", function()
    local h = nd.zeros { 1000 }
    local net = counted(function(_, a) return a + h end)
    local one = nd.ones { 1000 }
    for _ = 1, 20 do h = net(one) end
    collectgarbage()
    collectgarbage()
    local before = hl.memory().live
    for _ = 1, 200 do h = net(one) end
    collectgarbage()
    collectgarbage()
    assert.equal(before, hl.memory().live)
    assert.equal(220, h[0]:asscalar())
  end)

  it("is not affected by a field of another block", function()
    local net, long = counted(function(_, a) return a * 2 end)
    local other = counted(function(_, a) return a end)
    for n = 1, 5 do
      other.count = n
      net(x)
    end
    assert.equal(1, long())
  end)

  it("can alternate with others: modes, shapes that the code reads, dtypes, numbers", function()
    local net, long = counted(function(_, a, by) return a * by + a.shape[1] end)
    local calls = { { nd.ones { 2 }, 1 }, { nd.ones { 3 }, 1 }, { nd.ones { 2 }, 1.5 },
                    { nd.ones({ 2 }, { dtype = "float64" }), 1 } }
    for _ = 1, 4 do
      for _, call in ipairs(calls) do
        local want = call[2] + call[1].shape[1]
        assert.equal(want, net(call[1], call[2])[0]:asscalar())
        autograd.train_mode(function() assert.equal(want, net(call[1], call[2])[0]:asscalar()) end)
        autograd.record(function() assert.equal(want, net(call[1], call[2])[0]:asscalar()) end)
      end
    end
    assert.equal(12, long())
    assert.equal(12, traces(net))
  end)
end)

describe("calls of a block detect", function()
  it("a field that the code reads, changed back and forth", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:hybrid_forward(_, a) return a * self.by end
    local net = Net()
    net.by = 2
    net:hybridize()
    for _, by in ipairs { 2, 3, 2, 3.0, 3, 2 } do
      net.by = by
      assert.equal(by, net(x)[0]:asscalar())
    end
    assert.equal(3, traces(net))
  end)

  it("a number that replaces a child", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:hybrid_forward(_, a) return a + #self:_list_children() end
    local net = Net()
    net:register_child(nn.Flatten(), "extra")
    net:hybridize()
    assert.equal(2, net(x)[0]:asscalar())
    net.extra = 5
    assert.equal(1, net(x)[0]:asscalar())
  end)

  it("an upvalue that changes back and forth, with two entries", function()
    local by = 2
    local net, long = counted(function(_, a) return a * by end)
    for _ = 1, 3 do for _, now in ipairs { 2, 5 } do by = now assert.equal(now, net(x)[0]:asscalar()) end end
    assert.equal(2, long())
  end)

  it("a dropped trace and its arrays", function()
    local net = counted(function(_, a, by) return a * by end, { max_traces = 2 })
    for _ = 1, 3 do for by = 1, 5 do assert.equal(by, net(x, by)[0]:asscalar()) end end
    assert.equal(2, traces(net))
  end)

  it("a block that runs eagerly for a while", function()
    local net, long = counted(function(_, a) return a * 2 end)
    net(x)
    do
      local _ <close> = gluon.HybridBlock._all_eager()
      assert.same({ 2, 4 }, net(x):totable())
      assert.equal(1, long())
    end
    assert.same({ 2, 4 }, net(x):totable())
    assert.equal(1, long())
  end)

  it("a guard that calls the block itself", function()
    local net
    local asked = 0
    local sgd = hl.optimizer.SGD { lr_scheduler = function()
      asked = asked + 1
      if asked > 3 and asked % 2 == 0 then net(nd.ones { 3 }, asked) end
      return 2
    end }
    net = counted(function(_, a, n) return n and a * n or a * sgd.learning_rate end, { effects = "ignore" })
    for _ = 1, 12 do assert.same({ 2, 4 }, net(x):totable()) end
    assert.truthy(asked > 12)
  end)

  it("an array freed in between", function()
    local a = nd.array { 1, 2 }
    local net = counted(function(_, v) return v * 2 end)
    net(a)
    net(a)
    a:free()
    assert.raises(function() net(a) end, "freed")
    assert.same({ 2, 4 }, net(x):totable())
  end)
end)

describe("an argument that compiled calls reject", function()
  local net = counted(function(_, a) return a end)

  it("is reported with its kind", function()
    assert.raises(function() net(x, print) end, "accepts arrays, numbers, strings, booleans and tables of these",
      "got a function")
    assert.raises(function() net(x, { [print] = 1 }) end, "keys are numbers, strings and booleans", "function")
    assert.raises(function() net(x, setmetatable({}, {})) end, "got a table")
    local round = {}
    round[1] = round
    assert.raises(function() net(x, round) end, "at most 100 levels deep", "no end")
    local deep = x
    for _ = 1, 99 do deep = { deep } end
    assert.same({ 1, 2 }, net(x, deep):totable())
  end)

  it("appears in explain() as a script writes it", function()
    local f = counted(function(_, a) return a * 2 end)
    f(x, 1)
    f(x, 1.0)
    f(x, { ["a b"] = 1, c = "1" })
    local keys = {}
    for i, t in ipairs(f:explain("table").traces) do keys[i] = t.key:match "^(.-),? not recording" or t.key end
    assert.same({ 'float32 1-d, { ["a b"]= 1 c= "1" }', "float32 1-d, 1.0", "float32 1-d, 1" }, keys)
  end)
end)
