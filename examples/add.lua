-- add.lua - addition as translation: one network reads "58+67", another writes "125".
--
-- The first network, an encoder, passes its last states to the second, a decoder, which writes digit by digit. During
-- training the decoder reads the correct previous digit, afterwards its own. It writes sums from the last digit to the
-- first, as we add by hand.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local options = hl.options {
  steps = { 1500, "batches to learn from", least = 1 },
  batch_size = { 64, "sums a step", least = 1 },
  digits = { 2, "digits of a number", least = 1 },
  hidden = { 96, "values of a state", least = 1 },
  lr = { 0.004, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  eager = { false, "learn without hybridize" },
}

local PLUS, BEGIN = 10, 11                     -- in addition to the digits
local MOST = 10 ^ options.digits // 1 | 0

-- A tenth of all sums, chosen independently of their digits, is kept for the test.
local function is_unseen(a, b) return (a * 7919 + b * 104729) % 1009 < 101 end

local function digits_of(n, count)
  local list = {}
  for i = 1, count do list[i], n = n % 10, n // 10 end
  return list
end

-- Sums as the encoder's input, the decoder's input, and the expected output.
local function batch(n, unseen)
  local questions, told, answers = {}, {}, {}
  while #questions < n do
    local a, b = math.random(0, MOST - 1), math.random(0, MOST - 1)
    if is_unseen(a, b) == unseen then
      local question, sum = digits_of(a, options.digits), digits_of(a + b, options.digits + 1)
      question[#question + 1] = PLUS
      table.move(digits_of(b, options.digits), 1, options.digits, #question + 1, question)
      questions[#questions + 1], answers[#answers + 1] = question, sum
      told[#told + 1] = table.move(sum, 1, #sum - 1, 2, { BEGIN })
    end
  end
  local function words(list) return nd.array(list, { dtype = "int32" }) end
  return words(questions), words(told), words(answers)
end

local Encoder = gluon.HybridBlock:subclass "Encoder"

function Encoder:init() self.embed, self.rnn = nn.Embedding(12, 16), rnn.GRU(options.hidden, { layout = "NTC" }) end

function Encoder:hybrid_forward(F, words)
  local x = self.embed(words)
  local zeros = F.zeros_like(F.slice_axis(F.swapaxes(x, { dim1 = 0, dim2 = 1 }), { axis = 0, begin = 0, ["end"] = 1 }))
  local first = F.broadcast_axis(F.slice_axis(zeros, { axis = 2, begin = 0, ["end"] = 1 }),
    { axis = 2, size = options.hidden })
  local _, states = self.rnn(x, { first })
  return states[1]
end

local Decoder = gluon.HybridBlock:subclass "Decoder"

function Decoder:init()
  self.embed, self.rnn = nn.Embedding(12, 16), rnn.GRU(options.hidden, { layout = "NTC" })
  self.out = nn.Dense(10, { flatten = false })
end

function Decoder:hybrid_forward(_, words, state)
  local y, states = self.rnn(self.embed(words), { state })
  return self.out(y), states[1]
end

local encoder, decoder = Encoder(), Decoder()

-- Writes digit by digit; each digit is the input of the next step.
local function answer(questions)
  local state, word, list = encoder(questions), nd.full({ #questions, 1 }, BEGIN, { dtype = "int32" }), {}
  for i = 1, options.digits + 1 do
    local scores
    scores, state = decoder(word, state)
    word = scores:argmax { axis = 2 }:astype "int32"
    list[i] = word
  end
  return nd.concat(list, { dim = 1 })
end

local function number(row, first, last)
  local n = 0
  for i = last, first, -1 do n = 10 * n + row[i] end
  return n // 1 | 0
end

hl.random.seed(options.seed)
math.randomseed(options.seed)
local trainers = {}
for i, net in ipairs { encoder, decoder } do
  net:initialize(hl.init.Xavier())
  if not options.eager then net:hybridize() end
  trainers[i] = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr })
end
local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
local bar = hl.progress(options.steps, { desc = "sums" })
for i in bar do
  local questions, told, answers = batch(options.batch_size, false)
  local loss = autograd.record(function() return loss_of((decoder(told, encoder(questions))), answers):mean() end)
  loss:backward()
  for _, trainer in ipairs(trainers) do trainer:step(1) end
  if i % 20 == 0 then bar:postfix { loss = loss:asscalar() } end
end

local questions, _, answers = batch(400, true)
local written = answer(questions)
local rows, given = questions:totable(), written:totable()
for i = 1, 5 do
  local n = options.digits
  print(("%d + %d = %d"):format(number(rows[i], 1, n), number(rows[i], n + 2, 2 * n + 1), number(given[i], 1, n + 1)))
end
local right = written:equal(answers):min { axis = 1 }:sum():asscalar()
print(("%.1f%% of 400 sums that it has never seen are right"):format(right / 4))
