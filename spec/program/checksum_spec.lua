-- checksum_spec.lua - the completeness of the tool behind `make checksum`.
local scratch = require "support.scratch"
local command = require "support.command"
local core = require "hybridlua.core"
local oracle = require "support.oracle"

describe("#once make checksum", function()
  it("has one line per mode of each case and graph and one per training run, without errors", function()
    local output, status = scratch.run(command.program .. " tools/checksum.lua")
    local expected = 0
    assert.equal(0, status, output)
    for _, case in ipairs(oracle.cases) do
      if core.op.row(case.op) then expected = expected + #oracle.ways(case) end
    end
    local n = { oracle = 0, graph = 0, training = 0 }
    for line in output:gmatch "[^\n]+" do
      local kind = line:match "^%a+"
      assert.truthy(n[kind], line)
      n[kind] = n[kind] + 1
      assert.truthy(line:find "  %x+$", line)
    end
    assert.same({ oracle = expected, graph = 600, training = 3 }, n)
  end)
end)
