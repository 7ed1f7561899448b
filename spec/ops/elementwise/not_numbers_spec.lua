-- not_numbers_spec.lua - elementwise operators and their gradients for NaN, infinities and zeros of both signs. The
-- expected numbers are from MXNet 1.9.1 (its own kernels, MXNET_MKLDNN_ENABLED=0); the head gradient is 2.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
local NAN, INF = 0 / 0, 1 / 0

local AT = { NAN, INF, -INF, 0, -0.0, 1, -1, 0.5, 3 }
-- The value and the gradient at each of AT.
local figures = {
  relu = { { NAN, INF, 0, 0, 0, 1, 0, 0.5, 3 },
    { NAN, 2, 0, 0, 0, 2, 0, 2, 2 } },
  activation = { { NAN, INF, 0, 0, 0, 1, 0, 0.5, 3 },
    { NAN, 2, 0, 0, 0, 2, 0, 2, 2 } },
  abs = { { NAN, INF, INF, 0, 0, 1, 1, 0.5, 3 },
    { 0, 2, -2, 0, 0, 2, -2, 2, 2 } },
  sigmoid = { { NAN, 1, 0, 0.5, 0.5, 0.7310586, 0.2689414, 0.6224593, 0.9525741 },
    { NAN, 0, 0, 0.5, 0.5, 0.3932238, 0.3932239, 0.4700074, 0.09035331 } },
  tanh = { { NAN, 1, -1, 0, -0.0, 0.7615942, -0.7615942, 0.4621172, 0.9950548 },
    { NAN, 0, 0, 2, 2, 0.8399486, 0.8399486, 1.572895, 0.019732 } },
  softsign = { { NAN, NAN, NAN, 0, -0.0, 0.5, -0.5, 0.3333333, 0.75 },
    { NAN, 0, 0, 2, 2, 0.5, 0.5, 0.8888889, 0.125 } },
  clip = { { NAN, 1, -1, 0, -0.0, 1, -1, 0.5, 1 },
    { 2, 0, 0, 2, 2, 2, 2, 2, 0 } },
  smooth_l1 = { { NAN, INF, INF, 0, 0, 0.5, 0.5, 0.125, 2.5 },
    { NAN, 2, -2, 0, -0.0, 2, -2, 1, 2 } },
  hard_sigmoid = { { NAN, 1, 0, 0.5, 0.5, 0.7, 0.3, 0.6, 1 },
    { 0, 0, 0, 0.4, 0.4, 0.4, 0.4, 0.4, 0 } },
  leaky = { { NAN, INF, -INF, 0, -0.0, 1, -0.25, 0.5, 3 },
    { 0.5, 2, 0.5, 0.5, 0.5, 2, 0.5, 2, 2 } },
  elu = { { NAN, INF, -0.25, 0, -0.0, 1, -0.1580301, 0.5, 3 },
    { NAN, 2, 0, 0.5, 0.5, 2, 0.1839397, 2, 2 } },
  prelu = { { NAN, INF, -INF, 0, -0.0, 1, -0.25, 0.5, 3 },
    { 0.5, 2, 0.5, 0.5, 0.5, 2, 0.5, 2, 2 } },
  maximum_scalar = { { NAN, INF, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 3 },
    { 0, 2, 0, 0, 0, 2, 0, 2, 2 } },
  minimum_scalar = { { NAN, 0.5, -INF, 0, -0.0, 0.5, -1, 0.5, 0.5 },
    { 0, 0, 2, 2, 2, 0, 2, 2, 0 } },
  square = { { NAN, INF, INF, 0, 0, 1, 1, 0.25, 9 },
    { NAN, INF, -INF, 0, -0.0, 4, -4, 2, 12 } },
  sqrt = { { NAN, INF, NAN, 0, -0.0, 1, NAN, 0.7071068, 1.732051 },
    { NAN, 0, NAN, INF, -INF, 1, NAN, 1.414214, 0.5773503 } },
}

-- In pairs with a NaN neither operand has a gradient.
local PAIRS = { { NAN, NAN }, { NAN, 1 }, { 1, NAN }, { INF, NAN }, { 1, 1 }, { INF, -INF }, { 0, -0.0 }, { -1, 2 } }
local pair_figures = {
  broadcast_maximum = { { 0, 0, 0, 0, 2, 2, 2, 0 }, { 0, 0, 0, 0, 0, 0, 0, 2 } },
  broadcast_minimum = { { 0, 0, 0, 0, 2, 0, 2, 2 }, { 0, 0, 0, 0, 0, 2, 0, 0 } },
}

-- Runs a call in all ways and passes the results of each to which(outputs, gradients).
local function in_all_ways(call, inputs, which)
  for _, dtype in ipairs { "float32", "float64" } do
    local arrays, variables, by_name, grads = {}, {}, {}, {}
    for i, values in ipairs(inputs) do
      arrays[i] = nd.array(values, { dtype = dtype })
      arrays[i]:attach_grad()
      variables[i] = sym.var("in" .. i)
      by_name["in" .. i], grads["in" .. i] = arrays[i], arrays[i].grad
    end
    local heads = nd.full({ #inputs[1] }, 2, { dtype = dtype })
    local function look(y)
      local gradients = {}
      for i, x in ipairs(arrays) do gradients[i] = x.grad:totable() end
      which(y:totable(), gradients)
    end
    local compiled = hl.compile(function(F, ...) return call(F, ...) end)
    for _, f in ipairs { function(...) return call(nd, ...) end, compiled, compiled } do
      local y = autograd.record(function() return f(table.unpack(arrays)) end)
      y:backward(heads)
      look(y)
    end
    local executor = call(sym, table.unpack(variables)):bind(by_name, { args_grad = grads })
    executor:forward(true)
    executor:backward(heads)
    look(executor.outputs[1])
  end
end

local function same(got, wanted) return got == wanted or (got ~= got and wanted ~= wanted) end

local function check(got, wanted, what)
  for i, value in ipairs(wanted) do
    local near = math.abs(got[i] - value) < 1e-5
    assert.is_true(near or same(got[i], value), ("%s at %d: %s, expected %s"):format(what, i, got[i], value))
  end
end

describe("an operator on NaN and infinities", function()
  for name, call in pairs {
    relu = function(F, x) return F.relu(x) end,
    activation = function(F, x) return F.Activation(x, { act_type = "relu" }) end,
    abs = function(F, x) return F.abs(x) end,
    sigmoid = function(F, x) return F.sigmoid(x) end,
    tanh = function(F, x) return F.tanh(x) end,
    softsign = function(F, x) return F.softsign(x) end,
    clip = function(F, x) return F.clip(x, -1, 1) end,
    smooth_l1 = function(F, x) return F.smooth_l1(x, { scalar = 1 }) end,
    hard_sigmoid = function(F, x) return F.hard_sigmoid(x) end,
    leaky = function(F, x) return F.LeakyReLU(x, { act_type = "leaky", slope = 0.25 }) end,
    elu = function(F, x) return F.LeakyReLU(x, { act_type = "elu", slope = 0.25 }) end,
    prelu = function(F, x)
      local gamma = F.slice_axis(F.ones_like(x), { axis = 0, begin = 0, stop = 1 }) * 0.25
      return F.LeakyReLU(x, gamma, { act_type = "prelu" })
    end,
    maximum_scalar = function(F, x) return F.maximum(x, 0.5) end,
    minimum_scalar = function(F, x) return F.minimum(x, 0.5) end,
    square = function(F, x) return F.square(x) end,
    sqrt = function(F, x) return F.sqrt(x) end,
  } do
    local wanted = figures[name]
    it("matches MXNet, with its gradient: " .. name, function()
      in_all_ways(call, { AT }, function(y, gradients)
        check(y, wanted[1], name)
        check(gradients[1], wanted[2], "the gradient of " .. name)
      end)
    end)
  end

  for name, wanted in pairs(pair_figures) do
    it("has no gradient for either operand if one is NaN: " .. name, function()
      local a, b = {}, {}
      for i, pair in ipairs(PAIRS) do a[i], b[i] = pair[1], pair[2] end
      in_all_ways(function(F, x, y) return F[name](x, y) end, { a, b }, function(_, gradients)
        check(gradients[1], wanted[1], name .. ": lhs")
        check(gradients[2], wanted[2], name .. ": rhs")
      end)
    end)
  end

  it("has second derivative 0 where it exists: relu", function()
    local first = hl.grad(function(F, x) return F.sum(F.relu(x) * x) end)
    local second = hl.grad(function(F, x) return F.sum(first(x)) end)
    for _, f in ipairs { second, hl.compile(second) } do
      assert.allclose(f(nd.array { -1, 0, 2 }), { 0, 0, 2 }, 0, 0)
    end
  end)
end)
