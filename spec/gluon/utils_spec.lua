-- utils_spec.lua - gluon.utils.
local hl = require "hybridlua"
local nd, utils = hl.nd, hl.gluon.utils

describe("split_data", function()
  it("cuts along an axis", function()
    local x = nd.arange(12):reshape { 6, 2 }
    local parts = utils.split_data(x, 3)
    assert.equal(3, #parts)
    assert.allclose(parts[2], { { 4, 5 }, { 6, 7 } })
    assert.same({ 6, 1 }, utils.split_data(x, 2, 1)[2].shape)
    assert.same({ 1, 2 }, utils.split_data(x, 4, { even_split = false })[4].shape)
    local uneven = utils.split_data(nd.arange(7), 3, 0, false)
    assert.same({ 3, 2, 2 }, { #uneven[1], #uneven[2], #uneven[3] })
    assert.raises(function() utils.split_data(nd.arange(7), 3) end,
      "utils_spec.lua:%d+: data with shape %(7,%) cannot be evenly split into 3 slices along axis 0%. Use a batch " ..
        "size that's multiple of 3")
    assert.raises(function() utils.split_data(nd.arange(2), 3) end,
                  "Too many slices for data with shape %(2,%)%. Arguments are num_slice=3 and batch_axis=0%.")
    assert.raises(function() utils.split_data(nd.arange(2), 2, 1) end, "expected an axis of shape %(2,%), got 1")
  end)

  it("copies the parts to their contexts", function()
    assert.equal(1, #utils.split_and_load({ 1, 2, 3 }, { hl.cpu() }))
    local parts = utils.split_and_load({ 1, 2, 3 }, { hl.cpu(1), hl.cpu() }, { even_split = false })
    assert.same({ "cpu(1)", "cpu(0)" }, { tostring(parts[1].context), tostring(parts[2].context) })
    assert.allclose(parts[1], { 1, 2 })
    assert.allclose(parts[2], { 3 })
    assert.raises(function() utils.split_and_load({ 1, 2, 3 }, { hl.cpu(), hl.cpu(1) }) end,
      "cannot be evenly split into 2 slices along axis 0")
    assert.raises(function() utils.split_and_load({ 1, 2 }, 2) end,
                  "split_and_load: ctx_list: expected a list of contexts, such as {hl.cpu%(0%), hl.cpu%(1%)}, got " ..
                    "number")
  end)
end)

describe("clip_global_norm", function()
  it("scales arrays with too large a norm, in place", function()
    local a, b = nd.ones { 3, 3 }, nd.ones { 4 }
    assert.near(math.sqrt(13), utils.clip_global_norm({ a, b }, 1), 1e-6)
    assert.near(1, math.sqrt(a:square():sum():asscalar() + b:square():sum():asscalar()), 1e-6)
    local before = a:copy()
    assert.near(1, utils.clip_global_norm({ a, b }, 2), 1e-6)
    assert.bits(a, before)
  end)

  it("warns of infinite and NaN norms", function()
    local stderr, said = io.stderr, ""
    finally(function() io.stderr = stderr end)       -- luacheck: ignore 122
    -- luacheck: ignore 122
    io.stderr = { write = function(_, text) said = said .. text end }
    local x = nd.array { 0 / 0, 1 }
    local norm = utils.clip_global_norm({ x }, 1)
    assert.truthy(norm ~= norm)
    assert.truthy(said:find "nan or inf is detected. Clipping results will be undefined", said)
    assert.raises(function() utils.clip_global_norm({}, 1) end, "expected a list of NDArrays")
  end)
end)
