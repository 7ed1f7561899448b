-- call_cases.lua - calls of functions with their results, as recorded in spec/oracle/np_cases.txt (MXNet's np) and
-- numpy_cases.txt (NumPy 2 and SciPy), and what specs do with them.
--
-- A line is name|arguments|options|result|flags. An array is its dtype's letter, shape and elements; [..] is a list, #3
-- a number, ~ nothing, "text a text, @name a function that the spec gives.
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
local function read(text, at, functions)
  local kind = text:sub(at, at)
  if kind == "[" then
    local list = {}
    at = at + 1
    while text:sub(at, at) ~= "]" do
      list[#list + 1], at = read(text, at, functions)
      if text:sub(at, at) == " " then at = at + 1 end
    end
    return list, at + 1
  end
  local word, stop = text:match("^([^%s%]]*)()", at)
  if kind == "#" then return value(word:sub(2)), stop end
  if kind == "~" then return np.newaxis, stop end
  if kind == '"' then return word:sub(2), stop end
  if kind == "@" then return assert(functions[word:sub(2)], word), stop end
  local shape, elements = {}, {}
  local dims, list = word:match "^%a([%dx]*):(.*)$"
  for n in dims:gmatch "%d+" do shape[#shape + 1] = math.tointeger(n) end
  for each in list:gmatch "[^,]+" do elements[#elements + 1] = value(each) end
  local x = #elements == 0 and np.zeros(shape, { dtype = DTYPES[kind] }) or
    np.array(elements, { dtype = DTYPES[kind] }):reshape(shape)
  return x, stop
end

local function read_all(text, functions, named)
  local args, n, at = {}, 0, 1
  while at <= #text do
    local key
    if named then
      key, at = text:match("^([%w_]+)=()", at)
    end
    local x
    x, at = read(text, at, functions)
    n = n + 1
    args[key or n] = x
    if text:sub(at, at) == " " then at = at + 1 end
  end
  return args, n
end

local cases = {}

--- The cases of a file: names, in order, and for each name its lines.
function cases.open(file)
  local by_name, names = {}, {}
  for line in io.lines(file) do
    local name = line:match "^[^|]+"
    if not by_name[name] then
      by_name[name] = {}
      names[#names + 1] = name
    end
    table.insert(by_name[name], line)
  end
  return names, by_name
end

--- The arguments of a case as a list with n, the options its last item; its result; its flags.
function cases.read(line, functions)
  local args, options, result, flags = line:match "^[^|]*|([^|]*)|([^|]*)|([^|]*)|?([^|]*)$"
  local list, n = read_all(args, functions)
  local named = read_all(options, functions, true)
  if next(named) then
    n = n + 1
    list[n] = named
  end
  list.n = n
  return list, (read(result, 1)), flags
end

--- The function hl.a.b of a path "a.b".
function cases.find(path)
  local at = hl
  for part in path:gmatch "[^.]+" do at = at[part] end
  return at
end

function cases.is_array(x) return hl.isinstance(x, hl.nd.NDArray) end

--- Moves the arrays in a list of arguments into `arrays`; returns the list with places for them.
function cases.take_out(args, arrays)
  local places = { n = args.n }
  for key, item in pairs(args) do
    if cases.is_array(item) then
      arrays[#arrays + 1] = item
      places[key] = { place = #arrays }
    elseif type(item) == "table" then places[key] = { list = cases.take_out(item, arrays) }
    elseif key ~= "n" then places[key] = { value = item } end
  end
  return places
end

--- The list of arguments again, with these arrays.
function cases.put_in(places, arrays)
  local args = { n = places.n }
  for key, place in pairs(places) do
    if key == "n" then args.n = place
    elseif place.place then args[key] = arrays[place.place]
    elseif place.list then args[key] = cases.put_in(place.list, arrays)
    else args[key] = place.value end
  end
  return args
end

--- Appends the arrays of a result, which may be nested tables, to a list; returns it.
function cases.flat(x, into)
  if cases.is_array(x) then into[#into + 1] = x
  elseif type(x) == "table" then for _, item in ipairs(x) do cases.flat(item, into) end end
  return into
end

return cases
