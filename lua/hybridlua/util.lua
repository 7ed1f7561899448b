-- util.lua - hl.util: the functions of MXNet's mx.util that programs use.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local context = require "hybridlua.context"

local util = {}

--- The number of GPUs: 0 in this build.
function util.get_gpu_count() return context.num_gpus() end

--- Whether arrays of mx.np are used: false, as there are none.
function util.is_np_array() return false end

--- Whether shapes follow NumPy's rules in MXNet's sense: false.
function util.is_np_shape() return false end

--- getenv(name): the value of an environment variable, or nil.
function util.getenv(name) return os.getenv(checks.string("util.getenv: name", name)) end

arguments.functions(util, "util.", { get_gpu_count = "", is_np_array = "", is_np_shape = "", getenv = "name" })

return require "hybridlua.language.module"(util, "hybridlua.util")
