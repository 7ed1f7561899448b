-- contrib/text/vocab.lua - Vocabulary: the numbers of words. As inside arrays, numbers begin at 0, which is the unknown
-- word's; idx_to_token is a list of Lua, so the word with number i is idx_to_token[i + 1].
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_plain = core.script.is_plain

local vocab = {}

--- Vocabulary(counter, {most_freq_count = nil, min_freq = 1, unknown_token = "<unk>", reserved_tokens = nil}): numbers
-- for the unknown word, the reserved words, and the words of counter (a table of counts by word), the most frequent
-- first and equal counts in alphabetic order. Fields: token_to_idx, idx_to_token, unknown_token, reserved_tokens.
local Vocabulary = class.root("Vocabulary", class.new)
vocab.Vocabulary = Vocabulary

local read = arguments.new("Vocabulary", "counter{} most_freq_count min_freq unknown_token reserved_tokens",
  { min_freq = 1, unknown_token = "<unk>" })
vocab.OPTIONS = "counter most_freq_count min_freq unknown_token reserved_tokens"

local function reserve(self, tokens)
  if tokens == nil then return end
  if not is_plain(tokens) then fail("Vocabulary: reserved_tokens: expected a list of words, got %s", type(tokens)) end
  self.reserved_tokens = table.move(tokens, 1, #tokens, 1, {})
  for _, token in ipairs(tokens) do
    if token == self.unknown_token then fail "reserved_tokens cannot contain unknown_token." end
    if self.token_to_idx[token] then fail "reserved_tokens cannot contain duplicate reserved tokens." end
    self:_add(token)
  end
end

local function by_count(counter)
  local tokens = {}
  for token, count in pairs(counter) do
    if math.type(count) ~= "integer" then
      fail("Vocabulary: counter: expected a count for '%s', got %s", tostring(token), tostring(count))
    end
    tokens[#tokens + 1] = token
  end
  table.sort(tokens, function(a, b)
    if counter[a] ~= counter[b] then return counter[a] > counter[b] end
    return a < b
  end)
  return tokens
end

function Vocabulary:_add(token)
  self.token_to_idx[token] = #self.idx_to_token
  self.idx_to_token[#self.idx_to_token + 1] = token
end

-- Numbers words by options as Vocabulary's.
function Vocabulary:_index(o)
  self.token_to_idx, self.idx_to_token, self.unknown_token = {}, {}, o.unknown_token
  checks.whole("Vocabulary: min_freq", o.min_freq, 1)
  self:_add(o.unknown_token)
  reserve(self, o.reserved_tokens)
  if o.counter == nil then return end
  if not is_plain(o.counter) then
    fail("Vocabulary: counter: expected a table of counts by word, got %s", type(o.counter))
  end
  local left = o.most_freq_count and checks.whole("Vocabulary: most_freq_count", o.most_freq_count, 0) or math.huge
  for _, token in ipairs(by_count(o.counter)) do
    if o.counter[token] < o.min_freq or left == 0 then break end
    if not self.token_to_idx[token] then
      self:_add(token)
      left = left - 1
    end
  end
end

function Vocabulary:init(...) self:_index(read(...)) end

function Vocabulary:__len() return #self.idx_to_token end

--- to_indices(tokens): the number of a word, or a list of numbers for a list; 0 for unknown words.
function Vocabulary:to_indices(tokens)
  if not is_plain(tokens) then return self.token_to_idx[tokens] or 0 end
  local indices = {}
  for i, token in ipairs(tokens) do indices[i] = self.token_to_idx[token] or 0 end
  return indices
end

local function token_at(self, index)
  local whole = type(index) == "number" and math.tointeger(index)
  local token = whole and self.idx_to_token[whole + 1]
  if token == nil then
    fail("to_tokens: Token index %s in the provided indices is invalid; expected 0 to %d.", tostring(index), #self - 1)
  end
  return token
end

--- to_tokens(indices): the word with a number, or a list of words for a list.
function Vocabulary:to_tokens(indices)
  if not is_plain(indices) then return token_at(self, indices) end
  local tokens = {}
  for i, index in ipairs(indices) do tokens[i] = token_at(self, index) end
  return tokens
end

arguments.methods(Vocabulary, "Vocabulary.", { to_indices = "tokens[]", to_tokens = "indices[]" })

return require "hybridlua.language.module"(vocab, "hybridlua.contrib.text.vocab")
