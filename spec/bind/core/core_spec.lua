-- core_spec.lua - C functions of hybridlua.core and its objects, called with odd arguments: none may
-- crash or hang. Each function gets its own process.
local scratch = require "support.scratch"

local script = "spec/support/odd_arguments.lua"
local function run(name)
  return scratch.run(("timeout 60 '%s' %s %s </dev/null 2>/dev/null"):format(scratch.program, script, name))
end

describe("a function in C called with odd arguments", function()
  local names = {}
  for name in run(""):gmatch "[^\n]+" do names[#names + 1] = name end
  table.sort(names)
  assert(#names > 80)
  for _, name in ipairs(names) do
    it("returns: " .. name, function()
      local output, code = run(name)
      assert.truthy(output:find "\ncame back, %d+ errors\n$", ("exit status %d after %d bytes"):format(code, #output))
      assert.equal(0, code)
    end)
  end
end)
