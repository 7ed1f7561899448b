-- np/init.lua - hl.np, hl.npx and their forms for Symbols, sym.np and sym.npx: NumPy's functions, as MXNet has them.
--
-- np is a kind of object, not a mode: np.array makes an array of np's kind, and what operators make of it is of its
-- kind, in graphs too. The kind decides how numbers are shaped (a sum has shape ()), which dtypes results have, and
-- which
-- methods there are. There is one registry of operators: np's functions are nd's rows and functions by NumPy's names
-- and
-- with NumPy's arguments, or short compositions of them. npx.set_np() decides only what Gluon makes from nothing.
--
-- Loaded on first use of hl.np, hl.npx, F.np or F.npx; until then there is no array of the kind.
--
--   definitions  how functions are written          ufuncs, making, shapes, reductions, products, sets, maths, numbers,
--   methods      those of np's arrays                np_polynomials, draws, variadic, dtypes   the functions, by group
--   later        names that appear with nd's         npx                        MXNet's operators, and the mode
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local has = require "hybridlua.language.has_name"
local module = require "hybridlua.language.module"
local d = require "hybridlua.np.definitions"
local dtypes = require "hybridlua.np.dtypes"
local elementwise = require "hybridlua.np.ufuncs"
local later = require "hybridlua.np.later"
local nd, sym = core.op.nd, core.op.sym

for _, group in ipairs { "making", "shapes", "reductions", "products", "sets", "maths", "numbers", "np_polynomials",
  "draws" } do
  require("hybridlua.np." .. group)
end
local variadic = require "hybridlua.np.variadic"

-- ---- Functions that are nd's ------------------------------------------------------------------------------------

-- nd's function "linalg.eig", or nil.
local function of_nd(name)
  if not has("nd." .. name) then return nil end
  local t = nd
  for part in name:gmatch "[^.]+" do t = t[part] end
  return t
end

local function is_operand_list(names)
  local list = {}
  for word in names:gmatch "%S+" do list[#list + 1] = word:gsub("%W", "") end
  return list
end

-- A distribution of nd's: a number without size has shape ().
local function drawn(F, name, o)
  local call = {}
  for key, value in pairs(o) do
    if key ~= "out" then call[key] = d.is(value) and d.operand("random." .. name, key, value) or value end
  end
  if core.op.row("random_" .. name) then             -- an operator
    call.shape, call.size = call.size or {}, nil
    return d.mark(F.random[name](call))
  end
  if call.size == nil and not (d.is(o.mean) or d.is(o.alpha)) then
    for _, value in pairs(call) do if d.is(value) then return d.mark(F.random[name](call)) end end
    call.size = {}
  end
  return d.mark(F.random[name](call))
end

for _, line in ipairs(later) do
  local space, name = line.name:match "^(%w+)%.(.*)$"
  local row = space == "npx" and "random." .. name or line.name
  local fn = of_nd(row)
  if fn and row:find "^random" then
    d.define(name, line.names, {}, function(o, F) return drawn(F, name, o) end, { namespace = space })
  elseif fn then
    local order = is_operand_list(line.names)
    d.define(name or line.name, line.names, {}, function(o)
      local args, n = {}, 0
      for i, key in ipairs(order) do
        if o[key] ~= nil and key ~= "out" then args[i], n = o[key], i end
      end
      return d.mark(fn(table.unpack(args, 1, n)))
    end, { namespace = space })
  end
end

-- ---- The tables -----------------------------------------------------------------------------------------------------

-- A call whose operands are given by NumPy's names of them: add{x1 = a, x2 = b, out = c}.
local function by_name(fn, options)
  local rest = {}
  for key, value in pairs(options) do
    if key ~= "x" and key ~= "x1" and key ~= "x2" then rest[key] = value end
  end
  if options.x ~= nil then return fn(options.x, rest) end
  return fn(options.x1, options.x2, rest)
end

-- Numbers and tables of numbers among the first two arguments of an elementwise function become arrays, except a number
-- beside an array.
local function with_numbers(fn)
  local is, plain = d.is, core.script.is_plain
  local function data(x) return type(x) == "number" or type(x) == "boolean" or plain(x) and x[1] ~= nil and
    not is(x[1]) end
  local function call(...)
    local n = select("#", ...)
    local x, y = ...
    if is(x) and (n == 1 or is(y)) then return fn(...) end
    if n == 1 and plain(x) and (x.x ~= nil or x.x1 ~= nil or x.x2 ~= nil) then return by_name(call, x) end
    if is(x) and (n == 1 or is(y) or not plain(y) or y[1] == nil) then return fn(...) end
    if data(x) and not (type(x) == "number" and is(y)) then x = d.operand("elementwise", "x", x) end
    if plain(y) and data(y) then y = d.operand("elementwise", "y", y) end
    if n == 1 then return fn(x) end
    return fn(x, y, select(3, ...))
  end
  return call
end

local function build(F)
  local np = { linalg = {}, random = {}, npx = {} }
  for _, row in ipairs(elementwise) do
    local fn = core.np.np_function(row.row, F == sym)
    np[row.name] = class.checks(with_numbers(fn), fn)
  end
  for _, item in ipairs(d.list) do
    if not item.method_only then
      local into = item.namespace and np[item.namespace] or np
      local run = item.run
      into[item.name] = class.checks(function(...) return run(F, ...) end, item.fn)
    end
  end
  for name, fn in pairs(variadic) do if type(fn) == "function" then np[name] = fn end end
  for name, fn in pairs(variadic.random) do
    np.random[name] = class.checks(function(...) return fn(F, ...) end, fn)
  end
  for name, value in pairs(dtypes) do np[name] = value end
  np.random.seed = arguments.taking("np.random.seed", "seed ctx", require("hybridlua.random").seed)
  np.set_printoptions = nd.set_printoptions
  np.repeat_ = np["repeat"]
  np.may_share_memory = arguments.taking("np.may_share_memory", "a b max_work", core.np.shares_memory)
  np.shares_memory = arguments.taking("np.shares_memory", "a b max_work", core.np.shares_memory)
  return np
end

local parts = { nd = build(nd), sym = build(sym) }
local npx = require "hybridlua.np.npx"
require("hybridlua.np.npx_functions")(npx)
npx.random = parts.nd.npx
npx.random.seed = parts.nd.random.seed

require "hybridlua.np.methods" (parts.nd)

for face, np in pairs(parts) do
  np.npx = nil
  local path = face == "nd" and "hybridlua.np" or "hybridlua.sym.np"
  for _, name in ipairs { "linalg", "random" } do module(np[name], path .. "." .. name) end
  module(np, path)
end
module(npx.random, "hybridlua.npx.random")
module(npx, "hybridlua.npx")

return { nd = parts.nd, sym = parts.sym, npx = npx }
