-- sentences_spec.lua - hl.rnn: encode_sentences, BucketSentenceIter, and checkpoints of cells.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, rnn = hl.nd, hl.sym, hl.rnn

describe("encode_sentences", function()
  it("numbers words, from start_label on, without invalid_label", function()
    local encoded, vocab = rnn.encode_sentences({ { "a", "b" }, { "b", "c" } }, { start_label = 1, invalid_label = 2 })
    assert.same({ { 1, 3 }, { 3, 4 } }, encoded)
    assert.same({ a = 1, b = 3, c = 4, ["\n"] = 2 }, vocab)
  end)

  it("uses a given vocabulary", function()
    assert.same({ { 5, 6 } }, (rnn.encode_sentences({ { "x", "y" } }, { x = 5, y = 6 })))
    assert.error_matches(function() rnn.encode_sentences({ { "z" } }, { x = 5 }) end, "Unknown token z")
    local encoded, vocab = rnn.encode_sentences({ { "x", "z" } }, { x = 5 }, { unknown_token = "?", start_label = 9 })
    assert.same({ { 5, 9 } }, encoded)
    assert.same({ x = 5, ["?"] = 9 }, vocab)
  end)

  it("rejects what is not a list of lists", function()
    assert.error_matches(function() rnn.encode_sentences { "a b" } end, "list of lists of words, got string at 1")
  end)
end)

describe("BucketSentenceIter", function()
  local function sentences()
    local list = {}
    for i = 1, 10 do list[i] = i % 2 == 0 and { 1, 2 } or { 3, 4, 5 } end
    return list
  end

  it("batches sentences by bucket, with the next words as labels", function()
    local iter = rnn.BucketSentenceIter(sentences(), 2, { buckets = { 4, 2 }, invalid_label = 0 })
    assert.equal(4, iter.default_bucket_key)
    assert.same({ 2, 4 }, { table.unpack(iter.provide_data[1].shape) })
    assert.equal("softmax_label", iter.provide_label[1].name)
    local counts = {}
    for batch in iter do
      local key = batch.bucket_key
      counts[key] = (counts[key] or 0) + 1
      assert.same(key == 2 and { { 1, 2 }, { 1, 2 } } or { { 3, 4, 5, 0 }, { 3, 4, 5, 0 } }, batch.data[1]:totable())
      assert.same(key == 2 and { { 2, 0 }, { 2, 0 } } or { { 4, 5, 0, 0 }, { 4, 5, 0, 0 } }, batch.label[1]:totable())
    end
    assert.same({ [2] = 2, [4] = 2 }, counts)             -- five sentences each, of which one is left over
    assert.is_nil(iter:next())
    iter:reset()
    assert.truthy(iter:next())
  end)

  it("chooses buckets itself, and has time first in layout TN", function()
    local iter = rnn.BucketSentenceIter(sentences(), 5, { layout = "TN", dtype = "int32", data_name = "words" })
    assert.same({ 2, 3 }, iter.buckets)
    assert.equal("words", iter.provide_data[1].name)
    for batch in iter do
      assert.same({ batch.bucket_key, 5 }, { table.unpack(batch.data[1].shape) })
      assert.equal("int32", batch.data[1].dtype)
    end
  end)

  it("shuffles by the seed", function()
    local list = {}
    for i = 1, 32 do list[i] = { i, i } end
    local function first()
      hl.random.seed(4)
      return rnn.BucketSentenceIter(list, 4):next().data[1]:totable()
    end
    assert.same(first(), first())
    assert.are_not.same({ { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } }, first())
  end)

  it("rejects wrong arguments", function()
    assert.error_matches(function() rnn.BucketSentenceIter(sentences(), 0) end, "batch_size: expected an integer of 1")
    assert.error_matches(function() rnn.BucketSentenceIter(sentences(), 64) end, "buckets: expected a bucket with")
    assert.error_matches(function() rnn.BucketSentenceIter(sentences(), 2, { layout = "N" }) end, "layout: expected")
    assert.error_matches(function() rnn.BucketSentenceIter({ 3 }, 2) end, "expected a list of lists")
  end)
end)

describe("checkpoints of cells", function()
  it("have a weight per gate in files, and load into other cells", function()
    local folder = scratch.folder()
    local prefix = folder:file "model"
    local fused = rnn.FusedRNNCell(4, { mode = "lstm" })
    local graph = fused:unroll(2, sym.var "data", { merge_outputs = true })
    local ex = graph:simple_bind { data = { 2, 2, 3 } }
    ex.arg_dict.lstm_parameters:set(nd.random.normal { shape = ex.arg_dict.lstm_parameters.shape })
    local callback = rnn.do_rnn_checkpoint(fused, prefix, 2)
    local weights = { lstm_parameters = ex.arg_dict.lstm_parameters }
    callback(0, graph, weights, {})
    assert.same({}, folder:list())
    callback(1, graph, weights, {})
    assert.truthy(nd.load(prefix .. "-0002.params")["arg:lstm_l0_i2h_f_weight"])
    local loaded, args, aux = rnn.load_rnn_checkpoint(fused, prefix, 2)
    assert.same(graph:list_outputs(), loaded:list_outputs())
    assert.same(weights.lstm_parameters:totable(), args.lstm_parameters:totable())
    assert.same({}, aux)
    local _, steps = rnn.load_rnn_checkpoint({ fused:unfuse() }, prefix, 2)
    assert.same({ 16, 3 }, { table.unpack(steps.lstm_l0_i2h_weight.shape) })
    assert.error_matches(function() rnn.save_rnn_checkpoint(3, prefix, 1, graph, weights, {}) end,
      "cells: expected a cell of hl.rnn")
    folder:remove()
  end)
end)
