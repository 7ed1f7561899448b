-- block_trace.lua - traces of a HybridBlock's code, and the shapes and dtypes of parameters that result from them.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local names = require "hybridlua.gluon.block_names"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local signature = require "hybridlua.gluon.hybridize.call_signature"
local trace = require "hybridlua.gluon.hybridize.trace"
local Block = require "hybridlua.gluon.block"
local hybrid_forward = require "hybridlua.gluon.hybridize.hybrid_forward"
local context_of_call = core.context.of_call

local HybridBlock = hybrid_forward.HybridBlock
local block_trace = {}

--- The block's name in errors and in its compiled functions: its own, or its class's if it has none.
local function own_name(self) return self.name ~= "" and self.name or class.of(self).__name__:lower() end
block_trace.own_name = own_name

--- Traces a block that overrides forward itself: its operators dispatch on Symbols.
local function trace_own_forward(self, ...)
  local _ <close> = breaks.claims(self)
  local _ <close> = names.enter(self)
  trace.enter_block(self, self.forward)
  return Block.run(self, ...)
end
block_trace.own_forward = trace_own_forward

local function run_traced(self, ...)
  if self.forward ~= HybridBlock.forward then return trace_own_forward(self, ...) end
  return Block.run(self, ...)
end

--- Traces one call. ctx: the call's context; nil: that of its arrays. shown: code that prints an array needs its
-- values. places: those of numbers that are bound at run time, or nil.
local function trace_call(self, structure, flat_args, ctx, shown, places)
  return trace.make(own_name(self), structure, flat_args, ctx or (context_of_call(flat_args)),
                    function(...) return run_traced(self, ...) end,
                    self._traced_function ~= nil, self._input_names, self._options and self._options.effects,
                    shown, places)
end
block_trace.make = trace_call

--- The context of a call's arrays; the current one if there are none. Raises if there are several.
function block_trace.context_of(self, flat_args)
  local ctx = context_of_call(flat_args)
  for _, x in ipairs(flat_args) do
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
  local deferred = false
  for _, param in ipairs(t.params) do deferred = deferred or param:is_deferred() end
  local made = t.made
  t.made = nil
  if not deferred then return end
  local outputs = table.move(t.outputs, 1, #t.outputs, 1, {})
  -- a layer determines its parameters' shapes even if its output is unused
  if made then table.move(made, 1, #made, #outputs + 1, outputs) end
  local ok, types = pcall(core.graph.infer_inputs, t.inputs, outputs)
  if not ok then fail("Deferred initialization failed because shape cannot be inferred. %s", types) end
  for i, param in ipairs(t.params) do
    local shape = types[n_args + i].shape
    if shape and param:is_deferred() then param:infer_shape(shape) end
    param:finish_deferred_init()
  end
end
block_trace.settle_parameters = settle_parameters

--- Infers the shapes of the parameters from example arguments, and initialises deferred ones.
function HybridBlock:infer_shape(...)
  local structure, flat_args = signature.read(...)
  settle_parameters(trace_call(self, structure, flat_args), #flat_args)
end

--- Casts the parameters to the dtype of the first float array among the example arguments.
function HybridBlock:infer_type(...)
  local _, flat_args = signature.read(...)
  for _, x in ipairs(flat_args) do
    if x.dtype:find "^float" then
      for _, param in ipairs(self:collect_params():values()) do
        if param.dtype:find "^float" and param.dtype ~= x.dtype then param:cast(x.dtype) end
      end
      return
    end
  end
end

return block_trace
