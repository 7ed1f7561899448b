-- plot/values.lua - the arguments of plots as flat Lua lists of numbers: arrays (nd, np), tables, nested tables.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol = core.array.is, core.symbol.is

local values = {}

local function kind_of(x) return is_symbol(x) and "a Symbol" or x == nil and "nothing" or type(x) end

--- A list of numbers of any array or flat table; several axes are flattened. booleans count as 0 and 1.
function values.list(what, x)
  if is_array(x) then
    local list = x:reshape { -1 }:tolist()
    for i = 1, math.min(#list, 1) do
      if type(list[i]) ~= "number" then for j, v in ipairs(list) do list[j] = v and 1 or 0 end end
    end
    return list
  end
  if type(x) == "number" then return { x } end
  if type(x) ~= "table" or getmetatable(x) then
    fail("%s: expected an array or a table of numbers, got %s", what, kind_of(x))
  end
  for i = 1, #x do
    if type(x[i]) ~= "number" then
      if is_array(x[i]) and x[i].size == 1 then
        local copy = {}
        for j = 1, #x do copy[j] = is_array(x[j]) and x[j].size == 1 and x[j]:asscalar() or x[j] end
        return values.list(what, copy)
      end
      fail("%s: expected numbers, got %s at index %d", what, kind_of(x[i]), i)
    end
  end
  return x
end

--- A list of n numbers, from one number for all or from a list of n.
function values.list_of(what, x, n)
  if type(x) == "number" then
    local list = {}
    for i = 1, n do list[i] = x end
    return list
  end
  local list = values.list(what, x)
  if #list ~= n then fail("%s: expected %d values, got %d", what, n, #list) end
  return list
end

--- x and y as lists of one length. Without y, the first is y and x counts from 0.
function values.pair(what, x, y)
  if y == nil then
    local ys, xs = values.list(what .. ": y", x), {}
    for i = 1, #ys do xs[i] = i - 1 end
    return xs, ys
  end
  local xs, ys = values.list(what .. ": x", x), values.list(what .. ": y", y)
  if #xs ~= #ys then fail("%s: expected x and y of one length, got %d and %d", what, #xs, #ys) end
  return xs, ys
end

--- A matrix as a flat list by rows, its rows and columns; with colours (rows, columns, 3 or 4), also their number.
function values.grid(what, z, colours)
  local nd = core.op.nd
  if type(z) == "table" and not getmetatable(z) then
    local good, array = pcall(nd.array, z, { dtype = "float64" })
    if not good then fail("%s: expected rows of equal length, of numbers", what) end
    z = array
  end
  if not is_array(z) then fail("%s: expected an array or a table of rows, got %s", what, kind_of(z)) end
  local shape = z.shape
  local channels = z.ndim == 3 and colours and (shape[3] == 3 or shape[3] == 4) and shape[3] or nil
  if z.ndim == 3 and shape[3] == 1 and colours then z = z:reshape { shape[1], shape[2] } end
  if z.ndim ~= 2 and not channels then
    fail("%s: expected 2 dimensions%s, got %d", what,
      colours and ", or 3 with 1, 3 or 4 channels" or "", z.ndim)
  end
  return values.list(what, z), shape[1], shape[2], channels, z.dtype
end

--- The least and the greatest finite number of a list, or of those above 0; nil if there is none.
values.range = core.plot.range

return values
