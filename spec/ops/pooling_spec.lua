-- pooling_spec.lua - the ways in which a maximum is found give the same bits: windows of 2 by 2 that touch, which have
-- loops of their own, beside the same data with the channels last, which have not.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local TO_LAST, TO_FIRST = { axes = { 0, 2, 3, 1 } }, { axes = { 0, 3, 1, 2 } }

-- The maxima and the gradient, g being 1, 2, 3, ... in the order of the output with the channels first.
local function maxima(x, g, layout)
  x:attach_grad()
  local y = autograd.record(function()
    return nd.Pooling(x, { kernel = { 2, 2 }, stride = { 2, 2 }, pool_type = "max", layout = layout })
  end)
  y:backward(layout == "NHWC" and g:transpose(TO_LAST) or g)
  return y, x.grad
end

describe("the maximum of touching pairs", function()
  it("is that of the general way, equal ones, NaN and borders that no window sees included", function()
    hl.random.seed(3)
    for _, shape in ipairs { { 2, 3, 8, 8 }, { 1, 2, 7, 9 }, { 1, 1, 2, 33 }, { 3, 2, 24, 24 }, { 2, 2, 3, 2 } } do
      for _, dtype in ipairs { "float32", "float64" } do
        local x = nd.random.uniform(-3, 3, { shape = shape, dtype = dtype }):round()       -- many are equal
        x[{ 0, 0, 0, 1 }] = 0 / 0
        x[{ 0, 0, 1, 0 }] = -math.huge
        local g = nd.arange(1, shape[1] * shape[2] * (shape[3] // 2) * (shape[4] // 2) + 1, { dtype = dtype })
          :reshape { shape[1], shape[2], shape[3] // 2, shape[4] // 2 }
        local y, grad = maxima(x, g)
        local y_last, grad_last = maxima(x:transpose(TO_LAST), g, "NHWC")
        assert.is_true(y:tobytes() == y_last:transpose(TO_FIRST):tobytes())
        assert.is_true(grad:tobytes() == grad_last:transpose(TO_FIRST):tobytes())
      end
    end
  end)
end)
