-- cannot_hybridize.lua - code that cannot be traced, the errors it raises, and what to write instead.
--
-- A trace runs hybrid_forward once with Symbols, which have no values. Code that needs values, or that would run once
-- instead of at every call, is an error; nothing is dropped or frozen silently. The first function of each pair below
-- runs imperatively and fails when hybridized. The second runs hybridized, with the same bits as the first.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local x = nd.array { { 1, -2 }, { 3, 4 } }

-- A block whose hybrid_forward is fn(F, x, self).
local function block(fn)
  local Example = gluon.HybridBlock:subclass "Example"
  function Example:init() self.calls = 0 end
  function Example:hybrid_forward(F, v) return fn(F, v, self) end
  return Example()
end

-- `advice` explains how `instead` differs.
local function show(title, fn, advice, instead)
  print("\n-- " .. title)
  local wanted, traced, other = block(fn)(x), block(fn), block(instead)
  traced:hybridize()
  local ok, message = pcall(traced, x)
  assert(not ok, "this can be traced")
  print("  error:   " .. message:gsub("^.-([^/]+%.lua:%d+:)", "%1"))
  print("  instead: " .. advice)
  other:hybridize()
  assert(other(x):tobytes() == wanted:tobytes(), "the replacement computes something else")
end

-- ---- Code that needs values -----------------------------------------------------------------------------

show("a branch on a value",
  function(_, v) return v:sum():asscalar() > 0 and v * 2 or v end,
  "F.where computes both and chooses by the condition",
  function(F, v) return F.where(v:sum():greater(0), v * 2, v) end)

show("elements as numbers",
  function(_, v) return v / v:totable()[2][2] end,
  "index the array: a number is an array of one element",
  function(_, v) return v / v[{ 1, 1 }] end)

show("a loop over rows",
  function(F, v)
    local sum = F.zeros { 2 }
    for _, row in pairs(v) do sum = sum + row end
    return sum
  end,
  "an operator over the axis (or F.split for as many parts as you say)",
  function(F, v) return F.sum(v, { axis = 0 }) end)

show("a shape that depends on values",
  function(F, v) return F.boolean_mask(v, v[":, 1"]:greater(0)):sum() end,
  "keep the shape and put zeros for what does not count",
  function(F, v) return F.sum(F.where(v[":, 1"]:greater(0), v, v:zeros_like())) end)

-- ---- Code that writes to arrays ------------------------------------------------------------------------

show("writing elements",
  function(_, v)
    local y = v:copy()
    y[0] = 5
    return y
  end,
  "F.where with a mask, or F.concat of the parts",
  function(F, v) return F.concat(v[{ { 0, 1 } }]:zeros_like() + 5, v[{ { 1, 2 } }], { dim = 0 }) end)

show("computing in place",
  function(_, v) return v:copy():add_(1) end,
  "without the underscore; the memory plan of a compiled function reuses memory by itself",
  function(_, v) return v + 1 end)

-- ---- Code that would run once -----------------------------------------------------------------------

show("a block that counts its calls",
  function(_, v, self)
    self.calls = self.calls + 1
    return v * self.calls
  end,
  "let the caller count, and pass the number (here 1) as an array",
  function(F, v) return v * F.ones { 1 } end)

local log = {}
show("a list that collects what passed",
  function(_, v)
    log[#log + 1] = v
    return v + 1
  end,
  "return it beside the result, or register_forward_hook on the block",
  function(_, v) return v + 1, v end)

-- ---- Not a graph ---------------------------------------------------------------------------------

local Double = autograd.Function:subclass "Double"
function Double:forward(v) return v * 2 end
function Double:backward(dy) return dy * 2 end

show("an autograd.Function",
  function(_, v)
    local y = Double()(v)
    return y
  end,
  "operators; or leave this block unhybridized and hybridize its children",
  function(_, v) return v * 2 end)

-- A result that is not an array would never change.
print "\n-- a number as the result"
local frozen = block(function() return 42 end)
frozen:hybridize()
print("  error:   " .. select(2, pcall(frozen, x)))
print "  instead: return an array, or compute the number where the block is called"
