-- contrib/data/text.lua - gluon.contrib.data.text: WikiText2 and WikiText103, texts of Wikipedia as sequences of the
-- numbers of words (S. Merity et al., "Pointer sentinel mixture models", 2016). Nothing is downloaded.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local texts = require "hybridlua.contrib.text.count_tokens"
local ArrayDataset = require "hybridlua.gluon.data.dataset".ArrayDataset
local Vocabulary = require "hybridlua.contrib.text.vocab".Vocabulary

local nd = core.op.nd

local END = "<eos>"                            -- after the words of each line
local FILES = { train = "wiki.train.tokens", validation = "wiki.valid.tokens", test = "wiki.test.tokens" }

local function read_text(name, root, segment)
  local file = FILES[segment]
  for _, folder in ipairs { root, root .. "/" .. name } do
    local path = ("%s/%s"):format(folder, file)
    if core.file.exists(path) then
      local input <close> = io.open(path, "rb")
      return input:read "a"
    end
  end
  fail("%s: '%s' is not in '%s'. Unpack MXNet's %s-v1.zip there, or give another folder as root; nothing is " ..
    "downloaded.", name == "wikitext-2" and "WikiText2" or "WikiText103", file, root, name)
end

-- The words of all lines that have some, each line's followed by the end of a sentence.
local function words_of(text)
  local words = {}
  for line in text:gmatch "[^\r\n]+" do
    local before = #words
    for word in line:gmatch "%S+" do words[#words + 1] = word end
    if #words > before then words[#words + 1] = END end
  end
  return words
end

local function define(class_name, name)
  local cls = ArrayDataset:subclass(class_name)
  local read = arguments.new(class_name, "root segment vocab seq_len", { segment = "train", seq_len = 35 })
  function cls:init(...)
    local o = read(...)
    checks.choice(class_name .. ": segment", o.segment, "train", "validation", "test")
    local length = checks.whole(class_name .. ": seq_len", o.seq_len, 1)
    if o.vocab ~= nil then checks.instance(class_name .. ": vocab", o.vocab, Vocabulary, "a Vocabulary") end
    local home = os.getenv "MXNET_HOME" or (os.getenv "HOME" or "") .. "/.mxnet"
    local root = o.root and checks.string(class_name .. ": root", o.root) or ("%s/datasets/%s"):format(home, name)
    local text = read_text(name, folders.expanded(root):gsub("(.)/+$", "%1"), o.segment)
    self.frequencies = texts.count_tokens_from_str(text)
    self.vocabulary = o.vocab or Vocabulary(self.frequencies, { reserved_tokens = { END } })
    local numbers = nd.array(self.vocabulary:to_indices(words_of(text)), { dtype = "int32" })
    local n = (#numbers - 1) // length
    if n < 1 then fail("%s: seq_len: the text has fewer than %d words", class_name, length + 1) end
    local function rows(from) return numbers[{ { from, from + n * length } }]:reshape { n, length } end
    ArrayDataset.init(self, rows(0), rows(1))
  end
  arguments.as_above(cls)
  return cls
end

--- WikiText2{root = "~/.mxnet/datasets/wikitext-2", segment = "train", vocab = nil, seq_len = 35}: samples of seq_len
-- numbers of words and, as labels, the numbers of the words after them, int32; each line ends in "<eos>". segment:
-- "train", "validation", "test", read from wiki.train.tokens and so on in the folder root. vocab: a Vocabulary; nil:
-- one of this text. Fields: vocabulary, frequencies (counts by word). Errors: a missing file.
local WikiText2 = define("WikiText2", "wikitext-2")

--- WikiText103{root = "~/.mxnet/datasets/wikitext-103", segment = "train", vocab = nil, seq_len = 35}: the same for the
-- larger text.
local WikiText103 = define("WikiText103", "wikitext-103")

return require "hybridlua.language.module"({ WikiText2 = WikiText2, WikiText103 = WikiText103 },
  "hybridlua.gluon.contrib.data.text")
