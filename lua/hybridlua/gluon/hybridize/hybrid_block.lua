-- hybrid_block.lua - HybridBlock: a Block whose computation can be compiled.
--
-- After hybridize() a call is served
--   by a cache entry (src/bind/call/call_cache.c)  if an earlier call had the same key and its guards hold
--   -> by call_compiled (block_call.lua)           which finds a trace by the arguments' key and the guards
--   -> by trace.make                               which runs the code once with Symbols.
-- This file adds hybridize() and related methods to the class, which hybrid_forward.lua defines.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local scalars = require "hybridlua.gluon.hybridize.scalars"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local Block = require "hybridlua.gluon.block"
local HybridBlock = require("hybridlua.gluon.hybridize.hybrid_forward").HybridBlock
local own_name = require("hybridlua.gluon.hybridize.block_trace").own_name
local CACHE_SLOT, PLAIN_SLOT = core.call.CACHE_SLOT, core.call.PLAIN_SLOT
require "hybridlua.gluon.hybridize.block_call"
require "hybridlua.gluon.hybridize.export"

local function store_of(self) return getmetatable(self).store end

local EFFECTS = { error = true, warn = true, ignore = true }

--- Compiles calls from now on; the first call of each kind is traced.
-- hybridize(), hybridize(false), hybridize{active = , static_alloc = , static_shape = (no effect), frozen = (a further
-- trace is an error), max_traces = (64), max_plans = (64: the number of batch sizes and modes that can alternate in a
-- trace without new specializations), remat = (true: backward recomputes forward values segment by segment instead of
-- keeping all of them: less memory, more time, the same bits), check = n (runs the first n calls of each kind both
-- eagerly and compiled, see compare_eager.lua), full = (raises if the block would run in segments because of a hook
-- inside or a graph break), breaks = (true: blocks inside may be plain Blocks, which run eagerly; a block whose own
-- code reads values, or that contains such a block, runs its Lua at every call, while the blocks that it calls, and its
-- own operators between reads, are compiled; the first call of each block runs eagerly to find these), effects = (what
-- happens if the code writes to a field, an upvalue or a global while it is traced: "warn" warns, "error" raises,
-- "ignore" does neither, and also allows places that are read and then written, such as counters), scalars = {"s",
-- "self.rate"} (numbers that are bound at run time: arguments or upvalues of the block's function, or fields; their
-- changes need no trace, see scalars.lua)}. Errors: a child that is not a HybridBlock, unless breaks = true; a name in
-- scalars that is none of these, and a value that is not a number in a call.
function HybridBlock:hybridize(...)
  local options = Block._read_hybridize(...)
  for key, least in pairs { check = 0, max_traces = 0, max_plans = 1 } do
    local n = options[key]
    if n ~= nil and (math.type(n) ~= "integer" or n < least) then
      fail("hybridize: %s: expected an integer of %d or more, got %s", key, least, tostring(n))
    end
  end
  if options.effects ~= nil and not EFFECTS[options.effects] then
    fail('hybridize: effects: expected "error", "warn" or "ignore", got %s', tostring(options.effects))
  end
  for _, key in ipairs { "breaks", "remat" } do
    if options[key] ~= nil then checks.boolean("hybridize: " .. key, options[key]) end
  end
  scalars.check(options)
  if options.active ~= false then breaks.check_plain(self, options) end
  local store = store_of(self)
  breaks.forget(store)
  store._active = options.active ~= false
  store._options = options
  store._traces = nil
  local meta = getmetatable(self)
  meta[CACHE_SLOT], meta[PLAIN_SLOT] = false, false
  Block.hybridize(self, scalars.without(options))
  counters.touch()
end
arguments.reads(HybridBlock.hybridize, arguments.reader_of(Block.hybridize))

function HybridBlock:cast(dtype)
  store_of(self)._traces = nil
  Block.cast(self, dtype)
end

--- MXNet's partitioning for other back ends, which do not exist here: always an error; hybridize() compiles.
function HybridBlock:optimize_for()
  fail("%s: optimize_for: there are no other back ends here; net:hybridize() compiles the block",
    own_name(self))
end

--- Calls fn(name, operator, array) for the output of each operator of every call, such as "dense0_fwd_output", in
-- order; with monitor_all for the inputs too. The code is traced for this even if it is not hybridized. The returned
-- handle's detach() ends it.
function HybridBlock:register_op_hook(fn, monitor_all)
  if type(fn) ~= "function" then fail("%s: register_op_hook: expected a function, got %s", own_name(self), type(fn)) end
  breaks.refuse_plain(self)
  if type(monitor_all) == "table" then monitor_all = monitor_all.monitor_all end
  return require("hybridlua.gluon.op_hooks").register(self, fn, monitor_all)
end

--- A text about every trace, its reason, graph and specializations; {format = "table"} returns the data.
function HybridBlock:explain(...) return require("hybridlua.gluon.hybridize.explain").block(self, ...) end

arguments.methods(HybridBlock, "HybridBlock.", { cast = "dtype", register_op_hook = "callback monitor_all" })
return HybridBlock
