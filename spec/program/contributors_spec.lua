-- contributors_spec.lua - the tools for contributors and the files at the root: the compilation database lists every
-- source, the hook for commit messages follows CONTRIBUTING.md, versions agree, the hosted workflow runs .ci/run.
local command = require "support.command"
local scratch = require "support.scratch"

local function list_of(text)
  local list = {}
  for line in command.run(text):gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

describe("#once make compile_commands.json", function()
  it("writes JSON with one entry per source", function()
    local folder = scratch.folder()
    local output, code = command.run(("make BUILD='%s' compile_commands.json"):format(folder.path))
    assert.equal(0, code, output)
    local text = scratch.read(folder:file "compile_commands.json")
    folder:remove()
    local count = {}
    assert.truthy(text:find "^%[\n" and text:find "}\n%]\n$", "expected a list in brackets")
    for line in text:match "^%[\n(.*)\n%]\n$":gmatch "[^\n]+" do
      local file, words = line:match '^  {"directory": "[^"]+", "file": "([^"]+)", "command": "(.*)"},?$'
      assert.truthy(file, line)
      assert.falsy(words:gsub('\\["\\]', ""):find '["\\]', line)
      assert.truthy(words:find(" " .. file, 1, true), line)
      count[file] = (count[file] or 0) + 1
    end
    for _, file in ipairs(list_of "find src -name '*.c'") do
      assert.equal(1, count[file], file)
    end
  end)
end)

describe("#once tools/hooks/commit-msg", function()
  local function judge(subject)
    local file = command.file("\n# a comment\n" .. subject .. "\n\nBody.\n")
    local output, code = command.run("tools/hooks/commit-msg " .. file)
    return code, output
  end

  it("accepts an area with an imperative", function()
    assert.equal(0, (judge "ops: reverse the order of weights in every second step of RNNs"))
    assert.equal(0, (judge "Merge branch 'x'"))
  end)

  it("rejects other subjects with the reason", function()
    for subject, reason in pairs {
      ["Recurrent layers are faster"] = "no area", ["rooms: move files"] = "unknown area 'rooms'",
      ["ops: wrap recurrent layers."] = "a full stop at the end", ["ops: " .. ("x"):rep(68)] = "73 characters",
    } do
      local code, output = judge(subject)
      assert.equal(1, code, subject)
      assert.truthy(output:find("commit-msg: " .. reason, 1, true), output)
    end
  end)

  it("accepts exactly the areas of CONTRIBUTING.md", function()
    local areas = scratch.read "tools/hooks/commit-msg":match 'areas="([^"]+)"'
    local listed = scratch.read "CONTRIBUTING.md":match "Areas: ([%l,%s]+)%.":gsub("[,%s]+", " ")
    assert.equal(areas, listed)
  end)
end)

describe("#once the files at the root", function()
  it("agree on the version", function()
    local version = scratch.read "Makefile":match "VERSION%s+= (%S+)"
    assert.equal(version, scratch.read "CITATION.cff":match "\nversion: (%S+)")
    assert.truthy(scratch.read "CHANGELOG.md":find("\n## [" .. version .. "]\n", 1, true) or
      scratch.read "CHANGELOG.md":find("\n## [" .. version .. "] - ", 1, true), version)
  end)

  it("run .ci/run in the hosted workflow, on Debian 12 and Ubuntu 24.04", function()
    local workflow = scratch.read ".github/workflows/ci.yml"
    assert.truthy(workflow:find('image: ["debian:12", "ubuntu:24.04"]', 1, true))
    assert.truthy(workflow:find("run: .ci/run\n", 1, true))
  end)
end)

describe("#once the tree", function()
  it("mentions no issue numbers", function()
    local text = "grep -rInwiE 'issues? #?[0-9]+' src lua spec docs tools examples bench *.md " ..
      "--exclude-dir=oracle --exclude-dir=tutorials --exclude-dir=__pycache__"
    assert.equal("", (command.run(text)))
  end)
end)
