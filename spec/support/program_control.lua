-- program_control.lua - foreach, while_loop and cond among the lines of random programs.
--
-- A body consists of ordinary lines over its items and states, some outer values, and one or two children that both can
-- reach, so loops nest. The first result of a body depends on everything that it reads, and the rest of the program
-- uses only values that depend on that. So whether a gradient reaches a value never depends on the number of
-- iterations, where eager and compiled code differ (docs/guide/control_flow.md).
local values = require "support.program_values"

local control = {}

local MOST_DEPTH = 2

local function size(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

local function rows_shape(n, shape) return { n, table.unpack(shape) } end

-- Can an untaken branch contain this child? A layer has parameters then only if its shapes are known.
local function is_ready(c) return c.kind == "same" or c.kind == "dense" and not c.deferred end

-- A body without iterations is traced, in eager code too, so it must not read values.
local function is_traceable(c) return not c.reads end

-- A body inside b with a few outer values, and children for which allowed(c), or any.
local function inner_body(b, free, allowed)
  local g, inner = b.g, b:inside()
  for _, v in ipairs(free) do inner.leaves[#inner.leaves + 1] = v end
  for _, c in ipairs(b.children) do
    local reaches = #inner.children < 2 and (not allowed or allowed(c)) and g:one_in(2)
    if reaches then inner.children[#inner.children + 1] = c end
  end
  return inner
end

local function free_values(b)
  local list = {}
  for _ = 1, b.g.below(3) do list[#list + 1] = b:operand() end
  return list
end

-- The lines, with a call of each child; returns the values that the first result must also depend on.
local function fill(inner, places, free)
  local g, needed = inner.g, {}
  for _, v in ipairs(places) do needed[#needed + 1] = v end
  for _, v in ipairs(free) do needed[#needed + 1] = v end
  for _ = 1, 1 + g.below(3) do inner:statement() end
  for i = #inner.children, 1, -1 do
    local before, e = #inner.pool, values.call(inner, inner.children[i])
    if e then inner:add(inner:local_line(e.text, e)) end
    table.move(inner.pool, before + 1, #inner.pool, #needed + 1, needed)
  end
  if g:one_in(2) then inner:statement() end
  return needed
end

-- `base` combined with all `needed` values, in the shape of base.
local function depending(inner, base, needed)
  local words = { base.expr }
  for _, v in ipairs(needed) do
    if v.expr ~= base.expr then
      local same = values.same_shape(v.shape, base.shape)
      words[#words + 1] = same and inner.g:pick { "%s", "%s * 0.3" }:format(v.expr) or
        ("F.sum(%s) * 0.2"):format(v.expr)
    end
  end
  return table.concat(words, " + ")
end

-- The last value of a shape, or sometimes another one.
local function value_of(inner, shape)
  if inner.g:one_in(4) then return inner:operand(shape) end
  for i = #inner.pool, 1, -1 do if values.same_shape(inner.pool[i].shape, shape) then return inner.pool[i] end end
  return inner:operand(shape)
end

-- Outputs of a loop of n iterations: texts, and the shape of a row of each.
local function loop_outputs(inner, needed, n)
  local g, base = inner.g, inner.pool[#inner.pool]
  if n * size(base.shape) > 64 or #base.shape > 2 then
    base = { expr = ("F.sum(%s)"):format(base.expr), shape = { 1 } }
  end
  local words, shapes = { depending(inner, base, needed) }, { base.shape }
  local other = g:one_in(2) and inner:operand()
  if other and n * size(other.shape) <= 64 and #other.shape <= 2 then words[2], shapes[2] = other.expr, other.shape end
  return words, shapes
end

local function list_text(words) return #words == 1 and words[1] or "{ " .. table.concat(words, ", ") .. " }" end

-- An expression for item i of a list, which is a single array if n is 1.
local function item(name, i, n) return n == 1 and name or ("%s[%d]"):format(name, i) end

-- Makes results values of b: the first as it is, the others combined with the first.
local function expose(b, results)
  local first = results[1]
  b.pool[#b.pool + 1] = first
  for i = 2, #results do
    local r = results[i]
    if b.g:one_in(2) then
      b:add(b:local_line(("%s + F.sum(%s) * 0.1"):format(r.expr, first.expr), { shapes = { r.shape } }))
    end
  end
  if b.g:one_in(2) then b.pool[#b.pool + 1] = first end
end

local function states_of(b)
  local list = {}
  for _ = 1, 1 + b.g.below(2) do list[#list + 1] = b:operand() end
  return list
end

local function exprs(list)
  local words = {}
  for i, v in ipairs(list) do words[i] = v.expr end
  return words
end

local function new_states(inner, places)
  local words = {}
  for i, s in ipairs(places) do words[i] = value_of(inner, s.shape).expr end
  return words
end

local function results_of(o, shapes, n, s, states, first_state)
  local results = {}
  for i, shape in ipairs(shapes) do results[i] = { expr = item(o, i, #shapes), shape = rows_shape(n, shape) } end
  for i = first_state, #states do results[#results + 1] = { expr = item(s, i, #states), shape = states[i].shape } end
  return results
end

local function places_of(g, letter, list, shape_of)
  local name, places = g:name(letter), {}
  for i, v in ipairs(list) do places[i] = { expr = item(name, i, #list), shape = shape_of(v) } end
  return name, places
end

local function data_of(b)
  local list = {}
  for _ = 1, 12 do
    local v = b:operand()
    local alike = #list == 0 or v.shape[1] == list[1].shape[1]
    if #v.shape >= 2 and alike then list[#list + 1] = v end
    if #list == 2 or #list == 1 and b.g:one_in(3) then break end
  end
  return list
end

local function foreach(b)
  local g, data = b.g, data_of(b)
  if #data == 0 then return false end
  local n, states, free, words_of_data = data[1].shape[1], states_of(b), free_values(b), exprs(data)
  if g.on.none and g:one_in(2) then
    n = 0
    for i, word in ipairs(words_of_data) do words_of_data[i] = word .. "[{ { 0, 0 } }]" end
  end
  local inner = inner_body(b, free, n == 0 and is_traceable)
  local i, items = places_of(g, "i", data, function(v) return { table.unpack(v.shape, 2) } end)
  local s, places = places_of(g, "s", states, function(v) return v.shape end)
  inner.pool = { table.unpack(items) }
  table.move(places, 1, #places, #inner.pool + 1, inner.pool)
  local needed = fill(inner, inner.pool, free)
  local words, shapes = loop_outputs(inner, needed, n)
  inner:add { text = ("return %s, %s"):format(list_text(words), list_text(new_states(inner, places))) }
  local o, last = g:name "o", g:name "o"
  b:add { head = ("local %s, %s = F.foreach(function(%s, %s)"):format(o, last, i, s), body = inner.nodes,
          tail = ("end, %s, %s)"):format(list_text(words_of_data), list_text(exprs(states))) }
  expose(b, results_of(o, shapes, n, last, states, 1))
  return true
end

local function while_loop(b)
  local g, states, free = b.g, states_of(b), free_values(b)
  local most, limit = 1 + g.below(4), 1 + g.below(4)
  if g.on.none and g:one_in(2) then
    limit = 0
    if g:one_in(4) then most = 0 end
  end
  local inner, counter, names, places = inner_body(b, free, limit == 0 and is_traceable), g:name "n", {}, {}
  for k, v in ipairs(states) do
    names[k] = g:name "s"
    places[k] = { expr = names[k], shape = v.shape }
  end
  inner.pool = { table.unpack(places) }
  local needed = fill(inner, inner.pool, free)
  local words, shapes = loop_outputs(inner, needed, most)
  local arguments, vars = table.concat({ counter, table.unpack(names) }, ", "),
    { { shape = { 1 } }, table.unpack(states) }
  inner:add { text = ("return %s, { %s + 1, %s }"):format(list_text(words), counter,
    table.concat(new_states(inner, places), ", ")) }
  local o, last = g:name "o", g:name "o"
  local condition = ("function(%s) return %s:lesser(%d) end"):format(arguments, counter, limit)
  b:add { head = ("local %s, %s = F.while_loop(%s, function(%s)"):format(o, last, condition, arguments),
          body = inner.nodes,
          tail = ("end, { F.zeros{1}, %s }, {max_iterations = %d})"):format(table.concat(exprs(states), ", "), most) }
  expose(b, results_of(o, shapes, most, last, vars, 2))
  return true
end

local function cond(b)
  local g, free, branches, kept = b.g, free_values(b), {}, b.operand(b)
  local outputs, shared = { kept.shape }, nil
  if g:one_in(3) then outputs[2] = g.on.batch and kept.shape or b:operand().shape end
  for k = 1, 2 do
    local inner = inner_body(b, free, is_ready)
    if shared then inner.children = shared end
    shared = inner.children
    inner.pool = { kept }
    local needed = fill(inner, inner.pool, free)
    local words = { depending(inner, value_of(inner, outputs[1]), needed) }
    if outputs[2] then
      local other = inner:operand(outputs[2])
      words[2] = other and other.expr or ("F.zeros(%s, {dtype = %q})"):format(values.shape_text(outputs[2]), g.dtype)
    end
    inner:add { text = "return " .. list_text(words) }
    branches[k] = inner.nodes
  end
  local o = g:name "o"
  local pred = g:pick { "F.sum(%s):greater(0)", "F.sum(%s):lesser(0)",
    "F.sum(%s):greater(-100)" }:format(b:operand().expr)
  b:add { head = ("local %s = F.cond(%s, function()"):format(o, pred), body = branches[1], between = "end, function()",
          other = branches[2],
          tail = "end)" }
  local results = {}
  for i, shape in ipairs(outputs) do results[i] = { expr = item(o, i, #outputs), shape = shape } end
  expose(b, results)
  return true
end

--- Adds a loop or a condition to a body, if one can be drawn.
function control.statement(b)
  if b.depth >= MOST_DEPTH then return false end
  -- in a graph both branches are traced, so an error in the one not taken is raised too
  return b.g:pick { foreach, foreach, while_loop, b.g.on.mistakes and while_loop or cond } (b)
end

return control
