-- derivatives.lua - functions of functions: hl.grad, hl.value_and_grad, hl.vjp, hl.jacobian, hl.hessian.
--
-- Each returns, for a function f of arrays and nested plain tables of arrays, a function of the same arguments. Nothing
-- is stored in the arrays: no attach_grad, no backward. They can be combined with each other, with autograd.record
-- around them, and with hl.compile inside or outside, since the same code handles arrays and Symbols: f runs in its own
-- recording on stand-ins for its arguments, and autograd.grad's engine differentiates its results. Other arrays that f
-- reads are constants.
--
-- If f's first parameter is called F, it is nd (sym while traced), as in hl.compile.
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local arguments = require "hybridlua.language.arguments"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local autograd_mode, enter_mode, on_tape = core.autograd.mode, core.autograd.enter_mode, core.autograd.on_tape
local tape_backward, has_leaf = core.autograd.backward, core.autograd.has_leaf
local make_variable = core.autograd.make_variable
local make_constant = core.autograd.make_constant

local nd, sym = core.op.nd, core.op.sym
local derivatives = {}

-- ---- Values: arrays, Symbols, nested plain tables of them ----------------------------------------

local function is_tensor(x) return type(x) == "userdata" and (is_array(x) or is_symbol(x)) end
local is_nest = core.script.is_plain

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
    return type(a) < type(b)
  end)
  return keys
end

-- Copies a nest with fn(tensor, path) for each array; other values are replaced by `other` (nil: kept).
local function map(x, fn, path, other)
  if is_tensor(x) then return fn(x, path) end
  if not is_nest(x) then
    if other then return other(x) end
    return x
  end
  local made = {}
  for _, key in ipairs(sorted_keys(x)) do
    made[key] = map(x[key], fn,
      math.type(key) == "integer" and ("%s[%d]"):format(path, key) or ("%s.%s"):format(path, tostring(key)), other)
  end
  return made
end

local function nothing() return nil end

-- Raises for a nest that contains itself.
local function check_nest(what, x, path, around)
  if not is_nest(x) then return end
  around = around or {}
  if around[x] then fail("%s: %s: expected a table of arrays, got one that contains itself", what, path) end
  around[x] = true
  for _, value in pairs(x) do check_nest(what, value, path, around) end
  around[x] = nil
end

local function context_of(x) return is_array(x) and x.context or nil end

local function is_differentiable(x) return x.dtype == nil or x.dtype:find "^float" ~= nil end

-- A number as a 0-d array, in the context of the first array argument and the dtype of the first float array.
local function lifted(number, args, n)
  local made = {}
  for i = 1, n do
    map(args[i], function(x)
      made.ctx = made.ctx or context_of(x)
      if is_array(x) and is_differentiable(x) then made.dtype = made.dtype or x.dtype end
      return x
    end, "")
  end
  return nd.full({}, number, made)
end

-- ---- Calls of f on stand-ins ------------------------------------------------------------------------

-- The stand-in for an array: the same memory, recorded separately. `followed` lists arrays that are recorded only while
-- f runs.
local function stand_in(x, recorded, followed)
  if is_array(x) and not tracing() and not (recorded and on_tape(x)) then
    x = x:detach()
    make_variable(x)
    followed[#followed + 1] = x
  end
  return nd.Reshape(x, { shape = { -2 } })
end

-- Detaches a value, unless the script records and the value depends on something with a gradient.
local function settled(x, recorded)
  if recorded and (is_symbol(x) or has_leaf(x)) then return x end
  return x:detach()
end

local function is_operators(x) return rawequal(x, nd) or rawequal(x, sym) end

-- Calls f, with F before its arguments if its first parameter has that name.
local function call(f, given, args, n)
  local info = type(f) == "function" and debug.getinfo(f, "u")
  local wants = info and info.nparams > 0 and debug.getlocal(f, 1) == "F"
  wants = wants or given and info and not info.isvararg and info.nparams == n + 1
  if wants then return f(tracing() and sym or given or nd, table.unpack(args, 1, n)) end
  return f(table.unpack(args, 1, n))
end

local function check_function(what, f)
  local meta = type(f) == "table" and getmetatable(f)
  if type(f) == "function" or type(meta) == "table" and meta.__call then return end
  fail("%s: f: expected a function, got %s", what, is_array(f) and "an NDArray" or f == nil and "nothing" or type(f))
end

-- argnums as a list of positions from 1, and whether it was a single number.
local function places(what, argnums, n)
  local single = type(argnums) ~= "table"
  local list = {}
  if n == 0 then fail("%s: expected the arguments of f, got none", what) end
  for i, place in ipairs(single and { argnums } or argnums) do
    if math.type(place) ~= "integer" then
      fail("%s: argnums: expected an integer or a list of integers, got %s", what, tostring(place))
    end
    if place < -n or place >= n then
      fail("%s: argnums: expected positions from %d to %d, for %s, got %d", what, -n, n - 1, counted(n, "argument"),
        place)
    end
    list[i] = place % n + 1
  end
  local seen = {}
  for _, place in ipairs(list) do
    if seen[place] then fail("%s: argnums: expected each position once, got %d twice", what, place - 1) end
    seen[place] = true
  end
  if #list == 0 then fail("%s: argnums: expected at least one position, got none", what) end
  return list, single
end

-- The arguments that contain arrays.
local function all_places(args, n)
  local list = {}
  for i = 1, n do
    local found = false
    map(args[i], function(x) found = true return x end, "")
    if found or type(args[i]) == "number" then list[#list + 1] = i - 1 end
  end
  return list
end

-- Runs f with stand-ins for the arguments at `argnums`. Returns a table: results (of f), wrt (for each of those
-- arguments, the nest of stand-ins), variables (the list of stand-ins), recorded (whether the script records), single.
local function run(what, f, options, ...)
  local args, n = { ... }, select("#", ...)
  local given = is_operators(args[1]) and table.remove(args, 1) or nil
  if given then n = n - 1 end
  if options.train_mode ~= nil then checks.boolean(what .. ": train_mode", options.train_mode) end
  for i = 1, n do check_nest(what, args[i], ("argument %d"):format(i - 1)) end
  local given_args = table.move(args, 1, n, 1, {})
  local argnums = options.argnums or all_places(args, n)
  local list, single = places(what, argnums, n)
  local recorded = autograd_mode()
  local of = { wrt = {}, variables = {}, recorded = recorded, single = single }
  local _ <close> = enter_mode(true, options.train_mode)
  local followed = {}
  for i, place in ipairs(list) do
    local value = args[place]
    if type(value) == "number" then value = lifted(value, given_args, n) end
    if not is_tensor(value) and not is_nest(value) then
      fail("%s: argument %d: expected an array, a number or a table of arrays, got %s", what, place - 1, type(value))
    end
    args[place] = map(value, function(x, path)
      if not is_differentiable(x) then
        fail("%s: %s: expected a float dtype, got %s; leave it out of argnums", what, path, x.dtype)
      end
      local made = stand_in(x, recorded, followed)
      of.variables[#of.variables + 1] = made
      return made
    end, ("argument %d"):format(place - 1))
    of.wrt[i] = args[place]
  end
  of.results = table.pack(call(f, given, args, n))
  for i = 1, of.results.n do check_nest(what, of.results[i], "f's result") end
  for _, x in ipairs(followed) do make_constant(x) end
  return of
end

-- The gradients of the heads with respect to the variables, in the order of of.variables.
local function pull_back(of, heads, head_grads)
  local on_graph, given = {}, head_grads and {}
  for i, head in ipairs(heads) do
    if is_symbol(head) or on_tape(head) then
      on_graph[#on_graph + 1] = head
      if given then given[#on_graph] = head_grads[i] end
    end
  end
  if #on_graph > 0 and #of.variables > 0 then
    if is_symbol(on_graph[1]) then return core.symbol.grad(on_graph, of.variables, given) end
    return tape_backward(on_graph, given, true, of.recorded, of.variables)  -- outer arrays stay recorded
  end
  local zeros = {}
  for i, x in ipairs(of.variables) do zeros[i] = nd.zeros_like(x):detach() end
  return zeros
end

-- Nests the variables' values like the arguments: a list of nests.
local function nested(of, values)
  local by, result = {}, {}
  for i, x in ipairs(of.variables) do by[x] = settled(values[i], of.recorded) end
  for i, nest in ipairs(of.wrt) do result[i] = map(nest, function(x) return by[x] end, "", nothing) end
  return result
end

-- One nest, or a list of them if argnums is a list.
local function answer(of, values)
  local result = nested(of, values)
  if of.single then return result[1] end
  return result
end

local function check_one_number(what, x)
  if not is_tensor(x) then
    fail("%s: f: expected it to return an array of one element, got %s", what, x == nil and "nothing" or type(x))
  end
  if x.size ~= 1 then
    fail("%s: f: expected it to return an array of one element, got shape %s; take its sum or mean, or use hl.jacobian",
         what, tostring(x.shape))
  end
  return x
end

-- The results after the first, detached like the value.
local function further(of)
  local rest = {}
  for i = 2, of.results.n do rest[i - 1] = map(of.results[i], function(x) return settled(x, of.recorded) end, "") end
  return table.unpack(rest, 1, of.results.n - 1)
end

-- ---- The functions --------------------------------------------------------------------------------------

local function reader(what, names, defaults) return arguments.new(what, names, defaults or { argnums = 0 }) end

local read_grad = reader("hl.grad", { "f", "argnums", "train_mode" })

--- hl.grad(f, {argnums = 0, train_mode =}): a function of f's arguments. It returns the gradient of f's first result,
-- an array of one element, with respect to the argument at argnums, counted from 0: an array, or a table nested like
-- the argument; if argnums is a list, a list of them. f's other results follow. A number counts as a 0-d array, with
-- the context and float dtype of the array arguments. train_mode: whether f runs in training mode (default: as at the
-- call). Errors: f returns no array or one of several elements; arguments of an integer dtype.
function derivatives.grad(...)
  local a = read_grad(...)
  check_function("hl.grad", a.f)
  return function(...)
    local of = run("hl.grad", a.f, a, ...)
    local value = check_one_number("hl.grad", of.results[1])
    return answer(of, pull_back(of, { value })), further(of)
  end
end

local read_value_and_grad = reader("hl.value_and_grad", { "f", "argnums", "train_mode" })

--- hl.value_and_grad(f, {argnums = 0, train_mode =}): like hl.grad, but it returns f's first result before the
-- gradient.
function derivatives.value_and_grad(...)
  local a = read_value_and_grad(...)
  check_function("hl.value_and_grad", a.f)
  return function(...)
    local of = run("hl.value_and_grad", a.f, a, ...)
    local value = check_one_number("hl.value_and_grad", of.results[1])
    local gradient = answer(of, pull_back(of, { value }))
    return settled(value, of.recorded), gradient, further(of)
  end
end

local function listed(x)
  local list = {}
  map(x, function(tensor) list[#list + 1] = tensor return tensor end, "")
  return list
end

local function check_kind(x, g, path)
  if not (is_array(x) and is_array(g)) then return end
  if g.dtype ~= x.dtype then
    fail("hl.vjp: %s: expected dtype %s, as in the result, got %s", path, x.dtype, g.dtype)
  end
  if g.context ~= x.context then
    fail("hl.vjp: %s: expected an array on %s, as in the result, got one on %s", path, tostring(x.context),
      tostring(g.context))
  end
end

-- One gradient for each array of a result, given in the same nesting and with the same shapes.
local function cotangents(value, given)
  local list = {}
  check_nest("hl.vjp", given, "cotangent")
  local function visit(x, g, path)
    if is_tensor(x) then
      if type(g) == "number" then g = nd.full({}, g, { dtype = x.dtype, ctx = context_of(x) }):broadcast_to(x.shape) end
      if g ~= nil and not is_tensor(g) then fail("hl.vjp: %s: expected an array, got %s", path, type(g)) end
      if g ~= nil and g.shape ~= x.shape then
        fail("hl.vjp: %s: expected shape %s, got %s", path, tostring(x.shape), tostring(g.shape))
      end
      check_kind(x, g, path)
      list[#list + 1] = g or nd.zeros_like(x)
    elseif is_nest(x) then
      if g ~= nil and not is_nest(g) then
        fail("hl.vjp: %s: expected a table as f returns, got %s", path, is_array(g) and "an NDArray" or type(g))
      end
      for _, key in ipairs(sorted_keys(x)) do visit(x[key], g and g[key], ("%s.%s"):format(path, tostring(key))) end
    end
  end
  visit(value, given, "cotangent")
  return list
end

local function value_and_pullback(f, options, ...)
  local of = run("hl.vjp", f, options, ...)
  local value = of.results[1]
  local heads = listed(value)
  if #heads == 0 then
    fail("hl.vjp: f: expected it to return an array or a table of arrays, got %s",
      value == nil and "nothing" or type(value))
  end
  local function pullback(cotangent)
    local result = nested(of, pull_back(of, heads, cotangents(value, cotangent)))
    return table.unpack(result, 1, #of.wrt)
  end
  return map(value, function(x) return settled(x, of.recorded) end, ""), pullback, further(of)
end

local read_vjp = arguments.new("hl.vjp", { "f", "argnums", "train_mode" })

--- hl.vjp(f, {argnums =, train_mode =}): a function of f's arguments that returns f's first result and a pull-back
-- function. The argument of the pull-back is a vector: an array or nest of arrays like that result. It returns the
-- vector's product with the Jacobian, one value for each argument that contains arrays (or for those in argnums), and
-- may be called repeatedly. hl.vjp(f, x, ...), with arrays, calls the function directly.
function derivatives.vjp(f, ...)
  local first = ...
  if is_tensor(first) or type(first) == "number" or select("#", ...) > 1 then
    check_function("hl.vjp", f)
    return value_and_pullback(f, {}, ...)
  end
  local a = read_vjp(f, ...)
  check_function("hl.vjp", a.f)
  return function(...) return value_and_pullback(a.f, a, ...) end
end

-- For one array of a result: the gradients of all its elements, stacked, for each variable.
local function jacobian_of(of, head)
  local rows, values = {}, {}
  for i = 1, head.size do
    local unit = nd.one_hot(nd.full({ 1 }, i - 1, { ctx = context_of(head) }),
      { depth = head.size, dtype = head.dtype }):reshape(head.shape)
    rows[i] = pull_back(of, { head }, { unit })
  end
  for v, x in ipairs(of.variables) do
    local shape, column = table.move(head.shape, 1, #head.shape, 1, {}), {}
    table.move(x.shape, 1, #x.shape, #shape + 1, shape)
    for i, row in ipairs(rows) do column[i] = row[v] end
    values[v] = #rows > 0 and nd.stack(column, { axis = 0 }):reshape(shape) or
      nd.zeros(shape, { dtype = x.dtype, ctx = context_of(x) })
  end
  return answer(of, values)
end

-- hl.jacobian, with the name `what` in errors.
local function jacobian(what, a)
  return function(...)
    local of = run(what, a.f, a, ...)
    if #listed(of.results[1]) == 0 then
      fail("%s: f: expected it to return an array or a table of arrays, got %s", what,
        of.results[1] == nil and "nothing" or type(of.results[1]))
    end
    return map(of.results[1], function(head) return jacobian_of(of, head) end, "", nothing), further(of)
  end
end

local read_jacobian = reader("hl.jacobian", { "f", "argnums", "train_mode" })

--- hl.jacobian(f, {argnums = 0, train_mode =}): a function of f's arguments that returns the derivatives of each
-- element of f's result with respect to each element of the argument at argnums, with the shape (result's, argument's).
-- If the result or the argument is nested, so is the value (the result's nesting outside). It pulls back once for each
-- element of the result. f's other results follow.
function derivatives.jacobian(...)
  local a = read_jacobian(...)
  check_function("hl.jacobian", a.f)
  return jacobian("hl.jacobian", a)
end

local read_hessian = reader("hl.hessian", { "f", "argnums", "train_mode" })

--- hl.hessian(f, {argnums = 0, train_mode =}): the second derivatives of f's first result, an array of one element,
-- with the shape (argument's, argument's); for nests a nest of nests. It is hl.jacobian of hl.grad.
function derivatives.hessian(...)
  local a = read_hessian(...)
  check_function("hl.hessian", a.f)
  local options = { argnums = a.argnums, train_mode = a.train_mode }
  return jacobian("hl.hessian", { f = derivatives.grad(a.f, options), argnums = a.argnums, train_mode = a.train_mode })
end

return derivatives
