-- metric/confusion.lua - ConfusionMatrix: true and predicted classes.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local nd = core.op.nd
local NAN = -(0 / 0)          -- 0 / 0 prints as -nan

-- classes(metric, label, pred, axis): both as flat arrays of integers.
return function(metric, define, classes)
  --- ConfusionMatrix(num_classes, {axis = 1, normalize = nil, name, ignore_label = nil}): the number of samples of each
  -- class (row) that were predicted as each class (column). Without num_classes the matrix grows with the classes that
  -- occur, or to the number of scores. get() returns the matrix as an NDArray: counts (int64), or fractions (float64)
  -- of the row with normalize = "true", of the column with "pred", of all samples with "all". matrix() returns the
  -- counts, accuracy() the fraction on the diagonal, recall() and precision() lists with a number for each class from 0
  -- (nan for a class that did not occur). Errors: classes out of range.
  local Confusion = define("ConfusionMatrix", { "num_classes", "axis", "normalize" },
    { axis = 1, name = "confusion_matrix" }, { "ignore_label" }, "confusion")

  function Confusion:check()
    local n, kind = self.num_classes, self.normalize
    if n ~= nil and (math.type(n) ~= "integer" or n < 1) then
      fail("ConfusionMatrix: num_classes: expected an integer of 1 or more, got %s", tostring(n))
    end
    if kind ~= nil and kind ~= "true" and kind ~= "pred" and kind ~= "all" then
      fail("ConfusionMatrix: normalize: expected 'true', 'pred', 'all' or nil, got '%s'", tostring(kind))
    end
  end

  function Confusion._new_state() return {} end            -- by true and by predicted class, the number of samples

  function Confusion:reset()
    metric.EvalMetric.reset(self)
    self.size = self.num_classes or 0
  end

  local function check_class(self, what, class_, row)
    if class_ < 0 or self.num_classes and class_ >= self.num_classes then
      fail("%s: %s: expected classes from 0%s, got %d in row %d", self.name, what,
           self.num_classes and (" to %d"):format(self.num_classes - 1) or "", class_, row)
    end
  end

  function Confusion:update_pair(label, pred)
    local scores = label.size ~= pred.size and pred.shape[self.axis % pred.ndim + 1] or 0
    label, pred = classes(self, label, pred, self.axis)
    local truth, guess, right = label:totable(), pred:totable(), 0
    for row, t in ipairs(truth) do
      check_class(self, "label", t, row - 1)
      check_class(self, "prediction", guess[row], row - 1)
    end
    self.size = math.max(self.size, self.num_classes or scores)
    for row, t in ipairs(truth) do
      local g = guess[row]
      self.size = math.max(self.size, t + 1, g + 1)
      for _, counts in ipairs { self._state, self._global_state } do
        counts[t] = counts[t] or {}
        counts[t][g] = (counts[t][g] or 0) + 1
      end
      if t == g then right = right + 1 end
    end
    self:add(right, #truth)
  end

  local function matrix_of(self, counts)
    local rows = {}
    for t = 1, self.size do
      rows[t] = {}
      for g = 1, self.size do rows[t][g] = counts[t - 1] and counts[t - 1][g - 1] or 0 end
    end
    return self.size > 0 and nd.array(rows, { dtype = "int64" }) or nd.zeros({ 0, 0 }, { dtype = "int64" })
  end

  local function normalized(self, counts)
    local matrix, kind = matrix_of(self, counts), self.normalize
    if not kind or self.size == 0 then return matrix end
    matrix = matrix:astype "float64"
    if kind == "all" then return matrix / matrix:sum() end
    local total = matrix:sum { axis = kind == "true" and 1 or 0, keepdims = true }
    return matrix / nd.where(total:equal(0), nd.ones_like(total), total)      -- zeros for an empty row or column
  end

  function Confusion:get() return self.name, normalized(self, self._state) end
  function Confusion:get_global() return self.name, normalized(self, self._global_state) end

  --- The counts since the last reset: NDArray, int64, (true class, predicted class).
  function Confusion:matrix() return matrix_of(self, self._state) end

  --- The fraction of samples predicted right; nan before the first.
  function Confusion:accuracy() return self.num_inst > 0 and self.sum_metric / self.num_inst or NAN end

  -- For each class, the diagonal element's fraction of its row (axis 1) or column (axis 0).
  local function parts(self, axis)
    if self.size == 0 then return {} end
    local matrix = self:matrix():astype "float64"
    local right, all, list = (matrix * nd.eye(self.size, { dtype = "float64" })):sum { axis = axis }:totable(),
      matrix:sum { axis = axis }:totable(), {}
    for i = 1, self.size do list[i] = all[i] > 0 and right[i] / all[i] or NAN end
    return list
  end

  --- For each class, the fraction of its samples that were predicted right: a list.
  function Confusion:recall() return parts(self, 1) end

  --- For each class, the fraction of its predictions that were right: a list.
  function Confusion:precision() return parts(self, 0) end
end
