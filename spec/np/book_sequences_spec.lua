-- book_sequences_spec.lua - the calls of the code cells of "Dive into Deep Learning", MXNet edition: recurrent
-- networks, attention and optimizers. One test is one cell, on small sizes.
local hl = require "hybridlua"
local np, npx, autograd, gluon, init = hl.np, hl.npx, hl.autograd, hl.gluon, hl.init
local nn, rnn = gluon.nn, gluon.rnn
local book = require "support.book"
local cell, shape, close = it, book.shape, book.close
local chapter = book.chapter(describe, setup, teardown)

chapter("The book's chapters on recurrent networks:", function()
  local T, tau, features, labels = 40, 4, nil, nil

  cell("a noisy wave", function()
    local time = np.arange(1, T + 1, { dtype = np.float32 })
    local x = np.sin(0.1 * time) + np.random.normal(0, 0.2, { T })
    features = np.zeros { T - tau, tau }
    for i = 0, tau - 1 do features[{ {}, i }] = x[{ { i, T - tau + i } }] end
    labels = x[tau .. ":"]:reshape { -1, 1 }
    shape(labels, T - tau, 1)
  end)
  cell("a model of the next value", function()
    local net = nn.Sequential()
    net:add(nn.Dense(10, { activation = "relu" }), nn.Dense(1))
    net:initialize(init.Xavier())
    local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.01 })
    local loss = gluon.loss.L2Loss()
    local first = loss(net(features), labels):mean():item()
    for _ = 1, 30 do
      autograd.record(function() return loss(net(features), labels) end):backward()
      trainer:step(T - tau)
    end
    assert.is_true(loss(net(features), labels):mean():item() < first)
    local onestep = net(features)
    local multistep = np.zeros(T)
    multistep[":30"] = labels[":30"]:reshape { -1 }
    for i = 30, T - 1 do multistep[i] = net(multistep[{ { i - tau, i } }]:reshape { 1, -1 }):reshape { 1 }[0] end
    shape(onestep, T - tau, 1)
  end)
  cell("products of states", function()
    local X, W_xh = np.random.normal(0, 1, { 3, 1 }), np.random.normal(0, 1, { 1, 4 })
    local H, W_hh = np.random.normal(0, 1, { 3, 4 }), np.random.normal(0, 1, { 4, 4 })
    local apart = np.dot(X, W_xh) + np.dot(H, W_hh)
    local joined = np.dot(np.concatenate({ X, H }, 1), np.concatenate({ W_xh, W_hh }, 0))
    assert.is_true(np.allclose(apart, joined, { rtol = 1e-4, atol = 1e-5 }):item())
  end)
  local offset_batches = {}
  cell("sequential minibatches", function()
    local corpus, batch_size, num_steps = np.arange(35), 2, 5
    local num_tokens = (#corpus - 1) // batch_size * batch_size
    local Xs = corpus[{ { 0, num_tokens } }]:reshape(batch_size, -1)
    local Ys = corpus[{ { 1, num_tokens + 1 } }]:reshape(batch_size, -1)
    for i = 0, Xs.shape[2] // num_steps * num_steps - 1, num_steps do
      table.insert(offset_batches, { Xs[{ {}, { i, i + num_steps } }], Ys[{ {}, { i, i + num_steps } }] })
    end
    close(offset_batches[1][2][0], { 1, 2, 3, 4, 5 })
  end)
  cell("one-hot vectors", function()
    close(npx.one_hot(np.array { 0, 2 }, 3), { { 1, 0, 0 }, { 0, 0, 1 } })
    local X = np.arange(10):reshape { 2, 5 }
    shape(npx.one_hot(X.T, 28), 5, 2, 28)
  end)
  local vocab, hiddens = 12, 8
  local params
  cell("parameters of a recurrent network", function()
    local function normal(s) return np.random.normal { scale = 0.01, size = s, ctx = npx.cpu() } end
    params = { normal { vocab, hiddens }, normal { hiddens, hiddens }, np.zeros(hiddens), normal { hiddens, vocab },
      np.zeros(vocab) }
    for _, param in ipairs(params) do param:attach_grad() end
  end)
  local function rnn_scratch(inputs, H)
    local W_xh, W_hh, b_h, W_hq, b_q = table.unpack(params)
    local outputs = {}
    for i = 0, #inputs - 1 do
      H = np.tanh(np.dot(inputs[i], W_xh) + np.dot(H, W_hh) + b_h)
      outputs[i + 1] = np.dot(H, W_hq) + b_q
    end
    return np.concatenate(outputs, { axis = 0 }), H
  end
  local X
  cell("a recurrent network from scratch", function()
    X = np.random.randint(0, vocab, { 2, 5 })
    local Y, state = rnn_scratch(npx.one_hot(X.T, vocab), np.zeros { 2, hiddens })
    shape(Y, 10, vocab)
    shape(state, 2, hiddens)
  end)
  cell("predicting characters", function()
    local outputs, state = { 3 }, np.zeros { 1, hiddens }
    for _ = 1, 4 do
      local y
      y, state = rnn_scratch(npx.one_hot(np.array { outputs[#outputs] }:reshape(1, 1), vocab), state)
      outputs[#outputs + 1] = y:argmax { axis = 1 }:reshape(1):item()
    end
    assert.equal(5, #outputs)
  end)
  cell("gradients are clipped", function()
    autograd.record(function()
      local Y = rnn_scratch(npx.one_hot(X.T, vocab), np.zeros { 2, hiddens })
      return (Y ^ 2):sum() * 1e6
    end):backward()
    local function norm_of()
      local sum = 0
      for _, p in ipairs(params) do sum = sum + (p.grad ^ 2):sum():item() end
      return math.sqrt(sum)
    end
    local norm = norm_of()
    assert.is_true(norm > 1)
    for _, p in ipairs(params) do p.grad[{}] = p.grad * (1 / norm) end
    assert.is_true(math.abs(norm_of() - 1) < 1e-3)
  end)
  cell("perplexity", function()
    local loss = gluon.loss.SoftmaxCrossEntropyLoss()
    local Y = rnn_scratch(npx.one_hot(X.T, vocab), np.zeros { 2, hiddens })
    local l = loss(Y, X.T:reshape { -1 }):mean()
    assert.is_true(math.abs(math.exp(l:item()) - vocab) < 1)
  end)
  cell("a recurrent layer", function()
    local layer = rnn.RNN(hiddens)
    layer:initialize()
    local state = layer:begin_state { batch_size = 2 }
    assert.equal(1, #state)
    shape(state[1], 1, 2, hiddens)
    local Y, new = layer(np.random.uniform { size = { 5, 2, vocab } }, state)
    shape(Y, 5, 2, hiddens)
    shape(new[1], 1, 2, hiddens)
  end)
  cell("a language model of layers", function()
    local RNNModel = nn.Block:subclass "RNNModel"
    function RNNModel:init(layer)
      self.rnn, self.dense = layer, nn.Dense(vocab)
    end
    function RNNModel:forward(inputs, state)
      local Y
      Y, state = self.rnn(npx.one_hot(inputs.T, vocab), state)
      return self.dense(Y:reshape { -1, Y.shape[#Y.shape] }), state
    end
    function RNNModel:begin_state(...) return self.rnn:begin_state(...) end
    local model = RNNModel(rnn.RNN(hiddens))
    model:initialize { ctx = npx.cpu(), force_reinit = true, init = init.Normal(0.01) }
    local loss, trainer = gluon.loss.SoftmaxCrossEntropyLoss(),
      gluon.Trainer(model:collect_params(), "sgd", { learning_rate = 1 })
    local state = model:begin_state { batch_size = 2 }
    for _ = 1, 2 do
      for _, s in ipairs(state) do s:detach() end
      local l
      autograd.record(function()
        local py
        py, state = model(X, state)
        l = loss(py, X.T:reshape { -1 }):mean()
        return l
      end):backward()
      gluon.utils.clip_global_norm({ model.dense.weight:grad() }, 1)
      trainer:step(1)
      for i, s in ipairs(state) do state[i] = s:detach() end
      assert.is_true(l:item() < 3)
    end
  end)
  cell("gated recurrent units from scratch", function()
    local function three()
      return np.random.normal { scale = 0.01, size = { vocab, hiddens } },
        np.random.normal { scale = 0.01, size = { hiddens, hiddens } }, np.zeros(hiddens)
    end
    local W_xz, W_hz, b_z = three()
    local W_xr, W_hr, b_r = three()
    local W_xh, W_hh, b_h = three()
    local H, x = np.zeros { 2, hiddens }, np.random.uniform { size = { 2, vocab } }
    local Z = npx.sigmoid(np.dot(x, W_xz) + np.dot(H, W_hz) + b_z)
    local R = npx.sigmoid(np.dot(x, W_xr) + np.dot(H, W_hr) + b_r)
    local H_tilda = np.tanh(np.dot(x, W_xh) + np.dot(R * H, W_hh) + b_h)
    shape(Z * H + (1 - Z) * H_tilda, 2, hiddens)
  end)
  cell("long short-term memory, concise, deep and both ways", function()
    for _, layer in ipairs { rnn.LSTM(hiddens), rnn.LSTM(hiddens, 2), rnn.GRU(hiddens),
      rnn.LSTM(hiddens, { bidirectional = true }) } do
      layer:initialize()
      local Y, state = layer(np.ones { 5, 2, vocab }, layer:begin_state(2))
      assert.equal(5, Y.shape[1])
      assert.is_true(#state >= 1)
    end
  end)

  local Encoder = nn.Block:subclass "Seq2SeqEncoder"
  function Encoder:init(size, embed, units, layers, dropout)
    self.embedding = nn.Embedding(size, embed)
    self.rnn = rnn.GRU(units, layers, { dropout = dropout or 0 })
  end
  function Encoder:forward(tokens)
    local embs = self.embedding(tokens):swapaxes(0, 1)
    local state = self.rnn:begin_state { batch_size = embs.shape[2], ctx = embs.ctx }
    return self.rnn(embs, state)
  end
  local tokens, encoder
  cell("an encoder", function()
    encoder = Encoder(10, 8, 16, 2)
    encoder:initialize()
    tokens = np.zeros { 4, 7 }
    local output, state = encoder(tokens)
    shape(output, 7, 4, 16)
    shape(state[1], 2, 4, 16)
  end)
  cell("a decoder", function()
    local Decoder = nn.Block:subclass "Seq2SeqDecoder"
    function Decoder:init()
      self.embedding = nn.Embedding(10, 8)
      self.rnn = rnn.GRU(16, 2)
      self.dense = nn.Dense(10, { flatten = false })
    end
    function Decoder:forward(inputs, state)
      local embs = self.embedding(inputs):swapaxes(0, 1)
      local context = state[1][-1]
      context = np.broadcast_to(context, { embs.shape[1], context.shape[1], context.shape[2] })
      local output, after = self.rnn(np.concatenate({ embs, context }, 2), state)
      return self.dense(output):swapaxes(0, 1), after
    end
    local decoder = Decoder()
    decoder:initialize()
    local output, state = decoder(tokens, select(2, encoder(tokens)))
    shape(output, 4, 7, 10)
    assert.equal(1, #state)
    shape(np.tile(np.ones { 4, 16 }, { 7, 1, 1 }), 7, 4, 16)
  end)
  cell("masks of sequences", function()
    local x = np.array { { 1, 2, 3 }, { 4, 5, 6 } }
    close(npx.sequence_mask(x, np.array { 1, 2 }, true, { axis = 1 }), { { 1, 0, 0 }, { 4, 5, 0 } })
    local y = npx.sequence_mask(np.ones { 2, 3, 4 }, np.array { 1, 2 }, true, { value = -1, axis = 1 })
    close(y[{ 0, {}, 0 }], { 1, -1, -1 })
  end)
  cell("a loss that ignores padding", function()
    local MaskedLoss = gluon.loss.SoftmaxCELoss:subclass "MaskedSoftmaxCELoss"
    local plain = gluon.loss.SoftmaxCELoss.forward
    function MaskedLoss:forward(pred, label, valid_len)
      local weights = np.expand_dims(np.ones_like(label), { axis = -1 })
      weights = npx.sequence_mask(weights, valid_len, true, { axis = 1 })
      return plain(self, pred, label, weights)
    end
    close(MaskedLoss()(np.ones { 3, 4, 10 }, np.ones { 3, 4 }, np.array { 4, 2, 0 }), { 2.302585, 1.151293, 0 })
  end)
  cell("padded batches", function()
    local array = np.array({ { 4, 5, 1, 1 }, { 6, 7, 8, 1 } }, { dtype = np.int32 })
    close(array:not_equal(1):astype(np.int32):sum(1), { 2, 3 })
    local bos = np.array { 0, 0 }:reshape(-1, 1):astype "int32"
    local shifted = np.concatenate({ bos, array[":, :-1"] }, 1)
    close(shifted, { { 0, 4, 5, 1 }, { 0, 6, 7, 8 } })
  end)
  cell("the likeliest token", function()
    local Y = np.array { { { 0.1, 0.7, 0.2 } } }
    local dec_X = Y:argmax { axis = 2 }
    assert.equal(1, dec_X:squeeze { axis = 0 }:astype("int32"):item())
  end)
end)

describe("The book's chapter on attention:", function()
  setup(function() npx.set_np() hl.random.seed(2) end)
  teardown(function() npx.reset_np() end)

  cell("kernel regression", function()
    local function f(x) return 2 * np.sin(x) + x ^ 0.8 end
    local n = 10
    local x_train = np.sort(np.random.rand(n) * 5)
    local y_train = f(x_train) + np.random.normal(0, 0.5, { n })
    local x_test = np.arange(0, 5, 0.5)
    shape(np.repeat_(y_train:mean(), #x_test), 10)
    local X_repeat = x_test:repeat_(n):reshape { -1, n }
    local attention_weights = npx.softmax(-(X_repeat - x_train) ^ 2 / 2)
    shape(np.dot(attention_weights, y_train), 10)
    close(attention_weights:sum { axis = 1 }, np.ones(10):as_nd_ndarray())
  end)
  cell("batches of matrices", function()
    shape(npx.batch_dot(np.ones { 2, 1, 4 }, np.ones { 2, 4, 6 }), 2, 1, 6)
    local weights, values = np.ones { 2, 10 } * 0.1, np.arange(20):reshape { 2, 10 }
    close(npx.batch_dot(np.expand_dims(weights, 1), np.expand_dims(values, -1)):reshape(2), { 4.5, 14.5 })
  end)
  cell("weights by distance", function()
    local NWKernelRegression = nn.Block:subclass "NWKernelRegression"
    function NWKernelRegression:init() self.w = self.params:get("w", { shape = { 1 } }) end
    function NWKernelRegression:forward(queries, keys, values)
      queries = queries:repeat_(keys.shape[2]):reshape { -1, keys.shape[2] }
      self.attention_weights = npx.softmax(-((queries - keys) * self.w:data()) ^ 2 / 2)
      return npx.batch_dot(np.expand_dims(self.attention_weights, 1), np.expand_dims(values, -1)):reshape(-1)
    end
    local net = NWKernelRegression()
    net:initialize()
    local x = np.arange(4)
    local X_tile = np.tile(x, { 4, 1 })
    local off_diagonal = (1 - np.eye(4)):astype "bool"
    local keys = X_tile[off_diagonal]:reshape { 4, -1 }
    shape(keys, 4, 3)
    local l = autograd.record(function() return gluon.loss.L2Loss()(net(x, keys, keys), x) end)
    l:backward()
    shape(net.w:grad(), 1)
  end)
  local function masked_softmax(X, valid_lens)
    if valid_lens == nil then return npx.softmax(X) end
    local s = X.shape
    if #valid_lens.shape == 1 then valid_lens = valid_lens:repeat_(s[2])
    else valid_lens = valid_lens:reshape(-1) end
    X = npx.sequence_mask(X:reshape(-1, s[#s]), valid_lens, true, { value = -1e6, axis = 1 })
    return npx.softmax(X):reshape(s)
  end
  cell("masked softmax", function()
    local y = masked_softmax(np.random.uniform { size = { 2, 2, 4 } }, np.array { 2, 3 })
    close(y:sum(-1), { { 1, 1 }, { 1, 1 } })
    assert.equal(0, y[{ 0, 0, 3 }]:item())
  end)
  cell("masks for each query", function()
    local y = masked_softmax(np.random.uniform { size = { 2, 2, 4 } }, np.array { { 1, 3 }, { 2, 4 } })
    assert.equal(1, y[{ 0, 0, 0 }]:item())
  end)
  local AdditiveAttention = nn.Block:subclass "AdditiveAttention"
  function AdditiveAttention:init(num_hiddens, dropout)
    self.W_k = nn.Dense(num_hiddens, { use_bias = false, flatten = false })
    self.W_q = nn.Dense(num_hiddens, { use_bias = false, flatten = false })
    self.w_v = nn.Dense(1, { use_bias = false, flatten = false })
    self.dropout = nn.Dropout(dropout)
  end
  function AdditiveAttention:forward(queries, keys, values, valid_lens)
    queries, keys = self.W_q(queries), self.W_k(keys)
    local features = np.tanh(np.expand_dims(queries, { axis = 2 }) + np.expand_dims(keys, { axis = 1 }))
    local scores = np.squeeze(self.w_v(features), { axis = -1 })
    return npx.batch_dot(self.dropout(masked_softmax(scores, valid_lens)), values)
  end
  local keys, values, valid_lens = np.ones { 2, 10, 2 }, np.arange(40):reshape(1, 10, 4):repeat_(2, { axis = 0 }),
    np.array { 2, 6 }
  cell("additive attention", function()
    local attention = AdditiveAttention(8, 0.1)
    attention:initialize()
    close(attention(np.random.normal(0, 1, { 2, 1, 20 }), keys, values, valid_lens):reshape(2, 4),
      { { 2, 3, 4, 5 }, { 10, 11, 12, 13 } })
  end)
  local DotProductAttention = nn.Block:subclass "DotProductAttention"
  function DotProductAttention:init(dropout) self.dropout = nn.Dropout(dropout) end
  function DotProductAttention:forward(queries, k, v, lens)
    local d = queries.shape[#queries.shape]
    local scores = npx.batch_dot(queries, k, { transpose_b = true }) / math.sqrt(d)
    self.attention_weights = masked_softmax(scores, lens)
    return npx.batch_dot(self.dropout(self.attention_weights), v)
  end
  cell("dot-product attention", function()
    local attention = DotProductAttention(0.5)
    attention:initialize()
    close(attention(np.random.normal(0, 1, { 2, 1, 2 }), keys, values, valid_lens):reshape(2, 4),
      { { 2, 3, 4, 5 }, { 10, 11, 12, 13 } })
    shape(attention.attention_weights, 2, 1, 10)
  end)
  local function transpose_qkv(X, num_heads)
    X = X:reshape(X.shape[1], X.shape[2], num_heads, -1)
    X = X:transpose(0, 2, 1, 3)
    return X:reshape(-1, X.shape[3], X.shape[4])
  end
  local function transpose_output(X, num_heads)
    X = X:reshape(-1, num_heads, X.shape[2], X.shape[3])
    X = X:transpose(0, 2, 1, 3)
    return X:reshape(X.shape[1], X.shape[2], -1)
  end
  local MultiHeadAttention = nn.Block:subclass "MultiHeadAttention"
  function MultiHeadAttention:init(num_hiddens, num_heads, dropout)
    self.num_heads, self.attention = num_heads, DotProductAttention(dropout)
    for _, name in ipairs { "W_q", "W_k", "W_v", "W_o" } do
      self[name] = nn.Dense(num_hiddens, { use_bias = false, flatten = false })
    end
  end
  function MultiHeadAttention:forward(q, k, v, lens)
    q, k, v = transpose_qkv(self.W_q(q), self.num_heads), transpose_qkv(self.W_k(k), self.num_heads),
      transpose_qkv(self.W_v(v), self.num_heads)
    if lens ~= nil then lens = lens:repeat_(self.num_heads, { axis = 0 }) end
    return self.W_o(transpose_output(self.attention(q, k, v, lens), self.num_heads))
  end
  cell("several heads", function()
    local attention = MultiHeadAttention(20, 5, 0.5)
    attention:initialize()
    local X, Y = np.ones { 2, 4, 20 }, np.ones { 2, 6, 20 }
    shape(attention(X, Y, Y, np.array { 3, 2 }), 2, 4, 20)
    shape(attention(X, X, X, np.array { 3, 2 }), 2, 4, 20)
  end)
  local PositionalEncoding = nn.Block:subclass "PositionalEncoding"
  function PositionalEncoding:init(num_hiddens, dropout, max_len)
    self.dropout = nn.Dropout(dropout)
    self.P = np.zeros { 1, max_len or 50, num_hiddens }
    local X = np.arange(max_len or 50):reshape(-1, 1) / np.power(10000, np.arange(0, num_hiddens, 2) / num_hiddens)
    self.P[":, :, 0::2"] = np.sin(X)
    self.P[":, :, 1::2"] = np.cos(X)
  end
  function PositionalEncoding:forward(X)
    X = X + self.P[{ {}, { 0, X.shape[2] }, {} }]:as_in_ctx(X.ctx)
    return self.dropout(X)
  end
  cell("positions", function()
    local encoding = PositionalEncoding(8, 0)
    encoding:initialize()
    local X = encoding(np.zeros { 1, 6, 8 })
    close(X[{ 0, 0 }], { 0, 1, 0, 1, 0, 1, 0, 1 })
    assert.is_true(math.abs(X[{ 0, 1, 0 }]:item() - math.sin(1)) < 1e-6)
  end)
  local PositionWiseFFN = nn.Block:subclass "PositionWiseFFN"
  function PositionWiseFFN:init(hiddens, outputs)
    self.dense1 = nn.Dense(hiddens, { flatten = false, activation = "relu" })
    self.dense2 = nn.Dense(outputs, { flatten = false })
  end
  function PositionWiseFFN:forward(X) return self.dense2(self.dense1(X)) end
  cell("networks at each position", function()
    local ffn = PositionWiseFFN(4, 8)
    ffn:initialize()
    shape(ffn(np.ones { 2, 3, 4 })[0], 3, 8)
  end)
  cell("layer and batch normalization", function()
    local ln, bn = nn.LayerNorm(), nn.BatchNorm()
    ln:initialize()
    bn:initialize()
    local X = np.array { { 1, 2 }, { 2, 3 } }
    autograd.record(function()
      close(ln(X), { { -1, 1 }, { -1, 1 } })
      assert.is_true(np.abs(np.abs(bn(X)) - 1):max():item() < 1e-3)
    end)
  end)
  local AddNorm = nn.Block:subclass "AddNorm"
  function AddNorm:init(dropout) self.dropout, self.ln = nn.Dropout(dropout), nn.LayerNorm() end
  function AddNorm:forward(X, Y) return self.ln(self.dropout(Y) + X) end
  cell("residual connections with normalization", function()
    local add_norm = AddNorm(0.5)
    add_norm:initialize()
    shape(add_norm(np.ones { 2, 3, 4 }, np.ones { 2, 3, 4 }), 2, 3, 4)
  end)
  local EncoderBlock = nn.Block:subclass "EncoderBlock"
  function EncoderBlock:init(hiddens, ffn_hiddens, heads, dropout)
    self.attention = MultiHeadAttention(hiddens, heads, dropout)
    self.addnorm1, self.addnorm2 = AddNorm(dropout), AddNorm(dropout)
    self.ffn = PositionWiseFFN(ffn_hiddens, hiddens)
  end
  function EncoderBlock:forward(X, lens)
    local Y = self.addnorm1(X, self.attention(X, X, X, lens))
    return self.addnorm2(Y, self.ffn(Y))
  end
  cell("a block of a transformer's encoder", function()
    local block = EncoderBlock(8, 16, 2, 0.5)
    block:initialize()
    shape(block(np.ones { 2, 6, 8 }, np.array { 3, 2 }), 2, 6, 8)
  end)
  cell("a transformer's encoder", function()
    local embedding, pos, block = nn.Embedding(20, 8), PositionalEncoding(8, 0.5), EncoderBlock(8, 16, 2, 0.5)
    for _, part in ipairs { embedding, block } do part:initialize() end
    local X = pos(embedding(np.ones { 2, 6 }) * math.sqrt(8))
    shape(block(X, np.array { 3, 2 }), 2, 6, 8)
  end)
  cell("masks of later positions", function()
    local dec_valid_lens = np.tile(np.arange(1, 4 + 1), { 2, 1 })
    shape(dec_valid_lens, 2, 4)
    local y = masked_softmax(np.zeros { 2, 4, 4 }, dec_valid_lens)
    close(y[0], { { 1, 0, 0, 0 }, { 0.5, 0.5, 0, 0 }, { 1 / 3, 1 / 3, 1 / 3, 0 }, { 0.25, 0.25, 0.25, 0.25 } })
  end)
  cell("keys and values of earlier steps", function()
    local state
    for step = 1, 3 do
      local X = np.ones { 2, 1, 8 } * step
      state = state == nil and X or np.concatenate({ state, X }, { axis = 1 })
    end
    shape(state, 2, 3, 8)
  end)
  cell("patches of pictures", function()
    local conv = nn.Conv2D(16, { kernel_size = 4, strides = 4 })
    conv:initialize()
    local X = conv(np.zeros { 2, 3, 12, 12 })
    X = X:reshape(2, 16, -1):swapaxes(1, 2)
    shape(X, 2, 9, 16)
    local cls = np.zeros { 1, 1, 16 }
    shape(np.concatenate({ np.broadcast_to(cls, { 2, 1, 16 }), X }, 1), 2, 10, 16)
  end)
end)

describe("The book's chapter on optimization:", function()
  setup(function() npx.set_np() hl.random.seed(3) end)
  teardown(function() npx.reset_np() end)

  cell("gradient descent", function()
    local x = 10
    for _ = 1, 10 do x = x - 0.2 * 2 * x end
    assert.is_true(math.abs(x) < 0.1)
    local X1, X2 = table.unpack(np.meshgrid(np.arange(-5.5, 1, 0.5), np.arange(-3, 1, 0.5), { indexing = "ij" }))
    assert.same(X1.shape, X2.shape)
    shape(X1 ^ 2 + 2 * X2 ^ 2, 13, 8)
  end)
  cell("momentum, Adagrad, RMSProp, Adadelta, Adam from scratch", function()
    local p = np.ones { 3 }
    p:attach_grad()
    autograd.record(function() return (p ^ 2):sum() end):backward()
    local v, s, delta = np.zeros(3), np.zeros(3), np.zeros(3)
    v[{}] = 0.9 * v + p.grad
    s[{}] = s + np.square(p.grad)
    local g = np.sqrt(delta + 1e-5) / np.sqrt(s + 1e-5) * p.grad
    delta[{}] = 0.9 * delta + 0.1 * g * g
    p[{}] = p - 0.1 * v / (np.sqrt(s) + 1e-6)
    close(p, { 0.9, 0.9, 0.9 })
  end)
  cell("optimizers by name", function()
    local w = np.ones { 4, 2 }
    for _, name in ipairs { "sgd", "adagrad", "rmsprop", "adadelta", "adam" } do
      local net = nn.Dense(1)
      net:initialize(init.Normal(0.01))
      local trainer = gluon.Trainer(net:collect_params(), name, {})
      autograd.record(function() return net(w):sum() end):backward()
      trainer:step(4)
      shape(net.weight:data(), 1, 2)
    end
  end)
  cell("learning rates by schedule", function()
    local scheduler = hl.lr_scheduler.MultiFactorScheduler { step = { 15, 30 }, factor = 0.5, base_lr = 0.5 }
    assert.equal(0.5, scheduler(1))
    local cosine = hl.lr_scheduler.CosineScheduler { max_update = 20, base_lr = 0.3, final_lr = 0.01 }
    assert.equal(0.3, cosine(0))
    local net = nn.Dense(1)
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { lr_scheduler = scheduler })
    assert.equal(0.5, trainer.learning_rate)
    trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.3 })
    trainer:set_learning_rate(0.1)
    assert.equal(0.1, trainer.learning_rate)
  end)
  cell("synchronization", function()
    local x = np.random.uniform { size = { 20, 20 } }
    x:wait_to_read()
    npx.waitall()
    shape(np.dot(x, x.T), 20, 20)
  end)
end)
