-- init.lua - the table returned by require "hybridlua". Modules load on first use.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local module = require "hybridlua.language.module"

local nd, sym = core.op.nd, core.op.sym

nd.__name__, sym.__name__ = "hybridlua.nd", "hybridlua.sym"
nd.NULL, sym.NULL = core.op.NULL, core.op.NULL
nd.newaxis, sym.newaxis = core.op.NULL, core.op.NULL
for name, number in pairs { pi = math.pi, e = 2.718281828459045, inf = math.huge, nan = 0 / 0 } do
  nd[name], sym[name] = number, number
end
require "hybridlua.functions.nd_array"
require "hybridlua.functions.mask_indices"
require "hybridlua.functions.sym_variables"
local functions_later = require "hybridlua.functions"
require "hybridlua.language.missing_f"

require "hybridlua.language.method_arguments"

local hl = {
  nd = nd,
  sym = sym,
  autograd = require "hybridlua.autograd",
  random = require "hybridlua.random",
  memory = arguments.taking("hl.memory", "", core.host.memory),
  name = require "hybridlua.name",
  time = arguments.taking("hl.time", "", core.host.seconds),
}

local context = require "hybridlua.context"
hl.context = context
for name, fn in pairs(context) do hl[name] = fn end

hl.isinstance = require "hybridlua.language.isinstance"
hl.has = require "hybridlua.language.has_name"

local files = require "hybridlua.files"
hl.load, hl.save = files.load, files.save

hl.ndarray, hl.symbol, hl.rnd = nd, sym, hl.random
hl.__version__ = core.host.version

for face, functions in pairs { nd = nd, sym = sym } do
  for name, part in pairs(functions) do
    if type(part) == "table" and not getmetatable(part) then
      module(part, ("hybridlua.%s.%s"):format(face, name), functions_later[face .. "." .. name])
    end
  end
  local later = functions_later[face .. "."]
  later.np = function() return require("hybridlua.np")[face] end
  later.npx = function() return require("hybridlua.np").npx end
  for name in (face == "nd" and "loadtxt savetxt genfromtxt" or ""):gmatch "%S+" do
    later[name] = function() return require("hybridlua.text_files")[name] end
  end
  module(functions, functions.__name__, later)
end

local parts = {
  init = "hybridlua.initializer", visualization = "hybridlua.viz", img = "hybridlua.image",
  MXNetError = function() return require("hybridlua.base").MXNetError end,
  mod = "hybridlua.module", kv = "hybridlua.kvstore", mon = "hybridlua.executor_monitor",
  monitor = "hybridlua.executor_monitor",
  np = function() return require("hybridlua.np").nd end,
  npx = function() return require("hybridlua.np").npx end,
  pure = function() return require("hybridlua.gluon.hybridize.allowed_functions").pure end,
  executor = function() return module({ Executor = require "hybridlua.executor" }, "hybridlua.executor") end,
  libinfo = function() return module({ __version__ = hl.__version__ }, "hybridlua.libinfo") end,
  AttrScope = function() return require("hybridlua.attribute").AttrScope end,
}
local MODULES = "attribute base callback compile contrib engine gluon image initializer integrate io kvstore log " ..
  "lr_scheduler metric model module operator optimize optimizer options plot profiler " ..
  "progress recordio registry rnn runtime test_utils util viz"
for name in MODULES:gmatch "%S+" do parts[name] = "hybridlua." .. name end
for _, name in ipairs { "grad", "value_and_grad", "vjp", "jacobian", "hessian" } do
  parts[name] = function() return require("hybridlua.derivatives")[name] end
end
for _, name in ipairs { "set_default_dtype", "get_default_dtype" } do
  parts[name] = function() return require("hybridlua.default_dtype")[name] end
end
module(hl, "hybridlua", parts)

hl.type = require "hybridlua.language.value_type"         -- last, since it may be called for hl itself
return hl
