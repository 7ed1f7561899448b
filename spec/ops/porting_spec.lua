-- porting_spec.lua - operators that public MXNet programs use, and their gradients: what MXNet 1.9.1 computed
-- (spec/oracle/porting.py).
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

local arrays, cases = nd.load "spec/oracle/porting.params", dofile "spec/oracle/porting.lua"

local function row_function(name)
  local fn = nd
  for part in name:gmatch "[^.]+" do fn = fn[part] end
  return fn
end

local function list(x) return type(x) == "table" and x or { x } end

describe("As MXNet 1.9.1:", function()
  for _, case in ipairs(cases) do
    it(case.op .. ", " .. case.tag, function()
      local inputs = {}
      for i = 1, case.inputs do inputs[i] = arrays[("%s:in%d"):format(case.tag, i - 1)]:copy() end
      for _, i in ipairs(case.grads) do inputs[i + 1]:attach_grad() end
      local arguments = table.move(inputs, 1, #inputs, 1, {})
      if next(case.options) then arguments[#arguments + 1] = case.options end
      local outputs = autograd.record(function() return list(row_function(case.op)(table.unpack(arguments))) end)
      assert.equal(case.outputs, #outputs)
      local heads = {}
      for i, y in ipairs(outputs) do
        assert.allclose(y, arrays[("%s:out%d"):format(case.tag, i - 1)], 2e-5, 2e-5)
        heads[i] = arrays[("%s:head%d"):format(case.tag, i - 1)]
      end
      if #case.grads == 0 then return end
      autograd.backward(outputs, heads)
      for _, i in ipairs(case.grads) do
        assert.allclose(inputs[i + 1].grad, arrays[("%s:grad%d"):format(case.tag, i)], 2e-5, 2e-5)
      end
    end)
  end
end)
