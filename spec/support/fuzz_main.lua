-- fuzz_main.lua KIND COUNT SEED [first] - `make fuzz`: COUNT random graphs (KIND graphs) or programs, starting at SEED.
-- KIND programs; mixed: with first-order and second-order gradients mixed; breaks: with plain Blocks and values read
-- inside; steps: trainings compiled and eager, with a failure at each instruction. Prints each failing one as a reduced
-- script, and fails if there was one. With `first` it stops at the first failure, unreduced. WITHOUT="name name" in the
-- environment excludes features of programs.
package.path = "./spec/?.lua;" .. package.path
local hl = require "hybridlua"
require("hybridlua.core").host.debug { strict = true }

local kind, count, seed, first = arg[1] or "graphs", tonumber(arg[2]) or 20000, tonumber(arg[3]) or 1, arg[4] == "first"
local KINDS = {
  graphs = require("support.fuzz_run").one,
  programs = require("support.programs_run").one,
  mixed = require("support.programs_run").one,
  breaks = require("support.programs_run").one,
  steps = require("support.fuzz_steps").one,
}
local one = KINDS[kind] or error(("kind: expected graphs, programs, mixed, breaks or steps, got %s"):format(kind), 0)
local options = { mixed = kind == "mixed", breaks = kind == "breaks", whole = first, without = os.getenv "WITHOUT",
  count = { failures = 0 } }

local tried, failures, start = 0, 0, hl.time()
for number = seed, seed + count - 1 do
  local text, was_one = one(number, options)
  if was_one then tried = tried + 1 end
  if text then
    failures = failures + 1
    print(text)
    if first then break end
  end
  if (number - seed + 1) % 1000 == 0 then
    io.stderr:write(("%d %s, %d failed, %.0f s\n"):format(tried, kind, failures, hl.time() - start))
  end
end
if kind == "steps" then print(("%d injected failures"):format(options.count.failures)) end
print(("%d passed, %d failed"):format(tried - failures, failures))
os.exit(failures == 0 and tried > 0)
