-- brackets_model_spec.lua - brackets compared, to the bit, with a model in plain Lua: reading, writing and gradients
-- for every kind of key and random combinations, eager, compiled and by Symbols.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

-- ---- The model ----------------------------------------------------------------------------------------
-- A key is a list of parts: { at = i }, { from =, to =, step = }, { new = true }, { rest = true } and
-- { list = {indices}, shape = {..} }. The shapes of a key's index arrays broadcast.

local function product(shape)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  return n
end

-- The key for real brackets; `arrays` collects the index arrays.
local function real_key(parts, arrays)
  local key = {}
  for i, p in ipairs(parts) do
    if p.list then
      arrays[#arrays + 1] = nd.array(p.list, { dtype = "int32" }):reshape(p.shape)
      key[i] = arrays[#arrays]
    elseif p.new then key[i] = nd.NULL
    elseif p.rest then key[i] = "..."
    elseif p.at then key[i] = p.at
    else key[i] = { p.from or nd.NULL, p.to or nd.NULL, p.step or 1 } end
  end
  return key
end

-- The indices that begin:end:step selects on an axis of n.
local function slice_places(p, n)
  local places, step = {}, p.step or 1
  local function bound(v, low, high)
    if v < 0 then v = v + n end
    return math.max(low, math.min(high, v))
  end
  if step > 0 then
    for i = bound(p.from or 0, 0, n), (p.to and bound(p.to, 0, n) or n) - 1, step do places[#places + 1] = i end
  else
    for i = p.from and bound(p.from, -1, n - 1) or n - 1, (p.to and bound(p.to, -1, n - 1) or -1) + 1, step do
      places[#places + 1] = i
    end
  end
  return places
end

-- The result's shape, and for each of its elements in order the position in x (from 1).
local function select(parts, shape)
  local used, axes, list, chosen = 0, {}, {}, {}
  for _, p in ipairs(parts) do if not p.new and not p.rest then used = used + 1 end end
  local has_rest, has_list = false, false
  for _, p in ipairs(parts) do has_rest = has_rest or p.rest has_list = has_list or p.list ~= nil end
  local function whole() for _ = 1, #shape - used do list[#list + 1] = {} end end
  for _, p in ipairs(parts) do if p.rest then whole() else list[#list + 1] = p end end
  if not has_rest then whole() end
  for _, p in ipairs(list) do          -- the broadcast shape of the index arrays
    for i = 1, p.list and #p.shape or 0 do
      local from_end = #p.shape - i
      while #chosen <= from_end do table.insert(chosen, 1, 1) end
      local at = #chosen - from_end
      if p.shape[i] ~= 1 then chosen[at] = p.shape[i] end
    end
  end
  -- the axes of the result: { n =, places =, axis = }; the axes of all index arrays share one entry
  local first, state, axis = nil, "before", 0
  for _, p in ipairs(list) do
    local chooses = has_list and (p.list or p.at)
    if chooses then
      if state == "apart" then first = 1 elseif state == "before" then first, state = #axes + 1, "among" end
    elseif state == "among" then state = "apart" end
    if not p.new then axis = axis + 1 p.axis = axis end
    if p.new then axes[#axes + 1] = { n = 1 }
    elseif not p.at and not p.list then
      local places = slice_places(p, shape[axis])
      axes[#axes + 1] = { n = #places, places = places, axis = axis }
    end
  end
  if has_list then table.insert(axes, first, { n = product(chosen), arrays = true }) end
  local out = {}
  for _, a in ipairs(axes) do
    if a.arrays then table.move(chosen, 1, #chosen, #out + 1, out) else out[#out + 1] = a.n end
  end
  if #out == 0 and not has_list then out = { 1 } end
  local elements, at = {}, {}
  local function array_place(p, flat)            -- the index in array p at position `flat` of shape `chosen`
    local place, step = 0, 1
    for i = #chosen, 1, -1 do
      local digit = flat % chosen[i]
      flat = flat // chosen[i]
      local d = p.shape[#p.shape - (#chosen - i)]
      if d then place, step = place + (d == 1 and 0 or digit) * step, step * d end
    end
    return p.list[place + 1]
  end
  local function walk(k)
    if k <= #axes then
      for i = 0, axes[k].n - 1 do at[k] = i walk(k + 1) end
      return
    end
    local where = {}
    for i, a in ipairs(axes) do if a.axis then where[a.axis] = a.places[at[i] + 1] end end
    for i, a in ipairs(axes) do
      if a.arrays then for _, p in ipairs(list) do if p.list then where[p.axis] = array_place(p, at[i]) end end end
    end
    for _, p in ipairs(list) do if p.at then where[p.axis] = p.at end end
    local place = 0
    for i = 1, #shape do place = place * shape[i] + (where[i] < 0 and where[i] + shape[i] or where[i]) end
    elements[#elements + 1] = place + 1
  end
  walk(1)
  return out, elements
end

-- ---- Keys -------------------------------------------------------------------------------------------------

local S = {}                                      -- ":"
local function slice(from, to, step) return { from = from, to = to, step = step } end
local function at(i) return { at = i } end
local function list(places, shape) return { list = places, shape = shape or { #places } } end
local NEW, REST = { new = true }, { rest = true }

local SHAPE = { 3, 4, 5 }
local KEYS = {
  {}, { at(1) }, { at(-1), at(2) }, { at(0), at(-4), at(4) }, { slice(1, 3) }, { slice(nil, nil, 2) },
  { slice(nil, nil, -1) }, { S, slice(3, 0, -2) }, { S, S, slice(-2) }, { slice(2, 1) },
  { at(1), slice(1, 2), slice(nil, nil, 4) }, { slice(1, 2), at(1), S },
  { NEW }, { S, NEW, at(1) }, { REST, at(2) }, { at(0), REST, NEW }, { REST }, { NEW, at(0), at(1), at(2), NEW },
  { list { 2, 0, 2 } }, { list({ 1, 0, 1, -1 }, { 2, 2 }) }, { list { -3 }, list { 1, 1, 3 } }, { S, list { 3, 0 } },
  { S, S, list { 4, 4, 0 } }, { list({ 0, 2 }, { 2, 1 }), list { 1, 3, 1 } }, { list { 0, 1 }, S, list { 4, 2 } },
  { at(1), S, list { 0, 0 } }, { S, at(3), list { 0, 1, 0 } }, { list { 0, 2 }, NEW, list { 1, 1 } },
  { slice(0, 2), list { 1, 0 }, slice(nil, nil, -2) }, { list { 2, 2 }, S, slice(1, 3) },
  { REST, list { 1, 4 } }, { list { 1, 1 }, list { 0, 0 }, list { 3, 3 } },
  { slice(nil, nil, 2), list({ 1 }, {}), slice(1, 4) }, { S, list { 1, 3 }, NEW, list { 0, 4 } },
  { NEW, list { 1, 2 }, S, list { 0, 4 } }, { S, at(2), NEW, list { 1, 1, 0 } }, { list({}, { 0 }) },
  { slice(2, 1), list { 0, 1 } }, { at(2), list { 1, 3 } }, { NEW, list { 1, 0 }, S, NEW },
}

-- Random keys, the same in each run.
local seed = 7
local function draw(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end

local function random_part(n, length)
  local kind = draw(6)
  if kind == 0 then return at(draw(2 * n) - n) end
  if kind == 1 or kind == 2 then
    local places = {}
    for i = 1, length do places[i] = draw(2 * n) - n end
    return kind == 1 and list(places) or list({ places[1] }, { 1 })
  end
  if kind == 3 then return S end
  return slice(draw(2 * n) - n, draw(2 * n) - n, ({ 1, 2, -1, -2 })[draw(4) + 1])
end

for _ = 1, 60 do
  local key, length = {}, draw(3) + 1
  for i = 1, draw(3) + 1 do
    if draw(5) == 0 then key[#key + 1] = NEW end
    key[#key + 1] = random_part(SHAPE[i], length)
  end
  KEYS[#KEYS + 1] = key
end

-- ---- Checks --------------------------------------------------------------------------------------------------

local function text_of(parts)
  local out = {}
  for i, p in ipairs(parts) do
    out[i] = p.list and ("[%s]"):format(table.concat(p.list, " ")) or p.new and "None" or p.rest and "..." or
      p.at and tostring(p.at) or
             ("%s:%s:%s"):format(p.from or "", p.to or "", p.step or "")
  end
  return table.concat(out, ", ")
end

local N = product(SHAPE)
local function numbers() return nd.arange(N):reshape(SHAPE) end
local function as_array(values, shape) return #values > 0 and nd.array(values):reshape(shape) or nd.zeros(shape) end

-- fn's value, and its gradient for the head gradient `weights`.
local function with_gradient(fn, x, weights)
  x:attach_grad()
  local y = autograd.record(function() return fn(x) end)
  y:backward(weights)
  return y, x.grad
end

describe("x[key] of shape (3, 4, 5)", function()
  for _, parts in ipairs(KEYS) do
    it("matches the model: " .. text_of(parts), function()
      local arrays = {}
      local key = real_key(parts, arrays)
      local shape, elements = select(parts, SHAPE)
      local values, weights, sums = {}, {}, {}
      for i = 1, N do sums[i] = 0 end
      for i, e in ipairs(elements) do
        values[i], weights[i] = e - 1, 0.5 + i
        sums[e] = sums[e] + weights[i]
      end
      local expected, w, gradient = as_array(values, shape), as_array(weights, shape), as_array(sums, SHAPE)
      local read = function(v) return v[key] end
      assert.bits(expected, numbers()[key])
      for _, fn in ipairs { read, hl.compile(function(_, v) return v[key] end) } do
        local y, g = with_gradient(fn, numbers(), w)
        assert.bits(expected, y)
        assert.bits(gradient, g)
      end

      -- a file has only MXNet's operators if shapes are known, and always computes the same
      for _, known in ipairs { false, true } do
        local given, k = { x = numbers() }, {}
        local function var(name) return sym.var(name, { shape = known and given[name].shape or nil }) end
        for i, p in ipairs(parts) do
          k[i] = key[i]
          if p.list then
            given["i" .. i] = key[i]
            k[i] = var("i" .. i)
          end
        end
        local s = var "x"[k]
        local json = s:tojson()
        assert.bits(expected, s:eval(given)[1])
        assert.bits(expected, sym.load_json(json):eval(given)[1])
        if known then assert.is_nil(json:find('"_index', 1, true)) end
      end

      -- values to write: a number, an array of the same shape, one that broadcasts, one of another dtype
      local function written(value_at, value)
        local t = numbers():reshape { -1 }:totable()
        for i, e in ipairs(elements) do t[e] = value_at(i) end
        local x = numbers()
        x[key] = value
        assert.bits(as_array(t, SHAPE), x)
      end
      written(function() return -7.5 end, -7.5)
      written(function(i) return weights[i] end, w)
      written(function() return 9 end, nd.array({ 9 }, { dtype = "int64" }))
      local last = shape[#shape] or 1
      if last > 0 then
        local row = nd.arange(100, 100 + last)
        written(function(i) return 100 + (i - 1) % last end, row)
        written(function(i) return 100 + (i - 1) % last end, row:reshape { 1, last }:astype "float64")
      end
    end)
  end
end)

describe("many indices", function()
  it("are read, added and written in the order of the indices, strided or not", function()
    local n, places = 1000, {}
    for i = 1, n do places[i] = draw(80) - 40 end
    local idx = nd.array(places, { dtype = "int32" })
    for _, columns in ipairs { "", ", 1:3", ", ::-2", ", 1" } do
      local x = nd.random.normal { shape = { 40, 6 } }
      local part = x[":" .. columns]
      local key = { idx, columns ~= "" and columns:sub(3) or nil }
      if columns == ", 1" then key[2] = 1 end
      local y, g = with_gradient(function(v) return v[key] end, x, nil)
      local taken, taken_g = with_gradient(function(v) return nd.take(v, idx, { mode = "raise" }) end, part:copy(), nil)
      assert.bits(taken, y)
      assert.bits(taken_g, g[":" .. columns])
      local values = nd.random.normal { shape = y.shape }
      local z = x:copy()
      z[key] = values
      for i, p in ipairs(places) do part[{ p }] = values[i - 1] end
      assert.bits(part, z[":" .. columns])
      z[key] = nd.array { 5 }
      assert.bits(nd.full(y.shape, 5), z[key])
    end
  end)
end)

describe("index_assign", function()
  it("infers nothing from an index array of unknown shape", function()
    local a, b, i = sym.var "a", sym.var "b", sym.var "i"
    local y = sym.index_assign(a, b, i, { key = "0, @" })
    local shapes = y:infer_shape_partial { a = { 16, 3 }, b = { 1 } }
    assert.same({ 16, 3 }, shapes[1])
  end)

  it("has gradients for the remaining elements of both operands", function()
    for _, parts in ipairs(KEYS) do
      local arrays = {}
      real_key(parts, arrays)
      local texts = {}
      for i, p in ipairs(parts) do
        texts[i] = p.list and "@" or p.new and "None" or p.rest and "..." or p.at and tostring(p.at) or
                   ("%s:%s:%s"):format(p.from or "", p.to or "", p.step or 1)
      end
      local shape, elements = select(parts, SHAPE)
      local owner, kept, of_value = {}, {}, {}
      for i, e in ipairs(elements) do owner[e] = i end
      for e = 1, N do kept[e] = owner[e] and 0 or e end
      for i, e in ipairs(elements) do of_value[i] = owner[e] == i and e or 0 end
      local x, value = numbers(), nd.zeros(shape)
      x:attach_grad()
      value:attach_grad()
      local operands = { x, value, table.unpack(arrays) }
      operands[#operands + 1] = { key = #texts > 0 and table.concat(texts, ", ") or "..." }
      local y = autograd.record(function() return nd.index_assign(table.unpack(operands)) end)
      y:backward(nd.arange(1, N + 1):reshape(SHAPE))
      assert.bits(as_array(kept, SHAPE), x.grad)
      assert.bits(as_array(of_value, shape), value.grad)
    end
  end)

  it("does not change its operands, and sums the gradient of a value that broadcasts", function()
    local x, v = nd.zeros { 2, 3 }, nd.array { 5 }
    v:attach_grad()
    local y = autograd.record(function() return nd.index_assign(x, v, { key = ":, 1:" }) end)
    y:backward()
    assert.same({ { 0, 5, 5 }, { 0, 5, 5 } }, y:totable())
    assert.same({ { 0, 0, 0 }, { 0, 0, 0 } }, x:totable())
    assert.same({ 4 }, v.grad:totable())
  end)

  it("accepts a mask as the whole key", function()
    local x, mask = nd.zeros { 2, 2 }, nd.array({ { 1, 0 }, { 0, 1 } }, { dtype = "bool" })
    assert.same({ { 1, 0 }, { 0, 2 } }, nd.index_assign(x, nd.array { 1, 2 }, mask, { key = "@" }):totable())
  end)
end)
