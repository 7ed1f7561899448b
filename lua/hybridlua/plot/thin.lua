-- plot/thin.lua - points of the data as points of the page, few enough to write. The loops over all data are those of
-- core.plot (src/io/picture/plot_points.h), which return the indices of the points to draw.
--
-- A map has the page's coordinates x = ax + bx * v and y = ay + by * v, where v is the value or, if logx or logy, its
-- logarithm; left, right, top and bottom are its edges; `grain` is the width of a column of pixels, `most` the number
-- of points that a line or a crowd of markers may have.
--
-- A line keeps of each column its first, least, greatest and last point, so no peak is lost. One that goes back and
-- forth keeps those of pieces of the line. Of more than 5,000 markers one of each cell is drawn, the largest or last,
-- and those with the least and greatest x, y and value. Cells are as wide as the grain, or wider, until at most `most`
-- are occupied.
local core = require "hybridlua.core"

local thin = { MOST = 60000 }

local MOST_OF_LINE = 20000         -- strokes of one line: it covers the page long before
local FAR = 1e5          -- from here on coordinates are cut off: viewers have narrow numbers
local log = math.log

local function near(p) return p > FAR and FAR or p < -FAR and -FAR or p end

--- A point on the page, or nil if it is not finite there (NaN, infinite, or not positive on a logarithmic axis).
function thin.point(map, x, y)
  if map.logx then x = x > 0 and log(x, 10) or 0 / 0 end
  if map.logy then y = y > 0 and log(y, 10) or 0 / 0 end
  local px, py = map.ax + map.bx * x, map.ay + map.by * y
  if px - px == 0 and py - py == 0 then return near(px), near(py) end
end

-- 1234567 as "1,234,567".
local function grouped(n)
  local text = tostring(n)
  while text:find "^%d%d%d%d" do text = text:gsub("^(%d+)(%d%d%d)", "%1,%2") end
  return text
end

--- What a picture says about `kept` of n points, if it has fewer.
function thin.note(n, kept, how)
  if kept < n then return ("%s points, drawn as %s: %s"):format(grouped(n), grouped(kept), how) end
end

local EXTREMES = "with all extremes"

--- The runs of indices of a line or, with ys and others, of a band, between gaps; a note about thinning.
function thin.indices(map, xs, ys, others)
  local list = core.plot.line(map, map.most or MOST_OF_LINE, xs, ys, others)
  local runs, run, kept = {}, nil, 0
  for i = 1, #list do
    local index = list[i]
    if index == 0 then run = nil
    else
      if not run then
        run = {}
        runs[#runs + 1] = run
      end
      run[#run + 1], kept = index, kept + 1
    end
  end
  return runs, #xs > 5000 and kept < #xs / 2 and thin.note(#xs, kept, EXTREMES) or nil
end

--- The runs of a line between gaps: flat lists x, y, x, y, ..., and a note about thinning. A single point is a
-- run of two equal points.
function thin.runs(xs, ys, map)
  local runs, said = thin.indices(map, xs, ys)
  for r, indices in ipairs(runs) do
    local run = {}
    for i, index in ipairs(indices) do run[2 * i - 1], run[2 * i] = thin.point(map, xs[index], ys[index]) end
    if #run == 2 then run[3], run[4] = run[1], run[2] end
    runs[r] = run
  end
  return runs, said
end

--- The markers to draw as a flat list, the index of each, what is said about thinning, and then also how many points
-- each stands for.
function thin.points(xs, ys, map, sizes, numbers)
  local at, counts, grain = core.plot.marks(map, map.most or thin.MOST, xs, ys, sizes or nil, numbers or nil)
  local points = {}
  for i = 1, #at do points[2 * i - 1], points[2 * i] = thin.point(map, xs[at[i]], ys[at[i]]) end
  return points, at, counts and thin.note(#xs, #at, ("one of each %.3g pt, %s"):format(grain, EXTREMES)), counts
end

return thin
