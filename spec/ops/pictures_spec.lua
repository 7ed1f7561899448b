-- pictures_spec.lua - operators on pictures: layouts that must give the same bits, variables made by the graph, and
-- what errors say. (Values and gradients: ops_spec, oracle_spec.)
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local below = scratch.numbers(1311)
local function from(low, high) return low + below(high - low + 1) end
local function one_of(list) return list[from(1, #list)] end

local function fails(name, text, ...)
  local arguments = table.pack(...)
  assert.raises(function() return nd[name](table.unpack(arguments)) end, name .. ": " .. text)
end

describe("Pooling with the channels last", function()
  local LAYOUTS = { "NWC", "NHWC", "NDHWC" }
  local THERE = { { 0, 2, 1 }, { 0, 2, 3, 1 }, { 0, 2, 3, 4, 1 } }
  local BACK = { { 0, 2, 1 }, { 0, 3, 1, 2 }, { 0, 4, 1, 2, 3 } }

  local function draw(axes)
    local p = { kernel = {}, stride = {}, pad = {}, pool_type = one_of { "max", "avg", "sum", "lp" },
                pooling_convention = one_of { "valid", "full" }, count_include_pad = one_of { true, false },
                global_pool = below(8) == 0 }
    if p.pool_type == "lp" then p.p_value = from(1, 3) end
    local shape = { from(1, 2), one_of { 1, 3, 65, 130 } }
    for a = 1, axes do
      p.kernel[a], p.stride[a] = from(1, 3), from(1, 3)
      p.pad[a] = below(p.kernel[a])
      shape[2 + a] = from(3, 7)
    end
    return p, shape
  end

  -- Value, gradient, and the gradient of a weighted sum of that.
  local function pooled(x, options, weights, turn)
    x = turn(x:copy())
    x:attach_grad()
    local y, g
    local h = autograd.record(function()
      y = nd.Pooling(x, options)
      g = autograd.grad((y * y):sum(), { x }, { create_graph = true })[1]
      return (g * turn(weights)):sum()
    end)
    h:backward()
    return y, g, x.grad
  end

  -- Gradients add in another order what overlapping windows give to one place.
  it("gives the bits of channels before places, and the same gradients", function()
    for round = 1, 90 do
      local axes = (round - 1) % 3 + 1
      local options, shape = draw(axes)
      local x = nd.random.uniform(0.5, 2, { shape = shape, dtype = one_of { "float32", "float64" } })
      local weights = nd.random.uniform(-1, 1, { shape = shape, dtype = x.dtype })
      local first = { pooled(x, options, weights, function(a) return a end) }
      options.layout = LAYOUTS[axes]
      local last = { pooled(x, options, weights, function(a) return nd.transpose(a, { axes = THERE[axes] }) end) }
      local rounding = x.dtype == "float64" and 1e-12 or 1e-4
      for i = 1, 3 do
        local here = nd.transpose(last[i], { axes = BACK[axes] })
        if i == 1 then assert.bits(here, first[i]) else assert.allclose(here, first[i], rounding, rounding) end
      end
    end
  end)

  it("is named where data or kernel do not fit", function()
    local x = nd.ones { 2, 4, 4, 3 }
    fails("Pooling", "data: expected 3 dimensions %(batch, width, channel%), got %(2, 4, 4, 3%)", x,
      { kernel = 2, layout = "NWC" })
    fails("Pooling", "layout: expected NCHW for a kernel of 2 numbers, got NWC", x,
      { kernel = { 2, 2 }, layout = "NWC" })
    fails("Pooling", "kernel: expected a window that fits into data %(2, 4, 4, 3%) with its padding, got one of 5 " ..
      "along axis 1", x, { kernel = { 5, 2 }, layout = "NHWC" })
    assert.same({ 2, 1, 1, 3 }, nd.Pooling(x, { global_pool = true, layout = "NHWC" }).shape)
  end)
end)

describe("UpSampling", function()
  it("has a weight of its own where it is bilinear", function()
    local s = sym.UpSampling(sym.var "data", { scale = 3, sample_type = "bilinear", num_filter = 2, name = "up" })
    assert.same({ "data", "up_weight" }, s:list_arguments())
    local arguments, outputs = s:infer_shape { data = { 4, 2, 3, 5 } }
    assert.same({ { 4, 2, 3, 5 }, { 2, 1, 5, 5 } }, arguments)
    assert.same({ { 4, 2, 9, 15 } }, outputs)
    assert.equal('["bilinear", {}]', s:attr_dict().up_weight.__init__)
    assert.same({ "data", "up_weight" }, sym.load_json(s:tojson()):list_arguments())
  end)

  it("names what does not fit", function()
    local x = nd.ones { 1, 2, 4, 4 }
    fails("UpSampling", "scale: expected 1 or more, got 0", x, { scale = 0, sample_type = "nearest" })
    fails("UpSampling", "data: expected 4 dimensions %(batch, channel, height, width%), got %(2, 3%)", nd.ones { 2, 3 },
      { scale = 2, sample_type = "nearest" })
    fails("UpSampling", "weight: expected a height that divides the output's 8, got %(1, 2, 3, 4%)", x,
      nd.ones { 1, 2, 3, 4 }, { scale = 2, sample_type = "nearest" })
    fails("UpSampling", "weight: expected 2 channels where multi_input_mode is sum, got %(1, 3, 4, 4%)", x,
      nd.ones { 1, 3, 4, 4 }, { scale = 2, sample_type = "nearest", multi_input_mode = "sum" })
    fails("UpSampling", "weight: expected a batch of 1, got %(2, 3, 4, 4%)", x, nd.ones { 2, 3, 4, 4 },
      { scale = 2, sample_type = "nearest" })
    fails("UpSampling", "num_filter: expected the 2 channels of data %(1, 2, 4, 4%), got 3", x, nd.ones { 2, 1, 4, 4 },
      { scale = 2, sample_type = "bilinear", num_filter = 3 })
    fails("UpSampling", "weight: expected shape %(2, 1, 4, 4%), got %(2, 1, 3, 3%)", x, nd.ones { 2, 1, 3, 3 },
      { scale = 2, sample_type = "bilinear", num_filter = 2 })
  end)
end)

describe("Pad", function()
  it("names what does not fit", function()
    local x = nd.ones { 1, 2, 4, 3 }
    local function width(...) return { mode = "reflect", pad_width = { ... } } end
    fails("Pad", "data: expected 4 or 5 dimensions .*, got %(2, 3%)", nd.ones { 2, 3 }, width(0, 0, 0, 0))
    fails("Pad", "pad_width: expected 8 numbers, before and after for each axis, got 6", x, width(0, 0, 0, 0, 1, 1))
    fails("Pad", "pad_width: expected 0 for the first two axes, got 1", x, width(0, 0, 1, 0, 1, 1, 1, 1))
    fails("Pad", "pad_width: expected numbers of 0 or more, got %-1", x, width(0, 0, 0, 0, -1, 1, 1, 1))
    fails("Pad", "pad_width: expected less than the 3 places of axis 3 to reflect, got 3", x,
      width(0, 0, 0, 0, 1, 1, 1, 3))
    assert.same({ 0, 2, 6, 5 }, nd.Pad(nd.zeros { 0, 2, 4, 3 }, width(0, 0, 0, 0, 1, 1, 1, 1)).shape)
  end)
end)

describe("LRN", function()
  it("names what does not fit", function()
    fails("LRN", "nsize: expected an odd number of 1 or more, got 2", nd.ones { 1, 2, 3 }, { nsize = 2 })
    fails("LRN", "data: expected at least 2 dimensions, got", nd.ones { 3 }, { nsize = 3 })
  end)
end)

describe("im2col and col2im", function()
  it("name what does not fit", function()
    local x = nd.ones { 2, 3, 4, 5 }
    fails("im2col", "kernel: expected a window that fits into %(2, 3, 4, 5%) with its padding, got one of 5", x,
      { kernel = { 3, 2 }, dilate = { 2, 1 } })
    fails("im2col", "data: expected 3 dimensions %(batch, channel, width%), got %(2, 3, 4, 5%)", x, { kernel = 2 })
    fails("col2im", "output_size: expected 2 numbers, one for each of kernel, got 1", nd.ones { 2, 12, 12 },
      { kernel = { 2, 2 }, output_size = 4 })
    fails("col2im", "data: expected a multiple of the window's 4 taps along axis 1, got %(2, 13, 12%)",
      nd.ones { 2, 13, 12 }, { kernel = { 2, 2 }, output_size = { 4, 5 } })
    fails("col2im", "data: expected shape .*12%), got %(2, 12, 13%)", nd.ones { 2, 12, 13 },
      { kernel = { 2, 2 }, output_size = { 4, 5 } })
    fails("col2im", "output_size: expected numbers of 1 or more, got %(0, 5%)", nd.ones { 2, 12, 12 },
      { kernel = { 2, 2 }, output_size = { 0, 5 } })
  end)

  it("are matrix products' way to convolve", function()
    for _ = 1, 30 do
      local n, c, f = from(1, 2), from(1, 3), from(1, 3)
      local options = { kernel = { from(1, 3), from(1, 3) }, stride = { from(1, 2), from(1, 2) },
        pad = { below(2), below(2) }, dilate = { from(1, 2), from(1, 2) } }
      local x = nd.random.randint(-4, 5, { shape = { n, c, from(5, 8), from(5, 8) }, dtype = "int32" }):astype "float64"
      local w = nd.random.randint(-4, 5, { shape = { f, c, table.unpack(options.kernel) }, dtype = "int32" })
        :astype "float64"
      local columns = nd.im2col(x, options)
      local products = nd.stack(table.unpack((function()
        local each = {}
        for i = 0, n - 1 do each[i + 1] = nd.dot(w:reshape { f, -1 }, columns[i]) end
        return each
      end)()))
      options.num_filter, options.no_bias = f, true
      local y = nd.Convolution(x, w, options)
      assert.bits(products:reshape(y.shape), y)
    end
  end)
end)

describe("contrib.BilinearResize2D and contrib.AdaptiveAvgPooling2D", function()
  local function resized(shape, options, ...) return nd.contrib.BilinearResize2D(nd.ones(shape), ..., options).shape end

  it("take their size from what the mode says", function()
    local shape = { 2, 3, 4, 5 }
    assert.same({ 2, 3, 6, 3 }, resized(shape, { scale_height = 1.5, scale_width = 0.6 }))
    assert.same({ 2, 3, 6, 7 }, resized(shape, { scale_height = 1.5, scale_width = 1.5, mode = "odd_scale" }))
    assert.same({ 2, 3, 6, 9 }, resized(shape, { scale_height = 1.5, width = 9 }))
    assert.same({ 2, 3, 4, 4 }, resized(shape, { mode = "to_even_down" }))
    assert.same({ 2, 3, 4, 6 }, resized(shape, { mode = "to_even_up" }))
    assert.same({ 2, 3, 3, 5 }, resized(shape, { mode = "to_odd_down" }))
    assert.same({ 2, 3, 5, 5 }, resized(shape, { mode = "to_odd_up" }))
    assert.same({ 2, 3, 7, 8 }, resized(shape, { mode = "like" }, nd.ones { 1, 1, 7, 8 }))
    assert.same({ "data" }, sym.contrib.BilinearResize2D(sym.var "data", { height = 2, width = 2 }):list_arguments())
  end)

  it("name what does not fit", function()
    local x = nd.ones { 2, 3, 1, 5 }
    local function bad(name, text, ...)
      local arguments = table.pack(...)
      local function call() return nd.contrib[name](table.unpack(arguments)) end
      assert.raises(call, "contrib.?" .. name .. ": " .. text)
    end
    bad("BilinearResize2D", "height: expected 1 or more, got 0", x, { height = 0 })
    bad("BilinearResize2D", "data: expected a height that leaves 1 or more, got 1", x, { mode = "to_even_down" })
    bad("BilinearResize2D", "scale_height: expected a number where mode is odd_scale, got None", x,
      { mode = "odd_scale" })
    bad("BilinearResize2D", "data: expected 4 dimensions", nd.ones { 2, 3 }, { height = 2 })
    bad("AdaptiveAvgPooling2D", "output_size: expected %(%), one number or two %(height, width%), got 3", x,
      { output_size = { 1, 2, 3 } })
  end)
end)

describe("Samplers of grids and regions", function()
  it("name what does not fit", function()
    local x = nd.ones { 2, 3, 4, 5 }
    fails("BilinearSampler", "grid: expected shape %(2, 2, %?, %?%), got %(1, 2, 3, 3%)", x, nd.ones { 1, 2, 3, 3 })
    fails("GridGenerator", "target_shape: expected two numbers of 1 or more, height and width, got %(0, 0%)",
      nd.ones { 2, 6 }, { transform_type = "affine" })
    fails("GridGenerator", "data: expected shape %(%?, 6%), got %(2, 5%)", nd.ones { 2, 5 },
      { transform_type = "affine", target_shape = { 2, 2 } })
    fails("SpatialTransformer", "loc: expected shape %(2, 6%), got %(3, 6%)", x, nd.ones { 3, 6 },
      { transform_type = "affine", target_shape = { 2, 2 }, sampler_type = "bilinear" })
    fails("ROIPooling", "rois: expected rows %(image, left, top, right, bottom%), shape %(%?, 5%), got %(2, 4%)", x,
      nd.ones { 2, 4 }, { pooled_size = { 2, 2 }, spatial_scale = 1 })
    fails("ROIPooling", "spatial_scale: expected a number from 0 to 1, got 2", x, nd.ones { 2, 5 },
      { pooled_size = { 2, 2 }, spatial_scale = 2 })
    fails("ROIPooling", "pooled_size: expected two numbers of 1 or more, height and width, got %(2,%)", x,
      nd.ones { 2, 5 }, { pooled_size = 2, spatial_scale = 1 })
  end)

  it("give zeros for an image that is not there, and for places beside it", function()
    local x, size = nd.ones { 1, 1, 4, 4 }, { pooled_size = { 1, 2 }, spatial_scale = 1 }
    local rois = nd.array { { -1, 0, 0, 2, 2 }, { 1, 0, 0, 2, 2 }, { 0 / 0, 0, 0, 2, 2 }, { 0, 8, 8, 9, 9 } }
    assert.bits(nd.zeros { 4, 1, 1, 2 }, nd.ROIPooling(x, rois, size))
    assert.bits(nd.zeros { 4, 1, 1, 2 }, nd.contrib.ROIAlign(x, rois, size))
    local grid = nd.array { { { { 3, -1e30 } }, { { 0, 0 } } } }
    assert.bits(nd.zeros { 1, 1, 1, 2 }, nd.BilinearSampler(x, grid))
  end)
end)
