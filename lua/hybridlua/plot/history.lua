-- plot/history.lua - a curve that grows: value by value, of any number, in bounded memory and without losing extremes.
-- It keeps buckets of consecutive values, of each the least and the greatest. Once there are MOST, neighbours are
-- merged and later buckets take twice as many values.
local class = require "hybridlua.language.class"

local History = class.root("PlotHistory", class.new)

local MOST = 512

function History:init()
  self.n, self.width, self.inside = 0, 1, 0
  self.lox, self.lo, self.hix, self.hi = {}, {}, {}, {}             -- x and value of each bucket's least and greatest
end

local function halve(self)
  local lox, lo, hix, hi = self.lox, self.lo, self.hix, self.hi
  for to = 1, self.n // 2 do
    local a, b = 2 * to - 1, 2 * to
    local low = (lo[b] < lo[a] or lo[a] ~= lo[a]) and b or a        -- a NaN yields to any number
    local high = (hi[b] > hi[a] or hi[a] ~= hi[a]) and b or a
    lox[to], lo[to], hix[to], hi[to] = lox[low], lo[low], hix[high], hi[high]
  end
  self.n, self.width = self.n // 2, self.width * 2
end

function History:add(x, y)
  local n = self.n
  if self.inside == 0 then
    if n == MOST then
      halve(self)
      n = self.n
    end
    n = n + 1
    self.n, self.inside = n, self.width
    self.lox[n], self.lo[n], self.hix[n], self.hi[n] = x, y, x, y
  elseif y < self.lo[n] or self.lo[n] ~= self.lo[n] then
    self.lox[n], self.lo[n] = x, y
    if self.hi[n] ~= self.hi[n] then self.hix[n], self.hi[n] = x, y end
  elseif y > self.hi[n] then
    self.hix[n], self.hi[n] = x, y
  end
  self.inside = self.inside - 1
end

--- The curve: x and y of each bucket's least and greatest value, in order.
function History:points()
  local xs, ys, k = {}, {}, 0
  for i = 1, self.n do
    local ax, ay, bx, by = self.lox[i], self.lo[i], self.hix[i], self.hi[i]
    if ax > bx then ax, ay, bx, by = bx, by, ax, ay end
    k = k + 1
    xs[k], ys[k] = ax, ay
    if bx ~= ax then
      k = k + 1
      xs[k], ys[k] = bx, by
    end
  end
  return xs, ys
end

return History
