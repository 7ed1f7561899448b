-- ctc_loss_spec.lua - CTCLoss: lengths, and labels equal to the blank, with MXNet 1.9.1's costs.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

local function waves(dtype)
  return (nd.arange(6 * 2 * 4) * .37):sin():reshape { 6, 2, 4 }:astype(dtype or "float32")
end

-- Options with the lengths that a mode uses.
local function options_of(blank, has_labels, has_data)
  local o = { blank_label = blank }
  if has_labels then o.use_label_lengths, o.label_lengths = true, nd.array { 3, 2 } end
  if has_data then o.use_data_lengths, o.data_lengths = true, nd.array { 6, 4 } end
  return o
end

describe("CTCLoss", function()
  -- blank, labels, lengths of labels, of data, costs
  local cases = {
    { "first", { { 1, 0, 2 }, { 0, 3, 9 } }, true, false, { 5.324045181274414, 3.924144983291626 } },
    { "first", { { 1, 0, 2 }, { 0, 3, 9 } }, true, true, { 5.324045181274414, 2.723457098007202 } },
    { "last", { { 1, 3, 2 }, { 3, 0, -5 } }, true, false, { 5.363308429718018, 4.254186153411865 } },
    { "last", { { 1, 3, 2 }, { 3, 0, -5 } }, true, true, { 5.363308429718018, 2.984752655029297 } },
    { "last", { { 1, 3, 2 }, { 3, 0, -1 } }, false, false, { 5.363308429718018, 4.254186153411865 } },
    { "last", { { 3, 3, -1 }, { 3, 0, -1 } }, false, false, { 5.238514423370361, 4.254186153411865 } },
    { "last", { { 1, 3, 2 }, { 3, 0, -1 } }, false, true, { 5.363308429718018, 2.984752655029297 } },
  }
  for i, case in ipairs(cases) do
    local blank, labels, has_labels, has_data, costs = table.unpack(case)
    it("aligns a label equal to the blank like MXNet: " .. i, function()
      local o = options_of(blank, has_labels, has_data)
      assert.allclose(nd.CTCLoss(waves(), nd.array(labels), o), costs, 1e-6)
      local block = gluon.nn.HybridLambda(function(F, x, l) return F.CTCLoss(x, l, o) end)
      local eager = block(waves(), nd.array(labels))
      block:hybridize()
      assert.bits(eager, block(waves(), nd.array(labels)))
    end)

    it("has the gradient of this cost: " .. i, function()
      local o, x, step = options_of(blank, has_labels, has_data), waves "float64", 1e-5
      local y = nd.array(labels, { dtype = "float64" })
      for key, length in pairs(o) do
        if type(length) == "userdata" then o[key] = length:astype "float64" end
      end
      x:attach_grad()
      autograd.record(function() return nd.CTCLoss(x, y, o):sum() end):backward()
      for place = 0, x.size - 1, 5 do
        local flat = nd.zeros({ x.size }, { dtype = "float64" })
        flat[place] = step
        local moved = flat:reshape { 6, 2, 4 }
        local slope = (nd.CTCLoss(x + moved, y, o):sum() - nd.CTCLoss(x - moved, y, o):sum()):asscalar() / (2 * step)
        assert.near(slope, x.grad:reshape { -1 }[place]:asscalar(), 1e-8)
      end
    end)
  end

  it("reads nothing past the lengths", function()
    for _, blank in ipairs { "first", "last" } do
      local o, clean, dirty = options_of(blank, true, true), waves(), waves()
      dirty["4:, 1"] = 0 / 0
      local costs = nd.CTCLoss(clean, nd.array { { 1, 2, 1 }, { 2, 1, 1 } }, o)
      assert.bits(costs, nd.CTCLoss(dirty, nd.array { { 1, 2, 1 }, { 2, 1, 99 } }, o))
      assert.bits(costs, nd.CTCLoss(dirty, nd.array { { 1, 2, 1 }, { 2, 1, -7 } }, o))
      dirty:attach_grad()
      autograd.record(function() return nd.CTCLoss(dirty, nd.array { { 1, 2, 1 }, { 2, 1, -7 } }, o) end):backward()
      assert.allclose(dirty.grad["4:, 1"], nd.zeros { 2, 4 })
      assert.is_false(dirty.grad:sum():asscalar() ~= dirty.grad:sum():asscalar())
      assert.raises(function() nd.CTCLoss(clean, nd.array { { 1, 2, 4 }, { 2, 1, 0 } }, o) end,
        "CTCLoss: label: expected classes from 0 to 3, got 4 for sequence 0")
      assert.raises(function() nd.CTCLoss(clean, nd.array { { 1, 2, 1 }, { -1, 1, 0 } }, o) end,
        "CTCLoss: label: expected classes from 0 to 3, got %-1 for sequence 1")
    end
  end)

  it("passes MXNet's test", function()
    local loss = gluon.loss.CTCLoss()
    local labels = nd.array { { 2, 1, 3, 3 }, { 3, 2, 2, 3 } }
    local costs = loss(nd.ones { 2, 25, 4 }, labels, nd.array { 20, 20 }, nd.array { 2, 3 })
    assert.allclose(costs, { 18.82820702, 16.50581741 }, 1e-6)
    loss:hybridize()
    assert.bits(costs, loss(nd.ones { 2, 25, 4 }, labels, nd.array { 20, 20 }, nd.array { 2, 3 }))
    local turned = gluon.loss.CTCLoss { layout = "TNC", label_layout = "TN" }
    assert.bits(costs, turned(nd.ones { 25, 2, 4 }, labels.T, nd.array { 20, 20 }, nd.array { 2, 3 }))
    assert.allclose(gluon.loss.CTCLoss()(nd.ones { 2, 20, 4 }, nd.array { { 2, 1, -1, -1 }, { 3, 2, 2, -1 } }),
      { 18.82820702, 16.50581741 }, 1e-6)
  end)
end)
