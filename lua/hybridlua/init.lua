-- init.lua - the table that require "hybridlua" gives. Modules load when first used.
local arguments = require "hybridlua.arguments"
local core = require "hybridlua.core"
local lazy = require "hybridlua.lazy"

local nd, sym = core.nd, core.sym

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.NULL, core.NULL
require "hybridlua.array"
require "hybridlua.symbol"
require "hybridlua.functions"

require "hybridlua.methods"

local hl = {
  nd = nd,
  sym = sym,
  autograd = require "hybridlua.autograd",
  random = require "hybridlua.random",
  memory = arguments.taking("hl.memory", "", core.memory),
  name = require "hybridlua.name",
  time = arguments.taking("hl.time", "", core.now),
}

--- hl.cpu(id): the device; there is only one, and it may be left out everywhere.
hl.cpu = arguments.taking("hl.cpu", "device_id", function(id) return core.context(id) end)

local files = require "hybridlua.files"
hl.load, hl.save = files.load, files.save

return lazy(hl, {
  gluon = "hybridlua.gluon",
  optimizer = "hybridlua.optimizer",
  initializer = "hybridlua.initializer",
  init = "hybridlua.initializer",
  lr_scheduler = "hybridlua.lr_scheduler",
  metric = "hybridlua.metric",
  compile = "hybridlua.compile",
  progress = "hybridlua.progress",
  options = "hybridlua.options",
  viz = "hybridlua.viz",
})
