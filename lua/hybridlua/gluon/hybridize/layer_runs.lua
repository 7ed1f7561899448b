-- layer_runs.lua - runs of layers: in a HybridSequential that runs in segments, consecutive children without graph
-- breaks are one compiled function.
local core = require "hybridlua.core"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local observed = core.breaks.observed

local layer_runs = {}

local function store_of(block) return getmetatable(block).store end

local function same_options(a, b)
  for key, value in pairs(a or {}) do if b[key] ~= value then return false end end
  for key, value in pairs(b or {}) do if a[key] ~= value then return false end end
  return true
end

local function is_whole(child, options)
  if not breaks.is_hybrid(child) then return false end
  local store = store_of(child)
  return store._active and store._options and same_options(store._options, options) and breaks.known(child) and
    not breaks.broken(child) and not breaks.has_hooks(child)
end

local function same_blocks(a, b)
  for i = 1, math.max(#a, #b) do if a[i] ~= b[i] then return false end end
  return true
end

local function compiled(blocks, options)
  local function run(_, x, ...)
    x = blocks[1](x, ...)
    for i = 2, #blocks do x = blocks[i](x) end
    return x
  end
  local made = require "hybridlua.gluon.hybridize.compiled_function"(run, { prefix = "" })
  made:hybridize(options)
  store_of(made)._known, store_of(made)._is_run = true, true
  return made
end

-- The run of these blocks: an existing one if possible.
local function run_of(before, blocks, options)
  for _, run in ipairs(before) do if run.value and same_blocks(run.blocks, blocks) then return run end end
  return { blocks = blocks, value = compiled(blocks, options) }
end

--- The calls of a HybridSequential, in order: { { blocks = , value = the block or function }, ... }.
function layer_runs.of(block)
  local store = store_of(block)
  if store._runs and store._runs.version == counters.blocks then return store._runs end
  local list, whole = {}, {}
  local function close()
    if #whole == 1 then list[#list + 1] = { blocks = whole, value = whole[1] }
    elseif #whole > 1 then list[#list + 1] = run_of(store._runs or {}, whole, store._options) end
    whole = {}
  end
  for _, child in ipairs(store._children) do
    if is_whole(child.value, store._options) then
      whole[#whole + 1] = child.value
    else
      close()
      list[#list + 1] = { blocks = { child.value }, value = child.value }
    end
  end
  close()
  list.version = counters.blocks                    -- read last, since hybridize() of new runs changes it
  store._runs = list
  return list
end

--- The runs that the block's current call uses; nil for child by child.
function layer_runs.now(block)
  local store = store_of(block)
  if not store._active or not store._options.breaks then return nil end
  local on, learning, list = observed()
  return on and not learning and list == store._segments and layer_runs.of(block) or nil
end

return layer_runs
