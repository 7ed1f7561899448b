-- test_utils/gradients.lua - checks of Symbols: outputs and gradients against expected values, gradients against
-- differences of the outputs, and one dtype against another. They are for Symbols that a script builds; hl.grad and
-- hybridize{check = n} serve functions and blocks.
--
-- Arrays are given by name, or as a list in the order of list_arguments; each is an NDArray or a nested table.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local compare = require "hybridlua.test_utils.compare"
local context = require "hybridlua.context"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, is_symbol = core.array.is, core.script.is_plain, core.symbol.is

local nd, sym = core.op.nd, core.op.sym
local gradients = {}

local function check_symbol(who, s)
  if not is_symbol(s) then fail("%s: sym: expected a Symbol, got %s", who, s == nil and "nothing" or type(s)) end
end

local function check_dtype(who, dtype)
  if dtype == nil then return "float32" end
  return checks.choice(who .. ": dtype", dtype, "float32", "float64")
end

-- Arrays of this dtype by name, from a list or a table by name. required: every name must be given.
local function by_name(who, what, names, given, dtype, ctx)
  if not is_plain(given) then fail("%s: %s: expected arrays by name or a list, got %s", who, what, type(given)) end
  local arrays, known = {}, {}
  for i, name in ipairs(names) do
    known[name] = true
    local value = given[name]
    if value == nil then value = given[i] end
    if value == nil then fail("%s: %s: '%s' is missing; the names are %s", who, what, name,
      table.concat(names, ", ")) end
    local array = is_array(value) and value or nd.array(value, { dtype = dtype, ctx = ctx })
    arrays[name] = array.dtype:find "^float" and array.dtype ~= dtype and array:astype(dtype) or array
  end
  for key in pairs(given) do
    if type(key) == "string" and not known[key] then
      fail("%s: %s: there is no '%s'; the names are %s", who, what, key, table.concat(names, ", "))
    end
  end
  return arrays
end

local function aux_arrays(who, s, given, dtype, ctx)
  if given == nil then return nil end
  return by_name(who, "aux_states", s:list_auxiliary_states(), given, dtype, ctx)
end

local function copies(arrays)
  local all = {}
  for name, x in pairs(arrays or {}) do all[name] = x:copy() end
  return all
end

local function write_all(dict, arrays)
  for name, x in pairs(arrays or {}) do dict[name]:set(x) end
end

--- simple_forward(sym, {name = array, ..., ctx =, is_train = false}): the outputs of a Symbol, an NDArray or a list. As
-- in MXNet, ctx and is_train may also be before the table.
function gradients.simple_forward(s, ctx, is_train, inputs)
  check_symbol("simple_forward", s)
  if is_plain(ctx) then ctx, inputs = nil, ctx end
  if is_plain(is_train) then is_train, inputs = nil, is_train end
  local given, known = {}, {}
  local names = s:list_arguments()
  for _, name in ipairs(names) do known[name] = true end
  for key, value in pairs(inputs or {}) do
    if key == "ctx" and not known.ctx then ctx = value
    elseif key == "is_train" and not known.is_train then is_train = value
    else given[key] = value end
  end
  local args = by_name("simple_forward", "inputs", names, given, "float32", ctx)
  local outputs = s:bind(ctx or context.current_context(), args):forward { is_train = is_train == true }
  if #outputs == 1 then return outputs[1] end
  return outputs
end

-- The sum of an executor's first output, with one element of an argument changed.
local function sum_with(executor, name, values, i, value, aux, train)
  values[i] = value
  executor.arg_dict[name]:set(nd.array(values, { dtype = "float64" }):reshape(executor.arg_dict[name].shape))
  write_all(executor.aux_dict, aux)
  return executor:forward({ is_train = train })[1]:astype("float64"):sum():asscalar()
end

--- numeric_grad(executor, location, aux_states = nil, eps = 1e-4, use_forward_train = true): for each array of the
-- table `location`, by name, the gradient of the sum of the executor's first output, from differences of eps. Integers
-- have gradient 0. The executor's arrays have their values again afterwards.
function gradients.numeric_grad(executor, location, aux_states, eps, use_forward_train)
  local who = "numeric_grad"
  if type(executor) ~= "table" or not executor.arg_dict then
    fail("%s: executor: expected an Executor, got %s", who, type(executor))
  end
  if not is_plain(location) then fail("%s: location: expected arrays by name, got %s", who, type(location)) end
  eps = checks.number(who .. ": eps", eps or 1e-4)
  local train, result = use_forward_train ~= false, {}
  write_all(executor.arg_dict, location)
  for name, x in pairs(location) do
    local slopes, values = {}, x:astype("float64"):reshape({ -1 }):totable()
    for i, value in ipairs(values) do
      if x.dtype:find "^float" then
        local high = sum_with(executor, name, values, i, value + eps / 2, aux_states, train)
        local low = sum_with(executor, name, values, i, value - eps / 2, aux_states, train)
        slopes[i], values[i] = (high - low) / eps, value
      else
        slopes[i] = 0
      end
    end
    executor.arg_dict[name]:set(x)
    result[name] = nd.array(slopes, { dtype = x.dtype }):reshape(x.shape)
  end
  return result
end

local EPS = { float32 = 2 ^ -9, float64 = 2 ^ -14 }

-- The names of the gradients to check and how each is written: from a list, a table by name, or for all arguments.
local function requests(who, s, given)
  local names, req = {}, {}
  if given == nil then given = s:list_arguments() end
  if not is_plain(given) then fail("%s: grad_nodes: expected a list of names or a table, got %s", who, type(given)) end
  for key, value in pairs(given) do
    local name = type(key) == "string" and key or value
    names[#names + 1], req[name] = name, type(key) == "string" and value or "write"
  end
  table.sort(names)
  return names, req
end

-- Compares one gradient with its expected value. before: the array's values before backward.
local function compare_gradient(who, req, expected, got, before, rtol, atol, names, equal_nan)
  if req == "add" then got = got - before
  elseif req == "null" then expected = before
  elseif req ~= "write" then
    fail("%s: grad_req: expected 'write', 'add' or 'null', got '%s'", who, tostring(req))
  end
  compare.assert_almost_equal(expected, got, rtol, atol, names, equal_nan)
end

--- check_numeric_gradient(sym, location, {aux_states =, numeric_eps =, rtol =, atol =, grad_nodes =, use_forward_train
-- = true, ctx =, dtype = "float32"}): raises unless the gradients of the Symbol's first output, weighted by random
-- numbers, agree with differences of it. grad_nodes: names, or a table of grad_reqs by name; all arguments by default.
-- numeric_eps is 1/512, for float64 1/16384. With dtype = "float64" it is much more exact.
function gradients.check_numeric_gradient(s, location, aux_states, numeric_eps, rtol, atol, grad_nodes,
                                          use_forward_train, ctx, _, dtype)
  local who = "check_numeric_gradient"
  check_symbol(who, s)
  dtype, ctx = check_dtype(who, dtype), ctx or context.current_context()
  location = by_name(who, "location", s:list_arguments(), location, dtype, ctx)
  local aux = aux_arrays(who, s, aux_states, dtype, ctx)
  local names, req = requests(who, s, grad_nodes)
  local shapes = {}
  for name, x in pairs(location) do shapes[name] = x.shape end
  local _, out_shapes = s:infer_shape(shapes)
  local loss = sym.make_loss(s:output(0) * sym.var "__random_proj")
  local args, grads, before = copies(location), {}, {}
  args.__random_proj = (nd.random.uniform { shape = out_shapes[1], ctx = ctx } + 0.1):astype(dtype)
  for _, name in ipairs(names) do
    if not location[name] then fail("%s: grad_nodes: there is no argument '%s'", who, tostring(name)) end
    before[name] = nd.random.normal(0, 0.01, { shape = location[name].shape, ctx = ctx }):astype(location[name].dtype)
    grads[name] = before[name]:copy()
  end
  local executor = loss:bind { ctx = ctx, args = args, args_grad = grads, grad_req = req, aux_states = copies(aux) }
  executor:forward { is_train = true }
  executor:backward()
  local found = copies(executor.grad_dict)
  for name, grad in pairs(grads) do found[name] = found[name] or grad end
  local expected = gradients.numeric_grad(executor, location, aux, numeric_eps or EPS[dtype], use_forward_train)
  for _, name in ipairs(names) do
    compare_gradient(who, req[name], expected[name], found[name], before[name], rtol, atol,
      { "NUMERICAL_" .. name, "BACKWARD_" .. name })
  end
end

-- A list in the order of names, from a list or a table by name.
local function in_order(who, what, names, given)
  if is_array(given) then given = { given } end
  if not is_plain(given) then fail("%s: %s: expected a list of arrays or a table, got %s", who, what, type(given)) end
  local list = {}
  for i, name in ipairs(names) do
    list[i] = given[name]
    if list[i] == nil then list[i] = given[i] end
    if list[i] == nil then fail("%s: %s: '%s' is missing", who, what, name) end
  end
  return list
end

--- check_symbolic_forward(sym, location, expected, {rtol =, atol =, aux_states =, ctx =, equal_nan = false, dtype =
-- "float32"}): raises unless the Symbol's outputs are almost equal to `expected`, a list or a table by list_outputs'
-- names. Returns the outputs.
function gradients.check_symbolic_forward(s, location, expected, rtol, atol, aux_states, ctx, equal_nan, dtype)
  local who = "check_symbolic_forward"
  check_symbol(who, s)
  dtype, ctx = check_dtype(who, dtype), ctx or context.current_context()
  local names = s:list_outputs()
  expected = in_order(who, "expected", names, expected)
  local executor = s:bind { ctx = ctx, args = by_name(who, "location", s:list_arguments(), location, dtype, ctx),
    grad_req = "null", aux_states = aux_arrays(who, s, aux_states, dtype, ctx) }
  local outputs = executor:forward { is_train = false }
  for i, name in ipairs(names) do
    compare.assert_almost_equal(expected[i], outputs[i], rtol, atol, { "EXPECTED_" .. name, "FORWARD_" .. name },
      equal_nan)
  end
  return outputs
end

local function request_of(grad_req, name, i)
  if type(grad_req) == "table" then return grad_req[name] or grad_req[i] or "null" end
  return grad_req or "write"
end

--- check_symbolic_backward(sym, location, out_grads, expected, {rtol =, atol =, aux_states =, grad_req = "write", ctx
-- =, equal_nan = false, dtype = "float32"}): raises unless the gradients are almost equal to `expected`, a table by the
-- arguments' names, or a list. out_grads: the gradients of the outputs, or nil. Returns the gradients by name.
function gradients.check_symbolic_backward(s, location, out_grads, expected, rtol, atol, aux_states, grad_req, ctx, _,
                                           equal_nan, dtype)
  local who = "check_symbolic_backward"
  check_symbol(who, s)
  dtype, ctx = check_dtype(who, dtype), ctx or context.current_context()
  local names = s:list_arguments()
  location = by_name(who, "location", names, location, dtype, ctx)
  if not is_plain(expected) then fail("%s: expected: expected a list or a table, got %s", who, type(expected)) end
  local grads, before, req, wanted = {}, {}, {}, {}
  for i, name in ipairs(names) do
    wanted[name] = expected[name]
    if wanted[name] == nil then wanted[name] = expected[i] end
    req[name] = wanted[name] == nil and "null" or request_of(grad_req, name, i)
    if wanted[name] ~= nil then
      before[name] = nd.random.normal { shape = location[name].shape, ctx = ctx }:astype(location[name].dtype)
      grads[name] = before[name]:copy()
    end
  end
  local executor = s:bind { ctx = ctx, args = location, args_grad = grads, grad_req = req,
    aux_states = aux_arrays(who, s, aux_states, dtype, ctx) }
  executor:forward { is_train = true }
  if out_grads ~= nil then
    out_grads = in_order(who, "out_grads", s:list_outputs(), out_grads)
    for i, x in ipairs(out_grads) do
      out_grads[i] = is_array(x) and x or nd.array(x, { dtype = dtype, ctx = ctx })
    end
  end
  executor:backward(out_grads)
  for _, name in ipairs(names) do
    if wanted[name] ~= nil then
      compare_gradient(who, req[name], wanted[name], grads[name], before[name], rtol, atol,
        { "EXPECTED_" .. name, "BACKWARD_" .. name }, equal_nan)
    end
  end
  return grads
end

-- ---- One dtype against another --------------------------------------------------------------------------------

local PRECISION = { float16 = 1, float32 = 2, float64 = 3 }

-- Binds a Symbol for each entry of ctx_list, which are simple_bind's options.
local function bind_all(who, s, ctx_list, grad_req)
  local executors = {}
  for i, options in ipairs(ctx_list) do
    if not is_plain(options) then
      fail("%s: ctx_list[%d]: expected a table such as {ctx = hl.cpu(), data = {2, 3}}, got %s", who, i, type(options))
    end
    local all = { grad_req = grad_req }
    for key, value in pairs(options) do all[key] = value end
    executors[i] = s:simple_bind(all)
  end
  return executors
end

-- The values of the arguments, drawn in the order of their names unless given.
local function values_for(executor, given, scale, uniform)
  local names, values = {}, {}
  for name in pairs(executor.arg_dict) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local shape, ctx = executor.arg_dict[name].shape, executor.arg_dict[name].context
    values[name] = given and given[name] or
      uniform and nd.random.uniform(-0.92 * scale, 0.92 * scale, { shape = shape, dtype = "float64", ctx = ctx }) or
      nd.random.normal(0, scale, { shape = shape, dtype = "float64", ctx = ctx })
  end
  return values
end

local function write_values(executor, values)
  for name, array in pairs(executor.arg_dict) do
    local value = values[name]
    array:set(is_array(value) and value:as_in_context(array.context):astype(array.dtype) or value)
  end
end

--- check_consistency(sym, ctx_list, {scale = 1, grad_req = "write", arg_params =, aux_params =, rtol =, atol =,
-- equal_nan = false, use_uniform = false}): runs a Symbol once for each entry of ctx_list, forward and backward, and
-- raises unless all agree with the most precise one. An entry has simple_bind's options, such as {ctx = hl.cpu(), data
-- = {2, 3}, type_dict = {data = "float64"}}. The tolerances are those of the less precise dtype. Returns the outputs
-- and gradients compared with, by name.
function gradients.check_consistency(s, ctx_list, scale, grad_req, arg_params, aux_params, rtol, atol, _, _, equal_nan,
                                     use_uniform)
  local who = "check_consistency"
  check_symbol(who, s)
  if not is_plain(ctx_list) or #ctx_list < 2 then fail("%s: ctx_list: expected a list of two entries or more", who) end
  grad_req = grad_req or "write"
  local executors = bind_all(who, s, ctx_list, grad_req)
  local values = values_for(executors[1], arg_params, scale or 1, use_uniform)
  local best, head = 1, nil
  local train = grad_req ~= "null"
  for i, executor in ipairs(executors) do
    write_values(executor, values)
    for name, array in pairs(executor.aux_dict) do array:set(aux_params and aux_params[name] or 0) end
    local outputs = executor:forward { is_train = train }
    local precision = PRECISION[outputs[1].dtype] or 0
    if precision > (PRECISION[executors[best].outputs[1].dtype] or 0) then best = i end
    if train then
      head = head or outputs
      local heads = {}
      for k, x in ipairs(head) do heads[k] = x:as_in_context(outputs[k].context):astype(outputs[k].dtype) end
      executor:backward(heads)
    end
  end
  local truth = {}
  for i, name in ipairs(s:list_outputs()) do truth[name] = executors[best].outputs[i] end
  for name, grad in pairs(executors[best].grad_dict) do truth[name] = grad or nil end
  for i, executor in ipairs(executors) do
    local function check(name, array)
      compare.assert_almost_equal(array, truth[name], rtol, atol,
        { ("%s of entry %d"):format(name, i), ("of entry %d"):format(best) }, equal_nan)
    end
    for k, name in ipairs(s:list_outputs()) do check(name, executor.outputs[k]) end
    for name, grad in pairs(executor.grad_dict) do if grad and truth[name] then check(name, grad) end end
  end
  return truth
end

arguments.functions(gradients, "test_utils.", {
  simple_forward = "sym ctx{} is_train{} inputs{}",
  numeric_grad = "executor location{} aux_states eps use_forward_train dtype",
  check_numeric_gradient = "sym location{} aux_states numeric_eps rtol atol grad_nodes use_forward_train ctx " ..
    "grad_stype_dict dtype",
  check_symbolic_forward = "sym location{} expected{} rtol atol aux_states ctx equal_nan dtype",
  check_symbolic_backward = "sym location{} out_grads{} expected{} rtol atol aux_states grad_req ctx grad_stypes " ..
    "equal_nan dtype",
  check_consistency = "sym ctx_list{} scale grad_req arg_params aux_params rtol atol raise_on_err ground_truth " ..
    "equal_nan use_uniform rand_type",
})

return gradients
