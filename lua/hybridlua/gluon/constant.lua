-- constant.lua - gluon.Constant; written beside Parameter, of which it is one.
return require("hybridlua.gluon.parameter").Constant
