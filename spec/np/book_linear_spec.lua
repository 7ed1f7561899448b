-- book_linear_spec.lua - the calls of the code cells of "Dive into Deep Learning", MXNet edition: data, linear
-- networks and multilayer perceptrons. One test is one cell, on small sizes. The other chapters: book_*_spec.lua
-- beside this.
local hl = require "hybridlua"
local np, npx, autograd, gluon, init = hl.np, hl.npx, hl.autograd, hl.gluon, hl.init
local nn = gluon.nn
local book = require "support.book"
local cell, shape, close = it, book.shape, book.close
local chapter = book.chapter(describe, setup, teardown)

chapter("The book's chapter on data:", function()
  local x, y, X, Y

  cell("a range", function()
    x = np.arange(12)
    assert.equal(12, x.size)
    shape(x, 12)
  end)
  cell("reshape", function() X = x:reshape(3, 4) shape(X, 3, 4) shape(x:reshape(-1, 4), 3, 4) end)
  cell("zeros, ones", function() shape(np.zeros { 2, 3, 4 }, 2, 3, 4) shape(np.ones { 2, 3, 4 }, 2, 3, 4) end)
  cell("normal numbers", function() shape(np.random.normal(0, 1, { size = { 3, 4 } }), 3, 4) end)
  cell("given numbers", function() Y = np.array { { 2, 1, 4, 3 }, { 1, 2, 3, 4 }, { 4, 3, 2, 1 } } shape(Y, 3, 4) end)
  cell("rows and ranges of rows", function() close(X[-1], { 8, 9, 10, 11 }) shape(X["1:3"], 2, 4) end)
  cell("writing an element", function() X[{ 1, 2 }] = 17 close(X[1], { 4, 5, 17, 7 }) end)
  cell("writing rows", function() X["0:2, :"] = 12 close(X[{ 1, 3 }]:reshape(1), { 12 }) end)
  cell("exp", function() close(np.exp(np.zeros { 2 }), { 1, 1 }) end)
  cell("arithmetic", function()
    local a, b = np.array { 1, 2, 4, 8 }, np.array { 2, 2, 2, 2 }
    for _, want in ipairs { { a + b, { 3, 4, 6, 10 } }, { a - b, { -1, 0, 2, 6 } }, { a * b, { 2, 4, 8, 16 } },
      { a / b, { 0.5, 1, 2, 4 } }, { a ^ b, { 1, 4, 16, 64 } } } do close(want[1], want[2]) end
  end)
  cell("concatenation", function()
    X = np.arange(12):reshape(3, 4)
    shape(np.concatenate({ X, Y }, { axis = 0 }), 6, 4)
    shape(np.concatenate({ X, Y }, { axis = 1 }), 3, 8)
  end)
  cell("comparison", function() assert.equal("bool", X:equal(Y).dtype) end)
  cell("sum", function() assert.equal(66, X:sum():item()) shape(X:sum()) end)
  cell("broadcasting", function()
    local a, b = np.arange(3):reshape(3, 1), np.arange(2):reshape(1, 2)
    close(a + b, { { 0, 1 }, { 1, 2 }, { 2, 3 } })
  end)
  cell("in place", function()
    local Z = np.zeros_like(Y)
    local before = Z
    Z[{}] = X + Y
    assert.equal(before, Z)
    X:add_(Y)
    close(X, Z:as_nd_ndarray())
  end)
  cell("numbers of arrays", function()
    local a = np.array { 3.5 }
    assert.equal(3.5, a:item())
    assert.equal(3, math.floor(a:item()))
  end)

  cell("scalars, vectors, matrices", function()
    x, y = np.array(3.0), np.array(2.0)
    assert.same({ 5, 6, 1.5, 9 }, { (x + y):item(), (x * y):item(), (x / y):item(), (x ^ y):item() })
    local A = np.arange(6):reshape(3, 2)
    close(A.T, { { 0, 2, 4 }, { 1, 3, 5 } })
    local S = np.array { { 1, 2, 3 }, { 2, 0, 4 }, { 3, 4, 5 } }
    assert.is_true(S:equal(S.T):all():item())
  end)
  cell("sums along axes", function()
    local A = np.arange(6):reshape(2, 3)
    close(A:sum { axis = 0 }, { 3, 5, 7 })
    assert.equal(A:sum():item(), A:sum { axis = { 0, 1 } }:item())
    assert.equal(A:mean():item(), A:sum():item() / A.size)
    close(A / A:sum { axis = 1, keepdims = true }, { { 0, 1 / 3, 2 / 3 }, { 0.25, 1 / 3, 5 / 12 } })
    close(A:cumsum { axis = 0 }, { { 0, 1, 2 }, { 3, 5, 7 } })
  end)
  cell("products", function()
    local A, v = np.arange(6):reshape(2, 3), np.arange(3)
    assert.equal(3, np.dot(np.ones(3), v):item())
    close(np.dot(A, v), { 5, 14 })
    close(np.dot(A, np.ones { 3, 4 }), { { 3, 3, 3, 3 }, { 12, 12, 12, 12 } })
  end)
  cell("norms", function()
    local u = np.array { 3, -4 }
    assert.equal(5, np.linalg.norm(u):item())
    assert.equal(7, np.abs(u):sum():item())
    assert.equal(6, np.linalg.norm(np.ones { 4, 9 }):item())
  end)
  cell("gradients", function()
    local v = np.arange(4)
    v:attach_grad()
    local z = autograd.record(function() return 2 * np.dot(v, v) end)
    z:backward()
    assert.is_true(v.grad:equal(4 * v):all():item())
    autograd.record(function() return v:sum() end):backward()
    close(v.grad, { 1, 1, 1, 1 })
  end)
  cell("gradients of detached parts", function()
    local v = np.arange(4)
    v:attach_grad()
    local u
    autograd.record(function()
      u = (v * v):detach()
      return u * v
    end):backward()
    assert.is_true(v.grad:equal(u):all():item())
  end)
  cell("gradients through loops", function()
    local function f(a)
      local b = a * 2
      while np.linalg.norm(b):item() < 1000 do b = b * 2 end
      if b:sum():item() > 0 then return b end
      return 100 * b
    end
    local a = np.random.normal()
    a:attach_grad()
    local d = autograd.record(function() return f(a) end)
    d:backward()
    assert.equal((d / a):item(), a.grad:item())
  end)
  cell("counts of coins", function()
    local counts = np.random.multinomial(100, { 0.5, 0.5 })
    assert.equal(100, counts:sum():item())
    shape(np.random.multinomial(10, { 0.5, 0.5 }, { size = { 20 } }):cumsum { axis = 0 }, 20, 2)
  end)
  cell("missing data as columns", function()
    local inputs = { { 3, 0, 1 }, { 0 / 0, 0, 1 } }
    local filled = np.nan_to_num(np.array(inputs), { nan = 3 })
    close(filled, { { 3, 0, 1 }, { 3, 0, 1 } })
  end)
end)

chapter("The book's chapters on linear networks:", function()
  local true_w, true_b, features, labels = nil, 4.2, nil, nil

  cell("vectors are faster than loops", function()
    local a, b, c = np.ones(10), np.ones(10), np.zeros(10)
    for i = 0, 9 do c[i] = a[i] + b[i] end
    assert.is_true(c:equal(a + b):all():item())
  end)
  cell("the normal density", function()
    local function normal(v, mu, sigma)
      local p = 1 / math.sqrt(2 * math.pi * sigma ^ 2)
      return p * np.exp(-0.5 * (v - mu) ^ 2 / sigma ^ 2)
    end
    local v = np.arange(-7, 7, 0.01)
    assert.is_true(math.abs(normal(v, 0, 1):sum():item() * 0.01 - 1) < 1e-3)
  end)
  cell("synthetic data", function()
    true_w = np.array { 2, -3.4 }
    features = np.random.normal(0, 1, { 100, 2 })
    labels = np.dot(features, true_w) + true_b
    labels = (labels + np.random.normal(0, 0.01, labels.shape)):reshape { -1, 1 }
    shape(labels, 100, 1)
  end)
  local function batches(size)
    local indices = np.arange(#features, { dtype = "int64" })
    np.random.shuffle(indices)
    local at = 0
    return function()
      if at >= #features then return nil end
      local chosen = indices[{ { at, math.min(at + size, #features) } }]
      at = at + size
      return features[chosen], labels[chosen]
    end
  end
  cell("minibatches", function()
    local n = 0
    for a, b in batches(10) do shape(a, 10, 2) shape(b, 10, 1) n = n + 1 end
    assert.equal(10, n)
  end)
  local w, b
  cell("parameters", function()
    w, b = np.random.normal(0, 0.01, { 2, 1 }), np.zeros(1)
    w:attach_grad()
    b:attach_grad()
    shape(w.grad, 2, 1)
  end)
  local function linreg(X) return np.dot(X, w) + b end
  local function squared_loss(y_hat, y) return (y_hat - y:reshape(y_hat.shape)) ^ 2 / 2 end
  local function sgd(params, lr, size)
    for _, param in ipairs(params) do param[{}] = param - lr * param.grad / size end
  end
  cell("the model and its loss", function() shape(squared_loss(linreg(features), labels), 100, 1) end)
  cell("training", function()
    for _ = 1, 6 do
      for X, y in batches(10) do
        autograd.record(function() return squared_loss(linreg(X), y) end):backward()
        sgd({ w, b }, 0.1, 10)
      end
    end
    assert.is_true(squared_loss(linreg(features), labels):mean():item() < 0.01)
    assert.is_true(np.abs(true_w - w:reshape(true_w.shape)):max():item() < 0.05)
  end)
  local loader, net, trainer, loss
  cell("a data loader", function()
    local dataset = gluon.data.ArrayDataset(features, labels)
    loader = gluon.data.DataLoader(dataset, 10, { shuffle = true })
    for X in loader do shape(X, 10, 2) end
  end)
  cell("a layer", function()
    net = nn.Sequential()
    net:add(nn.Dense(1))
    net:initialize(init.Normal { sigma = 0.01 })
  end)
  cell("loss and trainer", function()
    loss = gluon.loss.L2Loss()
    trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
  end)
  cell("training, concise", function()
    for _ = 1, 6 do
      for X, y in loader do
        autograd.record(function() return loss(net(X), y) end):backward()
        trainer:step(10)
      end
    end
    assert.is_true(loss(net(features), labels):mean():item() < 0.01)
    assert.is_true(np.abs(net[0].weight:data():reshape(true_w.shape) - true_w):max():item() < 0.05)
    assert.equal("write", net[0].weight.grad_req)
  end)
  cell("weight decay", function()
    local function l2_penalty(v) return (v ^ 2):sum() / 2 end
    assert.equal(12.5, l2_penalty(np.array { 3, 4 }):item())
    net:collect_params(".*bias"):setattr("wd_mult", 0)
    local decaying = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.003, wd = 3 })
    autograd.record(function() return loss(net(features), labels) end):backward()
    decaying:step(100)
    assert.is_true(np.linalg.norm(net[0].weight:data()):item() < 4)
  end)

  local W, bias
  local function softmax(X)
    local X_exp = np.exp(X)
    local partition = X_exp:sum(1, { keepdims = true })
    return X_exp / partition
  end
  cell("sums that keep axes", function()
    local X = np.array { { 1, 2, 3 }, { 4, 5, 6 } }
    shape(X:sum(0, { keepdims = true }), 1, 3)
    close(X:sum(1, { keepdims = true }), { { 6 }, { 15 } })
  end)
  cell("softmax from scratch", function()
    local X = np.random.rand(2, 5)
    close(softmax(X):sum(1), { 1, 1 })
  end)
  cell("softmax regression", function()
    W, bias = np.random.normal(0, 0.01, { 16, 10 }), np.zeros(10)
    W:attach_grad()
    bias:attach_grad()
    local X = np.ones { 3, 1, 4, 4 }
    shape(softmax(np.dot(X:reshape { -1, W.shape[1] }, W) + bias), 3, 10)
  end)
  local y, y_hat
  cell("indices pick probabilities", function()
    y = np.array({ 0, 2 }, { dtype = "int64" })
    y_hat = np.array { { 0.1, 0.3, 0.6 }, { 0.3, 0.2, 0.5 } }
    close(y_hat[{ np.array({ 0, 1 }, { dtype = "int64" }), y }], { 0.1, 0.5 })
  end)
  local function cross_entropy(p, k) return -np.log(p[{ np.arange(#p, { dtype = "int64" }), k }]) end
  cell("cross-entropy", function() close(cross_entropy(y_hat, y), { 2.302585, 0.693147 }) end)
  cell("accuracy", function()
    local function accuracy(p, k)
      if #p.shape > 1 and p.shape[2] > 1 then p = p:argmax { axis = 1 } end
      local cmp = p:astype(k.dtype):equal(k)
      return cmp:astype(k.dtype):sum():item()
    end
    assert.equal(0.5, accuracy(y_hat, y) / #y)
  end)
  cell("softmax regression, concise", function()
    local classifier = nn.Sequential()
    classifier:add(nn.Dense(10))
    classifier:initialize(init.Normal { sigma = 0.01 })
    local of_logits = gluon.loss.SoftmaxCrossEntropyLoss()
    local X, k = np.random.normal(0, 1, { 8, 1, 4, 4 }), np.random.randint(0, 10, { 8 })
    local step = gluon.Trainer(classifier:collect_params(), "sgd", { learning_rate = 0.1 })
    local first
    for _ = 1, 20 do
      local l = autograd.record(function() return of_logits(classifier(X), k):mean() end)
      first = first or l:item()
      l:backward()
      step:step(1)
      assert.is_true(l:item() <= first + 1e-6)
    end
  end)
  cell("wrong predictions by a mask", function()
    local preds, truth = np.array { 1, 2, 3 }, np.array { 1, 0, 3 }
    local wrong = preds:astype(truth.dtype):not_equal(truth)
    close(preds[wrong], { 2 })
  end)

  cell("activation functions", function()
    local v = np.arange(-8, 8, 0.5)
    v:attach_grad()
    for name, f in pairs { relu = npx.relu, sigmoid = npx.sigmoid, tanh = np.tanh } do
      autograd.record(function() return f(v) end):backward()
      assert.is_true(v.grad:max():item() <= 1, name)
    end
  end)
  cell("a perceptron from scratch", function()
    local W1, b1 = np.random.normal(0, 0.01, { 16, 8 }), np.zeros(8)
    local W2, b2 = np.random.normal(0, 0.01, { 8, 10 }), np.zeros(10)
    local function relu(X) return np.maximum(X, 0) end
    local X = np.random.normal(0, 1, { 4, 1, 4, 4 }):reshape { -1, 16 }
    shape(np.dot(relu(np.dot(X, W1) + b1), W2) + b2, 4, 10)
  end)
  cell("a perceptron, concise", function()
    local mlp = nn.Sequential()
    mlp:add(nn.Dense(8, { activation = "relu" }), nn.Dense(10))
    mlp:initialize(init.Normal { sigma = 0.01 })
    shape(mlp(np.ones { 4, 1, 4, 4 }), 4, 10)
  end)
  cell("polynomial features", function()
    local v = np.random.normal(0, 1, { 20, 1 })
    local powers = np.power(v, np.arange(6):reshape(1, -1))
    for i = 0, 5 do powers[{ {}, i }] = powers[{ {}, i }] / npx.gamma(np.array(i + 1)) end
    shape(np.dot(powers, np.ones(6)), 20)
  end)
  cell("dropout from scratch", function()
    local function dropout_layer(X, dropout)
      assert(0 <= dropout and dropout <= 1)
      if dropout == 1 then return np.zeros_like(X) end
      if dropout == 0 then return X end
      local mask = np.random.uniform(0, 1, X.shape):greater(dropout)
      return mask:astype(np.float32) * X / (1 - dropout)
    end
    local X = np.arange(16):reshape(2, 8)
    close(dropout_layer(X, 0), X:as_nd_ndarray())
    assert.equal(0, dropout_layer(X, 1):sum():item())
    shape(dropout_layer(X, 0.5), 2, 8)
  end)
  cell("dropout, concise", function()
    local mlp = nn.Sequential()
    mlp:add(nn.Dense(8, { activation = "relu" }), nn.Dropout(0.2))
    mlp:add(nn.Dense(8, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(10))
    mlp:initialize(init.Normal { sigma = 0.01 })
    autograd.record(function() return mlp(np.ones { 2, 4 }) end)
    assert.equal(20, mlp(np.ones { 2, 4 }).size)
  end)
  cell("vanishing gradients", function()
    local v = np.arange(-8, 8, 0.1)
    v:attach_grad()
    autograd.record(function() return npx.sigmoid(v) end):backward()
    assert.is_true(v.grad[0]:item() < 1e-3)
  end)
  cell("exploding products", function()
    local M = np.random.normal(0, 1, { 4, 4 })
    for _ = 1, 100 do M = np.dot(M, np.random.normal(0, 1, { 4, 4 })) end
    assert.is_true(np.abs(M):max():item() > 1e10)
  end)
  cell("prices: logarithms of clipped predictions", function()
    local preds, prices = np.clip(np.array { 0.5, 2, 8 }, 1, math.huge), np.array { 1, 2, 4 }
    local rmse = np.sqrt(2 * loss(np.log(preds), np.log(prices)):mean())
    assert.is_true(math.abs(rmse:item() - math.log(2) / math.sqrt(3)) < 1e-6)
  end)
  cell("folds", function()
    local X, k, fold = np.arange(12):reshape(6, 2), 3, nil
    for j = 0, k - 1 do
      local part = X[{ { j * 2, (j + 1) * 2 }, {} }]
      if j > 0 then fold = fold and np.concatenate({ fold, part }, 0) or part end
    end
    shape(fold, 4, 2)
  end)
end)
