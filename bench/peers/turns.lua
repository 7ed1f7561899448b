-- turns.lua - hybridlua's side of turns.py.
local hl = require "hybridlua"
local peers = require "peers"
local autograd, gluon = hl.autograd, hl.gluon

local turns, TURN = {}, 0.05                         -- equal to that of turns.py

--- A network, hybridized and with its parameters.
function turns.ready(net, ...)
  net:initialize(hl.init.Xavier())
  net:hybridize()
  if select("#", ...) > 0 then net(...) end
  return net
end

--- A training step of a network: forward, backward, plain SGD, as steps.py's.
function turns.training(net, x, y)
  local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
  loss_of:hybridize()
  turns.ready(net, x)
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
  return function()
    autograd.record(function() return loss_of(net(x), y) end):backward()
    trainer:step(y.size)
  end
end

--- Reads names of benchmarks, and prints the seconds of one call and its processor seconds. works{name = a function
--- that prepares a benchmark and returns its call}.
function turns.take(works)
  local ready = {}
  peers.serve(function(name)
    if not ready[name] then
      ready[name] = works[name]()
      for _ = 1, 3 do ready[name]() end
    end
    local computed, start, seconds, calls = os.clock(), hl.time(), 0, 0
    while seconds < TURN do
      ready[name]()
      seconds, calls = hl.time() - start, calls + 1
    end
    return seconds / calls, (os.clock() - computed) / calls
  end)
end

return turns
