-- gluon/contrib - what MXNet keeps apart from gluon.nn.
return require "hybridlua.language.module"({}, "hybridlua.gluon.contrib",
  { nn = "hybridlua.gluon.contrib.nn", rnn = "hybridlua.gluon.contrib.rnn" })
