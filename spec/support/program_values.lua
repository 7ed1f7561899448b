-- program_values.lua - lines of random programs: expressions over the current values, with the shapes of their results.
-- A value is { expr, shape }; an expression { text, shapes = {one per result}, simpler = {texts of the same shapes} }.
--
-- A shape that is a list of shapes is that of a table of arrays. If the program uses several batch sizes (`batch` is
-- on), no line depends on the size.
local hl = require "hybridlua"
local core = require "hybridlua.core"

local values = {}

local MOST_ELEMENTS, MOST_DIMENSIONS = 256, 4

-- ---- Shapes ---------------------------------------------------------------------------------------

function values.shape_text(shape) return "{" .. table.concat(shape, ", ") .. "}" end

local function size(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

function values.same_shape(a, b) return values.shape_text(a) == values.shape_text(b) end

local function copy(shape) return table.move(shape, 1, #shape, 1, {}) end

-- The broadcast shape, or nil if they do not fit.
local function broadcast(a, b)
  local out = {}
  for i = 1, math.max(#a, #b) do
    local x, y = a[#a - i + 1] or 1, b[#b - i + 1] or 1
    if x ~= y and x ~= 1 and y ~= 1 then return nil end
    table.insert(out, 1, x == 1 and y or x)
  end
  return size(out) <= MOST_ELEMENTS and out or nil
end

-- ---- Kinds of expressions ---------------------------------------------------------------------------

local UNARY = { "tanh", "sigmoid", "relu", "sin", "cos", "square", "abs", "negative", "softsign", "erf", "exp", "sqrt",
  "log" }
local SCALARS = { "2", "0.5", "-1", "3", "0.1", "1.7" }
local LARGE = { "1e8", "-1e8", "3e7" }

-- Any elementwise operator of one float input in the registry, except those that print.
local any_unary = {}
for _, op in ipairs(core.op.rows()) do
  local needs = op.internal or op.dynamic or op.mutates or not op.elementwise or #op.inputs ~= 1 or
    op.family == "print_check"
  for _, p in ipairs(op.params) do needs = needs or p.required end
  if not needs and pcall(hl.nd[op.name], hl.nd.ones { 1 }) then any_unary[#any_unary + 1] = op.name end
end

local kinds, total = {}, 0
local function kind(weight, feature, make)
  kinds[#kinds + 1] = { weight = weight, feature = feature, make = make }
  total = total + weight
end

local function one(text, shape, ...) return { text = text, shapes = { shape }, simpler = { ... } } end

kind(6, nil, function(b)
  local a = b:operand()
  if b.g:one_in(8) then return one(("F[%q](%s)"):format(b.g:pick(any_unary), a.expr), a.shape, a.expr) end
  return one(b.g:pick { "F.%s(%s)", "F.%s(%s) * 1.5" }:format(b.g:pick(UNARY), a.expr), a.shape, a.expr)
end)

kind(9, nil, function(b)
  local a = b:operand()
  local c = b.g:one_in(2) and b:operand(a.shape) or b:operand()
  local shape = c and broadcast(a.shape, c.shape)
  if not shape then return nil end
  local form = b.g:pick { "%s + %s", "%s * %s", "%s - %s", "%s * %s", "F.maximum(%s, %s)", "%s / (%s * 2 + 0.3)" }
  local simpler = {}
  for _, v in ipairs { a, c } do if values.same_shape(v.shape, shape) then simpler[#simpler + 1] = v.expr end end
  return one(form:format(a.expr, c.expr), shape, table.unpack(simpler))
end)

kind(4, nil, function(b)                                  -- several of one shape, summed
  local a = b:operand()
  local words = { a.expr }
  for _ = 1, 2 + b.g.below(2) do
    local v = b:operand(a.shape)
    if v then words[#words + 1] = v.expr end
  end
  return one(table.concat(words, b.g:pick { " + ", " + ", " - " }), a.shape, a.expr)
end)

kind(4, nil, function(b)
  local a, s = b:operand(), b.g:pick(SCALARS)
  if b.k and b.g:one_in(3) then s = b.k end
  return one(b.g:pick { "%s * %s", "%s + %s", "%s - %s", "%s / %s" }:format(a.expr, s), a.shape, a.expr)
end)

kind(3, "cancel", function(b)
  local a = b:operand()
  return one(("%s * %s"):format(a.expr, b.g:pick(LARGE)), a.shape, a.expr)
end)

kind(4, "derivatives", function(b)                       -- of a function that also captures an outer value
  local a = b:operand()
  local c = b:operand(a.shape) or a
  local inner = b.g:pick { "F.sum(F.tanh(v) * %s * v)", "F.sum(v ^ 3 * %s)",
    "F.sum(F.sin(v * %s)) * F.mean(v)" }:format(c.expr)
  for _, child in ipairs(b.children) do
    local called = child.kind == "same" and values.fits(child, a) and b.g:one_in(3)
    if called then inner = ("F.sum(%s(v) * %s)"):format(child.expr, c.expr) end
  end
  local form = b.g:pick { "hl.grad(function(v) return %s end)(%s)", "hl.grad(function(v) return %s end)(%s)",
                          "select(2, hl.value_and_grad(function(v) return %s end)(%s))",
                          "select(2, hl.vjp(function(v) return %s end, %s))(2)" }
  return one(form:format(inner, a.expr), a.shape, a.expr)
end)

kind(3, nil, function(b)
  local a = b:operand()
  if b.g:one_in(4) or #a.shape < 2 then
    return one(b.g:pick { "%s:sum()", "F.mean(%s)", "F.sum(%s)" }:format(a.expr), { 1 })
  end
  local axis, keep = b.g.below(#a.shape), b.g:one_in(2)
  local shape = copy(a.shape)
  if keep then shape[axis + 1] = 1 else table.remove(shape, axis + 1) end
  local name = b.g:pick { "sum", "mean", a.shape[axis + 1] > 0 and "max" or "sum" }
  return one(("F.%s(%s, {axis = %d, keepdims = %s})"):format(name, a.expr, axis, keep), shape)
end)

kind(2, nil, function(b)
  local a, c = b:operand(), b:operand()
  if #a.shape ~= 2 or #c.shape ~= 2 then return nil end
  if a.shape[2] == c.shape[1] then return one(("F.dot(%s, %s)"):format(a.expr, c.expr), { a.shape[1], c.shape[2] }) end
  if a.shape[2] ~= c.shape[2] then return nil end
  return one(("F.dot(%s, %s, {transpose_b = true})"):format(a.expr, c.expr), { a.shape[1], c.shape[1] })
end)

kind(1, nil, function(b)
  local a = b:operand()
  local c = b:operand(a.shape)
  if not c then return nil end
  return one(("F.where(%s:greater(%s), %s, %s)"):format(a.expr, c.expr, c.expr, a.expr), a.shape, a.expr, c.expr)
end)

kind(1, nil, function(b)
  local a = b:operand()
  local c = b:operand(a.shape)
  if not c or 2 * size(a.shape) > MOST_ELEMENTS then return nil end
  local shape = copy(a.shape)
  shape[1] = shape[1] * 2
  return one(("F.concat(%s, %s, {dim = 0})"):format(a.expr, c.expr), shape)
end)

kind(1, nil, function(b)
  local a = b:operand()
  if #a.shape < 2 or a.shape[#a.shape] ~= 2 then return nil end
  local part = copy(a.shape)
  part[#part] = 1
  return one(("F.split(%s, {num_outputs = 2, axis = %d})"):format(a.expr, #a.shape - 1), { part, part })
end)

kind(2, nil, function(b)
  local a = b:operand()
  return one(b.g:pick { "F.softmax(%s)", "F.log_softmax(%s)" }:format(a.expr), a.shape, a.expr)
end)

kind(4, "random", function(b)
  local a = b:operand()
  if b.g:one_in(3) and not b.g.on.batch then
    local draw = ('F.random.%s(0.5, 1, {shape = %s, dtype = "%s"})'):format(b.g:pick { "uniform", "normal" },
      values.shape_text(a.shape), b.g.dtype)
    return one(("%s * %s"):format(a.expr, draw), a.shape, a.expr)
  end
  return one(("F.Dropout(%s, {p = 0.5})"):format(a.expr), a.shape, a.expr)
end)

kind(3, "detach", function(b)
  local a = b:operand()
  return one(b.g:pick { "%s:detach()", "F.BlockGrad(%s)", "%s:detach() * 2" }:format(a.expr), a.shape, a.expr)
end)

-- ---- Views --------------------------------------------------------------------------------------------

local function without(shape, at)
  local out = copy(shape)
  table.remove(out, at)
  return out
end

local function with_first(shape, n)
  local out = copy(shape)
  out[1] = n
  return out
end

local VIEWS = {
  function(a) return "%s:reshape{-1}", { size(a) } end,
  function(a) return "%s:reshape{-1, 1}", { size(a), 1 } end,
  function(a) return "F.reshape(%s, {shape = {1, -1}})", { 1, size(a) } end,
  function(a, b)
    if #a == 2 and not b.g.on.batch and size(a) > 0 then
      return "%s:reshape" .. values.shape_text { a[2], a[1] }, { a[2], a[1] }
    end
  end,
  function(a) if a[1] > 0 then return "%s[0]", #a > 1 and without(a, 1) or { 1 } end end,
  function(a) if a[1] > 0 then return '%s["0:1"]', with_first(a, 1) end end,
  function(a, b) if a[1] > 1 and not b.g.on.batch then return '%s["1:"]', with_first(a, a[1] - 1) end end,
  function(a)
    if #a == 2 and size(a) > 0 then return 'F.slice(%s, {begin = {0, 0}, ["end"] = {1, 1}})', { 1, 1 } end
  end,
  function(a)
    if a[#a] < 1 or #a < 2 then return nil end
    local shape = copy(a)
    shape[#a] = 1
    return ('F.slice_axis(%%s, {axis = %d, begin = 0, ["end"] = 1})'):format(#a - 1), shape
  end,
  function(a) if #a >= 2 then return "F.Flatten(%s)", { a[1], size(without(a, 1)) } end end,
  function(a) if #a < MOST_DIMENSIONS then return "F.expand_dims(%s, {axis = 0})", { 1, table.unpack(a) } end end,
  function(a) if #a < MOST_DIMENSIONS then return "%s:expand_dims(1)", { a[1], 1, table.unpack(a, 2) } end end,
  function(a)
    for i, d in ipairs(a) do
      if d == 1 and #a > 1 then return ("F.squeeze(%%s, {axis = %d})"):format(i - 1), without(a, i) end
    end
  end,
  function(a) if #a == 2 then return "%s:transpose()", { a[2], a[1] } end end,
  function(a) if #a == 2 then return "F.swapaxes(%s, {dim1 = 0, dim2 = 1})", { a[2], a[1] } end end,
  function(a) return "%s:detach()", a end,
  function(a) return "F.identity(%s)", a end,
}

--- An expression that may share memory with a value.
function values.view(b, a)
  if #a.shape == 0 then return nil end
  local form, shape = b.g:pick(VIEWS)(a.shape, b)
  if form then return one(form:format(a.expr), shape, values.same_shape(shape, a.shape) and a.expr or nil) end
end

kind(5, "views", function(b) return values.view(b, b:operand()) end)

-- ---- Calls ---------------------------------------------------------------------------------------------

-- An argument: a value, sometimes modified.
local function argument(b, v)
  if not b.g:one_in(3) then return v.expr end
  local s = b.g.on.cancel and b.g:one_in(2) and b.g:pick(LARGE) or b.g:pick(SCALARS)
  return ("%s * %s"):format(v.expr, s)
end

--- Can this value be passed to a block whose result has the shape of its argument? Some need elements (`full`).
function values.fits(c, v) return not c.full or size(v.shape) > 0 end

local function call_dense(b, c)
  local a
  for _ = 1, 6 do
    a = b:operand()
    local features = size(without(a.shape, 1))
    local fits = (not c.features or c.features == features) and features > 0 and a.shape[1] * c.units <= MOST_ELEMENTS
    if fits and (not b.g.on.batch or features % b.g.B ~= 0) then
      c.features = features
      local out = { a.shape[1], c.units }
      return one(("%s(%s)"):format(c.expr, argument(b, a)), out, ("%s(%s)"):format(c.expr, a.expr),
        values.same_shape(out, a.shape) and a.expr or nil)
    end
  end
end

local function call_block(b, c)
  local words, plain = {}, {}
  for i, shape in ipairs(c.inputs) do
    local v = b:operand(shape)
    if not v then return nil end
    words[i], plain[i] = argument(b, v), v.expr
  end
  if c.takes_k then
    words[#words + 1] = tostring(1 + b.g.below(3))
    plain[#plain + 1] = words[#words]
  end
  return { text = ("%s(%s)"):format(c.expr, table.concat(words, ", ")), shapes = c.outputs,
           simpler = { ("%s(%s)"):format(c.expr, table.concat(plain, ", ")) } }
end

--- A call of one of the reachable blocks, or of the given one.
function values.call(b, callee)
  if #b.children == 0 then return nil end
  local c = callee or b.g.on.calls and not b.g:one_in(4) and b.favourite or b.g:pick(b.children)
  b.favourite = c
  if c.kind == "dense" then return call_dense(b, c) end
  if c.kind == "block" then return call_block(b, c) end
  local a = b:operand()                                   -- keeps the shape
  if not values.fits(c, a) then return nil end
  return one(("%s(%s)"):format(c.expr, argument(b, a)), a.shape, a.expr)
end

kind(12, nil, function(b) return values.call(b) end)

--- A random expression for a body; nil if no try fits.
function values.expression(b)
  for _ = 1, 12 do
    local n = b.g.below(total)
    for _, k in ipairs(kinds) do
      n = n - k.weight
      if n < 0 then
        local e = (not k.feature or b.g.on[k.feature]) and k.make(b)
        if e then return e end
        break
      end
    end
  end
end

return values
