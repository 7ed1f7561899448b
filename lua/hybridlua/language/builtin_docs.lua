-- builtin_docs.lua - the documentation of functions written in C that are not operators. help.lua prints it, and
-- tools/docs/types.lua generates the editor's types from it.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local hl = require "hybridlua"
local nd, sym, array, symbol = hl.nd, hl.sym, core.array.methods, core.symbol.methods

-- By function: the names of its parameters, the type of its result (nil: none), its description. A function and its
-- wrapper with a reader of arguments count as the same function.
local builtins = setmetatable({}, { __index = function(self, fn)
  local written = class.as_written(fn)
  return written ~= fn and self[written] or nil
end })

local function define(where, name, parameters, result, doc)
  local fn = where[name]
  assert(type(fn) == "function", name)
  builtins[class.as_written(fn)] = { name = name, parameters = parameters, result = result, doc = doc }
end

define(hl, "memory", {}, "table",
  "The memory of arrays in bytes: a table with live, peak, idle, pooled, budget, and held, what is kept and why.")
define(hl, "time", {}, "number", "Seconds of a clock that never goes back.")
define(hl.random, "seed", { "n" }, nil, "Restarts this thread's stream of random numbers. n is an integer.")

define(nd, "from_bytes", { "bytes", "shape", "dtype" }, "NDArray",
  "An array from the bytes of a string, little-endian, in row-major order.")
define(nd, "set_printoptions", { "options" }, nil,
  "How arrays print: {precision =, threshold =, edgeitems =, linewidth =}.")
define(nd, "load", { "file" }, "any",
       "Loads a file of nd.save, MXNet or NumPy: a table by name or a list; for an .npy file the array. Errors name " ..
         "file and offset.")
define(nd, "load_frombuffer", { "bytes" }, "any", "Like nd.load, from a string with a file's content.")
define(sym, "Group", { "symbols" }, "Symbol", "One Symbol with the outputs of several, given as a list.")
define(sym, "load", { "file" }, "Symbol", "The Symbol in a file that s:save or MXNet wrote.")
define(sym, "load_json", { "text" }, "Symbol", "The Symbol in a JSON text from s:tojson.")

define(array, "totable", {}, "table", "The elements in nested Lua tables.")
define(array, "asscalar", {}, "number|boolean", "The element of an array with only one.")
for _, name in ipairs { "asnumpy", "numpy", "tolist" } do
  define(array, name, {}, "table", "totable, under another library's name.")
end
define(array, "item", {}, "number|boolean", "asscalar, under another library's name.")
define(array, "tobytes", {}, "string", "The elements' bytes, little-endian, in row-major order.")
define(array, "free", {}, nil, "Frees the memory now, without waiting for the collector. Later use is an error.")
define(array, "detach", {}, "NDArray", "The same memory without recorded history: no gradient flows through it.")
local AS_IN = "The array itself if it is in that context, else a copy there; gradients flow back to the original."
define(array, "as_in_context", { "ctx" }, "NDArray", AS_IN)
define(array, "as_in_ctx", { "ctx" }, "NDArray", AS_IN)
define(array, "wait_to_read", {}, nil, "Does nothing: operators run immediately.")
define(array, "copyto", { "other" }, "NDArray",
       "Writes the elements into another array of the same shape, in any context; " ..
       "for a context, returns a new array there, and without an argument one in the same context.")
define(array, "set", { "value" }, "NDArray",
  "Writes a number, nested tables or an array that broadcasts into every element: x[{}] = value.")
define(array, "attach_grad", { "grad_req", "stype" }, nil,
  'Makes room for a gradient in x.grad. grad_req: "write" (the default), "add" or "null"; stype: "default".')
define(array, "fresh_grad", {}, "integer?",
  "A number that changes whenever backward writes x.grad; 0 before, nil without attach_grad.")

local SAME_CONTEXT = "The Symbol itself. In a trace the context must be that of the call."
define(symbol, "as_in_context", { "ctx" }, "Symbol", SAME_CONTEXT)
define(symbol, "as_in_ctx", { "ctx" }, "Symbol", SAME_CONTEXT)
define(symbol, "list_arguments", {}, "string[]", "Names of the variables that are arguments.")
define(symbol, "list_auxiliary_states", {}, "string[]",
  "Names of the variables that operators write to, such as moving averages.")
define(symbol, "list_inputs", {}, "string[]", "Names of all variables.")
define(symbol, "list_outputs", {}, "string[]", "Names of the outputs.")
define(symbol, "output", { "index" }, "Symbol", "One output, by number from 0 or by name.")
define(symbol, "get_internals", {}, "Symbol", "A Symbol with every value in the graph as an output.")
define(symbol, "get_children", {}, "Symbol?", "A Symbol with the inputs of the outputs' nodes; nil for variables.")
define(symbol, "attr", { "key" }, "string?", "An attribute of the node.")
define(symbol, "list_attr", {}, "table<string, string>", "All attributes of the node.")
define(symbol, "attr_dict", {}, "table<string, table<string, string>>", "The attributes of all nodes, by their names.")
define(symbol, "_set_attr", { "attributes" }, nil, "Sets attributes of the node: {key = value}, strings.")
define(symbol, "eval", { "arrays" }, "NDArray[]",
       "The outputs' values for {name = array}; each operator is run once. " ..
       "The arrays' context may be the first argument.")
define(symbol, "debug_str", {}, "string", "The graph, one line per node.")
define(symbol, "tojson", {}, "string", "JSON text in MXNet's format.")
define(symbol, "save", { "file" }, nil, "Writes a JSON file in MXNet's format, completely or not at all.")

return builtins
