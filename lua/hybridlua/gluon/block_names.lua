-- block_names.lua - prefixes of blocks, as in MXNet: the lower-case class name, a count in the enclosing scope, and
-- "_". Outside any scope, blocks are counted per process.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local push_name, pop_names, next_name, name_scope = core.name.push, core.name.pop, core.name.next, core.name.scope

local names = {}

local Scope = {}       -- { block, counts, number }
Scope.__index = Scope

function Scope:__close() if self.number > 0 then pop_names(self.number) end end

Scope.close = Scope.__close

--- Enters a block's scope until the returned value is closed: names made there begin with the block's prefix, or with
-- the given one. A block that was given an empty prefix has no scope: names are counted in the surrounding one.
function names.enter(block, prefix)
  if getmetatable(block).store._unnamed then return setmetatable({ number = 0 }, Scope) end
  local self = setmetatable({ block = block, counts = block._scope_counts, number = 0 }, Scope)
  self.number = push_name(prefix or block.prefix, self)
  return self
end

--- Returns the text if files and graphs can hold it as a name of `what`, else raises.
function names.check(what, text)
  if type(text) ~= "string" then fail("%s: expected a string, got %s", what, type(text)) end
  if text:find("\0", 1, true) then
    fail("%s: expected text without zero bytes, got one after '%s'", what, text:match "^[^\0]*")
  end
  return text
end

--- The prefix of a new block, the part of it after the prefix of the block that it is made in, and that block (or nil).
function names.new_prefix(given, class_name)
  if given ~= nil then names.check(class_name .. ": prefix", given) end
  local hint, current = class_name:lower(), name_scope()
  if not current or current.block.prefix == "" then
    given = given or next_name(nil, hint) .. "_"
    return given, given, current and current.block
  end
  if not given then
    local count = current.counts[hint] or 0
    current.counts[hint] = count + 1
    given = hint .. count .. "_"
  end
  return current.block.prefix .. given, given, current.block
end

return names
