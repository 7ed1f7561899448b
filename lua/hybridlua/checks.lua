-- checks.lua - arguments that many functions take, looked at in one place. `what` names the function and the argument
-- in errors: "RNNCell: hidden_size".
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"

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

--- The height and width of a picture (height, width, channels).
function checks.picture(what, x)
  if not core.is_array(x) or x.ndim ~= 3 then
    fail("%s: expected a picture (height, width, channels), got %s", what,
      core.is_array(x) and ("%d dimensions"):format(x.ndim) or type(x))
  end
  return x.shape[1], x.shape[2]
end

return checks
