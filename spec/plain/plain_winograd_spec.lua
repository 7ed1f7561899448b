-- plain_winograd_spec.lua - convolutions by fewer products have the bits of their text, src/plain/nn/winograd.h, which
-- random parameters rarely reach: 3x3 and 5x5 windows, at least 16 channels and filters, special values.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local fuses = require "support.fuses"
local plain_texts = require "support.plain_texts"
local scratch = require "support.scratch"
local nd = hl.nd

local CALLS = tonumber(os.getenv "HYBRIDLUA_PLAIN") or 40
local SPECIAL = { 0 / 0, 1 / 0, -1 / 0, -0.0, 1e-40, 3e38 }

local below = scratch.numbers(32)
local function from(low, high) return low + below(high - low + 1) end

local function numbers(...)
  local x = nd.random.normal(0, 1, { shape = { ... } })
  if below(3) == 0 then x:reshape { -1 }[below(x.size)] = SPECIAL[1 + below(#SPECIAL)] end
  return x
end

-- A call of Convolution, or of Deconvolution, whose channels are the convolution's filters.
local function draw(turned)
  local window = below(2) == 0 and 3 or 5
  local channels, filters, bias = from(16, 140), from(16, 60), below(2) == 0
  local data = numbers(from(1, 2), channels, from(window + 3, 14), from(window + 3, 14))
  local weight = numbers(turned and channels or filters, turned and filters or channels, window, window)
  local arrays = { data, weight, bias and numbers(filters) or nil }
  local options = { kernel = { window, window }, pad = { below(window), below(window) }, num_filter = filters,
                    no_bias = not bias }
  return arrays, options
end

local function case_of(name, arrays, options)
  local arguments = { table.unpack(arrays) }
  arguments[#arguments + 1] = options
  return { call = core.op.plain_call(name, table.unpack(arguments)), inputs = arrays,
           output = core.op.row_function(name)(table.unpack(arguments)) }
end

local function check(case, object)
  local finite = not case.call.finite or case.call["function"] == "winograd"
  if fuses and finite then
    assert.bits(case.output:reshape { -1 }, plain_texts.run(object, case.call, case.inputs)[1])
  end
end

describe("Winograd's form", function()
  local cases, calls = {}, {}
  local folder = scratch.folder()
  teardown(function() folder:remove() end)

  setup(function()
    hl.random.seed(5)
    for i = 1, CALLS do
      cases[i] = case_of(i % 2 == 0 and "Convolution" or "Deconvolution", draw(i % 2 ~= 0))
      calls[i] = cases[i].call
    end
  end)

  local plain, others = plain_texts.compilers()
  local fastest = table.remove(others, 1)

  it("has the bits of its text", function()
    local seen = 0
    for _, call in ipairs(calls) do
      if call["function"] == "winograd" then seen = seen + 1 end
    end
    assert.truthy(seen >= CALLS // 3, "too few calls have this form")
    local object = plain_texts.compile(plain_texts.source(calls), fastest, folder)
    for _, case in ipairs(cases) do check(case, object) end
  end)

  for _, other in ipairs { plain, table.unpack(others) } do
    it("has the same bits by " .. other .. " #once", function()
      local object = plain_texts.compile(plain_texts.source(calls), other, folder)
      for i = 1, CALLS, 10 do
        for k = i, i + 1 do check(cases[k], object) end
      end
    end)
  end
end)
