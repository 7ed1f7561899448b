-- nearest.lua - "did you mean": the most similar name.
local core = require "hybridlua.core"

local nearest = {}

--- The key of `names` that is most similar to `word`, or nil if none is near.
function nearest.find(word, names)
  local best, least
  for name in pairs(names) do
    local distance = core.edit_distance(word, tostring(name))
    if not least or distance < least or (distance == least and tostring(name) < best) then best, least = tostring(name), distance end
  end
  return least and least <= 1 + #word // 4 and best or nil
end

--- "; did you mean 'x'?", or "" if nothing is near.
function nearest.hint(word, names)
  local name = nearest.find(word, names)
  return name and ("; did you mean '%s'?"):format(name) or ""
end

return nearest
