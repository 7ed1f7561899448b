-- hybrid_forward.lua - the class HybridBlock, and calls of a block's hybrid_forward in Lua.
--
-- hybrid_forward(self, F, x, ..., p) is written once: F is nd in eager mode and sym while it is traced; p contains the
-- block's own parameters. A block that is neither hybridized nor hooked has a function in its metatable that C calls
-- in place of HybridBlock.call (allow_plain_calls). block_trace.lua, block_call.lua, export.lua and hybrid_block.lua
-- add the class's other methods; other modules require the last one.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local names = require "hybridlua.gluon.block_names"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local trace = require "hybridlua.gluon.hybridize.trace"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local Block = require "hybridlua.gluon.block"
local is_symbol, tracing, enter_mode = core.symbol.is, core.trace.active, core.autograd.enter_mode
local context_of_call, eager_depth, PLAIN_SLOT = core.context.of_call, core.call.eager_depth, core.call.PLAIN_SLOT
local CONTEXT_SLOT, observed = core.call.CONTEXT_SLOT, core.breaks.observed

local nd, sym = core.op.nd, core.op.sym
local HybridBlock = Block:subclass "HybridBlock"
breaks.HybridBlock = HybridBlock
local hybrid_forward = { HybridBlock = HybridBlock }

local function store_of(self) return getmetatable(self).store end

-- ---- Calling hybrid_forward --------------------------------------------------------------------

--- The block's computation; override it: function N:hybrid_forward(F, x, p) ... end
function HybridBlock:hybrid_forward()
  fail("%s: hybrid_forward is not defined; write function %s:hybrid_forward(F, x) ... end", self.name,
    class.of(self).__name__)
end

-- By function: the number of inputs that it declares before p, -1 for "...".
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

-- The results of hybrid_forward; raises if there are none, since a return was probably forgotten.
local function returned(self, ...)
  if select("#", ...) == 0 and not store_of(self)._returns_nothing then
    fail("%s: hybrid_forward returned nothing; write return", self.name ~= "" and self.name or class.of(self).__name__)
  end
  return ...
end

-- Calls hybrid_forward with the parameters as its last declared argument.
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

-- The parameters' arrays in a context; returns the same table until one is replaced.
local function parameter_arrays(self, ctx, ...)
  local store = store_of(self)
  local known = store._arrays_version == counters.blocks and store._arrays_in or nil
  local p = known and known[ctx]
  if p == nil then
    local _ <close> = breaks.quiet()           -- initialising parameters is not observed
    p = {}
    for _, entry in ipairs(store._reg_params) do if entry.value:is_deferred() then self:infer_shape(...) break end end
    for _, entry in ipairs(store._reg_params) do p[entry.name] = entry.value:data(ctx) end
    if #store._reg_params == 0 then p = false end
    if not known then store._arrays_in, store._arrays_version = {}, counters.blocks end
    store._arrays_in[ctx] = p
  end
  store._arrays = p
  getmetatable(self)[CONTEXT_SLOT] = core.context.code(ctx)
  return p
end

local function forward_symbolic(self, ...)
  local _ <close> = breaks.claims(self)
  local step = self._step_prefix                           -- only recurrent cells have one
  local _ <close> = names.enter(self, step and step(self))
  trace.enter_block(self, self._traced_function or self.hybrid_forward)
  return call_with(self, sym, parameter_symbols(self), ...)
end

--- Runs hybrid_forward: with Symbols while tracing or if Symbols are given, else eagerly, in the context of the first
-- array among its arguments.
function HybridBlock:forward(...)
  if tracing() or is_symbol((...)) then return forward_symbolic(self, ...) end
  local ctx, current = context_of_call(...)
  local _ <close> = not current and enter_mode(nil, nil, nil, ctx) or nil
  return call_with(self, nd, parameter_arrays(self, ctx, ...), ...)
end

-- ---- Plain calls -------------------------------------------------------------------------------

-- Runs calls of a block that is neither hybridized nor hooked, while nothing is traced or recorded; C calls it
-- (src/bind/call/call_cache.c). After a change of blocks it makes one full call.
local function plain_call(self, ...)
  local store = store_of(self)
  if store._arrays_version ~= counters.blocks then return self.call(self, ...) end
  return call_with(self, nd, store._arrays, ...)
end

local function forward_plain(self, ...) return call_with(self, nd, store_of(self)._arrays, ...) end

-- The same for a block that runs in segments.
local function plain_segments(self, ...)
  local list = store_of(self)._segments
  if list.plain ~= counters.blocks or eager_depth() > 0 or select(2, observed()) then return self.call(self, ...) end
  return breaks.observe_again(self, forward_plain, ...)
end

-- Does the block run in segments, with its graph breaks known?
local function goes_in_segments(store)
  local now = counters.blocks
  return store._options.breaks and store._whole_version == now and store._arrays_version == now and
    not store._whole and not store._learning and store._segments and store._segments[0]
end

--- Sets or removes the function that C calls for the block while nothing is traced or recorded.
function hybrid_forward.allow_plain_calls(self)
  local store = store_of(self)
  local plain = false
  if #self._hooks == 0 and #self._pre_hooks == 0 and self.forward == HybridBlock.forward then
    if not store._active then plain = plain_call
    elseif goes_in_segments(store) then
      store._segments.plain, plain = counters.blocks, plain_segments
    end
  end
  getmetatable(self)[PLAIN_SLOT] = plain
end

return hybrid_forward
