-- loop_gradients_spec.lua - gradients of gradients through foreach, while_loop and cond in compiled graphs: the bits of
-- eager code up to the second order, equal up to rounding above, and correct by finite differences.
-- luacheck: ignore 431 432 421 422 561
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

-- Functions of vectors x and y of length 3 and a 3 x 3 matrix w. `rounds`: second-order sums are added in
-- another order than in eager code.
local functions = {
  { "a recurrent foreach", function(F, x, y, w)
    local o, s = F.foreach(function(i, s) local h = F.tanh(F.dot(w, s) + i) return h, h end, w * 2, x)
    return (o * o):sum() + (s * y):sum()
  end },
  { "item times state", function(F, x, y)
    local o = F.foreach(function(i, s) return i * s, s * i end, x, y:sum())
    return (o * o):sum()
  end },
  { "captured arrays", function(F, x, y)
    local o = F.foreach(function(i, s) return i * x:sum() + F.sin(y), s end, x, y)
    return (o * o):sum() * x:sum()
  end },
  { "two outputs and two states", function(F, x, y, w)
    local o, s = F.foreach(function(i, s)
      return { i * s[1], s[2] * s[1] }, { s[1] * s[2] + i, F.sigmoid(s[1] * x) }
    end, w, { x, y })
    return (o[1] * o[2]):sum() + (s[1] * s[2] * s[2]):sum()
  end },
  { "one array as data, state and captured", function(F, x)
    local o, s = F.foreach(function(i, s) return i * x * s:sum(), s * i end, x, x:sum())
    return (o * o):sum() + s * s
  end },
  { "random numbers", function(F, x, y, w)
    local o, s = F.foreach(function(i, s)
      local h = F.Dropout(s * i + x, { p = 0.5, mode = "always" })
      return h * h, h
    end, w, y)
    return o:sum() + (s * s * y):sum()
  end },
  { "while_loop", function(F, x, y)
    local o, v = F.while_loop(function(i) return i:lesser(3) end, function(i, v)
      local u = v * x + F.tanh(v)
      return u, { i + 1, u }
    end, { F.zeros { 1 }, y }, { max_iterations = 5 })
    return (o * o):sum() + (v[2] * v[2] * x):sum()
  end },
  { "cond, first branch", function(F, x, y)
    local z = F.cond(x:sum():greater(-100), function() return x * x * y end, function() return y end)
    return (z * z):sum() + (x * z):sum()
  end },
  { "cond, an input unchanged", function(F, x, y)
    local z = F.cond(x:sum():greater(-100), function() return { x * x, x } end, function() return { x, x } end)
    return ((z[1] + z[2]) * y):sum()
  end },
  { "cond, one gradient for two results", rounds = true, function(F, x, y)
    local z = F.cond(x:sum():greater(-100), function() return { x * x, F.sin(x), x * x * y } end,
      function() return { x, x, x } end)
    return ((z[1] + z[2]) * z[3]):sum()
  end },
  { "cond, second branch", function(F, x, y)
    local z = F.cond(x:sum():greater(100), function() return x * x * y end, function() return F.exp(y) * x end)
    return (z * z):sum() + (x * z):sum()
  end },
  { "cond that returns an argument", function(F, x, y)
    local z = F.cond(x:sum():greater(-100), function() return x end, function() return y end)
    return (z * z * z * x):sum()
  end },
  { "foreach in foreach", function(F, x, y, w)
    local o, s = F.foreach(function(i, s)
      return F.foreach(function(j, t) local u = t * j + F.sin(i * y):sum() return u, u end, i, s)
    end, w, x:sum())
    return (o * o):sum() + s * s
  end },
  { "cond in foreach", function(F, x, y, w)
    local o, s = F.foreach(function(i, s)
      local u = F.cond(i:sum():greater(0), function() return s * i + x * x end, function() return F.tanh(s) * y end)
      return u * u, u
    end, w, x)
    return o:sum() + (s * s * y):sum()
  end },
  { "foreach in cond", function(F, x, y, w)
    return F.cond(x:sum():greater(-100), function()
      local o, s = F.foreach(function(i, s) return s * i, s * i + x end, w, y)
      return o:sum() + (s * s):sum()
    end, function() return x:sum() end)
  end },
  { "while_loop in foreach", function(F, x, y, w)
    local o, s = F.foreach(function(i, s)
      local _, v = F.while_loop(function(k) return k:lesser(2) end, function(k, v) return v, { k + 1, v * v + i } end,
        { F.zeros { 1 }, s }, { max_iterations = 3 })
      return v[2], v[2] * 0.5
    end, F.tanh(w) * 0.5, F.tanh(x) * 0.5)
    return (o * y):sum() + (s * s):sum()
  end },
  { "two loops in sequence", function(F, x, y, w)
    local o, s = F.foreach(function(i, s) local h = s * i + x return h, h end, w, y)
    local p, t = F.foreach(function(i, s) local h = F.tanh(s * i) + x return h, h end, o, s)
    return (p * p):sum() + (t * s * x):sum()
  end },
  { "sums of states", rounds = true, function(F, x, y, w)
    local o, s = F.foreach(function(i, s) local v = s + x + y + i return v, v end, w, x)
    return (o * o * o):sum() + (s * s):sum()
  end },
  { "items passed on as states", rounds = true, function(F, x, y, w)
    local o, s = F.foreach(function(i, s) return i, s end, w, x)
    return (o * o * o):sum() * (s * s * y):sum()
  end },
  { "foreach of zero steps", rounds = true, function(F, x, y, w)
    local o, s = F.foreach(function(i, s) return i * y, s * i end, w:slice_axis { axis = 0, begin = 0, ["end"] = 0 }, x)
    return (s * s * s):sum() + (x * y * y):sum() + o:sum()
  end },
  { "while_loop of zero steps", rounds = true, function(F, x, y)
    local o, v = F.while_loop(function(i) return i:lesser(0) end, function(i, v) return v * x, { i + 1, v * x } end,
      { F.zeros { 1 }, y }, { max_iterations = 5 })
    return (o * o):sum() + (v[2] * v[2] * x):sum()
  end },
}

local all = { argnums = { 0, 1, 2 } }

local function squares(g) return (g[1] * g[1]):sum() + (g[2] * g[2]):sum() + (g[3] * g[3]):sum() end

-- f and the squares of its gradients.
local function with_penalty(f)
  return function(F, x, y, w)
    return squares(hl.grad(f, all)(F, x, y, w)) + f(F, x, y, w)
  end
end

local function arguments(dtype)
  hl.random.seed(5)
  local function normal(...) return nd.random.normal { shape = { ... } }:astype(dtype) end
  return { normal(3), normal(3), normal(3, 3) }
end

local function flat(x, into)
  into = into or {}
  if core.array.is(x) then into[#into + 1] = x
  else for _, item in ipairs(x) do flat(item, into) end end
  return into
end

-- The results of fn from one seed, as a list of arrays.
local function results(fn, ...)
  hl.random.seed(7)
  return flat { fn(...) }
end

local function assert_close(want, got, dtype)
  assert.equal(#want, #got)
  for i = 1, #want do
    local scale = math.max(1, want[i]:abs():max():asscalar())
    local off = (want[i] - got[i]):abs():max():asscalar() / scale
    assert.is_true(off < (dtype == "float64" and 1e-12 or 3e-5), ("array %d is off by %g"):format(i, off))
  end
end

local function assert_same(want, got)
  assert.equal(#want, #got)
  for i = 1, #want do assert.bits(got[i], want[i]) end
end

local function block(fn)
  local B = gluon.HybridBlock:subclass "Orders"
  function B:hybrid_forward(F, ...) return fn(F, ...) end
  return B()
end

-- Compares fn(F, x, y, w) with itself compiled, in a block, and in a block with graph breaks.
local function check_everywhere(fn, args, check)
  local want = results(fn, nd, table.unpack(args))
  local compiled, whole, broken = hl.compile(fn), block(fn), block(fn)
  whole:hybridize()
  broken:hybridize { breaks = true }
  for _ = 1, 2 do check(want, results(compiled, table.unpack(args))) end
  check(want, results(whole, table.unpack(args)))
  for _ = 1, 3 do check(want, results(broken, table.unpack(args))) end
end

-- The gradients of fn in copies of the arguments.
local function leaves(args, fn)
  local copies = {}
  for i, x in ipairs(args) do
    copies[i] = x:copy()
    copies[i]:attach_grad()
  end
  return results(function()
    fn(table.unpack(copies))
    return { copies[1].grad, copies[2].grad, copies[3].grad }
  end)
end

local function penalty_step(f)
  return function(F, x, y, w)
    autograd.record(function()
      local value = f(F, x, y, w)
      return value + squares(autograd.grad(value, { x, y, w }, { create_graph = true }))
    end):backward()
  end
end

-- Differentiates g(x, y, w), which returns three gradients; `twice`: differentiates again.
local function from_outside(g, twice)
  return function(x, y, w)
    autograd.record(function()
      local d = g(x, y, w)
      local z = (d[1] * d[1]):sum() + (d[2] * d[2]):sum() + (d[3] * x):sum()
      return twice and squares(autograd.grad(z, { x, y, w }, { create_graph = true })) or z
    end):backward()
  end
end

for _, dtype in ipairs { "float64", "float32" } do
  describe("gradients of gradients in compiled code, " .. dtype .. ":", function()
    for _, entry in ipairs(functions) do
      local name, f = entry[1], entry[2]
      local same = entry.rounds and function(a, b) assert_close(a, b, dtype) end or assert_same
      local function close(a, b) assert_close(a, b, dtype) end

      it(name .. ", hessian", function()
        local args = arguments(dtype)
        check_everywhere(function(F, ...) return hl.hessian(f)(F, ...) end, args, same)
        local want = results(hl.hessian(f), table.unpack(args))
        local c = hl.compile(f)
        for _, h in ipairs { hl.compile(hl.hessian(f)), hl.hessian(c), hl.compile(hl.hessian(c)),
                             hl.jacobian(hl.compile(hl.grad(f))) } do
          same(want, results(h, table.unpack(args)))
        end
      end)

      it(name .. ", grad of grad", function()
        local args = arguments(dtype)
        check_everywhere(function(F, ...) return hl.value_and_grad(with_penalty(f), all)(F, ...) end, args, same)
      end)

      it(name .. ", vjp of grad", function()
        local args = arguments(dtype)
        check_everywhere(function(F, x, y, w)
          local value, back = hl.vjp(hl.grad(f), F, x, y, w)
          return value, back(y)
        end, args, same)
      end)

      it(name .. ", a penalty in a compiled step", function()
        local args = arguments(dtype)
        local step = penalty_step(f)
        same(leaves(args, function(...) step(nd, ...) end), leaves(args, hl.compile(step)))
      end)

      it(name .. ", differentiated from outside", function()
        local args = arguments(dtype)
        local g = hl.grad(f, all)
        same(leaves(args, from_outside(g)), leaves(args, from_outside(hl.compile(g))))
        close(leaves(args, from_outside(g, true)), leaves(args, from_outside(hl.compile(g), true)))
      end)

      it(name .. ", from outside by one argument", function()
        local args = arguments(dtype)
        local x, w = args[1]:copy(), args[3]:copy()
        local function outside(g)
          return function(_, y) from_outside(function(_, b) return g(x, b, w) end)(y, y, y) end
        end
        local g = hl.grad(f, all)
        same(leaves(args, outside(g)), leaves(args, outside(hl.compile(g))))
      end)

      it(name .. ", third order", function()
        local args = arguments(dtype)
        check_everywhere(function(F, ...) return hl.hessian(with_penalty(f))(F, ...) end, args, close)
      end)
    end
  end)
end

describe("second derivatives of compiled loops and conditions", function()
  for _, entry in ipairs(functions) do
    it("match finite differences: " .. entry[1], function()
      local args, g = arguments "float64", hl.grad(entry[2], all)
      local compiled = hl.compile(hl.grad(with_penalty(entry[2]), all))
      local function value(a)
        local d = g(nd, table.unpack(a))
        return (squares(d) + entry[2](nd, table.unpack(a))):asscalar()
      end
      local got = results(compiled, table.unpack(args))
      for which = 1, 3 do
        for at = 0, args[which].size - 1 do
          local function moved(by)
            local a = { args[1]:copy(), args[2]:copy(), args[3]:copy() }
            local v = a[which]:reshape(-1)
            v[at] = v[at] + by
            a[which] = v:reshape(args[which].shape)
            hl.random.seed(7)
            return value(a)
          end
          local step = 1e-5
          local want = (moved(step) - moved(-step)) / (2 * step)
          local have = got[which]:reshape(-1)[at]:asscalar()
          assert.is_true(math.abs(want - have) < 2e-5 * math.max(1, math.abs(want), got[which]:abs():max():asscalar()),
            ("argument %d, element %d: expected %.9g, got %.9g"):format(which - 1, at, want, have))
        end
      end
    end)
  end

  it("are correct for a nested loop whose outer loop computes gradients", function()
    local g = hl.grad(function(F, a, y)
      local _, t = F.foreach(function(j, t) return t, t * j + a end, y, a)
      return (t * t):sum()
    end)
    local function f(F, x, y, w)
      local o, s = F.foreach(function(i, s) local d = g(F, i, y) return d * s, d + s end, w, x)
      return (o * o):sum() + (s * x):sum()
    end
    local args = arguments "float64"
    check_everywhere(function(F, ...) return hl.grad(with_penalty(f), all)(F, ...) end, args, function(a, b)
      assert_close(a, b, "float64")
    end)
    args = arguments "float64"
    assert_close(leaves(args, from_outside(hl.grad(f, all), true)),
      leaves(args, from_outside(hl.compile(hl.grad(f, all)), true)), "float64")
  end)
end)
