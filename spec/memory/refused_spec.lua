-- refused_spec.lua - memory that is refused once, or from some point on: a call that succeeds on its second try has the
-- effects of one call, and no mode stays on.
local scratch = require "support.scratch"

-- Runs refused_child.lua. Returns the number of points that it tried, and of those that passed without an error.
local function sweep(kind, compiled)
  local step = scratch.is_first_pass and 3 or 50
  local command = ("'%s' spec/support/refused_child.lua %s %s %d"):format(scratch.program, kind, compiled, step)
  local output = scratch.run(command)
  local points, same = output:match "^held: (%d+) points, (%d+) of them without an error\n$"
  assert.truthy(points, output)
  return tonumber(points), tonumber(same)
end

describe("refused memory", function()
  for _, compiled in ipairs { "no", "blocks", "pieces", "step" } do
    it("gives the same bits or an error if refused once; compiled: " .. compiled, function()
      local points, same = sweep("once", compiled)
      assert.is_true(points > 100 and same > 50, points .. " " .. same)
    end)

    it("leaves no mode on if refused from some point on, to Lua too; compiled: " .. compiled, function()
      assert.is_true(sweep("from", compiled) > 300)
    end)
  end
end)
