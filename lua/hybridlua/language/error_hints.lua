-- error_hints.lua - the hint added to an uncaught error: what to write instead of a method that does not exist.
--
-- Lua's "attempt to call a nil value (method 'eval')" has the name, but not the object. The message handler
-- (src/bind/host/traceback.c) calls this module before the stack is unwound, while the object before the colon is still
-- on it. New hints are lines in the tables below. Missing names of modules and arrays raise an error with advice from
-- foreign_names.lua.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local foreign = require "hybridlua.language.foreign_names"
local nearest = require "hybridlua.language.nearest_name"
local frame, is_context = core.script.frame, core.context.is

local MODES = "a block has no modes: it trains within autograd.record(fn) and predicts outside; leave it out"
local ON_CPU = "there is no GPU in this build and everything is on the CPU; leave it out"
local GRADIENTS = "each backward overwrites the gradients: leave it out (with grad_req \"add\" write \z
  net:collect_params():zero_grad())"
local NO_FIT = "write the training loop: autograd.record, loss:backward() and trainer:step(batch_size)"
local CLIP = "write gluon.utils.clip_global_norm(arrays, max_norm) between backward and step"

local BLOCK = {
  eval = MODES, train = MODES, parameters = "write net:collect_params():values()",
  named_parameters = "write for name, param in pairs(net:collect_params()) do",
  params_dict = "write net:collect_params()", get_params = "write net:collect_params()",
  state_dict = "write net:save_parameters(file), or net:collect_params()",
  load_state_dict = "write net:load_parameters(file)",
  save_weights = "write net:save_parameters(file)", load_weights = "write net:load_parameters(file)",
  zero_grad = GRADIENTS, to = 'write net:reset_ctx(ctx) for a context, net:cast "float64" for a dtype',
  cuda = ON_CPU, cpu = ON_CPU, gpu = ON_CPU, double = 'write net:cast "float64"', float = 'write net:cast "float32"',
  half = "nothing is computed in float16 here", bfloat16 = "there is no bfloat16 here",
  type = 'write net:cast "float64"', modules = "write net:apply(function(block) ... end)",
  named_modules = "write net:apply(function(block) ... end)", children = "write for i, child in pairs(net) do for a \z
    container, or net:apply(function(block) ... end)", named_children = "write net:apply(function(block) ... end)",
  layers = "write for i, child in pairs(net) do", get_layer = "write net[i], from 0, or the field that holds it",
  buffers = "constants and running means are among net:collect_params()",
  requires_grad_ = 'write net:collect_params():setattr("grad_req", "null")',
  freeze = 'write net:collect_params():setattr("grad_req", "null")',
  setattr = 'write net:collect_params():setattr("grad_req", "null")',
  add_module = "write net:register_child(block, name), \z
    or assign the block to a field", register_module = "write net:register_child(block, name)",
  register_buffer = "write self.params:get_constant(name, value)",
  register_parameter = "write self.params:get(name, {shape = {...}})", append = "write net:add(block)",
  extend = 'write net:add(...) for blocks, Base:subclass "Name" for a class',
  insert = "blocks are added at the end: net:add(block)",
  push = "write net:add(block)", compile = "write net:hybridize()", jit = "write net:hybridize()",
  script = "write net:hybridize()",
  fit = NO_FIT, evaluate = "write a loop over the loader that updates a hl.metric", predict = "write net(x)",
  backward = "write loss:backward(), with the loss computed in autograd.record",
  step = "write trainer:step(batch_size)",
  init_params = "write net:initialize()", init_weights = "write net:initialize(init)", reset_parameters = "write \z
    net:initialize{force_reinit = true}", bind = "write net:hybridize()", size = "write #net",
  numel = "count net:collect_params():values(), by param:data().size", clone = "make a second one and copy files: \z
    net:save_parameters(file), other:load_parameters(file)", deepcopy = "make a second one and copy files: \z
    net:save_parameters(file), other:load_parameters(file)",
  share_memory = "write {params = net:collect_params()} where \z
    the other block is made", parameters_list = "write net:collect_params():values()", __init__ = "write init",
  to_device = ON_CPU, weights = "write net.weight:data()", get_weights = "write net:collect_params()",
}

local CLASS = {
  extend = 'write Base:subclass "Name"', inherit = 'write Base:subclass "Name"', derive = 'write Base:subclass "Name"',
  class = 'write Base:subclass "Name"', new = "write the class's name and its arguments: nn.Dense(3)",
  __init__ = "write Base.init(self, ...)", super = "write Base.init(self, ...), where it is needed",
}

local TRAINER = {
  zero_grad = GRADIENTS, state_dict = "write trainer:save_states(file)",
  load_state_dict = "write trainer:load_states(file)",
  param_groups = "parameters have lr_mult and wd_mult; trainer:set_learning_rate(lr) is for all",
  add_param_group = "parameters have lr_mult and wd_mult", get_lr = "write trainer.learning_rate",
  get_last_lr = "write trainer.learning_rate", set_lr = "write trainer:set_learning_rate(lr)",
  lr = "write trainer.learning_rate", backward = "write loss:backward()", fit = NO_FIT, train = NO_FIT,
  clip_gradients = CLIP, clip_grad_norm = CLIP, clip_grad_norm_ = CLIP, zero = GRADIENTS,
  minimize = "write loss:backward() and trainer:step(batch_size)",
  save = "write trainer:save_states(file)", load = "write trainer:load_states(file)",
  scale = "write trainer:step(batch_size)",
}

local LOADER = {
  next = "write for data, label in loader do", iter = "write for data, label in loader do",
  reset = "each loop is a new pass; leave it out", __iter__ = "write for data, label in loader do",
  enumerate = "write for i, batch in pairs(loader) do", len = "write #loader", size = "write #loader",
  shuffle = "write gluon.data.DataLoader(dataset, {batch_size =, shuffle = true})",
  getdata = "write for data, label in loader do",
  map = "write dataset:transform(fn)", batch = "write gluon.data.DataLoader(dataset, {batch_size = n})",
  provide_data = "write for data, label in loader do; shapes are data.shape", to = ON_CPU,
}

local DATASET = {
  map = "write dataset:transform(fn)", shuffle = "write gluon.data.DataLoader(dataset, {batch_size =, shuffle = true})",
  batch = "write gluon.data.DataLoader(dataset, {batch_size = n})", split = "write dataset:random_split{0.8, 0.2}",
  train_test_split = "write dataset:random_split{0.8, 0.2}",
  select = "write dataset:sample(gluon.data.ListSampler{0, 5})",
  subset = "write dataset:sample(gluon.data.ListSampler{0, 5})", len = "write #dataset", size = "write #dataset",
  head = "write dataset:take(n)", iter = "write for data, label in dataset do",
  __getitem__ = "write dataset[i], from 0",
  __len__ = "write #dataset", concat = "write a gluon.data.Dataset:subclass with get(i) and __len",
}

local PARAMETER = {
  zero_ = "write param:set_data(nd.zeros(param.shape))", fill_ = "write param:set_data(x)",
  copy_ = "write param:set_data(x)",
  numel = "write param:data().size", size = "write param.shape", detach = "write param:data()", item = "write \z
    param:data():asscalar()", requires_grad_ = 'write param.grad_req = "null"', to = "write param:reset_ctx(ctx)",
  asnumpy = "write param:data():totable()", totable = "write param:data():totable()",
  numpy = "write param:data():totable()", clone = "write param:data():copy()", backward = "write loss:backward()",
}

local PARAMETERS = {
  parameters = "write params:values()", zero_ = "write params:zero_grad()",
  named_parameters = "write for name, param in \z
    pairs(params) do", len = "write #params", size = "write #params", state_dict = "write params:save(file)",
  requires_grad_ = 'write params:setattr("grad_req", "null")', to = "write params:reset_ctx(ctx)",
}

local METRIC = {
  compute = "write metric:get()", result = "write metric:get()", reset_states = "write metric:reset()",
  reset_state = "write metric:reset()", update_state = "write metric:update(labels, predictions)", item = "write \z
    select(2, metric:get())", append = "write metric:update(labels, predictions)",
  add_batch = "write metric:update(labels, predictions)",
}

local OPTIMIZER = {
  step = "write gluon.Trainer(net:collect_params(), optimizer) and trainer:step(batch_size)", zero_grad = GRADIENTS,
  minimize = "write gluon.Trainer(net:collect_params(), optimizer) and trainer:step(batch_size)",
  state_dict = "write trainer:save_states(file)", load_state_dict = "write trainer:load_states(file)",
}

local SCHEDULER = { step = "leave it out: the optimizer calls it at each step",
  get_last_lr = "write scheduler(num_update)", get_lr = "write scheduler(num_update)" }

-- Fields of arrays that are not methods.
local FIELDS = { size = true, ndim = true, dtype = true, shape = true, context = true, ctx = true }

-- Names that scripts expect as globals.
local GLOBALS = {
  mx = 'write local mx = require "hybridlua"', hl = 'write local hl = require "hybridlua"',
  nd = "write local nd = hl.nd",
  sym = "write local sym = hl.sym", gluon = "write local gluon = hl.gluon", nn = "write local nn = hl.gluon.nn",
  autograd = "write local autograd = hl.autograd", np = "write local np = hl.np",
  npx = "write local npx = hl.npx", torch = foreign.advice("hybridlua", "torch"),
  tf = "TensorFlow is not here; arrays are in hl.nd, layers in hl.gluon.nn", plt = foreign.advice("hybridlua", "plt"),
  range = "write for i = 0, n - 1 do", len = "write #x", str = "write tostring(x)",
  int = "write math.tointeger(x) or x // 1", float = "write tonumber(x)", list = "write {...}", dict = "write {...}",
  enumerate = "write for i, x in pairs(list) do",
  zip = "write for i = 1, #a do, with a[i] and b[i]", isinstance = "write hl.isinstance(x, class)",
  unpack = "write table.unpack(t)", super = "write Base.init(self, ...), where it is needed", sum = "write x:sum()",
  max = "write math.max(a, b) or x:max()",
  min = "write math.min(a, b) or x:min()", abs = "write math.abs(a) or x:abs()",
  round = "write math.floor(a + 0.5) or x:round()",
  exit = "write os.exit()", quit = "write os.exit()", setfenv = "Lua 5.4 has none: write _ENV",
  loadstring = "write load(text)",
}

-- Other errors caused by forms of NumPy or PyTorch: the beginning of the message, and what to write.
local MESSAGES = {
  { "round: expected at most 1 argument", "for decimals write nd.round(x * 100) / 100" },
  { "rint: expected at most 1 argument", "for decimals write nd.rint(x * 100) / 100" },
  { "Pad: mode: expected", 'write nd.pad(x, {mode = "constant", pad_width = {0, 0, 0, 0, 1, 1, 1, 1}}): a number \z
    before and one behind for each axis' },
  { "where: x: expected an NDArray", "for the places where a condition holds write nd.nonzero(condition)" },
}

-- The module, the class in it, its hints, and the name of an instance.
local KINDS = {
  { "gluon.block", "Block", BLOCK, "block" }, { "gluon.trainer", "", TRAINER, "Trainer" },
  { "gluon.data.dataloader", "", LOADER, "DataLoader" }, { "gluon.data.dataset", "Dataset", DATASET, "dataset" },
  { "gluon.parameter", "", PARAMETER, "Parameter" }, { "gluon.parameter_dict", "", PARAMETERS, "ParameterDict" },
  { "metric", "EvalMetric", METRIC, "metric" }, { "optimizer.optimizer", "Optimizer", OPTIMIZER, "optimizer" },
  { "lr_scheduler", "LRScheduler", SCHEDULER, "scheduler" },
}

-- The class of a kind's objects; nil if its module is not loaded.
local function base_of(kind)
  local loaded = package.loaded["hybridlua." .. kind[1]]
  if kind[2] == "" then return loaded end
  return type(loaded) == "table" and loaded[kind[2]] or loaded
end

-- The hints for methods of an object; nil if it is not one of hybridlua's.
local function methods_of(x)
  if class.is_class(x) then return CLASS end
  local imitated = class.imitated(x)
  if imitated then return setmetatable({}, { __index = function() return class.imitation(imitated) end }) end
  for _, kind in ipairs(KINDS) do
    local base = base_of(kind)
    if base and class.is_a(x, base) then return kind[3] end
  end
end

-- ---- The stack ----------------------------------------------------------------------------------

-- The script's function that failed, and its level for the caller.
local function failing_level()
  local level = 2
  while true do
    local info = debug.getinfo(level, "Sf")
    if not info then return nil end
    if info.what ~= "C" and frame(level) == "script" then return level - 1, info.func end
    level = level + 1
  end
end

-- "did you mean 'initialize'?": the most similar method of an object or a class.
local function nearest_method(x, name)
  local names, cls = {}, class.is_class(x) and x or class.of(x)
  while cls do
    for key, member in next, class.members(cls) do
      if type(member) == "function" and type(key) == "string" and not key:find "^_" then names[key] = true end
    end
    cls = rawget(cls, "__base")
  end
  local found = nearest.find(name, names)
  return found and ("did you mean '%s'?"):format(found)
end

local function hint_on_stack(level, name)
  local before, object
  for i = 1, 250 do                                  -- the nil method, then the object
    local local_name, value = debug.getlocal(level + 1, i)
    if not local_name then break end
    local known = local_name:sub(1, 1) == "(" and i > 1 and before == nil and methods_of(value)
    if known and known[name] then return known[name] end
    object = object or known and value
    before = value
  end
  return object and nearest_method(object, name)
end

-- The value that get(i) returns after this name, among the first 250.
local function named_value(get, wanted)
  local found
  for i = 1, 250 do
    local name, value = get(i)
    if not name then return found end
    if name == wanted then found = value end
  end
  return found
end

-- The value of a variable of the function that failed; level: as in hint_on_stack.
local function value_of(level, fn, kind, name)
  if kind == "global" then return rawget(_G, name) end
  if kind == "upvalue" then return named_value(function(i) return debug.getupvalue(fn, i) end, name) end
  local function get(i) return debug.getlocal(level + 3, i) end      -- above get, named_value and value_of
  return kind == "local" and named_value(get, name) or nil
end

-- Whether the error was raised in this function. If not, it is from a coroutine, whose stack is gone.
local function raised_in(level, message)
  local info = debug.getinfo(level + 1, "Sl")
  local place = ("%s:%d: "):format(info.short_src, info.currentline)
  return message:find(place .. "attempt", 1, true) ~= nil or message:find(place .. "variable", 1, true) ~= nil
end

-- A hint by the name alone, from the first kind of objects that has it.
local function hint_by_name(name)
  for _, kind in ipairs(KINDS) do
    if kind[3][name] and base_of(kind) then return ("for a %s, %s"):format(kind[4], kind[3][name]) end
  end
end

local function find(message)
  local level, fn = failing_level()
  local here = level and raised_in(level, message)
  local kind, name = message:match "attempt to %a+ a nil value %((%a+) '([%w_]+)'%)"
  if kind == "method" then return level and hint_on_stack(level, name) or not here and hint_by_name(name) end
  if kind == "global" then return GLOBALS[name] end
  kind, name = message:match "attempt to call a table value %((%a+) '([%w_]+)'%)"
  if kind and here then
    local imitated = class.imitated(value_of(level, fn, kind, name))
    if imitated then return class.imitation(imitated) end
  end
  name = message:match "variable '([%w_]+)' got a non%-closable value"
  if name and here and is_context(value_of(level, fn, "local", name)) then
    return "a context is entered by its method with: write local _ <close> = ctx:with()"
  end
  name = message:match "attempt to call an? [%w_.]+ value %(method '([%w_]+)'%)"
  if name and FIELDS[name] then return ("it is a field: write x.%s"):format(name) end
  for _, entry in ipairs(MESSAGES) do
    if message:find(entry[1], 1, true) then return entry[2] end
  end
end

--- The message followed by a hint; nil if there is none.
local function with_hint(message)
  local hint = find(message)
  return hint and ("%s; %s"):format(message, hint)
end

return with_hint
