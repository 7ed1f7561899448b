-- context.lua - contexts: the places where arrays are and operators compute.
--
-- A context is a value: hl.cpu(1) is the same one every time, so contexts are compared by == and are keys of
-- tables. This build computes on the CPU only. cpu(0), cpu(1), ... are contexts of their own, as devices
-- would be: what is in one does not meet what is in another, unless it is copied.
local arguments = require "hybridlua.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"

local context = {}
local methods = core.context_methods

--- hl.cpu(id = 0): a context of the CPU. What is made without saying where is made in the current context,
-- cpu(0) unless ctx:with() says otherwise.
function context.cpu(id) return core.context("cpu", id) end

--- hl.gpu(id = 0): a context of a GPU. It can be named, compared and printed; this build has no GPU, so making
-- an array there is an error: "no GPU in this build". pcall(nd.zeros, {1}, {ctx = hl.gpu(0)}) tries.
function context.gpu(id) return core.context("gpu", id) end

--- hl.cpu_pinned(id = 0): memory of the CPU that a GPU could copy from quickly; here like any other of the CPU.
function context.cpu_pinned(id) return core.context("cpu_pinned", id) end

--- hl.cpu_shared(id = 0): memory of the CPU that processes could share; here like any other of the CPU.
function context.cpu_shared(id) return core.context("cpu_shared", id) end

--- hl.Context(device_type, device_id = 0): a context by name ("cpu", "gpu", "cpu_pinned", "cpu_shared"), or that
-- of another context. Fields: device_type, device_id, device_typeid (MXNet's number); method: with.
function context.Context(device_type, device_id)
  if core.is_context(device_type) then return device_type end
  if type(device_type) ~= "string" then
    fail("Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned', 'cpu_shared' or a context, got %s", type(device_type))
  end
  return core.context(device_type, device_id)
end

--- The context in which arrays are made that are not told where; in a hybridized block that of the call. It
-- belongs to the coroutine, as the modes of autograd do.
function context.current_context() return core.current_context() end

--- How many GPUs there are: 0 in this build.
function context.num_gpus() return 0 end

--- The contexts of all GPUs: none in this build.
function context.list_gpus() return {} end

--- Free and total bytes of a GPU. Errors: there is none in this build.
function context.gpu_memory_info(device_id)
  fail("gpu_memory_info: context %s: no GPU in this build", tostring(core.context("gpu", device_id)))
end

--- Makes it the current context for a function, ctx:with(function() ... end), which gives what the function
-- gives, or for a scope: local _ <close> = ctx:with().
function methods.with(ctx, fn)
  if not core.is_context(ctx) then fail("with: expected a context, got %s; write ctx:with(fn)", type(ctx)) end
  if fn == nil then return core.mode_enter(nil, nil, "ctx:with", ctx) end
  if type(fn) ~= "function" then fail("with: expected a function, got %s; write ctx:with(function() ... end)", type(fn)) end
  local _ <close> = core.mode_enter(nil, nil, nil, ctx)
  return fn()
end

--- Lets go of memory kept for reuse on a GPU; there is none in this build.
function methods.empty_cache() end

for name, names in pairs {
  cpu = "device_id", gpu = "device_id", cpu_pinned = "device_id", cpu_shared = "device_id", gpu_memory_info = "device_id",
  Context = "device_type device_id", current_context = "", num_gpus = "", list_gpus = "",
} do
  context[name] = arguments.taking(name, names, context[name])
end

return context
