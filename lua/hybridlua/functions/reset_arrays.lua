-- functions/reset_arrays.lua - nd.reset_arrays: sets several arrays to zeros.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local is_array = core.array.is

--- reset_arrays(a, b, ..., {num_arrays = n}): sets the arrays to zeros, such as all gradients before they are added to.
-- Returns nothing. Errors: something that is not an array; another number of them than num_arrays, which may be absent.
local function reset_arrays(...)
  local arrays = { ... }
  local last, options = arrays[#arrays], {}
  if type(last) == "table" and not operand.is(last) then options = table.remove(arrays) end
  for key in pairs(options) do
    if key ~= "num_arrays" then fail("reset_arrays: unknown option '%s'; it takes num_arrays", tostring(key)) end
  end
  if #arrays == 0 then fail "reset_arrays: expected an NDArray or more, got nothing" end
  for i, x in ipairs(arrays) do
    if not is_array(x) then fail("reset_arrays: arg%d: expected an NDArray, got %s", i - 1, operand.got(x)) end
  end
  if options.num_arrays and options.num_arrays ~= #arrays then
    fail("reset_arrays: num_arrays: expected the number of arrays, %d, got %s", #arrays,
      operand.got(options.num_arrays))
  end
  for _, x in ipairs(arrays) do x:set(0) end
end

return { functions = { reset_arrays = reset_arrays }, no_method = { reset_arrays = true },
         eager = { reset_arrays = "it writes into its arguments" } }
