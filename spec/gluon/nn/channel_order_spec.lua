-- channel_order_spec.lua - hints about the order of channels: a warning for arguments in PyTorch's order, an error for
-- data with channels last.
local hl = require "hybridlua"
local warn = require "hybridlua.language.warn"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

describe("arguments in the order in_channels, out_channels, kernel_size", function()
  local here, told = warn.here, nil
  before_each(function()
    told = {}
    warn.here = function(format, ...) told[#told + 1] = format:format(...) end
  end)
  after_each(function() warn.here = here end)

  it("cause a warning if the window would be large", function()
    local _ = nn.Conv2D(3, 16, 3)
    assert.same({ "Conv2D(3, 16, 3): the order is channels, kernel_size, strides: a window of 16 with strides of 3; " ..
      "if 3 is the number of input channels, write nn.Conv2D(16, 3); else name them: {strides = 3}" }, told)
    local makes = {
      function() return nn.Conv2D(3, 64, 7, { padding = 3 }) end, function() return nn.Conv2D { 16, 32, 3 } end,
      function() return nn.Conv2D(64, 128, 1) end, function() return nn.Conv2D { 3, 16, 3, padding = 1 } end,
      function() return nn.Conv1D(16, 32, 3) end, function() return nn.Conv3D(1, 32, 3) end,
      function() return nn.Conv2DTranspose(64, 32, 3) end, function() return nn.Conv1DTranspose(64, 32, 5) end,
    }
    for i, make in ipairs(makes) do
      told = {}
      make()
      assert.equal(1, #told, "number " .. i)
      assert.matches("the order is channels, kernel_size, strides", told[1])
    end
  end)

  it("are not suspected in other calls", function()
    local makes = {
      function() return nn.Conv2D(16, 3) end, function() return nn.Conv2D(96, 11, 4) end,
      function() return nn.Conv2D(64, 7, 2, 3) end, function() return nn.Conv2D(16, 13) end,
      function() return nn.Conv2D(768, 16, 16) end, function() return nn.Conv2D(8, 16, { strides = 3 }) end,
      function() return nn.Conv2D { channels = 8, kernel_size = 16, strides = 3 } end,
      function() return nn.Conv2D(8, { 16, 3 }, 3) end, function() return nn.Conv2D(8, { 1, 16 }, { 1, 3 }) end,
      function() return nn.Conv1D(128, 80, 4) end, function() return nn.Conv1D(64, 16, 1) end,
      function() return nn.Conv2DTranspose(21, 64, 32, 16) end, function() return nn.Conv2DTranspose(64, 4, 2, 1) end,
    }
    for _, make in ipairs(makes) do make() end
    assert.same({}, told)
  end)
end)

describe("data with channels last", function()
  local HINT = "; channels come second: if they are last, write x:transpose{0, 3, 1, 2}"

  local function message(fn)
    local ok, text = pcall(fn)
    assert.is_false(ok)
    return text
  end

  local function says(hint, fn)
    local text = message(fn)
    assert.truthy(text:find(hint, 1, true), text)
  end

  local function says_nothing(fn) assert.is_nil(message(fn):find("channels come", 1, true)) end

  local function layer(make, ...)
    local net = make(...)
    net:initialize()
    return net
  end

  it("is recognized by its shape in convolutions, their transposes and pooling, in every mode", function()
    for _, c in ipairs { 1, 3, 4 } do
      local x = nd.ones { 2, 28, 28, c }
      says(HINT, function() layer(nn.Conv2D, 8, 5)(x) end)
      says(HINT, function() layer(nn.MaxPool2D, 5)(x) end)
      says(HINT, function() layer(nn.Conv2D, 8, 3, { padding = 1, in_channels = 3 })(x) end)
      says(HINT, function() layer(nn.Conv2DTranspose, 8, 3, { in_channels = 3 })(x) end)
      says(HINT, function() nd.Pooling(x, { kernel = { 5, 5 } }) end)
      says(HINT, function() sym.Pooling(sym.var("x", { shape = x.shape }), { kernel = { 5, 5 } }) end)
      local net = layer(nn.Conv2D, 8, 5)
      net:hybridize()
      says(HINT, function() net(x) end)
      assert.same({ 2, 8, 24, 24 }, { table.unpack(layer(nn.Conv2D, 8, 5)(x:transpose { 0, 3, 1, 2 }).shape) })
    end
    says("; channels come second: if they are last, write x:transpose{0, 2, 1}",
      function() layer(nn.Conv1D, 8, 5)(nd.ones { 2, 100, 1 }) end)
    says("; channels come second: if they are last, write x:transpose{0, 4, 1, 2, 3}",
      function() layer(nn.Conv3D, 8, 5)(nd.ones { 2, 16, 16, 16, 1 }) end)
  end)

  it("is not suspected if the second axis may hold the channels or the last cannot", function()
    says_nothing(function() layer(nn.Conv2D, 8, 5)(nd.ones { 2, 3, 28, 3 }) end)
    says_nothing(function() layer(nn.Conv2D, 8, 5)(nd.ones { 2, 16, 2, 28 }) end)
    says_nothing(function() layer(nn.Conv2D, 8, 3, { in_channels = 3 })(nd.ones { 2, 16, 8, 8 }) end)
    says_nothing(function() nd.Pooling(nd.ones { 2, 28, 3, 3 }, { kernel = { 5, 5 }, layout = "NHWC" }) end)
  end)
end)
