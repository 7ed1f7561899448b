-- repl_interrupts_spec.lua - Ctrl-C at the prompt and while a line runs.
local command = require "support.command"
local prompt = require "support.prompt"

local at_terminal = command.at_terminal(it, pending)

describe("the REPL", function()
  local terminal = prompt.new(before_each, after_each)
  local session, history = terminal.session, terminal.history

  at_terminal("clears the line at Ctrl-C", function()
    session [[
      > error 'never run'<C-c>
      ...^C
      > <C-c>
      ...^C
      > <C-c>
      ...^C
      > 'still' .. 8
      still8
      > <Up>
      still8
    ]]
    assert.falsy(history():find "never run")
  end)

  at_terminal("stops a running line within 200 ms of Ctrl-C", function()
    for _, line in ipairs {
      "while true do end",
      "while true do pcall(function() while true do end end) end",
      "coroutine.wrap(function() while true do pcall(function() local x = 1 end) end end)()",
      "co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
      "while true do local y = x:exp() end",
      "while true do pcall(function() return (x + x):sum() end) end",
      "autograd.record(function() while true do local y = x * 2 end end)",
      "io.read()",
      "local l = io.read() -- and a comment",
      "os.execute 'sleep 9'",
      "os.execute 'trap : INT; sleep 9; sleep 9'",
      "io.popen('sleep 9'):read 'a'",
      "local p = io.popen 'sleep 9' p:close()",
      "while true do local y = x:copy() end",
      "while true do local y = x['::-1, ::-1'] end",
      "while true do local y = x:astype 'float16' end",
      "while true do local y = nd.linalg.inverse(nd.broadcast_to(nd.eye(300):expand_dims(0), {100, 300, 300})) end",
      "while true do local y = nd.linalg.potrf(nd.eye(1000) * 2) end",
      "f = hl.compile(function(F, a) return F.sum(F.tanh(a * 3) + F.exp(a)) end) while true do f(x) end",
      "w = nd.ones{4000, 4000} w:attach_grad() f = hl.compile(function(F, a) local l = autograd.record(function() " ..
        "return F.sum(F.tanh(a * w))" ..
        " end) l:backward() return l end) while true do f(x) end",
    } do
      session([[
        > x = nd.ones{4000, 4000} return 'rea' .. 'dy'
        ready
        > ]] .. line .. [[

        [300] <C-c>
        ...interrupted at stdin:1
        > x:sum():asscalar(), autograd.is_recording()
        16000000.0	false
      ]])
    end
  end)

  at_terminal("stops at Ctrl-C in a new terminal whose parent ignores it", function()
    session([[
      > while true do end
      [200] <C-c>
      ...interrupted at stdin:1
    ]], { before = "trap '' INT QUIT TSTP TTIN TTOU CHLD" })
  end)

  at_terminal("quits at a second Ctrl-C only while the first is unserved", function()
    session([[
      > ('x'):rep(5000):find '.-.-.-.-b'
      [300] <C-c>
      [300] <C-c>
    ]], { exit = 130 })
    session [[
      > while true do end
      [200] <C-c>
      ...interrupted
      > <C-c>
      ...^C
      > <C-c>
      ...^C
      > 5 * 5
      25
    ]]
  end)

  at_terminal("stays usable after 30 interrupts at any time", function()
    local lines = { "> x = nd.ones{1000, 1000}", "> n = 0" }
    local loops = {
      "while true do pcall(function() local y = x:exp() + x end) n = n + 1 end",
      "for v in coroutine.wrap(function() while true do coroutine.yield(x:sum()) end end) do n = v:asscalar() end",
      "x:attach_grad() while true do autograd.record(function() return x * x end):backward() end",
    }
    math.randomseed(7)
    for i = 1, 30 do
      lines[#lines + 1] = "> " .. loops[i % #loops + 1]
      lines[#lines + 1] = ("[%d] <C-c>"):format(math.random(0, 60))
      lines[#lines + 1] = ("> 'alive' .. %d, autograd.is_recording(), (x * 2):sum():asscalar()"):format(i)
      lines[#lines + 1] = ("alive%d\tfalse\t2000000.0"):format(i)
    end
    session(table.concat(lines, "\n"))
  end)
end)
