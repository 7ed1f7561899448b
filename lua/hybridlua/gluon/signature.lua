-- signature.lua - what the arguments of a call look like: their structure, the arrays in
-- it, and a text that is equal for calls that one trace serves.
--
-- The text says: nesting, nils, numbers, strings and booleans with their values, of arrays
-- dtype and number of dimensions (and their shapes, where a trace is for one shape only),
-- and which arguments are the same array.
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local missing_f = require "hybridlua.missing_f"

local signature = {}

local function is_array(x) return type(x) == "userdata" and core.is_array(x) end
local function is_symbol(x) return type(x) == "userdata" and core.is_symbol(x) end

signature.is_array, signature.is_symbol = is_array, is_symbol

local function sorted_keys(t)
  local keys = {}
  for key in pairs(t) do
    if type(key) ~= "number" or key < 1 or key > #t or math.type(key) ~= "integer" then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

-- One value: appends its text to `parts`, its arrays to `leaves`; returns its structure.
local read

local function read_array(x, parts, leaves, seen)
  local index = seen[x]
  if index then
    parts[#parts + 1] = "=" .. index
  else
    index = #leaves + 1
    leaves[index], seen[x] = x, index
    parts[#parts + 1] = ("%s %d-d"):format(x.dtype, x.ndim)
  end
  return { kind = "leaf", index = index }
end

local function read_table(x, parts, leaves, seen)
  local items, keys, shape = {}, sorted_keys(x), getmetatable(x) ~= nil
  parts[#parts + 1] = shape and "shape{" or "{"
  for i = 1, #x do items[i] = read(x[i], parts, leaves, seen) end
  for _, key in ipairs(keys) do
    parts[#parts + 1] = tostring(key) .. "="
    items[key] = read(x[key], parts, leaves, seen)
  end
  parts[#parts + 1] = "}"
  return { kind = "table", items = items, shape = shape }
end

function read(x, parts, leaves, seen)
  local t = type(x)
  if t == "userdata" and core.is_array(x) then return read_array(x, parts, leaves, seen) end
  if t == "table" and core.is_plain(x) then return read_table(x, parts, leaves, seen) end
  if t == "nil" then parts[#parts + 1] = "nil"
  elseif t == "number" then parts[#parts + 1] = (math.type(x) == "integer" and "%d" or "%.17g"):format(x)
  elseif t == "string" then parts[#parts + 1] = ("%q"):format(x)
  elseif t == "boolean" then parts[#parts + 1] = tostring(x)
  elseif missing_f.is(x) then fail("a block takes arrays, got F, the table of operators; %s", missing_f.advice)
  else fail("a hybridized block takes arrays, numbers, strings, booleans and tables of these, got a %s", t) end
  return { kind = "value", value = x }
end

--- Reads the arguments of a call: structure of each (n of them), the arrays, the text's parts.
function signature.read(...)
  local n = select("#", ...)
  local parts, leaves, seen, structure = {}, {}, {}, { n = n }
  for i = 1, n do
    if i > 1 then parts[#parts] = parts[#parts] .. "," end
    structure[i] = read((select(i, ...)), parts, leaves, seen)
  end
  return structure, leaves, parts
end

--- The shapes of the arrays, for traces that hold for one shape only.
function signature.shapes(leaves)
  local parts = {}
  for i, x in ipairs(leaves) do parts[i] = "(" .. table.concat(x.shape, ",") .. ")" end
  return table.concat(parts, " ")
end

local function rebuild(node, leaves)
  if node.kind == "leaf" then return leaves[node.index] end
  if node.kind == "value" then return node.value end
  local t = {}
  for key, item in pairs(node.items) do t[key] = rebuild(item, leaves) end
  return node.shape and core.shape(t) or t
end

--- The arguments again, with other leaves.
function signature.rebuild(structure, leaves)
  local args = {}
  for i = 1, structure.n do args[i] = rebuild(structure[i], leaves) end
  return args, structure.n
end

-- ---- Results ------------------------------------------------------------------------------

local function result_table(x, visit)
  local items = {}
  for key, value in pairs(x) do items[key] = visit(value) end
  return { kind = "table", items = items }
end

--- The structure of what a traced function returned; leaf(symbol or array) says where a
-- value comes from. Anything but Symbols, arrays, nils and tables of these is an error.
function signature.results(results, n, leaf)
  local function visit(x)
    if is_symbol(x) or is_array(x) then return leaf(x) end
    if x == nil then return { kind = "value" } end
    if core.is_plain(x) then return result_table(x, visit) end
    fail("a hybridized block returns arrays and tables of arrays, got a %s (%s): a value computed while tracing " ..
      "would be frozen",
         type(x), tostring(x))
  end
  local structure = { n = n }
  for i = 1, n do structure[i] = visit(results[i]) end
  return structure
end

return signature
