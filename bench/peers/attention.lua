-- attention.lua - hybridlua's side of attention.py (turns.lua).
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local turns = require "turns"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, cn = gluon.nn, gluon.contrib.nn

local VOCABULARY = 500

local works = {}

local function attention(causal)
  local function random() return nd.random.normal { shape = { 1, 8, 1024, 64 } } end
  local q, k, v, g = random(), random(), random(), random()
  for _, x in ipairs { q, k, v } do x:attach_grad() end
  return function()
    autograd.record(function() return nd.contrib.attention(q, k, v, { causal = causal }) end):backward(g)
  end
end

works["attention 8x64, 1024 tokens, with gradient"] = function() return attention(false) end
works["the same, causal"] = function() return attention(true) end

-- Maps words to scores; with caches, returns the new caches, too.
local Gpt = gluon.HybridBlock:subclass "Gpt"

function Gpt:init(layers, units, heads)
  self.embed, self.cells = nn.Embedding(VOCABULARY, units), {}
  for i = 1, layers do
    self.cells[i] = cn.TransformerEncoderCell(units, 4 * units, heads, { causal = true, pre_norm = true,
                                                                        activation = "gelu" })
  end
  self.norm, self.out = nn.LayerNorm(), nn.Dense(VOCABULARY, { flatten = false })
end

function Gpt:hybrid_forward(_, words, caches, position)
  local x, after = self.embed(words), {}
  for i, cell in ipairs(self.cells) do
    if caches then x, after[i] = cell(x, nil, nil, caches[i], position) else x = cell(x) end
  end
  x = self.out(self.norm(x))
  if caches then return x, after end
  return x
end

local function words() return nd.random.randint(0, VOCABULARY, { shape = { 16, 64 } }) end

works["transformer 4x256, 64 tokens x 16, training"] = function()
  return turns.training(Gpt(4, 256, 4), words(), words())
end

works["GPT 3x96, batch 1, generating 256 tokens"] = function()
  local net = turns.ready(Gpt(3, 96, 4))
  return function()
    local caches, word = {}, nd.zeros { 1, 1 }
    for i, cell in ipairs(net.cells) do caches[i] = cell:begin_cache(1, 256, { in_place = true }) end
    for t = 0, 255 do
      local scores, after = net(word, caches, nd.array { t })
      word, caches = scores:argmax { axis = 2 }, after
      word:asscalar()
    end
  end
end

turns.take(works)
