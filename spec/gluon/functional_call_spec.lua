-- functional_call_spec.lua - gluon.functional_call: a net with other arrays in place of its parameters.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function new_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(4, { activation = "tanh", in_units = 3 }), nn.Dense(2, { in_units = 4 }))
  net:initialize(hl.init.Xavier())
  return net
end

local function arrays_of(net, fn)
  local arrays = {}
  for _, entry in ipairs(net:structural_params()) do arrays[entry[1]] = fn(entry[2]:data()) end
  return arrays
end

local function bits(list)
  local all = {}
  for i, x in ipairs(list) do all[i] = x:totable() end
  return all
end

describe("functional_call", function()
  it("computes with the given arrays and leaves the parameters alone, eager and hybridized", function()
    local net, x = new_net(), nd.random.normal { shape = { 5, 3 } }
    local other = new_net()
    local before, wanted = net(x), other(x)
    for _, hybridized in ipairs { false, true } do
      net:hybridize(hybridized)
      for _ = 1, 2 do
        local y = gluon.functional_call(net, arrays_of(other, function(w) return w end), x)
        assert.same(wanted:totable(), y:totable())
        assert.same(before:totable(), net(x):totable())
      end
    end
  end)

  it("has gradients for the arrays and the input, with the bits of eager code", function()
    local net, x = new_net(), nd.random.normal { shape = { 5, 3 } }
    local function run(hybridized)
      net:hybridize(hybridized)
      local leaves = arrays_of(net, function(w)
        w = w:copy()
        w:attach_grad()
        return w
      end)
      local input = x:copy()
      input:attach_grad()
      local y = autograd.record(function()
        local scaled = {}
        for name, w in pairs(leaves) do scaled[name] = w * 2 end
        return gluon.functional_call(net, scaled, input)
      end)
      y:backward()
      local results = { y, input.grad }
      for _, entry in ipairs(net:structural_params()) do
        results[#results + 1] = leaves[entry[1]].grad
        assert.equal(0, entry[2]:grad():abs():sum():asscalar())
      end
      return bits(results)
    end
    local eager = run(false)
    assert.same(eager, run(true))
    assert.same(eager, run(true))
    assert.truthy(nd.array(eager[3]):abs():sum():asscalar() > 0)
  end)

  it("is differentiated through a step of gradient descent", function()
    local net = nn.Dense(1, { in_units = 1, use_bias = false })
    net:initialize(hl.init.Constant(3))
    for _, hybridized in ipairs { false, true } do
      net:hybridize(hybridized)
      local w = net.weight:data()
      local loss = autograd.record(function()
        local function loss_of(weight) return gluon.functional_call(net, { weight = weight }, nd.ones { 1, 1 }) ^ 2 end
        local step = autograd.grad(loss_of(w), w, nil, true, true)
        return loss_of(w - step * 0.1)                    -- (w - 0.2 w)^2
      end)
      loss:backward()
      assert.allclose(loss, { { 5.76 } })
      assert.allclose(net.weight:grad(), { { 2 * 0.64 * 3 } })
    end
  end)

  it("writes running statistics into the given arrays", function()
    local net = nn.BatchNorm { in_channels = 2 }
    net:initialize()
    local given = arrays_of(net, function(w) return w:copy() end)
    autograd.record(function() return gluon.functional_call(net, given, nd.array { { 1, 2 }, { 3, 4 } }) end)
    assert.allclose(given.running_mean, { 0.2, 0.3 })
    assert.same({ 0, 0 }, net.running_mean:data():totable())
  end)

  it("takes the names of collect_params, and parameters that have no shape yet", function()
    local net = nn.Dense(2, { prefix = "d_" })
    local y = gluon.functional_call(net, { d_weight = nd.ones { 2, 3 }, bias = nd.zeros { 2 } }, nd.ones { 1, 3 })
    assert.same({ { 3, 3 } }, y:totable())
    assert.error_matches(function() net(nd.ones { 1, 3 }) end, "has not been initialized")
  end)

  it("restores the parameters after an error in the net", function()
    local net, x = new_net(), nd.ones { 1, 3 }
    local before = net(x):totable()
    assert.error_matches(function()
      gluon.functional_call(net, arrays_of(net, function(w) return w * 2 end), nd.ones { 1, 9 })
    end, "expected 3 features, got 9")
    assert.same(before, net(x):totable())
  end)

  it("rejects unknown and missing names and arrays that do not fit", function()
    local net, x = new_net(), nd.ones { 1, 3 }
    local function rejects(pattern, change)
      local given = arrays_of(net, function(w) return w end)
      change(given)
      assert.error_matches(function() gluon.functional_call(net, given, x) end, pattern)
    end
    rejects("got none for '0.bias'", function(given) given["0.bias"] = nil end)
    rejects("the net has no parameter '0.wight'.*'0.weight'", function(given) given["0.wight"] = x end)
    rejects("'0.weight': expected float32 %(4, 3%), got float32 %(1, 3%)", function(given) given["0.weight"] = x end)
    rejects("'1.bias': expected float32 %(2,%), got float64 %(2,%)",
      function(given) given["1.bias"] = nd.zeros({ 2 }, { dtype = "float64" }) end)
    rejects("'1.bias': expected an NDArray, got number", function(given) given["1.bias"] = 3 end)
    assert.error_matches(function() gluon.functional_call(x, {}, x) end, "net: expected a Block")
    assert.error_matches(function() gluon.functional_call(net, 3, x) end, "arrays: expected a table of arrays by name")
    local f = hl.compile(function(_, a) return gluon.functional_call(net, arrays_of(net, nd.relu), a) end)
    assert.error_matches(function() f(x) end, "expected a call outside of hybridized code")
  end)

  it("is what the error of an assignment to _data recommends", function()
    local net = new_net()
    assert.error_matches(function() net[0].weight._data = nd.ones { 4, 3 } end,
      "_data: expected no assignment.*gluon.functional_call")
  end)
end)
