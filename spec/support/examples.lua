-- examples.lua - tests of operator rows by their examples.
local assert = require "luassert"
local core = require "hybridlua.core"
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local examples = {}

--- The example expressions of a row, one per line.
function examples.of(op)
  local list = {}
  for line in (op.example or ""):gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

function examples.differentiable(op)
  if op.random or op.by_design or op.dynamic or op.mutates then return false end
  for _, yes in ipairs(op.differentiable) do if yes then return true end end
  return false
end

function examples.run_with(text, F) return _G.assert(load("local F = ...; return " .. text, "=example"))(F) end

--- Evaluates an example; make(i, data, options) replaces its i-th call of F.array.
local function run(text, F, make)
  local count = 0
  local table_of = setmetatable({
    array = function(data, options)
      count = count + 1
      return make(count, data, options)
    end }, { __index = F })
  return examples.run_with(text, table_of)
end

examples.run = run

local function list(x) return type(x) == "table" and x or { x } end

--- The arrays of an example, in the order of their calls.
local function arrays_of(text, dtype)
  local arrays = {}
  run(text, nd, function(i, data, options)
    local given = (type(options) == "table" and options.dtype) or (type(data) == "table" and data.dtype)
    arrays[i] = nd.array(data, { dtype = given or dtype })
    return arrays[i]
  end)
  return arrays
end

examples.arrays_of = arrays_of

--- Asserts that nd, and an evaluated graph of sym, return the same bits, and leave the same bits in inputs that some
-- operators change.
function examples.check_symbolic(op, text)
  local arrays, others = arrays_of(text, "float32"), arrays_of(text, "float32")
  local eager = list(run(text, nd, function(i) return arrays[i] end))
  local values = {}
  local symbols = list(run(text, sym, function(i)
    local name = "in" .. i
    values[name] = others[i]
    return sym.var(name)
  end))
  local outputs = sym.Group(symbols):eval(values)
  assert.equal(#eager, #outputs)
  for i = 1, #eager do assert.bits(outputs[i], eager[i]) end
  for i = 1, #arrays do assert.bits(others[i], arrays[i]) end
end

--- Asserts that each output has a gradient with respect to itself, even if the operator passes no gradients.
function examples.check_by_output(text)
  local arrays = arrays_of(text, "float32")
  for _, x in ipairs(arrays) do if x.dtype:find "^float" then x:attach_grad() end end
  autograd.record(function()
    for _, y in ipairs(list(run(text, nd, function(i) return arrays[i] end))) do
      if core.autograd.on_tape(y) and (y.dtype == "float32" or y.dtype == "float64") then
        local gradient = autograd.grad((y * y):sum(), y, { create_graph = true, retain_graph = true })
        assert.bits(y * 2, gradient)
      end
    end
  end)
end

local places = { arena = true, input = true, output = true, constant = true, view = true, effect = true,
  ["not computed"] = true }

--- Asserts that explain() gives the place of each value of the compiled example.
function examples.check_explained(text)
  local arrays = arrays_of(text, "float32")
  local f = hl.compile(function(F, ...)
    local given = { ... }
    return table.unpack(list(run(text, F, function(i) return given[i] end)))
  end)
  f(table.unpack(arrays))
  local plan = f:explain { format = "table" }.traces[1].compiled.plans[1]
  assert.truthy(#plan.values > 0)
  for _, value in ipairs(plan.values) do
    assert.truthy(places[value.home], value.op .. " is in " .. tostring(value.home))
  end
end

local function is_float(x) return x.dtype == "float64" end

-- Weights between 0.5 and 1.5, so that every output element counts differently.
local function weights_like(y)
  local values = {}
  for k = 1, y.size do values[k] = 0.5 + (k * 0.6180339887498949) % 1 end
  return nd.array(values, { dtype = "float64" }):reshape(#y.shape > 0 and y.shape or { shape = y.shape })
end

local function weighted_sum(outputs, weights)
  local total
  for i, y in ipairs(outputs) do
    if y.dtype == "float64" then
      if not weights[i] then weights[i] = weights_like(y) end
      local part = (y * weights[i]):sum()
      total = total and total + part or part
    end
  end
  return total
end

--- Compares autograd with central differences in float64, element by element.
function examples.check_gradient(op, text, tolerance)
  local arrays = arrays_of(text, "float64")
  local weights = {}
  local function loss() return weighted_sum(list(run(text, nd, function(i) return arrays[i] end)), weights) end
  if not loss() then return end
  for _, x in ipairs(arrays) do if is_float(x) then x:attach_grad() end end
  local l = autograd.record(loss)
  local reached = pcall(l.backward, l)
  assert.truthy(reached, "no gradient reaches the inputs")
  for i, x in ipairs(arrays) do
    if is_float(x) then
      local wanted = x.grad:totable()
      examples.compare_differences(op, i, x, wanted, loss, tolerance)
    end
  end
end

-- CTCLoss's second derivative would need the shares of alignments, which no operator computes; that of hawkesll would
-- need the products of two parameters' derivatives along a sequence.
local once = { CTCLoss = true, _contrib_hawkesll = true }

--- Compares second derivatives of a weighted sum of all gradients with differences, and with compiled code to the bit.
function examples.check_second_order(op, text, tolerance)
  if once[op.name] then return end
  local arrays = arrays_of(text, "float64")
  local weights, sums, variables, argnums = {}, {}, {}, {}
  for i, x in ipairs(arrays) do
    if is_float(x) then
      variables[#variables + 1] = x
      argnums[#argnums + 1] = i - 1
    end
  end
  if #variables == 0 then return end
  local function loss(F, ...)
    local given = { ... }
    return weighted_sum(list(run(text, F, function(i) return given[i] end)), weights)
  end
  if not loss(nd, table.unpack(arrays)) then return end         -- no float64 output
  local gradients = hl.grad(loss, { argnums = argnums })
  local function sum_of_gradients(F, ...) return weighted_sum(gradients(F, ...), sums) end
  local function value() return sum_of_gradients(nd, table.unpack(arrays)) end
  local second = hl.grad(sum_of_gradients, { argnums = argnums })
  local wanted = second(nd, table.unpack(arrays))
  for i, x in ipairs(variables) do examples.compare_differences(op, i, x, wanted[i]:totable(), value, tolerance) end
  local got = hl.compile(second)(table.unpack(arrays))
  for i = 1, #wanted do assert.bits(got[i], wanted[i]) end
end

local function flat(t, out)
  out = out or {}
  if type(t) == "table" then for i = 1, #t do flat(t[i], out) end else out[#out + 1] = t end
  return out
end

--- Compares a gradient with differences; Richardson extrapolation removes the error of order h^2.
function examples.compare_differences(op, i, x, gradient, loss, tolerance)
  local values, grads = flat(x:totable()), flat(gradient)
  local view = x:reshape(-1)
  for k = 1, #values do
    local function at(h)
      view[k - 1] = values[k] + h
      local up = loss():asscalar()
      view[k - 1] = values[k] - h
      local down = loss():asscalar()
      view[k - 1] = values[k]
      return (up - down) / (2 * h)
    end
    local h = 1e-3 * math.max(1, math.abs(values[k]))
    local d1, d2, d3 = at(h), at(h / 2), at(h / 4)
    local r1, r2 = (4 * d2 - d1) / 3, (4 * d3 - d2) / 3
    local difference = (16 * r2 - r1) / 15
    local error = math.abs(difference - grads[k])
    if error > tolerance * math.max(1, math.abs(difference)) then
      _G.error(("%s: input %d, element %d: gradient %.10g, differences say %.10g"):format(op.name, i, k - 1, grads[k],
        difference), 0)
    end
  end
end

--- Calls an elementwise row with empty, 0-d, one-element and broadcast operands.
function examples.check_shapes(op)
  local low, high = op.domain:match "(%S+)%s+(%S+)"
  local dtype
  local function operand(shape)
    local n = 1
    for _, d in ipairs(shape) do n = n * d end
    local values = {}
    for k = 1, n do values[k] = tonumber(low) + (tonumber(high) - tonumber(low)) * ((k * 0.37) % 1) end
    if n == 0 then return nd.zeros(shape, { dtype = dtype }) end
    return nd.array(values):reshape(shape):astype(dtype)
  end
  local options = {}
  for i, p in ipairs(op.params) do if p.required then options[p.name] = i == 1 and -0.5 or 0.75 end end
  local function call(shapes)
    local inputs = {}
    for k = 1, #op.inputs do inputs[k] = operand(shapes[(k - 1) % #shapes + 1]) end
    inputs[#inputs + 1] = next(options) and options or nil
    return nd[op.name](table.unpack(inputs))
  end
  dtype = "float32"
  local floats, message = pcall(call, { { 1 } })
  if not floats and message:find "expected dtype int8, uint8, int32 or int64" then dtype = "int32" end
  for _, shape in ipairs { {}, { 0 }, { 2, 0, 3 }, { 1 }, { 3, 5 } } do
    assert.same(shape, call { shape }.shape)
  end
  if #op.inputs > 1 and pcall(call, { { 3, 1 }, { 1, 4 } }) then
    assert.same({ 3, 4 }, call { { 3, 1 }, { 1, 4 } }.shape)
    local wide, narrow = operand { 600, 3 }, operand { 3 }
    local function with_narrow(first)
      local inputs = { first }
      for k = 2, #op.inputs do inputs[k] = narrow end
      return nd[op.name](table.unpack(inputs))
    end
    local rows = with_narrow(wide)
    for _, i in ipairs { 0, 1, 299, 599 } do assert.bits(with_narrow(wide[i]), rows[i]) end
    local few, many = nd.array({ true, false }, { dtype = "bool" }),
      nd.array({ { true, true }, { false, false } }, { dtype = "bool" })
    if #op.inputs == 2 and pcall(nd[op.name], many, many) then
      local spread = nd.array { { 1, 0 }, { 1, 0 } }
      assert.bits(nd[op.name](few, many), nd[op.name](spread, many:astype "float32"):astype "bool")
    end
  end
end

--- Asserts that rows with a variable number of inputs reject invalid numbers equally in nd, in sym and in files.
-- (num_args is always the actual number of inputs in calls.)
function examples.check_counts(op)
  local count, options, attributes = nil, {}, {}
  for _, p in ipairs(op.params) do
    if p.name:find "^num_" then count = p.name
    elseif p.required then
      local value = p.choices and p.choices[1] or p.type == "int" and 2 or p.type == "float" and 0.5
        or p.type == "string" and "text" or { 0.5 }
      options[p.name] = value
      attributes[#attributes + 1] = ('"%s": "%s"'):format(p.name, type(value) == "table" and "(0.5,)" or value)
    end
  end
  local function refused(number, fn, name)
    local ok, message = pcall(fn)
    assert.falsy(ok, ("%s = %s"):format(count, number))
    local wanted = ("%s: %s: expected %s, got %s"):format(name or op.title, count,
      number < 1 and "1 or more" or "at most 65535", number)
    assert.truthy(message:find(wanted, 1, true), message)
  end
  for _, number in ipairs { 0, -1, -2, -1000, -2 ^ 30 | 0, math.mininteger // (1 << 32), math.mininteger, 65536,
      1 << 31, 1 << 40 } do
    options[count] = number
    if count ~= "num_args" then
      refused(number, function() return nd[op.name](nd.ones { 2 }, options) end)
      refused(number, function() return sym[op.name](sym.var "x", options) end)
    end
    local fields = table.concat({ ('"%s": "%d"'):format(count, number), table.unpack(attributes) }, ", ")
    refused(number, function()
      return sym.load_json(('{"nodes": [{"op": "%s", "name": "n", "attrs": {%s}, "inputs": []}], "arg_nodes": [], ' ..
        '"heads": [[0, 0, 0]]}')
        :format(op.name, fields))
    end)
  end
  options[count] = nil
  local rest = { next(options) and options or nil }
  if count == "num_args" then refused(0, function() return nd[op.name](table.unpack(rest)) end, op.title) end
end

--- Asserts that an unknown option and a wrong input raise errors with the operator's name and this file's line.
function examples.check_errors(op)
  local text = examples.of(op)[1]
  local function message_of(fn)
    local ok, message = pcall(fn)
    assert.falsy(ok)
    return message
  end
  local message = message_of(function()
    -- An array would choose the row's array_form.
    if #op.inputs == 0 then return nd[op.name] { no_such_option = 1 } end
    return nd[op.name](nd.ones { 2 }, { no_such_option = 1 })
  end)
  assert.truthy(message:find("examples.lua:%d+: "), message)
  assert.truthy(message:find(": " .. op.title .. ": ", 1, true), message)
  if #op.inputs > 0 then
    message = message_of(function() return nd[op.name]("text") end)
    assert.truthy(message:find(": " .. op.title .. ": ", 1, true), message)
    local first = op.variadic and #op.inputs == 1 and "arg0" or op.inputs[1]
    assert.truthy(message:find(first, 1, true), message)
  end
  return text
end

return examples
