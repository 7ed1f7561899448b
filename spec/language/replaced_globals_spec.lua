-- replaced_globals_spec.lua - replaced globals: a script may replace Lua's globals and library functions; hybridlua's
-- files keep those that existed when they were loaded.
local command = require "spec.support.command"

-- Runs a script that executes `replace` after loading hybridlua, and then trains, compiles, loads and differentiates.
local function run(replace)
  local script = command.file(([[
    local hl = require "hybridlua"
    local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
    local keep = {}
    for k, v in pairs(_G) do keep[k] = v end
    local stdout, format = io.stdout, string.format
    %s
    local net = gluon.nn.HybridSequential()
    net:add(gluon.nn.Dense(4, {activation = "relu"}), gluon.nn.BatchNorm(), gluon.nn.Dense(2))
    net:initialize()
    net:hybridize()
    local trainer = gluon.Trainer(net:collect_params(), "adam", {learning_rate = 0.1})
    local loss = gluon.loss.SoftmaxCrossEntropyLoss()
    local x, y = nd.ones {3, 5}, nd.array {0, 1, 1}
    local config = {k = 2}
    local step = hl.compile(function(F, a) return a * config.k end)
    for i = 1, 2 do
      autograd.record(function() return loss(net(x), y) end):backward()
      trainer:step(3)
    end
    local metric = hl.metric.Accuracy()
    metric:update({y}, {net(x)})
    local f = hl.grad(function(a) return (a * a):sum() end)
    local n = 0
    for batch in gluon.data.DataLoader(gluon.data.ArrayDataset(x, y), {batch_size = 2}) do n = n + 1 end
    local bad = keep.pcall(function() return nd.dot(x) end)
    stdout:write(format("done %%d %%s %%s\n", n, keep.tostring(bad), keep.tostring(f(nd.array {1, 2})[1]:asscalar())))
    stdout:write(format("%%s\n", keep.tostring(step(nd.ones {1}):asscalar())))
    stdout:write(#net:explain() > 100 and "explained\n" or "nothing\n")
  ]]):format(replace))
  return (command.hybridlua { script })
end

local WANTED = "done 2 false 4.0\n2.0\nexplained\n"

describe("the library is unaffected by replacing", function()
  it("nothing", function() assert.equal(WANTED, run "") end)
  for name in ([[assert collectgarbage error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset require
      select setmetatable tonumber tostring type xpcall math table string coroutine os utf8 debug]]):gmatch "%S+" do
    it(name, function()
      assert.equal(WANTED, run(("_G[%q] = 5"):format(name)))
      assert.equal(WANTED, run(("_G[%q] = nil"):format(name)))
    end)
  end
  for _, library in ipairs { "math", "table", "os", "debug", "coroutine", "utf8" } do
    it("all of " .. library, function()
      assert.equal(WANTED, run(("for k in next, %s do %s[k] = function() error 'replaced' end end"):format(library,
        library)))
    end)
  end
  it("everything at once", function()
    assert.equal(WANTED, run [[
      for k in next, keep do if k ~= "io" and k ~= "string" and k ~= "_G" then _G[k] = nil end end]])
  end)
end)

describe("the library uses a script's replacement of", function()
  it("print", function()
    local output = command.hybridlua { command.file [[
      local hl = require "hybridlua"
      local net = hl.gluon.nn.Dense(1, {in_units = 2})
      net:initialize()
      local n = 0
      print = function() n = n + 1 end
      net:summary(hl.nd.ones {1, 2})
      io.write(n > 5 and "seen" or "not seen")]] }
    assert.equal("seen", output)
  end)
end)

it("compiled code follows globals that the script replaces", function()
  local hl = require "hybridlua"
  local x = hl.nd.ones { 1 }
  local f = hl.compile(function(_, a) return a * math.sqrt(4) * #type(a) end)
  local sqrt, type_ = math.sqrt, type
  finally(function() math.sqrt, _G.type = sqrt, type_ end)             -- luacheck: ignore 122
  assert.same({ 16 }, f(x):totable())
  math.sqrt = function() return 3 end                                   -- luacheck: ignore 122
  assert.same({ 24 }, f(x):totable())
end)
