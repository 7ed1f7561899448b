-- members.lua - parts of a module (module.lua) that are members of the files of a folder, loaded at the first access.

--- A table of parts: files is { file = "Name Other" }, folder "hybridlua.io"; each name is a member of what the file
-- returns. `parts`: a table of other parts, to which they are added.
return function(folder, files, parts)
  parts = parts or {}
  for file, names in pairs(files) do
    for name in names:gmatch "%S+" do
      parts[name] = function() return require(("%s.%s"):format(folder, file))[name] end
    end
  end
  return parts
end
