-- program_spec.lua - the hybridlua program: options, exit codes, tracebacks, interrupts, forks.
local hl = require "hybridlua"
local command = require "support.command"
local scratch = require "support.scratch"
local hybridlua, run, file = command.hybridlua, command.run, command.file

-- Runs the program, checks its exit code, and returns its output.
local function output_of(code, words, input)
  local output, actual = hybridlua(words, input)
  assert.equal(code, actual, output)
  return output
end

describe("hybridlua", function()
  it("runs a script with its arguments", function()
    local script = file "print(select('#', ...), ...) print(arg[0], arg[1], arg[2], arg[-1], arg[-2], #arg)"
    assert.equal(("2\ta\t\n%s\ta\t\t--\t-W\t2\n"):format(script), output_of(0, { "-W", "--", script, "a", "" }))
  end)

  it("runs standard input without a script, and for -", function()
    assert.equal("1\t0\n", output_of(0, {}, "print(1, select('#', ...))"))
    assert.equal("x\t-\n", output_of(0, { "-", "x" }, "print(..., arg[0])"))
    assert.truthy(output_of(1, { "-" }, "\nerror 'oops'"):find "^hybridlua: stdin:2: oops\n")
  end)

  it("runs -e, -l and the script in the order of the command line", function()
    local script = file "print('script', x)"
    assert.equal("a\t3.0\nscript\t2\n", output_of(0, { "-e", "x = 2 print('a', math.sqrt(9))", script }))
    assert.equal("table\ttable\n",
      output_of(0, { "-lhybridlua", "-l", "h=hybridlua", "-e", "print(type(hybridlua), type(h))" }))
    assert.equal("Lua warning: w\n", output_of(0, { "-W", "-e", "warn 'w'" }))
  end)

  it("sets globals for -e, but not for scripts", function()
    assert.equal("true\ttrue\ttrue\ttrue\n", output_of(0, { "-e",
      "local h = require 'hybridlua' print(hl == h, nd == h.nd, sym == h.sym, autograd == h.autograd)" }))
    assert.equal("nil\tnil\tnil\n", output_of(0, { file "print(hl, nd, gluon)" }))
    assert.equal("true\ttrue\n", output_of(0, { "-e",
      "local h = require 'hybridlua' print(gluon == h.gluon, nn == (h.gluon and h.gluon.nn))" }))
  end)

  it("exits with 1 and a traceback of the user's lines for an error", function()
    local script = file [[
local hl = require "hybridlua"
local function inner() return hl.nd.ones { 2 } + hl.nd.ones { 3 } + 1 end
function outer() inner() end
hl.autograd.record(function() outer() end)
]]
    local output = output_of(1, { script })
    local lines = {}
    for line in output:gmatch "[^\n]+" do
      lines[#lines + 1] = line:gsub("^hybridlua: ", ""):gsub(script, "S", nil, true)
    end
    local name = script:gsub("%p", "%%%0")
    for i, line in ipairs(lines) do lines[i] = line:gsub(name, "S") end
    assert.truthy(lines[1]:find "^S:2: broadcast_add: rhs: expected a shape", output)
    assert.same({ "stack traceback:", "\tS:2: in upvalue 'inner'", "\tS:3: in function 'outer'",
                  "\tS:4: in function <S:4>",
                  "\tS:4: in main chunk" }, { table.unpack(lines, 2) })
    assert.falsy(output:find "0x")
  end)

  it("begins the traceback of a C function's error at the user's line", function()
    local script = file "string.rep()"
    assert.equal(("hybridlua: %s:1: bad argument #1 to 'rep' (string expected, got no value)\nstack traceback:\n" ..
      "\t%s:1: in main chunk\n")
      :format(script, script), output_of(1, { script }))
  end)

  it("shortens long tracebacks", function()
    local output = output_of(1,
      { file "local function f(n) if n == 0 then error 'deep' end f(n - 1) return 1 end f(100)" })
    assert.truthy(output:find "skipping 81 levels", output)
    assert.equal(24, select(2, output:gsub("\n", "\n")))
  end)

  it("reports an endless recursion within seconds, and briefly", function()
    for text, message in pairs {
      ["function f() return 1 + f() end f()"] = "stack overflow",
      ["local function f(n) if n == 0 then error 'deep' end return 1 + f(n - 1) end f(150000)"] = "deep",
      ["error(setmetatable({}, { __tostring = function() local function f() return 1 + f() end return f() end }))"] =
        "stack overflow",
      ["local t = setmetatable({}, { __index = function(t, k) return t[k] end }) print(t.a)"] = "C stack overflow",
      ["local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) error(t)"] = "C stack overflow",
      ["coroutine.wrap(function() local function f() return 1 + f() end f() end)()"] = "stack overflow",
      ["local function f() local ok, why = pcall(f) error(why, 0) end f()"] = "stack overflow",
      ["error(setmetatable({}, { __tostring = function() return 1 end }))"] = "error object is a table value",
    } do
      local output, code = run(("ulimit -t 5; %s %s"):format(command.program, file(text)))     -- seconds of CPU
      assert.equal(1, code, text)
      assert.truthy(output:match "^[^\n]+":find(message, 1, true), output)
      assert.truthy(output:find "stack traceback:\n", output)
      assert.truthy(output:find "in main chunk\n$", output)
      assert.truthy(select(2, output:gsub("\n", "\n")) <= 25, output)
    end
    local output = output_of(1,
      { file "local function f(n) if n == 0 then error 'deep' end return 1 + f(n - 1) end f(9000)" })
    assert.truthy(output:find "skipping 8981 levels", output)
  end)

  it("passes a stack overflow to pcall and to handlers, even one in the handler", function()
    assert.equal("false\tstring\nfalse\tstring\nfalse\ttable\n", output_of(0, { "-e", [[
      local function f() return 1 + f() end
      local function show(ok, why) print(ok, type(why)) end
      show(pcall(f)) show(xpcall(error, f)) show(xpcall(f, function() return {} end))]] }))
  end)

  it("reports error objects like lua", function()
    assert.equal("hybridlua: object!\n",
      output_of(1, { "-e", "error(setmetatable({}, {__tostring = function() return 'object!' end}))" }))
    assert.truthy(output_of(1, { "-e", "error {}" }):find "^hybridlua: %(error object is a table value%)\n")
    assert.truthy(output_of(1,
      { "-e", "error { code = 2, 'why' }" }):find "^hybridlua: error object: {\"why\", code = 2}\n")
    assert.truthy(output_of(1, { "-e", "error()" }):find "^hybridlua: %(error object is a nil value%)\n")
    assert.truthy(output_of(1, { "-e", "error(42)" }):find "^hybridlua: 42\n")
    assert.truthy(output_of(1, { "-e", "x = = 1" }):find "^hybridlua: %(command line%):1: unexpected symbol near '='\n")
    assert.truthy(output_of(1, { "no/such.lua" }):find "^hybridlua: cannot open no/such.lua")
    assert.truthy(output_of(1,
      { "-l", "nosuchmodule", "-e", "print 'not reached'" }):find "^hybridlua: module 'nosuchmodule' not found")
  end)

  it("finds the digits from any folder of the program and the script", function()
    local folder, program = scratch.folder(), scratch.absolute(command.program)
    local path = folder.path
    local script = scratch.write(folder:file "script.lua",
      'print(#require("hybridlua").gluon.data.vision.Digits{train = false})')
    local elsewhere = "cd / && env -u HYBRIDLUA_DATA "
    local function count_from(place) return (run(elsewhere .. place .. " " .. script)) end
    assert.equal("355\n", count_from(program))                                  -- of the sources
    run(("cd '%s' && mkdir -p a/bin a/share/hybridlua/data b/data c && cp '%s' a/bin/hybridlua && ln " ..
      "a/bin/hybridlua b/hybridlua"):format(
      path, program))
    run(("cp examples/data/digits.csv.gz '%s/a/share/hybridlua/data' && cp examples/data/digits.csv.gz " ..
      "'%s/b/data'"):format(path, path))
    run(("ln -s ../a/bin/hybridlua '%s/c/lua'"):format(path))
    assert.equal("355\n", count_from(path .. "/a/bin/hybridlua"))                -- below the PREFIX of make install
    assert.equal("355\n", count_from(path .. "/b/hybridlua"))                    -- beside it
    assert.equal("355\n", count_from(path .. "/c/lua"))                          -- through a link
    assert.equal("355\n", (run(("%s env PATH='%s/a/bin' hybridlua %s"):format(elsewhere, path, script))))
    os.execute(("rm '%s/b/data/digits.csv.gz'"):format(path))
    local output, code = run(elsewhere .. path .. "/b/hybridlua " .. script)
    assert.equal(1, code)
    assert.truthy(output:find("digits.csv.gz was not found", 1, true) and output:find(path .. "/b/data", 1, true),
      output)
    folder:remove()
  end)

  it("ends cleanly in plain lua5.4, which frees modules while threads still wait", function()
    local script = scratch.write(os.tmpname(),
      'local nd = require("hybridlua").nd local _ = (nd.ones{2000000} * 2):sum():asscalar()')
    local output =
      run(([[n=0; for i in $(seq 50); do
        LUA_CPATH='%s/build/?.so' HYBRIDLUA_NUM_THREADS=2 lua5.4 %s || n=$((n+1)); done; echo $n failed]]):format(
        scratch.absolute ".", script))
    os.remove(script)
    assert.equal("0 failed\n", output)
  end)

  it("is installed with module, data, pages, editor types and examples, which work there", function()
    if command.program ~= "./hybridlua" then pending "another build" return end
    local folder = scratch.folder()
    local prefix = folder.path .. "/there"
    local output, code = run(("make -s install PREFIX='%s' && make -s install PREFIX='%s'"):format(prefix, prefix))
    assert.equal(0, code, output)
    local script = scratch.write(folder:file "script.lua", 'print(#require("hybridlua").gluon.data.vision.Digits{})')
    local elsewhere = "cd / && env -u HYBRIDLUA_DATA "
    assert.equal("1442\n", (run(("%s '%s/bin/hybridlua' %s"):format(elsewhere, prefix, script))))
    assert.equal("1442\n", (run(("%s LUA_CPATH='%s/lib/lua/5.4/?.so' lua5.4 %s"):format(elsewhere, prefix, script))))
    local said = tonumber(scratch.read "README.md":match "a program of ([%d.]+) MB")
    local size = tonumber((run(("stat -c %%s '%s/bin/hybridlua'"):format(prefix)))) / 1e6
    assert.truthy(math.abs(size - said) < 0.3 * said, ("%.1f MB, README says %.1f"):format(size, said))
    for _, name in ipairs { "bin/hybridlua", "lib/lua/5.4/hybridlua.so" } do
      local sections = run(("readelf -SW '%s/%s'"):format(prefix, name))
      assert.truthy(sections:find(".text", 1, true), sections)
      assert.falsy(sections:find(".debug_info", 1, true), name)
    end
    for _, name in ipairs { "share/hybridlua/LICENSE", "share/man/man1/hybridlua.1",
                            "share/hybridlua/docs/types/hybridlua.lua",
                            "share/hybridlua/docs/types/operators.lua",
                            "share/hybridlua/docs/guide/program.md", "share/hybridlua/docs/ops.md",
                            "share/hybridlua/README.md" } do
      assert.equal(0, select(2, run(("test -s '%s/%s'"):format(prefix, name))), name)
    end
    output, code = run(("%s '%s/bin/hybridlua' '%s/share/hybridlua/examples/train.lua' --epochs 1"):format(elsewhere,
      prefix, prefix))
    assert.equal(0, code, output)
    assert.truthy(output:find "test accuracy", output)
    run(("make -s uninstall PREFIX='%s'"):format(prefix))
    assert.equal("", (run(("find '%s' -type f"):format(prefix))))
    folder:remove()
  end)

  it("shows compiler, cache, kernels, BLAS and threads in --info", function()
    local folder = scratch.folder()
    local function info(environment)
      return (run(("env HYBRIDLUA_CACHE=%s/kernels %s %s --info"):format(folder.path, environment, command.program)))
    end
    local output = info "HYBRIDLUA_NUM_THREADS=1 HYBRIDLUA_JIT=sync HYBRIDLUA_CC='sh -x'"
    for _, row in ipairs { "kernels +compiled: while a call waits %(sync%)\n", "compiler +sh %-x\n",
                           "cache +" .. folder.path .. "/kernels\n",
                           "threads +1, on", "BLAS +OpenBLAS [^\n]* kernels\n" } do
      assert.truthy(output:find("\n" .. row), row .. "\n" .. output)
    end
    output = info "HYBRIDLUA_JIT=off HYBRIDLUA_CC=/nowhere/cc"
    assert.truthy(output:find "\nkernels +compiled: never %(off%)\n", output)
    assert.truthy(output:find "\ncompiler +none: HYBRIDLUA_CC=/nowhere/cc is not a program\n", output)
    assert.truthy(info "":find "\nkernels +compiled: in the background\n")
    output = info("HYBRIDLUA_CACHE=/ HOME=" .. folder.path)
    assert.truthy(output:find "\ncache +none: the cache / [^\n]+\n" or command.run "id -u" == "0\n", output)
    folder:remove()
  end)

  it("fills in num_args, as --help-op says", function()
    local output = output_of(0, { "--help-op", "stack" })
    assert.truthy(output:find("num_args: int, filled in", 1, true) and not output:find "required", output)
    assert.truthy(output:find("nd.stack(data, ..., {axis=0})", 1, true), output)
    assert.truthy(output_of(0, { "--help-op", "SliceChannel" }):find("num_outputs: int, required", 1, true))
  end)

  it("wraps its help at COLUMNS, or at 80, without a terminal", function()
    local function widest(environment)
      local most = 0
      for line in run(("env %s %s --help-op FullyConnected"):format(environment, command.program)):gmatch "[^\n]+" do
        most = math.max(most, #line)
      end
      return most
    end
    assert.truthy(widest "COLUMNS=60" <= 60 and widest "COLUMNS=60" > 45)
    assert.truthy(widest "-u COLUMNS" <= 80 and widest "-u COLUMNS" > 65)
  end)

  it("exits with 2 for wrong usage", function()
    for _, words in ipairs { { "-x" }, { "--nonsense" }, { "-e" }, { "-l" }, { "--help-op" }, { "-i3" } } do
      local output = output_of(2, words)
      assert.truthy(output:find("hybridlua: '" .. words[1] .. "'", 1, true), output)
      assert.truthy(output:find "usage: hybridlua", output)
    end
  end)

  it("keeps Lua's os.exit and __close", function()
    local close = "local x <close> = setmetatable({}, {__close = function() print 'closed' end}) "
    assert.equal("closed\n", output_of(3, { "-e", close .. "os.exit(3, true)" }))
    assert.equal("", output_of(4, { "-e", close .. "os.exit(4)" }))
    assert.truthy(output_of(1, { "-e", close .. "error 'e'" }):find "^closed\nhybridlua: %(command line%):1: e")
  end)

  it("prints its version and usage", function()
    assert.truthy(output_of(0, { "--version" }):find "^hybridlua %d+%.%d+%.%d+, Lua 5%.4%.%d+\n$")
    assert.truthy(output_of(0, { "-v" }):find "^hybridlua %d")
    assert.truthy(output_of(0, { "-v", "-e", "print 'and' " }):find "^hybridlua %d.*\nand\n$")
    assert.truthy(output_of(0, { "--help" }):find "^usage: hybridlua")
  end)

  it("describes the build and the machine with --info", function()
    local output = output_of(0, { "--info" })
    for _, pattern in ipairs { "\nLua +Lua 5%.4", "\nBLAS +OpenBLAS .- kernels\n", "\nprocessor +%S",
                               "\nthreads +%d+, on %d+ cores",
                               "\nmemory +[%d.]+ GiB", "\noperators +%d+", "libc%.so" } do
      assert.truthy(output:find(pattern), output)
    end
  end)

  it("documents operators with --help-op", function()
    local output = output_of(0, { "--help-op", "nd.sum" })
    for _, text in ipairs { "sum\n  The sum", "nd.sum(data, {axis=nil, keepdims=false", "also called: sum_axis",
                            "\n  keepdims: bool, default false\n",
                            "\n  F.sum(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n    [ 6. 15.]\n" ..
                              "    <NDArray 2 @cpu(0)>" } do
      assert.truthy(output:find(text, 1, true), output)
    end
    assert.equal(output, output_of(0, { "--help-op", "sum_axis" }))
    output = output_of(0, { "--help-op", "nd.linalg.svd" })
    assert.truthy(output:find "^linalg.svd\n" and output:find("nd.linalg.svd(A, {", 1, true), output)
    for _, name in ipairs { "nd.std", "nd.zeros", "linalg.svd" } do
      output = output_of(0, { "--help-op", name })
      assert.falsy(output:find "%f[%w_]_[%a]", output)
    end
    assert.equal("hybridlua: there is no operator 'summ'; did you mean 'sum'?\n", output_of(1, { "--help-op", "summ" }))
  end)

  it("documents every operator, and every example runs", function()
    local output = output_of(0, { "-e", [[
      local help = require "hybridlua.help"
      for _, op in ipairs(require "hybridlua.core".op.rows()) do
        if not op.internal then
          local text = help.of_operator(op)
          if text:find "\n    example:%d" or text:find "attempt to" then print("of " .. op.name, text) end
        end
      end]] })
    assert.falsy(output:find "of %S+\t", output)                  -- the one in the example of F.print
  end)

  it("starts without a hook, and as a module without a signal handler", function()
    assert.equal("nil\n", output_of(0, { "-e", "print((debug.gethook()))" }))
    local output, code = run([[lua5.4 -e 'package.cpath = "]] .. command.build .. [[/?.so"
      local p, r = pcall, coroutine.resume local h = require "hybridlua"
      print(p == pcall, r == coroutine.resume, h.nd.ones{2}:sum():asscalar())']])
    assert.equal(0, code, output)
    assert.equal("true\ttrue\t2.0\n", output)
  end)

  it("links libedit in the program only", function()
    assert.falsy(run("ldd " .. command.build .. "/hybridlua.so"):find "libedit")
    assert.truthy(run("ldd " .. command.build .. "/hybridlua"):find "libedit")
  end)

  it("keeps the behaviour of pcall and coroutines", function()
    local script = file [[
      local function show(...)
        local t = table.pack(...)
        for i = 1, t.n do t[i] = tostring(t[i]):gsub("0x%x+", "address") end
        print(table.unpack(t, 1, t.n))
      end
      local function closing(n) return setmetatable({}, { __close = function(_, e) show("close", n, e) end }) end
      show(pcall(error, "a")) show(pcall(error)) show(pcall(pcall)) show(pcall(xpcall, print))
      show(xpcall(error, function(m) return "h:" .. tostring(m) end, "q"))
      show(xpcall(function(...) return ... end, print, 1, nil, 3))
      local co = coroutine.create(function(a, b)
        local c = coroutine.yield(a + b)
        local d, e = coroutine.yield(c * 2)
        return d + e
      end)
      show(coroutine.resume(co, 1, 2)) show(coroutine.resume(co, 5))
      show(coroutine.resume(co, 6, 7)) show(coroutine.resume(co))
      show(coroutine.resume(coroutine.create(function() error "boom" end)))
      show(pcall(coroutine.resume, 1)) show(pcall(coroutine.wrap, 1))
      show(pcall(coroutine.wrap(function() error "in wrap" end))) show(pcall(coroutine.wrap(function() error {} end)))
      show(pcall(coroutine.wrap(function() local x <close> = closing "w" error "e" end)))
      co = coroutine.create(function() local x <close> = closing "c" coroutine.yield(1) end)
      show(coroutine.resume(co)) show(coroutine.close(co)) show(coroutine.status(co))
      show(pcall(coroutine.close, coroutine.running()))
      co = coroutine.create(function()
        local x <close> = setmetatable({}, { __close = function() error "in close" end })
        coroutine.yield()
      end)
      show(coroutine.resume(co)) show(coroutine.close(co))
      co = coroutine.create(function()
        show(pcall(function() coroutine.yield(1) error "after yield" end))
        show(xpcall(function() coroutine.yield(2) error "a2" end, function(m) return m:upper() end))
        return "done"
      end)
      for _ = 1, 4 do show(coroutine.resume(co)) end
      for v in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do io.write(v, " ") end
      local function nest(n) return n == 0 and 0 or 1 + coroutine.wrap(nest)(n - 1) end
      for n = 10, 190, 20 do show(n, (pcall(nest, n))) end
      local function deep(n) return select(2, pcall(deep, n + 1)) or n end
      show(pcall(deep, 0)) show(coroutine.resume(coroutine.running())) show(coroutine.isyieldable())
      co = coroutine.create(function() return coroutine.resume(co) end) show(coroutine.resume(co))
    ]]
    assert.equal(run("lua5.4 " .. script), (output_of(0, { script })))
  end)
end)

describe("Ctrl-C", function()
  -- Runs a script, and interrupts it some time after its start.
  local function interrupted(text)
    local script = file("os.execute '{ sleep 0.3; kill -INT $PPID; } >/dev/null 2>&1 &' " .. text)
    local output, code = run(command.foreground .. "timeout 20 " .. command.program .. " " .. script)
    assert.equal(130, code, output)
    return (output:gsub(script:gsub("%p", "%%%0"), "S"))
  end

  it("ends a script with exit code 130 and the line", function()
    assert.equal("hybridlua: interrupted at S:2\n", interrupted "local i = 0\nwhile true do i = i + 1 end")
  end)

  it("is not swallowed by pcall, xpcall, coroutines, or load", function()
    for _, text in ipairs {
      "while true do pcall(function() while true do end end) end",
      "while true do xpcall(function() while true do end end, function(m) return m end) end",
      "while true do coroutine.resume(coroutine.create(function() while true do pcall(function() local x = 1 end) " ..
        "end end)) end",
      "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do pcall(c) end",
      "while true do load(function() while true do end end) end",
    } do
      assert.equal("hybridlua: interrupted at S:1\n", interrupted(text))
    end
  end)

  it("stops kernels and loops of small operators", function()
    for _, text in ipairs {
      "local x = require 'hybridlua'.nd.ones { 4000, 1000 } while true do pcall(x.exp, x) end",
      "local x = require 'hybridlua'.nd.ones { 4 } while true do local y = x + 1 end",
      "local x = require 'hybridlua'.nd.ones { 3000, 1000 } while true do pcall(x.totable, x) end",
    } do
      assert.equal("hybridlua: interrupted at S:1\n", interrupted(text))
    end
  end)

  it("ends os.execute and io.popen, even if only the program gets the signal", function()
    for i, text in ipairs {
      "os.execute 'exec sleep 20'", "pcall(os.execute, 'exec sleep 20')",
      "coroutine.wrap(function() os.execute 'exec sleep 20' end)()",
      "os.execute 'exec >/dev/null 2>&1; trap : INT; sleep 20; sleep 20'",
      "os.execute 'exec >/dev/null 2>&1; trap \"\" INT; sleep 20'",
      "io.popen('exec sleep 20'):read 'a'", "local p = io.popen 'exec sleep 20' p:read 'a' p:close()",
      "local p = io.popen 'exec sleep 20' p:close()", "local p = io.popen('exec sleep 20', 'w') while true do end",
      "local p <close> = io.popen 'exec sleep 20' while true do end",
      "p = io.popen 'exec 2>/dev/null; trap \"\" INT; sleep 20' while true do end",
    } do
      local script, start, how = file(text), hl.time(), i % 3 > 0 and "--foreground" or ""
      local output, code = run(("timeout -k 15 %s --preserve-status -s INT 0.5 %s %s"):format(how, command.program,
        script))
      assert.equal(130, code, text .. output)
      assert.truthy(output:find "^hybridlua: interrupted at ", text .. output)
      assert.is_true(hl.time() - start < 12, how .. text)
    end
  end)

  -- In the first two, the program is stopped until Ctrl-C and the end of the child are both pending.
  it("names the waiting line, even if the wait ends at the same time", function()
    local stop = "'kill -STOP $PPID; kill -INT $PPID; { sleep 0.1; kill -CONT $PPID; } &'"
    local wait = "'sleep 0.3; kill -INT $PPID; exec sleep 20'"
    local sink = "io.popen(" .. wait .. ", 'w') local go = ('x'):rep(4096) repeat "
    for _, text in ipairs {
      "os.execute 'true'\nos.execute " .. stop,
      "local p = io.popen " .. stop .. "\np:close()",
      "local p = io.popen " .. wait .. "\nlocal all = p:read 'a'",
      "io.input(io.popen " .. wait .. ")\nlocal all = io.read()",
      "local p = " .. sink .. "go =\np:write(go) and go\nuntil not go",
      "local p = " .. sink .. "io.output(p) go =\nio.write(go) and go\nuntil not go",
    } do
      local script = file(text .. "\nio.stderr:write 'continued'")
      local output, code = run(command.foreground .. command.program .. " " .. script)
      assert.equal("hybridlua: interrupted at " .. script .. ":2\n", output, text)
      assert.equal(130, code, output)
    end
  end)

  it("keeps the behaviour of os.execute and io.popen", function()
    local script = file [[
      print(os.execute()) print(os.execute "true") print(os.execute "exit 3")
      print(os.execute "kill -9 $$") print(os.execute "kill -2 $$")
      print(os.execute "nosuchprogram 2>/dev/null") print(os.execute "") print((pcall(os.execute, {})))
      local p = io.popen "echo a; echo b; exit 4" print(p:read "l", p:read "a", io.type(p))
      print(p:close()) print(io.type(p), (pcall(p.read, p)))
      p = io.popen("cat >/dev/null; kill -9 $$", "w") print(p:write "x" == p) print(p:close())
      print((pcall(io.popen, "true", "rw"))) print((pcall(io.popen)))
      for l in io.popen("seq 3"):lines() do io.write(l, " ") end
      p = io.popen("cat", "w") p:write "to cat\n" p:close()
      print(io.popen("true"):close()) print(io.popen("exit 1"):close())
      io.popen "true" p = nil collectgarbage()
      do local q <close> = io.popen "echo hi" print(q:read()) end
      local t = {}
      for i = 1, 50 do t[i] = io.popen("echo " .. i) end
      for i = 1, 50 do io.write(t[i]:read "n", " ") t[i]:close() end
      io.input(io.popen "echo in") print(io.read()) print(io.close(io.input()))
    ]]
    local before = command.foreground          -- an ignored SIGINT concerns the command, not Lua
    assert.equal((run(before .. "lua5.4 " .. script)), (run(before .. command.program .. " " .. script)))
  end)

  it("lets __close handlers finish", function()
    assert.equal("closed\t3.0\tfalse\tcaught\nhybridlua: interrupted at S:7\n", interrupted [[
local nd = require "hybridlua".nd
local handler = { __close = function()
  local ok, why = pcall(error, "caught", 0)
  print("closed", nd.ones { 3 }:sum():asscalar(), ok, why)
end }
local co = coroutine.wrap(function() local x <close> = setmetatable({}, handler)
  while true do end
end)
pcall(co)]])
  end)
end)

describe("a Ctrl-C that is ignored at the program's start", function()
  it("stays ignored, as shells expect of background jobs", function()
    local script = file [[
      local function interrupt_me() io.popen("kill -INT $PPID"):close() end
      setmetatable({}, { __gc = function() interrupt_me() print "closed" end })
      interrupt_me()
      print "continued"
    ]]
    local output, code = run("trap '' INT; " .. command.program .. " " .. script)
    assert.equal("continued\nclosed\n", output)
    assert.equal(0, code)
    output, code = run(command.foreground .. command.program .. " " .. script)
    assert.truthy(output:find "^hybridlua: interrupted at ", output)
    assert.truthy(code ~= 0, output)
  end)
end)

describe("a forked child", function()
  local forked = assert(package.loadlib("build/spec/forked.so", "luaopen_forked"))()

  it("gets an error instead of waiting forever for threads", function()
    local core = require "hybridlua.core"
    local nd = core.op.nd
    local threads = core.host.threads()
    core.host.threads(2)
    local x = nd.ones { 1000, 1000 }
    assert.equal(2000000, (x + x):sum():asscalar())          -- starts the thread pool
    for _, use in ipairs { function() return x + x end, function() return nd.ones { 2 } end,
        function() return x:sum() end } do
      local text = forked(use)
      assert.truthy(text:find "^error: .*hybridlua cannot be used in a process made by fork%(%) without exec", text)
    end
    assert.equal("7", forked(function() return 7 end))
    assert.equal(2, nd.ones { 2 }:sum():asscalar())           -- the parent still works
    core.host.threads(threads)
  end)
end)
