#!/usr/bin/env lua5.4
-- code_lines.lua [FOLDER ...] - counts lines of code, without blank lines and comments, in the C and Lua files that git
-- tracks below each FOLDER (default: src and lua). Prints a line per folder and the sum. Counts are comparable only in
-- the formatters' layout (make format).

-- The rest of s after the comment that begins at i, and the newlines inside it; nil if no comment begins there.
local function after_comment(s, i, is_c)
  local from, to
  if is_c then
    if s:find("^//", i) then return s:find("\n", i, true) or #s + 1 end
    if not s:find("^/%*", i) then return nil end
    from, to = s:find("*/", i + 2, true)
  else
    if not s:find("^%-%-", i) then return nil end
    local equals = s:match("^%-%-%[(=*)%[", i)
    if not equals then return s:find("\n", i, true) or #s + 1 end
    from, to = s:find("]" .. equals .. "]", i, true)
  end
  return from and to + 1 or #s + 1
end

-- The end of the string that begins at i; nil if none begins there.
local function after_string(s, i, is_c)
  local quote = s:match("^[\"']", i)
  if quote then
    local j = i + 1
    while j <= #s and s:sub(j, j) ~= quote do
      j = j + (s:sub(j, j) == "\\" and 2 or 1)
    end
    return j + 1
  end
  local equals = not is_c and s:match("^%[(=*)%[", i)
  if not equals then return nil end
  local _, to = s:find("]" .. equals .. "]", i, true)
  return (to or #s) + 1
end

-- s without its comments. Line breaks inside comments stay, so that lines of code are not joined.
local function without_comments(s, is_c)
  local parts, i, from = {}, 1, 1
  local starts = is_c and "[/\"']" or "[%-\"'%[]"
  while true do
    i = s:find(starts, i)
    if not i then break end
    local stop = after_comment(s, i, is_c)
    if stop then
      parts[#parts + 1] = s:sub(from, i - 1)
      parts[#parts + 1] = s:sub(i, stop - 1):gsub("[^\n]", "")
      i, from = stop, stop
    else
      i = after_string(s, i, is_c) or i + 1
    end
  end
  parts[#parts + 1] = s:sub(from)
  return table.concat(parts)
end

local function lines_of_code(path)
  local file = assert(io.open(path, "rb"))
  local s = file:read "a"
  file:close()
  local _, n = (without_comments(s, not path:find "%.lua$") .. "\n"):gsub("[^\n]*%S[^\n]*\n", "")
  return n
end

local total = 0
for _, folder in ipairs(#arg > 0 and arg or { "src", "lua" }) do
  local n, pipe = 0, assert(io.popen(("git ls-files '%s'"):format(folder)))
  for path in pipe:lines() do
    if path:find "%.[ch]$" or path:find "%.lua$" then n = n + lines_of_code(path) end
  end
  pipe:close()
  total = total + n
  print(("%6d %s"):format(n, folder))
end
print(("%6d lines of code"):format(total))
