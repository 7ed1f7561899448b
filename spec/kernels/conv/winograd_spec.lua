-- winograd_spec.lua - 3x3 and 5x5 Winograd convolutions: the bits of the plain loops in spec/native/winograd_plain.h,
-- for random shapes, with one to three threads, in every way of calling.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local scratch = require "support.scratch"
local plain = assert(package.loadlib("build/spec/winograd.so", "luaopen_winograd"))()
local nd, autograd = hl.nd, hl.autograd

local _, from, one_in = scratch.draws(20261127)

local FUSED = require "support.fuses"

-- After padding to multiples of 16, are there at most 1.5 times as many products?
local function fits(channels, filters)
  return 2 * ((channels + 15) // 16 * 16) * ((filters + 15) // 16 * 16) <= 3 * channels * filters
end

local function draw()
  local c = { window = one_in(2) and 3 or 5 }
  repeat
    c.images, c.channels, c.filters = from(1, one_in(4) and 9 or 2), from(16, one_in(4) and 150 or 40), from(16, 48)
    if one_in(4) then c.filters = from(16, 150) end
    c.pad = { from(0, c.window - 1), from(0, c.window - 1) }
    c.input, c.output = {}, {}
    for a = 1, 2 do
      c.output[a] = from(4, one_in(3) and 30 or 10)
      c.input[a] = c.output[a] + c.window - 1 - 2 * c.pad[a]
    end
    c.products = c.images * c.channels * c.filters * c.output[1] * c.output[2]
  until fits(c.channels, c.filters) and c.products <= 160000 and c.input[1] > 0 and c.input[2] > 0
  return c
end

local function numbers(shape, tiny)
  local x = nd.random.normal(0, 1, { shape = shape })
  if one_in(3) then x = x:relu() end
  if one_in(4) then x = x * -1 end
  return tiny and x * 1e-22 or x
end

local function check(c, bias)
  local tiny = one_in(10)
  local data = numbers({ c.images, c.channels, c.input[1], c.input[2] }, tiny)
  local weight = numbers({ c.filters, c.channels, c.window, c.window }, tiny)
  local g = numbers({ c.images, c.filters, c.output[1], c.output[2] }, tiny)
  local shift = bias and numbers({ c.filters }, tiny)
  local options = { kernel = { c.window, c.window }, pad = c.pad, num_filter = c.filters, no_bias = not bias }
  local sizes = { c.images, c.channels, c.filters, c.input[1], c.input[2], c.pad[1], c.pad[2], c.window }
  local wanted = {
    plain.forward(data:tobytes(), weight:tobytes(), shift and shift:tobytes(), sizes, FUSED),
    plain.data(g:tobytes(), weight:tobytes(), sizes, FUSED),
    plain.weight(g:tobytes(), data:tobytes(), sizes, FUSED),
  }
  data:attach_grad()
  weight:attach_grad()
  for threads = 1, 3 do
    core.host.threads(threads)
    local y = autograd.record(function()
      if bias then return nd.Convolution(data, weight, shift, options) end
      return nd.Convolution(data, weight, options)
    end)
    y:backward(g)
    for i, x in ipairs { y, data.grad, weight.grad } do
      if x:tobytes() ~= wanted[i] then
        error(("%s differs with %d threads: %d images, %d channels, %d filters, %dx%d, pad %dx%d, window %d"):format(
          ({ "the output", "the gradient of data", "the gradient of weight" })[i], threads, table.unpack(sizes)), 0)
      end
    end
  end
end

describe("a Winograd convolution", function()
  local threads, debug = core.host.threads(), nil
  before_each(function() debug = core.host.debug { share = true } end)        -- several threads even for small loops
  after_each(function()
    core.host.threads(threads)
    core.host.debug(debug)
  end)

  it("matches its definition to the bit, for random shapes and one to three threads", function()
    hl.random.seed(5)
    for _ = 1, scratch.program:find "asan" and 100 or 1000 do check(draw(), one_in(2)) end
  end)

  local function options(more)
    local o = { kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = 32, no_bias = true }
    for key, value in pairs(more or {}) do o[key] = value end
    return o
  end

  -- The rms and the maximum of the result's error, relative to the result's rms.
  local function errors(x, w, o)
    local wide = {}
    for key, value in pairs(o) do wide[key] = value end
    local exact = nd.Convolution(x:astype "float64", w:astype "float64", wide)
    local off, size = nd.Convolution(x, w, o):astype "float64" - exact, (exact * exact):mean():asscalar() ^ 0.5
    return (off * off):mean():asscalar() ^ 0.5 / size, off:abs():max():asscalar() / size
  end

  it("is as accurate as a plain sum", function()
    hl.random.seed(6)
    for _, channels in ipairs { 16, 64, 192 } do
      for window = 3, 5, 2 do
        for pad = 0, window - 1 do
          for _, positive in ipairs { false, true } do
            local x = nd.random.normal(0, 1, { shape = { 2, channels, 13, 14 } })
            local deviation = (2 / window ^ 2 / channels) ^ 0.5
            local w = nd.random.normal(0, deviation, { shape = { 32, channels, window, window } })
            local rms, largest = errors(positive and x:relu() or x, w,
              options { kernel = { window, window }, pad = { pad, pad } })
            assert.is_true(rms <= 1.5e-6 and largest <= 2e-5, ("%d channels: %g, %g"):format(channels, rms, largest))
            assert.is_true(rms > 0)
          end
        end
      end
    end
  end)

  it("does not depend on the batch, nor on kept weights", function()
    hl.random.seed(7)
    local x = nd.random.normal(0, 1, { shape = { 5, 48, 7, 9 } })
    for window = 3, 5, 2 do
      local w = nd.random.normal(0, 1, { shape = { 32, 48, window, window } })
      local o = options { kernel = { window, window } }
      local all = nd.Convolution(x, w, o)
      for _ = 1, 3 do                                      -- the third call reads packed weights
        for i = 0, 4 do
          local one = nd.Convolution(x[{ { i, i + 1 } }], w, o)
          assert.is_true(one:tobytes() == all[{ { i, i + 1 } }]:tobytes())
        end
      end
    end
  end)

  it("has the direct form's second gradient, up to rounding", function()
    hl.random.seed(8)
    local x = nd.random.normal(0, 1, { shape = { 2, 16, 6, 6 } })
    local w = nd.random.normal(0, 0.1, { shape = { 32, 16, 3, 3 } })
    local function second(o)
      x:attach_grad()
      w:attach_grad()
      local penalty = autograd.record(function()
        local y = nd.Convolution(x, w, o)
        local g = autograd.grad((y * y):sum(), { x }, { create_graph = true })[1]
        return (g * g):sum()
      end)
      penalty:backward()
      return x.grad:copy(), w.grad:copy()
    end
    local dx, dw = second(options())
    local wanted_x, wanted_w = second(options { cudnn_off = true })
    for _, pair in ipairs { { dx, wanted_x }, { dw, wanted_w } } do
      assert.is_true((pair[1] - pair[2]):abs():max():asscalar() <= 1e-5 * pair[2]:abs():max():asscalar())
      assert.is_true(pair[1]:tobytes() ~= pair[2]:tobytes())
    end
  end)

  it("spoils the tiles that read a NaN, and no others", function()
    local x, w = nd.ones { 1, 16, 12, 12 }, nd.ones { 32, 16, 3, 3 }
    x[0][0][5][5] = math.huge
    local y = nd.Convolution(x, w, options())[0][0]:totable()
    for i = 1, 12 do
      for k = 1, 12 do
        local spoilt = i >= 5 and i <= 8 and k >= 5 and k <= 8
        assert.equal(spoilt, y[i][k] ~= y[i][k], ("place %d, %d"):format(i, k))
      end
    end
  end)

  -- The form named by explain, for a layer on a picture of that size.
  local function form(layer, channels, size, dtype)
    local net = layer
    net:initialize()
    if dtype then net:cast(dtype) end
    net:hybridize()
    net(nd.ones({ 1, channels, size, size }, { dtype = dtype or "float32" }))
    for _, plan in ipairs(net:explain("table").traces[1].compiled.plans) do
      for _, value in ipairs(plan.values) do if value.form ~= "" then return value.form end end
    end
  end

  it("is chosen by the layer's shapes; explain gives the reason if not", function()
    local nn = hl.gluon.nn
    local fewer = "F(4x4, 3x3)"
    assert.equal(fewer, form(nn.Conv2D(16, 3), 16, 6))
    assert.equal(fewer, form(nn.Conv2D(32, 3, { padding = 2 }), 24, 6))
    assert.equal(fewer, form(nn.Conv2DTranspose(32, 3, { padding = 1 }), 16, 6))
    assert.equal("F(2x2, 5x5)", form(nn.Conv2D(64, 5), 32, 12))
    assert.equal("F(2x2, 5x5)", form(nn.Conv2D(16, 5, { padding = 4 }), 16, 4))
    local direct = {
      { "an output smaller than 4x4", nn.Conv2D(16, 3), 16, 5 },
      { "fewer than 16 channels or filters", nn.Conv2D(15, 3), 16, 6 },
      { "too few channels and filters for their multiples of 16", nn.Conv2D(17, 3), 16, 6 },
      { "stride", nn.Conv2D(16, 3, { strides = 2 }), 16, 16 },
      { "dilation", nn.Conv2D(16, 3, { dilation = 2 }), 16, 16 },
      { "groups", nn.Conv2D(32, 3, { groups = 2 }), 32, 16 },
      { "more padding than the window less 1", nn.Conv2D(16, 3, { padding = 3 }), 16, 6 },
      { "more padding than the window less 1", nn.Conv2D(16, 5, { padding = 5 }), 16, 6 },
      { "too few channels and filters for their multiples of 16", nn.Conv2D(50, 5), 20, 12 },
      { "no 3x3 or 5x5 window", nn.Conv2D(16, { 3, 1 }), 16, 6 },
      { "no 3x3 or 5x5 window", nn.Conv2D(16, { 3, 5 }), 16, 6 },
      { "cudnn_off", nn.Conv2D(16, 3, { cudnn_off = true }), 16, 6 },
      { "not float32", nn.Conv2D(16, 3), 16, 6, "float64" },
    }
    for _, case in ipairs(direct) do
      assert.equal("direct: " .. case[1], form(case[2], case[3], case[4], case[5]))
    end
  end)

  it("is disabled by cudnn_off, which is saved with the network, and by HYBRIDLUA_CONVOLUTION=direct", function()
    hl.random.seed(9)
    local x = nd.random.normal(0, 1, { shape = { 2, 16, 6, 6 } })
    local net = hl.gluon.nn.Conv2D(16, 3, { cudnn_off = true, use_bias = false })
    net:initialize()
    net:hybridize()
    local y, w = net(x), net.weight:data()
    local o = options { pad = { 0, 0 }, num_filter = 16 }
    assert.is_true(nd.Convolution(x, w, o):tobytes() ~= y:tobytes())
    local folder = scratch.folder()
    net:export(folder.path .. "/net")
    local again = hl.gluon.SymbolBlock.imports(folder.path .. "/net-symbol.json", { "data" },
      folder.path .. "/net-0000.params")
    folder:remove()
    assert.is_true(again(x):tobytes() == y:tobytes())
    local script = command.file [[
      local nd = require "hybridlua".nd
      local x, w = nd.random.normal { shape = { 1, 16, 6, 6 } }, nd.random.normal { shape = { 16, 16, 3, 3 } }
      local function bytes(off)
        local options = { kernel = { 3, 3 }, num_filter = 16, no_bias = true, cudnn_off = off }
        return nd.Convolution(x, w, options):tobytes()
      end
      print(bytes(false) == bytes(true))]]
    assert.equal("false\n", command.run(command.program .. " " .. script))
    assert.equal("true\n", command.run("HYBRIDLUA_CONVOLUTION=direct " .. command.program .. " " .. script))
  end)

  it("is named by anomaly detection", function()
    local x, w = nd.ones { 1, 16, 6, 6 } * 1e38, nd.ones { 16, 16, 3, 3 }
    x:attach_grad()
    assert.raises(function()
      autograd.detect_anomaly(function()
        autograd.record(function()
          return nd.Convolution(x, w, options { num_filter = 16 }):sum()
        end):backward()
      end)
    end, "autograd.detect_anomaly: the output of Convolution")
  end)
end)
