---@meta hybridlua
-- Made by `make docs` out of the operators' rows and hybridlua's sources; not to be edited.
-- For editors with a LuaCATS language server; docs/guide/program.md tells how to switch it on.

---@class hl
---@field nd hl.nd
---@field sym hl.sym
local hl = {}

---@class hl.autograd
hl.autograd = {}

---An operation whose forward and backward are written in Lua, with arrays:
---  local Sig = autograd.Function:subclass "Sig"
---  function Sig:forward(x) local y = x:sigmoid() self:save_for_backward(y) return y end
---  function Sig:backward(dy) local y = self.saved_tensors[1] return dy * y * (1 - y) end
---  local y = Sig()(x)
---backward gets one gradient for each output and returns one for each input (nil: zero).
---@class hl.autograd.Function
---@overload fun(...: any): hl.autograd.Function
hl.autograd.Function = {}

---@return any
function hl.autograd.Function:backward() end

---@return any
function hl.autograd.Function:forward() end

---@return any
function hl.autograd.Function:save_for_backward(...) end

---@param name? any
---@return any
function hl.autograd.Function:subclass(name, ...) end

---@class hl.autograd.backward.options
---@field [integer] any
---@field heads? any[]
---@field head_grads? any[]
---@field retain_graph? any
---@field train_mode? any
---@field create_graph? any

---backward(heads, head_grads, retain_graph = false, train_mode = true, {create_graph = false}): leaves gradients in
---the arrays that the heads depend on. heads: an NDArray or a table; head_grads: one for each head, ones where
---nil; retain_graph keeps the tape, create_graph records the gradients. train_mode is MXNet's and changes nothing:
---backward goes in the mode that the heads were computed in.
---@param heads? any
---@param head_grads? any
---@param retain_graph? any
---@param _? any
---@param create_graph? any
---@overload fun(heads?: any[]|hl.autograd.backward.options, head_grads?: any[]|hl.autograd.backward.options, retain_graph?: any|hl.autograd.backward.options, train_mode?: any|hl.autograd.backward.options, create_graph?: any|hl.autograd.backward.options): any
---@return any
function hl.autograd.backward(heads, head_grads, retain_graph, _, create_graph) end

---Checks every value that operators compute, forward and backward, eagerly and compiled, and raises at the first
---that has a NaN or an infinity: the error names the operator, or the one whose gradient it is, and the script's
---line. For fn, whose results it returns, or local _ <close> = autograd.detect_anomaly(). Compiled code runs operator
---by operator meanwhile, so it is slower.
---@param fn? any
---@return any
function hl.autograd.detect_anomaly(fn) end

---@class hl.autograd.grad.options
---@field [integer] any
---@field heads? any[]
---@field variables? any[]
---@field head_grads? any[]
---@field retain_graph? any
---@field create_graph? any
---@field train_mode? any

---grad(heads, variables, head_grads, retain_graph = create_graph, create_graph = false, train_mode = true): the
---gradients of heads with respect to variables, as new arrays; nothing is stored. A single variable gives a single
---array, a table a table. In compiled code too. train_mode: as backward's.
---@param heads? any
---@param variables? any
---@param head_grads? any
---@param retain_graph? any
---@param create_graph? any
---@overload fun(heads?: any[]|hl.autograd.grad.options, variables?: any[]|hl.autograd.grad.options, head_grads?: any[]|hl.autograd.grad.options, retain_graph?: any|hl.autograd.grad.options, create_graph?: any|hl.autograd.grad.options, train_mode?: any|hl.autograd.grad.options): any
---@return any
function hl.autograd.grad(heads, variables, head_grads, retain_graph, create_graph) end

---@return any
function hl.autograd.is_recording() end

---@return any
function hl.autograd.is_training() end

---@class hl.autograd.mark_variables.options
---@field [integer] any
---@field variables? any[]
---@field gradients? any[]
---@field grad_reqs? any[]

---Makes variables leaves whose gradients go into the given arrays.
---@param variables? any
---@param gradients? any
---@param grad_reqs? any
---@overload fun(variables?: any[]|hl.autograd.mark_variables.options, gradients?: any[]|hl.autograd.mark_variables.options, grad_reqs?: any[]|hl.autograd.mark_variables.options): any
---@return any
function hl.autograd.mark_variables(variables, gradients, grad_reqs) end

---@class hl.autograd.pause.options
---@field [integer] any
---@field fn? any
---@field train_mode? any

---Stops recording, in predict mode unless {train_mode = true}.
---@overload fun(fn?: any|hl.autograd.pause.options, train_mode?: any|hl.autograd.pause.options): any
---@return any
function hl.autograd.pause(...) end

---Predict mode, recording or not as before.
---@return any
function hl.autograd.predict_mode(...) end

---@class hl.autograd.record.options
---@field [integer] any
---@field fn? any
---@field train_mode? any
---@field carried? any

---Records operators for backward, in training mode unless {train_mode = false}. An array that was recorded
---before a backward that freed its graph (a hidden state carried into the next batch) is a constant here:
---gradients stop at it. {carried = "warn"} says so once, "cut" does it silently, "error" refuses it.
---@overload fun(fn?: any|hl.autograd.record.options, train_mode?: any|hl.autograd.record.options, carried?: any|hl.autograd.record.options): any
---@return any
function hl.autograd.record(...) end

---Sets the mode until the scope that it is called in ends, outside of any for good; returns what it was.
---@param on? any
---@return any
function hl.autograd.set_recording(on) end

---@param on? any
---@return any
function hl.autograd.set_training(on) end

---Training mode, recording or not as before.
---@return any
function hl.autograd.train_mode(...) end

---@class hl.lr_scheduler
hl.lr_scheduler = {}

---@class hl.lr_scheduler.CosineScheduler.options
---@field [integer] any
---@field max_update? integer
---@field base_lr? number Default: 0.01.
---@field final_lr? number Default: 0.
---@field warmup_steps? integer Default: 0.
---@field warmup_begin_lr? number Default: 0.
---@field warmup_mode? 'linear'|'constant' Default: 'linear'.

---CosineScheduler(max_update, base_lr = 0.01, final_lr = 0, ...): half a wave.
---@class hl.lr_scheduler.CosineScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(max_update?: integer|hl.lr_scheduler.CosineScheduler.options, base_lr?: number|hl.lr_scheduler.CosineScheduler.options, final_lr?: number|hl.lr_scheduler.CosineScheduler.options, warmup_steps?: integer|hl.lr_scheduler.CosineScheduler.options, warmup_begin_lr?: number|hl.lr_scheduler.CosineScheduler.options, warmup_mode?: 'linear'|'constant'|hl.lr_scheduler.CosineScheduler.options): hl.lr_scheduler.CosineScheduler
---@overload fun(options: hl.lr_scheduler.CosineScheduler.options): hl.lr_scheduler.CosineScheduler
hl.lr_scheduler.CosineScheduler = {}

---@param done? any
---@return any
function hl.lr_scheduler.CosineScheduler:shape(done) end

---@class hl.lr_scheduler.FactorScheduler.options
---@field [integer] any
---@field step? integer|integer[]
---@field factor? number Default: 1.
---@field stop_factor_lr? number Default: 1e-08.
---@field base_lr? number Default: 0.01.
---@field warmup_steps? integer Default: 0.
---@field warmup_begin_lr? number Default: 0.
---@field warmup_mode? 'linear'|'constant' Default: 'linear'.

---FactorScheduler(step, factor = 1, stop_factor_lr = 1e-8, base_lr = 0.01, ...): times factor
---every `step` updates, but never below stop_factor_lr.
---@class hl.lr_scheduler.FactorScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(step?: integer|integer[]|hl.lr_scheduler.FactorScheduler.options, factor?: number|hl.lr_scheduler.FactorScheduler.options, stop_factor_lr?: number|hl.lr_scheduler.FactorScheduler.options, base_lr?: number|hl.lr_scheduler.FactorScheduler.options, warmup_steps?: integer|hl.lr_scheduler.FactorScheduler.options, warmup_begin_lr?: number|hl.lr_scheduler.FactorScheduler.options, warmup_mode?: 'linear'|'constant'|hl.lr_scheduler.FactorScheduler.options): hl.lr_scheduler.FactorScheduler
---@overload fun(options: hl.lr_scheduler.FactorScheduler.options): hl.lr_scheduler.FactorScheduler
hl.lr_scheduler.FactorScheduler = {}

---@param num_update? any
---@return any
function hl.lr_scheduler.FactorScheduler:rate(num_update) end

---@class hl.lr_scheduler.LRScheduler.options
---@field [integer] any
---@field base_lr? number Default: 0.01.
---@field warmup_steps? integer Default: 0.
---@field warmup_begin_lr? number Default: 0.
---@field warmup_mode? 'linear'|'constant' Default: 'linear'.

---LRScheduler(base_lr = 0.01, warmup_steps = 0, warmup_begin_lr = 0, warmup_mode = "linear").
---A schedule of your own: LRScheduler:subclass "Mine" with rate(num_update).
---@class hl.lr_scheduler.LRScheduler
---@overload fun(base_lr?: number|hl.lr_scheduler.LRScheduler.options, warmup_steps?: integer|hl.lr_scheduler.LRScheduler.options, warmup_begin_lr?: number|hl.lr_scheduler.LRScheduler.options, warmup_mode?: 'linear'|'constant'|hl.lr_scheduler.LRScheduler.options): hl.lr_scheduler.LRScheduler
---@overload fun(options: hl.lr_scheduler.LRScheduler.options): hl.lr_scheduler.LRScheduler
hl.lr_scheduler.LRScheduler = {}

---The rate during the warmup.
---@param num_update? any
---@return any
function hl.lr_scheduler.LRScheduler:get_warmup_lr(num_update) end

---The rate after the warmup; override it.
---@return any
function hl.lr_scheduler.LRScheduler:rate() end

---Begins from another rate.
---@param lr? any
---@return any
function hl.lr_scheduler.LRScheduler:rebase(lr) end

---@param name? any
---@return any
function hl.lr_scheduler.LRScheduler:subclass(name, ...) end

---@class hl.lr_scheduler.MultiFactorScheduler.options
---@field [integer] any
---@field step? integer|integer[]
---@field factor? number Default: 1.
---@field base_lr? number Default: 0.01.
---@field warmup_steps? integer Default: 0.
---@field warmup_begin_lr? number Default: 0.
---@field warmup_mode? 'linear'|'constant' Default: 'linear'.

---MultiFactorScheduler(step, factor = 1, base_lr = 0.01, ...): times factor after each of the
---numbers of updates in the list `step`.
---@class hl.lr_scheduler.MultiFactorScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(step?: integer|integer[]|hl.lr_scheduler.MultiFactorScheduler.options, factor?: number|hl.lr_scheduler.MultiFactorScheduler.options, base_lr?: number|hl.lr_scheduler.MultiFactorScheduler.options, warmup_steps?: integer|hl.lr_scheduler.MultiFactorScheduler.options, warmup_begin_lr?: number|hl.lr_scheduler.MultiFactorScheduler.options, warmup_mode?: 'linear'|'constant'|hl.lr_scheduler.MultiFactorScheduler.options): hl.lr_scheduler.MultiFactorScheduler
---@overload fun(options: hl.lr_scheduler.MultiFactorScheduler.options): hl.lr_scheduler.MultiFactorScheduler
hl.lr_scheduler.MultiFactorScheduler = {}

---@param num_update? any
---@return any
function hl.lr_scheduler.MultiFactorScheduler:rate(num_update) end

---@class hl.lr_scheduler.PolyScheduler.options
---@field [integer] any
---@field max_update? integer
---@field base_lr? number Default: 0.01.
---@field pwr? number Default: 2.
---@field final_lr? number Default: 0.
---@field warmup_steps? integer Default: 0.
---@field warmup_begin_lr? number Default: 0.
---@field warmup_mode? 'linear'|'constant' Default: 'linear'.

---PolyScheduler(max_update, base_lr = 0.01, pwr = 2, final_lr = 0, ...): a power of what is left of the way.
---@class hl.lr_scheduler.PolyScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(max_update?: integer|hl.lr_scheduler.PolyScheduler.options, base_lr?: number|hl.lr_scheduler.PolyScheduler.options, pwr?: number|hl.lr_scheduler.PolyScheduler.options, final_lr?: number|hl.lr_scheduler.PolyScheduler.options, warmup_steps?: integer|hl.lr_scheduler.PolyScheduler.options, warmup_begin_lr?: number|hl.lr_scheduler.PolyScheduler.options, warmup_mode?: 'linear'|'constant'|hl.lr_scheduler.PolyScheduler.options): hl.lr_scheduler.PolyScheduler
---@overload fun(options: hl.lr_scheduler.PolyScheduler.options): hl.lr_scheduler.PolyScheduler
hl.lr_scheduler.PolyScheduler = {}

---@param done? any
---@return any
function hl.lr_scheduler.PolyScheduler:shape(done) end

---@class hl.lr_scheduler.ReduceLROnPlateau.options
---@field [integer] any
---@field trainer? any
---@field mode? string Default: 'min'.
---@field factor? number Default: 0.1.
---@field patience? number Default: 10.
---@field threshold? number Default: 0.0001.
---@field threshold_mode? string Default: 'rel'.
---@field cooldown? number Default: 0.
---@field min_lr? number Default: 0.
---@field eps? number Default: 1e-08.
---@field verbose? boolean Default: false.

---ReduceLROnPlateau(trainer, {mode = "min", factor = 0.1, patience = 10, threshold = 1e-4, threshold_mode = "rel",
---cooldown = 0, min_lr = 0, eps = 1e-8, verbose = false}): plateau:step(loss), called once an epoch, multiplies the
---learning rate of a Trainer (or Optimizer) by factor when the loss has not improved for more than `patience` calls.
---Better is less ("min") or more ("max") than the best by the part `threshold` of it ("rel"), or by threshold ("abs").
---After a reduction `cooldown` calls count no bad ones. The rate does not fall below min_lr, and a change of less
---than eps is not made. As PyTorch's class of this name.
---@class hl.lr_scheduler.ReduceLROnPlateau
---@overload fun(trainer?: any|hl.lr_scheduler.ReduceLROnPlateau.options, mode?: string|hl.lr_scheduler.ReduceLROnPlateau.options, factor?: number|hl.lr_scheduler.ReduceLROnPlateau.options, patience?: number|hl.lr_scheduler.ReduceLROnPlateau.options, threshold?: number|hl.lr_scheduler.ReduceLROnPlateau.options, threshold_mode?: string|hl.lr_scheduler.ReduceLROnPlateau.options, cooldown?: number|hl.lr_scheduler.ReduceLROnPlateau.options, min_lr?: number|hl.lr_scheduler.ReduceLROnPlateau.options, eps?: number|hl.lr_scheduler.ReduceLROnPlateau.options, verbose?: boolean|hl.lr_scheduler.ReduceLROnPlateau.options): hl.lr_scheduler.ReduceLROnPlateau
---@overload fun(options: hl.lr_scheduler.ReduceLROnPlateau.options): hl.lr_scheduler.ReduceLROnPlateau
hl.lr_scheduler.ReduceLROnPlateau = {}

---Is `value` better than the best so far?
---@param value? any
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:is_better(value) end

---Goes on from what state() gave.
---@param state? any
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:load_state(state) end

---Forgets what was measured.
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:reset() end

---What a later run needs to go on: a table of numbers, for load_state.
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:state() end

---Takes what was measured, a number or an array of one element; gives whether the rate was reduced.
---@param value? any
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:step(value) end

---@param name? any
---@return any
function hl.lr_scheduler.ReduceLROnPlateau:subclass(name, ...) end

---@class hl.metric
hl.metric = {}

---@class hl.metric.Accuracy.options
---@field [integer] any
---@field axis? integer Default: 1.
---@field name? string Default: 'accuracy'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.Accuracy: hl.metric.EvalMetric
---@overload fun(axis?: integer|hl.metric.Accuracy.options, name?: string|hl.metric.Accuracy.options, output_names?: any|hl.metric.Accuracy.options, label_names?: any|hl.metric.Accuracy.options, ignore_label?: any|hl.metric.Accuracy.options): hl.metric.Accuracy
---@overload fun(options: hl.metric.Accuracy.options): hl.metric.Accuracy
hl.metric.Accuracy = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.Accuracy:update_pair(label, pred) end

---@class hl.metric.Caffe.options
---@field [integer] any
---@field name? string Default: 'caffe'.
---@field output_names? any
---@field label_names? any

---@class hl.metric.Caffe: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.Caffe.options, output_names?: any|hl.metric.Caffe.options, label_names?: any|hl.metric.Caffe.options): hl.metric.Caffe
---@overload fun(options: hl.metric.Caffe.options): hl.metric.Caffe
hl.metric.Caffe = {}

---@class hl.metric.Caffe.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---@param _? any
---@param preds? any
---@overload fun(self: hl.metric.Caffe, labels?: any[]|hl.metric.Caffe.update.options, preds?: any[]|hl.metric.Caffe.update.options): any
---@return any
function hl.metric.Caffe:update(_, preds) end

---@class hl.metric.CompositeEvalMetric.options
---@field [integer] any
---@field metrics? any[]
---@field name? string Default: 'composite'.
---@field output_names? any
---@field label_names? any

---CompositeEvalMetric(metrics, name): several metrics of the same batches; get() gives two lists.
---@class hl.metric.CompositeEvalMetric: hl.metric.EvalMetric
---@overload fun(metrics?: any[]|hl.metric.CompositeEvalMetric.options, name?: string|hl.metric.CompositeEvalMetric.options, output_names?: any|hl.metric.CompositeEvalMetric.options, label_names?: any|hl.metric.CompositeEvalMetric.options): hl.metric.CompositeEvalMetric
---@overload fun(options: hl.metric.CompositeEvalMetric.options): hl.metric.CompositeEvalMetric
hl.metric.CompositeEvalMetric = {}

---Adds one more metric.
---@param item? any
---@return any
function hl.metric.CompositeEvalMetric:add(item) end

---@return any
function hl.metric.CompositeEvalMetric:get() end

---What metric.create(config) makes the metrics of again; config.metrics: each one's config.
---@return any
function hl.metric.CompositeEvalMetric:get_config() end

---@return any
function hl.metric.CompositeEvalMetric:get_global() end

---The i-th metric, from 0.
---@param i? any
---@return any
function hl.metric.CompositeEvalMetric:get_metric(i) end

---@return any
function hl.metric.CompositeEvalMetric:reset() end

---@return any
function hl.metric.CompositeEvalMetric:reset_local() end

---@class hl.metric.CompositeEvalMetric.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---@param labels? any
---@param preds? any
---@overload fun(self: hl.metric.CompositeEvalMetric, labels?: any[]|hl.metric.CompositeEvalMetric.update.options, preds?: any[]|hl.metric.CompositeEvalMetric.update.options): any
---@return any
function hl.metric.CompositeEvalMetric:update(labels, preds) end

---@class hl.metric.ConfusionMatrix.options
---@field [integer] any
---@field num_classes? any
---@field axis? integer Default: 1.
---@field normalize? any
---@field name? string Default: 'confusion_matrix'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.ConfusionMatrix: hl.metric.EvalMetric
---@overload fun(num_classes?: any|hl.metric.ConfusionMatrix.options, axis?: integer|hl.metric.ConfusionMatrix.options, normalize?: any|hl.metric.ConfusionMatrix.options, name?: string|hl.metric.ConfusionMatrix.options, output_names?: any|hl.metric.ConfusionMatrix.options, label_names?: any|hl.metric.ConfusionMatrix.options, ignore_label?: any|hl.metric.ConfusionMatrix.options): hl.metric.ConfusionMatrix
---@overload fun(options: hl.metric.ConfusionMatrix.options): hl.metric.ConfusionMatrix
hl.metric.ConfusionMatrix = {}

---The part of the samples that were predicted right; nan before the first.
---@return any
function hl.metric.ConfusionMatrix:accuracy() end

---@return any
function hl.metric.ConfusionMatrix:check() end

---@return any
function hl.metric.ConfusionMatrix:get() end

---@return any
function hl.metric.ConfusionMatrix:get_global() end

---The counts since the last reset: NDArray, int64, (true class, predicted class).
---@return any
function hl.metric.ConfusionMatrix:matrix() end

---Of the predictions of each class, the part that was right: a list.
---@return any
function hl.metric.ConfusionMatrix:precision() end

---Of the samples of each class, the part that was predicted so: a list.
---@return any
function hl.metric.ConfusionMatrix:recall() end

---@return any
function hl.metric.ConfusionMatrix:reset() end

---@return any
function hl.metric.ConfusionMatrix:reset_local() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.ConfusionMatrix:update_pair(label, pred) end

---@class hl.metric.CrossEntropy.options
---@field [integer] any
---@field eps? number Default: 1e-12.
---@field name? string Default: 'cross-entropy'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.CrossEntropy: hl.metric.EvalMetric
---@overload fun(eps?: number|hl.metric.CrossEntropy.options, name?: string|hl.metric.CrossEntropy.options, output_names?: any|hl.metric.CrossEntropy.options, label_names?: any|hl.metric.CrossEntropy.options, ignore_label?: any|hl.metric.CrossEntropy.options): hl.metric.CrossEntropy
---@overload fun(options: hl.metric.CrossEntropy.options): hl.metric.CrossEntropy
hl.metric.CrossEntropy = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.CrossEntropy:update_pair(label, pred) end

---@class hl.metric.CustomMetric.options
---@field [integer] any
---@field feval? any
---@field name? string
---@field allow_extra_outputs? any
---@field output_names? any
---@field label_names? any

---CustomMetric(feval, name, allow_extra_outputs): feval(label, pred) gives a batch's value, or a
---sum and a count.
---@class hl.metric.CustomMetric: hl.metric.EvalMetric
---@overload fun(feval?: any|hl.metric.CustomMetric.options, name?: string|hl.metric.CustomMetric.options, allow_extra_outputs?: any|hl.metric.CustomMetric.options, output_names?: any|hl.metric.CustomMetric.options, label_names?: any|hl.metric.CustomMetric.options): hl.metric.CustomMetric
---@overload fun(options: hl.metric.CustomMetric.options): hl.metric.CustomMetric
hl.metric.CustomMetric = {}

---@return any
function hl.metric.CustomMetric:check() end

---There is none: a function cannot be written into a file.
---@return any
function hl.metric.CustomMetric:get_config() end

---@class hl.metric.CustomMetric.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---@param labels? any
---@param preds? any
---@overload fun(self: hl.metric.CustomMetric, labels?: any[]|hl.metric.CustomMetric.update.options, preds?: any[]|hl.metric.CustomMetric.update.options): any
---@return any
function hl.metric.CustomMetric:update(labels, preds) end

---@class hl.metric.EvalMetric.options
---@field [integer] any
---@field name? string
---@field output_names? any
---@field label_names? any

---EvalMetric(name): the base. A metric of your own: EvalMetric:subclass "Mine" with
---update_pair(label, pred), which calls self:add(sum, count).
---@class hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.EvalMetric.options, output_names?: any|hl.metric.EvalMetric.options, label_names?: any|hl.metric.EvalMetric.options): hl.metric.EvalMetric
---@overload fun(options: hl.metric.EvalMetric.options): hl.metric.EvalMetric
hl.metric.EvalMetric = {}

---@class hl.metric.EvalMetric.add.options
---@field [integer] any
---@field sum? any
---@field count? integer

---Adds `count` samples whose values sum up to `sum`.
---@param sum? any
---@param count? any
---@overload fun(self: hl.metric.EvalMetric, sum?: any|hl.metric.EvalMetric.add.options, count?: integer|hl.metric.EvalMetric.add.options): any
---@return any
function hl.metric.EvalMetric:add(sum, count) end

---Name and value, since the last reset or reset_local.
---@return any
function hl.metric.EvalMetric:get() end

---What metric.create(config) makes the metric of again: a table of options, which a text of JSON may hold, too.
---@return any
function hl.metric.EvalMetric:get_config() end

---Name and value since the last reset.
---@return any
function hl.metric.EvalMetric:get_global() end

---@return any
function hl.metric.EvalMetric:get_global_name_value() end

---{ {name, value}, ... }
---@return any
function hl.metric.EvalMetric:get_name_value() end

---Forgets everything.
---@return any
function hl.metric.EvalMetric:reset() end

---Forgets what get() counts, not what get_global() does.
---@return any
function hl.metric.EvalMetric:reset_local() end

---@param name? any
---@return any
function hl.metric.EvalMetric:subclass(name, ...) end

---@class hl.metric.EvalMetric.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---Takes a batch: labels and predictions, arrays or lists of as many arrays. Numbers and tables of numbers are arrays,
---too. Errors name the metric.
---@param labels? any
---@param preds? any
---@overload fun(self: hl.metric.EvalMetric, labels?: any[]|hl.metric.EvalMetric.update.options, preds?: any[]|hl.metric.EvalMetric.update.options): any
---@return any
function hl.metric.EvalMetric:update(labels, preds) end

---@class hl.metric.EvalMetric.update_dict.options
---@field [integer] any
---@field labels? any
---@field preds? any

---The same with labels and predictions by name: update_dict({softmax_label = y}, {softmax_output = p}). Those that the
---options label_names and output_names name are taken, else all in the order of their names.
---@param labels? any
---@param preds? any
---@overload fun(self: hl.metric.EvalMetric, labels?: any|hl.metric.EvalMetric.update_dict.options, preds?: any|hl.metric.EvalMetric.update_dict.options): any
---@return any
function hl.metric.EvalMetric:update_dict(labels, preds) end

---One array of labels and one of predictions; override it.
---@return any
function hl.metric.EvalMetric:update_pair() end

---The value of a sum over n samples; override it if it is not the mean.
---@param sum? any
---@param count? any
---@return any
function hl.metric.EvalMetric:value(sum, count) end

---@class hl.metric.F1.options
---@field [integer] any
---@field name? string Default: 'f1'.
---@field output_names? any
---@field label_names? any
---@field average? string Default: 'macro'.
---@field ignore_label? any

---@class hl.metric.F1: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.F1.options, output_names?: any|hl.metric.F1.options, label_names?: any|hl.metric.F1.options, average?: string|hl.metric.F1.options, ignore_label?: any|hl.metric.F1.options): hl.metric.F1
---@overload fun(options: hl.metric.F1.options): hl.metric.F1
hl.metric.F1 = {}

---@return any
function hl.metric.F1:reset() end

---@return any
function hl.metric.F1:reset_local() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.F1:update_pair(label, pred) end

---@class hl.metric.Loss.options
---@field [integer] any
---@field name? string Default: 'loss'.
---@field output_names? any
---@field label_names? any

---Loss(name): the mean of the predictions themselves, which are losses.
---@class hl.metric.Loss: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.Loss.options, output_names?: any|hl.metric.Loss.options, label_names?: any|hl.metric.Loss.options): hl.metric.Loss
---@overload fun(options: hl.metric.Loss.options): hl.metric.Loss
hl.metric.Loss = {}

---@class hl.metric.Loss.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---@param _? any
---@param preds? any
---@overload fun(self: hl.metric.Loss, labels?: any[]|hl.metric.Loss.update.options, preds?: any[]|hl.metric.Loss.update.options): any
---@return any
function hl.metric.Loss:update(_, preds) end

---@class hl.metric.MAE.options
---@field [integer] any
---@field name? string Default: 'mae'.
---@field output_names? any
---@field label_names? any

---MAE(name), MSE(name), RMSE(name): the mean absolute and squared difference, and its root.
---@class hl.metric.MAE: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.MAE.options, output_names?: any|hl.metric.MAE.options, label_names?: any|hl.metric.MAE.options): hl.metric.MAE
---@overload fun(options: hl.metric.MAE.options): hl.metric.MAE
hl.metric.MAE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.MAE:update_pair(label, pred) end

---@class hl.metric.MCC.options
---@field [integer] any
---@field name? string Default: 'mcc'.
---@field output_names? any
---@field label_names? any
---@field average? string Default: 'macro'.
---@field ignore_label? any

---@class hl.metric.MCC: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.MCC.options, output_names?: any|hl.metric.MCC.options, label_names?: any|hl.metric.MCC.options, average?: string|hl.metric.MCC.options, ignore_label?: any|hl.metric.MCC.options): hl.metric.MCC
---@overload fun(options: hl.metric.MCC.options): hl.metric.MCC
hl.metric.MCC = {}

---@return any
function hl.metric.MCC:reset() end

---@return any
function hl.metric.MCC:reset_local() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.MCC:update_pair(label, pred) end

---@class hl.metric.MSE.options
---@field [integer] any
---@field name? string Default: 'mse'.
---@field output_names? any
---@field label_names? any

---@class hl.metric.MSE: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.MSE.options, output_names?: any|hl.metric.MSE.options, label_names?: any|hl.metric.MSE.options): hl.metric.MSE
---@overload fun(options: hl.metric.MSE.options): hl.metric.MSE
hl.metric.MSE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.MSE:update_pair(label, pred) end

---@class hl.metric.NegativeLogLikelihood.options
---@field [integer] any
---@field eps? number Default: 1e-12.
---@field name? string Default: 'nll-loss'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.NegativeLogLikelihood: hl.metric.EvalMetric
---@overload fun(eps?: number|hl.metric.NegativeLogLikelihood.options, name?: string|hl.metric.NegativeLogLikelihood.options, output_names?: any|hl.metric.NegativeLogLikelihood.options, label_names?: any|hl.metric.NegativeLogLikelihood.options, ignore_label?: any|hl.metric.NegativeLogLikelihood.options): hl.metric.NegativeLogLikelihood
---@overload fun(options: hl.metric.NegativeLogLikelihood.options): hl.metric.NegativeLogLikelihood
hl.metric.NegativeLogLikelihood = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.NegativeLogLikelihood:update_pair(label, pred) end

---@class hl.metric.PCC.options
---@field [integer] any
---@field name? string Default: 'pcc'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.PCC: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.PCC.options, output_names?: any|hl.metric.PCC.options, label_names?: any|hl.metric.PCC.options, ignore_label?: any|hl.metric.PCC.options): hl.metric.PCC
---@overload fun(options: hl.metric.PCC.options): hl.metric.PCC
hl.metric.PCC = {}

---@return any
function hl.metric.PCC:get() end

---@return any
function hl.metric.PCC:get_global() end

---@return any
function hl.metric.PCC:reset() end

---@return any
function hl.metric.PCC:reset_local() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.PCC:update_pair(label, pred) end

---@class hl.metric.PearsonCorrelation.options
---@field [integer] any
---@field name? string Default: 'pearsonr'.
---@field output_names? any
---@field label_names? any
---@field average? string Default: 'macro'.

---PearsonCorrelation(name, average = "macro"): the mean of the batches' correlations, or with
---"micro" that of all samples.
---@class hl.metric.PearsonCorrelation: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.PearsonCorrelation.options, output_names?: any|hl.metric.PearsonCorrelation.options, label_names?: any|hl.metric.PearsonCorrelation.options, average?: string|hl.metric.PearsonCorrelation.options): hl.metric.PearsonCorrelation
---@overload fun(options: hl.metric.PearsonCorrelation.options): hl.metric.PearsonCorrelation
hl.metric.PearsonCorrelation = {}

---@return any
function hl.metric.PearsonCorrelation:get() end

---@return any
function hl.metric.PearsonCorrelation:get_global() end

---@return any
function hl.metric.PearsonCorrelation:reset() end

---@return any
function hl.metric.PearsonCorrelation:reset_local() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.PearsonCorrelation:update_pair(label, pred) end

---@class hl.metric.Perplexity.options
---@field [integer] any
---@field ignore_label? any
---@field axis? integer Default: -1.
---@field name? string Default: 'perplexity'.
---@field output_names? any
---@field label_names? any

---@class hl.metric.Perplexity: hl.metric.EvalMetric
---@overload fun(ignore_label?: any|hl.metric.Perplexity.options, axis?: integer|hl.metric.Perplexity.options, name?: string|hl.metric.Perplexity.options, output_names?: any|hl.metric.Perplexity.options, label_names?: any|hl.metric.Perplexity.options): hl.metric.Perplexity
---@overload fun(options: hl.metric.Perplexity.options): hl.metric.Perplexity
hl.metric.Perplexity = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.Perplexity:update_pair(label, pred) end

---@param total_loss? any
---@param count? any
---@return any
function hl.metric.Perplexity:value(total_loss, count) end

---@class hl.metric.RMSE.options
---@field [integer] any
---@field name? string Default: 'rmse'.
---@field output_names? any
---@field label_names? any

---@class hl.metric.RMSE: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.RMSE.options, output_names?: any|hl.metric.RMSE.options, label_names?: any|hl.metric.RMSE.options): hl.metric.RMSE
---@overload fun(options: hl.metric.RMSE.options): hl.metric.RMSE
hl.metric.RMSE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.RMSE:update_pair(label, pred) end

---@class hl.metric.TopKAccuracy.options
---@field [integer] any
---@field top_k? integer Default: 1.
---@field name? string Default: 'top_k_accuracy'.
---@field output_names? any
---@field label_names? any
---@field ignore_label? any

---@class hl.metric.TopKAccuracy: hl.metric.EvalMetric
---@overload fun(top_k?: integer|hl.metric.TopKAccuracy.options, name?: string|hl.metric.TopKAccuracy.options, output_names?: any|hl.metric.TopKAccuracy.options, label_names?: any|hl.metric.TopKAccuracy.options, ignore_label?: any|hl.metric.TopKAccuracy.options): hl.metric.TopKAccuracy
---@overload fun(options: hl.metric.TopKAccuracy.options): hl.metric.TopKAccuracy
hl.metric.TopKAccuracy = {}

---@return any
function hl.metric.TopKAccuracy:check() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.TopKAccuracy:update_pair(label, pred) end

---@class hl.metric.Torch.options
---@field [integer] any
---@field name? string Default: 'torch'.
---@field output_names? any
---@field label_names? any

---@class hl.metric.Torch: hl.metric.EvalMetric
---@overload fun(name?: string|hl.metric.Torch.options, output_names?: any|hl.metric.Torch.options, label_names?: any|hl.metric.Torch.options): hl.metric.Torch
---@overload fun(options: hl.metric.Torch.options): hl.metric.Torch
hl.metric.Torch = {}

---@class hl.metric.Torch.update.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]

---@param _? any
---@param preds? any
---@overload fun(self: hl.metric.Torch, labels?: any[]|hl.metric.Torch.update.options, preds?: any[]|hl.metric.Torch.update.options): any
---@return any
function hl.metric.Torch:update(_, preds) end

---@class hl.metric.check_label_shapes.options
---@field [integer] any
---@field labels? any[]
---@field preds? any[]
---@field wrap? any
---@field shape? integer|integer[]

---Labels and predictions of a batch, once they were found to be as many (lists), or of the same shape (with `shape`).
---With `wrap` an array alone becomes a list of one.
---@param labels? any
---@param preds? any
---@param wrap? any
---@param shape? any
---@overload fun(labels?: any[]|hl.metric.check_label_shapes.options, preds?: any[]|hl.metric.check_label_shapes.options, wrap?: any|hl.metric.check_label_shapes.options, shape?: integer|integer[]|hl.metric.check_label_shapes.options): any
---@return any
function hl.metric.check_label_shapes(labels, preds, wrap, shape) end

---@class hl.metric.create.options
---@field [integer] any
---@field metric? any[]
---@field options? any

---A metric from its name ("acc"), a function feval(label, pred), a list of these, what get_config gave (a table, or
---its JSON), or itself. options: its arguments, of a list's metrics each one's. Errors: a name that is not registered.
---@param x? any
---@param options? any
---@overload fun(metric?: any[]|hl.metric.create.options, options?: any|hl.metric.create.options): any
---@return any
function hl.metric.create(x, options) end

---metric.np(feval, name, allow_extra_outputs): MXNet's name for CustomMetric; feval gets arrays here too.
---@param feval? any
---@return any
function hl.metric.np(feval, ...) end

---Lets create() find a class by its lower-case name and by further ones.
---@param cls? any
---@return any
function hl.metric.register(cls, ...) end

---@class hl.initializer
hl.initializer = {}

---@class hl.initializer.Bilinear.options
---@field [integer] any

---Bilinear(): the weights (.., .., height, width) of an upsampling deconvolution.
---@class hl.initializer.Bilinear: hl.initializer.Initializer
---@overload fun(): hl.initializer.Bilinear
---@overload fun(options: hl.initializer.Bilinear.options): hl.initializer.Bilinear
hl.initializer.Bilinear = {}

---@class hl.initializer.Constant.options
---@field [integer] any
---@field value? any[]

---Constant(value): a number, or an array of the parameter's shape.
---@class hl.initializer.Constant: hl.initializer.Initializer
---@overload fun(value?: any[]|hl.initializer.Constant.options): hl.initializer.Constant
---@overload fun(options: hl.initializer.Constant.options): hl.initializer.Constant
hl.initializer.Constant = {}

---@class hl.initializer.FusedRNN.options
---@field [integer] any
---@field init? string|hl.initializer.Initializer
---@field num_hidden? any
---@field num_layers? any
---@field mode? any
---@field bidirectional? boolean Default: false.
---@field forget_bias? number Default: 1.0.

---FusedRNN(init, num_hidden, num_layers, mode, bidirectional = false, forget_bias = 1): for the vector of all weights
---of the operator RNN, part by part: each matrix and bias by `init` (nil: by the initializer of the whole network)
---under its name, such as "l0_i2h_i_weight"; in mode "lstm" the biases of the forget gates are forget_bias. mode:
---"rnn_relu", "rnn_tanh", "lstm", "gru".
---@class hl.initializer.FusedRNN: hl.initializer.Initializer
---@overload fun(init?: string|hl.initializer.Initializer|hl.initializer.FusedRNN.options, num_hidden?: any|hl.initializer.FusedRNN.options, num_layers?: any|hl.initializer.FusedRNN.options, mode?: any|hl.initializer.FusedRNN.options, bidirectional?: boolean|hl.initializer.FusedRNN.options, forget_bias?: number|hl.initializer.FusedRNN.options): hl.initializer.FusedRNN
---@overload fun(options: hl.initializer.FusedRNN.options): hl.initializer.FusedRNN
hl.initializer.FusedRNN = {}

---@class hl.initializer.InitDesc.options
---@field [integer] any
---@field name? string
---@field attrs? any

---A name with the attributes of its variable; __init__ among them overrules the initializer.
---@param name? any
---@param attrs? any
---@overload fun(name?: string|hl.initializer.InitDesc.options, attrs?: any|hl.initializer.InitDesc.options): any
---@return any
function hl.initializer.InitDesc(name, attrs) end

---@class hl.initializer.Initializer.options
---@field [integer] any

---@class hl.initializer.Initializer
---@overload fun(): hl.initializer.Initializer
---@overload fun(options: hl.initializer.Initializer.options): hl.initializer.Initializer
hl.initializer.Initializer = {}

---@class hl.initializer.Initializer.apply.options
---@field [integer] any
---@field name? string
---@field array? any
---@field forced? any
---@field default? any

---Fills `array` for the parameter `name` (or an InitDesc). forced: as a weight, whatever the name is. default: the
---initializer of the whole network, for one that falls back to it.
---@param name? any
---@param array? any
---@param forced? any
---@param default? any
---@overload fun(self: hl.initializer.Initializer, name?: string|hl.initializer.Initializer.apply.options, array?: any|hl.initializer.Initializer.apply.options, forced?: any|hl.initializer.Initializer.apply.options, default?: any|hl.initializer.Initializer.apply.options): any
---@return any
function hl.initializer.Initializer:apply(name, array, forced, default) end

---MXNet's text: ["xavier", {"rnd_type": "uniform", ...}].
---@return any
function hl.initializer.Initializer:dumps() end

---@param name? any
---@return any
function hl.initializer.Initializer:subclass(name, ...) end

---@class hl.initializer.LSTMBias.options
---@field [integer] any
---@field forget_bias? number Default: 1.0.

---LSTMBias(forget_bias = 1.0): zeros, and forget_bias for the forget gate, the second of four.
---@class hl.initializer.LSTMBias: hl.initializer.Initializer
---@overload fun(forget_bias?: number|hl.initializer.LSTMBias.options): hl.initializer.LSTMBias
---@overload fun(options: hl.initializer.LSTMBias.options): hl.initializer.LSTMBias
hl.initializer.LSTMBias = {}

---@class hl.initializer.Load.options
---@field [integer] any
---@field param? any
---@field default_init? any
---@field verbose? any

---Load(file or table of arrays by name, default_init): values from arrays, by name. (verbose, for MXNet's log,
---changes nothing.)
---@class hl.initializer.Load: hl.initializer.Initializer
---@overload fun(param?: any|hl.initializer.Load.options, default_init?: any|hl.initializer.Load.options, verbose?: any|hl.initializer.Load.options): hl.initializer.Load
---@overload fun(options: hl.initializer.Load.options): hl.initializer.Load
hl.initializer.Load = {}

---@class hl.initializer.Load.apply.options
---@field [integer] any
---@field name? string
---@field array? any
---@field forced? any
---@field default? any

---@param name? any
---@param array? any
---@param forced? any
---@overload fun(self: hl.initializer.Load, name?: string|hl.initializer.Load.apply.options, array?: any|hl.initializer.Load.apply.options, forced?: any|hl.initializer.Load.apply.options, default?: any|hl.initializer.Load.apply.options): any
---@return any
function hl.initializer.Load:apply(name, array, forced) end

---@class hl.initializer.MSRAPrelu.options
---@field [integer] any
---@field factor_type? 'avg'|'in'|'out' Default: 'avg'.
---@field slope? number Default: 0.25.

---MSRAPrelu(factor_type = "avg", slope = 0.25): for layers before a (leaky) ReLU. He et al.,
---"Delving deep into rectifiers", 2015.
---@class hl.initializer.MSRAPrelu: hl.initializer.Initializer
---@overload fun(factor_type?: 'avg'|'in'|'out'|hl.initializer.MSRAPrelu.options, slope?: number|hl.initializer.MSRAPrelu.options): hl.initializer.MSRAPrelu
---@overload fun(options: hl.initializer.MSRAPrelu.options): hl.initializer.MSRAPrelu
hl.initializer.MSRAPrelu = {}

---@class hl.initializer.Mixed.options
---@field [integer] any
---@field patterns? any[]
---@field initializers? any[]

---Mixed(patterns, initializers): the first pattern (a regular expression that must match
---from the name's beginning) chooses the initializer.
---@class hl.initializer.Mixed: hl.initializer.Initializer
---@overload fun(patterns?: any[]|hl.initializer.Mixed.options, initializers?: any[]|hl.initializer.Mixed.options): hl.initializer.Mixed
---@overload fun(options: hl.initializer.Mixed.options): hl.initializer.Mixed
hl.initializer.Mixed = {}

---@class hl.initializer.Mixed.apply.options
---@field [integer] any
---@field name? string
---@field array? any
---@field forced? any
---@field default? any

---@param name? any
---@param array? any
---@param forced? any
---@overload fun(self: hl.initializer.Mixed, name?: string|hl.initializer.Mixed.apply.options, array?: any|hl.initializer.Mixed.apply.options, forced?: any|hl.initializer.Mixed.apply.options, default?: any|hl.initializer.Mixed.apply.options): any
---@return any
function hl.initializer.Mixed:apply(name, array, forced) end

---@class hl.initializer.Normal.options
---@field [integer] any
---@field sigma? number Default: 0.01.

---Normal(sigma = 0.01): around 0 with this standard deviation.
---@class hl.initializer.Normal: hl.initializer.Initializer
---@overload fun(sigma?: number|hl.initializer.Normal.options): hl.initializer.Normal
---@overload fun(options: hl.initializer.Normal.options): hl.initializer.Normal
hl.initializer.Normal = {}

---@class hl.initializer.One.options
---@field [integer] any

---@class hl.initializer.One: hl.initializer.Initializer
---@overload fun(): hl.initializer.One
---@overload fun(options: hl.initializer.One.options): hl.initializer.One
hl.initializer.One = {}

---@class hl.initializer.Orthogonal.options
---@field [integer] any
---@field scale? number Default: 1.414.
---@field rand_type? string Default: 'uniform'.

---Orthogonal(scale = 1.414, rand_type = "uniform"): orthogonal rows, or columns where there
---are more rows than columns, all as long as scale. Saxe et al., "Exact solutions to the
---nonlinear dynamics of learning in deep linear neural networks", 2013.
---@class hl.initializer.Orthogonal: hl.initializer.Initializer
---@overload fun(scale?: number|hl.initializer.Orthogonal.options, rand_type?: string|hl.initializer.Orthogonal.options): hl.initializer.Orthogonal
---@overload fun(options: hl.initializer.Orthogonal.options): hl.initializer.Orthogonal
hl.initializer.Orthogonal = {}

---@class hl.initializer.Uniform.options
---@field [integer] any
---@field scale? number Default: 0.07.

---Uniform(scale = 0.07): between -scale and scale.
---@class hl.initializer.Uniform: hl.initializer.Initializer
---@overload fun(scale?: number|hl.initializer.Uniform.options): hl.initializer.Uniform
---@overload fun(options: hl.initializer.Uniform.options): hl.initializer.Uniform
hl.initializer.Uniform = {}

---@class hl.initializer.Xavier.options
---@field [integer] any
---@field rnd_type? 'uniform'|'gaussian' Default: 'uniform'.
---@field factor_type? 'avg'|'in'|'out' Default: 'avg'.
---@field magnitude? number Default: 3.

---Xavier(rnd_type = "uniform", factor_type = "avg", magnitude = 3): keeps the scale of what
---flows through a layer. rnd_type: "uniform", "gaussian"; factor_type: "avg", "in", "out".
---@class hl.initializer.Xavier: hl.initializer.Initializer
---@overload fun(rnd_type?: 'uniform'|'gaussian'|hl.initializer.Xavier.options, factor_type?: 'avg'|'in'|'out'|hl.initializer.Xavier.options, magnitude?: number|hl.initializer.Xavier.options): hl.initializer.Xavier
---@overload fun(options: hl.initializer.Xavier.options): hl.initializer.Xavier
hl.initializer.Xavier = {}

---@class hl.initializer.Zero.options
---@field [integer] any

---@class hl.initializer.Zero: hl.initializer.Initializer
---@overload fun(): hl.initializer.Zero
---@overload fun(options: hl.initializer.Zero.options): hl.initializer.Zero
hl.initializer.Zero = {}

---The text that a variable's __init__ holds: a name as it is, else dumps().
---@param x? any
---@return any
function hl.initializer._attribute(x) end

---alias("mine", "my")(Mine): create() finds the class by these names too.
---@return any
function hl.initializer.alias(...) end

---An initializer from an object, a name ("xavier"), a name with options
---(create("xavier", {magnitude = 2}), create{"xavier", magnitude = 2}) or what dumps() wrote;
---nil from nil. Errors: a name that is not registered.
---@param x? any
---@param options? any
---@return any
function hl.initializer.create(x, options) end

---@class hl.initializer.register.options
---@field [integer] any
---@field cls? any
---@field alias? any

---Lets create() find a class by its lower-case name, and by a second one.
---@param cls? any
---@param alias? any
---@overload fun(cls?: any|hl.initializer.register.options, alias?: any|hl.initializer.register.options): any
---@return any
function hl.initializer.register(cls, alias) end

---@class hl.optimizer
hl.optimizer = {}

---@class hl.optimizer.AdaDelta.options
---@field [integer] any
---@field rho? number Default: 0.9.
---@field epsilon? number Default: 1e-05.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---AdaDelta{rho = 0.9, epsilon = 1e-5}: steps in the weight's own unit; it has no learning
---rate. Zeiler, 2012.
---@class hl.optimizer.AdaDelta: hl.optimizer.Optimizer
---@overload fun(rho?: number|hl.optimizer.AdaDelta.options, epsilon?: number|hl.optimizer.AdaDelta.options, learning_rate?: number|hl.optimizer.AdaDelta.options, wd?: number|hl.optimizer.AdaDelta.options, rescale_grad?: number|hl.optimizer.AdaDelta.options, clip_gradient?: number|hl.optimizer.AdaDelta.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.AdaDelta.options, begin_num_update?: integer|hl.optimizer.AdaDelta.options, multi_precision?: boolean|hl.optimizer.AdaDelta.options, param_idx2name?: any|hl.optimizer.AdaDelta.options, param_dict?: any|hl.optimizer.AdaDelta.options, sym?: any|hl.optimizer.AdaDelta.options): hl.optimizer.AdaDelta
---@overload fun(options: hl.optimizer.AdaDelta.options): hl.optimizer.AdaDelta
hl.optimizer.AdaDelta = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.AdaDelta:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.AdaDelta:step(call) end

---@class hl.optimizer.AdaGrad.options
---@field [integer] any
---@field eps? number Default: 1e-07.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---AdaGrad{eps = 1e-7}: the rate falls with the sum of squared gradients. Duchi et al., 2011.
---@class hl.optimizer.AdaGrad: hl.optimizer.Optimizer
---@overload fun(eps?: number|hl.optimizer.AdaGrad.options, learning_rate?: number|hl.optimizer.AdaGrad.options, wd?: number|hl.optimizer.AdaGrad.options, rescale_grad?: number|hl.optimizer.AdaGrad.options, clip_gradient?: number|hl.optimizer.AdaGrad.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.AdaGrad.options, begin_num_update?: integer|hl.optimizer.AdaGrad.options, multi_precision?: boolean|hl.optimizer.AdaGrad.options, param_idx2name?: any|hl.optimizer.AdaGrad.options, param_dict?: any|hl.optimizer.AdaGrad.options, sym?: any|hl.optimizer.AdaGrad.options): hl.optimizer.AdaGrad
---@overload fun(options: hl.optimizer.AdaGrad.options): hl.optimizer.AdaGrad
hl.optimizer.AdaGrad = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.AdaGrad:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.AdaGrad:step(call) end

---@class hl.optimizer.Adam.options
---@field [integer] any
---@field learning_rate? number
---@field beta1? number Default: 0.9.
---@field beta2? number Default: 0.999.
---@field epsilon? number Default: 1e-08.
---@field lazy_update? boolean Default: true.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---Adam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8}. Kingma and Ba, 2014. The correction of the
---bias is in the learning rate, as in the paper's section 2.
---@class hl.optimizer.Adam: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.Adam.options, beta1?: number|hl.optimizer.Adam.options, beta2?: number|hl.optimizer.Adam.options, epsilon?: number|hl.optimizer.Adam.options, lazy_update?: boolean|hl.optimizer.Adam.options, wd?: number|hl.optimizer.Adam.options, rescale_grad?: number|hl.optimizer.Adam.options, clip_gradient?: number|hl.optimizer.Adam.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Adam.options, begin_num_update?: integer|hl.optimizer.Adam.options, multi_precision?: boolean|hl.optimizer.Adam.options, param_idx2name?: any|hl.optimizer.Adam.options, param_dict?: any|hl.optimizer.Adam.options, sym?: any|hl.optimizer.Adam.options): hl.optimizer.Adam
---@overload fun(options: hl.optimizer.Adam.options): hl.optimizer.Adam
hl.optimizer.Adam = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Adam:create_state(_, weight) end

---@param call? any
---@param _? any
---@param index? any
---@return any
function hl.optimizer.Adam:step(call, _, index) end

---@class hl.optimizer.AdamW.options
---@field [integer] any
---@field learning_rate? number
---@field beta1? number Default: 0.9.
---@field beta2? number Default: 0.999.
---@field epsilon? number Default: 1e-08.
---@field correct_bias? boolean Default: true.
---@field wd? number Default: 0.01.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---AdamW{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, correct_bias = true, wd = 0.01}: Adam with the weight decay
---apart from the gradient, at the learning rate: weight = weight - lr (step of Adam + wd weight). Loshchilov and
---Hutter, 2017. The decay is PyTorch's; epsilon is Adam's here, added before the bias is corrected. (MXNet 1.9.1
---has the operator only.)
---@class hl.optimizer.AdamW: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.AdamW.options, beta1?: number|hl.optimizer.AdamW.options, beta2?: number|hl.optimizer.AdamW.options, epsilon?: number|hl.optimizer.AdamW.options, correct_bias?: boolean|hl.optimizer.AdamW.options, wd?: number|hl.optimizer.AdamW.options, rescale_grad?: number|hl.optimizer.AdamW.options, clip_gradient?: number|hl.optimizer.AdamW.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.AdamW.options, begin_num_update?: integer|hl.optimizer.AdamW.options, multi_precision?: boolean|hl.optimizer.AdamW.options, param_idx2name?: any|hl.optimizer.AdamW.options, param_dict?: any|hl.optimizer.AdamW.options, sym?: any|hl.optimizer.AdamW.options): hl.optimizer.AdamW
---@overload fun(options: hl.optimizer.AdamW.options): hl.optimizer.AdamW
hl.optimizer.AdamW = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.AdamW:create_state(_, weight) end

---@param call? any
---@param _? any
---@param index? any
---@return any
function hl.optimizer.AdamW:step(call, _, index) end

---@class hl.optimizer.Adamax.options
---@field [integer] any
---@field learning_rate? number
---@field beta1? number Default: 0.9.
---@field beta2? number Default: 0.999.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---Adamax{beta1 = 0.9, beta2 = 0.999}: Adam by the largest gradient. Kingma and Ba, 2014, section 7.
---@class hl.optimizer.Adamax: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.Adamax.options, beta1?: number|hl.optimizer.Adamax.options, beta2?: number|hl.optimizer.Adamax.options, wd?: number|hl.optimizer.Adamax.options, rescale_grad?: number|hl.optimizer.Adamax.options, clip_gradient?: number|hl.optimizer.Adamax.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Adamax.options, begin_num_update?: integer|hl.optimizer.Adamax.options, multi_precision?: boolean|hl.optimizer.Adamax.options, param_idx2name?: any|hl.optimizer.Adamax.options, param_dict?: any|hl.optimizer.Adamax.options, sym?: any|hl.optimizer.Adamax.options): hl.optimizer.Adamax
---@overload fun(options: hl.optimizer.Adamax.options): hl.optimizer.Adamax
hl.optimizer.Adamax = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Adamax:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.Adamax:update(index, weight, grad, state) end

---@class hl.optimizer.DCASGD.options
---@field [integer] any
---@field momentum? number Default: 0.0.
---@field lamda? number Default: 0.04.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---DCASGD{momentum = 0, lamda = 0.04}: makes up for gradients that come late. Zheng et al., 2016.
---@class hl.optimizer.DCASGD: hl.optimizer.Optimizer
---@overload fun(momentum?: number|hl.optimizer.DCASGD.options, lamda?: number|hl.optimizer.DCASGD.options, learning_rate?: number|hl.optimizer.DCASGD.options, wd?: number|hl.optimizer.DCASGD.options, rescale_grad?: number|hl.optimizer.DCASGD.options, clip_gradient?: number|hl.optimizer.DCASGD.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.DCASGD.options, begin_num_update?: integer|hl.optimizer.DCASGD.options, multi_precision?: boolean|hl.optimizer.DCASGD.options, param_idx2name?: any|hl.optimizer.DCASGD.options, param_dict?: any|hl.optimizer.DCASGD.options, sym?: any|hl.optimizer.DCASGD.options): hl.optimizer.DCASGD
---@overload fun(options: hl.optimizer.DCASGD.options): hl.optimizer.DCASGD
hl.optimizer.DCASGD = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.DCASGD:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.DCASGD:update(index, weight, grad, state) end

---@class hl.optimizer.FTML.options
---@field [integer] any
---@field beta1? number Default: 0.6.
---@field beta2? number Default: 0.999.
---@field epsilon? number Default: 1e-08.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---FTML{beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8}: follow the moving leader. Zheng and Kwok, 2017.
---@class hl.optimizer.FTML: hl.optimizer.Optimizer
---@overload fun(beta1?: number|hl.optimizer.FTML.options, beta2?: number|hl.optimizer.FTML.options, epsilon?: number|hl.optimizer.FTML.options, learning_rate?: number|hl.optimizer.FTML.options, wd?: number|hl.optimizer.FTML.options, rescale_grad?: number|hl.optimizer.FTML.options, clip_gradient?: number|hl.optimizer.FTML.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.FTML.options, begin_num_update?: integer|hl.optimizer.FTML.options, multi_precision?: boolean|hl.optimizer.FTML.options, param_idx2name?: any|hl.optimizer.FTML.options, param_dict?: any|hl.optimizer.FTML.options, sym?: any|hl.optimizer.FTML.options): hl.optimizer.FTML
---@overload fun(options: hl.optimizer.FTML.options): hl.optimizer.FTML
hl.optimizer.FTML = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.FTML:create_state(_, weight) end

---@param call? any
---@param _? any
---@param index? any
---@return any
function hl.optimizer.FTML:step(call, _, index) end

---@class hl.optimizer.Ftrl.options
---@field [integer] any
---@field lamda1? number Default: 0.01.
---@field learning_rate? number
---@field beta? number Default: 1.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---Ftrl{lamda1 = 0.01, beta = 1}: follow the regularised leader. McMahan et al., "Ad click
---prediction", 2013.
---@class hl.optimizer.Ftrl: hl.optimizer.Optimizer
---@overload fun(lamda1?: number|hl.optimizer.Ftrl.options, learning_rate?: number|hl.optimizer.Ftrl.options, beta?: number|hl.optimizer.Ftrl.options, wd?: number|hl.optimizer.Ftrl.options, rescale_grad?: number|hl.optimizer.Ftrl.options, clip_gradient?: number|hl.optimizer.Ftrl.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Ftrl.options, begin_num_update?: integer|hl.optimizer.Ftrl.options, multi_precision?: boolean|hl.optimizer.Ftrl.options, param_idx2name?: any|hl.optimizer.Ftrl.options, param_dict?: any|hl.optimizer.Ftrl.options, sym?: any|hl.optimizer.Ftrl.options): hl.optimizer.Ftrl
---@overload fun(options: hl.optimizer.Ftrl.options): hl.optimizer.Ftrl
hl.optimizer.Ftrl = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Ftrl:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.Ftrl:step(call) end

---@class hl.optimizer.LAMB.options
---@field [integer] any
---@field learning_rate? number
---@field beta1? number Default: 0.9.
---@field beta2? number Default: 0.999.
---@field epsilon? number Default: 1e-06.
---@field lower_bound? any
---@field upper_bound? any
---@field bias_correction? boolean Default: true.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---LAMB{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, lower_bound = nil, upper_bound = nil,
---bias_correction = true}: Adam with a rate for each layer by the norms of its weight and its
---step. You et al., "Large batch optimization", 2019.
---@class hl.optimizer.LAMB: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.LAMB.options, beta1?: number|hl.optimizer.LAMB.options, beta2?: number|hl.optimizer.LAMB.options, epsilon?: number|hl.optimizer.LAMB.options, lower_bound?: any|hl.optimizer.LAMB.options, upper_bound?: any|hl.optimizer.LAMB.options, bias_correction?: boolean|hl.optimizer.LAMB.options, wd?: number|hl.optimizer.LAMB.options, rescale_grad?: number|hl.optimizer.LAMB.options, clip_gradient?: number|hl.optimizer.LAMB.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.LAMB.options, begin_num_update?: integer|hl.optimizer.LAMB.options, multi_precision?: boolean|hl.optimizer.LAMB.options, param_idx2name?: any|hl.optimizer.LAMB.options, param_dict?: any|hl.optimizer.LAMB.options, sym?: any|hl.optimizer.LAMB.options): hl.optimizer.LAMB
---@overload fun(options: hl.optimizer.LAMB.options): hl.optimizer.LAMB
hl.optimizer.LAMB = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.LAMB:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.LAMB:update(index, weight, grad, state) end

---@class hl.optimizer.LARS.options
---@field [integer] any
---@field momentum? number Default: 0.0.
---@field lazy_update? boolean Default: true.
---@field eta? number Default: 0.001.
---@field eps? number Default: 0.
---@field momentum_correction? boolean Default: true.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---LARS{momentum = 0, eta = 0.001, eps = 0, momentum_correction = true}: SGD with a rate for each
---layer by the norms of its weight and gradient; biases, gammas and betas take the common
---rate. You et al., 2017.
---@class hl.optimizer.LARS: hl.optimizer.Optimizer
---@overload fun(momentum?: number|hl.optimizer.LARS.options, lazy_update?: boolean|hl.optimizer.LARS.options, eta?: number|hl.optimizer.LARS.options, eps?: number|hl.optimizer.LARS.options, momentum_correction?: boolean|hl.optimizer.LARS.options, learning_rate?: number|hl.optimizer.LARS.options, wd?: number|hl.optimizer.LARS.options, rescale_grad?: number|hl.optimizer.LARS.options, clip_gradient?: number|hl.optimizer.LARS.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.LARS.options, begin_num_update?: integer|hl.optimizer.LARS.options, multi_precision?: boolean|hl.optimizer.LARS.options, param_idx2name?: any|hl.optimizer.LARS.options, param_dict?: any|hl.optimizer.LARS.options, sym?: any|hl.optimizer.LARS.options): hl.optimizer.LARS
---@overload fun(options: hl.optimizer.LARS.options): hl.optimizer.LARS
hl.optimizer.LARS = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.LARS:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.LARS:update(index, weight, grad, state) end

---@class hl.optimizer.LBSGD.options
---@field [integer] any
---@field momentum? number Default: 0.0.
---@field warmup_strategy? string Default: 'linear'.
---@field warmup_epochs? number Default: 5.
---@field batch_scale? number Default: 1.
---@field updates_per_epoch? number Default: 32.
---@field begin_epoch? number Default: 0.
---@field num_epochs? number Default: 60.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---LBSGD{momentum = 0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1, updates_per_epoch = 32,
---begin_epoch = 0}: SGD on the mean of batch_scale gradients, its rate growing to batch_scale
---times the base's during the warmup ("linear", "power2", "sqrt"), or by norms ("lars").
---@class hl.optimizer.LBSGD: hl.optimizer.Optimizer
---@overload fun(momentum?: number|hl.optimizer.LBSGD.options, warmup_strategy?: string|hl.optimizer.LBSGD.options, warmup_epochs?: number|hl.optimizer.LBSGD.options, batch_scale?: number|hl.optimizer.LBSGD.options, updates_per_epoch?: number|hl.optimizer.LBSGD.options, begin_epoch?: number|hl.optimizer.LBSGD.options, num_epochs?: number|hl.optimizer.LBSGD.options, learning_rate?: number|hl.optimizer.LBSGD.options, wd?: number|hl.optimizer.LBSGD.options, rescale_grad?: number|hl.optimizer.LBSGD.options, clip_gradient?: number|hl.optimizer.LBSGD.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.LBSGD.options, begin_num_update?: integer|hl.optimizer.LBSGD.options, multi_precision?: boolean|hl.optimizer.LBSGD.options, param_idx2name?: any|hl.optimizer.LBSGD.options, param_dict?: any|hl.optimizer.LBSGD.options, sym?: any|hl.optimizer.LBSGD.options): hl.optimizer.LBSGD
---@overload fun(options: hl.optimizer.LBSGD.options): hl.optimizer.LBSGD
hl.optimizer.LBSGD = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.LBSGD:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.LBSGD:update(index, weight, grad, state) end

---@class hl.optimizer.NAG.options
---@field [integer] any
---@field momentum? number Default: 0.0.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---NAG{momentum = 0}: Nesterov's momentum, which looks ahead.
---@class hl.optimizer.NAG: hl.optimizer.Optimizer
---@overload fun(momentum?: number|hl.optimizer.NAG.options, learning_rate?: number|hl.optimizer.NAG.options, wd?: number|hl.optimizer.NAG.options, rescale_grad?: number|hl.optimizer.NAG.options, clip_gradient?: number|hl.optimizer.NAG.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.NAG.options, begin_num_update?: integer|hl.optimizer.NAG.options, multi_precision?: boolean|hl.optimizer.NAG.options, param_idx2name?: any|hl.optimizer.NAG.options, param_dict?: any|hl.optimizer.NAG.options, sym?: any|hl.optimizer.NAG.options): hl.optimizer.NAG
---@overload fun(options: hl.optimizer.NAG.options): hl.optimizer.NAG
hl.optimizer.NAG = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.NAG:create_state(_, weight) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.NAG:update(index, weight, grad, state) end

---@class hl.optimizer.Nadam.options
---@field [integer] any
---@field learning_rate? number
---@field beta1? number Default: 0.9.
---@field beta2? number Default: 0.999.
---@field epsilon? number Default: 1e-08.
---@field schedule_decay? number Default: 0.004.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---Nadam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004}: Adam with
---Nesterov's momentum. Dozat, 2016.
---@class hl.optimizer.Nadam: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.Nadam.options, beta1?: number|hl.optimizer.Nadam.options, beta2?: number|hl.optimizer.Nadam.options, epsilon?: number|hl.optimizer.Nadam.options, schedule_decay?: number|hl.optimizer.Nadam.options, wd?: number|hl.optimizer.Nadam.options, rescale_grad?: number|hl.optimizer.Nadam.options, clip_gradient?: number|hl.optimizer.Nadam.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Nadam.options, begin_num_update?: integer|hl.optimizer.Nadam.options, multi_precision?: boolean|hl.optimizer.Nadam.options, param_idx2name?: any|hl.optimizer.Nadam.options, param_dict?: any|hl.optimizer.Nadam.options, sym?: any|hl.optimizer.Nadam.options): hl.optimizer.Nadam
---@overload fun(options: hl.optimizer.Nadam.options): hl.optimizer.Nadam
hl.optimizer.Nadam = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Nadam:create_state(_, weight) end

---@return any
function hl.optimizer.Nadam:get_numbers() end

---@param numbers? any
---@return any
function hl.optimizer.Nadam:set_numbers(numbers) end

---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.Nadam:update(index, weight, grad, state) end

---@class hl.optimizer.Optimizer.options
---@field [integer] any
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---@class hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.Optimizer.options, wd?: number|hl.optimizer.Optimizer.options, rescale_grad?: number|hl.optimizer.Optimizer.options, clip_gradient?: number|hl.optimizer.Optimizer.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Optimizer.options, begin_num_update?: integer|hl.optimizer.Optimizer.options, multi_precision?: boolean|hl.optimizer.Optimizer.options, param_idx2name?: any|hl.optimizer.Optimizer.options, param_dict?: any|hl.optimizer.Optimizer.options, sym?: any|hl.optimizer.Optimizer.options): hl.optimizer.Optimizer
---@overload fun(options: hl.optimizer.Optimizer.options): hl.optimizer.Optimizer
hl.optimizer.Optimizer = {}

---The state of a parameter: nil, an array or a list of arrays. Override it where there is one.
---@return any
function hl.optimizer.Optimizer:create_state() end

---As create_state; with multi_precision a float16 weight has a float32 copy: { copy, state }.
---@param index? any
---@param weight? any
---@return any
function hl.optimizer.Optimizer:create_state_multi_precision(index, weight) end

---The learning rate now. With a scheduler it depends on the number of updates.
---@return any
function hl.optimizer.Optimizer:get_learning_rate() end

---Numbers besides the states that a later run needs to go on the same way; read by
---Updater:get_states, given back to set_numbers.
---@return any
function hl.optimizer.Optimizer:get_numbers() end

---The reader of a rule's arguments: its own names, then everyone's.
---@param names? any
---@param defaults? any
---@return any
function hl.optimizer.Optimizer:reader(names, defaults) end

---Errors where a scheduler sets the rate.
---@param lr? any
---@return any
function hl.optimizer.Optimizer:set_learning_rate(lr) end

---Multipliers of the learning rate, by name or index of the parameter.
---@param multipliers? any
---@return any
function hl.optimizer.Optimizer:set_lr_mult(multipliers) end

---@param numbers? any
---@return any
function hl.optimizer.Optimizer:set_numbers(numbers) end

---Multipliers of the weight decay. Parameters named by param_idx2name that are neither
---weights nor gammas do not decay unless these say so.
---@param multipliers? any
---@return any
function hl.optimizer.Optimizer:set_wd_mult(multipliers) end

---@param name? any
---@return any
function hl.optimizer.Optimizer:subclass(name, ...) end

---Changes weight and state. Override it, or define step.
---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.Optimizer:update(index, weight, grad, state) end

---As update, for such states.
---@param index? any
---@param weight? any
---@param grad? any
---@param state? any
---@return any
function hl.optimizer.Optimizer:update_multi_precision(index, weight, grad, state) end

---Zeros like the weight, n of them in a list (1 where n is nil, without the list).
---@param n? any
---@return any
function hl.optimizer.Optimizer:zeros(n) end

---@class hl.optimizer.RMSProp.options
---@field [integer] any
---@field learning_rate? number
---@field gamma1? number Default: 0.9.
---@field gamma2? number Default: 0.9.
---@field epsilon? number Default: 1e-08.
---@field centered? boolean Default: false.
---@field clip_weights? any
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---RMSProp{gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false, clip_weights = nil}.
---Tieleman and Hinton, 2012; centered: Graves, "Generating sequences", 2013, equations 38-45.
---@class hl.optimizer.RMSProp: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.RMSProp.options, gamma1?: number|hl.optimizer.RMSProp.options, gamma2?: number|hl.optimizer.RMSProp.options, epsilon?: number|hl.optimizer.RMSProp.options, centered?: boolean|hl.optimizer.RMSProp.options, clip_weights?: any|hl.optimizer.RMSProp.options, wd?: number|hl.optimizer.RMSProp.options, rescale_grad?: number|hl.optimizer.RMSProp.options, clip_gradient?: number|hl.optimizer.RMSProp.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.RMSProp.options, begin_num_update?: integer|hl.optimizer.RMSProp.options, multi_precision?: boolean|hl.optimizer.RMSProp.options, param_idx2name?: any|hl.optimizer.RMSProp.options, param_dict?: any|hl.optimizer.RMSProp.options, sym?: any|hl.optimizer.RMSProp.options): hl.optimizer.RMSProp
---@overload fun(options: hl.optimizer.RMSProp.options): hl.optimizer.RMSProp
hl.optimizer.RMSProp = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.RMSProp:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.RMSProp:step(call) end

---@class hl.optimizer.SGD.options
---@field [integer] any
---@field momentum? number Default: 0.0.
---@field lazy_update? boolean Default: true.
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---SGD{momentum = 0, lazy_update = true (no effect: nothing is sparse)}: with momentum
---  state = momentum state - lr (grad + wd weight),  weight = weight + state.
---@class hl.optimizer.SGD: hl.optimizer.Optimizer
---@overload fun(momentum?: number|hl.optimizer.SGD.options, lazy_update?: boolean|hl.optimizer.SGD.options, learning_rate?: number|hl.optimizer.SGD.options, wd?: number|hl.optimizer.SGD.options, rescale_grad?: number|hl.optimizer.SGD.options, clip_gradient?: number|hl.optimizer.SGD.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.SGD.options, begin_num_update?: integer|hl.optimizer.SGD.options, multi_precision?: boolean|hl.optimizer.SGD.options, param_idx2name?: any|hl.optimizer.SGD.options, param_dict?: any|hl.optimizer.SGD.options, sym?: any|hl.optimizer.SGD.options): hl.optimizer.SGD
---@overload fun(options: hl.optimizer.SGD.options): hl.optimizer.SGD
hl.optimizer.SGD = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.SGD:create_state(_, weight) end

---@param call? any
---@param state? any
---@return any
function hl.optimizer.SGD:step(call, state) end

---@class hl.optimizer.SGLD.options
---@field [integer] any
---@field learning_rate? number
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---SGLD{}: gradient descent with noise, which samples weights. Welling and Teh, 2011.
---@class hl.optimizer.SGLD: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.SGLD.options, wd?: number|hl.optimizer.SGLD.options, rescale_grad?: number|hl.optimizer.SGLD.options, clip_gradient?: number|hl.optimizer.SGLD.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.SGLD.options, begin_num_update?: integer|hl.optimizer.SGLD.options, multi_precision?: boolean|hl.optimizer.SGLD.options, param_idx2name?: any|hl.optimizer.SGLD.options, param_dict?: any|hl.optimizer.SGLD.options, sym?: any|hl.optimizer.SGLD.options): hl.optimizer.SGLD
---@overload fun(options: hl.optimizer.SGLD.options): hl.optimizer.SGLD
hl.optimizer.SGLD = {}

---@param index? any
---@param weight? any
---@param grad? any
---@return any
function hl.optimizer.SGLD:update(index, weight, grad) end

---@class hl.optimizer.Signum.options
---@field [integer] any
---@field learning_rate? number
---@field momentum? number Default: 0.9.
---@field wd_lh? number Default: 0.0.
---@field wd? number Default: 0.0.
---@field rescale_grad? number Default: 1.0.
---@field clip_gradient? number
---@field lr_scheduler? hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)
---@field begin_num_update? integer Default: 0.
---@field multi_precision? boolean Default: false.
---@field param_idx2name? any
---@field param_dict? any
---@field sym? any

---Signum{momentum = 0.9, wd_lh = 0}: steps by the sign of the momentum. Bernstein et al.,
---"signSGD", 2018; wd_lh is the decay of Loshchilov and Hutter.
---@class hl.optimizer.Signum: hl.optimizer.Optimizer
---@overload fun(learning_rate?: number|hl.optimizer.Signum.options, momentum?: number|hl.optimizer.Signum.options, wd_lh?: number|hl.optimizer.Signum.options, wd?: number|hl.optimizer.Signum.options, rescale_grad?: number|hl.optimizer.Signum.options, clip_gradient?: number|hl.optimizer.Signum.options, lr_scheduler?: hl.lr_scheduler.LRScheduler|(fun(num_update: integer): number)|hl.optimizer.Signum.options, begin_num_update?: integer|hl.optimizer.Signum.options, multi_precision?: boolean|hl.optimizer.Signum.options, param_idx2name?: any|hl.optimizer.Signum.options, param_dict?: any|hl.optimizer.Signum.options, sym?: any|hl.optimizer.Signum.options): hl.optimizer.Signum
---@overload fun(options: hl.optimizer.Signum.options): hl.optimizer.Signum
hl.optimizer.Signum = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Signum:create_state(_, weight) end

---@param call? any
---@param state? any
---@return any
function hl.optimizer.Signum:step(call, state) end

---@class hl.optimizer.Updater.options
---@field [integer] any
---@field optimizer? 'adadelta'|'adagrad'|'adam'|'adamw'|'adamax'|'dcasgd'|'ftml'|'ftrl'|'lamb'|'lars'|'lbsgd'|'nag'|'nadam'|'rmsprop'|'sgd'|'sgld'|'signum'|'ccsgd'|hl.optimizer.Optimizer

---@class hl.optimizer.Updater
---@overload fun(optimizer?: 'adadelta'|'adagrad'|'adam'|'adamw'|'adamax'|'dcasgd'|'ftml'|'ftrl'|'lamb'|'lars'|'lbsgd'|'nag'|'nadam'|'rmsprop'|'sgd'|'sgld'|'signum'|'ccsgd'|hl.optimizer.Optimizer|hl.optimizer.Updater.options): hl.optimizer.Updater
---@overload fun(options: hl.optimizer.Updater.options): hl.optimizer.Updater
hl.optimizer.Updater = {}

---The states as a table of arrays for nd.save. label(index) names a parameter (its index, if nil).
---@param label? any
---@return any
function hl.optimizer.Updater:get_states(label) end

---@class hl.optimizer.Updater.set_states.options
---@field [integer] any
---@field arrays? any
---@field index_of? any
---@field weight_of? any

---Takes states that get_states gave, or a file's content. index_of: indices by label (labels
---are numbers if nil); weight_of(index): a weight to check against, or nil. Nothing changes if they do not fit.
---@param arrays? any
---@param index_of? any
---@param weight_of? any
---@overload fun(self: hl.optimizer.Updater, arrays?: any|hl.optimizer.Updater.set_states.options, index_of?: any|hl.optimizer.Updater.set_states.options, weight_of?: any|hl.optimizer.Updater.set_states.options): any
---@return any
function hl.optimizer.Updater:set_states(arrays, index_of, weight_of) end

---@param name? any
---@return any
function hl.optimizer.Updater:subclass(name, ...) end

---Updates the weights of these indices, to the same bits as one by one. grads: nil for what backward
---left in each.
---@param indices? any
---@param grads? any
---@param weights? any
---@return any
function hl.optimizer.Updater:update_all(indices, grads, weights) end

hl.optimizer.ccSGD = hl.optimizer.SGD

---@class hl.optimizer.create.options
---@field [integer] any
---@field name? string
---@field options? any

---An optimizer by name ("sgd", in any case) with its options; one that is made already is
---given back. Errors: a name that no optimizer has.
---@param name? any
---@param options? any
---@overload fun(name?: string|hl.optimizer.create.options, options?: any|hl.optimizer.create.options): any
---@return any
function hl.optimizer.create(name, options) end

---A function updater(index, grad, weight) that keeps the states.
---@param rule? any
---@return any
function hl.optimizer.get_updater(rule) end

---Lets create() find a class by its lower-case name.
---@param cls? any
---@return any
function hl.optimizer.register(cls) end

---@class hl.gluon
hl.gluon = {}

---A piece of a network with parameters and children. One of your own: Block:subclass "Mine" with init, which puts
---children and parameters into fields, and forward(self, x). Every block takes prefix and params by name.
---@class hl.gluon.Block
---@overload fun(...: any): hl.gluon.Block
hl.gluon.Block = {}

---Calls fn(block) for the children, then for the block itself.
---@param fn? any
---@return any
function hl.gluon.Block:apply(fn) end

---The long way of a call: hooks, the scope, forward.
---@return any
function hl.gluon.Block:call(...) end

---Changes the dtype of all parameters. Errors: float16, in which arrays can be kept but nothing is computed yet.
---@param dtype? any
---@return any
function hl.gluon.Block:cast(dtype) end

---May `block` become a child? Subclasses are pickier.
---@param block? any
---@return any
function hl.gluon.Block:check_child(block) end

---All parameters of the block and its children. `select` is a regular expression
---(".*weight|.*bias") that names must match from their beginning. Errors: a Lua pattern ("dense%d_weight").
---@param select? any
---@return any
function hl.gluon.Block:collect_params(select) end

---What the block computes; override it.
---@return any
function hl.gluon.Block:forward() end

---Do hooks run at a call? Not in a trace: it is made once, and computes nothing.
---@return any
function hl.gluon.Block:has_hooks() end

---@class hl.gluon.Block.hybridize.options
---@field [integer] any
---@field active? any
---@field static_alloc? any
---@field static_shape? any
---@field inline_limit? any
---@field forward_bulk_size? any
---@field backward_bulk_size? any
---@field clear? any
---@field check? any
---@field frozen? any
---@field max_traces? any
---@field max_plans? any
---@field full? any
---@field effects? any
---@field breaks? any
---@field remat? any
---@field scalars? any

---Hybridizes the children that can be.
---@overload fun(self: hl.gluon.Block, active?: any|hl.gluon.Block.hybridize.options, static_alloc?: any|hl.gluon.Block.hybridize.options, static_shape?: any|hl.gluon.Block.hybridize.options, inline_limit?: any|hl.gluon.Block.hybridize.options, forward_bulk_size?: any|hl.gluon.Block.hybridize.options, backward_bulk_size?: any|hl.gluon.Block.hybridize.options, clear?: any|hl.gluon.Block.hybridize.options, check?: any|hl.gluon.Block.hybridize.options, frozen?: any|hl.gluon.Block.hybridize.options, max_traces?: any|hl.gluon.Block.hybridize.options, max_plans?: any|hl.gluon.Block.hybridize.options, full?: any|hl.gluon.Block.hybridize.options, effects?: any|hl.gluon.Block.hybridize.options, breaks?: any|hl.gluon.Block.hybridize.options, remat?: any|hl.gluon.Block.hybridize.options, scalars?: any|hl.gluon.Block.hybridize.options): any
---@return any
function hl.gluon.Block:hybridize(...) end

---Initialises all parameters: net:initialize(), net:initialize(hl.init.Xavier()).
---Options: init, ctx (a context or a list of them), force_reinit; verbose, for MXNet's log, changes nothing.
---@return any
function hl.gluon.Block:initialize(...) end

---@return any
function hl.gluon.Block:is_block() end

---Reads the parameters that save(prefix) wrote into the same network, made again.
---@param prefix? any
---@return any
function hl.gluon.Block:load(prefix) end

---@class hl.gluon.Block.load_parameters.options
---@field [integer] any
---@field filename? string
---@field ctx? any
---@field allow_missing? any
---@field ignore_extra? any
---@field cast_dtype? any
---@field dtype_source? any

---Reads what save_parameters wrote (files of collect_params():save and export too).
---Options: ctx, allow_missing, ignore_extra, cast_dtype, dtype_source ("current", or "saved": the
---parameters take the file's dtypes).
---@overload fun(self: hl.gluon.Block, filename?: string|hl.gluon.Block.load_parameters.options, ctx?: any|hl.gluon.Block.load_parameters.options, allow_missing?: any|hl.gluon.Block.load_parameters.options, ignore_extra?: any|hl.gluon.Block.load_parameters.options, cast_dtype?: any|hl.gluon.Block.load_parameters.options, dtype_source?: any|hl.gluon.Block.load_parameters.options): any
---@return any
function hl.gluon.Block:load_parameters(...) end

---@class hl.gluon.Block.load_params.options
---@field [integer] any
---@field filename? string
---@field ctx? any
---@field allow_missing? any
---@field ignore_extra? any
---@field cast_dtype? any
---@field dtype_source? any

---MXNet's older load_parameters.
---@overload fun(self: hl.gluon.Block, filename?: string|hl.gluon.Block.load_params.options, ctx?: any|hl.gluon.Block.load_params.options, allow_missing?: any|hl.gluon.Block.load_params.options, ignore_extra?: any|hl.gluon.Block.load_params.options, cast_dtype?: any|hl.gluon.Block.load_params.options, dtype_source?: any|hl.gluon.Block.load_params.options): any
---@return any
function hl.gluon.Block:load_params(...) end

---@class hl.gluon.Block.monitor.options
---@field [integer] any
---@field fn? any
---@field pattern? any

---fn(name, array) for each output of the blocks and operators inside whose name matches the regular expression
---pattern (nil: all), after every call, eagerly and hybridized: "dense0_fwd_output" of an operator, "dense0_output" of
---a block. HybridBlocks are traced for that. The handle's detach() ends it.
---@param fn? any
---@param pattern? any
---@overload fun(self: hl.gluon.Block, fn?: any|hl.gluon.Block.monitor.options, pattern?: any|hl.gluon.Block.monitor.options): any
---@return any
function hl.gluon.Block:monitor(fn, pattern) end

---Names made in the scope, until it is closed, begin with this block's prefix:
---net:name_scope(function() ... end), or local _ <close> = net:name_scope().
---@param fn? any
---@return any
function hl.gluon.Block:name_scope(fn, ...) end

---@class hl.gluon.Block.register_child.options
---@field [integer] any
---@field block? any
---@field name? string

---Adds a child under a name (its place among the children if nil).
---@param block? any
---@param name? any
---@overload fun(self: hl.gluon.Block, block?: any|hl.gluon.Block.register_child.options, name?: string|hl.gluon.Block.register_child.options): any
---@return any
function hl.gluon.Block:register_child(block, name) end

---hook(block, input, outputs...) runs after each call; several inputs come as a list. The
---handle's detach() takes the hook back.
---@param fn? any
---@return any
function hl.gluon.Block:register_forward_hook(fn) end

---hook(block, inputs...) runs before each call.
---@param fn? any
---@return any
function hl.gluon.Block:register_forward_pre_hook(fn) end

---@class hl.gluon.Block.register_op_hook.options
---@field [integer] any
---@field callback? any
---@field monitor_all? any

---fn(name, operator, array) for each operator of every call of the HybridBlocks inside, as HybridBlock's.
---@param fn? any
---@param monitor_all? any
---@overload fun(self: hl.gluon.Block, callback?: any|hl.gluon.Block.register_op_hook.options, monitor_all?: any|hl.gluon.Block.register_op_hook.options): any
---@return any
function hl.gluon.Block:register_op_hook(fn, monitor_all) end

---Moves all parameters, with their values, to a context or to a list of them.
---@param ctx? any
---@return any
function hl.gluon.Block:reset_ctx(ctx) end

---forward in the scope of a call, without hooks.
---@return any
function hl.gluon.Block:run(...) end

---Writes prefix-model.json and prefix-model.params, as MXNet's Block.save does.
---@param prefix? any
---@return any
function hl.gluon.Block:save(prefix) end

---@class hl.gluon.Block.save_parameters.options
---@field [integer] any
---@field filename? string
---@field deduplicate? any

---Writes the parameters by structural name ("0.weight"), in MXNet's format; atomic.
---Shared parameters are written under each of their names unless {deduplicate = true}.
---@overload fun(self: hl.gluon.Block, filename?: string|hl.gluon.Block.save_parameters.options, deduplicate?: any|hl.gluon.Block.save_parameters.options): any
---@return any
function hl.gluon.Block:save_parameters(...) end

---MXNet's older save_parameters: the parameters by their names without the block's prefix ("dense0_weight"), which a
---SymbolBlock reads.
---@param filename? any
---@return any
function hl.gluon.Block:save_params(filename) end

---What `block.name = value` does. The names of all fields that were ever assigned are kept for traces.
---@param key? any
---@param value? any
---@return any
function hl.gluon.Block:set_field(key, value) end

---Structural paths to parameters, in order: { {"0.weight", parameter}, ... }.
---@return any
function hl.gluon.Block:structural_params() end

---@param name? any
---@return any
function hl.gluon.Block:subclass(name, ...) end

---Prints a table of the layers in the order of their calls with these inputs: output shapes,
---numbers of parameters, arithmetic operations. A hybridized block runs eagerly for it.
---@return any
function hl.gluon.Block:summary(...) end

---run(self, ...) between the hooks.
---@param run? any
---@return any
function hl.gluon.Block:with_hooks(run, ...) end

---@class hl.gluon.Constant.options
---@field [integer] any
---@field name? string
---@field value? any[]

---A parameter that holds a value and is not learned.
---@class hl.gluon.Constant: hl.gluon.Parameter
---@overload fun(name?: string|hl.gluon.Constant.options, value?: any[]|hl.gluon.Constant.options): hl.gluon.Constant
---@overload fun(options: hl.gluon.Constant.options): hl.gluon.Constant
hl.gluon.Constant = {}

---@class hl.gluon.HybridBlock: hl.gluon.Block
---@overload fun(...: any): hl.gluon.HybridBlock
hl.gluon.HybridBlock = {}

---@return any
function hl.gluon.HybridBlock:call(...) end

---A call to a hybridized block that no cached entry served.
---@return any
function hl.gluon.HybridBlock:call_compiled(...) end

---@param dtype? any
---@return any
function hl.gluon.HybridBlock:cast(dtype) end

---A compiled trace for these arguments that the block does not keep, and the arrays of its inputs.
---@return any
function hl.gluon.HybridBlock:compiled_for(...) end

---Text about every trace, its reason, graph and specializations; {format = "table"} gives the data.
---@return any
function hl.gluon.HybridBlock:explain(...) end

---@class hl.gluon.HybridBlock.export.options
---@field [integer] any
---@field path? any
---@field epoch? any
---@field shapes? any

---Writes path-symbol.json and path-0000.params (the epoch's number), as MXNet does. The
---graph is that of the latest trace; shapes ({data = {1, 512}}) trace first. Returns the two names.
---@overload fun(self: hl.gluon.HybridBlock, path?: any|hl.gluon.HybridBlock.export.options, epoch?: any|hl.gluon.HybridBlock.export.options, shapes?: any|hl.gluon.HybridBlock.export.options): any
---@return any
function hl.gluon.HybridBlock:export(...) end

---Runs hybrid_forward: with Symbols while tracing or when given some, else eagerly, in the context of the
---first array among its arguments.
---@return any
function hl.gluon.HybridBlock:forward(...) end

---The block's computation; override it: function N:hybrid_forward(F, x, p) ... end
---@return any
function hl.gluon.HybridBlock:hybrid_forward() end

---@class hl.gluon.HybridBlock.hybridize.options
---@field [integer] any
---@field active? any
---@field static_alloc? any
---@field static_shape? any
---@field inline_limit? any
---@field forward_bulk_size? any
---@field backward_bulk_size? any
---@field clear? any
---@field check? any
---@field frozen? any
---@field max_traces? any
---@field max_plans? any
---@field full? any
---@field effects? any
---@field breaks? any
---@field remat? any
---@field scalars? any

---From now on calls are compiled; the first call of each kind traces.
---hybridize(), hybridize(false), hybridize{active = , static_alloc = , static_shape = (no effect),
---frozen = (a further trace is an error), max_traces = (64), max_plans = (64; as many batch sizes and
---modes take turns in a trace without being specialized again), remat = (true: backward recomputes values of forward,
---segment by segment, instead of keeping all of them: less memory, more time, the same bits), check = n (the first n
---calls of each kind run both ways, see compare_eager.lua), full = (anything that would make the block run in segments,
---a hook inside or a graph break, is an error), breaks = (true: blocks inside may be plain Blocks, which run eagerly; a
---block whose own code reads values, or that holds such a block, runs its Lua at every call, and the blocks that it
---calls are compiled by themselves, as are its own operators between reads; the first call of each block runs eagerly,
---and shows which these are), effects = ("warn": a write of the code to a place outside, a field, an upvalue, a global,
---happens when it is traced, with a warning; "error": such a write is an error; "ignore": neither, and a place that is
---read and then written, a counter, is not an error either), scalars = {"s", "self.rate"} (numbers that are bound at
---run time: an argument or an upvalue of the block's function, or a field; no call is traced because they changed, see
---scalars.lua)}.
---Errors: a child that is not a HybridBlock, unless breaks = true; a name in scalars that is none of these, and a value
---that is not a number in a call.
---@overload fun(self: hl.gluon.HybridBlock, active?: any|hl.gluon.HybridBlock.hybridize.options, static_alloc?: any|hl.gluon.HybridBlock.hybridize.options, static_shape?: any|hl.gluon.HybridBlock.hybridize.options, inline_limit?: any|hl.gluon.HybridBlock.hybridize.options, forward_bulk_size?: any|hl.gluon.HybridBlock.hybridize.options, backward_bulk_size?: any|hl.gluon.HybridBlock.hybridize.options, clear?: any|hl.gluon.HybridBlock.hybridize.options, check?: any|hl.gluon.HybridBlock.hybridize.options, frozen?: any|hl.gluon.HybridBlock.hybridize.options, max_traces?: any|hl.gluon.HybridBlock.hybridize.options, max_plans?: any|hl.gluon.HybridBlock.hybridize.options, full?: any|hl.gluon.HybridBlock.hybridize.options, effects?: any|hl.gluon.HybridBlock.hybridize.options, breaks?: any|hl.gluon.HybridBlock.hybridize.options, remat?: any|hl.gluon.HybridBlock.hybridize.options, scalars?: any|hl.gluon.HybridBlock.hybridize.options): any
---@return any
function hl.gluon.HybridBlock:hybridize(...) end

---Finds the shapes of the parameters from example arguments, and initialises deferred ones.
---@return any
function hl.gluon.HybridBlock:infer_shape(...) end

---Gives the parameters the dtype of the first array of floats among the example arguments.
---@return any
function hl.gluon.HybridBlock:infer_type(...) end

---MXNet's partitioning for other back ends, which do not exist here: hybridize() compiles. Always an error.
---@return any
function hl.gluon.HybridBlock:optimize_for() end

---@class hl.gluon.HybridBlock.register_op_hook.options
---@field [integer] any
---@field callback? any
---@field monitor_all? any

---fn(name, operator, array) is called for the output of each operator of every call, as "dense0_fwd_output", in their
---order, and with monitor_all for the inputs too. The code is traced for that, hybridized or not. The handle's detach()
---ends it.
---@param fn? any
---@param monitor_all? any
---@overload fun(self: hl.gluon.HybridBlock, callback?: any|hl.gluon.HybridBlock.register_op_hook.options, monitor_all?: any|hl.gluon.HybridBlock.register_op_hook.options): any
---@return any
function hl.gluon.HybridBlock:register_op_hook(fn, monitor_all) end

---A trace for arrays of these shapes ({data = {1, 512}} or a list), without running it.
---@param shapes? any
---@return any
function hl.gluon.HybridBlock:trace_for(shapes) end

---@class hl.gluon.Parameter.options
---@field [integer] any
---@field name? string
---@field grad_req? 'write'|'add'|'null'
---@field shape? integer|integer[]
---@field dtype? hl.DType
---@field lr_mult? any
---@field wd_mult? any
---@field init? string|hl.initializer.Initializer
---@field allow_deferred_init? any
---@field differentiable? any
---@field stype? any
---@field grad_stype? any

---@class hl.gluon.Parameter
---@overload fun(name?: string|hl.gluon.Parameter.options, grad_req?: 'write'|'add'|'null'|hl.gluon.Parameter.options, shape?: integer|integer[]|hl.gluon.Parameter.options, dtype?: hl.DType|hl.gluon.Parameter.options, lr_mult?: any|hl.gluon.Parameter.options, wd_mult?: any|hl.gluon.Parameter.options, init?: string|hl.initializer.Initializer|hl.gluon.Parameter.options, allow_deferred_init?: any|hl.gluon.Parameter.options, differentiable?: any|hl.gluon.Parameter.options, stype?: any|hl.gluon.Parameter.options, grad_stype?: any|hl.gluon.Parameter.options): hl.gluon.Parameter
---@overload fun(options: hl.gluon.Parameter.options): hl.gluon.Parameter
hl.gluon.Parameter = {}

---@class hl.gluon.Parameter.adopt.options
---@field [integer] any
---@field data? any
---@field contexts? any[]

---Makes `data` the parameter's array, in the contexts of the list; nil: where it is.
---@param data? any
---@param contexts? any
---@overload fun(self: hl.gluon.Parameter, data?: any|hl.gluon.Parameter.adopt.options, contexts?: any[]|hl.gluon.Parameter.adopt.options): any
---@return any
function hl.gluon.Parameter:adopt(data, contexts) end

---Changes the dtype, of the array and its gradient too.
---@param dtype? any
---@return any
function hl.gluon.Parameter:cast(dtype) end

---The array in a context; without one the only array, or that in the current context. Errors: not
---initialised (there), or deferred until the first batch.
---@param ctx? any
---@return any
function hl.gluon.Parameter:data(ctx) end

---Draws the values whose shape has become known.
---@return any
function hl.gluon.Parameter:finish_deferred_init() end

---Forgets the variable: a trace that failed may have given it a shape.
---@return any
function hl.gluon.Parameter:forget_var() end

---The gradient's array in a context, as data(ctx). Errors: as data, and grad_req "null".
---@param ctx? any
---@return any
function hl.gluon.Parameter:grad(ctx) end

---The shape that a first batch determines. Graphs keep saying what was known before it, as MXNet's do, whose
---variables are made where a shape is inferred.
---@param shape? any
---@return any
function hl.gluon.Parameter:infer_shape(shape) end

---@class hl.gluon.Parameter.initialize.options
---@field [integer] any
---@field init? string|hl.initializer.Initializer
---@field ctx? any
---@field default_init? any
---@field force_reinit? any
---@field key? any

---Draws the values, now or when the shape is known: initialize(init, ctx, {default_init = Uniform(0.07),
---force_reinit = false, key = what the values are drawn from}). ctx: a context or a list of them; the values
---are drawn once and copied into each.
---@overload fun(self: hl.gluon.Parameter, init?: string|hl.initializer.Initializer|hl.gluon.Parameter.initialize.options, ctx?: any|hl.gluon.Parameter.initialize.options, default_init?: any|hl.gluon.Parameter.initialize.options, force_reinit?: any|hl.gluon.Parameter.initialize.options, key?: any|hl.gluon.Parameter.initialize.options): any
---@return any
function hl.gluon.Parameter:initialize(...) end

---@return any
function hl.gluon.Parameter:is_deferred() end

---@return any
function hl.gluon.Parameter:known() end

---The contexts that the parameter is in, or will be when its shape is known.
---@return any
function hl.gluon.Parameter:list_ctx() end

---The arrays in all contexts, in the order of list_ctx().
---@return any
function hl.gluon.Parameter:list_data() end

---The gradients in all contexts.
---@return any
function hl.gluon.Parameter:list_grad() end

---@class hl.gluon.Parameter.load_init.options
---@field [integer] any
---@field array? any
---@field options? any

---Takes loaded values that fit. Options: dtype_source, and ctx, where a parameter that was not initialised is to be.
---@param array? any
---@param options? any
---@overload fun(self: hl.gluon.Parameter, array?: any|hl.gluon.Parameter.load_init.options, options?: any|hl.gluon.Parameter.load_init.options): any
---@return any
function hl.gluon.Parameter:load_init(array, options) end

---One array for all contexts, what is saved: the first copy; the mean of running statistics, which differ.
---@return any
function hl.gluon.Parameter:merged() end

---@class hl.gluon.Parameter.misfit.options
---@field [integer] any
---@field array? any
---@field options? any

---Why an array from a file does not fit, in short and in MXNet's words, and "elsewhere" if it is a matter of
---contexts; nil if it does. Options: ctx, its new context, and cast_dtype.
---@param array? any
---@param options? any
---@overload fun(self: hl.gluon.Parameter, array?: any|hl.gluon.Parameter.misfit.options, options?: any|hl.gluon.Parameter.misfit.options): any
---@return any
function hl.gluon.Parameter:misfit(array, options) end

---Moves the parameter to a context or to a list of them. The values are those of save(); gradients begin at 0.
---@param ctx? any
---@return any
function hl.gluon.Parameter:reset_ctx(ctx) end

---Writes new values, in all contexts; before initialisation they become the parameter's.
---@param data? any
---@return any
function hl.gluon.Parameter:set_data(data) end

---"write", "add" or "null". Changing it attaches or drops the gradient.
---@param req? any
---@return any
function hl.gluon.Parameter:set_grad_req(req) end

---Fills in unknown dimensions; fails where known ones differ.
---@param shape? any
---@return any
function hl.gluon.Parameter:set_shape(shape) end

---@param name? any
---@return any
function hl.gluon.Parameter:subclass(name, ...) end

---@return any
function hl.gluon.Parameter:text_of_shape() end

---The variable that stands for the parameter in graphs; always the same one. Its attribute __shape__ is
---what was known of the shape when a graph first had it.
---@return any
function hl.gluon.Parameter:var() end

---Sets the gradient to zeros.
---@return any
function hl.gluon.Parameter:zero_grad() end

---@class hl.gluon.ParameterDict.options
---@field [integer] any
---@field prefix? string
---@field shared? any

---@class hl.gluon.ParameterDict
---@overload fun(prefix?: string|hl.gluon.ParameterDict.options, shared?: any|hl.gluon.ParameterDict.options): hl.gluon.ParameterDict
---@overload fun(options: hl.gluon.ParameterDict.options): hl.gluon.ParameterDict
hl.gluon.ParameterDict = {}

---@class hl.gluon.ParameterDict.get.options
---@field [integer] any
---@field name? string
---@field grad_req? 'write'|'add'|'null'
---@field shape? integer|integer[]
---@field dtype? hl.DType
---@field lr_mult? any
---@field wd_mult? any
---@field init? string|hl.initializer.Initializer
---@field allow_deferred_init? any
---@field differentiable? any
---@field stype? any
---@field grad_stype? any

---get(name, {shape =, dtype =, ...}): the parameter prefix .. name, made with Parameter's options if there is none.
---@overload fun(self: hl.gluon.ParameterDict, name?: string|hl.gluon.ParameterDict.get.options, grad_req?: 'write'|'add'|'null'|hl.gluon.ParameterDict.get.options, shape?: integer|integer[]|hl.gluon.ParameterDict.get.options, dtype?: hl.DType|hl.gluon.ParameterDict.get.options, lr_mult?: any|hl.gluon.ParameterDict.get.options, wd_mult?: any|hl.gluon.ParameterDict.get.options, init?: string|hl.initializer.Initializer|hl.gluon.ParameterDict.get.options, allow_deferred_init?: any|hl.gluon.ParameterDict.get.options, differentiable?: any|hl.gluon.ParameterDict.get.options, stype?: any|hl.gluon.ParameterDict.get.options, grad_stype?: any|hl.gluon.ParameterDict.get.options): any
---@return any
function hl.gluon.ParameterDict:get(...) end

---@class hl.gluon.ParameterDict.get_constant.options
---@field [integer] any
---@field name? string
---@field value? any[]

---The constant prefix .. name.
---@param name? any
---@param value? any
---@overload fun(self: hl.gluon.ParameterDict, name?: string|hl.gluon.ParameterDict.get_constant.options, value?: any[]|hl.gluon.ParameterDict.get_constant.options): any
---@return any
function hl.gluon.ParameterDict:get_constant(name, value) end

---@class hl.gluon.ParameterDict.initialize.options
---@field [integer] any
---@field init? string|hl.initializer.Initializer
---@field ctx? any
---@field verbose? any
---@field force_reinit? any

---Initialises every parameter that has no initializer of its own by init (Uniform(0.07)):
---initialize(init, ctx, verbose, {force_reinit = false}). Values depend on one key drawn here
---and on structural paths. ctx: a context or a list of them, see Parameter:initialize.
---@overload fun(self: hl.gluon.ParameterDict, init?: string|hl.initializer.Initializer|hl.gluon.ParameterDict.initialize.options, ctx?: any|hl.gluon.ParameterDict.initialize.options, verbose?: any|hl.gluon.ParameterDict.initialize.options, force_reinit?: any|hl.gluon.ParameterDict.initialize.options): any
---@return any
function hl.gluon.ParameterDict:initialize(...) end

---@class hl.gluon.ParameterDict.insert.options
---@field [integer] any
---@field param? any
---@field path? any

---Adds one parameter, under its own name; `path` is its place in a block ("0.weight").
---@param param? any
---@param path? any
---@overload fun(self: hl.gluon.ParameterDict, param?: any|hl.gluon.ParameterDict.insert.options, path?: any|hl.gluon.ParameterDict.insert.options): any
---@return any
function hl.gluon.ParameterDict:insert(param, path) end

---for name, parameter in dict:items() do
---@return any
function hl.gluon.ParameterDict:items() end

---The names: a list, which a loop may go over by ipairs or itself (for name in dict:keys() do).
---@return any
function hl.gluon.ParameterDict:keys() end

---The contexts that parameters are in, each once.
---@return any
function hl.gluon.ParameterDict:list_ctx() end

---@class hl.gluon.ParameterDict.load.options
---@field [integer] any
---@field filename? string
---@field ctx? any
---@field allow_missing? any
---@field ignore_extra? any
---@field restore_prefix? any
---@field cast_dtype? any
---@field dtype_source? any

---Reads parameters by full name. Options: ctx, allow_missing, ignore_extra, restore_prefix,
---cast_dtype, dtype_source ("current", or "saved": the parameters take the file's dtypes).
---@overload fun(self: hl.gluon.ParameterDict, filename?: string|hl.gluon.ParameterDict.load.options, ctx?: any|hl.gluon.ParameterDict.load.options, allow_missing?: any|hl.gluon.ParameterDict.load.options, ignore_extra?: any|hl.gluon.ParameterDict.load.options, restore_prefix?: any|hl.gluon.ParameterDict.load.options, cast_dtype?: any|hl.gluon.ParameterDict.load.options, dtype_source?: any|hl.gluon.ParameterDict.load.options): any
---@return any
function hl.gluon.ParameterDict:load(...) end

---@param arrays? any
---@param options? any
---@param file? any
---@return any
function hl.gluon.ParameterDict:load_dict(arrays, options, file) end

---Moves all parameters to a context or to a list of them.
---@param ctx? any
---@return any
function hl.gluon.ParameterDict:reset_ctx(ctx) end

---@class hl.gluon.ParameterDict.save.options
---@field [integer] any
---@field filename? string
---@field strip_prefix? string Default: ''.

---Writes all parameters by full name, without strip_prefix.
---@overload fun(self: hl.gluon.ParameterDict, filename?: string|hl.gluon.ParameterDict.save.options, strip_prefix?: string|hl.gluon.ParameterDict.save.options): any
---@return any
function hl.gluon.ParameterDict:save(...) end

---@class hl.gluon.ParameterDict.setattr.options
---@field [integer] any
---@field name? string
---@field value? any

---Sets one attribute of every parameter: dict:setattr("lr_mult", 0.5).
---@param name? any
---@param value? any
---@overload fun(self: hl.gluon.ParameterDict, name?: string|hl.gluon.ParameterDict.setattr.options, value?: any|hl.gluon.ParameterDict.setattr.options): any
---@return any
function hl.gluon.ParameterDict:setattr(name, value) end

---@param name? any
---@return any
function hl.gluon.ParameterDict:subclass(name, ...) end

---Takes in the parameters of another dictionary.
---@param other? any
---@return any
function hl.gluon.ParameterDict:update(other) end

---The parameters: a list, which a loop may go over by ipairs or itself (for param in dict:values() do).
---@return any
function hl.gluon.ParameterDict:values() end

---Sets the gradients to zeros.
---@return any
function hl.gluon.ParameterDict:zero_grad() end

---@class hl.gluon.SymbolBlock.options
---@field [integer] any
---@field outputs? any[]
---@field inputs? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.SymbolBlock: hl.gluon.HybridBlock
---@overload fun(outputs?: any[]|hl.gluon.SymbolBlock.options, inputs?: any[]|hl.gluon.SymbolBlock.options, prefix?: string|hl.gluon.SymbolBlock.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.SymbolBlock.options): hl.gluon.SymbolBlock
---@overload fun(options: hl.gluon.SymbolBlock.options): hl.gluon.SymbolBlock
hl.gluon.SymbolBlock = {}

---The parameters keep the graph's own names.
---@return any
function hl.gluon.SymbolBlock:alias() end

---A loaded graph is always compiled: there is no Lua code to run instead.
---@return any
function hl.gluon.SymbolBlock:call(...) end

---The arithmetic operations of one call with these inputs (an array or a list of arrays).
---@param inputs? any
---@return any
function hl.gluon.SymbolBlock:flops(inputs) end

---@param F? any
---@return any
function hl.gluon.SymbolBlock:hybrid_forward(F, ...) end

---@class hl.gluon.SymbolBlock.imports.options
---@field [integer] any
---@field symbol_file? any
---@field input_names? any[]
---@field param_file? any
---@field ctx? any
---@field allow_missing? any
---@field ignore_extra? any
---@field cast_dtype? any
---@field dtype_source? any

---Reads path-symbol.json and, if given, parameters (arg: and aux: names, or plain ones).
---imports("net-symbol.json", {"data"}, "net-0000.params"). Options: allow_missing, ignore_extra.
---@overload fun(self: hl.gluon.SymbolBlock, symbol_file?: any|hl.gluon.SymbolBlock.imports.options, input_names?: any[]|hl.gluon.SymbolBlock.imports.options, param_file?: any|hl.gluon.SymbolBlock.imports.options, ctx?: any|hl.gluon.SymbolBlock.imports.options, allow_missing?: any|hl.gluon.SymbolBlock.imports.options, ignore_extra?: any|hl.gluon.SymbolBlock.imports.options, cast_dtype?: any|hl.gluon.SymbolBlock.imports.options, dtype_source?: any|hl.gluon.SymbolBlock.imports.options): any
---@return any
function hl.gluon.SymbolBlock:imports(...) end

---@class hl.gluon.Trainer.options
---@field [integer] any
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>
---@field optimizer? 'adadelta'|'adagrad'|'adam'|'adamw'|'adamax'|'dcasgd'|'ftml'|'ftrl'|'lamb'|'lars'|'lbsgd'|'nag'|'nadam'|'rmsprop'|'sgd'|'sgld'|'signum'|'ccsgd'|hl.optimizer.Optimizer
---@field optimizer_params? hl.optimizer.AdaDelta.options|hl.optimizer.AdaGrad.options|hl.optimizer.Adam.options|hl.optimizer.AdamW.options|hl.optimizer.Adamax.options|hl.optimizer.DCASGD.options|hl.optimizer.FTML.options|hl.optimizer.Ftrl.options|hl.optimizer.LAMB.options|hl.optimizer.LARS.options|hl.optimizer.LBSGD.options|hl.optimizer.NAG.options|hl.optimizer.Nadam.options|hl.optimizer.RMSProp.options|hl.optimizer.SGD.options|hl.optimizer.SGLD.options|hl.optimizer.Signum.options
---@field kvstore? string Default: 'device'.
---@field compression_params? any
---@field update_on_kvstore? any

---@class hl.gluon.Trainer
---@overload fun(params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.Trainer.options, optimizer?: 'adadelta'|'adagrad'|'adam'|'adamw'|'adamax'|'dcasgd'|'ftml'|'ftrl'|'lamb'|'lars'|'lbsgd'|'nag'|'nadam'|'rmsprop'|'sgd'|'sgld'|'signum'|'ccsgd'|hl.optimizer.Optimizer|hl.gluon.Trainer.options, optimizer_params?: hl.optimizer.AdaDelta.options|hl.optimizer.AdaGrad.options|hl.optimizer.Adam.options|hl.optimizer.AdamW.options|hl.optimizer.Adamax.options|hl.optimizer.DCASGD.options|hl.optimizer.FTML.options|hl.optimizer.Ftrl.options|hl.optimizer.LAMB.options|hl.optimizer.LARS.options|hl.optimizer.LBSGD.options|hl.optimizer.NAG.options|hl.optimizer.Nadam.options|hl.optimizer.RMSProp.options|hl.optimizer.SGD.options|hl.optimizer.SGLD.options|hl.optimizer.Signum.options|hl.gluon.Trainer.options, kvstore?: string|hl.gluon.Trainer.options, compression_params?: any|hl.gluon.Trainer.options, update_on_kvstore?: any|hl.gluon.Trainer.options): hl.gluon.Trainer
---@overload fun(options: hl.gluon.Trainer.options): hl.gluon.Trainer
hl.gluon.Trainer = {}

---Leaves in the gradients of every context the sum over all contexts, in their order; for scripts that change
---gradients between this and update. With one context there is nothing to do.
---@return any
function hl.gluon.Trainer:allreduce_grads() end

---Reads what save_states wrote. Parameters are known by their places in the block ("0.weight").
---Errors: states of another optimizer, of other parameters or shapes; then nothing changes.
---@param file? any
---@return any
function hl.gluon.Trainer:load_states(file) end

---Writes the optimizer's states: momenta and the like, counts of updates, the learning rate.
---The file is of nd.save's format and is saved whole or not at all.
---@param file? any
---@return any
function hl.gluon.Trainer:save_states(file) end

---Errors where a scheduler sets the rate.
---@param lr? any
---@return any
function hl.gluon.Trainer:set_learning_rate(lr) end

---@class hl.gluon.Trainer.step.options
---@field [integer] any
---@field batch_size? integer
---@field ignore_stale_grad? any

---As update, with the gradients of all contexts summed before.
---@param batch_size? any
---@param ignore_stale_grad? any
---@overload fun(self: hl.gluon.Trainer, batch_size?: integer|hl.gluon.Trainer.step.options, ignore_stale_grad?: any|hl.gluon.Trainer.step.options): any
---@return any
function hl.gluon.Trainer:step(batch_size, ignore_stale_grad) end

---@param name? any
---@return any
function hl.gluon.Trainer:subclass(name, ...) end

---@class hl.gluon.Trainer.update.options
---@field [integer] any
---@field batch_size? integer
---@field ignore_stale_grad? any

---Updates every parameter that has a gradient. Errors: a stale gradient (then nothing is
---updated). Options: ignore_stale_grad = true leaves parameters with stale gradients as they are.
---Gradients in several contexts must have been summed, see allreduce_grads.
---@param batch_size? any
---@param ignore_stale_grad? any
---@overload fun(self: hl.gluon.Trainer, batch_size?: integer|hl.gluon.Trainer.update.options, ignore_stale_grad?: any|hl.gluon.Trainer.update.options): any
---@return any
function hl.gluon.Trainer:update(batch_size, ignore_stale_grad) end

---@class hl.gluon.nn
hl.gluon.nn = {}

---@class hl.gluon.nn.Activation.options
---@field [integer] any
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Activation(name): relu, sigmoid, tanh, softrelu or softsign of each element.
---@class hl.gluon.nn.Activation: hl.gluon.HybridBlock
---@overload fun(activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Activation.options, prefix?: string|hl.gluon.nn.Activation.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Activation.options): hl.gluon.nn.Activation
---@overload fun(options: hl.gluon.nn.Activation.options): hl.gluon.nn.Activation
hl.gluon.nn.Activation = {}

---@class hl.gluon.nn.Activation.alias.options
---@field [integer] any
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---The layer is named after the function.
---@overload fun(self: hl.gluon.nn.Activation, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Activation.alias.options, prefix?: string|hl.gluon.nn.Activation.alias.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Activation.alias.options): any
---@return any
function hl.gluon.nn.Activation:alias(...) end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Activation:hybrid_forward(F, x) end

---@class hl.gluon.nn.AvgPool1D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field layout? string Default: 'NCW'.
---@field ceil_mode? boolean Default: false.
---@field count_include_pad? boolean Default: true.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.AvgPool1D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.AvgPool1D.options, strides?: any|hl.gluon.nn.AvgPool1D.options, padding?: number|hl.gluon.nn.AvgPool1D.options, layout?: string|hl.gluon.nn.AvgPool1D.options, ceil_mode?: boolean|hl.gluon.nn.AvgPool1D.options, count_include_pad?: boolean|hl.gluon.nn.AvgPool1D.options, prefix?: string|hl.gluon.nn.AvgPool1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.AvgPool1D.options): hl.gluon.nn.AvgPool1D
---@overload fun(options: hl.gluon.nn.AvgPool1D.options): hl.gluon.nn.AvgPool1D
hl.gluon.nn.AvgPool1D = {}

---@return any
function hl.gluon.nn.AvgPool1D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.AvgPool1D:hybrid_forward(F, x) end

---@class hl.gluon.nn.AvgPool2D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field ceil_mode? boolean Default: false.
---@field layout? string Default: 'NCHW'.
---@field count_include_pad? boolean Default: true.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.AvgPool2D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.AvgPool2D.options, strides?: any|hl.gluon.nn.AvgPool2D.options, padding?: number|hl.gluon.nn.AvgPool2D.options, ceil_mode?: boolean|hl.gluon.nn.AvgPool2D.options, layout?: string|hl.gluon.nn.AvgPool2D.options, count_include_pad?: boolean|hl.gluon.nn.AvgPool2D.options, prefix?: string|hl.gluon.nn.AvgPool2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.AvgPool2D.options): hl.gluon.nn.AvgPool2D
---@overload fun(options: hl.gluon.nn.AvgPool2D.options): hl.gluon.nn.AvgPool2D
hl.gluon.nn.AvgPool2D = {}

---@return any
function hl.gluon.nn.AvgPool2D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.AvgPool2D:hybrid_forward(F, x) end

---@class hl.gluon.nn.AvgPool3D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field ceil_mode? boolean Default: false.
---@field layout? string Default: 'NCDHW'.
---@field count_include_pad? boolean Default: true.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.AvgPool3D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.AvgPool3D.options, strides?: any|hl.gluon.nn.AvgPool3D.options, padding?: number|hl.gluon.nn.AvgPool3D.options, ceil_mode?: boolean|hl.gluon.nn.AvgPool3D.options, layout?: string|hl.gluon.nn.AvgPool3D.options, count_include_pad?: boolean|hl.gluon.nn.AvgPool3D.options, prefix?: string|hl.gluon.nn.AvgPool3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.AvgPool3D.options): hl.gluon.nn.AvgPool3D
---@overload fun(options: hl.gluon.nn.AvgPool3D.options): hl.gluon.nn.AvgPool3D
hl.gluon.nn.AvgPool3D = {}

---@return any
function hl.gluon.nn.AvgPool3D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.AvgPool3D:hybrid_forward(F, x) end

---@class hl.gluon.nn.BatchNorm.options
---@field [integer] any
---@field axis? integer Default: 1.
---@field momentum? number Default: 0.9.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: true.
---@field use_global_stats? boolean Default: false.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field running_mean_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field running_variance_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BatchNorm(axis = 1, {momentum = 0.9, epsilon = 1e-5, center = true, scale = true, use_global_stats = false,
---beta_initializer = "zeros", gamma_initializer = "ones", running_mean_initializer = "zeros",
---running_variance_initializer = "ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) gamma + beta for each
---channel, a place of `axis`. In training mean and variance are the batch's, and running_mean and running_var move
---towards them as the layer is called; else, or with use_global_stats, these two are taken. in_channels 0: set by the
---first batch. S. Ioffe, C. Szegedy, "Batch normalization", 2015.
---@class hl.gluon.nn.BatchNorm: hl.gluon.HybridBlock
---@overload fun(axis?: integer|hl.gluon.nn.BatchNorm.options, momentum?: number|hl.gluon.nn.BatchNorm.options, epsilon?: number|hl.gluon.nn.BatchNorm.options, center?: boolean|hl.gluon.nn.BatchNorm.options, scale?: boolean|hl.gluon.nn.BatchNorm.options, use_global_stats?: boolean|hl.gluon.nn.BatchNorm.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNorm.options, running_mean_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNorm.options, running_variance_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNorm.options, in_channels?: number|hl.gluon.nn.BatchNorm.options, prefix?: string|hl.gluon.nn.BatchNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.BatchNorm.options): hl.gluon.nn.BatchNorm
---@overload fun(options: hl.gluon.nn.BatchNorm.options): hl.gluon.nn.BatchNorm
hl.gluon.nn.BatchNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.BatchNorm:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.BatchNormReLU.options
---@field [integer] any
---@field axis? integer Default: 1.
---@field momentum? number Default: 0.9.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: true.
---@field use_global_stats? boolean Default: false.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field running_mean_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field running_variance_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BatchNormReLU(axis = 1, {...}): BatchNorm with the same options, followed by relu, as one operator.
---@class hl.gluon.nn.BatchNormReLU: hl.gluon.HybridBlock
---@overload fun(axis?: integer|hl.gluon.nn.BatchNormReLU.options, momentum?: number|hl.gluon.nn.BatchNormReLU.options, epsilon?: number|hl.gluon.nn.BatchNormReLU.options, center?: boolean|hl.gluon.nn.BatchNormReLU.options, scale?: boolean|hl.gluon.nn.BatchNormReLU.options, use_global_stats?: boolean|hl.gluon.nn.BatchNormReLU.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNormReLU.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNormReLU.options, running_mean_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNormReLU.options, running_variance_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.BatchNormReLU.options, in_channels?: number|hl.gluon.nn.BatchNormReLU.options, prefix?: string|hl.gluon.nn.BatchNormReLU.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.BatchNormReLU.options): hl.gluon.nn.BatchNormReLU
---@overload fun(options: hl.gluon.nn.BatchNormReLU.options): hl.gluon.nn.BatchNormReLU
hl.gluon.nn.BatchNormReLU = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.BatchNormReLU:hybrid_forward(F, x, p) end

hl.gluon.nn.Block = hl.gluon.Block

---@class hl.gluon.nn.Conv1D.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv1D: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv1D.options, kernel_size?: any|hl.gluon.nn.Conv1D.options, strides?: number|hl.gluon.nn.Conv1D.options, padding?: number|hl.gluon.nn.Conv1D.options, dilation?: number|hl.gluon.nn.Conv1D.options, groups?: number|hl.gluon.nn.Conv1D.options, layout?: string|hl.gluon.nn.Conv1D.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv1D.options, use_bias?: boolean|hl.gluon.nn.Conv1D.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv1D.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv1D.options, in_channels?: number|hl.gluon.nn.Conv1D.options, cudnn_off?: boolean|hl.gluon.nn.Conv1D.options, prefix?: string|hl.gluon.nn.Conv1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv1D.options): hl.gluon.nn.Conv1D
---@overload fun(options: hl.gluon.nn.Conv1D.options): hl.gluon.nn.Conv1D
hl.gluon.nn.Conv1D = {}

---@return any
function hl.gluon.nn.Conv1D:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv1D:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Conv1DTranspose.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field output_padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv1DTranspose: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv1DTranspose.options, kernel_size?: any|hl.gluon.nn.Conv1DTranspose.options, strides?: number|hl.gluon.nn.Conv1DTranspose.options, padding?: number|hl.gluon.nn.Conv1DTranspose.options, output_padding?: number|hl.gluon.nn.Conv1DTranspose.options, dilation?: number|hl.gluon.nn.Conv1DTranspose.options, groups?: number|hl.gluon.nn.Conv1DTranspose.options, layout?: string|hl.gluon.nn.Conv1DTranspose.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv1DTranspose.options, use_bias?: boolean|hl.gluon.nn.Conv1DTranspose.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv1DTranspose.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv1DTranspose.options, in_channels?: number|hl.gluon.nn.Conv1DTranspose.options, cudnn_off?: boolean|hl.gluon.nn.Conv1DTranspose.options, prefix?: string|hl.gluon.nn.Conv1DTranspose.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv1DTranspose.options): hl.gluon.nn.Conv1DTranspose
---@overload fun(options: hl.gluon.nn.Conv1DTranspose.options): hl.gluon.nn.Conv1DTranspose
hl.gluon.nn.Conv1DTranspose = {}

---@return any
function hl.gluon.nn.Conv1DTranspose:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv1DTranspose:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Conv2D.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCHW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv2D: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv2D.options, kernel_size?: any|hl.gluon.nn.Conv2D.options, strides?: number|hl.gluon.nn.Conv2D.options, padding?: number|hl.gluon.nn.Conv2D.options, dilation?: number|hl.gluon.nn.Conv2D.options, groups?: number|hl.gluon.nn.Conv2D.options, layout?: string|hl.gluon.nn.Conv2D.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv2D.options, use_bias?: boolean|hl.gluon.nn.Conv2D.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv2D.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv2D.options, in_channels?: number|hl.gluon.nn.Conv2D.options, cudnn_off?: boolean|hl.gluon.nn.Conv2D.options, prefix?: string|hl.gluon.nn.Conv2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv2D.options): hl.gluon.nn.Conv2D
---@overload fun(options: hl.gluon.nn.Conv2D.options): hl.gluon.nn.Conv2D
hl.gluon.nn.Conv2D = {}

---@return any
function hl.gluon.nn.Conv2D:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv2D:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Conv2DTranspose.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field output_padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCHW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv2DTranspose: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv2DTranspose.options, kernel_size?: any|hl.gluon.nn.Conv2DTranspose.options, strides?: number|hl.gluon.nn.Conv2DTranspose.options, padding?: number|hl.gluon.nn.Conv2DTranspose.options, output_padding?: number|hl.gluon.nn.Conv2DTranspose.options, dilation?: number|hl.gluon.nn.Conv2DTranspose.options, groups?: number|hl.gluon.nn.Conv2DTranspose.options, layout?: string|hl.gluon.nn.Conv2DTranspose.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv2DTranspose.options, use_bias?: boolean|hl.gluon.nn.Conv2DTranspose.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv2DTranspose.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv2DTranspose.options, in_channels?: number|hl.gluon.nn.Conv2DTranspose.options, cudnn_off?: boolean|hl.gluon.nn.Conv2DTranspose.options, prefix?: string|hl.gluon.nn.Conv2DTranspose.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv2DTranspose.options): hl.gluon.nn.Conv2DTranspose
---@overload fun(options: hl.gluon.nn.Conv2DTranspose.options): hl.gluon.nn.Conv2DTranspose
hl.gluon.nn.Conv2DTranspose = {}

---@return any
function hl.gluon.nn.Conv2DTranspose:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv2DTranspose:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Conv3D.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCDHW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv3D: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv3D.options, kernel_size?: any|hl.gluon.nn.Conv3D.options, strides?: number|hl.gluon.nn.Conv3D.options, padding?: number|hl.gluon.nn.Conv3D.options, dilation?: number|hl.gluon.nn.Conv3D.options, groups?: number|hl.gluon.nn.Conv3D.options, layout?: string|hl.gluon.nn.Conv3D.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv3D.options, use_bias?: boolean|hl.gluon.nn.Conv3D.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv3D.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv3D.options, in_channels?: number|hl.gluon.nn.Conv3D.options, cudnn_off?: boolean|hl.gluon.nn.Conv3D.options, prefix?: string|hl.gluon.nn.Conv3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv3D.options): hl.gluon.nn.Conv3D
---@overload fun(options: hl.gluon.nn.Conv3D.options): hl.gluon.nn.Conv3D
hl.gluon.nn.Conv3D = {}

---@return any
function hl.gluon.nn.Conv3D:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv3D:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Conv3DTranspose.options
---@field [integer] any
---@field channels? any
---@field kernel_size? any
---@field strides? number Default: 1.
---@field padding? number Default: 0.
---@field output_padding? number Default: 0.
---@field dilation? number Default: 1.
---@field groups? number Default: 1.
---@field layout? string Default: 'NCDHW'.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_channels? number Default: 0.
---@field cudnn_off? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.Conv3DTranspose: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.nn.Conv3DTranspose.options, kernel_size?: any|hl.gluon.nn.Conv3DTranspose.options, strides?: number|hl.gluon.nn.Conv3DTranspose.options, padding?: number|hl.gluon.nn.Conv3DTranspose.options, output_padding?: number|hl.gluon.nn.Conv3DTranspose.options, dilation?: number|hl.gluon.nn.Conv3DTranspose.options, groups?: number|hl.gluon.nn.Conv3DTranspose.options, layout?: string|hl.gluon.nn.Conv3DTranspose.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Conv3DTranspose.options, use_bias?: boolean|hl.gluon.nn.Conv3DTranspose.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv3DTranspose.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Conv3DTranspose.options, in_channels?: number|hl.gluon.nn.Conv3DTranspose.options, cudnn_off?: boolean|hl.gluon.nn.Conv3DTranspose.options, prefix?: string|hl.gluon.nn.Conv3DTranspose.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Conv3DTranspose.options): hl.gluon.nn.Conv3DTranspose
---@overload fun(options: hl.gluon.nn.Conv3DTranspose.options): hl.gluon.nn.Conv3DTranspose
hl.gluon.nn.Conv3DTranspose = {}

---@return any
function hl.gluon.nn.Conv3DTranspose:alias() end

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Conv3DTranspose:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Dense.options
---@field [integer] any
---@field units? integer
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'
---@field use_bias? boolean Default: true.
---@field flatten? boolean Default: true.
---@field dtype? hl.DType Default: 'float32'.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field in_units? integer Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Dense(units, {activation=, use_bias=true, flatten=true, dtype="float32", weight_initializer=,
---bias_initializer="zeros", in_units=0}): activation(x W^T + b), x (batch, in_units) or, with
---flatten = false, (..., in_units). in_units 0: set by the first batch.
---@class hl.gluon.nn.Dense: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.nn.Dense.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.nn.Dense.options, use_bias?: boolean|hl.gluon.nn.Dense.options, flatten?: boolean|hl.gluon.nn.Dense.options, dtype?: hl.DType|hl.gluon.nn.Dense.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Dense.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Dense.options, in_units?: integer|hl.gluon.nn.Dense.options, prefix?: string|hl.gluon.nn.Dense.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Dense.options): hl.gluon.nn.Dense
---@overload fun(options: hl.gluon.nn.Dense.options): hl.gluon.nn.Dense
hl.gluon.nn.Dense = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Dense:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Dropout.options
---@field [integer] any
---@field rate? any
---@field axes? table Default: {}.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Dropout(rate, {axes = {}}): in training sets a fraction `rate` of the elements to 0 and
---scales the rest by 1 / (1 - rate); along `axes` one choice is shared.
---@class hl.gluon.nn.Dropout: hl.gluon.HybridBlock
---@overload fun(rate?: any|hl.gluon.nn.Dropout.options, axes?: table|hl.gluon.nn.Dropout.options, prefix?: string|hl.gluon.nn.Dropout.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Dropout.options): hl.gluon.nn.Dropout
---@overload fun(options: hl.gluon.nn.Dropout.options): hl.gluon.nn.Dropout
hl.gluon.nn.Dropout = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Dropout:hybrid_forward(F, x) end

---@class hl.gluon.nn.ELU.options
---@field [integer] any
---@field alpha? number Default: 1.0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ELU(alpha = 1): x where x > 0, else alpha (e^x - 1).
---@class hl.gluon.nn.ELU: hl.gluon.HybridBlock
---@overload fun(alpha?: number|hl.gluon.nn.ELU.options, prefix?: string|hl.gluon.nn.ELU.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.ELU.options): hl.gluon.nn.ELU
---@overload fun(options: hl.gluon.nn.ELU.options): hl.gluon.nn.ELU
hl.gluon.nn.ELU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.ELU:hybrid_forward(F, x) end

---@class hl.gluon.nn.Embedding.options
---@field [integer] any
---@field input_dim? integer
---@field output_dim? integer
---@field dtype? hl.DType Default: 'float32'.
---@field weight_initializer? string|hl.initializer.Initializer
---@field sparse_grad? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Embedding(input_dim, output_dim, {dtype=, weight_initializer=}): row x of a learned matrix
---(input_dim, output_dim) for each index x, from 0. Errors: an index outside, by value and row.
---@class hl.gluon.nn.Embedding: hl.gluon.HybridBlock
---@overload fun(input_dim?: integer|hl.gluon.nn.Embedding.options, output_dim?: integer|hl.gluon.nn.Embedding.options, dtype?: hl.DType|hl.gluon.nn.Embedding.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.Embedding.options, sparse_grad?: any|hl.gluon.nn.Embedding.options, prefix?: string|hl.gluon.nn.Embedding.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Embedding.options): hl.gluon.nn.Embedding
---@overload fun(options: hl.gluon.nn.Embedding.options): hl.gluon.nn.Embedding
hl.gluon.nn.Embedding = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Embedding:hybrid_forward(F, x, p) end

---(batch, ...) to (batch, all the rest).
---@class hl.gluon.nn.Flatten: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Flatten
hl.gluon.nn.Flatten = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Flatten:hybrid_forward(F, x) end

---GELU: x Phi(x), Phi the normal distribution (Hendrycks and Gimpel, 2016).
---@class hl.gluon.nn.GELU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.GELU
hl.gluon.nn.GELU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GELU:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalAvgPool1D.options
---@field [integer] any
---@field layout? string Default: 'NCW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalAvgPool1D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalAvgPool1D.options, prefix?: string|hl.gluon.nn.GlobalAvgPool1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalAvgPool1D.options): hl.gluon.nn.GlobalAvgPool1D
---@overload fun(options: hl.gluon.nn.GlobalAvgPool1D.options): hl.gluon.nn.GlobalAvgPool1D
hl.gluon.nn.GlobalAvgPool1D = {}

---@return any
function hl.gluon.nn.GlobalAvgPool1D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalAvgPool1D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalAvgPool2D.options
---@field [integer] any
---@field layout? string Default: 'NCHW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalAvgPool2D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalAvgPool2D.options, prefix?: string|hl.gluon.nn.GlobalAvgPool2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalAvgPool2D.options): hl.gluon.nn.GlobalAvgPool2D
---@overload fun(options: hl.gluon.nn.GlobalAvgPool2D.options): hl.gluon.nn.GlobalAvgPool2D
hl.gluon.nn.GlobalAvgPool2D = {}

---@return any
function hl.gluon.nn.GlobalAvgPool2D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalAvgPool2D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalAvgPool3D.options
---@field [integer] any
---@field layout? string Default: 'NCDHW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalAvgPool3D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalAvgPool3D.options, prefix?: string|hl.gluon.nn.GlobalAvgPool3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalAvgPool3D.options): hl.gluon.nn.GlobalAvgPool3D
---@overload fun(options: hl.gluon.nn.GlobalAvgPool3D.options): hl.gluon.nn.GlobalAvgPool3D
hl.gluon.nn.GlobalAvgPool3D = {}

---@return any
function hl.gluon.nn.GlobalAvgPool3D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalAvgPool3D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalMaxPool1D.options
---@field [integer] any
---@field layout? string Default: 'NCW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalMaxPool1D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalMaxPool1D.options, prefix?: string|hl.gluon.nn.GlobalMaxPool1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalMaxPool1D.options): hl.gluon.nn.GlobalMaxPool1D
---@overload fun(options: hl.gluon.nn.GlobalMaxPool1D.options): hl.gluon.nn.GlobalMaxPool1D
hl.gluon.nn.GlobalMaxPool1D = {}

---@return any
function hl.gluon.nn.GlobalMaxPool1D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalMaxPool1D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalMaxPool2D.options
---@field [integer] any
---@field layout? string Default: 'NCHW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalMaxPool2D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalMaxPool2D.options, prefix?: string|hl.gluon.nn.GlobalMaxPool2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalMaxPool2D.options): hl.gluon.nn.GlobalMaxPool2D
---@overload fun(options: hl.gluon.nn.GlobalMaxPool2D.options): hl.gluon.nn.GlobalMaxPool2D
hl.gluon.nn.GlobalMaxPool2D = {}

---@return any
function hl.gluon.nn.GlobalMaxPool2D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalMaxPool2D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GlobalMaxPool3D.options
---@field [integer] any
---@field layout? string Default: 'NCDHW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.GlobalMaxPool3D: hl.gluon.HybridBlock
---@overload fun(layout?: string|hl.gluon.nn.GlobalMaxPool3D.options, prefix?: string|hl.gluon.nn.GlobalMaxPool3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GlobalMaxPool3D.options): hl.gluon.nn.GlobalMaxPool3D
---@overload fun(options: hl.gluon.nn.GlobalMaxPool3D.options): hl.gluon.nn.GlobalMaxPool3D
hl.gluon.nn.GlobalMaxPool3D = {}

---@return any
function hl.gluon.nn.GlobalMaxPool3D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.GlobalMaxPool3D:hybrid_forward(F, x) end

---@class hl.gluon.nn.GroupNorm.options
---@field [integer] any
---@field num_groups? number Default: 1.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: true.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---GroupNorm(num_groups = 1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros",
---gamma_initializer = "ones"}): as LayerNorm over each of num_groups groups of a sample's channels, axis 1; gamma and
---beta are one for each group, as in MXNet 1.9.1. Y. Wu, K. He, "Group normalization", 2018.
---@class hl.gluon.nn.GroupNorm: hl.gluon.HybridBlock
---@overload fun(num_groups?: number|hl.gluon.nn.GroupNorm.options, epsilon?: number|hl.gluon.nn.GroupNorm.options, center?: boolean|hl.gluon.nn.GroupNorm.options, scale?: boolean|hl.gluon.nn.GroupNorm.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.GroupNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.GroupNorm.options, prefix?: string|hl.gluon.nn.GroupNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.GroupNorm.options): hl.gluon.nn.GroupNorm
---@overload fun(options: hl.gluon.nn.GroupNorm.options): hl.gluon.nn.GroupNorm
hl.gluon.nn.GroupNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.GroupNorm:hybrid_forward(F, x, p) end

hl.gluon.nn.HybridBlock = hl.gluon.HybridBlock

---@class hl.gluon.nn.HybridLambda.options
---@field [integer] any
---@field ["function"]? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---HybridLambda(fn or operator name): fn(F, x, ...) as a HybridBlock.
---@class hl.gluon.nn.HybridLambda: hl.gluon.HybridBlock
---@overload fun(function_?: any|hl.gluon.nn.HybridLambda.options, prefix?: string|hl.gluon.nn.HybridLambda.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.HybridLambda.options): hl.gluon.nn.HybridLambda
---@overload fun(options: hl.gluon.nn.HybridLambda.options): hl.gluon.nn.HybridLambda
hl.gluon.nn.HybridLambda = {}

---@param F? any
---@return any
function hl.gluon.nn.HybridLambda:hybrid_forward(F, ...) end

---Runs its children, HybridBlocks, one after another; can be hybridized as a whole.
---@class hl.gluon.nn.HybridSequential: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.HybridSequential
hl.gluon.nn.HybridSequential = {}

---Adds blocks, called in order: net:add(nn.Dense(8), nn.Dense(2)), or net:add{...}.
---@return any
function hl.gluon.nn.HybridSequential:add(...) end

---@param _? any
---@param x? any
---@return any
function hl.gluon.nn.HybridSequential:hybrid_forward(_, x, ...) end

---net["1:3"] or net[{1, 3}]: a container of the same blocks. Errors: a number that is not an index.
---@param key? any
---@return any
function hl.gluon.nn.HybridSequential:missing_field(key) end

---Identity(): gives what it is given.
---@class hl.gluon.nn.Identity: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Identity
hl.gluon.nn.Identity = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.nn.Identity:hybrid_forward(_, x) end

---@class hl.gluon.nn.InstanceNorm.options
---@field [integer] any
---@field axis? integer Default: 1.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: false.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---InstanceNorm(axis = 1, {epsilon = 1e-5, center = true, scale = false, beta_initializer = "zeros",
---gamma_initializer = "ones", in_channels = 0}): as LayerNorm, but mean and variance are those of each sample's
---channel, over all axes but the first and `axis`; gamma and beta are one for each channel.
---D. Ulyanov, A. Vedaldi, V. Lempitsky, "Instance normalization", 2016.
---@class hl.gluon.nn.InstanceNorm: hl.gluon.HybridBlock
---@overload fun(axis?: integer|hl.gluon.nn.InstanceNorm.options, epsilon?: number|hl.gluon.nn.InstanceNorm.options, center?: boolean|hl.gluon.nn.InstanceNorm.options, scale?: boolean|hl.gluon.nn.InstanceNorm.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.InstanceNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.InstanceNorm.options, in_channels?: number|hl.gluon.nn.InstanceNorm.options, prefix?: string|hl.gluon.nn.InstanceNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.InstanceNorm.options): hl.gluon.nn.InstanceNorm
---@overload fun(options: hl.gluon.nn.InstanceNorm.options): hl.gluon.nn.InstanceNorm
hl.gluon.nn.InstanceNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.InstanceNorm:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.Lambda.options
---@field [integer] any
---@field ["function"]? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Lambda(fn or operator name): fn(x, ...) as a Block.
---@class hl.gluon.nn.Lambda: hl.gluon.Block
---@overload fun(function_?: any|hl.gluon.nn.Lambda.options, prefix?: string|hl.gluon.nn.Lambda.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Lambda.options): hl.gluon.nn.Lambda
---@overload fun(options: hl.gluon.nn.Lambda.options): hl.gluon.nn.Lambda
hl.gluon.nn.Lambda = {}

---@return any
function hl.gluon.nn.Lambda:forward(...) end

---@class hl.gluon.nn.LayerNorm.options
---@field [integer] any
---@field axis? integer Default: -1.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: true.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---LayerNorm(axis = -1, {epsilon = 1e-5, center = true, scale = true, beta_initializer = "zeros", gamma_initializer =
---"ones", in_channels = 0}): (x - mean) / sqrt(variance + epsilon) along `axis`, times gamma, plus beta, one of each
---for a place on that axis. Without center or scale beta or gamma is not learned. in_channels 0: set by the first
---batch. J. Ba, J. Kiros, G. Hinton, "Layer normalization", 2016.
---@class hl.gluon.nn.LayerNorm: hl.gluon.HybridBlock
---@overload fun(axis?: integer|hl.gluon.nn.LayerNorm.options, epsilon?: number|hl.gluon.nn.LayerNorm.options, center?: boolean|hl.gluon.nn.LayerNorm.options, scale?: boolean|hl.gluon.nn.LayerNorm.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.LayerNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.LayerNorm.options, in_channels?: number|hl.gluon.nn.LayerNorm.options, prefix?: string|hl.gluon.nn.LayerNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.LayerNorm.options): hl.gluon.nn.LayerNorm
---@overload fun(options: hl.gluon.nn.LayerNorm.options): hl.gluon.nn.LayerNorm
hl.gluon.nn.LayerNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.LayerNorm:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.LeakyReLU.options
---@field [integer] any
---@field alpha? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---LeakyReLU(alpha): x where x > 0, else alpha x.
---@class hl.gluon.nn.LeakyReLU: hl.gluon.HybridBlock
---@overload fun(alpha?: any|hl.gluon.nn.LeakyReLU.options, prefix?: string|hl.gluon.nn.LeakyReLU.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.LeakyReLU.options): hl.gluon.nn.LeakyReLU
---@overload fun(options: hl.gluon.nn.LeakyReLU.options): hl.gluon.nn.LeakyReLU
hl.gluon.nn.LeakyReLU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.LeakyReLU:hybrid_forward(F, x) end

---@class hl.gluon.nn.MaxPool1D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field layout? string Default: 'NCW'.
---@field ceil_mode? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.MaxPool1D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.MaxPool1D.options, strides?: any|hl.gluon.nn.MaxPool1D.options, padding?: number|hl.gluon.nn.MaxPool1D.options, layout?: string|hl.gluon.nn.MaxPool1D.options, ceil_mode?: boolean|hl.gluon.nn.MaxPool1D.options, prefix?: string|hl.gluon.nn.MaxPool1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.MaxPool1D.options): hl.gluon.nn.MaxPool1D
---@overload fun(options: hl.gluon.nn.MaxPool1D.options): hl.gluon.nn.MaxPool1D
hl.gluon.nn.MaxPool1D = {}

---@return any
function hl.gluon.nn.MaxPool1D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.MaxPool1D:hybrid_forward(F, x) end

---@class hl.gluon.nn.MaxPool2D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field layout? string Default: 'NCHW'.
---@field ceil_mode? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.MaxPool2D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.MaxPool2D.options, strides?: any|hl.gluon.nn.MaxPool2D.options, padding?: number|hl.gluon.nn.MaxPool2D.options, layout?: string|hl.gluon.nn.MaxPool2D.options, ceil_mode?: boolean|hl.gluon.nn.MaxPool2D.options, prefix?: string|hl.gluon.nn.MaxPool2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.MaxPool2D.options): hl.gluon.nn.MaxPool2D
---@overload fun(options: hl.gluon.nn.MaxPool2D.options): hl.gluon.nn.MaxPool2D
hl.gluon.nn.MaxPool2D = {}

---@return any
function hl.gluon.nn.MaxPool2D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.MaxPool2D:hybrid_forward(F, x) end

---@class hl.gluon.nn.MaxPool3D.options
---@field [integer] any
---@field pool_size? number Default: 2.
---@field strides? any
---@field padding? number Default: 0.
---@field ceil_mode? boolean Default: false.
---@field layout? string Default: 'NCDHW'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.nn.MaxPool3D: hl.gluon.HybridBlock
---@overload fun(pool_size?: number|hl.gluon.nn.MaxPool3D.options, strides?: any|hl.gluon.nn.MaxPool3D.options, padding?: number|hl.gluon.nn.MaxPool3D.options, ceil_mode?: boolean|hl.gluon.nn.MaxPool3D.options, layout?: string|hl.gluon.nn.MaxPool3D.options, prefix?: string|hl.gluon.nn.MaxPool3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.MaxPool3D.options): hl.gluon.nn.MaxPool3D
---@overload fun(options: hl.gluon.nn.MaxPool3D.options): hl.gluon.nn.MaxPool3D
hl.gluon.nn.MaxPool3D = {}

---@return any
function hl.gluon.nn.MaxPool3D:alias() end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.MaxPool3D:hybrid_forward(F, x) end

---@class hl.gluon.nn.PReLU.options
---@field [integer] any
---@field alpha_initializer? string|hl.initializer.Initializer
---@field in_channels? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---PReLU({alpha_initializer=, in_channels=1}): leaky with a learned slope, one or one a channel (axis 1).
---@class hl.gluon.nn.PReLU: hl.gluon.HybridBlock
---@overload fun(alpha_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.PReLU.options, in_channels?: number|hl.gluon.nn.PReLU.options, prefix?: string|hl.gluon.nn.PReLU.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.PReLU.options): hl.gluon.nn.PReLU
---@overload fun(options: hl.gluon.nn.PReLU.options): hl.gluon.nn.PReLU
hl.gluon.nn.PReLU = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.PReLU:hybrid_forward(F, x, p) end

---@class hl.gluon.nn.ReflectionPad2D.options
---@field [integer] any
---@field padding? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ReflectionPad2D(padding = 0): (batch, channel, height, width) with `padding` more places on all four sides, which
---show what a mirror in the outermost row or column shows. padding may be Pad's eight numbers.
---@class hl.gluon.nn.ReflectionPad2D: hl.gluon.HybridBlock
---@overload fun(padding?: number|hl.gluon.nn.ReflectionPad2D.options, prefix?: string|hl.gluon.nn.ReflectionPad2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.ReflectionPad2D.options): hl.gluon.nn.ReflectionPad2D
---@overload fun(options: hl.gluon.nn.ReflectionPad2D.options): hl.gluon.nn.ReflectionPad2D
hl.gluon.nn.ReflectionPad2D = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.ReflectionPad2D:hybrid_forward(F, x) end

---SELU: the self-normalising unit (Klambauer et al., 2017).
---@class hl.gluon.nn.SELU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.SELU
hl.gluon.nn.SELU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.SELU:hybrid_forward(F, x) end

---Runs its children one after another.
---@class hl.gluon.nn.Sequential: hl.gluon.Block
---@overload fun(...: any): hl.gluon.nn.Sequential
hl.gluon.nn.Sequential = {}

---Adds blocks, called in order: net:add(nn.Dense(8), nn.Dense(2)), or net:add{...}.
---@return any
function hl.gluon.nn.Sequential:add(...) end

---@param x? any
---@return any
function hl.gluon.nn.Sequential:forward(x, ...) end

---@class hl.gluon.nn.Sequential.hybridize.options
---@field [integer] any
---@field active? any
---@field static_alloc? any
---@field static_shape? any
---@field inline_limit? any
---@field forward_bulk_size? any
---@field backward_bulk_size? any
---@field clear? any
---@field check? any
---@field frozen? any
---@field max_traces? any
---@field max_plans? any
---@field full? any
---@field effects? any
---@field breaks? any
---@field remat? any
---@field scalars? any

---@overload fun(self: hl.gluon.nn.Sequential, active?: any|hl.gluon.nn.Sequential.hybridize.options, static_alloc?: any|hl.gluon.nn.Sequential.hybridize.options, static_shape?: any|hl.gluon.nn.Sequential.hybridize.options, inline_limit?: any|hl.gluon.nn.Sequential.hybridize.options, forward_bulk_size?: any|hl.gluon.nn.Sequential.hybridize.options, backward_bulk_size?: any|hl.gluon.nn.Sequential.hybridize.options, clear?: any|hl.gluon.nn.Sequential.hybridize.options, check?: any|hl.gluon.nn.Sequential.hybridize.options, frozen?: any|hl.gluon.nn.Sequential.hybridize.options, max_traces?: any|hl.gluon.nn.Sequential.hybridize.options, max_plans?: any|hl.gluon.nn.Sequential.hybridize.options, full?: any|hl.gluon.nn.Sequential.hybridize.options, effects?: any|hl.gluon.nn.Sequential.hybridize.options, breaks?: any|hl.gluon.nn.Sequential.hybridize.options, remat?: any|hl.gluon.nn.Sequential.hybridize.options, scalars?: any|hl.gluon.nn.Sequential.hybridize.options): any
---@return any
function hl.gluon.nn.Sequential:hybridize(...) end

---net["1:3"] or net[{1, 3}]: a container of the same blocks. Errors: a number that is not an index.
---@param key? any
---@return any
function hl.gluon.nn.Sequential:missing_field(key) end

---@class hl.gluon.nn.Swish.options
---@field [integer] any
---@field beta? number Default: 1.0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Swish(beta) : x sigmoid(beta x).
---@class hl.gluon.nn.Swish: hl.gluon.HybridBlock
---@overload fun(beta?: number|hl.gluon.nn.Swish.options, prefix?: string|hl.gluon.nn.Swish.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.Swish.options): hl.gluon.nn.Swish
---@overload fun(options: hl.gluon.nn.Swish.options): hl.gluon.nn.Swish
hl.gluon.nn.Swish = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Swish:hybrid_forward(F, x) end

hl.gluon.nn.SymbolBlock = hl.gluon.SymbolBlock

---@class hl.gluon.nn.SyncBatchNorm.options
---@field [integer] any
---@field in_channels? number Default: 0.
---@field num_devices? number Default: 1.
---@field momentum? number Default: 0.9.
---@field epsilon? number Default: 1e-05.
---@field center? boolean Default: true.
---@field scale? boolean Default: true.
---@field use_global_stats? boolean Default: false.
---@field beta_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field running_mean_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field running_variance_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SyncBatchNorm({in_channels = 0, num_devices = 1, ...}): BatchNorm along axis 1 with the other options. In MXNet the
---statistics are those of the batches of all devices together; here each device's batch has its own.
---@class hl.gluon.nn.SyncBatchNorm: hl.gluon.nn.BatchNorm
---@overload fun(in_channels?: number|hl.gluon.nn.SyncBatchNorm.options, num_devices?: number|hl.gluon.nn.SyncBatchNorm.options, momentum?: number|hl.gluon.nn.SyncBatchNorm.options, epsilon?: number|hl.gluon.nn.SyncBatchNorm.options, center?: boolean|hl.gluon.nn.SyncBatchNorm.options, scale?: boolean|hl.gluon.nn.SyncBatchNorm.options, use_global_stats?: boolean|hl.gluon.nn.SyncBatchNorm.options, beta_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.SyncBatchNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.SyncBatchNorm.options, running_mean_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.SyncBatchNorm.options, running_variance_initializer?: string|hl.initializer.Initializer|hl.gluon.nn.SyncBatchNorm.options, prefix?: string|hl.gluon.nn.SyncBatchNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.nn.SyncBatchNorm.options): hl.gluon.nn.SyncBatchNorm
---@overload fun(options: hl.gluon.nn.SyncBatchNorm.options): hl.gluon.nn.SyncBatchNorm
hl.gluon.nn.SyncBatchNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.SyncBatchNorm:hybrid_forward(F, x, p) end

---@class hl.gluon.rnn
hl.gluon.rnn = {}

---@class hl.gluon.rnn.BidirectionalCell.options
---@field [integer] any
---@field l_cell? any
---@field r_cell? any
---@field output_prefix? string Default: 'bi_'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BidirectionalCell(l_cell, r_cell, output_prefix = "bi_"): l_cell goes over the sequence from its first step, r_cell
---from its last; the outputs of a step lie side by side. It can be unrolled only. The outputs' names in a graph begin
---with output_prefix: "bi_t0_output", or "bi_out_output" of one array.
---@class hl.gluon.rnn.BidirectionalCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(l_cell?: any|hl.gluon.rnn.BidirectionalCell.options, r_cell?: any|hl.gluon.rnn.BidirectionalCell.options, output_prefix?: string|hl.gluon.rnn.BidirectionalCell.options, prefix?: string|hl.gluon.rnn.BidirectionalCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.BidirectionalCell.options): hl.gluon.rnn.BidirectionalCell
---@overload fun(options: hl.gluon.rnn.BidirectionalCell.options): hl.gluon.rnn.BidirectionalCell
hl.gluon.rnn.BidirectionalCell = {}

---@class hl.gluon.rnn.BidirectionalCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---The states of all cells, each of which names its own.
---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.BidirectionalCell, batch_size?: integer|hl.gluon.rnn.BidirectionalCell.begin_state.options, func?: any|hl.gluon.rnn.BidirectionalCell.begin_state.options, options?: any|hl.gluon.rnn.BidirectionalCell.begin_state.options): any
---@return any
function hl.gluon.rnn.BidirectionalCell:begin_state(batch_size, func, options) end

---@return any
function hl.gluon.rnn.BidirectionalCell:call() end

---@return any
function hl.gluon.rnn.BidirectionalCell:given_prefix() end

---@param batch_size? any
---@return any
function hl.gluon.rnn.BidirectionalCell:state_info(batch_size) end

---@class hl.gluon.rnn.BidirectionalCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
---@param length? any
---@param inputs? any
---@param begin_state? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.BidirectionalCell, length?: integer|hl.gluon.rnn.BidirectionalCell.unroll.options, inputs?: any|hl.gluon.rnn.BidirectionalCell.unroll.options, begin_state?: any|hl.gluon.rnn.BidirectionalCell.unroll.options, layout?: any|hl.gluon.rnn.BidirectionalCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.BidirectionalCell.unroll.options, valid_length?: any|hl.gluon.rnn.BidirectionalCell.unroll.options): any
---@return any
function hl.gluon.rnn.BidirectionalCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length) end

---@class hl.gluon.rnn.DropoutCell.options
---@field [integer] any
---@field rate? any
---@field axes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---DropoutCell(rate, axes = {}): drops values of its input in training, as nn.Dropout does; it has no states.
---@class hl.gluon.rnn.DropoutCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(rate?: any|hl.gluon.rnn.DropoutCell.options, axes?: any|hl.gluon.rnn.DropoutCell.options, prefix?: string|hl.gluon.rnn.DropoutCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.DropoutCell.options): hl.gluon.rnn.DropoutCell
---@overload fun(options: hl.gluon.rnn.DropoutCell.options): hl.gluon.rnn.DropoutCell
hl.gluon.rnn.DropoutCell = {}

---@return any
function hl.gluon.rnn.DropoutCell:alias() end

---@param F? any
---@param input? any
---@param states? any
---@return any
function hl.gluon.rnn.DropoutCell:hybrid_forward(F, input, states) end

---There are none.
---@return any
function hl.gluon.rnn.DropoutCell:state_info() end

---@class hl.gluon.rnn.DropoutCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---unroll(length, inputs, begin_state, layout = "NTC", merge_outputs): a sequence that is one array, and stays one, is
---dropped as a whole.
---@param length? any
---@param inputs? any
---@param begin_state? any
---@param layout? any
---@param merge_outputs? any
---@overload fun(self: hl.gluon.rnn.DropoutCell, length?: integer|hl.gluon.rnn.DropoutCell.unroll.options, inputs?: any|hl.gluon.rnn.DropoutCell.unroll.options, begin_state?: any|hl.gluon.rnn.DropoutCell.unroll.options, layout?: any|hl.gluon.rnn.DropoutCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.DropoutCell.unroll.options, valid_length?: any|hl.gluon.rnn.DropoutCell.unroll.options): any
---@return any
function hl.gluon.rnn.DropoutCell:unroll(length, inputs, begin_state, layout, merge_outputs) end

---@class hl.gluon.rnn.GRU.options
---@field [integer] any
---@field hidden_size? any
---@field num_layers? number Default: 1.
---@field layout? string Default: 'TNC'.
---@field dropout? number Default: 0.
---@field bidirectional? boolean Default: false.
---@field input_size? number Default: 0.
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field dtype? hl.DType Default: 'float32'.
---@field use_sequence_length? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---GRUCell(hidden_size, {input_size = 0, initializers}): gates in the order reset, update, new.
---@class hl.gluon.rnn.GRU: hl.gluon.HybridBlock
---@overload fun(hidden_size?: any|hl.gluon.rnn.GRU.options, num_layers?: number|hl.gluon.rnn.GRU.options, layout?: string|hl.gluon.rnn.GRU.options, dropout?: number|hl.gluon.rnn.GRU.options, bidirectional?: boolean|hl.gluon.rnn.GRU.options, input_size?: number|hl.gluon.rnn.GRU.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRU.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRU.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRU.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRU.options, dtype?: hl.DType|hl.gluon.rnn.GRU.options, use_sequence_length?: any|hl.gluon.rnn.GRU.options, prefix?: string|hl.gluon.rnn.GRU.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.GRU.options): hl.gluon.rnn.GRU
---@overload fun(options: hl.gluon.rnn.GRU.options): hl.gluon.rnn.GRU
hl.gluon.rnn.GRU = {}

---@class hl.gluon.rnn.GRUCell.options
---@field [integer] any
---@field hidden_size? any
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field input_size? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.rnn.GRUCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(hidden_size?: any|hl.gluon.rnn.GRUCell.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRUCell.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRUCell.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRUCell.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.GRUCell.options, input_size?: number|hl.gluon.rnn.GRUCell.options, prefix?: string|hl.gluon.rnn.GRUCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.GRUCell.options): hl.gluon.rnn.GRUCell
---@overload fun(options: hl.gluon.rnn.GRUCell.options): hl.gluon.rnn.GRUCell
hl.gluon.rnn.GRUCell = {}

---@return any
function hl.gluon.rnn.GRUCell:alias() end

---@param F? any
---@param input? any
---@param states? any
---@param p? any
---@return any
function hl.gluon.rnn.GRUCell:hybrid_forward(F, input, states, p) end

---@param batch_size? any
---@return any
function hl.gluon.rnn.GRUCell:state_info(batch_size) end

---HybridRecurrentCell: the base of cells that can be hybridized. One of your own has state_info(batch_size) and
---hybrid_forward(F, input, states, p), which gives the output and the list of the new states.
---@class hl.gluon.rnn.HybridRecurrentCell: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.rnn.HybridRecurrentCell
hl.gluon.rnn.HybridRecurrentCell = {}

---@class hl.gluon.rnn.HybridRecurrentCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.HybridRecurrentCell, batch_size?: integer|hl.gluon.rnn.HybridRecurrentCell.begin_state.options, func?: any|hl.gluon.rnn.HybridRecurrentCell.begin_state.options, options?: any|hl.gluon.rnn.HybridRecurrentCell.begin_state.options): any
---@return any
function hl.gluon.rnn.HybridRecurrentCell:begin_state(batch_size, func, options) end

---@return any
function hl.gluon.rnn.HybridRecurrentCell:reset() end

---@return any
function hl.gluon.rnn.HybridRecurrentCell:state_info() end

---@class hl.gluon.rnn.HybridRecurrentCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---@param length? any
---@param inputs? any
---@param first_states? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.HybridRecurrentCell, length?: integer|hl.gluon.rnn.HybridRecurrentCell.unroll.options, inputs?: any|hl.gluon.rnn.HybridRecurrentCell.unroll.options, begin_state?: any|hl.gluon.rnn.HybridRecurrentCell.unroll.options, layout?: any|hl.gluon.rnn.HybridRecurrentCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.HybridRecurrentCell.unroll.options, valid_length?: any|hl.gluon.rnn.HybridRecurrentCell.unroll.options): any
---@return any
function hl.gluon.rnn.HybridRecurrentCell:unroll(length, inputs, first_states, layout, merge_outputs, valid_length) end

---HybridSequentialRNNCell(): the same of cells that can be hybridized, as a whole.
---@class hl.gluon.rnn.HybridSequentialRNNCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(...: any): hl.gluon.rnn.HybridSequentialRNNCell
hl.gluon.rnn.HybridSequentialRNNCell = {}

---Adds a cell on top.
---@param cell? any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:add(cell) end

---@class hl.gluon.rnn.HybridSequentialRNNCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---The states of all cells, each of which names its own.
---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.HybridSequentialRNNCell, batch_size?: integer|hl.gluon.rnn.HybridSequentialRNNCell.begin_state.options, func?: any|hl.gluon.rnn.HybridSequentialRNNCell.begin_state.options, options?: any|hl.gluon.rnn.HybridSequentialRNNCell.begin_state.options): any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:begin_state(batch_size, func, options) end

---@param _? any
---@param input? any
---@param states? any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:hybrid_forward(_, input, states) end

---@param key? any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:missing_field(key) end

---@param batch_size? any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:state_info(batch_size) end

---@class hl.gluon.rnn.HybridSequentialRNNCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---@param length? any
---@param inputs? any
---@param begin_state? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.HybridSequentialRNNCell, length?: integer|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options, inputs?: any|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options, begin_state?: any|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options, layout?: any|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options, valid_length?: any|hl.gluon.rnn.HybridSequentialRNNCell.unroll.options): any
---@return any
function hl.gluon.rnn.HybridSequentialRNNCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length) end

---@class hl.gluon.rnn.LSTM.options
---@field [integer] any
---@field hidden_size? any
---@field num_layers? number Default: 1.
---@field layout? string Default: 'TNC'.
---@field dropout? number Default: 0.
---@field bidirectional? boolean Default: false.
---@field input_size? number Default: 0.
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field projection_size? any
---@field h2r_weight_initializer? string|hl.initializer.Initializer
---@field state_clip_min? any
---@field state_clip_max? any
---@field state_clip_nan? boolean Default: false.
---@field dtype? hl.DType Default: 'float32'.
---@field use_sequence_length? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---LSTMCell(hidden_size, {input_size = 0, activation = "tanh", recurrent_activation = "sigmoid", initializers}): gates
---in the order in, forget, cell, out; its states are h and c.
---@class hl.gluon.rnn.LSTM: hl.gluon.HybridBlock
---@overload fun(hidden_size?: any|hl.gluon.rnn.LSTM.options, num_layers?: number|hl.gluon.rnn.LSTM.options, layout?: string|hl.gluon.rnn.LSTM.options, dropout?: number|hl.gluon.rnn.LSTM.options, bidirectional?: boolean|hl.gluon.rnn.LSTM.options, input_size?: number|hl.gluon.rnn.LSTM.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTM.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTM.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTM.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTM.options, projection_size?: any|hl.gluon.rnn.LSTM.options, h2r_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTM.options, state_clip_min?: any|hl.gluon.rnn.LSTM.options, state_clip_max?: any|hl.gluon.rnn.LSTM.options, state_clip_nan?: boolean|hl.gluon.rnn.LSTM.options, dtype?: hl.DType|hl.gluon.rnn.LSTM.options, use_sequence_length?: any|hl.gluon.rnn.LSTM.options, prefix?: string|hl.gluon.rnn.LSTM.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.LSTM.options): hl.gluon.rnn.LSTM
---@overload fun(options: hl.gluon.rnn.LSTM.options): hl.gluon.rnn.LSTM
hl.gluon.rnn.LSTM = {}

---@class hl.gluon.rnn.LSTMCell.options
---@field [integer] any
---@field hidden_size? any
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field input_size? number Default: 0.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'tanh'.
---@field recurrent_activation? string Default: 'sigmoid'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.rnn.LSTMCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(hidden_size?: any|hl.gluon.rnn.LSTMCell.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTMCell.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTMCell.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTMCell.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.LSTMCell.options, input_size?: number|hl.gluon.rnn.LSTMCell.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.rnn.LSTMCell.options, recurrent_activation?: string|hl.gluon.rnn.LSTMCell.options, prefix?: string|hl.gluon.rnn.LSTMCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.LSTMCell.options): hl.gluon.rnn.LSTMCell
---@overload fun(options: hl.gluon.rnn.LSTMCell.options): hl.gluon.rnn.LSTMCell
hl.gluon.rnn.LSTMCell = {}

---@return any
function hl.gluon.rnn.LSTMCell:alias() end

---@param F? any
---@param input? any
---@param states? any
---@param p? any
---@return any
function hl.gluon.rnn.LSTMCell:hybrid_forward(F, input, states, p) end

---@param batch_size? any
---@return any
function hl.gluon.rnn.LSTMCell:state_info(batch_size) end

---@class hl.gluon.rnn.ModifierCell.options
---@field [integer] any
---@field base_cell? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ModifierCell(base_cell): the base of cells around a cell, which is self.base_cell; one of your own has
---hybrid_forward, and calls ModifierCell.init(self, base_cell) if it has an init.
---@class hl.gluon.rnn.ModifierCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(base_cell?: any|hl.gluon.rnn.ModifierCell.options, prefix?: string|hl.gluon.rnn.ModifierCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.ModifierCell.options): hl.gluon.rnn.ModifierCell
---@overload fun(options: hl.gluon.rnn.ModifierCell.options): hl.gluon.rnn.ModifierCell
hl.gluon.rnn.ModifierCell = {}

---@class hl.gluon.rnn.ModifierCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---States of the cell inside to begin with.
---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.ModifierCell, batch_size?: integer|hl.gluon.rnn.ModifierCell.begin_state.options, func?: any|hl.gluon.rnn.ModifierCell.begin_state.options, options?: any|hl.gluon.rnn.ModifierCell.begin_state.options): any
---@return any
function hl.gluon.rnn.ModifierCell:begin_state(batch_size, func, options) end

---@param cls? any
---@return any
function hl.gluon.rnn.ModifierCell:given_prefix(cls) end

---The shapes and layouts of the states of the cell inside.
---@param batch_size? any
---@return any
function hl.gluon.rnn.ModifierCell:state_info(batch_size) end

---@class hl.gluon.rnn.RNN.options
---@field [integer] any
---@field hidden_size? any
---@field num_layers? number Default: 1.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'relu'.
---@field layout? string Default: 'TNC'.
---@field dropout? number Default: 0.
---@field bidirectional? boolean Default: false.
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field input_size? number Default: 0.
---@field dtype? hl.DType Default: 'float32'.
---@field use_sequence_length? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---RNNCell(hidden_size, {activation = "tanh", input_size = 0, initializers}): h' = activation(W x + b + R h + c).
---@class hl.gluon.rnn.RNN: hl.gluon.HybridBlock
---@overload fun(hidden_size?: any|hl.gluon.rnn.RNN.options, num_layers?: number|hl.gluon.rnn.RNN.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.rnn.RNN.options, layout?: string|hl.gluon.rnn.RNN.options, dropout?: number|hl.gluon.rnn.RNN.options, bidirectional?: boolean|hl.gluon.rnn.RNN.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNN.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNN.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNN.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNN.options, input_size?: number|hl.gluon.rnn.RNN.options, dtype?: hl.DType|hl.gluon.rnn.RNN.options, use_sequence_length?: any|hl.gluon.rnn.RNN.options, prefix?: string|hl.gluon.rnn.RNN.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.RNN.options): hl.gluon.rnn.RNN
---@overload fun(options: hl.gluon.rnn.RNN.options): hl.gluon.rnn.RNN
hl.gluon.rnn.RNN = {}

---@class hl.gluon.rnn.RNNCell.options
---@field [integer] any
---@field hidden_size? any
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'tanh'.
---@field i2h_weight_initializer? string|hl.initializer.Initializer
---@field h2h_weight_initializer? string|hl.initializer.Initializer
---@field i2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field h2h_bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field input_size? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.rnn.RNNCell: hl.gluon.rnn.HybridRecurrentCell
---@overload fun(hidden_size?: any|hl.gluon.rnn.RNNCell.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.rnn.RNNCell.options, i2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNNCell.options, h2h_weight_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNNCell.options, i2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNNCell.options, h2h_bias_initializer?: string|hl.initializer.Initializer|hl.gluon.rnn.RNNCell.options, input_size?: number|hl.gluon.rnn.RNNCell.options, prefix?: string|hl.gluon.rnn.RNNCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.RNNCell.options): hl.gluon.rnn.RNNCell
---@overload fun(options: hl.gluon.rnn.RNNCell.options): hl.gluon.rnn.RNNCell
hl.gluon.rnn.RNNCell = {}

---@return any
function hl.gluon.rnn.RNNCell:alias() end

---@param F? any
---@param input? any
---@param states? any
---@param p? any
---@return any
function hl.gluon.rnn.RNNCell:hybrid_forward(F, input, states, p) end

---@param batch_size? any
---@return any
function hl.gluon.rnn.RNNCell:state_info(batch_size) end

---RecurrentCell: the base of cells that are plain Blocks.
---@class hl.gluon.rnn.RecurrentCell: hl.gluon.Block
---@overload fun(...: any): hl.gluon.rnn.RecurrentCell
hl.gluon.rnn.RecurrentCell = {}

---@class hl.gluon.rnn.RecurrentCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.RecurrentCell, batch_size?: integer|hl.gluon.rnn.RecurrentCell.begin_state.options, func?: any|hl.gluon.rnn.RecurrentCell.begin_state.options, options?: any|hl.gluon.rnn.RecurrentCell.begin_state.options): any
---@return any
function hl.gluon.rnn.RecurrentCell:begin_state(batch_size, func, options) end

---@return any
function hl.gluon.rnn.RecurrentCell:reset() end

---@return any
function hl.gluon.rnn.RecurrentCell:state_info() end

---@class hl.gluon.rnn.RecurrentCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---@param length? any
---@param inputs? any
---@param first_states? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.RecurrentCell, length?: integer|hl.gluon.rnn.RecurrentCell.unroll.options, inputs?: any|hl.gluon.rnn.RecurrentCell.unroll.options, begin_state?: any|hl.gluon.rnn.RecurrentCell.unroll.options, layout?: any|hl.gluon.rnn.RecurrentCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.RecurrentCell.unroll.options, valid_length?: any|hl.gluon.rnn.RecurrentCell.unroll.options): any
---@return any
function hl.gluon.rnn.RecurrentCell:unroll(length, inputs, first_states, layout, merge_outputs, valid_length) end

---@class hl.gluon.rnn.ResidualCell.options
---@field [integer] any
---@field base_cell? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ResidualCell(base_cell): adds the input to the output, which has its shape (Y. Wu et al., 2016).
---@class hl.gluon.rnn.ResidualCell: hl.gluon.rnn.ModifierCell
---@overload fun(base_cell?: any|hl.gluon.rnn.ResidualCell.options, prefix?: string|hl.gluon.rnn.ResidualCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.ResidualCell.options): hl.gluon.rnn.ResidualCell
---@overload fun(options: hl.gluon.rnn.ResidualCell.options): hl.gluon.rnn.ResidualCell
hl.gluon.rnn.ResidualCell = {}

---@param F? any
---@param input? any
---@param states? any
---@return any
function hl.gluon.rnn.ResidualCell:hybrid_forward(F, input, states) end

---@class hl.gluon.rnn.ResidualCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
---@param length? any
---@param inputs? any
---@param begin_state? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.ResidualCell, length?: integer|hl.gluon.rnn.ResidualCell.unroll.options, inputs?: any|hl.gluon.rnn.ResidualCell.unroll.options, begin_state?: any|hl.gluon.rnn.ResidualCell.unroll.options, layout?: any|hl.gluon.rnn.ResidualCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.ResidualCell.unroll.options, valid_length?: any|hl.gluon.rnn.ResidualCell.unroll.options): any
---@return any
function hl.gluon.rnn.ResidualCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length) end

---SequentialRNNCell(): cells one upon the other, added by add(cell); its states are theirs, in order.
---@class hl.gluon.rnn.SequentialRNNCell: hl.gluon.rnn.RecurrentCell
---@overload fun(...: any): hl.gluon.rnn.SequentialRNNCell
hl.gluon.rnn.SequentialRNNCell = {}

---Adds a cell on top.
---@param cell? any
---@return any
function hl.gluon.rnn.SequentialRNNCell:add(cell) end

---@class hl.gluon.rnn.SequentialRNNCell.begin_state.options
---@field [integer] any
---@field batch_size? integer
---@field func? any
---@field options? any

---The states of all cells, each of which names its own.
---@param batch_size? any
---@param func? any
---@param options? any
---@overload fun(self: hl.gluon.rnn.SequentialRNNCell, batch_size?: integer|hl.gluon.rnn.SequentialRNNCell.begin_state.options, func?: any|hl.gluon.rnn.SequentialRNNCell.begin_state.options, options?: any|hl.gluon.rnn.SequentialRNNCell.begin_state.options): any
---@return any
function hl.gluon.rnn.SequentialRNNCell:begin_state(batch_size, func, options) end

---@param input? any
---@param states? any
---@return any
function hl.gluon.rnn.SequentialRNNCell:forward(input, states) end

---@param key? any
---@return any
function hl.gluon.rnn.SequentialRNNCell:missing_field(key) end

---@param batch_size? any
---@return any
function hl.gluon.rnn.SequentialRNNCell:state_info(batch_size) end

---@class hl.gluon.rnn.SequentialRNNCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---@param length? any
---@param inputs? any
---@param begin_state? any
---@param layout? any
---@param merge_outputs? any
---@param valid_length? any
---@overload fun(self: hl.gluon.rnn.SequentialRNNCell, length?: integer|hl.gluon.rnn.SequentialRNNCell.unroll.options, inputs?: any|hl.gluon.rnn.SequentialRNNCell.unroll.options, begin_state?: any|hl.gluon.rnn.SequentialRNNCell.unroll.options, layout?: any|hl.gluon.rnn.SequentialRNNCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.SequentialRNNCell.unroll.options, valid_length?: any|hl.gluon.rnn.SequentialRNNCell.unroll.options): any
---@return any
function hl.gluon.rnn.SequentialRNNCell:unroll(length, inputs, begin_state, layout, merge_outputs, valid_length) end

---@class hl.gluon.rnn.ZoneoutCell.options
---@field [integer] any
---@field base_cell? any
---@field zoneout_outputs? number Default: 0.0.
---@field zoneout_states? number Default: 0.0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ZoneoutCell(base_cell, zoneout_outputs = 0, zoneout_states = 0): in training a value of the output or of a state
---is, by that probability, what it was a step before (D. Krueger et al., 2016).
---@class hl.gluon.rnn.ZoneoutCell: hl.gluon.rnn.ModifierCell
---@overload fun(base_cell?: any|hl.gluon.rnn.ZoneoutCell.options, zoneout_outputs?: number|hl.gluon.rnn.ZoneoutCell.options, zoneout_states?: number|hl.gluon.rnn.ZoneoutCell.options, prefix?: string|hl.gluon.rnn.ZoneoutCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.rnn.ZoneoutCell.options): hl.gluon.rnn.ZoneoutCell
---@overload fun(options: hl.gluon.rnn.ZoneoutCell.options): hl.gluon.rnn.ZoneoutCell
hl.gluon.rnn.ZoneoutCell = {}

---@return any
function hl.gluon.rnn.ZoneoutCell:alias() end

---@param F? any
---@param input? any
---@param states? any
---@return any
function hl.gluon.rnn.ZoneoutCell:hybrid_forward(F, input, states) end

---Compiles the cell inside: see modifier_state.lua.
---@return any
function hl.gluon.rnn.ZoneoutCell:hybridize(...) end

---Makes the cell ready for another sequence.
---@return any
function hl.gluon.rnn.ZoneoutCell:reset() end

---@class hl.gluon.rnn.ZoneoutCell.unroll.options
---@field [integer] any
---@field length? integer
---@field inputs? any
---@field begin_state? any
---@field layout? any
---@field merge_outputs? any
---@field valid_length? any

---unroll(length, inputs, begin_state, layout = "NTC", merge_outputs, valid_length): see RecurrentCell.
---@overload fun(self: hl.gluon.rnn.ZoneoutCell, length?: integer|hl.gluon.rnn.ZoneoutCell.unroll.options, inputs?: any|hl.gluon.rnn.ZoneoutCell.unroll.options, begin_state?: any|hl.gluon.rnn.ZoneoutCell.unroll.options, layout?: any|hl.gluon.rnn.ZoneoutCell.unroll.options, merge_outputs?: any|hl.gluon.rnn.ZoneoutCell.unroll.options, valid_length?: any|hl.gluon.rnn.ZoneoutCell.unroll.options): any
---@return any
function hl.gluon.rnn.ZoneoutCell:unroll(...) end

---@class hl.gluon.loss
hl.gluon.loss = {}

---@class hl.gluon.loss.CTCLoss.options
---@field [integer] any
---@field layout? string Default: 'NTC'.
---@field label_layout? string Default: 'NT'.
---@field weight? number
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---CTCLoss(layout = "NTC", label_layout = "NT", weight): alignment of a sequence with labels; the
---last class is the blank. Graves et al., "Connectionist temporal classification", 2006. A call takes
---(pred, label, pred_lengths, label_lengths, sample_weight).
---@class hl.gluon.loss.CTCLoss: hl.gluon.loss.Loss
---@overload fun(layout?: string|hl.gluon.loss.CTCLoss.options, label_layout?: string|hl.gluon.loss.CTCLoss.options, weight?: number|hl.gluon.loss.CTCLoss.options, prefix?: string|hl.gluon.loss.CTCLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.CTCLoss.options): hl.gluon.loss.CTCLoss
---@overload fun(options: hl.gluon.loss.CTCLoss.options): hl.gluon.loss.CTCLoss
hl.gluon.loss.CTCLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param pred_lengths? any
---@param label_lengths? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.CTCLoss:hybrid_forward(F, pred, label, pred_lengths, label_lengths, sample_weight) end

---@class hl.gluon.loss.CosineEmbeddingLoss.options
---@field [integer] any
---@field weight? number
---@field batch_axis? integer
---@field margin? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---CosineEmbeddingLoss(weight, batch_axis = 0, margin = 0): 1 - cosine of the two inputs where the
---label is 1, max(0, cosine - margin) where it is -1; shape (N, 1). A call takes
---(input1, input2, label, sample_weight).
---@class hl.gluon.loss.CosineEmbeddingLoss: hl.gluon.loss.Loss
---@overload fun(weight?: number|hl.gluon.loss.CosineEmbeddingLoss.options, batch_axis?: integer|hl.gluon.loss.CosineEmbeddingLoss.options, margin?: number|hl.gluon.loss.CosineEmbeddingLoss.options, prefix?: string|hl.gluon.loss.CosineEmbeddingLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.CosineEmbeddingLoss.options): hl.gluon.loss.CosineEmbeddingLoss
---@overload fun(options: hl.gluon.loss.CosineEmbeddingLoss.options): hl.gluon.loss.CosineEmbeddingLoss
hl.gluon.loss.CosineEmbeddingLoss = {}

---@param F? any
---@param input1? any
---@param input2? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.CosineEmbeddingLoss:hybrid_forward(F, input1, input2, label, sample_weight) end

---@class hl.gluon.loss.HingeLoss.options
---@field [integer] any
---@field margin? number Default: 1.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---HingeLoss(margin = 1, weight, batch_axis = 0): the mean of max(0, margin - pred label), labels -1 and 1.
---@class hl.gluon.loss.HingeLoss: hl.gluon.loss.Loss
---@overload fun(margin?: number|hl.gluon.loss.HingeLoss.options, weight?: number|hl.gluon.loss.HingeLoss.options, batch_axis?: integer|hl.gluon.loss.HingeLoss.options, prefix?: string|hl.gluon.loss.HingeLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.HingeLoss.options): hl.gluon.loss.HingeLoss
---@overload fun(options: hl.gluon.loss.HingeLoss.options): hl.gluon.loss.HingeLoss
hl.gluon.loss.HingeLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.HingeLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.HuberLoss.options
---@field [integer] any
---@field rho? number Default: 1.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---HuberLoss(rho = 1, weight, batch_axis = 0): (label - pred)^2 / (2 rho) up to a difference of
---rho, |label - pred| - rho / 2 beyond.
---@class hl.gluon.loss.HuberLoss: hl.gluon.loss.Loss
---@overload fun(rho?: number|hl.gluon.loss.HuberLoss.options, weight?: number|hl.gluon.loss.HuberLoss.options, batch_axis?: integer|hl.gluon.loss.HuberLoss.options, prefix?: string|hl.gluon.loss.HuberLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.HuberLoss.options): hl.gluon.loss.HuberLoss
---@overload fun(options: hl.gluon.loss.HuberLoss.options): hl.gluon.loss.HuberLoss
hl.gluon.loss.HuberLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.HuberLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.KLDivLoss.options
---@field [integer] any
---@field from_logits? boolean Default: true.
---@field axis? integer Default: -1.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---KLDivLoss(from_logits = true, axis = -1, weight, batch_axis = 0): the sum of
---label (log(label) - pred), pred being log probabilities, or with from_logits = false what the
---log_softmax along `axis` is taken of.
---@class hl.gluon.loss.KLDivLoss: hl.gluon.loss.Loss
---@overload fun(from_logits?: boolean|hl.gluon.loss.KLDivLoss.options, axis?: integer|hl.gluon.loss.KLDivLoss.options, weight?: number|hl.gluon.loss.KLDivLoss.options, batch_axis?: integer|hl.gluon.loss.KLDivLoss.options, prefix?: string|hl.gluon.loss.KLDivLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.KLDivLoss.options): hl.gluon.loss.KLDivLoss
---@overload fun(options: hl.gluon.loss.KLDivLoss.options): hl.gluon.loss.KLDivLoss
hl.gluon.loss.KLDivLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.KLDivLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.L1Loss.options
---@field [integer] any
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---L1Loss(weight, batch_axis = 0): the mean of |label - pred|.
---@class hl.gluon.loss.L1Loss: hl.gluon.loss.Loss
---@overload fun(weight?: number|hl.gluon.loss.L1Loss.options, batch_axis?: integer|hl.gluon.loss.L1Loss.options, prefix?: string|hl.gluon.loss.L1Loss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.L1Loss.options): hl.gluon.loss.L1Loss
---@overload fun(options: hl.gluon.loss.L1Loss.options): hl.gluon.loss.L1Loss
hl.gluon.loss.L1Loss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.L1Loss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.L2Loss.options
---@field [integer] any
---@field weight? number Default: 1.0.
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---L2Loss(weight = 1, batch_axis = 0): half the mean of (label - pred)^2.
---@class hl.gluon.loss.L2Loss: hl.gluon.loss.Loss
---@overload fun(weight?: number|hl.gluon.loss.L2Loss.options, batch_axis?: integer|hl.gluon.loss.L2Loss.options, prefix?: string|hl.gluon.loss.L2Loss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.L2Loss.options): hl.gluon.loss.L2Loss
---@overload fun(options: hl.gluon.loss.L2Loss.options): hl.gluon.loss.L2Loss
hl.gluon.loss.L2Loss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.L2Loss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.LogisticLoss.options
---@field [integer] any
---@field weight? number
---@field batch_axis? integer
---@field label_format? string Default: 'signed'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---LogisticLoss(weight, batch_axis = 0, label_format = "signed"): the same for labels -1 and 1,
---or 0 and 1 with label_format "binary".
---@class hl.gluon.loss.LogisticLoss: hl.gluon.loss.Loss
---@overload fun(weight?: number|hl.gluon.loss.LogisticLoss.options, batch_axis?: integer|hl.gluon.loss.LogisticLoss.options, label_format?: string|hl.gluon.loss.LogisticLoss.options, prefix?: string|hl.gluon.loss.LogisticLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.LogisticLoss.options): hl.gluon.loss.LogisticLoss
---@overload fun(options: hl.gluon.loss.LogisticLoss.options): hl.gluon.loss.LogisticLoss
hl.gluon.loss.LogisticLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.LogisticLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.Loss.options
---@field [integer] any
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Loss(weight, batch_axis): the base. A loss of your own: Loss:subclass "Mine" with
---hybrid_forward(F, pred, label, sample_weight). An init of its own calls Loss.init(self, weight, batch_axis)
---where it takes these.
---@class hl.gluon.loss.Loss: hl.gluon.HybridBlock
---@overload fun(weight?: number|hl.gluon.loss.Loss.options, batch_axis?: integer|hl.gluon.loss.Loss.options, prefix?: string|hl.gluon.loss.Loss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.Loss.options): hl.gluon.loss.Loss
---@overload fun(options: hl.gluon.loss.Loss.options): hl.gluon.loss.Loss
hl.gluon.loss.Loss = {}

---@class hl.gluon.loss.PoissonNLLLoss.options
---@field [integer] any
---@field weight? number
---@field from_logits? boolean Default: true.
---@field batch_axis? integer
---@field compute_full? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---PoissonNLLLoss(weight, from_logits = true, batch_axis = 0, compute_full = false): the negative
---log likelihood of counts; pred is the log of the rate, or with from_logits = false the rate.
---compute_full adds Stirling's approximation of log(label!). A call takes (pred, label,
---sample_weight, epsilon = 1e-8) and gives one number for the whole batch.
---@class hl.gluon.loss.PoissonNLLLoss: hl.gluon.loss.Loss
---@overload fun(weight?: number|hl.gluon.loss.PoissonNLLLoss.options, from_logits?: boolean|hl.gluon.loss.PoissonNLLLoss.options, batch_axis?: integer|hl.gluon.loss.PoissonNLLLoss.options, compute_full?: any|hl.gluon.loss.PoissonNLLLoss.options, prefix?: string|hl.gluon.loss.PoissonNLLLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.PoissonNLLLoss.options): hl.gluon.loss.PoissonNLLLoss
---@overload fun(options: hl.gluon.loss.PoissonNLLLoss.options): hl.gluon.loss.PoissonNLLLoss
hl.gluon.loss.PoissonNLLLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@param epsilon? any
---@return any
function hl.gluon.loss.PoissonNLLLoss:hybrid_forward(F, pred, label, sample_weight, epsilon) end

---@class hl.gluon.loss.SDMLLoss.options
---@field [integer] any
---@field smoothing_parameter? number Default: 0.3.
---@field weight? number Default: 1.0.
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SDMLLoss(smoothing_parameter = 0.3, weight = 1, batch_axis = 0): rows of the two inputs belong
---together one by one, each row's softmax over its distances to all rows should say so.
---Bonadiman et al., "Smoothed deep metric learning", 2019. A call takes (x1, x2), both (N, size).
---@class hl.gluon.loss.SDMLLoss: hl.gluon.loss.Loss
---@overload fun(smoothing_parameter?: number|hl.gluon.loss.SDMLLoss.options, weight?: number|hl.gluon.loss.SDMLLoss.options, batch_axis?: integer|hl.gluon.loss.SDMLLoss.options, prefix?: string|hl.gluon.loss.SDMLLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.SDMLLoss.options): hl.gluon.loss.SDMLLoss
---@overload fun(options: hl.gluon.loss.SDMLLoss.options): hl.gluon.loss.SDMLLoss
hl.gluon.loss.SDMLLoss = {}

---@param F? any
---@param x1? any
---@param x2? any
---@return any
function hl.gluon.loss.SDMLLoss:hybrid_forward(F, x1, x2) end

hl.gluon.loss.SigmoidBCELoss = hl.gluon.loss.SigmoidBinaryCrossEntropyLoss

---@class hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options
---@field [integer] any
---@field from_sigmoid? boolean Default: false.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SigmoidBinaryCrossEntropyLoss(from_sigmoid = false, weight, batch_axis = 0): labels between 0
---and 1; pred before the sigmoid, or with from_sigmoid a probability. A call takes
---(pred, label, sample_weight, pos_weight); pos_weight weighs the ones.
---@class hl.gluon.loss.SigmoidBinaryCrossEntropyLoss: hl.gluon.loss.Loss
---@overload fun(from_sigmoid?: boolean|hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options, weight?: number|hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options, batch_axis?: integer|hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options, prefix?: string|hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options): hl.gluon.loss.SigmoidBinaryCrossEntropyLoss
---@overload fun(options: hl.gluon.loss.SigmoidBinaryCrossEntropyLoss.options): hl.gluon.loss.SigmoidBinaryCrossEntropyLoss
hl.gluon.loss.SigmoidBinaryCrossEntropyLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@param pos_weight? any
---@return any
function hl.gluon.loss.SigmoidBinaryCrossEntropyLoss:hybrid_forward(F, pred, label, sample_weight, pos_weight) end

hl.gluon.loss.SoftmaxCELoss = hl.gluon.loss.SoftmaxCrossEntropyLoss

---@class hl.gluon.loss.SoftmaxCrossEntropyLoss.options
---@field [integer] any
---@field axis? integer Default: -1.
---@field sparse_label? boolean Default: true.
---@field from_logits? boolean Default: false.
---@field weight? number
---@field batch_axis? integer
---@field ignore_label? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SoftmaxCrossEntropyLoss(axis = -1, sparse_label = true, from_logits = false, weight, batch_axis = 0,
---{ignore_label = nil}): pred before the softmax along `axis`, or with from_logits its logarithm; labels are classes
---from 0, or with sparse_label = false a probability for each class. Errors: a label that is not a class, NaN too,
---by value and row. With ignore_label samples of that label have loss and gradient 0, as if their sample_weight were 0:
---they count in the mean over a sample's labels, and in a batch's.
---@class hl.gluon.loss.SoftmaxCrossEntropyLoss: hl.gluon.loss.Loss
---@overload fun(axis?: integer|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, sparse_label?: boolean|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, from_logits?: boolean|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, weight?: number|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, batch_axis?: integer|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, ignore_label?: any|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, prefix?: string|hl.gluon.loss.SoftmaxCrossEntropyLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.SoftmaxCrossEntropyLoss.options): hl.gluon.loss.SoftmaxCrossEntropyLoss
---@overload fun(options: hl.gluon.loss.SoftmaxCrossEntropyLoss.options): hl.gluon.loss.SoftmaxCrossEntropyLoss
hl.gluon.loss.SoftmaxCrossEntropyLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.SoftmaxCrossEntropyLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.SquaredHingeLoss.options
---@field [integer] any
---@field margin? number Default: 1.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SquaredHingeLoss(margin = 1, weight, batch_axis = 0): the same, squared.
---@class hl.gluon.loss.SquaredHingeLoss: hl.gluon.loss.Loss
---@overload fun(margin?: number|hl.gluon.loss.SquaredHingeLoss.options, weight?: number|hl.gluon.loss.SquaredHingeLoss.options, batch_axis?: integer|hl.gluon.loss.SquaredHingeLoss.options, prefix?: string|hl.gluon.loss.SquaredHingeLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.SquaredHingeLoss.options): hl.gluon.loss.SquaredHingeLoss
---@overload fun(options: hl.gluon.loss.SquaredHingeLoss.options): hl.gluon.loss.SquaredHingeLoss
hl.gluon.loss.SquaredHingeLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.SquaredHingeLoss:hybrid_forward(F, pred, label, sample_weight) end

---@class hl.gluon.loss.TripletLoss.options
---@field [integer] any
---@field margin? number Default: 1.
---@field weight? number
---@field batch_axis? integer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---TripletLoss(margin = 1, weight, batch_axis = 0): max(0, |positive - pred|^2 - |negative - pred|^2 + margin);
---a call takes (pred, positive, negative).
---@class hl.gluon.loss.TripletLoss: hl.gluon.loss.Loss
---@overload fun(margin?: number|hl.gluon.loss.TripletLoss.options, weight?: number|hl.gluon.loss.TripletLoss.options, batch_axis?: integer|hl.gluon.loss.TripletLoss.options, prefix?: string|hl.gluon.loss.TripletLoss.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.loss.TripletLoss.options): hl.gluon.loss.TripletLoss
---@overload fun(options: hl.gluon.loss.TripletLoss.options): hl.gluon.loss.TripletLoss
hl.gluon.loss.TripletLoss = {}

---@param F? any
---@param pred? any
---@param positive? any
---@param negative? any
---@return any
function hl.gluon.loss.TripletLoss:hybrid_forward(F, pred, positive, negative) end

---@class hl.gluon.data
hl.gluon.data = {}

---@class hl.gluon.data.ArrayDataset.options
---@field [integer] any

---ArrayDataset(data, label, ...): samples of one value from each NDArray, list or dataset. A
---1-d NDArray gives numbers. Errors: different lengths.
---@class hl.gluon.data.ArrayDataset: hl.gluon.data.Dataset
---@overload fun(): hl.gluon.data.ArrayDataset
---@overload fun(options: hl.gluon.data.ArrayDataset.options): hl.gluon.data.ArrayDataset
hl.gluon.data.ArrayDataset = {}

---@return any
function hl.gluon.data.ArrayDataset:batcher() end

---@return any
function hl.gluon.data.ArrayDataset:dtypes() end

---@param i? any
---@return any
function hl.gluon.data.ArrayDataset:get(i) end

---@class hl.gluon.data.BatchSampler.options
---@field [integer] any
---@field sampler? hl.gluon.data.Sampler|integer[]
---@field batch_size? integer
---@field last_batch? 'keep'|'discard'|'rollover' Default: 'keep'.

---BatchSampler(sampler, batch_size, last_batch = "keep"): the places in batches. What is left over
---at the end of a pass: "keep" makes a smaller batch of it, "discard" drops it, "rollover"
---puts it before the next pass.
---@class hl.gluon.data.BatchSampler: hl.gluon.data.Sampler
---@overload fun(sampler?: hl.gluon.data.Sampler|integer[]|hl.gluon.data.BatchSampler.options, batch_size?: integer|hl.gluon.data.BatchSampler.options, last_batch?: 'keep'|'discard'|'rollover'|hl.gluon.data.BatchSampler.options): hl.gluon.data.BatchSampler
---@overload fun(options: hl.gluon.data.BatchSampler.options): hl.gluon.data.BatchSampler
hl.gluon.data.BatchSampler = {}

---for places in batch_sampler:arrays() do: each batch as an int64 array.
---@return any
function hl.gluon.data.BatchSampler:arrays() end

---for places in batch_sampler:iter() do: each batch as a list.
---@return any
function hl.gluon.data.BatchSampler:iter() end

---@class hl.gluon.data.CSVDataset.options
---@field [integer] any
---@field file? string
---@field label? number Default: -1.
---@field header? boolean Default: false.
---@field dtype? hl.DType Default: 'float32'.
---@field label_dtype? string Default: 'int32'.
---@field shape? integer|integer[]

---@class hl.gluon.data.CSVDataset: hl.gluon.data.ArrayDataset
---@overload fun(file?: string|hl.gluon.data.CSVDataset.options, label?: number|hl.gluon.data.CSVDataset.options, header?: boolean|hl.gluon.data.CSVDataset.options, dtype?: hl.DType|hl.gluon.data.CSVDataset.options, label_dtype?: string|hl.gluon.data.CSVDataset.options, shape?: integer|integer[]|hl.gluon.data.CSVDataset.options): hl.gluon.data.CSVDataset
---@overload fun(options: hl.gluon.data.CSVDataset.options): hl.gluon.data.CSVDataset
hl.gluon.data.CSVDataset = {}

---@class hl.gluon.data.DataLoader.options
---@field [integer] any
---@field dataset? hl.gluon.data.Dataset|hl.NDArray|any[]
---@field batch_size? integer
---@field shuffle? boolean Default: false.
---@field sampler? hl.gluon.data.Sampler|integer[]
---@field last_batch? 'keep'|'discard'|'rollover'
---@field batch_sampler? hl.gluon.data.Sampler|integer[][]
---@field batchify_fn? (fun(samples: any[]): any)
---@field num_workers? integer
---@field pin_memory? any
---@field pin_device_id? any
---@field prefetch? any
---@field thread_pool? any
---@field timeout? any
---@field auto_reload? any

---@class hl.gluon.data.DataLoader
---@overload fun(dataset?: hl.gluon.data.Dataset|hl.NDArray|any[]|hl.gluon.data.DataLoader.options, batch_size?: integer|hl.gluon.data.DataLoader.options, shuffle?: boolean|hl.gluon.data.DataLoader.options, sampler?: hl.gluon.data.Sampler|integer[]|hl.gluon.data.DataLoader.options, last_batch?: 'keep'|'discard'|'rollover'|hl.gluon.data.DataLoader.options, batch_sampler?: hl.gluon.data.Sampler|integer[][]|hl.gluon.data.DataLoader.options, batchify_fn?: (fun(samples: any[]): any)|hl.gluon.data.DataLoader.options, num_workers?: integer|hl.gluon.data.DataLoader.options, pin_memory?: any|hl.gluon.data.DataLoader.options, pin_device_id?: any|hl.gluon.data.DataLoader.options, prefetch?: any|hl.gluon.data.DataLoader.options, thread_pool?: any|hl.gluon.data.DataLoader.options, timeout?: any|hl.gluon.data.DataLoader.options, auto_reload?: any|hl.gluon.data.DataLoader.options): hl.gluon.data.DataLoader
---@overload fun(options: hl.gluon.data.DataLoader.options): hl.gluon.data.DataLoader
hl.gluon.data.DataLoader = {}

---for data, label in loader:batches() do: one pass over the dataset. A loop that is left in the middle ends its
---workers at once, and one over the loader itself when the collector finds them, or with the next pass.
---@return any
function hl.gluon.data.DataLoader:batches() end

---A batch from a list of samples, as the values that a loop gets.
---@param dtypes? any
---@return any
function hl.gluon.data.DataLoader:default_batchify_fn(dtypes) end

---@param name? any
---@return any
function hl.gluon.data.DataLoader:subclass(name, ...) end

---@class hl.gluon.data.Dataset
---@overload fun(...: any): hl.gluon.data.Dataset
hl.gluon.data.Dataset = {}

---A function from places (int64 array) to a list of arrays, or nil if there is none.
---@return any
function hl.gluon.data.Dataset:batcher() end

---The place i, counted from the end if negative, in range. Errors: out of range.
---@param i? any
---@return any
function hl.gluon.data.Dataset:check_place(i) end

---The dtypes of the values, as far as they are known: { "float32", "int32" } or nil.
---@return any
function hl.gluon.data.Dataset:dtypes() end

---The samples for which fn(sample) is true.
---@param fn? any
---@return any
function hl.gluon.data.Dataset:filter(fn) end

---The values of sample i; override it.
---@return any
function hl.gluon.data.Dataset:get() end

---random_split as a method: local train, valid = table.unpack(dataset:random_split{0.8, 0.2}).
---@return any
function hl.gluon.data.Dataset:random_split(...) end

---The samples in a sampler's order.
---@param sampler? any
---@return any
function hl.gluon.data.Dataset:sample(sampler) end

---Sample i in one value: a table where it has several.
---@param i? any
---@return any
function hl.gluon.data.Dataset:sample_at(i) end

---@class hl.gluon.data.Dataset.shard.options
---@field [integer] any
---@field num_shards? any
---@field index? any

---The index-th of num_shards parts of almost equal size.
---@param num_shards? any
---@param index? any
---@overload fun(self: hl.gluon.data.Dataset, num_shards?: any|hl.gluon.data.Dataset.shard.options, index?: any|hl.gluon.data.Dataset.shard.options): any
---@return any
function hl.gluon.data.Dataset:shard(num_shards, index) end

---@param name? any
---@return any
function hl.gluon.data.Dataset:subclass(name, ...) end

---The first `count` samples (all, if nil or too many). Errors: a count that is not an integer of 0 or more.
---@param count? any
---@return any
function hl.gluon.data.Dataset:take(count) end

---@class hl.gluon.data.Dataset.transform.options
---@field [integer] any
---@field fn? any
---@field lazy? any

---fn(data, label) in place of the samples, called at each access, or with {lazy = false} now.
---@param fn? any
---@param lazy? any
---@overload fun(self: hl.gluon.data.Dataset, fn?: any|hl.gluon.data.Dataset.transform.options, lazy?: any|hl.gluon.data.Dataset.transform.options): any
---@return any
function hl.gluon.data.Dataset:transform(fn, lazy) end

---@class hl.gluon.data.Dataset.transform_first.options
---@field [integer] any
---@field fn? any
---@field lazy? any

---fn(data) in place of each sample's first value.
---@param fn? any
---@param lazy? any
---@overload fun(self: hl.gluon.data.Dataset, fn?: any|hl.gluon.data.Dataset.transform_first.options, lazy?: any|hl.gluon.data.Dataset.transform_first.options): any
---@return any
function hl.gluon.data.Dataset:transform_first(fn, lazy) end

---@class hl.gluon.data.FilterSampler.options
---@field [integer] any
---@field fn? any
---@field dataset? hl.gluon.data.Dataset|hl.NDArray|any[]

---FilterSampler(fn, dataset): the places of the samples for which fn(sample) is true.
---@class hl.gluon.data.FilterSampler: hl.gluon.data.Sampler
---@overload fun(fn?: any|hl.gluon.data.FilterSampler.options, dataset?: hl.gluon.data.Dataset|hl.NDArray|any[]|hl.gluon.data.FilterSampler.options): hl.gluon.data.FilterSampler
---@overload fun(options: hl.gluon.data.FilterSampler.options): hl.gluon.data.FilterSampler
hl.gluon.data.FilterSampler = {}

---@return any
function hl.gluon.data.FilterSampler:order() end

---@class hl.gluon.data.ListSampler.options
---@field [integer] any
---@field places? any[]

---ListSampler(list): places, or batches of places, that are given.
---@class hl.gluon.data.ListSampler: hl.gluon.data.Sampler
---@overload fun(places?: any[]|hl.gluon.data.ListSampler.options): hl.gluon.data.ListSampler
---@overload fun(options: hl.gluon.data.ListSampler.options): hl.gluon.data.ListSampler
hl.gluon.data.ListSampler = {}

---@return any
function hl.gluon.data.ListSampler:iter() end

---@return any
function hl.gluon.data.ListSampler:order() end

---@class hl.gluon.data.RandomSampler.options
---@field [integer] any
---@field length? integer

---RandomSampler(length): every place once, in an order drawn again for each pass from the
---library's random stream, so that hl.random.seed fixes it.
---@class hl.gluon.data.RandomSampler: hl.gluon.data.Sampler
---@overload fun(length?: integer|hl.gluon.data.RandomSampler.options): hl.gluon.data.RandomSampler
---@overload fun(options: hl.gluon.data.RandomSampler.options): hl.gluon.data.RandomSampler
hl.gluon.data.RandomSampler = {}

---@return any
function hl.gluon.data.RandomSampler:order() end

---@class hl.gluon.data.RecordFileDataset.options
---@field [integer] any
---@field filename? string

---@class hl.gluon.data.RecordFileDataset: hl.gluon.data.Dataset
---@overload fun(filename?: string|hl.gluon.data.RecordFileDataset.options): hl.gluon.data.RecordFileDataset
---@overload fun(options: hl.gluon.data.RecordFileDataset.options): hl.gluon.data.RecordFileDataset
hl.gluon.data.RecordFileDataset = {}

---@param i? any
---@return any
function hl.gluon.data.RecordFileDataset:get(i) end

---@class hl.gluon.data.Sampler
---@overload fun(...: any): hl.gluon.data.Sampler
hl.gluon.data.Sampler = {}

---for place in sampler:iter() do: one pass.
---@return any
function hl.gluon.data.Sampler:iter() end

---The places of one pass as an int64 array.
---@return any
function hl.gluon.data.Sampler:order() end

---@param name? any
---@return any
function hl.gluon.data.Sampler:subclass(name, ...) end

---The places of one pass as a list.
---@return any
function hl.gluon.data.Sampler:totable() end

---@class hl.gluon.data.SequentialSampler.options
---@field [integer] any
---@field length? integer
---@field start? number Default: 0.

---SequentialSampler(length, start = 0): start, start + 1, ...
---@class hl.gluon.data.SequentialSampler: hl.gluon.data.Sampler
---@overload fun(length?: integer|hl.gluon.data.SequentialSampler.options, start?: number|hl.gluon.data.SequentialSampler.options): hl.gluon.data.SequentialSampler
---@overload fun(options: hl.gluon.data.SequentialSampler.options): hl.gluon.data.SequentialSampler
hl.gluon.data.SequentialSampler = {}

---@return any
function hl.gluon.data.SequentialSampler:order() end

---@class hl.gluon.data.SimpleDataset.options
---@field [integer] any
---@field data? any[]

---SimpleDataset(list): a list's items (or an NDArray's rows).
---@class hl.gluon.data.SimpleDataset: hl.gluon.data.Dataset
---@overload fun(data?: any[]|hl.gluon.data.SimpleDataset.options): hl.gluon.data.SimpleDataset
---@overload fun(options: hl.gluon.data.SimpleDataset.options): hl.gluon.data.SimpleDataset
hl.gluon.data.SimpleDataset = {}

---@param i? any
---@return any
function hl.gluon.data.SimpleDataset:get(i) end

---@class hl.gluon.data.random_split.options
---@field [integer] any
---@field dataset? hl.gluon.data.Dataset|hl.NDArray|any[]
---@field lengths? any
---@field seed? any

---random_split(dataset, lengths, {seed =}): a list of datasets that share out the samples at random, each
---sample in one of them: local train, valid = table.unpack(gluon.data.random_split(dataset, {0.8, 0.2})). lengths: how
---many each has, {50000, 10000}, or fractions, {0.8, 0.2}. The order comes from the library's random stream, or from
---`seed` alone. Errors: numbers that do not add up to the whole.
---@overload fun(dataset?: hl.gluon.data.Dataset|hl.NDArray|any[]|hl.gluon.data.random_split.options, lengths?: any|hl.gluon.data.random_split.options, seed?: any|hl.gluon.data.random_split.options): any
---@return any
function hl.gluon.data.random_split(...) end

---@class hl.gluon.data.vision
hl.gluon.data.vision = {}

---@class hl.gluon.data.vision.CIFAR10.options
---@field [integer] any
---@field root? string
---@field train? boolean Default: true.
---@field transform? (fun(data: any, label: any): any)

---CIFAR10{root = "~/.mxnet/datasets/cifar10", train = true, transform = nil}: 50,000 or 10,000 pictures (32, 32, 3) of
---10 classes, from data_batch_1.bin to data_batch_5.bin or test_batch.bin. Errors: a file that is not there, by its
---name. A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009.
---@class hl.gluon.data.vision.CIFAR10: hl.gluon.data.ArrayDataset
---@overload fun(root?: string|hl.gluon.data.vision.CIFAR10.options, train?: boolean|hl.gluon.data.vision.CIFAR10.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.CIFAR10.options): hl.gluon.data.vision.CIFAR10
---@overload fun(options: hl.gluon.data.vision.CIFAR10.options): hl.gluon.data.vision.CIFAR10
hl.gluon.data.vision.CIFAR10 = {}

---@class hl.gluon.data.vision.CIFAR100.options
---@field [integer] any
---@field root? string
---@field fine_label? boolean Default: false.
---@field train? boolean Default: true.
---@field transform? (fun(data: any, label: any): any)

---CIFAR100{root = "~/.mxnet/datasets/cifar100", fine_label = false, train = true, transform = nil}: 50,000 or 10,000
---pictures (32, 32, 3) of 20 classes or, with fine_label, of 100, from train.bin or test.bin.
---@class hl.gluon.data.vision.CIFAR100: hl.gluon.data.ArrayDataset
---@overload fun(root?: string|hl.gluon.data.vision.CIFAR100.options, fine_label?: boolean|hl.gluon.data.vision.CIFAR100.options, train?: boolean|hl.gluon.data.vision.CIFAR100.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.CIFAR100.options): hl.gluon.data.vision.CIFAR100
---@overload fun(options: hl.gluon.data.vision.CIFAR100.options): hl.gluon.data.vision.CIFAR100
hl.gluon.data.vision.CIFAR100 = {}

---@class hl.gluon.data.vision.Digits.options
---@field [integer] any
---@field train? boolean Default: true.
---@field transform? (fun(data: any, label: any): any)
---@field file? string
---@field raw? boolean Default: false.

---Digits{train = true, transform = nil, file = nil, raw = false}: 1,797 images (8, 8, 1) of
---handwritten digits, which come with hybridlua (UCI Machine Learning Repository, "Optical
---recognition of handwritten digits", CC BY 4.0). Of each digit every fifth image is in the test
---set (355), the others in the training set (1,442). Values 0 to 16 are scaled to 0 to 255, unless raw.
---@class hl.gluon.data.vision.Digits: hl.gluon.data.ArrayDataset
---@overload fun(train?: boolean|hl.gluon.data.vision.Digits.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.Digits.options, file?: string|hl.gluon.data.vision.Digits.options, raw?: boolean|hl.gluon.data.vision.Digits.options): hl.gluon.data.vision.Digits
---@overload fun(options: hl.gluon.data.vision.Digits.options): hl.gluon.data.vision.Digits
hl.gluon.data.vision.Digits = {}

---@class hl.gluon.data.vision.FashionMNIST.options
---@field [integer] any
---@field root? string
---@field train? boolean Default: true.
---@field transform? (fun(data: any, label: any): any)

---FashionMNIST: the same files with pictures of clothes, in "~/.mxnet/datasets/fashion-mnist" (or "fashionmnist").
---@class hl.gluon.data.vision.FashionMNIST: hl.gluon.data.ArrayDataset
---@overload fun(root?: string|hl.gluon.data.vision.FashionMNIST.options, train?: boolean|hl.gluon.data.vision.FashionMNIST.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.FashionMNIST.options): hl.gluon.data.vision.FashionMNIST
---@overload fun(options: hl.gluon.data.vision.FashionMNIST.options): hl.gluon.data.vision.FashionMNIST
hl.gluon.data.vision.FashionMNIST = {}

---@class hl.gluon.data.vision.ImageFolderDataset.options
---@field [integer] any
---@field root? string
---@field flag? number Default: 1.
---@field transform? (fun(data: any, label: any): any)

---ImageFolderDataset(root, {flag = 1, transform = nil}): the pictures in root/CLASS/NAME.png (.jpg, .jpeg), of all
---folders in `root`, with their class as label, counted from 0 in the order of the folders' names. They are read when
---they are requested, by hl.image.imread with this flag; transform(data, label) changes both. dataset.synsets: the
---classes' names; dataset.items: { file, label } of each sample, both lists of Lua's, from 1 on. Files of other kinds
---are left out with a warning. Errors: a folder that is not there; a file that is not a picture, when it is read.
---@class hl.gluon.data.vision.ImageFolderDataset: hl.gluon.data.Dataset
---@overload fun(root?: string|hl.gluon.data.vision.ImageFolderDataset.options, flag?: number|hl.gluon.data.vision.ImageFolderDataset.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.ImageFolderDataset.options): hl.gluon.data.vision.ImageFolderDataset
---@overload fun(options: hl.gluon.data.vision.ImageFolderDataset.options): hl.gluon.data.vision.ImageFolderDataset
hl.gluon.data.vision.ImageFolderDataset = {}

---@param i? any
---@return any
function hl.gluon.data.vision.ImageFolderDataset:get(i) end

---@class hl.gluon.data.vision.ImageRecordDataset.options
---@field [integer] any
---@field filename? string
---@field flag? number Default: 1.
---@field transform? (fun(data: any, label: any): any)

---@class hl.gluon.data.vision.ImageRecordDataset: hl.gluon.data.RecordFileDataset
---@overload fun(filename?: string|hl.gluon.data.vision.ImageRecordDataset.options, flag?: number|hl.gluon.data.vision.ImageRecordDataset.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.ImageRecordDataset.options): hl.gluon.data.vision.ImageRecordDataset
---@overload fun(options: hl.gluon.data.vision.ImageRecordDataset.options): hl.gluon.data.vision.ImageRecordDataset
hl.gluon.data.vision.ImageRecordDataset = {}

---@param i? any
---@return any
function hl.gluon.data.vision.ImageRecordDataset:get(i) end

---@class hl.gluon.data.vision.MNIST.options
---@field [integer] any
---@field root? string
---@field train? boolean Default: true.
---@field transform? (fun(data: any, label: any): any)

---MNIST{root = "~/.mxnet/datasets/mnist", train = true, transform = nil}: 60,000 or 10,000 images
---(28, 28, 1) of digits. Errors: a file that is not there, by its name.
---@class hl.gluon.data.vision.MNIST: hl.gluon.data.ArrayDataset
---@overload fun(root?: string|hl.gluon.data.vision.MNIST.options, train?: boolean|hl.gluon.data.vision.MNIST.options, transform?: (fun(data: any, label: any): any)|hl.gluon.data.vision.MNIST.options): hl.gluon.data.vision.MNIST
---@overload fun(options: hl.gluon.data.vision.MNIST.options): hl.gluon.data.vision.MNIST
hl.gluon.data.vision.MNIST = {}

---@class hl.viz
hl.viz = {}

---A picture of a graph: net is a hybrid block or a function of hl.compile, called with these
---arguments, or a Symbol with the shapes of its inputs, {data = {1, 8}} (nil: before the passes only).
---Options: passes = "before", "after" or "both"; gradient = true (with backward), train = true;
---format = "dot", or what graphviz makes: "svg", "png", "pdf"; path (or file) = a file to write (its ending
---gives the format); title; layout = "beside" or "below", how the two graphs stand. Returns the picture's text.
---@param net? any
---@return any
function hl.viz.graph(net, ...) end

---@class hl.viz.plot_network.options
---@field [integer] any
---@field symbol? any
---@field title? any
---@field save_format? any
---@field shape? integer|integer[]
---@field dtype? hl.DType
---@field node_attrs? any
---@field hide_weights? any
---@field format? any
---@field path? any

---MXNet's name: the graph of a Symbol as it is. Options: title, shape = {data = {1, 8}}, dtype = {data = "float64"},
---node_attrs = {shape = "oval"} (graphviz's attributes of operators and, except the shape, of inputs), hide_weights
---(true: inputs but the first, and those in shape, are left out), format (save_format too), path.
---@overload fun(symbol?: any|hl.viz.plot_network.options, title?: any|hl.viz.plot_network.options, save_format?: any|hl.viz.plot_network.options, shape?: integer|integer[]|hl.viz.plot_network.options, dtype?: hl.DType|hl.viz.plot_network.options, node_attrs?: any|hl.viz.plot_network.options, hide_weights?: any|hl.viz.plot_network.options, format?: any|hl.viz.plot_network.options, path?: any|hl.viz.plot_network.options): any
---@return any
function hl.viz.plot_network(...) end

---@class hl.viz.print_summary.options
---@field [integer] any
---@field symbol? any
---@field shape? integer|integer[]
---@field line_length? any
---@field positions? any[]

---Prints a table of the layers of a Symbol: name, output shape without the batch, parameters
---(elements of the variables that it reads, but inputs, labels and auxiliary states), the layers
---before. shape = {data = {1, 8}}.
---@overload fun(symbol?: any|hl.viz.print_summary.options, shape?: integer|integer[]|hl.viz.print_summary.options, line_length?: any|hl.viz.print_summary.options, positions?: any[]|hl.viz.print_summary.options): any
---@return any
function hl.viz.print_summary(...) end

---@class hl.profiler
hl.profiler = {}

---dump(finished = true): writes what was recorded into the file of set_config, which chrome://tracing loads; finished
---also stops the profiler and forgets it.
---@param finished? any
---@return any
function hl.profiler.dump(finished) end

---@class hl.profiler.dumps.options
---@field [integer] any
---@field reset? any
---@field format? any
---@field sort_by? any
---@field ascending? any

---dumps(reset = false, format = "table", sort_by = "total", ascending = false): the table as a text, or as JSON with
---format = "json"; with reset what was recorded is forgotten.
---@param reset? any
---@param format? any
---@param sort_by? any
---@param ascending? any
---@overload fun(reset?: any|hl.profiler.dumps.options, format?: any|hl.profiler.dumps.options, sort_by?: any|hl.profiler.dumps.options, ascending?: any|hl.profiler.dumps.options): any
---@return any
function hl.profiler.dumps(reset, format, sort_by, ascending) end

---Leaves out what follows, until resume().
---@return any
function hl.profiler.pause() end

---@return any
function hl.profiler.resume() end

---@class hl.profiler.set_config.options
---@field [integer] any
---@field filename? string
---@field profile_all? any
---@field profile_imperative? any
---@field profile_symbolic? any
---@field profile_api? any
---@field profile_memory? any
---@field aggregate_stats? any
---@field max_events? any

---set_config{filename = "profile.json", ...}: where dump() writes, and what is shown: profile_imperative eager
---operators, profile_symbolic those of compiled code, profile_api compiled calls as a whole, profile_memory the bytes
---in use (in the file); profile_all sets these four. aggregate_stats: whether dumps() gives a table. max_events:
---further calls are only counted.
---@overload fun(filename?: string|hl.profiler.set_config.options, profile_all?: any|hl.profiler.set_config.options, profile_imperative?: any|hl.profiler.set_config.options, profile_symbolic?: any|hl.profiler.set_config.options, profile_api?: any|hl.profiler.set_config.options, profile_memory?: any|hl.profiler.set_config.options, aggregate_stats?: any|hl.profiler.set_config.options, max_events?: any|hl.profiler.set_config.options): any
---@return any
function hl.profiler.set_config(...) end

---"run" begins to record, or goes on; "stop" ends it.
---@param state? any
---@return any
function hl.profiler.set_state(state) end

---"run" or "stop".
---@return any
function hl.profiler.state() end

---@class hl.profiler.table.options
---@field [integer] any
---@field sort_by? any
---@field ascending? any

---A list of rows, one for each operator or kernel on its lines of the script: { name, kind ("eager", "compiled",
---"backward", "call"), form (of a convolution: "F(4x4, 3x3)", "F(2x2, 5x5)" or "direct"; else ""), lines, fused, calls,
---total, self, min, max, mean (milliseconds; self: without what ran inside), bytes, flops (of all calls) }; those that
---took longest first, or by sort_by.
---@param sort_by? any
---@param ascending? any
---@overload fun(sort_by?: any|hl.profiler.table.options, ascending?: any|hl.profiler.table.options): any
---@return any
function hl.profiler.table(sort_by, ascending) end

---@class hl.image
hl.image = {}

---@class hl.image.center_crop.options
---@field [integer] any
---@field src? any
---@field size? any[]
---@field interp? any

---center_crop(src, size, {interp = 2}): the same of the middle.
---@param src? any
---@param size? any
---@param interp? any
---@overload fun(src?: any|hl.image.center_crop.options, size?: any[]|hl.image.center_crop.options, interp?: any|hl.image.center_crop.options): any
---@return any
function hl.image.center_crop(src, size, interp) end

---@class hl.image.color_normalize.options
---@field [integer] any
---@field src? any
---@field mean? any
---@field std? any

---color_normalize(src, mean, {std = nil}): (src - mean) / std, float32; mean and std are numbers, lists or NDArrays,
---of one value or one for each channel. MXNet writes it over src; here it is a new array.
---@param src? any
---@param mean? any
---@param std? any
---@overload fun(src?: any|hl.image.color_normalize.options, mean?: any|hl.image.color_normalize.options, std?: any|hl.image.color_normalize.options): any
---@return any
function hl.image.color_normalize(src, mean, std) end

---@class hl.image.fixed_crop.options
---@field [integer] any
---@field src? any
---@field x0? any
---@field y0? any
---@field w? any
---@field h? any
---@field size? any[]
---@field interp? any

---fixed_crop(src, x0, y0, w, h, {size = nil, interp = 2}): the part w wide and h high from column x0 and row y0 on, in
---another size {width, height} if one is given. Errors: a part that is not inside.
---@param src? any
---@param x0? any
---@param y0? any
---@param w? any
---@param h? any
---@param size? any
---@param interp? any
---@overload fun(src?: any|hl.image.fixed_crop.options, x0?: any|hl.image.fixed_crop.options, y0?: any|hl.image.fixed_crop.options, w?: any|hl.image.fixed_crop.options, h?: any|hl.image.fixed_crop.options, size?: any[]|hl.image.fixed_crop.options, interp?: any|hl.image.fixed_crop.options): any
---@return any
function hl.image.fixed_crop(src, x0, y0, w, h, size, interp) end

---@class hl.image.imdecode.options
---@field [integer] any
---@field buf? any
---@field flag? number Default: 1.
---@field to_rgb? boolean Default: true.

---imdecode(buf, {flag = 1, to_rgb = true}): imread of a string with a file's content.
---@overload fun(buf?: any|hl.image.imdecode.options, flag?: number|hl.image.imdecode.options, to_rgb?: boolean|hl.image.imdecode.options): any
---@return any
function hl.image.imdecode(...) end

---@class hl.image.imread.options
---@field [integer] any
---@field filename? string
---@field flag? number Default: 1.
---@field to_rgb? boolean Default: true.

---imread(filename, {flag = 1, to_rgb = true}): the picture in a PNG or JPEG file, uint8 (height, width, 3), red,
---green, blue; with flag = 0 gray, (height, width, 1), 0.299 red + 0.587 green + 0.114 blue; with to_rgb = false
---blue, green, red. Transparency is left out, of 16 bits the upper 8 are taken, and how a camera was held (Exif) is
---not looked at, all as in MXNet. Errors: a file that is none, is damaged or cut off, by its name; in a build without
---libpng or libjpeg the package that is missing.
---@overload fun(filename?: string|hl.image.imread.options, flag?: number|hl.image.imread.options, to_rgb?: boolean|hl.image.imread.options): any
---@return any
function hl.image.imread(...) end

---@class hl.image.imresize.options
---@field [integer] any
---@field src? any
---@field w? any
---@field h? any
---@field interp? any

---imresize(src, w, h, {interp = 1}): a picture in another size. interp: 0 nearest, 1 bilinear, 2 bicubic, 3 mean of
---the area, 9 bicubic to enlarge and area to shrink, 10 one of the first four by chance. Values are OpenCV's.
---@param src? any
---@param w? any
---@param h? any
---@param interp? any
---@overload fun(src?: any|hl.image.imresize.options, w?: any|hl.image.imresize.options, h?: any|hl.image.imresize.options, interp?: any|hl.image.imresize.options): any
---@return any
function hl.image.imresize(src, w, h, interp) end

---@class hl.image.imwrite.options
---@field [integer] any
---@field filename? string
---@field data? any

---imwrite(filename, data): writes a uint8 array (height, width) or (height, width, channels) as a PNG file, whole or
---not at all: 1 channel gray, 3 red, green, blue, 4 transparency too. MXNet has no such function. Errors: an ending
---other than .png, another dtype or shape.
---@overload fun(filename?: string|hl.image.imwrite.options, data?: any|hl.image.imwrite.options): any
---@return any
function hl.image.imwrite(...) end

---@class hl.image.random_crop.options
---@field [integer] any
---@field src? any
---@field size? any[]
---@field interp? any

---random_crop(src, size, {interp = 2}): a part of {width, height} at a random place; a smaller picture is made larger.
---Returns it and {x0, y0, width, height}.
---@param src? any
---@param size? any
---@param interp? any
---@overload fun(src?: any|hl.image.random_crop.options, size?: any[]|hl.image.random_crop.options, interp?: any|hl.image.random_crop.options): any
---@return any
function hl.image.random_crop(src, size, interp) end

---@class hl.image.random_size_crop.options
---@field [integer] any
---@field src? any
---@field size? any[]
---@field area? any
---@field ratio? any[]
---@field interp? any

---random_size_crop(src, size, area, ratio, {interp = 2}): a random part in the size {width, height}: `area` of the
---picture's, a number or {least, most}, and width to height as {least, most}. Where ten attempts give none that fits,
---the middle. Returns it and {x0, y0, width, height}.
---@param src? any
---@param size? any
---@param area? any
---@param ratio? any
---@param interp? any
---@overload fun(src?: any|hl.image.random_size_crop.options, size?: any[]|hl.image.random_size_crop.options, area?: any|hl.image.random_size_crop.options, ratio?: any[]|hl.image.random_size_crop.options, interp?: any|hl.image.random_size_crop.options): any
---@return any
function hl.image.random_size_crop(src, size, area, ratio, interp) end

---@class hl.image.resize_short.options
---@field [integer] any
---@field src? any
---@field size? any
---@field interp? any

---resize_short(src, size, {interp = 2}): the shorter side becomes `size`, the other keeps the proportion.
---@param src? any
---@param size? any
---@param interp? any
---@overload fun(src?: any|hl.image.resize_short.options, size?: any|hl.image.resize_short.options, interp?: any|hl.image.resize_short.options): any
---@return any
function hl.image.resize_short(src, size, interp) end

---@class hl.image.scale_down.options
---@field [integer] any
---@field src_size? any[]
---@field size? any[]

---scale_down(src_size, size): {width, height} of `size`, or where a picture of src_size has less, the largest in the
---same proportion. Both are {width, height}.
---@param src_size? any
---@param size? any
---@overload fun(src_size?: any[]|hl.image.scale_down.options, size?: any[]|hl.image.scale_down.options): any
---@return any
function hl.image.scale_down(src_size, size) end

---@class hl.recordio
hl.recordio = {}

---@class hl.recordio.IRHeader.options
---@field [integer] any
---@field flag? any
---@field label? any[]
---@field id? any
---@field id2? any

---IRHeader(flag, label, id, id2): what stands before a record's bytes, a table with these fields. label: a number,
---or a list or NDArray of numbers, of which flag is the count then.
---@param flag? any
---@param label? any
---@param id? any
---@param id2? any
---@overload fun(flag?: any|hl.recordio.IRHeader.options, label?: any[]|hl.recordio.IRHeader.options, id?: any|hl.recordio.IRHeader.options, id2?: any|hl.recordio.IRHeader.options): any
---@return any
function hl.recordio.IRHeader(flag, label, id, id2) end

---@class hl.recordio.MXIndexedRecordIO.options
---@field [integer] any
---@field idx_path? any
---@field uri? any
---@field flag? any

---MXIndexedRecordIO(idx_path, uri, flag): records with keys, integers, in any order: the file idx_path says where each
---begins. record.keys: the keys, a list; record.idx: the offset of each.
---@class hl.recordio.MXIndexedRecordIO: hl.recordio.MXRecordIO
---@overload fun(idx_path?: any|hl.recordio.MXIndexedRecordIO.options, uri?: any|hl.recordio.MXIndexedRecordIO.options, flag?: any|hl.recordio.MXIndexedRecordIO.options): hl.recordio.MXIndexedRecordIO
---@overload fun(options: hl.recordio.MXIndexedRecordIO.options): hl.recordio.MXIndexedRecordIO
hl.recordio.MXIndexedRecordIO = {}

---@return any
function hl.recordio.MXIndexedRecordIO:close() end

---@return any
function hl.recordio.MXIndexedRecordIO:open() end

---The record with a key.
---@param idx? any
---@return any
function hl.recordio.MXIndexedRecordIO:read_idx(idx) end

---Goes to the record with a key, which read() gives then. Errors: a key that is not there.
---@param idx? any
---@return any
function hl.recordio.MXIndexedRecordIO:seek(idx) end

---Where the next record will be written, in bytes from the beginning.
---@return any
function hl.recordio.MXIndexedRecordIO:tell() end

---@class hl.recordio.MXIndexedRecordIO.write_idx.options
---@field [integer] any
---@field idx? any
---@field buf? any

---Adds a record under a key, an integer.
---@param idx? any
---@param buf? any
---@overload fun(self: hl.recordio.MXIndexedRecordIO, idx?: any|hl.recordio.MXIndexedRecordIO.write_idx.options, buf?: any|hl.recordio.MXIndexedRecordIO.write_idx.options): any
---@return any
function hl.recordio.MXIndexedRecordIO:write_idx(idx, buf) end

---@class hl.recordio.MXRecordIO.options
---@field [integer] any
---@field uri? any
---@field flag? any

---MXRecordIO(uri, flag): records in the file `uri`, read one after the other (flag "r") or written ("w"), from its
---beginning. What is written is there for sure after close(). Errors: a file that cannot be opened; one that is cut
---off or damaged, with the offset, when it is read.
---@class hl.recordio.MXRecordIO
---@overload fun(uri?: any|hl.recordio.MXRecordIO.options, flag?: any|hl.recordio.MXRecordIO.options): hl.recordio.MXRecordIO
---@overload fun(options: hl.recordio.MXRecordIO.options): hl.recordio.MXRecordIO
hl.recordio.MXRecordIO = {}

---Closes the file; to close it twice does nothing.
---@return any
function hl.recordio.MXRecordIO:close() end

---Opens the file again, as it was made: from its beginning, empty for "w".
---@return any
function hl.recordio.MXRecordIO:open() end

---The next record as a string; nil after the last one.
---@return any
function hl.recordio.MXRecordIO:read() end

---Back to the beginning; a file that is written to becomes empty.
---@return any
function hl.recordio.MXRecordIO:reset() end

---@param name? any
---@return any
function hl.recordio.MXRecordIO:subclass(name, ...) end

---Adds a record with the bytes of a string.
---@param buf? any
---@return any
function hl.recordio.MXRecordIO:write(buf) end

---@class hl.recordio.pack.options
---@field [integer] any
---@field header? any
---@field s? any

---pack(header, s): a record's bytes of an IRHeader (or a list of its four values) and a string.
---@param header? any
---@param s? any
---@overload fun(header?: any|hl.recordio.pack.options, s?: any|hl.recordio.pack.options): any
---@return any
function hl.recordio.pack(header, s) end

---@class hl.recordio.pack_img.options
---@field [integer] any
---@field header? any
---@field img? any
---@field quality? any
---@field img_fmt? any

---pack_img(header, img, {quality = 95, img_fmt = ".png"}): pack of a picture, uint8 (height, width, channels) with
---blue first, as MXNet's (OpenCV's) are there, as the bytes of a PNG file. Errors: another img_fmt, for no JPEG is
---written.
---@param header? any
---@param img? any
---@param quality? any
---@param img_fmt? any
---@overload fun(header?: any|hl.recordio.pack_img.options, img?: any|hl.recordio.pack_img.options, quality?: any|hl.recordio.pack_img.options, img_fmt?: any|hl.recordio.pack_img.options): any
---@return any
function hl.recordio.pack_img(header, img, quality, img_fmt) end

---unpack(s): the IRHeader and the rest of a record's bytes. label is a number, or an NDArray of flag numbers.
---Errors: a string that is too short.
---@param s? any
---@return any
function hl.recordio.unpack(s) end

---@class hl.recordio.unpack_img.options
---@field [integer] any
---@field s? any
---@field iscolor? any

---unpack_img(s, {iscolor = -1}): the IRHeader and the picture of a record, with blue first; iscolor = 0: gray.
---@param s? any
---@param iscolor? any
---@overload fun(s?: any|hl.recordio.unpack_img.options, iscolor?: any|hl.recordio.unpack_img.options): any
---@return any
function hl.recordio.unpack_img(s, iscolor) end

---@class hl.gluon.data.vision.transforms
hl.gluon.data.vision.transforms = {}

---@class hl.gluon.data.vision.transforms.Cast.options
---@field [integer] any
---@field dtype? hl.DType Default: 'float32'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Cast(dtype = "float32").
---@class hl.gluon.data.vision.transforms.Cast: hl.gluon.HybridBlock
---@overload fun(dtype?: hl.DType|hl.gluon.data.vision.transforms.Cast.options, prefix?: string|hl.gluon.data.vision.transforms.Cast.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.Cast.options): hl.gluon.data.vision.transforms.Cast
---@overload fun(options: hl.gluon.data.vision.transforms.Cast.options): hl.gluon.data.vision.transforms.Cast
hl.gluon.data.vision.transforms.Cast = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Cast:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.CenterCrop.options
---@field [integer] any
---@field size? any[]
---@field interpolation? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.CenterCrop: hl.gluon.Block
---@overload fun(size?: any[]|hl.gluon.data.vision.transforms.CenterCrop.options, interpolation?: number|hl.gluon.data.vision.transforms.CenterCrop.options, prefix?: string|hl.gluon.data.vision.transforms.CenterCrop.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.CenterCrop.options): hl.gluon.data.vision.transforms.CenterCrop
---@overload fun(options: hl.gluon.data.vision.transforms.CenterCrop.options): hl.gluon.data.vision.transforms.CenterCrop
hl.gluon.data.vision.transforms.CenterCrop = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.CenterCrop:forward(x) end

---@class hl.gluon.data.vision.transforms.Compose.options
---@field [integer] any
---@field transforms? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Compose{transform, ...}: one after the other; functions as well as blocks.
---@class hl.gluon.data.vision.transforms.Compose: hl.gluon.nn.Sequential
---@overload fun(transforms?: any[]|hl.gluon.data.vision.transforms.Compose.options, prefix?: string|hl.gluon.data.vision.transforms.Compose.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.Compose.options): hl.gluon.data.vision.transforms.Compose
---@overload fun(options: hl.gluon.data.vision.transforms.Compose.options): hl.gluon.data.vision.transforms.Compose
hl.gluon.data.vision.transforms.Compose = {}

---@class hl.gluon.data.vision.transforms.CropResize.options
---@field [integer] any
---@field x? any
---@field y? any
---@field width? any
---@field height? any
---@field size? any[]
---@field interpolation? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.CropResize: hl.gluon.HybridBlock
---@overload fun(x?: any|hl.gluon.data.vision.transforms.CropResize.options, y?: any|hl.gluon.data.vision.transforms.CropResize.options, width?: any|hl.gluon.data.vision.transforms.CropResize.options, height?: any|hl.gluon.data.vision.transforms.CropResize.options, size?: any[]|hl.gluon.data.vision.transforms.CropResize.options, interpolation?: number|hl.gluon.data.vision.transforms.CropResize.options, prefix?: string|hl.gluon.data.vision.transforms.CropResize.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.CropResize.options): hl.gluon.data.vision.transforms.CropResize
---@overload fun(options: hl.gluon.data.vision.transforms.CropResize.options): hl.gluon.data.vision.transforms.CropResize
hl.gluon.data.vision.transforms.CropResize = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.CropResize:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.HybridCompose.options
---@field [integer] any
---@field transforms? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.HybridCompose: hl.gluon.nn.HybridSequential
---@overload fun(transforms?: any[]|hl.gluon.data.vision.transforms.HybridCompose.options, prefix?: string|hl.gluon.data.vision.transforms.HybridCompose.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.HybridCompose.options): hl.gluon.data.vision.transforms.HybridCompose
---@overload fun(options: hl.gluon.data.vision.transforms.HybridCompose.options): hl.gluon.data.vision.transforms.HybridCompose
hl.gluon.data.vision.transforms.HybridCompose = {}

---@class hl.gluon.data.vision.transforms.HybridRandomApply.options
---@field [integer] any
---@field transforms? any[]
---@field p? number Default: 0.5.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.HybridRandomApply: hl.gluon.nn.HybridSequential
---@overload fun(transforms?: any[]|hl.gluon.data.vision.transforms.HybridRandomApply.options, p?: number|hl.gluon.data.vision.transforms.HybridRandomApply.options, prefix?: string|hl.gluon.data.vision.transforms.HybridRandomApply.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.HybridRandomApply.options): hl.gluon.data.vision.transforms.HybridRandomApply
---@overload fun(options: hl.gluon.data.vision.transforms.HybridRandomApply.options): hl.gluon.data.vision.transforms.HybridRandomApply
hl.gluon.data.vision.transforms.HybridRandomApply = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.HybridRandomApply:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.Normalize.options
---@field [integer] any
---@field mean? number Default: 0.
---@field std? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Normalize(mean = 0, std = 1): (x - mean) / std for (C, H, W) or (N, C, H, W); mean and std are
---numbers or lists, one for each channel.
---@class hl.gluon.data.vision.transforms.Normalize: hl.gluon.HybridBlock
---@overload fun(mean?: number|hl.gluon.data.vision.transforms.Normalize.options, std?: number|hl.gluon.data.vision.transforms.Normalize.options, prefix?: string|hl.gluon.data.vision.transforms.Normalize.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.Normalize.options): hl.gluon.data.vision.transforms.Normalize
---@overload fun(options: hl.gluon.data.vision.transforms.Normalize.options): hl.gluon.data.vision.transforms.Normalize
hl.gluon.data.vision.transforms.Normalize = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Normalize:hybrid_forward(_, x) end

---@class hl.gluon.data.vision.transforms.RandomApply.options
---@field [integer] any
---@field transforms? any[]
---@field p? number Default: 0.5.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomApply: hl.gluon.nn.Sequential
---@overload fun(transforms?: any[]|hl.gluon.data.vision.transforms.RandomApply.options, p?: number|hl.gluon.data.vision.transforms.RandomApply.options, prefix?: string|hl.gluon.data.vision.transforms.RandomApply.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomApply.options): hl.gluon.data.vision.transforms.RandomApply
---@overload fun(options: hl.gluon.data.vision.transforms.RandomApply.options): hl.gluon.data.vision.transforms.RandomApply
hl.gluon.data.vision.transforms.RandomApply = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomApply:forward(x) end

---@class hl.gluon.data.vision.transforms.RandomBrightness.options
---@field [integer] any
---@field brightness? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomBrightness: hl.gluon.HybridBlock
---@overload fun(brightness?: any|hl.gluon.data.vision.transforms.RandomBrightness.options, prefix?: string|hl.gluon.data.vision.transforms.RandomBrightness.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomBrightness.options): hl.gluon.data.vision.transforms.RandomBrightness
---@overload fun(options: hl.gluon.data.vision.transforms.RandomBrightness.options): hl.gluon.data.vision.transforms.RandomBrightness
hl.gluon.data.vision.transforms.RandomBrightness = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomBrightness:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomColorJitter.options
---@field [integer] any
---@field brightness? number Default: 0.
---@field contrast? number Default: 0.
---@field saturation? number Default: 0.
---@field hue? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomColorJitter: hl.gluon.HybridBlock
---@overload fun(brightness?: number|hl.gluon.data.vision.transforms.RandomColorJitter.options, contrast?: number|hl.gluon.data.vision.transforms.RandomColorJitter.options, saturation?: number|hl.gluon.data.vision.transforms.RandomColorJitter.options, hue?: number|hl.gluon.data.vision.transforms.RandomColorJitter.options, prefix?: string|hl.gluon.data.vision.transforms.RandomColorJitter.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomColorJitter.options): hl.gluon.data.vision.transforms.RandomColorJitter
---@overload fun(options: hl.gluon.data.vision.transforms.RandomColorJitter.options): hl.gluon.data.vision.transforms.RandomColorJitter
hl.gluon.data.vision.transforms.RandomColorJitter = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomColorJitter:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomContrast.options
---@field [integer] any
---@field contrast? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomContrast: hl.gluon.HybridBlock
---@overload fun(contrast?: any|hl.gluon.data.vision.transforms.RandomContrast.options, prefix?: string|hl.gluon.data.vision.transforms.RandomContrast.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomContrast.options): hl.gluon.data.vision.transforms.RandomContrast
---@overload fun(options: hl.gluon.data.vision.transforms.RandomContrast.options): hl.gluon.data.vision.transforms.RandomContrast
hl.gluon.data.vision.transforms.RandomContrast = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomContrast:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomCrop.options
---@field [integer] any
---@field size? any[]
---@field pad? any[]
---@field interpolation? number Default: 2.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomCrop: hl.gluon.Block
---@overload fun(size?: any[]|hl.gluon.data.vision.transforms.RandomCrop.options, pad?: any[]|hl.gluon.data.vision.transforms.RandomCrop.options, interpolation?: number|hl.gluon.data.vision.transforms.RandomCrop.options, prefix?: string|hl.gluon.data.vision.transforms.RandomCrop.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomCrop.options): hl.gluon.data.vision.transforms.RandomCrop
---@overload fun(options: hl.gluon.data.vision.transforms.RandomCrop.options): hl.gluon.data.vision.transforms.RandomCrop
hl.gluon.data.vision.transforms.RandomCrop = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomCrop:forward(x) end

---@class hl.gluon.data.vision.transforms.RandomErasing.options
---@field [integer] any
---@field p? number Default: 0.5.
---@field scale? any[] Default: {0.02, 0.33}.
---@field ratio? any[] Default: {0.3, 3.3}.
---@field value? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomErasing: hl.gluon.Block
---@overload fun(p?: number|hl.gluon.data.vision.transforms.RandomErasing.options, scale?: any[]|hl.gluon.data.vision.transforms.RandomErasing.options, ratio?: any[]|hl.gluon.data.vision.transforms.RandomErasing.options, value?: number|hl.gluon.data.vision.transforms.RandomErasing.options, prefix?: string|hl.gluon.data.vision.transforms.RandomErasing.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomErasing.options): hl.gluon.data.vision.transforms.RandomErasing
---@overload fun(options: hl.gluon.data.vision.transforms.RandomErasing.options): hl.gluon.data.vision.transforms.RandomErasing
hl.gluon.data.vision.transforms.RandomErasing = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomErasing:forward(x) end

---@class hl.gluon.data.vision.transforms.RandomFlipLeftRight.options
---@field [integer] any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomFlipLeftRight: hl.gluon.HybridBlock
---@overload fun(prefix?: string|hl.gluon.data.vision.transforms.RandomFlipLeftRight.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomFlipLeftRight.options): hl.gluon.data.vision.transforms.RandomFlipLeftRight
---@overload fun(options: hl.gluon.data.vision.transforms.RandomFlipLeftRight.options): hl.gluon.data.vision.transforms.RandomFlipLeftRight
hl.gluon.data.vision.transforms.RandomFlipLeftRight = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomFlipLeftRight:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomFlipTopBottom.options
---@field [integer] any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomFlipTopBottom: hl.gluon.HybridBlock
---@overload fun(prefix?: string|hl.gluon.data.vision.transforms.RandomFlipTopBottom.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomFlipTopBottom.options): hl.gluon.data.vision.transforms.RandomFlipTopBottom
---@overload fun(options: hl.gluon.data.vision.transforms.RandomFlipTopBottom.options): hl.gluon.data.vision.transforms.RandomFlipTopBottom
hl.gluon.data.vision.transforms.RandomFlipTopBottom = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomFlipTopBottom:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomGray.options
---@field [integer] any
---@field p? number Default: 0.5.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomGray: hl.gluon.HybridBlock
---@overload fun(p?: number|hl.gluon.data.vision.transforms.RandomGray.options, prefix?: string|hl.gluon.data.vision.transforms.RandomGray.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomGray.options): hl.gluon.data.vision.transforms.RandomGray
---@overload fun(options: hl.gluon.data.vision.transforms.RandomGray.options): hl.gluon.data.vision.transforms.RandomGray
hl.gluon.data.vision.transforms.RandomGray = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomGray:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomHue.options
---@field [integer] any
---@field hue? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomHue: hl.gluon.HybridBlock
---@overload fun(hue?: any|hl.gluon.data.vision.transforms.RandomHue.options, prefix?: string|hl.gluon.data.vision.transforms.RandomHue.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomHue.options): hl.gluon.data.vision.transforms.RandomHue
---@overload fun(options: hl.gluon.data.vision.transforms.RandomHue.options): hl.gluon.data.vision.transforms.RandomHue
hl.gluon.data.vision.transforms.RandomHue = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomHue:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomLighting.options
---@field [integer] any
---@field alpha? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomLighting: hl.gluon.HybridBlock
---@overload fun(alpha?: any|hl.gluon.data.vision.transforms.RandomLighting.options, prefix?: string|hl.gluon.data.vision.transforms.RandomLighting.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomLighting.options): hl.gluon.data.vision.transforms.RandomLighting
---@overload fun(options: hl.gluon.data.vision.transforms.RandomLighting.options): hl.gluon.data.vision.transforms.RandomLighting
hl.gluon.data.vision.transforms.RandomLighting = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomLighting:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.RandomResizedCrop.options
---@field [integer] any
---@field size? any[]
---@field scale? any[] Default: {0.08, 1}.
---@field ratio? any[] Default: {0.75, 1.3333333333333}.
---@field interpolation? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomResizedCrop: hl.gluon.Block
---@overload fun(size?: any[]|hl.gluon.data.vision.transforms.RandomResizedCrop.options, scale?: any[]|hl.gluon.data.vision.transforms.RandomResizedCrop.options, ratio?: any[]|hl.gluon.data.vision.transforms.RandomResizedCrop.options, interpolation?: number|hl.gluon.data.vision.transforms.RandomResizedCrop.options, prefix?: string|hl.gluon.data.vision.transforms.RandomResizedCrop.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomResizedCrop.options): hl.gluon.data.vision.transforms.RandomResizedCrop
---@overload fun(options: hl.gluon.data.vision.transforms.RandomResizedCrop.options): hl.gluon.data.vision.transforms.RandomResizedCrop
hl.gluon.data.vision.transforms.RandomResizedCrop = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomResizedCrop:forward(x) end

---@class hl.gluon.data.vision.transforms.RandomRotation.options
---@field [integer] any
---@field angle_limits? any[]
---@field zoom_in? boolean Default: false.
---@field zoom_out? boolean Default: false.
---@field rotate_with_proba? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomRotation: hl.gluon.Block
---@overload fun(angle_limits?: any[]|hl.gluon.data.vision.transforms.RandomRotation.options, zoom_in?: boolean|hl.gluon.data.vision.transforms.RandomRotation.options, zoom_out?: boolean|hl.gluon.data.vision.transforms.RandomRotation.options, rotate_with_proba?: number|hl.gluon.data.vision.transforms.RandomRotation.options, prefix?: string|hl.gluon.data.vision.transforms.RandomRotation.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomRotation.options): hl.gluon.data.vision.transforms.RandomRotation
---@overload fun(options: hl.gluon.data.vision.transforms.RandomRotation.options): hl.gluon.data.vision.transforms.RandomRotation
hl.gluon.data.vision.transforms.RandomRotation = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomRotation:forward(x) end

---@class hl.gluon.data.vision.transforms.RandomSaturation.options
---@field [integer] any
---@field saturation? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.RandomSaturation: hl.gluon.HybridBlock
---@overload fun(saturation?: any|hl.gluon.data.vision.transforms.RandomSaturation.options, prefix?: string|hl.gluon.data.vision.transforms.RandomSaturation.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.RandomSaturation.options): hl.gluon.data.vision.transforms.RandomSaturation
---@overload fun(options: hl.gluon.data.vision.transforms.RandomSaturation.options): hl.gluon.data.vision.transforms.RandomSaturation
hl.gluon.data.vision.transforms.RandomSaturation = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.RandomSaturation:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.Resize.options
---@field [integer] any
---@field size? any[]
---@field keep_ratio? boolean Default: false.
---@field interpolation? number Default: 1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.Resize: hl.gluon.HybridBlock
---@overload fun(size?: any[]|hl.gluon.data.vision.transforms.Resize.options, keep_ratio?: boolean|hl.gluon.data.vision.transforms.Resize.options, interpolation?: number|hl.gluon.data.vision.transforms.Resize.options, prefix?: string|hl.gluon.data.vision.transforms.Resize.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.Resize.options): hl.gluon.data.vision.transforms.Resize
---@overload fun(options: hl.gluon.data.vision.transforms.Resize.options): hl.gluon.data.vision.transforms.Resize
hl.gluon.data.vision.transforms.Resize = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Resize:hybrid_forward(F, x) end

---@class hl.gluon.data.vision.transforms.Rotate.options
---@field [integer] any
---@field rotation_degrees? any
---@field zoom_in? boolean Default: false.
---@field zoom_out? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.data.vision.transforms.Rotate: hl.gluon.Block
---@overload fun(rotation_degrees?: any|hl.gluon.data.vision.transforms.Rotate.options, zoom_in?: boolean|hl.gluon.data.vision.transforms.Rotate.options, zoom_out?: boolean|hl.gluon.data.vision.transforms.Rotate.options, prefix?: string|hl.gluon.data.vision.transforms.Rotate.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.data.vision.transforms.Rotate.options): hl.gluon.data.vision.transforms.Rotate
---@overload fun(options: hl.gluon.data.vision.transforms.Rotate.options): hl.gluon.data.vision.transforms.Rotate
hl.gluon.data.vision.transforms.Rotate = {}

---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Rotate:forward(x) end

---ToTensor(): images (H, W, C) or (N, H, W, C) from 0 to 255 become float32 (C, H, W) or
---(N, C, H, W) from 0 to 1.
---@class hl.gluon.data.vision.transforms.ToTensor: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.data.vision.transforms.ToTensor
hl.gluon.data.vision.transforms.ToTensor = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.ToTensor:hybrid_forward(F, x) end

---@class hl.gluon.utils
hl.gluon.utils = {}

---@class hl.gluon.utils.clip_global_norm.options
---@field [integer] any
---@field arrays? any[]
---@field max_norm? any
---@field check_isfinite? any

---clip_global_norm(arrays, max_norm, check_isfinite = true): scales the arrays in place so that the
---norm of all their elements together is at most max_norm; gives the norm before that (a number).
---A norm that is not finite is warned of on standard error, and leaves the arrays to become NaN. In
---a compiled training step it returns nothing: it runs after each run.
---@param arrays? any
---@param max_norm? any
---@param check_isfinite? any
---@overload fun(arrays?: any[]|hl.gluon.utils.clip_global_norm.options, max_norm?: any|hl.gluon.utils.clip_global_norm.options, check_isfinite?: any|hl.gluon.utils.clip_global_norm.options): any
---@return any
function hl.gluon.utils.clip_global_norm(arrays, max_norm, check_isfinite) end

---Is every dimension of a shape known? 0 stands for an unknown one, and so does a shape that is nil.
---@param shape? any
---@return any
function hl.gluon.utils.shape_is_known(shape) end

---@class hl.gluon.utils.split_and_load.options
---@field [integer] any
---@field data? any[]
---@field ctx_list? any[]
---@field batch_axis? integer
---@field even_split? any

---split_and_load(data, ctx_list, batch_axis = 0, even_split = true): the parts of the data along batch_axis, one
---in each context of the list. Errors: as split_data.
---@param data? any
---@param ctx_list? any
---@param batch_axis? any
---@param even_split? any
---@overload fun(data?: any[]|hl.gluon.utils.split_and_load.options, ctx_list?: any[]|hl.gluon.utils.split_and_load.options, batch_axis?: integer|hl.gluon.utils.split_and_load.options, even_split?: any|hl.gluon.utils.split_and_load.options): any
---@return any
function hl.gluon.utils.split_and_load(data, ctx_list, batch_axis, even_split) end

---@class hl.gluon.utils.split_data.options
---@field [integer] any
---@field data? any
---@field num_slice? any
---@field batch_axis? integer
---@field even_split? any

---split_data(data, num_slice, batch_axis = 0, even_split = true): a list of parts along batch_axis.
---With even_split = false the first parts take one more each where the size does not divide. Errors: a size that does
---not divide.
---@param data? any
---@param num_slice? any
---@param batch_axis? any
---@param even_split? any
---@overload fun(data?: any|hl.gluon.utils.split_data.options, num_slice?: any|hl.gluon.utils.split_data.options, batch_axis?: integer|hl.gluon.utils.split_data.options, even_split?: any|hl.gluon.utils.split_data.options): any
---@return any
function hl.gluon.utils.split_data(data, num_slice, batch_axis, even_split) end

---@class hl.gluon.contrib
hl.gluon.contrib = {}

---@class hl.gluon.contrib.nn
hl.gluon.contrib.nn = {}

---@class hl.gluon.contrib.nn.Concurrent.options
---@field [integer] any
---@field axis? integer Default: -1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Concurrent(axis = -1): gives its input to all its children and puts their outputs together along `axis`.
---@class hl.gluon.contrib.nn.Concurrent: hl.gluon.nn.Sequential
---@overload fun(axis?: integer|hl.gluon.contrib.nn.Concurrent.options, prefix?: string|hl.gluon.contrib.nn.Concurrent.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.Concurrent.options): hl.gluon.contrib.nn.Concurrent
---@overload fun(options: hl.gluon.contrib.nn.Concurrent.options): hl.gluon.contrib.nn.Concurrent
hl.gluon.contrib.nn.Concurrent = {}

---@param x? any
---@return any
function hl.gluon.contrib.nn.Concurrent:forward(x) end

---@class hl.gluon.contrib.nn.HybridConcurrent.options
---@field [integer] any
---@field axis? integer Default: -1.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---HybridConcurrent(axis = -1): Concurrent for HybridBlocks; can be hybridized as a whole.
---@class hl.gluon.contrib.nn.HybridConcurrent: hl.gluon.nn.HybridSequential
---@overload fun(axis?: integer|hl.gluon.contrib.nn.HybridConcurrent.options, prefix?: string|hl.gluon.contrib.nn.HybridConcurrent.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.HybridConcurrent.options): hl.gluon.contrib.nn.HybridConcurrent
---@overload fun(options: hl.gluon.contrib.nn.HybridConcurrent.options): hl.gluon.contrib.nn.HybridConcurrent
hl.gluon.contrib.nn.HybridConcurrent = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.contrib.nn.HybridConcurrent:hybrid_forward(F, x) end

hl.gluon.contrib.nn.Identity = hl.gluon.nn.Identity

---@class hl.gluon.contrib.nn.MultiHeadAttention.options
---@field [integer] any
---@field units? integer
---@field num_heads? any
---@field kv_heads? any
---@field use_bias? boolean Default: true.
---@field causal? boolean Default: false.
---@field rotary? boolean Default: false.
---@field in_units? integer Default: 0.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.MultiHeadAttention: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.contrib.nn.MultiHeadAttention.options, num_heads?: any|hl.gluon.contrib.nn.MultiHeadAttention.options, kv_heads?: any|hl.gluon.contrib.nn.MultiHeadAttention.options, use_bias?: boolean|hl.gluon.contrib.nn.MultiHeadAttention.options, causal?: boolean|hl.gluon.contrib.nn.MultiHeadAttention.options, rotary?: boolean|hl.gluon.contrib.nn.MultiHeadAttention.options, in_units?: integer|hl.gluon.contrib.nn.MultiHeadAttention.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.MultiHeadAttention.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.MultiHeadAttention.options, prefix?: string|hl.gluon.contrib.nn.MultiHeadAttention.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.MultiHeadAttention.options): hl.gluon.contrib.nn.MultiHeadAttention
---@overload fun(options: hl.gluon.contrib.nn.MultiHeadAttention.options): hl.gluon.contrib.nn.MultiHeadAttention
hl.gluon.contrib.nn.MultiHeadAttention = {}

---@class hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options
---@field [integer] any
---@field batch_size? integer
---@field max_length? any
---@field in_place? any
---@field dtype? hl.DType
---@field ctx? any

---begin_cache(batch_size, max_length, {in_place = false, dtype, ctx}): keys and values of no token yet, with room for
---max_length, a list of two arrays (batch, kv_heads, tokens, width): what a call with a cache takes. in_place: calls
---write into the arrays and return them, with no copy, and without gradient; the cache is then {keys =, values =},
---where keys are (batch, kv_heads, width, tokens).
---@param batch_size? any
---@param max_length? any
---@param in_place? any
---@param dtype? any
---@param ctx? any
---@overload fun(self: hl.gluon.contrib.nn.MultiHeadAttention, batch_size?: integer|hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options, max_length?: any|hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options, in_place?: any|hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options, dtype?: hl.DType|hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options, ctx?: any|hl.gluon.contrib.nn.MultiHeadAttention.begin_cache.options): any
---@return any
function hl.gluon.contrib.nn.MultiHeadAttention:begin_cache(batch_size, max_length, in_place, dtype, ctx) end

---@param F? any
---@param query? any
---@param memory? any
---@param mask? any
---@param length? any
---@param cache? any
---@param position? any
---@return any
function hl.gluon.contrib.nn.MultiHeadAttention:hybrid_forward(F, query, memory, mask, length, cache, position) end

---@class hl.gluon.contrib.nn.PixelShuffle1D.options
---@field [integer] any
---@field factor? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.PixelShuffle1D: hl.gluon.HybridBlock
---@overload fun(factor?: any[]|hl.gluon.contrib.nn.PixelShuffle1D.options, prefix?: string|hl.gluon.contrib.nn.PixelShuffle1D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.PixelShuffle1D.options): hl.gluon.contrib.nn.PixelShuffle1D
---@overload fun(options: hl.gluon.contrib.nn.PixelShuffle1D.options): hl.gluon.contrib.nn.PixelShuffle1D
hl.gluon.contrib.nn.PixelShuffle1D = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.contrib.nn.PixelShuffle1D:hybrid_forward(F, x) end

---@class hl.gluon.contrib.nn.PixelShuffle2D.options
---@field [integer] any
---@field factor? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.PixelShuffle2D: hl.gluon.HybridBlock
---@overload fun(factor?: any[]|hl.gluon.contrib.nn.PixelShuffle2D.options, prefix?: string|hl.gluon.contrib.nn.PixelShuffle2D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.PixelShuffle2D.options): hl.gluon.contrib.nn.PixelShuffle2D
---@overload fun(options: hl.gluon.contrib.nn.PixelShuffle2D.options): hl.gluon.contrib.nn.PixelShuffle2D
hl.gluon.contrib.nn.PixelShuffle2D = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.contrib.nn.PixelShuffle2D:hybrid_forward(F, x) end

---@class hl.gluon.contrib.nn.PixelShuffle3D.options
---@field [integer] any
---@field factor? any[]
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.PixelShuffle3D: hl.gluon.HybridBlock
---@overload fun(factor?: any[]|hl.gluon.contrib.nn.PixelShuffle3D.options, prefix?: string|hl.gluon.contrib.nn.PixelShuffle3D.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.PixelShuffle3D.options): hl.gluon.contrib.nn.PixelShuffle3D
---@overload fun(options: hl.gluon.contrib.nn.PixelShuffle3D.options): hl.gluon.contrib.nn.PixelShuffle3D
hl.gluon.contrib.nn.PixelShuffle3D = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.contrib.nn.PixelShuffle3D:hybrid_forward(F, x) end

---@class hl.gluon.contrib.nn.PositionalEmbedding.options
---@field [integer] any
---@field units? integer
---@field max_length? any
---@field method? string Default: 'sinusoidal'.
---@field weight_initializer? string|hl.initializer.Initializer
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.PositionalEmbedding: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.contrib.nn.PositionalEmbedding.options, max_length?: any|hl.gluon.contrib.nn.PositionalEmbedding.options, method?: string|hl.gluon.contrib.nn.PositionalEmbedding.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.PositionalEmbedding.options, prefix?: string|hl.gluon.contrib.nn.PositionalEmbedding.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.PositionalEmbedding.options): hl.gluon.contrib.nn.PositionalEmbedding
---@overload fun(options: hl.gluon.contrib.nn.PositionalEmbedding.options): hl.gluon.contrib.nn.PositionalEmbedding
hl.gluon.contrib.nn.PositionalEmbedding = {}

---@param F? any
---@param positions? any
---@param p? any
---@return any
function hl.gluon.contrib.nn.PositionalEmbedding:hybrid_forward(F, positions, p) end

---@class hl.gluon.contrib.nn.PositionwiseFFN.options
---@field [integer] any
---@field units? integer
---@field hidden_size? any
---@field dropout? number Default: 0.0.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'relu'.
---@field pre_norm? boolean Default: false.
---@field norm? string Default: 'layer'.
---@field layer_norm_eps? number Default: 1e-05.
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.PositionwiseFFN: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.contrib.nn.PositionwiseFFN.options, hidden_size?: any|hl.gluon.contrib.nn.PositionwiseFFN.options, dropout?: number|hl.gluon.contrib.nn.PositionwiseFFN.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.contrib.nn.PositionwiseFFN.options, pre_norm?: boolean|hl.gluon.contrib.nn.PositionwiseFFN.options, norm?: string|hl.gluon.contrib.nn.PositionwiseFFN.options, layer_norm_eps?: number|hl.gluon.contrib.nn.PositionwiseFFN.options, use_bias?: boolean|hl.gluon.contrib.nn.PositionwiseFFN.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.PositionwiseFFN.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.PositionwiseFFN.options, prefix?: string|hl.gluon.contrib.nn.PositionwiseFFN.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.PositionwiseFFN.options): hl.gluon.contrib.nn.PositionwiseFFN
---@overload fun(options: hl.gluon.contrib.nn.PositionwiseFFN.options): hl.gluon.contrib.nn.PositionwiseFFN
hl.gluon.contrib.nn.PositionwiseFFN = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.contrib.nn.PositionwiseFFN:hybrid_forward(F, x) end

---@class hl.gluon.contrib.nn.RMSNorm.options
---@field [integer] any
---@field axis? integer Default: -1.
---@field epsilon? number Default: 1e-06.
---@field gamma_initializer? string|hl.initializer.Initializer Default: 'ones'.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.RMSNorm: hl.gluon.HybridBlock
---@overload fun(axis?: integer|hl.gluon.contrib.nn.RMSNorm.options, epsilon?: number|hl.gluon.contrib.nn.RMSNorm.options, gamma_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.RMSNorm.options, in_channels?: number|hl.gluon.contrib.nn.RMSNorm.options, prefix?: string|hl.gluon.contrib.nn.RMSNorm.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.RMSNorm.options): hl.gluon.contrib.nn.RMSNorm
---@overload fun(options: hl.gluon.contrib.nn.RMSNorm.options): hl.gluon.contrib.nn.RMSNorm
hl.gluon.contrib.nn.RMSNorm = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.contrib.nn.RMSNorm:hybrid_forward(F, x, p) end

---@class hl.gluon.contrib.nn.SparseEmbedding.options
---@field [integer] any
---@field input_dim? integer
---@field output_dim? integer
---@field dtype? hl.DType Default: 'float32'.
---@field weight_initializer? string|hl.initializer.Initializer
---@field sparse_grad? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SparseEmbedding(input_dim, output_dim, {dtype = "float32", weight_initializer =}): Embedding. MXNet's has a sparse
---gradient; ours is dense, and the same.
---@class hl.gluon.contrib.nn.SparseEmbedding: hl.gluon.nn.Embedding
---@overload fun(input_dim?: integer|hl.gluon.contrib.nn.SparseEmbedding.options, output_dim?: integer|hl.gluon.contrib.nn.SparseEmbedding.options, dtype?: hl.DType|hl.gluon.contrib.nn.SparseEmbedding.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.SparseEmbedding.options, sparse_grad?: any|hl.gluon.contrib.nn.SparseEmbedding.options, prefix?: string|hl.gluon.contrib.nn.SparseEmbedding.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.SparseEmbedding.options): hl.gluon.contrib.nn.SparseEmbedding
---@overload fun(options: hl.gluon.contrib.nn.SparseEmbedding.options): hl.gluon.contrib.nn.SparseEmbedding
hl.gluon.contrib.nn.SparseEmbedding = {}

hl.gluon.contrib.nn.SyncBatchNorm = hl.gluon.nn.SyncBatchNorm

---@class hl.gluon.contrib.nn.TransformerDecoderCell.options
---@field [integer] any
---@field units? integer Default: 128.
---@field hidden_size? number Default: 512.
---@field num_heads? number Default: 4.
---@field dropout? number Default: 0.0.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'relu'.
---@field pre_norm? boolean Default: false.
---@field norm? string Default: 'layer'.
---@field layer_norm_eps? number Default: 1e-05.
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field causal? boolean Default: true.
---@field rotary? boolean Default: false.
---@field kv_heads? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.TransformerDecoderCell: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.contrib.nn.TransformerDecoderCell.options, hidden_size?: number|hl.gluon.contrib.nn.TransformerDecoderCell.options, num_heads?: number|hl.gluon.contrib.nn.TransformerDecoderCell.options, dropout?: number|hl.gluon.contrib.nn.TransformerDecoderCell.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.contrib.nn.TransformerDecoderCell.options, pre_norm?: boolean|hl.gluon.contrib.nn.TransformerDecoderCell.options, norm?: string|hl.gluon.contrib.nn.TransformerDecoderCell.options, layer_norm_eps?: number|hl.gluon.contrib.nn.TransformerDecoderCell.options, use_bias?: boolean|hl.gluon.contrib.nn.TransformerDecoderCell.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.TransformerDecoderCell.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.TransformerDecoderCell.options, causal?: boolean|hl.gluon.contrib.nn.TransformerDecoderCell.options, rotary?: boolean|hl.gluon.contrib.nn.TransformerDecoderCell.options, kv_heads?: any|hl.gluon.contrib.nn.TransformerDecoderCell.options, prefix?: string|hl.gluon.contrib.nn.TransformerDecoderCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.TransformerDecoderCell.options): hl.gluon.contrib.nn.TransformerDecoderCell
---@overload fun(options: hl.gluon.contrib.nn.TransformerDecoderCell.options): hl.gluon.contrib.nn.TransformerDecoderCell
hl.gluon.contrib.nn.TransformerDecoderCell = {}

---@class hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options
---@field [integer] any
---@field batch_size? integer
---@field max_length? any
---@field in_place? any
---@field dtype? hl.DType
---@field ctx? any

---Keys and values of no token yet, with room for max_length: MultiHeadAttention's begin_cache.
---@param batch_size? any
---@param max_length? any
---@param in_place? any
---@param dtype? any
---@param ctx? any
---@overload fun(self: hl.gluon.contrib.nn.TransformerDecoderCell, batch_size?: integer|hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options, max_length?: any|hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options, in_place?: any|hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options, dtype?: hl.DType|hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options, ctx?: any|hl.gluon.contrib.nn.TransformerDecoderCell.begin_cache.options): any
---@return any
function hl.gluon.contrib.nn.TransformerDecoderCell:begin_cache(batch_size, max_length, in_place, dtype, ctx) end

---@param _? any
---@param x? any
---@param memory? any
---@param mask? any
---@param memory_mask? any
---@param memory_length? any
---@param cache? any
---@param position? any
---@return any
function hl.gluon.contrib.nn.TransformerDecoderCell:hybrid_forward(_, x, memory, mask, memory_mask, memory_length, cache, position) end

---@class hl.gluon.contrib.nn.TransformerEncoderCell.options
---@field [integer] any
---@field units? integer Default: 128.
---@field hidden_size? number Default: 512.
---@field num_heads? number Default: 4.
---@field dropout? number Default: 0.0.
---@field activation? 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Default: 'relu'.
---@field pre_norm? boolean Default: false.
---@field norm? string Default: 'layer'.
---@field layer_norm_eps? number Default: 1e-05.
---@field use_bias? boolean Default: true.
---@field weight_initializer? string|hl.initializer.Initializer
---@field bias_initializer? string|hl.initializer.Initializer Default: 'zeros'.
---@field causal? boolean Default: false.
---@field rotary? boolean Default: false.
---@field kv_heads? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---@class hl.gluon.contrib.nn.TransformerEncoderCell: hl.gluon.HybridBlock
---@overload fun(units?: integer|hl.gluon.contrib.nn.TransformerEncoderCell.options, hidden_size?: number|hl.gluon.contrib.nn.TransformerEncoderCell.options, num_heads?: number|hl.gluon.contrib.nn.TransformerEncoderCell.options, dropout?: number|hl.gluon.contrib.nn.TransformerEncoderCell.options, activation?: 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh'|hl.gluon.contrib.nn.TransformerEncoderCell.options, pre_norm?: boolean|hl.gluon.contrib.nn.TransformerEncoderCell.options, norm?: string|hl.gluon.contrib.nn.TransformerEncoderCell.options, layer_norm_eps?: number|hl.gluon.contrib.nn.TransformerEncoderCell.options, use_bias?: boolean|hl.gluon.contrib.nn.TransformerEncoderCell.options, weight_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.TransformerEncoderCell.options, bias_initializer?: string|hl.initializer.Initializer|hl.gluon.contrib.nn.TransformerEncoderCell.options, causal?: boolean|hl.gluon.contrib.nn.TransformerEncoderCell.options, rotary?: boolean|hl.gluon.contrib.nn.TransformerEncoderCell.options, kv_heads?: any|hl.gluon.contrib.nn.TransformerEncoderCell.options, prefix?: string|hl.gluon.contrib.nn.TransformerEncoderCell.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.contrib.nn.TransformerEncoderCell.options): hl.gluon.contrib.nn.TransformerEncoderCell
---@overload fun(options: hl.gluon.contrib.nn.TransformerEncoderCell.options): hl.gluon.contrib.nn.TransformerEncoderCell
hl.gluon.contrib.nn.TransformerEncoderCell = {}

---@class hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options
---@field [integer] any
---@field batch_size? integer
---@field max_length? any
---@field in_place? any
---@field dtype? hl.DType
---@field ctx? any

---Keys and values of no token yet, with room for max_length: MultiHeadAttention's begin_cache.
---@param batch_size? any
---@param max_length? any
---@param in_place? any
---@param dtype? any
---@param ctx? any
---@overload fun(self: hl.gluon.contrib.nn.TransformerEncoderCell, batch_size?: integer|hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options, max_length?: any|hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options, in_place?: any|hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options, dtype?: hl.DType|hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options, ctx?: any|hl.gluon.contrib.nn.TransformerEncoderCell.begin_cache.options): any
---@return any
function hl.gluon.contrib.nn.TransformerEncoderCell:begin_cache(batch_size, max_length, in_place, dtype, ctx) end

---@param _? any
---@param x? any
---@param mask? any
---@param length? any
---@param cache? any
---@param position? any
---@return any
function hl.gluon.contrib.nn.TransformerEncoderCell:hybrid_forward(_, x, mask, length, cache, position) end

---@class hl.gluon.model_zoo
hl.gluon.model_zoo = {}

---@class hl.gluon.model_zoo.vision
hl.gluon.model_zoo.vision = {}

---@class hl.gluon.model_zoo.vision.AlexNet.options
---@field [integer] any
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---AlexNet{classes = 1000}: (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.AlexNet: hl.gluon.HybridBlock
---@overload fun(classes?: number|hl.gluon.model_zoo.vision.AlexNet.options, prefix?: string|hl.gluon.model_zoo.vision.AlexNet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.AlexNet.options): hl.gluon.model_zoo.vision.AlexNet
---@overload fun(options: hl.gluon.model_zoo.vision.AlexNet.options): hl.gluon.model_zoo.vision.AlexNet
hl.gluon.model_zoo.vision.AlexNet = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.AlexNet:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.BasicBlockV1.options
---@field [integer] any
---@field channels? any
---@field stride? any
---@field downsample? boolean Default: false.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BasicBlockV1(channels, stride, {downsample = false, in_channels = 0}): two convolutions 3x3, for ResNet-18 and 34.
---downsample: the input goes through a convolution 1x1 before it is added.
---@class hl.gluon.model_zoo.vision.BasicBlockV1: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.model_zoo.vision.BasicBlockV1.options, stride?: any|hl.gluon.model_zoo.vision.BasicBlockV1.options, downsample?: boolean|hl.gluon.model_zoo.vision.BasicBlockV1.options, in_channels?: number|hl.gluon.model_zoo.vision.BasicBlockV1.options, prefix?: string|hl.gluon.model_zoo.vision.BasicBlockV1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.BasicBlockV1.options): hl.gluon.model_zoo.vision.BasicBlockV1
---@overload fun(options: hl.gluon.model_zoo.vision.BasicBlockV1.options): hl.gluon.model_zoo.vision.BasicBlockV1
hl.gluon.model_zoo.vision.BasicBlockV1 = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.BasicBlockV1:hybrid_forward(F, x) end

---@class hl.gluon.model_zoo.vision.BasicBlockV2.options
---@field [integer] any
---@field channels? any
---@field stride? any
---@field downsample? boolean Default: false.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BasicBlockV2(channels, stride, {downsample = false, in_channels = 0}): two convolutions 3x3, for ResNet-18 and 34.
---@class hl.gluon.model_zoo.vision.BasicBlockV2: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.model_zoo.vision.BasicBlockV2.options, stride?: any|hl.gluon.model_zoo.vision.BasicBlockV2.options, downsample?: boolean|hl.gluon.model_zoo.vision.BasicBlockV2.options, in_channels?: number|hl.gluon.model_zoo.vision.BasicBlockV2.options, prefix?: string|hl.gluon.model_zoo.vision.BasicBlockV2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.BasicBlockV2.options): hl.gluon.model_zoo.vision.BasicBlockV2
---@overload fun(options: hl.gluon.model_zoo.vision.BasicBlockV2.options): hl.gluon.model_zoo.vision.BasicBlockV2
hl.gluon.model_zoo.vision.BasicBlockV2 = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.BasicBlockV2:hybrid_forward(F, x) end

---@class hl.gluon.model_zoo.vision.BottleneckV1.options
---@field [integer] any
---@field channels? any
---@field stride? any
---@field downsample? boolean Default: false.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BottleneckV1(channels, stride, {downsample = false, in_channels = 0}): convolutions 1x1, 3x3 and 1x1, for ResNet-50
---and deeper.
---@class hl.gluon.model_zoo.vision.BottleneckV1: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.model_zoo.vision.BottleneckV1.options, stride?: any|hl.gluon.model_zoo.vision.BottleneckV1.options, downsample?: boolean|hl.gluon.model_zoo.vision.BottleneckV1.options, in_channels?: number|hl.gluon.model_zoo.vision.BottleneckV1.options, prefix?: string|hl.gluon.model_zoo.vision.BottleneckV1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.BottleneckV1.options): hl.gluon.model_zoo.vision.BottleneckV1
---@overload fun(options: hl.gluon.model_zoo.vision.BottleneckV1.options): hl.gluon.model_zoo.vision.BottleneckV1
hl.gluon.model_zoo.vision.BottleneckV1 = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.BottleneckV1:hybrid_forward(F, x) end

---@class hl.gluon.model_zoo.vision.BottleneckV2.options
---@field [integer] any
---@field channels? any
---@field stride? any
---@field downsample? boolean Default: false.
---@field in_channels? number Default: 0.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---BottleneckV2(channels, stride, {downsample = false, in_channels = 0}): convolutions 1x1, 3x3 and 1x1, for ResNet-50
---and deeper.
---@class hl.gluon.model_zoo.vision.BottleneckV2: hl.gluon.HybridBlock
---@overload fun(channels?: any|hl.gluon.model_zoo.vision.BottleneckV2.options, stride?: any|hl.gluon.model_zoo.vision.BottleneckV2.options, downsample?: boolean|hl.gluon.model_zoo.vision.BottleneckV2.options, in_channels?: number|hl.gluon.model_zoo.vision.BottleneckV2.options, prefix?: string|hl.gluon.model_zoo.vision.BottleneckV2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.BottleneckV2.options): hl.gluon.model_zoo.vision.BottleneckV2
---@overload fun(options: hl.gluon.model_zoo.vision.BottleneckV2.options): hl.gluon.model_zoo.vision.BottleneckV2
hl.gluon.model_zoo.vision.BottleneckV2 = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.BottleneckV2:hybrid_forward(F, x) end

---@class hl.gluon.model_zoo.vision.DenseNet.options
---@field [integer] any
---@field num_init_features? any
---@field growth_rate? any
---@field block_config? any[]
---@field bn_size? number Default: 4.
---@field dropout? number Default: 0.
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---DenseNet(num_init_features, growth_rate, block_config, {bn_size = 4, dropout = 0, classes = 1000}): block i has
---block_config[i] layers, each of which adds growth_rate channels, through bn_size times as many; between two blocks
---the channels are halved. (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.DenseNet: hl.gluon.HybridBlock
---@overload fun(num_init_features?: any|hl.gluon.model_zoo.vision.DenseNet.options, growth_rate?: any|hl.gluon.model_zoo.vision.DenseNet.options, block_config?: any[]|hl.gluon.model_zoo.vision.DenseNet.options, bn_size?: number|hl.gluon.model_zoo.vision.DenseNet.options, dropout?: number|hl.gluon.model_zoo.vision.DenseNet.options, classes?: number|hl.gluon.model_zoo.vision.DenseNet.options, prefix?: string|hl.gluon.model_zoo.vision.DenseNet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.DenseNet.options): hl.gluon.model_zoo.vision.DenseNet
---@overload fun(options: hl.gluon.model_zoo.vision.DenseNet.options): hl.gluon.model_zoo.vision.DenseNet
hl.gluon.model_zoo.vision.DenseNet = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.DenseNet:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.Inception3.options
---@field [integer] any
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---Inception3{classes = 1000}: (batch, 3, 299, 299) to (batch, classes).
---@class hl.gluon.model_zoo.vision.Inception3: hl.gluon.HybridBlock
---@overload fun(classes?: number|hl.gluon.model_zoo.vision.Inception3.options, prefix?: string|hl.gluon.model_zoo.vision.Inception3.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.Inception3.options): hl.gluon.model_zoo.vision.Inception3
---@overload fun(options: hl.gluon.model_zoo.vision.Inception3.options): hl.gluon.model_zoo.vision.Inception3
hl.gluon.model_zoo.vision.Inception3 = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.Inception3:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.MobileNet.options
---@field [integer] any
---@field multiplier? number Default: 1.0.
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---MobileNet(multiplier = 1.0, {classes = 1000}): depthwise convolutions and convolutions 1x1 alternately, the number
---of channels times multiplier. (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.MobileNet: hl.gluon.HybridBlock
---@overload fun(multiplier?: number|hl.gluon.model_zoo.vision.MobileNet.options, classes?: number|hl.gluon.model_zoo.vision.MobileNet.options, prefix?: string|hl.gluon.model_zoo.vision.MobileNet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.MobileNet.options): hl.gluon.model_zoo.vision.MobileNet
---@overload fun(options: hl.gluon.model_zoo.vision.MobileNet.options): hl.gluon.model_zoo.vision.MobileNet
hl.gluon.model_zoo.vision.MobileNet = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.MobileNet:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.MobileNetV2.options
---@field [integer] any
---@field multiplier? number Default: 1.0.
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---MobileNetV2(multiplier = 1.0, {classes = 1000}): bottlenecks that are wide inside, the number of channels times
---multiplier. (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.MobileNetV2: hl.gluon.HybridBlock
---@overload fun(multiplier?: number|hl.gluon.model_zoo.vision.MobileNetV2.options, classes?: number|hl.gluon.model_zoo.vision.MobileNetV2.options, prefix?: string|hl.gluon.model_zoo.vision.MobileNetV2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.MobileNetV2.options): hl.gluon.model_zoo.vision.MobileNetV2
---@overload fun(options: hl.gluon.model_zoo.vision.MobileNetV2.options): hl.gluon.model_zoo.vision.MobileNetV2
hl.gluon.model_zoo.vision.MobileNetV2 = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.MobileNetV2:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.ResNetV1.options
---@field [integer] any
---@field block? any
---@field layers? any[]
---@field channels? any[]
---@field classes? number Default: 1000.
---@field thumbnail? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ResNetV1(block, layers, channels, {classes = 1000, thumbnail = false}): stage i has layers[i] blocks of
---channels[i+1] channels; channels[1] are those of the first convolution. thumbnail: for small images, without the
---first pool.
---@class hl.gluon.model_zoo.vision.ResNetV1: hl.gluon.HybridBlock
---@overload fun(block?: any|hl.gluon.model_zoo.vision.ResNetV1.options, layers?: any[]|hl.gluon.model_zoo.vision.ResNetV1.options, channels?: any[]|hl.gluon.model_zoo.vision.ResNetV1.options, classes?: number|hl.gluon.model_zoo.vision.ResNetV1.options, thumbnail?: boolean|hl.gluon.model_zoo.vision.ResNetV1.options, prefix?: string|hl.gluon.model_zoo.vision.ResNetV1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.ResNetV1.options): hl.gluon.model_zoo.vision.ResNetV1
---@overload fun(options: hl.gluon.model_zoo.vision.ResNetV1.options): hl.gluon.model_zoo.vision.ResNetV1
hl.gluon.model_zoo.vision.ResNetV1 = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.ResNetV1:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.ResNetV2.options
---@field [integer] any
---@field block? any
---@field layers? any[]
---@field channels? any[]
---@field classes? number Default: 1000.
---@field thumbnail? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---ResNetV2(block, layers, channels, {classes = 1000, thumbnail = false}): as ResNetV1, of blocks of version 2.
---@class hl.gluon.model_zoo.vision.ResNetV2: hl.gluon.HybridBlock
---@overload fun(block?: any|hl.gluon.model_zoo.vision.ResNetV2.options, layers?: any[]|hl.gluon.model_zoo.vision.ResNetV2.options, channels?: any[]|hl.gluon.model_zoo.vision.ResNetV2.options, classes?: number|hl.gluon.model_zoo.vision.ResNetV2.options, thumbnail?: boolean|hl.gluon.model_zoo.vision.ResNetV2.options, prefix?: string|hl.gluon.model_zoo.vision.ResNetV2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.ResNetV2.options): hl.gluon.model_zoo.vision.ResNetV2
---@overload fun(options: hl.gluon.model_zoo.vision.ResNetV2.options): hl.gluon.model_zoo.vision.ResNetV2
hl.gluon.model_zoo.vision.ResNetV2 = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.ResNetV2:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.SqueezeNet.options
---@field [integer] any
---@field version? any
---@field classes? number Default: 1000.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---SqueezeNet(version, {classes = 1000}): version "1.0" or "1.1". (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.SqueezeNet: hl.gluon.HybridBlock
---@overload fun(version?: any|hl.gluon.model_zoo.vision.SqueezeNet.options, classes?: number|hl.gluon.model_zoo.vision.SqueezeNet.options, prefix?: string|hl.gluon.model_zoo.vision.SqueezeNet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.SqueezeNet.options): hl.gluon.model_zoo.vision.SqueezeNet
---@overload fun(options: hl.gluon.model_zoo.vision.SqueezeNet.options): hl.gluon.model_zoo.vision.SqueezeNet
hl.gluon.model_zoo.vision.SqueezeNet = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.SqueezeNet:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.VGG.options
---@field [integer] any
---@field layers? any[]
---@field filters? any[]
---@field classes? number Default: 1000.
---@field batch_norm? boolean Default: false.
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---VGG(layers, filters, {classes = 1000, batch_norm = false}): in stage i, layers[i] convolutions of filters[i]
---filters each, then a pool; at the end three Dense layers. (batch, 3, 224, 224) to (batch, classes).
---@class hl.gluon.model_zoo.vision.VGG: hl.gluon.HybridBlock
---@overload fun(layers?: any[]|hl.gluon.model_zoo.vision.VGG.options, filters?: any[]|hl.gluon.model_zoo.vision.VGG.options, classes?: number|hl.gluon.model_zoo.vision.VGG.options, batch_norm?: boolean|hl.gluon.model_zoo.vision.VGG.options, prefix?: string|hl.gluon.model_zoo.vision.VGG.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.VGG.options): hl.gluon.model_zoo.vision.VGG
---@overload fun(options: hl.gluon.model_zoo.vision.VGG.options): hl.gluon.model_zoo.vision.VGG
hl.gluon.model_zoo.vision.VGG = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.model_zoo.vision.VGG:hybrid_forward(_, x) end

---@class hl.gluon.model_zoo.vision.alexnet.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.alexnet.options, ctx?: any|hl.gluon.model_zoo.vision.alexnet.options, root?: string|hl.gluon.model_zoo.vision.alexnet.options, classes?: any|hl.gluon.model_zoo.vision.alexnet.options, prefix?: string|hl.gluon.model_zoo.vision.alexnet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.alexnet.options): any
---@return any
function hl.gluon.model_zoo.vision.alexnet(...) end

---@class hl.gluon.model_zoo.vision.densenet121.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field bn_size? any
---@field dropout? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.densenet121.options, ctx?: any|hl.gluon.model_zoo.vision.densenet121.options, root?: string|hl.gluon.model_zoo.vision.densenet121.options, classes?: any|hl.gluon.model_zoo.vision.densenet121.options, bn_size?: any|hl.gluon.model_zoo.vision.densenet121.options, dropout?: any|hl.gluon.model_zoo.vision.densenet121.options, prefix?: string|hl.gluon.model_zoo.vision.densenet121.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.densenet121.options): any
---@return any
function hl.gluon.model_zoo.vision.densenet121(...) end

---@class hl.gluon.model_zoo.vision.densenet161.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field bn_size? any
---@field dropout? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.densenet161.options, ctx?: any|hl.gluon.model_zoo.vision.densenet161.options, root?: string|hl.gluon.model_zoo.vision.densenet161.options, classes?: any|hl.gluon.model_zoo.vision.densenet161.options, bn_size?: any|hl.gluon.model_zoo.vision.densenet161.options, dropout?: any|hl.gluon.model_zoo.vision.densenet161.options, prefix?: string|hl.gluon.model_zoo.vision.densenet161.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.densenet161.options): any
---@return any
function hl.gluon.model_zoo.vision.densenet161(...) end

---@class hl.gluon.model_zoo.vision.densenet169.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field bn_size? any
---@field dropout? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.densenet169.options, ctx?: any|hl.gluon.model_zoo.vision.densenet169.options, root?: string|hl.gluon.model_zoo.vision.densenet169.options, classes?: any|hl.gluon.model_zoo.vision.densenet169.options, bn_size?: any|hl.gluon.model_zoo.vision.densenet169.options, dropout?: any|hl.gluon.model_zoo.vision.densenet169.options, prefix?: string|hl.gluon.model_zoo.vision.densenet169.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.densenet169.options): any
---@return any
function hl.gluon.model_zoo.vision.densenet169(...) end

---@class hl.gluon.model_zoo.vision.densenet201.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field bn_size? any
---@field dropout? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.densenet201.options, ctx?: any|hl.gluon.model_zoo.vision.densenet201.options, root?: string|hl.gluon.model_zoo.vision.densenet201.options, classes?: any|hl.gluon.model_zoo.vision.densenet201.options, bn_size?: any|hl.gluon.model_zoo.vision.densenet201.options, dropout?: any|hl.gluon.model_zoo.vision.densenet201.options, prefix?: string|hl.gluon.model_zoo.vision.densenet201.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.densenet201.options): any
---@return any
function hl.gluon.model_zoo.vision.densenet201(...) end

---@class hl.gluon.model_zoo.vision.get_mobilenet.options
---@field [integer] any
---@field multiplier? any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(multiplier?: any|hl.gluon.model_zoo.vision.get_mobilenet.options, pretrained?: boolean|hl.gluon.model_zoo.vision.get_mobilenet.options, ctx?: any|hl.gluon.model_zoo.vision.get_mobilenet.options, root?: string|hl.gluon.model_zoo.vision.get_mobilenet.options, classes?: any|hl.gluon.model_zoo.vision.get_mobilenet.options, prefix?: string|hl.gluon.model_zoo.vision.get_mobilenet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.get_mobilenet.options): any
---@return any
function hl.gluon.model_zoo.vision.get_mobilenet(...) end

---@class hl.gluon.model_zoo.vision.get_mobilenet_v2.options
---@field [integer] any
---@field multiplier? any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(multiplier?: any|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, pretrained?: boolean|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, ctx?: any|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, root?: string|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, classes?: any|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, prefix?: string|hl.gluon.model_zoo.vision.get_mobilenet_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.get_mobilenet_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.get_mobilenet_v2(...) end

---get_model(name, {pretrained = false, ctx =, root =, classes = 1000, ...}): a network by its model's name, such as
---"resnet18_v1" or "mobilenet1.0", with the options of the function that makes it. pretrained: with the parameters
---that model_store.get_model_file finds. Errors: a name that is not known.
---@return any
function hl.gluon.model_zoo.vision.get_model(...) end

---@class hl.gluon.model_zoo.vision.get_resnet.options
---@field [integer] any
---@field version? any
---@field num_layers? any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(version?: any|hl.gluon.model_zoo.vision.get_resnet.options, num_layers?: any|hl.gluon.model_zoo.vision.get_resnet.options, pretrained?: boolean|hl.gluon.model_zoo.vision.get_resnet.options, ctx?: any|hl.gluon.model_zoo.vision.get_resnet.options, root?: string|hl.gluon.model_zoo.vision.get_resnet.options, classes?: any|hl.gluon.model_zoo.vision.get_resnet.options, thumbnail?: any|hl.gluon.model_zoo.vision.get_resnet.options, prefix?: string|hl.gluon.model_zoo.vision.get_resnet.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.get_resnet.options): any
---@return any
function hl.gluon.model_zoo.vision.get_resnet(...) end

---@class hl.gluon.model_zoo.vision.get_vgg.options
---@field [integer] any
---@field num_layers? any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field batch_norm? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(num_layers?: any|hl.gluon.model_zoo.vision.get_vgg.options, pretrained?: boolean|hl.gluon.model_zoo.vision.get_vgg.options, ctx?: any|hl.gluon.model_zoo.vision.get_vgg.options, root?: string|hl.gluon.model_zoo.vision.get_vgg.options, classes?: any|hl.gluon.model_zoo.vision.get_vgg.options, batch_norm?: any|hl.gluon.model_zoo.vision.get_vgg.options, prefix?: string|hl.gluon.model_zoo.vision.get_vgg.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.get_vgg.options): any
---@return any
function hl.gluon.model_zoo.vision.get_vgg(...) end

---@class hl.gluon.model_zoo.vision.inception_v3.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.inception_v3.options, ctx?: any|hl.gluon.model_zoo.vision.inception_v3.options, root?: string|hl.gluon.model_zoo.vision.inception_v3.options, classes?: any|hl.gluon.model_zoo.vision.inception_v3.options, prefix?: string|hl.gluon.model_zoo.vision.inception_v3.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.inception_v3.options): any
---@return any
function hl.gluon.model_zoo.vision.inception_v3(...) end

---@class hl.gluon.model_zoo.vision.mobilenet0_25.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet0_25.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet0_25.options, root?: string|hl.gluon.model_zoo.vision.mobilenet0_25.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet0_25.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet0_25.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet0_25.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet0_25(...) end

---@class hl.gluon.model_zoo.vision.mobilenet0_5.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet0_5.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet0_5.options, root?: string|hl.gluon.model_zoo.vision.mobilenet0_5.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet0_5.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet0_5.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet0_5.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet0_5(...) end

---@class hl.gluon.model_zoo.vision.mobilenet0_75.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet0_75.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet0_75.options, root?: string|hl.gluon.model_zoo.vision.mobilenet0_75.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet0_75.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet0_75.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet0_75.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet0_75(...) end

---@class hl.gluon.model_zoo.vision.mobilenet1_0.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet1_0.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet1_0.options, root?: string|hl.gluon.model_zoo.vision.mobilenet1_0.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet1_0.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet1_0.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet1_0.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet1_0(...) end

---@class hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options, root?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet_v2_0_25.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet_v2_0_25(...) end

---@class hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options, root?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet_v2_0_5.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet_v2_0_5(...) end

---@class hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options, root?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet_v2_0_75.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet_v2_0_75(...) end

---@class hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options, ctx?: any|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options, root?: string|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options, classes?: any|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options, prefix?: string|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.mobilenet_v2_1_0.options): any
---@return any
function hl.gluon.model_zoo.vision.mobilenet_v2_1_0(...) end

---@class hl.gluon.model_zoo.vision.resnet101_v1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet101_v1.options, ctx?: any|hl.gluon.model_zoo.vision.resnet101_v1.options, root?: string|hl.gluon.model_zoo.vision.resnet101_v1.options, classes?: any|hl.gluon.model_zoo.vision.resnet101_v1.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet101_v1.options, prefix?: string|hl.gluon.model_zoo.vision.resnet101_v1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet101_v1.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet101_v1(...) end

---@class hl.gluon.model_zoo.vision.resnet101_v2.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet101_v2.options, ctx?: any|hl.gluon.model_zoo.vision.resnet101_v2.options, root?: string|hl.gluon.model_zoo.vision.resnet101_v2.options, classes?: any|hl.gluon.model_zoo.vision.resnet101_v2.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet101_v2.options, prefix?: string|hl.gluon.model_zoo.vision.resnet101_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet101_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet101_v2(...) end

---@class hl.gluon.model_zoo.vision.resnet152_v1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet152_v1.options, ctx?: any|hl.gluon.model_zoo.vision.resnet152_v1.options, root?: string|hl.gluon.model_zoo.vision.resnet152_v1.options, classes?: any|hl.gluon.model_zoo.vision.resnet152_v1.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet152_v1.options, prefix?: string|hl.gluon.model_zoo.vision.resnet152_v1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet152_v1.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet152_v1(...) end

---@class hl.gluon.model_zoo.vision.resnet152_v2.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet152_v2.options, ctx?: any|hl.gluon.model_zoo.vision.resnet152_v2.options, root?: string|hl.gluon.model_zoo.vision.resnet152_v2.options, classes?: any|hl.gluon.model_zoo.vision.resnet152_v2.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet152_v2.options, prefix?: string|hl.gluon.model_zoo.vision.resnet152_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet152_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet152_v2(...) end

---@class hl.gluon.model_zoo.vision.resnet18_v1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet18_v1.options, ctx?: any|hl.gluon.model_zoo.vision.resnet18_v1.options, root?: string|hl.gluon.model_zoo.vision.resnet18_v1.options, classes?: any|hl.gluon.model_zoo.vision.resnet18_v1.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet18_v1.options, prefix?: string|hl.gluon.model_zoo.vision.resnet18_v1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet18_v1.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet18_v1(...) end

---@class hl.gluon.model_zoo.vision.resnet18_v2.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet18_v2.options, ctx?: any|hl.gluon.model_zoo.vision.resnet18_v2.options, root?: string|hl.gluon.model_zoo.vision.resnet18_v2.options, classes?: any|hl.gluon.model_zoo.vision.resnet18_v2.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet18_v2.options, prefix?: string|hl.gluon.model_zoo.vision.resnet18_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet18_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet18_v2(...) end

---@class hl.gluon.model_zoo.vision.resnet34_v1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet34_v1.options, ctx?: any|hl.gluon.model_zoo.vision.resnet34_v1.options, root?: string|hl.gluon.model_zoo.vision.resnet34_v1.options, classes?: any|hl.gluon.model_zoo.vision.resnet34_v1.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet34_v1.options, prefix?: string|hl.gluon.model_zoo.vision.resnet34_v1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet34_v1.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet34_v1(...) end

---@class hl.gluon.model_zoo.vision.resnet34_v2.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet34_v2.options, ctx?: any|hl.gluon.model_zoo.vision.resnet34_v2.options, root?: string|hl.gluon.model_zoo.vision.resnet34_v2.options, classes?: any|hl.gluon.model_zoo.vision.resnet34_v2.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet34_v2.options, prefix?: string|hl.gluon.model_zoo.vision.resnet34_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet34_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet34_v2(...) end

---@class hl.gluon.model_zoo.vision.resnet50_v1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet50_v1.options, ctx?: any|hl.gluon.model_zoo.vision.resnet50_v1.options, root?: string|hl.gluon.model_zoo.vision.resnet50_v1.options, classes?: any|hl.gluon.model_zoo.vision.resnet50_v1.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet50_v1.options, prefix?: string|hl.gluon.model_zoo.vision.resnet50_v1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet50_v1.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet50_v1(...) end

---@class hl.gluon.model_zoo.vision.resnet50_v2.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field thumbnail? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.resnet50_v2.options, ctx?: any|hl.gluon.model_zoo.vision.resnet50_v2.options, root?: string|hl.gluon.model_zoo.vision.resnet50_v2.options, classes?: any|hl.gluon.model_zoo.vision.resnet50_v2.options, thumbnail?: any|hl.gluon.model_zoo.vision.resnet50_v2.options, prefix?: string|hl.gluon.model_zoo.vision.resnet50_v2.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.resnet50_v2.options): any
---@return any
function hl.gluon.model_zoo.vision.resnet50_v2(...) end

---@class hl.gluon.model_zoo.vision.squeezenet1_0.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.squeezenet1_0.options, ctx?: any|hl.gluon.model_zoo.vision.squeezenet1_0.options, root?: string|hl.gluon.model_zoo.vision.squeezenet1_0.options, classes?: any|hl.gluon.model_zoo.vision.squeezenet1_0.options, prefix?: string|hl.gluon.model_zoo.vision.squeezenet1_0.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.squeezenet1_0.options): any
---@return any
function hl.gluon.model_zoo.vision.squeezenet1_0(...) end

---@class hl.gluon.model_zoo.vision.squeezenet1_1.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.squeezenet1_1.options, ctx?: any|hl.gluon.model_zoo.vision.squeezenet1_1.options, root?: string|hl.gluon.model_zoo.vision.squeezenet1_1.options, classes?: any|hl.gluon.model_zoo.vision.squeezenet1_1.options, prefix?: string|hl.gluon.model_zoo.vision.squeezenet1_1.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.squeezenet1_1.options): any
---@return any
function hl.gluon.model_zoo.vision.squeezenet1_1(...) end

---@class hl.gluon.model_zoo.vision.vgg11.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field batch_norm? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg11.options, ctx?: any|hl.gluon.model_zoo.vision.vgg11.options, root?: string|hl.gluon.model_zoo.vision.vgg11.options, classes?: any|hl.gluon.model_zoo.vision.vgg11.options, batch_norm?: any|hl.gluon.model_zoo.vision.vgg11.options, prefix?: string|hl.gluon.model_zoo.vision.vgg11.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg11.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg11(...) end

---@class hl.gluon.model_zoo.vision.vgg11_bn.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg11_bn.options, ctx?: any|hl.gluon.model_zoo.vision.vgg11_bn.options, root?: string|hl.gluon.model_zoo.vision.vgg11_bn.options, classes?: any|hl.gluon.model_zoo.vision.vgg11_bn.options, prefix?: string|hl.gluon.model_zoo.vision.vgg11_bn.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg11_bn.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg11_bn(...) end

---@class hl.gluon.model_zoo.vision.vgg13.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field batch_norm? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg13.options, ctx?: any|hl.gluon.model_zoo.vision.vgg13.options, root?: string|hl.gluon.model_zoo.vision.vgg13.options, classes?: any|hl.gluon.model_zoo.vision.vgg13.options, batch_norm?: any|hl.gluon.model_zoo.vision.vgg13.options, prefix?: string|hl.gluon.model_zoo.vision.vgg13.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg13.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg13(...) end

---@class hl.gluon.model_zoo.vision.vgg13_bn.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg13_bn.options, ctx?: any|hl.gluon.model_zoo.vision.vgg13_bn.options, root?: string|hl.gluon.model_zoo.vision.vgg13_bn.options, classes?: any|hl.gluon.model_zoo.vision.vgg13_bn.options, prefix?: string|hl.gluon.model_zoo.vision.vgg13_bn.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg13_bn.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg13_bn(...) end

---@class hl.gluon.model_zoo.vision.vgg16.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field batch_norm? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg16.options, ctx?: any|hl.gluon.model_zoo.vision.vgg16.options, root?: string|hl.gluon.model_zoo.vision.vgg16.options, classes?: any|hl.gluon.model_zoo.vision.vgg16.options, batch_norm?: any|hl.gluon.model_zoo.vision.vgg16.options, prefix?: string|hl.gluon.model_zoo.vision.vgg16.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg16.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg16(...) end

---@class hl.gluon.model_zoo.vision.vgg16_bn.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg16_bn.options, ctx?: any|hl.gluon.model_zoo.vision.vgg16_bn.options, root?: string|hl.gluon.model_zoo.vision.vgg16_bn.options, classes?: any|hl.gluon.model_zoo.vision.vgg16_bn.options, prefix?: string|hl.gluon.model_zoo.vision.vgg16_bn.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg16_bn.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg16_bn(...) end

---@class hl.gluon.model_zoo.vision.vgg19.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field batch_norm? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg19.options, ctx?: any|hl.gluon.model_zoo.vision.vgg19.options, root?: string|hl.gluon.model_zoo.vision.vgg19.options, classes?: any|hl.gluon.model_zoo.vision.vgg19.options, batch_norm?: any|hl.gluon.model_zoo.vision.vgg19.options, prefix?: string|hl.gluon.model_zoo.vision.vgg19.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg19.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg19(...) end

---@class hl.gluon.model_zoo.vision.vgg19_bn.options
---@field [integer] any
---@field pretrained? boolean Default: false.
---@field ctx? any
---@field root? string
---@field classes? any
---@field prefix? string
---@field params? hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>

---A network of the zoo. classes: the size of its output, 1000 if not given. pretrained: with the parameters in the
---file that model_store.get_model_file finds in the folder `root`, put into the contexts `ctx`.
---@overload fun(pretrained?: boolean|hl.gluon.model_zoo.vision.vgg19_bn.options, ctx?: any|hl.gluon.model_zoo.vision.vgg19_bn.options, root?: string|hl.gluon.model_zoo.vision.vgg19_bn.options, classes?: any|hl.gluon.model_zoo.vision.vgg19_bn.options, prefix?: string|hl.gluon.model_zoo.vision.vgg19_bn.options, params?: hl.gluon.ParameterDict|hl.gluon.Parameter[]|table<string, hl.gluon.Parameter>|hl.gluon.model_zoo.vision.vgg19_bn.options): any
---@return any
function hl.gluon.model_zoo.vision.vgg19_bn(...) end

---@class hl.gluon.model_zoo.model_store
hl.gluon.model_zoo.model_store = {}

---@class hl.gluon.model_zoo.model_store.get_model_file.options
---@field [integer] any
---@field name? string
---@field root? string

---get_model_file(name, {root = "~/.mxnet/models"}): the path of the file with a trained model's parameters, such as
---~/.mxnet/models/resnet18_v1-a0666292.params ($MXNET_HOME/models, if that is set). Nothing is downloaded, and what the
---file holds is not compared with its hash. Errors: a file that is not there.
---@overload fun(name?: string|hl.gluon.model_zoo.model_store.get_model_file.options, root?: string|hl.gluon.model_zoo.model_store.get_model_file.options): any
---@return any
function hl.gluon.model_zoo.model_store.get_model_file(...) end

---short_hash(name): the eight digits in the name of a model's file. Errors: a model that MXNet has no file for.
---@return any
function hl.gluon.model_zoo.model_store.short_hash(...) end

---@class hl.context
hl.context = {}

---@class hl.context.Context.options
---@field [integer] any
---@field device_type? any
---@field device_id? any

---hl.Context(device_type, device_id = 0): a context by name ("cpu", "gpu", "cpu_pinned", "cpu_shared"), or that
---of another context. Fields: device_type, device_id, device_typeid (MXNet's number); method: with.
---@param device_type? any
---@param device_id? any
---@overload fun(device_type?: any|hl.context.Context.options, device_id?: any|hl.context.Context.options): any
---@return any
function hl.context.Context(device_type, device_id) end

---hl.cpu(id = 0): a context of the CPU. Arrays created without ctx are in the current context,
---cpu(0) unless a scope says otherwise: local _ <close> = hl.cpu(1):with().
---@param id? any
---@return any
function hl.context.cpu(id) end

---hl.cpu_pinned(id = 0): memory of the CPU that a GPU could copy from quickly; here like any other of the CPU.
---@param id? any
---@return any
function hl.context.cpu_pinned(id) end

---hl.cpu_shared(id = 0): memory of the CPU that processes could share; here like any other of the CPU.
---@param id? any
---@return any
function hl.context.cpu_shared(id) end

---The context of arrays that are created without ctx; in a hybridized block that of the call. It
---belongs to the coroutine, as the modes of autograd do.
---@return any
function hl.context.current_context() end

---hl.gpu(id = 0): a context of a GPU. It can be named, compared and printed; this build has no GPU, so making
---an array there is an error: "no GPU in this build". pcall(nd.zeros, {1}, {ctx = hl.gpu(0)}) tries.
---@param id? any
---@return any
function hl.context.gpu(id) end

---Free and total bytes of a GPU. Errors: there is none in this build.
---@param device_id? any
---@return any
function hl.context.gpu_memory_info(device_id) end

---The contexts of all GPUs: none in this build.
---@return any
function hl.context.list_gpus() end

---How many GPUs there are: 0 in this build.
---@return any
function hl.context.num_gpus() end

---@class hl.test_utils
hl.test_utils = {}

---@return any
function hl.test_utils.default_context() end

---The contexts of all GPUs: none in this build.
---@return any
function hl.test_utils.list_gpus() end

---@class hl.Context.options
---@field [integer] any
---@field device_type? any
---@field device_id? any

---hl.Context(device_type, device_id = 0): a context by name ("cpu", "gpu", "cpu_pinned", "cpu_shared"), or that
---of another context. Fields: device_type, device_id, device_typeid (MXNet's number); method: with.
---@param device_type? any
---@param device_id? any
---@overload fun(device_type?: any|hl.Context.options, device_id?: any|hl.Context.options): any
---@return any
function hl.Context(device_type, device_id) end

---hl.cpu(id = 0): a context of the CPU. Arrays created without ctx are in the current context,
---cpu(0) unless a scope says otherwise: local _ <close> = hl.cpu(1):with().
---@param id? any
---@return any
function hl.cpu(id) end

---hl.cpu_pinned(id = 0): memory of the CPU that a GPU could copy from quickly; here like any other of the CPU.
---@param id? any
---@return any
function hl.cpu_pinned(id) end

---hl.cpu_shared(id = 0): memory of the CPU that processes could share; here like any other of the CPU.
---@param id? any
---@return any
function hl.cpu_shared(id) end

---The context of arrays that are created without ctx; in a hybridized block that of the call. It
---belongs to the coroutine, as the modes of autograd do.
---@return any
function hl.current_context() end

---hl.gpu(id = 0): a context of a GPU. It can be named, compared and printed; this build has no GPU, so making
---an array there is an error: "no GPU in this build". pcall(nd.zeros, {1}, {ctx = hl.gpu(0)}) tries.
---@param id? any
---@return any
function hl.gpu(id) end

---Free and total bytes of a GPU. Errors: there is none in this build.
---@param device_id? any
---@return any
function hl.gpu_memory_info(device_id) end

---The contexts of all GPUs: none in this build.
---@return any
function hl.list_gpus() end

---How many GPUs there are: 0 in this build.
---@return any
function hl.num_gpus() end

---Loads a Symbol or arrays, whichever the file holds. Errors: another kind of file.
---@param file? any
---@return any
function hl.load(file) end

---@class hl.save.options
---@field [integer] any
---@field file? string
---@field data? any

---Saves a Symbol, or whatever nd.save does.
---@param file? any
---@param data? any
---@overload fun(file?: string|hl.save.options, data?: any|hl.save.options): any
---@return any
function hl.save(file, data) end

---The memory of arrays in bytes: a table with live, peak, idle, pooled, budget, and held: what is kept, and why.
---@return table
function hl.memory() end

---Seconds of a clock that only goes forward.
---@return number
function hl.time() end

---@class hl.compile.options
---@field [integer] any
---@field fn? any
---@field active? any
---@field static_alloc? any
---@field static_shape? any
---@field inline_limit? any
---@field forward_bulk_size? any
---@field backward_bulk_size? any
---@field clear? any
---@field check? any
---@field frozen? any
---@field max_traces? any
---@field max_plans? any
---@field full? any
---@field effects? any
---@field breaks? any
---@field remat? any
---@field scalars? any

---hl.compile(fn, {frozen=, max_traces=, max_plans=}): fn(F, ...) takes arrays (and numbers, nested tables)
---and returns arrays; the result is called without F: f(a, b). f:explain() describes the compiled function.
---fn may be a whole training step: its backward and Trainer.step run after the compiled function, so after them only
---values computed before may be used. {breaks = true}: a function that reads values runs at every call, and only the
---hybridized blocks that it calls are compiled. {scalars = {"s"}}: numbers among fn's arguments and upvalues that no
---trace depends on.
---@overload fun(fn?: any|hl.compile.options, active?: any|hl.compile.options, static_alloc?: any|hl.compile.options, static_shape?: any|hl.compile.options, inline_limit?: any|hl.compile.options, forward_bulk_size?: any|hl.compile.options, backward_bulk_size?: any|hl.compile.options, clear?: any|hl.compile.options, check?: any|hl.compile.options, frozen?: any|hl.compile.options, max_traces?: any|hl.compile.options, max_plans?: any|hl.compile.options, full?: any|hl.compile.options, effects?: any|hl.compile.options, breaks?: any|hl.compile.options, remat?: any|hl.compile.options, scalars?: any|hl.compile.options): any
---@return any
function hl.compile(...) end

---@class hl.options.options
---@field [integer] any
---@field about? any
---@field words? any

---hl.options{name = default, name = {default, "what it is"}, ...}: what the script's command line says, by name.
---`--name value` and `--name=value`; a - in a name stands for _. An integer, a number (0.1, 1.0) or a string as default
---says what is read; false makes a flag `--name`, true one `--no-name`. In braces also: choices = {"a", "b"};
---least = 1 or above = 0 for numbers; type = "integer" and the like for an option without a default, which is nil if it
---is not given; word, what stands for the value in the help. `--help` prints all this. Unknown options, and values that
---are not as expected, end the script with exit status 2 (in a module they are errors).
---settings: {about = a line for the help, words = in place of arg}. Returns the table, and a function
---refuse(format, ...) that ends the script in the same way.
---@param spec? any
---@param settings? any
---@overload fun(about?: any|hl.options.options, words?: any|hl.options.options): any
---@return any
function hl.options(spec, settings) end

---The name of what `x` is: "NDArray", "Symbol", "Context"; the name of its class for a block, a Parameter, a
---Trainer and the like ("Dense"); "module" for nd and other modules; "class" for a class; else Lua's type(x).
---@param x? any
---@return any
function hl.type(x) end

---isinstance(x, class): is `x` an instance of a class (nn.Dense, gluon.Block, nd.NDArray ...), or of one made from it?
---Also of one of Lua's types ("number", "integer", "table"), or of any in a list.
---@param x? any
---@param what? any
---@return any
function hl.isinstance(x, what) end

---hl.has(name): is there such a name? From hl on, with dots between: hl.has "nd.tanh", hl.has "gluon.nn.Dense".
---Reading a name that hl, nd, sym, gluon or another module does not have is an error.
---@param name? any
---@return any
function hl.has(name) end

---hl.AttrScope({ctx_group = "dev1", __mine__ = "1"}, function() ... end), or local _ <close> = hl.AttrScope{...}:
---every Symbol made meanwhile has these attributes and its own. Scopes in scopes add theirs. It is the coroutine's
---that opened it, and of those that that resumes.
---@param attributes? any
---@param fn? any
---@return any
function hl.AttrScope(attributes, fn) end

---@class hl.grad.options
---@field [integer] any
---@field f? any
---@field argnums? number Default: 0.
---@field train_mode? any

---hl.grad(f, {argnums = 0, train_mode =}): a function of f's arguments that gives the gradient of f's first
---result, an array of one element, with respect to the argument at argnums, counted from 0: an array, or a table
---nested as the argument is; a list of them where argnums is a list. f's further results follow. A number
---counts as a 0-d array, with the context and float dtype of the arrays it comes with. train_mode: f runs in
---training mode, or not; as it is at the call where left out.
---Errors: f gives no array or one of several elements; arguments of an integer dtype.
---@overload fun(f?: any|hl.grad.options, argnums?: number|hl.grad.options, train_mode?: any|hl.grad.options): any
---@return any
function hl.grad(...) end

---@class hl.value_and_grad.options
---@field [integer] any
---@field f? any
---@field argnums? number Default: 0.
---@field train_mode? any

---hl.value_and_grad(f, {argnums = 0, train_mode =}): as hl.grad, but gives f's first result, then its gradient,
---then f's further results.
---@overload fun(f?: any|hl.value_and_grad.options, argnums?: number|hl.value_and_grad.options, train_mode?: any|hl.value_and_grad.options): any
---@return any
function hl.value_and_grad(...) end

---@class hl.vjp.options
---@field [integer] any
---@field f? any
---@field argnums? any
---@field train_mode? any

---hl.vjp(f, {argnums =, train_mode =}): a function of f's arguments that gives f's first result and a function
---that pulls back: from an array (or a nest of arrays) like that result, the vector, to its product with the
---Jacobian, one value for each argument that holds arrays (or for those in argnums). It may be called again and
---again. hl.vjp(f, x, ...), with arrays, calls it at once.
---@param f? any
---@overload fun(f?: any|hl.vjp.options, argnums?: any|hl.vjp.options, train_mode?: any|hl.vjp.options): any
---@return any
function hl.vjp(f, ...) end

---@class hl.jacobian.options
---@field [integer] any
---@field f? any
---@field argnums? number Default: 0.
---@field train_mode? any

---hl.jacobian(f, {argnums = 0, train_mode =}): a function of f's arguments that gives the derivatives of each
---element of f's result with respect to each element of the argument at argnums: shape (result's, argument's). A
---nest of such where result or argument are nests (the result's outside). One pull-back for each element of
---the result. f's further results follow.
---@overload fun(f?: any|hl.jacobian.options, argnums?: number|hl.jacobian.options, train_mode?: any|hl.jacobian.options): any
---@return any
function hl.jacobian(...) end

---@class hl.hessian.options
---@field [integer] any
---@field f? any
---@field argnums? number Default: 0.
---@field train_mode? any

---hl.hessian(f, {argnums = 0, train_mode =}): the second derivatives of f's first result, an array of one element:
---shape (argument's, argument's); for nests a nest of nests. It is hl.jacobian of hl.grad.
---@overload fun(f?: any|hl.hessian.options, argnums?: number|hl.hessian.options, train_mode?: any|hl.hessian.options): any
---@return any
function hl.hessian(...) end

---@class hl.ContextValue
---@field device_type 'cpu'|'gpu'|'cpu_pinned'|'cpu_shared'
---@field device_id integer
---@field device_typeid integer MXNet's number of the type.
local ContextValue = {}

---Frees memory kept for reuse on a GPU; this build has no GPU.
---@return any
function ContextValue:empty_cache() end

---Makes it the current context for a function, ctx:with(function() ... end), which gives what the function
---gives, or for a scope: local _ <close> = ctx:with().
---@param fn? any
---@return any
function ContextValue:with(fn) end

---@class hl.progress.options
---@field [integer] any
---@field loop? any[]
---@field total? integer
---@field desc? any
---@field unit? any
---@field every? any
---@field leave? any
---@field disable? any
---@field file? string
---@field columns? integer|boolean

---@class hl.progress
---@overload fun(loop?: any[]|hl.progress.options, total?: integer|hl.progress.options, desc?: any|hl.progress.options, unit?: any|hl.progress.options, every?: any|hl.progress.options, leave?: any|hl.progress.options, disable?: any|hl.progress.options, file?: string|hl.progress.options, columns?: integer|boolean|hl.progress.options): hl.progress
---@overload fun(options: hl.progress.options): hl.progress
hl.progress = {}

---Ends the line, or takes it away. The loop's end does it, and a break out of `for x in hl.progress(loop)`; where the
---bar has a name, <close> does it then.
---@return any
function hl.progress:close() end

---Shows values behind the bar: bar:postfix{loss = 0.25}, or a string.
---@param values? any
---@return any
function hl.progress:postfix(values) end

---@param name? any
---@return any
function hl.progress:subclass(name, ...) end

---@class hl.random: hl.nd.random
hl.random = {}

---Restarts the stream of random numbers of this thread. n is an integer.
---@param n? any
function hl.random.seed(n) end

hl.init = hl.initializer

return hl
