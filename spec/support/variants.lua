-- variants.lua - calls of rows in many shapes, derived from their examples: one dimension at a time gets other sizes in
-- all arrays, and each boolean and each choice among the options takes all its values.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local scratch = require "support.scratch"
local nd = hl.nd

local variants = {}

-- ---- Examples ------------------------------------------------------------------------------------------

-- The call of an internal row without an example: operands of one shape, numbers as parameters, and scalar arrays as
-- the last inputs of bound rows.
local function default_example(op)
  local arrays, options = {}, {}
  for i in ipairs(op.inputs) do
    local number = i > #op.inputs - op.numbers
    arrays[i] = { shape = number and {} or { 2, 3 }, dtype = number and "float64" or "float32" }
  end
  for i, p in ipairs(op.params) do if p.required then options[p.name] = i == 1 and -0.5 or 0.75 end end
  return { op = op, arrays = arrays, options = options }
end

local CONSTANTS = { _zeros = true, _ones = true, rint = true }

-- The arrays (positional, then by name) and options of an example's call of `op`; nil if the example does more than
-- that.
local function read_example(op, text)
  local arrays, calls, options, named = {}, 0, {}, {}
  local function call(...)
    calls = calls + 1
    local given = table.pack(...)
    for i = 1, given.n do
      local x = given[i]
      if getmetatable(x) == variants then arrays[#arrays + 1] = x
      elseif (type(x) ~= "table" or #x > 0) and op.params[i - #arrays] then
        options[op.params[i - #arrays].name] = x
      elseif type(x) == "table" and i == given.n then
        for key, value in pairs(x) do
          if getmetatable(value) == variants then
            value.key = key
            named[#named + 1] = value
          else
            options[key] = value
          end
        end
      else error "neither an array nor options" end
    end
    return {}
  end
  -- F, or with a prefix a table inside it, such as F.contrib.
  local function table_of(prefix)
    return setmetatable({}, { __index = function(_, name)
      if name == "NULL" then return nd.NULL end
      local row = core.op.row(prefix .. name) or prefix .. name == op.name
      if not row and prefix ~= "" then error "no row" end
      return row and call or table_of(name .. ".")
    end })
  end
  local F = table_of ""
  F.array = function(data, how)
    local array = nd.array(data, how)
    local given = type(how) == "table" and how.dtype
    return setmetatable({ shape = array.shape, dtype = given or "float32", values = array }, variants)
  end
  -- Constants, and whole numbers, as operands of other rows.
  if not CONSTANTS[op.name] then
    F.zeros = function(shape) return setmetatable({ shape = shape, dtype = "float32" }, variants) end
    F.ones = F.zeros
    F.rint = function(array)
      array.whole = true
      return array
    end
  end
  local ok = pcall(examples.run_with, text, F)
  table.sort(named, function(a, b) return a.key < b.key end)
  for _, x in ipairs(named) do arrays[#arrays + 1] = x end
  return ok and calls == 1 and { op = op, arrays = arrays, options = options } or nil
end

-- The example, and one for each value of its booleans and choices.
local function with_options(example)
  local list = { example }
  for _, p in ipairs(example.op.params) do
    local values = p.choices or (p.type:find "^bool" and { true, false }) or {}
    for _, value in ipairs(values) do
      local options = { [p.name] = value }
      for k, v in pairs(example.options) do if k ~= p.name then options[k] = v end end
      list[#list + 1] = { op = example.op, arrays = example.arrays, options = options }
    end
  end
  return list
end

--- The calls in a row's examples: lists of { op, arrays = {shape, dtype}, options }.
function variants.examples(op, all_options)
  local list = {}
  for _, text in ipairs(examples.of(op)) do
    local example = read_example(op, text)
    for _, e in ipairs(example and (all_options and with_options(example) or { example }) or {}) do
      list[#list + 1] = e
    end
  end
  if #list == 0 and op.elementwise then list[1] = default_example(op) end
  return list
end

-- ---- Sizes -----------------------------------------------------------------------------------------------

-- Replaces every dimension of size `from` by `to`.
local function resized(example, from, to)
  local arrays = {}
  for i, x in ipairs(example.arrays) do
    local shape = {}
    for k, d in ipairs(x.shape) do shape[k] = d == from and to or d end
    local values = from == to and x.values or nil
    arrays[i] = { shape = shape, dtype = x.dtype, values = values, key = x.key, whole = x.whole }
  end
  return { op = example.op, arrays = arrays, options = example.options }
end

local MOST_ELEMENTS = 1 << 19

local function is_small(example)
  for _, x in ipairs(example.arrays) do
    local n = 1
    for _, d in ipairs(x.shape) do n = n * d end
    if n > MOST_ELEMENTS then return false end
  end
  return true
end

--- The example in other sizes, one dimension at a time.
function variants.sizes(example, sizes)
  local list, seen = { example }, { [1] = true }
  for _, x in ipairs(example.arrays) do
    for _, d in ipairs(x.shape) do
      if not seen[d] then
        seen[d] = true
        for _, size in ipairs(sizes) do
          local other = resized(example, d, size)
          if size ~= d and is_small(other) then list[#list + 1] = other end
        end
      end
    end
  end
  return list
end

--- A function that calls the example's operator, or `fn` in its place, with given arrays.
function variants.caller(example, fn)
  fn = fn or core.op.row_function(example.op.name)
  return function(...)
    local arguments, options = { n = 0 }, {}
    for key, value in pairs(example.options) do options[key] = value end
    for i, x in ipairs(example.arrays) do
      if x.key then options[x.key] = (select(i, ...))
      else
        arguments.n = arguments.n + 1
        arguments[arguments.n] = (select(i, ...))
      end
    end
    if next(options) then
      arguments.n = arguments.n + 1
      arguments[arguments.n] = options
    end
    return fn(table.unpack(arguments, 1, arguments.n))
  end
end

local function value_text(value)
  if type(value) ~= "table" then return value == nd.NULL and "NULL" or tostring(value) end
  local words = {}
  for i, x in ipairs(value) do words[i] = value_text(x) end
  return "{" .. table.concat(words, ", ") .. "}"
end

function variants.text(example)
  local words, keys = {}, {}
  for i, x in ipairs(example.arrays) do
    words[i] = ("%s%s(%s)"):format(x.key and x.key .. " = " or "", x.dtype, table.concat(x.shape, ", "))
  end
  for k in pairs(example.options) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, k in ipairs(keys) do words[#words + 1] = ("%s = %s"):format(k, value_text(example.options[k])) end
  return ("%s(%s)"):format(example.op.name, table.concat(words, ", "))
end

-- ---- Values ------------------------------------------------------------------------------------------------

local SPECIAL = {
  float32 = { 0 / 0, 1 / 0, -1 / 0, -0.0, 1e-40, -1e-40, 3e38, -3e38, 1e-38, 0.0 },
  float64 = { 0 / 0, 1 / 0, -1 / 0, -0.0, 1e-310, -1e-310, 1.7e308, -1.7e308, 2.3e-308, 0.0 },
}

-- The number of different elements; not a multiple of any kernel's block size.
local PERIOD = 4099

-- The bytes of PERIOD elements within a domain; with `special`, one in 41 is from SPECIAL.
local drawn = {}
local function period_of(dtype, low, high, special, seed)
  local key = table.concat({ dtype, low, high, tostring(special), seed }, " ")
  if drawn[key] then return drawn[key] end
  local below, values = scratch.numbers(seed), {}
  for _ = 1, 8 do below(2) end
  local format = dtype == "float64" and "<d" or "<f"
  for i = 1, PERIOD do
    local value = low + (high - low) * (below(1 << 20) / (1 << 20))
    if special and below(41) == 0 then value = SPECIAL[dtype][below(#SPECIAL[dtype]) + 1] end
    values[i] = string.pack(format, value)
  end
  drawn[key] = table.concat(values)
  return drawn[key]
end

local function values_of(x, dtype, low, high, special, seed)
  local n, width = 1, dtype == "float64" and 8 or 4
  for _, d in ipairs(x.shape) do n = n * d end
  local bytes = period_of(dtype, low, high, special, seed)
  return nd.from_bytes(bytes:rep(n // PERIOD + 1):sub(1, n * width), x.shape, dtype)
end

--- Arrays for a call: floats in `dtype`, others with the example's dtypes and values.
function variants.arrays(example, dtype, special)
  local low, high = example.op.domain:match "(%S+)%s+(%S+)"
  local list = {}
  for i, x in ipairs(example.arrays) do
    if x.dtype ~= "float32" and x.dtype ~= "float64" then
      list[i] = x.values and x.values:copy() or (values_of(x, "float32", 0, 2, false, i)):astype(x.dtype)
    elseif x.whole then
      list[i] = nd.rint(values_of(x, dtype, -2, 9, false, i))
    else
      list[i] = values_of(x, dtype, tonumber(low), tonumber(high), special, i * 31 + #x.shape)
    end
  end
  return list
end

return variants
