-- first_call.lua - a process that only makes a network's first calls; bench/processes.lua runs it. Prints the seconds
-- of the first and of the second call of the hybridized network.
local hl = require "hybridlua"
local nn = hl.gluon.nn

local net = nn.HybridSequential()
net:add(nn.Dense(256, { activation = "relu" }), nn.Dense(128, { activation = "relu" }), nn.Dense(2))
net:initialize()
net:hybridize()
local x = hl.nd.random.normal { shape = { 1, 512 } }

local function call(name)
  local start = hl.time()
  net(x)
  print(("%s %.9f"):format(name, hl.time() - start))
end

call "first"
call "second"
