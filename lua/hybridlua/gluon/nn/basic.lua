-- basic.lua - containers and simple layers: Sequential, HybridSequential, Dense, Dropout, Embedding, Flatten, Lambda,
-- HybridLambda.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local warn = require "hybridlua.language.warn"
local Block = require "hybridlua.gluon.block"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local layer_runs = require "hybridlua.gluon.hybridize.layer_runs"
local is_plain, nd = core.script.is_plain, core.op.nd

local nn = {}

-- ---- Containers ---------------------------------------------------------------------------

-- The bounds of "1:3", ":-1", {1, 3} or {} in a container of n blocks, clipped to it; nil for other keys.
local function slice_of(key, n)
  local first, last
  if type(key) == "string" then
    first, last = key:match "^%s*(-?%d*)%s*:%s*(-?%d*)%s*$"
    if not first then return nil end
    first, last = math.tointeger(tonumber(first)), math.tointeger(tonumber(last))
  elseif is_plain(key) then
    first, last = key[1], key[2]
  else
    return nil
  end
  local function place(i, default)
    i = i or default
    return math.max(0, math.min(n, i < 0 and i + n or i))
  end
  return place(first, 0), place(last, n)
end

local function kind(x) return x and ("the %s; call it, %s(...)"):format(tostring(x), x.__name__) or "nil" end

local read_add = arguments.new("add", "blocks[]")

-- Gives a container add, indices from 0 (negative ones count from the end), slices, #net and pairs(net).
local function make_container(cls)
  -- net["1:3"] or net[{1, 3}]: a container of these blocks. Errors: a number that is out of range.
  function cls.missing_field(store, key)
    local children = store._children
    if type(key) == "number" then
      fail("%s: index: expected %s-%d <= i < %d, got %s%s", store.name,
           math.type(key) == "float" and "an integer, " or "", #children, #children, tostring(key),
           key == #children and "; blocks are counted from 0, so loop over them with pairs, not ipairs" or "")
    end
    local first, last = slice_of(key, #children)
    if not first then return nil end
    local part = cls { prefix = store.prefix }
    for i = first, last - 1 do part:add(children[i + 1].value) end
    return part
  end

  --- Appends blocks, to be called in this order: net:add(nn.Dense(8), nn.Dense(2)), or net:add{...}.
  function cls:add(...)
    local blocks, count = { ... }, select("#", ...)
    if count == 1 and is_plain(blocks[1]) then
      local list = read_add(blocks[1]).blocks
      blocks, count = list, #list
    end
    local store = getmetatable(self).store
    for i = 1, count do
      local block = blocks[i]
      if block == nil or type(block) == "table" and rawget(block, "__name__") then
        fail("%s: add: expected Blocks, got %s", store.name, kind(block))
      end
      local n = #self._children
      self:register_child(block, tostring(n))
      store[n] = block
      for k = 0, n do store[k - n - 1] = store[k] end
    end
    return self
  end

  function cls.__len(self) return #self._children end

  function cls.__pairs(self)
    return function(_, i)
      i = i + 1
      local child = self._children[i + 1]
      if child then return i, child.value end
    end, self, -1
  end
end

local read_hybridize = arguments.reader_of(Block.hybridize)

--- Calls its children one after another.
nn.Sequential = Block:subclass "Sequential"
make_container(nn.Sequential)

-- Calls children one after another; only the first receives all inputs.
local function through(children, x, ...)
  for i, child in ipairs(children) do
    if i == 1 then x = child.value(x, ...) else x = child.value(x) end
  end
  return x
end

function nn.Sequential:forward(...) return through(self._children, ...) end

function nn.Sequential:hybridize(...)
  local options = read_hybridize(...)
  local all = #self._children > 0
  for _, child in ipairs(self._children) do all = all and class.is_a(child.value, HybridBlock) end
  if all and options.active ~= false then
    warn.here("All children of this Sequential layer '%s' are HybridBlocks. Consider using HybridSequential for " ..
      "the best performance.", self.prefix)
  end
  Block.hybridize(self, options)
end

--- Calls its children, all HybridBlocks, one after another; it can be hybridized as a whole.
nn.HybridSequential = HybridBlock:subclass "HybridSequential"
make_container(nn.HybridSequential)

function nn.HybridSequential:hybrid_forward(_, ...)
  local runs = rawget(getmetatable(self).store, "_segments") and layer_runs.now(self)
  return through(runs or self._children, ...)
end

-- ---- Layers -----------------------------------------------------------------------------------

--- Dense(units, {activation=, use_bias=true, flatten=true, dtype=, weight_initializer=,
-- bias_initializer="zeros", in_units=0}): activation(x W^T + b) for x of shape (batch, in_units) or, with
-- flatten = false, (..., in_units). in_units 0: set by the first batch.
nn.Dense = HybridBlock:subclass "Dense"

local read_dense = arguments.of_block("Dense",
  "units activation use_bias flatten dtype weight_initializer bias_initializer in_units",
  { use_bias = true, flatten = true, bias_initializer = "zeros", in_units = 0 })

function nn.Dense:init(...)
  local options = read_dense(...)
  self._units = checks.whole("Dense: units", options.units, 0)           -- 0 is an error at the call, as in MXNet
  local in_units = checks.whole("Dense: in_units", options.in_units, 0)
  checks.boolean("Dense: use_bias", options.use_bias)
  self._prepared = core.op.prepare("FullyConnected", {
    num_hidden = self._units, no_bias = not options.use_bias, flatten = options.flatten, name = "fwd",
    _check = self.name .. ": data" })
  local function parameter(shape, init)
    return { shape = shape, init = init, dtype = options.dtype, allow_deferred_init = true }
  end
  self.weight = self.params:get("weight", parameter({ self._units, in_units }, options.weight_initializer))
  if options.use_bias then self.bias = self.params:get("bias", parameter({ self._units }, options.bias_initializer)) end
  if options.activation then
    self.act = nn.Activation(options.activation, { prefix = tostring(options.activation) .. "_" })
  end
end

function nn.Dense:hybrid_forward(F, x, p)
  x = F.FullyConnected(x, p.weight, p.bias, self._prepared)
  local act = self.act
  return act and act(x) or x
end

function nn.Dense.__tostring(self)
  local in_units = self.weight.shape[2]
  return ("Dense(%s -> %d, %s)"):format(in_units > 0 and in_units or "None", self._units,
    self.act and tostring(self.act) or "linear")
end

--- Dropout(rate, {axes = {}}): in training, sets a fraction `rate` of the elements to 0 and scales the rest by
-- 1 / (1 - rate); elements that differ only in their position along `axes` are dropped together.
nn.Dropout = HybridBlock:subclass "Dropout"

local read_dropout = arguments.of_block("Dropout", { "rate", "axes" }, { axes = {} })

function nn.Dropout:init(...)
  local options = read_dropout(...)
  local rate = checks.number("Dropout: rate", options.rate)
  if rate < 0 or rate > 1 then fail("Dropout: rate: expected a number from 0 to 1, got %s", rate) end
  self._rate, self._axes = rate, options.axes
  self._prepared = core.op.prepare("Dropout", { p = rate, axes = options.axes, cudnn_off = false, name = "fwd" })
end

function nn.Dropout:hybrid_forward(F, x)
  if self._rate <= 0 then return F.identity(x) end
  return F.Dropout(x, self._prepared)
end

function nn.Dropout.__tostring(self)
  local axes = table.concat(self._axes, ", ")
  return ("Dropout(p = %s, axes=(%s))"):format(self._rate, #self._axes == 1 and axes .. "," or axes)
end

--- Embedding(input_dim, output_dim, {dtype=, weight_initializer=}): row x of a learned matrix (input_dim, output_dim)
-- for each index x, from 0. Errors: an index that is out of range, with its value and row.
nn.Embedding = HybridBlock:subclass "Embedding"

local read_embedding = arguments.of_block("Embedding", "input_dim output_dim dtype weight_initializer sparse_grad",
  {})

function nn.Embedding:init(...)
  local options = read_embedding(...)
  options.dtype = options.dtype or core.array.default_dtype()
  local input_dim = checks.whole("Embedding: input_dim", options.input_dim, 1)
  local output_dim = checks.whole("Embedding: output_dim", options.output_dim, 1)
  self._input_dim, self._output_dim, self._dtype = input_dim, output_dim, options.dtype
  if options.sparse_grad then
    warn.once("Embedding: sparse_grad",
      "Embedding: sparse_grad = true has no effect: gradients are dense, and the same")
  end
  self._prepared = core.op.prepare("Embedding", {
    input_dim = input_dim, output_dim = output_dim, dtype = options.dtype, sparse_grad = false, name = "fwd",
    _check = self.name .. ": data" })
  self.weight = self.params:get("weight", { shape = { input_dim, output_dim }, init = options.weight_initializer,
                                            dtype = options.dtype, allow_deferred_init = true })
end

function nn.Embedding:hybrid_forward(F, x, p) return F.Embedding(x, p.weight, self._prepared) end

function nn.Embedding.__tostring(self)
  return ("Embedding(%d -> %d, %s)"):format(self._input_dim, self._output_dim, self._dtype)
end

--- Flatten(): reshapes (batch, ...) to (batch, size of a sample).
nn.Flatten = HybridBlock:subclass "Flatten"
function nn.Flatten:hybrid_forward(F, x) return F.Flatten(x) end
function nn.Flatten.__tostring() return "Flatten" end

-- ---- Functions as blocks ---------------------------------------------------------------------------

local function function_of(what, class_name)
  if type(what) == "function" then
    return what, debug.getinfo(what, "S").short_src .. ":" .. debug.getinfo(what, "S").linedefined
  end
  if type(what) == "string" and getmetatable(nd).has_name(what) then return nil, what end
  fail("%s: function: expected a function or the name of an operator, got %s", class_name, tostring(what))
end

--- Lambda(function): a Block that calls a function(x, ...), or the operator of this name.
nn.Lambda = Block:subclass "Lambda"

local read_lambda = arguments.of_block("Lambda", "function")

function nn.Lambda:init(...)
  local fn = read_lambda(...)["function"]
  self._function, self._label = function_of(fn, "Lambda")
  self._operator = not self._function and nd[fn] or nil
end

function nn.Lambda:forward(...) return (self._function or self._operator)(...) end
function nn.Lambda.__tostring(self) return ("Lambda(%s)"):format(self._label) end

--- HybridLambda(function): a HybridBlock that calls a function(F, x, ...), or the operator of this name.
nn.HybridLambda = HybridBlock:subclass "HybridLambda"

local read_hybrid_lambda = arguments.of_block("HybridLambda", "function")

function nn.HybridLambda:init(...)
  local fn = read_hybrid_lambda(...)["function"]
  self._function, self._label = function_of(fn, "HybridLambda")
  self._traced_function = self._function
  self._operator = not self._function and fn or nil
end

function nn.HybridLambda:hybrid_forward(F, ...)
  if self._function then return self._function(F, ...) end
  return F[self._operator](...)
end

function nn.HybridLambda.__tostring(self) return ("HybridLambda(%s)"):format(self._label) end

return nn
