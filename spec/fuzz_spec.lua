-- fuzz_spec.lua - random graphs give the same bits however they are run: eagerly, hybridized,
-- without a memory plan, with poisoned memory; results, gradients, gradients of gradients,
-- the random stream, and inputs that are written. `make fuzz` runs 20,000 of them.
local core = require "hybridlua.core"
local fuzz = require "support.fuzz"
local fuzz_run = require "support.fuzz_run"
local scratch = require "support.scratch"

local slow = os.getenv "HYBRIDLUA_GC" == "aggressive" or not scratch.is_own_program
local COUNT = tonumber(os.getenv "HYBRIDLUA_FUZZ") or (slow and 50 or 500)
local GROUP = 50

describe("random graphs", function()
  for first = 1, COUNT, GROUP do
    it(("%d to %d have the same bits in every mode"):format(first, first + GROUP - 1), function()
      local graphs = 0
      for seed = first, first + GROUP - 1 do
        local text, was_graph = fuzz_run.one(seed)
        if text then error(text, 0) end
        if was_graph then graphs = graphs + 1 end
      end
      assert.truthy(graphs > GROUP // 2)
    end)
  end

  it("are the same for the same seed", function()
    assert.equal(fuzz_run.script(fuzz.graph(17)), fuzz_run.script(fuzz.graph(17)))
    assert.not_equal(fuzz_run.script(fuzz.graph(17)), fuzz_run.script(fuzz.graph(18)))
  end)
end)

describe("the fuzzer", function()
  -- An operator that goes wrong in compiled programs only.
  local function with_wrong(op, fn)
    core.debug { wrong = op }
    local ok, message = pcall(fn)
    core.debug { wrong = "" }
    assert.truthy(ok, message)
  end

  it("sees one wrong bit, and shows a small script that runs", function()
    with_wrong("tanh", function()
      for seed = 1, 500 do
        if fuzz.text(fuzz.graph(seed)):find 'tanh"]' then
          local text = fuzz_run.one(seed)
          if text then
            local body = text:match "local graph = function.-\nend"
            local _, lines = body:gsub("\n", "")
            assert.truthy(body:find "tanh", text)
            assert.truthy(lines <= 4, text)
            assert.truthy(text:find("^graph " .. seed .. ": hybridized: predicting: result 1 differs"), text)
            local script = text:match "\n(.*)"
            assert.truthy(load(script))
            return
          end
        end
      end
      error "no graph with tanh among 500"
    end)
  end)
end)
