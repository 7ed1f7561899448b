-- arguments.lua - reads the arguments of constructors, by the rules of the whole library:
-- positional values first, options in a last table; a sole table may hold both.
--
--   local read = arguments.new("Xavier", { "rnd_type", "factor_type", "magnitude" }, { magnitude = 3 })
--   read("gaussian", {magnitude = 2}), read{"gaussian", magnitude = 2}
--     -> { rnd_type = "gaussian", magnitude = 2 }
local core = require "hybridlua.core"
local fail = require "hybridlua.fail"
local nearest = require "hybridlua.nearest"

local arguments = {}

local Reader = {}
Reader.__index = Reader

local function is_plain(x) return type(x) == "table" and getmetatable(x) == nil end

local function has_string_key(t)
  for key in pairs(t) do if type(key) == "string" then return true end end
  return false
end

local function unknown(self, key)
  local hint = nearest.hint(tostring(key), self.known)
  if hint ~= "" then fail("%s: unknown option '%s'%s", self.what, tostring(key), hint) end
  if #self.names == 0 then fail("%s: unknown option '%s'; it takes none", self.what, tostring(key)) end
  fail("%s: unknown option '%s'; it takes %s", self.what, tostring(key), table.concat(self.names, ", "))
end

-- Puts values by position, the first n of a list.
local function place(self, values, n, into)
  if n > #self.names then fail("%s: expected at most %d arguments, got %d", self.what, #self.names, n) end
  for i = 1, n do
    if values[i] == core.NULL then into[self.names[i]] = nil
    elseif values[i] ~= nil then into[self.names[i]] = values[i] end
  end
end

local function take_options(self, options, into)
  for key, value in pairs(options) do
    if type(key) == "string" then
      if not self.known[key] then unknown(self, key) end
      if value == core.NULL then value = nil end
      into[key] = value
    end
  end
end

-- A sole table: its array part is the first argument where that is a list, else the arguments in order.
local function take_sole(self, t, into)
  if #t > 0 then
    local list = self.list and table.move(t, 1, #t, 1, {})
    place(self, list and { list } or t, list and 1 or #t, into)
  end
  take_options(self, t, into)
end

--- A reader for `what` (in errors), which takes `names` in this order. What is not given
-- has its default. list: the first argument is a list.
function arguments.new(what, names, defaults, list)
  local self = setmetatable({ what = what, names = names, defaults = defaults or {}, list = list, known = {} }, Reader)
  for _, name in ipairs(names) do self.known[name] = true end
  return self
end

--- The same for a block, which takes prefix and params too, by name.
function arguments.of_block(what, names, defaults)
  return arguments.new(what, table.move({ "prefix", "params" }, 1, 2, #names + 1, names), defaults)
end

--- Reads a call's arguments into a new table of options. Errors: unknown options (naming
-- the nearest), too many arguments. nd.NULL stands for nil.
function Reader:__call(...)
  local n, into = select("#", ...), {}
  for key, value in pairs(self.defaults) do into[key] = value end
  local last = n > 0 and (select(n, ...)) or nil
  if n == 1 and is_plain(last) then
    take_sole(self, last, into)
  elseif is_plain(last) and (#last == 0 or has_string_key(last)) then
    place(self, { ... }, n - 1, into)
    take_options(self, last, into)
  else
    place(self, { ... }, n, into)
  end
  if into.ctx ~= nil and self.known.ctx and into.ctx ~= "all" then          -- "all" is for random.seed
    core.check_ctx_list(self.what .. ": ctx", into.ctx)
  end
  return into
end

return arguments
