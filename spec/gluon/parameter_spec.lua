-- parameter_spec.lua - Parameter, Constant and ParameterDict: states and errors. The error texts are from MXNet 1.9.1.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, Parameter = gluon.nn, gluon.Parameter

describe("a parameter", function()
  it("has MXNet's defaults", function()
    local p = Parameter("w", { shape = { 2, 3 } })
    assert.same({ "w", "float32", "write", 1.0, 1.0 }, { p.name, p.dtype, p.grad_req, p.lr_mult, p.wd_mult })
    assert.same({ 2, 3 }, p.shape)
    assert.is_nil(p.init)
    assert.raises(function() Parameter("w", { shpe = { 1 } }) end, "parameter_spec.lua:%d+",
      "Parameter 'w': unknown option 'shpe'")
    assert.raises(function() Parameter("w", { grad_req = "sum" }) end, "expected 'write', 'add' or 'null', got 'sum'")
  end)

  it("raises an error at the script's line if its array is read before initialization", function()
    local p = Parameter("w", { shape = { 2 } })
    assert.raises(function() local _ = p:data() end, "parameter_spec.lua:%d+",
      "net:initialize%(%) first: Parameter 'w' has not been initialized%. Take parameters")
    assert.raises(function() return p:grad() end, "Parameter 'w' has not been initialized%. Take parameters")
    assert.raises(function() return p:list_ctx() end, "has not been initialized")
    p:zero_grad()
    p:initialize()
    assert.same({ 2 }, p:data().shape)
    assert.bits(p:grad(), nd.zeros { 2 })
    assert.equal("cpu(0)", tostring(p:list_ctx()[1]))
    assert.bits(p:data(hl.cpu()), p:list_data()[1])
  end)

  it("may defer its initialization until its shape is known", function()
    local p = Parameter("w", { shape = { 2, 0 }, allow_deferred_init = true })
    p:initialize(hl.init.One())
    assert.raises(function() return p:data() end,
      "Parameter 'w' has not been initialized yet because initialization was deferred")
    assert.raises(function() p:finish_deferred_init() end, "invalid shape: %(2, 0%)", "in_units")
    assert.raises(function() p.shape = { 3, 4 } end, "expected %(2, 0%), got %(3, 4%)")
    p.shape = { 2, 4 }
    p:finish_deferred_init()
    assert.bits(p:data(), nd.ones { 2, 4 })
    assert.raises(function() Parameter("v", { shape = { 0 } }):initialize() end,
                  "Cannot initialize Parameter 'v' because it has invalid shape: %(0,%)")
  end)

  it("is filled by its own initializer, else by the block's, whatever its name", function()
    for _, name in ipairs { "w", "x_bias", "x_gamma", "running_mean" } do
      local p = Parameter(name, { shape = { 2 } })
      p:initialize(nil, nil, hl.init.Constant(3))
      assert.allclose(p:data(), { 3, 3 })
    end
    local p = Parameter("w", { shape = { 2 }, init = "zeros" })
    p:initialize(nil, { default_init = hl.init.One() })
    assert.allclose(p:data(), { 0, 0 })
    p:initialize(hl.init.One(), { force_reinit = true })            -- an explicit initializer has priority
    assert.allclose(p:data(), { 1, 1 })
    assert.raises(function() Parameter("b", { shape = { 2 } }):initialize "xavier" end,
                  "parameter_spec.lua:%d+", "Xavier initializer cannot be applied to vector b")
  end)

  it("accepts new values of its own shape only", function()
    local p = Parameter("w", { shape = { 2 } })
    assert.raises(function() p:set_data(nd.ones { 2 }) end, "has not been initialized")
    p:initialize()
    local array = p:data()
    p:set_data(nd.array { 5, 6 })
    assert.is_true(rawequal(array, p:data()))
    assert.allclose(array, { 5, 6 })
    assert.raises(function() p:set_data(nd.ones { 3 }) end, "Parameter 'w': shape: expected %(2,%), got %(3,%)")
  end)

  it("has a gradient as set by grad_req", function()
    local p = Parameter("w", { shape = { 2 } })
    p:initialize(hl.init.One())
    local function step() autograd.record(function() return (p:data() * nd.array { 2, 3 }):sum() end):backward() end
    step()
    step()
    assert.allclose(p:grad(), { 2, 3 })
    p.grad_req = "add"
    step()
    step()
    assert.allclose(p:grad(), { 4, 6 })
    p:zero_grad()
    assert.allclose(p:grad(), { 0, 0 })
    p.grad_req = "null"
    assert.raises(function() return p:grad() end, "Cannot get gradient array for Parameter 'w' because grad_req='null'")
    local fixed = Parameter("f", { shape = { 1 }, differentiable = false })
    fixed.grad_req = "write"
    assert.equal("null", fixed.grad_req)
  end)

  it("casts its gradient together with its values", function()
    local p = Parameter("w", { shape = { 2 } })
    p:initialize(hl.init.Constant(2))
    p:cast "float64"
    assert.bits(p:data(), nd.ones({ 2 }, { dtype = "float64" }) * 2)
    assert.equal("float64", p:grad().dtype)
    assert.equal("Parameter w (shape=(2,), dtype=float64)", tostring(p))
  end)

  it("is one variable with its attributes in graphs", function()
    local p = Parameter("w", { shape = { 2, 3 }, lr_mult = 0.5, wd_mult = 0, init = "zeros" })
    assert.equal("<Symbol w>", tostring(p:var()))
    local attributes = p:var():list_attr()
    assert.same({ "(2, 3)", "0.5", "0" },
      { attributes.__shape__, attributes.__lr_mult__, (attributes.__wd_mult__:gsub("%.0$", "")) })
    assert.same({ "w" }, (p:var() + p:var()):list_arguments())
  end)
end)

describe("multipliers", function()
  it("scale the learning rate and the weight decay", function()
    local function after(lr_mult, wd_mult)
      local p = Parameter("w", { shape = { 1 }, lr_mult = lr_mult, wd_mult = wd_mult, init = "ones" })
      p:initialize()
      local trainer = gluon.Trainer({ p }, "sgd", { learning_rate = 0.1, wd = 0.5 })
      autograd.record(function() return p:data() * 2 end):backward()
      trainer:step(1)
      return p:data():asscalar()
    end
    local function expect(want, got) assert.truthy(math.abs(want - got) < 1e-6, got) end
    expect(1 - 0.1 * (2 + 0.5), after(1, 1))
    expect(1 - 0.05 * (2 + 0.5), after(0.5, 1))
    expect(1 - 0.1 * 2, after(1, 0))
    expect(1, after(0, 1))
    local net = nn.Dense(2, { in_units = 1 })
    net:collect_params(".*bias"):setattr("lr_mult", 0)
    assert.same({ 1.0, 0 }, { net.weight.lr_mult, net.bias.lr_mult })
  end)
end)

describe("a constant", function()
  it("keeps its value in training and is saved with the block", function()
    local Scaled = gluon.HybridBlock:subclass "Scaled"
    function Scaled:init()
      self.factor = self.params:get_constant("factor", { { 1, 2 } })
      self.dense = nn.Dense(2, { in_units = 2 })
    end
    function Scaled:hybrid_forward(_, x, p) return self.dense(x * p.factor) end
    local a = Scaled()
    a:initialize(hl.init.Normal(1))
    assert.allclose(a.factor:data(), { { 1, 2 } })
    assert.allclose(a.factor.value, { { 1, 2 } })
    assert.equal("null", a.factor.grad_req)
    local x = nd.array { { 3, 4 } }
    local y = a(x)
    a:hybridize()
    assert.bits(a(x), y)
    local trainer = gluon.Trainer(a:collect_params(), "sgd", { learning_rate = 1 })
    autograd.record(function() return a(x):sum() end):backward()
    trainer:step(1)
    assert.allclose(a.factor:data(), { { 1, 2 } })
    local folder = scratch.folder()
    a:save_parameters(folder:file "a.params")
    local b = Scaled()
    b:load_parameters(folder:file "a.params")
    assert.bits(b(x), a(x))
    folder:remove()
    assert.raises(function() a.params:get_constant "other" end, "No constant named '.*other'")
  end)
end)

describe("a parameter dictionary", function()
  local function dict()
    local d = gluon.ParameterDict "p_"
    d:get("w", { shape = { 2, 0 }, allow_deferred_init = true })
    d:get("b", { shape = { 2 } })
    return d
  end

  it("keeps the order in which parameters were requested", function()
    local d = dict()
    assert.same({ "p_w", "p_b" }, d:keys())
    assert.equal("p_", d.prefix)
    assert.equal(2, #d)
    local names = {}
    for name, param in pairs(d) do names[#names + 1] = name == param.name and name end
    for name in d:items() do names[#names + 1] = name end
    assert.same({ "p_w", "p_b", "p_w", "p_b" }, names)
    assert.is_true(rawequal(d.p_w, d:values()[1]))
    assert.is_true(rawequal(d:get "w", d["p_w"]))
    assert.is_nil(d.p_nosuch)
  end)

  it("completes partly known shapes and rejects different ones", function()
    local d = dict()
    assert.same({ 2, 5 }, d:get("w", { shape = { 2, 5 } }).shape)
    assert.raises(function() d:get("w", { shape = { 3, 5 } }) end, "parameter_spec.lua:%d+",
                  "Cannot retrieve Parameter 'p_w' because desired attribute does not match with stored for " ..
                    "attribute 'shape'",
                  "desired '%(3, 5%)' vs stored '%(2, 5%)'")
    assert.raises(function() d:get("b", { dtype = "float64" }) end,
      "for attribute 'dtype': desired 'float64' vs stored 'float32'")
  end)

  it("shares another dictionary's parameters and merges others", function()
    local d = dict()
    local shared = gluon.ParameterDict("p_", d)
    assert.is_true(rawequal(shared:get "b", d:get "b"))
    local all = gluon.ParameterDict()
    all:update(d)
    all:update(d)
    assert.same({ "p_w", "p_b" }, all:keys())
    assert.raises(function() all:update(dict()) end, "Cannot update because keys have different values for 'p_w'")
  end)

  it("initializes, sets and zeroes all its parameters", function()
    local d = dict()
    d:setattr("grad_req", "add")
    d:initialize("ones", hl.cpu())
    assert.bits(d.p_b:data(), nd.ones { 2 })
    assert.is_true(d.p_w:is_deferred())
    autograd.record(function() return d.p_b:data() * 3 end):backward()
    d:zero_grad()
    assert.allclose(d.p_b:grad(), { 0, 0 })
    d:reset_ctx(hl.cpu())
    assert.equal(hl.cpu(), d:list_ctx()[1])
    assert.raises(function() d:initialize("ones", { force = true }) end, "unknown option 'force'",
      "it takes init, ctx, verbose, force_reinit")
  end)

  it("saves and loads full names, removing or adding a prefix", function()
    local folder = scratch.folder()
    local file, d = folder:file "d.params", dict()
    d.p_w.shape = { 2, 1 }
    d:initialize(hl.init.Normal(1))
    d:save(file, { strip_prefix = "p_" })
    assert.same({ "b", "w" },
      (function() local n = {} for name in pairs(nd.load(file)) do n[#n + 1] = name end table.sort(n) return n end)())
    local other = dict()
    other:load(file, hl.cpu(), { restore_prefix = "p_" })
    assert.bits(other.p_w:data(), d.p_w:data())
    assert.raises(function() dict():load(file) end, "Parameter 'p_w' is missing in file: ",
      "which contains parameters: 'b', 'w'")
    assert.raises(function() d:save(file, "q_") end, "Prefix 'q_' is to be stripped before saving",
                  "Parameter's name 'p_w' does not start with 'q_'")
    local less = gluon.ParameterDict "p_"
    less:get("w", { shape = { 2, 1 } })
    assert.raises(function() less:load(file, { restore_prefix = "p_" }) end,
                  "Parameter 'p_b' loaded from file .* is not present in ParameterDict")
    less:load(file, { restore_prefix = "p_", ignore_extra = true })
    assert.bits(less.p_w:data(), d.p_w:data())
    folder:remove()
  end)
end)

describe("__shape__ in a graph's JSON", function()
  local function shapes(net)
    local list = {}
    for name, attributes in pairs(net(hl.sym.var "data"):attr_dict()) do
      list[name:gsub("^.*_dense", "dense")] = attributes.__shape__
    end
    return list
  end
  local function make(in_units)
    local net = nn.HybridSequential()
    net:add(nn.Dense(4, { in_units = in_units, prefix = "a_dense0_" }), nn.Dense(2, { prefix = "a_dense1_" }))
    net:initialize()
    return net
  end
  local unknown = { dense0_weight = "(4, 0)", dense0_bias = "(4,)", dense1_weight = "(2, 0)", dense1_bias = "(2,)" }

  it("is the shape known before the first batch, as in MXNet 1.9.1", function()
    assert.same(unknown, shapes(make()))
    for _, hybrid in ipairs { false, true } do
      local net = make()
      net:hybridize(hybrid)
      net(nd.ones { 1, 3 })
      assert.same(unknown, shapes(net))
      assert.same({ 4, 3 }, net[0].weight.shape)
    end
  end)

  it("is the shape set by in_units or by a file", function()
    local net = make(3)
    net(nd.ones { 1, 3 })
    assert.equal("(4, 3) (2, 0)", shapes(net).dense0_weight .. " " .. shapes(net).dense1_weight)
    local file = os.tmpname()
    net:save_parameters(file)
    local loaded = make()
    loaded:load_parameters(file)
    os.remove(file)
    assert.equal("(4, 3) (2, 4)", shapes(loaded).dense0_weight .. " " .. shapes(loaded).dense1_weight)
  end)
end)

describe("a parameter's private field from MXNet", function()
  it("can be read but not assigned", function()
    for _, hybrid in ipairs { false, true } do
      local net = nn.Dense(2, { in_units = 2 })
      net:initialize()
      net:hybridize(hybrid)
      net(nd.ones { 1, 2 })
      assert.bits(net.weight._data, net.weight:data())
      assert.bits(net.weight._grad, net.weight:grad())
      local mu = nd.ones { 2, 2 }
      mu:attach_grad()
      for _, field in ipairs { "_data", "_grad" } do
        assert.raises(function()
          hl.autograd.record(function() net.weight[field] = mu * 3 end)
        end, "Parameter 'dense%d+_weight': " .. field .. ": expected no assignment.*gluon.functional_call",
          "parameter_spec.lua:%d+")
      end
    end
    assert.is_nil(gluon.Parameter("w", { shape = { 2 } })._data)
  end)
end)
