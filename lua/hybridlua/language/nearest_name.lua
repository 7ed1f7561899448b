-- nearest_name.lua - "did you mean": the most similar name.
local core = require "hybridlua.core"

local nearest = {}

-- Among equally similar names, one with the same beginning as the word comes first (reshape before Reshape).
local function rank(name, word) return (name:sub(1, 1) == word:sub(1, 1) and " " or "") .. name end

--- The key of `names` that is most similar to `word`, or nil if none is similar. A single letter is similar to none,
-- since one change would leave nothing.
function nearest.find(word, names)
  local best, least
  for key in pairs(names) do
    local name = tostring(key)
    local distance = core.host.edit_distance(word, name)
    if not least or distance < least or (distance == least and rank(name, word) < rank(best, word)) then
      best, least = name, distance
    end
  end
  return least and least < #word and least <= 1 + #word // 4 and best or nil
end

--- "; did you mean 'x'?", or "" if no name is similar.
function nearest.hint(word, names)
  local name = nearest.find(word, names)
  return name and ("; did you mean '%s'?"):format(name) or ""
end

return nearest
