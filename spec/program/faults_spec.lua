-- faults_spec.lua - the power of random programs and graphs: they find a mistake that a build has on purpose
-- (src/base/settings/fault_injection.h), while the same programs find nothing in the normal build.
local command = require "support.command"
local fuzz_run = require "support.fuzz_run"
local programs_run = require "support.programs_run"
local scratch = require "support.scratch"

-- Slow, and needs the programs of `make faults`: runs once, with the normal build.
if not scratch.is_first_pass then
  describe("a fault in the engine", function()
    it("is searched for in the first run of the specs", function() pending "it takes long" end)
  end)
  return
end

local MOST = 2000

-- Returns the number of the first program of a kind, from `first` on, that differs in the faulty build, and the output.
local function first_find(name, kind, first)
  local program = ("build/fault-%s/hybridlua"):format(name)
  local file = assert(io.open(program, "rb"), program .. " is missing: make faults")
  file:close()
  local output, code = command.run(("%s spec/support/fuzz_main.lua %s %d %d first"):format(program, kind, MOST, first))
  return tonumber(output:match "[mh] (%d+): "), output, code
end

local function check_sound(kind, first, last)
  for seed = first, last do
    local text = (kind == "graphs" and fuzz_run or programs_run).one(seed, { breaks = kind == "breaks" })
    if text then error(text, 0) end
  end
end

-- Most faults are found by one program in fifty to a hundred. For the others it is one in several hundred, so their
-- searches start near a find; a new operator changes what a seed draws.
describe("a fault in the engine is found by random programs:", function()
  for _, fault in ipairs {
    { "twice", 1, "an array passed twice counts its gradient twice" },
    { "heads", 301, "with a subset of heads, sums have another order" },
    { "deferred", 1, "a parameter of deferred shape is summed in the scope of that call" },
    { "scope", 1, "every parameter of a compiled graph is summed in the scope of the call" },
    { "written", 1, "a lazy value sees later writes", kind = "breaks" },
    { "order", 481, "a lazy value is recorded late", kind = "breaks" },
    { "views", 1, "a lazy view does not share memory", kind = "breaks" },
    { "reported", 1, "an epilogue skips elements", kind = "graphs" },
    { "stale", 1, "packed weights are outdated after a write" },
    { "stale", 481, "packed weights are outdated after a write, in graphs", kind = "graphs" },
    { "clusters", 41, "two kernels depend on each other", kind = "graphs", finds = "pass fuse: node" },
    { "untied", 151, "a loop of zero steps is a constant", finds = "got one that does not" },
  } do
    it(fault[3], function()
      local kind = fault.kind or "programs"
      local seed, output, code = first_find(fault[1], kind, fault[2])
      assert.truthy(seed, output)
      assert.equal(1, code, output)
      local differs = kind == "graphs" and ": [%a ]+ %d+ differs" or "bits: "
      assert.truthy(output:find(fault.finds or differs), output)       -- a number, not a crash
      check_sound(kind, fault[2], seed)
    end)
  end
end)
