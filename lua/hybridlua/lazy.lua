-- lazy.lua - tables whose fields are modules, or fields of modules, loaded when they are first read. What such a
-- module holds is called with a dot, and says so (class.lua).
local class = require "hybridlua.class"

--- lazy(t, {field = "module", other = "module:field"}): t.field is require(module) from its first use on,
-- t.other is require(module).field.
return function(t, modules)
  return setmetatable(t, {
    modules = modules,                   -- for completion
    __index = function(self, key)
      local module = modules[key]
      if not module then return nil end
      local file, field = module:match "^([^:]+):?(.*)$"
      local value = require(file)
      if field ~= "" then value = value[field] end
      value = class.dotted(self, key, value)
      if type(value) == "table" and not class.is_class(value) then class.module(value, key) end
      rawset(self, key, value)
      return value
    end,
    __pairs = function(self)
      for key in pairs(modules) do local _ = self[key] end
      return next, self, nil
    end,
  })
end
