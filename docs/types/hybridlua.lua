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
function hl.autograd.Function:subclass(name) end

---Leaves gradients in the arrays that the heads depend on.
---heads: an NDArray or a table; head_grads: one for each head, ones where nil.
---Options: retain_graph (keep the tape), create_graph (record the gradients), train_mode.
---@param heads? any
---@param head_grads? any
---@param options? any
---@return any
function hl.autograd.backward(heads, head_grads, options) end

---The gradients of heads with respect to variables, as new arrays; nothing is stored.
---A single variable gives a single array, a table a table. In compiled code too.
---@param heads? any
---@param variables? any
---@param options? any
---@return any
function hl.autograd.grad(heads, variables, options, ...) end

---@return any
function hl.autograd.is_recording() end

---@return any
function hl.autograd.is_training() end

---Makes variables leaves whose gradients go into the given arrays.
---@param variables? any
---@param gradients? any
---@param grad_reqs? any
---@return any
function hl.autograd.mark_variables(variables, gradients, grad_reqs) end

---Stops recording, in predict mode unless {train_mode = true}.
---@param fn? any
---@param options? any
---@return any
function hl.autograd.pause(fn, options) end

---Predict mode, recording or not as before.
---@param fn? any
---@return any
function hl.autograd.predict_mode(fn) end

---Records operators for backward, in training mode unless {train_mode = false}.
---@param fn? any
---@param options? any
---@return any
function hl.autograd.record(fn, options) end

---Sets the mode until the scope that it is called in ends, outside of any for good; returns what it was.
---@param on? any
---@return any
function hl.autograd.set_recording(on) end

---@param on? any
---@return any
function hl.autograd.set_training(on) end

---Training mode, recording or not as before.
---@param fn? any
---@return any
function hl.autograd.train_mode(fn) end

---@class hl.lr_scheduler
hl.lr_scheduler = {}

---CosineScheduler(max_update, base_lr = 0.01, final_lr = 0, ...): half a wave.
---@class hl.lr_scheduler.CosineScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(...: any): hl.lr_scheduler.CosineScheduler
hl.lr_scheduler.CosineScheduler = {}

---@param done? any
---@return any
function hl.lr_scheduler.CosineScheduler:shape(done) end

---FactorScheduler(step, factor = 1, stop_factor_lr = 1e-8, base_lr = 0.01, ...): times factor
---every `step` updates, but never below stop_factor_lr.
---@class hl.lr_scheduler.FactorScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(...: any): hl.lr_scheduler.FactorScheduler
hl.lr_scheduler.FactorScheduler = {}

---@param num_update? any
---@return any
function hl.lr_scheduler.FactorScheduler:rate(num_update) end

---LRScheduler(base_lr = 0.01, warmup_steps = 0, warmup_begin_lr = 0, warmup_mode = "linear").
---A schedule of your own: LRScheduler:subclass "Mine" with rate(num_update).
---@class hl.lr_scheduler.LRScheduler
---@overload fun(...: any): hl.lr_scheduler.LRScheduler
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
function hl.lr_scheduler.LRScheduler:subclass(name) end

---MultiFactorScheduler(step, factor = 1, base_lr = 0.01, ...): times factor after each of the
---numbers of updates in the list `step`.
---@class hl.lr_scheduler.MultiFactorScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(...: any): hl.lr_scheduler.MultiFactorScheduler
hl.lr_scheduler.MultiFactorScheduler = {}

---@param num_update? any
---@return any
function hl.lr_scheduler.MultiFactorScheduler:rate(num_update) end

---PolyScheduler(max_update, base_lr = 0.01, pwr = 2, final_lr = 0, ...): a power of what is left of the way.
---@class hl.lr_scheduler.PolyScheduler: hl.lr_scheduler.LRScheduler
---@overload fun(...: any): hl.lr_scheduler.PolyScheduler
hl.lr_scheduler.PolyScheduler = {}

---@param done? any
---@return any
function hl.lr_scheduler.PolyScheduler:shape(done) end

---ReduceLROnPlateau(trainer, {mode = "min", factor = 0.1, patience = 10, threshold = 1e-4, threshold_mode = "rel",
---cooldown = 0, min_lr = 0, eps = 1e-8, verbose = false}): plateau:step(loss), called once an epoch, multiplies the
---learning rate of a Trainer (or Optimizer) by factor when the loss has not improved for more than `patience` calls.
---Better is less ("min") or more ("max") than the best by the part `threshold` of it ("rel"), or by threshold ("abs").
---After a reduction `cooldown` calls count no bad ones. The rate does not fall below min_lr, and a change of less
---than eps is not made. As PyTorch's class of this name.
---@class hl.lr_scheduler.ReduceLROnPlateau
---@overload fun(...: any): hl.lr_scheduler.ReduceLROnPlateau
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
function hl.lr_scheduler.ReduceLROnPlateau:subclass(name) end

---@class hl.metric
hl.metric = {}

---Accuracy(axis = 1, name): the fraction of samples whose best prediction along `axis` is the label.
---@class hl.metric.Accuracy: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.Accuracy
hl.metric.Accuracy = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.Accuracy:update_pair(label, pred) end

---CompositeEvalMetric(metrics, name): several metrics of the same batches; get() gives two lists.
---@class hl.metric.CompositeEvalMetric: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.CompositeEvalMetric
hl.metric.CompositeEvalMetric = {}

---Adds one more metric.
---@param item? any
---@return any
function hl.metric.CompositeEvalMetric:add(item) end

---@return any
function hl.metric.CompositeEvalMetric:get() end

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

---@param labels? any
---@param preds? any
---@return any
function hl.metric.CompositeEvalMetric:update(labels, preds) end

---ConfusionMatrix(num_classes, {axis = 1, normalize = nil, name}): how often samples of each class (row) were predicted
---as each (column). num_classes may be left out: the matrix grows with the classes met, or with the predictions' scores.
---get() gives the matrix as an NDArray, int64; with normalize = "true" its rows' parts (float64), "pred" its columns',
---"all" the whole's. matrix() gives the counts, accuracy() the part of the diagonal, recall() and precision() lists of
---a number for each class from 0 (nan for a class that was not there). Errors: classes out of range.
---@class hl.metric.ConfusionMatrix: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.ConfusionMatrix
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

---CrossEntropy(eps = 1e-12, name): predictions are probabilities (N, classes).
---@class hl.metric.CrossEntropy: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.CrossEntropy
hl.metric.CrossEntropy = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.CrossEntropy:update_pair(label, pred) end

---CustomMetric(feval, name, allow_extra_outputs): feval(label, pred) gives a batch's value, or a
---sum and a count.
---@class hl.metric.CustomMetric: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.CustomMetric
hl.metric.CustomMetric = {}

---@return any
function hl.metric.CustomMetric:check() end

---@param labels? any
---@param preds? any
---@return any
function hl.metric.CustomMetric:update(labels, preds) end

---EvalMetric(name): the base. A metric of your own: EvalMetric:subclass "Mine" with
---update_pair(label, pred), which calls self:add(sum, count).
---@class hl.metric.EvalMetric
---@overload fun(name?: any): hl.metric.EvalMetric
hl.metric.EvalMetric = {}

---Adds `count` samples whose values sum up to `sum`.
---@param sum? any
---@param count? any
---@return any
function hl.metric.EvalMetric:add(sum, count) end

---Name and value, since the last reset or reset_local.
---@return any
function hl.metric.EvalMetric:get() end

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
function hl.metric.EvalMetric:subclass(name) end

---Takes a batch: labels and predictions, arrays or lists of as many arrays.
---@param labels? any
---@param preds? any
---@return any
function hl.metric.EvalMetric:update(labels, preds) end

---One array of labels and one of predictions; override it.
---@return any
function hl.metric.EvalMetric:update_pair() end

---The value of a sum over so many samples; override it where it is not the mean.
---@param sum? any
---@param count? any
---@return any
function hl.metric.EvalMetric:value(sum, count) end

---F1(name, average = "macro"): the harmonic mean of precision and recall of class 1.
---@class hl.metric.F1: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.F1
hl.metric.F1 = {}

---@return any
function hl.metric.F1:reset() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.F1:update_pair(label, pred) end

---@param total? any
---@param count? any
---@return any
function hl.metric.F1:value(total, count) end

---Loss(name): the mean of the predictions themselves, which are losses.
---@class hl.metric.Loss: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.Loss
hl.metric.Loss = {}

---@param _? any
---@param preds? any
---@return any
function hl.metric.Loss:update(_, preds) end

---MAE(name), MSE(name), RMSE(name): the mean absolute and squared difference, and its root.
---@class hl.metric.MAE: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.MAE
hl.metric.MAE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.MAE:update_pair(label, pred) end

---MCC(name, average = "macro"): Matthews' correlation coefficient.
---@class hl.metric.MCC: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.MCC
hl.metric.MCC = {}

---@return any
function hl.metric.MCC:reset() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.MCC:update_pair(label, pred) end

---@param total? any
---@param count? any
---@return any
function hl.metric.MCC:value(total, count) end

---@class hl.metric.MSE: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.MSE
hl.metric.MSE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.MSE:update_pair(label, pred) end

---NegativeLogLikelihood(eps = 1e-12, name): the same by another name.
---@class hl.metric.NegativeLogLikelihood: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.NegativeLogLikelihood
hl.metric.NegativeLogLikelihood = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.NegativeLogLikelihood:update_pair(label, pred) end

---PearsonCorrelation(name, average = "macro"): the mean of the batches' correlations, or with
---"micro" that of all samples.
---@class hl.metric.PearsonCorrelation: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.PearsonCorrelation
hl.metric.PearsonCorrelation = {}

---@return any
function hl.metric.PearsonCorrelation:reset() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.PearsonCorrelation:update_pair(label, pred) end

---@param total? any
---@param count? any
---@return any
function hl.metric.PearsonCorrelation:value(total, count) end

---Perplexity(ignore_label = nil, axis = -1, name): e to the mean of -log(probability of the label).
---@class hl.metric.Perplexity: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.Perplexity
hl.metric.Perplexity = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.Perplexity:update_pair(label, pred) end

---@param total? any
---@param count? any
---@return any
function hl.metric.Perplexity:value(total, count) end

---@class hl.metric.RMSE: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.RMSE
hl.metric.RMSE = {}

---@param label? any
---@param pred? any
---@return any
function hl.metric.RMSE:update_pair(label, pred) end

---TopKAccuracy(top_k, name): the fraction of samples whose label is among the top_k best predictions.
---@class hl.metric.TopKAccuracy: hl.metric.EvalMetric
---@overload fun(...: any): hl.metric.TopKAccuracy
hl.metric.TopKAccuracy = {}

---@return any
function hl.metric.TopKAccuracy:check() end

---@param label? any
---@param pred? any
---@return any
function hl.metric.TopKAccuracy:update_pair(label, pred) end

---A metric from its name ("acc"), a function feval(label, pred), a list of these, or itself.
---options: its arguments. Errors: a name that is not registered.
---@param x? any
---@param options? any
---@return any
function hl.metric.create(x, options) end

---Lets create() find a class by its lower-case name and by further ones.
---@param cls? any
---@return any
function hl.metric.register(cls, ...) end

---@class hl.initializer
hl.initializer = {}

---Bilinear(): the weights (.., .., height, width) of an upsampling deconvolution.
---@class hl.initializer.Bilinear: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Bilinear
hl.initializer.Bilinear = {}

---Constant(value): a number, or an array of the parameter's shape.
---@class hl.initializer.Constant: hl.initializer.Initializer
---@overload fun(value?: any): hl.initializer.Constant
hl.initializer.Constant = {}

---A name with the attributes of its variable; __init__ among them overrules the initializer.
---@param name? any
---@param attrs? any
---@return any
function hl.initializer.InitDesc(name, attrs) end

---@class hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Initializer
hl.initializer.Initializer = {}

---Fills `array` for the parameter `name` (or an InitDesc). forced: as a weight, whatever the name is.
---@param name? any
---@param array? any
---@param forced? any
---@return any
function hl.initializer.Initializer:apply(name, array, forced) end

---MXNet's text: ["xavier", {"rnd_type": "uniform", ...}].
---@return any
function hl.initializer.Initializer:dumps() end

---@param name? any
---@return any
function hl.initializer.Initializer:subclass(name) end

---LSTMBias(forget_bias = 1.0): zeros, and forget_bias for the forget gate, the second of four.
---@class hl.initializer.LSTMBias: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.LSTMBias
hl.initializer.LSTMBias = {}

---Load(file or table of arrays by name, default_init): values from arrays, by name.
---@class hl.initializer.Load: hl.initializer.Initializer
---@overload fun(param?: any, default_init?: any): hl.initializer.Load
hl.initializer.Load = {}

---@param name? any
---@param array? any
---@param forced? any
---@return any
function hl.initializer.Load:apply(name, array, forced) end

---MSRAPrelu(factor_type = "avg", slope = 0.25): for layers before a (leaky) ReLU. He et al.,
---"Delving deep into rectifiers", 2015.
---@class hl.initializer.MSRAPrelu: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.MSRAPrelu
hl.initializer.MSRAPrelu = {}

---Mixed(patterns, initializers): the first pattern (a regular expression that must match
---from the name's beginning) chooses the initializer.
---@class hl.initializer.Mixed: hl.initializer.Initializer
---@overload fun(patterns?: any, initializers?: any): hl.initializer.Mixed
hl.initializer.Mixed = {}

---@param name? any
---@param array? any
---@param forced? any
---@return any
function hl.initializer.Mixed:apply(name, array, forced) end

---Normal(sigma = 0.01): around 0 with this standard deviation.
---@class hl.initializer.Normal: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Normal
hl.initializer.Normal = {}

---@class hl.initializer.One: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.One
hl.initializer.One = {}

---Orthogonal(scale = 1.414, rand_type = "uniform"): orthogonal rows, or columns where there
---are more rows than columns, all as long as scale. Saxe et al., "Exact solutions to the
---nonlinear dynamics of learning in deep linear neural networks", 2013.
---@class hl.initializer.Orthogonal: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Orthogonal
hl.initializer.Orthogonal = {}

---Uniform(scale = 0.07): between -scale and scale.
---@class hl.initializer.Uniform: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Uniform
hl.initializer.Uniform = {}

---Xavier(rnd_type = "uniform", factor_type = "avg", magnitude = 3): keeps the scale of what
---flows through a layer. rnd_type: "uniform", "gaussian"; factor_type: "avg", "in", "out".
---@class hl.initializer.Xavier: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Xavier
hl.initializer.Xavier = {}

---@class hl.initializer.Zero: hl.initializer.Initializer
---@overload fun(...: any): hl.initializer.Zero
hl.initializer.Zero = {}

---The text that a variable's __init__ holds: a name as it is, else dumps().
---@param x? any
---@return any
function hl.initializer.attribute(x) end

---An initializer from an object, a name ("xavier"), a name with options
---(create("xavier", {magnitude = 2}), create{"xavier", magnitude = 2}) or what dumps() wrote;
---nil from nil. Errors: a name that is not registered.
---@param x? any
---@param options? any
---@return any
function hl.initializer.create(x, options) end

---A number as Python's repr: 1, 1.0, 1e-05, nan.
---@param x? any
---@return any
function hl.initializer.python_number(x) end

---Lets create() find a class by its lower-case name, and by a second one.
---@param cls? any
---@param alias? any
---@return any
function hl.initializer.register(cls, alias) end

---@class hl.optimizer
hl.optimizer = {}

---AdaDelta{rho = 0.9, epsilon = 1e-5}: steps in the weight's own unit; it has no learning
---rate. Zeiler, 2012.
---@class hl.optimizer.AdaDelta: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.AdaDelta
hl.optimizer.AdaDelta = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.AdaDelta:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.AdaDelta:step(call) end

---AdaGrad{eps = 1e-7}: the rate falls with the sum of squared gradients. Duchi et al., 2011.
---@class hl.optimizer.AdaGrad: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.AdaGrad
hl.optimizer.AdaGrad = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.AdaGrad:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.AdaGrad:step(call) end

---Adam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8}. Kingma and Ba, 2014. The correction of the
---bias is in the learning rate, as in the paper's section 2.
---@class hl.optimizer.Adam: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Adam
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

---AdamW{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, correct_bias = true, wd = 0.01}: Adam with the weight decay
---apart from the gradient, at the learning rate: weight = weight - lr (step of Adam + wd weight). Loshchilov and
---Hutter, 2017. The decay is PyTorch's; epsilon is Adam's here, added before the bias is corrected. (MXNet 1.9.1
---has the operator only.)
---@class hl.optimizer.AdamW: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.AdamW
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

---Adamax{beta1 = 0.9, beta2 = 0.999}: Adam by the largest gradient. Kingma and Ba, 2014, section 7.
---@class hl.optimizer.Adamax: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Adamax
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

---DCASGD{momentum = 0, lamda = 0.04}: makes up for gradients that come late. Zheng et al., 2016.
---@class hl.optimizer.DCASGD: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.DCASGD
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

---FTML{beta1 = 0.6, beta2 = 0.999, epsilon = 1e-8}: follow the moving leader. Zheng and Kwok, 2017.
---@class hl.optimizer.FTML: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.FTML
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

---Ftrl{lamda1 = 0.01, beta = 1}: follow the regularised leader. McMahan et al., "Ad click
---prediction", 2013.
---@class hl.optimizer.Ftrl: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Ftrl
hl.optimizer.Ftrl = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Ftrl:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.Ftrl:step(call) end

---LAMB{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6, lower_bound = nil, upper_bound = nil,
---bias_correction = true}: Adam with a rate for each layer by the norms of its weight and its
---step. You et al., "Large batch optimization", 2019.
---@class hl.optimizer.LAMB: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.LAMB
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

---LARS{momentum = 0, eta = 0.001, eps = 0, momentum_correction = true}: SGD with a rate for each
---layer by the norms of its weight and gradient; biases, gammas and betas take the common
---rate. You et al., 2017.
---@class hl.optimizer.LARS: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.LARS
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

---LBSGD{momentum = 0, warmup_strategy = "linear", warmup_epochs = 5, batch_scale = 1, updates_per_epoch = 32,
---begin_epoch = 0}: SGD on the mean of batch_scale gradients, its rate growing to batch_scale
---times the base's during the warmup ("linear", "power2", "sqrt"), or by norms ("lars").
---@class hl.optimizer.LBSGD: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.LBSGD
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

---NAG{momentum = 0}: Nesterov's momentum, which looks ahead.
---@class hl.optimizer.NAG: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.NAG
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

---Nadam{beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, schedule_decay = 0.004}: Adam with
---Nesterov's momentum. Dozat, 2016.
---@class hl.optimizer.Nadam: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Nadam
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

---@class hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Optimizer
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
function hl.optimizer.Optimizer:subclass(name) end

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

---RMSProp{gamma1 = 0.9, gamma2 = 0.9, epsilon = 1e-8, centered = false, clip_weights = nil}.
---Tieleman and Hinton, 2012; centered: Graves, "Generating sequences", 2013, equations 38-45.
---@class hl.optimizer.RMSProp: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.RMSProp
hl.optimizer.RMSProp = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.RMSProp:create_state(_, weight) end

---@param call? any
---@return any
function hl.optimizer.RMSProp:step(call) end

---SGD{momentum = 0, lazy_update = true (no effect: nothing is sparse)}: with momentum
---  state = momentum state - lr (grad + wd weight),  weight = weight + state.
---@class hl.optimizer.SGD: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.SGD
hl.optimizer.SGD = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.SGD:create_state(_, weight) end

---@param call? any
---@param state? any
---@return any
function hl.optimizer.SGD:step(call, state) end

---SGLD{}: gradient descent with noise, which samples weights. Welling and Teh, 2011.
---@class hl.optimizer.SGLD: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.SGLD
hl.optimizer.SGLD = {}

---@param index? any
---@param weight? any
---@param grad? any
---@return any
function hl.optimizer.SGLD:update(index, weight, grad) end

---Signum{momentum = 0.9, wd_lh = 0}: steps by the sign of the momentum. Bernstein et al.,
---"signSGD", 2018; wd_lh is the decay of Loshchilov and Hutter.
---@class hl.optimizer.Signum: hl.optimizer.Optimizer
---@overload fun(...: any): hl.optimizer.Signum
hl.optimizer.Signum = {}

---@param _? any
---@param weight? any
---@return any
function hl.optimizer.Signum:create_state(_, weight) end

---@param call? any
---@param state? any
---@return any
function hl.optimizer.Signum:step(call, state) end

---@class hl.optimizer.Updater
---@overload fun(optimizer?: any): hl.optimizer.Updater
hl.optimizer.Updater = {}

---The states as a table of arrays for nd.save. label(index) names a parameter (its index, if nil).
---@param label? any
---@return any
function hl.optimizer.Updater:get_states(label) end

---Takes states that get_states gave, or a file's content. index_of: indices by label (labels
---are numbers if nil); weight_of(index): a weight to check against, or nil. Nothing changes if they do not fit.
---@param arrays? any
---@param index_of? any
---@param weight_of? any
---@return any
function hl.optimizer.Updater:set_states(arrays, index_of, weight_of) end

---@param name? any
---@return any
function hl.optimizer.Updater:subclass(name) end

---Updates the weights of these indices, to the same bits as one by one. grads: nil for what backward
---left in each.
---@param indices? any
---@param grads? any
---@param weights? any
---@return any
function hl.optimizer.Updater:update_all(indices, grads, weights) end

hl.optimizer.ccSGD = hl.optimizer.SGD

---An optimizer by name ("sgd", in any case) with its options; one that is made already is
---given back. Errors: a name that no optimizer has.
---@param name? any
---@param options? any
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

---Changes the dtype of all parameters.
---@param dtype? any
---@return any
function hl.gluon.Block:cast(dtype) end

---May `block` become a child? Subclasses are pickier.
---@param block? any
---@return any
function hl.gluon.Block:check_child(block) end

---All parameters of the block and its children. `select` is a regular expression
---(".*weight|.*bias") that names must match from their beginning.
---@param select? any
---@return any
function hl.gluon.Block:collect_params(select) end

---What the block computes; override it.
---@return any
function hl.gluon.Block:forward() end

---Do hooks run at a call? Not in a trace: it is made once, and computes nothing.
---@return any
function hl.gluon.Block:has_hooks() end

---Hybridizes the children that can be.
---@param active? any
---@param options? any
---@return any
function hl.gluon.Block:hybridize(active, options) end

---Initialises all parameters: net:initialize(), net:initialize(hl.init.Xavier()).
---Options: init, ctx, verbose, force_reinit.
---@return any
function hl.gluon.Block:initialize(...) end

---@return any
function hl.gluon.Block:is_block() end

---Reads the parameters that save(prefix) wrote into the same network, made anew.
---@param prefix? any
---@return any
function hl.gluon.Block:load(prefix) end

---Reads what save_parameters wrote (files of collect_params():save and export too).
---Options: ctx, allow_missing, ignore_extra, cast_dtype, dtype_source ("current", or "saved": the
---parameters take the file's dtypes).
---@return any
function hl.gluon.Block:load_parameters(...) end

---Reads what save_parameters wrote (files of collect_params():save and export too).
---Options: ctx, allow_missing, ignore_extra, cast_dtype, dtype_source ("current", or "saved": the
---parameters take the file's dtypes).
---@return any
function hl.gluon.Block:load_params(...) end

---Names made in the scope, until it is closed, begin with this block's prefix:
---net:name_scope(function() ... end), or local _ <close> = net:name_scope().
---@param fn? any
---@return any
function hl.gluon.Block:name_scope(fn, ...) end

---Adds a child under a name (its place among the children if nil).
---@param block? any
---@param name? any
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

---forward in the scope of a call, without hooks.
---@return any
function hl.gluon.Block:run(...) end

---Writes prefix-model.json and prefix-model.params, as MXNet's Block.save does.
---@param prefix? any
---@return any
function hl.gluon.Block:save(prefix) end

---Writes the parameters by structural name ("0.weight"), in MXNet's format; atomic.
---Shared parameters are written under each of their names unless {deduplicate = true}.
---@return any
function hl.gluon.Block:save_parameters(...) end

---Writes the parameters by structural name ("0.weight"), in MXNet's format; atomic.
---Shared parameters are written under each of their names unless {deduplicate = true}.
---@return any
function hl.gluon.Block:save_params(...) end

---What `block.name = value` does.
---@param key? any
---@param value? any
---@return any
function hl.gluon.Block:set_field(key, value) end

---Structural paths to parameters, in order: { {"0.weight", parameter}, ... }.
---@return any
function hl.gluon.Block:structural_params() end

---@param name? any
---@return any
function hl.gluon.Block:subclass(name) end

---Prints a table of the layers in the order of their calls with these inputs: output shapes,
---numbers of parameters, arithmetic operations. Errors: a hybridized block.
---@return any
function hl.gluon.Block:summary(...) end

---run(self, ...) between the hooks.
---@param run? any
---@return any
function hl.gluon.Block:with_hooks(run, ...) end

---A parameter that holds a value and is not learned.
---@class hl.gluon.Constant: hl.gluon.Parameter
---@overload fun(name?: any, value?: any): hl.gluon.Constant
hl.gluon.Constant = {}

---@class hl.gluon.HybridBlock: hl.gluon.Block
---@overload fun(...: any): hl.gluon.HybridBlock
hl.gluon.HybridBlock = {}

---@return any
function hl.gluon.HybridBlock:call(...) end

---The long way of a call to a hybridized block.
---@return any
function hl.gluon.HybridBlock:call_compiled(...) end

---@param dtype? any
---@return any
function hl.gluon.HybridBlock:cast(dtype) end

---@param block? any
---@return any
function hl.gluon.HybridBlock:check_child(block) end

---A compiled trace for these arguments that the block does not keep, and the arrays of its
---inputs: for looking at.
---@return any
function hl.gluon.HybridBlock:compiled_for(...) end

---Text about every trace, its reason, graph and plan; {format = "table"} gives the data.
---@param options? any
---@return any
function hl.gluon.HybridBlock:explain(options) end

---Writes path-symbol.json and path-0000.params (the epoch's number), as MXNet does. The
---graph is that of the latest trace; shapes ({data = {1, 512}}) trace first. Returns the two names.
---@param path? any
---@param epoch? any
---@param shapes? any
---@return any
function hl.gluon.HybridBlock:export(path, epoch, shapes) end

---Runs hybrid_forward: with Symbols while tracing or when given some, else at once.
---@return any
function hl.gluon.HybridBlock:forward(...) end

---What the block computes; override it: function N:hybrid_forward(F, x, p) ... end
---@return any
function hl.gluon.HybridBlock:hybrid_forward() end

---From now on calls are compiled; the first call of each kind traces.
---hybridize(), hybridize(false), hybridize{active = , static_alloc = , static_shape = (no effect),
---frozen = (a further trace is an error), max_traces = (8), max_plans = (64; as many batch sizes and
---modes take turns in a trace without being planned anew), check = n (the first n calls of each
---kind run both ways, see check.lua), full = (a hook inside, for which the block would run piece
---by piece, is an error)}.
---@param active? any
---@param options? any
---@return any
function hl.gluon.HybridBlock:hybridize(active, options) end

---Finds the shapes of the parameters from example arguments, and initialises deferred ones.
---@return any
function hl.gluon.HybridBlock:infer_shape(...) end

---A trace for arrays of these shapes ({data = {1, 512}} or a list), without running it.
---@param shapes? any
---@return any
function hl.gluon.HybridBlock:trace_for(shapes) end

---@class hl.gluon.Parameter
---@overload fun(name?: any, options?: any): hl.gluon.Parameter
hl.gluon.Parameter = {}

---Makes `data` the parameter's array.
---@param data? any
---@return any
function hl.gluon.Parameter:adopt(data) end

---Changes the dtype, of the array and its gradient too.
---@param dtype? any
---@return any
function hl.gluon.Parameter:cast(dtype) end

---The array. Errors: not initialised, or deferred until the first batch.
---@param ctx? any
---@return any
function hl.gluon.Parameter:data(ctx) end

---Draws the values whose shape has become known.
---@return any
function hl.gluon.Parameter:finish_deferred_init() end

---The gradient's array. Errors: as data, and grad_req "null".
---@param ctx? any
---@return any
function hl.gluon.Parameter:grad(ctx) end

---Draws the values, now or when the shape is known: initialize(init, ctx, {default_init = Uniform(0.07),
---force_reinit = false, key = what the values are drawn from}).
---@return any
function hl.gluon.Parameter:initialize(...) end

---@return any
function hl.gluon.Parameter:is_deferred() end

---@return any
function hl.gluon.Parameter:known() end

---@return any
function hl.gluon.Parameter:list_ctx() end

---@return any
function hl.gluon.Parameter:list_data() end

---@return any
function hl.gluon.Parameter:list_grad() end

---Takes loaded values that fit. Options: dtype_source.
---@param array? any
---@param options? any
---@return any
function hl.gluon.Parameter:load_init(array, options) end

---Why an array from a file does not fit, in short and in MXNet's words; nil if it does.
---@param array? any
---@param options? any
---@return any
function hl.gluon.Parameter:misfit(array, options) end

---@param ctx? any
---@return any
function hl.gluon.Parameter:reset_ctx(ctx) end

---Writes new values; before initialisation they become the parameter's.
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
function hl.gluon.Parameter:subclass(name) end

---@return any
function hl.gluon.Parameter:text_of_shape() end

---The variable that stands for the parameter in graphs; always the same one.
---@return any
function hl.gluon.Parameter:var() end

---Sets the gradient to zeros.
---@return any
function hl.gluon.Parameter:zero_grad() end

---@class hl.gluon.ParameterDict
---@overload fun(prefix?: any, shared?: any): hl.gluon.ParameterDict
hl.gluon.ParameterDict = {}

---The parameter prefix .. name, made if there is none.
---@param name? any
---@param options? any
---@return any
function hl.gluon.ParameterDict:get(name, options) end

---The constant prefix .. name.
---@param name? any
---@param value? any
---@return any
function hl.gluon.ParameterDict:get_constant(name, value) end

---Initialises every parameter that has no initializer of its own by init (Uniform(0.07)):
---initialize(init, ctx, verbose, {force_reinit = false}). Values depend on one key drawn here
---and on structural paths.
---@return any
function hl.gluon.ParameterDict:initialize(...) end

---Adds one parameter, under its own name; `path` is its place in a block ("0.weight").
---@param param? any
---@param path? any
---@return any
function hl.gluon.ParameterDict:insert(param, path) end

---for name, parameter in dict:items() do
---@return any
function hl.gluon.ParameterDict:items() end

---@return any
function hl.gluon.ParameterDict:keys() end

---@return any
function hl.gluon.ParameterDict:list_ctx() end

---Reads parameters by full name. Options: ctx, allow_missing, ignore_extra, restore_prefix,
---cast_dtype, dtype_source ("current", or "saved": the parameters take the file's dtypes).
---@return any
function hl.gluon.ParameterDict:load(...) end

---@param arrays? any
---@param options? any
---@param file? any
---@return any
function hl.gluon.ParameterDict:load_dict(arrays, options, file) end

---@param ctx? any
---@return any
function hl.gluon.ParameterDict:reset_ctx(ctx) end

---Writes all parameters by full name, without strip_prefix.
---@return any
function hl.gluon.ParameterDict:save(...) end

---Sets one attribute of every parameter: dict:setattr("lr_mult", 0.5).
---@param name? any
---@param value? any
---@return any
function hl.gluon.ParameterDict:setattr(name, value) end

---@param name? any
---@return any
function hl.gluon.ParameterDict:subclass(name) end

---Takes in the parameters of another dictionary.
---@param other? any
---@return any
function hl.gluon.ParameterDict:update(other) end

---@return any
function hl.gluon.ParameterDict:values() end

---Sets the gradients to zeros.
---@return any
function hl.gluon.ParameterDict:zero_grad() end

---@class hl.gluon.SymbolBlock: hl.gluon.HybridBlock
---@overload fun(outputs?: any, inputs?: any): hl.gluon.SymbolBlock
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

---Reads path-symbol.json and, if given, parameters (arg: and aux: names, or plain ones).
---imports("net-symbol.json", {"data"}, "net-0000.params"). Options: allow_missing, ignore_extra.
---@param input_names? any
---@param param_file? any
---@param options? any
---@return any
function hl.gluon.SymbolBlock:imports(input_names, param_file, options) end

---@class hl.gluon.Trainer
---@overload fun(params?: any, optimizer?: any, optimizer_params?: any): hl.gluon.Trainer
hl.gluon.Trainer = {}

---Nothing to do with one device; kept for scripts that change gradients between this and update.
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

---As update: with one device there is nothing to gather before.
---@param batch_size? any
---@param ignore_stale_grad? any
---@return any
function hl.gluon.Trainer:step(batch_size, ignore_stale_grad) end

---@param name? any
---@return any
function hl.gluon.Trainer:subclass(name) end

---Updates every parameter that has a gradient. Errors: a stale gradient (then nothing is
---updated). Options: ignore_stale_grad = true leaves parameters with stale gradients as they are.
---@param batch_size? any
---@param ignore_stale_grad? any
---@return any
function hl.gluon.Trainer:update(batch_size, ignore_stale_grad) end

---@class hl.gluon.nn
hl.gluon.nn = {}

---Activation(name): relu, sigmoid, tanh, softrelu or softsign of each element.
---@class hl.gluon.nn.Activation: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Activation
hl.gluon.nn.Activation = {}

---The layer is named after the function.
---@return any
function hl.gluon.nn.Activation:alias(...) end

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Activation:hybrid_forward(F, x) end

---Dense(units, {activation=, use_bias=true, flatten=true, dtype="float32", weight_initializer=,
---bias_initializer="zeros", in_units=0}): activation(x W^T + b), x (batch, in_units) or, with
---flatten = false, (..., in_units). in_units 0: told by the first batch.
---@class hl.gluon.nn.Dense: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Dense
hl.gluon.nn.Dense = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.Dense:hybrid_forward(F, x, p) end

---Dropout(rate, {axes = {}}): in training sets a fraction `rate` of the elements to 0 and
---scales the rest by 1 / (1 - rate); along `axes` one choice is shared.
---@class hl.gluon.nn.Dropout: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Dropout
hl.gluon.nn.Dropout = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Dropout:hybrid_forward(F, x) end

---ELU(alpha = 1): x where x > 0, else alpha (e^x - 1).
---@class hl.gluon.nn.ELU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.ELU
hl.gluon.nn.ELU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.ELU:hybrid_forward(F, x) end

---Embedding(input_dim, output_dim, {dtype=, weight_initializer=}): row x of a learned matrix
---(input_dim, output_dim) for each index x, from 0.
---@class hl.gluon.nn.Embedding: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Embedding
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

---HybridLambda(fn or operator name): fn(F, x, ...) as a HybridBlock.
---@class hl.gluon.nn.HybridLambda: hl.gluon.HybridBlock
---@overload fun(fn?: any): hl.gluon.nn.HybridLambda
hl.gluon.nn.HybridLambda = {}

---@param F? any
---@return any
function hl.gluon.nn.HybridLambda:hybrid_forward(F, ...) end

---Runs its children, HybridBlocks, one after the other; can be hybridized as a whole.
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

---net["1:3"] or net[{1, 3}]: a container of the same blocks. Errors: a number that is no index.
---@param key? any
---@return any
function hl.gluon.nn.HybridSequential:missing_field(key) end

---Lambda(fn or operator name): fn(x, ...) as a Block.
---@class hl.gluon.nn.Lambda: hl.gluon.Block
---@overload fun(fn?: any): hl.gluon.nn.Lambda
hl.gluon.nn.Lambda = {}

---@return any
function hl.gluon.nn.Lambda:forward(...) end

---LeakyReLU(alpha): x where x > 0, else alpha x.
---@class hl.gluon.nn.LeakyReLU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.LeakyReLU
hl.gluon.nn.LeakyReLU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.LeakyReLU:hybrid_forward(F, x) end

---PReLU({alpha_initializer=, in_channels=1}): leaky with a learned slope, one or one a channel (axis 1).
---@class hl.gluon.nn.PReLU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.PReLU
hl.gluon.nn.PReLU = {}

---@param F? any
---@param x? any
---@param p? any
---@return any
function hl.gluon.nn.PReLU:hybrid_forward(F, x, p) end

---SELU: the self-normalising unit (Klambauer et al., 2017).
---@class hl.gluon.nn.SELU: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.SELU
hl.gluon.nn.SELU = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.SELU:hybrid_forward(F, x) end

---Runs its children one after the other.
---@class hl.gluon.nn.Sequential: hl.gluon.Block
---@overload fun(...: any): hl.gluon.nn.Sequential
hl.gluon.nn.Sequential = {}

---Adds blocks, called in order: net:add(nn.Dense(8), nn.Dense(2)), or net:add{...}.
---@return any
function hl.gluon.nn.Sequential:add(...) end

---@param x? any
---@return any
function hl.gluon.nn.Sequential:forward(x, ...) end

---@param active? any
---@param options? any
---@return any
function hl.gluon.nn.Sequential:hybridize(active, options) end

---net["1:3"] or net[{1, 3}]: a container of the same blocks. Errors: a number that is no index.
---@param key? any
---@return any
function hl.gluon.nn.Sequential:missing_field(key) end

---Swish(beta) : x sigmoid(beta x).
---@class hl.gluon.nn.Swish: hl.gluon.HybridBlock
---@overload fun(...: any): hl.gluon.nn.Swish
hl.gluon.nn.Swish = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.nn.Swish:hybrid_forward(F, x) end

---@class hl.gluon.loss
hl.gluon.loss = {}

---CTCLoss(layout = "NTC", label_layout = "NT", weight): alignment of a sequence with labels; the
---last class is the blank. Graves et al., "Connectionist temporal classification", 2006. A call takes
---(pred, label, pred_lengths, label_lengths, sample_weight).
---@class hl.gluon.loss.CTCLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.CTCLoss
hl.gluon.loss.CTCLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param pred_lengths? any
---@param label_lengths? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.CTCLoss:hybrid_forward(F, pred, label, pred_lengths, label_lengths, sample_weight) end

---CosineEmbeddingLoss(weight, batch_axis = 0, margin = 0): 1 - cosine of the two inputs where the
---label is 1, max(0, cosine - margin) where it is -1; shape (N, 1). A call takes
---(input1, input2, label, sample_weight).
---@class hl.gluon.loss.CosineEmbeddingLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.CosineEmbeddingLoss
hl.gluon.loss.CosineEmbeddingLoss = {}

---@param F? any
---@param input1? any
---@param input2? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.CosineEmbeddingLoss:hybrid_forward(F, input1, input2, label, sample_weight) end

---HingeLoss(margin = 1, weight, batch_axis = 0): the mean of max(0, margin - pred label), labels -1 and 1.
---@class hl.gluon.loss.HingeLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.HingeLoss
hl.gluon.loss.HingeLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.HingeLoss:hybrid_forward(F, pred, label, sample_weight) end

---HuberLoss(rho = 1, weight, batch_axis = 0): (label - pred)^2 / (2 rho) up to a difference of
---rho, |label - pred| - rho / 2 beyond.
---@class hl.gluon.loss.HuberLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.HuberLoss
hl.gluon.loss.HuberLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.HuberLoss:hybrid_forward(F, pred, label, sample_weight) end

---KLDivLoss(from_logits = true, axis = -1, weight, batch_axis = 0): the sum of
---label (log(label) - pred), pred being log probabilities, or with from_logits = false what the
---log_softmax along `axis` is taken of.
---@class hl.gluon.loss.KLDivLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.KLDivLoss
hl.gluon.loss.KLDivLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.KLDivLoss:hybrid_forward(F, pred, label, sample_weight) end

---L1Loss(weight, batch_axis = 0): the mean of |label - pred|.
---@class hl.gluon.loss.L1Loss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.L1Loss
hl.gluon.loss.L1Loss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.L1Loss:hybrid_forward(F, pred, label, sample_weight) end

---L2Loss(weight = 1, batch_axis = 0): half the mean of (label - pred)^2.
---@class hl.gluon.loss.L2Loss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.L2Loss
hl.gluon.loss.L2Loss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.L2Loss:hybrid_forward(F, pred, label, sample_weight) end

---LogisticLoss(weight, batch_axis = 0, label_format = "signed"): the same for labels -1 and 1,
---or 0 and 1 with label_format "binary".
---@class hl.gluon.loss.LogisticLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.LogisticLoss
hl.gluon.loss.LogisticLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.LogisticLoss:hybrid_forward(F, pred, label, sample_weight) end

---Loss(weight, batch_axis): the base. A loss of your own: Loss:subclass "Mine" with
---hybrid_forward(F, pred, label, sample_weight), and Loss.init(self, weight, batch_axis) in its init.
---@class hl.gluon.loss.Loss: hl.gluon.HybridBlock
---@overload fun(weight?: any, batch_axis?: any): hl.gluon.loss.Loss
hl.gluon.loss.Loss = {}

---PoissonNLLLoss(weight, from_logits = true, batch_axis = 0, compute_full = false): the negative
---log likelihood of counts; pred is the log of the rate, or with from_logits = false the rate.
---compute_full adds Stirling's approximation of log(label!). A call takes (pred, label,
---sample_weight, epsilon = 1e-8) and gives one number for the whole batch.
---@class hl.gluon.loss.PoissonNLLLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.PoissonNLLLoss
hl.gluon.loss.PoissonNLLLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@param epsilon? any
---@return any
function hl.gluon.loss.PoissonNLLLoss:hybrid_forward(F, pred, label, sample_weight, epsilon) end

---SDMLLoss(smoothing_parameter = 0.3, weight = 1, batch_axis = 0): rows of the two inputs belong
---together one by one, each row's softmax over its distances to all rows should say so.
---Bonadiman et al., "Smoothed deep metric learning", 2019. A call takes (x1, x2), both (N, size).
---@class hl.gluon.loss.SDMLLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.SDMLLoss
hl.gluon.loss.SDMLLoss = {}

---@param F? any
---@param x1? any
---@param x2? any
---@return any
function hl.gluon.loss.SDMLLoss:hybrid_forward(F, x1, x2) end

---SigmoidBinaryCrossEntropyLoss(from_sigmoid = false, weight, batch_axis = 0): labels between 0
---and 1; pred before the sigmoid, or with from_sigmoid a probability. A call takes
---(pred, label, sample_weight, pos_weight); pos_weight weighs the ones.
---@class hl.gluon.loss.SigmoidBCELoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.SigmoidBCELoss
hl.gluon.loss.SigmoidBCELoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@param pos_weight? any
---@return any
function hl.gluon.loss.SigmoidBCELoss:hybrid_forward(F, pred, label, sample_weight, pos_weight) end

hl.gluon.loss.SigmoidBinaryCrossEntropyLoss = hl.gluon.loss.SigmoidBCELoss

---SoftmaxCrossEntropyLoss(axis = -1, sparse_label = true, from_logits = false, weight, batch_axis = 0):
---pred before the softmax along `axis`, or with from_logits its logarithm; labels are classes
---from 0, or with sparse_label = false a probability for each class.
---@class hl.gluon.loss.SoftmaxCELoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.SoftmaxCELoss
hl.gluon.loss.SoftmaxCELoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.SoftmaxCELoss:hybrid_forward(F, pred, label, sample_weight) end

hl.gluon.loss.SoftmaxCrossEntropyLoss = hl.gluon.loss.SoftmaxCELoss

---SquaredHingeLoss(margin = 1, weight, batch_axis = 0): the same, squared.
---@class hl.gluon.loss.SquaredHingeLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.SquaredHingeLoss
hl.gluon.loss.SquaredHingeLoss = {}

---@param F? any
---@param pred? any
---@param label? any
---@param sample_weight? any
---@return any
function hl.gluon.loss.SquaredHingeLoss:hybrid_forward(F, pred, label, sample_weight) end

---TripletLoss(margin = 1, weight, batch_axis = 0): max(0, |positive - pred|^2 - |negative - pred|^2 + margin);
---a call takes (pred, positive, negative).
---@class hl.gluon.loss.TripletLoss: hl.gluon.loss.Loss
---@overload fun(...: any): hl.gluon.loss.TripletLoss
hl.gluon.loss.TripletLoss = {}

---@param F? any
---@param pred? any
---@param positive? any
---@param negative? any
---@return any
function hl.gluon.loss.TripletLoss:hybrid_forward(F, pred, positive, negative) end

---@class hl.gluon.data
hl.gluon.data = {}

---ArrayDataset(data, label, ...): samples of one value from each NDArray, list or dataset. A
---1-d NDArray gives numbers. Errors: different lengths.
---@class hl.gluon.data.ArrayDataset: hl.gluon.data.Dataset
---@overload fun(...: any): hl.gluon.data.ArrayDataset
hl.gluon.data.ArrayDataset = {}

---@return any
function hl.gluon.data.ArrayDataset:batcher() end

---@return any
function hl.gluon.data.ArrayDataset:dtypes() end

---@param i? any
---@return any
function hl.gluon.data.ArrayDataset:get(i) end

---BatchSampler(sampler, batch_size, last_batch = "keep"): the places in batches. What is left over
---at the end of a pass: "keep" makes a smaller batch of it, "discard" drops it, "rollover"
---puts it before the next pass.
---@class hl.gluon.data.BatchSampler: hl.gluon.data.Sampler
---@overload fun(places?: any, batch_size?: any, last_batch?: any): hl.gluon.data.BatchSampler
hl.gluon.data.BatchSampler = {}

---for places in batch_sampler:arrays() do: each batch as an int64 array.
---@return any
function hl.gluon.data.BatchSampler:arrays() end

---for places in batch_sampler:iter() do: each batch as a list.
---@return any
function hl.gluon.data.BatchSampler:iter() end

---@class hl.gluon.data.CSVDataset: hl.gluon.data.ArrayDataset
---@overload fun(...: any): hl.gluon.data.CSVDataset
hl.gluon.data.CSVDataset = {}

---@class hl.gluon.data.DataLoader
---@overload fun(...: any): hl.gluon.data.DataLoader
hl.gluon.data.DataLoader = {}

---for data, label in loader:batches() do: one pass over the dataset.
---@return any
function hl.gluon.data.DataLoader:batches() end

---A batch from a list of samples, as the values that a loop gets.
---@param dtypes? any
---@return any
function hl.gluon.data.DataLoader:default_batchify_fn(dtypes) end

---@param name? any
---@return any
function hl.gluon.data.DataLoader:subclass(name) end

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

---random_split as a method: dataset:random_split({0.8, 0.2}).
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

---The index-th of num_shards parts of almost equal size.
---@param num_shards? any
---@param index? any
---@return any
function hl.gluon.data.Dataset:shard(num_shards, index) end

---@param name? any
---@return any
function hl.gluon.data.Dataset:subclass(name) end

---The first `count` samples (all, if nil or too many).
---@param count? any
---@return any
function hl.gluon.data.Dataset:take(count) end

---fn(data, label) in place of the samples, called at each access, or with {lazy = false} now.
---@param fn? any
---@param lazy? any
---@return any
function hl.gluon.data.Dataset:transform(fn, lazy) end

---fn(data) in place of each sample's first value.
---@param fn? any
---@param lazy? any
---@return any
function hl.gluon.data.Dataset:transform_first(fn, lazy) end

---FilterSampler(fn, dataset): the places of the samples for which fn(sample) is true.
---@class hl.gluon.data.FilterSampler: hl.gluon.data.Sampler
---@overload fun(fn?: any, dataset?: any): hl.gluon.data.FilterSampler
hl.gluon.data.FilterSampler = {}

---@return any
function hl.gluon.data.FilterSampler:order() end

---ListSampler(list): places, or batches of places, that are given.
---@class hl.gluon.data.ListSampler: hl.gluon.data.Sampler
---@overload fun(places?: any): hl.gluon.data.ListSampler
hl.gluon.data.ListSampler = {}

---@return any
function hl.gluon.data.ListSampler:iter() end

---@return any
function hl.gluon.data.ListSampler:order() end

---RandomSampler(length): every place once, in an order drawn anew for each pass from the
---library's random stream, so that hl.random.seed fixes it.
---@class hl.gluon.data.RandomSampler: hl.gluon.data.Sampler
---@overload fun(length?: any): hl.gluon.data.RandomSampler
hl.gluon.data.RandomSampler = {}

---@return any
function hl.gluon.data.RandomSampler:order() end

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
function hl.gluon.data.Sampler:subclass(name) end

---The places of one pass as a list.
---@return any
function hl.gluon.data.Sampler:totable() end

---SequentialSampler(length, start = 0): start, start + 1, ...
---@class hl.gluon.data.SequentialSampler: hl.gluon.data.Sampler
---@overload fun(length?: any, start?: any): hl.gluon.data.SequentialSampler
hl.gluon.data.SequentialSampler = {}

---@return any
function hl.gluon.data.SequentialSampler:order() end

---SimpleDataset(list): a list's items (or an NDArray's rows).
---@class hl.gluon.data.SimpleDataset: hl.gluon.data.Dataset
---@overload fun(data?: any): hl.gluon.data.SimpleDataset
hl.gluon.data.SimpleDataset = {}

---@param i? any
---@return any
function hl.gluon.data.SimpleDataset:get(i) end

---random_split(dataset, lengths, {seed =}): a list of datasets that share out the samples at random, each
---sample in one of them. lengths: how many each has, {50000, 10000}, or fractions, {0.8, 0.2}. The order comes from the
---library's random stream, or from `seed` alone. Errors: numbers that do not add up to the whole.
---@return any
function hl.gluon.data.random_split(...) end

---@class hl.gluon.data.vision
hl.gluon.data.vision = {}

---Digits{train = true, transform = nil, file = nil, raw = false}: 1,797 images (8, 8, 1) of
---handwritten digits, which come with hybridlua (UCI Machine Learning Repository, "Optical
---recognition of handwritten digits", CC BY 4.0). Of each digit every fifth image is in the test
---set (355), the others in the training set (1,442). Values 0 to 16 are scaled to 0 to 255, unless raw.
---@class hl.gluon.data.vision.Digits: hl.gluon.data.ArrayDataset
---@overload fun(...: any): hl.gluon.data.vision.Digits
hl.gluon.data.vision.Digits = {}

---FashionMNIST: the same files with pictures of clothes, in "~/.mxnet/datasets/fashion-mnist".
---@class hl.gluon.data.vision.FashionMNIST: hl.gluon.data.ArrayDataset
---@overload fun(...: any): hl.gluon.data.vision.FashionMNIST
hl.gluon.data.vision.FashionMNIST = {}

---MNIST{root = "~/.mxnet/datasets/mnist", train = true, transform = nil}: 60,000 or 10,000 images
---(28, 28, 1) of digits. Errors: a file that is not there, by its name.
---@class hl.gluon.data.vision.MNIST: hl.gluon.data.ArrayDataset
---@overload fun(...: any): hl.gluon.data.vision.MNIST
hl.gluon.data.vision.MNIST = {}

---@class hl.gluon.data.vision.transforms
hl.gluon.data.vision.transforms = {}

---Cast(dtype = "float32").
---@class hl.gluon.data.vision.transforms.Cast: hl.gluon.HybridBlock
---@overload fun(dtype?: any): hl.gluon.data.vision.transforms.Cast
hl.gluon.data.vision.transforms.Cast = {}

---@param F? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Cast:hybrid_forward(F, x) end

---Compose{transform, ...}: one after the other; functions as well as blocks.
---@class hl.gluon.data.vision.transforms.Compose: hl.gluon.nn.Sequential
---@overload fun(list?: any): hl.gluon.data.vision.transforms.Compose
hl.gluon.data.vision.transforms.Compose = {}

---Normalize(mean = 0, std = 1): (x - mean) / std for (C, H, W) or (N, C, H, W); mean and std are
---numbers or lists, one for each channel.
---@class hl.gluon.data.vision.transforms.Normalize: hl.gluon.HybridBlock
---@overload fun(mean?: any, std?: any): hl.gluon.data.vision.transforms.Normalize
hl.gluon.data.vision.transforms.Normalize = {}

---@param _? any
---@param x? any
---@return any
function hl.gluon.data.vision.transforms.Normalize:hybrid_forward(_, x) end

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

---clip_global_norm(arrays, max_norm, check_isfinite = true): scales the arrays in place so that the
---norm of all their elements together is at most max_norm; gives the norm before that (a number).
---A norm that is not finite is warned of on standard error, and leaves the arrays to become NaN. In
---a training step that is compiled it gives nothing: it is done after each run.
---@param arrays? any
---@param max_norm? any
---@param check_isfinite? any
---@return any
function hl.gluon.utils.clip_global_norm(arrays, max_norm, check_isfinite) end

---split_and_load(data, ctx_list, batch_axis = 0, even_split = true): a list of the data for each device of
---the list; there is one, {hl.cpu()}. Errors: several, for parameters have one gradient.
---@param data? any
---@param ctx_list? any
---@return any
function hl.gluon.utils.split_and_load(data, ctx_list) end

---split_data(data, num_slice, batch_axis = 0, even_split = true): a list of parts along batch_axis.
---With even_split = false the last part takes what does not divide. Errors: a size that does not divide.
---@param data? any
---@param num_slice? any
---@param batch_axis? any
---@param even_split? any
---@return any
function hl.gluon.utils.split_data(data, num_slice, batch_axis, even_split) end

---hl.cpu(id): the device; there is only one, and it may be left out everywhere.
---@param id? any
---@return any
function hl.cpu(id) end

---Loads a Symbol or arrays, whichever the file holds.
---@param file? any
---@return any
function hl.load(file) end

---Saves a Symbol, or whatever nd.save does.
---@param file? any
---@param data? any
---@return any
function hl.save(file, data) end

---The memory of arrays in bytes: a table with live, peak, pooled and budget.
---@return table
function hl.memory() end

---Seconds of a clock that only goes forward.
---@return number
function hl.time() end

---hl.compile(fn, {frozen=, max_traces=, max_plans=}): fn(F, ...) takes arrays (and numbers, nested tables)
---and returns arrays; the result is called without F: f(a, b). f:explain() shows what was made.
---fn may be a whole training step: backward and Trainer.step in it come after each run of the
---program, so after them only what was computed before may be used.
---@param fn? any
---@param options? any
---@return any
function hl.compile(fn, options) end

---hl.grad(f, {argnums = 0, train_mode =}): a function of f's arguments that gives the gradient of f's first
---result, an array of one element, with respect to the argument at argnums, counted from 0: an array, or a table
---nested as the argument is; a list of them where argnums is a list. f's further results follow. A number
---counts as a 0-d array. train_mode: f runs in training mode, or not; as it is at the call where left out.
---Errors: f gives no array or one of several elements; arguments of an integer dtype.
---@return any
function hl.grad(...) end

---hl.value_and_grad(f, {argnums = 0, train_mode =}): as hl.grad, but gives f's first result, then its gradient,
---then f's further results.
---@return any
function hl.value_and_grad(...) end

---hl.vjp(f, {argnums =, train_mode =}): a function of f's arguments that gives f's first result and a function
---that pulls back: from an array (or a nest of arrays) like that result, the vector, to its product with the
---Jacobian, one value for each argument that holds arrays (or for those in argnums). It may be called again and
---again. hl.vjp(f, x, ...), with arrays, calls it at once.
---@param f? any
---@return any
function hl.vjp(f, ...) end

---hl.jacobian(f, {argnums = 0, train_mode =}): a function of f's arguments that gives the derivatives of each
---element of f's result with respect to each element of the argument at argnums: shape (result's, argument's). A
---nest of such where result or argument are nests (the result's outside). One pull-back for each element of
---the result. f's further results follow.
---@return any
function hl.jacobian(...) end

---hl.hessian(f, {argnums = 0, train_mode =}): the second derivatives of f's first result, an array of one element:
---shape (argument's, argument's); for nests a nest of nests. It is hl.jacobian of hl.grad.
---@return any
function hl.hessian(...) end

---@class hl.progress
---@overload fun(loop?: any, options?: any): hl.progress
hl.progress = {}

---Ends the line, or takes it away; the loop's end does it, a break out of the loop does not.
---@return any
function hl.progress:close() end

---Shows values behind the bar: bar:postfix{loss = 0.25}, or a string.
---@param values? any
---@return any
function hl.progress:postfix(values) end

---@param name? any
---@return any
function hl.progress:subclass(name) end

---@class hl.random: hl.nd.random
hl.random = {}

---Begins the stream of random numbers of this thread anew. n is an integer.
---@param n? any
function hl.random.seed(n) end

hl.init = hl.initializer

return hl
