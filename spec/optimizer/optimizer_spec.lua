-- optimizer_spec.lua - the rules that update parameters. The expected numbers are from MXNet 1.9.1.
local hl = require "hybridlua"
local nd, init, gluon, autograd, optimizer = hl.nd, hl.init, hl.gluon, hl.autograd, hl.optimizer

-- A parameter [1, -1] after a Trainer's step for each gradient.
local function train(name, options, gradients, batch_size, multipliers)
  local p = gluon.Parameter("w", { shape = { 2 } })
  p:initialize(init.Constant(nd.array { 1, -1 }))
  for key, value in pairs(multipliers or {}) do p[key] = value end
  local trainer = gluon.Trainer({ p }, name, options)
  local seen = {}
  for i, g in ipairs(gradients) do
    autograd.record(function() return (p:data() * nd.array(g)):sum() end):backward()
    trainer:step(batch_size)
    seen[i] = p:data():totable()
  end
  return seen
end

describe("three steps of gradient (1, -2) by", function()
  local cases = {
    { "sgd", { momentum = .9 }, { { 0.899, -0.799 }, { 0.707201, -0.417301 }, { 0.4338747, 0.1266454 } } },
    { "nag", { momentum = .9 }, { { 0.8081, -0.6181 }, { 0.53491, -0.07442498 }, { 0.1889713, 0.6140274 } } },
    { "adam", {}, { { 0.8999994, -0.8999994 }, { 0.8000013, -0.8 }, { 0.7000076, -0.7000028 } } },
    { "adagrad", {}, { { 0.899, -0.899 }, { 0.8273903, -0.8273903 }, { 0.7688279, -0.7688279 } } },
    { "rmsprop", {}, { { 0.6837723, -0.6837723 }, { 0.4546976, -0.4545277 }, { 0.2630595, -0.2626621 } } },
    { "adadelta", {}, { { 0.9800005, -0.9800001 }, { 0.9599412, -0.9599405 }, { 0.9399043, -0.9399031 } } },
    { "adamax", {}, { { 0.9, -0.9 }, { 0.799953, -0.7999764 }, { 0.6998608, -0.6999301 } } },
    { "nadam", {}, { { 0.8943548, -0.8943548 }, { 0.8160227, -0.8160046 }, { 0.7428542, -0.7428097 } } },
    { "ftrl", {}, { { 0.4492753, -0.5994669 }, { 0.4078711, -0.5472397 }, { 0.371282, -0.5024478 } } },
    { "signum", {}, { { 0.9, -0.9 }, { 0.8, -0.8 }, { 0.6999999, -0.6999999 } } },
    { "dcasgd", {}, { { 0.899, -0.799 }, { 0.798505, -0.6014171 }, { 0.6981085, -0.403977 } } },
    { "ftml", {}, { { 0.9, -0.9 }, { 0.8375311, -0.8375157 }, { 0.7865484, -0.7865143 } } },
    { "lbsgd", {}, { { 0.899, -0.799 }, { 0.7981009, -0.598201 }, { 0.6973028, -0.3976029 } } },
    { "lamb", {}, { { 0.9, -0.9 }, { 0.8100001, -0.8099999 }, { 0.7290001, -0.7289999 } } },
    { "lars", {}, { { 0.9999365, -0.9998737 }, { 0.999873, -0.9997474 }, { 0.9998096, -0.9996211 } } },
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      local options = { learning_rate = .1, wd = .01 }
      for key, value in pairs(case[2]) do options[key] = value end
      assert.allclose(train(case[1], options, { { 1, -2 }, { 1, -2 }, { 1, -2 } }, 1), case[3], 1e-6, 1e-7)
    end)
  end
end)

describe("every option counts:", function()
  local gradients = { { 1, -2 }, { .3, .1 }, { -1, .5 } }
  local cases = {
    { "sgd", { clip_gradient = .4 }, { { 0.975, -0.975 }, { 0.962625, -0.972625 }, { 0.9778119, -0.9802619 } } },
    { "sgd", { momentum = .9, clip_gradient = .4 },
      { { 0.975, -0.975 }, { 0.940125, -0.950125 }, { 0.9240369, -0.9354869 } } },
    { "nag", { momentum = .9, clip_gradient = .4 },
      { { 0.9525, -0.9525 }, { 0.9091436, -0.9281436 }, { 0.9106978, -0.9232904 } } },
    { "nag", {}, { { 0.97, -0.945 }, { 0.9576501, -0.942775 }, { 0.9778618, -0.9505611 } } },
    { "signum", { wd_lh = .02, clip_gradient = .4 },
      { { 0.949, -0.949 }, { 0.898051, -0.898051 }, { 0.8471529, -0.8471529 } } },
    { "signum", { momentum = 0. }, { { 0.945, -0.945 }, { 0.890275, -0.990275 }, { 0.9358236, -1.035324 } } },
    { "adam", { clip_gradient = .4, beta1 = .8, beta2 = .99, epsilon = 1e-3 },
      { { 0.9512195, -0.9512195 }, { 0.9048361, -0.9163696 }, { 0.901885, -0.9056075 } } },
    { "adagrad", { clip_gradient = .4, eps = 1e-2 },
      { { 0.9464929, -0.9464929 }, { 0.9246663, -0.9477797 }, { 0.953729, -0.9688263 } } },
    { "rmsprop", { clip_gradient = .4, gamma1 = .8, clip_weights = .95 },
      { { 0.8881966, -0.8881966 }, { 0.8261243, -0.8761363 }, { 0.9067029, -0.926495 } } },
    { "rmsprop", { centered = true, gamma2 = .8, clip_gradient = .4 },
      { { 0.8333334, -0.8333334 }, { 0.6086869, -0.6853622 }, { 0.5379483, -0.6385916 } } },
    { "adadelta", { rho = .8, epsilon = 1e-3, clip_gradient = .4 },
      { { 0.8303689, -0.8303689 }, { 0.7095826, -0.7608119 }, { 0.7146275, -0.7421262 } } },
    { "adamax", { clip_gradient = .4 }, { { 0.95, -0.95 }, { 0.9101575, -0.9233286 }, { 0.9034924, -0.9137692 } } },
    { "nadam", { clip_gradient = .4, schedule_decay = .1 },
      { { 0.9471469, -0.9471469 }, { 0.9172034, -0.9381743 }, { 0.9499909, -0.955003 } } },
    { "ftrl", { lamda1 = .1, beta = .5, clip_gradient = .4 },
      { { 0.4143646, -0.4143646 }, { 0.4063191, -0.4171176 }, { 0.4246638, -0.4298813 } } },
    { "ftml", { clip_gradient = .4, beta1 = .5 },
      { { 0.95, -0.95 }, { 0.9253752, -0.9447287 }, { 0.9574857, -0.9625711 } } },
    { "lamb", { clip_gradient = .4, lower_bound = .2, upper_bound = 1.2 },
      { { 0.9575736, -0.9575736 }, { 0.9079304, -0.9238756 }, { 0.8621455, -0.8850975 } } },
    { "lamb", { bias_correction = false },
      { { 0.9500008, -0.9499992 }, { 0.8961395, -0.9098562 }, { 0.8861469, -0.8467895 } } },
    { "lars", { momentum = .9, eta = .5, eps = .1, clip_gradient = .4 },
      { { 0.9869965, -0.9869965 }, { 0.9534714, -0.9710203 }, { 0.9363347, -0.9631841 } } },
  }
  for n, case in ipairs(cases) do
    it(("%s (%d)"):format(case[1], n), function()
      local options = { learning_rate = .1, wd = .05 }
      for key, value in pairs(case[2]) do options[key] = value end
      assert.allclose(train(case[1], options, gradients, 2, { lr_mult = .5, wd_mult = 2. }), case[3], 1e-6, 1e-7)
    end)
  end
end)

describe("AdamW", function()
  it("decays weights separately from the gradient, as in PyTorch 2.13", function()
    local gradients = { { 1, -2 }, { .3, .1 }, { -1, .5 } }
    assert.allclose(train("adamw", { learning_rate = .1 }, gradients, 1),
                    { { 0.8990000, -0.8990000 }, { 0.8125308, -0.8348963 }, { 0.8081812, -0.8021519 } }, 2e-6)
    assert.allclose(train("adamw", { learning_rate = .1, wd = 0. }, gradients, 1),
      train("adam", { learning_rate = .1 }, gradients, 1), 1e-6)
  end)

  it("follows its formula, with every option", function()
    local o = { learning_rate = .1, wd = .2, beta1 = .8, beta2 = .99, epsilon = 1e-3, clip_gradient = .4,
      correct_bias = false }
    local w, m, v, seen = 1, 0, 0, {}
    for i, g in ipairs { .5, .3, -.2 } do
      g = math.min(g / 2, .4)
      m, v = .8 * m + .2 * g, .99 * v + .01 * g * g
      w = w - .1 * (m / (math.sqrt(v) + 1e-3) + .2 * w)
      seen[i] = { w, -w }
    end
    assert.allclose(train("AdamW", o, { { .5, -.5 }, { .3, -.3 }, { -.2, .2 } }, 2), seen, 1e-5)
  end)
end)

describe("an optimizer", function()
  it("moves by the gradient and by noise of the rate's size (SGLD)", function()
    local w = nd.zeros { 20000 }
    optimizer.SGLD { learning_rate = .04 }:update(0, w, nd.ones { 20000 }, nil)
    assert.near(-.02, w:mean():asscalar(), 5e-3)
    assert.near(.2, math.sqrt((w - w:mean()):square():mean():asscalar()), 5e-3)
  end)

  it("compensates for a late gradient (DCASGD)", function()
    local rule = optimizer.DCASGD { learning_rate = .1, momentum = .5, lamda = 2 }
    local w, g = nd.array { 1 }, nd.array { 3 }
    local state = rule:create_state(0, w)
    rule:update(0, w, g, state)                    -- step -.3
    assert.allclose(w, { .7 })
    w:set(1)                                       -- another worker moves the weight
    rule:update(0, w, g, state)                    -- -.1 (3 + 2 9 (1 - 1)) + .5 (-.3)
    assert.allclose(w, { .55 })
    w:set(.8)
    rule:update(0, w, g, state)                    -- -.1 (3 + 2 9 (.8 - 1)) + .5 (-.45)
    assert.allclose(w, { .635 })
  end)

  it("accumulates gradients (LBSGD)", function()
    local rule = optimizer.LBSGD { learning_rate = .1, batch_scale = 2, warmup_epochs = 1, updates_per_epoch = 4 }
    local w = nd.array { 1 }
    local state = rule:create_state(0, w)
    local seen = {}
    for i, g in ipairs { 1, 3, 1, 1 } do
      rule:update(0, w, nd.array { g }, state)
      seen[i] = w:asscalar()
    end
    assert.allclose(seen, { 1, .7, .7, .5 })       -- .1 2 (1 + 2/4), then .1 1 2
  end)

  it("works in float64", function()
    for name in ("sgd nag adam adagrad rmsprop adadelta adamax nadam ftrl signum dcasgd ftml lamb lars"):gmatch "%a+" do
      local rule = optimizer.create(name, { learning_rate = .1 })
      local w = nd.array({ 1, -1 }, { dtype = "float64" })
      local state = rule:create_state(0, w)
      rule:update(0, w, nd.array({ 1, -2 }, { dtype = "float64" }), state)
      assert.equal("float64", w.dtype)
      assert.truthy(w[0]:asscalar() < 1 and w[1]:asscalar() > -1, name)
    end
  end)

  it("keeps float32 copies of float16 weights with multi_precision", function()
    local rule = optimizer.SGD { learning_rate = 1e-4, momentum = .5, multi_precision = true }
    local w, g = nd.array({ 1 }, { dtype = "float16" }), nd.array({ 1 }, { dtype = "float16" })
    local state = rule:create_state_multi_precision(0, w)
    for _ = 1, 20 do rule:update_multi_precision(0, w, g, state) end
    assert.equal("float16", w.dtype)
    assert.near(1 - 1e-4 * 38, w:astype("float32"):asscalar(), 5e-4)      -- each step alone would be lost in float16
  end)

  it("uses names and multipliers of parameters", function()
    local rule = optimizer.SGD { param_idx2name = { [0] = "a_weight", "a_bias", "a_gamma" }, wd = .1,
      learning_rate = 1 }
    assert.same({ a_bias = 0.0 }, rule.wd_mult)
    rule:set_lr_mult { a_weight = .5, [2] = 3 }
    assert.raises(function() rule:set_wd_mult(nil) end,
      "set_wd_mult: args_wd_mult: expected a table {parameter = multiplier}, got nil")
    assert.raises(function() rule:set_wd_mult "x" end, "optimizer_spec.lua:%d+: set_wd_mult: .* got string")
    assert.raises(function() rule:set_lr_mult(3) end, "set_lr_mult: args_lr_mult: .* got number")
    assert.same({ .5, 1, 3 }, { rule:_get_lr(0), rule:_get_lr(1), rule:_get_lr(2) })
    assert.same({ .1, 0, .1 }, { rule:_get_wd(0), rule:_get_wd(1), rule:_get_wd(2) })
  end)

  it("counts updates from begin_num_update", function()
    local w, g = nd.array { 1 }, nd.array { 1 }
    local rule = optimizer.Adam { begin_num_update = 10 }
    rule:update(7, w, g, rule:create_state(7, w))
    assert.equal(11, rule.num_update)
  end)

  it("prints itself", function()
    assert.equal("SGD(momentum=0.9, learning_rate=0.1, wd=0.0)",
      tostring(optimizer.SGD { momentum = .9, learning_rate = .1 }))
  end)

  it("has MXNet's default rates", function()
    local rates = { sgd = .01, nag = .01, adam = .001, adamax = .002, nadam = .001, rmsprop = .001, ftrl = .1,
      lamb = .001, adagrad = .01 }
    for name, rate in pairs(rates) do assert.equal(rate, optimizer.create(name).learning_rate) end
  end)

  it("is found by name, and unknown names are errors", function()
    assert.equal(.9, optimizer.create("SGD", { momentum = .9 }).momentum)
    local rule = optimizer.Adam()
    assert.equal(rule, optimizer.create(rule))
    assert.raises(function() optimizer.create "nosuch" end, "optimizer_spec.lua:%d+: Cannot find optimizer nosuch")
    assert.raises(function() optimizer.create "adan" end, "Cannot find optimizer adan; did you mean 'adam'%?")
    assert.raises(function() optimizer.SGD { nonsense = 1 } end, "SGD: unknown option 'nonsense'")
    assert.raises(function() optimizer.SGD { momentun = 1 } end, "did you mean 'momentum'")
  end)

  it("can be registered by a script", function()
    local Shrink = optimizer.Optimizer:subclass "Shrink"
    function Shrink:create_state(_, weight) return nd.ones(weight.shape) end
    function Shrink:update(index, weight, grad, state)
      self:_update_count(index)
      weight:set(weight * (1 - self:_get_lr(index)) + grad * 0)
      state:set(self._index_update_count[index])
    end
    optimizer.register(Shrink)
    assert.allclose(train("shrink", { learning_rate = .5 }, { { 1, 1 }, { 1, 1 } }, 1), { { .5, -.5 }, { .25, -.25 } })
    local Empty = optimizer.Optimizer:subclass "Empty"
    assert.raises(function() Empty():update(0, nd.ones { 1 }, nd.ones { 1 }) end, "Empty: update is not defined")
  end)
end)

describe("an updater", function()
  local function run(updater, w, n)
    for _ = 1, n do updater(3, nd.array { 1, -2 }, w) end
  end

  for _, name in ipairs { "sgd", "adam", "nadam", "rmsprop", "ftml", "dcasgd" } do
    it("continues with saved states as without interruption: " .. name, function()
      local options = { learning_rate = .1, momentum = (name == "sgd" or name == "dcasgd") and .9 or nil }
      local a, b = nd.array { 1, -1 }, nd.array { 1, -1 }
      local first = optimizer.get_updater(optimizer.create(name, options))
      run(first, a, 2)
      run(first, b, 0)
      local file = os.tmpname()
      nd.save(file, first:get_states())
      b:set(a)
      run(first, a, 3)
      local second = optimizer.get_updater(optimizer.create(name, options))
      second:set_states(nd.load(file))
      os.remove(file)
      run(second, b, 3)
      assert.bits(b, a)
    end)
  end

  it("rejects states of another optimizer, and data that are not states", function()
    local sgd, adam = optimizer.Updater(optimizer.SGD { momentum = .9 }), optimizer.Updater(optimizer.Adam())
    run(sgd, nd.array { 1, -1 }, 1)
    assert.raises(function() adam:set_states(sgd:get_states()) end,
      "load_states: expected states of Adam, got those of SGD")
    assert.raises(function() adam:set_states { weight = nd.ones { 1 } } end,
                  "load_states: expected states of an optimizer, got an array named 'weight'")
  end)
end)

describe("a script's own optimizer", function()
  local Optimizer = optimizer.Optimizer

  local function one_step(o, w)
    o:update(0, w, nd.ones(w.shape), o:create_state(0, w))
    return w
  end

  it("can have an init that does not call the base's", function()
    local Lion = Optimizer:subclass "LionA"
    function Lion:init(o) self.beta = o.beta or 0.5 end
    function Lion:update(index, w, g) self:_update_count(index) w:subtract_(g * self:_get_lr(index) * self.beta) end
    optimizer.register(Lion)
    local o = Lion { learning_rate = 0.5, beta = 0.25 }
    assert.equal(0.5, o.learning_rate)
    assert.allclose(one_step(o, nd.ones { 2 }), { 0.875, 0.875 })
    assert.equal("LionA(learning_rate=0.5, wd=0.0)", tostring(o))
    local net = hl.gluon.nn.Dense(1, { in_units = 2, use_bias = false })
    net:initialize(hl.init.One())
    local trainer = hl.gluon.Trainer(net:collect_params(), "liona", { learning_rate = 1, beta = 0.125 })
    hl.autograd.record(function() return net(nd.ones { 4, 2 }) end):backward()
    trainer:step(4)
    -- this rule did not divide the gradient's sum of 4
    assert.allclose(net.weight:data(), { { 0.5, 0.5 } })
  end)

  it("has its own options as fields, and rejects misspelled known ones", function()
    local Mine = Optimizer:subclass "MineA"
    function Mine:step(call) call.wd = self.shrink return "sgd_update" end
    local o = Mine { learning_rate = 0.5, shrink = 0.25 }
    assert.equal(0.25, o.shrink)
    assert.allclose(one_step(o, nd.ones { 1 }), { 1 - 0.5 * 1.25 })
    assert.raises(function() return Mine { learning_rte = 0.1 } end,
      "unknown option 'learning_rte'; did you mean 'learning_rate'?")
    assert.raises(function() return Optimizer { shrink = 0.1 } end, "Optimizer: unknown option 'shrink'")
    assert.raises(function() return optimizer.SGD { shrink = 0.1 } end, "SGD: unknown option 'shrink'")
  end)

  it("can extend another rule, and set its rate by name", function()
    local Slow = optimizer.Adam:subclass "SlowAdam"
    function Slow:init(o)
      optimizer.Adam.init(self, { learning_rate = o.learning_rate / 10 })
      self.extra = true
    end
    local o = Slow { learning_rate = 1 }
    assert.same({ 0.1, 0.9, true }, { o.learning_rate, o.beta1, o.extra })
    local Rate = Optimizer:subclass "RateA"
    function Rate:init(rate) self.learning_rate = rate end
    function Rate:step() return "sgd_update" end
    assert.equal(0.3, Rate(0.3).learning_rate)
    assert.allclose(one_step(Rate(0.25), nd.ones { 1 }), { 0.75 })
  end)
end)

describe("GroupAdaGrad", function()
  it("has one rate for each row of the weight", function()
    local rule = hl.optimizer.create("groupadagrad", { learning_rate = 0.1 })
    local weight, grad = hl.nd.ones { 2, 2 }, hl.nd.array { { 0.1, 0.2 }, { 0.3, 0.4 } }
    local state = rule:create_state(0, weight)
    rule:update(0, weight, grad, state)
    assert.allclose(weight, hl.nd.array { { 0.9367671, 0.8735342 }, { 0.9151506, 0.8868674 } }, 1e-6, 1e-6)
    assert.allclose(state, hl.nd.array { { 0.025 }, { 0.125 } }, 1e-6, 1e-6)
  end)

  it("rejects weight decay, and accepts weights of any rank", function()
    local rule = hl.optimizer.contrib.GroupAdaGrad { learning_rate = 0.1, wd = 0.1 }
    local weight = hl.nd.ones { 2, 2 }
    assert.raises(function() rule:update(0, weight, weight, rule:create_state(0, weight)) end,
      "GroupAdaGrad: wd: expected 0, .* got 0.1")
    assert.same({ 2 }, rule:create_state(0, hl.nd.ones { 2 }).shape)
    assert.same({ 2, 1, 1 }, rule:create_state(0, hl.nd.ones { 2, 3, 4 }).shape)
  end)
end)
