-- np/npx_functions.lua - npx's functions that are operators here.
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local has = require "hybridlua.language.has_name"
local d = require "hybridlua.np.definitions"
local is_plain = core.script.is_plain
local nd = core.op.nd

-- npx's name, and the operator's if it is another one.
local ROWS = [[
activation=Activation arange_like=contrib.arange_like batch_dot batch_flatten=Flatten batch_norm=BatchNorm cast=Cast
convolution=Convolution deconvolution=Deconvolution dropout=Dropout embedding=Embedding erf erfinv
fully_connected=FullyConnected gamma gammaln gather_nd layer_norm=LayerNorm leaky_relu=LeakyReLU log_softmax
multibox_detection=contrib.MultiBoxDetection multibox_prior=contrib.MultiBoxPrior multibox_target=contrib.MultiBoxTarget
one_hot pick pooling=Pooling relu reshape_like rnn=RNN roi_pooling=ROIPooling sequence_mask=SequenceMask shape_array
sigmoid slice smooth_l1 softmax topk index_add=_index_add index_update=_index_update masked_softmax
masked_log_softmax group_norm=GroupNorm instance_norm=InstanceNorm l2_normalization=L2Normalization stop_gradient
scatter_nd broadcast_like gelu silu
]]

local function find(row)
  local t = nd
  if not has("nd." .. row) then return nil end
  for part in row:gmatch "[^.]+" do t = t[part] end
  return t
end

-- Operands of np's kind, whichever they are, so that results are of it.
local function np_operands(...)
  local args = table.pack(...)
  for i = 1, args.n do
    local x = args[i]
    if d.is(x) then args[i] = d.operand("npx", "data", x)
    elseif is_plain(x) then
      local copy
      for key, value in pairs(x) do
        if d.is(value) then
          copy = copy or setmetatable(table.move(x, 1, #x, 1, {}), nil)
          copy[key] = d.operand("npx", "data", value)
        end
      end
      if copy then
        for key, value in pairs(x) do if copy[key] == nil then copy[key] = value end end
        args[i] = copy
      end
    end
  end
  return table.unpack(args, 1, args.n)
end

return function(npx)
  for word in ROWS:gmatch "%S+" do
    local name, row = word:match "^([%w_]+)=?([%w_.]*)$"
    local fn = find(row ~= "" and row or name)
    if fn then npx[name] = class.checks(function(...) return fn(np_operands(...)) end, fn) end
  end
end
