-- parameter.lua - Parameter and Constant: an array that a block learns or holds.
--
-- A parameter may be initialised before its shape is known (0 is an unknown dimension): its values are then drawn when
-- the first batch determines the shape. They depend on the key that initialize() drew and on the parameter's structural
-- path ("0.weight"), so neither the order of first calls nor names change them.
--
-- In several contexts, a parameter has a copy of its array, with a gradient, in each. _array is the first copy, _copies
-- lists all of them. All hold the same numbers, except for running statistics of layers, which each context computes
-- from its own batches.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local autograd = require "hybridlua.autograd"
local initializer = require "hybridlua.initializer"
local names = require "hybridlua.gluon.block_names"
local of_mode = require "hybridlua.np_mode"
local python = require "hybridlua.language.python_text"
local steps = require "hybridlua.gluon.hybridize.step_nodes"
local sum_of_copies = require "hybridlua.gluon.sum_of_copies"
local trace = require "hybridlua.gluon.hybridize.trace"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local warn = require "hybridlua.language.warn"
local is_array, tracing, enter_mode = core.array.is, core.trace.active, core.autograd.enter_mode
local new_shape, dtype_code, same_array = core.array.new_shape, core.array.dtype_code, core.array.same
local current_context, check_context = core.context.current, core.context.check
local check_contexts, random_state, derive_key = core.context.check_list, core.random.state, core.random.derive_key

local nd = core.op.nd

local Parameter = class.root("Parameter", class.new)
Parameter.is_machine = { shape = "_shape" }             -- see gluon/hybridize/trace_guards.lua

local function text_of_shape(shape)
  if not shape then return "None" end
  return "(" .. table.concat(shape, ", ") .. (#shape == 1 and ",)" or ")")
end

local function copy(shape)
  if type(shape) == "number" then return { shape } end
  return shape and table.move(shape, 1, #shape, 1, {})
end

local function checked(name, shape)
  local whole = shape == nil or type(shape) == "number" or type(shape) == "table"
  for _, d in ipairs(whole and copy(shape) or {}) do
    whole = whole and math.tointeger(d) ~= nil and type(d) == "number"
  end
  for key in pairs(type(shape) == "table" and shape or {}) do
    if type(key) == "number" and not (math.type(key) == "integer" and key >= 1 and key <= #shape) then
      fail("Parameter '%s': shape: expected a list without holes, got a key %s in addition to %d numbers", name,
        tostring(key),
        #shape)
    end
  end
  if not whole then
    fail("Parameter '%s': shape: expected a table of integers, got %s", name,
      type(shape) == "table" and text_of_shape(shape) or tostring(shape))
  end
  return copy(shape)
end

local function known(shape)
  if not shape then return false end
  for _, d in ipairs(shape) do if d <= 0 then return false end end
  return true
end

local read = arguments.new("Parameter",
  "name grad_req shape[] dtype lr_mult wd_mult init allow_deferred_init differentiable stype grad_stype")

local function check_dense(name, key, stype)
  if stype ~= nil and stype ~= "default" then
    fail("Parameter '%s': %s: expected 'default', since there are no sparse arrays here, got '%s'", name, key,
      tostring(stype))
  end
end

--- Parameter(name, {shape=, dtype=, grad_req=, lr_mult=, wd_mult=, init=, allow_deferred_init=, differentiable=}).
-- shape: a table, with 0 for an unknown dimension; grad_req: "write", "add" or "null".
function Parameter:init(...)
  local first = (...)
  local options = (type(first) == "string" and read:called(("Parameter '%s'"):format(first)) or read)(...)
  local name = options.name
  names.check("Parameter: name", name)
  check_dense(name, "stype", options.stype)
  check_dense(name, "grad_stype", options.grad_stype)
  local fields = { name = name, _shape = checked(name, options.shape),
                   _dtype = options.dtype or core.array.default_dtype(),
                   lr_mult = options.lr_mult or 1.0, wd_mult = options.wd_mult or 1.0, init_ = options.init,
                   allow_deferred_init = options.allow_deferred_init or false,
                   differentiable = options.differentiable ~= false, _grad_req = "null" }
  if options.dtype ~= nil then dtype_code(options.dtype, ("Parameter '%s'"):format(name)) end
  for key, value in pairs(fields) do rawset(self, key, value) end
  self:set_grad_req(options.grad_req or "write")
end

--- Sets grad_req to "write", "add" or "null", which attaches or drops the gradient.
function Parameter:set_grad_req(req)
  checks.choice(("Parameter '%s': grad_req"):format(self.name), req, "write", "add", "null")
  if not self.differentiable then req = "null" end
  if req == self._grad_req then return end
  rawset(self, "_grad_req", req)
  for _, data in ipairs(self._copies or {}) do core.autograd.attach_grad(data, req) end
  counters.touch()
end

local function incompatible(mine, given)
  if not mine then return false end
  if #mine ~= #given then return true end
  for i, d in ipairs(mine) do if d > 0 and given[i] > 0 and d ~= given[i] then return true end end
  return false
end

--- Sets the shape that a first batch determines. As in MXNet, graphs keep the shape known before it.
function Parameter:infer_shape(shape)
  if self._shape and not self._written_shape then rawset(self, "_written_shape", text_of_shape(self._shape)) end
  self:set_shape(shape)
end

--- Fills in unknown dimensions; raises if known ones differ.
function Parameter:set_shape(shape)
  shape = copy(shape)
  if incompatible(self._shape, shape) then
    fail("Parameter '%s': shape: expected %s, got %s", self.name, text_of_shape(self._shape), text_of_shape(shape))
  end
  rawset(self, "_shape", shape)
end

local not_initialized =
  "Call net:initialize() first: Parameter '%s' has not been initialized. Take parameters from " ..
  "net:collect_params(), because net.params does not include the children's"
local deferred =
  "Parameter '%s' has not been initialized yet because initialization was deferred. Actual initialization happens " ..
    "during the first forward pass. Please pass one batch of data through the network before accessing Parameters. " ..
    "You can also avoid deferred initialization by specifying in_units, num_features, etc., for network layers."

function Parameter:is_deferred() return self._array == nil and self._deferred ~= nil end

-- Draws the values. The initializer fills the array as a weight, whatever the parameter's name is, as in MXNet's Gluon
-- (endings such as "bias" and "gamma" matter for Modules only). Values for a GPU are drawn on the host, too, so they
-- are the same everywhere.
local function draw(self, plan)
  local first = plan.contexts[1]
  local _ <close> = enter_mode(false, false, nil, first.device_type == "gpu" and core.context.new("cpu", 0) or first)
  local data = nd.zeros(self._shape, { dtype = self.dtype })
  local key, next_ = random_state()
  random_state(plan.key, 0)
  local ok, message = pcall(function()
    initializer.create(plan.init or self.init_ or plan.default):apply(self.name, data, true, plan.default)
  end)
  random_state(key, next_)
  if not ok then error(message, 0) end
  self:adopt(data, plan.contexts)
end

local function hold(self, copies, by_context)
  rawset(self, "_array", copies[1])
  rawset(self, "_copies", copies)
  rawset(self, "_by_context", by_context)
  rawset(self, "_deferred", nil)
  counters.touch()
end

--- Makes `data` the parameter's array, in the contexts of the list (nil: data's own).
function Parameter:adopt(data, contexts)
  local copies, by_context = {}, {}
  for i, ctx in ipairs(contexts or { data.context }) do
    copies[i] = i == 1 and data:as_in_context(ctx) or data:copyto(ctx)
    if self._grad_req ~= "null" then core.autograd.attach_grad(copies[i], self._grad_req) end
    by_context[ctx] = copies[i]
  end
  hold(self, copies, by_context)
end

local LENT = { "_array", "_copies", "_by_context", "_deferred", "_shape" }

--- Makes `data`, as it is, the parameter's only array until _take_back gets what this returns.
function Parameter:_lend(data)
  local before = {}
  for _, field in ipairs(LENT) do before[field] = rawget(self, field) end
  rawset(self, "_shape", table.move(data.shape, 1, data.ndim, 1, {}))
  hold(self, { data }, { [data.context] = data })
  return before
end

--- Gives the parameter back what it had when _lend returned `before`.
function Parameter:_take_back(before)
  for _, field in ipairs(LENT) do rawset(self, field, before[field]) end
  counters.touch()
end

local function read_contexts(what, ctx)
  local contexts, seen = check_contexts(what, ctx), {}
  for _, one in ipairs(contexts) do
    if seen[one] then fail("%s: expected different contexts, got %s twice", what, tostring(one)) end
    seen[one] = true
  end
  return contexts
end

local function text_of_contexts(contexts)
  local texts = {}
  for i, ctx in ipairs(contexts) do texts[i] = tostring(ctx) end
  return "[" .. table.concat(texts, ", ") .. "]"
end

local function contexts_of(copies)
  local contexts = {}
  for i, data in ipairs(copies) do contexts[i] = data.context end
  return contexts
end

local read_initialize = arguments.new("Parameter.initialize", { "init", "ctx", "default_init", "force_reinit", "key" })

--- Draws the values, now or when the shape is known: initialize(init, ctx, {default_init = Uniform(0.07), force_reinit
-- = false, key = the key to draw the values from}). ctx: a context or a list of them; the values are drawn once and
-- copied into each.
function Parameter:initialize(...)
  local options = read_initialize(...)
  if self._array and not options.force_reinit then
    warn.here("Parameter '%s' is already initialized, ignoring. Pass {force_reinit = true} to initialize it again.",
      self.name)
    return
  end
  local plan = { contexts = read_contexts("Parameter.initialize: ctx", options.ctx), init = options.init,
                 default = options.default_init or initializer.Uniform(),
                 key = options.key or derive_key(core.random.draw_key(), self.name) }
  if known(self._shape) then return draw(self, plan) end        -- if it raises, the old values remain
  if not self.allow_deferred_init then
    fail("Cannot initialize Parameter '%s' because it has invalid shape: %s.", self.name, text_of_shape(self._shape))
  end
  for _, field in ipairs { "_array", "_copies", "_by_context" } do rawset(self, field, nil) end
  rawset(self, "_deferred", plan)
  counters.touch()
end

--- Draws the values after the shape has become known.
function Parameter:finish_deferred_init()
  if not self:is_deferred() then return end
  if not known(self._shape) then
    fail("Cannot initialize Parameter '%s' because it has invalid shape: %s. Give the layer in_units, in_channels " ..
      "or the like.", self.name, text_of_shape(self._shape))
  end
  draw(self, self._deferred)
end

local function check_initialized(self)
  if self._array then return end
  fail(self._deferred and deferred or not_initialized, self.name)
end

-- The copy in a context; for nil the only copy, or the one in the current context.
local function copy_in(self, ctx, what)
  if not self._array then check_initialized(self) end
  if ctx == nil then
    if #self._copies == 1 then return self._array end
    ctx = current_context()
  else
    ctx = check_context(what, ctx)
  end
  local data = self._by_context[ctx]
  if data then return data end
  local contexts = contexts_of(self._copies)
  fail("Parameter '%s' was not initialized on context %s. It was only initialized on %s.%s", self.name, tostring(ctx),
       text_of_contexts(contexts), ctx.device_type == "cpu_pinned" and
       (" Copy pinned arrays there first: write x:as_in_context(hl.%s)"):format(tostring(contexts[1])) or "")
end

--- The array in a context; for nil the only array, or the one in the current context. Errors: not initialised (there),
-- or deferred until the first batch.
function Parameter:data(ctx)
  local data = copy_in(self, ctx, "Parameter.data: ctx")
  if tracing() then trace.reads_array(self) end
  return of_mode(data)
end

-- A placeholder for a gradient in a trace that will determine the parameter's shape.
local Awaited = { __name = "gradient of a parameter without shape yet" }

--- The gradient's array in a context, as for data(ctx). Errors: as for data, and grad_req "null".
function Parameter:grad(ctx)
  if steps.recording and self:is_deferred() and self._grad_req ~= "null" then
    local awaited = setmetatable({}, Awaited)
    steps.asked(self, awaited)
    return awaited
  end
  local data = copy_in(self, ctx, "Parameter.grad: ctx")
  if self._grad_req == "null" then
    fail("Cannot get gradient array for Parameter '%s' because grad_req='null'", self.name)
  end
  local gradient = of_mode(data.grad)
  if steps.recording then steps.asked(self, gradient, ctx) end
  return gradient
end

--- The arrays in all contexts, in the order of list_ctx().
function Parameter:list_data()
  if tracing() then trace.reads_array(self) end
  check_initialized(self)
  local list = {}
  for i, data in ipairs(self._copies) do list[i] = of_mode(data) end
  return list
end

--- The gradients in all contexts.
function Parameter:list_grad()
  if steps.recording and self:is_deferred() then return { self:grad() } end
  check_initialized(self)
  local list = {}
  for i, data in ipairs(self._copies) do list[i] = self:grad(data.context) end
  return list
end

--- The contexts that the parameter is in, or will be in when its shape is known.
function Parameter:list_ctx()
  if self:is_deferred() then return table.move(self._deferred.contexts, 1, #self._deferred.contexts, 1, {}) end
  check_initialized(self)
  return contexts_of(self._copies)
end

--- Moves the parameter to a context or to a list of them. It keeps the values that save() would write; gradients are 0.
function Parameter:reset_ctx(ctx)
  local contexts = read_contexts(("Parameter '%s': reset_ctx: ctx"):format(self.name), ctx)
  if self:is_deferred() then
    local plan = {}
    for key, value in pairs(self._deferred) do plan[key] = value end
    plan.contexts = contexts
    rawset(self, "_deferred", plan)
    return
  end
  check_initialized(self)
  local _ <close> = autograd.pause()
  self:adopt(self:merged():copy(), contexts)
end

--- One array for all contexts, which is saved: the first copy, or the mean if running statistics differ.
function Parameter:merged()
  local data = self:data(self._copies and self._copies[1].context)
  if self._grad_req ~= "null" or #self._copies == 1 then return data end
  local same = true
  for _, one in ipairs(self._copies) do same = same and same_array(data, one) end
  if same or not self.dtype:find "^float" then return data end
  local _ <close> = autograd.pause()
  return sum_of_copies(self._copies, data.context) / #self._copies
end

--- Writes new values, in all contexts; before initialisation they become the parameter's.
function Parameter:set_data(data)
  if not is_array(data) then fail("Parameter '%s': set_data: expected an NDArray, got %s", self.name, type(data)) end
  self:set_shape(data.shape)
  if not self._array then
    if not self._deferred then fail(not_initialized, self.name) end
    self:finish_deferred_init()
  end
  for _, one in ipairs(self._copies) do one:set(data) end
end

local function same_contexts(a, b)
  local seen, n = {}, 0
  for _, ctx in ipairs(a) do seen[ctx] = true end
  for _, ctx in ipairs(b) do n = n + (seen[ctx] and 1 or 0) end
  return n == #a and n == #b
end

--- Why an array from a file does not fit, as a short text and MXNet's, and "elsewhere" if the context differs; nil if
-- it fits. Options: ctx, the new context, and cast_dtype.
function Parameter:misfit(array, options)
  if options.ctx ~= nil and (self._array or self._deferred) then
    local wanted, mine = check_contexts("load_parameters: ctx", options.ctx), self:list_ctx()
    if not same_contexts(wanted, mine) then
      wanted, mine = text_of_contexts(wanted), text_of_contexts(mine)
      return ("(to %s, is in %s)"):format(wanted, mine),
        ("Failed to load Parameter '%s' on %s because it was previous initialized on %s."):format(self.name, wanted,
          mine), "elsewhere"
    end
  end
  local shape = self._shape
  local fits = not shape or #shape == #array.shape
  for i, d in ipairs(shape or {}) do fits = fits and (d <= 0 or d == array.shape[i]) end
  if not fits then
    local wanted, got = text_of_shape(shape), text_of_shape(array.shape)
    return ("(expected %s, got %s)"):format(wanted, got),
      ("Failed loading Parameter '%s' from saved params: shape incompatible expected %s vs saved %s"):format(self.name,
        wanted, got)
  end
  if array.dtype ~= self.dtype and not options.cast_dtype then
    return ("(expected %s, got %s)"):format(self.dtype, array.dtype),
      ("Failed loading Parameter '%s' from saved params: dtype incompatible expected %s vs saved %s. Set cast_dtype " ..
        "= true to cast the dtype of saved params."):format(self.name, self.dtype, array.dtype)
  end
end

--- Stores loaded values that fit. Options: dtype_source, and ctx, the context for a parameter that was not initialised.
function Parameter:load_init(array, options)
  if array.dtype ~= self.dtype then
    if options.dtype_source == "saved" then self:cast(array.dtype) else array = array:astype(self.dtype) end
  end
  self:set_shape(array.shape)
  if self._array then
    for _, one in ipairs(self._copies) do one:set(array) end
  else
    self:adopt(array:copy(), options.ctx == nil and self._deferred and self._deferred.contexts or
                             read_contexts("load_parameters: ctx", options.ctx))
  end
end

--- Sets the gradient to zeros.
function Parameter:zero_grad()
  if steps.recording then return steps.add_zeros(function() self:zero_grad() end, function() return { self } end) end
  if self._grad_req == "null" then return end
  for _, data in ipairs(self._copies or {}) do data.grad:set(0) end
end

local type_of_number = math.type

-- A multiplier as text; most are 1.
local function multiplier(x) return x == 1 and type_of_number(x) == "float" and "1.0" or python.number(x) end

--- The parameter's variable in graphs; always the same one. Its attribute __shape__ is the shape known when a graph
-- first used it.
function Parameter:var()
  if not self._var then
    if self._shape and not self._written_shape then rawset(self, "_written_shape", text_of_shape(self._shape)) end
    local init = self.init_ and initializer._attribute(self.init_)
    local var = core.symbol.new_variable(self.name, self._shape, self.dtype, {
      __lr_mult__ = multiplier(self.lr_mult), __wd_mult__ = multiplier(self.wd_mult),
      __shape__ = self._written_shape, __dtype__ = tostring(dtype_code(self.dtype)), __storage_type__ = "0",
      __init__ = init })
    rawset(self, "_var", var)
    rawset(self, "_var_shape", text_of_shape(self._shape))
  elseif self._var_shape ~= text_of_shape(self._shape) then
    rawset(self, "_var", nil)
    return self:var()
  end
  return self._var
end

--- Forgets the variable, to which a failed trace may have given a shape.
function Parameter:forget_var() rawset(self, "_var", nil) end

--- Changes the dtype of the array and its gradient.
function Parameter:cast(dtype)
  dtype_code(dtype, ("Parameter '%s': cast"):format(self.name))
  rawset(self, "_dtype", dtype)
  rawset(self, "_var", nil)
  if self._array then
    local _ <close> = autograd.pause()
    local contexts = contexts_of(self._copies)
    self:adopt(self._array:astype(dtype), contexts)
  end
end

function Parameter:__tostring()
  return ("Parameter %s (shape=%s, dtype=%s)"):format(self.name, text_of_shape(self._shape), self.dtype)
end

arguments.methods(Parameter, "Parameter.", {
  data = "ctx[]", grad = "ctx[]", list_data = "", list_grad = "", list_ctx = "", reset_ctx = "ctx[]", set_data = "data",
  zero_grad = "", var = "", cast = "dtype", set_grad_req = "grad_req", set_shape = "shape[]", is_deferred = "",
  finish_deferred_init = "", merged = "", forget_var = "", adopt = "data contexts[]", misfit = "array options{}",
  load_init = "array options{}", infer_shape = "shape[]",
})

--- A parameter that holds a value and is not learned.
local Constant = Parameter:subclass "Constant"

local read_constant = arguments.new("Constant", "name value[]")

--- Constant(name, value): value is an array, a number or nested tables.
function Constant:init(...)
  local options = read_constant(...)
  local name, value = options.name, options.value
  if value == nil then fail("Constant: value: expected an NDArray, a number or nested tables, got nil") end
  if type(value) == "table" or type(value) == "number" then value = nd.array(value) end
  rawset(self, "value", value)
  Parameter.init(self, name,
    { grad_req = "null", shape = value.shape, dtype = value.dtype, init = initializer.Constant(value) })
end

function Constant:__tostring()
  return ("Constant %s (shape=%s, dtype=%s)"):format(self.name, text_of_shape(self._shape), self.dtype)
end

-- Rejects an assignment to one of MXNet's inner fields. Layers would keep using their present arrays.
local function refuse_assignment(self, field)
  fail("Parameter '%s': %s: expected no assignment, since layers keep the array they have, and no gradient would " ..
    "flow through another; write numbers with set_data(x). To compute with other weights, write " ..
    "gluon.functional_call(net, {name = array, ...}, x)", self.name, field)
end

-- Properties, which are read and written like fields.
local getters = {
  _data = function(self) return self._array and of_mode(self._array) end,
  _grad = function(self) return self._array and of_mode(self._array.grad) end,
  dtype = function(self) return self._dtype end,
  shape = function(self) return self._shape and new_shape(self._shape) end,
  grad_req = function(self) return self._grad_req end,
  init = function(self) return self.init_ or nil end,
}
local setters = {
  _data = function(self) refuse_assignment(self, "_data") end,
  _grad = function(self) refuse_assignment(self, "_grad") end,
  dtype = Parameter.cast,
  shape = Parameter.set_shape,
  grad_req = Parameter.set_grad_req,
  init = function(self, init) rawset(self, "init_", init) end,
}

-- Raises for a Parameter used in place of an array.
local function refuse_arithmetic(a, b)
  local param = class.is_a(a, Parameter) and a or b
  fail("expected an NDArray or a Symbol, got the Parameter %s; hybrid_forward gets its arrays in its last argument " ..
    "(p.%s), elsewhere write parameter:data()", param.name, param.name:match "[^_]*$")
end

for _, cls in ipairs { Parameter, Constant } do
  rawset(cls, "__instance", {
    __add = refuse_arithmetic, __sub = refuse_arithmetic, __mul = refuse_arithmetic, __div = refuse_arithmetic,
    __pow = refuse_arithmetic, __mod = refuse_arithmetic, __unm = refuse_arithmetic,
    __class = cls,
    __name = cls.__name__,
    __tostring = cls.__tostring,
    __index = function(self, key)
      local get = getters[key]
      if get then return get(self) end
      return cls[key]
    end,
    __newindex = function(self, key, value)
      local set = setters[key]
      if set then set(self, value) else rawset(self, key, value) end
    end,
  })
end

Parameter.Constant = Constant
Parameter._read_contexts = read_contexts
Parameter._text_of_contexts = text_of_contexts
Parameter.text_of_shape = text_of_shape
Parameter.known = known
return Parameter
