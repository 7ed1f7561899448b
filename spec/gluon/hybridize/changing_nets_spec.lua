-- changing_nets_spec.lua - changes of compiled networks: added and replaced layers, parameters and methods are
-- followed; and first calls before initialization.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, HybridBlock, Parameter = gluon.nn, gluon.HybridBlock, gluon.Parameter

local x = nd.array { { 1, -2, 3 }, { 4, 5, -6 } }

local function dense(units, in_units, value)
  local d = nn.Dense(units, { in_units = in_units or 0, weight_initializer = hl.init.Constant(value or 0.5) })
  d:initialize()
  return d
end

-- A new class, and its instance with a layer in a field, a parameter and a number.
local function new_net()
  local Inner = HybridBlock:subclass "Inner"
  function Inner:init()
    self.d, self.list = dense(3, 3, 0.25), nn.HybridSequential()
    self.list:add(dense(3, 3))
  end
  function Inner:hybrid_forward(_, v) return self.list(self.d(v)) end
  local Net = HybridBlock:subclass "Net"
  Net.scale = 2
  function Net:init()
    self.a = dense(3, 3)
    self.inner = Inner()
    self.w = self.params:get("w", { shape = { 1, 3 }, init = hl.init.Constant(3) })
  end
  function Net:head(v) return v * self.scale end
  function Net:hybrid_forward(_, v, p)
    v = self.a(v) * p.w
    if self.inner then v = self.inner(v) end
    if self.more then v = self.more(v) end
    for i, child in ipairs(self._children) do v = v + i * child.value(v) end
    return self:head(v)
  end
  local net = Net()
  net.w:initialize()
  return net, Net, Inner
end

local function new_weight(value)
  local w = Parameter("other_weight", { shape = { 3, 3 }, init = hl.init.Constant(value) })
  w:initialize()
  return w
end

local CHANGES = {
  ["a layer in a field replaced"] = function(net) net.a = dense(3, 3, -0.5) end,
  ["a layer in a field removed"] = function(net) net.inner = nil end,
  ["a layer in a new field"] = function(net) net.more = dense(3, 3, 0.125) end,
  ["a layer registered"] = function(net) net:register_child(dense(3, 3, 2), "extra") end,
  ["a layer registered in place of another"] = function(net) net:register_child(dense(3, 3, 2), "a") end,
  ["a nested layer replaced"] = function(net) net.inner.d = dense(3, 3, -1) end,
  ["a nested layer added"] = function(net) net.inner.list:add(dense(3, 3)) end,
  ["an activation replaced"] = function(net) net.a.act = nn.Activation "tanh" end,
  ["a parameter replaced"] = function(net)
    net.w = Parameter("v", { shape = { 1, 3 }, init = hl.init.Constant(-3) })
    net.w:initialize()
  end,
  ["a layer's weight replaced"] = function(net) net.a.weight = new_weight(4) end,
  ["a nested layer's weight replaced"] = function(net) net.inner.d.weight = new_weight(4) end,
  ["hybrid_forward of the instance"] = function(net)
    net.hybrid_forward = function(_, F, v, p) return F.exp(v) * p.w end
  end,
  ["hybrid_forward of a layer"] = function(net)
    net.a.hybrid_forward = function(_, F, v, p)
      return F.FullyConnected(v, p.weight, p.bias, { num_hidden = 3 }):exp()
    end
  end,
  ["hybrid_forward of the class"] = function(_, Net) function Net:hybrid_forward(F, v, p) return F.exp(v) * p.w end end,
  ["hybrid_forward of a nested layer's class"] = function(_, _, Inner)
    function Inner:hybrid_forward(F, v) return F.exp(self.d(v)) end
  end,
  ["forward of the instance"] = function(net) function net:forward(v) return self.a(v) - 7 end end,
  ["forward of the class"] = function(_, Net) function Net:forward(v) return self.a(v) - 7 end end,
  ["forward of a nested layer's class"] = function(_, _, Inner) function Inner:forward(v) return self.d(v) - 7 end end,
  ["a method of the instance"] = function(net) function net:head(v) return v + self.scale end end,
  ["a method of the class"] = function(_, Net) function Net:head(v) return v + self.scale end end,
  ["a number of the instance"] = function(net) net.scale = 5 end,
  ["a number of the class"] = function(_, Net) Net.scale = 5 end,
}

-- Results and gradients before and after the change; `how` selects the hybridized block.
local function results_of(change, how, recorded)
  local net, Net, Inner = new_net()
  local outer = nn.HybridSequential()
  outer:add(net)
  if how == "itself" then net:hybridize() elseif how == "around" then outer:hybridize() end
  local list = {}
  local function call()
    local y
    if recorded then
      y = autograd.record(function() return outer(x) end)
      y:backward()
      for _, param in ipairs(outer:collect_params():values()) do list[#list + 1] = param:grad():copy() end
    else
      y = outer(x)
    end
    list[#list + 1] = y
  end
  for _ = 1, 3 do call() end
  change(net, Net, Inner)
  for _ = 1, 3 do call() end
  assert.not_equal(list[1]:tobytes(), list[#list]:tobytes())          -- the change has an effect
  return list
end

describe("a parameter's array read by data()", function()
  it("is followed if the parameter is reinitialized", function()
    local Net = gluon.HybridBlock:subclass "Taking"
    function Net:init() self.w = self.params:get("w", { shape = { 2 }, init = hl.init.One() }) end
    function Net:hybrid_forward(_, v, _) return v * self.w:data() end
    local net = Net()
    net:initialize()
    net:hybridize()
    local ones = nd.ones { 2 }
    for _ = 1, 2 do assert.allclose(net(ones), { 1, 1 }) end
    net.w:initialize { init = hl.init.Constant(5), force_reinit = true }
    for _ = 1, 2 do assert.bits(net(ones), net.w:data()) end
    local traces = net:explain { format = "table" }.traces
    assert.equal(1, #traces)                       -- the same trace reads the new array
    assert.equal("the array of " .. net.w.name, traces[1].captured_from[1].what)
  end)
end)

describe("a compiled network follows", function()
  for what, change in pairs(CHANGES) do
    it(what, function()
      for _, recorded in ipairs { false, true } do
        local eager = results_of(change, "eager", recorded)
        for _, how in ipairs { "itself", "around" } do
          local list = results_of(change, how, recorded)
          assert.equal(#eager, #list)
          for i, y in ipairs(eager) do assert.bits(list[i], y) end
        end
      end
    end)
  end

  it("layers added to a container repeatedly", function()
    local net = nn.HybridSequential()
    net:add(dense(3, 3))
    net:hybridize()
    for units = 4, 30 do
      for _ = 1, 3 do assert.same({ 2, units - 1 }, net(x).shape) end
      net:add(dense(units, units - 1))
    end
    net(x)
    assert.equal(1, #net:explain { format = "table" }.traces)        -- invalid traces are freed
    assert.equal(28, #net)
  end)
end)

describe("a compiled network", function()
  local function traces(net) return net:explain { format = "table" }.traces end

  it("reports why it was traced again, and ignores changes that it does not read", function()
    local net = new_net()
    net:hybridize()
    net(x)
    net.note = "x"
    net.inner.note = { 1 }
    net(x)
    assert.equal(1, #traces(net))
    net.scale = 3
    net(x)
    assert.equal(2, #traces(net))
    assert.truthy(traces(net)[1].reason:find "^self.scale of net%d+ was 2, is 3$")
    function net:head(v) return v end
    net(x)
    assert.truthy(traces(net)[1].reason:find "^self.head of net%d+ was replaced$", traces(net)[1].reason)
    net.a = dense(3, 3)
    net(x)
    assert.truthy(traces(net)[1].reason:find "^the children or parameters of net%d+ changed$")
    assert.falsy(net:explain():find "function: 0x")
  end)

  it("rejects another trace for a change if frozen", function()
    local net = new_net()
    net:hybridize { frozen = true }
    net(x)
    net.a = dense(3, 3)
    assert.raises(function() net(x) end,
      "frozen = true}: this call would need another trace: the children or parameters of net%d+ changed")
    assert.raises(function() net(x) end, "the children or parameters of net%d+ changed")
  end)

  it("uses the fast path again after a change, even of its class", function()
    local net, Net = new_net()
    local calls = 0
    local call_compiled = HybridBlock.call_compiled
    finally(function() HybridBlock.call_compiled = call_compiled end)
    function HybridBlock:call_compiled(...) calls = calls + 1 return call_compiled(self, ...) end
    net:hybridize()
    for _ = 1, 5 do net(x) end
    assert.equal(1, calls)
    Net.scale = 4
    for _ = 1, 5 do net(x) end
    assert.equal(2, calls)
  end)

  it("rejects children registered in a trace", function()
    local N = HybridBlock:subclass "N"
    local d = dense(3, 3)
    function N:hybrid_forward(_, v) self:register_child(d) return v end
    local net = N()
    net:hybridize()
    assert.raises(function() net(x) end, "register_child was called while the block was traced")
  end)
end)

describe("a class of blocks", function()
  it("updates its instances and subclasses when its methods are set", function()
    local A = HybridBlock:subclass "A"
    local B = A:subclass "B"
    local a, b = A(), B()
    function A:name_of() return "A" end
    assert.equal("AA", a:name_of() .. b:name_of())
    function B:name_of() return "B" .. A.name_of(self) end
    assert.equal("ABA", a:name_of() .. b:name_of())
    function A:name_of() return "a" end
    assert.equal("aBa", a:name_of() .. b:name_of())
    B.name_of = nil
    assert.equal("aa", a:name_of() .. b:name_of())
    assert.equal("A", A.__name__)
    assert.is_true(b.name_of == A.name_of)
  end)
end)

describe("a hybridized network's first call", function()
  it("can fail before initialize and succeed after it", function()
    local Own = HybridBlock:subclass "Own"
    function Own:init() self.d = nn.Dense(2) self.w = self.params:get("w", { shape = { 1, 2 } }) end
    function Own:hybrid_forward(_, v, p) return self.d(v) * p.w end
    for _, make in ipairs { function() return nn.Dense(2) end, function() return nn.Dense(2, { in_units = 3 }) end, Own,
                            function()
                              local s = nn.HybridSequential()
                              s:add(nn.Dense(4), nn.Dropout(0.5), nn.Dense(2))
                              return s
                            end } do
      local results = {}
      for i = 1, 2 do
        hl.random.seed(3)
        local net = make()
        if i == 2 then net:hybridize() end
        for _ = 1, 2 do assert.raises(function() net(x) end, "has not been initialized") end
        assert.raises(function() autograd.record(function() return net(x) end) end, "has not been initialized")
        net:initialize()
        results[i] = autograd.record(function() return net(x) end)
        results[i]:backward()
        net(x)
      end
      assert.bits(results[2], results[1])
    end
  end)

  it("infers the shapes of layers with unused outputs", function()
    local makers = {
      function(self, _, v) local _ = self.a(v) return v * 2 end,
      function(self, _, v) local _ = self.b(self.a(v)) return v * 2 end,
      function(self, F, v) local h = self.a(v) local _ = F.split(self.b(h), { num_outputs = 2, axis = 1 }) return h end,
      function(self, _, v) local _ = self.b(v[0]:expand_dims(0)) return self.a(v) end,
      function(self, F, v) local _ = self.b(F.Dropout(self.a(v))) return v + 1 end,
    }
    for _, fn in ipairs(makers) do
      local shapes = {}
      for i = 1, 4 do
        local N = HybridBlock:subclass "N"
        function N:init() self.a, self.b = nn.Dense(4), nn.Dense(2) end
        N.hybrid_forward = fn
        local net, outer = N(), nn.HybridSequential()
        outer:add(net)
        if i == 2 then net:hybridize() elseif i == 3 then outer:hybridize() end
        net:initialize()
        if i == 4 then net = hl.compile(function(_, v) return outer(v) end) end
        shapes[i] = table.concat(autograd.record(function() return i == 4 and net(x) or outer(x) end).shape, "x")
        for _, param in ipairs(outer:collect_params():values()) do
          shapes[i] = shapes[i] .. " " ..
            (pcall(param.data, param) and table.concat(param:data().shape, "x") or "unknown")
        end
      end
      for i = 2, 4 do assert.equal(shapes[1], shapes[i]) end
    end
  end)
end)
