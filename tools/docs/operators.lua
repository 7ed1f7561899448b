-- operators.lua - the text of docs/ops.md, from the rows and the opening comments of their files.
--
-- Examples are run for their output. Numbers are rounded to 6 significant digits, and to 0 below 1e-6 of the largest,
-- since BLAS's last digits depend on the processor.
local core = require "hybridlua.core"
local help = require "hybridlua.help"
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

-- ---- Examples -------------------------------------------------------------------------------

local function is_array(x) return type(x) == "userdata" and core.array.is(x) end
local function is_float(x) return is_array(x) and x.dtype:match "^float" ~= nil end

local function largest(t)
  if type(t) ~= "table" then return (t == t and math.abs(t) ~= math.huge) and math.abs(t) or 0 end
  local most = 0
  for _, item in ipairs(t) do most = math.max(most, largest(item)) end
  return most
end

local function rounded(t, tiny)
  if type(t) == "table" then
    local out = {}
    for i, item in ipairs(t) do out[i] = rounded(item, tiny) end
    return out
  end
  if t ~= t or math.abs(t) == math.huge then return t end
  return math.abs(t) < tiny and 0.0 or tonumber(("%.6g"):format(t))
end

-- The printed form of a value, rounded if it is a float array.
local function printed(x)
  if not is_array(x) then return tostring(x) end
  if not is_float(x) or x.size == 0 then return tostring(x) end
  local values = x:totable()
  return tostring(nd.array(rounded(values, largest(values) * 1e-6), { dtype = x.dtype }))
end

-- The results of an example; `prepare` transforms each array that its F.array creates.
local function run(text, prepare)
  local F = setmetatable({}, { __index = nd })
  function F.array(...) return prepare(nd.array(...)) end
  local results = { assert(load("local F = ... return " .. text, "=example", "t"))(F) }
  return type(results[1]) == "table" and results[1] or results
end

local function as_it_is(x) return x end

local function add_example(add, op, text)
  add("> " .. text)
  if op.random then return end
  for _, x in ipairs(run(text, as_it_is)) do
    for line in printed(x):gmatch "[^\n]+" do add(line) end
  end
end

-- ---- Gradients ------------------------------------------------------------------------------

-- A sum of all float elements, each with a different weight.
local function weighted(arrays)
  local total
  for _, x in ipairs(arrays) do
    if is_float(x) and x.size > 0 then
      local weights = nd.arange(1, x.size + 1, { dtype = x.dtype }):cos():reshape(x.shape)
      local term = (x * weights):sum()
      total = total and total + term or term
    end
  end
  return total
end

-- A weighted sum of the gradients of an example's float inputs, in float64 and shifted by `shift`; and these inputs.
local function sum_of_gradients(text, shift)
  local variables = {}
  local sum = autograd.record(function()
    local total = weighted(run(text, function(x)
      if not is_float(x) then return x end
      x = autograd.pause(function() return x:astype "float64" + shift end)
      x:attach_grad()
      variables[#variables + 1] = x
      return x
    end))
    return weighted(autograd.grad(total, variables, { create_graph = true }))
  end)
  return sum, variables
end

local function all_zero(variables)
  for _, x in ipairs(variables) do
    if x.size > 0 and x.grad:abs():max():asscalar() ~= 0 then return false end
  end
  return true
end

-- Classifies the gradient of the gradient by the example. Its gradients are zero if the gradient is constant, or if one
-- of its operators has no gradient; a shift of the inputs distinguishes the two.
local function second_order(op, text)
  if op.random or op.dynamic or op.mutates then return "" end
  local ok, sum, variables = pcall(sum_of_gradients, text, 0)
  if not ok or not sum then return "" end
  if pcall(sum.backward, sum) and not all_zero(variables) then return "; of any order" end
  local moved = sum_of_gradients(text, 1e-3)
  local change = math.abs(moved:asscalar() - sum:asscalar())
  return change < 1e-9 and "; its own gradient is zero" or "; of first order only"
end

local function gradient_line(op, text)
  local names, all = {}, true
  for i, name in ipairs(op.inputs) do
    if op.differentiable[i] then names[#names + 1] = "`" .. name .. "`" end
    all = all and op.differentiable[i]
  end
  if #names == 0 then return "none" end
  local of = all and (#names == 1 and "yes" or "of every input") or "of " .. table.concat(names, ", ")
  if op.by_design then return of .. "; by design it is not the derivative" end
  return of .. second_order(op, text)
end

-- ---- Rows -----------------------------------------------------------------------------------

-- All names of each row, including its snake_case forms.
local function names_by_row()
  local names = {}
  local function add(key, prefix, value)
    local op = type(value) == "function" and core.op.row(prefix .. key)
    if not op then return end
    names[op.name] = names[op.name] or {}
    table.insert(names[op.name], prefix .. key)
  end
  for key, value in pairs(nd) do
    if type(value) == "table" then
      for inner, f in pairs(value) do add(inner, key .. ".", f) end
    else
      add(key, "", value)
    end
  end
  for _, list in pairs(names) do table.sort(list) end
  return names
end

local function word(text) return "`" .. text .. "`" end

-- The text with Markdown's special characters escaped.
local function plain(text) return (text:gsub("[%*_<>|%[%]]", "\\%0")) end

local function flags_line(op)
  local says = {}
  if op.random then says[#says + 1] = "draws random numbers" end
  if op.train then says[#says + 1] = "computes different results in training mode" end
  if op.mutates then says[#says + 1] = "writes to some of its inputs" end
  if op.dynamic then says[#says + 1] = "works on arrays only: the shape of its result depends on values" end
  if op.view then says[#says + 1] = "its result shares the input's memory if possible" end
  if op.lapack then says[#says + 1] = "computed by LAPACK: bits depend on the library and the processor" end
  if op.floats_only then says[#says + 1] = "accepts only float dtypes" end
  return #says > 0 and table.concat(says, "; ") or nil
end

local function add_params(add, op)
  if #op.params == 0 then return end
  add "| parameter | type | default | |"
  add "|---|---|---|---|"
  for _, p in ipairs(op.params) do
    local kind = p.choices and word("'" .. table.concat(p.choices, "', '") .. "'") or word(p.type)
    local default = p.required and "required" or p.counted and "filled in" or word(help.literal(p.default))
    add(("| %s | %s | %s | %s |"):format(word(p.name), kind, default, plain(p.doc)))
  end
  add ""
end

local function add_row(add, op, names)
  local others, first = {}, op.example and op.example:match "[^\n]+"
  for _, name in ipairs(names[op.name] or {}) do if name ~= op.name then others[#others + 1] = word(name) end end
  add(("### %s"):format(op.name))
  add ""
  add(plain(op.doc:match "[%.%)]$" and op.doc or op.doc .. "."))
  add ""
  add "```"
  add("F." .. help.signature(op))
  add "```"
  add ""
  add_params(add, op)
  local function fact(title, text) if text then add(("- %s: %s"):format(title, text)) end end
  fact("also called", #others > 0 and table.concat(others, ", ") or nil)
  fact("Lua operator", op.metamethod and word(op.metamethod))
  fact("each element", op.expr and word(op.expr))
  fact("outputs", #op.outputs > 1 and word(table.concat(op.outputs, ", ")) or nil)
  fact("gradient", gradient_line(op, first))
  fact("note", flags_line(op))
  add ""
  if not op.example then return end
  add "```"
  for text in op.example:gmatch "[^\n]+" do add_example(add, op, text) end
  add "```"
  add ""
end

-- ---- Families ----------------------------------------------------------------------------------

-- A title and the first paragraph from the opening comment of a family's file.
local function about(family)
  local found = io.popen(("find src/ops -name %s.c"):format(family))
  local file = found:read "l"
  found:close()
  local comment = assert(io.open(file)):read "a":match "^/%*(.-)%*/"
  local first = comment:gsub("\n%*%*", "\n"):match "^(.-)\n%s*\n" or comment:gsub("\n%*%*", "\n")
  local text = first:gsub("%s+", " "):match "%- (.-)%s*$"
  local title = text:match "^(.-)[:%.;]"
  return title:gsub("^%l", string.upper), text:gsub("^%l", string.upper), file
end

local function families()
  local list, by_name = {}, {}
  for _, op in ipairs(core.op.rows()) do
    if not op.internal then
      local family = by_name[op.family]
      if not family then
        family = { name = op.family }
        list[#list + 1], by_name[op.family] = family, family
      end
      family[#family + 1] = op
    end
  end
  return list
end

local function anchor(text) return (text:lower():gsub("[^%w%s_-]", ""):gsub(" ", "-")) end

local HEAD = [[
# Operators

`make docs` generates this page from the operators' rows; do not edit it. `F` is `nd`, whose operators compute
immediately, or `sym`, whose operators create nodes. Inputs come first, then a table of options, which may name inputs
too. Every operator with inputs is a method of its first one: `F.softmax(x)` is `x:softmax()`. Unless it returns a view,
`x:name_()` writes the result into `x`. `{out = y}` writes the result into the array `y`, and `{out = {y, z}}` several
results into several arrays. Indices count from 0. `hybridlua --help-op NAME` on the command line and `?nd.NAME` at the
prompt print an entry.

To try the examples at the prompt, type `F = nd` first. Their numbers are rounded to 6 significant digits here. Results
of random operators are omitted.
]]

--- The text of docs/ops.md.
return function()
  local lines, names, list = {}, names_by_row(), families()
  local function add(text) lines[#lines + 1] = text end
  core.random.seed(0)
  add(HEAD)
  add "## Contents"
  add ""
  for _, family in ipairs(list) do
    local title, links = about(family.name), {}
    for i, op in ipairs(family) do links[i] = ("[%s](#%s)"):format(plain(op.name), anchor(op.name)) end
    add(("- [%s](#%s): %s"):format(title, anchor(title), table.concat(links, ", ")))
  end
  add ""
  for _, family in ipairs(list) do
    local title, text, file = about(family.name)
    add("## " .. title)
    add ""
    add(("%s ([%s](../%s))"):format(plain(text), file, file))
    add ""
    for _, op in ipairs(family) do add_row(add, op, names) end
  end
  return (table.concat(lines, "\n"):gsub("\n+$", "\n"))
end
