-- util.lua - hl.util: the functions of MXNet's mx.util that programs use.
local arguments = require "hybridlua.language.arguments"
local context = require "hybridlua.context"

local util = {}

--- The number of GPUs: 0 in this build.
function util.get_gpu_count() return context.num_gpus() end

--- Whether arrays of mx.np are used: false, as there are none.
function util.is_np_array() return false end

--- Whether shapes follow NumPy's rules in MXNet's sense: false.
function util.is_np_shape() return false end

arguments.functions(util, "util.", { get_gpu_count = "", is_np_array = "", is_np_shape = "" })

return require "hybridlua.language.module"(util, "hybridlua.util")
