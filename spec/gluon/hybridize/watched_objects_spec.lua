-- watched_objects_spec.lua - functions and tables of the script that a trace reaches only through library objects:
-- derivatives, or fields and methods of instances of every class. Their reads are followed as in the script's own code.
-- luacheck: ignore 111 112 113
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local faces = require "spec.support.faces"
local nd, gluon = hl.nd, hl.gluon

-- Each function returns value(), which returns a number or an array, and a function that changes its result.
local reads = {
  ["an upvalue"] = function() local k = 2 return function() return k end, function() k = 5 end end,
  ["an entry of a table"] = function()
    local t = { k = 2 }
    return function() return t.k end, function() t.k = 5 end
  end,
  ["a table in a table"] = function()
    local t = { inner = { list = { 1, 2 } } }
    return function() return t.inner.list[2] end, function() t.inner = { list = { 1, 5 } } end
  end,
  ["an upvalue of a function that it calls"] = function()
    local k = 2
    local function inner() return k end
    return function() return inner() end, function() k = 5 end
  end,
  ["a function that is replaced"] = function()
    local function inner() return 2 end
    return function() return inner() end, function() inner = function() return 5 end end
  end,
  ["a global"] = function()
    HeldGlobal = 2
    return function() return HeldGlobal end, function() HeldGlobal = 5 end
  end,
  ["an array that is replaced"] = function()
    local w = nd.array { 2 }
    return function() return w end, function() w = nd.array { 5 } end
  end,
  ["an array that is written"] = function()
    local w = nd.array { 2 }
    return function() return w end, function() w[{}] = 5 end
  end,
  ["a metatable"] = function()
    local t = setmetatable({}, { __index = { k = 2 } })
    return function() return t.k end, function() getmetatable(t).__index = { k = 5 } end
  end,
  ["a method of the script's metric"] = function()
    local Mine, k = hl.metric.EvalMetric:subclass "Mine", 2
    function Mine.value() return k end
    local metric = Mine()
    return function() return metric.value() end, function() k = 5 end
  end,
}

-- Each function makes fn(F, x), which calls the script's function value() through a library object.
local square = function(a) return a * a end
local holders = {
  ["hl.grad"] = function(value)
    local g = hl.grad(function(a) return (square(a) * value()):sum() end)
    return function(_, x) return g(x) end
  end,
  ["hl.grad of a function without F"] = function(value)
    local g = hl.grad(function(a) return (square(a) * value()):sum() end, { train_mode = true })
    return function(_, x) return g(x) end
  end,
  ["hl.grad of a table that can be called"] = function(value)
    local callable = setmetatable({}, { __call = function(_, a) return (square(a) * value()):sum() end })
    local g = hl.grad(callable)
    return function(_, x) return g(x) end
  end,
  ["hl.value_and_grad"] = function(value)
    local g = hl.value_and_grad(function(a) return (square(a) * value()):sum() end)
    return function(_, x)
      local loss, gradient = g(x)
      return gradient + loss
    end
  end,
  ["hl.vjp"] = function(value)
    local function f(a) return square(a) * value() end
    local hold = { vjp = hl.vjp }
    return function(_, x) return select(2, hold.vjp(f, x))(x) end
  end,
  ["hl.jacobian"] = function(value)
    local g = hl.jacobian(function(a) return square(a) * value() end)
    return function(_, x) return g(x):sum() end
  end,
  ["hl.hessian"] = function(value)
    local g = hl.hessian(function(a) return (square(a) * a * value()):sum() end)
    return function(_, x) return g(x):sum() end
  end,
  ["hl.grad of hl.grad"] = function(value)
    local g = hl.grad(function(a) return (square(a) * a * value()):sum() end)
    local h = hl.grad(function(a) return g(a):sum() end)
    return function(_, x) return h(x) end
  end,
  ["hl.grad of hl.compile"] = function(value)
    local g = hl.grad(hl.compile(function(_, a) return (square(a) * value()):sum() end))
    return function(_, x) return g(x) end
  end,
  ["hl.compile of hl.grad, called"] = function(value)
    local g = hl.compile(hl.grad(function(a) return (square(a) * value()):sum() end))
    return function(_, x) return g(x) end
  end,
  ["hl.grad itself"] = function(value) return hl.grad(function(a) return (square(a) * value()):sum() end) end,
  ["HybridLambda"] = function(value)
    local block = gluon.nn.HybridLambda(function(_, a) return square(a) * value() end)
    return function(_, x) return block(x) end
  end,
  ["Lambda"] = function(value)
    local block = gluon.nn.Lambda(function(a) return square(a) * value() end)
    return function(_, x) return block(x) end
  end,
  ["Dataset:transform"] = function(value)
    local dataset = gluon.data.SimpleDataset { 1, 2 }:transform(function() return value() end)
    return function(_, x) return x * dataset[0] end
  end,
  ["an iterator's dataset"] = function(value)
    local dataset = gluon.data.SimpleDataset { 1, 2 }:transform(function() return value() end)
    return function(_, x)
      for i = 0, #dataset - 1 do x = x * dataset[i] end
      return x
    end
  end,
}

local x = nd.array { 1, 2, 3 }

local function bits(value) return value:reshape(-1):totable() end

-- Compares eager and compiled code before and after the change.
local function check(make, hold)
  local value, change = make()
  local fn = hold(value)
  local compiled = hl.compile(fn)
  local before = bits(fn(nd, x))
  assert.same(before, bits(compiled(x)))
  assert.same(before, bits(compiled(x)))
  change()
  local after = bits(fn(nd, x))
  assert.not_same(before, after)
  assert.same(after, bits(compiled(x)))
  assert.same(after, bits(compiled(x)))
end

describe("compiled code follows a function's reads through", function()
  for holder, hold in pairs(holders) do
    for read, make in pairs(reads) do
      it(("%s: %s"):format(holder, read), function() check(make, hold) end)
    end
  end
end)

-- ---- Instances of all classes --------------------------------------------------------------------------------------

local all = faces.list()

local function takes_fields(instance) return pcall(function() instance.mine = 1 end) and instance.mine == 1 end

describe("compiled code follows a script's field in", function()
  for name, instance in pairs(all.instances) do
    if takes_fields(instance) then
      it(name .. ", a function", function()
        check(reads["an upvalue"], function(value)
          instance.mine = function() return value() end
          return function(_, a) return a * instance.mine() end
        end)
      end)
      it(name .. ", a table", function()
        local t = { k = { 2 } }
        check(function() return t, function() t.k[1] = 5 end end, function()
          instance.mine = t
          return function(_, a) return a * instance.mine.k[1] end
        end)
      end)
      it(name .. ", a number added later", function()
        instance.mine = nil
        check(function() return nil, function() instance.mine = 5 end end, function()
          return function(_, a) return a * (instance.mine or 2) end
        end)
      end)
    end
  end
end)

describe("compiled code follows methods of a script's class derived from", function()
  for name, instance in pairs(all.instances) do
    local meta = debug.getmetatable(instance)
    it(name, function()
      local Mine = class.of(instance):subclass "Mine"
      local k = 2
      function Mine.mine() return k end
      Mine.number = 3
      local object = setmetatable({}, { __index = Mine, __class = Mine, __name = "Mine" })
      if rawget(meta, "store") then return end  -- blocks are created by their classes: see guarded_objects_spec.lua
      local function fn(_, a) return a * object:mine() * object.number end
      local compiled = hl.compile(fn)
      assert.same(bits(fn(nd, x)), bits(compiled(x)))
      k = 5
      assert.same(bits(fn(nd, x)), bits(compiled(x)))
      Mine.number = 7
      assert.same(bits(fn(nd, x)), bits(compiled(x)))
      function Mine.mine() return 11 end
      assert.same(bits(fn(nd, x)), bits(compiled(x)))
      function object.mine() return 13 end
      assert.same(bits(fn(nd, x)), bits(compiled(x)))
    end)
  end
end)

it("compiled code follows a method that a script adds to a library class", function()
  local Accuracy, k = hl.metric.Accuracy, 2
  local metric = Accuracy()
  finally(function() Accuracy.get_name_value = nil end)          -- the inherited method is visible again
  local function fn(_, a) return a * #metric:get_name_value() end
  local compiled = hl.compile(fn)
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
  function Accuracy.get_name_value() return ("x"):rep(k) end
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
  k = 5
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
end)

it("compiled code follows a trainer's optimizer if the script reads it", function()
  local p = gluon.Parameter("p", { shape = { 1 } })
  p:initialize()
  local trainer = gluon.Trainer({ p }, "sgd", { learning_rate = 1 })
  local function fn(_, a) return a * trainer.optimizer.lr * trainer.learning_rate end
  local compiled = hl.compile(fn)
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
  trainer:set_learning_rate(0.5)
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
  trainer.optimizer = hl.optimizer.SGD { learning_rate = 3 }
  assert.same(bits(fn(nd, x)), bits(compiled(x)))
end)

it("compiled code follows a list that was passed to a derivative", function()
  local places = { 0 }
  local g = hl.grad(function(a, b) return (a * a * b):sum() end, { argnums = places })
  local function fn(_, a, b) return g(a, b)[1] end
  local compiled = hl.compile(fn)
  local y = nd.array { 4, 5, 6 }
  assert.same(bits(fn(nd, x, y)), bits(compiled(x, y)))
  places[1] = 1
  assert.same(bits(fn(nd, x, y)), bits(compiled(x, y)))
end)
