-- book_convolutions_spec.lua - the calls of the code cells of "Dive into Deep Learning", MXNet edition: how networks
-- are built, and convolutional networks. One test is one cell, on small sizes.
local hl = require "hybridlua"
local np, npx, autograd, gluon, init = hl.np, hl.npx, hl.autograd, hl.gluon, hl.init
local nn = gluon.nn
local book = require "support.book"
local cell, shape, close = it, book.shape, book.close
local chapter = book.chapter(describe, setup, teardown)

-- The shapes of a network's layers, as the book prints them.
local function shapes(net, X)
  local list = {}
  for _, layer in pairs(net) do
    X = layer(X)
    list[#list + 1] = X.shape
  end
  return X, list
end

chapter("The book's chapter on building networks:", function()
  local X, net

  cell("a network of layers", function()
    net = nn.Sequential()
    net:add(nn.Dense(8, { activation = "relu" }))
    net:add(nn.Dense(10))
    net:initialize()
    X = np.random.uniform { size = { 2, 20 } }
    shape(net(X), 2, 10)
  end)
  cell("a block of its own", function()
    local MLP = nn.Block:subclass "MLP"
    function MLP:init()
      self.hidden = nn.Dense(8, { activation = "relu" })
      self.output = nn.Dense(10)
    end
    function MLP:forward(x) return self.output(self.hidden(x)) end
    local mlp = MLP()
    mlp:initialize()
    shape(mlp(X), 2, 10)
  end)
  cell("a sequence of one's own", function()
    local MySequential = nn.Block:subclass "MySequential"
    function MySequential:init() self.blocks = {} end
    function MySequential:add(block) table.insert(self.blocks, block) end
    function MySequential:forward(x)
      for _, block in ipairs(self.blocks) do x = block(x) end
      return x
    end
    local own = MySequential()
    own:add(nn.Dense(8, { activation = "relu" }))
    own:add(nn.Dense(10))
    own:initialize()
    shape(own(X), 2, 10)
  end)
  cell("constants and Lua in forward", function()
    local FixedHiddenMLP = nn.Block:subclass "FixedHiddenMLP"
    function FixedHiddenMLP:init()
      self.rand_weight = self.params:get_constant("rand_weight", np.random.uniform { size = { 20, 20 } })
      self.dense = nn.Dense(20, { activation = "relu" })
    end
    function FixedHiddenMLP:forward(x)
      x = self.dense(x)
      x = npx.relu(np.dot(x, self.rand_weight:data()) + 1)
      x = self.dense(x)
      while np.abs(x):sum():item() > 1 do x = x / 2 end
      return x:sum()
    end
    local fixed = FixedHiddenMLP()
    fixed:initialize()
    shape(fixed(X))
  end)
  cell("parameters of a layer", function()
    net = nn.Sequential()
    net:add(nn.Dense(8, { activation = "relu" }), nn.Dense(1))
    net:initialize()
    net(np.ones { 2, 4 })
    assert.truthy(tostring(net[1].params):find "weight")
    shape(net[1].weight:data(), 1, 8)
    close(net[1].bias:data(), { 0 })
    shape(net[1].weight:grad(), 1, 8)
  end)
  cell("all parameters", function()
    local names = {}
    for name in net:collect_params():items() do names[#names + 1] = name end
    assert.equal(4, #names)
  end)
  cell("nested blocks", function()
    local function block1()
      local b = nn.Sequential()
      b:add(nn.Dense(8, { activation = "relu" }), nn.Dense(4, { activation = "relu" }))
      return b
    end
    local outer = nn.Sequential()
    for _ = 1, 2 do outer:add(block1()) end
    outer:add(nn.Dense(2))
    outer:initialize()
    shape(outer(X), 2, 2)
    shape(outer[0][1].bias:data(), 4)
  end)
  cell("initializers", function()
    net:initialize { init = init.Normal { sigma = 0.01 }, force_reinit = true }
    assert.is_true(np.abs(net[0].weight:data()):max():item() < 0.1)
    net:initialize { init = init.Constant(1), force_reinit = true }
    close(net[0].weight:data()[0], { 1, 1, 1, 1 })
    net[0].weight:initialize { init = init.Xavier(), force_reinit = true }
    net[1]:initialize { init = init.Constant(42), force_reinit = true }
    assert.equal(42, net[1].weight:data()[{ 0, 0 }]:item())
  end)
  cell("an initializer of one's own", function()
    local MyInit = init.Initializer:subclass "MyInit"
    function MyInit:_init_weight(_, data)
      data[{}] = np.random.uniform(-10, 10, data.shape)
      local large = np.abs(data):greater_equal(5)
      data[{}] = data * large:astype "float32"
    end
    net:initialize { init = MyInit(), force_reinit = true }
    local data = net[0].weight:data()
    assert.is_true(np.logical_or(data:equal(0), np.abs(data):greater_equal(5)):all():item())
  end)
  cell("writing parameters", function()
    local w = net[0].weight:data()
    w[{}] = w + 1
    net[0].weight:data()[{ 0, 0 }] = 42
    assert.equal(42, w[{ 0, 0 }]:item())
  end)
  cell("shared parameters", function()
    local tied, shared = nn.Sequential(), nn.Dense(8, { activation = "relu" })
    tied:add(nn.Dense(8, { activation = "relu" }), shared, nn.Dense(8, { activation = "relu", params = shared.params }),
      nn.Dense(10))
    tied:initialize()
    tied(X)
    tied[1].weight:data()[{ 0, 0 }] = 100
    assert.equal(100, tied[2].weight:data()[{ 0, 0 }]:item())
  end)
  cell("shapes that are inferred later", function()
    local lazy = nn.Sequential()
    lazy:add(nn.Dense(8), nn.Dense(10))
    lazy:initialize()
    assert.raises(function() return lazy[0].weight:data() end, "")
    lazy(X)
    shape(lazy[0].weight:data(), 8, 20)
  end)
  cell("a layer without parameters", function()
    local CenteredLayer = nn.Block:subclass "CenteredLayer"
    function CenteredLayer:forward(x) return x - x:mean() end
    close(CenteredLayer()(np.array { 1, 2, 3, 4, 5 }), { -2, -1, 0, 1, 2 })
  end)
  cell("a layer with parameters", function()
    local MyDense = nn.Block:subclass "MyDense"
    function MyDense:init(units, in_units)
      self.weight = self.params:get("weight", { shape = { in_units, units } })
      self.bias = self.params:get("bias", { shape = { units }, init = "zeros" })
    end
    function MyDense:forward(x)
      return npx.relu(np.dot(x, self.weight:data()) + self.bias:data())
    end
    local dense = MyDense(3, 5)
    dense:initialize()
    shape(dense(np.random.uniform { size = { 2, 5 } }), 2, 3)
  end)
  cell("files of arrays", function()
    local file = os.tmpname()
    npx.save(file, np.arange(4))
    close(npx.load(file)[1], { 0, 1, 2, 3 })
    npx.save(file, { x = np.arange(4), y = np.zeros(4) })
    close(npx.load(file).y, { 0, 0, 0, 0 })
    os.remove(file)
  end)
  cell("files of parameters", function()
    local file = os.tmpname()
    net:save_parameters(file)
    local clone = nn.Sequential()
    clone:add(nn.Dense(8, { activation = "relu" }), nn.Dense(1))
    clone:load_parameters(file)
    local x = np.ones { 2, 4 }
    assert.is_true(clone(x):equal(net(x)):all():item())
    os.remove(file)
  end)
  cell("devices", function()
    local x = np.array { 1, 2, 3 }
    assert.equal(tostring(npx.cpu()), tostring(x.ctx))
    assert.equal("number", type(npx.num_gpus()))
    shape(x:as_in_ctx(npx.cpu()), 3)
    shape(np.ones({ 2, 3 }, { ctx = npx.cpu() }), 2, 3)
  end)
  cell("hybridized", function()
    local hybrid = nn.HybridSequential()
    hybrid:add(nn.Dense(8, { activation = "relu" }), nn.Dense(2))
    hybrid:initialize()
    local before = hybrid(X)
    hybrid:hybridize()
    assert.equal(before:tobytes(), hybrid(X):tobytes())
  end)
end)

chapter("The book's chapters on convolutional networks:", function()

  local function corr2d(X, K)
    local h, w = K.shape[1], K.shape[2]
    local Y = np.zeros { X.shape[1] - h + 1, X.shape[2] - w + 1 }
    for i = 0, Y.shape[1] - 1 do
      for j = 0, Y.shape[2] - 1 do Y[{ i, j }] = (X[{ { i, i + h }, { j, j + w } }] * K):sum() end
    end
    return Y
  end
  cell("cross-correlation", function()
    close(corr2d(np.arange(9):reshape(3, 3), np.array { { 0, 1 }, { 2, 3 } }), { { 19, 25 }, { 37, 43 } })
  end)
  cell("a convolutional layer from scratch", function()
    local Conv2D = nn.Block:subclass "Conv2D"
    function Conv2D:init(kernel_size)
      self.weight = self.params:get("weight", { shape = kernel_size })
      self.bias = self.params:get("bias", { shape = { 1 } })
    end
    function Conv2D:forward(x) return corr2d(x, self.weight:data()) + self.bias:data() end
    local conv = Conv2D { 1, 2 }
    conv:initialize()
    shape(conv(np.ones { 3, 4 }), 3, 3)
  end)
  local X, K, Y
  cell("edges", function()
    X = np.ones { 6, 8 }
    X[":, 2:6"] = 0
    K = np.array { { 1, -1 } }
    Y = corr2d(X, K)
    close(Y[0], { 0, 1, 0, 0, 0, -1, 0 })
    assert.equal(0, np.abs(corr2d(X.T, K)):sum():item())
  end)
  cell("a kernel is learned", function()
    local conv2d = nn.Conv2D(1, { kernel_size = { 1, 2 }, use_bias = false })
    conv2d:initialize()
    local x, y, first, l = X:reshape(1, 1, 6, 8), Y:reshape(1, 1, 6, 7), nil, nil
    for _ = 1, 10 do
      l = autograd.record(function() return (conv2d(x) - y) ^ 2 end)
      l:backward()
      conv2d.weight:data()[{}] = conv2d.weight:data() - 3e-2 * conv2d.weight:grad()
      first = first or l:sum():item()
    end
    assert.is_true(l:sum():item() < first / 5)
    shape(conv2d.weight:data():reshape { 1, 2 }, 1, 2)
  end)
  local function comp_conv2d(conv2d, x)
    conv2d:initialize()
    x = np.expand_dims(np.expand_dims(x, 0), 0)
    local y = conv2d(x)
    return y:reshape(y.shape[3], y.shape[4])
  end
  cell("padding", function()
    shape(comp_conv2d(nn.Conv2D(1, { kernel_size = 3, padding = 1 }), np.random.uniform { size = { 8, 8 } }), 8, 8)
    local x = np.random.uniform { size = { 8, 8 } }
    shape(comp_conv2d(nn.Conv2D(1, { kernel_size = { 5, 3 }, padding = { 2, 1 } }), x), 8, 8)
  end)
  cell("strides", function()
    local x = np.random.uniform { size = { 8, 8 } }
    shape(comp_conv2d(nn.Conv2D(1, { kernel_size = 3, padding = 1, strides = 2 }), x), 4, 4)
    shape(comp_conv2d(nn.Conv2D(1, { kernel_size = { 3, 5 }, padding = { 0, 1 }, strides = { 3, 4 } }), x), 2, 2)
  end)
  local function corr2d_multi_in(x, k)
    local sum
    for i = 0, #x - 1 do
      local part = corr2d(x[i], k[i])
      sum = sum and sum + part or part
    end
    return sum
  end
  local kernels
  cell("input channels", function()
    X = np.array { { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 } }, { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } } }
    K = np.array { { { 0, 1 }, { 2, 3 } }, { { 1, 2 }, { 3, 4 } } }
    close(corr2d_multi_in(X, K), { { 56, 72 }, { 104, 120 } })
  end)
  local function corr2d_multi_in_out(x, k)
    local list = {}
    for i = 0, #k - 1 do list[i + 1] = corr2d_multi_in(x, k[i]) end
    return np.stack(list, 0)
  end
  cell("output channels", function()
    kernels = np.stack({ K, K + 1, K + 2 }, 0)
    shape(kernels, 3, 2, 2, 2)
    close(corr2d_multi_in_out(X, kernels)[{ {}, 0, 0 }], { 56, 76, 96 })
  end)
  cell("1 x 1 convolutions", function()
    local function corr2d_multi_in_out_1x1(x, k)
      local c_i, h, w = x.shape[1], x.shape[2], x.shape[3]
      local c_o = k.shape[1]
      return np.dot(k:reshape { c_o, c_i }, x:reshape { c_i, h * w }):reshape { c_o, h, w }
    end
    local x, k = np.random.normal(0, 1, { 3, 3, 3 }), np.random.normal(0, 1, { 2, 3, 1, 1 })
    local y1, y2 = corr2d_multi_in_out_1x1(x, k), corr2d_multi_in_out(x, k)
    assert.is_true(np.abs(y1 - y2):sum():item() < 1e-5)
  end)
  cell("pooling from scratch", function()
    local function pool2d(x, size, mode)
      local h, w = size[1], size[2]
      local y = np.zeros { x.shape[1] - h + 1, x.shape[2] - w + 1 }
      for i = 0, y.shape[1] - 1 do
        for j = 0, y.shape[2] - 1 do
          local window = x[{ { i, i + h }, { j, j + w } }]
          y[{ i, j }] = mode == "max" and window:max() or window:mean()
        end
      end
      return y
    end
    local x = np.arange(9):reshape(3, 3)
    close(pool2d(x, { 2, 2 }, "max"), { { 4, 5 }, { 7, 8 } })
    close(pool2d(x, { 2, 2 }, "avg"), { { 2, 3 }, { 5, 6 } })
  end)
  cell("pooling", function()
    local x = np.arange(16):reshape { 1, 1, 4, 4 }
    close(nn.MaxPool2D(3)(x):reshape(1), { 10 })
    close(nn.MaxPool2D(3, { padding = 1, strides = 2 })(x):reshape(2, 2), { { 5, 7 }, { 13, 15 } })
    shape(nn.MaxPool2D({ 2, 3 }, { padding = { 0, 1 }, strides = { 2, 3 } })(x), 1, 1, 2, 2)
    shape(nn.MaxPool2D(3, { padding = 1, strides = 2 })(np.concatenate({ x, x + 1 }, 1)), 1, 2, 2, 2)
  end)
  cell("LeNet", function()
    local net = nn.Sequential()
    net:add(nn.Conv2D(6, { kernel_size = 5, padding = 2, activation = "sigmoid" }),
      nn.AvgPool2D { pool_size = 2, strides = 2 }, nn.Conv2D(16, { kernel_size = 5, activation = "sigmoid" }),
      nn.AvgPool2D { pool_size = 2, strides = 2 }, nn.Dense(120, { activation = "sigmoid" }),
      nn.Dense(84, { activation = "sigmoid" }), nn.Dense(10))
    net:initialize(init.Xavier())
    local y, list = shapes(net, np.random.uniform { size = { 1, 1, 28, 28 } })
    shape(y, 1, 10)
    assert.same({ 1, 16, 5, 5 }, table.move(list[4], 1, 4, 1, {}))
  end)
  cell("accuracy on a device", function()
    local metric = hl.metric.Accuracy()
    metric:update(np.array { 1, 0 }, np.array { { 0.1, 0.9 }, { 0.2, 0.8 } })
    assert.equal(0.5, select(2, metric:get()))
    local parts = gluon.utils.split_and_load(np.ones { 4, 2 }, { npx.cpu(), npx.cpu() })
    shape(parts[1], 2, 2)
  end)
  cell("AlexNet", function()
    local net = nn.Sequential()
    net:add(nn.Conv2D(8, { kernel_size = 11, strides = 4, activation = "relu" }),
      nn.MaxPool2D { pool_size = 3, strides = 2 }, nn.Conv2D(8, { kernel_size = 5, padding = 2, activation = "relu" }),
      nn.MaxPool2D { pool_size = 3, strides = 2 }, nn.Dense(16, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(10))
    net:initialize()
    shape(net(np.random.uniform { size = { 1, 1, 64, 64 } }), 1, 10)
  end)
  local function vgg_block(num_convs, num_channels)
    local block = nn.Sequential()
    for _ = 1, num_convs do
      block:add(nn.Conv2D(num_channels, { kernel_size = 3, padding = 1, activation = "relu" }))
    end
    block:add(nn.MaxPool2D { pool_size = 2, strides = 2 })
    return block
  end
  cell("VGG", function()
    local net = nn.Sequential()
    for _, arch in ipairs { { 1, 4 }, { 1, 8 }, { 2, 8 } } do net:add(vgg_block(arch[1], arch[2])) end
    net:add(nn.Dense(16, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(10))
    net:initialize(init.Xavier())
    shape(net(np.random.uniform { size = { 1, 1, 32, 32 } }), 1, 10)
  end)
  cell("networks in networks", function()
    local function nin_block(channels, kernel_size, strides, padding)
      local block = nn.Sequential()
      block:add(nn.Conv2D(channels, kernel_size, strides, padding, { activation = "relu" }),
        nn.Conv2D(channels, { kernel_size = 1, activation = "relu" }),
        nn.Conv2D(channels, { kernel_size = 1, activation = "relu" }))
      return block
    end
    local net = nn.Sequential()
    net:add(nin_block(8, 5, 2, 0), nn.MaxPool2D { pool_size = 3, strides = 2 }, nn.Dropout(0.5), nin_block(10, 3, 1, 1),
      nn.GlobalAvgPool2D(), nn.Flatten())
    net:initialize(init.Xavier())
    shape(net(np.random.uniform { size = { 1, 1, 32, 32 } }), 1, 10)
  end)
  cell("Inception", function()
    local Inception = nn.Block:subclass "Inception"
    function Inception:init(c1, c2, c3, c4)
      self.p1_1 = nn.Conv2D(c1, { kernel_size = 1, activation = "relu" })
      self.p2_1 = nn.Conv2D(c2[1], { kernel_size = 1, activation = "relu" })
      self.p2_2 = nn.Conv2D(c2[2], { kernel_size = 3, padding = 1, activation = "relu" })
      self.p3_1 = nn.Conv2D(c3[1], { kernel_size = 1, activation = "relu" })
      self.p3_2 = nn.Conv2D(c3[2], { kernel_size = 5, padding = 2, activation = "relu" })
      self.p4_1 = nn.MaxPool2D { pool_size = 3, strides = 1, padding = 1 }
      self.p4_2 = nn.Conv2D(c4, { kernel_size = 1, activation = "relu" })
    end
    function Inception:forward(x)
      return np.concatenate({ self.p1_1(x), self.p2_2(self.p2_1(x)), self.p3_2(self.p3_1(x)), self.p4_2(self.p4_1(x)) },
        { axis = 1 })
    end
    local block = Inception(2, { 2, 3 }, { 1, 2 }, 1)
    block:initialize()
    shape(block(np.random.uniform { size = { 1, 2, 8, 8 } }), 1, 8, 8, 8)
  end)
  local function batch_norm(x, gamma, beta, moving_mean, moving_var, eps, momentum)
    local x_hat
    if not autograd.is_training() then
      x_hat = (x - moving_mean) / np.sqrt(moving_var + eps)
    else
      assert(#x.shape == 2 or #x.shape == 4)
      local mean, var
      if #x.shape == 2 then
        mean = x:mean { axis = 0 }
        var = ((x - mean) ^ 2):mean { axis = 0 }
      else
        mean = x:mean { axis = { 0, 2, 3 }, keepdims = true }
        var = ((x - mean) ^ 2):mean { axis = { 0, 2, 3 }, keepdims = true }
      end
      x_hat = (x - mean) / np.sqrt(var + eps)
      moving_mean = momentum * moving_mean + (1.0 - momentum) * mean
      moving_var = momentum * moving_var + (1.0 - momentum) * var
    end
    return gamma * x_hat + beta, moving_mean, moving_var
  end
  local BatchNorm = nn.Block:subclass "BatchNorm"
  function BatchNorm:init(num_features, num_dims)
    local shape_of = num_dims == 2 and { 1, num_features } or { 1, num_features, 1, 1 }
    self.gamma = self.params:get("gamma", { shape = shape_of, init = init.One() })
    self.beta = self.params:get("beta", { shape = shape_of, init = init.Zero() })
    self.moving_mean, self.moving_var = np.zeros(shape_of), np.ones(shape_of)
  end
  function BatchNorm:forward(x)
    local y
    y, self.moving_mean, self.moving_var = batch_norm(x, self.gamma:data(), self.beta:data(), self.moving_mean,
      self.moving_var, 1e-12, 0.9)
    return y
  end
  cell("batch normalization from scratch", function()
    local own, built_in = BatchNorm(3, 4), nn.BatchNorm { epsilon = 1e-12 }
    own:initialize()
    built_in:initialize()
    local x = np.random.normal(0, 1, { 2, 3, 4, 4 })
    local a = autograd.record(function() return own(x) end)
    local b = autograd.record(function() return built_in(x) end)
    assert.is_true(np.abs(a - b):max():item() < 1e-4)
    shape(own.gamma:data():reshape { -1 }, 3)
  end)
  cell("batch normalization, concise", function()
    local net = nn.Sequential()
    net:add(nn.Conv2D(4, { kernel_size = 3 }), nn.BatchNorm(), nn.Activation "sigmoid",
      nn.AvgPool2D { pool_size = 2, strides = 2 }, nn.Dense(8), nn.BatchNorm(), nn.Activation "sigmoid", nn.Dense(10))
    net:initialize()
    shape(net(np.ones { 2, 1, 8, 8 }), 2, 10)
  end)
  local Residual = nn.Block:subclass "Residual"
  function Residual:init(num_channels, options)
    options = options or {}
    self.conv1 = nn.Conv2D(num_channels, { kernel_size = 3, padding = 1, strides = options.strides or 1 })
    self.conv2 = nn.Conv2D(num_channels, { kernel_size = 3, padding = 1 })
    if options.use_1x1conv then
      self.conv3 = nn.Conv2D(num_channels, { kernel_size = 1, strides = options.strides or 1 })
    end
    self.bn1, self.bn2 = nn.BatchNorm(), nn.BatchNorm()
  end
  function Residual:forward(x)
    local y = npx.relu(self.bn1(self.conv1(x)))
    y = self.bn2(self.conv2(y))
    if self.conv3 then x = self.conv3(x) end
    return npx.relu(y + x)
  end
  cell("residual blocks", function()
    local same, half = Residual(3), Residual(6, { use_1x1conv = true, strides = 2 })
    same:initialize()
    half:initialize()
    local x = np.random.uniform { size = { 2, 3, 6, 6 } }
    shape(same(x), 2, 3, 6, 6)
    shape(half(x), 2, 6, 3, 3)
  end)
  cell("ResNet", function()
    local function resnet_block(num_channels, num_residuals, first_block)
      local block = nn.Sequential()
      for i = 1, num_residuals do
        block:add(i == 1 and not first_block and Residual(num_channels, { use_1x1conv = true, strides = 2 }) or
          Residual(num_channels))
      end
      return block
    end
    local net = nn.Sequential()
    net:add(nn.Conv2D(4, { kernel_size = 7, strides = 2, padding = 3 }), nn.BatchNorm(), nn.Activation "relu",
      nn.MaxPool2D { pool_size = 3, strides = 2, padding = 1 }, resnet_block(4, 2, true), resnet_block(8, 2),
      nn.GlobalAvgPool2D(), nn.Dense(10))
    net:initialize()
    shape(net(np.random.uniform { size = { 1, 1, 32, 32 } }), 1, 10)
  end)
  cell("dense blocks", function()
    local function conv_block(num_channels)
      local block = nn.Sequential()
      block:add(nn.BatchNorm(), nn.Activation "relu", nn.Conv2D(num_channels, { kernel_size = 3, padding = 1 }))
      return block
    end
    local DenseBlock = nn.Block:subclass "DenseBlock"
    function DenseBlock:init(num_convs, num_channels)
      self.net = nn.Sequential()
      for _ = 1, num_convs do self.net:add(conv_block(num_channels)) end
    end
    function DenseBlock:forward(x)
      for _, block in pairs(self.net) do x = np.concatenate({ x, block(x) }, { axis = 1 }) end
      return x
    end
    local dense = DenseBlock(2, 10)
    dense:initialize()
    local y = dense(np.random.uniform { size = { 4, 3, 8, 8 } })
    shape(y, 4, 23, 8, 8)
    local transition = nn.Sequential()
    transition:add(nn.BatchNorm(), nn.Activation "relu", nn.Conv2D(10, { kernel_size = 1 }),
      nn.AvgPool2D { pool_size = 2, strides = 2 })
    transition:initialize()
    shape(transition(y), 4, 10, 4, 4)
  end)
  cell("transposed convolutions", function()
    local function trans_conv(x, k)
      local h, w = k.shape[1], k.shape[2]
      local y = np.zeros { x.shape[1] + h - 1, x.shape[2] + w - 1 }
      for i = 0, x.shape[1] - 1 do
        for j = 0, x.shape[2] - 1 do
          local window = { { i, i + h }, { j, j + w } }
          y[window] = y[window] + x[{ i, j }] * k
        end
      end
      return y
    end
    local x = np.array { { 0, 1 }, { 2, 3 } }
    close(trans_conv(x, x), { { 0, 0, 1 }, { 0, 4, 6 }, { 4, 12, 9 } })
    local layer = nn.Conv2DTranspose(1, { kernel_size = 2 })
    layer:initialize(init.Constant(x:reshape(1, 1, 2, 2)))
    close(layer(x:reshape(1, 1, 2, 2)):reshape(3, 3), { { 0, 0, 1 }, { 0, 4, 6 }, { 4, 12, 9 } })
  end)
  cell("anchor boxes", function()
    local boxes = npx.multibox_prior(np.ones { 1, 3, 4, 5 }, { sizes = { 0.75, 0.5, 0.25 }, ratios = { 1, 2, 0.5 } })
    shape(boxes, 1, 4 * 5 * 5, 4)
  end)
  cell("gram matrices", function()
    local function gram(x)
      local num_channels, n = x.shape[2], x.size // x.shape[2]
      x = x:reshape { num_channels, n }
      return np.dot(x, x.T) / (num_channels * n)
    end
    close(gram(np.ones { 1, 2, 2, 2 }), { { 0.5, 0.5 }, { 0.5, 0.5 } })
    local y = np.ones { 1, 2, 3, 3 }
    local down, across = y["..., 1:, :"] - y["..., :-1, :"], y["..., 1:"] - y["..., :-1"]
    assert.equal(0, (0.5 * (np.abs(down):mean() + np.abs(across):mean())):item())
  end)
  cell("several devices", function()
    local data = np.arange(20):reshape(4, 5)
    local parts = gluon.utils.split_and_load(data, { npx.cpu(0), npx.cpu(0) })
    assert.equal(2, #parts)
    shape(parts[2], 2, 5)
  end)
end)
