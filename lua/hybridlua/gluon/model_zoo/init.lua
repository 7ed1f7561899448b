-- gluon/model_zoo - well-known networks by name.
return require "hybridlua.language.module"({}, "hybridlua.gluon.model_zoo", {
  vision = "hybridlua.gluon.model_zoo.vision",
  model_store = "hybridlua.gluon.model_zoo.model_store",
})
