-- python.lua - values as Python writes them: MXNet's printouts and the texts in its files
-- are Python's, and ours are the same.
local python = {}

-- Digits and exponent of the shortest decimal that reads back as x: "125", 1 for 12.5.
local function shortest(x)
  for precision = 0, 16 do
    local text = ("%." .. precision .. "e"):format(x)
    if tonumber(text) == x then
      local first, rest, exponent = text:match "^(%d)%.?(%d*)e([+-]%d+)$"
      return (first .. rest):gsub("0+$", ""), math.tointeger(tonumber(exponent))
    end
  end
end

local function float(x)
  if x ~= x then return "nan" end
  if x < 0 or 1 / x < 0 then return "-" .. float(-x) end
  if x == math.huge then return "inf" end
  if x == 0 then return "0.0" end
  local digits, exponent = shortest(x)
  if exponent < -4 or exponent >= 16 then
    local rest = digits:sub(2)
    return ("%s%se%s%02d"):format(digits:sub(1, 1), rest ~= "" and "." .. rest or "", exponent < 0 and "-" or "+",
      math.abs(exponent))
  end
  if exponent < 0 then return "0." .. ("0"):rep(-exponent - 1) .. digits end
  digits = digits .. ("0"):rep(exponent + 1 - #digits)
  local fraction = digits:sub(exponent + 2)
  return digits:sub(1, exponent + 1) .. "." .. (fraction ~= "" and fraction or "0")
end

--- A number as Python's repr: 1, 1.0, 1e-05, nan.
function python.number(x)
  return math.type(x) == "integer" and ("%d"):format(x) or float(x)
end

local NAMES = { [true] = "True", [false] = "False" }

--- nil, booleans, numbers, strings and lists of them as Python's repr: None, True, 'a', [1, 2].
function python.repr(x)
  if x == nil then return "None" end
  if type(x) == "number" then return python.number(x) end
  if type(x) == "string" then return "'" .. x .. "'" end
  if type(x) ~= "table" or getmetatable(x) then return NAMES[x] or tostring(x) end
  local parts = {}
  for i = 1, #x do parts[i] = python.repr(x[i]) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

--- A list of integers as Python writes a tuple, which shapes are: (2, 3), (2,), ().
function python.tuple(list)
  return "(" .. table.concat(list, ", ") .. (#list == 1 and ",)" or ")")
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

--- The same as json.dumps writes them: null, true, "a", [1, 2].
function python.json(x)
  if x == nil then return "null" end
  if type(x) == "number" then return (python.number(x):gsub("inf", "Infinity"):gsub("nan", "NaN")) end
  if type(x) == "string" then return '"' .. x:gsub('["\\\n\r\t]', ESCAPES) .. '"' end
  if type(x) ~= "table" then return tostring(x) end
  local parts = {}
  for i = 1, #x do parts[i] = python.json(x[i]) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

return python
