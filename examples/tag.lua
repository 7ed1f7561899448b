-- tag.lua - a tagger for sequences of different lengths, which marks the brackets of a line that have no partner.
--
-- A line such as "(()[)" is padded to the longest line of its batch, and its length is a second input. A bidirectional
-- LSTM stops at the end of each line, and the loss ignores padding. Lengths differ between batches: each length is
-- specialized once, and one trace serves all.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, rnn = gluon.nn, gluon.rnn

local options = hl.options {
  steps = { 600, "batches to learn from", least = 1 },
  batch_size = { 32, "lines a step", least = 1 },
  longest = { 24, "brackets of a line at most", least = 2 },
  hidden = { 32, "values of a state, for each direction", least = 1 },
  lr = { 0.01, "learning rate", above = 0, word = "RATE" },
  seed = { 1, "what all random numbers come from", least = 0 },
  eager = { false, "learn without hybridize" },
}

local BRACKETS = "()[]"
local PARTNER = { [1] = 0, [3] = 2 }            -- by closing bracket, the opening one

-- 1 for each bracket without a partner. An opening bracket matches the next closing one of its kind, unless a bracket
-- of another kind is open between them.
local function tags_of(line)
  local open, tags = {}, {}
  for i, bracket in ipairs(line) do
    local top = open[#open]
    tags[i] = 1
    if not PARTNER[bracket] then
      open[#open + 1] = i
    elseif top and line[top] == PARTNER[bracket] then
      tags[i], tags[top], open[#open] = 0, 0, nil
    end
  end
  return tags
end

-- Random lines as words, tags and lengths; short lines are padded with the first word after the brackets.
local function batch(n)
  local lines, longest, lengths = {}, 0, {}
  for i = 1, n do
    lengths[i] = math.random(2, options.longest)
    longest = math.max(longest, lengths[i])
    lines[i] = {}
    for k = 1, lengths[i] do lines[i][k] = math.random(0, 3) end
  end
  local words, tags = {}, {}
  for i, line in ipairs(lines) do
    tags[i] = tags_of(line)
    words[i] = line
    for k = lengths[i] + 1, longest do words[i][k], tags[i][k] = #BRACKETS, 0 end
  end
  return nd.array(words, { dtype = "int32" }), nd.array(tags), nd.array(lengths)
end

local Tagger = gluon.HybridBlock:subclass "Tagger"

function Tagger:init()
  self.embed = nn.Embedding(#BRACKETS + 1, 8)
  self.lstm = rnn.LSTM(options.hidden, { bidirectional = true, use_sequence_length = true })
  self.out = nn.Dense(1, { flatten = false })
end

-- (batch, steps) to (batch, steps): more than 0 where a bracket has no partner.
function Tagger:hybrid_forward(F, words, lengths)
  local x = F.swapaxes(self.embed(words), { dim1 = 0, dim2 = 1 })
  return F.transpose(F.squeeze(self.out((self.lstm(x, nil, lengths))), { axis = 2 }))
end

-- 1 for each bracket, 0 for padding.
local function there(tags, lengths)
  return nd.SequenceMask(nd.ones_like(tags), lengths, { use_sequence_length = true, axis = 1 })
end

local function accuracy_of(net, words, tags, lengths)
  local mask = there(tags, lengths)
  local right = net(words, lengths):greater(0):equal(tags) * mask
  return 100 * right:sum():asscalar() / mask:sum():asscalar()
end

hl.random.seed(options.seed)
math.randomseed(options.seed)
local net, loss_of = Tagger(), gluon.loss.SigmoidBinaryCrossEntropyLoss()
net:initialize(hl.init.Xavier())
if not options.eager then net:hybridize() end
local trainer = gluon.Trainer(net:collect_params(), "adam", { learning_rate = options.lr })
local bar = hl.progress(options.steps, { desc = "brackets" })
for i in bar do
  local words, tags, lengths = batch(options.batch_size)
  local loss = autograd.record(function()
    return loss_of(net(words, lengths), tags, there(tags, lengths)):mean()
  end)
  loss:backward()
  trainer:step(1)
  if i % 20 == 0 then bar:postfix { loss = loss:asscalar() } end
end

local words, tags, lengths = batch(500)
local scores = net(words, lengths)
for i = 0, 4 do
  local line, marks = {}, {}
  for k = 0, lengths[i]:asscalar() - 1 do
    local word = words[{ i, k }]:asscalar() + 1
    line[#line + 1] = BRACKETS:sub(word, word)
    marks[#marks + 1] = scores[{ i, k }]:asscalar() > 0 and "^" or " "
  end
  print(table.concat(line) .. "\n" .. table.concat(marks))
end
print(("%.1f%% of the brackets of 500 new lines are tagged right"):format(accuracy_of(net, words, tags, lengths)))
