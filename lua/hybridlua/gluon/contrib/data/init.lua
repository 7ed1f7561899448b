-- gluon/contrib/data - gluon.contrib.data: samplers and texts that MXNet keeps apart from gluon.data.
return require "hybridlua.language.module"({}, "hybridlua.gluon.contrib.data", {
  IntervalSampler = "hybridlua.gluon.contrib.data.interval_sampler", text = "hybridlua.gluon.contrib.data.text",
})
