-- module/data_parallel.lua - DataParallel: the executors of a Module in several contexts. Each context has a Bound
-- (bound.lua) with its own arrays and computes its part of every batch. DataParallel has a Bound's methods, for all.
--
-- Invariant: the parameters of all contexts are equal. Those of the first context are what the module initializes,
-- updates and saves; `spread` copies them to the others. Auxiliary states differ, as in MXNet, and are averaged when
-- they are read.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local sum_of_copies = require "hybridlua.gluon.sum_of_copies"
local Bound = require "hybridlua.module.bound"
local DataDesc = require "hybridlua.io.batches".DataDesc
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd

--- DataParallel(contexts, loads, options): options: a Bound's, without its context; options.shared is another
-- DataParallel. loads: the share of each context, or nil for equal ones. Fields: params, aux (the first context's),
-- index_of.
local DataParallel = class.root("DataParallel", class.new)

function DataParallel:init(contexts, loads, options)
  self.parts, self.loads = {}, loads
  for i, context in ipairs(contexts) do
    local own = { context = context, shared = options.shared and options.shared.parts[i] }
    for name, value in pairs(options) do if name ~= "shared" then own[name] = value end end
    self.parts[i] = Bound(own)
  end
  self.symbol, self.index_of = options.symbol, self.parts[1].index_of
end

-- ---- Parts of a batch ---------------------------------------------------------------------------------------------

-- x as an integer, halves to the even one, as Python's round.
local function rounded(x)
  local below = math.floor(x)
  if x - below == 0.5 then return below + below % 2 end
  return math.floor(x + 0.5)
end

-- The first and the last but one sample of each part of n, as MXNet splits them.
local function slices(self, n)
  local total, list, at = 0, {}, 0
  for i = 1, #self.parts do total = total + (self.loads and self.loads[i] or 1) end
  for i = 1, #self.parts do
    local count = rounded((self.loads and self.loads[i] or 1) * n / total)
    local to = i == #self.parts and n or math.min(at + count, n)
    if to <= at then
      fail("bind: data_shapes: expected a batch of %d samples or more, one for each context, got %d", #self.parts, n)
    end
    list[i], at = { at, to }, to
  end
  return list
end

local function axis_of(desc) return DataDesc.get_batch_axis(desc.layout) end

-- The part of an array that is for context i; axis: that of the samples, -1 for none.
local function part_of(self, x, axis, i)
  if axis < 0 then return x end
  local slice = self.slices[i]
  return nd.slice_axis(x, { axis = axis, begin = slice[1], stop = slice[2] })
end

local function parts_of(self, arrays, descs, i)
  local list = {}
  for k, x in ipairs(arrays) do list[k] = part_of(self, x, axis_of(descs[k]), i) end
  return list
end

local function descs_of(self, descs, i)
  local list = {}
  for k, desc in ipairs(descs) do
    local axis, shape = axis_of(desc), table.move(desc.shape, 1, #desc.shape, 1, {})
    if axis >= 0 then shape[axis + 1] = self.slices[i][2] - self.slices[i][1] end
    list[k] = DataDesc(desc.name, shape, { dtype = desc.dtype, layout = desc.layout })
  end
  return list
end

-- Arrays of all contexts, one list for each name, or joined along the axes of samples.
local function joined(lists, axes, merge)
  if merge == false then return lists end
  local all = {}
  for k, list in ipairs(lists) do
    local at_home, axis = {}, axes[k] or 0
    for i, x in ipairs(list) do at_home[i] = x:as_in_context(list[1].context) end
    all[k] = axis < 0 and at_home[1] or nd.concat(at_home, { dim = axis })
  end
  return all
end

-- The lists of arrays that get(part) returns, as one list of the contexts' arrays for each name.
local function by_name(self, get)
  local lists = {}
  for i, part in ipairs(self.parts) do
    for k, x in ipairs(get(part)) do
      lists[k] = lists[k] or {}
      lists[k][i] = x
    end
  end
  return lists
end

-- ---- A Bound's methods --------------------------------------------------------------------------------------------

function DataParallel:use(data, label)
  local first = data[1]
  local axis = axis_of(first)
  self.slices = slices(self, first.shape[axis + 1] or 0)
  self.data, self.label, self.data_axes = data, label, {}
  for k, desc in ipairs(data) do self.data_axes[k] = axis_of(desc) end
  for i, part in ipairs(self.parts) do part:use(descs_of(self, data, i), descs_of(self, label, i)) end
  self.params, self.aux, self.output_axes = self.parts[1].params, self.parts[1].aux, {}
  for k in ipairs(self.symbol:list_outputs()) do
    self.output_axes[k] = DataDesc.get_batch_axis(self.symbol:output(k - 1):attr "__layout__")
  end
end

function DataParallel:install(mon) for _, part in ipairs(self.parts) do part:install(mon) end end

function DataParallel:output_shapes()
  local all = self.parts[1]:output_shapes()
  for k, pair in ipairs(all) do
    local axis, shape = self.output_axes[k], table.move(pair[2], 1, #pair[2], 1, {})
    if axis >= 0 and shape[axis + 1] then
      for i = 2, #self.parts do shape[axis + 1] = shape[axis + 1] + self.parts[i]:output_shapes()[k][2][axis + 1] end
      all[k] = { pair[1], core.array.new_shape(shape) }
    end
  end
  return all
end

function DataParallel:forward(data_shapes, data, label_shapes, label, is_train)
  for i, part in ipairs(self.parts) do
    part:forward(data_shapes, parts_of(self, data, data_shapes, i), label_shapes,
      label and parts_of(self, label, label_shapes, i), is_train)
  end
end

function DataParallel:backward(out_grads)
  if is_array(out_grads) then out_grads = { out_grads } end
  for i, part in ipairs(self.parts) do
    local own
    for k, grad in ipairs(out_grads or {}) do
      own = own or {}
      own[k] = part_of(self, grad, self.output_axes[k], i):as_in_context(part.context)
    end
    part:backward(own)
  end
end

function DataParallel:outputs(merge)
  return joined(by_name(self, function(part) return part:outputs() end), self.output_axes, merge)
end

function DataParallel:input_grads(merge)
  return joined(by_name(self, function(part) return part:input_grads() end), self.data_axes, merge)
end

function DataParallel:states(merge)
  return joined(by_name(self, function(part) return part:states() end), {}, merge)
end

--- states: for each name an array for the whole batch, or a list of arrays, one for each context.
function DataParallel:set_states(states, value)
  for i, part in ipairs(self.parts) do
    local own
    for k, x in ipairs(states or {}) do
      own = own or {}
      own[k] = (is_plain(x) and x[i] or part_of(self, x, 0, i)):as_in_context(part.context)
    end
    part:set_states(own, value)
  end
end

--- A metric gets the parts one after another, as in MXNet. pre_sliced: labels has a list for each context.
function DataParallel:update_metric(metric, label_names, labels, output_names, pre_sliced)
  for i, part in ipairs(self.parts) do
    local own = pre_sliced and labels[i] or labels and parts_of(self, labels, self.label, i)
    part:update_metric(metric, label_names, own, output_names)
  end
end

--- The sum of the contexts' gradients of a parameter, in the first context; nil if it has none.
function DataParallel:gradient(name)
  local list = {}
  for i, part in ipairs(self.parts) do
    list[i] = part.grads[name]
    if not list[i] then return nil end
  end
  return sum_of_copies(list, self.parts[1].context)
end

--- Copies the parameters of the first context to the others, and with_aux the auxiliary states.
function DataParallel:spread(with_aux)
  for _, kind in ipairs { "params", with_aux and "aux" or nil } do
    for name, x in pairs(self[kind]) do
      for i = 2, #self.parts do
        local part = self.parts[i]
        part[kind][name]:set(x:as_in_context(part.context))
      end
    end
  end
end

--- The means of the auxiliary states of all contexts, by name.
function DataParallel:aux_values()
  local values = {}
  for name, x in pairs(self.aux) do
    local list = {}
    for i, part in ipairs(self.parts) do list[i] = part.aux[name] end
    values[name] = (sum_of_copies(list, x.context) / #list):astype(x.dtype)
  end
  return values
end

return DataParallel
