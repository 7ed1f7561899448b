-- refused_spec.lua - memory that is refused once, or for good: a call that succeeds at its second try
-- has done everything once, and no mode stays on.
local command = require "spec.support.command"

describe("memory that is refused", function()
  for _, compiled in ipairs { "no", "blocks", "step" } do
    local function run(how)
      local output = command.hybridlua { "spec/support/refused.lua", how, compiled }
      local n, well = output:match "^(%d+) allocations, (%d+) runs went well\n$"
      assert.truthy(n, output)
      return tonumber(n), tonumber(well)
    end

    it("once: the same bits, or an error; compiled: " .. compiled, function()
      local n, well = run "once"
      assert.is_true(n > 100 and well > 50)
    end)

    it("from some point on, to Lua too, leaves no mode on; compiled: " .. compiled, function()
      assert.is_true(run "from" > 300)
    end)
  end
end)
