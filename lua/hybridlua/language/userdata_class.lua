-- userdata_class.lua - the class of a type of userdata, for scripts: NDArray.reshape(x, ...) is x:reshape(...).
local fail = require "hybridlua.language.fail"

--- The class `name` of the values for which is(x) holds, with these methods; instead: how to make one.
return function(name, is, methods, instead)
  return setmetatable({ __name__ = name }, {
    __name = "class " .. name, __index = methods, has = function(_, x) return is(x) end,
    __tostring = function() return "class " .. name end,
    __newindex = function(_, key)
      fail("%s.%s: methods of arrays and Symbols are not added or replaced: write a function of x", name, tostring(key))
    end,
    __call = function() fail("%s: make one with %s", name, instead) end,
  })
end
