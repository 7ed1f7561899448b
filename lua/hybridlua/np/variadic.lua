-- np/variadic.lua - functions of np that take any number of arrays: f(a, b, ..., {options}).
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local d = require "hybridlua.np.definitions"
local is_plain = core.script.is_plain
local nd = core.op.nd

local variadic = {}

-- The operands, as np's, and the options of a call; a table of arrays may stand for the first.
local function read(what, options, first, ...)
  local args = table.pack(...)
  local given = {}
  local last = args[args.n]
  if args.n > 0 and is_plain(last) and (args.n > first or #last == 0) and next(last) ~= nil and
    type(next(last)) == "string" then
    given, args.n = last, args.n - 1
  end
  local list = {}
  for i = first, args.n do list[#list + 1] = args[i] end
  if #list == 1 and type(list[1]) == "table" then list = list[1] end
  for i, x in ipairs(list) do list[i] = d.operand(what, "arrays", x) end
  return list, options(given), args
end

local read_meshgrid = arguments.new("np.meshgrid", { "indexing", "sparse", "copy" }, { indexing = "xy" })

--- The coordinates of a grid, one array for each vector. Options: indexing ("xy" or "ij"), sparse (false).
function variadic.meshgrid(...)
  local list, o = read("meshgrid", read_meshgrid, 1, ...)
  for i, x in ipairs(list) do list[i] = d.reshaped(x, { -1 }) end
  list[#list + 1] = { indexing = o.indexing, sparse = o.sparse }
  return nd.meshgrid(table.unpack(list))
end

local read_einsum = arguments.new("np.einsum", { "optimize", "out" }, {})

--- Sums of products by subscripts: einsum("ij,jk->ik", a, b).
function variadic.einsum(subscripts, ...)
  if is_plain(subscripts) then read_einsum(subscripts) end
  local list = read("einsum", read_einsum, 1, ...)
  local parts = { core.np.promote(table.unpack(list)) }
  local dtype = core.np.dtype_of(parts[1])
  if dtype and not d.is_float(dtype) then
    for i, x in ipairs(parts) do parts[i] = nd.cast(x, { dtype = "float64" }) end
    return nd.cast(nd.einsum(subscripts, table.unpack(parts)), { dtype = dtype })
  end
  return nd.einsum(subscripts, table.unpack(parts))
end

local read_nothing = arguments.new("np.broadcast_arrays", { "subok" }, {})

--- The arrays, repeated to the shape that they broadcast to: a table.
function variadic.broadcast_arrays(...)
  local list = read("broadcast_arrays", read_nothing, 1, ...)
  local zeros
  for _, x in ipairs(list) do
    local zero = nd.cast(nd.zeros_like(x), { dtype = "float32" })
    zeros = zeros and nd.broadcast_add(zeros, zero) or zero
  end
  for i, x in ipairs(list) do list[i] = nd.broadcast_to(x, { shape = zeros.shape }) end
  return list
end

--- Index arrays of a grid: ix_(rows, columns) selects a[rows, columns] for all pairs.
function variadic.ix_(...)
  local list = read("ix_", read_nothing, 1, ...)
  for i, x in ipairs(list) do
    if x.ndim ~= 1 then fail("np.ix_: expected vectors, got %d dimensions", x.ndim) end
    if x.dtype == "bool" then x = core.np.mark(nd.flatnonzero(x)) end
    local shape = {}
    for k = 1, #list do shape[k] = k == i and -1 or 1 end
    list[i] = d.reshaped(x, shape)
  end
  return list
end

--- The derivatives of samples: gradient(f, spacing ..., {axis =, edge_order =}), as nd's; f may be a table of numbers.
function variadic.gradient(f, ...)
  return nd.gradient(d.floats(d.operand("gradient", "f", f)), ...)
end

--- An array put together from nested tables of arrays and numbers, as nd.block.
function variadic.block(arrays) return core.np.as_kind(nd.block(arrays), true) end

local read_multi = arguments.new("np.random.rand", { "dtype", "ctx" }, {})

local function shaped(name, row, options)
  return function(F, ...)
    local args = table.pack(...)
    local given = {}
    if is_plain(args[args.n]) and #args[args.n] == 0 then given, args.n = args[args.n], args.n - 1 end
    local o = read_multi:called("np.random." .. name)(given)
    local shape = {}
    for i = 1, args.n do shape[i] = args[i] end
    local call = { shape = shape, dtype = o.dtype, ctx = o.ctx }
    for key, value in pairs(options) do call[key] = value end
    return core.np.mark(F[row](call))
  end
end

--- Functions of np.random with the shape as arguments: rand(2, 3). The first argument is F.
variadic.random = { rand = shaped("rand", "random_uniform", { low = 0, high = 1 }),
                    randn = shaped("randn", "random_normal", {}) }

return variadic
