-- model.lua - checkpoints in MXNet's files: prefix-symbol.json and prefix-NNNN.params, with names "arg:fc_weight" and
-- "aux:bn_moving_mean". MXNet 1.9.1 reads and writes the same. Also FeedForward, MXNet's first interface for training.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local log = require "hybridlua.log"
local is_array, is_plain, is_symbol = core.array.is, core.script.is_plain, core.symbol.is

local nd, sym = core.op.nd, core.op.sym
local model = {}

--- BatchEndParam(epoch, nbatch, eval_metric, locals): what callbacks after a batch get: a table with these fields.
function model.BatchEndParam(epoch, nbatch, eval_metric, locals)
  return { epoch = epoch, nbatch = nbatch, eval_metric = eval_metric, locals = locals }
end

-- ---- Files --------------------------------------------------------------------------------------------------------

--- The name of a checkpoint's file of parameters or, with the ending "states", of the optimizer's states.
function model._file(what, prefix, epoch, ending)
  checks.string(what .. ": prefix", prefix)
  return ("%s-%04d.%s"):format(prefix, checks.whole(what .. ": epoch", epoch, 0), ending or "params")
end

local function add(into, what, kind, arrays)
  if arrays == nil then return end
  if not is_plain(arrays) then fail("%s: expected a table of NDArrays by name, got %s", what, type(arrays)) end
  for name, x in pairs(arrays) do
    if not is_array(x) then fail("%s: %s: expected an NDArray, got %s", what, tostring(name), type(x)) end
    into[("%s:%s"):format(kind, name)] = x
  end
end

--- Both tables of parameters as one, by MXNet's names in files.
function model._joined(what, arg_params, aux_params)
  local all = {}
  add(all, what .. ": arg_params", "arg", arg_params)
  add(all, what .. ": aux_params", "aux", aux_params)
  return all
end

--- The arguments and the auxiliary states of a file that _joined's result was saved in. strict: other names are errors.
function model._separated(what, file, strict)
  local parts, loaded = { arg = {}, aux = {} }, nd.load(file)
  if not is_plain(loaded) then fail("%s: %s: expected arrays by name, got a single array", what, file) end
  for name, x in pairs(loaded) do
    local kind, rest = tostring(name):match "^(%a+):(.*)$"
    if parts[kind] then parts[kind][rest] = x
    elseif strict then
      fail("%s: Invalid param file %s: expected names such as 'arg:fc_weight', got '%s'", what, file, tostring(name))
    end
  end
  return parts.arg, parts.aux
end

--- save_checkpoint(prefix, epoch, symbol, arg_params, aux_params): writes prefix-symbol.json (unless symbol is nil) and
-- prefix-NNNN.params, NNNN being the epoch.
function model.save_checkpoint(prefix, epoch, symbol, arg_params, aux_params)
  local what = "model.save_checkpoint"
  local file = model._file(what, prefix, epoch)
  if symbol ~= nil and not is_symbol(symbol) then fail("%s: symbol: expected a Symbol, got %s", what, type(symbol)) end
  local all = model._joined(what, arg_params, aux_params)
  if symbol then symbol:save(prefix .. "-symbol.json") end
  nd.save(file, all)
  log.getLogger():info('Saved checkpoint to "%s"', file)
end

--- load_params(prefix, epoch): the arguments and the auxiliary states in prefix-NNNN.params, as two tables by name.
function model.load_params(prefix, epoch)
  return model._separated("model.load_params", model._file("model.load_params", prefix, epoch))
end

--- load_checkpoint(prefix, epoch): the symbol, the arguments and the auxiliary states of a checkpoint.
function model.load_checkpoint(prefix, epoch)
  local file = model._file("model.load_checkpoint", prefix, epoch)
  local symbol = sym.load(prefix .. "-symbol.json")
  return symbol, model._separated("model.load_checkpoint", file)
end

arguments.functions(model, "model.", {
  BatchEndParam = "epoch nbatch eval_metric locals{}", load_params = "prefix epoch",
  load_checkpoint = "prefix epoch",
  save_checkpoint = "prefix epoch symbol arg_params{} aux_params{} remove_amp_cast",
})

return require "hybridlua.language.module"(model, "hybridlua.model",
  { FeedForward = function() return require "hybridlua.module.feed_forward" end })
