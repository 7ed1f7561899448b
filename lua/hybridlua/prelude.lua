-- prelude.lua - the globals of the REPL and of -e: hl nd sym autograd gluon nn.
local hl = require "hybridlua"

-- Made when they are first used: Gluon is the larger part of hybridlua's Lua code.
local later = {
  gluon = function() return hl.gluon end,
  nn = function() return hl.gluon and hl.gluon.nn end,
}

local function find_later(globals, name)
  if not later[name] then return nil end
  local value = later[name]()
  later[name] = nil
  rawset(globals, name, value)
  return value
end

--- Sets the globals.
local function set()
  for name, value in pairs { hl = hl, nd = hl.nd, sym = hl.sym, autograd = hl.autograd } do _G[name] = value end
  if not getmetatable(_G) then setmetatable(_G, { __index = find_later }) end
end

return { set = set, later = later }
