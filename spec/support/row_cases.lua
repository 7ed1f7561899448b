-- row_cases.lua - calls of every row and their gradients, derived from its examples, in float32, every accepted integer
-- dtype and bool: results that must have the same bits in every build and mode.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local variants = require "support.variants"
local nd, autograd = hl.nd, hl.autograd

local row_cases = {}

local function list(x) return type(x) == "table" and x or { x } end

local function is_float(x) return x.dtype == "float32" or x.dtype == "float64" end

-- An output's gradient 1, 1.25, ...: distinct elements in short arrays, bounded in long ones.
local function head_of(y)
  local steps = nd.arange(y.size, { dtype = "int64" }) % 4093
  return (steps:astype(y.dtype) * 0.25 + 1):reshape { shape = y.shape }
end

--- A list of arrays: the results of call(arrays...), the arguments after the call, and the gradients of all outputs
-- with respect to the float arguments. The call gets copies of `arrays`.
function row_cases.results(call, arrays, may_differentiate)
  local copies, results = {}, {}
  for i, x in ipairs(arrays) do
    copies[i] = x:copy()
    if may_differentiate and is_float(x) then copies[i]:attach_grad() end
  end
  hl.random.seed(7)
  local outputs = autograd.record(function() return list(call(table.unpack(copies))) end)
  local heads, on_tape = {}, {}
  for _, y in ipairs(outputs) do
    results[#results + 1] = y
    if is_float(y) and core.autograd.on_tape(y) then
      on_tape[#on_tape + 1], heads[#heads + 1] = y, head_of(y)
    end
  end
  if #on_tape > 0 then autograd.backward(on_tape, heads) end
  for _, x in ipairs(copies) do
    results[#results + 1] = x
    if may_differentiate and is_float(x) then results[#results + 1] = x.grad end
  end
  return results
end

local DTYPES = { "int8", "uint8", "int32", "int64", "bool" }

-- The arrays with floats cast to `dtype`; nil if there are no floats.
local function whole(arrays, dtype)
  local casts, any = {}, false
  for i, x in ipairs(arrays) do
    casts[i] = is_float(x) and x:abs():astype(dtype) or x
    any = any or is_float(x)
  end
  return any and casts or nil
end

-- The call of an example as written, with its own values.
local function written_case(op, text)
  local arrays = examples.arrays_of(text, "float32")
  local function call(...)
    local given = { ... }
    return examples.run(text, nd, function(i) return given[i] end)
  end
  return { name = text, op = op, call = call, arrays = arrays, is_example = true }
end

local function asks_for_float64(options)
  for _, value in pairs(options) do if value == "float64" then return true end end
  return false
end

-- Adds a case in float32, and in the integer dtypes and bool.
local function add(cases, case)
  cases[#cases + 1] = case
  for _, dtype in ipairs(DTYPES) do
    local given = whole(case.arrays, dtype)
    if given then
      local name = ("%s in %s"):format(case.name, dtype)
      cases[#cases + 1] = { name = name, op = case.op, call = case.call, arrays = given }
    end
  end
end

--- The cases of a row: lists of { name, op, call, arrays, is_example }. If a call that is not an example fails, it
-- fails in every build. `sizes` are further sizes of the examples' dimensions.
function row_cases.of(op, sizes)
  local cases = {}
  for _, text in ipairs(examples.of(op)) do
    add(cases, written_case(op, (text:gsub('"float64"', '"float32"'))))
  end
  for _, example in ipairs(variants.examples(op, true)) do
    for _, variant in ipairs(variants.sizes(example, sizes)) do
      if not asks_for_float64(variant.options) then
        add(cases, { name = variants.text(variant), op = op, call = variants.caller(variant),
                     arrays = variants.arrays(variant, "float32", false) })
      end
    end
  end
  return cases
end

function row_cases.compiled(fn) return hl.compile(function(_, ...) return fn(...) end) end

--- The results of a case, or nil and the error.
function row_cases.run(case, hybridized)
  local call = hybridized and not case.op.dynamic and row_cases.compiled(case.call) or case.call
  local ok, results = pcall(row_cases.results, call, case.arrays, not case.op.mutates)
  if ok then return results end
  return nil, results
end

return row_cases
