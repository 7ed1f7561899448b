-- memory_child.lua CASE WAY SIZES [N] - a process that runs one of bench/memory.lua's cases. Prints the sum of its
-- results and, in KiB, the peak of arrays, the peak of resident memory, and resident memory N seconds after the last
-- call. WAY: eager or hybridized; SIZES: full or small.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

local case, way, sizes, seconds = table.unpack(arg)
local hybridized, small = way == "hybridized", sizes == "small"

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
  if hybridized then net:hybridize() end
  return net
end

local function data(...) return nd.random.normal { scale = 0.5, shape = { ... } } end

-- 64 batch sizes through one network.
local function batch_sizes(trains)
  local units = small and 256 or 512
  local net = dense(4, units)
  for i = 0, 63 do step(net, data(small and 203 + 7 * i // 2 or 407 + 7 * i, units), trains) end
end

-- 40 blocks, each compiled alone, one after another.
local function chain(rows, trains)
  local units = small and 64 or 256
  local blocks, x = {}, data(rows, units)
  for i = 1, 40 do blocks[i] = dense(2, units) end
  local function all(y)
    for _, block in ipairs(blocks) do y = block(y) end
    return y
  end
  for _ = 1, 3 do step(all, x, trains) end
end

-- Training with two sizes, and predicting with a third.
local function turns()
  local units = small and 128 or 512
  local net = dense(4, units)
  for _ = 1, 2 do
    for _, rows in ipairs { 2000, 2000, 777 } do step(net, data(rows, units), true) end
    step(net, data(3000, units), false)
  end
end

-- One function of arrays of 40 shapes.
local function shapes(trains)
  local function f(F, x) return F.tanh(F.dot(F.tanh(x) * 2 + x, x, { transpose_a = true })) end
  local compiled = hybridized and hl.compile(f) or function(x) return f(nd, x) end
  local w = nd.ones { 64 }
  w:attach_grad()
  for i = 1, 40 do
    step(function(x) return compiled(x * w) end, data((small and 6000 or 20000) + i, 64) / 50, trains)
  end
end

local cases = {
  sizes = function() batch_sizes(false) end,
  ["trained sizes"] = function() batch_sizes(true) end,
  chain = function() chain(1500, false) end,
  ["trained chain"] = function() chain(300, true) end,
  turns = turns,
  shapes = function() shapes(false) end,
  ["trained shapes"] = function() shapes(true) end,
}

local function kib(key)
  for line in io.lines "/proc/self/status" do
    local n = line:match("^" .. key .. ":%s+(%d+)")
    if n then return tonumber(n) end
  end
end

cases[case]()
local peak = kib "VmHWM"
if seconds then os.execute("sleep " .. seconds) end
print(("%.17g"):format(sum), hl.memory().peak // 1024, peak, kib "VmRSS")
