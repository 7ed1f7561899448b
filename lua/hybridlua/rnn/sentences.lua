-- rnn/sentences.lua - sentences as data: encode_sentences, and BucketSentenceIter, which batches sentences of similar
-- lengths.
local arguments = require "hybridlua.language.arguments"
local batches = require "hybridlua.io.batches"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local io_data_iter = require "hybridlua.io.data_iter"
local log = require "hybridlua.log"
local is_plain = core.script.is_plain

local nd = core.op.nd
local DataBatch, DataDesc = batches.DataBatch, batches.DataDesc
local sentences = {}

local function check_lists(what, list)
  if not is_plain(list) then fail("%s: expected a list of lists of words, got %s", what, type(list)) end
  for i, sentence in ipairs(list) do
    if not is_plain(sentence) then
      fail("%s: expected a list of lists of words, got %s at %d", what, type(sentence), i)
    end
  end
  return list
end

local DEFAULTS = { invalid_label = -1, start_label = 0 }
local read_encode = arguments.new("encode_sentences",
  "sentences[] vocab{} invalid_label invalid_key start_label unknown_token", DEFAULTS)
local read_options = arguments.new("encode_sentences",
  "sentences[] vocab invalid_label invalid_key start_label unknown_token", DEFAULTS)

-- Are all keys of the second and last of n arguments options, not words?
local function has_options(n, _, last)
  if n ~= 2 or not is_plain(last) or next(last) == nil then return false end
  for key in pairs(last) do if not read_options.known[key] then return false end end
  return true
end

--- encode_sentences(sentences, vocab, invalid_label = -1, invalid_key = "\n", start_label = 0, unknown_token = nil):
-- the sentences as lists of numbers, and the vocabulary, a table of numbers by word. Without vocab a new one is made,
-- from start_label on; a given one is extended only with unknown_token. Errors: an unknown word.
function sentences.encode_sentences(...)
  local o = (has_options(select("#", ...), ...) and read_options or read_encode)(...)
  local made, next_index, encoded = o.vocab == nil, o.start_label, {}
  local vocab = o.vocab or { [o.invalid_key or "\n"] = o.invalid_label }
  for i, sentence in ipairs(check_lists("encode_sentences: sentences", o.sentences)) do
    encoded[i] = {}
    for k, word in ipairs(sentence) do
      if vocab[word] == nil then
        if not made and not o.unknown_token then fail("encode_sentences: Unknown token %s", tostring(word)) end
        if next_index == o.invalid_label then next_index = next_index + 1 end
        if o.unknown_token then word = o.unknown_token end
        vocab[word] = next_index
        next_index = next_index + 1
      end
      encoded[i][k] = vocab[word]
    end
  end
  return encoded, vocab
end

--- BucketSentenceIter(sentences, batch_size, {buckets = nil, invalid_label = -1, data_name = "data", label_name =
-- "softmax_label", dtype = "float32", layout = "NT"}): batches of encoded sentences, each padded with invalid_label to
-- the length of its bucket; the label is the next word. buckets: lengths; by default those of at least batch_size
-- sentences. Sentences longer than the largest bucket are left out, with a warning.
local BucketSentenceIter = io_data_iter.DataIter:subclass "BucketSentenceIter"
sentences.BucketSentenceIter = BucketSentenceIter

local read_iter = arguments.new("BucketSentenceIter",
  "sentences batch_size buckets invalid_label data_name label_name dtype layout",
  { invalid_label = -1, data_name = "data", label_name = "softmax_label", dtype = "float32", layout = "NT" })

-- The lengths of at least `least` sentences.
local function usual_lengths(list, least)
  local counts, lengths = {}, {}
  for _, sentence in ipairs(list) do counts[#sentence] = (counts[#sentence] or 0) + 1 end
  for length, count in pairs(counts) do if count >= least then lengths[#lengths + 1] = length end end
  return lengths
end

-- The sentences of each bucket, padded; and the number of those that fit none.
local function fill(self, list, buckets)
  local rows, left_out = {}, 0
  for i in ipairs(buckets) do rows[i] = {} end
  for _, sentence in ipairs(list) do
    local at = 1
    while buckets[at] and buckets[at] < #sentence do at = at + 1 end
    if not buckets[at] then
      left_out = left_out + 1
    else
      local row = table.move(sentence, 1, #sentence, 1, {})
      for k = #row + 1, buckets[at] do row[k] = self.invalid_label end
      table.insert(rows[at], row)
    end
  end
  return rows, left_out
end

function BucketSentenceIter:init(...)
  local o = read_iter(...)
  local what = "BucketSentenceIter"
  io_data_iter.DataIter.init(self, checks.whole(what .. ": batch_size", o.batch_size, 1))
  for _, name in ipairs { "data_name", "label_name", "dtype", "invalid_label" } do self[name] = o[name] end
  self.layout = checks.choice(what .. ": layout", o.layout, "NT", "TN")
  local list = check_lists(what .. ": sentences", o.sentences)
  local buckets = o.buckets and table.move(o.buckets, 1, #o.buckets, 1, {}) or usual_lengths(list, self.batch_size)
  table.sort(buckets)
  local rows, left_out = fill(self, list, buckets)
  self.data, self.buckets = {}, {}
  for i, bucket in ipairs(rows) do
    if #bucket > 0 then
      self.data[#self.data + 1], self.buckets[#self.buckets + 1] = nd.array(bucket, { dtype = self.dtype }), buckets[i]
    end
  end
  if left_out > 0 then
    log.getLogger():warning("discarded %d sentences longer than the largest bucket.", left_out)
  end
  if #self.data == 0 then
    fail("%s: buckets: expected a bucket with sentences, got none; no length has %d sentences", what, self.batch_size)
  end
  self.default_bucket_key = self.buckets[#self.buckets]
  self.provide_data = { self:_describe(self.data_name, self.default_bucket_key) }
  self.provide_label = { self:_describe(self.label_name, self.default_bucket_key) }
  self:reset()
end

function BucketSentenceIter:_describe(name, length)
  local shape = self.layout == "NT" and { self.batch_size, length } or { length, self.batch_size }
  return DataDesc(name, shape, { layout = self.layout, dtype = self.dtype })
end

--- Begins a new pass, in a new order of batches, and of sentences in each bucket.
function BucketSentenceIter:reset()
  local places = {}
  self._label = {}
  for i, bucket in ipairs(self.data) do
    bucket = nd.shuffle(bucket)
    self.data[i] = bucket
    local length = self.buckets[i]
    local last = nd.full({ #bucket, 1 }, self.invalid_label, { dtype = self.dtype })
    self._label[i] = length == 1 and last or nd.concat({ bucket[{ {}, { 1, length } }], last }, { dim = 1 })
    for first = 0, #bucket - self.batch_size, self.batch_size do places[#places + 1] = { i, first } end
  end
  self.idx, self.curr_idx = {}, 0
  if #places == 0 then return end
  for k, at in ipairs(nd.shuffle(nd.arange(#places)):totable()) do self.idx[k] = places[at + 1] end
end

--- The next DataBatch, with its bucket_key; nil after the last one.
function BucketSentenceIter:next()
  local place = self.idx[self.curr_idx + 1]
  if not place then return nil end
  self.curr_idx = self.curr_idx + 1
  local i, rows = place[1], { { place[2], place[2] + self.batch_size } }
  local data, label = self.data[i][rows], self._label[i][rows]
  if self.layout == "TN" then data, label = data.T, label.T end
  return DataBatch({ data }, { label }, { pad = 0, bucket_key = self.buckets[i],
    provide_data = { self:_describe(self.data_name, self.buckets[i]) },
    provide_label = { self:_describe(self.label_name, self.buckets[i]) } })
end

arguments.as_above(BucketSentenceIter)

return sentences
