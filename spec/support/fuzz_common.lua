-- fuzz_common.lua - what the fuzz of graphs and the fuzz of programs share: the modes in which
-- compiled code runs, and the loop that makes a failure small.
local core = require "hybridlua.core"

local common = {}

--- The ways to run besides eagerly; `debug` are switches of the engine. Modes that need a
-- compiler take as long as it does: they are `slow`.
common.modes = {
  { name = "hybridized", debug = { jit = "off" } },
  { name = "hybridized without plan", debug = { jit = "off", no_plan = true } },
  { name = "hybridized, computed anew in backward", debug = { jit = "off", remat = true } },
  { name = "fused", debug = { jit = "sync", report_tiles = true, share = true }, slow = true },
  { name = "fused, computed anew in backward", debug = { jit = "sync", remat = true }, slow = true },
  { name = "taken apart and fused, with poison",
    debug = { jit = "sync", poison = true, report_tiles = true, share = true, decompose = "lowered" }, slow = true },
}

--- What all modes are compared with: eagerly, without what kernels keep with arrays for later calls.
common.eager = { name = "eager", debug = { no_packed_weights = true } }
common.eager_again = { name = "eagerly again", debug = {} }

function common.is_compiled(mode) return mode ~= common.eager and mode ~= common.eager_again end

--- Calls fn(...) with the engine's switches of a mode; what pcall gives.
function common.run_in(mode, fn, ...)
  local before = core.host.debug(mode.debug or {})
  local results = table.pack(pcall(fn, ...))
  core.host.debug(before)
  return table.unpack(results, 1, results.n)
end

-- ---- Making it small ---------------------------------------------------------------------------------

--- Takes things away from what fails as long as it fails. each_reduction(try) calls try() after
-- each change that it makes to what is checked, and undoes the change unless that gives true; it
-- returns true if it is worth starting again. check() gives what differs, or nil.
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
