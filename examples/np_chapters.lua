-- np_chapters.lua - two chapters of a textbook in np: linear regression and a multilayer perceptron, from scratch and
-- with Gluon. The chapters of "Dive into Deep Learning" in its MXNet edition begin like this.
--
-- Usage: hybridlua examples/np_chapters.lua
local hl = require "hybridlua"
local np, npx, autograd, gluon = hl.np, hl.npx, hl.autograd, hl.gluon
local nn = gluon.nn
npx.set_np()
hl.random.seed(1)

-- ---- Linear regression from scratch -------------------------------------------------------------------

local true_w, true_b = np.array { 2, -3.4 }, 4.2

local function synthetic_data(w, b, n)
  local X = np.random.normal(0, 1, { n, #w })
  local y = np.dot(X, w) + b
  return X, (y + np.random.normal(0, 0.01, y.shape)):reshape(-1, 1)
end

local features, labels = synthetic_data(true_w, true_b, 1000)

-- Batches in random order, by index arrays.
local function batches(size, X, y)
  local order, at = np.arange(#X, { dtype = "int64" }), 0
  np.random.shuffle(order)
  return function()
    if at >= #X then return nil end
    local chosen = order[{ { at, math.min(at + size, #X) } }]
    at = at + size
    return X[chosen], y[chosen]
  end
end

local function linear(X, w, b) return np.dot(X, w) + b end
local function squared_loss(y_hat, y) return (y_hat - y:reshape(y_hat.shape)) ^ 2 / 2 end

local function sgd(params, rate, batch_size)
  for _, param in ipairs(params) do param[{}] = param - rate * param.grad / batch_size end
end

local w, b = np.random.normal(0, 0.01, { 2, 1 }), np.zeros(1)
for _, param in ipairs { w, b } do param:attach_grad() end
for _ = 1, 3 do
  for X, y in batches(10, features, labels) do
    autograd.record(function() return squared_loss(linear(X, w, b), y):sum() end):backward()
    sgd({ w, b }, 0.03, 10)
  end
end
print(("from scratch: error of w %.3f, of b %.3f"):format(
  np.max(np.abs(true_w - w:reshape(2))):item(), np.abs(true_b - b):item()))

-- ---- Linear regression, concise ----------------------------------------------------------------------------

local net = nn.HybridSequential()
net:add(nn.Dense(1))
net:initialize(hl.init.Normal(0.01))
net:hybridize()
local loss_of = gluon.loss.L2Loss()
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.03 })
local loader = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), 10, { shuffle = true })
for _ = 1, 3 do
  for X, y in loader do
    autograd.record(function() return loss_of(net(X), y) end):backward()
    trainer:step(10)
  end
end
print(("concise: error of w %.3f, loss %.5f"):format(
  np.max(np.abs(true_w - net[0].weight:data():reshape(2))):item(), loss_of(net(features), labels):mean():item()))

-- ---- A multilayer perceptron: digits ---------------------------------------------------------------------------

local digits = gluon.data.vision.Digits()
local train = gluon.data.DataLoader(digits:transform_first(gluon.data.vision.transforms.ToTensor()), 64,
  { shuffle = true })

local function accuracy(y_hat, y) return (y_hat:argmax(1):astype(y.dtype):equal(y)):astype("float32"):mean():item() end

local W1, b1 = np.random.normal(0, 0.1, { 64, 32 }), np.zeros(32)
local W2, b2 = np.random.normal(0, 0.1, { 32, 10 }), np.zeros(10)
local params = { W1, b1, W2, b2 }
for _, param in ipairs(params) do param:attach_grad() end

local function relu(X) return np.maximum(X, 0) end
local function mlp(X)
  local H = relu(np.dot(X:reshape(-1, 64), W1) + b1)
  return np.dot(H, W2) + b2
end

local cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()

local function train_epochs(n, forward, update)
  local sum, count
  for _ = 1, n do
    sum, count = 0, 0
    for X, y in train do
      local y_hat
      autograd.record(function()
        y_hat = forward(X)
        return cross_entropy(y_hat, y)
      end):backward()
      update(#X)
      sum, count = sum + accuracy(y_hat, y) * #X, count + #X
    end
  end
  return sum / count
end

print(("perceptron from scratch: %.0f%% of the training digits"):format(
  100 * train_epochs(5, mlp, function(n) sgd(params, 0.5, n) end)))

local concise = nn.HybridSequential()
concise:add(nn.Flatten(), nn.Dense(32, { activation = "relu" }), nn.Dense(10))
concise:initialize(hl.init.Normal(0.1))
concise:hybridize()
local adam = gluon.Trainer(concise:collect_params(), "adam", { learning_rate = 0.01 })
print(("perceptron, concise: %.0f%%"):format(100 * train_epochs(5, concise, function(n) adam:step(n) end)))
