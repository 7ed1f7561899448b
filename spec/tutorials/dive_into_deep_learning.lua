-- The chapter "Hybridize" of Dive into Deep Learning, as a notebook of which some cells had been run more than
-- once: cell numbers count runs. Cell 13, the benchmark, is here run twice, which makes the layers of its
-- last net dense6, dense7 and dense8, as cell 14 shows.
local cells = dofile "spec/tutorials/cells.lua"
local cell = cells.cell

cell "3"
local hl = require "hybridlua"

cell "4"
print(cells.fancy_func(1, 2, 3, 4))

for _ = 1, 2 do
  cell "5"
  local prog = "\n" .. cells.evoke_str()
  print(prog)
  local y = load(prog)
  y()
end

cell "7"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

local x = nd.random.normal{shape = {1, 512}}
local net = cells.get_net()
print(net(x))

cell "10"
net:hybridize()
print(net(x))

for _ = 1, 2 do
  cell "13"
  net = cells.get_net()
  print(("before hybridizing: %.4f sec"):format(cells.benchmark(net, x)))
  net:hybridize()
  print(("after hybridizing: %.4f sec"):format(cells.benchmark(net, x)))
end

cell "14"
x = sym.var "data"
print(net(x))

cell "15"
local HybridNet = cells.hybrid_net()

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
