-- infer_types_spec.lua - inferred shapes and dtypes of partly known graphs match MXNet 1.9.1.
local hl = require "hybridlua"
require "spec.support.helper"
local nd, sym = hl.nd, hl.sym

local function var(name, shape) return sym.var(name, { shape = shape }) end

-- The arguments' shapes by name.
local function arguments(s, ...)
  local shapes, by_name = s:infer_shape(...), {}
  for i, name in ipairs(s:list_arguments()) do by_name[name] = shapes[i] end
  return by_name
end

-- The output of fn on standard error.
local function warned(fn)
  local text, before = {}, io.stderr
  rawset(io, "stderr", { write = function(_, part) text[#text + 1] = part end })
  local ok, message = pcall(fn)
  rawset(io, "stderr", before)
  assert(ok, message)
  return table.concat(text)
end

local function partial(s, given) return select(2, s:infer_shape_partial(given))[1] end

describe("inference of unknown dimensions", function()
  it("fills in each of two operands from the other", function()
    local a, b = var("a", { 0, 10 }), var("b", { 12, 0 })
    for _, c in ipairs { a + b, a * b, a - b, a / b, sym.elemwise_add(a, b) } do
      assert.same({ { { 12, 10 }, { 12, 10 } }, { { 12, 10 } }, {} }, { c:infer_shape() })
    end
    assert.same({ 2, 3 }, arguments((sym.var "p" + sym.var "q") * var("r", { 2, 3 })).q)
  end)

  it("fills in an operator's result from the other operand of a sum", function()
    local a = var("a", { 0, 10 })
    local shapes = arguments(sym.FullyConnected(a, { num_hidden = 21 }) + var("c", { 5, 0 }))
    assert.same({ 5, 10 }, shapes.a)
    assert.same({ 5, 21 }, shapes.c)
    local parts = sym.SliceChannel(a, { num_outputs = 10, axis = 1, squeeze_axis = true })
    assert.same({ 5, 10 }, arguments(parts[2] + var("c", { 5 })).a)
    parts = sym.SliceChannel(var("a", { 0, 15, 0 }), { num_outputs = 3, squeeze_axis = false })
    assert.same({ 3, 15, 2 }, arguments(parts[2] + var("c", { 3, 5, 2 })).a)
    local image = var("a", { 0, 10, 0, 0 })
    local convolved = sym.Convolution(image,
      { num_filter = 21, kernel = { 3, 3 }, dilate = { 1, 1 }, pad = { 1, 1 } })
    assert.same({ 5, 10, 32, 32 }, arguments(convolved + var("c", { 5, 21, 32, 32 })).a)
    local joined = sym.Concat(var("a", { 0, 10 }), var("b", { 0, 5 }), { dim = 1 })
    assert.same({ a = { 2, 10 }, b = { 2, 5 }, d = { 2, 15 } }, arguments(var("d", { 2, 0 }) + joined))
  end)

  it("leaves the output positions of a strided convolution open", function()
    local convolved = sym.Convolution(var("a", { 0, 10, 0, 0 }),
      { num_filter = 2, kernel = { 3, 3 }, stride = { 2, 2 } })
    local shapes = sym.elemwise_add(convolved, var("c", { 5, 2, 4, 4 })):infer_shape_partial()
    assert.same({ 5, 10, 0, 0 }, shapes[1])
  end)

  it("uses broadcasting of operands only if nothing else is known", function()
    local w, data = sym.var "weight", sym.var "data"
    local moved = sym.broadcast_add(w, var("shift", { 1 }))
    local net = sym.FullyConnected(data, moved, { num_hidden = 11, no_bias = true })
    local other = sym.FullyConnected(data, w, { num_hidden = 11, no_bias = true })
    assert.same({ 11, 100 }, arguments(net + other, { data = { 7, 100 } }).weight)
    assert.same({}, partial(sym.broadcast_maximum(sym.var "x", var("y", { 2, 3 }))))   -- Lua has no operator for it
  end)

  it("works through the bodies of loops", function()
    local data = var("data", { 0, 3, 32, 32 })
    local out = sym.contrib.foreach(function(d, states) return d + states[1], { states[1] * 2 } end, data,
      { sym.var "state" })
    assert.same({ { { 0, 3, 32, 32 }, { 3, 32, 32 } }, { { 0, 3, 32, 32 } }, {} }, { out:infer_shape_partial() })
    assert.same({ 4, 3, 32, 32 }, select(2, out:infer_shape { data = { 4, 3, 32, 32 } })[1])
  end)

  it("returns unknown dimensions as 0, and unknown shapes as {}", function()
    local x, y = sym.var "x", sym.var "y"
    assert.same({ 0, 3, 5 }, partial(sym.dot(x, y), { x = { 0, 3, 4 }, y = { 4, 5 } }))
    assert.same({ 0, 3, 5 }, partial(sym.batch_dot(x, y), { x = { 0, 3, 4 }, y = { 0, 4, 5 } }))
    assert.same({}, partial(sym.batch_dot(x, y), { x = { 0, 3, 4 }, y = { 0, 0, 5 } }))
    assert.same({ 0, 5, 10 }, partial(sym.Embedding(x, y, { input_dim = 100, output_dim = 10 }),
      { x = { 0, 5 }, y = { 100, 10 } }))
    assert.same({ 0, 224, 224, 3 }, partial(sym.transpose(x, { axes = { 0, 3, 2, 1 } }), { x = { 0, 3, 224, 224 } }))
    assert.same({ 0, 3 }, partial(sym.pick(x, y, { axis = 1 }), { x = { 0, 3, 3 }, y = { 0, 3 } }))
    assert.same({}, partial(sym.where(sym.var "c", x, y), { c = { 0, 2 }, x = { 0, 2 }, y = { 0, 2 } }))
    assert.same({ { {} }, { {} }, {} }, { sym.sin(x):infer_shape_partial() })
    assert.same({ 0, 10, 16, 16 }, partial(sym.UpSampling(x, { scale = 2, sample_type = "nearest" }),
      { x = { 0, 10, 8, 8 } }))
    assert.same({ 0, 12, 2, 2 }, partial(sym.space_to_depth(x, { block_size = 2 }), { x = { 0, 3, 4, 4 } }))
    assert.same({ 0, 1, 8, 8 }, partial(sym.depth_to_space(x, { block_size = 2 }), { x = { 0, 4, 4, 4 } }))
  end)

  it("returns -1 and nd.NULL if a -1 was given", function()
    local x, y = sym.var "x", sym.var "y"
    assert.same({ -1, 3, 5 }, partial(sym.dot(x, y), { x = { -1, 3, 4 }, y = { 4, 5 } }))
    assert.equal(nd.NULL, partial(sym.batch_dot(x, y), { x = { -1, 3, 4 }, y = { -1, -1, 5 } }))
    assert.same({ -1, 10 }, partial(sym.slice(var("d", { -1, 20 }),
      { begin = { nd.NULL, nd.NULL }, stop = { nd.NULL, 10 } })))
  end)

  it("leaves the length of a slice along an unknown axis open", function()
    local d = var("d", { 10, 0 })
    assert.same({ 10, 0 }, partial(sym.slice_axis(d, { axis = 1, begin = 0, stop = 5 })))
    assert.same({ 10, 0 }, partial(sym.slice_axis(d, { axis = 1, begin = -5, stop = -1 })))
    assert.same({ 5, 0 }, partial(sym.slice_axis(d, { axis = 0, begin = 0, stop = 5 })))
    local known = sym.slice_axis(d, { axis = 1, begin = 0, stop = 5 })
    assert.same({ 10, 5 }, select(2, known:infer_shape { d = { 10, 8 } })[1])
  end)
end)

describe("a layer", function()
  it("infers its parameters' shapes from its data's shape", function()
    local x2h = sym.FullyConnected(sym.var "data", { num_hidden = 128, name = "x2h" })
    local h2h = sym.FullyConnected(sym.var "state", { num_hidden = 128, name = "h2h" })
    local out = sym.relu(sym.elemwise_add(x2h, h2h))
    local text = warned(function() assert.is_nil((out:infer_shape { data = { 10, 64 } })) end)
    assert.truthy(text:find(
      "Cannot decide shape for the following arguments (0s in shape means unknown dimensions). Consider providing " ..
      "them as input:\n\tstate: ()\n\th2h_weight: ()\n\th2h_bias: ()", 1, true), text)
    local shapes, outputs = out:infer_shape_partial { data = { 10, 64 } }
    assert.same({ { 10, 64 }, { 128, 64 }, { 128 }, {}, {}, {} }, shapes)
    assert.same({ { 10, 128 } }, outputs)
    assert.same({ 128, 128 }, arguments(out, { data = { 10, 64 }, state = outputs[1] }).h2h_weight)
    for _, s in ipairs { sym.Convolution(sym.var "x", { num_filter = 2, kernel = { 3, 3 } }),
      sym.Deconvolution(sym.var "x", { num_filter = 2, kernel = { 3, 3 } }),
      sym.Embedding(sym.var "x", { input_dim = 3, output_dim = 2 }) } do
      assert.same({}, (s:infer_shape_partial())[2])
    end
  end)
end)

describe("an argument of infer_shape", function()
  local a, b = var("a", { 2, 3 }), sym.var "b"
  local c = sym.elemwise_add(a, b)

  it("overrides the variable's declaration", function()
    assert.same({ { { 2, 3 }, { 2, 3 } }, { { 2, 3 } }, {} }, { c:infer_shape() })
    assert.same({ { { 5, 6 }, { 5, 6 } }, { { 5, 6 } }, {} }, { c:infer_shape { a = { 5, 6 } } })
    assert.same({ { 4 }, { 4 } }, (c:infer_shape { a = { 4 } }))
    assert.same({ { 2, 3 }, { 2, 3 } }, (c:infer_shape { a = { 0, 3 } }))
    assert.same({ { 2, 3 }, { 2, 3 } }, (c:infer_shape { a = {} }))
    assert.raises(function() c:infer_shape { b = { 5, 6 } } end, "elemwise_add: rhs: expected shape %(2, 3%)")
    assert.same({ { 2, 3 }, { 2, 3 } }, (c:infer_shape()))
    local typed = sym.elemwise_add(sym.var("a", { dtype = "int32" }), b)
    assert.same({ "int32", "int32" }, (typed:infer_type()))
    assert.same({ "float64", "float64" }, (typed:infer_type { a = "float64" }))
  end)

  it("can be given by position", function()
    assert.same({ { 5, 6 }, { 5, 6 } }, (c:infer_shape({ 5, 6 }, { 5, 6 })))
    assert.same({ { 5, 6 }, { 5, 6 } }, (c:infer_shape { { 5, 6 }, { 5, 6 } }))
    assert.same({ { 5, 6 }, { 5, 6 } }, (sym.elemwise_add(sym.var "a", b):infer_shape(nil, { 5, 6 })))
    assert.same({ "float64", "float64" }, (c:infer_type "float64"))
  end)

  it("is rejected if it is unknown or malformed", function()
    assert.raises(function() c:infer_type_partial(nd.ones { 2 }) end,
      "infer_types_spec.lua:%d+: infer_type_partial: expected {name = value}, got NDArray")
    assert.raises(function() c:infer_shape(nd.ones { 2 }) end, "infer_shape: expected {name = value}, got NDArray")
    assert.raises(function() c:infer_shape({ 1 }, { 1 }, { 1 }) end, "at most 2 values, for that many arguments, got 3")
    assert.raises(function() c:infer_shape { { 2, 3 }, b = { 2, 3 } } end, "either by position or by name, got both")
    assert.raises(function() c:infer_shape { a = { "x", 3 } } end, "infer_shape: shape: expected integers, got")
    assert.raises(function() c:infer_type { a = "floaty" } end, "infer_type")
  end)

  it("causes a warning if dtypes cannot be inferred", function()
    local text = warned(function() assert.is_nil((sym.Cast(b, { dtype = "int32" }):infer_type())) end)
    assert.truthy(text:find("Cannot decide type for the following arguments. Consider providing them as input:" ..
      "\n\tb: None", 1, true), text)
    assert.same({ { false }, { "int32" }, {} }, { sym.Cast(b, { dtype = "int32" }):infer_type_partial() })
  end)
end)

describe("simple_bind", function()
  it("uses 0 for a length that nothing determines", function()
    local x = sym.var "x"
    assert.same({ 0, 4 }, sym.FullyConnected(x, { num_hidden = 4 }):simple_bind { x = { 0, 3 } }:forward()[1].shape)
    assert.same({ 5, 3 }, (x + var("y", { 5, 0 })):simple_bind { x = { 0, 3 } }:forward()[1].shape)
    assert.same({ 0, 3 }, sym.relu(x):simple_bind { x = { 2, 3 } }:reshape { x = { 0, 3 } }:forward()[1].shape)
  end)
end)

describe("zeros, ones and random numbers", function()
  it("get unknown dimensions from their use", function()
    local back = sym.zeros { 2, 3 } + sym.transpose(sym.ones { -1, -1 })
    assert.same({ { 1, 1, 1 }, { 1, 1, 1 } }, back:bind({}):forward()[1]:totable())
    assert.same({ { 1, 1, 1 }, { 1, 1, 1 } }, back:eval()[1]:totable())
    assert.same({ { 1, 1, 1 }, { 1, 1, 1 } }, sym.load_json(back:tojson()):eval()[1]:totable())
    local mixed = sym.ones { 2, 0 } + sym.transpose(sym.ones { 3, 0 })
    assert.same({ 2, 3 }, mixed:simple_bind {}:forward()[1].shape)
    local drawn = sym.elemwise_add(sym.random.uniform { shape = { 0, 3 } }, sym.full({ 2, 0 }, 5))
    assert.same({ 2, 3 }, drawn:eval()[1].shape)
    local turned = sym.elemwise_add(sym.var("x", { shape = { 4, 6 } }),
      sym.Reshape(sym.zeros { 0, 12 }, { shape = { -1, 6 } }))
    assert.same({ 4, 6 }, select(2, turned:infer_shape())[1])
    assert.same({ { 0, 3 } }, (select(2, sym.zeros { 0, 3 }:infer_shape_partial())))
  end)

  it("have the given length in hybridized code", function()
    assert.same({ 0, 3 }, hl.compile(function(F) return F.zeros { 0, 3 } end)().shape)
    local function open(F) return F.zeros { -1, 3 } end
    for _, call in ipairs { function() open(nd) end, hl.compile(open) } do
      assert.raises(call, "zeros: shape: expected dimensions of 0 or more, got %(%-1, 3%)")
    end
  end)
end)

describe("a block made from a graph", function()
  it("infers a parameter's shape from the data that it multiplies", function()
    local block = hl.gluon.SymbolBlock(sym.var "data" * sym.var "w", { sym.var "data" })
    block:collect_params():initialize()
    assert.same({ 3 }, block(nd.ones { 3 }).shape)
    assert.same({ 3 }, block:collect_params():get "w".shape)
  end)
end)
