-- guarded_objects_spec.lua - compiled code follows changes of arrays read as numbers, fields of blocks, objects and
-- modules of hybridlua, and functions of hybridlua that a script replaces.
local hl = require "hybridlua"
local reads = require "support.reads"
local nd, sym, gluon, nn = hl.nd, hl.sym, hl.gluon, hl.gluon.nn

local ways, way = reads.new()

-- ---- Arrays as numbers ----
way("an array's number by asscalar", function()
  local w = nd.array { 2 }
  return function(_, x) return x * w:asscalar() end, function() w[0] = 3 end
end)
way("an array's numbers by totable", function()
  local w = nd.array { 2, 5 }
  return function(_, x) return x * w:totable()[2] end, function() w[1] = 3 end
end)
way("the numbers of a replaced array", function()
  local w = nd.array { 2 }
  return function(_, x) return x * w:asscalar() end, function() w = nd.array { 3 } end
end)
way("an array as text", function()
  local w = nd.array { 2 }
  return function(_, x) return x * #tostring(w) end, function() w[0] = 300 end
end)
way("a row of an array",
  function() local w = nd.array { 2, 5 } return function(_, x) return x * w[1] end, function() w[1] = 3 end end)
way("iterated rows of an array", function()
  local w = nd.array { 2, 5 }
  return function(_, x) for _, row in pairs(w) do x = x * row end return x end, function() w[1] = 3 end
end)
way("a gradient", function()
  local w = nd.array { 2, 5 }
  w:attach_grad()
  return function(_, x) return x + w.grad end,
    function() hl.autograd.record(function() return (w * w):sum() end):backward() end
end)
way("a parameter's array", function()
  local p = gluon.Parameter("w", { shape = { 2 } })
  p:initialize(hl.init.One())
  return function(_, x) return x * p:data() end, function() p:set_data(nd.array { 3, 4 }) end
end)
way("a field of another block", function()
  local b = nn.HybridLambda(function(_, x) return x end)
  b.t = { k = 2 }
  return function(_, x) return x * b.t.k end, function() b.t.k = 3 end
end)
way("a member of a class", function()
  local C = gluon.HybridBlock:subclass "C"
  C.t = { k = 2 }
  return function(_, x) return x * C.t.k end, function() C.t.k = 3 end
end)
way("a member of a block's class", function()
  local C = gluon.HybridBlock:subclass "C"
  C.k = 2
  local b = C()
  return function(_, x) return x * b.k end, function() C.k = 3 end
end)

-- ---- Objects and modules of hybridlua ----
local function parameter(options)
  local p = gluon.Parameter("w", options or { shape = { 1 } })
  if not options then p:initialize() end
  return p
end
way("a trainer's learning rate", function()
  local trainer = gluon.Trainer({ parameter() }, "sgd", { learning_rate = 0.5 })
  return function(_, x) return x * trainer.learning_rate end, function() trainer:set_learning_rate(0.25) end
end)
way("an optimizer's field", function()
  local optimizer = hl.optimizer.create("sgd", { learning_rate = 0.5 })
  return function(_, x) return x * optimizer.lr end, function() optimizer.lr = 0.125 end
end)
way("a parameter's lr_mult", function()
  local p = parameter { shape = { 1 }, lr_mult = 2 }
  return function(_, x) return x * p.lr_mult end, function() p.lr_mult = 3 end
end)
way("a parameter's grad_req", function()
  local p = parameter()
  return function(_, x) return p.grad_req == "null" and x or x * 2 end, function() p.grad_req = "null" end
end)
way("a parameter's shape", function()
  local p = parameter { shape = { 2, 0 }, allow_deferred_init = true }
  return function(_, x) return x * (p.shape[2] + 1) end, function() p.shape = { 2, 3 } end
end)
way("a scheduler's field", function()
  local scheduler = hl.lr_scheduler.FactorScheduler(10, { factor = 0.5, base_lr = 1 })
  return function(_, x) return x * scheduler.base_lr end, function() scheduler.base_lr = 3 end
end)
way("the state of a metric", function()
  local metric = hl.metric.Accuracy()
  metric:update(nd.array { 1 }, nd.array { { 0, 1 } })
  return function(_, x) return x * select(2, metric:get()) end,
    function() metric:update(nd.array { 0 }, nd.array { { 0, 1 } }) end
end)
way("an initializer's field", function()
  local init = hl.init.Constant(2)
  return function(_, x) return x * init.value end, function() init.value = 5 end
end)
way("a constant parameter", function()
  local c = gluon.Constant("c", nd.array { 2, 3 })
  c:initialize()
  return function(_, x) return x * c:data() end, function() c:set_data(nd.array { 5, 6 }) end
end)
for name, module in pairs { nd = nd, hl = hl, nn = nn } do
  way("a field that a script adds to " .. name, function()
    module.of_this_spec = 2
    finally(function() module.of_this_spec = nil end)
    return function(_, x) return x * module.of_this_spec end, function() module.of_this_spec = 5 end
  end)
end
local function replaced(module, name, value, read)
  local ours = module[name]
  return function()
    module[name] = ours
    finally(function() module[name] = ours end)
    return read, function() module[name] = value end
  end
end
for name, read in pairs {
  ["read from F"] = function(F, x) return F.tanh(x) end,
  ["read from nd"] = function(_, x) return nd.tanh(x) end,
} do
  way("a function of nd replaced by another one, " .. name, replaced(nd, "tanh", nd.relu, read))
  way("a function of nd replaced by one of the script, " .. name,
    replaced(nd, "tanh", function(x) return x * 3 end, read))
end
way("a replaced function of nd.linalg", replaced(nd.linalg, "sumlogdiag", function(A) return A:sum() end,
  function(F, x) return F.linalg.sumlogdiag(F.diag(F.abs(x) + 2)) * x end))
local leaky = nn.LeakyReLU(0.5)
way("a function of nd that a layer calls", replaced(nd, "LeakyReLU", function(x) return x * 7 end,
  function(_, x) return leaky(x - 2) end))
way("a field that a script adds to nd later", function()
  nd.of_this_spec = nil
  finally(function() nd.of_this_spec = nil end)
  return function(_, x) return x * (hl.has "nd.of_this_spec" and nd.of_this_spec or 2) end,
    function() nd.of_this_spec = 5 end
end)
way("a gradient that attach_grad replaces", function()
  local w = nd.ones { 2 }
  w:attach_grad()
  return function(_, x) return x + w.grad end, function() w:attach_grad() w.grad[":"] = 7 end
end)
way("a number in an array, by its index", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return x * w[1]:asscalar() end, function() w[1] = 9 end
end)
way("a number computed from arrays", function()
  local w = nd.array { 1, 2 }
  return function(_, x) return (w * 2):sum():asscalar() > 8 and x or x * 3 end, function() w[1] = 9 end
end)
-- Objects that functions of hybridlua return.
local function child_way(name, walk)
  way("a field of a child obtained from " .. name, function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(2), nn.Dense(2))
    return function(_, x)
      walk(net, function(child) if child.flag then x = x * 2 end end)
      return x
    end, function() net[1].flag = true end
  end)
end
child_way("an index", function(net, visit) for i = 0, #net - 1 do visit(net[i]) end end)
child_way("pairs", function(net, visit) for _, child in pairs(net) do visit(child) end end)
child_way("apply", function(net, visit) net:apply(visit) end)
way("a field of a parameter from a dictionary", function()
  local net = nn.Dense(2, { in_units = 2 })
  return function(_, x)
    for _, param in net:collect_params():items() do x = x * (param.lr_mult or 1) end
    return x
  end, function() for _, param in net:collect_params():items() do param.lr_mult = 3 end end
end)
way("the number of a block's parameters", function()
  local net = nn.HybridSequential()
  net:add(nn.Dense(2))
  return function(_, x)
    local n = 0
    for _ in net:collect_params():items() do n = n + 1 end
    return x * n
  end, function() net:add(nn.Dense(2)) end
end)

reads.describe(describe, it, ways)

describe("a compiled call with replaced functions", function()
  it("runs nd's function if only sym's twin was replaced", function()
    local ours = sym.tanh
    finally(function() sym.tanh = ours end)
    local compiled = hl.compile(function(F, x) return F.tanh(x) end)
    local x = nd.array { 1, 2 }
    sym.tanh = sym.relu
    assert.bits(x:tanh(), compiled(x))
    assert.equal("relu", sym.tanh(sym.var "x").name:match "^%a+")
  end)
  it("runs a function replaced in both nd and sym", function()
    local of_nd, of_sym = nd.tanh, sym.tanh
    finally(function() nd.tanh, sym.tanh = of_nd, of_sym end)
    local compiled = hl.compile(function(F, x) return F.tanh(x) end)
    local x = nd.array { 1, 2 }
    assert.bits(x:tanh(), compiled(x))
    nd.tanh, sym.tanh = nd.sqrt, sym.sqrt
    assert.bits(x:sqrt(), compiled(x))
    nd.tanh, sym.tanh = of_nd, of_sym
    assert.bits(x:tanh(), compiled(x))
  end)
  it("does not ignore a replaced method of arrays", function()
    assert.raises(function() nd.NDArray.tanh = nd.relu end, "NDArray.tanh: methods")
  end)
end)
