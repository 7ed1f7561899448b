-- loss_spec.lua - losses, eager and hybridized, compared with MXNet 1.9.1's values.
local hl = require "hybridlua"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local G = gluon.loss

local pred = nd.array { { .5, -1., 2. }, { 1., 0., -.5 } }
local classes = nd.array { 2, 0 }
local target = nd.array { { 1., 0., 1. }, { 0., 1., 1. } }
local signs = target * 2 - 1

-- MXNet's softmax and logarithm are accurate to about 1e-5.
local RELATIVE = 2e-5

local cases = {
  { "L2Loss", function() return G.L2Loss() end, { pred, target }, { .375, .70833331 } },
  { "L2Loss with a weight", function() return G.L2Loss(2.) end, { pred, target }, { .75, 1.41666663 } },
  { "L1Loss", function() return G.L1Loss() end, { pred, target }, { .83333331, 1.16666663 } },
  { "SigmoidBCELoss", function() return G.SigmoidBCELoss() end, { pred, target }, { .3047556, .99349529 } },
  { "SigmoidBCELoss from sigmoid", function() return G.SigmoidBCELoss(true) end, { nd.sigmoid(pred), target },
    { .3047556, .99349529 } },
  { "SigmoidBCELoss with pos_weight", function() return G.SigmoidBCELoss() end,
    { pred, target, nil, nd.array { 2, 2, 3 } }, { .5474, 1.873929 } },
  { "SoftmaxCELoss", function() return G.SoftmaxCELoss() end, { pred, classes }, { .24131405, .46436638 } },
  { "SoftmaxCELoss with dense labels", function() return G.SoftmaxCELoss { sparse_label = false } end, { pred, target },
    { 1.98262811, 3.42873287 } },
  { "SoftmaxCELoss from logits", function() return G.SoftmaxCELoss { from_logits = true } end, { pred, classes },
    { -2, -1 } },
  { "KLDivLoss", function() return G.KLDivLoss { from_logits = false } end, { pred, target },
    { 1.98262811, 3.42873287 } },
  { "HuberLoss", function() return G.HuberLoss() end, { pred, target }, { .375, .66666669 } },
  { "HuberLoss with rho", function() return G.HuberLoss(.5) end, { pred, target }, { .58333331, .91666669 } },
  { "HingeLoss", function() return G.HingeLoss() end, { pred, signs }, { .16666667, 1.5 } },
  { "SquaredHingeLoss", function() return G.SquaredHingeLoss() end, { pred, signs }, { .08333334, 2.41666675 } },
  { "LogisticLoss", function() return G.LogisticLoss() end, { pred, signs }, { .3047556, .99349529 } },
  { "LogisticLoss with binary labels", function() return G.LogisticLoss { label_format = "binary" } end,
    { pred, target }, { .3047556, .99349529 } },
  { "PoissonNLLLoss", function() return G.PoissonNLLLoss() end, { pred, target }, { 1.95507813 } },
  { "TripletLoss", function() return G.TripletLoss() end, { pred, target, target * 0 }, { 0, 4 } },
  { "CosineEmbeddingLoss", function() return G.CosineEmbeddingLoss() end, { pred, target, nd.array { 1, -1 } },
    { { .22848326 }, { 0 } } },
  { "SDMLLoss", function() return G.SDMLLoss() end, { pred, target }, { .3377264, .9160607 } },
  { "L2Loss with sample weights", function() return G.L2Loss() end, { pred, target, nd.array { { 1 }, { 0 } } },
    { .375, 0 } },
}

for _, case in ipairs(cases) do
  local title, make, args, wanted = table.unpack(case, 1, 4)

  describe(title, function()
    it("matches MXNet, with the same bits hybridized", function()
      local loss = make()
      local eager = loss(table.unpack(args, 1, 4))
      assert.allclose(eager, wanted, RELATIVE, 1e-6)
      loss:hybridize()
      assert.bits(loss(table.unpack(args, 1, 4)), eager)
      assert.bits(loss(table.unpack(args, 1, 4)), eager)
    end)

    it("passes a gradient to the predictions, with the same bits hybridized", function()
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
  it("print as in MXNet", function()
    assert.equal("L2Loss(batch_axis=0, w=1.0)", tostring(G.L2Loss()))
    assert.equal("SoftmaxCrossEntropyLoss(batch_axis=0, w=None)", tostring(G.SoftmaxCrossEntropyLoss()))
    assert.equal("L1Loss(batch_axis=1, w=2)", tostring(G.L1Loss(2, 1)))
    assert.equal(G.SoftmaxCELoss, G.SoftmaxCrossEntropyLoss)
    assert.equal(G.SigmoidBCELoss, G.SigmoidBinaryCrossEntropyLoss)
  end)

  it("accept integer labels, and labels of another shape with equally many elements", function()
    assert.allclose(G.L2Loss()(nd.array { { 1 }, { 2 } }, nd.array { 0, 0 }), { .5, 2 })
    local ce = G.SoftmaxCELoss()
    assert.allclose(ce(pred, classes:astype "int32"), ce(pred, classes))
    assert.allclose(ce(pred, classes:astype "int64"), ce(pred, classes))
    assert.allclose(ce(pred, classes:reshape { 2, 1 }), ce(pred, classes))
  end)

  it("average over all axes except the batch axis", function()
    local l1 = G.L1Loss { batch_axis = 1 }
    assert.allclose(l1(pred, target), { .75, 1, 1.25 })
    local wide = G.SoftmaxCELoss { axis = 1 }
    local images = nd.arange(24):reshape { 2, 3, 4 }
    assert.same({ 2 }, wide(images, nd.zeros { 2, 4 }).shape)
    assert.allclose(wide(images, nd.zeros { 2, 4 }), { 8.0184793, 8.0184793 })
  end)

  it("apply weights and margins", function()
    assert.allclose(G.SoftmaxCELoss { weight = 3 }(pred, classes), { 3 * .24131, 3 * .464366 }, 1e-4)
    assert.allclose(G.PoissonNLLLoss { compute_full = true }(pred, nd.array { { 3, 4, 5 }, { 2, 3, 4 } }),
                    { 3.5826352 }, 1e-5)
    local counts = nd.array { 1, 2 }
    assert.allclose(G.PoissonNLLLoss { from_logits = false }(counts, counts, nil, 1),
      { (1 - math.log(2) + 2 - 2 * math.log(3)) / 2 })
    assert.allclose(G.CosineEmbeddingLoss { margin = .5 }(nd.array { { 1, 0 } }, nd.array { { 1, 0 } },
      nd.array { -1 }), { { .5 } })
    assert.raises(function() G.L2Loss "x" end, "L2Loss: weight: expected a number, got string")
    assert.raises(function() G.LogisticLoss { label_format = "x" } end,
      "label_format can only be signed or binary, recieved x%.")
    assert.raises(function() G.L2Loss { wait = 1 } end, "loss_spec.lua:%d+: L2Loss: unknown option 'wait'")
  end)

  -- The values are from MXNet 1.9.1.
  it("align sequences with labels", function()
    local x, labels = nd.arange(40):reshape { 2, 4, 5 } / 10, nd.array { { 1, 0 }, { 2, 2 } }
    local expected = { 3.9156739711761475, 4.5434980392456055 }
    assert.allclose(G.CTCLoss()(x, labels), expected, 1e-5)
    local turned = G.CTCLoss { layout = "TNC", label_layout = "TN" }
    turned:hybridize()
    assert.allclose(turned(x:swapaxes(0, 1), labels:swapaxes(0, 1)), expected, 1e-5)
    local weighed = G.CTCLoss { weight = 2 }
    local lengths, none = nd.array { 1, 2 }, nil
    assert.bits(weighed(x, nd.array { { 1, 9 }, { 2, 2 } }, none, lengths),
      G.CTCLoss()(x, nd.array { { 1, -1 }, { 2, 2 } }) * 2)
    assert.bits(G.CTCLoss()(x, labels, nd.array { 4, 3 })[1],
      G.CTCLoss()(x:slice_axis { axis = 1, begin = 0, ["end"] = 3 }, labels)[1])
    assert.raises(function() G.CTCLoss()(x, nd.array { { 1, 5 }, { 2, 2 } }) end,
      "CTCLoss: label: expected classes from 0 to 4, got 5 for sequence 0")
    assert.raises(function() G.CTCLoss()(x, labels, nd.array { 5, 1 }) end,
      "CTCLoss: data_lengths: expected 0 to 4, got 5 for sequence 0")
  end)

  it("are 0, with gradient 0, if no alignment exists", function()
    local x = nd.ones { 2, 1, 3 }
    x:attach_grad()
    local l = autograd.record(function() return nd.CTCLoss(x, nd.array { { 1, 1 } }) end)
    l:backward()
    assert.same({ 0 }, l:totable())
    assert.equal(0, x.grad:abs():sum():asscalar())
  end)

  it("can be defined by scripts", function()
    local Cubed = G.Loss:subclass "Cubed"
    function Cubed:init(weight) G.Loss.init(self, weight, 0) end
    function Cubed:hybrid_forward(F, p, l)
      return F.mean(F.abs(p - l) ^ 3 * self._weight, { axis = self._batch_axis, exclude = true })
    end
    assert.allclose(Cubed(2)(nd.array { { 1, 2 } }, nd.array { { 0, 0 } }), { 9 })
    assert.equal("Cubed(batch_axis=0, w=2)", tostring(Cubed(2)))
  end)
end)

-- Calls fn(make) twice; make(block) returns the block, in the second call hybridized.
local function in_both_modes(fn)
  fn(function(block) return block end)
  fn(function(block) block:hybridize() return block end)
end

describe("labels", function()
  local rows = nd.arange(12):reshape { 3, 4 }

  it("raise an error with the loss, the value and the row if outside the classes", function()
    in_both_modes(function(make)
      for _, dtype in ipairs { "float32", "float64", "int32", "int64", "uint8", "int8" } do
        local loss = make(G.SoftmaxCELoss { prefix = "ce_" })
        local function labels(...) return nd.array({ ... }, { dtype = dtype }) end
        assert.equal(3, #loss(rows, labels(3, 0, 1)))
        for _ = 1, 2 do
          assert.raises(function() loss(rows, labels(3, 0, 4)) end,
                        "loss_spec.lua:%d+: ce: label: expected indices from 0 to 3, got 4 in row 2; they count from 0")
        end
        if dtype ~= "uint8" then
          assert.raises(function() loss(rows, labels(0, -1, 2)) end, "ce: label: [^\n]*got %-1 in row 1")
        end
        assert.equal(3, #loss(rows, labels(3, 0, 1)))                     -- still usable after errors
      end
      local loss = make(G.SoftmaxCELoss { prefix = "ce_" })
      assert.raises(function() loss(rows, nd.array { 0, 1, 0 / 0 }) end,
        "ce: label: expected indices from 0 to 3, got nan in row 2")
      assert.raises(function() loss(rows, nd.array { 0, 1 / 0, 0 }) end, "ce: label: [^\n]*got inf in row 1")
      assert.raises(function() loss(rows, nd.array { { 0 }, { 9 }, { 0 } }) end,
        "ce: label: [^\n]*got 9 in row 1, at %(1, 0%)")
      autograd.record(function()
        assert.raises(function() loss(rows, nd.array { 9, 0, 0 }) end, "ce: label: [^\n]*got 9 in row 0")
      end)
    end)
  end)

  it("do not change gradients when checked", function()
    in_both_modes(function(make)
      local x = nd.array { { 1, 2, 3 }, { 3, 1, 2 } }
      x:attach_grad()
      local loss = make(G.SoftmaxCELoss())
      autograd.record(function() return loss(x, nd.array { 2, 0 }) end):backward()
      local p = x:softmax()
      assert.allclose(x.grad, p - nd.one_hot(nd.array { 2, 0 }, { depth = 3 }), 1e-6)
    end)
  end)

  it("are clipped by operators, as in MXNet", function()
    assert.allclose(nd.pick(rows, nd.array { 9, -1, 1 }), { 3, 4, 9 })
    assert.allclose(nd.Embedding(nd.array { 9, -3 }, rows, { input_dim = 3, output_dim = 4 }),
      { rows[2]:totable(), rows[0]:totable() })
    local s = hl.sym.pick(hl.sym.var "a", hl.sym.var "b")
    assert.falsy(s:tojson():find "_check")
    local loss = G.SoftmaxCELoss()
    assert.falsy(loss(hl.sym.var "p", hl.sym.var "l"):tojson():find "_check")
  end)

  it("raise an error with the loss and the label if not arrays", function()
    local words = "loss_spec.lua:%%d+: %s%%d+: label: expected an NDArray or a Symbol, got %s"
    for _, hybridized in ipairs { false, true } do
      local l2, ce = G.L2Loss(), G.SoftmaxCELoss()
      if hybridized then l2:hybridize() ce:hybridize() end
      assert.raises(function() l2(nd.ones { 2 }) end, words:format("l2loss", "nothing"))
      assert.raises(function() l2(nd.ones { 2 }, 3) end, words:format("l2loss", "number"))
      assert.raises(function() ce(nd.ones { 2, 3 }) end, words:format("softmaxcrossentropyloss", "nothing"))
    end
  end)

  it("raise an error with the loss and the label in another context", function()
    local there = nd.array({ 0, 1 }, { ctx = hl.cpu(1) })
    assert.raises(function() G.L2Loss()(nd.ones { 2 }, there) end,
                  "loss_spec.lua:%d+: l2loss%d+: label: expected the same context for both arrays, got cpu%(1%) " ..
                    "and cpu%(0%)")
    assert.raises(function() G.SoftmaxCELoss()(nd.ones { 2, 3 }, there) end,
                  "loss_spec.lua:%d+: softmaxcrossentropyloss%d+: label: expected the same context for both arrays")
  end)

  it("raise an error with the loss and the label if of another shape", function()
    in_both_modes(function(make)
      for _, before in ipairs { false, true } do          -- in the first call and later
        local ce, l2 = make(G.SoftmaxCELoss { prefix = "ce_" }), make(G.L2Loss { prefix = "l2_" })
        local triplet = make(G.TripletLoss { prefix = "t_" })
        if before then
          ce(rows, nd.zeros { 3 })
          l2(rows, rows)
          triplet(rows, rows, rows)
        end
        assert.raises(function() ce(rows, nd.zeros { 2 }) end,
          "loss_spec.lua:%d+: ce: label: expected shape %(3,%), got %(2,%)")
        assert.raises(function() l2(rows, nd.zeros { 3, 3 }) end,
                      "loss_spec.lua:%d+: l2: label: expected 12 elements, as predictions of shape %(3, 4%) have, " ..
                        "got shape %(3, 3%)")
        assert.raises(function() triplet(rows, rows, nd.zeros { 2, 2 }) end,
          "loss_spec.lua:%d+: t: negative: expected 12 elements")
      end
    end)
  end)
end)

describe("a script's own loss", function()
  it("may have an init that does not call the base's", function()
    local Mine = G.Loss:subclass "Mine"
    function Mine:init(power) self.power = power end
    function Mine:hybrid_forward(F, p, l) return F.mean(F.abs(p - l) ^ self.power) end
    assert.equal("Mine(batch_axis=0, w=None)", tostring(Mine(3)))
    in_both_modes(function(make) assert.allclose(make(Mine(2))(nd.array { 1, 3 }, nd.array { 0, 0 }), { 5 }) end)
    local Pick = G.SoftmaxCELoss:subclass "PickLoss"
    function Pick:init() end
    Pick._axis, Pick._sparse_label = -1, true
    assert.allclose(Pick()(pred, classes), { .24131405, .46436638 }, 1e-4)
  end)
end)
