-- find_fusions_spec.lua - two kernels that each need the other's results are never both made, and a pass that breaks a
-- graph is detected before it does harm.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

local function mean(F, x) return F.mean(x, { axis = 1, keepdims = true }) end

-- The kernels of exp(a) and of mean(a) read the same array; each must run between parts of the other.
local function crossing(d4, d12)
  return function(F, a, b)
    local y4, y5 = d4(b), F.exp(a)
    local y6 = F.broadcast_add(y5, mean(F, a))
    local y9 = F.broadcast_sub(a, mean(F, y5))
    local y12 = F.broadcast_mul(y4, mean(F, y9))
    return mean(F, y4) + mean(F, y6) + mean(F, y9) + mean(F, y12) + mean(F, d12(y4))
  end
end

local function gradients(f, a, b)
  a:attach_grad()
  b:attach_grad()
  local y = autograd.record(function() return f(a, b) end)
  y:backward()
  return y, a.grad, b.grad
end

describe("two kernels that each need the other's results", function()
  local before
  before_each(function() before = core.host.debug { jit = "sync" } end)
  after_each(function() core.host.debug(before) end)

  it("are never both made, and the bits match eager code", function()
    hl.random.seed(3)
    local d4, d12 = gluon.nn.Dense(4, { flatten = false }), gluon.nn.Dense(12, { flatten = false })
    d4:initialize()
    d12:initialize()
    local f = crossing(d4, d12)
    local compiled = hl.compile(f)
    local a, b = nd.random.normal { shape = { 6, 12 } }, nd.random.normal { shape = { 6, 12 } }
    local expected = { gradients(function(x, y) return f(nd, x, y) end, a:copy(), b:copy()) }
    for _ = 1, 3 do
      for i, array in ipairs { gradients(compiled, a:copy(), b:copy()) } do
        assert.equal(expected[i]:tobytes(), array:tobytes())
      end
    end
  end)
end)

describe("a pass that makes a cyclic graph", function()
  local file = io.open("build/fault-clusters/hybridlua", "rb")
  if file then file:close() end
  local script = [[
    local hl = require "hybridlua"
    local nd = hl.nd
    local function mean(F, x) return F.mean(x, { axis = 1, keepdims = true }) end
    local d4, d12 = hl.gluon.nn.Dense(4, { flatten = false }), hl.gluon.nn.Dense(12, { flatten = false })
    d4:initialize()
    d12:initialize()
    local f = hl.compile(function(F, a, b)
      local y4, y5 = d4(b), F.exp(a)
      local y6, y9 = F.broadcast_add(y5, mean(F, a)), F.broadcast_sub(a, mean(F, y5))
      local y12 = F.broadcast_mul(y4, mean(F, y9))
      return mean(F, y4) + mean(F, y6) + mean(F, y9) + mean(F, y12) + mean(F, d12(y4))
    end)
    local a, b = nd.random.normal{ shape = { 6, 12 } }, nd.random.normal{ shape = { 6, 12 } }
    a:attach_grad() b:attach_grad()
    for _ = 1, 3 do hl.autograd.record(function() return f(a, b) end):backward() end
    print "alive"]]
  local function run(environment)
    return (command.run(environment .. " HYBRIDLUA_JIT=sync build/fault-clusters/hybridlua " .. command.file(script)))
  end

  it("leaves a release build with the operators' kernels and a line in the log #once", function()
    if not file then pending "it needs `make faults`" return end
    local output = run "HYBRIDLUA_STRICT=0 HYBRIDLUA_LOG=kernel"
    assert.truthy(output:find("none are made, because of a bug in hybridlua: pass fuse: node", 1, true), output)
    assert.truthy(output:find("alive", 1, true), output)
    assert.equal("alive\n", run "HYBRIDLUA_STRICT=0")
  end)

  it("raises an error in strict mode #once", function()
    if not file then pending "it needs `make faults`" return end
    local output = run "HYBRIDLUA_STRICT=1"
    assert.truthy(output:find("pass fuse: node", 1, true), output)
    assert.falsy(output:find("alive", 1, true), output)
  end)
end)
