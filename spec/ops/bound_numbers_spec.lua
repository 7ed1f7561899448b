-- bound_numbers_spec.lua - every row with numbers as parameters, bound at run time (hybridize{scalars = ...}): for any
-- number a compiled call has eager code's bits or error, forward and backward, alone and fused, without a new trace.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

local VALUES = { 0.1, 1 / 3, 1e30, -1e-30, -0.0, 0.0, math.huge, -math.huge, 0 / 0, 9007199254740993, 9007199254740992,
                 16777217, 1, 2, -3, 7, 0, 255, 1.5, -2.0 }
local DTYPES = { "float32", "float64", "int32", "int64", "int8", "uint8", "bool" }
local DATA = { { -1.5, 0.25, 0.7, 2 }, { 3, -0.0, 1e-3, 0.9 } }
local NAMES = { "s", "t", "u" }

-- Shifts accept only integers.
local function takes_floats(op)
  return (pcall(core.op.row_function(op.name), nd.ones { 1 }, table.unpack({ 2, 2, 2 }, 1, #op.params)))
end

local function rows()
  local list = {}
  for _, op in ipairs(core.op.rows()) do
    if op.bound and not op.internal then
      op.floats = takes_floats(op)
      list[#list + 1] = op
    end
  end
  return list
end

-- Numbers for the parameters of a row: the i-th value and others.
local function numbers_of(op, i)
  local numbers = {}
  for k = 1, #op.params do numbers[k] = VALUES[(i + 6 * (k - 1) - 1) % #VALUES + 1] end
  return numbers
end

-- A function of an array and the numbers of a row, eager and compiled.
local function both(op, fn)
  local names = table.move(NAMES, 1, #op.params, 1, {})
  local row = core.op.row_function(op.name)
  local function plain(F, x, s, t, u) return fn(F, row, x, table.unpack({ s, t, u }, 1, #names)) end
  return function(...) return plain(nd, ...) end, hl.compile(plain, { scalars = names })
end

-- The results of fn, or the text of its error without the line.
local function outcome(fn, ...)
  local results = table.pack(pcall(fn, ...))
  if results[1] then return table.move(results, 2, results.n, 1, {}) end
  return (tostring(results[2]):gsub("^.-%.lua:%d+: ", ""):gsub("%s+%(.-%)$", ""))
end

local function assert_same(expected, actual, what)
  assert.equal(type(expected), type(actual), what .. ": " .. tostring(expected) .. " / " .. tostring(actual))
  if type(expected) ~= "table" then return end
  for i, x in ipairs(expected) do assert.bits(x, actual[i], what) end
end

local function traces(f) return #f:explain("table").traces end

local function call(op, eager, compiled, dtype, run)
  local x = nd.array(DATA):astype(dtype)
  for i = 1, #VALUES do
    local numbers = numbers_of(op, i)
    local what = ("%s of %s with %s"):format(op.name, dtype, table.concat(numbers, ", "))
    local expected = outcome(run, eager, x, numbers)
    if dtype:find "^float" and op.floats then assert.equal("table", type(expected), expected) end
    assert_same(expected, outcome(run, compiled, x, numbers), what)
  end
end

local function plain_run(f, x, numbers) return f(x, table.unpack(numbers)) end

-- The result, and the gradient, with a different factor per element.
local function gradient_run(f, x, numbers)
  x = x:copy()
  x:attach_grad()
  local y = autograd.record(function() return f(x, table.unpack(numbers)) end)
  if not core.autograd.on_tape(y) then return y end
  y:backward(nd.array { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }:astype(y.dtype))
  return y, x.grad
end

-- The gradient of the gradient.
local function second_run(f, x, numbers)
  x = x:copy()
  x:attach_grad()
  local g = autograd.record(function()
    local y = f(x, table.unpack(numbers))
    return autograd.grad(y * y, x, { create_graph = true })
  end)
  g = type(g) == "table" and g[1] or g
  if not core.autograd.on_tape(g) then return g end
  g:backward()
  return g, x.grad
end

describe("numbers bound at run time", function()
  it("work in every row whose parameters are the numbers of its expression", function()
    local n, by_name = 0, {}
    for _, op in ipairs(rows()) do n, by_name[op.name] = n + 1, op end
    assert.truthy(n >= 30, n)
    for _, op in ipairs(core.op.rows()) do
      local scalar = op.elementwise and not op.internal and #op.inputs == 1 and #op.params == 1 and
        op.params[1].name == "scalar"
      if scalar then assert.truthy(by_name[op.name], op.name) end
    end
  end)

  for _, op in ipairs(rows()) do
    it("have the bits of eager code in " .. op.name, function()
      local eager, compiled = both(op, function(_, row, x, ...) return row(x, ...) end)
      for k, dtype in ipairs(DTYPES) do
        call(op, eager, compiled, dtype, plain_run)
        assert.truthy(traces(compiled) <= k, op.name)
      end
    end)

    if op.floats then it("have eager bits in a fused kernel with " .. op.name, function()
      for _, jit in ipairs { "off", "sync" } do
        local before = core.host.debug { jit = jit }
        local eager, compiled = both(op, function(F, row, x, ...) return F.tanh(row(x * 2, ...) + x) end)
        for _, dtype in ipairs { "float32", "float64" } do call(op, eager, compiled, dtype, plain_run) end
        core.host.debug(before)
        assert.equal(2, traces(compiled))
        local plan = compiled:explain("table").traces[1].compiled.plans[1]
        if jit == "sync" and plan.tier == 1 then assert.equal(4, #plan.groups[1].members) end
      end
    end) end

    if op.differentiable[1] then
      it("have the gradients of eager code in " .. op.name, function()
        local eager, compiled = both(op, function(_, row, x, ...) return row(x, ...) end)
        for _, dtype in ipairs { "float32", "float64" } do call(op, eager, compiled, dtype, gradient_run) end
        assert.equal(2, traces(compiled))
        for _, dtype in ipairs { "float32", "float64" } do call(op, eager, compiled, dtype, second_run) end
        assert.equal(2, traces(compiled))
      end)
    end
  end
end)
