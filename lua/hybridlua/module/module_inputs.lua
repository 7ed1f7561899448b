-- module/module_inputs.lua - what modules are given: names and shapes of inputs, batches, callbacks. Also the update of
-- a metric.
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local batches = require "hybridlua.io.batches"
local metrics = require "hybridlua.metric"
local warn = require "hybridlua.language.warn"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local inputs = {}

-- ---- Names --------------------------------------------------------------------------------------------------------

--- A list of names from a list, one name or nil.
function inputs.names(what, given)
  if type(given) == "string" then return { given } end
  if given == nil then return {} end
  if not is_plain(given) then fail("%s: expected a list of names, got %s", what, type(given)) end
  for i, name in ipairs(given) do
    if type(name) ~= "string" then fail("%s: expected names, got %s at %d", what, type(name), i) end
  end
  return given
end

local function has(list, x)
  for _, item in ipairs(list) do if item == x then return true end end
  return false
end
inputs.has = has

--- Checks that the names are arguments of the symbol; if not `must`, only warns, as MXNet does for labels.
function inputs.check_names(symbol, names, kind, must)
  local all = symbol:list_arguments()
  for _, name in ipairs(names) do
    if not has(all, name) then
      local candidates = {}
      for _, one in ipairs(all) do
        if not one:find "_weight$" and not one:find "_bias$" and not one:find "_gamma$" and not one:find "_beta$" then
          candidates[#candidates + 1] = one
        end
      end
      (must and fail or
        warn.here)("You created Module with Module(..., %s_names=%s) but input with name '%s' is not " ..
        "found in symbol.list_arguments(). Did you mean one of: %s", kind, python.repr(names), name,
        table.concat(candidates, ", "))
    end
  end
end

--- The names of descriptions: DataDescs or pairs {name, shape}.
function inputs.names_of(descs)
  local names = {}
  for i, desc in ipairs(descs) do names[i] = desc[1] end
  return names
end

local function sorted_text(names)
  names = table.move(names, 1, #names, 1, {})
  table.sort(names)
  return table.concat(names, ", ")
end

--- The descriptions of data or labels, with names that must be those of the module (for labels, MXNet only warns).
function inputs.descriptions(kind, given, names)
  local descs = batches.descriptions(("bind: %s_shapes"):format(kind), given)
  local got = inputs.names_of(descs)
  if sorted_text(got) ~= sorted_text(names) then
    local text = "Data provided by %s_shapes don't match names specified by %s_names (%s vs. %s)"
    local say = kind == "data" and fail or warn.here
    say(text, kind, kind, python.repr(got), python.repr(names))
  end
  return descs
end

-- ---- Batches ------------------------------------------------------------------------------------------------------

--- The arrays of a batch's field, in a list; `names`: their number must be that of these.
function inputs.arrays(what, batch, field, names)
  if type(batch) ~= "table" then
    fail("%s: data_batch: expected a DataBatch, got %s", what, is_array(batch) and
      "an NDArray; write hl.io.DataBatch{data = {x}}" or batch == nil and "nothing" or type(batch))
  end
  local list = batch[field]
  if list == nil or is_plain(list) and #list == 0 then return nil end
  what = ("%s: data_batch.%s"):format(what, field)
  batches.check_arrays(what, list)
  if names and #list ~= #names then
    fail("%s: expected %d NDArrays, for %s, got %d", what, #names, table.concat(names, ", "), #list)
  end
  return list
end

--- The field provide_data or provide_label of an iterator or a batch, which a script's class may define as a method.
function inputs.provided(of, field)
  local value = of[field]
  if type(value) == "function" then return value(of) end
  return value
end

--- Checks that x is an iterator of batches.
function inputs.check_iter(what, x)
  if type(x) == "table" and type(x.next) == "function" and type(x.reset) == "function" then return x end
  local cls = class.of(x)
  fail("%s: expected a DataIter, got %s", what, is_array(x) and
    "an NDArray; write hl.io.NDArrayIter(x, y, batch_size)" or
    cls and ("a %s; write hl.io.NDArrayIter(x, y, batch_size)"):format(cls.__name__) or x == nil and "nothing" or
      type(x))
end

-- ---- Results of batches -------------------------------------------------------------------------------------------

--- The arrays of a batch without the samples at the end that only fill it; pad: their number (nil: 0).
function inputs.without_pad(arrays, pad)
  local real, n = {}, pad or 0
  for i, x in ipairs(arrays) do
    real[i] = n > 0 and nd.slice_axis(x, { axis = 0, begin = 0, stop = #x - n }) or x
  end
  return real
end

--- The lists of arrays of all batches as one list of arrays.
function inputs.merged(lists)
  local whole = {}
  for i = 1, #(lists[1] or {}) do
    local parts = {}
    for k, outputs in ipairs(lists) do
      if #outputs ~= #lists[1] then
        fail("predict: Cannot merge batches, as num of outputs is not the same in mini-batches. Maybe bucketing is " ..
          "used?")
      end
      parts[k] = outputs[i]
    end
    whole[i] = #parts == 1 and parts[1] or nd.concat(parts, { dim = 0 })
  end
  return whole
end

-- ---- Callbacks and metrics ----------------------------------------------------------------------------------------

--- Calls one function or a list of them.
function inputs.call(callbacks, ...)
  if callbacks == nil then return end
  if not is_plain(callbacks) then return callbacks(...) end
  for _, callback in ipairs(callbacks) do callback(...) end
end

--- Checks an option that is a function, another callable or a list of these.
function inputs.check_callbacks(what, given)
  for _, callback in ipairs(is_plain(given) and given or { given }) do
    if not checks.is_callable(callback) then
      fail("%s: expected a function or a list of them, got %s", what, type(callback))
    end
  end
end

local function chosen(metric, what, wanted, names, arrays)
  if not wanted then return arrays end
  local list = {}
  for i, name in ipairs(wanted) do
    for k, own in ipairs(names) do if own == name then list[i] = arrays[k] end end
    if not list[i] then fail("%s: %s: there is no '%s' among %s", metric.name, what, name, table.concat(names,
      ", ")) end
  end
  return list
end

--- Adds a batch to a metric: all labels and outputs, or those that the metric names.
function inputs.update_metric(metric, label_names, labels, output_names, outputs)
  if class.is_a(metric, metrics.CompositeEvalMetric) then
    for _, one in ipairs(metric.metrics) do
      inputs.update_metric(one, label_names, labels, output_names, outputs)
    end
    return
  end
  metric:update(chosen(metric, "label_names", metric.label_names, label_names, labels or {}),
    chosen(metric, "output_names", metric.output_names, output_names, outputs))
end

return inputs
