-- gluon - networks: blocks, parameters, training.
local core = require "hybridlua.core"
local module = require "hybridlua.language.module"
local nd, sym = core.op.nd, core.op.sym

local FILES = {
  Block = "hybridlua.gluon.block",
  HybridBlock = "hybridlua.gluon.hybridize.hybrid_block",
  SymbolBlock = "hybridlua.gluon.symbol_block",
  Parameter = "hybridlua.gluon.parameter",
  ParameterDict = "hybridlua.gluon.parameter_dict",
  Constant = "hybridlua.gluon.constant",
  metric = "hybridlua.metric",
  Trainer = "hybridlua.gluon.trainer",
  functional_call = "hybridlua.gluon.functional_call",
}
for name in ("contrib data loss model_zoo nn rnn utils"):gmatch "%S+" do FILES[name] = "hybridlua.gluon." .. name end

FILES.DeferredInitializationError = function() return require("hybridlua.base").DeferredInitializationError end

-- MXNet's file of this name, with a list that gluon itself does not have.
FILES.parameter = function()
  return module({ tensor_types = { sym.Symbol, nd.NDArray } }, "hybridlua.gluon.parameter", {
    Parameter = FILES.Parameter, ParameterDict = FILES.ParameterDict, Constant = FILES.Constant,
    DeferredInitializationError = FILES.DeferredInitializationError })
end

return module({}, "hybridlua.gluon", FILES)
