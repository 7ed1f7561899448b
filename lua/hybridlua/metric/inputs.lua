-- metric/inputs.lua - the arguments of metric:update (arrays, numbers, tables of numbers, lists of these) as lists of
-- arrays.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local script = require "hybridlua.language.script_line"
local is_ndarray, is_symbol, is_plain = core.array.is, core.symbol.is, core.script.is_plain
local tracing = core.trace.active

local nd = core.op.nd
local inputs = {}

local function is_array(x) return is_ndarray(x) or is_symbol(x) and tracing() end

local function refuse(metric, what, x, why)
  local got = x == nil and "nothing" or is_symbol(x) and "a Symbol" or "a " .. type(x)
  fail("%s: update: %s: expected an NDArray, a number or a table of these, got %s%s", metric.name, what, got,
    why and " (" .. why .. ")" or "")
end

--- x as an array; Lua numbers become float64. `what`: its name in errors.
function inputs.array(metric, what, x)
  if is_array(x) then return x end
  if type(x) == "number" then return nd.array({ x }, { dtype = "float64" }) end
  if not is_plain(x) then refuse(metric, what, x) end
  for key in pairs(x) do
    if math.type(key) ~= "integer" then refuse(metric, what, x, ("with the key '%s'"):format(tostring(key))) end
  end
  local ok, made = pcall(nd.array, x, { dtype = "float64" })
  if not ok then refuse(metric, what, x, (made:gsub("^.-nd%.array: source: ", ""))) end
  return made
end

local function is_list(x)
  if not is_plain(x) then return false end
  for _, item in ipairs(x) do if is_array(item) then return true end end
  return next(x) == nil
end

-- x as a list of arrays; n: the length of the other list. A table of numbers is one array, unless it has n numbers.
local function listed(metric, what, x, n)
  if not is_list(x) and not (n and is_plain(x) and #x == n) then return { inputs.array(metric, what, x) } end
  local list = {}
  for i, item in ipairs(x) do list[i] = inputs.array(metric, ("%s[%d]"):format(what, i), item) end
  return list
end

--- Labels and predictions as lists of arrays. optional: labels may be missing.
function inputs.pairs(metric, labels, preds, optional)
  if labels == nil and preds == nil then
    fail("%s: update: expected labels and predictions, got nothing", metric.name)
  end
  local n_labels, n_preds = is_list(labels) and #labels or nil, is_list(preds) and #preds or nil
  return not (optional and labels == nil) and listed(metric, "labels", labels, n_preds) or {},
    listed(metric, "preds", preds, n_labels)
end

--- Calls fn(metric, ...); its errors name the metric.
function inputs.named(metric, fn, ...)
  local ok, message = pcall(fn, metric, ...)
  if ok then return end
  local at, own = (script.line() or "") .. ": ", metric.name .. ": "
  if type(message) ~= "string" or message:sub(1, #at) ~= at then error(message, 0) end
  message = message:sub(#at + 1)
  if message:sub(1, #own) ~= own then message = own .. "update: " .. message end
  error(at .. message, 0)
end

return inputs
