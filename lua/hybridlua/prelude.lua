-- prelude.lua - the globals of the REPL and of -e: hl nd sym autograd gluon nn.
local hl = require "hybridlua"
local lazy = require "hybridlua.lazy"

--- Sets them. Gluon, the larger part of hybridlua's Lua code, loads when it is first used.
local function set()
  _G.hl, _G.nd, _G.sym, _G.autograd = hl, hl.nd, hl.sym, hl.autograd
  lazy(_G, { gluon = "hybridlua.gluon", nn = "hybridlua.gluon.nn" })
end

return { set = set }
