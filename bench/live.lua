-- live.lua - the cost of a live curve and a training log at 1,000 updates a second. An MLP trains with one update per
-- millisecond; rounds with and without the curve alternate. It prints the median of the ratios of their processor times, for a
-- curve on a terminal 100 columns wide, in a log file, and for a row of a CSV file per update. Fails above 1.05.
--   ./hybridlua bench/live.lua [ROUNDS=7]
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

local rounds = math.tointeger(tonumber(arg[1] or 7))
if not rounds or rounds < 1 then
  io.stderr:write "usage: hybridlua bench/live.lua [ROUNDS]\n"
  os.exit(2)
end

local LIMIT, UPDATES = 1.05, 2000
core.host.threads(1)
hl.random.seed(1)

-- About a millisecond per update: the batch is chosen by a measurement.
local net, loss_of = gluon.nn.HybridSequential(), gluon.loss.SoftmaxCrossEntropyLoss()
net:add(gluon.nn.Dense(128, { activation = "relu" }), gluon.nn.Dense(10))
net:initialize()
net:hybridize()
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })

local function train(batch, note)
  local x, y = nd.random.normal { shape = { batch, 256 } }, nd.random.randint(0, 10, { shape = { batch } })
  collectgarbage()
  local began = os.clock()
  for _ = 1, UPDATES do
    local loss = autograd.record(function() return loss_of(net(x), y):mean() end)
    loss:backward()
    trainer:step(1)
    local value = loss:asscalar()
    if note then note(value) end
  end
  return (os.clock() - began) / UPDATES
end

local batch = 16
repeat
  batch = batch * 2
  train(batch)
  local seconds = train(batch)
until seconds > 0.7e-3 or batch >= 4096

local sink = { write = function() end, flush = function() end }
local terminal = hl.plot.live { file = sink, columns = 100, color = true }
local lines = hl.plot.live { file = sink, columns = false }
local path = os.tmpname()
local log = hl.log.TrainingLog(path, { format = "csv", append = false })
local ways = {
  { "a curve on a terminal", function(loss) terminal:add { loss = loss, half = loss / 2 } end },
  { "lines of a log file", function(loss) lines:add { loss = loss } end },
  { "a CSV row per update", function(loss) log:add { loss = loss } end },
}
local per_update, failed, ratios = nil, false, {}
for round = 1, rounds do
  for i, way in ipairs(ways) do
    ratios[i] = ratios[i] or {}
    local plain, noted
    if round % 2 == 0 then plain, noted = train(batch), train(batch, way[2])
    else noted, plain = train(batch, way[2]), train(batch) end
    table.insert(ratios[i], noted / plain)
    per_update = plain
  end
end
log:close()
os.remove(path)
print(("an MLP with batches of %d: %.2f ms per update"):format(batch, per_update * 1e3))
for i, way in ipairs(ways) do
  table.sort(ratios[i])
  local median = ratios[i][(rounds + 1) // 2]
  print(("%-24s %.3f of the time without"):format(way[1], median))
  failed = failed or median > LIMIT
end
os.exit(failed and 1 or 0)
