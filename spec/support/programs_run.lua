-- programs_run.lua - runs random programs (programs.lua) eagerly and compiled, compares their logs, and reduces the
-- script of a failing one. The script that runs is the one shown.
local core = require "hybridlua.core"
local nd = require "hybridlua".nd
local common = require "support.fuzz_common"
local program_text = require "support.program_text"
local programs = require "support.programs"

local programs_run = {}

-- ---- Running ----------------------------------------------------------------------------------------

-- The function `run` of a program's script, and the undefined names that it reads or sets, as a reduced program may;
-- nil on a syntax error.
local function load_program(program)
  local undefined = {}
  local environment = setmetatable({}, {
    __index = function(_, key)
      local value = _G[key]
      if value == nil then undefined[#undefined + 1] = key end
      return value
    end,
    __newindex = function(_, key) undefined[#undefined + 1] = key end,
  })
  local chunk = load(programs.script(program), "=script", "t", environment)
  return chunk and chunk "run", undefined
end

local function run_in(mode, run)
  local ok, log = common.run_in(mode, run, common.is_compiled(mode))
  return ok and log or { { what = "the run", error = tostring(log) } }
end

-- ---- Comparing ----------------------------------------------------------------------------------------

-- An error's text without positions.
local function plain_error(text)
  return (text:gsub("^[^\n:]-:%d+: ", ""):gsub(" %(node [^)]*%)", ""):gsub(" of script:%d+", ""):gsub(" at script:%d+",
    "")
    :gsub("a Symbol", "an NDArray"))
end

-- Do two errors differ? Their texts are compared if they name the same operator. (A compiled call has other names for
-- arrays written before backward needed them, and for freed tapes.)
local function errors_differ(a, b)
  local x, y = plain_error(a), plain_error(b)
  for _, words in ipairs { "was overwritten in place", "was freed by an earlier backward" } do
    if x:find(words, 1, true) and y:find(words, 1, true) then return false end
  end
  local speaker = x:match "^([%w_]+): "
  return speaker and speaker == y:match "^([%w_]+): " and x ~= y
end

-- The kind of a difference, which a reduced program must keep. For an error in one of the runs it is the text, without
-- names and numbers.
local function kind_of(difference)
  local kind = difference:match "^(.-):"
  local message = difference:match "script:%d+: (.*)"
  return kind .. (message and plain_error(message):gsub("'.-'", ""):gsub("[%w_]*%d[%w_]*", ""):sub(1, 60) or "")
end

-- NaNs at the same index are equal; everything else is compared by bits, including the sign of zero.
local function same_bytes(a, b)
  if a.bytes == b.bytes or not a.dtype then return a.bytes == b.bytes end
  local function array(e) return nd.from_bytes(e.bytes, e.dims, e.dtype) end
  return core.array.same(array(a), array(b))
end

local function entry_difference(a, b)
  if a.what ~= b.what then
    return ("another way: %s, eagerly %s: %s"):format(b.what, a.what, a.error or b.error or "")
  end
  if a.error and b.error then
    return errors_differ(a.error, b.error) and
      ("errors: %s\n  eagerly: %s\n  compiled: %s"):format(a.what, a.error, b.error) or nil
  end
  if a.error or b.error then
    return ("an error in one: %s: %s: %s"):format(a.what, a.error and "eagerly" or "compiled", a.error or b.error)
  end
  if a.dtype ~= b.dtype or a.shape ~= b.shape then
    return ("types: %s: eagerly %s (%s), compiled %s (%s)"):format(a.what, a.dtype, a.shape, b.dtype, b.shape)
  end
  if not same_bytes(a, b) then return ("bits: %s"):format(a.what) end
end

-- If an array was written between a call and its backward, a compiled call may need old values that eager code does not
-- need, or may have kept them. So one of the runs raises an error, and nothing is compared after it.
local function is_overwritten(e) return (e.error or ""):find("was overwritten in place", 1, true) ~= nil end

-- Values read only in a condition's untaken branch are not on the tape in eager code, but a graph cannot know that in
-- advance (docs/guide/control_flow.md). So backward is an error only in the eager run.
local function is_off_tape(eager, other, program)
  return not other.error and (eager.error or ""):find("got one that is not on the tape", 1, true) ~= nil and
    programs.script(program):find("F.cond(", 1, true) ~= nil
end

-- For the same reason an array read only in an untaken branch keeps its old gradient in eager code, and gets zeros
-- from a graph. `before`, of each run: the entries noted last of the same gradient.
local function is_of_branch_not_taken(eager, other, before, program)
  local function is_written(run, e) return e.fresh ~= (before[run] and before[run].fresh or 0) end
  return eager.fresh and other.fresh and not is_written("eager", eager) and is_written("other", other) and
    not other.bytes:find "[^\0]" and programs.script(program):find("F.cond(", 1, true) ~= nil
end

-- Nothing is compared after a place where the two runs may differ.
local function first_difference(eager, other, program)
  local last = {}                                 -- the last entries of each title
  for i = 1, math.max(#eager, #other) do
    local a, b = eager[i] or { what = "the end" }, other[i] or { what = "the end" }
    if is_overwritten(a) ~= is_overwritten(b) or is_off_tape(a, b, program) then return nil end
    if is_of_branch_not_taken(a, b, last[a.what] or {}, program) then return nil end
    last[a.what] = { eager = a, other = b }
    local difference = entry_difference(a, b)
    if difference then return difference end
  end
end

-- ---- Checking -------------------------------------------------------------------------------------------

-- One program in n runs in the slow modes.
local SLOW_EACH, AGAIN_EACH = 20, 8

local function modes_for(seed)
  local list = {}
  if seed % AGAIN_EACH == 0 then list[1] = common.eager_again end
  for _, mode in ipairs(common.modes) do
    if not mode.slow or seed % SLOW_EACH == 0 then list[#list + 1] = mode end
  end
  return list
end

--- Runs a program in the given modes (default: those of its seed); returns the mode and the difference.
function programs_run.check(program, modes)
  local run, undefined = load_program(program)
  if not run then return nil end
  local eager = run_in(common.eager, run)
  if #undefined > 0 then return nil end
  for _, mode in ipairs(modes or modes_for(program.seed)) do
    local difference = first_difference(eager, run_in(mode, run), program)
    if difference then return mode, difference end
  end
end

--- Reduces a failing program; returns the difference.
function programs_run.reduce(program, mode, difference)
  local kind = kind_of(difference)
  local found = common.reduce(function()
    local _, now = programs_run.check(program, { mode })
    return now and kind_of(now) == kind and now
  end, function(try) return program_text.each_reduction(program.nodes, try) end, 1500)
  return found or difference
end

--- Checks program number `seed`; returns the text of a failure, or nil. Second: was there a program (always)? Third:
-- the difference. Options: mixed, without (programs.draw), whole = true (unreduced).
function programs_run.one(seed, options)
  options = options or {}
  local program = programs.draw(seed, options)
  local mode, difference = programs_run.check(program)
  if not mode then return nil, true end
  if not options.whole then difference = programs_run.reduce(program, mode, difference) end
  return ("program %d: %s: %s\n%s"):format(seed, mode.name, difference, programs.script(program, mode.debug)), true,
    difference
end

return programs_run
