-- init.lua - the table that require "hybridlua" gives. Modules load when first used.
local core = require "hybridlua.core"
local lazy = require "hybridlua.lazy"

local nd, sym = core.nd, core.sym

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.NULL, core.NULL
require "hybridlua.array"
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

local context = require "hybridlua.context"
hl.context = context
for name, fn in pairs(context) do hl[name] = fn end

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
  viz = "hybridlua.viz",
  test_utils = "hybridlua.test_utils",
})
