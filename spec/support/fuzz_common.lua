-- fuzz_common.lua - shared by graph and program fuzzing: the modes of compiled code, and the reduction of failures.
local core = require "hybridlua.core"

local common = {}

--- The modes compared with eager execution; `debug` holds switches of the engine. `slow` ones need the compiler.
common.modes = {
  { name = "hybridized", debug = { jit = "off" } },
  { name = "hybridized without plan", debug = { jit = "off", no_plan = true } },
  { name = "hybridized, recomputed in backward", debug = { jit = "off", remat = true } },
  { name = "fused", debug = { jit = "sync", report_tiles = true, share = true }, slow = true },
  { name = "fused, recomputed in backward", debug = { jit = "sync", remat = true }, slow = true },
  { name = "decomposed and fused, with poison",
    debug = { jit = "sync", poison = true, report_tiles = true, share = true, decompose = "lowered" }, slow = true },
}

--- The reference for all modes: eager, without packed weights.
common.eager = { name = "eager", debug = { no_packed_weights = true } }
common.eager_again = { name = "eagerly again", debug = {} }

function common.is_compiled(mode) return mode ~= common.eager and mode ~= common.eager_again end

--- Calls fn(...) with the engine's switches of a mode; returns the results of pcall.
function common.run_in(mode, fn, ...)
  local before = core.host.debug(mode.debug or {})
  local results = table.pack(pcall(fn, ...))
  core.host.debug(before)
  return table.unpack(results, 1, results.n)
end

-- ---- Reduction ---------------------------------------------------------------------------------------

--- Reduces a failure. each_reduction(try) calls try() after each reduction, which it reverts unless try returns true;
-- it returns true if another round may help. check() returns the difference, or nil.
function common.reduce(check, each_reduction, most_tries)
  local tries, difference = most_tries, nil
  local function try()
    tries = tries - 1
    local found = tries > 0 and check()
    difference = found or difference
    return found and true or false
  end
  while tries > 0 and each_reduction(try) do end      -- luacheck: ignore 542
  return difference
end

return common
