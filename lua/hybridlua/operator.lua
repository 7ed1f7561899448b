-- operator.lua - operators written in Lua: mx.operator with CustomOp, CustomOpProp and register; nd.Custom, sym.Custom.
--
-- nd.Custom(x, {op_type = name}) makes an instance of the registered CustomOpProp, and a Definition for it, which the
-- node of the graph holds. A node's types, forward and backward are calls of the Definition, from
-- bind/autograd/script_operator.c, in eager and in compiled code.
--
-- Invariant: backward is called on the same CustomOp as the forward that computed its outputs. So each forward that a
-- backward may follow has its own CustomOp, which is found again by the number that it returned.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local python = require "hybridlua.language.python_text"
local is_array, is_symbol, is_plain, tracing = core.array.is, core.symbol.is, core.script.is_plain, core.trace.active
local custom_call = core.autograd.custom_call

local operator = {}

-- ---- What the script writes -------------------------------------------------------------------------------------

--- CustomOp: the computation of an operator. A subclass has forward, and backward if it has a gradient; both write
-- their results with self:assign. Lists count from 1.
local CustomOp = class.root("CustomOp", class.new, "op")
operator.CustomOp = CustomOp

--- forward(is_train, req, in_data, out_data, aux): writes the outputs. req: how to write each, for assign; in_data,
-- out_data, aux: lists of arrays, copies of the inputs and of the auxiliary states, which are written back.
function CustomOp:forward() fail("%s:forward: the operator has no forward", class.of(self).__name__) end

--- backward(req, out_grad, in_data, out_data, in_grad, aux): writes the gradients of the inputs, zeros until then.
function CustomOp:backward() fail("%s:backward: the operator has no backward", class.of(self).__name__) end

local REQS = { null = true, write = true, inplace = true, add = true }

--- assign(dst, req, src): writes src (an array or a number) into the array dst: req is "write", "inplace", "add" or
-- "null", which writes nothing.
function CustomOp:assign(dst, req, src)
  if not REQS[req] then
    fail("assign: req: expected 'null', 'write', 'inplace' or 'add', got %s", python.repr(tostring(req)))
  end
  if not is_array(dst) then fail("assign: dst: expected an NDArray, got %s", type(dst)) end
  if req == "null" then return end
  dst[{}] = req == "add" and dst + src or src
end

--- CustomOpProp(need_top_grad): describes an operator: its inputs, outputs and types. A subclass overrides methods: by
-- default it has one input "data", one output "output", and shapes and dtypes like the first input's. The options of a
-- call, apart from op_type and name, come to init as a table of strings, as in MXNet.
local CustomOpProp = class.root("CustomOpProp", class.new, "prop")
operator.CustomOpProp = CustomOpProp

local read_prop = arguments.new("CustomOpProp", "need_top_grad", { need_top_grad = true })

function CustomOpProp:init(...) self.need_top_grad_ = read_prop(...).need_top_grad end

--- infer_shape(in_shape): a list of shapes, {} if unknown -> the shapes of the inputs, which it may complete, of the
-- outputs, and of the auxiliary states.
function CustomOpProp:infer_shape(in_shape)
  local out = {}
  for i = 1, #self:list_outputs() do out[i] = in_shape[1] end
  return in_shape, out, {}
end

--- infer_type(in_type): a list of dtypes -> those of the inputs, of the outputs and of the auxiliary states.
function CustomOpProp:infer_type(in_type)
  local out, aux = {}, {}
  for i = 1, #self:list_outputs() do out[i] = in_type[1] end
  for i = 1, #self:list_auxiliary_states() do aux[i] = in_type[1] end
  return in_type, out, aux
end

function CustomOpProp:list_arguments() return { "data" } end        --- the names of the inputs
function CustomOpProp:list_outputs() return { "output" } end        --- the names of the outputs
function CustomOpProp:list_auxiliary_states() return {} end         --- the names of the auxiliary states

--- declare_backward_dependency(out_grad, in_data, out_data): the values that backward reads. It has no effect here,
-- where backward gets all of them.
function CustomOpProp:declare_backward_dependency(out_grad, in_data, out_data)
  local deps = {}
  for _, list in ipairs { self.need_top_grad_ ~= false and out_grad or {}, in_data, out_data } do
    table.move(list, 1, #list, #deps + 1, deps)
  end
  return deps
end

--- create_operator(ctx, in_shapes, in_dtypes): returns the CustomOp.
function CustomOpProp:create_operator()
  fail("%s:create_operator: expected a method that returns a CustomOp", class.of(self).__name__)
end

-- ---- The registry ------------------------------------------------------------------------------------------------

local registered, names = {}, {}

local function check_name(what, name)
  if type(name) ~= "string" or name == "" then fail("%s: expected a name, got %s", what, python.repr(name)) end
end

--- register(name): returns a function that registers a subclass of CustomOpProp, which it returns:
-- hl.operator.register "softmax" (SoftmaxProp). A second class of that name replaces the first in later calls.
function operator.register(name)
  check_name("operator.register: reg_name", name)
  return function(prop)
    if not class.is_class(prop) or not class.is_below(prop, CustomOpProp) then
      fail("operator.register: expected a subclass of operator.CustomOpProp for '%s', got %s", name,
        class.is_class(prop) and tostring(prop) or type(prop))
    end
    if not registered[name] then names[#names + 1] = name end
    registered[name] = prop
    return prop
  end
end

--- get_all_registered_operators(): the names of the registered operators, in their order.
function operator.get_all_registered_operators() return table.move(names, 1, #names, 1, {}) end

-- ---- Definitions -------------------------------------------------------------------------------------------------

local Definition = {}
Definition.__index = Definition

-- Operators of earlier forwards that a backward may still need, and those that one has used.
local MOST_WAITING, MOST_USED = 1024, 4

local function name_list(prop, op_type, method)
  local list = prop[method](prop)
  if not is_plain(list) then
    fail("Custom: '%s': %s: expected a list of names, got %s", op_type, method, type(list))
  end
  for i, name in ipairs(list) do check_name(("Custom: '%s': %s: name %d"):format(op_type, method, i), name) end
  return list
end

local function define(prop, op_type)
  local self = setmetatable({ prop = prop, op_type = op_type, last = 0, waiting = {}, used = {},
    arguments = name_list(prop, op_type, "list_arguments"), outputs = name_list(prop, op_type, "list_outputs"),
    states = name_list(prop, op_type, "list_auxiliary_states") }, Definition)
  if #self.arguments == 0 then fail("Custom: '%s': list_arguments: expected at least one name", op_type) end
  if #self.outputs == 0 then fail("Custom: '%s': list_outputs: expected at least one name", op_type) end
  return self
end

local function plain_list(list) return table.move(list, 1, #list, 1, {}) end

-- One list of the n items that a method returned for each kind of value.
local function joined(self, method, given, kinds)
  local all = {}
  for k, kind in ipairs(kinds) do
    local list = given[k]
    if list == nil and #kind[2] == 0 then list = {} end
    if type(list) ~= "table" or #list ~= #kind[2] then
      fail("Custom: '%s': %s: expected %d %s, got %s", self.op_type, method, #kind[2], kind[1],
        type(list) == "table" and #list or type(list))
    end
    for i = 1, #list do all[#all + 1] = list[i] end
  end
  return all
end

-- Types, for the engine: see infer_in_lua in bind/autograd/script_operator.c.
function Definition:infer(shapes, dtypes, known)
  local in_shape, in_type = {}, {}
  for i = 1, #self.arguments do
    in_shape[i] = plain_list(shapes[i])
    in_type[i] = dtypes[i] or dtypes[1] or nil
  end
  local kinds = { { "inputs", self.arguments }, { "auxiliary states", self.states }, { "outputs", self.outputs } }
  local made = table.pack(pcall(self.prop.infer_shape, self.prop, in_shape))
  if not made[1] then
    if not known then return nil end
    error(made[2], 0)
  end
  local all_shapes = joined(self, "infer_shape", { made[2], made[4], made[3] }, kinds)
  if #in_type == 0 then return all_shapes, {} end
  local types = { self.prop:infer_type(in_type) }
  return all_shapes, joined(self, "infer_type", { types[1], types[3], types[2] }, kinds)
end

local function write_all(n)
  local req = {}
  for i = 1, n do req[i] = "write" end
  return req
end

function Definition:new_operator(in_data)
  local shapes, dtypes = {}, {}
  for i, x in ipairs(in_data) do shapes[i], dtypes[i] = plain_list(x.shape), x.dtype end
  local op = self.prop:create_operator(in_data[1].context, shapes, dtypes)
  if not class.is_a(op, CustomOp) then
    fail("Custom: '%s': create_operator: expected an instance of operator.CustomOp, got %s", self.op_type,
      class.of(op) and tostring(class.of(op)) or type(op))
  end
  return op
end

-- Keeps at most `most` operators of a list of numbers.
local function limit(self, list, most)
  if #list <= most then return end
  self[table.remove(list, 1)] = nil
end

-- The operator of all forwards without a backward on inputs of the same types.
local function shared_operator(self, in_data)
  local key = {}
  for i, x in ipairs(in_data) do key[i] = x.dtype .. tostring(x.shape) end
  key = table.concat(key)
  if self.shared_key ~= key then self.shared, self.shared_key = self:new_operator(in_data), key end
  return self.shared
end

function Definition:forward(is_train, needed, in_data, out_data, aux)
  local op = needed and self:new_operator(in_data) or shared_operator(self, in_data)
  op:forward(is_train, write_all(#out_data), in_data, out_data, aux)
  if not needed then return 0 end
  self.last = self.last + 1
  self[self.last] = { op = op, aux = aux }
  self.waiting[#self.waiting + 1] = self.last
  limit(self, self.waiting, MOST_WAITING)
  return self.last
end

function Definition:backward(number, out_grad, in_data, out_data, in_grad)
  local call = self[number]
  if not call then
    fail("Custom: '%s': backward: the operator of its forward is no longer kept: expected a backward before %d " ..
      "later forwards, and at most %d backwards of other forwards before a second one", self.op_type, MOST_WAITING,
      MOST_USED)
  end
  call.op:backward(write_all(#in_grad), out_grad, in_data, out_data, in_grad, call.aux)
  for i, waiting in ipairs(self.waiting) do
    if waiting == number then
      table.remove(self.waiting, i)
      self.used[#self.used + 1] = number
      limit(self, self.used, MOST_USED)
      break
    end
  end
end

-- ---- Calls -------------------------------------------------------------------------------------------------------

local function is_input(x) return is_array(x) or is_symbol(x) end

-- An option's value as MXNet passes it to the CustomOpProp.
local function text(value)
  if type(value) == "string" then return value end
  if is_plain(value) then return python.tuple(value) end
  return type(value) == "table" and tostring(value) or python.repr(value)
end

-- The inputs by position, and the options.
local function read_call(...)
  local n, inputs, options = select("#", ...), {}, {}
  local given = { ... }
  if is_plain(given[n]) then
    for key, value in pairs(given[n]) do
      if type(key) == "string" then options[key] = value end
    end
    if #given[n] > 0 and n == 1 then given = given[n] else given[n] = nil end
    n = #given
  end
  for i = 1, n do
    if not is_input(given[i]) then
      fail("Custom: input %d: expected an NDArray or a Symbol, got %s", i, type(given[i]))
    end
    inputs[i] = given[i]
  end
  return inputs, options
end

-- Inputs by name go to their places; the other options are left.
local function take_inputs(self, inputs, named)
  local places = plain_list(self.arguments)
  table.move(self.states, 1, #self.states, #places + 1, places)
  if #inputs > #places then
    fail("Custom: '%s': expected %d inputs (%s), got %d", self.op_type, #places, table.concat(places, ", "), #inputs)
  end
  for i, place in ipairs(places) do
    if named[place] ~= nil then
      if inputs[i] ~= nil then fail("Custom: '%s': input '%s' was given twice", self.op_type, place) end
      inputs[i], named[place] = named[place], nil
    end
  end
  for key in pairs(named) do
    fail("Custom: '%s': unknown input '%s'; its inputs are %s", self.op_type, key, table.concat(places, ", "))
  end
  return places
end

-- Fills in variables for missing inputs of a graph.
local function complete(self, inputs, places, name)
  local graph = tracing()
  for i = 1, #places do graph = graph or inputs[i] ~= nil and is_symbol(inputs[i]) end
  for i, place in ipairs(places) do
    local x = inputs[i]
    if x == nil and graph and not tracing() then x = core.op.sym.var(name .. "_" .. place) end
    if x == nil then
      fail("Custom: '%s': expected %d inputs (%s), got none for '%s'", self.op_type, #places,
        table.concat(places, ", "), place)
    end
    if graph then
      if is_array(x) and not tracing() then
        fail("Custom: '%s': input '%s': expected a Symbol, as the others, got an NDArray", self.op_type, place)
      end
      x = core.symbol.capture(x)
    end
    inputs[i] = x
  end
end

local function call(self, inputs, named, given_name)
  local places = take_inputs(self, inputs, named)
  local name = core.name.next(given_name, "custom")
  complete(self, inputs, places, name)
  local outputs = custom_call(self, self.op_type, #self.arguments, #self.outputs, #self.states, name, inputs)
  if #outputs == 1 then return outputs[1] end
  return outputs
end

--- Custom(inputs..., {op_type = name, ...}): applies an operator that operator.register registered. Inputs are arrays
-- or Symbols, by position or by name; a Symbol's missing inputs become variables. Further options go to the
-- CustomOpProp. Returns an array or Symbol, or a list if the operator has several outputs. Errors: unknown op_type,
-- wrong inputs; errors of the operator's code, with their lines.
function operator.Custom(...)
  local inputs, options = read_call(...)
  local op_type, name, named, rest = options.op_type, options.name, {}, nil
  if op_type == nil then fail("Custom: op_type: expected the name of a registered operator, got nothing") end
  local prop = registered[op_type]
  if not prop then
    fail("Custom: op_type: expected a name that hl.operator.register registered%s, got %s",
      names[1] and (" (" .. table.concat(names, ", ") .. ")") or "", python.repr(op_type))
  end
  for key, value in pairs(options) do
    if is_input(value) then named[key] = value
    elseif key ~= "op_type" and key ~= "name" then
      rest = rest or {}
      rest[key] = text(value)
    end
  end
  return call(define(rest and prop(rest) or prop(), op_type), inputs, named, name)
end

-- ---- The older classes -------------------------------------------------------------------------------------------

-- NumpyOp and NDArrayOp: the operator is the object that the script makes, and a call of it makes the node.
local function older(kind)
  local Op = class.root(kind, class.new, "op")
  operator[kind] = Op

  local read = arguments.new(kind, "need_top_grad", { need_top_grad = true })
  function Op:init(...) self.need_top_grad_ = read(...).need_top_grad end

  function Op:forward(in_data, out_data) out_data[1][{}] = in_data[1] end
  function Op:backward(_, _, _, in_grad) in_grad[1][{}] = 1 end
  function Op:infer_shape(in_shape) return in_shape, { in_shape[1] } end
  function Op:list_outputs() return { "output" } end
  function Op:list_arguments() return { "data" } end
  function Op:need_top_grad() return self.need_top_grad_ ~= false end

  --- op(inputs..., {name = }): the operator's node, or its result for arrays.
  function Op:get_symbol(...)
    local inputs, options = read_call(...)
    local name, named = options.name, {}
    for key, value in pairs(options) do if key ~= "name" then named[key] = value end end
    local prop = CustomOpProp(self:need_top_grad())
    local op, adapter = self, CustomOp()
    function prop.infer_shape(_, in_shape) return op:infer_shape(in_shape) end
    function prop.list_arguments() return op:list_arguments() end
    function prop.list_outputs() return op:list_outputs() end
    function prop.create_operator() return adapter end
    function adapter.forward(_, _, _, in_data, out_data) op:forward(in_data, out_data) end
    function adapter.backward(_, _, out_grad, in_data, out_data, in_grad)
      op:backward(out_grad, in_data, out_data, in_grad)
    end
    return call(define(prop, class.of(self).__name__), inputs, named, name)
  end

  function Op:__call(...) return self:get_symbol(...) end

  arguments.methods(Op, kind .. ".", { list_outputs = "", list_arguments = "", need_top_grad = "" })
end
older "NumpyOp"
older "NDArrayOp"

arguments.functions(operator, "operator.", { register = "reg_name", get_all_registered_operators = "" })
arguments.methods(CustomOp, "CustomOp.", { assign = "dst req src" })
arguments.methods(CustomOpProp, "CustomOpProp.", { list_arguments = "", list_outputs = "", list_auxiliary_states = "",
  infer_type = "in_type[]", create_operator = "ctx in_shapes[] in_dtypes[]",
  declare_backward_dependency = "out_grad[] in_data[] out_data[]" })

return module(operator, "hybridlua.operator")
