-- contrib/estimator/batch_processor.lua - BatchProcessor: what an Estimator does with one batch. Replace its methods in
-- a subclass for a step of your own.
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local class = require "hybridlua.language.class"
local utils = require "hybridlua.gluon.utils"

local BatchProcessor = class.root("BatchProcessor", class.new, "processor")

-- The parts of a batch in each context.
local function split(batch, contexts, batch_axis)
  local axis = batch_axis or 0
  return utils.split_and_load(batch[1], contexts, axis), utils.split_and_load(batch[2], contexts, axis)
end

local function apply(net, loss, data, label)
  local pred, values = {}, {}
  for i, x in ipairs(data) do pred[i] = net(x) end
  for i, y in ipairs(label) do values[i] = loss(pred[i], y) end
  return pred, values
end

--- evaluate_batch(estimator, val_batch, batch_axis = 0): runs estimator.val_net on a batch {data, label}; returns data,
-- label, predictions and losses, as lists with one array for each context.
function BatchProcessor:evaluate_batch(estimator, val_batch, batch_axis)             -- luacheck: ignore 212
  local data, label = split(val_batch, estimator.context, batch_axis)
  return data, label, apply(estimator.val_net, estimator.val_loss, data, label)
end

--- fit_batch(estimator, train_batch, batch_axis = 0): runs estimator.net on a batch, and backward; returns the same.
function BatchProcessor:fit_batch(estimator, train_batch, batch_axis)                -- luacheck: ignore 212
  local data, label = split(train_batch, estimator.context, batch_axis)
  local pred, loss = autograd.record(function() return apply(estimator.net, estimator.loss, data, label) end)
  for _, one in ipairs(loss) do one:backward() end
  return data, label, pred, loss
end

arguments.methods(BatchProcessor, "BatchProcessor.", {
  evaluate_batch = "estimator val_batch batch_axis", fit_batch = "estimator train_batch batch_axis",
})

return BatchProcessor
