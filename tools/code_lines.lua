#!/usr/bin/env lua5.4
-- code_lines.lua [FOLDER ...] - counts lines of code, without blank lines and comments, in the C and Lua files that git
-- tracks below each FOLDER (default: src and lua). Prints a line per folder and the sum. Counts are comparable only in
-- the formatters' layout (make format).

package.path = (arg[0]:match "^(.*)/" or ".") .. "/words/?.lua;" .. package.path
local c_and_lua = require "c_and_lua"

-- s without its comments. Line breaks inside comments stay, so that lines of code are not joined.
local function without_comments(s, is_c)
  local parts, i = {}, 1
  for kind, from, to in c_and_lua.each(s, is_c) do
    if kind == "comment" or kind == "long comment" then
      parts[#parts + 1] = s:sub(i, from - 1)
      parts[#parts + 1] = s:sub(from, to):gsub("[^\n]", "")
      i = to + 1
    end
  end
  parts[#parts + 1] = s:sub(i)
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
