-- known_lua_spec.lua - traces are rejected in a Lua that executes functions differently from what the follower expects,
-- such as one whose instructions were patched.
local core = require "hybridlua.core"
local hl = require "hybridlua"
local MODULE = "hybridlua.gluon.hybridize.known_lua"

-- Reloads the check with a follower whose record is modified by `change`; returns its result.
local function known_with(change)
  local finish, loaded = core.follow.finish, package.loaded[MODULE]
  core.follow.finish = function()
    local places, ended = finish()
    change(places, ended)
    return places, ended
  end
  package.loaded[MODULE] = nil
  local ok, found = pcall(require, MODULE)
  package.loaded[MODULE], core.follow.finish = loaded, finish
  return assert(ok and found, found).is_known
end

local function entries(places)
  local list = {}
  for i, place in ipairs(places) do
    if place.kind == "entry" and tostring(place.key):find "%d" then list[#list + 1] = i end
  end
  return list
end

describe("the check of the running Lua", function()
  it("passes if the follower recorded every read", function() assert.is_true(known_with(function() end)) end)

  it("fails if the follower missed an entry", function()
    local n = 0
    known_with(function(places) n = #entries(places) end)
    assert.truthy(n > 100)
    for _, i in ipairs { 1, n // 2, n } do
      assert.is_false(known_with(function(places) table.remove(places, entries(places)[i]) end))
    end
  end)

  it("fails if the follower took another branch", function()
    assert.is_false(known_with(function(places)
      local list = entries(places)
      places[list[7]], places[list[8]] = places[list[8]], places[list[7]]
    end))
  end)

  it("fails if the follower missed a metamethod", function()
    assert.is_false(known_with(function(places)
      for i, place in ipairs(places) do if place.key == "__close" then places[i].key = "__index" end end
    end))
  end)

  it("fails if the follower gave up", function()
    assert.is_false(known_with(function(_, ended) ended.refusal = "lost" end))
  end)
end)

it("a trace is rejected in a Lua that failed the check", function()
  local known = require(MODULE)
  finally(function() known.is_known = true end)
  known.is_known = false
  local f = hl.compile(function(_, x) return x * 2 end)
  assert.raises(function() f(hl.nd.ones { 2 }) end,
    "known_lua_spec.lua:%d+: this Lua executes functions in an unexpected way; hybridlua cannot trace in it")
  assert.is_nil(debug.gethook())
  known.is_known = true
  assert.same({ 2, 2 }, f(hl.nd.ones { 2 }):totable())
end)
