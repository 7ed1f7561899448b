-- loss_spec.lua - losses on fixed numbers, which are MXNet 1.9.1's; each eager and hybridized.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local G = gluon.loss

local pred = nd.array { { .5, -1., 2. }, { 1., 0., -.5 } }
local classes = nd.array { 2, 0 }
local target = nd.array { { 1., 0., 1. }, { 0., 1., 1. } }
local signs = target * 2 - 1

-- MXNet's own softmax and logarithm are good for some 1e-5.
local RELATIVE = 2e-5

local cases = {
  { "L2Loss", function() return G.L2Loss() end, { pred, target }, { .375, .70833331 } },
  { "L2Loss with a weight", function() return G.L2Loss(2.) end, { pred, target }, { .75, 1.41666663 } },
  { "L1Loss", function() return G.L1Loss() end, { pred, target }, { .83333331, 1.16666663 } },
  { "SigmoidBCELoss", function() return G.SigmoidBCELoss() end, { pred, target }, { .3047556, .99349529 } },
  { "SigmoidBCELoss from sigmoid", function() return G.SigmoidBCELoss(true) end, { nd.sigmoid(pred), target }, { .3047556, .99349529 } },
  { "SigmoidBCELoss with pos_weight", function() return G.SigmoidBCELoss() end, { pred, target, nil, nd.array { 2, 2, 3 } }, { .5474, 1.873929 } },
  { "SoftmaxCELoss", function() return G.SoftmaxCELoss() end, { pred, classes }, { .24131405, .46436638 } },
  { "SoftmaxCELoss with dense labels", function() return G.SoftmaxCELoss { sparse_label = false } end, { pred, target }, { 1.98262811, 3.42873287 } },
  { "SoftmaxCELoss from logits", function() return G.SoftmaxCELoss { from_logits = true } end, { pred, classes }, { -2, -1 } },
  { "KLDivLoss", function() return G.KLDivLoss { from_logits = false } end, { pred, target }, { 1.98262811, 3.42873287 } },
  { "HuberLoss", function() return G.HuberLoss() end, { pred, target }, { .375, .66666669 } },
  { "HuberLoss with rho", function() return G.HuberLoss(.5) end, { pred, target }, { .58333331, .91666669 } },
  { "HingeLoss", function() return G.HingeLoss() end, { pred, signs }, { .16666667, 1.5 } },
  { "SquaredHingeLoss", function() return G.SquaredHingeLoss() end, { pred, signs }, { .08333334, 2.41666675 } },
  { "LogisticLoss", function() return G.LogisticLoss() end, { pred, signs }, { .3047556, .99349529 } },
  { "LogisticLoss with binary labels", function() return G.LogisticLoss { label_format = "binary" } end, { pred, target }, { .3047556, .99349529 } },
  { "PoissonNLLLoss", function() return G.PoissonNLLLoss() end, { pred, target }, { 1.95507813 } },
  { "TripletLoss", function() return G.TripletLoss() end, { pred, target, target * 0 }, { 0, 4 } },
  { "CosineEmbeddingLoss", function() return G.CosineEmbeddingLoss() end, { pred, target, nd.array { 1, -1 } }, { { .22848326 }, { 0 } } },
  { "SDMLLoss", function() return G.SDMLLoss() end, { pred, target }, { .3377264, .9160607 } },
  { "L2Loss with sample weights", function() return G.L2Loss() end, { pred, target, nd.array { { 1 }, { 0 } } }, { .375, 0 } },
}

for _, case in ipairs(cases) do
  local title, make, args, wanted = table.unpack(case, 1, 4)

  describe(title, function()
    it("is MXNet's, and the same hybridized", function()
      local loss = make()
      local eager = loss(table.unpack(args, 1, 4))
      assert.allclose(eager, wanted, RELATIVE, 1e-6)
      loss:hybridize()
      assert.bits(loss(table.unpack(args, 1, 4)), eager)
      assert.bits(loss(table.unpack(args, 1, 4)), eager)
    end)

    it("gives the predictions a gradient, the same hybridized", function()
      local loss, grads = make(), {}
      for i = 1, 2 do
        local p = args[1]:copy()
        p:attach_grad()
        autograd.record(function() return loss(p, table.unpack(args, 2, 4)) end):backward()
        grads[i] = p.grad:copy()
        loss:hybridize()
      end
      assert.truthy(grads[1]:abs():sum():asscalar() > 0)
      assert.bits(grads[2], grads[1])
    end)
  end)
end

describe("losses", function()
  it("print as MXNet's", function()
    assert.equal("L2Loss(batch_axis=0, w=1.0)", tostring(G.L2Loss()))
    assert.equal("SoftmaxCrossEntropyLoss(batch_axis=0, w=None)", tostring(G.SoftmaxCrossEntropyLoss()))
    assert.equal("L1Loss(batch_axis=1, w=2)", tostring(G.L1Loss(2, 1)))
    assert.equal(G.SoftmaxCELoss, G.SoftmaxCrossEntropyLoss)
    assert.equal(G.SigmoidBCELoss, G.SigmoidBinaryCrossEntropyLoss)
  end)

  it("take labels of another shape with as many elements, and of integer dtypes", function()
    assert.allclose(G.L2Loss()(nd.array { { 1 }, { 2 } }, nd.array { 0, 0 }), { .5, 2 })
    local ce = G.SoftmaxCELoss()
    assert.allclose(ce(pred, classes:astype "int32"), ce(pred, classes))
    assert.allclose(ce(pred, classes:astype "int64"), ce(pred, classes))
    assert.allclose(ce(pred, classes:reshape { 2, 1 }), ce(pred, classes))
  end)

  it("keep the batch axis", function()
    local l1 = G.L1Loss { batch_axis = 1 }
    assert.allclose(l1(pred, target), { .75, 1, 1.25 })
    local wide = G.SoftmaxCELoss { axis = 1 }
    local images = nd.arange(24):reshape { 2, 3, 4 }
    assert.same({ 2 }, wide(images, nd.zeros { 2, 4 }).shape)
    assert.allclose(wide(images, nd.zeros { 2, 4 }), { 8.0184793, 8.0184793 })
  end)

  it("weigh", function()
    assert.allclose(G.SoftmaxCELoss { weight = 3 }(pred, classes), { 3 * .24131, 3 * .464366 }, 1e-4)
    assert.allclose(G.PoissonNLLLoss { compute_full = true }(pred, nd.array { { 3, 4, 5 }, { 2, 3, 4 } }),
                    { 3.5826352 }, 1e-5)
    local counts = nd.array { 1, 2 }
    assert.allclose(G.PoissonNLLLoss { from_logits = false }(counts, counts, nil, 1), { (1 - math.log(2) + 2 - 2 * math.log(3)) / 2 })
    assert.allclose(G.CosineEmbeddingLoss { margin = .5 }(nd.array { { 1, 0 } }, nd.array { { 1, 0 } }, nd.array { -1 }), { { .5 } })
    assert.raises(function() G.L2Loss "x" end, "L2Loss: weight: expected a number, got string")
    assert.raises(function() G.LogisticLoss { label_format = "x" } end, "label_format can only be signed or binary, recieved x%.")
    assert.raises(function() G.L2Loss { wait = 1 } end, "loss_spec.lua:%d+: L2Loss: unknown option 'wait'")
  end)

  it("of one's own", function()
    local Cubed = G.Loss:subclass "Cubed"
    function Cubed:init(weight) G.Loss.init(self, weight, 0) end
    function Cubed:hybrid_forward(F, p, l) return F.mean(F.abs(p - l) ^ 3 * self._weight, { axis = self._batch_axis, exclude = true }) end
    assert.allclose(Cubed(2)(nd.array { { 1, 2 } }, nd.array { { 0, 0 } }), { 9 })
    assert.equal("Cubed(batch_axis=0, w=2)", tostring(Cubed(2)))
  end)
end)
