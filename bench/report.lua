-- report.lua - results as text, as Markdown and as JSON.
local core = require "hybridlua.core"

local report = {}

local function time(seconds)
  if not seconds then return "" end
  if seconds < 1e-6 then return ("%.3f us"):format(seconds * 1e6) end
  if seconds < 1e-5 then return ("%.2f us"):format(seconds * 1e6) end
  if seconds < 1e-3 then return ("%.1f us"):format(seconds * 1e6) end
  if seconds < 1 then return ("%.2f ms"):format(seconds * 1e3) end
  return ("%.2f s"):format(seconds)
end

local function share(work)
  if not work.limit_seconds then return "" end
  return ("%.0f%%"):format(100 * work.limit_seconds / work.seconds)
end

local function machine(result)
  local info = (core.host or core).info()      -- or an older build, for bench/against.lua
  return ("%s, %d thread%s; hybridlua %s (%s), gcc %s -march=%s, %s, %s"):format(
    info.cpu, result.options.threads, result.options.threads == 1 and "" or "s", info.version,
    os.date "%Y-%m-%d", info.compiler, info.march, info.blas, info.lua)
end

local function size(bytes)
  return bytes >= 1 << 20 and ("%d MiB"):format(bytes >> 20) or ("%d KiB"):format(bytes >> 10)
end

local function each_group(works, begin, row)
  local group
  for _, work in ipairs(works) do
    if work.group ~= group then
      group = work.group
      begin(group)
    end
    row(work)
  end
end

--- The tables for a terminal.
function report.text(result)
  local out = { machine(result), "" }
  local function put(...) out[#out + 1] = string.format(...) end
  put("%-34s %10s %10s", "the machine", "copy", "read")
  for _, level in ipairs(result.levels) do
    put("  %-32s %5.0f GB/s %5.0f GB/s", ("%s (%s)"):format(level.name, size(level.bytes)), level.copy / 1e9, level.read / 1e9)
  end
  put("  %-32s %5.0f GFLOP/s", "sgemm 1024^3", result.levels.flops / 1e9)
  put("  %-32s %10s", "a call that makes an object", time(result.levels.call))
  each_group(result.works, function(group)
    put("\n%-46s %10s %10s %6s  %s", group, "time", "limit", "share", "the limit is")
  end, function(work)
    put("  %-44s %10s %10s %6s  %s%s", work.name, time(work.seconds), time(work.limit_seconds), share(work), work.by or "",
        work.remark and "; " .. work.remark or "")
  end)
  put("\n%d s for %d works in %d round%s", result.seconds, #result.works, result.options.rounds, result.options.rounds == 1 and "" or "s")
  return table.concat(out, "\n") .. "\n"
end

--- The tables for docs/performance.md.
function report.markdown(result)
  local out = {}
  local function put(...) out[#out + 1] = string.format(...) end
  put("Machine and versions: %s.\n", machine(result))
  put("| level | copy (read + written) | read |\n|---|---:|---:|")
  for _, level in ipairs(result.levels) do
    put("| %s, %s | %.0f GB/s | %.0f GB/s |", level.name, size(level.bytes), level.copy / 1e9, level.read / 1e9)
  end
  put("\nsgemm 1024^3: %.0f GFLOP/s. A Lua call that makes an object: %s.", result.levels.flops / 1e9, time(result.levels.call))
  each_group(result.works, function(group)
    put("\n### %s\n\n| work | time | limit | share | the limit is |\n|---|---:|---:|---:|---|", group:sub(1, 1):upper() .. group:sub(2))
  end, function(work)
    local by = work.by or ""
    if work.remark then by = by == "" and work.remark or by .. "; " .. work.remark end
    put("| %s | %s | %s | %s | %s |", work.name:gsub("|", "\\|"), time(work.seconds), time(work.limit_seconds), share(work), by)
  end)
  return table.concat(out, "\n") .. "\n"
end

local function quoted(s) return '"' .. s:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"' end

--- Everything, in seconds, bytes a second and flops a second.
function report.json(result)
  local levels, works = {}, {}
  for i, level in ipairs(result.levels) do
    levels[i] = ('{"name": %s, "bytes": %d, "copy": %.6g, "read": %.6g}'):format(quoted(level.name), level.bytes, level.copy, level.read)
  end
  for i, work in ipairs(result.works) do
    works[i] = ('  {"group": %s, "name": %s, "seconds": %.6g, "limit": %s}'):format(quoted(work.group), quoted(work.name), work.seconds,
      work.limit_seconds and ("%.6g"):format(work.limit_seconds) or "null")
  end
  return ('{"machine": %s, "threads": %d, "sgemm_flops": %.6g, "call_seconds": %.6g,\n "levels": [%s],\n "works": [\n%s]}'):format(
    quoted(machine(result)), result.options.threads, result.levels.flops, result.levels.call, table.concat(levels, ", "),
    table.concat(works, ",\n"))
end

--- Writes text to the file of that name.
function report.write_file(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
end

--- Puts tables into the page, between <!-- MARK --> and <!-- end -->.
function report.update(name, mark, tables)
  local file = assert(io.open(name))
  local page = file:read "a"
  file:close()
  local begin, stop = ("<!-- %s -->\n"):format(mark), "\n<!-- end -->"
  local _, from = page:find(begin, 1, true)
  local to = from and page:find(stop, from, true)
  if not to then error(("%s: expected the marks %s and %s"):format(name, begin:sub(1, -2), stop:sub(2)), 0) end
  report.write_file(name, page:sub(1, from) .. tables .. page:sub(to + 1))
end

return report
