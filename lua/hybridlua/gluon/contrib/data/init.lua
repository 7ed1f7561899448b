-- gluon/contrib/data - gluon.contrib.data: samplers that MXNet keeps apart from gluon.data.
local module = require "hybridlua.language.module"
local SAMPLER = "hybridlua.gluon.contrib.data.interval_sampler"

return module({}, "hybridlua.gluon.contrib.data", { IntervalSampler = SAMPLER, sampler = function()
  return module({ IntervalSampler = require(SAMPLER) }, "hybridlua.gluon.contrib.data.sampler")
end })
