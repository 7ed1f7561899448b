-- gluon - networks: blocks, parameters, training.
local module = require "hybridlua.module"

return module({}, "hybridlua.gluon", {
  Block = "hybridlua.gluon.block",
  HybridBlock = "hybridlua.gluon.hybrid_block",
  SymbolBlock = "hybridlua.gluon.symbol_block",
  Parameter = "hybridlua.gluon.parameter",
  ParameterDict = "hybridlua.gluon.parameter_dict",
  Constant = "hybridlua.gluon.constant",
  Trainer = "hybridlua.gluon.trainer",
  nn = "hybridlua.gluon.nn",
  loss = "hybridlua.gluon.loss",
  data = "hybridlua.gluon.data",
  utils = "hybridlua.gluon.utils",
})
