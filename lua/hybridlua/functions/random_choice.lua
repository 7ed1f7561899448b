-- random_choice.lua - NumPy's random choice and permutation, in nd.random and sym.random. They consist of random
-- operators, so a compiled block draws the same numbers as eager code.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active
local nd = core.op.nd

local read_choice = arguments.new("random.choice", { "a", "size", "replace", "p" }, { replace = true })
local read_permutation = arguments.new("random.permutation", { "x" })

local function how_many(size)
  local n = 1
  for _, dim in ipairs(size) do n = n * dim end
  return n
end

-- Checks the probabilities if their values are known: in a table or an array, not in a graph.
local function check_probabilities(p, n, drawn)
  if is_symbol(p) then return end
  local list, sum, some = type(p) == "table" and p or p:reshape { -1 }:totable(), 0, 0
  if #list ~= n then
    fail("random.choice: p: expected %d probabilities, one for each to choose from, got %d", n, #list)
  end
  for i, x in ipairs(list) do
    if x < 0 or x ~= x then fail("random.choice: p: expected probabilities of 0 or more, got %g at %d", x, i - 1) end
    sum, some = sum + x, some + (x > 0 and 1 or 0)
  end
  if math.abs(sum - 1) > 1e-4 then
    fail("random.choice: p: expected probabilities that sum to 1, got a sum of %g", sum)
  end
  if drawn and some < drawn then
    fail("random.choice: size: expected at most %d, as many as have a probability above 0, got %d", some, drawn)
  end
end

-- Draws indices below n. Without replacement, it takes the least of exponential random numbers, each divided by its
-- probability (P. Efraimidis, P. Spirakis, "Weighted random sampling with a reservoir", 2006).
local function draw(F, n, size, replace, p)
  local count = how_many(size)
  if replace then
    if p then return nd.sample_multinomial(p, { shape = size, dtype = "int64" }) end
    return F.random_randint { low = 0, high = n, shape = size, dtype = "int64" }
  end
  if count > n then fail("random.choice: size: expected at most %d without replacement, got %d", n, count) end
  local places
  if p then
    local waits = nd.random_exponential_like(p, { lam = 1 }) / p
    places = nd.topk(waits, { k = count, is_ascend = true, dtype = "int64" })
  else
    places = nd.slice_axis(nd.shuffle(F.arange(0, n, { dtype = "int64" })), { axis = 0, begin = 0, ["end"] = count })
  end
  return nd.reshape(places, { shape = size })
end

-- A table of probabilities as an array, or as constants for a graph that is not a trace.
local function as_array(F, p)
  if F == nd or tracing() then return nd.array(p, { dtype = "float64" }) end
  local parts = {}
  for i, x in ipairs(p) do parts[i] = F.full { shape = { 1 }, value = x, dtype = "float64" } end
  return nd.concat(parts, { dim = 0 })
end

-- The number of elements to choose from; a table of values becomes an array.
local function choices_of(o)
  if type(o.a) == "table" then o.a = nd.array(o.a) end
  local n = o.a
  if type(n) ~= "number" then
    if not operand.is(n) or n.ndim ~= 1 then
      fail "random.choice: a: expected an integer or an array of one dimension"
    end
    n = n.shape[1]
  end
  if math.type(n) ~= "integer" or n < 1 then
    fail("random.choice: a: expected 1 or more to choose from, got %s", tostring(n))
  end
  return n
end

local made = {}

-- Where to draw: in the context of the arrays given; nil for the current context.
local function context_of(o)
  for _, x in ipairs { o.a or false, o.p or false } do
    if is_array(x) then return x.context end
  end
end

local function choose(F, o)
  local n, size, p = choices_of(o), type(o.size) == "number" and { o.size } or o.size or { 1 }, o.p
  for _, dim in ipairs(size) do operand.integer("random.choice", "size", dim, 0) end
  if p and type(p) ~= "table" then operand.check("random.choice", "p", p) end
  if p then check_probabilities(p, n, not o.replace and how_many(size)) end
  if type(p) == "table" then p = as_array(F, p) end
  local places = draw(F, n, size, o.replace, p)
  return type(o.a) == "number" and places or nd.take(o.a, places)
end

--- Elements chosen at random from a, an array of one dimension, or from 0 .. a - 1 (int64). Options, or positional
-- arguments: size (a number or a table; (1,)), replace (true: an element may be chosen again), p (probabilities, an
-- array or a table with sum 1; default: uniform). The result is in the context of a or p.
function made.choice(F, ...)
  local o = read_choice(...)
  local ctx = context_of(o)
  if ctx then return ctx:with(function() return choose(F, o) end) end
  return choose(F, o)
end

--- The rows of x in random order, or the numbers 0 .. x - 1 (int64) for an integer x.
function made.permutation(F, ...)
  local x = read_permutation(...).x
  if type(x) ~= "number" then return nd.shuffle(x) end
  if math.type(x) ~= "integer" or x < 0 then
    fail("random.permutation: x: expected an integer of 0 or more, or an array, got %s", tostring(x))
  end
  return nd.shuffle(F.arange(0, x, { dtype = "int64" }))
end

return { made = made, namespace = "random" }
