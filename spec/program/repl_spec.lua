-- repl_spec.lua - sessions at the prompt, typed into a terminal (spec/native/pty.c) and
-- written here as they look on the screen.
local command = require "support.command"

local SOON = 20000       -- ms: long enough for a slow machine that has much else to do
local SERVED = 200       -- ms in which Ctrl-C is answered

local keys = { Enter = "\\r", Tab = "\\t", Up = "\\e[A", BS = "\\x7f", ["C-c"] = "\\x03", ["C-d"] = "\\x04",
  ["C-r"] = "\\x12" }

-- A line of a session as commands for pty.c:
--   > text, >> text   typed at that prompt, with Enter unless it ends in <C-c>, <C-d> or <wait>
--   [300] text        typed after so many ms, whatever is on the screen
--   [size 30]         the terminal gets so narrow
--   [never text]      this did not come since the last text that was expected
--   ...text           comes somewhere in a line
--   text              comes at the beginning of a line
local function commands_of(line, within)
  local prompt, typed = line:match "^(>>?) ?(.*)$"
  local pause, late = line:match "^%[(%d+)%] (.*)$"
  local word, rest = line:match "^%[(%a+) (.*)%]$"
  if word then return word .. " " .. rest end
  if prompt or pause then
    local enter = prompt and not typed:find "<C%-[cd]>$" and not typed:find "<wait>$"
    local text = (typed or late):gsub("\\", "\\\\"):gsub("<wait>$", ""):gsub("<([%a-]+)>", keys) ..
      (enter and "\\r" or "")
    return (prompt and ("expect %d %s "):format(SOON, prompt) or "wait " .. pause) .. "\nsend " .. text
  end
  return ("expect %d %s"):format(within, line:match "^%.%.%.(.*)$" or "\\n" .. line)
end

local at_terminal = command.at_terminal(it, pending)

describe("The REPL", function()
  local state

  before_each(function()
    state = os.tmpname()
    os.remove(state)
  end)

  after_each(function() os.execute("rm -rf " .. command.quote(state)) end)

  -- Plays a session; it ends with Ctrl-D at the prompt unless options.exit tells the code that it
  -- ends with by itself. What is expected right after <C-c> must come within SERVED ms.
  local function session(text, options)
    options = options or {}
    local script, within = {}, SOON
    for line in text:gmatch "[^\n]+" do
      script[#script + 1] = commands_of(line:match "^%s*(.*)$", within)
      within = line:find "<C%-c>$" and SERVED or SOON
    end
    if not options.exit then script[#script + 1] = commands_of("> <C-d>") end
    local output, code = command.terminal(table.concat(script, "\n") .. "\n", state, options.arguments, options.before)
    assert.equal(0, code, output)
    assert.truthy(output:find("\nexit " .. (options.exit or 0) .. "\n", 1, true), output)
    return output
  end

  local function history()
    local f = assert(io.open(state .. "/hybridlua/history"))
    local text = f:read "a"
    f:close()
    return text
  end

  at_terminal("prints the values of expressions", function()
    session [[
      > 40 + 2
      42
      > = 40 + 3
      43
      > 1, nil, 'a' .. 'b'
      1	nil	ab
      > 40 + 4 -- why
      44
      > x = 40 + 5
      > x
      45
      > print 'printed'
      printed
      > nil
      nil
      > ('%d'):format(46)
      46
      > if x then return 40 + 7 end
      47
    ]]
  end)

  at_terminal("prints nothing after a semicolon", function()
    session [[
      > print('ran' .. 1) return 600 + 66
      666
      > 600 + 66;
      > = 600 + 66 ; -- silent
      > 1 + 1; -- silent too, and no error
      > 'en' .. 'd'
      [never 666]
      [never near]
      end
    ]]
  end)

  at_terminal("prints tables with their entries, and arrays as MXNet does", function()
    session [=[
      > {1, 'two', {3}, x = nd.ones{2, 3}, [true] = {}}
      {1, "two", {3}, [true] = {}, x = NDArray 2x3 float32}
      > t = {} t.t = t return t
      {t = {...}}
      > nd.array{{1, 2}, {3, 4}}
      [[1. 2.]
      ...[3. 4.]]
      <NDArray 2x2 @cpu(0)>
      > setmetatable({}, {__tostring = function() return 'an object' end})
      an object
      > local big = {} for i = 1, 1000 do big[i] = i end return big
      {
      ...1, 2, 3,
      ..., 40,
      ...960 more
      }
      > return {('a'):rep(50), list = {('b'):rep(50)}}
      {
      ..."aaa
      ...list = {"bbb
    ]=]
  end)

  at_terminal("continues reading until a line is complete", function()
    session [[
      > for i = 1, 2 do
      >> print('line ' .. i)
      >> end
      line 1
      line 2
      > s = "a\
      >> b"
      > #s + 100
      103
      > 1 +
      >> 98
      99
      > f(
      >> <C-c>
      ...^C
      > 7 * 7
      49
    ]]
  end)

  at_terminal("keeps locals for later lines", function()
    session [[
      > local a, b <const> = 1, 20
      > local function count() a = a + 1 return a end
      > count() + count()
      5
      > a = 100
      > count()
      101
      > local a = a + b
      > a, count()
      121	102
      > b = 3
      ...attempt to assign to const variable 'b'
      > b
      20
      > local fact; fact = function(n) return n == 0 and 1 or n * fact(n - 1) end
      > fact(5)
      120
      > do local hidden = 1 end if true then local hidden = 2 end
      > hidden
      nil
      > local early = 5 return early * 5
      25
      > early * 6
      30
      > local x <close> = setmetatable({}, {__close = function() print 'closed now' end})
      closed now
      > type(x)
      table
      > local lost = 1 error 'no'
      ...no
      > lost
      nil
      > local many = 1; local many = 2
      > many * 11
      22
      > print(_G.a, _G.many)
      nil	nil
      > :who
      local a
      local count
    ]]
  end)

  at_terminal("answers errors with the user's lines, and lives on", function()
    local output = session [[
      > function f() error 'oops' end
      > function g() f() end
      > g()
      stdin:1: oops
      ...in function 'f'
      > nd.exp(5)
      stdin:1: exp: data: expected
      > error({})
      (error object is a table value)
      > error(setmetatable({}, {__tostring = function() return 'own text' end}))
      own text
      > x y
      ...near 'y'
      > 9 * 9
      81
    ]]
    assert.falsy(output:find "repl.lua")
    assert.falsy(output:find "hybridlua:")
  end)

  at_terminal("reports a recursion without end at once, and lives on", function()
    session [[
      > function f() return 1 + f() end
      > f()
      stdin:1: stack overflow
      stack traceback:
      ...skipping
      > coroutine.wrap(f)()
      ...stack overflow
      > 6 * 9
      54
    ]]
  end)

  at_terminal("restores the modes after an error", function()
    session [[
      > autograd.record(function() error 'e1' end)
      stdin:1: e1
      > autograd.is_recording(), autograd.is_training()
      false	false
      > autograd.set_recording(true) error 'e2'
      stdin:1: e2
      > autograd.is_recording()
      false
      > autograd.set_training(true);
      > error 'e3'
      stdin:1: e3
      > autograd.is_training()
      true
    ]]
  end)

  at_terminal("recalls and keeps the history", function()
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
    assert.equal("600\n", (command.run("stat -c %a " .. state .. "/hybridlua/history")))
    assert.equal("700\n", (command.run("stat -c %a " .. state .. "/hybridlua")))
  end)

  at_terminal("keeps 10,000 lines of history", function()
    os.execute("mkdir -p " .. state .. "/hybridlua")
    local f = assert(io.open(state .. "/hybridlua/history", "w"))
    for i = 1, 12000 do f:write("line ", i, "\n") end
    f:close()
    session "> 'new' .. 0\nnew0"
    local text = history()
    assert.equal(10001, select(2, text:gsub("\n", "\n")))          -- as trimmed at the start, and one more
    assert.truthy(text:find "^line 2001\n")
    assert.truthy(text:find "line 12000\n'new' .. 0\n$")
    assert.equal("600\n", (command.run("stat -c %a " .. state .. "/hybridlua/history")))
    assert.equal("history\n", (command.run("ls " .. state .. "/hybridlua")))
  end)

  at_terminal("does not wait for pipes and devices in place of its history and settings", function()
    local folder = state .. "/hybridlua"
    for _, make in ipairs { "mkfifo %s", "mkdir %s", "ln -s /dev/zero %s", "ln -s /dev/tty %s",
        "mkfifo %s.p && ln -s %s.p %s" } do
      for _, file in ipairs { folder .. "/history", state .. "/.editrc" } do
        os.execute(("rm -rf %s && mkdir -p %s && "):format(state, folder) .. make:gsub("%%s", file))
        local output =
          command.run(("env TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 HOME=%s XDG_STATE_HOME=%s timeout 10 " ..
            "build/spec/pty %s"):format(
          state, state, command.program),
          "expect 5000 >\nsend 'ali' .. 've'\\r\nexpect 5000 \\nalive\nexpect 5000 >\nsend \\x04\n")
        assert.truthy(output:find("\nexit 0\n", 1, true), make .. file .. output)
      end
    end
  end)

  at_terminal("trims its history where a killed session left the trimming undone", function()
    os.execute("mkdir -p " .. state .. "/hybridlua && touch -d '2 hours ago' " .. state .. "/hybridlua/history.tmp")
    local f = assert(io.open(state .. "/hybridlua/history", "w"))
    for i = 1, 12000 do f:write("line ", i, "\n") end
    f:close()
    session "> 'new' .. 0\nnew0"
    assert.equal(10001, select(2, history():gsub("\n", "\n")))
    assert.equal("history\n", (command.run("ls " .. state .. "/hybridlua")))
  end)

  at_terminal("completes names, methods, options and files", function()
    session [[
      > nd.broadcast_lesser_e<Tab>(1)
      ...broadcast_lesser_equal: lhs: expected
      > x = nd.ones{2}
      > x:tot<Tab>()
      {1.0, 1.0}
      > x:exp():tot<Tab>()[1] // 1
      2.0
      > ('x'):by<Tab>() - 56
      64
      > local elephant = {trunk = {long = 6}}
      > eleph<Tab>.tr<Tab>.lo<Tab> * 7
      42
      > nd.sum{data=x, keepd<Tab>true}.shape[1] + 60
      61
      > nd.sum(x, {ax<Tab>0}).shape[1] + 61
      62
      > (function() ret<Tab> 63 end)()
      63
      > nd.log<Tab><Tab>10(nd.ones{1}):asscalar() + 65
      ...log1p
      ...logical_and
      65.0
      > hl.autog<Tab> == autograd, hl.glu<Tab> == gluon
      true	true
      > glu<Tab> == gluon, gluon.n<Tab> == nn
      true	true
      > #io.open('spec/program/repl_sp<Tab>):read(4) + 62
      66
    ]]
  end)

  at_terminal("completes methods of blocks, trainers and datasets, through indices and calls of classes too", function()
    session [[
      > net = nn.HybridSequential() net:add(nn.Dense(3, {in_units = 2}), nn.Dropout(0.5))
      > net:init<Tab>()
      > #net:coll<Tab>():keys() + 60
      62
      > net[0].wei<Tab>:data().shape[2] + 61
      63
      > net[1].expo<Tab> == net.export
      true
      > local tr = gluon.Trainer(net:collect_params(), 'sgd')
      > tr:set_l<Tab>(0.25)
      > tr.learning_rate * 4 + 60
      61.0
      > #gluon.data.SimpleDataset{1, 2, 3}:tak<Tab>(1) + 66
      67
      > ds = gluon.data.SimpleDataset{1, 2, 3}
      > #ds:tr<Tab><Tab>_f<Tab>(print) + 60
      ...transform_first
      63
      > #ds + 70, hl.metric.Accu<Tab>():res<Tab>()
      73
      > hl.init.<Tab><Tab>Xavier == hl.init.Xavier
      ...MSRAPrelu
      true
    ]]
  end)

  at_terminal("documents a short function by its arguments, without its body", function()
    local output = session [[
      > net = nn.Dense(2)
      > ?net:initialize
      function Block:initialize(...)
      ...Initialises all parameters
    ]]
    assert.falsy(output:find("self:collect_params", 1, true), output)
  end)

  at_terminal("offers as methods and members what is for users", function()
    local output = session [[
      > hl.init.<Tab><Tab>Zero == hl.init.Zero
      ...MSRAPrelu
      true
    ]]
    for _, name in ipairs { "python_number", "attribute", "_init" } do
      assert.falsy(output:find(name, 1, true), name)
    end
    output = session [[
      > net = nn.HybridSequential()
      > net:<Tab><Tab>collect_params() ~= nil
      ...infer_shape
      true
    ]]
    for _, name in ipairs { "call_compiled", "check_child", "has_hooks", "missing_field", "set_field", "trace_for",
        "with_hooks" } do
      assert.falsy(output:find(name, 1, true), name)
    end
  end)

  at_terminal("completes the options of layers, losses, trainers and optimizers, and optimizers' names", function()
    session [[
      > nn.Dense(3, {act<Tab>'relu', in_un<Tab>2, use<Tab>false})
      Dense(2 -> 3, Activation(relu))
      > gluon.loss.L2Loss{wei<Tab>2}._weight + 60
      62
      > local p = nn.Dense(1):collect_params()
      > gluon.Trainer(p, "ada<Tab>m", {learn<Tab>0.25, beta1=0.5, bet<Tab>0.75}).optimizer.beta2 * 4 + 60
      63.0
      > gluon.Trainer(p, "rms<Tab>).optimizer
      ...RMSProp(learning_rate=0.001
      > hl.optimizer.NAG{mom<Tab>0.25}.momentum * 4 + 60
      61.0
      > nd.Activation(nd.array{-1, 65}, {act_type = "re<Tab>}):sum():asscalar()
      65.0
      > hl.init.Xavier{mag<Tab>4}.magnitude + 60
      64
      > nd.sum{<Tab><Tab>data = nd.ones{2}}:asscalar() + 64
      ...keepdims=
      66.0
    ]]
  end)

  at_terminal("completes its own commands at the beginning of a line", function()
    local file = command.file "return 'from the file'"
    session([[
      > :l<Tab> ]] .. file:sub(1, -2) .. [[<Tab>
      from the file
      > :ti<Tab> 6 * 7
      42
      ... ms
    ]])
  end)

  at_terminal("names the line that was typed in an error", function()
    session [[
      > foo.bar
      stdin:1: attempt to index a nil value (global 'foo')
      > foo.bar.baz -- why
      stdin:1: attempt to index a nil value (global 'foo')
      > 1 +
      >> foo.bar
      stdin:2: attempt to index a nil value (global 'foo')
      > foo.bar, 1;
      stdin:1: attempt to index a nil value (global 'foo')
      > local x = foo.bar
      stdin:1: attempt to index a nil value (global 'foo')
    ]]
  end)

  at_terminal("says what classes do, which arguments they take, and which methods they have", function()
    session [[
      > ?hl.optimizer.Adam
      class Adam, a subclass of Optimizer
      ...Kingma and Ba, 2014
      ...Adam{learning_rate=, beta1=0.9, beta2=0.999
      > ?hl.metric.Accuracy
      ...the fraction of samples whose best prediction
      ...Accuracy{axis=1
      > ?hl.lr_scheduler.CosineScheduler
      ...half a wave
      ...warmup_mode='linear'
      > ?nn.HybridSequential
      ...Runs its children, HybridBlocks, one after the other
      ...methods: add
      > ?gluon.data.vision.MNIST
      ...60,000
      ...MNIST{root=, train=true
      > ?hl.init.Xavier
      ...keeps the scale
      > Mine = nn.Dense:subclass 'Mine' function Mine:polish() end
      > ?Mine
      class Mine, a subclass of Dense
      ...methods: polish
    ]]
  end)

  at_terminal("helps with other input than a path of names, too", function()
    session [[
      > ?
      ...?name prints documentation: ?nd.softmax
      > x = 5
      > ?x:reshape
      Reshape
      > ?x.y.z
      ...nothing is called x.y.z
      > ?nn.Dense(3)
      ...?name prints documentation
      > :time
      ...:time code runs the code
      > :load
      ...:load file runs the file
      > 'li' .. 've'
      live
    ]]
  end)

  at_terminal("breaks its help where the terminal ends", function()
    for _, columns in ipairs { 50, 80 } do
      local output = session(("[size %d]\n> ?net.collect_params\n> ?nn.Dense\n> ?nd.FullyConnected\n"):format(columns),
        { arguments = "-i " .. command.file "net = require 'hybridlua'.gluon.nn.Dense(3)" })
      local widest = 0
      for line in output:gmatch "[^\r\n]+" do
        if not line:find "\27" and not line:find "%(hybridlua/" and line:find "^  " then
          widest = math.max(widest, #line)
        end
      end
      assert.truthy(widest <= columns and widest > columns - 15, columns .. ": " .. widest .. output)
    end
  end)

  at_terminal("helps", function()
    session [[
      > ?nd.sum
      ...keepdims: bool, default false
      ...[ 6. 15.]
      > ?autograd.record
      ...Records operators
      > ?nd.no_such
      nothing is called nd.no_such
      > local n = {5}
      > ?n
      {5}
      > :help
      ...:time code
      > y = nd.ones{2, 3}
      > :who
      ...NDArray 2x3 float32
      > :mem
      ...MiB live
      > :time 6 * 111
      666
      ... ms
      > $ echo shell-$((40 + 5))
      shell-45
      > :nonsense
      :nonsense is no command
    ]]
  end)

  at_terminal("loads files and runs after a script", function()
    local file = command.file "loaded = (loaded or 0) + 1 print('times', loaded, ...) return 'value'"
    session([[
      > loaded + 10
      11
      > :load ]] .. file .. [[

      times	2	an_arg
      value
      > :load no/such
      ...no/such
      > 1 + 1
      2
    ]], { arguments = "-i " .. file .. " an_arg" })
  end)

  at_terminal("edits UTF-8", function()
    session [[
      > s = 'é中é'
      > #s, utf8.len 'aé中<BS>'
      7	2
    ]]
    assert.truthy(history():find("s = 'é中é'", 1, true))
  end)

  at_terminal("follows the terminal's size", function()
    session [[
      > 1 + <wait>
      [size 30]
      ...\r\e[J> 1 +
      [0] #'a line of more than 30 columns' + 11
      [0] <Enter>
      42
    ]]
  end)

  at_terminal("ends by Ctrl-D, :quit and os.exit", function()
    session("> <C-d>", { exit = 0 })
    session("> :quit", { exit = 0 })
    session("> os.exit(7)", { exit = 7 })
  end)

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

  at_terminal("stops what runs within 200 ms at Ctrl-C", function()
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

  at_terminal("stops at Ctrl-C in a new terminal, whatever opened it ignores", function()
    session([[
      > while true do end
      [200] <C-c>
      ...interrupted at stdin:1
    ]], { before = "trap '' INT QUIT TSTP TTIN TTOU CHLD" })
  end)

  at_terminal("quits at a second Ctrl-C while the first is unserved, and not later", function()
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

  it("reads from a pipe too", function()
    local output, code = command.hybridlua({ "-i" },
      "local a = 6\na * 7\nfor i = 1, 2 do\nprint(i)\nend\nerror 'e'\n'after'\n")
    assert.equal(0, code)
    assert.truthy(output:find "> > 42\n> >> >> 1\n2\n> ", output)
    assert.truthy(output:find "stdin:1: e\n", output)
    assert.truthy(output:find "> after\n> \n$", output)
  end)
end)
