-- np/npx.lua - npx: MXNet's own operators for np's arrays, and the mode that decides what Gluon makes.
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local context = require "hybridlua.context"
local counters = require "hybridlua.gluon.hybridize.change_counters"
local d = require "hybridlua.np.definitions"
local mode = core.np.mode
local nd, mark = core.op.nd, core.np.mark

local npx = {}

--- nonzero(x): the indices of the elements that are not 0, one row each, int64.
function npx.nonzero(x)
  x = d.operand("nonzero", "a", x)
  return mark(nd.argwhere(x))
end

-- The dimensions that npx.reshape's codes stand for. -1: the rest; -2: the same dimension; -3: skips one of 1; -4: all
-- that are left; -5: the product of two; -6, a, b: one is split into a and b.
local function coded_shape(shape, codes)
  local out, at, i = {}, 1, 1
  local function next_dim(code)
    if at > #shape then
      fail("npx.reshape: newshape: expected at most %d dimensions for the codes, got %d", #shape, code)
    end
    at = at + 1
    return shape[at - 1]
  end
  while i <= #codes do
    local code = codes[i]
    if code >= 0 then
      out[#out + 1] = code
      if at <= #shape then at = at + 1 end
    elseif code == -1 then
      out[#out + 1] = -1
      if at <= #shape then at = at + 1 end
    elseif code == -2 then out[#out + 1] = next_dim(code)
    elseif code == -3 then
      local n = next_dim(code)
      if n ~= 1 then fail("npx.reshape: newshape: expected a dimension of 1 for the code -3, got %d", n) end
    elseif code == -4 then
      while at <= #shape do out[#out + 1] = next_dim(code) end
    elseif code == -5 then out[#out + 1] = next_dim(code) * next_dim(code)
    elseif code == -6 then
      local whole, a, b = next_dim(code), codes[i + 1], codes[i + 2]
      if math.type(a) ~= "integer" or math.type(b) ~= "integer" then
        fail "npx.reshape: newshape: expected two dimensions after the code -6"
      end
      if a == -1 then a = whole // b elseif b == -1 then b = whole // a end
      if a * b ~= whole then
        fail("npx.reshape: newshape: expected two dimensions that make %d after the code -6, got %d and %d", whole,
          a, b)
      end
      out[#out + 1], out[#out + 2] = a, b
      i = i + 2
    else fail("npx.reshape: newshape: expected dimensions and the codes -1 to -6, got %d", code) end
    i = i + 1
  end
  return out
end

--- reshape(a, newshape, reverse): a in a new shape. Codes in newshape: -1 the rest; -2 the same dimension; -3 skips a
-- dimension of 1; -4 all that are left; -5 the product of two dimensions; -6, m, n one dimension split in two.
function npx.reshape(a, newshape, reverse)
  local x = d.operand("reshape", "a", a)
  local codes = type(newshape) == "number" and { newshape } or newshape
  if type(codes) ~= "table" then fail("npx.reshape: newshape: expected a shape, got %s", type(codes)) end
  local shape = x.shape
  if not reverse then return d.reshape(x, coded_shape(shape, codes)) end
  local function turned(t)
    local back = {}
    for i = #t, 1, -1 do back[#back + 1] = t[i] end
    return back
  end
  return d.reshape(x, turned(coded_shape(turned(shape), turned(codes))))
end

--- Raises msg unless all elements of a mask are true; gives true, as an array.
function npx.constraint_check(x, msg)
  x = d.operand("constraint_check", "x", x)
  local all = nd.all(x)
  if core.array.is(all) and not core.trace.active() and not all:item() then
    fail("npx.constraint_check: %s", msg or "the constraint is violated")
  end
  return all
end

-- ---- Files ---------------------------------------------------------------------------------------------------------

local function each(t, f)
  if d.is(t) then return f(t) end
  local copy = {}
  for key, value in pairs(t) do copy[key] = f(value) end
  return copy
end

--- Arrays from a file, of np's kind.
function npx.load(file) return each(require("hybridlua.files").load(file), mark) end

--- Writes an array, a list or a table of arrays by name.
function npx.save(file, arr)
  return require("hybridlua.files").save(file, arr)
end
npx.savez = npx.save

-- ---- The mode -----------------------------------------------------------------------------------------------------

local function set(shape, array)
  if core.trace.active() then
    fail "npx.set_np: in a hybridized block or compiled function it would run only once; call it outside"
  end
  mode(shape, array)
  counters.touch_modules()
end

--- set_np(shape = true, array = true): from here on Gluon's parameters, gradients and batches are np's arrays.
function npx.set_np(shape, array)
  if shape == nil then shape = true end
  if array == nil then array = true end
  if array and not shape then
    fail "npx.set_np: array: expected false if shape is false, as np's arrays have sizes of 0 and ()"
  end
  set(shape, array)
end

function npx.reset_np() set(false, false) end

function npx.is_np_shape() return (mode()) end
function npx.is_np_array() return (select(2, mode())) end

for _, name in ipairs { "cpu", "gpu", "cpu_pinned", "num_gpus", "gpu_memory_info", "current_context", "Context" } do
  npx[name] = context[name]
end
npx.waitall = nd.waitall

arguments.functions(npx, "npx.", {
  nonzero = "a", reshape = "a newshape[] reverse order", constraint_check = "x msg", load = "file",
    save = "file arr{}",
  savez = "file arr{}", set_np = "shape array", reset_np = "", is_np_shape = "", is_np_array = "",
})

return npx
