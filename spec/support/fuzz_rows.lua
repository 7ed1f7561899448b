-- fuzz_rows.lua - random graphs over the rows of a few inputs of one shape. They have several reductions of rows, whose
-- results are combined with whole arrays again, products of inputs that are also read elsewhere, functions of whole
-- rows, and several heads. They test fusion: much of such a graph could be one kernel, but some kernels would then need
-- each other's results. Rows of the registry are chosen by their columns.
local core = require "hybridlua.core"

local function parameters(op)
  local has = {}
  for _, p in ipairs(op.params) do has[p.name] = p end
  return has
end

-- Reductions along axes that may be kept; elementwise rows of one value and of two; products with weights; functions of
-- whole rows.
local reductions, unary, binary, products, wholes = {}, {}, {}, {}, {}
for _, op in ipairs(core.op.rows()) do
  local has = parameters(op)
  if not (op.internal or op.dynamic or op.mutates or op.random) then
    if op.reduction and has.axis and has.keepdims and #op.inputs == 1 then reductions[#reductions + 1] = op end
    local smooth = op.elementwise and #op.params == 0 and op.differentiable[1]
    if smooth and #op.inputs == 1 then unary[#unary + 1] = op end
    if smooth and #op.inputs == 2 then binary[#binary + 1] = op end
    if has.num_hidden and has.flatten then products[#products + 1] = op end
    if has.temperature and has.axis then wholes[#wholes + 1] = op end
  end
end

-- The few rows that a graph draws repeatedly. Usually they include only one of the first two reductions,
-- whose gradients spread over whole rows.
local function palette(g)
  g.reductions, g.unary, g.binary = { reductions[1 + g.below(2)] }, {}, {}
  if g:one_in(3) then g.reductions[2] = g:pick(reductions) end
  for i = 1, 3 do g.unary[i], g.binary[i] = g:pick(unary), g:pick(binary) end
end

local function reduced(g, x)
  return ("F[%q](%s, { axis = 1, keepdims = true })"):format(g:pick(g.reductions).name, x.expr)
end

local function reduce(g, x) return reduced(g, x), { x } end

local function map(g, x) return ("F[%q](%s)"):format(g:pick(g.unary).name, x.expr), { x } end

local function combine_two(g, x, y)
  return ("F[%q](%s, %s)"):format(g:pick(g.binary).name, x.expr, y.expr), { x, y }
end

local function combine(g, x) return combine_two(g, x, g:pick(g.pool)) end

-- Combines x with a row reduction of itself or of another value.
local function spread(g, x)
  local y = g:pick(g.pool)
  return ("F[%q](%s, %s)"):format(g:pick(g.binary).name, x.expr, reduced(g, y)), { x, y }
end

local function multiply(g, x)
  local n = g:pick { 4, x.shape[2], 12 }
  local weight = g:add_input(("input(%d, { %d, %d }, %q) * 0.5"):format(g.below(1000000), n, x.shape[2], g.dtype))
  g.pool[#g.pool] = nil                        -- its shape differs from the rows'
  return ("F[%q](%s, %s, { num_hidden = %d, no_bias = true, flatten = false })"):format(
    g:pick(products).name, x.expr, weight.expr, n), { x, weight }
end

local function whole(g, x) return ("F[%q](%s, { axis = 1 })"):format(g:pick(wholes).name, x.expr), { x } end

local KINDS = { spread, spread, spread, spread, combine, map, map, multiply, multiply, whole }
local MOST_TRIES = 40

-- Calls kind(g, ...) as a step; nil if no try returned a matrix.
local function step(g, kind, ...)
  for _ = 1, MOST_TRIES do
    local n_inputs, given = #g.inputs, select("#", ...) > 0 and { ... } or { g:pick(g.pool) }
    local text, uses = (kind or g:pick(KINDS))(g, table.unpack(given))
    local name, values = g:try(text)
    if name and #values == 1 and #values[1].array.shape == 2 and values[1].array.dtype == g.dtype then
      g:add_value(values[1])
      return { text = ("local %s = %s"):format(name, text), uses = uses, values = values }
    end
    for i = #g.inputs, n_inputs + 1, -1 do g.inputs[i] = nil end
  end
end

-- Reductions of nearly all values, each combined with earlier ones.
local function gather(g, steps)
  local total
  for i = 1, #steps do
    local part = not g:one_in(8) and step(g, reduce, steps[i].values[1])
    steps[#steps + 1] = part or nil
    local both = total and part and step(g, combine_two, total, part.values[1])
    steps[#steps + 1] = both or nil
    total = both and both.values[1] or total or part and part.values[1]
  end
end

-- Several heads, including the last value.
local function results(g, steps)
  local list = {}
  for i = #steps, 1, -1 do
    if i == #steps or g:one_in(8) then list[#list + 1] = steps[i].values[1] end
  end
  return list
end

--- A graph by generator g of fuzz.lua.
return function(g)
  local shape = ("{ %d, %d }"):format(2 + g.below(5), g:pick { 4, 7, 12 })
  for _ = 1, 1 + g.below(3) do
    g:add_input(("input(%d, %s, %q)"):format(g.below(1000000), shape, g.dtype))
  end
  g.n_data = #g.pool
  palette(g)
  local main = { name = "graph", steps = {} }
  for _ = 1, 6 + g.below(12) do main.steps[#main.steps + 1] = step(g) end
  if not g:one_in(8) then gather(g, main.steps) end
  if #main.steps == 0 then return nil end
  main.results = results(g, main.steps)
  return { seed = g.seed, dtype = g.dtype, inputs = g.inputs, functions = { main }, train = not g:one_in(4) }
end
