-- argument_checks.lua - checks of arguments that many functions share. `what` names the function and the argument in
-- errors: "RNNCell: hidden_size". A check returns the argument.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain

local checks = {}

--- An integer of `least` or more (nil: any); 3.0 becomes 3.
function checks.whole(what, x, least)
  local n = type(x) == "number" and math.tointeger(x)
  if not n or least and n < least then
    fail("%s: expected an integer%s, got %s", what, least and (" of %d or more"):format(least) or "",
      type(x) == "string" and ("the string '%s'"):format(x) or tostring(x))
  end
  return n
end

--- One integer for each of n axes, as a new list, from one integer for all or from a list of n.
function checks.whole_list(what, x, n, least)
  local list = {}
  if is_plain(x) and #x ~= n then fail("%s: expected an integer or a table of %d, got %d values", what, n, #x) end
  for i = 1, n do list[i] = checks.whole(what, is_plain(x) and x[i] or x, least) end
  return list
end

--- A number of `least` or more (nil: any).
function checks.number(what, x, least)
  if type(x) ~= "number" or least and (x ~= x or x < least) then
    fail("%s: expected a number%s, got %s", what, least and (" of %s or more"):format(least) or "", tostring(x))
  end
  return x
end

--- A number from 0 to 1.
function checks.probability(what, x)
  if type(x) ~= "number" or not (x >= 0 and x <= 1) then
    fail("%s: expected a number from 0 to 1, got %s", what, tostring(x))
  end
  return x
end

--- One of the strings that follow.
function checks.choice(what, x, ...)
  local choices = { ... }
  for i, choice in ipairs(choices) do
    if x == choice then return x end
    choices[i] = ("'%s'"):format(choice)
  end
  local last = table.remove(choices)
  fail("%s: expected %s or %s, got '%s'", what, table.concat(choices, ", "), last, tostring(x))
end

--- An instance of a class; `named` is the class in errors: "a Dataset".
function checks.instance(what, x, cls, named)
  if not class.is_a(x, cls) then fail("%s: expected %s, got %s", what, named, type(x)) end
  return x
end

--- true or false.
function checks.boolean(what, x)
  if type(x) ~= "boolean" then fail("%s: expected true or false, got %s", what, tostring(x)) end
  return x
end

--- An array or a Symbol.
function checks.array(what, x)
  if not is_array(x) and not is_symbol(x) then
    fail("%s: expected an NDArray or a Symbol, got %s", what, x == nil and "nothing" or type(x))
  end
  return x
end

--- A string.
function checks.string(what, x)
  if type(x) ~= "string" then fail("%s: expected a string, got %s", what, x == nil and "nothing" or type(x)) end
  return x
end

--- The options part_index and num_parts of an iterator, which reads that part of its samples. Returns both.
function checks.part(what, options)
  local n = checks.whole(what .. ": num_parts", options.num_parts, 1)
  local i = checks.whole(what .. ": part_index", options.part_index, 0)
  if i >= n then fail("%s: part_index: expected less than num_parts = %d, got %d", what, n, i) end
  return i, n
end

--- Whether x is a function or another callable.
function checks.is_callable(x)
  local meta = x ~= nil and getmetatable(x)
  return type(x) == "function" or type(meta) == "table" and meta.__call ~= nil
end

--- A function or another callable; of: its argument, for errors.
function checks.callable(what, x, of)
  if not checks.is_callable(x) then
    fail("%s: expected a function of %s, got %s", what, of, x == nil and "nothing" or
      type(x) == "string" and ("'%s'"):format(x) or type(x))
  end
  return x
end

--- A flag for reading images: 0 for gray, 1 for colours.
function checks.colour_flag(what, x)
  if x ~= 0 and x ~= 1 then fail("%s: expected 0 (gray) or 1 (colours), got %s", what, tostring(x)) end
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
