-- lint_spec.lua - what tools/layers.lua takes for names of operators, read from the sources (tools/row_names.lua), are
-- the names that the program has.
local core = require "hybridlua.core"

describe("the names that lint reads from src/ops", function()
  local read = dofile "tools/row_names.lua"()
  local have = {}
  for _, op in ipairs(core.ops()) do
    for _, name in ipairs { op.name, table.unpack(op.aliases) } do have[name] = true end
  end

  it("are those of all rows", function()
    for name in pairs(have) do assert.truthy(read[name], name) end
  end)

  it("are of rows, but for gradients that are not made", function()
    for name in pairs(read) do assert.truthy(have[name] or name:find "^_backward_", name) end
  end)
end)
