-- fuzz_main.lua - `make fuzz`: many random graphs. Arguments: how many, the first seed.
-- Prints each failing graph as a script, reduced, and fails if there was one.
package.path = "./spec/?.lua;" .. package.path
local hl = require "hybridlua"
local fuzz_run = require "support.fuzz_run"

local count, first = tonumber(arg[1]) or 20000, tonumber(arg[2]) or 1
local graphs, failures, start = 0, 0, hl.time()
for seed = first, first + count - 1 do
  local text, was_graph = fuzz_run.one(seed)
  if was_graph then graphs = graphs + 1 end
  if text then
    failures = failures + 1
    print(text)
  end
  if (seed - first + 1) % 1000 == 0 then
    io.stderr:write(("%d graphs, %d failed, %.0f s\n"):format(graphs, failures, hl.time() - start))
  end
end
print(("%d passed, %d failed"):format(graphs - failures, failures))
os.exit(failures == 0 and graphs > 0)
