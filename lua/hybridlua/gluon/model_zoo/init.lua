-- gluon/model_zoo - networks that are known by name.
return require "hybridlua.language.module"({}, "hybridlua.gluon.model_zoo", {
  vision = "hybridlua.gluon.model_zoo.vision",
  model_store = "hybridlua.gluon.model_zoo.model_store",
})
