-- device_training_spec.lua - training over several contexts: parameters with one copy per context, the loop over a list
-- of contexts, Trainer and other functions of such a loop.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn = gluon.nn
local cpu = hl.cpu

local function contexts(n)
  local list = {}
  for i = 1, n do list[i] = cpu(i - 1) end
  return list
end

local function on(x) return tostring(x.context) end

describe("a parameter in several contexts", function()
  local two = contexts(2)

  local function dense(options)
    options = options or {}
    options.in_units = options.in_units or 3
    local net = nn.Dense(2, options)
    net:initialize { ctx = two }
    return net
  end

  it("has a copy of its value and gradient in each", function()
    local w = dense().weight
    assert.same({ "cpu(0)", "cpu(1)" }, { tostring(w:list_ctx()[1]), tostring(w:list_ctx()[2]) })
    assert.same({ "cpu(0)", "cpu(1)" }, { on(w:list_data()[1]), on(w:list_data()[2]) })
    assert.same({ "cpu(0)", "cpu(1)" }, { on(w:list_grad()[1]), on(w:list_grad()[2]) })
    assert.same(w:data(cpu(0)):totable(), w:data(cpu(1)):totable())
    assert.equal(w:data(), w:data(cpu(0)))
    cpu(1):with(function()
      assert.equal(w:data(), w:data(cpu(1)))
      assert.equal("cpu(1)", on(w:grad()))
    end)
    local alone = nn.Dense(2, { in_units = 3 })
    alone:initialize { ctx = cpu(1) }
    assert.equal("cpu(1)", on(alone.weight:data()))
    assert.same(two, dense():collect_params():list_ctx())
  end)

  it("draws the same values as in one", function()
    local function weight(ctx)
      hl.random.seed(5)
      local net = nn.Dense(2, { in_units = 3 })
      net:initialize(hl.init.Xavier(), ctx)
      return net.weight:list_data()
    end
    local one = weight(cpu(0))[1]
    for _, list in ipairs { weight(contexts(3)), weight { cpu(2), cpu(1) }, weight(cpu(4)) } do
      for _, data in ipairs(list) do assert.same(one:totable(), data:totable()) end
    end
  end)

  it("names the contexts in which it is missing", function()
    local net = dense { prefix = "d_" }
    local text =
      "Parameter 'd_weight' was not initialized on context cpu%(2%). It was only initialized on %[cpu%(0%), cpu%(1%)%]."
    assert.raises(function() net.weight:data(cpu(2)) end, text)
    assert.raises(function() net.weight:grad(cpu(2)) end, text)
    assert.raises(function() net(nd.ones({ 1, 3 }, cpu(2))) end, text)
    net:hybridize()
    assert.raises(function() net(nd.ones({ 1, 3 }, cpu(2))) end, text)
    net(nd.ones({ 1, 3 }, cpu(1)))
    assert.raises(function() net(nd.ones({ 1, 3 }, cpu(2))) end, text)
    local alone = nn.Dense(1, { in_units = 3, prefix = "e_" })
    alone:initialize()
    for _ = 1, 2 do
      assert.raises(function() alone(nd.ones({ 1, 3 }, cpu(1))) end,
                    "Parameter 'e_weight' was not initialized on context cpu%(1%). It was only initialized on " ..
                      "%[cpu%(0%)%].")
      alone(nd.ones { 1, 3 })
    end
    assert.raises(function() net:initialize { ctx = { cpu(0), cpu(0) } } end,
      "initialize: ctx: expected different contexts, got cpu%(0%) twice")
    assert.raises(function() net:initialize { ctx = { cpu(0), 1 } } end,
                  "initialize: ctx: expected a list of contexts, such as {.*, got an integer in it")
    assert.raises(function() net:initialize { ctx = "gpu" } end,
      "initialize: ctx: expected a context, such as hl.cpu%(%), got a string")
  end)

  it("is set, cast and zeroed in all", function()
    local net = dense()
    local w = net.weight
    w:set_data(nd.ones { 2, 3 } * 4)
    for _, data in ipairs(w:list_data()) do assert.equal(24, data:sum():asscalar()) end
    for _, grad in ipairs(w:list_grad()) do grad:set(1) end
    w:zero_grad()
    for _, grad in ipairs(w:list_grad()) do assert.equal(0, grad:sum():asscalar()) end
    net:cast "float64"
    for i, data in ipairs(w:list_data()) do
      assert.same({ "float64", cpu(i - 1) }, { data.dtype, data.context })
      assert.equal("float64", w:list_grad()[i].dtype)
    end
    w.grad_req = "add"
    for i = 1, 2 do
      for _ = 1, 2 do
        autograd.record(function() return w:list_data()[i]:sum() end):backward()
      end
    end
    assert.same({ 12, 12 }, { w:list_grad()[1]:sum():asscalar(), w:list_grad()[2]:sum():asscalar() })
    w.grad_req = "null"
    assert.raises(function() w:grad(cpu(1)) end, "because grad_req='null'")
  end)

  it("keeps its values in new contexts", function()
    local net = dense()
    local before = net.weight:data(cpu(0)):totable()
    net:collect_params():reset_ctx { cpu(2), cpu(3), cpu(1) }
    assert.same({ cpu(2), cpu(3), cpu(1) }, net.weight:list_ctx())
    for i, data in ipairs(net.weight:list_data()) do
      assert.same(before, data:totable())
      assert.equal(data.context, net.weight:list_grad()[i].context)
    end
    assert.equal("cpu(3)", on(net(nd.ones({ 1, 3 }, cpu(3)))))
    net.weight:reset_ctx(cpu(0))
    assert.equal("cpu(0)", on(net.weight:data()))
    net:reset_ctx(cpu(2))
    assert.same({ "cpu(2)", "cpu(2)" }, { on(net.weight:data()), on(net.bias:grad()) })
    local waiting = nn.Dense(2)
    waiting:initialize()
    waiting:collect_params():reset_ctx(two)
    assert.same(two, waiting.weight:list_ctx())
    waiting(nd.ones({ 1, 4 }, cpu(1)))
    assert.equal(2, #waiting.weight:list_data())
  end)

  it("is saved once and loaded into each", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local file, net = folder:file "net.params", dense()
    net:save_parameters(file)
    local loaded = nd.load(file)
    assert.same(net.weight:data(cpu(1)):totable(), loaded.weight:totable())
    for what, load in pairs {
      fresh = function(other) other:load_parameters(file, { ctx = two }) end,
      positional = function(other) other:load_parameters(file, two) end,
      initialized = function(other) other:initialize { ctx = two } other:load_parameters(file) end,
      named = function(other)
        other:initialize { ctx = two }
        other:load_parameters(file, { ctx = { cpu(1), cpu(0) } })
      end,
    } do
      local other = nn.Dense(2, { in_units = 3 })
      load(other)
      assert.same(two, other.weight:list_ctx(), what)
      for _, data in ipairs(other.weight:list_data()) do assert.same(loaded.weight:totable(), data:totable(), what) end
    end
    local elsewhere = nn.Dense(2, { in_units = 3, prefix = "f_" })
    elsewhere:initialize { ctx = cpu(2) }
    local before = elsewhere.weight:data():totable()
    assert.raises(function() elsewhere:load_parameters(file, { ctx = two }) end,
                  "Failed to load Parameter 'f_bias' on %[cpu%(0%), cpu%(1%)%] because it was previous " ..
                    "initialized on %[cpu%(2%)%].")
    assert.same(before, elsewhere.weight:data():totable())
    net:collect_params():save(folder:file "dict.params")
    net:collect_params():load(folder:file "dict.params", { ctx = two })
  end)

  it("can be exported, and imported into several contexts", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local net = dense()
    net:hybridize()
    local x = nd.ones({ 1, 3 }, cpu(1))
    local y = net(x)
    local symbol, params = net:export(folder:file "net")
    for _, options in ipairs { two, { ctx = two }, { ctx = two, ignore_extra = true } } do
      local block = gluon.SymbolBlock.imports(symbol, { "data" }, params, options)
      assert.same(y:totable(), block(x):totable())
      assert.equal("cpu(1)", on(block(x)))
      assert.equal("cpu(0)", on(block(x:as_in_context(cpu(0)))))
    end
    assert.raises(function() gluon.SymbolBlock.imports(symbol, { "data" }, params, cpu(0))(x) end,
      "was not initialized on context cpu%(1%)")
  end)

  it("can be a constant or shared", function()
    local Scale = gluon.HybridBlock:subclass "Scale"
    function Scale:init() self.factor = self.params:get_constant("factor", nd.array { 2, 3 }) end
    function Scale:hybrid_forward(_, x, p) return x * p.factor end
    for _, hybridize in ipairs { false, true } do
      local scale = Scale()
      scale:initialize { ctx = two }
      if hybridize then scale:hybridize() end
      for i = 0, 1 do assert.same({ { 2, 3 } }, scale(nd.ones({ 1, 2 }, cpu(i))):totable()) end
      assert.raises(function() scale(nd.ones({ 1, 2 }, cpu(2))) end, "was not initialized on context cpu%(2%)")
    end
    local first = dense { in_units = 2 }
    local second = nn.Dense(2, { in_units = 2, params = first.params })
    assert.equal("cpu(1)", on(second(first(nd.ones({ 1, 2 }, cpu(1))))))
  end)

  it("may differ between contexts if not learned; its mean is saved", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local Running = gluon.HybridBlock:subclass "Running"
    function Running:init()
      self.mean = self.params:get("mean", { shape = { 1 }, grad_req = "null", init = "zeros" })
    end
    local net = Running()
    net:initialize { ctx = contexts(3) }
    for i, data in ipairs(net.mean:list_data()) do data:set(i * i) end
    net:save_parameters(folder:file "running.params")
    assert.allclose(nd.load(folder:file "running.params").mean, { 14 / 3 })
    net.mean:set_data(nd.array { 0.1 })
    net:save_parameters(folder:file "running.params")
    assert.bits(nd.load(folder:file "running.params").mean, nd.array { 0.1 })
  end)

  it("is available to layers that create arrays and read the context themselves", function()
    local Own = gluon.HybridBlock:subclass "Own"
    function Own:init()
      self.w = self.params:get("w", { shape = { 2 }, init = "ones" })
    end
    function Own:hybrid_forward(F, x, p) return x * p.w + F.ones { 2 } + self.w:data(x.context) end
    for _, hybridize in ipairs { false, true } do
      local own = Own()
      own:initialize { ctx = contexts(3) }
      if hybridize then own:hybridize() end
      for _ = 1, 2 do
        for i = 0, 2 do
          local y = own(nd.ones({ 1, 2 }, cpu(i)))
          assert.equal(cpu(i), y.context)
          assert.same({ { 3, 3 } }, y:totable())
        end
      end
    end
    local Plain = gluon.Block:subclass "Plain"
    function Plain:init() self.dense = nn.Dense(1, { in_units = 2 }) end
    function Plain:forward(x) return self.dense(x) + self.dense.bias:data(x.context) end
    local plain = Plain()
    plain:initialize { ctx = two }
    assert.equal("cpu(1)", on(plain(nd.ones({ 1, 2 }, cpu(1)))))
  end)
end)

-- ---- Data parallelism -----------------------------------------------------------------------------------

local function data(n, seed)
  hl.random.seed(seed)
  return nd.random.normal { shape = { n, 6 } }, nd.random.normal { shape = { n, 2 } }
end

local function mlp(deferred)
  local net = nn.HybridSequential()
  net:add(nn.Dense(5, { activation = "tanh", in_units = deferred and 0 or 6 }),
    nn.Dense(2, { in_units = deferred and 0 or 5 }))
  return net
end

-- The loop of the tutorials: trains `net` over n contexts; returns the final weights in the first.
local function train(n, options)
  local ctx = contexts(n)
  hl.random.seed(3)
  local net = (options.net or mlp)(options.deferred)
  net:initialize(hl.init.Xavier(), ctx)
  if options.hybridize then net:hybridize() end
  local params = net:collect_params()
  if options.grad_req then params:setattr("grad_req", options.grad_req) end
  local trainer = gluon.Trainer(params, options.optimizer or "sgd", options.optimizer_params or { learning_rate = 0.1 })
  local loss = options.loss or gluon.loss.L2Loss()
  local x, y = data(options.samples or 24, 11)
  local size = options.batch or 8
  local loader = gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), size)
  for _ = 1, options.epochs or 3 do
    for part, target in loader:batches() do
      local xs = gluon.utils.split_and_load(part, ctx, { even_split = false })
      local ys = gluon.utils.split_and_load(target, ctx, { even_split = false })
      local losses = {}
      autograd.record(function()
        for i = 1, #xs do
          losses[i] = options.compute and options.compute(net, xs[i], ys[i]) or loss(net(xs[i]), ys[i])
        end
      end)
      if options.together then autograd.backward(losses) else for _, l in ipairs(losses) do l:backward() end end
      options.step = options.step or function(t, batch_size) t:step(batch_size) end
      options.step(trainer, #part, params, ctx)
      if options.grad_req == "add" and not options.accumulate then params:zero_grad() end
    end
  end
  local weights = {}
  for i, param in ipairs(params:values()) do
    weights[i] = param:data(ctx[1])
    for _, copy in ipairs(param:list_data()) do assert.bits(weights[i], copy:as_in_context(ctx[1])) end
  end
  return weights, trainer, net
end

describe("a loop over a list of contexts", function()
  -- Asserts that 1, 2 and 4 contexts have close weights, and eager and hybridized training the same bits.
  local function agrees(options)
    local one
    for _, n in ipairs { 1, 2, 4 } do
      options.hybridize = false
      local eager = train(n, options)
      options.hybridize = true
      local compiled = train(n, options)
      one = one or eager
      for i, weight in ipairs(eager) do
        assert.bits(weight, compiled[i])
        assert.allclose(weight, one[i]:totable(), 1e-6, 1e-6)
      end
    end
    local start = train(1, { net = options.net, epochs = 0 })
    assert.truthy((start[1] - one[1]):abs():max():asscalar() > 1e-3)
  end

  for name, rule in pairs {
    sgd = { learning_rate = 0.1 }, momentum = { "sgd", { learning_rate = 0.05, momentum = 0.9, wd = 0.01 } },
    nag = { learning_rate = 0.05, momentum = 0.9 },
    adam = { learning_rate = 0.01 }, rmsprop = { learning_rate = 0.01 }, adagrad = { learning_rate = 0.1 },
    signum = { learning_rate = 0.01 }, lamb = { learning_rate = 0.01 },
  } do
    it("matches one context with " .. name, function()
      agrees { optimizer = rule[1] or name, optimizer_params = rule[2] or rule, epochs = name == "signum" and 1 or 3 }
    end)
  end

  it("matches one context with shards of unequal sizes", function() agrees { samples = 23, batch = 6, epochs = 2 } end)

  it("matches one context with deferred shapes", function()
    agrees { deferred = true, optimizer = "adam", optimizer_params = { learning_rate = 0.01 } }
  end)

  it("matches one context with one backward over all losses", function() agrees { together = true } end)

  it("matches one context if gradients are added", function()
    agrees { grad_req = "add" }
    agrees { grad_req = "add", accumulate = true, epochs = 1 }
  end)

  it("matches one context with allreduce_grads, clipping and update", function()
    agrees {
      step = function(trainer, size, params, ctx)
        trainer:allreduce_grads()
        for _, one in ipairs(ctx) do
          local grads = {}
          for i, param in ipairs(params:values()) do grads[i] = param:grad(one) end
          gluon.utils.clip_global_norm(grads, 0.5)
        end
        trainer:update(size)
      end }
  end)

  it("matches one context with shared parameters and several outputs", function()
    local Twice = gluon.HybridBlock:subclass "Twice"
    function Twice:init()
      self.a = nn.Dense(6, { in_units = 6, activation = "tanh" })
      self.b = nn.Dense(6, { in_units = 6, params = self.a.params })
      self.out = nn.Dense(2, { in_units = 6 })
    end
    function Twice:hybrid_forward(_, x)
      local h = self.b(self.a(x))
      return self.out(h), h
    end
    agrees {
      net = function() return Twice() end,
      compute = function(net, x, y)
        local out, h = net(x)
        return gluon.loss.L2Loss()(out, y) + (h * h):mean { axis = 1 } * 0.1
      end }
  end)

  it("matches one context with a hybridized loss and a compiled step per shard", function()
    local one
    for _, n in ipairs { 1, 2, 4 } do
      local ctx = contexts(n)
      hl.random.seed(3)
      local net = mlp()
      net:initialize(hl.init.Xavier(), ctx)
      local loss, trainer = gluon.loss.L2Loss(), gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local shard = hl.compile(function(_, x, y)
        local l = autograd.record(function() return loss(net(x), y) end)
        l:backward()
        return l
      end)
      local x, y = data(8, 11)
      for _ = 1, 3 do
        local xs, ys = gluon.utils.split_and_load(x, ctx), gluon.utils.split_and_load(y, ctx)
        for i = 1, n do assert.equal(ctx[i], shard(xs[i], ys[i]).context) end
        trainer:step(8)
      end
      one = one or net[0].weight:data(cpu(0))
      assert.allclose(net[0].weight:data(cpu(0)), one:totable(), 1e-6, 1e-6)
    end
  end)
end)

describe("a Trainer over several contexts", function()
  local two = contexts(2)

  local function ready(prefix)
    local net = nn.Dense(1, { in_units = 2, prefix = prefix, weight_initializer = "ones" })
    net:initialize { ctx = two }
    return net, gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.5 })
  end

  local function backward(net, i)
    autograd.record(function() return net(nd.ones({ 1, 2 }, two[i])):sum() end):backward()
  end

  it("names the context of a stale gradient", function()
    local net, trainer = ready "s_"
    backward(net, 1)
    assert.raises(function() trainer:step(1) end,
                  "Gradient of Parameter 's_weight' on context cpu%(1%) has not been updated by backward since " ..
                    "the last step")
    backward(net, 2)
    trainer:step(2)
    assert.same({ { 0.5, 0.5 } }, net.weight:data(cpu(1)):totable())
    backward(net, 2)
    assert.raises(function() trainer:step(1) end,
      "Gradient of Parameter 's_weight' on context cpu%(0%) has not been updated")
  end)

  it("uses the fresh gradients if stale ones are ignored", function()
    local net, trainer = ready()
    backward(net, 1)
    backward(net, 2)
    trainer:step(2)
    backward(net, 2)
    trainer:step(1, { ignore_stale_grad = true })
    for i = 1, 2 do assert.same({ { 0, 0 } }, net.weight:data(two[i]):totable()) end
    trainer:step(1, true)
    assert.same({ { 0, 0 } }, net.weight:data(cpu(0)):totable())
  end)

  it("stores the sum in all gradients with allreduce_grads, in none with step", function()
    local net, trainer = ready "u_"
    backward(net, 1)
    backward(net, 2)
    assert.raises(function() trainer:update(2) end,
      "Trainer.update: Parameter 'u_weight' is in several contexts, %[cpu%(0%), cpu%(1%)%], and its " ..
      "gradients were not summed: call trainer:allreduce_grads%(%) first")
    trainer:allreduce_grads()
    for i = 1, 2 do assert.same({ { 2, 2 } }, net.weight:grad(two[i]):totable()) end
    trainer:update(2)
    assert.same({ { 0.5, 0.5 } }, net.weight:data(cpu(1)):totable())
    backward(net, 1)
    backward(net, 2)
    trainer:step(2)
    for i = 1, 2 do assert.same({ { 1, 1 } }, net.weight:grad(two[i]):totable()) end
    assert.same({ { 0, 0 } }, net.weight:data(cpu(1)):totable())
  end)

  it("saves one state, and resumes from it in other contexts", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local file, params_file = folder:file "t.states", folder:file "t.params"
    local options = { optimizer = "adam", optimizer_params = { learning_rate = 0.01 } }
    local _, trainer, net = train(2, options)
    trainer:save_states(file)
    net:save_parameters(params_file)
    local function go_on(n_contexts, first)
      local ctx = {}
      for i = 1, n_contexts do ctx[i] = cpu(first + i - 1) end
      local other = mlp()
      other:load_parameters(params_file, { ctx = ctx })
      local t = gluon.Trainer(other:collect_params(), "adam", { learning_rate = 0.01 })
      t:load_states(file)
      local x, y = data(8, 12)
      local xs, ys = gluon.utils.split_and_load(x, ctx), gluon.utils.split_and_load(y, ctx)
      for i = 1, n_contexts do
        autograd.record(function() return gluon.loss.L2Loss()(other(xs[i]), ys[i]) end):backward()
      end
      t:step(8)
      return other[0].weight:data(ctx[1]):as_in_context(cpu(0))
    end
    local one = go_on(1, 0)
    for _, again in ipairs { go_on(2, 0), go_on(4, 1), go_on(1, 3) } do
      assert.allclose(again, one:totable(), 1e-6, 1e-6)
    end
  end)

  it("cannot be part of a compiled step", function()
    local net, trainer = ready "c_"
    local step = hl.compile(function(_, x)
      autograd.record(function() return net(x):sum() end):backward()
      trainer:step(1)
    end)
    assert.raises(function() step(nd.ones { 1, 2 }) end,
                  "Trainer.step: a compiled training step computes in one context, and Parameter 'c_weight' is in " ..
      "several, %[cpu%(0%), cpu%(1%)%]; compile the per%-context part, and call step outside")
    net:collect_params():reset_ctx(cpu(1))
    step(nd.ones({ 1, 2 }, cpu(1)))
    assert.same({ { 0.5, 0.5 } }, net.weight:data():totable())
  end)

  it("updates a script's own optimizer once for each parameter", function()
    local calls = 0
    local Mine = hl.optimizer.Optimizer:subclass "MineOfContexts"
    function Mine:update(_, weight, grad)
      calls = calls + 1
      weight:subtract_(grad * 0.5)
    end
    local net = ready()
    local trainer = gluon.Trainer(net:collect_params(), Mine())
    backward(net, 1)
    backward(net, 2)
    trainer:step(1)
    assert.equal(2, calls)
    for i = 1, 2 do assert.same({ { 0, 0 } }, net.weight:data(two[i]):totable()) end
  end)
end)

describe("other functions of a loop over contexts", function()
  it("include metrics, which accept lists of arrays in several contexts", function()
    local labels = { nd.array({ 0, 1 }, cpu(0)), nd.array { 1 } }
    local preds = { nd.array({ { 1, 0 }, { 0, 1 } }, cpu(0)), nd.array({ { 1, 0 } }, cpu(1)) }
    for _, metric in ipairs { hl.metric.Accuracy(), hl.metric.TopKAccuracy(2), hl.metric.create "ce" } do
      metric:update(labels, preds)
      local all = hl.metric.create(metric.name:find "top" and hl.metric.TopKAccuracy(2) or
        metric.name:find "acc" and "acc" or "ce")
      all:update(nd.array { 0, 1, 1 }, nd.array { { 1, 0 }, { 0, 1 }, { 1, 0 } })
      assert.near(select(2, all:get()), select(2, metric:get()), 1e-6)
    end
  end)

  it("include clip_global_norm, which accepts arrays in several contexts", function()
    local a, b = nd.ones({ 2 }, cpu(1)) * 3, nd.ones({ 2 }, cpu(0)) * 4
    assert.near(math.sqrt(50), gluon.utils.clip_global_norm({ a, b }, 1), 1e-4)
    assert.near(3 / math.sqrt(50), a[0]:asscalar(), 1e-5)
    assert.equal("cpu(1)", on(a))
  end)

  it("include a DataLoader, whose batches are in cpu(0)", function()
    local lists = gluon.data.SimpleDataset { { nd.ones { 2 }, 1 }, { nd.zeros { 2 }, 0 } }
    cpu(1):with(function()
      for x, y in gluon.data.DataLoader(lists, 2):batches() do assert.same({ "cpu(0)", "cpu(0)" }, { on(x), on(y) }) end
      assert.equal(cpu(1), hl.current_context())
      local there = gluon.data.ArrayDataset(nd.arange(4), nd.arange(4))
      for x in gluon.data.DataLoader(there, 2, { shuffle = true }):batches() do assert.equal("cpu(1)", on(x)) end
    end)
  end)

  it("include Executors, which are bound in one context", function()
    local a, b = sym.var "a", sym.var "b"
    local graph = a * b + sym.ones { 2 }
    local there = { a = nd.array({ 1, 2 }, cpu(1)), b = nd.array({ 3, 4 }, cpu(1)) }
    for _, ex in ipairs { graph:bind(cpu(1), there), graph:bind(there), graph:bind({ cpu(1) }, there) } do
      assert.equal("cpu(1)", on(ex:forward()[1]))
      assert.same({ 4, 9 }, ex.outputs[1]:totable())
    end
    assert.raises(function() graph:bind(cpu(0), there) end,
      "bind: args: %a: expected an array in context cpu%(0%), got one in cpu%(1%)")
    assert.raises(function() graph:bind { a = there.a, b = nd.ones { 2 } } end,
                  "bind: args: %a: expected an array in context cpu%(%d%), got one in cpu%(%d%)")
    for _, ex in ipairs { graph:simple_bind(cpu(2), { a = { 2 }, b = { 2 } }),
        graph:simple_bind { ctx = cpu(2), a = { 2 }, b = { 2 } } } do
      assert.equal("cpu(2)", on(ex.arg_dict.a))
      ex:forward { is_train = true, a = nd.ones { 2 }, b = nd.ones { 2 } }
      ex:backward()
      assert.equal("cpu(2)", on(ex.grad_dict.a))
      assert.equal("cpu(2)", on(ex.outputs[1]))
    end
    assert.equal("cpu(1)", on(graph:eval(there)[1]))
    assert.equal("cpu(1)", on(graph:eval(cpu(1), there)[1]))
    assert.equal("cpu(3)", on(sym.ones({ 2 }):eval(cpu(3))[1]))
    assert.raises(function() graph:eval(cpu(0), there) end,
      "eval: expected all arrays in context cpu%(0%), got '%a' in cpu%(1%)")
    assert.raises(function() graph:bind({ cpu(0), cpu(1) }, there) end,
      "bind: ctx: expected one context, such as hl.cpu%(%), got a list of 2")
  end)

  it("include random numbers, which come from one stream", function()
    hl.random.seed(4)
    local here = { nd.random.normal { shape = { 3 } }:totable(), nd.random.normal { shape = { 3 } }:totable() }
    hl.random.seed(4, { ctx = "all" })
    local there = { nd.random.normal { shape = { 3 }, ctx = cpu(1) }:totable(),
      nd.random.normal { shape = { 3 }, ctx = cpu(2) }:totable() }
    assert.same(here, there)
    hl.random.seed(4, cpu(1))
    assert.same(here[1], nd.random.normal { shape = { 3 } }:totable())
    assert.raises(function() hl.random.seed(4, { ctx = 5 }) end, "random.seed: ctx: expected a context")
  end)
end)
