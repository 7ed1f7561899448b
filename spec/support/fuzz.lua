-- fuzz.lua - random graphs, written as Lua functions. No operator is named here: they are drawn from the registry. A
-- statement is a row with random parameters, an example of a row with some arrays replaced by values of the graph, or a
-- row as a layer. A layer has parameters that fit and new inputs of inferred shapes; a chain of elementwise rows often
-- follows it. Each statement runs immediately. If it raises an error, or returns only NaN, another one is drawn. One
-- graph in five works on the rows of a few inputs of one shape (fuzz_rows.lua).
--
-- A graph is { functions = {...}, inputs = {...}, dtype, seed }. The last function is the graph, the others are blocks
-- that it calls. A function is { name, params, steps, results }, a step { text, uses, values }, a value { expr, shape,
-- dtype } where expr is "v3" or "v3[2]".
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local rows_graph = require "support.fuzz_rows"

local nd, sym = hl.nd, hl.sym
local fuzz = {}

-- ---- Rows to draw from ---------------------------------------------------------------------

local rows, elementwise, examples, layers = {}, {}, {}, {}

-- Weight of a row as a layer. It is highest for kernels with an epilogue or a window, and for states that training
-- changes. Next come other parameters that must fit the data, and inputs whose shapes may follow from the first one's.
local FITTING = { kernel = 5, pad_width = 2, pooled_size = 2, target_shape = 2, output_size = 2, height = 2, nsize = 1,
  use_mask = 3 }

local function layer_weight(op)
  if op.reports_tiles then return 20 end
  if op.mutates then return op.train and 5 or 0 end
  local weight = #op.inputs > 1 and not (op.elementwise or op.variadic or op.random) and 1 or 0
  for _, p in ipairs(op.params) do weight = math.max(weight, #op.inputs > 0 and FITTING[p.name] or 0) end
  return weight
end

-- Eigenvalues and the like of general matrices are left out: most random matrices have none that are real.
for _, op in ipairs(core.op.rows()) do
  if not (op.internal or op.dynamic or op.family == "lu_eig_expm") then
    if not op.mutates and #op.inputs > 0 then rows[#rows + 1] = op end
    if op.elementwise then elementwise[#elementwise + 1] = op end
    for _ = 1, layer_weight(op) do layers[#layers + 1] = op end
    for line in (op.example or ""):gmatch "[^\n]+" do
      if line:find("F.array", 1, true) then examples[#examples + 1] = { op = op, text = line } end
    end
  end
end

local MOST_ELEMENTS, MOST_TRIES = 4096, 40

-- ---- Inputs ---------------------------------------------------------------------------------

-- Functions for the texts of inputs, and for scripts.
fuzz.preamble = [[
local function input(seed, shape, dtype)
  hl.random.seed(seed)
  return nd.random.uniform(-2, 2, { shape = shape, dtype = dtype })
end
]]

local function environment()
  local env = setmetatable({ hl = hl, nd = nd, autograd = hl.autograd }, { __index = _G })
  env.input = assert(load(fuzz.preamble .. " return input", "=preamble", "t", env))()
  return env
end
fuzz.environment = environment

local function list_text(list)
  local parts = {}
  for i, x in ipairs(list) do parts[i] = tostring(x) end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- The values of a result, one array or a table of arrays, as { expr, array }.
local function spread(expr, result)
  if type(result) ~= "table" then return { { expr = expr, array = result } } end
  local list = {}
  for i, x in ipairs(result) do list[i] = { expr = ("%s[%d]"):format(expr, i), array = x } end
  return list
end

-- ---- The generator ------------------------------------------------------------------------------

local Generator = {}
Generator.__index = Generator

function Generator:one_in(n) return self.below(n) == 0 end
function Generator:pick(list) return list[self.below(#list) + 1] end

function Generator:new_name(letter)
  self.names = self.names + 1
  return letter .. self.names - 1
end

function Generator:add_value(value)
  value.shape, value.dtype = value.array.shape, value.array.dtype
  self.pool[#self.pool + 1] = value
end

-- Adds an input of the whole graph; `text` makes its array.
function Generator:add_input(text)
  local array = assert(load("return " .. text, "=input", "t", self.env))()
  local name = self:new_name "x"
  local float = array.dtype:find "^float" ~= nil
  local req = float and
    self:pick { "write", "write", "write", array.dtype ~= "float16" and "add" or "write", "null" } or nil
  self.inputs[#self.inputs + 1] = { name = name, text = text, req = req, shape = array.shape, dtype = array.dtype }
  self.bound[name] = array
  local value = { expr = name, array = array }
  self:add_value(value)
  return value
end

-- Few different dimensions, so that shapes often fit or broadcast; sometimes 1 or 0.
function Generator:random_shape()
  local shape, n = {}, self:pick { 0, 1, 1, 2, 2, 2, 3, 3, 4 }
  for i = 1, n do shape[i] = self:one_in(6) and 1 or self:one_in(40) and 0 or self:pick(self.dims) end
  return shape
end

function Generator:random_input()
  local dtype = self:one_in(8) and self:pick { "float32", "float64", "int32", "int64", "float16", "bool" } or self.dtype
  if dtype:find "^float" then
    return self:add_input(("input(%d, %s, %q)"):format(self.below(1000000), list_text(self:random_shape()), dtype))
  end
  return self:add_input(("(input(%d, %s, %q) * 2):astype(%q)"):format(self.below(1000000),
    list_text(self:random_shape()), "float32", dtype))
end

-- A value for an operand: recent ones more often; like `other` if that is given and possible.
function Generator:operand(other)
  if other and not self:one_in(4) then
    local alike = {}
    for _, v in ipairs(self.pool) do
      if v.dtype == other.dtype and list_text(v.shape) == list_text(other.shape) then alike[#alike + 1] = v end
    end
    return self:pick(alike)
  end
  local n = #self.pool
  return self.pool[n - self.below(self:one_in(2) and math.min(n, 3) or n)]
end

local function draw_ints(g, n, low, high)
  local list = {}
  for i = 1, n do list[i] = low + g.below(high - low + 1) end
  return list
end

-- The text of a parameter, or nil for its default.
function Generator:parameter(p, operand)
  if not p.required and self:one_in(2) then return nil end
  local kind, ndim = p.type, #operand.shape
  if p.choices then return ("%q"):format(self:pick(p.choices)) end
  if kind:find "^bool" then return self:pick { "true", "false" } end
  if kind:find "^int" then return tostring(self:pick { 0, 1, 2, -1, ndim - 1, 3 }) end
  if kind:find "^floats" then return list_text { 0.5, 1.5 } end
  if kind:find "^float" then return ("%.3g"):format(self.below(400) / 100 - 2 + 1e-3) end
  if kind:find "^dtype" then return ("%q"):format(self:pick { "float32", "float64", "int32", "float16" }) end
  if kind:find "^shape" then
    if self:one_in(3) then return list_text(draw_ints(self, ndim, 0, math.max(0, ndim - 1))) end
    if self:one_in(2) then return tostring(self.below(math.max(1, ndim))) end
    return self:one_in(2) and list_text { -1 } or list_text(self:random_shape())
  end
  return nil
end

-- "F.op(v1, v2, {axis = 1})" and the values that it uses; `first` is the first operand of elementwise rows.
function Generator:from_row(first)
  local op = self:pick((first or self:one_in(2)) and elementwise or rows)
  local n = op.variadic and 1 + self.below(3) or #op.inputs
  local uses, words, options = {}, {}, {}
  for i = 1, n do
    uses[i] = i == 1 and first or self:operand(uses[1])
    words[i] = uses[i].expr
  end
  for _, p in ipairs(op.params) do
    if not p.name:find "^num_" then
      local text = self:parameter(p, uses[1] or { shape = {} })
      if text then options[#options + 1] = ("[%q] = %s"):format(p.name, text) end
    end
  end
  if #options > 0 then words[#words + 1] = "{" .. table.concat(options, ", ") .. "}" end
  return ("F[%q](%s)"):format(op.name, table.concat(words, ", ")), uses
end

-- Parameters of windows and filters that fit data of a shape, or nil if the row has other names.
local windows = {
  kernel = function(g, shape)
    return list_text(g:each_axis(shape, function(size) return 1 + g.below(math.min(3, size)) end))
  end,
  stride = function(g, shape) return list_text(g:each_axis(shape, function() return 1 + g.below(2) end)) end,
  dilate = function(g, shape) return list_text(g:each_axis(shape, function() return 1 + g.below(2) end)) end,
  pad = function(g, shape) return list_text(g:each_axis(shape, function() return g.below(2) end)) end,
  num_filter = function(g, shape) return tostring(shape[2] * g:pick(shape[2] > 8 and { 1 } or { 1, 1, 2, 16, 32 })) end,
  num_group = function(g, shape) return tostring(g:one_in(2) and 1 or shape[2]) end,
  num_hidden = function(g) return tostring(1 + g.below(4)) end,
  pad_width = function(g, shape)
    return list_text { 0, 0, 0, 0, table.unpack(draw_ints(g, 2 * math.max(0, #shape - 2), 0, 1)) }
  end,
  pooled_size = function(g) return list_text(draw_ints(g, 2, 1, 3)) end,
  target_shape = function(g) return list_text(draw_ints(g, 2, 1, 3)) end,
  output_size = function(g, shape) return list_text(g:each_axis(shape, function() return 1 + g.below(4) end)) end,
  height = function(g) return tostring(1 + g.below(4)) end,
  width = function(g) return tostring(1 + g.below(4)) end,
  nsize = function(g) return tostring(1 + 2 * g.below(2)) end,
  spatial_scale = function(g) return g:pick { "0.5", "1" } end,
}

function Generator:each_axis(shape, draw)
  local list = {}
  for i = 3, #shape do list[i - 2] = draw(shape[i]) end
  return list
end

-- A shape (batch, channel, one to three axes) of n elements.
function Generator:window_shape(n)
  local shape = {}
  for i = 1, 1 + self:pick { 1, 2, 2, 2, 3 } do
    local divisors = {}
    for d = 1, math.min(n, 8) do if n % d == 0 then divisors[#divisors + 1] = d end end
    shape[i] = self:pick(divisors)
    n = n // shape[i]
  end
  shape[#shape + 1] = n
  return shape
end

-- The same with few positions and more channels, for which kernels keep packed weights.
function Generator:wide_shape()
  return { 1 + self.below(2), self:pick { 4, 8, 16 }, table.unpack(draw_ints(self, self:pick { 1, 2, 2 }, 1, 3)) }
end

-- A row as a layer: F.op(F.reshape(v1, ...), x2, x3, {...}), with new inputs of inferred shapes after the data.
function Generator:from_layer()
  local op, wide = self:pick(layers), self:one_in(3) and self:wide_shape()
  local fresh = wide and ("input(%d, %s, %q)"):format(self.below(1000000), list_text(wide), self.dtype)
  local data = wide and self:add_input(fresh) or self:operand()
  local size, words, uses, options, given = 1, {}, { data }, {}, {}
  for _, d in ipairs(data.shape) do size = size * d end
  if size == 0 or not data.dtype:find "^float[36]" then error "no data" end
  local shape = wide or self:window_shape(size)
  for _, p in ipairs(op.params) do
    local fit = windows[p.name]
    local text = fit and (p.required or not self:one_in(3)) and fit(self, shape) or
      not fit and self:parameter(p, { shape = shape }) or nil
    if text then
      options[#options + 1] = ("[%q] = %s"):format(p.name, text)
      given[p.name] = load("return " .. text)()
    end
  end
  given[op.inputs[1]], given.name = sym.var "d", "l"
  local graph = sym[op.name](given)
  local names, known = graph:list_arguments(), { d = shape }
  local shapes, _, states = graph:infer_shape_partial(known)
  for k = 2, #shapes do            -- dimensions that earlier inputs do not determine, such as the number of positions
    local open = false
    for i, d in ipairs(shapes[k]) do
      if d == 0 then shapes[k][i], open = 1 + self.below(3), true end
    end
    if #shapes[k] > 0 then known[names[k]] = shapes[k] end
    if open then shapes, _, states = graph:infer_shape_partial(known) end
  end
  words[1] = ("F.reshape(%s, %s)"):format(data.expr, list_text(shape))
  for i = 2, #shapes + #states do
    local is_state = i > #shapes
    local text = ("input(%d, %s, %q)"):format(self.below(1000000),
      list_text(is_state and states[i - #shapes] or shapes[i]), data.dtype)
    uses[i] = self:add_input(is_state and text .. ":abs() + 0.5" or text)
    if is_state then self.inputs[#self.inputs].req = nil end             -- states have no gradients
    words[i] = uses[i].expr
  end
  if #options > 0 then words[#words + 1] = "{" .. table.concat(options, ", ") .. "}" end
  return ("F[%q](%s)"):format(op.name, table.concat(words, ", ")), uses
end

-- An example of a row; its arrays become values of the same shape, or new inputs.
function Generator:from_example()
  local example = self:pick(examples)
  local uses = {}
  local function replace(arguments)
    local ok, array = pcall(assert(load("return nd.array" .. arguments, "=example", "t", self.env)))
    if not ok then error(array, 0) end
    local known = { shape = array.shape, dtype = array.dtype == "float32" and self.dtype or array.dtype }
    local value = not example.op.mutates and self:one_in(2) and self:operand(known) or nil
    if not value or list_text(value.shape) ~= list_text(known.shape) then
      value = self:add_input("nd.array" .. arguments ..
        (known.dtype ~= array.dtype and (":astype(%q)"):format(known.dtype) or ""))
      if example.op.mutates then self.inputs[#self.inputs].req = nil end      -- states have no gradients
    end
    uses[#uses + 1] = value
    return value.expr
  end
  local text = example.text:gsub("F%.array%s*(%b{})", replace):gsub("F%.array(%b())", replace)
  return text, uses
end

-- Does it usually contain numbers worth computing with? NaN hides later errors.
local function is_useful(array)
  if array.size == 0 then return true end
  for text in array:astype("float64"):reshape(-1):sum():tobytes():gmatch "........" do
    local number = string.unpack("<d", text)
    if number ~= number or number == math.huge or number == -math.huge then return false end
  end
  return true
end

-- Runs an expression of the values so far; returns its values, or nil.
function Generator:try(expr)
  local fn = load("local F = ... return " .. expr, "=step", "t", self.scope)
  if not fn then return nil end
  hl.random.seed(self.seed)
  local ok, result = pcall(fn, nd)
  if not ok or result == nil then return nil end
  local name = self:new_name "v"
  local values = spread(name, result)
  if #values == 0 then return nil end
  for _, v in ipairs(values) do
    if not core.array.is(v.array) or v.array.size > MOST_ELEMENTS then return nil end
    if not is_useful(v.array) and not self:one_in(20) then return nil end
  end
  self.bound[name] = result
  return name, values
end

function Generator:step()
  local before = self.goes_on                      -- the result of a layer, or of a chain after it
  self.goes_on = nil
  for _ = 1, MOST_TRIES do
    local n_inputs, n_pool = #self.inputs, #self.pool
    local first = not self:one_in(3) and before or nil
    local from = not first and self:one_in(6) and "from_layer" or not first and self:one_in(4) and "from_example" or
      "from_row"
    local made, text, uses = pcall(self[from], self, first)
    local name, values
    if made then name, values = self:try(text) end
    if name then
      if first or from == "from_layer" then self.goes_on = values[1] end
      for _, v in ipairs(values) do self:add_value(v) end
      return { text = ("local %s = %s"):format(name, text), uses = uses, values = values }
    end
    for i = #self.inputs, n_inputs + 1, -1 do self.inputs[i] = nil end
    for i = #self.pool, n_pool + 1, -1 do self.pool[i] = nil end
  end
end

-- One or more of the values, later ones more often.
function Generator:results(steps)
  local list, seen = {}, {}
  for i = #steps, 1, -1 do
    for _, v in ipairs(steps[i].values) do
      local wanted = #list == 0 or (#list < 4 and self:one_in(3))
      if wanted and not seen[v.expr] then
        seen[v.expr] = true
        list[#list + 1] = v
      end
    end
  end
  return list
end

-- A block called by the graph, with its own steps over some values of the pool.
function Generator:inner_function()
  local outer_pool, name, params, arguments = self.pool, self:new_name "block", {}, {}
  self.pool = {}
  for i = 1, 1 + self.below(2) do
    local value = outer_pool[#outer_pool - self.below(math.min(#outer_pool, 5))]
    local param = self:new_name "a"
    params[i], arguments[i] = param, value
    self.bound[param] = value.array
    self:add_value { expr = param, array = value.array }
  end
  local n_inputs, steps = #self.inputs, {}
  for _ = 1, 2 + self.below(4) do
    local step = self:step()
    if step then steps[#steps + 1] = step end
  end
  for i = n_inputs + 1, #self.inputs do          -- inputs of its examples: further parameters
    params[#params + 1], arguments[#arguments + 1] = self.inputs[i].name, { expr = self.inputs[i].name }
  end
  local inner_pool = self.pool
  self.pool = outer_pool
  for _, v in ipairs(inner_pool) do if v.expr:find "^x" then self.pool[#self.pool + 1] = v end end
  if #steps == 0 then return nil end
  return { name = name, params = params, steps = steps, results = self:results(steps) }, arguments
end

-- A step that calls an inner function; its results become values of the graph.
function Generator:call_step(fn, arguments)
  local words, names, values = {}, {}, {}
  for i, v in ipairs(arguments) do words[i] = v.expr end
  for i, result in ipairs(fn.results) do
    names[i] = self:new_name "v"
    self.bound[names[i]] = result.array
    values[i] = { expr = names[i], array = result.array }
    self:add_value(values[i])
  end
  return { text = ("local %s = %s(%s)"):format(table.concat(names, ", "), fn.name, table.concat(words, ", ")),
    uses = arguments, values = values }
end

local ROWS_EACH = 5

--- Draws a graph from a seed.
function fuzz.graph(seed)
  local g = setmetatable({ below = scratch.numbers(seed * 7919 + 12345), seed = seed, names = 0, pool = {},
    inputs = {} }, Generator)
  for _ = 1, 8 do g.below(2) end
  g.env = environment()
  g.bound = {}
  g.scope = setmetatable({}, { __index = g.bound })
  g.dims = { 1 + g.below(4), 2 + g.below(3), 1 + g.below(9) }
  g.dtype = g:one_in(2) and "float32" or "float64"
  if seed % ROWS_EACH == 0 then return rows_graph(g) end
  for _ = 1, 1 + g.below(3) do g:random_input() end
  local main, functions = { name = "graph", steps = {} }, {}
  for _ = 1, 2 + g.below(12) do
    local fn, arguments
    if g:one_in(12) then fn, arguments = g:inner_function() end
    local step = fn and g:call_step(fn, arguments) or g:step()
    if fn then functions[#functions + 1] = fn end
    main.steps[#main.steps + 1] = step
  end
  if #main.steps == 0 then return nil end
  main.results = g:results(main.steps)
  if g:one_in(30) then main.results[#main.results + 1] = g:pick(g.pool) end
  functions[#functions + 1] = main
  return { seed = seed, dtype = g.dtype, inputs = g.inputs, functions = functions, train = not g:one_in(4) }
end

-- ---- As text -----------------------------------------------------------------------------------------

local function function_text(fn, params, lines)
  local inner = fn.name ~= "graph"
  lines[#lines + 1] = ("local %s = %sfunction(%s)"):format(fn.name, inner and "block(" or "",
    table.concat({ "F", table.unpack(params) }, ", "))
  for _, step in ipairs(fn.steps) do lines[#lines + 1] = "  " .. step.text end
  local results = {}
  for i, v in ipairs(fn.results) do results[i] = v.expr end
  lines[#lines + 1] = "  return " .. table.concat(results, ", ")
  lines[#lines + 1] = inner and "end)" or "end"
end

--- The functions of a graph: Lua text that defines `graph` (and the blocks that it calls, by block(fn)).
function fuzz.text(graph)
  local lines = {}
  for _, fn in ipairs(graph.functions) do
    local params = fn.params or {}
    if not fn.params then for i, x in ipairs(graph.inputs) do params[i] = x.name end end
    function_text(fn, params, lines)
  end
  return table.concat(lines, "\n") .. "\n"
end

return fuzz
