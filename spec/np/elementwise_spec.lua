-- elementwise_spec.lua - every elementwise function that is an operator (hybridlua/np/ufuncs.lua is the list): operands
-- of shape (), empty operands, and all pairs of dtypes, eager and compiled to the bit.
local hl = require "hybridlua"
local rows = require "hybridlua.np.ufuncs"
local np, nd = hl.np, hl.nd

local DTYPES = { "bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64" }

local function shape_of(x) return table.move(x.shape, 1, #x.shape, 1, {}) end

-- How many operands a function has: the least with which it does not ask for more.
local function arity(fn)
  local x = np.ones({ 2 }, { dtype = "int32" })
  return pcall(fn, x) and 1 or 2
end

-- The result of a call, eager and compiled, which must agree.
local function both(name, fn, ...)
  local eager = fn(...)
  local compiled = hl.compile(function(_, ...) return fn(...) end)(...)
  assert.equal(eager.dtype, compiled.dtype, name)
  assert.same(shape_of(eager), shape_of(compiled), name)
  assert.equal(eager:tobytes(), compiled:tobytes(), name)
  assert.is_true(hl.isinstance(eager, np.ndarray) and hl.isinstance(compiled, np.ndarray), name)
  return eager
end

describe("Elementwise functions of np", function()
  for _, row in ipairs(rows) do
    local fn = np[row.name]
    local n = arity(fn)
    local dtype = row.name:find "shift" and "int32" or row.name:find "bitwise" and "int32" or
      row.name == "invert" and "int32" or "float32"
    local function call(shape)
      local x, y = np.full(shape, 1, { dtype = dtype }), np.full(shape, 1, { dtype = dtype })
      if n == 1 then return both(row.name, fn, x) end
      return both(row.name, fn, x, y)
    end

    it(row.name .. " keeps shape () and sizes of 0", function()
      assert.same({}, shape_of(call {}))
      assert.same({ 0 }, shape_of(call { 0 }))
      assert.same({ 2, 0, 3 }, shape_of(call { 2, 0, 3 }))
      -- () with one dimension is one dimension; an element of an array is what its 0-d array is
      local one = call { 1 }
      assert.equal(one:tobytes(), call({}):tobytes())
    end)
  end

  it("promote all pairs of dtypes as a cast to the common dtype does", function()
    local made = {}
    for _, dtype in ipairs(DTYPES) do made[dtype] = np.array({ 1, 0, 1 }, { dtype = dtype }) end
    local pairs_run, functions = 0, 0
    for _, row in ipairs(rows) do
      local fn = np[row.name]
      local ran = false
      if arity(fn) == 2 then
        for _, a in ipairs(DTYPES) do
          for _, b in ipairs(DTYPES) do
            local common = np.result_type(made[a], made[b])
            local x, y = made[a]:astype(common), made[b]:astype(common)
            local ok, want = pcall(fn, x, y)
            local works, got = pcall(fn, made[a], made[b])
            local where = ("%s of %s and %s"):format(row.name, a, b)
            assert.equal(ok, works, where .. ": " .. tostring(works and want or got))
            if ok then
              assert.equal(want.dtype, got.dtype, where)
              assert.equal(want:tobytes(), got:tobytes(), where)
              pairs_run, ran = pairs_run + 1, true
            end
          end
        end
      end
      functions = functions + (ran and 1 or 0)
    end
    assert.is_true(functions >= 20, functions .. " functions promote")
    assert.is_true(pairs_run >= functions * 25, pairs_run .. " pairs")
  end)

  it("give bool for comparisons, of nd's operands too", function()
    for _, row in ipairs(rows) do
      if row.row:find "equal" or row.row:find "greater" or row.row:find "lesser" or row.name:find "^is" then
        local x = nd.ones { 2 }
        local y = arity(np[row.name]) == 1 and np[row.name](x) or np[row.name](x, x)
        assert.equal("bool", y.dtype, row.name)
      end
    end
  end)
end)
