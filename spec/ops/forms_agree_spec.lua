-- forms_agree_spec.lua - the forms of an operator agree. A row has several: a kernel, simpler operators that fuse (its
-- `lower`), simpler operators that can be differentiated (`expand`), and fused kernels. Every row runs in all forms,
-- even if that does not pay, with many shapes and special values, and must have the bits of its kernel.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local variants = require "support.variants"
local nd, autograd = hl.nd, hl.autograd

local MODES = {
  { name = "compiled", debug = { jit = "sync" } },
  { name = "lowered, one by one", debug = { jit = "off", decompose = "lowered" }, column = "lowers" },
  { name = "lowered and fused", debug = { jit = "sync", decompose = "lowered" }, column = "lowers" },
  { name = "expanded, one by one", debug = { jit = "off", decompose = "expanded" }, column = "expands" },
  { name = "expanded and fused", debug = { jit = "sync", decompose = "expanded" }, column = "expands" },
}

-- Sizes above every constant by which kernels divide work (base/math/tree_sum.h): 16 lanes, 64 rows, 1024 per block,
-- 8192 kept, 1 << 17 shared among threads.
local MANY, SOME, FEW = { 0, 1, 7, 65, 1025, 8193, (1 << 17) + 1 }, { 0, 1, 7, 1025 }, { 0, 7 }
local other_processor = scratch.is_own_program and os.getenv "HYBRIDLUA"
if other_processor then MANY, SOME, FEW = { 0, 65, 1025 }, { 7 }, {}
elseif not scratch.is_first_pass then MANY, SOME, FEW = { 65 }, { 7 }, {} end
local EACH = (scratch.is_first_pass or other_processor) and 1 or 4       -- one row in EACH runs

local function list(x) return type(x) == "table" and x or { x } end

-- Results of fn for copies of the arrays, then the copies, to which it may write.
local function run(fn, arrays)
  local copies = {}
  for i, x in ipairs(arrays) do copies[i] = x:copy() end
  hl.random.seed(7)
  local results = list(fn(table.unpack(copies)))
  return table.move(copies, 1, #copies, #results + 1, { table.unpack(results) })
end

-- Results of fn in one mode, and the number of operators decomposed for it.
local function run_in(mode, fn, arrays)
  local before = core.host.debug(mode.debug)
  local ok, result = pcall(run, fn, arrays)
  local apart = core.host.debug(before).n_decomposed - before.n_decomposed
  if not ok then error(result, 0) end
  return result, apart
end

-- Float inputs without a gradient are values of the forward operator (a mean of the data), which `expand` recomputes:
-- it can be forced only in gradients.
local function needs_forward(op)
  local all = true
  for i in ipairs(op.inputs) do all = all and op.differentiable[i] end
  return op.internal and not all
end

-- Single expressions run as separate operators: fusion_spec and the fuzz tests cover their fusion, and compiling each
-- would take minutes.
local function runs_in(mode, op)
  if mode.column == "expands" and needs_forward(op) then return false end
  return not mode.column or (op[mode.column] and not (op.elementwise and mode.debug.jit == "sync"))
end

local function compare(actual, expected, what, nearly)
  for i, y in ipairs(expected) do
    local check = nearly and assert.allclose or assert.bits
    local same, message = pcall(check, actual[i], y)
    if not same then error(("%s: output %d: %s"):format(what, i, tostring(message)), 0) end
  end
end

-- Compares fn(arrays) in all modes that `wanted` accepts with eager results; false if eager code fails. Counts
-- decompositions by mode.
local function check(eager, compiled, arrays, what, wanted, counts, nearly)
  local ok, expected = pcall(run, eager, arrays)
  if not ok then return false end
  for _, mode in ipairs(MODES) do
    if wanted(mode) then
      local place = what .. ": " .. mode.name
      local done, actual, apart = pcall(run_in, mode, compiled(), arrays)
      if not done then error(place .. ": " .. tostring(actual), 0) end
      compare(actual, expected, place, nearly and mode.column == "expands")
      counts[mode.name] = (counts[mode.name] or 0) + (mode.column and apart or 1)
    end
  end
  return true
end

local function each_call(op, sizes, all_options, fn)
  for _, example in ipairs(variants.examples(op, all_options)) do
    for _, variant in ipairs(variants.sizes(example, sizes)) do
      for _, dtype in ipairs { "float32", "float64" } do
        fn(variant, dtype, ("%s, %s"):format(variants.text(variant), dtype))
      end
    end
  end
end

local function check_forward(op)
  local counts, calls = {}, 0
  local written_twice = op.lowers or op.expands
  local sizes = (not written_twice or op.rounds_once) and FEW or op.elementwise and SOME or MANY
  each_call(op, sizes, written_twice, function(variant, dtype, what)
    local call = variants.caller(variant)
    local function compiled() return hl.compile(function(_, ...) return call(...) end) end
    local function wanted(mode) return runs_in(mode, op) end
    if check(call, compiled, variants.arrays(variant, dtype, false), what, wanted, counts, op.rounds_once) then
      calls = calls + 1
    end
    if written_twice and not op.rounds_once then
      check(call, compiled, variants.arrays(variant, dtype, true), what .. ", special values", wanted, counts)
    end
  end)
  if not written_twice then return end
  assert.truthy(calls > 0, "no call of it")
  for _, mode in ipairs(MODES) do
    if mode.column and runs_in(mode, op) then assert.truthy((counts[mode.name] or 0) > 0, mode.name .. ": never") end
  end
end

-- The gradients of all floats, for distinct head gradients.
local function gradients_of(call, arrays)
  local wanted = {}
  for _, x in ipairs(arrays) do
    if x.dtype:find "^float" then
      x:attach_grad()
      wanted[#wanted + 1] = x
    end
  end
  local y = autograd.record(function() return list(call(table.unpack(arrays)))[1] end)
  y:backward((nd.arange(y.size, { dtype = y.dtype }) * 0.25 + 1):reshape { shape = y.shape })
  for i, x in ipairs(wanted) do wanted[i] = x.grad:copy() end
  return wanted
end

local function check_gradient(op)
  local counts = {}
  each_call(op, SOME, true, function(variant, dtype, what)
    local call = variants.caller(variant)
    local function eager(...) return gradients_of(call, { ... }) end
    local function compiled()
      local fn = hl.compile(function(_, ...) return call(...) end)
      return function(...) return gradients_of(fn, { ... }) end
    end
    local function wanted(mode) return mode.column ~= nil end
    check(eager, compiled, variants.arrays(variant, dtype, false), "gradient of " .. what, wanted, counts, false)
  end)
  assert.truthy(next(counts), "no call of it")
  for _, other in ipairs(core.op.rows()) do
    if other.family == op.family and other.expands and needs_forward(other) then
      assert.truthy((counts["expanded, one by one"] or 0) > 0, "nothing was expanded, such as " .. other.name)
    end
  end
end

describe("the same bits decomposed, fused, and from the kernel:", function()
  for i, op in ipairs(core.op.rows()) do
    local written_twice, public = op.lowers or op.expands, not op.internal
    if not op.dynamic and (written_twice or public) and i % EACH == 0 then
      it(op.name, function() check_forward(op) end)
      if written_twice and public and op.differentiable[1] and not (op.random or op.rounds_once) then
        it(op.name .. ", its gradients", function() check_gradient(op) end)
      end
    end
  end
end)
