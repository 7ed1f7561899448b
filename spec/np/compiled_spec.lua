-- compiled_spec.lua - np's functions in compiled code: the same bits, shapes, dtypes and kind as in eager code.
local hl = require "hybridlua"
local calls = require "support.call_cases"
local cases = require "support.np_cases"
local np = hl.np

-- Functions whose results' shapes depend on values, or that read values: they work on arrays only.
local EAGER = {}
for name in ([[nonzero flatnonzero argwhere tril_indices_from triu_indices_from compress extract unique union1d
  intersect1d setdiff1d setxor1d trim_zeros bincount histogram2d histogram_bin_edges percentile quantile
  delete insert choose]]):gmatch "%S+" do EAGER[name] = true end

describe("In compiled code and in eager code the same:", function()
  for _, name in ipairs(cases.names) do
    if cases.exists(name) then
      it(name, function()
        local fn, args = cases.case(cases.by_name[name][#cases.by_name[name] // 2 + 1])
        local arrays = {}
        local places = calls.take_out(args, arrays)
        if #arrays == 0 then return end
        local want = calls.flat(fn(table.unpack(args, 1, args.n)), {})
        if #want == 0 then return end
        local compiled = hl.compile(function(_, ...)
          local again = calls.put_in(places, { ... })
          return fn(table.unpack(again, 1, again.n))
        end)
        local ok, got = pcall(compiled, table.unpack(arrays))
        if not ok then
          assert.is_true(EAGER[name] or got:find "depends on values" ~= nil, got)
          return
        end
        got = calls.flat(got, {})
        assert.equal(#want, #got)
        for i, x in ipairs(want) do
          assert.equal(x.dtype, got[i].dtype)
          assert.is_true(x.shape == got[i].shape)
          assert.is_true(hl.isinstance(got[i], np.ndarray))
          assert.equal(x:tobytes(), got[i]:tobytes())
        end
      end)
    end
  end
end)
