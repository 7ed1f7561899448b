-- rnn/checkpoints.lua - checkpoints of models with cells, whose files have a weight per gate, whatever the cells are.
local arguments = require "hybridlua.language.arguments"
local base = require "hybridlua.rnn.base_cell"
local callback = require "hybridlua.callback"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"

local checkpoints = {}

local function list_of(what, cells)
  if type(cells) ~= "table" or class.is_a(cells, base.BaseRNNCell) then cells = { cells } end
  for _, cell in ipairs(cells) do checks.instance(what .. ": cells", cell, base.BaseRNNCell, "a cell of hl.rnn") end
  return cells
end

--- save_rnn_checkpoint(cells, prefix, epoch, symbol, arg_params, aux_params): model.save_checkpoint with unpacked
-- weights. cells: a cell, or a list.
function checkpoints.save_rnn_checkpoint(cells, prefix, epoch, symbol, arg_params, aux_params)
  for _, cell in ipairs(list_of("rnn.save_rnn_checkpoint", cells)) do arg_params = cell:unpack_weights(arg_params) end
  require("hybridlua.model").save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)
end

--- load_rnn_checkpoint(cells, prefix, epoch): model.load_checkpoint with weights packed for these cells. Returns the
-- symbol, the arguments and the auxiliary states.
function checkpoints.load_rnn_checkpoint(cells, prefix, epoch)
  local symbol, arg_params, aux_params = require("hybridlua.model").load_checkpoint(prefix, epoch)
  for _, cell in ipairs(list_of("rnn.load_rnn_checkpoint", cells)) do arg_params = cell:pack_weights(arg_params) end
  return symbol, arg_params, aux_params
end

--- do_rnn_checkpoint(cells, prefix, period = 1): a callback for the end of an epoch, which saves a checkpoint every
-- `period` epochs.
function checkpoints.do_rnn_checkpoint(cells, prefix, period)
  local what = "rnn.do_rnn_checkpoint"
  cells, prefix = list_of(what, cells), checks.string(what .. ": prefix", prefix)
  period = checks.whole(what .. ": period", period or 1, 1)
  return callback._every(what, period, function(done, symbol, arg_params, aux_params)
    checkpoints.save_rnn_checkpoint(cells, prefix, done, symbol, arg_params, aux_params)
  end)
end

arguments.functions(checkpoints, "rnn.", {
  save_rnn_checkpoint = "cells[] prefix epoch symbol arg_params{} aux_params{}",
  load_rnn_checkpoint = "cells[] prefix epoch", do_rnn_checkpoint = "cells[] prefix period",
})

return checkpoints
