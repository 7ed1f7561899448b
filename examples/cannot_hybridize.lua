-- cannot_hybridize.lua - what cannot be traced, the error that says so, and what to write instead.
--
-- A trace runs hybrid_forward once with Symbols, which have no values. What needs values, or
-- would happen once instead of at every call, is an error and is never dropped or frozen
-- silently. Each pair below is shown to compute the same: the first way imperatively, the
-- second hybridized.
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

-- A block whose hybrid_forward is fn(F, x).
local function block(fn)
  local Example = gluon.HybridBlock:subclass "Example"
  function Example:hybrid_forward(F, x) return fn(F, x) end
  return Example()
end

local x = nd.array { { 1, -2 }, { 3, 4 } }

-- Shows one pair. `how`: the replacement in a line of text.
local function show(title, how, fn, instead)
  print("-- " .. title)
  local wanted = block(fn)(x)
  local traced = block(fn)
  traced:hybridize()
  local ok, message = pcall(traced, x)
  assert(not ok, "this one can be traced")
  print("  error:   " .. message:gsub("^.*/", ""):gsub("\n", "\n           "))
  print("  instead: " .. how)
  local other = block(instead)
  other:hybridize()
  assert(other(x):tobytes() == wanted:tobytes(), "the replacement computes something else")
  print()
end

-- ---- Values ------------------------------------------------------------------------------------

show("a branch on a value", "F.where(condition, a, b): both are computed, elements are chosen",
  function(_, v) return v:sum():asscalar() > 0 and v * 2 or v end,
  function(F, v) return F.where(F.broadcast_like(v:sum() > 0, v), v * 2, v) end)
