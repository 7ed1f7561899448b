-- freed_tape_spec.lua - the warning of a freed graph waits until another backward reaches results computed from the
-- array, since metrics only read an output.
local command = require "support.command"

-- The script's output on stderr. Its variables: net, x, w (with a gradient), out (its tape was freed), record.
local function told(how, code)
  local file = command.file([[
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd
local w = nd.array {2, 3}
w:attach_grad()
local f = hl.gluon.nn.HybridLambda(function(F, x, v) return F.tanh(x * v) end)
if arg[1] ~= "eager" then f:hybridize { breaks = arg[1] == "breaks" } end
local options = { carried = arg[2] }
local function record(fn) return autograd.record(fn, options) end
]] .. code)
  local name <const> = os.tmpname()
  local done = os.execute(("%s %s %s 2>%s"):format(command.program, file, how, name))
  local handle <close> = assert(io.open(name))
  os.remove(name)
  return handle:read "a", done
end

local WAYS = { "eager", "hybridized", "breaks" }

describe("the warning of a carried array", function()
  it("is absent if a metric reads an output after backward, inside record", function()
    for _, how in ipairs(WAYS) do
      local text = told(how .. " warn", [[
local metric = hl.metric.Accuracy()
local loss = hl.gluon.loss.L2Loss()
for _ = 1, 3 do
  record(function()
    local out = f(nd.ones {2}, w)
    loss(out, nd.ones {2}):backward()
    metric:update({nd.ones {2}}, {out})
    local mean = (out * 2):mean():asscalar()
    assert(mean == mean)
  end)
end
]])
      assert.equal("", text, how)
    end
  end)

  it("is absent if the results computed from it are dropped", function()
    for _, how in ipairs(WAYS) do
      assert.equal("", (told(how .. " warn", [[
for _ = 1, 3 do
  record(function()
    local out = f(nd.ones {2}, w)
    out:backward()
    local looked = f(out, w)
    assert(looked.size == 2)
  end)
end
]])), how)
    end
  end)

  it("appears once if a backward reaches it, with all lines", function()
    for _, how in ipairs(WAYS) do
      local text = told(how .. " warn", [[
local h = nd.ones {2}
for _ = 1, 4 do
  record(function()
    h = f(h, w)
    local y = h * w
    y:backward()
  end)
end
]])
      local _, count = text:gsub("UserWarning", "")
      assert.equal(1, count, how .. text)
      assert.matches(":%d+: UserWarning: an array computed at [^\n]-:%d+ is used after the backward at " ..
        "[^\n]-:14,", text)
    end
  end)

  it("appears for gradients of gradients and autograd.grad", function()
    local text = told("eager warn", [[
local h = nd.ones {2}
for _ = 1, 3 do
  local y = record(function() h = f(h, w) return h end)
  autograd.grad(y, {w})
end
]])
    assert.matches("UserWarning: an array computed at", text)
  end)

  it("is an error with \"error\" if the array is recorded, but not if it is only read", function()
    for _, how in ipairs(WAYS) do
      local text, done = told(how .. " error", [[
record(function()
  local out = f(nd.ones {2}, w)
  out:backward()
  assert((out * 2):sum():asscalar() > 0)
end)
]])
      assert.equal("", text, how)
      assert.truthy(done)
      text = told(how .. " error", [[
local h = nd.ones {2}
for _ = 1, 2 do record(function() h = f(h, w) end) h:backward() end
]])
      assert.matches("autograd.record: carried: an array computed at", text, how)
    end
  end)
end)
