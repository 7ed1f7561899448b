-- against.lua - compares the speed of this build with an older one: both run the benchmark alternately. Prints for
-- every row the median, over the pairs of runs, of this build's time divided by the older one's. Pairs cancel the slow
-- drift of a machine's speed.
--   make bench-against OLD=/path/to/older/hybridlua [PAIRS=30] [BENCH="--only softmax"]
local old, pairs_wanted = arg[1], math.tointeger(tonumber(arg[2]))
if not old or not pairs_wanted or pairs_wanted < 1 then
  io.stderr:write "usage: hybridlua bench/against.lua OLDER_PROGRAM PAIRS [options of bench/run.lua]\n"
  os.exit(2)
end
local here, new = arg[0]:match "^(.*/)" or "./", arg[-1]
local options = {}
for i = 3, #arg do options[#options + 1] = "'" .. arg[i]:gsub("'", "'\\''") .. "'" end
local results = os.tmpname()

-- Seconds by row, in the order of the rows.
local function run(program)
  local command = ("'%s' '%srun.lua' --rounds 1 --json '%s' %s >/dev/null"):format(program, here, results, table.concat(options, " "))
  if not os.execute(command) then
    io.stderr:write("against.lua: this failed: ", command, "\n")
    os.exit(1)
  end
  local rows = {}
  for line in io.lines(results) do
    local group, name, seconds = line:match '"group": "(.-)", "name": "(.-)", "seconds": ([%d.e+-]+)'
    if group then rows[#rows + 1] = { title = group .. ": " .. name, seconds = tonumber(seconds) } end
  end
  return rows
end

local function median(list)
  table.sort(list)
  local n = #list
  return n % 2 == 1 and list[n // 2 + 1] or (list[n // 2] + list[n // 2 + 1]) / 2
end

local ratios, titles, fastest = {}, {}, {}
for pair = 1, pairs_wanted do
  local first_new = pair % 2 == 0                  -- so that neither always comes second
  local a = run(first_new and new or old)
  local b = run(first_new and old or new)
  if not first_new then a, b = b, a end
  for i, row in ipairs(a) do
    assert(b[i] and b[i].title == row.title, "the rows of the two programs differ")
    titles[i] = row.title
    ratios[i] = ratios[i] or {}
    ratios[i][pair] = row.seconds / b[i].seconds
    fastest[i] = math.min(fastest[i] or math.huge, row.seconds)
  end
  io.stderr:write(("\r%d of %d pairs"):format(pair, pairs_wanted))
end
io.stderr:write "\n"
os.remove(results)

local above = 0
print(("%-64s %12s %8s %8s %8s"):format("row (this build / the older one)", "fastest us", "median", "least", "most"))
for i, title in ipairs(titles) do
  local m = median(ratios[i])
  if m > 1.05 then above = above + 1 end
  print(("%-64s %12.2f %8.3f %8.3f %8.3f%s"):format(title, fastest[i] * 1e6, m, ratios[i][1], ratios[i][#ratios[i]], m > 1.05 and "  slower" or ""))
end
print(("%d rows, %d pairs, %d rows with a median above 1.05"):format(#titles, pairs_wanted, above))
