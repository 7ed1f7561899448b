-- gluon - networks: blocks, parameters, training.
local lazy = require "hybridlua.lazy"

return lazy({}, {
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
