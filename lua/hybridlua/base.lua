-- base.lua - hl.base: MXNet's names of kinds of errors and of numbers. Errors are strings here; a kind recognizes and
-- makes its own.
--
--   local ok, message = pcall(function() return p:data() end)
--   if not ok and gluon.parameter.DeferredInitializationError:is(message) then ... end
--   error(hl.MXNetError "bad input")
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"

local Kind = { __name = "kind of error" }
Kind.__index = Kind

-- error(MXNetError "text") raises the text.
function Kind:__call(text)
  if type(text) ~= "string" then fail("%s: expected a text, got %s", self.__name__, type(text)) end
  return text
end

function Kind:__tostring() return "error " .. self.__name__ end

--- Whether an error returned by pcall is of this kind.
function Kind:is(message)
  if type(message) ~= "string" then return false end
  return self.pattern == nil or message:find(self.pattern) ~= nil
end

Kind.has = Kind.is               -- hl.isinstance(message, hl.MXNetError)

local function kind(name, pattern) return setmetatable({ __name__ = name, pattern = pattern }, Kind) end

--- A list of one value, or the list itself.
local function as_list(x)
  if core.script.is_plain(x) then return x end
  return { x }
end

return module({
  _as_list = as_list,
  MXNetError = kind "MXNetError",
  NotImplementedForSymbol = kind("NotImplementedForSymbol", "a Symbol has none"),
  DeferredInitializationError = kind("DeferredInitializationError", "initialization was deferred"),
  numeric_types = { "number" }, integer_types = { "integer" }, string_types = { "string" },
}, "hybridlua.base")
