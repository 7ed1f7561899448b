-- known_lua_spec.lua - traces are refused in a Lua that runs its functions otherwise than the follower expects, such as
-- one whose instructions a patch has changed.
local core = require "hybridlua.core"
local hl = require "hybridlua"
local MODULE = "hybridlua.gluon.hybridize.known_lua"

-- Loads the check anew, with a follower whose record `change` has changed; what it finds.
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

describe("a Lua is", function()
  it("known if the follower saw what was read", function() assert.is_true(known_with(function() end)) end)

  it("not known if the follower missed an entry", function()
    local n = 0
    known_with(function(places) n = #entries(places) end)
    assert.truthy(n > 100)
    for _, i in ipairs { 1, n // 2, n } do
      assert.is_false(known_with(function(places) table.remove(places, entries(places)[i]) end))
    end
  end)

  it("not known if the follower took another branch", function()
    assert.is_false(known_with(function(places)
      local list = entries(places)
      places[list[7]], places[list[8]] = places[list[8]], places[list[7]]
    end))
  end)

  it("not known if the follower missed a metamethod", function()
    assert.is_false(known_with(function(places)
      for i, place in ipairs(places) do if place.key == "__close" then places[i].key = "__index" end end
    end))
  end)

  it("not known if the follower lost its way", function()
    assert.is_false(known_with(function(_, ended) ended.refusal = "lost" end))
  end)
end)

it("a trace is refused in a Lua that is not known", function()
  local known = require(MODULE)
  finally(function() known.is_known = true end)
  known.is_known = false
  local f = hl.compile(function(_, x) return x * 2 end)
  assert.raises(function() f(hl.nd.ones { 2 }) end,
    "known_lua_spec.lua:%d+: this Lua runs its functions otherwise than expected; hybridlua cannot trace here")
  assert.is_nil(debug.gethook())
  known.is_known = true
  assert.same({ 2, 2 }, f(hl.nd.ones { 2 }):totable())
end)
