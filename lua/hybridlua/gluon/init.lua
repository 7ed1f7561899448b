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

-- MXNet's submodules, which hold some of these again: gluon.block.HybridBlock.
local SUBMODULES = {
  block = { Block = FILES.Block, HybridBlock = FILES.HybridBlock, SymbolBlock = FILES.SymbolBlock },
  parameter = { Parameter = FILES.Parameter, ParameterDict = FILES.ParameterDict, Constant = FILES.Constant,
                DeferredInitializationError = function()
                  return require("hybridlua.base").DeferredInitializationError
                end,
                tensor_types = function() return { sym.Symbol, nd.NDArray } end },
  trainer = { Trainer = FILES.Trainer },
}
for name, members in pairs(SUBMODULES) do
  FILES[name] = function() return module({}, "hybridlua.gluon." .. name, members) end
end

return module({}, "hybridlua.gluon", FILES)
