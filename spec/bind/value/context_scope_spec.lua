-- context_scope_spec.lua - local _ <close> = ctx:with() makes a context current until the variable is closed. A
-- context itself cannot be such a variable.
local hl = require "hybridlua"
local command = require "support.command"
local nd, autograd = hl.nd, hl.autograd
local cpu = hl.cpu

local function now() return tostring(hl.current_context()) end

-- Runs a chunk with hl, cpu, now and `seen`; returns the values that it appends to `seen`. Checks that the current
-- context is unchanged afterwards.
local function run(text)
  local chunk = assert(load("local hl, cpu, now, seen = ...\n" .. text, "=chunk"))
  local seen = {}
  local ok, message = pcall(chunk, hl, cpu, now, seen)
  assert.equal("cpu(0)", now())
  return table.concat(seen, " "), not ok and message or nil
end

local function sees(expected, text)
  local seen, message = run(text)
  assert.is_nil(message)
  assert.equal(expected, seen, text)
end

describe("a context's scope", function()
  it("makes it current until the variable is closed", function()
    do
      local _ <close> = cpu(1):with()
      assert.equal(cpu(1), hl.current_context())
      assert.equal(cpu(1), nd.zeros { 2 }.context)
      autograd.record(function() assert.equal("cpu(1)", now()) end)
    end
    assert.equal(cpu(0), hl.current_context())
  end)

  it("ends on every way out", function()
    sees("cpu(1) cpu(0)", "while true do local _ <close> = cpu(1):with() seen[1] = now() break end seen[2] = now()")
    sees("cpu(1) cpu(0)", "do local _ <close> = cpu(1):with() seen[1] = now() goto out end ::out:: seen[2] = now()")
    sees("cpu(1) cpu(1) cpu(0)",
      "local function f() local _ <close> = cpu(1):with() seen[1] = now() return now() end\n" ..
        "seen[2] = f() seen[3] = now()")
    sees("cpu(1) cpu(0)",
      "pcall(function() local _ <close> = cpu(1):with() seen[1] = now() hl.nd.zeros 'x' end) seen[2] = now()")
    sees("cpu(1) cpu(2) cpu(1) cpu(0)",
      "do local _ <close> = cpu(1):with() seen[1] = now()\n" ..
      "pcall(function() local _ <close> = cpu(2):with() seen[2] = now() error 'x' end)\n" ..
      "seen[3] = now() end seen[4] = now()")
    local _, message = run "local _ <close> = cpu(1):with()\nerror 'mine'"
    assert.equal("chunk:3: mine", message)
  end)

  it("nests in other scopes and in itself", function()
    sees("cpu(1) cpu(2) cpu(1) cpu(1) cpu(1) cpu(0)", [[
      do
        local a <close> = cpu(1):with()
        seen[1] = now()
        do local b <close> = cpu(2):with() seen[2] = now() end
        seen[3] = now()
        do local b <close> = cpu(1):with() seen[4] = now() end
        seen[5] = now()
      end
      seen[6] = now()]])
    sees("cpu(1) cpu(2) cpu(1) cpu(3) cpu(1)", [[
      local a <close> = cpu(1):with()
      seen[1] = now()
      cpu(2):with(function() seen[2] = now() local _ <close> = cpu(1):with() seen[3] = now() end)
      do local b <close> = cpu(2):with() local d <close> = cpu(3):with() seen[4] = now() end
      seen[5] = now()]])
    sees("200",
      "local function f(n) local _ <close> = cpu(1):with() return n == 0 and 0 or 1 + f(n - 1) end seen[1] = f(200)")
  end)

  it("applies to its coroutine", function()
    local routine = coroutine.wrap(function()
      local _ <close> = cpu(3):with()
      coroutine.yield(now())
      do local _ <close> = cpu(2):with() coroutine.yield(now()) end
      return now()
    end)
    do
      local _ <close> = cpu(1):with()
      assert.same({ "cpu(3)", "cpu(1)" }, { routine(), now() })
    end
    assert.same({ "cpu(2)", "cpu(0)", "cpu(3)", "cpu(0)" }, { routine(), now(), routine(), now() })
    local function waits() local _ <close> = cpu(1):with() coroutine.yield() end
    for _, ending in ipairs { coroutine.close, function(co) coroutine.resume(co, 1) end, function() end } do
      local co = coroutine.create(waits)
      coroutine.resume(co)
      assert.equal("cpu(0)", now())
      ending(co)
      assert.equal("cpu(0)", now())
    end
    local dies = coroutine.create(function() local _ <close> = cpu(1):with() error "x" end)
    assert.is_false(coroutine.resume(dies))
    assert.equal("cpu(0)", now())
    assert.same({ false }, { (coroutine.close(dies)) })
    assert.equal("cpu(0)", now())
    collectgarbage()
    assert.equal("cpu(0)", now())
  end)

  it("sets the context of compiled calls inside", function()
    local f = hl.compile(function(F) return F.arange(3) end)
    for i = 0, 2 do
      local _ <close> = cpu(i):with()
      assert.equal(cpu(i), f().context)
    end
    local entered = hl.compile(function(F, x)
      do local _ <close> = cpu(1):with() assert.equal("cpu(1)", now()) end
      return x + F.ones { 2 }
    end)
    assert.same({ 2, 2 }, entered(nd.ones { 2 }):totable())
  end)

  it("works in the program, at the prompt and in plain Lua", function()
    local text =
      'local hl = require "hybridlua" do local _ <close> = hl.cpu(1):with() print(hl.nd.zeros({ 1 }).context) end ' ..
        'print(hl.current_context())'
    assert.equal("cpu(1)\ncpu(0)\n", (command.hybridlua { "-e", text }))
    assert.equal("cpu(1)\ncpu(0)\n",
      (command.run(("LUA_CPATH='%s/?.so' lua5.4 -e %s"):format(command.build, command.quote(text)))))
    local typed = "do local _ <close> = hl.cpu(2):with()\nprint(hl.current_context()) end\nhl.current_context()\n"
    assert.matches("cpu%(2%)[^%d]+cpu%(0%)", (command.hybridlua({ "-i" }, typed)))
  end)
end)

describe("a context in a <close> variable", function()
  it("is rejected at that line, before the next one runs", function()
    for _, text in ipairs {
      "\nlocal _ <close> = cpu(1) seen[1] = now()",
      "local ctx = cpu(1)\nlocal _ <close> = ctx seen[1] = now()",
      "local function pick() return cpu(1) end\nlocal _ <close> = pick() seen[1] = now()",
      "\nlocal _ <close> = hl.current_context() seen[1] = now()",
    } do
      local seen, message = run(text)
      assert.equal("chunk:3: variable '_' got a non-closable value", message)
      assert.equal("", seen)
    end
  end)

  it("gets advice from the program", function()
    local text = 'local hl = require "hybridlua"\nlocal _ <close> = hl.cpu(1)\nprint "on"'
    local output, code = command.hybridlua { command.file(text) }
    assert.equal(1, code)
    assert.truthy(output:find(":2: variable '_' got a non-closable value; a context is entered by its method with: " ..
      "write local _ <close> = ctx:with()\n", 1, true), output)
    assert.falsy(output:find("on\n", 1, true), output)
  end)
end)
