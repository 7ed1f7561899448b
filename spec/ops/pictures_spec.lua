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
