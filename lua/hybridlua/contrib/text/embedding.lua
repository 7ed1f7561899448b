-- contrib/text/embedding.lua - vectors of words, from files of text: a word and its numbers per line. Nothing is
-- downloaded: GloVe's and fastText's files are looked for in a folder.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local registry = require "hybridlua.registry"
local vocab = require "hybridlua.contrib.text.vocab"
local warn = require "hybridlua.language.warn"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local embedding = {}

-- ---- The base ----------------------------------------------------------------------------------------------------

-- A Vocabulary with a vector per word. Fields: vec_len; idx_to_vec, an array (words, vec_len).
local TokenEmbedding = vocab.Vocabulary:subclass "_TokenEmbedding"
embedding._TokenEmbedding = TokenEmbedding

local OWN = { init_unknown_vec = true, vocabulary = true, embedding_root = true, pretrained_file_name = true,
  pretrained_file_path = true, elem_delim = true, encoding = true }

local function index_by(self, o)
  local options = { min_freq = 1, unknown_token = "<unk>" }
  for key, value in pairs(o) do if not OWN[key] then options[key] = value end end
  self:_index(options)
end

-- The parts of a line between delimiters.
local function split(line, delimiter)
  local parts, from = {}, 1
  while true do
    local first, last = line:find(delimiter, from, true)
    parts[#parts + 1] = line:sub(from, (first or 0) - 1)
    if not first then return parts end
    from = last + 1
  end
end

local ROWS = 4096              -- of the blocks in which vectors become arrays

-- Collects rows of numbers, in blocks.
local function new_rows() return { blocks = {}, rows = {} } end

local function flush(r)
  if #r.rows > 0 then r.blocks[#r.blocks + 1] = nd.array(r.rows) end
  r.rows = {}
end

local function add_row(r, row)
  r.rows[#r.rows + 1] = row
  if #r.rows == ROWS then flush(r) end
end

local function add_zeros(r, n, length)
  for _ = 1, n do
    local row = {}
    for i = 1, length do row[i] = 0 end
    add_row(r, row)
  end
end

local function all_rows(r)
  flush(r)
  return #r.blocks == 1 and r.blocks[1] or nd.concat(r.blocks, { dim = 0 })
end

-- The word and the numbers of a line.
local function read_line(path, number, line, delimiter)
  local parts = split(line:gsub("%s+$", ""), delimiter)
  if #parts < 2 then
    fail("At line %d of the pre-trained text embedding file: the data format of the pre-trained token embedding " ..
      "file %s is unexpected.", number, path)
  end
  local row = {}
  for i = 2, #parts do
    row[i - 1] = tonumber(parts[i])
    if not row[i - 1] then
      fail("At line %d of the pre-trained text embedding file %s: expected a number, got '%s'", number, path, parts[i])
    end
  end
  return parts[1], row
end

local function check_length(number, token, row, vec_len)
  if vec_len and #row ~= vec_len then
    fail("At line %d of the pre-trained token embedding file: the dimension of token %s is %d but the dimension of " ..
      "previous tokens is %d. Dimensions of all the tokens must be the same.", number, token, #row, vec_len)
  end
end

--- Reads the words and vectors of a file. Index 0 is the unknown word's vector: the file's, or init_unknown_vec.
function TokenEmbedding:_load(path, delimiter, init_unknown_vec)
  path = folders.expanded(checks.string("embedding: pretrained_file_path", path))
  local file, why = io.open(path, "rb")
  if not file then
    fail("pretrained_file_path must be a valid path to the pre-trained token embedding file: %s", why)
  end
  local _ <close> = file
  local rows, reserved, seen, number, unknown, unknown_line = new_rows(), {}, {}, 0, nil, nil
  for line in file:lines() do
    number = number + 1
    local token, row = read_line(path, number, line, delimiter)
    if token == self.unknown_token and not unknown then
      unknown, unknown_line, seen[token] = row, number, true
    elseif seen[token] then
      warn.here("At line %d of the pre-trained token embedding file: the embedding vector for token %s has been " ..
        "loaded and a duplicate embedding for the same token is seen and skipped.", number, token)
    elseif #row == 1 then
      warn.here("At line %d of the pre-trained text embedding file: token %s with 1-dimensional vector %s is likely " ..
        "a header and is skipped.", number, token, tostring(row[1]))
    else
      check_length(number, token, row, self.vec_len)
      if not self.vec_len then
        self.vec_len = #row
        add_zeros(rows, #self, self.vec_len)              -- of the unknown and the reserved words
      end
      if self.token_to_idx[token] then
        reserved[self.token_to_idx[token]] = row
      else
        self:_add(token)
        add_row(rows, row)
      end
      seen[token] = true
    end
  end
  if not self.vec_len then fail("embedding: %s: expected words with vectors, got none", path) end
  if unknown then check_length(unknown_line, self.unknown_token, unknown, self.vec_len) end
  self.idx_to_vec = all_rows(rows)
  for index, row in pairs(reserved) do self.idx_to_vec[index] = nd.array(row) end
  self.idx_to_vec[0] = unknown and nd.array(unknown) or init_unknown_vec { shape = { self.vec_len } }
end

-- Vectors for the words of a vocabulary, from several embeddings side by side.
function TokenEmbedding:_take(vocabulary, embeddings)
  local parts = {}
  for i, one in ipairs(embeddings) do
    parts[i] = one:get_vecs_by_tokens(vocabulary.idx_to_token)
    parts[i][0] = one.idx_to_vec[0]
  end
  self.idx_to_vec = #parts == 1 and parts[1] or nd.concat(parts, { dim = 1 })
  self.vec_len = self.idx_to_vec.shape[2]
  self.token_to_idx, self.idx_to_token = {}, {}
  for _, token in ipairs(vocabulary.idx_to_token) do self:_add(token) end
  self.unknown_token, self.reserved_tokens = vocabulary.unknown_token, vocabulary.reserved_tokens
end

local function check_vocabulary(what, vocabulary)
  checks.instance(what .. ": vocabulary", vocabulary, vocab.Vocabulary, "a Vocabulary")
end

--- get_vecs_by_tokens(tokens, lower_case_backup = false): the vector of a word, or an array of the vectors of a list;
-- unknown words have the unknown word's. lower_case_backup: unknown words are looked for in lower case.
function TokenEmbedding:get_vecs_by_tokens(tokens, lower_case_backup)
  local one = not is_plain(tokens)
  local indices = {}
  for i, token in ipairs(one and { tokens } or tokens) do
    local index = self.token_to_idx[token]
    if not index and lower_case_backup then index = self.token_to_idx[token:lower()] end
    indices[i] = index or 0
  end
  if #indices == 0 then fail "get_vecs_by_tokens: tokens: expected at least one word, got none" end
  local vectors = nd.Embedding(nd.array(indices), self.idx_to_vec,
    { input_dim = self.idx_to_vec.shape[1], output_dim = self.vec_len })
  return one and vectors[0] or vectors
end

--- update_token_vectors(tokens, new_vectors): sets the vectors of a word or of a list of words. Errors: unknown words.
function TokenEmbedding:update_token_vectors(tokens, new_vectors)
  local list = is_plain(tokens) and tokens or { tokens }
  if not is_array(new_vectors) then
    fail("update_token_vectors: new_vectors: expected an NDArray, got %s", type(new_vectors))
  end
  if #list == 1 and new_vectors.ndim == 1 then new_vectors = new_vectors:expand_dims { axis = 0 } end
  if new_vectors.ndim ~= 2 or new_vectors.shape[1] ~= #list or new_vectors.shape[2] ~= self.vec_len then
    fail("update_token_vectors: new_vectors: expected shape (%d, %d), got %s", #list, self.vec_len,
      tostring(new_vectors.shape))
  end
  for _, token in ipairs(list) do
    if not self.token_to_idx[token] then
      fail("Token %s is unknown. To update the embedding vector for an unknown token, please specify it explicitly " ..
        "as the unknown_token %s in tokens. This is to avoid unintended updates.", tostring(token), self.unknown_token)
    end
  end
  for i, token in ipairs(list) do self.idx_to_vec[self.token_to_idx[token]] = new_vectors[i - 1] end
end

-- ---- Embeddings --------------------------------------------------------------------------------------------------

local OPTIONS = " init_unknown_vec vocabulary " .. vocab.OPTIONS

local function finish(self, o)
  if o.vocabulary then
    check_vocabulary(class.of(self).__name__, o.vocabulary)
    self:_take(o.vocabulary, { self })
  end
end

--- CustomEmbedding(pretrained_file_path, {elem_delim = " ", encoding = "utf8", init_unknown_vec = nd.zeros,
-- vocabulary = nil}): the vectors in a file of text; with a vocabulary those of its words. Options of Vocabulary too.
local CustomEmbedding = TokenEmbedding:subclass "CustomEmbedding"
embedding.CustomEmbedding = CustomEmbedding

local read_custom = arguments.new("CustomEmbedding", "pretrained_file_path elem_delim encoding" .. OPTIONS,
  { elem_delim = " ", encoding = "utf8", init_unknown_vec = nd.zeros })

function CustomEmbedding:init(...)
  local o = read_custom(...)
  checks.choice("CustomEmbedding: encoding", o.encoding, "utf8", "utf-8")
  if checks.string("CustomEmbedding: elem_delim", o.elem_delim) == "" then
    fail "CustomEmbedding: elem_delim: expected a delimiter, got an empty string"
  end
  index_by(self, o)
  self:_load(o.pretrained_file_path, o.elem_delim, o.init_unknown_vec)
  finish(self, o)
end

--- CompositeEmbedding(vocabulary, token_embeddings): for each word of the vocabulary the vectors of one or several
-- embeddings, joined.
local CompositeEmbedding = TokenEmbedding:subclass "CompositeEmbedding"
embedding.CompositeEmbedding = CompositeEmbedding

local read_composite = arguments.new("CompositeEmbedding", "vocabulary token_embeddings[]")

function CompositeEmbedding:init(...)
  local o = read_composite(...)
  check_vocabulary("CompositeEmbedding", o.vocabulary)
  local list = class.is_a(o.token_embeddings, TokenEmbedding) and { o.token_embeddings } or o.token_embeddings
  if not is_plain(list) or #list == 0 then
    fail("CompositeEmbedding: token_embeddings: expected an embedding or a list, got %s", type(list))
  end
  for _, one in ipairs(list) do
    checks.instance("CompositeEmbedding: token_embeddings", one, TokenEmbedding, "an embedding")
  end
  self:_take(o.vocabulary, list)
end

-- ---- Files of others ---------------------------------------------------------------------------------------------

local register = registry.get_register_func(TokenEmbedding, "token embedding")
local make = registry.get_create_func(TokenEmbedding, "token embedding")

--- register(class): registers a subclass of an embedding, for create, and returns it.
function embedding.register(cls) return register(cls) end

--- create(embedding_name, options): an embedding by name: "glove", "fasttext", or one that was registered.
function embedding.create(embedding_name, ...) return make(embedding_name, ...) end

local function default_root()
  return (os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet") .. "/embeddings"
end

-- A class whose files are root/name/file.
local function define(name, default_file)
  local key = name:lower()
  local Pretrained = TokenEmbedding:subclass(name)
  embedding[name] = register(Pretrained)
  local read = arguments.new(name, "pretrained_file_name embedding_root" .. OPTIONS,
    { pretrained_file_name = default_file, init_unknown_vec = nd.zeros })

  function Pretrained:init(...)
    local o = read(...)
    local known = {}
    for _, file in ipairs(embedding.get_pretrained_file_names(key)) do known[file] = true end
    if not known[o.pretrained_file_name] then
      fail("Cannot find pretrained file %s for token embedding %s. Valid pretrained files: write " ..
        "hl.contrib.text.embedding.get_pretrained_file_names '%s'", tostring(o.pretrained_file_name), key, key)
    end
    local root = checks.string(name .. ": embedding_root", o.embedding_root or default_root())
    local path = ("%s/%s/%s"):format(folders.expanded(root):gsub("/+$", ""), key, o.pretrained_file_name)
    if not core.file.exists(path) then
      fail("%s: expected the file %s in a folder; nothing is downloaded: put it into %s", name,
        o.pretrained_file_name, folders.of(path))
    end
    index_by(self, o)
    self:_load(path, " ", o.init_unknown_vec)
    finish(self, o)
  end
end

--- get_pretrained_file_names(embedding_name): the names of the files that an embedding has, or without a name a table
-- of all lists.
function embedding.get_pretrained_file_names(embedding_name)
  local names, all = require "hybridlua.contrib.text.pretrained_names", {}
  for name in pairs(registry.get_registry(TokenEmbedding)) do
    all[name] = table.move(names[name] or {}, 1, #(names[name] or {}), 1, {})
  end
  if embedding_name == nil then return all end
  if not all[embedding_name] then
    fail("Cannot find embedding_name %s. Use get_pretrained_file_names() to get all the valid embedding names.",
      tostring(embedding_name))
  end
  return all[embedding_name]
end

--- GloVe{pretrained_file_name = "glove.840B.300d.txt", embedding_root = "~/.mxnet/embeddings"}: vectors of the GloVe
-- project; the file is embedding_root/glove/pretrained_file_name ($MXNET_HOME/embeddings if that variable is set).
-- Further options: init_unknown_vec, vocabulary, and Vocabulary's.
define("GloVe", "glove.840B.300d.txt")

--- FastText{pretrained_file_name = "wiki.simple.vec", embedding_root = "~/.mxnet/embeddings"}: the same for vectors of
-- fastText, in embedding_root/fasttext.
define("FastText", "wiki.simple.vec")

arguments.methods(TokenEmbedding, "", { get_vecs_by_tokens = "tokens[] lower_case_backup",
  update_token_vectors = "tokens[] new_vectors" })
arguments.functions(embedding, "text.embedding.", { register = "embedding_cls", get_pretrained_file_names =
  "embedding_name" })

return require "hybridlua.language.module"(embedding, "hybridlua.contrib.text.embedding")
