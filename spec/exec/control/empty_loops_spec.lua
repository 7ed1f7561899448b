-- empty_loops_spec.lua - loops of zero steps: their results, and the gradients of values that no step reads.
-- luacheck: ignore 431
local hl = require "hybridlua"
local core = require "hybridlua.core"
local assert_same = require("support.loops").assert_same
local nd, autograd = hl.nd, hl.autograd

describe("a value that no step reads", function()
  local function no_steps(F, a, b)
    return F.while_loop(function(n) return n:lesser(0) end,
      function(n, s) return F.sum(a) + b, { n + 1, s + F.sum(b) } end,
      { F.zeros { 1 }, F.zeros { 1 } }, { max_iterations = 3 })
  end
  local function no_rows(F, a, b)
    return F.foreach(function(i, s) return F.sum(a) + F.sum(i), s + F.sum(b) end, F.zeros { 0, 2 }, F.zeros { 1 })
  end
  local function computed_rows(F, a, b)
    local d = b[{ { 0, 0 } }] * 0.5
    return F.foreach(function(i, s)
      return F.sum((F.foreach(function(j, t) return j, t end, a[{ { 0, 0 } }], s))), s + i
    end, d, F.zeros { 2 })
  end
  local function not_taken(F, a, b)
    return F.cond(F.ones { 1 }, function() return { F.ones { 1 }, F.sum(a) } end,
      function() return { F.sum(b), F.sum(b) * 2 } end)
  end
  -- the first result, alone or with another; the last one; arrays as arguments, or computed and used before
  local WAYS = {
    first = function(F, f, a, b) return (f(F, a, b)) end,
    beside = function(F, f, a, b) local o = f(F, a, b) return o, a * 2 end,
    last = function(F, f, a, b)
      local o, s = f(F, a, b)
      s = s or o
      return type(s) == "table" and s[2] or s
    end,
    computed = function(F, f, a, b) local c = a * 2 return (f(F, c, b)), c end,
    shared = function(F, f, a, b) return F.sum(a * a), (f(F, a, b)) end,
  }
  local function head(x)
    while not core.array.is(x) do x = x[1] end
    return x
  end

  -- Repeated, because the first backward has other heads than predicted.
  local function gradients(fn, way)
    local seen = {}
    for _ = 1, 3 do
      local a, b = nd.array { { 1, 2 }, { 3, 4 } }, nd.array { { 5, 6 }, { 7, 8 } }
      a:attach_grad()
      b:attach_grad()
      a.grad[{}], b.grad[{}] = 7, 7
      local x, y = autograd.record(function() return fn(a, b) end)
      autograd.backward(way == "shared" and { x, head(y) } or { head(x) })
      table.move({ a.grad, b.grad }, 1, 2, #seen + 1, seen)
    end
    return seen
  end

  it("gets zero gradients from a loop of zero steps, eager and compiled, in any backward", function()
    for _, loop in ipairs { no_steps, no_rows, computed_rows } do
      for name, way in pairs(WAYS) do
        local zeros, twice = nd.zeros { 2, 2 }, nd.array { { 2, 4 }, { 6, 8 } }
        for _, seen in ipairs {
          gradients(function(a, b) return way(nd, loop, a, b) end, name),
          gradients(hl.compile(function(F, a, b) return way(F, loop, a, b) end), name) } do
          for i = 1, 6, 2 do
            assert.bits(name == "shared" and twice or zeros, seen[i])
            assert.bits(zeros, seen[i + 1])
          end
        end
      end
    end
  end)

  it("gets zero gradients from a compiled condition, in any backward", function()
    for _, way in ipairs { "first", "beside", "computed" } do
      local fn = hl.compile(function(F, a, b)
        local all
        local function branch() all = not_taken(F, a, b) return all[1] end
        return WAYS[way](F, branch, a, b)
      end)
      local seen = gradients(fn, way)
      for i = 1, 6 do assert.bits(nd.zeros { 2, 2 }, seen[i]) end
    end
  end)

  it("does not change other gradients, of first or second order", function()
    for _, loop in ipairs { no_steps, no_rows, computed_rows } do
      local function fn(F, a, b)
        local o = loop(F, a, b)
        return F.sum(a * a * a) + F.sum(o) + F.sum(a * b)
      end
      local function both_orders(f)
        local a, b = nd.array { { 1, 2 }, { 3, 4 } }, nd.array { { 5, 6 }, { 7, 8 } }
        a:attach_grad()
        b:attach_grad()
        local first
        autograd.record(function()
          first = autograd.grad({ f(a, b) }, { a, b }, nil, { create_graph = true, retain_graph = true })
          return nd.sum(first[1] * first[1])
        end):backward()
        return { first[1], first[2], a.grad, b.grad }
      end
      local plain = both_orders(function(a, b) return nd.sum(a * a * a) + nd.sum(a * b) end)
      assert_same(plain, both_orders(function(a, b) return fn(nd, a, b) end))
      assert_same(plain, both_orders(hl.compile(fn)))
    end
  end)
end)

describe("loops of zero steps", function()
  it("keep each array in its context, as longer loops do", function()
    for _, steps in ipairs { 0, 1 } do
      local x = nd.ones({ 1, 2 }, { ctx = hl.cpu(1) })
      x:attach_grad()
      local outputs, vars
      autograd.record(function()
        outputs, vars = nd.while_loop(function(i) return i:lesser(steps) end, function(i, h)
          return nd.tanh(h), { i + 1, h * h }
        end, { nd.zeros { 1 }, x * 2 }, { max_iterations = 3 })
        return vars[2]:sum()
      end):backward()
      assert.same({ "cpu(1)", "cpu(0)", "cpu(1)" }, { tostring(outputs.context), tostring(vars[1].context),
                                                     tostring(vars[2].context) })
      assert.same({ 3, 1, 2 }, outputs.shape)
      assert.same({ { steps == 0 and 2 or 8, steps == 0 and 2 or 8 } }, x.grad:totable())
    end
  end)

  it("keep it in foreach too", function()
    local data, state = nd.zeros({ 0, 2 }, { ctx = hl.cpu(1) }), nd.ones { 1 }
    data:attach_grad()
    state:attach_grad()
    local o, s
    autograd.record(function()
      o, s = nd.foreach(function(item, state) return item * 2, state end, data * 1, state * 3)
      return s:sum()
    end):backward()
    assert.same({ "cpu(1)", "cpu(0)" }, { tostring(o.context), tostring(s.context) })
    assert.same({ 0, 2 }, o.shape)
    assert.same({ 3 }, state.grad:totable())
  end)
end)
