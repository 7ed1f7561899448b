-- cnn_spec.lua - gluon.contrib.cnn: deformable convolutions. The texts and names are MXNet 1.9.1's.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local cnn = gluon.contrib.cnn

local function names(layer)
  local list = {}
  for name, param in pairs(layer:collect_params()) do
    list[#list + 1] = ("%s (%s)"):format(name:gsub("^" .. layer.prefix, ""), table.concat(param.shape, ", "))
  end
  return list
end

local function made(class, ...)
  local layer = class(...)
  layer:initialize()
  layer.offset_weight:set_data(nd.random.normal(0, 0.3, { shape = layer.offset_weight.shape }))
  layer.offset_bias:set_data(nd.random.normal(0, 0.3, { shape = layer.offset_bias.shape }))
  return layer
end

local x = nd.random.normal { shape = { 2, 4, 5, 6 } }

describe("DeformableConvolution", function()
  it("has MXNet's parameters and text", function()
    local layer = cnn.DeformableConvolution(6, { 3, 3 }, { padding = { 1, 1 }, groups = 2, activation = "relu" })
    layer:initialize()
    assert.same({ 2, 6, 5, 6 }, layer(x).shape)
    assert.truthy(layer.name:find "^deformable_conv%d+$")
    assert.equal("DeformableConvolution(2 -> 6, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=2, " ..
      "Activation(relu))", tostring(layer))
    assert.same({ "offset_weight (18, 2, 3, 3)", "offset_bias (18)", "deformable_conv_weight (6, 2, 3, 3)",
                  "deformable_conv_bias (6)" }, names(layer))
  end)

  it("is a convolution if the offsets are zeros, as at first", function()
    local layer = cnn.DeformableConvolution(6, 3, { padding = 1, strides = 2, use_bias = false, in_channels = 4 })
    layer:initialize()
    local weight = layer.deformable_conv_weight:data()
    local expected = nd.Convolution(x, weight, { kernel = { 3, 3 }, pad = { 1, 1 }, stride = { 2, 2 }, num_filter = 6,
                                                 no_bias = true })
    assert.allclose(layer(x), expected, 1e-5, 1e-5)
  end)

  for name, class in pairs { DeformableConvolution = cnn.DeformableConvolution,
                             ModulatedDeformableConvolution = cnn.ModulatedDeformableConvolution } do
    it(name .. " has the same bits hybridized, with gradients", function()
      local layer = made(class, 6, 3, { padding = 1, num_deformable_group = 2, in_channels = 4 })
      local function pass()
        local input = x:copy()
        input:attach_grad()
        local y = autograd.record(function() return layer(input) end)
        y:backward(nd.arange(y.size):reshape { shape = y.shape } / 100)
        return { y, input.grad, layer.offset_weight:grad():copy(), layer.deformable_conv_weight:grad():copy() }
      end
      local eager = pass()
      layer:hybridize()
      for i, value in ipairs(pass()) do assert.bits(value, eager[i]) end
      for i = 1, #eager do assert.truthy(eager[i]:abs():sum():asscalar() > 0, i) end
    end)
  end

  it("rejects wrong arguments", function()
    local function fails(text, ...)
      local arguments = table.pack(...)
      assert.raises(function() cnn.DeformableConvolution(table.unpack(arguments)) end, "cnn_spec.lua:%d+: " .. text)
    end
    fails("DeformableConvolution: channels: .* got 0", 0)
    fails("DeformableConvolution: groups: expected a divisor of channels = 4, got 3", 4, 3, { groups = 3 })
    fails("DeformableConvolution: layout: expected 'NCHW', got 'NHWC'", 4, 3, { layout = "NHWC" })
    fails("DeformableConvolution: kernel_size: ", 4, { 3, 3, 3 })
  end)
end)

describe("ModulatedDeformableConvolution", function()
  it("multiplies samples by 2 sigmoid of the last third of its first convolution", function()
    local layer = made(cnn.ModulatedDeformableConvolution, 6, 3, { padding = 1, in_channels = 4 })
    assert.same({ "offset_weight (27, 4, 3, 3)", "offset_bias (27)", "deformable_conv_weight (6, 4, 3, 3)",
                  "deformable_conv_bias (6)" }, names(layer))
    local both = nd.Convolution(x, layer.offset_weight:data(), layer.offset_bias:data(),
      { kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = 27 })
    local mask = both[{ {}, { 18, 27 } }]:sigmoid() * 2
    local y = nd.contrib.ModulatedDeformableConvolution(x, both[{ {}, { 0, 18 } }], mask,
      layer.deformable_conv_weight:data(), layer.deformable_conv_bias:data(),
      { kernel = { 3, 3 }, pad = { 1, 1 }, num_filter = 6 })
    assert.allclose(layer(x), y, 1e-5, 1e-5)
  end)
end)
