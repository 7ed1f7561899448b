-- Section 8.1 of the Chinese Dive into Deep Learning (d2l-zh), cells In [1] to [12] and the exercises. Files go
-- into the folder given.
local folder = ...
local cells = dofile "spec/tutorials/cells.lua"
local cell = cells.cell

local hl = require "hybridlua"

cell "1"
print(cells.fancy_func(1, 2, 3, 4))

cell "2"
local prog = "\n" .. cells.evoke_str()
print(prog)
local y = load(prog)
y()

cell "3"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

local x = nd.random.normal{shape = {1, 512}}
local net = cells.get_net()
print(net(x))

cell "4"
net:hybridize()
print(net(x))

cell "5"
net = cells.get_net()
print(("before hybridizing: %.4f sec"):format(cells.benchmark(net, x)))
net:hybridize()
print(("after hybridizing: %.4f sec"):format(cells.benchmark(net, x)))

cell "6"
net:export(folder .. "/my_mlp")

cell "7"
x = sym.var "data"
print(net(x))

cell "8"
local HybridNet = cells.hybrid_net()

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
