-- reclaim_spec.lua - memory that programs keep for later calls is freed before an allocation fails: compiled code runs
-- in little more memory than eager code, with any number of shapes and blocks.
local command = require "support.command"
local scratch = require "support.scratch"

local SETUP = [[
  local hl = require "hybridlua"
  local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
  local compiled, trains = %s, %s
  hl.random.seed(1)
  local sum = 0
  local function step(f, x)
    local y = trains and autograd.record(function() return f(x):mean() end) or f(x):mean()
    if trains then y:backward() end
    sum = sum + y:asscalar()
  end
  local function dense(n, units)
    local net = gluon.nn.HybridSequential()
    for _ = 1, n do net:add(gluon.nn.Dense(units, { activation = "relu" })) end
    net:initialize()
    if compiled then net:hybridize() end
    return net
  end
]]

local SCRIPTS = {
  { "64 batch sizes through one network", "100M", [[
    local net = dense(4, 512)
    for i = 1, 64 do step(net, nd.random.normal{ shape = { 398 + i, 512 } }) end]] },
  { "a chain of blocks, compiled one by one", "32M", [[
    local blocks, x = {}, nd.random.normal{ shape = { trains and 300 or 1500, 64 } }
    for i = 1, 40 do blocks[i] = dense(2, 64) end
    for _ = 1, 3 do step(function(y) for _, block in ipairs(blocks) do y = block(y) end return y end, x) end]] },
  { "functions of many shapes", "8M", [[
    local function chain(F, x) return F.tanh(F.dot(F.tanh(x) * 2 + x, x, { transpose_a = true })) end
    local f = compiled and hl.compile(chain) or function(x) return chain(nd, x) end
    local w = nd.ones{ 64 } w:attach_grad()
    for i = 1, 40 do
      local x = nd.random.normal{ scale = 0.02, shape = { 2000 + i, 64 } }
      step(function() return f(x * w) end, x)
    end]] },
}

local function run(text, limit, compiled, trains)
  local script = SETUP:format(compiled, trains) .. text .. "\nprint(('%.17g'):format(sum))"
  return (command.run(("HYBRIDLUA_MEM_LIMIT=%s '%s' %s"):format(limit, scratch.program, command.file(script))))
end

describe("with little memory compiled code runs wherever eager code does:", function()
  for _, case in ipairs(SCRIPTS) do
    for _, trains in ipairs { false, true } do
      it(case[1] .. (trains and ", in training" or ""), function()
        local eager = run(case[3], case[2], false, trains)
        assert.truthy(tonumber(eager), eager)
        assert.equal(eager, run(case[3], case[2], true, trains))
      end)
    end
  end
end)
