-- reads.lua - checks that compiled code follows what it reads besides its arguments: it gives what eager code gives,
-- before a change and after it.
local assert = require "luassert"
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

local reads = {}

--- A list of ways to read, and way(name, make), which adds one. make() gives fn(F, x), and a function that changes what
-- fn reads; it is called once for each mode.
function reads.new()
  local ways = {}
  return ways, function(name, make) ways[#ways + 1] = { name = name, make = make } end
end

-- fn(nd, x) and compiled: what both give before and after the change.
local function check(each, block)
  local x = nd.array { 1, -2 }
  local expected = {}
  do
    local fn, change = each.make()
    expected[1] = fn(nd, x):totable()
    change()
    expected[2] = fn(nd, x):totable()
  end
  local fn, change = each.make()
  local compiled = block(fn)
  assert.same(expected[1], compiled(x):totable())
  assert.same(expected[1], compiled(x):totable())
  change()
  assert.same(expected[2], compiled(x):totable())
  assert.same(expected[2], compiled(x):totable())
end

local function in_block(fn)
  local Net = gluon.HybridBlock:subclass "Reader"
  Net.hybrid_forward = function(_, F, x) return fn(F, x) end
  local net = Net()
  net:hybridize()
  return net
end

--- Describes the tests of all ways, in compiled functions and in blocks. It takes busted's functions.
function reads.describe(describe, it, ways)
  describe("a compiled function follows", function()
    for _, each in ipairs(ways) do it(each.name, function() check(each, hl.compile) end) end
  end)

  describe("a hybridized block follows", function()
    for _, each in ipairs(ways) do it(each.name, function() check(each, in_block) end) end
  end)
end

return reads
