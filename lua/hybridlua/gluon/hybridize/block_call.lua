-- block_call.lua - calls of a HybridBlock: which of its traces serves a call, and why a call needs another one.
--
-- A trace is found by the key of the arguments and the modes (src/bind/call/call_key.c), and serves while its guards
-- hold (trace_guards.lua). Shapes and the context count only if the code read them. A block keeps at most max_traces
-- traces, in the order of their last use. A call that a trace served adds a cache entry (src/bind/call/call_cache.c),
-- by which later calls with the same key bypass this file.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local changing = require "hybridlua.gluon.hybridize.changing_numbers"
local check = require "hybridlua.gluon.hybridize.compare_eager"
local guards = require "hybridlua.gluon.hybridize.trace_guards"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local scalars = require "hybridlua.gluon.hybridize.scalars"
local trace = require "hybridlua.gluon.hybridize.trace"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local Block = require "hybridlua.gluon.block"
local block_trace = require "hybridlua.gluon.hybridize.block_trace"
local hybrid_forward = require "hybridlua.gluon.hybridize.hybrid_forward"
local is_array, is_symbol, is_tracing = core.array.is, core.symbol.is, core.trace.active
local autograd_mode, call_key, add_entry = core.autograd.mode, core.call.bound_key, core.call.add_entry
local eager_depth, CACHE_SLOT, seconds = core.call.eager_depth, core.call.CACHE_SLOT, core.host.seconds

local HybridBlock, allow_plain_calls = hybrid_forward.HybridBlock, hybrid_forward.allow_plain_calls
local own_name, context_of, trace_own_forward = block_trace.own_name, block_trace.context_of, block_trace.own_forward
local trace_call, settle_parameters = block_trace.make, block_trace.settle_parameters

local DISABLED = os.getenv "HYBRIDLUA_DISABLE" == "1"
if DISABLED then core.call.eager_depth(1) end
local MAX_TRACES = 64

local function store_of(self) return getmetatable(self).store end

-- ---- As a whole or in segments -----------------------------------------------------------------

-- Determines whether the block runs in segments, and, with breaks, whether a call must be observed first.
local function find_breaks(self, store)
  local options = store._options
  breaks.check_plain(self, options)
  local broken = options.breaks and breaks.broken(self)
  if broken and options.full then
    fail("%s: hybridize{full = true}: %s, so this block cannot be compiled as a whole", own_name(self),
      breaks.why_broken(self))
  end
  store._learning = options.breaks and not options.full and not breaks.known(self) or false
  store._whole = not broken and not store._learning and not breaks.has_hooks_inside(self)
  store._whole_version = counters.blocks
end

local function compiled_whole(self)
  local store = store_of(self)
  if store._whole_version ~= counters.blocks then find_breaks(self, store) end
  if not store._whole and store._options.full then
    fail("%s: hybridize{full = true}: a block inside has hooks, so this block cannot be compiled as a whole; " ..
      "detach them", own_name(self))
  end
  return store._whole
end

-- ---- Traces ---------------------------------------------------------------------------------------

-- Do the guards of this list hold? If only arrays were replaced, the trace switches to the new ones.
local function holds(t, list) return not guards.broken(t.guards, list) or trace.rebind(t) end

-- Do the parameters still have the variables that the trace uses for them?
local function same_parameters(t)
  for i, param in ipairs(t.params) do if t.vars[i] ~= param:var() then return false end end
  t.blocks, t.captured_in = counters.blocks, {}
  return true
end

local function still_valid(t)
  if t.modules ~= counters.modules then
    t.over = true
    return false
  end
  if not holds(t, "others") then return false end
  if t.fields == counters.fields then return true end
  local guard = not holds(t, "fields") and guards.broken(t.guards, "fields")
  if guard then
    t.over = t.over or guard.final
    return false
  end
  if t.blocks ~= counters.blocks and not same_parameters(t) then return false end
  t.fields = counters.fields
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

-- Why no trace serves: the first difference from the most recent trace with the same key.
local function reason_for(traces, key, parts, ctx, shapes)
  local nearest = traces[1]
  if not nearest then return "first call" end
  for _, t in ipairs(traces) do
    if t.key == key then
      if t.modules ~= counters.modules then return "a part of a hybridlua module was replaced" end
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

-- Cached calls keep their traces' compiled functions alive.
local function forget_calls(self) getmetatable(self)[CACHE_SLOT] = false end

local function drop_ended(self, traces)
  for i = #traces, 1, -1 do
    if traces[i].over then table.remove(traces, i) forget_calls(self) end
  end
end

-- For export.
local function types_of(flat_args)
  local types = {}
  for i, x in ipairs(flat_args) do types[i] = { shape = x.shape, dtype = x.dtype } end
  return types
end

local function add_trace(self, structure, flat_args, parts, key, ctx)
  local store = store_of(self)
  local traces, options = store._traces, store._options or {}
  local shapes = signature.shapes(flat_args)
  local reason = reason_for(traces, key, parts, ctx, shapes)
  if options.frozen and #traces > 0 then
    fail("%s: hybridize{frozen = true}: this call would need another trace: %s", own_name(self), reason)
  end
  changing.note(self, own_name(self), traces, key, parts, structure)
  drop_ended(self, traces)
  local start = seconds()
  local t = trace_call(self, structure, flat_args, ctx, options.breaks, scalars.places(self, own_name(self), structure))
  trace.refuse_hooks(t)
  settle_parameters(t, #flat_args)
  -- raises, and discards the trace, if a parameter has no array
  t.captured_in = { [ctx] = trace.captured_arrays(t, ctx) }
  trace.compile(t, options.max_plans, options.remat)
  t.vars = {}
  for i, param in ipairs(t.params) do t.vars[i] = param:var() end
  if t.steps then t.types = types_of(flat_args) end
  t.key, t.parts, t.text, t.structure, t.shapes, t.reason =
    key, parts, table.concat(parts, " "), structure, shapes, reason
  t.blocks, t.fields, t.modules = counters.blocks, counters.fields, counters.modules
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

-- Returns nil if the code needs values and breaks is set.
local function trace_anew(self, ...)
  local options = store_of(self)._options
  if options and not options.breaks then breaks.refuse_plain(self) end        -- a table may have new blocks
  if options and options.breaks and not options.full then return breaks.try_trace(self, add_trace, ...) end
  return add_trace(self, ...)
end

-- ---- Running a call ----------------------------------------------------------------------------

-- Lets further calls with this key go straight to the executable.
local function arm(self, t, key, flat_args, captured)
  if t.steps and t.steps.carried or t.results.shared or #self._hooks > 0 or #self._pre_hooks > 0 then return end
  local meta = getmetatable(self)
  local by_shape = t.by_shape or self._options and self._options.check      -- other shapes must be checked
  meta[CACHE_SLOT] = add_entry(meta[CACHE_SLOT], key, flat_args, t.compiled, captured, by_shape, t.guards.others_engine,
    t.guards.fields_engine, not t.plain and t.results or nil, t.numbers, scalars.arguments(self))
end

local Eager = { __close = function() eager_depth(-1) end }

--- All blocks run eagerly, hybridized or not, until the returned value is closed.
function HybridBlock._all_eager()
  eager_depth(1)
  return setmetatable({}, Eager)
end

local function run_eagerly(self, ...)
  local _ <close> = HybridBlock._all_eager()
  return Block.run(self, ...)
end

-- Is this call among the first n that hybridize{check = n} compares? Counted per trace and shapes.
local function to_be_checked(self, t, flat_args)
  local n = self._options and self._options.check
  if not n then return false end
  if t.steps then
    fail("%s: check: a function with training steps cannot run twice; remove the option", own_name(self))
  end
  local shapes = signature.shapes(flat_args)
  t.checked = t.checked or {}
  t.checked[shapes] = (t.checked[shapes] or 0) + 1
  return t.checked[shapes] <= n
end

local function run_checked(self, t, flat_args, captured, ...)
  local args = table.pack(...)
  local arrays = table.move(flat_args, 1, #flat_args, 1, {})
  table.move(captured, 1, #captured, #arrays + 1, arrays)
  return check.run(t, arrays, function() return run_eagerly(self, table.unpack(args, 1, args.n)) end,
    function() return trace.run(t, flat_args, captured) end)
end

local function modes_now()
  local recording, train = autograd_mode()
  return recording and "recording" or "not recording", train and "training" or "predicting"
end

-- The key of a call's arguments, that key with the modes, and the arrays among the arguments.
local function keys_of(self, ...)
  local key, flat_args = call_key(scalars.arguments(self), ...)
  if not key then return nil end
  local recording, train = modes_now()
  return key, ("%s %s %s"):format(recording, train, key), flat_args
end

-- What differs from the trace that has this key but does not serve; "" if there is no such trace.
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

-- With breaks, the first call of each kind runs eagerly before a trace is made, so that code which reads values is
-- never run twice. Is this such a call?
local function to_be_learned(self, trace_key, ctx, flat_args)
  local store = store_of(self)
  local options = store._options
  if not (options and options.breaks) or options.full or options.frozen then return false end
  return breaks.is_new_kind(store, trace_key .. news_of(store._traces, trace_key, ctx, signature.shapes(flat_args)))
end

-- A call to a hybridized block that no cached entry served.
function HybridBlock:call_compiled(...)
  local store = store_of(self)
  local key, trace_key, flat_args = keys_of(self, ...)
  if not key then signature.read(...) end                -- raises, naming the rejected argument
  local ctx = context_of(self, flat_args)
  store._traces = store._traces or {}
  local t = find_trace(store._traces, trace_key, ctx, function() return signature.shapes(flat_args) end)
  if not t then
    local structure, _, parts = signature.read_bound(scalars.arguments(self), ...)
    parts[#parts + 1], parts[#parts + 2] = modes_now()
    if to_be_learned(self, trace_key, ctx, flat_args) then return breaks.learn(self, Block.run, ...) end
    t = trace_anew(self, structure, flat_args, parts, trace_key, ctx)
    if not t then return breaks.observe(self, Block.run, ...) end
  end
  local captured = t.captured_in[ctx] or trace.captured_arrays(t, ctx)
  t.captured_in[ctx] = captured
  local arrays = trace.bound_arrays(t, captured, ctx, ...)
  if to_be_checked(self, t, flat_args) then return run_checked(self, t, flat_args, arrays, ...) end
  arm(self, t, key, flat_args, captured)
  return trace.run(t, flat_args, arrays)
end

local function has_symbol(...)
  for i = 1, select("#", ...) do if is_symbol((select(i, ...))) then return true end end
  return false
end

local function run_in_segments(self, ...)
  local store = store_of(self)
  if store._active and (store._learning or select(4, is_tracing())) then
    local _, trace_key = keys_of(self, ...)
    if trace_key then breaks.is_new_kind(store, trace_key) end
  end
  return breaks.observe(self, Block.run, ...)
end

-- With HYBRIDLUA_DISABLE nothing is traced, but export needs the types of the first call's arguments.
local function note_types(self, ...)
  local structure, flat_args = signature.read(...)
  store_of(self)._first_call = { structure = structure, types = types_of(flat_args) }
end

function HybridBlock.call(self, ...)
  if DISABLED and self._active and not self._first_call and is_array((...)) then note_types(self, ...) end
  -- elsewhere: a finalizer called this block during a trace; traces do not nest
  local tracing, elsewhere, observed, learning = is_tracing()
  if tracing and self.forward ~= HybridBlock.forward then return trace_own_forward(self, ...) end
  local at_once = not self._active or eager_depth() > 0 or tracing or elsewhere or has_symbol(...)
  local run = self.call_compiled
  if at_once or not compiled_whole(self) or learning and self._options.breaks then
    allow_plain_calls(self)
    run = (observed or not at_once and self._options.breaks) and run_in_segments or Block.run
  end
  if not observed and not self:has_hooks() then return run(self, ...) end
  local _ <close> = observed and breaks.quiet() or nil
  if self:has_hooks() then return self:with_hooks(run, ...) end
  return run(self, ...)
end

return HybridBlock
