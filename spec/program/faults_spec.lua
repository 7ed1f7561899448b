-- faults_spec.lua - what the random programs and graphs are worth: in builds that have a mistake put back
-- (src/base/settings/fault_injection.h) they find it, and in the program as it is the same programs find nothing.
local command = require "support.command"
local fuzz_run = require "support.fuzz_run"
local programs_run = require "support.programs_run"
local scratch = require "support.scratch"

-- Needs the programs that `make faults` builds, and time: once, with the program as it is.
if not scratch.is_first_pass then
  describe("a mistake put into the engine", function()
    it("is looked for in the first run of the specs", function() pending "it takes long" end)
  end)
  return
end

local MOST = 2000

-- The first program of a kind from `first` on that differs in the build with a mistake: its number and text.
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

-- One program in fifty or a hundred finds such a mistake, but of some one in some hundred: those searches begin near
-- their finds.
describe("a mistake put into the engine is found by random programs:", function()
  for _, fault in ipairs {
    { "twice", 1, "an array given twice counts its gradient twice" },
    { "heads", 301, "with some of several heads, sums come in another order" },
    { "deferred", 1, "a parameter that gets its shape in a call is summed as that call's" },
    { "scope", 1, "so is every parameter of a compiled graph" },
    { "written", 1, "what was put off sees later writes", kind = "breaks" },
    { "order", 481, "what was put off goes onto the tape late", kind = "breaks" },
    { "views", 1, "what was put off shares no memory", kind = "breaks" },
    { "reported", 1, "an epilogue leaves out elements", kind = "graphs" },
    { "stale", 1, "weights in panels are those of before a write" },
    { "stale", 481, "weights in panels are those of before a write, in graphs", kind = "graphs" },
    { "clusters", 1151, "kernels need each other's results", kind = "graphs", finds = "pass fuse: node" },
    { "untied", 151, "a loop that makes no step is a constant", finds = "got one that does not" },
  } do
    it(fault[3], function()
      local kind = fault.kind or "programs"
      local seed, output, code = first_find(fault[1], kind, fault[2])
      assert.truthy(seed, output)
      assert.equal(1, code, output)
      local differs = kind == "graphs" and ": result %d+ differs" or "bits: "
      assert.truthy(output:find(fault.finds or differs), output)       -- a number, not a crash
      check_sound(kind, fault[2], seed)
    end)
  end
end)
