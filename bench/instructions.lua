-- instructions.lua CASE N - a process that makes N calls of one kind; bench/instructions.sh counts its instructions.
-- Called without arguments it prints the names of the cases.
local hl = require "hybridlua"
local nd, nn, autograd, gluon = hl.nd, hl.gluon.nn, hl.autograd, hl.gluon

local a, b = nd.ones { 4 }, nd.ones { 4 }

local function mlp()
  local net = nn.HybridSequential()
  net:add(nn.Dense(16, { activation = "relu", in_units = 4 }), nn.Dense(8, { in_units = 16 }))
  net:initialize()
  return net
end

-- A function that multiplies by 20 numbers from outside.
local function captured()
  local names, factors = {}, {}
  for i = 1, 20 do
    names[i], factors[i] = ("local k%d = %d.5"):format(i, i), ("k%d"):format(i)
  end
  local text = ("%s\nreturn function(F, x) return x * %s end"):format(table.concat(names, "\n"),
    table.concat(factors, " * x * "))
  return load(text)()
end

local function training(hybridize)
  local net, x = mlp(), nd.ones { 2, 4 }
  if hybridize then net:hybridize() end
  local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01 })
  return function()
    autograd.record(function() return net(x):sum() end):backward()
    trainer:step(2)
  end
end

local function compiled_training(optimizer)
  local net, x = mlp(), nd.ones { 2, 4 }
  local trainer = gluon.Trainer(net:collect_params(), optimizer, { learning_rate = 0.01 })
  local step = hl.compile(function(_, data)
    local loss = autograd.record(function() return net(data):sum() end)
    loss:backward()
    trainer:step(2)
    return loss
  end)
  return function() return step(x) end
end

-- x + x of nd's array or np's with np loaded, as the collector's work grows with the modules loaded.
local function with_np(kind)
  return function()
    local x = hl.np.ones { 4 }
    if kind == "nd" then x = a end
    return function() return x + x end
  end
end

-- Each returns the call to repeat.
local cases = {
  { "a + b of 4 floats", function() return function() return a + b end end },
  { "a + b of 4 floats, np loaded", with_np "nd" },
  { "a + b of 4 floats, np's", with_np "np" },
  { "the plainest hybridized call", function()
    local f = hl.compile(function(_, x, y) return x + y end)
    return function() return f(a, b) end
  end },
  { "20 captured numbers", function()
    local f = hl.compile(captured())
    return function() return f(a) end
  end },
  { "MLP, hybridized", function()
    local net, x = mlp(), nd.ones { 1, 4 }
    net:hybridize()
    return function() return net(x) end
  end },
  { "training step, eager", function() return training(false) end },
  { "training step, hybridized", function() return training(true) end },
  { "training step, compiled (sgd)", function() return compiled_training "sgd" end },
  { "training step, compiled (adam)", function() return compiled_training "adam" end },
}

local number, n = tonumber(arg[1]), tonumber(arg[2])
if not number then
  for _, case in ipairs(cases) do print(case[1]) end
  return
end

local call = cases[number][2]()
for _ = 1, 50 do call() end
collectgarbage()
collectgarbage "stop"                              -- collections at fixed calls, not by the state of the heap
for i = 1, n do
  call()
  if i % 500 == 0 then collectgarbage() end
end
