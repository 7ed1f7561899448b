-- norm_matrix_power_spec.lua - norm, cond, matrix_power, multi_dot, tensorinv and tensorsolve.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local matrices = require "support.matrices"
local nd = hl.nd
local linalg = nd.linalg
local normal, near = matrices.normal, matrices.near

describe("norm", function()
  local inf = math.huge
  local x = nd.array { { 3, -4 }, { 0, 12 } }

  it("treats an array without an axis as one vector, or as a matrix if ord is given", function()
    assert.allclose(linalg.norm(x), { 13 })
    assert.allclose(linalg.norm(x:reshape { 1, 2, 2 }), { 13 })
    assert.allclose(linalg.norm(x, 1), { 16 })
    assert.allclose(linalg.norm(x, inf), { 12 })
    assert.allclose(linalg.norm(x, "fro", { keepdims = true }), { { 13 } })
    assert.allclose(linalg.norm(x[0], 1), { 7 })
    assert.allclose(linalg.norm(x[0], 3), { 91 ^ (1 / 3) })
    assert.allclose(linalg.norm(x[1], 0), { 1 })
  end)

  it("accepts vectors along an axis, with every order", function()
    assert.allclose(linalg.norm(x, { axis = 1 }), { 5, 12 })
    assert.allclose(linalg.norm(x, { axis = { 1 } }), { 5, 12 })
    assert.allclose(linalg.norm(x, inf, 0), { 3, 12 })
    assert.allclose(linalg.norm(x, { ord = -inf, axis = 0, keepdims = true }), { { 0, 4 } })
    assert.allclose(linalg.norm(x, 0, 1), { 2, 1 })
  end)

  it("accepts matrices on any two axes", function()
    local stack = normal { 3, 2, 4 }
    for _, ord in ipairs { "fro", "nuc", 1, -1, 2, -2, inf, -inf } do
      local last = linalg.norm(stack, ord, { -2, -1 })
      assert.allclose(linalg.norm(nd.transpose(stack, { axes = { 2, 0, 1 } }), ord, { 2, 0 }), last)
      assert.allclose(linalg.norm(stack, { ord = ord, axis = { 1, 2 }, keepdims = true }), last:reshape { 3, 1, 1 })
      for i = 0, 2 do assert.allclose(linalg.norm(stack[i], ord), last[i]) end
    end
  end)

  it("rejects unknown arguments", function()
    assert.raises(function() linalg.norm(x, "euclid") end, "linalg.norm: ord: expected 'fro', 'nuc', .* got 'euclid'")
    assert.raises(function() linalg.norm(x, "nuc", 0) end, "linalg.norm: ord: .*vectors, got 'nuc'")
    assert.raises(function() linalg.norm(x, 3) end, "linalg.norm: ord: .*matrices, got 3")
    assert.raises(function() linalg.norm(x, 1, { 0, 1, 2 }) end, "linalg.norm: axis: expected one axis or two, got 3")
    assert.raises(function() linalg.norm(x, 2, { 0, 0 }) end, "two different axes")
    assert.raises(function() linalg.norm(x, 2, { 0, 5 }) end, "linalg.norm: axis: expected axes from %-2 to 1, got 5")
    assert.raises(function() linalg.norm(x:reshape { 1, 2, 2 }, 2) end, "3 dimensions")
    assert.raises(function() linalg.norm(x, { axes = 0 }) end, "unknown option 'axes'; did you mean 'axis'?")
  end)
end)

describe("cond, matrix_power, multi_dot, tensorinv, tensorsolve", function()
  it("match the definition of cond", function()
    local x = nd.array { { 4, 0 }, { 0, 2 } }
    assert.allclose(linalg.cond(x), { 2 })
    assert.allclose(linalg.cond(x, -2), { 0.5 })
    assert.allclose(linalg.cond(x, 1), { 2 })
    assert.allclose(linalg.cond(nd.stack { x, x * 3 }, "fro"), { 2.5, 2.5 })
  end)

  it("match the definition of matrix_power", function()
    local x = nd.array({ { 1, 1 }, { 1, 0 } }, { dtype = "float64" })
    assert.same({ { 89, 55 }, { 55, 34 } }, linalg.matrix_power(x, 10):totable())
    assert.same({ { 1, 0 }, { 0, 1 } }, linalg.matrix_power(x, 0):totable())
    near(linalg.matrix_power(x, -2), linalg.inverse(nd.dot(x, x)))
    local same = linalg.matrix_power(x, 1)
    same[0] = 7
    assert.same({ { 1, 1 }, { 1, 0 } }, x:totable())               -- the result is a copy
    assert.raises(function() linalg.matrix_power(x, 0.5) end, "linalg.matrix_power: n: expected an integer, got 0.5")
  end)

  it("multiply in the cheapest order, with vectors at the ends (multi_dot)", function()
    local a, b, c, v, w = normal { 10, 100 }, normal { 100, 5 }, normal { 5, 50 }, normal { 10 }, normal { 50 }
    core.host.count_flops(true)
    local y = linalg.multi_dot { a, b, c }
    local flops = core.host.count_flops(false)
    assert.equal(2 * (10 * 100 * 5 + 10 * 5 * 50), flops)
    near(y, nd.dot(nd.dot(a, b), c))
    near(linalg.multi_dot { v, a, b, c, w }, nd.dot(nd.dot(v, y), w))
    assert.raises(function() linalg.multi_dot { a } end,
      "linalg.multi_dot: arrays: expected a table of two or more arrays")
    assert.raises(function() linalg.multi_dot { a, v, b } end, "number 2")
  end)

  it("invert tensordot (tensorinv, tensorsolve)", function()
    local a, b = normal { 2, 3, 6 }, normal { 2, 3 }
    local inverse = linalg.tensorinv(a)
    assert.same({ 6, 2, 3 }, inverse.shape)
    near(nd.dot(inverse:reshape { 6, 6 }, b:reshape { 6 }), linalg.tensorsolve(a, b))
    near(nd.dot(a, linalg.tensorsolve(a, b)), b)
    near(linalg.tensorsolve(nd.transpose(a, { axes = { 2, 0, 1 } }), b, { axes = { 0 } }), linalg.tensorsolve(a, b))
  end)
end)
