-- show.lua - values as the prompt prints them: like print, but with the contents of tables.
--
-- A table is on one line if it fits, else it has one line per entry (several numbers share a line). Inside tables,
-- strings are quoted, arrays are shown by their shape, and tables deeper than DEPTH are {...}.
local WIDTH, DEPTH, ENTRIES = 80, 3, 40

local show = {}

local function is_array(value)
  return type(value) == "userdata" and (debug.getmetatable(value) or {}).__name == "nd.NDArray"
end

--- A value in a few words: "NDArray 2x3 float32", "table, 5 entries".
function show.summary(value)
  if is_array(value) then
    local ok, text = pcall(function() return ("NDArray %s %s"):format(table.concat(value.shape, "x"), value.dtype) end)
    return ok and text or "NDArray, freed"
  elseif type(value) == "string" then
    local text = ("%q"):format(value):gsub("\\\n", "\\n")
    return #text > 60 and text:sub(1, 56) .. '..."' or text
  elseif type(value) == "table" then
    local meta = debug.getmetatable(value)
    if meta and meta.__tostring then return (tostring(value):gsub("\n.*", " ...")) end
    local n = 0
    for _ in next, value do n = n + 1 end
    return ("table, %d entr%s"):format(n, n == 1 and "y" or "ies")
  elseif type(value) == "function" then
    local info = debug.getinfo(value, "S")
    return info.what == "C" and "function" or ("function <%s:%d>"):format(info.short_src, info.linedefined)
  end
  return tostring(value)
end

local function by_kind_and_name(a, b)
  if type(a) ~= type(b) then return type(a) < type(b) end
  if type(a) == "number" or type(a) == "string" then return a < b end
  return tostring(a) < tostring(b)
end

local function is_plain(value) return type(value) == "table" and not (debug.getmetatable(value) or {}).__tostring end

local render

local function key_text(key)
  if type(key) == "string" and key:match "^[%a_][%w_]*$" then return key end
  return "[" .. (is_plain(key) and "{...}" or show.summary(key)) .. "]"
end

-- The entries of a table as texts: the list first, then the other keys in order.
local function entries(t, depth, around)
  local out, keys, n = {}, {}, rawlen(t)
  for i = 1, math.min(n, ENTRIES) do out[i] = render(rawget(t, i), depth, around) end
  for key in next, t do
    if not (math.type(key) == "integer" and key >= 1 and key <= n) then keys[#keys + 1] = key end
  end
  table.sort(keys, by_kind_and_name)
  for i = 1, math.min(#keys, ENTRIES) do
    out[#out + 1] = key_text(keys[i]) .. " = " .. render(rawget(t, keys[i]), depth, around)
  end
  local more = math.max(n - ENTRIES, 0) + math.max(#keys - ENTRIES, 0)
  if more > 0 then out[#out + 1] = ("... %d more"):format(more) end
  return out
end

-- The entries as lines; numbers share them.
local function lines_of(parts, indent)
  local lines, numbers = {}, false
  for i, part in ipairs(parts) do
    local number = tonumber(part) ~= nil
    part = part .. (i < #parts and "," or "")
    if number and numbers and #lines[#lines] + #part < WIDTH then lines[#lines] = lines[#lines] .. " " .. part
    else lines[#lines + 1] = indent .. part end
    numbers = number
  end
  return table.concat(lines, "\n")
end

-- around: the tables that contain this one, and the indentation.
function render(value, depth, around)
  if not is_plain(value) then return show.summary(value) end
  if next(value) == nil then return "{}" end
  if depth == DEPTH or around[value] then return "{...}" end
  around[value] = true
  local parts = entries(value, depth + 1, around)
  around[value] = nil
  local line = "{" .. table.concat(parts, ", ") .. "}"
  if #line + 2 * depth <= WIDTH and not line:find "\n" then return line end
  return "{\n" .. lines_of(parts, ("  "):rep(depth + 1)) .. "\n" .. ("  "):rep(depth) .. "}"
end

--- The text of one value at the prompt.
function show.value(value)
  if is_plain(value) then return render(value, 0, {}) end
  return tostring(value)
end

--- The text of several values: side by side, or below each other if one has several lines.
function show.values(values)
  local texts, separator = {}, "\t"
  for i = 1, values.n do
    texts[i] = show.value(values[i])
    if texts[i]:find "\n" then separator = "\n" end
  end
  return table.concat(texts, separator)
end

return show
