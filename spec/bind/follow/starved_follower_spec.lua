-- starved_follower_spec.lua - memory runs out at each allocation of the hook in turn. The followed function runs to its
-- end, where the follower reports the failure. spec/native/heap.c makes the allocations fail.
local core = require "hybridlua.core"
local heap = assert(package.loadlib("build/spec/heap.so", "luaopen_heap"))()
local follow = core.follow
-- locals, because busted looks up globals through its own functions
local next, ipairs, select, pcall, max, rawget, rawlen, getmetatable =
  next, ipairs, select, pcall, math.max, rawget, rawlen, getmetatable

heap.fail()

-- The objects that the function reads. It allocates nothing itself, so only allocations of the hook fail.
local far = { k = 1, [2.5] = 2 }
local object = setmetatable({}, { __index = far, __lt = function() return true end, __len = function() return 3 end })
local list, scale, ended = { 1, 2, 3, x = 4 }, 2, false

local function inner(n) return n * scale end

local function deep(n) return n == 0 and 1 or 1 + deep(n - 1) end

local function work(depth)
  ended = false
  local sum = deep(depth)
  for i, v in ipairs(list) do sum = sum + inner(v) * i end
  for _, v in next, list do sum = sum + v end
  if object < object then sum = sum + #object + object.k + object[2.5] end
  sum = sum + select("#", pcall(inner, 1)) + rawlen(list) + max(1, 2) + #getmetatable(object).__index
  if getmetatable(list) == nil and rawget(list, "y") == nil then ended = true end
  return sum
end

-- Runs work() while refuse(n) makes allocations fail, if n is given; refuse() ends that, and returns whether any
-- failed. The wrapper is a new function each time, which the hook decodes.
local function run(refuse, depth, n)
  local wrapper = load "local work, depth = ... return work(depth)"
  follow.begin { judge = function() return true end }
  refuse(n)
  local ok, sum = pcall(wrapper, work, depth)
  local failed = refuse()
  local places, info = follow.finish()
  return ok and sum, places, info, failed
end

-- Lets each allocation fail in turn; returns their number.
local function hold(refuse, depth)
  collectgarbage "stop"
  finally(function() collectgarbage "restart" end)
  local expected, whole = run(refuse, depth)
  local n = 0
  while true do
    n = n + 1
    local sum, places, info, failed = run(refuse, depth, n)
    assert.equal(expected, sum, "allocation " .. n)
    assert.is_true(ended)
    assert.is_nil(info.refusal)
    assert.is_nil(debug.gethook())
    assert.equal(failed, info.starved, "allocation " .. n)
    if not failed then
      assert.equal(#whole, #places)
      break
    end
  end
  return n - 1
end

describe("a follower without memory", function()
  it("reports after the function ends, if Lua's allocations fail from some point on", function()
    -- no deep calls, because Lua frees their stack after an error
    assert.truthy(hold(heap.fail, 0) > 30)
  end)

  it("reports after the function ends, if one of C's allocations fails", function()
    local function refuse(n) return core.host.memory_options { fail_after = n or 0 } == 0 end
    assert.truthy(hold(refuse, 100) > 3)
  end)
end)
