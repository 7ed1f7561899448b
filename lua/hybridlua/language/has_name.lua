-- has_name.lua - hl.has: whether a name exists; reading a missing name of a module raises an error.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"

--- hl.has(name): whether a name exists, a path of names after hl: hl.has "nd.tanh", hl.has "gluon.nn.Dense". Reading a
-- name that hl, nd, sym, gluon or another module does not have is an error.
local function has(name)
  if type(name) ~= "string" then fail("has: name: expected a string, such as 'nd.tanh', got %s", type(name)) end
  local at = require "hybridlua"
  for part in (name:gsub("^hl%.", "") .. "."):gmatch "(.-)%." do
    if type(at) ~= "table" or class.is_module(at) and not getmetatable(at).has_name(part) then return false end
    at = at[part]
    if at == nil then return false end
  end
  return true
end

return arguments.taking("hl.has", "name", has)
