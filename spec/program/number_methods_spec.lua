-- number_methods_spec.lua - methods of numbers, which exist only in the program.
local hl = require "hybridlua"
local nd, data = hl.nd, hl.gluon.data

describe("a numeric label", function()
  it("has astype in transforms, which sets the dtype of batches", function()
    local ds = data.ArrayDataset(nd.ones { 4, 2 }, nd.array({ 3, 1, 2, 0 }, { dtype = "int32" }))
    local t = ds:transform(function(x, label) return x:astype "float32" / 2, label:astype "float32" end)
    for x, y in data.DataLoader(t, 4) do
      assert.same({ "float32", "float32" }, { x.dtype, y.dtype })
      assert.same({ 4 }, y.shape)
      assert.same({ 3, 1, 2, 0 }, y:totable())
    end
    t = ds:transform(function(x, label) return x, label == 3 and 1 or 0 end)            -- still numbers
    assert.equal(1, t[0][2])
    local label = ds[1][2]
    assert.same({ 1, 1 }, { label:asscalar(), label:item() })
    local as_bytes = label:astype "int8"
    assert.same({ "int8", 0, 1 }, { as_bytes.dtype, as_bytes.ndim, as_bytes:asscalar() })
    assert.raises(function() return label.shape end,
      "number_methods_spec.lua:%d+: attempt to index a number value %(field 'shape'%)")
  end)
end)
