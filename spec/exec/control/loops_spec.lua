-- loops_spec.lua - while_loop and cond, nested loops, and loops in Symbols: eager, hybridized, symbolic, and as loops
-- in Lua, with the same bits and gradients of all orders; and wrong calls of all three.
-- luacheck: ignore 431 432 421 422
local hl = require "hybridlua"
local core = require "hybridlua.core"
local loops = require "support.loops"
local nd, autograd, sym = hl.nd, hl.autograd, hl.sym
local normal, block, rnn, same_both_ways = loops.normal, loops.block, loops.rnn, loops.same_both_ways
local values_and_gradients, assert_same = loops.values_and_gradients, loops.assert_same

describe("while_loop", function()
  local function powers(F, h, w, limit, most)
    return F.contrib.while_loop(function(i) return i:lesser(limit) end, function(i, s)
      local y = F.tanh(s * w)
      return { y, i }, { i + 1, y }
    end, { F.zeros { 1 }, h }, { max_iterations = most })
  end

  it("runs while its condition is true, and leaves rows of zeros", function()
    for _, case in ipairs { { 3, 6 }, { 6, 6 }, { 9, 6 }, { 1, 1 }, { -1, 4 } } do
      same_both_ways({ normal(3), normal(3) }, function(F, h, w)
        local o, v = powers(F, h, w, case[1], case[2])
        return o[1], v[2] * h, w * h
      end)
    end
    local o, v = powers(nd, nd.ones { 2 }, nd.ones { 2 }, 2, 4)
    assert.same({ 4, 2 }, o[1].shape)
    assert.same({ { 0 }, { 1 }, { 0 }, { 0 } }, o[2]:totable())
    assert.same({ 2 }, v[1]:totable())
    assert.same({ 0, 0 }, o[1][3]:totable())
  end)

  it("matches a loop in Lua", function()
    same_both_ways({ normal(3), normal(3) }, function(F, h, w)
      local o, v = powers(F, h, w, 4, 4)
      return o[1], v[2] * h, w * h
    end, function(h, w)
      local body = block(function(F, s) return F.tanh(s * w) end)
      local rows, s = {}, h
      for t = 1, 4 do
        s = body(s)
        rows[t] = s
      end
      return nd.stack { rows, axis = 0 }, s * h, w * h
    end)
  end)
end)

describe("blocks with loops", function()
  it("add one term per call to a gradient if a function calls them several times", function()
    local w = normal(3)
    local net = block(function(F, x, w)
      local o, v = F.while_loop(function(n) return n:lesser(2) end, function(n, s)
        local y = F.tanh(s * w + 0.3)
        return y * w, { n + 1, y }
      end, { F.zeros { 1 }, x }, { max_iterations = 4 })
      return v[2] + o:sum()
    end)
    for _, hybrid in ipairs { false, true } do
      if hybrid then net:hybridize() end
      same_both_ways({ normal(3), w }, function(_, x, w)
        local a = x
        for i = 1, 4 do a = net(a * 1.1, w) + (i > 1 and a or 0) end
        return a
      end)
    end
  end)
end)

describe("cond", function()
  it("is on the tape because of its branches' inputs, not of its condition's", function()
    local p, x = nd.ones { 1 }, nd.ones { 2 }
    p:attach_grad()
    local function fn(F, p, x) return F.cond(p:greater(0), function() return x * 2 end, function() return x end) end
    local compiled = hl.compile(fn)
    for _, run in ipairs { function() return fn(nd, p, x) end, function() return compiled(p, x) end } do
      assert.is_false(core.autograd.on_tape(autograd.record(run)))
    end
  end)

  it("computes one branch", function()
    for _, sign in ipairs { 1, -1 } do
      same_both_ways({ nd.full({ 1 }, sign), normal(3), normal(3) }, function(F, p, h, w)
        local o = F.contrib.cond(p:greater(0), function() return { h * 2, w } end,
          function() return { h * p - 1, F.sin(w * w) } end)
        return o, w * h
      end)
    end
    local ran
    assert.same({ 1 },
      nd.cond(true, function() return nd.ones { 1 } end, function() ran = true return nd.ones { 1 } end):totable())
    assert.is_nil(ran)
    assert.same({ 2 },
      nd.cond(0, function() return nd.ones { 1 } end, function() return nd.ones { 1 } * 2 end):totable())
  end)
end)

describe("loops and conditions", function()
  it("return new arrays, even for values that existed before", function()
    same_both_ways({ normal(2), normal(2) }, function(F, x, w)
      local outputs, vars = F.while_loop(function(n) return n:lesser(2) end, function(n, v, s)
        local kept = F.cond(F.sum(s):greater(-100), function() return s end, function() return s + s end)
        return kept + F.sum(v) * 0.2 + s, { n + 1, v, kept }
      end, { F.zeros { 1 }, w, x }, { max_iterations = 3 })
      return vars[3] + F.sum(outputs) * 0.1
    end)
    local x = nd.array { 1, 2 }
    local y = nd.cond(nd.array { 1 }, function() return x end, function() return x + 1 end)
    y[0] = 5
    assert.equal(1, x[0]:asscalar())
  end)

  it("nest", function()
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      return F.foreach(function(i, s)
        local y = F.cond(i:sum():greater(0), function() return s * w + i end, function() return F.sin(s - i) end)
        return y, y
      end, x, h)
    end)
    same_both_ways({ normal(3, 4, 2), normal(2), normal(2) }, function(F, x, h, w)
      return F.foreach(function(i, s)
        local o, t = F.foreach(function(j, u) local y = F.tanh(u * w + j) return y * w, y end, i, s)
        return o:sum { axis = 0 } * w, t
      end, x, h)
    end)
    same_both_ways({ normal(1), normal(3) }, function(F, p, h)
      return F.cond(p:greater(-100), function()
        local o, v = F.while_loop(function(i) return i:lesser(3) end,
          function(i, a) return a * h, { i + 1, a * h + 1 } end,
          { F.zeros { 1 }, h }, { max_iterations = 5 })
        return { o, v[2] }
      end, function() return { F.zeros { 5, 3 }, h } end)
    end)
  end)

  it("have gradients of gradients", function()
    local bodies = {
      function(F, x, h, w)
        local o, s = F.foreach(function(i, s) local y = F.tanh(s * w + i * s) return y, y end, x, h)
        return (o * w):sum() + (s * s):sum()
      end,
      function(F, x, h, w)
        local o, v = F.while_loop(function(i) return i:lesser(3) end,
          function(i, s) local y = F.tanh(s * w + x[0]) return y, { i + 1, y } end,
          { F.zeros { 1 }, h }, { max_iterations = 5 })
        return (o * w):sum() + (v[2] * v[2] * h):sum()
      end,
      function(F, _, h, w)
        local o = F.cond(h:sum():greater(0), function() return h * w * h end, function() return F.sin(h * w) end)
        return (o * w):sum() + (o * o * h):sum()
      end,
      function(F, x, h, w)
        local o = F.foreach(function(i, s)
          local y = F.foreach(function(j, u) local z = F.tanh(u * w + j) return z, z end, x, s * i)
          return y:sum { axis = 0 }, s
        end, x, h)
        return (o * o):sum()
      end,
    }
    for _, fn in ipairs(bodies) do
      local args = { normal(4, 3), normal(3), normal(3) }
      local function second(f)
        for _, a in ipairs(args) do a:attach_grad() end
        autograd.record(function()
          local y = f(table.unpack(args))
          local g = autograd.grad(y, { args[2], args[3] }, { create_graph = true, retain_graph = true })
          return (g[1] * g[1]):sum() + (g[2] * args[3]):sum() + y
        end):backward()
        return { args[1].grad:copy(), args[2].grad:copy(), args[3].grad:copy() }
      end
      local expected = second(function(...) return fn(nd, ...) end)
      local compiled = hl.compile(fn)
      for _ = 1, 2 do assert_same(expected, second(compiled)) end
    end
  end)

  it("are nodes of symbols", function()
    local X, H, W = sym.var "x", sym.var "h", sym.var "w"
    local o, s = sym.contrib.foreach(rnn(sym, W), X, H)
    local g = sym.Group { o, s }
    assert.same({ "x", "h", "w" }, g:list_arguments())
    local args = { x = normal(4, 2, 3), h = normal(2, 3), w = normal(3, 3) }
    local grads = { x = nd.zeros { 4, 2, 3 }, h = nd.zeros { 2, 3 }, w = nd.zeros { 3, 3 } }
    local ex = g:bind(hl.cpu(), args, grads)
    local out = ex:forward(true)
    ex:backward { nd.ones { 4, 2, 3 }, nd.ones { 2, 3 } }
    local expected = values_and_gradients(function(x, h, w) return nd.foreach(rnn(nd, w), x, h) end,
      { args.x, args.h, args.w })
    assert_same(expected, { out[1], out[2], grads.x, grads.h, grads.w })
    local _, shapes = g:infer_shape { x = { 5, 2, 3 }, h = { 2, 3 }, w = { 3, 3 } }
    assert.same({ { 5, 2, 3 }, { 2, 3 } }, { table.unpack(shapes) })
  end)
end)

describe("an error", function()
  local function fails(pattern, fn, ...)
    local ok, message = pcall(fn, ...)
    assert.is_false(ok)
    assert.truthy(tostring(message):find(pattern, 1, true), tostring(message))
    assert.truthy(tostring(message):find "loops_spec.lua:%d+: ", tostring(message))
  end

  it("names the wrong argument of foreach", function()
    local x, h = nd.ones { 2, 2 }, nd.ones { 2 }
    for _, face in ipairs { nd, false } do
      local function run(fn)
        return function() if face then return fn(face, x, h) else return hl.compile(fn)(x, h) end end
      end
      fails("foreach: states of the body: expected an array, as they were given, got {array, array}",
        run(function(F, x, h) return F.foreach(function(i, s) return i, { s, s } end, x, h) end))
      fails("foreach: states: expected an array, or a list of arrays, got 3",
        run(function(F, x) return F.foreach(function(i, s) return i, s end, x, 3) end))
      fails("foreach: outputs of the body: expected an array, or a list of arrays, got text",
        run(function(F, x, h) return F.foreach(function(_, s) return "text", s end, x, h) end))
      fails("foreach: body: expected a function or a block, got 3",
        run(function(F, x, h) return F.foreach(3, x, h) end))
    end
    fails("foreach: state 0 of the body: expected float32 (2,), as in the iteration before, got float32 (3,)",
      nd.foreach, function(i) return i, nd.ones { 3 } end, x, h)
    fails("foreach: data: expected arrays of one length along axis 0, got 2 and 3 (array 2)",
      nd.foreach, function(i, s) return i, s end, { x, nd.ones { 3 } }, h)
    fails("foreach: data: expected arrays of one length along axis 0, got 2 and 3 (array 2)",
      hl.compile(function(F, x, y, h) return F.foreach(function(i, s) return i, s end, { x, y }, h) end),
      x, nd.ones { 3 }, h)
  end)

  it("names the wrong argument of while_loop and cond", function()
    local one = nd.ones { 1 }
    fails("while_loop: max_iterations: expected an integer, got nothing; write {max_iterations = n}",
      nd.while_loop, function(i) return i end, function(i) return i, i end, one)
    fails("while_loop: loop_vars of the body: expected an array, as they were given, got {array, array}",
      nd.while_loop, function(i) return i end, function(i) return i, { i, i } end, one, { max_iterations = 2 })
    fails("while_loop: what cond returned: expected one element, got shape (2,)",
      nd.while_loop, function(i) return i end, function(i) return i, i end, nd.ones { 2 }, { max_iterations = 2 })
    fails("cond: pred: expected one element, got shape (2,)", nd.cond, nd.ones { 2 }, function() return one end,
      function() return one end)
    fails("cond: outputs of then_func: expected an array, or a list of arrays, got 1",
      nd.cond, one, function() return 1 end, function() return one end)
    fails("cond: outputs of else_func: expected an array, as in then_func, got {array}", hl.compile(function(F, p)
      return F.cond(p, function() return p end, function() return { p } end)
    end), one)
    fails("output 0: expected the same type from both branches", hl.compile(function(F, p)
      return F.cond(p, function() return p end, function() return F.concat(p, p, { dim = 0 }) end)
    end), one)
  end)

  it("leaves no block call open", function()
    local depth = core.call.scope_depth()
    pcall(nd.foreach, function() error "x" end, nd.ones { 2, 2 }, nd.ones { 2 })
    pcall(hl.compile(function(F, x) return F.foreach(function() error "x" end, x, x[0]) end), nd.ones { 2, 2 })
    assert.equal(depth, core.call.scope_depth())
    assert.is_nil(core.name.attributes())
  end)
end)

describe("one array and a list of one", function()
  it("are equivalent for loops", function()
    local function counts(given, gives)
      local function fn(F, i, x)
        local o, v = F.contrib.while_loop(function(i) return i:lesser(3) end, function(i)
          local after = i + x
          return i, gives and { after } or after
        end, given and { i } or i, { max_iterations = 4 })
        return o, given and v[1] or v
      end
      local function items(F, i, x)
        local o, s = F.contrib.foreach(function(item, s)
          s = given and s[1] or s
          local after = s + item
          return after, gives and { after } or after
        end, x:broadcast_to { 3 }, given and { i } or i)
        return o, given and s[1] or s
      end
      for _, f in ipairs { fn, items } do
        local i, x = nd.zeros { 1 }, nd.ones { 1 }
        for _, run in ipairs { function(...) return f(nd, ...) end, hl.compile(f) } do
          local o, v = run(i, x)
          assert.equal(3, v:asscalar())
          assert.equal(f == fn and 4 or 3, o.shape[1])
        end
      end
    end
    for _, given in ipairs { true, false } do for _, gives in ipairs { true, false } do counts(given, gives) end end
    assert.raises(function()
      nd.while_loop(function(i) return i:lesser(3) end, function(i) return i, { i + 1, i } end, { nd.zeros { 1 } },
        { max_iterations = 4 })
    end, "while_loop: loop_vars of the body: expected {array}, as they were given, got {array, array}")
  end)

  it("as data of foreach keep unknown dimensions in inferred shapes", function()
    local o = sym.contrib.foreach(function(d, s) return d + 1, s end, sym.var("d", { shape = { 0, 3, 32, 32 } }), {})
    local _, outputs = o:infer_shape_partial {}
    assert.same({ 0, 3, 32, 32 }, { table.unpack(outputs[1]) })
  end)
end)
