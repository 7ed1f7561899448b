-- deconvolution_spec.lua - Deconvolution and its gradients match the chains of their definition, to the bit: random
-- shapes against plain loops (spec/native/chains.c), with one thread and two.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local chains = assert(package.loadlib("build/spec/chains.so", "luaopen_chains"))()
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local below, from, one_in = scratch.draws(20261123)

local FUSED = require "support.fuses"

local function three(list, fill)
  local all = table.move(list, 1, #list, 4 - #list, {})
  for i = 1, 3 - #list do all[i] = fill end
  return all
end

-- A random deconvolution: `places` is data's size, `output` the output's.
local function draw()
  local axes = one_in(5) and 1 or one_in(5) and 3 or 2
  local c = { axes = axes, groups = one_in(3) and from(1, 4) or 1, dtype = one_in(4) and "float64" or "float32" }
  c.images = from(1, one_in(8) and 12 or 3)
  c.channels, c.filters = from(1, one_in(3) and 20 or 4), from(1, one_in(3) and 30 or 5)
  if one_in(8) then c.groups, c.channels, c.filters = from(2, 9), 1, 1 end
  c.kernel, c.stride, c.dilate, c.pad, c.adj, c.places, c.output = {}, {}, {}, {}, {}, {}, {}
  for a = 1, axes do
    c.kernel[a], c.stride[a] = from(1, axes == 3 and 3 or 5), one_in(3) and 1 or from(1, 4)
    c.dilate[a], c.adj[a] = one_in(3) and from(1, 3) or 1, below(c.stride[a])
    c.places[a] = from(1, axes == 1 and 30 or 8)
    local whole = c.stride[a] * (c.places[a] - 1) + c.dilate[a] * (c.kernel[a] - 1) + 1
    c.pad[a] = one_in(2) and 0 or from(0, math.min(4, (whole - 1) // 2))
    c.output[a] = whole - 2 * c.pad[a] + c.adj[a]
  end
  return c
end

local function join(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

-- Numbers of many magnitudes, some 0 or -0.
local function numbers(shape, dtype)
  local x = nd.random.normal(0, 1, { shape = shape, dtype = dtype })
  x = x * nd.random.uniform(-0.2, 1, { shape = shape, dtype = dtype }):relu()
  return one_in(2) and x * -1 or x
end

-- Compares results of one thread and two with plain loops. The convolution whose gradient this is maps `output` to
-- `places`.
local function check(c, bias)
  local filters = c.groups * c.filters
  local data = numbers(join({ c.images, c.groups * c.channels }, c.places), c.dtype)
  local weight = numbers(join({ c.groups * c.channels, c.filters }, c.kernel), c.dtype)
  local shift = bias and numbers({ filters }, c.dtype)
  local g = numbers(join({ c.images, filters }, c.output), c.dtype)
  local geometry = { sizes = { c.images, c.groups, c.filters, c.channels }, input = three(c.output, 1),
                     output = three(c.places, 1), kernel = three(c.kernel, 1), stride = three(c.stride, 1),
                     dilate = three(c.dilate, 1), pad = three(c.pad, 0), dtype = c.dtype }
  local y = nd.from_bytes(chains.data(data:tobytes(), weight:tobytes(), nil, geometry, FUSED), g.shape, c.dtype)
  if bias then y = nd.broadcast_add(y, shift:reshape(join({ 1, filters }, c.axes == 1 and { 1 } or
    c.axes == 2 and { 1, 1 } or { 1, 1, 1 }))) end
  local wanted = { y:tobytes(), chains.forward(g:tobytes(), weight:tobytes(), nil, geometry, FUSED),
                   chains.weight(data:tobytes(), g:tobytes(), nil, geometry, FUSED) }
  data:attach_grad()
  weight:attach_grad()
  for threads = 1, 2 do
    core.host.threads(threads)
    local got = autograd.record(function()
      local options = { kernel = c.kernel, stride = c.stride, dilate = c.dilate, pad = c.pad, adj = c.adj,
                        num_filter = filters, num_group = c.groups, no_bias = not bias }
      if bias then return nd.Deconvolution(data, weight, shift, options) end
      return nd.Deconvolution(data, weight, options)
    end)
    assert.same(g.shape, got.shape)
    got:backward(g)
    for i, x in ipairs { got, data.grad, weight.grad } do
      if x:tobytes() ~= wanted[i] then
        local function text(list) return "{" .. table.concat(list, ", ") .. "}" end
        error(("%s differs with %d threads: data %s, weight %s, stride %s, dilate %s, pad %s, adj %s, groups %d, %s")
          :format(({ "the output", "the gradient of data", "the gradient of weight" })[i], threads, text(data.shape),
          text(weight.shape), text(c.stride), text(c.dilate), text(c.pad), text(c.adj), c.groups, c.dtype), 0)
      end
    end
  end
end

describe("Deconvolution", function()
  local threads, debug = core.host.threads(), nil
  before_each(function() debug = core.host.debug{ share = true } end)         -- two threads even for small loops
  after_each(function() core.host.threads(threads) core.host.debug(debug) end)

  it("matches the chain of its definition, to the bit, for random shapes", function()
    hl.random.seed(5)
    for _ = 1, 250 do check(draw(), one_in(2)) end
  end)

  it("has no bias by default, like MXNet's", function()
    local y = nd.Deconvolution(nd.ones { 1, 1, 2 }, nd.ones { 1, 1, 2 }, { kernel = { 2 }, num_filter = 1 })
    assert.same({ { { 1, 2, 1 } } }, y:totable())
    y = nd.Deconvolution(nd.ones { 1, 1, 2 }, nd.ones { 1, 1, 2 }, nd.array { 3 },
      { kernel = { 2 }, num_filter = 1, no_bias = false })
    assert.same({ { { 4, 5, 4 } } }, y:totable())
  end)

  -- The numbers are those of MXNet 1.9.1 with MXNET_MKLDNN_ENABLED=0.
  it("accepts the output's size instead of pad and adj", function()
    local x = nd.array { { { { 1, 2 }, { 3, 4 } } } }
    local options = { kernel = { 3, 3 }, num_filter = 1, stride = { 2, 2 }, target_shape = { 5, 4 }, pad = { 1, 1 },
                      adj = { 1, 1 } }
    local rows = { { 1, 3, 2, 2 }, { 1, 3, 2, 2 }, { 4, 10, 6, 6 }, { 3, 7, 4, 4 }, { 3, 7, 4, 4 } }
    local w = nd.ones { 1, 1, 3, 3 }
    assert.same({ { rows } }, nd.Deconvolution(x, w, options):totable())
    assert.same({ { { 1, 3, 2, 5, 3, 3 } } }, nd.Deconvolution(nd.array { { { 1, 2, 3 } } }, nd.ones { 1, 1, 3 },
      { kernel = { 3 }, num_filter = 1, stride = { 2 }, target_shape = { 6 } }):totable())
    -- the gradients equal those with the corresponding pad and adj
    local grads = {}
    for i, way in ipairs { options, { kernel = { 3, 3 }, num_filter = 1, stride = { 2, 2 }, pad = { 0, 1 },
                                      adj = { 0, 1 } } } do
      x:attach_grad()
      w:attach_grad()
      local y = autograd.record(function() return nd.Deconvolution(x, w, way) end)
      assert.same({ 1, 1, 5, 4 }, y.shape)
      y:backward(nd.arange(20):reshape { 1, 1, 5, 4 })
      grads[i] = { x.grad:totable(), w.grad:totable() }
    end
    assert.same(grads[1], grads[2])
  end)

  it("infers a layer's channels and the output's batch", function()
    local x = sym.var("x", { shape = { 0, 4, 0, 0 } })
    local y = sym.Deconvolution { data = x, kernel = { 3, 3 }, stride = { 2, 2 }, num_filter = 6, num_group = 2,
                                  no_bias = false, name = "c" }
    local shapes, outputs = y:infer_shape { x = { 5, 4, 7, 8 } }
    assert.same({ { 5, 4, 7, 8 }, { 4, 3, 3, 3 }, { 6 } }, shapes)
    assert.same({ { 5, 6, 15, 17 } }, outputs)
    shapes = sym.Deconvolution { data = sym.var "x", kernel = { 3 }, target_shape = { 9 }, num_filter = 2, name = "c" }
      :infer_shape { x = { 2, 3, 7 } }
    assert.same({ { 2, 3, 7 }, { 3, 2, 3 } }, shapes)
  end)

  it("accepts zero images and zero channels", function()
    local options = { kernel = { 3, 3 }, num_filter = 2, no_bias = false }
    assert.same({ 0, 2, 6, 6 }, nd.Deconvolution(nd.zeros { 0, 3, 4, 4 }, nd.ones { 3, 2, 3, 3 }, nd.ones { 2 },
      options).shape)
    assert.same({ { { { 1, 1 } }, { { -2, -2 } } } }, nd.Deconvolution(nd.zeros { 1, 0, 1, 1 }, nd.zeros { 0, 2, 1, 2 },
      nd.array { 1, -2 }, { kernel = { 1, 2 }, num_filter = 2, no_bias = false }):totable())
  end)

  it("rejects invalid arguments", function()
    local x, w = nd.ones { 1, 2, 2, 2 }, nd.ones { 2, 2, 3, 3 }
    local function fails(text, options, data)
      options.kernel, options.num_filter = options.kernel or { 3, 3 }, options.num_filter or 2
      assert.raises(function() return nd.Deconvolution(data or x, w, options) end, "Deconvolution: " .. text)
    end
    fails("data: expected 4 dimensions %(batch, channel, height, width%), got %(2, 3%)", {}, nd.ones { 2, 3 })
    fails("data: expected 1 or more elements along axis 3, got 0", {}, nd.ones { 1, 2, 2, 0 })
    fails("weight: expected .*got %(2, 2, 3, 3%)", {}, nd.ones { 1, 3, 2, 2 })
    fails("kernel: expected numbers of 1 or more, got %(3, 0%)", { kernel = { 3, 0 } })
    fails("adj: expected 2 numbers, as in kernel, got 1", { adj = { 1 } })
    fails("adj: expected numbers from 0 to below stride, got 1 where stride is 1", { adj = { 1, 0 } })
    fails("pad: expected less, so that axis 3 is not empty, got 2 on both sides of 4 elements",
      { pad = { 0, 2 } })
    fails("target_shape: expected 2 numbers, as in kernel, got 1", { target_shape = { 4 } })
    fails("target_shape: expected numbers of 1 or more, got 0", { target_shape = { 4, 0 } })
    fails("target_shape: expected at most 5 along axis 2, got 6", { stride = { 2, 2 }, target_shape = { 6, 5 } })
    fails("target_shape: expected 4 minus an even number along axis 3, where stride is 1, got 3",
      { target_shape = { 4, 3 } })
    fails("num_filter: expected 1 or more, got 0", { num_filter = 0 })
    fails("num_group: expected a divisor of num_filter = 3, got 2", { num_filter = 3, num_group = 2 })
    fails("num_group: expected a divisor of the 3 channels of data %(1, 3, 2, 2%), got 2", { num_group = 2 },
      nd.ones { 1, 3, 2, 2 })
    fails("layout: expected NCHW, with channels first, got NHWC; transpose the data", { layout = "NHWC" })
  end)
end)
