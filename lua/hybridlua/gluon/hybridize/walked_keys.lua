-- walked_keys.lua - one guard for a loop over a table. The follower records each step of next() as a place of its own:
-- the key that follows a key. Steps that continue one another become one place here, whose key is the list of the
-- keys: { start = the key before the first step, n = number of steps, key, key, ... }; the last key is nil at the end
-- of the table. So a compiled call walks over the table once (src/bind/call/call_guards.c).
local walked = {}

-- The place for the steps from `place` on.
local function begin(place)
  return { kind = "next", holder = place.holder, key = { start = place.key, n = 1, place.value }, value = true,
           line = place.line, from = place.from }
end

--- The list of places with the steps of each loop in one, in the order of their first steps.
function walked.merge(places)
  local merged, open = {}, {}              -- open: by table, the place that its last step belongs to
  for _, place in ipairs(places) do
    local walk = place.kind == "next" and open[place.holder]
    local keys = walk and walk.key
    if keys and place.key ~= nil and rawequal(keys[keys.n], place.key) then
      keys.n = keys.n + 1
      keys[keys.n] = place.value
    elseif place.kind == "next" then
      walk = begin(place)
      open[place.holder] = walk
      merged[#merged + 1] = walk
    else
      merged[#merged + 1] = place
    end
  end
  return merged
end

return walked
