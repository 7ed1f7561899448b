-- version.lua - one number that grows whenever something changes that a compiled call may
-- depend on: a field of a block, a parameter's array, a hook. While it stands still,
-- calls of hybridized blocks need to check nothing.
local core = require "hybridlua.core"

local version = { now = 1 }

function version.touch()
  version.now = version.now + 1
  core.touch()
end

return version
