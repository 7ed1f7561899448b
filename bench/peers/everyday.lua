-- everyday.lua - hybridlua's side of everyday.py: reads lines "NAME<tab>SECONDS", runs that work in batches for so
-- long and answers with the median seconds of one call, or "none".
local hl = require "hybridlua"
local nd = hl.nd

local function uniform(...) return nd.random.uniform { shape = { ... } } end
local MILLION = 1000000

-- What everyday.py calls WORKS: makes the inputs, returns the call.
local function of(f, ...)
  local shapes = { ... }
  return function()
    local inputs = {}
    for i, shape in ipairs(shapes) do inputs[i] = uniform(table.unpack(shape)) end
    local a, b = table.unpack(inputs)
    local s = nd.sort(inputs[#inputs])
    return function() return f(a, b, s) end
  end
end

local works = {
  ["sort of 1M floats"] = of(function(a) return nd.sort(a) end, { MILLION }),
  ["sort of (1000, 1000)"] = of(function(a) return nd.sort(a) end, { 1000, 1000 }),
  ["argsort of 1M floats"] = of(function(a) return nd.argsort(a) end, { MILLION }),
  ["topk, 10 of 1M floats"] = of(function(a) return nd.topk(a, { k = 10 }) end, { MILLION }),
  ["topk, 5 of each row of (1000, 1000)"] = of(function(a) return nd.topk(a, { k = 5 }) end, { 1000, 1000 }),
  ["cumsum of 1M floats"] = of(function(a) return nd.cumsum(a) end, { MILLION }),
  ["cumsum of (1000, 1000) over axis 0"] = of(function(a) return nd.cumsum(a, 0) end, { 1000, 1000 }),
  ["cumsum of (1000, 1000) over axis 1"] = of(function(a) return nd.cumsum(a, 1) end, { 1000, 1000 }),
  ["histogram of 1M floats"] = of(function(a) return nd.histogram(a, 10, { 0, 1 }) end, { MILLION }),
  ["median of 1M floats"] = of(function(a) return nd.median(a) end, { MILLION }),
  ["unique of 1M floats"] = of(function(a) return nd.unique(a) end, { MILLION }),
  ["searchsorted of 1M in 1M floats"] = of(function(a, _, s) return nd.searchsorted(s, a) end, { MILLION }, { MILLION }),
}

local function time_of(run, n)
  local start = hl.time()
  for _ = 1, n do run() end
  return hl.time() - start
end

local function batch_of(name)
  local run, n = works[name](), 1
  run()
  while time_of(run, n) < 2e-3 do n = n * 2 end
  return { run = run, n = n }
end

local ready = {}
local function median(name, seconds)
  ready[name] = ready[name] or batch_of(name)
  local work, times, spent = ready[name], {}, 0
  while spent < seconds or #times < 3 do
    local t = time_of(work.run, work.n)
    times[#times + 1], spent = t / work.n, spent + t
  end
  table.sort(times)
  return times[(#times + 1) // 2]
end

io.stdout:setvbuf "line"
print("hybridlua " .. require("hybridlua.core").info().version)
for line in io.lines() do
  local name, seconds = line:match "^(.+)\t(%S+)$"
  print(works[name] and median(name, tonumber(seconds)) or "none")
end
