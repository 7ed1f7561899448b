-- c_and_lua.lua - finds the comments and strings of C and Lua.
local c_and_lua = {}

-- The index of the quote that ends the string beginning at i.
local function string_end(s, i)
  local quote, stop = s:sub(i, i), i + 1
  while stop <= #s and s:sub(stop, stop) ~= quote do
    stop = stop + (s:sub(stop, stop) == "\\" and 2 or 1)
  end
  return stop
end

local function line_end(s, i) return (s:find("\n", i, true) or #s + 1) - 1 end

local function end_of(s, ending, i) return select(2, s:find(ending, i, true)) or #s end

-- The kind and the last index of the comment or string that begins at i; nil if none begins there.
local function token_at(s, i, is_c)
  if s:find("^[\"']", i) then return "string", string_end(s, i) end
  if is_c then
    if s:find("^//", i) then return "comment", line_end(s, i) end
    if s:find("^/%*", i) then return "long comment", end_of(s, "*/", i + 2) end
    return nil
  end
  local dashes, equals = s:match("^(%-?%-?)%[(=*)%[", i)
  if dashes == "" or dashes == "--" then
    return dashes == "" and "long string" or "long comment", end_of(s, "]" .. equals .. "]", i)
  end
  if s:find("^%-%-", i) then return "comment", line_end(s, i) end
end

--- Iterates over the comments and strings of s, which is C or Lua: kind, first and last index. Kinds: "comment" (up to
-- the end of its line), "long comment", "string" (in either quotes), "long string".
function c_and_lua.each(s, is_c)
  local starts, i = is_c and "[/\"']" or "[%-\"'%[]", 1
  return function()
    while true do
      local from = s:find(starts, i)
      if not from then return nil end
      local kind, to = token_at(s, from, is_c)
      i = (to or from) + 1
      if kind then return kind, from, to end
    end
  end
end

return c_and_lua
