-- prelude.lua - the globals of the REPL and of -e: hl nd sym autograd gluon nn.
local hl = require "hybridlua"

-- Gluon, the larger part of hybridlua's Lua code, loads on first use.
local LATER = { gluon = function() return hl.gluon end, nn = function() return hl.gluon.nn end }

--- Sets the globals.
local function set()
  _G.hl, _G.nd, _G.sym, _G.autograd = hl, hl.nd, hl.sym, hl.autograd
  setmetatable(_G, {
    modules = LATER,                     -- for completion
    __index = function(self, key)
      local later = LATER[key]
      if later then rawset(self, key, later()) end
      return rawget(self, key)
    end,
    __pairs = function(self)
      for key in pairs(LATER) do local _ = self[key] end
      return next, self, nil
    end,
  })
end

return { set = set }
