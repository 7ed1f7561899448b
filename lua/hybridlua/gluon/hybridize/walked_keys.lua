-- walked_keys.lua - one guard for a loop over a table. The follower records each step of next() as a separate place:
-- the key that follows a key. Here consecutive steps become one place whose key is the list of keys: { start = the key
-- before the first step, n = number of steps, key, key, ... }; the last key is nil at the end of the table. So a
-- compiled call walks the table once (src/bind/call/call_guards.c).
local walked = {}

-- A place for the steps that start with `place`.
local function begin(place)
  return { kind = "next", holder = place.holder, key = { start = place.key, n = 1, place.value }, value = true,
           line = place.line, from = place.from }
end

--- The list of places with the steps of each loop merged, in the order of their first steps.
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
