-- regex.lua - Python's regular expressions, as far as names need them: alternatives,
-- groups of alternatives, ., *, +, ?, [..], \d and the like. Each becomes Lua patterns,
-- one an alternative.
local regex = {}

local function expand_groups(text)
  local before, inside, after = text:match "^(.-)%(([^()]*)%)(.*)$"
  if not before or after:match "^[*+?]" then return { text } end
  local list = {}
  for alternative in (inside .. "|"):gmatch "(.-)|" do
    for _, rest in ipairs(expand_groups(before .. alternative .. after)) do list[#list + 1] = rest end
  end
  return list
end

local function patterns(text)
  local list = {}
  for _, expanded in ipairs(expand_groups(text)) do
    for alternative in (expanded .. "|"):gmatch "(.-)|" do
      list[#list + 1] = "^" .. alternative:gsub("[%%%-]", "%%%0"):gsub("\\(%a)", "%%%1"):gsub("\\(.)", "%%%1"):gsub("^%^", "")
    end
  end
  return list
end

--- A function that says whether a name matches from its beginning, as re.match does.
function regex.compile(text)
  local list = patterns(text)
  return function(name)
    for _, pattern in ipairs(list) do if name:find(pattern) then return true end end
    return false
  end
end

return regex
