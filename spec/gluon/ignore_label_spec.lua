-- ignore_label_spec.lua - SoftmaxCELoss with ignored labels.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local Loss = gluon.loss.SoftmaxCELoss

hl.random.seed(3)

-- The loss and pred's gradient.
local function both(loss, pred, label, weight)
  local x = pred:copy()
  x:attach_grad()
  local l = autograd.record(function() return loss(x, label, weight) end)
  l:backward()
  return l, x.grad
end

describe("ignore_label of SoftmaxCELoss", function()
  -- options, shape of pred, labels
  local cases = {
    { {}, { 4, 3 }, { 2, -1, 0, -1 } },
    { {}, { 2, 3, 4 }, { { 1, -1, 3 }, { -1, -1, -1 } } },
    { { axis = 1 }, { 2, 4, 3 }, { { 1, -1, 3 }, { 0, 2, -1 } } },
    { { from_logits = true, weight = 2 }, { 4, 3 }, { 2, -1, 0, 1 } },
    { { batch_axis = 1 }, { 2, 3, 4 }, { { 1, -1, 3 }, { 0, -1, 2 } } },
  }
  for i, case in ipairs(cases) do
    local options, shape, labels = table.unpack(case)
    local with = { ignore_label = -1 }
    for key, value in pairs(options) do with[key] = value end
    for _, dtype in ipairs { "float32", "float64" } do
      for _, label_dtype in ipairs { "float32", "int32", "int64" } do
        it(("equals a weight of 0, eager and hybridized: %d, %s, labels %s"):format(i, dtype, label_dtype), function()
          local pred = nd.random.normal { shape = shape }:astype(dtype)
          local label = nd.array(labels, { dtype = label_dtype })
          local counts = label:not_equal(-1)
          local weight = counts:astype(dtype):expand_dims(options.axis or #shape - 1)
          local expected, slope = both(Loss(options), pred, label * counts, weight)
          for _, hybrid in ipairs { false, true } do
            local loss = Loss(with)
            if hybrid then loss:hybridize() end
            local l, gradient = both(loss, pred, label)
            assert.allclose(l, expected, 1e-6)
            assert.allclose(gradient, slope, 1e-6)
            assert.equal(dtype, l.dtype)
            if hybrid then
              local eager, eager_gradient = both(Loss(with), pred, label)
              assert.bits(eager, l)
              assert.bits(eager_gradient, gradient)
            end
          end
        end)
      end
    end
  end

  it("ignores a row whatever its predictions, but counts it in the mean over the batch", function()
    local pred = nd.array { { 1, 2 }, { 1 / 0, -1 / 0 }, { 0, 0 } }
    local l = Loss { ignore_label = 255 }(pred, nd.array { 0, 255, 1 })
    assert.allclose(l, { math.log(1 + math.exp(1)), 0, math.log(2) }, 1e-6)
    -- PyTorch's mean, over the rows that are not ignored
    local counted = nd.array { 0, 255, 1 }:not_equal(255):sum():asscalar()
    assert.near((math.log(1 + math.exp(1)) + math.log(2)) / 2, l:sum():asscalar() / counted, 1e-6)
  end)

  it("works with sample_weight", function()
    local pred, label = nd.array { { 1, 2 }, { 3, 1 } }, nd.array { 0, -1 }
    local l = Loss { ignore_label = -1 }(pred, label, nd.array { { 3 }, { 5 } })
    assert.allclose(l, { 3 * math.log(1 + math.exp(1)), 0 }, 1e-6)
  end)

  it("still rejects other labels outside the classes, and meaningless options", function()
    local loss = Loss { ignore_label = -1 }
    assert.raises(function() loss(nd.ones { 2, 3 }, nd.array { -1, 3 }) end,
      "ignore_label_spec.lua:%d+: .*label: expected indices from 0 to 2, got 3 in row 1")
    assert.raises(function() loss(nd.ones { 2, 3 }, nd.array { -2, 1 }) end, "got %-2 in row 0")
    assert.raises(function() local _ = Loss { ignore_label = "x" } end,
      "ignore_label_spec.lua:%d+: SoftmaxCrossEntropyLoss: ignore_label: expected an integer, got the string 'x'")
    assert.raises(function() local _ = Loss { ignore_label = -1, sparse_label = false } end,
      "ignore_label_spec.lua:%d+: SoftmaxCrossEntropyLoss: ignore_label: expected sparse_label = true")
  end)
end)
