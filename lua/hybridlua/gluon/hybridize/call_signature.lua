-- call_signature.lua - the signature of a call's arguments: their key (src/bind/call/call_key.c), which is equal for
-- calls that one trace serves, the arrays among them, their structure, and a readable text.
--
-- The key contains nesting, nils, the values of numbers, strings and booleans, the dtype and number of dimensions of
-- arrays, and which arguments are the same array. Shapes are separate, for traces that hold for one shape only.
--
-- flat_args, the flattened arguments, are the distinct arrays among the arguments, in order.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local missing_f = require "hybridlua.language.missing_f"
local is_ndarray, is_sym, is_plain = core.array.is, core.symbol.is, core.script.is_plain
local new_shape, call_key, is_stand_in = core.array.new_shape, core.call.bound_key, core.follow.is_stand_in

local is_np = core.np.is

local signature = {}

local function is_array(x) return type(x) == "userdata" and is_ndarray(x) end
local function is_symbol(x) return type(x) == "userdata" and is_sym(x) end

signature.is_array, signature.is_symbol = is_array, is_symbol

local MOST_DEEP = 100
local KEYS = { boolean = 1, number = 2, string = 3 }

local function is_item(key, n) return math.type(key) == "integer" and key >= 1 and key <= n end

local function key_before(a, b)
  local rank, other = KEYS[type(a)], KEYS[type(b)]
  if rank ~= other then return rank < other end
  return tostring(a) < tostring(b)
end

-- The keys outside the table's list, in an order that does not depend on how the table was filled.
local function other_keys(t)
  local keys = {}
  for key in next, t do
    if not KEYS[type(key)] then
      fail("a hybridized block accepts tables whose keys are numbers, strings and booleans, got the key %s",
        tostring(key))
    end
    if not is_item(key, #t) then keys[#keys + 1] = key end
  end
  table.sort(keys, key_before)
  return keys
end

local function key_text(key)
  if type(key) == "string" and key:find "^[%a_][%w_]*$" then return key end
  return ("[%s]"):format(type(key) == "string" and ("%q"):format(key) or tostring(key))
end

-- A number in Lua's notation: 1.0 differs from 1.
local function number_text(x)
  local text = (math.type(x) == "integer" and "%d" or "%.17g"):format(x)
  return math.type(x) == "float" and text:find "^-?%d+$" and text .. ".0" or text
end

-- Reads one value: appends its text to `parts`; returns its structure. index: the arrays' numbers.
local read

local function read_array(x, parts, index, seen)
  parts[#parts + 1] = seen[x] and "=" .. index[x] or (is_np(x) and "np %s %d-d" or "%s %d-d"):format(x.dtype, x.ndim)
  seen[x] = true
  return { kind = "argument", index = index[x] }
end

local function read_table(x, parts, index, seen, depth)
  if depth > MOST_DEEP then
    fail("a hybridized block accepts tables at most %d levels deep; a table that contains itself has no end", MOST_DEEP)
  end
  local items, shape = {}, getmetatable(x) ~= nil
  parts[#parts + 1] = shape and "shape{" or "{"
  for i = 1, #x do items[i] = read(x[i], parts, index, seen, depth + 1) end
  for _, key in ipairs(other_keys(x)) do
    parts[#parts + 1] = key_text(key) .. "="
    items[key] = read(x[key], parts, index, seen, depth + 1)
  end
  parts[#parts + 1] = "}"
  return { kind = "table", items = items, shape = shape }
end

function read(x, parts, index, seen, depth)
  local t = type(x)
  if is_array(x) then return read_array(x, parts, index, seen) end
  if t == "table" and is_plain(x) then return read_table(x, parts, index, seen, depth) end
  if t == "nil" then parts[#parts + 1] = "nil"
  elseif t == "number" then parts[#parts + 1] = number_text(x)
  elseif t == "string" then parts[#parts + 1] = ("%q"):format(x)
  elseif t == "boolean" then parts[#parts + 1] = tostring(x)
  elseif missing_f.is(x) then fail("a block expects arrays, got F, the table of operators; %s", missing_f.advice)
  else fail("a hybridized block accepts arrays, numbers, strings, booleans and tables of these, got a %s", t) end
  return { kind = "value", value = x }
end

-- Array numbers for arguments without a key, which read rejects.
local no_order = setmetatable({}, { __index = function() return 0 end })

--- Reads the arguments of a call; returns the structure of each (n of them), the arrays, the text's parts and the key.
-- bound: bit i is set if argument i + 1 is a number bound at run time (scalars.lua).
function signature.read_bound(bound, ...)
  local key, flat_args = call_key(bound, ...)
  local index = key and {} or no_order
  for i, x in ipairs(flat_args or {}) do index[x] = i end
  local n = select("#", ...)
  local parts, seen, structure = {}, {}, { n = n }
  for i = 1, n do
    if i > 1 then parts[#parts] = parts[#parts] .. "," end
    local x = (select(i, ...))
    if bound >> i - 1 & 1 == 1 and type(x) == "number" then
      parts[#parts + 1] = "a number"
      structure[i] = { kind = "bound" }
    else
      structure[i] = read(x, parts, index, seen, 1)
    end
  end
  return structure, flat_args, parts, key
end

--- The same without bound numbers.
function signature.read(...) return signature.read_bound(0, ...) end

--- The shapes of the arrays as a text, for traces that hold for one shape only.
function signature.shapes(flat_args)
  local parts = {}
  for i, x in ipairs(flat_args) do parts[i] = "(" .. table.concat(x.shape, ",") .. ")" end
  return table.concat(parts, " ")
end

local function rebuild(node, flat_args)
  if node.kind == "argument" then return flat_args[node.index] end
  if node.kind == "value" or node.kind == "bound" then return node.value end
  local t = {}
  for key, item in pairs(node.items) do t[key] = rebuild(item, flat_args) end
  return node.shape and new_shape(t) or t
end

--- Rebuilds the arguments with other arrays.
function signature.rebuild(structure, flat_args)
  local args = {}
  for i = 1, structure.n do args[i] = rebuild(structure[i], flat_args) end
  return args, structure.n
end

-- ---- Results ------------------------------------------------------------------------------

-- A table that is returned in two places is one node, and the structure is `shared`.
local function result_table(x, structure, met, visit)
  if met[x] then
    if met[x].open then fail "a hybridized block returned a table that contains itself" end
    structure.shared = true
    return met[x]
  end
  local node = { kind = "table", items = {}, open = true }
  met[x] = node
  for key, value in pairs(x) do node.items[key] = visit(value) end
  node.open = nil
  return node
end

--- The structure of a traced function's results; visit_array(symbol or array) describes the source of a value. Raises
-- for anything but Symbols, arrays, nils and tables of these.
function signature.results(results, n, visit_array)
  local structure, met = { n = n }, {}
  local function visit(x)
    if is_symbol(x) or is_array(x) then return visit_array(x) end
    if x == nil then return { kind = "value" } end
    if is_stand_in(x) then
      fail("a hybridized block returns arrays and tables of arrays, got a number that is bound at run time " ..
        "(scalars): compute it outside, or return an array computed from it")
    end
    if is_plain(x) then return result_table(x, structure, met, visit) end
    fail("a hybridized block returns arrays and tables of arrays, got a %s (%s): a value computed while tracing " ..
      "would be frozen", type(x), tostring(x))
  end
  for i = 1, n do structure[i] = visit(results[i]) end
  return structure
end

return signature
