-- plain_texts_spec.lua - every kernel of a row with a plain text has the text's bits (src/ir/plain.h), for random
-- sizes, dtypes, values and parameters. Texts are C99 without warnings; in a few types they have the same bits by each
-- compiler, optimising or not. PLAIN_CALLS in the environment sets the number of calls of each row, PLAIN_ROW a pattern
-- of rows' names.
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local plain_cases = require "support.plain_cases"
local plain_texts = require "support.plain_texts"

local CALLS = tonumber(os.getenv "PLAIN_CALLS") or 60
local ONLY = os.getenv "PLAIN_ROW" or ""

local rows = {}
for _, op in ipairs(core.op.rows()) do
  if op.plain and op.name:find(ONLY) then rows[#rows + 1] = op end
end

local compiler, other_compilers = plain_texts.compilers()
local cases, calls = {}, {}                -- by row; in one list
local folder, first_object

setup(function()
  for i, op in ipairs(rows) do
    cases[op.name] = plain_cases.of(op, CALLS, 1000 + i)
    for _, case in ipairs(cases[op.name]) do calls[#calls + 1] = case.call end
  end
  folder = scratch.folder()
  first_object = { name = compiler, at = plain_texts.compile(plain_texts.source(calls), compiler, folder) }
end)
teardown(function() folder:remove() end)

-- Libraries round otherwise: results agree to this part of the largest one.
local PART = { float32 = 2.0 ^ -12, float64 = 2.0 ^ -40 }

local function agrees_to_rounding(got, wanted)
  local a, b = got:astype "float64", wanted:reshape { -1 }:astype "float64"
  local largest = b:abs():max():asscalar()
  return (a - b):abs():max():asscalar() <= largest * (PART[wanted.dtype] or 0)
end

local function check_array(case, object, got, wanted, what)
  local same = wanted.size == 0 or core.array.same(got, wanted:reshape { -1 })
  if not same and case.rounded then same = agrees_to_rounding(got, wanted) end
  if not same then error(("%s: %s differs from the text by %s"):format(case.text, what, object.name), 0) end
end

local function check(case, object)
  local results, written = plain_texts.run(object.at, case.call, case.inputs)
  for i, wanted in ipairs(case.outputs) do check_array(case, object, results[i], wanted, "output " .. i) end
  for i, got in pairs(written) do check_array(case, object, got, case.after[i], "input " .. i) end
end

describe("a plain text", function()
  for _, op in ipairs(rows) do
    it("has the bits of " .. op.name, function()
      assert.truthy(#cases[op.name] >= CALLS // 2, "too few calls were accepted")
      for _, case in ipairs(cases[op.name]) do check(case, first_object) end
    end)
  end

  -- What another compiler makes of a text does not depend on the processor of a build (#once).
  for _, other in ipairs(other_compilers) do
    it("has the same bits by " .. other .. " #once", function()
      local in_few_types, few = plain_texts.few_types(calls), {}
      for _, call in ipairs(calls) do if in_few_types(call) then few[#few + 1] = call end end
      local compiled = { name = other, at = plain_texts.compile(plain_texts.source(few), other, folder) }
      for _, op in ipairs(rows) do
        for _, case in ipairs(cases[op.name]) do
          if in_few_types(case.call) then check(case, compiled) end
        end
      end
    end)
  end
end)
