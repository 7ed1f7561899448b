-- The cells that the rendered chapter of The Straight Dope and its markdown source share, from the network on. `first`
-- is the number of the first one; files go into the folder given. Gives the class of the last network, and its input.
local hl = require "hybridlua"
local cells = dofile "spec/tutorials/cells.lua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

return function(first, folder)
  local number = first - 1
  local function next_cell()
    number = number + 1
    cells.cell(number)
  end

  next_cell()
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

  next_cell()
  net:hybridize()
  print("=== net(x) ===" .. tostring(net(x)))

  next_cell()
  net = get_net()
  print(("Before hybridizing: %.4f sec"):format(cells.benchmark(net, x)))
  net:hybridize()
  print(("After hybridizing: %.4f sec"):format(cells.benchmark(net, x)))

  next_cell()
  x = sym.var "data"
  print "=== input data holder ==="
  print(x)

  local y = net(x)
  print "\n=== the symbolic program of net==="
  print(y)

  local y_json = y:tojson()
  print "\n=== the according json definition==="
  print(y_json)

  next_cell()
  y:save(folder .. "/model.json")
  net:save_params(folder .. "/model.params")

  next_cell()
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

  next_cell()
  net = Net()
  net:collect_params():initialize()
  x = nd.random_normal{shape = {1, 512}}
  print "=== 1st forward ==="
  y = net(x)
  print "=== 2nd forward ==="
  assert(net(x):tobytes() == y:tobytes())

  next_cell()
  net:hybridize()
  print "=== 1st forward ==="
  local y1 = net(x)
  print "=== 2nd forward ==="
  local y2 = net(x)
  assert(y:tobytes() == y1:tobytes() and y:tobytes() == y2:tobytes())
  return Net, x
end
