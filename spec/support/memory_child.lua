-- memory_child.lua CASE WAY [N] - programs of several sizes, one after another, eager or hybridized. Prints the sum of
-- their results, and in KiB the peak of arrays, that of the process's resident memory, and its resident memory N
-- seconds after the last call.
-- CASE: sizes (64 batch sizes through one network, trained), chain (40 blocks, called in turn), trained_chain, turns
-- (training with two sizes, predicting with a third); WAY: eager or hybridized.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

hl.random.seed(1)

local sum = 0

local function step(f, x, trains)
  local y = trains and autograd.record(function() return f(x):mean() end) or f(x):mean()
  if trains then y:backward() end
  sum = sum + y:asscalar()
end

local function dense(n, units)
  local net = gluon.nn.HybridSequential()
  for _ = 1, n do net:add(gluon.nn.Dense(units, { activation = "relu" })) end
  net:initialize(hl.init.Xavier())
  if arg[2] == "hybridized" then net:hybridize() end
  return net
end

local function data(...) return nd.random.normal { shape = { ... } } end

local function call_chain(rows, trains)
  local blocks, x = {}, data(rows, 64)
  for i = 1, 40 do blocks[i] = dense(2, 64) end
  local function all(y)
    for _, block in ipairs(blocks) do y = block(y) end
    return y
  end
  for _ = 1, 3 do step(all, x, trains) end
end

local cases = {
  sizes = function()
    local net = dense(4, 256)
    for i = 0, 63 do step(net, data(203 + 7 * i // 2, 256), true) end
  end,
  chain = function() call_chain(1500, false) end,
  trained_chain = function() call_chain(300, true) end,
  turns = function()
    local net = dense(4, 128)
    for _ = 1, 2 do
      for _, rows in ipairs { 2000, 2000, 777 } do step(net, data(rows, 128), true) end
      step(net, data(3000, 128), false)
    end
  end,
}

local function kib(key)
  for line in io.lines "/proc/self/status" do
    local n = line:match("^" .. key .. ":%s+(%d+)")
    if n then return tonumber(n) end
  end
end

cases[arg[1]]()
local peak = kib "VmHWM"
if arg[3] then os.execute("sleep " .. arg[3]) end
print(("%.17g"):format(sum), hl.memory().peak // 1024, peak, kib "VmRSS")
