-- pooling_spec.lua - all loops for maxima give the same bits. Special loops exist for adjacent 2 by 2 windows and for
-- gradients of other windows; data with channels last uses the general loop.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local TO_LAST, TO_FIRST = { axes = { 0, 2, 3, 1 } }, { axes = { 0, 3, 1, 2 } }

-- The maxima and the gradient for g = 1, 2, 3, ... in the order of the output with channels first.
local function maxima(x, options, layout)
  x:attach_grad()
  options.layout, options.pool_type = layout, "max"
  local y = autograd.record(function() return nd.Pooling(x, options) end)
  local g = nd.arange(1, y.size + 1, { dtype = x.dtype })
  if layout ~= "NHWC" then
    y:backward(g:reshape(y.shape))
    return y, x.grad
  end
  local n, h, w, c = table.unpack(y.shape)
  y:backward(g:reshape { n, c, h, w }:transpose(TO_LAST))
  return y:transpose(TO_FIRST), x.grad:transpose(TO_FIRST)
end

-- Many equal elements; some NaN or infinite ones.
local function numbers(shape, dtype)
  local x = nd.random.uniform(-3, 3, { shape = shape, dtype = dtype }):round()
  x[{ 0, 0, 0, 1 }] = 0 / 0
  x[{ 0, 0, 1, 0 }] = -math.huge
  return x
end

local function check(shape, dtype, options)
  local x = numbers(shape, dtype)
  local y, grad = maxima(x, options)
  local y_last, grad_last = maxima(x:transpose(TO_LAST), options, "NHWC")
  assert.is_true(y:tobytes() == y_last:tobytes())
  assert.is_true(grad:tobytes() == grad_last:tobytes())
  assert.equal(y.size * (y.size + 1) / 2, grad:astype("float64"):sum():asscalar())       -- all of g arrived
end

describe("max pooling", function()
  it("matches the general loop for adjacent 2 x 2 windows, including ties, NaN and uncovered borders", function()
    hl.random.seed(3)
    for _, shape in ipairs { { 2, 3, 8, 8 }, { 1, 2, 7, 9 }, { 1, 1, 2, 33 }, { 3, 2, 24, 24 }, { 2, 2, 3, 2 } } do
      for _, dtype in ipairs { "float32", "float64" } do
        check(shape, dtype, { kernel = { 2, 2 }, stride = { 2, 2 } })
      end
    end
  end)

  it("matches the general loop for long rows", function()
    hl.random.seed(5)
    for _, shape in ipairs { { 1, 2, 9, 70 }, { 2, 1, 40, 37 }, { 1, 3, 5, 133 } } do
      for _, kernel in ipairs { { 3, 3 }, { 5, 4 }, { 2, 7 }, { 1, 2 } } do
        for stride = 1, 2 do
          for pad = 0, 1 do
            check(shape, "float32",
              { kernel = kernel, stride = { 3 - stride, stride }, pad = { kernel[1] > 1 and pad or 0, pad } })
          end
        end
      end
    end
  end)

  it("gives the gradient to the first of equal maxima in overlapping, padded windows", function()
    hl.random.seed(4)
    for _, shape in ipairs { { 2, 3, 8, 8 }, { 1, 2, 7, 9 }, { 1, 1, 3, 150 }, { 2, 70, 5, 6 } } do
      for _, kernel in ipairs { { 3, 3 }, { 2, 3 }, { 3, 1 } } do
        for stride = 1, 3 do
          for pad = 0, 1 do
            check(shape, stride == 1 and "float64" or "float32",
              { kernel = kernel, stride = { stride, stride }, pad = { pad, kernel[2] > 1 and pad or 0 } })
          end
        end
      end
    end
  end)
end)

describe("a pad with more numbers than the kernel", function()
  it("loses the extra numbers, as in MXNet 1.9.1", function()
    local function pooled(shape, options)
      options.pool_type = "max"
      return nd.Pooling(nd.ones(shape), options)
    end
    local kernel = { 2, 2 }
    assert.same({ 1, 1, 2, 2 }, pooled({ 1, 1, 5, 5 }, { kernel = kernel, stride = kernel, pad = { 0, 0, 0 } }).shape)
    assert.same({ 1, 1, 2 }, pooled({ 1, 1, 5 }, { kernel = { 2 }, stride = { 2 }, pad = { 0, 0 } }).shape)
    assert.same({ 1, 1, 3 },
      pooled({ 1, 1, 5 }, { kernel = { 2 }, stride = { 2 }, pad = { 0, 0, 0 }, pooling_convention = "same" }).shape)
    assert.same({ 1, 1, 3, 3 }, pooled({ 1, 1, 5, 5 }, { kernel = kernel, stride = kernel, pad = { 1, 1, 9 } }).shape)
    assert.raises(function() pooled({ 1, 1, 5, 5 }, { kernel = kernel, pad = { 1 } }) end, "pad: expected 2 numbers")
  end)
end)
