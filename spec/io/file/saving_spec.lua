-- saving_spec.lua - saves are atomic: with full disks, failing system calls and kills. Modes and symbolic links are
-- kept, and no temporary files remain.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local KILLS = tonumber(os.getenv "HYBRIDLUA_KILLS" or 50)

describe("a save", function()
  local folder
  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  -- Returns the mark in a file that save_child.lua wrote, 1 or 2; fails if the file is incomplete.
  local function mark(file)
    local loaded = nd.load(file)
    local n = loaded.n:asscalar()
    assert.equal(200000, loaded.w.size)
    assert.equal(n * 200000, loaded.w:sum():asscalar())
    return n
  end

  local function save(file, n) nd.save(file, { w = nd.ones { 200000 } * n, n = nd.array { n } }) end

  it("leaves only the file, with the mode of a new file", function()
    local file = folder:file "x.params"
    for n = 1, 3 do
      save(file, n)
      assert.equal(n, mark(file))
      assert.same({ "x.params" }, folder:list())
    end
    local other = folder:file "other"
    scratch.write(other, "")
    assert.equal(scratch.run("stat -c %a " .. other), scratch.run("stat -c %a " .. file))
    sym.var "x":save(folder:file "s.json")
    nd.save(folder:file "x.npy", nd.ones { 2 })
    nd.save(folder:file "x.npz", { nd.ones { 2 } })
    assert.same({ "other", "s.json", "x.npy", "x.npz", "x.params" }, folder:list())
  end)

  it("keeps the mode of an existing file", function()
    local file = folder:file "x"
    save(file, 1)
    for _, mode in ipairs { "600", "640", "755" } do
      scratch.run(("chmod %s '%s'"):format(mode, file))
      save(file, 2)
      assert.equal(mode .. "\n", scratch.run("stat -c %a " .. file))
    end
  end)

  it("follows symbolic links, even to a missing file", function()
    scratch.run(("cd '%s' && mkdir a b && ln -s b/x.params link && ln -s ../link a/far && ln -s '%s/b/x.params' " ..
      "absolute"):format(folder.path,
      folder.path))
    for n, name in ipairs { "link", "a/far", "absolute" } do
      save(folder:file(name), n)
      assert.equal(n, mark(folder:file "b/x.params"))
      assert.equal("symbolic link\n", scratch.run(("stat -c %%F '%s'"):format(folder:file(name))))
    end
    assert.same({ "a", "absolute", "b", "link" }, folder:list())
    scratch.run(("cd '%s' && ln -s round round"):format(folder.path))
    assert.raises(function() save(folder:file "round", 1) end, "round: save: Too many levels of symbolic links")
  end)

  it("removes temporary files of killed saves after an hour, and no others", function()
    local dead = scratch.run("sh -c 'echo $$'"):gsub("\n", "")
    local stays = { ".hybridlua-" .. dead .. "-1.tmp.mine", ".hybridlua-1-0.tmp", ".hybridlua-x-1.tmp", "mine.tmp",
                    ".hybridlua-" .. dead .. "-7.tmp" }
    local old = table.concat(stays, " ", 1, 4)
    scratch.run(("cd '%s' && touch -d '2 hours ago' %s .hybridlua-%s-0.tmp .hybridlua-%s-12.tmp && touch %s && " ..
      "mkdir -p d " ..
                 "&& touch -d '2 hours ago' d")
      :format(folder.path, old, dead, dead, stays[5]))
    nd.save(folder:file "x.params", { nd.ones { 2 } })
    stays[#stays + 1], stays[#stays + 2] = "d", "x.params"
    table.sort(stays)
    local names = folder:list()
    table.sort(names)
    assert.same(stays, names)
  end)

  it("accepts names without a folder, and long names", function()
    local output = scratch.run(("cd '%s' && '%s' '%s' x once"):format(folder.path, scratch.absolute(scratch.program),
      scratch.absolute "spec/support/save_child.lua"))
    if scratch.is_own_program then
      assert.equal("saved\n", output)
      assert.same({ "x" }, folder:list())
    end
    local long = folder:file(("x"):rep(255))
    save(long, 1)
    assert.equal(1, mark(long))
    assert.raises(function() save(folder:file(("x"):rep(256)), 1) end, "File name too long")
    assert.raises(function() save(("x/"):rep(3000), 1) end,
      "nd.save: file: expected a name of at most 4095 bytes, got 6000")
  end)

  it("reports the reason of a failure, and leaves the old file", function()
    local file = folder:file "x"
    save(file, 1)
    assert.raises(function() save(folder:file "none/x", 2) end, "nd.save: .*none/x: save: No such file or directory")
    assert.raises(function() save(folder.path, 2) end, "Is a directory")
    assert.raises(function() save(file .. "/x", 2) end, "Not a directory")
    assert.raises(function() sym.var "x":save(folder:file "none/x") end,
      "save: .*none/x: save: No such file or directory")
    assert.raises(function() save("/dev/full", 2) end,
      "nd.save: /dev/full: write: No space left on device %(%d+ bytes in%)")
    assert.raises(function() nd.save("/dev/full", nd.ones { 2 }) end, "No space left on device")
    assert.raises(function() sym.var "x":save "/dev/full" end, "No space left on device")
    nd.save("/dev/null", nd.ones { 2 })
    assert.equal("character special file\n", scratch.run "stat -c %F /dev/null")
    assert.equal(1, mark(file))
    assert.same({ "x" }, folder:list())
  end)

  -- Runs save_child.lua behind a command prefix; returns its output.
  local function child(before, file, what)
    return (scratch.run(("%s '%s' spec/support/save_child.lua '%s' %s"):format(before, scratch.program, file, what)))
  end

  if not scratch.is_own_program then return end

  it("does not replace a file without write permission", function()
    local file = folder:file "x"
    save(file, 1)
    scratch.run(("chmod 444 '%s'; chmod 777 '%s'"):format(file, folder.path))
    local output = child("setpriv --reuid=65534 --regid=65534 --clear-groups --", file, "once")
    local cannot = output:find "setpriv" or output:find "not found" or output:find "Operation not permitted"
    if cannot then pending "cannot run as another user here" return end
    assert.truthy(output:find("save: Permission denied", 1, true), output)
    assert.equal(1, mark(file))
  end)

  it("stops at a limit on the file size, after a short write", function()
    local file = folder:file "x"
    save(file, 1)
    local output = child("trap '' XFSZ; ulimit -f 100;", file, "once")
    assert.truthy(output:find("write: File too large", 1, true), output)
    assert.equal(1, mark(file))
    assert.same({ "x" }, folder:list())
  end)

  it("leaves the old file or the new one when killed at any time #once", function()
    local file, below = folder:file "x", scratch.numbers(1)
    for _ = 1, KILLS do
      save(file, 3)
      scratch.run(([['%s' spec/support/save_child.lua '%s' forever & p=$!
        s=$(stat -c %%i '%s'); while [ "$(stat -c %%i '%s')" = "$s" ]; do :; done
        sleep 0.0%02d; kill -9 $p; wait $p]]):format(scratch.program, file, file, file, below(30)))
      assert.truthy(mark(file) ~= 3)
    end
    for _, name in ipairs(folder:list()) do
      assert.truthy(name == "x" or name:match "^%.hybridlua%-%d+%-%d+%.tmp$", name)
    end
  end)

  describe("with failing system calls", function()
    local library
    setup(function()
      library = scratch.folder()
      local _, code =
        scratch.run(("cc -shared -fPIC -o '%s' spec/native/io_faults.c -ldl"):format(library:file "faults.so"))
      if code ~= 0 or scratch.program:find "asan" then library = nil end
    end)
    teardown(function() if library then library:remove() end end)

    local function faulty(fault, file, what)
      return child(("FAULT=%s LD_PRELOAD='%s'"):format(fault, library:file "faults.so"), file, what)
    end

    for _, call in ipairs { "open", "write", "fsync", "fchmod", "linkat", "rename", "close" } do
      it("is atomic: " .. call, function()
        if not library then pending "no C compiler, or ASan" return end
        local file, failed = folder:file "x", 0
        for _, error in ipairs { "EIO", "ENOSPC", "EINTR", "EOPNOTSUPP", "short" } do
          for n = 1, 4 do
            if error ~= "short" or call == "write" then
              save(file, 1)
              local output = faulty(("%s:%d:%s"):format(call, n, error), file, "once")
              local now = mark(file)
              assert.truthy(now == 2 or output ~= "saved\n", ("%s %d %s: %s"):format(call, n, error, output))
              -- only the last step, syncing the folder, may fail with the new file in place
              assert.truthy(now == 1 or output == "saved\n" or output:find "the folder could not",
                ("%s %d %s: %s"):format(call, n, error, output))
              assert.same({ "x" }, folder:list())
              if now == 1 then failed = failed + 1 end
              if error == "EINTR" and call ~= "rename" and call ~= "fchmod" and call ~= "open" then
                assert.equal("saved\n", output)
              end
              if error == "short" then assert.equal("saved\n", output) end
            end
          end
        end
        if call ~= "linkat" and call ~= "open" then assert.truthy(failed > 0) end
      end)
    end

    it("is loaded completely, or not at all", function()
      if not library then pending "no C compiler, or ASan" return end
      local file = folder:file "x"
      save(file, 2)
      for n = 1, 3 do
        assert.truthy(faulty(("pread:%d:EIO"):format(n), file, "load"):find("offset %d+: read: Input/output error"))
        assert.equal("loaded 2.0\n", faulty(("pread:%d:EINTR"):format(n), file, "load"))
        assert.equal("loaded 2.0\n", faulty(("pread:%d:short"):format(n), file, "load"))
      end
      assert.truthy(faulty("open:1:EACCES", file, "load"):find("open: Permission denied", 1, true))
    end)
  end)
end)
