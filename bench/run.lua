-- run.lua - times hybridlua against the machine's own limits, measured in the same run.
--
-- In each round every benchmark runs once, followed by its limit. The shortest time of each counts, so that other load
-- on the machine matters little. A share is limit / time: at 100% only a better machine would be faster.
local here = arg[0]:match "^(.*/)" or "./"
package.path = here .. "?.lua;" .. package.path
package.cpath = here .. "../build/bench/?.so;" .. package.cpath

local HELP = [[
usage: hybridlua bench/run.lua [options]     (make bench builds what it needs)
  --only PATTERN   only works whose "group: name" matches the Lua pattern; given again: or that one
  --threads N      threads for hybridlua and the limits (1)
  --json FILE      also writes the results to FILE
  --markdown       prints tables in Markdown
  --update FILE    puts them into FILE, between <!-- bench/run.lua --> and <!-- end -->
  --rounds N       number of rounds (8); more if the machine is busy
  --quick          one short round: a rough picture in seconds
  --list           names the works
  --help]]

local function usage(message)
  io.stderr:write("bench: ", message, "\n", HELP, "\n")
  os.exit(2)
end

local function read_options()
  local options = { threads = 1, rounds = 8, seconds = 0.08, only = {} }
  local i = 1
  local function value()
    i = i + 1
    return arg[i] or usage(arg[i - 1] .. ": expected a value after it")
  end
  while arg[i] do
    local name = arg[i]
    if name == "--help" then print(HELP) os.exit(0)
    elseif name == "--only" then options.only[#options.only + 1] = value()
    elseif name == "--threads" then options.threads = math.tointeger(tonumber(value())) or usage "--threads: expected an integer"
    elseif name == "--rounds" then options.rounds = math.tointeger(tonumber(value())) or usage "--rounds: expected an integer"
    elseif name == "--json" then options.json = value()
    elseif name == "--markdown" then options.markdown = true
    elseif name == "--update" then options.update = value()
    elseif name == "--quick" then options.rounds, options.seconds = 1, 0.02
    elseif name == "--list" then options.list = true
    else usage("unknown option " .. name) end
    i = i + 1
  end
  if options.threads < 1 or options.rounds < 1 then usage "--threads, --rounds: expected at least 1" end
  return options
end

local options = read_options()
local core = require "hybridlua.core"
local host = core.host or core       -- an older build, for bench/against.lua, has one flat table
host.threads(options.threads)

local measure = require "measure"
local report = require "report"

local function wanted(work)
  for _, pattern in ipairs(options.only) do
    if (work.group .. ": " .. work.name):find(pattern) then return true end
  end
  return #options.only == 0
end

local works = {}
for _, family in ipairs { "networks", "operators", "processes" } do
  for _, work in ipairs(require(family)(options)) do
    if wanted(work) then works[#works + 1] = work end
  end
end

if options.list then
  for _, work in ipairs(works) do print(work.group .. ": " .. work.name) end
  os.exit(0)
end

local start = os.time()
local levels = measure.levels(options)
measure.all(works, options)
local result = { levels = levels, works = works, options = options, seconds = os.time() - start }
io.write(options.markdown and report.markdown(result) or report.text(result))
if options.update then report.update(options.update, "bench/run.lua", report.markdown(result)) end
if options.json then report.write_file(options.json, report.json(result) .. "\n") end
