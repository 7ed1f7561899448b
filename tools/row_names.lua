-- row_names.lua - gives a function that reads the names of all operators from src/ops: those that rows state, most of
-- them by macros, so the preprocessor's text is read; and "_backward_NAME", "_backward_NAME_0" and "_1", which
-- src/ops/op_registry.c makes of rows with a gradient's expression. More of these than there are does no harm.
-- spec/program/lint_spec.lua holds them to those that the program has.
return function()
  local pipe = io.popen "${CC:-gcc} -E -P -Isrc src/ops/*.c src/ops/*/*.c"
  local text = pipe:read "a"
  assert(pipe:close(), "row_names: the preprocessor failed")
  text = text:gsub("ObjectKind%s+[%w_]+%s*=%s*%b{}", "")      -- they have names, too
  text = text:gsub('"%s*"', "")                               -- "a" "b" is "ab"
  local names = {}
  for column, list in text:gmatch '%.(%l+)%s*=%s*"([^"]*)"' do
    if column == "name" or column == "aliases" then
      for name in list:gmatch "%S+" do
        names[name], names["_backward_" .. name] = true, true
        names["_backward_" .. name .. "_0"], names["_backward_" .. name .. "_1"] = true, true
      end
    end
  end
  return names
end
