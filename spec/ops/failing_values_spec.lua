-- failing_values_spec.lua - rows whose calls fail because of values say so (the effect FAILS in ir/op.h).
local nd = require("hybridlua").nd
local core = require "hybridlua.core"
local examples = require "support.examples"

local HOSTILE = { 1e6, -1e6, 0.5, 0, 0 / 0, 1 / 0 }

-- `data`, a number or nested lists, with every number replaced by x.
local function filled(data, x)
  if type(data) ~= "table" then return type(data) == "number" and x or data end
  local t = {}
  for key, item in pairs(data) do t[key] = filled(item, x) end
  return t
end

-- Does the example raise if the values of one of its arrays are hostile? All types are those of the example.
local function raises(text, F)
  local n = #examples.arrays_of(text)
  for at = 1, n do
    for _, x in ipairs(HOSTILE) do
      local ok, message = pcall(examples.run, text, F, function(i, data, options)
        local dtype = type(options) == "table" and options.dtype or type(data) == "table" and data.dtype
        local whole = type(dtype) == "string" and not dtype:find "^float"
        if i ~= at or whole and not math.tointeger(x) then return F.array(data, options) end
        return F.array(filled(data, whole and math.tointeger(x) or x), options)
      end)
      if not ok then return message end
    end
  end
end

-- A table like F that notes in seen.fails whether calls of the row have the effect, which may depend on parameters.
local function noting(row, F, seen)
  return setmetatable({}, { __index = function(_, name)
    local f = F[name]
    local found = type(f) == "function" and core.op.row(name)
    if not found or found.name ~= row.name then return f end
    return function(...)
      local known, effects = pcall(core.op.effects, row.name, false, ...)      -- other forms have numbers as inputs
      seen.fails = seen.fails or known and effects.fails
      return f(...)
    end
  end })
end

describe("a row whose example fails with other values has the effect:", function()
  local failing = 0
  for _, row in ipairs(core.op.rows()) do
    if row.example and not row.internal and not row.dynamic then
      it(row.name, function()
        for text in row.example:gmatch "[^\n]+" do
          local seen = {}
          local message = raises(text, noting(row, nd, seen))
          assert.truthy(row.fails or seen.fails or not message, message)
          failing = failing + (message and 1 or 0)
        end
      end)
    end
  end

  it("(some do)", function() assert.truthy(failing > 10, failing) end)
end)
