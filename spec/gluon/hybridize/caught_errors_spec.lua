-- caught_errors_spec.lua - traced functions that catch errors: whether an operation fails may depend on the shape, so
-- each trace is valid for its shapes only, even if nothing failed.
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

-- Compares eager and compiled calls for each argument.
local function check(fn, ...)
  local compiled = hl.compile(fn)
  for _ = 1, 2 do
    for _, x in ipairs { ... } do assert.bits(fn(nd, x), compiled(x)) end
  end
end

local three, four = nd.array { 1, 2, 3 }, nd.array { 1, 2, 3, 4 }

-- Operations that fail for some shapes, dtypes, numbers of axes or options.
local attempts = {
  dot = function(F, x) return F.dot(x, F.ones { 4 }) end,
  ["a broadcast"] = function(F, x) return x + F.ones { 4 } end,
  reshape = function(_, x) return x:reshape { 2, 2 } end,
  concat = function(F, x) return F.concat(F.reshape(x, { 1, -1 }), F.ones { 1, 4 }, { dim = 0 }) end,
  slice_axis = function(F, x) return F.slice_axis(x, { axis = 0, begin = 3, stop = 4 }) end,
  split = function(F, x) return (F.split(x, { num_outputs = 2, axis = 0 })) end,
  FullyConnected = function(F, x)
    return F.FullyConnected(F.reshape(x, { 1, -1 }), F.ones { 2, 4 }, { num_hidden = 2, no_bias = true })
  end,
  ["an index"] = function(_, x) return x[3] end,
}

local catches = {
  pcall = function(attempt) return (pcall(attempt)) end,
  xpcall = function(attempt) return (xpcall(attempt, function() return "handled" end)) end,
  ["pcall in an upvalue"] = (function() local try = pcall return function(attempt) return (try(attempt)) end end)(),
  ["a pcall in a pcall"] = function(attempt) return select(2, pcall(function() return (pcall(attempt)) end)) end,
  ["coroutine.resume"] = function(attempt) return (coroutine.resume(coroutine.create(attempt))) end,
}

describe("a traced function matches eager code if it catches an error of", function()
  for name, attempt in pairs(attempts) do
    for how, catch in pairs(catches) do
      local function fn(F, x) return catch(function() return attempt(F, x) end) and x or x * 2 end
      it(("%s by %s"):format(name, how), function()
        check(fn, three, four)
        check(fn, four, three)
        check(fn, four, four:astype "float64", three)
      end)
    end
  end
  it("a wrong dtype", function()
    local function fn(F, x)
      return pcall(function() return F.concat(x, F.ones { 3 }, { dim = 0 }) end) and x or x * 2
    end
    check(fn, three, three:astype "int32", three:astype "float64")
  end)
  it("an operator in a block", function()
    local Net = gluon.HybridBlock:subclass "Catching"
    function Net:hybrid_forward(F, x)
      return pcall(function() return F.dot(x, F.ones { 4 }) end) and x or x * 2
    end
    local eager, hybrid = Net(), Net()
    hybrid:hybridize()
    for _, x in ipairs { three, four, three } do assert.bits(eager(x), hybrid(x)) end
  end)
end)

it("a traced function that catches nothing has one trace for all shapes", function()
  local f = hl.compile(function(_, x) return x * 2 end)
  for _, x in ipairs { three, four, nd.ones { 9 } } do f(x) end
  assert.equal(1, #f:explain { format = "table" }.traces)
end)
