-- image/list_lines.lua - reads a list file, which names images: a line has a number, labels and a file's name, with
-- tabs between them.
local fail = require "hybridlua.language.fail"

--- Iterates over the lines of a list file that are not empty: the line's number, its fields as a list of strings, and
-- the line itself. what: the function and its option, in errors.
return function(what, path)
  local file, why = io.open(path)
  if not file then fail("%s: %s", what, why) end
  local number = 0
  local function next_line()
    for line in file:lines() do
      number = number + 1
      local fields = {}
      for field in line:gsub("\r$", ""):gmatch "[^\t]+" do fields[#fields + 1] = field end
      if #fields > 0 then return number, fields, line end
    end
  end
  return next_line, nil, nil, file                          -- the loop closes the file
end
