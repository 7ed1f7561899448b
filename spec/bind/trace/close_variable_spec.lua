-- close_variable_spec.lua - a context in a variable to be closed, local _ <close> = hl.cpu(1), is the current one in
-- its scope.
local hl = require "hybridlua"
local command = require "support.command"
local nd, autograd = hl.nd, hl.autograd
local cpu = hl.cpu

local function now() return tostring(hl.current_context()) end

-- Runs a chunk that gets hl, cpu, now and `seen`, to which it appends; what it saw. The current context is the same
-- after it.
local function run(text, stripped)
  local chunk = assert(load("local hl, cpu, now, seen = ...\n" .. text, "=chunk"))
  if stripped then chunk = assert(load(string.dump(chunk, true))) end
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

describe("a context in a variable to be closed", function()
  it("is the current one until the variable is closed, and the same value as ever", function()
    do
      local ctx <close> = hl.cpu(1)
      assert.equal(cpu(1), ctx)
      assert.equal(cpu(1), hl.current_context())
      assert.equal(cpu(1), nd.zeros { 2 }.context)
      autograd.record(function() assert.equal("cpu(1)", now()) end)
    end
    assert.equal(cpu(0), hl.current_context())
  end)

  it("is one of every function that gives contexts, in every place that Lua has for the call", function()
    for call, expected in pairs {
      ["hl.cpu(1)"] = "cpu(1)", ["cpu(1)"] = "cpu(1)", ["(hl.cpu(1))"] = "cpu(1)", ["hl.context.cpu(1)"] = "cpu(1)",
      ['require "hybridlua".cpu(2)'] = "cpu(2)", ["hl.gpu(1)"] = "gpu(1)", ["hl.cpu_pinned()"] = "cpu_pinned(0)",
      ["hl.cpu_shared(2)"] = "cpu_shared(2)", ['hl.Context("cpu", 1)'] = "cpu(1)", ["hl.Context(cpu(3))"] = "cpu(3)",
      ['hl.Context { device_type = "cpu", device_id = 2 }'] = "cpu(2)",
      ['hl["cpu"](tonumber "1" + 0 * #seen)'] = "cpu(1)", ["seen.none and hl.gpu(0) or hl.cpu(1)"] = "cpu(1)",
      ["seen and hl.cpu(2) or hl.cpu(1)"] = "cpu(2)", ["seen.none or hl.cpu(1)"] = "cpu(1)",
      ["(seen.none or cpu)(seen.none or 1)"] = "cpu(1)", ["hl.current_context()"] = "cpu(0)",
      ["hl.cpu(1):with()"] = "cpu(1)", ["cpu(cpu(2).device_id)"] = "cpu(2)", ["hl\n.cpu\n(1)"] = "cpu(1)",
      ["hl.cpu(\n1\n)"] = "cpu(1)",
    } do
      local scope = "local _ <close> = " .. call .. " seen[#seen + 1] = now()"
      local twice = expected .. " cpu(0) " .. expected .. " cpu(0)"
      sees(expected, scope)
      sees(expected .. " cpu(0)", "do " .. scope .. " end seen[#seen + 1] = now()")
      sees(twice, "for _ = 1, 2 do do\n" .. scope .. "\nend seen[#seen + 1] = now() end")
      sees(twice, "local function f(...) " .. scope .. " end for _ = 1, 2 do f(1, 2, 3) seen[#seen + 1] = now() end")
      sees(twice, "for _ = 1, 2 do (function() " .. scope .. " return end)() seen[#seen + 1] = now() end")
      sees(twice, "for _ = 1, 2 do coroutine.wrap(function(a, ...) " .. scope ..
        " coroutine.yield() end)(1, 2) seen[#seen + 1] = now() end")
      sees(twice, "local a, b, c, d, e, f, g\nfor _ = 1, 2 do\n" .. scope:gsub("_ <close> =", "x, _ <close> = 5,", 1) ..
        "\nd = function() return _, a, b, c, e, f, g end\nlocal _ <const> = 1 goto out end\n" ..
          "::out:: do seen[#seen + 1] = now() if #seen < 4 then\n" ..
        "do " .. scope .. " end\nseen[#seen + 1] = now() end end")
    end
  end)

  it("is what a function passes on", function()
    sees("cpu(2) cpu(0)",
      "local function pick(...) return cpu(...) end\ndo local _ <close> = pick(2)\nseen[1] = now() end\n" ..
        "seen[2] = now()")
    sees("cpu(1)",
      "local net = { ctx = function(self) return hl.cpu(self.id) end, id = 1 }\nlocal _ <close> = net:ctx()\n" ..
        "seen[1] = now()")
    sees("cpu(1)",
      "local on = setmetatable({}, { __call = function(_, id) return cpu(id) end })\nlocal _ <close> = on(1)\n" ..
        "seen[1] = now()")
  end)

  it("ends with its scope however that is left", function()
    sees("cpu(1) cpu(0)", "while true do local _ <close> = cpu(1) seen[1] = now() break end seen[2] = now()")
    sees("cpu(1) cpu(0)", "do local _ <close> = cpu(1) seen[1] = now() goto out end ::out:: seen[2] = now()")
    sees("cpu(1) cpu(0) cpu(1) cpu(0)",
      "for _ = 1, 2 do do local _ <close> = cpu(1) seen[#seen + 1] = now() goto continue end ::continue::\n" ..
      "seen[#seen + 1] = now() end")
    sees("cpu(1) cpu(1) cpu(0)",
      "local function f() local _ <close> = cpu(1) seen[1] = now() return now() end seen[2] = f() seen[3] = now()")
    sees("cpu(1) cpu(0)", "pcall(function() local _ <close> = cpu(1) seen[1] = now() error 'x' end) seen[2] = now()")
    sees("cpu(1) cpu(0)",
      "pcall(function() local _ <close> = cpu(1) seen[1] = now() hl.nd.zeros 'x' end) seen[2] = now()")
    sees("cpu(1) cpu(2) cpu(1) cpu(0)",
      "do local _ <close> = cpu(1) seen[1] = now()\npcall(function() local _ <close> = cpu(2) seen[2] = now()" ..
      " error 'x' end)\nseen[3] = now() end seen[4] = now()")
    local _, message = run "local _ <close> = cpu(1)\nerror 'mine'"
    assert.equal("chunk:3: mine", message)
  end)

  it("is in others and in itself", function()
    sees("cpu(1) cpu(2) cpu(1) cpu(1) cpu(1) cpu(0)", [[
      do
        local a <close> = cpu(1)
        seen[1] = now()
        do local b <close> = cpu(2) seen[2] = now() end
        seen[3] = now()
        do local b <close> = cpu(1) seen[4] = now() end
        seen[5] = now()
      end
      seen[6] = now()]])
    sees("cpu(1) cpu(2) cpu(1) cpu(3) cpu(1)", [[
      local a <close> = cpu(1)
      seen[1] = now()
      cpu(2):with(function() seen[2] = now() local _ <close> = cpu(1) seen[3] = now() end)
      do local b <close> = cpu(2):with() local d <close> = cpu(3) seen[4] = now() end
      seen[5] = now()]])
    sees("3 2 1 0", [[
      local function f(n)
        local _ <close> = cpu(n)
        if n < 3 then f(n + 1) end
        seen[#seen + 1] = hl.current_context().device_id
      end
      f(1)
      seen[#seen + 1] = hl.current_context().device_id]])
    sees("200", "local function f(n) local _ <close> = cpu(1) return n == 0 and 0 or 1 + f(n - 1) end seen[1] = f(200)")
  end)

  it("is found in long functions, whatever else they hold", function()
    local lines, expected = { "local t = {}", "local function g(...) return ... end" }, {}
    local others = { "t.x%d = %d.5", "t[%d] = -%d", "t.y = 'short%d' .. %d", "t.z = '" .. ("long"):rep(30) .. "%d %d'",
                     "t.f = function(a) return a, %d, %d end",
                     "t.n = nil t.b = not t.x%d t.c = true t.d = 1e30 * %d",
                     "if #t == %d then g(cpu(%d)) else g(hl.cpu(2)) end", ("\n"):rep(200) .. "g(%d, %d)",
                     "for i = 1, 3 do local a, b = i, %d g(a, b, %d) end", "t.e = g(cpu(%d).device_id, %d)",
                     "t.h = function() local _ <close> = cpu(%d) return function() return %d, t end end t.h()" }
    for i = 1, 400 do
      local other = others[i % #others + 1]
      lines[#lines + 1] = other:format(i, i)
      if i % 5 == 0 then
        lines[#lines + 1] = ("do local _ <close> = cpu(%d) seen[#seen + 1] = now() end"):format(i % 7)
        expected[#expected + 1] = ("cpu(%d)"):format(i % 7)
      end
    end
    sees(table.concat(expected, " "), table.concat(lines, "\n"))
  end)

  it("belongs to the coroutine", function()
    local routine = coroutine.wrap(function()
      local _ <close> = cpu(3)
      coroutine.yield(now())
      do local _ <close> = cpu(2) coroutine.yield(now()) end
      return now()
    end)
    do
      local _ <close> = cpu(1)
      assert.same({ "cpu(3)", "cpu(1)" }, { routine(), now() })
    end
    assert.same({ "cpu(2)", "cpu(0)", "cpu(3)", "cpu(0)" }, { routine(), now(), routine(), now() })
    local function waits() local _ <close> = cpu(1) coroutine.yield() end
    for _, ending in ipairs { coroutine.close, function(co) coroutine.resume(co, 1) end, function() end } do
      local co = coroutine.create(waits)
      coroutine.resume(co)
      assert.equal("cpu(0)", now())
      ending(co)
      assert.equal("cpu(0)", now())
    end
    local dies = coroutine.create(function() local _ <close> = cpu(1) error "x" end)
    assert.is_false(coroutine.resume(dies))
    assert.equal("cpu(0)", now())
    assert.same({ false }, { (coroutine.close(dies)) })
    assert.equal("cpu(0)", now())
    collectgarbage()
    assert.equal("cpu(0)", now())
  end)

  it("is that of a call of compiled code inside", function()
    local f = hl.compile(function(F) return F.arange(3) end)
    for i = 0, 2 do
      local _ <close> = hl.cpu(i)
      assert.equal(cpu(i), f().context)
    end
    local entered = hl.compile(function(F, x)
      do local _ <close> = hl.cpu(1) assert.equal("cpu(1)", now()) end
      return x + F.ones { 2 }
    end)
    assert.same({ 2, 2 }, entered(nd.ones { 2 }):totable())
  end)

  it("in the program: a command, the prompt, a script in plain Lua", function()
    local text =
      'local hl = require "hybridlua" do local _ <close> = hl.cpu(1) print(hl.nd.zeros({ 1 }).context) end ' ..
        'print(hl.current_context())'
    assert.equal("cpu(1)\ncpu(0)\n", (command.hybridlua { "-e", text }))
    assert.equal("cpu(1)\ncpu(0)\n",
      (command.run(("LUA_CPATH='%s/?.so' lua5.4 -e %s"):format(command.build, command.quote(text)))))
    assert.equal("cpu(1)\ncpu(0)\n",
      (command.run(("LUA_CPATH='%s/?.so' lua5.4 %s"):format(command.build, command.file(text)))))
    local typed = "do local _ <close> = hl.cpu(2)\nprint(hl.current_context()) end\nhl.current_context()\n"
    assert.matches("cpu%(2%)[^%d]+cpu%(0%)", (command.hybridlua({ "-i" }, typed)))
  end)
end)

describe("a context that is not made for the variable", function()
  local NOT_ENTERED = "context cpu%(1%): was not entered; write local _ <close> = ctx:with%(%)$"

  it("is refused when that is closed, unless an error passes through", function()
    for _, text in ipairs {
      "local ctx = cpu(1)\nlocal _ <close> = ctx\nseen[1] = now()",
      "local ctx = cpu(1);\n(function() local _ <close> = ctx\nseen[1] = now() end)()",
      "local function pick() local ctx = cpu(1)\nreturn ctx end\nlocal _ <close> = pick()\nseen[1] = now()",
      "local _ <close> = ({ cpu(1) })[1]\nseen[1] = now()",
      "local _ <close> = select(1, cpu(1))\nseen[1] = now()",
      "for _ in next, {}, nil, cpu(1) do end\nseen[1] = now()",
    } do
      local seen, message = run(text)
      assert.matches(NOT_ENTERED, message, nil, text)
      assert.matches("^chunk:%d: ", message)
      assert.equal(text:find "for" and "" or "cpu(0)", seen)
    end
    local _, message = run "local ctx = cpu(1)\nlocal _ <close> = ctx\nerror 'mine'"
    assert.equal("chunk:4: mine", message)
    local co = coroutine.create(function() local ctx = cpu(1) local _ <close> = ctx coroutine.yield() end)
    coroutine.resume(co)
    assert.matches(NOT_ENTERED, select(2, coroutine.close(co)))
  end)

  it("does not end the scope of another function that entered the same", function()
    local inner =
      "local function inner(ctx, fail)\nlocal _ <close> = ctx\nseen[#seen + 1] = now()\n" ..
        "if fail then error 'x' end\nend\n"
    for _, fail in ipairs { "false", "true" } do
      sees("cpu(1) cpu(1)",
        inner .. "local _ <close> = cpu(1)\npcall(inner, cpu(1), " .. fail .. ")\nseen[#seen + 1] = now()")
    end
  end)

  it("is entered by no other call, in the same line either", function()
    sees("cpu(0)", "local a, b = cpu(1), hl.Context('cpu', 1) seen[1] = now() local _ <close> = nil")
    sees("cpu(0) cpu(2)",
      "local a, b = cpu(1), hl.cpu(1).device_id seen[1] = now() local _ <close> = cpu(2) seen[2] = now()")
    sees("cpu(1) cpu(1)", "local _ <close> = cpu(1) seen[1] = now() local b = cpu(2) hl.Context(b) seen[2] = now()")
    sees("cpu(0) cpu(2) cpu(0)",
      "hl.Context('cpu', 1) seen[1] = now() do local _ <close> = hl.cpu(2) seen[2] = now() end seen[3] = now()")
    sees("cpu(2)",
      "local f = hl.autograd.record\nlocal _ <close>, c = f(), cpu(1)\nlocal _ <close> = hl.cpu(2) seen[1] = now()")
    sees("cpu(0)",
      "local t <close> = setmetatable({ cpu(1), x = cpu(2) }, { __close = function() end }) seen[1] = now()")
    sees("cpu(1) cpu(2)",
      "local a <close> = cpu(1) seen[1] = now() local b <close> = cpu(2) seen[2] = now() local c <close> = cpu(1)")
    sees("cpu(1) cpu(2)",
      "do local a <close> = cpu(1) seen[1] = now() end do local b <close> = cpu(2) seen[2] = now() end")
    local seen, message = run "hl.cpu(1) local _ <close> = hl.cpu(1) seen[1] = now()"
    assert.equal("cpu(0)", seen)
    assert.matches(NOT_ENTERED, message)
  end)

  it("is one where the code lacks line numbers, and calls cannot be distinguished", function()
    assert.equal("cpu(1)", (run("local _ <close> = cpu(1)\nseen[1] = now()", true)))
    local seen, message = run("hl.cpu(2)\nlocal _ <close> = hl.cpu(1)\nseen[1] = now()", true)
    assert.equal("cpu(0)", seen)
    assert.matches("context cpu%(1%): was not entered", message)
  end)
end)
