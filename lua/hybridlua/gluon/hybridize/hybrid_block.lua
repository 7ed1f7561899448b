-- hybrid_block.lua - HybridBlock: a Block whose computation can be compiled.
--
-- hybrid_forward(self, F, x, ..., p) is written once: F is nd when it runs at once, sym
-- while it is traced; p holds the block's own parameters. After hybridize() a call goes
--   by an entry (src/bind/call/call_cache.c)  there was a call with such arguments, and what it read is as it was
--   -> call_compiled                finds a trace by the arguments' key and the guards
--   -> trace.make                   or runs the code once with Symbols.
--
-- Traces are kept by the key of the arguments (call_signature.lua), by recording and training mode, by shapes only if
-- the code read one, and by context only if it read that. A trace is valid while its guards hold (trace_guards.lua). A
-- block keeps at most 64 traces, a trace at most 64 specializations, and the least recently used go first.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local changing = require "hybridlua.gluon.hybridize.changing_numbers"
local check = require "hybridlua.gluon.hybridize.compare_eager"
local guards = require "hybridlua.gluon.hybridize.trace_guards"
local names = require "hybridlua.gluon.block_names"
local pieces = require "hybridlua.gluon.hybridize.graph_breaks"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local trace = require "hybridlua.gluon.hybridize.trace"
local version = require "hybridlua.gluon.hybridize.change_counters"
local Block = require "hybridlua.gluon.block"
local is_array, is_symbol, is_tracing = core.array.is, core.symbol.is, core.trace.active
local autograd_mode, enter_mode, context_of_call = core.autograd.mode, core.autograd.enter_mode, core.context.of_call
local call_key, add_entry, eager_depth = core.call.key, core.call.add_entry, core.call.eager_depth
local CACHE_SLOT, PLAIN_SLOT, CONTEXT_SLOT = core.call.CACHE_SLOT, core.call.PLAIN_SLOT, core.call.CONTEXT_SLOT
local observed, seconds = core.breaks.observed, core.host.seconds

local nd, sym = core.op.nd, core.op.sym
local HybridBlock = Block:subclass "HybridBlock"
pieces.HybridBlock = HybridBlock

local DISABLED = os.getenv "HYBRIDLUA_DISABLE" == "1"
if DISABLED then core.call.eager_depth(1) end
local MAX_TRACES = 64

local function store_of(self) return getmetatable(self).store end

-- ---- Calling hybrid_forward ---------------------------------------------------------------

--- What the block computes; override it: function N:hybrid_forward(F, x, p) ... end
function HybridBlock:hybrid_forward()
  fail("%s: hybrid_forward is not defined; write function %s:hybrid_forward(F, x) ... end", self.name,
    class.of(self).__name__)
end

-- by function: how many inputs it declares before p, -1 for "..."
local declared = setmetatable({}, { __mode = "k" })

local function inputs_declared(fn)
  local n = declared[fn]
  if not n then
    local info = debug.getinfo(fn, "u")
    n = info.isvararg and -1 or info.nparams - 3       -- without self, F and p
    declared[fn] = n
  end
  return n
end

local function refuse_inputs(self, want, n)
  local held = {}
  for i, entry in ipairs(self._reg_params) do held[i] = entry.name end
  local name = class.of(self).__name__
  fail("%s: hybrid_forward: expected at most %s, got %d. %s has parameters (%s): declare p last, function " ..
    "%s:hybrid_forward(F, x, p)",
       self.name, counted(math.max(want, 0), "input"), n, name, table.concat(held, ", "), name)
end

-- What hybrid_forward gave: something, or its return was forgotten.
local function returned(self, ...)
  if select("#", ...) == 0 and not store_of(self)._returns_nothing then
    fail("%s: hybrid_forward returned nothing; write return", self.name ~= "" and self.name or class.of(self).__name__)
  end
  return ...
end

-- hybrid_forward with the parameters as its last declared argument.
local function call_with(self, F, p, ...)
  local fn = self.hybrid_forward
  if not p then return returned(self, fn(self, F, ...)) end
  local n, want = select("#", ...), inputs_declared(fn)
  if n == 1 and want == 1 then return returned(self, fn(self, F, ..., p)) end
  if want == -1 then want = n end
  if n > want then refuse_inputs(self, want, n) end
  local args = { ... }
  args[want + 1] = p
  return returned(self, fn(self, F, table.unpack(args, 1, want + 1)))
end

local function parameter_symbols(self)
  if #self._reg_params == 0 then return nil end
  local p = {}
  for _, entry in ipairs(self._reg_params) do p[entry.name] = trace.parameter(entry.value) end
  return p
end

-- The parameters' arrays in a context; the same table until one is replaced.
local function parameter_arrays(self, ctx, ...)
  local store = store_of(self)
  local known = store._arrays_version == version.blocks and store._arrays_in or nil
  local p = known and known[ctx]
  if p == nil then
    local _ <close> = pieces.quiet()           -- of what initialises parameters
    p = {}
    for _, entry in ipairs(store._reg_params) do if entry.value:is_deferred() then self:infer_shape(...) break end end
    for _, entry in ipairs(store._reg_params) do p[entry.name] = entry.value:data(ctx) end
    if #store._reg_params == 0 then p = false end
    if not known then store._arrays_in, store._arrays_version = {}, version.blocks end
    store._arrays_in[ctx] = p
  end
  store._arrays = p
  getmetatable(self)[CONTEXT_SLOT] = core.context.code(ctx)
  return p
end

local function forward_symbolic(self, ...)
  local _ <close> = pieces.claims(self)
  local step = self._step_prefix                           -- of a recurrent cell
  local _ <close> = names.enter(self, step and step(self))
  trace.enter_block(self, self._traced_function or self.hybrid_forward)
  return call_with(self, sym, parameter_symbols(self), ...)
end

-- Left in the metatable of blocks that are neither hybridized nor hooked: what a call comes
-- to while nothing is traced or recorded (src/bind/call/call_cache.c). When something has changed, once the long way.
local function plain_call(self, ...)
  local store = store_of(self)
  if store._arrays_version ~= version.blocks then return self.call(self, ...) end
  return call_with(self, nd, store._arrays, ...)
end

local function forward_plain(self, ...) return call_with(self, nd, store_of(self)._arrays, ...) end

-- The same of a block that runs piece by piece.
local function plain_pieces(self, ...)
  local list = store_of(self)._pieces
  if list.plain ~= version.blocks or eager_depth() > 0 or select(2, observed()) then
    return self.call(self, ...)
  end
  return pieces.listen_again(self, forward_plain, ...)
end

-- Does its code run at every call, and is there nothing to learn of it?
local function goes_in_pieces(store)
  local now = version.blocks
  return store._options.breaks and store._whole_version == now and store._arrays_version == now and
    not store._whole and not store._learning and store._pieces and store._pieces[0]
end

local function allow_plain_calls(self)
  local store = store_of(self)
  local plain = false
  if #self._hooks == 0 and #self._pre_hooks == 0 and self.forward == HybridBlock.forward then
    if not store._active then plain = plain_call
    elseif goes_in_pieces(store) then
      store._pieces.plain, plain = version.blocks, plain_pieces
    end
  end
  getmetatable(self)[PLAIN_SLOT] = plain
end

--- Runs hybrid_forward: with Symbols while tracing or when given some, else at once, in the context of the
-- first array that it is given.
function HybridBlock:forward(...)
  if is_tracing() or is_symbol((...)) then return forward_symbolic(self, ...) end
  local ctx, current = context_of_call(...)
  local _ <close> = not current and enter_mode(nil, nil, nil, ctx) or nil
  return call_with(self, nd, parameter_arrays(self, ctx, ...), ...)
end

-- ---- Shapes of parameters --------------------------------------------------------------------

local function own_name(self) return self.name ~= "" and self.name or class.of(self).__name__:lower() end

-- A block that overrides forward itself is traced too: operators dispatch on Symbols.
local function trace_own_forward(self, ...)
  local _ <close> = pieces.claims(self)
  local _ <close> = names.enter(self)
  trace.enter_block(self, self.forward)
  return Block.run(self, ...)
end

local function run_traced(self, ...)
  if self.forward ~= HybridBlock.forward then return trace_own_forward(self, ...) end
  return Block.run(self, ...)
end

-- ctx: of the call; nil: as its arrays tell. shown: the text of an array is something that a trace lacks.
local function trace_call(self, structure, leaves, ctx, shown)
  return trace.make(own_name(self), structure, leaves, ctx or (context_of_call(leaves)),
                    function(...) return run_traced(self, ...) end,
                    self._traced_function ~= nil, self._input_names, self._options and self._options.effects,
                    shown)
end

-- The one context of a call's arrays; the current one if there are none.
local function context_of(self, leaves)
  local ctx = context_of_call(leaves)
  for _, x in ipairs(leaves) do
    if x.context ~= ctx then
      fail("%s: found several contexts in the arguments, %s and %s; a hybridized block or compiled function " ..
        "computes in one: write " ..
           "x:as_in_context(ctx), or call it for each context", own_name(self), tostring(ctx), tostring(x.context))
    end
  end
  return ctx
end

-- Tells the parameters of a trace the shapes that follow from the arguments'.
local function settle_parameters(t, n_args)
  local waiting = false
  for _, param in ipairs(t.params) do waiting = waiting or param:is_deferred() end
  local made = t.made
  t.made = nil
  if not waiting then return end
  local telling = table.move(t.outputs, 1, #t.outputs, 1, {})
  -- a layer tells its shape even if nobody uses its output
  if made then table.move(made, 1, #made, #telling + 1, telling) end
  local ok, types = pcall(core.graph.infer_inputs, t.inputs, telling)
  if not ok then fail("Deferred initialization failed because shape cannot be inferred. %s", types) end
  for i, param in ipairs(t.params) do
    local shape = types[n_args + i].shape
    if shape and param:is_deferred() then param:infer_shape(shape) end
    param:finish_deferred_init()
  end
end

--- Finds the shapes of the parameters from example arguments, and initialises deferred ones.
function HybridBlock:infer_shape(...)
  local structure, leaves = signature.read(...)
  settle_parameters(trace_call(self, structure, leaves), #leaves)
end

--- Gives the parameters the dtype of the example arguments (of the first floats among them).
function HybridBlock:infer_type(...)
  local _, leaves = signature.read(...)
  for _, x in ipairs(leaves) do
    if x.dtype:find "^float" then
      for _, param in ipairs(self:collect_params():values()) do
        if param.dtype:find "^float" and param.dtype ~= x.dtype then param:cast(x.dtype) end
      end
      return
    end
  end
end

--- MXNet's partitioning for other back ends, of which there are none here: hybridize() compiles. Always an error.
function HybridBlock:optimize_for()
  fail("%s: optimize_for: there are no other back ends here; net:hybridize() compiles the block by itself",
    own_name(self))
end

--- fn(name, operator, array) is called for the output of each operator of every call, as "dense0_fwd_output", in their
-- order, and with monitor_all for the inputs too. The code is traced for that, hybridized or not. The handle's detach()
-- ends it.
function HybridBlock:register_op_hook(fn, monitor_all)
  if type(fn) ~= "function" then fail("%s: register_op_hook: expected a function, got %s", own_name(self), type(fn)) end
  pieces.refuse_plain(self)
  if type(monitor_all) == "table" then monitor_all = monitor_all.monitor_all end
  return require("hybridlua.gluon.op_hooks").register(self, fn, monitor_all)
end

-- ---- Hybridizing -------------------------------------------------------------------------------

local read_hybridize = arguments.reader_of(Block.hybridize)
local EFFECTS = { error = true, warn = true, ignore = true }

-- An option that is true or false.
local function check_switch(options, key)
  if options[key] ~= nil and type(options[key]) ~= "boolean" then
    fail("hybridize: %s: expected true or false, got %s", key, tostring(options[key]))
  end
end

-- Plain Blocks inside are for hybridize{breaks = true}.
local function check_children(self, options)
  if not options.breaks then return pieces.refuse_plain(self) end
  local plain = options.full and pieces.plain_inside(self)
  if plain then
    fail("%s: hybridize{full = true}: %s, inside, is a plain Block (%s), so this one cannot be compiled as a whole",
      own_name(self), own_name(plain), class.of(plain).__name__)
  end
end

--- From now on calls are compiled; the first call of each kind traces.
-- hybridize(), hybridize(false), hybridize{active = , static_alloc = , static_shape = (no effect),
-- frozen = (a further trace is an error), max_traces = (64), max_plans = (64; as many batch sizes and
-- modes take turns in a trace without being planned anew), remat = (true: backward computes values of forward anew,
-- piece by piece, instead of having all of them kept: less memory, more time, the same bits), check = n (the first n
-- calls of each kind run both ways, see compare_eager.lua), full = (what would make the block run piece by piece, a
-- hook inside or a break, is an error), breaks = (true: blocks inside may be plain Blocks, which run at once; a block
-- whose own code reads values, or that holds such a block, runs its Lua at every call, and the blocks that it calls are
-- compiled by themselves, as are its own operators between reads; the first call of each block runs at once, and shows
-- which these are), effects = ("warn": what the code
-- writes outside, a field, an upvalue, a global, is written when it is traced, with a warning; "error": that is an
-- error; "ignore": neither, and what is read and then written, a counter, is no error either)}.
-- Errors: a child that is no HybridBlock, unless breaks = true.
function HybridBlock:hybridize(...)
  local options = read_hybridize(...)
  if options.active ~= nil and type(options.active) ~= "boolean" then
    fail("hybridize: active: expected true, false or a table of options, got %s", tostring(options.active))
  end
  for key, least in pairs { check = 0, max_traces = 0, max_plans = 1 } do
    local n = options[key]
    if n ~= nil and (math.type(n) ~= "integer" or n < least) then
      fail("hybridize: %s: expected an integer of %d or more, got %s", key, least, tostring(n))
    end
  end
  if options.effects ~= nil and not EFFECTS[options.effects] then
    fail('hybridize: effects: expected "error", "warn" or "ignore", got %s', tostring(options.effects))
  end
  check_switch(options, "breaks")
  check_switch(options, "remat")
  if options.active ~= false then check_children(self, options) end
  local store = store_of(self)
  pieces.forget(store)
  store._active = options.active ~= false
  store._options = options
  store._traces = nil
  local meta = getmetatable(self)
  meta[CACHE_SLOT], meta[PLAIN_SLOT] = false, false
  Block.hybridize(self, options)
  version.touch()
end

function HybridBlock:cast(dtype)
  store_of(self)._traces = nil
  Block.cast(self, dtype)
end

-- Hooks on a block inside would not run in a compiled call, so the blocks around run piece by piece.
local function has_hooks_inside(self)
  for _, child in ipairs(self:_list_children()) do
    local block = child.value
    if #block._hooks > 0 or #block._pre_hooks > 0 or has_hooks_inside(block) then return true end
  end
  return false
end

-- What makes it run piece by piece, if anything; with breaks, whether that is to be learned first.
local function look_inside(self, store)
  local options = store._options
  check_children(self, options)
  local broken = options.breaks and pieces.broken(self)
  if broken and options.full then
    fail("%s: hybridize{full = true}: %s, so this one cannot be compiled as a whole", own_name(self),
      pieces.why_broken(self))
  end
  store._learning = options.breaks and not options.full and not pieces.known(self) or false
  store._whole = not broken and not store._learning and not has_hooks_inside(self)
  store._whole_version = version.blocks
end

local function compiled_whole(self)
  local store = store_of(self)
  if store._whole_version ~= version.blocks then look_inside(self, store) end
  if not store._whole and store._options.full then
    fail("%s: hybridize{full = true}: a block inside has hooks, so this one cannot be compiled as a whole; detach them",
      own_name(self))
  end
  return store._whole
end

-- ---- Traces ---------------------------------------------------------------------------------------

-- Do the guards of this list hold? Where nothing but arrays were replaced, the trace takes these from now on.
local function holds(t, list)
  return not guards.broken(t.guards, list) or trace.rebind(t)
end

-- Have the parameters the variables that the trace has for them?
local function same_parameters(t)
  for i, param in ipairs(t.params) do if t.vars[i] ~= param:var() then return false end end
  t.blocks, t.tails = version.blocks, {}
  return true
end

local function still_valid(t)
  if t.modules ~= version.modules then
    t.over = true
    return false
  end
  if not holds(t, "others") then return false end
  if t.fields == version.fields then return true end
  local guard = not holds(t, "fields") and guards.broken(t.guards, "fields")
  if guard then
    t.over = t.over or guard.final
    return false
  end
  if t.blocks ~= version.blocks and not same_parameters(t) then return false end
  t.fields = version.fields
  return true
end

local function find_trace(traces, key, ctx, shapes)
  for i, t in ipairs(traces) do
    if t.key == key and (not t.by_shape or t.shapes == shapes()) and (not t.by_context or t.context == ctx) and
        still_valid(t) then
      if i > 1 then table.insert(traces, 1, table.remove(traces, i)) end
      return t
    end
  end
end

-- Why the traces there are do not serve: the first difference from the most recent one that is alike.
local function reason_for(traces, key, parts, ctx, shapes)
  local nearest = traces[1]
  if not nearest then return "first call" end
  for _, t in ipairs(traces) do
    if t.key == key then
      if t.modules ~= version.modules then return "a part of a module of hybridlua's was replaced" end
      local guard, now = guards.broken(t.guards, "others")
      if not guard then guard, now = guards.broken(t.guards, "fields") end
      if guard then
        return guard.change or ("%s was %s, is %s"):format(guard.what, tostring(guard.value), tostring(now))
      end
      if t.by_shape and t.shapes ~= shapes then
        return ("the code reads shapes; they were %s, are %s"):format(t.shapes, shapes)
      end
      if t.by_context and t.context ~= ctx then
        return ("the code reads the context; it was %s, is %s"):format(tostring(t.context), tostring(ctx))
      end
      return "a parameter changed"
    end
  end
  for i = 1, math.max(#parts, #nearest.parts) do
    if parts[i] ~= nearest.parts[i] then
      return ("the call's signature was %s, is %s"):format(nearest.text, table.concat(parts, " "))
    end
  end
  return "the call's signature changed"
end

-- Entries of calls hold their traces' graphs.
local function forget_calls(self) getmetatable(self)[CACHE_SLOT] = false end

-- Traces that can never be valid again.
local function drop_ended(self, traces)
  for i = #traces, 1, -1 do
    if traces[i].over then table.remove(traces, i) forget_calls(self) end
  end
end

local function add_trace(self, structure, leaves, parts, key, ctx)
  local store = store_of(self)
  local traces, options = store._traces, store._options or {}
  local shapes = signature.shapes(leaves)
  local reason = reason_for(traces, key, parts, ctx, shapes)
  if options.frozen and #traces > 0 then
    fail("%s: hybridize{frozen = true}: this call would need another trace: %s", own_name(self), reason)
  end
  changing.note(self, own_name(self), traces, key, parts, structure)
  drop_ended(self, traces)
  local start = seconds()
  local t = trace_call(self, structure, leaves, ctx, options.breaks)
  trace.refuse_hooks(t)
  settle_parameters(t, #leaves)
  t.tails = { [ctx] = trace.tail(t, ctx) }                 -- no parameter without an array: such a trace is not kept
  for i, param in ipairs(t.params) do t.inputs[#leaves + i] = t.inputs[#leaves + i] or param:var() end
  trace.compile(t, options.max_plans, options.remat)
  t.vars = {}
  for i, param in ipairs(t.params) do t.vars[i] = param:var() end
  t.key, t.parts, t.text, t.structure, t.shapes, t.reason =
    key, parts, table.concat(parts, " "), structure, shapes, reason
  t.blocks, t.fields, t.modules = version.blocks, version.fields, version.modules
  if core.host.log "trace" then
    core.host.log("trace",
      ("%s for %s, because: %s; in %.2f ms"):format(own_name(self), t.text, reason, (seconds() - start) * 1e3))
  end
  table.insert(traces, 1, t)
  if #traces > (options.max_traces or MAX_TRACES) then
    traces[#traces] = nil
    forget_calls(self)
    store._dropped = (store._dropped or 0) + 1
  end
  return t
end

-- nil: the code needs values, and breaks = true.
local function trace_anew(self, ...)
  local options = store_of(self)._options
  if options and not options.breaks then pieces.refuse_plain(self) end        -- a table may have got one since
  if options and options.breaks and not options.full then return pieces.try_trace(self, add_trace, ...) end
  return add_trace(self, ...)
end

-- Lets further calls of this kind go straight to the program.
local function arm(self, t, key, leaves, tail)
  if t.steps or t.results.shared or #self._hooks > 0 or #self._pre_hooks > 0 then return end
  local meta = getmetatable(self)
  local by_shape = t.by_shape or self._options and self._options.check      -- calls of other shapes are to be checked
  meta[CACHE_SLOT] = add_entry(meta[CACHE_SLOT], key, leaves, t.compiled, tail, by_shape, t.guards.others_engine,
    t.guards.fields_engine, not t.plain and t.results or nil)
end

local Eager = { __close = function() eager_depth(-1) end }

--- Until the value returned is closed all blocks run at once, hybridized or not.
function HybridBlock._all_eager()
  eager_depth(1)
  return setmetatable({}, Eager)
end

-- The block and all inside it at once, hybridized or not.
local function run_eagerly(self, ...)
  local _ <close> = HybridBlock._all_eager()
  return Block.run(self, ...)
end

-- Is this call among the first that hybridize{check = n} looks at? Counted for each trace and shapes.
local function to_be_checked(self, t, leaves)
  local n = self._options and self._options.check
  if not n then return false end
  if t.steps then
    fail("%s: check: a function with training steps cannot run twice; leave the option out", own_name(self))
  end
  local shapes = signature.shapes(leaves)
  t.checked = t.checked or {}
  t.checked[shapes] = (t.checked[shapes] or 0) + 1
  return t.checked[shapes] <= n
end

local function run_checked(self, t, leaves, tail, ...)
  local args = table.pack(...)
  local arrays = table.move(leaves, 1, #leaves, 1, {})
  table.move(tail, 1, #tail, #arrays + 1, arrays)
  return check.run(t, arrays, function() return run_eagerly(self, table.unpack(args, 1, args.n)) end,
    function() return trace.run(t, leaves, tail) end)
end

-- The modes of a call, in words.
local function modes_now()
  local recording, train = autograd_mode()
  return recording and "recording" or "not recording", train and "training" or "predicting"
end

-- The key of a call's arguments, with the modes as well, and the arrays in it.
local function keys_of(...)
  local key, leaves = call_key(...)
  if not key then return nil end
  local recording, train = modes_now()
  return key, ("%s %s %s"):format(recording, train, key), leaves
end

-- What is new about a call with the key of a trace that does not serve, "" where there is none.
local function news_of(traces, key, ctx, shapes)
  for _, t in ipairs(traces) do
    if t.key == key then
      for _, list in ipairs { "others", "fields" } do
        local guard, now = guards.broken(t.guards, list)
        if guard then return ("%s is %s"):format(guard.what or guard.change, tostring(now)) end
      end
      return t.by_shape and shapes or t.by_context and tostring(ctx) or ""
    end
  end
  return ""
end

-- With breaks the first call of each kind, which would be traced, runs at once: where its code reads values, it has
-- done nothing twice. Is this such a call?
local function to_be_looked_at(self, trace_key, ctx, leaves)
  local store = store_of(self)
  local options = store._options
  if not (options and options.breaks) or options.full or options.frozen then return false end
  return pieces.is_new_kind(store, trace_key .. news_of(store._traces, trace_key, ctx, signature.shapes(leaves)))
end

-- The long way of a call to a hybridized block.
function HybridBlock:call_compiled(...)
  local store = store_of(self)
  local key, trace_key, leaves = keys_of(...)
  if not key then signature.read(...) end                -- which says what a compiled call does not take
  local ctx = context_of(self, leaves)
  store._traces = store._traces or {}
  local t = find_trace(store._traces, trace_key, ctx, function() return signature.shapes(leaves) end)
  if not t then
    local structure, _, parts = signature.read(...)
    parts[#parts + 1], parts[#parts + 2] = modes_now()
    if to_be_looked_at(self, trace_key, ctx, leaves) then return pieces.look(self, Block.run, ...) end
    t = trace_anew(self, structure, leaves, parts, trace_key, ctx)
    if not t then return pieces.listen(self, Block.run, ...) end
  end
  local tail = t.tails[ctx] or trace.tail(t, ctx)
  t.tails[ctx] = tail
  if to_be_checked(self, t, leaves) then return run_checked(self, t, leaves, tail, ...) end
  arm(self, t, key, leaves, tail)
  return trace.run(t, leaves, tail)
end

local function has_symbol(...)
  for i = 1, select("#", ...) do if is_symbol((select(i, ...))) then return true end end
  return false
end

local function run_in_pieces(self, ...)
  local store = store_of(self)
  if store._active and (store._learning or select(4, is_tracing())) then
    local _, trace_key = keys_of(...)
    if trace_key then pieces.is_new_kind(store, trace_key) end
  end
  return pieces.listen(self, Block.run, ...)
end

-- With HYBRIDLUA_DISABLE nothing is traced, but what the first call was given is kept for export.
local function note_types(self, ...)
  local structure, leaves = signature.read(...)
  local types = {}
  for i, x in ipairs(leaves) do types[i] = { shape = x.shape, dtype = x.dtype } end
  store_of(self)._first_call = { structure = structure, types = types }
end

local function trace_first_call(self)
  local first = self._first_call
  if not first then return nil end
  local leaves = {}
  for i, of in ipairs(first.types) do leaves[i] = nd.zeros(of.shape, { dtype = of.dtype }) end
  local t = trace_call(self, first.structure, leaves)
  settle_parameters(t, #leaves)
  return t
end

function HybridBlock.call(self, ...)
  if DISABLED and self._active and not self._first_call and is_array((...)) then note_types(self, ...) end
  -- elsewhere: this is a finalizer, and traces do not nest
  local tracing, elsewhere, told, learning = is_tracing()
  if tracing and self.forward ~= HybridBlock.forward then return trace_own_forward(self, ...) end
  local at_once = not self._active or eager_depth() > 0 or tracing or elsewhere or has_symbol(...)
  local run = self.call_compiled
  if at_once or not compiled_whole(self) or learning and self._options.breaks then
    allow_plain_calls(self)
    run = (told or not at_once and self._options.breaks) and run_in_pieces or Block.run
  end
  if not told and not self:has_hooks() then return run(self, ...) end
  local _ <close> = told and pieces.quiet() or nil
  if self:has_hooks() then return self:with_hooks(run, ...) end
  return run(self, ...)
end

-- ---- Export ------------------------------------------------------------------------------------------

local read_export = arguments.new("export", "path epoch shapes{}")

-- Shapes by name may be given in place of options.
local function shapes_as_option(...)
  local values = table.pack(...)
  local last, all = values[values.n], values.n == 2
  if type(last) ~= "table" or next(last) == nil or last.shapes then return ... end
  for key, value in pairs(last) do all = all and type(key) == "string" and type(value) == "table" end
  if all then values[2] = { shapes = last } end
  return table.unpack(values, 1, values.n)
end

--- Writes path-symbol.json and path-0000.params (the epoch's number), as MXNet does. The
-- graph is that of the latest trace; shapes ({data = {1, 512}}) trace first. Returns the two names.
function HybridBlock:export(...)
  local options = read_export(shapes_as_option(...))
  local path, epoch, shapes = options.path, options.epoch, options.shapes
  if type(path) ~= "string" then fail("%s: export: path: expected a string, got %s", self.name, type(path)) end
  pieces.refuse_plain(self)
  if pieces.broken(self) then
    fail("%s: export: the block runs piece by piece, so there is no one graph of it: %s", self.name,
      pieces.why_broken(self))
  end
  local t = self._traces and self._traces[1]
  if type(shapes) == "table" and next(shapes) then t = self:trace_for(shapes) end
  t = t or DISABLED and trace_first_call(self)
  if not t then
    fail("%s: export: call net:hybridize() and then net(x) once before, or give the shapes of the inputs: " ..
      "net:export(path, {data = {1, 512}})", self.name)
  end
  local graph = #t.outputs == 1 and t.outputs[1] or sym.Group(t.outputs)
  local arrays, aux = {}, {}
  for _, name in ipairs(graph:list_auxiliary_states()) do aux[name] = true end
  for _, param in ipairs(t.params) do arrays[(aux[param.name] and "aux:" or "arg:") .. param.name] = param:merged() end
  for i, array in ipairs(t.captured) do arrays["arg:captured" .. (i - 1)] = array end
  local symbol_file, params_file = path .. "-symbol.json", ("%s-%04d.params"):format(path, epoch or 0)
  nd.save(params_file, arrays)
  graph:save(symbol_file)
  return symbol_file, params_file
end

-- A trace for arrays of these shapes ({data = {1, 512}} or a list), without running it.
function HybridBlock:trace_for(shapes)
  pieces.refuse_plain(self)
  local leaves, keys = {}, {}
  for key in pairs(shapes) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  local input_names = self._input_names or {}
  if #input_names == #keys and shapes[input_names[1]] then keys = input_names end
  for i, key in ipairs(keys) do leaves[i] = nd.zeros(shapes[key]) end
  local structure = signature.read(table.unpack(leaves))
  local t = trace_call(self, structure, leaves)
  settle_parameters(t, #leaves)
  return t
end

-- A compiled trace for these arguments that the block does not keep, and the arrays of its
-- inputs: for looking at.
function HybridBlock:compiled_for(...)
  pieces.refuse_plain(self)
  local structure, leaves = signature.read(...)
  local t = trace_call(self, structure, leaves)
  settle_parameters(t, #leaves)
  for i, param in ipairs(t.params) do t.inputs[#leaves + i] = t.inputs[#leaves + i] or param:var() end
  local arrays = table.move(leaves, 1, #leaves, 1, {})
  table.move(trace.tail(t, t.context), 1, #t.params + #t.captured, #arrays + 1, arrays)
  return trace.compile(t), arrays
end

-- What fn gives for these arrays, computed by the graph of one trace of it that nobody keeps.
function HybridBlock._through_graph(fn, ...)
  local structure, leaves = signature.read(...)
  local ctx = (context_of_call(leaves))
  local t = trace.make("function", structure, leaves, ctx, fn)
  settle_parameters(t, #leaves)
  for i, param in ipairs(t.params) do t.inputs[#leaves + i] = t.inputs[#leaves + i] or param:var() end
  return trace.run(trace.compile(t), leaves, trace.tail(t, ctx))
end

--- Text about every trace, its reason, graph and plan; {format = "table"} gives the data.
function HybridBlock:explain(...)
  return require("hybridlua.gluon.hybridize.explain").block(self, ...)
end

arguments.methods(HybridBlock, "HybridBlock.",
  { cast = "dtype", register_op_hook = "callback monitor_all", trace_for = "shapes{}" })
return HybridBlock
