-- helper.lua - setup of all specs: checks the Lua version, forbids os.exit, and adds assertions about arrays.
assert(_VERSION == "Lua 5.4", "the specs need Lua 5.4: run them with `make test`")

-- os.exit in a spec would end the run as a success.
local exit = os.exit
os.exit = function(code, close)       -- luacheck: ignore 122
  if debug.traceback():find "busted" and not debug.traceback():find "busted/runner" then
    error("os.exit was called inside a spec", 2)
  end
  exit(code, close)
end

local assert = require "luassert"
local say = require "say"
local hl = require "hybridlua"
local core = require "hybridlua.core"
core.host.debug { strict = true }

local function is_array(x)
  return type(x) == "userdata" and getmetatable(x) and getmetatable(x).__name == "nd.NDArray"
end

local function shape_text(x) return "(" .. table.concat(x.shape, ", ") .. ")" end

local function flat(x)
  local out = {}
  local function walk(t) if type(t) == "table" then for i = 1, #t do walk(t[i]) end else out[#out + 1] = t end end
  walk(is_array(x) and x:totable() or x)
  return out
end

local function close(a, b, rtol, atol)
  if a ~= a or b ~= b then return a ~= a and b ~= b end
  return a == b or math.abs(a - b) <= atol + rtol * math.abs(b)
end

-- The first differences between two arrays as text, or nil.
local function difference(actual, expected, rtol, atol)
  if is_array(expected) and shape_text(actual) ~= shape_text(expected) then
    return ("shape %s, expected %s"):format(shape_text(actual), shape_text(expected))
  end
  local a, e, lines = flat(actual), flat(expected), {}
  if #a ~= #e then return ("%d elements, expected %d"):format(#a, #e) end
  for i = 1, #a do
    local x, y = a[i], e[i]
    if type(x) == "boolean" then x = x and 1 or 0 end
    if type(y) == "boolean" then y = y and 1 or 0 end
    if not close(x, y, rtol, atol) then lines[#lines + 1] = ("[%d] %.9g, expected %.9g"):format(i - 1, x, y) end
    if #lines == 5 then lines[6] = "..." break end
  end
  return #lines > 0 and table.concat(lines, "\n") or nil
end

-- assert.allclose(actual, expected, rtol, atol), for arrays or nested tables of numbers.
local function allclose(state, args)
  local text = difference(args[1], args[2], args[3] or 1e-5, args[4] or 1e-6)
  state.failure_message = text and ("arrays differ: " .. text)
  return text == nil
end

-- The first elements whose bits differ, as text, or nil. All NaNs are equal.
local function bit_difference(a, e)
  if a.dtype ~= e.dtype then return ("dtype %s, expected %s"):format(a.dtype, e.dtype) end
  if shape_text(a) ~= shape_text(e) then return ("shape %s, expected %s"):format(shape_text(a), shape_text(e)) end
  if core.array.same(a, e) then return nil end
  local count, first = core.array.differences(a, e, 5)
  local lines = { ("bits differ in %d of %d elements:"):format(count, a.size) }
  for i, d in ipairs(first) do
    local form = math.type(d[2]) == "float" and "[%d] %.17g, expected %.17g" or "[%d] %s, expected %s"
    lines[i + 1] = form:format(d[1], d[2], d[3])
  end
  if count > #first then lines[#lines + 1] = "..." end
  return table.concat(lines, "\n")
end

-- assert.bits(actual, expected): equal shapes, dtypes and bits. All NaNs are equal; 0 and -0 are not.
local function bits(state, args)
  local text = bit_difference(args[1], args[2])
  state.failure_message = text
  return text == nil
end

-- assert.raises(fn, pattern...): fn raises an error whose text has every pattern.
local function raises(state, args)
  local ok, message = pcall(args[1])
  if ok then state.failure_message = "expected an error, got none" return false end
  for i = 2, args.n do
    if not tostring(message):find(args[i]) then
      state.failure_message = ("expected an error with '%s', got: %s"):format(args[i], tostring(message))
      return false
    end
  end
  return true
end

say:set("assertion.allclose.positive", "arrays differ")
say:set("assertion.bits.positive", "bits differ")
say:set("assertion.raises.positive", "no such error")
assert:register("assertion", "allclose", allclose, "assertion.allclose.positive")
assert:register("assertion", "bits", bits, "assertion.bits.positive")
assert:register("assertion", "raises", raises, "assertion.raises.positive")

-- Every spec starts with the same random state and in the default modes.
local busted = require "busted"
busted.subscribe({ "test", "start" }, function()
  core.random.seed(0)
  core.host.take_printed(true)                   -- collects the output of F.print for specs instead of printing it
  hl.autograd.set_recording(false)
  hl.autograd.set_training(false)
  return nil, true
end)
