-- init.lua - the table that require "hybridlua" gives.
local core = require "hybridlua.core"

local nd, sym = core.nd, core.sym

local hl = {
  nd = nd,
  sym = sym,
  autograd = require "hybridlua.autograd",
  memory = core.memory,
  time = core.now,
}

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.NULL, core.NULL
require "hybridlua.array"
require "hybridlua.symbol"

local files = require "hybridlua.files"
hl.load, hl.save = files.load, files.save

return hl
