-- peers.lua - hybridlua's side of peers.py: the protocol of benchmarks by lines, and batches of short calls.
local hl = require "hybridlua"

local peers = {}

--- Reads lines until the end; answer(line) returns numbers, or nothing for an unknown benchmark.
function peers.serve(answer)
  io.stdout:setvbuf "line"
  print("hybridlua " .. require("hybridlua.core").host.info().version)
  for line in io.lines() do
    local numbers = { answer(line) }
    print(#numbers > 0 and table.concat(numbers, " ") or "none")
  end
end

--- Seconds of n calls.
function peers.time_of(run, n)
  local start = hl.time()
  for _ = 1, n do run() end
  return hl.time() - start
end

--- Measures a short call in batches well above the clock's resolution: returns a function of the seconds to spend and
--- the minimum number of batches, which returns the seconds of a call in each batch, the shortest first.
function peers.repeated(run)
  local n = 1
  for _ = 1, 3 do run() end
  while peers.time_of(run, n) < 2e-3 do n = n * 2 end
  return function(seconds, least)
    local times, spent = {}, 0
    while spent < seconds or #times < (least or 1) do
      local t = peers.time_of(run, n)
      times[#times + 1], spent = t / n, spent + t
    end
    table.sort(times)
    return times
  end
end

return peers
