-- environment_spec.lua - environment variables that report or change the work of the compiler.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local nd = hl.nd

local program = command.file [[
local hl = require "hybridlua"
local nd = hl.nd
local calls = 0
local f = hl.compile(function(F, a, b) calls = calls + 1 return F.exp(a + b) * 2 end, { effects = "ignore" })
f(nd.ones{2, 3}, nd.ones{2, 3})
f(nd.ones{4, 3}, nd.ones{4, 3})
local y = f(nd.ones{3}, nd.ones{3})
print(calls, y[0]:asscalar())
]]

local function run(environment) return command.run(("%s %s %s"):format(environment, command.program, program)) end

describe("HYBRIDLUA_LOG", function()
  it("is silent by default", function() assert.equal("2\t14.778112411499\n", (run "")) end)

  it("reports each trace and its reason: trace", function()
    local text = run "HYBRIDLUA_LOG=trace"
    local lines = {}
    for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
    assert.equal(3, #lines)
    assert.truthy(lines[1]:find("^hybridlua trace: function0 for float32 2%-d, float32 2%-d not recording predicting, "
      .. "because: first call; in [%d.]+ ms$"), lines[1])
    assert.truthy(lines[2]:find "^hybridlua trace: function0 .*the call's signature was .*2%-d.*is.*1%-d", lines[2])
  end)

  it("reports each specialization, its types and memory: plan", function()
    local text = run "HYBRIDLUA_LOG=plan"
    local _, plans = text:gsub("hybridlua plan: function0 for float32 %(", "")
    assert.equal(3, plans)
    assert.truthy(text:find("plan: function0 for float32 %(2, 3%), float32 %(2, 3%), predicting: "
      .. "3 operators became %d+ instructions, %d+ bytes of workspace, in"), text)
  end)

  it("accepts several topics, and rejects unknown ones", function()
    local text = run "HYBRIDLUA_LOG=plan,trace"
    assert.truthy(text:find "hybridlua trace:" and text:find "hybridlua plan:")
    text = run "HYBRIDLUA_LOG=trace,everything"
    assert.truthy(text:find "HYBRIDLUA_LOG: expected trace, plan or kernel, got 'everything'", text)
    assert.truthy(text:find "hybridlua trace:")
  end)
end)

describe("HYBRIDLUA_DISABLE=1", function()
  it("runs everything eagerly, with the same results", function()
    local compiled, eager = run "", run "HYBRIDLUA_DISABLE=1"
    assert.equal("2", compiled:match "^(%d+)")
    assert.equal("3", eager:match "^(%d+)")
    assert.equal(compiled:match "\t(.*)", eager:match "\t(.*)")
    assert.equal(0, select(2, (run "HYBRIDLUA_DISABLE=1 HYBRIDLUA_LOG=trace,plan"):gsub("hybridlua %l+:", "")))
  end)
end)

-- Two operators that can run in place, one that cannot, and a view.
local function f(F, a) return (F.exp(a) * 2 + 1):reshape(-1):sum() + F.sqrt(a * a):max() end

describe("HYBRIDLUA_NOPLAN=1", function()
  local function arena()
    local g = hl.compile(f)
    local y = g(nd.array { { 1, 2, 3 }, { 4, 5, 6 } })
    return g:explain { format = "table" }.traces[1].compiled.plans[1].arena_bytes, y
  end

  it("gives every value its own memory", function()
    local before = core.host.debug { jit = "off" }
    local planned, y = arena()
    core.host.debug { no_plan = true }
    local apart, z = arena()
    core.host.debug(before)
    assert.truthy(before.no_plan or apart > planned)
    assert.bits(z, y)
  end)

  it("is read from the environment", function()
    local text = "print(require 'hybridlua.core'.host.debug {}.no_plan)"
    assert.equal("true\n", (command.run(("HYBRIDLUA_NOPLAN=1 %s -e %q"):format(command.program, text))))
    assert.equal("false\n", (command.run(("HYBRIDLUA_NOPLAN=0 %s -e %q"):format(command.program, text))))
  end)
end)

describe("HYBRIDLUA_POISON=1", function()
  it("changes no result", function()
    local g, x = hl.compile(f), nd.array { { 1, 2, 3 }, { 4, 5, 6 } }
    local y = g(x)
    local before = core.host.debug { poison = true }
    local z = g(x)
    core.host.debug(before)
    assert.bits(z, y)
  end)

  it("fills new memory with NaN", function()
    local text = "print(package.loadlib('build/spec/broken.so', 'luaopen_broken')()('memory'))"
    assert.equal("ffffffff\n", (command.run(("HYBRIDLUA_POISON=1 %s -e %q"):format(command.program, text))))
  end)
end)
