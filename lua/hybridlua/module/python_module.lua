-- module/python_module.lua - PythonModule: the base of modules without parameters that a script writes itself; MXNet's
-- name stays, though the script is Lua.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.module.module_inputs"
local batches = require "hybridlua.io.batches"
local BaseModule = require "hybridlua.module.base_module"

local PythonModule = BaseModule:subclass "PythonModule"

local read = arguments.new("PythonModule", "data_names[] label_names[] output_names[] logger")

--- PythonModule(data_names, label_names, output_names, {logger = nil}): a module without parameters. Your class,
-- PythonModule:subclass "Mine", defines forward, backward, get_outputs, get_input_grads and _compute_output_shapes,
-- which returns a list of pairs {name, shape} for self.data_shapes.
function PythonModule:init(...)
  local o = read(...)
  self:_begin(o.logger)
  self.data_names = inputs.names("PythonModule: data_names", o.data_names)
  self.label_names = inputs.names("PythonModule: label_names", o.label_names)
  self.output_names = inputs.names("PythonModule: output_names", o.output_names)
end

-- Pairs {name, shape} for each output. Subclasses define it.
function PythonModule:_compute_output_shapes()
  local own = class.of(self).__name__
  fail("%s: _compute_output_shapes is not defined; write function %s:_compute_output_shapes() ... end", own, own)
end

local function check_names(descs, names, kind)
  for i, name in ipairs(names) do
    if not descs[i] or descs[i].name ~= name then
      fail("PythonModule.bind: %s_shapes: expected %s, got %s at %d", kind, table.concat(names, ", "),
        descs[i] and descs[i].name or "nothing", i)
    end
  end
end

function PythonModule:bind(data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, _, grad_req)
  if self:_is_bound(force_rebind) then return end
  if grad_req ~= nil and grad_req ~= "write" then
    fail("PythonModule.bind: grad_req: expected 'write', got %s", tostring(grad_req))
  end
  self.data_shapes = batches.descriptions("PythonModule.bind: data_shapes", data_shapes)
  self.label_shapes = label_shapes and batches.descriptions("PythonModule.bind: label_shapes", label_shapes)
  check_names(self.data_shapes, self.data_names, "data")
  if self.label_shapes then check_names(self.label_shapes, self.label_names, "label") end
  self.for_training, self.inputs_need_grad = for_training ~= false, inputs_need_grad or false
  self.output_shapes = self:_compute_output_shapes()
  self.binded = true
end

--- There are no parameters.
function PythonModule:init_params() self.params_initialized = true end
function PythonModule:get_params() return {}, {} end
function PythonModule:init_optimizer() self.optimizer_initialized = true end
function PythonModule:update() end
function PythonModule:install_monitor() end

function PythonModule:update_metric(eval_metric, labels)
  if self.label_shapes then
    inputs.update_metric(eval_metric, self.label_names, labels, self.output_names, self:get_outputs())
  end
end

arguments.as_above(PythonModule)

return PythonModule
