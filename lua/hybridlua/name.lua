-- name.lua - scopes for the names of operators: hl.name.Prefix, hl.name.NameManager.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local push_name, pop_names = core.name.push, core.name.pop

local name = {}

local Scope = {}
Scope.__index = Scope
function Scope:__close() pop_names(self.number) end
Scope.close = Scope.__close
Scope.__name = "name scope"

local function within(scope, fn)
  if not fn then return scope end
  local _ <close> = scope
  checks.callable("name: fn", fn, "nothing")
  return fn()
end

--- In the scope, names of new operators begin with `prefix` and are counted from 0:
-- hl.name.Prefix("mynet_", function() ... end), or local _ <close> = hl.name.Prefix "mynet_".
-- Variables of sym.var keep their names.
function name.Prefix(prefix, fn)
  if type(prefix) ~= "string" then fail("name.Prefix: prefix: expected a string, got %s", type(prefix)) end
  return within(setmetatable({ number = push_name(prefix) }, Scope), fn)
end

--- In the scope, names are counted from 0 again.
function name.NameManager(fn) return within(setmetatable({ number = push_name "" }, Scope), fn) end

arguments.functions(name, "name.", { Prefix = "prefix fn", NameManager = "fn" })

return require "hybridlua.language.module"(name, "hybridlua.name")
