-- brackets_spec.lua - brackets: reading and writing by every kind of key, for arrays, on the tape and for Symbols, and
-- errors for indices out of range.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

-- 0, 1, 2, ... as (3, 4), and as (2, 3, 4)
local function matrix() return nd.arange(12):reshape(3, 4) end
local function cube() return nd.arange(24):reshape(2, 3, 4) end
local function mask(t) return nd.array(t, { dtype = "bool" }) end
local function shape_of(x) return "(" .. table.concat(x.shape, ",") .. ")" end

-- Reads in three ways: off the tape, on it, and by a Symbol.
local function read_all_ways(x, key)
  local plain = x[key]
  local y = nd.identity(x)
  y:attach_grad()
  local recorded = autograd.record(function() return y[key] end)
  assert.bits(plain, recorded)
  recorded:backward()
  local marks = nd.zeros(x.shape)
  marks[key] = 1
  assert.bits(marks, y.grad)
  assert.bits(plain, hl.compile(function(_, a) return a[key] end)(x))
  if type(key) == "userdata" then return plain end      -- a Symbol cannot be indexed with an array
  local known = sym.var("s", { shape = x.shape })[key]
  assert.bits(plain, known:eval { s = x }[1])
  assert.bits(plain, sym.var "s"[key]:eval { s = x }[1])
  return plain
end

describe("reading", function()
  for _, case in ipairs {
    { 1, "(3,4)", { 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 } },
    { -2, "(3,4)", { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 } },
    { { 1, 2 }, "(4)", { 20, 21, 22, 23 } },
    { { 1, -1, 0 }, "(1)", { 20 } },
    { { 1, { 2, 5 }, {} }, "(1,4)", { 20, 21, 22, 23 } },
    { { {}, {}, { 0, 10, 2 } }, "(2,3,2)", { 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 } },
    { "1:3", "(1,3,4)", { 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 } },
    { "0, 1:3, ::2", "(2,2)", { 4, 6, 8, 10 } },
    { "::-1, 0, 0", "(2)", { 12, 0 } },
    { " -1 , : , -1 ", "(3)", { 15, 19, 23 } },
    { { "0:1", 2, "3:0:-2" }, "(1,2)", { 11, 9 } },
    { { { nd.NULL, 1 }, { -1 }, { nd.NULL, nd.NULL, 3 } }, "(1,1,2)", { 8, 11 } },
    { { {}, { 5, 9 } }, "(2,0,4)", {} },
    { {}, "(2,3,4)", nil },
  } do
    it("x[" .. (type(case[1]) == "table" and "{...}" or tostring(case[1])) .. "] of shape " .. case[2], function()
      local y = read_all_ways(cube(), case[1])
      assert.equal(case[2], shape_of(y))
      if case[3] then assert.same(case[3], y:reshape(-1):totable()) end
    end)
  end

  it("selects rows by an array of indices", function()
    local y = read_all_ways(matrix(), nd.array { 2, 0 })
    assert.same({ { 8, 9, 10, 11 }, { 0, 1, 2, 3 } }, y:totable())
    assert.same({ 8, 9, 10, 11 }, matrix()[nd.array({ -1 }, { dtype = "int64" })][0]:totable())
    assert.equal("(2,2,4)", shape_of(matrix()[nd.array { { 0, 1 }, { 1, 2 } }]))
    local x = matrix()
    x:attach_grad()
    autograd.record(function() return x[nd.array { 1, 1, -1 }] end):backward()
    assert.same({ { 0, 0, 0, 0 }, { 2, 2, 2, 2 }, { 1, 1, 1, 1 } }, x.grad:totable())
  end)

  it("selects the elements that a mask marks", function()
    local x = matrix()
    assert.same({ { 0, 1, 2, 3 }, { 8, 9, 10, 11 } }, x[mask { 1, 0, 1 }]:totable())
    assert.same({ 10, 11 }, x[x:greater(9):astype "bool"]:totable())
    assert.equal("(0,4)", shape_of(x[mask { 0, 0, 0 }]))
    x:attach_grad()
    autograd.record(function() local y = x[x:greater(9):astype "bool"] return (y * y):sum() end):backward()
    assert.same({ 0, 0, 20, 22 }, x.grad[2]:totable())
  end)

  it("iterates over rows, and has the length of axis 0", function()
    local seen = {}
    for i, row in pairs(matrix()) do seen[i] = row[0]:asscalar() end
    assert.same({ [0] = 0, [1] = 4, [2] = 8 }, seen)
    assert.equal(3, #matrix())
    assert.raises(function() for _ in ipairs(matrix()) do end end, "write for i, row in pairs%(x%) do")
  end)
end)

describe("reading with arrays among the axes", function()
  local r, c, col = nd.array({ 0, 1, 1 }, { dtype = "int32" }), nd.array { 2, 0, -1 }, nd.array { { 0 }, { 1 } }
  local b, b2 = mask { 1, 0, 1 }, mask { { 1, 0, 0 }, { 0, 1, 1 } }

  -- NumPy 1.23's results for the same keys.
  for i, case in ipairs {
    { { {}, c }, "(2, 3, 4)",
      { 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23, 12, 13, 14, 15, 20, 21, 22, 23 } },
    { { r, c }, "(3, 4)", { 8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23 } },
    { { r, {}, c }, "(3, 3)", { 2, 6, 10, 12, 16, 20, 15, 19, 23 } },
    { { 0, {}, r }, "(3, 3)", { 0, 4, 8, 1, 5, 9, 1, 5, 9 } },
    { { {}, 0, r }, "(2, 3)", { 0, 1, 1, 12, 13, 13 } },
    { { "...", c, r }, "(2, 3)", { 8, 1, 9, 20, 13, 21 } },
    { { r, "...", 0 }, "(3, 3)", { 0, 4, 8, 12, 16, 20, 12, 16, 20 } },
    { { col, c }, "(2, 3, 4)",
      { 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23, 12, 13, 14, 15, 20, 21, 22, 23 } },
    { { nd.NULL, r, c, "1:3" }, "(1, 3, 2)", { 9, 10, 13, 14, 21, 22 } },
    { { r, nd.NULL, c }, "(3, 1, 4)", { 8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23 } },
    { { 1, c, -1 }, "(3,)", { 23, 15, 23 } },
    { { {}, b }, "(2, 2, 4)", { 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23 } },
    { { "...", b, 0 }, "(2, 2)", { 0, 8, 12, 20 } },
    { { b2 }, "(3, 4)", { 0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23 } },
    { { b2, {2} }, "(3, 2)", { 2, 3, 18, 19, 22, 23 } },
    { { {}, c, { 3, nd.NULL, -2 } }, "(2, 3, 2)", { 11, 9, 3, 1, 11, 9, 23, 21, 15, 13, 23, 21 } },
    { { r, c, c }, "(3,)", { 10, 12, 23 } },
  } do
    it(("matches NumPy in elements and shape (%d: %s)"):format(i, case[2]), function()
      local x, key, shape, elements = cube(), table.unpack(case)
      local y = x[key]
      assert.equal(shape, tostring(y.shape))
      assert.same(elements, y:reshape(-1):totable())
      local marks = nd.zeros(x.shape)                 -- number of reads of each element
      for _, element in ipairs(elements) do marks:reshape { -1 }[element] = marks:reshape(-1)[element] + 1 end
      local function gradient(fn)
        local v = cube()
        v:attach_grad()
        autograd.record(function() return fn(v) end):backward()
        return v.grad
      end
      assert.bits(marks, gradient(function(v) return v[key] end))
      local compiled = hl.compile(function(_, v) return v[key] end)
      if case[1][1] ~= b2 and case[1][2] ~= b then
        assert.bits(y, compiled(x))
        assert.bits(marks, gradient(compiled))
      else
        assert.raises(function() compiled(x) end, "index: a mask cannot be used on Symbols")
      end
    end)

    it(("writes to the elements that it reads (%d)"):format(i), function()
      local x, key, shape, elements = cube(), table.unpack(case)
      x[key] = -1
      local expected = cube():reshape { -1 }
      for _, element in ipairs(elements) do expected[element] = -1 end
      assert.bits(expected:reshape { 2, 3, 4 }, x)
      local values = nd.arange(100, 100 + #elements):reshape(x[key].shape)
      x[key] = values
      local last = {}                                 -- an element named twice keeps the last value
      for k, element in ipairs(elements) do last[element] = 99 + k end
      for k, element in ipairs(elements) do elements[k] = last[element] end
      assert.same(elements, x[key]:reshape(-1):totable(), shape)
    end)
  end

  it("accepts values that broadcast, tables, and int64 exactly", function()
    local x = matrix()
    x[{ {}, nd.array { 0, 2 } }] = { 7, 8 }
    assert.same({ { 7, 1, 8, 3 }, { 7, 5, 8, 7 }, { 7, 9, 8, 11 } }, x:totable())
    x[{ nd.array { 0, 1 }, nd.array { 1, 1 } }] = nd.array { { { 5, 6 } } }
    assert.same({ { 7, 5, 8, 3 }, { 7, 6, 8, 7 } }, x["0:2"]:totable())
    local whole = nd.zeros({ 2, 2 }, { dtype = "int64" })
    whole[{ 0, nd.array { 1 } }] = { 9007199254740993 }
    assert.same({ { 0, 9007199254740993 }, { 0, 0 } }, whole:totable())
  end)

  it("accepts indices as arguments and captured in compiled functions, and as Symbols", function()
    local f = hl.compile(function(_, v, i, k) return v[{ i, {}, k }] end)
    assert.bits(cube()[{ r, {}, c }], f(cube(), r, c))
    local s = sym.var("x", { shape = { 2, 3, 4 } })[{ sym.var("i", { shape = { 3 }, dtype = "int32" }), {},
      sym.var("k", { shape = { 3 } }) }]
    assert.bits(cube()[{ r, {}, c }], s:eval { x = cube(), i = r, k = c }[1])
  end)

  it("rejects indices that do not fit", function()
    local x = cube()
    for pattern, fn in pairs {
      ["index: expected at most 3 axes for shape %(2, 3, 4%), got 4"] = function() return x[{ r, r, r, 0 }] end,
      ["index: expected arrays of shapes that broadcast together, got %(3,%) and %(2,%)"] = function()
        return x[{ r, nd.array { 0, 1 } }]
      end,
      ["index: expected a mask of shape %(2,%), got %(3,%)"] = function() return x[{ b, 0 }] end,
      ["index: expected at most one \"...\""] = function() return x[{ "...", r, "..." }] end,
      ["index: 2 is out of range for axis 0 of shape %(2, 3, 4%): expected %-2 to 1"] = function()
        return x[{ nd.array { 2 }, 0 }]
      end,
      ["index: %-3 is out of range for axis 0 of shape %(2, 3, 4%): expected %-2 to 1"] = function()
        x[{ nd.array { -3 }, 0 }] = 1
      end,
      ["index: 7 is out of range for axis 1"] = function() return x[{ r, 7 }] end,
      ["assignment: expected a value of shape %(3, 4%) .* broadcasts to it, got %(2,%)"] = function()
        x[{ r, c }] = { 1, 2 }
      end,
      ["a recorded computation cannot be written in place"] = function()
        x:attach_grad()
        autograd.record(function() x[{ r, c }] = 1 end)
      end,
    } do assert.raises(fn, "brackets_spec.lua:%d+: .*" .. pattern) end
    assert.bits(cube(), x)
  end)
end)

describe("new axes and the rest", function()
  for _, case in ipairs {
    { "..., 0", "(2, 3)" }, { "0, ..., 1:3", "(3, 2)" }, { "...", "(2, 3, 4)" }, { "None, :", "(1, 2, 3, 4)" },
    { "..., None", "(2, 3, 4, 1)" },
    { ":, None, 1", "(2, 1, 4)" }, { "1, 2, 3, None", "(1,)" }, { "None, 1, 2, 3, None", "(1, 1)" },
    { { nd.NULL, "...", 0, nd.NULL }, "(1, 2, 3, 1)" },
    { { 0, "None", { 1, 3 } }, "(1, 2, 4)" }, { "None", "(1, 2, 3, 4)" }, { nd.NULL, "(1, 2, 3, 4)" },
  } do
    it(tostring(type(case[1]) == "table" and "{...}" or case[1]) .. " of (2, 3, 4) is " .. case[2], function()
      local x, key = cube(), case[1]
      local y = x[key]
      assert.equal(case[2], tostring(y.shape))
      assert.bits(y, hl.compile(function(_, v) return v[key] end)(x))
      assert.bits(y, sym.var("s", { shape = { 2, 3, 4 } })[key]:eval { s = x }[1])
      local recorded = nd.identity(x)
      recorded:attach_grad()
      local z = autograd.record(function() return recorded[key] end)
      assert.bits(y, z)
      z:backward()
      local marks = nd.zeros(x.shape)
      marks[key] = nd.ones(y.shape)
      assert.bits(marks, recorded.grad)
    end)
  end

  it("need the number of axes only when the Symbol is bound", function()
    for key, shape in pairs { ["None, ..."] = { 1, 2, 3 }, ["..., 0"] = { 2 }, ["..., None"] = { 2, 3, 1 } } do
      assert.same(shape, sym.var "s"[key]:eval { s = nd.zeros { 2, 3 } }[1].shape)
    end
  end)
end)

describe("a float array that may be a mask", function()
  it("is refused in reading and writing, with a suggestion", function()
    local x = nd.array { 1, 5, 2, 7 }
    local fix = "cast it, to bool for a mask %(mask:astype \"bool\"%), to int32 for indices"
    assert.raises(function() return x[x:greater(3)] end,
                  "brackets_spec.lua:%d+: index: a float32 array .* only 0 and 1",
      fix)
    assert.raises(function() x[x:greater(3)] = -1 end, fix)
    assert.same({ 1, 5, 2, 7 }, x:totable())
    assert.same({ 5, 7 }, x[x:greater(3):astype "bool"]:totable())
    assert.same({ 1, 5, 1, 5 }, x[x:greater(3):astype "int32"]:totable())
    -- their shape or values show that these are indices
    assert.same({ 2, 1, 5 }, x[nd.array { 2, 0, 1 }]:totable())
    assert.same({ 2, 7, 5, 1 }, x[nd.array { 2, 3, 1, 0 }]:totable())
    assert.same({ 0 }, nd.zeros { 0 }[nd.zeros { 0 }].shape)
  end)
end)

describe("reading out of range", function()
  for key, pattern in pairs {
    [2] = "index: 2 is out of range for axis 0 of shape %(2, 3, 4%): expected %-2 to 1",
    [-3] = "index: %-3 is out of range for axis 0 of shape %(2, 3, 4%): expected %-2 to 1",
    ["0, 3"] = "index: 3 is out of range for axis 1 of shape %(2, 3, 4%): expected %-3 to 2",
    ["0, 0, 0, 0"] = "index: expected at most 3 axes for shape %(2, 3, 4%), got 4",
    ["1:2:0"] = "index: expected a step other than 0 for axis 0",
    ["1;2"] = "index: '1;2' is not a field, a method or a slice such as \"1:3, ::2\"",
    reshap = "index: 'reshap' is not a field",
    [1.5] = "index: expected an integer, got 1.5",
    [true] = "index: expected an integer, a slice, a table of these or an NDArray, got a boolean",
  } do
    it("x[" .. tostring(key) .. "]", function()
      assert.raises(function() return cube()[key] end, "brackets_spec.lua:%d+: " .. pattern)
      assert.raises(function() return sym.var("s", { shape = { 2, 3, 4 } })[key] end,
                    "brackets_spec.lua:%d+: " .. pattern)
    end)
  end

  it("is an error for arrays as keys and odd tables", function()
    local x = matrix()
    assert.raises(function() return x[nd.array { 0, 3 }] end,
      "index: 3 is out of range for axis 0 of shape %(3, 4%): expected %-3 to 2")
    assert.raises(function() return x[mask { 1, 0 }] end, "index: expected shape %(3,%), got %(2,%)")
    assert.raises(function() return x[{ 0, { 1.5 } }] end, "index: expected an integer, got 1.5")
    assert.raises(function() return nd.zeros { 0, 2 }[0] end,
      "index: 0 is out of range for axis 0 of shape %(0, 2%), which is empty")
    assert.raises(function() return nd.zeros {}[0] end, "index: expected at most 0 axes for shape %(%), got 1")
    assert.raises(function() return sym.var "s"[7]:eval { s = x } end,
      "index: 7 is out of range for axis 0 of shape %(3, 4%): expected %-3 to 2")
    assert.raises(function() return sym.var "s"[mask { 1 }] end, "a mask cannot be used on Symbols")
    assert.raises(function() hl.compile(function(_, a, i) return a[i] end)(x, nd.array { 3 }) end,
      "index: 3 is out of range for axis 0 of shape %(3, 4%): expected %-3 to 2")
  end)
end)

describe("writing", function()
  local function written(fn, x)
    x = x or matrix()
    fn(x)
    return x:totable()
  end

  it("sets numbers, rows, columns and parts", function()
    assert.same({ { 0, 1, 2, 3 }, { 9, 9, 9, 9 }, { 8, 9, 10, 11 } }, written(function(x) x[1] = 9 end))
    assert.same({ { 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 8, 9, 10, 77 } }, written(function(x) x[{ -1, -1 }] = 77 end))
    assert.same({ { 1, 1, 2, 3 }, { 3, 5, 4, 7 }, { 8, 9, 10, 11 } },
      written(function(x) x["0:2, ::2"] = { { 1, 2 }, { 3, 4 } } end))
    assert.same({ { 7, 1, 2, 3 }, { 8, 5, 6, 7 }, { 9, 9, 10, 11 } },
      written(function(x) x[{ {}, 0 }] = { 7, 8, 9 } end))
    assert.same({ { 7, 1, 2, 3 }, { 8, 5, 6, 7 }, { 9, 9, 10, 11 } },
      written(function(x) x[{ {}, 0 }] = nd.array { { 7, 8, 9 } } end))
    assert.same({ { 3, 2, 1, 0 }, { 4, 5, 6, 7 }, { 8, 9, 10, 11 } },
      written(function(x) x["0, ::-1"] = { 0, 1, 2, 3 } end))
    assert.same(matrix():totable(), written(function(x) x["5:9"] = 1 end))
  end)

  it("sets all elements, in three forms", function()
    for i, fn in ipairs { function(x, v) x[{}] = v end, function(x, v) x:set(v) end, function(x, v) x[":"] = v end } do
      assert.same({ { 1, 2, 3, 4 }, { 1, 2, 3, 4 }, { 1, 2, 3, 4 } }, written(function(x) fn(x, { 1, 2, 3, 4 }) end))
      assert.same({ { 1, 1, 1, 1 }, { 2, 2, 2, 2 }, { 3, 3, 3, 3 } },
        written(function(x) fn(x, nd.array { { 1 }, { 2 }, { 3 } }) end))
      if i < 3 then assert.equal(5, written(function(x) fn(x, 5) end, nd.zeros {})) end      -- ":" needs an axis
    end
  end)

  it("sets rows by indices and masks, with values that broadcast", function()
    assert.same({ { 5, 5, 5, 5 }, { 4, 5, 6, 7 }, { 5, 5, 5, 5 } }, written(function(x) x[nd.array { 0, 2 }] = 5 end))
    assert.same({ { 1, 2, 3, 4 }, { 4, 5, 6, 7 }, { 1, 2, 3, 4 } },
      written(function(x) x[nd.array { 0, -1 }] = { 1, 2, 3, 4 } end))
    assert.same({ { 1, 1, 1, 1 }, { 4, 5, 6, 7 }, { 2, 2, 2, 2 } },
      written(function(x) x[nd.array { 0, 2 }] = { { 1 }, { 2 } } end))
    assert.same({ { 1, 1, 1, 1 }, { 4, 5, 6, 7 }, { 2, 2, 2, 2 } },
      written(function(x) x[mask { 1, 0, 1 }] = { { 1 }, { 2 } } end))
    assert.same({ { 0, 1, 2, 3 }, { 4, 5, 1, 2 }, { 3, 4, 5, 6 } },
      written(function(x) x[x:greater(5):astype "bool"] = { 1, 2, 3, 4, 5, 6 } end))
    assert.same({ { 0, 1, 2, 3 }, { 4, 5, 0, 0 }, { 0, 0, 0, 0 } },
      written(function(x) x[x:greater(5):astype "bool"] = 0 end))
    assert.same(matrix():totable(), written(function(x) x[mask { 0, 0, 0 }] = 9 end))
  end)

  it("converts values of other dtypes exactly", function()
    assert.same({ 9007199254740993, 0 },
      written(function(x) x[0] = 9007199254740993 end, nd.zeros({ 2 }, { dtype = "int64" })))
    assert.same({ 0.1, 0.2 }, written(function(x) x[{}] = { 0.1, 0.2 } end, nd.zeros({ 2 }, { dtype = "float64" })))
    assert.same({ true, false }, written(function(x) x[0] = true end, nd.zeros({ 2 }, { dtype = "bool" })))
    assert.same({ 1.5, 0 }, written(function(x) x[0] = 1.5 end, nd.zeros({ 2 }, { dtype = "float16" })))
    assert.same({ 2, 3 }, written(function(x) x[{}] = nd.array { 2.9, 3.1 } end, nd.zeros({ 2 }, { dtype = "int32" })))
  end)

  it("accepts parts of the array itself as the value", function()
    assert.same({ { 0, 1, 2, 3 }, { 0, 1, 2, 3 }, { 4, 5, 6, 7 } }, written(function(x) x["1:3"] = x["0:2"] end))
    assert.same({ { 8, 9, 10, 11 }, { 4, 5, 6, 7 }, { 0, 1, 2, 3 } }, written(function(x) x["::-1"] = x end))
    assert.same({ 100, 100 }, written(function(x) x[x] = 100 end, nd.array({ 1, 0 }, { dtype = "int32" })))
    assert.same({ false, false, false }, written(function(x) x[x] = false end, mask { 1, 0, 1 }))
  end)

  it("writes through views", function()
    local x = matrix()
    local row, flat = x[1], x:reshape(-1)
    row[{}] = 0
    flat[0] = -1
    assert.same({ { -1, 1, 2, 3 }, { 0, 0, 0, 0 }, { 8, 9, 10, 11 } }, x:totable())
  end)

  it("rejects values that do not fit, and leaves the array unchanged", function()
    local x = matrix()
    for pattern, fn in pairs {
      ["index: 5 is out of range for axis 0 of shape %(3, 4%): expected %-3 to 2"] = function() x[5] = 1 end,
      ["index: 9 is out of range for axis 1"] = function() x[{ 0, 9 }] = 1 end,
      ["index: 3 is out of range for axis 0 of shape %(3, 4%): expected %-3 to 2"] = function()
        x[nd.array { 0, 3 }] = 1
      end,
      ["assignment: expected a value of shape %(1, 4%) or one that broadcasts to it, got %(3,%)"] = function()
        x["1:2"] = { 1, 2, 3 }
      end,
      ["assignment: expected a value of shape %(2, 4%) or one that broadcasts to it, got %(3,%)"] = function()
        x[mask { 1, 0, 1 }] = { 1, 2, 3 }
      end,
      ["assignment: expected a mask of shape %(3, 4%) or its first axes, got %(4,%)"] = function()
        x[mask { 1, 0, 1, 1 }] = 1
      end,
      ["assignment: expected a number, an NDArray or a table of numbers, got a string"] = function() x[1] = "a" end,
    } do assert.raises(fn, "brackets_spec.lua:%d+: " .. pattern) end
    assert.bits(matrix(), x)
    assert.raises(function() sym.var "s"[0] = 1 end, "x%[...%] = ... needs values")
  end)

  it("is refused if a gradient would be wrong", function()
    local x, buffer = matrix(), nd.zeros { 3, 4 }
    x:attach_grad()
    assert.raises(function() autograd.record(function() x[0] = 1 end) end,
      "part of a recorded computation cannot be written in place")
    assert.raises(function() autograd.record(function() buffer[0] = x[0] end) end,
      "would lose its gradient here; .* F.concat, F.stack or F.where")
    autograd.record(function() buffer[0] = x[0]:detach() end)
    assert.same({ 0, 1, 2, 3 }, buffer[0]:totable())
    local y = autograd.record(function() return (x * x):sum() end)
    x[0] = 1
    assert.raises(function() y:backward() end, "overwritten in place at .*brackets_spec.lua:%d+ after it was used")
  end)
end)
