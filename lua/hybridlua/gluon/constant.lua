-- constant.lua - gluon.Constant, which parameter.lua defines as a kind of Parameter.
return require("hybridlua.gluon.parameter").Constant
