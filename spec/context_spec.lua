-- context_spec.lua - contexts: arrays in cpu(0), cpu(1), ..., mixing contexts, gradients, compiled calls. Training on
-- several is in device_training_spec.lua.
local hl = require "hybridlua"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn
local cpu = hl.cpu

local function on(x) return tostring(x.context) end

describe("a context", function()
  it("is a value: made by name, compared, printed, used as a table key", function()
    assert.same({ "cpu(0)", "cpu(3)", "gpu(1)", "cpu_pinned(0)", "cpu_shared(2)" },
                { tostring(cpu()), tostring(cpu(3)), tostring(hl.gpu(1)), tostring(hl.cpu_pinned()),
                  tostring(hl.cpu_shared(2)) })
    assert.equal(cpu(0), cpu())
    assert.are_not.equal(cpu(0), cpu(1))
    assert.are_not.equal(cpu(0), hl.gpu(0))
    assert.equal(hl.gpu(1), hl.Context("gpu", 1))
    assert.equal(cpu(2), hl.Context(cpu(2)))
    assert.equal(cpu(2), hl.Context { device_type = "cpu", device_id = 2 })
    assert.equal(cpu(2), hl.Context { "cpu", 2 })
    assert.equal(cpu(2), hl.Context("cpu", { device_id = 2 }))
    assert.equal(hl.gpu(2), hl.gpu { device_id = 2 })
    assert.same({ "cpu", 3, 1 }, { cpu(3).device_type, cpu(3).device_id, cpu(3).device_typeid })
    assert.same({ 2, 3, 5 }, { hl.gpu().device_typeid, hl.cpu_pinned().device_typeid, hl.cpu_shared().device_typeid })
    local seen = { [cpu(1)] = "there" }
    collectgarbage()
    assert.equal("there", seen[cpu(1)])
    assert.equal(hl.cpu(1), hl.context.cpu(1))
    assert.equal(0, hl.context.num_gpus())
  end)

  it("rejects wrong names and numbers", function()
    assert.raises(function() hl.Context("tpu", 0) end,
      "Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared', got 'tpu'")
    assert.raises(function() hl.Context(1) end, "Context: device_type: expected 'cpu', .* or a context, got number")
    assert.raises(function() cpu { device = 1 } end,
      "context_spec.lua:%d+: cpu: unknown option 'device'; it takes device_id")
    assert.raises(function() cpu(1, 2) end, "cpu: expected at most 1 argument, got 2")
    assert.raises(function() hl.Context("cpu", 1, 2) end, "Context: expected at most 2 arguments, got 3")
    assert.raises(function() hl.current_context(1) end, "current_context: expected at most 0 arguments, got 1")
    assert.raises(function() hl:cpu(1) end, "cpu: expected a dot, got a colon; write hl.cpu%(...%)")
    assert.raises(function() hl:current_context() end,
      "current_context: expected a dot, got a colon; write hl.current_context%(...%)")
    for _, id in ipairs { "0", "x" } do
      assert.raises(function() cpu(id) end,
        "context_spec.lua:%d+: cpu: device_id: expected an integer of 0 or more, got the string '" .. id .. "'")
    end
    for _, id in ipairs { -1, 1.5 } do
      assert.raises(function() cpu(id) end,
                    "context_spec.lua:%d+: cpu: device_id: expected an integer of 0 or more, got " ..
                      tostring(id):gsub("%-", "%%-"))
    end
  end)

  it("may be a GPU; making an array there is an error that names it", function()
    assert.equal(0, hl.num_gpus())
    assert.same({}, hl.list_gpus())
    assert.same({}, hl.test_utils.list_gpus())
    assert.equal("gpu", hl.gpu(0).device_type)
    assert.raises(function() hl.gpu_memory_info(0) end, "gpu_memory_info: context gpu%(0%): no GPU in this build")
    local there = { ctx = hl.gpu(1) }
    for what, make in pairs {
      zeros = function() nd.zeros({ 1 }, there) end, ["nd.array"] = function() nd.array({ 1 }, there) end,
      uniform = function() nd.random.uniform(0, 1, { 2 }, there) end,
      as_in_context = function() nd.ones { 2 }:as_in_context(there.ctx) end,
      copyto = function() nd.ones { 2 }:copyto(there.ctx) end,
      arange = function() there.ctx:with(function() nd.arange(3) end) end,
      _ = function() nn.Dense(1, { in_units = 2 }):initialize { ctx = there.ctx } end,
    } do
      assert.raises(make, what .. ".*: context gpu%(1%): no GPU in this build")
    end
    local net = nn.Dense(1, { in_units = 2 })
    net:initialize()
    assert.raises(function() net:initialize { ctx = hl.gpu(1), force_reinit = true } end, "no GPU in this build")
    assert.equal("cpu(0)", on(net.weight:data()))
    local function try_gpu() return pcall(nd.zeros, { 1 }, { ctx = hl.gpu(0) }) and hl.gpu(0) or cpu() end
    assert.equal(cpu(), try_gpu())
  end)

  it("is current in a scope or a function, for the coroutine that entered it", function()
    assert.equal(cpu(0), hl.current_context())
    assert.equal(7, cpu(1):with(function()
      assert.equal("cpu(1)", on(nd.zeros { 2 }))
      assert.equal("cpu(1)", on(nd.array { 1, 2 }))
      local _ <close> = cpu(2):with()
      assert.equal(cpu(2), hl.current_context())
      assert.equal("cpu(2)", on(nd.random.normal { shape = { 2 } }))
      autograd.record(function() assert.equal("cpu(2)", on(nd.arange(3))) end)
      return 7
    end))
    assert.equal("cpu(0)", on(nd.zeros { 2 }))
    pcall(function() cpu(1):with(function() error "x" end) end)
    assert.equal(cpu(0), hl.current_context())
    local routine = coroutine.wrap(function()
      local _ <close> = cpu(3):with()
      coroutine.yield(hl.current_context())
      return hl.current_context()
    end)
    assert.equal(cpu(3), routine())
    assert.equal(cpu(0), hl.current_context())
    assert.equal(cpu(3), cpu(1):with(routine))
    assert.equal(cpu(0), hl.current_context())
    assert.equal(cpu(2), cpu(2):with(function() return coroutine.wrap(hl.current_context)() end))
    assert.raises(function() cpu(1):with(5) end, "with: expected a function, got number")
    local program = 'local hl = require "hybridlua"\nhl.cpu(1):with()'
    assert.matches("UserWarning: ctx:with at [^\n]-:2 was never closed, so its settings stay; write " ..
      "ctx:with%(function%(%) ... end%)",
                   (command.hybridlua { "-e", program }))
  end)

  it("is accepted wherever arrays are made", function()
    local ctx = cpu(1)
    for what, x in pairs {
      nd.ones({ 2 }, ctx), nd.ones({ 2 }, { ctx = ctx }), nd.ones { 2, ctx = ctx }, nd.zeros({ 2 }, ctx),
      nd.full({ 2 }, 3, ctx), nd.empty({ 2 }, ctx),
      nd.arange(3, { ctx = ctx }), nd.eye(2, { ctx = ctx }), nd.linspace(0, 1, 3, { ctx = ctx }),
      nd.ones({ 2 }, { ctx = { ctx } }), nd.array({ 1, 2 }, { ctx = ctx }), nd.array({ 1, 2 }, ctx),
      nd.array { 1, 2, ctx = ctx }, nd.array(nd.ones { 2 }, { ctx = ctx }),
      nd.random.uniform(0, 1, { 2 }, { ctx = ctx }), nd.random.normal(0, 1, { shape = { 2 }, ctx = ctx }),
      nd.random.randn(2, { ctx = ctx }),
      nd.random.randint(0, 5, { shape = { 2 }, ctx = ctx }), nd.random.exponential(1, { shape = { 2 }, ctx = ctx }),
    } do
      assert.equal("cpu(1)", on(x), what)
    end
    assert.equal("int32", nd.array({ 1 }, ctx, "int32").dtype)
    assert.raises(function() nd.ones({ 2 }, { ctx = { cpu(0), cpu(1) } }) end,
                  "ones: ctx: expected one context, such as hl.cpu%(%), got a list of 2")
    assert.raises(function() nd.ones({ 2 }, { ctx = "cpu" }) end,
      "ones: ctx: expected a context, such as hl.cpu%(%), got a string")
    assert.raises(function() nd.array({ 1 }, { ctx = 3 }) end,
      "nd.array: ctx: expected a context, such as hl.cpu%(%), got an integer")
  end)
end)

describe("an array", function()
  local a = nd.array({ { 1, 2, 3 }, { 4, 5, 6 } }, { ctx = cpu(1) })

  it("has a context, and prints it", function()
    assert.equal(cpu(1), a.context)
    assert.equal(a.ctx, a.context)
    assert.equal("\n[[1. 2. 3.]\n [4. 5. 6.]]\n<NDArray 2x3 @cpu(1)>", tostring(a))
    assert.matches("<NDArray 1 @cpu_pinned%(0%)>", tostring(nd.zeros({ 1 }, hl.cpu_pinned())))
  end)

  it("passes its context on to results", function()
    local mask = nd.array({ 1, 0 }, { ctx = cpu(1), dtype = "bool" })
    for what, x in pairs {
      sum = a + a, number = 1 - a, ["function"] = nd.softmax(a), view = a:reshape { 3, 2 }, row = a[0],
      slice = a[":, 0:2"], steps = a["::-1"], transpose = a.T, copy = a:copy(), detach = a:detach(),
      cast = a:astype "int32", like = nd.zeros_like(a), masked = a[mask],
      random_like = nd.random.uniform_like and nd.random.uniform_like(a) or nd.ones_like(a), mean = a:mean(),
      dot = nd.dot(a, a.T),
      arange_like = nd.contrib.arange_like(a), split = nd.split(a, { num_outputs = 3, axis = 1 })[2], norm = a:norm(),
    } do
      assert.equal("cpu(1)", on(x), what)
    end
  end)

  it("does not combine with arrays of other contexts", function()
    local b = nd.ones { 2, 3 }
    assert.raises(function() return a + b end,
      "context_spec.lua:%d+: broadcast_add: lhs is in context cpu%(1%) and rhs in cpu%(0%); an operator " ..
      "computes where its inputs are: write rhs:as_in_context%(lhs.context%)")
    assert.raises(function() return nd.elemwise_mul(b, a) end,
      "elemwise_mul: lhs is in context cpu%(0%) and rhs in cpu%(1%)")
    assert.raises(function() return nd.concat(a, a, b, { dim = 0 }) end,
      "Concat: arg0 is in context cpu%(1%) and arg2 in cpu%(0%)")
    assert.raises(function() return nd.take(a, nd.array { 0 }) end,
      "take: a is in context cpu%(1%) and indices in cpu%(0%)")
    assert.raises(function() return nd.FullyConnected(a, nd.ones { 2, 3 }, nil, { num_hidden = 2, no_bias = true }) end,
                  "FullyConnected: data is in context cpu%(1%) and weight in cpu%(0%)")
    assert.raises(function() autograd.record(function() return a * b end) end,
      "broadcast_mul: lhs is in context cpu%(1%)")
    assert.raises(function() nd.exp(a, { out = b }) end,
                  "exp: out: expected an array in context cpu%(1%), where it computes, got one in cpu%(0%); " ..
      "omit out, and write result:copyto%(out%)")
    assert.raises(function() b:add_(a) end, "broadcast_add: lhs is in context cpu%(0%) and rhs in cpu%(1%)")
    assert.raises(function() nd.exp(a, { ctx = cpu(0) }) end,
      "exp: ctx: expected cpu%(1%), the context of its inputs, got cpu%(0%)")
    assert.equal("cpu(1)", on(nd.exp(a, { ctx = cpu(1) })))
    assert.equal("cpu(1)", on(nd.random.uniform { out = nd.zeros({ 2 }, cpu(1)) }))
    assert.raises(function() nd.random.uniform { ctx = cpu(0), out = nd.zeros({ 2 }, cpu(1)) } end,
                  "uniform: out: expected an array in context cpu%(0%)")
  end)

  it("is copied into another context, and written from one", function()
    assert.equal(a, a:as_in_context(cpu(1)))
    assert.equal(a, a:as_in_ctx(cpu(1)))
    local b = a:as_in_context(cpu(2))
    assert.equal("cpu(2)", on(b))
    assert.bits(a:as_in_context(cpu(2)), b)
    b:set(0)
    assert.equal(21, a:sum():asscalar())
    assert.are_not.equal(a, a:copyto(cpu(1)))
    assert.equal("cpu(1)", on(a:copyto(cpu(1))))
    assert.equal("cpu(3)", on(a:copyto(cpu(3))))
    assert.equal(b, a:copyto(b))
    assert.same(a:totable(), b:totable())
    b["0:1"] = nd.zeros { 1, 3 }
    assert.same({ { 0, 0, 0 }, { 4, 5, 6 } }, b:totable())
    assert.equal("cpu(2)", on(b))
    assert.raises(function() a:as_in_context() end,
      "as_in_context: ctx: expected a context, such as hl.cpu%(%), got nothing")
    assert.raises(function() a:as_in_context(1) end,
      "as_in_context: ctx: expected a context, such as hl.cpu%(%), got an integer")
    assert.raises(function() a:copyto "x" end,
      "copyto: other: expected an NDArray or a context, such as hl.cpu%(%), got a string")
  end)

  it("is read from files into the current context", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    for _, name in ipairs { "x.params", "x.npy", "x.npz" } do
      local file = folder:file(name)
      nd.save(file, name == "x.npy" and a or { a = a })
      for _, ctx in ipairs { cpu(0), cpu(1), cpu(2) } do
        local x = ctx:with(function() return nd.load(file) end)
        x = hl.nd.ones { 1 }.context and type(x) == "table" and x.a or x
        assert.equal(ctx, x.context)
        assert.same(a:totable(), x:totable())
      end
    end
  end)
end)

describe("a gradient", function()
  it("is in the array's context, for every order", function()
    local x, w = nd.array({ 1, 2 }, cpu(1)), nd.array({ 3, 4 }, cpu(2))
    x:attach_grad()
    w:attach_grad()
    local y = autograd.record(function() return ((x * x):as_in_context(cpu(2)) * w):copyto(cpu(3)):sum() end)
    assert.equal("cpu(3)", on(y))
    y:backward()
    assert.same({ "cpu(1)", "cpu(2)" }, { on(x.grad), on(w.grad) })
    assert.same({ 6, 16 }, x.grad:totable())
    assert.same({ 1, 4 }, w.grad:totable())
    local twice = autograd.record(function()
      local z = (x * x * x):as_in_context(cpu(0)):sum()
      local g = autograd.grad(z, x, { create_graph = true })
      assert.equal("cpu(1)", on(g))
      return g:sum()
    end)
    twice:backward()
    assert.same({ 6, 12 }, x.grad:totable())
  end)

  it("combines heads in several contexts", function()
    local shared, heads = nd.array { 2, 3 }, {}
    shared:attach_grad()
    autograd.record(function() for i = 1, 3 do heads[i] = (shared:as_in_context(cpu(i)) * i):sum() end end)
    autograd.backward(heads)
    assert.same({ 6, 6 }, shared.grad:totable())
    assert.equal("cpu(0)", on(shared.grad))
  end)

  it("must be in its head's context", function()
    local x = nd.array({ 1, 2 }, cpu(1))
    x:attach_grad()
    local y = autograd.record(function() return x * 2 end)
    assert.raises(function() y:backward(nd.ones { 2 }) end,
                  "backward: head_grads: expected an array on cpu%(1%), where its head is, got one on cpu%(0%)")
    y:backward(nd.ones({ 2 }, cpu(1)))
    assert.same({ 2, 2 }, x.grad:totable())
    assert.raises(function() autograd.mark_variables({ x }, { nd.zeros { 2 } }) end,
                  "expected an array in context cpu%(1%), where the array is, got one in cpu%(0%)")
  end)

  it("must be in the input's context, for a Function", function()
    local F = autograd.Function:subclass "Elsewhere"
    function F:forward(x) return x * 2 end
    function F:backward(dy) return self.back and dy:as_in_context(cpu(1)) * 2 or dy:as_in_context(cpu(0)) end
    local x = nd.array({ 1, 2 }, cpu(1))
    x:attach_grad()
    local f = F()
    f.back = true
    autograd.record(function() return f(x) end):backward()
    assert.same({ 2, 2 }, x.grad:totable())
    local y = autograd.record(function() return F()(x) end)
    assert.raises(function() y:backward() end,
                  "Function: backward: gradient 0: expected an array in context cpu%(1%), where the input is, got " ..
                    "one in cpu%(0%)")
  end)
end)

describe("a compiled call", function()
  it("computes in its arguments' context, with one trace and specialization", function()
    local f = hl.compile(function(F, x, y) return F.exp(x) + y, F.zeros({ 2 }) + x, x:reshape { 2, 1 } end)
    for _ = 1, 2 do
      for i = 0, 3 do
        local x, y = nd.array({ 1, 2 }, cpu(i)), nd.ones({ 2 }, cpu(i))
        for _, out in ipairs { f(x, y) } do assert.equal(cpu(i), out.context) end
        assert.bits(nd.exp(x) + y, (f(x, y)))
      end
    end
    assert.equal(1, #f:explain({ format = "table" }).traces)
  end)

  it("accepts arrays of one context only", function()
    local captured = nd.ones { 2 }
    local f = hl.compile(function(_, x, y) return x + y end)
    assert.raises(function() f(nd.ones { 2 }, nd.ones({ 2 }, cpu(1))) end,
      "context_spec.lua:%d+: .*found several contexts in the arguments, " ..
      "cpu%(0%) and cpu%(1%); a hybridized block or compiled function computes in one: write " ..
        "x:as_in_context%(ctx%), or call it for each context")
    f(nd.ones { 2 }, nd.zeros { 2 })
    assert.raises(function() f(nd.ones { 2 }, nd.ones({ 2 }, cpu(1))) end, "found several contexts in the arguments")
    local g = hl.compile(function(_, x) return x * captured end)
    g(nd.ones { 2 })
    assert.raises(function() g(nd.ones({ 2 }, cpu(1))) end,
                  "an array of the script: expected context cpu%(1%), that of the arguments of the hybridized " ..
                    "block or compiled function, got cpu%(0%)")
    assert.same({ 1, 1 }, g(nd.ones { 2 }):totable())
  end)

  it("has its context during the trace", function()
    local seen = {}
    local f = hl.compile(function(F, x)
      seen[#seen + 1] = tostring(x.context) .. " " .. tostring(hl.current_context())
      return x:as_in_context(x.context) + F.ones({ 2 }, { ctx = x.context }) *
        F.arange(2, { ctx = hl.current_context() })
    end, { effects = "ignore" })
    for _ = 1, 2 do for i = 0, 2 do assert.same({ 0, 1 }, f(nd.zeros({ 2 }, cpu(i))):totable()) end end
    assert.equal("cpu(0) cpu(0), cpu(1) cpu(1), cpu(2) cpu(2)", table.concat(seen, ", "))
    local reasons = {}
    for i, t in ipairs(f:explain({ format = "table" }).traces) do reasons[i] = t.reason end
    assert.matches("the code reads the context; it was cpu%(%d%), is cpu%(%d%)", table.concat(reasons, "\n"))
  end)

  it("rejects other contexts in its code", function()
    local other = hl.compile(function(_, x) return x:as_in_context(cpu(1)) + 1 end)
    assert.raises(function() other(nd.ones { 2 }) end,
                  "as_in_context: expected context cpu%(0%), that of the arguments of the hybridized block or " ..
                    "compiled function, got cpu%(1%); copy outside of it")
    assert.same({ 2, 2 }, other(nd.ones({ 2 }, cpu(1))):totable())
    assert.raises(function() other(nd.ones { 2 }) end, "as_in_context: expected context cpu%(0%)")
    local made = hl.compile(function(F, x) return x + F.ones({ 2 }, { ctx = cpu(1) }) end)
    assert.raises(function() made(nd.ones { 2 }) end,
      "ones: ctx: expected context cpu%(0%), that of the arguments")
    local entered = hl.compile(function(F, x) return cpu(1):with(function() return F.ones { 2 } end) + x end)
    assert.raises(function() entered(nd.ones { 2 }) end, "ones: the current context: expected context cpu%(0%)")
  end)

  it("computes in the current context without arguments", function()
    local f = hl.compile(function(F) return F.arange(3) end)
    for _ = 1, 3 do
      assert.equal("cpu(0)", on(f()))
      assert.equal("cpu(1)", on(cpu(1):with(function() return f() end)))
    end
  end)

  it("has gradients in its arguments' context, even when inlined", function()
    local f = hl.compile(function(F, x) return (x * x * x + F.ones { 2 } * x):sum() end)
    local x = nd.array({ 1, 2 }, cpu(1))
    x:attach_grad()
    autograd.record(function() return f(x) end):backward()
    assert.same({ 4, 13 }, x.grad:totable())
    assert.equal("cpu(1)", on(x.grad))
    autograd.record(function() return autograd.grad(f(x), x, { create_graph = true }):sum() end):backward()
    assert.same({ 6, 12 }, x.grad:totable())
    assert.equal("cpu(1)", on(x.grad))
  end)

  it("is checked against eager code in any context", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(4, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(2))
    net:initialize { ctx = { cpu(1), cpu(2) } }
    net:hybridize { check = 3 }
    for _ = 1, 2 do
      for i = 1, 2 do
        autograd.record(function() return net(nd.random.normal { shape = { 4, 3 }, ctx = cpu(i) }):sum() end):backward()
        net(nd.random.normal { shape = { 4, 3 }, ctx = cpu(i) })
      end
    end
  end)
end)
