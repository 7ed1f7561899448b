-- parameter_dict.lua - ParameterDict: parameters by full name, in order of creation.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local initializer = require "hybridlua.initializer"
local loading = require "hybridlua.gluon.load_parameters"
local Parameter = require "hybridlua.gluon.parameter"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local check_contexts, derive_key = core.context.check_list, core.random.derive_key

local nd = core.op.nd

local ParameterDict = class.root("ParameterDict", class.new, "params")
ParameterDict.is_machine = true             -- see gluon/hybridize/trace_guards.lua

local read = arguments.new("ParameterDict", "prefix shared")

--- ParameterDict(prefix, shared): names begin with prefix; missing parameters are looked up in `shared`.
function ParameterDict:init(...)
  local options = read(...)
  rawset(self, "_prefix", checks.string("ParameterDict: prefix", options.prefix or ""))
  if options.shared ~= nil then
    checks.instance("ParameterDict: shared", options.shared, ParameterDict, "a ParameterDict")
  end
  rawset(self, "_shared", options.shared)
  rawset(self, "_order", {})
  rawset(self, "_by_name", {})
  rawset(self, "_path", {})      -- structural paths, if a block collected the parameters
end

local function add(self, param, path)
  if not self._by_name[param.name] then self._order[#self._order + 1] = param end
  self._by_name[param.name] = param
  self._path[param] = self._path[param] or path
end

local function find(self, name)
  local param = self._by_name[name]
  if param then return param end
  param = self._shared and find(self._shared, name)
  if param then add(self, param) end
  return param
end

local SAME = { dtype = true, lr_mult = true, wd_mult = true, grad_req = true }

-- Checks that a parameter requested again has the same attributes; fills in unknown dimensions.
local function check_same(param, options)
  if options.shape then
    local ok = pcall(Parameter.set_shape, param, options.shape)
    if not ok then
      fail("Cannot retrieve Parameter '%s' because desired attribute does not match with stored for attribute " ..
        "'shape': desired '%s' vs stored '%s'.", param.name, Parameter.text_of_shape(options.shape),
           Parameter.text_of_shape(param.shape))
    end
  end
  for key in pairs(SAME) do
    if options[key] ~= nil and options[key] ~= param[key] then
      fail("Cannot retrieve Parameter '%s' because desired attribute does not match with stored for attribute '%s': " ..
           "desired '%s' vs stored '%s'.", param.name, key, tostring(options[key]), tostring(param[key]))
    end
  end
end

local read_get = arguments.new("ParameterDict.get", arguments.reader_of(Parameter).names)

--- get(name, {shape =, dtype =, ...}): the parameter prefix .. name, created with Parameter's options if missing.
function ParameterDict:get(...)
  local options = read_get(...)
  checks.string("ParameterDict.get: name", options.name)
  local full = self._prefix .. options.name
  options.name = nil
  local param = find(self, full)
  if param then check_same(param, options) return param end
  param = Parameter(full, options)
  add(self, param)
  return param
end

--- The constant prefix .. name.
function ParameterDict:get_constant(name, value)
  local full = self._prefix .. checks.string("ParameterDict.get_constant: name", name)
  local param = find(self, full)
  if param then return param end
  if value == nil then
    fail("No constant named '%s'. Please specify value if you want to create a new constant.", full)
  end
  param = Parameter.Constant(full, value)
  add(self, param)
  return param
end

--- Adds the parameters of another dictionary.
function ParameterDict:update(other)
  checks.instance("ParameterDict.update: other", other, ParameterDict, "a ParameterDict")
  for _, param in ipairs(other._order) do
    local mine = self._by_name[param.name]
    if mine and mine ~= param then fail("Cannot update because keys have different values for '%s'", param.name) end
    add(self, param, other._path[param])
  end
end

--- Adds one parameter under its own name; `path` is its position in a block ("0.weight").
function ParameterDict:insert(param, path) add(self, param, path) end

-- A list that needs no ipairs: for param in dict:values() do.
local Listed = { __name = "list" }

function Listed.__call(list, _, before)
  local i = 0
  while before ~= nil and list[i] ~= before do i = i + 1 end
  return list[i + 1]
end

--- The names as a list, for ipairs or for a loop of its own: for name in dict:keys() do.
function ParameterDict:keys()
  local list = {}
  for i, param in ipairs(self._order) do list[i] = param.name end
  return setmetatable(list, Listed)
end

--- The parameters as a list, for ipairs or for a loop of its own: for param in dict:values() do.
function ParameterDict:values() return setmetatable(table.move(self._order, 1, #self._order, 1, {}), Listed) end

--- for name, parameter in dict:items() do
function ParameterDict:items()
  local i = 0
  return function()
    i = i + 1
    local param = self._order[i]
    if param then return param.name, param end
  end
end

local read_initialize = arguments.new("initialize", { "init", "ctx", "verbose", "force_reinit" })

--- Initialises every parameter, with init (default Uniform(0.07)) if it has no initializer of its own: initialize(init,
-- ctx, verbose, {force_reinit = false}). Values depend on one key drawn here and on structural paths. ctx: a context or
-- a list of them, see Parameter:initialize.
function ParameterDict:initialize(...)
  local options = read_initialize(...)
  local init = options.init and initializer.create(options.init)
  local contexts = Parameter._read_contexts("initialize: ctx", options.ctx)
  local key = core.random.draw_key()
  for _, param in ipairs(self._order) do
    param:initialize(nil, contexts, { default_init = init, force_reinit = options.force_reinit,
                            key = derive_key(key, self._path[param] or param.name) })
  end
end

--- Sets the gradients to zeros.
function ParameterDict:zero_grad()
  if steps.recording then
    return steps.add_zeros(function() self:zero_grad() end, function() return self._order end)
  end
  for _, param in ipairs(self._order) do param:zero_grad() end
end

--- Moves all parameters to a context or to a list of them.
function ParameterDict:reset_ctx(ctx)
  local contexts = Parameter._read_contexts("reset_ctx: ctx", ctx)
  for _, param in ipairs(self._order) do param:reset_ctx(contexts) end
end

--- The contexts of all parameters, each once.
function ParameterDict:list_ctx()
  local list, seen = {}, {}
  for _, param in ipairs(self._order) do
    for _, ctx in ipairs(param:list_ctx()) do
      if not seen[ctx] then list[#list + 1] = ctx end
      seen[ctx] = true
    end
  end
  return list
end

--- Sets one attribute of every parameter: dict:setattr("lr_mult", 0.5).
function ParameterDict:setattr(name, value)
  checks.string("ParameterDict.setattr: name", name)
  for _, param in ipairs(self._order) do param[name] = value end
end

local read_save = arguments.new("ParameterDict.save", { "filename", "strip_prefix" }, { strip_prefix = "" })

--- Writes all parameters by full name, without strip_prefix.
function ParameterDict:save(...)
  local options = read_save(...)
  local file, arrays = options.filename, {}
  local strip_prefix = checks.string("ParameterDict.save: strip_prefix", options.strip_prefix)
  for _, param in ipairs(self._order) do
    if param.name:sub(1, #strip_prefix) ~= strip_prefix then
      fail("Prefix '%s' is to be stripped before saving, but Parameter's name '%s' does not start with '%s'. The " ..
        "Block may share parameters of another one, or have a prefix of its own.",
           strip_prefix, param.name, strip_prefix)
    end
    arrays[param.name:sub(#strip_prefix + 1)] = param:merged()
  end
  nd.save(file, arrays)
end

local read_load = arguments.new("ParameterDict.load", { "filename", "ctx", "allow_missing", "ignore_extra",
                                                        "restore_prefix", "cast_dtype", "dtype_source" })

--- Loads parameters by full name. Options: ctx, allow_missing, ignore_extra, restore_prefix, cast_dtype, dtype_source
-- ("current", or "saved": the parameters get the file's dtypes).
function ParameterDict:load(...)
  local options = read_load(...)
  self:load_dict(nd.load(options.filename), options, options.filename)
end

function ParameterDict:load_dict(arrays, options, file)
  options = options or {}
  check_contexts("load_dict: ctx", options.ctx)
  local prefix, found, entries = options.restore_prefix or "", {}, {}
  for name, array in pairs(arrays) do found[prefix .. tostring(name):gsub("^a[ru][gx]:", "")] = array end
  for name in pairs(found) do find(self, name) end        -- shared parameters become members
  for i, param in ipairs(self._order) do entries[i] = { param.name, param } end
  loading.load(entries, found, options, {
    missing = function(name)
      return ("Parameter '%s' is missing in file: %s, which contains parameters: %s. Please make sure source and " ..
        "target networks " ..
              "have the same prefix."):format(name, tostring(file), loading.quoted(loading.sorted_keys(found)))
    end,
    extra = function(name)
      return ("Parameter '%s' loaded from file '%s' is not present in ParameterDict, which contains parameters %s. " ..
              "Set ignore_extra = true to ignore."):format(name, tostring(file),
                loading.quoted(loading.sorted_keys(self._by_name)))
    end })
end

function ParameterDict:__tostring()
  local lines = {}
  for i, param in ipairs(self._order) do lines[i] = "  " .. tostring(param) end
  local name = self._prefix ~= "" and self._prefix .. " " or ""
  return name .. "(\n" .. table.concat(lines, "\n") .. "\n)"
end

arguments.methods(ParameterDict, "ParameterDict.", {
  get_constant = "name value[]", update = "other", insert = "param path", keys = "", values = "", items = "",
  zero_grad = "", reset_ctx = "ctx[]", list_ctx = "", setattr = "name value",
})

local LOOPS = "for name, param in pairs(net:collect_params()) do, or for param in net:collect_params():values() do"

rawset(ParameterDict, "__instance", {
  __class = ParameterDict,
  __name = "ParameterDict",
  __tostring = ParameterDict.__tostring,
  __len = function(self) return #self._order end,
  __pairs = function(self) return self:items() end,
  __index = function(self, key)
    if key == "prefix" then return self._prefix end
    if type(key) == "number" then
      fail("ParameterDict: index: expected a name, got %s; write %s", tostring(key), LOOPS)
    end
    return ParameterDict[key] or self._by_name[key]
  end,
  __call = function() fail("ParameterDict: it cannot be called or looped over itself; write %s", LOOPS) end,
  __newindex = function(self, key)
    fail("ParameterDict '%s': %s is read only; parameters are created by get, and added from others by update",
      self._prefix,
      tostring(key))
  end,
})

return ParameterDict
