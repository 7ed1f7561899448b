-- contrib_spec.lua - hl.contrib.autograd, hl.contrib.io, and gluon.contrib.data.text.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, gluon = hl.nd, hl.gluon

describe("contrib.autograd", function()
  local old = hl.contrib.autograd

  it("returns gradients, with and without the result", function()
    local x, y = nd.array { 1, 2 }, nd.array { 3, 4 }
    local gradients, product = old.grad_and_loss(function(a, b) return a * b end)(x, y)
    assert.same({ 3, 8 }, product:totable())
    assert.same({ { 3, 4 }, { 1, 2 } }, { gradients[1]:totable(), gradients[2]:totable() })
    assert.same({ 1, 2 }, old.grad(function(a, b) return a * b end, 1)(x, y)[1]:totable())
    assert.same({ 3, 4 }, old.grad(function(a, b) return a * b end, { 0 })(x, y)[1]:totable())
  end)

  it("opens sections and sets the mode", function()
    local x = nd.array { 2 }
    x:attach_grad()
    local y = old.train_section(function() return x * x end)
    old.compute_gradient { y }
    assert.same({ 4 }, x.grad:totable())
    old.backward({ old.train_section(function() return x * x end) }, { nd.array { 10 } })
    assert.same({ 40 }, x.grad:totable())
    old.train_section(function()
      assert.is_true(hl.autograd.is_training())
      old.test_section(function() assert.is_false(hl.autograd.is_recording()) end)
    end)
    assert.is_false(old.set_is_training(true))
    assert.is_true(hl.autograd.is_recording() and hl.autograd.is_training())
    assert.is_true(old.set_is_training(false))
    local gradient = nd.zeros { 1 }
    old.mark_variables({ x }, { gradient })
    old.compute_gradient { old.train_section(function() return x * 3 end) }
    assert.same({ 3 }, gradient:totable())
  end)

  it("rejects wrong arguments", function()
    assert.error_matches(function() old.grad(print, 2)(nd.ones { 1 }) end, "argnum: expected less than 1")
    assert.error_matches(function() old.grad(print)(3) end, "type of autograd input should be NDArray, got number")
    assert.error_matches(function() old.set_is_training(1) end, "is_train: expected true or false")
  end)
end)

describe("contrib.io.DataLoaderIter", function()
  local x, y = nd.arange(10):reshape { 5, 2 }, nd.arange(5)
  local function loader(last) return gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), 2, { last_batch = last }) end

  it("gives the loader's batches, the last one filled", function()
    local iter = hl.contrib.io.DataLoaderIter(loader "keep")
    assert.equal("DataDesc[data,(2, 2),float32,NCHW]", tostring(iter.provide_data[1]))
    assert.equal("DataDesc[softmax_label,(2,),float32,NCHW]", tostring(iter.provide_label[1]))
    for _ = 1, 2 do
      local labels, pads = {}, {}
      for batch in iter do
        labels[#labels + 1], pads[#pads + 1] = batch.label[1]:totable(), batch.pad
        assert.same({ 2, 2 }, batch.data[1].shape)
      end
      assert.same({ { { 0, 1 }, { 2, 3 }, { 4, 4 } }, { 0, 0, 1 } }, { labels, pads })
      iter:reset()
    end
  end)

  it("trains a Module", function()
    local out = hl.sym.LinearRegressionOutput(hl.sym.FullyConnected(hl.sym.var "data", { num_hidden = 1 }),
      hl.sym.var "softmax_label")
    local mod = hl.mod.Module(out, { logger = hl.log.getLogger "quiet" })
    mod.logger:setLevel(hl.log.WARNING)
    mod:fit(hl.contrib.io.DataLoaderIter(loader "discard"), { num_epoch = 1, eval_metric = "mse" })
    assert.is_true(mod.params_initialized)
  end)

  it("rejects other loaders", function()
    assert.error_matches(function() hl.contrib.io.DataLoaderIter { 1 } end, "loader: expected a DataLoader")
    assert.error_matches(function() hl.contrib.io.DataLoaderIter(gluon.data.DataLoader(x, 2)) end,
      "expected batches of data and labels, got data only")
  end)
end)

describe("gluon.contrib.data.text", function()
  local texts = gluon.contrib.data.text

  it("reads WikiText as sequences of numbers of words", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    scratch.write(folder:file "wiki.train.tokens", " \n = Cats = \n\n the cat saw the dog \n")
    scratch.write(folder:file "wiki.test.tokens", "the bird\n")
    local train = texts.WikiText2 { root = folder.path, seq_len = 4 }
    assert.equal(2, #train)
    local words = train.vocabulary
    local data, label = train:get(0)
    assert.same({ "=", "Cats", "=", "<eos>" }, words:to_tokens(data:totable()))
    assert.same({ "Cats", "=", "<eos>", "the" }, words:to_tokens(label:totable()))
    assert.equal(2, train.frequencies.the)
    assert.equal("int32", data.dtype)
    local test = texts.WikiText2 { root = folder.path, segment = "test", vocab = words, seq_len = 2 }
    assert.same({ "the", "<unk>" }, words:to_tokens((test:get(0)):totable()))
    assert.error_matches(function() texts.WikiText2 { root = folder.path, segment = "validation" } end,
      "WikiText2: 'wiki.valid.tokens' is not in '.*'. Unpack MXNet's wikitext%-2%-v1.zip there")
    assert.error_matches(function() texts.WikiText103 { root = folder.path, segment = "test" } end,
      "WikiText103: seq_len: the text has fewer than 36 words")
  end)
end)
