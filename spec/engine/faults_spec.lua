-- faults_spec.lua - what the random programs are worth: in builds that have a mistake put back
-- (src/base/fault.h) they find it, and in the program as it is the same programs find nothing.
local command = require "support.command"
local programs_run = require "support.programs_run"

-- Needs the programs that `make faults` builds, and time: once, with the program as it is.
if command.program ~= "./hybridlua" or os.getenv "HYBRIDLUA_GC" == "aggressive" then
  describe("a mistake put into the engine", function()
    it("is looked for in the first run of the specs", function() pending "it takes long" end)
  end)
  return
end

local MOST = 2000
local sound_up_to = 0           -- so many programs have been tried here

-- The first program that differs in the build with a mistake: its number and text.
local function first_find(name)
  local program = ("build/fault-%s/hybridlua"):format(name)
  local file = assert(io.open(program, "rb"), program .. " is missing: make faults")
  file:close()
  local output, code = command.run(("%s spec/support/fuzz_main.lua programs %d 1 first"):format(program, MOST))
  return tonumber(output:match "program (%d+): "), output, code
end

local function check_sound(last)
  for seed = sound_up_to + 1, last do
    local text = programs_run.one(seed)
    if text then error(text, 0) end
    sound_up_to = seed
  end
end

describe("a mistake put into the engine is found by random programs:", function()
  for _, fault in ipairs {
    { "twice", "an array given twice counts its gradient twice" },
    { "heads", "with some of several heads, sums come in another order" },
    { "deferred", "a parameter that gets its shape in a call is summed as that call's" },
    { "scope", "so is every parameter of a compiled graph" },
  } do
    it(fault[2], function()
      local seed, output, code = first_find(fault[1])
      assert.truthy(seed, output)
      assert.equal(1, code, output)
      assert.truthy(output:find("bits: ", 1, true), output)       -- a number, not a crash
      check_sound(seed)
    end)
  end
end)
