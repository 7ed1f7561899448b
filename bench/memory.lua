-- memory.lua - compares the memory of hybridized and eager programs of several sizes: the smallest HYBRIDLUA_MEM_LIMIT
-- under which each runs, and the process's resident memory at its peak and two seconds after the last call. Fails if a
-- ratio exceeds its limit, or if results differ.
--   make bench-memory [MEMORY="small turns"]      small: small sizes; then names of cases (all by default)
local program = arg[-1]
local here = arg[0]:match "^(.*/)" or "./"

local MOST = { limit = 1.1, peak = 1.2, after = 1.2 }
local AFTER = 2                                   -- seconds
local CASES = { "sizes", "trained sizes", "chain", "trained chain", "turns", "shapes", "trained shapes" }

local sizes, chosen = "full", {}
for _, word in ipairs(arg) do
  if word == "small" then sizes = word else chosen[#chosen + 1] = word end
end
if #chosen == 0 then chosen = CASES end

local function start(case, way, seconds, limit)
  local settings = "HYBRIDLUA_JIT=${HYBRIDLUA_JIT:-sync}"
  if limit then settings = ("%s HYBRIDLUA_MEM_LIMIT=%dK"):format(settings, limit) end
  return assert(io.popen(("%s '%s' '%smemory_child.lua' '%s' %s %s %s 2>&1"):format(settings, program, here, case, way,
    sizes, seconds or "")))
end

-- A process's result, the peak of its arrays, and its resident memory at its peak and afterwards; if it failed, nil and
-- its output.
local function finish(pipe)
  local said = pipe:read "a"
  pipe:close()
  local result, arrays, peak, after = said:match "^(%S+)\t(%d+)\t(%d+)\t(%d+)\n$"
  if not result then return nil, said end
  return { result = result, arrays = tonumber(arrays), peak = tonumber(peak), after = tonumber(after) }
end

-- The smallest limit in KiB, within 2.5%, and the results under it. The case runs under `high`.
local function smallest_limit(case, way, high, ran)
  local low = 0
  while high - low > high // 40 do
    local middle = (low + high) // 2
    local now, why = finish(start(case, way, nil, middle))
    if now then high, ran = middle, now
    elseif why:find("out of memory", 1, true) then low = middle
    else error(why) end
  end
  return high, ran
end

local over = 0

local function row(case, what, eager, hybridized, most)
  local ratio = hybridized / eager
  local above = ratio > most
  if above then over = over + 1 end
  print(("%-16s %-22s %10d %10d %7.2f %6.1f%s"):format(case, what, eager, hybridized, ratio, most,
    above and "  above" or ""))
end

print(("%-16s %-22s %10s %10s %7s %6s"):format("case", "KiB", "eager", "hybridized", "ratio", "most"))
local running = {}
for _, case in ipairs(chosen) do
  running[case] = { eager = start(case, "eager", AFTER), hybridized = start(case, "hybridized", AFTER) }
  if sizes == "full" then                         -- one after another: some use all cores for seconds
    for way, pipe in pairs(running[case]) do running[case][way] = assert(finish(pipe)) end
  end
end
for _, case in ipairs(chosen) do
  local ran = {}
  for way, pipe in pairs(running[case]) do ran[way] = io.type(pipe) and assert(finish(pipe)) or pipe end
  local eager, hybridized = ran.eager, ran.hybridized
  local limit, under = {}, {}
  for way, one in pairs(ran) do limit[way], under[way] = smallest_limit(case, way, one.arrays + 1, one) end
  row(case, "smallest limit", limit.eager, limit.hybridized, MOST.limit)
  row(case, "resident, peak", eager.peak, hybridized.peak, MOST.peak)
  row(case, ("resident, %d s after"):format(AFTER), eager.after, hybridized.after, MOST.after)
  for way, one in pairs(ran) do
    if one.result ~= eager.result or under[way].result ~= eager.result then
      over = over + 1
      print(("%-16s %s: %s, with little memory %s; eager %s"):format(case, way, one.result, under[way].result,
        eager.result))
    end
  end
end
os.exit(over == 0)
