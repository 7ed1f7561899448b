-- steps.lua - what a compiled function does when its program has run: backward, and updates of
-- parameters.
--
-- hl.compile can take a whole training step. While its function is traced, autograd.record,
-- backward and Trainer.step do nothing but leave a note here; every call then runs the compiled
-- graph, recorded as the notes say, and carries them out in their order: the compiled backward,
-- the update of all parameters. After the first note only values computed before may be used
-- (trace_admit in src/bind/trace.c): anything else would see the parameters as they were.
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"

local steps = {}

--- The notes of the trace under way: { train = , { what, line, heads, run }, ... }; nil where a
-- function may not step (blocks), or none is traced.
steps.noting = nil

function steps.begin(allowed) steps.noting = allowed and {} or nil end

--- Ends a trace; gives its notes, nil if there are none.
function steps.finish()
  local noted = steps.noting
  steps.noting = nil
  return noted and (#noted > 0 or noted.train ~= nil) and noted or nil
end

--- autograd.record was entered.
function steps.record(train)
  local noting = steps.noting
  if noting.train ~= nil and noting.train ~= train then
    fail("autograd.record: expected one train_mode for all of a compiled function, got both")
  end
  noting.train = train
end

-- The script's line.
local function line()
  local _, message = pcall(fail, "")
  return message:match "^(.-): $" or "?"
end

--- A note: `run` is called after each run of the program with the arrays of `heads`, Symbols.
function steps.add(what, heads, run)
  local noting = steps.noting
  noting[#noting + 1] = { what = what, line = line(), heads = heads, run = run }
  core.trace_close()
end

return steps
