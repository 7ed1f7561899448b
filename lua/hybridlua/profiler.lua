-- profiler.lua - MXNet's profiler interface: the operators and kernels that ran, with their times and bytes.
--
-- While the profiler runs, the engine records every kernel's call (src/exec/eager/kernel_watchers.h): eager operators,
-- the operators or fused kernels of compiled code, backward, whole compiled calls. This file turns the record into a
-- table, a text or a file for chrome://tracing.
local core = require "hybridlua.core"
local bars = require "hybridlua.language.small_bars"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"

local profiler = {}

local config = {
  filename = "profile.json", profile_imperative = true, profile_symbolic = true, profile_api = true,
  profile_memory = false, aggregate_stats = true, max_events = 1000000,
}
local running, paused = false, false

-- ---- Control ----------------------------------------------------------------------------------------------

local function apply() core.host.profile(running and not paused, config.max_events) end

local OPTIONS = "filename profile_all profile_imperative profile_symbolic profile_api profile_memory " ..
  "aggregate_stats max_events"

--- set_config{filename = "profile.json", ...}: the file of dump(), and what to show: profile_imperative eager
-- operators, profile_symbolic those of compiled code, profile_api whole compiled calls, profile_memory the bytes in use
-- (in the file); profile_all sets these four. aggregate_stats: whether dumps() returns a table. max_events: the number
-- of events to keep; later ones are only counted.
function profiler.set_config(...)
  local given = { ... }
  local names = {}
  for name in OPTIONS:gmatch "%S+" do names[#names + 1] = name end
  local wanted = {}
  for i, name in ipairs(names) do wanted[name] = given[i] end
  for name, value in pairs(wanted) do
    local kind = name == "filename" and "string" or name == "max_events" and "number" or "boolean"
    if type(value) ~= kind or kind == "number" and (math.type(value) ~= "integer" or value < 0 or value > 1 << 30) then
      fail("profiler.set_config: %s: expected %s, got %s", name, kind == "number" and "an integer of 0 or more" or
           kind == "string" and "a text" or "true or false", tostring(value))
    end
  end
  if wanted.profile_all ~= nil then
    for _, part in ipairs { "imperative", "symbolic", "api", "memory" } do
      config["profile_" .. part] = wanted.profile_all
    end
    wanted.profile_all = nil
  end
  for name, value in pairs(wanted) do config[name] = value end
  apply()
end

--- "run" starts or continues recording; "stop" ends it.
function profiler.set_state(state)
  state = checks.choice("profiler.set_state: state", state == nil and "stop" or state, "run", "stop")
  running, paused = state == "run", false
  apply()
end

--- "run" or "stop".
function profiler.state() return running and "run" or "stop" end

--- Interrupts recording until resume().
function profiler.pause()
  paused = true
  apply()
end

function profiler.resume()
  paused = false
  apply()
end

-- ---- The record ----------------------------------------------------------------------------------------

local function shown(event)
  if event.kind == "eager" then return config.profile_imperative end
  if event.kind == "compiled" then return config.profile_symbolic end
  if event.kind == "call" then return config.profile_api end
  return config.profile_imperative or config.profile_symbolic
end

-- Iterates over the events to show, in the order of their ends.
local function events()
  local i = 0
  return function()
    local event
    repeat
      i = i + 1
      event = core.host.profile_event(i)
    until not event or shown(event)
    return event
  end
end

local SORTS = {
  total = "total", self = "self", avg = "mean", min = "min", max = "max", count = "calls", bytes = "bytes",
  flops = "flops",
}

local function sort(rows, by, ascending)
  local key = SORTS[by]
  if not key then
    fail("profiler: sort_by: expected total, self, avg, min, max, count, bytes or flops, got '%s'", tostring(by))
  end
  table.sort(rows, function(a, b)
    if a[key] ~= b[key] then
      if ascending then return a[key] < b[key] end
      return a[key] > b[key]
    end
    return a.order < b.order
  end)
end

--- A list of rows, one for each operator or kernel and lines of the script, by decreasing time or by sort_by: { name,
-- kind ("eager", "compiled", "backward", "call"), form (of a convolution: "F(4x4, 3x3)", "F(2x2, 5x5)" or "direct";
-- else ""), lines, fused, calls, total, self, min, max, mean (milliseconds; self: without nested events), bytes, flops
-- (of all calls) }.
function profiler.table(sort_by, ascending)
  local rows, by_key = {}, {}
  for e in events() do
    local form = e.form:match "^[^:]*"                    -- without the reason, which explain shows
    local key = table.concat({ e.kind, e.name, form, e.lines }, "\0")
    local row = by_key[key]
    if not row then
      row = { name = e.name, form = form, kind = e.kind, lines = e.lines, fused = e.fused, calls = 0, total = 0,
              self = 0, min = math.huge, max = 0, bytes = 0, flops = 0, order = #rows + 1 }
      by_key[key] = row
      rows[#rows + 1] = row
    end
    local ms = e.total * 1e3
    row.calls, row.total, row.self = row.calls + 1, row.total + ms, row.self + e.self * 1e3
    row.min, row.max = math.min(row.min, ms), math.max(row.max, ms)
    row.bytes, row.flops = row.bytes + e.bytes, row.flops + e.flops
  end
  for _, row in ipairs(rows) do row.mean = row.total / row.calls end
  sort(rows, sort_by == nil and "total" or sort_by, ascending)
  for _, row in ipairs(rows) do row.order = nil end
  return rows
end

-- ---- Texts ---------------------------------------------------------------------------------------------

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

-- The text of a number in millions, such as 0.0012.
local function short(x)
  local units = { "", "k", "M", "G", "T", "P" }
  local i = 1
  while x >= 1000 and i < #units do x, i = x / 1000, i + 1 end
  return (i == 1 and "%.0f%s" or "%.1f%s"):format(x, units[i])
end

-- "Convolution, F(4x4, 3x3)".
local function name_of(row) return row.form == "" and row.name or row.name .. ", " .. row.form end

local BAR = 10           -- characters of a bar: the part of the time, without nested events

local function text_of(rows, barred)
  local sum = 0
  for _, r in ipairs(rows) do sum = sum + r.self end
  local lines = { ("%-36s %-9s %8s %12s %12s %10s %10s %10s %8s %8s  %s"):format(
    "Name", "Kind", "Calls", "Total (ms)", "Self (ms)", "Min (ms)", "Max (ms)", "Avg (ms)", "Bytes", "Flops", "Lines") }
  if barred then lines[1] = ("%-" .. BAR .. "s "):format "Self" .. lines[1] end
  for _, r in ipairs(rows) do
    lines[#lines + 1] = ("%-36s %-9s %8d %12.4f %12.4f %10.4f %10.4f %10.4f %8s %8s  %s"):format(
      name_of(r), r.kind, r.calls, r.total, r.self, r.min, r.max, r.mean, short(r.bytes), short(r.flops), r.lines)
    if barred then lines[#lines] = bars.of(r.self / sum, BAR) .. " " .. lines[#lines] end
  end
  local _, dropped = core.host.profile_counts()
  if dropped > 0 then
    lines[#lines + 1] = ("%d further calls are not in it (set_config{max_events = ...})"):format(dropped)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function json_of(rows)
  local list = {}
  for i, r in ipairs(rows) do
    list[i] = ('{"name": %s, "kind": "%s", "lines": %s, "fused": %s, "calls": %d, "total": %.6f, ' ..
               '"self": %.6f, "min": %.6f, "max": %.6f, "avg": %.6f, "bytes": %.0f, "flops": %.0f, "form": %s}'):format(
               quoted(r.name), r.kind, quoted(r.lines), r.fused, r.calls, r.total, r.self, r.min,
               r.max, r.mean, r.bytes, r.flops, quoted(r.form))
  end
  return "[" .. table.concat(list, ",\n ") .. "]\n"
end

--- dumps(reset = false, format = "table", sort_by = "total", ascending = false, bars = false): the table as a text, or
-- as JSON with format = "json"; reset clears the record. bars: each line begins with a bar of block elements, its part
-- of the time.
function profiler.dumps(reset, format, sort_by, ascending, with_bars)
  if not config.aggregate_stats then
    fail "profiler.dumps: expected set_config{aggregate_stats = true}, which was set to false"
  end
  if format ~= nil then checks.choice("profiler.dumps: format", format, "table", "json") end
  local rows = profiler.table(sort_by, ascending)
  local text = format == "json" and json_of(rows) or text_of(rows, with_bars)
  if reset then core.host.profile_clear() end
  return text
end

-- Events in the format of chrome://tracing and Perfetto; times are microseconds since the first event.
local function trace_text()
  local first = math.huge
  for e in events() do first = math.min(first, e.begun) end
  local list = { '{"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "hybridlua"}}' }
  for e in events() do
    local at = (e.begun - first) * 1e6
    list[#list + 1] = ('{"name": %s, "cat": "%s", "ph": "X", "ts": %.3f, "dur": %.3f, "pid": 1, "tid": 1, ' ..
                       '"args": {"line": %s, "bytes": %.0f, "flops": %.0f}}'):format(
                       quoted(e.name), e.kind, at, e.total * 1e6, quoted(e.lines), e.bytes, e.flops)
    if config.profile_memory then
      list[#list + 1] = ('{"name": "memory", "ph": "C", "ts": %.3f, "pid": 1, "args": {"bytes": %d}}'):format(
                         at + e.total * 1e6, e.memory)
    end
  end
  return '{"displayTimeUnit": "ms", "traceEvents": [\n' .. table.concat(list, ",\n") .. "\n]}\n"
end

--- dump(finished = true): writes the record to the file of set_config, which chrome://tracing loads; finished also
-- stops the profiler and clears the record.
function profiler.dump(finished)
  core.file.save_text(config.filename, trace_text())
  if finished == false then return end
  profiler.set_state "stop"
  core.host.profile_clear()
end

arguments.functions(profiler, "profiler.", {
  set_config = OPTIONS, set_state = "state profile_process", state = "",
  pause = "profile_process", resume = "profile_process", dump = "finished profile_process",
  dumps = "reset format sort_by ascending bars", table = "sort_by ascending",
})

return require "hybridlua.language.module"(profiler, "hybridlua.profiler")
