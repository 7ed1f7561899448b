-- contrib/nn.lua - MXNet's gluon.contrib.nn: Concurrent, HybridConcurrent, PixelShuffle1D to 3D, SparseEmbedding;
-- Identity and SyncBatchNorm of gluon.nn; and the parts of transformers (transformer.lua).
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local module = require "hybridlua.language.module"
local python = require "hybridlua.language.python_text"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local layers = require "hybridlua.gluon.nn"
local nd = core.op.nd

local nn = { Identity = layers.Identity, SyncBatchNorm = layers.SyncBatchNorm }

-- ---- Side by side -------------------------------------------------------------------------------------------

-- A container that gives its input to all children and concatenates their outputs along `axis`.
local function make_concurrent(name, base)
  local layer = base:subclass(name)
  layer.arguments = arguments.of_block(name, { "axis" }, { axis = -1 })
  function layer:init(...) self.axis = checks.whole(name .. ": axis", self.arguments(...).axis) end
  return layer
end

local function outputs_of(self, x)
  local outputs = {}
  for i, child in ipairs(self._children) do outputs[i] = child.value(x) end
  if #outputs == 0 then fail("%s: expected blocks, appended by add(...), got none", self.name) end
  return outputs
end

--- Concurrent(axis = -1): gives its input to all children and concatenates their outputs along `axis`.
nn.Concurrent = make_concurrent("Concurrent", layers.Sequential)

function nn.Concurrent:forward(x) return nd.concat(outputs_of(self, x), { dim = self.axis }) end

--- HybridConcurrent(axis = -1): Concurrent for HybridBlocks; can be hybridized as a whole.
nn.HybridConcurrent = make_concurrent("HybridConcurrent", layers.HybridSequential)

function nn.HybridConcurrent:hybrid_forward(F, x) return F.concat(outputs_of(self, x), { dim = self.axis }) end

-- ---- Pixel shuffles -----------------------------------------------------------------------------------------

local function define_shuffle(axes, run)
  local name = ("PixelShuffle%dD"):format(axes)
  local layer = HybridBlock:subclass(name)
  layer.arguments = arguments.of_block(name, "factor[]")
  function layer:init(...)
    self._factors = checks.whole_list(name .. ": factor", self.arguments(...).factor, axes, 1)
  end
  function layer:hybrid_forward(F, x) return run(F, x, table.unpack(self._factors)) end
  function layer.__tostring(self)
    return ("%s(%s)"):format(name, axes == 1 and self._factors[1] or python.tuple(self._factors))
  end
  return layer
end

-- In the shape arguments, MXNet's code 0 keeps an axis, -4 splits one and -3 joins two; comments show the results.

--- PixelShuffle1D(factor): (N, f C, W) to (N, C, W f): each group of f channels becomes f neighbours along the width.
-- W. Shi et al., "Real-time single image and video super-resolution", 2016.
nn.PixelShuffle1D = define_shuffle(1, function(F, x, f)
  x = F.reshape(x, { shape = { 0, -4, -1, f, 0 } })                -- (N, C, f, W)
  x = F.transpose(x, { axes = { 0, 1, 3, 2 } })                    -- (N, C, W, f)
  return F.reshape(x, { shape = { 0, 0, -3 } })
end)

--- PixelShuffle2D(factor): (N, f1 f2 C, H, W) to (N, C, H f1, W f2): each group of f1 f2 channels becomes a block of
-- neighbours. factor is a number or {f1, f2}. W. Shi et al., "Real-time single image and video super-resolution", 2016.
nn.PixelShuffle2D = define_shuffle(2, function(F, x, f1, f2)
  x = F.reshape(x, { shape = { 0, -4, -1, f1 * f2, 0, 0 } })       -- (N, C, f1 f2, H, W)
  x = F.reshape(x, { shape = { 0, 0, -4, f1, f2, 0, 0 } })         -- (N, C, f1, f2, H, W)
  x = F.transpose(x, { axes = { 0, 1, 4, 2, 5, 3 } })              -- (N, C, H, f1, W, f2)
  return F.reshape(x, { shape = { 0, 0, -3, -3 } })
end)

--- PixelShuffle3D(factor): (N, f1 f2 f3 C, D, H, W) to (N, C, D f1, H f2, W f3): each group of f1 f2 f3 channels
-- becomes a block of neighbours. factor is a number or {f1, f2, f3}.
nn.PixelShuffle3D = define_shuffle(3, function(F, x, f1, f2, f3)
  x = F.reshape(x, { shape = { 0, -4, -1, f1 * f2 * f3, 0, 0, 0 } })
  x = F.swapaxes(x, { dim1 = 2, dim2 = 3 })                        -- (N, C, D, f1 f2 f3, H, W)
  x = F.reshape(x, { shape = { 0, 0, 0, -4, f1, f2 * f3, 0, 0 } })
  x = F.reshape(x, { shape = { 0, 0, -3, 0, 0, 0 } })              -- (N, C, D f1, f2 f3, H, W)
  x = F.swapaxes(x, { dim1 = 3, dim2 = 4 })                        -- (N, C, D f1, H, f2 f3, W)
  x = F.reshape(x, { shape = { 0, 0, 0, 0, -4, f2, f3, 0 } })
  x = F.reshape(x, { shape = { 0, 0, 0, -3, 0, 0 } })              -- (N, C, D f1, H f2, f3, W)
  x = F.swapaxes(x, { dim1 = 4, dim2 = 5 })                        -- (N, C, D f1, H f2, W, f3)
  return F.reshape(x, { shape = { 0, 0, 0, 0, -3 } })
end)

-- ---- Embedding ----------------------------------------------------------------------------------------------

--- SparseEmbedding(input_dim, output_dim, {dtype = "float32", weight_initializer =}): Embedding. The gradient, sparse
-- in MXNet, is dense here, with the same values.
nn.SparseEmbedding = layers.Embedding:subclass "SparseEmbedding"

function nn.SparseEmbedding.__tostring(self)
  return (layers.Embedding.__tostring(self):gsub("^Embedding", "SparseEmbedding"))
end

for name, layer in pairs(require "hybridlua.gluon.contrib.transformer") do nn[name] = layer end

return module(nn, "hybridlua.gluon.contrib.nn")
