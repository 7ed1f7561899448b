-- ci_spec.lua - the verdict of .ci/run over its runs: counts are added, and a run that fails, has no output or has no
-- tests is a failure. A fake `make` stands in for the runs. Then the lists of specs in the runs.
local command = require "support.command"
local scratch = require "support.scratch"

describe(".ci/run", function()
  local folder

  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  -- Returns its output and exit code with these shell commands for `make test` and `make variants`.
  local function ci(test, variants)
    scratch.write(folder:file "make", ([[#!/bin/sh
for target; do :; done
case $target in
  test) %s ;;
  variants) %s ;;
  arm64) echo 5 passed, 0 failed ;;
  *) exit 2 ;;
esac
]]):format(test, variants))
    return command.run(("chmod +x '%s/make'; PATH='%s':$PATH .ci/run"):format(folder.path, folder.path))
  end

  local function concludes(line, test, variants)
    local output, code = ci(test, variants)
    if output:find("== make arm64\n", 1, true) then    -- only on Debian and x86-64
      line = line:gsub("^%d+", function(passed) return ("%d"):format(passed + 5) end)
    end
    assert.equal(line, output:match "([^\n]*)\n$", output)
    assert.equal(line:find ", 0 failed$" and 0 or 1, code)
    return output
  end

  it("adds the counts of all runs", function()
    concludes("1007 passed, 0 failed", "echo 1000 passed, 0 failed", "echo 7 passed, 0 failed")
    concludes("1006 passed, 3 failed", "echo 1000 passed, 1 failed; exit 1", "echo 6 passed, 2 failed; exit 1")
  end)

  it("shows their output, and uses the last count of each", function()
    local output = concludes("31 passed, 0 failed", "echo a line; echo 5 passed, 0 failed; echo 30 passed, 0 failed",
      "echo 1 passed, 0 failed")
    assert.truthy(output:find("\na line\n", 1, true), output)
  end)

  it("repeats failures and their places at its end", function()
    local output = ci("echo failure: adds; echo '  at spec/a_spec.lua:3'; echo 5 passed, 1 failed; exit 1", "exit 2")
    assert.truthy(output:find("failure: adds\n  at spec/a_spec.lua:3\nerror: make variants: ended without a verdict " ..
      "%(exit status 2%)\n%d+ passed, 2 failed\n$"), output)
  end)

  it("fails for a run without a verdict, whatever its exit status", function()
    assert.truthy(concludes("7 passed, 1 failed", "true",
      "echo 7 passed, 0 failed"):find("make test: ended without a verdict", 1, true))
    concludes("7 passed, 1 failed", "echo 7 passed, 0 failed", "kill -9 $$")
    concludes("0 passed, 2 failed", "exit 1", "exit 2")
  end)

  it("fails for a run without a test, and for one that fails after its tests", function()
    concludes("9 passed, 1 failed", "echo 9 passed, 0 failed", "echo 0 passed, 0 failed")
    concludes("10 passed, 1 failed", "echo 9 passed, 0 failed; exit 3", "echo 1 passed, 0 failed")
  end)
end)

describe("tools/each_spec.sh", function()
  it("runs the command once per group of paths, with or without trailing blanks", function()
    local folder = scratch.folder()
    scratch.write(folder:file "says", 'echo "($*)"; echo 2 passed, 0 failed')
    local output, code = command.run("tools/each_spec.sh sh " .. folder:file "says" .. ' -- --groups "a b " c')
    folder:remove()
    assert.equal("(a b)\n(c)\n4 passed, 0 failed\n", output)
    assert.equal(0, code)
  end)
end)

describe("tools/test.sh", function()
  local function lines(text) return command.run(text):gmatch "[^\n]+" end

  it("has every file named _spec.lua in its first run", function()
    local paths = command.run "tools/test.sh list | grep ^first_ | cut -d : -f 2 | tr '\\n' ' '"
    assert.equal(command.run "find spec -name '*_spec.lua' | sort",
      (command.run("find " .. paths .. " -name '*_spec.lua' | sort")))
    local without = { support = true, tutorials = true, oracle = true }
    for name in lines "find spec -name '*.lua'" do
      assert.truthy(name:find "_spec%.lua$" or without[name:match "^spec/(%l+)/"],
        name .. " is in a folder of specs, but is not named _spec.lua")
    end
  end)

  it("lists existing folders and files for the other runs, and every folder at least once", function()
    local runs, given = 0, {}
    for line in lines "tools/test.sh list" do
      local name, list = line:match "^([%l%d_]+): (.*)$"
      assert.truthy(name, line)
      runs = runs + 1
      for path in list:gmatch "%S+" do
        assert.equal(0, select(2, command.run("test -e " .. path)), path)
        if not name:find "^first_" and name ~= "smoke" then given[path:match "^spec/[%w_.]+"] = true end
      end
    end
    assert.equal(10, runs)
    for folder in lines "find spec -name '*_spec.lua' | cut -d / -f 1-2 | sort -u" do
      assert.truthy(given[folder], folder)
    end
  end)

  it("counts tests with a terminal as pending if the system cannot make one #once", function()
    if command.run "unshare -m true" ~= "" then pending "no namespace of mounts can be made" return end
    local output, code = command.run("unshare -m sh -c 'mount -t tmpfs none /dev/pts && " .. command.program ..
      " $(command -v busted) spec/docs/tutorial_spec.lua'")
    assert.truthy(output:find("\n1 pending: no pseudo-terminal can be made here: ", 1, true), output)
    assert.truthy(output:find("\n2 passed, 0 failed\n", 1, true), output)
    assert.equal(0, code)
  end)
end)
