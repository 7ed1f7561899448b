-- reads.lua - tests that compiled code follows all values that it reads, not only its arguments: it matches eager code
-- before and after a change.
local assert = require "luassert"
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

local reads = {}

--- A list of ways to read, and way(name, make), which adds one. make() returns fn(F, x), a function that changes the
-- value that fn reads, and optionally one that undoes both; it is called once per mode. `text` of a way is shown on
-- failure.
function reads.new()
  local ways = {}
  return ways, function(name, make) ways[#ways + 1] = { name = name, make = make } end
end

-- Calls use(fn, change) with the results of make(), then undoes them.
local function with(make, use)
  local fn, change, undo = make()
  local _ <close> = setmetatable({}, { __close = undo or function() end })
  use(fn, change)
end

local function contents(y) return { tostring(y.shape), y:totable() } end

-- Compares eager and compiled code before and after the change.
local function check(each, block)
  local x = nd.array { 1, -2 }
  local expected = {}
  with(each.make, function(fn, change)
    expected[1] = contents(fn(nd, x))
    change()
    expected[2] = contents(fn(nd, x))
  end)
  assert.not_same(expected[1], expected[2], each.text)
  with(each.make, function(fn, change)
    local compiled = block(fn)
    assert.same(expected[1], contents(compiled(x)), each.text)
    assert.same(expected[1], contents(compiled(x)), each.text)
    assert.equal(1, #compiled:explain { format = "table" }.traces, each.text)
    change()
    assert.same(expected[2], contents(compiled(x)), each.text)
    assert.same(expected[2], contents(compiled(x)), each.text)
  end)
end

local function in_block(fn)
  local Net = gluon.HybridBlock:subclass "Reader"
  Net.hybrid_forward = function(_, F, x) return fn(F, x) end
  local net = Net()
  net:hybridize()
  return net
end

--- Describes the tests of all ways, in compiled functions and in blocks, with busted's functions.
function reads.describe(describe, it, ways)
  describe("a compiled function follows", function()
    for _, each in ipairs(ways) do it(each.name, function() check(each, hl.compile) end) end
  end)

  describe("a hybridized block follows", function()
    for _, each in ipairs(ways) do it(each.name, function() check(each, in_block) end) end
  end)
end

return reads
