-- vision_rows_spec.lua - operators on images: layouts that must give the same bits, variables created by the graph, and
-- errors. (Values and gradients: ops_spec, oracle_spec.)
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local below = scratch.numbers(1311)
local function from(low, high) return low + below(high - low + 1) end
local function one_of(list) return list[from(1, #list)] end

local function fails(name, text, ...)
  local arguments = table.pack(...)
  assert.raises(function() return nd[name](table.unpack(arguments)) end, name .. ": " .. text)
end

describe("Pooling with channels last", function()
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

  -- The value, the gradient, and the gradient of a weighted sum of the gradient.
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

  -- Gradients of overlapping windows are summed in a different order.
  it("has the bits of channels first, and the same gradients", function()
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

  it("rejects data and kernels of other sizes", function()
    local x = nd.ones { 2, 4, 4, 3 }
    fails("Pooling", "data: expected 3 dimensions %(batch, width, channel%), got %(2, 4, 4, 3%)", x,
      { kernel = 2, layout = "NWC" })
    fails("Pooling", "layout: expected NCHW for a kernel of 2 numbers, got NWC", x,
      { kernel = { 2, 2 }, layout = "NWC" })
    fails("Pooling", "kernel: expected a window that fits into the padded data %(2, 4, 4, 3%), got size 5 " ..
      "along axis 1", x, { kernel = { 5, 2 }, layout = "NHWC" })
    assert.same({ 2, 1, 1, 3 }, nd.Pooling(x, { global_pool = true, layout = "NHWC" }).shape)
  end)
end)

describe("global Pooling", function()
  it("has the bits of a window as large as data", function()
    for _ = 1, 60 do
      local shape, kernel = { from(0, 2), one_of { 1, 7, 8, 9, 40 } }, {}
      for a = 1, from(1, 3) do
        kernel[a] = from(1, 9)
        shape[2 + a] = kernel[a]
      end
      local x = nd.random.uniform(0, 1, { shape = shape, dtype = one_of { "float32", "float64" } })
      local options = { pool_type = one_of { "max", "avg", "sum", "lp" }, p_value = 2, kernel = kernel }
      local windows = nd.Pooling(x, options)
      options.global_pool = true
      assert.bits(nd.Pooling(x, options), windows)
    end
  end)
end)

describe("UpSampling", function()
  it("has a weight if it is bilinear", function()
    local s = sym.UpSampling(sym.var "data", { scale = 3, sample_type = "bilinear", num_filter = 2, name = "up" })
    assert.same({ "data", "up_weight" }, s:list_arguments())
    local arguments, outputs = s:infer_shape { data = { 4, 2, 3, 5 } }
    assert.same({ { 4, 2, 3, 5 }, { 2, 1, 5, 5 } }, arguments)
    assert.same({ { 4, 2, 9, 15 } }, outputs)
    assert.equal('["bilinear", {}]', s:attr_dict().up_weight.__init__)
    assert.same({ "data", "up_weight" }, sym.load_json(s:tojson()):list_arguments())
  end)

  it("rejects invalid arguments", function()
    local x = nd.ones { 1, 2, 4, 4 }
    fails("UpSampling", "scale: expected 1 or more, got 0", x, { scale = 0, sample_type = "nearest" })
    fails("UpSampling", "data: expected 4 dimensions %(batch, channel, height, width%), got %(2, 3%)", nd.ones { 2, 3 },
      { scale = 2, sample_type = "nearest" })
    fails("UpSampling", "weight: expected a height that divides the output's 8, got %(1, 2, 3, 4%)", x,
      nd.ones { 1, 2, 3, 4 }, { scale = 2, sample_type = "nearest" })
    fails("UpSampling", "weight: expected 2 channels if multi_input_mode is sum, got %(1, 3, 4, 4%)", x,
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
  it("rejects invalid arguments", function()
    local x = nd.ones { 1, 2, 4, 3 }
    local function width(...) return { mode = "reflect", pad_width = { ... } } end
    fails("Pad", "data: expected 4 or 5 dimensions .*, got %(2, 3%)", nd.ones { 2, 3 }, width(0, 0, 0, 0))
    fails("Pad", "pad_width: expected 8 numbers, before and after for each axis, got 6", x, width(0, 0, 0, 0, 1, 1))
    fails("Pad", "pad_width: expected 0 for the first two axes, got 1", x, width(0, 0, 1, 0, 1, 1, 1, 1))
    fails("Pad", "pad_width: expected numbers of 0 or more, got %-1", x, width(0, 0, 0, 0, -1, 1, 1, 1))
    fails("Pad", "pad_width: expected less than 3, the dimension of axis 3, to reflect, got 3", x,
      width(0, 0, 0, 0, 1, 1, 1, 3))
    assert.same({ 0, 2, 6, 5 }, nd.Pad(nd.zeros { 0, 2, 4, 3 }, width(0, 0, 0, 0, 1, 1, 1, 1)).shape)
  end)
end)

describe("LRN", function()
  it("rejects invalid arguments", function()
    fails("LRN", "nsize: expected an odd number of 1 or more, got 2", nd.ones { 1, 2, 3 }, { nsize = 2 })
    fails("LRN", "data: expected at least 2 dimensions, got", nd.ones { 3 }, { nsize = 3 })
  end)
end)

describe("im2col and col2im", function()
  it("reject invalid arguments", function()
    local x = nd.ones { 2, 3, 4, 5 }
    fails("im2col", "kernel: expected a window that fits into the padded %(2, 3, 4, 5%), got size 5", x,
      { kernel = { 3, 2 }, dilate = { 2, 1 } })
    fails("im2col", "data: expected 3 dimensions %(batch, channel, width%), got %(2, 3, 4, 5%)", x, { kernel = 2 })
    fails("col2im", "output_size: expected 2 numbers, as in kernel, got 1", nd.ones { 2, 12, 12 },
      { kernel = { 2, 2 }, output_size = 4 })
    fails("col2im", "data: expected a multiple of the window's 4 taps along axis 1, got %(2, 13, 12%)",
      nd.ones { 2, 13, 12 }, { kernel = { 2, 2 }, output_size = { 4, 5 } })
    fails("col2im", "data: expected shape .*12%), got %(2, 12, 13%)", nd.ones { 2, 12, 13 },
      { kernel = { 2, 2 }, output_size = { 4, 5 } })
    fails("col2im", "output_size: expected numbers of 1 or more, got %(0, 5%)", nd.ones { 2, 12, 12 },
      { kernel = { 2, 2 }, output_size = { 0, 5 } })
  end)

  it("compute a convolution with a matrix product", function()
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

  it("derive their size from the mode", function()
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

  it("reject invalid arguments", function()
    local x = nd.ones { 2, 3, 1, 5 }
    local function bad(name, text, ...)
      local arguments = table.pack(...)
      local function call() return nd.contrib[name](table.unpack(arguments)) end
      assert.raises(call, "contrib.?" .. name .. ": " .. text)
    end
    bad("BilinearResize2D", "height: expected 1 or more, got 0", x, { height = 0 })
    bad("BilinearResize2D", "data: expected a height that gives an output of 1 or more, got 1", x,
      { mode = "to_even_down" })
    bad("BilinearResize2D", "scale_height: expected a number if mode is odd_scale, got nothing", x,
      { mode = "odd_scale" })
    bad("BilinearResize2D", "data: expected 4 dimensions", nd.ones { 2, 3 }, { height = 2 })
    for _, how in ipairs { { height = 2, width = 2 }, { mode = "like" } } do
      bad("BilinearResize2D", "data: expected at least one row and column, got %(1, 1, 2, 0%)",
        nd.zeros { 1, 1, 2, 0 }, how.mode and nd.ones { 1, 1, 2, 2 } or how, how.mode and how)
    end
    bad("AdaptiveAvgPooling2D", "output_size: expected %(%), one number or two %(height, width%), got 3", x,
      { output_size = { 1, 2, 3 } })
  end)
end)

describe("samplers of grids and regions", function()
  it("reject invalid arguments", function()
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

  it("give zeros for a missing image and for points outside", function()
    local x, size = nd.ones { 1, 1, 4, 4 }, { pooled_size = { 1, 2 }, spatial_scale = 1 }
    local rois = nd.array { { -1, 0, 0, 2, 2 }, { 1, 0, 0, 2, 2 }, { 0 / 0, 0, 0, 2, 2 }, { 0, 8, 8, 9, 9 } }
    assert.bits(nd.zeros { 4, 1, 1, 2 }, nd.ROIPooling(x, rois, size))
    assert.bits(nd.zeros { 4, 1, 1, 2 }, nd.contrib.ROIAlign(x, rois, size))
    assert.bits(nd.zeros { 1, 2, 1, 2 },
      nd.contrib.ROIAlign(nd.zeros { 1, 2, 0, 3 }, nd.array { { 0, -1, -1, 2, 2 } }, size))
    size.aligned = true
    assert.raises(function() return nd.contrib.ROIAlign(x, nd.array { { 0, 1, 1, 1, 2 } }, size) end,
      "ROIAlign: rois: expected boxes with an area if aligned, got none in row 0")
    local grid = nd.array { { { { 3, -1e30 } }, { { 0, 0 } } } }
    assert.bits(nd.zeros { 1, 1, 1, 2 }, nd.BilinearSampler(x, grid))
  end)
end)

describe("operators on boxes", function()
  local contrib = nd.contrib
  local function bad(name, text, ...)
    local arguments = table.pack(...)
    assert.raises(function() return contrib[name](table.unpack(arguments)) end, "contrib.?" .. name .. ": " .. text)
  end

  it("reject invalid arguments", function()
    local x = nd.ones { 3, 6 }
    bad("box_iou", "lhs: expected boxes, 2 dimensions or more with size 4 along the last, got %(3, 6%)", x,
      nd.ones { 2, 4 })
    bad("box_nms", "data: expected rows of at least 5 numbers, a score and coordinates, got %(2, 4%)", nd.ones { 2, 4 })
    bad("box_nms", "data: expected 2 dimensions or more %(..., box, column%), got %(6,%)", nd.ones { 6 })
    bad("box_nms", "coord_start: expected a column from 0 to 2, got 3", x, { coord_start = 3 })
    bad("box_nms", "score_index: expected a column other than the coordinates, 2 to 5, got 3", x, { score_index = 3 })
    bad("box_nms", "id_index: expected a column other than score_index, got 1 for both", x, { id_index = 1 })
    bad("bipartite_matching", "data: expected 2 dimensions or more %(..., row, column%), got %(6,%)", nd.ones { 6 },
      { threshold = 0 })
    bad("box_encode", "matches: expected rows of refs from 0 to 1, got 2", nd.ones { 1, 1 }, nd.array { { 2 } },
      nd.ones { 1, 1, 4 }, nd.ones { 1, 2, 4 }, nd.ones { 4 }, nd.ones { 4 })
    bad("box_decode", "anchors: expected shape %(1, 3, 4%), got %(2, 3, 4%)", nd.ones { 2, 3, 4 }, nd.ones { 2, 3, 4 })
    bad("MultiBoxPrior", "offsets: expected numbers from 0 to 1, got 2", nd.ones { 1, 1, 2, 2 },
      { offsets = { 2, 0 } })
    bad("MultiBoxPrior", "steps: expected both above 0 or neither, got %(0.5, %-1%)", nd.ones { 1, 1, 2, 2 },
      { steps = { 0.5, -1 } })
    bad("MultiBoxTarget", "label: expected rows %(class, left, top, right, bottom, ...%), got %(1, 2, 4%)",
      nd.ones { 1, 3, 4 }, nd.ones { 1, 2, 4 }, nd.ones { 1, 2, 3 })
    bad("MultiBoxTarget", "cls_pred: expected shape %(1, %?, 3%), got %(1, 2, 4%)", nd.ones { 1, 3, 4 },
      nd.ones { 1, 2, 5 }, nd.ones { 1, 2, 4 })
    bad("MultiBoxDetection", "loc_pred: expected shape %(1, 12%), got %(1, 11%)", nd.ones { 1, 2, 3 },
      nd.ones { 1, 11 }, nd.ones { 1, 3, 4 })
    bad("MultiBoxDetection", "variances: expected 4 numbers, got 2", nd.ones { 1, 2, 3 }, nd.ones { 1, 12 },
      nd.ones { 1, 3, 4 }, { variances = { 1, 2 } })
  end)

  it("keep the same random boxes as plain loops", function()
    for _ = 1, 40 do
      local n, limit = from(0, 30), 0.1 * from(1, 6)
      local corner = nd.random.uniform(0, 1, { shape = { n, 2 }, dtype = "float64" })
      local size = nd.random.uniform(0.1, 0.6, { shape = { n, 2 }, dtype = "float64" })
      local class = nd.random.randint(0, 3, { shape = { n, 1 }, dtype = "int32" }):astype "float64"
      local score = nd.random.randint(-1, 6, { shape = { n, 1 }, dtype = "int32" }):astype "float64"
      local data = nd.concat(class, score, corner, corner + size, { dim = 1 })
      local rows, left = data:totable(), {}
      for i, row in ipairs(rows) do if row[2] > 0 then left[#left + 1] = { row, i } end end
      table.sort(left, function(a, b) return a[1][2] > b[1][2] or a[1][2] == b[1][2] and a[2] < b[2] end)
      local boxes, kept = corner:concat(corner + size, { dim = 1 }), {}
      local iou = contrib.box_iou(boxes, boxes)
      for _, item in ipairs(left) do
        local free = true
        for _, other in ipairs(kept) do
          free = free and not (item[1][1] == other[1][1] and iou[{ item[2] - 1, other[2] - 1 }]:asscalar() > limit)
        end
        if free then kept[#kept + 1] = item end
      end
      local expected = {}
      for i = 1, n do expected[i] = kept[i] and kept[i][1] or { -1, -1, -1, -1, -1, -1 } end
      assert.same(expected, contrib.box_nms(data, { overlap_thresh = limit, id_index = 0 }):totable())
    end
  end)

  it("detect what the targets encode", function()
    local data = nd.zeros { 1, 3, 4, 4 }
    local anchors = contrib.MultiBoxPrior(data, { sizes = { 0.3, 0.5 }, ratios = { 1, 2 } })
    local label = nd.array { { { 1, 0.1, 0.1, 0.45, 0.4 }, { 0, 0.5, 0.55, 0.9, 0.95 }, { -1, -1, -1, -1, -1 } } }
    local loc, mask, class = table.unpack(contrib.MultiBoxTarget(anchors, label, nd.zeros { 1, 3, anchors.shape[2] }))
    assert.same({ 1, 4 * anchors.shape[2] }, mask.shape)
    local prob = nd.one_hot(class, { depth = 3 }):transpose { axes = { 0, 2, 1 } }
    local found = contrib.MultiBoxDetection(prob, loc, anchors)
    local rows = {}
    for _, row in ipairs(found:totable()[1]) do if row[1] >= 0 then rows[#rows + 1] = row end end
    assert.equal(2, #rows)
    table.sort(rows, function(a, b) return a[1] > b[1] end)
    for i, row in ipairs(rows) do
      local wanted = label:totable()[1][i]
      assert.equal(wanted[1], row[1])
      for k = 2, 5 do assert.near(wanted[k], row[k + 1], 1e-5) end
    end
  end)
end)

describe("threads", function()
  local before, debug = core.host.threads(), nil
  before_each(function() debug = core.host.debug{ share = true } end)         -- even for small loops
  after_each(function() core.host.threads(before) core.host.debug(debug) end)

  local function uniform(...) return nd.random.uniform(-1, 1, { shape = { ... } }) end
  local function rois(n)
    local corner = nd.random.uniform(0, 20, { shape = { n, 2 } })
    return nd.concat(nd.random.randint(0, 3, { shape = { n, 1 }, dtype = "int32" }):astype "float32", corner,
      corner + nd.random.uniform(2, 20, { shape = { n, 2 } }), { dim = 1 })
  end
  local windows = { kernel = { 3, 3 }, stride = { 2, 2 }, pad = { 1, 1 } }
  local function with(options, more)
    local all = {}
    for key, value in pairs(options) do all[key] = value end
    for key, value in pairs(more) do all[key] = value end
    return all
  end

  local calls = {
    im2col = function(x) return nd.im2col(x, windows) end,
    Pad = function(x) return nd.Pad(x, { mode = "reflect", pad_width = { 0, 0, 0, 0, 3, 2, 1, 4 } }) end,
    LRN = function(x) return nd.LRN(x, { nsize = 5 }) end,
    UpSampling = function(x) return nd.UpSampling(x, { scale = 3, sample_type = "nearest" }) end,
    ["UpSampling, bilinear"] = function(x, w)
      return nd.UpSampling(x, w[0], { scale = 2, sample_type = "bilinear", num_filter = 8 })
    end,
    BilinearResize2D = function(x) return nd.contrib.BilinearResize2D(x, { height = 50, width = 31 }) end,
    AdaptiveAvgPooling2D = function(x) return nd.contrib.AdaptiveAvgPooling2D(x, { output_size = { 9, 7 } }) end,
    BilinearSampler = function(x, _, grid) return nd.BilinearSampler(x, grid) end,
    SpatialTransformer = function(x, _, _, loc)
      return nd.SpatialTransformer(x, loc,
        { target_shape = { 40, 40 }, transform_type = "affine", sampler_type = "bilinear" })
    end,
    ROIPooling = function(x, _, _, _, boxes)
      return nd.ROIPooling(x, boxes, { pooled_size = { 5, 4 }, spatial_scale = 1 })
    end,
    ROIAlign = function(x, _, _, _, boxes)
      return nd.contrib.ROIAlign(x, boxes, { pooled_size = { 5, 4 }, spatial_scale = 1 })
    end,
  }
  for _, kind in ipairs { "max", "avg" } do
    calls["Pooling, " .. kind] = function(x) return nd.Pooling(x, with(windows, { pool_type = kind })) end
    calls["Pooling, channels last, " .. kind] = function(x)
      return nd.Pooling(x, with(windows, { pool_type = kind, layout = "NHWC" }))
    end
  end

  for name, call in pairs(calls) do
    it("give the same bits in " .. name .. " and its gradients, for any number", function()
      local inputs = { uniform(3, 8, 40, 41), uniform(1, 8, 1, 4, 4), uniform(3, 2, 40, 40), uniform(3, 6), rois(12) }
      local expected
      for threads = 1, 3 do
        core.host.threads(threads)
        for _, x in ipairs(inputs) do x:attach_grad() end
        local y = autograd.record(function() return call(table.unpack(inputs)) end)
        y:backward(nd.sin(nd.arange(y.size):reshape(y.shape)))
        local results = { y }
        for i, x in ipairs(inputs) do results[i + 1] = x.grad end
        expected = expected or results
        for i, result in ipairs(results) do assert.bits(result, expected[i]) end
      end
    end)
  end
end)
