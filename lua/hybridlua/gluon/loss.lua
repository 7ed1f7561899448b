-- loss.lua - losses: HybridBlocks that map predictions and labels to one number per sample.
--
-- Every loss takes weight, a number that multiplies it, and batch_axis, the axis of samples; sample_weight, an array
-- that broadcasts to the predictions' shape, weights samples or elements in a call. Labels that do not fit the
-- predictions, or are not classes, are an error that names the loss.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local is_array, is_symbol = core.array.is, core.symbol.is

local loss = {}

--- Loss(weight, batch_axis): the base class. A custom loss is Loss:subclass "Mine" with hybrid_forward(F, pred, label,
-- sample_weight); if it has an init, that may call Loss.init(self, weight, batch_axis).
local Loss = HybridBlock:subclass "Loss"
loss.Loss = Loss
Loss._batch_axis = 0                                            -- for subclasses whose init does not call this one
Loss._each = { axis = 0, exclude = true }

local read_base = arguments.of_block("Loss", { "weight", "batch_axis" })

function Loss:init(...)
  local options = read_base(...)
  local weight, batch_axis = options.weight, options.batch_axis
  if weight ~= nil and type(weight) ~= "number" then
    fail("%s: weight: expected a number, got %s", class.of(self).__name__, type(weight))
  end
  self._weight = weight
  self._batch_axis = batch_axis or 0
  self._each = { axis = self._batch_axis, exclude = true }      -- all axes but the batch's
  self._like = {}
  for _, what in ipairs { "label", "positive", "negative", "input1" } do
    self._like[what] = core.op.prepare("reshape_like", { _check = ("%s: %s"):format(self.name, what) })
  end
end

function Loss:__tostring()
  return ("%s(batch_axis=%d, w=%s)"):format(class.of(self).__name__, self._batch_axis, python.repr(self._weight))
end

local NUMBERS = { margin = true, rho = true, smoothing_parameter = true }

-- Checks an option of a loss; a number may also be an array.
local function checked_option(name, key, value)
  if NUMBERS[key] and type(value) ~= "number" and not is_array(value) then
    fail("%s: %s: expected a number, got %s", name, key, type(value))
  end
  return value
end

-- A loss with these arguments; they become fields with an underscore.
local function define(name, names, defaults)
  local cls = Loss:subclass(name)
  local read = arguments.of_block(name, names, defaults)
  cls.arguments = read
  function cls:init(...)
    local options = read(...)
    for _, key in ipairs(names) do
      if key ~= "prefix" and key ~= "params" and key ~= "weight" and key ~= "batch_axis" then
        self["_" .. key] = checked_option(name, key, options[key])
      end
    end
    Loss.init(self, options.weight, options.batch_axis)
  end
  loss[name] = cls
  return cls
end

-- ---- Common steps ---------------------------------------------------------------------------------

local function weighted(self, F, x, sample_weight, factor)
  if sample_weight ~= nil then x = F.broadcast_mul(x, sample_weight) end
  factor = factor or self._weight
  return factor and x * factor or x
end

-- Returns x if it is an array or a Symbol, else raises; what: the script's name for it.
local function given(self, x, what)
  if is_array(x) or is_symbol(x) then return x end
  fail("%s: %s: expected an NDArray or a Symbol, got %s", self.name, what, x == nil and "nothing" or type(x))
end

-- x in the shape of pred. what, of: the script's names for them.
local function like(self, F, x, pred, what, of)
  local prepared = self._like
  given(self, pred, of or "pred")
  given(self, x, what or "label")
  return F.reshape_like(x, pred, prepared and prepared[what or "label"])
end

local function mean_of_each(self, F, x) return F.mean(x, self._each) end
local function sum_of_each(self, F, x) return F.sum(x, self._each) end

-- log(1 + e^-|x|), without overflow.
local function softplus(F, x) return F.Activation(-F.abs(x), { act_type = "softrelu" }) end

-- ---- Regression -------------------------------------------------------------------------------------

--- L2Loss(weight = 1, batch_axis = 0): half the mean of (label - pred)^2.
local L2Loss = define("L2Loss", { "weight", "batch_axis" }, { weight = 1.0 })

function L2Loss:hybrid_forward(F, pred, label, sample_weight)
  local x = F.square(like(self, F, label, pred) - pred)
  return mean_of_each(self, F, weighted(self, F, x, sample_weight, self._weight and self._weight / 2 or 0.5))
end

--- L1Loss(weight, batch_axis = 0): the mean of |label - pred|.
local L1Loss = define("L1Loss", { "weight", "batch_axis" }, {})

function L1Loss:hybrid_forward(F, pred, label, sample_weight)
  return mean_of_each(self, F, weighted(self, F, F.abs(like(self, F, label, pred) - pred), sample_weight))
end

--- HuberLoss(rho = 1, weight, batch_axis = 0): (label - pred)^2 / (2 rho) up to a difference of rho, |label - pred| -
-- rho / 2 beyond.
local HuberLoss = define("HuberLoss", { "rho", "weight", "batch_axis" }, { rho = 1 })

function HuberLoss:hybrid_forward(F, pred, label, sample_weight)
  local x = F.abs(like(self, F, label, pred) - pred)
  x = F.where(x:greater(self._rho), x - 0.5 * self._rho, F.square(x) * (0.5 / self._rho))
  return mean_of_each(self, F, weighted(self, F, x, sample_weight))
end

--- PoissonNLLLoss(weight, from_logits = true, batch_axis = 0, compute_full = false): the negative log likelihood of
-- counts. pred is the logarithm of the rate, or the rate itself with from_logits = false. compute_full adds Stirling's
-- approximation of log(label!). A call takes (pred, label, sample_weight, epsilon = 1e-8) and returns one number for
-- the whole batch.
local PoissonNLLLoss = define("PoissonNLLLoss", { "weight", "from_logits", "batch_axis", "compute_full" },
  { from_logits = true })

function PoissonNLLLoss:hybrid_forward(F, pred, label, sample_weight, epsilon)
  label = like(self, F, label, pred)
  local x
  if self._from_logits then x = F.exp(pred) - label * pred
  else x = pred - label * F.log(pred + (epsilon or 1e-8)) end
  if self._compute_full then
    local stirling = label * F.log(label) - label + F.log(label * (2 * math.pi)) * 0.5
    x = x + F.where(label:greater(1), stirling, F.zeros_like(label))
  end
  return F.mean(weighted(self, F, x, sample_weight))
end

-- ---- Two classes ------------------------------------------------------------------------------------

-- -label log(sigmoid(pred)) - (1 - label) log(1 - sigmoid(pred)), the first term times pos_weight.
local function cross_entropy_of_logits(F, pred, label, pos_weight)
  if pos_weight == nil then return F.relu(pred) - pred * label + softplus(F, pred) end
  local of_ones = F.broadcast_mul(pos_weight - 1, label) + 1
  return pred - pred * label + of_ones * (softplus(F, pred) + F.relu(-pred))
end

local LEAST = 1e-12       -- keeps logarithms of probabilities finite

local function cross_entropy_of_probabilities(F, pred, label, pos_weight)
  local of_ones = F.log(pred + LEAST) * label
  if pos_weight ~= nil then of_ones = F.broadcast_mul(of_ones, pos_weight) end
  return -(of_ones + F.log(1 - pred + LEAST) * (1 - label))
end

--- SigmoidBinaryCrossEntropyLoss(from_sigmoid = false, weight, batch_axis = 0): labels are between 0 and 1; pred is the
-- sigmoid's input, or a probability with from_sigmoid. A call takes (pred, label, sample_weight, pos_weight);
-- pos_weight weights the ones.
local SigmoidBCELoss = define("SigmoidBinaryCrossEntropyLoss", { "from_sigmoid", "weight", "batch_axis" },
  { from_sigmoid = false })
loss.SigmoidBCELoss = SigmoidBCELoss

function SigmoidBCELoss:hybrid_forward(F, pred, label, sample_weight, pos_weight)
  local cross_entropy = self._from_sigmoid and cross_entropy_of_probabilities or cross_entropy_of_logits
  if pos_weight ~= nil and type(pos_weight) ~= "number" then given(self, pos_weight, "pos_weight") end
  local x = cross_entropy(F, pred, like(self, F, label, pred), pos_weight)
  return mean_of_each(self, F, weighted(self, F, x, sample_weight))
end

--- LogisticLoss(weight, batch_axis = 0, label_format = "signed"): the same for labels -1 and 1, or 0 and 1 with
-- label_format "binary".
local LogisticLoss = define("LogisticLoss", { "weight", "batch_axis", "label_format" }, { label_format = "signed" })

local logistic_init = LogisticLoss.init
function LogisticLoss:init(...)
  logistic_init(self, ...)
  if self._label_format ~= "signed" and self._label_format ~= "binary" then
    fail("label_format can only be signed or binary, recieved %s.", tostring(self._label_format))
  end
end

function LogisticLoss:hybrid_forward(F, pred, label, sample_weight)
  label = like(self, F, label, pred)
  if self._label_format == "signed" then label = (label + 1.0) / 2.0 end
  return mean_of_each(self, F, weighted(self, F, cross_entropy_of_logits(F, pred, label), sample_weight))
end

--- HingeLoss(margin = 1, weight, batch_axis = 0): the mean of max(0, margin - pred label) for labels -1 and 1.
local HingeLoss = define("HingeLoss", { "margin", "weight", "batch_axis" }, { margin = 1 })

function HingeLoss:hybrid_forward(F, pred, label, sample_weight)
  local x = F.relu(self._margin - pred * like(self, F, label, pred))
  return mean_of_each(self, F, weighted(self, F, x, sample_weight))
end

--- SquaredHingeLoss(margin = 1, weight, batch_axis = 0): the same, squared.
local SquaredHingeLoss = define("SquaredHingeLoss", { "margin", "weight", "batch_axis" }, { margin = 1 })

function SquaredHingeLoss:hybrid_forward(F, pred, label, sample_weight)
  local x = F.square(F.relu(self._margin - pred * like(self, F, label, pred)))
  return mean_of_each(self, F, weighted(self, F, x, sample_weight))
end

-- ---- Many classes -----------------------------------------------------------------------------------

--- SoftmaxCrossEntropyLoss(axis = -1, sparse_label = true, from_logits = false, weight, batch_axis = 0,
-- {ignore_label = nil}): pred is the input of the softmax along `axis`, or its logarithm with from_logits; labels are
-- classes from 0, or a probability for each class with sparse_label = false. Errors: a label that is not a class, or
-- NaN, with its value and row. With ignore_label, samples with that label have loss and gradient 0, as if their
-- sample_weight were 0; they still count in the mean over a sample's labels and in a batch's.
local SoftmaxCELoss = define("SoftmaxCrossEntropyLoss",
                             { "axis", "sparse_label", "from_logits", "weight", "batch_axis", "ignore_label" },
                             { axis = -1, sparse_label = true, from_logits = false })
loss.SoftmaxCELoss = SoftmaxCELoss

local softmax_init = SoftmaxCELoss.init
function SoftmaxCELoss:init(...)
  softmax_init(self, ...)
  self._pick = core.op.prepare("pick", { axis = self._axis, keepdims = true, _check = self.name .. ": label" })
  if self._ignore_label == nil then return end
  checks.whole(class.of(self).__name__ .. ": ignore_label", self._ignore_label)
  if not self._sparse_label then
    fail("%s: ignore_label: expected sparse_label = true, since probabilities have no label to ignore",
      class.of(self).__name__)
  end
end

-- -pred at the label's index along the axis; 0 if the label is ignored.
local function of_classes(self, F, pred, label)
  local options, ignored = self._pick or { axis = self._axis, keepdims = true }, self._ignore_label
  if ignored == nil then return -F.pick(pred, label, options) end
  local counts = label:not_equal(ignored)
  local x = -F.pick(pred, F.where(counts, label, F.zeros_like(label)), options)
  return F.where(F.reshape_like(counts, x), x, F.zeros_like(x))
end

function SoftmaxCELoss:hybrid_forward(F, pred, label, sample_weight)
  given(self, pred, "pred")
  if not self._from_logits then pred = F.log_softmax(pred, { axis = self._axis }) end
  local x
  if self._sparse_label then x = of_classes(self, F, pred, given(self, label, "label"))
  else x = -F.sum(pred * like(self, F, label, pred), { axis = self._axis, keepdims = true }) end
  return mean_of_each(self, F, weighted(self, F, x, sample_weight))
end

--- KLDivLoss(from_logits = true, axis = -1, weight, batch_axis = 0): the sum over a sample's elements of
-- label (log(label) - pred), where pred is log probabilities, or with from_logits = false the input of a log_softmax
-- along `axis`.
local KLDivLoss = define("KLDivLoss", { "from_logits", "axis", "weight", "batch_axis" },
  { from_logits = true, axis = -1 })

function KLDivLoss:hybrid_forward(F, pred, label, sample_weight)
  given(self, pred, "pred")
  if not self._from_logits then pred = F.log_softmax(pred, { axis = self._axis }) end
  given(self, label, "label")
  local x = label * (F.log(label + LEAST) - pred)
  return sum_of_each(self, F, weighted(self, F, x, sample_weight))
end

--- CTCLoss(layout = "NTC", label_layout = "NT", weight): alignment of a sequence with labels; the last class is the
-- blank. Graves et al., "Connectionist temporal classification", 2006. A call takes (pred, label, pred_lengths,
-- label_lengths, sample_weight).
local CTCLoss = define("CTCLoss", { "layout", "label_layout", "weight" }, { layout = "NTC", label_layout = "NT" })

local ctc_init = CTCLoss.init
function CTCLoss:init(...)
  ctc_init(self, ...)
  if self._layout ~= "NTC" and self._layout ~= "TNC" then
    fail("Only 'NTC' and 'TNC' layouts for pred are supported. Got: %s", tostring(self._layout))
  end
  if self._label_layout ~= "NT" and self._label_layout ~= "TN" then
    fail("Only 'NT' and 'TN' layouts for label are supported. Got: %s", tostring(self._label_layout))
  end
  self._batch_axis = self._label_layout:find "N" - 1
end

function CTCLoss:hybrid_forward(F, pred, label, pred_lengths, label_lengths, sample_weight)
  if self._layout == "NTC" then pred = F.swapaxes(pred, { dim1 = 0, dim2 = 1 }) end
  if self._batch_axis == 1 then label = F.swapaxes(label, { dim1 = 0, dim2 = 1 }) end
  local x = F.CTCLoss { data = pred, label = label, data_lengths = pred_lengths, label_lengths = label_lengths,
                        use_data_lengths = pred_lengths ~= nil, use_label_lengths = label_lengths ~= nil,
                        blank_label = "last" }
  return weighted(self, F, x, sample_weight)
end

-- ---- Distances --------------------------------------------------------------------------------------

--- TripletLoss(margin = 1, weight, batch_axis = 0): max(0, |positive - pred|^2 - |negative - pred|^2 + margin);
-- a call takes (pred, positive, negative).
local TripletLoss = define("TripletLoss", { "margin", "weight", "batch_axis" }, { margin = 1 })

function TripletLoss:hybrid_forward(F, pred, positive, negative)
  local nearer = F.square(like(self, F, positive, pred, "positive") - pred) -
    F.square(like(self, F, negative, pred, "negative") - pred)
  return weighted(self, F, F.relu(sum_of_each(self, F, nearer) + self._margin))
end

-- The cosine of the angle between corresponding rows: shape (N, 1).
local function cosine(F, a, b)
  local function norm(x) return F.reshape(F.sqrt(F.sum(F.square(x), { axis = -1 })), { -1, 1 }) end
  local product = F.reshape(F.sum(a * b, { axis = -1 }), { -1, 1 })
  return product / F.broadcast_maximum(norm(a) * norm(b), LEAST)
end

--- CosineEmbeddingLoss(weight, batch_axis = 0, margin = 0): 1 - cosine of the two inputs if the label is 1, max(0,
-- cosine - margin) if it is -1; shape (N, 1). A call takes (input1, input2, label, sample_weight).
local CosineEmbeddingLoss = define("CosineEmbeddingLoss", { "weight", "batch_axis", "margin" }, { margin = 0 })

function CosineEmbeddingLoss:hybrid_forward(F, input1, input2, label, sample_weight)
  input1 = like(self, F, input1, input2, "input1", "input2")
  local similar = cosine(F, input1, input2)
  label = F.reshape(given(self, label, "label"), { -1, 1 })
  local x = (1 - similar) * label:equal(1) + F.relu((similar - self._margin) * label:equal(-1))
  return weighted(self, F, x, sample_weight)
end

--- SDMLLoss(smoothing_parameter = 0.3, weight = 1, batch_axis = 0): row i of one input matches row i of the other; the
-- loss compares the softmax over each row's distances to all rows with this. Bonadiman et al., "Smoothed deep metric
-- learning", 2019. A call takes (x1, x2), both (N, size).
local SDMLLoss = define("SDMLLoss", { "smoothing_parameter", "weight", "batch_axis" },
  { smoothing_parameter = 0.3, weight = 1.0 })

function SDMLLoss:hybrid_forward(F, x1, x2)
  local n = given(self, x1, "x1").shape[1]
  given(self, x2, "x2")
  local distances = F.sum(F.square(F.expand_dims(x1, { axis = 1 }) - F.expand_dims(x2, { axis = 0 })), { axis = 2 })
  local same = F.eye(n)
  local labels = same * (1 - self._smoothing_parameter) + (1 - same) * (self._smoothing_parameter / (n - 1))
  local x = labels * (F.log(labels + LEAST) - F.log_softmax(-distances, { axis = 1 }))
  return sum_of_each(self, F, x)
end

-- ---- MXNet's private functions, which losses in public programs call ------------------------------

--- _apply_weighting(F, x, weight, sample_weight): the elements of a loss times the array sample_weight and the number
-- weight, unless they are nil.
function loss._apply_weighting(F, x, weight, sample_weight)
  if weight ~= nil and type(weight) ~= "number" then
    fail("_apply_weighting: weight: expected a number, got %s", type(weight))
  end
  return weighted({}, F, x, sample_weight, weight)
end

--- _reshape_like(F, x, y): x in the shape of y.
function loss._reshape_like(F, x, y) return F.reshape_like(x, y) end

arguments.functions(loss, "gluon.loss.",
  { _apply_weighting = "F loss weight sample_weight", _reshape_like = "F x y" })

return require "hybridlua.language.module"(loss, "hybridlua.gluon.loss")
