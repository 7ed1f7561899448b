-- context.lua - contexts: the devices of arrays and computations.
--
-- A context is a value: hl.cpu(1) is always the same one, so contexts can be compared by == and used as keys of tables.
-- This build computes on the CPU only. cpu(0), cpu(1), ... are separate contexts, as devices would be: arrays of
-- different contexts cannot be combined without a copy.
--
-- To make a context the current one in a scope, use ctx:with().
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_device_value, enter_mode, current_context = core.context.is, core.autograd.enter_mode, core.context.current
local new = core.context.new

local context = {}
local methods = core.context.methods

--- hl.cpu(id = 0): a context of the CPU. Arrays created without ctx are in the current context: cpu(0), unless a scope
-- sets another one: local _ <close> = hl.cpu(1):with().
function context.cpu(id) return new("cpu", id) end

--- hl.gpu(id = 0): a context of a GPU. It can be named, compared and printed. This build has no GPU, so making an array
-- there is an error: "no GPU in this build". pcall(nd.zeros, {1}, {ctx = hl.gpu(0)}) tests for one.
function context.gpu(id) return new("gpu", id) end

--- hl.cpu_pinned(id = 0): CPU memory that a GPU could copy from quickly; here the same as other CPU memory.
function context.cpu_pinned(id) return new("cpu_pinned", id) end

--- hl.cpu_shared(id = 0): CPU memory that processes could share; here the same as other CPU memory.
function context.cpu_shared(id) return new("cpu_shared", id) end

--- hl.Context(device_type, device_id = 0): a context by name ("cpu", "gpu", "cpu_pinned", "cpu_shared"), or that of
-- another context. Fields: device_type, device_id, device_typeid (MXNet's number); method: with.
function context.Context(device_type, device_id)
  if is_device_value(device_type) then return device_type end
  if type(device_type) ~= "string" then
    fail("Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned', 'cpu_shared' or a context, got %s",
      type(device_type))
  end
  return new(device_type, device_id)
end

--- The context of arrays created without ctx; in a hybridized block that of the call. Like autograd's modes, it belongs
-- to the coroutine.
function context.current_context() return current_context() end

--- The number of GPUs: 0 unless a module added some.
function context.num_gpus() return core.context.count() end

--- The contexts of all GPUs.
function context.list_gpus()
  local list = {}
  for i = 1, context.num_gpus() do list[i] = new("gpu", i - 1) end
  return list
end

--- Free and total bytes of a GPU. Raises: this build has none.
function context.gpu_memory_info(device_id)
  fail("gpu_memory_info: context %s: no GPU in this build", tostring(core.context.new("gpu", device_id)))
end

--- Makes it the current context for a function, ctx:with(function() ... end), whose results it returns, or for a scope:
-- local _ <close> = ctx:with().
function methods.with(ctx, fn)
  if not is_device_value(ctx) then fail("with: expected a context, got %s; write ctx:with(fn)", type(ctx)) end
  if fn == nil then return enter_mode(nil, nil, "ctx:with", ctx) end
  if type(fn) ~= "function" then
    fail("with: expected a function, got %s; write ctx:with(function() ... end)", type(fn))
  end
  local _ <close> = enter_mode(nil, nil, nil, ctx)
  return fn()
end

--- Frees memory kept for reuse on a GPU; this build has no GPU.
function methods.empty_cache() end

arguments.functions(context, "", { cpu = "device_id", gpu = "device_id", cpu_pinned = "device_id",
  cpu_shared = "device_id", Context = "device_type device_id", current_context = "", num_gpus = "", list_gpus = "",
  gpu_memory_info = "device_id" })

return require "hybridlua.language.module"(context, "hybridlua.context")
