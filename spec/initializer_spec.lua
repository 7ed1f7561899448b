-- initializer_spec.lua - initial values of parameters. Texts are MXNet 1.9.1's.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local python = require "hybridlua.language.python_text"
local nd, init, gluon = hl.nd, hl.init, hl.gluon

local function filled(initializer, name, shape)
  local a = nd.zeros(shape or { 40, 50 })
  a:set(7)
  initializer(name or "x_weight", a)
  return a
end

local function range(a) return a:min():asscalar(), a:max():asscalar() end

local function deviation(a)
  local mean = a:mean():asscalar()
  return math.sqrt((a - mean):square():mean():asscalar())
end

describe("an initializer", function()
  it("serializes itself like MXNet", function()
    assert.equal('["uniform", {"scale": 0.5}]', init.Uniform(.5):dumps())
    assert.equal('["uniform", {"scale": 0.07}]', init.Uniform():dumps())
    assert.equal('["normal", {"sigma": 0.1}]', init.Normal(.1):dumps())
    assert.equal('["xavier", {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 3}]', init.Xavier():dumps())
    assert.equal('["xavier", {"rnd_type": "gaussian", "factor_type": "in", "magnitude": 2}]',
      init.Xavier("gaussian", "in", 2):dumps())
    assert.equal('["msraprelu", {"factor_type": "avg", "slope": 0.25}]', init.MSRAPrelu():dumps())
    assert.equal('["orthogonal", {"scale": 1.414, "rand_type": "uniform"}]', init.Orthogonal():dumps())
    assert.equal('["one", {}]', init.One():dumps())
    assert.equal('["zero", {}]', init.Zero():dumps())
    assert.equal('["constant", {"value": 0.3}]', init.Constant(.3):dumps())
    assert.equal('["constant", {"value": [1.0, 2.0]}]', init.Constant(nd.array { 1, 2 }):dumps())
    assert.equal('["lstmbias", {"forget_bias": 1.0}]', init.LSTMBias(1.0):dumps())
    assert.equal('["bilinear", {}]', init.Bilinear():dumps())
  end)

  it("writes numbers like Python", function()
    local cases = { { 1, "1" }, { 1.0, "1.0" }, { -2.5, "-2.5" }, { 1e-5, "1e-05" }, { 1e-4, "0.0001" },
                    { 1e16, "1e+16" },
                    { 1e15, "1000000000000000.0" },
                    { 0.1, "0.1" }, { 1 / 3, "0.3333333333333333" }, { 1.5e300, "1.5e+300" }, { 0.0, "0.0" },
                    { -0.0, "-0.0" }, { 100.0, "100.0" } }
    for _, case in ipairs(cases) do assert.equal(case[2], python.number(case[1])) end
  end)

  it("depends on the end of the name", function()
    local x = init.Uniform(.5)
    for _, name in ipairs { "a_bias", "a_beta", "a_running_mean", "a_moving_mean" } do
      assert.same({ 0, 0 }, { range(filled(x, name)) })
    end
    for _, name in ipairs { "a_gamma", "a_running_var", "a_moving_var" } do
      assert.same({ 1, 1 }, { range(filled(x, name)) })
    end
    local low, high = range(filled(x, "a_weight"))
    assert.truthy(low < -0.49 and low >= -0.5 and high > 0.49 and high <= 0.5)
    assert.raises(function() filled(init.One(), "foo", { 1 }) end,
                  'Unknown initialization pattern for foo%. Default initialization is now limited to "weight", ' ..
                    '"bias", "gamma" %(1%.0%), ',
                  'and "beta" %(0%.0%)%.')
  end)

  it("applies to its own parameter whatever the name", function()
    local p = gluon.Parameter("foo", { shape = { 2 }, init = "ones" })
    p:initialize()
    assert.allclose(p:data(), { 1, 1 })
    local q = gluon.Parameter("q_bias", { shape = { 2 } })
    q:initialize(init.Constant(4))
    assert.allclose(q:data(), { 4, 4 })
    local a = nd.zeros { 2 }
    init.Uniform(.5)(init.InitDesc("foo", { __init__ = '["constant", {"value": 3.0}]' }), a)
    assert.allclose(a, { 3, 3 })
  end)

  it("draws from the seed", function()
    core.random.seed(5)
    local a = filled(init.Xavier())
    core.random.seed(5)
    assert.bits(filled(init.Xavier()), a)
    assert.not_equal(a:tobytes(), filled(init.Xavier()):tobytes())
  end)
end)

describe("the values of", function()
  it("Uniform and Normal have the requested scale", function()
    local u, n = filled(init.Uniform(.07)), filled(init.Normal(.1))
    assert.near(.07 / math.sqrt(3), deviation(u), 2e-3)
    assert.near(.1, deviation(n), 5e-3)
    assert.near(0, n:mean():asscalar(), 1e-2)
  end)

  it("Xavier and MSRAPrelu depend on fan-in and fan-out", function()
    local bound = math.sqrt(3 / 45)
    local low, high = range(filled(init.Xavier()))
    assert.truthy(low >= -bound and low < -0.99 * bound and high <= bound and high > 0.99 * bound)
    assert.near(math.sqrt(2 / 50), deviation(filled(init.Xavier("gaussian", "in", 2))), 1e-2)
    assert.near(math.sqrt(2 / 40),
      deviation(filled(init.Xavier { rnd_type = "gaussian", factor_type = "out", magnitude = 2 })), 1e-2)
    assert.near(math.sqrt(2 / (1 + .25 ^ 2) / 45), deviation(filled(init.MSRAPrelu())), 1e-2)
    low, high = range(filled(init.Xavier(), "c_weight", { 8, 4, 3, 3 }))
    bound = math.sqrt(3 / ((4 * 9 + 8 * 9) / 2))
    assert.truthy(low >= -bound and high <= bound and high > 0.9 * bound)
    assert.raises(function() filled(init.Xavier(), "b_weight", { 3 }) end,
                  "Xavier initializer cannot be applied to vector b_weight%. It requires at least 2D%.")
    assert.raises(function() filled(init.Xavier { factor_type = "all" }) end, "Incorrect factor type")
    assert.raises(function() filled(init.Xavier { rnd_type = "all" }) end, "Unknown random type")
  end)

  it("Orthogonal form orthogonal matrices, tall or wide", function()
    for _, kind in ipairs { "uniform", "normal" } do
      local rows = filled(init.Orthogonal(1.5, kind), "x_weight", { 12, 5, 4 }):reshape { 12, 20 }
      assert.allclose(nd.dot(rows, rows.T), nd.eye(12) * 2.25, 1e-5, 1e-5)
      local columns = filled(init.Orthogonal(1.0, kind), "x_weight", { 30, 7 })
      assert.allclose(nd.dot(columns.T, columns), nd.eye(7), 1e-5, 1e-5)
    end
    assert.raises(function() filled(init.Orthogonal { rand_type = "cauchy" }) end,
      "rand_type: expected 'uniform' or 'normal'")
  end)

  it("Bilinear match MXNet", function()
    local a = filled(init.Bilinear(), "x_weight", { 2, 1, 4, 4 })
    local outer, inner = { 0.0625, 0.1875, 0.1875, 0.0625 }, { 0.1875, 0.5625, 0.5625, 0.1875 }
    local rows = { outer, inner, inner, outer }
    assert.allclose(a, { { rows }, { rows } })
  end)

  it("LSTMBias are ones for the forget gate", function()
    local p = gluon.Parameter("x_bias", { shape = { 8 }, init = init.LSTMBias(1.0) })
    p:initialize()
    assert.allclose(p:data(), { 0, 0, 1, 1, 0, 0, 0, 0 })
    assert.same({ 0, 0 }, { range(filled(init.LSTMBias(1.0), "x_bias", { 8 })) })
  end)

  it("Constant may be an array", function()
    local p = gluon.Parameter("w", { shape = { 2 } })
    p:initialize(init.Constant(nd.array { 1, -1 }))
    assert.allclose(p:data(), { 1, -1 })
    assert.raises(function() init.Constant "x" end, "Constant: value: expected a number or an NDArray, got string")
  end)

  it("Mixed come from the first pattern that matches", function()
    local mixed = init.Mixed({ "bias|.*_b$", "net_.*" }, { init.Zero(), "ones" })
    local p = gluon.Parameter("net_w", { shape = { 1 } })
    p:initialize(mixed)
    assert.allclose(p:data(), { 1 })
    assert.allclose(filled(mixed, "bias", { 1 }), { 0 })
    assert.allclose(filled(init.Mixed({ "bias" }, { init.Constant(3) }), "bias_weight", { 1 }), { 3 })
    assert.raises(function() filled(mixed, "other_weight") end, "Parameter name other_weight did not match any pattern")
  end)

  it("Load come from arrays by name", function()
    local load = init.Load({ ["arg:a_weight"] = nd.array { 1, 2 } }, init.One())
    assert.allclose(filled(load, "a_weight", { 2 }), { 1, 2 })
    assert.allclose(filled(load, "b_weight", { 2 }), { 1, 1 })
    assert.raises(function() filled(load, "a_weight", { 3 }) end, "Shape mismatch, target %(3,%) vs loaded %(2,%)")
    assert.raises(function() filled(init.Load {}, "b_weight") end, "Cannot Initialize b_weight")
  end)
end)

describe("init.create", function()
  it("accepts objects, names, options and serialized texts", function()
    local x = init.Xavier()
    assert.equal(x, init.create(x))
    assert.equal(nil, init.create(nil))
    assert.equal('["zero", {}]', init.create("zeros"):dumps())
    assert.equal('["one", {}]', init.create("Ones"):dumps())
    local text = init.Xavier("gaussian", "in", 2):dumps()
    assert.equal(text, init.create("xavier", { rnd_type = "gaussian", factor_type = "in", magnitude = 2 }):dumps())
    assert.equal(text, init.create { "xavier", rnd_type = "gaussian", factor_type = "in", magnitude = 2 }:dumps())
    assert.equal(text, init.create(text):dumps())
    assert.raises(function() init.create "nosuch" end,
                  "initializer_spec.lua:%d+: nosuch is not registered%. Please register with " ..
                    "initializer%.register first")
    assert.raises(function() init.Uniform { scal = 1 } end, "Uniform: unknown option 'scal'; did you mean 'scale'%?")
    assert.raises(function() init.Uniform(1, 2) end, "Uniform: expected at most 1 argument, got 2")
  end)

  it("reports what it fills", function()
    local lines, logger = {}, hl.log.getLogger()
    local info = logger.info
    finally(function() logger.info = nil end)
    function logger.info(_, format, ...) lines[#lines + 1] = format:format(...) end
    assert.is_function(info)
    local rule = init.One():set_verbosity(true)
    filled(rule, "a_weight", { 4 })
    filled(rule:set_verbosity(true, function(x) return x.size end), "a_bias", { 3 })
    filled(rule:set_verbosity(false), "a_weight", { 2 })
    assert.same({ "Initialized a_weight as One: 2", "Initialized a_bias as bias: 3" }, lines)
  end)

  it("finds custom initializers", function()
    local Mine = init.Initializer:subclass "Mine"
    function Mine:_init_weight(_, array) array:set(.1) end
    function Mine:init_bias(_, array) array:set(2) end
    init.register(Mine, "ours")
    assert.allclose(filled(init.create "mine", "a_weight", { 1 }), { .1 })
    assert.allclose(filled(init.create "ours", "a_bias", { 1 }), { 2 })
    assert.allclose(filled(Mine(), "a_gamma", { 1 }), { 1 })
    local Empty = init.Initializer:subclass "Empty"
    assert.raises(function() filled(Empty(), "a_weight") end, "Empty: _init_weight is not defined")
  end)
end)
