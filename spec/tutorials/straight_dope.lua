-- "Fast, portable neural networks with Gluon HybridBlocks" of The Straight Dope: its pseudo-code as programs that
-- run, its memory example, and its cells In [1] to [8]. Files go into the folder given.
local folder = ...
local function cell(name) print("-- In [" .. name .. "]") end

local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

-- Imperative: each line computes.
cell "imperative"
local function our_function(A, B, C, D)
  local E = nd.dot(A, B)
  local F = nd.dot(C, D)
  local G = E + F
  return G
end

local W, X, Y, Z = nd.ones{2, 2}, nd.ones{2, 2}, nd.ones{2, 2}, nd.ones{2, 2}
print(our_function(W, X, Y, Z))

-- Symbolic: define, compile, feed.
cell "symbolic"
local A, B, C, D = sym.var "A", sym.var "B", sym.var "C", sym.var "D"
local E = sym.dot(A, B)
local F = sym.dot(C, D)
local G = E + F
print(G)
local compiled = sym.compile{inputs = {A, B, C, D}, outputs = {G}}
print(compiled(W, X, Y, Z))

-- Memory: four arrays of ten numbers of 8 bytes against what the graph needs for d besides its inputs; the two
-- operators are folded into one kernel.
cell "memory"
local a = nd.ones{10, dtype = "float64"}
local b = nd.ones{10, dtype = "float64"} * 2
local c = b * a
local d = c + 1
print("imperative", #a:tobytes() + #b:tobytes() + #c:tobytes() + #d:tobytes())
local va, vb = sym.var "a", sym.var "b"
local program = sym.compile{inputs = {va, vb}, outputs = {vb * va + 1}}
assert(program(a, b):tobytes() == d:tobytes())
local plan = program:explain{format = "table"}.plans[1]
print("symbolic", plan.arena_bytes + #a:tobytes() + plan.output_bytes)
print("groups", #plan.groups)

cell "1"
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

cell "2"
net:hybridize()
print("=== net(x) ===" .. tostring(net(x)))

cell "3"
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

cell "4"
x = sym.var "data"
print "=== input data holder ==="
print(x)

local y = net(x)
print "\n=== the symbolic program of net==="
print(y)

local y_json = y:tojson()
print "\n=== the according json definition==="
print(y_json)

cell "5"
y:save(folder .. "/model.json")
net:save_params(folder .. "/model.params")

cell "6"
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

cell "7"
net = Net()
net:collect_params():initialize()
x = nd.random_normal{shape = {1, 512}}
print "=== 1st forward ==="
y = net(x)
print "=== 2nd forward ==="
assert(net(x):tobytes() == y:tobytes())

cell "8"
net:hybridize()
print "=== 1st forward ==="
local y1 = net(x)
print "=== 2nd forward ==="
local y2 = net(x)
assert(y:tobytes() == y1:tobytes() and y:tobytes() == y2:tobytes())

-- A Block that is no HybridBlock: its children are compiled.
cell "block"
local Plain = gluon.Block:subclass "Plain"
function Plain:init() self.net = Net() end
function Plain:forward(data) print "forward of the Block" return self.net(data) end
local plain = Plain()
plain:initialize()
plain:hybridize()
plain(x)
plain(x)
