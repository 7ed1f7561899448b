-- plot/contours.lua - lines of one height in a grid (marching squares): a cell whose corners are on both sides of the
-- height has a segment, a saddle has two; segments are joined into lines. Cells with NaN have none.
local contours = {}

-- Segments between edges (1 bottom, 2 right, 3 top, 4 left), by corners above: 1 lower left, 2 lower right, 4 upper
-- right, 8 upper left.
local EDGES = { [0] = {}, { 4, 1 }, { 1, 2 }, { 4, 2 }, { 2, 3 }, { 4, 1, 2, 3 }, { 1, 3 }, { 4, 3 }, { 3, 4 },
                { 3, 1 },
                { 1, 2, 3, 4 }, { 3, 2 }, { 2, 4 }, { 2, 1 }, { 1, 4 }, {} }
local SADDLE = { [5] = { 4, 3, 2, 1 }, [10] = { 1, 4, 3, 2 } }        -- with the middle above

local function joined(segments, places)
  local at = {}                                                     -- edge: its segments
  for _, s in ipairs(segments) do
    for k = 1, 2 do
      at[s[k]] = at[s[k]] or {}
      table.insert(at[s[k]], s)
    end
  end
  local lines = {}
  local function follow(s, from)
    local line, edge = { places[from][1], places[from][2] }, from
    while s do
      s.used = true
      edge = s[1] == edge and s[2] or s[1]
      line[#line + 1], line[#line + 2] = places[edge][1], places[edge][2]
      s = nil
      for _, other in ipairs(at[edge]) do if not other.used then s = other end end
    end
    lines[#lines + 1] = line
  end
  for _, s in ipairs(segments) do
    for k = 1, 2 do if not s.used and #at[s[k]] == 1 then follow(s, s[k]) end end
  end
  for _, s in ipairs(segments) do if not s.used then follow(s, s[1]) end end
  return lines
end

--- The lines at a height, flat lists x, y, ..., of the grid z (a flat list by rows) at xs and ys.
function contours.lines(z, xs, ys, level)
  local columns, segments, places = #xs, {}, {}
  local function cross(r, c, r2, c2)                                -- the crossing between two corners of the grid
    local key = ((r * columns + c) * 2) + (r == r2 and 0 or 1)
    if not places[key] then
      local a, b = z[(r - 1) * columns + c], z[(r2 - 1) * columns + c2]
      local t = (level - a) / (b - a)
      places[key] = { xs[c] + t * (xs[c2] - xs[c]), ys[r] + t * (ys[r2] - ys[r]) }
    end
    return key
  end
  for r = 1, #ys - 1 do
    for c = 1, columns - 1 do
      local i = (r - 1) * columns + c
      local a, b, d, e = z[i], z[i + 1], z[i + columns + 1], z[i + columns]
      local sum = a + b + d + e
      if sum - sum == 0 then
        local case = (a > level and 1 or 0) + (b > level and 2 or 0) + (d > level and 4 or 0) + (e > level and 8 or 0)
        local edges = sum / 4 > level and SADDLE[case] or EDGES[case]
        for k = 1, #edges, 2 do
          local s = {}
          for j = 0, 1 do
            local edge = edges[k + j]
            s[j + 1] = edge == 1 and cross(r, c, r, c + 1) or edge == 3 and cross(r + 1, c, r + 1, c + 1) or
              edge == 4 and cross(r, c, r + 1, c) or cross(r, c + 1, r + 1, c + 1)
          end
          segments[#segments + 1] = s
        end
      end
    end
  end
  return joined(segments, places)
end

return contours
