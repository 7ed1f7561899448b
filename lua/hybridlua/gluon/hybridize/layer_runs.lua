-- layer_runs.lua - a HybridSequential that runs piece by piece: children that follow one another and that nothing
-- breaks are one compiled function.
local core = require "hybridlua.core"
local pieces = require "hybridlua.gluon.hybridize.graph_breaks"
local version = require "hybridlua.gluon.hybridize.change_counters"
local observed = core.breaks.observed

local runs = {}

local function store_of(block) return getmetatable(block).store end

local function same_options(a, b)
  for key, value in pairs(a or {}) do if b[key] ~= value then return false end end
  for key, value in pairs(b or {}) do if a[key] ~= value then return false end end
  return true
end

local function has_hooks(block)
  if #block._hooks > 0 or #block._pre_hooks > 0 then return true end
  for _, child in ipairs(block:_list_children()) do if has_hooks(child.value) then return true end end
  return false
end

-- May the child be part of a run?
local function is_whole(child, options)
  if not pieces.is_hybrid(child) then return false end
  local store = store_of(child)
  return store._active and store._options and same_options(store._options, options) and pieces.known(child) and
    not pieces.broken(child) and not has_hooks(child)
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

-- The run of these blocks, that of before where there was one.
local function run_of(before, blocks, options)
  for _, run in ipairs(before) do if run.call and same_blocks(run.blocks, blocks) then return run end end
  return { blocks = blocks, call = compiled(blocks, options) }
end

--- What a HybridSequential calls one after the other: { { blocks = , call = the block or function }, ... }.
function runs.of(block)
  local store = store_of(block)
  if store._runs and store._runs.version == version.blocks then return store._runs end
  local list, whole = {}, {}
  local function close()
    if #whole == 1 then list[#list + 1] = { blocks = whole, call = whole[1] }
    elseif #whole > 1 then list[#list + 1] = run_of(store._runs or {}, whole, store._options) end
    whole = {}
  end
  for _, child in ipairs(store._children) do
    if is_whole(child.value, store._options) then
      whole[#whole + 1] = child.value
    else
      close()
      list[#list + 1] = { blocks = { child.value }, call = child.value }
    end
  end
  close()
  list.version = version.blocks                    -- hybridize() of what was made has moved it
  store._runs = list
  return list
end

--- The runs where the call of the block that is under way goes by them; nil: child by child.
function runs.now(block)
  local store = store_of(block)
  if not store._active or not store._options.breaks then return nil end
  local told, learning, list = observed()
  return told and not learning and list == store._pieces and runs.of(block) or nil
end

return runs
