-- refused_spec.lua - memory that is refused once, or for good: a call that succeeds at its second try
-- has done everything once, and no mode stays on.
local scratch = require "support.scratch"

-- Runs refused_child.lua; how many points it tried, and how many of them passed without an error.
local function sweep(kind, compiled)
  local step = scratch.is_first_pass and 3 or 50
  local command = ("'%s' spec/support/refused_child.lua %s %s %d"):format(scratch.program, kind, compiled, step)
  local output = scratch.run(command)
  local points, same = output:match "^held: (%d+) points, (%d+) of them without an error\n$"
  assert.truthy(points, output)
  return tonumber(points), tonumber(same)
end

describe("memory that is refused", function()
  for _, compiled in ipairs { "no", "blocks", "pieces", "step" } do
    it("once: the same bits, or an error; compiled: " .. compiled, function()
      local points, same = sweep("once", compiled)
      assert.is_true(points > 100 and same > 50, points .. " " .. same)
    end)

    it("from some point on, to Lua too, leaves no mode on; compiled: " .. compiled, function()
      assert.is_true(sweep("from", compiled) > 300)
    end)
  end
end)
