-- explain.lua - describes a hybridized block: its traces and the reason for each, the graph with each node's Lua line,
-- the specializations with their memory plans, the kernels and their C text.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local counted = require "hybridlua.language.plural"
local warn = require "hybridlua.language.warn"
local breaks = require "hybridlua.gluon.hybridize.graph_breaks"
local is_array = core.array.is

local explain = {}

-- "1.2 MB", with bytes below 10 kB.
local function bytes(n)
  if n < 10000 then return ("%d bytes"):format(n) end
  if n < 1e7 then return ("%.1f kB"):format(n / 1e3) end
  return ("%.1f MB"):format(n / 1e6)
end

local function indent(text, by) return (text:gsub("[^\n]+", by .. "%0")) end

local function kernels_text(plan)
  local n = #plan.groups
  local count = counted(n, "fused kernel")
  if plan.tier == 1 then
    local from = plan.from_cache and "from the cache" or "compiled"
    return ("tier 1: %s, %s in %.0f ms, in use since call %d"):format(count, from, plan.compile_seconds * 1e3,
      plan.fused_after + 1)
  elseif plan.kernels == "none" then
    return ("tier 0: operators run one by one (%s)"):format(plan.why)
  elseif plan.kernels == "failed" then
    return ("tier 0: the kernels did not compile: %s"):format(plan.why)
  end
  local state = { ready = "ready for the next call", compiling = "being compiled",
    waiting = "waiting for the compiler" }
  return ("tier 0 until now; %s, %s"):format(count, state[plan.kernels])
end

-- `written`: the kernel that a C text was printed for.
local function group_text(group, i, lines, written, plan_number)
  local size = group.kind == "elements" and group.rows == 1 and ("%d elements"):format(group.n) or
    ("%d rows of %d"):format(group.rows, group.n)
  local leads = group.leader and (", as the epilogue of %s%s"):format(group.leader,
    group.leader_name ~= "" and (" (%s)"):format(group.leader_name) or "") or ""
  lines[#lines + 1] = ("    kernel %d, by %s: %s, %d in, %d out%s"):format(i, group.kind, size, group.inputs,
    group.outputs, leads)
  for _, member in ipairs(group.members) do
    local name = member.name ~= "" and (" (%s)"):format(member.name) or ""
    lines[#lines + 1] = ("      %s%s  %s"):format(member.op, name, member.line)
  end
  if written[group.c] then
    lines[#lines + 1] = "      the C text is that of " .. written[group.c]
  else
    written[group.c] = ("kernel %d of specialization %d"):format(i, plan_number)
    lines[#lines + 1] = indent(group.c:gsub("\n$", ""), "      | ")
  end
end

local function add_table(rows, lines)
  local width = {}
  for _, row in ipairs(rows) do
    for k, cell in ipairs(row) do width[k] = math.max(width[k] or 0, utf8.len(cell) or #cell) end
  end
  for _, row in ipairs(rows) do
    local line = "   "
    for k, cell in ipairs(row) do
      line = line .. " " .. cell .. (" "):rep(width[k] - (utf8.len(cell) or #cell)) .. " "
    end
    lines[#lines + 1] = line:gsub("%s+$", "")
  end
end

local function value_row(v)
  local where = v.home == "arena" and ("workspace +%d"):format(v.offset) or v.home
  local op = v.leader or v.op
  local name = v.name ~= "" and ("%s (%s)"):format(op, v.name) or op
  if v.group and not v.own then name = (v.leader and name .. " + " or "") .. ("kernel %d"):format(v.group) end
  if v.form ~= "" and (v.own or not v.group) then name = name .. ", " .. v.form end
  return { name, v.type, where, v.line .. (v.backward and "  backward" or "") }
end

local function plan_text(plan, i, lines, written)
  local mode = (plan.train and "training" or "predicting") .. (plan.record and ", with backward" or "")
  lines[#lines + 1] = ("  specialization %d: %s; %s"):format(i, table.concat(plan.inputs, ", "), mode)
  lines[#lines + 1] = ("    made in %.2f ms, then used %s; %s became %s%s"):format(plan.seconds * 1e3,
    counted(plan.hits, "time"),
    counted(plan.eager_nodes, "operator"), counted(plan.forward_instructions, "instruction"),
    plan.record and (" + %d backward"):format(plan.instructions - plan.forward_instructions) or "")
  lines[#lines + 1] = ("    memory: %s by eager execution; planned %s of workspace + %s of outputs"):format(
    bytes(plan.eager_bytes), bytes(plan.arena_bytes), bytes(plan.output_bytes))
  if plan.saved_bytes > 0 then
    lines[#lines + 1] = ("    from forward to backward: %s of saved values; %s now"):format(bytes(plan.saved_bytes),
      plan.runs == 0 and "held by no call" or
        "held by " .. counted(plan.runs, "call"))
  end
  for _, s in ipairs(plan.sharing) do
    lines[#lines + 1] = ("    output %d shares the memory of %s"):format(s.output,
      s.input and "input " .. s.input or "output " .. s.with)
  end
  lines[#lines + 1] = "    " .. kernels_text(plan)
  local rows = { { "value", "type", "where", "line" } }
  for k, v in ipairs(plan.values) do rows[k + 1] = value_row(v) end
  add_table(rows, lines)
  for k, group in ipairs(plan.groups) do group_text(group, k, lines, written, i) end
end

local function compiled_text(data, lines)
  lines[#lines + 1] = ("  %s made, %s"):format(counted(data.made, "specialization"), counted(data.hits, "hit"))
  if data.dropped > 0 then
    lines[#lines + 1] =
      ("  %s freed for others: more than %d kinds of calls alternate; see hybridize{max_plans = n}"):format(
      counted(data.dropped, "specialization"), data.max_plans)
  end
  local written = {}
  for i, plan in ipairs(data.plans) do plan_text(plan, i, lines, written) end
end

local read = arguments.new("explain", "format")

local function wants_table(...)
  local format = read(...).format
  if format ~= nil then checks.choice("explain: format", format, "text", "table") end
  return format == "table"
end

--- Explains a compiled function on its own.
function explain.compiled(compiled, ...)
  local as_table, data = wants_table(...), core.graph.explain(compiled)
  if as_table then return data end
  local lines = { ("compiled function %s"):format(data.name), indent(data.graph:gsub("\n$", ""), "  ") }
  compiled_text(data, lines)
  return table.concat(lines, "\n")
end

-- The number of calls of a trace: each made or found a specialization.
local function uses(compiled) return compiled.made + compiled.hits end

local function trace_data(t)
  local watched, captured = {}, {}
  for i, array in ipairs(t.captured) do captured[i] = { what = "made while the block was traced", array = array } end
  for _, list in ipairs { t.guards.fields, t.guards.others } do
    for _, guard in ipairs(list) do
      if guard.what then watched[#watched + 1] = { what = guard.what, value = guard.value, line = guard.line } end
      for _, c in ipairs(captured) do
        if rawequal(c.array, guard.value) then
          c.what, c.line = guard.what or guard.change:gsub(" was replaced$", ""), guard.line
        end
      end
    end
  end
  local params = {}
  for i, param in ipairs(t.params) do params[i] = param.name end
  local compiled = core.graph.explain(t.compiled)
  local steps = {}
  for i, step in ipairs(t.steps or {}) do steps[i] = { what = step.what, line = step.line } end
  return { key = t.text, steps = steps, reason = t.reason, hits = uses(compiled), by_shape = t.by_shape,
           shapes = t.by_shape and t.shapes or nil,
           scalars = t.scalars, bound = t.number_names,
           guards = watched, parameters = params, captured = #t.captured, captured_from = captured,
           compiled = compiled }
end

-- "upvalue k = 3", "upvalue helper is the same function".
local function guard_text(guard)
  local kind = type(guard.value)
  if kind == "userdata" and is_array(guard.value) then return guard.what .. " is an array like this" end
  if kind == "function" or kind == "table" or kind == "userdata" or kind == "thread" then
    return ("%s is the same %s"):format(guard.what, kind)
  end
  return ("%s = %s"):format(guard.what, tostring(guard.value))
end

local function trace_text(t, i, lines)
  lines[#lines + 1] = ("trace %d: %s"):format(i, t.key)
  lines[#lines + 1] = ("  made because: %s; used %s"):format(t.reason, counted(t.hits, "time"))
  if t.by_shape then lines[#lines + 1] = ("  for shapes %s only: the code reads shapes"):format(t.shapes) end
  if #t.scalars > 0 then
    lines[#lines + 1] = ("  bound at run time: %s; the graph reads %s"):format(table.concat(t.scalars, ", "),
      #t.bound > 0 and table.concat(t.bound, ", ") or "none of them")
  end
  if #t.guards > 0 then
    lines[#lines + 1] = "  valid while"
    for _, guard in ipairs(t.guards) do
      lines[#lines + 1] = ("    %s  %s"):format(guard_text(guard), guard.line or "")
    end
  end
  if t.captured > 0 then
    lines[#lines + 1] = ("  %s of the script, read again at each call"):format(counted(t.captured, "array"))
    for _, c in ipairs(t.captured_from) do lines[#lines + 1] = ("    %s  %s"):format(c.what, c.line or "") end
  end
  for _, step in ipairs(t.steps) do lines[#lines + 1] = ("  training step: %s  %s"):format(step.what, step.line) end
  lines[#lines + 1] = indent(t.compiled.graph:gsub("\n$", ""), "  ")
  compiled_text(t.compiled, lines)
end

local function hooked(block, path, list)
  for _, child in ipairs(block:_list_children()) do
    local name = path .. child.name
    if #child.value._hooks > 0 or #child.value._pre_hooks > 0 then list[#list + 1] = name end
    hooked(child.value, name .. ".", list)
  end
  return list
end

-- The segments of a block with a graph break, with explanations of the compiled ones.
local function segments_data(block)
  local list = breaks.report(block)
  for _, segment in ipairs(list) do
    local inner = segment.block
    segment.block = nil
    if segment.kind == "plain" then segment.why = "a plain Block"
    elseif inner then segment.explain = explain.block(inner, { format = "table" }) end
    if segment.kind == "read" then segment.why = "it needs values" end
    for i, compiled in ipairs(segment.compiled or {}) do segment.compiled[i] = core.graph.explain(compiled) end
  end
  return list
end

local SEGMENTS = { compiled = "compiled", segments = "in segments", plain = "eager, a plain Block",
                 read = "values are read", operators = "operators of its own" }

-- Appends a line "sum, sqrt  net.lua:7" for each line of the script.
local function operators_text(segment, lines)
  local line, names
  local function close() if line then lines[#lines + 1] = ("    %s  %s"):format(table.concat(names, ", "), line) end end
  for _, operator in ipairs(segment.operators) do
    if operator.line ~= line then
      close()
      line, names = operator.line, {}
    end
    names[#names + 1] = operator.name
  end
  close()
  local kinds = segment.kinds > 1 and (", with %d sets of shapes and numbers"):format(segment.kinds) or ""
  lines[#lines + 1] = ("    ran %s%s; %s"):format(counted(segment.runs, "time"), kinds,
    #segment.compiled > 0 and "compiled" or "one by one so far")
  local inner = {}
  for _, compiled in ipairs(segment.compiled) do compiled_text(compiled, inner) end
  for _, text in ipairs(inner) do lines[#lines + 1] = indent(text, "  ") end
end

local function block_text(data, lines)
  lines[#lines + 1] = ("%s %s: %s, %s"):format(data.class, data.name,
    data.hybridized and "hybridized" or "not hybridized", counted(#data.traces, "trace"))
  if #data.hooked > 0 then
    lines[#lines + 1] = "not compiled as a whole: hooks on " .. table.concat(data.hooked, ", ") ..
      " are called at every call"
  end
  if data.broken then lines[#lines + 1] = "in segments, because " .. data.broken end
  for i, segment in ipairs(data.segments) do
    lines[#lines + 1] = ("segment %d, %s: %s  %s"):format(i, SEGMENTS[segment.kind], segment.what, segment.line)
    if segment.operators then operators_text(segment, lines) end
    if segment.explain then
      local inner = {}
      block_text(segment.explain, inner)
      for k, line in ipairs(inner) do inner[k] = indent(line, "  ") end
      table.move(inner, 1, #inner, #lines + 1, lines)
    end
  end
  if data.dropped > 0 then lines[#lines + 1] = counted(data.dropped, "older trace") .. " dropped" end
  for i, t in ipairs(data.traces) do trace_text(t, i, lines) end
end

-- Former names of the table's keys, see docs/releasing.md.
local FORMER = {
  __index = function(data, key)
    if key ~= "pieces" then return nil end
    warn.here "explain: the key pieces is deprecated; write segments"
    return data.segments
  end,
}

--- Explains a hybridized block.
function explain.block(block, ...)
  local as_table = wants_table(...)
  local data = { name = block.name, class = class.of(block).__name__, hybridized = block._active or false, traces = {},
                 dropped = block._dropped or 0, hooked = hooked(block, "", {}),
                 broken = block._active and breaks.why_broken(block) or nil, segments = segments_data(block) }
  for i, t in ipairs(block._traces or {}) do data.traces[i] = trace_data(t) end
  if as_table then return setmetatable(data, FORMER) end
  local lines = {}
  block_text(data, lines)
  return table.concat(lines, "\n")
end

return explain
