-- everyday.lua - hybridlua's side of everyday.py: reads lines "NAME<tab>SECONDS", runs that benchmark in batches
-- for this time, and prints the median seconds of one call, or "none".
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local peers = require "peers"
local nd = hl.nd

local function uniform(...) return nd.random.uniform { shape = { ... } } end
local MILLION = 1000000

-- Returns a function that makes inputs of these shapes and returns the call.
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

local ready = {}
peers.serve(function(line)
  local name, seconds = line:match "^(.+)\t(%S+)$"
  if not works[name] then return end
  ready[name] = ready[name] or peers.repeated(works[name]())
  local times = ready[name](tonumber(seconds), 3)
  return times[(#times + 1) // 2]
end)
