-- kernel_cache_spec.lua - compiled kernels shared by processes: the folder of the cache, its owner and foreign files in
-- it, compilers that fail or are slow, scripts that end during a compilation.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"

local can_compile = not core.host.compile_places().no_compiler

describe("the kernel cache", function()
  local script = [[
    local hl = require "hybridlua"
    local f = hl.compile(function(F, a) return F.tanh(a * 3) + F.exp(a) end)
    local y = f(hl.nd.ones{3})
    local plan = f:explain{format = "table"}.traces[1].compiled.plans[1]
    print(plan.tier, plan.kernels, plan.from_cache, plan.why or "", y[0]:asscalar())
  ]]
  local directory

  before_each(function()
    directory = os.tmpname()
    os.remove(directory)
  end)
  after_each(function() os.execute(("rm -rf '%s'"):format(directory)) end)

  local function run_script(environment)
    local out, code = command.run(("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=sync %s %s -e %s"):format(directory,
      environment or "",
      command.program, command.quote(script)))
    assert.equal(0, code, out)
    return out
  end
  local function entry(kind)
    return command.run(("ls '%s'/*.%s 2>/dev/null"):format(directory, kind)):match "[^\n]+"
  end
  local function check_fresh(out) assert.truthy(out:find "^1%s+ready%s+false", out) end

  it("holds kernels for the processor that the program was built for", function()
    if not can_compile then pending "no C compiler" return end
    local compiler, words = directory .. ".cc", directory .. ".words"
    os.execute(("printf '#!/bin/sh\necho \"$@\" >>%s\nexec cc \"$@\"\n' >%s && chmod +x %s"):format(words, compiler,
      compiler))
    check_fresh(run_script("HYBRIDLUA_CC=" .. compiler))
    local given = command.run(("cat '%s' && rm '%s' '%s'"):format(words, words, compiler))
    assert.truthy(given:find("-march=" .. core.host.info().march .. " ", 1, true), given)
    assert.equal(1, select(2, given:gsub("%-march=", "")), given)
  end)

  it("is private, and used by the next process", function()
    if not can_compile then pending "no C compiler" return end
    check_fresh(run_script())
    assert.truthy(run_script():find "^1%s+ready%s+true")
    assert.equal("700\n", (command.run(("stat -c %%a '%s'"):format(directory))))
  end)

  it("recompiles damaged, truncated and foreign entries", function()
    if not can_compile then pending "no C compiler" return end
    run_script()
    local path = entry "so"
    local file = io.open(path, "r+b")
    file:seek("set", 5000)
    file:write "damage"
    file:close()
    check_fresh(run_script())
    os.execute(("truncate -s 100 '%s'"):format(path))
    check_fresh(run_script())
    os.remove(entry "sum")
    check_fresh(run_script())
    os.execute(("chmod 666 '%s'"):format(path))
    check_fresh(run_script())
    os.execute(("cp /bin/true '%s' && chmod 600 '%s'"):format(path, path))
    check_fresh(run_script())
    assert.truthy(run_script():find "^1%s+ready%s+true")
  end)

  it("removes only its oldest entries when there are too many", function()
    if not can_compile then pending "no C compiler" return end
    os.execute(([[mkdir -m 700 '%s' && cd '%s' && touch -d 2020-01-01 mine.txt
      awk 'BEGIN { for (i = 1; i <= 4100; i++) printf "%%032d.so\n", i }' | xargs touch -d 2021-01-01
      touch -d 2020-06-01 eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.sum]]):format(directory, directory))
    check_fresh(run_script())
    local function count(pattern)
      return tonumber((command.run(("cd '%s' && ls | grep -c '%s'"):format(directory, pattern))))
    end
    assert.equal(0, count "eeee")
    assert.equal(1, count "mine.txt")
    assert.truthy(count "0.*so$" > 3000 and count "0.*so$" < 4000)
  end)

  it("is not used in a folder that others can write to", function()
    os.execute(("mkdir -p '%s' && chmod 777 '%s'"):format(directory, directory))
    local out = run_script()
    if can_compile then assert.truthy(out:find "^0%s+none.*others may write", out) end
  end)

  it("is a private folder in /tmp if the usual one is unusable, with a line in the log", function()
    if not can_compile then pending "no C compiler" return end
    local here = ("/tmp/hybridlua-%s"):format(command.run "id -u":gsub("\n", ""))
    local blocked = command.file "no folder"
    local function run_there(environment)
      return (command.run(("%s HYBRIDLUA_LOG=kernel HYBRIDLUA_JIT=sync %s -e %s"):format(environment, command.program,
        command.quote(script))))
    end
    for _, environment in ipairs { ("HYBRIDLUA_CACHE=%s/kernels"):format(blocked), "HYBRIDLUA_CACHE=/proc/kernels",
                                   ("env -u HYBRIDLUA_CACHE -u XDG_CACHE_HOME HOME=%s"):format(blocked) } do
      local out = run_there(environment)
      assert.truthy(out:find "hybridlua kernel: the cache %S+ cannot be made\n", out)
      assert.truthy(out:find(("hybridlua kernel: kernels are kept in %s\n"):format(here):gsub("%-", "%%-")), out)
      assert.truthy(out:find "\n1%s+ready%s", out)
      assert.equal("700\n", (command.run("stat -c %a " .. here)))
    end
    assert.truthy(run_there(("HYBRIDLUA_CACHE=%s/kernels"):format(blocked)):find "\n1%s+ready%s+true")
    local out = run_there("HYBRIDLUA_CC=/nowhere/cc HYBRIDLUA_CACHE=" .. directory)
    local warning = "hybridlua kernel: no kernels are compiled: HYBRIDLUA_CC=/nowhere/cc is not a program\n"
    assert.truthy(out:find(warning, 1, true), out)
  end)

  it("is not used below a folder that another user owns or can write to", function()
    local inner = directory .. "/a/b"
    local function out_of(command_first)
      os.execute(("rm -rf %s; mkdir -p -m 700 %s && %s"):format(directory, inner, command_first))
      return (command.run(("HYBRIDLUA_CACHE=%s/kernels HYBRIDLUA_JIT=sync %s -e %s"):format(inner, command.program,
        command.quote(script))))
    end
    if not can_compile then pending "no C compiler" return end
    check_fresh(out_of "true")
    check_fresh(out_of(("chmod 1777 %s/a"):format(directory)))            -- sticky, like /tmp
    local refusals = { ("chmod 777 %s/a/b"):format(directory), ("chmod 777 %s/a"):format(directory),
      ("chmod 757 %s"):format(directory) }
    if command.run "id -u" == "0\n" then
      refusals[4] = ("chown 54321 %s/a"):format(directory)
      refusals[5] = ("chgrp 54321 %s/a && chmod 775 %s/a"):format(directory, directory)
    end
    for _, first in ipairs(refusals) do
      local out = out_of(first)
      assert.truthy(out:find("^0%s+none%s+nil%s+the cache %S+ is in a folder that another user owns or can write to"),
        first .. out)
      assert.equal("", (command.run(("ls %s/kernels"):format(inner))))
    end
  end)

  it("stays in the directory that was checked, even if another one replaces it", function()
    if not can_compile then pending "no C compiler" return end
    local here = ("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=sync %s -e "):format(directory, command.program)
    local out, code = command.run(here .. command.quote([[
      local hl = require "hybridlua"
      local function run(fn)
        local f = hl.compile(fn)
        f(hl.nd.ones{3})
        local plan = f:explain{format = "table"}.traces[1].compiled.plans[1]
        print(plan.tier, plan.kernels)
      end
      run(function(F, a) return F.tanh(a * 3) + F.exp(a) end)
      local name = "]] .. directory .. [["
      os.rename(name, name .. ".old")
      os.execute("mkdir -m 700 " .. name)
      run(function(F, a) return F.sin(a * 3) + F.exp(a) end)
      os.execute("ls " .. name .. " | wc -l; ls " .. name .. ".old | wc -l; rm -rf " .. name .. ".old")]]))
    assert.equal(0, code, out)
    assert.equal("1\tready\n1\tready\n0\n4\n", out)
  end)

  it("removes files of killed compilers after an hour", function()
    if not can_compile then pending "no C compiler" return end
    local key = ("0123456789abcdef"):rep(2)
    os.execute(([[mkdir -m 700 '%s' && cd '%s' && touch -d '2 hours ago' \
      %s.aaaaaa.c %s.aaaaaa.so %s.bbbbbb.err %s.cccccc.sum %s.so mine.c &&
      touch %s.dddddd.c]]):format(directory, directory, key, key, key, key, key, key))
    check_fresh(run_script())
    assert.equal(("%s.dddddd.c\n%s.so\nmine.c\n"):format(key, key),
      (command.run(("ls '%s' | grep -e 0123456789 -e mine"):format(directory))))
  end)

  it("serves two parallel processes", function()
    if not can_compile then pending "no C compiler" return end
    local one = ("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=sync %s -e %s >%s.out"):format(directory, command.program,
      command.quote(script), directory)
    os.execute(("%s1 2>&1 & %s2 2>&1 & wait"):format(one, one))
    for i = 1, 2 do
      local file = io.open(directory .. ".out" .. i)
      local out = file:read "a"
      file:close()
      os.remove(directory .. ".out" .. i)
      assert.truthy(out:find "^1%s+ready", out)
    end
  end)

  it("can be disabled, and no compiler is needed", function()
    local value = run_script():match "(%S+)\n$"
    local off = run_script "HYBRIDLUA_JIT=off"
    assert.truthy(off:find "^0%s+none.*HYBRIDLUA_JIT=off", off)
    assert.equal(value, off:match "(%S+)\n$")
    local none = run_script "HYBRIDLUA_CC=/no/such/compiler"
    assert.truthy(none:find "^0%s+none.*/no/such/compiler is not a program", none)
    assert.equal(value, none:match "(%S+)\n$")
  end)

  it("reports a failing compiler once, and continues without", function()
    local value = run_script():match "(%S+)\n$"
    local out = run_script "HYBRIDLUA_CC=false"
    if not can_compile then return end
    local _, times = out:gsub("a kernel did not compile", "")
    assert.equal(1, times, out)
    assert.equal(value, out:match "(%S+)\n$")
  end)

  -- Makes a compiler that is a shell script; returns its path.
  local function own_compiler(text)
    local path = directory .. ".cc"
    local file = io.open(path, "w")
    file:write("#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n", text)
    file:close()
    os.execute("chmod +x " .. path)
    return path
  end

  it("rejects output of broken compilers, and reports why", function()
    if not can_compile then pending "no C compiler" return end
    local value = run_script "HYBRIDLUA_JIT=off":match "(%S+)\n$"
    for text, why in pairs {
      ["exit 0"] = "failed",                                                        -- no output
      ["cat >/dev/null; head -c 5000 /dev/urandom >$2"] = "invalid ELF header",
      ["cat >/dev/null; : >$2"] = "file too short",
      ["mkdir $2"] = "failed",
      ["echo 'int other;' | cc -shared -fPIC -x c -o $2 -"] = "function kernel0 is missing",
      ["cat >/dev/null; echo 'int f(void);int kernel0(void) { return f(); }' | cc -shared -fPIC -x c -o $2 -"] =
        "undefined symbol: f",
      ["cc -O1 -w -shared -fPIC -x c -o $2 - && printf '\\001\\001' | dd of=$2 bs=1 seek=18 conv=notrunc"] =
        "cannot open shared object",
      -- the last one is for another processor
    } do
      local compiler = own_compiler(text)
      for _ = 1, 2 do                                              -- the second finds files of the first in the cache
        local out = run_script("HYBRIDLUA_CC=" .. compiler)
        assert.truthy(out:find "\n0%s+failed%s", out)
        assert.truthy(out:find(why, 1, true), text .. "\n" .. out)
        assert.equal(1, select(2, out:gsub("a kernel did not compile", "")), out)
        assert.equal(value, out:match "(%S+)\n$")
      end
      os.remove(compiler)
    end
  end)

  it("recompiles entries with a correct checksum but missing functions", function()
    if not can_compile then pending "no C compiler" return end
    check_fresh(run_script())
    for _, source in ipairs { "int other;", "void kernel1(void) {}" } do
      os.execute(("echo '%s' | cc -shared -fPIC -x c -o %s - && cksum <%s >%s && chmod 600 %s"):format(
        source, entry "so", entry "so", entry "sum", entry "so"))
      check_fresh(run_script())
      assert.truthy(run_script():find "^1%s+ready%s+true")
    end
  end)

  it("does not wait for pipes, devices, folders and sockets in place of its entries", function()
    if not can_compile then pending "no C compiler" return end
    check_fresh(run_script())
    for _, kind in ipairs { "so", "sum" } do
      for _, make in ipairs { "mkfifo -m 600 %s", "mkdir %s", "ln -s /dev/zero %s", "ln -s /dev/tty %s",
                              "ln -s %s.fifo %s && mkfifo -m 600 %s.fifo" } do
        local path = entry(kind)
        os.execute(("rm -rf %s %s.fifo && "):format(path, path) .. make:gsub("%%s", path))
        local out, code = command.run(("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=sync timeout 20 %s -e %s"):format(directory,
          command.program,
          command.quote(script)))
        assert.equal(0, code, make)
        if make:find "mkdir" then                                -- mv moves the entry into it, without harm
          assert.truthy(out:find "%d+%.%d+\n$", out)
        else
          assert.truthy(out:find "^1%s+ready%s+false", make .. out)
        end
        os.execute(("rm -rf %s %s.fifo"):format(path, path))
        check_fresh(run_script())
      end
    end
  end)

  it("keeps other files in its directory", function()
    if not can_compile then pending "no C compiler" return end
    os.execute(("mkdir -m 700 '%s' && cd '%s' && seq -f 'mine.%%g' 5000 | xargs touch"):format(directory, directory))
    check_fresh(run_script())
    assert.equal("5000\n", (command.run(("ls '%s' | grep -c mine"):format(directory))))
    assert.truthy(run_script():find "^1%s+ready%s+true")
  end)

  -- Runs `text` with a compiler that takes 20 seconds; returns its output and its time.
  local function run_slowly(text)
    local compiler = directory .. ".cc"
    local file = io.open(compiler, "w")
    file:write "#!/bin/sh\nsleep 20\n"
    file:close()
    local start = hl.time()
    local out, code =
      command.run(("chmod +x %s && HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=background HYBRIDLUA_CC=%s %s -e %s"):format(
      compiler, directory, compiler, command.program, command.quote(text)))
    os.remove(compiler)
    assert.equal(0, code, out)
    return out, hl.time() - start
  end

  it("does not keep a script waiting at its end", function()
    local out, seconds = run_slowly(script)
    assert.truthy(out:find "^0%s+compiling", out)
    assert.is_true(seconds < 15)
  end)

  it("has no leftovers of a compiler that fails after the script's end", function()
    if not can_compile then pending "no C compiler" return end
    local compiler = own_compiler "cat >/dev/null; sleep 1; echo error >&2; exit 1"
    local out = command.run(("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=background HYBRIDLUA_CC=%s %s -e %s"):format(directory,
      compiler,
      command.program, command.quote(script)))
    assert.truthy(out:find "^0%s+compiling", out)
    local function left()                             -- files left after ten seconds
      local list
      for _ = 1, 100 do
        list = command.run(("ls '%s'; sleep 0.1"):format(directory))
        if list == "" then break end
      end
      return list
    end
    assert.equal("", left())
    os.remove(compiler)
    compiler = own_compiler "cat >/dev/null; echo error >&2; exit 1"      -- and ends before the script
    command.run(("HYBRIDLUA_CACHE=%s HYBRIDLUA_JIT=background HYBRIDLUA_CC=%s %s -e %s"):format(directory, compiler,
      command.program, command.quote(script .. "os.execute 'sleep 0.5' os.exit(0)")))
    assert.equal("", left())
    os.remove(compiler)
  end)

  it("does not keep a script's pipe open", function()
    local out, seconds = run_slowly("local pipe = io.popen('cat', 'w')" .. script .. "pipe:close() print 'closed'")
    assert.truthy(out:find "^0%s+compiling.*closed", out)
    assert.is_true(seconds < 15)
  end)
end)
