-- json_tree.lua - JSON texts as tables and back, for specs that damage the structure of a symbol's file.
--
-- Objects are lists of { key, value }, so that order and repeated keys survive; arrays are lists. Numbers, true, false
-- and null stay texts in a table { raw = text }.
local json_tree = {}

local value

local function skip(text, at) return text:find("[^ \n\t\r]", at) or #text + 1 end

local function string_at(text, at)
  local stop = at
  repeat
    stop = text:find('["\\]', stop + 1)
    local escaped = text:sub(stop, stop) == "\\"
    if escaped then stop = stop + 1 end
  until not escaped
  return text:sub(at + 1, stop - 1), stop + 1
end

local function members_at(text, at, close, member)
  local list = {}
  at = skip(text, at + 1)
  while text:sub(at, at) ~= close do
    list[#list + 1], at = member(text, at)
    at = skip(text, at)
    if text:sub(at, at) == "," then at = skip(text, at + 1) end
  end
  return list, at + 1
end

local function pair_at(text, at)
  local key, one
  key, at = string_at(text, at)
  at = skip(text, skip(text, at) + 1)
  one, at = value(text, at)
  return { key, one }, at
end

function value(text, at)
  at = skip(text, at)
  local first = text:sub(at, at)
  if first == '"' then return string_at(text, at) end
  if first == "[" then
    local list, after = members_at(text, at, "]", value)
    return { array = list }, after
  end
  if first == "{" then
    local list, after = members_at(text, at, "}", pair_at)
    return { object = list }, after
  end
  local raw = text:match("^[%w.+-]+", at)
  return { raw = raw }, at + #raw
end

--- The tree of a valid text. Strings keep their escapes.
function json_tree.read(text) return (value(text, 1)) end

--- The text of a tree.
function json_tree.write(tree)
  if type(tree) == "string" then return '"' .. tree .. '"' end
  if tree.raw then return tree.raw end
  local parts = {}
  for i, one in ipairs(tree.array or tree.object) do
    parts[i] = tree.array and json_tree.write(one) or ('"%s": %s'):format(one[1], json_tree.write(one[2]))
  end
  return (tree.array and "[%s]" or "{%s}"):format(table.concat(parts, ", "))
end

--- The value of a key of an object; nil if there is none.
function json_tree.field(tree, key)
  for _, pair in ipairs(tree.object or {}) do if pair[1] == key then return pair[2] end end
  return nil
end

return json_tree
