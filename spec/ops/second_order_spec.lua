-- second_order_spec.lua - gradients that cannot be differentiated again raise errors, eager and compiled, and are not
-- silently zero. ops_spec.lua checks all other rows.
local hl = require "hybridlua"
local nd = hl.nd

local function of_gradient(f)
  local first = hl.grad(function(F, x) return f(F, x):sum() end)
  return hl.grad(function(F, x) return F.square(first(F, x)):sum() end)
end

local function check_refused(name, f)
  for _, fn in ipairs { of_gradient(f), hl.compile(of_gradient(f)) } do
    local ok, message = pcall(fn, nd.array { { 1, 2, 3 }, { 0.5, -1, 2 } })
    assert.is_false(ok)
    assert.truthy(message:find(name .. ": its gradient cannot be differentiated again", 1, true), message)
  end
end

describe("gradients of gradients", function()
  it("are errors if they do not exist", function()
    check_refused("SoftmaxOutput", function(F, x) return F.SoftmaxOutput(x, nd.array { 2, 0 }) end)
    check_refused("SoftmaxOutput", function(F, x) return F.SoftmaxOutput(x, nd.ones { 2, 3 }) end)
    check_refused("SVMOutput", function(F, x) return F.SVMOutput(x, nd.array { 2, 0 }) end)
    check_refused("CTCLoss: data", function(F, x)
      return F.CTCLoss(x:reshape { 2, 1, 3 }, nd.array { { 1, 0 } }, { blank_label = "last" })
    end)
    check_refused("sample_multinomial", function(F, x)
      return F.sample_multinomial(F.softmax(x), { get_prob = true })[2]
    end)
    check_refused("RNN", function(F, x)
      return F.RNN(x:reshape { 2, 1, 3 }, F.ones { 14 }, F.zeros { 1, 1, 2 }, { mode = "rnn_tanh", state_size = 2,
        num_layers = 1 })
    end)
  end)

  it("match those of the losses for output layers", function()
    local x, label = nd.array { { 1, 2 }, { 3, 4 } }, nd.array { { 0, 1 }, { 2, 6 } }
    local function second(name)
      local f = of_gradient(function(F, a) return F[name](a, F.broadcast_add(label, F.zeros_like(a))) end)
      assert.bits(f(x), hl.compile(f)(x))
      return f(x)
    end
    -- the gradients are (x - label) / 2, (sigmoid(x) - label) / 2 and sign(x - label) / 2
    assert.same({ { 0.5, 0.5 }, { 0.5, -1 } }, second "LinearRegressionOutput":totable())
    local s = nd.sigmoid(x)
    local wanted = (s - label) * s * (1 - s) / 2
    assert.near(0, (second "LogisticRegressionOutput" - wanted):abs():max():asscalar(), 1e-6)
    assert.same({ { 0, 0 }, { 0, 0 } }, second "MAERegressionOutput":totable())
    local hinge = of_gradient(function(F, a) return F.SVMOutput(a, nd.array { 1, 0 }, { use_linear = true }) end)
    assert.same({ { 0, 0 }, { 0, 0 } }, hinge(x):totable())
  end)
end)
