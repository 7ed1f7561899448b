-- plain_cases.lua - random calls of rows with a plain text: an example's call with other sizes, dtypes, values and
-- parameters. Sizes are 0, 1, small ones, and those next to the block sizes of the row's kernels (Kernel.sizes).
local core = require "hybridlua.core"
local hl = require "hybridlua"
local fuses = require "support.fuses"
local plain_texts = require "support.plain_texts"
local scratch = require "support.scratch"
local variants = require "support.variants"
local nd = hl.nd

local plain_cases = {}

local SMALL = { 0, 1, 2, 3, 4, 5, 7, 9, 13, 31 }
-- Those of the orders of sums (base/math/tree_sum.h, kernels/matmul/product_order.h).
local ORDERS = " 16 64 256 1024"
local LONG = { 300, 1100, 1300, 2100 }      -- several blocks of an order
local MOST_ELEMENTS = 40000
local DTYPES = { "float32", "float32", "float64", "float64", "float16", "int32", "int64", "int8", "uint8", "bool" }

local function sizes_of(op)
  local list = { table.unpack(SMALL) }
  local largest = 0
  for text in (op.sizes .. ORDERS):gmatch "%d+" do
    local n = tonumber(text)
    for _, size in ipairs { n - 1, n, n + 1 } do list[#list + 1] = size end
    largest = math.max(largest, n)
  end
  assert(2 * largest + 3 < MOST_ELEMENTS, "sizes above the largest block are not drawn")
  list[#list + 1] = 2 * largest + 3
  return table.move(LONG, 1, #LONG, #list + 1, list)
end

-- ---- Drawing ----------------------------------------------------------------------------------------------

local function elements(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

-- Draws another value for a parameter, or keeps it: `given` is that of the example.
local function draw_value(g, p, given)
  if p.choices then return g:pick(p.choices) end
  if p.type:find "^bool" then return g.below(2) == 0 end
  if p.type:find "^int" then return (math.type(given) == "integer" and given or 0) + g.below(5) - 2 end
  if p.type:find "^float" then return (g.below(9) - 3) / 4 end
  if p.type:find "^shape" and type(given) == "table" then
    local list = {}
    for i = 1, #given do list[i] = g.below(2) == 0 and given[i] or g.below(4) end
    return list
  end
  if p.type:find "^dtype" then return g:pick(DTYPES) end
  return given
end

local function draw_options(g, op, given)
  local options = {}
  for key, value in pairs(given) do options[key] = value end
  for _, p in ipairs(op.params) do
    if not p.counted and g.below(3) == 0 then
      local value = draw_value(g, p, given[p.name])
      if g.below(8) ~= 0 or p.required then options[p.name] = value else options[p.name] = nil end
    end
  end
  return options
end

-- The example of a row with any number of inputs, with other numbers of them.
local function draw_count(g, example)
  if not example.op.variadic or g.below(2) == 0 then return example end
  local arrays = {}
  for i = 1, 1 + g.below(7) do arrays[i] = g:pick(example.arrays) end
  return { op = example.op, arrays = arrays, options = example.options }
end

-- The arrays of the example with up to three dimensions replaced everywhere.
local function draw_shapes(g, example, sizes)
  local replaced = {}
  for _ = 1, g.below(4) do
    local x = g:pick(example.arrays)
    if x and #x.shape > 0 then replaced[g:pick(x.shape)] = g:pick(sizes) end
  end
  local arrays, total = {}, 0
  for i, x in ipairs(example.arrays) do
    local shape = {}
    for k, d in ipairs(x.shape) do shape[k] = replaced[d] or d end
    arrays[i] = { shape = shape, dtype = x.dtype, key = x.key, whole = x.whole }
    total = total + elements(shape)
  end
  return total <= MOST_ELEMENTS and arrays or nil
end

-- The row's function of Symbols, or nil if it has none.
local function symbol_function(op)
  local names = { op.name, table.unpack(op.aliases) }
  for _, name in ipairs(names) do
    local at = hl.sym
    for part in name:gmatch "[^.]+" do
      local ok, value = pcall(function() return at[part] end)
      at = ok and value or nil
      if not at then break end
    end
    if at then return at end
  end
end

-- The shapes of a Symbol's variables, by name, as far as the given ones determine them; 0: unknown.
local function known_shapes(s, given)
  local ok, arguments, _, states = pcall(core.symbol.infer_shape_partial, s, given, true)
  local shapes = {}
  for i, name in ipairs(ok and s:list_arguments() or {}) do shapes[name] = arguments[i] end
  for i, name in ipairs(ok and s:list_auxiliary_states() or {}) do shapes[name] = states[i] end
  return shapes
end

-- A Symbol of the call, with variables a1, a2, ..., or nil if it fails.
local function symbol_of(example, options)
  local f, variables = symbol_function(example.op), {}
  for i in ipairs(example.arrays) do variables[i] = hl.sym.var("a" .. i) end
  local ok, s = pcall(variants.caller({ op = example.op, arrays = example.arrays, options = options }, f),
    table.unpack(variables))
  if f and ok and type(s) == "table" then s = s[1] end
  return f and ok and type(s) == "userdata" and s or nil
end

local function longest_of(arrays)
  local longest = 0
  for _, x in ipairs(arrays) do
    for _, d in ipairs(x.shape) do longest = math.max(longest, d) end
  end
  return longest
end

-- Are outputs so large that computing them takes long? Only if a dimension is, as in products of rows with rows.
local function is_long(example, options)
  local given = {}
  for i, x in ipairs(example.arrays) do given["a" .. i] = x.shape end
  local s = longest_of(example.arrays) > 500 and symbol_of(example, options)
  local ok, _, outputs = pcall(core.symbol.infer_shape_partial, s, given, true)
  for _, shape in ipairs(s and ok and outputs or {}) do
    if elements(shape) > 10 * MOST_ELEMENTS then return true end
  end
  return false
end

-- The example's arrays in shapes drawn one after another; dimensions that follow from those before are not drawn.
local function draw_inferred(g, example, options, sizes)
  local s = symbol_of(example, options)
  if not s then return nil end
  local given, arrays, total, empty = {}, {}, 0, false
  local few = #example.arrays == 1 and 2 or 6          -- one dimension in a few is not small
  for i, x in ipairs(example.arrays) do
    local known, shape = known_shapes(s, given)["a" .. i] or {}, {}
    for k = 1, #known > 0 and #known or #x.shape do
      shape[k] = known[k] or 0
      if shape[k] == 0 and not empty then shape[k] = g.below(few) == 0 and g:pick(sizes) or 1 + g.below(5) end
      empty = empty or shape[k] == 0
    end
    given["a" .. i] = shape
    arrays[i] = { shape = shape, dtype = x.dtype, key = x.key, whole = x.whole }
    total = total + elements(shape)
  end
  return total <= MOST_ELEMENTS and arrays or nil
end

-- Whole numbers near 0, or up to the length of an axis, and beyond it.
local function draw_whole(g, shape, dtype, least, most)
  local values = {}
  for i = 1, elements(shape) do values[i] = least + g.below(most + 2 - least) end
  if #values == 0 then return nd.zeros(shape, { dtype = dtype }) end
  return nd.array(values, { dtype = "int64" }):reshape { shape = shape }:astype(dtype)
end

local function draw_arrays(g, example, dtype, special)
  local most = 2
  for _, x in ipairs(example.arrays) do
    for _, d in ipairs(x.shape) do if d < 3000 and g.below(2) == 0 then most = math.max(most, d) end end
  end
  local least = g.below(2) - 1
  local floats = (dtype == "float64" or dtype == "float32") and dtype or "float32"
  local list = variants.arrays(example, floats, special)
  local function limit() return g.below(2) == 0 and 0 or most end        -- 0: indices that short axes have
  for i, x in ipairs(example.arrays) do
    if not x.dtype:find "^float" then list[i] = draw_whole(g, x.shape, x.dtype, least, limit())
    elseif x.whole and g.below(2) == 0 then list[i] = draw_whole(g, x.shape, dtype, least, limit())
    elseif dtype ~= floats then list[i] = (list[i] * 3):astype(dtype)
    -- Drawn numbers have few bits: sums of some are exact in any order. A product with 0.7 has all bits.
    elseif not x.whole then list[i] = list[i] * 0.7 end
  end
  return list
end

local function generator(seed)
  local g = { below = scratch.numbers(seed) }
  function g:pick(list) return list[1 + self.below(#list)] end
  for _ = 1, 8 do g.below(2) end
  return g
end

-- ---- Cases ------------------------------------------------------------------------------------------------

local function list(x) return type(x) == "table" and x or { x } end

-- The places of an example's arrays in the order of the row's inputs: those given by position, then those by name.
local function input_order(example)
  local order, place = {}, {}
  for i, name in ipairs(example.op.inputs) do place[name] = i end
  for i in ipairs(example.arrays) do order[i] = i end
  local function rank(i) return place[example.arrays[i].key] or 0 end
  table.sort(order, function(i, k)
    if rank(i) ~= rank(k) then return rank(i) < rank(k) end
    return i < k
  end)
  return order
end

-- The case of a call, or nil if it has no text or fails, as calls with odd sizes and parameters may.
local function case_of(example, arrays)
  local before = {}
  for i, x in ipairs(arrays) do before[i] = example.op.mutates and x:copy() or x end
  local ok, outputs = pcall(variants.caller(example), table.unpack(arrays))
  if not ok then return nil end
  local call = variants.caller(example, function(...) return core.op.plain_call(example.op.name, ...) end)(
    table.unpack(arrays))
  if not call then return nil end
  local order = input_order(example)
  local inputs, after, at = {}, {}, 0
  for i, x in ipairs(call.inputs) do
    if x then at = at + 1 end
    inputs[i], after[i] = x and before[order[at]], x and arrays[order[at]]
  end
  local dtypes = {}
  for i, x in ipairs(arrays) do dtypes[i] = x.dtype end
  local text = ("%s of %s"):format(variants.text(example), table.concat(dtypes, ", "))
  -- Without fused multiply-adds, OpenBLAS computes all products.
  local rounded = call.rounded or not fuses and plain_texts.fuses(call)
  return { text = text, call = call, rounded = rounded, inputs = inputs, after = after, outputs = list(outputs) }
end

--- `count` random calls of a row, and its examples: a list of { text, call, rounded, inputs, after, outputs }, where
-- `after` has the inputs after the call, and `rounded` means that kernel and text agree to rounding only; and the
-- number of draws that the row refused.
function plain_cases.of(op, count, seed)
  local g, cases, refused = generator(seed), {}, 0
  local examples, sizes = {}, sizes_of(op)
  for _, example in ipairs(variants.examples(op, true)) do
    if #example.arrays > 0 then examples[#examples + 1] = example end
  end
  assert(#examples > 0, op.name .. " has no example that is one call")
  for _, example in ipairs(examples) do
    cases[#cases + 1] = case_of(example, variants.arrays(example, "float32", false))
  end
  for _ = 1, 60 * count do
    if #cases >= count then break end
    local example = draw_count(g, g:pick(examples))
    local options = draw_options(g, op, example.options)
    local arrays
    if g.below(2) == 0 then arrays = draw_shapes(g, example, sizes)
    else arrays = draw_inferred(g, example, options, sizes) end
    if arrays then
      for _, x in ipairs(arrays) do            -- masks and longer integers, where the example has indices
        if x.dtype == "int32" and g.below(6) == 0 then x.dtype = g:pick { "int64", "bool" } end
      end
      local drawn = { op = op, arrays = arrays, options = options }
      local dtype = g:pick(DTYPES)
      -- NaNs among many elements hide the order of their sum.
      local special = g.below(longest_of(arrays) > 40 and 8 or 3) == 0
      local case = not is_long(drawn, options) and case_of(drawn, draw_arrays(g, drawn, dtype, special))
      local exact = case and not (case.rounded or case.call.finite)
      if case and not exact then case = case_of(drawn, draw_arrays(g, drawn, dtype, false)) end
      cases[#cases + 1] = case or nil
      if not case then refused = refused + 1 end
    end
  end
  return cases, refused
end

return plain_cases
