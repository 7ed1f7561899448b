-- reshape_slice_spec.lua - shapes, slices, joins and indices, beyond the rows' examples: codes of reshape, shared
-- memory, empty and 0-d arrays, every dtype, large arrays, order of additions, errors.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local function shape_of(x) return "(" .. table.concat(x.shape, ",") .. ")" end

-- The numbers 0, 1, 2, ... in a shape.
local function count(shape, dtype)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return nd.arange(0, n, { dtype = dtype or "float32" }):reshape { shape = shape }
end

local function gradient(x, fn)
  x:attach_grad()
  autograd.record(fn):backward()
  return x.grad
end

describe("reshape", function()
  for _, case in ipairs {
    { { 2, 3, 4 }, { -1 }, "(24)" }, { { 2, 3, 4 }, { 0, -1 }, "(2,12)" }, { { 2, 3, 4 }, { -3, 0 }, "(6,4)" },
    { { 2, 3, 4 }, { -4, 1, 2, -2 }, "(1,2,3,4)" }, { { 2, 3, 4 }, { -2, 1 }, "(2,3,4,1)" },
    { { 2, 3, 4 }, { 6, 1, -1 }, "(6,1,4)" }, { { 8, 3, 5 }, { -4, 2, -1, 0, 0 }, "(2,4,3,5)" },
    { { 2, 3, 4 }, { 2, -4, -1, 3, -2 }, "(2,1,3,4)" }, { { 2, 3, 4 }, { 0, -3 }, "(2,12)" },
    { { 2, 3, 4 }, { -2, 1, 1 }, "(2,3,4,1,1)" }, { { 2, 3, 4 }, { 0, 0, 0, 1 }, "(2,3,4,1)" },
    { { 2, 3, 4 }, { -4, 1, 2, -1 }, "(1,2,12)" }, { { 2, 3, 4 }, { -1, -2 }, "(2,3,4)" },
    { { 24 }, { 2, 3, 4 }, "(2,3,4)" }, { { 2, 3, 4, 5 }, { -3, -3 }, "(6,20)" }, { { 0, 3 }, { 0, -1 }, "(0,3)" },
    { { 0, 3 }, { -1 }, "(0)" }, { { 2, 0 }, { -1, 2 }, "(0,2)" },
    { { 4, 4, 4 }, { -4, 2, 2, -4, 2, 2, -4, 2, 2 }, "(2,2,2,2,2,2)" },
  } do
    it(("reads codes: (%s) by {%s}"):format(table.concat(case[1], ","), table.concat(case[2], ",")), function()
      local x = nd.zeros(case[1])
      assert.equal(case[3], shape_of(x:reshape(case[2])))
      local s = sym.var("s", { shape = case[1], exact = true }):reshape(case[2])
      assert.equal(case[3], shape_of(s:eval { s = x }[1]))
    end)
  end

  it("reads codes from the right with reverse", function()
    local x = nd.zeros { 10, 5, 4 }
    assert.equal("(40,5)", shape_of(x:reshape { -1, 0 }))
    assert.equal("(50,4)", shape_of(x:reshape({ -1, 0 }, { reverse = true })))
    assert.equal("(10,20)", shape_of(x:reshape({ -1, -3 }, { reverse = true })))
  end)

  it("accepts separate numbers, and the older target_shape", function()
    local x = nd.zeros { 2, 3, 4 }
    assert.equal("(4,6)", shape_of(x:reshape(4, 6)))
    assert.equal("(2,12)", shape_of(nd.Reshape(x, { target_shape = { 0, 12 } })))
    assert.equal("(2,12)", shape_of(nd.Reshape(x, { target_shape = "(5, 0)", keep_highest = true })))
    assert.equal("()", shape_of(nd.ones { 1, 1 }:reshape {}))
  end)

  it("reports the code that does not fit", function()
    local x = nd.zeros { 2, 3, 4 }
    assert.raises(function() x:reshape { 5, 5 } end,
      "Reshape: shape: expected 24 elements, as %(2, 3, 4%) has, got %(5, 5%)")
    assert.raises(function() x:reshape { -1, -1 } end, "shape: expected %-1 at most once, got it twice")
    assert.raises(function() x:reshape { -5 } end, "shape: expected dimensions and the codes 0 to %-4, got %-5")
    assert.raises(function() x:reshape { 2, 3, 4, 0 } end,
      "shape: expected 1 more dimension of data %(2, 3, 4%) for the code 0, got 0")
    assert.raises(function() x:reshape { 0, -4, 2, 2, 0 } end,
      "shape: expected two dimensions that make 3 after the code %-4, got 2 and 2")
    assert.raises(function() x:reshape { 0, -4, -1, -1, 0 } end,
      "one of them possibly %-1, after the code %-4, got %-1 and %-1")
    assert.raises(function() x:reshape { 7, -1 } end,
      "shape: expected dimensions that divide 24 elements, got 7 for all but %-1")
  end)

  it("leaves unknown dimensions open", function()
    local s = sym.var("s", { shape = { 0, 3, 4 } })
    local _, out = s:reshape({ 0, -1 }):infer_shape_partial()
    assert.same({ 0, 12 }, out[1])
    _, out = s:reshape({ -1, 4 }):infer_shape { s = { 5, 3, 4 } }
    assert.same({ 15, 4 }, out[1])
  end)
end)

describe("inference from the output", function()
  it("passes through rows that only move axes", function()
    local s = sym.var "s"
    local whole = sym.broadcast_add(s:transpose { axes = { 1, 2, 0 } }:expand_dims(0), sym.zeros { 1, 3, 4, 2 })
    local args = sym.elemwise_add(s:transpose { axes = { 1, 2, 0 } }, sym.zeros { 3, 4, 2 }):infer_shape {}
    assert.same({ 2, 3, 4 }, args[1])
    assert.same({ 1, 3, 4, 2 }, select(2, whole:infer_shape { s = { 2, 3, 4 } })[1])
    args = sym.elemwise_add(s:swapaxes(0, 1), sym.zeros { 3, 4 }):infer_shape {}
    assert.same({ 4, 3 }, args[1])
  end)

  it("determines the shapes of Embedding's weight, a part of Concat and pick's index", function()
    local args = sym.Embedding(sym.var "data",
      { input_dim = 6, output_dim = 4, name = "e" }):infer_shape { data = { 2, 3 } }
    assert.same({ { 2, 3 }, { 6, 4 } }, args)
    local sum = sym.elemwise_add(sym.concat(sym.var "a", sym.var "b", { dim = 1 }), sym.zeros { 2, 5 })
    assert.same({ { 2, 2 }, { 2, 3 } }, (sum:infer_shape { a = { 2, 2 } }))
    args = sym.pick(sym.var "d", sym.var "i"):infer_shape { d = { 4, 5 } }
    assert.same({ { 4, 5 }, { 4 } }, args)
  end)
end)

describe("memory", function()
  it("is shared by reshapes, and by contiguous parts", function()
    local views = {
      function(x) return x:reshape { 24 } end, function(x) return x:flatten() end,
      function(x) return x:expand_dims(0) end,
      function(x) return nd.squeeze(x:reshape { 1, 4, 6 }) end,
      function(x) return nd.reshape_like(x, nd.zeros { 24 }) end,
      function(x) return x:slice { begin = { 0 }, stop = { 2 } } end, function(x) return x:slice_axis(0, 0, 3) end,
      function(x) return nd.slice_like(x, nd.zeros { 1, 6 }) end, function(x) return x["0:2"] end,
      function(x) return x[0] end,
    }
    for i, view in ipairs(views) do
      local x = count { 4, 6 }
      view(x):reshape(-1)[0] = 99
      assert.equal(99, x[{ 0, 0 }]:asscalar(), "view " .. i)
    end
  end)

  it("is shared with inplace, by methods and functions, recorded, compiled and for Symbols", function()
    for _, f in ipairs { function(x) return x:flatten { inplace = true } end,
      function(x) return x:squeeze { inplace = true } end, function(x) return x:squeeze(0, { inplace = true }) end,
      function(x) return x:expand_dims(0, { inplace = true }) end,
      function(x) return nd.flatten(x, { inplace = true }) end } do
      local x = nd.ones { 1, 2, 3 }
      f(x)[{}] = 7
      assert.equal(42, x:sum():asscalar())
      assert.same({ 1, 2, 3 }, x.shape)
      x:attach_grad()
      autograd.record(function() return f(x) * 2 end):backward()
      assert.equal(12, x.grad:sum():asscalar())
    end
    local compiled = hl.compile(function(_, x) return x:flatten { inplace = true } * 2 end)
    assert.same({ 1, 6 }, compiled(nd.ones { 1, 2, 3 }).shape)
    assert.same({}, sym.var "x":flatten { inplace = true }:list_attr())
    assert.raises(function() nd.ones { 1, 2 }:squeeze { inplace = 1 } end, "squeeze: inplace: expected true or false")
    for _, name in ipairs { "transpose", "reshape", "swapaxes" } do                  -- MXNet refuses it there too
      assert.raises(function() local x = nd.ones { 1, 2 } x[name](x, { inplace = true }) end, "option 'inplace'")
    end
  end)

  it("is new for parts that are not contiguous or in another order", function()
    local copies = {
      function(x) return x["::2"] end, function(x) return x[{ {}, { 0, 2 } }] end, function(x) return x:transpose() end,
      function(x) return nd.identity(x) end, function(x) return x:astype "float32" end,
      function(x) return nd.concat(x, { dim = 0 }) end,
      function(x) return nd.take(x, nd.array { 0, 1 }) end,
      function(x) return nd.broadcast_to(x, { shape = { 4, 6 } }) end,
      function(x) return nd.split(x, { num_outputs = 2, axis = 0 })[1] end,
    }
    for i, copy in ipairs(copies) do
      local x = count { 4, 6 }
      copy(x)[{}] = 99
      assert.equal(0, x[{ 0, 0 }]:asscalar(), "copy " .. i)
    end
  end)

  it("is freed only with the last view", function()
    local view = count({ 1000 })["10:20"]
    collectgarbage()
    assert.same({ 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 }, view:totable())
  end)
end)

describe("dtypes", function()
  for _, dtype in ipairs { "float32", "float64", "float16", "int8", "uint8", "int32", "int64", "bool" } do
    it("are accepted by every operator that only moves elements: " .. dtype, function()
      local x = count({ 2, 3 }, "float32"):astype(dtype)
      local index = nd.array({ 1, 0 }, { dtype = "int32" })
      local function same(expected, y)
        assert.equal(dtype, y.dtype)
        assert.bits(nd.array(expected):astype(dtype), y)
      end
      same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, x.T)
      same({ { 2, 1, 0 }, { 5, 4, 3 } }, nd.flip(x, { axis = 1 }))
      same({ { 1, 2 }, { 4, 5 } }, x[{ {}, { 1, 3 } }])
      same({ { 3, 4, 5 }, { 0, 1, 2 } }, nd.take(x, index))
      same({ { 0, 1, 2 }, { 3, 4, 5 }, { 0, 1, 2 }, { 3, 4, 5 } }, nd.concat(x, x, { dim = 0 }))
      same({ { 1 }, { 4 } }, nd.split(x, { num_outputs = 3 })[2])
      same({ { 0, 1, 2, 0, 1, 2 }, { 3, 4, 5, 3, 4, 5 } }, nd.tile(x, { reps = 2 }))
      same({ 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 }, x:repeat_(2))
      same({ 1, 3 }, nd.pick(x, nd.array { 1, 0 }))
      same({ 5, 1 }, nd.gather_nd(x, nd.array { { 1, 0 }, { 2, 1 } }))
      same({ { 3, 4, 5 } }, x[nd.array({ 0, 1 }, { dtype = "bool" })])
      same({ { 0, 1, 2 }, { 3, 4, 5 } },
        nd.slice_assign(nd.zeros { 2, 3 }:astype(dtype), x, { begin = { 0 }, stop = { 2 } }))
      same({ 0, 4 }, nd.diag(x))
      same({ { 0, 1, 2 }, { 3, 4, 5 } }, nd.identity(x))
    end)
  end

  it("are converted as by the processor", function()
    local x = nd.array { 300, -1, 2.7, -2.7 }
    assert.same({ 44, 255, 2, 254 }, x:astype("uint8"):totable())
    assert.same({ 44, -1, 2, -2 }, x:astype("int8"):totable())
    assert.same({ true, true, false }, nd.array({ 0.5, -1, 0 }):astype("bool"):totable())
    assert.same({ math.mininteger // (1 << 32), math.mininteger // (1 << 32), -5 },
      nd.array({ 3e9, 0 / 0, -5.9 }):astype("int32"):totable())
    assert.same({ math.huge, 0, 1.0009765625, -65504 },
      nd.array({ 1e6, 1e-8, 1.0009765625, -65504 }):astype("float16"):totable())
    assert.same({ 3000000000, math.mininteger },
      nd.array({ 3e9, 1e20 }, { dtype = "float64" }):astype("int64"):totable())
  end)

  it("change in amp_cast only between float32 and float16", function()
    assert.equal("float16", nd.amp_cast(nd.ones { 1 }, { dtype = "float16" }).dtype)
    assert.equal("int32", nd.amp_cast(nd.ones({ 1 }, { dtype = "int32" }), { dtype = "float16" }).dtype)
  end)

  it("pass gradients only between floats", function()
    local x = nd.array { 1.5, 2.5 }
    assert.same({ 1.5, 1.5 },
      gradient(x, function() return (x:astype "float16":astype "float32" * 1.5):sum() end):totable())
    assert.same({ 1, 1 },
      gradient(x, function() return (x:astype "int32":astype "float32" * 1.5 + x):sum() end):totable())
  end)
end)

describe("empty and 0-d arrays", function()
  local empty, scalar = nd.zeros { 2, 0, 3 }, nd.array { 7 }:reshape {}
  it("are accepted by every operator", function()
    for expected, y in pairs {
      ["(3,0,2)"] = empty.T, ["(2,0)"] = empty:flatten(), ["(2,0,6)"] = nd.tile(empty, { reps = 2 }),
      ["(0)"] = empty:repeat_(3), ["(4,0,3)"] = nd.concat(empty, empty, { dim = 0 }),
      ["(2,2,0,3)"] = nd.stack(empty, empty), ["(2,0,3)"] = nd.flip(empty, { axis = { 0, 1 } }),
      ["(2,0,1)"] = empty[{ {}, {}, { 0, 1 } }], ["(5,0,3)"] = nd.take(empty, nd.zeros { 5 }),
      ["(2,0,3,4)"] = nd.one_hot(empty, { depth = 4 }), ["(1,0,3)"] = empty["1:"],
      ["(2,5,0,3)"] = nd.broadcast_to(empty:expand_dims(1), { shape = { 2, 5, 0, 3 } }),
      ["(3,2,0)"] = empty:transpose(2, 0, 1),
      ["(2,1,3)"] = nd.concat(empty, nd.ones { 2, 1, 3 }, { dim = 1 }),
    } do assert.equal(expected, shape_of(y)) end
    assert.equal("()", shape_of(scalar.T))
    assert.equal("()", shape_of(nd.squeeze(scalar)))
    assert.equal("(1,1)", shape_of(scalar:flatten()))
    assert.equal("(1)", shape_of(scalar:expand_dims(0)))
    assert.equal("(3)", shape_of(scalar:repeat_(3)))
    assert.equal("(2)", shape_of(nd.stack(scalar, scalar)))
    assert.equal("(2,3)", shape_of(nd.broadcast_to(scalar, { shape = { 2, 3 } })))
    assert.equal("(3)", shape_of(nd.take(nd.ones { 3, 3 }, nd.array { 1 }:reshape {})))
    assert.same({ 7, 7 }, nd.tile(scalar, { reps = 2 }):totable())
    assert.equal(7, scalar[{}]:asscalar())
    assert.equal(7, nd.where(nd.ones {}, scalar, nd.zeros {}):asscalar())
  end)

  it("have gradients", function()
    local x = nd.zeros { 2, 0, 3 }
    for _, fn in ipairs {
      function() return x:sum() end, function() return x:sum { axis = 1 }:sum() end,
      function() return nd.tile(x, { reps = { 2, 1, 2 } }):sum() end,
      function() return nd.concat(x, nd.ones { 2, 1, 3 }, { dim = 1 }):sum() end,
      function() return x:transpose():sum() end,
      function() return x[1]:sum() end, function() return nd.take(x, nd.array { 0, 1 }):sum() end,
    } do assert.equal("(2,0,3)", shape_of(gradient(x, fn))) end
  end)
end)

describe("large arrays", function()
  -- Checks in a scattered sample that y's element at each position of `shape` is x's at from(position).
  local function check(y, shape, expected)
    assert.equal("(" .. table.concat(shape, ",") .. ")", shape_of(y))
    local flat, n = y:reshape(-1), y.size
    for k = 0, 499 do
      local at, place = (k * 7919 * 104729 + k) % n, {}
      local rest = at
      for i = #shape, 1, -1 do place[i] = rest % shape[i]; rest = rest // shape[i] end
      assert.equal(expected(table.unpack(place)), flat[at]:asscalar())
    end
  end

  it("are transposed", function()
    for _, dtype in ipairs { "float32", "float64", "int32" } do
      check(count({ 257, 391 }, dtype).T, { 391, 257 }, function(i, k) return k * 391 + i end)
      check(count({ 3, 160, 96 }, dtype):transpose(0, 2, 1), { 3, 96, 160 },
        function(a, i, k) return (a * 160 + k) * 96 + i end)
      check(count({ 64, 3, 64, 5 }, dtype):transpose(2, 1, 3, 0), { 64, 3, 5, 64 },
        function(c, b, d, a) return ((a * 3 + b) * 64 + c) * 5 + d end)
    end
    local bytes = (count { 70, 100 } % 128):astype "int8"
    check(bytes.T, { 100, 70 }, function(i, k) return (k * 100 + i) % 128 end)
  end)

  it("are joined, split, repeated and chosen from", function()
    local x = count { 500, 300 }
    check(nd.concat(x, x + 0.5, { dim = 1 }), { 500, 600 },
      function(i, k) return i * 300 + (k < 300 and k or k - 300 + 0.5) end)
    check(nd.split(x, { num_outputs = 3 })[3], { 500, 100 }, function(i, k) return i * 300 + 200 + k end)
    check(x:repeat_(2, 1), { 500, 600 }, function(i, k) return i * 300 + k // 2 end)
    check(nd.tile(x, { reps = { 2, 2 } }), { 1000, 600 }, function(i, k) return i % 500 * 300 + k % 300 end)
    check(nd.take(x, nd.arange(499, -1, -1)), { 500, 300 }, function(i, k) return (499 - i) * 300 + k end)
    check(nd.take(x, nd.arange(299, -1, -1), { axis = 1 }), { 500, 300 }, function(i, k) return i * 300 + 299 - k end)
    check(nd.add_n(x, x, x), { 500, 300 }, function(i, k) return 3 * (i * 300 + k) end)
    check(nd.flip(x, { axis = { 0, 1 } }), { 500, 300 }, function(i, k) return (499 - i) * 300 + 299 - k end)
  end)
end)

describe("slices", function()
  it("reject lists of different lengths", function()
    local x = nd.zeros { 2, 3 }
    assert.raises(function() x:slice { begin = { 0 }, stop = { 1, 2 } } end,
      "slice: end: expected as many bounds as begin has, got 2 and 1")
    assert.raises(function() x:slice { begin = { 0 }, stop = { 1 }, step = { 0 } } end,
      "slice: step: expected steps other than 0, got 0 for axis 0")
    assert.raises(function() x:slice { begin = { 0, 0, 0 }, stop = { 1, 1, 1 } } end,
      "slice: begin: expected at most 2 bounds, one per axis, got 3")
  end)

  it("reject bounds out of range along one axis", function()
    local x = nd.zeros { 2, 3 }
    assert.equal("(2,0)", shape_of(x:slice_axis { axis = 1, begin = 2, stop = 2 }))
    assert.raises(function() x:slice_axis { axis = 1, begin = 0, stop = 4 } end,
      "slice_axis: end: expected 0 to 3 for axis 1 of shape %(2, 3%), got 4")
    assert.raises(function() x:slice_axis { axis = 1, begin = -4, stop = 2 } end,
      "slice_axis: begin: expected %-3 to 3 .*, got %-4")
    assert.raises(function() x:slice_axis { axis = 2, begin = 0, stop = 1 } end,
      "slice_axis: axis: expected an axis from %-2 to 1 .*, got 2")
  end)
end)

describe("joining or splitting", function()
  it("accepts and returns many arrays", function()
    local parts = nd.split(nd.arange(40), { num_outputs = 40, axis = 0 })
    assert.equal(40, #parts)
    assert.same({ 39 }, parts[40]:totable())
    assert.bits(nd.arange(40), nd.concat(parts, { dim = 0 }))
    assert.equal(780, nd.add_n(parts):asscalar())
    local x = nd.arange(40)
    local g = gradient(x, function()
      local list = nd.split(x, { num_outputs = 40, axis = 0 })
      return list[3] * 5 + list[40]
    end)
    assert.same({ 0, 0, 5, 0 }, g["0:4"]:totable())
    assert.equal(1, g[39]:asscalar())
  end)

  it("squeezes the split axis on request", function()
    local parts = nd.split(nd.arange(3), { num_outputs = 3, axis = 0, squeeze_axis = true })
    assert.equal("()", shape_of(parts[2]))
    assert.raises(function() nd.split(nd.zeros { 2, 4 }, { num_outputs = 2, squeeze_axis = true }) end,
      "squeeze_axis: expected parts of dimension 1 along axis 1 of shape %(2, 4%), got 2")
  end)

  it("rejects arrays that do not fit", function()
    assert.raises(function() nd.concat(nd.zeros { 2, 3 }, nd.zeros { 3, 4 }, { dim = 0 }) end,
      "Concat: arg1: expected shape %(%?, 3%), got %(3, 4%)")
    assert.raises(function() nd.concat(nd.zeros { 2 }, nd.zeros({ 2 }, { dtype = "int32" }), { dim = 0 }) end,
      "arg1: expected dtype float32, got int32")
    assert.raises(function() nd.split(nd.zeros { 2, 3 }, { num_outputs = 2 }) end,
      "num_outputs: expected a divisor of 3, .* got 2")
    assert.raises(function() nd.split(nd.zeros { 2, 3 }, { num_outputs = 1 << 20 }) end,
      "num_outputs: expected 1 to 4096 parts, got 1048576")
    assert.raises(function() nd._split_v2(nd.zeros { 2, 3 }, { indices = { 0, 5 } }) end,
      "indices: expected beginnings from 0 up to 3 .*, got 5 after 0")
  end)

  it("adds from left to right in add_n", function()
    assert.equal(1, nd.add_n(nd.array { 1e8 }, nd.array { -1e8 }, nd.array { 1 }):asscalar())
    assert.equal(0, nd.add_n(nd.array { 1 }, nd.array { 1e8 }, nd.array { -1e8 }):asscalar())
    assert.raises(function() nd.add_n(nd.ones({ 1 }, { dtype = "float16" })) end,
      "arg0: expected dtype float32, float64 or an integer, got float16")
  end)

  it("includes MXNet's split_v2, moveaxis and concatenate", function()
    local x = count { 3, 4 }
    local parts = x:split_v2({ 1, 3 }, 1)
    assert.same({ { 1, 2 }, { 5, 6 }, { 9, 10 } }, parts[2]:totable())
    assert.equal(3, #nd.split_v2(x, 3))
    assert.equal(2, #sym.split_v2(sym.var "x", { 1 }))
    assert.raises(function() nd.split_v2(x, "3") end,
      "reshape_slice_spec.lua:%d+: split_v2: indices_or_sections: expected an integer or a table")
    assert.equal("(5,4,3)", shape_of(nd.moveaxis(nd.zeros { 3, 4, 5 }, { 0, 1 }, { -1, -2 })))
    assert.raises(function() nd.moveaxis(x, 0, 5) end, "moveaxis: destination: expected an axis from %-2 to 1")
    assert.equal("(3,8)", shape_of(nd.concatenate({ x, x }, 1)))
  end)
end)

describe("broadcasting", function()
  it("keeps dimensions given as 0, and rejects shapes that do not fit", function()
    assert.equal("(2,3)", shape_of(nd.broadcast_to(nd.zeros { 2, 1 }, { shape = { 0, 3 } })))
    assert.raises(function() nd.broadcast_to(nd.zeros { 2, 3 }, { shape = { 2, 4 } }) end,
      "shape: expected a shape that %(2, 3%) broadcasts to, got %(2, 4%)")
    assert.raises(function() nd.broadcast_to(nd.zeros { 2, 3 }, { shape = { -1, 3 } }) end,
      "shape: expected dimensions of 0 or more, got %-1")
    assert.raises(function() nd.broadcast_axis(nd.zeros { 2, 3 }, { axis = 1, size = 4 }) end,
      "axis: expected axes of dimension 1, got axis 1 of shape")
    assert.raises(function() nd.broadcast_like(nd.zeros { 2, 1 }, nd.zeros { 3 }, { lhs_axes = { 1 } }) end,
      "rhs_axes: expected as many axes as lhs_axes has")
  end)
end)

describe("where", function()
  it("chooses rows by a 1-d condition", function()
    local x, y = nd.ones { 3, 3 }, nd.zeros { 3, 3 }
    assert.same({ { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 } }, nd.where(nd.array { 0, 1, 2 }, x, y):totable())
    assert.same({ { 0, 1, 1 }, { 0, 1, 1 }, { 0, 1, 1 } }, nd.where(nd.array { { 0, 1, 2 } }, x, y):totable())
    assert.same({ { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 } },
      gradient(x, function() return nd.where(nd.array { 0, 1, 2 }, x, y) end):totable())
    assert.raises(function() nd.where(nd.ones { 3 }, nd.ones { 4, 3 }, nd.ones { 4, 3 }) end,
      "where: condition: expected a shape that broadcasts with %(4, 3%), or one truth value for each of its rows, " ..
        "got %(3,%)")
  end)

  it("accepts any dtype as the condition, treats NaN as true, and passes no NaN from the other operand", function()
    for _, dtype in ipairs { "float64", "float16", "int8", "int64", "bool" } do
      assert.same({ 1, -1 },
        nd.where(nd.array({ 3, 0 }):astype(dtype), nd.array { 1, 2 }, nd.array { -2, -1 }):totable())
    end
    assert.same({ 1 }, nd.where(nd.array { 0 / 0 }, nd.array { 1 }, nd.array { 2 }):totable())
    local x = nd.array { -1, 4 }
    x:attach_grad()
    autograd.record(function() return nd.where(x:greater(0), x, nd.ones { 2 }) end):backward(nd.array { 0 / 0, 3 })
    assert.same({ 0, 3 }, x.grad:totable())
  end)
end)

describe("taking", function()
  it("adds gradients of one element in the order of the indices", function()
    local w = nd.zeros { 3, 2 }
    w:attach_grad()
    local y = autograd.record(function() return nd.take(w, nd.array { 1, 1, 2, 1 }) end)
    y:backward(nd.array { { 1, 1 }, { 1e8, -1e8 }, { 5, 5 }, { -1e8, 1e8 } })
    assert.same({ { 0, 0 }, { 0, 0 }, { 5, 5 } }, w.grad:totable())      -- (1 + 1e8) - 1e8 is 0 in float32
  end)

  it("has large gradients, equal to those in parts", function()
    local w, index = nd.zeros { 300, 64 }, nd.arange(20000) * 7 % 300
    w:attach_grad()
    local y = autograd.record(function() return nd.Embedding(index, w, { input_dim = 300, output_dim = 64 }) end)
    local head = nd.sin(nd.arange(20000 * 64)):reshape(20000, 64)
    y:backward(head)
    local sum = nd.zeros { 64 }
    for i = 0, 19999 do if i * 7 % 300 == 14 then sum = sum + head[i] end end
    assert.bits(sum, w.grad[14])
  end)

  it("clips, wraps around or rejects indices out of range", function()
    local x = nd.array { 10, 20, 30 }
    assert.same({ 10, 30, 30 }, nd.take(x, nd.array { -1, 3, 2.9 }):totable())
    assert.same({ 30, 10, 30 }, nd.take(x, nd.array { -1, 3, -4 }, { mode = "wrap" }):totable())
    assert.same({ 30, 10 }, nd.take(x, nd.array { -1, 0 }, { mode = "raise" }):totable())
    assert.raises(function() nd.take(x, nd.array { 0, 3 }, { mode = "raise" }) end,
      "take: indices: expected indices from %-3 to 2, got 3")
    assert.raises(function() nd.take(nd.zeros { 0 }, nd.array { 0 }) end,
      "take: a: expected elements along axis 0, got shape %(0,%)")
    assert.raises(function() nd.gather_nd(count { 2, 3 }, nd.array { { 0 }, { 3 } }) end,
      "gather_nd: indices: expected indices from %-3 to 2, got 3")
    assert.raises(function() nd.scatter_nd(nd.ones { 1 }, nd.array { { 9 } }, { shape = { 3 } }) end,
      "scatter_nd: indices: .* from %-3 to 2, got 9")
    assert.raises(function() nd.contrib.index_copy(count { 2, 3 }, nd.array { -1 }, nd.ones { 1, 3 }) end,
      "index_vector: .* from 0 to 1, got %-1")
    assert.raises(function() nd.pick(count { 2, 3 }, nd.ones { 3 }) end,
      "pick: index: expected shape %(2,%), got %(3,%)")
  end)

  it("rejects indices at run time in Symbols", function()
    local s = sym.take(sym.var "x", sym.var "i", { mode = "raise" })
    assert.raises(function() s:eval { x = nd.ones { 3 }, i = nd.array { 3 } } end,
      "take: indices: expected indices from %-3 to 2, got 3")
  end)

  it("keeps the last of equal indices in scatter_nd, and adds them in gather_nd's gradient", function()
    assert.same({ 0, 2 }, nd.scatter_nd(nd.array { 1, 2 }, nd.array { { 1, 1 } }, { shape = { 2 } }):totable())
    local x = nd.zeros { 2 }
    assert.same({ 0, 2 }, gradient(x, function() return nd.gather_nd(x, nd.array { { 1, 1 } }) end):totable())
  end)

  it("adds no gradients in float16", function()
    local x = nd.ones({ 2 }, { dtype = "float16" })
    x:attach_grad()
    local at = nd.array({ 1 }, { dtype = "int64" })
    local refuses = {
      [" backward_take: grad"] = function() return nd.take(x, at) end,
      [" backward_gather_nd: data"] = function() return nd.gather_nd(x, at:reshape { 1, 1 }) end,
      [" backward_take_along_axis: g"] = function() return nd.take_along_axis(x, at, 0) end,
      [" backward_index: grad"] = function() return x[at] end,
    }
    for begins, f in pairs(refuses) do
      local y = autograd.record(f)
      assert.raises(function() y:backward() end, begins .. ": expected dtype float32 or float64, got float16")
    end
    local y = autograd.record(function() return x["1:"] end)
    y:backward()
    assert.same({ 0, 1 }, x.grad:totable())
  end)
end)

describe("boolean_mask", function()
  local x = count { 3, 2 }

  it("keeps the marked rows or elements", function()
    assert.same({ { 0, 1 }, { 4, 5 } }, nd.contrib.boolean_mask(x, nd.array { 1, 0, 2 }):totable())
    assert.same({ 1, 4 }, nd.boolean_mask(x, nd.array { { 0, 1 }, { 0, 0 }, { 1, 0 } }):totable())
    assert.equal("(0,2)", shape_of(nd.boolean_mask(x, nd.zeros { 3 })))
    assert.raises(function() nd.boolean_mask(x, nd.ones { 2 }) end,
      "boolean_mask: index: expected shape %(3,%), got %(2,%)")
  end)

  it("is differentiable, twice", function()
    local a = nd.array { 1, 2, 3 }
    a:attach_grad()
    local g = autograd.record(function()
      local y = nd.boolean_mask(a * a * a, nd.array { 0, 1, 1 }):sum()
      return autograd.grad(y, a, { create_graph = true, retain_graph = true })
    end)
    assert.same({ 0, 12, 27 }, g:totable())
    g:backward()
    assert.same({ 0, 12, 18 }, a.grad:totable())
  end)

  it("has a known shape only when it runs", function()
    local s = sym.boolean_mask(sym.var "x", sym.var "m")
    assert.same({ { 2, 3 } }, s:eval { x = x, m = nd.array { 0, 1, 0 } }[1]:totable())
    assert.raises(function() hl.compile(function(F, a, m) return F.boolean_mask(a, m) end)(x, nd.ones { 3 }) end,
      "boolean_mask: the shape of its output depends on values")
  end)
end)
