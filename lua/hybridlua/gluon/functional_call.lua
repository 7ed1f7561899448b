-- functional_call.lua - gluon.functional_call: a call of a net with other arrays in place of its parameters.
--
-- During the call each Parameter holds the array given for it. Eager code and compiled code both read a Parameter's
-- array at every call, so both compute, and record, with the given one. Afterwards each Parameter has its own again,
-- also after an error.
local Block = require "hybridlua.gluon.block"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local Parameter = require "hybridlua.gluon.parameter"
local is_array, is_plain, tracing = core.array.is, core.script.is_plain, core.trace.active

local function check_array(name, param, array)
  if not is_array(array) then
    fail("functional_call: '%s': expected an NDArray, got %s", name, type(array))
  end
  local shape = param._shape
  local fits = not shape or #shape == array.ndim
  for i, d in ipairs(shape or {}) do fits = fits and (d <= 0 or d == array.shape[i]) end
  if not fits or array.dtype ~= param.dtype then
    fail("functional_call: '%s': expected %s %s, got %s %s", name, param.dtype, Parameter.text_of_shape(shape),
      array.dtype, tostring(array.shape))
  end
end

-- The array for each Parameter of the net: { { parameter, array }, ... }. Parameters are given by structural name, such
-- as "0.weight", or by their own.
local function pair_up(net, arrays)
  local known, pairs_, at = {}, {}, {}
  local missing = {}
  for _, entry in ipairs(net:structural_params()) do
    local path, param = entry[1], entry[2]
    known[path], known[param.name] = true, true
    for _, name in ipairs { path, param.name } do
      local array = arrays[name]
      if array ~= nil then
        check_array(name, param, array)
        if at[param] and not rawequal(at[param], array) then
          fail("functional_call: '%s': expected one array for a shared Parameter, got two", name)
        end
        if not at[param] then pairs_[#pairs_ + 1] = { param, array } end
        at[param] = array
      end
    end
    if not at[param] then missing[#missing + 1] = { path, param } end
  end
  for name in pairs(arrays) do
    if not known[name] then
      fail("functional_call: arrays: the net has no parameter '%s'%s", tostring(name),
        nearest.hint(tostring(name), known))
    end
  end
  for _, entry in ipairs(missing) do
    if not at[entry[2]] then
      fail("functional_call: arrays: expected an array for each parameter, got none for '%s'; write " ..
        "net:structural_params() for their names", entry[1])
    end
  end
  return pairs_
end

local Restoring = { __close = function(self)
  for param, before in pairs(self) do param:_take_back(before) end
end }

local function replace(pairs_)
  local before = setmetatable({}, Restoring)
  for _, pair in ipairs(pairs_) do before[pair[1]] = pair[1]:_lend(pair[2]) end
  return before
end

--- functional_call(net, arrays, inputs...): net(inputs...) with the arrays in place of the net's parameters. arrays:
-- {name = array}, by the names of save_parameters ("0.weight") or of collect_params ("dense0_weight"), one for each
-- parameter, running statistics included, which a training call then changes in place. Gradients flow to the arrays and
-- to the inputs, eager and hybridized; the parameters and their gradients stay as they are. Errors: unknown and missing
-- names, arrays of another shape or dtype, a call inside hybridized code.
local function functional_call(net, arrays, ...)
  checks.instance("functional_call: net", net, Block, "a Block")
  if tracing() then
    fail "functional_call: expected a call outside of hybridized code; hybridize the net instead"
  end
  if not is_plain(arrays) then
    fail("functional_call: arrays: expected a table of arrays by name, got %s", type(arrays))
  end
  local _ <close> = replace(pair_up(net, arrays))
  return net(...)
end

return functional_call
