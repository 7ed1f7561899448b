-- gluon/contrib - layers and cells that MXNet keeps apart from gluon.nn and gluon.rnn.
return require "hybridlua.language.module"({}, "hybridlua.gluon.contrib",
  { cnn = "hybridlua.gluon.contrib.cnn", data = "hybridlua.gluon.contrib.data",
    estimator = "hybridlua.gluon.contrib.estimator", nn = "hybridlua.gluon.contrib.nn",
    rnn = "hybridlua.gluon.contrib.rnn" })
