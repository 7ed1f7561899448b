-- measure.lua - times benchmarks in turn, and the machine's limits.
--
-- A benchmark is { group =, name =, run = function, limit = function that returns seconds, by = name of the limit }.
-- One with `prepare` creates its data in the first round: prepare() returns run. One with `once` measures itself:
-- once() returns seconds and optionally a remark.
local hl = require "hybridlua"
local limits = require "limits"

local measure = {}
local now = hl.time

local SHORTEST = 1e-3      -- minimum seconds of a batch, well above the clock's resolution

-- The number of calls in a batch.
local function batch_size(run)
  local n = 1
  while true do
    local start = now()
    for _ = 1, n do run() end
    local seconds = now() - start
    if seconds >= SHORTEST then return n end
    n = seconds < SHORTEST / 10 and n * 8 or n * 2
  end
end

-- The best time of a batch, of at least two and as many as fit into `seconds`.
local function best_batch(run, n, seconds)
  local best, spent, batches = math.huge, 0, 0
  while spent < seconds or batches < 2 do
    local start = now()
    for _ = 1, n do run() end
    local t = now() - start
    best, spent, batches = math.min(best, t / n), spent + t, batches + 1
  end
  return best
end

local function take_turn(work, options)
  local seconds, remark
  if work.once then
    seconds, remark = work.once()
  else
    if not work.run then work.run = work.prepare() end
    work.batch = work.batch or batch_size(work.run)
    seconds = best_batch(work.run, work.batch, options.seconds)
  end
  if not work.seconds or seconds < work.seconds then work.seconds, work.remark = seconds, remark end
  if work.limit then work.limit_seconds = math.min(work.limit_seconds or math.huge, work.limit()) end
end

--- Measures every benchmark: sets seconds and limit_seconds.
function measure.all(works, options)
  for _ = 1, options.rounds do
    for _, work in ipairs(works) do
      take_turn(work, options)
      if work.heavy then collectgarbage() end
    end
  end
end

-- ---- The machine ---------------------------------------------------------------------------------

-- Bytes of the data caches of the first core, by level, as Linux reports them.
local function cache_sizes()
  local sizes, units = {}, { K = 1 << 10, M = 1 << 20 }
  for index = 0, 9 do
    local function read(name)
      local file = io.open(("/sys/devices/system/cpu/cpu0/cache/index%d/%s"):format(index, name))
      local text = file and file:read "l"
      if file then file:close() end
      return text
    end
    local number, unit = (read "size" or ""):match "(%d+)(%a)"
    if number and read "type" ~= "Instruction" then sizes[tonumber(read "level")] = tonumber(number) * units[unit] end
  end
  return sizes[1] or 32 << 10, sizes[2] or 1 << 20, sizes[3] or 32 << 20
end

--- The bytes per second that each level of memory copies and reads, and the speed of sgemm.
function measure.levels(options)
  local l1, l2, l3 = cache_sizes()
  local list = {
    { name = "L1", bytes = l1 // 2 }, { name = "L2", bytes = l2 // 2 },
    { name = "L3", bytes = math.max(l3 // 4, 2 * l2) }, { name = "memory", bytes = 4 * l3 } }
  for _ = 1, options.rounds do
    for _, level in ipairs(list) do
      level.copy = math.max(level.copy or 0, level.bytes / limits.copy(level.bytes // 2, options.threads))
      level.read = math.max(level.read or 0, level.bytes / limits.read(level.bytes, options.threads))
    end
  end
  local a = hl.nd.ones({ 2, 2 }, { dtype = "float64" })
  hl.nd.dot(a, a)                        -- the engine loads its OpenBLAS
  list.flops = 0
  for _ = 1, options.rounds do list.flops = math.max(list.flops, 2 * 1024 ^ 3 / limits.product(1024, 1024, 1024, false, false, options.threads)) end
  list.call = math.huge
  for _ = 1, options.rounds do list.call = math.min(list.call, measure.call()) end
  return list
end

--- Seconds of the cheapest call that creates an object.
function measure.call()
  local object, a = limits.object, {}
  return best_batch(function() return object(a, a) end, 20000, 0.005)
end

return measure
