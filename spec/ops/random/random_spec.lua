-- random_spec.lua - random numbers: moments and ranges, seeds, independence of the number of threads, shuffles,
-- categories, Dropout and rrelu.
local command = require "support.command"
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local N = 200000

local function mean_of(x) return x:astype "float64":mean():asscalar() end

-- Checks that the share of elements equal to 1 is p, within five standard errors.
local function has_share(truth, p)
  local share = mean_of(truth)
  assert.truthy(math.abs(share - p) <= 5 * math.sqrt(p * (1 - p) / truth.size),
    ("share %g, expected %g"):format(share, p))
end

-- Mean, variance and, if known, the fourth central moment set the tolerance.
local function has_moments(x, mean, variance, fourth)
  local m = mean_of(x)
  local v = nd.square(x:astype "float64" - m):mean():asscalar()
  local error = fourth and math.sqrt((fourth - variance ^ 2) / x.size) or 0.01 * variance
  assert.truthy(math.abs(m - mean) <= 5 * math.sqrt(variance / x.size), ("mean %g, expected %g"):format(m, mean))
  assert.truthy(math.abs(v - variance) <= 5 * error, ("variance %g, expected %g"):format(v, variance))
end

describe("random numbers", function()
  for _, dtype in ipairs { "float32", "float64" } do
    local function with(options)
      options.shape, options.dtype = { N }, dtype
      return options
    end
    it("have the moments of their distribution in " .. dtype, function()
      has_moments(nd.random.uniform(with { low = -1, high = 3 }), 1, 16 / 12, 256 / 80)
      has_moments(nd.random.normal(with { loc = 5, scale = 2 }), 5, 4, 48)
      has_moments(nd.random_exponential(with { lam = 4 }), 1 / 4, 1 / 16, 9 / 256)
      has_moments(nd.random.exponential(with { scale = 4 }), 4, 16, 9 * 256)
      has_moments(nd.random.gamma(with { alpha = 0.5, beta = 2 }), 1, 2)
      has_moments(nd.random.gamma(with { alpha = 9, beta = 0.5 }), 4.5, 2.25)
      has_moments(nd.random.poisson(with { lam = 3 }), 3, 3, 3 + 27)
      has_moments(nd.random.poisson(with { lam = 80 }), 80, 80, 80 + 3 * 6400)
      has_moments(nd.random.negative_binomial(with { k = 3, p = 0.4 }), 4.5, 4.5 / 0.4)
      has_moments(nd.random.generalized_negative_binomial(with { mu = 4, alpha = 0.5 }), 4, 4 + 0.5 * 16)
    end)
  end

  it("follow their distribution, not only its mean", function()
    local x = nd.random.normal { shape = { N } }
    has_share(nd.abs(x):lesser(1), 0.682689492)
    has_share(nd.abs(x):lesser(2), 0.954499736)
    has_share(x:lesser(0), 0.5)
    has_share(nd.random_exponential { shape = { N } }:lesser(math.log(2)), 0.5)
    has_share(nd.random.gamma { alpha = 1, beta = 2, shape = { N } }:lesser(2 * math.log(2)), 0.5)
    local k = nd.random.poisson { lam = 2, shape = { N } }
    for n, p in pairs { [0] = math.exp(-2), [1] = 2 * math.exp(-2), [3] = 8 / 6 * math.exp(-2) } do
      has_share(k:equal(n), p)
    end
  end)

  it("have independent neighbours", function()
    local x = nd.random.normal { shape = { N, 2 } }
    local product = mean_of(x:slice_axis { axis = 1, begin = 0, stop = 1 } * x:slice_axis { axis = 1, begin = 1,
      stop = 2 })
    assert.truthy(math.abs(product) < 5 / math.sqrt(N), product)
  end)

  it("reach the lower bound of a uniform distribution, but not the upper one", function()
    local x = nd.random.uniform(1, 1 + 2 ^ -20, { N })
    assert.equal(1, x:min():asscalar())
    assert.truthy(x:max():asscalar() < 1 + 2 ^ -20)
    assert.allclose(nd.random.uniform(2, 2, { 3 }), { 2, 2, 2 })
  end)

  it("include every integer of an interval equally often", function()
    local x = nd.random.randint(-3, 4, { N })
    assert.equal("int32", x.dtype)
    for n = -3, 3 do has_share(x:equal(n), 1 / 7) end
    assert.equal(-3, x:min():asscalar())
    assert.equal(3, x:max():asscalar())
    local wide = nd.random.randint { low = 0, high = 2 ^ 40 | 0, shape = { N }, dtype = "int64" }
    assert.truthy(wide:max():asscalar() > 2 ^ 39 and wide:min():asscalar() < 2 ^ 37)
    assert.allclose(nd.random.randint(5, 6, { 2 }), { 5, 5 })
  end)

  it("follow arrays of parameters", function()
    local x = nd.random.normal(nd.array { 0, 100 }, nd.array { 1, 10 }, { shape = { N } })
    assert.same({ 2, N }, x.shape)
    has_moments(x[0], 0, 1, 3)
    has_moments(x[1], 100, 100, 30000)
    local named = nd.random.uniform { low = nd.array { { 0, 5 } }, high = nd.array { { 1, 6 } } }
    assert.same({ 1, 2 }, named.shape)
    assert.truthy(named:totable()[1][2] >= 5)
    has_moments(nd.sample_poisson(nd.array { 2 }, { shape = { N } }), 2, 2, 2 + 12)
  end)

  it("have the requested shape and dtype", function()
    assert.same({ 1 }, nd.random.uniform().shape)
    assert.same({}, nd.random.uniform { shape = {} }.shape)
    assert.same({ 0, 3 }, nd.random.normal { shape = { 0, 3 } }.shape)
    assert.equal("float16", nd.random.normal { shape = { 2 }, dtype = "float16" }.dtype)
    assert.equal("float64", nd.random.normal_like(nd.ones({ 2 }, { dtype = "float64" })).dtype)
    assert.same({ 2, 3 }, nd.random.randn(2, 3).shape)
    has_moments(nd.random.randn(N, { loc = 2, scale = 3 }), 2, 9, 243)
    assert.equal("int64", nd.random.randint(0, 10, { 4 }, "int64").dtype)
  end)

  it("fill an array given as out, in its shape and dtype", function()
    local into = nd.zeros({ 2, 3 }, { dtype = "float64" })
    hl.random.seed(5)
    assert.is_true(rawequal(into, nd.random.normal(0, 1, { out = into })))
    hl.random.seed(5)
    assert.bits(into, nd.random.normal { shape = { 2, 3 }, dtype = "float64" })
    assert.same({ 4 }, nd.random.randint(0, 9, { out = nd.zeros({ 4 }, { dtype = "int64" }) }).shape)
    assert.raises(function() nd.random.uniform(0, 1, { 5 }, { out = into }) end,
      "out: expected float64 %(5,%), got float64 %(2, 3%)")
  end)

  it("reject parameters out of range", function()
    assert.raises(function() nd.random.uniform(1, 0) end, "uniform: high: expected low or more, got 0")
    assert.raises(function() nd.random.normal(0, -1) end, "scale: expected 0 or more")
    assert.raises(function() nd.random.normal(nd.array { 0, 0 }, nd.array { 1, -1 }) end,
      "scale: expected 0 or more, got %-1")
    assert.raises(function() nd.random.randint(5, 5) end, "high: expected more than low %(5%), got 5")
    assert.raises(function() nd.random.randint(0, 2 ^ 40 | 0) end, "high: expected an int32")
    assert.raises(function() nd.random.gamma(0, 1) end, "alpha: expected more than 0")
    assert.raises(function() nd.random.poisson(-1) end, "lam: expected 0 or more")
    assert.raises(function() nd.random.uniform { dtype = "int32" } end, "dtype: expected float16, float32 or float64")
    assert.raises(function() sym.random.uniform(1, 0) end, "high: expected low or more")
  end)
end)

describe("the seed", function()
  local function draw() return nd.random.normal { shape = { 5 } } end

  it("determines the numbers", function()
    hl.random.seed(42)
    local a, b = draw(), draw()
    hl.random.seed(42)
    assert.bits(draw(), a)
    assert.bits(draw(), b)
    hl.random.seed(43)
    assert.falsy(draw():tobytes() == a:tobytes())
    assert.falsy(a:tobytes() == b:tobytes())
  end)

  it("determines the numbers of every dtype, and in graphs", function()
    hl.random.seed(1)
    nd.random.normal { shape = { 7 } }
    local after = draw()
    hl.random.seed(1)
    nd.random.gamma { shape = { 7 }, dtype = "float64" }
    assert.bits(draw(), after)
    hl.random.seed(1)
    sym.random.poisson { shape = { 7 } }:eval {}
    assert.bits(draw(), after)
  end)

  it("makes the same bits with any number of threads", function()
    local script = command.file [[
local nd, autograd = require "hybridlua".nd, require "hybridlua".autograd
autograd.set_training(true)
local n = { 60001 }
for _, x in ipairs {
  nd.random.uniform { shape = n }, nd.random.normal { shape = n }, nd.random.normal { shape = n, dtype = "float64" },
  nd.random.gamma { shape = n }, nd.random.poisson { lam = 50, shape = n }, nd.random.randint(0, 1000, n),
  nd.random.shuffle(nd.arange(60001)), nd.Dropout(nd.ones(n)), nd.LeakyReLU(-nd.ones(n), { act_type = "rrelu" })[1],
  nd.random.multinomial(nd.ones { 3, 4 } / 4, n),
} do
  local sum = 0
  local bytes = x:tobytes()
  for k = 1, #bytes - 7, 8 do sum = (sum * 31 + string.unpack("i8", bytes, k)) end
  print(sum)
end]]
    local program = command.program .. " " .. script
    local one, code = command.run("HYBRIDLUA_NUM_THREADS=1 " .. program)
    assert.equal(0, code, one)
    assert.equal(one, (command.run("HYBRIDLUA_NUM_THREADS=2 " .. program)))
    assert.equal(one, (command.run("HYBRIDLUA_NUM_THREADS=5 " .. program)))
  end)
end)

describe("shuffle", function()
  it("permutes rows, all orders equally likely", function()
    local x = nd.arange(30):reshape { 10, 3 }
    local y = nd.random.shuffle(x)
    local order = y:slice_axis { axis = 1, begin = 0, stop = 1 }:reshape { 10 } / 3
    assert.allclose(y, x:take(order))
    local rows = {}
    for _, row in pairs(y) do rows[#rows + 1] = row:totable()[1] end
    table.sort(rows)
    assert.same({ 0, 3, 6, 9, 12, 15, 18, 21, 24, 27 }, rows)
    local count, tries = {}, 6000
    for _ = 1, tries do
      local key = table.concat(nd.shuffle(nd.arange(3)):totable(), " ")
      count[key] = (count[key] or 0) + 1
    end
    local orders = 0
    for _, n in pairs(count) do
      orders = orders + 1
      assert.truthy(math.abs(n - tries / 6) < 5 * math.sqrt(tries * 5 / 36), n)
    end
    assert.equal(6, orders)
  end)

  it("accepts any dtype and shape", function()
    assert.equal("int8", nd.shuffle(nd.array({ 1, 2, 3 }, { dtype = "int8" })).dtype)
    assert.same({ 0, 2 }, nd.shuffle(nd.zeros { 0, 2 }).shape)
    assert.same({ 3, 0 }, nd.shuffle(nd.zeros { 3, 0 }).shape)
  end)
end)

describe("multinomial", function()
  it("draws categories with their probabilities", function()
    local x = nd.random.multinomial(nd.array { 0.1, 0, 0.2, 0.7 }, { N })
    assert.same({ N }, x.shape)
    assert.equal("int32", x.dtype)
    has_share(x:equal(0), 0.1)
    has_share(x:equal(2), 0.2)
    assert.equal(0, x:equal(1):sum():asscalar())
    local rows = nd.random.multinomial(nd.array { { 1, 0 }, { 0, 1 } }, { shape = { 2, 3 }, dtype = "float32" })
    assert.allclose(rows, { { { 0, 0, 0 }, { 0, 0, 0 } }, { { 1, 1, 1 }, { 1, 1, 1 } } })
    assert.same({ 1 }, nd.random.multinomial(nd.array { 0, 1 }).shape)
  end)

  it("returns log probabilities with the policy gradient", function()
    local p = nd.array { { 0.2, 0.8 }, { 0.6, 0.4 } }
    p:attach_grad()
    local drawn
    autograd.record(function()
      drawn = nd.random.multinomial(p, { shape = { 3 }, get_prob = true })
      return drawn[2]
    end):backward()
    local expected = { { 0, 0 }, { 0, 0 } }
    local values = p:totable()
    for r, row in ipairs(drawn[1]:totable()) do
      for k, category in ipairs(row) do
        expected[r][category + 1] = expected[r][category + 1] + 1 / values[r][category + 1]
        assert.allclose(drawn[2]:totable()[r][k], math.log(values[r][category + 1]))
      end
    end
    assert.allclose(p.grad, expected)
  end)
end)

describe("Dropout", function()
  it("drops elements by their probability, scales the others, and passes gradients through the same mask", function()
    local x = nd.random.uniform(1, 2, { N })
    x:attach_grad()
    local y = autograd.record(function() return nd.Dropout(x, { p = 0.3 }) end)
    local kept = y:not_equal(0)
    has_share(kept, 0.7)
    assert.allclose(y, x * kept / 0.7)
    y:backward()
    assert.allclose(x.grad, kept / 0.7)
  end)

  it("shares one decision along axes", function()
    autograd.train_mode(function()
      local y = nd.Dropout(nd.ones { 50, 20, 3 }, { axes = { 0, 2 } })
      assert.allclose(y, y[0]:slice_axis { axis = 1, begin = 0, stop = 1 }:broadcast_like(y))
      assert.truthy(y:sum():asscalar() > 0 and y:equal(0):sum():asscalar() > 0)
    end)
  end)

  it("returns the input outside training, without drawing", function()
    local x = nd.array { 1, 2, 3 }
    hl.random.seed(5)
    local expected = nd.random.uniform { shape = { 3 } }
    hl.random.seed(5)
    assert.bits(nd.Dropout(x), x)
    assert.bits(autograd.train_mode(function() return nd.Dropout(x, { p = 0 }) end), x)
    assert.bits(nd.random.uniform { shape = { 3 } }, expected)
    x:attach_grad()
    autograd.record(function() return nd.Dropout(x) * 2 end, { train_mode = false }):backward()
    assert.allclose(x.grad, { 2, 2, 2 })
    assert.truthy(nd.Dropout(nd.ones { 1000 }, { mode = "always" }):equal(0):sum():asscalar() > 300)
  end)

  it("accepts every probability and rejects other numbers", function()
    autograd.train_mode(function()
      assert.allclose(nd.Dropout(nd.ones { 4 }, { p = 1 }), { 0, 0, 0, 0 })
      assert.raises(function() nd.Dropout(nd.ones { 4 }, { p = 1.5 }) end,
        "Dropout: p: expected a probability, got 1.5")
      assert.raises(function() nd.Dropout(nd.ones { 4 }, { axes = { 1 } }) end, "axes: expected an axis")
      assert.same({ 0, 2 }, nd.Dropout(nd.ones { 0, 2 }).shape)
    end)
  end)

  it("has the same mask in a graph as in eager code", function()
    local x, always = nd.ones { 100 }, { mode = "always" }
    hl.random.seed(9)
    local eager = nd.Dropout(x, always)
    hl.random.seed(9)
    assert.bits(sym.Dropout(sym.var "x", always):eval { x = x }[1], eager)
  end)
end)

describe("rrelu", function()
  it("draws slopes in training and uses their mean outside", function()
    local x = -nd.ones { N }
    x:attach_grad()
    local y = autograd.record(function()
      return nd.LeakyReLU(x, { act_type = "rrelu", lower_bound = 0.1, upper_bound = 0.3 })[1]
    end)
    has_moments(-y, 0.2, 0.04 / 12, 0.0016 / 80)
    y:backward()
    assert.allclose(x.grad, -y)
    local fixed = nd.LeakyReLU(nd.array { -1, 2 }, { act_type = "rrelu", lower_bound = 0.1, upper_bound = 0.3 })[1]
    assert.allclose(fixed, { -0.2, 2 })
  end)
end)
