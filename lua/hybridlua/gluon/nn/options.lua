-- options.lua - the options table that layers take last.
local edit = require "hybridlua.nearest"

local COMMON = { prefix = true, params = true }

--- options_of("Dense", defaults) -> a function that fills a given table up with the defaults;
-- an unknown option is an error naming the nearest.
return function(class_name, defaults)
  return function(given)
    local options = {}
    for key, value in pairs(defaults) do if value ~= false then options[key] = value end end
    if given == nil then return options end
    if type(given) ~= "table" then error(("%s: options: expected a table, got %s"):format(class_name, type(given)), 4) end
    for key, value in pairs(given) do
      if defaults[key] == nil and not COMMON[key] then
        error(("%s: unknown option '%s'%s"):format(class_name, tostring(key), edit.hint(tostring(key), defaults)), 4)
      end
      options[key] = value
    end
    return options
  end
end
