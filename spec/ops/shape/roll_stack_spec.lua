-- roll_stack_spec.lua - roll, tril, triu, stacks, meshgrid, flip, rot90, diff and arrays made from numbers, with the
-- expected position of each element.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local function count(shape, dtype)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return nd.arange(0, n, { dtype = dtype or "float32" }):reshape { shape = shape }
end

describe("roll", function()
  it("moves element i of an axis to i + shift, in every dtype", function()
    for _, dtype in ipairs { "float32", "float64", "float16", "int8", "uint8", "int32", "int64", "bool" } do
      local x = count({ 3, 5 }, "float32"):astype(dtype)
      local expected = x:astype "float32":totable()
      for _, shift in ipairs { -7, -1, 0, 2, 5, 13 } do
        local y = nd.roll(x, shift, { axis = 1 }):astype "float32":totable()
        for i = 1, 3 do for k = 0, 4 do assert.equal(expected[i][k + 1], y[i][(k + shift) % 5 + 1]) end end
      end
    end
  end)
  it("accepts several axes, one shift for all, an axis twice, and no axis", function()
    local x = count { 2, 3, 4 }
    local both = nd.roll(nd.roll(x, 1, { axis = 0 }), -2, { axis = 2 })
    assert.bits(nd.roll(x, { 1, -2 }, { axis = { 0, -1 } }), both)
    assert.bits(x:roll({ 1, -2 }, { 0, 2 }), both)
    assert.bits(nd.roll(x, 1, { axis = { 0, 1 } }), nd.roll(nd.roll(x, 1, { axis = 0 }), 1, { axis = 1 }))
    assert.bits(nd.roll(x, { 1, 2 }, { axis = 1 }), nd.roll(x, 3, { axis = 1 }))
    assert.bits(nd.roll(x, 5), nd.roll(x:reshape { -1 }, 5, { axis = 0 }):reshape { 2, 3, 4 })
    assert.same({ 0, 3 }, nd.roll(nd.zeros { 0, 3 }, 2, { axis = 0 }).shape)
    assert.same({}, nd.roll(nd.ones {}, 2).shape)
  end)
  it("rejects arguments that do not fit", function()
    local x = nd.ones { 2, 3 }
    assert.raises(function() nd.roll(x, 1, { axis = 2 }) end,
      "roll: axis: expected an axis from %-2 to 1 for an array with 2 dimensions, got 2")
    assert.raises(function() nd.roll(x, { 1, 2, 3 }, { axis = { 0, 1 } }) end,
      "roll: shift: expected one for each of 2 axes, got 3")
    assert.raises(function() nd.roll(x, { 1, 2 }) end,
      "roll: shift: expected one integer if no axis is given, got 2")
    assert.raises(function() nd.roll(x, 1, { axes = 0 }) end, "roll: unknown option 'axes'; did you mean 'axis'%?")
  end)
end)

describe("tril, triu and tri", function()
  it("keep the elements on their side of the diagonal", function()
    for _, shape in ipairs { { 3, 3 }, { 2, 4 }, { 4, 2 }, { 2, 3, 4 } } do
      local x = count(shape) + 1
      local rows, columns = shape[#shape - 1], shape[#shape]
      for _, k in ipairs { -5, -1, 0, 1, 2, 7, math.maxinteger, math.mininteger } do
        local low, up = nd.tril(x, { k = k }):reshape { -1, rows, columns },
          x:triu { k = k }:reshape { -1, rows, columns }
        local all = x:reshape { -1, rows, columns }:totable()
        low, up = low:totable(), up:totable()
        for n = 1, #all do
          for i = 1, rows do
            for j = 1, columns do
              assert.equal(j - i <= k and all[n][i][j] or 0, low[n][i][j])
              assert.equal(j - i >= k and all[n][i][j] or 0, up[n][i][j])
            end
          end
        end
      end
    end
  end)
  it("replace NaN by 0, and accept vectors and every dtype", function()
    assert.same({ { 1, 0 }, { 1, 2 } }, nd.tril(nd.array { 1, 2 }):totable())
    assert.same({ 0 }, nd.tril(nd.array { { 1, 0 / 0 }, { 3, 4 } })[0]["1:2"]:totable())
    assert.same({ { true, false }, { true, true } }, nd.tril(nd.ones { 2, 2, dtype = "bool" }):totable())
    assert.same({ { 1, 1, 0 }, { 1, 1, 1 } }, nd.tri(2, 3, 1):totable())
    assert.equal("int32", nd.tri(2, { dtype = "int32" }).dtype)
    assert.raises(function() nd.tril(nd.ones {}) end, "tril: data: expected at least 1 dimension")
    assert.raises(function() nd.tri(-1) end, "tri: N: expected an integer of 0 or more, got %-1")
  end)
end)

describe("stacks", function()
  it("join arrays along the first, second and third axis", function()
    local a, b = nd.array { 1, 2 }, nd.array { { 3, 4 }, { 5, 6 } }
    assert.same({ 1, 2, 1, 2 }, nd.hstack { a, a }:totable())
    assert.same({ { 3, 4, 3, 4 }, { 5, 6, 5, 6 } }, nd.hstack(b, b):totable())
    assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 } }, nd.vstack { a, b }:totable())
    assert.same({ { { 1, 1 }, { 2, 2 } } }, nd.dstack { a, a }:totable())
    assert.same({ { { 3, 3 }, { 4, 4 } }, { { 5, 5 }, { 6, 6 } } }, nd.dstack { b, b }:totable())
    assert.same({ { 1, 3, 4 }, { 2, 5, 6 } }, nd.column_stack { a, b }:totable())
    assert.same({ 1, 3, 1 }, nd.atleast_3d(nd.ones { 3 }).shape)
    assert.same({ 1 }, nd.atleast_1d(nd.ones {}).shape)
    local two = nd.atleast_2d(a, nd.ones {})
    assert.same({ { 1, 2 }, { 1, 1 } }, { two[1].shape, two[2].shape })
  end)
  it("reject arguments that do not fit", function()
    assert.raises(function() nd.hstack {} end, "hstack: arrays: expected one or more, got none")
    assert.raises(function() nd.vstack { nd.ones { 2 }, 3 } end,
      "vstack: arrays: expected an NDArray or a Symbol, got 3")
    assert.raises(function() nd.hstack({ nd.ones { 2 } }, { axis = 1 }) end,
      "hstack: unknown option 'axis'; it takes none")
  end)
end)

describe("meshgrid", function()
  it("repeats vector i along axis i", function()
    local x, y, z = nd.array { 1, 2, 3 }, nd.array { 4, 5 }, nd.array { 6 }
    local X, Y = table.unpack(nd.meshgrid(x, y))
    assert.same({ { 1, 2, 3 }, { 1, 2, 3 } }, X:totable())
    assert.same({ { 4, 4, 4 }, { 5, 5, 5 } }, Y:totable())
    assert.same({ { 4, 5 }, { 4, 5 }, { 4, 5 } }, nd.meshgrid({ x, y }, { indexing = "ij" })[2]:totable())
    assert.same({ 2, 3, 1 }, nd.meshgrid(x, y, z)[3].shape)
    assert.same({ 1, 3, 1 }, nd.meshgrid(x, y, z, { sparse = true })[1].shape)
    assert.same({ 1, 2, 3 }, nd.meshgrid(x)[1]:totable())
    assert.raises(function() nd.meshgrid(x, { indexing = "ji" }) end,
      "meshgrid: indexing: expected 'xy' or 'ij', got 'ji'")
  end)
end)

describe("flip and rot90", function()
  local x = nd.array { { 1, 2, 3 }, { 4, 5, 6 } }
  it("reverse and rotate the given axes", function()
    assert.same({ { 6, 5, 4 }, { 3, 2, 1 } }, nd.flip(x):totable())
    assert.same({ { 4, 5, 6 }, { 1, 2, 3 } }, x:flip(0):totable())
    assert.bits(nd.flip(x, { axis = { 0, 1 } }), nd.flip(x))
    assert.bits(nd.fliplr(x), nd.flip(x, 1))
    assert.bits(nd.flipud(x), nd.flip(x, -2))
    assert.same({ { 3, 6 }, { 2, 5 }, { 1, 4 } }, nd.rot90(x):totable())
    assert.bits(nd.rot90(x, 2), nd.flip(x))
    assert.bits(nd.rot90(x, -1), nd.rot90(x, 3))
    assert.bits(nd.rot90(nd.rot90(x), 3), x)
    assert.bits(nd.rot90(x, 4), x)
  end)
  it("reject arguments that do not fit", function()
    assert.raises(function() nd.flip(x, 2) end, "flip: axis: expected an axis from %-2 to 1")
    assert.raises(function() nd.fliplr(nd.ones { 2 }) end, "fliplr: data: expected 2 dimensions or more, got 1")
    assert.raises(function() nd.rot90(x, 1, { axes = { 0 } }) end, "rot90: axes: expected two axes, got 1")
    assert.raises(function() nd.rot90(x, 0.5) end, "rot90: k: expected an integer, got 0.5")
  end)
end)

describe("diff", function()
  it("returns differences of neighbours, repeatedly", function()
    local x = nd.array { 1, 4, 9, 16 }
    assert.same({ 3, 5, 7 }, nd.diff(x):totable())
    assert.same({ 2, 2 }, x:diff(2):totable())
    assert.same({ 0 }, nd.diff(x, 9).shape)
    assert.same({ 2, 0 }, nd.diff(nd.zeros { 2, 0 }).shape)
    local f = hl.compile(function(F, v) return F.diff(v, 2) end)
    for length = 0, 4 do assert.bits(f(nd.ones { 2, length }), nd.diff(nd.ones { 2, length }, 2)) end
    assert.equal(1, #f:explain({ format = "table" }).traces)
    assert.same({ { 2, 2 } }, nd.diff(nd.array { { 1, 2 }, { 3, 4 } }, { axis = 0 }):totable())
    assert.same({ 1, 3, 5, 7, -16 }, nd.diff(x, { prepend = 0, append = nd.array { 0 } }):totable())
    assert.same({ -1 }, nd.diff(nd.array({ 3, 2 }, { dtype = "int32" })):totable())
    assert.bits(nd.diff(x, 0), x)
    assert.raises(function() nd.diff(x, -1) end, "diff: n: expected an integer of 0 or more, got %-1")
    assert.raises(function() nd.diff(x, 1, { axis = 1 }) end, "diff: axis: expected an axis from %-1 to 0")
  end)
end)

describe("arange", function()
  it("accepts infer_range, which has no effect with stop", function()
    assert.same({ 0, 1, 2 }, nd.arange(0, 3, { infer_range = true }):totable())
    assert.same({ 3 }, ({ sym.arange(0, 3, { infer_range = true }):infer_shape() })[2][1])
    assert.raises(function() nd.arange(3, { infer_range = true }) end,
                  "roll_stack_spec.lua:%d+: arange: cannot infer the output's shape from its arguments")
  end)
end)

describe("arrays made from numbers", function()
  it("match NumPy", function()
    assert.same({ { 1, 0 }, { 0, 1 } }, nd.identity(2):totable())
    assert.same({ 1, 2 }, nd.identity(nd.array { 1, 2 }):totable())
    assert.allclose(nd.logspace(0, 3, 4), nd.array { 1, 10, 100, 1000 }, 1e-6)
    assert.allclose(nd.logspace(0, 3, 3, { endpoint = false, base = 2 }), nd.array { 1, 2, 4 }, 1e-6)
    assert.equal(50, nd.logspace(0, 1).size)
    assert.allclose(nd.geomspace(1, 8, 4), nd.array { 1, 2, 4, 8 }, 1e-6)
    assert.allclose(nd.geomspace(-1, -8, 4), -nd.array { 1, 2, 4, 8 }, 1e-6)
    local at = nd.indices { 2, 3 }
    assert.equal("int64", at.dtype)
    assert.same({ { { 0, 0, 0 }, { 1, 1, 1 } }, { { 0, 1, 2 }, { 0, 1, 2 } } }, at:totable())
    assert.same({ 7, 7 }, nd.full_like(nd.array { 1, 2 }, 7):totable())
    assert.equal("bool", nd.full_like(nd.array { 1, 2 }, 1, { dtype = "bool" }).dtype)
    assert.raises(function() nd.geomspace(1, -8) end, "geomspace: stop: expected a number of start's sign")
    assert.raises(function() nd.logspace(0) end, "logspace: stop: expected a number, got nothing")
  end)
  it("are Symbols in sym", function()
    for _, s in ipairs { sym.tri(3), sym.identity(2), sym.logspace(0, 1, 3), sym.geomspace(1, 2, 3),
        sym.indices { 2 } } do
      assert.truthy(tostring(s):find("^<Symbol"))
    end
    local total = sym.tri(3) * sym.var "x"
    assert.same({ { 2, 0, 0 }, { 2, 2, 0 }, { 2, 2, 2 } }, total:eval { x = nd.full({ 3, 3 }, 2) }[1]:totable())
  end)
end)

it("gradients of roll and triu return to the elements' positions", function()
  local x, weights = count { 3, 4 }, count { 3, 4 } + 1
  x:attach_grad()
  autograd.record(function() return (nd.roll(x, { 1, 2 }, { axis = { 0, 1 } }) * weights):sum() end):backward()
  assert.bits(x.grad, nd.roll(weights, { -1, -2 }, { axis = { 0, 1 } }))
  autograd.record(function() return (nd.triu(x, { k = 1 }) * weights):sum() end):backward()
  assert.bits(x.grad, nd.triu(weights, { k = 1 }))
end)
