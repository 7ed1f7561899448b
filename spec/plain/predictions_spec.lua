-- predictions_spec.lua - every operator that a prediction can contain is defined in a form that programs can read: by
-- an expression, a fold, a view, a plain text (src/ir/plain.h), or operators that are defined. All rows of the registry
-- count, except those that a column sets apart.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local variants = require "support.variants"
local nd = hl.nd

local function list(x) return type(x) == "table" and x or { x } end

local function is_defined(row) return row.plain or row.fusible or row.reduction or row.view end

-- Has src/ops/train the row?
local function is_of_training(row)
  local file <close> = io.open(("src/ops/train/%s.c"):format(row.family))
  return file ~= nil
end

-- Rows that exported C has no text of: LAPACK computes them; their shapes depend on values; they draw, even in a
-- prediction; they act beyond their outputs, as print does; only training has them. Rows without inputs, and those
-- whose outputs depend on types alone, are constants.
local function is_apart(row)
  return row.lapack or row.dynamic or row.random and not row.train or row.ordered or is_of_training(row) or
    #row.inputs == 0 or row.by_types
end

-- The rows that an example of a row is decomposed into.
local function parts_of(row, text)
  local arrays = examples.arrays_of(text, "float32")
  local f = hl.compile(function(F, ...)
    local given = { ... }
    return table.unpack(list(examples.run(text, F, function(i) return given[i] end)))
  end)
  local before = core.host.debug { decompose = row.expands and "expanded" or "lowered" }
  local ok, message = pcall(f, table.unpack(arrays))
  core.host.debug(before)
  assert(ok, message)
  local parts = {}
  for _, value in ipairs(f:explain { format = "table" }.traces[1].compiled.plans[1].values) do
    parts[#parts + 1] = core.op.row(value.op)
  end
  return parts
end

-- Is each of these parts defined? The first that is not, or nil.
local function undefined_part(row)
  for _, text in ipairs(examples.of(row)) do
    for _, part in ipairs(parts_of(row, text)) do
      if part.name == row.name or not (is_defined(part) or is_apart(part)) then return part.name end
    end
  end
end

-- Why a row is not defined; nil if it is.
local function why_undefined(row)
  if is_defined(row) or is_apart(row) then return nil end
  if not (row.lowers or row.expands) then return row.name .. " has no plain text" end
  local part = undefined_part(row)
  return part and ("%s contains %s, which has no plain text"):format(row.name, part)
end

describe("an operator of a prediction", function()
  it("is defined in a form that programs can read", function()
    local undefined, count = {}, 0
    for _, row in ipairs(core.op.rows()) do
      if not row.internal then
        undefined[#undefined + 1] = why_undefined(row)
        count = count + 1
      end
    end
    assert.same({}, undefined)
    assert.truthy(count > 400)
  end)

  it("is missed if it has no text", function()
    local row = setmetatable({ plain = false }, { __index = core.op.row "topk" })
    assert.equal("topk has no plain text", why_undefined(row))
  end)
end)

-- Do the outputs of a row's examples stay the same if its inputs get other values? Compares `count` calls.
local function ignores_values(row)
  local count = 0
  for _, example in ipairs(variants.examples(row, true)) do
    for _, case in ipairs(variants.sizes(example, { 1, 7 })) do
      local zeros, specials = {}, {}
      for i, x in ipairs(case.arrays) do
        zeros[i] = nd.zeros(x.shape, { dtype = x.dtype })
        specials[i] = x.dtype == "float32" and nd.full(x.shape, 0 / 0) or nd.ones(x.shape, { dtype = x.dtype })
      end
      local f = variants.caller(case)
      local ok, expected = pcall(f, table.unpack(zeros))
      if ok then
        count = count + 1
        for i, got in ipairs(list(f(table.unpack(specials)))) do
          if not core.array.same(got, list(expected)[i]) then return false, count end
        end
      end
    end
  end
  return true, count
end

describe("an operator whose outputs depend on types alone", function()
  for _, row in ipairs(core.op.rows()) do
    if row.by_types then
      it("ignores values: " .. row.name, function()
        local ignores, count = ignores_values(row)
        assert.truthy(count > 0, "no example is one call")
        assert.truthy(ignores)
      end)
    end
  end
end)

