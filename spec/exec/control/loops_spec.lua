-- loops_spec.lua - foreach, while_loop and cond: eager, hybridized, symbolic, and as loops in Lua, to the bit,
-- gradients of all orders too.
-- luacheck: ignore 431 432 421 422
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon, sym = hl.nd, hl.autograd, hl.gluon, hl.sym
local nn = gluon.nn

local function normal(...) return nd.random.normal { shape = { ... } } end

-- The arrays in a nest of tables, in order.
local function flat(x, into)
  into = into or {}
  if core.array.is(x) then into[#into + 1] = x
  else for _, item in ipairs(x) do flat(item, into) end end
  return into
end

-- What fn(args...) gives and the gradients of all arguments, in training mode from one seed.
local function values_and_gradients(fn, args)
  for _, x in ipairs(args) do x:attach_grad() end
  hl.random.seed(11)
  local outputs = autograd.record(function() return flat { fn(table.unpack(args)) } end)
  local heads = {}
  for _, x in ipairs(outputs) do if core.autograd.on_tape(x) then heads[#heads + 1] = x end end
  autograd.backward(heads)
  for _, x in ipairs(args) do outputs[#outputs + 1] = x.grad:copy() end
  return outputs
end

local function assert_same(expected, got)
  assert.equal(#expected, #got)
  for i = 1, #expected do assert.bits(got[i], expected[i]) end
end

-- fn(F, args...) eagerly and hybridized: the same bits, with kernels of either tier. `loop`: the same as a loop in Lua.
local function same_both_ways(args, fn, loop)
  local expected = values_and_gradients(function(...) return fn(nd, ...) end, args)
  local compiled = hl.compile(fn)
  for _ = 1, 3 do assert_same(expected, values_and_gradients(compiled, args)) end
  if loop then assert_same(expected, values_and_gradients(loop, args)) end
end

-- fn as a block call.
local function block(fn)
  local B = gluon.HybridBlock:subclass "Body"
  function B:hybrid_forward(F, ...) return fn(F, ...) end
  return B()
end

local function rnn(F, w) return function(x, s) local y = F.tanh(F.dot(s, w) + x) return y, y end end

describe("foreach", function()
  it("is a loop that calls its body as a block", function()
    for _, shape in ipairs { { 1, 2, 3 }, { 4, 1, 1 }, { 7, 2, 3 }, { 3, 33, 17 } } do
      local x, h, w = normal(table.unpack(shape)), normal(shape[2], shape[3]), normal(shape[3], shape[3])
      same_both_ways({ x, h, w }, function(F, x, h, w)
        local o, s = F.foreach(rnn(F, w), x, h)
        return o, s * h, F.dot(s, w)
      end, function(x, h, w)
        local body = block(function(F, x, s) return rnn(F, w)(x, s) end)
        local rows, s = {}, h
        for t = 0, shape[1] - 1 do rows[t + 1], s = body(x[t], s) end
        return nd.stack { rows, axis = 0 }, s * h, nd.dot(s, w)
      end)
    end
  end)

  it("takes and gives arrays, lists and lists in lists, as they come", function()
    same_both_ways({ normal(4, 3), normal(4, 2), normal(3) }, function(F, x, z, h)
      local o, s = F.contrib.foreach(function(item, state)
        local y = F.tanh(state[1] + item[1][1]) * item[2]:sum()
        return { y, { item[2] * 2 } }, { y }
      end, { { x }, z }, { h })
      return o[1], o[2][1], s[1]
    end)
    local o, s = nd.foreach(function(x) return x, {} end, nd.ones { 2, 2 }, {})
    assert.same({ 2, 2 }, o.shape)
    assert.equal(0, #s)
  end)

  it("hands values on as they are", function()
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      local o, s = F.foreach(function(i, s) return { i * s[2] + s[1], s[2], w, i }, { F.sin(s[1] * i), s[2] } end, x,
        { h, w })
      return o, s, w * h, F.exp(h)
    end)
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      return F.foreach(function(i, s) return i * s[2] + s[1], { s[2], s[1] } end, x, { h, w })
    end)
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      local o, s = F.foreach(function(i, s) local y = F.tanh(s[1] * s[2] + i * w) return { y, y * s[1] }, { y, y } end,
        x, { h, h })
      return o, s, w * h, F.exp(h)
    end)
    same_both_ways({ normal(5, 5) }, function(F, x)
      return F.foreach(function(i, s) local y = F.tanh(F.dot(x, s) + i) return y, y end, x, x[0])
    end)
  end)

  it("reads a state that goes on unchanged as a loop in Lua does", function()
    local x, h, c = normal(4, 3), normal(3), normal(3)
    same_both_ways({ x, h, c }, function(F, x, h, c)
      local o, s = F.foreach(function(i, s) local y = F.tanh(s[1] * s[2] + i) return y, { y, s[2] } end, x, { h, c })
      return o, s[1], s[2] * h
    end, function(x, h, c)
      local body = block(function(F, i, s) local y = F.tanh(s[1] * s[2] + i) return y, { y, s[2] } end)
      local rows, s = {}, { h, c }
      for t = 0, 3 do
        local y, new = body(x[t], s)
        rows[t + 1], s = y, { new[1], c }
      end
      return nd.stack { rows, axis = 0 }, s[1], s[2] * h
    end)
  end)

  it("sums what reads a value in the order in which its body was written", function()
    same_both_ways({ normal(4, 3), normal(4, 3) }, function(F, x, a)
      return (F.foreach(function(i)
        local v = F.sin(a * 3)
        return i + F.sum(a) * 0.2 + F.sum(a * a) * 0.3 + F.sum(v), {}
      end, x, {}))
    end)
  end)

  it("draws the numbers of the script's order, and the same ones in backward", function()
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      x = F.Dropout(x, { p = 0.2 })
      local o, s = F.foreach(function(i, s)
        local y = F.Dropout(F.tanh(s * w + i), { p = 0.4 })
        return y + F.random.uniform { shape = { 3 } }, y
      end, x, h)
      return o, F.Dropout(s, { p = 0.3 }), F.random.normal { shape = { 2 } }
    end)
  end)

  it("moves the states of its operators once an iteration, not again in backward", function()
    local mean, var = nd.zeros { 3 }, nd.ones { 3 }
    local function norm(F, i, s, g, b)
      local y = F.BatchNorm(i + s, g, b, mean, var, { fix_gamma = false })
      return y * y, F.tanh(y)
    end
    local function loop(F, x, g, b) return (F.foreach(function(i, s) return norm(F, i, s, g, b) end, x, x[0])) end
    local args = { normal(5, 4, 3), normal(3), normal(3) }
    local function run(fn)
      mean[{}], var[{}] = 0, 1
      local seen = values_and_gradients(fn, args)
      return { mean:copy(), var:copy(), table.unpack(seen) }
    end
    local expected = run(function(x, g, b)
      local body, rows, s = block(norm), {}, x[0]
      for t = 0, 4 do rows[t + 1], s = body(x[t], s, g, b) end
      return nd.stack { rows, axis = 0 }
    end)
    assert_same(expected, run(function(...) return loop(nd, ...) end))
    local compiled = hl.compile(loop)
    assert_same(expected, run(compiled))
    assert_same(expected, run(compiled))
  end)

  it("adds its terms one by one to what was there before a compiled function, which is no block call", function()
    local layer = nn.Dense(1, { in_units = 1, use_bias = false })
    layer:initialize()
    local m, weight = normal(2, 1), layer.weight:data()
    local function loop(F, x)
      return (F.foreach(function(row, s) return row + layer(m):sum() * 0.2 + s, s end, x, F.zeros { 1 }))
    end
    local compiled = hl.compile(loop)
    for seed = 1, 20 do
      m[{}] = nd.random.normal { shape = { 2, 1 } }
      local gradients = {}
      for i, fn in ipairs { function(x) return loop(nd, x) end, compiled } do
        hl.random.seed(seed)
        autograd.record(function() return fn(layer(m)) end):backward()
        gradients[i] = weight.grad:copy()
      end
      assert.bits(gradients[2], gradients[1])
    end
  end)

  it("counts an array that is several of its data in their order, whichever the body reads first", function()
    for _, body in ipairs {
      function(_, item) return item[2] / (item[1] * 2 + 0.3) end, function(_, item) return item[1] / item[2] end,
      function(F, item) return F.sin(item[3]) / item[2] + F.exp(item[1]) end } do
      local function fn(F, a, b)
        return F.foreach(function(item) return body(F, item), {} end, { b, b, b }, {}), a
      end
      for _ = 1, 5 do
        local results, x = {}, normal(3, 40)
        for k, f in ipairs { function(...) return fn(nd, ...) end, hl.compile(fn) } do
          results[k] = values_and_gradients(function(v)                       -- what is before it is a term, too
            local y = v * 0.5
            local rows, a = f(y * 1.1, y)
            return rows:sum() * 0.2 + a:sum()
          end, { x })
        end
        assert_same(results[1], results[2])
      end
    end
  end)

  it("has no gradient through what is paused in it, in a compiled step either", function()
    local x, w = normal(3, 2), normal(2)
    w:attach_grad()
    local function step(F, v)
      local loss = autograd.record(function()
        return (F.foreach(function(row, s)
          local cut
          do
            local _ <close> = autograd.pause()
            cut = row * w
          end
          return cut + row * w * 0.3, s
        end, v, F.zeros { 1 })):sum()
      end)
      loss:backward()
    end
    step(nd, x)
    local expected = w.grad:copy()
    hl.compile(step)(x)
    assert.bits(w.grad, expected)
  end)

  it("makes no iteration of no rows, and knows the shapes", function()
    for _, face in ipairs { nd, false } do
      local function fn(F, x, h)
        return F.foreach(function(i, s) return { F.concat(i, s, { dim = 0 }), i:sum() }, s + i:sum() end, x, h)
      end
      local x, h = nd.zeros { 0, 2 }, normal(3)
      h:attach_grad()
      local o, s
      autograd.record(function()
        if face then o, s = fn(face, x, h) else o, s = hl.compile(fn)(x, h) end
        return (s * 2):sum()
      end):backward()
      assert.same({ 0, 5 }, o[1].shape)
      assert.same({ 0, 1 }, o[2].shape)
      assert.bits(h, s)
      assert.same({ 2, 2, 2 }, h.grad:totable())
    end
  end)

  it("runs blocks with parameters whose shapes come later", function()
    local Cell = gluon.HybridBlock:subclass "Cell"
    function Cell:init() self.i2h, self.h2h, self.drop = nn.Dense(4), nn.Dense(4), nn.Dropout(0.3) end
    function Cell:hybrid_forward(F, x, s)
      local y = F.tanh(self.i2h(x) + self.h2h(s[1]))
      return self.drop(y), { y }
    end
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init(loop) self.cell, self.out, self.loop = Cell(), nn.Dense(2), loop end
    function Net:hybrid_forward(F, x, h)
      local o
      local s = { h }
      if self.loop then
        local rows = {}
        for t = 0, 4 do rows[t + 1], s = self.cell(x[t], s) end
        o = F.stack { rows, axis = 0 }
      else
        o, s = F.foreach(self.cell, x, s)
      end
      return self.out(o), s[1]
    end
    local x, h = normal(5, 2, 3), nd.zeros { 2, 4 }
    local function train(loop, hybrid)
      hl.random.seed(3)
      local net, seen = Net(loop), {}
      net:initialize()
      if hybrid then net:hybridize() end
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      for _ = 1, 3 do
        local loss = autograd.record(function() local a, b = net(x, h) return (a * a):sum() + b:sum() end)
        loss:backward()
        trainer:step(2)
        seen[#seen + 1] = loss
      end
      for _, p in ipairs(net:collect_params():values()) do seen[#seen + 1] = p:data():copy() end
      seen[#seen + 1] = net(x, h)
      return seen
    end
    local expected = train(false, false)
    assert_same(expected, train(false, true))
    assert_same(expected, train(true, false))
    assert_same(expected, train(true, true))
  end)

  it("tells layers their shapes also where nobody uses what they give", function()
    local BODIES = {
      used_by_none = function(self, F, x) return F.foreach(function(i, s)
        local _ = self.layer(i)
        return i * 2, s
      end, x, x) end,
      used_by_a_loop_that_nobody_uses = function(self, F, x) return F.while_loop(function(n) return n:lesser(2) end,
        function(n, v)
          local _ = F.foreach(function(i, s) return self.layer(F.concat(i, s)), s end, v, v[0])
          return v + n, { n + 1, v * 2 }
        end, { F.zeros { 1 }, x }, { max_iterations = 2 }) end,
      used_by_its_iteration = function(self, F, x) return F.foreach(function(i, s)
        local o = self.layer(i)
        return i, F.broadcast_add(s, F.sum(o))
      end, x, F.zeros { 1 }) end,
    }
    local function run(body, hybrid, n_rows)
      local Net = gluon.HybridBlock:subclass "Net"
      function Net:init() self.layer = nn.Dense(2, { prefix = "layer_" }) end
      function Net:hybrid_forward(F, x) return (body(self, F, x)) end
      hl.random.seed(5)
      local net = Net { prefix = "net_" }
      net:initialize()
      if hybrid then net:hybridize() end
      local x = nd.ones { n_rows, 2, 3 }
      x:attach_grad()
      local o = autograd.record(function() return net(x) * 3 end)
      o:backward()
      return { o, x.grad, net.layer.weight:data(), net.layer.bias:data() }
    end
    for name, body in pairs(BODIES) do
      for _, n_rows in ipairs { 3, 0 } do
        if n_rows > 0 or name ~= "used_by_a_loop_that_nobody_uses" then       -- it reads a row
          local expected = run(body, false, n_rows)
          assert.same({ 2, name == "used_by_a_loop_that_nobody_uses" and 6 or 3 }, expected[3].shape, name)
          assert_same(expected, run(body, true, n_rows))
        end
      end
    end
  end)
end)

describe("while_loop", function()
  local function powers(F, h, w, limit, most)
    return F.contrib.while_loop(function(i) return i:lesser(limit) end, function(i, s)
      local y = F.tanh(s * w)
      return { y, i }, { i + 1, y }
    end, { F.zeros { 1 }, h }, { max_iterations = most })
  end

  it("goes on while its condition is true, and leaves rows of zeros", function()
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

  it("agrees with a loop in Lua", function()
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
  it("called several times in a function, give each call's part of a gradient as one term", function()
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
  it("is on the tape for what its branches read, not for its condition", function()
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
  it("gives values of its own, also what was there before", function()
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

describe("what no step reads", function()
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
  -- the first result, alone or beside another; the last one; arrays as they are given, or computed and used before
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

  -- How often the graph was run before hangs on nothing: the first backward's heads are not foreseen.
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

  it("gets zeros from a loop that makes none, at once and compiled, in any backward", function()
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

  it("gets zeros from a compiled condition, in any backward", function()
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

  it("changes no gradient of others, of first or second order", function()
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

describe("mistakes are named:", function()
  local function fails(pattern, fn, ...)
    local ok, message = pcall(fn, ...)
    assert.is_false(ok)
    assert.truthy(tostring(message):find(pattern, 1, true), tostring(message))
    assert.truthy(tostring(message):find "loops_spec.lua:%d+: ", tostring(message))
  end

  it("of foreach", function()
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
    fails("foreach: data: expected arrays of one length along axis 0, got 2 and 3 (number 1)",
      nd.foreach, function(i, s) return i, s end, { x, nd.ones { 3 } }, h)
    fails("foreach: data: expected arrays of one length along axis 0, got 2 and 3", hl.compile(function(F, x, y, h)
      return F.foreach(function(i, s) return i, s end, { x, y }, h)
    end), x, nd.ones { 3 }, h)
  end)

  it("of while_loop and cond", function()
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
    fails("cond: outputs of else_func: expected an array, as then_func has, got {array}", hl.compile(function(F, p)
      return F.cond(p, function() return p end, function() return { p } end)
    end), one)
    fails("output 0: expected one type from both branches", hl.compile(function(F, p)
      return F.cond(p, function() return p end, function() return F.concat(p, p, { dim = 0 }) end)
    end), one)
  end)

  it("and leave no block call open", function()
    local depth = core.call.scope_depth()
    pcall(nd.foreach, function() error "x" end, nd.ones { 2, 2 }, nd.ones { 2 })
    pcall(hl.compile(function(F, x) return F.foreach(function() error "x" end, x, x[0]) end), nd.ones { 2, 2 })
    assert.equal(depth, core.call.scope_depth())
    assert.is_nil(core.name.attributes())
  end)
end)

describe("loops that make no step", function()
  it("leave each array in its context, as those that make one do", function()
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

  it("of foreach too", function()
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

describe("one array and a list of one", function()
  it("are the same to loops, whichever was given", function()
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

  it("and foreach infers the shape of data with unknown dimensions", function()
    local o = sym.contrib.foreach(function(d, s) return d + 1, s end, sym.var("d", { shape = { 0, 3, 32, 32 } }), {})
    local _, outputs = o:infer_shape_partial {}
    assert.same({ 0, 3, 32, 32 }, { table.unpack(outputs[1]) })
  end)
end)
