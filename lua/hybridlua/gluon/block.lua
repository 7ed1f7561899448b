-- block.lua - Block: a part of a network, with parameters and children.
--
-- An instance is an empty table; its fields are in a separate store, so that every assignment can be handled. A Block
-- becomes a child, a Parameter a parameter, in the order of assignment; changes that affect compiled calls are counted
-- (gluon/hybridize/change_counters.lua).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local children = require "hybridlua.gluon.children"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local regex = require "hybridlua.language.python_regex"
local script = require "hybridlua.language.script_line"
local loading = require "hybridlua.gluon.load_parameters"
local names = require "hybridlua.gluon.block_names"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local Parameter = require "hybridlua.gluon.parameter"
local ParameterDict = require "hybridlua.gluon.parameter_dict"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local is_plain, tracing, NULL = core.script.is_plain, core.trace.active, core.op.NULL
local autograd_mode, dtype_code, begin_scope = core.autograd.mode, core.array.dtype_code, core.call.enter_scope
local CACHE_SLOT, PLAIN_SLOT = core.call.CACHE_SLOT, core.call.PLAIN_SLOT

local nd = core.op.nd
local Block

local read_hybridize = arguments.new("hybridize", "active static_alloc static_shape inline_limit forward_bulk_size " ..
  "backward_bulk_size clear check frozen max_traces max_plans full effects breaks remat scalars backend")

-- ---- Making instances -----------------------------------------------------------------

-- The options prefix and params, if the last argument is a table of options.
local function naming_options(...)
  local last = select("#", ...) > 0 and (select(select("#", ...), ...))
  if not is_plain(last) then return nil end
  local function given(key) if not rawequal(last[key], NULL) then return last[key] end end
  return given "prefix", given "params"
end

-- The same for a class without init, which accepts no other arguments.
local function only_naming_options(cls, ...)
  local first = ...
  if is_plain(first) then first = first[1] end
  if type(first) == "table" and class.of(first) and cls.add then
    fail("%s: it accepts no blocks; write net:add(...)", cls.__name__)
  end
  local options = arguments.of_block(cls.__name__, {})(...)
  return options.prefix, options.params
end

-- The fallback for a new instance's fields: its class's members, and for containers missing_field(store, key).
local function fields_of(cls)
  local missing, members = cls.missing_field, class.members(cls)
  if not missing then return members end
  return function(store, key)
    local value = members[key]
    if value ~= nil then return value end
    return missing(store, key)
  end
end

local MOST_LINES = 4         -- the script may create the block in a helper

local function new_instance(cls)
  local store = setmetatable({ _children = {}, _slots = {}, _reg_params = {}, _structure = 0, _scope_counts = {},
                               _hooks = {}, _assigned = {}, _n_assigned = 0,
                               _pre_hooks = {} }, { __index = fields_of(cls) })
  local lines, line = script.lines(MOST_LINES)
  local meta = { false, false, 0,              -- call.CACHE_SLOT, PLAIN_SLOT, CONTEXT_SLOT: src/bind/call/call_cache.c
                 __index = store, __newindex = cls.set_field, __class = cls, __call = cls.__call, __name = cls.__name__,
                 __tostring = cls.__tostring, __len = cls.__len, __pairs = cls.__pairs, store = store,
                 made = { serial = counters.made, lines = lines, line = line } }
  counters.made = counters.made + 1
  return setmetatable({}, meta), store
end

-- The dictionary of the block's own parameters. If the outer block shares another's parameters, this one shares those
-- of the other's child of the same name. own: the prefix without the outer block's.
local function new_params(prefix, own, shared, outer)
  if shared then return ParameterDict(shared._prefix, shared) end
  if not outer then return ParameterDict(prefix) end
  return ParameterDict(outer._params._prefix .. own, outer._params._shared)
end

local function new_block(cls, ...)
  local given, shared
  if cls.init then given, shared = naming_options(...) else given, shared = only_naming_options(cls, ...) end
  if shared ~= nil and not class.is_a(shared, ParameterDict) then
    fail("%s: params: expected a ParameterDict, such as block.params, got %s", cls.__name__, type(shared))
  end
  if given == nil and cls.given_prefix then given = cls.given_prefix((...), cls) end
  local self, store = new_instance(cls)
  local prefix, own, outer = names.new_prefix(given, cls.alias and cls.alias(...) or cls.__name__)
  store.prefix, store._unnamed = prefix, own == ""
  store.name = prefix:gsub("_$", "")
  store._params = new_params(prefix, own, shared, outer)
  store.params = store._params           -- self.params:get("weight", {shape = ...})
  if cls.init then
    local _ <close> = names.enter(self)
    cls.init(self, ...)
  end
  return self
end

--- The base class of networks, with parameters and children. A subclass, Block:subclass "Mine", has init, which puts
-- children and parameters into fields, and forward(self, x). Every block accepts prefix and params by name.
Block = class.root("Block", new_block, "net", counters.touch)

-- ---- Fields -----------------------------------------------------------------------------

local function is_block(x) return class.is_a(x, Block) end
local function is_parameter(x) return class.is_a(x, Parameter) end

local function kind(x)
  local cls = class.of(x)
  return cls and cls.__name__ or type(x)
end

-- Adds a parameter to the block's list, or replaces the one of the same name; nil removes it.
local function put_parameter(list, name, value)
  for i, entry in ipairs(list) do
    if entry.name == name then
      if value == nil then table.remove(list, i) else entry.value = value end
      return
    end
  end
  list[#list + 1] = { name = name, value = value }
end

-- Makes the list of children from the slots. store._structure counts changes, each of which invalidates compiled code.
local function find_children(self, store)
  local list = children.list(self, store._slots, is_block)
  if children.same(store._children, list) then return end
  for _, child in ipairs(list) do if child.held then self:check_child(child.value) end end
  table.move(list, 1, math.max(#list, #store._children), 1, store._children)
  store._structure = store._structure + 1
  counters.touch()
end

--- The children in order, { { name =, value = }, ... }, including those added to a plain table since.
function Block:_list_children()
  local store = getmetatable(self).store
  if store._tables then find_children(self, store) end
  return store._children
end

-- Updates the children after an assignment to a field. If no slot is a table, the slots are the list of children.
local function put_child(self, store, name, value, is_field)
  local block = is_block(value)
  local what, at = children.put(store._slots, name, value, block, block and is_field and getmetatable(value).made)
  if not what then return end
  if store._tables or not block and what ~= "gone" then
    store._tables = children.any_table(store._slots)
    find_children(self, store)
    if what == "changed" then store._structure = store._structure + 1 end
    return
  end
  if what == "new" then table.insert(store._children, at, store._slots[at])
  elseif what == "gone" then table.remove(store._children, at) end
  store._structure = store._structure + 1
end

local READ_ONLY = { prefix = "give {prefix = ...} when the block is made", name = "it comes from the prefix",
                    params = "give {params = ...} when the block is made" }

local function set_any_field(self, store, key, value)
  if READ_ONLY[key] then fail("%s: %s is read only: %s", self.name, key, READ_ONLY[key]) end
  local old = rawget(store, key)
  if tracing() then require("hybridlua.gluon.hybridize.trace").writes_field(store, key) end
  if old ~= nil and (is_block(old) or is_parameter(old)) and value ~= nil and not class.is_a(value, class.of(old)) then
    fail("Changing attribute type for %s from %s to %s is not allowed.", tostring(key), kind(old), kind(value))
  end
  if is_block(value) then self:check_child(value) end
  if type(value) == "table" and getmetatable(value) == nil then
    children.each_in_table(value, key, is_block, function(_, block) self:check_child(block) end)
  end
  if is_parameter(value) or is_parameter(old) then
    put_parameter(store._reg_params, key, value)
    store._structure = store._structure + 1
  end
  store[key] = value
  put_child(self, store, key, value, true)
end

-- Types whose changes are seen by the guards of compiled calls, and on which nothing else depends.
local SEEN = { ["nil"] = true, boolean = true, number = true, string = true, userdata = true }

-- Implements `block.name = value`. The names of all fields that were ever assigned are kept for traces.
function Block.set_field(self, key, value)
  local store = getmetatable(self).store
  local old, assigned = rawget(store, key), store._assigned
  if old == nil and not assigned[key] then
    assigned[key] = true
    store._n_assigned = store._n_assigned + 1
  end
  local seen = SEEN[type(value)] and SEEN[type(old)]
  if seen and not store._registered and not READ_ONLY[key] and not tracing() then
    store[key] = value
    counters.touch_fields()
    return
  end
  local structure = store._structure
  set_any_field(self, store, key, value)
  if seen and structure == store._structure then counters.touch_fields() else counters.touch() end
end

-- Raises unless `block` may become a child; subclasses are stricter.
function Block:check_child(block)
  if not is_block(block) then
    local imitated = class.imitated(block)
    fail("Children of Block must be Blocks, but %s%s", tostring(block),
      imitated and ": " .. class.imitation(imitated) or (" has type %s."):format(type(block)))
  end
end

--- Adds a child under a name (nil: its index among the children).
function Block:register_child(block, name)
  self:check_child(block)
  local store = getmetatable(self).store
  if tracing() then
    fail("%s: register_child was called while the block was traced; a compiled call would not repeat that: create " ..
      "children in init", store.name)
  end
  store._registered = true               -- a field of the same name replaces the child
  put_child(self, store, name or tostring(#store._children), block)
  counters.touch()
end

local read_scope = arguments.new("name_scope", {})

--- Names made in the scope, until it is closed, begin with this block's prefix:
-- net:name_scope(function() ... end), or local _ <close> = net:name_scope().
function Block:name_scope(fn, ...)
  if fn == nil then return names.enter(self) end
  if type(fn) ~= "function" then
    read_scope(fn)
    fail("%s: name_scope: expected a function, got %s", self.name, type(fn))
  end
  local _ <close> = names.enter(self)
  return fn(...)
end

-- ---- Walking ----------------------------------------------------------------------------

--- Calls fn(block) for the children, then for the block itself.
function Block:apply(fn)
  if type(fn) ~= "function" then fail("%s: apply: expected a function of a block, got %s", self.name, type(fn)) end
  for _, child in ipairs(self:_list_children()) do child.value:apply(fn) end
  fn(self)
  return self
end

-- A parameter's name in files, from the block that contains it.
function Block._structural_name(_, name) return name end

-- Visits every parameter with its structural path, "0.weight", in order.
local function each_structural(self, visit, path)
  for _, entry in ipairs(self._reg_params) do visit(path .. self:_structural_name(entry.name), entry.value) end
  for _, child in ipairs(self:_list_children()) do each_structural(child.value, visit, path .. child.name .. ".") end
end

local function collect(self, into, selected)
  for _, param in ipairs(self._params._order) do
    if selected(param.name) then into:insert(param) end
  end
  for _, entry in ipairs(self._reg_params) do
    if selected(entry.value.name) then into:insert(entry.value) end
  end
  for _, child in ipairs(self:_list_children()) do collect(child.value, into, selected) end
end

local function every() return true end

--- All parameters of the block and its children. `select` is a regular expression (".*weight|.*bias") that names must
-- match from their beginning. Errors: a Lua pattern ("dense%d_weight").
function Block:collect_params(select)
  local dict = ParameterDict(self._params._prefix)
  collect(self, dict, select and regex.compile(select) or every)
  if select and select:find("%", 1, true) and not next(dict._by_name) then
    fail("%s:collect_params: select: '%s' matches no parameter; it is a regular expression, not a Lua pattern: " ..
      "write [0-9] for %%d, and . for any character", class.of(self).__name__, select)
  end
  each_structural(self, function(path, param)
    if dict._by_name[param.name] == param and not dict._path[param] then dict._path[param] = path end
  end, "")
  return dict
end

--- A list of structural paths and parameters, in order: { {"0.weight", parameter}, ... }.
function Block:structural_params()
  local list = {}
  each_structural(self, function(path, param) list[#list + 1] = { path, param } end, "")
  return list
end

--- Initialises all parameters: net:initialize(), net:initialize(hl.init.Xavier()). Options: init, ctx (a context or a
-- list of them), force_reinit; verbose is accepted for MXNet's sake and has no effect.
function Block:initialize(...) self:collect_params():initialize(...) end

--- Moves all parameters, with their values, to a context or to a list of them.
function Block:reset_ctx(ctx) self:collect_params():reset_ctx(ctx) end

--- Changes the dtype of all parameters. Errors: float16, which arrays can have but operators do not compute in.
function Block:cast(dtype)
  dtype_code(dtype)
  if dtype == "float16" then
    fail("%s: cast: float16 is for storage only (arrays can be saved and loaded in it); expected float32 or float64",
      self.name)
  end
  for _, child in ipairs(self:_list_children()) do child.value:cast(dtype) end
  for _, entry in ipairs(self._reg_params) do entry.value:cast(dtype) end
end

-- The options of hybridize, with `active` and `backend` checked.
function Block._read_hybridize(...)
  local options = read_hybridize(...)
  if options.active ~= nil and type(options.active) ~= "boolean" then
    fail("hybridize: active: expected true, false or a table of options, got %s", tostring(options.active))
  end
  if options.backend ~= nil then fail "hybridize: backend: there are no backends; leave it out" end
  return options
end

--- Hybridizes the children that can be.
function Block:hybridize(...)
  local options = Block._read_hybridize(...)
  for _, child in ipairs(self:_list_children()) do child.value:hybridize(options) end
end
arguments.reads(Block.hybridize, read_hybridize)

-- ---- Calling ----------------------------------------------------------------------------

--- The block's computation; override it.
function Block:forward()
  fail("%s: forward is not defined; write function %s:forward(x) ... end", self.name, class.of(self).__name__)
end

local scope = setmetatable({}, { __close = core.call.leave_scope })

-- Nodes and tape entries record the call that they were made in. (A compiled function is not a call of a block: its
-- gradients are summed as if its code were in place of the call.)
local function enter_scope(self)
  if not (autograd_mode() or tracing()) or getmetatable(self).store._function then return nil end
  begin_scope(self.name)
  return scope
end

-- Runs forward in the scope of a call, without hooks.
function Block.run(self, ...)
  local _ <close> = enter_scope(self)
  return self:forward(...)
end

-- Iterates over a copy, because a hook may remove itself.
local function each_hook(list, ...)
  for _, hook in ipairs(table.move(list, 1, #list, 1, {})) do hook.fn(...) end
end

-- Do hooks run at a call? Not in a trace, which is made once and computes nothing.
function Block:has_hooks() return (#self._hooks > 0 or #self._pre_hooks > 0) and not tracing() end

function Block:with_hooks(run, ...)
  each_hook(self._pre_hooks, self, ...)
  local results = table.pack(run(self, ...))
  local inputs = { ... }
  if select("#", ...) == 1 then inputs = (...) end
  each_hook(self._hooks, self, inputs, table.unpack(results, 1, results.n))
  return table.unpack(results, 1, results.n)
end

local function call_quietly(self, ...)
  local _ <close> = breaks.quiet()
  if self:has_hooks() then return self:with_hooks(Block.run, ...) end
  return Block.run(self, ...)
end

-- The full path of a call: hooks, the scope, forward.
function Block.call(self, ...)
  if select(3, tracing()) then return call_quietly(self, ...) end
  if self:has_hooks() then return self:with_hooks(Block.run, ...) end
  return Block.run(self, ...)
end

local function add_hook(self, list, fn)
  if type(fn) ~= "function" then fail("%s: hook: expected a function, got %s", self.name, type(fn)) end
  local hook = { fn = fn }
  list[#list + 1] = hook
  local meta = getmetatable(self)
  meta[CACHE_SLOT], meta[PLAIN_SLOT] = false, false
  counters.touch()
  return { detach = arguments.method("detach", "", function()
    for i, h in ipairs(list) do if h == hook then table.remove(list, i) break end end
    counters.touch()
  end) }
end

--- Calls hook(block, input, outputs...) after each call; several inputs are passed as a list. The returned handle's
-- detach() removes the hook.
function Block:register_forward_hook(fn) return add_hook(self, self._hooks, fn) end

--- Calls hook(block, inputs...) before each call.
function Block:register_forward_pre_hook(fn) return add_hook(self, self._pre_hooks, fn) end

--- Calls fn(name, operator, array) for each operator of every call of the HybridBlocks inside: see HybridBlock.
function Block:register_op_hook(fn, monitor_all)
  local handles = {}
  for _, child in ipairs(self:_list_children()) do
    handles[#handles + 1] = child.value:register_op_hook(fn, monitor_all)
  end
  return { detach = function() for _, handle in ipairs(handles) do handle:detach() end end }
end

--- Calls fn(name, array) after every call, eager or hybridized, for each output of the blocks and operators inside
-- whose name matches the regular expression pattern (nil: all): "dense0_fwd_output" for an operator, "dense0_output"
-- for a block. HybridBlocks are traced for this. The returned handle's detach() ends it.
function Block:monitor(fn, pattern) return require("hybridlua.gluon.monitor").register(self, fn, pattern) end

--- Prints a table of the layers in the order of their calls with these inputs: output shapes, numbers of parameters and
-- arithmetic operations. A hybridized block runs eagerly for this.
function Block:summary(...) require "hybridlua.gluon.summary"(self, ...) end

-- ---- Saving and loading -------------------------------------------------------------------

local read_save = arguments.new("save_parameters", { "filename", "deduplicate" })

--- Writes the parameters by structural name ("0.weight"), in MXNet's format, atomically. Shared parameters are written
-- under each of their names unless {deduplicate = true}.
function Block:save_parameters(...)
  local options = read_save(...)
  local arrays, seen = {}, {}
  for _, entry in ipairs(self:structural_params()) do
    local path, param = entry[1], entry[2]
    if not (options.deduplicate and seen[param]) then arrays[path] = param:merged() end
    seen[param] = true
  end
  nd.save(options.filename, arrays)
end

local read_load = arguments.new("load_parameters",
  { "filename", "ctx", "allow_missing", "ignore_extra", "cast_dtype", "dtype_source" })

-- Does the file have full parameter names? Those written by save_params lack the block's prefix.
local function has_full_names(params, loaded)
  for name in pairs(loaded) do
    if params._by_name[tostring(name):gsub("^a[ru][gx]:", "")] then return true end
  end
  return false
end

--- Loads the parameters written by save_parameters, collect_params():save or export. Options: ctx, allow_missing,
-- ignore_extra, cast_dtype, dtype_source ("current", or "saved": the parameters get the file's dtypes).
function Block:load_parameters(...)
  local options = read_load(...)
  local file = options.filename
  local loaded = nd.load(file)
  local structural = self:structural_params()
  local dotted = false
  for name in pairs(loaded) do dotted = dotted or (type(name) == "string" and name:find(".", 1, true)) end
  if not dotted and next(loaded) ~= nil and #structural > 0 and not (loaded[structural[1][1]]) then   -- full names
    local params = self:collect_params()
    if not has_full_names(params, loaded) then options.restore_prefix = self.prefix end
    return params:load_dict(loaded, options, file)
  end
  loading.load(structural, loaded, options, {
    missing = function(name)
      return ("Parameter '%s' is missing in file '%s', which contains parameters: %s. Set allow_missing = true to " ..
        "ignore missing parameters.")
        :format(name, file, loading.quoted(loading.sorted_keys(loaded)))
    end,
    extra = function(name)
      local known = {}
      for _, entry in ipairs(structural) do known[entry[1]] = true end
      return ("Parameter '%s' loaded from file '%s' is not present in ParameterDict, which contains parameters %s. " ..
              "Set ignore_extra = true to ignore."):format(name, file, loading.quoted(loading.sorted_keys(known)))
    end })
end

--- Writes prefix-model.json and prefix-model.params, as MXNet's Block.save does.
function Block:save(prefix) require("hybridlua.gluon.model_file").save(self, prefix) end

--- Loads the parameters written by save(prefix) into a newly built copy of the network.
function Block:load(prefix) require("hybridlua.gluon.model_file").load(self, prefix) end

arguments.methods(Block, "Block.", {
  register_child = "block name", apply = "fn", collect_params = "select", structural_params = "", reset_ctx = "ctx[]",
  cast = "dtype", register_forward_hook = "hook", register_forward_pre_hook = "hook", save = "prefix", load = "prefix",
  check_child = "block", has_hooks = "", register_op_hook = "callback monitor_all", monitor = "fn pattern",
})

--- MXNet's older save_parameters: writes the parameters by their names without the block's prefix ("dense0_weight"),
-- for a SymbolBlock.
function Block:save_params(filename)
  self:collect_params():save(filename, { strip_prefix = self.prefix })
end

--- MXNet's older load_parameters.
function Block:load_params(...) self:load_parameters(...) end

arguments.methods(Block, "Block.", { save_params = "filename" })
arguments.reads(Block.load_params, read_load)

-- ---- Printing -----------------------------------------------------------------------------

local function indented(text) return (tostring(text):gsub("\n", "\n  ")) end

function Block.__tostring(self)
  local lines = {}
  for _, child in ipairs(self:_list_children()) do
    lines[#lines + 1] = ("  (%s): %s"):format(child.name, indented(child.value))
  end
  return ("%s(\n%s\n)"):format(class.of(self).__name__, table.concat(lines, "\n"))
end

Block.__call = core.call.block_function(function(self, ...) return self.call(self, ...) end)

Block.is_block = is_block
return Block
