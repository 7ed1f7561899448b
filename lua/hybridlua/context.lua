-- context.lua - contexts: the places where arrays are and operators compute.
--
-- A context is a value: hl.cpu(1) is the same one every time, so contexts are compared by == and are keys of
-- tables. This build computes on the CPU only. cpu(0), cpu(1), ... are contexts of their own, as devices
-- would be: an array in one does not meet an array in another, unless it is copied.
--
-- The functions that give contexts know whether a variable to be closed is made of what they give
-- (src/bind/trace/close_variable.h): then it is the current context until that is closed. So they are called as they
-- are, with nothing put before them, and give what core.context.for_script gives, in no tail call.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_device_value, enter_mode, current_context = core.context.is, core.autograd.enter_mode, core.context.current
local for_script = core.context.for_script

local context = {}
local methods = core.context.methods

local READERS = { Context = arguments.new("Context", "device_type device_id"),
  current_context = arguments.new("current_context", "") }
for _, name in ipairs { "cpu", "gpu", "cpu_pinned", "cpu_shared" } do
  READERS[name] = arguments.new(name, "device_id")
end

-- The arguments of a call of hl's function `name` that names them, or is wrong; nils at the end are none.
local function read(name, ...)
  class.check_dot((...), name)
  local n = select("#", ...)
  while n > 0 and select(n, ...) == nil do n = n - 1 end
  return READERS[name](table.unpack({ ... }, 1, n))
end

--- hl.cpu(id = 0): a context of the CPU. Arrays created without ctx are in the current context,
-- cpu(0) unless a scope says otherwise: local _ <close> = hl.cpu(1), or ctx:with().
function context.cpu(id, options)
  if options ~= nil or type(id) == "table" then id = read("cpu", id, options).device_id end
  return (for_script("cpu", id))
end

--- hl.gpu(id = 0): a context of a GPU. It can be named, compared and printed; this build has no GPU, so making
-- an array there is an error: "no GPU in this build". pcall(nd.zeros, {1}, {ctx = hl.gpu(0)}) tries.
function context.gpu(id, options)
  if options ~= nil or type(id) == "table" then id = read("gpu", id, options).device_id end
  return (for_script("gpu", id))
end

--- hl.cpu_pinned(id = 0): memory of the CPU that a GPU could copy from quickly; here like any other of the CPU.
function context.cpu_pinned(id, options)
  if options ~= nil or type(id) == "table" then id = read("cpu_pinned", id, options).device_id end
  return (for_script("cpu_pinned", id))
end

--- hl.cpu_shared(id = 0): memory of the CPU that processes could share; here like any other of the CPU.
function context.cpu_shared(id, options)
  if options ~= nil or type(id) == "table" then id = read("cpu_shared", id, options).device_id end
  return (for_script("cpu_shared", id))
end

--- hl.Context(device_type, device_id = 0): a context by name ("cpu", "gpu", "cpu_pinned", "cpu_shared"), or that
-- of another context. Fields: device_type, device_id, device_typeid (MXNet's number); method: with. In a variable to
-- be closed, local _ <close> = hl.Context("cpu", 1), it is the current context until that is closed.
function context.Context(device_type, device_id, options)
  if options ~= nil or type(device_type) == "table" or type(device_id) == "table" then
    local given = read("Context", device_type, device_id, options)
    device_type, device_id = given.device_type, given.device_id
  end
  if is_device_value(device_type) then return (for_script(device_type)) end
  if type(device_type) ~= "string" then
    fail("Context: device_type: expected 'cpu', 'gpu', 'cpu_pinned', 'cpu_shared' or a context, got %s",
      type(device_type))
  end
  return (for_script(device_type, device_id))
end

--- The context of arrays that are created without ctx; in a hybridized block that of the call. It
-- belongs to the coroutine, as the modes of autograd do.
function context.current_context(options)
  if options ~= nil then read("current_context", options) end
  return (for_script(current_context()))
end

--- How many GPUs there are: 0 in this build.
function context.num_gpus() return 0 end

--- The contexts of all GPUs: none in this build.
function context.list_gpus() return {} end

--- Free and total bytes of a GPU. Errors: there is none in this build.
function context.gpu_memory_info(device_id)
  fail("gpu_memory_info: context %s: no GPU in this build", tostring(core.context.new("gpu", device_id)))
end

--- Makes it the current context for a function, ctx:with(function() ... end), which gives what the function
-- gives, or for a scope: local _ <close> = ctx:with(). The latter is for a context that there is already; a new
-- one needs no with: local _ <close> = hl.cpu(1).
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

for name, reader in pairs(READERS) do arguments.reads(class.looks(context[name]), reader) end
arguments.functions(context, "", { num_gpus = "", list_gpus = "", gpu_memory_info = "device_id" })

return require "hybridlua.language.module"(context, "hybridlua.context")
