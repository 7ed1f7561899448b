-- python_text.lua - values as text in Python's notation, for printouts and files identical to MXNet's.
local python = {}

-- Digits and exponent of the shortest decimal that reads back as x: "125", 1 for 12.5. A normal double keeps a decimal
-- of up to 15 digits (DBL_DIG), so the first try finds all of these; its zeros are dropped.
local NORMAL = 2.0 ^ -1022

local function shortest(x)
  for precision = x < NORMAL and 0 or 14, 16 do
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

--- A number in the form of Python's repr: 1, 1.0, 1e-05, nan.
function python.number(x) return math.type(x) == "integer" and ("%d"):format(x) or float(x) end

local NAMES = { [true] = "True", [false] = "False" }

--- nil, booleans, numbers, strings and lists in the form of Python's repr: None, True, 'a', [1, 2].
function python.repr(x)
  if x == nil then return "None" end
  if type(x) == "number" then return python.number(x) end
  if type(x) == "string" then return "'" .. x .. "'" end
  if type(x) ~= "table" or getmetatable(x) then return NAMES[x] or tostring(x) end
  local parts = {}
  for i = 1, #x do parts[i] = python.repr(x[i]) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

--- A list of integers, such as a shape, as a Python tuple: (2, 3), (2,), ().
function python.tuple(list)
  return "(" .. table.concat(list, ", ") .. (#list == 1 and ",)" or ")")
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

--- The same in the form of json.dumps: null, true, "a", [1, 2].
function python.json(x)
  if x == nil then return "null" end
  if type(x) == "number" then return (python.number(x):gsub("inf", "Infinity"):gsub("nan", "NaN")) end
  if type(x) == "string" then return '"' .. x:gsub('["\\\n\r\t]', ESCAPES) .. '"' end
  if type(x) ~= "table" then return tostring(x) end
  local parts = {}
  for i = 1, #x do parts[i] = python.json(x[i]) end
  return "[" .. table.concat(parts, ", ") .. "]"
end

-- ---- Reading JSON ---------------------------------------------------------------------------------------------

local MEANT = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local WORDS = { ["true"] = true, ["false"] = false, NaN = 0 / 0, Infinity = math.huge, ["-Infinity"] = -math.huge }
local DEPTH = 100

local function wrong(at, what) error({ json = ("expected %s at byte %d"):format(what, at) }) end

-- The string that begins at `at`, after the quote; and the position after the closing quote.
local function read_string(text, at)
  local parts = {}
  while true do
    local plain, mark, behind = text:match('^([^"\\]*)(["\\])()', at)
    if not plain then wrong(at, "a closing quote") end
    parts[#parts + 1] = plain
    if mark == '"' then return table.concat(parts), behind end
    local letter, hex = text:sub(behind, behind), text:match("^u(%x%x%x%x)", behind)
    parts[#parts + 1] = hex and utf8.char(tonumber(hex, 16)) or MEANT[letter] or letter
    at = behind + (hex and 5 or 1)
  end
end

local read_value

-- Parses the members of an object or array after its bracket; visit(at) reads one and returns its end.
local function read_members(text, at, close, visit)
  at = text:match("^%s*()", at)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = text:match("^%s*()", visit(text:match("^%s*()", at)))
    local mark = text:sub(at, at)
    if mark == close then return at + 1 end
    if mark ~= "," then wrong(at, ("',' or '%s'"):format(close)) end
    at = at + 1
  end
end

local function read_object(text, at, depth)
  local object = {}
  return object, read_members(text, at, "}", function(start)
    if text:sub(start, start) ~= '"' then wrong(start, "a name in quotes") end
    local key, behind = read_string(text, start + 1)
    local value_at = text:match("^%s*:%s*()", behind) or wrong(behind, "':'")
    object[key], behind = read_value(text, value_at, depth)
    return behind
  end)
end

local function read_array(text, at, depth)
  local list, n = {}, 0
  return list, read_members(text, at, "]", function(start)
    local behind
    n = n + 1
    list[n], behind = read_value(text, start, depth)
    return behind
  end)
end

function read_value(text, at, depth)
  local first = text:sub(at, at)
  if depth == 0 then wrong(at, ("at most %d levels"):format(DEPTH)) end
  if first == "{" then return read_object(text, at + 1, depth - 1) end
  if first == "[" then return read_array(text, at + 1, depth - 1) end
  if first == '"' then return read_string(text, at + 1) end
  local word, behind = text:match("^([%w+.-]+)()", at)
  local value = word and (WORDS[word] == nil and tonumber(word) or WORDS[word])
  if value == nil and word ~= "null" then wrong(at, "a value") end
  return value, behind
end

--- The value of a JSON text, nil for null; nil and the reason if it is not JSON.
function python.from_json(text)
  local ok, value, behind = pcall(read_value, text, text:match "^%s*()", DEPTH)
  if not ok then
    if type(value) ~= "table" then error(value, 0) end
    return nil, value.json
  end
  if text:find("%S", behind) then return nil, ("expected the end at byte %d"):format(behind) end
  return value
end

return python
