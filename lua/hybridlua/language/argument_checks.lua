-- argument_checks.lua - arguments that many functions take, looked at in one place. `what` names the function and the
-- argument in errors: "RNNCell: hidden_size".
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol = core.array.is, core.symbol.is

local checks = {}

--- x as an integer, which 3.0 is too, of `least` or more; nil: any.
function checks.whole(what, x, least)
  local n = type(x) == "number" and math.tointeger(x)
  if not n or least and n < least then
    fail("%s: expected an integer%s, got %s", what, least and (" of %d or more"):format(least) or "", tostring(x))
  end
  return n
end

--- x, a number from 0 to 1.
function checks.probability(what, x)
  if type(x) ~= "number" or not (x >= 0 and x <= 1) then
    fail("%s: expected a number from 0 to 1, got %s", what, tostring(x))
  end
  return x
end

--- x, true or false.
function checks.boolean(what, x)
  if type(x) ~= "boolean" then fail("%s: expected true or false, got %s", what, tostring(x)) end
  return x
end

--- x, an array or a Symbol.
function checks.array(what, x)
  if not is_array(x) and not is_symbol(x) then
    fail("%s: expected an NDArray or a Symbol, got %s", what, x == nil and "nothing" or type(x))
  end
  return x
end

--- x, a string.
function checks.string(what, x)
  if type(x) ~= "string" then fail("%s: expected a string, got %s", what, x == nil and "nothing" or type(x)) end
  return x
end

-- Is it a function, a block, a transform? (nil's metatable has a __call, which gives hints.)
local function is_callable(x)
  local meta = x ~= nil and getmetatable(x)
  return type(x) == "function" or type(meta) == "table" and meta.__call ~= nil
end

--- x, a function or what can be called like one; of: of what, for errors.
function checks.callable(what, x, of)
  if not is_callable(x) then
    fail("%s: expected a function of %s, got %s", what, of, x == nil and "nothing" or
      type(x) == "string" and ("'%s'"):format(x) or type(x))
  end
  return x
end

--- The height and width of a picture (height, width, channels).
function checks.picture(what, x)
  if not is_array(x) or x.ndim ~= 3 then
    fail("%s: expected a picture (height, width, channels), got %s", what,
      is_array(x) and ("%d dimensions"):format(x.ndim) or type(x))
  end
  return x.shape[1], x.shape[2]
end

return checks
