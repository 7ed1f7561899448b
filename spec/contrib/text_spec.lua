-- text_spec.lua - hl.contrib.text: vocabularies and embeddings of words.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd = hl.nd
local text = hl.contrib.text
local Vocabulary = text.vocab.Vocabulary

describe("count_tokens_from_str", function()
  it("counts words between delimiters", function()             -- the examples of MXNet's documentation
    local count = text.utils.count_tokens_from_str
    local wanted = { ["!"] = 1, ["."] = 1, good = 1, great = 1, is = 2, life = 2 }
    assert.same(wanted, count(" Life is great ! \n life is good . \n", " ", "\n", true))
    assert.same(wanted, count("*Life*is*great*!*\n*life*is*good*.*\n", "\\*", "\n", true))
  end)

  it("adds to given counts", function()
    local counts = { a = 2 }
    assert.equal(counts, text.utils.count_tokens_from_str("a b A", { counter_to_update = counts }))
    assert.same({ a = 3, b = 1, A = 1 }, counts)
  end)

  it("rejects what is not a text or a table", function()
    assert.error_matches(function() text.utils.count_tokens_from_str(3) end, "source_str: expected a string")
    assert.error_matches(function() text.utils.count_tokens_from_str("a", "(") end, "regular expression")
    assert.error_matches(function() text.utils.count_tokens_from_str("a", { counter_to_update = 3 }) end,
      "counter_to_update: expected a table")
  end)
end)

describe("a Vocabulary", function()
  it("numbers unknown, reserved and frequent words", function()
    local v = Vocabulary({ a = 3, b = 1, c = 3, d = 2 }, { most_freq_count = 3, reserved_tokens = { "<pad>" } })
    assert.same({ "<unk>", "<pad>", "a", "c", "d" }, v.idx_to_token)
    assert.same({ ["<unk>"] = 0, ["<pad>"] = 1, a = 2, c = 3, d = 4 }, v.token_to_idx)
    assert.equal(5, #v)
    assert.equal(3, v:to_indices "c")
    assert.same({ 2, 0, 4 }, v:to_indices { "a", "b", "d" })
    assert.equal("a", v:to_tokens(2))
    assert.same({ "<unk>", "d" }, v:to_tokens { 0, 4 })
    assert.same({ "?", "a", "c", "d" }, Vocabulary({ a = 3, b = 1, c = 3, d = 2 },
      { min_freq = 2, unknown_token = "?" }).idx_to_token)
    assert.same({ "<unk>" }, Vocabulary().idx_to_token)
  end)

  it("rejects wrong arguments", function()
    assert.error_matches(function() Vocabulary({ a = 1 }, { min_freq = 0 }) end, "min_freq: expected an integer of 1")
    assert.error_matches(function() Vocabulary { reserved_tokens = { "<unk>" } } end, "cannot contain unknown_token")
    assert.error_matches(function() Vocabulary { reserved_tokens = { "a", "a" } } end, "duplicate reserved tokens")
    assert.error_matches(function() Vocabulary({ a = "x" }) end, "expected a count for 'a', got x")
    assert.error_matches(function() Vocabulary():to_tokens(1) end, "Token index 1 .* expected 0 to 0")
    assert.error_matches(function() Vocabulary():to_tokens(-1) end, "Token index %-1 ")
  end)
end)

describe("an embedding", function()
  local folder = scratch.folder()
  local path = scratch.write(folder:file "words.txt", "hello 1 2 3\nworld 4 5 6\n<unk> 9 9 9\n")
  teardown(function() folder:remove() end)

  it("reads words and vectors from a file", function()
    local e = text.embedding.CustomEmbedding(path)
    assert.same({ "<unk>", "hello", "world" }, e.idx_to_token)
    assert.equal(3, e.vec_len)
    assert.same({ { 9, 9, 9 }, { 1, 2, 3 }, { 4, 5, 6 } }, e.idx_to_vec:totable())
    assert.same({ 4, 5, 6 }, e:get_vecs_by_tokens("world"):totable())
    assert.same({ { 9, 9, 9 }, { 1, 2, 3 } }, e:get_vecs_by_tokens({ "World", "hello" }):totable())
    assert.same({ { 4, 5, 6 } }, e:get_vecs_by_tokens({ "World" }, true):totable())
    e:update_token_vectors("hello", nd.array { 0, 0, 1 })
    assert.same({ 0, 0, 1 }, e:get_vecs_by_tokens("hello"):totable())
  end)

  it("has zeros for unknown words if the file has no vector, and places for reserved words", function()
    local file = scratch.write(folder:file "comma.txt", "<pad>,7\t8\n")
    assert.error_matches(function() text.embedding.CustomEmbedding(file, { elem_delim = "," }) end,
      "At line 1 .* expected a number, got '7\t8'")
    file = scratch.write(folder:file "comma.txt", "a,1,2\n<pad>,7,8\n")
    local e = text.embedding.CustomEmbedding(file, { elem_delim = ",", reserved_tokens = { "<pad>" } })
    assert.same({ "<unk>", "<pad>", "a" }, e.idx_to_token)
    assert.same({ { 0, 0 }, { 7, 8 }, { 1, 2 } }, e.idx_to_vec:totable())
  end)

  it("is limited to a vocabulary and joined with others", function()
    local v = Vocabulary { world = 2, other = 1 }
    local one = text.embedding.CustomEmbedding(path, { vocabulary = v })
    assert.same({ { 9, 9, 9 }, { 4, 5, 6 }, { 9, 9, 9 } }, one.idx_to_vec:totable())
    local both = text.embedding.CompositeEmbedding(v, { one, text.embedding.CustomEmbedding(path) })
    assert.equal(6, both.vec_len)
    assert.same({ 4, 5, 6, 4, 5, 6 }, both:get_vecs_by_tokens("world"):totable())
  end)

  it("finds the files of GloVe and fastText in a folder", function()
    local name = "glove.6B.50d.txt"
    scratch.run(("mkdir -p '%s' && cp '%s' '%s'"):format(folder:file "glove", path, folder:file("glove/" .. name)))
    local e = text.embedding.create("glove", { pretrained_file_name = name, embedding_root = folder.path })
    assert.equal(3, #e)
    assert.equal(9, #text.embedding.get_pretrained_file_names "glove")
    assert.truthy(#text.embedding.get_pretrained_file_names().fasttext > 200)
    assert.error_matches(function() text.embedding.create("fasttext", { embedding_root = folder.path }) end,
      "expected the file wiki.simple.vec in a folder; nothing is downloaded: put it into .*/fasttext")
    assert.error_matches(function() text.embedding.GloVe { pretrained_file_name = "glove.txt" } end,
      "Cannot find pretrained file glove.txt")
    assert.error_matches(function() text.embedding.get_pretrained_file_names "word2vec" end, "Cannot find .*word2vec")
  end)

  it("rejects damaged files and unknown words", function()
    local function rejects(content, pattern)
      local file = scratch.write(folder:file "bad.txt", content)
      assert.error_matches(function() text.embedding.CustomEmbedding(file) end, pattern)
    end
    rejects("hello\n", "At line 1 .* is unexpected")
    rejects("a 1 2\nb 1 2 3\n", "At line 2 .* the dimension of token b is 3")
    rejects("<unk> 1\na 1 2\nb 1 2\n", "At line 1 .* the dimension of token <unk> is 1 but")
    rejects("", "expected words with vectors, got none")
    assert.error_matches(function() text.embedding.CustomEmbedding "/nowhere" end, "must be a valid path")
    local e = text.embedding.CustomEmbedding(path)
    assert.error_matches(function() e:update_token_vectors("x", nd.zeros { 3 }) end, "Token x is unknown")
    assert.error_matches(function() e:update_token_vectors("hello", nd.zeros { 2 }) end, "expected shape %(1, 3%)")
  end)
end)
