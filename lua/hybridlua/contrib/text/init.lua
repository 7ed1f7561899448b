-- contrib/text - vocabularies and embeddings of words: mx.contrib.text.
return require "hybridlua.language.module"({}, "hybridlua.contrib.text", { vocab = "hybridlua.contrib.text.vocab",
  utils = "hybridlua.contrib.text.count_tokens", embedding = "hybridlua.contrib.text.embedding" })
