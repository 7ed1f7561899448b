-- np/methods.lua - the methods of np's arrays and Symbols: all of nd's, with np's function where np has the name.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local elementwise = require "hybridlua.np.ufuncs"
local as_kind, is_symbol = core.np.as_kind, core.symbol.is
local userdata_class = require "hybridlua.language.userdata_class"
local is_plain = core.script.is_plain
local nd = core.op.nd

-- x:reshape(2, 3), x:reshape{2, 3}, x:reshape(shape), x:reshape{shape = {2, 3}, reverse = true}
local function reshape(x, shape, ...)
  if type(shape) == "number" then return d.reshape(x, { shape, ... }) end
  if type(shape) == "table" and (#shape == 0 and next(shape) ~= nil or shape.reverse ~= nil) then
    if shape.newshape or shape.shape and not shape.reverse then return d.reshape(x, shape.newshape or shape.shape) end
    return nd.reshape(x, shape)
  end
  if shape == nil then return nd.reshape(x) end
  return d.reshape(x, shape)
end

-- x:transpose(1, 0), x:transpose{1, 0}, x:transpose{axes = {1, 0}}
local function transpose(x, axes, ...)
  if type(axes) == "number" then axes = { axes, ... } end
  if type(axes) == "table" and axes.axes then axes = axes.axes end
  return nd.transpose(x, { axes = axes or {} })
end

local read_astype = arguments.new("astype", { "dtype", "order", "casting", "subok", "copy" }, { copy = true })

-- A copy in a dtype; with copy = false the array itself if it has the dtype.
local function astype(x, ...)
  local o = read_astype(...)
  if o.casting ~= nil and o.casting ~= "unsafe" then
    fail("astype: casting: expected 'unsafe', which casts between all dtypes, got '%s'", tostring(o.casting))
  end
  if not o.copy and core.np.dtype_of(x) == o.dtype then return x end
  return nd.cast(x, { dtype = o.dtype })
end

-- NumPy's method has other names of its bounds than its function; both are taken.
local read_clip = arguments.new("clip", { "min", "max", "out", "a_min", "a_max" })
local function clipping(np)
  return function(x, ...)
    local o = read_clip(...)
    local low, high = o.min, o.max
    if low == nil then low = o.a_min end
    if high == nil then high = o.a_max end
    return np.clip(x, { a_min = low, a_max = high, out = o.out })
  end
end

-- A method of nd's that takes one of its options by MXNet's name, too: x:as_in_context{context = ctx}.
local function renaming(method, mxnet_name, name)
  return function(x, ...)
    local args = table.pack(...)
    local last = args[args.n]
    if is_plain(last) and last[mxnet_name] ~= nil then
      local options = {}
      for key, value in pairs(last) do options[key == mxnet_name and name or key] = value end
      args[args.n] = options
    end
    return method(x, table.unpack(args, 1, args.n))
  end
end

-- The operands of both kinds: in a graph a conversion is a node.
local function as_other(np)
  return function(x) return as_kind(is_symbol(x) and nd._copy(x) or x, np) end
end

-- Methods of nd's whose names np's functions have with other arguments than x first.
local NO_METHOD = { array = true, select = true, choose = false }

return function(np)
  local array_methods, symbol_methods = {}, {}
  for name, fn in pairs(core.array.methods) do array_methods[name] = fn end
  for name, fn in pairs(core.symbol.methods) do symbol_methods[name] = fn end
  local function set(name, fn)
    array_methods[name], symbol_methods[name] = fn, fn
  end
  for _, item in ipairs(d.list) do
    if item.method and not item.namespace and not NO_METHOD[item.name] then
      local run = item.run
      set(item.name, class.checks(function(...) return run(nd, ...) end, item.fn))
    end
  end
  for _, row in ipairs(elementwise) do set(row.name, np[row.name]) end
  set("lesser", np.less)
  set("lesser_equal", np.less_equal)
  set("repeat_", array_methods["repeat"])
  set("reshape", reshape)
  set("reshape_view", reshape)
  set("transpose", transpose)
  set("astype", astype)
  set("clip", clipping(np))
  for _, methods in ipairs { array_methods, symbol_methods } do
    methods.as_in_context = renaming(methods.as_in_context, "context", "ctx")
    if methods.slice_assign_scalar then
      methods.slice_assign_scalar = renaming(methods.slice_assign_scalar, "value", "scalar")
    end
  end
  set("as_np_ndarray", as_other(true))
  set("as_nd_ndarray", as_other(false))
  core.np.begin(array_methods, symbol_methods, core.np.tostring)
  np.ndarray = userdata_class("ndarray", function(x) return core.array.is(x) and core.np.is(x) end, array_methods,
    "np.array, np.zeros and the like")
end
