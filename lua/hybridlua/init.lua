-- init.lua - the table that require "hybridlua" gives. Modules load when first used.
local core = require "hybridlua.core"
local module = require "hybridlua.module"

local nd, sym = core.nd, core.sym

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.NULL, core.NULL
require "hybridlua.array"
require "hybridlua.indexing"
require "hybridlua.symbol"
require "hybridlua.functions"

local hl = {
  nd = nd,
  sym = sym,
  autograd = require "hybridlua.autograd",
  random = require "hybridlua.random",
  memory = core.memory,
  name = require "hybridlua.name",
  time = core.now,
}

--- hl.cpu(id): the device; there is only one, and it may be left out everywhere.
function hl.cpu(id) return core.context(id) end

hl.type = require "hybridlua.type"

local files = require "hybridlua.files"
hl.load, hl.save = files.load, files.save

for face, functions in pairs { nd = nd, sym = sym } do
  for name, part in pairs(functions) do
    if type(part) == "table" and not getmetatable(part) then module(part, ("hybridlua.%s.%s"):format(face, name)) end
  end
  module(functions, functions.__name__)
end

return module(hl, "hybridlua", {
  gluon = "hybridlua.gluon",
  optimizer = "hybridlua.optimizer",
  initializer = "hybridlua.initializer",
  init = "hybridlua.initializer",
  lr_scheduler = "hybridlua.lr_scheduler",
  metric = "hybridlua.metric",
  compile = "hybridlua.compile",
  progress = "hybridlua.progress",
  viz = "hybridlua.viz",
})
