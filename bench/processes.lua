-- processes.lua - latencies: starting the program, the first calls of a compiled network in a new process, tracing and
-- planning a long chain.
local hl = require "hybridlua"
local limits = require "limits"
local nd = hl.nd

local program = arg[-1]
local here = arg[0]:match "^(.*/)" or "./"
local CHAIN_LENGTH = 10000

-- The numbers that first_call.lua prints, by name, with its kernel cache in `directory`.
local function first_call(directory)
  local pipe = assert(io.popen(("HYBRIDLUA_CACHE='%s' '%s' '%sfirst_call.lua'"):format(directory, program, here)))
  local found = {}
  for name, seconds in pipe:read "a":gmatch "(%w+) ([%d.e+-]+)" do found[name] = tonumber(seconds) end
  pipe:close()
  return found
end

local function fresh_directory()
  local name = os.tmpname()
  os.remove(name)
  return name
end

local function cold()
  local directory = fresh_directory()
  local seconds = first_call(directory).first
  os.execute(("rm -rf '%s'"):format(directory))
  return seconds
end

local function warm()
  local directory = fresh_directory()
  first_call(directory)
  local seconds = first_call(directory).first
  os.execute(("rm -rf '%s'"):format(directory))
  return seconds
end

local START = "print(nd.ones{2,2}+1)"

-- The peak memory that the program itself reports; wait4 also counts the parent's memory before exec.
local function start_memory()
  local status = [[ for line in io.lines "/proc/self/status" do print(line) end]]
  local pipe = assert(io.popen(("'%s' -e '%s%s'"):format(program, START, status)))
  local kilobytes = pipe:read "a":match "VmHWM:%s*(%d+)"
  pipe:close()
  return kilobytes and ("%.1f MB resident at most"):format(kilobytes / 1000)
end

local function start()
  local seconds = limits.spawn { program, "-e", START }
  return seconds, start_memory()
end

local function chain()
  local f = hl.compile(function(F, x)
    for _ = 1, CHAIN_LENGTH do x = F.negative(x) end
    return x
  end)
  local x = nd.ones { 4 }
  local begin = hl.time()
  f(x)
  return hl.time() - begin
end

return function()
  local function constant(seconds) return function() return seconds end end
  local promise = { group = "latencies", name = ("%d-node chain: traced, planned, run once"):format(CHAIN_LENGTH), once = chain,
                    limit = constant(0.1), by = "the promised time" }
  return {
    { group = "latencies", name = ("hybridlua -e '%s'"):format(START), once = start,
      limit = function() return (limits.spawn { "true" }) end, by = "starting /bin/true" },
    { group = "latencies", name = "hybridized MLP, first call, nothing cached", once = cold },
    { group = "latencies", name = "hybridized MLP, first call, kernels cached", once = warm },
    promise,
  }
end
