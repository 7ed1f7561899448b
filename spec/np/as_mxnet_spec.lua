-- as_mxnet_spec.lua - np's functions: what MXNet 1.9.1 computed for the same calls, in shape, dtype and value
-- (spec/oracle/np_cases.py). Differences are those that the guide lists.
local hl = require "hybridlua"
local np = hl.np

local cases = require "support.np_cases"

-- Where the guide says that dtypes differ: the name, or the name and the dtype.
local DTYPE = {
  cov = true, corrcoef = true, interp = true, polyint = true, vander = true, polyfit = true, bincount = true,
  ["linalg.matrix_rank"] = true, histogram = true, unwrap = true, poly = true, polydiv = true,
  histogram_bin_edges = true, histogram2d = true, histogramdd = true, polyval = true, roots = true,
  nanquantile = true, nanpercentile = true,
}

-- Results in any order.
local SET = { roots = true, ["linalg.eigvals"] = true }

local is_array = require("support.call_cases").is_array

local function compare(name, got, want)
  if type(want) == "table" then
    assert.is_table(got, name)
    assert.equal(#want, #got, name)
    for i = 1, #want do compare(name, got[i], want[i]) end
    return
  end
  if not is_array(want) then
    if is_array(got) then
      assert.same({}, table.move(got.shape, 1, #got.shape, 1, {}), name)
      got = got:item()
    end
    if type(want) == "number" then assert.is_true(math.abs(got - want) <= 1e-4 * math.max(1, math.abs(want)), name)
    else assert.equal(want, got, name) end
    return
  end
  assert.is_true(is_array(got), name)
  assert.is_true(hl.isinstance(got, np.ndarray), name .. ": kind")
  assert.same(table.move(want.shape, 1, #want.shape, 1, {}), table.move(got.shape, 1, #got.shape, 1, {}), name)
  if not DTYPE[name] then assert.equal(want.dtype, got.dtype, name .. ": dtype") end
  if want.size == 0 then return end
  if SET[name] then got, want = np.sort(got), np.sort(want) end
  local a, b = got:as_nd_ndarray():astype "float64", want:as_nd_ndarray():astype "float64"
  assert.is_true(a:almost_equal(b, 2e-4, 2e-5, { equal_nan = true }), name .. ": " .. tostring(got) .. " is not " ..
    tostring(want))
end

describe("As MXNet 1.9.1:", function()
  for _, name in ipairs(cases.names) do
    -- functions that np has as soon as nd has them (hybridlua/np/later.lua)
    if cases.exists(name) then
      it(name, function()
        for _, line in ipairs(cases.by_name[name]) do
          local fn, args, want = cases.case(line)
          compare(name, fn(table.unpack(args, 1, args.n)), want)
        end
      end)
    end
  end
end)
