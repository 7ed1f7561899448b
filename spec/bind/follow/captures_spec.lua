-- captures_spec.lua - hundreds of functions that read more than their arguments (spec/support/captures.lua). A compiled
-- call matches eager code, before and after a change of what they read, or the function is rejected.
--
-- HYBRIDLUA_CAPTURES: the number of random cases, 60 by default; HYBRIDLUA_CAPTURES_FIRST: the first seed, 1 by
-- default.
local hl = require "hybridlua"
local captures = require "support.captures"
local reads = require "support.reads"

local COUNT = tonumber(os.getenv "HYBRIDLUA_CAPTURES") or 60
local FIRST = tonumber(os.getenv "HYBRIDLUA_CAPTURES_FIRST") or 1

local followed, refused = {}, {}
for _, each in ipairs(captures.single()) do
  local list = each.refused and refused or followed
  list[#list + 1] = each
end
for seed = FIRST, FIRST + COUNT - 1 do
  local each = captures.random(seed)
  each.name = ("%s (seed %d)"):format(each.name, seed)
  followed[#followed + 1] = each
end

reads.describe(describe, it, followed)

describe("a compiled function is rejected if it reads", function()
  for _, each in ipairs(refused) do
    it(each.name, function()
      local fn, _, undo = each.make()
      local ok, message = pcall(hl.compile(fn), hl.nd.ones { 2 })
      if undo then undo() end
      assert.is_false(ok, each.text)
      assert.truthy(message:find "^capture:%d+: ", message)
      assert.truthy(message:find(each.refused, 1, true), message)
    end)
  end

  it("one of at most ten kinds of places", function() assert.truthy(#refused <= 10 and #followed >= 182) end)
end)
