-- graph_breaks.lua - hybridize{breaks = true}: which blocks are compiled as a whole, and the segments of the others.
--
-- A block has a graph break (it is "broken") if it contains a plain Block, if its own code reads or writes values, or
-- if it contains or calls a broken block. It is never traced: its Lua runs at every call, as eager code does, and the
-- blocks that it calls are compiled separately. Graph breaks are found in a block's first call, and in each call that
-- would need a further trace. These observed calls run eagerly, down to the last block, and the array functions report
-- each read to the list of the innermost HybridBlock (src/bind/trace/graph_breaks.c). If that missed a break, the trace
-- that meets it is rejected, the block is marked, and that call runs in segments. So results are the same either way.
--
-- In a block's store: _broken: it reads values, or calls a broken block that it does not contain; _lacking: what needed
-- values in a trace; _known: a call of it, or of a block around it, was observed; _segments: the blocks, reads and lazy
-- operators of its code, in order, { { block = or what = or operators =, line = }, ... }; _kinds: the observed kinds of
-- calls.
--
-- Consecutive blocks of a HybridSequential without graph breaks are one compiled function (layer_runs.lua), so that
-- their gradients are summed as in eager code. Without breaks = true, hybridize() rejects a plain Block inside, or the
-- first call does if the block has changed since; assignments never do.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local script = require "hybridlua.language.script_line"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local observe, observed, finish_run = core.breaks.observe, core.breaks.observed, core.breaks.finish_run

local breaks = {}

local MOST_SEGMENTS, MOST_KINDS = 1000, 1000

local function store_of(block) return getmetatable(block).store end

-- hybrid_forward.lua sets breaks.HybridBlock.
local function is_hybrid(block) return class.is_a(block, breaks.HybridBlock) end
breaks.is_hybrid = is_hybrid

local function name_of(block) return block.name ~= "" and block.name or class.of(block).__name__:lower() end

-- ---- Plain Blocks ----------------------------------------------------------------------------------
-- ---- Hooks ------------------------------------------------------------------------------------------

--- Does a block inside have hooks? They would not run in a compiled call, so the blocks around it run in segments.
function breaks.has_hooks_inside(block)
  for _, child in ipairs(block:_list_children()) do if breaks.has_hooks(child.value) then return true end end
  return false
end

--- The same for the block and all inside it.
function breaks.has_hooks(block) return #block._hooks > 0 or #block._pre_hooks > 0 or breaks.has_hooks_inside(block) end

--- The first plain Block among all descendants, or nil.
function breaks.plain_inside(block)
  for _, child in ipairs(block:_list_children()) do
    local plain = not is_hybrid(child.value) and child.value or breaks.plain_inside(child.value)
    if plain then return plain end
  end
end

--- Raises if there is a plain Block inside.
function breaks.refuse_plain(block)
  local plain = breaks.plain_inside(block)
  if not plain then return end
  local what = class.of(plain).__name__
  if what == "Lambda" then
    fail("Children of HybridBlock must also be HybridBlock, but %s has type Lambda. Write " ..
      "nn.HybridLambda(function(F, x) ... end) instead.", tostring(plain))
  end
  fail("Children of HybridBlock must also be HybridBlock, but %s has type %s. If you are using Sequential, please " ..
    "try HybridSequential instead.", tostring(plain), what)
end

--- The same, unless the options of hybridize, breaks without full, allow it.
function breaks.check_plain(block, options)
  if not options.breaks then return breaks.refuse_plain(block) end
  local plain = options.full and breaks.plain_inside(block)
  if plain then
    fail("%s: hybridize{full = true}: %s, inside, is a plain Block (%s), so this block cannot be compiled as a whole",
      name_of(block), name_of(plain), class.of(plain).__name__)
  end
end

-- ---- Finding breaks --------------------------------------------------------------------------------

-- Backward in a function is a node of its graph (step_nodes.lua).
local function is_break(block, segment)
  return segment.what and not (segment.what == "x:backward()" and block._function)
end

local function names_of(blocks)
  local list = {}
  for i, block in ipairs(blocks) do list[i] = name_of(block) end
  return table.concat(list, ", ")
end

--- Why the block is broken: a text such as "dense0 is a plain Block", or nil.
function breaks.why_broken(block)
  local store = store_of(block)
  for _, segment in ipairs(store._broken and store._segments or {}) do
    if is_break(block, segment) then
      return ("%s: %s needs values  %s"):format(name_of(block), segment.what, segment.line)
    end
  end
  if store._lacking then
    return ("%s: %s needs values  %s"):format(name_of(block), store._lacking[1], store._lacking[2])
  end
  for _, child in ipairs(block:_list_children()) do
    if not is_hybrid(child.value) then
      return ("%s is a plain Block (%s)"):format(name_of(child.value), class.of(child.value).__name__)
    end
    local why = breaks.why_broken(child.value)
    if why then return why end
  end
  return store._broken and name_of(block) .. " calls a block that runs in segments" or nil
end

function breaks.broken(block)
  if store_of(block)._broken then return true end
  for _, child in ipairs(block:_list_children()) do
    if not is_hybrid(child.value) or breaks.broken(child.value) then return true end
  end
  return false
end

--- Have the block and all blocks inside been observed?
function breaks.known(block)
  if not store_of(block)._known then return false end
  for _, child in ipairs(block:_list_children()) do
    if is_hybrid(child.value) and not breaks.known(child.value) then return false end
  end
  return true
end

local function set_known(block)
  if is_hybrid(block) then store_of(block)._known = true end
  for _, child in ipairs(block:_list_children()) do set_known(child.value) end
end

--- Forgets what was learned; called by hybridize().
function breaks.forget(store)
  store._broken, store._lacking, store._known, store._segments, store._runs, store._kinds = nil, nil, nil, nil, nil, nil
end

-- Adds a lazy segment of the block's own code; one entry for all shapes and numbers. `known`: the entries so far.
local function add_operators(list, known, trie, number)
  local data, compiled = core.breaks.segment(trie, number)
  local names, places = {}, {}
  for i, operator in ipairs(data.operators) do
    names[i] = operator.name
    places[i] = operator.name .. " " .. operator.line
  end
  local place = table.concat(places, " ")
  local segment = known[place]
  if not segment then
    segment = { kind = "operators", what = table.concat(names, ", "), line = data.operators[1].line, runs = 0,
                kinds = 0, operators = data.operators, compiled = {} }
    known[place] = segment
    list[#list + 1] = segment
  end
  segment.runs, segment.kinds = segment.runs + data.runs, segment.kinds + 1
  segment.compiled[#segment.compiled + 1] = compiled
end

--- The segments of a broken block for explain(), in code order; {} for other blocks. A segment is { kind = "compiled",
-- "segments" (a broken block), "plain", "read" or "operators", what =, line =, block = }; for operators also: operators
-- = { { name =, line = }, ... }, runs =, kinds = (number of sets of shapes and numbers), compiled = (a list of compiled
-- functions).
function breaks.report(block)
  local store, list, known = store_of(block), {}, {}
  if not store._active or not breaks.broken(block) then return list end
  local in_run = {}
  for _, run in ipairs(store._runs or {}) do
    for _, inner in ipairs(run.blocks) do if run.value ~= inner then in_run[inner] = run end end
  end
  for _, segment in ipairs(store._segments or {}) do
    local inner, run = segment.block, in_run[segment.block]
    if segment.operators then add_operators(list, known, store._segments[0], segment.operators)
    elseif not inner then list[#list + 1] = { kind = "read", what = segment.what, line = segment.line }
    elseif run then
      if run.blocks[1] == inner then
        list[#list + 1] = { kind = "compiled", what = names_of(run.blocks), line = segment.line, block = run.value }
      end
    else
      local kind = not is_hybrid(inner) and "plain" or breaks.broken(inner) and "segments" or "compiled"
      list[#list + 1] = { kind = kind, what = name_of(inner), line = segment.line, block = inner }
    end
  end
  return list
end

-- ---- A block's list of segments ----------------------------------------------------------------------

local function list_of(store)
  if not store._segments then store._segments = { known = {} } end
  return store._segments
end

-- Inserts after the segment that was met last, so that a branch's segments follow the code's order.
local function insert(list, segment)
  if #list >= MOST_SEGMENTS then return end
  local at = 0
  for i, other in ipairs(list) do if other == list.last then at = i end end
  table.insert(list, at + 1, segment)
  list.changed, list.last = true, segment
end

local function add(list, what, block, line)
  local of = list.known[block or what]
  if not of then
    of = {}
    list.known[block or what] = of
  end
  if not of[line] then
    of[line] = { what = not block and what or nil, block = block, line = line }
    insert(list, of[line])
  end
  list.last = of[line] or list.last
  return list.last
end

core.breaks.set_observer(function(list, what, block)
  if what == "operators" then return insert(list, { operators = block, line = script.line() or "?" }) end
  if block and store_of(block)._is_run then return end             -- its blocks were reported in the observed call
  if what:find "^%l+$" then what = ("x:%s()"):format(what) end
  return add(list, what, block, script.line() or "?")
end)

-- Marks a block whose trace lacked values: the next call reports its segments.
local function break_at(block, lacking)
  local store = store_of(block)
  store._broken, store._lacking = true, lacking
  counters.touch()
end

-- Does the list contain a graph break, other than the block's children?
local function has_break(block, list)
  local held = {}
  for _, child in ipairs(block:_list_children()) do held[child.value] = true end
  for _, segment in ipairs(list) do
    if segment.block then
      if not held[segment.block] and (not is_hybrid(segment.block) or breaks.broken(segment.block)) then return true end
    elseif is_break(block, segment) then
      return true
    end
  end
  return false
end

-- ---- Calls ---------------------------------------------------------------------------------------------

local Observing = {}                 -- instances are reused: a call creates none

function Observing:__close(problem)
  observe(self.list_before, self.learning_before, self.coroutine_before)
  local block, list = self.block, self.list
  self.list_before, self.open = false, false
  if not block then return end
  if problem ~= nil and list[0] then core.breaks.abandon_run(list[0]) end
  local store = store_of(block)
  if list.changed then
    list.changed = nil
    if not store._broken and has_break(block, list) then
      store._broken = true
      counters.touch()
    end
  end
  if self.learning and problem == nil and not breaks.known(block) then
    set_known(block)
    counters.touch()
  end
end

local function begin_observing(list, learning, block)
  local self = list and list.observing
  if not self or self.open then
    -- All fields are set: after breaks.observe nothing here may run out of memory.
    self = setmetatable({ block = block, list = list, learning = learning, list_before = false,
                          learning_before = false, coroutine_before = 0, open = false }, Observing)
    if list then list.observing = self end
  end
  self.learning, self.open = learning, true
  self.list_before, self.learning_before, self.coroutine_before = observe(list, learning)
  return self
end

--- Nothing is reported until the returned value is closed: for code of a plain Block or a hook.
function breaks.quiet()
  local _, learning = observed()
  return begin_observing(nil, learning)
end

-- Ends a run of the block's own code, whose operators were deferred; returns its results.
local function done(trie, ...)
  finish_run(trie, ...)
  return ...
end

-- The lazy trie of a broken block, made in its second call; nil for other blocks.
local function lazy_trie(block, list)
  if list.checked_at ~= counters.blocks then
    list.checked_at = counters.blocks
    if not list[0] and breaks.broken(block) then list[0] = core.breaks.new_trie(name_of(block)) end
  end
  return list[0]
end

--- run(block, ...), with the segments of the block's own code reported to its list.
function breaks.observe(block, run, ...)
  local store = store_of(block)
  if store._learning then store._segments = nil end                -- blocks inside may have been replaced
  local list, _, learning = list_of(store), observed()
  learning = learning or store._learning or false
  list.last = nil
  local trie = not learning and lazy_trie(block, list)
  local _ <close> = begin_observing(list, learning, block)
  if trie then return done(trie, run(block, ...)) end
  return run(block, ...)
end

--- The same for a block that was observed after the last change of blocks, while no block around it is learned.
function breaks.observe_again(block, run, ...)
  local list = store_of(block)._segments
  list.last = nil
  local _ <close> = begin_observing(list, false, block)
  return done(list[0], run(block, ...))
end

--- The same for a call of a new kind: all blocks inside run eagerly.
function breaks.learn(block, run, ...)
  local list = list_of(store_of(block))
  list.last = nil
  local _ <close> = begin_observing(list, true, block)
  return run(block, ...)
end

--- Is this kind of call, a text, new? Also marks it as known.
function breaks.is_new_kind(store, kind)
  local kinds = store._kinds
  if not kinds or kinds.n >= MOST_KINDS then
    kinds = { n = 0 }
    store._kinds = kinds
  end
  if kinds[kind] then return false end
  kinds[kind], kinds.n = true, kinds.n + 1
  return true
end

-- ---- Refused traces -------------------------------------------------------------------------------------

local Claiming = { __close = function(self, problem)
  local lacking = problem ~= nil and core.trace.first_value_read()
  if not lacking or lacking.claimed then return end
  lacking.claimed = true
  break_at(self.block, lacking)
end }

--- Marks the block as broken if its trace lacks values before the returned value is closed.
function breaks.claims(block) return setmetatable({ block = block }, Claiming) end

--- Calls add_trace(block, ...). Returns nil if the trace lacked values, or if the block has a new block inside; it must
--- then run in segments.
function breaks.try_trace(block, add_trace, ...)
  if breaks.broken(block) or not breaks.known(block) then return nil end
  core.trace.first_value_read(true)
  local ok, t = pcall(add_trace, block, ...)
  if ok then return t end
  local lacking = core.trace.first_value_read()
  if not lacking then error(t, 0) end
  if not lacking.claimed then break_at(block, lacking) end
  if not breaks.broken(block) then
    store_of(block)._broken = true
    counters.touch()
  end
end

return breaks
