-- test_utils.lua - the functions of MXNet's test_utils that programs use.
local arguments = require "hybridlua.language.arguments"
local context = require "hybridlua.context"

local test_utils = {}

--- The contexts of all GPUs: none in this build.
test_utils.list_gpus = arguments.taking("test_utils.list_gpus", "", function() return context.list_gpus() end)

--- The current context.
test_utils.default_context = arguments.taking("test_utils.default_context", "",
  function() return context.current_context() end)

return require "hybridlua.language.module"(test_utils, "hybridlua.test_utils")
