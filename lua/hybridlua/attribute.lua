-- attribute.lua - hl.AttrScope: attributes for every Symbol made in a scope.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local pop_names, scope_attributes = core.name.pop, core.name.attributes

local Scope = { __name = "attribute scope" }
Scope.__index = Scope
function Scope:__close() pop_names(self.number) end
Scope.close = Scope.__close

local function read(attributes)
  if type(attributes) ~= "table" then fail("AttrScope: expected a table of attributes, got %s", type(attributes)) end
  local given = {}
  for key, value in pairs(attributes) do
    if type(key) ~= "string" then fail("AttrScope: expected names as keys, got %s", type(key)) end
    if type(value) ~= "string" then fail("AttrScope: %s: expected a string, got %s", key, type(value)) end
    given[core.symbol.attribute_key(key)] = value
  end
  return given
end

--- hl.AttrScope({ctx_group = "dev1", __mine__ = "1"}, function() ... end), or local _ <close> = hl.AttrScope{...}:
-- every Symbol made meanwhile has these attributes and its own; nested scopes add theirs. A scope is in effect in the
-- coroutine that opened it and in those resumed by that one.
local function AttrScope(attributes, fn)
  local all = {}
  for key, value in pairs(scope_attributes() or {}) do all[key] = value end
  for key, value in pairs(read(attributes)) do all[key] = value end
  local scope = setmetatable({ number = core.name.push_attributes(all) }, Scope)
  if not fn then return scope end
  local _ <close> = scope
  return fn()
end

return module({ AttrScope = AttrScope }, "hybridlua.attribute")
