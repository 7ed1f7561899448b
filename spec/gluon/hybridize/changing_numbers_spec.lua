-- changing_numbers_spec.lua - numbers that differ in each call: each value costs a trace. After four
-- traces that differ in one number only, one warning names it and says what to write.
-- luacheck: ignore 111 112 113
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

local x = nd.array { 1, 2 }

-- The warnings that fn writes to standard error.
local function warnings(fn)
  local stderr, said = io.stderr, {}
  io.stderr = { write = function(_, text) said[#said + 1] = text end }                    -- luacheck: ignore 122
  local ok, problem = pcall(fn)
  io.stderr = stderr                                                                      -- luacheck: ignore 122
  assert(ok, problem)
  local found = {}
  for _, text in ipairs(said) do if text:find "UserWarning" then found[#found + 1] = text end end
  return found
end

-- The warning of run(1) to run(n), or nil. More than one is an error.
local function warning_of(run, n)
  local found = warnings(function() for i = 1, n or 8 do run(i) end end)
  assert.truthy(#found <= 1, table.concat(found))
  return found[1]
end

-- Each function returns run(i), whose number depends on i, the number's description, and the advice in the warning.
local places = {
  ["an argument"] = function(compile)
    local f = compile(function(_, a, s) return a * s end)
    return function(i) f(x, i) end, "argument s is",
      'name it, scalars = {"s"}, to bind it at run time; or pass it as an array, nd%.array{s}'
  end,
  ["an argument that is a float"] = function(compile)
    local f = compile(function(_, a, step) return a * step end)
    return function(i) f(x, i * 0.1) end, "argument step is"
  end,
  ["a number in a table that is an argument"] = function(compile)
    local f = compile(function(_, a, o) return a * o.by[1] end)
    return function(i) f(x, { by = { i }, name = "same", n = 3 }) end, "argument o%.by%[1%] is"
  end,
  ["one of several arguments"] = function(compile)
    local f = compile(function(_, a, ...) return a * ... end)
    return function(i) f(x, 3, i) end, "argument 3 is"
  end,
  ["an upvalue"] = function(compile)
    local lr = 0
    local f = compile(function(_, a) return a * lr end)
    return function(i) lr = i f(x) end, "upvalue lr of the function at [^\n]*changing_numbers_spec.lua:%d+ is",
      "write into that"
  end,
  ["an upvalue of a helper"] = function(compile)
    local rate = 0
    local function helper(a) return a * rate end
    local f = compile(function(_, a) return helper(a) end)
    return function(i) rate = i / 4 f(x) end, "upvalue rate of the function at [^\n]*changing_numbers_spec.lua:%d+ is"
  end,
  ["an entry of a table"] = function(compile)
    local config = { optimizer = { lr = 0, momentum = 0.9 } }
    local f = compile(function(_, a) return a * config.optimizer.lr + config.optimizer.momentum end)
    return function(i) config.optimizer.lr = i f(x) end, "upvalue config%.optimizer%.lr is"
  end,
  ["a global"] = function(compile)
    ChangingGlobal = 0
    local f = compile(function(_, a) return a * ChangingGlobal end)
    return function(i) ChangingGlobal = i f(x) end, "ChangingGlobal is"
  end,
}

local compilers = {
  ["hl.compile"] = hl.compile,
  hybridize = function(fn)
    local Net = gluon.HybridBlock:subclass "Changing"
    if debug.getinfo(fn, "u").isvararg then
      function Net.hybrid_forward(_, F, ...) return fn(F, ...) end
    elseif debug.getinfo(fn, "u").nparams == 3 then
      local name = debug.getlocal(fn, 3)
      Net.hybrid_forward = load(("local fn = ... return function(self, F, a, %s) return fn(F, a, %s) end"):format(name,
        name))(fn)
    else
      function Net.hybrid_forward(_, F, a) return fn(F, a) end
    end
    local net = Net()
    net:hybridize()
    return net
  end,
}

describe("the warning about a changing number", function()
  for how, compile in pairs(compilers) do
    for name, make in pairs(places) do
      it(("names %s in %s"):format(name, how), function()
        local run, place, advice = make(compile)
        assert.is_nil(warning_of(run, 3))
        local text = warning_of(run)
        assert.truthy(text, "no warning")
        assert.matches("^[^\n]*changing_numbers_spec.lua:%d+: UserWarning: ", text)
        assert.matches(place .. " another number each time", text)
        if advice then assert.matches(advice, text) end
        assert.is_nil(warning_of(run, 20))
      end)
    end
  end
  it("names a field of a block", function()
    local Net = gluon.HybridBlock:subclass "FieldOfNumber"
    function Net:hybrid_forward(_, a) return a * self.k end
    local net = Net()
    net.k = 0
    net:hybridize()
    local text = warning_of(function(i) net.k = i net(x) end)
    assert.matches("self%.k of fieldofnumber%d+ is another number each time %(3, now 4%)", text)
  end)
end)

describe("no warning", function()
  it("is given if two numbers change together", function()
    local f = hl.compile(function(_, a, s, t) return a * s * t end)
    assert.is_nil(warning_of(function(i) f(x, i, i + 1) end))
    local k = 0
    local g = hl.compile(function(_, a, s) return a * s * k end)
    assert.is_nil(warning_of(function(i) k = i g(x, i) end))
    local one, two = 0, 0
    local h = hl.compile(function(_, a) return a * one * two end)
    assert.is_nil(warning_of(function(i) one, two = i, i h(x) end))
  end)
  it("is given for values that are not numbers", function()
    local f = hl.compile(function(_, a, name) return a * #name end)
    assert.is_nil(warning_of(function(i) f(x, ("x"):rep(i)) end))
    local on, by = true, {}
    local g = hl.compile(function(_, a) return on and a or a * #by end)
    assert.is_nil(warning_of(function(i) on, by = i % 2 == 0, { i } g(x) end))
  end)
  it("is given for numbers that repeat", function()
    local f = hl.compile(function(_, a, s) return a * s end)
    assert.is_nil(warning_of(function(i) f(x, i % 3) end, 30))
  end)
  it("is given for arrays, shapes and dtypes", function()
    local f = hl.compile(function(_, a, s) return a * s * a.shape[1] end)
    assert.is_nil(warning_of(function(i) f(nd.ones { i }, nd.array { i }) end))
  end)
end)
