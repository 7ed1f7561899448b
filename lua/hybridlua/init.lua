-- init.lua - the table that require "hybridlua" gives. Modules load when first used.
local class = require "hybridlua.class"
local core = require "hybridlua.core"
local lazy = require "hybridlua.lazy"

local nd, sym = core.nd, core.sym

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.NULL, core.NULL
require "hybridlua.array"
require "hybridlua.symbol"
require "hybridlua.functions"
require "hybridlua.missing_f"

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

local files = require "hybridlua.files"
hl.load, hl.save = files.load, files.save

for _, name in ipairs { "nd", "sym", "random", "name" } do class.module(hl[name], name) end
class.module(hl, "hl")

return lazy(hl, {
  gluon = "hybridlua.gluon",
  optimizer = "hybridlua.optimizer",
  initializer = "hybridlua.initializer",
  init = "hybridlua.initializer",
  lr_scheduler = "hybridlua.lr_scheduler",
  metric = "hybridlua.metric",
  compile = "hybridlua.compile",
  grad = "hybridlua.derivatives:grad",
  value_and_grad = "hybridlua.derivatives:value_and_grad",
  vjp = "hybridlua.derivatives:vjp",
  jacobian = "hybridlua.derivatives:jacobian",
  hessian = "hybridlua.derivatives:hessian",
  progress = "hybridlua.progress",
  viz = "hybridlua.viz",
})
