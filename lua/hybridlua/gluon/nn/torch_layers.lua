-- torch_layers.lua - layers that PyTorch has and MXNet's Gluon has not, by PyTorch's names.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local is_plain = core.script.is_plain

local nn = {}

--- SiLU(): x sigmoid(x), as Swish(1).
nn.SiLU = HybridBlock:subclass "SiLU"

function nn.SiLU:init(...) arguments.of_block("SiLU", {})(...) end

function nn.SiLU:hybrid_forward(F, x)                                            -- luacheck: ignore 212
  checks.array("SiLU: data", x)
  return x * F.sigmoid(x)
end

--- Upsample(scale_factor = 2, {mode = "nearest"}): enlarges (batch, channel, height, width) by a whole factor:
-- "nearest" repeats elements, "bilinear" interpolates with the corners kept (align_corners = true in PyTorch).
nn.Upsample = HybridBlock:subclass "Upsample"

local read_upsample = arguments.of_block("Upsample", "scale_factor mode", { scale_factor = 2, mode = "nearest" })

function nn.Upsample:init(...)
  local options = read_upsample(...)
  self._scale = checks.whole("Upsample: scale_factor", options.scale_factor, 1)
  self._nearest = checks.choice("Upsample: mode", options.mode, "nearest", "bilinear") == "nearest"
end

function nn.Upsample:hybrid_forward(F, x)
  if self._nearest then return F.UpSampling(x, { scale = self._scale, sample_type = "nearest" }) end
  return F.contrib.BilinearResize2D(x, { scale_height = self._scale, scale_width = self._scale })
end

--- ZeroPad2D(padding): adds zeros around height and width of (batch, channel, height, width): a number for all sides,
-- or {left, right, top, bottom}.
nn.ZeroPad2D = HybridBlock:subclass "ZeroPad2D"

local read_pad = arguments.of_block("ZeroPad2D", "padding[]")

function nn.ZeroPad2D:init(...)
  local padding = read_pad(...).padding
  if is_plain(padding) and #padding ~= 4 then
    fail("ZeroPad2D: padding: expected an integer or {left, right, top, bottom}, got %d values", #padding)
  end
  local left, right, top, bottom = table.unpack(checks.whole_list("ZeroPad2D: padding", padding, 4, 0))
  self._prepared = core.op.prepare("Pad", { mode = "constant", constant_value = 0,
    pad_width = { 0, 0, 0, 0, top, bottom, left, right } })
end

function nn.ZeroPad2D:hybrid_forward(F, x) return F.pad(x, self._prepared) end

return nn
