-- integer_gradients_spec.lua - arrays and parameters of integers and booleans have gradients of zeros.
local hl = require "hybridlua"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon

local DTYPES = { "int8", "uint8", "int32", "int64" }
local uses = {
  itself = function(_, x) return x end,
  cast = function(_, x) return x:astype "float32" * 2.75 end,
  beside_floats = function(_, x, z) return x:astype "float32" * z end,
  product = function(_, x) return x * x end,
  quotient = function(F, x) return F.broadcast_div(x, x) end,
  mod = function(F, x) return F.broadcast_mod(x, x) end,
  power = function(F, x) return F.broadcast_power(x, x) end,
  maximum = function(F, x) return F.broadcast_maximum(x, x * 2) end,
  numbers = function(_, x) return (x * 2 + 1) % 3 end,
  sum = function(_, x) return x:sum() end,
  mean = function(_, x) return x:mean() end,
  abs = function(F, x) return F.abs(x) end,
  clip = function(F, x) return F.clip(x, 1, 2) end,
  concat = function(F, x) return F.concat(x, x, { dim = 0 }) end,
  stopped = function(F, x) return F.BlockGrad(x) end,
  indices = function(F, x, z) return F.take(z, x) end,
  condition = function(F, x, z) return F.where(x, z, z) end,
  one_hot = function(F, x) return F.one_hot(x, { depth = 4 }) end,
  order = function(F, x) return F.argsort(x) end,
}

local function check(run, dtype, req)
  local x, z = nd.array({ 1, 2, 0 }, { dtype = dtype }), nd.array { 1, 2, 3 }
  x:attach_grad(req)
  z:attach_grad()
  assert.equal(dtype, x.grad.dtype)
  x.grad[{}] = 3
  run(x, z)
  local left = req == "add" and 3 or 0
  assert.same({ left, left, left }, x.grad:totable())
end

describe("the gradient of integers", function()
  for name, f in pairs(uses) do
    it("is zeros: " .. name, function()
      local compiled = hl.compile(function(F, x, z) return f(F, x, z) end)
      for _, dtype in ipairs(DTYPES) do
        for _, req in ipairs { "write", "add" } do
          check(function(x, z) autograd.record(function() return f(nd, x, z) end):backward() end, dtype, req)
          check(function(x, z) autograd.record(function() return compiled(x, z) end):backward() end, dtype, req)
          check(function(x, z)
            local graph = f(sym, sym.var "x", sym.var "z")
            local args = { x = x }
            for _, argument in ipairs(graph:list_arguments()) do args[argument] = argument == "x" and x or z end
            local executor = graph:bind(args, { args_grad = { x = x.grad }, grad_req = { x = req } })
            executor:forward(true)
            executor:backward()
          end, dtype, req)
        end
      end
    end)
  end

  it("is written for booleans too", function()
    local x = nd.array({ 1, 0 }, { dtype = "bool" })
    x:attach_grad()
    x.grad[{}] = 1
    autograd.record(function() return x:astype "float32" * 2 end):backward()
    assert.same({ false, false }, x.grad:totable())
  end)

  it("matches MXNet 1.9.1 for paths through integers", function()
    local a, b = nd.array { 7, 5 }, nd.array { 2, 3 }
    a:attach_grad()
    b:attach_grad()
    a.grad[{}], b.grad[{}] = 3, 3
    autograd.record(function() return nd.broadcast_mod(a:astype "int32", b:astype "int32") end):backward()
    assert.allclose(a.grad, { 0, 0 }, 0, 0)
    assert.allclose(b.grad, { 0, 0 }, 0, 0)
  end)

  it("counts as new for a Trainer that updates parameters", function()
    local count = gluon.Parameter("count", { shape = { 2 }, dtype = "int32", init = "ones" })
    count:initialize()
    count:grad()[{}] = 3
    local before = count:data():fresh_grad()
    autograd.record(function() return count:data():astype "float32" * 2 end):backward()
    assert.same({ 0, 0 }, count:grad():totable())
    assert.are_not.equal(before, count:data():fresh_grad())
  end)
end)

describe("attach_grad", function()
  it("reports the accepted options", function()
    local x = nd.ones { 2 }
    assert.raises(function() x:attach_grad(nd.ones { 2 }) end,
      "attach_grad: grad_req: expected 'write', 'add' or 'null', got an NDArray", "integer_gradients_spec.lua:%d+")
    assert.raises(function() x:attach_grad(3) end, "expected 'write', 'add' or 'null', got an integer")
    assert.raises(function() x:attach_grad { grad_req = {} } end, "expected 'write', 'add' or 'null', got a table")
    assert.raises(function() x:attach_grad "sum" end, "expected 'write', 'add' or 'null', got 'sum'")
  end)
end)
