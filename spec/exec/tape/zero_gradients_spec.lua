-- zero_gradients_spec.lua - a recorded input that the heads reach only through operators without a gradient gets zeros
-- with grad_req "write" and nothing with "add". Gradients of other inputs stay unchanged, as in MXNet.
local hl = require "hybridlua"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local core = require "hybridlua.core"
local examples = require "support.examples"

local function list(x) return type(x) == "table" and x or { x } end

local function fill(arrays, value) for _, x in ipairs(arrays) do x.grad[{}] = value end end

local function hybridized(options)
  return function(f, arrays)
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:hybrid_forward(F, ...) return f(F, ...) end
    local net = Net()
    net:hybridize(options)
    for _ = 1, 3 do
      fill(arrays, 3)
      local heads = autograd.record(function() return { net(table.unpack(arrays)) } end)
      autograd.backward(heads)
    end
  end
end

-- Ways to run backward from the heads that f(F, arrays ...) returns. Gradients are 3 before each backward.
local ways = {
  eager = function(f, arrays)
    autograd.backward(autograd.record(function() return { f(nd, table.unpack(arrays)) } end))
  end,
  hybridized = hybridized(),
  remat = hybridized { remat = true },
  breaks = hybridized { breaks = true },
  compiled = function(f, arrays)
    local g = hl.compile(function(F, ...) return f(F, ...) end)
    for _ = 1, 2 do
      fill(arrays, 3)
      autograd.backward(autograd.record(function() return { g(table.unpack(arrays)) } end))
    end
  end,
  ["a compiled step"] = function(f, arrays)
    local step = hl.compile(function(F, ...)
      local inputs = { ... }
      local heads = autograd.record(function() return { f(F, table.unpack(inputs)) } end)
      autograd.backward(heads)
      return heads[1]
    end)
    for _ = 1, 2 do
      fill(arrays, 3)
      step(table.unpack(arrays))
    end
  end,
  ["an Executor"] = function(f, arrays, req)
    local variables, by_name, grads = {}, {}, {}
    for i, x in ipairs(arrays) do variables[i], by_name["in" .. i] = sym.var("in" .. i), x end
    local graph, args = sym.Group { f(sym, table.unpack(variables)) }, {}
    for _, name in ipairs(graph:list_arguments()) do args[name], grads[name] = by_name[name], by_name[name].grad end
    local executor = graph:bind(args, { args_grad = grads, grad_req = req })
    executor:forward { is_train = true }
    executor:backward()
  end,
}

-- MXNet 1.9.1's x.grad and z.grad after "write", which "add" adds to the initial 3. KEPT: unchanged.
local ZERO, ONE, KEPT = { { 0, 0, 0 }, { 0, 0, 0 } }, { { 1, 1, 1 }, { 1, 1, 1 } }, false
local X = { { -1.5, 0.25, 2.5 }, { 3, 0, 0.75 } }
local matrix = {
  { "where_condition", function(F, x, z) return F.where(x, z, z) end, ZERO, ONE },
  { "indices", function(F, x, z) return F.take(z, F.abs(x)) end, ZERO, { { 3, 3, 3 }, { 3, 3, 3 } } },
  { "indices_of_gather", function(F, x, z) return F.gather_nd(z, F.round(x * 0):slice_axis(1, 0, 1)) end, ZERO,
    { { 1, 0, 0 }, { 0, 0, 0 } } },
  { "shape_of_another", function(F, x, z) return F.broadcast_like(z, x) end, ZERO, ONE },
  { "reshape_like", function(F, x, z) return F.reshape_like(z, x) end, ZERO, ONE },
  { "slice_like", function(F, x, z) return F.slice_like(z, x) end, ZERO, ONE },
  { "stopped_beside_live", function(F, x, z) return F.BlockGrad(x) * z end, ZERO, X },
  { "sign_beside_live", function(F, x, z) return F.sign(x) * z end, ZERO, { { -1, 1, 1 }, { 1, 0, 1 } } },
  { "both_ways", function(F, x, z) return F.sign(x) * x * z end, { { -1, 2, 3 }, { 4, 0, 6 } },
    { { 1.5, 0.25, 2.5 }, { 3, 0, 0.75 } } },
  { "a_head_each", function(F, x, z) return F.sign(x), z * 2 end, ZERO, { { 2, 2, 2 }, { 2, 2, 2 } } },
  { "a_sum", function(F, x, z) return F.add_n(F.sign(x), z) end, ZERO, ONE },
  { "further_operators", function(F, x) return (F.sign(x) * 2 + 1):sum() end, ZERO, KEPT },
  { "all_stopped", function(F, x, z) return F.BlockGrad(x * z) end, ZERO, ZERO },
  { "comparison", function(_, x, z) return x:greater(z) end, ZERO, ZERO },
  { "comparison_with_a_number", function(_, x) return x:greater(1) end, ZERO, KEPT },
  { "times_0", function(_, x) return x * 0 end, ZERO, KEPT },
  { "z_not_read", function(_, x) return x * 1 end, ONE, KEPT },
  { "x_not_read", function(F, _, z) return F.zeros { 2, 3 } * z end, KEPT, ZERO },
  { "argmax", function(F, x) return F.argmax(x, { axis = 1 }) end, ZERO, KEPT },
  { "argmin", function(F, x) return F.argmin(x, { axis = 1 }) end, ZERO, KEPT },
  { "argsort", function(F, x) return F.argsort(x) end, ZERO, KEPT },
  { "topk", function(F, x) return F.topk(x) end, ZERO, KEPT },
  { "one_hot", function(F, x) return F.one_hot(F.abs(x), { depth = 4 }) end, ZERO, KEPT },
  { "arange_like", function(F, x) return F.contrib.arange_like(x) end, ZERO, KEPT },
  { "index_array", function(F, x) return F.contrib.index_array(x) end, ZERO, KEPT },
  { "drawn", function(F, x) return F.random.uniform_like(x) end, ZERO, KEPT },
  { "drawn_between", function(F, x) return F.sample_uniform(x * 0, x * 0 + 1) end, ZERO, KEPT },
}
for _, name in ipairs { "sign", "floor", "ceil", "round", "rint", "fix", "trunc", "BlockGrad", "stop_gradient",
    "ones_like", "zeros_like", "shape_array", "size_array", "logical_not" } do
  matrix[#matrix + 1] = { name, function(F, x) return F[name](x) end, ZERO, KEPT }
end

local function expected(grad, req)
  local three = nd.full({ 2, 3 }, 3)
  if not grad then return three end
  return req == "add" and three + nd.array(grad) or nd.array(grad)
end

local function check_case(way, case, req)
  local x, z = nd.array(X), nd.array { { 1, 2, 3 }, { 4, 5, 6 } }
  x:attach_grad(req)
  z:attach_grad(req)
  fill({ x, z }, 3)
  way(case[2], { x, z }, req)
  assert.allclose(x.grad, expected(case[3], req), 0, 0, case[1])
  assert.allclose(z.grad, expected(case[4], req), 0, 0, case[1])
end

describe("zero gradients match MXNet 1.9.1", function()
  for name, way in pairs(ways) do
    for _, req in ipairs { "write", "add" } do
      it(("by %s, in %s"):format(req, name), function()
        for _, case in ipairs(matrix) do check_case(way, case, req) end
      end)
    end
  end

  it("beside detach(), which is not recorded", function()
    local function f(_, x, z) return x:detach() * z end
    for name, way in pairs(ways) do
      local case = { name, f, KEPT, X }
      if name ~= "an Executor" then check_case(way, case, "write") check_case(way, case, "add") end
    end
  end)

  it("in loops of any number of steps", function()
    local function sums(F, x, z)
      local out, states = F.contrib.foreach(function(row, s)
        return F.sign(row) + F.sum(z, { axis = 0 }), { s[1] + F.floor(row) }
      end, x, { F.zeros { 3 } })
      return out, states[1]
    end
    for _, way in pairs(ways) do check_case(way, { "foreach", sums, ZERO, { { 2, 2, 2 }, { 2, 2, 2 } } }, "write") end
  end)

  it("if only the condition of a branch reads an input: an Executor writes zeros, the tape does not", function()
    local function choice(F, x, z)
      return F.contrib.cond(F.sum(x):greater(0), function() return F.sign(z) end, function() return z end)
    end
    for name, way in pairs(ways) do
      check_case(way, { "cond", choice, name == "an Executor" and ZERO or KEPT, ZERO }, "write")
    end
  end)

  it("with autograd.grad and hl.grad", function()
    local x = nd.array(X)
    x:attach_grad()
    local y = autograd.record(function() return nd.sign(x) end)
    assert.allclose(autograd.grad(y, x), ZERO, 0, 0)
    local f = hl.grad(function(F, a) return F.sum(F.sign(a)) end)
    assert.allclose(f(x), ZERO, 0, 0)
    assert.allclose(hl.compile(f)(x), ZERO, 0, 0)
  end)

  it("in Function:backward, where nil means zeros", function()
    local Stop = autograd.Function:subclass "Stop"
    function Stop:forward(x) return x * 2 end
    function Stop:backward() return nil end
    local x = nd.ones { 2 }
    x:attach_grad()
    x.grad[{}] = 3
    autograd.record(function() return Stop()(x) end):backward()
    assert.allclose(x.grad, { 0, 0 }, 0, 0)
  end)

  it("in memory that the script holds, without changing the bits of sums", function()
    local x, z = nd.array { -1, 2 }, nd.array { 0, 0 }
    x:attach_grad()
    local held = x.grad
    held[{}] = 3
    autograd.record(function() return nd.sign(x) * z end):backward()
    assert.bits(held, nd.zeros { 2 })
    x.grad[{}] = 3
    autograd.record(function() return nd.sign(x) + x * nd.array { -0.0, -0.0 } end):backward()
    assert.bits(held, nd.array { -0.0, -0.0 })
  end)
end)

describe("a failed backward leaves gradients unchanged", function()
  it("if no head is on the tape, or none has leaves", function()
    local x = nd.ones { 2 }
    x:attach_grad()
    x.grad[{}] = 3
    for _, f in ipairs { function() return nd.ones { 2 } end, function() return x:detach() end } do
      assert.is_false(pcall(function() autograd.record(f):backward() end))
      assert.allclose(x.grad, { 3, 3 }, 0, 0)
    end
    local live = autograd.record(function() return nd.sign(x) end)
    assert.is_false(pcall(function() autograd.backward { live, nd.ones { 2 } } end))
    assert.allclose(x.grad, { 3, 3 }, 0, 0)
  end)
end)

describe("a Trainer", function()
  local Two = gluon.Block:subclass "Two"
  function Two:init(join)
    self.a, self.b = gluon.nn.Dense(1, { in_units = 2 }), gluon.nn.Dense(1, { in_units = 2 })
    self.join = join
  end
  function Two:forward(x) return self.join(self.a(x), self.b(x)) end

  local function trained(join, req)
    local net = Two(join)
    net:initialize(hl.init.One())
    net:collect_params():setattr("grad_req", req)
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1, wd = 0.1 })
    autograd.record(function() return net(nd.ones { 1, 2 }):sum() end):backward()
    return pcall(trainer.step, trainer, 1), net
  end

  for _, req in ipairs { "write", "add" } do
    it("accepts a gradient of zeros as new, with " .. req, function()
      local done, net = trained(function(a, b) return a + nd.BlockGrad(b) end, req)
      assert.is_true(done)
      assert.allclose(net.b.weight:data(), { { 0.99, 0.99 } })          -- weight decay only
    end)

    it("detects a stale gradient, with " .. req, function()
      assert.is_false((trained(function(a) return a end, req)))
      assert.is_false((trained(function(a, b) return a + b:detach() end, req)))
    end)
  end
end)

-- For all operators backward stores the results of autograd.grad: zeros if there is no gradient.
describe("the gradient of every operator is written, even zeros,", function()
  local function runs(op) return not op.mutates and not op.dynamic and not op.internal end

  local function heads_of(text, F, arrays) return list(examples.run(text, F, function(i) return arrays[i] end)) end

  local function attached(text, req)
    local arrays = examples.arrays_of(text, "float32")
    for _, x in ipairs(arrays) do
      x:attach_grad(req)
      x.grad[{}] = x.dtype == "bool" and 1 or 3
    end
    return arrays
  end

  local function gradients(text)
    local arrays = attached(text, "write")
    hl.random.seed(7)
    local heads = autograd.record(function() return heads_of(text, nd, arrays) end)
    return autograd.grad(heads, arrays)
  end

  local function check(text, name, way, req)
    local arrays, wanted = attached(text, req), gradients(text)
    hl.random.seed(7)
    way(function(F, ...) return table.unpack(heads_of(text, F, { ... })) end, arrays, req)
    for i, x in ipairs(arrays) do
      local added = req == "add" and
        (x.dtype:find "float" and wanted[i] + 3 or nd.full(x.shape, 3, { dtype = x.dtype }))
      local right, differ = pcall(assert.allclose, x.grad, added or wanted[i], 1e-6, 1e-6)
      assert.is_true(right, ("%s: input %d of %s, %s: %s"):format(name, i, text, req, differ))
    end
  end

  for _, name in ipairs { "eager", "hybridized", "an Executor" } do
    it("in " .. name, function()
      local checked = 0
      for _, op in ipairs(core.op.rows()) do
        for _, text in ipairs(runs(op) and examples.of(op) or {}) do
          local again = name == "hybridized"            -- runs each example three times
          if #examples.arrays_of(text, "float32") > 0 and not (again and op.random) then
            check(text, name, ways[name], "write")
            if not again then check(text, name, ways[name], "add") end
            checked = checked + 1
          end
        end
      end
      assert.is_true(checked > 300, checked)
    end)
  end
end)
