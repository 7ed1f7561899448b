-- types.lua - the texts of the files in docs/types, from which editors with a LuaCATS language server
-- (lua-language-server) complete names and show documentation.
--
-- The sources are the operators' rows; for Lua functions, debug.getinfo, debug.getlocal and the comments above them;
-- for C functions, lua/hybridlua/language/builtin_docs.lua; for arguments of functions and constructors, their readers
-- (lua/hybridlua/language/arguments.lua).
local arguments = require "hybridlua.language.arguments"
local builtins = require "hybridlua.language.builtin_docs"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local help = require "hybridlua.help"
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

local lines
local function add(text, ...) lines[#lines + 1] = select("#", ...) > 0 and text:format(...) or text end

local function add_doc(text)
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do add("---" .. line) end
end

local function sorted(t)
  local keys = {}
  for key in pairs(t) do if type(key) == "string" then keys[#keys + 1] = key end end
  table.sort(keys)
  return keys
end

-- ---- Operators ------------------------------------------------------------------------------

local KINDS = { int = "integer", bool = "boolean", float = "number", shape = "integer|integer[]", floats = "number[]",
                dtype = "hl.DType", string = "string" }

local function kind_of(p)
  if p.choices then return "'" .. table.concat(p.choices, "'|'") .. "'" end
  return KINDS[p.type:gsub("%?$", "")] or "any"
end

local KEYWORDS = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")
  :gmatch "%a+" do KEYWORDS[word] = true end

-- The name as a parameter: keywords get an underscore.
local function parameter(name) return KEYWORDS[name] and name .. "_" or name end

local function options_name(op) return "hl.op." .. op.name end

local function add_options(op)
  add("---@class %s", options_name(op))
  add "---@field [integer] any"
  for _, p in ipairs(op.params) do
    add("---@field %s%s %s %s", KEYWORDS[p.name] and ('["%s"]'):format(p.name) or p.name, p.required and "" or "?", kind_of(p),
        p.doc .. (p.required and "" or p.counted and " Filled in." or " Default: " .. help.literal(p.default) .. "."))
  end
  add ""
end

-- The type of the result: a list if an example returns one, as split's does.
local function result_of(op, thing)
  if #op.outputs > 1 then return thing .. "|" .. thing .. "[]" end
  local first = op.example and op.example:match "[^\n]+"
  local value = first and load("local F = ... return " .. first, "=example", "t")(nd)
  return thing .. (type(value) == "table" and "[]" or "")
end

-- function nd.softmax(data, length, ...) or, as a method, NDArray:softmax(length, ...)
local function add_operator(op, where, separator, name, thing)
  local names = {}
  add_doc(op.doc)
  for i = separator == ":" and 2 or 1, #op.inputs do
    local input = parameter(op.inputs[i])
    names[#names + 1] = input
    add("---@param %s? %s|number|%s", input, thing, options_name(op))
  end
  names[#names + 1] = "..."
  add("---@param ... any|%s", options_name(op))
  add("---@return %s", result_of(op, thing))
  add("function %s%s%s(%s) end", where, separator, name, table.concat(names, ", "))
  add ""
end

-- The row of a function in a table; repeat_ has the row of repeat.
local function row_of(t, name, prefix)
  if type(t[name]) ~= "function" then return nil end
  local stem = name:match "^(.*)_$"
  return core.op.row(prefix .. name) or (stem and KEYWORDS[stem] and core.op.row(prefix .. stem))
end

-- Adds the operators of a table, under every name that does not begin with an underscore.
local function add_operators(t, where, separator, thing, prefix)
  local first = {}
  for _, name in ipairs(sorted(t)) do
    local op = not name:match "^_" and not KEYWORDS[name] and row_of(t, name, prefix)
    if op and first[op.name] then
      add("%s.%s = %s", where, name, first[op.name])
    elseif op then
      add_operator(op, where, separator, name, thing)
      first[op.name] = where .. "." .. name
    end
  end
  add ""
end

-- ---- Functions and classes --------------------------------------------------------------------

local function parameters_of(fn)
  local builtin = builtins[fn]
  if builtin then return builtin.parameters, false end
  local info, names = debug.getinfo(fn, "u"), {}
  for i = 1, info.nparams do names[i] = parameter(debug.getlocal(fn, i):gsub("^%(.*$", "x")) end
  return names, info.isvararg
end

-- ---- Arguments of readers -------------------------------------------------------------------------

local function choices_of(op, name)
  for _, p in ipairs(core.op.row(op).params) do if p.name == name then return kind_of(p) end end
end

local INITIALIZER = "string|hl.initializer.Initializer"
local SCHEDULE = "hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)"

-- The types of arguments by name, if the default value does not determine them.
local NAMED = {
  dtype = "hl.DType", shape = "integer|integer[]", prefix = "string", name = "string", init = INITIALIZER, ctx = "any",
  params = "hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>", axis = "integer", units = "integer",
  in_units = "integer", input_dim = "integer", output_dim = "integer", batch_axis = "integer", batch_size = "integer",
  top_k = "integer", max_update = "integer", step = "integer|integer[]", warmup_steps = "integer", begin_num_update = "integer",
  length = "integer", count = "integer", num_workers = "integer", total = "integer", columns = "integer|boolean",
  activation = choices_of("Activation", "act_type"), weight = "number", learning_rate = "number", clip_gradient = "number",
  lr_scheduler = SCHEDULE, dataset = "hl.gluon.data.Dataset|hl.NDArray|any[]", sampler = "hl.gluon.data.Sampler|integer[]",
  batch_sampler = "hl.gluon.data.Sampler|integer[][]", batchify_fn = "(fun(samples: any[]): any)", shuffle = "boolean",
  last_batch = "'keep'|'discard'|'rollover'", transform = "(fun(data: any, label: any): any)", root = "string", file = "string", filename = "string",
  grad_req = "'write'|'add'|'null'", rnd_type = "'uniform'|'gaussian'", factor_type = "'avg'|'in'|'out'", warmup_mode = "'linear'|'constant'",
}

local function type_of_argument(read, i)
  local name = read.names[i]
  local default = read.defaults[name]
  if NAMED[name] then return NAMED[name] end
  if name:find "_initializer$" then return INITIALIZER end
  if type(default) == "boolean" or type(default) == "string" or type(default) == "number" then return type(default) end
  if read.kind[i] == "[]" then return "any[]" end
  return type(default) == "table" and "table" or "any"
end

-- Adds the class of a reader's table of options: its fields with their defaults.
local function add_reader(full, read)
  add("---@class %s.options", full)
  add "---@field [integer] any"
  for i, name in ipairs(read.names) do
    local default = help.written(read.defaults[name])
    add("---@field %s? %s%s", KEYWORDS[name] and ('["%s"]'):format(name) or name, type_of_argument(read, i),
        default and " Default: " .. default:gsub("\n", "\\n") .. "." or "")
  end
  add ""
end

-- "fun(units?: integer|X.options, ...)": the values in order; the table of options may replace any of them.
local function signature_of(full, read, self, result)
  local parts = { self and "self: " .. self or nil }
  for i, name in ipairs(read.names) do parts[#parts + 1] = ("%s?: %s|%s.options"):format(parameter(name), type_of_argument(read, i), full) end
  return ("fun(%s): %s"):format(table.concat(parts, ", "), result)
end

local TYPES = { NDArray = "hl.NDArray", Symbol = "hl.Symbol" }
local function result_type(text) return (text:gsub("%u%a+", TYPES)) end

-- Adds a function of a table (separator "."), or a method (":").
local function add_function(where, separator, name, fn)
  local read = arguments.reader_of(fn)
  fn = class.as_written(fn)
  local builtin = builtins[fn]
  local full = where .. "." .. name
  if read and #read.names < 2 or builtin then read = nil end         -- a single argument is passed without its name
  if read then add_reader(full, read) end
  assert(builtin or debug.getinfo(fn, "S").what ~= "C", where .. separator .. name .. " is missing in lua/hybridlua/language/builtin_docs.lua")
  local names, vararg = parameters_of(fn)
  names = table.move(names, 1, #names, 1, {})
  if separator == ":" and not builtin then table.remove(names, 1) end
  local _, comment = help.source_of(fn)
  if comment and #comment > 0 then add_doc(table.concat(comment, "\n")) end
  for _, parameter_name in ipairs(names) do add("---@param %s? any", parameter_name) end
  if vararg then names[#names + 1] = "..." end
  if read then add("---@overload %s", signature_of(full, read, separator == ":" and where or nil, "any")) end
  if builtin and builtin.result then add("---@return %s", result_type(builtin.result)) end
  if not builtin then add "---@return any" end
  add("function %s%s%s(%s) end", where, separator, name, table.concat(names, ", "))
  add ""
end

-- The comment above the line that creates the class, which has its name in quotes.
local function class_comment(file, name)
  local comment, found = {}, nil
  for line in io.lines(file) do
    local text = line:match "^%-%-%-?%s?(.*)$"
    if text and (#comment > 0 or line:match "^%-%-%-") then
      comment[#comment + 1] = text
    else
      if #comment > 0 and line:find('"' .. name .. '"', 1, true) then found = comment end
      comment = {}
    end
  end
  return found
end

local lua_files = {}
do
  local list = assert(io.popen "find lua -name '*.lua' | LC_ALL=C sort")
  for file in list:lines() do lua_files[#lua_files + 1] = file end
  list:close()
end

-- The comment of a class, in the folder or file of its module, where class names are unique.
local function comment_of_class(module, name)
  local path = "lua/" .. module:gsub("%.", "/")
  for _, file in ipairs(lua_files) do
    if file == path .. ".lua" or file:sub(1, #path + 1) == path .. "/" then
      local comment = class_comment(file, name)
      if comment then return comment end
    end
  end
end

local class_names = {}            -- by class: hl.gluon.Dense

local function name_of_base(cls)
  local base = rawget(cls, "__base")
  while base and not class_names[base] do base = rawget(base, "__base") end
  return base and class_names[base]
end

local function is_class(x) return type(x) == "table" and rawget(x, "__name__") ~= nil and rawget(x, "subclass") ~= nil end

-- Adds a class, its constructor and its methods.
local function add_class(cls, full, module)
  local comment, base, read = comment_of_class(module, cls.__name__), name_of_base(cls), arguments.reader_of(cls)
  if read then add_reader(full, read) end
  if comment then add_doc(table.concat(comment, "\n")) end
  add("---@class %s%s", full, base and ": " .. base or "")
  if read then
    add("---@overload %s", signature_of(full, read, nil, full))
    add("---@overload fun(options: %s.options): %s", full, full)
  else
    local names, vararg, parts = {}, true, {}
    if cls.init then names, vararg = parameters_of(class.as_written(cls.init)) end
    for i = 2, #names do parts[#parts + 1] = names[i] .. "?: any" end
    if vararg then parts[#parts + 1] = "...: any" end
    add("---@overload fun(%s): %s", table.concat(parts, ", "), full)
  end
  add("%s = {}", full)
  add ""
  for _, key in ipairs(sorted(class.members(cls))) do
    local known = key == "init" or (key == "subclass" and base)       -- described by the class itself, or by its base
    if type(cls[key]) == "function" and not key:match "^_" and not known then add_function(full, ":", key, cls[key]) end
  end
end

-- Names every class of a module before any is written, so that bases have names: by its own name, if the module has it.
local function name_classes(t, full)
  for _, own in ipairs { true, false } do
    for _, key in ipairs(sorted(t)) do
      local named = is_class(t[key]) and (t[key].__name__ == key or not own)
      if named and not class_names[t[key]] then class_names[t[key]] = full .. "." .. key end
    end
  end
end

local function add_module(t, full, module)
  add("---@class %s", full)
  add("%s = {}", full)
  add ""
  for _, key in ipairs(sorted(t)) do
    local value = t[key]
    if is_class(value) then
      if class_names[value] == full .. "." .. key then add_class(value, full .. "." .. key, module)
      else add("%s.%s = %s", full, key, class_names[value]) add "" end
    elseif type(value) == "function" then
      add_function(full, ".", key, value)
    end
  end
end

-- ---- The files ----------------------------------------------------------------------------------

local FIELDS = [[
---@field shape integer[] The dimensions.
---@field ndim integer The number of dimensions.
---@field size integer The number of elements.
---@field dtype hl.DType
---@field T %s The axes reversed.]]

-- Adds NDArray or Symbol: first the other methods, then the operators.
local function add_thing(name, methods, extra)
  local full = "hl." .. name
  add("---@class %s", full)
  add((FIELDS:format(full)))
  for _, line in ipairs(extra) do add(line) end
  for _, operator in ipairs { "add", "sub", "mul", "div", "mod", "pow" } do
    add("---@operator %s(%s|number): %s", operator, full, full)
  end
  add("---@operator unm: %s", full)
  add("local %s = {}", name)
  add ""
  for _, key in ipairs(sorted(methods)) do
    local value = methods[key]
    local of_row = core.op.row(key) or (key:match "_$" and core.op.row(key:sub(1, -2)))
    if type(value) == "function" and not of_row and not key:match "^_" then
      local info = debug.getinfo(value, "S")
      if builtins[value] or info.what ~= "C" then add_function(name, ":", key, value) end
    end
  end
  add_operators(methods, name, ":", full, "")
end

-- Adds nd or sym: first the other functions, then the operators.
local function add_face(F, name, thing, prefix)
  local variable = name:gsub("%.", "_")
  add("---@class hl.%s", name)
  if prefix == "" then
    for _, inner in ipairs { "random", "linalg", "contrib", "image" } do add("---@field %s hl.%s.%s", inner, name, inner) end
  end
  add("local %s = {}", variable)
  add ""
  for _, key in ipairs(sorted(F)) do
    if type(F[key]) == "function" and not row_of(F, key, prefix) then add_function(variable, ".", key, F[key]) end
  end
  add_operators(F, variable, ".", thing, prefix)
end

local MODULES = {
  { "autograd", "hybridlua.autograd" }, { "lr_scheduler", "hybridlua.lr_scheduler" }, { "metric", "hybridlua.metric" },
  { "initializer", "hybridlua.initializer" }, { "optimizer", "hybridlua.optimizer" }, { "gluon", "hybridlua.gluon" },
  { "gluon.nn", "hybridlua.gluon.nn" }, { "gluon.rnn", "hybridlua.gluon.rnn" },
  { "gluon.loss", "hybridlua.gluon.loss" }, { "gluon.data", "hybridlua.gluon.data" },
  { "gluon.data.vision", "hybridlua.gluon.data.vision" }, { "viz", "hybridlua.viz" },
  { "profiler", "hybridlua.profiler" }, { "image", "hybridlua.image" },
  { "recordio", "hybridlua.recordio" },
  { "operator", "hybridlua.operator" }, { "rnn", "hybridlua.rnn" }, { "monitor", "hybridlua.executor_monitor" },
  { "registry", "hybridlua.registry" }, { "contrib", "hybridlua.contrib" },
  { "contrib.text", "hybridlua.contrib.text" }, { "contrib.text.vocab", "hybridlua.contrib.text.vocab" },
  { "contrib.text.utils", "hybridlua.contrib.text.count_tokens" },
  { "contrib.text.embedding", "hybridlua.contrib.text.embedding" },
  { "gluon.data.vision.transforms", "hybridlua.gluon.data.vision.transforms" }, { "gluon.utils", "hybridlua.gluon.utils" },
  { "gluon.contrib", "hybridlua.gluon.contrib" }, { "gluon.contrib.nn", "hybridlua.gluon.contrib.nn" },
  { "gluon.model_zoo", "hybridlua.gluon.model_zoo" }, { "gluon.model_zoo.vision", "hybridlua.gluon.model_zoo.vision" },
  { "gluon.model_zoo.model_store", "hybridlua.gluon.model_zoo.model_store" },
  { "context", "hybridlua.context" }, { "test_utils", "hybridlua.test_utils" },
}

-- Sets the types of a Trainer's arguments: the names of the optimizers, and the options of all of them.
local function name_optimizers()
  local names, options = {}, {}
  for _, key in ipairs(sorted(hl.optimizer)) do
    local cls = hl.optimizer[key]
    if is_class(cls) and rawget(cls, "__base") == hl.optimizer.Optimizer then
      names[#names + 1] = ("'%s'"):format(key:lower())
      if class_names[cls] == "hl.optimizer." .. key then options[#options + 1] = class_names[cls] .. ".options" end
    end
  end
  NAMED.optimizer = table.concat(names, "|") .. "|hl.optimizer.Optimizer"
  NAMED.optimizer_params = table.concat(options, "|")
end

local function module_at(path)
  local value = hl
  for key in path:gmatch "[^.]+" do value = value and value[key] end
  return value
end

local HEAD = [[
---@meta %s
-- Generated by `make docs` from the operators' rows and hybridlua's sources; do not edit.
-- For editors with a LuaCATS language server; see docs/guide/program.md.
]]

local function begin(name)
  lines = {}
  add((HEAD:gsub("%%s", name)))
end

local function text_of_lines() return table.concat(lines, "\n") .. "\n" end

local types = {}

--- The text of docs/types/operators.lua: nd, sym, NDArray, Symbol.
function types.operators()
  begin "hybridlua.operators"
  add "---@alias hl.DType 'float32'|'float64'|'float16'|'int8'|'uint8'|'int32'|'int64'|'bool'"
  add ""
  for _, op in ipairs(core.op.rows()) do if not op.internal then add_options(op) end end
  add_thing("NDArray", core.array.methods, { "---@field grad hl.NDArray? The gradient from backward.",
                                             "---@field context hl.ContextValue Its device.", "---@field ctx hl.ContextValue",
                                             "---@field stype string", "---@field [any] any" })
  add_thing("Symbol", core.symbol.methods, { "---@field name string",
                                             "---@field context hl.ContextValue The device of the traced call.",
                                             "---@field [any] any" })
  for _, face in ipairs { { nd, "nd", "hl.NDArray" }, { sym, "sym", "hl.Symbol" } } do
    add_face(face[1], face[2], face[3], "")
    for _, inner in ipairs { "random", "linalg", "contrib", "image" } do
      add_face(face[1][inner], face[2] .. "." .. inner, face[3], inner .. ".")
    end
  end
  return text_of_lines()
end

-- Adds the class of hl.cpu() and the like.
local function add_context()
  add "---@class hl.ContextValue"
  add "---@field device_type 'cpu'|'gpu'|'cpu_pinned'|'cpu_shared'"
  add "---@field device_id integer"
  add "---@field device_typeid integer MXNet's number of the type."
  add "local ContextValue = {}"
  add ""
  for _, key in ipairs(sorted(core.context.methods)) do
    add_function("ContextValue", ":", key, core.context.methods[key])
  end
end

--- The text of docs/types/hybridlua.lua: the module's table and all modules in Lua.
function types.modules()
  begin "hybridlua"
  add "---@class hl"
  add "---@field nd hl.nd"
  add "---@field sym hl.sym"
  add "local hl = {}"
  add ""
  for _, m in ipairs(MODULES) do
    local t = module_at(m[1])
    pairs(t)                     -- lazy tables load all their modules now
    name_classes(t, "hl." .. m[1])
  end
  name_optimizers()
  for _, m in ipairs(MODULES) do add_module(module_at(m[1]), "hl." .. m[1], m[2]) end
  for _, key in ipairs(sorted(hl.context)) do add_function("hl", ".", key, hl[key]) end
  for _, key in ipairs { "load", "save", "memory", "time", "compile", "options", "type", "isinstance", "has", "AttrScope",
                         "grad", "value_and_grad", "vjp", "jacobian", "hessian" } do add_function("hl", ".", key, hl[key]) end
  add_context()
  class_names[hl.progress] = "hl.progress"
  add_class(hl.progress, "hl.progress", "hybridlua.progress")
  add "---@class hl.random: hl.nd.random"
  add "hl.random = {}"
  add ""
  add_function("hl.random", ".", "seed", hl.random.seed)
  add "hl.init = hl.initializer"
  add ""
  add "return hl"
  return text_of_lines()
end

return types
