-- image/borders.lua - image.copyMakeBorder: an image inside a border, as OpenCV's function.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local nd = core.op.nd

local CONSTANT, REPLICATE, REFLECT, WRAP, REFLECT_101 = 0, 1, 2, 3, 4
-- Which row or column of n the place `at` shows, where at < 0 or at >= n in a border.
local SOURCES = {
  [REPLICATE] = function(at, n) return math.max(0, math.min(n - 1, at)) end,
  [REFLECT] = function(at, n)
    at = at % (2 * n)
    return at < n and at or 2 * n - 1 - at
  end,
  [WRAP] = function(at, n) return at % n end,
  [REFLECT_101] = function(at, n)
    if n == 1 then return 0 end
    at = at % (2 * n - 2)
    return at < n and at or 2 * n - 2 - at
  end,
}

local function extended(src, axis, before, after, source)
  local n, places = src.shape[axis + 1], {}
  for at = -before, n + after - 1 do places[#places + 1] = source(at, n) end
  return nd.take(src, nd.array(places, { dtype = "int64" }), { axis = axis })
end

-- An image filled with a number, or with one number per channel.
local function filled(shape, values, dtype, ctx)
  local x = nd.zeros(shape, { dtype = dtype, ctx = ctx })
  if #values == 1 then return x + values[1] end
  if #values < shape[3] then
    fail("image.copyMakeBorder: values: expected 1 or %d numbers, got %d", shape[3], #values)
  end
  return x + nd.array(table.move(values, 1, shape[3], 1, {}), { dtype = dtype, ctx = ctx }):reshape { 1, 1, shape[3] }
end

--- copyMakeBorder(src, top, bot, left, right, {type = 0, values = {0}}): the image inside a border of this many rows
-- and columns. type: 0 a constant colour, `values`, one number or one per channel; 1 the outermost pixels repeated; 2
-- mirrored with them; 3 as if the image were tiled; 4 mirrored without them (OpenCV's numbers).
local function border(src, top, bot, left, right, kind, value, values)
  local who = "image.copyMakeBorder"
  local h, w = checks.picture(who .. ": src", src)
  top, bot = checks.whole(who .. ": top", top, 0), checks.whole(who .. ": bot", bot, 0)
  left, right = checks.whole(who .. ": left", left, 0), checks.whole(who .. ": right", right, 0)
  kind = checks.whole(who .. ": type", kind or CONSTANT, 0) & ~16        -- 16: BORDER_ISOLATED, for views in OpenCV
  local source = SOURCES[kind]
  if source then return extended(extended(src, 0, top, bot, source), 1, left, right, source) end
  if kind ~= CONSTANT then fail("%s: type: expected 0 to 4, got %d", who, kind) end
  values = values or value or 0
  if type(values) ~= "table" then values = { checks.number(who .. ": values", values) } end
  for _, x in ipairs(values) do checks.number(who .. ": values", x) end
  local wide = filled({ top + h + bot, left + w + right, src.shape[3] }, values, src.dtype, src.context)
  wide[{ { top, top + h }, { left, left + w } }] = src
  return wide
end

return arguments.taking("image.copyMakeBorder", "src top bot left right type value values{}", border)
