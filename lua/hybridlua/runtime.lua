-- runtime.lua - hl.runtime: which of the features that MXNet knows this build has.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"

local runtime = {}

-- The names of MXNet 1.9.1, in its order.
local NAMES = "CUDA CUDNN NCCL CUDA_RTC TENSORRT CPU_SSE CPU_SSE2 CPU_SSE3 CPU_SSE4_1 CPU_SSE4_2 CPU_SSE4A CPU_AVX " ..
  "CPU_AVX2 OPENMP SSE F16C JEMALLOC BLAS_OPEN BLAS_ATLAS BLAS_MKL BLAS_APPLE LAPACK MKLDNN OPENCV CAFFE PROFILER " ..
  "DIST_KVSTORE CXX14 INT64_TENSOR_SIZE SIGNAL_HANDLER DEBUG TVM_OP"

-- Those that are here; what processor the build is for, and what BLAS it found, is in ./hybridlua --info.
local HERE = { OPENMP = true, LAPACK = true, PROFILER = true, INT64_TENSOR_SIZE = true, SIGNAL_HANDLER = true }

local Feature = {}
Feature.__index, Feature.__name = Feature, "Feature"
function Feature:__tostring() return ("[%s %s]"):format(self.enabled and "✔" or "✖", self.name) end

--- feature_list(): a list of features, { name =, enabled = }.
function runtime.feature_list()
  local list, blas = {}, core.host.info().blas
  for name in NAMES:gmatch "%S+" do
    local enabled = HERE[name] or name == "BLAS_OPEN" and tostring(blas):find "OpenBLAS" ~= nil or false
    list[#list + 1] = setmetatable({ name = name, enabled = enabled }, Feature)
  end
  return list
end

--- Features(): the features by name, a field each; features:is_enabled(name) says whether this build has one.
local Features = class.root("Features", class.new, "features")
runtime.Features = Features

local read_features = arguments.new("Features", "")

function Features:init(...)
  read_features(...)
  for _, feature in ipairs(runtime.feature_list()) do self[feature.name] = feature end
end

--- is_enabled(feature_name): whether this build has the feature; upper or lower case. Errors: a name that MXNet does
-- not know.
function Features:is_enabled(feature_name)
  local name = checks.string("Features.is_enabled: feature_name", feature_name):upper()
  if not rawget(self, name) then
    fail("Feature '%s' is unknown, known features are: %s%s", name, NAMES:gsub(" ", ", "), nearest.hint(name, self))
  end
  return self[name].enabled
end

function Features:__tostring()
  local texts = {}
  for i, feature in ipairs(runtime.feature_list()) do texts[i] = tostring(feature) end
  return "[" .. table.concat(texts, ", ") .. "]"
end

arguments.functions(runtime, "runtime.", { feature_list = "" })
arguments.methods(Features, "Features.", { is_enabled = "feature_name" })

return require "hybridlua.language.module"(runtime, "hybridlua.runtime")
