-- Section 8.1 of the Chinese Dive into Deep Learning (d2l-zh), cells In [1] to [12] and the exercises. Files go
-- into the folder given.
local folder = ...
local function cell(name) print("-- In [" .. name .. "]") end

local hl = require "hybridlua"

cell "1"
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

cell "2"
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

local prog = evoke_str()
print(prog)
local y = load(prog)
y()

cell "3"
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

cell "4"
net:hybridize()
print(net(x))

cell "5"
local function benchmark(network, data)
  local start = hl.time()
  for _ = 1, 1000 do
    local _ = network(data)
  end
  nd.waitall()
  return hl.time() - start
end

net = get_net()
print(("before hybridizing: %.4f sec"):format(benchmark(net, x)))
net:hybridize()
print(("after hybridizing: %.4f sec"):format(benchmark(net, x)))

cell "6"
net:export(folder .. "/my_mlp")

cell "7"
x = sym.var "data"
print(net(x))

cell "8"
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

cell "9"
net = HybridNet()
net:initialize()
x = nd.random.normal{shape = {1, 4}}
print(net(x))

cell "10"
print(net(x))

cell "11"
net:hybridize()
print(net(x))

cell "12"
print(net(x))

-- Exercise 1: asnumpy in the first line of hybrid_forward. Exercise 2: if and for.
local function try(name, hybrid_forward)
  cell(name)
  local Block = nn.HybridBlock:subclass "Exercise"
  Block.hybrid_forward = hybrid_forward
  local block = Block()
  local eager = block(x)
  block:hybridize()
  local ok, result = pcall(block, x)
  print(ok, ok and result:tobytes() == eager:tobytes() or result)
end

try("asnumpy", function(_, F, data) data:asnumpy() return F.relu(data) end)
try("if", function(_, F, data) if data:sum():asscalar() > 0 then return data end return F.relu(data) end)
try("for", function(_, _, data) for _ = 1, 3 do data = data + data end return data end)
