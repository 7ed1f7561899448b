-- graph_breaks.lua - hybridize{breaks = true}: which blocks are compiled as a whole, and what the others are made of.
--
-- A block is broken if it holds a plain Block, if its own code reads or writes values, or if it holds or calls a block
-- that is broken. It is never traced: its Lua runs at every call, as eager code does, and the blocks that it calls are
-- compiled by themselves. What breaks a block is learned in its first call, and in each that would need a further
-- trace: these run at once, down to the last block, and the array functions tell what they read to the list of the
-- innermost HybridBlock (src/bind/trace/graph_breaks.c). Where that missed something, the trace that meets it is
-- refused, the block is marked, and that call goes piece by piece. So results do not depend on what was learned.
--
-- In a block's store: _broken: it reads values, or calls a broken block that it does not hold; _lacking: what a trace
-- needed values for; _known: a call of it, or of a block around it, was looked at; _pieces: what its code did, in the
-- order of the code, { { block = or what = or operators =, line = }, ... }; _kinds: of the calls that were looked at.
--
-- Blocks that follow one another in a HybridSequential, and that nothing breaks, are one compiled function
-- (layer_runs.lua), so that their gradients are summed as in eager code. Without breaks = true a plain Block inside is
-- an error of hybridize(), or of the first call after the block has changed, never of an assignment.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local script = require "hybridlua.language.script_line"
local version = require "hybridlua.gluon.hybridize.change_counters"
local observe, observed, finish_run = core.breaks.observe, core.breaks.observed, core.breaks.finish_run

local pieces = {}

local MOST_PIECES, MOST_KINDS = 1000, 1000

local function store_of(block) return getmetatable(block).store end

-- hybrid_forward.lua sets pieces.HybridBlock.
local function is_hybrid(block) return class.is_a(block, pieces.HybridBlock) end
pieces.is_hybrid = is_hybrid

local function name_of(block) return block.name ~= "" and block.name or class.of(block).__name__:lower() end

-- ---- Plain Blocks ----------------------------------------------------------------------------------

--- The first plain Block among the children, theirs and so on; nil if there is none.
function pieces.plain_inside(block)
  for _, child in ipairs(block:_list_children()) do
    local plain = not is_hybrid(child.value) and child.value or pieces.plain_inside(child.value)
    if plain then return plain end
  end
end

--- Raises if there is one.
function pieces.refuse_plain(block)
  local plain = pieces.plain_inside(block)
  if not plain then return end
  local what = class.of(plain).__name__
  if what == "Lambda" then
    fail("Children of HybridBlock must also be HybridBlock, but %s has type Lambda. Write " ..
      "nn.HybridLambda(function(F, x) ... end) instead.", tostring(plain))
  end
  fail("Children of HybridBlock must also be HybridBlock, but %s has type %s. If you are using Sequential, please " ..
    "try HybridSequential instead.", tostring(plain), what)
end

--- Raises if there is one, unless the options of hybridize, breaks without full, allow it.
function pieces.check_plain(block, options)
  if not options.breaks then return pieces.refuse_plain(block) end
  local plain = options.full and pieces.plain_inside(block)
  if plain then
    fail("%s: hybridize{full = true}: %s, inside, is a plain Block (%s), so this one cannot be compiled as a whole",
      name_of(block), name_of(plain), class.of(plain).__name__)
  end
end

-- ---- What is broken --------------------------------------------------------------------------------

-- Backward in a function is a step, which comes after its program (recorded_actions.lua).
local function is_break(block, piece)
  return piece.what and not (piece.what == "x:backward()" and block._function)
end

local function names_of(blocks)
  local list = {}
  for i, block in ipairs(blocks) do list[i] = name_of(block) end
  return table.concat(list, ", ")
end

--- What breaks the block: nil, or a text such as "dense0 is a plain Block".
function pieces.why_broken(block)
  local store = store_of(block)
  for _, piece in ipairs(store._broken and store._pieces or {}) do
    if is_break(block, piece) then return ("%s: %s needs values  %s"):format(name_of(block), piece.what, piece.line) end
  end
  if store._lacking then
    return ("%s: %s needs values  %s"):format(name_of(block), store._lacking[1], store._lacking[2])
  end
  for _, child in ipairs(block:_list_children()) do
    if not is_hybrid(child.value) then
      return ("%s is a plain Block (%s)"):format(name_of(child.value), class.of(child.value).__name__)
    end
    local why = pieces.why_broken(child.value)
    if why then return why end
  end
  return store._broken and name_of(block) .. " calls a block that runs piece by piece" or nil
end

function pieces.broken(block)
  if store_of(block)._broken then return true end
  for _, child in ipairs(block:_list_children()) do
    if not is_hybrid(child.value) or pieces.broken(child.value) then return true end
  end
  return false
end

--- Is there nothing to learn about the block?
function pieces.known(block)
  if not store_of(block)._known then return false end
  for _, child in ipairs(block:_list_children()) do
    if is_hybrid(child.value) and not pieces.known(child.value) then return false end
  end
  return true
end

local function set_known(block)
  if is_hybrid(block) then store_of(block)._known = true end
  for _, child in ipairs(block:_list_children()) do set_known(child.value) end
end

--- Forgets what was learned: hybridize().
function pieces.forget(store)
  store._broken, store._lacking, store._known, store._pieces, store._runs, store._kinds = nil, nil, nil, nil, nil, nil
end

-- Operators of the block's own code that run together; one entry for all shapes and numbers. `known`: those of before.
local function add_operators(list, known, steps, number)
  local data, compiled = core.breaks.segment(steps, number)
  local names, places = {}, {}
  for i, operator in ipairs(data.operators) do
    names[i] = operator.name
    places[i] = operator.name .. " " .. operator.line
  end
  local place = table.concat(places, " ")
  local piece = known[place]
  if not piece then
    piece = { kind = "operators", what = table.concat(names, ", "), line = data.operators[1].line, runs = 0, kinds = 0,
              operators = data.operators, compiled = {} }
    known[place] = piece
    list[#list + 1] = piece
  end
  piece.runs, piece.kinds = piece.runs + data.runs, piece.kinds + 1
  piece.compiled[#piece.compiled + 1] = compiled
end

--- For explain(): what a broken block is made of, in the order of its code; {} for another.
-- { kind = "compiled", "pieces" (a block that is broken too), "plain", "read" or "operators", what =, line =,
-- block = }; of operators also: operators = { { name =, line = }, ... }, runs =, kinds = (of shapes and numbers),
-- compiled = (a list of compiled graphs).
function pieces.report(block)
  local store, list, known = store_of(block), {}, {}
  if not store._active or not pieces.broken(block) then return list end
  local in_run = {}
  for _, run in ipairs(store._runs or {}) do
    for _, inner in ipairs(run.blocks) do if run.call ~= inner then in_run[inner] = run end end
  end
  for _, piece in ipairs(store._pieces or {}) do
    local inner, run = piece.block, in_run[piece.block]
    if piece.operators then add_operators(list, known, store._pieces[0], piece.operators)
    elseif not inner then list[#list + 1] = { kind = "read", what = piece.what, line = piece.line }
    elseif run then
      if run.blocks[1] == inner then
        list[#list + 1] = { kind = "compiled", what = names_of(run.blocks), line = piece.line, block = run.call }
      end
    else
      local kind = not is_hybrid(inner) and "plain" or pieces.broken(inner) and "pieces" or "compiled"
      list[#list + 1] = { kind = kind, what = name_of(inner), line = piece.line, block = inner }
    end
  end
  return list
end

-- ---- The list of a block -----------------------------------------------------------------------------

local function list_of(store)
  if not store._pieces then store._pieces = { known = {} } end
  return store._pieces
end

-- Behind the piece that was met last: a branch's pieces stand where its code does.
local function insert(list, piece)
  if #list >= MOST_PIECES then return end
  local at = 0
  for i, other in ipairs(list) do if other == list.last then at = i end end
  table.insert(list, at + 1, piece)
  list.changed, list.last = true, piece
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
  if block and store_of(block)._is_run then return end             -- what it is made of was told when it was learned
  if what:find "^%l+$" then what = ("x:%s()"):format(what) end
  return add(list, what, block, script.line() or "?")
end)

-- A trace lacked values there: the call that follows tells the list.
local function break_at(block, lacking)
  local store = store_of(block)
  store._broken, store._lacking = true, lacking
  version.touch()
end

-- Does what the list tells break a block, besides the children?
local function breaks(block, list)
  local held = {}
  for _, child in ipairs(block:_list_children()) do held[child.value] = true end
  for _, piece in ipairs(list) do
    if piece.block then
      if not held[piece.block] and (not is_hybrid(piece.block) or pieces.broken(piece.block)) then return true end
    elseif is_break(block, piece) then
      return true
    end
  end
  return false
end

-- ---- Calls ---------------------------------------------------------------------------------------------

local Listening = {}                 -- its instances are used again: a call makes none

function Listening:__close(problem)
  observe(self.list_before, self.learning_before, self.context_before)
  local block, list = self.block, self.list
  self.list_before, self.open = false, false
  if not block then return end
  if problem ~= nil and list[0] then core.breaks.abandon_run(list[0]) end
  local store = store_of(block)
  if list.changed then
    list.changed = nil
    if not store._broken and breaks(block, list) then
      store._broken = true
      version.touch()
    end
  end
  if self.learning and problem == nil and not pieces.known(block) then
    set_known(block)
    version.touch()
  end
end

local function listen(list, learning, block)
  local self = list and list.listening
  if not self or self.open then
    -- With all its fields: between breaks.observe and the end nothing may fail for want of memory.
    self = setmetatable({ block = block, list = list, learning = learning, list_before = false,
                          learning_before = false, context_before = 0, open = false }, Listening)
    if list then list.listening = self end
  end
  self.learning, self.open = learning, true
  self.list_before, self.learning_before, self.context_before = observe(list, learning)
  return self
end

--- Until the value returned is closed nothing is told: code of a plain Block, of a hook.
function pieces.quiet()
  local _, learning = observed()
  return listen(nil, learning)
end

-- The results of the block's own code, whose operators were put off.
local function done(steps, ...)
  finish_run(steps, ...)
  return ...
end

-- From the second call on: has the list the Steps of a block that is broken?
local function put_off(block, list)
  if list.looked_at ~= version.blocks then
    list.looked_at = version.blocks
    if not list[0] and pieces.broken(block) then list[0] = core.breaks.new_trie(name_of(block)) end
  end
  return list[0]
end

--- run(block, ...), with what the block's own code does told to its list.
function pieces.listen(block, run, ...)
  local store = store_of(block)
  if store._learning then store._pieces = nil end                -- blocks inside may have been replaced
  local list, _, learning = list_of(store), observed()
  learning = learning or store._learning or false
  list.last = nil
  local steps = not learning and put_off(block, list)
  local _ <close> = listen(list, learning, block)
  if steps then return done(steps, run(block, ...)) end
  return run(block, ...)
end

--- The same of a block that did so since blocks changed last, while none around it is looked at.
function pieces.listen_again(block, run, ...)
  local list = store_of(block)._pieces
  list.last = nil
  local _ <close> = listen(list, false, block)
  return done(list[0], run(block, ...))
end

--- The same, with all blocks inside at once: a call of a new kind.
function pieces.look(block, run, ...)
  local list = list_of(store_of(block))
  list.last = nil
  local _ <close> = listen(list, true, block)
  return run(block, ...)
end

--- Was no call of this kind, a text, looked at so far? It is from now on.
function pieces.is_new_kind(store, kind)
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

--- While a block is traced: if that fails for want of values until the value returned is closed, the block is broken.
function pieces.claims(block) return setmetatable({ block = block }, Claiming) end

--- Calls add_trace(block, ...); nil if that failed for want of values, or a block is inside that was not there before:
--- the block is to run piece by piece.
function pieces.try_trace(block, add_trace, ...)
  if pieces.broken(block) or not pieces.known(block) then return nil end
  core.trace.first_value_read(true)
  local ok, t = pcall(add_trace, block, ...)
  if ok then return t end
  local lacking = core.trace.first_value_read()
  if not lacking then error(t, 0) end
  if not lacking.claimed then break_at(block, lacking) end
  if not pieces.broken(block) then
    store_of(block)._broken = true
    version.touch()
  end
end

return pieces
