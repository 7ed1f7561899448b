-- cells.lua - what several of the tutorials have in common: the same text stands in more than one of them.
local hl = require "hybridlua"
local nn = hl.gluon.nn
local cells = {}

--- What is printed until the next call belongs to this cell (spec/support/shown.lua).
function cells.cell(name) print("-- In [" .. name .. "]") end

local function add(a, b)
  return a + b
end

function cells.fancy_func(a, b, c, d)
  local e = add(a, b)
  local f = add(c, d)
  local g = add(e, f)
  return g
end

local function add_str()
  return [[
local function add(a, b)
  return a + b
end
]]
end

local function fancy_func_str()
  return [[

local function fancy_func(a, b, c, d)
  local e = add(a, b)
  local f = add(c, d)
  local g = add(e, f)
  return g
end
]]
end

--- The program that computes the same, as a text.
function cells.evoke_str()
  return add_str() .. fancy_func_str() .. [[

print(fancy_func(1, 2, 3, 4))
]]
end

--- The network of three layers.
function cells.get_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(256, {activation = "relu"}),
          nn.Dense(128, {activation = "relu"}),
          nn.Dense(2))
  net:initialize()
  return net
end

--- The seconds that 1000 calls take.
function cells.benchmark(network, data)
  hl.nd.waitall()
  local start = hl.time()
  for _ = 1, 1000 do
    local _ = network(data)
  end
  hl.nd.waitall()
  return hl.time() - start
end

--- The block that prints what it sees.
function cells.hybrid_net()
  local HybridNet = nn.HybridBlock:subclass "HybridNet"

  function HybridNet:init()
    self.hidden = nn.Dense(10)
    self.output = nn.Dense(2)
  end

  function HybridNet:hybrid_forward(F, data)
    print("F: ", F)
    print("x: ", data)
    data = F.relu(self.hidden(data))
    print("hidden: ", data)
    return self.output(data)
  end
  return HybridNet
end

return cells
