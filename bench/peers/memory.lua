-- memory.lua [remat] - hybridlua's side of memory.py: prints the growth of resident memory over two training steps, in
-- MB.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local function resident(field)
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match("^" .. field .. ":%s*(%d+)")
    if kilobytes then return tonumber(kilobytes) / 1024 end
  end
end

local net, loss_of = gluon.model_zoo.vision.get_model "resnet18_v1", gluon.loss.SoftmaxCrossEntropyLoss()
net:initialize(hl.init.Xavier())
net:hybridize { remat = arg[1] == "remat" }
loss_of:hybridize()
local x, y = nd.random.normal { shape = { 8, 3, 224, 224 } }, nd.arange(0, 8)
net(nd.zeros { 1, 3, 224, 224 })
local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
collectgarbage()
local refs = assert(io.open("/proc/self/clear_refs", "w"))
refs:write "5"                          -- resets the peak
refs:close()
local before = resident "VmRSS"
for _ = 1, 2 do
  autograd.record(function() return loss_of(net(x), y) end):backward()
  trainer:step(8)
end
print(resident "VmHWM" - before)
