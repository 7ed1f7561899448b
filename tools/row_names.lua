-- row_names.lua - returns a function that reads the names of all operators from src/ops. Most rows are made by macros,
-- so it reads the preprocessor's output. It adds "_backward_NAME", "_backward_NAME_0", "_1" and "_2", which
-- src/ops/op_registry.c makes for gradient expressions; superfluous ones do no harm. spec/program/lint_spec.lua
-- compares the names with the program's.
return function()
  local pipe = io.popen "${CC:-gcc} -E -P -Isrc src/ops/*.c src/ops/*/*.c"
  local text = pipe:read "a"
  assert(pipe:close(), "row_names: the preprocessor failed")
  text = text:gsub("ObjectKind%s+[%w_]+%s*=%s*%b{}", "")      -- they have names, too
  text = text:gsub('"%s*"', "")                               -- "a" "b" is "ab"
  local names = {}
  for column, list in text:gmatch '%.(%l+)%s*=%s*"([^"]*)"' do
    if column == "name" or column == "aliases" then
      for name in list:gmatch "[^%s/]+" do                    -- a slash marks names for files only
        names[name], names["_backward_" .. name] = true, true
        for i = 0, 2 do names["_backward_" .. name .. "_" .. i] = true end
      end
    end
  end
  return names
end
