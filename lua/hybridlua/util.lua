-- util.lua - hl.util: the functions of MXNet's mx.util that programs use.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local context = require "hybridlua.context"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local mode = core.np.mode

local util = {}

--- The number of GPUs: 0 in this build.
function util.get_gpu_count() return context.num_gpus() end

local function npx() return require("hybridlua.np").npx end

--- npx.set_np, npx.reset_np, npx.is_np_array and npx.is_np_shape.
function util.set_np(shape, array) npx().set_np(shape, array) end
function util.reset_np() npx().reset_np() end
function util.set_np_shape(active) return (mode(active ~= false, nil)) end
function util.is_np_array() return (select(2, mode())) end
function util.is_np_shape() return (mode()) end

--- getenv(name): the value of an environment variable, or nil.
function util.getenv(name) return os.getenv(checks.string("util.getenv: name", name)) end

-- Puts the mode back at the end of a scope.
local Scope = { __name = "np scope", __close = function(self) mode(self.shape, self.array) end }

local function scope(what, shape, array, fn)
  local _ = npx()
  local before = setmetatable({}, Scope)
  before.shape, before.array = mode(shape, array)
  if fn == nil then return before end
  if type(fn) ~= "function" then fail("%s: fn: expected a function, got %s", what, type(fn)) end
  local _ <close> = before
  return fn()
end

--- np_shape(active = true, fn): the mode of shapes for fn, or for a scope: local _ <close> = hl.util.np_shape(true).
function util.np_shape(active, fn) return scope("util.np_shape", active ~= false, nil, fn) end

--- np_array(active = true, fn): the mode of arrays, likewise.
function util.np_array(active, fn) return scope("util.np_array", nil, active ~= false, fn) end

-- fn with these modes on, whenever it is called.
local function use(what, fn, shape, array)
  if type(fn) ~= "function" then fail("%s: fn: expected a function, got %s", what, type(fn)) end
  return function(...)
    local _ <close> = scope(what, shape, array)
    return fn(...)
  end
end

--- use_np(fn): fn with both modes on.
function util.use_np(fn) return use("util.use_np", fn, true, true) end

--- use_np_shape(fn), use_np_array(fn): fn with one of the modes on.
function util.use_np_shape(fn) return use("util.use_np_shape", fn, true, nil) end
function util.use_np_array(fn) return use("util.use_np_array", fn, nil, true) end

arguments.functions(util, "util.", { get_gpu_count = "", set_np = "shape array", set_np_shape = "active",
  reset_np = "", is_np_array = "", is_np_shape = "", np_shape = "active fn", np_array = "active fn", use_np = "fn",
  use_np_shape = "fn", use_np_array = "fn", getenv = "name" })

return require "hybridlua.language.module"(util, "hybridlua.util")
