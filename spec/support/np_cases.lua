-- np_cases.lua - calls of np's functions and what MXNet 1.9.1 gave: spec/oracle/np_cases.txt, written by np_cases.py.
-- A line is name|arguments|options|result. An array is its dtype's letter, shape and elements; [..] is a list, #3 a
-- number, ~ nothing.
local hl = require "hybridlua"
local np = hl.np

local DTYPES = { f = "float32", d = "float64", i = "int32", l = "int64", b = "bool", u = "uint8", c = "int8",
  h = "float16" }
local WORDS = { T = true, F = false, nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

local function value(word)
  if WORDS[word] ~= nil then return WORDS[word] end
  return math.tointeger(word) or tonumber(word)
end

-- Reads "f2x3:1,2,..", "[a b]", "#3", "~", "\"text" from position `at`; returns the value and the position after it.
local function read(text, at)
  local kind = text:sub(at, at)
  if kind == "[" then
    local list = {}
    at = at + 1
    while text:sub(at, at) ~= "]" do
      list[#list + 1], at = read(text, at)
      if text:sub(at, at) == " " then at = at + 1 end
    end
    return list, at + 1
  end
  local word, stop = text:match("^([^%s%]]*)()", at)
  if kind == "#" then return value(word:sub(2)), stop end
  if kind == "~" then return np.newaxis, stop end
  if kind == '"' then return word:sub(2), stop end
  local shape, elements = {}, {}
  local dims, list = word:match "^%a([%dx]*):(.*)$"
  for n in dims:gmatch "%d+" do shape[#shape + 1] = math.tointeger(n) end
  for each in list:gmatch "[^,]+" do elements[#elements + 1] = value(each) end
  local x = #elements == 0 and np.zeros(shape, { dtype = DTYPES[kind] }) or
    np.array(elements, { dtype = DTYPES[kind] }):reshape(shape)
  return x, stop
end

local function read_all(text, named)
  local args, n, at = {}, 0, 1
  while at <= #text do
    local key
    if named then
      key, at = text:match("^([%w_]+)=()", at)
    end
    local x
    x, at = read(text, at)
    n = n + 1
    args[key or n] = x
    if text:sub(at, at) == " " then at = at + 1 end
  end
  return args, n
end

local by_name, names = {}, {}
for line in io.lines "spec/oracle/np_cases.txt" do
  local name = line:match "^[^|]+"
  if not by_name[name] then
    by_name[name] = {}
    names[#names + 1] = name
  end
  table.insert(by_name[name], line)
end

--- The function and the arguments of a case, and its result.
local function case(line)
  local name, args, options, result = line:match "^([^|]*)|([^|]*)|([^|]*)|(.*)$"
  local fn = name:find "^npx%." and hl or np
  for part in name:gmatch "[^.]+" do fn = fn[part] end
  local list, n = read_all(args)
  local named = read_all(options, true)
  if next(named) then
    n = n + 1
    list[n] = named
  end
  list.n = n
  return fn, list, (read(result, 1))
end

--- Is there a function of this name? Those of np are named without "np.".
local function exists(name) return hl.has(name:find "^npx%." and name or "np." .. name) end

return { exists = exists, by_name = by_name, names = names, case = case }
