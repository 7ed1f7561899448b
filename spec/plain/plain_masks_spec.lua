-- plain_masks_spec.lua - assignments by masks have the bits of their text, src/plain/index/brackets.h; random arrays
-- are rarely masks of an array's shape.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local plain_texts = require "support.plain_texts"
local scratch = require "support.scratch"
local nd = hl.nd

-- The case of an array and a mask of these shapes; value_of(count of marked places) is the shape of the value.
local function case_of(shape, mask_shape, value_of)
  local mask = nd.random.uniform(0, 1, { shape = mask_shape }):greater(0.5):astype "bool"
  local count = math.tointeger(mask:astype("float32"):sum():asscalar())
  local function numbers(of) return nd.random.normal(0, 1, { shape = of }) end
  local arrays = { numbers(shape), numbers(value_of(count)), mask }
  local key = { key = "@" }
  return { call = core.op.plain_call("_index_assign", arrays[1], arrays[2], mask, key), inputs = arrays,
           output = nd.index_assign(arrays[1], arrays[2], mask, key) }
end

describe("an assignment by a mask", function()
  it("has the bits of its text", function()
    hl.random.seed(3)
    local cases, calls = {
      case_of({ 7 }, { 7 }, function() return { 1 } end),
      case_of({ 9 }, { 9 }, function(count) return { count } end),
      case_of({ 4, 5 }, { 4, 5 }, function(count) return { 1, count } end),
      case_of({ 6, 5 }, { 6 }, function(count) return { count, 5 } end),
      case_of({ 6, 5 }, { 6 }, function() return { 5 } end),
      case_of({ 6, 5, 2 }, { 6 }, function(count) return { count, 1, 2 } end),
      case_of({ 3, 4, 2 }, { 3, 4 }, function() return { 1, 1 } end),
      case_of({ 3, 4, 2 }, { 3, 4 }, function(count) return { 1, count, 1 } end),
    }, {}
    for i, case in ipairs(cases) do
      calls[i] = case.call
      assert.equal("assign_marked", case.call["function"])
    end
    local folder <close> = setmetatable({ at = scratch.folder() }, { __close = function(f) f.at:remove() end })
    local object = plain_texts.compile(plain_texts.source(calls), plain_texts.compilers(), folder.at)
    for _, case in ipairs(cases) do
      assert.bits(case.output:reshape { -1 }, plain_texts.run(object, case.call, case.inputs)[1])
    end
  end)
end)
