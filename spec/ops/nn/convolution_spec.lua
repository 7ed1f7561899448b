-- convolution_spec.lua - Convolution and its gradients match the chains of their definition, to the bit: random shapes
-- against plain loops (spec/native/chains.c), with one thread and two.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local chains = assert(package.loadlib("build/spec/chains.so", "luaopen_chains"))()
local nd, autograd = hl.nd, hl.autograd

local below, from, one_in = scratch.draws(20261122)

local FUSED = require "support.fuses"

local function three(list, fill)
  local all = table.move(list, 1, #list, 4 - #list, {})
  for i = 1, 3 - #list do all[i] = fill end
  return all
end

local function product(list)
  local n = 1
  for _, x in ipairs(list) do n = n * x end
  return n
end

local MOST = 1000000             -- multiplications in the plain loops

-- A random convolution; all but a few are small.
local function draw_any()
  local axes = one_in(5) and 1 or one_in(5) and 3 or 2
  local c = { axes = axes, groups = one_in(3) and from(1, 4) or 1, dtype = one_in(4) and "float64" or "float32" }
  c.images = from(1, one_in(4) and 80 or 3)
  c.channels, c.filters = from(1, one_in(3) and 20 or 4), from(1, one_in(3) and 30 or 5)
  if one_in(25) then c.filters, c.images = from(60, 200), 1 end
  if one_in(12) then c.channels, c.filters, c.images = from(12, 70), from(12, 140), from(1, 4) end
  if one_in(8) then c.groups, c.channels, c.filters = from(2, 9), 1, 1 end             -- depthwise
  c.kernel, c.stride, c.dilate, c.pad, c.input, c.output = {}, {}, {}, {}, {}, {}
  for a = 1, axes do
    c.kernel[a] = from(1, axes == 3 and 3 or 5)
    c.stride[a] = one_in(2) and 1 or from(1, 4)
    c.dilate[a] = one_in(3) and from(1, 3) or 1
    c.pad[a] = one_in(2) and 0 or from(0, 4)
    local span = c.dilate[a] * (c.kernel[a] - 1) + 1
    c.input[a] = math.max(1, span - 2 * c.pad[a]) + below(axes == 1 and 30 or 9)
    c.output[a] = (c.input[a] + 2 * c.pad[a] - span) // c.stride[a] + 1
  end
  return c
end

local function draw()
  local c
  repeat
    c = draw_any()
  until c.images * c.groups * c.channels * c.filters * product(c.output) * product(c.kernel) <= MOST
  return c
end

-- Convolutions with split chains: more than 1,024 terms, rows or images of more than 1,024 positions.
local function long(i)
  local c = { axes = 2, groups = 1, dtype = "float32", images = 1, channels = 3, filters = 2, kernel = { 3, 3 },
              stride = { 1, 1 },
              dilate = { 1, 1 }, pad = { 1, 1 }, input = { 5, 4 }, output = { 5, 4 } }
  if i == 1 then c.channels = 130
  elseif i == 2 then c.filters, c.dtype = 240, "float64"
  elseif i == 3 then c.input, c.output = { 3, 1100 }, { 3, 1100 }
  elseif i == 4 then c.input, c.output = { 50, 45 }, { 50, 45 }
  elseif i == 5 then c.images, c.input, c.output = 25, { 10, 11 }, { 10, 11 }
  elseif i == 6 then c.images, c.input, c.output = 3, { 32, 32 }, { 32, 32 }
  elseif i == 7 then
    c.channels, c.filters, c.groups, c.input, c.output = 70, 110, 2, { 9, 8 }, { 9, 8 }
  elseif i == 8 then c.channels, c.kernel, c.pad = 1024, { 1, 1 }, { 0, 0 }
  elseif i == 9 then c.channels, c.kernel, c.pad = 2049, { 1, 1 }, { 0, 0 }
  elseif i == 10 then                              -- the gradient of weight copies whole rows
    c.channels, c.input, c.output = 64, { 5, 300 }, { 5, 300 }
  elseif i == 11 then                              -- the gradient of weight copies part of a row
    c.channels, c.filters, c.input, c.output = 64, 1, { 2, 2900 }, { 2, 2900 }
  elseif i == 12 then c.channels, c.filters, c.input, c.output = 1, 20, { 50, 45 }, { 50, 45 }
  elseif i == 13 then                              -- images as lanes of vectors
    c.images, c.channels, c.filters, c.input, c.output = 70, 130, 20, { 3, 2 }, { 3, 2 }
  elseif i == 14 then c.images, c.channels, c.filters, c.input, c.output = 35, 20, 130, { 3, 2 }, { 3, 2 }
  elseif i == 15 then                              -- filters or channels as lanes, band by band
    c.channels, c.filters, c.input, c.output = 20, 34, { 40, 30 }, { 40, 30 }
  elseif i == 16 then                              -- several images at once, chains in blocks, rows in panels
    c.images, c.channels, c.filters, c.input, c.output = 5, 120, 150, { 5, 4 }, { 5, 4 }
  elseif i == 17 then                              -- the phases of a stride
    c.images, c.channels, c.filters, c.stride = 2, 70, 66, { 2, 3 }
    c.input, c.output = { 9, 8 }, { 5, 3 }
  elseif i == 18 then c.channels, c.filters, c.kernel, c.pad, c.stride = 66, 64, { 1, 1 }, { 0, 0 }, { 2, 2 }
    c.input, c.output = { 11, 9 }, { 6, 5 }
  else                                             -- rows of a group at several depths
    c.axes, c.filters, c.kernel, c.input, c.output = 3, 1, { 3, 3, 3 }, { 3, 20, 20 }, { 3, 20, 20 }
    c.stride, c.dilate, c.pad = { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }
  end
  return c
end

local function join(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

-- Numbers of many magnitudes, some 0 or -0; optionally tiny, with subnormal products.
local function numbers(shape, dtype, tiny)
  local x = nd.random.normal(0, 1, { shape = shape, dtype = dtype })
  x = x * nd.random.uniform(-0.2, 1, { shape = shape, dtype = dtype }):relu()
  if one_in(2) then x = x * -1 end
  return tiny and x * 1e-23 or x
end

local function check(c, bias)
  local tiny = one_in(6)
  local data = numbers(join({ c.images, c.groups * c.channels }, c.input), c.dtype, tiny)
  local weight = numbers(join({ c.groups * c.filters, c.channels }, c.kernel), c.dtype, tiny)
  local g = numbers(join({ c.images, c.groups * c.filters }, c.output), c.dtype, tiny)
  local options = { kernel = c.kernel, stride = c.stride, dilate = c.dilate, pad = c.pad,
                    num_filter = c.groups * c.filters,
                    num_group = c.groups, no_bias = not bias, cudnn_off = true }
  local geometry = { sizes = { c.images, c.groups, c.channels, c.filters }, input = three(c.input, 1),
                     output = three(c.output, 1),
                     kernel = three(c.kernel, 1), stride = three(c.stride, 1), dilate = three(c.dilate, 1),
                     pad = three(c.pad, 0), dtype = c.dtype }
  local shift = bias and numbers({ c.groups * c.filters }, c.dtype, tiny)
  local wanted = { chains.forward(data:tobytes(), weight:tobytes(), shift and shift:tobytes(), geometry, FUSED),
                   chains.data(g:tobytes(), weight:tobytes(), nil, geometry, FUSED),
                   chains.weight(g:tobytes(), data:tobytes(), nil, geometry, FUSED) }
  data:attach_grad()
  weight:attach_grad()
  for threads = 1, 2 do
    core.host.threads(threads)
    local y = autograd.record(function()
      if bias then return nd.Convolution(data, weight, shift, options) end
      return nd.Convolution(data, weight, options)
    end)
    y:backward(g)
    for i, x in ipairs { y, data.grad, weight.grad } do
      if x:tobytes() ~= wanted[i] then
        local function text(list) return "{" .. table.concat(list, ", ") .. "}" end
        error(("%s differs with %d threads: data %s, weight %s, stride %s, dilate %s, pad %s, groups %d, %s"):format(
          ({ "the output", "the gradient of data", "the gradient of weight" })[i], threads, text(data.shape),
          text(weight.shape),
          text(c.stride), text(c.dilate), text(c.pad), c.groups, c.dtype), 0)
      end
    end
  end
end

describe("Convolution", function()
  local threads, debug = core.host.threads(), nil
  before_each(function() debug = core.host.debug{ share = true } end)         -- two threads even for small loops
  after_each(function() core.host.threads(threads) core.host.debug(debug) end)

  it("matches the chain of its definition, to the bit, for random shapes", function()
    hl.random.seed(5)
    for _ = 1, 1000 do check(draw(), one_in(2)) end
  end)

  it("splits long chains as the definition says", function()
    hl.random.seed(6)
    for i = 1, 19 do check(long(i), i % 2 == 0) end
  end)

  it("accepts zero images and zero channels", function()
    local options = { kernel = { 3, 3 }, num_filter = 2, pad = { 1, 1 } }
    local y = nd.Convolution(nd.zeros { 0, 3, 4, 4 }, nd.ones { 2, 3, 3, 3 }, nd.ones { 2 }, options)
    assert.same({ 0, 2, 4, 4 }, y.shape)
    local none = nd.Convolution(nd.zeros { 1, 0, 2, 2 }, nd.zeros { 2, 0, 3, 3 }, nd.array { 1, -2 }, options)
    assert.same({ { { { 1, 1 }, { 1, 1 } }, { { -2, -2 }, { -2, -2 } } } }, none:totable())
    local weight = nd.ones { 2, 3, 3, 3 }
    weight:attach_grad()
    autograd.record(function()
      return nd.Convolution(nd.zeros { 0, 3, 4, 4 }, weight, nd.ones { 2 }, options)
    end):backward()
    assert.equal(0, weight.grad:abs():sum():asscalar())
  end)

  it("multiplies padding: an infinite weight gives NaN at the border", function()
    local y = nd.Convolution(nd.ones { 1, 1, 1, 3 }, nd.array { { { { math.huge, 1, 1 } } } }, { kernel = { 1, 3 },
                                                                                                pad = { 0, 1 },
                                                                                                num_filter = 1,
                                                                                                no_bias = true })
    local row = y:totable()[1][1][1]
    assert.is_true(row[1] ~= row[1])
    assert.equal(math.huge, row[2])
  end)

  it("infers a layer's channels and the output's batch", function()
    local x = hl.sym.var("x", { shape = { 0, 4, 0, 0 } })
    local y = hl.sym.Convolution { data = x, kernel = { 3, 3 }, num_filter = 6, num_group = 2, name = "c" }
    local shapes = y:infer_shape { x = { 5, 4, 7, 8 } }
    assert.same({ { 5, 4, 7, 8 }, { 6, 2, 3, 3 }, { 6 } }, shapes)
  end)

  local function fails(text, data, weight, options)
    assert.raises(function() return nd.Convolution(data, weight, options) end, text)
  end

  it("rejects invalid arguments", function()
    local x, w = nd.ones { 1, 3, 5, 5 }, nd.ones { 2, 3, 3, 3 }
    fails("Convolution: data: expected 4 dimensions %(batch, channel, height, width%), got %(2, 3%)", nd.ones { 2, 3 },
      w,
      { kernel = { 3, 3 }, num_filter = 2, no_bias = true })
    fails("Convolution: kernel: expected a window that fits into the padded data %(1, 3, 2, 2%), got size " ..
      "3 along axis 2",
      nd.ones { 1, 3, 2, 2 }, w, { kernel = { 3, 3 }, num_filter = 2, no_bias = true })
    fails("Convolution: kernel: expected numbers of 1 or more, got %(3, 0%)", x, w,
      { kernel = { 3, 0 }, num_filter = 2, no_bias = true })
    fails("Convolution: kernel: expected 1, 2 or 3 numbers", x, w,
      { kernel = { 3, 3, 3, 3 }, num_filter = 2, no_bias = true })
    fails("Convolution: stride: expected 2 numbers, as in kernel %(3, 3%), got 1", x, w,
      { kernel = { 3, 3 }, stride = { 2 }, num_filter = 2, no_bias = true })
    fails("Convolution: pad: expected numbers of 0 or more, got %(1, %-1%)", x, w,
      { kernel = { 3, 3 }, pad = { 1, -1 }, num_filter = 2, no_bias = true })
    fails("Convolution: num_filter: expected 1 or more, got 0", x, w,
      { kernel = { 3, 3 }, num_filter = 0, no_bias = true })
    fails("Convolution: num_group: expected a divisor of num_filter = 2, got 3", x, w,
      { kernel = { 3, 3 }, num_filter = 2, num_group = 3, no_bias = true })
    fails("Convolution: num_group: expected a divisor of the 3 channels of data %(1, 3, 5, 5%), got 2", x, w,
      { kernel = { 3, 3 }, num_filter = 2, num_group = 2, no_bias = true })
    fails("Convolution: weight: expected", x, nd.ones { 2, 1, 3, 3 },
      { kernel = { 3, 3 }, num_filter = 2, no_bias = true })
    fails("Convolution: layout: expected NCHW, with channels first, got NHWC; transpose the data", x, w,
      { kernel = { 3, 3 }, num_filter = 2, no_bias = true, layout = "NHWC" })
    fails("Convolution: layout: expected NCHW for a kernel of 2 numbers, got NCW", x, w,
      { kernel = { 3, 3 }, num_filter = 2, no_bias = true, layout = "NCW" })
  end)
end)
