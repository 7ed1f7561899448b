-- convolutions.lua - compares the speed of Winograd and direct convolutions: forward, gradients of data and of weight.
--
--   ./hybridlua bench/convolutions.lua [THREADS] [ROUNDS]
--
-- Each round times both forms in turn. A cell has the median time of F(4x4, 3x3) or F(2x2, 5x5) in ms, and its ratio to
-- the median time of the direct form. Forward keeps its weights packed, as in prediction.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

local threads, rounds = tonumber(arg[1] or 1), tonumber(arg[2] or 30)
core.host.threads(threads)

-- images, channels, filters, size of an axis; window (3), padding (1)
local LAYERS = {
  { 1, 64, 64, 56 }, { 1, 128, 128, 28 }, { 1, 256, 256, 14 }, { 1, 512, 512, 7 },
  { 8, 64, 64, 56 }, { 8, 128, 128, 28 }, { 8, 256, 256, 14 }, { 8, 512, 512, 7 },
  { 32, 16, 16, 32 }, { 32, 32, 32, 16 }, { 32, 64, 64, 8 },
  { 1, 64, 64, 224 }, { 1, 128, 128, 112 }, { 1, 256, 256, 56 }, { 1, 512, 512, 28 }, { 1, 512, 512, 14 },
  { 64, 20, 50, 12, 5, 0 }, { 1, 64, 192, 27, 5, 2 }, { 1, 48, 64, 35, 5, 2 },
}

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- The median times of functions that take turns, in ms.
local function in_turns(functions)
  local times = {}
  for _ = 1, 3 do for _, f in ipairs(functions) do f() end end
  for r = 1, rounds do
    for i, f in ipairs(functions) do
      local began = core.host.seconds()
      f()
      times[i] = times[i] or {}
      times[i][r] = (core.host.seconds() - began) * 1e3
    end
  end
  for i, list in ipairs(times) do times[i] = median(list) end
  return times
end

-- Forward, or one gradient alone, of a layer in one form.
local function work(layer, which, direct)
  local images, channels, filters, size, window, pad = table.unpack(layer)
  window, pad = window or 3, pad or 1
  local out = size + 2 * pad + 1 - window
  local x = nd.random.normal(0, 1, { shape = { images, channels, size, size } })
  local w = nd.random.normal(0, 0.1, { shape = { filters, channels, window, window } })
  local g = nd.random.normal(0, 1, { shape = { images, filters, out, out } })
  local options = { kernel = { window, window }, pad = { pad, pad }, num_filter = filters, no_bias = true,
                    cudnn_off = direct }
  if which == "forward" then return function() nd.Convolution(x, w, options):wait_to_read() end end
  local of = which == "data" and x or w
  of:attach_grad()
  local y = autograd.record(function() return nd.Convolution(x, w, options) end)
  return function()
    y:backward(g, { retain_graph = true })
    of.grad:wait_to_read()
  end
end

print(("%d thread%s, %d rounds; ms, ratio to direct"):format(threads, threads > 1 and "s" or "", rounds))
print(("%-28s %16s %16s %16s"):format("images, channels, size", "forward", "data", "weight"))
for _, layer in ipairs(LAYERS) do
  local cells = {}
  for i, which in ipairs { "forward", "data", "weight" } do
    local times = in_turns { work(layer, which, true), work(layer, which, false) }
    cells[i] = ("%8.2f %5.2f"):format(times[2], times[2] / times[1])
  end
  print(("%-28s %16s %16s %16s"):format(("%d x %d to %d, %dx%d%s"):format(layer[1], layer[2], layer[3], layer[4],
    layer[4], layer[5] and ", 5x5" or ""), table.unpack(cells)))
end
