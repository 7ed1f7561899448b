-- write.lua - a small network learns from hybridlua's own guide to write text character by character.
--
--   hybridlua examples/write.lua --model lstm          two layers of LSTM, which keep a state
--   hybridlua examples/write.lua --model gpt           three layers of attention over all earlier characters
--   ... --save here                                    saves the result in here.params, here.states and here.lua
--   ... --continue here --steps 1200                   continues; the checksum is the same as without the stop
--
-- Each model is one block: model(words) returns the scores of each next character. To write, it is called with its
-- memory, model(words, memory, position), one character at a time, and also returns the memory. The gpt's memory is its
-- keys and values in arrays of fixed size, so all positions run the same compiled function.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn, contrib = gluon.nn, gluon.rnn, gluon.contrib

local options = hl.options {
  model = { "lstm", "what learns", choices = { "lstm", "gpt" } },
  text = { type = "string", doc = "the file to learn from; without it the guide", word = "FILE" },
  steps = { 800, "batches to learn from, those of a model that is continued included", least = 0 },
  batch_size = { 24, "excerpts of the text per step", least = 1 },
  tokens = { 64, "characters of an excerpt", least = 2 },
  lr = { 0.003, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  write = { 300, "characters to write in the end", least = 0 },
  temperature = { 0.7, "how bold the writing is: 0 takes the likeliest character each time", word = "X" },
  prompt = { "## ", "what the writing continues", word = "TEXT" },
  save = { type = "string", doc = "where to keep the model" },
  continue = { type = "string", doc = "a model that was saved" },
  eager = { false, "learn without hybridize" },
}

-- ---- The text -----------------------------------------------------------------------------------------------------

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function guide()
  local folder, parts = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../docs/", {}
  for name in read(folder .. "guide.md"):gmatch "guide/[%w_]+%.md" do parts[#parts + 1] = read(folder .. name) end
  return table.concat(parts)
end

-- The bytes that occur, in order; the network reads their indices.
local function alphabet_of(text)
  local there, bytes, place = {}, {}, {}
  for i = 1, #text do there[text:byte(i)] = true end
  for byte = 0, 255 do
    if there[byte] then
      bytes[#bytes + 1] = byte
      place[byte] = #bytes - 1
    end
  end
  return bytes, place
end

local function encode(text, place)
  local list = {}
  for i = 1, #text do list[i] = place[text:byte(i)] or 0 end
  return nd.array(list, { dtype = "int32" })
end

-- ---- The models ---------------------------------------------------------------------------------------------------

local Lstm = gluon.HybridBlock:subclass "Lstm"

function Lstm:init(characters)
  self.embed = nn.Embedding(characters, 64)
  self.lstm = rnn.LSTM(128, 2, { layout = "NTC", dropout = 0.1 })
  self.out = nn.Dense(characters, { flatten = false })
end

function Lstm:memory() return self.lstm:begin_state(1) end

function Lstm:hybrid_forward(_, words, memory)
  local x = self.embed(words)
  if not memory then return self.out(self.lstm(x)) end
  local y, after = self.lstm(x, memory)
  return self.out(y), after
end

local Gpt = gluon.HybridBlock:subclass "Gpt"

function Gpt:init(characters)
  self.embed, self.cells = nn.Embedding(characters, 96), {}
  for i = 1, 3 do
    self.cells[i] = contrib.nn.TransformerEncoderCell(96, 256, 4, {
      causal = true, rotary = true, pre_norm = true, norm = "rms", activation = "gelu", dropout = 0.1 })
  end
  self.norm = contrib.nn.RMSNorm()
  self.out = nn.Dense(characters, { flatten = false })
end

function Gpt:memory()
  local caches = {}
  for i, cell in ipairs(self.cells) do caches[i] = cell:begin_cache(1, options.tokens, { in_place = true }) end
  return caches
end

function Gpt:hybrid_forward(_, words, memory, position)
  local x, after = self.embed(words), {}
  for i, cell in ipairs(self.cells) do
    if memory then x, after[i] = cell(x, nil, nil, memory[i], position) else x = cell(x) end
  end
  x = self.out(self.norm(x))
  if memory then return x, after end
  return x
end

-- ---- Learning -----------------------------------------------------------------------------------------------------

-- Excerpts of the text that begin at these positions: characters, and the next character of each.
local function excerpts(codes, starts)
  local at = nd.broadcast_add(starts:reshape { -1, 1 }, nd.arange(options.tokens, { dtype = "int32" }):reshape { 1, -1 })
  return codes:take(at), codes:take(at + 1)
end

-- A step's excerpts and dropout depend only on the seed and its number, so training can continue at any time.
local function learn(model, trainer, codes, from)
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  local bar = hl.progress(options.steps - from, { desc = options.model })
  for i in bar do
    hl.random.seed(options.seed * 1000003 + from + i)
    local starts = nd.random.randint(0, #codes - options.tokens - 1, { shape = { options.batch_size } })
    local words, nexts = excerpts(codes, starts:astype "int32")
    local loss = autograd.record(function() return loss_of(model(words), nexts):mean() end)
    loss:backward()
    trainer:step(1)
    if i % 10 == 0 then bar:postfix { loss = loss:asscalar() } end
  end
end

-- Mean loss on text that is not trained on.
local function loss_on(model, codes)
  local starts = nd.arange(0, #codes - options.tokens - 1, options.tokens, { dtype = "int32" })
  local words, nexts = excerpts(codes, starts)
  return gluon.loss.SoftmaxCrossEntropyLoss()(model(words), nexts):mean():asscalar()
end

-- ---- Writing ------------------------------------------------------------------------------------------------------

local function choose(scores)
  if options.temperature <= 0 then return scores:argmax { axis = 0 }:asscalar() end
  return nd.random.multinomial(nd.softmax(scores / options.temperature)):asscalar()
end

-- The gpt's memory is full after options.tokens characters; then it reads the second half of them again.
local function write(model, place, bytes)
  local line, memory, at = {}, model:memory(), 0
  for i = 1, #options.prompt do line[i] = place[options.prompt:byte(i)] or 0 end
  local fresh = math.max(1, #line - options.tokens // 2)
  if #line == 0 then line[1] = 0 end
  local first = #line
  while #line - first < options.write do
    if options.model == "gpt" and at + #line - fresh + 1 > options.tokens then
      memory, at, fresh = model:memory(), 0, #line - options.tokens // 2
    end
    local words = nd.array({ table.move(line, fresh, #line, 1, {}) }, { dtype = "int32" })
    local scores
    scores, memory = model(words, memory, options.model == "gpt" and nd.array({ at }, { dtype = "int32" }) or nil)
    at, fresh = at + #line - fresh + 1, #line + 1
    line[fresh] = math.tointeger(choose(scores[{ 0, -1 }]))
  end
  for i, code in ipairs(line) do line[i] = string.char(bytes[code + 1]) end
  return table.concat(line)
end

-- ---- Files --------------------------------------------------------------------------------------------------------

local KEPT = { "model", "tokens", "batch_size", "seed", "lr" }

local function save(name, model, trainer)
  model:save_parameters(name .. ".params")
  trainer:save_states(name .. ".states")
  local words = { ("steps = %d"):format(options.steps) }
  for _, key in ipairs(KEPT) do words[#words + 1] = ("%s = %q"):format(key, options[key]) end
  local file <close> = assert(io.open(name .. ".lua", "w"))
  file:write("return { " .. table.concat(words, ", ") .. " }\n")
  print(("saved %s.params, %s.states, %s.lua"):format(name, name, name))
end

-- FNV-1a over the 32-bit words of all parameters: equal networks have equal checksums.
local function checksum(model)
  local hash = 0xcbf29ce484222325
  for _, param in model:collect_params():items() do
    local bytes = param:data():tobytes()
    for at = 1, #bytes, 4 do hash = (hash ~ string.unpack("<I4", bytes, at)) * 0x100000001b3 end
  end
  return hash
end

-- ---- All together -------------------------------------------------------------------------------------------------

local from = 0
if options.continue then
  local before = assert(load(read(options.continue .. ".lua"), "=" .. options.continue, "t", {}))()
  for _, key in ipairs(KEPT) do options[key] = before[key] end
  from = before.steps
end

local text = options.text and read(options.text) or guide()
local bytes, place = alphabet_of(text)
local codes = encode(text, place)
local learned = #codes * 9 // 10
print(("%d characters to learn from, %d kinds of them"):format(learned, #bytes))

hl.random.seed(options.seed)
local model = (options.model == "gpt" and Gpt or Lstm)(#bytes)
model:initialize(hl.init.Xavier())
if not options.eager then model:hybridize() end
model(nd.zeros({ 1, 2 }, { dtype = "int32" }))
local trainer = gluon.Trainer(model:collect_params(), "adam", { learning_rate = options.lr, clip_gradient = 1 })
if options.continue then
  model:load_parameters(options.continue .. ".params")
  trainer:load_states(options.continue .. ".states")
end

local began = hl.time()
learn(model, trainer, codes[("0:%d"):format(learned)], from)
print(("learned in %.1f s"):format(hl.time() - began))
if options.save then save(options.save, model, trainer) end
hl.random.seed(options.seed)
began = hl.time()
print("\n" .. write(model, place, bytes) .. "\n")
print(("%.0f characters a second"):format(options.write / (hl.time() - began)))
print(("%s after %d steps: loss %.4f on unseen text, checksum %016x"):format(options.model, options.steps,
  loss_on(model, codes[("%d:"):format(learned)]), checksum(model)))
