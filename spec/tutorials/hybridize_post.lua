-- The blog post "Hybridize: Imperative & Symbolic". Its net is the third that the notebook behind it made, hence
-- hybridsequential2; its last cells run the HybridNet of the text it refers to, of ten and two units. Files go into the
-- folder given.
local folder = ...
local cells = dofile "spec/tutorials/cells.lua"
local cell = cells.cell

local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

cell "imperative"
print(cells.fancy_func(1, 2, 3, 4))

cell "program"
local prog = cells.evoke_str()
print(prog)
local run = load(prog)
run()

local x, net
for _ = 1, 3 do
  cell "hybrid"
  local function get_net()
    local made = nn.HybridSequential()
    made:name_scope(function()
      made:add(
        nn.Dense(256, {activation = "relu"}),
        nn.Dense(128, {activation = "relu"}),
        nn.Dense(2)
      )
    end)
    made:initialize()
    return made
  end

  x = nd.random.normal{shape = {1, 512}}
  net = get_net()
  print("before: ", net(x))

  net:hybridize()
  print("\nafter: ", net(x))
end

cell "symbol"
x = sym.var "data"
print(x)
local y = net(x)
print()
print(y)
local x2 = nd.random.normal{shape = {1, 512}}
local y2 = net(x2)
print(y2)

cell "save"
net(x):save(folder .. "/model.json")
net:save_params(folder .. "/model.params")

cell "export"
net:export(folder .. "/model")

cell "class"
local Net = gluon.HybridBlock:subclass "Net"

function Net:init()
  self:name_scope(function()
    self.fc1 = nn.Dense(256)
    self.fc2 = nn.Dense(128)
    self.fc3 = nn.Dense(2)
  end)
end

function Net:hybrid_forward(F, data)
  print(F)
  print(data)
  data = F.relu(self.fc1(data))
  print(data)
  return self.fc2(data)
end

local HybridNet = Net:subclass "HybridNet"

function HybridNet:init()
  self:name_scope(function()
    self.fc1 = nn.Dense(10)
    self.fc2 = nn.Dense(2)
  end)
end

cell "first"
net = HybridNet()
net:initialize()
x = nd.random.normal{shape = {1, 4}}
y = net(x)

cell "second"
assert(net(x):tobytes() == y:tobytes())

cell "hybridized"
net:hybridize()
local again = net(x)

cell "silent"
local silent = net(x)
assert(y:tobytes() == again:tobytes() and y:tobytes() == silent:tobytes())

cell "Net"
net = Net()
net:initialize()
net:hybridize()
print(net(x).shape)
