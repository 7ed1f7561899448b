-- arguments.lua - reads the arguments of functions, methods and constructors, by the rules of the whole library:
-- positional values first, options in a last table; a single table may hold both. Unknown options raise.
--
--   local read = arguments.new("Xavier", { "rnd_type", "factor_type", "magnitude" }, { magnitude = 3 })
--   read("gaussian", {magnitude = 2}), read{"gaussian", magnitude = 2}
--     -> { rnd_type = "gaussian", magnitude = 2 }
--
-- A function with a few positional parameters gets its values put in order instead:
--
--   utils.split_data = arguments.taking("split_data", "data num_slice batch_axis even_split", split_data)
--   arguments.methods(Trainer, "Trainer", { step = "batch_size ignore_stale_grad", ... })
--
-- Names may be one text, separated by spaces. "heads[]" is a list: the array part of a single table is all of it.
-- "args{}" is a table with the script's own keys: in its position it is not a table of options (as the only argument,
-- unless one of its keys is a parameter's name). "options{*}" is a table, too, and collects all options other than
-- parameters' names; the function passes them on.
--
-- spec/language/options_spec.lua calls everything public with unknown options. For a class with required arguments, its
-- constructor call is in spec/support/faces.lua.
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local function foreign() return require "hybridlua.language.foreign_names" end      -- loaded for the first hint
local NULL, check_contexts = core.op.NULL, core.context.check_list

local arguments = {}

local Reader = {}
Reader.__index = Reader

local is_plain = core.script.is_plain

local function has_string_key(t)
  for key in pairs(t) do if type(key) == "string" then return true end end
  return false
end

local function unknown(self, key)
  local hint = foreign().option_hint(key, self.known) or nearest.hint(tostring(key), self.known)
  if hint ~= "" then fail("%s: unknown option '%s'%s", self.what, tostring(key), hint) end
  if self.advice then fail("%s: unknown option '%s'; " .. self.advice, self.what, key, key) end
  if #self.names == 0 then fail("%s: unknown option '%s'; it takes none", self.what, tostring(key)) end
  fail("%s: unknown option '%s'; it takes %s", self.what, tostring(key), table.concat(self.names, ", "))
end

-- Sets options from positional values, the first n of a list.
local function place(self, values, n, into)
  if n > #self.names then
    fail("%s: expected at most %d argument%s, got %d", self.what, #self.names, #self.names == 1 and "" or "s", n)
  end
  for i = 1, n do
    if rawequal(values[i], NULL) then into[self.names[i]] = nil
    elseif values[i] ~= nil then into[self.names[i]] = values[i] end
  end
end

-- The argument for a key: function_ is "function", a keyword of Lua.
local function name_of(self, key)
  if self.known[key] or self.pattern and key:find(self.pattern) then return key end
  local bare = key:match "^(%a+)_$"
  return bare and self.known[bare] and bare or not self.rest and unknown(self, key) or nil
end

local function take_options(self, options, into)
  local further
  for key, value in pairs(options) do
    if type(key) == "string" then
      if rawequal(value, NULL) then value = nil end
      local name = name_of(self, key)
      if name then
        into[name] = value
      else
        further = further or {}
        further[key] = value
      end
    end
  end
  if not further then return end
  for key, value in pairs(is_plain(into[self.rest]) and into[self.rest] or {}) do
    if further[key] == nil then further[key] = value end
  end
  into[self.rest] = further
end

-- A single table: its array part is the first argument if that is a list, else the arguments in order.
local function take_sole(self, t, into)
  local options = has_string_key(t)
  if self.kind[1] == "[]" and (#t > 0 or not options) then
    place(self, { options and table.move(t, 1, #t, 1, {}) or t }, 1, into)
  elseif #t > 0 then
    place(self, t, #t, into)
  end
  if options then take_options(self, t, into) end
end

-- Whether the last of n arguments is a table of options.
local function is_options(self, last, n)
  local kind = self.kind[n]
  if kind == "{}" then
    local named = false
    for key in pairs(last) do named = named or self.known[key] or false end
    return n == 1 and named
  end
  if n == 1 then return true end
  return #last == 0 and kind ~= "[]" or has_string_key(last)
end

-- Parses "data[] batch_size" into { "data", "batch_size" }, { "[]" }.
local function names_of(text)
  local names, kind = {}, {}
  for name, mark in text:gmatch "([%w_]+)(%p*)" do
    names[#names + 1] = name
    kind[#names] = mark
  end
  return names, kind
end

--- A reader for `what` (in errors), with the parameters `names` in this order, and their defaults. list: the first
-- argument is a list. pattern: for additional keys that options may have.
function arguments.new(what, names, defaults, list, pattern)
  if getmetatable(names) == Reader then return names end
  local kind = {}
  if type(names) == "string" then names, kind = names_of(names) end
  if list then kind[1] = "[]" end
  local self = setmetatable({ what = what, names = names, defaults = defaults or {}, kind = kind, pattern = pattern,
    known = {} }, Reader)
  for i, name in ipairs(names) do
    self.known[name] = true
    if kind[i] == "{*}" then self.rest = name end
  end
  return self
end

--- The same reader by another name in errors.
function Reader:called(what)
  local other = setmetatable({}, Reader)
  for key, value in pairs(self) do other[key] = value end
  other.what = what
  return other
end

--- The same for a block, with the named options prefix and params.
function arguments.of_block(what, names, defaults)
  if type(names) == "string" then return arguments.new(what, names .. " prefix params", defaults) end
  return arguments.new(what, table.move({ "prefix", "params" }, 1, 2, #names + 1, names), defaults)
end

--- Reads a call's arguments into a new table of options. Errors: unknown options (with the most similar name), too many
-- arguments. nd.NULL counts as nil.
function Reader:__call(...)
  local n, into = select("#", ...), {}
  for key, value in pairs(self.defaults) do into[key] = value end
  local last = n > 0 and (select(n, ...)) or nil
  if not is_plain(last) or not is_options(self, last, n) then
    place(self, { ... }, n, into)
  elseif n == 1 then
    take_sole(self, last, into)
  else
    place(self, { ... }, n - 1, into)
    take_options(self, last, into)
  end
  -- random.seed accepts "all"
  if into.ctx ~= nil and self.known.ctx and not self.unchecked and into.ctx ~= "all" then
    check_contexts(self.what .. ": ctx", into.ctx)
  end
  return into
end

-- ---- Functions with their readers --------------------------------------------------------------

local readers = setmetatable({}, { __mode = "k" })       -- by function

-- Whether these n values are already the positional arguments, with nothing to read.
local function in_place(n, ...)
  if is_plain((select(n, ...))) then return false end
  for i = 1, n do if rawequal((select(i, ...)), NULL) then return false end end
  return true
end

local function in_order(read, given)
  local values = {}
  for i, name in ipairs(read.names) do values[i] = given[name] end
  return table.unpack(values, 1, #read.names)
end

--- Records the reader of fn for reader_of, which could not find it.
function arguments.reads(fn, read) readers[class.as_written(fn)] = read end

local function takes(read, fn, taken)
  read.unchecked = true                                 -- fn checks its arguments
  readers[taken], readers[class.as_written(fn)] = read, read       -- the latter for checks that wrap fn
  return class.checks(taken, fn)
end

--- Wraps fn: the arguments `names`, by position or name, are put in order. Unknown options raise.
function arguments.taking(what, names, fn)
  local read = arguments.new(what, names)
  local most = #read.names
  return takes(read, fn, function(...)
    local n = select("#", ...)
    if n == 0 then return fn() end
    if n <= most and in_place(n, ...) then return fn(...) end
    return fn(in_order(read, read(...)))
  end)
end

--- The same for a method, whose first argument is self. cls, name: the class and the method's name, if self must be
-- checked here; otherwise fn checks it.
function arguments.method(what, names, fn, cls, name)
  local read = arguments.new(what, names)
  local most = #read.names
  return takes(read, fn, function(self, ...)
    local n = select("#", ...)
    if n == 0 then return fn(self) end
    if n <= most and in_place(n, ...) then return fn(self, ...) end
    if cls then class.check_self(cls, name, self) end          -- before reading arguments
    return fn(self, in_order(read, read(...)))
  end)
end

--- Wraps functions of a module in this way: arguments.functions(utils, "utils.", { split_data = names }).
function arguments.functions(module, prefix, list)
  for name, names in pairs(list) do module[name] = arguments.taking(prefix .. name, names, module[name]) end
end

--- Wraps a class's own methods in this way: arguments.methods(Trainer, "Trainer.", {...}). cls may be a table of
-- methods, too.
function arguments.methods(cls, prefix, list)
  local is_class = class.is_class(cls)
  local members = is_class and class.members(cls) or cls
  for name, names in pairs(list) do
    rawset(members, name, arguments.method(prefix .. name, names, rawget(members, name), is_class and cls or nil, name))
  end
end

local function is_reader(x) return getmetatable(x) == Reader end

-- A function that reads its arguments itself has the reader among its upvalues.
local function reader_within(fn)
  for i = 1, math.huge do
    local name, value = debug.getupvalue(fn, i)
    if not name then return nil end
    if is_reader(value) then return value end
  end
end

-- With its own reader: another class may share the original function.
local function has_reader(fn) return readers[fn] or reader_within(class.as_written(fn)) end

-- The reader of the method in a base class.
local function reader_above(cls, name)
  local base = rawget(cls, "__base")
  while base do
    local method = rawget(class.members(base), name)
    if method then return arguments.reader_of(method) end
    base = rawget(base, "__base")
  end
end

--- Wraps overriding methods of a class with the readers of its base classes.
function arguments.as_above(cls)
  local list = {}
  for name, method in pairs(class.members(cls)) do
    local read = type(method) == "function" and name ~= "init" and not has_reader(method) and reader_above(cls, name)
    if read then list[name] = read end
  end
  for name, read in pairs(list) do
    rawset(class.members(cls), name, arguments.method(read.what, read, rawget(class.members(cls), name), cls, name))
  end
end

local function reader_of_class(cls)
  while cls do
    local members = class.members(cls)
    local read, init = rawget(members, "arguments"), rawget(members, "init")
    if is_reader(read) then return read end
    if init then return arguments.reader_of(init) end
    cls = rawget(cls, "__base")
  end
end

--- The reader of a function, method or class: { what =, names =, defaults = }. nil if there is none: without arguments,
-- or with code of its own.
function arguments.reader_of(x)
  if type(x) == "table" then return rawget(x, "__name__") and reader_of_class(x) or nil end
  if type(x) ~= "function" then return nil end
  local written = class.as_written(x)
  return readers[x] or readers[written] or reader_within(written)
end

return arguments
