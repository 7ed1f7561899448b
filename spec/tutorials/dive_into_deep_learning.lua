-- The chapter "Hybridize" of Dive into Deep Learning, as a notebook of which some cells had been run more than
-- once: cell numbers count runs. Cell 13, the benchmark, is here run twice, which makes the layers of its
-- last net dense6, dense7 and dense8, as cell 14 shows.
local function cell(name) print("-- In [" .. name .. "]") end

cell "3"
local hl = require "hybridlua"

cell "4"
local function add(a, b)
  return a + b
end

local function fancy_func(a, b, c, d)
  local e = add(a, b)
  local f = add(c, d)
  local g = add(e, f)
  return g
end

print(fancy_func(1, 2, 3, 4))

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

local function evoke_str()
  return add_str() .. fancy_func_str() .. [[

print(fancy_func(1, 2, 3, 4))
]]
end

for _ = 1, 2 do
  cell "5"
  local prog = evoke_str()
  print(prog)
  local y = load(prog)
  y()
end

cell "7"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

local function get_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(256, {activation = "relu"}),
          nn.Dense(128, {activation = "relu"}),
          nn.Dense(2))
  net:initialize()
  return net
end

local x = nd.random.normal{shape = {1, 512}}
local net = get_net()
print(net(x))

cell "10"
net:hybridize()
print(net(x))

local function benchmark(network, data)
  local start = hl.time()
  for _ = 1, 1000 do
    local _ = network(data)
  end
  nd.waitall()
  return hl.time() - start
end

for _ = 1, 2 do
  cell "13"
  net = get_net()
  print(("before hybridizing: %.4f sec"):format(benchmark(net, x)))
  net:hybridize()
  print(("after hybridizing: %.4f sec"):format(benchmark(net, x)))
end

cell "14"
x = sym.var "data"
print(net(x))

cell "15"
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

cell "16"
net = HybridNet()
net:initialize()
x = nd.random.normal{shape = {1, 4}}
print(net(x))

cell "19"
net:hybridize()
print(net(x))

cell "20"
print(net(x))

-- What the text says of operators that work on values, after hybridizing.
local function refused(body)
  local Refused = nn.HybridBlock:subclass "Refused"
  function Refused:hybrid_forward(_, data) return body(data) end
  local block = Refused()
  print(block(x).shape)                 -- runs as it is
  block:hybridize()
  print(select(2, pcall(block, x)))
end

cell "asnumpy"
refused(function(a) a:asnumpy() return a end)

cell "inplace"
refused(function(a) return a:copy():add_(a) end)

cell "assign"
refused(function(a) local b = a:copy() b[":"] = a + b return b end)
