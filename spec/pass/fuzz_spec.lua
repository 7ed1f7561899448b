-- fuzz_spec.lua - random graphs and random programs have the same bits in every mode: eager, hybridized, without a
-- memory plan, with poisoned memory. That includes results, first and second gradients, the random stream, written
-- arrays and errors. `make fuzz` runs 20,000 of them.
local core = require "hybridlua.core"
local fuzz = require "support.fuzz"
local fuzz_run = require "support.fuzz_run"
local programs = require "support.programs"
local programs_run = require "support.programs_run"
local scratch = require "support.scratch"

local slow = os.getenv "HYBRIDLUA_GC" == "aggressive" or not scratch.is_own_program
-- tools/test.sh gives each processor different seeds.
local FIRST = tonumber(os.getenv "HYBRIDLUA_FUZZ_FIRST") or 1
local COUNT = slow and 50 or FIRST > 1 and 50 or 250
local N_PROGRAMS = slow and 30 or FIRST > 1 and 30 or 150
local N_MIXED = slow and 10 or FIRST > 1 and 10 or 25
local GROUP = 50

describe("random graphs", function()
  for first = FIRST, FIRST + COUNT - 1, GROUP do
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

describe("random programs", function()
  for first = FIRST, FIRST + N_PROGRAMS - 1, GROUP do
    local last = math.min(FIRST + N_PROGRAMS, first + GROUP) - 1
    it(("%d to %d have the same results in every mode"):format(first, last), function()
      for seed = first, last do
        local text = programs_run.one(seed)
        if text then error(text, 0) end
      end
    end)
  end

  -- They differed in the order of sums, in types, or in the tape; two crashed, the last one in most runs.
  it("that once failed have the same results in every mode", function()
    for _, seed in ipairs { 203984, 205563, 206143, 216037, 216999, 218871 } do
      local text = programs_run.one(seed)
      if text then error(text, 0) end
    end
  end)

  it("that mix first-order and second-order gradients have the same results in every mode", function()
    for seed = FIRST, FIRST + N_MIXED - 1 do
      local text = programs_run.one(seed, { mixed = true })
      if text then error(text, 0) end
    end
  end)

  it("are the same for the same seed", function()
    assert.equal(programs.script(programs.draw(17)), programs.script(programs.draw(17)))
    assert.not_equal(programs.script(programs.draw(17)), programs.script(programs.draw(18)))
  end)

  it("usually run to the end", function()
    local whole, notes = 0, 0
    for seed = 1, 100 do
      local log = assert(load(programs.script(programs.draw(seed)), "=script")) "run" (false)
      local errors = 0
      for _, entry in ipairs(log) do
        local meant = entry.what == "mistake" or entry.what == "early"
        if entry.error and not meant then errors = errors + 1 end
      end
      if errors == 0 then whole = whole + 1 end
      notes = notes + #log
    end
    assert.truthy(whole >= 50, whole)
    assert.truthy(notes > 100 * 50, notes)
  end)
end)

describe("the fuzzer", function()
  -- Makes an operator wrong in compiled functions only.
  local function with_wrong(op, fn)
    core.host.debug { wrong = op }
    local ok, message = pcall(fn)
    core.host.debug { wrong = "" }
    assert.truthy(ok, message)
  end

  it("detects one wrong bit, and shows a small script that runs", function()
    with_wrong("tanh", function()
      for seed = 1, 500 do
        local drawn = fuzz.text(fuzz.graph(seed))
        if drawn:find 'tanh"]' and not drawn:find "block%(" then       -- calls of blocks are kept
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

  it("also reduces programs to small ones that print the difference", function()
    with_wrong("tanh", function()
      for seed = 1, 500 do
        local program = programs.script(programs.draw(seed))
        local text = program:find("F.tanh", 1, true) and programs_run.one(seed)
        if text then
          local body = text:match "\nlocal function program%(%)\n(.-)\nlocal function run"
          local _, lines = body:gsub("\n", "")
          assert.truthy(body:find("tanh", 1, true), text)
          assert.truthy(lines <= 40, text)
          assert.truthy(text:find("^program " .. seed .. ": hybridized: bits: "), text)
          local name = os.tmpname()
          local file = assert(io.open(name, "w"))
          file:write((text:match "\n(local SEED.*)"))
          file:close()
          local printed, before, switches = {}, print, core.host.debug {}
          _G.print = function(line) printed[#printed + 1] = line end   -- luacheck: ignore 122
          local ok, message = pcall(dofile, name)
          _G.print = before                                            -- luacheck: ignore 122
          core.host.debug(switches)
          os.remove(name)
          assert.truthy(ok, message)
          assert.truthy(#printed > 0 and printed[1]:find("eager: ", 1, true), text)
          return
        end
      end
      error "no program with tanh among 500"
    end)
  end)
end)
