-- functions/einsum_tensordot.lua - NumPy's products of arrays: einsum, tensordot, outer, inner, vdot, kron, cross,
-- trace.
--
-- einsum and related functions run in steps, each on two operands with labelled axes. A label of one operand that is no
-- longer needed is summed over. Labels of both operands that are no longer needed are contracted by matmul; if there
-- are none, the operands are multiplied. The order of steps depends on the labels alone. Axes are joined and split by
-- reshapes that read no dimension, so a step is the same for arrays, for Symbols and in a trace.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local operand = require "hybridlua.functions.operand_checks"
local is_array, tracing = core.array.is, core.trace.active
local nd = core.op.nd

local functions = {}

-- ---- Labelled operands: { x, labels }; without labels x has shape (1,) ----------------------------------------

local function index_of(list, label)
  for i, item in ipairs(list) do if item == label then return i end end
end

local function set_of(...)
  local set = {}
  for _, list in ipairs { ... } do for _, label in ipairs(list) do set[label] = true end end
  return set
end

local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

local function same_list(a, b)
  if #a ~= #b then return false end
  for i = 1, #a do if a[i] ~= b[i] then return false end end
  return true
end

local function filter(list, keeps)
  local kept = {}
  for _, label in ipairs(list) do if keeps(label) then kept[#kept + 1] = label end end
  return kept
end

local function ordered(x, from, labels)
  if #labels < 2 or same_list(from, labels) then return x end
  local axes = {}
  for i, label in ipairs(labels) do axes[i] = index_of(from, label) - 1 end
  return nd.transpose(x, { axes = axes })
end

-- Merges axes [at, at + count) into one.
local function join_axes(x, at, count)
  if count == 0 then return nd.expand_dims(x, { axis = at }) end
  local shape = {}
  for i = 1, at do shape[i] = 0 end
  shape[at + 1], shape[at + 2] = -3, -2
  for _ = 2, count do x = nd.reshape(x, { shape = shape }) end
  return x
end

-- Splits axis `at` into axes [from, from + count) of `like`.
local function part_axis(x, at, like, from, count)
  if count == 1 then return x end
  if count == 0 then return nd.squeeze(x, { axis = at }) end
  return nd.reshape_like(x, like, { lhs_begin = at, lhs_end = at + 1, rhs_begin = from, rhs_end = from + count })
end

local function add_axes(x, at, count)
  for _ = 1, count do x = nd.expand_dims(x, { axis = at }) end
  return x
end

-- The product of a and b for each combination of labels.
local function multiply(a, b, batch, only_a, only_b)
  if #a.labels == 0 or #b.labels == 0 then
    return { x = nd.broadcast_mul(a.x, b.x), labels = joined(a.labels, b.labels) }
  end
  local x = ordered(a.x, a.labels, joined(batch, only_a))
  local y = ordered(b.x, b.labels, joined(batch, only_b))
  return { x = nd.broadcast_mul(add_axes(x, #batch + #only_a, #only_b), add_axes(y, #batch, #only_a)),
           labels = joined(batch, only_a, only_b) }
end

-- An operand of matmul with its axes as (batch, rows, columns), or (batch, columns, rows) if they already have that
-- order.
local function as_matrices(a, batch, rows, columns)
  local turned = not same_list(a.labels, joined(batch, rows, columns)) and
    same_list(a.labels, joined(batch, columns, rows))
  local first, second = turned and columns or rows, turned and rows or columns
  local like = ordered(a.x, a.labels, joined(batch, first, second))
  local x = join_axes(join_axes(like, #batch, #first), #batch + 1, #second)
  return { x = x, like = like, turned = turned }
end

local function contract(a, b, batch, only_a, only_b, summed)
  local left, right = as_matrices(a, batch, only_a, summed), as_matrices(b, batch, summed, only_b)
  local y = nd.matmul(left.x, right.x, { transpose_a = left.turned, transpose_b = right.turned })
  local n = #batch
  if n + #only_a + #only_b == 0 then return { x = nd.reshape(y, { shape = { 1 } }), labels = {} } end
  y = part_axis(y, n + 1, right.like, n + (right.turned and 0 or #summed), #only_b)
  y = part_axis(y, n, left.like, n + (left.turned and #summed or 0), #only_a)
  return { x = y, labels = joined(batch, only_a, only_b) }
end

-- Combines two operands; `wanted`: the labels needed later.
local function combine(a, b, wanted)
  local in_a, in_b = set_of(a.labels), set_of(b.labels)
  local batch = filter(a.labels, function(label) return in_b[label] and wanted[label] end)
  local summed = filter(a.labels, function(label) return in_b[label] and not wanted[label] end)
  local only_a = filter(a.labels, function(label) return not in_b[label] end)
  local only_b = filter(b.labels, function(label) return not in_a[label] end)
  if #summed == 0 then return multiply(a, b, batch, only_a, only_b) end
  return contract(a, b, batch, only_a, only_b, summed)
end

-- Takes the diagonal along repeated labels.
local function take_diagonals(a)
  for i, label in ipairs(a.labels) do
    for k = i + 1, #a.labels do
      if a.labels[k] == label then
        local rest = {}
        for l, other in ipairs(a.labels) do if l ~= i and l ~= k then rest[#rest + 1] = other end end
        rest[#rest + 1] = label
        return take_diagonals { x = nd.diag(a.x, { axis1 = i - 1, axis2 = k - 1 }), labels = rest }
      end
    end
  end
  return a
end

local function sum_out(a, wanted)
  local axes = {}
  for i, label in ipairs(a.labels) do if not wanted[label] then axes[#axes + 1] = i - 1 end end
  if #axes == 0 then return a end
  return { x = nd.sum(a.x, { axis = axes }), labels = filter(a.labels, function(label) return wanted[label] end) }
end

-- The labels needed by the result and by operands other than i and j (nil: other than i).
local function wanted_without(list, output, i, j)
  local wanted = set_of(output)
  for k, a in ipairs(list) do
    if k ~= i and k ~= j then for _, label in ipairs(a.labels) do wanted[label] = true end end
  end
  return wanted
end

-- The two operands that leave the fewest labels; among equals, those that sum over most.
local function next_pair(list, output)
  local best, best_i, best_j
  for i = 1, #list do
    for j = i + 1, #list do
      local wanted, left, gone = wanted_without(list, output, i, j), 0, 0
      for label in pairs(set_of(list[i].labels, list[j].labels)) do
        if wanted[label] then left = left + 1 else gone = gone + 1 end
      end
      local cost = left * 64 - gone
      if not best or cost < best then best, best_i, best_j = cost, i, j end
    end
  end
  return best_i, best_j
end

local function evaluate(list, output)
  for i, a in ipairs(list) do list[i] = take_diagonals(a) end
  for i, a in ipairs(list) do list[i] = sum_out(a, wanted_without(list, output, i)) end
  while #list > 1 do
    local i, j = next_pair(list, output)
    local wanted = wanted_without(list, output, i, j)
    local b = table.remove(list, j)
    list[i] = combine(list[i], b, wanted)
  end
  return ordered(list[1].x, list[1].labels, output)
end

-- ---- Checks of arrays; operators check Symbols --------------------------------------------------------

local function check_dims(what, list, name_of)
  if tracing() then return end
  local dims, from = {}, {}
  for i, a in ipairs(list) do
    local shape = is_array(a.x) and a.x.shape or {}
    for k, label in ipairs(a.labels) do
      local dim, spread = shape[k], type(label) == "number"       -- dimensions of an ellipsis broadcast
      if dim and dims[label] and dims[label] ~= dim and not (spread and (dim == 1 or dims[label] == 1)) then
        fail("%s: operands: expected %d elements along %s, as operand %d has, got %d in operand %d", what, dims[label],
          name_of(label), from[label], dim, i)
      end
      if dim and (not dims[label] or dims[label] == 1) then dims[label], from[label] = dim, i end
    end
  end
end

local function check_dtypes(what, list)
  if tracing() then return end
  local first
  for i, a in ipairs(list) do
    local dtype = is_array(a.x) and a.x.dtype
    first = first or dtype
    if dtype and dtype ~= first then
      fail("%s: operands: expected dtype %s, as the first has, got %s in operand %d; convert with astype", what, first,
        dtype, i)
    end
  end
end

-- ---- einsum ---------------------------------------------------------------------------------------------------------

local read_einsum = arguments.new("einsum", { "optimize" })

-- The labels of a term: letters, and numbers (-1 the last) for the dimensions of "...".
local function term_labels(term, ndim)
  local before, after = term:match "^(%a*)%.%.%.(%a*)$"
  if not before and not term:match "^%a*$" then
    fail("einsum: subscripts: expected letters and at most one '...' for each operand, got '%s'", term)
  end
  local labels = {}
  for letter in (before or term):gmatch "." do labels[#labels + 1] = letter end
  if before then
    local spread = ndim - #before - #after
    if spread < 0 then
      fail("einsum: subscripts: expected at most %d letters for an operand with %d dimensions, got '%s'", ndim, ndim,
        term)
    end
    for k = spread, 1, -1 do labels[#labels + 1] = -k end
    for letter in after:gmatch "." do labels[#labels + 1] = letter end
  end
  return labels
end

local function split_terms(text, n)
  local terms = {}
  for term in (text .. ","):gmatch "([^,]*)," do terms[#terms + 1] = term end
  if #terms ~= n then fail("einsum: operands: expected %d, one for each term of '%s', got %d", #terms, text, n) end
  return terms
end

-- Without "->" the result has the dimensions of "...", then the letters that occur once, in order.
local function implicit_output(list)
  local count, most, letters = {}, 0, {}
  for _, a in ipairs(list) do
    for _, label in ipairs(a.labels) do
      if type(label) == "number" then most = math.max(most, -label) else count[label] = (count[label] or 0) + 1 end
    end
  end
  for letter, times in pairs(count) do if times == 1 then letters[#letters + 1] = letter end end
  table.sort(letters)
  local output = {}
  for k = most, 1, -1 do output[#output + 1] = -k end
  return joined(output, letters)
end

local function explicit_output(term, list)
  local most, known = 0, {}
  for _, a in ipairs(list) do
    for _, label in ipairs(a.labels) do
      known[label] = true
      if type(label) == "number" then most = math.max(most, -label) end
    end
  end
  local spread = term:find("...", 1, true)
  if most > 0 and not spread then fail("einsum: subscripts: expected '...' in the result too, got '%s'", term) end
  local letters = select(2, term:gsub("%a", ""))
  local output, seen = term_labels(term, spread and letters + most or letters), {}
  for _, label in ipairs(output) do
    if not known[label] then
      fail("einsum: subscripts: expected letters of the operands in the result, got '%s'", label)
    end
    if seen[label] then fail("einsum: subscripts: expected each letter once in the result, got '%s' twice", label) end
    seen[label] = true
  end
  return output
end

local function einsum_operand(x, term, i)
  local ndim = operand.ndim(x)
  local labels = term_labels(term, term:find("...", 1, true) and x.ndim or 0)
  local scalar = #labels == 0
  if ndim and ndim ~= #labels and not (scalar and ndim == 1 and (operand.shape(x) or { 1 })[1] == 1) then
    fail("einsum: operand %d: expected %d dimension%s, one for each letter of '%s', got %d", i, #labels,
      #labels == 1 and "" or "s", term, ndim)
  end
  return { x = scalar and nd.reshape(x, { shape = { 1 } }) or x, labels = labels }
end

--- Einstein's summation: einsum("ij,jk->ik", a, b) is the product of two matrices. Before the arrow, a term for each
-- operand names its axes by letters; after it are the axes of the result. A letter missing there is summed over.
-- Without an arrow the result has the letters that occur once, in alphabetical order. A letter twice in a term is a
-- diagonal: "ii" the trace, "ii->i" the diagonal. "..." matches any number of axes, which broadcast.
-- A result without letters has shape (1,). It accepts any number of operands of one dtype, and combines first the two
-- that leave the fewest letters; matmul computes sums of products. Options: optimize (ignored; NumPy has it).
function functions.einsum(subscripts, ...)
  if type(subscripts) == "table" and not operand.is(subscripts) then
    return functions.einsum(table.unpack(subscripts))
  end
  if type(subscripts) ~= "string" then
    fail("einsum: subscripts: expected a string, got %s", operand.got(subscripts))
  end
  local args = operand.arrays("einsum", read_einsum, ...)
  local text = subscripts:gsub("%s", "")
  local inputs, result = text:match "^(.-)%->(.*)$"
  local list = {}
  for i, term in ipairs(split_terms(inputs or text, #args)) do list[i] = einsum_operand(args[i], term, i) end
  local output = inputs and explicit_output(result, list) or implicit_output(list)
  check_dtypes("einsum", list)
  check_dims("einsum", list,
    function(label) return type(label) == "number" and ("axis %d of '...'"):format(label) or ("'%s'"):format(label) end)
  return evaluate(list, output)
end

-- ---- tensordot, inner, vdot, outer -----------------------------------------------------------------------------

-- Labels for a and b, equal at the axes `axes_a` and `axes_b`; the result has the others.
local function product_over(what, a, b, axes_a, axes_b)
  local labels_a, labels_b, output = {}, {}, {}
  for i = 1, a.ndim do labels_a[i] = "a" .. i end
  for i = 1, b.ndim do labels_b[i] = "b" .. i end
  for i, axis in ipairs(axes_b) do labels_b[axis + 1] = labels_a[axes_a[i] + 1] end
  local shared = set_of(labels_b)
  for _, label in ipairs(labels_a) do if not shared[label] then output[#output + 1] = label end end
  for _, label in ipairs(labels_b) do if label:sub(1, 1) == "b" then output[#output + 1] = label end end
  local list = { { x = a, labels = labels_a }, { x = b, labels = labels_b } }
  check_dtypes(what, list)
  check_dims(what, list, function(label) return ("axis %d of a"):format(label:sub(2) - 1) end)
  return evaluate(list, output)
end

local read_tensordot = arguments.new("tensordot", { "a", "b", "axes" }, { axes = 2 })

--- The product summed over axes: tensordot(a, b, axes). axes (2): the number of last axes of a and first axes of b; or
-- a table of two, a's axes and b's, each a number or a table. The result has a's other axes, then b's, or shape (1,) if
-- there are none.
function functions.tensordot(...)
  local o = read_tensordot(...)
  local a, b, axes = operand.check("tensordot", "a", o.a), operand.check("tensordot", "b", o.b), o.axes
  if type(axes) == "table" then
    if #axes ~= 2 then fail("tensordot: axes: expected a table of two, a's axes and b's, got %d", #axes) end
    local of_a, of_b = operand.axes("tensordot", "axes", axes[1], a.ndim),
      operand.axes("tensordot", "axes", axes[2], b.ndim)
    if #of_a ~= #of_b then fail("tensordot: axes: expected as many axes of b as of a, %d, got %d", #of_a, #of_b) end
    return product_over("tensordot", a, b, of_a, of_b)
  end
  operand.integer("tensordot", "axes", axes, 0)
  if axes > math.min(a.ndim, b.ndim) then
    fail("tensordot: axes: expected at most %d, the dimensions of the operands, got %d", math.min(a.ndim, b.ndim), axes)
  end
  local of_a, of_b = {}, {}
  for i = 1, axes do of_a[i], of_b[i] = a.ndim - axes + i - 1, i - 1 end
  return product_over("tensordot", a, b, of_a, of_b)
end

local function pair_reader(what) return arguments.new(what, { "a", "b" }) end

local read_inner, read_outer, read_vdot = pair_reader "inner", pair_reader "outer", pair_reader "vdot"

local function pair(what, o) return operand.check(what, "a", o.a), operand.check(what, "b", o.b) end

--- The product summed over the last axis of both. For two vectors the result has shape (1,).
function functions.inner(...)
  local a, b = pair("inner", read_inner(...))
  if a.ndim == 0 or b.ndim == 0 then return nd.broadcast_mul(a, b) end
  return product_over("inner", a, b, { a.ndim - 1 }, { b.ndim - 1 })
end

--- The matrix of a[i] b[j]; other arrays are flattened first.
function functions.outer(...)
  local a, b = pair("outer", read_outer(...))
  return nd.broadcast_mul(nd.reshape(a, { shape = { -1, 1 } }), nd.reshape(b, { shape = { 1, -1 } }))
end

--- The sum of a[i] b[i], with shape (1,); other arrays are flattened first.
function functions.vdot(...)
  local a, b = pair("vdot", read_vdot(...))
  if is_array(a) and is_array(b) and a.size ~= b.size then
    fail("vdot: b: expected %d elements, as a has, got %d", a.size, b.size)
  end
  return nd.matmul(nd.reshape(a, { shape = { -1 } }), nd.reshape(b, { shape = { -1 } }))
end

-- ---- kron, cross, trace ---------------------------------------------------------------------------------------------

local read_kron = pair_reader "kron"

--- Kronecker's product: each element of a times all of b, in blocks. Up to four dimensions; missing leading dimensions
-- count as 1.
function functions.kron(...)
  local a, b = pair("kron", read_kron(...))
  local n = math.max(a.ndim, b.ndim)
  if n > 4 then fail("kron: a: expected at most 4 dimensions, got %d", n) end
  a, b = add_axes(a, 0, n - a.ndim), add_axes(b, 0, n - b.ndim)
  local merged = {}
  for i = n, 1, -1 do
    a, b = nd.expand_dims(a, { axis = i }), nd.expand_dims(b, { axis = i - 1 })
    merged[i] = -3
  end
  local y = nd.broadcast_mul(a, b)
  return n > 0 and nd.reshape(y, { shape = merged }) or y
end

local read_cross = arguments.new("cross", { "a", "b", "axisa", "axisb", "axisc", "axis" },
  { axisa = -1, axisb = -1, axisc = -1 })

-- The components of vectors along an axis, without that axis.
local function components(what, param, x, axis)
  axis = operand.axis("cross", what, axis, x.ndim)
  local n, parts = x.shape[axis + 1], {}
  if n ~= 2 and n ~= 3 then fail("cross: %s: expected 2 or 3 elements along axis %d, got %d", param, axis, n) end
  for i = 1, n do
    local part = operand.part(x, axis, i - 1, i)
    parts[i] = x.ndim > 1 and nd.squeeze(part, { axis = axis }) or part
  end
  return parts
end

--- The cross product of vectors with 2 or 3 components along the last axis; the other axes broadcast. If both have 2
-- components, the result is only the third component of the product.
-- Options: axisa, axisb, axisc (-1): the axis of the components in a, in b, in the result; axis: all three.
function functions.cross(...)
  local o = read_cross(...)
  local a, b = pair("cross", o)
  local name_a, name_b = o.axis and "axis" or "axisa", o.axis and "axis" or "axisb"
  local p, q = components(name_a, "a", a, o.axis or o.axisa), components(name_b, "b", b, o.axis or o.axisb)
  local function minor(i, j)                         -- p[i] q[j] - p[j] q[i]; a missing third component is 0
    local plus = p[i] and q[j] and nd.broadcast_mul(p[i], q[j])
    local minus = p[j] and q[i] and nd.broadcast_mul(p[j], q[i])
    if plus and minus then return nd.broadcast_sub(plus, minus) end
    return plus or -minus
  end
  if #p == 2 and #q == 2 then return minor(1, 2) end
  local parts = { minor(2, 3), minor(3, 1), minor(1, 2) }
  if math.max(a.ndim, b.ndim) == 1 then return nd.Concat(parts, { dim = 0 }) end
  return nd.stack(parts, { axis = o.axis or o.axisc })
end

local read_trace = arguments.new("trace", { "data", "offset", "axis1", "axis2" }, { offset = 0, axis1 = 0, axis2 = 1 })

--- The sum of a diagonal: trace(x, offset). With more than two dimensions, that of each matrix along two axes.
-- Options: offset (0: the main diagonal; positive above it), axis1 (0), axis2 (1). A matrix yields shape (1,).
function functions.trace(...)
  local o = read_trace(...)
  local x = operand.check("trace", "data", o.data)
  local ndim = operand.ndim(x)
  if ndim and ndim < 2 then fail("trace: data: expected two dimensions or more, got %d", ndim) end
  return nd.sum(nd.diag(x, { k = operand.integer("trace", "offset", o.offset), axis1 = o.axis1, axis2 = o.axis2 }),
    { axis = -1 })
end

return { functions = functions, no_method = { einsum = true } }
