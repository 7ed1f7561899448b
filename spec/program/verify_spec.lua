-- verify_spec.lua - random graphs and programs in the build that verifies each pass (-DHL_VERIFY, from `make faults`).
-- It rejects a graph that is not closed, and a memory plan in which values with overlapping lifetimes share memory.
local command = require "support.command"
local scratch = require "support.scratch"

local PROGRAM = "build/verify/hybridlua"
local file = io.open(PROGRAM, "rb")
if file then file:close() end

describe("the build that verifies each pass", function()
  for _, kind in ipairs { { "graphs", 50, 40001 }, { "programs", 400, 40001 }, { "breaks", 300, 40001 } } do
    it(("accepts %d random %s #once"):format(kind[2], kind[1]), function()
      if not scratch.is_first_pass then pending "it takes long" return end
      if not file then pending "it needs `make faults`" return end
      local output, code = command.run(("%s spec/support/fuzz_main.lua %s %d %d"):format(
        PROGRAM, kind[1], kind[2], kind[3]))
      assert.truthy(output:find "\n?%d+ passed, 0 failed\n$", output)
      assert.equal(0, code, output)
    end)
  end
end)
