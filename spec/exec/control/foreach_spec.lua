-- foreach_spec.lua - foreach, eager, hybridized and as a loop in Lua: the same bits, gradients included.
-- luacheck: ignore 431 432 421 422
local hl = require "hybridlua"
local loops = require "support.loops"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn
local normal, block, rnn, same_both_ways = loops.normal, loops.block, loops.rnn, loops.same_both_ways
local values_and_gradients, assert_same = loops.values_and_gradients, loops.assert_same

describe("foreach", function()
  it("matches a loop that calls its body as a block", function()
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

  it("accepts and returns arrays, lists and nested lists", function()
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

  it("passes values on unchanged", function()
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

  it("reads an unchanged state as a loop in Lua does", function()
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

  it("sums the gradients of a value in the order of its uses in the body", function()
    same_both_ways({ normal(4, 3), normal(4, 3) }, function(F, x, a)
      return (F.foreach(function(i)
        local v = F.sin(a * 3)
        return i + F.sum(a) * 0.2 + F.sum(a * a) * 0.3 + F.sum(v), {}
      end, x, {}))
    end)
  end)

  it("draws random numbers in the script's order, and the same ones in backward", function()
    same_both_ways({ normal(5, 3), normal(3), normal(3) }, function(F, x, h, w)
      x = F.Dropout(x, { p = 0.2 })
      local o, s = F.foreach(function(i, s)
        local y = F.Dropout(F.tanh(s * w + i), { p = 0.4 })
        return y + F.random.uniform { shape = { 3 } }, y
      end, x, h)
      return o, F.Dropout(s, { p = 0.3 }), F.random.normal { shape = { 2 } }
    end)
  end)

  it("updates the states of its operators once per iteration, and not in backward", function()
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

  it("adds its terms one by one to earlier terms in a compiled function, which is not a block call", function()
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

  it("adds the terms of repeated data in the order of the data, not of the reads", function()
    for _, body in ipairs {
      function(_, item) return item[2] / (item[1] * 2 + 0.3) end, function(_, item) return item[1] / item[2] end,
      function(F, item) return F.sin(item[3]) / item[2] + F.exp(item[1]) end } do
      local function fn(F, a, b)
        return F.foreach(function(item) return body(F, item), {} end, { b, b, b }, {}), a
      end
      for _ = 1, 5 do
        local results, x = {}, normal(3, 40)
        for k, f in ipairs { function(...) return fn(nd, ...) end, hl.compile(fn) } do
          results[k] = values_and_gradients(function(v)                       -- the earlier use is a term, too
            local y = v * 0.5
            local rows, a = f(y * 1.1, y)
            return rows:sum() * 0.2 + a:sum()
          end, { x })
        end
        assert_same(results[1], results[2])
      end
    end
  end)

  it("has no gradient through paused code in it, even in a compiled step", function()
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

  it("runs no iteration without rows, and infers the shapes", function()
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

  it("runs blocks with deferred parameter shapes", function()
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

  it("infers the shapes of layers even if their results are unused", function()
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
        if n_rows > 0 or name ~= "used_by_a_loop_that_nobody_uses" then       -- that body reads a row
          local expected = run(body, false, n_rows)
          assert.same({ 2, name == "used_by_a_loop_that_nobody_uses" and 6 or 3 }, expected[3].shape, name)
          assert_same(expected, run(body, true, n_rows))
        end
      end
    end
  end)
end)
