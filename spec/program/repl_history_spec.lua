-- repl_history_spec.lua - the prompt's history and line editing.
local command = require "support.command"
local prompt = require "support.prompt"

local at_terminal = command.at_terminal(it, pending)

describe("the REPL", function()
  local terminal = prompt.new(before_each, after_each)
  local session, history = terminal.session, terminal.history

  at_terminal("recalls and saves the history", function()
    session [[
      > 'first' .. 1
      first1
      > 'second' .. 2
      second2
      > <Up><Up>
      first1
    ]]
    assert.equal("'first' .. 1\n'second' .. 2\n'first' .. 1\n", history())
    session [[
      > <Up>
      first1
      > <C-r>sec
      second2
    ]]
    assert.equal("'first' .. 1\n'second' .. 2\n'first' .. 1\n'second' .. 2\n", history())
    assert.equal("600\n", (command.run("stat -c %a " .. terminal.state .. "/hybridlua/history")))
    assert.equal("700\n", (command.run("stat -c %a " .. terminal.state .. "/hybridlua")))
  end)

  at_terminal("keeps 10,000 lines of history", function()
    os.execute("mkdir -p " .. terminal.state .. "/hybridlua")
    local f = assert(io.open(terminal.state .. "/hybridlua/history", "w"))
    for i = 1, 12000 do f:write("line ", i, "\n") end
    f:close()
    session "> 'new' .. 0\nnew0"
    local text = history()
    assert.equal(10001, select(2, text:gsub("\n", "\n")))          -- trimmed at the start, then one more
    assert.truthy(text:find "^line 2001\n")
    assert.truthy(text:find "line 12000\n'new' .. 0\n$")
    assert.equal("600\n", (command.run("stat -c %a " .. terminal.state .. "/hybridlua/history")))
    assert.equal("history\n", (command.run("ls " .. terminal.state .. "/hybridlua")))
  end)

  at_terminal("does not wait for pipes and devices in place of its history and settings", function()
    local folder = terminal.state .. "/hybridlua"
    for _, make in ipairs { "mkfifo %s", "mkdir %s", "ln -s /dev/zero %s", "ln -s /dev/tty %s",
        "mkfifo %s.p && ln -s %s.p %s" } do
      for _, file in ipairs { folder .. "/history", terminal.state .. "/.editrc" } do
        os.execute(("rm -rf %s && mkdir -p %s && "):format(terminal.state, folder) .. make:gsub("%%s", file))
        local output =
          command.run(("env TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 HOME=%s XDG_STATE_HOME=%s timeout 10 " ..
            "build/spec/pty %s"):format(
          terminal.state, terminal.state, command.program),
          "expect 5000 >\nsend 'ali' .. 've'\\r\nexpect 5000 \\nalive\nexpect 5000 >\nsend \\x04\n")
        assert.truthy(output:find("\nexit 0\n", 1, true), make .. file .. output)
      end
    end
  end)

  at_terminal("trims its history after a session was killed while trimming", function()
    local folder = terminal.state .. "/hybridlua"
    os.execute(("mkdir -p %s && touch -d '2 hours ago' %s/history.tmp"):format(folder, folder))
    local f = assert(io.open(folder .. "/history", "w"))
    for i = 1, 12000 do f:write("line ", i, "\n") end
    f:close()
    session "> 'new' .. 0\nnew0"
    assert.equal(10001, select(2, history():gsub("\n", "\n")))
    assert.equal("history\n", (command.run("ls " .. terminal.state .. "/hybridlua")))
  end)

  at_terminal("edits UTF-8", function()
    session [[
      > s = 'é中é'
      > #s, utf8.len 'aé中<BS>'
      7	2
    ]]
    assert.truthy(history():find("s = 'é中é'", 1, true))
  end)

  at_terminal("adapts to the size of the terminal", function()
    session [[
      > 1 + <wait>
      [size 30]
      ...\r\e[J> 1 +
      [0] #'a line of more than 30 columns' + 11
      [0] <Enter>
      42
    ]]
  end)
end)
