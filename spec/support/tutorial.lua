local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

local function get_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(256, {activation = "relu"}), nn.Dense(128, {activation = "relu"}), nn.Dense(2))
  net:initialize()
  return net
end
local x = nd.random.normal{shape = {1, 512}}
local net = get_net()
print(net(x))
net:hybridize()
print(net(x))

print(sym.var "data")
local y = net(sym.var "data")
print(y)
print(y:tojson())
y:save(FOLDER .. "/model.json"); net:save_parameters(FOLDER .. "/model.params")
net:export(FOLDER .. "/my_mlp")

local HybridNet = gluon.HybridBlock:subclass "HybridNet"
function HybridNet:init()
  self.hidden = nn.Dense(10)
  self.output = nn.Dense(2)
end
function HybridNet:hybrid_forward(F, x)
  print("F:", F.__name__)
  print("x:", x)
  x = F.relu(self.hidden(x))
  print("hidden:", x)
  return self.output(x)
end
net = HybridNet()
net:initialize()
net(nd.ones{1, 4})
net(nd.ones{1, 4})
net:hybridize()
net(nd.ones{1, 4})
net(nd.ones{1, 4})
net(nd.ones{3, 4})
print("another signature")
net(nd.ones({3, 4}, {dtype = "float32"}):reshape{3, 2, 2})

local A, B, C, D = sym.var "A", sym.var "B", sym.var "C", sym.var "D"
local G = (A + B) + (C + D)
local f = sym.compile{inputs = {A, B, C, D}, outputs = {G}}
print(f(nd.array{1}, nd.array{2}, nd.array{3}, nd.array{4}))
local g = load "local F, a, b = ... return F.relu(a - b)"
print(g(nd, nd.array{3}, nd.array{1}))
print(hl.compile(function(F, a, b) return F.relu(a - b) end)(nd.array{3}, nd.array{1}))
