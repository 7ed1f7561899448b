-- metric/pcc.lua - PCC: the correlation of labels and predictions over many classes.
-- Counts of each predicted class for each label that occurred: cells[pred][label].
local function count(cells, label, pred)
  local rows, columns = pred:totable(), label:totable()
  for i, p in ipairs(rows) do
    local row = cells[p] or {}
    cells[p] = row
    row[columns[i]] = (row[columns[i]] or 0) + 1
  end
end

-- Gorodkin 2004, "Comparing two K-category assignments by a K-category correlation coefficient", equation 8.
local function correlation(cells)
  local n, agreed, predicted, labelled = 0, 0, {}, {}
  for p, row in pairs(cells) do
    for l, times in pairs(row) do
      n, predicted[p], labelled[l] = n + times, (predicted[p] or 0) + times, (labelled[l] or 0) + times
      if p == l then agreed = agreed + times end
    end
  end
  local xy, xx, yy = n * agreed, 0, 0
  for class, x in pairs(predicted) do xx, xy = xx + x * (n - x), xy - x * (labelled[class] or 0) end
  for _, y in pairs(labelled) do yy = yy + y * (n - y) end
  if xx == 0 or yy == 0 then return -(0 / 0) end
  return xy / math.sqrt(xx * yy)
end

--- Adds PCC to the metrics. define(name, names, defaults, last) makes one; classes: see classes.lua.
return function(_, define, classes)
  --- PCC(name, {ignore_label = nil}): Pearson's correlation of labels and predicted classes for any number of classes,
  -- over all samples since the last reset. For two classes it is MCC.
  local PCC = define("PCC", {}, { name = "pcc" }, { "ignore_label" })

  function PCC._new_state() return {} end

  function PCC:update_pair(label, pred)
    label, pred = classes(self, label, pred, 1)
    count(self._state, label, pred)
    count(self._global_state, label, pred)
  end

  function PCC:_batch_ends() self:add(0, 1) end

  function PCC:get() return self.name, correlation(self._state) end
  function PCC:get_global() return self.name, correlation(self._global_state) end
end
