-- summary.lua - Block:summary: the output, parameters and arithmetic operations of each layer.
--
-- The block is called once with hooks on every block inside except containers. MXNet's table of 80 columns has one more
-- here: the arithmetic operations (a multiply-add is two) of the layer's own forward, without those of the layers
-- inside, which have their own lines. On a terminal of sufficient width bars follow the columns: the layer's part of
-- the parameters and of the operations.
local bars = require "hybridlua.language.small_bars"
local core = require "hybridlua.core"
local autograd = require "hybridlua.autograd"
local class = require "hybridlua.language.class"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local python = require "hybridlua.language.python_text"
local is_array = core.array.is

local CONTAINERS = { Sequential = true, HybridSequential = true }

-- The shape of an array; for several or nested arrays their shapes, as Python prints a list.
local function shape_text(x, inside)
  if is_array(x) then return python.tuple(x.shape) end
  if type(x) ~= "table" then return tostring(x) end
  local parts = {}
  for i = 1, x.n or #x do parts[i] = shape_text(x[i], true) end
  local text = table.concat(parts, ", ")
  return inside and "[" .. text .. "]" or text
end

local function size_of(param)
  local n = 1
  for _, d in ipairs(param.shape or {}) do n = n * d end
  return n
end

-- Counts the numbers in one layer's parameters: all, learned, and shared with earlier layers.
local function count_parameters(block, seen)
  local row = { params = 0, trainable = 0, shared = 0 }
  for _, param in ipairs(block._params:values()) do
    local n = size_of(param)
    row.params = row.params + n
    if param.grad_req ~= "null" then row.trainable = row.trainable + n end
    if seen[param] then row.shared = row.shared + n end
    seen[param] = true
  end
  return row
end

-- Adds hooks that count the operations between a block's start and its end. A loaded graph, which runs as a whole,
-- reports its own count.
local function watch(block, rows, seen, calls, handles)
  handles[#handles + 1] = block:register_forward_pre_hook(function()
    calls[#calls + 1] = { began = core.host.count_flops(), inside = 0 }
  end)
  handles[#handles + 1] = block:register_forward_hook(function(_, inputs, ...)
    local call = table.remove(calls)
    local flops = block.flops and block:flops(inputs) or core.host.count_flops() - call.began
    if #calls > 0 then calls[#calls].inside = calls[#calls].inside + flops end
    if CONTAINERS[class.of(block).__name__] then return end
    local row = count_parameters(block, seen)
    row.name = ("%s-%d"):format(class.of(block).__name__, #rows)
    row.shape = shape_text(select("#", ...) == 1 and (...) or table.pack(...))
    row.flops = flops - call.inside
    rows[#rows + 1] = row
  end)
end

-- Calls the block with hooks everywhere; returns a row for the input and one for each call of a layer.
local function collect(block, inputs)
  local rows = { { name = "Input", shape = shape_text(inputs.n == 1 and inputs[1] or inputs), params = 0, trainable = 0,
    shared = 0, flops = 0 } }
  local seen, calls, handles = {}, {}, {}
  local _ <close> = setmetatable({}, { __close = function()
    core.host.count_flops(false)
    for _, handle in ipairs(handles) do handle:detach() end
  end })
  block:apply(function(inner) watch(inner, rows, seen, calls, handles) end)
  core.host.count_flops(true)
  block(table.unpack(inputs, 1, inputs.n))
  return rows
end

-- Determines deferred shapes before anything is counted.
local function settle(block, inputs)
  for _, param in block:collect_params():items() do
    if param:is_deferred() then
      local _ <close> = autograd.pause()
      return block(table.unpack(inputs, 1, inputs.n))
    end
  end
end

local LINE = "%20s  %42s %15s %15s"
local BAR = 8            -- characters of a bar

-- The bars of a row: parameters and operations.
local function bars_of(row, total)
  return ("  %s  %s"):format(bars.of(row.params / total.params, BAR), bars.of(row.flops / total.flops, BAR))
end

--- Implements Block:summary(inputs...).
return function(block, ...)
  local inputs = table.pack(...)
  local _ <close> = HybridBlock._all_eager()         -- a compiled call would skip the layers inside
  settle(block, inputs)
  local rows = collect(block, inputs)
  local total = { params = 0, trainable = 0, shared = 0, flops = 0 }
  local width = #LINE:format("", "", "", "")
  for _, row in ipairs(rows) do
    for key, sum in pairs(total) do total[key] = sum + row[key] end
  end
  local barred = bars.shown(width + 2 * BAR + 4)
  print(("-"):rep(width))
  print(LINE:format("Layer (type)", "Output Shape", "Param #", "FLOPs") .. (barred and "  of params of FLOPs" or ""))
  print(("="):rep(width))
  for _, row in ipairs(rows) do
    print(LINE:format(row.name, row.shape, row.params, ("%.0f"):format(row.flops)) ..
      (barred and bars_of(row, total):gsub(" +$", "") or ""))
  end
  print(("="):rep(width))
  print "Parameters in forward computation graph, duplicate included"
  print("   Total params: " .. total.params)
  print("   Trainable params: " .. total.trainable)
  print("   Non-trainable params: " .. total.params - total.trainable)
  print("Shared params in forward computation graph: " .. total.shared)
  print("Unique parameters in model: " .. total.params - total.shared)
  print(("FLOPs of one forward pass: %.0f"):format(total.flops))
  print(("-"):rep(width))
end
