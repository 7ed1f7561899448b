-- calls.lua - the cost of a hybridized call for different ways of writing its code. All ways alternate in one run; the
-- output has the median ratio of each way's time to the plainest call's, and its limit. Fails if a ratio exceeds its
-- limit.
--   make bench-calls [ROUNDS=30]
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

local rounds = math.tointeger(tonumber(arg[1] or 30))
if not rounds or rounds < 1 then
  io.stderr:write "usage: hybridlua bench/calls.lua [ROUNDS]\n"
  os.exit(2)
end

local x, y = nd.ones { 4 }, nd.ones { 4 }

-- A hybridized block that runs fn(F, ...).
local function net(fn, fields)
  local Net = gluon.HybridBlock:subclass "Net"
  function Net.hybrid_forward(_, F, ...) return fn(F, ...) end
  local block = Net()
  for key, value in pairs(fields or {}) do block[key] = value end
  block:hybridize()
  return block
end

local function add(_, a, b) return a + b end

-- Dense layers, one after another.
local function deep(layers)
  local block = gluon.nn.HybridSequential()
  for _ = 1, layers do block:add(gluon.nn.Dense(4, { in_units = 4, flatten = false })) end
  block:initialize()
  block:hybridize()
  return block
end

local two = 2
local function helper(a) return a * two end
local config = { scale = { by = 2, name = "scale" }, on = true }

-- Fields: `of`, the way whose time is the unit; `calls`, the number of calls in one run.
local ways = {}
local function way(title, limit, make, options)
  options = options or {}
  ways[#ways + 1] = { title = title, limit = limit, run = make(), of = options.of or 1, calls = options.calls or 1 }
end

way("the plainest call", 1, function()
  local f = net(add)
  return function() f(x, y) end
end)
way("math.sqrt in the code", 2, function()
  local f = net(function(_, a, b) return a + b * math.sqrt(2.0) end)
  return function() f(x, y) end
end)
way("a number upvalue", 2, function()
  local f = net(function(_, a, b) return a + b * two end)
  return function() f(x, y) end
end)
way("a helper function", 2, function()
  local f = net(function(_, a, b) return helper(a) + b end)
  return function() f(x, y) end
end)
way("a nil mask", 2, function()
  local f = net(function(_, a, mask) return mask and a * mask or a + 1 end)
  return function() f(x, nil) end
end)
way("a number argument", 2, function()
  local f = net(function(_, a, by) return a * by end)
  return function() f(x, 3) end
end)
way("a list of states", 4, function()
  local f, states = net(function(_, a, s) return a + s[1], { a + s[2], s[1] * 1 } end), { x, y }
  return function() f(x, states) end
end)
way("an option table", 4, function()
  local f = net(function(_, a, o) return a * o.scale end)
  local options = { scale = 2, mode = "same" }
  return function() f(x, options) end
end)
way("a config table of the script's", 4, function()
  local f = net(function(_, a, b) return config.on and a * config.scale.by + b end)
  return function() f(x, y) end
end)
way("a field of another block set in between", 4, function()
  local f, other, n = net(add), net(add), 0
  return function()
    n = n + 1
    other.count = n
    f(x, y)
  end
end)
way("two alternating batch sizes", 4, function()
  local f, a, b = net(add), nd.ones { 2, 4 }, nd.ones { 3, 4 }
  return function()
    f(a, a)
    f(b, b)
  end
end, { calls = 2 })
way("alternating training and prediction", 8, function()
  local f = net(add)
  return function()
    autograd.train_mode(function() f(x, y) end)
    f(x, y)
  end
end, { calls = 2 })
local one_size = #ways + 1
way("one batch size", math.huge, function()
  local f, a = net(add), nd.ones { 24, 4 }
  return function() f(a, y) end
end)
way("48 batch sizes in turn, of one", 1.5, function()
  local f, list = net(add), {}
  for i = 1, 48 do list[i] = nd.ones { i, 4 } end
  return function() for i = 1, 48 do f(list[i], y) end end
end, { calls = 48, of = one_size })
local shallow = #ways + 1
way("a layer of a net of 31", math.huge, function()
  local f, a = deep(31), nd.ones { 1, 4 }
  return function() f(a) end
end, { calls = 31 })
way("a layer of a net of 120, of one of 31", 1.2, function()
  local f, a = deep(120), nd.ones { 1, 4 }
  return function() f(a) end
end, { calls = 120, of = shallow })

local LONG = 2e-3            -- seconds of one measurement, well above the clock's resolution

local function measure(w)
  local n, run = w.n, w.run
  local start = hl.time()
  for _ = 1, n do run() end
  return (hl.time() - start) / n / w.calls
end

for _, w in ipairs(ways) do
  w.n = 1
  for _ = 1, 50 do w.run() end                    -- creates specializations; HYBRIDLUA_JIT=sync compiles kernels
  while measure(w) * w.n * w.calls < LONG do w.n = w.n * 2 end
  w.seconds, w.ratios = {}, {}
end

local function median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[n // 2 + 1] or (list[n // 2] + list[n // 2 + 1]) / 2
end

for round = 1, rounds do
  for _, w in ipairs(ways) do w.seconds[round] = measure(w) end
  for _, w in ipairs(ways) do w.ratios[round] = w.seconds[round] / ways[w.of].seconds[round] end
end

local above = 0
print(("%-44s %10s %8s %8s"):format("way", "us a call", "ratio", "limit"))
for _, w in ipairs(ways) do
  local ratio = median(w.ratios)
  local over = ratio > w.limit
  if over then above = above + 1 end
  local limit = w.limit == math.huge and "" or ("%.1f"):format(w.limit)
  print(("%-44s %10.3f %8.2f %8s%s"):format(w.title, median(w.seconds) * 1e6, ratio, limit, over and "  above" or ""))
end
os.exit(above == 0)
