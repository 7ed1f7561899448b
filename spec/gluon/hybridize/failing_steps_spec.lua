-- failing_steps_spec.lua - compiled training steps against eager ones, with a failure at every instruction
-- (spec/support/fuzz_steps.lua). `fuzz_main.lua steps N SEED` makes more of them.
local fuzz_steps = require "support.fuzz_steps"

describe("random training steps", function()
  it("have the bits of eager ones, and a state of one of their lines after a failure at any instruction", function()
    local count = { failures = 0 }
    for seed = 70001, 70060 do
      local wrong = fuzz_steps.one(seed, { count = count })
      assert.is_nil(wrong)
    end
    assert.truthy(count.failures > 1000, count.failures)
  end)
end)
