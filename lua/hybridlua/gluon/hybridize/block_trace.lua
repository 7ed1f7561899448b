-- block_trace.lua - traces of a HybridBlock's code, and the shapes and dtypes of parameters that follow from them.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local names = require "hybridlua.gluon.block_names"
local pieces = require "hybridlua.gluon.hybridize.graph_breaks"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local trace = require "hybridlua.gluon.hybridize.trace"
local Block = require "hybridlua.gluon.block"
local hybrid_forward = require "hybridlua.gluon.hybridize.hybrid_forward"
local context_of_call = core.context.of_call

local HybridBlock = hybrid_forward.HybridBlock
local block_trace = {}

--- The name of the block in errors and of its graphs: its own or, where it has none, that of its class.
local function own_name(self) return self.name ~= "" and self.name or class.of(self).__name__:lower() end
block_trace.own_name = own_name

--- Traces a block that overrides forward itself: operators dispatch on Symbols.
local function trace_own_forward(self, ...)
  local _ <close> = pieces.claims(self)
  local _ <close> = names.enter(self)
  trace.enter_block(self, self.forward)
  return Block.run(self, ...)
end
block_trace.own_forward = trace_own_forward

local function run_traced(self, ...)
  if self.forward ~= HybridBlock.forward then return trace_own_forward(self, ...) end
  return Block.run(self, ...)
end

--- Traces one call. ctx: of the call; nil: as its arrays tell. shown: the text of an array is something that a trace
-- lacks.
local function trace_call(self, structure, leaves, ctx, shown)
  return trace.make(own_name(self), structure, leaves, ctx or (context_of_call(leaves)),
                    function(...) return run_traced(self, ...) end,
                    self._traced_function ~= nil, self._input_names, self._options and self._options.effects,
                    shown)
end
block_trace.make = trace_call

--- The one context of a call's arrays; the current one if there are none.
function block_trace.context_of(self, leaves)
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

--- Gives the parameters of a trace the shapes that follow from those of the arguments.
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
block_trace.settle_parameters = settle_parameters

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

return block_trace
