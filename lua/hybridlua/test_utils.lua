-- test_utils.lua - what of MXNet's test_utils programs use.
local context = require "hybridlua.context"

return { list_gpus = context.list_gpus, default_context = context.current_context }
