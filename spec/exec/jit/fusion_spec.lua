-- fusion_spec.lua - fused kernels: which operators they compute, and the bits of eager code, operators one by one (tier
-- 0) and fused (tier 1), forward and backward.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

-- Calls f until its kernels are ready or have failed.
local function wait_for_kernels(f)
  local limit = hl.time() + 60
  while hl.time() < limit do
    local all = true
    for _, trace in ipairs(f:explain { format = "table" }.traces) do
      for _, plan in ipairs(trace.compiled.plans) do
        if plan.kernels == "compiling" or plan.kernels == "waiting" then all = false end
      end
    end
    if all then return end
  end
  error "the compiler did not end within a minute"
end

local function plans(f)
  local list = {}
  for _, trace in ipairs(f:explain { format = "table" }.traces) do
    for _, plan in ipairs(trace.compiled.plans) do list[#list + 1] = plan end
  end
  return list
end

local function enabled()
  local f = hl.compile(function(F, a) return F.relu(a + a) end)
  f(nd.ones { 2 })
  return plans(f)[1].kernels ~= "none"
end
local can_compile = enabled()

-- Output and gradients of f on the arrays.
local function run(f, arrays, head)
  for _, a in ipairs(arrays) do a:attach_grad() end
  local y = autograd.record(function() return f(table.unpack(arrays)) end)
  y:backward(head)
  local out = { y }
  for i, a in ipairs(arrays) do out[i + 1] = a.grad:copy() end
  return out
end

local function random(shape, dtype) return nd.random.uniform(0.2, 2, { shape = shape }):astype(dtype or "float32") end

-- name, function, shapes, minimum number of operators in the largest kernel
local cases = {
  { "a chain", function(F, a, b) return F.tanh(a * b + a) * F.sigmoid(b) - F.relu(a) end, { { 5, 7 }, { 5, 7 } }, 7 },
  { "broadcasts", function(F, a, b, c) return (a + b) * c - F.exp(b) end, { { 4, 3, 5 }, { 5 }, { 4, 1, 1 } }, 3 },
  { "a broadcast operand", function(F, a, b) return F.square(a - b) * a end, { { 4, 3, 5 }, { 3, 1 } }, 3 },
  { "softmax of a chain", function(F, a, b) return F.softmax(a * 2 + b) * b end, { { 6, 33 }, { 6, 33 } }, 8 },
  { "log_softmax, long rows", function(F, a) return F.log_softmax(a * 0.5) end, { { 3, 2500 } }, 6 },
  { "softmin", function(F, a) return F.softmin(F.square(a)) end, { { 4, 17 } }, 6 },
  { "LayerNorm with a residual", function(F, a, g, b) return F.relu(F.LayerNorm(a * 3, g, b) + a) end,
    { { 5, 19 }, { 19 }, { 19 } }, 9 },
  { "sums of rows", function(F, a) return F.sqrt(F.sum(F.square(a), { axis = 1 })) end, { { 9, 40 } }, 3 },
  { "sums of columns", function(F, a) return F.sum(F.exp(a) * a, { axis = 0 }) end, { { 130, 300 } }, 3 },
  { "a mean over everything", function(F, a) return F.mean(F.square(a - 1)) end, { { 30, 41 } }, 3 },
  { "a norm", function(F, a) return F.broadcast_div(a, F.norm(a, { axis = 1, keepdims = true })) end, { { 8, 21 } },
    2 },
  { "maxima and minima", function(F, a) return F.max(a * 2, { axis = -1 }) - F.min(a * 3, { axis = -1 }) end,
    { { 7, 37 } }, 4 },
  { "products", function(F, a) return F.prod(a + 0.1, { axis = { 1, 2 } }) end, { { 4, 3, 2 } }, 2 },
  { "a dense layer's bias and activation",
    function(F, x, w, b) return F.tanh(F.FullyConnected(x, w, b, { num_hidden = 6 })) end,
    { { 5, 9 }, { 6, 9 }, { 6 } }, 2 },
  { "where", function(F, a, b) return F.where(a:greater(b), a * b, a - b) end, { { 4, 6 }, { 4, 6 } }, 3 },
  { "GELU", function(F, a) return F.LeakyReLU(a * 2, { act_type = "gelu" }) + 1 end, { { 3, 50 } }, 3 },
  { "functions of compile-time constants",
    function(F, a, b) return F.expm1(a:greater(b)) + F.tanh(b:lesser(a)) end,
    { { 3, 4 }, { 3, 4 } }, 4 },
  { "one element", function(F, a) return F.exp(a) * a + 1 end, { { 1, 1 } }, 3 },
  { "a batch of one", function(F, a, b) return F.sigmoid(a + b) * a end, { { 1, 12 }, { 12 } }, 3 },
}

describe("fused kernels", function()
  for _, case in ipairs(cases) do
    local name, f, shapes, least = table.unpack(case)
    for _, dtype in ipairs { "float32", "float64" } do
      it(("match the bits of the operators: %s, %s"):format(name, dtype), function()
        hl.random.seed(3)
        local arrays = {}
        for i, shape in ipairs(shapes) do arrays[i] = random(shape, dtype) end
        local head = random(f(nd, table.unpack(arrays)).shape, dtype)
        local compiled = hl.compile(f)
        local eager = run(function(...) return f(nd, ...) end, arrays, head)
        local first = run(compiled, arrays, head)
        wait_for_kernels(compiled)
        local fused = run(compiled, arrays, head)
        for i = 1, #eager do
          assert.bits(first[i], eager[i])
          assert.bits(fused[i], eager[i])
        end
        if not can_compile then return end
        local most = 0
        for _, plan in ipairs(plans(compiled)) do
          assert.equal(1, plan.tier)
          for _, group in ipairs(plan.groups) do most = math.max(most, #group.members) end
        end
        assert.is_true(most >= least, ("the largest kernel has %d operators, expected %d"):format(most, least))
      end)
    end
  end

  it("serve another batch size without compiling", function()
    if not can_compile then pending "no C compiler" return end
    local f = hl.compile(function(F, a) return F.softmax(F.exp(a) + a * a) end)
    f(random { 3, 8 })
    wait_for_kernels(f)
    f(random { 20, 8 })
    local list = plans(f)
    assert.equal(1, list[1].tier)
    assert.is_true(list[1].groups[1].c == list[2].groups[1].c)
  end)

  it("keep a chain of 50 layers in two buffers, and four arrays within 80 bytes", function()
    local function chain(F, a)
      for _ = 1, 50 do a = F.sigmoid(a) * 1.5 + 0.1 end
      return a
    end
    local f = hl.compile(chain)
    local x = random { 1000 }
    f(x)
    assert.is_true(plans(f)[1].arena_bytes <= 2 * 4096)
    wait_for_kernels(f)
    assert.bits(f(x), chain(nd, x))
    assert.is_true(plans(f)[1].arena_bytes <= 2 * 4096)
    local g = hl.compile(function(_, a, b) local c = a + b local d = c * 2 return d - 1 end)
    local a, b = nd.ones({ 10 }, { dtype = "float64" }), nd.ones({ 10 }, { dtype = "float64" })
    g(a, b)
    wait_for_kernels(g)
    g(a, b)
    local plan = plans(g)[1]
    assert.is_true(plan.arena_bytes + plan.output_bytes <= 80)
    if can_compile then assert.equal(1, plan.instructions) end
  end)

  it("have the scalars of all their operators", function()
    local function chain(F, a)
      for i = 1, 40 do a = F.clip(a + 0.1, -i, i) end
      return a
    end
    local f, x = hl.compile(chain), random { 100 }
    f(x)
    wait_for_kernels(f)
    assert.bits(f(x), chain(nd, x))
  end)

  it("recompute cheap values in backward instead of keeping them", function()
    if not can_compile then pending "no C compiler" return end
    local function f(F, a) local b = a * a + 1 return F.tanh(b) * (b - 3) end
    local compiled, a = hl.compile(f), random { 100, 100 }
    local eager = run(function(...) return f(nd, ...) end, { a })
    local first = run(compiled, { a })
    wait_for_kernels(compiled)
    local fused = run(compiled, { a })
    for i = 1, #eager do
      assert.bits(first[i], eager[i])
      assert.bits(fused[i], eager[i])
    end
    assert.is_true(plans(compiled)[1].arena_bytes <= 40000)     -- tanh alone is kept; b - 3 is not
  end)

  it("do not read forward's inputs in backward, which may be written in between", function()
    local function f(F, a) local b = a * 2 + 1 return F.tanh(b) * (b - 3) end
    local function overwritten(g)
      local a = nd.array { 1, 2, 3, 4 }
      a:attach_grad()
      local y = autograd.record(function() return g(a) end)
      a[{}] = 7
      y:backward()
      return a.grad
    end
    local compiled, expected = hl.compile(f), overwritten(function(a) return f(nd, a) end)
    assert.bits(overwritten(compiled), expected)
    wait_for_kernels(compiled)
    assert.bits(overwritten(compiled), expected)
  end)

  it("keep the order of random numbers", function()
    local function f(F, a) return F.relu(F.Dropout(F.exp(a) * 2, { p = 0.5, mode = "always" }) + a) * 3 end
    local compiled, a = hl.compile(f), random { 6, 5 }
    compiled(a)
    wait_for_kernels(compiled)
    hl.random.seed(8)
    local expected = f(nd, a)
    hl.random.seed(8)
    assert.bits(compiled(a), expected)
  end)

  it("train as eager code does over 1,000 steps, with kernels ready in the middle", function()
    local gluon = hl.gluon
    local nn = gluon.nn
    local function train(hybrid)
      hl.random.seed(7)
      local net = nn.HybridSequential()
      net:add(nn.Dense(24, { activation = "relu" }), nn.Dropout(0.3), nn.Dense(16), nn.LeakyReLU(0.1), nn.Dense(4))
      net:initialize()
      local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
      local x, y = nd.random.normal { shape = { 20, 10 } }, nd.random.randint(0, 4, { shape = { 20 } }):astype "float32"
      local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
      if hybrid then net:hybridize() loss_of:hybridize() end
      for step = 1, 1000 do
        local loss = autograd.record(function() return loss_of(net(x), y) end)
        loss:backward()
        trainer:step(20)
        if hybrid and step == 500 then wait_for_kernels(net) end
      end
      if hybrid and can_compile then assert.equal(1, plans(net)[1].tier) end
      local out = {}
      for i, layer in ipairs { 0, 2, 4 } do out[i] = net[layer].weight:data() end
      return out
    end
    local eager, hybrid = train(false), train(true)
    for i = 1, #eager do assert.bits(hybrid[i], eager[i]) end
  end)

  it("can become ready between forward and backward", function()
    local f = hl.compile(function(F, a) return F.exp(a * 2) * a end)
    local a = random { 4, 4 }
    a:attach_grad()
    local y = autograd.record(function() return f(a) end)
    wait_for_kernels(f)
    local z = autograd.record(function() return f(a) end)
    y:backward()
    local first = a.grad:copy()
    z:backward()
    assert.bits(a.grad, first)
  end)
end)
