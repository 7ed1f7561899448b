-- module/python_loss_module.lua - PythonLossModule: a loss at the end of a SequentialModule, given by its gradient.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local inputs = require "hybridlua.module.module_inputs"
local PythonModule = require "hybridlua.module.python_module"
local is_array = core.array.is

local nd = core.op.nd

local PythonLossModule = PythonModule:subclass "PythonLossModule"

local read = arguments.new("PythonLossModule", "name data_names[] label_names[] logger grad_func",
  { name = "pyloss", data_names = { "data" }, label_names = { "softmax_label" } })

--- PythonLossModule{name = "pyloss", data_names = {"data"}, label_names = {"softmax_label"}, grad_func = nil}: passes
-- its data on as output. grad_func(scores, labels) returns the gradient of the loss for them, an NDArray or nested
-- tables of numbers.
function PythonLossModule:init(...)
  local o = read(...)
  PythonModule.init(self, { data_names = o.data_names, label_names = o.label_names, logger = o.logger,
                            output_names = { checks.string("PythonLossModule: name", o.name) .. "_output" } })
  if #self.data_names ~= 1 or #self.label_names ~= 1 then
    fail("PythonLossModule: expected one data name and one label name, got %d and %d", #self.data_names,
      #self.label_names)
  end
  if o.grad_func ~= nil then checks.callable("PythonLossModule: grad_func", o.grad_func, "scores and labels") end
  self._grad_func = o.grad_func
end

function PythonLossModule:_compute_output_shapes() return { { self.output_names[1], self.data_shapes[1].shape } } end

function PythonLossModule:forward(data_batch, is_train)
  class.check_self(PythonLossModule, "forward", self)
  self:_need("forward", "binded")
  self._scores = inputs.arrays("forward", data_batch, "data", self.data_names)[1]
  if is_train == nil then is_train = self.for_training end
  local label = is_train and inputs.arrays("forward", data_batch, "label", self.label_names)
  if is_train and not label then fail "PythonLossModule.forward: data_batch.label: expected a label, got nothing" end
  self._labels = label and label[1]
end

function PythonLossModule:get_outputs() return { self._scores } end

function PythonLossModule:backward(out_grads)
  if out_grads ~= nil then fail "For a loss module, out_grads should be nil" end
  if not self._grad_func then fail "PythonLossModule.backward: expected grad_func, got nothing" end
  local grad = self._grad_func(self._scores, self._labels)
  self._grad = is_array(grad) and grad or nd.array(grad)
end

function PythonLossModule:get_input_grads() return { self._grad } end

arguments.as_above(PythonLossModule)

return PythonLossModule
