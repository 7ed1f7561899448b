-- The same chapter of The Straight Dope in its markdown source, cells n=1 to n=11 (of which it keeps no output).
-- Files go into the folder given.
local folder = ...
local function cell(name) print("-- In [" .. name .. "]") end

local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

cell "1"
local function add(A, B)
  return A + B
end

local function fancy_func(A, B, C, D)
  local E = add(A, B)
  local F = add(C, D)
  local G = add(E, F)
  return G
end

print(fancy_func(1, 2, 3, 4))

cell "2"
local function add_str()
  return [[
local function add(A, B)
  return A + B
end
]]
end

local function fancy_func_str()
  return [[
local function fancy_func(A, B, C, D)
  local E = add(A, B)
  local F = add(C, D)
  local G = add(E, F)
  return G
end
]]
end

local function evoke_str()
  return add_str() .. fancy_func_str() .. [[
print(fancy_func(1, 2, 3, 4))
]]
end

local prog = evoke_str()
local run = load(prog, "")
run()

cell "3"
local a = nd.ones(10)
local b = nd.ones(10) * 2
local c = b * a
local d = c + 1
print(d)

cell "4"
local function get_net()
  local net = nn.HybridSequential()
  net:name_scope(function()
    net:add(nn.Dense(256, {activation = "relu"}))
    net:add(nn.Dense(128, {activation = "relu"}))
    net:add(nn.Dense(2))
  end)
  net:collect_params():initialize()
  return net
end

local x = nd.random_normal{shape = {1, 512}}
local net = get_net()
print("=== net(x) ===" .. tostring(net(x)))

cell "5"
net:hybridize()
print("=== net(x) ===" .. tostring(net(x)))

cell "6"
local function bench(network, data)
  nd.waitall()
  local start = hl.time()
  for _ = 1, 1000 do
    local _ = network(data)
  end
  nd.waitall()
  return hl.time() - start
end

net = get_net()
print(("Before hybridizing: %.4f sec"):format(bench(net, x)))
net:hybridize()
print(("After hybridizing: %.4f sec"):format(bench(net, x)))

cell "7"
x = sym.var "data"
print "=== input data holder ==="
print(x)

local y = net(x)
print "\n=== the symbolic program of net==="
print(y)

local y_json = y:tojson()
print "\n=== the according json definition==="
print(y_json)

cell "8"
y:save(folder .. "/model.json")
net:save_params(folder .. "/model.params")

cell "9"
local Net = gluon.HybridBlock:subclass "Net"

function Net:init()
  self:name_scope(function()
    self.fc1 = nn.Dense(256)
    self.fc2 = nn.Dense(128)
    self.fc3 = nn.Dense(2)
  end)
end

function Net:hybrid_forward(Functions, data)
  print(("type(x): %s, F: %s"):format(hl.type(data), Functions.__name__))
  data = Functions.relu(self.fc1(data))
  data = Functions.relu(self.fc2(data))
  return self.fc3(data)
end

cell "10"
net = Net()
net:collect_params():initialize()
x = nd.random_normal{shape = {1, 512}}
print "=== 1st forward ==="
y = net(x)
print "=== 2nd forward ==="
assert(net(x):tobytes() == y:tobytes())

cell "11"
net:hybridize()
print "=== 1st forward ==="
local y1 = net(x)
print "=== 2nd forward ==="
local y2 = net(x)
assert(y:tobytes() == y1:tobytes() and y:tobytes() == y2:tobytes())
