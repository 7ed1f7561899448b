-- method_arguments.lua - wraps functions written in C that are not operators in readers of arguments, for named options
-- and errors about unknown ones.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"

-- Wraps each method under all its names.
local function take(methods, list)
  local taken = {}
  for name, names in pairs(list) do taken[methods[name]] = arguments.method(name, names, methods[name]) end
  for name, method in pairs(methods) do methods[name] = taken[method] or method end
end

take(core.array.methods, {
  totable = "", asnumpy = "", numpy = "", tolist = "", asscalar = "", item = "", tostype = "stype",
  zero_ = "", tobytes = "", free = "", detach = "", fresh_grad = "", wait_to_read = "",
  attach_grad = "grad_req stype", as_in_context = "ctx[]", copyto = "other[]", set = "value[]",
  as_np_ndarray = "", as_nd_ndarray = "",
})

take(core.symbol.methods, {
  list_arguments = "", list_auxiliary_states = "", list_inputs = "", list_outputs = "", output = "index",
  get_internals = "", get_children = "", list_attr = "", attr = "key", attr_dict = "", debug_str = "",
  tojson = "remove_amp_cast", detach = "", wait_to_read = "", as_in_context = "ctx[]", as_np_ndarray = "",
  as_nd_ndarray = "",
})

arguments.functions(core.op.nd, "nd.", { from_bytes = "bytes shape[] dtype", waitall = "" })
arguments.functions(core.op.sym, "sym.", { Group = "symbols[]" })
